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
    %110 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %111 = arith.constant dense<0.0e0> : tensor<16xf32>
    %112 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %113 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %131 = arith.constant 2560 : i64
    %141 = arith.constant 80 : i32
    %175 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %180 = arith.constant 8.333334e-3 : f32
    %183 = arith.constant 2.88539e0 : f32
    %187 = arith.constant dense<1.0e0> : tensor<16x32xf32>
    %188 = arith.constant dense<2.0e0> : tensor<16x32xf32>
    %189 = arith.constant 1.0e0 : f32
    %201 = arith.constant -2.3104905e28 : f32
    %209 = arith.constant 4.328085e1 : f32
    %274 = arith.constant 2 : i32
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
    %79 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %80 = tt.splat %19 : i32 -> tensor<64xi32>
    %81 = arith.addi %79, %80 : tensor<64xi32>
    %82 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %83 = tt.expand_dims %81 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %84 = arith.extsi %83 : tensor<1x64xi32> to tensor<1x64xi64>
    %85 = tt.broadcast %82 : tensor<16x1xi64> -> tensor<16x64xi64>
    %86 = tt.broadcast %84 : tensor<1x64xi64> -> tensor<16x64xi64>
    %87 = arith.addi %85, %86 : tensor<16x64xi64>
    %88 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %89 = tt.addptr %88, %87 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %90 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %91 = tt.broadcast %90 : tensor<16x1xi1> -> tensor<16x64xi1>
    %93 = tt.splat %92 : bf16 -> tensor<16x64xbf16>
    %94 = tt.load %89, %91, %93 : tensor<16x64x!tt.ptr<bf16>>
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
    %106 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %107 = tt.broadcast %106 : tensor<16x1xi1> -> tensor<16x16xi1>
    %108 = tt.splat %92 : bf16 -> tensor<16x16xbf16>
    %109 = tt.load %105, %107, %108 : tensor<16x16x!tt.ptr<bf16>>
    %270:4 = scf.for %114 = %53 to %55 step %40 iter_args(%115 = %110, %116 = %111, %117 = %112, %118 = %113) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %119 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %120 = tt.splat %114 : i32 -> tensor<32xi32>
      %121 = arith.addi %120, %119 : tensor<32xi32>
      %122 = tt.splat %55 : i32 -> tensor<32xi32>
      %123 = arith.cmpi slt, %121, %122 : tensor<32xi32>
      %124 = arith.divsi %114, %40 : i32
      %125 = tt.addptr %18, %124 : !tt.ptr<i32>, i32
      %126 = tt.load %125 : !tt.ptr<i32>
      %127 = arith.extsi %126 : i32 to i64
      %128 = arith.muli %127, %62 : i64
      %129 = arith.extsi %7 : i32 to i64
      %130 = arith.addi %128, %129 : i64
      %132 = arith.muli %130, %131 : i64
      %133 = arith.muli %124, %40 : i32
      %134 = tt.splat %133 : i32 -> tensor<32xi32>
      %135 = arith.subi %121, %134 : tensor<32xi32>
      %136 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %137 = tt.splat %19 : i32 -> tensor<64xi32>
      %138 = arith.addi %136, %137 : tensor<64xi32>
      %139 = tt.addptr %k, %132 : !tt.ptr<bf16>, i64
      %140 = tt.expand_dims %135 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %142 = tt.splat %141 : i32 -> tensor<32x1xi32>
      %143 = arith.muli %140, %142 : tensor<32x1xi32>
      %144 = tt.expand_dims %138 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %145 = tt.broadcast %143 : tensor<32x1xi32> -> tensor<32x64xi32>
      %146 = tt.broadcast %144 : tensor<1x64xi32> -> tensor<32x64xi32>
      %147 = arith.addi %145, %146 : tensor<32x64xi32>
      %148 = tt.splat %139 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %149 = tt.addptr %148, %147 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %150 = tt.expand_dims %123 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %151 = tt.broadcast %150 : tensor<32x1xi1> -> tensor<32x64xi1>
      %152 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %153 = tt.splat %50 : i32 -> tensor<16xi32>
      %154 = arith.addi %152, %153 : tensor<16xi32>
      %155 = tt.addptr %k, %132 : !tt.ptr<bf16>, i64
      %156 = tt.expand_dims %135 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %157 = tt.splat %141 : i32 -> tensor<32x1xi32>
      %158 = arith.muli %156, %157 : tensor<32x1xi32>
      %159 = tt.expand_dims %154 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %160 = tt.broadcast %158 : tensor<32x1xi32> -> tensor<32x16xi32>
      %161 = tt.broadcast %159 : tensor<1x16xi32> -> tensor<32x16xi32>
      %162 = arith.addi %160, %161 : tensor<32x16xi32>
      %163 = tt.splat %155 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %164 = tt.addptr %163, %162 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %165 = tt.expand_dims %123 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %166 = tt.broadcast %165 : tensor<32x1xi1> -> tensor<32x16xi1>
      %167 = tt.trans %149 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %168 = tt.trans %151 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %169 = tt.splat %92 : bf16 -> tensor<64x32xbf16>
      %170 = tt.load %167, %168, %169 : tensor<64x32x!tt.ptr<bf16>>
      %171 = tt.trans %164 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %172 = tt.trans %166 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %173 = tt.splat %92 : bf16 -> tensor<16x32xbf16>
      %174 = tt.load %171, %172, %173 : tensor<16x32x!tt.ptr<bf16>>
      %176 = tt.dot %94, %170, %175, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %177 = tt.dot %109, %174, %176, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %178 = tt.expand_dims %22 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %179 = tt.expand_dims %121 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %181 = tt.splat %180 : f32 -> tensor<16x32xf32>
      %182 = arith.mulf %177, %181 : tensor<16x32xf32>
      %184 = tt.splat %183 : f32 -> tensor<16x32xf32>
      %185 = arith.mulf %182, %184 : tensor<16x32xf32>
      %186 = math.exp2 %185 : tensor<16x32xf32>
      %190 = tt.splat %189 : f32 -> tensor<16x32xf32>
      %191 = arith.addf %186, %190 : tensor<16x32xf32>
      %192 = arith.divf %188, %191 : tensor<16x32xf32>
      %193 = arith.subf %187, %192 : tensor<16x32xf32>
      %194 = tt.expand_dims %121 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %195 = tt.expand_dims %123 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %196 = tt.splat %37 : i32 -> tensor<1x32xi32>
      %197 = arith.addi %194, %196 : tensor<1x32xi32>
      %198 = tt.splat %10 : i32 -> tensor<1x32xi32>
      %199 = arith.cmpi sgt, %197, %198 : tensor<1x32xi32>
      %200 = arith.andi %195, %199 : tensor<1x32xi1>
      %202 = tt.splat %201 : f32 -> tensor<16x32xf32>
      %203 = tt.broadcast %200 : tensor<1x32xi1> -> tensor<16x32xi1>
      %204 = arith.select %203, %193, %202 : tensor<16x32xi1>, tensor<16x32xf32>
      %208 = "tt.reduce"(%204) <{axis = 1 : i32}> ({
      ^bb0(%205: f32, %206: f32):
        %207 = arith.maxnumf %205, %206 : f32
        tt.reduce.return %207 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %210 = tt.splat %209 : f32 -> tensor<16xf32>
      %211 = arith.mulf %208, %210 : tensor<16xf32>
      %212 = arith.maxnumf %115, %211 : tensor<16xf32>
      %213 = tt.expand_dims %212 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %214 = arith.negf %213 : tensor<16x1xf32>
      %215 = tt.splat %209 : f32 -> tensor<16x32xf32>
      %216 = tt.broadcast %214 : tensor<16x1xf32> -> tensor<16x32xf32>
      %217 = math.fma %204, %215, %216 : tensor<16x32xf32>
      %218 = math.exp2 %217 : tensor<16x32xf32>
      %219 = arith.subf %115, %212 : tensor<16xf32>
      %220 = math.exp2 %219 : tensor<16xf32>
      %221 = arith.mulf %116, %220 : tensor<16xf32>
      %225 = "tt.reduce"(%218) <{axis = 1 : i32}> ({
      ^bb0(%222: f32, %223: f32):
        %224 = arith.addf %222, %223 : f32
        tt.reduce.return %224 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %226 = arith.addf %221, %225 : tensor<16xf32>
      %227 = arith.truncf %218 : tensor<16x32xf32> to tensor<16x32xbf16>
      %228 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %229 = tt.splat %19 : i32 -> tensor<64xi32>
      %230 = arith.addi %228, %229 : tensor<64xi32>
      %231 = tt.addptr %v, %132 : !tt.ptr<bf16>, i64
      %232 = tt.expand_dims %135 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %233 = tt.splat %141 : i32 -> tensor<32x1xi32>
      %234 = arith.muli %232, %233 : tensor<32x1xi32>
      %235 = tt.expand_dims %230 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %236 = tt.broadcast %234 : tensor<32x1xi32> -> tensor<32x64xi32>
      %237 = tt.broadcast %235 : tensor<1x64xi32> -> tensor<32x64xi32>
      %238 = arith.addi %236, %237 : tensor<32x64xi32>
      %239 = tt.splat %231 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %240 = tt.addptr %239, %238 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %241 = tt.expand_dims %123 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %242 = tt.broadcast %241 : tensor<32x1xi1> -> tensor<32x64xi1>
      %243 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %244 = tt.splat %50 : i32 -> tensor<16xi32>
      %245 = arith.addi %243, %244 : tensor<16xi32>
      %246 = tt.addptr %v, %132 : !tt.ptr<bf16>, i64
      %247 = tt.expand_dims %135 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %248 = tt.splat %141 : i32 -> tensor<32x1xi32>
      %249 = arith.muli %247, %248 : tensor<32x1xi32>
      %250 = tt.expand_dims %245 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %251 = tt.broadcast %249 : tensor<32x1xi32> -> tensor<32x16xi32>
      %252 = tt.broadcast %250 : tensor<1x16xi32> -> tensor<32x16xi32>
      %253 = arith.addi %251, %252 : tensor<32x16xi32>
      %254 = tt.splat %246 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %255 = tt.addptr %254, %253 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %256 = tt.expand_dims %123 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %257 = tt.broadcast %256 : tensor<32x1xi1> -> tensor<32x16xi1>
      %258 = tt.splat %92 : bf16 -> tensor<32x64xbf16>
      %259 = tt.load %240, %242, %258 : tensor<32x64x!tt.ptr<bf16>>
      %260 = tt.expand_dims %220 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %261 = tt.broadcast %260 : tensor<16x1xf32> -> tensor<16x64xf32>
      %262 = arith.mulf %117, %261 : tensor<16x64xf32>
      %263 = tt.dot %227, %259, %262, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %264 = tt.splat %92 : bf16 -> tensor<32x16xbf16>
      %265 = tt.load %255, %257, %264 : tensor<32x16x!tt.ptr<bf16>>
      %266 = tt.expand_dims %220 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %267 = tt.broadcast %266 : tensor<16x1xf32> -> tensor<16x16xf32>
      %268 = arith.mulf %118, %267 : tensor<16x16xf32>
      %269 = tt.dot %227, %265, %268, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %212, %226, %263, %269 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %275 = arith.muli %8, %274 : i32
    %276 = arith.addi %275, %7 : i32
    %277 = arith.muli %276, %23 : i32
    %278 = arith.addi %277, %6 : i32
    %279 = arith.extsi %278 : i32 to i64
    %280 = arith.muli %279, %68 : i64
    %281 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %282 = arith.extsi %281 : tensor<16xi32> to tensor<16xi64>
    %284 = tt.splat %280 : i64 -> tensor<16xi64>
    %285 = arith.addi %284, %282 : tensor<16xi64>
    %286 = tt.splat %76 : i64 -> tensor<16xi64>
    %287 = arith.muli %285, %286 : tensor<16xi64>
    %288 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %289 = tt.splat %19 : i32 -> tensor<64xi32>
    %290 = arith.addi %288, %289 : tensor<64xi32>
    %291 = tt.expand_dims %287 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %292 = tt.expand_dims %290 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %293 = arith.extsi %292 : tensor<1x64xi32> to tensor<1x64xi64>
    %294 = tt.broadcast %291 : tensor<16x1xi64> -> tensor<16x64xi64>
    %295 = tt.broadcast %293 : tensor<1x64xi64> -> tensor<16x64xi64>
    %296 = arith.addi %294, %295 : tensor<16x64xi64>
    %297 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %298 = tt.addptr %297, %296 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %299 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %300 = tt.broadcast %299 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %298, %270#2, %300 : tensor<16x64x!tt.ptr<f32>>
    %301 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %302 = tt.splat %50 : i32 -> tensor<16xi32>
    %303 = arith.addi %301, %302 : tensor<16xi32>
    %304 = tt.expand_dims %287 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %305 = tt.expand_dims %303 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %306 = arith.extsi %305 : tensor<1x16xi32> to tensor<1x16xi64>
    %307 = tt.broadcast %304 : tensor<16x1xi64> -> tensor<16x16xi64>
    %308 = tt.broadcast %306 : tensor<1x16xi64> -> tensor<16x16xi64>
    %309 = arith.addi %307, %308 : tensor<16x16xi64>
    %310 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %311 = tt.addptr %310, %309 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %312 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %313 = tt.broadcast %312 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %311, %270#3, %313 : tensor<16x16x!tt.ptr<f32>>
    %315 = tt.splat %280 : i64 -> tensor<16xi64>
    %316 = arith.addi %315, %282 : tensor<16xi64>
    %317 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %318 = tt.addptr %317, %316 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %318, %270#0, %25 : tensor<16x!tt.ptr<f32>>
    %320 = tt.splat %280 : i64 -> tensor<16xi64>
    %321 = arith.addi %320, %282 : tensor<16xi64>
    %322 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %323 = tt.addptr %322, %321 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %323, %270#1, %25 : tensor<16x!tt.ptr<f32>>
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
    %109 = arith.constant dense<-2.0e29> : tensor<32xf32>
    %110 = arith.constant dense<0.0e0> : tensor<32xf32>
    %111 = arith.constant dense<0.0e0> : tensor<32x64xf32>
    %112 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %123 = arith.constant 10 : i32
    %136 = arith.constant 800 : i64
    %142 = arith.constant 80 : i32
    %181 = arith.constant dense<0.0e0> : tensor<32x32xf32>
    %193 = arith.constant -2.772589e30 : f32
    %200 = arith.constant 3.6067376e-1 : f32
    %261 = arith.constant 2 : i32
    %274 = arith.constant 0.0e0 : f32
    %277 = arith.constant dense<1.0e0> : tensor<32xf32>
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
    %77 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %78 = tt.splat %21 : i32 -> tensor<64xi32>
    %79 = arith.addi %77, %78 : tensor<64xi32>
    %80 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %81 = tt.expand_dims %79 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %82 = arith.extsi %81 : tensor<1x64xi32> to tensor<1x64xi64>
    %83 = tt.broadcast %80 : tensor<32x1xi64> -> tensor<32x64xi64>
    %84 = tt.broadcast %82 : tensor<1x64xi64> -> tensor<32x64xi64>
    %85 = arith.addi %83, %84 : tensor<32x64xi64>
    %86 = tt.splat %q : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %87 = tt.addptr %86, %85 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %88 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %89 = tt.broadcast %88 : tensor<32x1xi1> -> tensor<32x64xi1>
    %91 = tt.splat %90 : bf16 -> tensor<32x64xbf16>
    %92 = tt.load %87, %89, %91 : tensor<32x64x!tt.ptr<bf16>>
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
    %105 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %106 = tt.broadcast %105 : tensor<32x1xi1> -> tensor<32x16xi1>
    %107 = tt.splat %90 : bf16 -> tensor<32x16xbf16>
    %108 = tt.load %104, %106, %107 : tensor<32x16x!tt.ptr<bf16>>
    %257:4 = scf.for %113 = %21 to %52 step %19 iter_args(%114 = %109, %115 = %110, %116 = %111, %117 = %112) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x16xf32>) : i32 {
      %118 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %119 = tt.splat %113 : i32 -> tensor<32xi32>
      %120 = arith.addi %119, %118 : tensor<32xi32>
      %121 = tt.splat %52 : i32 -> tensor<32xi32>
      %122 = arith.cmpi slt, %120, %121 : tensor<32xi32>
      %124 = tt.splat %123 : i32 -> tensor<32xi32>
      %125 = arith.divsi %120, %124 : tensor<32xi32>
      %126 = tt.splat %18 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
      %127 = tt.addptr %126, %125 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
      %128 = tt.splat %21 : i32 -> tensor<32xi32>
      %129 = tt.load %127, %122, %128 : tensor<32x!tt.ptr<i32>>
      %130 = arith.extsi %129 : tensor<32xi32> to tensor<32xi64>
      %131 = tt.splat %60 : i64 -> tensor<32xi64>
      %132 = arith.muli %130, %131 : tensor<32xi64>
      %133 = arith.extsi %7 : i32 to i64
      %134 = tt.splat %133 : i64 -> tensor<32xi64>
      %135 = arith.addi %132, %134 : tensor<32xi64>
      %137 = tt.splat %136 : i64 -> tensor<32xi64>
      %138 = arith.muli %135, %137 : tensor<32xi64>
      %139 = tt.splat %123 : i32 -> tensor<32xi32>
      %140 = arith.muli %125, %139 : tensor<32xi32>
      %141 = arith.subi %120, %140 : tensor<32xi32>
      %143 = tt.splat %142 : i32 -> tensor<32xi32>
      %144 = arith.muli %141, %143 : tensor<32xi32>
      %145 = arith.extsi %144 : tensor<32xi32> to tensor<32xi64>
      %146 = arith.addi %138, %145 : tensor<32xi64>
      %147 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %148 = tt.splat %21 : i32 -> tensor<64xi32>
      %149 = arith.addi %147, %148 : tensor<64xi32>
      %150 = tt.expand_dims %146 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %151 = tt.expand_dims %149 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %152 = arith.extsi %151 : tensor<1x64xi32> to tensor<1x64xi64>
      %153 = tt.broadcast %150 : tensor<32x1xi64> -> tensor<32x64xi64>
      %154 = tt.broadcast %152 : tensor<1x64xi64> -> tensor<32x64xi64>
      %155 = arith.addi %153, %154 : tensor<32x64xi64>
      %156 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %157 = tt.addptr %156, %155 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
      %158 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %159 = tt.broadcast %158 : tensor<32x1xi1> -> tensor<32x64xi1>
      %160 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %161 = tt.splat %94 : i32 -> tensor<16xi32>
      %162 = arith.addi %160, %161 : tensor<16xi32>
      %163 = tt.expand_dims %146 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %164 = tt.expand_dims %162 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %165 = arith.extsi %164 : tensor<1x16xi32> to tensor<1x16xi64>
      %166 = tt.broadcast %163 : tensor<32x1xi64> -> tensor<32x16xi64>
      %167 = tt.broadcast %165 : tensor<1x16xi64> -> tensor<32x16xi64>
      %168 = arith.addi %166, %167 : tensor<32x16xi64>
      %169 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %170 = tt.addptr %169, %168 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
      %171 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %172 = tt.broadcast %171 : tensor<32x1xi1> -> tensor<32x16xi1>
      %173 = tt.trans %157 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %174 = tt.trans %159 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %175 = tt.splat %90 : bf16 -> tensor<64x32xbf16>
      %176 = tt.load %173, %174, %175 : tensor<64x32x!tt.ptr<bf16>>
      %177 = tt.trans %170 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %178 = tt.trans %172 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %179 = tt.splat %90 : bf16 -> tensor<16x32xbf16>
      %180 = tt.load %177, %178, %179 : tensor<16x32x!tt.ptr<bf16>>
      %182 = tt.dot %92, %176, %181, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x32xbf16> -> tensor<32x32xf32>
      %183 = tt.dot %108, %180, %182, inputPrecision = tf32 : tensor<32x16xbf16> * tensor<16x32xbf16> -> tensor<32x32xf32>
      %184 = tt.expand_dims %24 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %185 = tt.expand_dims %120 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %186 = tt.expand_dims %120 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %187 = tt.expand_dims %122 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %188 = tt.broadcast %41 : tensor<32x1xi32> -> tensor<32x32xi32>
      %189 = tt.broadcast %186 : tensor<1x32xi32> -> tensor<32x32xi32>
      %190 = arith.cmpi sge, %188, %189 : tensor<32x32xi32>
      %191 = tt.broadcast %187 : tensor<1x32xi1> -> tensor<32x32xi1>
      %192 = arith.andi %191, %190 : tensor<32x32xi1>
      %194 = tt.splat %193 : f32 -> tensor<32x32xf32>
      %195 = arith.select %192, %183, %194 : tensor<32x32xi1>, tensor<32x32xf32>
      %199 = "tt.reduce"(%195) <{axis = 1 : i32}> ({
      ^bb0(%196: f32, %197: f32):
        %198 = arith.maxnumf %196, %197 : f32
        tt.reduce.return %198 : f32
      }) : (tensor<32x32xf32>) -> (tensor<32xf32>)
      %201 = tt.splat %200 : f32 -> tensor<32xf32>
      %202 = arith.mulf %199, %201 : tensor<32xf32>
      %203 = arith.maxnumf %114, %202 : tensor<32xf32>
      %204 = tt.expand_dims %203 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %205 = arith.negf %204 : tensor<32x1xf32>
      %206 = tt.splat %200 : f32 -> tensor<32x32xf32>
      %207 = tt.broadcast %205 : tensor<32x1xf32> -> tensor<32x32xf32>
      %208 = math.fma %195, %206, %207 : tensor<32x32xf32>
      %209 = math.exp2 %208 : tensor<32x32xf32>
      %210 = arith.subf %114, %203 : tensor<32xf32>
      %211 = math.exp2 %210 : tensor<32xf32>
      %212 = arith.mulf %115, %211 : tensor<32xf32>
      %216 = "tt.reduce"(%209) <{axis = 1 : i32}> ({
      ^bb0(%213: f32, %214: f32):
        %215 = arith.addf %213, %214 : f32
        tt.reduce.return %215 : f32
      }) : (tensor<32x32xf32>) -> (tensor<32xf32>)
      %217 = arith.addf %212, %216 : tensor<32xf32>
      %218 = arith.truncf %209 : tensor<32x32xf32> to tensor<32x32xbf16>
      %219 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %220 = tt.splat %21 : i32 -> tensor<64xi32>
      %221 = arith.addi %219, %220 : tensor<64xi32>
      %222 = tt.expand_dims %146 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %223 = tt.expand_dims %221 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %224 = arith.extsi %223 : tensor<1x64xi32> to tensor<1x64xi64>
      %225 = tt.broadcast %222 : tensor<32x1xi64> -> tensor<32x64xi64>
      %226 = tt.broadcast %224 : tensor<1x64xi64> -> tensor<32x64xi64>
      %227 = arith.addi %225, %226 : tensor<32x64xi64>
      %228 = tt.splat %v : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %229 = tt.addptr %228, %227 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
      %230 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %231 = tt.broadcast %230 : tensor<32x1xi1> -> tensor<32x64xi1>
      %232 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %233 = tt.splat %94 : i32 -> tensor<16xi32>
      %234 = arith.addi %232, %233 : tensor<16xi32>
      %235 = tt.expand_dims %146 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %236 = tt.expand_dims %234 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %237 = arith.extsi %236 : tensor<1x16xi32> to tensor<1x16xi64>
      %238 = tt.broadcast %235 : tensor<32x1xi64> -> tensor<32x16xi64>
      %239 = tt.broadcast %237 : tensor<1x16xi64> -> tensor<32x16xi64>
      %240 = arith.addi %238, %239 : tensor<32x16xi64>
      %241 = tt.splat %v : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %242 = tt.addptr %241, %240 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
      %243 = tt.expand_dims %122 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %244 = tt.broadcast %243 : tensor<32x1xi1> -> tensor<32x16xi1>
      %245 = tt.splat %90 : bf16 -> tensor<32x64xbf16>
      %246 = tt.load %229, %231, %245 : tensor<32x64x!tt.ptr<bf16>>
      %247 = tt.expand_dims %211 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %248 = tt.broadcast %247 : tensor<32x1xf32> -> tensor<32x64xf32>
      %249 = arith.mulf %116, %248 : tensor<32x64xf32>
      %250 = tt.dot %218, %246, %249, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x64xbf16> -> tensor<32x64xf32>
      %251 = tt.splat %90 : bf16 -> tensor<32x16xbf16>
      %252 = tt.load %242, %244, %251 : tensor<32x16x!tt.ptr<bf16>>
      %253 = tt.expand_dims %211 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %254 = tt.broadcast %253 : tensor<32x1xf32> -> tensor<32x16xf32>
      %255 = arith.mulf %117, %254 : tensor<32x16xf32>
      %256 = tt.dot %218, %252, %255, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      scf.yield %203, %217, %250, %256 : tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x16xf32>
    }
    %262 = arith.muli %8, %261 : i32
    %263 = arith.addi %262, %7 : i32
    %264 = arith.muli %263, %37 : i32
    %265 = arith.addi %264, %21 : i32
    %266 = arith.extsi %265 : i32 to i64
    %267 = arith.muli %266, %66 : i64
    %268 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %269 = arith.extsi %268 : tensor<32xi32> to tensor<32xi64>
    %271 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %272 = tt.splat %21 : i32 -> tensor<64xi32>
    %273 = arith.addi %271, %272 : tensor<64xi32>
    %275 = tt.splat %274 : f32 -> tensor<32xf32>
    %276 = arith.cmpf oeq, %257#1, %275 : tensor<32xf32>
    %278 = arith.select %276, %277, %257#1 : tensor<32xi1>, tensor<32xf32>
    %279 = tt.expand_dims %278 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %280 = tt.broadcast %279 : tensor<32x1xf32> -> tensor<32x64xf32>
    %281 = arith.divf %257#2, %280 : tensor<32x64xf32>
    %282 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %283 = tt.expand_dims %273 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %284 = arith.extsi %283 : tensor<1x64xi32> to tensor<1x64xi64>
    %285 = tt.broadcast %282 : tensor<32x1xi64> -> tensor<32x64xi64>
    %286 = tt.broadcast %284 : tensor<1x64xi64> -> tensor<32x64xi64>
    %287 = arith.addi %285, %286 : tensor<32x64xi64>
    %288 = tt.splat %out : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %289 = tt.addptr %288, %287 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %290 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %291 = arith.truncf %281 : tensor<32x64xf32> to tensor<32x64xbf16>
    %292 = tt.broadcast %290 : tensor<32x1xi1> -> tensor<32x64xi1>
    tt.store %289, %291, %292 : tensor<32x64x!tt.ptr<bf16>>
    %293 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %294 = tt.splat %94 : i32 -> tensor<16xi32>
    %295 = arith.addi %293, %294 : tensor<16xi32>
    %296 = tt.splat %274 : f32 -> tensor<32xf32>
    %297 = arith.cmpf oeq, %257#1, %296 : tensor<32xf32>
    %298 = arith.select %297, %277, %257#1 : tensor<32xi1>, tensor<32xf32>
    %299 = tt.expand_dims %298 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %300 = tt.broadcast %299 : tensor<32x1xf32> -> tensor<32x16xf32>
    %301 = arith.divf %257#3, %300 : tensor<32x16xf32>
    %302 = tt.expand_dims %76 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %303 = tt.expand_dims %295 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %304 = arith.extsi %303 : tensor<1x16xi32> to tensor<1x16xi64>
    %305 = tt.broadcast %302 : tensor<32x1xi64> -> tensor<32x16xi64>
    %306 = tt.broadcast %304 : tensor<1x16xi64> -> tensor<32x16xi64>
    %307 = arith.addi %305, %306 : tensor<32x16xi64>
    %308 = tt.splat %out : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %309 = tt.addptr %308, %307 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi64>
    %310 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %311 = arith.truncf %301 : tensor<32x16xf32> to tensor<32x16xbf16>
    %312 = tt.broadcast %310 : tensor<32x1xi1> -> tensor<32x16xi1>
    tt.store %309, %311, %312 : tensor<32x16x!tt.ptr<bf16>>
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
    %104 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %105 = arith.constant dense<0.0e0> : tensor<16xf32>
    %106 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %107 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %125 = arith.constant 2560 : i64
    %135 = arith.constant 80 : i32
    %163 = arith.constant 0.0e0 : f8E4M3FNUZ
    %172 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %179 = arith.constant -2.772589e30 : f32
    %187 = arith.constant 3.6067376e-1 : f32
    %254 = arith.constant 2 : i32
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
    %73 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %74 = tt.splat %19 : i32 -> tensor<64xi32>
    %75 = arith.addi %73, %74 : tensor<64xi32>
    %76 = tt.expand_dims %72 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %77 = tt.expand_dims %75 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %78 = arith.extsi %77 : tensor<1x64xi32> to tensor<1x64xi64>
    %79 = tt.broadcast %76 : tensor<16x1xi64> -> tensor<16x64xi64>
    %80 = tt.broadcast %78 : tensor<1x64xi64> -> tensor<16x64xi64>
    %81 = arith.addi %79, %80 : tensor<16x64xi64>
    %82 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %83 = tt.addptr %82, %81 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %84 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %85 = tt.broadcast %84 : tensor<16x1xi1> -> tensor<16x64xi1>
    %87 = tt.splat %86 : bf16 -> tensor<16x64xbf16>
    %88 = tt.load %83, %85, %87 : tensor<16x64x!tt.ptr<bf16>>
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
    %100 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %101 = tt.broadcast %100 : tensor<16x1xi1> -> tensor<16x16xi1>
    %102 = tt.splat %86 : bf16 -> tensor<16x16xbf16>
    %103 = tt.load %99, %101, %102 : tensor<16x16x!tt.ptr<bf16>>
    %250:4 = scf.for %108 = %46 to %48 step %41 iter_args(%109 = %104, %110 = %105, %111 = %106, %112 = %107) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %113 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %114 = tt.splat %108 : i32 -> tensor<32xi32>
      %115 = arith.addi %114, %113 : tensor<32xi32>
      %116 = tt.splat %48 : i32 -> tensor<32xi32>
      %117 = arith.cmpi slt, %115, %116 : tensor<32xi32>
      %118 = arith.divsi %108, %41 : i32
      %119 = tt.addptr %18, %118 : !tt.ptr<i32>, i32
      %120 = tt.load %119 : !tt.ptr<i32>
      %121 = arith.extsi %120 : i32 to i64
      %122 = arith.muli %121, %56 : i64
      %123 = arith.extsi %7 : i32 to i64
      %124 = arith.addi %122, %123 : i64
      %126 = arith.muli %124, %125 : i64
      %127 = arith.muli %118, %41 : i32
      %128 = tt.splat %127 : i32 -> tensor<32xi32>
      %129 = arith.subi %115, %128 : tensor<32xi32>
      %130 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %131 = tt.splat %19 : i32 -> tensor<64xi32>
      %132 = arith.addi %130, %131 : tensor<64xi32>
      %133 = tt.addptr %k, %126 : !tt.ptr<f8E4M3FNUZ>, i64
      %134 = tt.expand_dims %129 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %136 = tt.splat %135 : i32 -> tensor<32x1xi32>
      %137 = arith.muli %134, %136 : tensor<32x1xi32>
      %138 = tt.expand_dims %132 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %139 = tt.broadcast %137 : tensor<32x1xi32> -> tensor<32x64xi32>
      %140 = tt.broadcast %138 : tensor<1x64xi32> -> tensor<32x64xi32>
      %141 = arith.addi %139, %140 : tensor<32x64xi32>
      %142 = tt.splat %133 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x64x!tt.ptr<f8E4M3FNUZ>>
      %143 = tt.addptr %142, %141 : tensor<32x64x!tt.ptr<f8E4M3FNUZ>>, tensor<32x64xi32>
      %144 = tt.expand_dims %117 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %145 = tt.broadcast %144 : tensor<32x1xi1> -> tensor<32x64xi1>
      %146 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %147 = tt.splat %43 : i32 -> tensor<16xi32>
      %148 = arith.addi %146, %147 : tensor<16xi32>
      %149 = tt.addptr %k, %126 : !tt.ptr<f8E4M3FNUZ>, i64
      %150 = tt.expand_dims %129 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %151 = tt.splat %135 : i32 -> tensor<32x1xi32>
      %152 = arith.muli %150, %151 : tensor<32x1xi32>
      %153 = tt.expand_dims %148 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %154 = tt.broadcast %152 : tensor<32x1xi32> -> tensor<32x16xi32>
      %155 = tt.broadcast %153 : tensor<1x16xi32> -> tensor<32x16xi32>
      %156 = arith.addi %154, %155 : tensor<32x16xi32>
      %157 = tt.splat %149 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x16x!tt.ptr<f8E4M3FNUZ>>
      %158 = tt.addptr %157, %156 : tensor<32x16x!tt.ptr<f8E4M3FNUZ>>, tensor<32x16xi32>
      %159 = tt.expand_dims %117 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %160 = tt.broadcast %159 : tensor<32x1xi1> -> tensor<32x16xi1>
      %161 = tt.trans %143 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<f8E4M3FNUZ>> -> tensor<64x32x!tt.ptr<f8E4M3FNUZ>>
      %162 = tt.trans %145 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %164 = tt.splat %163 : f8E4M3FNUZ -> tensor<64x32xf8E4M3FNUZ>
      %165 = tt.load %161, %162, %164 : tensor<64x32x!tt.ptr<f8E4M3FNUZ>>
      %166 = tt.fp_to_fp %165 : tensor<64x32xf8E4M3FNUZ> -> tensor<64x32xbf16>
      %167 = tt.trans %158 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<f8E4M3FNUZ>> -> tensor<16x32x!tt.ptr<f8E4M3FNUZ>>
      %168 = tt.trans %160 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %169 = tt.splat %163 : f8E4M3FNUZ -> tensor<16x32xf8E4M3FNUZ>
      %170 = tt.load %167, %168, %169 : tensor<16x32x!tt.ptr<f8E4M3FNUZ>>
      %171 = tt.fp_to_fp %170 : tensor<16x32xf8E4M3FNUZ> -> tensor<16x32xbf16>
      %173 = tt.dot %88, %166, %172, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %174 = tt.dot %103, %171, %173, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %175 = tt.expand_dims %22 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %176 = tt.expand_dims %115 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %177 = tt.expand_dims %115 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %178 = tt.expand_dims %117 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %180 = tt.splat %179 : f32 -> tensor<16x32xf32>
      %181 = tt.broadcast %178 : tensor<1x32xi1> -> tensor<16x32xi1>
      %182 = arith.select %181, %174, %180 : tensor<16x32xi1>, tensor<16x32xf32>
      %186 = "tt.reduce"(%182) <{axis = 1 : i32}> ({
      ^bb0(%183: f32, %184: f32):
        %185 = arith.maxnumf %183, %184 : f32
        tt.reduce.return %185 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %188 = tt.splat %187 : f32 -> tensor<16xf32>
      %189 = arith.mulf %186, %188 : tensor<16xf32>
      %190 = arith.maxnumf %109, %189 : tensor<16xf32>
      %191 = tt.expand_dims %190 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %192 = arith.negf %191 : tensor<16x1xf32>
      %193 = tt.splat %187 : f32 -> tensor<16x32xf32>
      %194 = tt.broadcast %192 : tensor<16x1xf32> -> tensor<16x32xf32>
      %195 = math.fma %182, %193, %194 : tensor<16x32xf32>
      %196 = math.exp2 %195 : tensor<16x32xf32>
      %197 = arith.subf %109, %190 : tensor<16xf32>
      %198 = math.exp2 %197 : tensor<16xf32>
      %199 = arith.mulf %110, %198 : tensor<16xf32>
      %203 = "tt.reduce"(%196) <{axis = 1 : i32}> ({
      ^bb0(%200: f32, %201: f32):
        %202 = arith.addf %200, %201 : f32
        tt.reduce.return %202 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %204 = arith.addf %199, %203 : tensor<16xf32>
      %205 = arith.truncf %196 : tensor<16x32xf32> to tensor<16x32xbf16>
      %206 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %207 = tt.splat %19 : i32 -> tensor<64xi32>
      %208 = arith.addi %206, %207 : tensor<64xi32>
      %209 = tt.addptr %v, %126 : !tt.ptr<f8E4M3FNUZ>, i64
      %210 = tt.expand_dims %129 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %211 = tt.splat %135 : i32 -> tensor<32x1xi32>
      %212 = arith.muli %210, %211 : tensor<32x1xi32>
      %213 = tt.expand_dims %208 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %214 = tt.broadcast %212 : tensor<32x1xi32> -> tensor<32x64xi32>
      %215 = tt.broadcast %213 : tensor<1x64xi32> -> tensor<32x64xi32>
      %216 = arith.addi %214, %215 : tensor<32x64xi32>
      %217 = tt.splat %209 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x64x!tt.ptr<f8E4M3FNUZ>>
      %218 = tt.addptr %217, %216 : tensor<32x64x!tt.ptr<f8E4M3FNUZ>>, tensor<32x64xi32>
      %219 = tt.expand_dims %117 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %220 = tt.broadcast %219 : tensor<32x1xi1> -> tensor<32x64xi1>
      %221 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %222 = tt.splat %43 : i32 -> tensor<16xi32>
      %223 = arith.addi %221, %222 : tensor<16xi32>
      %224 = tt.addptr %v, %126 : !tt.ptr<f8E4M3FNUZ>, i64
      %225 = tt.expand_dims %129 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %226 = tt.splat %135 : i32 -> tensor<32x1xi32>
      %227 = arith.muli %225, %226 : tensor<32x1xi32>
      %228 = tt.expand_dims %223 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %229 = tt.broadcast %227 : tensor<32x1xi32> -> tensor<32x16xi32>
      %230 = tt.broadcast %228 : tensor<1x16xi32> -> tensor<32x16xi32>
      %231 = arith.addi %229, %230 : tensor<32x16xi32>
      %232 = tt.splat %224 : !tt.ptr<f8E4M3FNUZ> -> tensor<32x16x!tt.ptr<f8E4M3FNUZ>>
      %233 = tt.addptr %232, %231 : tensor<32x16x!tt.ptr<f8E4M3FNUZ>>, tensor<32x16xi32>
      %234 = tt.expand_dims %117 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %235 = tt.broadcast %234 : tensor<32x1xi1> -> tensor<32x16xi1>
      %236 = tt.splat %163 : f8E4M3FNUZ -> tensor<32x64xf8E4M3FNUZ>
      %237 = tt.load %218, %220, %236 : tensor<32x64x!tt.ptr<f8E4M3FNUZ>>
      %238 = tt.fp_to_fp %237 : tensor<32x64xf8E4M3FNUZ> -> tensor<32x64xbf16>
      %239 = tt.expand_dims %198 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %240 = tt.broadcast %239 : tensor<16x1xf32> -> tensor<16x64xf32>
      %241 = arith.mulf %111, %240 : tensor<16x64xf32>
      %242 = tt.dot %205, %238, %241, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %243 = tt.splat %163 : f8E4M3FNUZ -> tensor<32x16xf8E4M3FNUZ>
      %244 = tt.load %233, %235, %243 : tensor<32x16x!tt.ptr<f8E4M3FNUZ>>
      %245 = tt.fp_to_fp %244 : tensor<32x16xf8E4M3FNUZ> -> tensor<32x16xbf16>
      %246 = tt.expand_dims %198 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %247 = tt.broadcast %246 : tensor<16x1xf32> -> tensor<16x16xf32>
      %248 = arith.mulf %112, %247 : tensor<16x16xf32>
      %249 = tt.dot %205, %245, %248, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %190, %204, %242, %249 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %255 = arith.muli %8, %254 : i32
    %256 = arith.addi %255, %7 : i32
    %257 = arith.muli %256, %23 : i32
    %258 = arith.addi %257, %6 : i32
    %259 = arith.extsi %258 : i32 to i64
    %260 = arith.muli %259, %62 : i64
    %261 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %262 = arith.extsi %261 : tensor<16xi32> to tensor<16xi64>
    %264 = tt.splat %260 : i64 -> tensor<16xi64>
    %265 = arith.addi %264, %262 : tensor<16xi64>
    %266 = tt.splat %70 : i64 -> tensor<16xi64>
    %267 = arith.muli %265, %266 : tensor<16xi64>
    %268 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %269 = tt.splat %19 : i32 -> tensor<64xi32>
    %270 = arith.addi %268, %269 : tensor<64xi32>
    %271 = tt.expand_dims %267 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %272 = tt.expand_dims %270 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %273 = arith.extsi %272 : tensor<1x64xi32> to tensor<1x64xi64>
    %274 = tt.broadcast %271 : tensor<16x1xi64> -> tensor<16x64xi64>
    %275 = tt.broadcast %273 : tensor<1x64xi64> -> tensor<16x64xi64>
    %276 = arith.addi %274, %275 : tensor<16x64xi64>
    %277 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %278 = tt.addptr %277, %276 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %279 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %280 = tt.broadcast %279 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %278, %250#2, %280 : tensor<16x64x!tt.ptr<f32>>
    %281 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %282 = tt.splat %43 : i32 -> tensor<16xi32>
    %283 = arith.addi %281, %282 : tensor<16xi32>
    %284 = tt.expand_dims %267 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %285 = tt.expand_dims %283 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %286 = arith.extsi %285 : tensor<1x16xi32> to tensor<1x16xi64>
    %287 = tt.broadcast %284 : tensor<16x1xi64> -> tensor<16x16xi64>
    %288 = tt.broadcast %286 : tensor<1x16xi64> -> tensor<16x16xi64>
    %289 = arith.addi %287, %288 : tensor<16x16xi64>
    %290 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %291 = tt.addptr %290, %289 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %292 = tt.expand_dims %25 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %293 = tt.broadcast %292 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %291, %250#3, %293 : tensor<16x16x!tt.ptr<f32>>
    %295 = tt.splat %260 : i64 -> tensor<16xi64>
    %296 = arith.addi %295, %262 : tensor<16xi64>
    %297 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %298 = tt.addptr %297, %296 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %298, %250#0, %25 : tensor<16x!tt.ptr<f32>>
    %300 = tt.splat %260 : i64 -> tensor<16xi64>
    %301 = arith.addi %300, %262 : tensor<16xi64>
    %302 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %303 = tt.addptr %302, %301 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %303, %250#1, %25 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
