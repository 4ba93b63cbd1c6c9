module {
  tt.func public @dual_scan_exponents(%widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %turned: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 64 : i32
    %11 = arith.constant 16 : i32
    %18 = arith.constant 900 : i64
    %20 = arith.constant 6 : i32
    %23 = arith.constant 150 : i32
    %41 = arith.constant 0.0e0 : f32
    %48 = arith.constant 1.442695e0 : f32
    %4 = tt.get_program_id x : i32
    %6 = arith.muli %4, %5 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.get_program_id y : i32
    %12 = arith.muli %10, %11 : i32
    %13 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %14 = tt.splat %12 : i32 -> tensor<16xi32>
    %15 = arith.addi %14, %13 : tensor<16xi32>
    %16 = tt.get_program_id z : i32
    %17 = arith.extsi %16 : i32 to i64
    %19 = arith.muli %17, %18 : i64
    %21 = tt.splat %20 : i32 -> tensor<16xi32>
    %22 = arith.cmpi slt, %15, %21 : tensor<16xi32>
    %24 = tt.splat %23 : i32 -> tensor<64xi32>
    %25 = arith.cmpi slt, %9, %24 : tensor<64xi32>
    %26 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %27 = tt.expand_dims %22 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %28 = tt.broadcast %26 : tensor<64x1xi1> -> tensor<64x16xi1>
    %29 = tt.broadcast %27 : tensor<1x16xi1> -> tensor<64x16xi1>
    %30 = arith.andi %28, %29 : tensor<64x16xi1>
    %31 = tt.addptr %widths, %19 : !tt.ptr<f32>, i64
    %32 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %33 = tt.splat %20 : i32 -> tensor<64x1xi32>
    %34 = arith.muli %32, %33 : tensor<64x1xi32>
    %35 = tt.expand_dims %15 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %36 = tt.broadcast %34 : tensor<64x1xi32> -> tensor<64x16xi32>
    %37 = tt.broadcast %35 : tensor<1x16xi32> -> tensor<64x16xi32>
    %38 = arith.addi %36, %37 : tensor<64x16xi32>
    %39 = tt.splat %31 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
    %40 = tt.addptr %39, %38 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi32>
    %42 = tt.splat %41 : f32 -> tensor<64x16xf32>
    %43 = tt.load %40, %30, %42 : tensor<64x16x!tt.ptr<f32>>
    %44 = tt.splat %rates : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %45 = tt.addptr %44, %15 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %46 = tt.splat %41 : f32 -> tensor<16xf32>
    %47 = tt.load %45, %22, %46 : tensor<16x!tt.ptr<f32>>
    %49 = tt.splat %48 : f32 -> tensor<16xf32>
    %50 = arith.mulf %47, %49 : tensor<16xf32>
    %51 = tt.expand_dims %15 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %52 = tt.splat %23 : i32 -> tensor<1x16xi32>
    %53 = arith.muli %51, %52 : tensor<1x16xi32>
    %54 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %55 = tt.broadcast %53 : tensor<1x16xi32> -> tensor<64x16xi32>
    %56 = tt.broadcast %54 : tensor<64x1xi32> -> tensor<64x16xi32>
    %57 = arith.addi %55, %56 : tensor<64x16xi32>
    %58 = arith.extsi %57 : tensor<64x16xi32> to tensor<64x16xi64>
    %59 = tt.splat %19 : i64 -> tensor<64x16xi64>
    %60 = arith.addi %59, %58 : tensor<64x16xi64>
    %61 = tt.splat %sums : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
    %62 = tt.addptr %61, %60 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi64>
    %63 = tt.expand_dims %50 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %64 = tt.broadcast %63 : tensor<1x16xf32> -> tensor<64x16xf32>
    %65 = arith.mulf %43, %64 : tensor<64x16xf32>
    %69 = "tt.scan"(%65) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%66: f32, %67: f32):
      %68 = arith.addf %66, %67 : f32
      tt.scan.return %68 : f32
    }) : (tensor<64x16xf32>) -> (tensor<64x16xf32>)
    tt.store %62, %69, %30 : tensor<64x16x!tt.ptr<f32>>
    %70 = tt.splat %turned : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
    %71 = tt.addptr %70, %60 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi64>
    tt.store %71, %43, %30 : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_states(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %shared: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %begin: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %end: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %11 = arith.constant 3 : i32
    %14 = arith.constant 32 : i32
    %19 = arith.constant 20 : i32
    %22 = arith.constant 57600 : i64
    %25 = arith.constant 6000 : i64
    %28 = arith.constant 6 : i64
    %32 = arith.constant 150 : i64
    %45 = arith.constant 1280 : i64
    %60 = arith.constant 0.0e0 : f32
    %64 = arith.constant 0 : i32
    %65 = arith.constant 1 : i32
    %68 = arith.constant 64 : i32
    %73 = arith.constant 63 : i32
    %75 = arith.constant 149 : i32
    %77 = arith.constant 150 : i32
    %80 = arith.constant 23040 : i64
    %83 = arith.constant 6 : i32
    %86 = arith.constant 1280 : i32
    %129 = arith.constant 0xFF800000 : f32
    %138 = arith.constant 384 : i32
    %156 = arith.constant 0.0e0 : bf16
    %164 = arith.constant 40 : i32
    %8 = tt.get_program_id z : i32
    %9 = arith.extsi %8 : i32 to i64
    %10 = tt.get_program_id y : i32
    %12 = arith.divsi %10, %11 : i32
    %13 = tt.get_program_id x : i32
    %15 = arith.muli %13, %14 : i32
    %16 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %17 = tt.splat %15 : i32 -> tensor<32xi32>
    %18 = arith.addi %17, %16 : tensor<32xi32>
    %20 = tt.splat %19 : i32 -> tensor<32xi32>
    %21 = arith.cmpi slt, %18, %20 : tensor<32xi32>
    %23 = arith.muli %9, %22 : i64
    %24 = tt.addptr %given, %23 : !tt.ptr<bf16>, i64
    %26 = arith.muli %9, %25 : i64
    %27 = tt.addptr %shared, %26 : !tt.ptr<bf16>, i64
    %29 = arith.muli %9, %28 : i64
    %30 = arith.extsi %10 : i32 to i64
    %31 = arith.addi %29, %30 : i64
    %33 = arith.muli %31, %32 : i64
    %34 = tt.addptr %sums, %33 : !tt.ptr<f32>, i64
    %35 = arith.muli %9, %28 : i64
    %36 = arith.extsi %10 : i32 to i64
    %37 = arith.addi %35, %36 : i64
    %38 = arith.muli %37, %32 : i64
    %39 = tt.addptr %widths, %38 : !tt.ptr<f32>, i64
    %40 = arith.muli %9, %32 : i64
    %41 = tt.addptr %documents, %40 : !tt.ptr<i32>, i64
    %42 = arith.muli %9, %28 : i64
    %43 = arith.extsi %10 : i32 to i64
    %44 = arith.addi %42, %43 : i64
    %46 = arith.muli %44, %45 : i64
    %47 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %49 = tt.splat %19 : i32 -> tensor<64x1xi32>
    %50 = arith.muli %48, %49 : tensor<64x1xi32>
    %51 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %52 = tt.broadcast %50 : tensor<64x1xi32> -> tensor<64x32xi32>
    %53 = tt.broadcast %51 : tensor<1x32xi32> -> tensor<64x32xi32>
    %54 = arith.addi %52, %53 : tensor<64x32xi32>
    %55 = tt.addptr %begin, %46 : !tt.ptr<f32>, i64
    %56 = tt.splat %55 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %57 = tt.addptr %56, %54 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %58 = tt.expand_dims %21 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %59 = tt.broadcast %58 : tensor<1x32xi1> -> tensor<64x32xi1>
    %61 = tt.splat %60 : f32 -> tensor<64x32xf32>
    %62 = tt.load %57, %59, %61 : tensor<64x32x!tt.ptr<f32>>
    %63 = tt.trans %62 {order = array<i32: 1, 0>} : tensor<64x32xf32> -> tensor<32x64xf32>
    %193 = scf.for %66 = %64 to %11 step %65 iter_args(%67 = %63) -> (tensor<32x64xf32>) : i32 {
      %69 = arith.muli %66, %68 : i32
      %70 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %71 = tt.splat %69 : i32 -> tensor<64xi32>
      %72 = arith.addi %71, %70 : tensor<64xi32>
      %74 = arith.addi %69, %73 : i32
      %76 = arith.minsi %74, %75 : i32
      %78 = tt.splat %77 : i32 -> tensor<64xi32>
      %79 = arith.cmpi slt, %72, %78 : tensor<64xi32>
      %81 = arith.muli %9, %80 : i64
      %82 = tt.addptr %states, %81 : !tt.ptr<bf16>, i64
      %84 = arith.muli %66, %83 : i32
      %85 = arith.addi %84, %10 : i32
      %87 = arith.muli %85, %86 : i32
      %88 = tt.expand_dims %18 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %89 = tt.splat %68 : i32 -> tensor<32x1xi32>
      %90 = arith.muli %88, %89 : tensor<32x1xi32>
      %91 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %92 = tt.expand_dims %91 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %93 = tt.broadcast %90 : tensor<32x1xi32> -> tensor<32x64xi32>
      %94 = tt.broadcast %92 : tensor<1x64xi32> -> tensor<32x64xi32>
      %95 = arith.addi %93, %94 : tensor<32x64xi32>
      %96 = tt.addptr %82, %87 : !tt.ptr<bf16>, i32
      %97 = tt.splat %96 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %98 = tt.addptr %97, %95 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %99 = tt.expand_dims %21 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %100 = arith.truncf %67 : tensor<32x64xf32> to tensor<32x64xbf16>
      %101 = tt.broadcast %99 : tensor<32x1xi1> -> tensor<32x64xi1>
      tt.store %98, %100, %101 : tensor<32x64x!tt.ptr<bf16>>
      %102 = tt.addptr %41, %69 : !tt.ptr<i32>, i32
      %103 = tt.load %102 : !tt.ptr<i32>
      %104 = arith.subi %69, %65 : i32
      %105 = tt.addptr %41, %104 : !tt.ptr<i32>, i32
      %106 = arith.cmpi sgt, %69, %64 : i32
      %107 = tt.load %105, %106, %64 : !tt.ptr<i32>
      %108 = arith.cmpi eq, %103, %107 : i32
      %109 = arith.subi %64, %65 : i32
      %110 = arith.select %108, %103, %109 : i32
      %111 = tt.splat %75 : i32 -> tensor<64xi32>
      %112 = arith.minsi %72, %111 : tensor<64xi32>
      %113 = tt.splat %41 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
      %114 = tt.addptr %113, %112 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %115 = tt.load %114 : tensor<64x!tt.ptr<i32>>
      %116 = tt.addptr %41, %76 : !tt.ptr<i32>, i32
      %117 = tt.load %116 : !tt.ptr<i32>
      %118 = tt.splat %75 : i32 -> tensor<64xi32>
      %119 = arith.minsi %72, %118 : tensor<64xi32>
      %120 = tt.splat %34 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %121 = tt.addptr %120, %119 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %122 = tt.load %121 : tensor<64x!tt.ptr<f32>>
      %123 = tt.addptr %34, %76 : !tt.ptr<f32>, i32
      %124 = tt.load %123 : !tt.ptr<f32>
      %125 = tt.splat %117 : i32 -> tensor<64xi32>
      %126 = arith.cmpi eq, %115, %125 : tensor<64xi32>
      %127 = tt.splat %124 : f32 -> tensor<64xf32>
      %128 = arith.subf %127, %122 : tensor<64xf32>
      %130 = tt.splat %129 : f32 -> tensor<64xf32>
      %131 = arith.select %126, %128, %130 : tensor<64xi1>, tensor<64xf32>
      %132 = math.exp2 %131 : tensor<64xf32>
      %133 = tt.splat %39 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %134 = tt.addptr %133, %72 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %135 = tt.splat %60 : f32 -> tensor<64xf32>
      %136 = tt.load %134, %79, %135 : tensor<64x!tt.ptr<f32>>
      %137 = arith.mulf %132, %136 : tensor<64xf32>
      %139 = arith.muli %69, %138 : i32
      %140 = tt.addptr %24, %139 : !tt.ptr<bf16>, i32
      %141 = arith.muli %10, %68 : i32
      %142 = tt.addptr %140, %141 : !tt.ptr<bf16>, i32
      %143 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %144 = tt.expand_dims %143 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %145 = tt.splat %138 : i32 -> tensor<64x1xi32>
      %146 = arith.muli %144, %145 : tensor<64x1xi32>
      %147 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %148 = tt.expand_dims %147 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %149 = tt.broadcast %146 : tensor<64x1xi32> -> tensor<64x64xi32>
      %150 = tt.broadcast %148 : tensor<1x64xi32> -> tensor<64x64xi32>
      %151 = arith.addi %149, %150 : tensor<64x64xi32>
      %152 = tt.splat %142 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %153 = tt.addptr %152, %151 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %154 = tt.expand_dims %79 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %155 = tt.broadcast %154 : tensor<64x1xi1> -> tensor<64x64xi1>
      %157 = tt.splat %156 : bf16 -> tensor<64x64xbf16>
      %158 = tt.load %153, %155, %157 : tensor<64x64x!tt.ptr<bf16>>
      %159 = arith.extf %158 : tensor<64x64xbf16> to tensor<64x64xf32>
      %160 = tt.expand_dims %137 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %161 = tt.broadcast %160 : tensor<64x1xf32> -> tensor<64x64xf32>
      %162 = arith.mulf %159, %161 : tensor<64x64xf32>
      %163 = arith.truncf %162 : tensor<64x64xf32> to tensor<64x64xbf16>
      %165 = arith.muli %69, %164 : i32
      %166 = tt.addptr %27, %165 : !tt.ptr<bf16>, i32
      %167 = arith.muli %12, %19 : i32
      %168 = tt.addptr %166, %167 : !tt.ptr<bf16>, i32
      %169 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %170 = tt.expand_dims %169 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %171 = tt.splat %164 : i32 -> tensor<64x1xi32>
      %172 = arith.muli %170, %171 : tensor<64x1xi32>
      %173 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %174 = tt.broadcast %172 : tensor<64x1xi32> -> tensor<64x32xi32>
      %175 = tt.broadcast %173 : tensor<1x32xi32> -> tensor<64x32xi32>
      %176 = arith.addi %174, %175 : tensor<64x32xi32>
      %177 = tt.splat %168 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
      %178 = tt.addptr %177, %176 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %179 = tt.expand_dims %79 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %180 = tt.expand_dims %21 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %181 = tt.broadcast %179 : tensor<64x1xi1> -> tensor<64x32xi1>
      %182 = tt.broadcast %180 : tensor<1x32xi1> -> tensor<64x32xi1>
      %183 = arith.andi %181, %182 : tensor<64x32xi1>
      %184 = tt.splat %156 : bf16 -> tensor<64x32xbf16>
      %185 = tt.load %178, %183, %184 : tensor<64x32x!tt.ptr<bf16>>
      %186 = tt.trans %185 {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
      %187 = arith.cmpi eq, %110, %117 : i32
      %188 = math.exp2 %124 : f32
      %189 = arith.select %187, %188, %60 : f32
      %190 = tt.splat %189 : f32 -> tensor<32x64xf32>
      %191 = arith.mulf %67, %190 : tensor<32x64xf32>
      %192 = tt.dot %186, %163, %191, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x64xbf16> -> tensor<32x64xf32>
      scf.yield %192 : tensor<32x64xf32>
    }
    %194 = arith.muli %9, %28 : i64
    %195 = arith.extsi %10 : i32 to i64
    %196 = arith.addi %194, %195 : i64
    %197 = arith.muli %196, %45 : i64
    %198 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %199 = tt.expand_dims %198 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %200 = tt.splat %19 : i32 -> tensor<64x1xi32>
    %201 = arith.muli %199, %200 : tensor<64x1xi32>
    %202 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %203 = tt.broadcast %201 : tensor<64x1xi32> -> tensor<64x32xi32>
    %204 = tt.broadcast %202 : tensor<1x32xi32> -> tensor<64x32xi32>
    %205 = arith.addi %203, %204 : tensor<64x32xi32>
    %206 = tt.addptr %end, %197 : !tt.ptr<f32>, i64
    %207 = tt.splat %206 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %208 = tt.addptr %207, %205 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %209 = tt.expand_dims %21 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %210 = tt.trans %193 {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
    %211 = tt.broadcast %209 : tensor<1x32xi1> -> tensor<64x32xi1>
    tt.store %208, %210, %211 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_outputs(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %before: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %11 = arith.constant 64 : i32
    %16 = arith.constant 63 : i32
    %18 = arith.constant 149 : i32
    %20 = arith.constant 150 : i32
    %24 = arith.constant 3 : i32
    %27 = arith.constant 1 : i32
    %35 = arith.constant 150 : i64
    %42 = arith.constant 0 : i32
    %55 = arith.constant 57600 : i64
    %60 = arith.constant 6000 : i64
    %68 = arith.constant 20 : i32
    %71 = arith.constant 40 : i32
    %91 = arith.constant 0.0e0 : bf16
    %94 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %119 = arith.constant 6 : i64
    %137 = arith.constant 0.0e0 : f32
    %140 = arith.constant 23040 : i64
    %143 = arith.constant 6 : i32
    %146 = arith.constant 1280 : i32
    %166 = arith.constant 0xFF800000 : f32
    %198 = arith.constant 384 : i32
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
    %57 = tt.addptr %x, %56 : !tt.ptr<bf16>, i64
    %58 = arith.muli %9, %55 : i64
    %59 = tt.addptr %y, %58 : !tt.ptr<bf16>, i64
    %61 = arith.muli %9, %60 : i64
    %62 = tt.addptr %b, %61 : !tt.ptr<bf16>, i64
    %63 = arith.muli %9, %60 : i64
    %64 = tt.addptr %c, %63 : !tt.ptr<bf16>, i64
    %65 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %66 = tt.splat %42 : i32 -> tensor<32xi32>
    %67 = arith.addi %66, %65 : tensor<32xi32>
    %69 = tt.splat %68 : i32 -> tensor<32xi32>
    %70 = arith.cmpi slt, %67, %69 : tensor<32xi32>
    %72 = arith.muli %12, %71 : i32
    %73 = tt.addptr %64, %72 : !tt.ptr<bf16>, i32
    %74 = arith.muli %25, %68 : i32
    %75 = tt.addptr %73, %74 : !tt.ptr<bf16>, i32
    %76 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %77 = tt.expand_dims %76 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %78 = tt.splat %71 : i32 -> tensor<64x1xi32>
    %79 = arith.muli %77, %78 : tensor<64x1xi32>
    %80 = tt.expand_dims %67 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %81 = tt.broadcast %79 : tensor<64x1xi32> -> tensor<64x32xi32>
    %82 = tt.broadcast %80 : tensor<1x32xi32> -> tensor<64x32xi32>
    %83 = arith.addi %81, %82 : tensor<64x32xi32>
    %84 = tt.splat %75 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %85 = tt.addptr %84, %83 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %86 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %87 = tt.expand_dims %70 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %88 = tt.broadcast %86 : tensor<64x1xi1> -> tensor<64x32xi1>
    %89 = tt.broadcast %87 : tensor<1x32xi1> -> tensor<64x32xi1>
    %90 = arith.andi %88, %89 : tensor<64x32xi1>
    %92 = tt.splat %91 : bf16 -> tensor<64x32xbf16>
    %93 = tt.load %85, %90, %92 : tensor<64x32x!tt.ptr<bf16>>
    %95 = arith.muli %12, %71 : i32
    %96 = tt.addptr %62, %95 : !tt.ptr<bf16>, i32
    %97 = arith.muli %25, %68 : i32
    %98 = tt.addptr %96, %97 : !tt.ptr<bf16>, i32
    %99 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %100 = tt.expand_dims %99 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %101 = tt.splat %71 : i32 -> tensor<64x1xi32>
    %102 = arith.muli %100, %101 : tensor<64x1xi32>
    %103 = tt.expand_dims %67 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %104 = tt.broadcast %102 : tensor<64x1xi32> -> tensor<64x32xi32>
    %105 = tt.broadcast %103 : tensor<1x32xi32> -> tensor<64x32xi32>
    %106 = arith.addi %104, %105 : tensor<64x32xi32>
    %107 = tt.splat %98 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %108 = tt.addptr %107, %106 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %109 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %110 = tt.expand_dims %70 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %111 = tt.broadcast %109 : tensor<64x1xi1> -> tensor<64x32xi1>
    %112 = tt.broadcast %110 : tensor<1x32xi1> -> tensor<64x32xi1>
    %113 = arith.andi %111, %112 : tensor<64x32xi1>
    %114 = tt.splat %91 : bf16 -> tensor<64x32xbf16>
    %115 = tt.load %108, %113, %114 : tensor<64x32x!tt.ptr<bf16>>
    %116 = tt.trans %115 {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
    %117 = tt.dot %93, %116, %94, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.for %118 = %33 to %34 step %27 : i32 {
      %120 = arith.muli %9, %119 : i64
      %121 = arith.extsi %118 : i32 to i64
      %122 = arith.addi %120, %121 : i64
      %123 = arith.muli %122, %35 : i64
      %124 = tt.addptr %sums, %123 : !tt.ptr<f32>, i64
      %125 = tt.splat %18 : i32 -> tensor<64xi32>
      %126 = arith.minsi %15, %125 : tensor<64xi32>
      %127 = tt.splat %124 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %128 = tt.addptr %127, %126 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %129 = tt.load %128 : tensor<64x!tt.ptr<f32>>
      %130 = arith.muli %9, %119 : i64
      %131 = arith.extsi %118 : i32 to i64
      %132 = arith.addi %130, %131 : i64
      %133 = arith.muli %132, %35 : i64
      %134 = tt.addptr %widths, %133 : !tt.ptr<f32>, i64
      %135 = tt.splat %134 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %136 = tt.addptr %135, %15 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %138 = tt.splat %137 : f32 -> tensor<64xf32>
      %139 = tt.load %136, %22, %138 : tensor<64x!tt.ptr<f32>>
      %141 = arith.muli %9, %140 : i64
      %142 = tt.addptr %before, %141 : !tt.ptr<bf16>, i64
      %144 = arith.muli %10, %143 : i32
      %145 = arith.addi %144, %118 : i32
      %147 = arith.muli %145, %146 : i32
      %148 = tt.expand_dims %67 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %149 = tt.splat %11 : i32 -> tensor<32x1xi32>
      %150 = arith.muli %148, %149 : tensor<32x1xi32>
      %151 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %152 = tt.expand_dims %151 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %153 = tt.broadcast %150 : tensor<32x1xi32> -> tensor<32x64xi32>
      %154 = tt.broadcast %152 : tensor<1x64xi32> -> tensor<32x64xi32>
      %155 = arith.addi %153, %154 : tensor<32x64xi32>
      %156 = tt.addptr %142, %147 : !tt.ptr<bf16>, i32
      %157 = tt.splat %156 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %158 = tt.addptr %157, %155 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %159 = tt.expand_dims %70 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %160 = tt.broadcast %159 : tensor<32x1xi1> -> tensor<32x64xi1>
      %161 = tt.splat %91 : bf16 -> tensor<32x64xbf16>
      %162 = tt.load %158, %160, %161 : tensor<32x64x!tt.ptr<bf16>>
      %163 = tt.dot %93, %162, %94, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %164 = tt.splat %47 : i32 -> tensor<64xi32>
      %165 = arith.cmpi eq, %52, %164 : tensor<64xi32>
      %167 = tt.splat %166 : f32 -> tensor<64xf32>
      %168 = arith.select %165, %129, %167 : tensor<64xi1>, tensor<64xf32>
      %169 = math.exp2 %168 : tensor<64xf32>
      %170 = tt.expand_dims %169 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %171 = tt.broadcast %170 : tensor<64x1xf32> -> tensor<64x64xf32>
      %172 = arith.mulf %163, %171 : tensor<64x64xf32>
      %173 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %174 = tt.expand_dims %173 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %175 = tt.expand_dims %173 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %176 = tt.expand_dims %129 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %177 = tt.expand_dims %129 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %178 = tt.broadcast %174 : tensor<1x64xi32> -> tensor<64x64xi32>
      %179 = tt.broadcast %175 : tensor<64x1xi32> -> tensor<64x64xi32>
      %180 = arith.cmpi sle, %178, %179 : tensor<64x64xi32>
      %181 = tt.expand_dims %52 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %182 = tt.expand_dims %52 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %183 = tt.broadcast %181 : tensor<1x64xi32> -> tensor<64x64xi32>
      %184 = tt.broadcast %182 : tensor<64x1xi32> -> tensor<64x64xi32>
      %185 = arith.cmpi eq, %183, %184 : tensor<64x64xi32>
      %186 = arith.andi %180, %185 : tensor<64x64xi1>
      %187 = tt.broadcast %177 : tensor<64x1xf32> -> tensor<64x64xf32>
      %188 = tt.broadcast %176 : tensor<1x64xf32> -> tensor<64x64xf32>
      %189 = arith.subf %187, %188 : tensor<64x64xf32>
      %190 = tt.splat %166 : f32 -> tensor<64x64xf32>
      %191 = arith.select %186, %189, %190 : tensor<64x64xi1>, tensor<64x64xf32>
      %192 = math.exp2 %191 : tensor<64x64xf32>
      %193 = arith.mulf %117, %192 : tensor<64x64xf32>
      %194 = tt.expand_dims %139 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %195 = tt.broadcast %194 : tensor<1x64xf32> -> tensor<64x64xf32>
      %196 = arith.mulf %193, %195 : tensor<64x64xf32>
      %197 = arith.truncf %196 : tensor<64x64xf32> to tensor<64x64xbf16>
      %199 = arith.muli %12, %198 : i32
      %200 = tt.addptr %57, %199 : !tt.ptr<bf16>, i32
      %201 = arith.muli %118, %11 : i32
      %202 = tt.addptr %200, %201 : !tt.ptr<bf16>, i32
      %203 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %204 = tt.expand_dims %203 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %205 = tt.splat %198 : i32 -> tensor<64x1xi32>
      %206 = arith.muli %204, %205 : tensor<64x1xi32>
      %207 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %208 = tt.expand_dims %207 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %209 = tt.broadcast %206 : tensor<64x1xi32> -> tensor<64x64xi32>
      %210 = tt.broadcast %208 : tensor<1x64xi32> -> tensor<64x64xi32>
      %211 = arith.addi %209, %210 : tensor<64x64xi32>
      %212 = tt.splat %202 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %213 = tt.addptr %212, %211 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %214 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %215 = tt.broadcast %214 : tensor<64x1xi1> -> tensor<64x64xi1>
      %216 = tt.splat %91 : bf16 -> tensor<64x64xbf16>
      %217 = tt.load %213, %215, %216 : tensor<64x64x!tt.ptr<bf16>>
      %218 = tt.dot %197, %217, %172, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %219 = arith.muli %12, %198 : i32
      %220 = tt.addptr %59, %219 : !tt.ptr<bf16>, i32
      %221 = arith.muli %118, %11 : i32
      %222 = tt.addptr %220, %221 : !tt.ptr<bf16>, i32
      %223 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %224 = tt.expand_dims %223 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %225 = tt.splat %198 : i32 -> tensor<64x1xi32>
      %226 = arith.muli %224, %225 : tensor<64x1xi32>
      %227 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %228 = tt.expand_dims %227 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %229 = tt.broadcast %226 : tensor<64x1xi32> -> tensor<64x64xi32>
      %230 = tt.broadcast %228 : tensor<1x64xi32> -> tensor<64x64xi32>
      %231 = arith.addi %229, %230 : tensor<64x64xi32>
      %232 = tt.splat %222 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %233 = tt.addptr %232, %231 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %234 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %235 = arith.truncf %218 : tensor<64x64xf32> to tensor<64x64xbf16>
      %236 = tt.broadcast %234 : tensor<64x1xi1> -> tensor<64x64xi1>
      tt.store %233, %235, %236 : tensor<64x64x!tt.ptr<bf16>>
    }
    tt.return
  }
}
