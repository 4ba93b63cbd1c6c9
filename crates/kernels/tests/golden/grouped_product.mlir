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
    %56 = arith.constant 256 : i32
    %78 = arith.constant 1024 : i64
    %89 = arith.constant 1024 : i32
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
    %77 = scf.for %36 = %16 to %22 step %5 iter_args(%37 = %35) -> (tensor<128x256xf32>) : i32 {
      %39 = arith.muli %16, %38 : i32
      %40 = arith.extsi %39 : i32 to i64
      %41 = arith.muli %40, %26 : i64
      %42 = arith.extsi %36 : i32 to i64
      %43 = arith.addi %41, %42 : i64
      %44 = tt.addptr %28, %43 : !tt.ptr<bf16>, i64
      %45 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %46 = tt.splat %21 : i32 -> tensor<128xi32>
      %47 = arith.muli %45, %46 : tensor<128xi32>
      %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %49 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %50 = tt.expand_dims %49 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %51 = tt.broadcast %48 : tensor<128x1xi32> -> tensor<128x64xi32>
      %52 = tt.broadcast %50 : tensor<1x64xi32> -> tensor<128x64xi32>
      %53 = arith.addi %51, %52 : tensor<128x64xi32>
      %54 = tt.splat %44 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %55 = tt.addptr %54, %53 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %57 = arith.muli %15, %56 : i32
      %58 = arith.extsi %36 : i32 to i64
      %59 = arith.extsi %57 : i32 to i64
      %60 = arith.muli %59, %26 : i64
      %61 = arith.addi %58, %60 : i64
      %62 = tt.addptr %34, %61 : !tt.ptr<bf16>, i64
      %63 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %64 = tt.expand_dims %63 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %65 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %66 = tt.splat %21 : i32 -> tensor<256xi32>
      %67 = arith.muli %65, %66 : tensor<256xi32>
      %68 = tt.expand_dims %67 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %69 = tt.broadcast %64 : tensor<64x1xi32> -> tensor<64x256xi32>
      %70 = tt.broadcast %68 : tensor<1x256xi32> -> tensor<64x256xi32>
      %71 = arith.addi %69, %70 : tensor<64x256xi32>
      %72 = tt.splat %62 : !tt.ptr<bf16> -> tensor<64x256x!tt.ptr<bf16>>
      %73 = tt.addptr %72, %71 : tensor<64x256x!tt.ptr<bf16>>, tensor<64x256xi32>
      %74 = tt.load %55 : tensor<128x64x!tt.ptr<bf16>>
      %75 = tt.load %73 : tensor<64x256x!tt.ptr<bf16>>
      %76 = tt.dot %74, %75, %37, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %76 : tensor<128x256xf32>
    }
    %79 = arith.muli %25, %78 : i64
    %80 = tt.addptr %result, %79 : !tt.ptr<bf16>, i64
    %81 = arith.muli %16, %38 : i32
    %82 = arith.muli %15, %56 : i32
    %83 = arith.extsi %81 : i32 to i64
    %84 = arith.muli %83, %78 : i64
    %85 = arith.extsi %82 : i32 to i64
    %86 = arith.addi %84, %85 : i64
    %87 = tt.addptr %80, %86 : !tt.ptr<bf16>, i64
    %88 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %90 = tt.splat %89 : i32 -> tensor<128xi32>
    %91 = arith.muli %88, %90 : tensor<128xi32>
    %92 = tt.expand_dims %91 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %93 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %94 = tt.expand_dims %93 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %95 = tt.broadcast %92 : tensor<128x1xi32> -> tensor<128x256xi32>
    %96 = tt.broadcast %94 : tensor<1x256xi32> -> tensor<128x256xi32>
    %97 = arith.addi %95, %96 : tensor<128x256xi32>
    %98 = tt.splat %87 : !tt.ptr<bf16> -> tensor<128x256x!tt.ptr<bf16>>
    %99 = tt.addptr %98, %97 : tensor<128x256x!tt.ptr<bf16>>, tensor<128x256xi32>
    %100 = arith.truncf %77 : tensor<128x256xf32> to tensor<128x256xbf16>
    tt.store %99, %100 : tensor<128x256x!tt.ptr<bf16>>
    tt.return
  }
}
