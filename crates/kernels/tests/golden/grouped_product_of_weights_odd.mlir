module {
  tt.func public @grouped_product_of_weights(%ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %result: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 16 : i32
    %9 = arith.constant 2 : i32
    %19 = arith.constant 40 : i32
    %24 = arith.constant 40 : i64
    %26 = arith.constant 141 : i64
    %29 = arith.constant 75 : i64
    %32 = arith.constant 128 : i32
    %34 = arith.constant 75 : i32
    %35 = arith.constant dense<0.0e0> : tensor<128x128xf32>
    %36 = arith.constant 0 : i32
    %37 = arith.constant 64 : i32
    %41 = arith.constant 141 : i32
    %58 = arith.constant 1 : i64
    %107 = arith.constant 0.0e0 : bf16
    %115 = arith.constant 10575 : i64
    %5 = tt.get_program_id x : i32
    %7 = arith.divsi %5, %6 : i32
    %8 = arith.muli %7, %6 : i32
    %10 = arith.subi %9, %8 : i32
    %11 = arith.minsi %10, %6 : i32
    %12 = arith.remsi %5, %6 : i32
    %13 = arith.remsi %12, %11 : i32
    %14 = arith.addi %8, %13 : i32
    %15 = arith.divsi %12, %11 : i32
    %16 = tt.get_program_id y : i32
    %17 = tt.addptr %count, %16 : !tt.ptr<i32>, i32
    %18 = tt.load %17 : !tt.ptr<i32>
    %20 = arith.muli %18, %19 : i32
    %21 = tt.addptr %first, %16 : !tt.ptr<i32>, i32
    %22 = tt.load %21 : !tt.ptr<i32>
    %23 = arith.extsi %22 : i32 to i64
    %25 = arith.muli %23, %24 : i64
    %27 = arith.muli %25, %26 : i64
    %28 = tt.addptr %ct, %27 : !tt.ptr<bf16>, i64
    %30 = arith.muli %25, %29 : i64
    %31 = tt.addptr %x, %30 : !tt.ptr<bf16>, i64
    %33 = arith.muli %15, %32 : i32
    %113 = scf.for %38 = %36 to %20 step %37 iter_args(%39 = %35) -> (tensor<128x128xf32>) : i32 {
      %40 = arith.muli %14, %32 : i32
      %42 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %43 = tt.splat %40 : i32 -> tensor<128xi32>
      %44 = arith.addi %43, %42 : tensor<128xi32>
      %45 = tt.splat %41 : i32 -> tensor<128xi32>
      %46 = arith.cmpi slt, %44, %45 : tensor<128xi32>
      %47 = tt.expand_dims %46 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
      %48 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %49 = tt.splat %38 : i32 -> tensor<64xi32>
      %50 = arith.addi %49, %48 : tensor<64xi32>
      %51 = tt.splat %20 : i32 -> tensor<64xi32>
      %52 = arith.cmpi slt, %50, %51 : tensor<64xi32>
      %53 = tt.expand_dims %52 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %54 = tt.broadcast %47 : tensor<128x1xi1> -> tensor<128x64xi1>
      %55 = tt.broadcast %53 : tensor<1x64xi1> -> tensor<128x64xi1>
      %56 = arith.andi %54, %55 : tensor<128x64xi1>
      %57 = arith.extsi %40 : i32 to i64
      %59 = arith.muli %57, %58 : i64
      %60 = arith.extsi %38 : i32 to i64
      %61 = arith.muli %60, %26 : i64
      %62 = arith.addi %59, %61 : i64
      %63 = tt.addptr %28, %62 : !tt.ptr<bf16>, i64
      %64 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %65 = tt.expand_dims %64 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %66 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %67 = tt.splat %41 : i32 -> tensor<64xi32>
      %68 = arith.muli %66, %67 : tensor<64xi32>
      %69 = tt.expand_dims %68 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %70 = tt.broadcast %65 : tensor<128x1xi32> -> tensor<128x64xi32>
      %71 = tt.broadcast %69 : tensor<1x64xi32> -> tensor<128x64xi32>
      %72 = arith.addi %70, %71 : tensor<128x64xi32>
      %73 = tt.splat %63 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %74 = tt.addptr %73, %72 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %75 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %76 = tt.splat %38 : i32 -> tensor<64xi32>
      %77 = arith.addi %76, %75 : tensor<64xi32>
      %78 = tt.splat %20 : i32 -> tensor<64xi32>
      %79 = arith.cmpi slt, %77, %78 : tensor<64xi32>
      %80 = tt.expand_dims %79 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %81 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %82 = tt.splat %33 : i32 -> tensor<128xi32>
      %83 = arith.addi %82, %81 : tensor<128xi32>
      %84 = tt.splat %34 : i32 -> tensor<128xi32>
      %85 = arith.cmpi slt, %83, %84 : tensor<128xi32>
      %86 = tt.expand_dims %85 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %87 = tt.broadcast %80 : tensor<64x1xi1> -> tensor<64x128xi1>
      %88 = tt.broadcast %86 : tensor<1x128xi1> -> tensor<64x128xi1>
      %89 = arith.andi %87, %88 : tensor<64x128xi1>
      %90 = arith.extsi %38 : i32 to i64
      %91 = arith.muli %90, %29 : i64
      %92 = arith.extsi %33 : i32 to i64
      %93 = arith.muli %92, %58 : i64
      %94 = arith.addi %91, %93 : i64
      %95 = tt.addptr %31, %94 : !tt.ptr<bf16>, i64
      %96 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %97 = tt.splat %34 : i32 -> tensor<64xi32>
      %98 = arith.muli %96, %97 : tensor<64xi32>
      %99 = tt.expand_dims %98 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %100 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %101 = tt.expand_dims %100 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %102 = tt.broadcast %99 : tensor<64x1xi32> -> tensor<64x128xi32>
      %103 = tt.broadcast %101 : tensor<1x128xi32> -> tensor<64x128xi32>
      %104 = arith.addi %102, %103 : tensor<64x128xi32>
      %105 = tt.splat %95 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %106 = tt.addptr %105, %104 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %108 = tt.splat %107 : bf16 -> tensor<128x64xbf16>
      %109 = tt.load %74, %56, %108 : tensor<128x64x!tt.ptr<bf16>>
      %110 = tt.splat %107 : bf16 -> tensor<64x128xbf16>
      %111 = tt.load %106, %89, %110 : tensor<64x128x!tt.ptr<bf16>>
      %112 = tt.dot %109, %111, %39, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
      scf.yield %112 : tensor<128x128xf32>
    }
    %114 = arith.extsi %16 : i32 to i64
    %116 = arith.muli %114, %115 : i64
    %117 = tt.addptr %result, %116 : !tt.ptr<f32>, i64
    %118 = arith.muli %14, %32 : i32
    %119 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %120 = tt.splat %118 : i32 -> tensor<128xi32>
    %121 = arith.addi %120, %119 : tensor<128xi32>
    %122 = tt.splat %41 : i32 -> tensor<128xi32>
    %123 = arith.cmpi slt, %121, %122 : tensor<128xi32>
    %124 = tt.expand_dims %123 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
    %125 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %126 = tt.splat %33 : i32 -> tensor<128xi32>
    %127 = arith.addi %126, %125 : tensor<128xi32>
    %128 = tt.splat %34 : i32 -> tensor<128xi32>
    %129 = arith.cmpi slt, %127, %128 : tensor<128xi32>
    %130 = tt.expand_dims %129 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
    %131 = tt.broadcast %124 : tensor<128x1xi1> -> tensor<128x128xi1>
    %132 = tt.broadcast %130 : tensor<1x128xi1> -> tensor<128x128xi1>
    %133 = arith.andi %131, %132 : tensor<128x128xi1>
    %134 = arith.extsi %118 : i32 to i64
    %135 = arith.muli %134, %29 : i64
    %136 = arith.extsi %33 : i32 to i64
    %137 = arith.muli %136, %58 : i64
    %138 = arith.addi %135, %137 : i64
    %139 = tt.addptr %117, %138 : !tt.ptr<f32>, i64
    %140 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %141 = tt.splat %34 : i32 -> tensor<128xi32>
    %142 = arith.muli %140, %141 : tensor<128xi32>
    %143 = tt.expand_dims %142 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %144 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %145 = tt.expand_dims %144 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %146 = tt.broadcast %143 : tensor<128x1xi32> -> tensor<128x128xi32>
    %147 = tt.broadcast %145 : tensor<1x128xi32> -> tensor<128x128xi32>
    %148 = arith.addi %146, %147 : tensor<128x128xi32>
    %149 = tt.splat %139 : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
    %150 = tt.addptr %149, %148 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    tt.store %150, %113, %133 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}
