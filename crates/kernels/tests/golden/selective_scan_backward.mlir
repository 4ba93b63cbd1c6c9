module {
  tt.func public @selective_scan_segments(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %kept: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dy: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %states: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %factors: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %summands: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 8 : i32
    %16 = arith.constant 0 : i32
    %23 = arith.constant 1 : i32
    %31 = arith.constant 11 : i32
    %34 = arith.constant 3 : i32
    %37 = arith.constant 99 : i64
    %64 = arith.constant 0.0e0 : f32
    %67 = arith.constant 1.442695e0 : f32
    %70 = arith.constant 27 : i64
    %81 = arith.constant 9 : i64
    %90 = arith.constant 1 : i64
    %93 = arith.constant 33 : i64
    %114 = arith.constant dense<1.0e0> : tensor<1x4x8xf32>
    %115 = arith.constant dense<0.0e0> : tensor<1x4x8xf32>
    %116 = arith.constant 2 : i32
    %117 = arith.constant 32 : i32
    %128 = arith.constant 2 : i64
    %151 = arith.constant 9 : i32
    %159 = arith.constant 4 : i32
    %162 = arith.constant 5 : i32
    %165 = arith.constant 6 : i32
    %168 = arith.constant 7 : i32
    %181 = arith.constant 0.0e0 : bf16
    %204 = arith.constant 22 : i32
    %218 = arith.constant 33 : i32
    %232 = arith.constant 44 : i32
    %246 = arith.constant 55 : i32
    %260 = arith.constant 66 : i32
    %274 = arith.constant 77 : i32
    %315 = arith.constant 0xFF800000 : f32
    %383 = arith.constant 12 : i32
    %406 = arith.constant 15 : i32
    %429 = arith.constant 18 : i32
    %452 = arith.constant 21 : i32
    %11 = tt.get_program_id y : i32
    %12 = tt.get_program_id z : i32
    %13 = tt.get_program_id x : i32
    %15 = arith.muli %13, %14 : i32
    %17 = arith.addi %15, %16 : i32
    %18 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %19 = tt.splat %17 : i32 -> tensor<8xi32>
    %20 = arith.addi %19, %18 : tensor<8xi32>
    %21 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %22 = tt.expand_dims %21 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %24 = tt.splat %23 : i32 -> tensor<1x4xi32>
    %25 = arith.muli %22, %24 : tensor<1x4xi32>
    %26 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %28 = tt.broadcast %27 : tensor<1x1xi32> -> tensor<1x4xi32>
    %29 = arith.addi %25, %28 : tensor<1x4xi32>
    %30 = arith.extsi %12 : i32 to i64
    %32 = tt.splat %31 : i32 -> tensor<8xi32>
    %33 = arith.cmpi slt, %20, %32 : tensor<8xi32>
    %35 = tt.splat %34 : i32 -> tensor<1x4xi32>
    %36 = arith.cmpi slt, %29, %35 : tensor<1x4xi32>
    %38 = arith.muli %30, %37 : i64
    %39 = tt.addptr %x, %38 : !tt.ptr<bf16>, i64
    %40 = arith.extsi %20 : tensor<8xi32> to tensor<8xi64>
    %41 = tt.splat %39 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %42 = tt.addptr %41, %40 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %43 = arith.muli %30, %37 : i64
    %44 = tt.addptr %widths, %43 : !tt.ptr<f32>, i64
    %45 = arith.extsi %20 : tensor<8xi32> to tensor<8xi64>
    %46 = tt.splat %44 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %47 = tt.addptr %46, %45 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %48 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %50 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %51 = arith.muli %49, %50 : tensor<1x1x8xi32>
    %52 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %53 = tt.broadcast %51 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %54 = tt.broadcast %52 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %55 = arith.addi %53, %54 : tensor<1x4x8xi32>
    %56 = tt.splat %rates : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %57 = tt.addptr %56, %55 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %58 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %59 = tt.expand_dims %58 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %60 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %61 = tt.broadcast %59 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %62 = tt.broadcast %60 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %63 = arith.andi %61, %62 : tensor<1x4x8xi1>
    %65 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %66 = tt.load %57, %63, %65 : tensor<1x4x8x!tt.ptr<f32>>
    %68 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %69 = arith.mulf %66, %68 : tensor<1x4x8xf32>
    %71 = arith.muli %30, %70 : i64
    %72 = tt.addptr %b, %71 : !tt.ptr<f32>, i64
    %73 = arith.extsi %29 : tensor<1x4xi32> to tensor<1x4xi64>
    %74 = tt.splat %72 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %75 = tt.addptr %74, %73 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %76 = arith.muli %30, %70 : i64
    %77 = tt.addptr %c, %76 : !tt.ptr<f32>, i64
    %78 = arith.extsi %29 : tensor<1x4xi32> to tensor<1x4xi64>
    %79 = tt.splat %77 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %80 = tt.addptr %79, %78 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %82 = arith.muli %30, %81 : i64
    %83 = tt.addptr %documents, %82 : !tt.ptr<i32>, i64
    %84 = arith.muli %30, %37 : i64
    %85 = tt.addptr %dy, %84 : !tt.ptr<bf16>, i64
    %86 = arith.extsi %20 : tensor<8xi32> to tensor<8xi64>
    %87 = tt.splat %85 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %88 = tt.addptr %87, %86 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %89 = arith.extsi %11 : i32 to i64
    %91 = arith.muli %30, %90 : i64
    %92 = arith.addi %91, %89 : i64
    %94 = arith.muli %92, %93 : i64
    %95 = tt.addptr %kept, %94 : !tt.ptr<f32>, i64
    %96 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %97 = tt.expand_dims %96 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %98 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %99 = arith.muli %97, %98 : tensor<1x1x8xi32>
    %100 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %101 = tt.broadcast %99 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %102 = tt.broadcast %100 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %103 = arith.addi %101, %102 : tensor<1x4x8xi32>
    %104 = tt.splat %95 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %105 = tt.addptr %104, %103 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %106 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %107 = tt.expand_dims %106 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %108 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %109 = tt.broadcast %107 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %110 = tt.broadcast %108 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %111 = arith.andi %109, %110 : tensor<1x4x8xi1>
    %112 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %113 = tt.load %105, %111, %112 : tensor<1x4x8x!tt.ptr<f32>>
    %118 = arith.muli %11, %117 : i32
    %119 = arith.subi %116, %118 : i32
    %120 = arith.minsi %119, %117 : i32
    %718:3 = scf.for %121 = %16 to %120 step %23 iter_args(%122 = %113, %123 = %114, %124 = %115) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
      %125 = arith.muli %11, %117 : i32
      %126 = arith.addi %125, %121 : i32
      %127 = arith.extsi %126 : i32 to i64
      %129 = arith.muli %30, %128 : i64
      %130 = arith.addi %129, %127 : i64
      %131 = arith.muli %130, %93 : i64
      %132 = tt.addptr %states, %131 : !tt.ptr<f32>, i64
      %133 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %134 = tt.expand_dims %133 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %135 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %136 = arith.muli %134, %135 : tensor<1x1x8xi32>
      %137 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %138 = tt.broadcast %136 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %139 = tt.broadcast %137 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %140 = arith.addi %138, %139 : tensor<1x4x8xi32>
      %141 = tt.splat %132 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %142 = tt.addptr %141, %140 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %143 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %144 = tt.expand_dims %143 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %145 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %146 = tt.broadcast %144 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %147 = tt.broadcast %145 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %148 = arith.andi %146, %147 : tensor<1x4x8xi1>
      tt.store %142, %122, %148 : tensor<1x4x8x!tt.ptr<f32>>
      %149 = arith.muli %126, %14 : i32
      %150 = arith.addi %149, %16 : i32
      %152 = arith.cmpi slt, %150, %151 : i32
      %153 = arith.addi %149, %23 : i32
      %154 = arith.cmpi slt, %153, %151 : i32
      %155 = arith.addi %149, %116 : i32
      %156 = arith.cmpi slt, %155, %151 : i32
      %157 = arith.addi %149, %34 : i32
      %158 = arith.cmpi slt, %157, %151 : i32
      %160 = arith.addi %149, %159 : i32
      %161 = arith.cmpi slt, %160, %151 : i32
      %163 = arith.addi %149, %162 : i32
      %164 = arith.cmpi slt, %163, %151 : i32
      %166 = arith.addi %149, %165 : i32
      %167 = arith.cmpi slt, %166, %151 : i32
      %169 = arith.addi %149, %168 : i32
      %170 = arith.cmpi slt, %169, %151 : i32
      %171 = arith.muli %149, %31 : i32
      %172 = tt.splat %171 : i32 -> tensor<8xi32>
      %173 = tt.addptr %42, %172 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %174 = arith.muli %149, %31 : i32
      %175 = tt.splat %174 : i32 -> tensor<8xi32>
      %176 = tt.addptr %47, %175 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %177 = tt.splat %16 : i32 -> tensor<8xi32>
      %178 = tt.addptr %173, %177 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %179 = tt.splat %152 : i1 -> tensor<8xi1>
      %180 = arith.andi %33, %179 : tensor<8xi1>
      %182 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %183 = tt.load %178, %180, %182 : tensor<8x!tt.ptr<bf16>>
      %184 = arith.extf %183 : tensor<8xbf16> to tensor<8xf32>
      %185 = tt.splat %16 : i32 -> tensor<8xi32>
      %186 = tt.addptr %176, %185 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %187 = tt.splat %152 : i1 -> tensor<8xi1>
      %188 = arith.andi %33, %187 : tensor<8xi1>
      %189 = tt.splat %64 : f32 -> tensor<8xf32>
      %190 = tt.load %186, %188, %189 : tensor<8x!tt.ptr<f32>>
      %191 = tt.splat %31 : i32 -> tensor<8xi32>
      %192 = tt.addptr %173, %191 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %193 = tt.splat %154 : i1 -> tensor<8xi1>
      %194 = arith.andi %33, %193 : tensor<8xi1>
      %195 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %196 = tt.load %192, %194, %195 : tensor<8x!tt.ptr<bf16>>
      %197 = arith.extf %196 : tensor<8xbf16> to tensor<8xf32>
      %198 = tt.splat %31 : i32 -> tensor<8xi32>
      %199 = tt.addptr %176, %198 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %200 = tt.splat %154 : i1 -> tensor<8xi1>
      %201 = arith.andi %33, %200 : tensor<8xi1>
      %202 = tt.splat %64 : f32 -> tensor<8xf32>
      %203 = tt.load %199, %201, %202 : tensor<8x!tt.ptr<f32>>
      %205 = tt.splat %204 : i32 -> tensor<8xi32>
      %206 = tt.addptr %173, %205 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %207 = tt.splat %156 : i1 -> tensor<8xi1>
      %208 = arith.andi %33, %207 : tensor<8xi1>
      %209 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %210 = tt.load %206, %208, %209 : tensor<8x!tt.ptr<bf16>>
      %211 = arith.extf %210 : tensor<8xbf16> to tensor<8xf32>
      %212 = tt.splat %204 : i32 -> tensor<8xi32>
      %213 = tt.addptr %176, %212 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %214 = tt.splat %156 : i1 -> tensor<8xi1>
      %215 = arith.andi %33, %214 : tensor<8xi1>
      %216 = tt.splat %64 : f32 -> tensor<8xf32>
      %217 = tt.load %213, %215, %216 : tensor<8x!tt.ptr<f32>>
      %219 = tt.splat %218 : i32 -> tensor<8xi32>
      %220 = tt.addptr %173, %219 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %221 = tt.splat %158 : i1 -> tensor<8xi1>
      %222 = arith.andi %33, %221 : tensor<8xi1>
      %223 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %224 = tt.load %220, %222, %223 : tensor<8x!tt.ptr<bf16>>
      %225 = arith.extf %224 : tensor<8xbf16> to tensor<8xf32>
      %226 = tt.splat %218 : i32 -> tensor<8xi32>
      %227 = tt.addptr %176, %226 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %228 = tt.splat %158 : i1 -> tensor<8xi1>
      %229 = arith.andi %33, %228 : tensor<8xi1>
      %230 = tt.splat %64 : f32 -> tensor<8xf32>
      %231 = tt.load %227, %229, %230 : tensor<8x!tt.ptr<f32>>
      %233 = tt.splat %232 : i32 -> tensor<8xi32>
      %234 = tt.addptr %173, %233 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %235 = tt.splat %161 : i1 -> tensor<8xi1>
      %236 = arith.andi %33, %235 : tensor<8xi1>
      %237 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %238 = tt.load %234, %236, %237 : tensor<8x!tt.ptr<bf16>>
      %239 = arith.extf %238 : tensor<8xbf16> to tensor<8xf32>
      %240 = tt.splat %232 : i32 -> tensor<8xi32>
      %241 = tt.addptr %176, %240 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %242 = tt.splat %161 : i1 -> tensor<8xi1>
      %243 = arith.andi %33, %242 : tensor<8xi1>
      %244 = tt.splat %64 : f32 -> tensor<8xf32>
      %245 = tt.load %241, %243, %244 : tensor<8x!tt.ptr<f32>>
      %247 = tt.splat %246 : i32 -> tensor<8xi32>
      %248 = tt.addptr %173, %247 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %249 = tt.splat %164 : i1 -> tensor<8xi1>
      %250 = arith.andi %33, %249 : tensor<8xi1>
      %251 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %252 = tt.load %248, %250, %251 : tensor<8x!tt.ptr<bf16>>
      %253 = arith.extf %252 : tensor<8xbf16> to tensor<8xf32>
      %254 = tt.splat %246 : i32 -> tensor<8xi32>
      %255 = tt.addptr %176, %254 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %256 = tt.splat %164 : i1 -> tensor<8xi1>
      %257 = arith.andi %33, %256 : tensor<8xi1>
      %258 = tt.splat %64 : f32 -> tensor<8xf32>
      %259 = tt.load %255, %257, %258 : tensor<8x!tt.ptr<f32>>
      %261 = tt.splat %260 : i32 -> tensor<8xi32>
      %262 = tt.addptr %173, %261 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %263 = tt.splat %167 : i1 -> tensor<8xi1>
      %264 = arith.andi %33, %263 : tensor<8xi1>
      %265 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %266 = tt.load %262, %264, %265 : tensor<8x!tt.ptr<bf16>>
      %267 = arith.extf %266 : tensor<8xbf16> to tensor<8xf32>
      %268 = tt.splat %260 : i32 -> tensor<8xi32>
      %269 = tt.addptr %176, %268 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %270 = tt.splat %167 : i1 -> tensor<8xi1>
      %271 = arith.andi %33, %270 : tensor<8xi1>
      %272 = tt.splat %64 : f32 -> tensor<8xf32>
      %273 = tt.load %269, %271, %272 : tensor<8x!tt.ptr<f32>>
      %275 = tt.splat %274 : i32 -> tensor<8xi32>
      %276 = tt.addptr %173, %275 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %277 = tt.splat %170 : i1 -> tensor<8xi1>
      %278 = arith.andi %33, %277 : tensor<8xi1>
      %279 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %280 = tt.load %276, %278, %279 : tensor<8x!tt.ptr<bf16>>
      %281 = arith.extf %280 : tensor<8xbf16> to tensor<8xf32>
      %282 = tt.splat %274 : i32 -> tensor<8xi32>
      %283 = tt.addptr %176, %282 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %284 = tt.splat %170 : i1 -> tensor<8xi1>
      %285 = arith.andi %33, %284 : tensor<8xi1>
      %286 = tt.splat %64 : f32 -> tensor<8xf32>
      %287 = tt.load %283, %285, %286 : tensor<8x!tt.ptr<f32>>
      %288 = arith.muli %149, %34 : i32
      %289 = tt.splat %288 : i32 -> tensor<1x4xi32>
      %290 = tt.addptr %75, %289 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %291 = arith.muli %149, %34 : i32
      %292 = tt.splat %291 : i32 -> tensor<1x4xi32>
      %293 = tt.addptr %80, %292 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %294 = tt.splat %16 : i32 -> tensor<1x4xi32>
      %295 = tt.addptr %290, %294 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %296 = tt.splat %152 : i1 -> tensor<1x4xi1>
      %297 = arith.andi %36, %296 : tensor<1x4xi1>
      %298 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %299 = tt.load %295, %297, %298 : tensor<1x4x!tt.ptr<f32>>
      %300 = tt.splat %16 : i32 -> tensor<1x4xi32>
      %301 = tt.addptr %293, %300 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %302 = tt.splat %152 : i1 -> tensor<1x4xi1>
      %303 = arith.andi %36, %302 : tensor<1x4xi1>
      %304 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %305 = tt.load %301, %303, %304 : tensor<1x4x!tt.ptr<f32>>
      %306 = arith.addi %149, %16 : i32
      %307 = tt.addptr %83, %306 : !tt.ptr<i32>, i32
      %308 = arith.cmpi sgt, %306, %16 : i32
      %309 = tt.load %307, %152, %16 : !tt.ptr<i32>
      %310 = arith.andi %308, %152 : i1
      %311 = arith.subi %306, %23 : i32
      %312 = tt.addptr %83, %311 : !tt.ptr<i32>, i32
      %313 = tt.load %312, %310, %16 : !tt.ptr<i32>
      %314 = arith.cmpi eq, %309, %313 : i32
      %316 = arith.select %314, %64, %315 : f32
      %317 = tt.splat %34 : i32 -> tensor<1x4xi32>
      %318 = tt.addptr %290, %317 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %319 = tt.splat %154 : i1 -> tensor<1x4xi1>
      %320 = arith.andi %36, %319 : tensor<1x4xi1>
      %321 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %322 = tt.load %318, %320, %321 : tensor<1x4x!tt.ptr<f32>>
      %323 = tt.splat %34 : i32 -> tensor<1x4xi32>
      %324 = tt.addptr %293, %323 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %325 = tt.splat %154 : i1 -> tensor<1x4xi1>
      %326 = arith.andi %36, %325 : tensor<1x4xi1>
      %327 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %328 = tt.load %324, %326, %327 : tensor<1x4x!tt.ptr<f32>>
      %329 = arith.addi %149, %23 : i32
      %330 = tt.addptr %83, %329 : !tt.ptr<i32>, i32
      %331 = arith.cmpi sgt, %329, %16 : i32
      %332 = tt.load %330, %154, %16 : !tt.ptr<i32>
      %333 = arith.andi %331, %154 : i1
      %334 = arith.subi %329, %23 : i32
      %335 = tt.addptr %83, %334 : !tt.ptr<i32>, i32
      %336 = tt.load %335, %333, %16 : !tt.ptr<i32>
      %337 = arith.cmpi eq, %332, %336 : i32
      %338 = arith.select %337, %64, %315 : f32
      %339 = tt.splat %165 : i32 -> tensor<1x4xi32>
      %340 = tt.addptr %290, %339 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %341 = tt.splat %156 : i1 -> tensor<1x4xi1>
      %342 = arith.andi %36, %341 : tensor<1x4xi1>
      %343 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %344 = tt.load %340, %342, %343 : tensor<1x4x!tt.ptr<f32>>
      %345 = tt.splat %165 : i32 -> tensor<1x4xi32>
      %346 = tt.addptr %293, %345 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %347 = tt.splat %156 : i1 -> tensor<1x4xi1>
      %348 = arith.andi %36, %347 : tensor<1x4xi1>
      %349 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %350 = tt.load %346, %348, %349 : tensor<1x4x!tt.ptr<f32>>
      %351 = arith.addi %149, %116 : i32
      %352 = tt.addptr %83, %351 : !tt.ptr<i32>, i32
      %353 = arith.cmpi sgt, %351, %16 : i32
      %354 = tt.load %352, %156, %16 : !tt.ptr<i32>
      %355 = arith.andi %353, %156 : i1
      %356 = arith.subi %351, %23 : i32
      %357 = tt.addptr %83, %356 : !tt.ptr<i32>, i32
      %358 = tt.load %357, %355, %16 : !tt.ptr<i32>
      %359 = arith.cmpi eq, %354, %358 : i32
      %360 = arith.select %359, %64, %315 : f32
      %361 = tt.splat %151 : i32 -> tensor<1x4xi32>
      %362 = tt.addptr %290, %361 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %363 = tt.splat %158 : i1 -> tensor<1x4xi1>
      %364 = arith.andi %36, %363 : tensor<1x4xi1>
      %365 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %366 = tt.load %362, %364, %365 : tensor<1x4x!tt.ptr<f32>>
      %367 = tt.splat %151 : i32 -> tensor<1x4xi32>
      %368 = tt.addptr %293, %367 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %369 = tt.splat %158 : i1 -> tensor<1x4xi1>
      %370 = arith.andi %36, %369 : tensor<1x4xi1>
      %371 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %372 = tt.load %368, %370, %371 : tensor<1x4x!tt.ptr<f32>>
      %373 = arith.addi %149, %34 : i32
      %374 = tt.addptr %83, %373 : !tt.ptr<i32>, i32
      %375 = arith.cmpi sgt, %373, %16 : i32
      %376 = tt.load %374, %158, %16 : !tt.ptr<i32>
      %377 = arith.andi %375, %158 : i1
      %378 = arith.subi %373, %23 : i32
      %379 = tt.addptr %83, %378 : !tt.ptr<i32>, i32
      %380 = tt.load %379, %377, %16 : !tt.ptr<i32>
      %381 = arith.cmpi eq, %376, %380 : i32
      %382 = arith.select %381, %64, %315 : f32
      %384 = tt.splat %383 : i32 -> tensor<1x4xi32>
      %385 = tt.addptr %290, %384 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %386 = tt.splat %161 : i1 -> tensor<1x4xi1>
      %387 = arith.andi %36, %386 : tensor<1x4xi1>
      %388 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %389 = tt.load %385, %387, %388 : tensor<1x4x!tt.ptr<f32>>
      %390 = tt.splat %383 : i32 -> tensor<1x4xi32>
      %391 = tt.addptr %293, %390 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %392 = tt.splat %161 : i1 -> tensor<1x4xi1>
      %393 = arith.andi %36, %392 : tensor<1x4xi1>
      %394 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %395 = tt.load %391, %393, %394 : tensor<1x4x!tt.ptr<f32>>
      %396 = arith.addi %149, %159 : i32
      %397 = tt.addptr %83, %396 : !tt.ptr<i32>, i32
      %398 = arith.cmpi sgt, %396, %16 : i32
      %399 = tt.load %397, %161, %16 : !tt.ptr<i32>
      %400 = arith.andi %398, %161 : i1
      %401 = arith.subi %396, %23 : i32
      %402 = tt.addptr %83, %401 : !tt.ptr<i32>, i32
      %403 = tt.load %402, %400, %16 : !tt.ptr<i32>
      %404 = arith.cmpi eq, %399, %403 : i32
      %405 = arith.select %404, %64, %315 : f32
      %407 = tt.splat %406 : i32 -> tensor<1x4xi32>
      %408 = tt.addptr %290, %407 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %409 = tt.splat %164 : i1 -> tensor<1x4xi1>
      %410 = arith.andi %36, %409 : tensor<1x4xi1>
      %411 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %412 = tt.load %408, %410, %411 : tensor<1x4x!tt.ptr<f32>>
      %413 = tt.splat %406 : i32 -> tensor<1x4xi32>
      %414 = tt.addptr %293, %413 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %415 = tt.splat %164 : i1 -> tensor<1x4xi1>
      %416 = arith.andi %36, %415 : tensor<1x4xi1>
      %417 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %418 = tt.load %414, %416, %417 : tensor<1x4x!tt.ptr<f32>>
      %419 = arith.addi %149, %162 : i32
      %420 = tt.addptr %83, %419 : !tt.ptr<i32>, i32
      %421 = arith.cmpi sgt, %419, %16 : i32
      %422 = tt.load %420, %164, %16 : !tt.ptr<i32>
      %423 = arith.andi %421, %164 : i1
      %424 = arith.subi %419, %23 : i32
      %425 = tt.addptr %83, %424 : !tt.ptr<i32>, i32
      %426 = tt.load %425, %423, %16 : !tt.ptr<i32>
      %427 = arith.cmpi eq, %422, %426 : i32
      %428 = arith.select %427, %64, %315 : f32
      %430 = tt.splat %429 : i32 -> tensor<1x4xi32>
      %431 = tt.addptr %290, %430 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %432 = tt.splat %167 : i1 -> tensor<1x4xi1>
      %433 = arith.andi %36, %432 : tensor<1x4xi1>
      %434 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %435 = tt.load %431, %433, %434 : tensor<1x4x!tt.ptr<f32>>
      %436 = tt.splat %429 : i32 -> tensor<1x4xi32>
      %437 = tt.addptr %293, %436 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %438 = tt.splat %167 : i1 -> tensor<1x4xi1>
      %439 = arith.andi %36, %438 : tensor<1x4xi1>
      %440 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %441 = tt.load %437, %439, %440 : tensor<1x4x!tt.ptr<f32>>
      %442 = arith.addi %149, %165 : i32
      %443 = tt.addptr %83, %442 : !tt.ptr<i32>, i32
      %444 = arith.cmpi sgt, %442, %16 : i32
      %445 = tt.load %443, %167, %16 : !tt.ptr<i32>
      %446 = arith.andi %444, %167 : i1
      %447 = arith.subi %442, %23 : i32
      %448 = tt.addptr %83, %447 : !tt.ptr<i32>, i32
      %449 = tt.load %448, %446, %16 : !tt.ptr<i32>
      %450 = arith.cmpi eq, %445, %449 : i32
      %451 = arith.select %450, %64, %315 : f32
      %453 = tt.splat %452 : i32 -> tensor<1x4xi32>
      %454 = tt.addptr %290, %453 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %455 = tt.splat %170 : i1 -> tensor<1x4xi1>
      %456 = arith.andi %36, %455 : tensor<1x4xi1>
      %457 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %458 = tt.load %454, %456, %457 : tensor<1x4x!tt.ptr<f32>>
      %459 = tt.splat %452 : i32 -> tensor<1x4xi32>
      %460 = tt.addptr %293, %459 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %461 = tt.splat %170 : i1 -> tensor<1x4xi1>
      %462 = arith.andi %36, %461 : tensor<1x4xi1>
      %463 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %464 = tt.load %460, %462, %463 : tensor<1x4x!tt.ptr<f32>>
      %465 = arith.addi %149, %168 : i32
      %466 = tt.addptr %83, %465 : !tt.ptr<i32>, i32
      %467 = arith.cmpi sgt, %465, %16 : i32
      %468 = tt.load %466, %170, %16 : !tt.ptr<i32>
      %469 = arith.andi %467, %170 : i1
      %470 = arith.subi %465, %23 : i32
      %471 = tt.addptr %83, %470 : !tt.ptr<i32>, i32
      %472 = tt.load %471, %469, %16 : !tt.ptr<i32>
      %473 = arith.cmpi eq, %468, %472 : i32
      %474 = arith.select %473, %64, %315 : f32
      %475 = arith.muli %149, %31 : i32
      %476 = tt.splat %475 : i32 -> tensor<8xi32>
      %477 = tt.addptr %88, %476 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %478 = tt.splat %16 : i32 -> tensor<8xi32>
      %479 = tt.addptr %477, %478 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %480 = tt.splat %152 : i1 -> tensor<8xi1>
      %481 = arith.andi %33, %480 : tensor<8xi1>
      %482 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %483 = tt.load %479, %481, %482 : tensor<8x!tt.ptr<bf16>>
      %484 = arith.extf %483 : tensor<8xbf16> to tensor<8xf32>
      %485 = tt.expand_dims %190 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %486 = tt.expand_dims %485 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %487 = tt.broadcast %486 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %488 = arith.mulf %487, %69 : tensor<1x4x8xf32>
      %489 = tt.splat %316 : f32 -> tensor<1x4x8xf32>
      %490 = arith.addf %488, %489 : tensor<1x4x8xf32>
      %491 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %490 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %492 = arith.mulf %123, %491 : tensor<1x4x8xf32>
      %493 = tt.expand_dims %484 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %494 = tt.expand_dims %493 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %495 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %496 = tt.broadcast %494 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %497 = tt.broadcast %495 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %498 = arith.mulf %496, %497 : tensor<1x4x8xf32>
      %499 = math.fma %492, %498, %124 : tensor<1x4x8xf32>
      %500 = arith.mulf %184, %190 : tensor<8xf32>
      %501 = tt.expand_dims %500 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %502 = tt.expand_dims %501 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %503 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %504 = tt.broadcast %502 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %505 = tt.broadcast %503 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %506 = arith.mulf %504, %505 : tensor<1x4x8xf32>
      %507 = math.fma %491, %122, %506 : tensor<1x4x8xf32>
      %508 = tt.splat %31 : i32 -> tensor<8xi32>
      %509 = tt.addptr %477, %508 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %510 = tt.splat %154 : i1 -> tensor<8xi1>
      %511 = arith.andi %33, %510 : tensor<8xi1>
      %512 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %513 = tt.load %509, %511, %512 : tensor<8x!tt.ptr<bf16>>
      %514 = arith.extf %513 : tensor<8xbf16> to tensor<8xf32>
      %515 = tt.expand_dims %203 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %516 = tt.expand_dims %515 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %517 = tt.broadcast %516 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %518 = arith.mulf %517, %69 : tensor<1x4x8xf32>
      %519 = tt.splat %338 : f32 -> tensor<1x4x8xf32>
      %520 = arith.addf %518, %519 : tensor<1x4x8xf32>
      %521 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %520 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %522 = arith.mulf %492, %521 : tensor<1x4x8xf32>
      %523 = tt.expand_dims %514 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %524 = tt.expand_dims %523 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %525 = tt.expand_dims %328 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %526 = tt.broadcast %524 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %527 = tt.broadcast %525 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %528 = arith.mulf %526, %527 : tensor<1x4x8xf32>
      %529 = math.fma %522, %528, %499 : tensor<1x4x8xf32>
      %530 = arith.mulf %197, %203 : tensor<8xf32>
      %531 = tt.expand_dims %530 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %532 = tt.expand_dims %531 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %533 = tt.expand_dims %322 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %534 = tt.broadcast %532 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %535 = tt.broadcast %533 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %536 = arith.mulf %534, %535 : tensor<1x4x8xf32>
      %537 = math.fma %521, %507, %536 : tensor<1x4x8xf32>
      %538 = tt.splat %204 : i32 -> tensor<8xi32>
      %539 = tt.addptr %477, %538 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %540 = tt.splat %156 : i1 -> tensor<8xi1>
      %541 = arith.andi %33, %540 : tensor<8xi1>
      %542 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %543 = tt.load %539, %541, %542 : tensor<8x!tt.ptr<bf16>>
      %544 = arith.extf %543 : tensor<8xbf16> to tensor<8xf32>
      %545 = tt.expand_dims %217 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %546 = tt.expand_dims %545 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %547 = tt.broadcast %546 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %548 = arith.mulf %547, %69 : tensor<1x4x8xf32>
      %549 = tt.splat %360 : f32 -> tensor<1x4x8xf32>
      %550 = arith.addf %548, %549 : tensor<1x4x8xf32>
      %551 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %550 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %552 = arith.mulf %522, %551 : tensor<1x4x8xf32>
      %553 = tt.expand_dims %544 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %554 = tt.expand_dims %553 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %555 = tt.expand_dims %350 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %556 = tt.broadcast %554 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %557 = tt.broadcast %555 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %558 = arith.mulf %556, %557 : tensor<1x4x8xf32>
      %559 = math.fma %552, %558, %529 : tensor<1x4x8xf32>
      %560 = arith.mulf %211, %217 : tensor<8xf32>
      %561 = tt.expand_dims %560 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %562 = tt.expand_dims %561 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %563 = tt.expand_dims %344 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %564 = tt.broadcast %562 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %565 = tt.broadcast %563 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %566 = arith.mulf %564, %565 : tensor<1x4x8xf32>
      %567 = math.fma %551, %537, %566 : tensor<1x4x8xf32>
      %568 = tt.splat %218 : i32 -> tensor<8xi32>
      %569 = tt.addptr %477, %568 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %570 = tt.splat %158 : i1 -> tensor<8xi1>
      %571 = arith.andi %33, %570 : tensor<8xi1>
      %572 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %573 = tt.load %569, %571, %572 : tensor<8x!tt.ptr<bf16>>
      %574 = arith.extf %573 : tensor<8xbf16> to tensor<8xf32>
      %575 = tt.expand_dims %231 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %576 = tt.expand_dims %575 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %577 = tt.broadcast %576 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %578 = arith.mulf %577, %69 : tensor<1x4x8xf32>
      %579 = tt.splat %382 : f32 -> tensor<1x4x8xf32>
      %580 = arith.addf %578, %579 : tensor<1x4x8xf32>
      %581 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %580 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %582 = arith.mulf %552, %581 : tensor<1x4x8xf32>
      %583 = tt.expand_dims %574 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %584 = tt.expand_dims %583 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %585 = tt.expand_dims %372 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %586 = tt.broadcast %584 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %587 = tt.broadcast %585 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %588 = arith.mulf %586, %587 : tensor<1x4x8xf32>
      %589 = math.fma %582, %588, %559 : tensor<1x4x8xf32>
      %590 = arith.mulf %225, %231 : tensor<8xf32>
      %591 = tt.expand_dims %590 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %592 = tt.expand_dims %591 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %593 = tt.expand_dims %366 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %594 = tt.broadcast %592 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %595 = tt.broadcast %593 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %596 = arith.mulf %594, %595 : tensor<1x4x8xf32>
      %597 = math.fma %581, %567, %596 : tensor<1x4x8xf32>
      %598 = tt.splat %232 : i32 -> tensor<8xi32>
      %599 = tt.addptr %477, %598 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %600 = tt.splat %161 : i1 -> tensor<8xi1>
      %601 = arith.andi %33, %600 : tensor<8xi1>
      %602 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %603 = tt.load %599, %601, %602 : tensor<8x!tt.ptr<bf16>>
      %604 = arith.extf %603 : tensor<8xbf16> to tensor<8xf32>
      %605 = tt.expand_dims %245 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %606 = tt.expand_dims %605 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %607 = tt.broadcast %606 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %608 = arith.mulf %607, %69 : tensor<1x4x8xf32>
      %609 = tt.splat %405 : f32 -> tensor<1x4x8xf32>
      %610 = arith.addf %608, %609 : tensor<1x4x8xf32>
      %611 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %610 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %612 = arith.mulf %582, %611 : tensor<1x4x8xf32>
      %613 = tt.expand_dims %604 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %614 = tt.expand_dims %613 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %615 = tt.expand_dims %395 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %616 = tt.broadcast %614 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %617 = tt.broadcast %615 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %618 = arith.mulf %616, %617 : tensor<1x4x8xf32>
      %619 = math.fma %612, %618, %589 : tensor<1x4x8xf32>
      %620 = arith.mulf %239, %245 : tensor<8xf32>
      %621 = tt.expand_dims %620 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %622 = tt.expand_dims %621 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %623 = tt.expand_dims %389 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %624 = tt.broadcast %622 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %625 = tt.broadcast %623 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %626 = arith.mulf %624, %625 : tensor<1x4x8xf32>
      %627 = math.fma %611, %597, %626 : tensor<1x4x8xf32>
      %628 = tt.splat %246 : i32 -> tensor<8xi32>
      %629 = tt.addptr %477, %628 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %630 = tt.splat %164 : i1 -> tensor<8xi1>
      %631 = arith.andi %33, %630 : tensor<8xi1>
      %632 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %633 = tt.load %629, %631, %632 : tensor<8x!tt.ptr<bf16>>
      %634 = arith.extf %633 : tensor<8xbf16> to tensor<8xf32>
      %635 = tt.expand_dims %259 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %636 = tt.expand_dims %635 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %637 = tt.broadcast %636 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %638 = arith.mulf %637, %69 : tensor<1x4x8xf32>
      %639 = tt.splat %428 : f32 -> tensor<1x4x8xf32>
      %640 = arith.addf %638, %639 : tensor<1x4x8xf32>
      %641 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %640 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %642 = arith.mulf %612, %641 : tensor<1x4x8xf32>
      %643 = tt.expand_dims %634 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %644 = tt.expand_dims %643 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %645 = tt.expand_dims %418 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %646 = tt.broadcast %644 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %647 = tt.broadcast %645 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %648 = arith.mulf %646, %647 : tensor<1x4x8xf32>
      %649 = math.fma %642, %648, %619 : tensor<1x4x8xf32>
      %650 = arith.mulf %253, %259 : tensor<8xf32>
      %651 = tt.expand_dims %650 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %652 = tt.expand_dims %651 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %653 = tt.expand_dims %412 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %654 = tt.broadcast %652 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %655 = tt.broadcast %653 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %656 = arith.mulf %654, %655 : tensor<1x4x8xf32>
      %657 = math.fma %641, %627, %656 : tensor<1x4x8xf32>
      %658 = tt.splat %260 : i32 -> tensor<8xi32>
      %659 = tt.addptr %477, %658 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %660 = tt.splat %167 : i1 -> tensor<8xi1>
      %661 = arith.andi %33, %660 : tensor<8xi1>
      %662 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %663 = tt.load %659, %661, %662 : tensor<8x!tt.ptr<bf16>>
      %664 = arith.extf %663 : tensor<8xbf16> to tensor<8xf32>
      %665 = tt.expand_dims %273 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %666 = tt.expand_dims %665 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %667 = tt.broadcast %666 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %668 = arith.mulf %667, %69 : tensor<1x4x8xf32>
      %669 = tt.splat %451 : f32 -> tensor<1x4x8xf32>
      %670 = arith.addf %668, %669 : tensor<1x4x8xf32>
      %671 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %670 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %672 = arith.mulf %642, %671 : tensor<1x4x8xf32>
      %673 = tt.expand_dims %664 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %674 = tt.expand_dims %673 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %675 = tt.expand_dims %441 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %676 = tt.broadcast %674 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %677 = tt.broadcast %675 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %678 = arith.mulf %676, %677 : tensor<1x4x8xf32>
      %679 = math.fma %672, %678, %649 : tensor<1x4x8xf32>
      %680 = arith.mulf %267, %273 : tensor<8xf32>
      %681 = tt.expand_dims %680 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %682 = tt.expand_dims %681 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %683 = tt.expand_dims %435 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %684 = tt.broadcast %682 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %685 = tt.broadcast %683 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %686 = arith.mulf %684, %685 : tensor<1x4x8xf32>
      %687 = math.fma %671, %657, %686 : tensor<1x4x8xf32>
      %688 = tt.splat %274 : i32 -> tensor<8xi32>
      %689 = tt.addptr %477, %688 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %690 = tt.splat %170 : i1 -> tensor<8xi1>
      %691 = arith.andi %33, %690 : tensor<8xi1>
      %692 = tt.splat %181 : bf16 -> tensor<8xbf16>
      %693 = tt.load %689, %691, %692 : tensor<8x!tt.ptr<bf16>>
      %694 = arith.extf %693 : tensor<8xbf16> to tensor<8xf32>
      %695 = tt.expand_dims %287 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %696 = tt.expand_dims %695 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %697 = tt.broadcast %696 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %698 = arith.mulf %697, %69 : tensor<1x4x8xf32>
      %699 = tt.splat %474 : f32 -> tensor<1x4x8xf32>
      %700 = arith.addf %698, %699 : tensor<1x4x8xf32>
      %701 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %700 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %702 = arith.mulf %672, %701 : tensor<1x4x8xf32>
      %703 = tt.expand_dims %694 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %704 = tt.expand_dims %703 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %705 = tt.expand_dims %464 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %706 = tt.broadcast %704 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %707 = tt.broadcast %705 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %708 = arith.mulf %706, %707 : tensor<1x4x8xf32>
      %709 = math.fma %702, %708, %679 : tensor<1x4x8xf32>
      %710 = arith.mulf %281, %287 : tensor<8xf32>
      %711 = tt.expand_dims %710 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %712 = tt.expand_dims %711 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %713 = tt.expand_dims %458 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %714 = tt.broadcast %712 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %715 = tt.broadcast %713 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %716 = arith.mulf %714, %715 : tensor<1x4x8xf32>
      %717 = math.fma %701, %687, %716 : tensor<1x4x8xf32>
      scf.yield %717, %702, %709 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    }
    %721 = arith.extsi %11 : i32 to i64
    %722 = arith.muli %30, %90 : i64
    %723 = arith.addi %722, %721 : i64
    %724 = arith.muli %723, %93 : i64
    %725 = tt.addptr %factors, %724 : !tt.ptr<f32>, i64
    %726 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %727 = tt.expand_dims %726 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %728 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %729 = arith.muli %727, %728 : tensor<1x1x8xi32>
    %730 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %731 = tt.broadcast %729 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %732 = tt.broadcast %730 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %733 = arith.addi %731, %732 : tensor<1x4x8xi32>
    %734 = tt.splat %725 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %735 = tt.addptr %734, %733 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %736 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %737 = tt.expand_dims %736 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %738 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %739 = tt.broadcast %737 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %740 = tt.broadcast %738 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %741 = arith.andi %739, %740 : tensor<1x4x8xi1>
    tt.store %735, %718#1, %741 : tensor<1x4x8x!tt.ptr<f32>>
    %742 = arith.extsi %11 : i32 to i64
    %743 = arith.muli %30, %90 : i64
    %744 = arith.addi %743, %742 : i64
    %745 = arith.muli %744, %93 : i64
    %746 = tt.addptr %summands, %745 : !tt.ptr<f32>, i64
    %747 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %748 = tt.expand_dims %747 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %749 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %750 = arith.muli %748, %749 : tensor<1x1x8xi32>
    %751 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %752 = tt.broadcast %750 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %753 = tt.broadcast %751 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %754 = arith.addi %752, %753 : tensor<1x4x8xi32>
    %755 = tt.splat %746 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %756 = tt.addptr %755, %754 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %757 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %758 = tt.expand_dims %757 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %759 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %760 = tt.broadcast %758 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %761 = tt.broadcast %759 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %762 = arith.andi %760, %761 : tensor<1x4x8xi1>
    tt.store %756, %718#2, %762 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @selective_scan_carry(%factors: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %summands: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %last: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %behind: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 256 : i32
    %11 = arith.constant 33 : i32
    %16 = arith.constant 33 : i64
    %23 = arith.constant 0.0e0 : f32
    %26 = arith.constant 0 : i32
    %27 = arith.constant 1 : i32
    %31 = arith.constant 1 : i64
    %5 = tt.get_program_id x : i32
    %7 = arith.muli %5, %6 : i32
    %8 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %9 = tt.splat %7 : i32 -> tensor<256xi32>
    %10 = arith.addi %9, %8 : tensor<256xi32>
    %12 = tt.splat %11 : i32 -> tensor<256xi32>
    %13 = arith.cmpi slt, %10, %12 : tensor<256xi32>
    %14 = tt.get_program_id y : i32
    %15 = arith.extsi %14 : i32 to i64
    %17 = arith.muli %15, %16 : i64
    %18 = arith.extsi %10 : tensor<256xi32> to tensor<256xi64>
    %19 = tt.splat %17 : i64 -> tensor<256xi64>
    %20 = arith.addi %19, %18 : tensor<256xi64>
    %21 = tt.splat %last : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %22 = tt.addptr %21, %20 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %24 = tt.splat %23 : f32 -> tensor<256xf32>
    %25 = tt.load %22, %13, %24 : tensor<256x!tt.ptr<f32>>
    %50 = scf.for %28 = %26 to %27 step %27 iter_args(%29 = %25) -> (tensor<256xf32>) : i32 {
      %30 = arith.subi %26, %28 : i32
      %32 = arith.muli %15, %31 : i64
      %33 = arith.extsi %30 : i32 to i64
      %34 = arith.addi %32, %33 : i64
      %35 = arith.muli %34, %16 : i64
      %36 = arith.extsi %10 : tensor<256xi32> to tensor<256xi64>
      %37 = tt.splat %35 : i64 -> tensor<256xi64>
      %38 = arith.addi %37, %36 : tensor<256xi64>
      %39 = tt.splat %behind : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %40 = tt.addptr %39, %38 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
      tt.store %40, %29, %13 : tensor<256x!tt.ptr<f32>>
      %41 = tt.splat %factors : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %42 = tt.addptr %41, %38 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
      %43 = tt.splat %23 : f32 -> tensor<256xf32>
      %44 = tt.load %42, %13, %43 : tensor<256x!tt.ptr<f32>>
      %45 = tt.splat %summands : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %46 = tt.addptr %45, %38 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
      %47 = tt.splat %23 : f32 -> tensor<256xf32>
      %48 = tt.load %46, %13, %47 : tensor<256x!tt.ptr<f32>>
      %49 = math.fma %44, %29, %48 : tensor<256xf32>
      scf.yield %49 : tensor<256xf32>
    }
    %51 = tt.splat %first : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %52 = tt.addptr %51, %20 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    tt.store %52, %50, %13 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @selective_scan_gradients(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %behind: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dy: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dx: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dwidths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %drates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %db: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dc: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %17 = arith.constant 16 : i32
    %19 = arith.constant 0 : i32
    %26 = arith.constant 1 : i32
    %34 = arith.constant 11 : i32
    %37 = arith.constant 3 : i32
    %40 = arith.constant 99 : i64
    %67 = arith.constant 0.0e0 : f32
    %70 = arith.constant 1.442695e0 : f32
    %91 = arith.constant 8 : i32
    %154 = arith.constant 27 : i64
    %165 = arith.constant 9 : i64
    %170 = arith.constant 54 : i64
    %184 = arith.constant 2 : i32
    %185 = arith.constant 32 : i32
    %190 = arith.constant 1 : i64
    %193 = arith.constant 33 : i64
    %214 = arith.constant dense<0.0e0> : tensor<1x4x8xf32>
    %252 = arith.constant 9 : i32
    %260 = arith.constant 4 : i32
    %263 = arith.constant 5 : i32
    %266 = arith.constant 6 : i32
    %269 = arith.constant 7 : i32
    %299 = arith.constant 0xFF800000 : f32
    %367 = arith.constant 12 : i32
    %390 = arith.constant 15 : i32
    %413 = arith.constant 18 : i32
    %436 = arith.constant 21 : i32
    %460 = arith.constant 2 : i64
    %502 = arith.constant 0.0e0 : bf16
    %525 = arith.constant 22 : i32
    %539 = arith.constant 33 : i32
    %553 = arith.constant 44 : i32
    %567 = arith.constant 55 : i32
    %581 = arith.constant 66 : i32
    %595 = arith.constant 77 : i32
    %1203 = arith.constant 6.931472e-1 : f32
    %14 = tt.get_program_id y : i32
    %15 = tt.get_program_id z : i32
    %16 = tt.get_program_id x : i32
    %18 = arith.muli %16, %17 : i32
    %20 = arith.addi %18, %19 : i32
    %21 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %22 = tt.splat %20 : i32 -> tensor<8xi32>
    %23 = arith.addi %22, %21 : tensor<8xi32>
    %24 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %25 = tt.expand_dims %24 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %27 = tt.splat %26 : i32 -> tensor<1x4xi32>
    %28 = arith.muli %25, %27 : tensor<1x4xi32>
    %29 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %31 = tt.broadcast %30 : tensor<1x1xi32> -> tensor<1x4xi32>
    %32 = arith.addi %28, %31 : tensor<1x4xi32>
    %33 = arith.extsi %15 : i32 to i64
    %35 = tt.splat %34 : i32 -> tensor<8xi32>
    %36 = arith.cmpi slt, %23, %35 : tensor<8xi32>
    %38 = tt.splat %37 : i32 -> tensor<1x4xi32>
    %39 = arith.cmpi slt, %32, %38 : tensor<1x4xi32>
    %41 = arith.muli %33, %40 : i64
    %42 = tt.addptr %x, %41 : !tt.ptr<bf16>, i64
    %43 = arith.extsi %23 : tensor<8xi32> to tensor<8xi64>
    %44 = tt.splat %42 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %45 = tt.addptr %44, %43 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %46 = arith.muli %33, %40 : i64
    %47 = tt.addptr %widths, %46 : !tt.ptr<f32>, i64
    %48 = arith.extsi %23 : tensor<8xi32> to tensor<8xi64>
    %49 = tt.splat %47 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %50 = tt.addptr %49, %48 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %51 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %52 = tt.expand_dims %51 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %53 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %54 = arith.muli %52, %53 : tensor<1x1x8xi32>
    %55 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %56 = tt.broadcast %54 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %57 = tt.broadcast %55 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %58 = arith.addi %56, %57 : tensor<1x4x8xi32>
    %59 = tt.splat %rates : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %60 = tt.addptr %59, %58 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %61 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %62 = tt.expand_dims %61 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %63 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %64 = tt.broadcast %62 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %65 = tt.broadcast %63 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %66 = arith.andi %64, %65 : tensor<1x4x8xi1>
    %68 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %69 = tt.load %60, %66, %68 : tensor<1x4x8x!tt.ptr<f32>>
    %71 = tt.splat %70 : f32 -> tensor<1x4x8xf32>
    %72 = arith.mulf %69, %71 : tensor<1x4x8xf32>
    %73 = arith.muli %33, %40 : i64
    %74 = tt.addptr %dy, %73 : !tt.ptr<bf16>, i64
    %75 = arith.extsi %23 : tensor<8xi32> to tensor<8xi64>
    %76 = tt.splat %74 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %77 = tt.addptr %76, %75 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %78 = arith.muli %33, %40 : i64
    %79 = tt.addptr %dx, %78 : !tt.ptr<bf16>, i64
    %80 = arith.extsi %23 : tensor<8xi32> to tensor<8xi64>
    %81 = tt.splat %79 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %82 = tt.addptr %81, %80 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %83 = arith.muli %33, %40 : i64
    %84 = tt.addptr %dwidths, %83 : !tt.ptr<f32>, i64
    %85 = arith.extsi %23 : tensor<8xi32> to tensor<8xi64>
    %86 = tt.splat %84 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %87 = tt.addptr %86, %85 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %88 = tt.get_program_id z : i32
    %89 = tt.get_program_id x : i32
    %90 = arith.muli %89, %17 : i32
    %92 = arith.addi %90, %91 : i32
    %93 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %94 = tt.splat %92 : i32 -> tensor<8xi32>
    %95 = arith.addi %94, %93 : tensor<8xi32>
    %96 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %97 = tt.expand_dims %96 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %98 = tt.splat %26 : i32 -> tensor<1x4xi32>
    %99 = arith.muli %97, %98 : tensor<1x4xi32>
    %100 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %101 = tt.expand_dims %100 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %102 = tt.broadcast %101 : tensor<1x1xi32> -> tensor<1x4xi32>
    %103 = arith.addi %99, %102 : tensor<1x4xi32>
    %104 = arith.extsi %88 : i32 to i64
    %105 = tt.splat %34 : i32 -> tensor<8xi32>
    %106 = arith.cmpi slt, %95, %105 : tensor<8xi32>
    %107 = tt.splat %37 : i32 -> tensor<1x4xi32>
    %108 = arith.cmpi slt, %103, %107 : tensor<1x4xi32>
    %109 = arith.muli %104, %40 : i64
    %110 = tt.addptr %x, %109 : !tt.ptr<bf16>, i64
    %111 = arith.extsi %95 : tensor<8xi32> to tensor<8xi64>
    %112 = tt.splat %110 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %113 = tt.addptr %112, %111 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %114 = arith.muli %104, %40 : i64
    %115 = tt.addptr %widths, %114 : !tt.ptr<f32>, i64
    %116 = arith.extsi %95 : tensor<8xi32> to tensor<8xi64>
    %117 = tt.splat %115 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %118 = tt.addptr %117, %116 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %119 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %120 = tt.expand_dims %119 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %121 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %122 = arith.muli %120, %121 : tensor<1x1x8xi32>
    %123 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %124 = tt.broadcast %122 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %125 = tt.broadcast %123 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %126 = arith.addi %124, %125 : tensor<1x4x8xi32>
    %127 = tt.splat %rates : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %128 = tt.addptr %127, %126 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %129 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %130 = tt.expand_dims %129 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %131 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %132 = tt.broadcast %130 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %133 = tt.broadcast %131 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %134 = arith.andi %132, %133 : tensor<1x4x8xi1>
    %135 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %136 = tt.load %128, %134, %135 : tensor<1x4x8x!tt.ptr<f32>>
    %137 = tt.splat %70 : f32 -> tensor<1x4x8xf32>
    %138 = arith.mulf %136, %137 : tensor<1x4x8xf32>
    %139 = arith.muli %104, %40 : i64
    %140 = tt.addptr %dy, %139 : !tt.ptr<bf16>, i64
    %141 = arith.extsi %95 : tensor<8xi32> to tensor<8xi64>
    %142 = tt.splat %140 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %143 = tt.addptr %142, %141 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %144 = arith.muli %104, %40 : i64
    %145 = tt.addptr %dx, %144 : !tt.ptr<bf16>, i64
    %146 = arith.extsi %95 : tensor<8xi32> to tensor<8xi64>
    %147 = tt.splat %145 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %148 = tt.addptr %147, %146 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %149 = arith.muli %104, %40 : i64
    %150 = tt.addptr %dwidths, %149 : !tt.ptr<f32>, i64
    %151 = arith.extsi %95 : tensor<8xi32> to tensor<8xi64>
    %152 = tt.splat %150 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %153 = tt.addptr %152, %151 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %155 = arith.muli %33, %154 : i64
    %156 = tt.addptr %b, %155 : !tt.ptr<f32>, i64
    %157 = arith.extsi %32 : tensor<1x4xi32> to tensor<1x4xi64>
    %158 = tt.splat %156 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %159 = tt.addptr %158, %157 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %160 = arith.muli %33, %154 : i64
    %161 = tt.addptr %c, %160 : !tt.ptr<f32>, i64
    %162 = arith.extsi %32 : tensor<1x4xi32> to tensor<1x4xi64>
    %163 = tt.splat %161 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %164 = tt.addptr %163, %162 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %166 = arith.muli %33, %165 : i64
    %167 = tt.addptr %documents, %166 : !tt.ptr<i32>, i64
    %168 = tt.get_program_id x : i32
    %169 = arith.extsi %168 : i32 to i64
    %171 = arith.muli %169, %170 : i64
    %172 = tt.addptr %db, %171 : !tt.ptr<f32>, i64
    %173 = arith.muli %33, %154 : i64
    %174 = tt.addptr %172, %173 : !tt.ptr<f32>, i64
    %175 = arith.extsi %32 : tensor<1x4xi32> to tensor<1x4xi64>
    %176 = tt.splat %174 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %177 = tt.addptr %176, %175 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %178 = tt.addptr %dc, %171 : !tt.ptr<f32>, i64
    %179 = arith.muli %33, %154 : i64
    %180 = tt.addptr %178, %179 : !tt.ptr<f32>, i64
    %181 = arith.extsi %32 : tensor<1x4xi32> to tensor<1x4xi64>
    %182 = tt.splat %180 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %183 = tt.addptr %182, %181 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %186 = arith.muli %14, %185 : i32
    %187 = arith.subi %184, %186 : i32
    %188 = arith.minsi %187, %185 : i32
    %189 = arith.extsi %14 : i32 to i64
    %191 = arith.muli %33, %190 : i64
    %192 = arith.addi %191, %189 : i64
    %194 = arith.muli %192, %193 : i64
    %195 = tt.addptr %behind, %194 : !tt.ptr<f32>, i64
    %196 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %197 = tt.expand_dims %196 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %198 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %199 = arith.muli %197, %198 : tensor<1x1x8xi32>
    %200 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %201 = tt.broadcast %199 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %202 = tt.broadcast %200 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %203 = arith.addi %201, %202 : tensor<1x4x8xi32>
    %204 = tt.splat %195 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %205 = tt.addptr %204, %203 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %206 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %207 = tt.expand_dims %206 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %208 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %209 = tt.broadcast %207 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %210 = tt.broadcast %208 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %211 = arith.andi %209, %210 : tensor<1x4x8xi1>
    %212 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %213 = tt.load %205, %211, %212 : tensor<1x4x8x!tt.ptr<f32>>
    %215 = arith.extsi %14 : i32 to i64
    %216 = arith.muli %104, %190 : i64
    %217 = arith.addi %216, %215 : i64
    %218 = arith.muli %217, %193 : i64
    %219 = tt.addptr %behind, %218 : !tt.ptr<f32>, i64
    %220 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %221 = tt.expand_dims %220 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %222 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %223 = arith.muli %221, %222 : tensor<1x1x8xi32>
    %224 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %225 = tt.broadcast %223 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %226 = tt.broadcast %224 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %227 = arith.addi %225, %226 : tensor<1x4x8xi32>
    %228 = tt.splat %219 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %229 = tt.addptr %228, %227 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %230 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %231 = tt.expand_dims %230 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %232 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %233 = tt.broadcast %231 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %234 = tt.broadcast %232 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %235 = arith.andi %233, %234 : tensor<1x4x8xi1>
    %236 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %237 = tt.load %229, %235, %236 : tensor<1x4x8x!tt.ptr<f32>>
    %2144:4 = scf.for %238 = %19 to %188 step %26 iter_args(%239 = %213, %240 = %214, %241 = %237, %242 = %214) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
      %243 = arith.muli %14, %185 : i32
      %244 = arith.muli %14, %185 : i32
      %245 = arith.subi %184, %244 : i32
      %246 = arith.minsi %245, %185 : i32
      %247 = arith.addi %243, %246 : i32
      %248 = arith.subi %247, %26 : i32
      %249 = arith.subi %248, %238 : i32
      %250 = arith.muli %249, %91 : i32
      %251 = arith.addi %250, %19 : i32
      %253 = arith.cmpi slt, %251, %252 : i32
      %254 = arith.addi %250, %26 : i32
      %255 = arith.cmpi slt, %254, %252 : i32
      %256 = arith.addi %250, %184 : i32
      %257 = arith.cmpi slt, %256, %252 : i32
      %258 = arith.addi %250, %37 : i32
      %259 = arith.cmpi slt, %258, %252 : i32
      %261 = arith.addi %250, %260 : i32
      %262 = arith.cmpi slt, %261, %252 : i32
      %264 = arith.addi %250, %263 : i32
      %265 = arith.cmpi slt, %264, %252 : i32
      %267 = arith.addi %250, %266 : i32
      %268 = arith.cmpi slt, %267, %252 : i32
      %270 = arith.addi %250, %269 : i32
      %271 = arith.cmpi slt, %270, %252 : i32
      %272 = arith.muli %250, %37 : i32
      %273 = tt.splat %272 : i32 -> tensor<1x4xi32>
      %274 = tt.addptr %159, %273 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %275 = arith.muli %250, %37 : i32
      %276 = tt.splat %275 : i32 -> tensor<1x4xi32>
      %277 = tt.addptr %164, %276 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %278 = tt.splat %19 : i32 -> tensor<1x4xi32>
      %279 = tt.addptr %274, %278 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %280 = tt.splat %253 : i1 -> tensor<1x4xi1>
      %281 = arith.andi %39, %280 : tensor<1x4xi1>
      %282 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %283 = tt.load %279, %281, %282 : tensor<1x4x!tt.ptr<f32>>
      %284 = tt.splat %19 : i32 -> tensor<1x4xi32>
      %285 = tt.addptr %277, %284 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %286 = tt.splat %253 : i1 -> tensor<1x4xi1>
      %287 = arith.andi %39, %286 : tensor<1x4xi1>
      %288 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %289 = tt.load %285, %287, %288 : tensor<1x4x!tt.ptr<f32>>
      %290 = arith.addi %250, %19 : i32
      %291 = tt.addptr %167, %290 : !tt.ptr<i32>, i32
      %292 = arith.cmpi sgt, %290, %19 : i32
      %293 = tt.load %291, %253, %19 : !tt.ptr<i32>
      %294 = arith.andi %292, %253 : i1
      %295 = arith.subi %290, %26 : i32
      %296 = tt.addptr %167, %295 : !tt.ptr<i32>, i32
      %297 = tt.load %296, %294, %19 : !tt.ptr<i32>
      %298 = arith.cmpi eq, %293, %297 : i32
      %300 = arith.select %298, %67, %299 : f32
      %301 = tt.splat %37 : i32 -> tensor<1x4xi32>
      %302 = tt.addptr %274, %301 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %303 = tt.splat %255 : i1 -> tensor<1x4xi1>
      %304 = arith.andi %39, %303 : tensor<1x4xi1>
      %305 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %306 = tt.load %302, %304, %305 : tensor<1x4x!tt.ptr<f32>>
      %307 = tt.splat %37 : i32 -> tensor<1x4xi32>
      %308 = tt.addptr %277, %307 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %309 = tt.splat %255 : i1 -> tensor<1x4xi1>
      %310 = arith.andi %39, %309 : tensor<1x4xi1>
      %311 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %312 = tt.load %308, %310, %311 : tensor<1x4x!tt.ptr<f32>>
      %313 = arith.addi %250, %26 : i32
      %314 = tt.addptr %167, %313 : !tt.ptr<i32>, i32
      %315 = arith.cmpi sgt, %313, %19 : i32
      %316 = tt.load %314, %255, %19 : !tt.ptr<i32>
      %317 = arith.andi %315, %255 : i1
      %318 = arith.subi %313, %26 : i32
      %319 = tt.addptr %167, %318 : !tt.ptr<i32>, i32
      %320 = tt.load %319, %317, %19 : !tt.ptr<i32>
      %321 = arith.cmpi eq, %316, %320 : i32
      %322 = arith.select %321, %67, %299 : f32
      %323 = tt.splat %266 : i32 -> tensor<1x4xi32>
      %324 = tt.addptr %274, %323 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %325 = tt.splat %257 : i1 -> tensor<1x4xi1>
      %326 = arith.andi %39, %325 : tensor<1x4xi1>
      %327 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %328 = tt.load %324, %326, %327 : tensor<1x4x!tt.ptr<f32>>
      %329 = tt.splat %266 : i32 -> tensor<1x4xi32>
      %330 = tt.addptr %277, %329 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %331 = tt.splat %257 : i1 -> tensor<1x4xi1>
      %332 = arith.andi %39, %331 : tensor<1x4xi1>
      %333 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %334 = tt.load %330, %332, %333 : tensor<1x4x!tt.ptr<f32>>
      %335 = arith.addi %250, %184 : i32
      %336 = tt.addptr %167, %335 : !tt.ptr<i32>, i32
      %337 = arith.cmpi sgt, %335, %19 : i32
      %338 = tt.load %336, %257, %19 : !tt.ptr<i32>
      %339 = arith.andi %337, %257 : i1
      %340 = arith.subi %335, %26 : i32
      %341 = tt.addptr %167, %340 : !tt.ptr<i32>, i32
      %342 = tt.load %341, %339, %19 : !tt.ptr<i32>
      %343 = arith.cmpi eq, %338, %342 : i32
      %344 = arith.select %343, %67, %299 : f32
      %345 = tt.splat %252 : i32 -> tensor<1x4xi32>
      %346 = tt.addptr %274, %345 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %347 = tt.splat %259 : i1 -> tensor<1x4xi1>
      %348 = arith.andi %39, %347 : tensor<1x4xi1>
      %349 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %350 = tt.load %346, %348, %349 : tensor<1x4x!tt.ptr<f32>>
      %351 = tt.splat %252 : i32 -> tensor<1x4xi32>
      %352 = tt.addptr %277, %351 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %353 = tt.splat %259 : i1 -> tensor<1x4xi1>
      %354 = arith.andi %39, %353 : tensor<1x4xi1>
      %355 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %356 = tt.load %352, %354, %355 : tensor<1x4x!tt.ptr<f32>>
      %357 = arith.addi %250, %37 : i32
      %358 = tt.addptr %167, %357 : !tt.ptr<i32>, i32
      %359 = arith.cmpi sgt, %357, %19 : i32
      %360 = tt.load %358, %259, %19 : !tt.ptr<i32>
      %361 = arith.andi %359, %259 : i1
      %362 = arith.subi %357, %26 : i32
      %363 = tt.addptr %167, %362 : !tt.ptr<i32>, i32
      %364 = tt.load %363, %361, %19 : !tt.ptr<i32>
      %365 = arith.cmpi eq, %360, %364 : i32
      %366 = arith.select %365, %67, %299 : f32
      %368 = tt.splat %367 : i32 -> tensor<1x4xi32>
      %369 = tt.addptr %274, %368 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %370 = tt.splat %262 : i1 -> tensor<1x4xi1>
      %371 = arith.andi %39, %370 : tensor<1x4xi1>
      %372 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %373 = tt.load %369, %371, %372 : tensor<1x4x!tt.ptr<f32>>
      %374 = tt.splat %367 : i32 -> tensor<1x4xi32>
      %375 = tt.addptr %277, %374 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %376 = tt.splat %262 : i1 -> tensor<1x4xi1>
      %377 = arith.andi %39, %376 : tensor<1x4xi1>
      %378 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %379 = tt.load %375, %377, %378 : tensor<1x4x!tt.ptr<f32>>
      %380 = arith.addi %250, %260 : i32
      %381 = tt.addptr %167, %380 : !tt.ptr<i32>, i32
      %382 = arith.cmpi sgt, %380, %19 : i32
      %383 = tt.load %381, %262, %19 : !tt.ptr<i32>
      %384 = arith.andi %382, %262 : i1
      %385 = arith.subi %380, %26 : i32
      %386 = tt.addptr %167, %385 : !tt.ptr<i32>, i32
      %387 = tt.load %386, %384, %19 : !tt.ptr<i32>
      %388 = arith.cmpi eq, %383, %387 : i32
      %389 = arith.select %388, %67, %299 : f32
      %391 = tt.splat %390 : i32 -> tensor<1x4xi32>
      %392 = tt.addptr %274, %391 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %393 = tt.splat %265 : i1 -> tensor<1x4xi1>
      %394 = arith.andi %39, %393 : tensor<1x4xi1>
      %395 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %396 = tt.load %392, %394, %395 : tensor<1x4x!tt.ptr<f32>>
      %397 = tt.splat %390 : i32 -> tensor<1x4xi32>
      %398 = tt.addptr %277, %397 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %399 = tt.splat %265 : i1 -> tensor<1x4xi1>
      %400 = arith.andi %39, %399 : tensor<1x4xi1>
      %401 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %402 = tt.load %398, %400, %401 : tensor<1x4x!tt.ptr<f32>>
      %403 = arith.addi %250, %263 : i32
      %404 = tt.addptr %167, %403 : !tt.ptr<i32>, i32
      %405 = arith.cmpi sgt, %403, %19 : i32
      %406 = tt.load %404, %265, %19 : !tt.ptr<i32>
      %407 = arith.andi %405, %265 : i1
      %408 = arith.subi %403, %26 : i32
      %409 = tt.addptr %167, %408 : !tt.ptr<i32>, i32
      %410 = tt.load %409, %407, %19 : !tt.ptr<i32>
      %411 = arith.cmpi eq, %406, %410 : i32
      %412 = arith.select %411, %67, %299 : f32
      %414 = tt.splat %413 : i32 -> tensor<1x4xi32>
      %415 = tt.addptr %274, %414 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %416 = tt.splat %268 : i1 -> tensor<1x4xi1>
      %417 = arith.andi %39, %416 : tensor<1x4xi1>
      %418 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %419 = tt.load %415, %417, %418 : tensor<1x4x!tt.ptr<f32>>
      %420 = tt.splat %413 : i32 -> tensor<1x4xi32>
      %421 = tt.addptr %277, %420 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %422 = tt.splat %268 : i1 -> tensor<1x4xi1>
      %423 = arith.andi %39, %422 : tensor<1x4xi1>
      %424 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %425 = tt.load %421, %423, %424 : tensor<1x4x!tt.ptr<f32>>
      %426 = arith.addi %250, %266 : i32
      %427 = tt.addptr %167, %426 : !tt.ptr<i32>, i32
      %428 = arith.cmpi sgt, %426, %19 : i32
      %429 = tt.load %427, %268, %19 : !tt.ptr<i32>
      %430 = arith.andi %428, %268 : i1
      %431 = arith.subi %426, %26 : i32
      %432 = tt.addptr %167, %431 : !tt.ptr<i32>, i32
      %433 = tt.load %432, %430, %19 : !tt.ptr<i32>
      %434 = arith.cmpi eq, %429, %433 : i32
      %435 = arith.select %434, %67, %299 : f32
      %437 = tt.splat %436 : i32 -> tensor<1x4xi32>
      %438 = tt.addptr %274, %437 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %439 = tt.splat %271 : i1 -> tensor<1x4xi1>
      %440 = arith.andi %39, %439 : tensor<1x4xi1>
      %441 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %442 = tt.load %438, %440, %441 : tensor<1x4x!tt.ptr<f32>>
      %443 = tt.splat %436 : i32 -> tensor<1x4xi32>
      %444 = tt.addptr %277, %443 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %445 = tt.splat %271 : i1 -> tensor<1x4xi1>
      %446 = arith.andi %39, %445 : tensor<1x4xi1>
      %447 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %448 = tt.load %444, %446, %447 : tensor<1x4x!tt.ptr<f32>>
      %449 = arith.addi %250, %269 : i32
      %450 = tt.addptr %167, %449 : !tt.ptr<i32>, i32
      %451 = arith.cmpi sgt, %449, %19 : i32
      %452 = tt.load %450, %271, %19 : !tt.ptr<i32>
      %453 = arith.andi %451, %271 : i1
      %454 = arith.subi %449, %26 : i32
      %455 = tt.addptr %167, %454 : !tt.ptr<i32>, i32
      %456 = tt.load %455, %453, %19 : !tt.ptr<i32>
      %457 = arith.cmpi eq, %452, %456 : i32
      %458 = arith.select %457, %67, %299 : f32
      %459 = arith.extsi %249 : i32 to i64
      %461 = arith.muli %33, %460 : i64
      %462 = arith.addi %461, %459 : i64
      %463 = arith.muli %462, %193 : i64
      %464 = tt.addptr %states, %463 : !tt.ptr<f32>, i64
      %465 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %466 = tt.expand_dims %465 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %467 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %468 = arith.muli %466, %467 : tensor<1x1x8xi32>
      %469 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %470 = tt.broadcast %468 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %471 = tt.broadcast %469 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %472 = arith.addi %470, %471 : tensor<1x4x8xi32>
      %473 = tt.splat %464 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %474 = tt.addptr %473, %472 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %475 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %476 = tt.expand_dims %475 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %477 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %478 = tt.broadcast %476 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %479 = tt.broadcast %477 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %480 = arith.andi %478, %479 : tensor<1x4x8xi1>
      %481 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %482 = tt.load %474, %480, %481 : tensor<1x4x8x!tt.ptr<f32>>
      %483 = arith.muli %250, %34 : i32
      %484 = tt.splat %483 : i32 -> tensor<8xi32>
      %485 = tt.addptr %77, %484 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %486 = arith.muli %250, %34 : i32
      %487 = tt.splat %486 : i32 -> tensor<8xi32>
      %488 = tt.addptr %82, %487 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %489 = arith.muli %250, %34 : i32
      %490 = tt.splat %489 : i32 -> tensor<8xi32>
      %491 = tt.addptr %87, %490 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %492 = arith.muli %250, %34 : i32
      %493 = tt.splat %492 : i32 -> tensor<8xi32>
      %494 = tt.addptr %45, %493 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %495 = arith.muli %250, %34 : i32
      %496 = tt.splat %495 : i32 -> tensor<8xi32>
      %497 = tt.addptr %50, %496 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %498 = tt.splat %19 : i32 -> tensor<8xi32>
      %499 = tt.addptr %494, %498 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %500 = tt.splat %253 : i1 -> tensor<8xi1>
      %501 = arith.andi %36, %500 : tensor<8xi1>
      %503 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %504 = tt.load %499, %501, %503 : tensor<8x!tt.ptr<bf16>>
      %505 = arith.extf %504 : tensor<8xbf16> to tensor<8xf32>
      %506 = tt.splat %19 : i32 -> tensor<8xi32>
      %507 = tt.addptr %497, %506 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %508 = tt.splat %253 : i1 -> tensor<8xi1>
      %509 = arith.andi %36, %508 : tensor<8xi1>
      %510 = tt.splat %67 : f32 -> tensor<8xf32>
      %511 = tt.load %507, %509, %510 : tensor<8x!tt.ptr<f32>>
      %512 = tt.splat %34 : i32 -> tensor<8xi32>
      %513 = tt.addptr %494, %512 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %514 = tt.splat %255 : i1 -> tensor<8xi1>
      %515 = arith.andi %36, %514 : tensor<8xi1>
      %516 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %517 = tt.load %513, %515, %516 : tensor<8x!tt.ptr<bf16>>
      %518 = arith.extf %517 : tensor<8xbf16> to tensor<8xf32>
      %519 = tt.splat %34 : i32 -> tensor<8xi32>
      %520 = tt.addptr %497, %519 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %521 = tt.splat %255 : i1 -> tensor<8xi1>
      %522 = arith.andi %36, %521 : tensor<8xi1>
      %523 = tt.splat %67 : f32 -> tensor<8xf32>
      %524 = tt.load %520, %522, %523 : tensor<8x!tt.ptr<f32>>
      %526 = tt.splat %525 : i32 -> tensor<8xi32>
      %527 = tt.addptr %494, %526 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %528 = tt.splat %257 : i1 -> tensor<8xi1>
      %529 = arith.andi %36, %528 : tensor<8xi1>
      %530 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %531 = tt.load %527, %529, %530 : tensor<8x!tt.ptr<bf16>>
      %532 = arith.extf %531 : tensor<8xbf16> to tensor<8xf32>
      %533 = tt.splat %525 : i32 -> tensor<8xi32>
      %534 = tt.addptr %497, %533 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %535 = tt.splat %257 : i1 -> tensor<8xi1>
      %536 = arith.andi %36, %535 : tensor<8xi1>
      %537 = tt.splat %67 : f32 -> tensor<8xf32>
      %538 = tt.load %534, %536, %537 : tensor<8x!tt.ptr<f32>>
      %540 = tt.splat %539 : i32 -> tensor<8xi32>
      %541 = tt.addptr %494, %540 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %542 = tt.splat %259 : i1 -> tensor<8xi1>
      %543 = arith.andi %36, %542 : tensor<8xi1>
      %544 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %545 = tt.load %541, %543, %544 : tensor<8x!tt.ptr<bf16>>
      %546 = arith.extf %545 : tensor<8xbf16> to tensor<8xf32>
      %547 = tt.splat %539 : i32 -> tensor<8xi32>
      %548 = tt.addptr %497, %547 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %549 = tt.splat %259 : i1 -> tensor<8xi1>
      %550 = arith.andi %36, %549 : tensor<8xi1>
      %551 = tt.splat %67 : f32 -> tensor<8xf32>
      %552 = tt.load %548, %550, %551 : tensor<8x!tt.ptr<f32>>
      %554 = tt.splat %553 : i32 -> tensor<8xi32>
      %555 = tt.addptr %494, %554 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %556 = tt.splat %262 : i1 -> tensor<8xi1>
      %557 = arith.andi %36, %556 : tensor<8xi1>
      %558 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %559 = tt.load %555, %557, %558 : tensor<8x!tt.ptr<bf16>>
      %560 = arith.extf %559 : tensor<8xbf16> to tensor<8xf32>
      %561 = tt.splat %553 : i32 -> tensor<8xi32>
      %562 = tt.addptr %497, %561 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %563 = tt.splat %262 : i1 -> tensor<8xi1>
      %564 = arith.andi %36, %563 : tensor<8xi1>
      %565 = tt.splat %67 : f32 -> tensor<8xf32>
      %566 = tt.load %562, %564, %565 : tensor<8x!tt.ptr<f32>>
      %568 = tt.splat %567 : i32 -> tensor<8xi32>
      %569 = tt.addptr %494, %568 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %570 = tt.splat %265 : i1 -> tensor<8xi1>
      %571 = arith.andi %36, %570 : tensor<8xi1>
      %572 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %573 = tt.load %569, %571, %572 : tensor<8x!tt.ptr<bf16>>
      %574 = arith.extf %573 : tensor<8xbf16> to tensor<8xf32>
      %575 = tt.splat %567 : i32 -> tensor<8xi32>
      %576 = tt.addptr %497, %575 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %577 = tt.splat %265 : i1 -> tensor<8xi1>
      %578 = arith.andi %36, %577 : tensor<8xi1>
      %579 = tt.splat %67 : f32 -> tensor<8xf32>
      %580 = tt.load %576, %578, %579 : tensor<8x!tt.ptr<f32>>
      %582 = tt.splat %581 : i32 -> tensor<8xi32>
      %583 = tt.addptr %494, %582 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %584 = tt.splat %268 : i1 -> tensor<8xi1>
      %585 = arith.andi %36, %584 : tensor<8xi1>
      %586 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %587 = tt.load %583, %585, %586 : tensor<8x!tt.ptr<bf16>>
      %588 = arith.extf %587 : tensor<8xbf16> to tensor<8xf32>
      %589 = tt.splat %581 : i32 -> tensor<8xi32>
      %590 = tt.addptr %497, %589 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %591 = tt.splat %268 : i1 -> tensor<8xi1>
      %592 = arith.andi %36, %591 : tensor<8xi1>
      %593 = tt.splat %67 : f32 -> tensor<8xf32>
      %594 = tt.load %590, %592, %593 : tensor<8x!tt.ptr<f32>>
      %596 = tt.splat %595 : i32 -> tensor<8xi32>
      %597 = tt.addptr %494, %596 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %598 = tt.splat %271 : i1 -> tensor<8xi1>
      %599 = arith.andi %36, %598 : tensor<8xi1>
      %600 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %601 = tt.load %597, %599, %600 : tensor<8x!tt.ptr<bf16>>
      %602 = arith.extf %601 : tensor<8xbf16> to tensor<8xf32>
      %603 = tt.splat %595 : i32 -> tensor<8xi32>
      %604 = tt.addptr %497, %603 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %605 = tt.splat %271 : i1 -> tensor<8xi1>
      %606 = arith.andi %36, %605 : tensor<8xi1>
      %607 = tt.splat %67 : f32 -> tensor<8xf32>
      %608 = tt.load %604, %606, %607 : tensor<8x!tt.ptr<f32>>
      %609 = tt.expand_dims %511 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %610 = tt.expand_dims %609 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %611 = tt.broadcast %610 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %612 = arith.mulf %611, %72 : tensor<1x4x8xf32>
      %613 = tt.splat %300 : f32 -> tensor<1x4x8xf32>
      %614 = arith.addf %612, %613 : tensor<1x4x8xf32>
      %615 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %614 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %616 = arith.mulf %505, %511 : tensor<8xf32>
      %617 = tt.expand_dims %616 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %618 = tt.expand_dims %617 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %619 = tt.expand_dims %283 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %620 = tt.broadcast %618 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %621 = tt.broadcast %619 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %622 = arith.mulf %620, %621 : tensor<1x4x8xf32>
      %623 = math.fma %615, %482, %622 : tensor<1x4x8xf32>
      %624 = tt.splat %19 : i32 -> tensor<8xi32>
      %625 = tt.addptr %485, %624 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %626 = tt.splat %253 : i1 -> tensor<8xi1>
      %627 = arith.andi %36, %626 : tensor<8xi1>
      %628 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %629 = tt.load %625, %627, %628 : tensor<8x!tt.ptr<bf16>>
      %630 = arith.extf %629 : tensor<8xbf16> to tensor<8xf32>
      %631 = tt.splat %19 : i32 -> tensor<8xi32>
      %632 = tt.addptr %488, %631 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %633 = tt.splat %19 : i32 -> tensor<8xi32>
      %634 = tt.addptr %491, %633 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %635 = tt.expand_dims %524 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %636 = tt.expand_dims %635 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %637 = tt.broadcast %636 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %638 = arith.mulf %637, %72 : tensor<1x4x8xf32>
      %639 = tt.splat %322 : f32 -> tensor<1x4x8xf32>
      %640 = arith.addf %638, %639 : tensor<1x4x8xf32>
      %641 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %640 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %642 = arith.mulf %518, %524 : tensor<8xf32>
      %643 = tt.expand_dims %642 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %644 = tt.expand_dims %643 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %645 = tt.expand_dims %306 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %646 = tt.broadcast %644 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %647 = tt.broadcast %645 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %648 = arith.mulf %646, %647 : tensor<1x4x8xf32>
      %649 = math.fma %641, %623, %648 : tensor<1x4x8xf32>
      %650 = tt.splat %34 : i32 -> tensor<8xi32>
      %651 = tt.addptr %485, %650 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %652 = tt.splat %255 : i1 -> tensor<8xi1>
      %653 = arith.andi %36, %652 : tensor<8xi1>
      %654 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %655 = tt.load %651, %653, %654 : tensor<8x!tt.ptr<bf16>>
      %656 = arith.extf %655 : tensor<8xbf16> to tensor<8xf32>
      %657 = tt.splat %34 : i32 -> tensor<8xi32>
      %658 = tt.addptr %488, %657 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %659 = tt.splat %34 : i32 -> tensor<8xi32>
      %660 = tt.addptr %491, %659 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %661 = tt.expand_dims %538 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %662 = tt.expand_dims %661 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %663 = tt.broadcast %662 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %664 = arith.mulf %663, %72 : tensor<1x4x8xf32>
      %665 = tt.splat %344 : f32 -> tensor<1x4x8xf32>
      %666 = arith.addf %664, %665 : tensor<1x4x8xf32>
      %667 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %666 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %668 = arith.mulf %532, %538 : tensor<8xf32>
      %669 = tt.expand_dims %668 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %670 = tt.expand_dims %669 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %671 = tt.expand_dims %328 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %672 = tt.broadcast %670 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %673 = tt.broadcast %671 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %674 = arith.mulf %672, %673 : tensor<1x4x8xf32>
      %675 = math.fma %667, %649, %674 : tensor<1x4x8xf32>
      %676 = tt.splat %525 : i32 -> tensor<8xi32>
      %677 = tt.addptr %485, %676 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %678 = tt.splat %257 : i1 -> tensor<8xi1>
      %679 = arith.andi %36, %678 : tensor<8xi1>
      %680 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %681 = tt.load %677, %679, %680 : tensor<8x!tt.ptr<bf16>>
      %682 = arith.extf %681 : tensor<8xbf16> to tensor<8xf32>
      %683 = tt.splat %525 : i32 -> tensor<8xi32>
      %684 = tt.addptr %488, %683 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %685 = tt.splat %525 : i32 -> tensor<8xi32>
      %686 = tt.addptr %491, %685 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %687 = tt.expand_dims %552 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %688 = tt.expand_dims %687 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %689 = tt.broadcast %688 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %690 = arith.mulf %689, %72 : tensor<1x4x8xf32>
      %691 = tt.splat %366 : f32 -> tensor<1x4x8xf32>
      %692 = arith.addf %690, %691 : tensor<1x4x8xf32>
      %693 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %692 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %694 = arith.mulf %546, %552 : tensor<8xf32>
      %695 = tt.expand_dims %694 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %696 = tt.expand_dims %695 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %697 = tt.expand_dims %350 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %698 = tt.broadcast %696 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %699 = tt.broadcast %697 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %700 = arith.mulf %698, %699 : tensor<1x4x8xf32>
      %701 = math.fma %693, %675, %700 : tensor<1x4x8xf32>
      %702 = tt.splat %539 : i32 -> tensor<8xi32>
      %703 = tt.addptr %485, %702 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %704 = tt.splat %259 : i1 -> tensor<8xi1>
      %705 = arith.andi %36, %704 : tensor<8xi1>
      %706 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %707 = tt.load %703, %705, %706 : tensor<8x!tt.ptr<bf16>>
      %708 = arith.extf %707 : tensor<8xbf16> to tensor<8xf32>
      %709 = tt.splat %539 : i32 -> tensor<8xi32>
      %710 = tt.addptr %488, %709 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %711 = tt.splat %539 : i32 -> tensor<8xi32>
      %712 = tt.addptr %491, %711 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %713 = tt.expand_dims %566 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %714 = tt.expand_dims %713 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %715 = tt.broadcast %714 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %716 = arith.mulf %715, %72 : tensor<1x4x8xf32>
      %717 = tt.splat %389 : f32 -> tensor<1x4x8xf32>
      %718 = arith.addf %716, %717 : tensor<1x4x8xf32>
      %719 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %718 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %720 = arith.mulf %560, %566 : tensor<8xf32>
      %721 = tt.expand_dims %720 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %722 = tt.expand_dims %721 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %723 = tt.expand_dims %373 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %724 = tt.broadcast %722 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %725 = tt.broadcast %723 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %726 = arith.mulf %724, %725 : tensor<1x4x8xf32>
      %727 = math.fma %719, %701, %726 : tensor<1x4x8xf32>
      %728 = tt.splat %553 : i32 -> tensor<8xi32>
      %729 = tt.addptr %485, %728 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %730 = tt.splat %262 : i1 -> tensor<8xi1>
      %731 = arith.andi %36, %730 : tensor<8xi1>
      %732 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %733 = tt.load %729, %731, %732 : tensor<8x!tt.ptr<bf16>>
      %734 = arith.extf %733 : tensor<8xbf16> to tensor<8xf32>
      %735 = tt.splat %553 : i32 -> tensor<8xi32>
      %736 = tt.addptr %488, %735 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %737 = tt.splat %553 : i32 -> tensor<8xi32>
      %738 = tt.addptr %491, %737 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %739 = tt.expand_dims %580 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %740 = tt.expand_dims %739 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %741 = tt.broadcast %740 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %742 = arith.mulf %741, %72 : tensor<1x4x8xf32>
      %743 = tt.splat %412 : f32 -> tensor<1x4x8xf32>
      %744 = arith.addf %742, %743 : tensor<1x4x8xf32>
      %745 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %744 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %746 = arith.mulf %574, %580 : tensor<8xf32>
      %747 = tt.expand_dims %746 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %748 = tt.expand_dims %747 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %749 = tt.expand_dims %396 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %750 = tt.broadcast %748 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %751 = tt.broadcast %749 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %752 = arith.mulf %750, %751 : tensor<1x4x8xf32>
      %753 = math.fma %745, %727, %752 : tensor<1x4x8xf32>
      %754 = tt.splat %567 : i32 -> tensor<8xi32>
      %755 = tt.addptr %485, %754 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %756 = tt.splat %265 : i1 -> tensor<8xi1>
      %757 = arith.andi %36, %756 : tensor<8xi1>
      %758 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %759 = tt.load %755, %757, %758 : tensor<8x!tt.ptr<bf16>>
      %760 = arith.extf %759 : tensor<8xbf16> to tensor<8xf32>
      %761 = tt.splat %567 : i32 -> tensor<8xi32>
      %762 = tt.addptr %488, %761 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %763 = tt.splat %567 : i32 -> tensor<8xi32>
      %764 = tt.addptr %491, %763 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %765 = tt.expand_dims %594 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %766 = tt.expand_dims %765 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %767 = tt.broadcast %766 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %768 = arith.mulf %767, %72 : tensor<1x4x8xf32>
      %769 = tt.splat %435 : f32 -> tensor<1x4x8xf32>
      %770 = arith.addf %768, %769 : tensor<1x4x8xf32>
      %771 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %770 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %772 = arith.mulf %588, %594 : tensor<8xf32>
      %773 = tt.expand_dims %772 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %774 = tt.expand_dims %773 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %775 = tt.expand_dims %419 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %776 = tt.broadcast %774 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %777 = tt.broadcast %775 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %778 = arith.mulf %776, %777 : tensor<1x4x8xf32>
      %779 = math.fma %771, %753, %778 : tensor<1x4x8xf32>
      %780 = tt.splat %581 : i32 -> tensor<8xi32>
      %781 = tt.addptr %485, %780 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %782 = tt.splat %268 : i1 -> tensor<8xi1>
      %783 = arith.andi %36, %782 : tensor<8xi1>
      %784 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %785 = tt.load %781, %783, %784 : tensor<8x!tt.ptr<bf16>>
      %786 = arith.extf %785 : tensor<8xbf16> to tensor<8xf32>
      %787 = tt.splat %581 : i32 -> tensor<8xi32>
      %788 = tt.addptr %488, %787 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %789 = tt.splat %581 : i32 -> tensor<8xi32>
      %790 = tt.addptr %491, %789 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %791 = tt.expand_dims %608 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %792 = tt.expand_dims %791 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %793 = tt.broadcast %792 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %794 = arith.mulf %793, %72 : tensor<1x4x8xf32>
      %795 = tt.splat %458 : f32 -> tensor<1x4x8xf32>
      %796 = arith.addf %794, %795 : tensor<1x4x8xf32>
      %797 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %796 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %798 = arith.mulf %602, %608 : tensor<8xf32>
      %799 = tt.expand_dims %798 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %800 = tt.expand_dims %799 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %801 = tt.expand_dims %442 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %802 = tt.broadcast %800 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %803 = tt.broadcast %801 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %804 = arith.mulf %802, %803 : tensor<1x4x8xf32>
      %805 = math.fma %797, %779, %804 : tensor<1x4x8xf32>
      %806 = tt.splat %595 : i32 -> tensor<8xi32>
      %807 = tt.addptr %485, %806 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %808 = tt.splat %271 : i1 -> tensor<8xi1>
      %809 = arith.andi %36, %808 : tensor<8xi1>
      %810 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %811 = tt.load %807, %809, %810 : tensor<8x!tt.ptr<bf16>>
      %812 = arith.extf %811 : tensor<8xbf16> to tensor<8xf32>
      %813 = tt.splat %595 : i32 -> tensor<8xi32>
      %814 = tt.addptr %488, %813 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %815 = tt.splat %595 : i32 -> tensor<8xi32>
      %816 = tt.addptr %491, %815 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %817 = arith.extsi %249 : i32 to i64
      %818 = arith.muli %104, %460 : i64
      %819 = arith.addi %818, %817 : i64
      %820 = arith.muli %819, %193 : i64
      %821 = tt.addptr %states, %820 : !tt.ptr<f32>, i64
      %822 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %823 = tt.expand_dims %822 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %824 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %825 = arith.muli %823, %824 : tensor<1x1x8xi32>
      %826 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %827 = tt.broadcast %825 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %828 = tt.broadcast %826 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %829 = arith.addi %827, %828 : tensor<1x4x8xi32>
      %830 = tt.splat %821 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %831 = tt.addptr %830, %829 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %832 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %833 = tt.expand_dims %832 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %834 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %835 = tt.broadcast %833 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %836 = tt.broadcast %834 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %837 = arith.andi %835, %836 : tensor<1x4x8xi1>
      %838 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %839 = tt.load %831, %837, %838 : tensor<1x4x8x!tt.ptr<f32>>
      %840 = arith.muli %250, %34 : i32
      %841 = tt.splat %840 : i32 -> tensor<8xi32>
      %842 = tt.addptr %143, %841 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %843 = arith.muli %250, %34 : i32
      %844 = tt.splat %843 : i32 -> tensor<8xi32>
      %845 = tt.addptr %148, %844 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %846 = arith.muli %250, %34 : i32
      %847 = tt.splat %846 : i32 -> tensor<8xi32>
      %848 = tt.addptr %153, %847 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %849 = arith.muli %250, %34 : i32
      %850 = tt.splat %849 : i32 -> tensor<8xi32>
      %851 = tt.addptr %113, %850 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %852 = arith.muli %250, %34 : i32
      %853 = tt.splat %852 : i32 -> tensor<8xi32>
      %854 = tt.addptr %118, %853 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %855 = tt.splat %19 : i32 -> tensor<8xi32>
      %856 = tt.addptr %851, %855 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %857 = tt.splat %253 : i1 -> tensor<8xi1>
      %858 = arith.andi %106, %857 : tensor<8xi1>
      %859 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %860 = tt.load %856, %858, %859 : tensor<8x!tt.ptr<bf16>>
      %861 = arith.extf %860 : tensor<8xbf16> to tensor<8xf32>
      %862 = tt.splat %19 : i32 -> tensor<8xi32>
      %863 = tt.addptr %854, %862 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %864 = tt.splat %253 : i1 -> tensor<8xi1>
      %865 = arith.andi %106, %864 : tensor<8xi1>
      %866 = tt.splat %67 : f32 -> tensor<8xf32>
      %867 = tt.load %863, %865, %866 : tensor<8x!tt.ptr<f32>>
      %868 = tt.splat %34 : i32 -> tensor<8xi32>
      %869 = tt.addptr %851, %868 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %870 = tt.splat %255 : i1 -> tensor<8xi1>
      %871 = arith.andi %106, %870 : tensor<8xi1>
      %872 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %873 = tt.load %869, %871, %872 : tensor<8x!tt.ptr<bf16>>
      %874 = arith.extf %873 : tensor<8xbf16> to tensor<8xf32>
      %875 = tt.splat %34 : i32 -> tensor<8xi32>
      %876 = tt.addptr %854, %875 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %877 = tt.splat %255 : i1 -> tensor<8xi1>
      %878 = arith.andi %106, %877 : tensor<8xi1>
      %879 = tt.splat %67 : f32 -> tensor<8xf32>
      %880 = tt.load %876, %878, %879 : tensor<8x!tt.ptr<f32>>
      %881 = tt.splat %525 : i32 -> tensor<8xi32>
      %882 = tt.addptr %851, %881 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %883 = tt.splat %257 : i1 -> tensor<8xi1>
      %884 = arith.andi %106, %883 : tensor<8xi1>
      %885 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %886 = tt.load %882, %884, %885 : tensor<8x!tt.ptr<bf16>>
      %887 = arith.extf %886 : tensor<8xbf16> to tensor<8xf32>
      %888 = tt.splat %525 : i32 -> tensor<8xi32>
      %889 = tt.addptr %854, %888 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %890 = tt.splat %257 : i1 -> tensor<8xi1>
      %891 = arith.andi %106, %890 : tensor<8xi1>
      %892 = tt.splat %67 : f32 -> tensor<8xf32>
      %893 = tt.load %889, %891, %892 : tensor<8x!tt.ptr<f32>>
      %894 = tt.splat %539 : i32 -> tensor<8xi32>
      %895 = tt.addptr %851, %894 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %896 = tt.splat %259 : i1 -> tensor<8xi1>
      %897 = arith.andi %106, %896 : tensor<8xi1>
      %898 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %899 = tt.load %895, %897, %898 : tensor<8x!tt.ptr<bf16>>
      %900 = arith.extf %899 : tensor<8xbf16> to tensor<8xf32>
      %901 = tt.splat %539 : i32 -> tensor<8xi32>
      %902 = tt.addptr %854, %901 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %903 = tt.splat %259 : i1 -> tensor<8xi1>
      %904 = arith.andi %106, %903 : tensor<8xi1>
      %905 = tt.splat %67 : f32 -> tensor<8xf32>
      %906 = tt.load %902, %904, %905 : tensor<8x!tt.ptr<f32>>
      %907 = tt.splat %553 : i32 -> tensor<8xi32>
      %908 = tt.addptr %851, %907 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %909 = tt.splat %262 : i1 -> tensor<8xi1>
      %910 = arith.andi %106, %909 : tensor<8xi1>
      %911 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %912 = tt.load %908, %910, %911 : tensor<8x!tt.ptr<bf16>>
      %913 = arith.extf %912 : tensor<8xbf16> to tensor<8xf32>
      %914 = tt.splat %553 : i32 -> tensor<8xi32>
      %915 = tt.addptr %854, %914 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %916 = tt.splat %262 : i1 -> tensor<8xi1>
      %917 = arith.andi %106, %916 : tensor<8xi1>
      %918 = tt.splat %67 : f32 -> tensor<8xf32>
      %919 = tt.load %915, %917, %918 : tensor<8x!tt.ptr<f32>>
      %920 = tt.splat %567 : i32 -> tensor<8xi32>
      %921 = tt.addptr %851, %920 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %922 = tt.splat %265 : i1 -> tensor<8xi1>
      %923 = arith.andi %106, %922 : tensor<8xi1>
      %924 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %925 = tt.load %921, %923, %924 : tensor<8x!tt.ptr<bf16>>
      %926 = arith.extf %925 : tensor<8xbf16> to tensor<8xf32>
      %927 = tt.splat %567 : i32 -> tensor<8xi32>
      %928 = tt.addptr %854, %927 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %929 = tt.splat %265 : i1 -> tensor<8xi1>
      %930 = arith.andi %106, %929 : tensor<8xi1>
      %931 = tt.splat %67 : f32 -> tensor<8xf32>
      %932 = tt.load %928, %930, %931 : tensor<8x!tt.ptr<f32>>
      %933 = tt.splat %581 : i32 -> tensor<8xi32>
      %934 = tt.addptr %851, %933 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %935 = tt.splat %268 : i1 -> tensor<8xi1>
      %936 = arith.andi %106, %935 : tensor<8xi1>
      %937 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %938 = tt.load %934, %936, %937 : tensor<8x!tt.ptr<bf16>>
      %939 = arith.extf %938 : tensor<8xbf16> to tensor<8xf32>
      %940 = tt.splat %581 : i32 -> tensor<8xi32>
      %941 = tt.addptr %854, %940 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %942 = tt.splat %268 : i1 -> tensor<8xi1>
      %943 = arith.andi %106, %942 : tensor<8xi1>
      %944 = tt.splat %67 : f32 -> tensor<8xf32>
      %945 = tt.load %941, %943, %944 : tensor<8x!tt.ptr<f32>>
      %946 = tt.splat %595 : i32 -> tensor<8xi32>
      %947 = tt.addptr %851, %946 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %948 = tt.splat %271 : i1 -> tensor<8xi1>
      %949 = arith.andi %106, %948 : tensor<8xi1>
      %950 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %951 = tt.load %947, %949, %950 : tensor<8x!tt.ptr<bf16>>
      %952 = arith.extf %951 : tensor<8xbf16> to tensor<8xf32>
      %953 = tt.splat %595 : i32 -> tensor<8xi32>
      %954 = tt.addptr %854, %953 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %955 = tt.splat %271 : i1 -> tensor<8xi1>
      %956 = arith.andi %106, %955 : tensor<8xi1>
      %957 = tt.splat %67 : f32 -> tensor<8xf32>
      %958 = tt.load %954, %956, %957 : tensor<8x!tt.ptr<f32>>
      %959 = tt.expand_dims %867 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %960 = tt.expand_dims %959 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %961 = tt.broadcast %960 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %962 = arith.mulf %961, %138 : tensor<1x4x8xf32>
      %963 = tt.splat %300 : f32 -> tensor<1x4x8xf32>
      %964 = arith.addf %962, %963 : tensor<1x4x8xf32>
      %965 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %964 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %966 = arith.mulf %861, %867 : tensor<8xf32>
      %967 = tt.expand_dims %966 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %968 = tt.expand_dims %967 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %969 = tt.expand_dims %283 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %970 = tt.broadcast %968 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %971 = tt.broadcast %969 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %972 = arith.mulf %970, %971 : tensor<1x4x8xf32>
      %973 = math.fma %965, %839, %972 : tensor<1x4x8xf32>
      %974 = tt.splat %19 : i32 -> tensor<8xi32>
      %975 = tt.addptr %842, %974 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %976 = tt.splat %253 : i1 -> tensor<8xi1>
      %977 = arith.andi %106, %976 : tensor<8xi1>
      %978 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %979 = tt.load %975, %977, %978 : tensor<8x!tt.ptr<bf16>>
      %980 = arith.extf %979 : tensor<8xbf16> to tensor<8xf32>
      %981 = tt.splat %19 : i32 -> tensor<8xi32>
      %982 = tt.addptr %845, %981 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %983 = tt.splat %19 : i32 -> tensor<8xi32>
      %984 = tt.addptr %848, %983 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %985 = tt.expand_dims %880 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %986 = tt.expand_dims %985 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %987 = tt.broadcast %986 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %988 = arith.mulf %987, %138 : tensor<1x4x8xf32>
      %989 = tt.splat %322 : f32 -> tensor<1x4x8xf32>
      %990 = arith.addf %988, %989 : tensor<1x4x8xf32>
      %991 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %990 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %992 = arith.mulf %874, %880 : tensor<8xf32>
      %993 = tt.expand_dims %992 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %994 = tt.expand_dims %993 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %995 = tt.expand_dims %306 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %996 = tt.broadcast %994 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %997 = tt.broadcast %995 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %998 = arith.mulf %996, %997 : tensor<1x4x8xf32>
      %999 = math.fma %991, %973, %998 : tensor<1x4x8xf32>
      %1000 = tt.splat %34 : i32 -> tensor<8xi32>
      %1001 = tt.addptr %842, %1000 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1002 = tt.splat %255 : i1 -> tensor<8xi1>
      %1003 = arith.andi %106, %1002 : tensor<8xi1>
      %1004 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1005 = tt.load %1001, %1003, %1004 : tensor<8x!tt.ptr<bf16>>
      %1006 = arith.extf %1005 : tensor<8xbf16> to tensor<8xf32>
      %1007 = tt.splat %34 : i32 -> tensor<8xi32>
      %1008 = tt.addptr %845, %1007 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1009 = tt.splat %34 : i32 -> tensor<8xi32>
      %1010 = tt.addptr %848, %1009 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1011 = tt.expand_dims %893 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1012 = tt.expand_dims %1011 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1013 = tt.broadcast %1012 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1014 = arith.mulf %1013, %138 : tensor<1x4x8xf32>
      %1015 = tt.splat %344 : f32 -> tensor<1x4x8xf32>
      %1016 = arith.addf %1014, %1015 : tensor<1x4x8xf32>
      %1017 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1016 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1018 = arith.mulf %887, %893 : tensor<8xf32>
      %1019 = tt.expand_dims %1018 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1020 = tt.expand_dims %1019 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1021 = tt.expand_dims %328 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1022 = tt.broadcast %1020 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1023 = tt.broadcast %1021 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1024 = arith.mulf %1022, %1023 : tensor<1x4x8xf32>
      %1025 = math.fma %1017, %999, %1024 : tensor<1x4x8xf32>
      %1026 = tt.splat %525 : i32 -> tensor<8xi32>
      %1027 = tt.addptr %842, %1026 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1028 = tt.splat %257 : i1 -> tensor<8xi1>
      %1029 = arith.andi %106, %1028 : tensor<8xi1>
      %1030 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1031 = tt.load %1027, %1029, %1030 : tensor<8x!tt.ptr<bf16>>
      %1032 = arith.extf %1031 : tensor<8xbf16> to tensor<8xf32>
      %1033 = tt.splat %525 : i32 -> tensor<8xi32>
      %1034 = tt.addptr %845, %1033 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1035 = tt.splat %525 : i32 -> tensor<8xi32>
      %1036 = tt.addptr %848, %1035 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1037 = tt.expand_dims %906 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1038 = tt.expand_dims %1037 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1039 = tt.broadcast %1038 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1040 = arith.mulf %1039, %138 : tensor<1x4x8xf32>
      %1041 = tt.splat %366 : f32 -> tensor<1x4x8xf32>
      %1042 = arith.addf %1040, %1041 : tensor<1x4x8xf32>
      %1043 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1042 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1044 = arith.mulf %900, %906 : tensor<8xf32>
      %1045 = tt.expand_dims %1044 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1046 = tt.expand_dims %1045 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1047 = tt.expand_dims %350 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1048 = tt.broadcast %1046 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1049 = tt.broadcast %1047 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1050 = arith.mulf %1048, %1049 : tensor<1x4x8xf32>
      %1051 = math.fma %1043, %1025, %1050 : tensor<1x4x8xf32>
      %1052 = tt.splat %539 : i32 -> tensor<8xi32>
      %1053 = tt.addptr %842, %1052 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1054 = tt.splat %259 : i1 -> tensor<8xi1>
      %1055 = arith.andi %106, %1054 : tensor<8xi1>
      %1056 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1057 = tt.load %1053, %1055, %1056 : tensor<8x!tt.ptr<bf16>>
      %1058 = arith.extf %1057 : tensor<8xbf16> to tensor<8xf32>
      %1059 = tt.splat %539 : i32 -> tensor<8xi32>
      %1060 = tt.addptr %845, %1059 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1061 = tt.splat %539 : i32 -> tensor<8xi32>
      %1062 = tt.addptr %848, %1061 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1063 = tt.expand_dims %919 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1064 = tt.expand_dims %1063 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1065 = tt.broadcast %1064 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1066 = arith.mulf %1065, %138 : tensor<1x4x8xf32>
      %1067 = tt.splat %389 : f32 -> tensor<1x4x8xf32>
      %1068 = arith.addf %1066, %1067 : tensor<1x4x8xf32>
      %1069 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1068 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1070 = arith.mulf %913, %919 : tensor<8xf32>
      %1071 = tt.expand_dims %1070 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1072 = tt.expand_dims %1071 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1073 = tt.expand_dims %373 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1074 = tt.broadcast %1072 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1075 = tt.broadcast %1073 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1076 = arith.mulf %1074, %1075 : tensor<1x4x8xf32>
      %1077 = math.fma %1069, %1051, %1076 : tensor<1x4x8xf32>
      %1078 = tt.splat %553 : i32 -> tensor<8xi32>
      %1079 = tt.addptr %842, %1078 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1080 = tt.splat %262 : i1 -> tensor<8xi1>
      %1081 = arith.andi %106, %1080 : tensor<8xi1>
      %1082 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1083 = tt.load %1079, %1081, %1082 : tensor<8x!tt.ptr<bf16>>
      %1084 = arith.extf %1083 : tensor<8xbf16> to tensor<8xf32>
      %1085 = tt.splat %553 : i32 -> tensor<8xi32>
      %1086 = tt.addptr %845, %1085 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1087 = tt.splat %553 : i32 -> tensor<8xi32>
      %1088 = tt.addptr %848, %1087 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1089 = tt.expand_dims %932 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1090 = tt.expand_dims %1089 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1091 = tt.broadcast %1090 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1092 = arith.mulf %1091, %138 : tensor<1x4x8xf32>
      %1093 = tt.splat %412 : f32 -> tensor<1x4x8xf32>
      %1094 = arith.addf %1092, %1093 : tensor<1x4x8xf32>
      %1095 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1094 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1096 = arith.mulf %926, %932 : tensor<8xf32>
      %1097 = tt.expand_dims %1096 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1098 = tt.expand_dims %1097 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1099 = tt.expand_dims %396 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1100 = tt.broadcast %1098 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1101 = tt.broadcast %1099 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1102 = arith.mulf %1100, %1101 : tensor<1x4x8xf32>
      %1103 = math.fma %1095, %1077, %1102 : tensor<1x4x8xf32>
      %1104 = tt.splat %567 : i32 -> tensor<8xi32>
      %1105 = tt.addptr %842, %1104 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1106 = tt.splat %265 : i1 -> tensor<8xi1>
      %1107 = arith.andi %106, %1106 : tensor<8xi1>
      %1108 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1109 = tt.load %1105, %1107, %1108 : tensor<8x!tt.ptr<bf16>>
      %1110 = arith.extf %1109 : tensor<8xbf16> to tensor<8xf32>
      %1111 = tt.splat %567 : i32 -> tensor<8xi32>
      %1112 = tt.addptr %845, %1111 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1113 = tt.splat %567 : i32 -> tensor<8xi32>
      %1114 = tt.addptr %848, %1113 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1115 = tt.expand_dims %945 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1116 = tt.expand_dims %1115 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1117 = tt.broadcast %1116 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1118 = arith.mulf %1117, %138 : tensor<1x4x8xf32>
      %1119 = tt.splat %435 : f32 -> tensor<1x4x8xf32>
      %1120 = arith.addf %1118, %1119 : tensor<1x4x8xf32>
      %1121 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1120 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1122 = arith.mulf %939, %945 : tensor<8xf32>
      %1123 = tt.expand_dims %1122 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1124 = tt.expand_dims %1123 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1125 = tt.expand_dims %419 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1126 = tt.broadcast %1124 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1127 = tt.broadcast %1125 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1128 = arith.mulf %1126, %1127 : tensor<1x4x8xf32>
      %1129 = math.fma %1121, %1103, %1128 : tensor<1x4x8xf32>
      %1130 = tt.splat %581 : i32 -> tensor<8xi32>
      %1131 = tt.addptr %842, %1130 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1132 = tt.splat %268 : i1 -> tensor<8xi1>
      %1133 = arith.andi %106, %1132 : tensor<8xi1>
      %1134 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1135 = tt.load %1131, %1133, %1134 : tensor<8x!tt.ptr<bf16>>
      %1136 = arith.extf %1135 : tensor<8xbf16> to tensor<8xf32>
      %1137 = tt.splat %581 : i32 -> tensor<8xi32>
      %1138 = tt.addptr %845, %1137 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1139 = tt.splat %581 : i32 -> tensor<8xi32>
      %1140 = tt.addptr %848, %1139 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1141 = tt.expand_dims %958 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1142 = tt.expand_dims %1141 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1143 = tt.broadcast %1142 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1144 = arith.mulf %1143, %138 : tensor<1x4x8xf32>
      %1145 = tt.splat %458 : f32 -> tensor<1x4x8xf32>
      %1146 = arith.addf %1144, %1145 : tensor<1x4x8xf32>
      %1147 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1146 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1148 = arith.mulf %952, %958 : tensor<8xf32>
      %1149 = tt.expand_dims %1148 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1150 = tt.expand_dims %1149 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1151 = tt.expand_dims %442 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1152 = tt.broadcast %1150 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1153 = tt.broadcast %1151 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1154 = arith.mulf %1152, %1153 : tensor<1x4x8xf32>
      %1155 = math.fma %1147, %1129, %1154 : tensor<1x4x8xf32>
      %1156 = tt.splat %595 : i32 -> tensor<8xi32>
      %1157 = tt.addptr %842, %1156 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1158 = tt.splat %271 : i1 -> tensor<8xi1>
      %1159 = arith.andi %106, %1158 : tensor<8xi1>
      %1160 = tt.splat %502 : bf16 -> tensor<8xbf16>
      %1161 = tt.load %1157, %1159, %1160 : tensor<8x!tt.ptr<bf16>>
      %1162 = arith.extf %1161 : tensor<8xbf16> to tensor<8xf32>
      %1163 = tt.splat %595 : i32 -> tensor<8xi32>
      %1164 = tt.addptr %845, %1163 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1165 = tt.splat %595 : i32 -> tensor<8xi32>
      %1166 = tt.addptr %848, %1165 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1167 = tt.expand_dims %812 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1168 = tt.expand_dims %1167 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1169 = tt.expand_dims %448 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1170 = tt.broadcast %1168 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1171 = tt.broadcast %1169 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1172 = math.fma %1170, %1171, %239 : tensor<1x4x8xf32>
      %1173 = arith.mulf %1172, %797 : tensor<1x4x8xf32>
      %1174 = arith.mulf %1173, %779 : tensor<1x4x8xf32>
      %1175 = tt.expand_dims %608 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1176 = tt.expand_dims %1175 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1177 = tt.broadcast %1176 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1178 = math.fma %1177, %1174, %240 : tensor<1x4x8xf32>
      %1179 = tt.expand_dims %442 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1180 = tt.broadcast %1179 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1181 = arith.mulf %1172, %1180 : tensor<1x4x8xf32>
      %1185 = "tt.reduce"(%1181) <{axis = 0 : i32}> ({
      ^bb0(%1182: f32, %1183: f32):
        %1184 = arith.addf %1182, %1183 : f32
        tt.reduce.return %1184 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1189 = "tt.reduce"(%1185) <{axis = 0 : i32}> ({
      ^bb0(%1186: f32, %1187: f32):
        %1188 = arith.addf %1186, %1187 : f32
        tt.reduce.return %1188 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1190 = arith.mulf %1174, %72 : tensor<1x4x8xf32>
      %1194 = "tt.reduce"(%1190) <{axis = 0 : i32}> ({
      ^bb0(%1191: f32, %1192: f32):
        %1193 = arith.addf %1191, %1192 : f32
        tt.reduce.return %1193 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1198 = "tt.reduce"(%1194) <{axis = 0 : i32}> ({
      ^bb0(%1195: f32, %1196: f32):
        %1197 = arith.addf %1195, %1196 : f32
        tt.reduce.return %1197 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1199 = arith.mulf %1189, %608 : tensor<8xf32>
      %1200 = tt.splat %271 : i1 -> tensor<8xi1>
      %1201 = arith.andi %36, %1200 : tensor<8xi1>
      %1202 = arith.truncf %1199 : tensor<8xf32> to tensor<8xbf16>
      tt.store %814, %1202, %1201 : tensor<8x!tt.ptr<bf16>>
      %1204 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1205 = arith.mulf %1198, %1204 : tensor<8xf32>
      %1206 = math.fma %602, %1189, %1205 : tensor<8xf32>
      %1207 = tt.splat %271 : i1 -> tensor<8xi1>
      %1208 = arith.andi %36, %1207 : tensor<8xi1>
      tt.store %816, %1206, %1208 : tensor<8x!tt.ptr<f32>>
      %1209 = arith.mulf %602, %608 : tensor<8xf32>
      %1210 = tt.expand_dims %1209 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1211 = tt.expand_dims %1210 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1212 = tt.broadcast %1211 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1213 = arith.mulf %1172, %1212 : tensor<1x4x8xf32>
      %1214 = tt.expand_dims %812 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1215 = tt.expand_dims %1214 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1216 = tt.broadcast %1215 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1217 = arith.mulf %805, %1216 : tensor<1x4x8xf32>
      %1218 = tt.expand_dims %1162 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1219 = tt.expand_dims %1218 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1220 = tt.expand_dims %448 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1221 = tt.broadcast %1219 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1222 = tt.broadcast %1220 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1223 = math.fma %1221, %1222, %241 : tensor<1x4x8xf32>
      %1224 = arith.mulf %1223, %1147 : tensor<1x4x8xf32>
      %1225 = arith.mulf %1224, %1129 : tensor<1x4x8xf32>
      %1226 = tt.expand_dims %958 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1227 = tt.expand_dims %1226 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1228 = tt.broadcast %1227 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1229 = math.fma %1228, %1225, %242 : tensor<1x4x8xf32>
      %1230 = tt.expand_dims %442 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1231 = tt.broadcast %1230 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1232 = arith.mulf %1223, %1231 : tensor<1x4x8xf32>
      %1236 = "tt.reduce"(%1232) <{axis = 0 : i32}> ({
      ^bb0(%1233: f32, %1234: f32):
        %1235 = arith.addf %1233, %1234 : f32
        tt.reduce.return %1235 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1240 = "tt.reduce"(%1236) <{axis = 0 : i32}> ({
      ^bb0(%1237: f32, %1238: f32):
        %1239 = arith.addf %1237, %1238 : f32
        tt.reduce.return %1239 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1241 = arith.mulf %1225, %138 : tensor<1x4x8xf32>
      %1245 = "tt.reduce"(%1241) <{axis = 0 : i32}> ({
      ^bb0(%1242: f32, %1243: f32):
        %1244 = arith.addf %1242, %1243 : f32
        tt.reduce.return %1244 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1249 = "tt.reduce"(%1245) <{axis = 0 : i32}> ({
      ^bb0(%1246: f32, %1247: f32):
        %1248 = arith.addf %1246, %1247 : f32
        tt.reduce.return %1248 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1250 = arith.mulf %1240, %958 : tensor<8xf32>
      %1251 = tt.splat %271 : i1 -> tensor<8xi1>
      %1252 = arith.andi %106, %1251 : tensor<8xi1>
      %1253 = arith.truncf %1250 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1164, %1253, %1252 : tensor<8x!tt.ptr<bf16>>
      %1254 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1255 = arith.mulf %1249, %1254 : tensor<8xf32>
      %1256 = math.fma %952, %1240, %1255 : tensor<8xf32>
      %1257 = tt.splat %271 : i1 -> tensor<8xi1>
      %1258 = arith.andi %106, %1257 : tensor<8xi1>
      tt.store %1166, %1256, %1258 : tensor<8x!tt.ptr<f32>>
      %1259 = arith.mulf %952, %958 : tensor<8xf32>
      %1260 = tt.expand_dims %1259 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1261 = tt.expand_dims %1260 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1262 = tt.broadcast %1261 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1263 = arith.mulf %1223, %1262 : tensor<1x4x8xf32>
      %1264 = tt.expand_dims %1162 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1265 = tt.expand_dims %1264 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1266 = tt.broadcast %1265 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1267 = arith.mulf %1155, %1266 : tensor<1x4x8xf32>
      %1268 = arith.addf %1213, %1263 : tensor<1x4x8xf32>
      %1269 = arith.addf %1217, %1267 : tensor<1x4x8xf32>
      %1270 = arith.addi %250, %269 : i32
      %1271 = arith.muli %1270, %37 : i32
      %1272 = tt.splat %1271 : i32 -> tensor<1x4xi32>
      %1273 = tt.addptr %177, %1272 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1277 = "tt.reduce"(%1268) <{axis = 2 : i32}> ({
      ^bb0(%1274: f32, %1275: f32):
        %1276 = arith.addf %1274, %1275 : f32
        tt.reduce.return %1276 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1278 = tt.splat %271 : i1 -> tensor<1x4xi1>
      %1279 = arith.andi %39, %1278 : tensor<1x4xi1>
      tt.store %1273, %1277, %1279 : tensor<1x4x!tt.ptr<f32>>
      %1280 = arith.addi %250, %269 : i32
      %1281 = arith.muli %1280, %37 : i32
      %1282 = tt.splat %1281 : i32 -> tensor<1x4xi32>
      %1283 = tt.addptr %183, %1282 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1287 = "tt.reduce"(%1269) <{axis = 2 : i32}> ({
      ^bb0(%1284: f32, %1285: f32):
        %1286 = arith.addf %1284, %1285 : f32
        tt.reduce.return %1286 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1288 = tt.splat %271 : i1 -> tensor<1x4xi1>
      %1289 = arith.andi %39, %1288 : tensor<1x4xi1>
      tt.store %1283, %1287, %1289 : tensor<1x4x!tt.ptr<f32>>
      %1290 = tt.expand_dims %786 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1291 = tt.expand_dims %1290 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1292 = tt.expand_dims %425 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1293 = tt.broadcast %1291 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1294 = tt.broadcast %1292 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1295 = math.fma %1293, %1294, %1173 : tensor<1x4x8xf32>
      %1296 = arith.mulf %1295, %771 : tensor<1x4x8xf32>
      %1297 = arith.mulf %1296, %753 : tensor<1x4x8xf32>
      %1298 = tt.expand_dims %594 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1299 = tt.expand_dims %1298 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1300 = tt.broadcast %1299 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1301 = math.fma %1300, %1297, %1178 : tensor<1x4x8xf32>
      %1302 = tt.expand_dims %419 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1303 = tt.broadcast %1302 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1304 = arith.mulf %1295, %1303 : tensor<1x4x8xf32>
      %1308 = "tt.reduce"(%1304) <{axis = 0 : i32}> ({
      ^bb0(%1305: f32, %1306: f32):
        %1307 = arith.addf %1305, %1306 : f32
        tt.reduce.return %1307 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1312 = "tt.reduce"(%1308) <{axis = 0 : i32}> ({
      ^bb0(%1309: f32, %1310: f32):
        %1311 = arith.addf %1309, %1310 : f32
        tt.reduce.return %1311 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1313 = arith.mulf %1297, %72 : tensor<1x4x8xf32>
      %1317 = "tt.reduce"(%1313) <{axis = 0 : i32}> ({
      ^bb0(%1314: f32, %1315: f32):
        %1316 = arith.addf %1314, %1315 : f32
        tt.reduce.return %1316 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1321 = "tt.reduce"(%1317) <{axis = 0 : i32}> ({
      ^bb0(%1318: f32, %1319: f32):
        %1320 = arith.addf %1318, %1319 : f32
        tt.reduce.return %1320 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1322 = arith.mulf %1312, %594 : tensor<8xf32>
      %1323 = tt.splat %268 : i1 -> tensor<8xi1>
      %1324 = arith.andi %36, %1323 : tensor<8xi1>
      %1325 = arith.truncf %1322 : tensor<8xf32> to tensor<8xbf16>
      tt.store %788, %1325, %1324 : tensor<8x!tt.ptr<bf16>>
      %1326 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1327 = arith.mulf %1321, %1326 : tensor<8xf32>
      %1328 = math.fma %588, %1312, %1327 : tensor<8xf32>
      %1329 = tt.splat %268 : i1 -> tensor<8xi1>
      %1330 = arith.andi %36, %1329 : tensor<8xi1>
      tt.store %790, %1328, %1330 : tensor<8x!tt.ptr<f32>>
      %1331 = arith.mulf %588, %594 : tensor<8xf32>
      %1332 = tt.expand_dims %1331 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1333 = tt.expand_dims %1332 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1334 = tt.broadcast %1333 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1335 = arith.mulf %1295, %1334 : tensor<1x4x8xf32>
      %1336 = tt.expand_dims %786 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1337 = tt.expand_dims %1336 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1338 = tt.broadcast %1337 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1339 = arith.mulf %779, %1338 : tensor<1x4x8xf32>
      %1340 = tt.expand_dims %1136 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1341 = tt.expand_dims %1340 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1342 = tt.expand_dims %425 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1343 = tt.broadcast %1341 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1344 = tt.broadcast %1342 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1345 = math.fma %1343, %1344, %1224 : tensor<1x4x8xf32>
      %1346 = arith.mulf %1345, %1121 : tensor<1x4x8xf32>
      %1347 = arith.mulf %1346, %1103 : tensor<1x4x8xf32>
      %1348 = tt.expand_dims %945 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1349 = tt.expand_dims %1348 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1350 = tt.broadcast %1349 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1351 = math.fma %1350, %1347, %1229 : tensor<1x4x8xf32>
      %1352 = tt.expand_dims %419 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1353 = tt.broadcast %1352 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1354 = arith.mulf %1345, %1353 : tensor<1x4x8xf32>
      %1358 = "tt.reduce"(%1354) <{axis = 0 : i32}> ({
      ^bb0(%1355: f32, %1356: f32):
        %1357 = arith.addf %1355, %1356 : f32
        tt.reduce.return %1357 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1362 = "tt.reduce"(%1358) <{axis = 0 : i32}> ({
      ^bb0(%1359: f32, %1360: f32):
        %1361 = arith.addf %1359, %1360 : f32
        tt.reduce.return %1361 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1363 = arith.mulf %1347, %138 : tensor<1x4x8xf32>
      %1367 = "tt.reduce"(%1363) <{axis = 0 : i32}> ({
      ^bb0(%1364: f32, %1365: f32):
        %1366 = arith.addf %1364, %1365 : f32
        tt.reduce.return %1366 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1371 = "tt.reduce"(%1367) <{axis = 0 : i32}> ({
      ^bb0(%1368: f32, %1369: f32):
        %1370 = arith.addf %1368, %1369 : f32
        tt.reduce.return %1370 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1372 = arith.mulf %1362, %945 : tensor<8xf32>
      %1373 = tt.splat %268 : i1 -> tensor<8xi1>
      %1374 = arith.andi %106, %1373 : tensor<8xi1>
      %1375 = arith.truncf %1372 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1138, %1375, %1374 : tensor<8x!tt.ptr<bf16>>
      %1376 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1377 = arith.mulf %1371, %1376 : tensor<8xf32>
      %1378 = math.fma %939, %1362, %1377 : tensor<8xf32>
      %1379 = tt.splat %268 : i1 -> tensor<8xi1>
      %1380 = arith.andi %106, %1379 : tensor<8xi1>
      tt.store %1140, %1378, %1380 : tensor<8x!tt.ptr<f32>>
      %1381 = arith.mulf %939, %945 : tensor<8xf32>
      %1382 = tt.expand_dims %1381 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1383 = tt.expand_dims %1382 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1384 = tt.broadcast %1383 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1385 = arith.mulf %1345, %1384 : tensor<1x4x8xf32>
      %1386 = tt.expand_dims %1136 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1387 = tt.expand_dims %1386 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1388 = tt.broadcast %1387 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1389 = arith.mulf %1129, %1388 : tensor<1x4x8xf32>
      %1390 = arith.addf %1335, %1385 : tensor<1x4x8xf32>
      %1391 = arith.addf %1339, %1389 : tensor<1x4x8xf32>
      %1392 = arith.addi %250, %266 : i32
      %1393 = arith.muli %1392, %37 : i32
      %1394 = tt.splat %1393 : i32 -> tensor<1x4xi32>
      %1395 = tt.addptr %177, %1394 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1399 = "tt.reduce"(%1390) <{axis = 2 : i32}> ({
      ^bb0(%1396: f32, %1397: f32):
        %1398 = arith.addf %1396, %1397 : f32
        tt.reduce.return %1398 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1400 = tt.splat %268 : i1 -> tensor<1x4xi1>
      %1401 = arith.andi %39, %1400 : tensor<1x4xi1>
      tt.store %1395, %1399, %1401 : tensor<1x4x!tt.ptr<f32>>
      %1402 = arith.addi %250, %266 : i32
      %1403 = arith.muli %1402, %37 : i32
      %1404 = tt.splat %1403 : i32 -> tensor<1x4xi32>
      %1405 = tt.addptr %183, %1404 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1409 = "tt.reduce"(%1391) <{axis = 2 : i32}> ({
      ^bb0(%1406: f32, %1407: f32):
        %1408 = arith.addf %1406, %1407 : f32
        tt.reduce.return %1408 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1410 = tt.splat %268 : i1 -> tensor<1x4xi1>
      %1411 = arith.andi %39, %1410 : tensor<1x4xi1>
      tt.store %1405, %1409, %1411 : tensor<1x4x!tt.ptr<f32>>
      %1412 = tt.expand_dims %760 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1413 = tt.expand_dims %1412 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1414 = tt.expand_dims %402 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1415 = tt.broadcast %1413 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1416 = tt.broadcast %1414 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1417 = math.fma %1415, %1416, %1296 : tensor<1x4x8xf32>
      %1418 = arith.mulf %1417, %745 : tensor<1x4x8xf32>
      %1419 = arith.mulf %1418, %727 : tensor<1x4x8xf32>
      %1420 = tt.expand_dims %580 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1421 = tt.expand_dims %1420 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1422 = tt.broadcast %1421 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1423 = math.fma %1422, %1419, %1301 : tensor<1x4x8xf32>
      %1424 = tt.expand_dims %396 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1425 = tt.broadcast %1424 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1426 = arith.mulf %1417, %1425 : tensor<1x4x8xf32>
      %1430 = "tt.reduce"(%1426) <{axis = 0 : i32}> ({
      ^bb0(%1427: f32, %1428: f32):
        %1429 = arith.addf %1427, %1428 : f32
        tt.reduce.return %1429 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1434 = "tt.reduce"(%1430) <{axis = 0 : i32}> ({
      ^bb0(%1431: f32, %1432: f32):
        %1433 = arith.addf %1431, %1432 : f32
        tt.reduce.return %1433 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1435 = arith.mulf %1419, %72 : tensor<1x4x8xf32>
      %1439 = "tt.reduce"(%1435) <{axis = 0 : i32}> ({
      ^bb0(%1436: f32, %1437: f32):
        %1438 = arith.addf %1436, %1437 : f32
        tt.reduce.return %1438 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1443 = "tt.reduce"(%1439) <{axis = 0 : i32}> ({
      ^bb0(%1440: f32, %1441: f32):
        %1442 = arith.addf %1440, %1441 : f32
        tt.reduce.return %1442 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1444 = arith.mulf %1434, %580 : tensor<8xf32>
      %1445 = tt.splat %265 : i1 -> tensor<8xi1>
      %1446 = arith.andi %36, %1445 : tensor<8xi1>
      %1447 = arith.truncf %1444 : tensor<8xf32> to tensor<8xbf16>
      tt.store %762, %1447, %1446 : tensor<8x!tt.ptr<bf16>>
      %1448 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1449 = arith.mulf %1443, %1448 : tensor<8xf32>
      %1450 = math.fma %574, %1434, %1449 : tensor<8xf32>
      %1451 = tt.splat %265 : i1 -> tensor<8xi1>
      %1452 = arith.andi %36, %1451 : tensor<8xi1>
      tt.store %764, %1450, %1452 : tensor<8x!tt.ptr<f32>>
      %1453 = arith.mulf %574, %580 : tensor<8xf32>
      %1454 = tt.expand_dims %1453 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1455 = tt.expand_dims %1454 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1456 = tt.broadcast %1455 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1457 = arith.mulf %1417, %1456 : tensor<1x4x8xf32>
      %1458 = tt.expand_dims %760 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1459 = tt.expand_dims %1458 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1460 = tt.broadcast %1459 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1461 = arith.mulf %753, %1460 : tensor<1x4x8xf32>
      %1462 = tt.expand_dims %1110 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1463 = tt.expand_dims %1462 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1464 = tt.expand_dims %402 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1465 = tt.broadcast %1463 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1466 = tt.broadcast %1464 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1467 = math.fma %1465, %1466, %1346 : tensor<1x4x8xf32>
      %1468 = arith.mulf %1467, %1095 : tensor<1x4x8xf32>
      %1469 = arith.mulf %1468, %1077 : tensor<1x4x8xf32>
      %1470 = tt.expand_dims %932 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1471 = tt.expand_dims %1470 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1472 = tt.broadcast %1471 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1473 = math.fma %1472, %1469, %1351 : tensor<1x4x8xf32>
      %1474 = tt.expand_dims %396 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1475 = tt.broadcast %1474 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1476 = arith.mulf %1467, %1475 : tensor<1x4x8xf32>
      %1480 = "tt.reduce"(%1476) <{axis = 0 : i32}> ({
      ^bb0(%1477: f32, %1478: f32):
        %1479 = arith.addf %1477, %1478 : f32
        tt.reduce.return %1479 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1484 = "tt.reduce"(%1480) <{axis = 0 : i32}> ({
      ^bb0(%1481: f32, %1482: f32):
        %1483 = arith.addf %1481, %1482 : f32
        tt.reduce.return %1483 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1485 = arith.mulf %1469, %138 : tensor<1x4x8xf32>
      %1489 = "tt.reduce"(%1485) <{axis = 0 : i32}> ({
      ^bb0(%1486: f32, %1487: f32):
        %1488 = arith.addf %1486, %1487 : f32
        tt.reduce.return %1488 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1493 = "tt.reduce"(%1489) <{axis = 0 : i32}> ({
      ^bb0(%1490: f32, %1491: f32):
        %1492 = arith.addf %1490, %1491 : f32
        tt.reduce.return %1492 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1494 = arith.mulf %1484, %932 : tensor<8xf32>
      %1495 = tt.splat %265 : i1 -> tensor<8xi1>
      %1496 = arith.andi %106, %1495 : tensor<8xi1>
      %1497 = arith.truncf %1494 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1112, %1497, %1496 : tensor<8x!tt.ptr<bf16>>
      %1498 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1499 = arith.mulf %1493, %1498 : tensor<8xf32>
      %1500 = math.fma %926, %1484, %1499 : tensor<8xf32>
      %1501 = tt.splat %265 : i1 -> tensor<8xi1>
      %1502 = arith.andi %106, %1501 : tensor<8xi1>
      tt.store %1114, %1500, %1502 : tensor<8x!tt.ptr<f32>>
      %1503 = arith.mulf %926, %932 : tensor<8xf32>
      %1504 = tt.expand_dims %1503 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1505 = tt.expand_dims %1504 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1506 = tt.broadcast %1505 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1507 = arith.mulf %1467, %1506 : tensor<1x4x8xf32>
      %1508 = tt.expand_dims %1110 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1509 = tt.expand_dims %1508 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1510 = tt.broadcast %1509 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1511 = arith.mulf %1103, %1510 : tensor<1x4x8xf32>
      %1512 = arith.addf %1457, %1507 : tensor<1x4x8xf32>
      %1513 = arith.addf %1461, %1511 : tensor<1x4x8xf32>
      %1514 = arith.addi %250, %263 : i32
      %1515 = arith.muli %1514, %37 : i32
      %1516 = tt.splat %1515 : i32 -> tensor<1x4xi32>
      %1517 = tt.addptr %177, %1516 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1521 = "tt.reduce"(%1512) <{axis = 2 : i32}> ({
      ^bb0(%1518: f32, %1519: f32):
        %1520 = arith.addf %1518, %1519 : f32
        tt.reduce.return %1520 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1522 = tt.splat %265 : i1 -> tensor<1x4xi1>
      %1523 = arith.andi %39, %1522 : tensor<1x4xi1>
      tt.store %1517, %1521, %1523 : tensor<1x4x!tt.ptr<f32>>
      %1524 = arith.addi %250, %263 : i32
      %1525 = arith.muli %1524, %37 : i32
      %1526 = tt.splat %1525 : i32 -> tensor<1x4xi32>
      %1527 = tt.addptr %183, %1526 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1531 = "tt.reduce"(%1513) <{axis = 2 : i32}> ({
      ^bb0(%1528: f32, %1529: f32):
        %1530 = arith.addf %1528, %1529 : f32
        tt.reduce.return %1530 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1532 = tt.splat %265 : i1 -> tensor<1x4xi1>
      %1533 = arith.andi %39, %1532 : tensor<1x4xi1>
      tt.store %1527, %1531, %1533 : tensor<1x4x!tt.ptr<f32>>
      %1534 = tt.expand_dims %734 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1535 = tt.expand_dims %1534 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1536 = tt.expand_dims %379 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1537 = tt.broadcast %1535 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1538 = tt.broadcast %1536 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1539 = math.fma %1537, %1538, %1418 : tensor<1x4x8xf32>
      %1540 = arith.mulf %1539, %719 : tensor<1x4x8xf32>
      %1541 = arith.mulf %1540, %701 : tensor<1x4x8xf32>
      %1542 = tt.expand_dims %566 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1543 = tt.expand_dims %1542 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1544 = tt.broadcast %1543 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1545 = math.fma %1544, %1541, %1423 : tensor<1x4x8xf32>
      %1546 = tt.expand_dims %373 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1547 = tt.broadcast %1546 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1548 = arith.mulf %1539, %1547 : tensor<1x4x8xf32>
      %1552 = "tt.reduce"(%1548) <{axis = 0 : i32}> ({
      ^bb0(%1549: f32, %1550: f32):
        %1551 = arith.addf %1549, %1550 : f32
        tt.reduce.return %1551 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1556 = "tt.reduce"(%1552) <{axis = 0 : i32}> ({
      ^bb0(%1553: f32, %1554: f32):
        %1555 = arith.addf %1553, %1554 : f32
        tt.reduce.return %1555 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1557 = arith.mulf %1541, %72 : tensor<1x4x8xf32>
      %1561 = "tt.reduce"(%1557) <{axis = 0 : i32}> ({
      ^bb0(%1558: f32, %1559: f32):
        %1560 = arith.addf %1558, %1559 : f32
        tt.reduce.return %1560 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1565 = "tt.reduce"(%1561) <{axis = 0 : i32}> ({
      ^bb0(%1562: f32, %1563: f32):
        %1564 = arith.addf %1562, %1563 : f32
        tt.reduce.return %1564 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1566 = arith.mulf %1556, %566 : tensor<8xf32>
      %1567 = tt.splat %262 : i1 -> tensor<8xi1>
      %1568 = arith.andi %36, %1567 : tensor<8xi1>
      %1569 = arith.truncf %1566 : tensor<8xf32> to tensor<8xbf16>
      tt.store %736, %1569, %1568 : tensor<8x!tt.ptr<bf16>>
      %1570 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1571 = arith.mulf %1565, %1570 : tensor<8xf32>
      %1572 = math.fma %560, %1556, %1571 : tensor<8xf32>
      %1573 = tt.splat %262 : i1 -> tensor<8xi1>
      %1574 = arith.andi %36, %1573 : tensor<8xi1>
      tt.store %738, %1572, %1574 : tensor<8x!tt.ptr<f32>>
      %1575 = arith.mulf %560, %566 : tensor<8xf32>
      %1576 = tt.expand_dims %1575 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1577 = tt.expand_dims %1576 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1578 = tt.broadcast %1577 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1579 = arith.mulf %1539, %1578 : tensor<1x4x8xf32>
      %1580 = tt.expand_dims %734 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1581 = tt.expand_dims %1580 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1582 = tt.broadcast %1581 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1583 = arith.mulf %727, %1582 : tensor<1x4x8xf32>
      %1584 = tt.expand_dims %1084 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1585 = tt.expand_dims %1584 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1586 = tt.expand_dims %379 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1587 = tt.broadcast %1585 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1588 = tt.broadcast %1586 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1589 = math.fma %1587, %1588, %1468 : tensor<1x4x8xf32>
      %1590 = arith.mulf %1589, %1069 : tensor<1x4x8xf32>
      %1591 = arith.mulf %1590, %1051 : tensor<1x4x8xf32>
      %1592 = tt.expand_dims %919 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1593 = tt.expand_dims %1592 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1594 = tt.broadcast %1593 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1595 = math.fma %1594, %1591, %1473 : tensor<1x4x8xf32>
      %1596 = tt.expand_dims %373 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1597 = tt.broadcast %1596 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1598 = arith.mulf %1589, %1597 : tensor<1x4x8xf32>
      %1602 = "tt.reduce"(%1598) <{axis = 0 : i32}> ({
      ^bb0(%1599: f32, %1600: f32):
        %1601 = arith.addf %1599, %1600 : f32
        tt.reduce.return %1601 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1606 = "tt.reduce"(%1602) <{axis = 0 : i32}> ({
      ^bb0(%1603: f32, %1604: f32):
        %1605 = arith.addf %1603, %1604 : f32
        tt.reduce.return %1605 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1607 = arith.mulf %1591, %138 : tensor<1x4x8xf32>
      %1611 = "tt.reduce"(%1607) <{axis = 0 : i32}> ({
      ^bb0(%1608: f32, %1609: f32):
        %1610 = arith.addf %1608, %1609 : f32
        tt.reduce.return %1610 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1615 = "tt.reduce"(%1611) <{axis = 0 : i32}> ({
      ^bb0(%1612: f32, %1613: f32):
        %1614 = arith.addf %1612, %1613 : f32
        tt.reduce.return %1614 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1616 = arith.mulf %1606, %919 : tensor<8xf32>
      %1617 = tt.splat %262 : i1 -> tensor<8xi1>
      %1618 = arith.andi %106, %1617 : tensor<8xi1>
      %1619 = arith.truncf %1616 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1086, %1619, %1618 : tensor<8x!tt.ptr<bf16>>
      %1620 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1621 = arith.mulf %1615, %1620 : tensor<8xf32>
      %1622 = math.fma %913, %1606, %1621 : tensor<8xf32>
      %1623 = tt.splat %262 : i1 -> tensor<8xi1>
      %1624 = arith.andi %106, %1623 : tensor<8xi1>
      tt.store %1088, %1622, %1624 : tensor<8x!tt.ptr<f32>>
      %1625 = arith.mulf %913, %919 : tensor<8xf32>
      %1626 = tt.expand_dims %1625 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1627 = tt.expand_dims %1626 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1628 = tt.broadcast %1627 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1629 = arith.mulf %1589, %1628 : tensor<1x4x8xf32>
      %1630 = tt.expand_dims %1084 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1631 = tt.expand_dims %1630 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1632 = tt.broadcast %1631 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1633 = arith.mulf %1077, %1632 : tensor<1x4x8xf32>
      %1634 = arith.addf %1579, %1629 : tensor<1x4x8xf32>
      %1635 = arith.addf %1583, %1633 : tensor<1x4x8xf32>
      %1636 = arith.addi %250, %260 : i32
      %1637 = arith.muli %1636, %37 : i32
      %1638 = tt.splat %1637 : i32 -> tensor<1x4xi32>
      %1639 = tt.addptr %177, %1638 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1643 = "tt.reduce"(%1634) <{axis = 2 : i32}> ({
      ^bb0(%1640: f32, %1641: f32):
        %1642 = arith.addf %1640, %1641 : f32
        tt.reduce.return %1642 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1644 = tt.splat %262 : i1 -> tensor<1x4xi1>
      %1645 = arith.andi %39, %1644 : tensor<1x4xi1>
      tt.store %1639, %1643, %1645 : tensor<1x4x!tt.ptr<f32>>
      %1646 = arith.addi %250, %260 : i32
      %1647 = arith.muli %1646, %37 : i32
      %1648 = tt.splat %1647 : i32 -> tensor<1x4xi32>
      %1649 = tt.addptr %183, %1648 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1653 = "tt.reduce"(%1635) <{axis = 2 : i32}> ({
      ^bb0(%1650: f32, %1651: f32):
        %1652 = arith.addf %1650, %1651 : f32
        tt.reduce.return %1652 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1654 = tt.splat %262 : i1 -> tensor<1x4xi1>
      %1655 = arith.andi %39, %1654 : tensor<1x4xi1>
      tt.store %1649, %1653, %1655 : tensor<1x4x!tt.ptr<f32>>
      %1656 = tt.expand_dims %708 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1657 = tt.expand_dims %1656 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1658 = tt.expand_dims %356 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1659 = tt.broadcast %1657 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1660 = tt.broadcast %1658 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1661 = math.fma %1659, %1660, %1540 : tensor<1x4x8xf32>
      %1662 = arith.mulf %1661, %693 : tensor<1x4x8xf32>
      %1663 = arith.mulf %1662, %675 : tensor<1x4x8xf32>
      %1664 = tt.expand_dims %552 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1665 = tt.expand_dims %1664 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1666 = tt.broadcast %1665 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1667 = math.fma %1666, %1663, %1545 : tensor<1x4x8xf32>
      %1668 = tt.expand_dims %350 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1669 = tt.broadcast %1668 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1670 = arith.mulf %1661, %1669 : tensor<1x4x8xf32>
      %1674 = "tt.reduce"(%1670) <{axis = 0 : i32}> ({
      ^bb0(%1671: f32, %1672: f32):
        %1673 = arith.addf %1671, %1672 : f32
        tt.reduce.return %1673 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1678 = "tt.reduce"(%1674) <{axis = 0 : i32}> ({
      ^bb0(%1675: f32, %1676: f32):
        %1677 = arith.addf %1675, %1676 : f32
        tt.reduce.return %1677 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1679 = arith.mulf %1663, %72 : tensor<1x4x8xf32>
      %1683 = "tt.reduce"(%1679) <{axis = 0 : i32}> ({
      ^bb0(%1680: f32, %1681: f32):
        %1682 = arith.addf %1680, %1681 : f32
        tt.reduce.return %1682 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1687 = "tt.reduce"(%1683) <{axis = 0 : i32}> ({
      ^bb0(%1684: f32, %1685: f32):
        %1686 = arith.addf %1684, %1685 : f32
        tt.reduce.return %1686 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1688 = arith.mulf %1678, %552 : tensor<8xf32>
      %1689 = tt.splat %259 : i1 -> tensor<8xi1>
      %1690 = arith.andi %36, %1689 : tensor<8xi1>
      %1691 = arith.truncf %1688 : tensor<8xf32> to tensor<8xbf16>
      tt.store %710, %1691, %1690 : tensor<8x!tt.ptr<bf16>>
      %1692 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1693 = arith.mulf %1687, %1692 : tensor<8xf32>
      %1694 = math.fma %546, %1678, %1693 : tensor<8xf32>
      %1695 = tt.splat %259 : i1 -> tensor<8xi1>
      %1696 = arith.andi %36, %1695 : tensor<8xi1>
      tt.store %712, %1694, %1696 : tensor<8x!tt.ptr<f32>>
      %1697 = arith.mulf %546, %552 : tensor<8xf32>
      %1698 = tt.expand_dims %1697 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1699 = tt.expand_dims %1698 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1700 = tt.broadcast %1699 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1701 = arith.mulf %1661, %1700 : tensor<1x4x8xf32>
      %1702 = tt.expand_dims %708 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1703 = tt.expand_dims %1702 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1704 = tt.broadcast %1703 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1705 = arith.mulf %701, %1704 : tensor<1x4x8xf32>
      %1706 = tt.expand_dims %1058 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1707 = tt.expand_dims %1706 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1708 = tt.expand_dims %356 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1709 = tt.broadcast %1707 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1710 = tt.broadcast %1708 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1711 = math.fma %1709, %1710, %1590 : tensor<1x4x8xf32>
      %1712 = arith.mulf %1711, %1043 : tensor<1x4x8xf32>
      %1713 = arith.mulf %1712, %1025 : tensor<1x4x8xf32>
      %1714 = tt.expand_dims %906 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1715 = tt.expand_dims %1714 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1716 = tt.broadcast %1715 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1717 = math.fma %1716, %1713, %1595 : tensor<1x4x8xf32>
      %1718 = tt.expand_dims %350 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1719 = tt.broadcast %1718 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1720 = arith.mulf %1711, %1719 : tensor<1x4x8xf32>
      %1724 = "tt.reduce"(%1720) <{axis = 0 : i32}> ({
      ^bb0(%1721: f32, %1722: f32):
        %1723 = arith.addf %1721, %1722 : f32
        tt.reduce.return %1723 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1728 = "tt.reduce"(%1724) <{axis = 0 : i32}> ({
      ^bb0(%1725: f32, %1726: f32):
        %1727 = arith.addf %1725, %1726 : f32
        tt.reduce.return %1727 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1729 = arith.mulf %1713, %138 : tensor<1x4x8xf32>
      %1733 = "tt.reduce"(%1729) <{axis = 0 : i32}> ({
      ^bb0(%1730: f32, %1731: f32):
        %1732 = arith.addf %1730, %1731 : f32
        tt.reduce.return %1732 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1737 = "tt.reduce"(%1733) <{axis = 0 : i32}> ({
      ^bb0(%1734: f32, %1735: f32):
        %1736 = arith.addf %1734, %1735 : f32
        tt.reduce.return %1736 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1738 = arith.mulf %1728, %906 : tensor<8xf32>
      %1739 = tt.splat %259 : i1 -> tensor<8xi1>
      %1740 = arith.andi %106, %1739 : tensor<8xi1>
      %1741 = arith.truncf %1738 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1060, %1741, %1740 : tensor<8x!tt.ptr<bf16>>
      %1742 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1743 = arith.mulf %1737, %1742 : tensor<8xf32>
      %1744 = math.fma %900, %1728, %1743 : tensor<8xf32>
      %1745 = tt.splat %259 : i1 -> tensor<8xi1>
      %1746 = arith.andi %106, %1745 : tensor<8xi1>
      tt.store %1062, %1744, %1746 : tensor<8x!tt.ptr<f32>>
      %1747 = arith.mulf %900, %906 : tensor<8xf32>
      %1748 = tt.expand_dims %1747 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1749 = tt.expand_dims %1748 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1750 = tt.broadcast %1749 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1751 = arith.mulf %1711, %1750 : tensor<1x4x8xf32>
      %1752 = tt.expand_dims %1058 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1753 = tt.expand_dims %1752 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1754 = tt.broadcast %1753 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1755 = arith.mulf %1051, %1754 : tensor<1x4x8xf32>
      %1756 = arith.addf %1701, %1751 : tensor<1x4x8xf32>
      %1757 = arith.addf %1705, %1755 : tensor<1x4x8xf32>
      %1758 = arith.addi %250, %37 : i32
      %1759 = arith.muli %1758, %37 : i32
      %1760 = tt.splat %1759 : i32 -> tensor<1x4xi32>
      %1761 = tt.addptr %177, %1760 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1765 = "tt.reduce"(%1756) <{axis = 2 : i32}> ({
      ^bb0(%1762: f32, %1763: f32):
        %1764 = arith.addf %1762, %1763 : f32
        tt.reduce.return %1764 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1766 = tt.splat %259 : i1 -> tensor<1x4xi1>
      %1767 = arith.andi %39, %1766 : tensor<1x4xi1>
      tt.store %1761, %1765, %1767 : tensor<1x4x!tt.ptr<f32>>
      %1768 = arith.addi %250, %37 : i32
      %1769 = arith.muli %1768, %37 : i32
      %1770 = tt.splat %1769 : i32 -> tensor<1x4xi32>
      %1771 = tt.addptr %183, %1770 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1775 = "tt.reduce"(%1757) <{axis = 2 : i32}> ({
      ^bb0(%1772: f32, %1773: f32):
        %1774 = arith.addf %1772, %1773 : f32
        tt.reduce.return %1774 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1776 = tt.splat %259 : i1 -> tensor<1x4xi1>
      %1777 = arith.andi %39, %1776 : tensor<1x4xi1>
      tt.store %1771, %1775, %1777 : tensor<1x4x!tt.ptr<f32>>
      %1778 = tt.expand_dims %682 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1779 = tt.expand_dims %1778 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1780 = tt.expand_dims %334 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1781 = tt.broadcast %1779 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1782 = tt.broadcast %1780 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1783 = math.fma %1781, %1782, %1662 : tensor<1x4x8xf32>
      %1784 = arith.mulf %1783, %667 : tensor<1x4x8xf32>
      %1785 = arith.mulf %1784, %649 : tensor<1x4x8xf32>
      %1786 = tt.expand_dims %538 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1787 = tt.expand_dims %1786 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1788 = tt.broadcast %1787 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1789 = math.fma %1788, %1785, %1667 : tensor<1x4x8xf32>
      %1790 = tt.expand_dims %328 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1791 = tt.broadcast %1790 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1792 = arith.mulf %1783, %1791 : tensor<1x4x8xf32>
      %1796 = "tt.reduce"(%1792) <{axis = 0 : i32}> ({
      ^bb0(%1793: f32, %1794: f32):
        %1795 = arith.addf %1793, %1794 : f32
        tt.reduce.return %1795 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1800 = "tt.reduce"(%1796) <{axis = 0 : i32}> ({
      ^bb0(%1797: f32, %1798: f32):
        %1799 = arith.addf %1797, %1798 : f32
        tt.reduce.return %1799 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1801 = arith.mulf %1785, %72 : tensor<1x4x8xf32>
      %1805 = "tt.reduce"(%1801) <{axis = 0 : i32}> ({
      ^bb0(%1802: f32, %1803: f32):
        %1804 = arith.addf %1802, %1803 : f32
        tt.reduce.return %1804 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1809 = "tt.reduce"(%1805) <{axis = 0 : i32}> ({
      ^bb0(%1806: f32, %1807: f32):
        %1808 = arith.addf %1806, %1807 : f32
        tt.reduce.return %1808 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1810 = arith.mulf %1800, %538 : tensor<8xf32>
      %1811 = tt.splat %257 : i1 -> tensor<8xi1>
      %1812 = arith.andi %36, %1811 : tensor<8xi1>
      %1813 = arith.truncf %1810 : tensor<8xf32> to tensor<8xbf16>
      tt.store %684, %1813, %1812 : tensor<8x!tt.ptr<bf16>>
      %1814 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1815 = arith.mulf %1809, %1814 : tensor<8xf32>
      %1816 = math.fma %532, %1800, %1815 : tensor<8xf32>
      %1817 = tt.splat %257 : i1 -> tensor<8xi1>
      %1818 = arith.andi %36, %1817 : tensor<8xi1>
      tt.store %686, %1816, %1818 : tensor<8x!tt.ptr<f32>>
      %1819 = arith.mulf %532, %538 : tensor<8xf32>
      %1820 = tt.expand_dims %1819 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1821 = tt.expand_dims %1820 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1822 = tt.broadcast %1821 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1823 = arith.mulf %1783, %1822 : tensor<1x4x8xf32>
      %1824 = tt.expand_dims %682 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1825 = tt.expand_dims %1824 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1826 = tt.broadcast %1825 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1827 = arith.mulf %675, %1826 : tensor<1x4x8xf32>
      %1828 = tt.expand_dims %1032 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1829 = tt.expand_dims %1828 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1830 = tt.expand_dims %334 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1831 = tt.broadcast %1829 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1832 = tt.broadcast %1830 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1833 = math.fma %1831, %1832, %1712 : tensor<1x4x8xf32>
      %1834 = arith.mulf %1833, %1017 : tensor<1x4x8xf32>
      %1835 = arith.mulf %1834, %999 : tensor<1x4x8xf32>
      %1836 = tt.expand_dims %893 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1837 = tt.expand_dims %1836 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1838 = tt.broadcast %1837 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1839 = math.fma %1838, %1835, %1717 : tensor<1x4x8xf32>
      %1840 = tt.expand_dims %328 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1841 = tt.broadcast %1840 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1842 = arith.mulf %1833, %1841 : tensor<1x4x8xf32>
      %1846 = "tt.reduce"(%1842) <{axis = 0 : i32}> ({
      ^bb0(%1843: f32, %1844: f32):
        %1845 = arith.addf %1843, %1844 : f32
        tt.reduce.return %1845 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1850 = "tt.reduce"(%1846) <{axis = 0 : i32}> ({
      ^bb0(%1847: f32, %1848: f32):
        %1849 = arith.addf %1847, %1848 : f32
        tt.reduce.return %1849 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1851 = arith.mulf %1835, %138 : tensor<1x4x8xf32>
      %1855 = "tt.reduce"(%1851) <{axis = 0 : i32}> ({
      ^bb0(%1852: f32, %1853: f32):
        %1854 = arith.addf %1852, %1853 : f32
        tt.reduce.return %1854 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1859 = "tt.reduce"(%1855) <{axis = 0 : i32}> ({
      ^bb0(%1856: f32, %1857: f32):
        %1858 = arith.addf %1856, %1857 : f32
        tt.reduce.return %1858 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1860 = arith.mulf %1850, %893 : tensor<8xf32>
      %1861 = tt.splat %257 : i1 -> tensor<8xi1>
      %1862 = arith.andi %106, %1861 : tensor<8xi1>
      %1863 = arith.truncf %1860 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1034, %1863, %1862 : tensor<8x!tt.ptr<bf16>>
      %1864 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1865 = arith.mulf %1859, %1864 : tensor<8xf32>
      %1866 = math.fma %887, %1850, %1865 : tensor<8xf32>
      %1867 = tt.splat %257 : i1 -> tensor<8xi1>
      %1868 = arith.andi %106, %1867 : tensor<8xi1>
      tt.store %1036, %1866, %1868 : tensor<8x!tt.ptr<f32>>
      %1869 = arith.mulf %887, %893 : tensor<8xf32>
      %1870 = tt.expand_dims %1869 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1871 = tt.expand_dims %1870 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1872 = tt.broadcast %1871 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1873 = arith.mulf %1833, %1872 : tensor<1x4x8xf32>
      %1874 = tt.expand_dims %1032 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1875 = tt.expand_dims %1874 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1876 = tt.broadcast %1875 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1877 = arith.mulf %1025, %1876 : tensor<1x4x8xf32>
      %1878 = arith.addf %1823, %1873 : tensor<1x4x8xf32>
      %1879 = arith.addf %1827, %1877 : tensor<1x4x8xf32>
      %1880 = arith.addi %250, %184 : i32
      %1881 = arith.muli %1880, %37 : i32
      %1882 = tt.splat %1881 : i32 -> tensor<1x4xi32>
      %1883 = tt.addptr %177, %1882 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1887 = "tt.reduce"(%1878) <{axis = 2 : i32}> ({
      ^bb0(%1884: f32, %1885: f32):
        %1886 = arith.addf %1884, %1885 : f32
        tt.reduce.return %1886 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1888 = tt.splat %257 : i1 -> tensor<1x4xi1>
      %1889 = arith.andi %39, %1888 : tensor<1x4xi1>
      tt.store %1883, %1887, %1889 : tensor<1x4x!tt.ptr<f32>>
      %1890 = arith.addi %250, %184 : i32
      %1891 = arith.muli %1890, %37 : i32
      %1892 = tt.splat %1891 : i32 -> tensor<1x4xi32>
      %1893 = tt.addptr %183, %1892 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %1897 = "tt.reduce"(%1879) <{axis = 2 : i32}> ({
      ^bb0(%1894: f32, %1895: f32):
        %1896 = arith.addf %1894, %1895 : f32
        tt.reduce.return %1896 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %1898 = tt.splat %257 : i1 -> tensor<1x4xi1>
      %1899 = arith.andi %39, %1898 : tensor<1x4xi1>
      tt.store %1893, %1897, %1899 : tensor<1x4x!tt.ptr<f32>>
      %1900 = tt.expand_dims %656 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1901 = tt.expand_dims %1900 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1902 = tt.expand_dims %312 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1903 = tt.broadcast %1901 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1904 = tt.broadcast %1902 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1905 = math.fma %1903, %1904, %1784 : tensor<1x4x8xf32>
      %1906 = arith.mulf %1905, %641 : tensor<1x4x8xf32>
      %1907 = arith.mulf %1906, %623 : tensor<1x4x8xf32>
      %1908 = tt.expand_dims %524 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1909 = tt.expand_dims %1908 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1910 = tt.broadcast %1909 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1911 = math.fma %1910, %1907, %1789 : tensor<1x4x8xf32>
      %1912 = tt.expand_dims %306 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1913 = tt.broadcast %1912 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1914 = arith.mulf %1905, %1913 : tensor<1x4x8xf32>
      %1918 = "tt.reduce"(%1914) <{axis = 0 : i32}> ({
      ^bb0(%1915: f32, %1916: f32):
        %1917 = arith.addf %1915, %1916 : f32
        tt.reduce.return %1917 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1922 = "tt.reduce"(%1918) <{axis = 0 : i32}> ({
      ^bb0(%1919: f32, %1920: f32):
        %1921 = arith.addf %1919, %1920 : f32
        tt.reduce.return %1921 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1923 = arith.mulf %1907, %72 : tensor<1x4x8xf32>
      %1927 = "tt.reduce"(%1923) <{axis = 0 : i32}> ({
      ^bb0(%1924: f32, %1925: f32):
        %1926 = arith.addf %1924, %1925 : f32
        tt.reduce.return %1926 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1931 = "tt.reduce"(%1927) <{axis = 0 : i32}> ({
      ^bb0(%1928: f32, %1929: f32):
        %1930 = arith.addf %1928, %1929 : f32
        tt.reduce.return %1930 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1932 = arith.mulf %1922, %524 : tensor<8xf32>
      %1933 = tt.splat %255 : i1 -> tensor<8xi1>
      %1934 = arith.andi %36, %1933 : tensor<8xi1>
      %1935 = arith.truncf %1932 : tensor<8xf32> to tensor<8xbf16>
      tt.store %658, %1935, %1934 : tensor<8x!tt.ptr<bf16>>
      %1936 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1937 = arith.mulf %1931, %1936 : tensor<8xf32>
      %1938 = math.fma %518, %1922, %1937 : tensor<8xf32>
      %1939 = tt.splat %255 : i1 -> tensor<8xi1>
      %1940 = arith.andi %36, %1939 : tensor<8xi1>
      tt.store %660, %1938, %1940 : tensor<8x!tt.ptr<f32>>
      %1941 = arith.mulf %518, %524 : tensor<8xf32>
      %1942 = tt.expand_dims %1941 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1943 = tt.expand_dims %1942 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1944 = tt.broadcast %1943 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1945 = arith.mulf %1905, %1944 : tensor<1x4x8xf32>
      %1946 = tt.expand_dims %656 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1947 = tt.expand_dims %1946 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1948 = tt.broadcast %1947 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1949 = arith.mulf %649, %1948 : tensor<1x4x8xf32>
      %1950 = tt.expand_dims %1006 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1951 = tt.expand_dims %1950 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1952 = tt.expand_dims %312 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1953 = tt.broadcast %1951 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1954 = tt.broadcast %1952 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1955 = math.fma %1953, %1954, %1834 : tensor<1x4x8xf32>
      %1956 = arith.mulf %1955, %991 : tensor<1x4x8xf32>
      %1957 = arith.mulf %1956, %973 : tensor<1x4x8xf32>
      %1958 = tt.expand_dims %880 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1959 = tt.expand_dims %1958 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1960 = tt.broadcast %1959 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1961 = math.fma %1960, %1957, %1839 : tensor<1x4x8xf32>
      %1962 = tt.expand_dims %306 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1963 = tt.broadcast %1962 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1964 = arith.mulf %1955, %1963 : tensor<1x4x8xf32>
      %1968 = "tt.reduce"(%1964) <{axis = 0 : i32}> ({
      ^bb0(%1965: f32, %1966: f32):
        %1967 = arith.addf %1965, %1966 : f32
        tt.reduce.return %1967 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1972 = "tt.reduce"(%1968) <{axis = 0 : i32}> ({
      ^bb0(%1969: f32, %1970: f32):
        %1971 = arith.addf %1969, %1970 : f32
        tt.reduce.return %1971 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1973 = arith.mulf %1957, %138 : tensor<1x4x8xf32>
      %1977 = "tt.reduce"(%1973) <{axis = 0 : i32}> ({
      ^bb0(%1974: f32, %1975: f32):
        %1976 = arith.addf %1974, %1975 : f32
        tt.reduce.return %1976 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1981 = "tt.reduce"(%1977) <{axis = 0 : i32}> ({
      ^bb0(%1978: f32, %1979: f32):
        %1980 = arith.addf %1978, %1979 : f32
        tt.reduce.return %1980 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %1982 = arith.mulf %1972, %880 : tensor<8xf32>
      %1983 = tt.splat %255 : i1 -> tensor<8xi1>
      %1984 = arith.andi %106, %1983 : tensor<8xi1>
      %1985 = arith.truncf %1982 : tensor<8xf32> to tensor<8xbf16>
      tt.store %1008, %1985, %1984 : tensor<8x!tt.ptr<bf16>>
      %1986 = tt.splat %1203 : f32 -> tensor<8xf32>
      %1987 = arith.mulf %1981, %1986 : tensor<8xf32>
      %1988 = math.fma %874, %1972, %1987 : tensor<8xf32>
      %1989 = tt.splat %255 : i1 -> tensor<8xi1>
      %1990 = arith.andi %106, %1989 : tensor<8xi1>
      tt.store %1010, %1988, %1990 : tensor<8x!tt.ptr<f32>>
      %1991 = arith.mulf %874, %880 : tensor<8xf32>
      %1992 = tt.expand_dims %1991 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1993 = tt.expand_dims %1992 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1994 = tt.broadcast %1993 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1995 = arith.mulf %1955, %1994 : tensor<1x4x8xf32>
      %1996 = tt.expand_dims %1006 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1997 = tt.expand_dims %1996 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1998 = tt.broadcast %1997 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1999 = arith.mulf %999, %1998 : tensor<1x4x8xf32>
      %2000 = arith.addf %1945, %1995 : tensor<1x4x8xf32>
      %2001 = arith.addf %1949, %1999 : tensor<1x4x8xf32>
      %2002 = arith.addi %250, %26 : i32
      %2003 = arith.muli %2002, %37 : i32
      %2004 = tt.splat %2003 : i32 -> tensor<1x4xi32>
      %2005 = tt.addptr %177, %2004 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %2009 = "tt.reduce"(%2000) <{axis = 2 : i32}> ({
      ^bb0(%2006: f32, %2007: f32):
        %2008 = arith.addf %2006, %2007 : f32
        tt.reduce.return %2008 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %2010 = tt.splat %255 : i1 -> tensor<1x4xi1>
      %2011 = arith.andi %39, %2010 : tensor<1x4xi1>
      tt.store %2005, %2009, %2011 : tensor<1x4x!tt.ptr<f32>>
      %2012 = arith.addi %250, %26 : i32
      %2013 = arith.muli %2012, %37 : i32
      %2014 = tt.splat %2013 : i32 -> tensor<1x4xi32>
      %2015 = tt.addptr %183, %2014 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %2019 = "tt.reduce"(%2001) <{axis = 2 : i32}> ({
      ^bb0(%2016: f32, %2017: f32):
        %2018 = arith.addf %2016, %2017 : f32
        tt.reduce.return %2018 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %2020 = tt.splat %255 : i1 -> tensor<1x4xi1>
      %2021 = arith.andi %39, %2020 : tensor<1x4xi1>
      tt.store %2015, %2019, %2021 : tensor<1x4x!tt.ptr<f32>>
      %2022 = tt.expand_dims %630 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2023 = tt.expand_dims %2022 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2024 = tt.expand_dims %289 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2025 = tt.broadcast %2023 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2026 = tt.broadcast %2024 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2027 = math.fma %2025, %2026, %1906 : tensor<1x4x8xf32>
      %2028 = arith.mulf %2027, %615 : tensor<1x4x8xf32>
      %2029 = arith.mulf %2028, %482 : tensor<1x4x8xf32>
      %2030 = tt.expand_dims %511 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2031 = tt.expand_dims %2030 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2032 = tt.broadcast %2031 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2033 = math.fma %2032, %2029, %1911 : tensor<1x4x8xf32>
      %2034 = tt.expand_dims %283 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2035 = tt.broadcast %2034 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2036 = arith.mulf %2027, %2035 : tensor<1x4x8xf32>
      %2040 = "tt.reduce"(%2036) <{axis = 0 : i32}> ({
      ^bb0(%2037: f32, %2038: f32):
        %2039 = arith.addf %2037, %2038 : f32
        tt.reduce.return %2039 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2044 = "tt.reduce"(%2040) <{axis = 0 : i32}> ({
      ^bb0(%2041: f32, %2042: f32):
        %2043 = arith.addf %2041, %2042 : f32
        tt.reduce.return %2043 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %2045 = arith.mulf %2029, %72 : tensor<1x4x8xf32>
      %2049 = "tt.reduce"(%2045) <{axis = 0 : i32}> ({
      ^bb0(%2046: f32, %2047: f32):
        %2048 = arith.addf %2046, %2047 : f32
        tt.reduce.return %2048 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2053 = "tt.reduce"(%2049) <{axis = 0 : i32}> ({
      ^bb0(%2050: f32, %2051: f32):
        %2052 = arith.addf %2050, %2051 : f32
        tt.reduce.return %2052 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %2054 = arith.mulf %2044, %511 : tensor<8xf32>
      %2055 = tt.splat %253 : i1 -> tensor<8xi1>
      %2056 = arith.andi %36, %2055 : tensor<8xi1>
      %2057 = arith.truncf %2054 : tensor<8xf32> to tensor<8xbf16>
      tt.store %632, %2057, %2056 : tensor<8x!tt.ptr<bf16>>
      %2058 = tt.splat %1203 : f32 -> tensor<8xf32>
      %2059 = arith.mulf %2053, %2058 : tensor<8xf32>
      %2060 = math.fma %505, %2044, %2059 : tensor<8xf32>
      %2061 = tt.splat %253 : i1 -> tensor<8xi1>
      %2062 = arith.andi %36, %2061 : tensor<8xi1>
      tt.store %634, %2060, %2062 : tensor<8x!tt.ptr<f32>>
      %2063 = arith.mulf %505, %511 : tensor<8xf32>
      %2064 = tt.expand_dims %2063 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2065 = tt.expand_dims %2064 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2066 = tt.broadcast %2065 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2067 = arith.mulf %2027, %2066 : tensor<1x4x8xf32>
      %2068 = tt.expand_dims %630 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2069 = tt.expand_dims %2068 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2070 = tt.broadcast %2069 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2071 = arith.mulf %623, %2070 : tensor<1x4x8xf32>
      %2072 = tt.expand_dims %980 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2073 = tt.expand_dims %2072 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2074 = tt.expand_dims %289 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2075 = tt.broadcast %2073 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2076 = tt.broadcast %2074 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2077 = math.fma %2075, %2076, %1956 : tensor<1x4x8xf32>
      %2078 = arith.mulf %2077, %965 : tensor<1x4x8xf32>
      %2079 = arith.mulf %2078, %839 : tensor<1x4x8xf32>
      %2080 = tt.expand_dims %867 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2081 = tt.expand_dims %2080 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2082 = tt.broadcast %2081 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2083 = math.fma %2082, %2079, %1961 : tensor<1x4x8xf32>
      %2084 = tt.expand_dims %283 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2085 = tt.broadcast %2084 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2086 = arith.mulf %2077, %2085 : tensor<1x4x8xf32>
      %2090 = "tt.reduce"(%2086) <{axis = 0 : i32}> ({
      ^bb0(%2087: f32, %2088: f32):
        %2089 = arith.addf %2087, %2088 : f32
        tt.reduce.return %2089 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2094 = "tt.reduce"(%2090) <{axis = 0 : i32}> ({
      ^bb0(%2091: f32, %2092: f32):
        %2093 = arith.addf %2091, %2092 : f32
        tt.reduce.return %2093 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %2095 = arith.mulf %2079, %138 : tensor<1x4x8xf32>
      %2099 = "tt.reduce"(%2095) <{axis = 0 : i32}> ({
      ^bb0(%2096: f32, %2097: f32):
        %2098 = arith.addf %2096, %2097 : f32
        tt.reduce.return %2098 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2103 = "tt.reduce"(%2099) <{axis = 0 : i32}> ({
      ^bb0(%2100: f32, %2101: f32):
        %2102 = arith.addf %2100, %2101 : f32
        tt.reduce.return %2102 : f32
      }) : (tensor<4x8xf32>) -> (tensor<8xf32>)
      %2104 = arith.mulf %2094, %867 : tensor<8xf32>
      %2105 = tt.splat %253 : i1 -> tensor<8xi1>
      %2106 = arith.andi %106, %2105 : tensor<8xi1>
      %2107 = arith.truncf %2104 : tensor<8xf32> to tensor<8xbf16>
      tt.store %982, %2107, %2106 : tensor<8x!tt.ptr<bf16>>
      %2108 = tt.splat %1203 : f32 -> tensor<8xf32>
      %2109 = arith.mulf %2103, %2108 : tensor<8xf32>
      %2110 = math.fma %861, %2094, %2109 : tensor<8xf32>
      %2111 = tt.splat %253 : i1 -> tensor<8xi1>
      %2112 = arith.andi %106, %2111 : tensor<8xi1>
      tt.store %984, %2110, %2112 : tensor<8x!tt.ptr<f32>>
      %2113 = arith.mulf %861, %867 : tensor<8xf32>
      %2114 = tt.expand_dims %2113 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2115 = tt.expand_dims %2114 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2116 = tt.broadcast %2115 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2117 = arith.mulf %2077, %2116 : tensor<1x4x8xf32>
      %2118 = tt.expand_dims %980 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2119 = tt.expand_dims %2118 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2120 = tt.broadcast %2119 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2121 = arith.mulf %973, %2120 : tensor<1x4x8xf32>
      %2122 = arith.addf %2067, %2117 : tensor<1x4x8xf32>
      %2123 = arith.addf %2071, %2121 : tensor<1x4x8xf32>
      %2124 = arith.addi %250, %19 : i32
      %2125 = arith.muli %2124, %37 : i32
      %2126 = tt.splat %2125 : i32 -> tensor<1x4xi32>
      %2127 = tt.addptr %177, %2126 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %2131 = "tt.reduce"(%2122) <{axis = 2 : i32}> ({
      ^bb0(%2128: f32, %2129: f32):
        %2130 = arith.addf %2128, %2129 : f32
        tt.reduce.return %2130 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %2132 = tt.splat %253 : i1 -> tensor<1x4xi1>
      %2133 = arith.andi %39, %2132 : tensor<1x4xi1>
      tt.store %2127, %2131, %2133 : tensor<1x4x!tt.ptr<f32>>
      %2134 = arith.addi %250, %19 : i32
      %2135 = arith.muli %2134, %37 : i32
      %2136 = tt.splat %2135 : i32 -> tensor<1x4xi32>
      %2137 = tt.addptr %183, %2136 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %2141 = "tt.reduce"(%2123) <{axis = 2 : i32}> ({
      ^bb0(%2138: f32, %2139: f32):
        %2140 = arith.addf %2138, %2139 : f32
        tt.reduce.return %2140 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<1x4xf32>)
      %2142 = tt.splat %253 : i1 -> tensor<1x4xi1>
      %2143 = arith.andi %39, %2142 : tensor<1x4xi1>
      tt.store %2137, %2141, %2143 : tensor<1x4x!tt.ptr<f32>>
      scf.yield %2028, %2033, %2078, %2083 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    }
    %2148 = arith.extsi %14 : i32 to i64
    %2149 = arith.muli %33, %190 : i64
    %2150 = arith.addi %2149, %2148 : i64
    %2151 = arith.muli %2150, %193 : i64
    %2152 = tt.addptr %drates, %2151 : !tt.ptr<f32>, i64
    %2153 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %2154 = tt.expand_dims %2153 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %2155 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %2156 = arith.muli %2154, %2155 : tensor<1x1x8xi32>
    %2157 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %2158 = tt.broadcast %2156 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %2159 = tt.broadcast %2157 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %2160 = arith.addi %2158, %2159 : tensor<1x4x8xi32>
    %2161 = tt.splat %2152 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %2162 = tt.addptr %2161, %2160 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %2163 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %2164 = tt.expand_dims %2163 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %2165 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %2166 = tt.broadcast %2164 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %2167 = tt.broadcast %2165 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %2168 = arith.andi %2166, %2167 : tensor<1x4x8xi1>
    tt.store %2162, %2144#1, %2168 : tensor<1x4x8x!tt.ptr<f32>>
    %2169 = arith.extsi %14 : i32 to i64
    %2170 = arith.muli %104, %190 : i64
    %2171 = arith.addi %2170, %2169 : i64
    %2172 = arith.muli %2171, %193 : i64
    %2173 = tt.addptr %drates, %2172 : !tt.ptr<f32>, i64
    %2174 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %2175 = tt.expand_dims %2174 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %2176 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %2177 = arith.muli %2175, %2176 : tensor<1x1x8xi32>
    %2178 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %2179 = tt.broadcast %2177 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %2180 = tt.broadcast %2178 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %2181 = arith.addi %2179, %2180 : tensor<1x4x8xi32>
    %2182 = tt.splat %2173 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %2183 = tt.addptr %2182, %2181 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %2184 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %2185 = tt.expand_dims %2184 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %2186 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %2187 = tt.broadcast %2185 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %2188 = tt.broadcast %2186 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %2189 = arith.andi %2187, %2188 : tensor<1x4x8xi1>
    tt.store %2183, %2144#3, %2189 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
