module {
  tt.func public @attention_backward_keys(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %slopes: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dk: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dv: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 197 : i64
    %10 = arith.constant 94560 : i64
    %13 = arith.constant 31520 : i64
    %27 = arith.constant 64 : i32
    %33 = arith.constant 63 : i32
    %35 = arith.constant 197 : i32
    %60 = arith.constant 0 : i32
    %79 = arith.constant 50 : i32
    %91 = arith.constant 31 : i32
    %93 = arith.constant 32 : i32
    %102 = arith.constant 80 : i32
    %111 = arith.constant 160 : i32
    %137 = arith.constant 0.0e0 : bf16
    %187 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %188 = arith.constant dense<0.0e0> : tensor<64x16xf32>
    %193 = arith.constant 1 : i32
    %198 = arith.constant 3 : i32
    %223 = arith.constant 480 : i32
    %256 = arith.constant dense<0.0e0> : tensor<64x32xf32>
    %266 = arith.constant 1.442695e0 : f32
    %270 = arith.constant 1.6129822e-1 : f32
    %273 = arith.constant 6 : i64
    %283 = arith.constant 0.0e0 : f32
    %671 = arith.constant 1.118034e-1 : f32
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
    %80 = tt.splat %79 : i32 -> tensor<64x1xi32>
    %81 = arith.addi %32, %80 : tensor<64x1xi32>
    %82 = arith.addi %28, %79 : i32
    %83 = arith.addi %34, %79 : i32
    %84 = arith.minsi %62, %81 : tensor<64x1xi32>
    %85 = arith.minsi %70, %82 : i32
    %86 = arith.minsi %78, %83 : i32
    %87 = arith.maxsi %28, %60 : i32
    %88 = arith.maxsi %34, %60 : i32
    %89 = arith.minsi %85, %35 : i32
    %90 = arith.minsi %86, %35 : i32
    %92 = arith.addi %88, %91 : i32
    %94 = arith.divsi %92, %93 : i32
    %95 = arith.muli %94, %93 : i32
    %96 = arith.maxsi %89, %60 : i32
    %97 = arith.divsi %96, %93 : i32
    %98 = arith.muli %97, %93 : i32
    %99 = arith.divsi %87, %93 : i32
    %100 = arith.muli %99, %93 : i32
    %101 = arith.maxsi %98, %95 : i32
    %103 = arith.muli %25, %102 : i32
    %104 = tt.addptr %15, %103 : !tt.ptr<bf16>, i32
    %105 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %106 = tt.expand_dims %105 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %107 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %108 = arith.addi %107, %106 : tensor<64x1xi32>
    %109 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %110 = arith.cmpi slt, %108, %109 : tensor<64x1xi32>
    %112 = arith.muli %28, %111 : i32
    %113 = tt.addptr %104, %112 : !tt.ptr<bf16>, i32
    %114 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %115 = tt.splat %60 : i32 -> tensor<64xi32>
    %116 = arith.addi %114, %115 : tensor<64xi32>
    %117 = tt.expand_dims %116 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %118 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %119 = arith.muli %106, %118 : tensor<64x1xi32>
    %120 = tt.broadcast %119 : tensor<64x1xi32> -> tensor<64x64xi32>
    %121 = tt.broadcast %117 : tensor<1x64xi32> -> tensor<64x64xi32>
    %122 = arith.addi %120, %121 : tensor<64x64xi32>
    %123 = tt.splat %113 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %124 = tt.addptr %123, %122 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %125 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %126 = tt.splat %27 : i32 -> tensor<16xi32>
    %127 = arith.addi %125, %126 : tensor<16xi32>
    %128 = tt.expand_dims %127 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %129 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %130 = arith.muli %106, %129 : tensor<64x1xi32>
    %131 = tt.broadcast %130 : tensor<64x1xi32> -> tensor<64x16xi32>
    %132 = tt.broadcast %128 : tensor<1x16xi32> -> tensor<64x16xi32>
    %133 = arith.addi %131, %132 : tensor<64x16xi32>
    %134 = tt.splat %113 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %135 = tt.addptr %134, %133 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %136 = tt.broadcast %110 : tensor<64x1xi1> -> tensor<64x64xi1>
    %138 = tt.splat %137 : bf16 -> tensor<64x64xbf16>
    %139 = tt.load %124, %136, %138 : tensor<64x64x!tt.ptr<bf16>>
    %140 = tt.broadcast %110 : tensor<64x1xi1> -> tensor<64x16xi1>
    %141 = tt.splat %137 : bf16 -> tensor<64x16xbf16>
    %142 = tt.load %135, %140, %141 : tensor<64x16x!tt.ptr<bf16>>
    %143 = arith.muli %25, %102 : i32
    %144 = tt.addptr %17, %143 : !tt.ptr<bf16>, i32
    %145 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %146 = tt.expand_dims %145 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %147 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %148 = arith.addi %147, %146 : tensor<64x1xi32>
    %149 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %150 = arith.cmpi slt, %148, %149 : tensor<64x1xi32>
    %151 = arith.muli %28, %111 : i32
    %152 = tt.addptr %144, %151 : !tt.ptr<bf16>, i32
    %153 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %154 = tt.splat %60 : i32 -> tensor<64xi32>
    %155 = arith.addi %153, %154 : tensor<64xi32>
    %156 = tt.expand_dims %155 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %157 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %158 = arith.muli %146, %157 : tensor<64x1xi32>
    %159 = tt.broadcast %158 : tensor<64x1xi32> -> tensor<64x64xi32>
    %160 = tt.broadcast %156 : tensor<1x64xi32> -> tensor<64x64xi32>
    %161 = arith.addi %159, %160 : tensor<64x64xi32>
    %162 = tt.splat %152 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %163 = tt.addptr %162, %161 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %164 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %165 = tt.splat %27 : i32 -> tensor<16xi32>
    %166 = arith.addi %164, %165 : tensor<16xi32>
    %167 = tt.expand_dims %166 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %168 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %169 = arith.muli %146, %168 : tensor<64x1xi32>
    %170 = tt.broadcast %169 : tensor<64x1xi32> -> tensor<64x16xi32>
    %171 = tt.broadcast %167 : tensor<1x16xi32> -> tensor<64x16xi32>
    %172 = arith.addi %170, %171 : tensor<64x16xi32>
    %173 = tt.splat %152 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %174 = tt.addptr %173, %172 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %175 = tt.broadcast %150 : tensor<64x1xi1> -> tensor<64x64xi1>
    %176 = tt.splat %137 : bf16 -> tensor<64x64xbf16>
    %177 = tt.load %163, %175, %176 : tensor<64x64x!tt.ptr<bf16>>
    %178 = tt.broadcast %150 : tensor<64x1xi1> -> tensor<64x16xi1>
    %179 = tt.splat %137 : bf16 -> tensor<64x16xbf16>
    %180 = tt.load %174, %178, %179 : tensor<64x16x!tt.ptr<bf16>>
    %181 = arith.muli %7, %10 : i64
    %182 = tt.addptr %ct, %181 : !tt.ptr<bf16>, i64
    %183 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %184 = tt.splat %28 : i32 -> tensor<64xi32>
    %185 = arith.addi %184, %183 : tensor<64xi32>
    %186 = tt.expand_dims %185 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %189 = arith.minsi %95, %90 : i32
    %190 = arith.subi %189, %100 : i32
    %191 = arith.addi %190, %91 : i32
    %192 = arith.divsi %191, %93 : i32
    %194 = arith.maxsi %192, %193 : i32
    %195 = arith.cmpi slt, %100, %189 : i32
    %196 = arith.extui %195 : i1 to i32
    %197 = arith.muli %194, %196 : i32
    %199 = arith.muli %197, %198 : i32
    %362:4 = scf.for %200 = %60 to %199 step %193 iter_args(%201 = %187, %202 = %188, %203 = %187, %204 = %188) -> (tensor<64x64xf32>, tensor<64x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>) : i32 {
      %205 = arith.divsi %200, %194 : i32
      %206 = arith.remsi %200, %194 : i32
      %207 = arith.muli %206, %93 : i32
      %208 = arith.addi %100, %207 : i32
      %209 = arith.muli %25, %198 : i32
      %210 = arith.addi %209, %205 : i32
      %211 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %212 = tt.splat %208 : i32 -> tensor<32xi32>
      %213 = arith.addi %212, %211 : tensor<32xi32>
      %214 = tt.expand_dims %213 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %215 = arith.muli %210, %102 : i32
      %216 = tt.addptr %12, %215 : !tt.ptr<bf16>, i32
      %217 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %218 = tt.expand_dims %217 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %219 = tt.splat %208 : i32 -> tensor<32x1xi32>
      %220 = arith.addi %219, %218 : tensor<32x1xi32>
      %221 = tt.splat %35 : i32 -> tensor<32x1xi32>
      %222 = arith.cmpi slt, %220, %221 : tensor<32x1xi32>
      %224 = arith.muli %208, %223 : i32
      %225 = tt.addptr %216, %224 : !tt.ptr<bf16>, i32
      %226 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %227 = tt.splat %60 : i32 -> tensor<64xi32>
      %228 = arith.addi %226, %227 : tensor<64xi32>
      %229 = tt.expand_dims %228 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %230 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %231 = arith.muli %218, %230 : tensor<32x1xi32>
      %232 = tt.broadcast %231 : tensor<32x1xi32> -> tensor<32x64xi32>
      %233 = tt.broadcast %229 : tensor<1x64xi32> -> tensor<32x64xi32>
      %234 = arith.addi %232, %233 : tensor<32x64xi32>
      %235 = tt.splat %225 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %236 = tt.addptr %235, %234 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %237 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %238 = tt.splat %27 : i32 -> tensor<16xi32>
      %239 = arith.addi %237, %238 : tensor<16xi32>
      %240 = tt.expand_dims %239 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %241 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %242 = arith.muli %218, %241 : tensor<32x1xi32>
      %243 = tt.broadcast %242 : tensor<32x1xi32> -> tensor<32x16xi32>
      %244 = tt.broadcast %240 : tensor<1x16xi32> -> tensor<32x16xi32>
      %245 = arith.addi %243, %244 : tensor<32x16xi32>
      %246 = tt.splat %225 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %247 = tt.addptr %246, %245 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %248 = tt.broadcast %222 : tensor<32x1xi1> -> tensor<32x64xi1>
      %249 = tt.splat %137 : bf16 -> tensor<32x64xbf16>
      %250 = tt.load %236, %248, %249 : tensor<32x64x!tt.ptr<bf16>>
      %251 = tt.broadcast %222 : tensor<32x1xi1> -> tensor<32x16xi1>
      %252 = tt.splat %137 : bf16 -> tensor<32x16xbf16>
      %253 = tt.load %247, %251, %252 : tensor<32x16x!tt.ptr<bf16>>
      %254 = tt.trans %250 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %255 = tt.trans %253 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %257 = tt.dot %139, %254, %256, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %258 = tt.dot %142, %255, %257, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %259 = tt.addptr %slopes, %210 : !tt.ptr<f32>, i32
      %260 = tt.load %259 : !tt.ptr<f32>
      %261 = arith.sitofp %214 : tensor<1x32xi32> to tensor<1x32xf32>
      %262 = arith.sitofp %186 : tensor<64x1xi32> to tensor<64x1xf32>
      %263 = tt.broadcast %262 : tensor<64x1xf32> -> tensor<64x32xf32>
      %264 = tt.broadcast %261 : tensor<1x32xf32> -> tensor<64x32xf32>
      %265 = arith.subf %263, %264 : tensor<64x32xf32>
      %267 = arith.mulf %260, %266 : f32
      %268 = tt.splat %267 : f32 -> tensor<64x32xf32>
      %269 = arith.mulf %265, %268 : tensor<64x32xf32>
      %271 = tt.splat %270 : f32 -> tensor<64x32xf32>
      %272 = math.fma %258, %271, %269 : tensor<64x32xf32>
      %274 = arith.muli %7, %273 : i64
      %275 = arith.extsi %210 : i32 to i64
      %276 = arith.addi %274, %275 : i64
      %277 = arith.muli %276, %8 : i64
      %278 = tt.addptr %rows, %277 : !tt.ptr<f32>, i64
      %279 = tt.splat %278 : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
      %280 = tt.addptr %279, %214 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
      %281 = tt.splat %35 : i32 -> tensor<1x32xi32>
      %282 = arith.cmpi slt, %214, %281 : tensor<1x32xi32>
      %284 = tt.splat %283 : f32 -> tensor<1x32xf32>
      %285 = tt.load %280, %282, %284 : tensor<1x32x!tt.ptr<f32>>
      %286 = tt.splat %266 : f32 -> tensor<1x32xf32>
      %287 = arith.mulf %285, %286 : tensor<1x32xf32>
      %288 = tt.broadcast %287 : tensor<1x32xf32> -> tensor<64x32xf32>
      %289 = arith.subf %272, %288 : tensor<64x32xf32>
      %290 = math.exp2 %289 : tensor<64x32xf32>
      %291 = tt.broadcast %214 : tensor<1x32xi32> -> tensor<64x32xi32>
      %292 = tt.broadcast %32 : tensor<64x1xi32> -> tensor<64x32xi32>
      %293 = arith.cmpi sge, %291, %292 : tensor<64x32xi32>
      %294 = tt.broadcast %214 : tensor<1x32xi32> -> tensor<64x32xi32>
      %295 = tt.broadcast %84 : tensor<64x1xi32> -> tensor<64x32xi32>
      %296 = arith.cmpi slt, %294, %295 : tensor<64x32xi32>
      %297 = arith.andi %293, %296 : tensor<64x32xi1>
      %298 = tt.splat %283 : f32 -> tensor<64x32xf32>
      %299 = arith.select %297, %290, %298 : tensor<64x32xi1>, tensor<64x32xf32>
      %300 = arith.muli %210, %102 : i32
      %301 = tt.addptr %182, %300 : !tt.ptr<bf16>, i32
      %302 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %303 = tt.expand_dims %302 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %304 = tt.splat %208 : i32 -> tensor<32x1xi32>
      %305 = arith.addi %304, %303 : tensor<32x1xi32>
      %306 = tt.splat %35 : i32 -> tensor<32x1xi32>
      %307 = arith.cmpi slt, %305, %306 : tensor<32x1xi32>
      %308 = arith.muli %208, %223 : i32
      %309 = tt.addptr %301, %308 : !tt.ptr<bf16>, i32
      %310 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %311 = tt.splat %60 : i32 -> tensor<64xi32>
      %312 = arith.addi %310, %311 : tensor<64xi32>
      %313 = tt.expand_dims %312 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %314 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %315 = arith.muli %303, %314 : tensor<32x1xi32>
      %316 = tt.broadcast %315 : tensor<32x1xi32> -> tensor<32x64xi32>
      %317 = tt.broadcast %313 : tensor<1x64xi32> -> tensor<32x64xi32>
      %318 = arith.addi %316, %317 : tensor<32x64xi32>
      %319 = tt.splat %309 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %320 = tt.addptr %319, %318 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %321 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %322 = tt.splat %27 : i32 -> tensor<16xi32>
      %323 = arith.addi %321, %322 : tensor<16xi32>
      %324 = tt.expand_dims %323 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %325 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %326 = arith.muli %303, %325 : tensor<32x1xi32>
      %327 = tt.broadcast %326 : tensor<32x1xi32> -> tensor<32x16xi32>
      %328 = tt.broadcast %324 : tensor<1x16xi32> -> tensor<32x16xi32>
      %329 = arith.addi %327, %328 : tensor<32x16xi32>
      %330 = tt.splat %309 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %331 = tt.addptr %330, %329 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %332 = tt.broadcast %307 : tensor<32x1xi1> -> tensor<32x64xi1>
      %333 = tt.splat %137 : bf16 -> tensor<32x64xbf16>
      %334 = tt.load %320, %332, %333 : tensor<32x64x!tt.ptr<bf16>>
      %335 = tt.broadcast %307 : tensor<32x1xi1> -> tensor<32x16xi1>
      %336 = tt.splat %137 : bf16 -> tensor<32x16xbf16>
      %337 = tt.load %331, %335, %336 : tensor<32x16x!tt.ptr<bf16>>
      %338 = arith.truncf %299 : tensor<64x32xf32> to tensor<64x32xbf16>
      %339 = tt.dot %338, %334, %203, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %340 = tt.dot %338, %337, %204, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      %341 = tt.trans %334 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %342 = tt.trans %337 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %343 = tt.dot %177, %341, %256, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %344 = tt.dot %180, %342, %343, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %345 = arith.muli %7, %273 : i64
      %346 = arith.extsi %210 : i32 to i64
      %347 = arith.addi %345, %346 : i64
      %348 = arith.muli %347, %8 : i64
      %349 = tt.addptr %means, %348 : !tt.ptr<f32>, i64
      %350 = tt.splat %349 : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
      %351 = tt.addptr %350, %214 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
      %352 = tt.splat %35 : i32 -> tensor<1x32xi32>
      %353 = arith.cmpi slt, %214, %352 : tensor<1x32xi32>
      %354 = tt.splat %283 : f32 -> tensor<1x32xf32>
      %355 = tt.load %351, %353, %354 : tensor<1x32x!tt.ptr<f32>>
      %356 = tt.broadcast %355 : tensor<1x32xf32> -> tensor<64x32xf32>
      %357 = arith.subf %344, %356 : tensor<64x32xf32>
      %358 = arith.mulf %299, %357 : tensor<64x32xf32>
      %359 = arith.truncf %358 : tensor<64x32xf32> to tensor<64x32xbf16>
      %360 = tt.dot %359, %250, %201, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %361 = tt.dot %359, %253, %202, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      scf.yield %360, %361, %339, %340 : tensor<64x64xf32>, tensor<64x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>
    }
    %366 = arith.subi %101, %95 : i32
    %367 = arith.addi %366, %91 : i32
    %368 = arith.divsi %367, %93 : i32
    %369 = arith.maxsi %368, %193 : i32
    %370 = arith.cmpi slt, %95, %101 : i32
    %371 = arith.extui %370 : i1 to i32
    %372 = arith.muli %369, %371 : i32
    %373 = arith.muli %372, %198 : i32
    %499:4 = scf.for %374 = %60 to %373 step %193 iter_args(%375 = %362#0, %376 = %362#1, %377 = %362#2, %378 = %362#3) -> (tensor<64x64xf32>, tensor<64x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>) : i32 {
      %379 = arith.divsi %374, %369 : i32
      %380 = arith.remsi %374, %369 : i32
      %381 = arith.muli %380, %93 : i32
      %382 = arith.addi %95, %381 : i32
      %383 = arith.muli %25, %198 : i32
      %384 = arith.addi %383, %379 : i32
      %385 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %386 = tt.splat %382 : i32 -> tensor<32xi32>
      %387 = arith.addi %386, %385 : tensor<32xi32>
      %388 = tt.expand_dims %387 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %389 = arith.muli %384, %102 : i32
      %390 = tt.addptr %12, %389 : !tt.ptr<bf16>, i32
      %391 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %392 = tt.expand_dims %391 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %393 = arith.muli %382, %223 : i32
      %394 = tt.addptr %390, %393 : !tt.ptr<bf16>, i32
      %395 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %396 = tt.splat %60 : i32 -> tensor<64xi32>
      %397 = arith.addi %395, %396 : tensor<64xi32>
      %398 = tt.expand_dims %397 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %399 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %400 = arith.muli %392, %399 : tensor<32x1xi32>
      %401 = tt.broadcast %400 : tensor<32x1xi32> -> tensor<32x64xi32>
      %402 = tt.broadcast %398 : tensor<1x64xi32> -> tensor<32x64xi32>
      %403 = arith.addi %401, %402 : tensor<32x64xi32>
      %404 = tt.splat %394 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %405 = tt.addptr %404, %403 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %406 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %407 = tt.splat %27 : i32 -> tensor<16xi32>
      %408 = arith.addi %406, %407 : tensor<16xi32>
      %409 = tt.expand_dims %408 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %410 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %411 = arith.muli %392, %410 : tensor<32x1xi32>
      %412 = tt.broadcast %411 : tensor<32x1xi32> -> tensor<32x16xi32>
      %413 = tt.broadcast %409 : tensor<1x16xi32> -> tensor<32x16xi32>
      %414 = arith.addi %412, %413 : tensor<32x16xi32>
      %415 = tt.splat %394 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %416 = tt.addptr %415, %414 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %417 = tt.load %405 : tensor<32x64x!tt.ptr<bf16>>
      %418 = tt.load %416 : tensor<32x16x!tt.ptr<bf16>>
      %419 = tt.trans %417 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %420 = tt.trans %418 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %421 = tt.dot %139, %419, %256, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %422 = tt.dot %142, %420, %421, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %423 = tt.addptr %slopes, %384 : !tt.ptr<f32>, i32
      %424 = tt.load %423 : !tt.ptr<f32>
      %425 = arith.sitofp %388 : tensor<1x32xi32> to tensor<1x32xf32>
      %426 = arith.sitofp %186 : tensor<64x1xi32> to tensor<64x1xf32>
      %427 = tt.broadcast %426 : tensor<64x1xf32> -> tensor<64x32xf32>
      %428 = tt.broadcast %425 : tensor<1x32xf32> -> tensor<64x32xf32>
      %429 = arith.subf %427, %428 : tensor<64x32xf32>
      %430 = arith.mulf %424, %266 : f32
      %431 = tt.splat %430 : f32 -> tensor<64x32xf32>
      %432 = arith.mulf %429, %431 : tensor<64x32xf32>
      %433 = tt.splat %270 : f32 -> tensor<64x32xf32>
      %434 = math.fma %422, %433, %432 : tensor<64x32xf32>
      %435 = arith.muli %7, %273 : i64
      %436 = arith.extsi %384 : i32 to i64
      %437 = arith.addi %435, %436 : i64
      %438 = arith.muli %437, %8 : i64
      %439 = tt.addptr %rows, %438 : !tt.ptr<f32>, i64
      %440 = tt.splat %439 : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
      %441 = tt.addptr %440, %388 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
      %442 = tt.load %441 : tensor<1x32x!tt.ptr<f32>>
      %443 = tt.splat %266 : f32 -> tensor<1x32xf32>
      %444 = arith.mulf %442, %443 : tensor<1x32xf32>
      %445 = tt.broadcast %444 : tensor<1x32xf32> -> tensor<64x32xf32>
      %446 = arith.subf %434, %445 : tensor<64x32xf32>
      %447 = math.exp2 %446 : tensor<64x32xf32>
      %448 = arith.muli %384, %102 : i32
      %449 = tt.addptr %182, %448 : !tt.ptr<bf16>, i32
      %450 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %451 = tt.expand_dims %450 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %452 = arith.muli %382, %223 : i32
      %453 = tt.addptr %449, %452 : !tt.ptr<bf16>, i32
      %454 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %455 = tt.splat %60 : i32 -> tensor<64xi32>
      %456 = arith.addi %454, %455 : tensor<64xi32>
      %457 = tt.expand_dims %456 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %458 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %459 = arith.muli %451, %458 : tensor<32x1xi32>
      %460 = tt.broadcast %459 : tensor<32x1xi32> -> tensor<32x64xi32>
      %461 = tt.broadcast %457 : tensor<1x64xi32> -> tensor<32x64xi32>
      %462 = arith.addi %460, %461 : tensor<32x64xi32>
      %463 = tt.splat %453 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %464 = tt.addptr %463, %462 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %465 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %466 = tt.splat %27 : i32 -> tensor<16xi32>
      %467 = arith.addi %465, %466 : tensor<16xi32>
      %468 = tt.expand_dims %467 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %469 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %470 = arith.muli %451, %469 : tensor<32x1xi32>
      %471 = tt.broadcast %470 : tensor<32x1xi32> -> tensor<32x16xi32>
      %472 = tt.broadcast %468 : tensor<1x16xi32> -> tensor<32x16xi32>
      %473 = arith.addi %471, %472 : tensor<32x16xi32>
      %474 = tt.splat %453 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %475 = tt.addptr %474, %473 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %476 = tt.load %464 : tensor<32x64x!tt.ptr<bf16>>
      %477 = tt.load %475 : tensor<32x16x!tt.ptr<bf16>>
      %478 = arith.truncf %447 : tensor<64x32xf32> to tensor<64x32xbf16>
      %479 = tt.dot %478, %476, %377, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %480 = tt.dot %478, %477, %378, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      %481 = tt.trans %476 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %482 = tt.trans %477 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %483 = tt.dot %177, %481, %256, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %484 = tt.dot %180, %482, %483, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %485 = arith.muli %7, %273 : i64
      %486 = arith.extsi %384 : i32 to i64
      %487 = arith.addi %485, %486 : i64
      %488 = arith.muli %487, %8 : i64
      %489 = tt.addptr %means, %488 : !tt.ptr<f32>, i64
      %490 = tt.splat %489 : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
      %491 = tt.addptr %490, %388 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
      %492 = tt.load %491 : tensor<1x32x!tt.ptr<f32>>
      %493 = tt.broadcast %492 : tensor<1x32xf32> -> tensor<64x32xf32>
      %494 = arith.subf %484, %493 : tensor<64x32xf32>
      %495 = arith.mulf %447, %494 : tensor<64x32xf32>
      %496 = arith.truncf %495 : tensor<64x32xf32> to tensor<64x32xbf16>
      %497 = tt.dot %496, %417, %375, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %498 = tt.dot %496, %418, %376, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      scf.yield %497, %498, %479, %480 : tensor<64x64xf32>, tensor<64x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>
    }
    %503 = arith.subi %90, %101 : i32
    %504 = arith.addi %503, %91 : i32
    %505 = arith.divsi %504, %93 : i32
    %506 = arith.maxsi %505, %193 : i32
    %507 = arith.cmpi slt, %101, %90 : i32
    %508 = arith.extui %507 : i1 to i32
    %509 = arith.muli %506, %508 : i32
    %510 = arith.muli %509, %198 : i32
    %667:4 = scf.for %511 = %60 to %510 step %193 iter_args(%512 = %499#0, %513 = %499#1, %514 = %499#2, %515 = %499#3) -> (tensor<64x64xf32>, tensor<64x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>) : i32 {
      %516 = arith.divsi %511, %506 : i32
      %517 = arith.remsi %511, %506 : i32
      %518 = arith.muli %517, %93 : i32
      %519 = arith.addi %101, %518 : i32
      %520 = arith.muli %25, %198 : i32
      %521 = arith.addi %520, %516 : i32
      %522 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %523 = tt.splat %519 : i32 -> tensor<32xi32>
      %524 = arith.addi %523, %522 : tensor<32xi32>
      %525 = tt.expand_dims %524 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %526 = arith.muli %521, %102 : i32
      %527 = tt.addptr %12, %526 : !tt.ptr<bf16>, i32
      %528 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %529 = tt.expand_dims %528 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %530 = tt.splat %519 : i32 -> tensor<32x1xi32>
      %531 = arith.addi %530, %529 : tensor<32x1xi32>
      %532 = tt.splat %35 : i32 -> tensor<32x1xi32>
      %533 = arith.cmpi slt, %531, %532 : tensor<32x1xi32>
      %534 = arith.muli %519, %223 : i32
      %535 = tt.addptr %527, %534 : !tt.ptr<bf16>, i32
      %536 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %537 = tt.splat %60 : i32 -> tensor<64xi32>
      %538 = arith.addi %536, %537 : tensor<64xi32>
      %539 = tt.expand_dims %538 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %540 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %541 = arith.muli %529, %540 : tensor<32x1xi32>
      %542 = tt.broadcast %541 : tensor<32x1xi32> -> tensor<32x64xi32>
      %543 = tt.broadcast %539 : tensor<1x64xi32> -> tensor<32x64xi32>
      %544 = arith.addi %542, %543 : tensor<32x64xi32>
      %545 = tt.splat %535 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %546 = tt.addptr %545, %544 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %547 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %548 = tt.splat %27 : i32 -> tensor<16xi32>
      %549 = arith.addi %547, %548 : tensor<16xi32>
      %550 = tt.expand_dims %549 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %551 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %552 = arith.muli %529, %551 : tensor<32x1xi32>
      %553 = tt.broadcast %552 : tensor<32x1xi32> -> tensor<32x16xi32>
      %554 = tt.broadcast %550 : tensor<1x16xi32> -> tensor<32x16xi32>
      %555 = arith.addi %553, %554 : tensor<32x16xi32>
      %556 = tt.splat %535 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %557 = tt.addptr %556, %555 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %558 = tt.broadcast %533 : tensor<32x1xi1> -> tensor<32x64xi1>
      %559 = tt.splat %137 : bf16 -> tensor<32x64xbf16>
      %560 = tt.load %546, %558, %559 : tensor<32x64x!tt.ptr<bf16>>
      %561 = tt.broadcast %533 : tensor<32x1xi1> -> tensor<32x16xi1>
      %562 = tt.splat %137 : bf16 -> tensor<32x16xbf16>
      %563 = tt.load %557, %561, %562 : tensor<32x16x!tt.ptr<bf16>>
      %564 = tt.trans %560 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %565 = tt.trans %563 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %566 = tt.dot %139, %564, %256, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %567 = tt.dot %142, %565, %566, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %568 = tt.addptr %slopes, %521 : !tt.ptr<f32>, i32
      %569 = tt.load %568 : !tt.ptr<f32>
      %570 = arith.sitofp %525 : tensor<1x32xi32> to tensor<1x32xf32>
      %571 = arith.sitofp %186 : tensor<64x1xi32> to tensor<64x1xf32>
      %572 = tt.broadcast %571 : tensor<64x1xf32> -> tensor<64x32xf32>
      %573 = tt.broadcast %570 : tensor<1x32xf32> -> tensor<64x32xf32>
      %574 = arith.subf %572, %573 : tensor<64x32xf32>
      %575 = arith.mulf %569, %266 : f32
      %576 = tt.splat %575 : f32 -> tensor<64x32xf32>
      %577 = arith.mulf %574, %576 : tensor<64x32xf32>
      %578 = tt.splat %270 : f32 -> tensor<64x32xf32>
      %579 = math.fma %567, %578, %577 : tensor<64x32xf32>
      %580 = arith.muli %7, %273 : i64
      %581 = arith.extsi %521 : i32 to i64
      %582 = arith.addi %580, %581 : i64
      %583 = arith.muli %582, %8 : i64
      %584 = tt.addptr %rows, %583 : !tt.ptr<f32>, i64
      %585 = tt.splat %584 : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
      %586 = tt.addptr %585, %525 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
      %587 = tt.splat %35 : i32 -> tensor<1x32xi32>
      %588 = arith.cmpi slt, %525, %587 : tensor<1x32xi32>
      %589 = tt.splat %283 : f32 -> tensor<1x32xf32>
      %590 = tt.load %586, %588, %589 : tensor<1x32x!tt.ptr<f32>>
      %591 = tt.splat %266 : f32 -> tensor<1x32xf32>
      %592 = arith.mulf %590, %591 : tensor<1x32xf32>
      %593 = tt.broadcast %592 : tensor<1x32xf32> -> tensor<64x32xf32>
      %594 = arith.subf %579, %593 : tensor<64x32xf32>
      %595 = math.exp2 %594 : tensor<64x32xf32>
      %596 = tt.broadcast %525 : tensor<1x32xi32> -> tensor<64x32xi32>
      %597 = tt.broadcast %32 : tensor<64x1xi32> -> tensor<64x32xi32>
      %598 = arith.cmpi sge, %596, %597 : tensor<64x32xi32>
      %599 = tt.broadcast %525 : tensor<1x32xi32> -> tensor<64x32xi32>
      %600 = tt.broadcast %84 : tensor<64x1xi32> -> tensor<64x32xi32>
      %601 = arith.cmpi slt, %599, %600 : tensor<64x32xi32>
      %602 = arith.andi %598, %601 : tensor<64x32xi1>
      %603 = tt.splat %283 : f32 -> tensor<64x32xf32>
      %604 = arith.select %602, %595, %603 : tensor<64x32xi1>, tensor<64x32xf32>
      %605 = arith.muli %521, %102 : i32
      %606 = tt.addptr %182, %605 : !tt.ptr<bf16>, i32
      %607 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %608 = tt.expand_dims %607 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %609 = tt.splat %519 : i32 -> tensor<32x1xi32>
      %610 = arith.addi %609, %608 : tensor<32x1xi32>
      %611 = tt.splat %35 : i32 -> tensor<32x1xi32>
      %612 = arith.cmpi slt, %610, %611 : tensor<32x1xi32>
      %613 = arith.muli %519, %223 : i32
      %614 = tt.addptr %606, %613 : !tt.ptr<bf16>, i32
      %615 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %616 = tt.splat %60 : i32 -> tensor<64xi32>
      %617 = arith.addi %615, %616 : tensor<64xi32>
      %618 = tt.expand_dims %617 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %619 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %620 = arith.muli %608, %619 : tensor<32x1xi32>
      %621 = tt.broadcast %620 : tensor<32x1xi32> -> tensor<32x64xi32>
      %622 = tt.broadcast %618 : tensor<1x64xi32> -> tensor<32x64xi32>
      %623 = arith.addi %621, %622 : tensor<32x64xi32>
      %624 = tt.splat %614 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %625 = tt.addptr %624, %623 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %626 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %627 = tt.splat %27 : i32 -> tensor<16xi32>
      %628 = arith.addi %626, %627 : tensor<16xi32>
      %629 = tt.expand_dims %628 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %630 = tt.splat %223 : i32 -> tensor<32x1xi32>
      %631 = arith.muli %608, %630 : tensor<32x1xi32>
      %632 = tt.broadcast %631 : tensor<32x1xi32> -> tensor<32x16xi32>
      %633 = tt.broadcast %629 : tensor<1x16xi32> -> tensor<32x16xi32>
      %634 = arith.addi %632, %633 : tensor<32x16xi32>
      %635 = tt.splat %614 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %636 = tt.addptr %635, %634 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %637 = tt.broadcast %612 : tensor<32x1xi1> -> tensor<32x64xi1>
      %638 = tt.splat %137 : bf16 -> tensor<32x64xbf16>
      %639 = tt.load %625, %637, %638 : tensor<32x64x!tt.ptr<bf16>>
      %640 = tt.broadcast %612 : tensor<32x1xi1> -> tensor<32x16xi1>
      %641 = tt.splat %137 : bf16 -> tensor<32x16xbf16>
      %642 = tt.load %636, %640, %641 : tensor<32x16x!tt.ptr<bf16>>
      %643 = arith.truncf %604 : tensor<64x32xf32> to tensor<64x32xbf16>
      %644 = tt.dot %643, %639, %514, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %645 = tt.dot %643, %642, %515, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      %646 = tt.trans %639 {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %647 = tt.trans %642 {order = array<i32: 1, 0>} : tensor<32x16xbf16> -> tensor<16x32xbf16>
      %648 = tt.dot %177, %646, %256, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %649 = tt.dot %180, %647, %648, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x32xbf16> -> tensor<64x32xf32>
      %650 = arith.muli %7, %273 : i64
      %651 = arith.extsi %521 : i32 to i64
      %652 = arith.addi %650, %651 : i64
      %653 = arith.muli %652, %8 : i64
      %654 = tt.addptr %means, %653 : !tt.ptr<f32>, i64
      %655 = tt.splat %654 : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
      %656 = tt.addptr %655, %525 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
      %657 = tt.splat %35 : i32 -> tensor<1x32xi32>
      %658 = arith.cmpi slt, %525, %657 : tensor<1x32xi32>
      %659 = tt.splat %283 : f32 -> tensor<1x32xf32>
      %660 = tt.load %656, %658, %659 : tensor<1x32x!tt.ptr<f32>>
      %661 = tt.broadcast %660 : tensor<1x32xf32> -> tensor<64x32xf32>
      %662 = arith.subf %649, %661 : tensor<64x32xf32>
      %663 = arith.mulf %604, %662 : tensor<64x32xf32>
      %664 = arith.truncf %663 : tensor<64x32xf32> to tensor<64x32xbf16>
      %665 = tt.dot %664, %560, %512, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %666 = tt.dot %664, %563, %513, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
      scf.yield %665, %666, %644, %645 : tensor<64x64xf32>, tensor<64x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>
    }
    %672 = tt.splat %671 : f32 -> tensor<64x64xf32>
    %673 = arith.mulf %667#0, %672 : tensor<64x64xf32>
    %674 = tt.splat %671 : f32 -> tensor<64x16xf32>
    %675 = arith.mulf %667#1, %674 : tensor<64x16xf32>
    %676 = arith.muli %7, %13 : i64
    %677 = tt.addptr %dk, %676 : !tt.ptr<bf16>, i64
    %678 = arith.muli %25, %102 : i32
    %679 = tt.addptr %677, %678 : !tt.ptr<bf16>, i32
    %680 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %681 = tt.expand_dims %680 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %682 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %683 = arith.addi %682, %681 : tensor<64x1xi32>
    %684 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %685 = arith.cmpi slt, %683, %684 : tensor<64x1xi32>
    %686 = arith.muli %28, %111 : i32
    %687 = tt.addptr %679, %686 : !tt.ptr<bf16>, i32
    %688 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %689 = tt.splat %60 : i32 -> tensor<64xi32>
    %690 = arith.addi %688, %689 : tensor<64xi32>
    %691 = tt.expand_dims %690 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %692 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %693 = arith.muli %681, %692 : tensor<64x1xi32>
    %694 = tt.broadcast %693 : tensor<64x1xi32> -> tensor<64x64xi32>
    %695 = tt.broadcast %691 : tensor<1x64xi32> -> tensor<64x64xi32>
    %696 = arith.addi %694, %695 : tensor<64x64xi32>
    %697 = tt.splat %687 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %698 = tt.addptr %697, %696 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %699 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %700 = tt.splat %27 : i32 -> tensor<16xi32>
    %701 = arith.addi %699, %700 : tensor<16xi32>
    %702 = tt.expand_dims %701 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %703 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %704 = arith.muli %681, %703 : tensor<64x1xi32>
    %705 = tt.broadcast %704 : tensor<64x1xi32> -> tensor<64x16xi32>
    %706 = tt.broadcast %702 : tensor<1x16xi32> -> tensor<64x16xi32>
    %707 = arith.addi %705, %706 : tensor<64x16xi32>
    %708 = tt.splat %687 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %709 = tt.addptr %708, %707 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %710 = arith.truncf %673 : tensor<64x64xf32> to tensor<64x64xbf16>
    %711 = tt.broadcast %685 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %698, %710, %711 : tensor<64x64x!tt.ptr<bf16>>
    %712 = arith.truncf %675 : tensor<64x16xf32> to tensor<64x16xbf16>
    %713 = tt.broadcast %685 : tensor<64x1xi1> -> tensor<64x16xi1>
    tt.store %709, %712, %713 : tensor<64x16x!tt.ptr<bf16>>
    %714 = arith.muli %7, %13 : i64
    %715 = tt.addptr %dv, %714 : !tt.ptr<bf16>, i64
    %716 = arith.muli %25, %102 : i32
    %717 = tt.addptr %715, %716 : !tt.ptr<bf16>, i32
    %718 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %719 = tt.expand_dims %718 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %720 = tt.splat %28 : i32 -> tensor<64x1xi32>
    %721 = arith.addi %720, %719 : tensor<64x1xi32>
    %722 = tt.splat %35 : i32 -> tensor<64x1xi32>
    %723 = arith.cmpi slt, %721, %722 : tensor<64x1xi32>
    %724 = arith.muli %28, %111 : i32
    %725 = tt.addptr %717, %724 : !tt.ptr<bf16>, i32
    %726 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %727 = tt.splat %60 : i32 -> tensor<64xi32>
    %728 = arith.addi %726, %727 : tensor<64xi32>
    %729 = tt.expand_dims %728 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %730 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %731 = arith.muli %719, %730 : tensor<64x1xi32>
    %732 = tt.broadcast %731 : tensor<64x1xi32> -> tensor<64x64xi32>
    %733 = tt.broadcast %729 : tensor<1x64xi32> -> tensor<64x64xi32>
    %734 = arith.addi %732, %733 : tensor<64x64xi32>
    %735 = tt.splat %725 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %736 = tt.addptr %735, %734 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %737 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %738 = tt.splat %27 : i32 -> tensor<16xi32>
    %739 = arith.addi %737, %738 : tensor<16xi32>
    %740 = tt.expand_dims %739 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %741 = tt.splat %111 : i32 -> tensor<64x1xi32>
    %742 = arith.muli %719, %741 : tensor<64x1xi32>
    %743 = tt.broadcast %742 : tensor<64x1xi32> -> tensor<64x16xi32>
    %744 = tt.broadcast %740 : tensor<1x16xi32> -> tensor<64x16xi32>
    %745 = arith.addi %743, %744 : tensor<64x16xi32>
    %746 = tt.splat %725 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %747 = tt.addptr %746, %745 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %748 = arith.truncf %667#2 : tensor<64x64xf32> to tensor<64x64xbf16>
    %749 = tt.broadcast %723 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %736, %748, %749 : tensor<64x64x!tt.ptr<bf16>>
    %750 = arith.truncf %667#3 : tensor<64x16xf32> to tensor<64x16xbf16>
    %751 = tt.broadcast %723 : tensor<64x1xi1> -> tensor<64x16xi1>
    tt.store %747, %750, %751 : tensor<64x16x!tt.ptr<bf16>>
    tt.return
  }
}
