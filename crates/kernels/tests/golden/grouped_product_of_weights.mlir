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
    %42 = arith.constant 1 : i64
    %51 = arith.constant 1024 : i32
    %67 = arith.constant 512 : i32
    %83 = arith.constant 524288 : i64
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
    %81 = scf.for %38 = %36 to %21 step %37 iter_args(%39 = %35) -> (tensor<128x256xf32>) : i32 {
      %40 = arith.muli %15, %20 : i32
      %41 = arith.extsi %40 : i32 to i64
      %43 = arith.muli %41, %42 : i64
      %44 = arith.extsi %38 : i32 to i64
      %45 = arith.muli %44, %27 : i64
      %46 = arith.addi %43, %45 : i64
      %47 = tt.addptr %29, %46 : !tt.ptr<bf16>, i64
      %48 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %49 = tt.expand_dims %48 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %50 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %52 = tt.splat %51 : i32 -> tensor<64xi32>
      %53 = arith.muli %50, %52 : tensor<64xi32>
      %54 = tt.expand_dims %53 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %55 = tt.broadcast %49 : tensor<128x1xi32> -> tensor<128x64xi32>
      %56 = tt.broadcast %54 : tensor<1x64xi32> -> tensor<128x64xi32>
      %57 = arith.addi %55, %56 : tensor<128x64xi32>
      %58 = tt.splat %47 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %59 = tt.addptr %58, %57 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %60 = arith.extsi %38 : i32 to i64
      %61 = arith.muli %60, %30 : i64
      %62 = arith.extsi %34 : i32 to i64
      %63 = arith.muli %62, %42 : i64
      %64 = arith.addi %61, %63 : i64
      %65 = tt.addptr %32, %64 : !tt.ptr<bf16>, i64
      %66 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %68 = tt.splat %67 : i32 -> tensor<64xi32>
      %69 = arith.muli %66, %68 : tensor<64xi32>
      %70 = tt.expand_dims %69 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %71 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %72 = tt.expand_dims %71 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %73 = tt.broadcast %70 : tensor<64x1xi32> -> tensor<64x256xi32>
      %74 = tt.broadcast %72 : tensor<1x256xi32> -> tensor<64x256xi32>
      %75 = arith.addi %73, %74 : tensor<64x256xi32>
      %76 = tt.splat %65 : !tt.ptr<bf16> -> tensor<64x256x!tt.ptr<bf16>>
      %77 = tt.addptr %76, %75 : tensor<64x256x!tt.ptr<bf16>>, tensor<64x256xi32>
      %78 = tt.load %59 : tensor<128x64x!tt.ptr<bf16>>
      %79 = tt.load %77 : tensor<64x256x!tt.ptr<bf16>>
      %80 = tt.dot %78, %79, %39, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %80 : tensor<128x256xf32>
    }
    %82 = arith.extsi %17 : i32 to i64
    %84 = arith.muli %82, %83 : i64
    %85 = tt.addptr %result, %84 : !tt.ptr<bf16>, i64
    %86 = arith.muli %15, %20 : i32
    %87 = arith.extsi %86 : i32 to i64
    %88 = arith.muli %87, %30 : i64
    %89 = arith.extsi %34 : i32 to i64
    %90 = arith.muli %89, %42 : i64
    %91 = arith.addi %88, %90 : i64
    %92 = tt.addptr %85, %91 : !tt.ptr<bf16>, i64
    %93 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %94 = tt.splat %67 : i32 -> tensor<128xi32>
    %95 = arith.muli %93, %94 : tensor<128xi32>
    %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %97 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %98 = tt.expand_dims %97 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %99 = tt.broadcast %96 : tensor<128x1xi32> -> tensor<128x256xi32>
    %100 = tt.broadcast %98 : tensor<1x256xi32> -> tensor<128x256xi32>
    %101 = arith.addi %99, %100 : tensor<128x256xi32>
    %102 = tt.splat %92 : !tt.ptr<bf16> -> tensor<128x256x!tt.ptr<bf16>>
    %103 = tt.addptr %102, %101 : tensor<128x256x!tt.ptr<bf16>>, tensor<128x256xi32>
    %104 = arith.truncf %81 : tensor<128x256xf32> to tensor<128x256xbf16>
    tt.store %103, %104 : tensor<128x256x!tt.ptr<bf16>>
    tt.return
  }
}
