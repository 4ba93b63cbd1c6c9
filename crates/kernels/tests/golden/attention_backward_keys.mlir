module {
  tt.func public @attention_backward_keys(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dk: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dv: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 128 : i64
    %7 = arith.constant 16384 : i64
    %21 = arith.constant 64 : i32
    %27 = arith.constant 63 : i32
    %29 = arith.constant 128 : i32
    %32 = arith.constant 0 : i32
    %86 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %91 = arith.constant 1 : i32
    %118 = arith.constant 2 : i64
    %127 = arith.constant 1.442695e0 : f32
    %131 = arith.constant 1.8033688e-1 : f32
    %139 = arith.constant 0.0e0 : f32
    %260 = arith.constant 1.25e-1 : f32
    %3 = tt.get_program_id z : i32
    %4 = arith.extsi %3 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %8 = arith.muli %4, %7 : i64
    %9 = tt.addptr %q, %8 : !tt.ptr<bf16>, i64
    %10 = arith.muli %4, %7 : i64
    %11 = tt.addptr %k, %10 : !tt.ptr<bf16>, i64
    %12 = arith.muli %4, %7 : i64
    %13 = tt.addptr %v, %12 : !tt.ptr<bf16>, i64
    %19 = tt.get_program_id x : i32
    %20 = tt.get_program_id y : i32
    %22 = arith.muli %20, %21 : i32
    %23 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %24 = tt.splat %22 : i32 -> tensor<64xi32>
    %25 = arith.addi %24, %23 : tensor<64xi32>
    %26 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %28 = arith.addi %22, %27 : i32
    %30 = tt.splat %29 : i32 -> tensor<64x1xi32>
    %31 = arith.cmpi slt, %26, %30 : tensor<64x1xi32>
    %33 = arith.maxsi %22, %32 : i32
    %34 = arith.maxsi %28, %32 : i32
    %35 = arith.addi %34, %27 : i32
    %36 = arith.divsi %35, %21 : i32
    %37 = arith.muli %36, %21 : i32
    %38 = arith.maxsi %29, %32 : i32
    %39 = arith.divsi %38, %21 : i32
    %40 = arith.muli %39, %21 : i32
    %41 = arith.divsi %33, %21 : i32
    %42 = arith.muli %41, %21 : i32
    %43 = arith.maxsi %40, %37 : i32
    %44 = arith.muli %19, %21 : i32
    %45 = tt.addptr %11, %44 : !tt.ptr<bf16>, i32
    %46 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %47 = tt.expand_dims %46 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %48 = arith.muli %22, %29 : i32
    %49 = tt.addptr %45, %48 : !tt.ptr<bf16>, i32
    %50 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %51 = tt.splat %32 : i32 -> tensor<64xi32>
    %52 = arith.addi %50, %51 : tensor<64xi32>
    %53 = tt.expand_dims %52 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %54 = tt.splat %29 : i32 -> tensor<64x1xi32>
    %55 = arith.muli %47, %54 : tensor<64x1xi32>
    %56 = tt.broadcast %55 : tensor<64x1xi32> -> tensor<64x64xi32>
    %57 = tt.broadcast %53 : tensor<1x64xi32> -> tensor<64x64xi32>
    %58 = arith.addi %56, %57 : tensor<64x64xi32>
    %59 = tt.splat %49 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %60 = tt.addptr %59, %58 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %61 = tt.load %60 : tensor<64x64x!tt.ptr<bf16>>
    %62 = arith.muli %19, %21 : i32
    %63 = tt.addptr %13, %62 : !tt.ptr<bf16>, i32
    %64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %65 = tt.expand_dims %64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %66 = arith.muli %22, %29 : i32
    %67 = tt.addptr %63, %66 : !tt.ptr<bf16>, i32
    %68 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %69 = tt.splat %32 : i32 -> tensor<64xi32>
    %70 = arith.addi %68, %69 : tensor<64xi32>
    %71 = tt.expand_dims %70 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %72 = tt.splat %29 : i32 -> tensor<64x1xi32>
    %73 = arith.muli %65, %72 : tensor<64x1xi32>
    %74 = tt.broadcast %73 : tensor<64x1xi32> -> tensor<64x64xi32>
    %75 = tt.broadcast %71 : tensor<1x64xi32> -> tensor<64x64xi32>
    %76 = arith.addi %74, %75 : tensor<64x64xi32>
    %77 = tt.splat %67 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %78 = tt.addptr %77, %76 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %79 = tt.load %78 : tensor<64x64x!tt.ptr<bf16>>
    %80 = arith.muli %4, %7 : i64
    %81 = tt.addptr %ct, %80 : !tt.ptr<bf16>, i64
    %82 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %83 = tt.splat %22 : i32 -> tensor<64xi32>
    %84 = arith.addi %83, %82 : tensor<64xi32>
    %85 = tt.expand_dims %84 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %87 = arith.minsi %37, %29 : i32
    %177:2 = scf.for %88 = %42 to %87 step %21 iter_args(%89 = %86, %90 = %86) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %92 = arith.muli %19, %91 : i32
      %93 = arith.addi %92, %32 : i32
      %94 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %95 = tt.splat %88 : i32 -> tensor<64xi32>
      %96 = arith.addi %95, %94 : tensor<64xi32>
      %97 = tt.expand_dims %96 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %98 = arith.muli %93, %21 : i32
      %99 = tt.addptr %9, %98 : !tt.ptr<bf16>, i32
      %100 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %101 = tt.expand_dims %100 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %102 = arith.muli %88, %29 : i32
      %103 = tt.addptr %99, %102 : !tt.ptr<bf16>, i32
      %104 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %105 = tt.splat %32 : i32 -> tensor<64xi32>
      %106 = arith.addi %104, %105 : tensor<64xi32>
      %107 = tt.expand_dims %106 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %108 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %109 = arith.muli %101, %108 : tensor<64x1xi32>
      %110 = tt.broadcast %109 : tensor<64x1xi32> -> tensor<64x64xi32>
      %111 = tt.broadcast %107 : tensor<1x64xi32> -> tensor<64x64xi32>
      %112 = arith.addi %110, %111 : tensor<64x64xi32>
      %113 = tt.splat %103 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %114 = tt.addptr %113, %112 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %115 = tt.load %114 : tensor<64x64x!tt.ptr<bf16>>
      %116 = tt.trans %115 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %117 = tt.dot %61, %116, %86, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %119 = arith.muli %4, %118 : i64
      %120 = arith.extsi %93 : i32 to i64
      %121 = arith.addi %119, %120 : i64
      %122 = arith.muli %121, %5 : i64
      %123 = tt.addptr %rows, %122 : !tt.ptr<f32>, i64
      %124 = tt.splat %123 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %125 = tt.addptr %124, %97 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %126 = tt.load %125 : tensor<1x64x!tt.ptr<f32>>
      %128 = tt.splat %127 : f32 -> tensor<1x64xf32>
      %129 = arith.mulf %126, %128 : tensor<1x64xf32>
      %130 = arith.negf %129 : tensor<1x64xf32>
      %132 = tt.splat %131 : f32 -> tensor<64x64xf32>
      %133 = tt.broadcast %130 : tensor<1x64xf32> -> tensor<64x64xf32>
      %134 = math.fma %117, %132, %133 : tensor<64x64xf32>
      %135 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %134 : tensor<64x64xf32> -> tensor<64x64xf32>
      %136 = tt.broadcast %97 : tensor<1x64xi32> -> tensor<64x64xi32>
      %137 = tt.broadcast %26 : tensor<64x1xi32> -> tensor<64x64xi32>
      %138 = arith.cmpi sge, %136, %137 : tensor<64x64xi32>
      %140 = tt.splat %139 : f32 -> tensor<64x64xf32>
      %141 = arith.select %138, %135, %140 : tensor<64x64xi1>, tensor<64x64xf32>
      %142 = arith.muli %93, %21 : i32
      %143 = tt.addptr %81, %142 : !tt.ptr<bf16>, i32
      %144 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %145 = tt.expand_dims %144 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %146 = arith.muli %88, %29 : i32
      %147 = tt.addptr %143, %146 : !tt.ptr<bf16>, i32
      %148 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %149 = tt.splat %32 : i32 -> tensor<64xi32>
      %150 = arith.addi %148, %149 : tensor<64xi32>
      %151 = tt.expand_dims %150 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %152 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %153 = arith.muli %145, %152 : tensor<64x1xi32>
      %154 = tt.broadcast %153 : tensor<64x1xi32> -> tensor<64x64xi32>
      %155 = tt.broadcast %151 : tensor<1x64xi32> -> tensor<64x64xi32>
      %156 = arith.addi %154, %155 : tensor<64x64xi32>
      %157 = tt.splat %147 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %158 = tt.addptr %157, %156 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %159 = tt.load %158 : tensor<64x64x!tt.ptr<bf16>>
      %160 = arith.truncf %141 : tensor<64x64xf32> to tensor<64x64xbf16>
      %161 = tt.dot %160, %159, %90, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %162 = tt.trans %159 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %163 = tt.dot %79, %162, %86, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %164 = arith.muli %4, %118 : i64
      %165 = arith.extsi %93 : i32 to i64
      %166 = arith.addi %164, %165 : i64
      %167 = arith.muli %166, %5 : i64
      %168 = tt.addptr %means, %167 : !tt.ptr<f32>, i64
      %169 = tt.splat %168 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %170 = tt.addptr %169, %97 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %171 = tt.load %170 : tensor<1x64x!tt.ptr<f32>>
      %172 = tt.broadcast %171 : tensor<1x64xf32> -> tensor<64x64xf32>
      %173 = arith.subf %163, %172 : tensor<64x64xf32>
      %174 = arith.mulf %141, %173 : tensor<64x64xf32>
      %175 = arith.truncf %174 : tensor<64x64xf32> to tensor<64x64xbf16>
      %176 = tt.dot %175, %115, %89, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %176, %161 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %258:2 = scf.for %179 = %37 to %43 step %21 iter_args(%180 = %177#0, %181 = %177#1) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %182 = arith.muli %19, %91 : i32
      %183 = arith.addi %182, %32 : i32
      %184 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %185 = tt.splat %179 : i32 -> tensor<64xi32>
      %186 = arith.addi %185, %184 : tensor<64xi32>
      %187 = tt.expand_dims %186 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %188 = arith.muli %183, %21 : i32
      %189 = tt.addptr %9, %188 : !tt.ptr<bf16>, i32
      %190 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %191 = tt.expand_dims %190 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %192 = arith.muli %179, %29 : i32
      %193 = tt.addptr %189, %192 : !tt.ptr<bf16>, i32
      %194 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %195 = tt.splat %32 : i32 -> tensor<64xi32>
      %196 = arith.addi %194, %195 : tensor<64xi32>
      %197 = tt.expand_dims %196 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %198 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %199 = arith.muli %191, %198 : tensor<64x1xi32>
      %200 = tt.broadcast %199 : tensor<64x1xi32> -> tensor<64x64xi32>
      %201 = tt.broadcast %197 : tensor<1x64xi32> -> tensor<64x64xi32>
      %202 = arith.addi %200, %201 : tensor<64x64xi32>
      %203 = tt.splat %193 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %204 = tt.addptr %203, %202 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %205 = tt.load %204 : tensor<64x64x!tt.ptr<bf16>>
      %206 = tt.trans %205 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %207 = tt.dot %61, %206, %86, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %208 = arith.muli %4, %118 : i64
      %209 = arith.extsi %183 : i32 to i64
      %210 = arith.addi %208, %209 : i64
      %211 = arith.muli %210, %5 : i64
      %212 = tt.addptr %rows, %211 : !tt.ptr<f32>, i64
      %213 = tt.splat %212 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %214 = tt.addptr %213, %187 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %215 = tt.load %214 : tensor<1x64x!tt.ptr<f32>>
      %216 = tt.splat %127 : f32 -> tensor<1x64xf32>
      %217 = arith.mulf %215, %216 : tensor<1x64xf32>
      %218 = arith.negf %217 : tensor<1x64xf32>
      %219 = tt.splat %131 : f32 -> tensor<64x64xf32>
      %220 = tt.broadcast %218 : tensor<1x64xf32> -> tensor<64x64xf32>
      %221 = math.fma %207, %219, %220 : tensor<64x64xf32>
      %222 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %221 : tensor<64x64xf32> -> tensor<64x64xf32>
      %223 = arith.muli %183, %21 : i32
      %224 = tt.addptr %81, %223 : !tt.ptr<bf16>, i32
      %225 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %226 = tt.expand_dims %225 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %227 = arith.muli %179, %29 : i32
      %228 = tt.addptr %224, %227 : !tt.ptr<bf16>, i32
      %229 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %230 = tt.splat %32 : i32 -> tensor<64xi32>
      %231 = arith.addi %229, %230 : tensor<64xi32>
      %232 = tt.expand_dims %231 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %233 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %234 = arith.muli %226, %233 : tensor<64x1xi32>
      %235 = tt.broadcast %234 : tensor<64x1xi32> -> tensor<64x64xi32>
      %236 = tt.broadcast %232 : tensor<1x64xi32> -> tensor<64x64xi32>
      %237 = arith.addi %235, %236 : tensor<64x64xi32>
      %238 = tt.splat %228 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %239 = tt.addptr %238, %237 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %240 = tt.load %239 : tensor<64x64x!tt.ptr<bf16>>
      %241 = arith.truncf %222 : tensor<64x64xf32> to tensor<64x64xbf16>
      %242 = tt.dot %241, %240, %181, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %243 = tt.trans %240 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %244 = tt.dot %79, %243, %86, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %245 = arith.muli %4, %118 : i64
      %246 = arith.extsi %183 : i32 to i64
      %247 = arith.addi %245, %246 : i64
      %248 = arith.muli %247, %5 : i64
      %249 = tt.addptr %means, %248 : !tt.ptr<f32>, i64
      %250 = tt.splat %249 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %251 = tt.addptr %250, %187 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %252 = tt.load %251 : tensor<1x64x!tt.ptr<f32>>
      %253 = tt.broadcast %252 : tensor<1x64xf32> -> tensor<64x64xf32>
      %254 = arith.subf %244, %253 : tensor<64x64xf32>
      %255 = arith.mulf %222, %254 : tensor<64x64xf32>
      %256 = arith.truncf %255 : tensor<64x64xf32> to tensor<64x64xbf16>
      %257 = tt.dot %256, %205, %180, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %257, %242 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %261 = tt.splat %260 : f32 -> tensor<64x64xf32>
    %262 = arith.mulf %258#0, %261 : tensor<64x64xf32>
    %263 = arith.muli %4, %7 : i64
    %264 = tt.addptr %dk, %263 : !tt.ptr<bf16>, i64
    %265 = arith.muli %19, %21 : i32
    %266 = tt.addptr %264, %265 : !tt.ptr<bf16>, i32
    %267 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %268 = tt.expand_dims %267 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %269 = arith.muli %22, %29 : i32
    %270 = tt.addptr %266, %269 : !tt.ptr<bf16>, i32
    %271 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %272 = tt.splat %32 : i32 -> tensor<64xi32>
    %273 = arith.addi %271, %272 : tensor<64xi32>
    %274 = tt.expand_dims %273 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %275 = tt.splat %29 : i32 -> tensor<64x1xi32>
    %276 = arith.muli %268, %275 : tensor<64x1xi32>
    %277 = tt.broadcast %276 : tensor<64x1xi32> -> tensor<64x64xi32>
    %278 = tt.broadcast %274 : tensor<1x64xi32> -> tensor<64x64xi32>
    %279 = arith.addi %277, %278 : tensor<64x64xi32>
    %280 = tt.splat %270 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %281 = tt.addptr %280, %279 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %282 = arith.truncf %262 : tensor<64x64xf32> to tensor<64x64xbf16>
    tt.store %281, %282 : tensor<64x64x!tt.ptr<bf16>>
    %283 = arith.muli %4, %7 : i64
    %284 = tt.addptr %dv, %283 : !tt.ptr<bf16>, i64
    %285 = arith.muli %19, %21 : i32
    %286 = tt.addptr %284, %285 : !tt.ptr<bf16>, i32
    %287 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %288 = tt.expand_dims %287 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %289 = arith.muli %22, %29 : i32
    %290 = tt.addptr %286, %289 : !tt.ptr<bf16>, i32
    %291 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %292 = tt.splat %32 : i32 -> tensor<64xi32>
    %293 = arith.addi %291, %292 : tensor<64xi32>
    %294 = tt.expand_dims %293 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %295 = tt.splat %29 : i32 -> tensor<64x1xi32>
    %296 = arith.muli %288, %295 : tensor<64x1xi32>
    %297 = tt.broadcast %296 : tensor<64x1xi32> -> tensor<64x64xi32>
    %298 = tt.broadcast %294 : tensor<1x64xi32> -> tensor<64x64xi32>
    %299 = arith.addi %297, %298 : tensor<64x64xi32>
    %300 = tt.splat %290 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %301 = tt.addptr %300, %299 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %302 = arith.truncf %258#1 : tensor<64x64xf32> to tensor<64x64xbf16>
    tt.store %301, %302 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
