module {
  tt.func public @grouped_product(%rows: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weights: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %owners: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %result: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 64 : i32
    %7 = arith.constant 16 : i32
    %9 = arith.constant 40 : i32
    %16 = arith.constant 0 : i32
    %19 = arith.constant 8 : i32
    %21 = arith.constant 512 : i32
    %24 = arith.constant 128 : i64
    %26 = arith.constant 512 : i64
    %29 = arith.constant 7 : i32
    %32 = arith.constant 524288 : i64
    %35 = arith.constant dense<0.0e0> : tensor<128x256xf32>
    %38 = arith.constant 128 : i32
    %43 = arith.constant 1 : i64
    %58 = arith.constant 256 : i32
    %81 = arith.constant 1024 : i64
    %93 = arith.constant 1024 : i32
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
    %80 = scf.for %36 = %16 to %22 step %5 iter_args(%37 = %35) -> (tensor<128x256xf32>) : i32 {
      %39 = arith.muli %16, %38 : i32
      %40 = arith.extsi %39 : i32 to i64
      %41 = arith.muli %40, %26 : i64
      %42 = arith.extsi %36 : i32 to i64
      %44 = arith.muli %42, %43 : i64
      %45 = arith.addi %41, %44 : i64
      %46 = tt.addptr %28, %45 : !tt.ptr<bf16>, i64
      %47 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %48 = tt.splat %21 : i32 -> tensor<128xi32>
      %49 = arith.muli %47, %48 : tensor<128xi32>
      %50 = tt.expand_dims %49 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %51 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %52 = tt.expand_dims %51 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %53 = tt.broadcast %50 : tensor<128x1xi32> -> tensor<128x64xi32>
      %54 = tt.broadcast %52 : tensor<1x64xi32> -> tensor<128x64xi32>
      %55 = arith.addi %53, %54 : tensor<128x64xi32>
      %56 = tt.splat %46 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %57 = tt.addptr %56, %55 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %59 = arith.muli %15, %58 : i32
      %60 = arith.extsi %36 : i32 to i64
      %61 = arith.muli %60, %43 : i64
      %62 = arith.extsi %59 : i32 to i64
      %63 = arith.muli %62, %26 : i64
      %64 = arith.addi %61, %63 : i64
      %65 = tt.addptr %34, %64 : !tt.ptr<bf16>, i64
      %66 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %67 = tt.expand_dims %66 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %68 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %69 = tt.splat %21 : i32 -> tensor<256xi32>
      %70 = arith.muli %68, %69 : tensor<256xi32>
      %71 = tt.expand_dims %70 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %72 = tt.broadcast %67 : tensor<64x1xi32> -> tensor<64x256xi32>
      %73 = tt.broadcast %71 : tensor<1x256xi32> -> tensor<64x256xi32>
      %74 = arith.addi %72, %73 : tensor<64x256xi32>
      %75 = tt.splat %65 : !tt.ptr<bf16> -> tensor<64x256x!tt.ptr<bf16>>
      %76 = tt.addptr %75, %74 : tensor<64x256x!tt.ptr<bf16>>, tensor<64x256xi32>
      %77 = tt.load %57 : tensor<128x64x!tt.ptr<bf16>>
      %78 = tt.load %76 : tensor<64x256x!tt.ptr<bf16>>
      %79 = tt.dot %77, %78, %37, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %79 : tensor<128x256xf32>
    }
    %82 = arith.muli %25, %81 : i64
    %83 = tt.addptr %result, %82 : !tt.ptr<bf16>, i64
    %84 = arith.muli %16, %38 : i32
    %85 = arith.muli %15, %58 : i32
    %86 = arith.extsi %84 : i32 to i64
    %87 = arith.muli %86, %81 : i64
    %88 = arith.extsi %85 : i32 to i64
    %89 = arith.muli %88, %43 : i64
    %90 = arith.addi %87, %89 : i64
    %91 = tt.addptr %83, %90 : !tt.ptr<bf16>, i64
    %92 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %94 = tt.splat %93 : i32 -> tensor<128xi32>
    %95 = arith.muli %92, %94 : tensor<128xi32>
    %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %97 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %98 = tt.expand_dims %97 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %99 = tt.broadcast %96 : tensor<128x1xi32> -> tensor<128x256xi32>
    %100 = tt.broadcast %98 : tensor<1x256xi32> -> tensor<128x256xi32>
    %101 = arith.addi %99, %100 : tensor<128x256xi32>
    %102 = tt.splat %91 : !tt.ptr<bf16> -> tensor<128x256x!tt.ptr<bf16>>
    %103 = tt.addptr %102, %101 : tensor<128x256x!tt.ptr<bf16>>, tensor<128x256xi32>
    %104 = arith.truncf %80 : tensor<128x256xf32> to tensor<128x256xbf16>
    tt.store %103, %104 : tensor<128x256x!tt.ptr<bf16>>
    tt.return
  }
}
