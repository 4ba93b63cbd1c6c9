module {
  tt.func public @narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 128 : i32
    %7 = arith.constant 300 : i32
    %10 = arith.constant 7 : i32
    %11 = arith.constant 64 : i32
    %13 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %14 = arith.constant 0 : i32
    %15 = arith.constant 40 : i32
    %35 = arith.constant 300 : i64
    %81 = arith.constant 0.0e0 : bf16
    %92 = arith.constant 280 : i64
    %112 = arith.constant 7 : i64
    %3 = tt.get_program_id y : i32
    %5 = arith.muli %3, %4 : i32
    %6 = arith.addi %5, %4 : i32
    %8 = arith.minsi %6, %7 : i32
    %9 = tt.get_program_id x : i32
    %12 = arith.muli %9, %11 : i32
    %87 = scf.for %16 = %5 to %8 step %4 iter_args(%17 = %13) -> (tensor<64x64xf32>) : i32 {
      %18 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %19 = tt.splat %16 : i32 -> tensor<128xi32>
      %20 = arith.addi %19, %18 : tensor<128xi32>
      %21 = tt.splat %7 : i32 -> tensor<128xi32>
      %22 = arith.cmpi slt, %20, %21 : tensor<128xi32>
      %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
      %24 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %25 = tt.splat %14 : i32 -> tensor<64xi32>
      %26 = arith.addi %25, %24 : tensor<64xi32>
      %27 = tt.splat %15 : i32 -> tensor<64xi32>
      %28 = arith.cmpi slt, %26, %27 : tensor<64xi32>
      %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %30 = tt.broadcast %23 : tensor<128x1xi1> -> tensor<128x64xi1>
      %31 = tt.broadcast %29 : tensor<1x64xi1> -> tensor<128x64xi1>
      %32 = arith.andi %30, %31 : tensor<128x64xi1>
      %33 = arith.extsi %16 : i32 to i64
      %34 = arith.extsi %14 : i32 to i64
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
      %50 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %51 = tt.splat %12 : i32 -> tensor<64xi32>
      %52 = arith.addi %51, %50 : tensor<64xi32>
      %53 = tt.splat %10 : i32 -> tensor<64xi32>
      %54 = arith.cmpi slt, %52, %53 : tensor<64xi32>
      %55 = tt.expand_dims %54 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %56 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %57 = tt.splat %16 : i32 -> tensor<128xi32>
      %58 = arith.addi %57, %56 : tensor<128xi32>
      %59 = tt.splat %7 : i32 -> tensor<128xi32>
      %60 = arith.cmpi slt, %58, %59 : tensor<128xi32>
      %61 = tt.expand_dims %60 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %62 = tt.broadcast %55 : tensor<64x1xi1> -> tensor<64x128xi1>
      %63 = tt.broadcast %61 : tensor<1x128xi1> -> tensor<64x128xi1>
      %64 = arith.andi %62, %63 : tensor<64x128xi1>
      %65 = arith.extsi %12 : i32 to i64
      %66 = arith.muli %65, %35 : i64
      %67 = arith.extsi %16 : i32 to i64
      %68 = arith.addi %66, %67 : i64
      %69 = tt.addptr %weight, %68 : !tt.ptr<bf16>, i64
      %70 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %71 = tt.splat %7 : i32 -> tensor<64xi32>
      %72 = arith.muli %70, %71 : tensor<64xi32>
      %73 = tt.expand_dims %72 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %74 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %75 = tt.expand_dims %74 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %76 = tt.broadcast %73 : tensor<64x1xi32> -> tensor<64x128xi32>
      %77 = tt.broadcast %75 : tensor<1x128xi32> -> tensor<64x128xi32>
      %78 = arith.addi %76, %77 : tensor<64x128xi32>
      %79 = tt.splat %69 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %80 = tt.addptr %79, %78 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %82 = tt.splat %81 : bf16 -> tensor<64x128xbf16>
      %83 = tt.load %80, %64, %82 : tensor<64x128x!tt.ptr<bf16>>
      %84 = tt.splat %81 : bf16 -> tensor<128x64xbf16>
      %85 = tt.load %49, %32, %84 : tensor<128x64x!tt.ptr<bf16>>
      %86 = tt.dot %83, %85, %17, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      scf.yield %86 : tensor<64x64xf32>
    }
    %88 = tt.get_program_id x : i32
    %89 = arith.subi %88, %14 : i32
    %90 = arith.muli %89, %11 : i32
    %91 = arith.extsi %3 : i32 to i64
    %93 = arith.muli %91, %92 : i64
    %94 = tt.addptr %y, %93 : !tt.ptr<f32>, i64
    %95 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %96 = tt.splat %90 : i32 -> tensor<64xi32>
    %97 = arith.addi %96, %95 : tensor<64xi32>
    %98 = tt.splat %10 : i32 -> tensor<64xi32>
    %99 = arith.cmpi slt, %97, %98 : tensor<64xi32>
    %100 = tt.expand_dims %99 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %101 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %102 = tt.splat %14 : i32 -> tensor<64xi32>
    %103 = arith.addi %102, %101 : tensor<64xi32>
    %104 = tt.splat %15 : i32 -> tensor<64xi32>
    %105 = arith.cmpi slt, %103, %104 : tensor<64xi32>
    %106 = tt.expand_dims %105 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %107 = tt.broadcast %100 : tensor<64x1xi1> -> tensor<64x64xi1>
    %108 = tt.broadcast %106 : tensor<1x64xi1> -> tensor<64x64xi1>
    %109 = arith.andi %107, %108 : tensor<64x64xi1>
    %110 = arith.extsi %90 : i32 to i64
    %111 = arith.extsi %14 : i32 to i64
    %113 = arith.muli %111, %112 : i64
    %114 = arith.addi %110, %113 : i64
    %115 = tt.addptr %94, %114 : !tt.ptr<f32>, i64
    %116 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %117 = tt.expand_dims %116 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %118 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %119 = tt.splat %10 : i32 -> tensor<64xi32>
    %120 = arith.muli %118, %119 : tensor<64xi32>
    %121 = tt.expand_dims %120 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %122 = tt.broadcast %117 : tensor<64x1xi32> -> tensor<64x64xi32>
    %123 = tt.broadcast %121 : tensor<1x64xi32> -> tensor<64x64xi32>
    %124 = arith.addi %122, %123 : tensor<64x64xi32>
    %125 = tt.splat %115 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %126 = tt.addptr %125, %124 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %126, %87, %109 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
