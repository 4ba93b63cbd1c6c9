module {
  tt.func public @selective_scan(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %h: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %last: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %kept: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %12 = arith.constant 8 : i32
    %14 = arith.constant 0 : i32
    %21 = arith.constant 2 : i32
    %30 = arith.constant 11 : i32
    %33 = arith.constant 3 : i32
    %36 = arith.constant 99 : i64
    %63 = arith.constant 0.0e0 : f32
    %66 = arith.constant 1.442695e0 : f32
    %69 = arith.constant 27 : i64
    %80 = arith.constant 9 : i64
    %89 = arith.constant 1 : i64
    %92 = arith.constant 33 : i64
    %113 = arith.constant 16 : i32
    %146 = arith.constant 0.0e0 : bf16
    %163 = arith.constant 22 : i32
    %173 = arith.constant 33 : i32
    %183 = arith.constant 44 : i32
    %193 = arith.constant 55 : i32
    %203 = arith.constant 66 : i32
    %213 = arith.constant 77 : i32
    %223 = arith.constant 88 : i32
    %251 = arith.constant 1 : i32
    %256 = arith.constant 0xFF800000 : f32
    %275 = arith.constant 6 : i32
    %293 = arith.constant 9 : i32
    %311 = arith.constant 12 : i32
    %320 = arith.constant 4 : i32
    %330 = arith.constant 15 : i32
    %339 = arith.constant 5 : i32
    %349 = arith.constant 18 : i32
    %367 = arith.constant 21 : i32
    %376 = arith.constant 7 : i32
    %386 = arith.constant 24 : i32
    %10 = tt.get_program_id y : i32
    %11 = tt.get_program_id x : i32
    %13 = arith.muli %11, %12 : i32
    %15 = arith.addi %13, %14 : i32
    %16 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %17 = tt.splat %15 : i32 -> tensor<8xi32>
    %18 = arith.addi %17, %16 : tensor<8xi32>
    %19 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %22 = tt.splat %21 : i32 -> tensor<1x2xi32>
    %23 = arith.muli %20, %22 : tensor<1x2xi32>
    %24 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %26 = tt.broadcast %23 : tensor<1x2xi32> -> tensor<2x2xi32>
    %27 = tt.broadcast %25 : tensor<2x1xi32> -> tensor<2x2xi32>
    %28 = arith.addi %26, %27 : tensor<2x2xi32>
    %29 = arith.extsi %10 : i32 to i64
    %31 = tt.splat %30 : i32 -> tensor<8xi32>
    %32 = arith.cmpi slt, %18, %31 : tensor<8xi32>
    %34 = tt.splat %33 : i32 -> tensor<2x2xi32>
    %35 = arith.cmpi slt, %28, %34 : tensor<2x2xi32>
    %37 = arith.muli %29, %36 : i64
    %38 = tt.addptr %x, %37 : !tt.ptr<bf16>, i64
    %39 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %40 = tt.splat %38 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %41 = tt.addptr %40, %39 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %42 = arith.muli %29, %36 : i64
    %43 = tt.addptr %widths, %42 : !tt.ptr<f32>, i64
    %44 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %45 = tt.splat %43 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %46 = tt.addptr %45, %44 : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
    %47 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %48 = tt.expand_dims %47 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %49 = tt.splat %33 : i32 -> tensor<1x1x8xi32>
    %50 = arith.muli %48, %49 : tensor<1x1x8xi32>
    %51 = tt.expand_dims %28 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %52 = tt.broadcast %50 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %53 = tt.broadcast %51 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %54 = arith.addi %52, %53 : tensor<2x2x8xi32>
    %55 = tt.splat %rates : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %56 = tt.addptr %55, %54 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %57 = tt.expand_dims %32 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %58 = tt.expand_dims %57 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %59 = tt.expand_dims %35 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
    %60 = tt.broadcast %58 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
    %61 = tt.broadcast %59 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
    %62 = arith.andi %60, %61 : tensor<2x2x8xi1>
    %64 = tt.splat %63 : f32 -> tensor<2x2x8xf32>
    %65 = tt.load %56, %62, %64 : tensor<2x2x8x!tt.ptr<f32>>
    %67 = tt.splat %66 : f32 -> tensor<2x2x8xf32>
    %68 = arith.mulf %65, %67 : tensor<2x2x8xf32>
    %70 = arith.muli %29, %69 : i64
    %71 = tt.addptr %b, %70 : !tt.ptr<f32>, i64
    %72 = arith.extsi %28 : tensor<2x2xi32> to tensor<2x2xi64>
    %73 = tt.splat %71 : !tt.ptr<f32> -> tensor<2x2x!tt.ptr<f32>>
    %74 = tt.addptr %73, %72 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi64>
    %75 = arith.muli %29, %69 : i64
    %76 = tt.addptr %c, %75 : !tt.ptr<f32>, i64
    %77 = arith.extsi %28 : tensor<2x2xi32> to tensor<2x2xi64>
    %78 = tt.splat %76 : !tt.ptr<f32> -> tensor<2x2x!tt.ptr<f32>>
    %79 = tt.addptr %78, %77 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi64>
    %81 = arith.muli %29, %80 : i64
    %82 = tt.addptr %documents, %81 : !tt.ptr<i32>, i64
    %83 = arith.muli %29, %36 : i64
    %84 = tt.addptr %y, %83 : !tt.ptr<bf16>, i64
    %85 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %86 = tt.splat %84 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %87 = tt.addptr %86, %85 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %88 = arith.extsi %14 : i32 to i64
    %90 = arith.muli %29, %89 : i64
    %91 = arith.addi %90, %88 : i64
    %93 = arith.muli %91, %92 : i64
    %94 = tt.addptr %h, %93 : !tt.ptr<f32>, i64
    %95 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %96 = tt.expand_dims %95 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %97 = tt.splat %33 : i32 -> tensor<1x1x8xi32>
    %98 = arith.muli %96, %97 : tensor<1x1x8xi32>
    %99 = tt.expand_dims %28 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %100 = tt.broadcast %98 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %101 = tt.broadcast %99 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %102 = arith.addi %100, %101 : tensor<2x2x8xi32>
    %103 = tt.splat %94 : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %104 = tt.addptr %103, %102 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %105 = tt.expand_dims %32 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %106 = tt.expand_dims %105 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %107 = tt.expand_dims %35 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
    %108 = tt.broadcast %106 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
    %109 = tt.broadcast %107 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
    %110 = arith.andi %108, %109 : tensor<2x2x8xi1>
    %111 = tt.splat %63 : f32 -> tensor<2x2x8xf32>
    %112 = tt.load %104, %110, %111 : tensor<2x2x8x!tt.ptr<f32>>
    %114 = arith.divsi %14, %113 : i32
    %115 = arith.extsi %114 : i32 to i64
    %116 = arith.muli %29, %89 : i64
    %117 = arith.addi %116, %115 : i64
    %118 = arith.muli %117, %92 : i64
    %119 = tt.addptr %kept, %118 : !tt.ptr<f32>, i64
    %120 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %121 = tt.expand_dims %120 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %122 = tt.splat %33 : i32 -> tensor<1x1x8xi32>
    %123 = arith.muli %121, %122 : tensor<1x1x8xi32>
    %124 = tt.expand_dims %28 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %125 = tt.broadcast %123 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %126 = tt.broadcast %124 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %127 = arith.addi %125, %126 : tensor<2x2x8xi32>
    %128 = tt.splat %119 : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %129 = tt.addptr %128, %127 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %130 = arith.remsi %14, %113 : i32
    %131 = arith.cmpi eq, %130, %14 : i32
    scf.if %131 {
      %132 = tt.expand_dims %32 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %133 = tt.expand_dims %132 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %134 = tt.expand_dims %35 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
      %135 = tt.broadcast %133 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
      %136 = tt.broadcast %134 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
      %137 = arith.andi %135, %136 : tensor<2x2x8xi1>
      tt.store %129, %112, %137 : tensor<2x2x8x!tt.ptr<f32>>
    } else {
    }
    %138 = arith.muli %14, %30 : i32
    %139 = tt.splat %138 : i32 -> tensor<8xi32>
    %140 = tt.addptr %41, %139 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %141 = arith.muli %14, %30 : i32
    %142 = tt.splat %141 : i32 -> tensor<8xi32>
    %143 = tt.addptr %46, %142 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %144 = tt.splat %14 : i32 -> tensor<8xi32>
    %145 = tt.addptr %140, %144 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %147 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %148 = tt.load %145, %32, %147 : tensor<8x!tt.ptr<bf16>>
    %149 = arith.extf %148 : tensor<8xbf16> to tensor<8xf32>
    %150 = tt.splat %14 : i32 -> tensor<8xi32>
    %151 = tt.addptr %143, %150 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %152 = tt.splat %63 : f32 -> tensor<8xf32>
    %153 = tt.load %151, %32, %152 : tensor<8x!tt.ptr<f32>>
    %154 = tt.splat %30 : i32 -> tensor<8xi32>
    %155 = tt.addptr %140, %154 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %156 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %157 = tt.load %155, %32, %156 : tensor<8x!tt.ptr<bf16>>
    %158 = arith.extf %157 : tensor<8xbf16> to tensor<8xf32>
    %159 = tt.splat %30 : i32 -> tensor<8xi32>
    %160 = tt.addptr %143, %159 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %161 = tt.splat %63 : f32 -> tensor<8xf32>
    %162 = tt.load %160, %32, %161 : tensor<8x!tt.ptr<f32>>
    %164 = tt.splat %163 : i32 -> tensor<8xi32>
    %165 = tt.addptr %140, %164 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %166 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %167 = tt.load %165, %32, %166 : tensor<8x!tt.ptr<bf16>>
    %168 = arith.extf %167 : tensor<8xbf16> to tensor<8xf32>
    %169 = tt.splat %163 : i32 -> tensor<8xi32>
    %170 = tt.addptr %143, %169 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %171 = tt.splat %63 : f32 -> tensor<8xf32>
    %172 = tt.load %170, %32, %171 : tensor<8x!tt.ptr<f32>>
    %174 = tt.splat %173 : i32 -> tensor<8xi32>
    %175 = tt.addptr %140, %174 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %176 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %177 = tt.load %175, %32, %176 : tensor<8x!tt.ptr<bf16>>
    %178 = arith.extf %177 : tensor<8xbf16> to tensor<8xf32>
    %179 = tt.splat %173 : i32 -> tensor<8xi32>
    %180 = tt.addptr %143, %179 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %181 = tt.splat %63 : f32 -> tensor<8xf32>
    %182 = tt.load %180, %32, %181 : tensor<8x!tt.ptr<f32>>
    %184 = tt.splat %183 : i32 -> tensor<8xi32>
    %185 = tt.addptr %140, %184 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %186 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %187 = tt.load %185, %32, %186 : tensor<8x!tt.ptr<bf16>>
    %188 = arith.extf %187 : tensor<8xbf16> to tensor<8xf32>
    %189 = tt.splat %183 : i32 -> tensor<8xi32>
    %190 = tt.addptr %143, %189 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %191 = tt.splat %63 : f32 -> tensor<8xf32>
    %192 = tt.load %190, %32, %191 : tensor<8x!tt.ptr<f32>>
    %194 = tt.splat %193 : i32 -> tensor<8xi32>
    %195 = tt.addptr %140, %194 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %196 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %197 = tt.load %195, %32, %196 : tensor<8x!tt.ptr<bf16>>
    %198 = arith.extf %197 : tensor<8xbf16> to tensor<8xf32>
    %199 = tt.splat %193 : i32 -> tensor<8xi32>
    %200 = tt.addptr %143, %199 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %201 = tt.splat %63 : f32 -> tensor<8xf32>
    %202 = tt.load %200, %32, %201 : tensor<8x!tt.ptr<f32>>
    %204 = tt.splat %203 : i32 -> tensor<8xi32>
    %205 = tt.addptr %140, %204 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %206 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %207 = tt.load %205, %32, %206 : tensor<8x!tt.ptr<bf16>>
    %208 = arith.extf %207 : tensor<8xbf16> to tensor<8xf32>
    %209 = tt.splat %203 : i32 -> tensor<8xi32>
    %210 = tt.addptr %143, %209 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %211 = tt.splat %63 : f32 -> tensor<8xf32>
    %212 = tt.load %210, %32, %211 : tensor<8x!tt.ptr<f32>>
    %214 = tt.splat %213 : i32 -> tensor<8xi32>
    %215 = tt.addptr %140, %214 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %216 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %217 = tt.load %215, %32, %216 : tensor<8x!tt.ptr<bf16>>
    %218 = arith.extf %217 : tensor<8xbf16> to tensor<8xf32>
    %219 = tt.splat %213 : i32 -> tensor<8xi32>
    %220 = tt.addptr %143, %219 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %221 = tt.splat %63 : f32 -> tensor<8xf32>
    %222 = tt.load %220, %32, %221 : tensor<8x!tt.ptr<f32>>
    %224 = tt.splat %223 : i32 -> tensor<8xi32>
    %225 = tt.addptr %140, %224 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %226 = tt.splat %146 : bf16 -> tensor<8xbf16>
    %227 = tt.load %225, %32, %226 : tensor<8x!tt.ptr<bf16>>
    %228 = arith.extf %227 : tensor<8xbf16> to tensor<8xf32>
    %229 = tt.splat %223 : i32 -> tensor<8xi32>
    %230 = tt.addptr %143, %229 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %231 = tt.splat %63 : f32 -> tensor<8xf32>
    %232 = tt.load %230, %32, %231 : tensor<8x!tt.ptr<f32>>
    %233 = arith.muli %14, %33 : i32
    %234 = tt.splat %233 : i32 -> tensor<2x2xi32>
    %235 = tt.addptr %74, %234 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %236 = arith.muli %14, %33 : i32
    %237 = tt.splat %236 : i32 -> tensor<2x2xi32>
    %238 = tt.addptr %79, %237 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %239 = tt.splat %14 : i32 -> tensor<2x2xi32>
    %240 = tt.addptr %235, %239 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %241 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %242 = tt.load %240, %35, %241 : tensor<2x2x!tt.ptr<f32>>
    %243 = tt.splat %14 : i32 -> tensor<2x2xi32>
    %244 = tt.addptr %238, %243 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %245 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %246 = tt.load %244, %35, %245 : tensor<2x2x!tt.ptr<f32>>
    %247 = arith.addi %14, %14 : i32
    %248 = tt.addptr %82, %247 : !tt.ptr<i32>, i32
    %249 = arith.cmpi sgt, %247, %14 : i32
    %250 = tt.load %248 : !tt.ptr<i32>
    %252 = arith.subi %247, %251 : i32
    %253 = tt.addptr %82, %252 : !tt.ptr<i32>, i32
    %254 = tt.load %253, %249, %14 : !tt.ptr<i32>
    %255 = arith.cmpi eq, %250, %254 : i32
    %257 = arith.select %255, %63, %256 : f32
    %258 = tt.splat %33 : i32 -> tensor<2x2xi32>
    %259 = tt.addptr %235, %258 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %260 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %261 = tt.load %259, %35, %260 : tensor<2x2x!tt.ptr<f32>>
    %262 = tt.splat %33 : i32 -> tensor<2x2xi32>
    %263 = tt.addptr %238, %262 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %264 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %265 = tt.load %263, %35, %264 : tensor<2x2x!tt.ptr<f32>>
    %266 = arith.addi %14, %251 : i32
    %267 = tt.addptr %82, %266 : !tt.ptr<i32>, i32
    %268 = arith.cmpi sgt, %266, %14 : i32
    %269 = tt.load %267 : !tt.ptr<i32>
    %270 = arith.subi %266, %251 : i32
    %271 = tt.addptr %82, %270 : !tt.ptr<i32>, i32
    %272 = tt.load %271, %268, %14 : !tt.ptr<i32>
    %273 = arith.cmpi eq, %269, %272 : i32
    %274 = arith.select %273, %63, %256 : f32
    %276 = tt.splat %275 : i32 -> tensor<2x2xi32>
    %277 = tt.addptr %235, %276 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %278 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %279 = tt.load %277, %35, %278 : tensor<2x2x!tt.ptr<f32>>
    %280 = tt.splat %275 : i32 -> tensor<2x2xi32>
    %281 = tt.addptr %238, %280 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %282 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %283 = tt.load %281, %35, %282 : tensor<2x2x!tt.ptr<f32>>
    %284 = arith.addi %14, %21 : i32
    %285 = tt.addptr %82, %284 : !tt.ptr<i32>, i32
    %286 = arith.cmpi sgt, %284, %14 : i32
    %287 = tt.load %285 : !tt.ptr<i32>
    %288 = arith.subi %284, %251 : i32
    %289 = tt.addptr %82, %288 : !tt.ptr<i32>, i32
    %290 = tt.load %289, %286, %14 : !tt.ptr<i32>
    %291 = arith.cmpi eq, %287, %290 : i32
    %292 = arith.select %291, %63, %256 : f32
    %294 = tt.splat %293 : i32 -> tensor<2x2xi32>
    %295 = tt.addptr %235, %294 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %296 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %297 = tt.load %295, %35, %296 : tensor<2x2x!tt.ptr<f32>>
    %298 = tt.splat %293 : i32 -> tensor<2x2xi32>
    %299 = tt.addptr %238, %298 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %300 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %301 = tt.load %299, %35, %300 : tensor<2x2x!tt.ptr<f32>>
    %302 = arith.addi %14, %33 : i32
    %303 = tt.addptr %82, %302 : !tt.ptr<i32>, i32
    %304 = arith.cmpi sgt, %302, %14 : i32
    %305 = tt.load %303 : !tt.ptr<i32>
    %306 = arith.subi %302, %251 : i32
    %307 = tt.addptr %82, %306 : !tt.ptr<i32>, i32
    %308 = tt.load %307, %304, %14 : !tt.ptr<i32>
    %309 = arith.cmpi eq, %305, %308 : i32
    %310 = arith.select %309, %63, %256 : f32
    %312 = tt.splat %311 : i32 -> tensor<2x2xi32>
    %313 = tt.addptr %235, %312 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %314 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %315 = tt.load %313, %35, %314 : tensor<2x2x!tt.ptr<f32>>
    %316 = tt.splat %311 : i32 -> tensor<2x2xi32>
    %317 = tt.addptr %238, %316 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %318 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %319 = tt.load %317, %35, %318 : tensor<2x2x!tt.ptr<f32>>
    %321 = arith.addi %14, %320 : i32
    %322 = tt.addptr %82, %321 : !tt.ptr<i32>, i32
    %323 = arith.cmpi sgt, %321, %14 : i32
    %324 = tt.load %322 : !tt.ptr<i32>
    %325 = arith.subi %321, %251 : i32
    %326 = tt.addptr %82, %325 : !tt.ptr<i32>, i32
    %327 = tt.load %326, %323, %14 : !tt.ptr<i32>
    %328 = arith.cmpi eq, %324, %327 : i32
    %329 = arith.select %328, %63, %256 : f32
    %331 = tt.splat %330 : i32 -> tensor<2x2xi32>
    %332 = tt.addptr %235, %331 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %333 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %334 = tt.load %332, %35, %333 : tensor<2x2x!tt.ptr<f32>>
    %335 = tt.splat %330 : i32 -> tensor<2x2xi32>
    %336 = tt.addptr %238, %335 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %337 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %338 = tt.load %336, %35, %337 : tensor<2x2x!tt.ptr<f32>>
    %340 = arith.addi %14, %339 : i32
    %341 = tt.addptr %82, %340 : !tt.ptr<i32>, i32
    %342 = arith.cmpi sgt, %340, %14 : i32
    %343 = tt.load %341 : !tt.ptr<i32>
    %344 = arith.subi %340, %251 : i32
    %345 = tt.addptr %82, %344 : !tt.ptr<i32>, i32
    %346 = tt.load %345, %342, %14 : !tt.ptr<i32>
    %347 = arith.cmpi eq, %343, %346 : i32
    %348 = arith.select %347, %63, %256 : f32
    %350 = tt.splat %349 : i32 -> tensor<2x2xi32>
    %351 = tt.addptr %235, %350 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %352 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %353 = tt.load %351, %35, %352 : tensor<2x2x!tt.ptr<f32>>
    %354 = tt.splat %349 : i32 -> tensor<2x2xi32>
    %355 = tt.addptr %238, %354 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %356 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %357 = tt.load %355, %35, %356 : tensor<2x2x!tt.ptr<f32>>
    %358 = arith.addi %14, %275 : i32
    %359 = tt.addptr %82, %358 : !tt.ptr<i32>, i32
    %360 = arith.cmpi sgt, %358, %14 : i32
    %361 = tt.load %359 : !tt.ptr<i32>
    %362 = arith.subi %358, %251 : i32
    %363 = tt.addptr %82, %362 : !tt.ptr<i32>, i32
    %364 = tt.load %363, %360, %14 : !tt.ptr<i32>
    %365 = arith.cmpi eq, %361, %364 : i32
    %366 = arith.select %365, %63, %256 : f32
    %368 = tt.splat %367 : i32 -> tensor<2x2xi32>
    %369 = tt.addptr %235, %368 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %370 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %371 = tt.load %369, %35, %370 : tensor<2x2x!tt.ptr<f32>>
    %372 = tt.splat %367 : i32 -> tensor<2x2xi32>
    %373 = tt.addptr %238, %372 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %374 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %375 = tt.load %373, %35, %374 : tensor<2x2x!tt.ptr<f32>>
    %377 = arith.addi %14, %376 : i32
    %378 = tt.addptr %82, %377 : !tt.ptr<i32>, i32
    %379 = arith.cmpi sgt, %377, %14 : i32
    %380 = tt.load %378 : !tt.ptr<i32>
    %381 = arith.subi %377, %251 : i32
    %382 = tt.addptr %82, %381 : !tt.ptr<i32>, i32
    %383 = tt.load %382, %379, %14 : !tt.ptr<i32>
    %384 = arith.cmpi eq, %380, %383 : i32
    %385 = arith.select %384, %63, %256 : f32
    %387 = tt.splat %386 : i32 -> tensor<2x2xi32>
    %388 = tt.addptr %235, %387 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %389 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %390 = tt.load %388, %35, %389 : tensor<2x2x!tt.ptr<f32>>
    %391 = tt.splat %386 : i32 -> tensor<2x2xi32>
    %392 = tt.addptr %238, %391 : tensor<2x2x!tt.ptr<f32>>, tensor<2x2xi32>
    %393 = tt.splat %63 : f32 -> tensor<2x2xf32>
    %394 = tt.load %392, %35, %393 : tensor<2x2x!tt.ptr<f32>>
    %395 = arith.addi %14, %12 : i32
    %396 = tt.addptr %82, %395 : !tt.ptr<i32>, i32
    %397 = arith.cmpi sgt, %395, %14 : i32
    %398 = tt.load %396 : !tt.ptr<i32>
    %399 = arith.subi %395, %251 : i32
    %400 = tt.addptr %82, %399 : !tt.ptr<i32>, i32
    %401 = tt.load %400, %397, %14 : !tt.ptr<i32>
    %402 = arith.cmpi eq, %398, %401 : i32
    %403 = arith.select %402, %63, %256 : f32
    %404 = arith.muli %14, %30 : i32
    %405 = tt.splat %404 : i32 -> tensor<8xi32>
    %406 = tt.addptr %87, %405 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %407 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %408 = tt.expand_dims %407 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %409 = tt.broadcast %408 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %410 = arith.mulf %409, %68 : tensor<2x2x8xf32>
    %411 = tt.splat %257 : f32 -> tensor<2x2x8xf32>
    %412 = arith.addf %410, %411 : tensor<2x2x8xf32>
    %413 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %412 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %414 = arith.mulf %149, %153 : tensor<8xf32>
    %415 = tt.expand_dims %414 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %416 = tt.expand_dims %415 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %417 = tt.expand_dims %242 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %418 = tt.broadcast %416 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %419 = tt.broadcast %417 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %420 = arith.mulf %418, %419 : tensor<2x2x8xf32>
    %421 = math.fma %413, %112, %420 : tensor<2x2x8xf32>
    %422 = tt.expand_dims %246 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %423 = tt.broadcast %422 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %424 = arith.mulf %421, %423 : tensor<2x2x8xf32>
    %428 = "tt.reduce"(%424) <{axis = 0 : i32}> ({
    ^bb0(%425: f32, %426: f32):
      %427 = arith.addf %425, %426 : f32
      tt.reduce.return %427 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %432 = "tt.reduce"(%428) <{axis = 0 : i32}> ({
    ^bb0(%429: f32, %430: f32):
      %431 = arith.addf %429, %430 : f32
      tt.reduce.return %431 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %433 = tt.splat %14 : i32 -> tensor<8xi32>
    %434 = tt.addptr %406, %433 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %435 = arith.truncf %432 : tensor<8xf32> to tensor<8xbf16>
    tt.store %434, %435, %32 : tensor<8x!tt.ptr<bf16>>
    %436 = tt.expand_dims %162 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %437 = tt.expand_dims %436 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %438 = tt.broadcast %437 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %439 = arith.mulf %438, %68 : tensor<2x2x8xf32>
    %440 = tt.splat %274 : f32 -> tensor<2x2x8xf32>
    %441 = arith.addf %439, %440 : tensor<2x2x8xf32>
    %442 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %441 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %443 = arith.mulf %158, %162 : tensor<8xf32>
    %444 = tt.expand_dims %443 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %445 = tt.expand_dims %444 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %446 = tt.expand_dims %261 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %447 = tt.broadcast %445 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %448 = tt.broadcast %446 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %449 = arith.mulf %447, %448 : tensor<2x2x8xf32>
    %450 = math.fma %442, %421, %449 : tensor<2x2x8xf32>
    %451 = tt.expand_dims %265 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %452 = tt.broadcast %451 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %453 = arith.mulf %450, %452 : tensor<2x2x8xf32>
    %457 = "tt.reduce"(%453) <{axis = 0 : i32}> ({
    ^bb0(%454: f32, %455: f32):
      %456 = arith.addf %454, %455 : f32
      tt.reduce.return %456 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %461 = "tt.reduce"(%457) <{axis = 0 : i32}> ({
    ^bb0(%458: f32, %459: f32):
      %460 = arith.addf %458, %459 : f32
      tt.reduce.return %460 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %462 = tt.splat %30 : i32 -> tensor<8xi32>
    %463 = tt.addptr %406, %462 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %464 = arith.truncf %461 : tensor<8xf32> to tensor<8xbf16>
    tt.store %463, %464, %32 : tensor<8x!tt.ptr<bf16>>
    %465 = tt.expand_dims %172 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %466 = tt.expand_dims %465 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %467 = tt.broadcast %466 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %468 = arith.mulf %467, %68 : tensor<2x2x8xf32>
    %469 = tt.splat %292 : f32 -> tensor<2x2x8xf32>
    %470 = arith.addf %468, %469 : tensor<2x2x8xf32>
    %471 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %470 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %472 = arith.mulf %168, %172 : tensor<8xf32>
    %473 = tt.expand_dims %472 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %474 = tt.expand_dims %473 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %475 = tt.expand_dims %279 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %476 = tt.broadcast %474 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %477 = tt.broadcast %475 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %478 = arith.mulf %476, %477 : tensor<2x2x8xf32>
    %479 = math.fma %471, %450, %478 : tensor<2x2x8xf32>
    %480 = tt.expand_dims %283 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %481 = tt.broadcast %480 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %482 = arith.mulf %479, %481 : tensor<2x2x8xf32>
    %486 = "tt.reduce"(%482) <{axis = 0 : i32}> ({
    ^bb0(%483: f32, %484: f32):
      %485 = arith.addf %483, %484 : f32
      tt.reduce.return %485 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %490 = "tt.reduce"(%486) <{axis = 0 : i32}> ({
    ^bb0(%487: f32, %488: f32):
      %489 = arith.addf %487, %488 : f32
      tt.reduce.return %489 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %491 = tt.splat %163 : i32 -> tensor<8xi32>
    %492 = tt.addptr %406, %491 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %493 = arith.truncf %490 : tensor<8xf32> to tensor<8xbf16>
    tt.store %492, %493, %32 : tensor<8x!tt.ptr<bf16>>
    %494 = tt.expand_dims %182 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %495 = tt.expand_dims %494 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %496 = tt.broadcast %495 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %497 = arith.mulf %496, %68 : tensor<2x2x8xf32>
    %498 = tt.splat %310 : f32 -> tensor<2x2x8xf32>
    %499 = arith.addf %497, %498 : tensor<2x2x8xf32>
    %500 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %499 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %501 = arith.mulf %178, %182 : tensor<8xf32>
    %502 = tt.expand_dims %501 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %503 = tt.expand_dims %502 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %504 = tt.expand_dims %297 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %505 = tt.broadcast %503 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %506 = tt.broadcast %504 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %507 = arith.mulf %505, %506 : tensor<2x2x8xf32>
    %508 = math.fma %500, %479, %507 : tensor<2x2x8xf32>
    %509 = tt.expand_dims %301 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %510 = tt.broadcast %509 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %511 = arith.mulf %508, %510 : tensor<2x2x8xf32>
    %515 = "tt.reduce"(%511) <{axis = 0 : i32}> ({
    ^bb0(%512: f32, %513: f32):
      %514 = arith.addf %512, %513 : f32
      tt.reduce.return %514 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %519 = "tt.reduce"(%515) <{axis = 0 : i32}> ({
    ^bb0(%516: f32, %517: f32):
      %518 = arith.addf %516, %517 : f32
      tt.reduce.return %518 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %520 = tt.splat %173 : i32 -> tensor<8xi32>
    %521 = tt.addptr %406, %520 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %522 = arith.truncf %519 : tensor<8xf32> to tensor<8xbf16>
    tt.store %521, %522, %32 : tensor<8x!tt.ptr<bf16>>
    %523 = tt.expand_dims %192 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %524 = tt.expand_dims %523 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %525 = tt.broadcast %524 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %526 = arith.mulf %525, %68 : tensor<2x2x8xf32>
    %527 = tt.splat %329 : f32 -> tensor<2x2x8xf32>
    %528 = arith.addf %526, %527 : tensor<2x2x8xf32>
    %529 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %528 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %530 = arith.mulf %188, %192 : tensor<8xf32>
    %531 = tt.expand_dims %530 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %532 = tt.expand_dims %531 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %533 = tt.expand_dims %315 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %534 = tt.broadcast %532 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %535 = tt.broadcast %533 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %536 = arith.mulf %534, %535 : tensor<2x2x8xf32>
    %537 = math.fma %529, %508, %536 : tensor<2x2x8xf32>
    %538 = tt.expand_dims %319 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %539 = tt.broadcast %538 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %540 = arith.mulf %537, %539 : tensor<2x2x8xf32>
    %544 = "tt.reduce"(%540) <{axis = 0 : i32}> ({
    ^bb0(%541: f32, %542: f32):
      %543 = arith.addf %541, %542 : f32
      tt.reduce.return %543 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %548 = "tt.reduce"(%544) <{axis = 0 : i32}> ({
    ^bb0(%545: f32, %546: f32):
      %547 = arith.addf %545, %546 : f32
      tt.reduce.return %547 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %549 = tt.splat %183 : i32 -> tensor<8xi32>
    %550 = tt.addptr %406, %549 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %551 = arith.truncf %548 : tensor<8xf32> to tensor<8xbf16>
    tt.store %550, %551, %32 : tensor<8x!tt.ptr<bf16>>
    %552 = tt.expand_dims %202 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %553 = tt.expand_dims %552 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %554 = tt.broadcast %553 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %555 = arith.mulf %554, %68 : tensor<2x2x8xf32>
    %556 = tt.splat %348 : f32 -> tensor<2x2x8xf32>
    %557 = arith.addf %555, %556 : tensor<2x2x8xf32>
    %558 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %557 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %559 = arith.mulf %198, %202 : tensor<8xf32>
    %560 = tt.expand_dims %559 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %561 = tt.expand_dims %560 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %562 = tt.expand_dims %334 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %563 = tt.broadcast %561 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %564 = tt.broadcast %562 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %565 = arith.mulf %563, %564 : tensor<2x2x8xf32>
    %566 = math.fma %558, %537, %565 : tensor<2x2x8xf32>
    %567 = tt.expand_dims %338 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %568 = tt.broadcast %567 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %569 = arith.mulf %566, %568 : tensor<2x2x8xf32>
    %573 = "tt.reduce"(%569) <{axis = 0 : i32}> ({
    ^bb0(%570: f32, %571: f32):
      %572 = arith.addf %570, %571 : f32
      tt.reduce.return %572 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %577 = "tt.reduce"(%573) <{axis = 0 : i32}> ({
    ^bb0(%574: f32, %575: f32):
      %576 = arith.addf %574, %575 : f32
      tt.reduce.return %576 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %578 = tt.splat %193 : i32 -> tensor<8xi32>
    %579 = tt.addptr %406, %578 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %580 = arith.truncf %577 : tensor<8xf32> to tensor<8xbf16>
    tt.store %579, %580, %32 : tensor<8x!tt.ptr<bf16>>
    %581 = tt.expand_dims %212 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %582 = tt.expand_dims %581 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %583 = tt.broadcast %582 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %584 = arith.mulf %583, %68 : tensor<2x2x8xf32>
    %585 = tt.splat %366 : f32 -> tensor<2x2x8xf32>
    %586 = arith.addf %584, %585 : tensor<2x2x8xf32>
    %587 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %586 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %588 = arith.mulf %208, %212 : tensor<8xf32>
    %589 = tt.expand_dims %588 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %590 = tt.expand_dims %589 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %591 = tt.expand_dims %353 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %592 = tt.broadcast %590 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %593 = tt.broadcast %591 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %594 = arith.mulf %592, %593 : tensor<2x2x8xf32>
    %595 = math.fma %587, %566, %594 : tensor<2x2x8xf32>
    %596 = tt.expand_dims %357 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %597 = tt.broadcast %596 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %598 = arith.mulf %595, %597 : tensor<2x2x8xf32>
    %602 = "tt.reduce"(%598) <{axis = 0 : i32}> ({
    ^bb0(%599: f32, %600: f32):
      %601 = arith.addf %599, %600 : f32
      tt.reduce.return %601 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %606 = "tt.reduce"(%602) <{axis = 0 : i32}> ({
    ^bb0(%603: f32, %604: f32):
      %605 = arith.addf %603, %604 : f32
      tt.reduce.return %605 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %607 = tt.splat %203 : i32 -> tensor<8xi32>
    %608 = tt.addptr %406, %607 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %609 = arith.truncf %606 : tensor<8xf32> to tensor<8xbf16>
    tt.store %608, %609, %32 : tensor<8x!tt.ptr<bf16>>
    %610 = tt.expand_dims %222 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %611 = tt.expand_dims %610 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %612 = tt.broadcast %611 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %613 = arith.mulf %612, %68 : tensor<2x2x8xf32>
    %614 = tt.splat %385 : f32 -> tensor<2x2x8xf32>
    %615 = arith.addf %613, %614 : tensor<2x2x8xf32>
    %616 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %615 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %617 = arith.mulf %218, %222 : tensor<8xf32>
    %618 = tt.expand_dims %617 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %619 = tt.expand_dims %618 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %620 = tt.expand_dims %371 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %621 = tt.broadcast %619 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %622 = tt.broadcast %620 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %623 = arith.mulf %621, %622 : tensor<2x2x8xf32>
    %624 = math.fma %616, %595, %623 : tensor<2x2x8xf32>
    %625 = tt.expand_dims %375 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %626 = tt.broadcast %625 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %627 = arith.mulf %624, %626 : tensor<2x2x8xf32>
    %631 = "tt.reduce"(%627) <{axis = 0 : i32}> ({
    ^bb0(%628: f32, %629: f32):
      %630 = arith.addf %628, %629 : f32
      tt.reduce.return %630 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %635 = "tt.reduce"(%631) <{axis = 0 : i32}> ({
    ^bb0(%632: f32, %633: f32):
      %634 = arith.addf %632, %633 : f32
      tt.reduce.return %634 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %636 = tt.splat %213 : i32 -> tensor<8xi32>
    %637 = tt.addptr %406, %636 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %638 = arith.truncf %635 : tensor<8xf32> to tensor<8xbf16>
    tt.store %637, %638, %32 : tensor<8x!tt.ptr<bf16>>
    %639 = tt.expand_dims %232 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %640 = tt.expand_dims %639 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %641 = tt.broadcast %640 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %642 = arith.mulf %641, %68 : tensor<2x2x8xf32>
    %643 = tt.splat %403 : f32 -> tensor<2x2x8xf32>
    %644 = arith.addf %642, %643 : tensor<2x2x8xf32>
    %645 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %644 : tensor<2x2x8xf32> -> tensor<2x2x8xf32>
    %646 = arith.mulf %228, %232 : tensor<8xf32>
    %647 = tt.expand_dims %646 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %648 = tt.expand_dims %647 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %649 = tt.expand_dims %390 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %650 = tt.broadcast %648 : tensor<1x1x8xf32> -> tensor<2x2x8xf32>
    %651 = tt.broadcast %649 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %652 = arith.mulf %650, %651 : tensor<2x2x8xf32>
    %653 = math.fma %645, %624, %652 : tensor<2x2x8xf32>
    %654 = tt.expand_dims %394 {axis = 2 : i32} : tensor<2x2xf32> -> tensor<2x2x1xf32>
    %655 = tt.broadcast %654 : tensor<2x2x1xf32> -> tensor<2x2x8xf32>
    %656 = arith.mulf %653, %655 : tensor<2x2x8xf32>
    %660 = "tt.reduce"(%656) <{axis = 0 : i32}> ({
    ^bb0(%657: f32, %658: f32):
      %659 = arith.addf %657, %658 : f32
      tt.reduce.return %659 : f32
    }) : (tensor<2x2x8xf32>) -> (tensor<2x8xf32>)
    %664 = "tt.reduce"(%660) <{axis = 0 : i32}> ({
    ^bb0(%661: f32, %662: f32):
      %663 = arith.addf %661, %662 : f32
      tt.reduce.return %663 : f32
    }) : (tensor<2x8xf32>) -> (tensor<8xf32>)
    %665 = tt.splat %223 : i32 -> tensor<8xi32>
    %666 = tt.addptr %406, %665 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
    %667 = arith.truncf %664 : tensor<8xf32> to tensor<8xbf16>
    tt.store %666, %667, %32 : tensor<8x!tt.ptr<bf16>>
    %668 = arith.extsi %14 : i32 to i64
    %669 = arith.muli %29, %89 : i64
    %670 = arith.addi %669, %668 : i64
    %671 = arith.muli %670, %92 : i64
    %672 = tt.addptr %last, %671 : !tt.ptr<f32>, i64
    %673 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %674 = tt.expand_dims %673 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %675 = tt.splat %33 : i32 -> tensor<1x1x8xi32>
    %676 = arith.muli %674, %675 : tensor<1x1x8xi32>
    %677 = tt.expand_dims %28 {axis = 2 : i32} : tensor<2x2xi32> -> tensor<2x2x1xi32>
    %678 = tt.broadcast %676 : tensor<1x1x8xi32> -> tensor<2x2x8xi32>
    %679 = tt.broadcast %677 : tensor<2x2x1xi32> -> tensor<2x2x8xi32>
    %680 = arith.addi %678, %679 : tensor<2x2x8xi32>
    %681 = tt.splat %672 : !tt.ptr<f32> -> tensor<2x2x8x!tt.ptr<f32>>
    %682 = tt.addptr %681, %680 : tensor<2x2x8x!tt.ptr<f32>>, tensor<2x2x8xi32>
    %683 = tt.expand_dims %32 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %684 = tt.expand_dims %683 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %685 = tt.expand_dims %35 {axis = 2 : i32} : tensor<2x2xi1> -> tensor<2x2x1xi1>
    %686 = tt.broadcast %684 : tensor<1x1x8xi1> -> tensor<2x2x8xi1>
    %687 = tt.broadcast %685 : tensor<2x2x1xi1> -> tensor<2x2x8xi1>
    %688 = arith.andi %686, %687 : tensor<2x2x8xi1>
    tt.store %682, %653, %688 : tensor<2x2x8x!tt.ptr<f32>>
    tt.return
  }
}
