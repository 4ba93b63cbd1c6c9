module {
  tt.func public @attention_backward_queries(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %slopes: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dq: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 100 : i64
    %10 = arith.constant 12800 : i64
    %13 = arith.constant 6400 : i64
    %27 = arith.constant 1 : i32
    %29 = arith.constant 64 : i32
    %31 = arith.constant 2 : i32
    %37 = arith.constant 63 : i32
    %39 = arith.constant 100 : i32
    %64 = arith.constant 0 : i32
    %116 = arith.constant 128 : i32
    %131 = arith.constant 0.0e0 : bf16
    %188 = arith.constant 2 : i64
    %196 = arith.constant 0.0e0 : f32
    %199 = arith.constant 1.442695e0 : f32
    %225 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %263 = arith.constant 2.5e-3 : f32
    %266 = arith.constant 2.88539e0 : f32
    %270 = arith.constant dense<1.0e0> : tensor<64x64xf32>
    %271 = arith.constant dense<2.0e0> : tensor<64x64xf32>
    %272 = arith.constant 1.0e0 : f32
    %298 = arith.constant 7.213475e-1 : f32
    %301 = arith.constant 7.213475e1 : f32
    %560 = arith.constant 1.25e-1 : f32
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
    %28 = arith.subi %27, %26 : i32
    %30 = arith.muli %28, %29 : i32
    %32 = arith.divsi %25, %31 : i32
    %33 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %34 = tt.splat %30 : i32 -> tensor<64xi32>
    %35 = arith.addi %34, %33 : tensor<64xi32>
    %36 = tt.expand_dims %35 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %38 = arith.addi %30, %37 : i32
    %40 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %41 = arith.cmpi slt, %36, %40 : tensor<64x1xi32>
    %42 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %43 = tt.addptr %42, %36 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %44 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %45 = tt.load %43, %41, %44 : tensor<64x1x!tt.ptr<i32>>
    %49 = "tt.reduce"(%45) <{axis = 1 : i32}> ({
    ^bb0(%46: i32, %47: i32):
      %48 = arith.minsi %46, %47 : i32
      tt.reduce.return %48 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %53 = "tt.reduce"(%49) <{axis = 0 : i32}> ({
    ^bb0(%50: i32, %51: i32):
      %52 = arith.minsi %50, %51 : i32
      tt.reduce.return %52 : i32
    }) : (tensor<64xi32>) -> (i32)
    %57 = "tt.reduce"(%45) <{axis = 1 : i32}> ({
    ^bb0(%54: i32, %55: i32):
      %56 = arith.maxsi %54, %55 : i32
      tt.reduce.return %56 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %61 = "tt.reduce"(%57) <{axis = 0 : i32}> ({
    ^bb0(%58: i32, %59: i32):
      %60 = arith.maxsi %58, %59 : i32
      tt.reduce.return %60 : i32
    }) : (tensor<64xi32>) -> (i32)
    %62 = tt.splat %19 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %63 = tt.addptr %62, %36 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %65 = tt.splat %64 : i32 -> tensor<64x1xi32>
    %66 = tt.load %63, %41, %65 : tensor<64x1x!tt.ptr<i32>>
    %70 = "tt.reduce"(%66) <{axis = 1 : i32}> ({
    ^bb0(%67: i32, %68: i32):
      %69 = arith.minsi %67, %68 : i32
      tt.reduce.return %69 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %74 = "tt.reduce"(%70) <{axis = 0 : i32}> ({
    ^bb0(%71: i32, %72: i32):
      %73 = arith.minsi %71, %72 : i32
      tt.reduce.return %73 : i32
    }) : (tensor<64xi32>) -> (i32)
    %78 = "tt.reduce"(%66) <{axis = 1 : i32}> ({
    ^bb0(%75: i32, %76: i32):
      %77 = arith.maxsi %75, %76 : i32
      tt.reduce.return %77 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %82 = "tt.reduce"(%78) <{axis = 0 : i32}> ({
    ^bb0(%79: i32, %80: i32):
      %81 = arith.maxsi %79, %80 : i32
      tt.reduce.return %81 : i32
    }) : (tensor<64xi32>) -> (i32)
    %83 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %84 = arith.addi %36, %83 : tensor<64x1xi32>
    %85 = arith.addi %30, %27 : i32
    %86 = arith.addi %38, %27 : i32
    %87 = arith.maxsi %53, %64 : i32
    %88 = arith.maxsi %61, %64 : i32
    %89 = arith.minsi %85, %39 : i32
    %90 = arith.minsi %86, %39 : i32
    %91 = arith.addi %88, %37 : i32
    %92 = arith.divsi %91, %29 : i32
    %93 = arith.muli %92, %29 : i32
    %94 = arith.maxsi %89, %64 : i32
    %95 = arith.divsi %94, %29 : i32
    %96 = arith.muli %95, %29 : i32
    %97 = arith.divsi %87, %29 : i32
    %98 = arith.muli %97, %29 : i32
    %99 = arith.maxsi %96, %93 : i32
    %100 = arith.muli %32, %29 : i32
    %101 = tt.addptr %15, %100 : !tt.ptr<bf16>, i32
    %102 = arith.muli %32, %29 : i32
    %103 = tt.addptr %17, %102 : !tt.ptr<bf16>, i32
    %104 = arith.muli %7, %10 : i64
    %105 = tt.addptr %ct, %104 : !tt.ptr<bf16>, i64
    %106 = arith.muli %7, %10 : i64
    %107 = tt.addptr %out, %106 : !tt.ptr<bf16>, i64
    %108 = arith.muli %25, %29 : i32
    %109 = tt.addptr %12, %108 : !tt.ptr<bf16>, i32
    %110 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %111 = tt.expand_dims %110 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %112 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %113 = arith.addi %112, %111 : tensor<64x1xi32>
    %114 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %115 = arith.cmpi slt, %113, %114 : tensor<64x1xi32>
    %117 = arith.muli %30, %116 : i32
    %118 = tt.addptr %109, %117 : !tt.ptr<bf16>, i32
    %119 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %120 = tt.splat %64 : i32 -> tensor<64xi32>
    %121 = arith.addi %119, %120 : tensor<64xi32>
    %122 = tt.expand_dims %121 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %123 = tt.splat %116 : i32 -> tensor<64x1xi32>
    %124 = arith.muli %111, %123 : tensor<64x1xi32>
    %125 = tt.broadcast %124 : tensor<64x1xi32> -> tensor<64x64xi32>
    %126 = tt.broadcast %122 : tensor<1x64xi32> -> tensor<64x64xi32>
    %127 = arith.addi %125, %126 : tensor<64x64xi32>
    %128 = tt.splat %118 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %129 = tt.addptr %128, %127 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %130 = tt.broadcast %115 : tensor<64x1xi1> -> tensor<64x64xi1>
    %132 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
    %133 = tt.load %129, %130, %132 : tensor<64x64x!tt.ptr<bf16>>
    %134 = arith.muli %25, %29 : i32
    %135 = tt.addptr %105, %134 : !tt.ptr<bf16>, i32
    %136 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %137 = tt.expand_dims %136 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %138 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %139 = arith.addi %138, %137 : tensor<64x1xi32>
    %140 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %141 = arith.cmpi slt, %139, %140 : tensor<64x1xi32>
    %142 = arith.muli %30, %116 : i32
    %143 = tt.addptr %135, %142 : !tt.ptr<bf16>, i32
    %144 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %145 = tt.splat %64 : i32 -> tensor<64xi32>
    %146 = arith.addi %144, %145 : tensor<64xi32>
    %147 = tt.expand_dims %146 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %148 = tt.splat %116 : i32 -> tensor<64x1xi32>
    %149 = arith.muli %137, %148 : tensor<64x1xi32>
    %150 = tt.broadcast %149 : tensor<64x1xi32> -> tensor<64x64xi32>
    %151 = tt.broadcast %147 : tensor<1x64xi32> -> tensor<64x64xi32>
    %152 = arith.addi %150, %151 : tensor<64x64xi32>
    %153 = tt.splat %143 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %154 = tt.addptr %153, %152 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %155 = tt.broadcast %141 : tensor<64x1xi1> -> tensor<64x64xi1>
    %156 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
    %157 = tt.load %154, %155, %156 : tensor<64x64x!tt.ptr<bf16>>
    %158 = arith.muli %25, %29 : i32
    %159 = tt.addptr %107, %158 : !tt.ptr<bf16>, i32
    %160 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %161 = tt.expand_dims %160 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %162 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %163 = arith.addi %162, %161 : tensor<64x1xi32>
    %164 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %165 = arith.cmpi slt, %163, %164 : tensor<64x1xi32>
    %166 = arith.muli %30, %116 : i32
    %167 = tt.addptr %159, %166 : !tt.ptr<bf16>, i32
    %168 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %169 = tt.splat %64 : i32 -> tensor<64xi32>
    %170 = arith.addi %168, %169 : tensor<64xi32>
    %171 = tt.expand_dims %170 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %172 = tt.splat %116 : i32 -> tensor<64x1xi32>
    %173 = arith.muli %161, %172 : tensor<64x1xi32>
    %174 = tt.broadcast %173 : tensor<64x1xi32> -> tensor<64x64xi32>
    %175 = tt.broadcast %171 : tensor<1x64xi32> -> tensor<64x64xi32>
    %176 = arith.addi %174, %175 : tensor<64x64xi32>
    %177 = tt.splat %167 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %178 = tt.addptr %177, %176 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %179 = tt.broadcast %165 : tensor<64x1xi1> -> tensor<64x64xi1>
    %180 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
    %181 = tt.load %178, %179, %180 : tensor<64x64x!tt.ptr<bf16>>
    %182 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %183 = tt.splat %30 : i32 -> tensor<64xi32>
    %184 = arith.addi %183, %182 : tensor<64xi32>
    %185 = tt.expand_dims %184 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %186 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %187 = arith.cmpi slt, %185, %186 : tensor<64x1xi32>
    %189 = arith.muli %7, %188 : i64
    %190 = arith.extsi %25 : i32 to i64
    %191 = arith.addi %189, %190 : i64
    %192 = arith.muli %191, %8 : i64
    %193 = tt.addptr %rows, %192 : !tt.ptr<f32>, i64
    %194 = tt.splat %193 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %195 = tt.addptr %194, %185 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %197 = tt.splat %196 : f32 -> tensor<64x1xf32>
    %198 = tt.load %195, %187, %197 : tensor<64x1x!tt.ptr<f32>>
    %200 = tt.splat %199 : f32 -> tensor<64x1xf32>
    %201 = arith.mulf %198, %200 : tensor<64x1xf32>
    %202 = arith.extf %157 : tensor<64x64xbf16> to tensor<64x64xf32>
    %203 = arith.extf %181 : tensor<64x64xbf16> to tensor<64x64xf32>
    %204 = arith.mulf %202, %203 : tensor<64x64xf32>
    %208 = "tt.reduce"(%204) <{axis = 1 : i32}> ({
    ^bb0(%205: f32, %206: f32):
      %207 = arith.addf %205, %206 : f32
      tt.reduce.return %207 : f32
    }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
    %209 = tt.expand_dims %208 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %210 = arith.muli %7, %188 : i64
    %211 = arith.extsi %25 : i32 to i64
    %212 = arith.addi %210, %211 : i64
    %213 = arith.muli %212, %8 : i64
    %214 = tt.addptr %means, %213 : !tt.ptr<f32>, i64
    %215 = tt.splat %214 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %216 = tt.addptr %215, %185 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    tt.store %216, %209, %187 : tensor<64x1x!tt.ptr<f32>>
    %217 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %218 = tt.addptr %217, %185 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %219 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %220 = arith.cmpi slt, %185, %219 : tensor<64x1xi32>
    %221 = tt.splat %64 : i32 -> tensor<64x1xi32>
    %222 = tt.load %218, %220, %221 : tensor<64x1x!tt.ptr<i32>>
    %223 = tt.addptr %slopes, %25 : !tt.ptr<f32>, i32
    %224 = tt.load %223 : !tt.ptr<f32>
    %226 = arith.minsi %93, %90 : i32
    %349 = scf.for %227 = %98 to %226 step %29 iter_args(%228 = %225) -> (tensor<64x64xf32>) : i32 {
      %229 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %230 = tt.splat %227 : i32 -> tensor<64xi32>
      %231 = arith.addi %230, %229 : tensor<64xi32>
      %232 = tt.expand_dims %231 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %233 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %234 = tt.expand_dims %233 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %235 = tt.splat %227 : i32 -> tensor<64x1xi32>
      %236 = arith.addi %235, %234 : tensor<64x1xi32>
      %237 = tt.splat %39 : i32 -> tensor<64x1xi32>
      %238 = arith.cmpi slt, %236, %237 : tensor<64x1xi32>
      %239 = arith.muli %227, %29 : i32
      %240 = tt.addptr %101, %239 : !tt.ptr<bf16>, i32
      %241 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %242 = tt.splat %64 : i32 -> tensor<64xi32>
      %243 = arith.addi %241, %242 : tensor<64xi32>
      %244 = tt.expand_dims %243 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %245 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %246 = arith.muli %234, %245 : tensor<64x1xi32>
      %247 = tt.broadcast %246 : tensor<64x1xi32> -> tensor<64x64xi32>
      %248 = tt.broadcast %244 : tensor<1x64xi32> -> tensor<64x64xi32>
      %249 = arith.addi %247, %248 : tensor<64x64xi32>
      %250 = tt.splat %240 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %251 = tt.addptr %250, %249 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %252 = tt.broadcast %238 : tensor<64x1xi1> -> tensor<64x64xi1>
      %253 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
      %254 = tt.load %251, %252, %253 : tensor<64x64x!tt.ptr<bf16>>
      %255 = tt.trans %254 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %256 = tt.dot %133, %255, %225, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %257 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %258 = tt.addptr %257, %232 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %259 = tt.splat %39 : i32 -> tensor<1x64xi32>
      %260 = arith.cmpi slt, %232, %259 : tensor<1x64xi32>
      %261 = tt.splat %64 : i32 -> tensor<1x64xi32>
      %262 = tt.load %258, %260, %261 : tensor<1x64x!tt.ptr<i32>>
      %264 = tt.splat %263 : f32 -> tensor<64x64xf32>
      %265 = arith.mulf %256, %264 : tensor<64x64xf32>
      %267 = tt.splat %266 : f32 -> tensor<64x64xf32>
      %268 = arith.mulf %265, %267 : tensor<64x64xf32>
      %269 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %268 : tensor<64x64xf32> -> tensor<64x64xf32>
      %273 = tt.splat %272 : f32 -> tensor<64x64xf32>
      %274 = arith.addf %269, %273 : tensor<64x64xf32>
      %275 = arith.divf %271, %274 : tensor<64x64xf32>
      %276 = arith.subf %270, %275 : tensor<64x64xf32>
      %277 = arith.truncf %224 : f32 to bf16
      %278 = arith.extf %277 : bf16 to f32
      %279 = arith.subi %232, %262 : tensor<1x64xi32>
      %280 = arith.sitofp %279 : tensor<1x64xi32> to tensor<1x64xf32>
      %281 = arith.truncf %280 : tensor<1x64xf32> to tensor<1x64xbf16>
      %282 = arith.extf %281 : tensor<1x64xbf16> to tensor<1x64xf32>
      %283 = tt.splat %278 : f32 -> tensor<1x64xf32>
      %284 = arith.mulf %283, %282 : tensor<1x64xf32>
      %285 = arith.truncf %284 : tensor<1x64xf32> to tensor<1x64xbf16>
      %286 = arith.extf %285 : tensor<1x64xbf16> to tensor<1x64xf32>
      %287 = arith.subi %185, %222 : tensor<64x1xi32>
      %288 = arith.sitofp %287 : tensor<64x1xi32> to tensor<64x1xf32>
      %289 = arith.truncf %288 : tensor<64x1xf32> to tensor<64x1xbf16>
      %290 = arith.extf %289 : tensor<64x1xbf16> to tensor<64x1xf32>
      %291 = tt.splat %278 : f32 -> tensor<64x1xf32>
      %292 = arith.mulf %291, %290 : tensor<64x1xf32>
      %293 = arith.truncf %292 : tensor<64x1xf32> to tensor<64x1xbf16>
      %294 = arith.extf %293 : tensor<64x1xbf16> to tensor<64x1xf32>
      %295 = tt.broadcast %286 : tensor<1x64xf32> -> tensor<64x64xf32>
      %296 = tt.broadcast %294 : tensor<64x1xf32> -> tensor<64x64xf32>
      %297 = arith.subf %295, %296 : tensor<64x64xf32>
      %299 = tt.splat %298 : f32 -> tensor<64x64xf32>
      %300 = arith.mulf %297, %299 : tensor<64x64xf32>
      %302 = tt.splat %301 : f32 -> tensor<64x64xf32>
      %303 = math.fma %276, %302, %300 : tensor<64x64xf32>
      %304 = tt.broadcast %201 : tensor<64x1xf32> -> tensor<64x64xf32>
      %305 = arith.subf %303, %304 : tensor<64x64xf32>
      %306 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %305 : tensor<64x64xf32> -> tensor<64x64xf32>
      %307 = tt.broadcast %232 : tensor<1x64xi32> -> tensor<64x64xi32>
      %308 = tt.broadcast %45 : tensor<64x1xi32> -> tensor<64x64xi32>
      %309 = arith.cmpi sge, %307, %308 : tensor<64x64xi32>
      %310 = tt.broadcast %232 : tensor<1x64xi32> -> tensor<64x64xi32>
      %311 = tt.broadcast %84 : tensor<64x1xi32> -> tensor<64x64xi32>
      %312 = arith.cmpi slt, %310, %311 : tensor<64x64xi32>
      %313 = arith.andi %309, %312 : tensor<64x64xi1>
      %314 = tt.splat %196 : f32 -> tensor<64x64xf32>
      %315 = arith.select %313, %306, %314 : tensor<64x64xi1>, tensor<64x64xf32>
      %316 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %317 = tt.expand_dims %316 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %318 = tt.splat %227 : i32 -> tensor<64x1xi32>
      %319 = arith.addi %318, %317 : tensor<64x1xi32>
      %320 = tt.splat %39 : i32 -> tensor<64x1xi32>
      %321 = arith.cmpi slt, %319, %320 : tensor<64x1xi32>
      %322 = arith.muli %227, %29 : i32
      %323 = tt.addptr %103, %322 : !tt.ptr<bf16>, i32
      %324 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %325 = tt.splat %64 : i32 -> tensor<64xi32>
      %326 = arith.addi %324, %325 : tensor<64xi32>
      %327 = tt.expand_dims %326 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %328 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %329 = arith.muli %317, %328 : tensor<64x1xi32>
      %330 = tt.broadcast %329 : tensor<64x1xi32> -> tensor<64x64xi32>
      %331 = tt.broadcast %327 : tensor<1x64xi32> -> tensor<64x64xi32>
      %332 = arith.addi %330, %331 : tensor<64x64xi32>
      %333 = tt.splat %323 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %334 = tt.addptr %333, %332 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %335 = tt.trans %334 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %336 = tt.broadcast %321 : tensor<64x1xi1> -> tensor<64x64xi1>
      %337 = tt.trans %336 {order = array<i32: 1, 0>} : tensor<64x64xi1> -> tensor<64x64xi1>
      %338 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
      %339 = tt.load %335, %337, %338 : tensor<64x64x!tt.ptr<bf16>>
      %340 = tt.dot %157, %339, %225, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %341 = tt.broadcast %209 : tensor<64x1xf32> -> tensor<64x64xf32>
      %342 = arith.subf %340, %341 : tensor<64x64xf32>
      %343 = arith.mulf %315, %342 : tensor<64x64xf32>
      %344 = arith.mulf %276, %276 : tensor<64x64xf32>
      %345 = arith.subf %270, %344 : tensor<64x64xf32>
      %346 = arith.mulf %343, %345 : tensor<64x64xf32>
      %347 = arith.truncf %346 : tensor<64x64xf32> to tensor<64x64xbf16>
      %348 = tt.dot %347, %254, %228, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %348 : tensor<64x64xf32>
    }
    %443 = scf.for %350 = %93 to %99 step %29 iter_args(%351 = %349) -> (tensor<64x64xf32>) : i32 {
      %352 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %353 = tt.splat %350 : i32 -> tensor<64xi32>
      %354 = arith.addi %353, %352 : tensor<64xi32>
      %355 = tt.expand_dims %354 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %356 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %357 = tt.expand_dims %356 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %358 = arith.muli %350, %29 : i32
      %359 = tt.addptr %101, %358 : !tt.ptr<bf16>, i32
      %360 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %361 = tt.splat %64 : i32 -> tensor<64xi32>
      %362 = arith.addi %360, %361 : tensor<64xi32>
      %363 = tt.expand_dims %362 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %364 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %365 = arith.muli %357, %364 : tensor<64x1xi32>
      %366 = tt.broadcast %365 : tensor<64x1xi32> -> tensor<64x64xi32>
      %367 = tt.broadcast %363 : tensor<1x64xi32> -> tensor<64x64xi32>
      %368 = arith.addi %366, %367 : tensor<64x64xi32>
      %369 = tt.splat %359 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %370 = tt.addptr %369, %368 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %371 = tt.load %370 : tensor<64x64x!tt.ptr<bf16>>
      %372 = tt.trans %371 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %373 = tt.dot %133, %372, %225, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %374 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %375 = tt.addptr %374, %355 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %376 = tt.splat %39 : i32 -> tensor<1x64xi32>
      %377 = arith.cmpi slt, %355, %376 : tensor<1x64xi32>
      %378 = tt.splat %64 : i32 -> tensor<1x64xi32>
      %379 = tt.load %375, %377, %378 : tensor<1x64x!tt.ptr<i32>>
      %380 = tt.splat %263 : f32 -> tensor<64x64xf32>
      %381 = arith.mulf %373, %380 : tensor<64x64xf32>
      %382 = tt.splat %266 : f32 -> tensor<64x64xf32>
      %383 = arith.mulf %381, %382 : tensor<64x64xf32>
      %384 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %383 : tensor<64x64xf32> -> tensor<64x64xf32>
      %385 = tt.splat %272 : f32 -> tensor<64x64xf32>
      %386 = arith.addf %384, %385 : tensor<64x64xf32>
      %387 = arith.divf %271, %386 : tensor<64x64xf32>
      %388 = arith.subf %270, %387 : tensor<64x64xf32>
      %389 = arith.truncf %224 : f32 to bf16
      %390 = arith.extf %389 : bf16 to f32
      %391 = arith.subi %355, %379 : tensor<1x64xi32>
      %392 = arith.sitofp %391 : tensor<1x64xi32> to tensor<1x64xf32>
      %393 = arith.truncf %392 : tensor<1x64xf32> to tensor<1x64xbf16>
      %394 = arith.extf %393 : tensor<1x64xbf16> to tensor<1x64xf32>
      %395 = tt.splat %390 : f32 -> tensor<1x64xf32>
      %396 = arith.mulf %395, %394 : tensor<1x64xf32>
      %397 = arith.truncf %396 : tensor<1x64xf32> to tensor<1x64xbf16>
      %398 = arith.extf %397 : tensor<1x64xbf16> to tensor<1x64xf32>
      %399 = arith.subi %185, %222 : tensor<64x1xi32>
      %400 = arith.sitofp %399 : tensor<64x1xi32> to tensor<64x1xf32>
      %401 = arith.truncf %400 : tensor<64x1xf32> to tensor<64x1xbf16>
      %402 = arith.extf %401 : tensor<64x1xbf16> to tensor<64x1xf32>
      %403 = tt.splat %390 : f32 -> tensor<64x1xf32>
      %404 = arith.mulf %403, %402 : tensor<64x1xf32>
      %405 = arith.truncf %404 : tensor<64x1xf32> to tensor<64x1xbf16>
      %406 = arith.extf %405 : tensor<64x1xbf16> to tensor<64x1xf32>
      %407 = tt.broadcast %398 : tensor<1x64xf32> -> tensor<64x64xf32>
      %408 = tt.broadcast %406 : tensor<64x1xf32> -> tensor<64x64xf32>
      %409 = arith.subf %407, %408 : tensor<64x64xf32>
      %410 = tt.splat %298 : f32 -> tensor<64x64xf32>
      %411 = arith.mulf %409, %410 : tensor<64x64xf32>
      %412 = tt.splat %301 : f32 -> tensor<64x64xf32>
      %413 = math.fma %388, %412, %411 : tensor<64x64xf32>
      %414 = tt.broadcast %201 : tensor<64x1xf32> -> tensor<64x64xf32>
      %415 = arith.subf %413, %414 : tensor<64x64xf32>
      %416 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %415 : tensor<64x64xf32> -> tensor<64x64xf32>
      %417 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %418 = tt.expand_dims %417 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %419 = arith.muli %350, %29 : i32
      %420 = tt.addptr %103, %419 : !tt.ptr<bf16>, i32
      %421 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %422 = tt.splat %64 : i32 -> tensor<64xi32>
      %423 = arith.addi %421, %422 : tensor<64xi32>
      %424 = tt.expand_dims %423 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %425 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %426 = arith.muli %418, %425 : tensor<64x1xi32>
      %427 = tt.broadcast %426 : tensor<64x1xi32> -> tensor<64x64xi32>
      %428 = tt.broadcast %424 : tensor<1x64xi32> -> tensor<64x64xi32>
      %429 = arith.addi %427, %428 : tensor<64x64xi32>
      %430 = tt.splat %420 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %431 = tt.addptr %430, %429 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %432 = tt.trans %431 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %433 = tt.load %432 : tensor<64x64x!tt.ptr<bf16>>
      %434 = tt.dot %157, %433, %225, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %435 = tt.broadcast %209 : tensor<64x1xf32> -> tensor<64x64xf32>
      %436 = arith.subf %434, %435 : tensor<64x64xf32>
      %437 = arith.mulf %416, %436 : tensor<64x64xf32>
      %438 = arith.mulf %388, %388 : tensor<64x64xf32>
      %439 = arith.subf %270, %438 : tensor<64x64xf32>
      %440 = arith.mulf %437, %439 : tensor<64x64xf32>
      %441 = arith.truncf %440 : tensor<64x64xf32> to tensor<64x64xbf16>
      %442 = tt.dot %441, %371, %351, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %442 : tensor<64x64xf32>
    }
    %559 = scf.for %444 = %99 to %90 step %29 iter_args(%445 = %443) -> (tensor<64x64xf32>) : i32 {
      %446 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %447 = tt.splat %444 : i32 -> tensor<64xi32>
      %448 = arith.addi %447, %446 : tensor<64xi32>
      %449 = tt.expand_dims %448 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %450 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %451 = tt.expand_dims %450 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %452 = tt.splat %444 : i32 -> tensor<64x1xi32>
      %453 = arith.addi %452, %451 : tensor<64x1xi32>
      %454 = tt.splat %39 : i32 -> tensor<64x1xi32>
      %455 = arith.cmpi slt, %453, %454 : tensor<64x1xi32>
      %456 = arith.muli %444, %29 : i32
      %457 = tt.addptr %101, %456 : !tt.ptr<bf16>, i32
      %458 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %459 = tt.splat %64 : i32 -> tensor<64xi32>
      %460 = arith.addi %458, %459 : tensor<64xi32>
      %461 = tt.expand_dims %460 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %462 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %463 = arith.muli %451, %462 : tensor<64x1xi32>
      %464 = tt.broadcast %463 : tensor<64x1xi32> -> tensor<64x64xi32>
      %465 = tt.broadcast %461 : tensor<1x64xi32> -> tensor<64x64xi32>
      %466 = arith.addi %464, %465 : tensor<64x64xi32>
      %467 = tt.splat %457 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %468 = tt.addptr %467, %466 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %469 = tt.broadcast %455 : tensor<64x1xi1> -> tensor<64x64xi1>
      %470 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
      %471 = tt.load %468, %469, %470 : tensor<64x64x!tt.ptr<bf16>>
      %472 = tt.trans %471 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %473 = tt.dot %133, %472, %225, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %474 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %475 = tt.addptr %474, %449 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %476 = tt.splat %39 : i32 -> tensor<1x64xi32>
      %477 = arith.cmpi slt, %449, %476 : tensor<1x64xi32>
      %478 = tt.splat %64 : i32 -> tensor<1x64xi32>
      %479 = tt.load %475, %477, %478 : tensor<1x64x!tt.ptr<i32>>
      %480 = tt.splat %263 : f32 -> tensor<64x64xf32>
      %481 = arith.mulf %473, %480 : tensor<64x64xf32>
      %482 = tt.splat %266 : f32 -> tensor<64x64xf32>
      %483 = arith.mulf %481, %482 : tensor<64x64xf32>
      %484 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %483 : tensor<64x64xf32> -> tensor<64x64xf32>
      %485 = tt.splat %272 : f32 -> tensor<64x64xf32>
      %486 = arith.addf %484, %485 : tensor<64x64xf32>
      %487 = arith.divf %271, %486 : tensor<64x64xf32>
      %488 = arith.subf %270, %487 : tensor<64x64xf32>
      %489 = arith.truncf %224 : f32 to bf16
      %490 = arith.extf %489 : bf16 to f32
      %491 = arith.subi %449, %479 : tensor<1x64xi32>
      %492 = arith.sitofp %491 : tensor<1x64xi32> to tensor<1x64xf32>
      %493 = arith.truncf %492 : tensor<1x64xf32> to tensor<1x64xbf16>
      %494 = arith.extf %493 : tensor<1x64xbf16> to tensor<1x64xf32>
      %495 = tt.splat %490 : f32 -> tensor<1x64xf32>
      %496 = arith.mulf %495, %494 : tensor<1x64xf32>
      %497 = arith.truncf %496 : tensor<1x64xf32> to tensor<1x64xbf16>
      %498 = arith.extf %497 : tensor<1x64xbf16> to tensor<1x64xf32>
      %499 = arith.subi %185, %222 : tensor<64x1xi32>
      %500 = arith.sitofp %499 : tensor<64x1xi32> to tensor<64x1xf32>
      %501 = arith.truncf %500 : tensor<64x1xf32> to tensor<64x1xbf16>
      %502 = arith.extf %501 : tensor<64x1xbf16> to tensor<64x1xf32>
      %503 = tt.splat %490 : f32 -> tensor<64x1xf32>
      %504 = arith.mulf %503, %502 : tensor<64x1xf32>
      %505 = arith.truncf %504 : tensor<64x1xf32> to tensor<64x1xbf16>
      %506 = arith.extf %505 : tensor<64x1xbf16> to tensor<64x1xf32>
      %507 = tt.broadcast %498 : tensor<1x64xf32> -> tensor<64x64xf32>
      %508 = tt.broadcast %506 : tensor<64x1xf32> -> tensor<64x64xf32>
      %509 = arith.subf %507, %508 : tensor<64x64xf32>
      %510 = tt.splat %298 : f32 -> tensor<64x64xf32>
      %511 = arith.mulf %509, %510 : tensor<64x64xf32>
      %512 = tt.splat %301 : f32 -> tensor<64x64xf32>
      %513 = math.fma %488, %512, %511 : tensor<64x64xf32>
      %514 = tt.broadcast %201 : tensor<64x1xf32> -> tensor<64x64xf32>
      %515 = arith.subf %513, %514 : tensor<64x64xf32>
      %516 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %515 : tensor<64x64xf32> -> tensor<64x64xf32>
      %517 = tt.broadcast %449 : tensor<1x64xi32> -> tensor<64x64xi32>
      %518 = tt.broadcast %45 : tensor<64x1xi32> -> tensor<64x64xi32>
      %519 = arith.cmpi sge, %517, %518 : tensor<64x64xi32>
      %520 = tt.broadcast %449 : tensor<1x64xi32> -> tensor<64x64xi32>
      %521 = tt.broadcast %84 : tensor<64x1xi32> -> tensor<64x64xi32>
      %522 = arith.cmpi slt, %520, %521 : tensor<64x64xi32>
      %523 = arith.andi %519, %522 : tensor<64x64xi1>
      %524 = tt.splat %196 : f32 -> tensor<64x64xf32>
      %525 = arith.select %523, %516, %524 : tensor<64x64xi1>, tensor<64x64xf32>
      %526 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %527 = tt.expand_dims %526 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %528 = tt.splat %444 : i32 -> tensor<64x1xi32>
      %529 = arith.addi %528, %527 : tensor<64x1xi32>
      %530 = tt.splat %39 : i32 -> tensor<64x1xi32>
      %531 = arith.cmpi slt, %529, %530 : tensor<64x1xi32>
      %532 = arith.muli %444, %29 : i32
      %533 = tt.addptr %103, %532 : !tt.ptr<bf16>, i32
      %534 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %535 = tt.splat %64 : i32 -> tensor<64xi32>
      %536 = arith.addi %534, %535 : tensor<64xi32>
      %537 = tt.expand_dims %536 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %538 = tt.splat %29 : i32 -> tensor<64x1xi32>
      %539 = arith.muli %527, %538 : tensor<64x1xi32>
      %540 = tt.broadcast %539 : tensor<64x1xi32> -> tensor<64x64xi32>
      %541 = tt.broadcast %537 : tensor<1x64xi32> -> tensor<64x64xi32>
      %542 = arith.addi %540, %541 : tensor<64x64xi32>
      %543 = tt.splat %533 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %544 = tt.addptr %543, %542 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %545 = tt.trans %544 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %546 = tt.broadcast %531 : tensor<64x1xi1> -> tensor<64x64xi1>
      %547 = tt.trans %546 {order = array<i32: 1, 0>} : tensor<64x64xi1> -> tensor<64x64xi1>
      %548 = tt.splat %131 : bf16 -> tensor<64x64xbf16>
      %549 = tt.load %545, %547, %548 : tensor<64x64x!tt.ptr<bf16>>
      %550 = tt.dot %157, %549, %225, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %551 = tt.broadcast %209 : tensor<64x1xf32> -> tensor<64x64xf32>
      %552 = arith.subf %550, %551 : tensor<64x64xf32>
      %553 = arith.mulf %525, %552 : tensor<64x64xf32>
      %554 = arith.mulf %488, %488 : tensor<64x64xf32>
      %555 = arith.subf %270, %554 : tensor<64x64xf32>
      %556 = arith.mulf %553, %555 : tensor<64x64xf32>
      %557 = arith.truncf %556 : tensor<64x64xf32> to tensor<64x64xbf16>
      %558 = tt.dot %557, %471, %445, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %558 : tensor<64x64xf32>
    }
    %561 = tt.splat %560 : f32 -> tensor<64x64xf32>
    %562 = arith.mulf %559, %561 : tensor<64x64xf32>
    %563 = arith.muli %7, %10 : i64
    %564 = tt.addptr %dq, %563 : !tt.ptr<bf16>, i64
    %565 = arith.muli %25, %29 : i32
    %566 = tt.addptr %564, %565 : !tt.ptr<bf16>, i32
    %567 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %568 = tt.expand_dims %567 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %569 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %570 = arith.addi %569, %568 : tensor<64x1xi32>
    %571 = tt.splat %39 : i32 -> tensor<64x1xi32>
    %572 = arith.cmpi slt, %570, %571 : tensor<64x1xi32>
    %573 = arith.muli %30, %116 : i32
    %574 = tt.addptr %566, %573 : !tt.ptr<bf16>, i32
    %575 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %576 = tt.splat %64 : i32 -> tensor<64xi32>
    %577 = arith.addi %575, %576 : tensor<64xi32>
    %578 = tt.expand_dims %577 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %579 = tt.splat %116 : i32 -> tensor<64x1xi32>
    %580 = arith.muli %568, %579 : tensor<64x1xi32>
    %581 = tt.broadcast %580 : tensor<64x1xi32> -> tensor<64x64xi32>
    %582 = tt.broadcast %578 : tensor<1x64xi32> -> tensor<64x64xi32>
    %583 = arith.addi %581, %582 : tensor<64x64xi32>
    %584 = tt.splat %574 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %585 = tt.addptr %584, %583 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %586 = arith.truncf %562 : tensor<64x64xf32> to tensor<64x64xbf16>
    %587 = tt.broadcast %572 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %585, %586, %587 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
