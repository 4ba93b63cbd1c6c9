module {
  tt.func public @paged_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %start: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 160 : i32
    %16 = arith.constant 5 : i32
    %19 = arith.constant 0 : i32
    %23 = arith.constant 3 : i32
    %26 = arith.constant 15 : i32
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
    %109 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %110 = arith.constant dense<0.0e0> : tensor<16xf32>
    %111 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %112 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %130 = arith.constant 2560 : i64
    %140 = arith.constant 80 : i32
    %174 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %179 = arith.constant 8.333334e-3 : f32
    %182 = arith.constant 2.88539e0 : f32
    %186 = arith.constant dense<1.0e0> : tensor<16x32xf32>
    %187 = arith.constant dense<2.0e0> : tensor<16x32xf32>
    %188 = arith.constant 1.0e0 : f32
    %200 = arith.constant -2.3104905e28 : f32
    %208 = arith.constant 4.328085e1 : f32
    %273 = arith.constant 2 : i32
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
    %56 = tt.splat %23 : i32 -> tensor<16xi32>
    %57 = arith.divsi %22, %56 : tensor<16xi32>
    %58 = arith.muli %8, %35 : i32
    %59 = tt.splat %58 : i32 -> tensor<16xi32>
    %60 = arith.addi %59, %57 : tensor<16xi32>
    %61 = arith.extsi %60 : tensor<16xi32> to tensor<16xi64>
    %63 = tt.splat %62 : i64 -> tensor<16xi64>
    %64 = arith.muli %61, %63 : tensor<16xi64>
    %65 = arith.extsi %7 : i32 to i64
    %66 = tt.splat %65 : i64 -> tensor<16xi64>
    %67 = arith.addi %64, %66 : tensor<16xi64>
    %69 = tt.splat %68 : i64 -> tensor<16xi64>
    %70 = arith.muli %67, %69 : tensor<16xi64>
    %71 = tt.splat %23 : i32 -> tensor<16xi32>
    %72 = arith.muli %57, %71 : tensor<16xi32>
    %73 = arith.subi %22, %72 : tensor<16xi32>
    %74 = arith.extsi %73 : tensor<16xi32> to tensor<16xi64>
    %75 = arith.addi %70, %74 : tensor<16xi64>
    %77 = tt.splat %76 : i64 -> tensor<16xi64>
    %78 = arith.muli %75, %77 : tensor<16xi64>
    %79 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %80 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %81 = tt.splat %19 : i32 -> tensor<64xi32>
    %82 = arith.addi %80, %81 : tensor<64xi32>
    %83 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %84 = tt.expand_dims %82 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %85 = arith.extsi %84 : tensor<1x64xi32> to tensor<1x64xi64>
    %86 = tt.broadcast %83 : tensor<16x1xi64> -> tensor<16x64xi64>
    %87 = tt.broadcast %85 : tensor<1x64xi64> -> tensor<16x64xi64>
    %88 = arith.addi %86, %87 : tensor<16x64xi64>
    %89 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %90 = tt.addptr %89, %88 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %91 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x64xi1>
    %93 = tt.splat %92 : bf16 -> tensor<16x64xbf16>
    %94 = tt.load %90, %91, %93 : tensor<16x64x!tt.ptr<bf16>>
    %95 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %96 = tt.splat %50 : i32 -> tensor<16xi32>
    %97 = arith.addi %95, %96 : tensor<16xi32>
    %98 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %99 = tt.expand_dims %97 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %100 = arith.extsi %99 : tensor<1x16xi32> to tensor<1x16xi64>
    %101 = tt.broadcast %98 : tensor<16x1xi64> -> tensor<16x16xi64>
    %102 = tt.broadcast %100 : tensor<1x16xi64> -> tensor<16x16xi64>
    %103 = arith.addi %101, %102 : tensor<16x16xi64>
    %104 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %105 = tt.addptr %104, %103 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %106 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x16xi1>
    %107 = tt.splat %92 : bf16 -> tensor<16x16xbf16>
    %108 = tt.load %105, %106, %107 : tensor<16x16x!tt.ptr<bf16>>
    %269:4 = scf.for %113 = %53 to %55 step %40 iter_args(%114 = %109, %115 = %110, %116 = %111, %117 = %112) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %118 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %119 = tt.splat %113 : i32 -> tensor<32xi32>
      %120 = arith.addi %119, %118 : tensor<32xi32>
      %121 = tt.splat %55 : i32 -> tensor<32xi32>
      %122 = arith.cmpi slt, %120, %121 : tensor<32xi32>
      %123 = arith.divsi %113, %40 : i32
      %124 = tt.addptr %18, %123 : !tt.ptr<i32>, i32
      %125 = tt.load %124 : !tt.ptr<i32>
      %126 = arith.extsi %125 : i32 to i64
      %127 = arith.muli %126, %62 : i64
      %128 = arith.extsi %7 : i32 to i64
      %129 = arith.addi %127, %128 : i64
      %131 = arith.muli %129, %130 : i64
      %132 = arith.muli %123, %40 : i32
      %133 = tt.splat %132 : i32 -> tensor<32xi32>
      %134 = arith.subi %120, %133 : tensor<32xi32>
      %135 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %136 = tt.splat %19 : i32 -> tensor<64xi32>
      %137 = arith.addi %135, %136 : tensor<64xi32>
      %138 = tt.addptr %k, %131 : !tt.ptr<bf16>, i64
      %139 = tt.expand_dims %134 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %141 = tt.splat %140 : i32 -> tensor<32x1xi32>
      %142 = arith.muli %139, %141 : tensor<32x1xi32>
      %143 = tt.expand_dims %137 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %144 = tt.broadcast %142 : tensor<32x1xi32> -> tensor<32x64xi32>
      %145 = tt.broadcast %143 : tensor<1x64xi32> -> tensor<32x64xi32>
      %146 = arith.addi %144, %145 : tensor<32x64xi32>
      %147 = tt.splat %138 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %148 = tt.addptr %147, %146 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %149 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %150 = tt.broadcast %149 : tensor<32x1xi1> -> tensor<32x64xi1>
      %151 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %152 = tt.splat %50 : i32 -> tensor<16xi32>
      %153 = arith.addi %151, %152 : tensor<16xi32>
      %154 = tt.addptr %k, %131 : !tt.ptr<bf16>, i64
      %155 = tt.expand_dims %134 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %156 = tt.splat %140 : i32 -> tensor<32x1xi32>
      %157 = arith.muli %155, %156 : tensor<32x1xi32>
      %158 = tt.expand_dims %153 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %159 = tt.broadcast %157 : tensor<32x1xi32> -> tensor<32x16xi32>
      %160 = tt.broadcast %158 : tensor<1x16xi32> -> tensor<32x16xi32>
      %161 = arith.addi %159, %160 : tensor<32x16xi32>
      %162 = tt.splat %154 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %163 = tt.addptr %162, %161 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %164 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %165 = tt.broadcast %164 : tensor<32x1xi1> -> tensor<32x16xi1>
      %166 = tt.trans %148 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %167 = tt.trans %150 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %168 = tt.splat %92 : bf16 -> tensor<64x32xbf16>
      %169 = tt.load %166, %167, %168 : tensor<64x32x!tt.ptr<bf16>>
      %170 = tt.trans %163 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %171 = tt.trans %165 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %172 = tt.splat %92 : bf16 -> tensor<16x32xbf16>
      %173 = tt.load %170, %171, %172 : tensor<16x32x!tt.ptr<bf16>>
      %175 = tt.dot %94, %169, %174, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %176 = tt.dot %108, %173, %175, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %177 = tt.expand_dims %22 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %178 = tt.expand_dims %120 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %180 = tt.splat %179 : f32 -> tensor<16x32xf32>
      %181 = arith.mulf %176, %180 : tensor<16x32xf32>
      %183 = tt.splat %182 : f32 -> tensor<16x32xf32>
      %184 = arith.mulf %181, %183 : tensor<16x32xf32>
      %185 = math.exp2 %184 : tensor<16x32xf32>
      %189 = tt.splat %188 : f32 -> tensor<16x32xf32>
      %190 = arith.addf %185, %189 : tensor<16x32xf32>
      %191 = arith.divf %187, %190 : tensor<16x32xf32>
      %192 = arith.subf %186, %191 : tensor<16x32xf32>
      %193 = tt.expand_dims %120 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %194 = tt.expand_dims %122 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %195 = tt.splat %37 : i32 -> tensor<1x32xi32>
      %196 = arith.addi %193, %195 : tensor<1x32xi32>
      %197 = tt.splat %10 : i32 -> tensor<1x32xi32>
      %198 = arith.cmpi sgt, %196, %197 : tensor<1x32xi32>
      %199 = arith.andi %194, %198 : tensor<1x32xi1>
      %201 = tt.splat %200 : f32 -> tensor<16x32xf32>
      %202 = tt.broadcast %199 : tensor<1x32xi1> -> tensor<16x32xi1>
      %203 = arith.select %202, %192, %201 : tensor<16x32xi1>, tensor<16x32xf32>
      %207 = "tt.reduce"(%203) <{axis = 1 : i32}> ({
      ^bb0(%204: f32, %205: f32):
        %206 = arith.maxnumf %204, %205 : f32
        tt.reduce.return %206 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %209 = tt.splat %208 : f32 -> tensor<16xf32>
      %210 = arith.mulf %207, %209 : tensor<16xf32>
      %211 = arith.maxnumf %114, %210 : tensor<16xf32>
      %212 = tt.expand_dims %211 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %213 = arith.negf %212 : tensor<16x1xf32>
      %214 = tt.splat %208 : f32 -> tensor<16x32xf32>
      %215 = tt.broadcast %213 : tensor<16x1xf32> -> tensor<16x32xf32>
      %216 = math.fma %203, %214, %215 : tensor<16x32xf32>
      %217 = math.exp2 %216 : tensor<16x32xf32>
      %218 = arith.subf %114, %211 : tensor<16xf32>
      %219 = math.exp2 %218 : tensor<16xf32>
      %220 = arith.mulf %115, %219 : tensor<16xf32>
      %224 = "tt.reduce"(%217) <{axis = 1 : i32}> ({
      ^bb0(%221: f32, %222: f32):
        %223 = arith.addf %221, %222 : f32
        tt.reduce.return %223 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %225 = arith.addf %220, %224 : tensor<16xf32>
      %226 = arith.truncf %217 : tensor<16x32xf32> to tensor<16x32xbf16>
      %227 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %228 = tt.splat %19 : i32 -> tensor<64xi32>
      %229 = arith.addi %227, %228 : tensor<64xi32>
      %230 = tt.addptr %v, %131 : !tt.ptr<bf16>, i64
      %231 = tt.expand_dims %134 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %232 = tt.splat %140 : i32 -> tensor<32x1xi32>
      %233 = arith.muli %231, %232 : tensor<32x1xi32>
      %234 = tt.expand_dims %229 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %235 = tt.broadcast %233 : tensor<32x1xi32> -> tensor<32x64xi32>
      %236 = tt.broadcast %234 : tensor<1x64xi32> -> tensor<32x64xi32>
      %237 = arith.addi %235, %236 : tensor<32x64xi32>
      %238 = tt.splat %230 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %239 = tt.addptr %238, %237 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %240 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %241 = tt.broadcast %240 : tensor<32x1xi1> -> tensor<32x64xi1>
      %242 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %243 = tt.splat %50 : i32 -> tensor<16xi32>
      %244 = arith.addi %242, %243 : tensor<16xi32>
      %245 = tt.addptr %v, %131 : !tt.ptr<bf16>, i64
      %246 = tt.expand_dims %134 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %247 = tt.splat %140 : i32 -> tensor<32x1xi32>
      %248 = arith.muli %246, %247 : tensor<32x1xi32>
      %249 = tt.expand_dims %244 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %250 = tt.broadcast %248 : tensor<32x1xi32> -> tensor<32x16xi32>
      %251 = tt.broadcast %249 : tensor<1x16xi32> -> tensor<32x16xi32>
      %252 = arith.addi %250, %251 : tensor<32x16xi32>
      %253 = tt.splat %245 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %254 = tt.addptr %253, %252 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %255 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %256 = tt.broadcast %255 : tensor<32x1xi1> -> tensor<32x16xi1>
      %257 = tt.splat %92 : bf16 -> tensor<32x64xbf16>
      %258 = tt.load %239, %241, %257 : tensor<32x64x!tt.ptr<bf16>>
      %259 = tt.expand_dims %219 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %260 = tt.broadcast %259 : tensor<16x1xf32> -> tensor<16x64xf32>
      %261 = arith.mulf %116, %260 : tensor<16x64xf32>
      %262 = tt.dot %226, %258, %261, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %263 = tt.splat %92 : bf16 -> tensor<32x16xbf16>
      %264 = tt.load %254, %256, %263 : tensor<32x16x!tt.ptr<bf16>>
      %265 = tt.expand_dims %219 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %266 = tt.broadcast %265 : tensor<16x1xf32> -> tensor<16x16xf32>
      %267 = arith.mulf %117, %266 : tensor<16x16xf32>
      %268 = tt.dot %226, %264, %267, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %211, %225, %262, %268 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %274 = arith.muli %8, %273 : i32
    %275 = arith.addi %274, %7 : i32
    %276 = arith.muli %275, %23 : i32
    %277 = arith.addi %276, %6 : i32
    %278 = arith.extsi %277 : i32 to i64
    %279 = arith.muli %278, %68 : i64
    %280 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %281 = arith.extsi %280 : tensor<16xi32> to tensor<16xi64>
    %283 = tt.splat %279 : i64 -> tensor<16xi64>
    %284 = arith.addi %283, %281 : tensor<16xi64>
    %285 = tt.splat %76 : i64 -> tensor<16xi64>
    %286 = arith.muli %284, %285 : tensor<16xi64>
    %287 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %288 = tt.splat %19 : i32 -> tensor<64xi32>
    %289 = arith.addi %287, %288 : tensor<64xi32>
    %290 = tt.expand_dims %286 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %291 = tt.expand_dims %289 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %292 = arith.extsi %291 : tensor<1x64xi32> to tensor<1x64xi64>
    %293 = tt.broadcast %290 : tensor<16x1xi64> -> tensor<16x64xi64>
    %294 = tt.broadcast %292 : tensor<1x64xi64> -> tensor<16x64xi64>
    %295 = arith.addi %293, %294 : tensor<16x64xi64>
    %296 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %297 = tt.addptr %296, %295 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %298 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %299 = tt.broadcast %298 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %297, %269#2, %299 : tensor<16x64x!tt.ptr<f32>>
    %300 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %301 = tt.splat %50 : i32 -> tensor<16xi32>
    %302 = arith.addi %300, %301 : tensor<16xi32>
    %303 = tt.expand_dims %286 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %304 = tt.expand_dims %302 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %305 = arith.extsi %304 : tensor<1x16xi32> to tensor<1x16xi64>
    %306 = tt.broadcast %303 : tensor<16x1xi64> -> tensor<16x16xi64>
    %307 = tt.broadcast %305 : tensor<1x16xi64> -> tensor<16x16xi64>
    %308 = arith.addi %306, %307 : tensor<16x16xi64>
    %309 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %310 = tt.addptr %309, %308 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %311 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %312 = tt.broadcast %311 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %310, %269#3, %312 : tensor<16x16x!tt.ptr<f32>>
    %314 = tt.splat %279 : i64 -> tensor<16xi64>
    %315 = arith.addi %314, %281 : tensor<16xi64>
    %316 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %317 = tt.addptr %316, %315 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %317, %269#0, %25 : tensor<16x!tt.ptr<f32>>
    %319 = tt.splat %279 : i64 -> tensor<16xi64>
    %320 = arith.addi %319, %281 : tensor<16xi64>
    %321 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %322 = tt.addptr %321, %320 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %322, %269#1, %25 : tensor<16x!tt.ptr<f32>>
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
    %37 = arith.constant 1 : i32
    %42 = arith.constant 31 : i32
    %55 = arith.constant 7 : i32
    %60 = arith.constant 2 : i64
    %66 = arith.constant 3 : i64
    %74 = arith.constant 80 : i64
    %90 = arith.constant 0.0e0 : bf16
    %94 = arith.constant 64 : i32
    %108 = arith.constant dense<-2.0e29> : tensor<32xf32>
    %109 = arith.constant dense<0.0e0> : tensor<32xf32>
    %110 = arith.constant dense<0.0e0> : tensor<32x64xf32>
    %111 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %122 = arith.constant 10 : i32
    %135 = arith.constant 800 : i64
    %141 = arith.constant 80 : i32
    %180 = arith.constant dense<0.0e0> : tensor<32x32xf32>
    %192 = arith.constant -2.772589e30 : f32
    %199 = arith.constant 3.6067376e-1 : f32
    %260 = arith.constant 2 : i32
    %273 = arith.constant 0.0e0 : f32
    %276 = arith.constant dense<1.0e0> : tensor<32xf32>
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
    %31 = tt.splat %12 : i32 -> tensor<32xi32>
    %32 = arith.cmpi slt, %30, %31 : tensor<32xi32>
    %33 = tt.splat %28 : i32 -> tensor<32xi32>
    %34 = arith.divsi %24, %33 : tensor<32xi32>
    %35 = tt.splat %10 : i32 -> tensor<32xi32>
    %36 = arith.addi %35, %34 : tensor<32xi32>
    %38 = arith.subi %21, %37 : i32
    %39 = tt.splat %38 : i32 -> tensor<32xi32>
    %40 = arith.select %32, %36, %39 : tensor<32xi1>, tensor<32xi32>
    %41 = tt.expand_dims %40 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %43 = arith.addi %20, %42 : i32
    %44 = arith.divsi %20, %28 : i32
    %45 = arith.addi %10, %44 : i32
    %46 = arith.divsi %43, %28 : i32
    %47 = arith.addi %10, %46 : i32
    %48 = arith.addi %47, %37 : i32
    %49 = arith.minsi %15, %48 : i32
    %50 = arith.subi %45, %10 : i32
    %51 = arith.cmpi slt, %50, %12 : i32
    %52 = arith.select %51, %49, %21 : i32
    %53 = tt.splat %28 : i32 -> tensor<32xi32>
    %54 = arith.divsi %24, %53 : tensor<32xi32>
    %56 = arith.muli %8, %55 : i32
    %57 = tt.splat %56 : i32 -> tensor<32xi32>
    %58 = arith.addi %57, %54 : tensor<32xi32>
    %59 = arith.extsi %58 : tensor<32xi32> to tensor<32xi64>
    %61 = tt.splat %60 : i64 -> tensor<32xi64>
    %62 = arith.muli %59, %61 : tensor<32xi64>
    %63 = arith.extsi %7 : i32 to i64
    %64 = tt.splat %63 : i64 -> tensor<32xi64>
    %65 = arith.addi %62, %64 : tensor<32xi64>
    %67 = tt.splat %66 : i64 -> tensor<32xi64>
    %68 = arith.muli %65, %67 : tensor<32xi64>
    %69 = tt.splat %28 : i32 -> tensor<32xi32>
    %70 = arith.muli %54, %69 : tensor<32xi32>
    %71 = arith.subi %24, %70 : tensor<32xi32>
    %72 = arith.extsi %71 : tensor<32xi32> to tensor<32xi64>
    %73 = arith.addi %68, %72 : tensor<32xi64>
    %75 = tt.splat %74 : i64 -> tensor<32xi64>
    %76 = arith.muli %73, %75 : tensor<32xi64>
    %77 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %78 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %79 = tt.splat %21 : i32 -> tensor<64xi32>
    %80 = arith.addi %78, %79 : tensor<64xi32>
    %81 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %82 = tt.expand_dims %80 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %83 = arith.extsi %82 : tensor<1x64xi32> to tensor<1x64xi64>
    %84 = tt.broadcast %81 : tensor<32x1xi64> -> tensor<32x64xi64>
    %85 = tt.broadcast %83 : tensor<1x64xi64> -> tensor<32x64xi64>
    %86 = arith.addi %84, %85 : tensor<32x64xi64>
    %87 = tt.splat %q : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %88 = tt.addptr %87, %86 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %89 = tt.broadcast %77 : tensor<32x1xi1> -> tensor<32x64xi1>
    %91 = tt.splat %90 : bf16 -> tensor<32x64xbf16>
    %92 = tt.load %88, %89, %91 : tensor<32x64x!tt.ptr<bf16>>
    %93 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %95 = tt.splat %94 : i32 -> tensor<16xi32>
    %96 = arith.addi %93, %95 : tensor<16xi32>
    %97 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %98 = tt.expand_dims %96 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %99 = arith.extsi %98 : tensor<1x16xi32> to tensor<1x16xi64>
    %100 = tt.broadcast %97 : tensor<32x1xi64> -> tensor<32x16xi64>
    %101 = tt.broadcast %99 : tensor<1x16xi64> -> tensor<32x16xi64>
    %102 = arith.addi %100, %101 : tensor<32x16xi64>
    %103 = tt.splat %q : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %104 = tt.addptr %103, %102 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
    %105 = tt.broadcast %77 : tensor<32x1xi1> -> tensor<32x16xi1>
    %106 = tt.splat %90 : bf16 -> tensor<32x16xbf16>
    %107 = tt.load %104, %105, %106 : tensor<32x16x!tt.ptr<bf16>>
    %256:4 = scf.for %112 = %21 to %52 step %19 iter_args(%113 = %108, %114 = %109, %115 = %110, %116 = %111) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x16xf32>) : i32 {
      %117 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %118 = tt.splat %112 : i32 -> tensor<32xi32>
      %119 = arith.addi %118, %117 : tensor<32xi32>
      %120 = tt.splat %52 : i32 -> tensor<32xi32>
      %121 = arith.cmpi slt, %119, %120 : tensor<32xi32>
      %123 = tt.splat %122 : i32 -> tensor<32xi32>
      %124 = arith.divsi %119, %123 : tensor<32xi32>
      %125 = tt.splat %18 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
      %126 = tt.addptr %125, %124 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
      %127 = tt.splat %21 : i32 -> tensor<32xi32>
      %128 = tt.load %126, %121, %127 : tensor<32x!tt.ptr<i32>>
      %129 = arith.extsi %128 : tensor<32xi32> to tensor<32xi64>
      %130 = tt.splat %60 : i64 -> tensor<32xi64>
      %131 = arith.muli %129, %130 : tensor<32xi64>
      %132 = arith.extsi %7 : i32 to i64
      %133 = tt.splat %132 : i64 -> tensor<32xi64>
      %134 = arith.addi %131, %133 : tensor<32xi64>
      %136 = tt.splat %135 : i64 -> tensor<32xi64>
      %137 = arith.muli %134, %136 : tensor<32xi64>
      %138 = tt.splat %122 : i32 -> tensor<32xi32>
      %139 = arith.muli %124, %138 : tensor<32xi32>
      %140 = arith.subi %119, %139 : tensor<32xi32>
      %142 = tt.splat %141 : i32 -> tensor<32xi32>
      %143 = arith.muli %140, %142 : tensor<32xi32>
      %144 = arith.extsi %143 : tensor<32xi32> to tensor<32xi64>
      %145 = arith.addi %137, %144 : tensor<32xi64>
      %146 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %147 = tt.splat %21 : i32 -> tensor<64xi32>
      %148 = arith.addi %146, %147 : tensor<64xi32>
      %149 = tt.expand_dims %145 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %150 = tt.expand_dims %148 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %151 = arith.extsi %150 : tensor<1x64xi32> to tensor<1x64xi64>
      %152 = tt.broadcast %149 : tensor<32x1xi64> -> tensor<32x64xi64>
      %153 = tt.broadcast %151 : tensor<1x64xi64> -> tensor<32x64xi64>
      %154 = arith.addi %152, %153 : tensor<32x64xi64>
      %155 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %156 = tt.addptr %155, %154 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
      %157 = tt.expand_dims %121 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %158 = tt.broadcast %157 : tensor<32x1xi1> -> tensor<32x64xi1>
      %159 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %160 = tt.splat %94 : i32 -> tensor<16xi32>
      %161 = arith.addi %159, %160 : tensor<16xi32>
      %162 = tt.expand_dims %145 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %163 = tt.expand_dims %161 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %164 = arith.extsi %163 : tensor<1x16xi32> to tensor<1x16xi64>
      %165 = tt.broadcast %162 : tensor<32x1xi64> -> tensor<32x16xi64>
      %166 = tt.broadcast %164 : tensor<1x16xi64> -> tensor<32x16xi64>
      %167 = arith.addi %165, %166 : tensor<32x16xi64>
      %168 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %169 = tt.addptr %168, %167 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
      %170 = tt.expand_dims %121 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %171 = tt.broadcast %170 : tensor<32x1xi1> -> tensor<32x16xi1>
      %172 = tt.trans %156 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %173 = tt.trans %158 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %174 = tt.splat %90 : bf16 -> tensor<64x32xbf16>
      %175 = tt.load %172, %173, %174 : tensor<64x32x!tt.ptr<bf16>>
      %176 = tt.trans %169 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %177 = tt.trans %171 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %178 = tt.splat %90 : bf16 -> tensor<16x32xbf16>
      %179 = tt.load %176, %177, %178 : tensor<16x32x!tt.ptr<bf16>>
      %181 = tt.dot %92, %175, %180, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x32xbf16> -> tensor<32x32xf32>
      %182 = tt.dot %107, %179, %181, inputPrecision = tf32 : tensor<32x16xbf16> * tensor<16x32xbf16> -> tensor<32x32xf32>
      %183 = tt.expand_dims %24 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %184 = tt.expand_dims %119 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %185 = tt.expand_dims %119 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %186 = tt.expand_dims %121 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %187 = tt.broadcast %41 : tensor<32x1xi32> -> tensor<32x32xi32>
      %188 = tt.broadcast %185 : tensor<1x32xi32> -> tensor<32x32xi32>
      %189 = arith.cmpi sge, %187, %188 : tensor<32x32xi32>
      %190 = tt.broadcast %186 : tensor<1x32xi1> -> tensor<32x32xi1>
      %191 = arith.andi %190, %189 : tensor<32x32xi1>
      %193 = tt.splat %192 : f32 -> tensor<32x32xf32>
      %194 = arith.select %191, %182, %193 : tensor<32x32xi1>, tensor<32x32xf32>
      %198 = "tt.reduce"(%194) <{axis = 1 : i32}> ({
      ^bb0(%195: f32, %196: f32):
        %197 = arith.maxnumf %195, %196 : f32
        tt.reduce.return %197 : f32
      }) : (tensor<32x32xf32>) -> (tensor<32xf32>)
      %200 = tt.splat %199 : f32 -> tensor<32xf32>
      %201 = arith.mulf %198, %200 : tensor<32xf32>
      %202 = arith.maxnumf %113, %201 : tensor<32xf32>
      %203 = tt.expand_dims %202 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %204 = arith.negf %203 : tensor<32x1xf32>
      %205 = tt.splat %199 : f32 -> tensor<32x32xf32>
      %206 = tt.broadcast %204 : tensor<32x1xf32> -> tensor<32x32xf32>
      %207 = math.fma %194, %205, %206 : tensor<32x32xf32>
      %208 = math.exp2 %207 : tensor<32x32xf32>
      %209 = arith.subf %113, %202 : tensor<32xf32>
      %210 = math.exp2 %209 : tensor<32xf32>
      %211 = arith.mulf %114, %210 : tensor<32xf32>
      %215 = "tt.reduce"(%208) <{axis = 1 : i32}> ({
      ^bb0(%212: f32, %213: f32):
        %214 = arith.addf %212, %213 : f32
        tt.reduce.return %214 : f32
      }) : (tensor<32x32xf32>) -> (tensor<32xf32>)
      %216 = arith.addf %211, %215 : tensor<32xf32>
      %217 = arith.truncf %208 : tensor<32x32xf32> to tensor<32x32xbf16>
      %218 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %219 = tt.splat %21 : i32 -> tensor<64xi32>
      %220 = arith.addi %218, %219 : tensor<64xi32>
      %221 = tt.expand_dims %145 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %222 = tt.expand_dims %220 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %223 = arith.extsi %222 : tensor<1x64xi32> to tensor<1x64xi64>
      %224 = tt.broadcast %221 : tensor<32x1xi64> -> tensor<32x64xi64>
      %225 = tt.broadcast %223 : tensor<1x64xi64> -> tensor<32x64xi64>
      %226 = arith.addi %224, %225 : tensor<32x64xi64>
      %227 = tt.splat %v : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %228 = tt.addptr %227, %226 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
      %229 = tt.expand_dims %121 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %230 = tt.broadcast %229 : tensor<32x1xi1> -> tensor<32x64xi1>
      %231 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %232 = tt.splat %94 : i32 -> tensor<16xi32>
      %233 = arith.addi %231, %232 : tensor<16xi32>
      %234 = tt.expand_dims %145 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %235 = tt.expand_dims %233 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %236 = arith.extsi %235 : tensor<1x16xi32> to tensor<1x16xi64>
      %237 = tt.broadcast %234 : tensor<32x1xi64> -> tensor<32x16xi64>
      %238 = tt.broadcast %236 : tensor<1x16xi64> -> tensor<32x16xi64>
      %239 = arith.addi %237, %238 : tensor<32x16xi64>
      %240 = tt.splat %v : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %241 = tt.addptr %240, %239 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
      %242 = tt.expand_dims %121 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %243 = tt.broadcast %242 : tensor<32x1xi1> -> tensor<32x16xi1>
      %244 = tt.splat %90 : bf16 -> tensor<32x64xbf16>
      %245 = tt.load %228, %230, %244 : tensor<32x64x!tt.ptr<bf16>>
      %246 = tt.expand_dims %210 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %247 = tt.broadcast %246 : tensor<32x1xf32> -> tensor<32x64xf32>
      %248 = arith.mulf %115, %247 : tensor<32x64xf32>
      %249 = tt.dot %217, %245, %248, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x64xbf16> -> tensor<32x64xf32>
      %250 = tt.splat %90 : bf16 -> tensor<32x16xbf16>
      %251 = tt.load %241, %243, %250 : tensor<32x16x!tt.ptr<bf16>>
      %252 = tt.expand_dims %210 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %253 = tt.broadcast %252 : tensor<32x1xf32> -> tensor<32x16xf32>
      %254 = arith.mulf %116, %253 : tensor<32x16xf32>
      %255 = tt.dot %217, %251, %254, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      scf.yield %202, %216, %249, %255 : tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x16xf32>
    }
    %261 = arith.muli %8, %260 : i32
    %262 = arith.addi %261, %7 : i32
    %263 = arith.muli %262, %37 : i32
    %264 = arith.addi %263, %21 : i32
    %265 = arith.extsi %264 : i32 to i64
    %266 = arith.muli %265, %66 : i64
    %267 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %268 = arith.extsi %267 : tensor<32xi32> to tensor<32xi64>
    %270 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %271 = tt.splat %21 : i32 -> tensor<64xi32>
    %272 = arith.addi %270, %271 : tensor<64xi32>
    %274 = tt.splat %273 : f32 -> tensor<32xf32>
    %275 = arith.cmpf oeq, %256#1, %274 : tensor<32xf32>
    %277 = arith.select %275, %276, %256#1 : tensor<32xi1>, tensor<32xf32>
    %278 = tt.expand_dims %277 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %279 = tt.broadcast %278 : tensor<32x1xf32> -> tensor<32x64xf32>
    %280 = arith.divf %256#2, %279 : tensor<32x64xf32>
    %281 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %282 = tt.expand_dims %272 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %283 = arith.extsi %282 : tensor<1x64xi32> to tensor<1x64xi64>
    %284 = tt.broadcast %281 : tensor<32x1xi64> -> tensor<32x64xi64>
    %285 = tt.broadcast %283 : tensor<1x64xi64> -> tensor<32x64xi64>
    %286 = arith.addi %284, %285 : tensor<32x64xi64>
    %287 = tt.splat %out : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %288 = tt.addptr %287, %286 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %289 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %290 = arith.truncf %280 : tensor<32x64xf32> to tensor<32x64xbf16>
    %291 = tt.broadcast %289 : tensor<32x1xi1> -> tensor<32x64xi1>
    tt.store %288, %290, %291 : tensor<32x64x!tt.ptr<bf16>>
    %292 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %293 = tt.splat %94 : i32 -> tensor<16xi32>
    %294 = arith.addi %292, %293 : tensor<16xi32>
    %295 = tt.splat %273 : f32 -> tensor<32xf32>
    %296 = arith.cmpf oeq, %256#1, %295 : tensor<32xf32>
    %297 = arith.select %296, %276, %256#1 : tensor<32xi1>, tensor<32xf32>
    %298 = tt.expand_dims %297 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %299 = tt.broadcast %298 : tensor<32x1xf32> -> tensor<32x16xf32>
    %300 = arith.divf %256#3, %299 : tensor<32x16xf32>
    %301 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %302 = tt.expand_dims %294 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %303 = arith.extsi %302 : tensor<1x16xi32> to tensor<1x16xi64>
    %304 = tt.broadcast %301 : tensor<32x1xi64> -> tensor<32x16xi64>
    %305 = tt.broadcast %303 : tensor<1x16xi64> -> tensor<32x16xi64>
    %306 = arith.addi %304, %305 : tensor<32x16xi64>
    %307 = tt.splat %out : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %308 = tt.addptr %307, %306 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
    %309 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %310 = arith.truncf %300 : tensor<32x16xf32> to tensor<32x16xbf16>
    %311 = tt.broadcast %309 : tensor<32x1xi1> -> tensor<32x16xi1>
    tt.store %308, %310, %311 : tensor<32x16x!tt.ptr<bf16>>
    tt.return
  }
}
module {
  tt.func public @paged_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f8E4M3FNUZ> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f8E4M3FNUZ> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %start: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 160 : i32
    %16 = arith.constant 5 : i32
    %19 = arith.constant 0 : i32
    %23 = arith.constant 3 : i32
    %26 = arith.constant 15 : i32
    %37 = arith.constant 95 : i32
    %39 = arith.constant 96 : i32
    %41 = arith.constant 32 : i32
    %43 = arith.constant 64 : i32
    %51 = arith.constant 1 : i32
    %56 = arith.constant 2 : i64
    %62 = arith.constant 3 : i64
    %70 = arith.constant 80 : i64
    %86 = arith.constant 0.0e0 : bf16
    %103 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %104 = arith.constant dense<0.0e0> : tensor<16xf32>
    %105 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %106 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %124 = arith.constant 2560 : i64
    %134 = arith.constant 80 : i32
    %162 = arith.constant 0.0e0 : f8E4M3FNUZ
    %171 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %178 = arith.constant -2.772589e30 : f32
    %186 = arith.constant 3.6067376e-1 : f32
    %253 = arith.constant 2 : i32
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
    %32 = arith.subi %29, %10 : i32
    %33 = arith.cmpi slt, %32, %12 : i32
    %34 = arith.select %33, %15, %19 : i32
    %35 = arith.subi %34, %19 : i32
    %36 = arith.maxsi %35, %19 : i32
    %38 = arith.addi %36, %37 : i32
    %40 = arith.divsi %38, %39 : i32
    %42 = arith.muli %40, %41 : i32
    %44 = arith.maxsi %42, %43 : i32
    %45 = arith.muli %6, %44 : i32
    %46 = arith.addi %19, %45 : i32
    %47 = arith.addi %46, %44 : i32
    %48 = arith.minsi %34, %47 : i32
    %49 = tt.splat %23 : i32 -> tensor<16xi32>
    %50 = arith.divsi %22, %49 : tensor<16xi32>
    %52 = arith.muli %8, %51 : i32
    %53 = tt.splat %52 : i32 -> tensor<16xi32>
    %54 = arith.addi %53, %50 : tensor<16xi32>
    %55 = arith.extsi %54 : tensor<16xi32> to tensor<16xi64>
    %57 = tt.splat %56 : i64 -> tensor<16xi64>
    %58 = arith.muli %55, %57 : tensor<16xi64>
    %59 = arith.extsi %7 : i32 to i64
    %60 = tt.splat %59 : i64 -> tensor<16xi64>
    %61 = arith.addi %58, %60 : tensor<16xi64>
    %63 = tt.splat %62 : i64 -> tensor<16xi64>
    %64 = arith.muli %61, %63 : tensor<16xi64>
    %65 = tt.splat %23 : i32 -> tensor<16xi32>
    %66 = arith.muli %50, %65 : tensor<16xi32>
    %67 = arith.subi %22, %66 : tensor<16xi32>
    %68 = arith.extsi %67 : tensor<16xi32> to tensor<16xi64>
    %69 = arith.addi %64, %68 : tensor<16xi64>
    %71 = tt.splat %70 : i64 -> tensor<16xi64>
    %72 = arith.muli %69, %71 : tensor<16xi64>
    %73 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %74 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %75 = tt.splat %19 : i32 -> tensor<64xi32>
    %76 = arith.addi %74, %75 : tensor<64xi32>
    %77 = tt.expand_dims %72 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %78 = tt.expand_dims %76 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %79 = arith.extsi %78 : tensor<1x64xi32> to tensor<1x64xi64>
    %80 = tt.broadcast %77 : tensor<16x1xi64> -> tensor<16x64xi64>
    %81 = tt.broadcast %79 : tensor<1x64xi64> -> tensor<16x64xi64>
    %82 = arith.addi %80, %81 : tensor<16x64xi64>
    %83 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %84 = tt.addptr %83, %82 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %85 = tt.broadcast %73 : tensor<16x1xi1> -> tensor<16x64xi1>
    %87 = tt.splat %86 : bf16 -> tensor<16x64xbf16>
    %88 = tt.load %84, %85, %87 : tensor<16x64x!tt.ptr<bf16>>
    %89 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %90 = tt.splat %43 : i32 -> tensor<16xi32>
    %91 = arith.addi %89, %90 : tensor<16xi32>
    %92 = tt.expand_dims %72 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %93 = tt.expand_dims %91 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %94 = arith.extsi %93 : tensor<1x16xi32> to tensor<1x16xi64>
    %95 = tt.broadcast %92 : tensor<16x1xi64> -> tensor<16x16xi64>
    %96 = tt.broadcast %94 : tensor<1x16xi64> -> tensor<16x16xi64>
    %97 = arith.addi %95, %96 : tensor<16x16xi64>
    %98 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %99 = tt.addptr %98, %97 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %100 = tt.broadcast %73 : tensor<16x1xi1> -> tensor<16x16xi1>
    %101 = tt.splat %86 : bf16 -> tensor<16x16xbf16>
    %102 = tt.load %99, %100, %101 : tensor<16x16x!tt.ptr<bf16>>
    %249:4 = scf.for %107 = %46 to %48 step %41 iter_args(%108 = %103, %109 = %104, %110 = %105, %111 = %106) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %112 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %113 = tt.splat %107 : i32 -> tensor<32xi32>
      %114 = arith.addi %113, %112 : tensor<32xi32>
      %115 = tt.splat %48 : i32 -> tensor<32xi32>
      %116 = arith.cmpi slt, %114, %115 : tensor<32xi32>
      %117 = arith.divsi %107, %41 : i32
      %118 = tt.addptr %18, %117 : !tt.ptr<i32>, i32
      %119 = tt.load %118 : !tt.ptr<i32>
      %120 = arith.extsi %119 : i32 to i64
      %121 = arith.muli %120, %56 : i64
      %122 = arith.extsi %7 : i32 to i64
      %123 = arith.addi %121, %122 : i64
      %125 = arith.muli %123, %124 : i64
      %126 = arith.muli %117, %41 : i32
      %127 = tt.splat %126 : i32 -> tensor<32xi32>
      %128 = arith.subi %114, %127 : tensor<32xi32>
      %129 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %130 = tt.splat %19 : i32 -> tensor<64xi32>
      %131 = arith.addi %129, %130 : tensor<64xi32>
      %132 = tt.addptr %k, %125 : !tt.ptr<f8E4M3FNUZ>, i64
      %133 = tt.expand_dims %128 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %135 = tt.splat %134 : i32 -> tensor<32x1xi32>
      %136 = arith.muli %133, %135 : tensor<32x1xi32>
      %137 = tt.expand_dims %131 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %138 = tt.broadcast %136 : tensor<32x1xi32> -> tensor<32x64xi32>
      %139 = tt.broadcast %137 : tensor<1x64xi32> -> tensor<32x64xi32>
      %140 = arith.addi %138, %139 : tensor<32x64xi32>
      %141 = tt.splat %132 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x64x!tt.ptr<f8E4M3FNUZ>>
      %142 = tt.addptr %141, %140 : tensor<32x64x!tt.ptr<f8E4M3FNUZ>>, tensor<32x64xi32>
      %143 = tt.expand_dims %116 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %144 = tt.broadcast %143 : tensor<32x1xi1> -> tensor<32x64xi1>
      %145 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %146 = tt.splat %43 : i32 -> tensor<16xi32>
      %147 = arith.addi %145, %146 : tensor<16xi32>
      %148 = tt.addptr %k, %125 : !tt.ptr<f8E4M3FNUZ>, i64
      %149 = tt.expand_dims %128 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %150 = tt.splat %134 : i32 -> tensor<32x1xi32>
      %151 = arith.muli %149, %150 : tensor<32x1xi32>
      %152 = tt.expand_dims %147 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %153 = tt.broadcast %151 : tensor<32x1xi32> -> tensor<32x16xi32>
      %154 = tt.broadcast %152 : tensor<1x16xi32> -> tensor<32x16xi32>
      %155 = arith.addi %153, %154 : tensor<32x16xi32>
      %156 = tt.splat %148 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x16x!tt.ptr<f8E4M3FNUZ>>
      %157 = tt.addptr %156, %155 : tensor<32x16x!tt.ptr<f8E4M3FNUZ>>, tensor<32x16xi32>
      %158 = tt.expand_dims %116 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %159 = tt.broadcast %158 : tensor<32x1xi1> -> tensor<32x16xi1>
      %160 = tt.trans %142 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<f8E4M3FNUZ>> -> tensor<64x32x!tt.ptr<f8E4M3FNUZ>>
      %161 = tt.trans %144 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %163 = tt.splat %162 : f8E4M3FNUZ -> tensor<64x32xf8E4M3FNUZ>
      %164 = tt.load %160, %161, %163 : tensor<64x32x!tt.ptr<f8E4M3FNUZ>>
      %165 = tt.fp_to_fp %164 : tensor<64x32xf8E4M3FNUZ> -> tensor<64x32xbf16>
      %166 = tt.trans %157 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<f8E4M3FNUZ>> -> tensor<16x32x!tt.ptr<f8E4M3FNUZ>>
      %167 = tt.trans %159 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %168 = tt.splat %162 : f8E4M3FNUZ -> tensor<16x32xf8E4M3FNUZ>
      %169 = tt.load %166, %167, %168 : tensor<16x32x!tt.ptr<f8E4M3FNUZ>>
      %170 = tt.fp_to_fp %169 : tensor<16x32xf8E4M3FNUZ> -> tensor<16x32xbf16>
      %172 = tt.dot %88, %165, %171, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %173 = tt.dot %102, %170, %172, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %174 = tt.expand_dims %22 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %175 = tt.expand_dims %114 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %176 = tt.expand_dims %114 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %177 = tt.expand_dims %116 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %179 = tt.splat %178 : f32 -> tensor<16x32xf32>
      %180 = tt.broadcast %177 : tensor<1x32xi1> -> tensor<16x32xi1>
      %181 = arith.select %180, %173, %179 : tensor<16x32xi1>, tensor<16x32xf32>
      %185 = "tt.reduce"(%181) <{axis = 1 : i32}> ({
      ^bb0(%182: f32, %183: f32):
        %184 = arith.maxnumf %182, %183 : f32
        tt.reduce.return %184 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %187 = tt.splat %186 : f32 -> tensor<16xf32>
      %188 = arith.mulf %185, %187 : tensor<16xf32>
      %189 = arith.maxnumf %108, %188 : tensor<16xf32>
      %190 = tt.expand_dims %189 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %191 = arith.negf %190 : tensor<16x1xf32>
      %192 = tt.splat %186 : f32 -> tensor<16x32xf32>
      %193 = tt.broadcast %191 : tensor<16x1xf32> -> tensor<16x32xf32>
      %194 = math.fma %181, %192, %193 : tensor<16x32xf32>
      %195 = math.exp2 %194 : tensor<16x32xf32>
      %196 = arith.subf %108, %189 : tensor<16xf32>
      %197 = math.exp2 %196 : tensor<16xf32>
      %198 = arith.mulf %109, %197 : tensor<16xf32>
      %202 = "tt.reduce"(%195) <{axis = 1 : i32}> ({
      ^bb0(%199: f32, %200: f32):
        %201 = arith.addf %199, %200 : f32
        tt.reduce.return %201 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %203 = arith.addf %198, %202 : tensor<16xf32>
      %204 = arith.truncf %195 : tensor<16x32xf32> to tensor<16x32xbf16>
      %205 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %206 = tt.splat %19 : i32 -> tensor<64xi32>
      %207 = arith.addi %205, %206 : tensor<64xi32>
      %208 = tt.addptr %v, %125 : !tt.ptr<f8E4M3FNUZ>, i64
      %209 = tt.expand_dims %128 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %210 = tt.splat %134 : i32 -> tensor<32x1xi32>
      %211 = arith.muli %209, %210 : tensor<32x1xi32>
      %212 = tt.expand_dims %207 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %213 = tt.broadcast %211 : tensor<32x1xi32> -> tensor<32x64xi32>
      %214 = tt.broadcast %212 : tensor<1x64xi32> -> tensor<32x64xi32>
      %215 = arith.addi %213, %214 : tensor<32x64xi32>
      %216 = tt.splat %208 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x64x!tt.ptr<f8E4M3FNUZ>>
      %217 = tt.addptr %216, %215 : tensor<32x64x!tt.ptr<f8E4M3FNUZ>>, tensor<32x64xi32>
      %218 = tt.expand_dims %116 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %219 = tt.broadcast %218 : tensor<32x1xi1> -> tensor<32x64xi1>
      %220 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %221 = tt.splat %43 : i32 -> tensor<16xi32>
      %222 = arith.addi %220, %221 : tensor<16xi32>
      %223 = tt.addptr %v, %125 : !tt.ptr<f8E4M3FNUZ>, i64
      %224 = tt.expand_dims %128 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %225 = tt.splat %134 : i32 -> tensor<32x1xi32>
      %226 = arith.muli %224, %225 : tensor<32x1xi32>
      %227 = tt.expand_dims %222 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %228 = tt.broadcast %226 : tensor<32x1xi32> -> tensor<32x16xi32>
      %229 = tt.broadcast %227 : tensor<1x16xi32> -> tensor<32x16xi32>
      %230 = arith.addi %228, %229 : tensor<32x16xi32>
      %231 = tt.splat %223 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x16x!tt.ptr<f8E4M3FNUZ>>
      %232 = tt.addptr %231, %230 : tensor<32x16x!tt.ptr<f8E4M3FNUZ>>, tensor<32x16xi32>
      %233 = tt.expand_dims %116 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %234 = tt.broadcast %233 : tensor<32x1xi1> -> tensor<32x16xi1>
      %235 = tt.splat %162 : f8E4M3FNUZ -> tensor<32x64xf8E4M3FNUZ>
      %236 = tt.load %217, %219, %235 : tensor<32x64x!tt.ptr<f8E4M3FNUZ>>
      %237 = tt.fp_to_fp %236 : tensor<32x64xf8E4M3FNUZ> -> tensor<32x64xbf16>
      %238 = tt.expand_dims %197 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %239 = tt.broadcast %238 : tensor<16x1xf32> -> tensor<16x64xf32>
      %240 = arith.mulf %110, %239 : tensor<16x64xf32>
      %241 = tt.dot %204, %237, %240, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %242 = tt.splat %162 : f8E4M3FNUZ -> tensor<32x16xf8E4M3FNUZ>
      %243 = tt.load %232, %234, %242 : tensor<32x16x!tt.ptr<f8E4M3FNUZ>>
      %244 = tt.fp_to_fp %243 : tensor<32x16xf8E4M3FNUZ> -> tensor<32x16xbf16>
      %245 = tt.expand_dims %197 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %246 = tt.broadcast %245 : tensor<16x1xf32> -> tensor<16x16xf32>
      %247 = arith.mulf %111, %246 : tensor<16x16xf32>
      %248 = tt.dot %204, %244, %247, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %189, %203, %241, %248 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %254 = arith.muli %8, %253 : i32
    %255 = arith.addi %254, %7 : i32
    %256 = arith.muli %255, %23 : i32
    %257 = arith.addi %256, %6 : i32
    %258 = arith.extsi %257 : i32 to i64
    %259 = arith.muli %258, %62 : i64
    %260 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %261 = arith.extsi %260 : tensor<16xi32> to tensor<16xi64>
    %263 = tt.splat %259 : i64 -> tensor<16xi64>
    %264 = arith.addi %263, %261 : tensor<16xi64>
    %265 = tt.splat %70 : i64 -> tensor<16xi64>
    %266 = arith.muli %264, %265 : tensor<16xi64>
    %267 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %268 = tt.splat %19 : i32 -> tensor<64xi32>
    %269 = arith.addi %267, %268 : tensor<64xi32>
    %270 = tt.expand_dims %266 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %271 = tt.expand_dims %269 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %272 = arith.extsi %271 : tensor<1x64xi32> to tensor<1x64xi64>
    %273 = tt.broadcast %270 : tensor<16x1xi64> -> tensor<16x64xi64>
    %274 = tt.broadcast %272 : tensor<1x64xi64> -> tensor<16x64xi64>
    %275 = arith.addi %273, %274 : tensor<16x64xi64>
    %276 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %277 = tt.addptr %276, %275 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %278 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %279 = tt.broadcast %278 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %277, %249#2, %279 : tensor<16x64x!tt.ptr<f32>>
    %280 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %281 = tt.splat %43 : i32 -> tensor<16xi32>
    %282 = arith.addi %280, %281 : tensor<16xi32>
    %283 = tt.expand_dims %266 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %284 = tt.expand_dims %282 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %285 = arith.extsi %284 : tensor<1x16xi32> to tensor<1x16xi64>
    %286 = tt.broadcast %283 : tensor<16x1xi64> -> tensor<16x16xi64>
    %287 = tt.broadcast %285 : tensor<1x16xi64> -> tensor<16x16xi64>
    %288 = arith.addi %286, %287 : tensor<16x16xi64>
    %289 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %290 = tt.addptr %289, %288 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %291 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %292 = tt.broadcast %291 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %290, %249#3, %292 : tensor<16x16x!tt.ptr<f32>>
    %294 = tt.splat %259 : i64 -> tensor<16xi64>
    %295 = arith.addi %294, %261 : tensor<16xi64>
    %296 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %297 = tt.addptr %296, %295 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %297, %249#0, %25 : tensor<16x!tt.ptr<f32>>
    %299 = tt.splat %259 : i64 -> tensor<16xi64>
    %300 = arith.addi %299, %261 : tensor<16xi64>
    %301 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %302 = tt.addptr %301, %300 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %302, %249#1, %25 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
