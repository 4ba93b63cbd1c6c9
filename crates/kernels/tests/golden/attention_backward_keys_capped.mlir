module {
  tt.func public @attention_backward_keys(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %slopes: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dk: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dv: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 100 : i64
    %10 = arith.constant 12800 : i64
    %13 = arith.constant 6400 : i64
    %27 = arith.constant 64 : i32
    %33 = arith.constant 63 : i32
    %35 = arith.constant 100 : i32
    %60 = arith.constant 0 : i32
    %114 = arith.constant 0.0e0 : bf16
    %153 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %158 = arith.constant 1 : i32
    %163 = arith.constant 2 : i32
    %186 = arith.constant 128 : i32
    %213 = arith.constant 2.5e-3 : f32
    %216 = arith.constant 2.88539e0 : f32
    %220 = arith.constant dense<1.0e0> : tensor<64x64xf32>
    %221 = arith.constant dense<2.0e0> : tensor<64x64xf32>
    %222 = arith.constant 1.0e0 : f32
    %248 = arith.constant 7.213475e-1 : f32
    %251 = arith.constant 7.213475e1 : f32
    %254 = arith.constant 2 : i64
    %264 = arith.constant 0.0e0 : f32
    %267 = arith.constant 1.442695e0 : f32
    %630 = arith.constant 1.25e-1 : f32
    %6 = tt.get_program_id z : i32
    %7 = arith.extsi %6 : i32 to i64
    %9 = arith.muli %7, %8 : i64
    %11 = arith.muli %7, %10 : i64
    %12 = tt.addptr %q, %11 : !tt.ptr<bf16>, i64
    %14 = arith.muli %7, %13 : i64
    %15 = tt.addptr %k, %14 : !tt.ptr<bf16>, i64
    %16 = arith.muli %7, %13 : i64
    %17 = tt.addptr %v, %16 : !tt.ptr<bf16>, i64
    %18 = tt.addptr %first, %9 : !tt.ptr<i32>, i64
    %19 = tt.addptr %end, %9 : !tt.ptr<i32>, i64
    %25 = tt.get_program_id x : i32
    %26 = tt.get_program_id y : i32
    %28 = arith.muli %26, %27 : i32
    %29 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %30 = tt.splat %28 : i32 -> tensor<64xi32>
    %31 = arith.addi %30, %29 : tensor<64xi32>
    %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %34 = arith.addi %28, %33 : i32
    %36 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %37 = arith.cmpi slt, %32, %36 : tensor<64x1xi32>
    %38 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %39 = tt.addptr %38, %32 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %40 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %41 = tt.load %39, %37, %40 : tensor<64x1x!tt.ptr<i32>>
    %45 = "tt.reduce"(%41) <{axis = 1 : i32}> ({
    ^bb0(%42: i32, %43: i32):
      %44 = arith.minsi %42, %43 : i32
      tt.reduce.return %44 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %49 = "tt.reduce"(%45) <{axis = 0 : i32}> ({
    ^bb0(%46: i32, %47: i32):
      %48 = arith.minsi %46, %47 : i32
      tt.reduce.return %48 : i32
    }) : (tensor<64xi32>) -> (i32)
    %53 = "tt.reduce"(%41) <{axis = 1 : i32}> ({
    ^bb0(%50: i32, %51: i32):
      %52 = arith.maxsi %50, %51 : i32
      tt.reduce.return %52 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %57 = "tt.reduce"(%53) <{axis = 0 : i32}> ({
    ^bb0(%54: i32, %55: i32):
      %56 = arith.maxsi %54, %55 : i32
      tt.reduce.return %56 : i32
    }) : (tensor<64xi32>) -> (i32)
    %58 = tt.splat %19 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %59 = tt.addptr %58, %32 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %61 = tt.splat %60 : i32 -> tensor<64x1xi32>
    %62 = tt.load %59, %37, %61 : tensor<64x1x!tt.ptr<i32>>
    %66 = "tt.reduce"(%62) <{axis = 1 : i32}> ({
    ^bb0(%63: i32, %64: i32):
      %65 = arith.minsi %63, %64 : i32
      tt.reduce.return %65 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %70 = "tt.reduce"(%66) <{axis = 0 : i32}> ({
    ^bb0(%67: i32, %68: i32):
      %69 = arith.minsi %67, %68 : i32
      tt.reduce.return %69 : i32
    }) : (tensor<64xi32>) -> (i32)
    %74 = "tt.reduce"(%62) <{axis = 1 : i32}> ({
    ^bb0(%71: i32, %72: i32):
      %73 = arith.maxsi %71, %72 : i32
      tt.reduce.return %73 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %78 = "tt.reduce"(%74) <{axis = 0 : i32}> ({
    ^bb0(%75: i32, %76: i32):
      %77 = arith.maxsi %75, %76 : i32
      tt.reduce.return %77 : i32
    }) : (tensor<64xi32>) -> (i32)
    %79 = arith.maxsi %28, %60 : i32
    %80 = arith.maxsi %34, %60 : i32
    %81 = arith.minsi %70, %35 : i32
    %82 = arith.minsi %78, %35 : i32
    %83 = arith.addi %80, %33 : i32
    %84 = arith.divsi %83, %27 : i32
    %85 = arith.muli %84, %27 : i32
    %86 = arith.maxsi %81, %60 : i32
    %87 = arith.divsi %86, %27 : i32
    %88 = arith.muli %87, %27 : i32
    %89 = arith.divsi %79, %27 : i32
    %90 = arith.muli %89, %27 : i32
    %91 = arith.maxsi %88, %85 : i32
    %92 = arith.muli %25, %27 : i32
    %93 = tt.addptr %15, %92 : !tt.ptr<bf16>, i32
    %94 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %95 = tt.expand_dims %94 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %96 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %97 = arith.addi %96, %95 : tensor<64x1xi32>
    %98 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %99 = arith.cmpi slt, %97, %98 : tensor<64x1xi32>
    %100 = arith.muli %28, %27 : i32
    %101 = tt.addptr %93, %100 : !tt.ptr<bf16>, i32
    %102 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %103 = tt.splat %60 : i32 -> tensor<64xi32>
    %104 = arith.addi %102, %103 : tensor<64xi32>
    %105 = tt.expand_dims %104 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %106 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %107 = arith.muli %95, %106 : tensor<64x1xi32>
    %108 = tt.broadcast %107 : tensor<64x1xi32> -> tensor<64x64xi32>
    %109 = tt.broadcast %105 : tensor<1x64xi32> -> tensor<64x64xi32>
    %110 = arith.addi %108, %109 : tensor<64x64xi32>
    %111 = tt.splat %101 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %112 = tt.addptr %111, %110 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %113 = tt.broadcast %99 : tensor<64x1xi1> -> tensor<64x64xi1>
    %115 = tt.splat %114 : bf16 -> tensor<64x64xbf16>
    %116 = tt.load %112, %113, %115 : tensor<64x64x!tt.ptr<bf16>>
    %117 = arith.muli %25, %27 : i32
    %118 = tt.addptr %17, %117 : !tt.ptr<bf16>, i32
    %119 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %120 = tt.expand_dims %119 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %121 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %122 = arith.addi %121, %120 : tensor<64x1xi32>
    %123 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %124 = arith.cmpi slt, %122, %123 : tensor<64x1xi32>
    %125 = arith.muli %28, %27 : i32
    %126 = tt.addptr %118, %125 : !tt.ptr<bf16>, i32
    %127 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %128 = tt.splat %60 : i32 -> tensor<64xi32>
    %129 = arith.addi %127, %128 : tensor<64xi32>
    %130 = tt.expand_dims %129 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %131 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %132 = arith.muli %120, %131 : tensor<64x1xi32>
    %133 = tt.broadcast %132 : tensor<64x1xi32> -> tensor<64x64xi32>
    %134 = tt.broadcast %130 : tensor<1x64xi32> -> tensor<64x64xi32>
    %135 = arith.addi %133, %134 : tensor<64x64xi32>
    %136 = tt.splat %126 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %137 = tt.addptr %136, %135 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %138 = tt.broadcast %124 : tensor<64x1xi1> -> tensor<64x64xi1>
    %139 = tt.splat %114 : bf16 -> tensor<64x64xbf16>
    %140 = tt.load %137, %138, %139 : tensor<64x64x!tt.ptr<bf16>>
    %141 = arith.muli %7, %10 : i64
    %142 = tt.addptr %ct, %141 : !tt.ptr<bf16>, i64
    %143 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %144 = tt.splat %28 : i32 -> tensor<64xi32>
    %145 = arith.addi %144, %143 : tensor<64xi32>
    %146 = tt.expand_dims %145 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %147 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %148 = tt.addptr %147, %146 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %149 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %150 = arith.cmpi slt, %146, %149 : tensor<64x1xi32>
    %151 = tt.splat %60 : i32 -> tensor<64x1xi32>
    %152 = tt.load %148, %150, %151 : tensor<64x1x!tt.ptr<i32>>
    %154 = arith.minsi %85, %82 : i32
    %155 = arith.subi %154, %90 : i32
    %156 = arith.addi %155, %33 : i32
    %157 = arith.divsi %156, %27 : i32
    %159 = arith.maxsi %157, %158 : i32
    %160 = arith.cmpi slt, %90, %154 : i32
    %161 = arith.extui %160 : i1 to i32
    %162 = arith.muli %159, %161 : i32
    %164 = arith.muli %162, %163 : i32
    %329:2 = scf.for %165 = %60 to %164 step %158 iter_args(%166 = %153, %167 = %153) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %168 = arith.divsi %165, %159 : i32
      %169 = arith.remsi %165, %159 : i32
      %170 = arith.muli %169, %27 : i32
      %171 = arith.addi %90, %170 : i32
      %172 = arith.muli %25, %163 : i32
      %173 = arith.addi %172, %168 : i32
      %174 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %175 = tt.splat %171 : i32 -> tensor<64xi32>
      %176 = arith.addi %175, %174 : tensor<64xi32>
      %177 = tt.expand_dims %176 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %178 = arith.muli %173, %27 : i32
      %179 = tt.addptr %12, %178 : !tt.ptr<bf16>, i32
      %180 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %181 = tt.expand_dims %180 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %182 = tt.splat %171 : i32 -> tensor<64x1xi32>
      %183 = arith.addi %182, %181 : tensor<64x1xi32>
      %184 = tt.splat %35 : i32 -> tensor<64x1xi32>
      %185 = arith.cmpi slt, %183, %184 : tensor<64x1xi32>
      %187 = arith.muli %171, %186 : i32
      %188 = tt.addptr %179, %187 : !tt.ptr<bf16>, i32
      %189 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %190 = tt.splat %60 : i32 -> tensor<64xi32>
      %191 = arith.addi %189, %190 : tensor<64xi32>
      %192 = tt.expand_dims %191 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %193 = tt.splat %186 : i32 -> tensor<64x1xi32>
      %194 = arith.muli %181, %193 : tensor<64x1xi32>
      %195 = tt.broadcast %194 : tensor<64x1xi32> -> tensor<64x64xi32>
      %196 = tt.broadcast %192 : tensor<1x64xi32> -> tensor<64x64xi32>
      %197 = arith.addi %195, %196 : tensor<64x64xi32>
      %198 = tt.splat %188 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %199 = tt.addptr %198, %197 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %200 = tt.broadcast %185 : tensor<64x1xi1> -> tensor<64x64xi1>
      %201 = tt.splat %114 : bf16 -> tensor<64x64xbf16>
      %202 = tt.load %199, %200, %201 : tensor<64x64x!tt.ptr<bf16>>
      %203 = tt.trans %202 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %204 = tt.dot %116, %203, %153, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %205 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %206 = tt.addptr %205, %177 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %207 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %208 = arith.cmpi slt, %177, %207 : tensor<1x64xi32>
      %209 = tt.splat %60 : i32 -> tensor<1x64xi32>
      %210 = tt.load %206, %208, %209 : tensor<1x64x!tt.ptr<i32>>
      %211 = tt.addptr %slopes, %173 : !tt.ptr<f32>, i32
      %212 = tt.load %211 : !tt.ptr<f32>
      %214 = tt.splat %213 : f32 -> tensor<64x64xf32>
      %215 = arith.mulf %204, %214 : tensor<64x64xf32>
      %217 = tt.splat %216 : f32 -> tensor<64x64xf32>
      %218 = arith.mulf %215, %217 : tensor<64x64xf32>
      %219 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %218 : tensor<64x64xf32> -> tensor<64x64xf32>
      %223 = tt.splat %222 : f32 -> tensor<64x64xf32>
      %224 = arith.addf %219, %223 : tensor<64x64xf32>
      %225 = arith.divf %221, %224 : tensor<64x64xf32>
      %226 = arith.subf %220, %225 : tensor<64x64xf32>
      %227 = arith.truncf %212 : f32 to bf16
      %228 = arith.extf %227 : bf16 to f32
      %229 = arith.subi %146, %152 : tensor<64x1xi32>
      %230 = arith.sitofp %229 : tensor<64x1xi32> to tensor<64x1xf32>
      %231 = arith.truncf %230 : tensor<64x1xf32> to tensor<64x1xbf16>
      %232 = arith.extf %231 : tensor<64x1xbf16> to tensor<64x1xf32>
      %233 = tt.splat %228 : f32 -> tensor<64x1xf32>
      %234 = arith.mulf %233, %232 : tensor<64x1xf32>
      %235 = arith.truncf %234 : tensor<64x1xf32> to tensor<64x1xbf16>
      %236 = arith.extf %235 : tensor<64x1xbf16> to tensor<64x1xf32>
      %237 = arith.subi %177, %210 : tensor<1x64xi32>
      %238 = arith.sitofp %237 : tensor<1x64xi32> to tensor<1x64xf32>
      %239 = arith.truncf %238 : tensor<1x64xf32> to tensor<1x64xbf16>
      %240 = arith.extf %239 : tensor<1x64xbf16> to tensor<1x64xf32>
      %241 = tt.splat %228 : f32 -> tensor<1x64xf32>
      %242 = arith.mulf %241, %240 : tensor<1x64xf32>
      %243 = arith.truncf %242 : tensor<1x64xf32> to tensor<1x64xbf16>
      %244 = arith.extf %243 : tensor<1x64xbf16> to tensor<1x64xf32>
      %245 = tt.broadcast %236 : tensor<64x1xf32> -> tensor<64x64xf32>
      %246 = tt.broadcast %244 : tensor<1x64xf32> -> tensor<64x64xf32>
      %247 = arith.subf %245, %246 : tensor<64x64xf32>
      %249 = tt.splat %248 : f32 -> tensor<64x64xf32>
      %250 = arith.mulf %247, %249 : tensor<64x64xf32>
      %252 = tt.splat %251 : f32 -> tensor<64x64xf32>
      %253 = math.fma %226, %252, %250 : tensor<64x64xf32>
      %255 = arith.muli %7, %254 : i64
      %256 = arith.extsi %173 : i32 to i64
      %257 = arith.addi %255, %256 : i64
      %258 = arith.muli %257, %8 : i64
      %259 = tt.addptr %rows, %258 : !tt.ptr<f32>, i64
      %260 = tt.splat %259 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %261 = tt.addptr %260, %177 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %262 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %263 = arith.cmpi slt, %177, %262 : tensor<1x64xi32>
      %265 = tt.splat %264 : f32 -> tensor<1x64xf32>
      %266 = tt.load %261, %263, %265 : tensor<1x64x!tt.ptr<f32>>
      %268 = tt.splat %267 : f32 -> tensor<1x64xf32>
      %269 = arith.mulf %266, %268 : tensor<1x64xf32>
      %270 = tt.broadcast %269 : tensor<1x64xf32> -> tensor<64x64xf32>
      %271 = arith.subf %253, %270 : tensor<64x64xf32>
      %272 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %271 : tensor<64x64xf32> -> tensor<64x64xf32>
      %273 = tt.broadcast %177 : tensor<1x64xi32> -> tensor<64x64xi32>
      %274 = tt.broadcast %32 : tensor<64x1xi32> -> tensor<64x64xi32>
      %275 = arith.cmpi sge, %273, %274 : tensor<64x64xi32>
      %276 = tt.broadcast %177 : tensor<1x64xi32> -> tensor<64x64xi32>
      %277 = tt.broadcast %62 : tensor<64x1xi32> -> tensor<64x64xi32>
      %278 = arith.cmpi slt, %276, %277 : tensor<64x64xi32>
      %279 = arith.andi %275, %278 : tensor<64x64xi1>
      %280 = tt.splat %264 : f32 -> tensor<64x64xf32>
      %281 = arith.select %279, %272, %280 : tensor<64x64xi1>, tensor<64x64xf32>
      %282 = arith.muli %173, %27 : i32
      %283 = tt.addptr %142, %282 : !tt.ptr<bf16>, i32
      %284 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %285 = tt.expand_dims %284 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %286 = tt.splat %171 : i32 -> tensor<64x1xi32>
      %287 = arith.addi %286, %285 : tensor<64x1xi32>
      %288 = tt.splat %35 : i32 -> tensor<64x1xi32>
      %289 = arith.cmpi slt, %287, %288 : tensor<64x1xi32>
      %290 = arith.muli %171, %186 : i32
      %291 = tt.addptr %283, %290 : !tt.ptr<bf16>, i32
      %292 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %293 = tt.splat %60 : i32 -> tensor<64xi32>
      %294 = arith.addi %292, %293 : tensor<64xi32>
      %295 = tt.expand_dims %294 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %296 = tt.splat %186 : i32 -> tensor<64x1xi32>
      %297 = arith.muli %285, %296 : tensor<64x1xi32>
      %298 = tt.broadcast %297 : tensor<64x1xi32> -> tensor<64x64xi32>
      %299 = tt.broadcast %295 : tensor<1x64xi32> -> tensor<64x64xi32>
      %300 = arith.addi %298, %299 : tensor<64x64xi32>
      %301 = tt.splat %291 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %302 = tt.addptr %301, %300 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %303 = tt.broadcast %289 : tensor<64x1xi1> -> tensor<64x64xi1>
      %304 = tt.splat %114 : bf16 -> tensor<64x64xbf16>
      %305 = tt.load %302, %303, %304 : tensor<64x64x!tt.ptr<bf16>>
      %306 = arith.truncf %281 : tensor<64x64xf32> to tensor<64x64xbf16>
      %307 = tt.dot %306, %305, %167, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %308 = tt.trans %305 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %309 = tt.dot %140, %308, %153, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %310 = arith.muli %7, %254 : i64
      %311 = arith.extsi %173 : i32 to i64
      %312 = arith.addi %310, %311 : i64
      %313 = arith.muli %312, %8 : i64
      %314 = tt.addptr %means, %313 : !tt.ptr<f32>, i64
      %315 = tt.splat %314 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %316 = tt.addptr %315, %177 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %317 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %318 = arith.cmpi slt, %177, %317 : tensor<1x64xi32>
      %319 = tt.splat %264 : f32 -> tensor<1x64xf32>
      %320 = tt.load %316, %318, %319 : tensor<1x64x!tt.ptr<f32>>
      %321 = tt.broadcast %320 : tensor<1x64xf32> -> tensor<64x64xf32>
      %322 = arith.subf %309, %321 : tensor<64x64xf32>
      %323 = arith.mulf %281, %322 : tensor<64x64xf32>
      %324 = arith.mulf %226, %226 : tensor<64x64xf32>
      %325 = arith.subf %220, %324 : tensor<64x64xf32>
      %326 = arith.mulf %323, %325 : tensor<64x64xf32>
      %327 = arith.truncf %326 : tensor<64x64xf32> to tensor<64x64xbf16>
      %328 = tt.dot %327, %202, %166, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %328, %307 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %331 = arith.subi %91, %85 : i32
    %332 = arith.addi %331, %33 : i32
    %333 = arith.divsi %332, %27 : i32
    %334 = arith.maxsi %333, %158 : i32
    %335 = arith.cmpi slt, %85, %91 : i32
    %336 = arith.extui %335 : i1 to i32
    %337 = arith.muli %334, %336 : i32
    %338 = arith.muli %337, %163 : i32
    %465:2 = scf.for %339 = %60 to %338 step %158 iter_args(%340 = %329#0, %341 = %329#1) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %342 = arith.divsi %339, %334 : i32
      %343 = arith.remsi %339, %334 : i32
      %344 = arith.muli %343, %27 : i32
      %345 = arith.addi %85, %344 : i32
      %346 = arith.muli %25, %163 : i32
      %347 = arith.addi %346, %342 : i32
      %348 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %349 = tt.splat %345 : i32 -> tensor<64xi32>
      %350 = arith.addi %349, %348 : tensor<64xi32>
      %351 = tt.expand_dims %350 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %352 = arith.muli %347, %27 : i32
      %353 = tt.addptr %12, %352 : !tt.ptr<bf16>, i32
      %354 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %355 = tt.expand_dims %354 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %356 = arith.muli %345, %186 : i32
      %357 = tt.addptr %353, %356 : !tt.ptr<bf16>, i32
      %358 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %359 = tt.splat %60 : i32 -> tensor<64xi32>
      %360 = arith.addi %358, %359 : tensor<64xi32>
      %361 = tt.expand_dims %360 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %362 = tt.splat %186 : i32 -> tensor<64x1xi32>
      %363 = arith.muli %355, %362 : tensor<64x1xi32>
      %364 = tt.broadcast %363 : tensor<64x1xi32> -> tensor<64x64xi32>
      %365 = tt.broadcast %361 : tensor<1x64xi32> -> tensor<64x64xi32>
      %366 = arith.addi %364, %365 : tensor<64x64xi32>
      %367 = tt.splat %357 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %368 = tt.addptr %367, %366 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %369 = tt.load %368 : tensor<64x64x!tt.ptr<bf16>>
      %370 = tt.trans %369 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %371 = tt.dot %116, %370, %153, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %372 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %373 = tt.addptr %372, %351 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %374 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %375 = arith.cmpi slt, %351, %374 : tensor<1x64xi32>
      %376 = tt.splat %60 : i32 -> tensor<1x64xi32>
      %377 = tt.load %373, %375, %376 : tensor<1x64x!tt.ptr<i32>>
      %378 = tt.addptr %slopes, %347 : !tt.ptr<f32>, i32
      %379 = tt.load %378 : !tt.ptr<f32>
      %380 = tt.splat %213 : f32 -> tensor<64x64xf32>
      %381 = arith.mulf %371, %380 : tensor<64x64xf32>
      %382 = tt.splat %216 : f32 -> tensor<64x64xf32>
      %383 = arith.mulf %381, %382 : tensor<64x64xf32>
      %384 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %383 : tensor<64x64xf32> -> tensor<64x64xf32>
      %385 = tt.splat %222 : f32 -> tensor<64x64xf32>
      %386 = arith.addf %384, %385 : tensor<64x64xf32>
      %387 = arith.divf %221, %386 : tensor<64x64xf32>
      %388 = arith.subf %220, %387 : tensor<64x64xf32>
      %389 = arith.truncf %379 : f32 to bf16
      %390 = arith.extf %389 : bf16 to f32
      %391 = arith.subi %146, %152 : tensor<64x1xi32>
      %392 = arith.sitofp %391 : tensor<64x1xi32> to tensor<64x1xf32>
      %393 = arith.truncf %392 : tensor<64x1xf32> to tensor<64x1xbf16>
      %394 = arith.extf %393 : tensor<64x1xbf16> to tensor<64x1xf32>
      %395 = tt.splat %390 : f32 -> tensor<64x1xf32>
      %396 = arith.mulf %395, %394 : tensor<64x1xf32>
      %397 = arith.truncf %396 : tensor<64x1xf32> to tensor<64x1xbf16>
      %398 = arith.extf %397 : tensor<64x1xbf16> to tensor<64x1xf32>
      %399 = arith.subi %351, %377 : tensor<1x64xi32>
      %400 = arith.sitofp %399 : tensor<1x64xi32> to tensor<1x64xf32>
      %401 = arith.truncf %400 : tensor<1x64xf32> to tensor<1x64xbf16>
      %402 = arith.extf %401 : tensor<1x64xbf16> to tensor<1x64xf32>
      %403 = tt.splat %390 : f32 -> tensor<1x64xf32>
      %404 = arith.mulf %403, %402 : tensor<1x64xf32>
      %405 = arith.truncf %404 : tensor<1x64xf32> to tensor<1x64xbf16>
      %406 = arith.extf %405 : tensor<1x64xbf16> to tensor<1x64xf32>
      %407 = tt.broadcast %398 : tensor<64x1xf32> -> tensor<64x64xf32>
      %408 = tt.broadcast %406 : tensor<1x64xf32> -> tensor<64x64xf32>
      %409 = arith.subf %407, %408 : tensor<64x64xf32>
      %410 = tt.splat %248 : f32 -> tensor<64x64xf32>
      %411 = arith.mulf %409, %410 : tensor<64x64xf32>
      %412 = tt.splat %251 : f32 -> tensor<64x64xf32>
      %413 = math.fma %388, %412, %411 : tensor<64x64xf32>
      %414 = arith.muli %7, %254 : i64
      %415 = arith.extsi %347 : i32 to i64
      %416 = arith.addi %414, %415 : i64
      %417 = arith.muli %416, %8 : i64
      %418 = tt.addptr %rows, %417 : !tt.ptr<f32>, i64
      %419 = tt.splat %418 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %420 = tt.addptr %419, %351 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %421 = tt.load %420 : tensor<1x64x!tt.ptr<f32>>
      %422 = tt.splat %267 : f32 -> tensor<1x64xf32>
      %423 = arith.mulf %421, %422 : tensor<1x64xf32>
      %424 = tt.broadcast %423 : tensor<1x64xf32> -> tensor<64x64xf32>
      %425 = arith.subf %413, %424 : tensor<64x64xf32>
      %426 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %425 : tensor<64x64xf32> -> tensor<64x64xf32>
      %427 = arith.muli %347, %27 : i32
      %428 = tt.addptr %142, %427 : !tt.ptr<bf16>, i32
      %429 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %430 = tt.expand_dims %429 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %431 = arith.muli %345, %186 : i32
      %432 = tt.addptr %428, %431 : !tt.ptr<bf16>, i32
      %433 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %434 = tt.splat %60 : i32 -> tensor<64xi32>
      %435 = arith.addi %433, %434 : tensor<64xi32>
      %436 = tt.expand_dims %435 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %437 = tt.splat %186 : i32 -> tensor<64x1xi32>
      %438 = arith.muli %430, %437 : tensor<64x1xi32>
      %439 = tt.broadcast %438 : tensor<64x1xi32> -> tensor<64x64xi32>
      %440 = tt.broadcast %436 : tensor<1x64xi32> -> tensor<64x64xi32>
      %441 = arith.addi %439, %440 : tensor<64x64xi32>
      %442 = tt.splat %432 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %443 = tt.addptr %442, %441 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %444 = tt.load %443 : tensor<64x64x!tt.ptr<bf16>>
      %445 = arith.truncf %426 : tensor<64x64xf32> to tensor<64x64xbf16>
      %446 = tt.dot %445, %444, %341, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %447 = tt.trans %444 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %448 = tt.dot %140, %447, %153, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %449 = arith.muli %7, %254 : i64
      %450 = arith.extsi %347 : i32 to i64
      %451 = arith.addi %449, %450 : i64
      %452 = arith.muli %451, %8 : i64
      %453 = tt.addptr %means, %452 : !tt.ptr<f32>, i64
      %454 = tt.splat %453 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %455 = tt.addptr %454, %351 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %456 = tt.load %455 : tensor<1x64x!tt.ptr<f32>>
      %457 = tt.broadcast %456 : tensor<1x64xf32> -> tensor<64x64xf32>
      %458 = arith.subf %448, %457 : tensor<64x64xf32>
      %459 = arith.mulf %426, %458 : tensor<64x64xf32>
      %460 = arith.mulf %388, %388 : tensor<64x64xf32>
      %461 = arith.subf %220, %460 : tensor<64x64xf32>
      %462 = arith.mulf %459, %461 : tensor<64x64xf32>
      %463 = arith.truncf %462 : tensor<64x64xf32> to tensor<64x64xbf16>
      %464 = tt.dot %463, %369, %340, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %464, %446 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %467 = arith.subi %82, %91 : i32
    %468 = arith.addi %467, %33 : i32
    %469 = arith.divsi %468, %27 : i32
    %470 = arith.maxsi %469, %158 : i32
    %471 = arith.cmpi slt, %91, %82 : i32
    %472 = arith.extui %471 : i1 to i32
    %473 = arith.muli %470, %472 : i32
    %474 = arith.muli %473, %163 : i32
    %628:2 = scf.for %475 = %60 to %474 step %158 iter_args(%476 = %465#0, %477 = %465#1) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %478 = arith.divsi %475, %470 : i32
      %479 = arith.remsi %475, %470 : i32
      %480 = arith.muli %479, %27 : i32
      %481 = arith.addi %91, %480 : i32
      %482 = arith.muli %25, %163 : i32
      %483 = arith.addi %482, %478 : i32
      %484 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %485 = tt.splat %481 : i32 -> tensor<64xi32>
      %486 = arith.addi %485, %484 : tensor<64xi32>
      %487 = tt.expand_dims %486 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %488 = arith.muli %483, %27 : i32
      %489 = tt.addptr %12, %488 : !tt.ptr<bf16>, i32
      %490 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %491 = tt.expand_dims %490 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %492 = tt.splat %481 : i32 -> tensor<64x1xi32>
      %493 = arith.addi %492, %491 : tensor<64x1xi32>
      %494 = tt.splat %35 : i32 -> tensor<64x1xi32>
      %495 = arith.cmpi slt, %493, %494 : tensor<64x1xi32>
      %496 = arith.muli %481, %186 : i32
      %497 = tt.addptr %489, %496 : !tt.ptr<bf16>, i32
      %498 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %499 = tt.splat %60 : i32 -> tensor<64xi32>
      %500 = arith.addi %498, %499 : tensor<64xi32>
      %501 = tt.expand_dims %500 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %502 = tt.splat %186 : i32 -> tensor<64x1xi32>
      %503 = arith.muli %491, %502 : tensor<64x1xi32>
      %504 = tt.broadcast %503 : tensor<64x1xi32> -> tensor<64x64xi32>
      %505 = tt.broadcast %501 : tensor<1x64xi32> -> tensor<64x64xi32>
      %506 = arith.addi %504, %505 : tensor<64x64xi32>
      %507 = tt.splat %497 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %508 = tt.addptr %507, %506 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %509 = tt.broadcast %495 : tensor<64x1xi1> -> tensor<64x64xi1>
      %510 = tt.splat %114 : bf16 -> tensor<64x64xbf16>
      %511 = tt.load %508, %509, %510 : tensor<64x64x!tt.ptr<bf16>>
      %512 = tt.trans %511 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %513 = tt.dot %116, %512, %153, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %514 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %515 = tt.addptr %514, %487 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %516 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %517 = arith.cmpi slt, %487, %516 : tensor<1x64xi32>
      %518 = tt.splat %60 : i32 -> tensor<1x64xi32>
      %519 = tt.load %515, %517, %518 : tensor<1x64x!tt.ptr<i32>>
      %520 = tt.addptr %slopes, %483 : !tt.ptr<f32>, i32
      %521 = tt.load %520 : !tt.ptr<f32>
      %522 = tt.splat %213 : f32 -> tensor<64x64xf32>
      %523 = arith.mulf %513, %522 : tensor<64x64xf32>
      %524 = tt.splat %216 : f32 -> tensor<64x64xf32>
      %525 = arith.mulf %523, %524 : tensor<64x64xf32>
      %526 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %525 : tensor<64x64xf32> -> tensor<64x64xf32>
      %527 = tt.splat %222 : f32 -> tensor<64x64xf32>
      %528 = arith.addf %526, %527 : tensor<64x64xf32>
      %529 = arith.divf %221, %528 : tensor<64x64xf32>
      %530 = arith.subf %220, %529 : tensor<64x64xf32>
      %531 = arith.truncf %521 : f32 to bf16
      %532 = arith.extf %531 : bf16 to f32
      %533 = arith.subi %146, %152 : tensor<64x1xi32>
      %534 = arith.sitofp %533 : tensor<64x1xi32> to tensor<64x1xf32>
      %535 = arith.truncf %534 : tensor<64x1xf32> to tensor<64x1xbf16>
      %536 = arith.extf %535 : tensor<64x1xbf16> to tensor<64x1xf32>
      %537 = tt.splat %532 : f32 -> tensor<64x1xf32>
      %538 = arith.mulf %537, %536 : tensor<64x1xf32>
      %539 = arith.truncf %538 : tensor<64x1xf32> to tensor<64x1xbf16>
      %540 = arith.extf %539 : tensor<64x1xbf16> to tensor<64x1xf32>
      %541 = arith.subi %487, %519 : tensor<1x64xi32>
      %542 = arith.sitofp %541 : tensor<1x64xi32> to tensor<1x64xf32>
      %543 = arith.truncf %542 : tensor<1x64xf32> to tensor<1x64xbf16>
      %544 = arith.extf %543 : tensor<1x64xbf16> to tensor<1x64xf32>
      %545 = tt.splat %532 : f32 -> tensor<1x64xf32>
      %546 = arith.mulf %545, %544 : tensor<1x64xf32>
      %547 = arith.truncf %546 : tensor<1x64xf32> to tensor<1x64xbf16>
      %548 = arith.extf %547 : tensor<1x64xbf16> to tensor<1x64xf32>
      %549 = tt.broadcast %540 : tensor<64x1xf32> -> tensor<64x64xf32>
      %550 = tt.broadcast %548 : tensor<1x64xf32> -> tensor<64x64xf32>
      %551 = arith.subf %549, %550 : tensor<64x64xf32>
      %552 = tt.splat %248 : f32 -> tensor<64x64xf32>
      %553 = arith.mulf %551, %552 : tensor<64x64xf32>
      %554 = tt.splat %251 : f32 -> tensor<64x64xf32>
      %555 = math.fma %530, %554, %553 : tensor<64x64xf32>
      %556 = arith.muli %7, %254 : i64
      %557 = arith.extsi %483 : i32 to i64
      %558 = arith.addi %556, %557 : i64
      %559 = arith.muli %558, %8 : i64
      %560 = tt.addptr %rows, %559 : !tt.ptr<f32>, i64
      %561 = tt.splat %560 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %562 = tt.addptr %561, %487 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %563 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %564 = arith.cmpi slt, %487, %563 : tensor<1x64xi32>
      %565 = tt.splat %264 : f32 -> tensor<1x64xf32>
      %566 = tt.load %562, %564, %565 : tensor<1x64x!tt.ptr<f32>>
      %567 = tt.splat %267 : f32 -> tensor<1x64xf32>
      %568 = arith.mulf %566, %567 : tensor<1x64xf32>
      %569 = tt.broadcast %568 : tensor<1x64xf32> -> tensor<64x64xf32>
      %570 = arith.subf %555, %569 : tensor<64x64xf32>
      %571 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %570 : tensor<64x64xf32> -> tensor<64x64xf32>
      %572 = tt.broadcast %487 : tensor<1x64xi32> -> tensor<64x64xi32>
      %573 = tt.broadcast %32 : tensor<64x1xi32> -> tensor<64x64xi32>
      %574 = arith.cmpi sge, %572, %573 : tensor<64x64xi32>
      %575 = tt.broadcast %487 : tensor<1x64xi32> -> tensor<64x64xi32>
      %576 = tt.broadcast %62 : tensor<64x1xi32> -> tensor<64x64xi32>
      %577 = arith.cmpi slt, %575, %576 : tensor<64x64xi32>
      %578 = arith.andi %574, %577 : tensor<64x64xi1>
      %579 = tt.splat %264 : f32 -> tensor<64x64xf32>
      %580 = arith.select %578, %571, %579 : tensor<64x64xi1>, tensor<64x64xf32>
      %581 = arith.muli %483, %27 : i32
      %582 = tt.addptr %142, %581 : !tt.ptr<bf16>, i32
      %583 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %584 = tt.expand_dims %583 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %585 = tt.splat %481 : i32 -> tensor<64x1xi32>
      %586 = arith.addi %585, %584 : tensor<64x1xi32>
      %587 = tt.splat %35 : i32 -> tensor<64x1xi32>
      %588 = arith.cmpi slt, %586, %587 : tensor<64x1xi32>
      %589 = arith.muli %481, %186 : i32
      %590 = tt.addptr %582, %589 : !tt.ptr<bf16>, i32
      %591 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %592 = tt.splat %60 : i32 -> tensor<64xi32>
      %593 = arith.addi %591, %592 : tensor<64xi32>
      %594 = tt.expand_dims %593 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %595 = tt.splat %186 : i32 -> tensor<64x1xi32>
      %596 = arith.muli %584, %595 : tensor<64x1xi32>
      %597 = tt.broadcast %596 : tensor<64x1xi32> -> tensor<64x64xi32>
      %598 = tt.broadcast %594 : tensor<1x64xi32> -> tensor<64x64xi32>
      %599 = arith.addi %597, %598 : tensor<64x64xi32>
      %600 = tt.splat %590 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %601 = tt.addptr %600, %599 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %602 = tt.broadcast %588 : tensor<64x1xi1> -> tensor<64x64xi1>
      %603 = tt.splat %114 : bf16 -> tensor<64x64xbf16>
      %604 = tt.load %601, %602, %603 : tensor<64x64x!tt.ptr<bf16>>
      %605 = arith.truncf %580 : tensor<64x64xf32> to tensor<64x64xbf16>
      %606 = tt.dot %605, %604, %477, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %607 = tt.trans %604 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %608 = tt.dot %140, %607, %153, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %609 = arith.muli %7, %254 : i64
      %610 = arith.extsi %483 : i32 to i64
      %611 = arith.addi %609, %610 : i64
      %612 = arith.muli %611, %8 : i64
      %613 = tt.addptr %means, %612 : !tt.ptr<f32>, i64
      %614 = tt.splat %613 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
      %615 = tt.addptr %614, %487 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
      %616 = tt.splat %35 : i32 -> tensor<1x64xi32>
      %617 = arith.cmpi slt, %487, %616 : tensor<1x64xi32>
      %618 = tt.splat %264 : f32 -> tensor<1x64xf32>
      %619 = tt.load %615, %617, %618 : tensor<1x64x!tt.ptr<f32>>
      %620 = tt.broadcast %619 : tensor<1x64xf32> -> tensor<64x64xf32>
      %621 = arith.subf %608, %620 : tensor<64x64xf32>
      %622 = arith.mulf %580, %621 : tensor<64x64xf32>
      %623 = arith.mulf %530, %530 : tensor<64x64xf32>
      %624 = arith.subf %220, %623 : tensor<64x64xf32>
      %625 = arith.mulf %622, %624 : tensor<64x64xf32>
      %626 = arith.truncf %625 : tensor<64x64xf32> to tensor<64x64xbf16>
      %627 = tt.dot %626, %511, %476, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %627, %606 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %631 = tt.splat %630 : f32 -> tensor<64x64xf32>
    %632 = arith.mulf %628#0, %631 : tensor<64x64xf32>
    %633 = arith.muli %7, %13 : i64
    %634 = tt.addptr %dk, %633 : !tt.ptr<bf16>, i64
    %635 = arith.muli %25, %27 : i32
    %636 = tt.addptr %634, %635 : !tt.ptr<bf16>, i32
    %637 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %638 = tt.expand_dims %637 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %639 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %640 = arith.addi %639, %638 : tensor<64x1xi32>
    %641 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %642 = arith.cmpi slt, %640, %641 : tensor<64x1xi32>
    %643 = arith.muli %28, %27 : i32
    %644 = tt.addptr %636, %643 : !tt.ptr<bf16>, i32
    %645 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %646 = tt.splat %60 : i32 -> tensor<64xi32>
    %647 = arith.addi %645, %646 : tensor<64xi32>
    %648 = tt.expand_dims %647 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %649 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %650 = arith.muli %638, %649 : tensor<64x1xi32>
    %651 = tt.broadcast %650 : tensor<64x1xi32> -> tensor<64x64xi32>
    %652 = tt.broadcast %648 : tensor<1x64xi32> -> tensor<64x64xi32>
    %653 = arith.addi %651, %652 : tensor<64x64xi32>
    %654 = tt.splat %644 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %655 = tt.addptr %654, %653 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %656 = arith.truncf %632 : tensor<64x64xf32> to tensor<64x64xbf16>
    %657 = tt.broadcast %642 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %655, %656, %657 : tensor<64x64x!tt.ptr<bf16>>
    %658 = arith.muli %7, %13 : i64
    %659 = tt.addptr %dv, %658 : !tt.ptr<bf16>, i64
    %660 = arith.muli %25, %27 : i32
    %661 = tt.addptr %659, %660 : !tt.ptr<bf16>, i32
    %662 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %663 = tt.expand_dims %662 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %664 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %665 = arith.addi %664, %663 : tensor<64x1xi32>
    %666 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %667 = arith.cmpi slt, %665, %666 : tensor<64x1xi32>
    %668 = arith.muli %28, %27 : i32
    %669 = tt.addptr %661, %668 : !tt.ptr<bf16>, i32
    %670 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %671 = tt.splat %60 : i32 -> tensor<64xi32>
    %672 = arith.addi %670, %671 : tensor<64xi32>
    %673 = tt.expand_dims %672 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %674 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %675 = arith.muli %663, %674 : tensor<64x1xi32>
    %676 = tt.broadcast %675 : tensor<64x1xi32> -> tensor<64x64xi32>
    %677 = tt.broadcast %673 : tensor<1x64xi32> -> tensor<64x64xi32>
    %678 = arith.addi %676, %677 : tensor<64x64xi32>
    %679 = tt.splat %669 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %680 = tt.addptr %679, %678 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %681 = arith.truncf %628#1 : tensor<64x64xf32> to tensor<64x64xbf16>
    %682 = tt.broadcast %667 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %680, %681, %682 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
