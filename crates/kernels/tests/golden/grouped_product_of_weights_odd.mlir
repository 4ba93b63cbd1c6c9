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
    %104 = arith.constant 0.0e0 : bf16
    %112 = arith.constant 10575 : i64
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
    %110 = scf.for %38 = %36 to %20 step %37 iter_args(%39 = %35) -> (tensor<128x128xf32>) : i32 {
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
      %58 = arith.extsi %38 : i32 to i64
      %59 = arith.muli %58, %26 : i64
      %60 = arith.addi %57, %59 : i64
      %61 = tt.addptr %28, %60 : !tt.ptr<bf16>, i64
      %62 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %63 = tt.expand_dims %62 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %65 = tt.splat %41 : i32 -> tensor<64xi32>
      %66 = arith.muli %64, %65 : tensor<64xi32>
      %67 = tt.expand_dims %66 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %68 = tt.broadcast %63 : tensor<128x1xi32> -> tensor<128x64xi32>
      %69 = tt.broadcast %67 : tensor<1x64xi32> -> tensor<128x64xi32>
      %70 = arith.addi %68, %69 : tensor<128x64xi32>
      %71 = tt.splat %61 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %72 = tt.addptr %71, %70 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %73 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %74 = tt.splat %38 : i32 -> tensor<64xi32>
      %75 = arith.addi %74, %73 : tensor<64xi32>
      %76 = tt.splat %20 : i32 -> tensor<64xi32>
      %77 = arith.cmpi slt, %75, %76 : tensor<64xi32>
      %78 = tt.expand_dims %77 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %79 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %80 = tt.splat %33 : i32 -> tensor<128xi32>
      %81 = arith.addi %80, %79 : tensor<128xi32>
      %82 = tt.splat %34 : i32 -> tensor<128xi32>
      %83 = arith.cmpi slt, %81, %82 : tensor<128xi32>
      %84 = tt.expand_dims %83 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %85 = tt.broadcast %78 : tensor<64x1xi1> -> tensor<64x128xi1>
      %86 = tt.broadcast %84 : tensor<1x128xi1> -> tensor<64x128xi1>
      %87 = arith.andi %85, %86 : tensor<64x128xi1>
      %88 = arith.extsi %38 : i32 to i64
      %89 = arith.muli %88, %29 : i64
      %90 = arith.extsi %33 : i32 to i64
      %91 = arith.addi %89, %90 : i64
      %92 = tt.addptr %31, %91 : !tt.ptr<bf16>, i64
      %93 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %94 = tt.splat %34 : i32 -> tensor<64xi32>
      %95 = arith.muli %93, %94 : tensor<64xi32>
      %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %97 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %98 = tt.expand_dims %97 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %99 = tt.broadcast %96 : tensor<64x1xi32> -> tensor<64x128xi32>
      %100 = tt.broadcast %98 : tensor<1x128xi32> -> tensor<64x128xi32>
      %101 = arith.addi %99, %100 : tensor<64x128xi32>
      %102 = tt.splat %92 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %103 = tt.addptr %102, %101 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %105 = tt.splat %104 : bf16 -> tensor<128x64xbf16>
      %106 = tt.load %72, %56, %105 : tensor<128x64x!tt.ptr<bf16>>
      %107 = tt.splat %104 : bf16 -> tensor<64x128xbf16>
      %108 = tt.load %103, %87, %107 : tensor<64x128x!tt.ptr<bf16>>
      %109 = tt.dot %106, %108, %39, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
      scf.yield %109 : tensor<128x128xf32>
    }
    %111 = arith.extsi %16 : i32 to i64
    %113 = arith.muli %111, %112 : i64
    %114 = tt.addptr %result, %113 : !tt.ptr<f32>, i64
    %115 = arith.muli %14, %32 : i32
    %116 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %117 = tt.splat %115 : i32 -> tensor<128xi32>
    %118 = arith.addi %117, %116 : tensor<128xi32>
    %119 = tt.splat %41 : i32 -> tensor<128xi32>
    %120 = arith.cmpi slt, %118, %119 : tensor<128xi32>
    %121 = tt.expand_dims %120 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
    %122 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %123 = tt.splat %33 : i32 -> tensor<128xi32>
    %124 = arith.addi %123, %122 : tensor<128xi32>
    %125 = tt.splat %34 : i32 -> tensor<128xi32>
    %126 = arith.cmpi slt, %124, %125 : tensor<128xi32>
    %127 = tt.expand_dims %126 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
    %128 = tt.broadcast %121 : tensor<128x1xi1> -> tensor<128x128xi1>
    %129 = tt.broadcast %127 : tensor<1x128xi1> -> tensor<128x128xi1>
    %130 = arith.andi %128, %129 : tensor<128x128xi1>
    %131 = arith.extsi %115 : i32 to i64
    %132 = arith.muli %131, %29 : i64
    %133 = arith.extsi %33 : i32 to i64
    %134 = arith.addi %132, %133 : i64
    %135 = tt.addptr %114, %134 : !tt.ptr<f32>, i64
    %136 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %137 = tt.splat %34 : i32 -> tensor<128xi32>
    %138 = arith.muli %136, %137 : tensor<128xi32>
    %139 = tt.expand_dims %138 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %140 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %141 = tt.expand_dims %140 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %142 = tt.broadcast %139 : tensor<128x1xi32> -> tensor<128x128xi32>
    %143 = tt.broadcast %141 : tensor<1x128xi32> -> tensor<128x128xi32>
    %144 = arith.addi %142, %143 : tensor<128x128xi32>
    %145 = tt.splat %135 : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
    %146 = tt.addptr %145, %144 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    tt.store %146, %110, %130 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}
