module {
  tt.func public @narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 4096 : i32
    %11 = arith.constant 8192 : i32
    %12 = arith.constant 128 : i32
    %17 = arith.constant 300 : i32
    %19 = arith.constant 64 : i32
    %21 = arith.constant dense<0.0e0> : tensor<64x16xf32>
    %22 = arith.constant 0 : i32
    %27 = arith.constant 4096 : i64
    %65 = arith.constant 0.0e0 : bf16
    %78 = arith.constant 131072 : i64
    %83 = arith.constant 8192 : i64
    %103 = arith.constant 5 : i32
    %108 = arith.constant 4800 : i64
    %119 = arith.constant 300 : i64
    %5 = tt.get_program_id y : i32
    %7 = arith.muli %5, %6 : i32
    %8 = arith.addi %7, %6 : i32
    %9 = arith.minsi %8, %6 : i32
    %10 = tt.get_program_id x : i32
    %13 = arith.cmpi sge, %10, %12 : i32
    %14 = arith.select %13, %second, %weight : !tt.ptr<bf16>
    %15 = arith.subi %10, %12 : i32
    %16 = arith.select %13, %15, %10 : i32
    %18 = arith.select %13, %17, %11 : i32
    %20 = arith.muli %16, %19 : i32
    %70 = scf.for %23 = %7 to %9 step %12 iter_args(%24 = %21) -> (tensor<64x16xf32>) : i32 {
      %25 = arith.extsi %23 : i32 to i64
      %26 = arith.extsi %22 : i32 to i64
      %28 = arith.muli %26, %27 : i64
      %29 = arith.addi %25, %28 : i64
      %30 = tt.addptr %x, %29 : !tt.ptr<bf16>, i64
      %31 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %33 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %34 = tt.splat %6 : i32 -> tensor<16xi32>
      %35 = arith.muli %33, %34 : tensor<16xi32>
      %36 = tt.expand_dims %35 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %37 = tt.broadcast %32 : tensor<128x1xi32> -> tensor<128x16xi32>
      %38 = tt.broadcast %36 : tensor<1x16xi32> -> tensor<128x16xi32>
      %39 = arith.addi %37, %38 : tensor<128x16xi32>
      %40 = tt.splat %30 : !tt.ptr<bf16> -> tensor<128x16x!tt.ptr<bf16>>
      %41 = tt.addptr %40, %39 : tensor<128x16x!tt.ptr<bf16>>, tensor<128x16xi32>
      %42 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %43 = tt.splat %20 : i32 -> tensor<64xi32>
      %44 = arith.addi %43, %42 : tensor<64xi32>
      %45 = tt.splat %18 : i32 -> tensor<64xi32>
      %46 = arith.cmpi slt, %44, %45 : tensor<64xi32>
      %47 = tt.expand_dims %46 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %48 = arith.extsi %20 : i32 to i64
      %49 = arith.muli %48, %27 : i64
      %50 = arith.extsi %23 : i32 to i64
      %51 = arith.addi %49, %50 : i64
      %52 = tt.addptr %14, %51 : !tt.ptr<bf16>, i64
      %53 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %54 = tt.splat %6 : i32 -> tensor<64xi32>
      %55 = arith.muli %53, %54 : tensor<64xi32>
      %56 = tt.expand_dims %55 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %57 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %58 = tt.expand_dims %57 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %59 = tt.broadcast %56 : tensor<64x1xi32> -> tensor<64x128xi32>
      %60 = tt.broadcast %58 : tensor<1x128xi32> -> tensor<64x128xi32>
      %61 = arith.addi %59, %60 : tensor<64x128xi32>
      %62 = tt.splat %52 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %63 = tt.addptr %62, %61 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %64 = tt.broadcast %47 : tensor<64x1xi1> -> tensor<64x128xi1>
      %66 = tt.splat %65 : bf16 -> tensor<64x128xbf16>
      %67 = tt.load %63, %64, %66 : tensor<64x128x!tt.ptr<bf16>>
      %68 = tt.load %41 : tensor<128x16x!tt.ptr<bf16>>
      %69 = tt.dot %67, %68, %24, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x16xbf16> -> tensor<64x16xf32>
      scf.yield %69 : tensor<64x16xf32>
    }
    %71 = tt.get_program_id x : i32
    %72 = arith.subi %71, %22 : i32
    %73 = arith.cmpi sge, %72, %22 : i32
    %74 = arith.cmpi slt, %72, %12 : i32
    %75 = arith.andi %73, %74 : i1
    %76 = arith.muli %72, %19 : i32
    %77 = arith.extsi %5 : i32 to i64
    %79 = arith.muli %77, %78 : i64
    %80 = tt.addptr %y, %79 : !tt.ptr<bf16>, i64
    %81 = arith.extsi %76 : i32 to i64
    %82 = arith.extsi %22 : i32 to i64
    %84 = arith.muli %82, %83 : i64
    %85 = arith.addi %81, %84 : i64
    %86 = tt.addptr %80, %85 : !tt.ptr<bf16>, i64
    %87 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %88 = tt.expand_dims %87 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %89 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %90 = tt.splat %11 : i32 -> tensor<16xi32>
    %91 = arith.muli %89, %90 : tensor<16xi32>
    %92 = tt.expand_dims %91 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %93 = tt.broadcast %88 : tensor<64x1xi32> -> tensor<64x16xi32>
    %94 = tt.broadcast %92 : tensor<1x16xi32> -> tensor<64x16xi32>
    %95 = arith.addi %93, %94 : tensor<64x16xi32>
    %96 = tt.splat %86 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %97 = tt.addptr %96, %95 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %98 = tt.splat %75 : i1 -> tensor<64x16xi1>
    %99 = arith.truncf %70 : tensor<64x16xf32> to tensor<64x16xbf16>
    tt.store %97, %99, %98 : tensor<64x16x!tt.ptr<bf16>>
    %100 = tt.get_program_id x : i32
    %101 = arith.subi %100, %12 : i32
    %102 = arith.cmpi sge, %101, %22 : i32
    %104 = arith.cmpi slt, %101, %103 : i32
    %105 = arith.andi %102, %104 : i1
    %106 = arith.muli %101, %19 : i32
    %107 = arith.extsi %5 : i32 to i64
    %109 = arith.muli %107, %108 : i64
    %110 = tt.addptr %y_second, %109 : !tt.ptr<bf16>, i64
    %111 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %112 = tt.splat %106 : i32 -> tensor<64xi32>
    %113 = arith.addi %112, %111 : tensor<64xi32>
    %114 = tt.splat %17 : i32 -> tensor<64xi32>
    %115 = arith.cmpi slt, %113, %114 : tensor<64xi32>
    %116 = tt.expand_dims %115 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %117 = arith.extsi %106 : i32 to i64
    %118 = arith.extsi %22 : i32 to i64
    %120 = arith.muli %118, %119 : i64
    %121 = arith.addi %117, %120 : i64
    %122 = tt.addptr %110, %121 : !tt.ptr<bf16>, i64
    %123 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %124 = tt.expand_dims %123 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %125 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %126 = tt.splat %17 : i32 -> tensor<16xi32>
    %127 = arith.muli %125, %126 : tensor<16xi32>
    %128 = tt.expand_dims %127 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %129 = tt.broadcast %124 : tensor<64x1xi32> -> tensor<64x16xi32>
    %130 = tt.broadcast %128 : tensor<1x16xi32> -> tensor<64x16xi32>
    %131 = arith.addi %129, %130 : tensor<64x16xi32>
    %132 = tt.splat %122 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %133 = tt.addptr %132, %131 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %134 = tt.splat %105 : i1 -> tensor<64x16xi1>
    %135 = tt.broadcast %116 : tensor<64x1xi1> -> tensor<64x16xi1>
    %136 = arith.andi %135, %134 : tensor<64x16xi1>
    %137 = arith.truncf %70 : tensor<64x16xf32> to tensor<64x16xbf16>
    tt.store %133, %137, %136 : tensor<64x16x!tt.ptr<bf16>>
    tt.return
  }
}
