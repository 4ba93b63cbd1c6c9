module {
  tt.func public @narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 128 : i32
    %7 = arith.constant 300 : i32
    %10 = arith.constant 0 : i32
    %12 = arith.constant 64 : i32
    %14 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %15 = arith.constant 40 : i32
    %35 = arith.constant 300 : i64
    %50 = arith.constant 7 : i32
    %82 = arith.constant 0.0e0 : bf16
    %90 = arith.constant 280 : i64
    %110 = arith.constant 7 : i64
    %3 = tt.get_program_id y : i32
    %5 = arith.muli %3, %4 : i32
    %6 = arith.addi %5, %4 : i32
    %8 = arith.minsi %6, %7 : i32
    %9 = tt.get_program_id x : i32
    %11 = arith.subi %9, %10 : i32
    %13 = arith.muli %11, %12 : i32
    %88 = scf.for %16 = %5 to %8 step %4 iter_args(%17 = %14) -> (tensor<64x64xf32>) : i32 {
      %18 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %19 = tt.splat %16 : i32 -> tensor<128xi32>
      %20 = arith.addi %19, %18 : tensor<128xi32>
      %21 = tt.splat %7 : i32 -> tensor<128xi32>
      %22 = arith.cmpi slt, %20, %21 : tensor<128xi32>
      %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
      %24 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %25 = tt.splat %10 : i32 -> tensor<64xi32>
      %26 = arith.addi %25, %24 : tensor<64xi32>
      %27 = tt.splat %15 : i32 -> tensor<64xi32>
      %28 = arith.cmpi slt, %26, %27 : tensor<64xi32>
      %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %30 = tt.broadcast %23 : tensor<128x1xi1> -> tensor<128x64xi1>
      %31 = tt.broadcast %29 : tensor<1x64xi1> -> tensor<128x64xi1>
      %32 = arith.andi %30, %31 : tensor<128x64xi1>
      %33 = arith.extsi %16 : i32 to i64
      %34 = arith.extsi %10 : i32 to i64
      %36 = arith.muli %34, %35 : i64
      %37 = arith.addi %33, %36 : i64
      %38 = tt.addptr %x, %37 : !tt.ptr<bf16>, i64
      %39 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %40 = tt.expand_dims %39 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %41 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %42 = tt.splat %7 : i32 -> tensor<64xi32>
      %43 = arith.muli %41, %42 : tensor<64xi32>
      %44 = tt.expand_dims %43 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %45 = tt.broadcast %40 : tensor<128x1xi32> -> tensor<128x64xi32>
      %46 = tt.broadcast %44 : tensor<1x64xi32> -> tensor<128x64xi32>
      %47 = arith.addi %45, %46 : tensor<128x64xi32>
      %48 = tt.splat %38 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %49 = tt.addptr %48, %47 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %51 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %52 = tt.splat %13 : i32 -> tensor<64xi32>
      %53 = arith.addi %52, %51 : tensor<64xi32>
      %54 = tt.splat %50 : i32 -> tensor<64xi32>
      %55 = arith.cmpi slt, %53, %54 : tensor<64xi32>
      %56 = tt.expand_dims %55 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %57 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %58 = tt.splat %16 : i32 -> tensor<128xi32>
      %59 = arith.addi %58, %57 : tensor<128xi32>
      %60 = tt.splat %7 : i32 -> tensor<128xi32>
      %61 = arith.cmpi slt, %59, %60 : tensor<128xi32>
      %62 = tt.expand_dims %61 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %63 = tt.broadcast %56 : tensor<64x1xi1> -> tensor<64x128xi1>
      %64 = tt.broadcast %62 : tensor<1x128xi1> -> tensor<64x128xi1>
      %65 = arith.andi %63, %64 : tensor<64x128xi1>
      %66 = arith.extsi %13 : i32 to i64
      %67 = arith.muli %66, %35 : i64
      %68 = arith.extsi %16 : i32 to i64
      %69 = arith.addi %67, %68 : i64
      %70 = tt.addptr %weight, %69 : !tt.ptr<bf16>, i64
      %71 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %72 = tt.splat %7 : i32 -> tensor<64xi32>
      %73 = arith.muli %71, %72 : tensor<64xi32>
      %74 = tt.expand_dims %73 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %75 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %76 = tt.expand_dims %75 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %77 = tt.broadcast %74 : tensor<64x1xi32> -> tensor<64x128xi32>
      %78 = tt.broadcast %76 : tensor<1x128xi32> -> tensor<64x128xi32>
      %79 = arith.addi %77, %78 : tensor<64x128xi32>
      %80 = tt.splat %70 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %81 = tt.addptr %80, %79 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %83 = tt.splat %82 : bf16 -> tensor<64x128xbf16>
      %84 = tt.load %81, %65, %83 : tensor<64x128x!tt.ptr<bf16>>
      %85 = tt.splat %82 : bf16 -> tensor<128x64xbf16>
      %86 = tt.load %49, %32, %85 : tensor<128x64x!tt.ptr<bf16>>
      %87 = tt.dot %84, %86, %17, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      scf.yield %87 : tensor<64x64xf32>
    }
    %89 = arith.extsi %3 : i32 to i64
    %91 = arith.muli %89, %90 : i64
    %92 = tt.addptr %y, %91 : !tt.ptr<f32>, i64
    %93 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %94 = tt.splat %13 : i32 -> tensor<64xi32>
    %95 = arith.addi %94, %93 : tensor<64xi32>
    %96 = tt.splat %50 : i32 -> tensor<64xi32>
    %97 = arith.cmpi slt, %95, %96 : tensor<64xi32>
    %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %99 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %100 = tt.splat %10 : i32 -> tensor<64xi32>
    %101 = arith.addi %100, %99 : tensor<64xi32>
    %102 = tt.splat %15 : i32 -> tensor<64xi32>
    %103 = arith.cmpi slt, %101, %102 : tensor<64xi32>
    %104 = tt.expand_dims %103 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %105 = tt.broadcast %98 : tensor<64x1xi1> -> tensor<64x64xi1>
    %106 = tt.broadcast %104 : tensor<1x64xi1> -> tensor<64x64xi1>
    %107 = arith.andi %105, %106 : tensor<64x64xi1>
    %108 = arith.extsi %13 : i32 to i64
    %109 = arith.extsi %10 : i32 to i64
    %111 = arith.muli %109, %110 : i64
    %112 = arith.addi %108, %111 : i64
    %113 = tt.addptr %92, %112 : !tt.ptr<f32>, i64
    %114 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %115 = tt.expand_dims %114 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %116 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %117 = tt.splat %50 : i32 -> tensor<64xi32>
    %118 = arith.muli %116, %117 : tensor<64xi32>
    %119 = tt.expand_dims %118 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %120 = tt.broadcast %115 : tensor<64x1xi32> -> tensor<64x64xi32>
    %121 = tt.broadcast %119 : tensor<1x64xi32> -> tensor<64x64xi32>
    %122 = arith.addi %120, %121 : tensor<64x64xi32>
    %123 = tt.splat %113 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %124 = tt.addptr %123, %122 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %124, %88, %107 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
