module {
  tt.func public @selective_scan(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %h: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %last: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %kept: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %12 = arith.constant 8 : i32
    %14 = arith.constant 0 : i32
    %21 = arith.constant 1 : i32
    %29 = arith.constant 11 : i32
    %32 = arith.constant 3 : i32
    %35 = arith.constant 99 : i64
    %62 = arith.constant 0.0e0 : f32
    %65 = arith.constant 1.442695e0 : f32
    %68 = arith.constant 27 : i64
    %79 = arith.constant 9 : i64
    %88 = arith.constant 1 : i64
    %91 = arith.constant 33 : i64
    %112 = arith.constant 16 : i32
    %137 = arith.constant 9 : i32
    %140 = arith.constant 10 : i32
    %153 = arith.constant 0.0e0 : bf16
    %170 = arith.constant 22 : i32
    %180 = arith.constant 33 : i32
    %190 = arith.constant 44 : i32
    %200 = arith.constant 55 : i32
    %210 = arith.constant 66 : i32
    %220 = arith.constant 77 : i32
    %230 = arith.constant 88 : i32
    %240 = arith.constant 99 : i32
    %254 = arith.constant 110 : i32
    %268 = arith.constant 121 : i32
    %304 = arith.constant 0xFF800000 : f32
    %323 = arith.constant 6 : i32
    %332 = arith.constant 2 : i32
    %359 = arith.constant 12 : i32
    %368 = arith.constant 4 : i32
    %378 = arith.constant 15 : i32
    %387 = arith.constant 5 : i32
    %397 = arith.constant 18 : i32
    %415 = arith.constant 21 : i32
    %424 = arith.constant 7 : i32
    %434 = arith.constant 24 : i32
    %452 = arith.constant 27 : i32
    %475 = arith.constant 30 : i32
    %10 = tt.get_program_id y : i32
    %11 = tt.get_program_id x : i32
    %13 = arith.muli %11, %12 : i32
    %15 = arith.addi %13, %14 : i32
    %16 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %17 = tt.splat %15 : i32 -> tensor<8xi32>
    %18 = arith.addi %17, %16 : tensor<8xi32>
    %19 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %22 = tt.splat %21 : i32 -> tensor<1x4xi32>
    %23 = arith.muli %20, %22 : tensor<1x4xi32>
    %24 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %26 = tt.broadcast %25 : tensor<1x1xi32> -> tensor<1x4xi32>
    %27 = arith.addi %23, %26 : tensor<1x4xi32>
    %28 = arith.extsi %10 : i32 to i64
    %30 = tt.splat %29 : i32 -> tensor<8xi32>
    %31 = arith.cmpi slt, %18, %30 : tensor<8xi32>
    %33 = tt.splat %32 : i32 -> tensor<1x4xi32>
    %34 = arith.cmpi slt, %27, %33 : tensor<1x4xi32>
    %36 = arith.muli %28, %35 : i64
    %37 = tt.addptr %x, %36 : !tt.ptr<bf16>, i64
    %38 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %39 = tt.splat %37 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %40 = tt.addptr %39, %38 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %41 = arith.muli %28, %35 : i64
    %42 = tt.addptr %widths, %41 : !tt.ptr<f32>, i64
    %43 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %44 = tt.splat %42 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %45 = tt.addptr %44, %43 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %46 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %47 = tt.expand_dims %46 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %48 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %49 = arith.muli %47, %48 : tensor<1x1x8xi32>
    %50 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %51 = tt.broadcast %49 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %52 = tt.broadcast %50 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %53 = arith.addi %51, %52 : tensor<1x4x8xi32>
    %54 = tt.splat %rates : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %55 = tt.addptr %54, %53 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %56 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %57 = tt.expand_dims %56 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %58 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %59 = tt.broadcast %57 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %60 = tt.broadcast %58 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %61 = arith.andi %59, %60 : tensor<1x4x8xi1>
    %63 = tt.splat %62 : f32 -> tensor<1x4x8xf32>
    %64 = tt.load %55, %61, %63 : tensor<1x4x8x!tt.ptr<f32>>
    %66 = tt.splat %65 : f32 -> tensor<1x4x8xf32>
    %67 = arith.mulf %64, %66 : tensor<1x4x8xf32>
    %69 = arith.muli %28, %68 : i64
    %70 = tt.addptr %b, %69 : !tt.ptr<f32>, i64
    %71 = arith.extsi %27 : tensor<1x4xi32> to tensor<1x4xi64>
    %72 = tt.splat %70 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %73 = tt.addptr %72, %71 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %74 = arith.muli %28, %68 : i64
    %75 = tt.addptr %c, %74 : !tt.ptr<f32>, i64
    %76 = arith.extsi %27 : tensor<1x4xi32> to tensor<1x4xi64>
    %77 = tt.splat %75 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
    %78 = tt.addptr %77, %76 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi64>
    %80 = arith.muli %28, %79 : i64
    %81 = tt.addptr %documents, %80 : !tt.ptr<i32>, i64
    %82 = arith.muli %28, %35 : i64
    %83 = tt.addptr %y, %82 : !tt.ptr<bf16>, i64
    %84 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %85 = tt.splat %83 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %86 = tt.addptr %85, %84 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %87 = arith.extsi %14 : i32 to i64
    %89 = arith.muli %28, %88 : i64
    %90 = arith.addi %89, %87 : i64
    %92 = arith.muli %90, %91 : i64
    %93 = tt.addptr %h, %92 : !tt.ptr<f32>, i64
    %94 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %95 = tt.expand_dims %94 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %96 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %97 = arith.muli %95, %96 : tensor<1x1x8xi32>
    %98 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %99 = tt.broadcast %97 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %100 = tt.broadcast %98 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %101 = arith.addi %99, %100 : tensor<1x4x8xi32>
    %102 = tt.splat %93 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %103 = tt.addptr %102, %101 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %104 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %105 = tt.expand_dims %104 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %106 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %107 = tt.broadcast %105 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %108 = tt.broadcast %106 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %109 = arith.andi %107, %108 : tensor<1x4x8xi1>
    %110 = tt.splat %62 : f32 -> tensor<1x4x8xf32>
    %111 = tt.load %103, %109, %110 : tensor<1x4x8x!tt.ptr<f32>>
    %113 = arith.divsi %14, %112 : i32
    %114 = arith.extsi %113 : i32 to i64
    %115 = arith.muli %28, %88 : i64
    %116 = arith.addi %115, %114 : i64
    %117 = arith.muli %116, %91 : i64
    %118 = tt.addptr %kept, %117 : !tt.ptr<f32>, i64
    %119 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %120 = tt.expand_dims %119 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %121 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %122 = arith.muli %120, %121 : tensor<1x1x8xi32>
    %123 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %124 = tt.broadcast %122 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %125 = tt.broadcast %123 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %126 = arith.addi %124, %125 : tensor<1x4x8xi32>
    %127 = tt.splat %118 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %128 = tt.addptr %127, %126 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %129 = arith.remsi %14, %112 : i32
    %130 = arith.cmpi eq, %129, %14 : i32
    scf.if %130 {
      %131 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %132 = tt.expand_dims %131 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %133 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %134 = tt.broadcast %132 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %135 = tt.broadcast %133 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %136 = arith.andi %134, %135 : tensor<1x4x8xi1>
      tt.store %128, %111, %136 : tensor<1x4x8x!tt.ptr<f32>>
    } else {
    }
    %138 = arith.addi %14, %137 : i32
    %139 = arith.cmpi slt, %138, %137 : i32
    %141 = arith.addi %14, %140 : i32
    %142 = arith.cmpi slt, %141, %137 : i32
    %143 = arith.addi %14, %29 : i32
    %144 = arith.cmpi slt, %143, %137 : i32
    %145 = arith.muli %14, %29 : i32
    %146 = tt.splat %145 : i32 -> tensor<8xi32>
    %147 = tt.addptr %40, %146 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %148 = arith.muli %14, %29 : i32
    %149 = tt.splat %148 : i32 -> tensor<8xi32>
    %150 = tt.addptr %45, %149 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %151 = tt.splat %14 : i32 -> tensor<8xi32>
    %152 = tt.addptr %147, %151 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %154 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %155 = tt.load %152, %31, %154 : tensor<8x!tt.ptr<bf16>>
    %156 = arith.extf %155 : tensor<8xbf16> to tensor<8xf32>
    %157 = tt.splat %14 : i32 -> tensor<8xi32>
    %158 = tt.addptr %150, %157 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %159 = tt.splat %62 : f32 -> tensor<8xf32>
    %160 = tt.load %158, %31, %159 : tensor<8x!tt.ptr<f32>>
    %161 = tt.splat %29 : i32 -> tensor<8xi32>
    %162 = tt.addptr %147, %161 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %163 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %164 = tt.load %162, %31, %163 : tensor<8x!tt.ptr<bf16>>
    %165 = arith.extf %164 : tensor<8xbf16> to tensor<8xf32>
    %166 = tt.splat %29 : i32 -> tensor<8xi32>
    %167 = tt.addptr %150, %166 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %168 = tt.splat %62 : f32 -> tensor<8xf32>
    %169 = tt.load %167, %31, %168 : tensor<8x!tt.ptr<f32>>
    %171 = tt.splat %170 : i32 -> tensor<8xi32>
    %172 = tt.addptr %147, %171 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %173 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %174 = tt.load %172, %31, %173 : tensor<8x!tt.ptr<bf16>>
    %175 = arith.extf %174 : tensor<8xbf16> to tensor<8xf32>
    %176 = tt.splat %170 : i32 -> tensor<8xi32>
    %177 = tt.addptr %150, %176 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %178 = tt.splat %62 : f32 -> tensor<8xf32>
    %179 = tt.load %177, %31, %178 : tensor<8x!tt.ptr<f32>>
    %181 = tt.splat %180 : i32 -> tensor<8xi32>
    %182 = tt.addptr %147, %181 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %183 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %184 = tt.load %182, %31, %183 : tensor<8x!tt.ptr<bf16>>
    %185 = arith.extf %184 : tensor<8xbf16> to tensor<8xf32>
    %186 = tt.splat %180 : i32 -> tensor<8xi32>
    %187 = tt.addptr %150, %186 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %188 = tt.splat %62 : f32 -> tensor<8xf32>
    %189 = tt.load %187, %31, %188 : tensor<8x!tt.ptr<f32>>
    %191 = tt.splat %190 : i32 -> tensor<8xi32>
    %192 = tt.addptr %147, %191 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %193 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %194 = tt.load %192, %31, %193 : tensor<8x!tt.ptr<bf16>>
    %195 = arith.extf %194 : tensor<8xbf16> to tensor<8xf32>
    %196 = tt.splat %190 : i32 -> tensor<8xi32>
    %197 = tt.addptr %150, %196 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %198 = tt.splat %62 : f32 -> tensor<8xf32>
    %199 = tt.load %197, %31, %198 : tensor<8x!tt.ptr<f32>>
    %201 = tt.splat %200 : i32 -> tensor<8xi32>
    %202 = tt.addptr %147, %201 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %203 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %204 = tt.load %202, %31, %203 : tensor<8x!tt.ptr<bf16>>
    %205 = arith.extf %204 : tensor<8xbf16> to tensor<8xf32>
    %206 = tt.splat %200 : i32 -> tensor<8xi32>
    %207 = tt.addptr %150, %206 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %208 = tt.splat %62 : f32 -> tensor<8xf32>
    %209 = tt.load %207, %31, %208 : tensor<8x!tt.ptr<f32>>
    %211 = tt.splat %210 : i32 -> tensor<8xi32>
    %212 = tt.addptr %147, %211 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %213 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %214 = tt.load %212, %31, %213 : tensor<8x!tt.ptr<bf16>>
    %215 = arith.extf %214 : tensor<8xbf16> to tensor<8xf32>
    %216 = tt.splat %210 : i32 -> tensor<8xi32>
    %217 = tt.addptr %150, %216 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %218 = tt.splat %62 : f32 -> tensor<8xf32>
    %219 = tt.load %217, %31, %218 : tensor<8x!tt.ptr<f32>>
    %221 = tt.splat %220 : i32 -> tensor<8xi32>
    %222 = tt.addptr %147, %221 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %223 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %224 = tt.load %222, %31, %223 : tensor<8x!tt.ptr<bf16>>
    %225 = arith.extf %224 : tensor<8xbf16> to tensor<8xf32>
    %226 = tt.splat %220 : i32 -> tensor<8xi32>
    %227 = tt.addptr %150, %226 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %228 = tt.splat %62 : f32 -> tensor<8xf32>
    %229 = tt.load %227, %31, %228 : tensor<8x!tt.ptr<f32>>
    %231 = tt.splat %230 : i32 -> tensor<8xi32>
    %232 = tt.addptr %147, %231 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %233 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %234 = tt.load %232, %31, %233 : tensor<8x!tt.ptr<bf16>>
    %235 = arith.extf %234 : tensor<8xbf16> to tensor<8xf32>
    %236 = tt.splat %230 : i32 -> tensor<8xi32>
    %237 = tt.addptr %150, %236 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %238 = tt.splat %62 : f32 -> tensor<8xf32>
    %239 = tt.load %237, %31, %238 : tensor<8x!tt.ptr<f32>>
    %241 = tt.splat %240 : i32 -> tensor<8xi32>
    %242 = tt.addptr %147, %241 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %243 = tt.splat %139 : i1 -> tensor<8xi1>
    %244 = arith.andi %31, %243 : tensor<8xi1>
    %245 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %246 = tt.load %242, %244, %245 : tensor<8x!tt.ptr<bf16>>
    %247 = arith.extf %246 : tensor<8xbf16> to tensor<8xf32>
    %248 = tt.splat %240 : i32 -> tensor<8xi32>
    %249 = tt.addptr %150, %248 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %250 = tt.splat %139 : i1 -> tensor<8xi1>
    %251 = arith.andi %31, %250 : tensor<8xi1>
    %252 = tt.splat %62 : f32 -> tensor<8xf32>
    %253 = tt.load %249, %251, %252 : tensor<8x!tt.ptr<f32>>
    %255 = tt.splat %254 : i32 -> tensor<8xi32>
    %256 = tt.addptr %147, %255 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %257 = tt.splat %142 : i1 -> tensor<8xi1>
    %258 = arith.andi %31, %257 : tensor<8xi1>
    %259 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %260 = tt.load %256, %258, %259 : tensor<8x!tt.ptr<bf16>>
    %261 = arith.extf %260 : tensor<8xbf16> to tensor<8xf32>
    %262 = tt.splat %254 : i32 -> tensor<8xi32>
    %263 = tt.addptr %150, %262 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %264 = tt.splat %142 : i1 -> tensor<8xi1>
    %265 = arith.andi %31, %264 : tensor<8xi1>
    %266 = tt.splat %62 : f32 -> tensor<8xf32>
    %267 = tt.load %263, %265, %266 : tensor<8x!tt.ptr<f32>>
    %269 = tt.splat %268 : i32 -> tensor<8xi32>
    %270 = tt.addptr %147, %269 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %271 = tt.splat %144 : i1 -> tensor<8xi1>
    %272 = arith.andi %31, %271 : tensor<8xi1>
    %273 = tt.splat %153 : bf16 -> tensor<8xbf16>
    %274 = tt.load %270, %272, %273 : tensor<8x!tt.ptr<bf16>>
    %275 = arith.extf %274 : tensor<8xbf16> to tensor<8xf32>
    %276 = tt.splat %268 : i32 -> tensor<8xi32>
    %277 = tt.addptr %150, %276 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %278 = tt.splat %144 : i1 -> tensor<8xi1>
    %279 = arith.andi %31, %278 : tensor<8xi1>
    %280 = tt.splat %62 : f32 -> tensor<8xf32>
    %281 = tt.load %277, %279, %280 : tensor<8x!tt.ptr<f32>>
    %282 = arith.muli %14, %32 : i32
    %283 = tt.splat %282 : i32 -> tensor<1x4xi32>
    %284 = tt.addptr %73, %283 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %285 = arith.muli %14, %32 : i32
    %286 = tt.splat %285 : i32 -> tensor<1x4xi32>
    %287 = tt.addptr %78, %286 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %288 = tt.splat %14 : i32 -> tensor<1x4xi32>
    %289 = tt.addptr %284, %288 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %290 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %291 = tt.load %289, %34, %290 : tensor<1x4x!tt.ptr<f32>>
    %292 = tt.splat %14 : i32 -> tensor<1x4xi32>
    %293 = tt.addptr %287, %292 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %294 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %295 = tt.load %293, %34, %294 : tensor<1x4x!tt.ptr<f32>>
    %296 = arith.addi %14, %14 : i32
    %297 = tt.addptr %81, %296 : !tt.ptr<i32>, i32
    %298 = arith.cmpi sgt, %296, %14 : i32
    %299 = tt.load %297 : !tt.ptr<i32>
    %300 = arith.subi %296, %21 : i32
    %301 = tt.addptr %81, %300 : !tt.ptr<i32>, i32
    %302 = tt.load %301, %298, %14 : !tt.ptr<i32>
    %303 = arith.cmpi eq, %299, %302 : i32
    %305 = arith.select %303, %62, %304 : f32
    %306 = tt.splat %32 : i32 -> tensor<1x4xi32>
    %307 = tt.addptr %284, %306 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %308 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %309 = tt.load %307, %34, %308 : tensor<1x4x!tt.ptr<f32>>
    %310 = tt.splat %32 : i32 -> tensor<1x4xi32>
    %311 = tt.addptr %287, %310 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %312 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %313 = tt.load %311, %34, %312 : tensor<1x4x!tt.ptr<f32>>
    %314 = arith.addi %14, %21 : i32
    %315 = tt.addptr %81, %314 : !tt.ptr<i32>, i32
    %316 = arith.cmpi sgt, %314, %14 : i32
    %317 = tt.load %315 : !tt.ptr<i32>
    %318 = arith.subi %314, %21 : i32
    %319 = tt.addptr %81, %318 : !tt.ptr<i32>, i32
    %320 = tt.load %319, %316, %14 : !tt.ptr<i32>
    %321 = arith.cmpi eq, %317, %320 : i32
    %322 = arith.select %321, %62, %304 : f32
    %324 = tt.splat %323 : i32 -> tensor<1x4xi32>
    %325 = tt.addptr %284, %324 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %326 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %327 = tt.load %325, %34, %326 : tensor<1x4x!tt.ptr<f32>>
    %328 = tt.splat %323 : i32 -> tensor<1x4xi32>
    %329 = tt.addptr %287, %328 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %330 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %331 = tt.load %329, %34, %330 : tensor<1x4x!tt.ptr<f32>>
    %333 = arith.addi %14, %332 : i32
    %334 = tt.addptr %81, %333 : !tt.ptr<i32>, i32
    %335 = arith.cmpi sgt, %333, %14 : i32
    %336 = tt.load %334 : !tt.ptr<i32>
    %337 = arith.subi %333, %21 : i32
    %338 = tt.addptr %81, %337 : !tt.ptr<i32>, i32
    %339 = tt.load %338, %335, %14 : !tt.ptr<i32>
    %340 = arith.cmpi eq, %336, %339 : i32
    %341 = arith.select %340, %62, %304 : f32
    %342 = tt.splat %137 : i32 -> tensor<1x4xi32>
    %343 = tt.addptr %284, %342 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %344 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %345 = tt.load %343, %34, %344 : tensor<1x4x!tt.ptr<f32>>
    %346 = tt.splat %137 : i32 -> tensor<1x4xi32>
    %347 = tt.addptr %287, %346 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %348 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %349 = tt.load %347, %34, %348 : tensor<1x4x!tt.ptr<f32>>
    %350 = arith.addi %14, %32 : i32
    %351 = tt.addptr %81, %350 : !tt.ptr<i32>, i32
    %352 = arith.cmpi sgt, %350, %14 : i32
    %353 = tt.load %351 : !tt.ptr<i32>
    %354 = arith.subi %350, %21 : i32
    %355 = tt.addptr %81, %354 : !tt.ptr<i32>, i32
    %356 = tt.load %355, %352, %14 : !tt.ptr<i32>
    %357 = arith.cmpi eq, %353, %356 : i32
    %358 = arith.select %357, %62, %304 : f32
    %360 = tt.splat %359 : i32 -> tensor<1x4xi32>
    %361 = tt.addptr %284, %360 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %362 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %363 = tt.load %361, %34, %362 : tensor<1x4x!tt.ptr<f32>>
    %364 = tt.splat %359 : i32 -> tensor<1x4xi32>
    %365 = tt.addptr %287, %364 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %366 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %367 = tt.load %365, %34, %366 : tensor<1x4x!tt.ptr<f32>>
    %369 = arith.addi %14, %368 : i32
    %370 = tt.addptr %81, %369 : !tt.ptr<i32>, i32
    %371 = arith.cmpi sgt, %369, %14 : i32
    %372 = tt.load %370 : !tt.ptr<i32>
    %373 = arith.subi %369, %21 : i32
    %374 = tt.addptr %81, %373 : !tt.ptr<i32>, i32
    %375 = tt.load %374, %371, %14 : !tt.ptr<i32>
    %376 = arith.cmpi eq, %372, %375 : i32
    %377 = arith.select %376, %62, %304 : f32
    %379 = tt.splat %378 : i32 -> tensor<1x4xi32>
    %380 = tt.addptr %284, %379 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %381 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %382 = tt.load %380, %34, %381 : tensor<1x4x!tt.ptr<f32>>
    %383 = tt.splat %378 : i32 -> tensor<1x4xi32>
    %384 = tt.addptr %287, %383 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %385 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %386 = tt.load %384, %34, %385 : tensor<1x4x!tt.ptr<f32>>
    %388 = arith.addi %14, %387 : i32
    %389 = tt.addptr %81, %388 : !tt.ptr<i32>, i32
    %390 = arith.cmpi sgt, %388, %14 : i32
    %391 = tt.load %389 : !tt.ptr<i32>
    %392 = arith.subi %388, %21 : i32
    %393 = tt.addptr %81, %392 : !tt.ptr<i32>, i32
    %394 = tt.load %393, %390, %14 : !tt.ptr<i32>
    %395 = arith.cmpi eq, %391, %394 : i32
    %396 = arith.select %395, %62, %304 : f32
    %398 = tt.splat %397 : i32 -> tensor<1x4xi32>
    %399 = tt.addptr %284, %398 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %400 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %401 = tt.load %399, %34, %400 : tensor<1x4x!tt.ptr<f32>>
    %402 = tt.splat %397 : i32 -> tensor<1x4xi32>
    %403 = tt.addptr %287, %402 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %404 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %405 = tt.load %403, %34, %404 : tensor<1x4x!tt.ptr<f32>>
    %406 = arith.addi %14, %323 : i32
    %407 = tt.addptr %81, %406 : !tt.ptr<i32>, i32
    %408 = arith.cmpi sgt, %406, %14 : i32
    %409 = tt.load %407 : !tt.ptr<i32>
    %410 = arith.subi %406, %21 : i32
    %411 = tt.addptr %81, %410 : !tt.ptr<i32>, i32
    %412 = tt.load %411, %408, %14 : !tt.ptr<i32>
    %413 = arith.cmpi eq, %409, %412 : i32
    %414 = arith.select %413, %62, %304 : f32
    %416 = tt.splat %415 : i32 -> tensor<1x4xi32>
    %417 = tt.addptr %284, %416 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %418 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %419 = tt.load %417, %34, %418 : tensor<1x4x!tt.ptr<f32>>
    %420 = tt.splat %415 : i32 -> tensor<1x4xi32>
    %421 = tt.addptr %287, %420 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %422 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %423 = tt.load %421, %34, %422 : tensor<1x4x!tt.ptr<f32>>
    %425 = arith.addi %14, %424 : i32
    %426 = tt.addptr %81, %425 : !tt.ptr<i32>, i32
    %427 = arith.cmpi sgt, %425, %14 : i32
    %428 = tt.load %426 : !tt.ptr<i32>
    %429 = arith.subi %425, %21 : i32
    %430 = tt.addptr %81, %429 : !tt.ptr<i32>, i32
    %431 = tt.load %430, %427, %14 : !tt.ptr<i32>
    %432 = arith.cmpi eq, %428, %431 : i32
    %433 = arith.select %432, %62, %304 : f32
    %435 = tt.splat %434 : i32 -> tensor<1x4xi32>
    %436 = tt.addptr %284, %435 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %437 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %438 = tt.load %436, %34, %437 : tensor<1x4x!tt.ptr<f32>>
    %439 = tt.splat %434 : i32 -> tensor<1x4xi32>
    %440 = tt.addptr %287, %439 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %441 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %442 = tt.load %440, %34, %441 : tensor<1x4x!tt.ptr<f32>>
    %443 = arith.addi %14, %12 : i32
    %444 = tt.addptr %81, %443 : !tt.ptr<i32>, i32
    %445 = arith.cmpi sgt, %443, %14 : i32
    %446 = tt.load %444 : !tt.ptr<i32>
    %447 = arith.subi %443, %21 : i32
    %448 = tt.addptr %81, %447 : !tt.ptr<i32>, i32
    %449 = tt.load %448, %445, %14 : !tt.ptr<i32>
    %450 = arith.cmpi eq, %446, %449 : i32
    %451 = arith.select %450, %62, %304 : f32
    %453 = tt.splat %452 : i32 -> tensor<1x4xi32>
    %454 = tt.addptr %284, %453 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %455 = tt.splat %139 : i1 -> tensor<1x4xi1>
    %456 = arith.andi %34, %455 : tensor<1x4xi1>
    %457 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %458 = tt.load %454, %456, %457 : tensor<1x4x!tt.ptr<f32>>
    %459 = tt.splat %452 : i32 -> tensor<1x4xi32>
    %460 = tt.addptr %287, %459 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %461 = tt.splat %139 : i1 -> tensor<1x4xi1>
    %462 = arith.andi %34, %461 : tensor<1x4xi1>
    %463 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %464 = tt.load %460, %462, %463 : tensor<1x4x!tt.ptr<f32>>
    %465 = arith.addi %14, %137 : i32
    %466 = tt.addptr %81, %465 : !tt.ptr<i32>, i32
    %467 = arith.cmpi sgt, %465, %14 : i32
    %468 = tt.load %466, %139, %14 : !tt.ptr<i32>
    %469 = arith.andi %467, %139 : i1
    %470 = arith.subi %465, %21 : i32
    %471 = tt.addptr %81, %470 : !tt.ptr<i32>, i32
    %472 = tt.load %471, %469, %14 : !tt.ptr<i32>
    %473 = arith.cmpi eq, %468, %472 : i32
    %474 = arith.select %473, %62, %304 : f32
    %476 = tt.splat %475 : i32 -> tensor<1x4xi32>
    %477 = tt.addptr %284, %476 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %478 = tt.splat %142 : i1 -> tensor<1x4xi1>
    %479 = arith.andi %34, %478 : tensor<1x4xi1>
    %480 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %481 = tt.load %477, %479, %480 : tensor<1x4x!tt.ptr<f32>>
    %482 = tt.splat %475 : i32 -> tensor<1x4xi32>
    %483 = tt.addptr %287, %482 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %484 = tt.splat %142 : i1 -> tensor<1x4xi1>
    %485 = arith.andi %34, %484 : tensor<1x4xi1>
    %486 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %487 = tt.load %483, %485, %486 : tensor<1x4x!tt.ptr<f32>>
    %488 = arith.addi %14, %140 : i32
    %489 = tt.addptr %81, %488 : !tt.ptr<i32>, i32
    %490 = arith.cmpi sgt, %488, %14 : i32
    %491 = tt.load %489, %142, %14 : !tt.ptr<i32>
    %492 = arith.andi %490, %142 : i1
    %493 = arith.subi %488, %21 : i32
    %494 = tt.addptr %81, %493 : !tt.ptr<i32>, i32
    %495 = tt.load %494, %492, %14 : !tt.ptr<i32>
    %496 = arith.cmpi eq, %491, %495 : i32
    %497 = arith.select %496, %62, %304 : f32
    %498 = tt.splat %180 : i32 -> tensor<1x4xi32>
    %499 = tt.addptr %284, %498 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %500 = tt.splat %144 : i1 -> tensor<1x4xi1>
    %501 = arith.andi %34, %500 : tensor<1x4xi1>
    %502 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %503 = tt.load %499, %501, %502 : tensor<1x4x!tt.ptr<f32>>
    %504 = tt.splat %180 : i32 -> tensor<1x4xi32>
    %505 = tt.addptr %287, %504 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
    %506 = tt.splat %144 : i1 -> tensor<1x4xi1>
    %507 = arith.andi %34, %506 : tensor<1x4xi1>
    %508 = tt.splat %62 : f32 -> tensor<1x4xf32>
    %509 = tt.load %505, %507, %508 : tensor<1x4x!tt.ptr<f32>>
    %510 = arith.addi %14, %29 : i32
    %511 = tt.addptr %81, %510 : !tt.ptr<i32>, i32
    %512 = arith.cmpi sgt, %510, %14 : i32
    %513 = tt.load %511, %144, %14 : !tt.ptr<i32>
    %514 = arith.andi %512, %144 : i1
    %515 = arith.subi %510, %21 : i32
    %516 = tt.addptr %81, %515 : !tt.ptr<i32>, i32
    %517 = tt.load %516, %514, %14 : !tt.ptr<i32>
    %518 = arith.cmpi eq, %513, %517 : i32
    %519 = arith.select %518, %62, %304 : f32
    %520 = tt.expand_dims %160 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %521 = tt.expand_dims %520 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %522 = tt.broadcast %521 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %523 = arith.mulf %522, %67 : tensor<1x4x8xf32>
    %524 = tt.splat %305 : f32 -> tensor<1x4x8xf32>
    %525 = arith.addf %523, %524 : tensor<1x4x8xf32>
    %526 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %525 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %527 = arith.mulf %156, %160 : tensor<8xf32>
    %528 = tt.expand_dims %527 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %529 = tt.expand_dims %528 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %530 = tt.expand_dims %291 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %531 = tt.broadcast %529 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %532 = tt.broadcast %530 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %533 = arith.mulf %531, %532 : tensor<1x4x8xf32>
    %534 = math.fma %526, %111, %533 : tensor<1x4x8xf32>
    %535 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %536 = tt.broadcast %535 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %537 = arith.mulf %534, %536 : tensor<1x4x8xf32>
    %541 = "tt.reduce"(%537) <{axis = 0 : i32}> ({
    ^bb0(%538: f32, %539: f32):
      %540 = arith.addf %538, %539 : f32
      tt.reduce.return %540 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %542 = tt.expand_dims %169 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %543 = tt.expand_dims %542 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %544 = tt.broadcast %543 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %545 = arith.mulf %544, %67 : tensor<1x4x8xf32>
    %546 = tt.splat %322 : f32 -> tensor<1x4x8xf32>
    %547 = arith.addf %545, %546 : tensor<1x4x8xf32>
    %548 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %547 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %549 = arith.mulf %165, %169 : tensor<8xf32>
    %550 = tt.expand_dims %549 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %551 = tt.expand_dims %550 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %552 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %553 = tt.broadcast %551 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %554 = tt.broadcast %552 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %555 = arith.mulf %553, %554 : tensor<1x4x8xf32>
    %556 = math.fma %548, %534, %555 : tensor<1x4x8xf32>
    %557 = tt.expand_dims %313 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %558 = tt.broadcast %557 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %559 = arith.mulf %556, %558 : tensor<1x4x8xf32>
    %563 = "tt.reduce"(%559) <{axis = 0 : i32}> ({
    ^bb0(%560: f32, %561: f32):
      %562 = arith.addf %560, %561 : f32
      tt.reduce.return %562 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %564 = tt.reshape %541 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %568 = "tt.reduce"(%564) <{axis = 1 : i32}> ({
    ^bb0(%565: f32, %566: f32):
      %567 = arith.addf %565, %566 : f32
      tt.reduce.return %567 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %569 = tt.expand_dims %568 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %570 = tt.reshape %563 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %574 = "tt.reduce"(%570) <{axis = 1 : i32}> ({
    ^bb0(%571: f32, %572: f32):
      %573 = arith.addf %571, %572 : f32
      tt.reduce.return %573 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %575 = tt.expand_dims %574 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %576 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %577 = tt.reshape %576 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %578 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %579 = arith.cmpi eq, %577, %578 : tensor<1x2x1x1xi32>
    %580 = tt.broadcast %579 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
    %581 = tt.broadcast %575 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %582 = tt.broadcast %569 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %583 = arith.select %580, %581, %582 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
    %584 = tt.reshape %583 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
    %585 = tt.expand_dims %179 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %586 = tt.expand_dims %585 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %587 = tt.broadcast %586 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %588 = arith.mulf %587, %67 : tensor<1x4x8xf32>
    %589 = tt.splat %341 : f32 -> tensor<1x4x8xf32>
    %590 = arith.addf %588, %589 : tensor<1x4x8xf32>
    %591 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %590 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %592 = arith.mulf %175, %179 : tensor<8xf32>
    %593 = tt.expand_dims %592 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %594 = tt.expand_dims %593 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %595 = tt.expand_dims %327 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %596 = tt.broadcast %594 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %597 = tt.broadcast %595 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %598 = arith.mulf %596, %597 : tensor<1x4x8xf32>
    %599 = math.fma %591, %556, %598 : tensor<1x4x8xf32>
    %600 = tt.expand_dims %331 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %601 = tt.broadcast %600 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %602 = arith.mulf %599, %601 : tensor<1x4x8xf32>
    %606 = "tt.reduce"(%602) <{axis = 0 : i32}> ({
    ^bb0(%603: f32, %604: f32):
      %605 = arith.addf %603, %604 : f32
      tt.reduce.return %605 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %607 = tt.expand_dims %189 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %608 = tt.expand_dims %607 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %609 = tt.broadcast %608 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %610 = arith.mulf %609, %67 : tensor<1x4x8xf32>
    %611 = tt.splat %358 : f32 -> tensor<1x4x8xf32>
    %612 = arith.addf %610, %611 : tensor<1x4x8xf32>
    %613 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %612 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %614 = arith.mulf %185, %189 : tensor<8xf32>
    %615 = tt.expand_dims %614 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %616 = tt.expand_dims %615 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %617 = tt.expand_dims %345 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %618 = tt.broadcast %616 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %619 = tt.broadcast %617 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %620 = arith.mulf %618, %619 : tensor<1x4x8xf32>
    %621 = math.fma %613, %599, %620 : tensor<1x4x8xf32>
    %622 = tt.expand_dims %349 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %623 = tt.broadcast %622 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %624 = arith.mulf %621, %623 : tensor<1x4x8xf32>
    %628 = "tt.reduce"(%624) <{axis = 0 : i32}> ({
    ^bb0(%625: f32, %626: f32):
      %627 = arith.addf %625, %626 : f32
      tt.reduce.return %627 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %629 = tt.reshape %606 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %633 = "tt.reduce"(%629) <{axis = 1 : i32}> ({
    ^bb0(%630: f32, %631: f32):
      %632 = arith.addf %630, %631 : f32
      tt.reduce.return %632 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %634 = tt.expand_dims %633 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %635 = tt.reshape %628 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %639 = "tt.reduce"(%635) <{axis = 1 : i32}> ({
    ^bb0(%636: f32, %637: f32):
      %638 = arith.addf %636, %637 : f32
      tt.reduce.return %638 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %640 = tt.expand_dims %639 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %641 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %642 = tt.reshape %641 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %643 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %644 = arith.cmpi eq, %642, %643 : tensor<1x2x1x1xi32>
    %645 = tt.broadcast %644 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
    %646 = tt.broadcast %640 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %647 = tt.broadcast %634 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %648 = arith.select %645, %646, %647 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
    %649 = tt.reshape %648 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
    %650 = tt.reshape %584 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
    %654 = "tt.reduce"(%650) <{axis = 1 : i32}> ({
    ^bb0(%651: f32, %652: f32):
      %653 = arith.addf %651, %652 : f32
      tt.reduce.return %653 : f32
    }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
    %655 = tt.expand_dims %654 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
    %656 = tt.reshape %649 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
    %660 = "tt.reduce"(%656) <{axis = 1 : i32}> ({
    ^bb0(%657: f32, %658: f32):
      %659 = arith.addf %657, %658 : f32
      tt.reduce.return %659 : f32
    }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
    %661 = tt.expand_dims %660 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
    %662 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %663 = tt.reshape %662 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %664 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %665 = arith.cmpi eq, %663, %664 : tensor<1x2x1x1xi32>
    %666 = tt.broadcast %665 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
    %667 = tt.broadcast %661 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
    %668 = tt.broadcast %655 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
    %669 = arith.select %666, %667, %668 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
    %670 = tt.reshape %669 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
    %671 = arith.addi %14, %14 : i32
    %672 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %673 = tt.splat %671 : i32 -> tensor<4xi32>
    %674 = arith.addi %673, %672 : tensor<4xi32>
    %675 = tt.splat %137 : i32 -> tensor<4xi32>
    %676 = arith.cmpi slt, %674, %675 : tensor<4xi32>
    %677 = tt.expand_dims %86 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
    %678 = tt.expand_dims %674 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %679 = tt.splat %29 : i32 -> tensor<4x1xi32>
    %680 = arith.muli %678, %679 : tensor<4x1xi32>
    %681 = tt.broadcast %677 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
    %682 = tt.broadcast %680 : tensor<4x1xi32> -> tensor<4x8xi32>
    %683 = tt.addptr %681, %682 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
    %684 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %685 = tt.expand_dims %676 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %686 = tt.broadcast %684 : tensor<1x8xi1> -> tensor<4x8xi1>
    %687 = tt.broadcast %685 : tensor<4x1xi1> -> tensor<4x8xi1>
    %688 = arith.andi %686, %687 : tensor<4x8xi1>
    %689 = arith.truncf %670 : tensor<4x8xf32> to tensor<4x8xbf16>
    tt.store %683, %689, %688 : tensor<4x8x!tt.ptr<bf16>>
    %690 = tt.expand_dims %199 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %691 = tt.expand_dims %690 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %692 = tt.broadcast %691 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %693 = arith.mulf %692, %67 : tensor<1x4x8xf32>
    %694 = tt.splat %377 : f32 -> tensor<1x4x8xf32>
    %695 = arith.addf %693, %694 : tensor<1x4x8xf32>
    %696 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %695 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %697 = arith.mulf %195, %199 : tensor<8xf32>
    %698 = tt.expand_dims %697 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %699 = tt.expand_dims %698 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %700 = tt.expand_dims %363 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %701 = tt.broadcast %699 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %702 = tt.broadcast %700 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %703 = arith.mulf %701, %702 : tensor<1x4x8xf32>
    %704 = math.fma %696, %621, %703 : tensor<1x4x8xf32>
    %705 = tt.expand_dims %367 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %706 = tt.broadcast %705 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %707 = arith.mulf %704, %706 : tensor<1x4x8xf32>
    %711 = "tt.reduce"(%707) <{axis = 0 : i32}> ({
    ^bb0(%708: f32, %709: f32):
      %710 = arith.addf %708, %709 : f32
      tt.reduce.return %710 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %712 = tt.expand_dims %209 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %713 = tt.expand_dims %712 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %714 = tt.broadcast %713 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %715 = arith.mulf %714, %67 : tensor<1x4x8xf32>
    %716 = tt.splat %396 : f32 -> tensor<1x4x8xf32>
    %717 = arith.addf %715, %716 : tensor<1x4x8xf32>
    %718 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %717 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %719 = arith.mulf %205, %209 : tensor<8xf32>
    %720 = tt.expand_dims %719 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %721 = tt.expand_dims %720 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %722 = tt.expand_dims %382 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %723 = tt.broadcast %721 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %724 = tt.broadcast %722 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %725 = arith.mulf %723, %724 : tensor<1x4x8xf32>
    %726 = math.fma %718, %704, %725 : tensor<1x4x8xf32>
    %727 = tt.expand_dims %386 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %728 = tt.broadcast %727 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %729 = arith.mulf %726, %728 : tensor<1x4x8xf32>
    %733 = "tt.reduce"(%729) <{axis = 0 : i32}> ({
    ^bb0(%730: f32, %731: f32):
      %732 = arith.addf %730, %731 : f32
      tt.reduce.return %732 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %734 = tt.reshape %711 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %738 = "tt.reduce"(%734) <{axis = 1 : i32}> ({
    ^bb0(%735: f32, %736: f32):
      %737 = arith.addf %735, %736 : f32
      tt.reduce.return %737 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %739 = tt.expand_dims %738 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %740 = tt.reshape %733 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %744 = "tt.reduce"(%740) <{axis = 1 : i32}> ({
    ^bb0(%741: f32, %742: f32):
      %743 = arith.addf %741, %742 : f32
      tt.reduce.return %743 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %745 = tt.expand_dims %744 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %746 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %747 = tt.reshape %746 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %748 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %749 = arith.cmpi eq, %747, %748 : tensor<1x2x1x1xi32>
    %750 = tt.broadcast %749 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
    %751 = tt.broadcast %745 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %752 = tt.broadcast %739 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %753 = arith.select %750, %751, %752 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
    %754 = tt.reshape %753 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
    %755 = tt.expand_dims %219 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %756 = tt.expand_dims %755 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %757 = tt.broadcast %756 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %758 = arith.mulf %757, %67 : tensor<1x4x8xf32>
    %759 = tt.splat %414 : f32 -> tensor<1x4x8xf32>
    %760 = arith.addf %758, %759 : tensor<1x4x8xf32>
    %761 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %760 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %762 = arith.mulf %215, %219 : tensor<8xf32>
    %763 = tt.expand_dims %762 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %764 = tt.expand_dims %763 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %765 = tt.expand_dims %401 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %766 = tt.broadcast %764 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %767 = tt.broadcast %765 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %768 = arith.mulf %766, %767 : tensor<1x4x8xf32>
    %769 = math.fma %761, %726, %768 : tensor<1x4x8xf32>
    %770 = tt.expand_dims %405 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %771 = tt.broadcast %770 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %772 = arith.mulf %769, %771 : tensor<1x4x8xf32>
    %776 = "tt.reduce"(%772) <{axis = 0 : i32}> ({
    ^bb0(%773: f32, %774: f32):
      %775 = arith.addf %773, %774 : f32
      tt.reduce.return %775 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %777 = tt.expand_dims %229 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %778 = tt.expand_dims %777 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %779 = tt.broadcast %778 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %780 = arith.mulf %779, %67 : tensor<1x4x8xf32>
    %781 = tt.splat %433 : f32 -> tensor<1x4x8xf32>
    %782 = arith.addf %780, %781 : tensor<1x4x8xf32>
    %783 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %782 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %784 = arith.mulf %225, %229 : tensor<8xf32>
    %785 = tt.expand_dims %784 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %786 = tt.expand_dims %785 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %787 = tt.expand_dims %419 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %788 = tt.broadcast %786 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %789 = tt.broadcast %787 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %790 = arith.mulf %788, %789 : tensor<1x4x8xf32>
    %791 = math.fma %783, %769, %790 : tensor<1x4x8xf32>
    %792 = tt.expand_dims %423 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %793 = tt.broadcast %792 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %794 = arith.mulf %791, %793 : tensor<1x4x8xf32>
    %798 = "tt.reduce"(%794) <{axis = 0 : i32}> ({
    ^bb0(%795: f32, %796: f32):
      %797 = arith.addf %795, %796 : f32
      tt.reduce.return %797 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %799 = tt.reshape %776 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %803 = "tt.reduce"(%799) <{axis = 1 : i32}> ({
    ^bb0(%800: f32, %801: f32):
      %802 = arith.addf %800, %801 : f32
      tt.reduce.return %802 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %804 = tt.expand_dims %803 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %805 = tt.reshape %798 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %809 = "tt.reduce"(%805) <{axis = 1 : i32}> ({
    ^bb0(%806: f32, %807: f32):
      %808 = arith.addf %806, %807 : f32
      tt.reduce.return %808 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %810 = tt.expand_dims %809 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %811 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %812 = tt.reshape %811 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %813 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %814 = arith.cmpi eq, %812, %813 : tensor<1x2x1x1xi32>
    %815 = tt.broadcast %814 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
    %816 = tt.broadcast %810 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %817 = tt.broadcast %804 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %818 = arith.select %815, %816, %817 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
    %819 = tt.reshape %818 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
    %820 = tt.reshape %754 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
    %824 = "tt.reduce"(%820) <{axis = 1 : i32}> ({
    ^bb0(%821: f32, %822: f32):
      %823 = arith.addf %821, %822 : f32
      tt.reduce.return %823 : f32
    }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
    %825 = tt.expand_dims %824 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
    %826 = tt.reshape %819 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
    %830 = "tt.reduce"(%826) <{axis = 1 : i32}> ({
    ^bb0(%827: f32, %828: f32):
      %829 = arith.addf %827, %828 : f32
      tt.reduce.return %829 : f32
    }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
    %831 = tt.expand_dims %830 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
    %832 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %833 = tt.reshape %832 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %834 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %835 = arith.cmpi eq, %833, %834 : tensor<1x2x1x1xi32>
    %836 = tt.broadcast %835 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
    %837 = tt.broadcast %831 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
    %838 = tt.broadcast %825 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
    %839 = arith.select %836, %837, %838 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
    %840 = tt.reshape %839 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
    %841 = arith.addi %14, %368 : i32
    %842 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %843 = tt.splat %841 : i32 -> tensor<4xi32>
    %844 = arith.addi %843, %842 : tensor<4xi32>
    %845 = tt.splat %137 : i32 -> tensor<4xi32>
    %846 = arith.cmpi slt, %844, %845 : tensor<4xi32>
    %847 = tt.expand_dims %86 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
    %848 = tt.expand_dims %844 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %849 = tt.splat %29 : i32 -> tensor<4x1xi32>
    %850 = arith.muli %848, %849 : tensor<4x1xi32>
    %851 = tt.broadcast %847 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
    %852 = tt.broadcast %850 : tensor<4x1xi32> -> tensor<4x8xi32>
    %853 = tt.addptr %851, %852 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
    %854 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %855 = tt.expand_dims %846 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %856 = tt.broadcast %854 : tensor<1x8xi1> -> tensor<4x8xi1>
    %857 = tt.broadcast %855 : tensor<4x1xi1> -> tensor<4x8xi1>
    %858 = arith.andi %856, %857 : tensor<4x8xi1>
    %859 = arith.truncf %840 : tensor<4x8xf32> to tensor<4x8xbf16>
    tt.store %853, %859, %858 : tensor<4x8x!tt.ptr<bf16>>
    %860 = tt.expand_dims %239 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %861 = tt.expand_dims %860 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %862 = tt.broadcast %861 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %863 = arith.mulf %862, %67 : tensor<1x4x8xf32>
    %864 = tt.splat %451 : f32 -> tensor<1x4x8xf32>
    %865 = arith.addf %863, %864 : tensor<1x4x8xf32>
    %866 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %865 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %867 = arith.mulf %235, %239 : tensor<8xf32>
    %868 = tt.expand_dims %867 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %869 = tt.expand_dims %868 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %870 = tt.expand_dims %438 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %871 = tt.broadcast %869 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %872 = tt.broadcast %870 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %873 = arith.mulf %871, %872 : tensor<1x4x8xf32>
    %874 = math.fma %866, %791, %873 : tensor<1x4x8xf32>
    %875 = tt.expand_dims %442 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %876 = tt.broadcast %875 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %877 = arith.mulf %874, %876 : tensor<1x4x8xf32>
    %881 = "tt.reduce"(%877) <{axis = 0 : i32}> ({
    ^bb0(%878: f32, %879: f32):
      %880 = arith.addf %878, %879 : f32
      tt.reduce.return %880 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %882 = tt.expand_dims %253 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %883 = tt.expand_dims %882 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %884 = tt.broadcast %883 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %885 = arith.mulf %884, %67 : tensor<1x4x8xf32>
    %886 = tt.splat %474 : f32 -> tensor<1x4x8xf32>
    %887 = arith.addf %885, %886 : tensor<1x4x8xf32>
    %888 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %887 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %889 = arith.mulf %247, %253 : tensor<8xf32>
    %890 = tt.expand_dims %889 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %891 = tt.expand_dims %890 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %892 = tt.expand_dims %458 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %893 = tt.broadcast %891 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %894 = tt.broadcast %892 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %895 = arith.mulf %893, %894 : tensor<1x4x8xf32>
    %896 = math.fma %888, %874, %895 : tensor<1x4x8xf32>
    %897 = tt.expand_dims %464 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %898 = tt.broadcast %897 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %899 = arith.mulf %896, %898 : tensor<1x4x8xf32>
    %903 = "tt.reduce"(%899) <{axis = 0 : i32}> ({
    ^bb0(%900: f32, %901: f32):
      %902 = arith.addf %900, %901 : f32
      tt.reduce.return %902 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %904 = tt.reshape %881 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %908 = "tt.reduce"(%904) <{axis = 1 : i32}> ({
    ^bb0(%905: f32, %906: f32):
      %907 = arith.addf %905, %906 : f32
      tt.reduce.return %907 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %909 = tt.expand_dims %908 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %910 = tt.reshape %903 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %914 = "tt.reduce"(%910) <{axis = 1 : i32}> ({
    ^bb0(%911: f32, %912: f32):
      %913 = arith.addf %911, %912 : f32
      tt.reduce.return %913 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %915 = tt.expand_dims %914 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %916 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %917 = tt.reshape %916 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %918 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %919 = arith.cmpi eq, %917, %918 : tensor<1x2x1x1xi32>
    %920 = tt.broadcast %919 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
    %921 = tt.broadcast %915 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %922 = tt.broadcast %909 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %923 = arith.select %920, %921, %922 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
    %924 = tt.reshape %923 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
    %925 = tt.expand_dims %267 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %926 = tt.expand_dims %925 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %927 = tt.broadcast %926 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %928 = arith.mulf %927, %67 : tensor<1x4x8xf32>
    %929 = tt.splat %497 : f32 -> tensor<1x4x8xf32>
    %930 = arith.addf %928, %929 : tensor<1x4x8xf32>
    %931 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %930 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %932 = arith.mulf %261, %267 : tensor<8xf32>
    %933 = tt.expand_dims %932 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %934 = tt.expand_dims %933 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %935 = tt.expand_dims %481 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %936 = tt.broadcast %934 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %937 = tt.broadcast %935 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %938 = arith.mulf %936, %937 : tensor<1x4x8xf32>
    %939 = math.fma %931, %896, %938 : tensor<1x4x8xf32>
    %940 = tt.expand_dims %487 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %941 = tt.broadcast %940 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %942 = arith.mulf %939, %941 : tensor<1x4x8xf32>
    %946 = "tt.reduce"(%942) <{axis = 0 : i32}> ({
    ^bb0(%943: f32, %944: f32):
      %945 = arith.addf %943, %944 : f32
      tt.reduce.return %945 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %947 = tt.expand_dims %281 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %948 = tt.expand_dims %947 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %949 = tt.broadcast %948 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %950 = arith.mulf %949, %67 : tensor<1x4x8xf32>
    %951 = tt.splat %519 : f32 -> tensor<1x4x8xf32>
    %952 = arith.addf %950, %951 : tensor<1x4x8xf32>
    %953 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %952 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
    %954 = arith.mulf %275, %281 : tensor<8xf32>
    %955 = tt.expand_dims %954 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %956 = tt.expand_dims %955 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %957 = tt.expand_dims %503 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %958 = tt.broadcast %956 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
    %959 = tt.broadcast %957 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %960 = arith.mulf %958, %959 : tensor<1x4x8xf32>
    %961 = math.fma %953, %939, %960 : tensor<1x4x8xf32>
    %962 = tt.expand_dims %509 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
    %963 = tt.broadcast %962 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
    %964 = arith.mulf %961, %963 : tensor<1x4x8xf32>
    %968 = "tt.reduce"(%964) <{axis = 0 : i32}> ({
    ^bb0(%965: f32, %966: f32):
      %967 = arith.addf %965, %966 : f32
      tt.reduce.return %967 : f32
    }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    %969 = tt.reshape %946 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %973 = "tt.reduce"(%969) <{axis = 1 : i32}> ({
    ^bb0(%970: f32, %971: f32):
      %972 = arith.addf %970, %971 : f32
      tt.reduce.return %972 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %974 = tt.expand_dims %973 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %975 = tt.reshape %968 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
    %979 = "tt.reduce"(%975) <{axis = 1 : i32}> ({
    ^bb0(%976: f32, %977: f32):
      %978 = arith.addf %976, %977 : f32
      tt.reduce.return %978 : f32
    }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
    %980 = tt.expand_dims %979 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
    %981 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %982 = tt.reshape %981 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %983 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %984 = arith.cmpi eq, %982, %983 : tensor<1x2x1x1xi32>
    %985 = tt.broadcast %984 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
    %986 = tt.broadcast %980 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %987 = tt.broadcast %974 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
    %988 = arith.select %985, %986, %987 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
    %989 = tt.reshape %988 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
    %990 = tt.reshape %924 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
    %994 = "tt.reduce"(%990) <{axis = 1 : i32}> ({
    ^bb0(%991: f32, %992: f32):
      %993 = arith.addf %991, %992 : f32
      tt.reduce.return %993 : f32
    }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
    %995 = tt.expand_dims %994 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
    %996 = tt.reshape %989 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
    %1000 = "tt.reduce"(%996) <{axis = 1 : i32}> ({
    ^bb0(%997: f32, %998: f32):
      %999 = arith.addf %997, %998 : f32
      tt.reduce.return %999 : f32
    }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
    %1001 = tt.expand_dims %1000 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
    %1002 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1003 = tt.reshape %1002 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %1004 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
    %1005 = arith.cmpi eq, %1003, %1004 : tensor<1x2x1x1xi32>
    %1006 = tt.broadcast %1005 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
    %1007 = tt.broadcast %1001 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
    %1008 = tt.broadcast %995 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
    %1009 = arith.select %1006, %1007, %1008 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
    %1010 = tt.reshape %1009 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
    %1011 = arith.addi %14, %12 : i32
    %1012 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1013 = tt.splat %1011 : i32 -> tensor<4xi32>
    %1014 = arith.addi %1013, %1012 : tensor<4xi32>
    %1015 = tt.splat %137 : i32 -> tensor<4xi32>
    %1016 = arith.cmpi slt, %1014, %1015 : tensor<4xi32>
    %1017 = tt.expand_dims %86 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
    %1018 = tt.expand_dims %1014 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %1019 = tt.splat %29 : i32 -> tensor<4x1xi32>
    %1020 = arith.muli %1018, %1019 : tensor<4x1xi32>
    %1021 = tt.broadcast %1017 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
    %1022 = tt.broadcast %1020 : tensor<4x1xi32> -> tensor<4x8xi32>
    %1023 = tt.addptr %1021, %1022 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
    %1024 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1025 = tt.expand_dims %1016 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %1026 = tt.broadcast %1024 : tensor<1x8xi1> -> tensor<4x8xi1>
    %1027 = tt.broadcast %1025 : tensor<4x1xi1> -> tensor<4x8xi1>
    %1028 = arith.andi %1026, %1027 : tensor<4x8xi1>
    %1029 = arith.truncf %1010 : tensor<4x8xf32> to tensor<4x8xbf16>
    tt.store %1023, %1029, %1028 : tensor<4x8x!tt.ptr<bf16>>
    %1030 = arith.extsi %14 : i32 to i64
    %1031 = arith.muli %28, %88 : i64
    %1032 = arith.addi %1031, %1030 : i64
    %1033 = arith.muli %1032, %91 : i64
    %1034 = tt.addptr %last, %1033 : !tt.ptr<f32>, i64
    %1035 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1036 = tt.expand_dims %1035 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1037 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %1038 = arith.muli %1036, %1037 : tensor<1x1x8xi32>
    %1039 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1040 = tt.broadcast %1038 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1041 = tt.broadcast %1039 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1042 = arith.addi %1040, %1041 : tensor<1x4x8xi32>
    %1043 = tt.splat %1034 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1044 = tt.addptr %1043, %1042 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1045 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1046 = tt.expand_dims %1045 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1047 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1048 = tt.broadcast %1046 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1049 = tt.broadcast %1047 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1050 = arith.andi %1048, %1049 : tensor<1x4x8xi1>
    tt.store %1044, %961, %1050 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
