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
    %228 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %229 = arith.constant dense<0.0e0> : tensor<16xf32>
    %230 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %231 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %249 = arith.constant 2560 : i64
    %253 = arith.constant 80 : i32
    %447 = arith.constant 3.6067376e-1 : f32
    %452 = arith.constant dense<1.0e0> : tensor<16xf32>
    %515 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %522 = arith.constant -2.772589e30 : f32
    %594 = arith.constant 2 : i32
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
    %153 = tt.expand_dims %91 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %154 = tt.broadcast %153 : tensor<1x64xi1> -> tensor<16x64xi1>
    %155 = arith.select %154, %152, %133 : tensor<16x64xi1>, tensor<16x64xf32>
    %156 = arith.truncf %155 : tensor<16x64xf32> to tensor<16x64xbf16>
    %157 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %158 = tt.splat %49 : i32 -> tensor<16xi32>
    %159 = arith.addi %157, %158 : tensor<16xi32>
    %160 = tt.splat %83 : i32 -> tensor<16xi32>
    %161 = arith.cmpi slt, %159, %160 : tensor<16xi32>
    %162 = tt.splat %83 : i32 -> tensor<16xi32>
    %163 = arith.subi %159, %162 : tensor<16xi32>
    %164 = arith.select %161, %159, %163 : tensor<16xi1>, tensor<16xi32>
    %165 = tt.splat %89 : i32 -> tensor<16xi32>
    %166 = arith.cmpi slt, %159, %165 : tensor<16xi32>
    %167 = arith.extsi %14 : i32 to i64
    %168 = arith.muli %167, %93 : i64
    %169 = arith.extsi %164 : tensor<16xi32> to tensor<16xi64>
    %170 = tt.splat %168 : i64 -> tensor<16xi64>
    %171 = arith.addi %170, %169 : tensor<16xi64>
    %172 = tt.splat %cos : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %173 = tt.addptr %172, %171 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %174 = arith.extsi %14 : i32 to i64
    %175 = arith.muli %174, %93 : i64
    %176 = arith.extsi %164 : tensor<16xi32> to tensor<16xi64>
    %177 = tt.splat %175 : i64 -> tensor<16xi64>
    %178 = arith.addi %177, %176 : tensor<16xi64>
    %179 = tt.splat %sin : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %180 = tt.addptr %179, %178 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %181 = tt.splat %107 : f32 -> tensor<16xf32>
    %182 = tt.load %173, %166, %181 : tensor<16x!tt.ptr<f32>>
    %183 = tt.splat %110 : f32 -> tensor<16xf32>
    %184 = tt.load %180, %166, %183 : tensor<16x!tt.ptr<f32>>
    %185 = tt.splat %83 : i32 -> tensor<16xi32>
    %186 = arith.addi %159, %185 : tensor<16xi32>
    %187 = tt.splat %83 : i32 -> tensor<16xi32>
    %188 = arith.subi %159, %187 : tensor<16xi32>
    %189 = arith.select %161, %186, %188 : tensor<16xi1>, tensor<16xi32>
    %190 = arith.select %166, %189, %159 : tensor<16xi1>, tensor<16xi32>
    %191 = arith.negf %184 : tensor<16xf32>
    %192 = arith.select %161, %191, %184 : tensor<16xi1>, tensor<16xf32>
    %193 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %194 = tt.expand_dims %159 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %195 = arith.extsi %194 : tensor<1x16xi32> to tensor<1x16xi64>
    %196 = tt.broadcast %193 : tensor<16x1xi64> -> tensor<16x16xi64>
    %197 = tt.broadcast %195 : tensor<1x16xi64> -> tensor<16x16xi64>
    %198 = arith.addi %196, %197 : tensor<16x16xi64>
    %199 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %200 = tt.addptr %199, %198 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %201 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x16xi1>
    %202 = tt.splat %130 : bf16 -> tensor<16x16xbf16>
    %203 = tt.load %200, %201, %202 : tensor<16x16x!tt.ptr<bf16>>
    %204 = arith.extf %203 : tensor<16x16xbf16> to tensor<16x16xf32>
    %205 = tt.expand_dims %78 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %206 = tt.expand_dims %190 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %207 = arith.extsi %206 : tensor<1x16xi32> to tensor<1x16xi64>
    %208 = tt.broadcast %205 : tensor<16x1xi64> -> tensor<16x16xi64>
    %209 = tt.broadcast %207 : tensor<1x16xi64> -> tensor<16x16xi64>
    %210 = arith.addi %208, %209 : tensor<16x16xi64>
    %211 = tt.splat %q : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %212 = tt.addptr %211, %210 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi64>
    %213 = tt.broadcast %79 : tensor<16x1xi1> -> tensor<16x16xi1>
    %214 = tt.splat %130 : bf16 -> tensor<16x16xbf16>
    %215 = tt.load %212, %213, %214 : tensor<16x16x!tt.ptr<bf16>>
    %216 = arith.extf %215 : tensor<16x16xbf16> to tensor<16x16xf32>
    %217 = tt.expand_dims %182 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %218 = tt.broadcast %217 : tensor<1x16xf32> -> tensor<16x16xf32>
    %219 = arith.mulf %204, %218 : tensor<16x16xf32>
    %220 = tt.expand_dims %192 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %221 = tt.broadcast %220 : tensor<1x16xf32> -> tensor<16x16xf32>
    %222 = arith.mulf %216, %221 : tensor<16x16xf32>
    %223 = arith.addf %219, %222 : tensor<16x16xf32>
    %224 = tt.expand_dims %166 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %225 = tt.broadcast %224 : tensor<1x16xi1> -> tensor<16x16xi1>
    %226 = arith.select %225, %223, %204 : tensor<16x16xi1>, tensor<16x16xf32>
    %227 = arith.truncf %226 : tensor<16x16xf32> to tensor<16x16xbf16>
    %232 = arith.cmpi slt, %52, %40 : i32
    %233 = arith.cmpi eq, %54, %40 : i32
    %234 = arith.andi %232, %233 : i1
    %235 = arith.cmpi slt, %16, %20 : i32
    %236 = arith.andi %234, %235 : i1
    %237 = arith.extsi %14 : i32 to i64
    %238 = arith.muli %237, %62 : i64
    %239 = arith.extsi %13 : i32 to i64
    %240 = arith.addi %238, %239 : i64
    %241 = arith.muli %240, %76 : i64
    %242 = arith.divsi %16, %47 : i32
    %243 = tt.addptr %24, %242 : !tt.ptr<i32>, i32
    %244 = tt.load %243, %236, %25 : !tt.ptr<i32>
    %245 = arith.extsi %244 : i32 to i64
    %246 = arith.muli %245, %62 : i64
    %247 = arith.extsi %13 : i32 to i64
    %248 = arith.addi %246, %247 : i64
    %250 = arith.muli %248, %249 : i64
    %251 = arith.muli %242, %47 : i32
    %252 = arith.subi %16, %251 : i32
    %254 = arith.muli %252, %253 : i32
    %255 = arith.extsi %254 : i32 to i64
    %256 = arith.addi %250, %255 : i64
    %257 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %258 = tt.splat %25 : i32 -> tensor<64xi32>
    %259 = arith.addi %257, %258 : tensor<64xi32>
    %260 = tt.splat %83 : i32 -> tensor<64xi32>
    %261 = arith.cmpi slt, %259, %260 : tensor<64xi32>
    %262 = tt.splat %83 : i32 -> tensor<64xi32>
    %263 = arith.subi %259, %262 : tensor<64xi32>
    %264 = arith.select %261, %259, %263 : tensor<64xi1>, tensor<64xi32>
    %265 = tt.splat %89 : i32 -> tensor<64xi32>
    %266 = arith.cmpi slt, %259, %265 : tensor<64xi32>
    %267 = arith.extsi %14 : i32 to i64
    %268 = arith.muli %267, %93 : i64
    %269 = arith.extsi %264 : tensor<64xi32> to tensor<64xi64>
    %270 = tt.splat %268 : i64 -> tensor<64xi64>
    %271 = arith.addi %270, %269 : tensor<64xi64>
    %272 = tt.splat %cos : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %273 = tt.addptr %272, %271 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %274 = arith.extsi %14 : i32 to i64
    %275 = arith.muli %274, %93 : i64
    %276 = arith.extsi %264 : tensor<64xi32> to tensor<64xi64>
    %277 = tt.splat %275 : i64 -> tensor<64xi64>
    %278 = arith.addi %277, %276 : tensor<64xi64>
    %279 = tt.splat %sin : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %280 = tt.addptr %279, %278 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %281 = tt.splat %107 : f32 -> tensor<64xf32>
    %282 = tt.load %273, %266, %281 : tensor<64x!tt.ptr<f32>>
    %283 = tt.splat %110 : f32 -> tensor<64xf32>
    %284 = tt.load %280, %266, %283 : tensor<64x!tt.ptr<f32>>
    %285 = tt.splat %83 : i32 -> tensor<64xi32>
    %286 = arith.addi %259, %285 : tensor<64xi32>
    %287 = tt.splat %83 : i32 -> tensor<64xi32>
    %288 = arith.subi %259, %287 : tensor<64xi32>
    %289 = arith.select %261, %286, %288 : tensor<64xi1>, tensor<64xi32>
    %290 = arith.select %266, %289, %259 : tensor<64xi1>, tensor<64xi32>
    %291 = arith.negf %284 : tensor<64xf32>
    %292 = arith.select %261, %291, %284 : tensor<64xi1>, tensor<64xf32>
    %293 = arith.extsi %259 : tensor<64xi32> to tensor<64xi64>
    %294 = tt.splat %241 : i64 -> tensor<64xi64>
    %295 = arith.addi %294, %293 : tensor<64xi64>
    %296 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %297 = tt.addptr %296, %295 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %298 = tt.load %297 : tensor<64x!tt.ptr<bf16>>
    %299 = tt.expand_dims %298 {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
    %300 = arith.extf %299 : tensor<1x64xbf16> to tensor<1x64xf32>
    %301 = arith.extsi %290 : tensor<64xi32> to tensor<64xi64>
    %302 = tt.splat %241 : i64 -> tensor<64xi64>
    %303 = arith.addi %302, %301 : tensor<64xi64>
    %304 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %305 = tt.addptr %304, %303 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %306 = tt.load %305 : tensor<64x!tt.ptr<bf16>>
    %307 = tt.expand_dims %306 {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
    %308 = arith.extf %307 : tensor<1x64xbf16> to tensor<1x64xf32>
    %309 = tt.expand_dims %282 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %310 = arith.mulf %300, %309 : tensor<1x64xf32>
    %311 = tt.expand_dims %292 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %312 = arith.mulf %308, %311 : tensor<1x64xf32>
    %313 = arith.addf %310, %312 : tensor<1x64xf32>
    %314 = tt.expand_dims %266 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %315 = arith.select %314, %313, %300 : tensor<1x64xi1>, tensor<1x64xf32>
    %316 = arith.truncf %315 : tensor<1x64xf32> to tensor<1x64xbf16>
    %317 = arith.extsi %259 : tensor<64xi32> to tensor<64xi64>
    %318 = tt.splat %241 : i64 -> tensor<64xi64>
    %319 = arith.addi %318, %317 : tensor<64xi64>
    %320 = tt.splat %own_v : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %321 = tt.addptr %320, %319 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %322 = tt.load %321 : tensor<64x!tt.ptr<bf16>>
    %323 = tt.splat %236 : i1 -> tensor<64xi1>
    %324 = tt.reshape %316 : tensor<1x64xbf16> -> tensor<64xbf16>
    %325 = arith.extsi %259 : tensor<64xi32> to tensor<64xi64>
    %326 = tt.splat %256 : i64 -> tensor<64xi64>
    %327 = arith.addi %326, %325 : tensor<64xi64>
    %328 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %329 = tt.addptr %328, %327 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    tt.store %329, %324, %323 : tensor<64x!tt.ptr<bf16>>
    %330 = arith.extsi %259 : tensor<64xi32> to tensor<64xi64>
    %331 = tt.splat %256 : i64 -> tensor<64xi64>
    %332 = arith.addi %331, %330 : tensor<64xi64>
    %333 = tt.splat %written_values : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %334 = tt.addptr %333, %332 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    tt.store %334, %322, %323 : tensor<64x!tt.ptr<bf16>>
    %335 = arith.extf %156 : tensor<16x64xbf16> to tensor<16x64xf32>
    %336 = arith.extf %316 : tensor<1x64xbf16> to tensor<1x64xf32>
    %337 = tt.broadcast %336 : tensor<1x64xf32> -> tensor<16x64xf32>
    %338 = arith.mulf %335, %337 : tensor<16x64xf32>
    %342 = "tt.reduce"(%338) <{axis = 1 : i32}> ({
    ^bb0(%339: f32, %340: f32):
      %341 = arith.addf %339, %340 : f32
      tt.reduce.return %341 : f32
    }) : (tensor<16x64xf32>) -> (tensor<16xf32>)
    %343 = arith.extf %322 : tensor<64xbf16> to tensor<64xf32>
    %344 = tt.expand_dims %343 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %345 = tt.broadcast %344 : tensor<1x64xf32> -> tensor<16x64xf32>
    %346 = tt.splat %236 : i1 -> tensor<16x64xi1>
    %347 = arith.select %346, %345, %230 : tensor<16x64xi1>, tensor<16x64xf32>
    %348 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %349 = tt.splat %49 : i32 -> tensor<16xi32>
    %350 = arith.addi %348, %349 : tensor<16xi32>
    %351 = tt.splat %83 : i32 -> tensor<16xi32>
    %352 = arith.cmpi slt, %350, %351 : tensor<16xi32>
    %353 = tt.splat %83 : i32 -> tensor<16xi32>
    %354 = arith.subi %350, %353 : tensor<16xi32>
    %355 = arith.select %352, %350, %354 : tensor<16xi1>, tensor<16xi32>
    %356 = tt.splat %89 : i32 -> tensor<16xi32>
    %357 = arith.cmpi slt, %350, %356 : tensor<16xi32>
    %358 = arith.extsi %14 : i32 to i64
    %359 = arith.muli %358, %93 : i64
    %360 = arith.extsi %355 : tensor<16xi32> to tensor<16xi64>
    %361 = tt.splat %359 : i64 -> tensor<16xi64>
    %362 = arith.addi %361, %360 : tensor<16xi64>
    %363 = tt.splat %cos : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %364 = tt.addptr %363, %362 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %365 = arith.extsi %14 : i32 to i64
    %366 = arith.muli %365, %93 : i64
    %367 = arith.extsi %355 : tensor<16xi32> to tensor<16xi64>
    %368 = tt.splat %366 : i64 -> tensor<16xi64>
    %369 = arith.addi %368, %367 : tensor<16xi64>
    %370 = tt.splat %sin : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %371 = tt.addptr %370, %369 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %372 = tt.splat %107 : f32 -> tensor<16xf32>
    %373 = tt.load %364, %357, %372 : tensor<16x!tt.ptr<f32>>
    %374 = tt.splat %110 : f32 -> tensor<16xf32>
    %375 = tt.load %371, %357, %374 : tensor<16x!tt.ptr<f32>>
    %376 = tt.splat %83 : i32 -> tensor<16xi32>
    %377 = arith.addi %350, %376 : tensor<16xi32>
    %378 = tt.splat %83 : i32 -> tensor<16xi32>
    %379 = arith.subi %350, %378 : tensor<16xi32>
    %380 = arith.select %352, %377, %379 : tensor<16xi1>, tensor<16xi32>
    %381 = arith.select %357, %380, %350 : tensor<16xi1>, tensor<16xi32>
    %382 = arith.negf %375 : tensor<16xf32>
    %383 = arith.select %352, %382, %375 : tensor<16xi1>, tensor<16xf32>
    %384 = arith.extsi %350 : tensor<16xi32> to tensor<16xi64>
    %385 = tt.splat %241 : i64 -> tensor<16xi64>
    %386 = arith.addi %385, %384 : tensor<16xi64>
    %387 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %388 = tt.addptr %387, %386 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    %389 = tt.load %388 : tensor<16x!tt.ptr<bf16>>
    %390 = tt.expand_dims %389 {axis = 0 : i32} : tensor<16xbf16> -> tensor<1x16xbf16>
    %391 = arith.extf %390 : tensor<1x16xbf16> to tensor<1x16xf32>
    %392 = arith.extsi %381 : tensor<16xi32> to tensor<16xi64>
    %393 = tt.splat %241 : i64 -> tensor<16xi64>
    %394 = arith.addi %393, %392 : tensor<16xi64>
    %395 = tt.splat %own_k : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %396 = tt.addptr %395, %394 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    %397 = tt.load %396 : tensor<16x!tt.ptr<bf16>>
    %398 = tt.expand_dims %397 {axis = 0 : i32} : tensor<16xbf16> -> tensor<1x16xbf16>
    %399 = arith.extf %398 : tensor<1x16xbf16> to tensor<1x16xf32>
    %400 = tt.expand_dims %373 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %401 = arith.mulf %391, %400 : tensor<1x16xf32>
    %402 = tt.expand_dims %383 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %403 = arith.mulf %399, %402 : tensor<1x16xf32>
    %404 = arith.addf %401, %403 : tensor<1x16xf32>
    %405 = tt.expand_dims %357 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %406 = arith.select %405, %404, %391 : tensor<1x16xi1>, tensor<1x16xf32>
    %407 = arith.truncf %406 : tensor<1x16xf32> to tensor<1x16xbf16>
    %408 = arith.extsi %350 : tensor<16xi32> to tensor<16xi64>
    %409 = tt.splat %241 : i64 -> tensor<16xi64>
    %410 = arith.addi %409, %408 : tensor<16xi64>
    %411 = tt.splat %own_v : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %412 = tt.addptr %411, %410 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    %413 = tt.load %412 : tensor<16x!tt.ptr<bf16>>
    %414 = tt.splat %236 : i1 -> tensor<16xi1>
    %415 = tt.reshape %407 : tensor<1x16xbf16> -> tensor<16xbf16>
    %416 = arith.extsi %350 : tensor<16xi32> to tensor<16xi64>
    %417 = tt.splat %256 : i64 -> tensor<16xi64>
    %418 = arith.addi %417, %416 : tensor<16xi64>
    %419 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %420 = tt.addptr %419, %418 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    tt.store %420, %415, %414 : tensor<16x!tt.ptr<bf16>>
    %421 = arith.extsi %350 : tensor<16xi32> to tensor<16xi64>
    %422 = tt.splat %256 : i64 -> tensor<16xi64>
    %423 = arith.addi %422, %421 : tensor<16xi64>
    %424 = tt.splat %written_values : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %425 = tt.addptr %424, %423 : tensor<16x!tt.ptr<bf16>>, tensor<16xi64>
    tt.store %425, %413, %414 : tensor<16x!tt.ptr<bf16>>
    %426 = arith.extf %227 : tensor<16x16xbf16> to tensor<16x16xf32>
    %427 = arith.extf %407 : tensor<1x16xbf16> to tensor<1x16xf32>
    %428 = tt.broadcast %427 : tensor<1x16xf32> -> tensor<16x16xf32>
    %429 = arith.mulf %426, %428 : tensor<16x16xf32>
    %433 = "tt.reduce"(%429) <{axis = 1 : i32}> ({
    ^bb0(%430: f32, %431: f32):
      %432 = arith.addf %430, %431 : f32
      tt.reduce.return %432 : f32
    }) : (tensor<16x16xf32>) -> (tensor<16xf32>)
    %434 = arith.addf %342, %433 : tensor<16xf32>
    %435 = arith.extf %413 : tensor<16xbf16> to tensor<16xf32>
    %436 = tt.expand_dims %435 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %437 = tt.broadcast %436 : tensor<1x16xf32> -> tensor<16x16xf32>
    %438 = tt.splat %236 : i1 -> tensor<16x16xi1>
    %439 = arith.select %438, %437, %231 : tensor<16x16xi1>, tensor<16x16xf32>
    %440 = tt.expand_dims %434 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %441 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %442 = tt.expand_dims %441 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %446 = "tt.reduce"(%440) <{axis = 1 : i32}> ({
    ^bb0(%443: f32, %444: f32):
      %445 = arith.maxnumf %443, %444 : f32
      tt.reduce.return %445 : f32
    }) : (tensor<16x1xf32>) -> (tensor<16xf32>)
    %448 = tt.splat %447 : f32 -> tensor<16xf32>
    %449 = arith.mulf %446, %448 : tensor<16xf32>
    %450 = tt.splat %236 : i1 -> tensor<16xi1>
    %451 = arith.select %450, %449, %228 : tensor<16xi1>, tensor<16xf32>
    %453 = tt.splat %236 : i1 -> tensor<16xi1>
    %454 = arith.select %453, %452, %229 : tensor<16xi1>, tensor<16xf32>
    %455 = arith.minsi %54, %16 : i32
    %590:4 = scf.for %456 = %52 to %455 step %47 iter_args(%457 = %451, %458 = %454, %459 = %347, %460 = %439) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %461 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %462 = tt.splat %456 : i32 -> tensor<32xi32>
      %463 = arith.addi %462, %461 : tensor<32xi32>
      %464 = tt.splat %455 : i32 -> tensor<32xi32>
      %465 = arith.cmpi slt, %463, %464 : tensor<32xi32>
      %466 = arith.divsi %456, %47 : i32
      %467 = tt.addptr %24, %466 : !tt.ptr<i32>, i32
      %468 = tt.load %467 : !tt.ptr<i32>
      %469 = arith.extsi %468 : i32 to i64
      %470 = arith.muli %469, %62 : i64
      %471 = arith.extsi %13 : i32 to i64
      %472 = arith.addi %470, %471 : i64
      %473 = arith.muli %472, %249 : i64
      %474 = arith.muli %466, %47 : i32
      %475 = tt.splat %474 : i32 -> tensor<32xi32>
      %476 = arith.subi %463, %475 : tensor<32xi32>
      %477 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %478 = tt.splat %25 : i32 -> tensor<64xi32>
      %479 = arith.addi %477, %478 : tensor<64xi32>
      %480 = tt.addptr %k, %473 : !tt.ptr<bf16>, i64
      %481 = tt.expand_dims %476 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %482 = tt.splat %253 : i32 -> tensor<32x1xi32>
      %483 = arith.muli %481, %482 : tensor<32x1xi32>
      %484 = tt.expand_dims %479 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %485 = tt.broadcast %483 : tensor<32x1xi32> -> tensor<32x64xi32>
      %486 = tt.broadcast %484 : tensor<1x64xi32> -> tensor<32x64xi32>
      %487 = arith.addi %485, %486 : tensor<32x64xi32>
      %488 = tt.splat %480 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %489 = tt.addptr %488, %487 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %490 = tt.expand_dims %465 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %491 = tt.broadcast %490 : tensor<32x1xi1> -> tensor<32x64xi1>
      %492 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %493 = tt.splat %49 : i32 -> tensor<16xi32>
      %494 = arith.addi %492, %493 : tensor<16xi32>
      %495 = tt.addptr %k, %473 : !tt.ptr<bf16>, i64
      %496 = tt.expand_dims %476 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %497 = tt.splat %253 : i32 -> tensor<32x1xi32>
      %498 = arith.muli %496, %497 : tensor<32x1xi32>
      %499 = tt.expand_dims %494 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %500 = tt.broadcast %498 : tensor<32x1xi32> -> tensor<32x16xi32>
      %501 = tt.broadcast %499 : tensor<1x16xi32> -> tensor<32x16xi32>
      %502 = arith.addi %500, %501 : tensor<32x16xi32>
      %503 = tt.splat %495 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %504 = tt.addptr %503, %502 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %505 = tt.expand_dims %465 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %506 = tt.broadcast %505 : tensor<32x1xi1> -> tensor<32x16xi1>
      %507 = tt.trans %489 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %508 = tt.trans %491 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %509 = tt.splat %130 : bf16 -> tensor<64x32xbf16>
      %510 = tt.load %507, %508, %509 : tensor<64x32x!tt.ptr<bf16>>
      %511 = tt.trans %504 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %512 = tt.trans %506 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %513 = tt.splat %130 : bf16 -> tensor<16x32xbf16>
      %514 = tt.load %511, %512, %513 : tensor<16x32x!tt.ptr<bf16>>
      %516 = tt.dot %156, %510, %515, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %517 = tt.dot %227, %514, %516, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %518 = tt.expand_dims %28 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %519 = tt.expand_dims %463 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %520 = tt.expand_dims %463 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %521 = tt.expand_dims %465 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %523 = tt.splat %522 : f32 -> tensor<16x32xf32>
      %524 = tt.broadcast %521 : tensor<1x32xi1> -> tensor<16x32xi1>
      %525 = arith.select %524, %517, %523 : tensor<16x32xi1>, tensor<16x32xf32>
      %529 = "tt.reduce"(%525) <{axis = 1 : i32}> ({
      ^bb0(%526: f32, %527: f32):
        %528 = arith.maxnumf %526, %527 : f32
        tt.reduce.return %528 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %530 = tt.splat %447 : f32 -> tensor<16xf32>
      %531 = arith.mulf %529, %530 : tensor<16xf32>
      %532 = arith.maxnumf %457, %531 : tensor<16xf32>
      %533 = tt.expand_dims %532 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %534 = arith.negf %533 : tensor<16x1xf32>
      %535 = tt.splat %447 : f32 -> tensor<16x32xf32>
      %536 = tt.broadcast %534 : tensor<16x1xf32> -> tensor<16x32xf32>
      %537 = math.fma %525, %535, %536 : tensor<16x32xf32>
      %538 = math.exp2 %537 : tensor<16x32xf32>
      %539 = arith.subf %457, %532 : tensor<16xf32>
      %540 = math.exp2 %539 : tensor<16xf32>
      %541 = arith.mulf %458, %540 : tensor<16xf32>
      %545 = "tt.reduce"(%538) <{axis = 1 : i32}> ({
      ^bb0(%542: f32, %543: f32):
        %544 = arith.addf %542, %543 : f32
        tt.reduce.return %544 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %546 = arith.addf %541, %545 : tensor<16xf32>
      %547 = arith.truncf %538 : tensor<16x32xf32> to tensor<16x32xbf16>
      %548 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %549 = tt.splat %25 : i32 -> tensor<64xi32>
      %550 = arith.addi %548, %549 : tensor<64xi32>
      %551 = tt.addptr %v, %473 : !tt.ptr<bf16>, i64
      %552 = tt.expand_dims %476 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %553 = tt.splat %253 : i32 -> tensor<32x1xi32>
      %554 = arith.muli %552, %553 : tensor<32x1xi32>
      %555 = tt.expand_dims %550 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %556 = tt.broadcast %554 : tensor<32x1xi32> -> tensor<32x64xi32>
      %557 = tt.broadcast %555 : tensor<1x64xi32> -> tensor<32x64xi32>
      %558 = arith.addi %556, %557 : tensor<32x64xi32>
      %559 = tt.splat %551 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %560 = tt.addptr %559, %558 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %561 = tt.expand_dims %465 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %562 = tt.broadcast %561 : tensor<32x1xi1> -> tensor<32x64xi1>
      %563 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %564 = tt.splat %49 : i32 -> tensor<16xi32>
      %565 = arith.addi %563, %564 : tensor<16xi32>
      %566 = tt.addptr %v, %473 : !tt.ptr<bf16>, i64
      %567 = tt.expand_dims %476 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %568 = tt.splat %253 : i32 -> tensor<32x1xi32>
      %569 = arith.muli %567, %568 : tensor<32x1xi32>
      %570 = tt.expand_dims %565 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %571 = tt.broadcast %569 : tensor<32x1xi32> -> tensor<32x16xi32>
      %572 = tt.broadcast %570 : tensor<1x16xi32> -> tensor<32x16xi32>
      %573 = arith.addi %571, %572 : tensor<32x16xi32>
      %574 = tt.splat %566 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %575 = tt.addptr %574, %573 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %576 = tt.expand_dims %465 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %577 = tt.broadcast %576 : tensor<32x1xi1> -> tensor<32x16xi1>
      %578 = tt.splat %130 : bf16 -> tensor<32x64xbf16>
      %579 = tt.load %560, %562, %578 : tensor<32x64x!tt.ptr<bf16>>
      %580 = tt.expand_dims %540 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %581 = tt.broadcast %580 : tensor<16x1xf32> -> tensor<16x64xf32>
      %582 = arith.mulf %459, %581 : tensor<16x64xf32>
      %583 = tt.dot %547, %579, %582, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %584 = tt.splat %130 : bf16 -> tensor<32x16xbf16>
      %585 = tt.load %575, %577, %584 : tensor<32x16x!tt.ptr<bf16>>
      %586 = tt.expand_dims %540 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %587 = tt.broadcast %586 : tensor<16x1xf32> -> tensor<16x16xf32>
      %588 = arith.mulf %460, %587 : tensor<16x16xf32>
      %589 = tt.dot %547, %585, %588, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %532, %546, %583, %589 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %595 = arith.muli %14, %594 : i32
    %596 = arith.addi %595, %13 : i32
    %597 = arith.muli %596, %29 : i32
    %598 = arith.addi %597, %12 : i32
    %599 = arith.extsi %598 : i32 to i64
    %600 = arith.muli %599, %68 : i64
    %601 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %602 = arith.extsi %601 : tensor<16xi32> to tensor<16xi64>
    %604 = tt.splat %600 : i64 -> tensor<16xi64>
    %605 = arith.addi %604, %602 : tensor<16xi64>
    %606 = tt.splat %76 : i64 -> tensor<16xi64>
    %607 = arith.muli %605, %606 : tensor<16xi64>
    %608 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %609 = tt.splat %25 : i32 -> tensor<64xi32>
    %610 = arith.addi %608, %609 : tensor<64xi32>
    %611 = tt.expand_dims %607 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %612 = tt.expand_dims %610 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %613 = arith.extsi %612 : tensor<1x64xi32> to tensor<1x64xi64>
    %614 = tt.broadcast %611 : tensor<16x1xi64> -> tensor<16x64xi64>
    %615 = tt.broadcast %613 : tensor<1x64xi64> -> tensor<16x64xi64>
    %616 = arith.addi %614, %615 : tensor<16x64xi64>
    %617 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %618 = tt.addptr %617, %616 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi64>
    %619 = tt.expand_dims %31 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %620 = tt.broadcast %619 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %618, %590#2, %620 : tensor<16x64x!tt.ptr<f32>>
    %621 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %622 = tt.splat %49 : i32 -> tensor<16xi32>
    %623 = arith.addi %621, %622 : tensor<16xi32>
    %624 = tt.expand_dims %607 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %625 = tt.expand_dims %623 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %626 = arith.extsi %625 : tensor<1x16xi32> to tensor<1x16xi64>
    %627 = tt.broadcast %624 : tensor<16x1xi64> -> tensor<16x16xi64>
    %628 = tt.broadcast %626 : tensor<1x16xi64> -> tensor<16x16xi64>
    %629 = arith.addi %627, %628 : tensor<16x16xi64>
    %630 = tt.splat %sums : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %631 = tt.addptr %630, %629 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
    %632 = tt.expand_dims %31 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %633 = tt.broadcast %632 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %631, %590#3, %633 : tensor<16x16x!tt.ptr<f32>>
    %635 = tt.splat %600 : i64 -> tensor<16xi64>
    %636 = arith.addi %635, %602 : tensor<16xi64>
    %637 = tt.splat %greatest : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %638 = tt.addptr %637, %636 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %638, %590#0, %31 : tensor<16x!tt.ptr<f32>>
    %640 = tt.splat %600 : i64 -> tensor<16xi64>
    %641 = arith.addi %640, %602 : tensor<16xi64>
    %642 = tt.splat %totals : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %643 = tt.addptr %642, %641 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    tt.store %643, %590#1, %31 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
