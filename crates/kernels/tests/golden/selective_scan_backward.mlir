module {
  tt.func public @selective_scan_segments(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %kept: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dy: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %states: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %factors: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %summands: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %14 = arith.constant 16 : i32
    %16 = arith.constant 0 : i32
    %23 = arith.constant 1 : i32
    %31 = arith.constant 11 : i32
    %34 = arith.constant 3 : i32
    %37 = arith.constant 99 : i64
    %64 = arith.constant 0.0e0 : f32
    %67 = arith.constant 1.442695e0 : f32
    %78 = arith.constant 8 : i32
    %131 = arith.constant 27 : i64
    %142 = arith.constant 9 : i64
    %146 = arith.constant 1 : i64
    %149 = arith.constant 33 : i64
    %170 = arith.constant dense<1.0e0> : tensor<1x4x8xf32>
    %171 = arith.constant dense<0.0e0> : tensor<1x4x8xf32>
    %195 = arith.constant 32 : i32
    %199 = arith.constant 9 : i32
    %203 = arith.constant 2 : i32
    %208 = arith.constant 4 : i32
    %211 = arith.constant 5 : i32
    %214 = arith.constant 6 : i32
    %217 = arith.constant 7 : i32
    %233 = arith.constant 0.0e0 : bf16
    %256 = arith.constant 22 : i32
    %270 = arith.constant 33 : i32
    %284 = arith.constant 44 : i32
    %298 = arith.constant 55 : i32
    %312 = arith.constant 66 : i32
    %326 = arith.constant 77 : i32
    %669 = arith.constant 0xFF800000 : f32
    %737 = arith.constant 12 : i32
    %760 = arith.constant 15 : i32
    %783 = arith.constant 18 : i32
    %806 = arith.constant 21 : i32
    %1193 = arith.constant 2 : i64
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
    %70 = arith.muli %30, %37 : i64
    %71 = tt.addptr %dy, %70 : !tt.ptr<bf16>, i64
    %72 = arith.extsi %20 : tensor<8xi32> to tensor<8xi64>
    %73 = tt.splat %71 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %74 = tt.addptr %73, %72 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %75 = tt.get_program_id z : i32
    %76 = tt.get_program_id x : i32
    %77 = arith.muli %76, %14 : i32
    %79 = arith.addi %77, %78 : i32
    %80 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %81 = tt.splat %79 : i32 -> tensor<8xi32>
    %82 = arith.addi %81, %80 : tensor<8xi32>
    %83 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %84 = tt.expand_dims %83 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %85 = tt.splat %23 : i32 -> tensor<1x4xi32>
    %86 = arith.muli %84, %85 : tensor<1x4xi32>
    %87 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %88 = tt.expand_dims %87 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %89 = tt.broadcast %88 : tensor<1x1xi32> -> tensor<1x4xi32>
    %90 = arith.addi %86, %89 : tensor<1x4xi32>
    %91 = arith.extsi %75 : i32 to i64
    %92 = tt.splat %31 : i32 -> tensor<8xi32>
    %93 = arith.cmpi slt, %82, %92 : tensor<8xi32>
    %94 = tt.splat %34 : i32 -> tensor<1x4xi32>
    %95 = arith.cmpi slt, %90, %94 : tensor<1x4xi32>
    %96 = arith.muli %91, %37 : i64
    %97 = tt.addptr %x, %96 : !tt.ptr<bf16>, i64
    %98 = arith.extsi %82 : tensor<8xi32> to tensor<8xi64>
    %99 = tt.splat %97 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %100 = tt.addptr %99, %98 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %101 = arith.muli %91, %37 : i64
    %102 = tt.addptr %widths, %101 : !tt.ptr<f32>, i64
    %103 = arith.extsi %82 : tensor<8xi32> to tensor<8xi64>
    %104 = tt.splat %102 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %105 = tt.addptr %104, %103 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %106 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %107 = tt.expand_dims %106 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %108 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %109 = arith.muli %107, %108 : tensor<1x1x8xi32>
    %110 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %111 = tt.broadcast %109 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %112 = tt.broadcast %110 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %113 = arith.addi %111, %112 : tensor<1x4x8xi32>
    %114 = tt.splat %rates : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %115 = tt.addptr %114, %113 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %116 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %117 = tt.expand_dims %116 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %118 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %119 = tt.broadcast %117 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %120 = tt.broadcast %118 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %121 = arith.andi %119, %120 : tensor<1x4x8xi1>
    %122 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %123 = tt.load %115, %121, %122 : tensor<1x4x8x!tt.ptr<f32>>
    %124 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %125 = arith.mulf %123, %124 : tensor<1x4x8xf32>
    %126 = arith.muli %91, %37 : i64
    %127 = tt.addptr %dy, %126 : !tt.ptr<bf16>, i64
    %128 = arith.extsi %82 : tensor<8xi32> to tensor<8xi64>
    %129 = tt.splat %127 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %130 = tt.addptr %129, %128 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %132 = arith.muli %30, %131 : i64
    %133 = tt.addptr %b, %132 : !tt.ptr<f32>, i64
    %134 = arith.extsi %29 : tensor<1x4xi32> to tensor<1x4xi64>
    %135 = tt.splat %133 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %136 = tt.addptr %135, %134 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %137 = arith.muli %30, %131 : i64
    %138 = tt.addptr %c, %137 : !tt.ptr<f32>, i64
    %139 = arith.extsi %29 : tensor<1x4xi32> to tensor<1x4xi64>
    %140 = tt.splat %138 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %141 = tt.addptr %140, %139 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %143 = arith.muli %30, %142 : i64
    %144 = tt.addptr %documents, %143 : !tt.ptr<i32>, i64
    %145 = arith.extsi %11 : i32 to i64
    %147 = arith.muli %30, %146 : i64
    %148 = arith.addi %147, %145 : i64
    %150 = arith.muli %148, %149 : i64
    %151 = tt.addptr %kept, %150 : !tt.ptr<f32>, i64
    %152 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %153 = tt.expand_dims %152 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %154 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %155 = arith.muli %153, %154 : tensor<1x1x8xi32>
    %156 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %157 = tt.broadcast %155 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %158 = tt.broadcast %156 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %159 = arith.addi %157, %158 : tensor<1x4x8xi32>
    %160 = tt.splat %151 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %161 = tt.addptr %160, %159 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %162 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %163 = tt.expand_dims %162 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %164 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %165 = tt.broadcast %163 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %166 = tt.broadcast %164 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %167 = arith.andi %165, %166 : tensor<1x4x8xi1>
    %168 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %169 = tt.load %161, %167, %168 : tensor<1x4x8x!tt.ptr<f32>>
    %172 = arith.extsi %11 : i32 to i64
    %173 = arith.muli %91, %146 : i64
    %174 = arith.addi %173, %172 : i64
    %175 = arith.muli %174, %149 : i64
    %176 = tt.addptr %kept, %175 : !tt.ptr<f32>, i64
    %177 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %178 = tt.expand_dims %177 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %179 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %180 = arith.muli %178, %179 : tensor<1x1x8xi32>
    %181 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %182 = tt.broadcast %180 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %183 = tt.broadcast %181 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %184 = arith.addi %182, %183 : tensor<1x4x8xi32>
    %185 = tt.splat %176 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %186 = tt.addptr %185, %184 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %187 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %188 = tt.expand_dims %187 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %189 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %190 = tt.broadcast %188 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %191 = tt.broadcast %189 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %192 = arith.andi %190, %191 : tensor<1x4x8xi1>
    %193 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %194 = tt.load %186, %192, %193 : tensor<1x4x8x!tt.ptr<f32>>
    %196 = arith.muli %11, %195 : i32
    %197 = arith.muli %196, %78 : i32
    %198 = arith.addi %197, %16 : i32
    %200 = arith.cmpi slt, %198, %199 : i32
    %201 = arith.addi %197, %23 : i32
    %202 = arith.cmpi slt, %201, %199 : i32
    %204 = arith.addi %197, %203 : i32
    %205 = arith.cmpi slt, %204, %199 : i32
    %206 = arith.addi %197, %34 : i32
    %207 = arith.cmpi slt, %206, %199 : i32
    %209 = arith.addi %197, %208 : i32
    %210 = arith.cmpi slt, %209, %199 : i32
    %212 = arith.addi %197, %211 : i32
    %213 = arith.cmpi slt, %212, %199 : i32
    %215 = arith.addi %197, %214 : i32
    %216 = arith.cmpi slt, %215, %199 : i32
    %218 = arith.addi %197, %217 : i32
    %219 = arith.cmpi slt, %218, %199 : i32
    %220 = arith.muli %197, %31 : i32
    %221 = tt.splat %220 : i32 -> tensor<8xi32>
    %222 = tt.addptr %74, %221 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %223 = arith.muli %197, %31 : i32
    %224 = tt.splat %223 : i32 -> tensor<8xi32>
    %225 = tt.addptr %42, %224 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %226 = arith.muli %197, %31 : i32
    %227 = tt.splat %226 : i32 -> tensor<8xi32>
    %228 = tt.addptr %47, %227 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %229 = tt.splat %16 : i32 -> tensor<8xi32>
    %230 = tt.addptr %225, %229 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %231 = tt.splat %200 : i1 -> tensor<8xi1>
    %232 = arith.andi %33, %231 : tensor<8xi1>
    %234 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %235 = tt.load %230, %232, %234 : tensor<8x!tt.ptr<bf16>>
    %236 = arith.extf %235 : tensor<8xbf16> to tensor<8xf32>
    %237 = tt.splat %16 : i32 -> tensor<8xi32>
    %238 = tt.addptr %228, %237 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %239 = tt.splat %200 : i1 -> tensor<8xi1>
    %240 = arith.andi %33, %239 : tensor<8xi1>
    %241 = tt.splat %64 : f32 -> tensor<8xf32>
    %242 = tt.load %238, %240, %241 : tensor<8x!tt.ptr<f32>>
    %243 = tt.splat %31 : i32 -> tensor<8xi32>
    %244 = tt.addptr %225, %243 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %245 = tt.splat %202 : i1 -> tensor<8xi1>
    %246 = arith.andi %33, %245 : tensor<8xi1>
    %247 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %248 = tt.load %244, %246, %247 : tensor<8x!tt.ptr<bf16>>
    %249 = arith.extf %248 : tensor<8xbf16> to tensor<8xf32>
    %250 = tt.splat %31 : i32 -> tensor<8xi32>
    %251 = tt.addptr %228, %250 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %252 = tt.splat %202 : i1 -> tensor<8xi1>
    %253 = arith.andi %33, %252 : tensor<8xi1>
    %254 = tt.splat %64 : f32 -> tensor<8xf32>
    %255 = tt.load %251, %253, %254 : tensor<8x!tt.ptr<f32>>
    %257 = tt.splat %256 : i32 -> tensor<8xi32>
    %258 = tt.addptr %225, %257 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %259 = tt.splat %205 : i1 -> tensor<8xi1>
    %260 = arith.andi %33, %259 : tensor<8xi1>
    %261 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %262 = tt.load %258, %260, %261 : tensor<8x!tt.ptr<bf16>>
    %263 = arith.extf %262 : tensor<8xbf16> to tensor<8xf32>
    %264 = tt.splat %256 : i32 -> tensor<8xi32>
    %265 = tt.addptr %228, %264 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %266 = tt.splat %205 : i1 -> tensor<8xi1>
    %267 = arith.andi %33, %266 : tensor<8xi1>
    %268 = tt.splat %64 : f32 -> tensor<8xf32>
    %269 = tt.load %265, %267, %268 : tensor<8x!tt.ptr<f32>>
    %271 = tt.splat %270 : i32 -> tensor<8xi32>
    %272 = tt.addptr %225, %271 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %273 = tt.splat %207 : i1 -> tensor<8xi1>
    %274 = arith.andi %33, %273 : tensor<8xi1>
    %275 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %276 = tt.load %272, %274, %275 : tensor<8x!tt.ptr<bf16>>
    %277 = arith.extf %276 : tensor<8xbf16> to tensor<8xf32>
    %278 = tt.splat %270 : i32 -> tensor<8xi32>
    %279 = tt.addptr %228, %278 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %280 = tt.splat %207 : i1 -> tensor<8xi1>
    %281 = arith.andi %33, %280 : tensor<8xi1>
    %282 = tt.splat %64 : f32 -> tensor<8xf32>
    %283 = tt.load %279, %281, %282 : tensor<8x!tt.ptr<f32>>
    %285 = tt.splat %284 : i32 -> tensor<8xi32>
    %286 = tt.addptr %225, %285 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %287 = tt.splat %210 : i1 -> tensor<8xi1>
    %288 = arith.andi %33, %287 : tensor<8xi1>
    %289 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %290 = tt.load %286, %288, %289 : tensor<8x!tt.ptr<bf16>>
    %291 = arith.extf %290 : tensor<8xbf16> to tensor<8xf32>
    %292 = tt.splat %284 : i32 -> tensor<8xi32>
    %293 = tt.addptr %228, %292 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %294 = tt.splat %210 : i1 -> tensor<8xi1>
    %295 = arith.andi %33, %294 : tensor<8xi1>
    %296 = tt.splat %64 : f32 -> tensor<8xf32>
    %297 = tt.load %293, %295, %296 : tensor<8x!tt.ptr<f32>>
    %299 = tt.splat %298 : i32 -> tensor<8xi32>
    %300 = tt.addptr %225, %299 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %301 = tt.splat %213 : i1 -> tensor<8xi1>
    %302 = arith.andi %33, %301 : tensor<8xi1>
    %303 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %304 = tt.load %300, %302, %303 : tensor<8x!tt.ptr<bf16>>
    %305 = arith.extf %304 : tensor<8xbf16> to tensor<8xf32>
    %306 = tt.splat %298 : i32 -> tensor<8xi32>
    %307 = tt.addptr %228, %306 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %308 = tt.splat %213 : i1 -> tensor<8xi1>
    %309 = arith.andi %33, %308 : tensor<8xi1>
    %310 = tt.splat %64 : f32 -> tensor<8xf32>
    %311 = tt.load %307, %309, %310 : tensor<8x!tt.ptr<f32>>
    %313 = tt.splat %312 : i32 -> tensor<8xi32>
    %314 = tt.addptr %225, %313 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %315 = tt.splat %216 : i1 -> tensor<8xi1>
    %316 = arith.andi %33, %315 : tensor<8xi1>
    %317 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %318 = tt.load %314, %316, %317 : tensor<8x!tt.ptr<bf16>>
    %319 = arith.extf %318 : tensor<8xbf16> to tensor<8xf32>
    %320 = tt.splat %312 : i32 -> tensor<8xi32>
    %321 = tt.addptr %228, %320 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %322 = tt.splat %216 : i1 -> tensor<8xi1>
    %323 = arith.andi %33, %322 : tensor<8xi1>
    %324 = tt.splat %64 : f32 -> tensor<8xf32>
    %325 = tt.load %321, %323, %324 : tensor<8x!tt.ptr<f32>>
    %327 = tt.splat %326 : i32 -> tensor<8xi32>
    %328 = tt.addptr %225, %327 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %329 = tt.splat %219 : i1 -> tensor<8xi1>
    %330 = arith.andi %33, %329 : tensor<8xi1>
    %331 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %332 = tt.load %328, %330, %331 : tensor<8x!tt.ptr<bf16>>
    %333 = arith.extf %332 : tensor<8xbf16> to tensor<8xf32>
    %334 = tt.splat %326 : i32 -> tensor<8xi32>
    %335 = tt.addptr %228, %334 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %336 = tt.splat %219 : i1 -> tensor<8xi1>
    %337 = arith.andi %33, %336 : tensor<8xi1>
    %338 = tt.splat %64 : f32 -> tensor<8xf32>
    %339 = tt.load %335, %337, %338 : tensor<8x!tt.ptr<f32>>
    %340 = tt.splat %16 : i32 -> tensor<8xi32>
    %341 = tt.addptr %222, %340 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %342 = tt.splat %200 : i1 -> tensor<8xi1>
    %343 = arith.andi %33, %342 : tensor<8xi1>
    %344 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %345 = tt.load %341, %343, %344 : tensor<8x!tt.ptr<bf16>>
    %346 = arith.extf %345 : tensor<8xbf16> to tensor<8xf32>
    %347 = tt.splat %31 : i32 -> tensor<8xi32>
    %348 = tt.addptr %222, %347 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %349 = tt.splat %202 : i1 -> tensor<8xi1>
    %350 = arith.andi %33, %349 : tensor<8xi1>
    %351 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %352 = tt.load %348, %350, %351 : tensor<8x!tt.ptr<bf16>>
    %353 = arith.extf %352 : tensor<8xbf16> to tensor<8xf32>
    %354 = tt.splat %256 : i32 -> tensor<8xi32>
    %355 = tt.addptr %222, %354 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %356 = tt.splat %205 : i1 -> tensor<8xi1>
    %357 = arith.andi %33, %356 : tensor<8xi1>
    %358 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %359 = tt.load %355, %357, %358 : tensor<8x!tt.ptr<bf16>>
    %360 = arith.extf %359 : tensor<8xbf16> to tensor<8xf32>
    %361 = tt.splat %270 : i32 -> tensor<8xi32>
    %362 = tt.addptr %222, %361 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %363 = tt.splat %207 : i1 -> tensor<8xi1>
    %364 = arith.andi %33, %363 : tensor<8xi1>
    %365 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %366 = tt.load %362, %364, %365 : tensor<8x!tt.ptr<bf16>>
    %367 = arith.extf %366 : tensor<8xbf16> to tensor<8xf32>
    %368 = tt.splat %284 : i32 -> tensor<8xi32>
    %369 = tt.addptr %222, %368 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %370 = tt.splat %210 : i1 -> tensor<8xi1>
    %371 = arith.andi %33, %370 : tensor<8xi1>
    %372 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %373 = tt.load %369, %371, %372 : tensor<8x!tt.ptr<bf16>>
    %374 = arith.extf %373 : tensor<8xbf16> to tensor<8xf32>
    %375 = tt.splat %298 : i32 -> tensor<8xi32>
    %376 = tt.addptr %222, %375 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %377 = tt.splat %213 : i1 -> tensor<8xi1>
    %378 = arith.andi %33, %377 : tensor<8xi1>
    %379 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %380 = tt.load %376, %378, %379 : tensor<8x!tt.ptr<bf16>>
    %381 = arith.extf %380 : tensor<8xbf16> to tensor<8xf32>
    %382 = tt.splat %312 : i32 -> tensor<8xi32>
    %383 = tt.addptr %222, %382 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %384 = tt.splat %216 : i1 -> tensor<8xi1>
    %385 = arith.andi %33, %384 : tensor<8xi1>
    %386 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %387 = tt.load %383, %385, %386 : tensor<8x!tt.ptr<bf16>>
    %388 = arith.extf %387 : tensor<8xbf16> to tensor<8xf32>
    %389 = tt.splat %326 : i32 -> tensor<8xi32>
    %390 = tt.addptr %222, %389 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %391 = tt.splat %219 : i1 -> tensor<8xi1>
    %392 = arith.andi %33, %391 : tensor<8xi1>
    %393 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %394 = tt.load %390, %392, %393 : tensor<8x!tt.ptr<bf16>>
    %395 = arith.extf %394 : tensor<8xbf16> to tensor<8xf32>
    %396 = arith.muli %197, %31 : i32
    %397 = tt.splat %396 : i32 -> tensor<8xi32>
    %398 = tt.addptr %130, %397 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %399 = arith.muli %197, %31 : i32
    %400 = tt.splat %399 : i32 -> tensor<8xi32>
    %401 = tt.addptr %100, %400 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %402 = arith.muli %197, %31 : i32
    %403 = tt.splat %402 : i32 -> tensor<8xi32>
    %404 = tt.addptr %105, %403 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %405 = tt.splat %16 : i32 -> tensor<8xi32>
    %406 = tt.addptr %401, %405 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %407 = tt.splat %200 : i1 -> tensor<8xi1>
    %408 = arith.andi %93, %407 : tensor<8xi1>
    %409 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %410 = tt.load %406, %408, %409 : tensor<8x!tt.ptr<bf16>>
    %411 = arith.extf %410 : tensor<8xbf16> to tensor<8xf32>
    %412 = tt.splat %16 : i32 -> tensor<8xi32>
    %413 = tt.addptr %404, %412 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %414 = tt.splat %200 : i1 -> tensor<8xi1>
    %415 = arith.andi %93, %414 : tensor<8xi1>
    %416 = tt.splat %64 : f32 -> tensor<8xf32>
    %417 = tt.load %413, %415, %416 : tensor<8x!tt.ptr<f32>>
    %418 = tt.splat %31 : i32 -> tensor<8xi32>
    %419 = tt.addptr %401, %418 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %420 = tt.splat %202 : i1 -> tensor<8xi1>
    %421 = arith.andi %93, %420 : tensor<8xi1>
    %422 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %423 = tt.load %419, %421, %422 : tensor<8x!tt.ptr<bf16>>
    %424 = arith.extf %423 : tensor<8xbf16> to tensor<8xf32>
    %425 = tt.splat %31 : i32 -> tensor<8xi32>
    %426 = tt.addptr %404, %425 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %427 = tt.splat %202 : i1 -> tensor<8xi1>
    %428 = arith.andi %93, %427 : tensor<8xi1>
    %429 = tt.splat %64 : f32 -> tensor<8xf32>
    %430 = tt.load %426, %428, %429 : tensor<8x!tt.ptr<f32>>
    %431 = tt.splat %256 : i32 -> tensor<8xi32>
    %432 = tt.addptr %401, %431 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %433 = tt.splat %205 : i1 -> tensor<8xi1>
    %434 = arith.andi %93, %433 : tensor<8xi1>
    %435 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %436 = tt.load %432, %434, %435 : tensor<8x!tt.ptr<bf16>>
    %437 = arith.extf %436 : tensor<8xbf16> to tensor<8xf32>
    %438 = tt.splat %256 : i32 -> tensor<8xi32>
    %439 = tt.addptr %404, %438 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %440 = tt.splat %205 : i1 -> tensor<8xi1>
    %441 = arith.andi %93, %440 : tensor<8xi1>
    %442 = tt.splat %64 : f32 -> tensor<8xf32>
    %443 = tt.load %439, %441, %442 : tensor<8x!tt.ptr<f32>>
    %444 = tt.splat %270 : i32 -> tensor<8xi32>
    %445 = tt.addptr %401, %444 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %446 = tt.splat %207 : i1 -> tensor<8xi1>
    %447 = arith.andi %93, %446 : tensor<8xi1>
    %448 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %449 = tt.load %445, %447, %448 : tensor<8x!tt.ptr<bf16>>
    %450 = arith.extf %449 : tensor<8xbf16> to tensor<8xf32>
    %451 = tt.splat %270 : i32 -> tensor<8xi32>
    %452 = tt.addptr %404, %451 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %453 = tt.splat %207 : i1 -> tensor<8xi1>
    %454 = arith.andi %93, %453 : tensor<8xi1>
    %455 = tt.splat %64 : f32 -> tensor<8xf32>
    %456 = tt.load %452, %454, %455 : tensor<8x!tt.ptr<f32>>
    %457 = tt.splat %284 : i32 -> tensor<8xi32>
    %458 = tt.addptr %401, %457 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %459 = tt.splat %210 : i1 -> tensor<8xi1>
    %460 = arith.andi %93, %459 : tensor<8xi1>
    %461 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %462 = tt.load %458, %460, %461 : tensor<8x!tt.ptr<bf16>>
    %463 = arith.extf %462 : tensor<8xbf16> to tensor<8xf32>
    %464 = tt.splat %284 : i32 -> tensor<8xi32>
    %465 = tt.addptr %404, %464 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %466 = tt.splat %210 : i1 -> tensor<8xi1>
    %467 = arith.andi %93, %466 : tensor<8xi1>
    %468 = tt.splat %64 : f32 -> tensor<8xf32>
    %469 = tt.load %465, %467, %468 : tensor<8x!tt.ptr<f32>>
    %470 = tt.splat %298 : i32 -> tensor<8xi32>
    %471 = tt.addptr %401, %470 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %472 = tt.splat %213 : i1 -> tensor<8xi1>
    %473 = arith.andi %93, %472 : tensor<8xi1>
    %474 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %475 = tt.load %471, %473, %474 : tensor<8x!tt.ptr<bf16>>
    %476 = arith.extf %475 : tensor<8xbf16> to tensor<8xf32>
    %477 = tt.splat %298 : i32 -> tensor<8xi32>
    %478 = tt.addptr %404, %477 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %479 = tt.splat %213 : i1 -> tensor<8xi1>
    %480 = arith.andi %93, %479 : tensor<8xi1>
    %481 = tt.splat %64 : f32 -> tensor<8xf32>
    %482 = tt.load %478, %480, %481 : tensor<8x!tt.ptr<f32>>
    %483 = tt.splat %312 : i32 -> tensor<8xi32>
    %484 = tt.addptr %401, %483 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %485 = tt.splat %216 : i1 -> tensor<8xi1>
    %486 = arith.andi %93, %485 : tensor<8xi1>
    %487 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %488 = tt.load %484, %486, %487 : tensor<8x!tt.ptr<bf16>>
    %489 = arith.extf %488 : tensor<8xbf16> to tensor<8xf32>
    %490 = tt.splat %312 : i32 -> tensor<8xi32>
    %491 = tt.addptr %404, %490 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %492 = tt.splat %216 : i1 -> tensor<8xi1>
    %493 = arith.andi %93, %492 : tensor<8xi1>
    %494 = tt.splat %64 : f32 -> tensor<8xf32>
    %495 = tt.load %491, %493, %494 : tensor<8x!tt.ptr<f32>>
    %496 = tt.splat %326 : i32 -> tensor<8xi32>
    %497 = tt.addptr %401, %496 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %498 = tt.splat %219 : i1 -> tensor<8xi1>
    %499 = arith.andi %93, %498 : tensor<8xi1>
    %500 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %501 = tt.load %497, %499, %500 : tensor<8x!tt.ptr<bf16>>
    %502 = arith.extf %501 : tensor<8xbf16> to tensor<8xf32>
    %503 = tt.splat %326 : i32 -> tensor<8xi32>
    %504 = tt.addptr %404, %503 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %505 = tt.splat %219 : i1 -> tensor<8xi1>
    %506 = arith.andi %93, %505 : tensor<8xi1>
    %507 = tt.splat %64 : f32 -> tensor<8xf32>
    %508 = tt.load %504, %506, %507 : tensor<8x!tt.ptr<f32>>
    %509 = tt.splat %16 : i32 -> tensor<8xi32>
    %510 = tt.addptr %398, %509 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %511 = tt.splat %200 : i1 -> tensor<8xi1>
    %512 = arith.andi %93, %511 : tensor<8xi1>
    %513 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %514 = tt.load %510, %512, %513 : tensor<8x!tt.ptr<bf16>>
    %515 = arith.extf %514 : tensor<8xbf16> to tensor<8xf32>
    %516 = tt.splat %31 : i32 -> tensor<8xi32>
    %517 = tt.addptr %398, %516 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %518 = tt.splat %202 : i1 -> tensor<8xi1>
    %519 = arith.andi %93, %518 : tensor<8xi1>
    %520 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %521 = tt.load %517, %519, %520 : tensor<8x!tt.ptr<bf16>>
    %522 = arith.extf %521 : tensor<8xbf16> to tensor<8xf32>
    %523 = tt.splat %256 : i32 -> tensor<8xi32>
    %524 = tt.addptr %398, %523 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %525 = tt.splat %205 : i1 -> tensor<8xi1>
    %526 = arith.andi %93, %525 : tensor<8xi1>
    %527 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %528 = tt.load %524, %526, %527 : tensor<8x!tt.ptr<bf16>>
    %529 = arith.extf %528 : tensor<8xbf16> to tensor<8xf32>
    %530 = tt.splat %270 : i32 -> tensor<8xi32>
    %531 = tt.addptr %398, %530 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %532 = tt.splat %207 : i1 -> tensor<8xi1>
    %533 = arith.andi %93, %532 : tensor<8xi1>
    %534 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %535 = tt.load %531, %533, %534 : tensor<8x!tt.ptr<bf16>>
    %536 = arith.extf %535 : tensor<8xbf16> to tensor<8xf32>
    %537 = tt.splat %284 : i32 -> tensor<8xi32>
    %538 = tt.addptr %398, %537 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %539 = tt.splat %210 : i1 -> tensor<8xi1>
    %540 = arith.andi %93, %539 : tensor<8xi1>
    %541 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %542 = tt.load %538, %540, %541 : tensor<8x!tt.ptr<bf16>>
    %543 = arith.extf %542 : tensor<8xbf16> to tensor<8xf32>
    %544 = tt.splat %298 : i32 -> tensor<8xi32>
    %545 = tt.addptr %398, %544 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %546 = tt.splat %213 : i1 -> tensor<8xi1>
    %547 = arith.andi %93, %546 : tensor<8xi1>
    %548 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %549 = tt.load %545, %547, %548 : tensor<8x!tt.ptr<bf16>>
    %550 = arith.extf %549 : tensor<8xbf16> to tensor<8xf32>
    %551 = tt.splat %312 : i32 -> tensor<8xi32>
    %552 = tt.addptr %398, %551 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %553 = tt.splat %216 : i1 -> tensor<8xi1>
    %554 = arith.andi %93, %553 : tensor<8xi1>
    %555 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %556 = tt.load %552, %554, %555 : tensor<8x!tt.ptr<bf16>>
    %557 = arith.extf %556 : tensor<8xbf16> to tensor<8xf32>
    %558 = tt.splat %326 : i32 -> tensor<8xi32>
    %559 = tt.addptr %398, %558 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %560 = tt.splat %219 : i1 -> tensor<8xi1>
    %561 = arith.andi %93, %560 : tensor<8xi1>
    %562 = tt.splat %233 : bf16 -> tensor<8xbf16>
    %563 = tt.load %559, %561, %562 : tensor<8x!tt.ptr<bf16>>
    %564 = arith.extf %563 : tensor<8xbf16> to tensor<8xf32>
    %565 = arith.muli %11, %195 : i32
    %566 = arith.subi %203, %565 : i32
    %567 = arith.minsi %566, %195 : i32
    %1603:54 = scf.for %568 = %16 to %567 step %23 iter_args(%569 = %169, %570 = %170, %571 = %171, %572 = %194, %573 = %170, %574 = %171, %575 = %236, %576 = %242, %577 = %346, %578 = %249, %579 = %255, %580 = %353, %581 = %263, %582 = %269, %583 = %360, %584 = %277, %585 = %283, %586 = %367, %587 = %291, %588 = %297, %589 = %374, %590 = %305, %591 = %311, %592 = %381, %593 = %319, %594 = %325, %595 = %388, %596 = %333, %597 = %339, %598 = %395, %599 = %411, %600 = %417, %601 = %515, %602 = %424, %603 = %430, %604 = %522, %605 = %437, %606 = %443, %607 = %529, %608 = %450, %609 = %456, %610 = %536, %611 = %463, %612 = %469, %613 = %543, %614 = %476, %615 = %482, %616 = %550, %617 = %489, %618 = %495, %619 = %557, %620 = %502, %621 = %508, %622 = %564) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) : i32 {
      %623 = arith.muli %11, %195 : i32
      %624 = arith.addi %623, %568 : i32
      %625 = arith.muli %624, %78 : i32
      %626 = arith.addi %625, %16 : i32
      %627 = arith.cmpi slt, %626, %199 : i32
      %628 = arith.addi %625, %23 : i32
      %629 = arith.cmpi slt, %628, %199 : i32
      %630 = arith.addi %625, %203 : i32
      %631 = arith.cmpi slt, %630, %199 : i32
      %632 = arith.addi %625, %34 : i32
      %633 = arith.cmpi slt, %632, %199 : i32
      %634 = arith.addi %625, %208 : i32
      %635 = arith.cmpi slt, %634, %199 : i32
      %636 = arith.addi %625, %211 : i32
      %637 = arith.cmpi slt, %636, %199 : i32
      %638 = arith.addi %625, %214 : i32
      %639 = arith.cmpi slt, %638, %199 : i32
      %640 = arith.addi %625, %217 : i32
      %641 = arith.cmpi slt, %640, %199 : i32
      %642 = arith.muli %625, %34 : i32
      %643 = tt.splat %642 : i32 -> tensor<1x4xi32>
      %644 = tt.addptr %136, %643 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %645 = arith.muli %625, %34 : i32
      %646 = tt.splat %645 : i32 -> tensor<1x4xi32>
      %647 = tt.addptr %141, %646 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %648 = tt.splat %16 : i32 -> tensor<1x4xi32>
      %649 = tt.addptr %644, %648 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %650 = tt.splat %627 : i1 -> tensor<1x4xi1>
      %651 = arith.andi %36, %650 : tensor<1x4xi1>
      %652 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %653 = tt.load %649, %651, %652 : tensor<1x4x!tt.ptr<f32>>
      %654 = tt.splat %16 : i32 -> tensor<1x4xi32>
      %655 = tt.addptr %647, %654 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %656 = tt.splat %627 : i1 -> tensor<1x4xi1>
      %657 = arith.andi %36, %656 : tensor<1x4xi1>
      %658 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %659 = tt.load %655, %657, %658 : tensor<1x4x!tt.ptr<f32>>
      %660 = arith.addi %625, %16 : i32
      %661 = tt.addptr %144, %660 : !tt.ptr<i32>, i32
      %662 = arith.cmpi sgt, %660, %16 : i32
      %663 = tt.load %661, %627, %16 : !tt.ptr<i32>
      %664 = arith.andi %662, %627 : i1
      %665 = arith.subi %660, %23 : i32
      %666 = tt.addptr %144, %665 : !tt.ptr<i32>, i32
      %667 = tt.load %666, %664, %16 : !tt.ptr<i32>
      %668 = arith.cmpi eq, %663, %667 : i32
      %670 = arith.select %668, %64, %669 : f32
      %671 = tt.splat %34 : i32 -> tensor<1x4xi32>
      %672 = tt.addptr %644, %671 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %673 = tt.splat %629 : i1 -> tensor<1x4xi1>
      %674 = arith.andi %36, %673 : tensor<1x4xi1>
      %675 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %676 = tt.load %672, %674, %675 : tensor<1x4x!tt.ptr<f32>>
      %677 = tt.splat %34 : i32 -> tensor<1x4xi32>
      %678 = tt.addptr %647, %677 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %679 = tt.splat %629 : i1 -> tensor<1x4xi1>
      %680 = arith.andi %36, %679 : tensor<1x4xi1>
      %681 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %682 = tt.load %678, %680, %681 : tensor<1x4x!tt.ptr<f32>>
      %683 = arith.addi %625, %23 : i32
      %684 = tt.addptr %144, %683 : !tt.ptr<i32>, i32
      %685 = arith.cmpi sgt, %683, %16 : i32
      %686 = tt.load %684, %629, %16 : !tt.ptr<i32>
      %687 = arith.andi %685, %629 : i1
      %688 = arith.subi %683, %23 : i32
      %689 = tt.addptr %144, %688 : !tt.ptr<i32>, i32
      %690 = tt.load %689, %687, %16 : !tt.ptr<i32>
      %691 = arith.cmpi eq, %686, %690 : i32
      %692 = arith.select %691, %64, %669 : f32
      %693 = tt.splat %214 : i32 -> tensor<1x4xi32>
      %694 = tt.addptr %644, %693 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %695 = tt.splat %631 : i1 -> tensor<1x4xi1>
      %696 = arith.andi %36, %695 : tensor<1x4xi1>
      %697 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %698 = tt.load %694, %696, %697 : tensor<1x4x!tt.ptr<f32>>
      %699 = tt.splat %214 : i32 -> tensor<1x4xi32>
      %700 = tt.addptr %647, %699 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %701 = tt.splat %631 : i1 -> tensor<1x4xi1>
      %702 = arith.andi %36, %701 : tensor<1x4xi1>
      %703 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %704 = tt.load %700, %702, %703 : tensor<1x4x!tt.ptr<f32>>
      %705 = arith.addi %625, %203 : i32
      %706 = tt.addptr %144, %705 : !tt.ptr<i32>, i32
      %707 = arith.cmpi sgt, %705, %16 : i32
      %708 = tt.load %706, %631, %16 : !tt.ptr<i32>
      %709 = arith.andi %707, %631 : i1
      %710 = arith.subi %705, %23 : i32
      %711 = tt.addptr %144, %710 : !tt.ptr<i32>, i32
      %712 = tt.load %711, %709, %16 : !tt.ptr<i32>
      %713 = arith.cmpi eq, %708, %712 : i32
      %714 = arith.select %713, %64, %669 : f32
      %715 = tt.splat %199 : i32 -> tensor<1x4xi32>
      %716 = tt.addptr %644, %715 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %717 = tt.splat %633 : i1 -> tensor<1x4xi1>
      %718 = arith.andi %36, %717 : tensor<1x4xi1>
      %719 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %720 = tt.load %716, %718, %719 : tensor<1x4x!tt.ptr<f32>>
      %721 = tt.splat %199 : i32 -> tensor<1x4xi32>
      %722 = tt.addptr %647, %721 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %723 = tt.splat %633 : i1 -> tensor<1x4xi1>
      %724 = arith.andi %36, %723 : tensor<1x4xi1>
      %725 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %726 = tt.load %722, %724, %725 : tensor<1x4x!tt.ptr<f32>>
      %727 = arith.addi %625, %34 : i32
      %728 = tt.addptr %144, %727 : !tt.ptr<i32>, i32
      %729 = arith.cmpi sgt, %727, %16 : i32
      %730 = tt.load %728, %633, %16 : !tt.ptr<i32>
      %731 = arith.andi %729, %633 : i1
      %732 = arith.subi %727, %23 : i32
      %733 = tt.addptr %144, %732 : !tt.ptr<i32>, i32
      %734 = tt.load %733, %731, %16 : !tt.ptr<i32>
      %735 = arith.cmpi eq, %730, %734 : i32
      %736 = arith.select %735, %64, %669 : f32
      %738 = tt.splat %737 : i32 -> tensor<1x4xi32>
      %739 = tt.addptr %644, %738 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %740 = tt.splat %635 : i1 -> tensor<1x4xi1>
      %741 = arith.andi %36, %740 : tensor<1x4xi1>
      %742 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %743 = tt.load %739, %741, %742 : tensor<1x4x!tt.ptr<f32>>
      %744 = tt.splat %737 : i32 -> tensor<1x4xi32>
      %745 = tt.addptr %647, %744 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %746 = tt.splat %635 : i1 -> tensor<1x4xi1>
      %747 = arith.andi %36, %746 : tensor<1x4xi1>
      %748 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %749 = tt.load %745, %747, %748 : tensor<1x4x!tt.ptr<f32>>
      %750 = arith.addi %625, %208 : i32
      %751 = tt.addptr %144, %750 : !tt.ptr<i32>, i32
      %752 = arith.cmpi sgt, %750, %16 : i32
      %753 = tt.load %751, %635, %16 : !tt.ptr<i32>
      %754 = arith.andi %752, %635 : i1
      %755 = arith.subi %750, %23 : i32
      %756 = tt.addptr %144, %755 : !tt.ptr<i32>, i32
      %757 = tt.load %756, %754, %16 : !tt.ptr<i32>
      %758 = arith.cmpi eq, %753, %757 : i32
      %759 = arith.select %758, %64, %669 : f32
      %761 = tt.splat %760 : i32 -> tensor<1x4xi32>
      %762 = tt.addptr %644, %761 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %763 = tt.splat %637 : i1 -> tensor<1x4xi1>
      %764 = arith.andi %36, %763 : tensor<1x4xi1>
      %765 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %766 = tt.load %762, %764, %765 : tensor<1x4x!tt.ptr<f32>>
      %767 = tt.splat %760 : i32 -> tensor<1x4xi32>
      %768 = tt.addptr %647, %767 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %769 = tt.splat %637 : i1 -> tensor<1x4xi1>
      %770 = arith.andi %36, %769 : tensor<1x4xi1>
      %771 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %772 = tt.load %768, %770, %771 : tensor<1x4x!tt.ptr<f32>>
      %773 = arith.addi %625, %211 : i32
      %774 = tt.addptr %144, %773 : !tt.ptr<i32>, i32
      %775 = arith.cmpi sgt, %773, %16 : i32
      %776 = tt.load %774, %637, %16 : !tt.ptr<i32>
      %777 = arith.andi %775, %637 : i1
      %778 = arith.subi %773, %23 : i32
      %779 = tt.addptr %144, %778 : !tt.ptr<i32>, i32
      %780 = tt.load %779, %777, %16 : !tt.ptr<i32>
      %781 = arith.cmpi eq, %776, %780 : i32
      %782 = arith.select %781, %64, %669 : f32
      %784 = tt.splat %783 : i32 -> tensor<1x4xi32>
      %785 = tt.addptr %644, %784 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %786 = tt.splat %639 : i1 -> tensor<1x4xi1>
      %787 = arith.andi %36, %786 : tensor<1x4xi1>
      %788 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %789 = tt.load %785, %787, %788 : tensor<1x4x!tt.ptr<f32>>
      %790 = tt.splat %783 : i32 -> tensor<1x4xi32>
      %791 = tt.addptr %647, %790 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %792 = tt.splat %639 : i1 -> tensor<1x4xi1>
      %793 = arith.andi %36, %792 : tensor<1x4xi1>
      %794 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %795 = tt.load %791, %793, %794 : tensor<1x4x!tt.ptr<f32>>
      %796 = arith.addi %625, %214 : i32
      %797 = tt.addptr %144, %796 : !tt.ptr<i32>, i32
      %798 = arith.cmpi sgt, %796, %16 : i32
      %799 = tt.load %797, %639, %16 : !tt.ptr<i32>
      %800 = arith.andi %798, %639 : i1
      %801 = arith.subi %796, %23 : i32
      %802 = tt.addptr %144, %801 : !tt.ptr<i32>, i32
      %803 = tt.load %802, %800, %16 : !tt.ptr<i32>
      %804 = arith.cmpi eq, %799, %803 : i32
      %805 = arith.select %804, %64, %669 : f32
      %807 = tt.splat %806 : i32 -> tensor<1x4xi32>
      %808 = tt.addptr %644, %807 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %809 = tt.splat %641 : i1 -> tensor<1x4xi1>
      %810 = arith.andi %36, %809 : tensor<1x4xi1>
      %811 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %812 = tt.load %808, %810, %811 : tensor<1x4x!tt.ptr<f32>>
      %813 = tt.splat %806 : i32 -> tensor<1x4xi32>
      %814 = tt.addptr %647, %813 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %815 = tt.splat %641 : i1 -> tensor<1x4xi1>
      %816 = arith.andi %36, %815 : tensor<1x4xi1>
      %817 = tt.splat %64 : f32 -> tensor<1x4xf32>
      %818 = tt.load %814, %816, %817 : tensor<1x4x!tt.ptr<f32>>
      %819 = arith.addi %625, %217 : i32
      %820 = tt.addptr %144, %819 : !tt.ptr<i32>, i32
      %821 = arith.cmpi sgt, %819, %16 : i32
      %822 = tt.load %820, %641, %16 : !tt.ptr<i32>
      %823 = arith.andi %821, %641 : i1
      %824 = arith.subi %819, %23 : i32
      %825 = tt.addptr %144, %824 : !tt.ptr<i32>, i32
      %826 = tt.load %825, %823, %16 : !tt.ptr<i32>
      %827 = arith.cmpi eq, %822, %826 : i32
      %828 = arith.select %827, %64, %669 : f32
      %829 = arith.muli %11, %195 : i32
      %830 = arith.addi %568, %23 : i32
      %831 = arith.muli %11, %195 : i32
      %832 = arith.subi %203, %831 : i32
      %833 = arith.minsi %832, %195 : i32
      %834 = arith.subi %833, %23 : i32
      %835 = arith.minsi %830, %834 : i32
      %836 = arith.addi %829, %835 : i32
      %837 = arith.muli %836, %78 : i32
      %838 = arith.addi %837, %16 : i32
      %839 = arith.cmpi slt, %838, %199 : i32
      %840 = arith.addi %837, %23 : i32
      %841 = arith.cmpi slt, %840, %199 : i32
      %842 = arith.addi %837, %203 : i32
      %843 = arith.cmpi slt, %842, %199 : i32
      %844 = arith.addi %837, %34 : i32
      %845 = arith.cmpi slt, %844, %199 : i32
      %846 = arith.addi %837, %208 : i32
      %847 = arith.cmpi slt, %846, %199 : i32
      %848 = arith.addi %837, %211 : i32
      %849 = arith.cmpi slt, %848, %199 : i32
      %850 = arith.addi %837, %214 : i32
      %851 = arith.cmpi slt, %850, %199 : i32
      %852 = arith.addi %837, %217 : i32
      %853 = arith.cmpi slt, %852, %199 : i32
      %854 = arith.muli %837, %31 : i32
      %855 = tt.splat %854 : i32 -> tensor<8xi32>
      %856 = tt.addptr %74, %855 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %857 = arith.muli %837, %31 : i32
      %858 = tt.splat %857 : i32 -> tensor<8xi32>
      %859 = tt.addptr %42, %858 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %860 = arith.muli %837, %31 : i32
      %861 = tt.splat %860 : i32 -> tensor<8xi32>
      %862 = tt.addptr %47, %861 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %863 = tt.splat %16 : i32 -> tensor<8xi32>
      %864 = tt.addptr %859, %863 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %865 = tt.splat %839 : i1 -> tensor<8xi1>
      %866 = arith.andi %33, %865 : tensor<8xi1>
      %867 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %868 = tt.load %864, %866, %867 : tensor<8x!tt.ptr<bf16>>
      %869 = arith.extf %868 : tensor<8xbf16> to tensor<8xf32>
      %870 = tt.splat %16 : i32 -> tensor<8xi32>
      %871 = tt.addptr %862, %870 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %872 = tt.splat %839 : i1 -> tensor<8xi1>
      %873 = arith.andi %33, %872 : tensor<8xi1>
      %874 = tt.splat %64 : f32 -> tensor<8xf32>
      %875 = tt.load %871, %873, %874 : tensor<8x!tt.ptr<f32>>
      %876 = tt.splat %31 : i32 -> tensor<8xi32>
      %877 = tt.addptr %859, %876 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %878 = tt.splat %841 : i1 -> tensor<8xi1>
      %879 = arith.andi %33, %878 : tensor<8xi1>
      %880 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %881 = tt.load %877, %879, %880 : tensor<8x!tt.ptr<bf16>>
      %882 = arith.extf %881 : tensor<8xbf16> to tensor<8xf32>
      %883 = tt.splat %31 : i32 -> tensor<8xi32>
      %884 = tt.addptr %862, %883 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %885 = tt.splat %841 : i1 -> tensor<8xi1>
      %886 = arith.andi %33, %885 : tensor<8xi1>
      %887 = tt.splat %64 : f32 -> tensor<8xf32>
      %888 = tt.load %884, %886, %887 : tensor<8x!tt.ptr<f32>>
      %889 = tt.splat %256 : i32 -> tensor<8xi32>
      %890 = tt.addptr %859, %889 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %891 = tt.splat %843 : i1 -> tensor<8xi1>
      %892 = arith.andi %33, %891 : tensor<8xi1>
      %893 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %894 = tt.load %890, %892, %893 : tensor<8x!tt.ptr<bf16>>
      %895 = arith.extf %894 : tensor<8xbf16> to tensor<8xf32>
      %896 = tt.splat %256 : i32 -> tensor<8xi32>
      %897 = tt.addptr %862, %896 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %898 = tt.splat %843 : i1 -> tensor<8xi1>
      %899 = arith.andi %33, %898 : tensor<8xi1>
      %900 = tt.splat %64 : f32 -> tensor<8xf32>
      %901 = tt.load %897, %899, %900 : tensor<8x!tt.ptr<f32>>
      %902 = tt.splat %270 : i32 -> tensor<8xi32>
      %903 = tt.addptr %859, %902 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %904 = tt.splat %845 : i1 -> tensor<8xi1>
      %905 = arith.andi %33, %904 : tensor<8xi1>
      %906 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %907 = tt.load %903, %905, %906 : tensor<8x!tt.ptr<bf16>>
      %908 = arith.extf %907 : tensor<8xbf16> to tensor<8xf32>
      %909 = tt.splat %270 : i32 -> tensor<8xi32>
      %910 = tt.addptr %862, %909 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %911 = tt.splat %845 : i1 -> tensor<8xi1>
      %912 = arith.andi %33, %911 : tensor<8xi1>
      %913 = tt.splat %64 : f32 -> tensor<8xf32>
      %914 = tt.load %910, %912, %913 : tensor<8x!tt.ptr<f32>>
      %915 = tt.splat %284 : i32 -> tensor<8xi32>
      %916 = tt.addptr %859, %915 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %917 = tt.splat %847 : i1 -> tensor<8xi1>
      %918 = arith.andi %33, %917 : tensor<8xi1>
      %919 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %920 = tt.load %916, %918, %919 : tensor<8x!tt.ptr<bf16>>
      %921 = arith.extf %920 : tensor<8xbf16> to tensor<8xf32>
      %922 = tt.splat %284 : i32 -> tensor<8xi32>
      %923 = tt.addptr %862, %922 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %924 = tt.splat %847 : i1 -> tensor<8xi1>
      %925 = arith.andi %33, %924 : tensor<8xi1>
      %926 = tt.splat %64 : f32 -> tensor<8xf32>
      %927 = tt.load %923, %925, %926 : tensor<8x!tt.ptr<f32>>
      %928 = tt.splat %298 : i32 -> tensor<8xi32>
      %929 = tt.addptr %859, %928 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %930 = tt.splat %849 : i1 -> tensor<8xi1>
      %931 = arith.andi %33, %930 : tensor<8xi1>
      %932 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %933 = tt.load %929, %931, %932 : tensor<8x!tt.ptr<bf16>>
      %934 = arith.extf %933 : tensor<8xbf16> to tensor<8xf32>
      %935 = tt.splat %298 : i32 -> tensor<8xi32>
      %936 = tt.addptr %862, %935 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %937 = tt.splat %849 : i1 -> tensor<8xi1>
      %938 = arith.andi %33, %937 : tensor<8xi1>
      %939 = tt.splat %64 : f32 -> tensor<8xf32>
      %940 = tt.load %936, %938, %939 : tensor<8x!tt.ptr<f32>>
      %941 = tt.splat %312 : i32 -> tensor<8xi32>
      %942 = tt.addptr %859, %941 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %943 = tt.splat %851 : i1 -> tensor<8xi1>
      %944 = arith.andi %33, %943 : tensor<8xi1>
      %945 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %946 = tt.load %942, %944, %945 : tensor<8x!tt.ptr<bf16>>
      %947 = arith.extf %946 : tensor<8xbf16> to tensor<8xf32>
      %948 = tt.splat %312 : i32 -> tensor<8xi32>
      %949 = tt.addptr %862, %948 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %950 = tt.splat %851 : i1 -> tensor<8xi1>
      %951 = arith.andi %33, %950 : tensor<8xi1>
      %952 = tt.splat %64 : f32 -> tensor<8xf32>
      %953 = tt.load %949, %951, %952 : tensor<8x!tt.ptr<f32>>
      %954 = tt.splat %326 : i32 -> tensor<8xi32>
      %955 = tt.addptr %859, %954 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %956 = tt.splat %853 : i1 -> tensor<8xi1>
      %957 = arith.andi %33, %956 : tensor<8xi1>
      %958 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %959 = tt.load %955, %957, %958 : tensor<8x!tt.ptr<bf16>>
      %960 = arith.extf %959 : tensor<8xbf16> to tensor<8xf32>
      %961 = tt.splat %326 : i32 -> tensor<8xi32>
      %962 = tt.addptr %862, %961 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %963 = tt.splat %853 : i1 -> tensor<8xi1>
      %964 = arith.andi %33, %963 : tensor<8xi1>
      %965 = tt.splat %64 : f32 -> tensor<8xf32>
      %966 = tt.load %962, %964, %965 : tensor<8x!tt.ptr<f32>>
      %967 = tt.splat %16 : i32 -> tensor<8xi32>
      %968 = tt.addptr %856, %967 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %969 = tt.splat %839 : i1 -> tensor<8xi1>
      %970 = arith.andi %33, %969 : tensor<8xi1>
      %971 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %972 = tt.load %968, %970, %971 : tensor<8x!tt.ptr<bf16>>
      %973 = arith.extf %972 : tensor<8xbf16> to tensor<8xf32>
      %974 = tt.splat %31 : i32 -> tensor<8xi32>
      %975 = tt.addptr %856, %974 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %976 = tt.splat %841 : i1 -> tensor<8xi1>
      %977 = arith.andi %33, %976 : tensor<8xi1>
      %978 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %979 = tt.load %975, %977, %978 : tensor<8x!tt.ptr<bf16>>
      %980 = arith.extf %979 : tensor<8xbf16> to tensor<8xf32>
      %981 = tt.splat %256 : i32 -> tensor<8xi32>
      %982 = tt.addptr %856, %981 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %983 = tt.splat %843 : i1 -> tensor<8xi1>
      %984 = arith.andi %33, %983 : tensor<8xi1>
      %985 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %986 = tt.load %982, %984, %985 : tensor<8x!tt.ptr<bf16>>
      %987 = arith.extf %986 : tensor<8xbf16> to tensor<8xf32>
      %988 = tt.splat %270 : i32 -> tensor<8xi32>
      %989 = tt.addptr %856, %988 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %990 = tt.splat %845 : i1 -> tensor<8xi1>
      %991 = arith.andi %33, %990 : tensor<8xi1>
      %992 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %993 = tt.load %989, %991, %992 : tensor<8x!tt.ptr<bf16>>
      %994 = arith.extf %993 : tensor<8xbf16> to tensor<8xf32>
      %995 = tt.splat %284 : i32 -> tensor<8xi32>
      %996 = tt.addptr %856, %995 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %997 = tt.splat %847 : i1 -> tensor<8xi1>
      %998 = arith.andi %33, %997 : tensor<8xi1>
      %999 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1000 = tt.load %996, %998, %999 : tensor<8x!tt.ptr<bf16>>
      %1001 = arith.extf %1000 : tensor<8xbf16> to tensor<8xf32>
      %1002 = tt.splat %298 : i32 -> tensor<8xi32>
      %1003 = tt.addptr %856, %1002 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1004 = tt.splat %849 : i1 -> tensor<8xi1>
      %1005 = arith.andi %33, %1004 : tensor<8xi1>
      %1006 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1007 = tt.load %1003, %1005, %1006 : tensor<8x!tt.ptr<bf16>>
      %1008 = arith.extf %1007 : tensor<8xbf16> to tensor<8xf32>
      %1009 = tt.splat %312 : i32 -> tensor<8xi32>
      %1010 = tt.addptr %856, %1009 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1011 = tt.splat %851 : i1 -> tensor<8xi1>
      %1012 = arith.andi %33, %1011 : tensor<8xi1>
      %1013 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1014 = tt.load %1010, %1012, %1013 : tensor<8x!tt.ptr<bf16>>
      %1015 = arith.extf %1014 : tensor<8xbf16> to tensor<8xf32>
      %1016 = tt.splat %326 : i32 -> tensor<8xi32>
      %1017 = tt.addptr %856, %1016 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1018 = tt.splat %853 : i1 -> tensor<8xi1>
      %1019 = arith.andi %33, %1018 : tensor<8xi1>
      %1020 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1021 = tt.load %1017, %1019, %1020 : tensor<8x!tt.ptr<bf16>>
      %1022 = arith.extf %1021 : tensor<8xbf16> to tensor<8xf32>
      %1023 = arith.muli %837, %31 : i32
      %1024 = tt.splat %1023 : i32 -> tensor<8xi32>
      %1025 = tt.addptr %130, %1024 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1026 = arith.muli %837, %31 : i32
      %1027 = tt.splat %1026 : i32 -> tensor<8xi32>
      %1028 = tt.addptr %100, %1027 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1029 = arith.muli %837, %31 : i32
      %1030 = tt.splat %1029 : i32 -> tensor<8xi32>
      %1031 = tt.addptr %105, %1030 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1032 = tt.splat %16 : i32 -> tensor<8xi32>
      %1033 = tt.addptr %1028, %1032 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1034 = tt.splat %839 : i1 -> tensor<8xi1>
      %1035 = arith.andi %93, %1034 : tensor<8xi1>
      %1036 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1037 = tt.load %1033, %1035, %1036 : tensor<8x!tt.ptr<bf16>>
      %1038 = arith.extf %1037 : tensor<8xbf16> to tensor<8xf32>
      %1039 = tt.splat %16 : i32 -> tensor<8xi32>
      %1040 = tt.addptr %1031, %1039 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1041 = tt.splat %839 : i1 -> tensor<8xi1>
      %1042 = arith.andi %93, %1041 : tensor<8xi1>
      %1043 = tt.splat %64 : f32 -> tensor<8xf32>
      %1044 = tt.load %1040, %1042, %1043 : tensor<8x!tt.ptr<f32>>
      %1045 = tt.splat %31 : i32 -> tensor<8xi32>
      %1046 = tt.addptr %1028, %1045 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1047 = tt.splat %841 : i1 -> tensor<8xi1>
      %1048 = arith.andi %93, %1047 : tensor<8xi1>
      %1049 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1050 = tt.load %1046, %1048, %1049 : tensor<8x!tt.ptr<bf16>>
      %1051 = arith.extf %1050 : tensor<8xbf16> to tensor<8xf32>
      %1052 = tt.splat %31 : i32 -> tensor<8xi32>
      %1053 = tt.addptr %1031, %1052 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1054 = tt.splat %841 : i1 -> tensor<8xi1>
      %1055 = arith.andi %93, %1054 : tensor<8xi1>
      %1056 = tt.splat %64 : f32 -> tensor<8xf32>
      %1057 = tt.load %1053, %1055, %1056 : tensor<8x!tt.ptr<f32>>
      %1058 = tt.splat %256 : i32 -> tensor<8xi32>
      %1059 = tt.addptr %1028, %1058 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1060 = tt.splat %843 : i1 -> tensor<8xi1>
      %1061 = arith.andi %93, %1060 : tensor<8xi1>
      %1062 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1063 = tt.load %1059, %1061, %1062 : tensor<8x!tt.ptr<bf16>>
      %1064 = arith.extf %1063 : tensor<8xbf16> to tensor<8xf32>
      %1065 = tt.splat %256 : i32 -> tensor<8xi32>
      %1066 = tt.addptr %1031, %1065 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1067 = tt.splat %843 : i1 -> tensor<8xi1>
      %1068 = arith.andi %93, %1067 : tensor<8xi1>
      %1069 = tt.splat %64 : f32 -> tensor<8xf32>
      %1070 = tt.load %1066, %1068, %1069 : tensor<8x!tt.ptr<f32>>
      %1071 = tt.splat %270 : i32 -> tensor<8xi32>
      %1072 = tt.addptr %1028, %1071 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1073 = tt.splat %845 : i1 -> tensor<8xi1>
      %1074 = arith.andi %93, %1073 : tensor<8xi1>
      %1075 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1076 = tt.load %1072, %1074, %1075 : tensor<8x!tt.ptr<bf16>>
      %1077 = arith.extf %1076 : tensor<8xbf16> to tensor<8xf32>
      %1078 = tt.splat %270 : i32 -> tensor<8xi32>
      %1079 = tt.addptr %1031, %1078 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1080 = tt.splat %845 : i1 -> tensor<8xi1>
      %1081 = arith.andi %93, %1080 : tensor<8xi1>
      %1082 = tt.splat %64 : f32 -> tensor<8xf32>
      %1083 = tt.load %1079, %1081, %1082 : tensor<8x!tt.ptr<f32>>
      %1084 = tt.splat %284 : i32 -> tensor<8xi32>
      %1085 = tt.addptr %1028, %1084 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1086 = tt.splat %847 : i1 -> tensor<8xi1>
      %1087 = arith.andi %93, %1086 : tensor<8xi1>
      %1088 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1089 = tt.load %1085, %1087, %1088 : tensor<8x!tt.ptr<bf16>>
      %1090 = arith.extf %1089 : tensor<8xbf16> to tensor<8xf32>
      %1091 = tt.splat %284 : i32 -> tensor<8xi32>
      %1092 = tt.addptr %1031, %1091 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1093 = tt.splat %847 : i1 -> tensor<8xi1>
      %1094 = arith.andi %93, %1093 : tensor<8xi1>
      %1095 = tt.splat %64 : f32 -> tensor<8xf32>
      %1096 = tt.load %1092, %1094, %1095 : tensor<8x!tt.ptr<f32>>
      %1097 = tt.splat %298 : i32 -> tensor<8xi32>
      %1098 = tt.addptr %1028, %1097 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1099 = tt.splat %849 : i1 -> tensor<8xi1>
      %1100 = arith.andi %93, %1099 : tensor<8xi1>
      %1101 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1102 = tt.load %1098, %1100, %1101 : tensor<8x!tt.ptr<bf16>>
      %1103 = arith.extf %1102 : tensor<8xbf16> to tensor<8xf32>
      %1104 = tt.splat %298 : i32 -> tensor<8xi32>
      %1105 = tt.addptr %1031, %1104 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1106 = tt.splat %849 : i1 -> tensor<8xi1>
      %1107 = arith.andi %93, %1106 : tensor<8xi1>
      %1108 = tt.splat %64 : f32 -> tensor<8xf32>
      %1109 = tt.load %1105, %1107, %1108 : tensor<8x!tt.ptr<f32>>
      %1110 = tt.splat %312 : i32 -> tensor<8xi32>
      %1111 = tt.addptr %1028, %1110 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1112 = tt.splat %851 : i1 -> tensor<8xi1>
      %1113 = arith.andi %93, %1112 : tensor<8xi1>
      %1114 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1115 = tt.load %1111, %1113, %1114 : tensor<8x!tt.ptr<bf16>>
      %1116 = arith.extf %1115 : tensor<8xbf16> to tensor<8xf32>
      %1117 = tt.splat %312 : i32 -> tensor<8xi32>
      %1118 = tt.addptr %1031, %1117 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1119 = tt.splat %851 : i1 -> tensor<8xi1>
      %1120 = arith.andi %93, %1119 : tensor<8xi1>
      %1121 = tt.splat %64 : f32 -> tensor<8xf32>
      %1122 = tt.load %1118, %1120, %1121 : tensor<8x!tt.ptr<f32>>
      %1123 = tt.splat %326 : i32 -> tensor<8xi32>
      %1124 = tt.addptr %1028, %1123 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1125 = tt.splat %853 : i1 -> tensor<8xi1>
      %1126 = arith.andi %93, %1125 : tensor<8xi1>
      %1127 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1128 = tt.load %1124, %1126, %1127 : tensor<8x!tt.ptr<bf16>>
      %1129 = arith.extf %1128 : tensor<8xbf16> to tensor<8xf32>
      %1130 = tt.splat %326 : i32 -> tensor<8xi32>
      %1131 = tt.addptr %1031, %1130 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1132 = tt.splat %853 : i1 -> tensor<8xi1>
      %1133 = arith.andi %93, %1132 : tensor<8xi1>
      %1134 = tt.splat %64 : f32 -> tensor<8xf32>
      %1135 = tt.load %1131, %1133, %1134 : tensor<8x!tt.ptr<f32>>
      %1136 = tt.splat %16 : i32 -> tensor<8xi32>
      %1137 = tt.addptr %1025, %1136 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1138 = tt.splat %839 : i1 -> tensor<8xi1>
      %1139 = arith.andi %93, %1138 : tensor<8xi1>
      %1140 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1141 = tt.load %1137, %1139, %1140 : tensor<8x!tt.ptr<bf16>>
      %1142 = arith.extf %1141 : tensor<8xbf16> to tensor<8xf32>
      %1143 = tt.splat %31 : i32 -> tensor<8xi32>
      %1144 = tt.addptr %1025, %1143 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1145 = tt.splat %841 : i1 -> tensor<8xi1>
      %1146 = arith.andi %93, %1145 : tensor<8xi1>
      %1147 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1148 = tt.load %1144, %1146, %1147 : tensor<8x!tt.ptr<bf16>>
      %1149 = arith.extf %1148 : tensor<8xbf16> to tensor<8xf32>
      %1150 = tt.splat %256 : i32 -> tensor<8xi32>
      %1151 = tt.addptr %1025, %1150 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1152 = tt.splat %843 : i1 -> tensor<8xi1>
      %1153 = arith.andi %93, %1152 : tensor<8xi1>
      %1154 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1155 = tt.load %1151, %1153, %1154 : tensor<8x!tt.ptr<bf16>>
      %1156 = arith.extf %1155 : tensor<8xbf16> to tensor<8xf32>
      %1157 = tt.splat %270 : i32 -> tensor<8xi32>
      %1158 = tt.addptr %1025, %1157 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1159 = tt.splat %845 : i1 -> tensor<8xi1>
      %1160 = arith.andi %93, %1159 : tensor<8xi1>
      %1161 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1162 = tt.load %1158, %1160, %1161 : tensor<8x!tt.ptr<bf16>>
      %1163 = arith.extf %1162 : tensor<8xbf16> to tensor<8xf32>
      %1164 = tt.splat %284 : i32 -> tensor<8xi32>
      %1165 = tt.addptr %1025, %1164 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1166 = tt.splat %847 : i1 -> tensor<8xi1>
      %1167 = arith.andi %93, %1166 : tensor<8xi1>
      %1168 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1169 = tt.load %1165, %1167, %1168 : tensor<8x!tt.ptr<bf16>>
      %1170 = arith.extf %1169 : tensor<8xbf16> to tensor<8xf32>
      %1171 = tt.splat %298 : i32 -> tensor<8xi32>
      %1172 = tt.addptr %1025, %1171 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1173 = tt.splat %849 : i1 -> tensor<8xi1>
      %1174 = arith.andi %93, %1173 : tensor<8xi1>
      %1175 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1176 = tt.load %1172, %1174, %1175 : tensor<8x!tt.ptr<bf16>>
      %1177 = arith.extf %1176 : tensor<8xbf16> to tensor<8xf32>
      %1178 = tt.splat %312 : i32 -> tensor<8xi32>
      %1179 = tt.addptr %1025, %1178 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1180 = tt.splat %851 : i1 -> tensor<8xi1>
      %1181 = arith.andi %93, %1180 : tensor<8xi1>
      %1182 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1183 = tt.load %1179, %1181, %1182 : tensor<8x!tt.ptr<bf16>>
      %1184 = arith.extf %1183 : tensor<8xbf16> to tensor<8xf32>
      %1185 = tt.splat %326 : i32 -> tensor<8xi32>
      %1186 = tt.addptr %1025, %1185 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1187 = tt.splat %853 : i1 -> tensor<8xi1>
      %1188 = arith.andi %93, %1187 : tensor<8xi1>
      %1189 = tt.splat %233 : bf16 -> tensor<8xbf16>
      %1190 = tt.load %1186, %1188, %1189 : tensor<8x!tt.ptr<bf16>>
      %1191 = arith.extf %1190 : tensor<8xbf16> to tensor<8xf32>
      %1192 = arith.extsi %624 : i32 to i64
      %1194 = arith.muli %30, %1193 : i64
      %1195 = arith.addi %1194, %1192 : i64
      %1196 = arith.muli %1195, %149 : i64
      %1197 = tt.addptr %states, %1196 : !tt.ptr<f32>, i64
      %1198 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %1199 = tt.expand_dims %1198 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %1200 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %1201 = arith.muli %1199, %1200 : tensor<1x1x8xi32>
      %1202 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %1203 = tt.broadcast %1201 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %1204 = tt.broadcast %1202 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %1205 = arith.addi %1203, %1204 : tensor<1x4x8xi32>
      %1206 = tt.splat %1197 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %1207 = tt.addptr %1206, %1205 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %1208 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1209 = tt.expand_dims %1208 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %1210 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %1211 = tt.broadcast %1209 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %1212 = tt.broadcast %1210 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %1213 = arith.andi %1211, %1212 : tensor<1x4x8xi1>
      tt.store %1207, %569, %1213 : tensor<1x4x8x!tt.ptr<f32>>
      %1214 = tt.expand_dims %576 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1215 = tt.expand_dims %1214 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1216 = tt.broadcast %1215 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1217 = arith.mulf %1216, %69 : tensor<1x4x8xf32>
      %1218 = tt.splat %670 : f32 -> tensor<1x4x8xf32>
      %1219 = arith.addf %1217, %1218 : tensor<1x4x8xf32>
      %1220 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1219 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1221 = arith.mulf %570, %1220 : tensor<1x4x8xf32>
      %1222 = tt.expand_dims %577 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1223 = tt.expand_dims %1222 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1224 = tt.expand_dims %659 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1225 = tt.broadcast %1223 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1226 = tt.broadcast %1224 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1227 = arith.mulf %1225, %1226 : tensor<1x4x8xf32>
      %1228 = math.fma %1221, %1227, %571 : tensor<1x4x8xf32>
      %1229 = arith.mulf %575, %576 : tensor<8xf32>
      %1230 = tt.expand_dims %1229 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1231 = tt.expand_dims %1230 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1232 = tt.expand_dims %653 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1233 = tt.broadcast %1231 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1234 = tt.broadcast %1232 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1235 = arith.mulf %1233, %1234 : tensor<1x4x8xf32>
      %1236 = math.fma %1220, %569, %1235 : tensor<1x4x8xf32>
      %1237 = tt.expand_dims %579 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1238 = tt.expand_dims %1237 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1239 = tt.broadcast %1238 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1240 = arith.mulf %1239, %69 : tensor<1x4x8xf32>
      %1241 = tt.splat %692 : f32 -> tensor<1x4x8xf32>
      %1242 = arith.addf %1240, %1241 : tensor<1x4x8xf32>
      %1243 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1242 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1244 = arith.mulf %1221, %1243 : tensor<1x4x8xf32>
      %1245 = tt.expand_dims %580 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1246 = tt.expand_dims %1245 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1247 = tt.expand_dims %682 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1248 = tt.broadcast %1246 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1249 = tt.broadcast %1247 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1250 = arith.mulf %1248, %1249 : tensor<1x4x8xf32>
      %1251 = math.fma %1244, %1250, %1228 : tensor<1x4x8xf32>
      %1252 = arith.mulf %578, %579 : tensor<8xf32>
      %1253 = tt.expand_dims %1252 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1254 = tt.expand_dims %1253 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1255 = tt.expand_dims %676 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1256 = tt.broadcast %1254 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1257 = tt.broadcast %1255 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1258 = arith.mulf %1256, %1257 : tensor<1x4x8xf32>
      %1259 = math.fma %1243, %1236, %1258 : tensor<1x4x8xf32>
      %1260 = tt.expand_dims %582 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1261 = tt.expand_dims %1260 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1262 = tt.broadcast %1261 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1263 = arith.mulf %1262, %69 : tensor<1x4x8xf32>
      %1264 = tt.splat %714 : f32 -> tensor<1x4x8xf32>
      %1265 = arith.addf %1263, %1264 : tensor<1x4x8xf32>
      %1266 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1265 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1267 = arith.mulf %1244, %1266 : tensor<1x4x8xf32>
      %1268 = tt.expand_dims %583 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1269 = tt.expand_dims %1268 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1270 = tt.expand_dims %704 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1271 = tt.broadcast %1269 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1272 = tt.broadcast %1270 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1273 = arith.mulf %1271, %1272 : tensor<1x4x8xf32>
      %1274 = math.fma %1267, %1273, %1251 : tensor<1x4x8xf32>
      %1275 = arith.mulf %581, %582 : tensor<8xf32>
      %1276 = tt.expand_dims %1275 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1277 = tt.expand_dims %1276 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1278 = tt.expand_dims %698 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1279 = tt.broadcast %1277 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1280 = tt.broadcast %1278 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1281 = arith.mulf %1279, %1280 : tensor<1x4x8xf32>
      %1282 = math.fma %1266, %1259, %1281 : tensor<1x4x8xf32>
      %1283 = tt.expand_dims %585 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1284 = tt.expand_dims %1283 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1285 = tt.broadcast %1284 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1286 = arith.mulf %1285, %69 : tensor<1x4x8xf32>
      %1287 = tt.splat %736 : f32 -> tensor<1x4x8xf32>
      %1288 = arith.addf %1286, %1287 : tensor<1x4x8xf32>
      %1289 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1288 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1290 = arith.mulf %1267, %1289 : tensor<1x4x8xf32>
      %1291 = tt.expand_dims %586 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1292 = tt.expand_dims %1291 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1293 = tt.expand_dims %726 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1294 = tt.broadcast %1292 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1295 = tt.broadcast %1293 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1296 = arith.mulf %1294, %1295 : tensor<1x4x8xf32>
      %1297 = math.fma %1290, %1296, %1274 : tensor<1x4x8xf32>
      %1298 = arith.mulf %584, %585 : tensor<8xf32>
      %1299 = tt.expand_dims %1298 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1300 = tt.expand_dims %1299 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1301 = tt.expand_dims %720 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1302 = tt.broadcast %1300 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1303 = tt.broadcast %1301 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1304 = arith.mulf %1302, %1303 : tensor<1x4x8xf32>
      %1305 = math.fma %1289, %1282, %1304 : tensor<1x4x8xf32>
      %1306 = tt.expand_dims %588 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1307 = tt.expand_dims %1306 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1308 = tt.broadcast %1307 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1309 = arith.mulf %1308, %69 : tensor<1x4x8xf32>
      %1310 = tt.splat %759 : f32 -> tensor<1x4x8xf32>
      %1311 = arith.addf %1309, %1310 : tensor<1x4x8xf32>
      %1312 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1311 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1313 = arith.mulf %1290, %1312 : tensor<1x4x8xf32>
      %1314 = tt.expand_dims %589 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1315 = tt.expand_dims %1314 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1316 = tt.expand_dims %749 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1317 = tt.broadcast %1315 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1318 = tt.broadcast %1316 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1319 = arith.mulf %1317, %1318 : tensor<1x4x8xf32>
      %1320 = math.fma %1313, %1319, %1297 : tensor<1x4x8xf32>
      %1321 = arith.mulf %587, %588 : tensor<8xf32>
      %1322 = tt.expand_dims %1321 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1323 = tt.expand_dims %1322 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1324 = tt.expand_dims %743 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1325 = tt.broadcast %1323 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1326 = tt.broadcast %1324 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1327 = arith.mulf %1325, %1326 : tensor<1x4x8xf32>
      %1328 = math.fma %1312, %1305, %1327 : tensor<1x4x8xf32>
      %1329 = tt.expand_dims %591 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1330 = tt.expand_dims %1329 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1331 = tt.broadcast %1330 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1332 = arith.mulf %1331, %69 : tensor<1x4x8xf32>
      %1333 = tt.splat %782 : f32 -> tensor<1x4x8xf32>
      %1334 = arith.addf %1332, %1333 : tensor<1x4x8xf32>
      %1335 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1334 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1336 = arith.mulf %1313, %1335 : tensor<1x4x8xf32>
      %1337 = tt.expand_dims %592 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1338 = tt.expand_dims %1337 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1339 = tt.expand_dims %772 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1340 = tt.broadcast %1338 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1341 = tt.broadcast %1339 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1342 = arith.mulf %1340, %1341 : tensor<1x4x8xf32>
      %1343 = math.fma %1336, %1342, %1320 : tensor<1x4x8xf32>
      %1344 = arith.mulf %590, %591 : tensor<8xf32>
      %1345 = tt.expand_dims %1344 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1346 = tt.expand_dims %1345 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1347 = tt.expand_dims %766 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1348 = tt.broadcast %1346 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1349 = tt.broadcast %1347 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1350 = arith.mulf %1348, %1349 : tensor<1x4x8xf32>
      %1351 = math.fma %1335, %1328, %1350 : tensor<1x4x8xf32>
      %1352 = tt.expand_dims %594 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1353 = tt.expand_dims %1352 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1354 = tt.broadcast %1353 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1355 = arith.mulf %1354, %69 : tensor<1x4x8xf32>
      %1356 = tt.splat %805 : f32 -> tensor<1x4x8xf32>
      %1357 = arith.addf %1355, %1356 : tensor<1x4x8xf32>
      %1358 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1357 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1359 = arith.mulf %1336, %1358 : tensor<1x4x8xf32>
      %1360 = tt.expand_dims %595 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1361 = tt.expand_dims %1360 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1362 = tt.expand_dims %795 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1363 = tt.broadcast %1361 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1364 = tt.broadcast %1362 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1365 = arith.mulf %1363, %1364 : tensor<1x4x8xf32>
      %1366 = math.fma %1359, %1365, %1343 : tensor<1x4x8xf32>
      %1367 = arith.mulf %593, %594 : tensor<8xf32>
      %1368 = tt.expand_dims %1367 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1369 = tt.expand_dims %1368 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1370 = tt.expand_dims %789 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1371 = tt.broadcast %1369 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1372 = tt.broadcast %1370 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1373 = arith.mulf %1371, %1372 : tensor<1x4x8xf32>
      %1374 = math.fma %1358, %1351, %1373 : tensor<1x4x8xf32>
      %1375 = tt.expand_dims %597 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1376 = tt.expand_dims %1375 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1377 = tt.broadcast %1376 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1378 = arith.mulf %1377, %69 : tensor<1x4x8xf32>
      %1379 = tt.splat %828 : f32 -> tensor<1x4x8xf32>
      %1380 = arith.addf %1378, %1379 : tensor<1x4x8xf32>
      %1381 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1380 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1382 = arith.mulf %1359, %1381 : tensor<1x4x8xf32>
      %1383 = tt.expand_dims %598 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1384 = tt.expand_dims %1383 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1385 = tt.expand_dims %818 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1386 = tt.broadcast %1384 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1387 = tt.broadcast %1385 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1388 = arith.mulf %1386, %1387 : tensor<1x4x8xf32>
      %1389 = math.fma %1382, %1388, %1366 : tensor<1x4x8xf32>
      %1390 = arith.mulf %596, %597 : tensor<8xf32>
      %1391 = tt.expand_dims %1390 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1392 = tt.expand_dims %1391 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1393 = tt.expand_dims %812 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1394 = tt.broadcast %1392 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1395 = tt.broadcast %1393 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1396 = arith.mulf %1394, %1395 : tensor<1x4x8xf32>
      %1397 = math.fma %1381, %1374, %1396 : tensor<1x4x8xf32>
      %1398 = arith.extsi %624 : i32 to i64
      %1399 = arith.muli %91, %1193 : i64
      %1400 = arith.addi %1399, %1398 : i64
      %1401 = arith.muli %1400, %149 : i64
      %1402 = tt.addptr %states, %1401 : !tt.ptr<f32>, i64
      %1403 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %1404 = tt.expand_dims %1403 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %1405 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %1406 = arith.muli %1404, %1405 : tensor<1x1x8xi32>
      %1407 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %1408 = tt.broadcast %1406 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %1409 = tt.broadcast %1407 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %1410 = arith.addi %1408, %1409 : tensor<1x4x8xi32>
      %1411 = tt.splat %1402 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %1412 = tt.addptr %1411, %1410 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %1413 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1414 = tt.expand_dims %1413 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %1415 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %1416 = tt.broadcast %1414 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %1417 = tt.broadcast %1415 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %1418 = arith.andi %1416, %1417 : tensor<1x4x8xi1>
      tt.store %1412, %572, %1418 : tensor<1x4x8x!tt.ptr<f32>>
      %1419 = tt.expand_dims %600 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1420 = tt.expand_dims %1419 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1421 = tt.broadcast %1420 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1422 = arith.mulf %1421, %125 : tensor<1x4x8xf32>
      %1423 = tt.splat %670 : f32 -> tensor<1x4x8xf32>
      %1424 = arith.addf %1422, %1423 : tensor<1x4x8xf32>
      %1425 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1424 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1426 = arith.mulf %573, %1425 : tensor<1x4x8xf32>
      %1427 = tt.expand_dims %601 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1428 = tt.expand_dims %1427 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1429 = tt.expand_dims %659 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1430 = tt.broadcast %1428 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1431 = tt.broadcast %1429 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1432 = arith.mulf %1430, %1431 : tensor<1x4x8xf32>
      %1433 = math.fma %1426, %1432, %574 : tensor<1x4x8xf32>
      %1434 = arith.mulf %599, %600 : tensor<8xf32>
      %1435 = tt.expand_dims %1434 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1436 = tt.expand_dims %1435 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1437 = tt.expand_dims %653 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1438 = tt.broadcast %1436 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1439 = tt.broadcast %1437 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1440 = arith.mulf %1438, %1439 : tensor<1x4x8xf32>
      %1441 = math.fma %1425, %572, %1440 : tensor<1x4x8xf32>
      %1442 = tt.expand_dims %603 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1443 = tt.expand_dims %1442 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1444 = tt.broadcast %1443 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1445 = arith.mulf %1444, %125 : tensor<1x4x8xf32>
      %1446 = tt.splat %692 : f32 -> tensor<1x4x8xf32>
      %1447 = arith.addf %1445, %1446 : tensor<1x4x8xf32>
      %1448 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1447 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1449 = arith.mulf %1426, %1448 : tensor<1x4x8xf32>
      %1450 = tt.expand_dims %604 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1451 = tt.expand_dims %1450 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1452 = tt.expand_dims %682 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1453 = tt.broadcast %1451 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1454 = tt.broadcast %1452 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1455 = arith.mulf %1453, %1454 : tensor<1x4x8xf32>
      %1456 = math.fma %1449, %1455, %1433 : tensor<1x4x8xf32>
      %1457 = arith.mulf %602, %603 : tensor<8xf32>
      %1458 = tt.expand_dims %1457 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1459 = tt.expand_dims %1458 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1460 = tt.expand_dims %676 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1461 = tt.broadcast %1459 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1462 = tt.broadcast %1460 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1463 = arith.mulf %1461, %1462 : tensor<1x4x8xf32>
      %1464 = math.fma %1448, %1441, %1463 : tensor<1x4x8xf32>
      %1465 = tt.expand_dims %606 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1466 = tt.expand_dims %1465 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1467 = tt.broadcast %1466 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1468 = arith.mulf %1467, %125 : tensor<1x4x8xf32>
      %1469 = tt.splat %714 : f32 -> tensor<1x4x8xf32>
      %1470 = arith.addf %1468, %1469 : tensor<1x4x8xf32>
      %1471 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1470 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1472 = arith.mulf %1449, %1471 : tensor<1x4x8xf32>
      %1473 = tt.expand_dims %607 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1474 = tt.expand_dims %1473 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1475 = tt.expand_dims %704 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1476 = tt.broadcast %1474 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1477 = tt.broadcast %1475 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1478 = arith.mulf %1476, %1477 : tensor<1x4x8xf32>
      %1479 = math.fma %1472, %1478, %1456 : tensor<1x4x8xf32>
      %1480 = arith.mulf %605, %606 : tensor<8xf32>
      %1481 = tt.expand_dims %1480 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1482 = tt.expand_dims %1481 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1483 = tt.expand_dims %698 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1484 = tt.broadcast %1482 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1485 = tt.broadcast %1483 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1486 = arith.mulf %1484, %1485 : tensor<1x4x8xf32>
      %1487 = math.fma %1471, %1464, %1486 : tensor<1x4x8xf32>
      %1488 = tt.expand_dims %609 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1489 = tt.expand_dims %1488 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1490 = tt.broadcast %1489 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1491 = arith.mulf %1490, %125 : tensor<1x4x8xf32>
      %1492 = tt.splat %736 : f32 -> tensor<1x4x8xf32>
      %1493 = arith.addf %1491, %1492 : tensor<1x4x8xf32>
      %1494 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1493 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1495 = arith.mulf %1472, %1494 : tensor<1x4x8xf32>
      %1496 = tt.expand_dims %610 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1497 = tt.expand_dims %1496 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1498 = tt.expand_dims %726 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1499 = tt.broadcast %1497 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1500 = tt.broadcast %1498 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1501 = arith.mulf %1499, %1500 : tensor<1x4x8xf32>
      %1502 = math.fma %1495, %1501, %1479 : tensor<1x4x8xf32>
      %1503 = arith.mulf %608, %609 : tensor<8xf32>
      %1504 = tt.expand_dims %1503 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1505 = tt.expand_dims %1504 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1506 = tt.expand_dims %720 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1507 = tt.broadcast %1505 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1508 = tt.broadcast %1506 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1509 = arith.mulf %1507, %1508 : tensor<1x4x8xf32>
      %1510 = math.fma %1494, %1487, %1509 : tensor<1x4x8xf32>
      %1511 = tt.expand_dims %612 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1512 = tt.expand_dims %1511 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1513 = tt.broadcast %1512 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1514 = arith.mulf %1513, %125 : tensor<1x4x8xf32>
      %1515 = tt.splat %759 : f32 -> tensor<1x4x8xf32>
      %1516 = arith.addf %1514, %1515 : tensor<1x4x8xf32>
      %1517 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1516 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1518 = arith.mulf %1495, %1517 : tensor<1x4x8xf32>
      %1519 = tt.expand_dims %613 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1520 = tt.expand_dims %1519 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1521 = tt.expand_dims %749 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1522 = tt.broadcast %1520 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1523 = tt.broadcast %1521 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1524 = arith.mulf %1522, %1523 : tensor<1x4x8xf32>
      %1525 = math.fma %1518, %1524, %1502 : tensor<1x4x8xf32>
      %1526 = arith.mulf %611, %612 : tensor<8xf32>
      %1527 = tt.expand_dims %1526 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1528 = tt.expand_dims %1527 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1529 = tt.expand_dims %743 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1530 = tt.broadcast %1528 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1531 = tt.broadcast %1529 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1532 = arith.mulf %1530, %1531 : tensor<1x4x8xf32>
      %1533 = math.fma %1517, %1510, %1532 : tensor<1x4x8xf32>
      %1534 = tt.expand_dims %615 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1535 = tt.expand_dims %1534 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1536 = tt.broadcast %1535 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1537 = arith.mulf %1536, %125 : tensor<1x4x8xf32>
      %1538 = tt.splat %782 : f32 -> tensor<1x4x8xf32>
      %1539 = arith.addf %1537, %1538 : tensor<1x4x8xf32>
      %1540 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1539 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1541 = arith.mulf %1518, %1540 : tensor<1x4x8xf32>
      %1542 = tt.expand_dims %616 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1543 = tt.expand_dims %1542 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1544 = tt.expand_dims %772 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1545 = tt.broadcast %1543 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1546 = tt.broadcast %1544 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1547 = arith.mulf %1545, %1546 : tensor<1x4x8xf32>
      %1548 = math.fma %1541, %1547, %1525 : tensor<1x4x8xf32>
      %1549 = arith.mulf %614, %615 : tensor<8xf32>
      %1550 = tt.expand_dims %1549 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1551 = tt.expand_dims %1550 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1552 = tt.expand_dims %766 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1553 = tt.broadcast %1551 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1554 = tt.broadcast %1552 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1555 = arith.mulf %1553, %1554 : tensor<1x4x8xf32>
      %1556 = math.fma %1540, %1533, %1555 : tensor<1x4x8xf32>
      %1557 = tt.expand_dims %618 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1558 = tt.expand_dims %1557 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1559 = tt.broadcast %1558 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1560 = arith.mulf %1559, %125 : tensor<1x4x8xf32>
      %1561 = tt.splat %805 : f32 -> tensor<1x4x8xf32>
      %1562 = arith.addf %1560, %1561 : tensor<1x4x8xf32>
      %1563 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1562 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1564 = arith.mulf %1541, %1563 : tensor<1x4x8xf32>
      %1565 = tt.expand_dims %619 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1566 = tt.expand_dims %1565 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1567 = tt.expand_dims %795 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1568 = tt.broadcast %1566 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1569 = tt.broadcast %1567 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1570 = arith.mulf %1568, %1569 : tensor<1x4x8xf32>
      %1571 = math.fma %1564, %1570, %1548 : tensor<1x4x8xf32>
      %1572 = arith.mulf %617, %618 : tensor<8xf32>
      %1573 = tt.expand_dims %1572 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1574 = tt.expand_dims %1573 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1575 = tt.expand_dims %789 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1576 = tt.broadcast %1574 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1577 = tt.broadcast %1575 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1578 = arith.mulf %1576, %1577 : tensor<1x4x8xf32>
      %1579 = math.fma %1563, %1556, %1578 : tensor<1x4x8xf32>
      %1580 = tt.expand_dims %621 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1581 = tt.expand_dims %1580 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1582 = tt.broadcast %1581 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1583 = arith.mulf %1582, %125 : tensor<1x4x8xf32>
      %1584 = tt.splat %828 : f32 -> tensor<1x4x8xf32>
      %1585 = arith.addf %1583, %1584 : tensor<1x4x8xf32>
      %1586 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1585 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1587 = arith.mulf %1564, %1586 : tensor<1x4x8xf32>
      %1588 = tt.expand_dims %622 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1589 = tt.expand_dims %1588 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1590 = tt.expand_dims %818 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1591 = tt.broadcast %1589 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1592 = tt.broadcast %1590 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1593 = arith.mulf %1591, %1592 : tensor<1x4x8xf32>
      %1594 = math.fma %1587, %1593, %1571 : tensor<1x4x8xf32>
      %1595 = arith.mulf %620, %621 : tensor<8xf32>
      %1596 = tt.expand_dims %1595 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1597 = tt.expand_dims %1596 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1598 = tt.expand_dims %812 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1599 = tt.broadcast %1597 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1600 = tt.broadcast %1598 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1601 = arith.mulf %1599, %1600 : tensor<1x4x8xf32>
      %1602 = math.fma %1586, %1579, %1601 : tensor<1x4x8xf32>
      scf.yield %1397, %1382, %1389, %1602, %1587, %1594, %869, %875, %973, %882, %888, %980, %895, %901, %987, %908, %914, %994, %921, %927, %1001, %934, %940, %1008, %947, %953, %1015, %960, %966, %1022, %1038, %1044, %1142, %1051, %1057, %1149, %1064, %1070, %1156, %1077, %1083, %1163, %1090, %1096, %1170, %1103, %1109, %1177, %1116, %1122, %1184, %1129, %1135, %1191 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %1657 = arith.extsi %11 : i32 to i64
    %1658 = arith.muli %30, %146 : i64
    %1659 = arith.addi %1658, %1657 : i64
    %1660 = arith.muli %1659, %149 : i64
    %1661 = tt.addptr %factors, %1660 : !tt.ptr<f32>, i64
    %1662 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1663 = tt.expand_dims %1662 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1664 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1665 = arith.muli %1663, %1664 : tensor<1x1x8xi32>
    %1666 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1667 = tt.broadcast %1665 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1668 = tt.broadcast %1666 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1669 = arith.addi %1667, %1668 : tensor<1x4x8xi32>
    %1670 = tt.splat %1661 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1671 = tt.addptr %1670, %1669 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1672 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1673 = tt.expand_dims %1672 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1674 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1675 = tt.broadcast %1673 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1676 = tt.broadcast %1674 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1677 = arith.andi %1675, %1676 : tensor<1x4x8xi1>
    tt.store %1671, %1603#1, %1677 : tensor<1x4x8x!tt.ptr<f32>>
    %1678 = arith.extsi %11 : i32 to i64
    %1679 = arith.muli %30, %146 : i64
    %1680 = arith.addi %1679, %1678 : i64
    %1681 = arith.muli %1680, %149 : i64
    %1682 = tt.addptr %summands, %1681 : !tt.ptr<f32>, i64
    %1683 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1684 = tt.expand_dims %1683 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1685 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1686 = arith.muli %1684, %1685 : tensor<1x1x8xi32>
    %1687 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1688 = tt.broadcast %1686 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1689 = tt.broadcast %1687 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1690 = arith.addi %1688, %1689 : tensor<1x4x8xi32>
    %1691 = tt.splat %1682 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1692 = tt.addptr %1691, %1690 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1693 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1694 = tt.expand_dims %1693 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1695 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1696 = tt.broadcast %1694 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1697 = tt.broadcast %1695 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1698 = arith.andi %1696, %1697 : tensor<1x4x8xi1>
    tt.store %1692, %1603#2, %1698 : tensor<1x4x8x!tt.ptr<f32>>
    %1699 = arith.extsi %11 : i32 to i64
    %1700 = arith.muli %91, %146 : i64
    %1701 = arith.addi %1700, %1699 : i64
    %1702 = arith.muli %1701, %149 : i64
    %1703 = tt.addptr %factors, %1702 : !tt.ptr<f32>, i64
    %1704 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1705 = tt.expand_dims %1704 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1706 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1707 = arith.muli %1705, %1706 : tensor<1x1x8xi32>
    %1708 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1709 = tt.broadcast %1707 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1710 = tt.broadcast %1708 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1711 = arith.addi %1709, %1710 : tensor<1x4x8xi32>
    %1712 = tt.splat %1703 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1713 = tt.addptr %1712, %1711 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1714 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1715 = tt.expand_dims %1714 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1716 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1717 = tt.broadcast %1715 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1718 = tt.broadcast %1716 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1719 = arith.andi %1717, %1718 : tensor<1x4x8xi1>
    tt.store %1713, %1603#4, %1719 : tensor<1x4x8x!tt.ptr<f32>>
    %1720 = arith.extsi %11 : i32 to i64
    %1721 = arith.muli %91, %146 : i64
    %1722 = arith.addi %1721, %1720 : i64
    %1723 = arith.muli %1722, %149 : i64
    %1724 = tt.addptr %summands, %1723 : !tt.ptr<f32>, i64
    %1725 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1726 = tt.expand_dims %1725 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1727 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1728 = arith.muli %1726, %1727 : tensor<1x1x8xi32>
    %1729 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1730 = tt.broadcast %1728 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1731 = tt.broadcast %1729 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1732 = arith.addi %1730, %1731 : tensor<1x4x8xi32>
    %1733 = tt.splat %1724 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1734 = tt.addptr %1733, %1732 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1735 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1736 = tt.expand_dims %1735 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1737 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1738 = tt.broadcast %1736 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1739 = tt.broadcast %1737 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1740 = arith.andi %1738, %1739 : tensor<1x4x8xi1>
    tt.store %1734, %1603#5, %1740 : tensor<1x4x8x!tt.ptr<f32>>
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
    %262 = arith.constant 26 : i32
    %285 = arith.constant 2 : i64
    %309 = arith.constant 98 : i32
    %341 = arith.constant 4 : i32
    %489 = arith.constant 9 : i32
    %499 = arith.constant 5 : i32
    %502 = arith.constant 6 : i32
    %505 = arith.constant 7 : i32
    %535 = arith.constant 0xFF800000 : f32
    %603 = arith.constant 12 : i32
    %626 = arith.constant 15 : i32
    %649 = arith.constant 18 : i32
    %672 = arith.constant 21 : i32
    %747 = arith.constant 0.0e0 : bf16
    %770 = arith.constant 22 : i32
    %784 = arith.constant 33 : i32
    %798 = arith.constant 44 : i32
    %812 = arith.constant 55 : i32
    %826 = arith.constant 66 : i32
    %840 = arith.constant 77 : i32
    %1950 = arith.constant 6.931472e-1 : f32
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
    %2995:4 = scf.for %238 = %19 to %188 step %26 iter_args(%239 = %213, %240 = %214, %241 = %237, %242 = %214) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
      %243 = arith.muli %14, %185 : i32
      %244 = arith.muli %14, %185 : i32
      %245 = arith.subi %184, %244 : i32
      %246 = arith.minsi %245, %185 : i32
      %247 = arith.addi %243, %246 : i32
      %248 = arith.subi %247, %26 : i32
      %249 = arith.subi %248, %238 : i32
      %250 = arith.muli %249, %91 : i32
      %251 = arith.subi %249, %26 : i32
      %252 = arith.maxsi %251, %19 : i32
      %253 = arith.muli %252, %91 : i32
      %254 = arith.muli %253, %37 : i32
      %255 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %256 = tt.splat %91 : i32 -> tensor<4xi32>
      %257 = arith.muli %255, %256 : tensor<4xi32>
      %258 = tt.splat %254 : i32 -> tensor<4xi32>
      %259 = arith.addi %258, %257 : tensor<4xi32>
      %260 = arith.muli %33, %154 : i64
      %261 = tt.addptr %b, %260 : !tt.ptr<f32>, i64
      %263 = tt.splat %262 : i32 -> tensor<4xi32>
      %264 = arith.minsi %259, %263 : tensor<4xi32>
      %265 = tt.splat %261 : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %266 = tt.addptr %265, %264 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %places0 = tt.ptr_to_int %266 : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
      %asked0 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places0 : tensor<4xi64> -> tensor<4xi32>
      %267 = arith.muli %253, %37 : i32
      %268 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %269 = tt.splat %91 : i32 -> tensor<4xi32>
      %270 = arith.muli %268, %269 : tensor<4xi32>
      %271 = tt.splat %267 : i32 -> tensor<4xi32>
      %272 = arith.addi %271, %270 : tensor<4xi32>
      %273 = arith.muli %33, %154 : i64
      %274 = tt.addptr %c, %273 : !tt.ptr<f32>, i64
      %275 = tt.splat %262 : i32 -> tensor<4xi32>
      %276 = arith.minsi %272, %275 : tensor<4xi32>
      %277 = tt.splat %274 : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %278 = tt.addptr %277, %276 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %places1 = tt.ptr_to_int %278 : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
      %asked1 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places1 : tensor<4xi64> -> tensor<4xi32>
      %279 = arith.muli %20, %37 : i32
      %280 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %281 = tt.splat %91 : i32 -> tensor<4xi32>
      %282 = arith.muli %280, %281 : tensor<4xi32>
      %283 = tt.splat %279 : i32 -> tensor<4xi32>
      %284 = arith.addi %283, %282 : tensor<4xi32>
      %286 = arith.muli %33, %285 : i64
      %287 = arith.extsi %252 : i32 to i64
      %288 = arith.addi %286, %287 : i64
      %289 = arith.muli %288, %193 : i64
      %290 = tt.addptr %states, %289 : !tt.ptr<f32>, i64
      %291 = tt.splat %185 : i32 -> tensor<4xi32>
      %292 = arith.minsi %284, %291 : tensor<4xi32>
      %293 = tt.splat %290 : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %294 = tt.addptr %293, %292 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %places2 = tt.ptr_to_int %294 : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
      %asked2 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places2 : tensor<4xi64> -> tensor<4xi32>
      %295 = arith.muli %252, %91 : i32
      %296 = arith.addi %295, %19 : i32
      %297 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %298 = tt.splat %296 : i32 -> tensor<4xi32>
      %299 = arith.addi %298, %297 : tensor<4xi32>
      %300 = tt.expand_dims %299 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %301 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %302 = arith.muli %300, %301 : tensor<4x1xi32>
      %303 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %304 = tt.broadcast %302 : tensor<4x1xi32> -> tensor<4x8xi32>
      %305 = tt.broadcast %303 : tensor<1x8xi32> -> tensor<4x8xi32>
      %306 = arith.addi %304, %305 : tensor<4x8xi32>
      %307 = arith.muli %33, %40 : i64
      %308 = tt.addptr %x, %307 : !tt.ptr<bf16>, i64
      %310 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %311 = arith.minsi %306, %310 : tensor<4x8xi32>
      %312 = tt.splat %308 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %313 = tt.addptr %312, %311 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places3 = tt.ptr_to_int %313 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked3 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places3 : tensor<4x8xi64> -> tensor<4x8xi32>
      %314 = tt.expand_dims %299 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %315 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %316 = arith.muli %314, %315 : tensor<4x1xi32>
      %317 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %318 = tt.broadcast %316 : tensor<4x1xi32> -> tensor<4x8xi32>
      %319 = tt.broadcast %317 : tensor<1x8xi32> -> tensor<4x8xi32>
      %320 = arith.addi %318, %319 : tensor<4x8xi32>
      %321 = arith.muli %33, %40 : i64
      %322 = tt.addptr %widths, %321 : !tt.ptr<f32>, i64
      %323 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %324 = arith.minsi %320, %323 : tensor<4x8xi32>
      %325 = tt.splat %322 : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
      %326 = tt.addptr %325, %324 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %places4 = tt.ptr_to_int %326 : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8xi64>
      %asked4 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places4 : tensor<4x8xi64> -> tensor<4x8xi32>
      %327 = tt.expand_dims %299 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %328 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %329 = arith.muli %327, %328 : tensor<4x1xi32>
      %330 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %331 = tt.broadcast %329 : tensor<4x1xi32> -> tensor<4x8xi32>
      %332 = tt.broadcast %330 : tensor<1x8xi32> -> tensor<4x8xi32>
      %333 = arith.addi %331, %332 : tensor<4x8xi32>
      %334 = arith.muli %33, %40 : i64
      %335 = tt.addptr %dy, %334 : !tt.ptr<bf16>, i64
      %336 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %337 = arith.minsi %333, %336 : tensor<4x8xi32>
      %338 = tt.splat %335 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %339 = tt.addptr %338, %337 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places5 = tt.ptr_to_int %339 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked5 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places5 : tensor<4x8xi64> -> tensor<4x8xi32>
      %340 = arith.muli %252, %91 : i32
      %342 = arith.addi %340, %341 : i32
      %343 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %344 = tt.splat %342 : i32 -> tensor<4xi32>
      %345 = arith.addi %344, %343 : tensor<4xi32>
      %346 = tt.expand_dims %345 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %347 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %348 = arith.muli %346, %347 : tensor<4x1xi32>
      %349 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %350 = tt.broadcast %348 : tensor<4x1xi32> -> tensor<4x8xi32>
      %351 = tt.broadcast %349 : tensor<1x8xi32> -> tensor<4x8xi32>
      %352 = arith.addi %350, %351 : tensor<4x8xi32>
      %353 = arith.muli %33, %40 : i64
      %354 = tt.addptr %x, %353 : !tt.ptr<bf16>, i64
      %355 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %356 = arith.minsi %352, %355 : tensor<4x8xi32>
      %357 = tt.splat %354 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %358 = tt.addptr %357, %356 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places6 = tt.ptr_to_int %358 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked6 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places6 : tensor<4x8xi64> -> tensor<4x8xi32>
      %359 = tt.expand_dims %345 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %360 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %361 = arith.muli %359, %360 : tensor<4x1xi32>
      %362 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %363 = tt.broadcast %361 : tensor<4x1xi32> -> tensor<4x8xi32>
      %364 = tt.broadcast %362 : tensor<1x8xi32> -> tensor<4x8xi32>
      %365 = arith.addi %363, %364 : tensor<4x8xi32>
      %366 = arith.muli %33, %40 : i64
      %367 = tt.addptr %widths, %366 : !tt.ptr<f32>, i64
      %368 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %369 = arith.minsi %365, %368 : tensor<4x8xi32>
      %370 = tt.splat %367 : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
      %371 = tt.addptr %370, %369 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %places7 = tt.ptr_to_int %371 : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8xi64>
      %asked7 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places7 : tensor<4x8xi64> -> tensor<4x8xi32>
      %372 = tt.expand_dims %345 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %373 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %374 = arith.muli %372, %373 : tensor<4x1xi32>
      %375 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %376 = tt.broadcast %374 : tensor<4x1xi32> -> tensor<4x8xi32>
      %377 = tt.broadcast %375 : tensor<1x8xi32> -> tensor<4x8xi32>
      %378 = arith.addi %376, %377 : tensor<4x8xi32>
      %379 = arith.muli %33, %40 : i64
      %380 = tt.addptr %dy, %379 : !tt.ptr<bf16>, i64
      %381 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %382 = arith.minsi %378, %381 : tensor<4x8xi32>
      %383 = tt.splat %380 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %384 = tt.addptr %383, %382 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places8 = tt.ptr_to_int %384 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked8 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places8 : tensor<4x8xi64> -> tensor<4x8xi32>
      %385 = arith.muli %92, %37 : i32
      %386 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %387 = tt.splat %91 : i32 -> tensor<4xi32>
      %388 = arith.muli %386, %387 : tensor<4xi32>
      %389 = tt.splat %385 : i32 -> tensor<4xi32>
      %390 = arith.addi %389, %388 : tensor<4xi32>
      %391 = arith.muli %104, %285 : i64
      %392 = arith.extsi %252 : i32 to i64
      %393 = arith.addi %391, %392 : i64
      %394 = arith.muli %393, %193 : i64
      %395 = tt.addptr %states, %394 : !tt.ptr<f32>, i64
      %396 = tt.splat %185 : i32 -> tensor<4xi32>
      %397 = arith.minsi %390, %396 : tensor<4xi32>
      %398 = tt.splat %395 : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %399 = tt.addptr %398, %397 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %places9 = tt.ptr_to_int %399 : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
      %asked9 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places9 : tensor<4xi64> -> tensor<4xi32>
      %400 = arith.muli %252, %91 : i32
      %401 = arith.addi %400, %19 : i32
      %402 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %403 = tt.splat %401 : i32 -> tensor<4xi32>
      %404 = arith.addi %403, %402 : tensor<4xi32>
      %405 = tt.expand_dims %404 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %406 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %407 = arith.muli %405, %406 : tensor<4x1xi32>
      %408 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %409 = tt.broadcast %407 : tensor<4x1xi32> -> tensor<4x8xi32>
      %410 = tt.broadcast %408 : tensor<1x8xi32> -> tensor<4x8xi32>
      %411 = arith.addi %409, %410 : tensor<4x8xi32>
      %412 = arith.muli %104, %40 : i64
      %413 = tt.addptr %x, %412 : !tt.ptr<bf16>, i64
      %414 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %415 = arith.minsi %411, %414 : tensor<4x8xi32>
      %416 = tt.splat %413 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %417 = tt.addptr %416, %415 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places10 = tt.ptr_to_int %417 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked10 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places10 : tensor<4x8xi64> -> tensor<4x8xi32>
      %418 = tt.expand_dims %404 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %419 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %420 = arith.muli %418, %419 : tensor<4x1xi32>
      %421 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %422 = tt.broadcast %420 : tensor<4x1xi32> -> tensor<4x8xi32>
      %423 = tt.broadcast %421 : tensor<1x8xi32> -> tensor<4x8xi32>
      %424 = arith.addi %422, %423 : tensor<4x8xi32>
      %425 = arith.muli %104, %40 : i64
      %426 = tt.addptr %widths, %425 : !tt.ptr<f32>, i64
      %427 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %428 = arith.minsi %424, %427 : tensor<4x8xi32>
      %429 = tt.splat %426 : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
      %430 = tt.addptr %429, %428 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %places11 = tt.ptr_to_int %430 : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8xi64>
      %asked11 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places11 : tensor<4x8xi64> -> tensor<4x8xi32>
      %431 = tt.expand_dims %404 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %432 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %433 = arith.muli %431, %432 : tensor<4x1xi32>
      %434 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %435 = tt.broadcast %433 : tensor<4x1xi32> -> tensor<4x8xi32>
      %436 = tt.broadcast %434 : tensor<1x8xi32> -> tensor<4x8xi32>
      %437 = arith.addi %435, %436 : tensor<4x8xi32>
      %438 = arith.muli %104, %40 : i64
      %439 = tt.addptr %dy, %438 : !tt.ptr<bf16>, i64
      %440 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %441 = arith.minsi %437, %440 : tensor<4x8xi32>
      %442 = tt.splat %439 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %443 = tt.addptr %442, %441 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places12 = tt.ptr_to_int %443 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked12 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places12 : tensor<4x8xi64> -> tensor<4x8xi32>
      %444 = arith.muli %252, %91 : i32
      %445 = arith.addi %444, %341 : i32
      %446 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %447 = tt.splat %445 : i32 -> tensor<4xi32>
      %448 = arith.addi %447, %446 : tensor<4xi32>
      %449 = tt.expand_dims %448 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %450 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %451 = arith.muli %449, %450 : tensor<4x1xi32>
      %452 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %453 = tt.broadcast %451 : tensor<4x1xi32> -> tensor<4x8xi32>
      %454 = tt.broadcast %452 : tensor<1x8xi32> -> tensor<4x8xi32>
      %455 = arith.addi %453, %454 : tensor<4x8xi32>
      %456 = arith.muli %104, %40 : i64
      %457 = tt.addptr %x, %456 : !tt.ptr<bf16>, i64
      %458 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %459 = arith.minsi %455, %458 : tensor<4x8xi32>
      %460 = tt.splat %457 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %461 = tt.addptr %460, %459 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places13 = tt.ptr_to_int %461 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked13 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places13 : tensor<4x8xi64> -> tensor<4x8xi32>
      %462 = tt.expand_dims %448 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %463 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %464 = arith.muli %462, %463 : tensor<4x1xi32>
      %465 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %466 = tt.broadcast %464 : tensor<4x1xi32> -> tensor<4x8xi32>
      %467 = tt.broadcast %465 : tensor<1x8xi32> -> tensor<4x8xi32>
      %468 = arith.addi %466, %467 : tensor<4x8xi32>
      %469 = arith.muli %104, %40 : i64
      %470 = tt.addptr %widths, %469 : !tt.ptr<f32>, i64
      %471 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %472 = arith.minsi %468, %471 : tensor<4x8xi32>
      %473 = tt.splat %470 : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
      %474 = tt.addptr %473, %472 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %places14 = tt.ptr_to_int %474 : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8xi64>
      %asked14 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places14 : tensor<4x8xi64> -> tensor<4x8xi32>
      %475 = tt.expand_dims %448 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %476 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %477 = arith.muli %475, %476 : tensor<4x1xi32>
      %478 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %479 = tt.broadcast %477 : tensor<4x1xi32> -> tensor<4x8xi32>
      %480 = tt.broadcast %478 : tensor<1x8xi32> -> tensor<4x8xi32>
      %481 = arith.addi %479, %480 : tensor<4x8xi32>
      %482 = arith.muli %104, %40 : i64
      %483 = tt.addptr %dy, %482 : !tt.ptr<bf16>, i64
      %484 = tt.splat %309 : i32 -> tensor<4x8xi32>
      %485 = arith.minsi %481, %484 : tensor<4x8xi32>
      %486 = tt.splat %483 : !tt.ptr<bf16> -> tensor<4x8x!tt.ptr<bf16>>
      %487 = tt.addptr %486, %485 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %places15 = tt.ptr_to_int %487 : tensor<4x8x!tt.ptr<bf16>> -> tensor<4x8xi64>
      %asked15 = tt.elementwise_inline_asm "prefetch.global.L2 [$1]; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %places15 : tensor<4x8xi64> -> tensor<4x8xi32>
      %488 = arith.addi %250, %19 : i32
      %490 = arith.cmpi slt, %488, %489 : i32
      %491 = arith.addi %250, %26 : i32
      %492 = arith.cmpi slt, %491, %489 : i32
      %493 = arith.addi %250, %184 : i32
      %494 = arith.cmpi slt, %493, %489 : i32
      %495 = arith.addi %250, %37 : i32
      %496 = arith.cmpi slt, %495, %489 : i32
      %497 = arith.addi %250, %341 : i32
      %498 = arith.cmpi slt, %497, %489 : i32
      %500 = arith.addi %250, %499 : i32
      %501 = arith.cmpi slt, %500, %489 : i32
      %503 = arith.addi %250, %502 : i32
      %504 = arith.cmpi slt, %503, %489 : i32
      %506 = arith.addi %250, %505 : i32
      %507 = arith.cmpi slt, %506, %489 : i32
      %508 = arith.muli %250, %37 : i32
      %509 = tt.splat %508 : i32 -> tensor<1x4xi32>
      %510 = tt.addptr %159, %509 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %511 = arith.muli %250, %37 : i32
      %512 = tt.splat %511 : i32 -> tensor<1x4xi32>
      %513 = tt.addptr %164, %512 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %514 = tt.splat %19 : i32 -> tensor<1x4xi32>
      %515 = tt.addptr %510, %514 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %516 = tt.splat %490 : i1 -> tensor<1x4xi1>
      %517 = arith.andi %39, %516 : tensor<1x4xi1>
      %518 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %519 = tt.load %515, %517, %518 : tensor<1x4x!tt.ptr<f32>>
      %520 = tt.splat %19 : i32 -> tensor<1x4xi32>
      %521 = tt.addptr %513, %520 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %522 = tt.splat %490 : i1 -> tensor<1x4xi1>
      %523 = arith.andi %39, %522 : tensor<1x4xi1>
      %524 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %525 = tt.load %521, %523, %524 : tensor<1x4x!tt.ptr<f32>>
      %526 = arith.addi %250, %19 : i32
      %527 = tt.addptr %167, %526 : !tt.ptr<i32>, i32
      %528 = arith.cmpi sgt, %526, %19 : i32
      %529 = tt.load %527, %490, %19 : !tt.ptr<i32>
      %530 = arith.andi %528, %490 : i1
      %531 = arith.subi %526, %26 : i32
      %532 = tt.addptr %167, %531 : !tt.ptr<i32>, i32
      %533 = tt.load %532, %530, %19 : !tt.ptr<i32>
      %534 = arith.cmpi eq, %529, %533 : i32
      %536 = arith.select %534, %67, %535 : f32
      %537 = tt.splat %37 : i32 -> tensor<1x4xi32>
      %538 = tt.addptr %510, %537 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %539 = tt.splat %492 : i1 -> tensor<1x4xi1>
      %540 = arith.andi %39, %539 : tensor<1x4xi1>
      %541 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %542 = tt.load %538, %540, %541 : tensor<1x4x!tt.ptr<f32>>
      %543 = tt.splat %37 : i32 -> tensor<1x4xi32>
      %544 = tt.addptr %513, %543 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %545 = tt.splat %492 : i1 -> tensor<1x4xi1>
      %546 = arith.andi %39, %545 : tensor<1x4xi1>
      %547 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %548 = tt.load %544, %546, %547 : tensor<1x4x!tt.ptr<f32>>
      %549 = arith.addi %250, %26 : i32
      %550 = tt.addptr %167, %549 : !tt.ptr<i32>, i32
      %551 = arith.cmpi sgt, %549, %19 : i32
      %552 = tt.load %550, %492, %19 : !tt.ptr<i32>
      %553 = arith.andi %551, %492 : i1
      %554 = arith.subi %549, %26 : i32
      %555 = tt.addptr %167, %554 : !tt.ptr<i32>, i32
      %556 = tt.load %555, %553, %19 : !tt.ptr<i32>
      %557 = arith.cmpi eq, %552, %556 : i32
      %558 = arith.select %557, %67, %535 : f32
      %559 = tt.splat %502 : i32 -> tensor<1x4xi32>
      %560 = tt.addptr %510, %559 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %561 = tt.splat %494 : i1 -> tensor<1x4xi1>
      %562 = arith.andi %39, %561 : tensor<1x4xi1>
      %563 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %564 = tt.load %560, %562, %563 : tensor<1x4x!tt.ptr<f32>>
      %565 = tt.splat %502 : i32 -> tensor<1x4xi32>
      %566 = tt.addptr %513, %565 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %567 = tt.splat %494 : i1 -> tensor<1x4xi1>
      %568 = arith.andi %39, %567 : tensor<1x4xi1>
      %569 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %570 = tt.load %566, %568, %569 : tensor<1x4x!tt.ptr<f32>>
      %571 = arith.addi %250, %184 : i32
      %572 = tt.addptr %167, %571 : !tt.ptr<i32>, i32
      %573 = arith.cmpi sgt, %571, %19 : i32
      %574 = tt.load %572, %494, %19 : !tt.ptr<i32>
      %575 = arith.andi %573, %494 : i1
      %576 = arith.subi %571, %26 : i32
      %577 = tt.addptr %167, %576 : !tt.ptr<i32>, i32
      %578 = tt.load %577, %575, %19 : !tt.ptr<i32>
      %579 = arith.cmpi eq, %574, %578 : i32
      %580 = arith.select %579, %67, %535 : f32
      %581 = tt.splat %489 : i32 -> tensor<1x4xi32>
      %582 = tt.addptr %510, %581 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %583 = tt.splat %496 : i1 -> tensor<1x4xi1>
      %584 = arith.andi %39, %583 : tensor<1x4xi1>
      %585 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %586 = tt.load %582, %584, %585 : tensor<1x4x!tt.ptr<f32>>
      %587 = tt.splat %489 : i32 -> tensor<1x4xi32>
      %588 = tt.addptr %513, %587 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %589 = tt.splat %496 : i1 -> tensor<1x4xi1>
      %590 = arith.andi %39, %589 : tensor<1x4xi1>
      %591 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %592 = tt.load %588, %590, %591 : tensor<1x4x!tt.ptr<f32>>
      %593 = arith.addi %250, %37 : i32
      %594 = tt.addptr %167, %593 : !tt.ptr<i32>, i32
      %595 = arith.cmpi sgt, %593, %19 : i32
      %596 = tt.load %594, %496, %19 : !tt.ptr<i32>
      %597 = arith.andi %595, %496 : i1
      %598 = arith.subi %593, %26 : i32
      %599 = tt.addptr %167, %598 : !tt.ptr<i32>, i32
      %600 = tt.load %599, %597, %19 : !tt.ptr<i32>
      %601 = arith.cmpi eq, %596, %600 : i32
      %602 = arith.select %601, %67, %535 : f32
      %604 = tt.splat %603 : i32 -> tensor<1x4xi32>
      %605 = tt.addptr %510, %604 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %606 = tt.splat %498 : i1 -> tensor<1x4xi1>
      %607 = arith.andi %39, %606 : tensor<1x4xi1>
      %608 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %609 = tt.load %605, %607, %608 : tensor<1x4x!tt.ptr<f32>>
      %610 = tt.splat %603 : i32 -> tensor<1x4xi32>
      %611 = tt.addptr %513, %610 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %612 = tt.splat %498 : i1 -> tensor<1x4xi1>
      %613 = arith.andi %39, %612 : tensor<1x4xi1>
      %614 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %615 = tt.load %611, %613, %614 : tensor<1x4x!tt.ptr<f32>>
      %616 = arith.addi %250, %341 : i32
      %617 = tt.addptr %167, %616 : !tt.ptr<i32>, i32
      %618 = arith.cmpi sgt, %616, %19 : i32
      %619 = tt.load %617, %498, %19 : !tt.ptr<i32>
      %620 = arith.andi %618, %498 : i1
      %621 = arith.subi %616, %26 : i32
      %622 = tt.addptr %167, %621 : !tt.ptr<i32>, i32
      %623 = tt.load %622, %620, %19 : !tt.ptr<i32>
      %624 = arith.cmpi eq, %619, %623 : i32
      %625 = arith.select %624, %67, %535 : f32
      %627 = tt.splat %626 : i32 -> tensor<1x4xi32>
      %628 = tt.addptr %510, %627 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %629 = tt.splat %501 : i1 -> tensor<1x4xi1>
      %630 = arith.andi %39, %629 : tensor<1x4xi1>
      %631 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %632 = tt.load %628, %630, %631 : tensor<1x4x!tt.ptr<f32>>
      %633 = tt.splat %626 : i32 -> tensor<1x4xi32>
      %634 = tt.addptr %513, %633 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %635 = tt.splat %501 : i1 -> tensor<1x4xi1>
      %636 = arith.andi %39, %635 : tensor<1x4xi1>
      %637 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %638 = tt.load %634, %636, %637 : tensor<1x4x!tt.ptr<f32>>
      %639 = arith.addi %250, %499 : i32
      %640 = tt.addptr %167, %639 : !tt.ptr<i32>, i32
      %641 = arith.cmpi sgt, %639, %19 : i32
      %642 = tt.load %640, %501, %19 : !tt.ptr<i32>
      %643 = arith.andi %641, %501 : i1
      %644 = arith.subi %639, %26 : i32
      %645 = tt.addptr %167, %644 : !tt.ptr<i32>, i32
      %646 = tt.load %645, %643, %19 : !tt.ptr<i32>
      %647 = arith.cmpi eq, %642, %646 : i32
      %648 = arith.select %647, %67, %535 : f32
      %650 = tt.splat %649 : i32 -> tensor<1x4xi32>
      %651 = tt.addptr %510, %650 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %652 = tt.splat %504 : i1 -> tensor<1x4xi1>
      %653 = arith.andi %39, %652 : tensor<1x4xi1>
      %654 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %655 = tt.load %651, %653, %654 : tensor<1x4x!tt.ptr<f32>>
      %656 = tt.splat %649 : i32 -> tensor<1x4xi32>
      %657 = tt.addptr %513, %656 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %658 = tt.splat %504 : i1 -> tensor<1x4xi1>
      %659 = arith.andi %39, %658 : tensor<1x4xi1>
      %660 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %661 = tt.load %657, %659, %660 : tensor<1x4x!tt.ptr<f32>>
      %662 = arith.addi %250, %502 : i32
      %663 = tt.addptr %167, %662 : !tt.ptr<i32>, i32
      %664 = arith.cmpi sgt, %662, %19 : i32
      %665 = tt.load %663, %504, %19 : !tt.ptr<i32>
      %666 = arith.andi %664, %504 : i1
      %667 = arith.subi %662, %26 : i32
      %668 = tt.addptr %167, %667 : !tt.ptr<i32>, i32
      %669 = tt.load %668, %666, %19 : !tt.ptr<i32>
      %670 = arith.cmpi eq, %665, %669 : i32
      %671 = arith.select %670, %67, %535 : f32
      %673 = tt.splat %672 : i32 -> tensor<1x4xi32>
      %674 = tt.addptr %510, %673 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %675 = tt.splat %507 : i1 -> tensor<1x4xi1>
      %676 = arith.andi %39, %675 : tensor<1x4xi1>
      %677 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %678 = tt.load %674, %676, %677 : tensor<1x4x!tt.ptr<f32>>
      %679 = tt.splat %672 : i32 -> tensor<1x4xi32>
      %680 = tt.addptr %513, %679 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %681 = tt.splat %507 : i1 -> tensor<1x4xi1>
      %682 = arith.andi %39, %681 : tensor<1x4xi1>
      %683 = tt.splat %67 : f32 -> tensor<1x4xf32>
      %684 = tt.load %680, %682, %683 : tensor<1x4x!tt.ptr<f32>>
      %685 = arith.addi %250, %505 : i32
      %686 = tt.addptr %167, %685 : !tt.ptr<i32>, i32
      %687 = arith.cmpi sgt, %685, %19 : i32
      %688 = tt.load %686, %507, %19 : !tt.ptr<i32>
      %689 = arith.andi %687, %507 : i1
      %690 = arith.subi %685, %26 : i32
      %691 = tt.addptr %167, %690 : !tt.ptr<i32>, i32
      %692 = tt.load %691, %689, %19 : !tt.ptr<i32>
      %693 = arith.cmpi eq, %688, %692 : i32
      %694 = arith.select %693, %67, %535 : f32
      %695 = arith.extsi %249 : i32 to i64
      %696 = arith.muli %33, %285 : i64
      %697 = arith.addi %696, %695 : i64
      %698 = arith.muli %697, %193 : i64
      %699 = tt.addptr %states, %698 : !tt.ptr<f32>, i64
      %700 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %701 = tt.expand_dims %700 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %702 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %703 = arith.muli %701, %702 : tensor<1x1x8xi32>
      %704 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %705 = tt.broadcast %703 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %706 = tt.broadcast %704 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %707 = arith.addi %705, %706 : tensor<1x4x8xi32>
      %708 = tt.splat %699 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %709 = tt.addptr %708, %707 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %710 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %711 = tt.expand_dims %710 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %712 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %713 = tt.broadcast %711 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %714 = tt.broadcast %712 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %715 = arith.andi %713, %714 : tensor<1x4x8xi1>
      %716 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %717 = tt.load %709, %715, %716 : tensor<1x4x8x!tt.ptr<f32>>
      %718 = arith.addi %250, %19 : i32
      %719 = arith.cmpi slt, %718, %489 : i32
      %720 = arith.addi %250, %26 : i32
      %721 = arith.cmpi slt, %720, %489 : i32
      %722 = arith.addi %250, %184 : i32
      %723 = arith.cmpi slt, %722, %489 : i32
      %724 = arith.addi %250, %37 : i32
      %725 = arith.cmpi slt, %724, %489 : i32
      %726 = arith.addi %250, %341 : i32
      %727 = arith.cmpi slt, %726, %489 : i32
      %728 = arith.addi %250, %499 : i32
      %729 = arith.cmpi slt, %728, %489 : i32
      %730 = arith.addi %250, %502 : i32
      %731 = arith.cmpi slt, %730, %489 : i32
      %732 = arith.addi %250, %505 : i32
      %733 = arith.cmpi slt, %732, %489 : i32
      %734 = arith.muli %250, %34 : i32
      %735 = tt.splat %734 : i32 -> tensor<8xi32>
      %736 = tt.addptr %77, %735 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %737 = arith.muli %250, %34 : i32
      %738 = tt.splat %737 : i32 -> tensor<8xi32>
      %739 = tt.addptr %45, %738 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %740 = arith.muli %250, %34 : i32
      %741 = tt.splat %740 : i32 -> tensor<8xi32>
      %742 = tt.addptr %50, %741 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %743 = tt.splat %19 : i32 -> tensor<8xi32>
      %744 = tt.addptr %739, %743 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %745 = tt.splat %719 : i1 -> tensor<8xi1>
      %746 = arith.andi %36, %745 : tensor<8xi1>
      %748 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %749 = tt.load %744, %746, %748 : tensor<8x!tt.ptr<bf16>>
      %750 = arith.extf %749 : tensor<8xbf16> to tensor<8xf32>
      %751 = tt.splat %19 : i32 -> tensor<8xi32>
      %752 = tt.addptr %742, %751 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %753 = tt.splat %719 : i1 -> tensor<8xi1>
      %754 = arith.andi %36, %753 : tensor<8xi1>
      %755 = tt.splat %67 : f32 -> tensor<8xf32>
      %756 = tt.load %752, %754, %755 : tensor<8x!tt.ptr<f32>>
      %757 = tt.splat %34 : i32 -> tensor<8xi32>
      %758 = tt.addptr %739, %757 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %759 = tt.splat %721 : i1 -> tensor<8xi1>
      %760 = arith.andi %36, %759 : tensor<8xi1>
      %761 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %762 = tt.load %758, %760, %761 : tensor<8x!tt.ptr<bf16>>
      %763 = arith.extf %762 : tensor<8xbf16> to tensor<8xf32>
      %764 = tt.splat %34 : i32 -> tensor<8xi32>
      %765 = tt.addptr %742, %764 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %766 = tt.splat %721 : i1 -> tensor<8xi1>
      %767 = arith.andi %36, %766 : tensor<8xi1>
      %768 = tt.splat %67 : f32 -> tensor<8xf32>
      %769 = tt.load %765, %767, %768 : tensor<8x!tt.ptr<f32>>
      %771 = tt.splat %770 : i32 -> tensor<8xi32>
      %772 = tt.addptr %739, %771 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %773 = tt.splat %723 : i1 -> tensor<8xi1>
      %774 = arith.andi %36, %773 : tensor<8xi1>
      %775 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %776 = tt.load %772, %774, %775 : tensor<8x!tt.ptr<bf16>>
      %777 = arith.extf %776 : tensor<8xbf16> to tensor<8xf32>
      %778 = tt.splat %770 : i32 -> tensor<8xi32>
      %779 = tt.addptr %742, %778 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %780 = tt.splat %723 : i1 -> tensor<8xi1>
      %781 = arith.andi %36, %780 : tensor<8xi1>
      %782 = tt.splat %67 : f32 -> tensor<8xf32>
      %783 = tt.load %779, %781, %782 : tensor<8x!tt.ptr<f32>>
      %785 = tt.splat %784 : i32 -> tensor<8xi32>
      %786 = tt.addptr %739, %785 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %787 = tt.splat %725 : i1 -> tensor<8xi1>
      %788 = arith.andi %36, %787 : tensor<8xi1>
      %789 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %790 = tt.load %786, %788, %789 : tensor<8x!tt.ptr<bf16>>
      %791 = arith.extf %790 : tensor<8xbf16> to tensor<8xf32>
      %792 = tt.splat %784 : i32 -> tensor<8xi32>
      %793 = tt.addptr %742, %792 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %794 = tt.splat %725 : i1 -> tensor<8xi1>
      %795 = arith.andi %36, %794 : tensor<8xi1>
      %796 = tt.splat %67 : f32 -> tensor<8xf32>
      %797 = tt.load %793, %795, %796 : tensor<8x!tt.ptr<f32>>
      %799 = tt.splat %798 : i32 -> tensor<8xi32>
      %800 = tt.addptr %739, %799 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %801 = tt.splat %727 : i1 -> tensor<8xi1>
      %802 = arith.andi %36, %801 : tensor<8xi1>
      %803 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %804 = tt.load %800, %802, %803 : tensor<8x!tt.ptr<bf16>>
      %805 = arith.extf %804 : tensor<8xbf16> to tensor<8xf32>
      %806 = tt.splat %798 : i32 -> tensor<8xi32>
      %807 = tt.addptr %742, %806 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %808 = tt.splat %727 : i1 -> tensor<8xi1>
      %809 = arith.andi %36, %808 : tensor<8xi1>
      %810 = tt.splat %67 : f32 -> tensor<8xf32>
      %811 = tt.load %807, %809, %810 : tensor<8x!tt.ptr<f32>>
      %813 = tt.splat %812 : i32 -> tensor<8xi32>
      %814 = tt.addptr %739, %813 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %815 = tt.splat %729 : i1 -> tensor<8xi1>
      %816 = arith.andi %36, %815 : tensor<8xi1>
      %817 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %818 = tt.load %814, %816, %817 : tensor<8x!tt.ptr<bf16>>
      %819 = arith.extf %818 : tensor<8xbf16> to tensor<8xf32>
      %820 = tt.splat %812 : i32 -> tensor<8xi32>
      %821 = tt.addptr %742, %820 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %822 = tt.splat %729 : i1 -> tensor<8xi1>
      %823 = arith.andi %36, %822 : tensor<8xi1>
      %824 = tt.splat %67 : f32 -> tensor<8xf32>
      %825 = tt.load %821, %823, %824 : tensor<8x!tt.ptr<f32>>
      %827 = tt.splat %826 : i32 -> tensor<8xi32>
      %828 = tt.addptr %739, %827 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %829 = tt.splat %731 : i1 -> tensor<8xi1>
      %830 = arith.andi %36, %829 : tensor<8xi1>
      %831 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %832 = tt.load %828, %830, %831 : tensor<8x!tt.ptr<bf16>>
      %833 = arith.extf %832 : tensor<8xbf16> to tensor<8xf32>
      %834 = tt.splat %826 : i32 -> tensor<8xi32>
      %835 = tt.addptr %742, %834 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %836 = tt.splat %731 : i1 -> tensor<8xi1>
      %837 = arith.andi %36, %836 : tensor<8xi1>
      %838 = tt.splat %67 : f32 -> tensor<8xf32>
      %839 = tt.load %835, %837, %838 : tensor<8x!tt.ptr<f32>>
      %841 = tt.splat %840 : i32 -> tensor<8xi32>
      %842 = tt.addptr %739, %841 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %843 = tt.splat %733 : i1 -> tensor<8xi1>
      %844 = arith.andi %36, %843 : tensor<8xi1>
      %845 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %846 = tt.load %842, %844, %845 : tensor<8x!tt.ptr<bf16>>
      %847 = arith.extf %846 : tensor<8xbf16> to tensor<8xf32>
      %848 = tt.splat %840 : i32 -> tensor<8xi32>
      %849 = tt.addptr %742, %848 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %850 = tt.splat %733 : i1 -> tensor<8xi1>
      %851 = arith.andi %36, %850 : tensor<8xi1>
      %852 = tt.splat %67 : f32 -> tensor<8xf32>
      %853 = tt.load %849, %851, %852 : tensor<8x!tt.ptr<f32>>
      %854 = tt.expand_dims %756 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %855 = tt.expand_dims %854 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %856 = tt.broadcast %855 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %857 = arith.mulf %856, %72 : tensor<1x4x8xf32>
      %858 = tt.splat %536 : f32 -> tensor<1x4x8xf32>
      %859 = arith.addf %857, %858 : tensor<1x4x8xf32>
      %860 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %859 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %861 = arith.mulf %750, %756 : tensor<8xf32>
      %862 = tt.expand_dims %861 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %863 = tt.expand_dims %862 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %864 = tt.expand_dims %519 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %865 = tt.broadcast %863 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %866 = tt.broadcast %864 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %867 = arith.mulf %865, %866 : tensor<1x4x8xf32>
      %868 = math.fma %860, %717, %867 : tensor<1x4x8xf32>
      %869 = tt.splat %19 : i32 -> tensor<8xi32>
      %870 = tt.addptr %736, %869 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %871 = tt.splat %719 : i1 -> tensor<8xi1>
      %872 = arith.andi %36, %871 : tensor<8xi1>
      %873 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %874 = tt.load %870, %872, %873 : tensor<8x!tt.ptr<bf16>>
      %875 = arith.extf %874 : tensor<8xbf16> to tensor<8xf32>
      %876 = tt.expand_dims %769 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %877 = tt.expand_dims %876 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %878 = tt.broadcast %877 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %879 = arith.mulf %878, %72 : tensor<1x4x8xf32>
      %880 = tt.splat %558 : f32 -> tensor<1x4x8xf32>
      %881 = arith.addf %879, %880 : tensor<1x4x8xf32>
      %882 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %881 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %883 = arith.mulf %763, %769 : tensor<8xf32>
      %884 = tt.expand_dims %883 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %885 = tt.expand_dims %884 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %886 = tt.expand_dims %542 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %887 = tt.broadcast %885 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %888 = tt.broadcast %886 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %889 = arith.mulf %887, %888 : tensor<1x4x8xf32>
      %890 = math.fma %882, %868, %889 : tensor<1x4x8xf32>
      %891 = tt.splat %34 : i32 -> tensor<8xi32>
      %892 = tt.addptr %736, %891 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %893 = tt.splat %721 : i1 -> tensor<8xi1>
      %894 = arith.andi %36, %893 : tensor<8xi1>
      %895 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %896 = tt.load %892, %894, %895 : tensor<8x!tt.ptr<bf16>>
      %897 = arith.extf %896 : tensor<8xbf16> to tensor<8xf32>
      %898 = tt.expand_dims %783 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %899 = tt.expand_dims %898 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %900 = tt.broadcast %899 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %901 = arith.mulf %900, %72 : tensor<1x4x8xf32>
      %902 = tt.splat %580 : f32 -> tensor<1x4x8xf32>
      %903 = arith.addf %901, %902 : tensor<1x4x8xf32>
      %904 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %903 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %905 = arith.mulf %777, %783 : tensor<8xf32>
      %906 = tt.expand_dims %905 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %907 = tt.expand_dims %906 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %908 = tt.expand_dims %564 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %909 = tt.broadcast %907 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %910 = tt.broadcast %908 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %911 = arith.mulf %909, %910 : tensor<1x4x8xf32>
      %912 = math.fma %904, %890, %911 : tensor<1x4x8xf32>
      %913 = tt.splat %770 : i32 -> tensor<8xi32>
      %914 = tt.addptr %736, %913 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %915 = tt.splat %723 : i1 -> tensor<8xi1>
      %916 = arith.andi %36, %915 : tensor<8xi1>
      %917 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %918 = tt.load %914, %916, %917 : tensor<8x!tt.ptr<bf16>>
      %919 = arith.extf %918 : tensor<8xbf16> to tensor<8xf32>
      %920 = tt.expand_dims %797 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %921 = tt.expand_dims %920 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %922 = tt.broadcast %921 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %923 = arith.mulf %922, %72 : tensor<1x4x8xf32>
      %924 = tt.splat %602 : f32 -> tensor<1x4x8xf32>
      %925 = arith.addf %923, %924 : tensor<1x4x8xf32>
      %926 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %925 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %927 = arith.mulf %791, %797 : tensor<8xf32>
      %928 = tt.expand_dims %927 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %929 = tt.expand_dims %928 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %930 = tt.expand_dims %586 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %931 = tt.broadcast %929 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %932 = tt.broadcast %930 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %933 = arith.mulf %931, %932 : tensor<1x4x8xf32>
      %934 = math.fma %926, %912, %933 : tensor<1x4x8xf32>
      %935 = tt.splat %784 : i32 -> tensor<8xi32>
      %936 = tt.addptr %736, %935 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %937 = tt.splat %725 : i1 -> tensor<8xi1>
      %938 = arith.andi %36, %937 : tensor<8xi1>
      %939 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %940 = tt.load %936, %938, %939 : tensor<8x!tt.ptr<bf16>>
      %941 = arith.extf %940 : tensor<8xbf16> to tensor<8xf32>
      %942 = tt.expand_dims %811 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %943 = tt.expand_dims %942 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %944 = tt.broadcast %943 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %945 = arith.mulf %944, %72 : tensor<1x4x8xf32>
      %946 = tt.splat %625 : f32 -> tensor<1x4x8xf32>
      %947 = arith.addf %945, %946 : tensor<1x4x8xf32>
      %948 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %947 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %949 = arith.mulf %805, %811 : tensor<8xf32>
      %950 = tt.expand_dims %949 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %951 = tt.expand_dims %950 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %952 = tt.expand_dims %609 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %953 = tt.broadcast %951 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %954 = tt.broadcast %952 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %955 = arith.mulf %953, %954 : tensor<1x4x8xf32>
      %956 = math.fma %948, %934, %955 : tensor<1x4x8xf32>
      %957 = tt.splat %798 : i32 -> tensor<8xi32>
      %958 = tt.addptr %736, %957 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %959 = tt.splat %727 : i1 -> tensor<8xi1>
      %960 = arith.andi %36, %959 : tensor<8xi1>
      %961 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %962 = tt.load %958, %960, %961 : tensor<8x!tt.ptr<bf16>>
      %963 = arith.extf %962 : tensor<8xbf16> to tensor<8xf32>
      %964 = tt.expand_dims %825 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %965 = tt.expand_dims %964 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %966 = tt.broadcast %965 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %967 = arith.mulf %966, %72 : tensor<1x4x8xf32>
      %968 = tt.splat %648 : f32 -> tensor<1x4x8xf32>
      %969 = arith.addf %967, %968 : tensor<1x4x8xf32>
      %970 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %969 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %971 = arith.mulf %819, %825 : tensor<8xf32>
      %972 = tt.expand_dims %971 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %973 = tt.expand_dims %972 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %974 = tt.expand_dims %632 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %975 = tt.broadcast %973 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %976 = tt.broadcast %974 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %977 = arith.mulf %975, %976 : tensor<1x4x8xf32>
      %978 = math.fma %970, %956, %977 : tensor<1x4x8xf32>
      %979 = tt.splat %812 : i32 -> tensor<8xi32>
      %980 = tt.addptr %736, %979 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %981 = tt.splat %729 : i1 -> tensor<8xi1>
      %982 = arith.andi %36, %981 : tensor<8xi1>
      %983 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %984 = tt.load %980, %982, %983 : tensor<8x!tt.ptr<bf16>>
      %985 = arith.extf %984 : tensor<8xbf16> to tensor<8xf32>
      %986 = tt.expand_dims %839 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %987 = tt.expand_dims %986 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %988 = tt.broadcast %987 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %989 = arith.mulf %988, %72 : tensor<1x4x8xf32>
      %990 = tt.splat %671 : f32 -> tensor<1x4x8xf32>
      %991 = arith.addf %989, %990 : tensor<1x4x8xf32>
      %992 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %991 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %993 = arith.mulf %833, %839 : tensor<8xf32>
      %994 = tt.expand_dims %993 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %995 = tt.expand_dims %994 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %996 = tt.expand_dims %655 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %997 = tt.broadcast %995 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %998 = tt.broadcast %996 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %999 = arith.mulf %997, %998 : tensor<1x4x8xf32>
      %1000 = math.fma %992, %978, %999 : tensor<1x4x8xf32>
      %1001 = tt.splat %826 : i32 -> tensor<8xi32>
      %1002 = tt.addptr %736, %1001 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1003 = tt.splat %731 : i1 -> tensor<8xi1>
      %1004 = arith.andi %36, %1003 : tensor<8xi1>
      %1005 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1006 = tt.load %1002, %1004, %1005 : tensor<8x!tt.ptr<bf16>>
      %1007 = arith.extf %1006 : tensor<8xbf16> to tensor<8xf32>
      %1008 = tt.expand_dims %853 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1009 = tt.expand_dims %1008 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1010 = tt.broadcast %1009 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1011 = arith.mulf %1010, %72 : tensor<1x4x8xf32>
      %1012 = tt.splat %694 : f32 -> tensor<1x4x8xf32>
      %1013 = arith.addf %1011, %1012 : tensor<1x4x8xf32>
      %1014 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1013 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1015 = arith.mulf %847, %853 : tensor<8xf32>
      %1016 = tt.expand_dims %1015 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1017 = tt.expand_dims %1016 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1018 = tt.expand_dims %678 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1019 = tt.broadcast %1017 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1020 = tt.broadcast %1018 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1021 = arith.mulf %1019, %1020 : tensor<1x4x8xf32>
      %1022 = math.fma %1014, %1000, %1021 : tensor<1x4x8xf32>
      %1023 = tt.splat %840 : i32 -> tensor<8xi32>
      %1024 = tt.addptr %736, %1023 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1025 = tt.splat %733 : i1 -> tensor<8xi1>
      %1026 = arith.andi %36, %1025 : tensor<8xi1>
      %1027 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1028 = tt.load %1024, %1026, %1027 : tensor<8x!tt.ptr<bf16>>
      %1029 = arith.extf %1028 : tensor<8xbf16> to tensor<8xf32>
      %1030 = arith.addi %250, %19 : i32
      %1031 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1032 = tt.splat %1030 : i32 -> tensor<4xi32>
      %1033 = arith.addi %1032, %1031 : tensor<4xi32>
      %1034 = tt.splat %489 : i32 -> tensor<4xi32>
      %1035 = arith.cmpi slt, %1033, %1034 : tensor<4xi32>
      %1036 = tt.expand_dims %45 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1037 = tt.expand_dims %1033 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1038 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1039 = arith.muli %1037, %1038 : tensor<4x1xi32>
      %1040 = tt.broadcast %1036 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1041 = tt.broadcast %1039 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1042 = tt.addptr %1040, %1041 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1043 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1044 = tt.expand_dims %1035 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1045 = tt.broadcast %1043 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1046 = tt.broadcast %1044 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1047 = arith.andi %1045, %1046 : tensor<4x8xi1>
      %1048 = tt.splat %747 : bf16 -> tensor<4x8xbf16>
      %1049 = tt.load %1042, %1047, %1048 : tensor<4x8x!tt.ptr<bf16>>
      %1050 = arith.extf %1049 : tensor<4x8xbf16> to tensor<4x8xf32>
      %1051 = tt.expand_dims %50 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1052 = tt.expand_dims %1033 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1053 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1054 = arith.muli %1052, %1053 : tensor<4x1xi32>
      %1055 = tt.broadcast %1051 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1056 = tt.broadcast %1054 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1057 = tt.addptr %1055, %1056 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1058 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1059 = tt.expand_dims %1035 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1060 = tt.broadcast %1058 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1061 = tt.broadcast %1059 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1062 = arith.andi %1060, %1061 : tensor<4x8xi1>
      %1063 = tt.splat %67 : f32 -> tensor<4x8xf32>
      %1064 = tt.load %1057, %1062, %1063 : tensor<4x8x!tt.ptr<f32>>
      %1065 = arith.addi %250, %341 : i32
      %1066 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1067 = tt.splat %1065 : i32 -> tensor<4xi32>
      %1068 = arith.addi %1067, %1066 : tensor<4xi32>
      %1069 = tt.splat %489 : i32 -> tensor<4xi32>
      %1070 = arith.cmpi slt, %1068, %1069 : tensor<4xi32>
      %1071 = tt.expand_dims %45 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1072 = tt.expand_dims %1068 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1073 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1074 = arith.muli %1072, %1073 : tensor<4x1xi32>
      %1075 = tt.broadcast %1071 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1076 = tt.broadcast %1074 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1077 = tt.addptr %1075, %1076 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1078 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1079 = tt.expand_dims %1070 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1080 = tt.broadcast %1078 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1081 = tt.broadcast %1079 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1082 = arith.andi %1080, %1081 : tensor<4x8xi1>
      %1083 = tt.splat %747 : bf16 -> tensor<4x8xbf16>
      %1084 = tt.load %1077, %1082, %1083 : tensor<4x8x!tt.ptr<bf16>>
      %1085 = arith.extf %1084 : tensor<4x8xbf16> to tensor<4x8xf32>
      %1086 = tt.expand_dims %50 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1087 = tt.expand_dims %1068 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1088 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1089 = arith.muli %1087, %1088 : tensor<4x1xi32>
      %1090 = tt.broadcast %1086 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1091 = tt.broadcast %1089 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1092 = tt.addptr %1090, %1091 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1093 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1094 = tt.expand_dims %1070 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1095 = tt.broadcast %1093 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1096 = tt.broadcast %1094 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1097 = arith.andi %1095, %1096 : tensor<4x8xi1>
      %1098 = tt.splat %67 : f32 -> tensor<4x8xf32>
      %1099 = tt.load %1092, %1097, %1098 : tensor<4x8x!tt.ptr<f32>>
      %1100 = arith.extsi %249 : i32 to i64
      %1101 = arith.muli %104, %285 : i64
      %1102 = arith.addi %1101, %1100 : i64
      %1103 = arith.muli %1102, %193 : i64
      %1104 = tt.addptr %states, %1103 : !tt.ptr<f32>, i64
      %1105 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %1106 = tt.expand_dims %1105 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %1107 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %1108 = arith.muli %1106, %1107 : tensor<1x1x8xi32>
      %1109 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %1110 = tt.broadcast %1108 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %1111 = tt.broadcast %1109 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %1112 = arith.addi %1110, %1111 : tensor<1x4x8xi32>
      %1113 = tt.splat %1104 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %1114 = tt.addptr %1113, %1112 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %1115 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1116 = tt.expand_dims %1115 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %1117 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %1118 = tt.broadcast %1116 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %1119 = tt.broadcast %1117 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %1120 = arith.andi %1118, %1119 : tensor<1x4x8xi1>
      %1121 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %1122 = tt.load %1114, %1120, %1121 : tensor<1x4x8x!tt.ptr<f32>>
      %1123 = arith.addi %250, %19 : i32
      %1124 = arith.cmpi slt, %1123, %489 : i32
      %1125 = arith.addi %250, %26 : i32
      %1126 = arith.cmpi slt, %1125, %489 : i32
      %1127 = arith.addi %250, %184 : i32
      %1128 = arith.cmpi slt, %1127, %489 : i32
      %1129 = arith.addi %250, %37 : i32
      %1130 = arith.cmpi slt, %1129, %489 : i32
      %1131 = arith.addi %250, %341 : i32
      %1132 = arith.cmpi slt, %1131, %489 : i32
      %1133 = arith.addi %250, %499 : i32
      %1134 = arith.cmpi slt, %1133, %489 : i32
      %1135 = arith.addi %250, %502 : i32
      %1136 = arith.cmpi slt, %1135, %489 : i32
      %1137 = arith.addi %250, %505 : i32
      %1138 = arith.cmpi slt, %1137, %489 : i32
      %1139 = arith.muli %250, %34 : i32
      %1140 = tt.splat %1139 : i32 -> tensor<8xi32>
      %1141 = tt.addptr %143, %1140 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1142 = arith.muli %250, %34 : i32
      %1143 = tt.splat %1142 : i32 -> tensor<8xi32>
      %1144 = tt.addptr %113, %1143 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1145 = arith.muli %250, %34 : i32
      %1146 = tt.splat %1145 : i32 -> tensor<8xi32>
      %1147 = tt.addptr %118, %1146 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1148 = tt.splat %19 : i32 -> tensor<8xi32>
      %1149 = tt.addptr %1144, %1148 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1150 = tt.splat %1124 : i1 -> tensor<8xi1>
      %1151 = arith.andi %106, %1150 : tensor<8xi1>
      %1152 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1153 = tt.load %1149, %1151, %1152 : tensor<8x!tt.ptr<bf16>>
      %1154 = arith.extf %1153 : tensor<8xbf16> to tensor<8xf32>
      %1155 = tt.splat %19 : i32 -> tensor<8xi32>
      %1156 = tt.addptr %1147, %1155 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1157 = tt.splat %1124 : i1 -> tensor<8xi1>
      %1158 = arith.andi %106, %1157 : tensor<8xi1>
      %1159 = tt.splat %67 : f32 -> tensor<8xf32>
      %1160 = tt.load %1156, %1158, %1159 : tensor<8x!tt.ptr<f32>>
      %1161 = tt.splat %34 : i32 -> tensor<8xi32>
      %1162 = tt.addptr %1144, %1161 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1163 = tt.splat %1126 : i1 -> tensor<8xi1>
      %1164 = arith.andi %106, %1163 : tensor<8xi1>
      %1165 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1166 = tt.load %1162, %1164, %1165 : tensor<8x!tt.ptr<bf16>>
      %1167 = arith.extf %1166 : tensor<8xbf16> to tensor<8xf32>
      %1168 = tt.splat %34 : i32 -> tensor<8xi32>
      %1169 = tt.addptr %1147, %1168 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1170 = tt.splat %1126 : i1 -> tensor<8xi1>
      %1171 = arith.andi %106, %1170 : tensor<8xi1>
      %1172 = tt.splat %67 : f32 -> tensor<8xf32>
      %1173 = tt.load %1169, %1171, %1172 : tensor<8x!tt.ptr<f32>>
      %1174 = tt.splat %770 : i32 -> tensor<8xi32>
      %1175 = tt.addptr %1144, %1174 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1176 = tt.splat %1128 : i1 -> tensor<8xi1>
      %1177 = arith.andi %106, %1176 : tensor<8xi1>
      %1178 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1179 = tt.load %1175, %1177, %1178 : tensor<8x!tt.ptr<bf16>>
      %1180 = arith.extf %1179 : tensor<8xbf16> to tensor<8xf32>
      %1181 = tt.splat %770 : i32 -> tensor<8xi32>
      %1182 = tt.addptr %1147, %1181 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1183 = tt.splat %1128 : i1 -> tensor<8xi1>
      %1184 = arith.andi %106, %1183 : tensor<8xi1>
      %1185 = tt.splat %67 : f32 -> tensor<8xf32>
      %1186 = tt.load %1182, %1184, %1185 : tensor<8x!tt.ptr<f32>>
      %1187 = tt.splat %784 : i32 -> tensor<8xi32>
      %1188 = tt.addptr %1144, %1187 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1189 = tt.splat %1130 : i1 -> tensor<8xi1>
      %1190 = arith.andi %106, %1189 : tensor<8xi1>
      %1191 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1192 = tt.load %1188, %1190, %1191 : tensor<8x!tt.ptr<bf16>>
      %1193 = arith.extf %1192 : tensor<8xbf16> to tensor<8xf32>
      %1194 = tt.splat %784 : i32 -> tensor<8xi32>
      %1195 = tt.addptr %1147, %1194 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1196 = tt.splat %1130 : i1 -> tensor<8xi1>
      %1197 = arith.andi %106, %1196 : tensor<8xi1>
      %1198 = tt.splat %67 : f32 -> tensor<8xf32>
      %1199 = tt.load %1195, %1197, %1198 : tensor<8x!tt.ptr<f32>>
      %1200 = tt.splat %798 : i32 -> tensor<8xi32>
      %1201 = tt.addptr %1144, %1200 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1202 = tt.splat %1132 : i1 -> tensor<8xi1>
      %1203 = arith.andi %106, %1202 : tensor<8xi1>
      %1204 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1205 = tt.load %1201, %1203, %1204 : tensor<8x!tt.ptr<bf16>>
      %1206 = arith.extf %1205 : tensor<8xbf16> to tensor<8xf32>
      %1207 = tt.splat %798 : i32 -> tensor<8xi32>
      %1208 = tt.addptr %1147, %1207 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1209 = tt.splat %1132 : i1 -> tensor<8xi1>
      %1210 = arith.andi %106, %1209 : tensor<8xi1>
      %1211 = tt.splat %67 : f32 -> tensor<8xf32>
      %1212 = tt.load %1208, %1210, %1211 : tensor<8x!tt.ptr<f32>>
      %1213 = tt.splat %812 : i32 -> tensor<8xi32>
      %1214 = tt.addptr %1144, %1213 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1215 = tt.splat %1134 : i1 -> tensor<8xi1>
      %1216 = arith.andi %106, %1215 : tensor<8xi1>
      %1217 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1218 = tt.load %1214, %1216, %1217 : tensor<8x!tt.ptr<bf16>>
      %1219 = arith.extf %1218 : tensor<8xbf16> to tensor<8xf32>
      %1220 = tt.splat %812 : i32 -> tensor<8xi32>
      %1221 = tt.addptr %1147, %1220 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1222 = tt.splat %1134 : i1 -> tensor<8xi1>
      %1223 = arith.andi %106, %1222 : tensor<8xi1>
      %1224 = tt.splat %67 : f32 -> tensor<8xf32>
      %1225 = tt.load %1221, %1223, %1224 : tensor<8x!tt.ptr<f32>>
      %1226 = tt.splat %826 : i32 -> tensor<8xi32>
      %1227 = tt.addptr %1144, %1226 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1228 = tt.splat %1136 : i1 -> tensor<8xi1>
      %1229 = arith.andi %106, %1228 : tensor<8xi1>
      %1230 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1231 = tt.load %1227, %1229, %1230 : tensor<8x!tt.ptr<bf16>>
      %1232 = arith.extf %1231 : tensor<8xbf16> to tensor<8xf32>
      %1233 = tt.splat %826 : i32 -> tensor<8xi32>
      %1234 = tt.addptr %1147, %1233 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1235 = tt.splat %1136 : i1 -> tensor<8xi1>
      %1236 = arith.andi %106, %1235 : tensor<8xi1>
      %1237 = tt.splat %67 : f32 -> tensor<8xf32>
      %1238 = tt.load %1234, %1236, %1237 : tensor<8x!tt.ptr<f32>>
      %1239 = tt.splat %840 : i32 -> tensor<8xi32>
      %1240 = tt.addptr %1144, %1239 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1241 = tt.splat %1138 : i1 -> tensor<8xi1>
      %1242 = arith.andi %106, %1241 : tensor<8xi1>
      %1243 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1244 = tt.load %1240, %1242, %1243 : tensor<8x!tt.ptr<bf16>>
      %1245 = arith.extf %1244 : tensor<8xbf16> to tensor<8xf32>
      %1246 = tt.splat %840 : i32 -> tensor<8xi32>
      %1247 = tt.addptr %1147, %1246 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %1248 = tt.splat %1138 : i1 -> tensor<8xi1>
      %1249 = arith.andi %106, %1248 : tensor<8xi1>
      %1250 = tt.splat %67 : f32 -> tensor<8xf32>
      %1251 = tt.load %1247, %1249, %1250 : tensor<8x!tt.ptr<f32>>
      %1252 = tt.expand_dims %1160 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1253 = tt.expand_dims %1252 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1254 = tt.broadcast %1253 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1255 = arith.mulf %1254, %138 : tensor<1x4x8xf32>
      %1256 = tt.splat %536 : f32 -> tensor<1x4x8xf32>
      %1257 = arith.addf %1255, %1256 : tensor<1x4x8xf32>
      %1258 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1257 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1259 = arith.mulf %1154, %1160 : tensor<8xf32>
      %1260 = tt.expand_dims %1259 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1261 = tt.expand_dims %1260 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1262 = tt.expand_dims %519 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1263 = tt.broadcast %1261 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1264 = tt.broadcast %1262 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1265 = arith.mulf %1263, %1264 : tensor<1x4x8xf32>
      %1266 = math.fma %1258, %1122, %1265 : tensor<1x4x8xf32>
      %1267 = tt.splat %19 : i32 -> tensor<8xi32>
      %1268 = tt.addptr %1141, %1267 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1269 = tt.splat %1124 : i1 -> tensor<8xi1>
      %1270 = arith.andi %106, %1269 : tensor<8xi1>
      %1271 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1272 = tt.load %1268, %1270, %1271 : tensor<8x!tt.ptr<bf16>>
      %1273 = arith.extf %1272 : tensor<8xbf16> to tensor<8xf32>
      %1274 = tt.expand_dims %1173 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1275 = tt.expand_dims %1274 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1276 = tt.broadcast %1275 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1277 = arith.mulf %1276, %138 : tensor<1x4x8xf32>
      %1278 = tt.splat %558 : f32 -> tensor<1x4x8xf32>
      %1279 = arith.addf %1277, %1278 : tensor<1x4x8xf32>
      %1280 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1279 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1281 = arith.mulf %1167, %1173 : tensor<8xf32>
      %1282 = tt.expand_dims %1281 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1283 = tt.expand_dims %1282 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1284 = tt.expand_dims %542 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1285 = tt.broadcast %1283 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1286 = tt.broadcast %1284 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1287 = arith.mulf %1285, %1286 : tensor<1x4x8xf32>
      %1288 = math.fma %1280, %1266, %1287 : tensor<1x4x8xf32>
      %1289 = tt.splat %34 : i32 -> tensor<8xi32>
      %1290 = tt.addptr %1141, %1289 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1291 = tt.splat %1126 : i1 -> tensor<8xi1>
      %1292 = arith.andi %106, %1291 : tensor<8xi1>
      %1293 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1294 = tt.load %1290, %1292, %1293 : tensor<8x!tt.ptr<bf16>>
      %1295 = arith.extf %1294 : tensor<8xbf16> to tensor<8xf32>
      %1296 = tt.expand_dims %1186 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1297 = tt.expand_dims %1296 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1298 = tt.broadcast %1297 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1299 = arith.mulf %1298, %138 : tensor<1x4x8xf32>
      %1300 = tt.splat %580 : f32 -> tensor<1x4x8xf32>
      %1301 = arith.addf %1299, %1300 : tensor<1x4x8xf32>
      %1302 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1301 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1303 = arith.mulf %1180, %1186 : tensor<8xf32>
      %1304 = tt.expand_dims %1303 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1305 = tt.expand_dims %1304 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1306 = tt.expand_dims %564 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1307 = tt.broadcast %1305 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1308 = tt.broadcast %1306 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1309 = arith.mulf %1307, %1308 : tensor<1x4x8xf32>
      %1310 = math.fma %1302, %1288, %1309 : tensor<1x4x8xf32>
      %1311 = tt.splat %770 : i32 -> tensor<8xi32>
      %1312 = tt.addptr %1141, %1311 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1313 = tt.splat %1128 : i1 -> tensor<8xi1>
      %1314 = arith.andi %106, %1313 : tensor<8xi1>
      %1315 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1316 = tt.load %1312, %1314, %1315 : tensor<8x!tt.ptr<bf16>>
      %1317 = arith.extf %1316 : tensor<8xbf16> to tensor<8xf32>
      %1318 = tt.expand_dims %1199 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1319 = tt.expand_dims %1318 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1320 = tt.broadcast %1319 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1321 = arith.mulf %1320, %138 : tensor<1x4x8xf32>
      %1322 = tt.splat %602 : f32 -> tensor<1x4x8xf32>
      %1323 = arith.addf %1321, %1322 : tensor<1x4x8xf32>
      %1324 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1323 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1325 = arith.mulf %1193, %1199 : tensor<8xf32>
      %1326 = tt.expand_dims %1325 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1327 = tt.expand_dims %1326 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1328 = tt.expand_dims %586 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1329 = tt.broadcast %1327 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1330 = tt.broadcast %1328 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1331 = arith.mulf %1329, %1330 : tensor<1x4x8xf32>
      %1332 = math.fma %1324, %1310, %1331 : tensor<1x4x8xf32>
      %1333 = tt.splat %784 : i32 -> tensor<8xi32>
      %1334 = tt.addptr %1141, %1333 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1335 = tt.splat %1130 : i1 -> tensor<8xi1>
      %1336 = arith.andi %106, %1335 : tensor<8xi1>
      %1337 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1338 = tt.load %1334, %1336, %1337 : tensor<8x!tt.ptr<bf16>>
      %1339 = arith.extf %1338 : tensor<8xbf16> to tensor<8xf32>
      %1340 = tt.expand_dims %1212 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1341 = tt.expand_dims %1340 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1342 = tt.broadcast %1341 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1343 = arith.mulf %1342, %138 : tensor<1x4x8xf32>
      %1344 = tt.splat %625 : f32 -> tensor<1x4x8xf32>
      %1345 = arith.addf %1343, %1344 : tensor<1x4x8xf32>
      %1346 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1345 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1347 = arith.mulf %1206, %1212 : tensor<8xf32>
      %1348 = tt.expand_dims %1347 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1349 = tt.expand_dims %1348 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1350 = tt.expand_dims %609 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1351 = tt.broadcast %1349 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1352 = tt.broadcast %1350 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1353 = arith.mulf %1351, %1352 : tensor<1x4x8xf32>
      %1354 = math.fma %1346, %1332, %1353 : tensor<1x4x8xf32>
      %1355 = tt.splat %798 : i32 -> tensor<8xi32>
      %1356 = tt.addptr %1141, %1355 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1357 = tt.splat %1132 : i1 -> tensor<8xi1>
      %1358 = arith.andi %106, %1357 : tensor<8xi1>
      %1359 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1360 = tt.load %1356, %1358, %1359 : tensor<8x!tt.ptr<bf16>>
      %1361 = arith.extf %1360 : tensor<8xbf16> to tensor<8xf32>
      %1362 = tt.expand_dims %1225 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1363 = tt.expand_dims %1362 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1364 = tt.broadcast %1363 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1365 = arith.mulf %1364, %138 : tensor<1x4x8xf32>
      %1366 = tt.splat %648 : f32 -> tensor<1x4x8xf32>
      %1367 = arith.addf %1365, %1366 : tensor<1x4x8xf32>
      %1368 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1367 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1369 = arith.mulf %1219, %1225 : tensor<8xf32>
      %1370 = tt.expand_dims %1369 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1371 = tt.expand_dims %1370 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1372 = tt.expand_dims %632 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1373 = tt.broadcast %1371 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1374 = tt.broadcast %1372 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1375 = arith.mulf %1373, %1374 : tensor<1x4x8xf32>
      %1376 = math.fma %1368, %1354, %1375 : tensor<1x4x8xf32>
      %1377 = tt.splat %812 : i32 -> tensor<8xi32>
      %1378 = tt.addptr %1141, %1377 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1379 = tt.splat %1134 : i1 -> tensor<8xi1>
      %1380 = arith.andi %106, %1379 : tensor<8xi1>
      %1381 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1382 = tt.load %1378, %1380, %1381 : tensor<8x!tt.ptr<bf16>>
      %1383 = arith.extf %1382 : tensor<8xbf16> to tensor<8xf32>
      %1384 = tt.expand_dims %1238 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1385 = tt.expand_dims %1384 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1386 = tt.broadcast %1385 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1387 = arith.mulf %1386, %138 : tensor<1x4x8xf32>
      %1388 = tt.splat %671 : f32 -> tensor<1x4x8xf32>
      %1389 = arith.addf %1387, %1388 : tensor<1x4x8xf32>
      %1390 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1389 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1391 = arith.mulf %1232, %1238 : tensor<8xf32>
      %1392 = tt.expand_dims %1391 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1393 = tt.expand_dims %1392 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1394 = tt.expand_dims %655 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1395 = tt.broadcast %1393 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1396 = tt.broadcast %1394 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1397 = arith.mulf %1395, %1396 : tensor<1x4x8xf32>
      %1398 = math.fma %1390, %1376, %1397 : tensor<1x4x8xf32>
      %1399 = tt.splat %826 : i32 -> tensor<8xi32>
      %1400 = tt.addptr %1141, %1399 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1401 = tt.splat %1136 : i1 -> tensor<8xi1>
      %1402 = arith.andi %106, %1401 : tensor<8xi1>
      %1403 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1404 = tt.load %1400, %1402, %1403 : tensor<8x!tt.ptr<bf16>>
      %1405 = arith.extf %1404 : tensor<8xbf16> to tensor<8xf32>
      %1406 = tt.expand_dims %1251 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1407 = tt.expand_dims %1406 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1408 = tt.broadcast %1407 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1409 = arith.mulf %1408, %138 : tensor<1x4x8xf32>
      %1410 = tt.splat %694 : f32 -> tensor<1x4x8xf32>
      %1411 = arith.addf %1409, %1410 : tensor<1x4x8xf32>
      %1412 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1411 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1413 = arith.mulf %1245, %1251 : tensor<8xf32>
      %1414 = tt.expand_dims %1413 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1415 = tt.expand_dims %1414 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1416 = tt.expand_dims %678 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1417 = tt.broadcast %1415 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1418 = tt.broadcast %1416 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1419 = arith.mulf %1417, %1418 : tensor<1x4x8xf32>
      %1420 = math.fma %1412, %1398, %1419 : tensor<1x4x8xf32>
      %1421 = tt.splat %840 : i32 -> tensor<8xi32>
      %1422 = tt.addptr %1141, %1421 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
      %1423 = tt.splat %1138 : i1 -> tensor<8xi1>
      %1424 = arith.andi %106, %1423 : tensor<8xi1>
      %1425 = tt.splat %747 : bf16 -> tensor<8xbf16>
      %1426 = tt.load %1422, %1424, %1425 : tensor<8x!tt.ptr<bf16>>
      %1427 = arith.extf %1426 : tensor<8xbf16> to tensor<8xf32>
      %1428 = arith.addi %250, %19 : i32
      %1429 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1430 = tt.splat %1428 : i32 -> tensor<4xi32>
      %1431 = arith.addi %1430, %1429 : tensor<4xi32>
      %1432 = tt.splat %489 : i32 -> tensor<4xi32>
      %1433 = arith.cmpi slt, %1431, %1432 : tensor<4xi32>
      %1434 = tt.expand_dims %113 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1435 = tt.expand_dims %1431 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1436 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1437 = arith.muli %1435, %1436 : tensor<4x1xi32>
      %1438 = tt.broadcast %1434 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1439 = tt.broadcast %1437 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1440 = tt.addptr %1438, %1439 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1441 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1442 = tt.expand_dims %1433 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1443 = tt.broadcast %1441 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1444 = tt.broadcast %1442 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1445 = arith.andi %1443, %1444 : tensor<4x8xi1>
      %1446 = tt.splat %747 : bf16 -> tensor<4x8xbf16>
      %1447 = tt.load %1440, %1445, %1446 : tensor<4x8x!tt.ptr<bf16>>
      %1448 = arith.extf %1447 : tensor<4x8xbf16> to tensor<4x8xf32>
      %1449 = tt.expand_dims %118 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1450 = tt.expand_dims %1431 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1451 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1452 = arith.muli %1450, %1451 : tensor<4x1xi32>
      %1453 = tt.broadcast %1449 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1454 = tt.broadcast %1452 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1455 = tt.addptr %1453, %1454 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1456 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1457 = tt.expand_dims %1433 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1458 = tt.broadcast %1456 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1459 = tt.broadcast %1457 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1460 = arith.andi %1458, %1459 : tensor<4x8xi1>
      %1461 = tt.splat %67 : f32 -> tensor<4x8xf32>
      %1462 = tt.load %1455, %1460, %1461 : tensor<4x8x!tt.ptr<f32>>
      %1463 = arith.addi %250, %341 : i32
      %1464 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1465 = tt.splat %1463 : i32 -> tensor<4xi32>
      %1466 = arith.addi %1465, %1464 : tensor<4xi32>
      %1467 = tt.splat %489 : i32 -> tensor<4xi32>
      %1468 = arith.cmpi slt, %1466, %1467 : tensor<4xi32>
      %1469 = tt.expand_dims %113 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1470 = tt.expand_dims %1466 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1471 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1472 = arith.muli %1470, %1471 : tensor<4x1xi32>
      %1473 = tt.broadcast %1469 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1474 = tt.broadcast %1472 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1475 = tt.addptr %1473, %1474 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1476 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1477 = tt.expand_dims %1468 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1478 = tt.broadcast %1476 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1479 = tt.broadcast %1477 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1480 = arith.andi %1478, %1479 : tensor<4x8xi1>
      %1481 = tt.splat %747 : bf16 -> tensor<4x8xbf16>
      %1482 = tt.load %1475, %1480, %1481 : tensor<4x8x!tt.ptr<bf16>>
      %1483 = arith.extf %1482 : tensor<4x8xbf16> to tensor<4x8xf32>
      %1484 = tt.expand_dims %118 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1485 = tt.expand_dims %1466 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1486 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1487 = arith.muli %1485, %1486 : tensor<4x1xi32>
      %1488 = tt.broadcast %1484 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1489 = tt.broadcast %1487 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1490 = tt.addptr %1488, %1489 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1491 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1492 = tt.expand_dims %1468 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1493 = tt.broadcast %1491 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1494 = tt.broadcast %1492 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1495 = arith.andi %1493, %1494 : tensor<4x8xi1>
      %1496 = tt.splat %67 : f32 -> tensor<4x8xf32>
      %1497 = tt.load %1490, %1495, %1496 : tensor<4x8x!tt.ptr<f32>>
      %1498 = tt.expand_dims %1029 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1499 = tt.expand_dims %1498 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1500 = tt.expand_dims %684 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1501 = tt.broadcast %1499 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1502 = tt.broadcast %1500 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1503 = math.fma %1501, %1502, %239 : tensor<1x4x8xf32>
      %1504 = arith.mulf %1503, %1014 : tensor<1x4x8xf32>
      %1505 = arith.mulf %1504, %1000 : tensor<1x4x8xf32>
      %1506 = tt.expand_dims %853 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1507 = tt.expand_dims %1506 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1508 = tt.broadcast %1507 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1509 = math.fma %1508, %1505, %240 : tensor<1x4x8xf32>
      %1510 = tt.expand_dims %678 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1511 = tt.broadcast %1510 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1512 = arith.mulf %1503, %1511 : tensor<1x4x8xf32>
      %1516 = "tt.reduce"(%1512) <{axis = 0 : i32}> ({
      ^bb0(%1513: f32, %1514: f32):
        %1515 = arith.addf %1513, %1514 : f32
        tt.reduce.return %1515 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1517 = arith.mulf %1505, %72 : tensor<1x4x8xf32>
      %1521 = "tt.reduce"(%1517) <{axis = 0 : i32}> ({
      ^bb0(%1518: f32, %1519: f32):
        %1520 = arith.addf %1518, %1519 : f32
        tt.reduce.return %1520 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1522 = arith.mulf %847, %853 : tensor<8xf32>
      %1523 = tt.expand_dims %1522 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1524 = tt.expand_dims %1523 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1525 = tt.broadcast %1524 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1526 = arith.mulf %1503, %1525 : tensor<1x4x8xf32>
      %1527 = tt.expand_dims %1029 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1528 = tt.expand_dims %1527 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1529 = tt.broadcast %1528 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1530 = arith.mulf %1022, %1529 : tensor<1x4x8xf32>
      %1531 = tt.expand_dims %1427 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1532 = tt.expand_dims %1531 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1533 = tt.expand_dims %684 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1534 = tt.broadcast %1532 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1535 = tt.broadcast %1533 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1536 = math.fma %1534, %1535, %241 : tensor<1x4x8xf32>
      %1537 = arith.mulf %1536, %1412 : tensor<1x4x8xf32>
      %1538 = arith.mulf %1537, %1398 : tensor<1x4x8xf32>
      %1539 = tt.expand_dims %1251 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1540 = tt.expand_dims %1539 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1541 = tt.broadcast %1540 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1542 = math.fma %1541, %1538, %242 : tensor<1x4x8xf32>
      %1543 = tt.expand_dims %678 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1544 = tt.broadcast %1543 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1545 = arith.mulf %1536, %1544 : tensor<1x4x8xf32>
      %1549 = "tt.reduce"(%1545) <{axis = 0 : i32}> ({
      ^bb0(%1546: f32, %1547: f32):
        %1548 = arith.addf %1546, %1547 : f32
        tt.reduce.return %1548 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1550 = arith.mulf %1538, %138 : tensor<1x4x8xf32>
      %1554 = "tt.reduce"(%1550) <{axis = 0 : i32}> ({
      ^bb0(%1551: f32, %1552: f32):
        %1553 = arith.addf %1551, %1552 : f32
        tt.reduce.return %1553 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1555 = arith.mulf %1245, %1251 : tensor<8xf32>
      %1556 = tt.expand_dims %1555 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1557 = tt.expand_dims %1556 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1558 = tt.broadcast %1557 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1559 = arith.mulf %1536, %1558 : tensor<1x4x8xf32>
      %1560 = tt.expand_dims %1427 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1561 = tt.expand_dims %1560 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1562 = tt.broadcast %1561 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1563 = arith.mulf %1420, %1562 : tensor<1x4x8xf32>
      %1564 = arith.addf %1526, %1559 : tensor<1x4x8xf32>
      %1565 = arith.addf %1530, %1563 : tensor<1x4x8xf32>
      %1566 = tt.expand_dims %1007 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1567 = tt.expand_dims %1566 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1568 = tt.expand_dims %661 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1569 = tt.broadcast %1567 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1570 = tt.broadcast %1568 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1571 = math.fma %1569, %1570, %1504 : tensor<1x4x8xf32>
      %1572 = arith.mulf %1571, %992 : tensor<1x4x8xf32>
      %1573 = arith.mulf %1572, %978 : tensor<1x4x8xf32>
      %1574 = tt.expand_dims %839 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1575 = tt.expand_dims %1574 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1576 = tt.broadcast %1575 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1577 = math.fma %1576, %1573, %1509 : tensor<1x4x8xf32>
      %1578 = tt.expand_dims %655 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1579 = tt.broadcast %1578 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1580 = arith.mulf %1571, %1579 : tensor<1x4x8xf32>
      %1584 = "tt.reduce"(%1580) <{axis = 0 : i32}> ({
      ^bb0(%1581: f32, %1582: f32):
        %1583 = arith.addf %1581, %1582 : f32
        tt.reduce.return %1583 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1585 = tt.reshape %1584 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1589 = "tt.reduce"(%1585) <{axis = 1 : i32}> ({
      ^bb0(%1586: f32, %1587: f32):
        %1588 = arith.addf %1586, %1587 : f32
        tt.reduce.return %1588 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1590 = tt.expand_dims %1589 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1591 = tt.reshape %1516 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1595 = "tt.reduce"(%1591) <{axis = 1 : i32}> ({
      ^bb0(%1592: f32, %1593: f32):
        %1594 = arith.addf %1592, %1593 : f32
        tt.reduce.return %1594 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1596 = tt.expand_dims %1595 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1597 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1598 = tt.reshape %1597 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1599 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1600 = arith.cmpi eq, %1598, %1599 : tensor<1x2x1x1xi32>
      %1601 = tt.broadcast %1600 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1602 = tt.broadcast %1596 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1603 = tt.broadcast %1590 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1604 = arith.select %1601, %1602, %1603 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1605 = tt.reshape %1604 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1606 = arith.mulf %1573, %72 : tensor<1x4x8xf32>
      %1610 = "tt.reduce"(%1606) <{axis = 0 : i32}> ({
      ^bb0(%1607: f32, %1608: f32):
        %1609 = arith.addf %1607, %1608 : f32
        tt.reduce.return %1609 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1611 = tt.reshape %1610 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1615 = "tt.reduce"(%1611) <{axis = 1 : i32}> ({
      ^bb0(%1612: f32, %1613: f32):
        %1614 = arith.addf %1612, %1613 : f32
        tt.reduce.return %1614 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1616 = tt.expand_dims %1615 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1617 = tt.reshape %1521 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1621 = "tt.reduce"(%1617) <{axis = 1 : i32}> ({
      ^bb0(%1618: f32, %1619: f32):
        %1620 = arith.addf %1618, %1619 : f32
        tt.reduce.return %1620 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1622 = tt.expand_dims %1621 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1623 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1624 = tt.reshape %1623 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1625 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1626 = arith.cmpi eq, %1624, %1625 : tensor<1x2x1x1xi32>
      %1627 = tt.broadcast %1626 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1628 = tt.broadcast %1622 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1629 = tt.broadcast %1616 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1630 = arith.select %1627, %1628, %1629 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1631 = tt.reshape %1630 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1632 = arith.mulf %833, %839 : tensor<8xf32>
      %1633 = tt.expand_dims %1632 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1634 = tt.expand_dims %1633 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1635 = tt.broadcast %1634 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1636 = arith.mulf %1571, %1635 : tensor<1x4x8xf32>
      %1637 = tt.expand_dims %1007 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1638 = tt.expand_dims %1637 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1639 = tt.broadcast %1638 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1640 = arith.mulf %1000, %1639 : tensor<1x4x8xf32>
      %1641 = tt.expand_dims %1405 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1642 = tt.expand_dims %1641 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1643 = tt.expand_dims %661 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1644 = tt.broadcast %1642 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1645 = tt.broadcast %1643 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1646 = math.fma %1644, %1645, %1537 : tensor<1x4x8xf32>
      %1647 = arith.mulf %1646, %1390 : tensor<1x4x8xf32>
      %1648 = arith.mulf %1647, %1376 : tensor<1x4x8xf32>
      %1649 = tt.expand_dims %1238 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1650 = tt.expand_dims %1649 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1651 = tt.broadcast %1650 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1652 = math.fma %1651, %1648, %1542 : tensor<1x4x8xf32>
      %1653 = tt.expand_dims %655 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1654 = tt.broadcast %1653 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1655 = arith.mulf %1646, %1654 : tensor<1x4x8xf32>
      %1659 = "tt.reduce"(%1655) <{axis = 0 : i32}> ({
      ^bb0(%1656: f32, %1657: f32):
        %1658 = arith.addf %1656, %1657 : f32
        tt.reduce.return %1658 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1660 = tt.reshape %1659 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1664 = "tt.reduce"(%1660) <{axis = 1 : i32}> ({
      ^bb0(%1661: f32, %1662: f32):
        %1663 = arith.addf %1661, %1662 : f32
        tt.reduce.return %1663 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1665 = tt.expand_dims %1664 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1666 = tt.reshape %1549 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1670 = "tt.reduce"(%1666) <{axis = 1 : i32}> ({
      ^bb0(%1667: f32, %1668: f32):
        %1669 = arith.addf %1667, %1668 : f32
        tt.reduce.return %1669 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1671 = tt.expand_dims %1670 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1672 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1673 = tt.reshape %1672 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1674 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1675 = arith.cmpi eq, %1673, %1674 : tensor<1x2x1x1xi32>
      %1676 = tt.broadcast %1675 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1677 = tt.broadcast %1671 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1678 = tt.broadcast %1665 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1679 = arith.select %1676, %1677, %1678 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1680 = tt.reshape %1679 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1681 = arith.mulf %1648, %138 : tensor<1x4x8xf32>
      %1685 = "tt.reduce"(%1681) <{axis = 0 : i32}> ({
      ^bb0(%1682: f32, %1683: f32):
        %1684 = arith.addf %1682, %1683 : f32
        tt.reduce.return %1684 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1686 = tt.reshape %1685 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1690 = "tt.reduce"(%1686) <{axis = 1 : i32}> ({
      ^bb0(%1687: f32, %1688: f32):
        %1689 = arith.addf %1687, %1688 : f32
        tt.reduce.return %1689 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1691 = tt.expand_dims %1690 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1692 = tt.reshape %1554 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1696 = "tt.reduce"(%1692) <{axis = 1 : i32}> ({
      ^bb0(%1693: f32, %1694: f32):
        %1695 = arith.addf %1693, %1694 : f32
        tt.reduce.return %1695 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1697 = tt.expand_dims %1696 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1698 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1699 = tt.reshape %1698 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1700 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1701 = arith.cmpi eq, %1699, %1700 : tensor<1x2x1x1xi32>
      %1702 = tt.broadcast %1701 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1703 = tt.broadcast %1697 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1704 = tt.broadcast %1691 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1705 = arith.select %1702, %1703, %1704 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1706 = tt.reshape %1705 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1707 = arith.mulf %1232, %1238 : tensor<8xf32>
      %1708 = tt.expand_dims %1707 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1709 = tt.expand_dims %1708 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1710 = tt.broadcast %1709 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1711 = arith.mulf %1646, %1710 : tensor<1x4x8xf32>
      %1712 = tt.expand_dims %1405 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1713 = tt.expand_dims %1712 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1714 = tt.broadcast %1713 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1715 = arith.mulf %1398, %1714 : tensor<1x4x8xf32>
      %1716 = arith.addf %1636, %1711 : tensor<1x4x8xf32>
      %1717 = arith.addf %1640, %1715 : tensor<1x4x8xf32>
      %1718 = tt.reshape %1716 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1722 = "tt.reduce"(%1718) <{axis = 3 : i32}> ({
      ^bb0(%1719: f32, %1720: f32):
        %1721 = arith.addf %1719, %1720 : f32
        tt.reduce.return %1721 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1723 = tt.expand_dims %1722 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1724 = tt.reshape %1564 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1728 = "tt.reduce"(%1724) <{axis = 3 : i32}> ({
      ^bb0(%1725: f32, %1726: f32):
        %1727 = arith.addf %1725, %1726 : f32
        tt.reduce.return %1727 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1729 = tt.expand_dims %1728 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1730 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1731 = tt.reshape %1730 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1732 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1733 = arith.cmpi eq, %1731, %1732 : tensor<1x1x1x2x1xi32>
      %1734 = tt.broadcast %1733 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1735 = tt.broadcast %1729 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1736 = tt.broadcast %1723 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1737 = arith.select %1734, %1735, %1736 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1738 = tt.reshape %1737 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1739 = tt.reshape %1717 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1743 = "tt.reduce"(%1739) <{axis = 3 : i32}> ({
      ^bb0(%1740: f32, %1741: f32):
        %1742 = arith.addf %1740, %1741 : f32
        tt.reduce.return %1742 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1744 = tt.expand_dims %1743 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1745 = tt.reshape %1565 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1749 = "tt.reduce"(%1745) <{axis = 3 : i32}> ({
      ^bb0(%1746: f32, %1747: f32):
        %1748 = arith.addf %1746, %1747 : f32
        tt.reduce.return %1748 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1750 = tt.expand_dims %1749 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1751 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1752 = tt.reshape %1751 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1753 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1754 = arith.cmpi eq, %1752, %1753 : tensor<1x1x1x2x1xi32>
      %1755 = tt.broadcast %1754 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1756 = tt.broadcast %1750 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1757 = tt.broadcast %1744 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1758 = arith.select %1755, %1756, %1757 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1759 = tt.reshape %1758 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1760 = tt.expand_dims %985 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1761 = tt.expand_dims %1760 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1762 = tt.expand_dims %638 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1763 = tt.broadcast %1761 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1764 = tt.broadcast %1762 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1765 = math.fma %1763, %1764, %1572 : tensor<1x4x8xf32>
      %1766 = arith.mulf %1765, %970 : tensor<1x4x8xf32>
      %1767 = arith.mulf %1766, %956 : tensor<1x4x8xf32>
      %1768 = tt.expand_dims %825 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1769 = tt.expand_dims %1768 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1770 = tt.broadcast %1769 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1771 = math.fma %1770, %1767, %1577 : tensor<1x4x8xf32>
      %1772 = tt.expand_dims %632 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1773 = tt.broadcast %1772 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1774 = arith.mulf %1765, %1773 : tensor<1x4x8xf32>
      %1778 = "tt.reduce"(%1774) <{axis = 0 : i32}> ({
      ^bb0(%1775: f32, %1776: f32):
        %1777 = arith.addf %1775, %1776 : f32
        tt.reduce.return %1777 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1779 = arith.mulf %1767, %72 : tensor<1x4x8xf32>
      %1783 = "tt.reduce"(%1779) <{axis = 0 : i32}> ({
      ^bb0(%1780: f32, %1781: f32):
        %1782 = arith.addf %1780, %1781 : f32
        tt.reduce.return %1782 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1784 = arith.mulf %819, %825 : tensor<8xf32>
      %1785 = tt.expand_dims %1784 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1786 = tt.expand_dims %1785 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1787 = tt.broadcast %1786 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1788 = arith.mulf %1765, %1787 : tensor<1x4x8xf32>
      %1789 = tt.expand_dims %985 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1790 = tt.expand_dims %1789 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1791 = tt.broadcast %1790 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1792 = arith.mulf %978, %1791 : tensor<1x4x8xf32>
      %1793 = tt.expand_dims %1383 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1794 = tt.expand_dims %1793 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1795 = tt.expand_dims %638 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1796 = tt.broadcast %1794 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1797 = tt.broadcast %1795 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1798 = math.fma %1796, %1797, %1647 : tensor<1x4x8xf32>
      %1799 = arith.mulf %1798, %1368 : tensor<1x4x8xf32>
      %1800 = arith.mulf %1799, %1354 : tensor<1x4x8xf32>
      %1801 = tt.expand_dims %1225 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1802 = tt.expand_dims %1801 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1803 = tt.broadcast %1802 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1804 = math.fma %1803, %1800, %1652 : tensor<1x4x8xf32>
      %1805 = tt.expand_dims %632 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1806 = tt.broadcast %1805 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1807 = arith.mulf %1798, %1806 : tensor<1x4x8xf32>
      %1811 = "tt.reduce"(%1807) <{axis = 0 : i32}> ({
      ^bb0(%1808: f32, %1809: f32):
        %1810 = arith.addf %1808, %1809 : f32
        tt.reduce.return %1810 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1812 = arith.mulf %1800, %138 : tensor<1x4x8xf32>
      %1816 = "tt.reduce"(%1812) <{axis = 0 : i32}> ({
      ^bb0(%1813: f32, %1814: f32):
        %1815 = arith.addf %1813, %1814 : f32
        tt.reduce.return %1815 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1817 = arith.mulf %1219, %1225 : tensor<8xf32>
      %1818 = tt.expand_dims %1817 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1819 = tt.expand_dims %1818 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1820 = tt.broadcast %1819 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1821 = arith.mulf %1798, %1820 : tensor<1x4x8xf32>
      %1822 = tt.expand_dims %1383 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1823 = tt.expand_dims %1822 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1824 = tt.broadcast %1823 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1825 = arith.mulf %1376, %1824 : tensor<1x4x8xf32>
      %1826 = arith.addf %1788, %1821 : tensor<1x4x8xf32>
      %1827 = arith.addf %1792, %1825 : tensor<1x4x8xf32>
      %1828 = tt.expand_dims %963 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1829 = tt.expand_dims %1828 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1830 = tt.expand_dims %615 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1831 = tt.broadcast %1829 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1832 = tt.broadcast %1830 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1833 = math.fma %1831, %1832, %1766 : tensor<1x4x8xf32>
      %1834 = arith.mulf %1833, %948 : tensor<1x4x8xf32>
      %1835 = arith.mulf %1834, %934 : tensor<1x4x8xf32>
      %1836 = tt.expand_dims %811 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1837 = tt.expand_dims %1836 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1838 = tt.broadcast %1837 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1839 = math.fma %1838, %1835, %1771 : tensor<1x4x8xf32>
      %1840 = tt.expand_dims %609 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1841 = tt.broadcast %1840 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1842 = arith.mulf %1833, %1841 : tensor<1x4x8xf32>
      %1846 = "tt.reduce"(%1842) <{axis = 0 : i32}> ({
      ^bb0(%1843: f32, %1844: f32):
        %1845 = arith.addf %1843, %1844 : f32
        tt.reduce.return %1845 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1847 = tt.reshape %1846 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1851 = "tt.reduce"(%1847) <{axis = 1 : i32}> ({
      ^bb0(%1848: f32, %1849: f32):
        %1850 = arith.addf %1848, %1849 : f32
        tt.reduce.return %1850 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1852 = tt.expand_dims %1851 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1853 = tt.reshape %1778 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1857 = "tt.reduce"(%1853) <{axis = 1 : i32}> ({
      ^bb0(%1854: f32, %1855: f32):
        %1856 = arith.addf %1854, %1855 : f32
        tt.reduce.return %1856 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1858 = tt.expand_dims %1857 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1859 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1860 = tt.reshape %1859 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1861 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1862 = arith.cmpi eq, %1860, %1861 : tensor<1x2x1x1xi32>
      %1863 = tt.broadcast %1862 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1864 = tt.broadcast %1858 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1865 = tt.broadcast %1852 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1866 = arith.select %1863, %1864, %1865 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1867 = tt.reshape %1866 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1868 = tt.reshape %1867 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1872 = "tt.reduce"(%1868) <{axis = 1 : i32}> ({
      ^bb0(%1869: f32, %1870: f32):
        %1871 = arith.addf %1869, %1870 : f32
        tt.reduce.return %1871 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1873 = tt.expand_dims %1872 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1874 = tt.reshape %1605 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1878 = "tt.reduce"(%1874) <{axis = 1 : i32}> ({
      ^bb0(%1875: f32, %1876: f32):
        %1877 = arith.addf %1875, %1876 : f32
        tt.reduce.return %1877 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1879 = tt.expand_dims %1878 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1880 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1881 = tt.reshape %1880 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1882 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1883 = arith.cmpi eq, %1881, %1882 : tensor<1x2x1x1xi32>
      %1884 = tt.broadcast %1883 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1885 = tt.broadcast %1879 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1886 = tt.broadcast %1873 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1887 = arith.select %1884, %1885, %1886 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1888 = tt.reshape %1887 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1889 = arith.mulf %1835, %72 : tensor<1x4x8xf32>
      %1893 = "tt.reduce"(%1889) <{axis = 0 : i32}> ({
      ^bb0(%1890: f32, %1891: f32):
        %1892 = arith.addf %1890, %1891 : f32
        tt.reduce.return %1892 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1894 = tt.reshape %1893 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1898 = "tt.reduce"(%1894) <{axis = 1 : i32}> ({
      ^bb0(%1895: f32, %1896: f32):
        %1897 = arith.addf %1895, %1896 : f32
        tt.reduce.return %1897 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1899 = tt.expand_dims %1898 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1900 = tt.reshape %1783 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1904 = "tt.reduce"(%1900) <{axis = 1 : i32}> ({
      ^bb0(%1901: f32, %1902: f32):
        %1903 = arith.addf %1901, %1902 : f32
        tt.reduce.return %1903 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1905 = tt.expand_dims %1904 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1906 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1907 = tt.reshape %1906 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1908 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1909 = arith.cmpi eq, %1907, %1908 : tensor<1x2x1x1xi32>
      %1910 = tt.broadcast %1909 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1911 = tt.broadcast %1905 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1912 = tt.broadcast %1899 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1913 = arith.select %1910, %1911, %1912 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1914 = tt.reshape %1913 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1915 = tt.reshape %1914 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1919 = "tt.reduce"(%1915) <{axis = 1 : i32}> ({
      ^bb0(%1916: f32, %1917: f32):
        %1918 = arith.addf %1916, %1917 : f32
        tt.reduce.return %1918 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1920 = tt.expand_dims %1919 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1921 = tt.reshape %1631 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1925 = "tt.reduce"(%1921) <{axis = 1 : i32}> ({
      ^bb0(%1922: f32, %1923: f32):
        %1924 = arith.addf %1922, %1923 : f32
        tt.reduce.return %1924 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1926 = tt.expand_dims %1925 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1927 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1928 = tt.reshape %1927 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1929 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1930 = arith.cmpi eq, %1928, %1929 : tensor<1x2x1x1xi32>
      %1931 = tt.broadcast %1930 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1932 = tt.broadcast %1926 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1933 = tt.broadcast %1920 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1934 = arith.select %1931, %1932, %1933 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1935 = tt.reshape %1934 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1936 = arith.mulf %1888, %1099 : tensor<4x8xf32>
      %1937 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1938 = tt.expand_dims %1068 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1939 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1940 = arith.muli %1938, %1939 : tensor<4x1xi32>
      %1941 = tt.broadcast %1937 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1942 = tt.broadcast %1940 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1943 = tt.addptr %1941, %1942 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1944 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1945 = tt.expand_dims %1070 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1946 = tt.broadcast %1944 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1947 = tt.broadcast %1945 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1948 = arith.andi %1946, %1947 : tensor<4x8xi1>
      %1949 = arith.truncf %1936 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1943, %1949, %1948 : tensor<4x8x!tt.ptr<bf16>>
      %1951 = tt.splat %1950 : f32 -> tensor<4x8xf32>
      %1952 = arith.mulf %1935, %1951 : tensor<4x8xf32>
      %1953 = math.fma %1085, %1888, %1952 : tensor<4x8xf32>
      %1954 = tt.expand_dims %87 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1955 = tt.expand_dims %1068 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1956 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1957 = arith.muli %1955, %1956 : tensor<4x1xi32>
      %1958 = tt.broadcast %1954 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1959 = tt.broadcast %1957 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1960 = tt.addptr %1958, %1959 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1961 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1962 = tt.expand_dims %1070 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1963 = tt.broadcast %1961 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1964 = tt.broadcast %1962 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1965 = arith.andi %1963, %1964 : tensor<4x8xi1>
      tt.store %1960, %1953, %1965 : tensor<4x8x!tt.ptr<f32>>
      %1966 = arith.mulf %805, %811 : tensor<8xf32>
      %1967 = tt.expand_dims %1966 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1968 = tt.expand_dims %1967 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1969 = tt.broadcast %1968 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1970 = arith.mulf %1833, %1969 : tensor<1x4x8xf32>
      %1971 = tt.expand_dims %963 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1972 = tt.expand_dims %1971 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1973 = tt.broadcast %1972 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1974 = arith.mulf %956, %1973 : tensor<1x4x8xf32>
      %1975 = tt.expand_dims %1361 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1976 = tt.expand_dims %1975 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1977 = tt.expand_dims %615 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1978 = tt.broadcast %1976 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1979 = tt.broadcast %1977 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1980 = math.fma %1978, %1979, %1799 : tensor<1x4x8xf32>
      %1981 = arith.mulf %1980, %1346 : tensor<1x4x8xf32>
      %1982 = arith.mulf %1981, %1332 : tensor<1x4x8xf32>
      %1983 = tt.expand_dims %1212 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1984 = tt.expand_dims %1983 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1985 = tt.broadcast %1984 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1986 = math.fma %1985, %1982, %1804 : tensor<1x4x8xf32>
      %1987 = tt.expand_dims %609 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1988 = tt.broadcast %1987 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1989 = arith.mulf %1980, %1988 : tensor<1x4x8xf32>
      %1993 = "tt.reduce"(%1989) <{axis = 0 : i32}> ({
      ^bb0(%1990: f32, %1991: f32):
        %1992 = arith.addf %1990, %1991 : f32
        tt.reduce.return %1992 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1994 = tt.reshape %1993 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1998 = "tt.reduce"(%1994) <{axis = 1 : i32}> ({
      ^bb0(%1995: f32, %1996: f32):
        %1997 = arith.addf %1995, %1996 : f32
        tt.reduce.return %1997 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1999 = tt.expand_dims %1998 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2000 = tt.reshape %1811 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2004 = "tt.reduce"(%2000) <{axis = 1 : i32}> ({
      ^bb0(%2001: f32, %2002: f32):
        %2003 = arith.addf %2001, %2002 : f32
        tt.reduce.return %2003 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2005 = tt.expand_dims %2004 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2006 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2007 = tt.reshape %2006 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2008 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2009 = arith.cmpi eq, %2007, %2008 : tensor<1x2x1x1xi32>
      %2010 = tt.broadcast %2009 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2011 = tt.broadcast %2005 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2012 = tt.broadcast %1999 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2013 = arith.select %2010, %2011, %2012 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2014 = tt.reshape %2013 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2015 = tt.reshape %2014 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2019 = "tt.reduce"(%2015) <{axis = 1 : i32}> ({
      ^bb0(%2016: f32, %2017: f32):
        %2018 = arith.addf %2016, %2017 : f32
        tt.reduce.return %2018 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2020 = tt.expand_dims %2019 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2021 = tt.reshape %1680 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2025 = "tt.reduce"(%2021) <{axis = 1 : i32}> ({
      ^bb0(%2022: f32, %2023: f32):
        %2024 = arith.addf %2022, %2023 : f32
        tt.reduce.return %2024 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2026 = tt.expand_dims %2025 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2027 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2028 = tt.reshape %2027 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2029 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2030 = arith.cmpi eq, %2028, %2029 : tensor<1x2x1x1xi32>
      %2031 = tt.broadcast %2030 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2032 = tt.broadcast %2026 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2033 = tt.broadcast %2020 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2034 = arith.select %2031, %2032, %2033 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2035 = tt.reshape %2034 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2036 = arith.mulf %1982, %138 : tensor<1x4x8xf32>
      %2040 = "tt.reduce"(%2036) <{axis = 0 : i32}> ({
      ^bb0(%2037: f32, %2038: f32):
        %2039 = arith.addf %2037, %2038 : f32
        tt.reduce.return %2039 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2041 = tt.reshape %2040 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2045 = "tt.reduce"(%2041) <{axis = 1 : i32}> ({
      ^bb0(%2042: f32, %2043: f32):
        %2044 = arith.addf %2042, %2043 : f32
        tt.reduce.return %2044 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2046 = tt.expand_dims %2045 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2047 = tt.reshape %1816 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2051 = "tt.reduce"(%2047) <{axis = 1 : i32}> ({
      ^bb0(%2048: f32, %2049: f32):
        %2050 = arith.addf %2048, %2049 : f32
        tt.reduce.return %2050 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2052 = tt.expand_dims %2051 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2053 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2054 = tt.reshape %2053 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2055 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2056 = arith.cmpi eq, %2054, %2055 : tensor<1x2x1x1xi32>
      %2057 = tt.broadcast %2056 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2058 = tt.broadcast %2052 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2059 = tt.broadcast %2046 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2060 = arith.select %2057, %2058, %2059 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2061 = tt.reshape %2060 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2062 = tt.reshape %2061 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2066 = "tt.reduce"(%2062) <{axis = 1 : i32}> ({
      ^bb0(%2063: f32, %2064: f32):
        %2065 = arith.addf %2063, %2064 : f32
        tt.reduce.return %2065 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2067 = tt.expand_dims %2066 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2068 = tt.reshape %1706 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2072 = "tt.reduce"(%2068) <{axis = 1 : i32}> ({
      ^bb0(%2069: f32, %2070: f32):
        %2071 = arith.addf %2069, %2070 : f32
        tt.reduce.return %2071 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2073 = tt.expand_dims %2072 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2074 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2075 = tt.reshape %2074 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2076 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2077 = arith.cmpi eq, %2075, %2076 : tensor<1x2x1x1xi32>
      %2078 = tt.broadcast %2077 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2079 = tt.broadcast %2073 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2080 = tt.broadcast %2067 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2081 = arith.select %2078, %2079, %2080 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2082 = tt.reshape %2081 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2083 = arith.mulf %2035, %1497 : tensor<4x8xf32>
      %2084 = tt.expand_dims %148 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2085 = tt.expand_dims %1466 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2086 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2087 = arith.muli %2085, %2086 : tensor<4x1xi32>
      %2088 = tt.broadcast %2084 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2089 = tt.broadcast %2087 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2090 = tt.addptr %2088, %2089 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2091 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2092 = tt.expand_dims %1468 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2093 = tt.broadcast %2091 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2094 = tt.broadcast %2092 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2095 = arith.andi %2093, %2094 : tensor<4x8xi1>
      %2096 = arith.truncf %2083 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2090, %2096, %2095 : tensor<4x8x!tt.ptr<bf16>>
      %2097 = tt.splat %1950 : f32 -> tensor<4x8xf32>
      %2098 = arith.mulf %2082, %2097 : tensor<4x8xf32>
      %2099 = math.fma %1483, %2035, %2098 : tensor<4x8xf32>
      %2100 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2101 = tt.expand_dims %1466 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2102 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2103 = arith.muli %2101, %2102 : tensor<4x1xi32>
      %2104 = tt.broadcast %2100 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2105 = tt.broadcast %2103 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2106 = tt.addptr %2104, %2105 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2107 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2108 = tt.expand_dims %1468 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2109 = tt.broadcast %2107 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2110 = tt.broadcast %2108 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2111 = arith.andi %2109, %2110 : tensor<4x8xi1>
      tt.store %2106, %2099, %2111 : tensor<4x8x!tt.ptr<f32>>
      %2112 = arith.mulf %1206, %1212 : tensor<8xf32>
      %2113 = tt.expand_dims %2112 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2114 = tt.expand_dims %2113 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2115 = tt.broadcast %2114 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2116 = arith.mulf %1980, %2115 : tensor<1x4x8xf32>
      %2117 = tt.expand_dims %1361 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2118 = tt.expand_dims %2117 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2119 = tt.broadcast %2118 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2120 = arith.mulf %1354, %2119 : tensor<1x4x8xf32>
      %2121 = arith.addf %1970, %2116 : tensor<1x4x8xf32>
      %2122 = arith.addf %1974, %2120 : tensor<1x4x8xf32>
      %2123 = tt.reshape %2121 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2127 = "tt.reduce"(%2123) <{axis = 3 : i32}> ({
      ^bb0(%2124: f32, %2125: f32):
        %2126 = arith.addf %2124, %2125 : f32
        tt.reduce.return %2126 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2128 = tt.expand_dims %2127 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2129 = tt.reshape %1826 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2133 = "tt.reduce"(%2129) <{axis = 3 : i32}> ({
      ^bb0(%2130: f32, %2131: f32):
        %2132 = arith.addf %2130, %2131 : f32
        tt.reduce.return %2132 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2134 = tt.expand_dims %2133 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2135 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2136 = tt.reshape %2135 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2137 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2138 = arith.cmpi eq, %2136, %2137 : tensor<1x1x1x2x1xi32>
      %2139 = tt.broadcast %2138 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2140 = tt.broadcast %2134 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2141 = tt.broadcast %2128 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2142 = arith.select %2139, %2140, %2141 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2143 = tt.reshape %2142 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2144 = tt.reshape %2143 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2148 = "tt.reduce"(%2144) <{axis = 3 : i32}> ({
      ^bb0(%2145: f32, %2146: f32):
        %2147 = arith.addf %2145, %2146 : f32
        tt.reduce.return %2147 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2149 = tt.expand_dims %2148 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2150 = tt.reshape %1738 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2154 = "tt.reduce"(%2150) <{axis = 3 : i32}> ({
      ^bb0(%2151: f32, %2152: f32):
        %2153 = arith.addf %2151, %2152 : f32
        tt.reduce.return %2153 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2155 = tt.expand_dims %2154 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2156 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2157 = tt.reshape %2156 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2158 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2159 = arith.cmpi eq, %2157, %2158 : tensor<1x1x1x2x1xi32>
      %2160 = tt.broadcast %2159 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2161 = tt.broadcast %2155 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2162 = tt.broadcast %2149 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2163 = arith.select %2160, %2161, %2162 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2164 = tt.reshape %2163 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2165 = tt.reshape %2122 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2169 = "tt.reduce"(%2165) <{axis = 3 : i32}> ({
      ^bb0(%2166: f32, %2167: f32):
        %2168 = arith.addf %2166, %2167 : f32
        tt.reduce.return %2168 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2170 = tt.expand_dims %2169 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2171 = tt.reshape %1827 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2175 = "tt.reduce"(%2171) <{axis = 3 : i32}> ({
      ^bb0(%2172: f32, %2173: f32):
        %2174 = arith.addf %2172, %2173 : f32
        tt.reduce.return %2174 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2176 = tt.expand_dims %2175 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2177 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2178 = tt.reshape %2177 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2179 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2180 = arith.cmpi eq, %2178, %2179 : tensor<1x1x1x2x1xi32>
      %2181 = tt.broadcast %2180 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2182 = tt.broadcast %2176 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2183 = tt.broadcast %2170 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2184 = arith.select %2181, %2182, %2183 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2185 = tt.reshape %2184 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2186 = tt.reshape %2185 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2190 = "tt.reduce"(%2186) <{axis = 3 : i32}> ({
      ^bb0(%2187: f32, %2188: f32):
        %2189 = arith.addf %2187, %2188 : f32
        tt.reduce.return %2189 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2191 = tt.expand_dims %2190 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2192 = tt.reshape %1759 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2196 = "tt.reduce"(%2192) <{axis = 3 : i32}> ({
      ^bb0(%2193: f32, %2194: f32):
        %2195 = arith.addf %2193, %2194 : f32
        tt.reduce.return %2195 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2197 = tt.expand_dims %2196 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2198 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2199 = tt.reshape %2198 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2200 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2201 = arith.cmpi eq, %2199, %2200 : tensor<1x1x1x2x1xi32>
      %2202 = tt.broadcast %2201 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2203 = tt.broadcast %2197 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2204 = tt.broadcast %2191 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2205 = arith.select %2202, %2203, %2204 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2206 = tt.reshape %2205 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2207 = tt.expand_dims %941 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2208 = tt.expand_dims %2207 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2209 = tt.expand_dims %592 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2210 = tt.broadcast %2208 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2211 = tt.broadcast %2209 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2212 = math.fma %2210, %2211, %1834 : tensor<1x4x8xf32>
      %2213 = arith.mulf %2212, %926 : tensor<1x4x8xf32>
      %2214 = arith.mulf %2213, %912 : tensor<1x4x8xf32>
      %2215 = tt.expand_dims %797 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2216 = tt.expand_dims %2215 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2217 = tt.broadcast %2216 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2218 = math.fma %2217, %2214, %1839 : tensor<1x4x8xf32>
      %2219 = tt.expand_dims %586 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2220 = tt.broadcast %2219 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2221 = arith.mulf %2212, %2220 : tensor<1x4x8xf32>
      %2225 = "tt.reduce"(%2221) <{axis = 0 : i32}> ({
      ^bb0(%2222: f32, %2223: f32):
        %2224 = arith.addf %2222, %2223 : f32
        tt.reduce.return %2224 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2226 = arith.mulf %2214, %72 : tensor<1x4x8xf32>
      %2230 = "tt.reduce"(%2226) <{axis = 0 : i32}> ({
      ^bb0(%2227: f32, %2228: f32):
        %2229 = arith.addf %2227, %2228 : f32
        tt.reduce.return %2229 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2231 = arith.mulf %791, %797 : tensor<8xf32>
      %2232 = tt.expand_dims %2231 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2233 = tt.expand_dims %2232 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2234 = tt.broadcast %2233 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2235 = arith.mulf %2212, %2234 : tensor<1x4x8xf32>
      %2236 = tt.expand_dims %941 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2237 = tt.expand_dims %2236 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2238 = tt.broadcast %2237 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2239 = arith.mulf %934, %2238 : tensor<1x4x8xf32>
      %2240 = tt.expand_dims %1339 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2241 = tt.expand_dims %2240 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2242 = tt.expand_dims %592 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2243 = tt.broadcast %2241 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2244 = tt.broadcast %2242 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2245 = math.fma %2243, %2244, %1981 : tensor<1x4x8xf32>
      %2246 = arith.mulf %2245, %1324 : tensor<1x4x8xf32>
      %2247 = arith.mulf %2246, %1310 : tensor<1x4x8xf32>
      %2248 = tt.expand_dims %1199 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2249 = tt.expand_dims %2248 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2250 = tt.broadcast %2249 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2251 = math.fma %2250, %2247, %1986 : tensor<1x4x8xf32>
      %2252 = tt.expand_dims %586 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2253 = tt.broadcast %2252 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2254 = arith.mulf %2245, %2253 : tensor<1x4x8xf32>
      %2258 = "tt.reduce"(%2254) <{axis = 0 : i32}> ({
      ^bb0(%2255: f32, %2256: f32):
        %2257 = arith.addf %2255, %2256 : f32
        tt.reduce.return %2257 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2259 = arith.mulf %2247, %138 : tensor<1x4x8xf32>
      %2263 = "tt.reduce"(%2259) <{axis = 0 : i32}> ({
      ^bb0(%2260: f32, %2261: f32):
        %2262 = arith.addf %2260, %2261 : f32
        tt.reduce.return %2262 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2264 = arith.mulf %1193, %1199 : tensor<8xf32>
      %2265 = tt.expand_dims %2264 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2266 = tt.expand_dims %2265 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2267 = tt.broadcast %2266 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2268 = arith.mulf %2245, %2267 : tensor<1x4x8xf32>
      %2269 = tt.expand_dims %1339 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2270 = tt.expand_dims %2269 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2271 = tt.broadcast %2270 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2272 = arith.mulf %1332, %2271 : tensor<1x4x8xf32>
      %2273 = arith.addf %2235, %2268 : tensor<1x4x8xf32>
      %2274 = arith.addf %2239, %2272 : tensor<1x4x8xf32>
      %2275 = tt.expand_dims %919 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2276 = tt.expand_dims %2275 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2277 = tt.expand_dims %570 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2278 = tt.broadcast %2276 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2279 = tt.broadcast %2277 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2280 = math.fma %2278, %2279, %2213 : tensor<1x4x8xf32>
      %2281 = arith.mulf %2280, %904 : tensor<1x4x8xf32>
      %2282 = arith.mulf %2281, %890 : tensor<1x4x8xf32>
      %2283 = tt.expand_dims %783 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2284 = tt.expand_dims %2283 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2285 = tt.broadcast %2284 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2286 = math.fma %2285, %2282, %2218 : tensor<1x4x8xf32>
      %2287 = tt.expand_dims %564 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2288 = tt.broadcast %2287 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2289 = arith.mulf %2280, %2288 : tensor<1x4x8xf32>
      %2293 = "tt.reduce"(%2289) <{axis = 0 : i32}> ({
      ^bb0(%2290: f32, %2291: f32):
        %2292 = arith.addf %2290, %2291 : f32
        tt.reduce.return %2292 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2294 = tt.reshape %2293 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2298 = "tt.reduce"(%2294) <{axis = 1 : i32}> ({
      ^bb0(%2295: f32, %2296: f32):
        %2297 = arith.addf %2295, %2296 : f32
        tt.reduce.return %2297 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2299 = tt.expand_dims %2298 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2300 = tt.reshape %2225 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2304 = "tt.reduce"(%2300) <{axis = 1 : i32}> ({
      ^bb0(%2301: f32, %2302: f32):
        %2303 = arith.addf %2301, %2302 : f32
        tt.reduce.return %2303 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2305 = tt.expand_dims %2304 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2306 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2307 = tt.reshape %2306 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2308 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2309 = arith.cmpi eq, %2307, %2308 : tensor<1x2x1x1xi32>
      %2310 = tt.broadcast %2309 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2311 = tt.broadcast %2305 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2312 = tt.broadcast %2299 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2313 = arith.select %2310, %2311, %2312 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2314 = tt.reshape %2313 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2315 = arith.mulf %2282, %72 : tensor<1x4x8xf32>
      %2319 = "tt.reduce"(%2315) <{axis = 0 : i32}> ({
      ^bb0(%2316: f32, %2317: f32):
        %2318 = arith.addf %2316, %2317 : f32
        tt.reduce.return %2318 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2320 = tt.reshape %2319 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2324 = "tt.reduce"(%2320) <{axis = 1 : i32}> ({
      ^bb0(%2321: f32, %2322: f32):
        %2323 = arith.addf %2321, %2322 : f32
        tt.reduce.return %2323 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2325 = tt.expand_dims %2324 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2326 = tt.reshape %2230 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2330 = "tt.reduce"(%2326) <{axis = 1 : i32}> ({
      ^bb0(%2327: f32, %2328: f32):
        %2329 = arith.addf %2327, %2328 : f32
        tt.reduce.return %2329 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2331 = tt.expand_dims %2330 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2332 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2333 = tt.reshape %2332 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2334 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2335 = arith.cmpi eq, %2333, %2334 : tensor<1x2x1x1xi32>
      %2336 = tt.broadcast %2335 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2337 = tt.broadcast %2331 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2338 = tt.broadcast %2325 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2339 = arith.select %2336, %2337, %2338 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2340 = tt.reshape %2339 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2341 = arith.mulf %777, %783 : tensor<8xf32>
      %2342 = tt.expand_dims %2341 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2343 = tt.expand_dims %2342 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2344 = tt.broadcast %2343 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2345 = arith.mulf %2280, %2344 : tensor<1x4x8xf32>
      %2346 = tt.expand_dims %919 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2347 = tt.expand_dims %2346 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2348 = tt.broadcast %2347 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2349 = arith.mulf %912, %2348 : tensor<1x4x8xf32>
      %2350 = tt.expand_dims %1317 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2351 = tt.expand_dims %2350 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2352 = tt.expand_dims %570 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2353 = tt.broadcast %2351 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2354 = tt.broadcast %2352 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2355 = math.fma %2353, %2354, %2246 : tensor<1x4x8xf32>
      %2356 = arith.mulf %2355, %1302 : tensor<1x4x8xf32>
      %2357 = arith.mulf %2356, %1288 : tensor<1x4x8xf32>
      %2358 = tt.expand_dims %1186 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2359 = tt.expand_dims %2358 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2360 = tt.broadcast %2359 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2361 = math.fma %2360, %2357, %2251 : tensor<1x4x8xf32>
      %2362 = tt.expand_dims %564 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2363 = tt.broadcast %2362 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2364 = arith.mulf %2355, %2363 : tensor<1x4x8xf32>
      %2368 = "tt.reduce"(%2364) <{axis = 0 : i32}> ({
      ^bb0(%2365: f32, %2366: f32):
        %2367 = arith.addf %2365, %2366 : f32
        tt.reduce.return %2367 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2369 = tt.reshape %2368 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2373 = "tt.reduce"(%2369) <{axis = 1 : i32}> ({
      ^bb0(%2370: f32, %2371: f32):
        %2372 = arith.addf %2370, %2371 : f32
        tt.reduce.return %2372 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2374 = tt.expand_dims %2373 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2375 = tt.reshape %2258 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2379 = "tt.reduce"(%2375) <{axis = 1 : i32}> ({
      ^bb0(%2376: f32, %2377: f32):
        %2378 = arith.addf %2376, %2377 : f32
        tt.reduce.return %2378 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2380 = tt.expand_dims %2379 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2381 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2382 = tt.reshape %2381 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2383 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2384 = arith.cmpi eq, %2382, %2383 : tensor<1x2x1x1xi32>
      %2385 = tt.broadcast %2384 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2386 = tt.broadcast %2380 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2387 = tt.broadcast %2374 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2388 = arith.select %2385, %2386, %2387 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2389 = tt.reshape %2388 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2390 = arith.mulf %2357, %138 : tensor<1x4x8xf32>
      %2394 = "tt.reduce"(%2390) <{axis = 0 : i32}> ({
      ^bb0(%2391: f32, %2392: f32):
        %2393 = arith.addf %2391, %2392 : f32
        tt.reduce.return %2393 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2395 = tt.reshape %2394 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2399 = "tt.reduce"(%2395) <{axis = 1 : i32}> ({
      ^bb0(%2396: f32, %2397: f32):
        %2398 = arith.addf %2396, %2397 : f32
        tt.reduce.return %2398 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2400 = tt.expand_dims %2399 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2401 = tt.reshape %2263 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2405 = "tt.reduce"(%2401) <{axis = 1 : i32}> ({
      ^bb0(%2402: f32, %2403: f32):
        %2404 = arith.addf %2402, %2403 : f32
        tt.reduce.return %2404 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2406 = tt.expand_dims %2405 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2407 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2408 = tt.reshape %2407 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2409 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2410 = arith.cmpi eq, %2408, %2409 : tensor<1x2x1x1xi32>
      %2411 = tt.broadcast %2410 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2412 = tt.broadcast %2406 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2413 = tt.broadcast %2400 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2414 = arith.select %2411, %2412, %2413 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2415 = tt.reshape %2414 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2416 = arith.mulf %1180, %1186 : tensor<8xf32>
      %2417 = tt.expand_dims %2416 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2418 = tt.expand_dims %2417 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2419 = tt.broadcast %2418 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2420 = arith.mulf %2355, %2419 : tensor<1x4x8xf32>
      %2421 = tt.expand_dims %1317 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2422 = tt.expand_dims %2421 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2423 = tt.broadcast %2422 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2424 = arith.mulf %1310, %2423 : tensor<1x4x8xf32>
      %2425 = arith.addf %2345, %2420 : tensor<1x4x8xf32>
      %2426 = arith.addf %2349, %2424 : tensor<1x4x8xf32>
      %2427 = tt.reshape %2425 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2431 = "tt.reduce"(%2427) <{axis = 3 : i32}> ({
      ^bb0(%2428: f32, %2429: f32):
        %2430 = arith.addf %2428, %2429 : f32
        tt.reduce.return %2430 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2432 = tt.expand_dims %2431 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2433 = tt.reshape %2273 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2437 = "tt.reduce"(%2433) <{axis = 3 : i32}> ({
      ^bb0(%2434: f32, %2435: f32):
        %2436 = arith.addf %2434, %2435 : f32
        tt.reduce.return %2436 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2438 = tt.expand_dims %2437 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2439 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2440 = tt.reshape %2439 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2441 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2442 = arith.cmpi eq, %2440, %2441 : tensor<1x1x1x2x1xi32>
      %2443 = tt.broadcast %2442 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2444 = tt.broadcast %2438 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2445 = tt.broadcast %2432 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2446 = arith.select %2443, %2444, %2445 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2447 = tt.reshape %2446 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2448 = tt.reshape %2426 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2452 = "tt.reduce"(%2448) <{axis = 3 : i32}> ({
      ^bb0(%2449: f32, %2450: f32):
        %2451 = arith.addf %2449, %2450 : f32
        tt.reduce.return %2451 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2453 = tt.expand_dims %2452 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2454 = tt.reshape %2274 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2458 = "tt.reduce"(%2454) <{axis = 3 : i32}> ({
      ^bb0(%2455: f32, %2456: f32):
        %2457 = arith.addf %2455, %2456 : f32
        tt.reduce.return %2457 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2459 = tt.expand_dims %2458 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2460 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2461 = tt.reshape %2460 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2462 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2463 = arith.cmpi eq, %2461, %2462 : tensor<1x1x1x2x1xi32>
      %2464 = tt.broadcast %2463 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2465 = tt.broadcast %2459 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2466 = tt.broadcast %2453 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2467 = arith.select %2464, %2465, %2466 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2468 = tt.reshape %2467 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2469 = tt.expand_dims %897 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2470 = tt.expand_dims %2469 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2471 = tt.expand_dims %548 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2472 = tt.broadcast %2470 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2473 = tt.broadcast %2471 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2474 = math.fma %2472, %2473, %2281 : tensor<1x4x8xf32>
      %2475 = arith.mulf %2474, %882 : tensor<1x4x8xf32>
      %2476 = arith.mulf %2475, %868 : tensor<1x4x8xf32>
      %2477 = tt.expand_dims %769 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2478 = tt.expand_dims %2477 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2479 = tt.broadcast %2478 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2480 = math.fma %2479, %2476, %2286 : tensor<1x4x8xf32>
      %2481 = tt.expand_dims %542 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2482 = tt.broadcast %2481 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2483 = arith.mulf %2474, %2482 : tensor<1x4x8xf32>
      %2487 = "tt.reduce"(%2483) <{axis = 0 : i32}> ({
      ^bb0(%2484: f32, %2485: f32):
        %2486 = arith.addf %2484, %2485 : f32
        tt.reduce.return %2486 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2488 = arith.mulf %2476, %72 : tensor<1x4x8xf32>
      %2492 = "tt.reduce"(%2488) <{axis = 0 : i32}> ({
      ^bb0(%2489: f32, %2490: f32):
        %2491 = arith.addf %2489, %2490 : f32
        tt.reduce.return %2491 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2493 = arith.mulf %763, %769 : tensor<8xf32>
      %2494 = tt.expand_dims %2493 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2495 = tt.expand_dims %2494 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2496 = tt.broadcast %2495 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2497 = arith.mulf %2474, %2496 : tensor<1x4x8xf32>
      %2498 = tt.expand_dims %897 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2499 = tt.expand_dims %2498 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2500 = tt.broadcast %2499 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2501 = arith.mulf %890, %2500 : tensor<1x4x8xf32>
      %2502 = tt.expand_dims %1295 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2503 = tt.expand_dims %2502 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2504 = tt.expand_dims %548 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2505 = tt.broadcast %2503 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2506 = tt.broadcast %2504 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2507 = math.fma %2505, %2506, %2356 : tensor<1x4x8xf32>
      %2508 = arith.mulf %2507, %1280 : tensor<1x4x8xf32>
      %2509 = arith.mulf %2508, %1266 : tensor<1x4x8xf32>
      %2510 = tt.expand_dims %1173 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2511 = tt.expand_dims %2510 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2512 = tt.broadcast %2511 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2513 = math.fma %2512, %2509, %2361 : tensor<1x4x8xf32>
      %2514 = tt.expand_dims %542 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2515 = tt.broadcast %2514 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2516 = arith.mulf %2507, %2515 : tensor<1x4x8xf32>
      %2520 = "tt.reduce"(%2516) <{axis = 0 : i32}> ({
      ^bb0(%2517: f32, %2518: f32):
        %2519 = arith.addf %2517, %2518 : f32
        tt.reduce.return %2519 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2521 = arith.mulf %2509, %138 : tensor<1x4x8xf32>
      %2525 = "tt.reduce"(%2521) <{axis = 0 : i32}> ({
      ^bb0(%2522: f32, %2523: f32):
        %2524 = arith.addf %2522, %2523 : f32
        tt.reduce.return %2524 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2526 = arith.mulf %1167, %1173 : tensor<8xf32>
      %2527 = tt.expand_dims %2526 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2528 = tt.expand_dims %2527 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2529 = tt.broadcast %2528 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2530 = arith.mulf %2507, %2529 : tensor<1x4x8xf32>
      %2531 = tt.expand_dims %1295 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2532 = tt.expand_dims %2531 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2533 = tt.broadcast %2532 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2534 = arith.mulf %1288, %2533 : tensor<1x4x8xf32>
      %2535 = arith.addf %2497, %2530 : tensor<1x4x8xf32>
      %2536 = arith.addf %2501, %2534 : tensor<1x4x8xf32>
      %2537 = tt.expand_dims %875 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2538 = tt.expand_dims %2537 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2539 = tt.expand_dims %525 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2540 = tt.broadcast %2538 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2541 = tt.broadcast %2539 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2542 = math.fma %2540, %2541, %2475 : tensor<1x4x8xf32>
      %2543 = arith.mulf %2542, %860 : tensor<1x4x8xf32>
      %2544 = arith.mulf %2543, %717 : tensor<1x4x8xf32>
      %2545 = tt.expand_dims %756 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2546 = tt.expand_dims %2545 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2547 = tt.broadcast %2546 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2548 = math.fma %2547, %2544, %2480 : tensor<1x4x8xf32>
      %2549 = tt.expand_dims %519 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2550 = tt.broadcast %2549 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2551 = arith.mulf %2542, %2550 : tensor<1x4x8xf32>
      %2555 = "tt.reduce"(%2551) <{axis = 0 : i32}> ({
      ^bb0(%2552: f32, %2553: f32):
        %2554 = arith.addf %2552, %2553 : f32
        tt.reduce.return %2554 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2556 = tt.reshape %2555 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2560 = "tt.reduce"(%2556) <{axis = 1 : i32}> ({
      ^bb0(%2557: f32, %2558: f32):
        %2559 = arith.addf %2557, %2558 : f32
        tt.reduce.return %2559 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2561 = tt.expand_dims %2560 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2562 = tt.reshape %2487 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2566 = "tt.reduce"(%2562) <{axis = 1 : i32}> ({
      ^bb0(%2563: f32, %2564: f32):
        %2565 = arith.addf %2563, %2564 : f32
        tt.reduce.return %2565 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2567 = tt.expand_dims %2566 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2568 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2569 = tt.reshape %2568 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2570 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2571 = arith.cmpi eq, %2569, %2570 : tensor<1x2x1x1xi32>
      %2572 = tt.broadcast %2571 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2573 = tt.broadcast %2567 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2574 = tt.broadcast %2561 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2575 = arith.select %2572, %2573, %2574 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2576 = tt.reshape %2575 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2577 = tt.reshape %2576 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2581 = "tt.reduce"(%2577) <{axis = 1 : i32}> ({
      ^bb0(%2578: f32, %2579: f32):
        %2580 = arith.addf %2578, %2579 : f32
        tt.reduce.return %2580 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2582 = tt.expand_dims %2581 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2583 = tt.reshape %2314 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2587 = "tt.reduce"(%2583) <{axis = 1 : i32}> ({
      ^bb0(%2584: f32, %2585: f32):
        %2586 = arith.addf %2584, %2585 : f32
        tt.reduce.return %2586 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2588 = tt.expand_dims %2587 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2589 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2590 = tt.reshape %2589 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2591 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2592 = arith.cmpi eq, %2590, %2591 : tensor<1x2x1x1xi32>
      %2593 = tt.broadcast %2592 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2594 = tt.broadcast %2588 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2595 = tt.broadcast %2582 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2596 = arith.select %2593, %2594, %2595 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2597 = tt.reshape %2596 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2598 = arith.mulf %2544, %72 : tensor<1x4x8xf32>
      %2602 = "tt.reduce"(%2598) <{axis = 0 : i32}> ({
      ^bb0(%2599: f32, %2600: f32):
        %2601 = arith.addf %2599, %2600 : f32
        tt.reduce.return %2601 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2603 = tt.reshape %2602 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2607 = "tt.reduce"(%2603) <{axis = 1 : i32}> ({
      ^bb0(%2604: f32, %2605: f32):
        %2606 = arith.addf %2604, %2605 : f32
        tt.reduce.return %2606 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2608 = tt.expand_dims %2607 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2609 = tt.reshape %2492 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2613 = "tt.reduce"(%2609) <{axis = 1 : i32}> ({
      ^bb0(%2610: f32, %2611: f32):
        %2612 = arith.addf %2610, %2611 : f32
        tt.reduce.return %2612 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2614 = tt.expand_dims %2613 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2615 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2616 = tt.reshape %2615 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2617 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2618 = arith.cmpi eq, %2616, %2617 : tensor<1x2x1x1xi32>
      %2619 = tt.broadcast %2618 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2620 = tt.broadcast %2614 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2621 = tt.broadcast %2608 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2622 = arith.select %2619, %2620, %2621 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2623 = tt.reshape %2622 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2624 = tt.reshape %2623 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2628 = "tt.reduce"(%2624) <{axis = 1 : i32}> ({
      ^bb0(%2625: f32, %2626: f32):
        %2627 = arith.addf %2625, %2626 : f32
        tt.reduce.return %2627 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2629 = tt.expand_dims %2628 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2630 = tt.reshape %2340 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2634 = "tt.reduce"(%2630) <{axis = 1 : i32}> ({
      ^bb0(%2631: f32, %2632: f32):
        %2633 = arith.addf %2631, %2632 : f32
        tt.reduce.return %2633 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2635 = tt.expand_dims %2634 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2636 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2637 = tt.reshape %2636 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2638 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2639 = arith.cmpi eq, %2637, %2638 : tensor<1x2x1x1xi32>
      %2640 = tt.broadcast %2639 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2641 = tt.broadcast %2635 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2642 = tt.broadcast %2629 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2643 = arith.select %2640, %2641, %2642 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2644 = tt.reshape %2643 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2645 = arith.mulf %2597, %1064 : tensor<4x8xf32>
      %2646 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2647 = tt.expand_dims %1033 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2648 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2649 = arith.muli %2647, %2648 : tensor<4x1xi32>
      %2650 = tt.broadcast %2646 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2651 = tt.broadcast %2649 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2652 = tt.addptr %2650, %2651 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2653 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2654 = tt.expand_dims %1035 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2655 = tt.broadcast %2653 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2656 = tt.broadcast %2654 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2657 = arith.andi %2655, %2656 : tensor<4x8xi1>
      %2658 = arith.truncf %2645 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2652, %2658, %2657 : tensor<4x8x!tt.ptr<bf16>>
      %2659 = tt.splat %1950 : f32 -> tensor<4x8xf32>
      %2660 = arith.mulf %2644, %2659 : tensor<4x8xf32>
      %2661 = math.fma %1050, %2597, %2660 : tensor<4x8xf32>
      %2662 = tt.expand_dims %87 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2663 = tt.expand_dims %1033 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2664 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2665 = arith.muli %2663, %2664 : tensor<4x1xi32>
      %2666 = tt.broadcast %2662 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2667 = tt.broadcast %2665 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2668 = tt.addptr %2666, %2667 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2669 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2670 = tt.expand_dims %1035 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2671 = tt.broadcast %2669 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2672 = tt.broadcast %2670 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2673 = arith.andi %2671, %2672 : tensor<4x8xi1>
      tt.store %2668, %2661, %2673 : tensor<4x8x!tt.ptr<f32>>
      %2674 = arith.mulf %750, %756 : tensor<8xf32>
      %2675 = tt.expand_dims %2674 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2676 = tt.expand_dims %2675 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2677 = tt.broadcast %2676 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2678 = arith.mulf %2542, %2677 : tensor<1x4x8xf32>
      %2679 = tt.expand_dims %875 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2680 = tt.expand_dims %2679 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2681 = tt.broadcast %2680 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2682 = arith.mulf %868, %2681 : tensor<1x4x8xf32>
      %2683 = tt.expand_dims %1273 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2684 = tt.expand_dims %2683 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2685 = tt.expand_dims %525 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2686 = tt.broadcast %2684 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2687 = tt.broadcast %2685 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2688 = math.fma %2686, %2687, %2508 : tensor<1x4x8xf32>
      %2689 = arith.mulf %2688, %1258 : tensor<1x4x8xf32>
      %2690 = arith.mulf %2689, %1122 : tensor<1x4x8xf32>
      %2691 = tt.expand_dims %1160 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2692 = tt.expand_dims %2691 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2693 = tt.broadcast %2692 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2694 = math.fma %2693, %2690, %2513 : tensor<1x4x8xf32>
      %2695 = tt.expand_dims %519 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2696 = tt.broadcast %2695 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2697 = arith.mulf %2688, %2696 : tensor<1x4x8xf32>
      %2701 = "tt.reduce"(%2697) <{axis = 0 : i32}> ({
      ^bb0(%2698: f32, %2699: f32):
        %2700 = arith.addf %2698, %2699 : f32
        tt.reduce.return %2700 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2702 = tt.reshape %2701 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2706 = "tt.reduce"(%2702) <{axis = 1 : i32}> ({
      ^bb0(%2703: f32, %2704: f32):
        %2705 = arith.addf %2703, %2704 : f32
        tt.reduce.return %2705 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2707 = tt.expand_dims %2706 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2708 = tt.reshape %2520 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2712 = "tt.reduce"(%2708) <{axis = 1 : i32}> ({
      ^bb0(%2709: f32, %2710: f32):
        %2711 = arith.addf %2709, %2710 : f32
        tt.reduce.return %2711 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2713 = tt.expand_dims %2712 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2714 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2715 = tt.reshape %2714 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2716 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2717 = arith.cmpi eq, %2715, %2716 : tensor<1x2x1x1xi32>
      %2718 = tt.broadcast %2717 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2719 = tt.broadcast %2713 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2720 = tt.broadcast %2707 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2721 = arith.select %2718, %2719, %2720 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2722 = tt.reshape %2721 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2723 = tt.reshape %2722 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2727 = "tt.reduce"(%2723) <{axis = 1 : i32}> ({
      ^bb0(%2724: f32, %2725: f32):
        %2726 = arith.addf %2724, %2725 : f32
        tt.reduce.return %2726 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2728 = tt.expand_dims %2727 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2729 = tt.reshape %2389 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2733 = "tt.reduce"(%2729) <{axis = 1 : i32}> ({
      ^bb0(%2730: f32, %2731: f32):
        %2732 = arith.addf %2730, %2731 : f32
        tt.reduce.return %2732 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2734 = tt.expand_dims %2733 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2735 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2736 = tt.reshape %2735 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2737 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2738 = arith.cmpi eq, %2736, %2737 : tensor<1x2x1x1xi32>
      %2739 = tt.broadcast %2738 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2740 = tt.broadcast %2734 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2741 = tt.broadcast %2728 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2742 = arith.select %2739, %2740, %2741 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2743 = tt.reshape %2742 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2744 = arith.mulf %2690, %138 : tensor<1x4x8xf32>
      %2748 = "tt.reduce"(%2744) <{axis = 0 : i32}> ({
      ^bb0(%2745: f32, %2746: f32):
        %2747 = arith.addf %2745, %2746 : f32
        tt.reduce.return %2747 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2749 = tt.reshape %2748 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2753 = "tt.reduce"(%2749) <{axis = 1 : i32}> ({
      ^bb0(%2750: f32, %2751: f32):
        %2752 = arith.addf %2750, %2751 : f32
        tt.reduce.return %2752 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2754 = tt.expand_dims %2753 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2755 = tt.reshape %2525 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2759 = "tt.reduce"(%2755) <{axis = 1 : i32}> ({
      ^bb0(%2756: f32, %2757: f32):
        %2758 = arith.addf %2756, %2757 : f32
        tt.reduce.return %2758 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2760 = tt.expand_dims %2759 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2761 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2762 = tt.reshape %2761 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2763 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2764 = arith.cmpi eq, %2762, %2763 : tensor<1x2x1x1xi32>
      %2765 = tt.broadcast %2764 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2766 = tt.broadcast %2760 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2767 = tt.broadcast %2754 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2768 = arith.select %2765, %2766, %2767 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2769 = tt.reshape %2768 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2770 = tt.reshape %2769 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2774 = "tt.reduce"(%2770) <{axis = 1 : i32}> ({
      ^bb0(%2771: f32, %2772: f32):
        %2773 = arith.addf %2771, %2772 : f32
        tt.reduce.return %2773 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2775 = tt.expand_dims %2774 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2776 = tt.reshape %2415 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2780 = "tt.reduce"(%2776) <{axis = 1 : i32}> ({
      ^bb0(%2777: f32, %2778: f32):
        %2779 = arith.addf %2777, %2778 : f32
        tt.reduce.return %2779 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2781 = tt.expand_dims %2780 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2782 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2783 = tt.reshape %2782 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2784 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2785 = arith.cmpi eq, %2783, %2784 : tensor<1x2x1x1xi32>
      %2786 = tt.broadcast %2785 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2787 = tt.broadcast %2781 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2788 = tt.broadcast %2775 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2789 = arith.select %2786, %2787, %2788 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2790 = tt.reshape %2789 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2791 = arith.mulf %2743, %1462 : tensor<4x8xf32>
      %2792 = tt.expand_dims %148 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2793 = tt.expand_dims %1431 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2794 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2795 = arith.muli %2793, %2794 : tensor<4x1xi32>
      %2796 = tt.broadcast %2792 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2797 = tt.broadcast %2795 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2798 = tt.addptr %2796, %2797 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2799 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2800 = tt.expand_dims %1433 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2801 = tt.broadcast %2799 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2802 = tt.broadcast %2800 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2803 = arith.andi %2801, %2802 : tensor<4x8xi1>
      %2804 = arith.truncf %2791 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2798, %2804, %2803 : tensor<4x8x!tt.ptr<bf16>>
      %2805 = tt.splat %1950 : f32 -> tensor<4x8xf32>
      %2806 = arith.mulf %2790, %2805 : tensor<4x8xf32>
      %2807 = math.fma %1448, %2743, %2806 : tensor<4x8xf32>
      %2808 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2809 = tt.expand_dims %1431 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2810 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2811 = arith.muli %2809, %2810 : tensor<4x1xi32>
      %2812 = tt.broadcast %2808 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2813 = tt.broadcast %2811 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2814 = tt.addptr %2812, %2813 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2815 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2816 = tt.expand_dims %1433 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2817 = tt.broadcast %2815 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2818 = tt.broadcast %2816 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2819 = arith.andi %2817, %2818 : tensor<4x8xi1>
      tt.store %2814, %2807, %2819 : tensor<4x8x!tt.ptr<f32>>
      %2820 = arith.mulf %1154, %1160 : tensor<8xf32>
      %2821 = tt.expand_dims %2820 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2822 = tt.expand_dims %2821 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2823 = tt.broadcast %2822 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2824 = arith.mulf %2688, %2823 : tensor<1x4x8xf32>
      %2825 = tt.expand_dims %1273 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2826 = tt.expand_dims %2825 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2827 = tt.broadcast %2826 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2828 = arith.mulf %1266, %2827 : tensor<1x4x8xf32>
      %2829 = arith.addf %2678, %2824 : tensor<1x4x8xf32>
      %2830 = arith.addf %2682, %2828 : tensor<1x4x8xf32>
      %2831 = tt.reshape %2829 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2835 = "tt.reduce"(%2831) <{axis = 3 : i32}> ({
      ^bb0(%2832: f32, %2833: f32):
        %2834 = arith.addf %2832, %2833 : f32
        tt.reduce.return %2834 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2836 = tt.expand_dims %2835 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2837 = tt.reshape %2535 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2841 = "tt.reduce"(%2837) <{axis = 3 : i32}> ({
      ^bb0(%2838: f32, %2839: f32):
        %2840 = arith.addf %2838, %2839 : f32
        tt.reduce.return %2840 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2842 = tt.expand_dims %2841 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2843 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2844 = tt.reshape %2843 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2845 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2846 = arith.cmpi eq, %2844, %2845 : tensor<1x1x1x2x1xi32>
      %2847 = tt.broadcast %2846 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2848 = tt.broadcast %2842 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2849 = tt.broadcast %2836 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2850 = arith.select %2847, %2848, %2849 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2851 = tt.reshape %2850 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2852 = tt.reshape %2851 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2856 = "tt.reduce"(%2852) <{axis = 3 : i32}> ({
      ^bb0(%2853: f32, %2854: f32):
        %2855 = arith.addf %2853, %2854 : f32
        tt.reduce.return %2855 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2857 = tt.expand_dims %2856 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2858 = tt.reshape %2447 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2862 = "tt.reduce"(%2858) <{axis = 3 : i32}> ({
      ^bb0(%2859: f32, %2860: f32):
        %2861 = arith.addf %2859, %2860 : f32
        tt.reduce.return %2861 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2863 = tt.expand_dims %2862 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2864 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2865 = tt.reshape %2864 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2866 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2867 = arith.cmpi eq, %2865, %2866 : tensor<1x1x1x2x1xi32>
      %2868 = tt.broadcast %2867 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2869 = tt.broadcast %2863 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2870 = tt.broadcast %2857 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2871 = arith.select %2868, %2869, %2870 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2872 = tt.reshape %2871 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2873 = tt.reshape %2872 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2877 = "tt.reduce"(%2873) <{axis = 3 : i32}> ({
      ^bb0(%2874: f32, %2875: f32):
        %2876 = arith.addf %2874, %2875 : f32
        tt.reduce.return %2876 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2878 = tt.expand_dims %2877 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2879 = tt.reshape %2164 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2883 = "tt.reduce"(%2879) <{axis = 3 : i32}> ({
      ^bb0(%2880: f32, %2881: f32):
        %2882 = arith.addf %2880, %2881 : f32
        tt.reduce.return %2882 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2884 = tt.expand_dims %2883 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2885 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2886 = tt.reshape %2885 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2887 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2888 = arith.cmpi eq, %2886, %2887 : tensor<1x1x1x2x1xi32>
      %2889 = tt.broadcast %2888 : tensor<1x1x1x2x1xi1> -> tensor<1x4x1x2x4xi1>
      %2890 = tt.broadcast %2884 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2891 = tt.broadcast %2878 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2892 = arith.select %2889, %2890, %2891 : tensor<1x4x1x2x4xi1>, tensor<1x4x1x2x4xf32>
      %2893 = tt.reshape %2892 : tensor<1x4x1x2x4xf32> -> tensor<1x4x8xf32>
      %2894 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %2895 = tt.splat %250 : i32 -> tensor<8xi32>
      %2896 = arith.addi %2895, %2894 : tensor<8xi32>
      %2897 = tt.splat %489 : i32 -> tensor<8xi32>
      %2898 = arith.cmpi slt, %2896, %2897 : tensor<8xi32>
      %2899 = tt.expand_dims %177 {axis = 2 : i32} : tensor<1x4x!tt.ptr<f32>> -> tensor<1x4x1x!tt.ptr<f32>>
      %2900 = tt.expand_dims %2896 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %2901 = tt.expand_dims %2900 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %2902 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %2903 = arith.muli %2901, %2902 : tensor<1x1x8xi32>
      %2904 = tt.broadcast %2899 : tensor<1x4x1x!tt.ptr<f32>> -> tensor<1x4x8x!tt.ptr<f32>>
      %2905 = tt.broadcast %2903 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %2906 = tt.addptr %2904, %2905 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %2907 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %2908 = tt.expand_dims %2898 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2909 = tt.expand_dims %2908 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %2910 = tt.broadcast %2907 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %2911 = tt.broadcast %2909 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %2912 = arith.andi %2910, %2911 : tensor<1x4x8xi1>
      tt.store %2906, %2893, %2912 : tensor<1x4x8x!tt.ptr<f32>>
      %2913 = tt.reshape %2830 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2917 = "tt.reduce"(%2913) <{axis = 3 : i32}> ({
      ^bb0(%2914: f32, %2915: f32):
        %2916 = arith.addf %2914, %2915 : f32
        tt.reduce.return %2916 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2918 = tt.expand_dims %2917 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2919 = tt.reshape %2536 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2923 = "tt.reduce"(%2919) <{axis = 3 : i32}> ({
      ^bb0(%2920: f32, %2921: f32):
        %2922 = arith.addf %2920, %2921 : f32
        tt.reduce.return %2922 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2924 = tt.expand_dims %2923 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2925 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2926 = tt.reshape %2925 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2927 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2928 = arith.cmpi eq, %2926, %2927 : tensor<1x1x1x2x1xi32>
      %2929 = tt.broadcast %2928 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2930 = tt.broadcast %2924 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2931 = tt.broadcast %2918 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2932 = arith.select %2929, %2930, %2931 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2933 = tt.reshape %2932 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2934 = tt.reshape %2933 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2938 = "tt.reduce"(%2934) <{axis = 3 : i32}> ({
      ^bb0(%2935: f32, %2936: f32):
        %2937 = arith.addf %2935, %2936 : f32
        tt.reduce.return %2937 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2939 = tt.expand_dims %2938 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2940 = tt.reshape %2468 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2944 = "tt.reduce"(%2940) <{axis = 3 : i32}> ({
      ^bb0(%2941: f32, %2942: f32):
        %2943 = arith.addf %2941, %2942 : f32
        tt.reduce.return %2943 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2945 = tt.expand_dims %2944 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2946 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2947 = tt.reshape %2946 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2948 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2949 = arith.cmpi eq, %2947, %2948 : tensor<1x1x1x2x1xi32>
      %2950 = tt.broadcast %2949 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2951 = tt.broadcast %2945 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2952 = tt.broadcast %2939 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2953 = arith.select %2950, %2951, %2952 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2954 = tt.reshape %2953 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2955 = tt.reshape %2954 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2959 = "tt.reduce"(%2955) <{axis = 3 : i32}> ({
      ^bb0(%2956: f32, %2957: f32):
        %2958 = arith.addf %2956, %2957 : f32
        tt.reduce.return %2958 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2960 = tt.expand_dims %2959 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2961 = tt.reshape %2206 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2965 = "tt.reduce"(%2961) <{axis = 3 : i32}> ({
      ^bb0(%2962: f32, %2963: f32):
        %2964 = arith.addf %2962, %2963 : f32
        tt.reduce.return %2964 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2966 = tt.expand_dims %2965 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2967 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2968 = tt.reshape %2967 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2969 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2970 = arith.cmpi eq, %2968, %2969 : tensor<1x1x1x2x1xi32>
      %2971 = tt.broadcast %2970 : tensor<1x1x1x2x1xi1> -> tensor<1x4x1x2x4xi1>
      %2972 = tt.broadcast %2966 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2973 = tt.broadcast %2960 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2974 = arith.select %2971, %2972, %2973 : tensor<1x4x1x2x4xi1>, tensor<1x4x1x2x4xf32>
      %2975 = tt.reshape %2974 : tensor<1x4x1x2x4xf32> -> tensor<1x4x8xf32>
      %2976 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %2977 = tt.splat %250 : i32 -> tensor<8xi32>
      %2978 = arith.addi %2977, %2976 : tensor<8xi32>
      %2979 = tt.splat %489 : i32 -> tensor<8xi32>
      %2980 = arith.cmpi slt, %2978, %2979 : tensor<8xi32>
      %2981 = tt.expand_dims %183 {axis = 2 : i32} : tensor<1x4x!tt.ptr<f32>> -> tensor<1x4x1x!tt.ptr<f32>>
      %2982 = tt.expand_dims %2978 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %2983 = tt.expand_dims %2982 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %2984 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %2985 = arith.muli %2983, %2984 : tensor<1x1x8xi32>
      %2986 = tt.broadcast %2981 : tensor<1x4x1x!tt.ptr<f32>> -> tensor<1x4x8x!tt.ptr<f32>>
      %2987 = tt.broadcast %2985 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %2988 = tt.addptr %2986, %2987 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %2989 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %2990 = tt.expand_dims %2980 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2991 = tt.expand_dims %2990 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %2992 = tt.broadcast %2989 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %2993 = tt.broadcast %2991 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %2994 = arith.andi %2992, %2993 : tensor<1x4x8xi1>
      tt.store %2988, %2975, %2994 : tensor<1x4x8x!tt.ptr<f32>>
      scf.yield %2543, %2548, %2689, %2694 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    }
    %2999 = arith.extsi %14 : i32 to i64
    %3000 = arith.muli %33, %190 : i64
    %3001 = arith.addi %3000, %2999 : i64
    %3002 = arith.muli %3001, %193 : i64
    %3003 = tt.addptr %drates, %3002 : !tt.ptr<f32>, i64
    %3004 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %3005 = tt.expand_dims %3004 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %3006 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %3007 = arith.muli %3005, %3006 : tensor<1x1x8xi32>
    %3008 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %3009 = tt.broadcast %3007 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %3010 = tt.broadcast %3008 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %3011 = arith.addi %3009, %3010 : tensor<1x4x8xi32>
    %3012 = tt.splat %3003 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %3013 = tt.addptr %3012, %3011 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %3014 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %3015 = tt.expand_dims %3014 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %3016 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %3017 = tt.broadcast %3015 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %3018 = tt.broadcast %3016 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %3019 = arith.andi %3017, %3018 : tensor<1x4x8xi1>
    tt.store %3013, %2995#1, %3019 : tensor<1x4x8x!tt.ptr<f32>>
    %3020 = arith.extsi %14 : i32 to i64
    %3021 = arith.muli %104, %190 : i64
    %3022 = arith.addi %3021, %3020 : i64
    %3023 = arith.muli %3022, %193 : i64
    %3024 = tt.addptr %drates, %3023 : !tt.ptr<f32>, i64
    %3025 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %3026 = tt.expand_dims %3025 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %3027 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %3028 = arith.muli %3026, %3027 : tensor<1x1x8xi32>
    %3029 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %3030 = tt.broadcast %3028 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %3031 = tt.broadcast %3029 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %3032 = arith.addi %3030, %3031 : tensor<1x4x8xi32>
    %3033 = tt.splat %3024 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %3034 = tt.addptr %3033, %3032 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %3035 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %3036 = tt.expand_dims %3035 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %3037 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %3038 = tt.broadcast %3036 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %3039 = tt.broadcast %3037 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %3040 = arith.andi %3038, %3039 : tensor<1x4x8xi1>
    tt.store %3034, %2995#3, %3040 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
