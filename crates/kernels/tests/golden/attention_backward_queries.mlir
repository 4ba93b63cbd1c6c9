module {
  tt.func public @attention_backward_queries(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ct: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dq: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %means: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 128 : i64
    %7 = arith.constant 16384 : i64
    %21 = arith.constant 1 : i32
    %23 = arith.constant 64 : i32
    %29 = arith.constant 63 : i32
    %31 = arith.constant 128 : i32
    %38 = arith.constant 0 : i32
    %118 = arith.constant 2 : i64
    %126 = arith.constant 0.0e0 : f32
    %129 = arith.constant 1.442695e0 : f32
    %147 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %174 = arith.constant 1.8033688e-1 : f32
    %261 = arith.constant 1.25e-1 : f32
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
    %22 = arith.subi %21, %20 : i32
    %24 = arith.muli %22, %23 : i32
    %25 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %26 = tt.splat %24 : i32 -> tensor<64xi32>
    %27 = arith.addi %26, %25 : tensor<64xi32>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %30 = arith.addi %24, %29 : i32
    %32 = tt.splat %31 : i32 -> tensor<64x1xi32>
    %33 = arith.cmpi slt, %28, %32 : tensor<64x1xi32>
    %34 = tt.splat %21 : i32 -> tensor<64x1xi32>
    %35 = arith.addi %28, %34 : tensor<64x1xi32>
    %36 = arith.addi %24, %21 : i32
    %37 = arith.addi %30, %21 : i32
    %39 = arith.minsi %36, %31 : i32
    %40 = arith.minsi %37, %31 : i32
    %41 = arith.addi %38, %29 : i32
    %42 = arith.divsi %41, %23 : i32
    %43 = arith.muli %42, %23 : i32
    %44 = arith.maxsi %39, %38 : i32
    %45 = arith.divsi %44, %23 : i32
    %46 = arith.muli %45, %23 : i32
    %47 = arith.divsi %38, %23 : i32
    %48 = arith.muli %47, %23 : i32
    %49 = arith.maxsi %46, %43 : i32
    %50 = arith.muli %19, %23 : i32
    %51 = tt.addptr %11, %50 : !tt.ptr<bf16>, i32
    %52 = arith.muli %19, %23 : i32
    %53 = tt.addptr %13, %52 : !tt.ptr<bf16>, i32
    %54 = arith.muli %4, %7 : i64
    %55 = tt.addptr %ct, %54 : !tt.ptr<bf16>, i64
    %56 = arith.muli %4, %7 : i64
    %57 = tt.addptr %out, %56 : !tt.ptr<bf16>, i64
    %58 = arith.muli %19, %23 : i32
    %59 = tt.addptr %9, %58 : !tt.ptr<bf16>, i32
    %60 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %61 = tt.expand_dims %60 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %62 = arith.muli %24, %31 : i32
    %63 = tt.addptr %59, %62 : !tt.ptr<bf16>, i32
    %64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %65 = tt.splat %38 : i32 -> tensor<64xi32>
    %66 = arith.addi %64, %65 : tensor<64xi32>
    %67 = tt.expand_dims %66 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %68 = tt.splat %31 : i32 -> tensor<64x1xi32>
    %69 = arith.muli %61, %68 : tensor<64x1xi32>
    %70 = tt.broadcast %69 : tensor<64x1xi32> -> tensor<64x64xi32>
    %71 = tt.broadcast %67 : tensor<1x64xi32> -> tensor<64x64xi32>
    %72 = arith.addi %70, %71 : tensor<64x64xi32>
    %73 = tt.splat %63 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %74 = tt.addptr %73, %72 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %75 = tt.load %74 : tensor<64x64x!tt.ptr<bf16>>
    %76 = arith.muli %19, %23 : i32
    %77 = tt.addptr %55, %76 : !tt.ptr<bf16>, i32
    %78 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %79 = tt.expand_dims %78 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %80 = arith.muli %24, %31 : i32
    %81 = tt.addptr %77, %80 : !tt.ptr<bf16>, i32
    %82 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %83 = tt.splat %38 : i32 -> tensor<64xi32>
    %84 = arith.addi %82, %83 : tensor<64xi32>
    %85 = tt.expand_dims %84 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %86 = tt.splat %31 : i32 -> tensor<64x1xi32>
    %87 = arith.muli %79, %86 : tensor<64x1xi32>
    %88 = tt.broadcast %87 : tensor<64x1xi32> -> tensor<64x64xi32>
    %89 = tt.broadcast %85 : tensor<1x64xi32> -> tensor<64x64xi32>
    %90 = arith.addi %88, %89 : tensor<64x64xi32>
    %91 = tt.splat %81 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %92 = tt.addptr %91, %90 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %93 = tt.load %92 : tensor<64x64x!tt.ptr<bf16>>
    %94 = arith.muli %19, %23 : i32
    %95 = tt.addptr %57, %94 : !tt.ptr<bf16>, i32
    %96 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %97 = tt.expand_dims %96 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %98 = arith.muli %24, %31 : i32
    %99 = tt.addptr %95, %98 : !tt.ptr<bf16>, i32
    %100 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %101 = tt.splat %38 : i32 -> tensor<64xi32>
    %102 = arith.addi %100, %101 : tensor<64xi32>
    %103 = tt.expand_dims %102 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %104 = tt.splat %31 : i32 -> tensor<64x1xi32>
    %105 = arith.muli %97, %104 : tensor<64x1xi32>
    %106 = tt.broadcast %105 : tensor<64x1xi32> -> tensor<64x64xi32>
    %107 = tt.broadcast %103 : tensor<1x64xi32> -> tensor<64x64xi32>
    %108 = arith.addi %106, %107 : tensor<64x64xi32>
    %109 = tt.splat %99 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %110 = tt.addptr %109, %108 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %111 = tt.load %110 : tensor<64x64x!tt.ptr<bf16>>
    %112 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %113 = tt.splat %24 : i32 -> tensor<64xi32>
    %114 = arith.addi %113, %112 : tensor<64xi32>
    %115 = tt.expand_dims %114 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %116 = tt.splat %31 : i32 -> tensor<64x1xi32>
    %117 = arith.cmpi slt, %115, %116 : tensor<64x1xi32>
    %119 = arith.muli %4, %118 : i64
    %120 = arith.extsi %19 : i32 to i64
    %121 = arith.addi %119, %120 : i64
    %122 = arith.muli %121, %5 : i64
    %123 = tt.addptr %rows, %122 : !tt.ptr<f32>, i64
    %124 = tt.splat %123 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %125 = tt.addptr %124, %115 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %127 = tt.splat %126 : f32 -> tensor<64x1xf32>
    %128 = tt.load %125, %117, %127 : tensor<64x1x!tt.ptr<f32>>
    %130 = tt.splat %129 : f32 -> tensor<64x1xf32>
    %131 = arith.mulf %128, %130 : tensor<64x1xf32>
    %132 = arith.extf %93 : tensor<64x64xbf16> to tensor<64x64xf32>
    %133 = arith.extf %111 : tensor<64x64xbf16> to tensor<64x64xf32>
    %134 = arith.mulf %132, %133 : tensor<64x64xf32>
    %138 = "tt.reduce"(%134) <{axis = 1 : i32}> ({
    ^bb0(%135: f32, %136: f32):
      %137 = arith.addf %135, %136 : f32
      tt.reduce.return %137 : f32
    }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
    %139 = tt.expand_dims %138 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %140 = arith.muli %4, %118 : i64
    %141 = arith.extsi %19 : i32 to i64
    %142 = arith.addi %140, %141 : i64
    %143 = arith.muli %142, %5 : i64
    %144 = tt.addptr %means, %143 : !tt.ptr<f32>, i64
    %145 = tt.splat %144 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %146 = tt.addptr %145, %115 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    tt.store %146, %139, %117 : tensor<64x1x!tt.ptr<f32>>
    %148 = arith.minsi %43, %40 : i32
    %202 = scf.for %149 = %43 to %49 step %23 iter_args(%150 = %147) -> (tensor<64x64xf32>) : i32 {
      %151 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %152 = tt.splat %149 : i32 -> tensor<64xi32>
      %153 = arith.addi %152, %151 : tensor<64xi32>
      %154 = tt.expand_dims %153 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %155 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %156 = tt.expand_dims %155 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %157 = arith.muli %149, %31 : i32
      %158 = tt.addptr %51, %157 : !tt.ptr<bf16>, i32
      %159 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %160 = tt.splat %38 : i32 -> tensor<64xi32>
      %161 = arith.addi %159, %160 : tensor<64xi32>
      %162 = tt.expand_dims %161 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %163 = tt.splat %31 : i32 -> tensor<64x1xi32>
      %164 = arith.muli %156, %163 : tensor<64x1xi32>
      %165 = tt.broadcast %164 : tensor<64x1xi32> -> tensor<64x64xi32>
      %166 = tt.broadcast %162 : tensor<1x64xi32> -> tensor<64x64xi32>
      %167 = arith.addi %165, %166 : tensor<64x64xi32>
      %168 = tt.splat %158 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %169 = tt.addptr %168, %167 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %170 = tt.load %169 : tensor<64x64x!tt.ptr<bf16>>
      %171 = tt.trans %170 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %172 = tt.dot %75, %171, %147, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %173 = arith.negf %131 : tensor<64x1xf32>
      %175 = tt.splat %174 : f32 -> tensor<64x64xf32>
      %176 = tt.broadcast %173 : tensor<64x1xf32> -> tensor<64x64xf32>
      %177 = math.fma %172, %175, %176 : tensor<64x64xf32>
      %178 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %177 : tensor<64x64xf32> -> tensor<64x64xf32>
      %179 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %180 = tt.expand_dims %179 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %181 = arith.muli %149, %31 : i32
      %182 = tt.addptr %53, %181 : !tt.ptr<bf16>, i32
      %183 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %184 = tt.splat %38 : i32 -> tensor<64xi32>
      %185 = arith.addi %183, %184 : tensor<64xi32>
      %186 = tt.expand_dims %185 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %187 = tt.splat %31 : i32 -> tensor<64x1xi32>
      %188 = arith.muli %180, %187 : tensor<64x1xi32>
      %189 = tt.broadcast %188 : tensor<64x1xi32> -> tensor<64x64xi32>
      %190 = tt.broadcast %186 : tensor<1x64xi32> -> tensor<64x64xi32>
      %191 = arith.addi %189, %190 : tensor<64x64xi32>
      %192 = tt.splat %182 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %193 = tt.addptr %192, %191 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %194 = tt.trans %193 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %195 = tt.load %194 : tensor<64x64x!tt.ptr<bf16>>
      %196 = tt.dot %93, %195, %147, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %197 = tt.broadcast %139 : tensor<64x1xf32> -> tensor<64x64xf32>
      %198 = arith.subf %196, %197 : tensor<64x64xf32>
      %199 = arith.mulf %178, %198 : tensor<64x64xf32>
      %200 = arith.truncf %199 : tensor<64x64xf32> to tensor<64x64xbf16>
      %201 = tt.dot %200, %170, %150, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %201 : tensor<64x64xf32>
    }
    %260 = scf.for %203 = %49 to %40 step %23 iter_args(%204 = %202) -> (tensor<64x64xf32>) : i32 {
      %205 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %206 = tt.splat %203 : i32 -> tensor<64xi32>
      %207 = arith.addi %206, %205 : tensor<64xi32>
      %208 = tt.expand_dims %207 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %209 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %210 = tt.expand_dims %209 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %211 = arith.muli %203, %31 : i32
      %212 = tt.addptr %51, %211 : !tt.ptr<bf16>, i32
      %213 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %214 = tt.splat %38 : i32 -> tensor<64xi32>
      %215 = arith.addi %213, %214 : tensor<64xi32>
      %216 = tt.expand_dims %215 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %217 = tt.splat %31 : i32 -> tensor<64x1xi32>
      %218 = arith.muli %210, %217 : tensor<64x1xi32>
      %219 = tt.broadcast %218 : tensor<64x1xi32> -> tensor<64x64xi32>
      %220 = tt.broadcast %216 : tensor<1x64xi32> -> tensor<64x64xi32>
      %221 = arith.addi %219, %220 : tensor<64x64xi32>
      %222 = tt.splat %212 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %223 = tt.addptr %222, %221 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %224 = tt.load %223 : tensor<64x64x!tt.ptr<bf16>>
      %225 = tt.trans %224 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %226 = tt.dot %75, %225, %147, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %227 = arith.negf %131 : tensor<64x1xf32>
      %228 = tt.splat %174 : f32 -> tensor<64x64xf32>
      %229 = tt.broadcast %227 : tensor<64x1xf32> -> tensor<64x64xf32>
      %230 = math.fma %226, %228, %229 : tensor<64x64xf32>
      %231 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %230 : tensor<64x64xf32> -> tensor<64x64xf32>
      %232 = tt.broadcast %208 : tensor<1x64xi32> -> tensor<64x64xi32>
      %233 = tt.broadcast %35 : tensor<64x1xi32> -> tensor<64x64xi32>
      %234 = arith.cmpi slt, %232, %233 : tensor<64x64xi32>
      %235 = tt.splat %126 : f32 -> tensor<64x64xf32>
      %236 = arith.select %234, %231, %235 : tensor<64x64xi1>, tensor<64x64xf32>
      %237 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %238 = tt.expand_dims %237 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %239 = arith.muli %203, %31 : i32
      %240 = tt.addptr %53, %239 : !tt.ptr<bf16>, i32
      %241 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %242 = tt.splat %38 : i32 -> tensor<64xi32>
      %243 = arith.addi %241, %242 : tensor<64xi32>
      %244 = tt.expand_dims %243 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %245 = tt.splat %31 : i32 -> tensor<64x1xi32>
      %246 = arith.muli %238, %245 : tensor<64x1xi32>
      %247 = tt.broadcast %246 : tensor<64x1xi32> -> tensor<64x64xi32>
      %248 = tt.broadcast %244 : tensor<1x64xi32> -> tensor<64x64xi32>
      %249 = arith.addi %247, %248 : tensor<64x64xi32>
      %250 = tt.splat %240 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %251 = tt.addptr %250, %249 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %252 = tt.trans %251 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %253 = tt.load %252 : tensor<64x64x!tt.ptr<bf16>>
      %254 = tt.dot %93, %253, %147, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %255 = tt.broadcast %139 : tensor<64x1xf32> -> tensor<64x64xf32>
      %256 = arith.subf %254, %255 : tensor<64x64xf32>
      %257 = arith.mulf %236, %256 : tensor<64x64xf32>
      %258 = arith.truncf %257 : tensor<64x64xf32> to tensor<64x64xbf16>
      %259 = tt.dot %258, %224, %204, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %259 : tensor<64x64xf32>
    }
    %262 = tt.splat %261 : f32 -> tensor<64x64xf32>
    %263 = arith.mulf %260, %262 : tensor<64x64xf32>
    %264 = arith.muli %4, %7 : i64
    %265 = tt.addptr %dq, %264 : !tt.ptr<bf16>, i64
    %266 = arith.muli %19, %23 : i32
    %267 = tt.addptr %265, %266 : !tt.ptr<bf16>, i32
    %268 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %269 = tt.expand_dims %268 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %270 = arith.muli %24, %31 : i32
    %271 = tt.addptr %267, %270 : !tt.ptr<bf16>, i32
    %272 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %273 = tt.splat %38 : i32 -> tensor<64xi32>
    %274 = arith.addi %272, %273 : tensor<64xi32>
    %275 = tt.expand_dims %274 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %276 = tt.splat %31 : i32 -> tensor<64x1xi32>
    %277 = arith.muli %269, %276 : tensor<64x1xi32>
    %278 = tt.broadcast %277 : tensor<64x1xi32> -> tensor<64x64xi32>
    %279 = tt.broadcast %275 : tensor<1x64xi32> -> tensor<64x64xi32>
    %280 = arith.addi %278, %279 : tensor<64x64xi32>
    %281 = tt.splat %271 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %282 = tt.addptr %281, %280 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %283 = arith.truncf %263 : tensor<64x64xf32> to tensor<64x64xbf16>
    tt.store %282, %283 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
