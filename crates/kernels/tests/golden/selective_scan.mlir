module {
  tt.func public @selective_scan(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %h: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %last: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %kept: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %11 = arith.constant 8 : i32
    %19 = arith.constant 2 : i32
    %28 = arith.constant 11 : i32
    %31 = arith.constant 3 : i32
    %34 = arith.constant 99 : i64
    %61 = arith.constant 0.0e0 : f32
    %64 = arith.constant 1.442695e0 : f32
    %67 = arith.constant 27 : i64
    %78 = arith.constant 9 : i64
    %86 = arith.constant 0 : i32
    %88 = arith.constant 1 : i64
    %91 = arith.constant 33 : i64
    %112 = arith.constant 16 : i32
    %145 = arith.constant 0.0e0 : bf16
    %162 = arith.constant 22 : i32
    %172 = arith.constant 33 : i32
    %182 = arith.constant 44 : i32
    %192 = arith.constant 55 : i32
    %202 = arith.constant 66 : i32
    %212 = arith.constant 77 : i32
    %222 = arith.constant 88 : i32
    %250 = arith.constant 1 : i32
    %255 = arith.constant 0xFF800000 : f32
    %274 = arith.constant 6 : i32
    %292 = arith.constant 9 : i32
    %310 = arith.constant 12 : i32
    %319 = arith.constant 4 : i32
    %329 = arith.constant 15 : i32
    %338 = arith.constant 5 : i32
    %348 = arith.constant 18 : i32
    %366 = arith.constant 21 : i32
    %375 = arith.constant 7 : i32
    %385 = arith.constant 24 : i32
    %10 = tt.get_program_id x : i32
    %12 = arith.muli %10, %11 : i32
    %13 = tt.get_program_id y : i32
    %14 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %15 = tt.splat %12 : i32 -> tensor<8xi32>
    %16 = arith.addi %15, %14 : tensor<8xi32>
    %17 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %20 = tt.splat %19 : i32 -> tensor<1x2xi32>
    %21 = arith.muli %18, %20 : tensor<1x2xi32>
    %22 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %24 = tt.broadcast %21 : tensor<1x2xi32> -> tensor<2x2xi32>
    %25 = tt.broadcast %23 : tensor<2x1xi32> -> tensor<2x2xi32>
    %26 = arith.addi %24, %25 : tensor<2x2xi32>
    %27 = arith.extsi %13 : i32 to i64
    %29 = tt.splat %28 : i32 -> tensor<8xi32>
    %30 = arith.cmpi slt, %16, %29 : tensor<8xi32>
    %32 = tt.splat %31 : i32 -> tensor<2x2xi32>
    %33 = arith.cmpi slt, %26, %32 : tensor<2x2xi32>
    %35 = arith.muli %27, %34 : i64
    %36 = tt.addptr %x, %35 : !tt.ptr<bf16>, i64
    %37 = arith.extsi %16 : tensor<8xi32> to tensor<8xi64>
    %38 = tt.splat %36 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %39 = tt.addptr %38, %37 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %40 = arith.muli %27, %34 : i64
    %41 = tt.addptr %widths, %40 : !tt.ptr<f32>, i64
    %42 = arith.extsi %16 : tensor<8xi32> to tensor<8xi64>
    %43 = tt.splat %41 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %44 = tt.addptr %43, %42 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %45 = tt.expand_dims %16 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %46 = tt.expand_dims %45 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %47 = tt.splat %31 : i32 -> tensor<1x1x8xi32>
    %48 = arith.muli %46, %47 : tensor<1x1x8xi32>
    %49 = tt.expand_dims %26 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %50 = tt.broadcast %48 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %51 = tt.broadcast %49 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %52 = arith.addi %50, %51 : tensor<2x2x8xi32>
    %53 = tt.splat %rates : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %54 = tt.addptr %53, %52 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %55 = tt.expand_dims %30 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %56 = tt.expand_dims %55 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %57 = tt.expand_dims %33 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
    %58 = tt.broadcast %56 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
    %59 = tt.broadcast %57 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
    %60 = arith.andi %58, %59 : tensor<2x2x8xi1>
    %62 = tt.splat %61 : f32 -> tensor<2x2x8xf32>
    %63 = tt.load %54, %60, %62 : tensor<2x2x8x!tt.ptr<f32>>
    %65 = tt.splat %64 : f32 -> tensor<2x2x8xf32>
    %66 = arith.mulf %63, %65 : tensor<2x2x8xf32>
    %68 = arith.muli %27, %67 : i64
    %69 = tt.addptr %b, %68 : !tt.ptr<f32>, i64
    %70 = arith.extsi %26 : tensor<2x2xi32> to tensor<2x2xi64>
    %71 = tt.splat %69 : !tt.ptr<f32> -> tensor<2x2x!tt.ptr<f32>>
    %72 = tt.addptr %71, %70 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi64>
    %73 = arith.muli %27, %67 : i64
    %74 = tt.addptr %c, %73 : !tt.ptr<f32>, i64
    %75 = arith.extsi %26 : tensor<2x2xi32> to tensor<2x2xi64>
    %76 = tt.splat %74 : !tt.ptr<f32> -> tensor<2x2x!tt.ptr<f32>>
    %77 = tt.addptr %76, %75 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi64>
    %79 = arith.muli %27, %78 : i64
    %80 = tt.addptr %documents, %79 : !tt.ptr<i32>, i64
    %81 = arith.muli %27, %34 : i64
    %82 = tt.addptr %y, %81 : !tt.ptr<bf16>, i64
    %83 = arith.extsi %16 : tensor<8xi32> to tensor<8xi64>
    %84 = tt.splat %82 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %85 = tt.addptr %84, %83 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %87 = arith.extsi %86 : i32 to i64
    %89 = arith.muli %27, %88 : i64
    %90 = arith.addi %89, %87 : i64
    %92 = arith.muli %90, %91 : i64
    %93 = tt.addptr %h, %92 : !tt.ptr<f32>, i64
    %94 = tt.expand_dims %16 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %95 = tt.expand_dims %94 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %96 = tt.splat %31 : i32 -> tensor<1x1x8xi32>
    %97 = arith.muli %95, %96 : tensor<1x1x8xi32>
    %98 = tt.expand_dims %26 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %99 = tt.broadcast %97 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %100 = tt.broadcast %98 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %101 = arith.addi %99, %100 : tensor<2x2x8xi32>
    %102 = tt.splat %93 : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %103 = tt.addptr %102, %101 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %104 = tt.expand_dims %30 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %105 = tt.expand_dims %104 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %106 = tt.expand_dims %33 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
    %107 = tt.broadcast %105 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
    %108 = tt.broadcast %106 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
    %109 = arith.andi %107, %108 : tensor<2x2x8xi1>
    %110 = tt.splat %61 : f32 -> tensor<2x2x8xf32>
    %111 = tt.load %103, %109, %110 : tensor<2x2x8x!tt.ptr<f32>>
    %113 = arith.divsi %86, %112 : i32
    %114 = arith.extsi %113 : i32 to i64
    %115 = arith.muli %27, %88 : i64
    %116 = arith.addi %115, %114 : i64
    %117 = arith.muli %116, %91 : i64
    %118 = tt.addptr %kept, %117 : !tt.ptr<f32>, i64
    %119 = tt.expand_dims %16 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %120 = tt.expand_dims %119 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %121 = tt.splat %31 : i32 -> tensor<1x1x8xi32>
    %122 = arith.muli %120, %121 : tensor<1x1x8xi32>
    %123 = tt.expand_dims %26 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %124 = tt.broadcast %122 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %125 = tt.broadcast %123 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %126 = arith.addi %124, %125 : tensor<2x2x8xi32>
    %127 = tt.splat %118 : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %128 = tt.addptr %127, %126 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %129 = arith.remsi %86, %112 : i32
    %130 = arith.cmpi eq, %129, %86 : i32
    scf.if %130 {
      %131 = tt.expand_dims %30 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %132 = tt.expand_dims %131 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %133 = tt.expand_dims %33 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
      %134 = tt.broadcast %132 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
      %135 = tt.broadcast %133 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
      %136 = arith.andi %134, %135 : tensor<2x2x8xi1>
      tt.store %128, %111, %136 : tensor<2x2x8x!tt.ptr<f32>>
    } else {
    }
    %137 = arith.muli %86, %28 : i32
    %138 = tt.splat %137 : i32 -> tensor<8xi32>
    %139 = tt.addptr %39, %138 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %140 = arith.muli %86, %28 : i32
    %141 = tt.splat %140 : i32 -> tensor<8xi32>
    %142 = tt.addptr %44, %141 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %143 = tt.splat %86 : i32 -> tensor<8xi32>
    %144 = tt.addptr %139, %143 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %146 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %147 = tt.load %144, %30, %146 : tensor<8x!tt.ptr<bf16>>
    %148 = arith.extf %147 : tensor<8xbf16> to tensor<8xf32>
    %149 = tt.splat %86 : i32 -> tensor<8xi32>
    %150 = tt.addptr %142, %149 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %151 = tt.splat %61 : f32 -> tensor<8xf32>
    %152 = tt.load %150, %30, %151 : tensor<8x!tt.ptr<f32>>
    %153 = tt.splat %28 : i32 -> tensor<8xi32>
    %154 = tt.addptr %139, %153 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %155 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %156 = tt.load %154, %30, %155 : tensor<8x!tt.ptr<bf16>>
    %157 = arith.extf %156 : tensor<8xbf16> to tensor<8xf32>
    %158 = tt.splat %28 : i32 -> tensor<8xi32>
    %159 = tt.addptr %142, %158 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %160 = tt.splat %61 : f32 -> tensor<8xf32>
    %161 = tt.load %159, %30, %160 : tensor<8x!tt.ptr<f32>>
    %163 = tt.splat %162 : i32 -> tensor<8xi32>
    %164 = tt.addptr %139, %163 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %165 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %166 = tt.load %164, %30, %165 : tensor<8x!tt.ptr<bf16>>
    %167 = arith.extf %166 : tensor<8xbf16> to tensor<8xf32>
    %168 = tt.splat %162 : i32 -> tensor<8xi32>
    %169 = tt.addptr %142, %168 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %170 = tt.splat %61 : f32 -> tensor<8xf32>
    %171 = tt.load %169, %30, %170 : tensor<8x!tt.ptr<f32>>
    %173 = tt.splat %172 : i32 -> tensor<8xi32>
    %174 = tt.addptr %139, %173 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %175 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %176 = tt.load %174, %30, %175 : tensor<8x!tt.ptr<bf16>>
    %177 = arith.extf %176 : tensor<8xbf16> to tensor<8xf32>
    %178 = tt.splat %172 : i32 -> tensor<8xi32>
    %179 = tt.addptr %142, %178 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %180 = tt.splat %61 : f32 -> tensor<8xf32>
    %181 = tt.load %179, %30, %180 : tensor<8x!tt.ptr<f32>>
    %183 = tt.splat %182 : i32 -> tensor<8xi32>
    %184 = tt.addptr %139, %183 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %185 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %186 = tt.load %184, %30, %185 : tensor<8x!tt.ptr<bf16>>
    %187 = arith.extf %186 : tensor<8xbf16> to tensor<8xf32>
    %188 = tt.splat %182 : i32 -> tensor<8xi32>
    %189 = tt.addptr %142, %188 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %190 = tt.splat %61 : f32 -> tensor<8xf32>
    %191 = tt.load %189, %30, %190 : tensor<8x!tt.ptr<f32>>
    %193 = tt.splat %192 : i32 -> tensor<8xi32>
    %194 = tt.addptr %139, %193 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %195 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %196 = tt.load %194, %30, %195 : tensor<8x!tt.ptr<bf16>>
    %197 = arith.extf %196 : tensor<8xbf16> to tensor<8xf32>
    %198 = tt.splat %192 : i32 -> tensor<8xi32>
    %199 = tt.addptr %142, %198 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %200 = tt.splat %61 : f32 -> tensor<8xf32>
    %201 = tt.load %199, %30, %200 : tensor<8x!tt.ptr<f32>>
    %203 = tt.splat %202 : i32 -> tensor<8xi32>
    %204 = tt.addptr %139, %203 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %205 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %206 = tt.load %204, %30, %205 : tensor<8x!tt.ptr<bf16>>
    %207 = arith.extf %206 : tensor<8xbf16> to tensor<8xf32>
    %208 = tt.splat %202 : i32 -> tensor<8xi32>
    %209 = tt.addptr %142, %208 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %210 = tt.splat %61 : f32 -> tensor<8xf32>
    %211 = tt.load %209, %30, %210 : tensor<8x!tt.ptr<f32>>
    %213 = tt.splat %212 : i32 -> tensor<8xi32>
    %214 = tt.addptr %139, %213 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %215 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %216 = tt.load %214, %30, %215 : tensor<8x!tt.ptr<bf16>>
    %217 = arith.extf %216 : tensor<8xbf16> to tensor<8xf32>
    %218 = tt.splat %212 : i32 -> tensor<8xi32>
    %219 = tt.addptr %142, %218 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %220 = tt.splat %61 : f32 -> tensor<8xf32>
    %221 = tt.load %219, %30, %220 : tensor<8x!tt.ptr<f32>>
    %223 = tt.splat %222 : i32 -> tensor<8xi32>
    %224 = tt.addptr %139, %223 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %225 = tt.splat %145 : bf16 -> tensor<8xbf16>
    %226 = tt.load %224, %30, %225 : tensor<8x!tt.ptr<bf16>>
    %227 = arith.extf %226 : tensor<8xbf16> to tensor<8xf32>
    %228 = tt.splat %222 : i32 -> tensor<8xi32>
    %229 = tt.addptr %142, %228 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %230 = tt.splat %61 : f32 -> tensor<8xf32>
    %231 = tt.load %229, %30, %230 : tensor<8x!tt.ptr<f32>>
    %232 = arith.muli %86, %31 : i32
    %233 = tt.splat %232 : i32 -> tensor<2x2xi32>
    %234 = tt.addptr %72, %233 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %235 = arith.muli %86, %31 : i32
    %236 = tt.splat %235 : i32 -> tensor<2x2xi32>
    %237 = tt.addptr %77, %236 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %238 = tt.splat %86 : i32 -> tensor<2x2xi32>
    %239 = tt.addptr %234, %238 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %240 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %241 = tt.load %239, %33, %240 : tensor<2x2x!tt.ptr<f32>>
    %242 = tt.splat %86 : i32 -> tensor<2x2xi32>
    %243 = tt.addptr %237, %242 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %244 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %245 = tt.load %243, %33, %244 : tensor<2x2x!tt.ptr<f32>>
    %246 = arith.addi %86, %86 : i32
    %247 = tt.addptr %80, %246 : !tt.ptr<i32>, i32
    %248 = arith.cmpi sgt, %246, %86 : i32
    %249 = tt.load %247 : !tt.ptr<i32>
    %251 = arith.subi %246, %250 : i32
    %252 = tt.addptr %80, %251 : !tt.ptr<i32>, i32
    %253 = tt.load %252, %248, %86 : !tt.ptr<i32>
    %254 = arith.cmpi eq, %249, %253 : i32
    %256 = arith.select %254, %61, %255 : f32
    %257 = tt.splat %31 : i32 -> tensor<2x2xi32>
    %258 = tt.addptr %234, %257 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %259 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %260 = tt.load %258, %33, %259 : tensor<2x2x!tt.ptr<f32>>
    %261 = tt.splat %31 : i32 -> tensor<2x2xi32>
    %262 = tt.addptr %237, %261 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %263 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %264 = tt.load %262, %33, %263 : tensor<2x2x!tt.ptr<f32>>
    %265 = arith.addi %86, %250 : i32
    %266 = tt.addptr %80, %265 : !tt.ptr<i32>, i32
    %267 = arith.cmpi sgt, %265, %86 : i32
    %268 = tt.load %266 : !tt.ptr<i32>
    %269 = arith.subi %265, %250 : i32
    %270 = tt.addptr %80, %269 : !tt.ptr<i32>, i32
    %271 = tt.load %270, %267, %86 : !tt.ptr<i32>
    %272 = arith.cmpi eq, %268, %271 : i32
    %273 = arith.select %272, %61, %255 : f32
    %275 = tt.splat %274 : i32 -> tensor<2x2xi32>
    %276 = tt.addptr %234, %275 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %277 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %278 = tt.load %276, %33, %277 : tensor<2x2x!tt.ptr<f32>>
    %279 = tt.splat %274 : i32 -> tensor<2x2xi32>
    %280 = tt.addptr %237, %279 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %281 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %282 = tt.load %280, %33, %281 : tensor<2x2x!tt.ptr<f32>>
    %283 = arith.addi %86, %19 : i32
    %284 = tt.addptr %80, %283 : !tt.ptr<i32>, i32
    %285 = arith.cmpi sgt, %283, %86 : i32
    %286 = tt.load %284 : !tt.ptr<i32>
    %287 = arith.subi %283, %250 : i32
    %288 = tt.addptr %80, %287 : !tt.ptr<i32>, i32
    %289 = tt.load %288, %285, %86 : !tt.ptr<i32>
    %290 = arith.cmpi eq, %286, %289 : i32
    %291 = arith.select %290, %61, %255 : f32
    %293 = tt.splat %292 : i32 -> tensor<2x2xi32>
    %294 = tt.addptr %234, %293 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %295 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %296 = tt.load %294, %33, %295 : tensor<2x2x!tt.ptr<f32>>
    %297 = tt.splat %292 : i32 -> tensor<2x2xi32>
    %298 = tt.addptr %237, %297 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %299 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %300 = tt.load %298, %33, %299 : tensor<2x2x!tt.ptr<f32>>
    %301 = arith.addi %86, %31 : i32
    %302 = tt.addptr %80, %301 : !tt.ptr<i32>, i32
    %303 = arith.cmpi sgt, %301, %86 : i32
    %304 = tt.load %302 : !tt.ptr<i32>
    %305 = arith.subi %301, %250 : i32
    %306 = tt.addptr %80, %305 : !tt.ptr<i32>, i32
    %307 = tt.load %306, %303, %86 : !tt.ptr<i32>
    %308 = arith.cmpi eq, %304, %307 : i32
    %309 = arith.select %308, %61, %255 : f32
    %311 = tt.splat %310 : i32 -> tensor<2x2xi32>
    %312 = tt.addptr %234, %311 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %313 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %314 = tt.load %312, %33, %313 : tensor<2x2x!tt.ptr<f32>>
    %315 = tt.splat %310 : i32 -> tensor<2x2xi32>
    %316 = tt.addptr %237, %315 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %317 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %318 = tt.load %316, %33, %317 : tensor<2x2x!tt.ptr<f32>>
    %320 = arith.addi %86, %319 : i32
    %321 = tt.addptr %80, %320 : !tt.ptr<i32>, i32
    %322 = arith.cmpi sgt, %320, %86 : i32
    %323 = tt.load %321 : !tt.ptr<i32>
    %324 = arith.subi %320, %250 : i32
    %325 = tt.addptr %80, %324 : !tt.ptr<i32>, i32
    %326 = tt.load %325, %322, %86 : !tt.ptr<i32>
    %327 = arith.cmpi eq, %323, %326 : i32
    %328 = arith.select %327, %61, %255 : f32
    %330 = tt.splat %329 : i32 -> tensor<2x2xi32>
    %331 = tt.addptr %234, %330 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %332 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %333 = tt.load %331, %33, %332 : tensor<2x2x!tt.ptr<f32>>
    %334 = tt.splat %329 : i32 -> tensor<2x2xi32>
    %335 = tt.addptr %237, %334 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %336 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %337 = tt.load %335, %33, %336 : tensor<2x2x!tt.ptr<f32>>
    %339 = arith.addi %86, %338 : i32
    %340 = tt.addptr %80, %339 : !tt.ptr<i32>, i32
    %341 = arith.cmpi sgt, %339, %86 : i32
    %342 = tt.load %340 : !tt.ptr<i32>
    %343 = arith.subi %339, %250 : i32
    %344 = tt.addptr %80, %343 : !tt.ptr<i32>, i32
    %345 = tt.load %344, %341, %86 : !tt.ptr<i32>
    %346 = arith.cmpi eq, %342, %345 : i32
    %347 = arith.select %346, %61, %255 : f32
    %349 = tt.splat %348 : i32 -> tensor<2x2xi32>
    %350 = tt.addptr %234, %349 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %351 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %352 = tt.load %350, %33, %351 : tensor<2x2x!tt.ptr<f32>>
    %353 = tt.splat %348 : i32 -> tensor<2x2xi32>
    %354 = tt.addptr %237, %353 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %355 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %356 = tt.load %354, %33, %355 : tensor<2x2x!tt.ptr<f32>>
    %357 = arith.addi %86, %274 : i32
    %358 = tt.addptr %80, %357 : !tt.ptr<i32>, i32
    %359 = arith.cmpi sgt, %357, %86 : i32
    %360 = tt.load %358 : !tt.ptr<i32>
    %361 = arith.subi %357, %250 : i32
    %362 = tt.addptr %80, %361 : !tt.ptr<i32>, i32
    %363 = tt.load %362, %359, %86 : !tt.ptr<i32>
    %364 = arith.cmpi eq, %360, %363 : i32
    %365 = arith.select %364, %61, %255 : f32
    %367 = tt.splat %366 : i32 -> tensor<2x2xi32>
    %368 = tt.addptr %234, %367 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %369 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %370 = tt.load %368, %33, %369 : tensor<2x2x!tt.ptr<f32>>
    %371 = tt.splat %366 : i32 -> tensor<2x2xi32>
    %372 = tt.addptr %237, %371 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %373 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %374 = tt.load %372, %33, %373 : tensor<2x2x!tt.ptr<f32>>
    %376 = arith.addi %86, %375 : i32
    %377 = tt.addptr %80, %376 : !tt.ptr<i32>, i32
    %378 = arith.cmpi sgt, %376, %86 : i32
    %379 = tt.load %377 : !tt.ptr<i32>
    %380 = arith.subi %376, %250 : i32
    %381 = tt.addptr %80, %380 : !tt.ptr<i32>, i32
    %382 = tt.load %381, %378, %86 : !tt.ptr<i32>
    %383 = arith.cmpi eq, %379, %382 : i32
    %384 = arith.select %383, %61, %255 : f32
    %386 = tt.splat %385 : i32 -> tensor<2x2xi32>
    %387 = tt.addptr %234, %386 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %388 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %389 = tt.load %387, %33, %388 : tensor<2x2x!tt.ptr<f32>>
    %390 = tt.splat %385 : i32 -> tensor<2x2xi32>
    %391 = tt.addptr %237, %390 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %392 = tt.splat %61 : f32 -> tensor<2x2xf32>
    %393 = tt.load %391, %33, %392 : tensor<2x2x!tt.ptr<f32>>
    %394 = arith.addi %86, %11 : i32
    %395 = tt.addptr %80, %394 : !tt.ptr<i32>, i32
    %396 = arith.cmpi sgt, %394, %86 : i32
    %397 = tt.load %395 : !tt.ptr<i32>
    %398 = arith.subi %394, %250 : i32
    %399 = tt.addptr %80, %398 : !tt.ptr<i32>, i32
    %400 = tt.load %399, %396, %86 : !tt.ptr<i32>
    %401 = arith.cmpi eq, %397, %400 : i32
    %402 = arith.select %401, %61, %255 : f32
    %403 = arith.muli %86, %28 : i32
    %404 = tt.splat %403 : i32 -> tensor<8xi32>
    %405 = tt.addptr %85, %404 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %406 = tt.expand_dims %152 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %407 = tt.expand_dims %406 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %408 = tt.broadcast %407 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %409 = arith.mulf %408, %66 : tensor<2x2x8xf32>
    %410 = tt.splat %256 : f32 -> tensor<2x2x8xf32>
    %411 = arith.addf %409, %410 : tensor<2x2x8xf32>
    %412 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %411 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %413 = arith.mulf %148, %152 : tensor<8xf32>
    %414 = tt.expand_dims %413 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %415 = tt.expand_dims %414 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %416 = tt.expand_dims %241 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %417 = tt.broadcast %415 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %418 = tt.broadcast %416 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %419 = arith.mulf %417, %418 : tensor<2x2x8xf32>
    %420 = math.fma %412, %111, %419 : tensor<2x2x8xf32>
    %421 = tt.expand_dims %245 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %422 = tt.broadcast %421 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %423 = arith.mulf %420, %422 : tensor<2x2x8xf32>
    %427 = "tt.reduce"(%423) <{axis = 0 : i32}> ({
    ^bb0(%424: f32, %425: f32):
      %426 = arith.addf %424, %425 : f32
      tt.reduce.return %426 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %431 = "tt.reduce"(%427) <{axis = 0 : i32}> ({
    ^bb0(%428: f32, %429: f32):
      %430 = arith.addf %428, %429 : f32
      tt.reduce.return %430 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %432 = tt.splat %86 : i32 -> tensor<8xi32>
    %433 = tt.addptr %405, %432 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %434 = arith.truncf %431 : tensor<8xf32> to tensor<8xbf16>
    tt.store %433, %434, %30 : tensor<8x!tt.ptr<bf16>>
    %435 = tt.expand_dims %161 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %436 = tt.expand_dims %435 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %437 = tt.broadcast %436 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %438 = arith.mulf %437, %66 : tensor<2x2x8xf32>
    %439 = tt.splat %273 : f32 -> tensor<2x2x8xf32>
    %440 = arith.addf %438, %439 : tensor<2x2x8xf32>
    %441 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %440 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %442 = arith.mulf %157, %161 : tensor<8xf32>
    %443 = tt.expand_dims %442 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %444 = tt.expand_dims %443 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %445 = tt.expand_dims %260 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %446 = tt.broadcast %444 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %447 = tt.broadcast %445 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %448 = arith.mulf %446, %447 : tensor<2x2x8xf32>
    %449 = math.fma %441, %420, %448 : tensor<2x2x8xf32>
    %450 = tt.expand_dims %264 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %451 = tt.broadcast %450 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %452 = arith.mulf %449, %451 : tensor<2x2x8xf32>
    %456 = "tt.reduce"(%452) <{axis = 0 : i32}> ({
    ^bb0(%453: f32, %454: f32):
      %455 = arith.addf %453, %454 : f32
      tt.reduce.return %455 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %460 = "tt.reduce"(%456) <{axis = 0 : i32}> ({
    ^bb0(%457: f32, %458: f32):
      %459 = arith.addf %457, %458 : f32
      tt.reduce.return %459 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %461 = tt.splat %28 : i32 -> tensor<8xi32>
    %462 = tt.addptr %405, %461 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %463 = arith.truncf %460 : tensor<8xf32> to tensor<8xbf16>
    tt.store %462, %463, %30 : tensor<8x!tt.ptr<bf16>>
    %464 = tt.expand_dims %171 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %465 = tt.expand_dims %464 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %466 = tt.broadcast %465 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %467 = arith.mulf %466, %66 : tensor<2x2x8xf32>
    %468 = tt.splat %291 : f32 -> tensor<2x2x8xf32>
    %469 = arith.addf %467, %468 : tensor<2x2x8xf32>
    %470 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %469 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %471 = arith.mulf %167, %171 : tensor<8xf32>
    %472 = tt.expand_dims %471 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %473 = tt.expand_dims %472 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %474 = tt.expand_dims %278 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %475 = tt.broadcast %473 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %476 = tt.broadcast %474 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %477 = arith.mulf %475, %476 : tensor<2x2x8xf32>
    %478 = math.fma %470, %449, %477 : tensor<2x2x8xf32>
    %479 = tt.expand_dims %282 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %480 = tt.broadcast %479 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %481 = arith.mulf %478, %480 : tensor<2x2x8xf32>
    %485 = "tt.reduce"(%481) <{axis = 0 : i32}> ({
    ^bb0(%482: f32, %483: f32):
      %484 = arith.addf %482, %483 : f32
      tt.reduce.return %484 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %489 = "tt.reduce"(%485) <{axis = 0 : i32}> ({
    ^bb0(%486: f32, %487: f32):
      %488 = arith.addf %486, %487 : f32
      tt.reduce.return %488 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %490 = tt.splat %162 : i32 -> tensor<8xi32>
    %491 = tt.addptr %405, %490 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %492 = arith.truncf %489 : tensor<8xf32> to tensor<8xbf16>
    tt.store %491, %492, %30 : tensor<8x!tt.ptr<bf16>>
    %493 = tt.expand_dims %181 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %494 = tt.expand_dims %493 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %495 = tt.broadcast %494 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %496 = arith.mulf %495, %66 : tensor<2x2x8xf32>
    %497 = tt.splat %309 : f32 -> tensor<2x2x8xf32>
    %498 = arith.addf %496, %497 : tensor<2x2x8xf32>
    %499 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %498 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %500 = arith.mulf %177, %181 : tensor<8xf32>
    %501 = tt.expand_dims %500 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %502 = tt.expand_dims %501 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %503 = tt.expand_dims %296 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %504 = tt.broadcast %502 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %505 = tt.broadcast %503 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %506 = arith.mulf %504, %505 : tensor<2x2x8xf32>
    %507 = math.fma %499, %478, %506 : tensor<2x2x8xf32>
    %508 = tt.expand_dims %300 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %509 = tt.broadcast %508 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %510 = arith.mulf %507, %509 : tensor<2x2x8xf32>
    %514 = "tt.reduce"(%510) <{axis = 0 : i32}> ({
    ^bb0(%511: f32, %512: f32):
      %513 = arith.addf %511, %512 : f32
      tt.reduce.return %513 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %518 = "tt.reduce"(%514) <{axis = 0 : i32}> ({
    ^bb0(%515: f32, %516: f32):
      %517 = arith.addf %515, %516 : f32
      tt.reduce.return %517 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %519 = tt.splat %172 : i32 -> tensor<8xi32>
    %520 = tt.addptr %405, %519 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %521 = arith.truncf %518 : tensor<8xf32> to tensor<8xbf16>
    tt.store %520, %521, %30 : tensor<8x!tt.ptr<bf16>>
    %522 = tt.expand_dims %191 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %523 = tt.expand_dims %522 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %524 = tt.broadcast %523 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %525 = arith.mulf %524, %66 : tensor<2x2x8xf32>
    %526 = tt.splat %328 : f32 -> tensor<2x2x8xf32>
    %527 = arith.addf %525, %526 : tensor<2x2x8xf32>
    %528 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %527 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %529 = arith.mulf %187, %191 : tensor<8xf32>
    %530 = tt.expand_dims %529 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %531 = tt.expand_dims %530 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %532 = tt.expand_dims %314 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %533 = tt.broadcast %531 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %534 = tt.broadcast %532 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %535 = arith.mulf %533, %534 : tensor<2x2x8xf32>
    %536 = math.fma %528, %507, %535 : tensor<2x2x8xf32>
    %537 = tt.expand_dims %318 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %538 = tt.broadcast %537 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %539 = arith.mulf %536, %538 : tensor<2x2x8xf32>
    %543 = "tt.reduce"(%539) <{axis = 0 : i32}> ({
    ^bb0(%540: f32, %541: f32):
      %542 = arith.addf %540, %541 : f32
      tt.reduce.return %542 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %547 = "tt.reduce"(%543) <{axis = 0 : i32}> ({
    ^bb0(%544: f32, %545: f32):
      %546 = arith.addf %544, %545 : f32
      tt.reduce.return %546 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %548 = tt.splat %182 : i32 -> tensor<8xi32>
    %549 = tt.addptr %405, %548 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %550 = arith.truncf %547 : tensor<8xf32> to tensor<8xbf16>
    tt.store %549, %550, %30 : tensor<8x!tt.ptr<bf16>>
    %551 = tt.expand_dims %201 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %552 = tt.expand_dims %551 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %553 = tt.broadcast %552 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %554 = arith.mulf %553, %66 : tensor<2x2x8xf32>
    %555 = tt.splat %347 : f32 -> tensor<2x2x8xf32>
    %556 = arith.addf %554, %555 : tensor<2x2x8xf32>
    %557 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %556 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %558 = arith.mulf %197, %201 : tensor<8xf32>
    %559 = tt.expand_dims %558 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %560 = tt.expand_dims %559 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %561 = tt.expand_dims %333 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %562 = tt.broadcast %560 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %563 = tt.broadcast %561 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %564 = arith.mulf %562, %563 : tensor<2x2x8xf32>
    %565 = math.fma %557, %536, %564 : tensor<2x2x8xf32>
    %566 = tt.expand_dims %337 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %567 = tt.broadcast %566 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %568 = arith.mulf %565, %567 : tensor<2x2x8xf32>
    %572 = "tt.reduce"(%568) <{axis = 0 : i32}> ({
    ^bb0(%569: f32, %570: f32):
      %571 = arith.addf %569, %570 : f32
      tt.reduce.return %571 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %576 = "tt.reduce"(%572) <{axis = 0 : i32}> ({
    ^bb0(%573: f32, %574: f32):
      %575 = arith.addf %573, %574 : f32
      tt.reduce.return %575 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %577 = tt.splat %192 : i32 -> tensor<8xi32>
    %578 = tt.addptr %405, %577 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %579 = arith.truncf %576 : tensor<8xf32> to tensor<8xbf16>
    tt.store %578, %579, %30 : tensor<8x!tt.ptr<bf16>>
    %580 = tt.expand_dims %211 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %581 = tt.expand_dims %580 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %582 = tt.broadcast %581 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %583 = arith.mulf %582, %66 : tensor<2x2x8xf32>
    %584 = tt.splat %365 : f32 -> tensor<2x2x8xf32>
    %585 = arith.addf %583, %584 : tensor<2x2x8xf32>
    %586 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %585 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %587 = arith.mulf %207, %211 : tensor<8xf32>
    %588 = tt.expand_dims %587 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %589 = tt.expand_dims %588 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %590 = tt.expand_dims %352 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %591 = tt.broadcast %589 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %592 = tt.broadcast %590 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %593 = arith.mulf %591, %592 : tensor<2x2x8xf32>
    %594 = math.fma %586, %565, %593 : tensor<2x2x8xf32>
    %595 = tt.expand_dims %356 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %596 = tt.broadcast %595 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %597 = arith.mulf %594, %596 : tensor<2x2x8xf32>
    %601 = "tt.reduce"(%597) <{axis = 0 : i32}> ({
    ^bb0(%598: f32, %599: f32):
      %600 = arith.addf %598, %599 : f32
      tt.reduce.return %600 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %605 = "tt.reduce"(%601) <{axis = 0 : i32}> ({
    ^bb0(%602: f32, %603: f32):
      %604 = arith.addf %602, %603 : f32
      tt.reduce.return %604 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %606 = tt.splat %202 : i32 -> tensor<8xi32>
    %607 = tt.addptr %405, %606 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %608 = arith.truncf %605 : tensor<8xf32> to tensor<8xbf16>
    tt.store %607, %608, %30 : tensor<8x!tt.ptr<bf16>>
    %609 = tt.expand_dims %221 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %610 = tt.expand_dims %609 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %611 = tt.broadcast %610 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %612 = arith.mulf %611, %66 : tensor<2x2x8xf32>
    %613 = tt.splat %384 : f32 -> tensor<2x2x8xf32>
    %614 = arith.addf %612, %613 : tensor<2x2x8xf32>
    %615 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %614 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %616 = arith.mulf %217, %221 : tensor<8xf32>
    %617 = tt.expand_dims %616 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %618 = tt.expand_dims %617 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %619 = tt.expand_dims %370 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %620 = tt.broadcast %618 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %621 = tt.broadcast %619 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %622 = arith.mulf %620, %621 : tensor<2x2x8xf32>
    %623 = math.fma %615, %594, %622 : tensor<2x2x8xf32>
    %624 = tt.expand_dims %374 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %625 = tt.broadcast %624 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %626 = arith.mulf %623, %625 : tensor<2x2x8xf32>
    %630 = "tt.reduce"(%626) <{axis = 0 : i32}> ({
    ^bb0(%627: f32, %628: f32):
      %629 = arith.addf %627, %628 : f32
      tt.reduce.return %629 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %634 = "tt.reduce"(%630) <{axis = 0 : i32}> ({
    ^bb0(%631: f32, %632: f32):
      %633 = arith.addf %631, %632 : f32
      tt.reduce.return %633 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %635 = tt.splat %212 : i32 -> tensor<8xi32>
    %636 = tt.addptr %405, %635 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %637 = arith.truncf %634 : tensor<8xf32> to tensor<8xbf16>
    tt.store %636, %637, %30 : tensor<8x!tt.ptr<bf16>>
    %638 = tt.expand_dims %231 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %639 = tt.expand_dims %638 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %640 = tt.broadcast %639 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %641 = arith.mulf %640, %66 : tensor<2x2x8xf32>
    %642 = tt.splat %402 : f32 -> tensor<2x2x8xf32>
    %643 = arith.addf %641, %642 : tensor<2x2x8xf32>
    %644 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %643 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %645 = arith.mulf %227, %231 : tensor<8xf32>
    %646 = tt.expand_dims %645 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %647 = tt.expand_dims %646 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %648 = tt.expand_dims %389 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %649 = tt.broadcast %647 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %650 = tt.broadcast %648 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %651 = arith.mulf %649, %650 : tensor<2x2x8xf32>
    %652 = math.fma %644, %623, %651 : tensor<2x2x8xf32>
    %653 = tt.expand_dims %393 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %654 = tt.broadcast %653 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %655 = arith.mulf %652, %654 : tensor<2x2x8xf32>
    %659 = "tt.reduce"(%655) <{axis = 0 : i32}> ({
    ^bb0(%656: f32, %657: f32):
      %658 = arith.addf %656, %657 : f32
      tt.reduce.return %658 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %663 = "tt.reduce"(%659) <{axis = 0 : i32}> ({
    ^bb0(%660: f32, %661: f32):
      %662 = arith.addf %660, %661 : f32
      tt.reduce.return %662 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %664 = tt.splat %222 : i32 -> tensor<8xi32>
    %665 = tt.addptr %405, %664 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %666 = arith.truncf %663 : tensor<8xf32> to tensor<8xbf16>
    tt.store %665, %666, %30 : tensor<8x!tt.ptr<bf16>>
    %667 = arith.extsi %86 : i32 to i64
    %668 = arith.muli %27, %88 : i64
    %669 = arith.addi %668, %667 : i64
    %670 = arith.muli %669, %91 : i64
    %671 = tt.addptr %last, %670 : !tt.ptr<f32>, i64
    %672 = tt.expand_dims %16 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %673 = tt.expand_dims %672 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %674 = tt.splat %31 : i32 -> tensor<1x1x8xi32>
    %675 = arith.muli %673, %674 : tensor<1x1x8xi32>
    %676 = tt.expand_dims %26 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %677 = tt.broadcast %675 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %678 = tt.broadcast %676 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %679 = arith.addi %677, %678 : tensor<2x2x8xi32>
    %680 = tt.splat %671 : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %681 = tt.addptr %680, %679 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %682 = tt.expand_dims %30 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %683 = tt.expand_dims %682 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %684 = tt.expand_dims %33 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
    %685 = tt.broadcast %683 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
    %686 = tt.broadcast %684 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
    %687 = arith.andi %685, %686 : tensor<2x2x8xi1>
    tt.store %681, %652, %687 : tensor<2x2x8x!tt.ptr<f32>>
    tt.return
  }
}
