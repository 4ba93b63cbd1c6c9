module {
  tt.func public @attention_forward(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %slopes: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 197 : i64
    %10 = arith.constant 94560 : i64
    %13 = arith.constant 31520 : i64
    %24 = arith.constant 1 : i32
    %26 = arith.constant 128 : i32
    %28 = arith.constant 3 : i32
    %34 = arith.constant 127 : i32
    %36 = arith.constant 197 : i32
    %61 = arith.constant 0 : i32
    %80 = arith.constant 49 : i32
    %96 = arith.constant 63 : i32
    %98 = arith.constant 64 : i32
    %107 = arith.constant 80 : i32
    %120 = arith.constant 480 : i32
    %146 = arith.constant 0.0e0 : bf16
    %158 = arith.constant dense<-2.0e29> : tensor<128xf32>
    %159 = arith.constant dense<0.0e0> : tensor<128xf32>
    %160 = arith.constant dense<0.0e0> : tensor<128x64xf32>
    %161 = arith.constant dense<0.0e0> : tensor<128x16xf32>
    %178 = arith.constant 160 : i32
    %220 = arith.constant 1.442695e0 : f32
    %224 = arith.constant 1.6129822e-1 : f32
    %234 = arith.constant -1.0e30 : f32
    %241 = arith.constant 1.0e0 : f32
    %560 = arith.constant 6.931472e-1 : f32
    %563 = arith.constant -1.0e29 : f32
    %567 = arith.constant dense<1.0e0> : tensor<128xf32>
    %614 = arith.constant 6 : i64
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
    %22 = tt.get_program_id x : i32
    %23 = tt.get_program_id y : i32
    %25 = arith.subi %24, %23 : i32
    %27 = arith.muli %25, %26 : i32
    %29 = arith.divsi %22, %28 : i32
    %30 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %31 = tt.splat %27 : i32 -> tensor<128xi32>
    %32 = arith.addi %31, %30 : tensor<128xi32>
    %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %35 = arith.addi %27, %34 : i32
    %37 = tt.splat %36 : i32 -> tensor<128x1xi32>
    %38 = arith.cmpi slt, %33, %37 : tensor<128x1xi32>
    %39 = tt.splat %18 : !tt.ptr<i32> -> tensor<128x1x!tt.ptr<i32>>
    %40 = tt.addptr %39, %33 : tensor<128x1x!tt.ptr<i32>>, tensor<128x1xi32>
    %41 = tt.splat %36 : i32 -> tensor<128x1xi32>
    %42 = tt.load %40, %38, %41 : tensor<128x1x!tt.ptr<i32>>
    %46 = "tt.reduce"(%42) <{axis = 1 : i32}> ({
    ^bb0(%43: i32, %44: i32):
      %45 = arith.minsi %43, %44 : i32
      tt.reduce.return %45 : i32
    }) : (tensor<128x1xi32>) -> (tensor<128xi32>)
    %50 = "tt.reduce"(%46) <{axis = 0 : i32}> ({
    ^bb0(%47: i32, %48: i32):
      %49 = arith.minsi %47, %48 : i32
      tt.reduce.return %49 : i32
    }) : (tensor<128xi32>) -> (i32)
    %54 = "tt.reduce"(%42) <{axis = 1 : i32}> ({
    ^bb0(%51: i32, %52: i32):
      %53 = arith.maxsi %51, %52 : i32
      tt.reduce.return %53 : i32
    }) : (tensor<128x1xi32>) -> (tensor<128xi32>)
    %58 = "tt.reduce"(%54) <{axis = 0 : i32}> ({
    ^bb0(%55: i32, %56: i32):
      %57 = arith.maxsi %55, %56 : i32
      tt.reduce.return %57 : i32
    }) : (tensor<128xi32>) -> (i32)
    %59 = tt.splat %19 : !tt.ptr<i32> -> tensor<128x1x!tt.ptr<i32>>
    %60 = tt.addptr %59, %33 : tensor<128x1x!tt.ptr<i32>>, tensor<128x1xi32>
    %62 = tt.splat %61 : i32 -> tensor<128x1xi32>
    %63 = tt.load %60, %38, %62 : tensor<128x1x!tt.ptr<i32>>
    %67 = "tt.reduce"(%63) <{axis = 1 : i32}> ({
    ^bb0(%64: i32, %65: i32):
      %66 = arith.minsi %64, %65 : i32
      tt.reduce.return %66 : i32
    }) : (tensor<128x1xi32>) -> (tensor<128xi32>)
    %71 = "tt.reduce"(%67) <{axis = 0 : i32}> ({
    ^bb0(%68: i32, %69: i32):
      %70 = arith.minsi %68, %69 : i32
      tt.reduce.return %70 : i32
    }) : (tensor<128xi32>) -> (i32)
    %75 = "tt.reduce"(%63) <{axis = 1 : i32}> ({
    ^bb0(%72: i32, %73: i32):
      %74 = arith.maxsi %72, %73 : i32
      tt.reduce.return %74 : i32
    }) : (tensor<128x1xi32>) -> (tensor<128xi32>)
    %79 = "tt.reduce"(%75) <{axis = 0 : i32}> ({
    ^bb0(%76: i32, %77: i32):
      %78 = arith.maxsi %76, %77 : i32
      tt.reduce.return %78 : i32
    }) : (tensor<128xi32>) -> (i32)
    %81 = tt.splat %80 : i32 -> tensor<128x1xi32>
    %82 = arith.subi %33, %81 : tensor<128x1xi32>
    %83 = arith.subi %27, %80 : i32
    %84 = arith.subi %35, %80 : i32
    %85 = arith.maxsi %42, %82 : tensor<128x1xi32>
    %86 = arith.maxsi %50, %83 : i32
    %87 = arith.maxsi %58, %84 : i32
    %88 = tt.splat %24 : i32 -> tensor<128x1xi32>
    %89 = arith.addi %33, %88 : tensor<128x1xi32>
    %90 = arith.addi %27, %24 : i32
    %91 = arith.addi %35, %24 : i32
    %92 = arith.maxsi %86, %61 : i32
    %93 = arith.maxsi %87, %61 : i32
    %94 = arith.minsi %90, %36 : i32
    %95 = arith.minsi %91, %36 : i32
    %97 = arith.addi %93, %96 : i32
    %99 = arith.divsi %97, %98 : i32
    %100 = arith.muli %99, %98 : i32
    %101 = arith.maxsi %94, %61 : i32
    %102 = arith.divsi %101, %98 : i32
    %103 = arith.muli %102, %98 : i32
    %104 = arith.divsi %92, %98 : i32
    %105 = arith.muli %104, %98 : i32
    %106 = arith.maxsi %103, %100 : i32
    %108 = arith.muli %29, %107 : i32
    %109 = tt.addptr %15, %108 : !tt.ptr<bf16>, i32
    %110 = arith.muli %29, %107 : i32
    %111 = tt.addptr %17, %110 : !tt.ptr<bf16>, i32
    %112 = arith.muli %22, %107 : i32
    %113 = tt.addptr %12, %112 : !tt.ptr<bf16>, i32
    %114 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %115 = tt.expand_dims %114 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %116 = tt.splat %27 : i32 -> tensor<128x1xi32>
    %117 = arith.addi %116, %115 : tensor<128x1xi32>
    %118 = tt.splat %36 : i32 -> tensor<128x1xi32>
    %119 = arith.cmpi slt, %117, %118 : tensor<128x1xi32>
    %121 = arith.muli %27, %120 : i32
    %122 = tt.addptr %113, %121 : !tt.ptr<bf16>, i32
    %123 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %124 = tt.splat %61 : i32 -> tensor<64xi32>
    %125 = arith.addi %123, %124 : tensor<64xi32>
    %126 = tt.expand_dims %125 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %127 = tt.splat %120 : i32 -> tensor<128x1xi32>
    %128 = arith.muli %115, %127 : tensor<128x1xi32>
    %129 = tt.broadcast %128 : tensor<128x1xi32> -> tensor<128x64xi32>
    %130 = tt.broadcast %126 : tensor<1x64xi32> -> tensor<128x64xi32>
    %131 = arith.addi %129, %130 : tensor<128x64xi32>
    %132 = tt.splat %122 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %133 = tt.addptr %132, %131 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %134 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %135 = tt.splat %98 : i32 -> tensor<16xi32>
    %136 = arith.addi %134, %135 : tensor<16xi32>
    %137 = tt.expand_dims %136 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %138 = tt.splat %120 : i32 -> tensor<128x1xi32>
    %139 = arith.muli %115, %138 : tensor<128x1xi32>
    %140 = tt.broadcast %139 : tensor<128x1xi32> -> tensor<128x16xi32>
    %141 = tt.broadcast %137 : tensor<1x16xi32> -> tensor<128x16xi32>
    %142 = arith.addi %140, %141 : tensor<128x16xi32>
    %143 = tt.splat %122 : !tt.ptr<bf16> -> tensor<128x16x!tt.ptr<bf16>>
    %144 = tt.addptr %143, %142 : tensor<128x16x!tt.ptr<bf16>>, tensor<128x16xi32>
    %145 = tt.broadcast %119 : tensor<128x1xi1> -> tensor<128x64xi1>
    %147 = tt.splat %146 : bf16 -> tensor<128x64xbf16>
    %148 = tt.load %133, %145, %147 : tensor<128x64x!tt.ptr<bf16>>
    %149 = tt.broadcast %119 : tensor<128x1xi1> -> tensor<128x16xi1>
    %150 = tt.splat %146 : bf16 -> tensor<128x16xbf16>
    %151 = tt.load %144, %149, %150 : tensor<128x16x!tt.ptr<bf16>>
    %152 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %153 = tt.splat %27 : i32 -> tensor<128xi32>
    %154 = arith.addi %153, %152 : tensor<128xi32>
    %155 = tt.expand_dims %154 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %156 = tt.addptr %slopes, %22 : !tt.ptr<f32>, i32
    %157 = tt.load %156 : !tt.ptr<f32>
    %162 = arith.minsi %100, %95 : i32
    %302:4 = scf.for %163 = %105 to %162 step %98 iter_args(%164 = %158, %165 = %159, %166 = %160, %167 = %161) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x16xf32>) : i32 {
      %168 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %169 = tt.splat %163 : i32 -> tensor<64xi32>
      %170 = arith.addi %169, %168 : tensor<64xi32>
      %171 = tt.expand_dims %170 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %172 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %173 = tt.expand_dims %172 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %174 = tt.splat %163 : i32 -> tensor<64x1xi32>
      %175 = arith.addi %174, %173 : tensor<64x1xi32>
      %176 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %177 = arith.cmpi slt, %175, %176 : tensor<64x1xi32>
      %179 = arith.muli %163, %178 : i32
      %180 = tt.addptr %109, %179 : !tt.ptr<bf16>, i32
      %181 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %182 = tt.splat %61 : i32 -> tensor<64xi32>
      %183 = arith.addi %181, %182 : tensor<64xi32>
      %184 = tt.expand_dims %183 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %185 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %186 = arith.muli %173, %185 : tensor<64x1xi32>
      %187 = tt.broadcast %186 : tensor<64x1xi32> -> tensor<64x64xi32>
      %188 = tt.broadcast %184 : tensor<1x64xi32> -> tensor<64x64xi32>
      %189 = arith.addi %187, %188 : tensor<64x64xi32>
      %190 = tt.splat %180 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %191 = tt.addptr %190, %189 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %192 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %193 = tt.splat %98 : i32 -> tensor<16xi32>
      %194 = arith.addi %192, %193 : tensor<16xi32>
      %195 = tt.expand_dims %194 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %196 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %197 = arith.muli %173, %196 : tensor<64x1xi32>
      %198 = tt.broadcast %197 : tensor<64x1xi32> -> tensor<64x16xi32>
      %199 = tt.broadcast %195 : tensor<1x16xi32> -> tensor<64x16xi32>
      %200 = arith.addi %198, %199 : tensor<64x16xi32>
      %201 = tt.splat %180 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %202 = tt.addptr %201, %200 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %203 = tt.trans %191 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %204 = tt.broadcast %177 : tensor<64x1xi1> -> tensor<64x64xi1>
      %205 = tt.trans %204 {order = array<i32: 1, 0>} : tensor<64x64xi1> -> tensor<64x64xi1>
      %206 = tt.splat %146 : bf16 -> tensor<64x64xbf16>
      %207 = tt.load %203, %205, %206 : tensor<64x64x!tt.ptr<bf16>>
      %208 = tt.trans %202 {order = array<i32: 1, 0>} : tensor<64x16x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
      %209 = tt.broadcast %177 : tensor<64x1xi1> -> tensor<64x16xi1>
      %210 = tt.trans %209 {order = array<i32: 1, 0>} : tensor<64x16xi1> -> tensor<16x64xi1>
      %211 = tt.splat %146 : bf16 -> tensor<16x64xbf16>
      %212 = tt.load %208, %210, %211 : tensor<16x64x!tt.ptr<bf16>>
      %213 = tt.dot %148, %207, %160, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %214 = tt.dot %151, %212, %213, inputPrecision = tf32 : tensor<128x16xbf16> * tensor<16x64xbf16> -> tensor<128x64xf32>
      %215 = arith.sitofp %155 : tensor<128x1xi32> to tensor<128x1xf32>
      %216 = arith.sitofp %171 : tensor<1x64xi32> to tensor<1x64xf32>
      %217 = tt.broadcast %216 : tensor<1x64xf32> -> tensor<128x64xf32>
      %218 = tt.broadcast %215 : tensor<128x1xf32> -> tensor<128x64xf32>
      %219 = arith.subf %217, %218 : tensor<128x64xf32>
      %221 = arith.mulf %157, %220 : f32
      %222 = tt.splat %221 : f32 -> tensor<128x64xf32>
      %223 = arith.mulf %219, %222 : tensor<128x64xf32>
      %225 = tt.splat %224 : f32 -> tensor<128x64xf32>
      %226 = math.fma %214, %225, %223 : tensor<128x64xf32>
      %227 = tt.broadcast %171 : tensor<1x64xi32> -> tensor<128x64xi32>
      %228 = tt.broadcast %85 : tensor<128x1xi32> -> tensor<128x64xi32>
      %229 = arith.cmpi sge, %227, %228 : tensor<128x64xi32>
      %230 = tt.broadcast %171 : tensor<1x64xi32> -> tensor<128x64xi32>
      %231 = tt.broadcast %89 : tensor<128x1xi32> -> tensor<128x64xi32>
      %232 = arith.cmpi slt, %230, %231 : tensor<128x64xi32>
      %233 = arith.andi %229, %232 : tensor<128x64xi1>
      %235 = tt.splat %234 : f32 -> tensor<128x64xf32>
      %236 = arith.select %233, %226, %235 : tensor<128x64xi1>, tensor<128x64xf32>
      %240 = "tt.reduce"(%236) <{axis = 1 : i32}> ({
      ^bb0(%237: f32, %238: f32):
        %239 = arith.maxnumf %237, %238 : f32
        tt.reduce.return %239 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %242 = tt.splat %241 : f32 -> tensor<128xf32>
      %243 = arith.mulf %240, %242 : tensor<128xf32>
      %244 = arith.maxnumf %164, %243 : tensor<128xf32>
      %245 = tt.expand_dims %244 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %246 = tt.broadcast %245 : tensor<128x1xf32> -> tensor<128x64xf32>
      %247 = arith.subf %236, %246 : tensor<128x64xf32>
      %248 = math.exp2 %247 : tensor<128x64xf32>
      %249 = arith.subf %164, %244 : tensor<128xf32>
      %250 = math.exp2 %249 : tensor<128xf32>
      %251 = arith.mulf %165, %250 : tensor<128xf32>
      %255 = "tt.reduce"(%248) <{axis = 1 : i32}> ({
      ^bb0(%252: f32, %253: f32):
        %254 = arith.addf %252, %253 : f32
        tt.reduce.return %254 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %256 = arith.addf %251, %255 : tensor<128xf32>
      %257 = arith.truncf %248 : tensor<128x64xf32> to tensor<128x64xbf16>
      %258 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %259 = tt.expand_dims %258 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %260 = tt.splat %163 : i32 -> tensor<64x1xi32>
      %261 = arith.addi %260, %259 : tensor<64x1xi32>
      %262 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %263 = arith.cmpi slt, %261, %262 : tensor<64x1xi32>
      %264 = arith.muli %163, %178 : i32
      %265 = tt.addptr %111, %264 : !tt.ptr<bf16>, i32
      %266 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %267 = tt.splat %61 : i32 -> tensor<64xi32>
      %268 = arith.addi %266, %267 : tensor<64xi32>
      %269 = tt.expand_dims %268 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %270 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %271 = arith.muli %259, %270 : tensor<64x1xi32>
      %272 = tt.broadcast %271 : tensor<64x1xi32> -> tensor<64x64xi32>
      %273 = tt.broadcast %269 : tensor<1x64xi32> -> tensor<64x64xi32>
      %274 = arith.addi %272, %273 : tensor<64x64xi32>
      %275 = tt.splat %265 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %276 = tt.addptr %275, %274 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %277 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %278 = tt.splat %98 : i32 -> tensor<16xi32>
      %279 = arith.addi %277, %278 : tensor<16xi32>
      %280 = tt.expand_dims %279 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %281 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %282 = arith.muli %259, %281 : tensor<64x1xi32>
      %283 = tt.broadcast %282 : tensor<64x1xi32> -> tensor<64x16xi32>
      %284 = tt.broadcast %280 : tensor<1x16xi32> -> tensor<64x16xi32>
      %285 = arith.addi %283, %284 : tensor<64x16xi32>
      %286 = tt.splat %265 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %287 = tt.addptr %286, %285 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %288 = tt.broadcast %263 : tensor<64x1xi1> -> tensor<64x64xi1>
      %289 = tt.splat %146 : bf16 -> tensor<64x64xbf16>
      %290 = tt.load %276, %288, %289 : tensor<64x64x!tt.ptr<bf16>>
      %291 = tt.broadcast %263 : tensor<64x1xi1> -> tensor<64x16xi1>
      %292 = tt.splat %146 : bf16 -> tensor<64x16xbf16>
      %293 = tt.load %287, %291, %292 : tensor<64x16x!tt.ptr<bf16>>
      %294 = tt.expand_dims %250 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %295 = tt.broadcast %294 : tensor<128x1xf32> -> tensor<128x64xf32>
      %296 = arith.mulf %166, %295 : tensor<128x64xf32>
      %297 = tt.dot %257, %290, %296, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %298 = tt.expand_dims %250 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %299 = tt.broadcast %298 : tensor<128x1xf32> -> tensor<128x16xf32>
      %300 = arith.mulf %167, %299 : tensor<128x16xf32>
      %301 = tt.dot %257, %293, %300, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x16xbf16> -> tensor<128x16xf32>
      scf.yield %244, %256, %297, %301 : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x16xf32>
    }
    %413:4 = scf.for %306 = %100 to %106 step %98 iter_args(%307 = %302#0, %308 = %302#1, %309 = %302#2, %310 = %302#3) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x16xf32>) : i32 {
      %311 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %312 = tt.splat %306 : i32 -> tensor<64xi32>
      %313 = arith.addi %312, %311 : tensor<64xi32>
      %314 = tt.expand_dims %313 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %315 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %316 = tt.expand_dims %315 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %317 = arith.muli %306, %178 : i32
      %318 = tt.addptr %109, %317 : !tt.ptr<bf16>, i32
      %319 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %320 = tt.splat %61 : i32 -> tensor<64xi32>
      %321 = arith.addi %319, %320 : tensor<64xi32>
      %322 = tt.expand_dims %321 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %323 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %324 = arith.muli %316, %323 : tensor<64x1xi32>
      %325 = tt.broadcast %324 : tensor<64x1xi32> -> tensor<64x64xi32>
      %326 = tt.broadcast %322 : tensor<1x64xi32> -> tensor<64x64xi32>
      %327 = arith.addi %325, %326 : tensor<64x64xi32>
      %328 = tt.splat %318 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %329 = tt.addptr %328, %327 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %330 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %331 = tt.splat %98 : i32 -> tensor<16xi32>
      %332 = arith.addi %330, %331 : tensor<16xi32>
      %333 = tt.expand_dims %332 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %334 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %335 = arith.muli %316, %334 : tensor<64x1xi32>
      %336 = tt.broadcast %335 : tensor<64x1xi32> -> tensor<64x16xi32>
      %337 = tt.broadcast %333 : tensor<1x16xi32> -> tensor<64x16xi32>
      %338 = arith.addi %336, %337 : tensor<64x16xi32>
      %339 = tt.splat %318 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %340 = tt.addptr %339, %338 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %341 = tt.trans %329 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %342 = tt.load %341 : tensor<64x64x!tt.ptr<bf16>>
      %343 = tt.trans %340 {order = array<i32: 1, 0>} : tensor<64x16x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
      %344 = tt.load %343 : tensor<16x64x!tt.ptr<bf16>>
      %345 = tt.dot %148, %342, %160, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %346 = tt.dot %151, %344, %345, inputPrecision = tf32 : tensor<128x16xbf16> * tensor<16x64xbf16> -> tensor<128x64xf32>
      %347 = arith.sitofp %155 : tensor<128x1xi32> to tensor<128x1xf32>
      %348 = arith.sitofp %314 : tensor<1x64xi32> to tensor<1x64xf32>
      %349 = tt.broadcast %348 : tensor<1x64xf32> -> tensor<128x64xf32>
      %350 = tt.broadcast %347 : tensor<128x1xf32> -> tensor<128x64xf32>
      %351 = arith.subf %349, %350 : tensor<128x64xf32>
      %352 = arith.mulf %157, %220 : f32
      %353 = tt.splat %352 : f32 -> tensor<128x64xf32>
      %354 = arith.mulf %351, %353 : tensor<128x64xf32>
      %355 = tt.splat %224 : f32 -> tensor<128x64xf32>
      %356 = math.fma %346, %355, %354 : tensor<128x64xf32>
      %360 = "tt.reduce"(%356) <{axis = 1 : i32}> ({
      ^bb0(%357: f32, %358: f32):
        %359 = arith.maxnumf %357, %358 : f32
        tt.reduce.return %359 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %361 = tt.splat %241 : f32 -> tensor<128xf32>
      %362 = arith.mulf %360, %361 : tensor<128xf32>
      %363 = arith.maxnumf %307, %362 : tensor<128xf32>
      %364 = tt.expand_dims %363 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %365 = tt.broadcast %364 : tensor<128x1xf32> -> tensor<128x64xf32>
      %366 = arith.subf %356, %365 : tensor<128x64xf32>
      %367 = math.exp2 %366 : tensor<128x64xf32>
      %368 = arith.subf %307, %363 : tensor<128xf32>
      %369 = math.exp2 %368 : tensor<128xf32>
      %370 = arith.mulf %308, %369 : tensor<128xf32>
      %374 = "tt.reduce"(%367) <{axis = 1 : i32}> ({
      ^bb0(%371: f32, %372: f32):
        %373 = arith.addf %371, %372 : f32
        tt.reduce.return %373 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %375 = arith.addf %370, %374 : tensor<128xf32>
      %376 = arith.truncf %367 : tensor<128x64xf32> to tensor<128x64xbf16>
      %377 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %378 = tt.expand_dims %377 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %379 = arith.muli %306, %178 : i32
      %380 = tt.addptr %111, %379 : !tt.ptr<bf16>, i32
      %381 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %382 = tt.splat %61 : i32 -> tensor<64xi32>
      %383 = arith.addi %381, %382 : tensor<64xi32>
      %384 = tt.expand_dims %383 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %385 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %386 = arith.muli %378, %385 : tensor<64x1xi32>
      %387 = tt.broadcast %386 : tensor<64x1xi32> -> tensor<64x64xi32>
      %388 = tt.broadcast %384 : tensor<1x64xi32> -> tensor<64x64xi32>
      %389 = arith.addi %387, %388 : tensor<64x64xi32>
      %390 = tt.splat %380 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %391 = tt.addptr %390, %389 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %392 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %393 = tt.splat %98 : i32 -> tensor<16xi32>
      %394 = arith.addi %392, %393 : tensor<16xi32>
      %395 = tt.expand_dims %394 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %396 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %397 = arith.muli %378, %396 : tensor<64x1xi32>
      %398 = tt.broadcast %397 : tensor<64x1xi32> -> tensor<64x16xi32>
      %399 = tt.broadcast %395 : tensor<1x16xi32> -> tensor<64x16xi32>
      %400 = arith.addi %398, %399 : tensor<64x16xi32>
      %401 = tt.splat %380 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %402 = tt.addptr %401, %400 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %403 = tt.load %391 : tensor<64x64x!tt.ptr<bf16>>
      %404 = tt.load %402 : tensor<64x16x!tt.ptr<bf16>>
      %405 = tt.expand_dims %369 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %406 = tt.broadcast %405 : tensor<128x1xf32> -> tensor<128x64xf32>
      %407 = arith.mulf %309, %406 : tensor<128x64xf32>
      %408 = tt.dot %376, %403, %407, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %409 = tt.expand_dims %369 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %410 = tt.broadcast %409 : tensor<128x1xf32> -> tensor<128x16xf32>
      %411 = arith.mulf %310, %410 : tensor<128x16xf32>
      %412 = tt.dot %376, %404, %411, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x16xbf16> -> tensor<128x16xf32>
      scf.yield %363, %375, %408, %412 : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x16xf32>
    }
    %551:4 = scf.for %417 = %106 to %95 step %98 iter_args(%418 = %413#0, %419 = %413#1, %420 = %413#2, %421 = %413#3) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x16xf32>) : i32 {
      %422 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %423 = tt.splat %417 : i32 -> tensor<64xi32>
      %424 = arith.addi %423, %422 : tensor<64xi32>
      %425 = tt.expand_dims %424 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %426 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %427 = tt.expand_dims %426 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %428 = tt.splat %417 : i32 -> tensor<64x1xi32>
      %429 = arith.addi %428, %427 : tensor<64x1xi32>
      %430 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %431 = arith.cmpi slt, %429, %430 : tensor<64x1xi32>
      %432 = arith.muli %417, %178 : i32
      %433 = tt.addptr %109, %432 : !tt.ptr<bf16>, i32
      %434 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %435 = tt.splat %61 : i32 -> tensor<64xi32>
      %436 = arith.addi %434, %435 : tensor<64xi32>
      %437 = tt.expand_dims %436 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %438 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %439 = arith.muli %427, %438 : tensor<64x1xi32>
      %440 = tt.broadcast %439 : tensor<64x1xi32> -> tensor<64x64xi32>
      %441 = tt.broadcast %437 : tensor<1x64xi32> -> tensor<64x64xi32>
      %442 = arith.addi %440, %441 : tensor<64x64xi32>
      %443 = tt.splat %433 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %444 = tt.addptr %443, %442 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %445 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %446 = tt.splat %98 : i32 -> tensor<16xi32>
      %447 = arith.addi %445, %446 : tensor<16xi32>
      %448 = tt.expand_dims %447 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %449 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %450 = arith.muli %427, %449 : tensor<64x1xi32>
      %451 = tt.broadcast %450 : tensor<64x1xi32> -> tensor<64x16xi32>
      %452 = tt.broadcast %448 : tensor<1x16xi32> -> tensor<64x16xi32>
      %453 = arith.addi %451, %452 : tensor<64x16xi32>
      %454 = tt.splat %433 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %455 = tt.addptr %454, %453 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %456 = tt.trans %444 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %457 = tt.broadcast %431 : tensor<64x1xi1> -> tensor<64x64xi1>
      %458 = tt.trans %457 {order = array<i32: 1, 0>} : tensor<64x64xi1> -> tensor<64x64xi1>
      %459 = tt.splat %146 : bf16 -> tensor<64x64xbf16>
      %460 = tt.load %456, %458, %459 : tensor<64x64x!tt.ptr<bf16>>
      %461 = tt.trans %455 {order = array<i32: 1, 0>} : tensor<64x16x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
      %462 = tt.broadcast %431 : tensor<64x1xi1> -> tensor<64x16xi1>
      %463 = tt.trans %462 {order = array<i32: 1, 0>} : tensor<64x16xi1> -> tensor<16x64xi1>
      %464 = tt.splat %146 : bf16 -> tensor<16x64xbf16>
      %465 = tt.load %461, %463, %464 : tensor<16x64x!tt.ptr<bf16>>
      %466 = tt.dot %148, %460, %160, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %467 = tt.dot %151, %465, %466, inputPrecision = tf32 : tensor<128x16xbf16> * tensor<16x64xbf16> -> tensor<128x64xf32>
      %468 = arith.sitofp %155 : tensor<128x1xi32> to tensor<128x1xf32>
      %469 = arith.sitofp %425 : tensor<1x64xi32> to tensor<1x64xf32>
      %470 = tt.broadcast %469 : tensor<1x64xf32> -> tensor<128x64xf32>
      %471 = tt.broadcast %468 : tensor<128x1xf32> -> tensor<128x64xf32>
      %472 = arith.subf %470, %471 : tensor<128x64xf32>
      %473 = arith.mulf %157, %220 : f32
      %474 = tt.splat %473 : f32 -> tensor<128x64xf32>
      %475 = arith.mulf %472, %474 : tensor<128x64xf32>
      %476 = tt.splat %224 : f32 -> tensor<128x64xf32>
      %477 = math.fma %467, %476, %475 : tensor<128x64xf32>
      %478 = tt.broadcast %425 : tensor<1x64xi32> -> tensor<128x64xi32>
      %479 = tt.broadcast %85 : tensor<128x1xi32> -> tensor<128x64xi32>
      %480 = arith.cmpi sge, %478, %479 : tensor<128x64xi32>
      %481 = tt.broadcast %425 : tensor<1x64xi32> -> tensor<128x64xi32>
      %482 = tt.broadcast %89 : tensor<128x1xi32> -> tensor<128x64xi32>
      %483 = arith.cmpi slt, %481, %482 : tensor<128x64xi32>
      %484 = arith.andi %480, %483 : tensor<128x64xi1>
      %485 = tt.splat %234 : f32 -> tensor<128x64xf32>
      %486 = arith.select %484, %477, %485 : tensor<128x64xi1>, tensor<128x64xf32>
      %490 = "tt.reduce"(%486) <{axis = 1 : i32}> ({
      ^bb0(%487: f32, %488: f32):
        %489 = arith.maxnumf %487, %488 : f32
        tt.reduce.return %489 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %491 = tt.splat %241 : f32 -> tensor<128xf32>
      %492 = arith.mulf %490, %491 : tensor<128xf32>
      %493 = arith.maxnumf %418, %492 : tensor<128xf32>
      %494 = tt.expand_dims %493 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %495 = tt.broadcast %494 : tensor<128x1xf32> -> tensor<128x64xf32>
      %496 = arith.subf %486, %495 : tensor<128x64xf32>
      %497 = math.exp2 %496 : tensor<128x64xf32>
      %498 = arith.subf %418, %493 : tensor<128xf32>
      %499 = math.exp2 %498 : tensor<128xf32>
      %500 = arith.mulf %419, %499 : tensor<128xf32>
      %504 = "tt.reduce"(%497) <{axis = 1 : i32}> ({
      ^bb0(%501: f32, %502: f32):
        %503 = arith.addf %501, %502 : f32
        tt.reduce.return %503 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %505 = arith.addf %500, %504 : tensor<128xf32>
      %506 = arith.truncf %497 : tensor<128x64xf32> to tensor<128x64xbf16>
      %507 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %508 = tt.expand_dims %507 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %509 = tt.splat %417 : i32 -> tensor<64x1xi32>
      %510 = arith.addi %509, %508 : tensor<64x1xi32>
      %511 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %512 = arith.cmpi slt, %510, %511 : tensor<64x1xi32>
      %513 = arith.muli %417, %178 : i32
      %514 = tt.addptr %111, %513 : !tt.ptr<bf16>, i32
      %515 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %516 = tt.splat %61 : i32 -> tensor<64xi32>
      %517 = arith.addi %515, %516 : tensor<64xi32>
      %518 = tt.expand_dims %517 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %519 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %520 = arith.muli %508, %519 : tensor<64x1xi32>
      %521 = tt.broadcast %520 : tensor<64x1xi32> -> tensor<64x64xi32>
      %522 = tt.broadcast %518 : tensor<1x64xi32> -> tensor<64x64xi32>
      %523 = arith.addi %521, %522 : tensor<64x64xi32>
      %524 = tt.splat %514 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %525 = tt.addptr %524, %523 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %526 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %527 = tt.splat %98 : i32 -> tensor<16xi32>
      %528 = arith.addi %526, %527 : tensor<16xi32>
      %529 = tt.expand_dims %528 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %530 = tt.splat %178 : i32 -> tensor<64x1xi32>
      %531 = arith.muli %508, %530 : tensor<64x1xi32>
      %532 = tt.broadcast %531 : tensor<64x1xi32> -> tensor<64x16xi32>
      %533 = tt.broadcast %529 : tensor<1x16xi32> -> tensor<64x16xi32>
      %534 = arith.addi %532, %533 : tensor<64x16xi32>
      %535 = tt.splat %514 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %536 = tt.addptr %535, %534 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %537 = tt.broadcast %512 : tensor<64x1xi1> -> tensor<64x64xi1>
      %538 = tt.splat %146 : bf16 -> tensor<64x64xbf16>
      %539 = tt.load %525, %537, %538 : tensor<64x64x!tt.ptr<bf16>>
      %540 = tt.broadcast %512 : tensor<64x1xi1> -> tensor<64x16xi1>
      %541 = tt.splat %146 : bf16 -> tensor<64x16xbf16>
      %542 = tt.load %536, %540, %541 : tensor<64x16x!tt.ptr<bf16>>
      %543 = tt.expand_dims %499 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %544 = tt.broadcast %543 : tensor<128x1xf32> -> tensor<128x64xf32>
      %545 = arith.mulf %420, %544 : tensor<128x64xf32>
      %546 = tt.dot %506, %539, %545, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %547 = tt.expand_dims %499 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %548 = tt.broadcast %547 : tensor<128x1xf32> -> tensor<128x16xf32>
      %549 = arith.mulf %421, %548 : tensor<128x16xf32>
      %550 = tt.dot %506, %542, %549, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x16xbf16> -> tensor<128x16xf32>
      scf.yield %493, %505, %546, %550 : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x16xf32>
    }
    %555 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %556 = tt.splat %27 : i32 -> tensor<128xi32>
    %557 = arith.addi %556, %555 : tensor<128xi32>
    %558 = math.log2 %551#1 : tensor<128xf32>
    %559 = arith.addf %551#0, %558 : tensor<128xf32>
    %561 = tt.splat %560 : f32 -> tensor<128xf32>
    %562 = arith.mulf %559, %561 : tensor<128xf32>
    %564 = tt.splat %563 : f32 -> tensor<128xf32>
    %565 = arith.cmpf olt, %551#0, %564 : tensor<128xf32>
    %566 = arith.select %565, %159, %562 : tensor<128xi1>, tensor<128xf32>
    %568 = arith.divf %567, %551#1 : tensor<128xf32>
    %569 = arith.select %565, %159, %568 : tensor<128xi1>, tensor<128xf32>
    %570 = tt.expand_dims %569 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %571 = tt.broadcast %570 : tensor<128x1xf32> -> tensor<128x64xf32>
    %572 = arith.mulf %551#2, %571 : tensor<128x64xf32>
    %573 = tt.expand_dims %569 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %574 = tt.broadcast %573 : tensor<128x1xf32> -> tensor<128x16xf32>
    %575 = arith.mulf %551#3, %574 : tensor<128x16xf32>
    %576 = arith.muli %7, %10 : i64
    %577 = tt.addptr %out, %576 : !tt.ptr<bf16>, i64
    %578 = arith.muli %22, %107 : i32
    %579 = tt.addptr %577, %578 : !tt.ptr<bf16>, i32
    %580 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %581 = tt.expand_dims %580 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %582 = tt.splat %27 : i32 -> tensor<128x1xi32>
    %583 = arith.addi %582, %581 : tensor<128x1xi32>
    %584 = tt.splat %36 : i32 -> tensor<128x1xi32>
    %585 = arith.cmpi slt, %583, %584 : tensor<128x1xi32>
    %586 = arith.muli %27, %120 : i32
    %587 = tt.addptr %579, %586 : !tt.ptr<bf16>, i32
    %588 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %589 = tt.splat %61 : i32 -> tensor<64xi32>
    %590 = arith.addi %588, %589 : tensor<64xi32>
    %591 = tt.expand_dims %590 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %592 = tt.splat %120 : i32 -> tensor<128x1xi32>
    %593 = arith.muli %581, %592 : tensor<128x1xi32>
    %594 = tt.broadcast %593 : tensor<128x1xi32> -> tensor<128x64xi32>
    %595 = tt.broadcast %591 : tensor<1x64xi32> -> tensor<128x64xi32>
    %596 = arith.addi %594, %595 : tensor<128x64xi32>
    %597 = tt.splat %587 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %598 = tt.addptr %597, %596 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %599 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %600 = tt.splat %98 : i32 -> tensor<16xi32>
    %601 = arith.addi %599, %600 : tensor<16xi32>
    %602 = tt.expand_dims %601 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %603 = tt.splat %120 : i32 -> tensor<128x1xi32>
    %604 = arith.muli %581, %603 : tensor<128x1xi32>
    %605 = tt.broadcast %604 : tensor<128x1xi32> -> tensor<128x16xi32>
    %606 = tt.broadcast %602 : tensor<1x16xi32> -> tensor<128x16xi32>
    %607 = arith.addi %605, %606 : tensor<128x16xi32>
    %608 = tt.splat %587 : !tt.ptr<bf16> -> tensor<128x16x!tt.ptr<bf16>>
    %609 = tt.addptr %608, %607 : tensor<128x16x!tt.ptr<bf16>>, tensor<128x16xi32>
    %610 = arith.truncf %572 : tensor<128x64xf32> to tensor<128x64xbf16>
    %611 = tt.broadcast %585 : tensor<128x1xi1> -> tensor<128x64xi1>
    tt.store %598, %610, %611 : tensor<128x64x!tt.ptr<bf16>>
    %612 = arith.truncf %575 : tensor<128x16xf32> to tensor<128x16xbf16>
    %613 = tt.broadcast %585 : tensor<128x1xi1> -> tensor<128x16xi1>
    tt.store %609, %612, %613 : tensor<128x16x!tt.ptr<bf16>>
    %615 = arith.muli %7, %614 : i64
    %616 = arith.extsi %22 : i32 to i64
    %617 = arith.addi %615, %616 : i64
    %618 = arith.muli %617, %8 : i64
    %619 = tt.addptr %rows, %618 : !tt.ptr<f32>, i64
    %620 = tt.splat %619 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %621 = tt.addptr %620, %557 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %622 = tt.splat %36 : i32 -> tensor<128xi32>
    %623 = arith.cmpi slt, %557, %622 : tensor<128xi32>
    tt.store %621, %566, %623 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
