module {
  tt.func public @attention_backward_queries(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dq: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 128 : i64
    %7 = arith.constant 16384 : i64
    %19 = arith.constant 0 : i32
    %22 = arith.constant 128 : i32
    %29 = arith.constant 127 : i32
    %33 = arith.constant 1 : i32
    %40 = arith.constant 63 : i32
    %42 = arith.constant 64 : i32
    %119 = arith.constant 2 : i64
    %127 = arith.constant 0.0e0 : f32
    %130 = arith.constant 1.442695e0 : f32
    %148 = arith.constant dense<0.0e0> : tensor<128x64xf32>
    %175 = arith.constant 1.8033688e-1 : f32
    %262 = arith.constant 1.25e-1 : f32
    %3 = tt.get_program_id z : i32
    %4 = arith.extsi %3 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %8 = arith.muli %4, %7 : i64
    %9 = tt.addptr %q, %8 : !tt.ptr<bf16>, i64
    %10 = arith.muli %4, %7 : i64
    %11 = tt.addptr %k, %10 : !tt.ptr<bf16>, i64
    %12 = arith.muli %4, %7 : i64
    %13 = tt.addptr %v, %12 : !tt.ptr<bf16>, i64
    %20 = tt.get_program_id x : i32
    %21 = arith.subi %19, %20 : i32
    %23 = arith.muli %21, %22 : i32
    %24 = tt.get_program_id y : i32
    %25 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %26 = tt.splat %23 : i32 -> tensor<128xi32>
    %27 = arith.addi %26, %25 : tensor<128xi32>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %30 = arith.addi %23, %29 : i32
    %31 = tt.splat %22 : i32 -> tensor<128x1xi32>
    %32 = arith.cmpi slt, %28, %31 : tensor<128x1xi32>
    %34 = tt.splat %33 : i32 -> tensor<128x1xi32>
    %35 = arith.addi %28, %34 : tensor<128x1xi32>
    %36 = arith.addi %23, %33 : i32
    %37 = arith.addi %30, %33 : i32
    %38 = arith.minsi %36, %22 : i32
    %39 = arith.minsi %37, %22 : i32
    %41 = arith.addi %19, %40 : i32
    %43 = arith.divsi %41, %42 : i32
    %44 = arith.muli %43, %42 : i32
    %45 = arith.maxsi %38, %19 : i32
    %46 = arith.divsi %45, %42 : i32
    %47 = arith.muli %46, %42 : i32
    %48 = arith.divsi %19, %42 : i32
    %49 = arith.muli %48, %42 : i32
    %50 = arith.maxsi %47, %44 : i32
    %51 = arith.muli %24, %42 : i32
    %52 = tt.addptr %11, %51 : !tt.ptr<bf16>, i32
    %53 = arith.muli %24, %42 : i32
    %54 = tt.addptr %13, %53 : !tt.ptr<bf16>, i32
    %55 = arith.muli %4, %7 : i64
    %56 = tt.addptr %ct, %55 : !tt.ptr<bf16>, i64
    %57 = arith.muli %4, %7 : i64
    %58 = tt.addptr %out, %57 : !tt.ptr<bf16>, i64
    %59 = arith.muli %24, %42 : i32
    %60 = tt.addptr %9, %59 : !tt.ptr<bf16>, i32
    %61 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %62 = tt.expand_dims %61 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %63 = arith.muli %23, %22 : i32
    %64 = tt.addptr %60, %63 : !tt.ptr<bf16>, i32
    %65 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %66 = tt.splat %19 : i32 -> tensor<64xi32>
    %67 = arith.addi %65, %66 : tensor<64xi32>
    %68 = tt.expand_dims %67 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %69 = tt.splat %22 : i32 -> tensor<128x1xi32>
    %70 = arith.muli %62, %69 : tensor<128x1xi32>
    %71 = tt.broadcast %70 : tensor<128x1xi32> -> tensor<128x64xi32>
    %72 = tt.broadcast %68 : tensor<1x64xi32> -> tensor<128x64xi32>
    %73 = arith.addi %71, %72 : tensor<128x64xi32>
    %74 = tt.splat %64 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %75 = tt.addptr %74, %73 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %76 = tt.load %75 : tensor<128x64x!tt.ptr<bf16>>
    %77 = arith.muli %24, %42 : i32
    %78 = tt.addptr %56, %77 : !tt.ptr<bf16>, i32
    %79 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %80 = tt.expand_dims %79 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %81 = arith.muli %23, %22 : i32
    %82 = tt.addptr %78, %81 : !tt.ptr<bf16>, i32
    %83 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %84 = tt.splat %19 : i32 -> tensor<64xi32>
    %85 = arith.addi %83, %84 : tensor<64xi32>
    %86 = tt.expand_dims %85 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %87 = tt.splat %22 : i32 -> tensor<128x1xi32>
    %88 = arith.muli %80, %87 : tensor<128x1xi32>
    %89 = tt.broadcast %88 : tensor<128x1xi32> -> tensor<128x64xi32>
    %90 = tt.broadcast %86 : tensor<1x64xi32> -> tensor<128x64xi32>
    %91 = arith.addi %89, %90 : tensor<128x64xi32>
    %92 = tt.splat %82 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %93 = tt.addptr %92, %91 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %94 = tt.load %93 : tensor<128x64x!tt.ptr<bf16>>
    %95 = arith.muli %24, %42 : i32
    %96 = tt.addptr %58, %95 : !tt.ptr<bf16>, i32
    %97 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %99 = arith.muli %23, %22 : i32
    %100 = tt.addptr %96, %99 : !tt.ptr<bf16>, i32
    %101 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %102 = tt.splat %19 : i32 -> tensor<64xi32>
    %103 = arith.addi %101, %102 : tensor<64xi32>
    %104 = tt.expand_dims %103 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %105 = tt.splat %22 : i32 -> tensor<128x1xi32>
    %106 = arith.muli %98, %105 : tensor<128x1xi32>
    %107 = tt.broadcast %106 : tensor<128x1xi32> -> tensor<128x64xi32>
    %108 = tt.broadcast %104 : tensor<1x64xi32> -> tensor<128x64xi32>
    %109 = arith.addi %107, %108 : tensor<128x64xi32>
    %110 = tt.splat %100 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %111 = tt.addptr %110, %109 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %112 = tt.load %111 : tensor<128x64x!tt.ptr<bf16>>
    %113 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %114 = tt.splat %23 : i32 -> tensor<128xi32>
    %115 = arith.addi %114, %113 : tensor<128xi32>
    %116 = tt.expand_dims %115 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %117 = tt.splat %22 : i32 -> tensor<128x1xi32>
    %118 = arith.cmpi slt, %116, %117 : tensor<128x1xi32>
    %120 = arith.muli %4, %119 : i64
    %121 = arith.extsi %24 : i32 to i64
    %122 = arith.addi %120, %121 : i64
    %123 = arith.muli %122, %5 : i64
    %124 = tt.addptr %rows, %123 : !tt.ptr<f32>, i64
    %125 = tt.splat %124 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %126 = tt.addptr %125, %116 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %128 = tt.splat %127 : f32 -> tensor<128x1xf32>
    %129 = tt.load %126, %118, %128 : tensor<128x1x!tt.ptr<f32>>
    %131 = tt.splat %130 : f32 -> tensor<128x1xf32>
    %132 = arith.mulf %129, %131 : tensor<128x1xf32>
    %133 = arith.extf %94 : tensor<128x64xbf16> to tensor<128x64xf32>
    %134 = arith.extf %112 : tensor<128x64xbf16> to tensor<128x64xf32>
    %135 = arith.mulf %133, %134 : tensor<128x64xf32>
    %139 = "tt.reduce"(%135) <{axis = 1 : i32}> ({
    ^bb0(%136: f32, %137: f32):
      %138 = arith.addf %136, %137 : f32
      tt.reduce.return %138 : f32
    }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
    %140 = tt.expand_dims %139 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %141 = arith.muli %4, %119 : i64
    %142 = arith.extsi %24 : i32 to i64
    %143 = arith.addi %141, %142 : i64
    %144 = arith.muli %143, %5 : i64
    %145 = tt.addptr %means, %144 : !tt.ptr<f32>, i64
    %146 = tt.splat %145 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %147 = tt.addptr %146, %116 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    tt.store %147, %140, %118 : tensor<128x1x!tt.ptr<f32>>
    %149 = arith.minsi %44, %39 : i32
    %203 = scf.for %150 = %44 to %50 step %42 iter_args(%151 = %148) -> (tensor<128x64xf32>) : i32 {
      %152 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %153 = tt.splat %150 : i32 -> tensor<64xi32>
      %154 = arith.addi %153, %152 : tensor<64xi32>
      %155 = tt.expand_dims %154 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %156 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %157 = tt.expand_dims %156 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %158 = arith.muli %150, %22 : i32
      %159 = tt.addptr %52, %158 : !tt.ptr<bf16>, i32
      %160 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %161 = tt.splat %19 : i32 -> tensor<64xi32>
      %162 = arith.addi %160, %161 : tensor<64xi32>
      %163 = tt.expand_dims %162 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %164 = tt.splat %22 : i32 -> tensor<64x1xi32>
      %165 = arith.muli %157, %164 : tensor<64x1xi32>
      %166 = tt.broadcast %165 : tensor<64x1xi32> -> tensor<64x64xi32>
      %167 = tt.broadcast %163 : tensor<1x64xi32> -> tensor<64x64xi32>
      %168 = arith.addi %166, %167 : tensor<64x64xi32>
      %169 = tt.splat %159 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %170 = tt.addptr %169, %168 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %171 = tt.load %170 : tensor<64x64x!tt.ptr<bf16>>
      %172 = tt.trans %171 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %173 = tt.dot %76, %172, %148, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %174 = arith.negf %132 : tensor<128x1xf32>
      %176 = tt.splat %175 : f32 -> tensor<128x64xf32>
      %177 = tt.broadcast %174 : tensor<128x1xf32> -> tensor<128x64xf32>
      %178 = math.fma %173, %176, %177 : tensor<128x64xf32>
      %179 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %178 : tensor<128x64xf32> -> tensor<128x64xf32>
      %180 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %181 = tt.expand_dims %180 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %182 = arith.muli %150, %22 : i32
      %183 = tt.addptr %54, %182 : !tt.ptr<bf16>, i32
      %184 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %185 = tt.splat %19 : i32 -> tensor<64xi32>
      %186 = arith.addi %184, %185 : tensor<64xi32>
      %187 = tt.expand_dims %186 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %188 = tt.splat %22 : i32 -> tensor<64x1xi32>
      %189 = arith.muli %181, %188 : tensor<64x1xi32>
      %190 = tt.broadcast %189 : tensor<64x1xi32> -> tensor<64x64xi32>
      %191 = tt.broadcast %187 : tensor<1x64xi32> -> tensor<64x64xi32>
      %192 = arith.addi %190, %191 : tensor<64x64xi32>
      %193 = tt.splat %183 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %194 = tt.addptr %193, %192 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %195 = tt.trans %194 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %196 = tt.load %195 : tensor<64x64x!tt.ptr<bf16>>
      %197 = tt.dot %94, %196, %148, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %198 = tt.broadcast %140 : tensor<128x1xf32> -> tensor<128x64xf32>
      %199 = arith.subf %197, %198 : tensor<128x64xf32>
      %200 = arith.mulf %179, %199 : tensor<128x64xf32>
      %201 = arith.truncf %200 : tensor<128x64xf32> to tensor<128x64xbf16>
      %202 = tt.dot %201, %171, %151, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      scf.yield %202 : tensor<128x64xf32>
    }
    %261 = scf.for %204 = %50 to %39 step %42 iter_args(%205 = %203) -> (tensor<128x64xf32>) : i32 {
      %206 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %207 = tt.splat %204 : i32 -> tensor<64xi32>
      %208 = arith.addi %207, %206 : tensor<64xi32>
      %209 = tt.expand_dims %208 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %210 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %211 = tt.expand_dims %210 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %212 = arith.muli %204, %22 : i32
      %213 = tt.addptr %52, %212 : !tt.ptr<bf16>, i32
      %214 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %215 = tt.splat %19 : i32 -> tensor<64xi32>
      %216 = arith.addi %214, %215 : tensor<64xi32>
      %217 = tt.expand_dims %216 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %218 = tt.splat %22 : i32 -> tensor<64x1xi32>
      %219 = arith.muli %211, %218 : tensor<64x1xi32>
      %220 = tt.broadcast %219 : tensor<64x1xi32> -> tensor<64x64xi32>
      %221 = tt.broadcast %217 : tensor<1x64xi32> -> tensor<64x64xi32>
      %222 = arith.addi %220, %221 : tensor<64x64xi32>
      %223 = tt.splat %213 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %224 = tt.addptr %223, %222 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %225 = tt.load %224 : tensor<64x64x!tt.ptr<bf16>>
      %226 = tt.trans %225 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %227 = tt.dot %76, %226, %148, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %228 = arith.negf %132 : tensor<128x1xf32>
      %229 = tt.splat %175 : f32 -> tensor<128x64xf32>
      %230 = tt.broadcast %228 : tensor<128x1xf32> -> tensor<128x64xf32>
      %231 = math.fma %227, %229, %230 : tensor<128x64xf32>
      %232 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %231 : tensor<128x64xf32> -> tensor<128x64xf32>
      %233 = tt.broadcast %209 : tensor<1x64xi32> -> tensor<128x64xi32>
      %234 = tt.broadcast %35 : tensor<128x1xi32> -> tensor<128x64xi32>
      %235 = arith.cmpi slt, %233, %234 : tensor<128x64xi32>
      %236 = tt.splat %127 : f32 -> tensor<128x64xf32>
      %237 = arith.select %235, %232, %236 : tensor<128x64xi1>, tensor<128x64xf32>
      %238 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %239 = tt.expand_dims %238 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %240 = arith.muli %204, %22 : i32
      %241 = tt.addptr %54, %240 : !tt.ptr<bf16>, i32
      %242 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %243 = tt.splat %19 : i32 -> tensor<64xi32>
      %244 = arith.addi %242, %243 : tensor<64xi32>
      %245 = tt.expand_dims %244 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %246 = tt.splat %22 : i32 -> tensor<64x1xi32>
      %247 = arith.muli %239, %246 : tensor<64x1xi32>
      %248 = tt.broadcast %247 : tensor<64x1xi32> -> tensor<64x64xi32>
      %249 = tt.broadcast %245 : tensor<1x64xi32> -> tensor<64x64xi32>
      %250 = arith.addi %248, %249 : tensor<64x64xi32>
      %251 = tt.splat %241 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %252 = tt.addptr %251, %250 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %253 = tt.trans %252 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %254 = tt.load %253 : tensor<64x64x!tt.ptr<bf16>>
      %255 = tt.dot %94, %254, %148, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %256 = tt.broadcast %140 : tensor<128x1xf32> -> tensor<128x64xf32>
      %257 = arith.subf %255, %256 : tensor<128x64xf32>
      %258 = arith.mulf %237, %257 : tensor<128x64xf32>
      %259 = arith.truncf %258 : tensor<128x64xf32> to tensor<128x64xbf16>
      %260 = tt.dot %259, %225, %205, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      scf.yield %260 : tensor<128x64xf32>
    }
    %263 = tt.splat %262 : f32 -> tensor<128x64xf32>
    %264 = arith.mulf %261, %263 : tensor<128x64xf32>
    %265 = arith.muli %4, %7 : i64
    %266 = tt.addptr %dq, %265 : !tt.ptr<bf16>, i64
    %267 = arith.muli %24, %42 : i32
    %268 = tt.addptr %266, %267 : !tt.ptr<bf16>, i32
    %269 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %270 = tt.expand_dims %269 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %271 = arith.muli %23, %22 : i32
    %272 = tt.addptr %268, %271 : !tt.ptr<bf16>, i32
    %273 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %274 = tt.splat %19 : i32 -> tensor<64xi32>
    %275 = arith.addi %273, %274 : tensor<64xi32>
    %276 = tt.expand_dims %275 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %277 = tt.splat %22 : i32 -> tensor<128x1xi32>
    %278 = arith.muli %270, %277 : tensor<128x1xi32>
    %279 = tt.broadcast %278 : tensor<128x1xi32> -> tensor<128x64xi32>
    %280 = tt.broadcast %276 : tensor<1x64xi32> -> tensor<128x64xi32>
    %281 = arith.addi %279, %280 : tensor<128x64xi32>
    %282 = tt.splat %272 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %283 = tt.addptr %282, %281 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %284 = arith.truncf %264 : tensor<128x64xf32> to tensor<128x64xbf16>
    tt.store %283, %284 : tensor<128x64x!tt.ptr<bf16>>
    tt.return
  }
}
