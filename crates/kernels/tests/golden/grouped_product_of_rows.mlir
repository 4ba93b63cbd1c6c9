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
    %57 = arith.constant 256 : i32
    %60 = arith.constant 512 : i64
    %66 = arith.constant 512 : i32
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
    %80 = scf.for %37 = %16 to %22 step %36 iter_args(%38 = %35) -> (tensor<128x256xf32>) : i32 {
      %40 = arith.muli %16, %39 : i32
      %41 = arith.extsi %40 : i32 to i64
      %42 = arith.muli %41, %26 : i64
      %43 = arith.extsi %37 : i32 to i64
      %44 = arith.addi %42, %43 : i64
      %45 = tt.addptr %28, %44 : !tt.ptr<bf16>, i64
      %46 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %47 = tt.splat %21 : i32 -> tensor<128xi32>
      %48 = arith.muli %46, %47 : tensor<128xi32>
      %49 = tt.expand_dims %48 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %50 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %51 = tt.expand_dims %50 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %52 = tt.broadcast %49 : tensor<128x1xi32> -> tensor<128x64xi32>
      %53 = tt.broadcast %51 : tensor<1x64xi32> -> tensor<128x64xi32>
      %54 = arith.addi %52, %53 : tensor<128x64xi32>
      %55 = tt.splat %45 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %56 = tt.addptr %55, %54 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %58 = arith.muli %15, %57 : i32
      %59 = arith.extsi %37 : i32 to i64
      %61 = arith.muli %59, %60 : i64
      %62 = arith.extsi %58 : i32 to i64
      %63 = arith.addi %61, %62 : i64
      %64 = tt.addptr %34, %63 : !tt.ptr<bf16>, i64
      %65 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %67 = tt.splat %66 : i32 -> tensor<64xi32>
      %68 = arith.muli %65, %67 : tensor<64xi32>
      %69 = tt.expand_dims %68 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %70 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %71 = tt.expand_dims %70 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %72 = tt.broadcast %69 : tensor<64x1xi32> -> tensor<64x256xi32>
      %73 = tt.broadcast %71 : tensor<1x256xi32> -> tensor<64x256xi32>
      %74 = arith.addi %72, %73 : tensor<64x256xi32>
      %75 = tt.splat %64 : !tt.ptr<bf16> -> tensor<64x256x!tt.ptr<bf16>>
      %76 = tt.addptr %75, %74 : tensor<64x256x!tt.ptr<bf16>>, tensor<64x256xi32>
      %77 = tt.load %56 : tensor<128x64x!tt.ptr<bf16>>
      %78 = tt.load %76 : tensor<64x256x!tt.ptr<bf16>>
      %79 = tt.dot %77, %78, %38, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %79 : tensor<128x256xf32>
    }
    %81 = arith.muli %25, %60 : i64
    %82 = tt.addptr %result, %81 : !tt.ptr<bf16>, i64
    %83 = arith.muli %16, %39 : i32
    %84 = arith.muli %15, %57 : i32
    %85 = arith.extsi %83 : i32 to i64
    %86 = arith.muli %85, %60 : i64
    %87 = arith.extsi %84 : i32 to i64
    %88 = arith.addi %86, %87 : i64
    %89 = tt.addptr %82, %88 : !tt.ptr<bf16>, i64
    %90 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %91 = tt.splat %66 : i32 -> tensor<128xi32>
    %92 = arith.muli %90, %91 : tensor<128xi32>
    %93 = tt.expand_dims %92 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %94 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %95 = tt.expand_dims %94 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %96 = tt.broadcast %93 : tensor<128x1xi32> -> tensor<128x256xi32>
    %97 = tt.broadcast %95 : tensor<1x256xi32> -> tensor<128x256xi32>
    %98 = arith.addi %96, %97 : tensor<128x256xi32>
    %99 = tt.splat %89 : !tt.ptr<bf16> -> tensor<128x256x!tt.ptr<bf16>>
    %100 = tt.addptr %99, %98 : tensor<128x256x!tt.ptr<bf16>>, tensor<128x256xi32>
    %101 = arith.truncf %80 : tensor<128x256xf32> to tensor<128x256xbf16>
    tt.store %100, %101 : tensor<128x256x!tt.ptr<bf16>>
    tt.return
  }
}
