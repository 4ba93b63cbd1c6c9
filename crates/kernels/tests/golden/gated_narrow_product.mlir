module {
  tt.func public @gated_narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 384 : i32
    %8 = arith.constant 300 : i32
    %11 = arith.constant 32 : i32
    %13 = arith.constant 100 : i32
    %14 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %15 = arith.constant 0 : i32
    %16 = arith.constant 10 : i32
    %17 = arith.constant 128 : i32
    %38 = arith.constant 300 : i64
    %84 = arith.constant 0.0e0 : bf16
    %126 = arith.constant dense<1.0e0> : tensor<32x16xf32>
    %129 = arith.constant 1.0e0 : f32
    %152 = arith.constant 100 : i64
    %4 = tt.get_program_id y : i32
    %6 = arith.muli %4, %5 : i32
    %7 = arith.addi %6, %5 : i32
    %9 = arith.minsi %7, %8 : i32
    %10 = tt.get_program_id x : i32
    %12 = arith.muli %10, %11 : i32
    %124:2 = scf.for %18 = %6 to %9 step %17 iter_args(%19 = %14, %20 = %14) -> (tensor<32x16xf32>, tensor<32x16xf32>) : i32 {
      %21 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %22 = tt.splat %18 : i32 -> tensor<128xi32>
      %23 = arith.addi %22, %21 : tensor<128xi32>
      %24 = tt.splat %8 : i32 -> tensor<128xi32>
      %25 = arith.cmpi slt, %23, %24 : tensor<128xi32>
      %26 = tt.expand_dims %25 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
      %27 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %28 = tt.splat %15 : i32 -> tensor<16xi32>
      %29 = arith.addi %28, %27 : tensor<16xi32>
      %30 = tt.splat %16 : i32 -> tensor<16xi32>
      %31 = arith.cmpi slt, %29, %30 : tensor<16xi32>
      %32 = tt.expand_dims %31 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
      %33 = tt.broadcast %26 : tensor<128x1xi1> -> tensor<128x16xi1>
      %34 = tt.broadcast %32 : tensor<1x16xi1> -> tensor<128x16xi1>
      %35 = arith.andi %33, %34 : tensor<128x16xi1>
      %36 = arith.extsi %18 : i32 to i64
      %37 = arith.extsi %15 : i32 to i64
      %39 = arith.muli %37, %38 : i64
      %40 = arith.addi %36, %39 : i64
      %41 = tt.addptr %x, %40 : !tt.ptr<bf16>, i64
      %42 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %43 = tt.expand_dims %42 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %44 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %45 = tt.splat %8 : i32 -> tensor<16xi32>
      %46 = arith.muli %44, %45 : tensor<16xi32>
      %47 = tt.expand_dims %46 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %48 = tt.broadcast %43 : tensor<128x1xi32> -> tensor<128x16xi32>
      %49 = tt.broadcast %47 : tensor<1x16xi32> -> tensor<128x16xi32>
      %50 = arith.addi %48, %49 : tensor<128x16xi32>
      %51 = tt.splat %41 : !tt.ptr<bf16> -> tensor<128x16x!tt.ptr<bf16>>
      %52 = tt.addptr %51, %50 : tensor<128x16x!tt.ptr<bf16>>, tensor<128x16xi32>
      %53 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %54 = tt.splat %12 : i32 -> tensor<32xi32>
      %55 = arith.addi %54, %53 : tensor<32xi32>
      %56 = tt.splat %13 : i32 -> tensor<32xi32>
      %57 = arith.cmpi slt, %55, %56 : tensor<32xi32>
      %58 = tt.expand_dims %57 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %59 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %60 = tt.splat %18 : i32 -> tensor<128xi32>
      %61 = arith.addi %60, %59 : tensor<128xi32>
      %62 = tt.splat %8 : i32 -> tensor<128xi32>
      %63 = arith.cmpi slt, %61, %62 : tensor<128xi32>
      %64 = tt.expand_dims %63 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %65 = tt.broadcast %58 : tensor<32x1xi1> -> tensor<32x128xi1>
      %66 = tt.broadcast %64 : tensor<1x128xi1> -> tensor<32x128xi1>
      %67 = arith.andi %65, %66 : tensor<32x128xi1>
      %68 = arith.extsi %12 : i32 to i64
      %69 = arith.muli %68, %38 : i64
      %70 = arith.extsi %18 : i32 to i64
      %71 = arith.addi %69, %70 : i64
      %72 = tt.addptr %weight, %71 : !tt.ptr<bf16>, i64
      %73 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %74 = tt.splat %8 : i32 -> tensor<32xi32>
      %75 = arith.muli %73, %74 : tensor<32xi32>
      %76 = tt.expand_dims %75 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %77 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %78 = tt.expand_dims %77 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %79 = tt.broadcast %76 : tensor<32x1xi32> -> tensor<32x128xi32>
      %80 = tt.broadcast %78 : tensor<1x128xi32> -> tensor<32x128xi32>
      %81 = arith.addi %79, %80 : tensor<32x128xi32>
      %82 = tt.splat %72 : !tt.ptr<bf16> -> tensor<32x128x!tt.ptr<bf16>>
      %83 = tt.addptr %82, %81 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
      %85 = tt.splat %84 : bf16 -> tensor<32x128xbf16>
      %86 = tt.load %83, %67, %85 : tensor<32x128x!tt.ptr<bf16>>
      %87 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %88 = tt.splat %12 : i32 -> tensor<32xi32>
      %89 = arith.addi %88, %87 : tensor<32xi32>
      %90 = tt.splat %13 : i32 -> tensor<32xi32>
      %91 = arith.cmpi slt, %89, %90 : tensor<32xi32>
      %92 = tt.expand_dims %91 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %93 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %94 = tt.splat %18 : i32 -> tensor<128xi32>
      %95 = arith.addi %94, %93 : tensor<128xi32>
      %96 = tt.splat %8 : i32 -> tensor<128xi32>
      %97 = arith.cmpi slt, %95, %96 : tensor<128xi32>
      %98 = tt.expand_dims %97 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %99 = tt.broadcast %92 : tensor<32x1xi1> -> tensor<32x128xi1>
      %100 = tt.broadcast %98 : tensor<1x128xi1> -> tensor<32x128xi1>
      %101 = arith.andi %99, %100 : tensor<32x128xi1>
      %102 = arith.extsi %12 : i32 to i64
      %103 = arith.muli %102, %38 : i64
      %104 = arith.extsi %18 : i32 to i64
      %105 = arith.addi %103, %104 : i64
      %106 = tt.addptr %second, %105 : !tt.ptr<bf16>, i64
      %107 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %108 = tt.splat %8 : i32 -> tensor<32xi32>
      %109 = arith.muli %107, %108 : tensor<32xi32>
      %110 = tt.expand_dims %109 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %111 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %112 = tt.expand_dims %111 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %113 = tt.broadcast %110 : tensor<32x1xi32> -> tensor<32x128xi32>
      %114 = tt.broadcast %112 : tensor<1x128xi32> -> tensor<32x128xi32>
      %115 = arith.addi %113, %114 : tensor<32x128xi32>
      %116 = tt.splat %106 : !tt.ptr<bf16> -> tensor<32x128x!tt.ptr<bf16>>
      %117 = tt.addptr %116, %115 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
      %118 = tt.splat %84 : bf16 -> tensor<32x128xbf16>
      %119 = tt.load %117, %101, %118 : tensor<32x128x!tt.ptr<bf16>>
      %120 = tt.splat %84 : bf16 -> tensor<128x16xbf16>
      %121 = tt.load %52, %35, %120 : tensor<128x16x!tt.ptr<bf16>>
      %122 = tt.dot %86, %121, %19, inputPrecision = tf32 : tensor<32x128xbf16> * tensor<128x16xbf16> -> tensor<32x16xf32>
      %123 = tt.dot %119, %121, %20, inputPrecision = tf32 : tensor<32x128xbf16> * tensor<128x16xbf16> -> tensor<32x16xf32>
      scf.yield %122, %123 : tensor<32x16xf32>, tensor<32x16xf32>
    }
    %127 = arith.negf %124#0 : tensor<32x16xf32>
    %128 = math.exp %127 : tensor<32x16xf32>
    %130 = tt.splat %129 : f32 -> tensor<32x16xf32>
    %131 = arith.addf %128, %130 : tensor<32x16xf32>
    %132 = arith.divf %126, %131 : tensor<32x16xf32>
    %133 = arith.mulf %124#0, %132 : tensor<32x16xf32>
    %134 = arith.mulf %133, %124#1 : tensor<32x16xf32>
    %135 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %136 = tt.splat %12 : i32 -> tensor<32xi32>
    %137 = arith.addi %136, %135 : tensor<32xi32>
    %138 = tt.splat %13 : i32 -> tensor<32xi32>
    %139 = arith.cmpi slt, %137, %138 : tensor<32xi32>
    %140 = tt.expand_dims %139 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %141 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %142 = tt.splat %15 : i32 -> tensor<16xi32>
    %143 = arith.addi %142, %141 : tensor<16xi32>
    %144 = tt.splat %16 : i32 -> tensor<16xi32>
    %145 = arith.cmpi slt, %143, %144 : tensor<16xi32>
    %146 = tt.expand_dims %145 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %147 = tt.broadcast %140 : tensor<32x1xi1> -> tensor<32x16xi1>
    %148 = tt.broadcast %146 : tensor<1x16xi1> -> tensor<32x16xi1>
    %149 = arith.andi %147, %148 : tensor<32x16xi1>
    %150 = arith.extsi %12 : i32 to i64
    %151 = arith.extsi %15 : i32 to i64
    %153 = arith.muli %151, %152 : i64
    %154 = arith.addi %150, %153 : i64
    %155 = tt.addptr %y, %154 : !tt.ptr<bf16>, i64
    %156 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %157 = tt.expand_dims %156 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %158 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %159 = tt.splat %13 : i32 -> tensor<16xi32>
    %160 = arith.muli %158, %159 : tensor<16xi32>
    %161 = tt.expand_dims %160 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %162 = tt.broadcast %157 : tensor<32x1xi32> -> tensor<32x16xi32>
    %163 = tt.broadcast %161 : tensor<1x16xi32> -> tensor<32x16xi32>
    %164 = arith.addi %162, %163 : tensor<32x16xi32>
    %165 = tt.splat %155 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %166 = tt.addptr %165, %164 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
    %167 = arith.truncf %134 : tensor<32x16xf32> to tensor<32x16xbf16>
    tt.store %166, %167, %149 : tensor<32x16x!tt.ptr<bf16>>
    tt.return
  }
}
