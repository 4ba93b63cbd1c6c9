module {
  tt.func public @dual_scan_cotangents(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %shared: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %begin: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %end: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %10 = arith.constant 3 : i32
    %13 = arith.constant 32 : i32
    %18 = arith.constant 20 : i32
    %21 = arith.constant 57600 : i64
    %24 = arith.constant 6000 : i64
    %27 = arith.constant 6 : i64
    %31 = arith.constant 150 : i64
    %39 = arith.constant 1280 : i64
    %54 = arith.constant 0.0e0 : f32
    %58 = arith.constant 0 : i32
    %59 = arith.constant 1 : i32
    %62 = arith.constant 2 : i32
    %64 = arith.constant 64 : i32
    %69 = arith.constant 63 : i32
    %71 = arith.constant 149 : i32
    %73 = arith.constant 150 : i32
    %76 = arith.constant 23040 : i64
    %79 = arith.constant 6 : i32
    %82 = arith.constant 1280 : i32
    %123 = arith.constant 0xFF800000 : f32
    %127 = arith.constant 384 : i32
    %145 = arith.constant 0.0e0 : bf16
    %153 = arith.constant 40 : i32
    %7 = tt.get_program_id z : i32
    %8 = arith.extsi %7 : i32 to i64
    %9 = tt.get_program_id y : i32
    %11 = arith.divsi %9, %10 : i32
    %12 = tt.get_program_id x : i32
    %14 = arith.muli %12, %13 : i32
    %15 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %16 = tt.splat %14 : i32 -> tensor<32xi32>
    %17 = arith.addi %16, %15 : tensor<32xi32>
    %19 = tt.splat %18 : i32 -> tensor<32xi32>
    %20 = arith.cmpi slt, %17, %19 : tensor<32xi32>
    %22 = arith.muli %8, %21 : i64
    %23 = tt.addptr %given, %22 : !tt.ptr<bf16>, i64
    %25 = arith.muli %8, %24 : i64
    %26 = tt.addptr %shared, %25 : !tt.ptr<bf16>, i64
    %28 = arith.muli %8, %27 : i64
    %29 = arith.extsi %9 : i32 to i64
    %30 = arith.addi %28, %29 : i64
    %32 = arith.muli %30, %31 : i64
    %33 = tt.addptr %sums, %32 : !tt.ptr<f32>, i64
    %34 = arith.muli %8, %31 : i64
    %35 = tt.addptr %documents, %34 : !tt.ptr<i32>, i64
    %36 = arith.muli %8, %27 : i64
    %37 = arith.extsi %9 : i32 to i64
    %38 = arith.addi %36, %37 : i64
    %40 = arith.muli %38, %39 : i64
    %41 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %42 = tt.expand_dims %41 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %43 = tt.splat %18 : i32 -> tensor<64x1xi32>
    %44 = arith.muli %42, %43 : tensor<64x1xi32>
    %45 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %46 = tt.broadcast %44 : tensor<64x1xi32> -> tensor<64x32xi32>
    %47 = tt.broadcast %45 : tensor<1x32xi32> -> tensor<64x32xi32>
    %48 = arith.addi %46, %47 : tensor<64x32xi32>
    %49 = tt.addptr %begin, %40 : !tt.ptr<f32>, i64
    %50 = tt.splat %49 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %51 = tt.addptr %50, %48 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %52 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %53 = tt.broadcast %52 : tensor<1x32xi1> -> tensor<64x32xi1>
    %55 = tt.splat %54 : f32 -> tensor<64x32xf32>
    %56 = tt.load %51, %53, %55 : tensor<64x32x!tt.ptr<f32>>
    %57 = tt.trans %56 {order = array<i32: 1, 0>} : tensor<64x32xf32> -> tensor<32x64xf32>
    %182 = scf.for %60 = %58 to %10 step %59 iter_args(%61 = %57) -> (tensor<32x64xf32>) : i32 {
      %63 = arith.subi %62, %60 : i32
      %65 = arith.muli %63, %64 : i32
      %66 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %67 = tt.splat %65 : i32 -> tensor<64xi32>
      %68 = arith.addi %67, %66 : tensor<64xi32>
      %70 = arith.addi %65, %69 : i32
      %72 = arith.minsi %70, %71 : i32
      %74 = tt.splat %73 : i32 -> tensor<64xi32>
      %75 = arith.cmpi slt, %68, %74 : tensor<64xi32>
      %77 = arith.muli %8, %76 : i64
      %78 = tt.addptr %states, %77 : !tt.ptr<bf16>, i64
      %80 = arith.muli %63, %79 : i32
      %81 = arith.addi %80, %9 : i32
      %83 = arith.muli %81, %82 : i32
      %84 = tt.expand_dims %17 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %85 = tt.splat %64 : i32 -> tensor<32x1xi32>
      %86 = arith.muli %84, %85 : tensor<32x1xi32>
      %87 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %88 = tt.expand_dims %87 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %89 = tt.broadcast %86 : tensor<32x1xi32> -> tensor<32x64xi32>
      %90 = tt.broadcast %88 : tensor<1x64xi32> -> tensor<32x64xi32>
      %91 = arith.addi %89, %90 : tensor<32x64xi32>
      %92 = tt.addptr %78, %83 : !tt.ptr<bf16>, i32
      %93 = tt.splat %92 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %94 = tt.addptr %93, %91 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %95 = tt.expand_dims %20 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %96 = arith.truncf %61 : tensor<32x64xf32> to tensor<32x64xbf16>
      %97 = tt.broadcast %95 : tensor<32x1xi1> -> tensor<32x64xi1>
      tt.store %94, %96, %97 : tensor<32x64x!tt.ptr<bf16>>
      %98 = tt.addptr %35, %65 : !tt.ptr<i32>, i32
      %99 = tt.load %98 : !tt.ptr<i32>
      %100 = arith.subi %65, %59 : i32
      %101 = tt.addptr %35, %100 : !tt.ptr<i32>, i32
      %102 = arith.cmpi sgt, %65, %58 : i32
      %103 = tt.load %101, %102, %58 : !tt.ptr<i32>
      %104 = arith.cmpi eq, %99, %103 : i32
      %105 = arith.subi %58, %59 : i32
      %106 = arith.select %104, %99, %105 : i32
      %107 = tt.splat %71 : i32 -> tensor<64xi32>
      %108 = arith.minsi %68, %107 : tensor<64xi32>
      %109 = tt.splat %35 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
      %110 = tt.addptr %109, %108 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %111 = tt.load %110 : tensor<64x!tt.ptr<i32>>
      %112 = tt.addptr %35, %72 : !tt.ptr<i32>, i32
      %113 = tt.load %112 : !tt.ptr<i32>
      %114 = tt.splat %71 : i32 -> tensor<64xi32>
      %115 = arith.minsi %68, %114 : tensor<64xi32>
      %116 = tt.splat %33 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %117 = tt.addptr %116, %115 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %118 = tt.load %117 : tensor<64x!tt.ptr<f32>>
      %119 = tt.addptr %33, %72 : !tt.ptr<f32>, i32
      %120 = tt.load %119 : !tt.ptr<f32>
      %121 = tt.splat %106 : i32 -> tensor<64xi32>
      %122 = arith.cmpi eq, %111, %121 : tensor<64xi32>
      %124 = tt.splat %123 : f32 -> tensor<64xf32>
      %125 = arith.select %122, %118, %124 : tensor<64xi1>, tensor<64xf32>
      %126 = math.exp2 %125 : tensor<64xf32>
      %128 = arith.muli %65, %127 : i32
      %129 = tt.addptr %23, %128 : !tt.ptr<bf16>, i32
      %130 = arith.muli %9, %64 : i32
      %131 = tt.addptr %129, %130 : !tt.ptr<bf16>, i32
      %132 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %133 = tt.expand_dims %132 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %134 = tt.splat %127 : i32 -> tensor<64x1xi32>
      %135 = arith.muli %133, %134 : tensor<64x1xi32>
      %136 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %137 = tt.expand_dims %136 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %138 = tt.broadcast %135 : tensor<64x1xi32> -> tensor<64x64xi32>
      %139 = tt.broadcast %137 : tensor<1x64xi32> -> tensor<64x64xi32>
      %140 = arith.addi %138, %139 : tensor<64x64xi32>
      %141 = tt.splat %131 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %142 = tt.addptr %141, %140 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %143 = tt.expand_dims %75 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %144 = tt.broadcast %143 : tensor<64x1xi1> -> tensor<64x64xi1>
      %146 = tt.splat %145 : bf16 -> tensor<64x64xbf16>
      %147 = tt.load %142, %144, %146 : tensor<64x64x!tt.ptr<bf16>>
      %148 = arith.extf %147 : tensor<64x64xbf16> to tensor<64x64xf32>
      %149 = tt.expand_dims %126 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %150 = tt.broadcast %149 : tensor<64x1xf32> -> tensor<64x64xf32>
      %151 = arith.mulf %148, %150 : tensor<64x64xf32>
      %152 = arith.truncf %151 : tensor<64x64xf32> to tensor<64x64xbf16>
      %154 = arith.muli %65, %153 : i32
      %155 = tt.addptr %26, %154 : !tt.ptr<bf16>, i32
      %156 = arith.muli %11, %18 : i32
      %157 = tt.addptr %155, %156 : !tt.ptr<bf16>, i32
      %158 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %159 = tt.expand_dims %158 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %160 = tt.splat %153 : i32 -> tensor<64x1xi32>
      %161 = arith.muli %159, %160 : tensor<64x1xi32>
      %162 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %163 = tt.broadcast %161 : tensor<64x1xi32> -> tensor<64x32xi32>
      %164 = tt.broadcast %162 : tensor<1x32xi32> -> tensor<64x32xi32>
      %165 = arith.addi %163, %164 : tensor<64x32xi32>
      %166 = tt.splat %157 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
      %167 = tt.addptr %166, %165 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %168 = tt.expand_dims %75 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %169 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %170 = tt.broadcast %168 : tensor<64x1xi1> -> tensor<64x32xi1>
      %171 = tt.broadcast %169 : tensor<1x32xi1> -> tensor<64x32xi1>
      %172 = arith.andi %170, %171 : tensor<64x32xi1>
      %173 = tt.splat %145 : bf16 -> tensor<64x32xbf16>
      %174 = tt.load %167, %172, %173 : tensor<64x32x!tt.ptr<bf16>>
      %175 = tt.trans %174 {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
      %176 = arith.cmpi eq, %106, %113 : i32
      %177 = math.exp2 %120 : f32
      %178 = arith.select %176, %177, %54 : f32
      %179 = tt.splat %178 : f32 -> tensor<32x64xf32>
      %180 = arith.mulf %61, %179 : tensor<32x64xf32>
      %181 = tt.dot %175, %152, %180, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x64xbf16> -> tensor<32x64xf32>
      scf.yield %181 : tensor<32x64xf32>
    }
    %183 = arith.muli %8, %27 : i64
    %184 = arith.extsi %9 : i32 to i64
    %185 = arith.addi %183, %184 : i64
    %186 = arith.muli %185, %39 : i64
    %187 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %188 = tt.expand_dims %187 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %189 = tt.splat %18 : i32 -> tensor<64x1xi32>
    %190 = arith.muli %188, %189 : tensor<64x1xi32>
    %191 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %192 = tt.broadcast %190 : tensor<64x1xi32> -> tensor<64x32xi32>
    %193 = tt.broadcast %191 : tensor<1x32xi32> -> tensor<64x32xi32>
    %194 = arith.addi %192, %193 : tensor<64x32xi32>
    %195 = tt.addptr %end, %186 : !tt.ptr<f32>, i64
    %196 = tt.splat %195 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %197 = tt.addptr %196, %194 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %198 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %199 = tt.trans %182 {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
    %200 = tt.broadcast %198 : tensor<1x32xi1> -> tensor<64x32xi1>
    tt.store %197, %199, %200 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_gradients(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %before: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %behind: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dy: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %dx: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dwidths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %drates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dscores: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %17 = arith.constant 64 : i32
    %22 = arith.constant 63 : i32
    %24 = arith.constant 149 : i32
    %26 = arith.constant 150 : i32
    %30 = arith.constant 3 : i32
    %33 = arith.constant 1 : i32
    %41 = arith.constant 150 : i64
    %48 = arith.constant 0 : i32
    %61 = arith.constant 57600 : i64
    %68 = arith.constant 900 : i64
    %74 = arith.constant 20 : i32
    %77 = arith.constant 6000 : i64
    %80 = arith.constant 40 : i32
    %100 = arith.constant 0.0e0 : bf16
    %126 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %139 = arith.constant 6 : i64
    %159 = arith.constant 0.0e0 : f32
    %162 = arith.constant 384 : i32
    %203 = arith.constant 23040 : i64
    %206 = arith.constant 6 : i32
    %209 = arith.constant 1280 : i32
    %267 = arith.constant 0xFF800000 : f32
    %379 = arith.constant 18 : i64
    %393 = arith.constant 2 : i64
    %396 = arith.constant 3 : i64
    %404 = arith.constant 4096 : i64
    %14 = tt.get_program_id z : i32
    %15 = arith.extsi %14 : i32 to i64
    %16 = tt.get_program_id x : i32
    %18 = arith.muli %16, %17 : i32
    %19 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %20 = tt.splat %18 : i32 -> tensor<64xi32>
    %21 = arith.addi %20, %19 : tensor<64xi32>
    %23 = arith.addi %18, %22 : i32
    %25 = arith.minsi %23, %24 : i32
    %27 = tt.splat %26 : i32 -> tensor<64xi32>
    %28 = arith.cmpi slt, %21, %27 : tensor<64xi32>
    %29 = tt.get_program_id y : i32
    %31 = arith.divsi %29, %30 : i32
    %32 = arith.remsi %29, %30 : i32
    %34 = arith.muli %32, %33 : i32
    %35 = arith.muli %32, %33 : i32
    %36 = arith.addi %35, %33 : i32
    %37 = arith.minsi %36, %30 : i32
    %38 = arith.muli %31, %30 : i32
    %39 = arith.addi %38, %34 : i32
    %40 = arith.addi %38, %37 : i32
    %42 = arith.muli %15, %41 : i64
    %43 = tt.addptr %documents, %42 : !tt.ptr<i32>, i64
    %44 = tt.addptr %43, %18 : !tt.ptr<i32>, i32
    %45 = tt.load %44 : !tt.ptr<i32>
    %46 = arith.subi %18, %33 : i32
    %47 = tt.addptr %43, %46 : !tt.ptr<i32>, i32
    %49 = arith.cmpi sgt, %18, %48 : i32
    %50 = tt.load %47, %49, %48 : !tt.ptr<i32>
    %51 = arith.cmpi eq, %45, %50 : i32
    %52 = arith.subi %48, %33 : i32
    %53 = arith.select %51, %45, %52 : i32
    %54 = tt.splat %24 : i32 -> tensor<64xi32>
    %55 = arith.minsi %21, %54 : tensor<64xi32>
    %56 = tt.splat %43 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %57 = tt.addptr %56, %55 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %58 = tt.load %57 : tensor<64x!tt.ptr<i32>>
    %59 = tt.addptr %43, %25 : !tt.ptr<i32>, i32
    %60 = tt.load %59 : !tt.ptr<i32>
    %62 = arith.muli %15, %61 : i64
    %63 = tt.addptr %x, %62 : !tt.ptr<bf16>, i64
    %64 = arith.muli %15, %61 : i64
    %65 = tt.addptr %dy, %64 : !tt.ptr<bf16>, i64
    %66 = arith.muli %15, %61 : i64
    %67 = tt.addptr %dx, %66 : !tt.ptr<bf16>, i64
    %69 = arith.muli %15, %68 : i64
    %70 = tt.addptr %dwidths, %69 : !tt.ptr<f32>, i64
    %71 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %72 = tt.splat %48 : i32 -> tensor<32xi32>
    %73 = arith.addi %72, %71 : tensor<32xi32>
    %75 = tt.splat %74 : i32 -> tensor<32xi32>
    %76 = arith.cmpi slt, %73, %75 : tensor<32xi32>
    %78 = arith.muli %15, %77 : i64
    %79 = tt.addptr %b, %78 : !tt.ptr<bf16>, i64
    %81 = arith.muli %18, %80 : i32
    %82 = tt.addptr %79, %81 : !tt.ptr<bf16>, i32
    %83 = arith.muli %31, %74 : i32
    %84 = tt.addptr %82, %83 : !tt.ptr<bf16>, i32
    %85 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %86 = tt.expand_dims %85 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %87 = tt.splat %80 : i32 -> tensor<64x1xi32>
    %88 = arith.muli %86, %87 : tensor<64x1xi32>
    %89 = tt.expand_dims %73 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %90 = tt.broadcast %88 : tensor<64x1xi32> -> tensor<64x32xi32>
    %91 = tt.broadcast %89 : tensor<1x32xi32> -> tensor<64x32xi32>
    %92 = arith.addi %90, %91 : tensor<64x32xi32>
    %93 = tt.splat %84 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %94 = tt.addptr %93, %92 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %95 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %96 = tt.expand_dims %76 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %97 = tt.broadcast %95 : tensor<64x1xi1> -> tensor<64x32xi1>
    %98 = tt.broadcast %96 : tensor<1x32xi1> -> tensor<64x32xi1>
    %99 = arith.andi %97, %98 : tensor<64x32xi1>
    %101 = tt.splat %100 : bf16 -> tensor<64x32xbf16>
    %102 = tt.load %94, %99, %101 : tensor<64x32x!tt.ptr<bf16>>
    %103 = arith.muli %15, %77 : i64
    %104 = tt.addptr %c, %103 : !tt.ptr<bf16>, i64
    %105 = arith.muli %18, %80 : i32
    %106 = tt.addptr %104, %105 : !tt.ptr<bf16>, i32
    %107 = arith.muli %31, %74 : i32
    %108 = tt.addptr %106, %107 : !tt.ptr<bf16>, i32
    %109 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %110 = tt.expand_dims %109 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %111 = tt.splat %80 : i32 -> tensor<64x1xi32>
    %112 = arith.muli %110, %111 : tensor<64x1xi32>
    %113 = tt.expand_dims %73 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %114 = tt.broadcast %112 : tensor<64x1xi32> -> tensor<64x32xi32>
    %115 = tt.broadcast %113 : tensor<1x32xi32> -> tensor<64x32xi32>
    %116 = arith.addi %114, %115 : tensor<64x32xi32>
    %117 = tt.splat %108 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %118 = tt.addptr %117, %116 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %119 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %120 = tt.expand_dims %76 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %121 = tt.broadcast %119 : tensor<64x1xi1> -> tensor<64x32xi1>
    %122 = tt.broadcast %120 : tensor<1x32xi1> -> tensor<64x32xi1>
    %123 = arith.andi %121, %122 : tensor<64x32xi1>
    %124 = tt.splat %100 : bf16 -> tensor<64x32xbf16>
    %125 = tt.load %118, %123, %124 : tensor<64x32x!tt.ptr<bf16>>
    %127 = tt.trans %125 {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
    %128 = tt.dot %102, %127, %126, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
    %129 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %130 = tt.expand_dims %129 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %131 = tt.expand_dims %129 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %132 = tt.broadcast %130 : tensor<64x1xi32> -> tensor<64x64xi32>
    %133 = tt.broadcast %131 : tensor<1x64xi32> -> tensor<64x64xi32>
    %134 = arith.cmpi sge, %132, %133 : tensor<64x64xi32>
    %135 = arith.uitofp %134 : tensor<64x64xi1> to tensor<64x64xf32>
    %136 = arith.truncf %135 : tensor<64x64xf32> to tensor<64x64xbf16>
    %391 = scf.for %137 = %39 to %40 step %33 iter_args(%138 = %126) -> (tensor<64x64xf32>) : i32 {
      %140 = arith.muli %15, %139 : i64
      %141 = arith.extsi %137 : i32 to i64
      %142 = arith.addi %140, %141 : i64
      %143 = arith.muli %142, %41 : i64
      %144 = tt.addptr %sums, %143 : !tt.ptr<f32>, i64
      %145 = tt.splat %24 : i32 -> tensor<64xi32>
      %146 = arith.minsi %21, %145 : tensor<64xi32>
      %147 = tt.splat %144 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %148 = tt.addptr %147, %146 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %149 = tt.load %148 : tensor<64x!tt.ptr<f32>>
      %150 = tt.addptr %144, %25 : !tt.ptr<f32>, i32
      %151 = tt.load %150 : !tt.ptr<f32>
      %152 = arith.muli %15, %139 : i64
      %153 = arith.extsi %137 : i32 to i64
      %154 = arith.addi %152, %153 : i64
      %155 = arith.muli %154, %41 : i64
      %156 = tt.addptr %widths, %155 : !tt.ptr<f32>, i64
      %157 = tt.splat %156 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %158 = tt.addptr %157, %21 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %160 = tt.splat %159 : f32 -> tensor<64xf32>
      %161 = tt.load %158, %28, %160 : tensor<64x!tt.ptr<f32>>
      %163 = arith.muli %18, %162 : i32
      %164 = tt.addptr %63, %163 : !tt.ptr<bf16>, i32
      %165 = arith.muli %137, %17 : i32
      %166 = tt.addptr %164, %165 : !tt.ptr<bf16>, i32
      %167 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %168 = tt.expand_dims %167 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %169 = tt.splat %162 : i32 -> tensor<64x1xi32>
      %170 = arith.muli %168, %169 : tensor<64x1xi32>
      %171 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %172 = tt.expand_dims %171 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %173 = tt.broadcast %170 : tensor<64x1xi32> -> tensor<64x64xi32>
      %174 = tt.broadcast %172 : tensor<1x64xi32> -> tensor<64x64xi32>
      %175 = arith.addi %173, %174 : tensor<64x64xi32>
      %176 = tt.splat %166 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %177 = tt.addptr %176, %175 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %178 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %179 = tt.broadcast %178 : tensor<64x1xi1> -> tensor<64x64xi1>
      %180 = tt.splat %100 : bf16 -> tensor<64x64xbf16>
      %181 = tt.load %177, %179, %180 : tensor<64x64x!tt.ptr<bf16>>
      %182 = arith.muli %18, %162 : i32
      %183 = tt.addptr %65, %182 : !tt.ptr<bf16>, i32
      %184 = arith.muli %137, %17 : i32
      %185 = tt.addptr %183, %184 : !tt.ptr<bf16>, i32
      %186 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %187 = tt.expand_dims %186 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %188 = tt.splat %162 : i32 -> tensor<64x1xi32>
      %189 = arith.muli %187, %188 : tensor<64x1xi32>
      %190 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %191 = tt.expand_dims %190 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %192 = tt.broadcast %189 : tensor<64x1xi32> -> tensor<64x64xi32>
      %193 = tt.broadcast %191 : tensor<1x64xi32> -> tensor<64x64xi32>
      %194 = arith.addi %192, %193 : tensor<64x64xi32>
      %195 = tt.splat %185 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %196 = tt.addptr %195, %194 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %197 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %198 = tt.broadcast %197 : tensor<64x1xi1> -> tensor<64x64xi1>
      %199 = tt.splat %100 : bf16 -> tensor<64x64xbf16>
      %200 = tt.load %196, %198, %199 : tensor<64x64x!tt.ptr<bf16>>
      %201 = arith.extf %181 : tensor<64x64xbf16> to tensor<64x64xf32>
      %202 = arith.extf %200 : tensor<64x64xbf16> to tensor<64x64xf32>
      %204 = arith.muli %15, %203 : i64
      %205 = tt.addptr %before, %204 : !tt.ptr<bf16>, i64
      %207 = arith.muli %16, %206 : i32
      %208 = arith.addi %207, %137 : i32
      %210 = arith.muli %208, %209 : i32
      %211 = tt.expand_dims %73 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %212 = tt.splat %17 : i32 -> tensor<32x1xi32>
      %213 = arith.muli %211, %212 : tensor<32x1xi32>
      %214 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %215 = tt.expand_dims %214 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %216 = tt.broadcast %213 : tensor<32x1xi32> -> tensor<32x64xi32>
      %217 = tt.broadcast %215 : tensor<1x64xi32> -> tensor<32x64xi32>
      %218 = arith.addi %216, %217 : tensor<32x64xi32>
      %219 = tt.addptr %205, %210 : !tt.ptr<bf16>, i32
      %220 = tt.splat %219 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %221 = tt.addptr %220, %218 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %222 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %223 = tt.broadcast %222 : tensor<32x1xi1> -> tensor<32x64xi1>
      %224 = tt.splat %100 : bf16 -> tensor<32x64xbf16>
      %225 = tt.load %221, %223, %224 : tensor<32x64x!tt.ptr<bf16>>
      %226 = arith.muli %15, %203 : i64
      %227 = tt.addptr %behind, %226 : !tt.ptr<bf16>, i64
      %228 = arith.muli %16, %206 : i32
      %229 = arith.addi %228, %137 : i32
      %230 = arith.muli %229, %209 : i32
      %231 = tt.expand_dims %73 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %232 = tt.splat %17 : i32 -> tensor<32x1xi32>
      %233 = arith.muli %231, %232 : tensor<32x1xi32>
      %234 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %235 = tt.expand_dims %234 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %236 = tt.broadcast %233 : tensor<32x1xi32> -> tensor<32x64xi32>
      %237 = tt.broadcast %235 : tensor<1x64xi32> -> tensor<32x64xi32>
      %238 = arith.addi %236, %237 : tensor<32x64xi32>
      %239 = tt.addptr %227, %230 : !tt.ptr<bf16>, i32
      %240 = tt.splat %239 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %241 = tt.addptr %240, %238 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %242 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %243 = tt.broadcast %242 : tensor<32x1xi1> -> tensor<32x64xi1>
      %244 = tt.splat %100 : bf16 -> tensor<32x64xbf16>
      %245 = tt.load %241, %243, %244 : tensor<32x64x!tt.ptr<bf16>>
      %246 = arith.extf %225 : tensor<32x64xbf16> to tensor<32x64xf32>
      %247 = arith.extf %245 : tensor<32x64xbf16> to tensor<32x64xf32>
      %248 = arith.mulf %246, %247 : tensor<32x64xf32>
      %249 = tt.dot %102, %245, %126, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %250 = tt.dot %125, %225, %126, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %254 = "tt.reduce"(%248) <{axis = 1 : i32}> ({
      ^bb0(%251: f32, %252: f32):
        %253 = arith.addf %251, %252 : f32
        tt.reduce.return %253 : f32
      }) : (tensor<32x64xf32>) -> (tensor<32xf32>)
      %258 = "tt.reduce"(%254) <{axis = 0 : i32}> ({
      ^bb0(%255: f32, %256: f32):
        %257 = arith.addf %255, %256 : f32
        tt.reduce.return %257 : f32
      }) : (tensor<32xf32>) -> (f32)
      %259 = arith.addf %159, %258 : f32
      %260 = arith.mulf %202, %250 : tensor<64x64xf32>
      %264 = "tt.reduce"(%260) <{axis = 1 : i32}> ({
      ^bb0(%261: f32, %262: f32):
        %263 = arith.addf %261, %262 : f32
        tt.reduce.return %263 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %265 = tt.splat %53 : i32 -> tensor<64xi32>
      %266 = arith.cmpi eq, %58, %265 : tensor<64xi32>
      %268 = tt.splat %267 : f32 -> tensor<64xf32>
      %269 = arith.select %266, %149, %268 : tensor<64xi1>, tensor<64xf32>
      %270 = math.exp2 %269 : tensor<64xf32>
      %271 = arith.mulf %264, %270 : tensor<64xf32>
      %272 = tt.splat %60 : i32 -> tensor<64xi32>
      %273 = arith.cmpi eq, %58, %272 : tensor<64xi32>
      %274 = tt.splat %151 : f32 -> tensor<64xf32>
      %275 = arith.subf %274, %149 : tensor<64xf32>
      %276 = tt.splat %267 : f32 -> tensor<64xf32>
      %277 = arith.select %273, %275, %276 : tensor<64xi1>, tensor<64xf32>
      %278 = math.exp2 %277 : tensor<64xf32>
      %279 = tt.expand_dims %278 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %280 = tt.broadcast %279 : tensor<64x1xf32> -> tensor<64x64xf32>
      %281 = arith.mulf %249, %280 : tensor<64x64xf32>
      %282 = arith.mulf %201, %281 : tensor<64x64xf32>
      %286 = "tt.reduce"(%282) <{axis = 1 : i32}> ({
      ^bb0(%283: f32, %284: f32):
        %285 = arith.addf %283, %284 : f32
        tt.reduce.return %285 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %287 = arith.mulf %286, %161 : tensor<64xf32>
      %288 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %289 = tt.expand_dims %288 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %290 = tt.expand_dims %288 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %291 = tt.expand_dims %149 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %292 = tt.expand_dims %149 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %293 = tt.broadcast %289 : tensor<64x1xi32> -> tensor<64x64xi32>
      %294 = tt.broadcast %290 : tensor<1x64xi32> -> tensor<64x64xi32>
      %295 = arith.cmpi sle, %293, %294 : tensor<64x64xi32>
      %296 = tt.expand_dims %58 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %297 = tt.expand_dims %58 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %298 = tt.broadcast %296 : tensor<64x1xi32> -> tensor<64x64xi32>
      %299 = tt.broadcast %297 : tensor<1x64xi32> -> tensor<64x64xi32>
      %300 = arith.cmpi eq, %298, %299 : tensor<64x64xi32>
      %301 = arith.andi %295, %300 : tensor<64x64xi1>
      %302 = tt.broadcast %292 : tensor<1x64xf32> -> tensor<64x64xf32>
      %303 = tt.broadcast %291 : tensor<64x1xf32> -> tensor<64x64xf32>
      %304 = arith.subf %302, %303 : tensor<64x64xf32>
      %305 = tt.splat %267 : f32 -> tensor<64x64xf32>
      %306 = arith.select %301, %304, %305 : tensor<64x64xi1>, tensor<64x64xf32>
      %307 = math.exp2 %306 : tensor<64x64xf32>
      %308 = arith.mulf %128, %307 : tensor<64x64xf32>
      %309 = arith.truncf %308 : tensor<64x64xf32> to tensor<64x64xbf16>
      %310 = tt.dot %309, %200, %281, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %311 = tt.expand_dims %161 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %312 = tt.broadcast %311 : tensor<64x1xf32> -> tensor<64x64xf32>
      %313 = arith.mulf %310, %312 : tensor<64x64xf32>
      %314 = arith.muli %18, %162 : i32
      %315 = tt.addptr %67, %314 : !tt.ptr<bf16>, i32
      %316 = arith.muli %137, %17 : i32
      %317 = tt.addptr %315, %316 : !tt.ptr<bf16>, i32
      %318 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %319 = tt.expand_dims %318 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %320 = tt.splat %162 : i32 -> tensor<64x1xi32>
      %321 = arith.muli %319, %320 : tensor<64x1xi32>
      %322 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %323 = tt.expand_dims %322 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %324 = tt.broadcast %321 : tensor<64x1xi32> -> tensor<64x64xi32>
      %325 = tt.broadcast %323 : tensor<1x64xi32> -> tensor<64x64xi32>
      %326 = arith.addi %324, %325 : tensor<64x64xi32>
      %327 = tt.splat %317 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %328 = tt.addptr %327, %326 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %329 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %330 = arith.truncf %313 : tensor<64x64xf32> to tensor<64x64xbf16>
      %331 = tt.broadcast %329 : tensor<64x1xi1> -> tensor<64x64xi1>
      tt.store %328, %330, %331 : tensor<64x64x!tt.ptr<bf16>>
      %332 = arith.mulf %201, %310 : tensor<64x64xf32>
      %336 = "tt.reduce"(%332) <{axis = 1 : i32}> ({
      ^bb0(%333: f32, %334: f32):
        %335 = arith.addf %333, %334 : f32
        tt.reduce.return %335 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %337 = tt.trans %200 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %338 = tt.dot %181, %337, %126, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %339 = arith.mulf %338, %307 : tensor<64x64xf32>
      %340 = tt.expand_dims %161 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %341 = tt.broadcast %340 : tensor<64x1xf32> -> tensor<64x64xf32>
      %342 = arith.mulf %339, %341 : tensor<64x64xf32>
      %343 = arith.mulf %342, %128 : tensor<64x64xf32>
      %344 = arith.truncf %343 : tensor<64x64xf32> to tensor<64x64xbf16>
      %345 = tt.dot %344, %136, %126, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %346 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %347 = tt.expand_dims %346 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %348 = tt.expand_dims %346 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %349 = tt.broadcast %347 : tensor<64x1xi32> -> tensor<64x64xi32>
      %350 = tt.broadcast %348 : tensor<1x64xi32> -> tensor<64x64xi32>
      %351 = arith.cmpi slt, %349, %350 : tensor<64x64xi32>
      %352 = tt.expand_dims %287 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %353 = tt.broadcast %352 : tensor<64x1xf32> -> tensor<64x64xf32>
      %354 = arith.addf %345, %353 : tensor<64x64xf32>
      %355 = tt.expand_dims %271 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %356 = tt.broadcast %355 : tensor<64x1xf32> -> tensor<64x64xf32>
      %357 = arith.select %351, %354, %356 : tensor<64x64xi1>, tensor<64x64xf32>
      %361 = "tt.reduce"(%357) <{axis = 0 : i32}> ({
      ^bb0(%358: f32, %359: f32):
        %360 = arith.addf %358, %359 : f32
        tt.reduce.return %360 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %362 = arith.cmpi eq, %53, %60 : i32
      %363 = math.exp2 %151 : f32
      %364 = arith.select %362, %363, %159 : f32
      %365 = arith.mulf %259, %364 : f32
      %366 = tt.splat %365 : f32 -> tensor<64xf32>
      %367 = arith.addf %361, %366 : tensor<64xf32>
      %368 = tt.addptr %rates, %137 : !tt.ptr<f32>, i32
      %369 = tt.load %368 : !tt.ptr<f32>
      %370 = tt.splat %369 : f32 -> tensor<64xf32>
      %371 = arith.mulf %367, %370 : tensor<64xf32>
      %372 = arith.addf %336, %371 : tensor<64xf32>
      %373 = tt.splat %206 : i32 -> tensor<64xi32>
      %374 = arith.muli %21, %373 : tensor<64xi32>
      %375 = tt.splat %137 : i32 -> tensor<64xi32>
      %376 = arith.addi %374, %375 : tensor<64xi32>
      %377 = tt.splat %70 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %378 = tt.addptr %377, %376 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      tt.store %378, %372, %28 : tensor<64x!tt.ptr<f32>>
      %380 = arith.muli %15, %379 : i64
      %381 = tt.addptr %drates, %380 : !tt.ptr<f32>, i64
      %382 = arith.muli %16, %206 : i32
      %383 = arith.addi %382, %137 : i32
      %384 = tt.addptr %381, %383 : !tt.ptr<f32>, i32
      %385 = arith.mulf %367, %161 : tensor<64xf32>
      %389 = "tt.reduce"(%385) <{axis = 0 : i32}> ({
      ^bb0(%386: f32, %387: f32):
        %388 = arith.addf %386, %387 : f32
        tt.reduce.return %388 : f32
      }) : (tensor<64xf32>) -> (f32)
      tt.store %384, %389 : !tt.ptr<f32>
      %390 = arith.addf %138, %342 : tensor<64x64xf32>
      scf.yield %390 : tensor<64x64xf32>
    }
    %392 = arith.extsi %32 : i32 to i64
    %394 = arith.muli %392, %393 : i64
    %395 = arith.addi %394, %15 : i64
    %397 = arith.muli %395, %396 : i64
    %398 = arith.extsi %16 : i32 to i64
    %399 = arith.addi %397, %398 : i64
    %400 = arith.muli %399, %393 : i64
    %401 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %402 = arith.extsi %31 : i32 to i64
    %403 = arith.addi %400, %402 : i64
    %405 = arith.muli %403, %404 : i64
    %406 = tt.addptr %dscores, %405 : !tt.ptr<bf16>, i64
    %407 = tt.expand_dims %401 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %408 = tt.splat %17 : i32 -> tensor<64x1xi32>
    %409 = arith.muli %407, %408 : tensor<64x1xi32>
    %410 = tt.expand_dims %401 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %411 = tt.broadcast %409 : tensor<64x1xi32> -> tensor<64x64xi32>
    %412 = tt.broadcast %410 : tensor<1x64xi32> -> tensor<64x64xi32>
    %413 = arith.addi %411, %412 : tensor<64x64xi32>
    %414 = tt.splat %406 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %415 = tt.addptr %414, %413 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %416 = arith.truncf %391 : tensor<64x64xf32> to tensor<64x64xbf16>
    tt.store %415, %416 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_gradient_b(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dscores: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %other: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %result: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %11 = arith.constant 64 : i32
    %16 = arith.constant 63 : i32
    %18 = arith.constant 149 : i32
    %20 = arith.constant 150 : i32
    %24 = arith.constant 3 : i32
    %27 = arith.constant 1 : i32
    %35 = arith.constant 150 : i64
    %42 = arith.constant 0 : i32
    %55 = arith.constant 57600 : i64
    %61 = arith.constant 20 : i32
    %64 = arith.constant dense<0.0e0> : tensor<64x32xf32>
    %67 = arith.constant 6 : i64
    %84 = arith.constant 0xFF800000 : f32
    %95 = arith.constant 0.0e0 : f32
    %99 = arith.constant 384 : i32
    %117 = arith.constant 0.0e0 : bf16
    %125 = arith.constant 23040 : i64
    %128 = arith.constant 6 : i32
    %131 = arith.constant 1280 : i32
    %152 = arith.constant 2 : i64
    %155 = arith.constant 3 : i64
    %163 = arith.constant 4096 : i64
    %176 = arith.constant 6000 : i64
    %180 = arith.constant 12000 : i64
    %185 = arith.constant 40 : i32
    %8 = tt.get_program_id z : i32
    %9 = arith.extsi %8 : i32 to i64
    %10 = tt.get_program_id x : i32
    %12 = arith.muli %10, %11 : i32
    %13 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %14 = tt.splat %12 : i32 -> tensor<64xi32>
    %15 = arith.addi %14, %13 : tensor<64xi32>
    %17 = arith.addi %12, %16 : i32
    %19 = arith.minsi %17, %18 : i32
    %21 = tt.splat %20 : i32 -> tensor<64xi32>
    %22 = arith.cmpi slt, %15, %21 : tensor<64xi32>
    %23 = tt.get_program_id y : i32
    %25 = arith.divsi %23, %24 : i32
    %26 = arith.remsi %23, %24 : i32
    %28 = arith.muli %26, %27 : i32
    %29 = arith.muli %26, %27 : i32
    %30 = arith.addi %29, %27 : i32
    %31 = arith.minsi %30, %24 : i32
    %32 = arith.muli %25, %24 : i32
    %33 = arith.addi %32, %28 : i32
    %34 = arith.addi %32, %31 : i32
    %36 = arith.muli %9, %35 : i64
    %37 = tt.addptr %documents, %36 : !tt.ptr<i32>, i64
    %38 = tt.addptr %37, %12 : !tt.ptr<i32>, i32
    %39 = tt.load %38 : !tt.ptr<i32>
    %40 = arith.subi %12, %27 : i32
    %41 = tt.addptr %37, %40 : !tt.ptr<i32>, i32
    %43 = arith.cmpi sgt, %12, %42 : i32
    %44 = tt.load %41, %43, %42 : !tt.ptr<i32>
    %45 = arith.cmpi eq, %39, %44 : i32
    %46 = arith.subi %42, %27 : i32
    %47 = arith.select %45, %39, %46 : i32
    %48 = tt.splat %18 : i32 -> tensor<64xi32>
    %49 = arith.minsi %15, %48 : tensor<64xi32>
    %50 = tt.splat %37 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %51 = tt.addptr %50, %49 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %52 = tt.load %51 : tensor<64x!tt.ptr<i32>>
    %53 = tt.addptr %37, %19 : !tt.ptr<i32>, i32
    %54 = tt.load %53 : !tt.ptr<i32>
    %56 = arith.muli %9, %55 : i64
    %57 = tt.addptr %given, %56 : !tt.ptr<bf16>, i64
    %58 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %59 = tt.splat %42 : i32 -> tensor<32xi32>
    %60 = arith.addi %59, %58 : tensor<32xi32>
    %62 = tt.splat %61 : i32 -> tensor<32xi32>
    %63 = arith.cmpi slt, %60, %62 : tensor<32xi32>
    %150 = scf.for %65 = %33 to %34 step %27 iter_args(%66 = %64) -> (tensor<64x32xf32>) : i32 {
      %68 = arith.muli %9, %67 : i64
      %69 = arith.extsi %65 : i32 to i64
      %70 = arith.addi %68, %69 : i64
      %71 = arith.muli %70, %35 : i64
      %72 = tt.addptr %sums, %71 : !tt.ptr<f32>, i64
      %73 = tt.splat %18 : i32 -> tensor<64xi32>
      %74 = arith.minsi %15, %73 : tensor<64xi32>
      %75 = tt.splat %72 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %76 = tt.addptr %75, %74 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %77 = tt.load %76 : tensor<64x!tt.ptr<f32>>
      %78 = tt.addptr %72, %19 : !tt.ptr<f32>, i32
      %79 = tt.load %78 : !tt.ptr<f32>
      %80 = tt.splat %54 : i32 -> tensor<64xi32>
      %81 = arith.cmpi eq, %52, %80 : tensor<64xi32>
      %82 = tt.splat %79 : f32 -> tensor<64xf32>
      %83 = arith.subf %82, %77 : tensor<64xf32>
      %85 = tt.splat %84 : f32 -> tensor<64xf32>
      %86 = arith.select %81, %83, %85 : tensor<64xi1>, tensor<64xf32>
      %87 = math.exp2 %86 : tensor<64xf32>
      %88 = arith.muli %9, %67 : i64
      %89 = arith.extsi %65 : i32 to i64
      %90 = arith.addi %88, %89 : i64
      %91 = arith.muli %90, %35 : i64
      %92 = tt.addptr %widths, %91 : !tt.ptr<f32>, i64
      %93 = tt.splat %92 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %94 = tt.addptr %93, %15 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %96 = tt.splat %95 : f32 -> tensor<64xf32>
      %97 = tt.load %94, %22, %96 : tensor<64x!tt.ptr<f32>>
      %98 = arith.mulf %87, %97 : tensor<64xf32>
      %100 = arith.muli %12, %99 : i32
      %101 = tt.addptr %57, %100 : !tt.ptr<bf16>, i32
      %102 = arith.muli %65, %11 : i32
      %103 = tt.addptr %101, %102 : !tt.ptr<bf16>, i32
      %104 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %105 = tt.expand_dims %104 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %106 = tt.splat %99 : i32 -> tensor<64x1xi32>
      %107 = arith.muli %105, %106 : tensor<64x1xi32>
      %108 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %109 = tt.expand_dims %108 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %110 = tt.broadcast %107 : tensor<64x1xi32> -> tensor<64x64xi32>
      %111 = tt.broadcast %109 : tensor<1x64xi32> -> tensor<64x64xi32>
      %112 = arith.addi %110, %111 : tensor<64x64xi32>
      %113 = tt.splat %103 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %114 = tt.addptr %113, %112 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %115 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %116 = tt.broadcast %115 : tensor<64x1xi1> -> tensor<64x64xi1>
      %118 = tt.splat %117 : bf16 -> tensor<64x64xbf16>
      %119 = tt.load %114, %116, %118 : tensor<64x64x!tt.ptr<bf16>>
      %120 = arith.extf %119 : tensor<64x64xbf16> to tensor<64x64xf32>
      %121 = tt.expand_dims %98 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %122 = tt.broadcast %121 : tensor<64x1xf32> -> tensor<64x64xf32>
      %123 = arith.mulf %120, %122 : tensor<64x64xf32>
      %124 = arith.truncf %123 : tensor<64x64xf32> to tensor<64x64xbf16>
      %126 = arith.muli %9, %125 : i64
      %127 = tt.addptr %states, %126 : !tt.ptr<bf16>, i64
      %129 = arith.muli %10, %128 : i32
      %130 = arith.addi %129, %65 : i32
      %132 = arith.muli %130, %131 : i32
      %133 = tt.expand_dims %60 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %134 = tt.splat %11 : i32 -> tensor<32x1xi32>
      %135 = arith.muli %133, %134 : tensor<32x1xi32>
      %136 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %137 = tt.expand_dims %136 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %138 = tt.broadcast %135 : tensor<32x1xi32> -> tensor<32x64xi32>
      %139 = tt.broadcast %137 : tensor<1x64xi32> -> tensor<32x64xi32>
      %140 = arith.addi %138, %139 : tensor<32x64xi32>
      %141 = tt.addptr %127, %132 : !tt.ptr<bf16>, i32
      %142 = tt.splat %141 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %143 = tt.addptr %142, %140 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %144 = tt.expand_dims %63 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %145 = tt.broadcast %144 : tensor<32x1xi1> -> tensor<32x64xi1>
      %146 = tt.splat %117 : bf16 -> tensor<32x64xbf16>
      %147 = tt.load %143, %145, %146 : tensor<32x64x!tt.ptr<bf16>>
      %148 = tt.trans %147 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %149 = tt.dot %124, %148, %66, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      scf.yield %149 : tensor<64x32xf32>
    }
    %151 = arith.extsi %26 : i32 to i64
    %153 = arith.muli %151, %152 : i64
    %154 = arith.addi %153, %9 : i64
    %156 = arith.muli %154, %155 : i64
    %157 = arith.extsi %10 : i32 to i64
    %158 = arith.addi %156, %157 : i64
    %159 = arith.muli %158, %152 : i64
    %160 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %161 = arith.extsi %25 : i32 to i64
    %162 = arith.addi %159, %161 : i64
    %164 = arith.muli %162, %163 : i64
    %165 = tt.addptr %dscores, %164 : !tt.ptr<bf16>, i64
    %166 = tt.expand_dims %160 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %167 = tt.splat %11 : i32 -> tensor<64x1xi32>
    %168 = arith.muli %166, %167 : tensor<64x1xi32>
    %169 = tt.expand_dims %160 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %170 = tt.broadcast %168 : tensor<64x1xi32> -> tensor<64x64xi32>
    %171 = tt.broadcast %169 : tensor<1x64xi32> -> tensor<64x64xi32>
    %172 = arith.addi %170, %171 : tensor<64x64xi32>
    %173 = tt.splat %165 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %174 = tt.addptr %173, %172 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %175 = tt.load %174 : tensor<64x64x!tt.ptr<bf16>>
    %177 = arith.muli %9, %176 : i64
    %178 = tt.addptr %other, %177 : !tt.ptr<bf16>, i64
    %179 = arith.extsi %26 : i32 to i64
    %181 = arith.muli %179, %180 : i64
    %182 = tt.addptr %result, %181 : !tt.ptr<f32>, i64
    %183 = arith.muli %9, %176 : i64
    %184 = tt.addptr %182, %183 : !tt.ptr<f32>, i64
    %186 = arith.muli %12, %185 : i32
    %187 = tt.addptr %178, %186 : !tt.ptr<bf16>, i32
    %188 = arith.muli %25, %61 : i32
    %189 = tt.addptr %187, %188 : !tt.ptr<bf16>, i32
    %190 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %191 = tt.expand_dims %190 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %192 = tt.splat %185 : i32 -> tensor<64x1xi32>
    %193 = arith.muli %191, %192 : tensor<64x1xi32>
    %194 = tt.expand_dims %60 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %195 = tt.broadcast %193 : tensor<64x1xi32> -> tensor<64x32xi32>
    %196 = tt.broadcast %194 : tensor<1x32xi32> -> tensor<64x32xi32>
    %197 = arith.addi %195, %196 : tensor<64x32xi32>
    %198 = tt.splat %189 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %199 = tt.addptr %198, %197 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %200 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %201 = tt.expand_dims %63 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %202 = tt.broadcast %200 : tensor<64x1xi1> -> tensor<64x32xi1>
    %203 = tt.broadcast %201 : tensor<1x32xi1> -> tensor<64x32xi1>
    %204 = arith.andi %202, %203 : tensor<64x32xi1>
    %205 = tt.splat %117 : bf16 -> tensor<64x32xbf16>
    %206 = tt.load %199, %204, %205 : tensor<64x32x!tt.ptr<bf16>>
    %207 = tt.dot %175, %206, %150, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
    %208 = arith.muli %12, %185 : i32
    %209 = tt.addptr %184, %208 : !tt.ptr<f32>, i32
    %210 = arith.muli %25, %61 : i32
    %211 = tt.addptr %209, %210 : !tt.ptr<f32>, i32
    %212 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %213 = tt.expand_dims %212 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %214 = tt.splat %185 : i32 -> tensor<64x1xi32>
    %215 = arith.muli %213, %214 : tensor<64x1xi32>
    %216 = tt.expand_dims %60 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %217 = tt.broadcast %215 : tensor<64x1xi32> -> tensor<64x32xi32>
    %218 = tt.broadcast %216 : tensor<1x32xi32> -> tensor<64x32xi32>
    %219 = arith.addi %217, %218 : tensor<64x32xi32>
    %220 = tt.splat %211 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %221 = tt.addptr %220, %219 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %222 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %223 = tt.expand_dims %63 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %224 = tt.broadcast %222 : tensor<64x1xi1> -> tensor<64x32xi1>
    %225 = tt.broadcast %223 : tensor<1x32xi1> -> tensor<64x32xi1>
    %226 = arith.andi %224, %225 : tensor<64x32xi1>
    tt.store %221, %207, %226 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_gradient_c(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dscores: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %other: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %result: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %10 = arith.constant 64 : i32
    %15 = arith.constant 63 : i32
    %17 = arith.constant 149 : i32
    %19 = arith.constant 150 : i32
    %23 = arith.constant 3 : i32
    %26 = arith.constant 1 : i32
    %34 = arith.constant 150 : i64
    %41 = arith.constant 0 : i32
    %54 = arith.constant 57600 : i64
    %60 = arith.constant 20 : i32
    %63 = arith.constant dense<0.0e0> : tensor<64x32xf32>
    %66 = arith.constant 6 : i64
    %79 = arith.constant 0xFF800000 : f32
    %83 = arith.constant 384 : i32
    %101 = arith.constant 0.0e0 : bf16
    %109 = arith.constant 23040 : i64
    %112 = arith.constant 6 : i32
    %115 = arith.constant 1280 : i32
    %136 = arith.constant 2 : i64
    %139 = arith.constant 3 : i64
    %147 = arith.constant 4096 : i64
    %161 = arith.constant 6000 : i64
    %165 = arith.constant 12000 : i64
    %170 = arith.constant 40 : i32
    %7 = tt.get_program_id z : i32
    %8 = arith.extsi %7 : i32 to i64
    %9 = tt.get_program_id x : i32
    %11 = arith.muli %9, %10 : i32
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %13 = tt.splat %11 : i32 -> tensor<64xi32>
    %14 = arith.addi %13, %12 : tensor<64xi32>
    %16 = arith.addi %11, %15 : i32
    %18 = arith.minsi %16, %17 : i32
    %20 = tt.splat %19 : i32 -> tensor<64xi32>
    %21 = arith.cmpi slt, %14, %20 : tensor<64xi32>
    %22 = tt.get_program_id y : i32
    %24 = arith.divsi %22, %23 : i32
    %25 = arith.remsi %22, %23 : i32
    %27 = arith.muli %25, %26 : i32
    %28 = arith.muli %25, %26 : i32
    %29 = arith.addi %28, %26 : i32
    %30 = arith.minsi %29, %23 : i32
    %31 = arith.muli %24, %23 : i32
    %32 = arith.addi %31, %27 : i32
    %33 = arith.addi %31, %30 : i32
    %35 = arith.muli %8, %34 : i64
    %36 = tt.addptr %documents, %35 : !tt.ptr<i32>, i64
    %37 = tt.addptr %36, %11 : !tt.ptr<i32>, i32
    %38 = tt.load %37 : !tt.ptr<i32>
    %39 = arith.subi %11, %26 : i32
    %40 = tt.addptr %36, %39 : !tt.ptr<i32>, i32
    %42 = arith.cmpi sgt, %11, %41 : i32
    %43 = tt.load %40, %42, %41 : !tt.ptr<i32>
    %44 = arith.cmpi eq, %38, %43 : i32
    %45 = arith.subi %41, %26 : i32
    %46 = arith.select %44, %38, %45 : i32
    %47 = tt.splat %17 : i32 -> tensor<64xi32>
    %48 = arith.minsi %14, %47 : tensor<64xi32>
    %49 = tt.splat %36 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %50 = tt.addptr %49, %48 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %51 = tt.load %50 : tensor<64x!tt.ptr<i32>>
    %52 = tt.addptr %36, %18 : !tt.ptr<i32>, i32
    %53 = tt.load %52 : !tt.ptr<i32>
    %55 = arith.muli %8, %54 : i64
    %56 = tt.addptr %given, %55 : !tt.ptr<bf16>, i64
    %57 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %58 = tt.splat %41 : i32 -> tensor<32xi32>
    %59 = arith.addi %58, %57 : tensor<32xi32>
    %61 = tt.splat %60 : i32 -> tensor<32xi32>
    %62 = arith.cmpi slt, %59, %61 : tensor<32xi32>
    %134 = scf.for %64 = %32 to %33 step %26 iter_args(%65 = %63) -> (tensor<64x32xf32>) : i32 {
      %67 = arith.muli %8, %66 : i64
      %68 = arith.extsi %64 : i32 to i64
      %69 = arith.addi %67, %68 : i64
      %70 = arith.muli %69, %34 : i64
      %71 = tt.addptr %sums, %70 : !tt.ptr<f32>, i64
      %72 = tt.splat %17 : i32 -> tensor<64xi32>
      %73 = arith.minsi %14, %72 : tensor<64xi32>
      %74 = tt.splat %71 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %75 = tt.addptr %74, %73 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %76 = tt.load %75 : tensor<64x!tt.ptr<f32>>
      %77 = tt.splat %46 : i32 -> tensor<64xi32>
      %78 = arith.cmpi eq, %51, %77 : tensor<64xi32>
      %80 = tt.splat %79 : f32 -> tensor<64xf32>
      %81 = arith.select %78, %76, %80 : tensor<64xi1>, tensor<64xf32>
      %82 = math.exp2 %81 : tensor<64xf32>
      %84 = arith.muli %11, %83 : i32
      %85 = tt.addptr %56, %84 : !tt.ptr<bf16>, i32
      %86 = arith.muli %64, %10 : i32
      %87 = tt.addptr %85, %86 : !tt.ptr<bf16>, i32
      %88 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %89 = tt.expand_dims %88 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %90 = tt.splat %83 : i32 -> tensor<64x1xi32>
      %91 = arith.muli %89, %90 : tensor<64x1xi32>
      %92 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %93 = tt.expand_dims %92 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %94 = tt.broadcast %91 : tensor<64x1xi32> -> tensor<64x64xi32>
      %95 = tt.broadcast %93 : tensor<1x64xi32> -> tensor<64x64xi32>
      %96 = arith.addi %94, %95 : tensor<64x64xi32>
      %97 = tt.splat %87 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %98 = tt.addptr %97, %96 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %99 = tt.expand_dims %21 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %100 = tt.broadcast %99 : tensor<64x1xi1> -> tensor<64x64xi1>
      %102 = tt.splat %101 : bf16 -> tensor<64x64xbf16>
      %103 = tt.load %98, %100, %102 : tensor<64x64x!tt.ptr<bf16>>
      %104 = arith.extf %103 : tensor<64x64xbf16> to tensor<64x64xf32>
      %105 = tt.expand_dims %82 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %106 = tt.broadcast %105 : tensor<64x1xf32> -> tensor<64x64xf32>
      %107 = arith.mulf %104, %106 : tensor<64x64xf32>
      %108 = arith.truncf %107 : tensor<64x64xf32> to tensor<64x64xbf16>
      %110 = arith.muli %8, %109 : i64
      %111 = tt.addptr %states, %110 : !tt.ptr<bf16>, i64
      %113 = arith.muli %9, %112 : i32
      %114 = arith.addi %113, %64 : i32
      %116 = arith.muli %114, %115 : i32
      %117 = tt.expand_dims %59 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %118 = tt.splat %10 : i32 -> tensor<32x1xi32>
      %119 = arith.muli %117, %118 : tensor<32x1xi32>
      %120 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %121 = tt.expand_dims %120 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %122 = tt.broadcast %119 : tensor<32x1xi32> -> tensor<32x64xi32>
      %123 = tt.broadcast %121 : tensor<1x64xi32> -> tensor<32x64xi32>
      %124 = arith.addi %122, %123 : tensor<32x64xi32>
      %125 = tt.addptr %111, %116 : !tt.ptr<bf16>, i32
      %126 = tt.splat %125 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %127 = tt.addptr %126, %124 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %128 = tt.expand_dims %62 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %129 = tt.broadcast %128 : tensor<32x1xi1> -> tensor<32x64xi1>
      %130 = tt.splat %101 : bf16 -> tensor<32x64xbf16>
      %131 = tt.load %127, %129, %130 : tensor<32x64x!tt.ptr<bf16>>
      %132 = tt.trans %131 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %133 = tt.dot %108, %132, %65, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      scf.yield %133 : tensor<64x32xf32>
    }
    %135 = arith.extsi %25 : i32 to i64
    %137 = arith.muli %135, %136 : i64
    %138 = arith.addi %137, %8 : i64
    %140 = arith.muli %138, %139 : i64
    %141 = arith.extsi %9 : i32 to i64
    %142 = arith.addi %140, %141 : i64
    %143 = arith.muli %142, %136 : i64
    %144 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %145 = arith.extsi %24 : i32 to i64
    %146 = arith.addi %143, %145 : i64
    %148 = arith.muli %146, %147 : i64
    %149 = tt.addptr %dscores, %148 : !tt.ptr<bf16>, i64
    %150 = tt.expand_dims %144 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %151 = tt.splat %10 : i32 -> tensor<64x1xi32>
    %152 = arith.muli %150, %151 : tensor<64x1xi32>
    %153 = tt.expand_dims %144 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %154 = tt.broadcast %152 : tensor<64x1xi32> -> tensor<64x64xi32>
    %155 = tt.broadcast %153 : tensor<1x64xi32> -> tensor<64x64xi32>
    %156 = arith.addi %154, %155 : tensor<64x64xi32>
    %157 = tt.splat %149 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %158 = tt.addptr %157, %156 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %159 = tt.load %158 : tensor<64x64x!tt.ptr<bf16>>
    %160 = tt.trans %159 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
    %162 = arith.muli %8, %161 : i64
    %163 = tt.addptr %other, %162 : !tt.ptr<bf16>, i64
    %164 = arith.extsi %25 : i32 to i64
    %166 = arith.muli %164, %165 : i64
    %167 = tt.addptr %result, %166 : !tt.ptr<f32>, i64
    %168 = arith.muli %8, %161 : i64
    %169 = tt.addptr %167, %168 : !tt.ptr<f32>, i64
    %171 = arith.muli %11, %170 : i32
    %172 = tt.addptr %163, %171 : !tt.ptr<bf16>, i32
    %173 = arith.muli %24, %60 : i32
    %174 = tt.addptr %172, %173 : !tt.ptr<bf16>, i32
    %175 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %176 = tt.expand_dims %175 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %177 = tt.splat %170 : i32 -> tensor<64x1xi32>
    %178 = arith.muli %176, %177 : tensor<64x1xi32>
    %179 = tt.expand_dims %59 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %180 = tt.broadcast %178 : tensor<64x1xi32> -> tensor<64x32xi32>
    %181 = tt.broadcast %179 : tensor<1x32xi32> -> tensor<64x32xi32>
    %182 = arith.addi %180, %181 : tensor<64x32xi32>
    %183 = tt.splat %174 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %184 = tt.addptr %183, %182 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %185 = tt.expand_dims %21 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %186 = tt.expand_dims %62 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %187 = tt.broadcast %185 : tensor<64x1xi1> -> tensor<64x32xi1>
    %188 = tt.broadcast %186 : tensor<1x32xi1> -> tensor<64x32xi1>
    %189 = arith.andi %187, %188 : tensor<64x32xi1>
    %190 = tt.splat %101 : bf16 -> tensor<64x32xbf16>
    %191 = tt.load %184, %189, %190 : tensor<64x32x!tt.ptr<bf16>>
    %192 = tt.dot %160, %191, %134, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
    %193 = arith.muli %11, %170 : i32
    %194 = tt.addptr %169, %193 : !tt.ptr<f32>, i32
    %195 = arith.muli %24, %60 : i32
    %196 = tt.addptr %194, %195 : !tt.ptr<f32>, i32
    %197 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %198 = tt.expand_dims %197 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %199 = tt.splat %170 : i32 -> tensor<64x1xi32>
    %200 = arith.muli %198, %199 : tensor<64x1xi32>
    %201 = tt.expand_dims %59 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %202 = tt.broadcast %200 : tensor<64x1xi32> -> tensor<64x32xi32>
    %203 = tt.broadcast %201 : tensor<1x32xi32> -> tensor<64x32xi32>
    %204 = arith.addi %202, %203 : tensor<64x32xi32>
    %205 = tt.splat %196 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %206 = tt.addptr %205, %204 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %207 = tt.expand_dims %21 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %208 = tt.expand_dims %62 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %209 = tt.broadcast %207 : tensor<64x1xi1> -> tensor<64x32xi1>
    %210 = tt.broadcast %208 : tensor<1x32xi1> -> tensor<64x32xi1>
    %211 = arith.andi %209, %210 : tensor<64x32xi1>
    tt.store %206, %192, %211 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
