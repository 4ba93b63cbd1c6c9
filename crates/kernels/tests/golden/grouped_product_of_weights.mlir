module {
  tt.func public @grouped_product_of_weights(%ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %result: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 32 : i32
    %8 = arith.constant 16 : i32
    %10 = arith.constant 8 : i32
    %20 = arith.constant 128 : i32
    %25 = arith.constant 128 : i64
    %27 = arith.constant 1024 : i64
    %30 = arith.constant 512 : i64
    %33 = arith.constant 256 : i32
    %35 = arith.constant dense<0.0e0> : tensor<128x256xf32>
    %36 = arith.constant 0 : i32
    %37 = arith.constant 64 : i32
    %49 = arith.constant 1024 : i32
    %64 = arith.constant 512 : i32
    %80 = arith.constant 524288 : i64
    %5 = tt.get_program_id x : i32
    %7 = arith.divsi %5, %6 : i32
    %9 = arith.muli %7, %8 : i32
    %11 = arith.subi %10, %9 : i32
    %12 = arith.minsi %11, %8 : i32
    %13 = arith.remsi %5, %6 : i32
    %14 = arith.remsi %13, %12 : i32
    %15 = arith.addi %9, %14 : i32
    %16 = arith.divsi %13, %12 : i32
    %17 = tt.get_program_id y : i32
    %18 = tt.addptr %count, %17 : !tt.ptr<i32>, i32
    %19 = tt.load %18 : !tt.ptr<i32>
    %21 = arith.muli %19, %20 : i32
    %22 = tt.addptr %first, %17 : !tt.ptr<i32>, i32
    %23 = tt.load %22 : !tt.ptr<i32>
    %24 = arith.extsi %23 : i32 to i64
    %26 = arith.muli %24, %25 : i64
    %28 = arith.muli %26, %27 : i64
    %29 = tt.addptr %ct, %28 : !tt.ptr<bf16>, i64
    %31 = arith.muli %26, %30 : i64
    %32 = tt.addptr %x, %31 : !tt.ptr<bf16>, i64
    %34 = arith.muli %16, %33 : i32
    %78 = scf.for %38 = %36 to %21 step %37 iter_args(%39 = %35) -> (tensor<128x256xf32>) : i32 {
      %40 = arith.muli %15, %20 : i32
      %41 = arith.extsi %40 : i32 to i64
      %42 = arith.extsi %38 : i32 to i64
      %43 = arith.muli %42, %27 : i64
      %44 = arith.addi %41, %43 : i64
      %45 = tt.addptr %29, %44 : !tt.ptr<bf16>, i64
      %46 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %47 = tt.expand_dims %46 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %48 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %50 = tt.splat %49 : i32 -> tensor<64xi32>
      %51 = arith.muli %48, %50 : tensor<64xi32>
      %52 = tt.expand_dims %51 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %53 = tt.broadcast %47 : tensor<128x1xi32> -> tensor<128x64xi32>
      %54 = tt.broadcast %52 : tensor<1x64xi32> -> tensor<128x64xi32>
      %55 = arith.addi %53, %54 : tensor<128x64xi32>
      %56 = tt.splat %45 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %57 = tt.addptr %56, %55 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %58 = arith.extsi %38 : i32 to i64
      %59 = arith.muli %58, %30 : i64
      %60 = arith.extsi %34 : i32 to i64
      %61 = arith.addi %59, %60 : i64
      %62 = tt.addptr %32, %61 : !tt.ptr<bf16>, i64
      %63 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %65 = tt.splat %64 : i32 -> tensor<64xi32>
      %66 = arith.muli %63, %65 : tensor<64xi32>
      %67 = tt.expand_dims %66 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %68 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %69 = tt.expand_dims %68 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %70 = tt.broadcast %67 : tensor<64x1xi32> -> tensor<64x256xi32>
      %71 = tt.broadcast %69 : tensor<1x256xi32> -> tensor<64x256xi32>
      %72 = arith.addi %70, %71 : tensor<64x256xi32>
      %73 = tt.splat %62 : !tt.ptr<bf16> -> tensor<64x256x!tt.ptr<bf16>>
      %74 = tt.addptr %73, %72 : tensor<64x256x!tt.ptr<bf16>>, tensor<64x256xi32>
      %75 = tt.load %57 : tensor<128x64x!tt.ptr<bf16>>
      %76 = tt.load %74 : tensor<64x256x!tt.ptr<bf16>>
      %77 = tt.dot %75, %76, %39, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %77 : tensor<128x256xf32>
    }
    %79 = arith.extsi %17 : i32 to i64
    %81 = arith.muli %79, %80 : i64
    %82 = tt.addptr %result, %81 : !tt.ptr<bf16>, i64
    %83 = arith.muli %15, %20 : i32
    %84 = arith.extsi %83 : i32 to i64
    %85 = arith.muli %84, %30 : i64
    %86 = arith.extsi %34 : i32 to i64
    %87 = arith.addi %85, %86 : i64
    %88 = tt.addptr %82, %87 : !tt.ptr<bf16>, i64
    %89 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %90 = tt.splat %64 : i32 -> tensor<128xi32>
    %91 = arith.muli %89, %90 : tensor<128xi32>
    %92 = tt.expand_dims %91 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %93 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %94 = tt.expand_dims %93 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %95 = tt.broadcast %92 : tensor<128x1xi32> -> tensor<128x256xi32>
    %96 = tt.broadcast %94 : tensor<1x256xi32> -> tensor<128x256xi32>
    %97 = arith.addi %95, %96 : tensor<128x256xi32>
    %98 = tt.splat %88 : !tt.ptr<bf16> -> tensor<128x256x!tt.ptr<bf16>>
    %99 = tt.addptr %98, %97 : tensor<128x256x!tt.ptr<bf16>>, tensor<128x256xi32>
    %100 = arith.truncf %78 : tensor<128x256xf32> to tensor<128x256xbf16>
    tt.store %99, %100 : tensor<128x256x!tt.ptr<bf16>>
    tt.return
  }
}
