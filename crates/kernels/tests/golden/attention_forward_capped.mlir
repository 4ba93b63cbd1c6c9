module {
  tt.func public @attention_forward(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %slopes: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 100 : i64
    %10 = arith.constant 12800 : i64
    %13 = arith.constant 6400 : i64
    %24 = arith.constant 1 : i32
    %26 = arith.constant 64 : i32
    %28 = arith.constant 2 : i32
    %34 = arith.constant 63 : i32
    %36 = arith.constant 100 : i32
    %61 = arith.constant 0 : i32
    %109 = arith.constant 128 : i32
    %124 = arith.constant 0.0e0 : bf16
    %139 = arith.constant dense<-2.0e29> : tensor<64xf32>
    %140 = arith.constant dense<0.0e0> : tensor<64xf32>
    %141 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %182 = arith.constant 2.5e-3 : f32
    %185 = arith.constant 2.88539e0 : f32
    %189 = arith.constant dense<1.0e0> : tensor<64x64xf32>
    %190 = arith.constant dense<2.0e0> : tensor<64x64xf32>
    %191 = arith.constant 1.0e0 : f32
    %217 = arith.constant 7.213475e-1 : f32
    %220 = arith.constant 7.213475e1 : f32
    %230 = arith.constant -1.0e30 : f32
    %527 = arith.constant 6.931472e-1 : f32
    %530 = arith.constant -1.0e29 : f32
    %534 = arith.constant dense<1.0e0> : tensor<64xf32>
    %565 = arith.constant 2 : i64
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
    %30 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %31 = tt.splat %27 : i32 -> tensor<64xi32>
    %32 = arith.addi %31, %30 : tensor<64xi32>
    %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %35 = arith.addi %27, %34 : i32
    %37 = tt.splat %36 : i32 -> tensor<64x1xi32>
    %38 = arith.cmpi slt, %33, %37 : tensor<64x1xi32>
    %39 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %40 = tt.addptr %39, %33 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %41 = tt.splat %36 : i32 -> tensor<64x1xi32>
    %42 = tt.load %40, %38, %41 : tensor<64x1x!tt.ptr<i32>>
    %46 = "tt.reduce"(%42) <{axis = 1 : i32}> ({
    ^bb0(%43: i32, %44: i32):
      %45 = arith.minsi %43, %44 : i32
      tt.reduce.return %45 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %50 = "tt.reduce"(%46) <{axis = 0 : i32}> ({
    ^bb0(%47: i32, %48: i32):
      %49 = arith.minsi %47, %48 : i32
      tt.reduce.return %49 : i32
    }) : (tensor<64xi32>) -> (i32)
    %54 = "tt.reduce"(%42) <{axis = 1 : i32}> ({
    ^bb0(%51: i32, %52: i32):
      %53 = arith.maxsi %51, %52 : i32
      tt.reduce.return %53 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %58 = "tt.reduce"(%54) <{axis = 0 : i32}> ({
    ^bb0(%55: i32, %56: i32):
      %57 = arith.maxsi %55, %56 : i32
      tt.reduce.return %57 : i32
    }) : (tensor<64xi32>) -> (i32)
    %59 = tt.splat %19 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %60 = tt.addptr %59, %33 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %62 = tt.splat %61 : i32 -> tensor<64x1xi32>
    %63 = tt.load %60, %38, %62 : tensor<64x1x!tt.ptr<i32>>
    %67 = "tt.reduce"(%63) <{axis = 1 : i32}> ({
    ^bb0(%64: i32, %65: i32):
      %66 = arith.minsi %64, %65 : i32
      tt.reduce.return %66 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %71 = "tt.reduce"(%67) <{axis = 0 : i32}> ({
    ^bb0(%68: i32, %69: i32):
      %70 = arith.minsi %68, %69 : i32
      tt.reduce.return %70 : i32
    }) : (tensor<64xi32>) -> (i32)
    %75 = "tt.reduce"(%63) <{axis = 1 : i32}> ({
    ^bb0(%72: i32, %73: i32):
      %74 = arith.maxsi %72, %73 : i32
      tt.reduce.return %74 : i32
    }) : (tensor<64x1xi32>) -> (tensor<64xi32>)
    %79 = "tt.reduce"(%75) <{axis = 0 : i32}> ({
    ^bb0(%76: i32, %77: i32):
      %78 = arith.maxsi %76, %77 : i32
      tt.reduce.return %78 : i32
    }) : (tensor<64xi32>) -> (i32)
    %80 = tt.splat %24 : i32 -> tensor<64x1xi32>
    %81 = arith.addi %33, %80 : tensor<64x1xi32>
    %82 = arith.addi %27, %24 : i32
    %83 = arith.addi %35, %24 : i32
    %84 = arith.maxsi %50, %61 : i32
    %85 = arith.maxsi %58, %61 : i32
    %86 = arith.minsi %82, %36 : i32
    %87 = arith.minsi %83, %36 : i32
    %88 = arith.addi %85, %34 : i32
    %89 = arith.divsi %88, %26 : i32
    %90 = arith.muli %89, %26 : i32
    %91 = arith.maxsi %86, %61 : i32
    %92 = arith.divsi %91, %26 : i32
    %93 = arith.muli %92, %26 : i32
    %94 = arith.divsi %84, %26 : i32
    %95 = arith.muli %94, %26 : i32
    %96 = arith.maxsi %93, %90 : i32
    %97 = arith.muli %29, %26 : i32
    %98 = tt.addptr %15, %97 : !tt.ptr<bf16>, i32
    %99 = arith.muli %29, %26 : i32
    %100 = tt.addptr %17, %99 : !tt.ptr<bf16>, i32
    %101 = arith.muli %22, %26 : i32
    %102 = tt.addptr %12, %101 : !tt.ptr<bf16>, i32
    %103 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %104 = tt.expand_dims %103 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %105 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %106 = arith.addi %105, %104 : tensor<64x1xi32>
    %107 = tt.splat %36 : i32 -> tensor<64x1xi32>
    %108 = arith.cmpi slt, %106, %107 : tensor<64x1xi32>
    %110 = arith.muli %27, %109 : i32
    %111 = tt.addptr %102, %110 : !tt.ptr<bf16>, i32
    %112 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %113 = tt.splat %61 : i32 -> tensor<64xi32>
    %114 = arith.addi %112, %113 : tensor<64xi32>
    %115 = tt.expand_dims %114 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %116 = tt.splat %109 : i32 -> tensor<64x1xi32>
    %117 = arith.muli %104, %116 : tensor<64x1xi32>
    %118 = tt.broadcast %117 : tensor<64x1xi32> -> tensor<64x64xi32>
    %119 = tt.broadcast %115 : tensor<1x64xi32> -> tensor<64x64xi32>
    %120 = arith.addi %118, %119 : tensor<64x64xi32>
    %121 = tt.splat %111 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %122 = tt.addptr %121, %120 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %123 = tt.broadcast %108 : tensor<64x1xi1> -> tensor<64x64xi1>
    %125 = tt.splat %124 : bf16 -> tensor<64x64xbf16>
    %126 = tt.load %122, %123, %125 : tensor<64x64x!tt.ptr<bf16>>
    %127 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %128 = tt.splat %27 : i32 -> tensor<64xi32>
    %129 = arith.addi %128, %127 : tensor<64xi32>
    %130 = tt.expand_dims %129 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %131 = tt.splat %18 : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
    %132 = tt.addptr %131, %130 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %133 = tt.splat %36 : i32 -> tensor<64x1xi32>
    %134 = arith.cmpi slt, %130, %133 : tensor<64x1xi32>
    %135 = tt.splat %61 : i32 -> tensor<64x1xi32>
    %136 = tt.load %132, %134, %135 : tensor<64x1x!tt.ptr<i32>>
    %137 = tt.addptr %slopes, %22 : !tt.ptr<f32>, i32
    %138 = tt.load %137 : !tt.ptr<f32>
    %142 = arith.minsi %90, %87 : i32
    %279:3 = scf.for %143 = %95 to %142 step %26 iter_args(%144 = %139, %145 = %140, %146 = %141) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) : i32 {
      %147 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %148 = tt.splat %143 : i32 -> tensor<64xi32>
      %149 = arith.addi %148, %147 : tensor<64xi32>
      %150 = tt.expand_dims %149 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %151 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %152 = tt.expand_dims %151 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %153 = tt.splat %143 : i32 -> tensor<64x1xi32>
      %154 = arith.addi %153, %152 : tensor<64x1xi32>
      %155 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %156 = arith.cmpi slt, %154, %155 : tensor<64x1xi32>
      %157 = arith.muli %143, %26 : i32
      %158 = tt.addptr %98, %157 : !tt.ptr<bf16>, i32
      %159 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %160 = tt.splat %61 : i32 -> tensor<64xi32>
      %161 = arith.addi %159, %160 : tensor<64xi32>
      %162 = tt.expand_dims %161 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %163 = tt.splat %26 : i32 -> tensor<64x1xi32>
      %164 = arith.muli %152, %163 : tensor<64x1xi32>
      %165 = tt.broadcast %164 : tensor<64x1xi32> -> tensor<64x64xi32>
      %166 = tt.broadcast %162 : tensor<1x64xi32> -> tensor<64x64xi32>
      %167 = arith.addi %165, %166 : tensor<64x64xi32>
      %168 = tt.splat %158 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %169 = tt.addptr %168, %167 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %170 = tt.trans %169 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %171 = tt.broadcast %156 : tensor<64x1xi1> -> tensor<64x64xi1>
      %172 = tt.trans %171 {order = array<i32: 1, 0>} : tensor<64x64xi1> -> tensor<64x64xi1>
      %173 = tt.splat %124 : bf16 -> tensor<64x64xbf16>
      %174 = tt.load %170, %172, %173 : tensor<64x64x!tt.ptr<bf16>>
      %175 = tt.dot %126, %174, %141, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %176 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %177 = tt.addptr %176, %150 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %178 = tt.splat %36 : i32 -> tensor<1x64xi32>
      %179 = arith.cmpi slt, %150, %178 : tensor<1x64xi32>
      %180 = tt.splat %61 : i32 -> tensor<1x64xi32>
      %181 = tt.load %177, %179, %180 : tensor<1x64x!tt.ptr<i32>>
      %183 = tt.splat %182 : f32 -> tensor<64x64xf32>
      %184 = arith.mulf %175, %183 : tensor<64x64xf32>
      %186 = tt.splat %185 : f32 -> tensor<64x64xf32>
      %187 = arith.mulf %184, %186 : tensor<64x64xf32>
      %188 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %187 : tensor<64x64xf32> -> tensor<64x64xf32>
      %192 = tt.splat %191 : f32 -> tensor<64x64xf32>
      %193 = arith.addf %188, %192 : tensor<64x64xf32>
      %194 = arith.divf %190, %193 : tensor<64x64xf32>
      %195 = arith.subf %189, %194 : tensor<64x64xf32>
      %196 = arith.truncf %138 : f32 to bf16
      %197 = arith.extf %196 : bf16 to f32
      %198 = arith.subi %150, %181 : tensor<1x64xi32>
      %199 = arith.sitofp %198 : tensor<1x64xi32> to tensor<1x64xf32>
      %200 = arith.truncf %199 : tensor<1x64xf32> to tensor<1x64xbf16>
      %201 = arith.extf %200 : tensor<1x64xbf16> to tensor<1x64xf32>
      %202 = tt.splat %197 : f32 -> tensor<1x64xf32>
      %203 = arith.mulf %202, %201 : tensor<1x64xf32>
      %204 = arith.truncf %203 : tensor<1x64xf32> to tensor<1x64xbf16>
      %205 = arith.extf %204 : tensor<1x64xbf16> to tensor<1x64xf32>
      %206 = arith.subi %130, %136 : tensor<64x1xi32>
      %207 = arith.sitofp %206 : tensor<64x1xi32> to tensor<64x1xf32>
      %208 = arith.truncf %207 : tensor<64x1xf32> to tensor<64x1xbf16>
      %209 = arith.extf %208 : tensor<64x1xbf16> to tensor<64x1xf32>
      %210 = tt.splat %197 : f32 -> tensor<64x1xf32>
      %211 = arith.mulf %210, %209 : tensor<64x1xf32>
      %212 = arith.truncf %211 : tensor<64x1xf32> to tensor<64x1xbf16>
      %213 = arith.extf %212 : tensor<64x1xbf16> to tensor<64x1xf32>
      %214 = tt.broadcast %205 : tensor<1x64xf32> -> tensor<64x64xf32>
      %215 = tt.broadcast %213 : tensor<64x1xf32> -> tensor<64x64xf32>
      %216 = arith.subf %214, %215 : tensor<64x64xf32>
      %218 = tt.splat %217 : f32 -> tensor<64x64xf32>
      %219 = arith.mulf %216, %218 : tensor<64x64xf32>
      %221 = tt.splat %220 : f32 -> tensor<64x64xf32>
      %222 = math.fma %195, %221, %219 : tensor<64x64xf32>
      %223 = tt.broadcast %150 : tensor<1x64xi32> -> tensor<64x64xi32>
      %224 = tt.broadcast %42 : tensor<64x1xi32> -> tensor<64x64xi32>
      %225 = arith.cmpi sge, %223, %224 : tensor<64x64xi32>
      %226 = tt.broadcast %150 : tensor<1x64xi32> -> tensor<64x64xi32>
      %227 = tt.broadcast %81 : tensor<64x1xi32> -> tensor<64x64xi32>
      %228 = arith.cmpi slt, %226, %227 : tensor<64x64xi32>
      %229 = arith.andi %225, %228 : tensor<64x64xi1>
      %231 = tt.splat %230 : f32 -> tensor<64x64xf32>
      %232 = arith.select %229, %222, %231 : tensor<64x64xi1>, tensor<64x64xf32>
      %236 = "tt.reduce"(%232) <{axis = 1 : i32}> ({
      ^bb0(%233: f32, %234: f32):
        %235 = arith.maxnumf %233, %234 : f32
        tt.reduce.return %235 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %237 = tt.splat %191 : f32 -> tensor<64xf32>
      %238 = arith.mulf %236, %237 : tensor<64xf32>
      %239 = arith.maxnumf %144, %238 : tensor<64xf32>
      %240 = tt.expand_dims %239 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %241 = tt.broadcast %240 : tensor<64x1xf32> -> tensor<64x64xf32>
      %242 = arith.subf %232, %241 : tensor<64x64xf32>
      %243 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %242 : tensor<64x64xf32> -> tensor<64x64xf32>
      %244 = arith.subf %144, %239 : tensor<64xf32>
      %245 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %244 : tensor<64xf32> -> tensor<64xf32>
      %246 = arith.mulf %145, %245 : tensor<64xf32>
      %250 = "tt.reduce"(%243) <{axis = 1 : i32}> ({
      ^bb0(%247: f32, %248: f32):
        %249 = arith.addf %247, %248 : f32
        tt.reduce.return %249 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %251 = arith.addf %246, %250 : tensor<64xf32>
      %252 = arith.truncf %243 : tensor<64x64xf32> to tensor<64x64xbf16>
      %253 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %254 = tt.expand_dims %253 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %255 = tt.splat %143 : i32 -> tensor<64x1xi32>
      %256 = arith.addi %255, %254 : tensor<64x1xi32>
      %257 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %258 = arith.cmpi slt, %256, %257 : tensor<64x1xi32>
      %259 = arith.muli %143, %26 : i32
      %260 = tt.addptr %100, %259 : !tt.ptr<bf16>, i32
      %261 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %262 = tt.splat %61 : i32 -> tensor<64xi32>
      %263 = arith.addi %261, %262 : tensor<64xi32>
      %264 = tt.expand_dims %263 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %265 = tt.splat %26 : i32 -> tensor<64x1xi32>
      %266 = arith.muli %254, %265 : tensor<64x1xi32>
      %267 = tt.broadcast %266 : tensor<64x1xi32> -> tensor<64x64xi32>
      %268 = tt.broadcast %264 : tensor<1x64xi32> -> tensor<64x64xi32>
      %269 = arith.addi %267, %268 : tensor<64x64xi32>
      %270 = tt.splat %260 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %271 = tt.addptr %270, %269 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %272 = tt.broadcast %258 : tensor<64x1xi1> -> tensor<64x64xi1>
      %273 = tt.splat %124 : bf16 -> tensor<64x64xbf16>
      %274 = tt.load %271, %272, %273 : tensor<64x64x!tt.ptr<bf16>>
      %275 = tt.expand_dims %245 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %276 = tt.broadcast %275 : tensor<64x1xf32> -> tensor<64x64xf32>
      %277 = arith.mulf %146, %276 : tensor<64x64xf32>
      %278 = tt.dot %252, %274, %277, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %239, %251, %278 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %388:3 = scf.for %282 = %90 to %96 step %26 iter_args(%283 = %279#0, %284 = %279#1, %285 = %279#2) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) : i32 {
      %286 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %287 = tt.splat %282 : i32 -> tensor<64xi32>
      %288 = arith.addi %287, %286 : tensor<64xi32>
      %289 = tt.expand_dims %288 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %290 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %291 = tt.expand_dims %290 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %292 = arith.muli %282, %26 : i32
      %293 = tt.addptr %98, %292 : !tt.ptr<bf16>, i32
      %294 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %295 = tt.splat %61 : i32 -> tensor<64xi32>
      %296 = arith.addi %294, %295 : tensor<64xi32>
      %297 = tt.expand_dims %296 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %298 = tt.splat %26 : i32 -> tensor<64x1xi32>
      %299 = arith.muli %291, %298 : tensor<64x1xi32>
      %300 = tt.broadcast %299 : tensor<64x1xi32> -> tensor<64x64xi32>
      %301 = tt.broadcast %297 : tensor<1x64xi32> -> tensor<64x64xi32>
      %302 = arith.addi %300, %301 : tensor<64x64xi32>
      %303 = tt.splat %293 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %304 = tt.addptr %303, %302 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %305 = tt.trans %304 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %306 = tt.load %305 : tensor<64x64x!tt.ptr<bf16>>
      %307 = tt.dot %126, %306, %141, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %308 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %309 = tt.addptr %308, %289 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %310 = tt.splat %36 : i32 -> tensor<1x64xi32>
      %311 = arith.cmpi slt, %289, %310 : tensor<1x64xi32>
      %312 = tt.splat %61 : i32 -> tensor<1x64xi32>
      %313 = tt.load %309, %311, %312 : tensor<1x64x!tt.ptr<i32>>
      %314 = tt.splat %182 : f32 -> tensor<64x64xf32>
      %315 = arith.mulf %307, %314 : tensor<64x64xf32>
      %316 = tt.splat %185 : f32 -> tensor<64x64xf32>
      %317 = arith.mulf %315, %316 : tensor<64x64xf32>
      %318 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %317 : tensor<64x64xf32> -> tensor<64x64xf32>
      %319 = tt.splat %191 : f32 -> tensor<64x64xf32>
      %320 = arith.addf %318, %319 : tensor<64x64xf32>
      %321 = arith.divf %190, %320 : tensor<64x64xf32>
      %322 = arith.subf %189, %321 : tensor<64x64xf32>
      %323 = arith.truncf %138 : f32 to bf16
      %324 = arith.extf %323 : bf16 to f32
      %325 = arith.subi %289, %313 : tensor<1x64xi32>
      %326 = arith.sitofp %325 : tensor<1x64xi32> to tensor<1x64xf32>
      %327 = arith.truncf %326 : tensor<1x64xf32> to tensor<1x64xbf16>
      %328 = arith.extf %327 : tensor<1x64xbf16> to tensor<1x64xf32>
      %329 = tt.splat %324 : f32 -> tensor<1x64xf32>
      %330 = arith.mulf %329, %328 : tensor<1x64xf32>
      %331 = arith.truncf %330 : tensor<1x64xf32> to tensor<1x64xbf16>
      %332 = arith.extf %331 : tensor<1x64xbf16> to tensor<1x64xf32>
      %333 = arith.subi %130, %136 : tensor<64x1xi32>
      %334 = arith.sitofp %333 : tensor<64x1xi32> to tensor<64x1xf32>
      %335 = arith.truncf %334 : tensor<64x1xf32> to tensor<64x1xbf16>
      %336 = arith.extf %335 : tensor<64x1xbf16> to tensor<64x1xf32>
      %337 = tt.splat %324 : f32 -> tensor<64x1xf32>
      %338 = arith.mulf %337, %336 : tensor<64x1xf32>
      %339 = arith.truncf %338 : tensor<64x1xf32> to tensor<64x1xbf16>
      %340 = arith.extf %339 : tensor<64x1xbf16> to tensor<64x1xf32>
      %341 = tt.broadcast %332 : tensor<1x64xf32> -> tensor<64x64xf32>
      %342 = tt.broadcast %340 : tensor<64x1xf32> -> tensor<64x64xf32>
      %343 = arith.subf %341, %342 : tensor<64x64xf32>
      %344 = tt.splat %217 : f32 -> tensor<64x64xf32>
      %345 = arith.mulf %343, %344 : tensor<64x64xf32>
      %346 = tt.splat %220 : f32 -> tensor<64x64xf32>
      %347 = math.fma %322, %346, %345 : tensor<64x64xf32>
      %351 = "tt.reduce"(%347) <{axis = 1 : i32}> ({
      ^bb0(%348: f32, %349: f32):
        %350 = arith.maxnumf %348, %349 : f32
        tt.reduce.return %350 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %352 = tt.splat %191 : f32 -> tensor<64xf32>
      %353 = arith.mulf %351, %352 : tensor<64xf32>
      %354 = arith.maxnumf %283, %353 : tensor<64xf32>
      %355 = tt.expand_dims %354 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %356 = tt.broadcast %355 : tensor<64x1xf32> -> tensor<64x64xf32>
      %357 = arith.subf %347, %356 : tensor<64x64xf32>
      %358 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %357 : tensor<64x64xf32> -> tensor<64x64xf32>
      %359 = arith.subf %283, %354 : tensor<64xf32>
      %360 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %359 : tensor<64xf32> -> tensor<64xf32>
      %361 = arith.mulf %284, %360 : tensor<64xf32>
      %365 = "tt.reduce"(%358) <{axis = 1 : i32}> ({
      ^bb0(%362: f32, %363: f32):
        %364 = arith.addf %362, %363 : f32
        tt.reduce.return %364 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %366 = arith.addf %361, %365 : tensor<64xf32>
      %367 = arith.truncf %358 : tensor<64x64xf32> to tensor<64x64xbf16>
      %368 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %369 = tt.expand_dims %368 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %370 = arith.muli %282, %26 : i32
      %371 = tt.addptr %100, %370 : !tt.ptr<bf16>, i32
      %372 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %373 = tt.splat %61 : i32 -> tensor<64xi32>
      %374 = arith.addi %372, %373 : tensor<64xi32>
      %375 = tt.expand_dims %374 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %376 = tt.splat %26 : i32 -> tensor<64x1xi32>
      %377 = arith.muli %369, %376 : tensor<64x1xi32>
      %378 = tt.broadcast %377 : tensor<64x1xi32> -> tensor<64x64xi32>
      %379 = tt.broadcast %375 : tensor<1x64xi32> -> tensor<64x64xi32>
      %380 = arith.addi %378, %379 : tensor<64x64xi32>
      %381 = tt.splat %371 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %382 = tt.addptr %381, %380 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %383 = tt.load %382 : tensor<64x64x!tt.ptr<bf16>>
      %384 = tt.expand_dims %360 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %385 = tt.broadcast %384 : tensor<64x1xf32> -> tensor<64x64xf32>
      %386 = arith.mulf %285, %385 : tensor<64x64xf32>
      %387 = tt.dot %367, %383, %386, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %354, %366, %387 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %519:3 = scf.for %391 = %96 to %87 step %26 iter_args(%392 = %388#0, %393 = %388#1, %394 = %388#2) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) : i32 {
      %395 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %396 = tt.splat %391 : i32 -> tensor<64xi32>
      %397 = arith.addi %396, %395 : tensor<64xi32>
      %398 = tt.expand_dims %397 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %399 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %400 = tt.expand_dims %399 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %401 = tt.splat %391 : i32 -> tensor<64x1xi32>
      %402 = arith.addi %401, %400 : tensor<64x1xi32>
      %403 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %404 = arith.cmpi slt, %402, %403 : tensor<64x1xi32>
      %405 = arith.muli %391, %26 : i32
      %406 = tt.addptr %98, %405 : !tt.ptr<bf16>, i32
      %407 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %408 = tt.splat %61 : i32 -> tensor<64xi32>
      %409 = arith.addi %407, %408 : tensor<64xi32>
      %410 = tt.expand_dims %409 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %411 = tt.splat %26 : i32 -> tensor<64x1xi32>
      %412 = arith.muli %400, %411 : tensor<64x1xi32>
      %413 = tt.broadcast %412 : tensor<64x1xi32> -> tensor<64x64xi32>
      %414 = tt.broadcast %410 : tensor<1x64xi32> -> tensor<64x64xi32>
      %415 = arith.addi %413, %414 : tensor<64x64xi32>
      %416 = tt.splat %406 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %417 = tt.addptr %416, %415 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %418 = tt.trans %417 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %419 = tt.broadcast %404 : tensor<64x1xi1> -> tensor<64x64xi1>
      %420 = tt.trans %419 {order = array<i32: 1, 0>} : tensor<64x64xi1> -> tensor<64x64xi1>
      %421 = tt.splat %124 : bf16 -> tensor<64x64xbf16>
      %422 = tt.load %418, %420, %421 : tensor<64x64x!tt.ptr<bf16>>
      %423 = tt.dot %126, %422, %141, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %424 = tt.splat %18 : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>>
      %425 = tt.addptr %424, %398 : tensor<1x64x!tt.ptr<i32>>, tensor<1x64xi32>
      %426 = tt.splat %36 : i32 -> tensor<1x64xi32>
      %427 = arith.cmpi slt, %398, %426 : tensor<1x64xi32>
      %428 = tt.splat %61 : i32 -> tensor<1x64xi32>
      %429 = tt.load %425, %427, %428 : tensor<1x64x!tt.ptr<i32>>
      %430 = tt.splat %182 : f32 -> tensor<64x64xf32>
      %431 = arith.mulf %423, %430 : tensor<64x64xf32>
      %432 = tt.splat %185 : f32 -> tensor<64x64xf32>
      %433 = arith.mulf %431, %432 : tensor<64x64xf32>
      %434 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %433 : tensor<64x64xf32> -> tensor<64x64xf32>
      %435 = tt.splat %191 : f32 -> tensor<64x64xf32>
      %436 = arith.addf %434, %435 : tensor<64x64xf32>
      %437 = arith.divf %190, %436 : tensor<64x64xf32>
      %438 = arith.subf %189, %437 : tensor<64x64xf32>
      %439 = arith.truncf %138 : f32 to bf16
      %440 = arith.extf %439 : bf16 to f32
      %441 = arith.subi %398, %429 : tensor<1x64xi32>
      %442 = arith.sitofp %441 : tensor<1x64xi32> to tensor<1x64xf32>
      %443 = arith.truncf %442 : tensor<1x64xf32> to tensor<1x64xbf16>
      %444 = arith.extf %443 : tensor<1x64xbf16> to tensor<1x64xf32>
      %445 = tt.splat %440 : f32 -> tensor<1x64xf32>
      %446 = arith.mulf %445, %444 : tensor<1x64xf32>
      %447 = arith.truncf %446 : tensor<1x64xf32> to tensor<1x64xbf16>
      %448 = arith.extf %447 : tensor<1x64xbf16> to tensor<1x64xf32>
      %449 = arith.subi %130, %136 : tensor<64x1xi32>
      %450 = arith.sitofp %449 : tensor<64x1xi32> to tensor<64x1xf32>
      %451 = arith.truncf %450 : tensor<64x1xf32> to tensor<64x1xbf16>
      %452 = arith.extf %451 : tensor<64x1xbf16> to tensor<64x1xf32>
      %453 = tt.splat %440 : f32 -> tensor<64x1xf32>
      %454 = arith.mulf %453, %452 : tensor<64x1xf32>
      %455 = arith.truncf %454 : tensor<64x1xf32> to tensor<64x1xbf16>
      %456 = arith.extf %455 : tensor<64x1xbf16> to tensor<64x1xf32>
      %457 = tt.broadcast %448 : tensor<1x64xf32> -> tensor<64x64xf32>
      %458 = tt.broadcast %456 : tensor<64x1xf32> -> tensor<64x64xf32>
      %459 = arith.subf %457, %458 : tensor<64x64xf32>
      %460 = tt.splat %217 : f32 -> tensor<64x64xf32>
      %461 = arith.mulf %459, %460 : tensor<64x64xf32>
      %462 = tt.splat %220 : f32 -> tensor<64x64xf32>
      %463 = math.fma %438, %462, %461 : tensor<64x64xf32>
      %464 = tt.broadcast %398 : tensor<1x64xi32> -> tensor<64x64xi32>
      %465 = tt.broadcast %42 : tensor<64x1xi32> -> tensor<64x64xi32>
      %466 = arith.cmpi sge, %464, %465 : tensor<64x64xi32>
      %467 = tt.broadcast %398 : tensor<1x64xi32> -> tensor<64x64xi32>
      %468 = tt.broadcast %81 : tensor<64x1xi32> -> tensor<64x64xi32>
      %469 = arith.cmpi slt, %467, %468 : tensor<64x64xi32>
      %470 = arith.andi %466, %469 : tensor<64x64xi1>
      %471 = tt.splat %230 : f32 -> tensor<64x64xf32>
      %472 = arith.select %470, %463, %471 : tensor<64x64xi1>, tensor<64x64xf32>
      %476 = "tt.reduce"(%472) <{axis = 1 : i32}> ({
      ^bb0(%473: f32, %474: f32):
        %475 = arith.maxnumf %473, %474 : f32
        tt.reduce.return %475 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %477 = tt.splat %191 : f32 -> tensor<64xf32>
      %478 = arith.mulf %476, %477 : tensor<64xf32>
      %479 = arith.maxnumf %392, %478 : tensor<64xf32>
      %480 = tt.expand_dims %479 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %481 = tt.broadcast %480 : tensor<64x1xf32> -> tensor<64x64xf32>
      %482 = arith.subf %472, %481 : tensor<64x64xf32>
      %483 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %482 : tensor<64x64xf32> -> tensor<64x64xf32>
      %484 = arith.subf %392, %479 : tensor<64xf32>
      %485 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %484 : tensor<64xf32> -> tensor<64xf32>
      %486 = arith.mulf %393, %485 : tensor<64xf32>
      %490 = "tt.reduce"(%483) <{axis = 1 : i32}> ({
      ^bb0(%487: f32, %488: f32):
        %489 = arith.addf %487, %488 : f32
        tt.reduce.return %489 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %491 = arith.addf %486, %490 : tensor<64xf32>
      %492 = arith.truncf %483 : tensor<64x64xf32> to tensor<64x64xbf16>
      %493 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %494 = tt.expand_dims %493 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %495 = tt.splat %391 : i32 -> tensor<64x1xi32>
      %496 = arith.addi %495, %494 : tensor<64x1xi32>
      %497 = tt.splat %36 : i32 -> tensor<64x1xi32>
      %498 = arith.cmpi slt, %496, %497 : tensor<64x1xi32>
      %499 = arith.muli %391, %26 : i32
      %500 = tt.addptr %100, %499 : !tt.ptr<bf16>, i32
      %501 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %502 = tt.splat %61 : i32 -> tensor<64xi32>
      %503 = arith.addi %501, %502 : tensor<64xi32>
      %504 = tt.expand_dims %503 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %505 = tt.splat %26 : i32 -> tensor<64x1xi32>
      %506 = arith.muli %494, %505 : tensor<64x1xi32>
      %507 = tt.broadcast %506 : tensor<64x1xi32> -> tensor<64x64xi32>
      %508 = tt.broadcast %504 : tensor<1x64xi32> -> tensor<64x64xi32>
      %509 = arith.addi %507, %508 : tensor<64x64xi32>
      %510 = tt.splat %500 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %511 = tt.addptr %510, %509 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %512 = tt.broadcast %498 : tensor<64x1xi1> -> tensor<64x64xi1>
      %513 = tt.splat %124 : bf16 -> tensor<64x64xbf16>
      %514 = tt.load %511, %512, %513 : tensor<64x64x!tt.ptr<bf16>>
      %515 = tt.expand_dims %485 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %516 = tt.broadcast %515 : tensor<64x1xf32> -> tensor<64x64xf32>
      %517 = arith.mulf %394, %516 : tensor<64x64xf32>
      %518 = tt.dot %492, %514, %517, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %479, %491, %518 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %522 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %523 = tt.splat %27 : i32 -> tensor<64xi32>
    %524 = arith.addi %523, %522 : tensor<64xi32>
    %525 = math.log2 %519#1 : tensor<64xf32>
    %526 = arith.addf %519#0, %525 : tensor<64xf32>
    %528 = tt.splat %527 : f32 -> tensor<64xf32>
    %529 = arith.mulf %526, %528 : tensor<64xf32>
    %531 = tt.splat %530 : f32 -> tensor<64xf32>
    %532 = arith.cmpf olt, %519#0, %531 : tensor<64xf32>
    %533 = arith.select %532, %140, %529 : tensor<64xi1>, tensor<64xf32>
    %535 = arith.divf %534, %519#1 : tensor<64xf32>
    %536 = arith.select %532, %140, %535 : tensor<64xi1>, tensor<64xf32>
    %537 = tt.expand_dims %536 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %538 = tt.broadcast %537 : tensor<64x1xf32> -> tensor<64x64xf32>
    %539 = arith.mulf %519#2, %538 : tensor<64x64xf32>
    %540 = arith.muli %7, %10 : i64
    %541 = tt.addptr %out, %540 : !tt.ptr<bf16>, i64
    %542 = arith.muli %22, %26 : i32
    %543 = tt.addptr %541, %542 : !tt.ptr<bf16>, i32
    %544 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %545 = tt.expand_dims %544 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %546 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %547 = arith.addi %546, %545 : tensor<64x1xi32>
    %548 = tt.splat %36 : i32 -> tensor<64x1xi32>
    %549 = arith.cmpi slt, %547, %548 : tensor<64x1xi32>
    %550 = arith.muli %27, %109 : i32
    %551 = tt.addptr %543, %550 : !tt.ptr<bf16>, i32
    %552 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %553 = tt.splat %61 : i32 -> tensor<64xi32>
    %554 = arith.addi %552, %553 : tensor<64xi32>
    %555 = tt.expand_dims %554 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %556 = tt.splat %109 : i32 -> tensor<64x1xi32>
    %557 = arith.muli %545, %556 : tensor<64x1xi32>
    %558 = tt.broadcast %557 : tensor<64x1xi32> -> tensor<64x64xi32>
    %559 = tt.broadcast %555 : tensor<1x64xi32> -> tensor<64x64xi32>
    %560 = arith.addi %558, %559 : tensor<64x64xi32>
    %561 = tt.splat %551 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %562 = tt.addptr %561, %560 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %563 = arith.truncf %539 : tensor<64x64xf32> to tensor<64x64xbf16>
    %564 = tt.broadcast %549 : tensor<64x1xi1> -> tensor<64x64xi1>
    tt.store %562, %563, %564 : tensor<64x64x!tt.ptr<bf16>>
    %566 = arith.muli %7, %565 : i64
    %567 = arith.extsi %22 : i32 to i64
    %568 = arith.addi %566, %567 : i64
    %569 = arith.muli %568, %8 : i64
    %570 = tt.addptr %rows, %569 : !tt.ptr<f32>, i64
    %571 = tt.splat %570 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %572 = tt.addptr %571, %524 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %573 = tt.splat %36 : i32 -> tensor<64xi32>
    %574 = arith.cmpi slt, %524, %573 : tensor<64xi32>
    tt.store %572, %533, %574 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
