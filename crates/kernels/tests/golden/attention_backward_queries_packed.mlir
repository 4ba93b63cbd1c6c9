module {
  tt.func public @attention_backward_queries(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %slopes: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dq: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 197 : i64
    %10 = arith.constant 94560 : i64
    %13 = arith.constant 31520 : i64
    %27 = arith.constant 3 : i32
    %29 = arith.constant 64 : i32
    %36 = arith.constant 63 : i32
    %38 = arith.constant 197 : i32
    %63 = arith.constant 0 : i32
    %82 = arith.constant 49 : i32
    %90 = arith.constant 1 : i32
    %99 = arith.constant 31 : i32
    %101 = arith.constant 32 : i32
    %110 = arith.constant 80 : i32
    %127 = arith.constant 480 : i32
    %153 = arith.constant 0.0e0 : bf16
    %241 = arith.constant 6 : i64
    %249 = arith.constant 0.0e0 : f32
    %252 = arith.constant 1.442695e0 : f32
    %280 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %281 = arith.constant dense<0.0e0> : tensor<64x16xf32>
    %296 = arith.constant 160 : i32
    %329 = arith.constant dense<0.0e0> : tensor<64x32xf32>
    %340 = arith.constant 1.6129822e-1 : f32
    %616 = arith.constant 1.118034e-1 : f32
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
    %31 = arith.divsi %25, %27 : i32
    %32 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %33 = tt.splat %30 : i32 -> tensor<64xi32>
    %34 = arith.addi %33, %32 : tensor<64xi32>
    %35 = tt.expand_dims %34 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %37 = arith.addi %30, %36 : i32
    %39 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %40 = arith.cmpi slt, %35, %39 : tensor<64x1xi32>
    %41 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %42 = tt.addptr %41, %35 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %43 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %44 = tt.load %42, %40, %43 : tensor<64x1x!tt.ptr<i32>>
    %48 = "tt.reduce"(%44) <{axis = 1 : i32}> ({
    ^bb0(%45: i32, %46: i32):
      %47 = arith.minsi %45, %46 : i32
      tt.reduce.return %47 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %52 = "tt.reduce"(%48) <{axis = 0 : i32}> ({
    ^bb0(%49: i32, %50: i32):
      %51 = arith.minsi %49, %50 : i32
      tt.reduce.return %51 : i32
    }) : (tensor<64xi32>) -> (i32)
    %56 = "tt.reduce"(%44) <{axis = 1 : i32}> ({
    ^bb0(%53: i32, %54: i32):
      %55 = arith.maxsi %53, %54 : i32
      tt.reduce.return %55 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %60 = "tt.reduce"(%56) <{axis = 0 : i32}> ({
    ^bb0(%57: i32, %58: i32):
      %59 = arith.maxsi %57, %58 : i32
      tt.reduce.return %59 : i32
    }) : (tensor<64xi32>) -> (i32)
    %61 = tt.splat %19 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %62 = tt.addptr %61, %35 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %64 = tt.splat %63 : i32 -> tensor<64x1xi32>
    %65 = tt.load %62, %40, %64 : tensor<64x1x!tt.ptr<i32>>
    %69 = "tt.reduce"(%65) <{axis = 1 : i32}> ({
    ^bb0(%66: i32, %67: i32):
      %68 = arith.minsi %66, %67 : i32
      tt.reduce.return %68 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %73 = "tt.reduce"(%69) <{axis = 0 : i32}> ({
    ^bb0(%70: i32, %71: i32):
      %72 = arith.minsi %70, %71 : i32
      tt.reduce.return %72 : i32
    }) : (tensor<64xi32>) -> (i32)
    %77 = "tt.reduce"(%65) <{axis = 1 : i32}> ({
    ^bb0(%74: i32, %75: i32):
      %76 = arith.maxsi %74, %75 : i32
      tt.reduce.return %76 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %81 = "tt.reduce"(%77) <{axis = 0 : i32}> ({
    ^bb0(%78: i32, %79: i32):
      %80 = arith.maxsi %78, %79 : i32
      tt.reduce.return %80 : i32
    }) : (tensor<64xi32>) -> (i32)
    %83 = tt.splat %82 : i32 -> tensor<64x1xi32>
    %84 = arith.subi %35, %83 : tensor<64x1xi32>
    %85 = arith.subi %30, %82 : i32
    %86 = arith.subi %37, %82 : i32
    %87 = arith.maxsi %44, %84 : tensor<64x1xi32>
    %88 = arith.maxsi %52, %85 : i32
    %89 = arith.maxsi %60, %86 : i32
    %91 = tt.splat %90 : i32 -> tensor<64x1xi32>
    %92 = arith.addi %35, %91 : tensor<64x1xi32>
    %93 = arith.addi %30, %90 : i32
    %94 = arith.addi %37, %90 : i32
    %95 = arith.maxsi %88, %63 : i32
    %96 = arith.maxsi %89, %63 : i32
    %97 = arith.minsi %93, %38 : i32
    %98 = arith.minsi %94, %38 : i32
    %100 = arith.addi %96, %99 : i32
    %102 = arith.divsi %100, %101 : i32
    %103 = arith.muli %102, %101 : i32
    %104 = arith.maxsi %97, %63 : i32
    %105 = arith.divsi %104, %101 : i32
    %106 = arith.muli %105, %101 : i32
    %107 = arith.divsi %95, %101 : i32
    %108 = arith.muli %107, %101 : i32
    %109 = arith.maxsi %106, %103 : i32
    %111 = arith.muli %31, %110 : i32
    %112 = tt.addptr %15, %111 : !tt.ptr<bf16>, i32
    %113 = arith.muli %31, %110 : i32
    %114 = tt.addptr %17, %113 : !tt.ptr<bf16>, i32
    %115 = arith.muli %7, %10 : i64
    %116 = tt.addptr %ct, %115 : !tt.ptr<bf16>, i64
    %117 = arith.muli %7, %10 : i64
    %118 = tt.addptr %out, %117 : !tt.ptr<bf16>, i64
    %119 = arith.muli %25, %110 : i32
    %120 = tt.addptr %12, %119 : !tt.ptr<bf16>, i32
    %121 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %122 = tt.expand_dims %121 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %123 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %124 = arith.addi %123, %122 : tensor<64x1xi32>
    %125 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %126 = arith.cmpi slt, %124, %125 : tensor<64x1xi32>
    %128 = arith.muli %30, %127 : i32
    %129 = tt.addptr %120, %128 : !tt.ptr<bf16>, i32
    %130 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %131 = tt.splat %63 : i32 -> tensor<64xi32>
    %132 = arith.addi %130, %131 : tensor<64xi32>
    %133 = tt.expand_dims %132 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %134 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %135 = arith.muli %122, %134 : tensor<64x1xi32>
    %136 = tt.broadcast %135 : tensor<64x1xi32> -> tensor<64x64xi32>
    %137 = tt.broadcast %133 : tensor<1x64xi32> -> tensor<64x64xi32>
    %138 = arith.addi %136, %137 : tensor<64x64xi32>
    %139 = tt.splat %129 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %140 = tt.addptr %139, %138 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %141 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %142 = tt.splat %29 : i32 -> tensor<16xi32>
    %143 = arith.addi %141, %142 : tensor<16xi32>
    %144 = tt.expand_dims %143 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %145 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %146 = arith.muli %122, %145 : tensor<64x1xi32>
    %147 = tt.broadcast %146 : tensor<64x1xi32> -> tensor<64x16xi32>
    %148 = tt.broadcast %144 : tensor<1x16xi32> -> tensor<64x16xi32>
    %149 = arith.addi %147, %148 : tensor<64x16xi32>
    %150 = tt.splat %129 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %151 = tt.addptr %150, %149 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %152 = tt.broadcast %126 : tensor<64x1xi1> -> tensor<64x64xi1>
    %154 = tt.splat %153 : bf16 -> tensor<64x64xbf16>
    %155 = tt.load %140, %152, %154 : tensor<64x64x!tt.ptr<bf16>>
    %156 = tt.broadcast %126 : tensor<64x1xi1> -> tensor<64x16xi1>
    %157 = tt.splat %153 : bf16 -> tensor<64x16xbf16>
    %158 = tt.load %151, %156, %157 : tensor<64x16x!tt.ptr<bf16>>
    %159 = arith.muli %25, %110 : i32
    %160 = tt.addptr %116, %159 : !tt.ptr<bf16>, i32
    %161 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %162 = tt.expand_dims %161 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %163 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %164 = arith.addi %163, %162 : tensor<64x1xi32>
    %165 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %166 = arith.cmpi slt, %164, %165 : tensor<64x1xi32>
    %167 = arith.muli %30, %127 : i32
    %168 = tt.addptr %160, %167 : !tt.ptr<bf16>, i32
    %169 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %170 = tt.splat %63 : i32 -> tensor<64xi32>
    %171 = arith.addi %169, %170 : tensor<64xi32>
    %172 = tt.expand_dims %171 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %173 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %174 = arith.muli %162, %173 : tensor<64x1xi32>
    %175 = tt.broadcast %174 : tensor<64x1xi32> -> tensor<64x64xi32>
    %176 = tt.broadcast %172 : tensor<1x64xi32> -> tensor<64x64xi32>
    %177 = arith.addi %175, %176 : tensor<64x64xi32>
    %178 = tt.splat %168 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %179 = tt.addptr %178, %177 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %180 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %181 = tt.splat %29 : i32 -> tensor<16xi32>
    %182 = arith.addi %180, %181 : tensor<16xi32>
    %183 = tt.expand_dims %182 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %184 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %185 = arith.muli %162, %184 : tensor<64x1xi32>
    %186 = tt.broadcast %185 : tensor<64x1xi32> -> tensor<64x16xi32>
    %187 = tt.broadcast %183 : tensor<1x16xi32> -> tensor<64x16xi32>
    %188 = arith.addi %186, %187 : tensor<64x16xi32>
    %189 = tt.splat %168 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %190 = tt.addptr %189, %188 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %191 = tt.broadcast %166 : tensor<64x1xi1> -> tensor<64x64xi1>
    %192 = tt.splat %153 : bf16 -> tensor<64x64xbf16>
    %193 = tt.load %179, %191, %192 : tensor<64x64x!tt.ptr<bf16>>
    %194 = tt.broadcast %166 : tensor<64x1xi1> -> tensor<64x16xi1>
    %195 = tt.splat %153 : bf16 -> tensor<64x16xbf16>
    %196 = tt.load %190, %194, %195 : tensor<64x16x!tt.ptr<bf16>>
    %197 = arith.muli %25, %110 : i32
    %198 = tt.addptr %118, %197 : !tt.ptr<bf16>, i32
    %199 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %200 = tt.expand_dims %199 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %201 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %202 = arith.addi %201, %200 : tensor<64x1xi32>
    %203 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %204 = arith.cmpi slt, %202, %203 : tensor<64x1xi32>
    %205 = arith.muli %30, %127 : i32
    %206 = tt.addptr %198, %205 : !tt.ptr<bf16>, i32
    %207 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %208 = tt.splat %63 : i32 -> tensor<64xi32>
    %209 = arith.addi %207, %208 : tensor<64xi32>
    %210 = tt.expand_dims %209 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %211 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %212 = arith.muli %200, %211 : tensor<64x1xi32>
    %213 = tt.broadcast %212 : tensor<64x1xi32> -> tensor<64x64xi32>
    %214 = tt.broadcast %210 : tensor<1x64xi32> -> tensor<64x64xi32>
    %215 = arith.addi %213, %214 : tensor<64x64xi32>
    %216 = tt.splat %206 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %217 = tt.addptr %216, %215 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %218 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %219 = tt.splat %29 : i32 -> tensor<16xi32>
    %220 = arith.addi %218, %219 : tensor<16xi32>
    %221 = tt.expand_dims %220 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %222 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %223 = arith.muli %200, %222 : tensor<64x1xi32>
    %224 = tt.broadcast %223 : tensor<64x1xi32> -> tensor<64x16xi32>
    %225 = tt.broadcast %221 : tensor<1x16xi32> -> tensor<64x16xi32>
    %226 = arith.addi %224, %225 : tensor<64x16xi32>
    %227 = tt.splat %206 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %228 = tt.addptr %227, %226 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %229 = tt.broadcast %204 : tensor<64x1xi1> -> tensor<64x64xi1>
    %230 = tt.splat %153 : bf16 -> tensor<64x64xbf16>
    %231 = tt.load %217, %229, %230 : tensor<64x64x!tt.ptr<bf16>>
    %232 = tt.broadcast %204 : tensor<64x1xi1> -> tensor<64x16xi1>
    %233 = tt.splat %153 : bf16 -> tensor<64x16xbf16>
    %234 = tt.load %228, %232, %233 : tensor<64x16x!tt.ptr<bf16>>
    %235 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %236 = tt.splat %30 : i32 -> tensor<64xi32>
    %237 = arith.addi %236, %235 : tensor<64xi32>
    %238 = tt.expand_dims %237 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %239 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %240 = arith.cmpi slt, %238, %239 : tensor<64x1xi32>
    %242 = arith.muli %7, %241 : i64
    %243 = arith.extsi %25 : i32 to i64
    %244 = arith.addi %242, %243 : i64
    %245 = arith.muli %244, %8 : i64
    %246 = tt.addptr %rows, %245 : !tt.ptr<f32>, i64
    %247 = tt.splat %246 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %248 = tt.addptr %247, %238 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %250 = tt.splat %249 : f32 -> tensor<64x1xf32>
    %251 = tt.load %248, %240, %250 : tensor<64x1x!tt.ptr<f32>>
    %253 = tt.splat %252 : f32 -> tensor<64x1xf32>
    %254 = arith.mulf %251, %253 : tensor<64x1xf32>
    %255 = arith.extf %193 : tensor<64x64xbf16> to tensor<64x64xf32>
    %256 = arith.extf %231 : tensor<64x64xbf16> to tensor<64x64xf32>
    %257 = arith.mulf %255, %256 : tensor<64x64xf32>
    %261 = "tt.reduce"(%257) <{axis = 1 : i32}> ({
    ^bb0(%258: f32, %259: f32):
      %260 = arith.addf %258, %259 : f32
      tt.reduce.return %260 : f32
    }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
    %262 = arith.extf %196 : tensor<64x16xbf16> to tensor<64x16xf32>
    %263 = arith.extf %234 : tensor<64x16xbf16> to tensor<64x16xf32>
    %264 = arith.mulf %262, %263 : tensor<64x16xf32>
    %268 = "tt.reduce"(%264) <{axis = 1 : i32}> ({
    ^bb0(%265: f32, %266: f32):
      %267 = arith.addf %265, %266 : f32
      tt.reduce.return %267 : f32
    }) : (tensor<64x16xf32>) -> (tensor<64xf32>)
    %269 = arith.addf %261, %268 : tensor<64xf32>
    %270 = tt.expand_dims %269 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %271 = arith.muli %7, %241 : i64
    %272 = arith.extsi %25 : i32 to i64
    %273 = arith.addi %271, %272 : i64
    %274 = arith.muli %273, %8 : i64
    %275 = tt.addptr %means, %274 : !tt.ptr<f32>, i64
    %276 = tt.splat %275 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %277 = tt.addptr %276, %238 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    tt.store %277, %270, %240 : tensor<64x1x!tt.ptr<f32>>
    %278 = tt.addptr %slopes, %25 : !tt.ptr<f32>, i32
    %279 = tt.load %278 : !tt.ptr<f32>
    %282 = arith.minsi %103, %98 : i32
    %403:2 = scf.for %283 = %108 to %282 step %101 iter_args(%284 = %280, %285 = %281) -> (tensor<64x64xf32>, tensor<64x16xf32>) : i32 {
      %286 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %287 = tt.splat %283 : i32 -> tensor<32xi32>
      %288 = arith.addi %287, %286 : tensor<32xi32>
      %289 = tt.expand_dims %288 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %290 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %291 = tt.expand_dims %290 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %292 = tt.splat %283 : i32 -> tensor<32x1xi32>
      %293 = arith.addi %292, %291 : tensor<32x1xi32>
      %294 = tt.splat %38 : i32 -> tensor<32x1xi32>
      %295 = arith.cmpi slt, %293, %294 : tensor<32x1xi32>
      %297 = arith.muli %283, %296 : i32
      %298 = tt.addptr %112, %297 : !tt.ptr<bf16>, i32
      %299 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %300 = tt.splat %63 : i32 -> tensor<64xi32>
      %301 = arith.addi %299, %300 : tensor<64xi32>
      %302 = tt.expand_dims %301 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %303 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %304 = arith.muli %291, %303 : tensor<32x1xi32>
      %305 = tt.broadcast %304 : tensor<32x1xi32> -> tensor<32x64xi32>
      %306 = tt.broadcast %302 : tensor<1x64xi32> -> tensor<32x64xi32>
      %307 = arith.addi %305, %306 : tensor<32x64xi32>
      %308 = tt.splat %298 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %309 = tt.addptr %308, %307 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %310 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %311 = tt.splat %29 : i32 -> tensor<16xi32>
      %312 = arith.addi %310, %311 : tensor<16xi32>
      %313 = tt.expand_dims %312 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %314 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %315 = arith.muli %291, %314 : tensor<32x1xi32>
      %316 = tt.broadcast %315 : tensor<32x1xi32> -> tensor<32x16xi32>
      %317 = tt.broadcast %313 : tensor<1x16xi32> -> tensor<32x16xi32>
      %318 = arith.addi %316, %317 : tensor<32x16xi32>
      %319 = tt.splat %298 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %320 = tt.addptr %319, %318 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %321 = tt.broadcast %295 : tensor<32x1xi1> -> tensor<32x64xi1>
      %322 = tt.splat %153 : bf16 -> tensor<32x64xbf16>
      %323 = tt.load %309, %321, %322 : tensor<32x64x!tt.ptr<bf16>>
      %324 = tt.broadcast %295 : tensor<32x1xi1> -> tensor<32x16xi1>
      %325 = tt.splat %153 : bf16 -> tensor<32x16xbf16>
      %326 = tt.load %320, %324, %325 : tensor<32x16x!tt.ptr<bf16>>
      %327 = tt.trans %323 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %328 = tt.trans %326 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %330 = tt.dot %155, %327, %329, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %331 = tt.dot %158, %328, %330, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %332 = arith.sitofp %238 : tensor<64x1xi32> to tensor<64x1xf32>
      %333 = arith.sitofp %289 : tensor<1x32xi32> to tensor<1x32xf32>
      %334 = tt.broadcast %333 : tensor<1x32xf32> -> tensor<64x32xf32>
      %335 = tt.broadcast %332 : tensor<64x1xf32> -> tensor<64x32xf32>
      %336 = arith.subf %334, %335 : tensor<64x32xf32>
      %337 = arith.mulf %279, %252 : f32
      %338 = tt.splat %337 : f32 -> tensor<64x32xf32>
      %339 = arith.mulf %336, %338 : tensor<64x32xf32>
      %341 = tt.splat %340 : f32 -> tensor<64x32xf32>
      %342 = math.fma %331, %341, %339 : tensor<64x32xf32>
      %343 = tt.broadcast %254 : tensor<64x1xf32> -> tensor<64x32xf32>
      %344 = arith.subf %342, %343 : tensor<64x32xf32>
      %345 = math.exp2 %344 : tensor<64x32xf32>
      %346 = tt.broadcast %289 : tensor<1x32xi32> -> tensor<64x32xi32>
      %347 = tt.broadcast %87 : tensor<64x1xi32> -> tensor<64x32xi32>
      %348 = arith.cmpi sge, %346, %347 : tensor<64x32xi32>
      %349 = tt.broadcast %289 : tensor<1x32xi32> -> tensor<64x32xi32>
      %350 = tt.broadcast %92 : tensor<64x1xi32> -> tensor<64x32xi32>
      %351 = arith.cmpi slt, %349, %350 : tensor<64x32xi32>
      %352 = arith.andi %348, %351 : tensor<64x32xi1>
      %353 = tt.splat %249 : f32 -> tensor<64x32xf32>
      %354 = arith.select %352, %345, %353 : tensor<64x32xi1>, tensor<64x32xf32>
      %355 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %356 = tt.expand_dims %355 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %357 = tt.splat %283 : i32 -> tensor<32x1xi32>
      %358 = arith.addi %357, %356 : tensor<32x1xi32>
      %359 = tt.splat %38 : i32 -> tensor<32x1xi32>
      %360 = arith.cmpi slt, %358, %359 : tensor<32x1xi32>
      %361 = arith.muli %283, %296 : i32
      %362 = tt.addptr %114, %361 : !tt.ptr<bf16>, i32
      %363 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %364 = tt.splat %63 : i32 -> tensor<64xi32>
      %365 = arith.addi %363, %364 : tensor<64xi32>
      %366 = tt.expand_dims %365 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %367 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %368 = arith.muli %356, %367 : tensor<32x1xi32>
      %369 = tt.broadcast %368 : tensor<32x1xi32> -> tensor<32x64xi32>
      %370 = tt.broadcast %366 : tensor<1x64xi32> -> tensor<32x64xi32>
      %371 = arith.addi %369, %370 : tensor<32x64xi32>
      %372 = tt.splat %362 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %373 = tt.addptr %372, %371 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %374 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %375 = tt.splat %29 : i32 -> tensor<16xi32>
      %376 = arith.addi %374, %375 : tensor<16xi32>
      %377 = tt.expand_dims %376 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %378 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %379 = arith.muli %356, %378 : tensor<32x1xi32>
      %380 = tt.broadcast %379 : tensor<32x1xi32> -> tensor<32x16xi32>
      %381 = tt.broadcast %377 : tensor<1x16xi32> -> tensor<32x16xi32>
      %382 = arith.addi %380, %381 : tensor<32x16xi32>
      %383 = tt.splat %362 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %384 = tt.addptr %383, %382 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %385 = tt.trans %373 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %386 = tt.broadcast %360 : tensor<32x1xi1> -> tensor<32x64xi1>
      %387 = tt.trans %386 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %388 = tt.splat %153 : bf16 -> tensor<64x32xbf16>
      %389 = tt.load %385, %387, %388 : tensor<64x32x!tt.ptr<bf16>>
      %390 = tt.trans %384 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %391 = tt.broadcast %360 : tensor<32x1xi1> -> tensor<32x16xi1>
      %392 = tt.trans %391 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %393 = tt.splat %153 : bf16 -> tensor<16x32xbf16>
      %394 = tt.load %390, %392, %393 : tensor<16x32x!tt.ptr<bf16>>
      %395 = tt.dot %193, %389, %329, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %396 = tt.dot %196, %394, %395, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %397 = tt.broadcast %270 : tensor<64x1xf32> -> tensor<64x32xf32>
      %398 = arith.subf %396, %397 : tensor<64x32xf32>
      %399 = arith.mulf %354, %398 : tensor<64x32xf32>
      %400 = arith.truncf %399 : tensor<64x32xf32> to tensor<64x32xbf16>
      %401 = tt.dot %400, %323, %284, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %402 = tt.dot %400, %326, %285, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      scf.yield %401, %402 : tensor<64x64xf32>, tensor<64x16xf32>
    }
    %495:2 = scf.for %405 = %103 to %109 step %101 iter_args(%406 = %403#0, %407 = %403#1) -> (tensor<64x64xf32>, tensor<64x16xf32>) : i32 {
      %408 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %409 = tt.splat %405 : i32 -> tensor<32xi32>
      %410 = arith.addi %409, %408 : tensor<32xi32>
      %411 = tt.expand_dims %410 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %412 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %413 = tt.expand_dims %412 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %414 = arith.muli %405, %296 : i32
      %415 = tt.addptr %112, %414 : !tt.ptr<bf16>, i32
      %416 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %417 = tt.splat %63 : i32 -> tensor<64xi32>
      %418 = arith.addi %416, %417 : tensor<64xi32>
      %419 = tt.expand_dims %418 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %420 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %421 = arith.muli %413, %420 : tensor<32x1xi32>
      %422 = tt.broadcast %421 : tensor<32x1xi32> -> tensor<32x64xi32>
      %423 = tt.broadcast %419 : tensor<1x64xi32> -> tensor<32x64xi32>
      %424 = arith.addi %422, %423 : tensor<32x64xi32>
      %425 = tt.splat %415 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %426 = tt.addptr %425, %424 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %427 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %428 = tt.splat %29 : i32 -> tensor<16xi32>
      %429 = arith.addi %427, %428 : tensor<16xi32>
      %430 = tt.expand_dims %429 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %431 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %432 = arith.muli %413, %431 : tensor<32x1xi32>
      %433 = tt.broadcast %432 : tensor<32x1xi32> -> tensor<32x16xi32>
      %434 = tt.broadcast %430 : tensor<1x16xi32> -> tensor<32x16xi32>
      %435 = arith.addi %433, %434 : tensor<32x16xi32>
      %436 = tt.splat %415 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %437 = tt.addptr %436, %435 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %438 = tt.load %426 : tensor<32x64x!tt.ptr<bf16>>
      %439 = tt.load %437 : tensor<32x16x!tt.ptr<bf16>>
      %440 = tt.trans %438 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %441 = tt.trans %439 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %442 = tt.dot %155, %440, %329, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %443 = tt.dot %158, %441, %442, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %444 = arith.sitofp %238 : tensor<64x1xi32> to tensor<64x1xf32>
      %445 = arith.sitofp %411 : tensor<1x32xi32> to tensor<1x32xf32>
      %446 = tt.broadcast %445 : tensor<1x32xf32> -> tensor<64x32xf32>
      %447 = tt.broadcast %444 : tensor<64x1xf32> -> tensor<64x32xf32>
      %448 = arith.subf %446, %447 : tensor<64x32xf32>
      %449 = arith.mulf %279, %252 : f32
      %450 = tt.splat %449 : f32 -> tensor<64x32xf32>
      %451 = arith.mulf %448, %450 : tensor<64x32xf32>
      %452 = tt.splat %340 : f32 -> tensor<64x32xf32>
      %453 = math.fma %443, %452, %451 : tensor<64x32xf32>
      %454 = tt.broadcast %254 : tensor<64x1xf32> -> tensor<64x32xf32>
      %455 = arith.subf %453, %454 : tensor<64x32xf32>
      %456 = math.exp2 %455 : tensor<64x32xf32>
      %457 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %458 = tt.expand_dims %457 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %459 = arith.muli %405, %296 : i32
      %460 = tt.addptr %114, %459 : !tt.ptr<bf16>, i32
      %461 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %462 = tt.splat %63 : i32 -> tensor<64xi32>
      %463 = arith.addi %461, %462 : tensor<64xi32>
      %464 = tt.expand_dims %463 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %465 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %466 = arith.muli %458, %465 : tensor<32x1xi32>
      %467 = tt.broadcast %466 : tensor<32x1xi32> -> tensor<32x64xi32>
      %468 = tt.broadcast %464 : tensor<1x64xi32> -> tensor<32x64xi32>
      %469 = arith.addi %467, %468 : tensor<32x64xi32>
      %470 = tt.splat %460 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %471 = tt.addptr %470, %469 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %472 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %473 = tt.splat %29 : i32 -> tensor<16xi32>
      %474 = arith.addi %472, %473 : tensor<16xi32>
      %475 = tt.expand_dims %474 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %476 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %477 = arith.muli %458, %476 : tensor<32x1xi32>
      %478 = tt.broadcast %477 : tensor<32x1xi32> -> tensor<32x16xi32>
      %479 = tt.broadcast %475 : tensor<1x16xi32> -> tensor<32x16xi32>
      %480 = arith.addi %478, %479 : tensor<32x16xi32>
      %481 = tt.splat %460 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %482 = tt.addptr %481, %480 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %483 = tt.trans %471 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %484 = tt.load %483 : tensor<64x32x!tt.ptr<bf16>>
      %485 = tt.trans %482 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %486 = tt.load %485 : tensor<16x32x!tt.ptr<bf16>>
      %487 = tt.dot %193, %484, %329, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %488 = tt.dot %196, %486, %487, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %489 = tt.broadcast %270 : tensor<64x1xf32> -> tensor<64x32xf32>
      %490 = arith.subf %488, %489 : tensor<64x32xf32>
      %491 = arith.mulf %456, %490 : tensor<64x32xf32>
      %492 = arith.truncf %491 : tensor<64x32xf32> to tensor<64x32xbf16>
      %493 = tt.dot %492, %438, %406, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %494 = tt.dot %492, %439, %407, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      scf.yield %493, %494 : tensor<64x64xf32>, tensor<64x16xf32>
    }
    %614:2 = scf.for %497 = %109 to %98 step %101 iter_args(%498 = %495#0, %499 = %495#1) -> (tensor<64x64xf32>, tensor<64x16xf32>) : i32 {
      %500 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %501 = tt.splat %497 : i32 -> tensor<32xi32>
      %502 = arith.addi %501, %500 : tensor<32xi32>
      %503 = tt.expand_dims %502 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %504 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %505 = tt.expand_dims %504 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %506 = tt.splat %497 : i32 -> tensor<32x1xi32>
      %507 = arith.addi %506, %505 : tensor<32x1xi32>
      %508 = tt.splat %38 : i32 -> tensor<32x1xi32>
      %509 = arith.cmpi slt, %507, %508 : tensor<32x1xi32>
      %510 = arith.muli %497, %296 : i32
      %511 = tt.addptr %112, %510 : !tt.ptr<bf16>, i32
      %512 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %513 = tt.splat %63 : i32 -> tensor<64xi32>
      %514 = arith.addi %512, %513 : tensor<64xi32>
      %515 = tt.expand_dims %514 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %516 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %517 = arith.muli %505, %516 : tensor<32x1xi32>
      %518 = tt.broadcast %517 : tensor<32x1xi32> -> tensor<32x64xi32>
      %519 = tt.broadcast %515 : tensor<1x64xi32> -> tensor<32x64xi32>
      %520 = arith.addi %518, %519 : tensor<32x64xi32>
      %521 = tt.splat %511 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %522 = tt.addptr %521, %520 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %523 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %524 = tt.splat %29 : i32 -> tensor<16xi32>
      %525 = arith.addi %523, %524 : tensor<16xi32>
      %526 = tt.expand_dims %525 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %527 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %528 = arith.muli %505, %527 : tensor<32x1xi32>
      %529 = tt.broadcast %528 : tensor<32x1xi32> -> tensor<32x16xi32>
      %530 = tt.broadcast %526 : tensor<1x16xi32> -> tensor<32x16xi32>
      %531 = arith.addi %529, %530 : tensor<32x16xi32>
      %532 = tt.splat %511 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %533 = tt.addptr %532, %531 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %534 = tt.broadcast %509 : tensor<32x1xi1> -> tensor<32x64xi1>
      %535 = tt.splat %153 : bf16 -> tensor<32x64xbf16>
      %536 = tt.load %522, %534, %535 : tensor<32x64x!tt.ptr<bf16>>
      %537 = tt.broadcast %509 : tensor<32x1xi1> -> tensor<32x16xi1>
      %538 = tt.splat %153 : bf16 -> tensor<32x16xbf16>
      %539 = tt.load %533, %537, %538 : tensor<32x16x!tt.ptr<bf16>>
      %540 = tt.trans %536 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %541 = tt.trans %539 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %542 = tt.dot %155, %540, %329, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %543 = tt.dot %158, %541, %542, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %544 = arith.sitofp %238 : tensor<64x1xi32> to tensor<64x1xf32>
      %545 = arith.sitofp %503 : tensor<1x32xi32> to tensor<1x32xf32>
      %546 = tt.broadcast %545 : tensor<1x32xf32> -> tensor<64x32xf32>
      %547 = tt.broadcast %544 : tensor<64x1xf32> -> tensor<64x32xf32>
      %548 = arith.subf %546, %547 : tensor<64x32xf32>
      %549 = arith.mulf %279, %252 : f32
      %550 = tt.splat %549 : f32 -> tensor<64x32xf32>
      %551 = arith.mulf %548, %550 : tensor<64x32xf32>
      %552 = tt.splat %340 : f32 -> tensor<64x32xf32>
      %553 = math.fma %543, %552, %551 : tensor<64x32xf32>
      %554 = tt.broadcast %254 : tensor<64x1xf32> -> tensor<64x32xf32>
      %555 = arith.subf %553, %554 : tensor<64x32xf32>
      %556 = math.exp2 %555 : tensor<64x32xf32>
      %557 = tt.broadcast %503 : tensor<1x32xi32> -> tensor<64x32xi32>
      %558 = tt.broadcast %87 : tensor<64x1xi32> -> tensor<64x32xi32>
      %559 = arith.cmpi sge, %557, %558 : tensor<64x32xi32>
      %560 = tt.broadcast %503 : tensor<1x32xi32> -> tensor<64x32xi32>
      %561 = tt.broadcast %92 : tensor<64x1xi32> -> tensor<64x32xi32>
      %562 = arith.cmpi slt, %560, %561 : tensor<64x32xi32>
      %563 = arith.andi %559, %562 : tensor<64x32xi1>
      %564 = tt.splat %249 : f32 -> tensor<64x32xf32>
      %565 = arith.select %563, %556, %564 : tensor<64x32xi1>, tensor<64x32xf32>
      %566 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %567 = tt.expand_dims %566 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %568 = tt.splat %497 : i32 -> tensor<32x1xi32>
      %569 = arith.addi %568, %567 : tensor<32x1xi32>
      %570 = tt.splat %38 : i32 -> tensor<32x1xi32>
      %571 = arith.cmpi slt, %569, %570 : tensor<32x1xi32>
      %572 = arith.muli %497, %296 : i32
      %573 = tt.addptr %114, %572 : !tt.ptr<bf16>, i32
      %574 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %575 = tt.splat %63 : i32 -> tensor<64xi32>
      %576 = arith.addi %574, %575 : tensor<64xi32>
      %577 = tt.expand_dims %576 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %578 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %579 = arith.muli %567, %578 : tensor<32x1xi32>
      %580 = tt.broadcast %579 : tensor<32x1xi32> -> tensor<32x64xi32>
      %581 = tt.broadcast %577 : tensor<1x64xi32> -> tensor<32x64xi32>
      %582 = arith.addi %580, %581 : tensor<32x64xi32>
      %583 = tt.splat %573 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %584 = tt.addptr %583, %582 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %585 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %586 = tt.splat %29 : i32 -> tensor<16xi32>
      %587 = arith.addi %585, %586 : tensor<16xi32>
      %588 = tt.expand_dims %587 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %589 = tt.splat %296 : i32 -> tensor<32x1xi32>
      %590 = arith.muli %567, %589 : tensor<32x1xi32>
      %591 = tt.broadcast %590 : tensor<32x1xi32> -> tensor<32x16xi32>
      %592 = tt.broadcast %588 : tensor<1x16xi32> -> tensor<32x16xi32>
      %593 = arith.addi %591, %592 : tensor<32x16xi32>
      %594 = tt.splat %573 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %595 = tt.addptr %594, %593 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %596 = tt.trans %584 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %597 = tt.broadcast %571 : tensor<32x1xi1> -> tensor<32x64xi1>
      %598 = tt.trans %597 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %599 = tt.splat %153 : bf16 -> tensor<64x32xbf16>
      %600 = tt.load %596, %598, %599 : tensor<64x32x!tt.ptr<bf16>>
      %601 = tt.trans %595 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %602 = tt.broadcast %571 : tensor<32x1xi1> -> tensor<32x16xi1>
      %603 = tt.trans %602 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %604 = tt.splat %153 : bf16 -> tensor<16x32xbf16>
      %605 = tt.load %601, %603, %604 : tensor<16x32x!tt.ptr<bf16>>
      %606 = tt.dot %193, %600, %329, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %607 = tt.dot %196, %605, %606, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %608 = tt.broadcast %270 : tensor<64x1xf32> -> tensor<64x32xf32>
      %609 = arith.subf %607, %608 : tensor<64x32xf32>
      %610 = arith.mulf %565, %609 : tensor<64x32xf32>
      %611 = arith.truncf %610 : tensor<64x32xf32> to tensor<64x32xbf16>
      %612 = tt.dot %611, %536, %498, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %613 = tt.dot %611, %539, %499, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      scf.yield %612, %613 : tensor<64x64xf32>, tensor<64x16xf32>
    }
    %617 = tt.splat %616 : f32 -> tensor<64x64xf32>
    %618 = arith.mulf %614#0, %617 : tensor<64x64xf32>
    %619 = tt.splat %616 : f32 -> tensor<64x16xf32>
    %620 = arith.mulf %614#1, %619 : tensor<64x16xf32>
    %621 = arith.muli %7, %10 : i64
    %622 = tt.addptr %dq, %621 : !tt.ptr<bf16>, i64
    %623 = arith.muli %25, %110 : i32
    %624 = tt.addptr %622, %623 : !tt.ptr<bf16>, i32
    %625 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %626 = tt.expand_dims %625 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %627 = tt.splat %30 : i32 -> tensor<64x1xi32>
    %628 = arith.addi %627, %626 : tensor<64x1xi32>
    %629 = tt.splat %38 : i32 -> tensor<64x1xi32>
    %630 = arith.cmpi slt, %628, %629 : tensor<64x1xi32>
    %631 = arith.muli %30, %127 : i32
    %632 = tt.addptr %624, %631 : !tt.ptr<bf16>, i32
    %633 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %634 = tt.splat %63 : i32 -> tensor<64xi32>
    %635 = arith.addi %633, %634 : tensor<64xi32>
    %636 = tt.expand_dims %635 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %637 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %638 = arith.muli %626, %637 : tensor<64x1xi32>
    %639 = tt.broadcast %638 : tensor<64x1xi32> -> tensor<64x64xi32>
    %640 = tt.broadcast %636 : tensor<1x64xi32> -> tensor<64x64xi32>
    %641 = arith.addi %639, %640 : tensor<64x64xi32>
    %642 = tt.splat %632 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %643 = tt.addptr %642, %641 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %644 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %645 = tt.splat %29 : i32 -> tensor<16xi32>
    %646 = arith.addi %644, %645 : tensor<16xi32>
    %647 = tt.expand_dims %646 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %648 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %649 = arith.muli %626, %648 : tensor<64x1xi32>
    %650 = tt.broadcast %649 : tensor<64x1xi32> -> tensor<64x16xi32>
    %651 = tt.broadcast %647 : tensor<1x16xi32> -> tensor<64x16xi32>
    %652 = arith.addi %650, %651 : tensor<64x16xi32>
    %653 = tt.splat %632 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %654 = tt.addptr %653, %652 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %655 = arith.truncf %618 : tensor<64x64xf32> to tensor<64x64xbf16>
    %656 = tt.broadcast %630 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %643, %655, %656 : tensor<64x64x!tt.ptr<bf16>>
    %657 = arith.truncf %620 : tensor<64x16xf32> to tensor<64x16xbf16>
    %658 = tt.broadcast %630 : tensor<64x1xi1> -> tensor<64x16xi1>
    tt.store %654, %657, %658 : tensor<64x16x!tt.ptr<bf16>>
    tt.return
  }
}
