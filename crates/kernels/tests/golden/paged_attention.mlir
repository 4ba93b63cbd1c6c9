module {
  tt.func public @paged_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %start: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 160 : i32
    %16 = arith.constant 5 : i32
    %19 = arith.constant 0 : i32
    %23 = arith.constant 3 : i32
    %26 = arith.constant 15 : i32
    %32 = arith.constant 1 : i32
    %34 = arith.constant 100 : i32
    %37 = arith.constant 32 : i32
    %42 = arith.constant 95 : i32
    %44 = arith.constant 96 : i32
    %47 = arith.constant 64 : i32
    %59 = arith.constant 2 : i64
    %65 = arith.constant 3 : i64
    %73 = arith.constant 80 : i64
    %89 = arith.constant 0.0e0 : bf16
    %107 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %108 = arith.constant dense<0.0e0> : tensor<16xf32>
    %109 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %110 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %128 = arith.constant 2560 : i64
    %138 = arith.constant 80 : i32
    %172 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %177 = arith.constant 8.333334e-3 : f32
    %180 = arith.constant 2.88539e0 : f32
    %184 = arith.constant dense<1.0e0> : tensor<16x32xf32>
    %185 = arith.constant dense<2.0e0> : tensor<16x32xf32>
    %186 = arith.constant 1.0e0 : f32
    %198 = arith.constant -2.3104905e28 : f32
    %206 = arith.constant 4.328085e1 : f32
    %271 = arith.constant 2 : i32
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
    %20 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %21 = tt.splat %19 : i32 -> tensor<16xi32>
    %22 = arith.addi %21, %20 : tensor<16xi32>
    %24 = tt.splat %23 : i32 -> tensor<16xi32>
    %25 = arith.cmpi slt, %22, %24 : tensor<16xi32>
    %27 = arith.addi %19, %26 : i32
    %28 = arith.divsi %19, %23 : i32
    %29 = arith.addi %10, %28 : i32
    %30 = arith.divsi %27, %23 : i32
    %31 = arith.addi %10, %30 : i32
    %33 = arith.addi %29, %32 : i32
    %35 = arith.subi %33, %34 : i32
    %36 = arith.maxsi %35, %19 : i32
    %38 = arith.divsi %36, %37 : i32
    %39 = arith.muli %38, %37 : i32
    %40 = arith.subi %15, %39 : i32
    %41 = arith.maxsi %40, %19 : i32
    %43 = arith.addi %41, %42 : i32
    %45 = arith.divsi %43, %44 : i32
    %46 = arith.muli %45, %37 : i32
    %48 = arith.maxsi %46, %47 : i32
    %49 = arith.muli %6, %48 : i32
    %50 = arith.addi %39, %49 : i32
    %51 = arith.addi %50, %48 : i32
    %52 = arith.minsi %15, %51 : i32
    %53 = tt.splat %23 : i32 -> tensor<16xi32>
    %54 = arith.divsi %22, %53 : tensor<16xi32>
    %55 = arith.muli %8, %32 : i32
    %56 = tt.splat %55 : i32 -> tensor<16xi32>
    %57 = arith.addi %56, %54 : tensor<16xi32>
    %58 = arith.extsi %57 : tensor<16xi32> to tensor<16xi64>
    %60 = tt.splat %59 : i64 -> tensor<16xi64>
    %61 = arith.muli %58, %60 : tensor<16xi64>
    %62 = arith.extsi %7 : i32 to i64
    %63 = tt.splat %62 : i64 -> tensor<16xi64>
    %64 = arith.addi %61, %63 : tensor<16xi64>
    %66 = tt.splat %65 : i64 -> tensor<16xi64>
    %67 = arith.muli %64, %66 : tensor<16xi64>
    %68 = tt.splat %23 : i32 -> tensor<16xi32>
    %69 = arith.muli %54, %68 : tensor<16xi32>
    %70 = arith.subi %22, %69 : tensor<16xi32>
    %71 = arith.extsi %70 : tensor<16xi32> to tensor<16xi64>
    %72 = arith.addi %67, %71 : tensor<16xi64>
    %74 = tt.splat %73 : i64 -> tensor<16xi64>
    %75 = arith.muli %72, %74 : tensor<16xi64>
    %76 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %77 = tt.splat %19 : i32 -> tensor<64xi32>
    %78 = arith.addi %76, %77 : tensor<64xi32>
    %79 = tt.expand_dims %75 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %80 = tt.expand_dims %78 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %81 = arith.extsi %80 : tensor<1x64xi32> to tensor<1x64xi64>
    %82 = tt.broadcast %79 : tensor<16x1xi64> -> tensor<16x64xi64>
    %83 = tt.broadcast %81 : tensor<1x64xi64> -> tensor<16x64xi64>
    %84 = arith.addi %82, %83 : tensor<16x64xi64>
    %85 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %86 = tt.addptr %85, %84 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %87 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %88 = tt.broadcast %87 : tensor<16x1xi1> -> tensor<16x64xi1>
    %90 = tt.splat %89 : bf16 -> tensor<16x64xbf16>
    %91 = tt.load %86, %88, %90 : tensor<16x64x!tt.ptr<bf16>>
    %92 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %93 = tt.splat %47 : i32 -> tensor<16xi32>
    %94 = arith.addi %92, %93 : tensor<16xi32>
    %95 = tt.expand_dims %75 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %96 = tt.expand_dims %94 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %97 = arith.extsi %96 : tensor<1x16xi32> to tensor<1x16xi64>
    %98 = tt.broadcast %95 : tensor<16x1xi64> -> tensor<16x16xi64>
    %99 = tt.broadcast %97 : tensor<1x16xi64> -> tensor<16x16xi64>
    %100 = arith.addi %98, %99 : tensor<16x16xi64>
    %101 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %102 = tt.addptr %101, %100 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %103 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %104 = tt.broadcast %103 : tensor<16x1xi1> -> tensor<16x16xi1>
    %105 = tt.splat %89 : bf16 -> tensor<16x16xbf16>
    %106 = tt.load %102, %104, %105 : tensor<16x16x!tt.ptr<bf16>>
    %267:4 = scf.for %111 = %50 to %52 step %37 iter_args(%112 = %107, %113 = %108, %114 = %109, %115 = %110) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %116 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %117 = tt.splat %111 : i32 -> tensor<32xi32>
      %118 = arith.addi %117, %116 : tensor<32xi32>
      %119 = tt.splat %52 : i32 -> tensor<32xi32>
      %120 = arith.cmpi slt, %118, %119 : tensor<32xi32>
      %121 = arith.divsi %111, %37 : i32
      %122 = tt.addptr %18, %121 : !tt.ptr<i32>, i32
      %123 = tt.load %122 : !tt.ptr<i32>
      %124 = arith.extsi %123 : i32 to i64
      %125 = arith.muli %124, %59 : i64
      %126 = arith.extsi %7 : i32 to i64
      %127 = arith.addi %125, %126 : i64
      %129 = arith.muli %127, %128 : i64
      %130 = arith.muli %121, %37 : i32
      %131 = tt.splat %130 : i32 -> tensor<32xi32>
      %132 = arith.subi %118, %131 : tensor<32xi32>
      %133 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %134 = tt.splat %19 : i32 -> tensor<64xi32>
      %135 = arith.addi %133, %134 : tensor<64xi32>
      %136 = tt.addptr %k, %129 : !tt.ptr<bf16>, i64
      %137 = tt.expand_dims %132 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %139 = tt.splat %138 : i32 -> tensor<32x1xi32>
      %140 = arith.muli %137, %139 : tensor<32x1xi32>
      %141 = tt.expand_dims %135 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %142 = tt.broadcast %140 : tensor<32x1xi32> -> tensor<32x64xi32>
      %143 = tt.broadcast %141 : tensor<1x64xi32> -> tensor<32x64xi32>
      %144 = arith.addi %142, %143 : tensor<32x64xi32>
      %145 = tt.splat %136 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %146 = tt.addptr %145, %144 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %147 = tt.expand_dims %120 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %148 = tt.broadcast %147 : tensor<32x1xi1> -> tensor<32x64xi1>
      %149 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %150 = tt.splat %47 : i32 -> tensor<16xi32>
      %151 = arith.addi %149, %150 : tensor<16xi32>
      %152 = tt.addptr %k, %129 : !tt.ptr<bf16>, i64
      %153 = tt.expand_dims %132 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %154 = tt.splat %138 : i32 -> tensor<32x1xi32>
      %155 = arith.muli %153, %154 : tensor<32x1xi32>
      %156 = tt.expand_dims %151 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %157 = tt.broadcast %155 : tensor<32x1xi32> -> tensor<32x16xi32>
      %158 = tt.broadcast %156 : tensor<1x16xi32> -> tensor<32x16xi32>
      %159 = arith.addi %157, %158 : tensor<32x16xi32>
      %160 = tt.splat %152 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %161 = tt.addptr %160, %159 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %162 = tt.expand_dims %120 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %163 = tt.broadcast %162 : tensor<32x1xi1> -> tensor<32x16xi1>
      %164 = tt.trans %146 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %165 = tt.trans %148 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %166 = tt.splat %89 : bf16 -> tensor<64x32xbf16>
      %167 = tt.load %164, %165, %166 : tensor<64x32x!tt.ptr<bf16>>
      %168 = tt.trans %161 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %169 = tt.trans %163 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %170 = tt.splat %89 : bf16 -> tensor<16x32xbf16>
      %171 = tt.load %168, %169, %170 : tensor<16x32x!tt.ptr<bf16>>
      %173 = tt.dot %91, %167, %172, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %174 = tt.dot %106, %171, %173, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %175 = tt.expand_dims %22 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %176 = tt.expand_dims %118 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %178 = tt.splat %177 : f32 -> tensor<16x32xf32>
      %179 = arith.mulf %174, %178 : tensor<16x32xf32>
      %181 = tt.splat %180 : f32 -> tensor<16x32xf32>
      %182 = arith.mulf %179, %181 : tensor<16x32xf32>
      %183 = math.exp2 %182 : tensor<16x32xf32>
      %187 = tt.splat %186 : f32 -> tensor<16x32xf32>
      %188 = arith.addf %183, %187 : tensor<16x32xf32>
      %189 = arith.divf %185, %188 : tensor<16x32xf32>
      %190 = arith.subf %184, %189 : tensor<16x32xf32>
      %191 = tt.expand_dims %118 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %192 = tt.expand_dims %120 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %193 = tt.splat %34 : i32 -> tensor<1x32xi32>
      %194 = arith.addi %191, %193 : tensor<1x32xi32>
      %195 = tt.splat %10 : i32 -> tensor<1x32xi32>
      %196 = arith.cmpi sgt, %194, %195 : tensor<1x32xi32>
      %197 = arith.andi %192, %196 : tensor<1x32xi1>
      %199 = tt.splat %198 : f32 -> tensor<16x32xf32>
      %200 = tt.broadcast %197 : tensor<1x32xi1> -> tensor<16x32xi1>
      %201 = arith.select %200, %190, %199 : tensor<16x32xi1>, tensor<16x32xf32>
      %205 = "tt.reduce"(%201) <{axis = 1 : i32}> ({
      ^bb0(%202: f32, %203: f32):
        %204 = arith.maxnumf %202, %203 : f32
        tt.reduce.return %204 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %207 = tt.splat %206 : f32 -> tensor<16xf32>
      %208 = arith.mulf %205, %207 : tensor<16xf32>
      %209 = arith.maxnumf %112, %208 : tensor<16xf32>
      %210 = tt.expand_dims %209 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %211 = arith.negf %210 : tensor<16x1xf32>
      %212 = tt.splat %206 : f32 -> tensor<16x32xf32>
      %213 = tt.broadcast %211 : tensor<16x1xf32> -> tensor<16x32xf32>
      %214 = math.fma %201, %212, %213 : tensor<16x32xf32>
      %215 = math.exp2 %214 : tensor<16x32xf32>
      %216 = arith.subf %112, %209 : tensor<16xf32>
      %217 = math.exp2 %216 : tensor<16xf32>
      %218 = arith.mulf %113, %217 : tensor<16xf32>
      %222 = "tt.reduce"(%215) <{axis = 1 : i32}> ({
      ^bb0(%219: f32, %220: f32):
        %221 = arith.addf %219, %220 : f32
        tt.reduce.return %221 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %223 = arith.addf %218, %222 : tensor<16xf32>
      %224 = arith.truncf %215 : tensor<16x32xf32> to tensor<16x32xbf16>
      %225 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %226 = tt.splat %19 : i32 -> tensor<64xi32>
      %227 = arith.addi %225, %226 : tensor<64xi32>
      %228 = tt.addptr %v, %129 : !tt.ptr<bf16>, i64
      %229 = tt.expand_dims %132 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %230 = tt.splat %138 : i32 -> tensor<32x1xi32>
      %231 = arith.muli %229, %230 : tensor<32x1xi32>
      %232 = tt.expand_dims %227 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %233 = tt.broadcast %231 : tensor<32x1xi32> -> tensor<32x64xi32>
      %234 = tt.broadcast %232 : tensor<1x64xi32> -> tensor<32x64xi32>
      %235 = arith.addi %233, %234 : tensor<32x64xi32>
      %236 = tt.splat %228 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %237 = tt.addptr %236, %235 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %238 = tt.expand_dims %120 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %239 = tt.broadcast %238 : tensor<32x1xi1> -> tensor<32x64xi1>
      %240 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %241 = tt.splat %47 : i32 -> tensor<16xi32>
      %242 = arith.addi %240, %241 : tensor<16xi32>
      %243 = tt.addptr %v, %129 : !tt.ptr<bf16>, i64
      %244 = tt.expand_dims %132 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %245 = tt.splat %138 : i32 -> tensor<32x1xi32>
      %246 = arith.muli %244, %245 : tensor<32x1xi32>
      %247 = tt.expand_dims %242 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %248 = tt.broadcast %246 : tensor<32x1xi32> -> tensor<32x16xi32>
      %249 = tt.broadcast %247 : tensor<1x16xi32> -> tensor<32x16xi32>
      %250 = arith.addi %248, %249 : tensor<32x16xi32>
      %251 = tt.splat %243 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %252 = tt.addptr %251, %250 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %253 = tt.expand_dims %120 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %254 = tt.broadcast %253 : tensor<32x1xi1> -> tensor<32x16xi1>
      %255 = tt.splat %89 : bf16 -> tensor<32x64xbf16>
      %256 = tt.load %237, %239, %255 : tensor<32x64x!tt.ptr<bf16>>
      %257 = tt.expand_dims %217 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %258 = tt.broadcast %257 : tensor<16x1xf32> -> tensor<16x64xf32>
      %259 = arith.mulf %114, %258 : tensor<16x64xf32>
      %260 = tt.dot %224, %256, %259, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %261 = tt.splat %89 : bf16 -> tensor<32x16xbf16>
      %262 = tt.load %252, %254, %261 : tensor<32x16x!tt.ptr<bf16>>
      %263 = tt.expand_dims %217 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %264 = tt.broadcast %263 : tensor<16x1xf32> -> tensor<16x16xf32>
      %265 = arith.mulf %115, %264 : tensor<16x16xf32>
      %266 = tt.dot %224, %262, %265, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %209, %223, %260, %266 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %272 = arith.muli %8, %271 : i32
    %273 = arith.addi %272, %7 : i32
    %274 = arith.muli %273, %23 : i32
    %275 = arith.addi %274, %6 : i32
    %276 = arith.extsi %275 : i32 to i64
    %277 = arith.muli %276, %65 : i64
    %278 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %279 = arith.extsi %278 : tensor<16xi32> to tensor<16xi64>
    %281 = tt.splat %277 : i64 -> tensor<16xi64>
    %282 = arith.addi %281, %279 : tensor<16xi64>
    %283 = tt.splat %73 : i64 -> tensor<16xi64>
    %284 = arith.muli %282, %283 : tensor<16xi64>
    %285 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %286 = tt.splat %19 : i32 -> tensor<64xi32>
    %287 = arith.addi %285, %286 : tensor<64xi32>
    %288 = tt.expand_dims %284 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %289 = tt.expand_dims %287 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %290 = arith.extsi %289 : tensor<1x64xi32> to tensor<1x64xi64>
    %291 = tt.broadcast %288 : tensor<16x1xi64> -> tensor<16x64xi64>
    %292 = tt.broadcast %290 : tensor<1x64xi64> -> tensor<16x64xi64>
    %293 = arith.addi %291, %292 : tensor<16x64xi64>
    %294 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %295 = tt.addptr %294, %293 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %296 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %297 = tt.broadcast %296 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %295, %267#2, %297 : tensor<16x64x!tt.ptr<f32>>
    %298 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %299 = tt.splat %47 : i32 -> tensor<16xi32>
    %300 = arith.addi %298, %299 : tensor<16xi32>
    %301 = tt.expand_dims %284 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %302 = tt.expand_dims %300 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %303 = arith.extsi %302 : tensor<1x16xi32> to tensor<1x16xi64>
    %304 = tt.broadcast %301 : tensor<16x1xi64> -> tensor<16x16xi64>
    %305 = tt.broadcast %303 : tensor<1x16xi64> -> tensor<16x16xi64>
    %306 = arith.addi %304, %305 : tensor<16x16xi64>
    %307 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %308 = tt.addptr %307, %306 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %309 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %310 = tt.broadcast %309 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %308, %267#3, %310 : tensor<16x16x!tt.ptr<f32>>
    %312 = tt.splat %277 : i64 -> tensor<16xi64>
    %313 = arith.addi %312, %279 : tensor<16xi64>
    %314 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %315 = tt.addptr %314, %313 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %315, %267#0, %25 : tensor<16x!tt.ptr<f32>>
    %317 = tt.splat %277 : i64 -> tensor<16xi64>
    %318 = arith.addi %317, %279 : tensor<16xi64>
    %319 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %320 = tt.addptr %319, %318 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %320, %267#1, %25 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @paged_attention_join(%sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 2 : i32
    %11 = arith.constant 3 : i32
    %23 = arith.constant 0 : i32
    %26 = arith.constant -2.0e29 : f32
    %31 = arith.constant 0.0e0 : f32
    %47 = arith.constant 1.0e0 : f32
    %50 = arith.constant 80 : i32
    %60 = arith.constant 80 : i64
    %4 = tt.get_program_id x : i32
    %5 = tt.get_program_id y : i32
    %6 = tt.get_program_id z : i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %8, %5 : i32
    %10 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %12 = tt.splat %11 : i32 -> tensor<4xi32>
    %13 = arith.cmpi slt, %10, %12 : tensor<4xi32>
    %14 = arith.muli %9, %11 : i32
    %15 = tt.splat %14 : i32 -> tensor<4xi32>
    %16 = arith.addi %15, %10 : tensor<4xi32>
    %17 = tt.splat %11 : i32 -> tensor<4xi32>
    %18 = arith.muli %16, %17 : tensor<4xi32>
    %19 = tt.splat %4 : i32 -> tensor<4xi32>
    %20 = arith.addi %18, %19 : tensor<4xi32>
    %21 = tt.splat %greatest : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %22 = tt.addptr %21, %20 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %24 = tt.splat %23 : i32 -> tensor<4xi32>
    %25 = arith.cmpi sge, %10, %24 : tensor<4xi32>
    %27 = tt.splat %26 : f32 -> tensor<4xf32>
    %28 = tt.load %22, %13, %27 : tensor<4x!tt.ptr<f32>>
    %29 = tt.splat %totals : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %30 = tt.addptr %29, %20 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %32 = tt.splat %31 : f32 -> tensor<4xf32>
    %33 = tt.load %30, %13, %32 : tensor<4x!tt.ptr<f32>>
    %37 = "tt.reduce"(%28) <{axis = 0 : i32}> ({
    ^bb0(%34: f32, %35: f32):
      %36 = arith.maxnumf %34, %35 : f32
      tt.reduce.return %36 : f32
    }) : (tensor<4xf32>) -> (f32)
    %38 = tt.splat %37 : f32 -> tensor<4xf32>
    %39 = arith.subf %28, %38 : tensor<4xf32>
    %40 = math.exp2 %39 : tensor<4xf32>
    %41 = arith.mulf %40, %33 : tensor<4xf32>
    %45 = "tt.reduce"(%41) <{axis = 0 : i32}> ({
    ^bb0(%42: f32, %43: f32):
      %44 = arith.addf %42, %43 : f32
      tt.reduce.return %44 : f32
    }) : (tensor<4xf32>) -> (f32)
    %46 = arith.cmpf oeq, %45, %31 : f32
    %48 = arith.select %46, %47, %45 : f32
    %49 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %51 = tt.splat %50 : i32 -> tensor<128xi32>
    %52 = arith.cmpi slt, %49, %51 : tensor<128xi32>
    %53 = tt.expand_dims %13 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %54 = tt.expand_dims %52 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
    %55 = tt.broadcast %53 : tensor<4x1xi1> -> tensor<4x128xi1>
    %56 = tt.broadcast %54 : tensor<1x128xi1> -> tensor<4x128xi1>
    %57 = arith.andi %55, %56 : tensor<4x128xi1>
    %58 = tt.expand_dims %20 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %59 = arith.extsi %58 : tensor<4x1xi32> to tensor<4x1xi64>
    %61 = tt.splat %60 : i64 -> tensor<4x1xi64>
    %62 = arith.muli %59, %61 : tensor<4x1xi64>
    %63 = tt.expand_dims %49 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %64 = arith.extsi %63 : tensor<1x128xi32> to tensor<1x128xi64>
    %65 = tt.broadcast %62 : tensor<4x1xi64> -> tensor<4x128xi64>
    %66 = tt.broadcast %64 : tensor<1x128xi64> -> tensor<4x128xi64>
    %67 = arith.addi %65, %66 : tensor<4x128xi64>
    %68 = tt.splat %sums : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %69 = tt.addptr %68, %67 : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi64>
    %70 = tt.splat %31 : f32 -> tensor<4x128xf32>
    %71 = tt.load %69, %57, %70 : tensor<4x128x!tt.ptr<f32>>
    %72 = tt.expand_dims %40 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %73 = tt.broadcast %72 : tensor<4x1xf32> -> tensor<4x128xf32>
    %74 = arith.mulf %71, %73 : tensor<4x128xf32>
    %78 = "tt.reduce"(%74) <{axis = 0 : i32}> ({
    ^bb0(%75: f32, %76: f32):
      %77 = arith.addf %75, %76 : f32
      tt.reduce.return %77 : f32
    }) : (tensor<4x128xf32>) -> (tensor<128xf32>)
    %79 = tt.splat %48 : f32 -> tensor<128xf32>
    %80 = arith.divf %78, %79 : tensor<128xf32>
    %81 = arith.muli %9, %11 : i32
    %82 = arith.addi %81, %4 : i32
    %83 = arith.extsi %82 : i32 to i64
    %84 = arith.muli %83, %60 : i64
    %85 = tt.addptr %out, %84 : !tt.ptr<bf16>, i64
    %86 = arith.extsi %49 : tensor<128xi32> to tensor<128xi64>
    %87 = tt.splat %85 : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %88 = tt.addptr %87, %86 : tensor<128x!tt.ptr<bf16>>, tensor<128xi64>
    %89 = arith.truncf %80 : tensor<128xf32> to tensor<128xbf16>
    tt.store %88, %89, %52 : tensor<128x!tt.ptr<bf16>>
    tt.return
  }
}
module {
  tt.func public @paged_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %start: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 50 : i32
    %16 = arith.constant 5 : i32
    %19 = arith.constant 32 : i32
    %21 = arith.constant 0 : i32
    %25 = arith.constant 21 : i32
    %28 = arith.constant 3 : i32
    %34 = arith.constant 31 : i32
    %40 = arith.constant 1 : i32
    %45 = arith.constant 7 : i32
    %50 = arith.constant 2 : i64
    %56 = arith.constant 3 : i64
    %64 = arith.constant 80 : i64
    %80 = arith.constant 0.0e0 : bf16
    %84 = arith.constant 64 : i32
    %99 = arith.constant dense<-2.0e29> : tensor<32xf32>
    %100 = arith.constant dense<0.0e0> : tensor<32xf32>
    %101 = arith.constant dense<0.0e0> : tensor<32x64xf32>
    %102 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %113 = arith.constant 10 : i32
    %126 = arith.constant 800 : i64
    %132 = arith.constant 80 : i32
    %171 = arith.constant dense<0.0e0> : tensor<32x32xf32>
    %183 = arith.constant -2.772589e30 : f32
    %190 = arith.constant 3.6067376e-1 : f32
    %251 = arith.constant 2 : i32
    %264 = arith.constant 0.0e0 : f32
    %267 = arith.constant dense<1.0e0> : tensor<32xf32>
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
    %20 = arith.muli %6, %19 : i32
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %23 = tt.splat %20 : i32 -> tensor<32xi32>
    %24 = arith.addi %23, %22 : tensor<32xi32>
    %26 = tt.splat %25 : i32 -> tensor<32xi32>
    %27 = arith.cmpi slt, %24, %26 : tensor<32xi32>
    %29 = tt.splat %28 : i32 -> tensor<32xi32>
    %30 = arith.divsi %24, %29 : tensor<32xi32>
    %31 = tt.splat %10 : i32 -> tensor<32xi32>
    %32 = arith.addi %31, %30 : tensor<32xi32>
    %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %35 = arith.addi %20, %34 : i32
    %36 = arith.divsi %20, %28 : i32
    %37 = arith.addi %10, %36 : i32
    %38 = arith.divsi %35, %28 : i32
    %39 = arith.addi %10, %38 : i32
    %41 = arith.addi %39, %40 : i32
    %42 = arith.minsi %15, %41 : i32
    %43 = tt.splat %28 : i32 -> tensor<32xi32>
    %44 = arith.divsi %24, %43 : tensor<32xi32>
    %46 = arith.muli %8, %45 : i32
    %47 = tt.splat %46 : i32 -> tensor<32xi32>
    %48 = arith.addi %47, %44 : tensor<32xi32>
    %49 = arith.extsi %48 : tensor<32xi32> to tensor<32xi64>
    %51 = tt.splat %50 : i64 -> tensor<32xi64>
    %52 = arith.muli %49, %51 : tensor<32xi64>
    %53 = arith.extsi %7 : i32 to i64
    %54 = tt.splat %53 : i64 -> tensor<32xi64>
    %55 = arith.addi %52, %54 : tensor<32xi64>
    %57 = tt.splat %56 : i64 -> tensor<32xi64>
    %58 = arith.muli %55, %57 : tensor<32xi64>
    %59 = tt.splat %28 : i32 -> tensor<32xi32>
    %60 = arith.muli %44, %59 : tensor<32xi32>
    %61 = arith.subi %24, %60 : tensor<32xi32>
    %62 = arith.extsi %61 : tensor<32xi32> to tensor<32xi64>
    %63 = arith.addi %58, %62 : tensor<32xi64>
    %65 = tt.splat %64 : i64 -> tensor<32xi64>
    %66 = arith.muli %63, %65 : tensor<32xi64>
    %67 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %68 = tt.splat %21 : i32 -> tensor<64xi32>
    %69 = arith.addi %67, %68 : tensor<64xi32>
    %70 = tt.expand_dims %66 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %71 = tt.expand_dims %69 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %72 = arith.extsi %71 : tensor<1x64xi32> to tensor<1x64xi64>
    %73 = tt.broadcast %70 : tensor<32x1xi64> -> tensor<32x64xi64>
    %74 = tt.broadcast %72 : tensor<1x64xi64> -> tensor<32x64xi64>
    %75 = arith.addi %73, %74 : tensor<32x64xi64>
    %76 = tt.splat %q : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %77 = tt.addptr %76, %75 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %78 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %79 = tt.broadcast %78 : tensor<32x1xi1> -> tensor<32x64xi1>
    %81 = tt.splat %80 : bf16 -> tensor<32x64xbf16>
    %82 = tt.load %77, %79, %81 : tensor<32x64x!tt.ptr<bf16>>
    %83 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %85 = tt.splat %84 : i32 -> tensor<16xi32>
    %86 = arith.addi %83, %85 : tensor<16xi32>
    %87 = tt.expand_dims %66 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %88 = tt.expand_dims %86 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %89 = arith.extsi %88 : tensor<1x16xi32> to tensor<1x16xi64>
    %90 = tt.broadcast %87 : tensor<32x1xi64> -> tensor<32x16xi64>
    %91 = tt.broadcast %89 : tensor<1x16xi64> -> tensor<32x16xi64>
    %92 = arith.addi %90, %91 : tensor<32x16xi64>
    %93 = tt.splat %q : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %94 = tt.addptr %93, %92 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
    %95 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %96 = tt.broadcast %95 : tensor<32x1xi1> -> tensor<32x16xi1>
    %97 = tt.splat %80 : bf16 -> tensor<32x16xbf16>
    %98 = tt.load %94, %96, %97 : tensor<32x16x!tt.ptr<bf16>>
    %247:4 = scf.for %103 = %21 to %42 step %19 iter_args(%104 = %99, %105 = %100, %106 = %101, %107 = %102) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x16xf32>) : i32 {
      %108 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %109 = tt.splat %103 : i32 -> tensor<32xi32>
      %110 = arith.addi %109, %108 : tensor<32xi32>
      %111 = tt.splat %42 : i32 -> tensor<32xi32>
      %112 = arith.cmpi slt, %110, %111 : tensor<32xi32>
      %114 = tt.splat %113 : i32 -> tensor<32xi32>
      %115 = arith.divsi %110, %114 : tensor<32xi32>
      %116 = tt.splat %18 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
      %117 = tt.addptr %116, %115 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
      %118 = tt.splat %21 : i32 -> tensor<32xi32>
      %119 = tt.load %117, %112, %118 : tensor<32x!tt.ptr<i32>>
      %120 = arith.extsi %119 : tensor<32xi32> to tensor<32xi64>
      %121 = tt.splat %50 : i64 -> tensor<32xi64>
      %122 = arith.muli %120, %121 : tensor<32xi64>
      %123 = arith.extsi %7 : i32 to i64
      %124 = tt.splat %123 : i64 -> tensor<32xi64>
      %125 = arith.addi %122, %124 : tensor<32xi64>
      %127 = tt.splat %126 : i64 -> tensor<32xi64>
      %128 = arith.muli %125, %127 : tensor<32xi64>
      %129 = tt.splat %113 : i32 -> tensor<32xi32>
      %130 = arith.muli %115, %129 : tensor<32xi32>
      %131 = arith.subi %110, %130 : tensor<32xi32>
      %133 = tt.splat %132 : i32 -> tensor<32xi32>
      %134 = arith.muli %131, %133 : tensor<32xi32>
      %135 = arith.extsi %134 : tensor<32xi32> to tensor<32xi64>
      %136 = arith.addi %128, %135 : tensor<32xi64>
      %137 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %138 = tt.splat %21 : i32 -> tensor<64xi32>
      %139 = arith.addi %137, %138 : tensor<64xi32>
      %140 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %141 = tt.expand_dims %139 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %142 = arith.extsi %141 : tensor<1x64xi32> to tensor<1x64xi64>
      %143 = tt.broadcast %140 : tensor<32x1xi64> -> tensor<32x64xi64>
      %144 = tt.broadcast %142 : tensor<1x64xi64> -> tensor<32x64xi64>
      %145 = arith.addi %143, %144 : tensor<32x64xi64>
      %146 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %147 = tt.addptr %146, %145 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
      %148 = tt.expand_dims %112 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %149 = tt.broadcast %148 : tensor<32x1xi1> -> tensor<32x64xi1>
      %150 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %151 = tt.splat %84 : i32 -> tensor<16xi32>
      %152 = arith.addi %150, %151 : tensor<16xi32>
      %153 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %154 = tt.expand_dims %152 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %155 = arith.extsi %154 : tensor<1x16xi32> to tensor<1x16xi64>
      %156 = tt.broadcast %153 : tensor<32x1xi64> -> tensor<32x16xi64>
      %157 = tt.broadcast %155 : tensor<1x16xi64> -> tensor<32x16xi64>
      %158 = arith.addi %156, %157 : tensor<32x16xi64>
      %159 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %160 = tt.addptr %159, %158 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
      %161 = tt.expand_dims %112 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %162 = tt.broadcast %161 : tensor<32x1xi1> -> tensor<32x16xi1>
      %163 = tt.trans %147 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %164 = tt.trans %149 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %165 = tt.splat %80 : bf16 -> tensor<64x32xbf16>
      %166 = tt.load %163, %164, %165 : tensor<64x32x!tt.ptr<bf16>>
      %167 = tt.trans %160 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %168 = tt.trans %162 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %169 = tt.splat %80 : bf16 -> tensor<16x32xbf16>
      %170 = tt.load %167, %168, %169 : tensor<16x32x!tt.ptr<bf16>>
      %172 = tt.dot %82, %166, %171, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x32xbf16> -> tensor<32x32xf32>
      %173 = tt.dot %98, %170, %172, inputPrecision = tf32 : tensor<32x16xbf16> * tensor<16x32xbf16> -> tensor<32x32xf32>
      %174 = tt.expand_dims %24 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %175 = tt.expand_dims %110 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %176 = tt.expand_dims %110 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %177 = tt.expand_dims %112 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %178 = tt.broadcast %33 : tensor<32x1xi32> -> tensor<32x32xi32>
      %179 = tt.broadcast %176 : tensor<1x32xi32> -> tensor<32x32xi32>
      %180 = arith.cmpi sge, %178, %179 : tensor<32x32xi32>
      %181 = tt.broadcast %177 : tensor<1x32xi1> -> tensor<32x32xi1>
      %182 = arith.andi %181, %180 : tensor<32x32xi1>
      %184 = tt.splat %183 : f32 -> tensor<32x32xf32>
      %185 = arith.select %182, %173, %184 : tensor<32x32xi1>, tensor<32x32xf32>
      %189 = "tt.reduce"(%185) <{axis = 1 : i32}> ({
      ^bb0(%186: f32, %187: f32):
        %188 = arith.maxnumf %186, %187 : f32
        tt.reduce.return %188 : f32
      }) : (tensor<32x32xf32>) -> (tensor<32xf32>)
      %191 = tt.splat %190 : f32 -> tensor<32xf32>
      %192 = arith.mulf %189, %191 : tensor<32xf32>
      %193 = arith.maxnumf %104, %192 : tensor<32xf32>
      %194 = tt.expand_dims %193 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %195 = arith.negf %194 : tensor<32x1xf32>
      %196 = tt.splat %190 : f32 -> tensor<32x32xf32>
      %197 = tt.broadcast %195 : tensor<32x1xf32> -> tensor<32x32xf32>
      %198 = math.fma %185, %196, %197 : tensor<32x32xf32>
      %199 = math.exp2 %198 : tensor<32x32xf32>
      %200 = arith.subf %104, %193 : tensor<32xf32>
      %201 = math.exp2 %200 : tensor<32xf32>
      %202 = arith.mulf %105, %201 : tensor<32xf32>
      %206 = "tt.reduce"(%199) <{axis = 1 : i32}> ({
      ^bb0(%203: f32, %204: f32):
        %205 = arith.addf %203, %204 : f32
        tt.reduce.return %205 : f32
      }) : (tensor<32x32xf32>) -> (tensor<32xf32>)
      %207 = arith.addf %202, %206 : tensor<32xf32>
      %208 = arith.truncf %199 : tensor<32x32xf32> to tensor<32x32xbf16>
      %209 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %210 = tt.splat %21 : i32 -> tensor<64xi32>
      %211 = arith.addi %209, %210 : tensor<64xi32>
      %212 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %213 = tt.expand_dims %211 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %214 = arith.extsi %213 : tensor<1x64xi32> to tensor<1x64xi64>
      %215 = tt.broadcast %212 : tensor<32x1xi64> -> tensor<32x64xi64>
      %216 = tt.broadcast %214 : tensor<1x64xi64> -> tensor<32x64xi64>
      %217 = arith.addi %215, %216 : tensor<32x64xi64>
      %218 = tt.splat %v : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %219 = tt.addptr %218, %217 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
      %220 = tt.expand_dims %112 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %221 = tt.broadcast %220 : tensor<32x1xi1> -> tensor<32x64xi1>
      %222 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %223 = tt.splat %84 : i32 -> tensor<16xi32>
      %224 = arith.addi %222, %223 : tensor<16xi32>
      %225 = tt.expand_dims %136 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %226 = tt.expand_dims %224 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %227 = arith.extsi %226 : tensor<1x16xi32> to tensor<1x16xi64>
      %228 = tt.broadcast %225 : tensor<32x1xi64> -> tensor<32x16xi64>
      %229 = tt.broadcast %227 : tensor<1x16xi64> -> tensor<32x16xi64>
      %230 = arith.addi %228, %229 : tensor<32x16xi64>
      %231 = tt.splat %v : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %232 = tt.addptr %231, %230 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
      %233 = tt.expand_dims %112 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %234 = tt.broadcast %233 : tensor<32x1xi1> -> tensor<32x16xi1>
      %235 = tt.splat %80 : bf16 -> tensor<32x64xbf16>
      %236 = tt.load %219, %221, %235 : tensor<32x64x!tt.ptr<bf16>>
      %237 = tt.expand_dims %201 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %238 = tt.broadcast %237 : tensor<32x1xf32> -> tensor<32x64xf32>
      %239 = arith.mulf %106, %238 : tensor<32x64xf32>
      %240 = tt.dot %208, %236, %239, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x64xbf16> -> tensor<32x64xf32>
      %241 = tt.splat %80 : bf16 -> tensor<32x16xbf16>
      %242 = tt.load %232, %234, %241 : tensor<32x16x!tt.ptr<bf16>>
      %243 = tt.expand_dims %201 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %244 = tt.broadcast %243 : tensor<32x1xf32> -> tensor<32x16xf32>
      %245 = arith.mulf %107, %244 : tensor<32x16xf32>
      %246 = tt.dot %208, %242, %245, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      scf.yield %193, %207, %240, %246 : tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x16xf32>
    }
    %252 = arith.muli %8, %251 : i32
    %253 = arith.addi %252, %7 : i32
    %254 = arith.muli %253, %40 : i32
    %255 = arith.addi %254, %21 : i32
    %256 = arith.extsi %255 : i32 to i64
    %257 = arith.muli %256, %56 : i64
    %258 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %259 = arith.extsi %258 : tensor<32xi32> to tensor<32xi64>
    %261 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %262 = tt.splat %21 : i32 -> tensor<64xi32>
    %263 = arith.addi %261, %262 : tensor<64xi32>
    %265 = tt.splat %264 : f32 -> tensor<32xf32>
    %266 = arith.cmpf oeq, %247#1, %265 : tensor<32xf32>
    %268 = arith.select %266, %267, %247#1 : tensor<32xi1>, tensor<32xf32>
    %269 = tt.expand_dims %268 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %270 = tt.broadcast %269 : tensor<32x1xf32> -> tensor<32x64xf32>
    %271 = arith.divf %247#2, %270 : tensor<32x64xf32>
    %272 = tt.expand_dims %66 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %273 = tt.expand_dims %263 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %274 = arith.extsi %273 : tensor<1x64xi32> to tensor<1x64xi64>
    %275 = tt.broadcast %272 : tensor<32x1xi64> -> tensor<32x64xi64>
    %276 = tt.broadcast %274 : tensor<1x64xi64> -> tensor<32x64xi64>
    %277 = arith.addi %275, %276 : tensor<32x64xi64>
    %278 = tt.splat %out : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %279 = tt.addptr %278, %277 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %280 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %281 = arith.truncf %271 : tensor<32x64xf32> to tensor<32x64xbf16>
    %282 = tt.broadcast %280 : tensor<32x1xi1> -> tensor<32x64xi1>
    tt.store %279, %281, %282 : tensor<32x64x!tt.ptr<bf16>>
    %283 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %284 = tt.splat %84 : i32 -> tensor<16xi32>
    %285 = arith.addi %283, %284 : tensor<16xi32>
    %286 = tt.splat %264 : f32 -> tensor<32xf32>
    %287 = arith.cmpf oeq, %247#1, %286 : tensor<32xf32>
    %288 = arith.select %287, %267, %247#1 : tensor<32xi1>, tensor<32xf32>
    %289 = tt.expand_dims %288 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %290 = tt.broadcast %289 : tensor<32x1xf32> -> tensor<32x16xf32>
    %291 = arith.divf %247#3, %290 : tensor<32x16xf32>
    %292 = tt.expand_dims %66 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %293 = tt.expand_dims %285 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %294 = arith.extsi %293 : tensor<1x16xi32> to tensor<1x16xi64>
    %295 = tt.broadcast %292 : tensor<32x1xi64> -> tensor<32x16xi64>
    %296 = tt.broadcast %294 : tensor<1x16xi64> -> tensor<32x16xi64>
    %297 = arith.addi %295, %296 : tensor<32x16xi64>
    %298 = tt.splat %out : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %299 = tt.addptr %298, %297 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
    %300 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %301 = arith.truncf %291 : tensor<32x16xf32> to tensor<32x16xbf16>
    %302 = tt.broadcast %300 : tensor<32x1xi1> -> tensor<32x16xi1>
    tt.store %299, %301, %302 : tensor<32x16x!tt.ptr<bf16>>
    tt.return
  }
}
