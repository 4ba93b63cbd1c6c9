module {
  tt.func public @grouped_product_of_rows(%rows: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weights: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %owners: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %result: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 32 : i32
    %7 = arith.constant 16 : i32
    %9 = arith.constant 40 : i32
    %16 = arith.constant 0 : i32
    %19 = arith.constant 8 : i32
    %21 = arith.constant 1024 : i32
    %24 = arith.constant 128 : i64
    %26 = arith.constant 1024 : i64
    %29 = arith.constant 7 : i32
    %32 = arith.constant 524288 : i64
    %35 = arith.constant dense<0.0e0> : tensor<128x256xf32>
    %36 = arith.constant 64 : i32
    %39 = arith.constant 128 : i32
    %44 = arith.constant 1 : i64
    %59 = arith.constant 256 : i32
    %62 = arith.constant 512 : i64
    %69 = arith.constant 512 : i32
    %4 = tt.get_program_id x : i32
    %6 = arith.divsi %4, %5 : i32
    %8 = arith.muli %6, %7 : i32
    %10 = arith.subi %9, %8 : i32
    %11 = arith.minsi %10, %7 : i32
    %12 = arith.remsi %4, %5 : i32
    %13 = arith.remsi %12, %11 : i32
    %14 = arith.addi %8, %13 : i32
    %15 = arith.divsi %12, %11 : i32
    %17 = tt.addptr %owners, %14 : !tt.ptr<i32>, i32
    %18 = tt.load %17 : !tt.ptr<i32>
    %20 = arith.cmpi slt, %18, %19 : i32
    %22 = arith.select %20, %21, %16 : i32
    %23 = arith.extsi %14 : i32 to i64
    %25 = arith.muli %23, %24 : i64
    %27 = arith.muli %25, %26 : i64
    %28 = tt.addptr %rows, %27 : !tt.ptr<bf16>, i64
    %30 = arith.minsi %18, %29 : i32
    %31 = arith.extsi %30 : i32 to i64
    %33 = arith.muli %31, %32 : i64
    %34 = tt.addptr %weights, %33 : !tt.ptr<bf16>, i64
    %83 = scf.for %37 = %16 to %22 step %36 iter_args(%38 = %35) -> (tensor<128x256xf32>) : i32 {
      %40 = arith.muli %16, %39 : i32
      %41 = arith.extsi %40 : i32 to i64
      %42 = arith.muli %41, %26 : i64
      %43 = arith.extsi %37 : i32 to i64
      %45 = arith.muli %43, %44 : i64
      %46 = arith.addi %42, %45 : i64
      %47 = tt.addptr %28, %46 : !tt.ptr<bf16>, i64
      %48 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %49 = tt.splat %21 : i32 -> tensor<128xi32>
      %50 = arith.muli %48, %49 : tensor<128xi32>
      %51 = tt.expand_dims %50 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %52 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %53 = tt.expand_dims %52 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %54 = tt.broadcast %51 : tensor<128x1xi32> -> tensor<128x64xi32>
      %55 = tt.broadcast %53 : tensor<1x64xi32> -> tensor<128x64xi32>
      %56 = arith.addi %54, %55 : tensor<128x64xi32>
      %57 = tt.splat %47 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %58 = tt.addptr %57, %56 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %60 = arith.muli %15, %59 : i32
      %61 = arith.extsi %37 : i32 to i64
      %63 = arith.muli %61, %62 : i64
      %64 = arith.extsi %60 : i32 to i64
      %65 = arith.muli %64, %44 : i64
      %66 = arith.addi %63, %65 : i64
      %67 = tt.addptr %34, %66 : !tt.ptr<bf16>, i64
      %68 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %70 = tt.splat %69 : i32 -> tensor<64xi32>
      %71 = arith.muli %68, %70 : tensor<64xi32>
      %72 = tt.expand_dims %71 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %73 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %74 = tt.expand_dims %73 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %75 = tt.broadcast %72 : tensor<64x1xi32> -> tensor<64x256xi32>
      %76 = tt.broadcast %74 : tensor<1x256xi32> -> tensor<64x256xi32>
      %77 = arith.addi %75, %76 : tensor<64x256xi32>
      %78 = tt.splat %67 : !tt.ptr<bf16> -> tensor<64x256x!tt.ptr<bf16>>
      %79 = tt.addptr %78, %77 : tensor<64x256x!tt.ptr<bf16>>, tensor<64x256xi32>
      %80 = tt.load %58 : tensor<128x64x!tt.ptr<bf16>>
      %81 = tt.load %79 : tensor<64x256x!tt.ptr<bf16>>
      %82 = tt.dot %80, %81, %38, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %82 : tensor<128x256xf32>
    }
    %84 = arith.muli %25, %62 : i64
    %85 = tt.addptr %result, %84 : !tt.ptr<bf16>, i64
    %86 = arith.muli %16, %39 : i32
    %87 = arith.muli %15, %59 : i32
    %88 = arith.extsi %86 : i32 to i64
    %89 = arith.muli %88, %62 : i64
    %90 = arith.extsi %87 : i32 to i64
    %91 = arith.muli %90, %44 : i64
    %92 = arith.addi %89, %91 : i64
    %93 = tt.addptr %85, %92 : !tt.ptr<bf16>, i64
    %94 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %95 = tt.splat %69 : i32 -> tensor<128xi32>
    %96 = arith.muli %94, %95 : tensor<128xi32>
    %97 = tt.expand_dims %96 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %98 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %99 = tt.expand_dims %98 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %100 = tt.broadcast %97 : tensor<128x1xi32> -> tensor<128x256xi32>
    %101 = tt.broadcast %99 : tensor<1x256xi32> -> tensor<128x256xi32>
    %102 = arith.addi %100, %101 : tensor<128x256xi32>
    %103 = tt.splat %93 : !tt.ptr<bf16> -> tensor<128x256x!tt.ptr<bf16>>
    %104 = tt.addptr %103, %102 : tensor<128x256x!tt.ptr<bf16>>, tensor<128x256xi32>
    %105 = arith.truncf %83 : tensor<128x256xf32> to tensor<128x256xbf16>
    tt.store %104, %105 : tensor<128x256x!tt.ptr<bf16>>
    tt.return
  }
}
