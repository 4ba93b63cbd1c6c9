module {
  tt.func public @paged_write(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %cos: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sin: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %place: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %keys: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %values: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rotated: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %written_keys: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %written_values: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %15 = arith.constant 40 : i32
    %17 = arith.constant 10 : i32
    %20 = arith.constant 3 : i64
    %24 = arith.constant 10 : i64
    %30 = arith.constant 80 : i64
    %39 = arith.constant 80 : i32
    %42 = arith.constant 0 : i32
    %50 = arith.constant 0.0e0 : bf16
    %66 = arith.constant 20 : i64
    %69 = arith.constant 3 : i32
    %81 = arith.constant 20 : i32
    %117 = arith.constant 0.0e0 : f32
    %11 = tt.get_program_id x : i32
    %12 = tt.get_program_id y : i32
    %13 = tt.addptr %place, %11 : !tt.ptr<i32>, i32
    %14 = tt.load %13 : !tt.ptr<i32>
    %16 = arith.cmpi slt, %14, %15 : i32
    %18 = arith.divsi %14, %17 : i32
    %19 = arith.extsi %18 : i32 to i64
    %21 = arith.muli %19, %20 : i64
    %22 = arith.extsi %12 : i32 to i64
    %23 = arith.addi %21, %22 : i64
    %25 = arith.muli %23, %24 : i64
    %26 = arith.muli %18, %17 : i32
    %27 = arith.subi %14, %26 : i32
    %28 = arith.extsi %27 : i32 to i64
    %29 = arith.addi %25, %28 : i64
    %31 = arith.muli %29, %30 : i64
    %32 = arith.extsi %11 : i32 to i64
    %33 = arith.muli %32, %20 : i64
    %34 = arith.extsi %12 : i32 to i64
    %35 = arith.addi %33, %34 : i64
    %36 = arith.muli %35, %30 : i64
    %37 = arith.muli %35, %30 : i64
    %38 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %40 = tt.splat %39 : i32 -> tensor<128xi32>
    %41 = arith.cmpi slt, %38, %40 : tensor<128xi32>
    %43 = tt.splat %42 : i32 -> tensor<128xi32>
    %44 = arith.addi %38, %43 : tensor<128xi32>
    %45 = arith.extsi %44 : tensor<128xi32> to tensor<128xi64>
    %46 = tt.splat %37 : i64 -> tensor<128xi64>
    %47 = arith.addi %46, %45 : tensor<128xi64>
    %48 = tt.splat %v : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %49 = tt.addptr %48, %47 : tensor<128x!tt.ptr<bf16>>, tensor<128xi64>
    %51 = tt.splat %50 : bf16 -> tensor<128xbf16>
    %52 = tt.load %49, %41, %51 : tensor<128x!tt.ptr<bf16>>
    %53 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %54 = tt.splat %39 : i32 -> tensor<128xi32>
    %55 = arith.cmpi slt, %53, %54 : tensor<128xi32>
    %56 = tt.splat %42 : i32 -> tensor<128xi32>
    %57 = arith.addi %53, %56 : tensor<128xi32>
    %58 = arith.extsi %57 : tensor<128xi32> to tensor<128xi64>
    %59 = tt.splat %31 : i64 -> tensor<128xi64>
    %60 = arith.addi %59, %58 : tensor<128xi64>
    %61 = tt.splat %written_values : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %62 = tt.addptr %61, %60 : tensor<128x!tt.ptr<bf16>>, tensor<128xi64>
    %63 = tt.splat %16 : i1 -> tensor<128xi1>
    %64 = arith.andi %63, %55 : tensor<128xi1>
    tt.store %62, %52, %64 : tensor<128x!tt.ptr<bf16>>
    %65 = arith.extsi %11 : i32 to i64
    %67 = arith.muli %65, %66 : i64
    %68 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %70 = tt.splat %69 : i32 -> tensor<4xi32>
    %71 = arith.cmpi slt, %68, %70 : tensor<4xi32>
    %72 = tt.expand_dims %71 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %73 = arith.muli %35, %20 : i64
    %74 = arith.extsi %68 : tensor<4xi32> to tensor<4xi64>
    %75 = tt.splat %73 : i64 -> tensor<4xi64>
    %76 = arith.addi %75, %74 : tensor<4xi64>
    %77 = tt.splat %30 : i64 -> tensor<4xi64>
    %78 = arith.muli %76, %77 : tensor<4xi64>
    %79 = tt.expand_dims %78 {axis = 1 : i32} : tensor<4xi64> -> tensor<4x1xi64>
    %80 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %82 = tt.splat %81 : i32 -> tensor<32xi32>
    %83 = arith.cmpi slt, %80, %82 : tensor<32xi32>
    %84 = tt.splat %42 : i32 -> tensor<32xi32>
    %85 = arith.addi %80, %84 : tensor<32xi32>
    %86 = arith.extsi %85 : tensor<32xi32> to tensor<32xi64>
    %87 = tt.splat %36 : i64 -> tensor<32xi64>
    %88 = arith.addi %87, %86 : tensor<32xi64>
    %89 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x!tt.ptr<bf16>>
    %90 = tt.addptr %89, %88 : tensor<32x!tt.ptr<bf16>>, tensor<32xi64>
    %91 = tt.splat %50 : bf16 -> tensor<32xbf16>
    %92 = tt.load %90, %83, %91 : tensor<32x!tt.ptr<bf16>>
    %93 = arith.extf %92 : tensor<32xbf16> to tensor<32xf32>
    %94 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %95 = tt.splat %81 : i32 -> tensor<32xi32>
    %96 = arith.cmpi slt, %94, %95 : tensor<32xi32>
    %97 = tt.splat %81 : i32 -> tensor<32xi32>
    %98 = arith.addi %94, %97 : tensor<32xi32>
    %99 = arith.extsi %98 : tensor<32xi32> to tensor<32xi64>
    %100 = tt.splat %36 : i64 -> tensor<32xi64>
    %101 = arith.addi %100, %99 : tensor<32xi64>
    %102 = tt.splat %k : !tt.ptr<bf16> -> tensor<32x!tt.ptr<bf16>>
    %103 = tt.addptr %102, %101 : tensor<32x!tt.ptr<bf16>>, tensor<32xi64>
    %104 = tt.splat %50 : bf16 -> tensor<32xbf16>
    %105 = tt.load %103, %96, %104 : tensor<32x!tt.ptr<bf16>>
    %106 = arith.extf %105 : tensor<32xbf16> to tensor<32xf32>
    %107 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %108 = tt.splat %81 : i32 -> tensor<32xi32>
    %109 = arith.cmpi slt, %107, %108 : tensor<32xi32>
    %110 = tt.splat %42 : i32 -> tensor<32xi32>
    %111 = arith.addi %107, %110 : tensor<32xi32>
    %112 = arith.extsi %111 : tensor<32xi32> to tensor<32xi64>
    %113 = tt.splat %67 : i64 -> tensor<32xi64>
    %114 = arith.addi %113, %112 : tensor<32xi64>
    %115 = tt.splat %cos : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %116 = tt.addptr %115, %114 : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
    %118 = tt.splat %117 : f32 -> tensor<32xf32>
    %119 = tt.load %116, %109, %118 : tensor<32x!tt.ptr<f32>>
    %120 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %121 = tt.splat %81 : i32 -> tensor<32xi32>
    %122 = arith.cmpi slt, %120, %121 : tensor<32xi32>
    %123 = tt.splat %42 : i32 -> tensor<32xi32>
    %124 = arith.addi %120, %123 : tensor<32xi32>
    %125 = arith.extsi %124 : tensor<32xi32> to tensor<32xi64>
    %126 = tt.splat %67 : i64 -> tensor<32xi64>
    %127 = arith.addi %126, %125 : tensor<32xi64>
    %128 = tt.splat %sin : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %129 = tt.addptr %128, %127 : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
    %130 = tt.splat %117 : f32 -> tensor<32xf32>
    %131 = tt.load %129, %122, %130 : tensor<32x!tt.ptr<f32>>
    %132 = arith.mulf %93, %119 : tensor<32xf32>
    %133 = arith.mulf %106, %131 : tensor<32xf32>
    %134 = arith.subf %132, %133 : tensor<32xf32>
    %135 = arith.mulf %106, %119 : tensor<32xf32>
    %136 = arith.mulf %93, %131 : tensor<32xf32>
    %137 = arith.addf %135, %136 : tensor<32xf32>
    %138 = arith.truncf %134 : tensor<32xf32> to tensor<32xbf16>
    %139 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %140 = tt.splat %81 : i32 -> tensor<32xi32>
    %141 = arith.cmpi slt, %139, %140 : tensor<32xi32>
    %142 = tt.splat %42 : i32 -> tensor<32xi32>
    %143 = arith.addi %139, %142 : tensor<32xi32>
    %144 = arith.extsi %143 : tensor<32xi32> to tensor<32xi64>
    %145 = tt.splat %31 : i64 -> tensor<32xi64>
    %146 = arith.addi %145, %144 : tensor<32xi64>
    %147 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<32x!tt.ptr<bf16>>
    %148 = tt.addptr %147, %146 : tensor<32x!tt.ptr<bf16>>, tensor<32xi64>
    %149 = tt.splat %16 : i1 -> tensor<32xi1>
    %150 = arith.andi %149, %141 : tensor<32xi1>
    tt.store %148, %138, %150 : tensor<32x!tt.ptr<bf16>>
    %151 = arith.truncf %137 : tensor<32xf32> to tensor<32xbf16>
    %152 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %153 = tt.splat %81 : i32 -> tensor<32xi32>
    %154 = arith.cmpi slt, %152, %153 : tensor<32xi32>
    %155 = tt.splat %81 : i32 -> tensor<32xi32>
    %156 = arith.addi %152, %155 : tensor<32xi32>
    %157 = arith.extsi %156 : tensor<32xi32> to tensor<32xi64>
    %158 = tt.splat %31 : i64 -> tensor<32xi64>
    %159 = arith.addi %158, %157 : tensor<32xi64>
    %160 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<32x!tt.ptr<bf16>>
    %161 = tt.addptr %160, %159 : tensor<32x!tt.ptr<bf16>>, tensor<32xi64>
    %162 = tt.splat %16 : i1 -> tensor<32xi1>
    %163 = arith.andi %162, %154 : tensor<32xi1>
    tt.store %161, %151, %163 : tensor<32x!tt.ptr<bf16>>
    %164 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %165 = tt.splat %15 : i32 -> tensor<64xi32>
    %166 = arith.cmpi slt, %164, %165 : tensor<64xi32>
    %167 = tt.splat %15 : i32 -> tensor<64xi32>
    %168 = arith.addi %164, %167 : tensor<64xi32>
    %169 = arith.extsi %168 : tensor<64xi32> to tensor<64xi64>
    %170 = tt.splat %36 : i64 -> tensor<64xi64>
    %171 = arith.addi %170, %169 : tensor<64xi64>
    %172 = tt.splat %k : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %173 = tt.addptr %172, %171 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %174 = tt.splat %50 : bf16 -> tensor<64xbf16>
    %175 = tt.load %173, %166, %174 : tensor<64x!tt.ptr<bf16>>
    %176 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %177 = tt.splat %15 : i32 -> tensor<64xi32>
    %178 = arith.cmpi slt, %176, %177 : tensor<64xi32>
    %179 = tt.splat %15 : i32 -> tensor<64xi32>
    %180 = arith.addi %176, %179 : tensor<64xi32>
    %181 = arith.extsi %180 : tensor<64xi32> to tensor<64xi64>
    %182 = tt.splat %31 : i64 -> tensor<64xi64>
    %183 = arith.addi %182, %181 : tensor<64xi64>
    %184 = tt.splat %written_keys : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %185 = tt.addptr %184, %183 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %186 = tt.splat %16 : i1 -> tensor<64xi1>
    %187 = arith.andi %186, %178 : tensor<64xi1>
    tt.store %185, %175, %187 : tensor<64x!tt.ptr<bf16>>
    %188 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %189 = tt.splat %81 : i32 -> tensor<32xi32>
    %190 = arith.cmpi slt, %188, %189 : tensor<32xi32>
    %191 = tt.expand_dims %190 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %192 = tt.splat %42 : i32 -> tensor<32xi32>
    %193 = arith.addi %188, %192 : tensor<32xi32>
    %194 = arith.extsi %193 : tensor<32xi32> to tensor<32xi64>
    %195 = tt.expand_dims %194 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %196 = tt.broadcast %79 : tensor<4x1xi64> -> tensor<4x32xi64>
    %197 = tt.broadcast %195 : tensor<1x32xi64> -> tensor<4x32xi64>
    %198 = arith.addi %196, %197 : tensor<4x32xi64>
    %199 = tt.splat %q : !tt.ptr<bf16> -> tensor<4x32x!tt.ptr<bf16>>
    %200 = tt.addptr %199, %198 : tensor<4x32x!tt.ptr<bf16>>, tensor<4x32xi64>
    %201 = tt.broadcast %72 : tensor<4x1xi1> -> tensor<4x32xi1>
    %202 = tt.broadcast %191 : tensor<1x32xi1> -> tensor<4x32xi1>
    %203 = arith.andi %201, %202 : tensor<4x32xi1>
    %204 = tt.splat %50 : bf16 -> tensor<4x32xbf16>
    %205 = tt.load %200, %203, %204 : tensor<4x32x!tt.ptr<bf16>>
    %206 = arith.extf %205 : tensor<4x32xbf16> to tensor<4x32xf32>
    %207 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %208 = tt.splat %81 : i32 -> tensor<32xi32>
    %209 = arith.cmpi slt, %207, %208 : tensor<32xi32>
    %210 = tt.expand_dims %209 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %211 = tt.splat %81 : i32 -> tensor<32xi32>
    %212 = arith.addi %207, %211 : tensor<32xi32>
    %213 = arith.extsi %212 : tensor<32xi32> to tensor<32xi64>
    %214 = tt.expand_dims %213 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %215 = tt.broadcast %79 : tensor<4x1xi64> -> tensor<4x32xi64>
    %216 = tt.broadcast %214 : tensor<1x32xi64> -> tensor<4x32xi64>
    %217 = arith.addi %215, %216 : tensor<4x32xi64>
    %218 = tt.splat %q : !tt.ptr<bf16> -> tensor<4x32x!tt.ptr<bf16>>
    %219 = tt.addptr %218, %217 : tensor<4x32x!tt.ptr<bf16>>, tensor<4x32xi64>
    %220 = tt.broadcast %72 : tensor<4x1xi1> -> tensor<4x32xi1>
    %221 = tt.broadcast %210 : tensor<1x32xi1> -> tensor<4x32xi1>
    %222 = arith.andi %220, %221 : tensor<4x32xi1>
    %223 = tt.splat %50 : bf16 -> tensor<4x32xbf16>
    %224 = tt.load %219, %222, %223 : tensor<4x32x!tt.ptr<bf16>>
    %225 = arith.extf %224 : tensor<4x32xbf16> to tensor<4x32xf32>
    %226 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %227 = tt.splat %81 : i32 -> tensor<32xi32>
    %228 = arith.cmpi slt, %226, %227 : tensor<32xi32>
    %229 = tt.splat %42 : i32 -> tensor<32xi32>
    %230 = arith.addi %226, %229 : tensor<32xi32>
    %231 = arith.extsi %230 : tensor<32xi32> to tensor<32xi64>
    %232 = tt.splat %67 : i64 -> tensor<32xi64>
    %233 = arith.addi %232, %231 : tensor<32xi64>
    %234 = tt.splat %cos : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %235 = tt.addptr %234, %233 : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
    %236 = tt.splat %117 : f32 -> tensor<32xf32>
    %237 = tt.load %235, %228, %236 : tensor<32x!tt.ptr<f32>>
    %238 = tt.expand_dims %237 {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
    %239 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %240 = tt.splat %81 : i32 -> tensor<32xi32>
    %241 = arith.cmpi slt, %239, %240 : tensor<32xi32>
    %242 = tt.splat %42 : i32 -> tensor<32xi32>
    %243 = arith.addi %239, %242 : tensor<32xi32>
    %244 = arith.extsi %243 : tensor<32xi32> to tensor<32xi64>
    %245 = tt.splat %67 : i64 -> tensor<32xi64>
    %246 = arith.addi %245, %244 : tensor<32xi64>
    %247 = tt.splat %sin : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %248 = tt.addptr %247, %246 : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
    %249 = tt.splat %117 : f32 -> tensor<32xf32>
    %250 = tt.load %248, %241, %249 : tensor<32x!tt.ptr<f32>>
    %251 = tt.expand_dims %250 {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
    %252 = tt.broadcast %238 : tensor<1x32xf32> -> tensor<4x32xf32>
    %253 = arith.mulf %206, %252 : tensor<4x32xf32>
    %254 = tt.broadcast %251 : tensor<1x32xf32> -> tensor<4x32xf32>
    %255 = arith.mulf %225, %254 : tensor<4x32xf32>
    %256 = arith.subf %253, %255 : tensor<4x32xf32>
    %257 = tt.broadcast %238 : tensor<1x32xf32> -> tensor<4x32xf32>
    %258 = arith.mulf %225, %257 : tensor<4x32xf32>
    %259 = tt.broadcast %251 : tensor<1x32xf32> -> tensor<4x32xf32>
    %260 = arith.mulf %206, %259 : tensor<4x32xf32>
    %261 = arith.addf %258, %260 : tensor<4x32xf32>
    %262 = arith.truncf %256 : tensor<4x32xf32> to tensor<4x32xbf16>
    %263 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %264 = tt.splat %81 : i32 -> tensor<32xi32>
    %265 = arith.cmpi slt, %263, %264 : tensor<32xi32>
    %266 = tt.expand_dims %265 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %267 = tt.splat %42 : i32 -> tensor<32xi32>
    %268 = arith.addi %263, %267 : tensor<32xi32>
    %269 = arith.extsi %268 : tensor<32xi32> to tensor<32xi64>
    %270 = tt.expand_dims %269 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %271 = tt.broadcast %79 : tensor<4x1xi64> -> tensor<4x32xi64>
    %272 = tt.broadcast %270 : tensor<1x32xi64> -> tensor<4x32xi64>
    %273 = arith.addi %271, %272 : tensor<4x32xi64>
    %274 = tt.splat %rotated : !tt.ptr<bf16> -> tensor<4x32x!tt.ptr<bf16>>
    %275 = tt.addptr %274, %273 : tensor<4x32x!tt.ptr<bf16>>, tensor<4x32xi64>
    %276 = tt.broadcast %72 : tensor<4x1xi1> -> tensor<4x32xi1>
    %277 = tt.broadcast %266 : tensor<1x32xi1> -> tensor<4x32xi1>
    %278 = arith.andi %276, %277 : tensor<4x32xi1>
    tt.store %275, %262, %278 : tensor<4x32x!tt.ptr<bf16>>
    %279 = arith.truncf %261 : tensor<4x32xf32> to tensor<4x32xbf16>
    %280 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %281 = tt.splat %81 : i32 -> tensor<32xi32>
    %282 = arith.cmpi slt, %280, %281 : tensor<32xi32>
    %283 = tt.expand_dims %282 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %284 = tt.splat %81 : i32 -> tensor<32xi32>
    %285 = arith.addi %280, %284 : tensor<32xi32>
    %286 = arith.extsi %285 : tensor<32xi32> to tensor<32xi64>
    %287 = tt.expand_dims %286 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %288 = tt.broadcast %79 : tensor<4x1xi64> -> tensor<4x32xi64>
    %289 = tt.broadcast %287 : tensor<1x32xi64> -> tensor<4x32xi64>
    %290 = arith.addi %288, %289 : tensor<4x32xi64>
    %291 = tt.splat %rotated : !tt.ptr<bf16> -> tensor<4x32x!tt.ptr<bf16>>
    %292 = tt.addptr %291, %290 : tensor<4x32x!tt.ptr<bf16>>, tensor<4x32xi64>
    %293 = tt.broadcast %72 : tensor<4x1xi1> -> tensor<4x32xi1>
    %294 = tt.broadcast %283 : tensor<1x32xi1> -> tensor<4x32xi1>
    %295 = arith.andi %293, %294 : tensor<4x32xi1>
    tt.store %292, %279, %295 : tensor<4x32x!tt.ptr<bf16>>
    %296 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %297 = tt.splat %15 : i32 -> tensor<64xi32>
    %298 = arith.cmpi slt, %296, %297 : tensor<64xi32>
    %299 = tt.expand_dims %298 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %300 = tt.splat %15 : i32 -> tensor<64xi32>
    %301 = arith.addi %296, %300 : tensor<64xi32>
    %302 = arith.extsi %301 : tensor<64xi32> to tensor<64xi64>
    %303 = tt.expand_dims %302 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %304 = tt.broadcast %79 : tensor<4x1xi64> -> tensor<4x64xi64>
    %305 = tt.broadcast %303 : tensor<1x64xi64> -> tensor<4x64xi64>
    %306 = arith.addi %304, %305 : tensor<4x64xi64>
    %307 = tt.splat %q : !tt.ptr<bf16> -> tensor<4x64x!tt.ptr<bf16>>
    %308 = tt.addptr %307, %306 : tensor<4x64x!tt.ptr<bf16>>, tensor<4x64xi64>
    %309 = tt.broadcast %72 : tensor<4x1xi1> -> tensor<4x64xi1>
    %310 = tt.broadcast %299 : tensor<1x64xi1> -> tensor<4x64xi1>
    %311 = arith.andi %309, %310 : tensor<4x64xi1>
    %312 = tt.splat %50 : bf16 -> tensor<4x64xbf16>
    %313 = tt.load %308, %311, %312 : tensor<4x64x!tt.ptr<bf16>>
    %314 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %315 = tt.splat %15 : i32 -> tensor<64xi32>
    %316 = arith.cmpi slt, %314, %315 : tensor<64xi32>
    %317 = tt.expand_dims %316 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %318 = tt.splat %15 : i32 -> tensor<64xi32>
    %319 = arith.addi %314, %318 : tensor<64xi32>
    %320 = arith.extsi %319 : tensor<64xi32> to tensor<64xi64>
    %321 = tt.expand_dims %320 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %322 = tt.broadcast %79 : tensor<4x1xi64> -> tensor<4x64xi64>
    %323 = tt.broadcast %321 : tensor<1x64xi64> -> tensor<4x64xi64>
    %324 = arith.addi %322, %323 : tensor<4x64xi64>
    %325 = tt.splat %rotated : !tt.ptr<bf16> -> tensor<4x64x!tt.ptr<bf16>>
    %326 = tt.addptr %325, %324 : tensor<4x64x!tt.ptr<bf16>>, tensor<4x64xi64>
    %327 = tt.broadcast %72 : tensor<4x1xi1> -> tensor<4x64xi1>
    %328 = tt.broadcast %317 : tensor<1x64xi1> -> tensor<4x64xi1>
    %329 = arith.andi %327, %328 : tensor<4x64xi1>
    tt.store %326, %313, %329 : tensor<4x64x!tt.ptr<bf16>>
    tt.return
  }
}
