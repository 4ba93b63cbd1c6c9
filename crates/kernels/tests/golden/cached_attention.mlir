module {
  tt.func public @cached_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %last: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 2 : i32
    %13 = arith.constant 1 : i32
    %15 = arith.constant 150 : i32
    %17 = arith.constant 0 : i32
    %18 = arith.constant 100 : i32
    %21 = arith.constant 64 : i32
    %25 = arith.constant 32 : i32
    %30 = arith.constant 3 : i32
    %37 = arith.constant 240 : i64
    %41 = arith.constant 80 : i32
    %51 = arith.constant 0.0e0 : bf16
    %71 = arith.constant 16000 : i64
    %76 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %77 = arith.constant dense<0.0e0> : tensor<16xf32>
    %78 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %79 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %129 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %134 = arith.constant 8.333334e-3 : f32
    %137 = arith.constant 2.88539e0 : f32
    %141 = arith.constant dense<1.0e0> : tensor<16x32xf32>
    %142 = arith.constant dense<2.0e0> : tensor<16x32xf32>
    %143 = arith.constant 1.0e0 : f32
    %149 = arith.constant -2.3104905e28 : f32
    %157 = arith.constant 4.328085e1 : f32
    %224 = arith.constant 3 : i64
    %230 = arith.constant 80 : i64
    %4 = tt.get_program_id x : i32
    %5 = tt.get_program_id y : i32
    %6 = tt.get_program_id z : i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %8, %5 : i32
    %10 = arith.extsi %9 : i32 to i64
    %11 = tt.addptr %last, %6 : !tt.ptr<i32>, i32
    %12 = tt.load %11 : !tt.ptr<i32>
    %14 = arith.addi %12, %13 : i32
    %16 = arith.minsi %14, %15 : i32
    %19 = arith.subi %16, %18 : i32
    %20 = arith.maxsi %19, %17 : i32
    %22 = arith.muli %4, %21 : i32
    %23 = arith.addi %22, %21 : i32
    %24 = arith.minsi %16, %23 : i32
    %26 = arith.divsi %20, %25 : i32
    %27 = arith.muli %26, %25 : i32
    %28 = arith.maxsi %22, %27 : i32
    %29 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %31 = tt.splat %30 : i32 -> tensor<16xi32>
    %32 = arith.cmpi slt, %29, %31 : tensor<16xi32>
    %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %34 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %35 = tt.splat %17 : i32 -> tensor<64xi32>
    %36 = arith.addi %34, %35 : tensor<64xi32>
    %38 = arith.muli %10, %37 : i64
    %39 = tt.addptr %q, %38 : !tt.ptr<bf16>, i64
    %40 = tt.expand_dims %29 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %42 = tt.splat %41 : i32 -> tensor<16x1xi32>
    %43 = arith.muli %40, %42 : tensor<16x1xi32>
    %44 = tt.expand_dims %36 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %45 = tt.broadcast %43 : tensor<16x1xi32> -> tensor<16x64xi32>
    %46 = tt.broadcast %44 : tensor<1x64xi32> -> tensor<16x64xi32>
    %47 = arith.addi %45, %46 : tensor<16x64xi32>
    %48 = tt.splat %39 : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %49 = tt.addptr %48, %47 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %50 = tt.broadcast %33 : tensor<16x1xi1> -> tensor<16x64xi1>
    %52 = tt.splat %51 : bf16 -> tensor<16x64xbf16>
    %53 = tt.load %49, %50, %52 : tensor<16x64x!tt.ptr<bf16>>
    %54 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %55 = tt.splat %21 : i32 -> tensor<16xi32>
    %56 = arith.addi %54, %55 : tensor<16xi32>
    %57 = arith.muli %10, %37 : i64
    %58 = tt.addptr %q, %57 : !tt.ptr<bf16>, i64
    %59 = tt.expand_dims %29 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %60 = tt.splat %41 : i32 -> tensor<16x1xi32>
    %61 = arith.muli %59, %60 : tensor<16x1xi32>
    %62 = tt.expand_dims %56 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %63 = tt.broadcast %61 : tensor<16x1xi32> -> tensor<16x16xi32>
    %64 = tt.broadcast %62 : tensor<1x16xi32> -> tensor<16x16xi32>
    %65 = arith.addi %63, %64 : tensor<16x16xi32>
    %66 = tt.splat %58 : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %67 = tt.addptr %66, %65 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi32>
    %68 = tt.broadcast %33 : tensor<16x1xi1> -> tensor<16x16xi1>
    %69 = tt.splat %51 : bf16 -> tensor<16x16xbf16>
    %70 = tt.load %67, %68, %69 : tensor<16x16x!tt.ptr<bf16>>
    %72 = arith.muli %10, %71 : i64
    %73 = tt.addptr %k, %72 : !tt.ptr<bf16>, i64
    %74 = arith.muli %10, %71 : i64
    %75 = tt.addptr %v, %74 : !tt.ptr<bf16>, i64
    %216:4 = scf.for %80 = %28 to %24 step %25 iter_args(%81 = %76, %82 = %77, %83 = %78, %84 = %79) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %85 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %86 = tt.splat %80 : i32 -> tensor<32xi32>
      %87 = arith.addi %86, %85 : tensor<32xi32>
      %88 = tt.splat %20 : i32 -> tensor<32xi32>
      %89 = arith.cmpi sge, %87, %88 : tensor<32xi32>
      %90 = tt.splat %24 : i32 -> tensor<32xi32>
      %91 = arith.cmpi slt, %87, %90 : tensor<32xi32>
      %92 = arith.andi %89, %91 : tensor<32xi1>
      %93 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %94 = tt.splat %17 : i32 -> tensor<64xi32>
      %95 = arith.addi %93, %94 : tensor<64xi32>
      %96 = tt.expand_dims %87 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %97 = tt.splat %41 : i32 -> tensor<32x1xi32>
      %98 = arith.muli %96, %97 : tensor<32x1xi32>
      %99 = tt.expand_dims %95 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %100 = tt.broadcast %98 : tensor<32x1xi32> -> tensor<32x64xi32>
      %101 = tt.broadcast %99 : tensor<1x64xi32> -> tensor<32x64xi32>
      %102 = arith.addi %100, %101 : tensor<32x64xi32>
      %103 = tt.splat %73 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %104 = tt.addptr %103, %102 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %105 = tt.expand_dims %92 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %106 = tt.broadcast %105 : tensor<32x1xi1> -> tensor<32x64xi1>
      %107 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %108 = tt.splat %21 : i32 -> tensor<16xi32>
      %109 = arith.addi %107, %108 : tensor<16xi32>
      %110 = tt.expand_dims %87 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %111 = tt.splat %41 : i32 -> tensor<32x1xi32>
      %112 = arith.muli %110, %111 : tensor<32x1xi32>
      %113 = tt.expand_dims %109 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %114 = tt.broadcast %112 : tensor<32x1xi32> -> tensor<32x16xi32>
      %115 = tt.broadcast %113 : tensor<1x16xi32> -> tensor<32x16xi32>
      %116 = arith.addi %114, %115 : tensor<32x16xi32>
      %117 = tt.splat %73 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %118 = tt.addptr %117, %116 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %119 = tt.expand_dims %92 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %120 = tt.broadcast %119 : tensor<32x1xi1> -> tensor<32x16xi1>
      %121 = tt.trans %104 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %122 = tt.trans %106 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %123 = tt.splat %51 : bf16 -> tensor<64x32xbf16>
      %124 = tt.load %121, %122, %123 : tensor<64x32x!tt.ptr<bf16>>
      %125 = tt.trans %118 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %126 = tt.trans %120 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %127 = tt.splat %51 : bf16 -> tensor<16x32xbf16>
      %128 = tt.load %125, %126, %127 : tensor<16x32x!tt.ptr<bf16>>
      %130 = tt.dot %53, %124, %129, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %131 = tt.dot %70, %128, %130, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %132 = tt.expand_dims %29 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %133 = tt.expand_dims %87 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %135 = tt.splat %134 : f32 -> tensor<16x32xf32>
      %136 = arith.mulf %131, %135 : tensor<16x32xf32>
      %138 = tt.splat %137 : f32 -> tensor<16x32xf32>
      %139 = arith.mulf %136, %138 : tensor<16x32xf32>
      %140 = math.exp2 %139 : tensor<16x32xf32>
      %144 = tt.splat %143 : f32 -> tensor<16x32xf32>
      %145 = arith.addf %140, %144 : tensor<16x32xf32>
      %146 = arith.divf %142, %145 : tensor<16x32xf32>
      %147 = arith.subf %141, %146 : tensor<16x32xf32>
      %148 = tt.expand_dims %92 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %150 = tt.splat %149 : f32 -> tensor<16x32xf32>
      %151 = tt.broadcast %148 : tensor<1x32xi1> -> tensor<16x32xi1>
      %152 = arith.select %151, %147, %150 : tensor<16x32xi1>, tensor<16x32xf32>
      %156 = "tt.reduce"(%152) <{axis = 1 : i32}> ({
      ^bb0(%153: f32, %154: f32):
        %155 = arith.maxnumf %153, %154 : f32
        tt.reduce.return %155 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %158 = tt.splat %157 : f32 -> tensor<16xf32>
      %159 = arith.mulf %156, %158 : tensor<16xf32>
      %160 = arith.maxnumf %81, %159 : tensor<16xf32>
      %161 = tt.expand_dims %160 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %162 = arith.negf %161 : tensor<16x1xf32>
      %163 = tt.splat %157 : f32 -> tensor<16x32xf32>
      %164 = tt.broadcast %162 : tensor<16x1xf32> -> tensor<16x32xf32>
      %165 = math.fma %152, %163, %164 : tensor<16x32xf32>
      %166 = math.exp2 %165 : tensor<16x32xf32>
      %167 = arith.subf %81, %160 : tensor<16xf32>
      %168 = math.exp2 %167 : tensor<16xf32>
      %169 = arith.mulf %82, %168 : tensor<16xf32>
      %173 = "tt.reduce"(%166) <{axis = 1 : i32}> ({
      ^bb0(%170: f32, %171: f32):
        %172 = arith.addf %170, %171 : f32
        tt.reduce.return %172 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %174 = arith.addf %169, %173 : tensor<16xf32>
      %175 = arith.truncf %166 : tensor<16x32xf32> to tensor<16x32xbf16>
      %176 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %177 = tt.splat %17 : i32 -> tensor<64xi32>
      %178 = arith.addi %176, %177 : tensor<64xi32>
      %179 = tt.expand_dims %87 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %180 = tt.splat %41 : i32 -> tensor<32x1xi32>
      %181 = arith.muli %179, %180 : tensor<32x1xi32>
      %182 = tt.expand_dims %178 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %183 = tt.broadcast %181 : tensor<32x1xi32> -> tensor<32x64xi32>
      %184 = tt.broadcast %182 : tensor<1x64xi32> -> tensor<32x64xi32>
      %185 = arith.addi %183, %184 : tensor<32x64xi32>
      %186 = tt.splat %75 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %187 = tt.addptr %186, %185 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %188 = tt.expand_dims %92 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %189 = tt.broadcast %188 : tensor<32x1xi1> -> tensor<32x64xi1>
      %190 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %191 = tt.splat %21 : i32 -> tensor<16xi32>
      %192 = arith.addi %190, %191 : tensor<16xi32>
      %193 = tt.expand_dims %87 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %194 = tt.splat %41 : i32 -> tensor<32x1xi32>
      %195 = arith.muli %193, %194 : tensor<32x1xi32>
      %196 = tt.expand_dims %192 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %197 = tt.broadcast %195 : tensor<32x1xi32> -> tensor<32x16xi32>
      %198 = tt.broadcast %196 : tensor<1x16xi32> -> tensor<32x16xi32>
      %199 = arith.addi %197, %198 : tensor<32x16xi32>
      %200 = tt.splat %75 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %201 = tt.addptr %200, %199 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %202 = tt.expand_dims %92 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %203 = tt.broadcast %202 : tensor<32x1xi1> -> tensor<32x16xi1>
      %204 = tt.splat %51 : bf16 -> tensor<32x64xbf16>
      %205 = tt.load %187, %189, %204 : tensor<32x64x!tt.ptr<bf16>>
      %206 = tt.expand_dims %168 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %207 = tt.broadcast %206 : tensor<16x1xf32> -> tensor<16x64xf32>
      %208 = arith.mulf %83, %207 : tensor<16x64xf32>
      %209 = tt.dot %175, %205, %208, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %210 = tt.splat %51 : bf16 -> tensor<32x16xbf16>
      %211 = tt.load %201, %203, %210 : tensor<32x16x!tt.ptr<bf16>>
      %212 = tt.expand_dims %168 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %213 = tt.broadcast %212 : tensor<16x1xf32> -> tensor<16x16xf32>
      %214 = arith.mulf %84, %213 : tensor<16x16xf32>
      %215 = tt.dot %175, %211, %214, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %160, %174, %209, %215 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %220 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %221 = arith.muli %9, %30 : i32
    %222 = arith.addi %221, %4 : i32
    %223 = arith.extsi %222 : i32 to i64
    %225 = arith.muli %223, %224 : i64
    %227 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %228 = tt.splat %17 : i32 -> tensor<64xi32>
    %229 = arith.addi %227, %228 : tensor<64xi32>
    %231 = arith.muli %225, %230 : i64
    %232 = tt.addptr %sums, %231 : !tt.ptr<f32>, i64
    %233 = tt.expand_dims %220 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %234 = tt.splat %41 : i32 -> tensor<16x1xi32>
    %235 = arith.muli %233, %234 : tensor<16x1xi32>
    %236 = tt.expand_dims %229 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %237 = tt.broadcast %235 : tensor<16x1xi32> -> tensor<16x64xi32>
    %238 = tt.broadcast %236 : tensor<1x64xi32> -> tensor<16x64xi32>
    %239 = arith.addi %237, %238 : tensor<16x64xi32>
    %240 = tt.splat %232 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %241 = tt.addptr %240, %239 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %242 = tt.broadcast %33 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %241, %216#2, %242 : tensor<16x64x!tt.ptr<f32>>
    %243 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %244 = tt.splat %21 : i32 -> tensor<16xi32>
    %245 = arith.addi %243, %244 : tensor<16xi32>
    %246 = arith.muli %225, %230 : i64
    %247 = tt.addptr %sums, %246 : !tt.ptr<f32>, i64
    %248 = tt.expand_dims %220 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %249 = tt.splat %41 : i32 -> tensor<16x1xi32>
    %250 = arith.muli %248, %249 : tensor<16x1xi32>
    %251 = tt.expand_dims %245 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %252 = tt.broadcast %250 : tensor<16x1xi32> -> tensor<16x16xi32>
    %253 = tt.broadcast %251 : tensor<1x16xi32> -> tensor<16x16xi32>
    %254 = arith.addi %252, %253 : tensor<16x16xi32>
    %255 = tt.splat %247 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %256 = tt.addptr %255, %254 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %257 = tt.broadcast %33 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %256, %216#3, %257 : tensor<16x16x!tt.ptr<f32>>
    %258 = tt.splat %30 : i32 -> tensor<16xi32>
    %259 = arith.cmpi slt, %220, %258 : tensor<16xi32>
    %261 = tt.addptr %greatest, %225 : !tt.ptr<f32>, i64
    %262 = tt.splat %261 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %263 = tt.addptr %262, %220 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %263, %216#0, %259 : tensor<16x!tt.ptr<f32>>
    %265 = tt.addptr %totals, %225 : !tt.ptr<f32>, i64
    %266 = tt.splat %265 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %267 = tt.addptr %266, %220 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %267, %216#1, %259 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @cached_attention_join(%sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 2 : i32
    %11 = arith.constant 3 : i32
    %23 = arith.constant 0 : i32
    %26 = arith.constant -2.0e29 : f32
    %31 = arith.constant 0.0e0 : f32
    %47 = arith.constant 1.0e0 : f32
    %50 = arith.constant 80 : i32
    %60 = arith.constant 80 : i64
    %4 = tt.get_program_id x : i32
    %5 = tt.get_program_id y : i32
    %6 = tt.get_program_id z : i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %8, %5 : i32
    %10 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %12 = tt.splat %11 : i32 -> tensor<4xi32>
    %13 = arith.cmpi slt, %10, %12 : tensor<4xi32>
    %14 = arith.muli %9, %11 : i32
    %15 = tt.splat %14 : i32 -> tensor<4xi32>
    %16 = arith.addi %15, %10 : tensor<4xi32>
    %17 = tt.splat %11 : i32 -> tensor<4xi32>
    %18 = arith.muli %16, %17 : tensor<4xi32>
    %19 = tt.splat %4 : i32 -> tensor<4xi32>
    %20 = arith.addi %18, %19 : tensor<4xi32>
    %21 = tt.splat %greatest : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %22 = tt.addptr %21, %20 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %24 = tt.splat %23 : i32 -> tensor<4xi32>
    %25 = arith.cmpi sge, %10, %24 : tensor<4xi32>
    %27 = tt.splat %26 : f32 -> tensor<4xf32>
    %28 = tt.load %22, %13, %27 : tensor<4x!tt.ptr<f32>>
    %29 = tt.splat %totals : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %30 = tt.addptr %29, %20 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %32 = tt.splat %31 : f32 -> tensor<4xf32>
    %33 = tt.load %30, %13, %32 : tensor<4x!tt.ptr<f32>>
    %37 = "tt.reduce"(%28) <{axis = 0 : i32}> ({
    ^bb0(%34: f32, %35: f32):
      %36 = arith.maxnumf %34, %35 : f32
      tt.reduce.return %36 : f32
    }) : (tensor<4xf32>) -> (f32)
    %38 = tt.splat %37 : f32 -> tensor<4xf32>
    %39 = arith.subf %28, %38 : tensor<4xf32>
    %40 = math.exp2 %39 : tensor<4xf32>
    %41 = arith.mulf %40, %33 : tensor<4xf32>
    %45 = "tt.reduce"(%41) <{axis = 0 : i32}> ({
    ^bb0(%42: f32, %43: f32):
      %44 = arith.addf %42, %43 : f32
      tt.reduce.return %44 : f32
    }) : (tensor<4xf32>) -> (f32)
    %46 = arith.cmpf oeq, %45, %31 : f32
    %48 = arith.select %46, %47, %45 : f32
    %49 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %51 = tt.splat %50 : i32 -> tensor<128xi32>
    %52 = arith.cmpi slt, %49, %51 : tensor<128xi32>
    %53 = tt.expand_dims %13 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %54 = tt.expand_dims %52 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
    %55 = tt.broadcast %53 : tensor<4x1xi1> -> tensor<4x128xi1>
    %56 = tt.broadcast %54 : tensor<1x128xi1> -> tensor<4x128xi1>
    %57 = arith.andi %55, %56 : tensor<4x128xi1>
    %58 = tt.expand_dims %20 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %59 = arith.extsi %58 : tensor<4x1xi32> to tensor<4x1xi64>
    %61 = tt.splat %60 : i64 -> tensor<4x1xi64>
    %62 = arith.muli %59, %61 : tensor<4x1xi64>
    %63 = tt.expand_dims %49 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %64 = arith.extsi %63 : tensor<1x128xi32> to tensor<1x128xi64>
    %65 = tt.broadcast %62 : tensor<4x1xi64> -> tensor<4x128xi64>
    %66 = tt.broadcast %64 : tensor<1x128xi64> -> tensor<4x128xi64>
    %67 = arith.addi %65, %66 : tensor<4x128xi64>
    %68 = tt.splat %sums : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %69 = tt.addptr %68, %67 : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi64>
    %70 = tt.splat %31 : f32 -> tensor<4x128xf32>
    %71 = tt.load %69, %57, %70 : tensor<4x128x!tt.ptr<f32>>
    %72 = tt.expand_dims %40 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %73 = tt.broadcast %72 : tensor<4x1xf32> -> tensor<4x128xf32>
    %74 = arith.mulf %71, %73 : tensor<4x128xf32>
    %78 = "tt.reduce"(%74) <{axis = 0 : i32}> ({
    ^bb0(%75: f32, %76: f32):
      %77 = arith.addf %75, %76 : f32
      tt.reduce.return %77 : f32
    }) : (tensor<4x128xf32>) -> (tensor<128xf32>)
    %79 = tt.splat %48 : f32 -> tensor<128xf32>
    %80 = arith.divf %78, %79 : tensor<128xf32>
    %81 = arith.muli %9, %11 : i32
    %82 = arith.addi %81, %4 : i32
    %83 = arith.extsi %82 : i32 to i64
    %84 = arith.muli %83, %60 : i64
    %85 = tt.addptr %out, %84 : !tt.ptr<bf16>, i64
    %86 = arith.extsi %49 : tensor<128xi32> to tensor<128xi64>
    %87 = tt.splat %85 : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %88 = tt.addptr %87, %86 : tensor<128x!tt.ptr<bf16>>, tensor<128xi64>
    %89 = arith.truncf %80 : tensor<128xf32> to tensor<128xbf16>
    tt.store %88, %89, %52 : tensor<128x!tt.ptr<bf16>>
    tt.return
  }
}
