module {
  tt.func public @paged_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %start: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 160 : i32
    %16 = arith.constant 5 : i32
    %19 = arith.constant 0 : i32
    %23 = arith.constant 3 : i32
    %26 = arith.constant 7 : i32
    %35 = arith.constant 1 : i32
    %37 = arith.constant 100 : i32
    %40 = arith.constant 32 : i32
    %45 = arith.constant 95 : i32
    %47 = arith.constant 96 : i32
    %50 = arith.constant 64 : i32
    %62 = arith.constant 2 : i64
    %68 = arith.constant 3 : i64
    %76 = arith.constant 80 : i64
    %92 = arith.constant 0.0e0 : bf16
    %109 = arith.constant dense<-2.0e29> : tensor<8xf32>
    %110 = arith.constant dense<0.0e0> : tensor<8xf32>
    %111 = arith.constant dense<0.0e0> : tensor<64x8xf32>
    %112 = arith.constant dense<0.0e0> : tensor<16x8xf32>
    %132 = arith.constant 2560 : i64
    %142 = arith.constant 80 : i32
    %172 = arith.constant dense<0.0e0> : tensor<32x8xf32>
    %177 = arith.constant 8.333334e-3 : f32
    %180 = arith.constant 2.88539e0 : f32
    %184 = arith.constant dense<1.0e0> : tensor<32x8xf32>
    %185 = arith.constant dense<2.0e0> : tensor<32x8xf32>
    %186 = arith.constant 1.0e0 : f32
    %198 = arith.constant -2.3104905e28 : f32
    %206 = arith.constant 4.328085e1 : f32
    %275 = arith.constant 2 : i32
    %6 = tt.get_program_id x : i32
    %7 = tt.get_program_id y : i32
    %8 = tt.get_program_id z : i32
    %9 = tt.addptr %start, %8 : !tt.ptr<i32>, i32
    %10 = tt.load %9 : !tt.ptr<i32>
    %11 = tt.addptr %count, %8 : !tt.ptr<i32>, i32
    %12 = tt.load %11 : !tt.ptr<i32>
    %13 = arith.addi %10, %12 : i32
    %15 = arith.minsi %13, %14 : i32
    %17 = arith.muli %8, %16 : i32
    %18 = tt.addptr %table, %17 : !tt.ptr<i32>, i32
    %20 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %21 = tt.splat %19 : i32 -> tensor<8xi32>
    %22 = arith.addi %21, %20 : tensor<8xi32>
    %24 = tt.splat %23 : i32 -> tensor<8xi32>
    %25 = arith.cmpi slt, %22, %24 : tensor<8xi32>
    %27 = arith.addi %19, %26 : i32
    %28 = arith.divsi %19, %23 : i32
    %29 = arith.addi %10, %28 : i32
    %30 = arith.divsi %27, %23 : i32
    %31 = arith.addi %10, %30 : i32
    %32 = arith.subi %29, %10 : i32
    %33 = arith.cmpi slt, %32, %12 : i32
    %34 = arith.select %33, %15, %19 : i32
    %36 = arith.addi %29, %35 : i32
    %38 = arith.subi %36, %37 : i32
    %39 = arith.maxsi %38, %19 : i32
    %41 = arith.divsi %39, %40 : i32
    %42 = arith.muli %41, %40 : i32
    %43 = arith.subi %34, %42 : i32
    %44 = arith.maxsi %43, %19 : i32
    %46 = arith.addi %44, %45 : i32
    %48 = arith.divsi %46, %47 : i32
    %49 = arith.muli %48, %40 : i32
    %51 = arith.maxsi %49, %50 : i32
    %52 = arith.muli %6, %51 : i32
    %53 = arith.addi %42, %52 : i32
    %54 = arith.addi %53, %51 : i32
    %55 = arith.minsi %34, %54 : i32
    %56 = tt.splat %23 : i32 -> tensor<8xi32>
    %57 = arith.divsi %22, %56 : tensor<8xi32>
    %58 = arith.muli %8, %35 : i32
    %59 = tt.splat %58 : i32 -> tensor<8xi32>
    %60 = arith.addi %59, %57 : tensor<8xi32>
    %61 = arith.extsi %60 : tensor<8xi32> to tensor<8xi64>
    %63 = tt.splat %62 : i64 -> tensor<8xi64>
    %64 = arith.muli %61, %63 : tensor<8xi64>
    %65 = arith.extsi %7 : i32 to i64
    %66 = tt.splat %65 : i64 -> tensor<8xi64>
    %67 = arith.addi %64, %66 : tensor<8xi64>
    %69 = tt.splat %68 : i64 -> tensor<8xi64>
    %70 = arith.muli %67, %69 : tensor<8xi64>
    %71 = tt.splat %23 : i32 -> tensor<8xi32>
    %72 = arith.muli %57, %71 : tensor<8xi32>
    %73 = arith.subi %22, %72 : tensor<8xi32>
    %74 = arith.extsi %73 : tensor<8xi32> to tensor<8xi64>
    %75 = arith.addi %70, %74 : tensor<8xi64>
    %77 = tt.splat %76 : i64 -> tensor<8xi64>
    %78 = arith.muli %75, %77 : tensor<8xi64>
    %79 = tt.expand_dims %25 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
    %80 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %81 = tt.splat %19 : i32 -> tensor<64xi32>
    %82 = arith.addi %80, %81 : tensor<64xi32>
    %83 = tt.expand_dims %78 {axis = 1 : i32} : tensor<8xi64> -> tensor<8x1xi64>
    %84 = tt.expand_dims %82 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %85 = arith.extsi %84 : tensor<1x64xi32> to tensor<1x64xi64>
    %86 = tt.broadcast %83 : tensor<8x1xi64> -> tensor<8x64xi64>
    %87 = tt.broadcast %85 : tensor<1x64xi64> -> tensor<8x64xi64>
    %88 = arith.addi %86, %87 : tensor<8x64xi64>
    %89 = tt.splat %q : !tt.ptr<bf16> -> tensor<8x64x!tt.ptr<bf16>>
    %90 = tt.addptr %89, %88 : tensor<8x64x!tt.ptr<bf16>>, tensor<8x64xi64>
    %91 = tt.broadcast %79 : tensor<8x1xi1> -> tensor<8x64xi1>
    %93 = tt.splat %92 : bf16 -> tensor<8x64xbf16>
    %94 = tt.load %90, %91, %93 : tensor<8x64x!tt.ptr<bf16>>
    %95 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %96 = tt.splat %50 : i32 -> tensor<16xi32>
    %97 = arith.addi %95, %96 : tensor<16xi32>
    %98 = tt.expand_dims %78 {axis = 1 : i32} : tensor<8xi64> -> tensor<8x1xi64>
    %99 = tt.expand_dims %97 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %100 = arith.extsi %99 : tensor<1x16xi32> to tensor<1x16xi64>
    %101 = tt.broadcast %98 : tensor<8x1xi64> -> tensor<8x16xi64>
    %102 = tt.broadcast %100 : tensor<1x16xi64> -> tensor<8x16xi64>
    %103 = arith.addi %101, %102 : tensor<8x16xi64>
    %104 = tt.splat %q : !tt.ptr<bf16> -> tensor<8x16x!tt.ptr<bf16>>
    %105 = tt.addptr %104, %103 : tensor<8x16x!tt.ptr<bf16>>, tensor<8x16xi64>
    %106 = tt.broadcast %79 : tensor<8x1xi1> -> tensor<8x16xi1>
    %107 = tt.splat %92 : bf16 -> tensor<8x16xbf16>
    %108 = tt.load %105, %106, %107 : tensor<8x16x!tt.ptr<bf16>>
    %113 = tt.trans %94 {order = array<i32: 1, 0>} : tensor<8x64xbf16> -> tensor<64x8xbf16>
    %114 = tt.trans %108 {order = array<i32: 1, 0>} : tensor<8x16xbf16> -> tensor<16x8xbf16>
    %271:4 = scf.for %115 = %53 to %55 step %40 iter_args(%116 = %109, %117 = %110, %118 = %111, %119 = %112) -> (tensor<8xf32>, tensor<8xf32>, tensor<64x8xf32>, tensor<16x8xf32>) : i32 {
      %120 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %121 = tt.splat %115 : i32 -> tensor<32xi32>
      %122 = arith.addi %121, %120 : tensor<32xi32>
      %123 = tt.splat %55 : i32 -> tensor<32xi32>
      %124 = arith.cmpi slt, %122, %123 : tensor<32xi32>
      %125 = arith.divsi %115, %40 : i32
      %126 = tt.addptr %18, %125 : !tt.ptr<i32>, i32
      %127 = tt.load %126 : !tt.ptr<i32>
      %128 = arith.extsi %127 : i32 to i64
      %129 = arith.muli %128, %62 : i64
      %130 = arith.extsi %7 : i32 to i64
      %131 = arith.addi %129, %130 : i64
      %133 = arith.muli %131, %132 : i64
      %134 = arith.muli %125, %40 : i32
      %135 = tt.splat %134 : i32 -> tensor<32xi32>
      %136 = arith.subi %122, %135 : tensor<32xi32>
      %137 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %138 = tt.splat %19 : i32 -> tensor<64xi32>
      %139 = arith.addi %137, %138 : tensor<64xi32>
      %140 = tt.addptr %k, %133 : !tt.ptr<bf16>, i64
      %141 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %143 = tt.splat %142 : i32 -> tensor<32x1xi32>
      %144 = arith.muli %141, %143 : tensor<32x1xi32>
      %145 = tt.expand_dims %139 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %146 = tt.broadcast %144 : tensor<32x1xi32> -> tensor<32x64xi32>
      %147 = tt.broadcast %145 : tensor<1x64xi32> -> tensor<32x64xi32>
      %148 = arith.addi %146, %147 : tensor<32x64xi32>
      %149 = tt.splat %140 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %150 = tt.addptr %149, %148 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %151 = tt.expand_dims %124 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %152 = tt.broadcast %151 : tensor<32x1xi1> -> tensor<32x64xi1>
      %153 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %154 = tt.splat %50 : i32 -> tensor<16xi32>
      %155 = arith.addi %153, %154 : tensor<16xi32>
      %156 = tt.addptr %k, %133 : !tt.ptr<bf16>, i64
      %157 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %158 = tt.splat %142 : i32 -> tensor<32x1xi32>
      %159 = arith.muli %157, %158 : tensor<32x1xi32>
      %160 = tt.expand_dims %155 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %161 = tt.broadcast %159 : tensor<32x1xi32> -> tensor<32x16xi32>
      %162 = tt.broadcast %160 : tensor<1x16xi32> -> tensor<32x16xi32>
      %163 = arith.addi %161, %162 : tensor<32x16xi32>
      %164 = tt.splat %156 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %165 = tt.addptr %164, %163 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %166 = tt.expand_dims %124 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %167 = tt.broadcast %166 : tensor<32x1xi1> -> tensor<32x16xi1>
      %168 = tt.splat %92 : bf16 -> tensor<32x64xbf16>
      %169 = tt.load %150, %152, %168 : tensor<32x64x!tt.ptr<bf16>>
      %170 = tt.splat %92 : bf16 -> tensor<32x16xbf16>
      %171 = tt.load %165, %167, %170 : tensor<32x16x!tt.ptr<bf16>>
      %173 = tt.dot %169, %113, %172, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x8xbf16> -> tensor<32x8xf32>
      %174 = tt.dot %171, %114, %173, inputPrecision = tf32 : tensor<32x16xbf16> * tensor<16x8xbf16> -> tensor<32x8xf32>
      %175 = tt.expand_dims %22 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %176 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %178 = tt.splat %177 : f32 -> tensor<32x8xf32>
      %179 = arith.mulf %174, %178 : tensor<32x8xf32>
      %181 = tt.splat %180 : f32 -> tensor<32x8xf32>
      %182 = arith.mulf %179, %181 : tensor<32x8xf32>
      %183 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %182 : tensor<32x8xf32> -> tensor<32x8xf32>
      %187 = tt.splat %186 : f32 -> tensor<32x8xf32>
      %188 = arith.addf %183, %187 : tensor<32x8xf32>
      %189 = arith.divf %185, %188 : tensor<32x8xf32>
      %190 = arith.subf %184, %189 : tensor<32x8xf32>
      %191 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %192 = tt.expand_dims %124 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %193 = tt.splat %37 : i32 -> tensor<32x1xi32>
      %194 = arith.addi %191, %193 : tensor<32x1xi32>
      %195 = tt.splat %10 : i32 -> tensor<32x1xi32>
      %196 = arith.cmpi sgt, %194, %195 : tensor<32x1xi32>
      %197 = arith.andi %192, %196 : tensor<32x1xi1>
      %199 = tt.splat %198 : f32 -> tensor<32x8xf32>
      %200 = tt.broadcast %197 : tensor<32x1xi1> -> tensor<32x8xi1>
      %201 = arith.select %200, %190, %199 : tensor<32x8xi1>, tensor<32x8xf32>
      %205 = "tt.reduce"(%201) <{axis = 0 : i32}> ({
      ^bb0(%202: f32, %203: f32):
        %204 = arith.maxnumf %202, %203 : f32
        tt.reduce.return %204 : f32
      }) : (tensor<32x8xf32>) -> (tensor<8xf32>)
      %207 = tt.splat %206 : f32 -> tensor<8xf32>
      %208 = arith.mulf %205, %207 : tensor<8xf32>
      %209 = arith.maxnumf %116, %208 : tensor<8xf32>
      %210 = tt.expand_dims %209 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %211 = arith.negf %210 : tensor<1x8xf32>
      %212 = tt.splat %206 : f32 -> tensor<32x8xf32>
      %213 = tt.broadcast %211 : tensor<1x8xf32> -> tensor<32x8xf32>
      %214 = math.fma %201, %212, %213 : tensor<32x8xf32>
      %215 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %214 : tensor<32x8xf32> -> tensor<32x8xf32>
      %216 = arith.subf %116, %209 : tensor<8xf32>
      %217 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %216 : tensor<8xf32> -> tensor<8xf32>
      %218 = arith.mulf %117, %217 : tensor<8xf32>
      %222 = "tt.reduce"(%215) <{axis = 0 : i32}> ({
      ^bb0(%219: f32, %220: f32):
        %221 = arith.addf %219, %220 : f32
        tt.reduce.return %221 : f32
      }) : (tensor<32x8xf32>) -> (tensor<8xf32>)
      %223 = arith.addf %218, %222 : tensor<8xf32>
      %224 = arith.truncf %215 : tensor<32x8xf32> to tensor<32x8xbf16>
      %225 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %226 = tt.splat %19 : i32 -> tensor<64xi32>
      %227 = arith.addi %225, %226 : tensor<64xi32>
      %228 = tt.addptr %v, %133 : !tt.ptr<bf16>, i64
      %229 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %230 = tt.splat %142 : i32 -> tensor<32x1xi32>
      %231 = arith.muli %229, %230 : tensor<32x1xi32>
      %232 = tt.expand_dims %227 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %233 = tt.broadcast %231 : tensor<32x1xi32> -> tensor<32x64xi32>
      %234 = tt.broadcast %232 : tensor<1x64xi32> -> tensor<32x64xi32>
      %235 = arith.addi %233, %234 : tensor<32x64xi32>
      %236 = tt.splat %228 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %237 = tt.addptr %236, %235 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %238 = tt.expand_dims %124 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %239 = tt.broadcast %238 : tensor<32x1xi1> -> tensor<32x64xi1>
      %240 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %241 = tt.splat %50 : i32 -> tensor<16xi32>
      %242 = arith.addi %240, %241 : tensor<16xi32>
      %243 = tt.addptr %v, %133 : !tt.ptr<bf16>, i64
      %244 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %245 = tt.splat %142 : i32 -> tensor<32x1xi32>
      %246 = arith.muli %244, %245 : tensor<32x1xi32>
      %247 = tt.expand_dims %242 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %248 = tt.broadcast %246 : tensor<32x1xi32> -> tensor<32x16xi32>
      %249 = tt.broadcast %247 : tensor<1x16xi32> -> tensor<32x16xi32>
      %250 = arith.addi %248, %249 : tensor<32x16xi32>
      %251 = tt.splat %243 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %252 = tt.addptr %251, %250 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %253 = tt.expand_dims %124 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %254 = tt.broadcast %253 : tensor<32x1xi1> -> tensor<32x16xi1>
      %255 = tt.trans %237 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %256 = tt.trans %239 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %257 = tt.splat %92 : bf16 -> tensor<64x32xbf16>
      %258 = tt.load %255, %256, %257 : tensor<64x32x!tt.ptr<bf16>>
      %259 = tt.expand_dims %217 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %260 = tt.broadcast %259 : tensor<1x8xf32> -> tensor<64x8xf32>
      %261 = arith.mulf %118, %260 : tensor<64x8xf32>
      %262 = tt.dot %258, %224, %261, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x8xbf16> -> tensor<64x8xf32>
      %263 = tt.trans %252 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %264 = tt.trans %254 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %265 = tt.splat %92 : bf16 -> tensor<16x32xbf16>
      %266 = tt.load %263, %264, %265 : tensor<16x32x!tt.ptr<bf16>>
      %267 = tt.expand_dims %217 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %268 = tt.broadcast %267 : tensor<1x8xf32> -> tensor<16x8xf32>
      %269 = arith.mulf %119, %268 : tensor<16x8xf32>
      %270 = tt.dot %266, %224, %269, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x8xbf16> -> tensor<16x8xf32>
      scf.yield %209, %223, %262, %270 : tensor<8xf32>, tensor<8xf32>, tensor<64x8xf32>, tensor<16x8xf32>
    }
    %276 = arith.muli %8, %275 : i32
    %277 = arith.addi %276, %7 : i32
    %278 = arith.muli %277, %23 : i32
    %279 = arith.addi %278, %6 : i32
    %280 = arith.extsi %279 : i32 to i64
    %281 = arith.muli %280, %68 : i64
    %282 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %283 = arith.extsi %282 : tensor<8xi32> to tensor<8xi64>
    %285 = tt.splat %281 : i64 -> tensor<8xi64>
    %286 = arith.addi %285, %283 : tensor<8xi64>
    %287 = tt.splat %76 : i64 -> tensor<8xi64>
    %288 = arith.muli %286, %287 : tensor<8xi64>
    %289 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %290 = tt.splat %19 : i32 -> tensor<64xi32>
    %291 = arith.addi %289, %290 : tensor<64xi32>
    %292 = tt.expand_dims %288 {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
    %293 = tt.expand_dims %291 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %294 = arith.extsi %293 : tensor<64x1xi32> to tensor<64x1xi64>
    %295 = tt.broadcast %292 : tensor<1x8xi64> -> tensor<64x8xi64>
    %296 = tt.broadcast %294 : tensor<64x1xi64> -> tensor<64x8xi64>
    %297 = arith.addi %295, %296 : tensor<64x8xi64>
    %298 = tt.splat %sums : !tt.ptr<f32> -> tensor<64x8x!tt.ptr<f32>>
    %299 = tt.addptr %298, %297 : tensor<64x8x!tt.ptr<f32>>, tensor<64x8xi64>
    %300 = tt.expand_dims %25 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %301 = tt.broadcast %300 : tensor<1x8xi1> -> tensor<64x8xi1>
    tt.store %299, %271#2, %301 : tensor<64x8x!tt.ptr<f32>>
    %302 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %303 = tt.splat %50 : i32 -> tensor<16xi32>
    %304 = arith.addi %302, %303 : tensor<16xi32>
    %305 = tt.expand_dims %288 {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
    %306 = tt.expand_dims %304 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %307 = arith.extsi %306 : tensor<16x1xi32> to tensor<16x1xi64>
    %308 = tt.broadcast %305 : tensor<1x8xi64> -> tensor<16x8xi64>
    %309 = tt.broadcast %307 : tensor<16x1xi64> -> tensor<16x8xi64>
    %310 = arith.addi %308, %309 : tensor<16x8xi64>
    %311 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
    %312 = tt.addptr %311, %310 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
    %313 = tt.expand_dims %25 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %314 = tt.broadcast %313 : tensor<1x8xi1> -> tensor<16x8xi1>
    tt.store %312, %271#3, %314 : tensor<16x8x!tt.ptr<f32>>
    %316 = tt.splat %281 : i64 -> tensor<8xi64>
    %317 = arith.addi %316, %283 : tensor<8xi64>
    %318 = tt.splat %greatest : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %319 = tt.addptr %318, %317 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    tt.store %319, %271#0, %25 : tensor<8x!tt.ptr<f32>>
    %321 = tt.splat %281 : i64 -> tensor<8xi64>
    %322 = arith.addi %321, %283 : tensor<8xi64>
    %323 = tt.splat %totals : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %324 = tt.addptr %323, %322 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    tt.store %324, %271#1, %25 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}
