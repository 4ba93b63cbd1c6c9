module {
  tt.func public @paged_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %start: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %cos: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sin: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %own_k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %own_v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %written_keys: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %written_values: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %20 = arith.constant 160 : i32
    %22 = arith.constant 5 : i32
    %25 = arith.constant 0 : i32
    %29 = arith.constant 3 : i32
    %32 = arith.constant 15 : i32
    %43 = arith.constant 95 : i32
    %45 = arith.constant 96 : i32
    %47 = arith.constant 32 : i32
    %49 = arith.constant 64 : i32
    %57 = arith.constant 1 : i32
    %62 = arith.constant 2 : i64
    %68 = arith.constant 3 : i64
    %76 = arith.constant 80 : i64
    %83 = arith.constant 10 : i32
    %89 = arith.constant 20 : i32
    %93 = arith.constant 10 : i64
    %107 = arith.constant 1.0e0 : f32
    %110 = arith.constant 0.0e0 : f32
    %130 = arith.constant 0.0e0 : bf16
    %222 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %223 = arith.constant dense<0.0e0> : tensor<16xf32>
    %224 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %225 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %243 = arith.constant 2560 : i64
    %247 = arith.constant 80 : i32
    %437 = arith.constant 3.6067376e-1 : f32
    %442 = arith.constant dense<1.0e0> : tensor<16xf32>
    %505 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %512 = arith.constant -2.772589e30 : f32
    %584 = arith.constant 2 : i32
    %12 = tt.get_program_id x : i32
    %13 = tt.get_program_id y : i32
    %14 = tt.get_program_id z : i32
    %15 = tt.addptr %start, %14 : !tt.ptr<i32>, i32
    %16 = tt.load %15 : !tt.ptr<i32>
    %17 = tt.addptr %count, %14 : !tt.ptr<i32>, i32
    %18 = tt.load %17 : !tt.ptr<i32>
    %19 = arith.addi %16, %18 : i32
    %21 = arith.minsi %19, %20 : i32
    %23 = arith.muli %14, %22 : i32
    %24 = tt.addptr %table, %23 : !tt.ptr<i32>, i32
    %26 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %27 = tt.splat %25 : i32 -> tensor<16xi32>
    %28 = arith.addi %27, %26 : tensor<16xi32>
    %30 = tt.splat %29 : i32 -> tensor<16xi32>
    %31 = arith.cmpi slt, %28, %30 : tensor<16xi32>
    %33 = arith.addi %25, %32 : i32
    %34 = arith.divsi %25, %29 : i32
    %35 = arith.addi %16, %34 : i32
    %36 = arith.divsi %33, %29 : i32
    %37 = arith.addi %16, %36 : i32
    %38 = arith.subi %35, %16 : i32
    %39 = arith.cmpi slt, %38, %18 : i32
    %40 = arith.select %39, %21, %25 : i32
    %41 = arith.subi %40, %25 : i32
    %42 = arith.maxsi %41, %25 : i32
    %44 = arith.addi %42, %43 : i32
    %46 = arith.divsi %44, %45 : i32
    %48 = arith.muli %46, %47 : i32
    %50 = arith.maxsi %48, %49 : i32
    %51 = arith.muli %12, %50 : i32
    %52 = arith.addi %25, %51 : i32
    %53 = arith.addi %52, %50 : i32
    %54 = arith.minsi %40, %53 : i32
    %55 = tt.splat %29 : i32 -> tensor<16xi32>
    %56 = arith.divsi %28, %55 : tensor<16xi32>
    %58 = arith.muli %14, %57 : i32
    %59 = tt.splat %58 : i32 -> tensor<16xi32>
    %60 = arith.addi %59, %56 : tensor<16xi32>
    %61 = arith.extsi %60 : tensor<16xi32> to tensor<16xi64>
    %63 = tt.splat %62 : i64 -> tensor<16xi64>
    %64 = arith.muli %61, %63 : tensor<16xi64>
    %65 = arith.extsi %13 : i32 to i64
    %66 = tt.splat %65 : i64 -> tensor<16xi64>
    %67 = arith.addi %64, %66 : tensor<16xi64>
    %69 = tt.splat %68 : i64 -> tensor<16xi64>
    %70 = arith.muli %67, %69 : tensor<16xi64>
    %71 = tt.splat %29 : i32 -> tensor<16xi32>
    %72 = arith.muli %56, %71 : tensor<16xi32>
    %73 = arith.subi %28, %72 : tensor<16xi32>
    %74 = arith.extsi %73 : tensor<16xi32> to tensor<16xi64>
    %75 = arith.addi %70, %74 : tensor<16xi64>
    %77 = tt.splat %76 : i64 -> tensor<16xi64>
    %78 = arith.muli %75, %77 : tensor<16xi64>
    %79 = tt.expand_dims %31 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %80 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %81 = tt.splat %25 : i32 -> tensor<64xi32>
    %82 = arith.addi %80, %81 : tensor<64xi32>
    %84 = tt.splat %83 : i32 -> tensor<64xi32>
    %85 = arith.cmpi slt, %82, %84 : tensor<64xi32>
    %86 = tt.splat %83 : i32 -> tensor<64xi32>
    %87 = arith.subi %82, %86 : tensor<64xi32>
    %88 = arith.select %85, %82, %87 : tensor<64xi1>, tensor<64xi32>
    %90 = tt.splat %89 : i32 -> tensor<64xi32>
    %91 = arith.cmpi slt, %82, %90 : tensor<64xi32>
    %92 = arith.extsi %14 : i32 to i64
    %94 = arith.muli %92, %93 : i64
    %95 = arith.extsi %88 : tensor<64xi32> to tensor<64xi64>
    %96 = tt.splat %94 : i64 -> tensor<64xi64>
    %97 = arith.addi %96, %95 : tensor<64xi64>
    %98 = tt.splat %cos : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %99 = tt.addptr %98, %97 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %100 = arith.extsi %14 : i32 to i64
    %101 = arith.muli %100, %93 : i64
    %102 = arith.extsi %88 : tensor<64xi32> to tensor<64xi64>
    %103 = tt.splat %101 : i64 -> tensor<64xi64>
    %104 = arith.addi %103, %102 : tensor<64xi64>
    %105 = tt.splat %sin : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %106 = tt.addptr %105, %104 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %108 = tt.splat %107 : f32 -> tensor<64xf32>
    %109 = tt.load %99, %91, %108 : tensor<64x!tt.ptr<f32>>
    %111 = tt.splat %110 : f32 -> tensor<64xf32>
    %112 = tt.load %106, %91, %111 : tensor<64x!tt.ptr<f32>>
    %113 = tt.splat %83 : i32 -> tensor<64xi32>
    %114 = arith.addi %82, %113 : tensor<64xi32>
    %115 = tt.splat %83 : i32 -> tensor<64xi32>
    %116 = arith.subi %82, %115 : tensor<64xi32>
    %117 = arith.select %85, %114, %116 : tensor<64xi1>, tensor<64xi32>
    %118 = arith.select %91, %117, %82 : tensor<64xi1>, tensor<64xi32>
    %119 = arith.negf %112 : tensor<64xf32>
    %120 = arith.select %85, %119, %112 : tensor<64xi1>, tensor<64xf32>
    %121 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %122 = tt.expand_dims %82 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %123 = arith.extsi %122 : tensor<1x64xi32> to tensor<1x64xi64>
    %124 = tt.broadcast %121 : tensor<16x1xi64> -> tensor<16x64xi64>
    %125 = tt.broadcast %123 : tensor<1x64xi64> -> tensor<16x64xi64>
    %126 = arith.addi %124, %125 : tensor<16x64xi64>
    %127 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %128 = tt.addptr %127, %126 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %129 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x64xi1>
    %131 = tt.splat %130 : bf16 -> tensor<16x64xbf16>
    %132 = tt.load %128, %129, %131 : tensor<16x64x!tt.ptr<bf16>>
    %133 = arith.extf %132 : tensor<16x64xbf16> to tensor<16x64xf32>
    %134 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %135 = tt.expand_dims %118 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %136 = arith.extsi %135 : tensor<1x64xi32> to tensor<1x64xi64>
    %137 = tt.broadcast %134 : tensor<16x1xi64> -> tensor<16x64xi64>
    %138 = tt.broadcast %136 : tensor<1x64xi64> -> tensor<16x64xi64>
    %139 = arith.addi %137, %138 : tensor<16x64xi64>
    %140 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %141 = tt.addptr %140, %139 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
    %142 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x64xi1>
    %143 = tt.splat %130 : bf16 -> tensor<16x64xbf16>
    %144 = tt.load %141, %142, %143 : tensor<16x64x!tt.ptr<bf16>>
    %145 = arith.extf %144 : tensor<16x64xbf16> to tensor<16x64xf32>
    %146 = tt.expand_dims %109 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %147 = tt.broadcast %146 : tensor<1x64xf32> -> tensor<16x64xf32>
    %148 = arith.mulf %133, %147 : tensor<16x64xf32>
    %149 = tt.expand_dims %120 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %150 = tt.broadcast %149 : tensor<1x64xf32> -> tensor<16x64xf32>
    %151 = arith.mulf %145, %150 : tensor<16x64xf32>
    %152 = arith.addf %148, %151 : tensor<16x64xf32>
    %153 = arith.truncf %152 : tensor<16x64xf32> to tensor<16x64xbf16>
    %154 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %155 = tt.splat %49 : i32 -> tensor<16xi32>
    %156 = arith.addi %154, %155 : tensor<16xi32>
    %157 = tt.splat %83 : i32 -> tensor<16xi32>
    %158 = arith.cmpi slt, %156, %157 : tensor<16xi32>
    %159 = tt.splat %83 : i32 -> tensor<16xi32>
    %160 = arith.subi %156, %159 : tensor<16xi32>
    %161 = arith.select %158, %156, %160 : tensor<16xi1>, tensor<16xi32>
    %162 = tt.splat %89 : i32 -> tensor<16xi32>
    %163 = arith.cmpi slt, %156, %162 : tensor<16xi32>
    %164 = arith.extsi %14 : i32 to i64
    %165 = arith.muli %164, %93 : i64
    %166 = arith.extsi %161 : tensor<16xi32> to tensor<16xi64>
    %167 = tt.splat %165 : i64 -> tensor<16xi64>
    %168 = arith.addi %167, %166 : tensor<16xi64>
    %169 = tt.splat %cos : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %170 = tt.addptr %169, %168 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %171 = arith.extsi %14 : i32 to i64
    %172 = arith.muli %171, %93 : i64
    %173 = arith.extsi %161 : tensor<16xi32> to tensor<16xi64>
    %174 = tt.splat %172 : i64 -> tensor<16xi64>
    %175 = arith.addi %174, %173 : tensor<16xi64>
    %176 = tt.splat %sin : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %177 = tt.addptr %176, %175 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %178 = tt.splat %107 : f32 -> tensor<16xf32>
    %179 = tt.load %170, %163, %178 : tensor<16x!tt.ptr<f32>>
    %180 = tt.splat %110 : f32 -> tensor<16xf32>
    %181 = tt.load %177, %163, %180 : tensor<16x!tt.ptr<f32>>
    %182 = tt.splat %83 : i32 -> tensor<16xi32>
    %183 = arith.addi %156, %182 : tensor<16xi32>
    %184 = tt.splat %83 : i32 -> tensor<16xi32>
    %185 = arith.subi %156, %184 : tensor<16xi32>
    %186 = arith.select %158, %183, %185 : tensor<16xi1>, tensor<16xi32>
    %187 = arith.select %163, %186, %156 : tensor<16xi1>, tensor<16xi32>
    %188 = arith.negf %181 : tensor<16xf32>
    %189 = arith.select %158, %188, %181 : tensor<16xi1>, tensor<16xf32>
    %190 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %191 = tt.expand_dims %156 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %192 = arith.extsi %191 : tensor<1x16xi32> to tensor<1x16xi64>
    %193 = tt.broadcast %190 : tensor<16x1xi64> -> tensor<16x16xi64>
    %194 = tt.broadcast %192 : tensor<1x16xi64> -> tensor<16x16xi64>
    %195 = arith.addi %193, %194 : tensor<16x16xi64>
    %196 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %197 = tt.addptr %196, %195 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %198 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x16xi1>
    %199 = tt.splat %130 : bf16 -> tensor<16x16xbf16>
    %200 = tt.load %197, %198, %199 : tensor<16x16x!tt.ptr<bf16>>
    %201 = arith.extf %200 : tensor<16x16xbf16> to tensor<16x16xf32>
    %202 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %203 = tt.expand_dims %187 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %204 = arith.extsi %203 : tensor<1x16xi32> to tensor<1x16xi64>
    %205 = tt.broadcast %202 : tensor<16x1xi64> -> tensor<16x16xi64>
    %206 = tt.broadcast %204 : tensor<1x16xi64> -> tensor<16x16xi64>
    %207 = arith.addi %205, %206 : tensor<16x16xi64>
    %208 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %209 = tt.addptr %208, %207 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %210 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x16xi1>
    %211 = tt.splat %130 : bf16 -> tensor<16x16xbf16>
    %212 = tt.load %209, %210, %211 : tensor<16x16x!tt.ptr<bf16>>
    %213 = arith.extf %212 : tensor<16x16xbf16> to tensor<16x16xf32>
    %214 = tt.expand_dims %179 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %215 = tt.broadcast %214 : tensor<1x16xf32> -> tensor<16x16xf32>
    %216 = arith.mulf %201, %215 : tensor<16x16xf32>
    %217 = tt.expand_dims %189 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %218 = tt.broadcast %217 : tensor<1x16xf32> -> tensor<16x16xf32>
    %219 = arith.mulf %213, %218 : tensor<16x16xf32>
    %220 = arith.addf %216, %219 : tensor<16x16xf32>
    %221 = arith.truncf %220 : tensor<16x16xf32> to tensor<16x16xbf16>
    %226 = arith.cmpi slt, %52, %40 : i32
    %227 = arith.cmpi eq, %54, %40 : i32
    %228 = arith.andi %226, %227 : i1
    %229 = arith.cmpi slt, %16, %20 : i32
    %230 = arith.andi %228, %229 : i1
    %231 = arith.extsi %14 : i32 to i64
    %232 = arith.muli %231, %62 : i64
    %233 = arith.extsi %13 : i32 to i64
    %234 = arith.addi %232, %233 : i64
    %235 = arith.muli %234, %76 : i64
    %236 = arith.divsi %16, %47 : i32
    %237 = tt.addptr %24, %236 : !tt.ptr<i32>, i32
    %238 = tt.load %237, %230, %25 : !tt.ptr<i32>
    %239 = arith.extsi %238 : i32 to i64
    %240 = arith.muli %239, %62 : i64
    %241 = arith.extsi %13 : i32 to i64
    %242 = arith.addi %240, %241 : i64
    %244 = arith.muli %242, %243 : i64
    %245 = arith.muli %236, %47 : i32
    %246 = arith.subi %16, %245 : i32
    %248 = arith.muli %246, %247 : i32
    %249 = arith.extsi %248 : i32 to i64
    %250 = arith.addi %244, %249 : i64
    %251 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %252 = tt.splat %25 : i32 -> tensor<64xi32>
    %253 = arith.addi %251, %252 : tensor<64xi32>
    %254 = tt.splat %83 : i32 -> tensor<64xi32>
    %255 = arith.cmpi slt, %253, %254 : tensor<64xi32>
    %256 = tt.splat %83 : i32 -> tensor<64xi32>
    %257 = arith.subi %253, %256 : tensor<64xi32>
    %258 = arith.select %255, %253, %257 : tensor<64xi1>, tensor<64xi32>
    %259 = tt.splat %89 : i32 -> tensor<64xi32>
    %260 = arith.cmpi slt, %253, %259 : tensor<64xi32>
    %261 = arith.extsi %14 : i32 to i64
    %262 = arith.muli %261, %93 : i64
    %263 = arith.extsi %258 : tensor<64xi32> to tensor<64xi64>
    %264 = tt.splat %262 : i64 -> tensor<64xi64>
    %265 = arith.addi %264, %263 : tensor<64xi64>
    %266 = tt.splat %cos : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %267 = tt.addptr %266, %265 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %268 = arith.extsi %14 : i32 to i64
    %269 = arith.muli %268, %93 : i64
    %270 = arith.extsi %258 : tensor<64xi32> to tensor<64xi64>
    %271 = tt.splat %269 : i64 -> tensor<64xi64>
    %272 = arith.addi %271, %270 : tensor<64xi64>
    %273 = tt.splat %sin : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %274 = tt.addptr %273, %272 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %275 = tt.splat %107 : f32 -> tensor<64xf32>
    %276 = tt.load %267, %260, %275 : tensor<64x!tt.ptr<f32>>
    %277 = tt.splat %110 : f32 -> tensor<64xf32>
    %278 = tt.load %274, %260, %277 : tensor<64x!tt.ptr<f32>>
    %279 = tt.splat %83 : i32 -> tensor<64xi32>
    %280 = arith.addi %253, %279 : tensor<64xi32>
    %281 = tt.splat %83 : i32 -> tensor<64xi32>
    %282 = arith.subi %253, %281 : tensor<64xi32>
    %283 = arith.select %255, %280, %282 : tensor<64xi1>, tensor<64xi32>
    %284 = arith.select %260, %283, %253 : tensor<64xi1>, tensor<64xi32>
    %285 = arith.negf %278 : tensor<64xf32>
    %286 = arith.select %255, %285, %278 : tensor<64xi1>, tensor<64xf32>
    %287 = arith.extsi %253 : tensor<64xi32> to tensor<64xi64>
    %288 = tt.splat %235 : i64 -> tensor<64xi64>
    %289 = arith.addi %288, %287 : tensor<64xi64>
    %290 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %291 = tt.addptr %290, %289 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %292 = tt.load %291 : tensor<64x!tt.ptr<bf16>>
    %293 = tt.expand_dims %292 {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
    %294 = arith.extf %293 : tensor<1x64xbf16> to tensor<1x64xf32>
    %295 = arith.extsi %284 : tensor<64xi32> to tensor<64xi64>
    %296 = tt.splat %235 : i64 -> tensor<64xi64>
    %297 = arith.addi %296, %295 : tensor<64xi64>
    %298 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %299 = tt.addptr %298, %297 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %300 = tt.load %299 : tensor<64x!tt.ptr<bf16>>
    %301 = tt.expand_dims %300 {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
    %302 = arith.extf %301 : tensor<1x64xbf16> to tensor<1x64xf32>
    %303 = tt.expand_dims %276 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %304 = arith.mulf %294, %303 : tensor<1x64xf32>
    %305 = tt.expand_dims %286 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %306 = arith.mulf %302, %305 : tensor<1x64xf32>
    %307 = arith.addf %304, %306 : tensor<1x64xf32>
    %308 = arith.truncf %307 : tensor<1x64xf32> to tensor<1x64xbf16>
    %309 = arith.extsi %253 : tensor<64xi32> to tensor<64xi64>
    %310 = tt.splat %235 : i64 -> tensor<64xi64>
    %311 = arith.addi %310, %309 : tensor<64xi64>
    %312 = tt.splat %own_v : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %313 = tt.addptr %312, %311 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %314 = tt.load %313 : tensor<64x!tt.ptr<bf16>>
    %315 = tt.splat %230 : i1 -> tensor<64xi1>
    %316 = tt.reshape %308 : tensor<1x64xbf16> -> tensor<64xbf16>
    %317 = arith.extsi %253 : tensor<64xi32> to tensor<64xi64>
    %318 = tt.splat %250 : i64 -> tensor<64xi64>
    %319 = arith.addi %318, %317 : tensor<64xi64>
    %320 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %321 = tt.addptr %320, %319 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    tt.store %321, %316, %315 : tensor<64x!tt.ptr<bf16>>
    %322 = arith.extsi %253 : tensor<64xi32> to tensor<64xi64>
    %323 = tt.splat %250 : i64 -> tensor<64xi64>
    %324 = arith.addi %323, %322 : tensor<64xi64>
    %325 = tt.splat %written_values : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %326 = tt.addptr %325, %324 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    tt.store %326, %314, %315 : tensor<64x!tt.ptr<bf16>>
    %327 = arith.extf %153 : tensor<16x64xbf16> to tensor<16x64xf32>
    %328 = arith.extf %308 : tensor<1x64xbf16> to tensor<1x64xf32>
    %329 = tt.broadcast %328 : tensor<1x64xf32> -> tensor<16x64xf32>
    %330 = arith.mulf %327, %329 : tensor<16x64xf32>
    %334 = "tt.reduce"(%330) <{axis = 1 : i32}> ({
    ^bb0(%331: f32, %332: f32):
      %333 = arith.addf %331, %332 : f32
      tt.reduce.return %333 : f32
    }) : (tensor<16x64xf32>) -> (tensor<16xf32>)
    %335 = arith.extf %314 : tensor<64xbf16> to tensor<64xf32>
    %336 = tt.expand_dims %335 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %337 = tt.broadcast %336 : tensor<1x64xf32> -> tensor<16x64xf32>
    %338 = tt.splat %230 : i1 -> tensor<16x64xi1>
    %339 = arith.select %338, %337, %224 : tensor<16x64xi1>, tensor<16x64xf32>
    %340 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %341 = tt.splat %49 : i32 -> tensor<16xi32>
    %342 = arith.addi %340, %341 : tensor<16xi32>
    %343 = tt.splat %83 : i32 -> tensor<16xi32>
    %344 = arith.cmpi slt, %342, %343 : tensor<16xi32>
    %345 = tt.splat %83 : i32 -> tensor<16xi32>
    %346 = arith.subi %342, %345 : tensor<16xi32>
    %347 = arith.select %344, %342, %346 : tensor<16xi1>, tensor<16xi32>
    %348 = tt.splat %89 : i32 -> tensor<16xi32>
    %349 = arith.cmpi slt, %342, %348 : tensor<16xi32>
    %350 = arith.extsi %14 : i32 to i64
    %351 = arith.muli %350, %93 : i64
    %352 = arith.extsi %347 : tensor<16xi32> to tensor<16xi64>
    %353 = tt.splat %351 : i64 -> tensor<16xi64>
    %354 = arith.addi %353, %352 : tensor<16xi64>
    %355 = tt.splat %cos : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %356 = tt.addptr %355, %354 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %357 = arith.extsi %14 : i32 to i64
    %358 = arith.muli %357, %93 : i64
    %359 = arith.extsi %347 : tensor<16xi32> to tensor<16xi64>
    %360 = tt.splat %358 : i64 -> tensor<16xi64>
    %361 = arith.addi %360, %359 : tensor<16xi64>
    %362 = tt.splat %sin : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %363 = tt.addptr %362, %361 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %364 = tt.splat %107 : f32 -> tensor<16xf32>
    %365 = tt.load %356, %349, %364 : tensor<16x!tt.ptr<f32>>
    %366 = tt.splat %110 : f32 -> tensor<16xf32>
    %367 = tt.load %363, %349, %366 : tensor<16x!tt.ptr<f32>>
    %368 = tt.splat %83 : i32 -> tensor<16xi32>
    %369 = arith.addi %342, %368 : tensor<16xi32>
    %370 = tt.splat %83 : i32 -> tensor<16xi32>
    %371 = arith.subi %342, %370 : tensor<16xi32>
    %372 = arith.select %344, %369, %371 : tensor<16xi1>, tensor<16xi32>
    %373 = arith.select %349, %372, %342 : tensor<16xi1>, tensor<16xi32>
    %374 = arith.negf %367 : tensor<16xf32>
    %375 = arith.select %344, %374, %367 : tensor<16xi1>, tensor<16xf32>
    %376 = arith.extsi %342 : tensor<16xi32> to tensor<16xi64>
    %377 = tt.splat %235 : i64 -> tensor<16xi64>
    %378 = arith.addi %377, %376 : tensor<16xi64>
    %379 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %380 = tt.addptr %379, %378 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    %381 = tt.load %380 : tensor<16x!tt.ptr<bf16>>
    %382 = tt.expand_dims %381 {axis = 0 : i32} : tensor<16xbf16> -> tensor<1x16xbf16>
    %383 = arith.extf %382 : tensor<1x16xbf16> to tensor<1x16xf32>
    %384 = arith.extsi %373 : tensor<16xi32> to tensor<16xi64>
    %385 = tt.splat %235 : i64 -> tensor<16xi64>
    %386 = arith.addi %385, %384 : tensor<16xi64>
    %387 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %388 = tt.addptr %387, %386 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    %389 = tt.load %388 : tensor<16x!tt.ptr<bf16>>
    %390 = tt.expand_dims %389 {axis = 0 : i32} : tensor<16xbf16> -> tensor<1x16xbf16>
    %391 = arith.extf %390 : tensor<1x16xbf16> to tensor<1x16xf32>
    %392 = tt.expand_dims %365 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %393 = arith.mulf %383, %392 : tensor<1x16xf32>
    %394 = tt.expand_dims %375 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %395 = arith.mulf %391, %394 : tensor<1x16xf32>
    %396 = arith.addf %393, %395 : tensor<1x16xf32>
    %397 = arith.truncf %396 : tensor<1x16xf32> to tensor<1x16xbf16>
    %398 = arith.extsi %342 : tensor<16xi32> to tensor<16xi64>
    %399 = tt.splat %235 : i64 -> tensor<16xi64>
    %400 = arith.addi %399, %398 : tensor<16xi64>
    %401 = tt.splat %own_v : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %402 = tt.addptr %401, %400 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    %403 = tt.load %402 : tensor<16x!tt.ptr<bf16>>
    %404 = tt.splat %230 : i1 -> tensor<16xi1>
    %405 = tt.reshape %397 : tensor<1x16xbf16> -> tensor<16xbf16>
    %406 = arith.extsi %342 : tensor<16xi32> to tensor<16xi64>
    %407 = tt.splat %250 : i64 -> tensor<16xi64>
    %408 = arith.addi %407, %406 : tensor<16xi64>
    %409 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %410 = tt.addptr %409, %408 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    tt.store %410, %405, %404 : tensor<16x!tt.ptr<bf16>>
    %411 = arith.extsi %342 : tensor<16xi32> to tensor<16xi64>
    %412 = tt.splat %250 : i64 -> tensor<16xi64>
    %413 = arith.addi %412, %411 : tensor<16xi64>
    %414 = tt.splat %written_values : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %415 = tt.addptr %414, %413 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    tt.store %415, %403, %404 : tensor<16x!tt.ptr<bf16>>
    %416 = arith.extf %221 : tensor<16x16xbf16> to tensor<16x16xf32>
    %417 = arith.extf %397 : tensor<1x16xbf16> to tensor<1x16xf32>
    %418 = tt.broadcast %417 : tensor<1x16xf32> -> tensor<16x16xf32>
    %419 = arith.mulf %416, %418 : tensor<16x16xf32>
    %423 = "tt.reduce"(%419) <{axis = 1 : i32}> ({
    ^bb0(%420: f32, %421: f32):
      %422 = arith.addf %420, %421 : f32
      tt.reduce.return %422 : f32
    }) : (tensor<16x16xf32>) -> (tensor<16xf32>)
    %424 = arith.addf %334, %423 : tensor<16xf32>
    %425 = arith.extf %403 : tensor<16xbf16> to tensor<16xf32>
    %426 = tt.expand_dims %425 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %427 = tt.broadcast %426 : tensor<1x16xf32> -> tensor<16x16xf32>
    %428 = tt.splat %230 : i1 -> tensor<16x16xi1>
    %429 = arith.select %428, %427, %225 : tensor<16x16xi1>, tensor<16x16xf32>
    %430 = tt.expand_dims %424 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %431 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %432 = tt.expand_dims %431 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %436 = "tt.reduce"(%430) <{axis = 1 : i32}> ({
    ^bb0(%433: f32, %434: f32):
      %435 = arith.maxnumf %433, %434 : f32
      tt.reduce.return %435 : f32
    }) : (tensor<16x1xf32>) -> (tensor<16xf32>)
    %438 = tt.splat %437 : f32 -> tensor<16xf32>
    %439 = arith.mulf %436, %438 : tensor<16xf32>
    %440 = tt.splat %230 : i1 -> tensor<16xi1>
    %441 = arith.select %440, %439, %222 : tensor<16xi1>, tensor<16xf32>
    %443 = tt.splat %230 : i1 -> tensor<16xi1>
    %444 = arith.select %443, %442, %223 : tensor<16xi1>, tensor<16xf32>
    %445 = arith.minsi %54, %16 : i32
    %580:4 = scf.for %446 = %52 to %445 step %47 iter_args(%447 = %441, %448 = %444, %449 = %339, %450 = %429) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %451 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %452 = tt.splat %446 : i32 -> tensor<32xi32>
      %453 = arith.addi %452, %451 : tensor<32xi32>
      %454 = tt.splat %445 : i32 -> tensor<32xi32>
      %455 = arith.cmpi slt, %453, %454 : tensor<32xi32>
      %456 = arith.divsi %446, %47 : i32
      %457 = tt.addptr %24, %456 : !tt.ptr<i32>, i32
      %458 = tt.load %457 : !tt.ptr<i32>
      %459 = arith.extsi %458 : i32 to i64
      %460 = arith.muli %459, %62 : i64
      %461 = arith.extsi %13 : i32 to i64
      %462 = arith.addi %460, %461 : i64
      %463 = arith.muli %462, %243 : i64
      %464 = arith.muli %456, %47 : i32
      %465 = tt.splat %464 : i32 -> tensor<32xi32>
      %466 = arith.subi %453, %465 : tensor<32xi32>
      %467 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %468 = tt.splat %25 : i32 -> tensor<64xi32>
      %469 = arith.addi %467, %468 : tensor<64xi32>
      %470 = tt.addptr %k, %463 : !tt.ptr<bf16>, i64
      %471 = tt.expand_dims %466 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %472 = tt.splat %247 : i32 -> tensor<32x1xi32>
      %473 = arith.muli %471, %472 : tensor<32x1xi32>
      %474 = tt.expand_dims %469 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %475 = tt.broadcast %473 : tensor<32x1xi32> -> tensor<32x64xi32>
      %476 = tt.broadcast %474 : tensor<1x64xi32> -> tensor<32x64xi32>
      %477 = arith.addi %475, %476 : tensor<32x64xi32>
      %478 = tt.splat %470 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %479 = tt.addptr %478, %477 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %480 = tt.expand_dims %455 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %481 = tt.broadcast %480 : tensor<32x1xi1> -> tensor<32x64xi1>
      %482 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %483 = tt.splat %49 : i32 -> tensor<16xi32>
      %484 = arith.addi %482, %483 : tensor<16xi32>
      %485 = tt.addptr %k, %463 : !tt.ptr<bf16>, i64
      %486 = tt.expand_dims %466 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %487 = tt.splat %247 : i32 -> tensor<32x1xi32>
      %488 = arith.muli %486, %487 : tensor<32x1xi32>
      %489 = tt.expand_dims %484 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %490 = tt.broadcast %488 : tensor<32x1xi32> -> tensor<32x16xi32>
      %491 = tt.broadcast %489 : tensor<1x16xi32> -> tensor<32x16xi32>
      %492 = arith.addi %490, %491 : tensor<32x16xi32>
      %493 = tt.splat %485 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %494 = tt.addptr %493, %492 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %495 = tt.expand_dims %455 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %496 = tt.broadcast %495 : tensor<32x1xi1> -> tensor<32x16xi1>
      %497 = tt.trans %479 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %498 = tt.trans %481 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %499 = tt.splat %130 : bf16 -> tensor<64x32xbf16>
      %500 = tt.load %497, %498, %499 : tensor<64x32x!tt.ptr<bf16>>
      %501 = tt.trans %494 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %502 = tt.trans %496 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %503 = tt.splat %130 : bf16 -> tensor<16x32xbf16>
      %504 = tt.load %501, %502, %503 : tensor<16x32x!tt.ptr<bf16>>
      %506 = tt.dot %153, %500, %505, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %507 = tt.dot %221, %504, %506, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %508 = tt.expand_dims %28 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %509 = tt.expand_dims %453 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %510 = tt.expand_dims %453 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %511 = tt.expand_dims %455 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %513 = tt.splat %512 : f32 -> tensor<16x32xf32>
      %514 = tt.broadcast %511 : tensor<1x32xi1> -> tensor<16x32xi1>
      %515 = arith.select %514, %507, %513 : tensor<16x32xi1>, tensor<16x32xf32>
      %519 = "tt.reduce"(%515) <{axis = 1 : i32}> ({
      ^bb0(%516: f32, %517: f32):
        %518 = arith.maxnumf %516, %517 : f32
        tt.reduce.return %518 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %520 = tt.splat %437 : f32 -> tensor<16xf32>
      %521 = arith.mulf %519, %520 : tensor<16xf32>
      %522 = arith.maxnumf %447, %521 : tensor<16xf32>
      %523 = tt.expand_dims %522 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %524 = arith.negf %523 : tensor<16x1xf32>
      %525 = tt.splat %437 : f32 -> tensor<16x32xf32>
      %526 = tt.broadcast %524 : tensor<16x1xf32> -> tensor<16x32xf32>
      %527 = math.fma %515, %525, %526 : tensor<16x32xf32>
      %528 = math.exp2 %527 : tensor<16x32xf32>
      %529 = arith.subf %447, %522 : tensor<16xf32>
      %530 = math.exp2 %529 : tensor<16xf32>
      %531 = arith.mulf %448, %530 : tensor<16xf32>
      %535 = "tt.reduce"(%528) <{axis = 1 : i32}> ({
      ^bb0(%532: f32, %533: f32):
        %534 = arith.addf %532, %533 : f32
        tt.reduce.return %534 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %536 = arith.addf %531, %535 : tensor<16xf32>
      %537 = arith.truncf %528 : tensor<16x32xf32> to tensor<16x32xbf16>
      %538 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %539 = tt.splat %25 : i32 -> tensor<64xi32>
      %540 = arith.addi %538, %539 : tensor<64xi32>
      %541 = tt.addptr %v, %463 : !tt.ptr<bf16>, i64
      %542 = tt.expand_dims %466 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %543 = tt.splat %247 : i32 -> tensor<32x1xi32>
      %544 = arith.muli %542, %543 : tensor<32x1xi32>
      %545 = tt.expand_dims %540 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %546 = tt.broadcast %544 : tensor<32x1xi32> -> tensor<32x64xi32>
      %547 = tt.broadcast %545 : tensor<1x64xi32> -> tensor<32x64xi32>
      %548 = arith.addi %546, %547 : tensor<32x64xi32>
      %549 = tt.splat %541 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %550 = tt.addptr %549, %548 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %551 = tt.expand_dims %455 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %552 = tt.broadcast %551 : tensor<32x1xi1> -> tensor<32x64xi1>
      %553 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %554 = tt.splat %49 : i32 -> tensor<16xi32>
      %555 = arith.addi %553, %554 : tensor<16xi32>
      %556 = tt.addptr %v, %463 : !tt.ptr<bf16>, i64
      %557 = tt.expand_dims %466 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %558 = tt.splat %247 : i32 -> tensor<32x1xi32>
      %559 = arith.muli %557, %558 : tensor<32x1xi32>
      %560 = tt.expand_dims %555 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %561 = tt.broadcast %559 : tensor<32x1xi32> -> tensor<32x16xi32>
      %562 = tt.broadcast %560 : tensor<1x16xi32> -> tensor<32x16xi32>
      %563 = arith.addi %561, %562 : tensor<32x16xi32>
      %564 = tt.splat %556 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %565 = tt.addptr %564, %563 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %566 = tt.expand_dims %455 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %567 = tt.broadcast %566 : tensor<32x1xi1> -> tensor<32x16xi1>
      %568 = tt.splat %130 : bf16 -> tensor<32x64xbf16>
      %569 = tt.load %550, %552, %568 : tensor<32x64x!tt.ptr<bf16>>
      %570 = tt.expand_dims %530 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %571 = tt.broadcast %570 : tensor<16x1xf32> -> tensor<16x64xf32>
      %572 = arith.mulf %449, %571 : tensor<16x64xf32>
      %573 = tt.dot %537, %569, %572, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %574 = tt.splat %130 : bf16 -> tensor<32x16xbf16>
      %575 = tt.load %565, %567, %574 : tensor<32x16x!tt.ptr<bf16>>
      %576 = tt.expand_dims %530 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %577 = tt.broadcast %576 : tensor<16x1xf32> -> tensor<16x16xf32>
      %578 = arith.mulf %450, %577 : tensor<16x16xf32>
      %579 = tt.dot %537, %575, %578, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %522, %536, %573, %579 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %585 = arith.muli %14, %584 : i32
    %586 = arith.addi %585, %13 : i32
    %587 = arith.muli %586, %29 : i32
    %588 = arith.addi %587, %12 : i32
    %589 = arith.extsi %588 : i32 to i64
    %590 = arith.muli %589, %68 : i64
    %591 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %592 = arith.extsi %591 : tensor<16xi32> to tensor<16xi64>
    %594 = tt.splat %590 : i64 -> tensor<16xi64>
    %595 = arith.addi %594, %592 : tensor<16xi64>
    %596 = tt.splat %76 : i64 -> tensor<16xi64>
    %597 = arith.muli %595, %596 : tensor<16xi64>
    %598 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %599 = tt.splat %25 : i32 -> tensor<64xi32>
    %600 = arith.addi %598, %599 : tensor<64xi32>
    %601 = tt.expand_dims %597 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %602 = tt.expand_dims %600 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %603 = arith.extsi %602 : tensor<1x64xi32> to tensor<1x64xi64>
    %604 = tt.broadcast %601 : tensor<16x1xi64> -> tensor<16x64xi64>
    %605 = tt.broadcast %603 : tensor<1x64xi64> -> tensor<16x64xi64>
    %606 = arith.addi %604, %605 : tensor<16x64xi64>
    %607 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %608 = tt.addptr %607, %606 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %609 = tt.expand_dims %31 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %610 = tt.broadcast %609 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %608, %580#2, %610 : tensor<16x64x!tt.ptr<f32>>
    %611 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %612 = tt.splat %49 : i32 -> tensor<16xi32>
    %613 = arith.addi %611, %612 : tensor<16xi32>
    %614 = tt.expand_dims %597 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %615 = tt.expand_dims %613 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %616 = arith.extsi %615 : tensor<1x16xi32> to tensor<1x16xi64>
    %617 = tt.broadcast %614 : tensor<16x1xi64> -> tensor<16x16xi64>
    %618 = tt.broadcast %616 : tensor<1x16xi64> -> tensor<16x16xi64>
    %619 = arith.addi %617, %618 : tensor<16x16xi64>
    %620 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %621 = tt.addptr %620, %619 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %622 = tt.expand_dims %31 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %623 = tt.broadcast %622 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %621, %580#3, %623 : tensor<16x16x!tt.ptr<f32>>
    %625 = tt.splat %590 : i64 -> tensor<16xi64>
    %626 = arith.addi %625, %592 : tensor<16xi64>
    %627 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %628 = tt.addptr %627, %626 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %628, %580#0, %31 : tensor<16x!tt.ptr<f32>>
    %630 = tt.splat %590 : i64 -> tensor<16xi64>
    %631 = arith.addi %630, %592 : tensor<16xi64>
    %632 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %633 = tt.addptr %632, %631 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %633, %580#1, %31 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
