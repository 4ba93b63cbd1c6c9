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
    %136 = arith.constant 9 : i64
    %139 = arith.constant 2 : i32
    %140 = arith.constant 32 : i32
    %145 = arith.constant 1 : i64
    %148 = arith.constant 33 : i64
    %169 = arith.constant dense<1.0e0> : tensor<1x4x8xf32>
    %170 = arith.constant dense<0.0e0> : tensor<1x4x8xf32>
    %207 = arith.constant 9 : i32
    %354 = arith.constant dense<0.0e0> : tensor<8xf32>
    %355 = arith.constant 0xFF800000 : f32
    %390 = arith.constant 2 : i64
    %423 = arith.constant 0.0e0 : bf16
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
    %134 = arith.muli %30, %131 : i64
    %135 = tt.addptr %c, %134 : !tt.ptr<f32>, i64
    %137 = arith.muli %30, %136 : i64
    %138 = tt.addptr %documents, %137 : !tt.ptr<i32>, i64
    %141 = arith.muli %11, %140 : i32
    %142 = arith.subi %139, %141 : i32
    %143 = arith.minsi %142, %140 : i32
    %144 = arith.extsi %11 : i32 to i64
    %146 = arith.muli %30, %145 : i64
    %147 = arith.addi %146, %144 : i64
    %149 = arith.muli %147, %148 : i64
    %150 = tt.addptr %kept, %149 : !tt.ptr<f32>, i64
    %151 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %152 = tt.expand_dims %151 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %153 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %154 = arith.muli %152, %153 : tensor<1x1x8xi32>
    %155 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %156 = tt.broadcast %154 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %157 = tt.broadcast %155 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %158 = arith.addi %156, %157 : tensor<1x4x8xi32>
    %159 = tt.splat %150 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %160 = tt.addptr %159, %158 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %161 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %162 = tt.expand_dims %161 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %163 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %164 = tt.broadcast %162 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %165 = tt.broadcast %163 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %166 = arith.andi %164, %165 : tensor<1x4x8xi1>
    %167 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %168 = tt.load %160, %166, %167 : tensor<1x4x8x!tt.ptr<f32>>
    %171 = arith.extsi %11 : i32 to i64
    %172 = arith.muli %91, %145 : i64
    %173 = arith.addi %172, %171 : i64
    %174 = arith.muli %173, %148 : i64
    %175 = tt.addptr %kept, %174 : !tt.ptr<f32>, i64
    %176 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %177 = tt.expand_dims %176 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %178 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %179 = arith.muli %177, %178 : tensor<1x1x8xi32>
    %180 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %181 = tt.broadcast %179 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %182 = tt.broadcast %180 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %183 = arith.addi %181, %182 : tensor<1x4x8xi32>
    %184 = tt.splat %175 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %185 = tt.addptr %184, %183 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %186 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %187 = tt.expand_dims %186 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %188 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %189 = tt.broadcast %187 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %190 = tt.broadcast %188 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %191 = arith.andi %189, %190 : tensor<1x4x8xi1>
    %192 = tt.splat %64 : f32 -> tensor<1x4x8xf32>
    %193 = tt.load %185, %191, %192 : tensor<1x4x8x!tt.ptr<f32>>
    %1101:6 = scf.for %194 = %16 to %143 step %23 iter_args(%195 = %168, %196 = %169, %197 = %170, %198 = %193, %199 = %169, %200 = %170) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
      %201 = arith.muli %11, %140 : i32
      %202 = arith.addi %201, %194 : i32
      %203 = arith.muli %202, %78 : i32
      %204 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %205 = tt.splat %203 : i32 -> tensor<8xi32>
      %206 = arith.addi %205, %204 : tensor<8xi32>
      %208 = tt.splat %207 : i32 -> tensor<8xi32>
      %209 = arith.cmpi slt, %206, %208 : tensor<8xi32>
      %210 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %211 = tt.splat %34 : i32 -> tensor<4xi32>
      %212 = arith.cmpi slt, %210, %211 : tensor<4xi32>
      %213 = tt.expand_dims %212 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %214 = tt.expand_dims %210 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %215 = tt.splat %133 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
      %216 = tt.addptr %215, %214 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %217 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %218 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %219 = arith.muli %217, %218 : tensor<8x1xi32>
      %220 = tt.broadcast %216 : tensor<1x4x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
      %221 = tt.broadcast %219 : tensor<8x1xi32> -> tensor<8x4xi32>
      %222 = tt.addptr %220, %221 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
      %223 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %224 = tt.broadcast %213 : tensor<1x4xi1> -> tensor<8x4xi1>
      %225 = tt.broadcast %223 : tensor<8x1xi1> -> tensor<8x4xi1>
      %226 = arith.andi %224, %225 : tensor<8x4xi1>
      %227 = tt.splat %64 : f32 -> tensor<8x4xf32>
      %228 = tt.load %222, %226, %227 : tensor<8x4x!tt.ptr<f32>>
      %229 = tt.trans %228 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
      %230 = tt.reshape %229 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %231:2 = tt.split %230 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %233 = tt.reshape %231#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %234:2 = tt.split %233 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %236 = tt.reshape %231#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %237:2 = tt.split %236 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %239 = tt.reshape %234#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %240:2 = tt.split %239 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %242 = tt.reshape %237#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %243:2 = tt.split %242 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %245 = tt.reshape %234#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %246:2 = tt.split %245 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %248 = tt.reshape %237#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %249:2 = tt.split %248 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %251 = tt.reshape %240#0 : tensor<4x1xf32> -> tensor<4xf32>
      %252 = tt.reshape %243#0 : tensor<4x1xf32> -> tensor<4xf32>
      %253 = tt.reshape %246#0 : tensor<4x1xf32> -> tensor<4xf32>
      %254 = tt.reshape %249#0 : tensor<4x1xf32> -> tensor<4xf32>
      %255 = tt.reshape %240#1 : tensor<4x1xf32> -> tensor<4xf32>
      %256 = tt.reshape %243#1 : tensor<4x1xf32> -> tensor<4xf32>
      %257 = tt.reshape %246#1 : tensor<4x1xf32> -> tensor<4xf32>
      %258 = tt.reshape %249#1 : tensor<4x1xf32> -> tensor<4xf32>
      %259 = tt.reshape %251 : tensor<4xf32> -> tensor<4x1xf32>
      %260 = tt.trans %259 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %261 = tt.reshape %252 : tensor<4xf32> -> tensor<4x1xf32>
      %262 = tt.trans %261 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %263 = tt.reshape %253 : tensor<4xf32> -> tensor<4x1xf32>
      %264 = tt.trans %263 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %265 = tt.reshape %254 : tensor<4xf32> -> tensor<4x1xf32>
      %266 = tt.trans %265 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %267 = tt.reshape %255 : tensor<4xf32> -> tensor<4x1xf32>
      %268 = tt.trans %267 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %269 = tt.reshape %256 : tensor<4xf32> -> tensor<4x1xf32>
      %270 = tt.trans %269 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %271 = tt.reshape %257 : tensor<4xf32> -> tensor<4x1xf32>
      %272 = tt.trans %271 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %273 = tt.reshape %258 : tensor<4xf32> -> tensor<4x1xf32>
      %274 = tt.trans %273 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %275 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %276 = tt.splat %34 : i32 -> tensor<4xi32>
      %277 = arith.cmpi slt, %275, %276 : tensor<4xi32>
      %278 = tt.expand_dims %277 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %279 = tt.expand_dims %275 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %280 = tt.splat %135 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
      %281 = tt.addptr %280, %279 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %282 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %283 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %284 = arith.muli %282, %283 : tensor<8x1xi32>
      %285 = tt.broadcast %281 : tensor<1x4x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
      %286 = tt.broadcast %284 : tensor<8x1xi32> -> tensor<8x4xi32>
      %287 = tt.addptr %285, %286 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
      %288 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %289 = tt.broadcast %278 : tensor<1x4xi1> -> tensor<8x4xi1>
      %290 = tt.broadcast %288 : tensor<8x1xi1> -> tensor<8x4xi1>
      %291 = arith.andi %289, %290 : tensor<8x4xi1>
      %292 = tt.splat %64 : f32 -> tensor<8x4xf32>
      %293 = tt.load %287, %291, %292 : tensor<8x4x!tt.ptr<f32>>
      %294 = tt.trans %293 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
      %295 = tt.reshape %294 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %296:2 = tt.split %295 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %298 = tt.reshape %296#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %299:2 = tt.split %298 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %301 = tt.reshape %296#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %302:2 = tt.split %301 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %304 = tt.reshape %299#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %305:2 = tt.split %304 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %307 = tt.reshape %302#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %308:2 = tt.split %307 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %310 = tt.reshape %299#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %311:2 = tt.split %310 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %313 = tt.reshape %302#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %314:2 = tt.split %313 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %316 = tt.reshape %305#0 : tensor<4x1xf32> -> tensor<4xf32>
      %317 = tt.reshape %308#0 : tensor<4x1xf32> -> tensor<4xf32>
      %318 = tt.reshape %311#0 : tensor<4x1xf32> -> tensor<4xf32>
      %319 = tt.reshape %314#0 : tensor<4x1xf32> -> tensor<4xf32>
      %320 = tt.reshape %305#1 : tensor<4x1xf32> -> tensor<4xf32>
      %321 = tt.reshape %308#1 : tensor<4x1xf32> -> tensor<4xf32>
      %322 = tt.reshape %311#1 : tensor<4x1xf32> -> tensor<4xf32>
      %323 = tt.reshape %314#1 : tensor<4x1xf32> -> tensor<4xf32>
      %324 = tt.reshape %316 : tensor<4xf32> -> tensor<4x1xf32>
      %325 = tt.trans %324 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %326 = tt.reshape %317 : tensor<4xf32> -> tensor<4x1xf32>
      %327 = tt.trans %326 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %328 = tt.reshape %318 : tensor<4xf32> -> tensor<4x1xf32>
      %329 = tt.trans %328 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %330 = tt.reshape %319 : tensor<4xf32> -> tensor<4x1xf32>
      %331 = tt.trans %330 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %332 = tt.reshape %320 : tensor<4xf32> -> tensor<4x1xf32>
      %333 = tt.trans %332 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %334 = tt.reshape %321 : tensor<4xf32> -> tensor<4x1xf32>
      %335 = tt.trans %334 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %336 = tt.reshape %322 : tensor<4xf32> -> tensor<4x1xf32>
      %337 = tt.trans %336 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %338 = tt.reshape %323 : tensor<4xf32> -> tensor<4x1xf32>
      %339 = tt.trans %338 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %340 = tt.splat %138 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
      %341 = tt.addptr %340, %206 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
      %342 = tt.splat %16 : i32 -> tensor<8xi32>
      %343 = tt.load %341, %209, %342 : tensor<8x!tt.ptr<i32>>
      %344 = tt.splat %16 : i32 -> tensor<8xi32>
      %345 = arith.cmpi sgt, %206, %344 : tensor<8xi32>
      %346 = arith.andi %209, %345 : tensor<8xi1>
      %347 = tt.splat %23 : i32 -> tensor<8xi32>
      %348 = arith.subi %206, %347 : tensor<8xi32>
      %349 = tt.splat %138 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
      %350 = tt.addptr %349, %348 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
      %351 = tt.splat %16 : i32 -> tensor<8xi32>
      %352 = tt.load %350, %346, %351 : tensor<8x!tt.ptr<i32>>
      %353 = arith.cmpi eq, %343, %352 : tensor<8xi32>
      %356 = tt.splat %355 : f32 -> tensor<8xf32>
      %357 = arith.select %353, %354, %356 : tensor<8xi1>, tensor<8xf32>
      %358 = tt.expand_dims %357 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
      %359 = tt.trans %358 {order = array<i32: 1, 0>} : tensor<8x1xf32> -> tensor<1x8xf32>
      %360 = tt.reshape %359 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %361:2 = tt.split %360 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %363 = tt.reshape %361#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %364:2 = tt.split %363 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %366 = tt.reshape %361#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %367:2 = tt.split %366 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %369 = tt.reshape %364#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %370:2 = tt.split %369 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %372 = tt.reshape %367#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %373:2 = tt.split %372 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %375 = tt.reshape %364#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %376:2 = tt.split %375 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %378 = tt.reshape %367#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %379:2 = tt.split %378 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %381 = tt.reshape %370#0 : tensor<1x1xf32> -> tensor<1xf32>
      %382 = tt.reshape %373#0 : tensor<1x1xf32> -> tensor<1xf32>
      %383 = tt.reshape %376#0 : tensor<1x1xf32> -> tensor<1xf32>
      %384 = tt.reshape %379#0 : tensor<1x1xf32> -> tensor<1xf32>
      %385 = tt.reshape %370#1 : tensor<1x1xf32> -> tensor<1xf32>
      %386 = tt.reshape %373#1 : tensor<1x1xf32> -> tensor<1xf32>
      %387 = tt.reshape %376#1 : tensor<1x1xf32> -> tensor<1xf32>
      %388 = tt.reshape %379#1 : tensor<1x1xf32> -> tensor<1xf32>
      %389 = arith.extsi %202 : i32 to i64
      %391 = arith.muli %30, %390 : i64
      %392 = arith.addi %391, %389 : i64
      %393 = arith.muli %392, %148 : i64
      %394 = tt.addptr %states, %393 : !tt.ptr<f32>, i64
      %395 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %396 = tt.expand_dims %395 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %397 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %398 = arith.muli %396, %397 : tensor<1x1x8xi32>
      %399 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %400 = tt.broadcast %398 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %401 = tt.broadcast %399 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %402 = arith.addi %400, %401 : tensor<1x4x8xi32>
      %403 = tt.splat %394 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %404 = tt.addptr %403, %402 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %405 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %406 = tt.expand_dims %405 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %407 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %408 = tt.broadcast %406 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %409 = tt.broadcast %407 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %410 = arith.andi %408, %409 : tensor<1x4x8xi1>
      tt.store %404, %195, %410 : tensor<1x4x8x!tt.ptr<f32>>
      %411 = tt.expand_dims %42 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %412 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %413 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %414 = arith.muli %412, %413 : tensor<8x1xi32>
      %415 = tt.broadcast %411 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %416 = tt.broadcast %414 : tensor<8x1xi32> -> tensor<8x8xi32>
      %417 = tt.addptr %415, %416 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %418 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %419 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %420 = tt.broadcast %418 : tensor<1x8xi1> -> tensor<8x8xi1>
      %421 = tt.broadcast %419 : tensor<8x1xi1> -> tensor<8x8xi1>
      %422 = arith.andi %420, %421 : tensor<8x8xi1>
      %424 = tt.splat %423 : bf16 -> tensor<8x8xbf16>
      %425 = tt.load %417, %422, %424 : tensor<8x8x!tt.ptr<bf16>>
      %426 = arith.extf %425 : tensor<8x8xbf16> to tensor<8x8xf32>
      %427 = tt.expand_dims %47 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %428 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %429 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %430 = arith.muli %428, %429 : tensor<8x1xi32>
      %431 = tt.broadcast %427 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %432 = tt.broadcast %430 : tensor<8x1xi32> -> tensor<8x8xi32>
      %433 = tt.addptr %431, %432 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %434 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %435 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %436 = tt.broadcast %434 : tensor<1x8xi1> -> tensor<8x8xi1>
      %437 = tt.broadcast %435 : tensor<8x1xi1> -> tensor<8x8xi1>
      %438 = arith.andi %436, %437 : tensor<8x8xi1>
      %439 = tt.splat %64 : f32 -> tensor<8x8xf32>
      %440 = tt.load %433, %438, %439 : tensor<8x8x!tt.ptr<f32>>
      %441 = tt.trans %426 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %442 = tt.reshape %441 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %443:2 = tt.split %442 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %445 = tt.reshape %443#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %446:2 = tt.split %445 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %448 = tt.reshape %443#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %449:2 = tt.split %448 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %451 = tt.reshape %446#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %452:2 = tt.split %451 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %454 = tt.reshape %449#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %455:2 = tt.split %454 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %457 = tt.reshape %446#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %458:2 = tt.split %457 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %460 = tt.reshape %449#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %461:2 = tt.split %460 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %463 = tt.reshape %452#0 : tensor<8x1xf32> -> tensor<8xf32>
      %464 = tt.reshape %455#0 : tensor<8x1xf32> -> tensor<8xf32>
      %465 = tt.reshape %458#0 : tensor<8x1xf32> -> tensor<8xf32>
      %466 = tt.reshape %461#0 : tensor<8x1xf32> -> tensor<8xf32>
      %467 = tt.reshape %452#1 : tensor<8x1xf32> -> tensor<8xf32>
      %468 = tt.reshape %455#1 : tensor<8x1xf32> -> tensor<8xf32>
      %469 = tt.reshape %458#1 : tensor<8x1xf32> -> tensor<8xf32>
      %470 = tt.reshape %461#1 : tensor<8x1xf32> -> tensor<8xf32>
      %471 = tt.trans %440 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %472 = tt.reshape %471 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %473:2 = tt.split %472 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %475 = tt.reshape %473#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %476:2 = tt.split %475 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %478 = tt.reshape %473#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %479:2 = tt.split %478 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %481 = tt.reshape %476#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %482:2 = tt.split %481 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %484 = tt.reshape %479#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %485:2 = tt.split %484 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %487 = tt.reshape %476#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %488:2 = tt.split %487 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %490 = tt.reshape %479#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %491:2 = tt.split %490 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %493 = tt.reshape %482#0 : tensor<8x1xf32> -> tensor<8xf32>
      %494 = tt.reshape %485#0 : tensor<8x1xf32> -> tensor<8xf32>
      %495 = tt.reshape %488#0 : tensor<8x1xf32> -> tensor<8xf32>
      %496 = tt.reshape %491#0 : tensor<8x1xf32> -> tensor<8xf32>
      %497 = tt.reshape %482#1 : tensor<8x1xf32> -> tensor<8xf32>
      %498 = tt.reshape %485#1 : tensor<8x1xf32> -> tensor<8xf32>
      %499 = tt.reshape %488#1 : tensor<8x1xf32> -> tensor<8xf32>
      %500 = tt.reshape %491#1 : tensor<8x1xf32> -> tensor<8xf32>
      %501 = tt.expand_dims %493 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %502 = tt.expand_dims %501 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %503 = tt.broadcast %502 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %504 = arith.mulf %503, %69 : tensor<1x4x8xf32>
      %505 = tt.expand_dims %381 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %506 = tt.expand_dims %505 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %507 = tt.broadcast %506 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %508 = arith.addf %504, %507 : tensor<1x4x8xf32>
      %509 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %508 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %510 = tt.expand_dims %494 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %511 = tt.expand_dims %510 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %512 = tt.broadcast %511 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %513 = arith.mulf %512, %69 : tensor<1x4x8xf32>
      %514 = tt.expand_dims %382 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %515 = tt.expand_dims %514 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %516 = tt.broadcast %515 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %517 = arith.addf %513, %516 : tensor<1x4x8xf32>
      %518 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %517 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %519 = tt.expand_dims %495 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %520 = tt.expand_dims %519 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %521 = tt.broadcast %520 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %522 = arith.mulf %521, %69 : tensor<1x4x8xf32>
      %523 = tt.expand_dims %383 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %524 = tt.expand_dims %523 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %525 = tt.broadcast %524 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %526 = arith.addf %522, %525 : tensor<1x4x8xf32>
      %527 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %526 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %528 = tt.expand_dims %496 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %529 = tt.expand_dims %528 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %530 = tt.broadcast %529 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %531 = arith.mulf %530, %69 : tensor<1x4x8xf32>
      %532 = tt.expand_dims %384 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %533 = tt.expand_dims %532 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %534 = tt.broadcast %533 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %535 = arith.addf %531, %534 : tensor<1x4x8xf32>
      %536 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %535 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %537 = tt.expand_dims %497 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %538 = tt.expand_dims %537 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %539 = tt.broadcast %538 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %540 = arith.mulf %539, %69 : tensor<1x4x8xf32>
      %541 = tt.expand_dims %385 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %542 = tt.expand_dims %541 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %543 = tt.broadcast %542 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %544 = arith.addf %540, %543 : tensor<1x4x8xf32>
      %545 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %544 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %546 = tt.expand_dims %498 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %547 = tt.expand_dims %546 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %548 = tt.broadcast %547 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %549 = arith.mulf %548, %69 : tensor<1x4x8xf32>
      %550 = tt.expand_dims %386 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %551 = tt.expand_dims %550 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %552 = tt.broadcast %551 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %553 = arith.addf %549, %552 : tensor<1x4x8xf32>
      %554 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %553 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %555 = tt.expand_dims %499 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %556 = tt.expand_dims %555 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %557 = tt.broadcast %556 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %558 = arith.mulf %557, %69 : tensor<1x4x8xf32>
      %559 = tt.expand_dims %387 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %560 = tt.expand_dims %559 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %561 = tt.broadcast %560 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %562 = arith.addf %558, %561 : tensor<1x4x8xf32>
      %563 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %562 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %564 = tt.expand_dims %500 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %565 = tt.expand_dims %564 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %566 = tt.broadcast %565 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %567 = arith.mulf %566, %69 : tensor<1x4x8xf32>
      %568 = tt.expand_dims %388 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %569 = tt.expand_dims %568 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %570 = tt.broadcast %569 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %571 = arith.addf %567, %570 : tensor<1x4x8xf32>
      %572 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %571 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %573 = tt.expand_dims %74 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %574 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %575 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %576 = arith.muli %574, %575 : tensor<8x1xi32>
      %577 = tt.broadcast %573 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %578 = tt.broadcast %576 : tensor<8x1xi32> -> tensor<8x8xi32>
      %579 = tt.addptr %577, %578 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %580 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %581 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %582 = tt.broadcast %580 : tensor<1x8xi1> -> tensor<8x8xi1>
      %583 = tt.broadcast %581 : tensor<8x1xi1> -> tensor<8x8xi1>
      %584 = arith.andi %582, %583 : tensor<8x8xi1>
      %585 = tt.splat %423 : bf16 -> tensor<8x8xbf16>
      %586 = tt.load %579, %584, %585 : tensor<8x8x!tt.ptr<bf16>>
      %587 = arith.extf %586 : tensor<8x8xbf16> to tensor<8x8xf32>
      %588 = tt.trans %587 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %589 = tt.reshape %588 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %590:2 = tt.split %589 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %592 = tt.reshape %590#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %593:2 = tt.split %592 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %595 = tt.reshape %590#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %596:2 = tt.split %595 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %598 = tt.reshape %593#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %599:2 = tt.split %598 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %601 = tt.reshape %596#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %602:2 = tt.split %601 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %604 = tt.reshape %593#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %605:2 = tt.split %604 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %607 = tt.reshape %596#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %608:2 = tt.split %607 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %610 = tt.reshape %599#0 : tensor<8x1xf32> -> tensor<8xf32>
      %611 = tt.reshape %602#0 : tensor<8x1xf32> -> tensor<8xf32>
      %612 = tt.reshape %605#0 : tensor<8x1xf32> -> tensor<8xf32>
      %613 = tt.reshape %608#0 : tensor<8x1xf32> -> tensor<8xf32>
      %614 = tt.reshape %599#1 : tensor<8x1xf32> -> tensor<8xf32>
      %615 = tt.reshape %602#1 : tensor<8x1xf32> -> tensor<8xf32>
      %616 = tt.reshape %605#1 : tensor<8x1xf32> -> tensor<8xf32>
      %617 = tt.reshape %608#1 : tensor<8x1xf32> -> tensor<8xf32>
      %618 = arith.mulf %196, %509 : tensor<1x4x8xf32>
      %619 = tt.expand_dims %610 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %620 = tt.expand_dims %619 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %621 = tt.expand_dims %325 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %622 = tt.broadcast %620 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %623 = tt.broadcast %621 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %624 = arith.mulf %622, %623 : tensor<1x4x8xf32>
      %625 = math.fma %618, %624, %197 : tensor<1x4x8xf32>
      %626 = arith.mulf %463, %493 : tensor<8xf32>
      %627 = tt.expand_dims %626 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %628 = tt.expand_dims %627 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %629 = tt.expand_dims %260 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %630 = tt.broadcast %628 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %631 = tt.broadcast %629 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %632 = arith.mulf %630, %631 : tensor<1x4x8xf32>
      %633 = math.fma %509, %195, %632 : tensor<1x4x8xf32>
      %634 = arith.mulf %618, %518 : tensor<1x4x8xf32>
      %635 = tt.expand_dims %611 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %636 = tt.expand_dims %635 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %637 = tt.expand_dims %327 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %638 = tt.broadcast %636 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %639 = tt.broadcast %637 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %640 = arith.mulf %638, %639 : tensor<1x4x8xf32>
      %641 = math.fma %634, %640, %625 : tensor<1x4x8xf32>
      %642 = arith.mulf %464, %494 : tensor<8xf32>
      %643 = tt.expand_dims %642 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %644 = tt.expand_dims %643 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %645 = tt.expand_dims %262 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %646 = tt.broadcast %644 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %647 = tt.broadcast %645 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %648 = arith.mulf %646, %647 : tensor<1x4x8xf32>
      %649 = math.fma %518, %633, %648 : tensor<1x4x8xf32>
      %650 = arith.mulf %634, %527 : tensor<1x4x8xf32>
      %651 = tt.expand_dims %612 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %652 = tt.expand_dims %651 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %653 = tt.expand_dims %329 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %654 = tt.broadcast %652 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %655 = tt.broadcast %653 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %656 = arith.mulf %654, %655 : tensor<1x4x8xf32>
      %657 = math.fma %650, %656, %641 : tensor<1x4x8xf32>
      %658 = arith.mulf %465, %495 : tensor<8xf32>
      %659 = tt.expand_dims %658 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %660 = tt.expand_dims %659 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %661 = tt.expand_dims %264 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %662 = tt.broadcast %660 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %663 = tt.broadcast %661 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %664 = arith.mulf %662, %663 : tensor<1x4x8xf32>
      %665 = math.fma %527, %649, %664 : tensor<1x4x8xf32>
      %666 = arith.mulf %650, %536 : tensor<1x4x8xf32>
      %667 = tt.expand_dims %613 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %668 = tt.expand_dims %667 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %669 = tt.expand_dims %331 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %670 = tt.broadcast %668 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %671 = tt.broadcast %669 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %672 = arith.mulf %670, %671 : tensor<1x4x8xf32>
      %673 = math.fma %666, %672, %657 : tensor<1x4x8xf32>
      %674 = arith.mulf %466, %496 : tensor<8xf32>
      %675 = tt.expand_dims %674 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %676 = tt.expand_dims %675 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %677 = tt.expand_dims %266 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %678 = tt.broadcast %676 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %679 = tt.broadcast %677 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %680 = arith.mulf %678, %679 : tensor<1x4x8xf32>
      %681 = math.fma %536, %665, %680 : tensor<1x4x8xf32>
      %682 = arith.mulf %666, %545 : tensor<1x4x8xf32>
      %683 = tt.expand_dims %614 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %684 = tt.expand_dims %683 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %685 = tt.expand_dims %333 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %686 = tt.broadcast %684 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %687 = tt.broadcast %685 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %688 = arith.mulf %686, %687 : tensor<1x4x8xf32>
      %689 = math.fma %682, %688, %673 : tensor<1x4x8xf32>
      %690 = arith.mulf %467, %497 : tensor<8xf32>
      %691 = tt.expand_dims %690 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %692 = tt.expand_dims %691 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %693 = tt.expand_dims %268 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %694 = tt.broadcast %692 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %695 = tt.broadcast %693 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %696 = arith.mulf %694, %695 : tensor<1x4x8xf32>
      %697 = math.fma %545, %681, %696 : tensor<1x4x8xf32>
      %698 = arith.mulf %682, %554 : tensor<1x4x8xf32>
      %699 = tt.expand_dims %615 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %700 = tt.expand_dims %699 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %701 = tt.expand_dims %335 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %702 = tt.broadcast %700 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %703 = tt.broadcast %701 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %704 = arith.mulf %702, %703 : tensor<1x4x8xf32>
      %705 = math.fma %698, %704, %689 : tensor<1x4x8xf32>
      %706 = arith.mulf %468, %498 : tensor<8xf32>
      %707 = tt.expand_dims %706 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %708 = tt.expand_dims %707 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %709 = tt.expand_dims %270 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %710 = tt.broadcast %708 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %711 = tt.broadcast %709 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %712 = arith.mulf %710, %711 : tensor<1x4x8xf32>
      %713 = math.fma %554, %697, %712 : tensor<1x4x8xf32>
      %714 = arith.mulf %698, %563 : tensor<1x4x8xf32>
      %715 = tt.expand_dims %616 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %716 = tt.expand_dims %715 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %717 = tt.expand_dims %337 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %718 = tt.broadcast %716 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %719 = tt.broadcast %717 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %720 = arith.mulf %718, %719 : tensor<1x4x8xf32>
      %721 = math.fma %714, %720, %705 : tensor<1x4x8xf32>
      %722 = arith.mulf %469, %499 : tensor<8xf32>
      %723 = tt.expand_dims %722 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %724 = tt.expand_dims %723 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %725 = tt.expand_dims %272 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %726 = tt.broadcast %724 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %727 = tt.broadcast %725 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %728 = arith.mulf %726, %727 : tensor<1x4x8xf32>
      %729 = math.fma %563, %713, %728 : tensor<1x4x8xf32>
      %730 = arith.mulf %714, %572 : tensor<1x4x8xf32>
      %731 = tt.expand_dims %617 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %732 = tt.expand_dims %731 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %733 = tt.expand_dims %339 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %734 = tt.broadcast %732 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %735 = tt.broadcast %733 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %736 = arith.mulf %734, %735 : tensor<1x4x8xf32>
      %737 = math.fma %730, %736, %721 : tensor<1x4x8xf32>
      %738 = arith.mulf %470, %500 : tensor<8xf32>
      %739 = tt.expand_dims %738 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %740 = tt.expand_dims %739 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %741 = tt.expand_dims %274 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %742 = tt.broadcast %740 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %743 = tt.broadcast %741 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %744 = arith.mulf %742, %743 : tensor<1x4x8xf32>
      %745 = math.fma %572, %729, %744 : tensor<1x4x8xf32>
      %746 = arith.extsi %202 : i32 to i64
      %747 = arith.muli %91, %390 : i64
      %748 = arith.addi %747, %746 : i64
      %749 = arith.muli %748, %148 : i64
      %750 = tt.addptr %states, %749 : !tt.ptr<f32>, i64
      %751 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %752 = tt.expand_dims %751 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %753 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %754 = arith.muli %752, %753 : tensor<1x1x8xi32>
      %755 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %756 = tt.broadcast %754 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %757 = tt.broadcast %755 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %758 = arith.addi %756, %757 : tensor<1x4x8xi32>
      %759 = tt.splat %750 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %760 = tt.addptr %759, %758 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %761 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %762 = tt.expand_dims %761 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %763 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %764 = tt.broadcast %762 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %765 = tt.broadcast %763 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %766 = arith.andi %764, %765 : tensor<1x4x8xi1>
      tt.store %760, %198, %766 : tensor<1x4x8x!tt.ptr<f32>>
      %767 = tt.expand_dims %100 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %768 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %769 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %770 = arith.muli %768, %769 : tensor<8x1xi32>
      %771 = tt.broadcast %767 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %772 = tt.broadcast %770 : tensor<8x1xi32> -> tensor<8x8xi32>
      %773 = tt.addptr %771, %772 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %774 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %775 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %776 = tt.broadcast %774 : tensor<1x8xi1> -> tensor<8x8xi1>
      %777 = tt.broadcast %775 : tensor<8x1xi1> -> tensor<8x8xi1>
      %778 = arith.andi %776, %777 : tensor<8x8xi1>
      %779 = tt.splat %423 : bf16 -> tensor<8x8xbf16>
      %780 = tt.load %773, %778, %779 : tensor<8x8x!tt.ptr<bf16>>
      %781 = arith.extf %780 : tensor<8x8xbf16> to tensor<8x8xf32>
      %782 = tt.expand_dims %105 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %783 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %784 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %785 = arith.muli %783, %784 : tensor<8x1xi32>
      %786 = tt.broadcast %782 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %787 = tt.broadcast %785 : tensor<8x1xi32> -> tensor<8x8xi32>
      %788 = tt.addptr %786, %787 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %789 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %790 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %791 = tt.broadcast %789 : tensor<1x8xi1> -> tensor<8x8xi1>
      %792 = tt.broadcast %790 : tensor<8x1xi1> -> tensor<8x8xi1>
      %793 = arith.andi %791, %792 : tensor<8x8xi1>
      %794 = tt.splat %64 : f32 -> tensor<8x8xf32>
      %795 = tt.load %788, %793, %794 : tensor<8x8x!tt.ptr<f32>>
      %796 = tt.trans %781 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %797 = tt.reshape %796 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %798:2 = tt.split %797 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %800 = tt.reshape %798#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %801:2 = tt.split %800 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %803 = tt.reshape %798#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %804:2 = tt.split %803 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %806 = tt.reshape %801#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %807:2 = tt.split %806 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %809 = tt.reshape %804#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %810:2 = tt.split %809 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %812 = tt.reshape %801#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %813:2 = tt.split %812 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %815 = tt.reshape %804#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %816:2 = tt.split %815 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %818 = tt.reshape %807#0 : tensor<8x1xf32> -> tensor<8xf32>
      %819 = tt.reshape %810#0 : tensor<8x1xf32> -> tensor<8xf32>
      %820 = tt.reshape %813#0 : tensor<8x1xf32> -> tensor<8xf32>
      %821 = tt.reshape %816#0 : tensor<8x1xf32> -> tensor<8xf32>
      %822 = tt.reshape %807#1 : tensor<8x1xf32> -> tensor<8xf32>
      %823 = tt.reshape %810#1 : tensor<8x1xf32> -> tensor<8xf32>
      %824 = tt.reshape %813#1 : tensor<8x1xf32> -> tensor<8xf32>
      %825 = tt.reshape %816#1 : tensor<8x1xf32> -> tensor<8xf32>
      %826 = tt.trans %795 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %827 = tt.reshape %826 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %828:2 = tt.split %827 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %830 = tt.reshape %828#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %831:2 = tt.split %830 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %833 = tt.reshape %828#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %834:2 = tt.split %833 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %836 = tt.reshape %831#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %837:2 = tt.split %836 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %839 = tt.reshape %834#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %840:2 = tt.split %839 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %842 = tt.reshape %831#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %843:2 = tt.split %842 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %845 = tt.reshape %834#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %846:2 = tt.split %845 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %848 = tt.reshape %837#0 : tensor<8x1xf32> -> tensor<8xf32>
      %849 = tt.reshape %840#0 : tensor<8x1xf32> -> tensor<8xf32>
      %850 = tt.reshape %843#0 : tensor<8x1xf32> -> tensor<8xf32>
      %851 = tt.reshape %846#0 : tensor<8x1xf32> -> tensor<8xf32>
      %852 = tt.reshape %837#1 : tensor<8x1xf32> -> tensor<8xf32>
      %853 = tt.reshape %840#1 : tensor<8x1xf32> -> tensor<8xf32>
      %854 = tt.reshape %843#1 : tensor<8x1xf32> -> tensor<8xf32>
      %855 = tt.reshape %846#1 : tensor<8x1xf32> -> tensor<8xf32>
      %856 = tt.expand_dims %848 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %857 = tt.expand_dims %856 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %858 = tt.broadcast %857 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %859 = arith.mulf %858, %125 : tensor<1x4x8xf32>
      %860 = tt.expand_dims %381 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %861 = tt.expand_dims %860 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %862 = tt.broadcast %861 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %863 = arith.addf %859, %862 : tensor<1x4x8xf32>
      %864 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %863 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %865 = tt.expand_dims %849 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %866 = tt.expand_dims %865 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %867 = tt.broadcast %866 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %868 = arith.mulf %867, %125 : tensor<1x4x8xf32>
      %869 = tt.expand_dims %382 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %870 = tt.expand_dims %869 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %871 = tt.broadcast %870 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %872 = arith.addf %868, %871 : tensor<1x4x8xf32>
      %873 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %872 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %874 = tt.expand_dims %850 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %875 = tt.expand_dims %874 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %876 = tt.broadcast %875 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %877 = arith.mulf %876, %125 : tensor<1x4x8xf32>
      %878 = tt.expand_dims %383 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %879 = tt.expand_dims %878 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %880 = tt.broadcast %879 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %881 = arith.addf %877, %880 : tensor<1x4x8xf32>
      %882 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %881 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %883 = tt.expand_dims %851 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %884 = tt.expand_dims %883 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %885 = tt.broadcast %884 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %886 = arith.mulf %885, %125 : tensor<1x4x8xf32>
      %887 = tt.expand_dims %384 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %888 = tt.expand_dims %887 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %889 = tt.broadcast %888 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %890 = arith.addf %886, %889 : tensor<1x4x8xf32>
      %891 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %890 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %892 = tt.expand_dims %852 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %893 = tt.expand_dims %892 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %894 = tt.broadcast %893 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %895 = arith.mulf %894, %125 : tensor<1x4x8xf32>
      %896 = tt.expand_dims %385 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %897 = tt.expand_dims %896 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %898 = tt.broadcast %897 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %899 = arith.addf %895, %898 : tensor<1x4x8xf32>
      %900 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %899 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %901 = tt.expand_dims %853 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %902 = tt.expand_dims %901 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %903 = tt.broadcast %902 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %904 = arith.mulf %903, %125 : tensor<1x4x8xf32>
      %905 = tt.expand_dims %386 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %906 = tt.expand_dims %905 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %907 = tt.broadcast %906 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %908 = arith.addf %904, %907 : tensor<1x4x8xf32>
      %909 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %908 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %910 = tt.expand_dims %854 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %911 = tt.expand_dims %910 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %912 = tt.broadcast %911 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %913 = arith.mulf %912, %125 : tensor<1x4x8xf32>
      %914 = tt.expand_dims %387 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %915 = tt.expand_dims %914 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %916 = tt.broadcast %915 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %917 = arith.addf %913, %916 : tensor<1x4x8xf32>
      %918 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %917 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %919 = tt.expand_dims %855 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %920 = tt.expand_dims %919 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %921 = tt.broadcast %920 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %922 = arith.mulf %921, %125 : tensor<1x4x8xf32>
      %923 = tt.expand_dims %388 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %924 = tt.expand_dims %923 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %925 = tt.broadcast %924 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %926 = arith.addf %922, %925 : tensor<1x4x8xf32>
      %927 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %926 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %928 = tt.expand_dims %130 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %929 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %930 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %931 = arith.muli %929, %930 : tensor<8x1xi32>
      %932 = tt.broadcast %928 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %933 = tt.broadcast %931 : tensor<8x1xi32> -> tensor<8x8xi32>
      %934 = tt.addptr %932, %933 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %935 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %936 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %937 = tt.broadcast %935 : tensor<1x8xi1> -> tensor<8x8xi1>
      %938 = tt.broadcast %936 : tensor<8x1xi1> -> tensor<8x8xi1>
      %939 = arith.andi %937, %938 : tensor<8x8xi1>
      %940 = tt.splat %423 : bf16 -> tensor<8x8xbf16>
      %941 = tt.load %934, %939, %940 : tensor<8x8x!tt.ptr<bf16>>
      %942 = arith.extf %941 : tensor<8x8xbf16> to tensor<8x8xf32>
      %943 = tt.trans %942 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %944 = tt.reshape %943 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %945:2 = tt.split %944 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %947 = tt.reshape %945#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %948:2 = tt.split %947 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %950 = tt.reshape %945#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %951:2 = tt.split %950 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %953 = tt.reshape %948#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %954:2 = tt.split %953 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %956 = tt.reshape %951#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %957:2 = tt.split %956 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %959 = tt.reshape %948#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %960:2 = tt.split %959 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %962 = tt.reshape %951#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %963:2 = tt.split %962 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %965 = tt.reshape %954#0 : tensor<8x1xf32> -> tensor<8xf32>
      %966 = tt.reshape %957#0 : tensor<8x1xf32> -> tensor<8xf32>
      %967 = tt.reshape %960#0 : tensor<8x1xf32> -> tensor<8xf32>
      %968 = tt.reshape %963#0 : tensor<8x1xf32> -> tensor<8xf32>
      %969 = tt.reshape %954#1 : tensor<8x1xf32> -> tensor<8xf32>
      %970 = tt.reshape %957#1 : tensor<8x1xf32> -> tensor<8xf32>
      %971 = tt.reshape %960#1 : tensor<8x1xf32> -> tensor<8xf32>
      %972 = tt.reshape %963#1 : tensor<8x1xf32> -> tensor<8xf32>
      %973 = arith.mulf %199, %864 : tensor<1x4x8xf32>
      %974 = tt.expand_dims %965 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %975 = tt.expand_dims %974 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %976 = tt.expand_dims %325 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %977 = tt.broadcast %975 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %978 = tt.broadcast %976 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %979 = arith.mulf %977, %978 : tensor<1x4x8xf32>
      %980 = math.fma %973, %979, %200 : tensor<1x4x8xf32>
      %981 = arith.mulf %818, %848 : tensor<8xf32>
      %982 = tt.expand_dims %981 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %983 = tt.expand_dims %982 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %984 = tt.expand_dims %260 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %985 = tt.broadcast %983 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %986 = tt.broadcast %984 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %987 = arith.mulf %985, %986 : tensor<1x4x8xf32>
      %988 = math.fma %864, %198, %987 : tensor<1x4x8xf32>
      %989 = arith.mulf %973, %873 : tensor<1x4x8xf32>
      %990 = tt.expand_dims %966 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %991 = tt.expand_dims %990 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %992 = tt.expand_dims %327 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %993 = tt.broadcast %991 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %994 = tt.broadcast %992 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %995 = arith.mulf %993, %994 : tensor<1x4x8xf32>
      %996 = math.fma %989, %995, %980 : tensor<1x4x8xf32>
      %997 = arith.mulf %819, %849 : tensor<8xf32>
      %998 = tt.expand_dims %997 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %999 = tt.expand_dims %998 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1000 = tt.expand_dims %262 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1001 = tt.broadcast %999 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1002 = tt.broadcast %1000 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1003 = arith.mulf %1001, %1002 : tensor<1x4x8xf32>
      %1004 = math.fma %873, %988, %1003 : tensor<1x4x8xf32>
      %1005 = arith.mulf %989, %882 : tensor<1x4x8xf32>
      %1006 = tt.expand_dims %967 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1007 = tt.expand_dims %1006 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1008 = tt.expand_dims %329 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1009 = tt.broadcast %1007 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1010 = tt.broadcast %1008 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1011 = arith.mulf %1009, %1010 : tensor<1x4x8xf32>
      %1012 = math.fma %1005, %1011, %996 : tensor<1x4x8xf32>
      %1013 = arith.mulf %820, %850 : tensor<8xf32>
      %1014 = tt.expand_dims %1013 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1015 = tt.expand_dims %1014 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1016 = tt.expand_dims %264 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1017 = tt.broadcast %1015 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1018 = tt.broadcast %1016 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1019 = arith.mulf %1017, %1018 : tensor<1x4x8xf32>
      %1020 = math.fma %882, %1004, %1019 : tensor<1x4x8xf32>
      %1021 = arith.mulf %1005, %891 : tensor<1x4x8xf32>
      %1022 = tt.expand_dims %968 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1023 = tt.expand_dims %1022 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1024 = tt.expand_dims %331 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1025 = tt.broadcast %1023 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1026 = tt.broadcast %1024 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1027 = arith.mulf %1025, %1026 : tensor<1x4x8xf32>
      %1028 = math.fma %1021, %1027, %1012 : tensor<1x4x8xf32>
      %1029 = arith.mulf %821, %851 : tensor<8xf32>
      %1030 = tt.expand_dims %1029 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1031 = tt.expand_dims %1030 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1032 = tt.expand_dims %266 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1033 = tt.broadcast %1031 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1034 = tt.broadcast %1032 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1035 = arith.mulf %1033, %1034 : tensor<1x4x8xf32>
      %1036 = math.fma %891, %1020, %1035 : tensor<1x4x8xf32>
      %1037 = arith.mulf %1021, %900 : tensor<1x4x8xf32>
      %1038 = tt.expand_dims %969 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1039 = tt.expand_dims %1038 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1040 = tt.expand_dims %333 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1041 = tt.broadcast %1039 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1042 = tt.broadcast %1040 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1043 = arith.mulf %1041, %1042 : tensor<1x4x8xf32>
      %1044 = math.fma %1037, %1043, %1028 : tensor<1x4x8xf32>
      %1045 = arith.mulf %822, %852 : tensor<8xf32>
      %1046 = tt.expand_dims %1045 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1047 = tt.expand_dims %1046 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1048 = tt.expand_dims %268 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1049 = tt.broadcast %1047 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1050 = tt.broadcast %1048 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1051 = arith.mulf %1049, %1050 : tensor<1x4x8xf32>
      %1052 = math.fma %900, %1036, %1051 : tensor<1x4x8xf32>
      %1053 = arith.mulf %1037, %909 : tensor<1x4x8xf32>
      %1054 = tt.expand_dims %970 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1055 = tt.expand_dims %1054 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1056 = tt.expand_dims %335 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1057 = tt.broadcast %1055 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1058 = tt.broadcast %1056 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1059 = arith.mulf %1057, %1058 : tensor<1x4x8xf32>
      %1060 = math.fma %1053, %1059, %1044 : tensor<1x4x8xf32>
      %1061 = arith.mulf %823, %853 : tensor<8xf32>
      %1062 = tt.expand_dims %1061 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1063 = tt.expand_dims %1062 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1064 = tt.expand_dims %270 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1065 = tt.broadcast %1063 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1066 = tt.broadcast %1064 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1067 = arith.mulf %1065, %1066 : tensor<1x4x8xf32>
      %1068 = math.fma %909, %1052, %1067 : tensor<1x4x8xf32>
      %1069 = arith.mulf %1053, %918 : tensor<1x4x8xf32>
      %1070 = tt.expand_dims %971 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1071 = tt.expand_dims %1070 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1072 = tt.expand_dims %337 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1073 = tt.broadcast %1071 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1074 = tt.broadcast %1072 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1075 = arith.mulf %1073, %1074 : tensor<1x4x8xf32>
      %1076 = math.fma %1069, %1075, %1060 : tensor<1x4x8xf32>
      %1077 = arith.mulf %824, %854 : tensor<8xf32>
      %1078 = tt.expand_dims %1077 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1079 = tt.expand_dims %1078 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1080 = tt.expand_dims %272 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1081 = tt.broadcast %1079 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1082 = tt.broadcast %1080 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1083 = arith.mulf %1081, %1082 : tensor<1x4x8xf32>
      %1084 = math.fma %918, %1068, %1083 : tensor<1x4x8xf32>
      %1085 = arith.mulf %1069, %927 : tensor<1x4x8xf32>
      %1086 = tt.expand_dims %972 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1087 = tt.expand_dims %1086 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1088 = tt.expand_dims %339 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1089 = tt.broadcast %1087 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1090 = tt.broadcast %1088 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1091 = arith.mulf %1089, %1090 : tensor<1x4x8xf32>
      %1092 = math.fma %1085, %1091, %1076 : tensor<1x4x8xf32>
      %1093 = arith.mulf %825, %855 : tensor<8xf32>
      %1094 = tt.expand_dims %1093 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1095 = tt.expand_dims %1094 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1096 = tt.expand_dims %274 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1097 = tt.broadcast %1095 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1098 = tt.broadcast %1096 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1099 = arith.mulf %1097, %1098 : tensor<1x4x8xf32>
      %1100 = math.fma %927, %1084, %1099 : tensor<1x4x8xf32>
      scf.yield %745, %730, %737, %1100, %1085, %1092 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    } {tt.num_stages = 3 : i32}
    %1107 = arith.extsi %11 : i32 to i64
    %1108 = arith.muli %30, %145 : i64
    %1109 = arith.addi %1108, %1107 : i64
    %1110 = arith.muli %1109, %148 : i64
    %1111 = tt.addptr %factors, %1110 : !tt.ptr<f32>, i64
    %1112 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1113 = tt.expand_dims %1112 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1114 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1115 = arith.muli %1113, %1114 : tensor<1x1x8xi32>
    %1116 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1117 = tt.broadcast %1115 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1118 = tt.broadcast %1116 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1119 = arith.addi %1117, %1118 : tensor<1x4x8xi32>
    %1120 = tt.splat %1111 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1121 = tt.addptr %1120, %1119 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1122 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1123 = tt.expand_dims %1122 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1124 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1125 = tt.broadcast %1123 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1126 = tt.broadcast %1124 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1127 = arith.andi %1125, %1126 : tensor<1x4x8xi1>
    tt.store %1121, %1101#1, %1127 : tensor<1x4x8x!tt.ptr<f32>>
    %1128 = arith.extsi %11 : i32 to i64
    %1129 = arith.muli %30, %145 : i64
    %1130 = arith.addi %1129, %1128 : i64
    %1131 = arith.muli %1130, %148 : i64
    %1132 = tt.addptr %summands, %1131 : !tt.ptr<f32>, i64
    %1133 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1134 = tt.expand_dims %1133 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1135 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1136 = arith.muli %1134, %1135 : tensor<1x1x8xi32>
    %1137 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1138 = tt.broadcast %1136 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1139 = tt.broadcast %1137 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1140 = arith.addi %1138, %1139 : tensor<1x4x8xi32>
    %1141 = tt.splat %1132 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1142 = tt.addptr %1141, %1140 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1143 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1144 = tt.expand_dims %1143 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1145 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1146 = tt.broadcast %1144 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1147 = tt.broadcast %1145 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1148 = arith.andi %1146, %1147 : tensor<1x4x8xi1>
    tt.store %1142, %1101#2, %1148 : tensor<1x4x8x!tt.ptr<f32>>
    %1149 = arith.extsi %11 : i32 to i64
    %1150 = arith.muli %91, %145 : i64
    %1151 = arith.addi %1150, %1149 : i64
    %1152 = arith.muli %1151, %148 : i64
    %1153 = tt.addptr %factors, %1152 : !tt.ptr<f32>, i64
    %1154 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1155 = tt.expand_dims %1154 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1156 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1157 = arith.muli %1155, %1156 : tensor<1x1x8xi32>
    %1158 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1159 = tt.broadcast %1157 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1160 = tt.broadcast %1158 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1161 = arith.addi %1159, %1160 : tensor<1x4x8xi32>
    %1162 = tt.splat %1153 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1163 = tt.addptr %1162, %1161 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1164 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1165 = tt.expand_dims %1164 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1166 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1167 = tt.broadcast %1165 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1168 = tt.broadcast %1166 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1169 = arith.andi %1167, %1168 : tensor<1x4x8xi1>
    tt.store %1163, %1101#4, %1169 : tensor<1x4x8x!tt.ptr<f32>>
    %1170 = arith.extsi %11 : i32 to i64
    %1171 = arith.muli %91, %145 : i64
    %1172 = arith.addi %1171, %1170 : i64
    %1173 = arith.muli %1172, %148 : i64
    %1174 = tt.addptr %summands, %1173 : !tt.ptr<f32>, i64
    %1175 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1176 = tt.expand_dims %1175 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1177 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1178 = arith.muli %1176, %1177 : tensor<1x1x8xi32>
    %1179 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1180 = tt.broadcast %1178 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1181 = tt.broadcast %1179 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1182 = arith.addi %1180, %1181 : tensor<1x4x8xi32>
    %1183 = tt.splat %1174 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1184 = tt.addptr %1183, %1182 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1185 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1186 = tt.expand_dims %1185 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1187 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1188 = tt.broadcast %1186 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1189 = tt.broadcast %1187 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1190 = arith.andi %1188, %1189 : tensor<1x4x8xi1>
    tt.store %1184, %1101#5, %1190 : tensor<1x4x8x!tt.ptr<f32>>
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
    %159 = arith.constant 9 : i64
    %164 = arith.constant 54 : i64
    %172 = arith.constant 2 : i32
    %173 = arith.constant 32 : i32
    %178 = arith.constant 1 : i64
    %181 = arith.constant 33 : i64
    %202 = arith.constant dense<0.0e0> : tensor<1x4x8xf32>
    %242 = arith.constant 9 : i32
    %389 = arith.constant dense<0.0e0> : tensor<8xf32>
    %390 = arith.constant 0xFF800000 : f32
    %425 = arith.constant 2 : i64
    %465 = arith.constant 0.0e0 : bf16
    %744 = arith.constant 4 : i32
    %1527 = arith.constant 6.931472e-1 : f32
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
    %157 = arith.muli %33, %154 : i64
    %158 = tt.addptr %c, %157 : !tt.ptr<f32>, i64
    %160 = arith.muli %33, %159 : i64
    %161 = tt.addptr %documents, %160 : !tt.ptr<i32>, i64
    %162 = tt.get_program_id x : i32
    %163 = arith.extsi %162 : i32 to i64
    %165 = arith.muli %163, %164 : i64
    %166 = tt.addptr %db, %165 : !tt.ptr<f32>, i64
    %167 = arith.muli %33, %154 : i64
    %168 = tt.addptr %166, %167 : !tt.ptr<f32>, i64
    %169 = tt.addptr %dc, %165 : !tt.ptr<f32>, i64
    %170 = arith.muli %33, %154 : i64
    %171 = tt.addptr %169, %170 : !tt.ptr<f32>, i64
    %174 = arith.muli %14, %173 : i32
    %175 = arith.subi %172, %174 : i32
    %176 = arith.minsi %175, %173 : i32
    %177 = arith.extsi %14 : i32 to i64
    %179 = arith.muli %33, %178 : i64
    %180 = arith.addi %179, %177 : i64
    %182 = arith.muli %180, %181 : i64
    %183 = tt.addptr %behind, %182 : !tt.ptr<f32>, i64
    %184 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %185 = tt.expand_dims %184 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %186 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %187 = arith.muli %185, %186 : tensor<1x1x8xi32>
    %188 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %189 = tt.broadcast %187 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %190 = tt.broadcast %188 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %191 = arith.addi %189, %190 : tensor<1x4x8xi32>
    %192 = tt.splat %183 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %193 = tt.addptr %192, %191 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %194 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %195 = tt.expand_dims %194 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %196 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %197 = tt.broadcast %195 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %198 = tt.broadcast %196 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %199 = arith.andi %197, %198 : tensor<1x4x8xi1>
    %200 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %201 = tt.load %193, %199, %200 : tensor<1x4x8x!tt.ptr<f32>>
    %203 = arith.extsi %14 : i32 to i64
    %204 = arith.muli %104, %178 : i64
    %205 = arith.addi %204, %203 : i64
    %206 = arith.muli %205, %181 : i64
    %207 = tt.addptr %behind, %206 : !tt.ptr<f32>, i64
    %208 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %209 = tt.expand_dims %208 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %210 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %211 = arith.muli %209, %210 : tensor<1x1x8xi32>
    %212 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %213 = tt.broadcast %211 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %214 = tt.broadcast %212 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %215 = arith.addi %213, %214 : tensor<1x4x8xi32>
    %216 = tt.splat %207 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %217 = tt.addptr %216, %215 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %218 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %219 = tt.expand_dims %218 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %220 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %221 = tt.broadcast %219 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %222 = tt.broadcast %220 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %223 = arith.andi %221, %222 : tensor<1x4x8xi1>
    %224 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
    %225 = tt.load %217, %223, %224 : tensor<1x4x8x!tt.ptr<f32>>
    %2578:4 = scf.for %226 = %19 to %176 step %26 iter_args(%227 = %201, %228 = %202, %229 = %225, %230 = %202) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
      %231 = arith.muli %14, %173 : i32
      %232 = arith.muli %14, %173 : i32
      %233 = arith.subi %172, %232 : i32
      %234 = arith.minsi %233, %173 : i32
      %235 = arith.addi %231, %234 : i32
      %236 = arith.subi %235, %26 : i32
      %237 = arith.subi %236, %226 : i32
      %238 = arith.muli %237, %91 : i32
      %239 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %240 = tt.splat %238 : i32 -> tensor<8xi32>
      %241 = arith.addi %240, %239 : tensor<8xi32>
      %243 = tt.splat %242 : i32 -> tensor<8xi32>
      %244 = arith.cmpi slt, %241, %243 : tensor<8xi32>
      %245 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %246 = tt.splat %37 : i32 -> tensor<4xi32>
      %247 = arith.cmpi slt, %245, %246 : tensor<4xi32>
      %248 = tt.expand_dims %247 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %249 = tt.expand_dims %245 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %250 = tt.splat %156 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
      %251 = tt.addptr %250, %249 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %252 = tt.expand_dims %241 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %253 = tt.splat %37 : i32 -> tensor<8x1xi32>
      %254 = arith.muli %252, %253 : tensor<8x1xi32>
      %255 = tt.broadcast %251 : tensor<1x4x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
      %256 = tt.broadcast %254 : tensor<8x1xi32> -> tensor<8x4xi32>
      %257 = tt.addptr %255, %256 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
      %258 = tt.expand_dims %244 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %259 = tt.broadcast %248 : tensor<1x4xi1> -> tensor<8x4xi1>
      %260 = tt.broadcast %258 : tensor<8x1xi1> -> tensor<8x4xi1>
      %261 = arith.andi %259, %260 : tensor<8x4xi1>
      %262 = tt.splat %67 : f32 -> tensor<8x4xf32>
      %263 = tt.load %257, %261, %262 : tensor<8x4x!tt.ptr<f32>>
      %264 = tt.trans %263 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
      %265 = tt.reshape %264 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %266:2 = tt.split %265 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %268 = tt.reshape %266#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %269:2 = tt.split %268 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %271 = tt.reshape %266#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %272:2 = tt.split %271 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %274 = tt.reshape %269#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %275:2 = tt.split %274 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %277 = tt.reshape %272#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %278:2 = tt.split %277 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %280 = tt.reshape %269#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %281:2 = tt.split %280 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %283 = tt.reshape %272#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %284:2 = tt.split %283 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %286 = tt.reshape %275#0 : tensor<4x1xf32> -> tensor<4xf32>
      %287 = tt.reshape %278#0 : tensor<4x1xf32> -> tensor<4xf32>
      %288 = tt.reshape %281#0 : tensor<4x1xf32> -> tensor<4xf32>
      %289 = tt.reshape %284#0 : tensor<4x1xf32> -> tensor<4xf32>
      %290 = tt.reshape %275#1 : tensor<4x1xf32> -> tensor<4xf32>
      %291 = tt.reshape %278#1 : tensor<4x1xf32> -> tensor<4xf32>
      %292 = tt.reshape %281#1 : tensor<4x1xf32> -> tensor<4xf32>
      %293 = tt.reshape %284#1 : tensor<4x1xf32> -> tensor<4xf32>
      %294 = tt.reshape %286 : tensor<4xf32> -> tensor<4x1xf32>
      %295 = tt.trans %294 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %296 = tt.reshape %287 : tensor<4xf32> -> tensor<4x1xf32>
      %297 = tt.trans %296 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %298 = tt.reshape %288 : tensor<4xf32> -> tensor<4x1xf32>
      %299 = tt.trans %298 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %300 = tt.reshape %289 : tensor<4xf32> -> tensor<4x1xf32>
      %301 = tt.trans %300 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %302 = tt.reshape %290 : tensor<4xf32> -> tensor<4x1xf32>
      %303 = tt.trans %302 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %304 = tt.reshape %291 : tensor<4xf32> -> tensor<4x1xf32>
      %305 = tt.trans %304 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %306 = tt.reshape %292 : tensor<4xf32> -> tensor<4x1xf32>
      %307 = tt.trans %306 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %308 = tt.reshape %293 : tensor<4xf32> -> tensor<4x1xf32>
      %309 = tt.trans %308 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %310 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %311 = tt.splat %37 : i32 -> tensor<4xi32>
      %312 = arith.cmpi slt, %310, %311 : tensor<4xi32>
      %313 = tt.expand_dims %312 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %314 = tt.expand_dims %310 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %315 = tt.splat %158 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
      %316 = tt.addptr %315, %314 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %317 = tt.expand_dims %241 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %318 = tt.splat %37 : i32 -> tensor<8x1xi32>
      %319 = arith.muli %317, %318 : tensor<8x1xi32>
      %320 = tt.broadcast %316 : tensor<1x4x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
      %321 = tt.broadcast %319 : tensor<8x1xi32> -> tensor<8x4xi32>
      %322 = tt.addptr %320, %321 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
      %323 = tt.expand_dims %244 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %324 = tt.broadcast %313 : tensor<1x4xi1> -> tensor<8x4xi1>
      %325 = tt.broadcast %323 : tensor<8x1xi1> -> tensor<8x4xi1>
      %326 = arith.andi %324, %325 : tensor<8x4xi1>
      %327 = tt.splat %67 : f32 -> tensor<8x4xf32>
      %328 = tt.load %322, %326, %327 : tensor<8x4x!tt.ptr<f32>>
      %329 = tt.trans %328 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
      %330 = tt.reshape %329 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %331:2 = tt.split %330 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %333 = tt.reshape %331#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %334:2 = tt.split %333 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %336 = tt.reshape %331#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %337:2 = tt.split %336 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %339 = tt.reshape %334#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %340:2 = tt.split %339 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %342 = tt.reshape %337#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %343:2 = tt.split %342 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %345 = tt.reshape %334#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %346:2 = tt.split %345 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %348 = tt.reshape %337#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %349:2 = tt.split %348 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %351 = tt.reshape %340#0 : tensor<4x1xf32> -> tensor<4xf32>
      %352 = tt.reshape %343#0 : tensor<4x1xf32> -> tensor<4xf32>
      %353 = tt.reshape %346#0 : tensor<4x1xf32> -> tensor<4xf32>
      %354 = tt.reshape %349#0 : tensor<4x1xf32> -> tensor<4xf32>
      %355 = tt.reshape %340#1 : tensor<4x1xf32> -> tensor<4xf32>
      %356 = tt.reshape %343#1 : tensor<4x1xf32> -> tensor<4xf32>
      %357 = tt.reshape %346#1 : tensor<4x1xf32> -> tensor<4xf32>
      %358 = tt.reshape %349#1 : tensor<4x1xf32> -> tensor<4xf32>
      %359 = tt.reshape %351 : tensor<4xf32> -> tensor<4x1xf32>
      %360 = tt.trans %359 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %361 = tt.reshape %352 : tensor<4xf32> -> tensor<4x1xf32>
      %362 = tt.trans %361 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %363 = tt.reshape %353 : tensor<4xf32> -> tensor<4x1xf32>
      %364 = tt.trans %363 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %365 = tt.reshape %354 : tensor<4xf32> -> tensor<4x1xf32>
      %366 = tt.trans %365 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %367 = tt.reshape %355 : tensor<4xf32> -> tensor<4x1xf32>
      %368 = tt.trans %367 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %369 = tt.reshape %356 : tensor<4xf32> -> tensor<4x1xf32>
      %370 = tt.trans %369 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %371 = tt.reshape %357 : tensor<4xf32> -> tensor<4x1xf32>
      %372 = tt.trans %371 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %373 = tt.reshape %358 : tensor<4xf32> -> tensor<4x1xf32>
      %374 = tt.trans %373 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %375 = tt.splat %161 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
      %376 = tt.addptr %375, %241 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
      %377 = tt.splat %19 : i32 -> tensor<8xi32>
      %378 = tt.load %376, %244, %377 : tensor<8x!tt.ptr<i32>>
      %379 = tt.splat %19 : i32 -> tensor<8xi32>
      %380 = arith.cmpi sgt, %241, %379 : tensor<8xi32>
      %381 = arith.andi %244, %380 : tensor<8xi1>
      %382 = tt.splat %26 : i32 -> tensor<8xi32>
      %383 = arith.subi %241, %382 : tensor<8xi32>
      %384 = tt.splat %161 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
      %385 = tt.addptr %384, %383 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
      %386 = tt.splat %19 : i32 -> tensor<8xi32>
      %387 = tt.load %385, %381, %386 : tensor<8x!tt.ptr<i32>>
      %388 = arith.cmpi eq, %378, %387 : tensor<8xi32>
      %391 = tt.splat %390 : f32 -> tensor<8xf32>
      %392 = arith.select %388, %389, %391 : tensor<8xi1>, tensor<8xf32>
      %393 = tt.expand_dims %392 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
      %394 = tt.trans %393 {order = array<i32: 1, 0>} : tensor<8x1xf32> -> tensor<1x8xf32>
      %395 = tt.reshape %394 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %396:2 = tt.split %395 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %398 = tt.reshape %396#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %399:2 = tt.split %398 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %401 = tt.reshape %396#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %402:2 = tt.split %401 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %404 = tt.reshape %399#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %405:2 = tt.split %404 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %407 = tt.reshape %402#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %408:2 = tt.split %407 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %410 = tt.reshape %399#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %411:2 = tt.split %410 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %413 = tt.reshape %402#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %414:2 = tt.split %413 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %416 = tt.reshape %405#0 : tensor<1x1xf32> -> tensor<1xf32>
      %417 = tt.reshape %408#0 : tensor<1x1xf32> -> tensor<1xf32>
      %418 = tt.reshape %411#0 : tensor<1x1xf32> -> tensor<1xf32>
      %419 = tt.reshape %414#0 : tensor<1x1xf32> -> tensor<1xf32>
      %420 = tt.reshape %405#1 : tensor<1x1xf32> -> tensor<1xf32>
      %421 = tt.reshape %408#1 : tensor<1x1xf32> -> tensor<1xf32>
      %422 = tt.reshape %411#1 : tensor<1x1xf32> -> tensor<1xf32>
      %423 = tt.reshape %414#1 : tensor<1x1xf32> -> tensor<1xf32>
      %424 = arith.extsi %237 : i32 to i64
      %426 = arith.muli %33, %425 : i64
      %427 = arith.addi %426, %424 : i64
      %428 = arith.muli %427, %181 : i64
      %429 = tt.addptr %states, %428 : !tt.ptr<f32>, i64
      %430 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %431 = tt.expand_dims %430 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %432 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %433 = arith.muli %431, %432 : tensor<1x1x8xi32>
      %434 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %435 = tt.broadcast %433 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %436 = tt.broadcast %434 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %437 = arith.addi %435, %436 : tensor<1x4x8xi32>
      %438 = tt.splat %429 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %439 = tt.addptr %438, %437 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %440 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %441 = tt.expand_dims %440 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %442 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %443 = tt.broadcast %441 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %444 = tt.broadcast %442 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %445 = arith.andi %443, %444 : tensor<1x4x8xi1>
      %446 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %447 = tt.load %439, %445, %446 : tensor<1x4x8x!tt.ptr<f32>>
      %448 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %449 = tt.splat %238 : i32 -> tensor<8xi32>
      %450 = arith.addi %449, %448 : tensor<8xi32>
      %451 = tt.splat %242 : i32 -> tensor<8xi32>
      %452 = arith.cmpi slt, %450, %451 : tensor<8xi32>
      %453 = tt.expand_dims %45 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %454 = tt.expand_dims %450 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %455 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %456 = arith.muli %454, %455 : tensor<8x1xi32>
      %457 = tt.broadcast %453 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %458 = tt.broadcast %456 : tensor<8x1xi32> -> tensor<8x8xi32>
      %459 = tt.addptr %457, %458 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %460 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %461 = tt.expand_dims %452 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %462 = tt.broadcast %460 : tensor<1x8xi1> -> tensor<8x8xi1>
      %463 = tt.broadcast %461 : tensor<8x1xi1> -> tensor<8x8xi1>
      %464 = arith.andi %462, %463 : tensor<8x8xi1>
      %466 = tt.splat %465 : bf16 -> tensor<8x8xbf16>
      %467 = tt.load %459, %464, %466 : tensor<8x8x!tt.ptr<bf16>>
      %468 = arith.extf %467 : tensor<8x8xbf16> to tensor<8x8xf32>
      %469 = tt.expand_dims %50 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %470 = tt.expand_dims %450 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %471 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %472 = arith.muli %470, %471 : tensor<8x1xi32>
      %473 = tt.broadcast %469 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %474 = tt.broadcast %472 : tensor<8x1xi32> -> tensor<8x8xi32>
      %475 = tt.addptr %473, %474 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %476 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %477 = tt.expand_dims %452 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %478 = tt.broadcast %476 : tensor<1x8xi1> -> tensor<8x8xi1>
      %479 = tt.broadcast %477 : tensor<8x1xi1> -> tensor<8x8xi1>
      %480 = arith.andi %478, %479 : tensor<8x8xi1>
      %481 = tt.splat %67 : f32 -> tensor<8x8xf32>
      %482 = tt.load %475, %480, %481 : tensor<8x8x!tt.ptr<f32>>
      %483 = tt.expand_dims %77 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %484 = tt.expand_dims %450 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %485 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %486 = arith.muli %484, %485 : tensor<8x1xi32>
      %487 = tt.broadcast %483 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %488 = tt.broadcast %486 : tensor<8x1xi32> -> tensor<8x8xi32>
      %489 = tt.addptr %487, %488 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %490 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %491 = tt.expand_dims %452 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %492 = tt.broadcast %490 : tensor<1x8xi1> -> tensor<8x8xi1>
      %493 = tt.broadcast %491 : tensor<8x1xi1> -> tensor<8x8xi1>
      %494 = arith.andi %492, %493 : tensor<8x8xi1>
      %495 = tt.splat %465 : bf16 -> tensor<8x8xbf16>
      %496 = tt.load %489, %494, %495 : tensor<8x8x!tt.ptr<bf16>>
      %497 = arith.extf %496 : tensor<8x8xbf16> to tensor<8x8xf32>
      %498 = tt.trans %497 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %499 = tt.reshape %498 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %500:2 = tt.split %499 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %502 = tt.reshape %500#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %503:2 = tt.split %502 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %505 = tt.reshape %500#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %506:2 = tt.split %505 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %508 = tt.reshape %503#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %509:2 = tt.split %508 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %511 = tt.reshape %506#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %512:2 = tt.split %511 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %514 = tt.reshape %503#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %515:2 = tt.split %514 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %517 = tt.reshape %506#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %518:2 = tt.split %517 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %520 = tt.reshape %509#0 : tensor<8x1xf32> -> tensor<8xf32>
      %521 = tt.reshape %512#0 : tensor<8x1xf32> -> tensor<8xf32>
      %522 = tt.reshape %515#0 : tensor<8x1xf32> -> tensor<8xf32>
      %523 = tt.reshape %518#0 : tensor<8x1xf32> -> tensor<8xf32>
      %524 = tt.reshape %509#1 : tensor<8x1xf32> -> tensor<8xf32>
      %525 = tt.reshape %512#1 : tensor<8x1xf32> -> tensor<8xf32>
      %526 = tt.reshape %515#1 : tensor<8x1xf32> -> tensor<8xf32>
      %527 = tt.reshape %518#1 : tensor<8x1xf32> -> tensor<8xf32>
      %528 = tt.trans %468 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %529 = tt.reshape %528 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %530:2 = tt.split %529 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %532 = tt.reshape %530#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %533:2 = tt.split %532 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %535 = tt.reshape %530#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %536:2 = tt.split %535 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %538 = tt.reshape %533#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %539:2 = tt.split %538 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %541 = tt.reshape %536#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %542:2 = tt.split %541 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %544 = tt.reshape %533#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %545:2 = tt.split %544 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %547 = tt.reshape %536#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %548:2 = tt.split %547 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %550 = tt.reshape %539#0 : tensor<8x1xf32> -> tensor<8xf32>
      %551 = tt.reshape %542#0 : tensor<8x1xf32> -> tensor<8xf32>
      %552 = tt.reshape %545#0 : tensor<8x1xf32> -> tensor<8xf32>
      %553 = tt.reshape %548#0 : tensor<8x1xf32> -> tensor<8xf32>
      %554 = tt.reshape %539#1 : tensor<8x1xf32> -> tensor<8xf32>
      %555 = tt.reshape %542#1 : tensor<8x1xf32> -> tensor<8xf32>
      %556 = tt.reshape %545#1 : tensor<8x1xf32> -> tensor<8xf32>
      %557 = tt.reshape %548#1 : tensor<8x1xf32> -> tensor<8xf32>
      %558 = tt.trans %482 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %559 = tt.reshape %558 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %560:2 = tt.split %559 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %562 = tt.reshape %560#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %563:2 = tt.split %562 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %565 = tt.reshape %560#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %566:2 = tt.split %565 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %568 = tt.reshape %563#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %569:2 = tt.split %568 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %571 = tt.reshape %566#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %572:2 = tt.split %571 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %574 = tt.reshape %563#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %575:2 = tt.split %574 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %577 = tt.reshape %566#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %578:2 = tt.split %577 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %580 = tt.reshape %569#0 : tensor<8x1xf32> -> tensor<8xf32>
      %581 = tt.reshape %572#0 : tensor<8x1xf32> -> tensor<8xf32>
      %582 = tt.reshape %575#0 : tensor<8x1xf32> -> tensor<8xf32>
      %583 = tt.reshape %578#0 : tensor<8x1xf32> -> tensor<8xf32>
      %584 = tt.reshape %569#1 : tensor<8x1xf32> -> tensor<8xf32>
      %585 = tt.reshape %572#1 : tensor<8x1xf32> -> tensor<8xf32>
      %586 = tt.reshape %575#1 : tensor<8x1xf32> -> tensor<8xf32>
      %587 = tt.reshape %578#1 : tensor<8x1xf32> -> tensor<8xf32>
      %588 = tt.expand_dims %580 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %589 = tt.expand_dims %588 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %590 = tt.broadcast %589 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %591 = arith.mulf %590, %72 : tensor<1x4x8xf32>
      %592 = tt.expand_dims %416 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %593 = tt.expand_dims %592 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %594 = tt.broadcast %593 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %595 = arith.addf %591, %594 : tensor<1x4x8xf32>
      %596 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %595 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %597 = arith.mulf %550, %580 : tensor<8xf32>
      %598 = tt.expand_dims %597 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %599 = tt.expand_dims %598 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %600 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %601 = tt.broadcast %599 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %602 = tt.broadcast %600 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %603 = arith.mulf %601, %602 : tensor<1x4x8xf32>
      %604 = math.fma %596, %447, %603 : tensor<1x4x8xf32>
      %605 = tt.expand_dims %581 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %606 = tt.expand_dims %605 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %607 = tt.broadcast %606 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %608 = arith.mulf %607, %72 : tensor<1x4x8xf32>
      %609 = tt.expand_dims %417 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %610 = tt.expand_dims %609 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %611 = tt.broadcast %610 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %612 = arith.addf %608, %611 : tensor<1x4x8xf32>
      %613 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %612 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %614 = arith.mulf %551, %581 : tensor<8xf32>
      %615 = tt.expand_dims %614 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %616 = tt.expand_dims %615 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %617 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %618 = tt.broadcast %616 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %619 = tt.broadcast %617 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %620 = arith.mulf %618, %619 : tensor<1x4x8xf32>
      %621 = math.fma %613, %604, %620 : tensor<1x4x8xf32>
      %622 = tt.expand_dims %582 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %623 = tt.expand_dims %622 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %624 = tt.broadcast %623 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %625 = arith.mulf %624, %72 : tensor<1x4x8xf32>
      %626 = tt.expand_dims %418 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %627 = tt.expand_dims %626 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %628 = tt.broadcast %627 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %629 = arith.addf %625, %628 : tensor<1x4x8xf32>
      %630 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %629 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %631 = arith.mulf %552, %582 : tensor<8xf32>
      %632 = tt.expand_dims %631 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %633 = tt.expand_dims %632 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %634 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %635 = tt.broadcast %633 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %636 = tt.broadcast %634 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %637 = arith.mulf %635, %636 : tensor<1x4x8xf32>
      %638 = math.fma %630, %621, %637 : tensor<1x4x8xf32>
      %639 = tt.expand_dims %583 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %640 = tt.expand_dims %639 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %641 = tt.broadcast %640 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %642 = arith.mulf %641, %72 : tensor<1x4x8xf32>
      %643 = tt.expand_dims %419 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %644 = tt.expand_dims %643 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %645 = tt.broadcast %644 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %646 = arith.addf %642, %645 : tensor<1x4x8xf32>
      %647 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %646 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %648 = arith.mulf %553, %583 : tensor<8xf32>
      %649 = tt.expand_dims %648 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %650 = tt.expand_dims %649 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %651 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %652 = tt.broadcast %650 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %653 = tt.broadcast %651 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %654 = arith.mulf %652, %653 : tensor<1x4x8xf32>
      %655 = math.fma %647, %638, %654 : tensor<1x4x8xf32>
      %656 = tt.expand_dims %584 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %657 = tt.expand_dims %656 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %658 = tt.broadcast %657 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %659 = arith.mulf %658, %72 : tensor<1x4x8xf32>
      %660 = tt.expand_dims %420 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %661 = tt.expand_dims %660 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %662 = tt.broadcast %661 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %663 = arith.addf %659, %662 : tensor<1x4x8xf32>
      %664 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %663 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %665 = arith.mulf %554, %584 : tensor<8xf32>
      %666 = tt.expand_dims %665 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %667 = tt.expand_dims %666 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %668 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %669 = tt.broadcast %667 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %670 = tt.broadcast %668 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %671 = arith.mulf %669, %670 : tensor<1x4x8xf32>
      %672 = math.fma %664, %655, %671 : tensor<1x4x8xf32>
      %673 = tt.expand_dims %585 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %674 = tt.expand_dims %673 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %675 = tt.broadcast %674 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %676 = arith.mulf %675, %72 : tensor<1x4x8xf32>
      %677 = tt.expand_dims %421 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %678 = tt.expand_dims %677 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %679 = tt.broadcast %678 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %680 = arith.addf %676, %679 : tensor<1x4x8xf32>
      %681 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %680 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %682 = arith.mulf %555, %585 : tensor<8xf32>
      %683 = tt.expand_dims %682 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %684 = tt.expand_dims %683 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %685 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %686 = tt.broadcast %684 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %687 = tt.broadcast %685 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %688 = arith.mulf %686, %687 : tensor<1x4x8xf32>
      %689 = math.fma %681, %672, %688 : tensor<1x4x8xf32>
      %690 = tt.expand_dims %586 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %691 = tt.expand_dims %690 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %692 = tt.broadcast %691 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %693 = arith.mulf %692, %72 : tensor<1x4x8xf32>
      %694 = tt.expand_dims %422 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %695 = tt.expand_dims %694 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %696 = tt.broadcast %695 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %697 = arith.addf %693, %696 : tensor<1x4x8xf32>
      %698 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %697 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %699 = arith.mulf %556, %586 : tensor<8xf32>
      %700 = tt.expand_dims %699 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %701 = tt.expand_dims %700 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %702 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %703 = tt.broadcast %701 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %704 = tt.broadcast %702 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %705 = arith.mulf %703, %704 : tensor<1x4x8xf32>
      %706 = math.fma %698, %689, %705 : tensor<1x4x8xf32>
      %707 = tt.expand_dims %587 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %708 = tt.expand_dims %707 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %709 = tt.broadcast %708 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %710 = arith.mulf %709, %72 : tensor<1x4x8xf32>
      %711 = tt.expand_dims %423 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %712 = tt.expand_dims %711 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %713 = tt.broadcast %712 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %714 = arith.addf %710, %713 : tensor<1x4x8xf32>
      %715 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %714 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %716 = arith.mulf %557, %587 : tensor<8xf32>
      %717 = tt.expand_dims %716 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %718 = tt.expand_dims %717 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %719 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %720 = tt.broadcast %718 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %721 = tt.broadcast %719 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %722 = arith.mulf %720, %721 : tensor<1x4x8xf32>
      %723 = math.fma %715, %706, %722 : tensor<1x4x8xf32>
      %724 = tt.reshape %468 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %725 = tt.trans %724 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %726 = tt.reshape %725 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %727:2 = tt.split %726 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %729 = tt.reshape %727#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %730 = tt.reshape %727#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %731 = tt.reshape %482 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %732 = tt.trans %731 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %733 = tt.reshape %732 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %734:2 = tt.split %733 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %736 = tt.reshape %734#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %737 = tt.reshape %734#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %738 = arith.addi %238, %19 : i32
      %739 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %740 = tt.splat %738 : i32 -> tensor<4xi32>
      %741 = arith.addi %740, %739 : tensor<4xi32>
      %742 = tt.splat %242 : i32 -> tensor<4xi32>
      %743 = arith.cmpi slt, %741, %742 : tensor<4xi32>
      %745 = arith.addi %238, %744 : i32
      %746 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %747 = tt.splat %745 : i32 -> tensor<4xi32>
      %748 = arith.addi %747, %746 : tensor<4xi32>
      %749 = tt.splat %242 : i32 -> tensor<4xi32>
      %750 = arith.cmpi slt, %748, %749 : tensor<4xi32>
      %751 = arith.extsi %237 : i32 to i64
      %752 = arith.muli %104, %425 : i64
      %753 = arith.addi %752, %751 : i64
      %754 = arith.muli %753, %181 : i64
      %755 = tt.addptr %states, %754 : !tt.ptr<f32>, i64
      %756 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %757 = tt.expand_dims %756 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %758 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %759 = arith.muli %757, %758 : tensor<1x1x8xi32>
      %760 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %761 = tt.broadcast %759 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %762 = tt.broadcast %760 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %763 = arith.addi %761, %762 : tensor<1x4x8xi32>
      %764 = tt.splat %755 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %765 = tt.addptr %764, %763 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %766 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %767 = tt.expand_dims %766 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %768 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %769 = tt.broadcast %767 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %770 = tt.broadcast %768 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %771 = arith.andi %769, %770 : tensor<1x4x8xi1>
      %772 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %773 = tt.load %765, %771, %772 : tensor<1x4x8x!tt.ptr<f32>>
      %774 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %775 = tt.splat %238 : i32 -> tensor<8xi32>
      %776 = arith.addi %775, %774 : tensor<8xi32>
      %777 = tt.splat %242 : i32 -> tensor<8xi32>
      %778 = arith.cmpi slt, %776, %777 : tensor<8xi32>
      %779 = tt.expand_dims %113 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %780 = tt.expand_dims %776 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %781 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %782 = arith.muli %780, %781 : tensor<8x1xi32>
      %783 = tt.broadcast %779 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %784 = tt.broadcast %782 : tensor<8x1xi32> -> tensor<8x8xi32>
      %785 = tt.addptr %783, %784 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %786 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %787 = tt.expand_dims %778 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %788 = tt.broadcast %786 : tensor<1x8xi1> -> tensor<8x8xi1>
      %789 = tt.broadcast %787 : tensor<8x1xi1> -> tensor<8x8xi1>
      %790 = arith.andi %788, %789 : tensor<8x8xi1>
      %791 = tt.splat %465 : bf16 -> tensor<8x8xbf16>
      %792 = tt.load %785, %790, %791 : tensor<8x8x!tt.ptr<bf16>>
      %793 = arith.extf %792 : tensor<8x8xbf16> to tensor<8x8xf32>
      %794 = tt.expand_dims %118 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %795 = tt.expand_dims %776 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %796 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %797 = arith.muli %795, %796 : tensor<8x1xi32>
      %798 = tt.broadcast %794 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %799 = tt.broadcast %797 : tensor<8x1xi32> -> tensor<8x8xi32>
      %800 = tt.addptr %798, %799 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %801 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %802 = tt.expand_dims %778 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %803 = tt.broadcast %801 : tensor<1x8xi1> -> tensor<8x8xi1>
      %804 = tt.broadcast %802 : tensor<8x1xi1> -> tensor<8x8xi1>
      %805 = arith.andi %803, %804 : tensor<8x8xi1>
      %806 = tt.splat %67 : f32 -> tensor<8x8xf32>
      %807 = tt.load %800, %805, %806 : tensor<8x8x!tt.ptr<f32>>
      %808 = tt.expand_dims %143 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %809 = tt.expand_dims %776 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %810 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %811 = arith.muli %809, %810 : tensor<8x1xi32>
      %812 = tt.broadcast %808 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %813 = tt.broadcast %811 : tensor<8x1xi32> -> tensor<8x8xi32>
      %814 = tt.addptr %812, %813 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %815 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %816 = tt.expand_dims %778 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %817 = tt.broadcast %815 : tensor<1x8xi1> -> tensor<8x8xi1>
      %818 = tt.broadcast %816 : tensor<8x1xi1> -> tensor<8x8xi1>
      %819 = arith.andi %817, %818 : tensor<8x8xi1>
      %820 = tt.splat %465 : bf16 -> tensor<8x8xbf16>
      %821 = tt.load %814, %819, %820 : tensor<8x8x!tt.ptr<bf16>>
      %822 = arith.extf %821 : tensor<8x8xbf16> to tensor<8x8xf32>
      %823 = tt.trans %822 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %824 = tt.reshape %823 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %825:2 = tt.split %824 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %827 = tt.reshape %825#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %828:2 = tt.split %827 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %830 = tt.reshape %825#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %831:2 = tt.split %830 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %833 = tt.reshape %828#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %834:2 = tt.split %833 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %836 = tt.reshape %831#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %837:2 = tt.split %836 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %839 = tt.reshape %828#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %840:2 = tt.split %839 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %842 = tt.reshape %831#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %843:2 = tt.split %842 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %845 = tt.reshape %834#0 : tensor<8x1xf32> -> tensor<8xf32>
      %846 = tt.reshape %837#0 : tensor<8x1xf32> -> tensor<8xf32>
      %847 = tt.reshape %840#0 : tensor<8x1xf32> -> tensor<8xf32>
      %848 = tt.reshape %843#0 : tensor<8x1xf32> -> tensor<8xf32>
      %849 = tt.reshape %834#1 : tensor<8x1xf32> -> tensor<8xf32>
      %850 = tt.reshape %837#1 : tensor<8x1xf32> -> tensor<8xf32>
      %851 = tt.reshape %840#1 : tensor<8x1xf32> -> tensor<8xf32>
      %852 = tt.reshape %843#1 : tensor<8x1xf32> -> tensor<8xf32>
      %853 = tt.trans %793 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %854 = tt.reshape %853 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %855:2 = tt.split %854 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %857 = tt.reshape %855#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %858:2 = tt.split %857 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %860 = tt.reshape %855#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %861:2 = tt.split %860 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %863 = tt.reshape %858#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %864:2 = tt.split %863 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %866 = tt.reshape %861#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %867:2 = tt.split %866 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %869 = tt.reshape %858#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %870:2 = tt.split %869 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %872 = tt.reshape %861#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %873:2 = tt.split %872 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %875 = tt.reshape %864#0 : tensor<8x1xf32> -> tensor<8xf32>
      %876 = tt.reshape %867#0 : tensor<8x1xf32> -> tensor<8xf32>
      %877 = tt.reshape %870#0 : tensor<8x1xf32> -> tensor<8xf32>
      %878 = tt.reshape %873#0 : tensor<8x1xf32> -> tensor<8xf32>
      %879 = tt.reshape %864#1 : tensor<8x1xf32> -> tensor<8xf32>
      %880 = tt.reshape %867#1 : tensor<8x1xf32> -> tensor<8xf32>
      %881 = tt.reshape %870#1 : tensor<8x1xf32> -> tensor<8xf32>
      %882 = tt.reshape %873#1 : tensor<8x1xf32> -> tensor<8xf32>
      %883 = tt.trans %807 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %884 = tt.reshape %883 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %885:2 = tt.split %884 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %887 = tt.reshape %885#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %888:2 = tt.split %887 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %890 = tt.reshape %885#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %891:2 = tt.split %890 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %893 = tt.reshape %888#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %894:2 = tt.split %893 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %896 = tt.reshape %891#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %897:2 = tt.split %896 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %899 = tt.reshape %888#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %900:2 = tt.split %899 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %902 = tt.reshape %891#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %903:2 = tt.split %902 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %905 = tt.reshape %894#0 : tensor<8x1xf32> -> tensor<8xf32>
      %906 = tt.reshape %897#0 : tensor<8x1xf32> -> tensor<8xf32>
      %907 = tt.reshape %900#0 : tensor<8x1xf32> -> tensor<8xf32>
      %908 = tt.reshape %903#0 : tensor<8x1xf32> -> tensor<8xf32>
      %909 = tt.reshape %894#1 : tensor<8x1xf32> -> tensor<8xf32>
      %910 = tt.reshape %897#1 : tensor<8x1xf32> -> tensor<8xf32>
      %911 = tt.reshape %900#1 : tensor<8x1xf32> -> tensor<8xf32>
      %912 = tt.reshape %903#1 : tensor<8x1xf32> -> tensor<8xf32>
      %913 = tt.expand_dims %905 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %914 = tt.expand_dims %913 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %915 = tt.broadcast %914 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %916 = arith.mulf %915, %138 : tensor<1x4x8xf32>
      %917 = tt.expand_dims %416 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %918 = tt.expand_dims %917 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %919 = tt.broadcast %918 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %920 = arith.addf %916, %919 : tensor<1x4x8xf32>
      %921 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %920 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %922 = arith.mulf %875, %905 : tensor<8xf32>
      %923 = tt.expand_dims %922 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %924 = tt.expand_dims %923 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %925 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %926 = tt.broadcast %924 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %927 = tt.broadcast %925 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %928 = arith.mulf %926, %927 : tensor<1x4x8xf32>
      %929 = math.fma %921, %773, %928 : tensor<1x4x8xf32>
      %930 = tt.expand_dims %906 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %931 = tt.expand_dims %930 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %932 = tt.broadcast %931 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %933 = arith.mulf %932, %138 : tensor<1x4x8xf32>
      %934 = tt.expand_dims %417 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %935 = tt.expand_dims %934 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %936 = tt.broadcast %935 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %937 = arith.addf %933, %936 : tensor<1x4x8xf32>
      %938 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %937 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %939 = arith.mulf %876, %906 : tensor<8xf32>
      %940 = tt.expand_dims %939 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %941 = tt.expand_dims %940 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %942 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %943 = tt.broadcast %941 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %944 = tt.broadcast %942 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %945 = arith.mulf %943, %944 : tensor<1x4x8xf32>
      %946 = math.fma %938, %929, %945 : tensor<1x4x8xf32>
      %947 = tt.expand_dims %907 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %948 = tt.expand_dims %947 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %949 = tt.broadcast %948 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %950 = arith.mulf %949, %138 : tensor<1x4x8xf32>
      %951 = tt.expand_dims %418 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %952 = tt.expand_dims %951 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %953 = tt.broadcast %952 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %954 = arith.addf %950, %953 : tensor<1x4x8xf32>
      %955 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %954 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %956 = arith.mulf %877, %907 : tensor<8xf32>
      %957 = tt.expand_dims %956 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %958 = tt.expand_dims %957 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %959 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %960 = tt.broadcast %958 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %961 = tt.broadcast %959 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %962 = arith.mulf %960, %961 : tensor<1x4x8xf32>
      %963 = math.fma %955, %946, %962 : tensor<1x4x8xf32>
      %964 = tt.expand_dims %908 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %965 = tt.expand_dims %964 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %966 = tt.broadcast %965 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %967 = arith.mulf %966, %138 : tensor<1x4x8xf32>
      %968 = tt.expand_dims %419 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %969 = tt.expand_dims %968 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %970 = tt.broadcast %969 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %971 = arith.addf %967, %970 : tensor<1x4x8xf32>
      %972 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %971 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %973 = arith.mulf %878, %908 : tensor<8xf32>
      %974 = tt.expand_dims %973 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %975 = tt.expand_dims %974 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %976 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %977 = tt.broadcast %975 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %978 = tt.broadcast %976 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %979 = arith.mulf %977, %978 : tensor<1x4x8xf32>
      %980 = math.fma %972, %963, %979 : tensor<1x4x8xf32>
      %981 = tt.expand_dims %909 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %982 = tt.expand_dims %981 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %983 = tt.broadcast %982 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %984 = arith.mulf %983, %138 : tensor<1x4x8xf32>
      %985 = tt.expand_dims %420 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %986 = tt.expand_dims %985 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %987 = tt.broadcast %986 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %988 = arith.addf %984, %987 : tensor<1x4x8xf32>
      %989 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %988 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %990 = arith.mulf %879, %909 : tensor<8xf32>
      %991 = tt.expand_dims %990 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %992 = tt.expand_dims %991 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %993 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %994 = tt.broadcast %992 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %995 = tt.broadcast %993 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %996 = arith.mulf %994, %995 : tensor<1x4x8xf32>
      %997 = math.fma %989, %980, %996 : tensor<1x4x8xf32>
      %998 = tt.expand_dims %910 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %999 = tt.expand_dims %998 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1000 = tt.broadcast %999 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1001 = arith.mulf %1000, %138 : tensor<1x4x8xf32>
      %1002 = tt.expand_dims %421 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %1003 = tt.expand_dims %1002 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %1004 = tt.broadcast %1003 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %1005 = arith.addf %1001, %1004 : tensor<1x4x8xf32>
      %1006 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1005 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1007 = arith.mulf %880, %910 : tensor<8xf32>
      %1008 = tt.expand_dims %1007 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1009 = tt.expand_dims %1008 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1010 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1011 = tt.broadcast %1009 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1012 = tt.broadcast %1010 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1013 = arith.mulf %1011, %1012 : tensor<1x4x8xf32>
      %1014 = math.fma %1006, %997, %1013 : tensor<1x4x8xf32>
      %1015 = tt.expand_dims %911 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1016 = tt.expand_dims %1015 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1017 = tt.broadcast %1016 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1018 = arith.mulf %1017, %138 : tensor<1x4x8xf32>
      %1019 = tt.expand_dims %422 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %1020 = tt.expand_dims %1019 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %1021 = tt.broadcast %1020 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %1022 = arith.addf %1018, %1021 : tensor<1x4x8xf32>
      %1023 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1022 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1024 = arith.mulf %881, %911 : tensor<8xf32>
      %1025 = tt.expand_dims %1024 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1026 = tt.expand_dims %1025 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1027 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1028 = tt.broadcast %1026 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1029 = tt.broadcast %1027 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1030 = arith.mulf %1028, %1029 : tensor<1x4x8xf32>
      %1031 = math.fma %1023, %1014, %1030 : tensor<1x4x8xf32>
      %1032 = tt.expand_dims %912 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1033 = tt.expand_dims %1032 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1034 = tt.broadcast %1033 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1035 = arith.mulf %1034, %138 : tensor<1x4x8xf32>
      %1036 = tt.expand_dims %423 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %1037 = tt.expand_dims %1036 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %1038 = tt.broadcast %1037 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %1039 = arith.addf %1035, %1038 : tensor<1x4x8xf32>
      %1040 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1039 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1041 = arith.mulf %882, %912 : tensor<8xf32>
      %1042 = tt.expand_dims %1041 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1043 = tt.expand_dims %1042 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1044 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1045 = tt.broadcast %1043 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1046 = tt.broadcast %1044 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1047 = arith.mulf %1045, %1046 : tensor<1x4x8xf32>
      %1048 = math.fma %1040, %1031, %1047 : tensor<1x4x8xf32>
      %1049 = tt.reshape %793 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %1050 = tt.trans %1049 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %1051 = tt.reshape %1050 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %1052:2 = tt.split %1051 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %1054 = tt.reshape %1052#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1055 = tt.reshape %1052#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1056 = tt.reshape %807 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %1057 = tt.trans %1056 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %1058 = tt.reshape %1057 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %1059:2 = tt.split %1058 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %1061 = tt.reshape %1059#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1062 = tt.reshape %1059#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1063 = arith.addi %238, %19 : i32
      %1064 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1065 = tt.splat %1063 : i32 -> tensor<4xi32>
      %1066 = arith.addi %1065, %1064 : tensor<4xi32>
      %1067 = tt.splat %242 : i32 -> tensor<4xi32>
      %1068 = arith.cmpi slt, %1066, %1067 : tensor<4xi32>
      %1069 = arith.addi %238, %744 : i32
      %1070 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1071 = tt.splat %1069 : i32 -> tensor<4xi32>
      %1072 = arith.addi %1071, %1070 : tensor<4xi32>
      %1073 = tt.splat %242 : i32 -> tensor<4xi32>
      %1074 = arith.cmpi slt, %1072, %1073 : tensor<4xi32>
      %1075 = tt.expand_dims %527 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1076 = tt.expand_dims %1075 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1077 = tt.expand_dims %374 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1078 = tt.broadcast %1076 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1079 = tt.broadcast %1077 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1080 = math.fma %1078, %1079, %227 : tensor<1x4x8xf32>
      %1081 = arith.mulf %1080, %715 : tensor<1x4x8xf32>
      %1082 = arith.mulf %1081, %706 : tensor<1x4x8xf32>
      %1083 = tt.expand_dims %587 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1084 = tt.expand_dims %1083 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1085 = tt.broadcast %1084 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1086 = math.fma %1085, %1082, %202 : tensor<1x4x8xf32>
      %1087 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1088 = tt.broadcast %1087 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1089 = arith.mulf %1080, %1088 : tensor<1x4x8xf32>
      %1093 = "tt.reduce"(%1089) <{axis = 0 : i32}> ({
      ^bb0(%1090: f32, %1091: f32):
        %1092 = arith.addf %1090, %1091 : f32
        tt.reduce.return %1092 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1094 = arith.mulf %1082, %72 : tensor<1x4x8xf32>
      %1098 = "tt.reduce"(%1094) <{axis = 0 : i32}> ({
      ^bb0(%1095: f32, %1096: f32):
        %1097 = arith.addf %1095, %1096 : f32
        tt.reduce.return %1097 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1099 = arith.mulf %557, %587 : tensor<8xf32>
      %1100 = tt.expand_dims %1099 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1101 = tt.expand_dims %1100 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1102 = tt.broadcast %1101 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1103 = arith.mulf %1080, %1102 : tensor<1x4x8xf32>
      %1104 = tt.expand_dims %527 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1105 = tt.expand_dims %1104 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1106 = tt.broadcast %1105 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1107 = arith.mulf %723, %1106 : tensor<1x4x8xf32>
      %1108 = tt.expand_dims %852 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1109 = tt.expand_dims %1108 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1110 = tt.expand_dims %374 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1111 = tt.broadcast %1109 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1112 = tt.broadcast %1110 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1113 = math.fma %1111, %1112, %229 : tensor<1x4x8xf32>
      %1114 = arith.mulf %1113, %1040 : tensor<1x4x8xf32>
      %1115 = arith.mulf %1114, %1031 : tensor<1x4x8xf32>
      %1116 = tt.expand_dims %912 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1117 = tt.expand_dims %1116 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1118 = tt.broadcast %1117 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1119 = math.fma %1118, %1115, %202 : tensor<1x4x8xf32>
      %1120 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1121 = tt.broadcast %1120 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1122 = arith.mulf %1113, %1121 : tensor<1x4x8xf32>
      %1126 = "tt.reduce"(%1122) <{axis = 0 : i32}> ({
      ^bb0(%1123: f32, %1124: f32):
        %1125 = arith.addf %1123, %1124 : f32
        tt.reduce.return %1125 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1127 = arith.mulf %1115, %138 : tensor<1x4x8xf32>
      %1131 = "tt.reduce"(%1127) <{axis = 0 : i32}> ({
      ^bb0(%1128: f32, %1129: f32):
        %1130 = arith.addf %1128, %1129 : f32
        tt.reduce.return %1130 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1132 = arith.mulf %882, %912 : tensor<8xf32>
      %1133 = tt.expand_dims %1132 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1134 = tt.expand_dims %1133 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1135 = tt.broadcast %1134 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1136 = arith.mulf %1113, %1135 : tensor<1x4x8xf32>
      %1137 = tt.expand_dims %852 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1138 = tt.expand_dims %1137 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1139 = tt.broadcast %1138 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1140 = arith.mulf %1048, %1139 : tensor<1x4x8xf32>
      %1141 = arith.addf %1103, %1136 : tensor<1x4x8xf32>
      %1142 = arith.addf %1107, %1140 : tensor<1x4x8xf32>
      %1143 = tt.expand_dims %526 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1144 = tt.expand_dims %1143 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1145 = tt.expand_dims %372 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1146 = tt.broadcast %1144 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1147 = tt.broadcast %1145 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1148 = math.fma %1146, %1147, %1081 : tensor<1x4x8xf32>
      %1149 = arith.mulf %1148, %698 : tensor<1x4x8xf32>
      %1150 = arith.mulf %1149, %689 : tensor<1x4x8xf32>
      %1151 = tt.expand_dims %586 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1152 = tt.expand_dims %1151 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1153 = tt.broadcast %1152 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1154 = math.fma %1153, %1150, %1086 : tensor<1x4x8xf32>
      %1155 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1156 = tt.broadcast %1155 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1157 = arith.mulf %1148, %1156 : tensor<1x4x8xf32>
      %1161 = "tt.reduce"(%1157) <{axis = 0 : i32}> ({
      ^bb0(%1158: f32, %1159: f32):
        %1160 = arith.addf %1158, %1159 : f32
        tt.reduce.return %1160 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1162 = tt.reshape %1161 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1166 = "tt.reduce"(%1162) <{axis = 1 : i32}> ({
      ^bb0(%1163: f32, %1164: f32):
        %1165 = arith.addf %1163, %1164 : f32
        tt.reduce.return %1165 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1167 = tt.expand_dims %1166 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1168 = tt.reshape %1093 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1172 = "tt.reduce"(%1168) <{axis = 1 : i32}> ({
      ^bb0(%1169: f32, %1170: f32):
        %1171 = arith.addf %1169, %1170 : f32
        tt.reduce.return %1171 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1173 = tt.expand_dims %1172 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1174 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1175 = tt.reshape %1174 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1176 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1177 = arith.cmpi eq, %1175, %1176 : tensor<1x2x1x1xi32>
      %1178 = tt.broadcast %1177 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1179 = tt.broadcast %1173 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1180 = tt.broadcast %1167 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1181 = arith.select %1178, %1179, %1180 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1182 = tt.reshape %1181 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1183 = arith.mulf %1150, %72 : tensor<1x4x8xf32>
      %1187 = "tt.reduce"(%1183) <{axis = 0 : i32}> ({
      ^bb0(%1184: f32, %1185: f32):
        %1186 = arith.addf %1184, %1185 : f32
        tt.reduce.return %1186 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1188 = tt.reshape %1187 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1192 = "tt.reduce"(%1188) <{axis = 1 : i32}> ({
      ^bb0(%1189: f32, %1190: f32):
        %1191 = arith.addf %1189, %1190 : f32
        tt.reduce.return %1191 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1193 = tt.expand_dims %1192 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1194 = tt.reshape %1098 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1198 = "tt.reduce"(%1194) <{axis = 1 : i32}> ({
      ^bb0(%1195: f32, %1196: f32):
        %1197 = arith.addf %1195, %1196 : f32
        tt.reduce.return %1197 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1199 = tt.expand_dims %1198 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1200 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1201 = tt.reshape %1200 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1202 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1203 = arith.cmpi eq, %1201, %1202 : tensor<1x2x1x1xi32>
      %1204 = tt.broadcast %1203 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1205 = tt.broadcast %1199 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1206 = tt.broadcast %1193 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1207 = arith.select %1204, %1205, %1206 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1208 = tt.reshape %1207 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1209 = arith.mulf %556, %586 : tensor<8xf32>
      %1210 = tt.expand_dims %1209 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1211 = tt.expand_dims %1210 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1212 = tt.broadcast %1211 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1213 = arith.mulf %1148, %1212 : tensor<1x4x8xf32>
      %1214 = tt.expand_dims %526 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1215 = tt.expand_dims %1214 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1216 = tt.broadcast %1215 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1217 = arith.mulf %706, %1216 : tensor<1x4x8xf32>
      %1218 = tt.expand_dims %851 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1219 = tt.expand_dims %1218 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1220 = tt.expand_dims %372 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1221 = tt.broadcast %1219 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1222 = tt.broadcast %1220 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1223 = math.fma %1221, %1222, %1114 : tensor<1x4x8xf32>
      %1224 = arith.mulf %1223, %1023 : tensor<1x4x8xf32>
      %1225 = arith.mulf %1224, %1014 : tensor<1x4x8xf32>
      %1226 = tt.expand_dims %911 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1227 = tt.expand_dims %1226 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1228 = tt.broadcast %1227 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1229 = math.fma %1228, %1225, %1119 : tensor<1x4x8xf32>
      %1230 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1231 = tt.broadcast %1230 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1232 = arith.mulf %1223, %1231 : tensor<1x4x8xf32>
      %1236 = "tt.reduce"(%1232) <{axis = 0 : i32}> ({
      ^bb0(%1233: f32, %1234: f32):
        %1235 = arith.addf %1233, %1234 : f32
        tt.reduce.return %1235 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1237 = tt.reshape %1236 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1241 = "tt.reduce"(%1237) <{axis = 1 : i32}> ({
      ^bb0(%1238: f32, %1239: f32):
        %1240 = arith.addf %1238, %1239 : f32
        tt.reduce.return %1240 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1242 = tt.expand_dims %1241 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1243 = tt.reshape %1126 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1247 = "tt.reduce"(%1243) <{axis = 1 : i32}> ({
      ^bb0(%1244: f32, %1245: f32):
        %1246 = arith.addf %1244, %1245 : f32
        tt.reduce.return %1246 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1248 = tt.expand_dims %1247 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1249 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1250 = tt.reshape %1249 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1251 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1252 = arith.cmpi eq, %1250, %1251 : tensor<1x2x1x1xi32>
      %1253 = tt.broadcast %1252 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1254 = tt.broadcast %1248 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1255 = tt.broadcast %1242 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1256 = arith.select %1253, %1254, %1255 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1257 = tt.reshape %1256 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1258 = arith.mulf %1225, %138 : tensor<1x4x8xf32>
      %1262 = "tt.reduce"(%1258) <{axis = 0 : i32}> ({
      ^bb0(%1259: f32, %1260: f32):
        %1261 = arith.addf %1259, %1260 : f32
        tt.reduce.return %1261 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1263 = tt.reshape %1262 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1267 = "tt.reduce"(%1263) <{axis = 1 : i32}> ({
      ^bb0(%1264: f32, %1265: f32):
        %1266 = arith.addf %1264, %1265 : f32
        tt.reduce.return %1266 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1268 = tt.expand_dims %1267 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1269 = tt.reshape %1131 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1273 = "tt.reduce"(%1269) <{axis = 1 : i32}> ({
      ^bb0(%1270: f32, %1271: f32):
        %1272 = arith.addf %1270, %1271 : f32
        tt.reduce.return %1272 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1274 = tt.expand_dims %1273 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1275 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1276 = tt.reshape %1275 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1277 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1278 = arith.cmpi eq, %1276, %1277 : tensor<1x2x1x1xi32>
      %1279 = tt.broadcast %1278 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1280 = tt.broadcast %1274 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1281 = tt.broadcast %1268 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1282 = arith.select %1279, %1280, %1281 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1283 = tt.reshape %1282 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1284 = arith.mulf %881, %911 : tensor<8xf32>
      %1285 = tt.expand_dims %1284 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1286 = tt.expand_dims %1285 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1287 = tt.broadcast %1286 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1288 = arith.mulf %1223, %1287 : tensor<1x4x8xf32>
      %1289 = tt.expand_dims %851 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1290 = tt.expand_dims %1289 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1291 = tt.broadcast %1290 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1292 = arith.mulf %1031, %1291 : tensor<1x4x8xf32>
      %1293 = arith.addf %1213, %1288 : tensor<1x4x8xf32>
      %1294 = arith.addf %1217, %1292 : tensor<1x4x8xf32>
      %1295 = tt.reshape %1293 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1299 = "tt.reduce"(%1295) <{axis = 3 : i32}> ({
      ^bb0(%1296: f32, %1297: f32):
        %1298 = arith.addf %1296, %1297 : f32
        tt.reduce.return %1298 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1300 = tt.expand_dims %1299 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1301 = tt.reshape %1141 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1305 = "tt.reduce"(%1301) <{axis = 3 : i32}> ({
      ^bb0(%1302: f32, %1303: f32):
        %1304 = arith.addf %1302, %1303 : f32
        tt.reduce.return %1304 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1306 = tt.expand_dims %1305 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1307 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1308 = tt.reshape %1307 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1309 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1310 = arith.cmpi eq, %1308, %1309 : tensor<1x1x1x2x1xi32>
      %1311 = tt.broadcast %1310 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1312 = tt.broadcast %1306 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1313 = tt.broadcast %1300 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1314 = arith.select %1311, %1312, %1313 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1315 = tt.reshape %1314 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1316 = tt.reshape %1294 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1320 = "tt.reduce"(%1316) <{axis = 3 : i32}> ({
      ^bb0(%1317: f32, %1318: f32):
        %1319 = arith.addf %1317, %1318 : f32
        tt.reduce.return %1319 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1321 = tt.expand_dims %1320 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1322 = tt.reshape %1142 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1326 = "tt.reduce"(%1322) <{axis = 3 : i32}> ({
      ^bb0(%1323: f32, %1324: f32):
        %1325 = arith.addf %1323, %1324 : f32
        tt.reduce.return %1325 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1327 = tt.expand_dims %1326 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1328 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1329 = tt.reshape %1328 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1330 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1331 = arith.cmpi eq, %1329, %1330 : tensor<1x1x1x2x1xi32>
      %1332 = tt.broadcast %1331 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1333 = tt.broadcast %1327 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1334 = tt.broadcast %1321 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1335 = arith.select %1332, %1333, %1334 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1336 = tt.reshape %1335 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1337 = tt.expand_dims %525 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1338 = tt.expand_dims %1337 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1339 = tt.expand_dims %370 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1340 = tt.broadcast %1338 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1341 = tt.broadcast %1339 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1342 = math.fma %1340, %1341, %1149 : tensor<1x4x8xf32>
      %1343 = arith.mulf %1342, %681 : tensor<1x4x8xf32>
      %1344 = arith.mulf %1343, %672 : tensor<1x4x8xf32>
      %1345 = tt.expand_dims %585 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1346 = tt.expand_dims %1345 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1347 = tt.broadcast %1346 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1348 = math.fma %1347, %1344, %1154 : tensor<1x4x8xf32>
      %1349 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1350 = tt.broadcast %1349 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1351 = arith.mulf %1342, %1350 : tensor<1x4x8xf32>
      %1355 = "tt.reduce"(%1351) <{axis = 0 : i32}> ({
      ^bb0(%1352: f32, %1353: f32):
        %1354 = arith.addf %1352, %1353 : f32
        tt.reduce.return %1354 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1356 = arith.mulf %1344, %72 : tensor<1x4x8xf32>
      %1360 = "tt.reduce"(%1356) <{axis = 0 : i32}> ({
      ^bb0(%1357: f32, %1358: f32):
        %1359 = arith.addf %1357, %1358 : f32
        tt.reduce.return %1359 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1361 = arith.mulf %555, %585 : tensor<8xf32>
      %1362 = tt.expand_dims %1361 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1363 = tt.expand_dims %1362 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1364 = tt.broadcast %1363 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1365 = arith.mulf %1342, %1364 : tensor<1x4x8xf32>
      %1366 = tt.expand_dims %525 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1367 = tt.expand_dims %1366 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1368 = tt.broadcast %1367 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1369 = arith.mulf %689, %1368 : tensor<1x4x8xf32>
      %1370 = tt.expand_dims %850 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1371 = tt.expand_dims %1370 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1372 = tt.expand_dims %370 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1373 = tt.broadcast %1371 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1374 = tt.broadcast %1372 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1375 = math.fma %1373, %1374, %1224 : tensor<1x4x8xf32>
      %1376 = arith.mulf %1375, %1006 : tensor<1x4x8xf32>
      %1377 = arith.mulf %1376, %997 : tensor<1x4x8xf32>
      %1378 = tt.expand_dims %910 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1379 = tt.expand_dims %1378 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1380 = tt.broadcast %1379 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1381 = math.fma %1380, %1377, %1229 : tensor<1x4x8xf32>
      %1382 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1383 = tt.broadcast %1382 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1384 = arith.mulf %1375, %1383 : tensor<1x4x8xf32>
      %1388 = "tt.reduce"(%1384) <{axis = 0 : i32}> ({
      ^bb0(%1385: f32, %1386: f32):
        %1387 = arith.addf %1385, %1386 : f32
        tt.reduce.return %1387 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1389 = arith.mulf %1377, %138 : tensor<1x4x8xf32>
      %1393 = "tt.reduce"(%1389) <{axis = 0 : i32}> ({
      ^bb0(%1390: f32, %1391: f32):
        %1392 = arith.addf %1390, %1391 : f32
        tt.reduce.return %1392 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1394 = arith.mulf %880, %910 : tensor<8xf32>
      %1395 = tt.expand_dims %1394 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1396 = tt.expand_dims %1395 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1397 = tt.broadcast %1396 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1398 = arith.mulf %1375, %1397 : tensor<1x4x8xf32>
      %1399 = tt.expand_dims %850 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1400 = tt.expand_dims %1399 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1401 = tt.broadcast %1400 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1402 = arith.mulf %1014, %1401 : tensor<1x4x8xf32>
      %1403 = arith.addf %1365, %1398 : tensor<1x4x8xf32>
      %1404 = arith.addf %1369, %1402 : tensor<1x4x8xf32>
      %1405 = tt.expand_dims %524 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1406 = tt.expand_dims %1405 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1407 = tt.expand_dims %368 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1408 = tt.broadcast %1406 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1409 = tt.broadcast %1407 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1410 = math.fma %1408, %1409, %1343 : tensor<1x4x8xf32>
      %1411 = arith.mulf %1410, %664 : tensor<1x4x8xf32>
      %1412 = arith.mulf %1411, %655 : tensor<1x4x8xf32>
      %1413 = tt.expand_dims %584 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1414 = tt.expand_dims %1413 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1415 = tt.broadcast %1414 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1416 = math.fma %1415, %1412, %1348 : tensor<1x4x8xf32>
      %1417 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1418 = tt.broadcast %1417 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1419 = arith.mulf %1410, %1418 : tensor<1x4x8xf32>
      %1423 = "tt.reduce"(%1419) <{axis = 0 : i32}> ({
      ^bb0(%1420: f32, %1421: f32):
        %1422 = arith.addf %1420, %1421 : f32
        tt.reduce.return %1422 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1424 = tt.reshape %1423 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1428 = "tt.reduce"(%1424) <{axis = 1 : i32}> ({
      ^bb0(%1425: f32, %1426: f32):
        %1427 = arith.addf %1425, %1426 : f32
        tt.reduce.return %1427 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1429 = tt.expand_dims %1428 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1430 = tt.reshape %1355 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1434 = "tt.reduce"(%1430) <{axis = 1 : i32}> ({
      ^bb0(%1431: f32, %1432: f32):
        %1433 = arith.addf %1431, %1432 : f32
        tt.reduce.return %1433 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1435 = tt.expand_dims %1434 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1436 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1437 = tt.reshape %1436 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1438 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1439 = arith.cmpi eq, %1437, %1438 : tensor<1x2x1x1xi32>
      %1440 = tt.broadcast %1439 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1441 = tt.broadcast %1435 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1442 = tt.broadcast %1429 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1443 = arith.select %1440, %1441, %1442 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1444 = tt.reshape %1443 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1445 = tt.reshape %1444 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1449 = "tt.reduce"(%1445) <{axis = 1 : i32}> ({
      ^bb0(%1446: f32, %1447: f32):
        %1448 = arith.addf %1446, %1447 : f32
        tt.reduce.return %1448 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1450 = tt.expand_dims %1449 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1451 = tt.reshape %1182 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1455 = "tt.reduce"(%1451) <{axis = 1 : i32}> ({
      ^bb0(%1452: f32, %1453: f32):
        %1454 = arith.addf %1452, %1453 : f32
        tt.reduce.return %1454 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1456 = tt.expand_dims %1455 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1457 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1458 = tt.reshape %1457 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1459 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1460 = arith.cmpi eq, %1458, %1459 : tensor<1x2x1x1xi32>
      %1461 = tt.broadcast %1460 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1462 = tt.broadcast %1456 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1463 = tt.broadcast %1450 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1464 = arith.select %1461, %1462, %1463 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1465 = tt.reshape %1464 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1466 = arith.mulf %1412, %72 : tensor<1x4x8xf32>
      %1470 = "tt.reduce"(%1466) <{axis = 0 : i32}> ({
      ^bb0(%1467: f32, %1468: f32):
        %1469 = arith.addf %1467, %1468 : f32
        tt.reduce.return %1469 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1471 = tt.reshape %1470 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1475 = "tt.reduce"(%1471) <{axis = 1 : i32}> ({
      ^bb0(%1472: f32, %1473: f32):
        %1474 = arith.addf %1472, %1473 : f32
        tt.reduce.return %1474 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1476 = tt.expand_dims %1475 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1477 = tt.reshape %1360 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1481 = "tt.reduce"(%1477) <{axis = 1 : i32}> ({
      ^bb0(%1478: f32, %1479: f32):
        %1480 = arith.addf %1478, %1479 : f32
        tt.reduce.return %1480 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1482 = tt.expand_dims %1481 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1483 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1484 = tt.reshape %1483 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1485 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1486 = arith.cmpi eq, %1484, %1485 : tensor<1x2x1x1xi32>
      %1487 = tt.broadcast %1486 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1488 = tt.broadcast %1482 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1489 = tt.broadcast %1476 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1490 = arith.select %1487, %1488, %1489 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1491 = tt.reshape %1490 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1492 = tt.reshape %1491 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1496 = "tt.reduce"(%1492) <{axis = 1 : i32}> ({
      ^bb0(%1493: f32, %1494: f32):
        %1495 = arith.addf %1493, %1494 : f32
        tt.reduce.return %1495 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1497 = tt.expand_dims %1496 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1498 = tt.reshape %1208 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1502 = "tt.reduce"(%1498) <{axis = 1 : i32}> ({
      ^bb0(%1499: f32, %1500: f32):
        %1501 = arith.addf %1499, %1500 : f32
        tt.reduce.return %1501 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1503 = tt.expand_dims %1502 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1504 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1505 = tt.reshape %1504 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1506 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1507 = arith.cmpi eq, %1505, %1506 : tensor<1x2x1x1xi32>
      %1508 = tt.broadcast %1507 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1509 = tt.broadcast %1503 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1510 = tt.broadcast %1497 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1511 = arith.select %1508, %1509, %1510 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1512 = tt.reshape %1511 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1513 = arith.mulf %1465, %737 : tensor<4x8xf32>
      %1514 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1515 = tt.expand_dims %748 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1516 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1517 = arith.muli %1515, %1516 : tensor<4x1xi32>
      %1518 = tt.broadcast %1514 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1519 = tt.broadcast %1517 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1520 = tt.addptr %1518, %1519 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1521 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1522 = tt.expand_dims %750 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1523 = tt.broadcast %1521 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1524 = tt.broadcast %1522 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1525 = arith.andi %1523, %1524 : tensor<4x8xi1>
      %1526 = arith.truncf %1513 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1520, %1526, %1525 : tensor<4x8x!tt.ptr<bf16>>
      %1528 = tt.splat %1527 : f32 -> tensor<4x8xf32>
      %1529 = arith.mulf %1512, %1528 : tensor<4x8xf32>
      %1530 = math.fma %730, %1465, %1529 : tensor<4x8xf32>
      %1531 = tt.expand_dims %87 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1532 = tt.expand_dims %748 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1533 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1534 = arith.muli %1532, %1533 : tensor<4x1xi32>
      %1535 = tt.broadcast %1531 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1536 = tt.broadcast %1534 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1537 = tt.addptr %1535, %1536 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1538 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1539 = tt.expand_dims %750 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1540 = tt.broadcast %1538 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1541 = tt.broadcast %1539 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1542 = arith.andi %1540, %1541 : tensor<4x8xi1>
      tt.store %1537, %1530, %1542 : tensor<4x8x!tt.ptr<f32>>
      %1543 = arith.mulf %554, %584 : tensor<8xf32>
      %1544 = tt.expand_dims %1543 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1545 = tt.expand_dims %1544 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1546 = tt.broadcast %1545 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1547 = arith.mulf %1410, %1546 : tensor<1x4x8xf32>
      %1548 = tt.expand_dims %524 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1549 = tt.expand_dims %1548 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1550 = tt.broadcast %1549 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1551 = arith.mulf %672, %1550 : tensor<1x4x8xf32>
      %1552 = tt.expand_dims %849 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1553 = tt.expand_dims %1552 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1554 = tt.expand_dims %368 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1555 = tt.broadcast %1553 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1556 = tt.broadcast %1554 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1557 = math.fma %1555, %1556, %1376 : tensor<1x4x8xf32>
      %1558 = arith.mulf %1557, %989 : tensor<1x4x8xf32>
      %1559 = arith.mulf %1558, %980 : tensor<1x4x8xf32>
      %1560 = tt.expand_dims %909 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1561 = tt.expand_dims %1560 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1562 = tt.broadcast %1561 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1563 = math.fma %1562, %1559, %1381 : tensor<1x4x8xf32>
      %1564 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1565 = tt.broadcast %1564 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1566 = arith.mulf %1557, %1565 : tensor<1x4x8xf32>
      %1570 = "tt.reduce"(%1566) <{axis = 0 : i32}> ({
      ^bb0(%1567: f32, %1568: f32):
        %1569 = arith.addf %1567, %1568 : f32
        tt.reduce.return %1569 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1571 = tt.reshape %1570 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1575 = "tt.reduce"(%1571) <{axis = 1 : i32}> ({
      ^bb0(%1572: f32, %1573: f32):
        %1574 = arith.addf %1572, %1573 : f32
        tt.reduce.return %1574 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1576 = tt.expand_dims %1575 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1577 = tt.reshape %1388 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1581 = "tt.reduce"(%1577) <{axis = 1 : i32}> ({
      ^bb0(%1578: f32, %1579: f32):
        %1580 = arith.addf %1578, %1579 : f32
        tt.reduce.return %1580 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1582 = tt.expand_dims %1581 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1583 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1584 = tt.reshape %1583 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1585 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1586 = arith.cmpi eq, %1584, %1585 : tensor<1x2x1x1xi32>
      %1587 = tt.broadcast %1586 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1588 = tt.broadcast %1582 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1589 = tt.broadcast %1576 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1590 = arith.select %1587, %1588, %1589 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1591 = tt.reshape %1590 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1592 = tt.reshape %1591 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1596 = "tt.reduce"(%1592) <{axis = 1 : i32}> ({
      ^bb0(%1593: f32, %1594: f32):
        %1595 = arith.addf %1593, %1594 : f32
        tt.reduce.return %1595 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1597 = tt.expand_dims %1596 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1598 = tt.reshape %1257 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1602 = "tt.reduce"(%1598) <{axis = 1 : i32}> ({
      ^bb0(%1599: f32, %1600: f32):
        %1601 = arith.addf %1599, %1600 : f32
        tt.reduce.return %1601 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1603 = tt.expand_dims %1602 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1604 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1605 = tt.reshape %1604 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1606 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1607 = arith.cmpi eq, %1605, %1606 : tensor<1x2x1x1xi32>
      %1608 = tt.broadcast %1607 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1609 = tt.broadcast %1603 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1610 = tt.broadcast %1597 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1611 = arith.select %1608, %1609, %1610 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1612 = tt.reshape %1611 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1613 = arith.mulf %1559, %138 : tensor<1x4x8xf32>
      %1617 = "tt.reduce"(%1613) <{axis = 0 : i32}> ({
      ^bb0(%1614: f32, %1615: f32):
        %1616 = arith.addf %1614, %1615 : f32
        tt.reduce.return %1616 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1618 = tt.reshape %1617 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1622 = "tt.reduce"(%1618) <{axis = 1 : i32}> ({
      ^bb0(%1619: f32, %1620: f32):
        %1621 = arith.addf %1619, %1620 : f32
        tt.reduce.return %1621 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1623 = tt.expand_dims %1622 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1624 = tt.reshape %1393 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1628 = "tt.reduce"(%1624) <{axis = 1 : i32}> ({
      ^bb0(%1625: f32, %1626: f32):
        %1627 = arith.addf %1625, %1626 : f32
        tt.reduce.return %1627 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1629 = tt.expand_dims %1628 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1630 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1631 = tt.reshape %1630 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1632 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1633 = arith.cmpi eq, %1631, %1632 : tensor<1x2x1x1xi32>
      %1634 = tt.broadcast %1633 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1635 = tt.broadcast %1629 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1636 = tt.broadcast %1623 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1637 = arith.select %1634, %1635, %1636 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1638 = tt.reshape %1637 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1639 = tt.reshape %1638 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1643 = "tt.reduce"(%1639) <{axis = 1 : i32}> ({
      ^bb0(%1640: f32, %1641: f32):
        %1642 = arith.addf %1640, %1641 : f32
        tt.reduce.return %1642 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1644 = tt.expand_dims %1643 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1645 = tt.reshape %1283 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1649 = "tt.reduce"(%1645) <{axis = 1 : i32}> ({
      ^bb0(%1646: f32, %1647: f32):
        %1648 = arith.addf %1646, %1647 : f32
        tt.reduce.return %1648 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1650 = tt.expand_dims %1649 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1651 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1652 = tt.reshape %1651 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1653 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1654 = arith.cmpi eq, %1652, %1653 : tensor<1x2x1x1xi32>
      %1655 = tt.broadcast %1654 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1656 = tt.broadcast %1650 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1657 = tt.broadcast %1644 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1658 = arith.select %1655, %1656, %1657 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1659 = tt.reshape %1658 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1660 = arith.mulf %1612, %1062 : tensor<4x8xf32>
      %1661 = tt.expand_dims %148 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1662 = tt.expand_dims %1072 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1663 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1664 = arith.muli %1662, %1663 : tensor<4x1xi32>
      %1665 = tt.broadcast %1661 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1666 = tt.broadcast %1664 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1667 = tt.addptr %1665, %1666 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1668 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1669 = tt.expand_dims %1074 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1670 = tt.broadcast %1668 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1671 = tt.broadcast %1669 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1672 = arith.andi %1670, %1671 : tensor<4x8xi1>
      %1673 = arith.truncf %1660 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1667, %1673, %1672 : tensor<4x8x!tt.ptr<bf16>>
      %1674 = tt.splat %1527 : f32 -> tensor<4x8xf32>
      %1675 = arith.mulf %1659, %1674 : tensor<4x8xf32>
      %1676 = math.fma %1055, %1612, %1675 : tensor<4x8xf32>
      %1677 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1678 = tt.expand_dims %1072 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1679 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1680 = arith.muli %1678, %1679 : tensor<4x1xi32>
      %1681 = tt.broadcast %1677 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1682 = tt.broadcast %1680 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1683 = tt.addptr %1681, %1682 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1684 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1685 = tt.expand_dims %1074 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1686 = tt.broadcast %1684 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1687 = tt.broadcast %1685 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1688 = arith.andi %1686, %1687 : tensor<4x8xi1>
      tt.store %1683, %1676, %1688 : tensor<4x8x!tt.ptr<f32>>
      %1689 = arith.mulf %879, %909 : tensor<8xf32>
      %1690 = tt.expand_dims %1689 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1691 = tt.expand_dims %1690 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1692 = tt.broadcast %1691 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1693 = arith.mulf %1557, %1692 : tensor<1x4x8xf32>
      %1694 = tt.expand_dims %849 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1695 = tt.expand_dims %1694 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1696 = tt.broadcast %1695 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1697 = arith.mulf %997, %1696 : tensor<1x4x8xf32>
      %1698 = arith.addf %1547, %1693 : tensor<1x4x8xf32>
      %1699 = arith.addf %1551, %1697 : tensor<1x4x8xf32>
      %1700 = tt.reshape %1698 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1704 = "tt.reduce"(%1700) <{axis = 3 : i32}> ({
      ^bb0(%1701: f32, %1702: f32):
        %1703 = arith.addf %1701, %1702 : f32
        tt.reduce.return %1703 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1705 = tt.expand_dims %1704 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1706 = tt.reshape %1403 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1710 = "tt.reduce"(%1706) <{axis = 3 : i32}> ({
      ^bb0(%1707: f32, %1708: f32):
        %1709 = arith.addf %1707, %1708 : f32
        tt.reduce.return %1709 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1711 = tt.expand_dims %1710 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1712 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1713 = tt.reshape %1712 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1714 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1715 = arith.cmpi eq, %1713, %1714 : tensor<1x1x1x2x1xi32>
      %1716 = tt.broadcast %1715 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1717 = tt.broadcast %1711 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1718 = tt.broadcast %1705 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1719 = arith.select %1716, %1717, %1718 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1720 = tt.reshape %1719 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1721 = tt.reshape %1720 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1725 = "tt.reduce"(%1721) <{axis = 3 : i32}> ({
      ^bb0(%1722: f32, %1723: f32):
        %1724 = arith.addf %1722, %1723 : f32
        tt.reduce.return %1724 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1726 = tt.expand_dims %1725 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1727 = tt.reshape %1315 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1731 = "tt.reduce"(%1727) <{axis = 3 : i32}> ({
      ^bb0(%1728: f32, %1729: f32):
        %1730 = arith.addf %1728, %1729 : f32
        tt.reduce.return %1730 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1732 = tt.expand_dims %1731 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1733 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1734 = tt.reshape %1733 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1735 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1736 = arith.cmpi eq, %1734, %1735 : tensor<1x1x1x2x1xi32>
      %1737 = tt.broadcast %1736 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %1738 = tt.broadcast %1732 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1739 = tt.broadcast %1726 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1740 = arith.select %1737, %1738, %1739 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %1741 = tt.reshape %1740 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %1742 = tt.reshape %1699 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1746 = "tt.reduce"(%1742) <{axis = 3 : i32}> ({
      ^bb0(%1743: f32, %1744: f32):
        %1745 = arith.addf %1743, %1744 : f32
        tt.reduce.return %1745 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1747 = tt.expand_dims %1746 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1748 = tt.reshape %1404 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1752 = "tt.reduce"(%1748) <{axis = 3 : i32}> ({
      ^bb0(%1749: f32, %1750: f32):
        %1751 = arith.addf %1749, %1750 : f32
        tt.reduce.return %1751 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1753 = tt.expand_dims %1752 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1754 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1755 = tt.reshape %1754 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1756 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1757 = arith.cmpi eq, %1755, %1756 : tensor<1x1x1x2x1xi32>
      %1758 = tt.broadcast %1757 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1759 = tt.broadcast %1753 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1760 = tt.broadcast %1747 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1761 = arith.select %1758, %1759, %1760 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1762 = tt.reshape %1761 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1763 = tt.reshape %1762 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1767 = "tt.reduce"(%1763) <{axis = 3 : i32}> ({
      ^bb0(%1764: f32, %1765: f32):
        %1766 = arith.addf %1764, %1765 : f32
        tt.reduce.return %1766 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1768 = tt.expand_dims %1767 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1769 = tt.reshape %1336 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1773 = "tt.reduce"(%1769) <{axis = 3 : i32}> ({
      ^bb0(%1770: f32, %1771: f32):
        %1772 = arith.addf %1770, %1771 : f32
        tt.reduce.return %1772 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1774 = tt.expand_dims %1773 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1775 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1776 = tt.reshape %1775 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1777 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1778 = arith.cmpi eq, %1776, %1777 : tensor<1x1x1x2x1xi32>
      %1779 = tt.broadcast %1778 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %1780 = tt.broadcast %1774 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1781 = tt.broadcast %1768 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1782 = arith.select %1779, %1780, %1781 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %1783 = tt.reshape %1782 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %1784 = tt.expand_dims %523 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1785 = tt.expand_dims %1784 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1786 = tt.expand_dims %366 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1787 = tt.broadcast %1785 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1788 = tt.broadcast %1786 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1789 = math.fma %1787, %1788, %1411 : tensor<1x4x8xf32>
      %1790 = arith.mulf %1789, %647 : tensor<1x4x8xf32>
      %1791 = arith.mulf %1790, %638 : tensor<1x4x8xf32>
      %1792 = tt.expand_dims %583 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1793 = tt.expand_dims %1792 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1794 = tt.broadcast %1793 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1795 = math.fma %1794, %1791, %1416 : tensor<1x4x8xf32>
      %1796 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1797 = tt.broadcast %1796 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1798 = arith.mulf %1789, %1797 : tensor<1x4x8xf32>
      %1802 = "tt.reduce"(%1798) <{axis = 0 : i32}> ({
      ^bb0(%1799: f32, %1800: f32):
        %1801 = arith.addf %1799, %1800 : f32
        tt.reduce.return %1801 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1803 = arith.mulf %1791, %72 : tensor<1x4x8xf32>
      %1807 = "tt.reduce"(%1803) <{axis = 0 : i32}> ({
      ^bb0(%1804: f32, %1805: f32):
        %1806 = arith.addf %1804, %1805 : f32
        tt.reduce.return %1806 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1808 = arith.mulf %553, %583 : tensor<8xf32>
      %1809 = tt.expand_dims %1808 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1810 = tt.expand_dims %1809 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1811 = tt.broadcast %1810 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1812 = arith.mulf %1789, %1811 : tensor<1x4x8xf32>
      %1813 = tt.expand_dims %523 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1814 = tt.expand_dims %1813 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1815 = tt.broadcast %1814 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1816 = arith.mulf %655, %1815 : tensor<1x4x8xf32>
      %1817 = tt.expand_dims %848 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1818 = tt.expand_dims %1817 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1819 = tt.expand_dims %366 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1820 = tt.broadcast %1818 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1821 = tt.broadcast %1819 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1822 = math.fma %1820, %1821, %1558 : tensor<1x4x8xf32>
      %1823 = arith.mulf %1822, %972 : tensor<1x4x8xf32>
      %1824 = arith.mulf %1823, %963 : tensor<1x4x8xf32>
      %1825 = tt.expand_dims %908 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1826 = tt.expand_dims %1825 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1827 = tt.broadcast %1826 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1828 = math.fma %1827, %1824, %1563 : tensor<1x4x8xf32>
      %1829 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1830 = tt.broadcast %1829 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1831 = arith.mulf %1822, %1830 : tensor<1x4x8xf32>
      %1835 = "tt.reduce"(%1831) <{axis = 0 : i32}> ({
      ^bb0(%1832: f32, %1833: f32):
        %1834 = arith.addf %1832, %1833 : f32
        tt.reduce.return %1834 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1836 = arith.mulf %1824, %138 : tensor<1x4x8xf32>
      %1840 = "tt.reduce"(%1836) <{axis = 0 : i32}> ({
      ^bb0(%1837: f32, %1838: f32):
        %1839 = arith.addf %1837, %1838 : f32
        tt.reduce.return %1839 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1841 = arith.mulf %878, %908 : tensor<8xf32>
      %1842 = tt.expand_dims %1841 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1843 = tt.expand_dims %1842 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1844 = tt.broadcast %1843 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1845 = arith.mulf %1822, %1844 : tensor<1x4x8xf32>
      %1846 = tt.expand_dims %848 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1847 = tt.expand_dims %1846 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1848 = tt.broadcast %1847 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1849 = arith.mulf %980, %1848 : tensor<1x4x8xf32>
      %1850 = arith.addf %1812, %1845 : tensor<1x4x8xf32>
      %1851 = arith.addf %1816, %1849 : tensor<1x4x8xf32>
      %1852 = tt.expand_dims %522 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1853 = tt.expand_dims %1852 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1854 = tt.expand_dims %364 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1855 = tt.broadcast %1853 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1856 = tt.broadcast %1854 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1857 = math.fma %1855, %1856, %1790 : tensor<1x4x8xf32>
      %1858 = arith.mulf %1857, %630 : tensor<1x4x8xf32>
      %1859 = arith.mulf %1858, %621 : tensor<1x4x8xf32>
      %1860 = tt.expand_dims %582 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1861 = tt.expand_dims %1860 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1862 = tt.broadcast %1861 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1863 = math.fma %1862, %1859, %1795 : tensor<1x4x8xf32>
      %1864 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1865 = tt.broadcast %1864 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1866 = arith.mulf %1857, %1865 : tensor<1x4x8xf32>
      %1870 = "tt.reduce"(%1866) <{axis = 0 : i32}> ({
      ^bb0(%1867: f32, %1868: f32):
        %1869 = arith.addf %1867, %1868 : f32
        tt.reduce.return %1869 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1871 = tt.reshape %1870 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1875 = "tt.reduce"(%1871) <{axis = 1 : i32}> ({
      ^bb0(%1872: f32, %1873: f32):
        %1874 = arith.addf %1872, %1873 : f32
        tt.reduce.return %1874 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1876 = tt.expand_dims %1875 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1877 = tt.reshape %1802 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1881 = "tt.reduce"(%1877) <{axis = 1 : i32}> ({
      ^bb0(%1878: f32, %1879: f32):
        %1880 = arith.addf %1878, %1879 : f32
        tt.reduce.return %1880 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1882 = tt.expand_dims %1881 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1883 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1884 = tt.reshape %1883 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1885 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1886 = arith.cmpi eq, %1884, %1885 : tensor<1x2x1x1xi32>
      %1887 = tt.broadcast %1886 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1888 = tt.broadcast %1882 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1889 = tt.broadcast %1876 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1890 = arith.select %1887, %1888, %1889 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1891 = tt.reshape %1890 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1892 = arith.mulf %1859, %72 : tensor<1x4x8xf32>
      %1896 = "tt.reduce"(%1892) <{axis = 0 : i32}> ({
      ^bb0(%1893: f32, %1894: f32):
        %1895 = arith.addf %1893, %1894 : f32
        tt.reduce.return %1895 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1897 = tt.reshape %1896 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1901 = "tt.reduce"(%1897) <{axis = 1 : i32}> ({
      ^bb0(%1898: f32, %1899: f32):
        %1900 = arith.addf %1898, %1899 : f32
        tt.reduce.return %1900 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1902 = tt.expand_dims %1901 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1903 = tt.reshape %1807 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1907 = "tt.reduce"(%1903) <{axis = 1 : i32}> ({
      ^bb0(%1904: f32, %1905: f32):
        %1906 = arith.addf %1904, %1905 : f32
        tt.reduce.return %1906 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1908 = tt.expand_dims %1907 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1909 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1910 = tt.reshape %1909 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1911 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1912 = arith.cmpi eq, %1910, %1911 : tensor<1x2x1x1xi32>
      %1913 = tt.broadcast %1912 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1914 = tt.broadcast %1908 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1915 = tt.broadcast %1902 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1916 = arith.select %1913, %1914, %1915 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1917 = tt.reshape %1916 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1918 = arith.mulf %552, %582 : tensor<8xf32>
      %1919 = tt.expand_dims %1918 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1920 = tt.expand_dims %1919 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1921 = tt.broadcast %1920 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1922 = arith.mulf %1857, %1921 : tensor<1x4x8xf32>
      %1923 = tt.expand_dims %522 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1924 = tt.expand_dims %1923 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1925 = tt.broadcast %1924 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1926 = arith.mulf %638, %1925 : tensor<1x4x8xf32>
      %1927 = tt.expand_dims %847 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1928 = tt.expand_dims %1927 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1929 = tt.expand_dims %364 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1930 = tt.broadcast %1928 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1931 = tt.broadcast %1929 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1932 = math.fma %1930, %1931, %1823 : tensor<1x4x8xf32>
      %1933 = arith.mulf %1932, %955 : tensor<1x4x8xf32>
      %1934 = arith.mulf %1933, %946 : tensor<1x4x8xf32>
      %1935 = tt.expand_dims %907 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1936 = tt.expand_dims %1935 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1937 = tt.broadcast %1936 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1938 = math.fma %1937, %1934, %1828 : tensor<1x4x8xf32>
      %1939 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1940 = tt.broadcast %1939 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1941 = arith.mulf %1932, %1940 : tensor<1x4x8xf32>
      %1945 = "tt.reduce"(%1941) <{axis = 0 : i32}> ({
      ^bb0(%1942: f32, %1943: f32):
        %1944 = arith.addf %1942, %1943 : f32
        tt.reduce.return %1944 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1946 = tt.reshape %1945 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1950 = "tt.reduce"(%1946) <{axis = 1 : i32}> ({
      ^bb0(%1947: f32, %1948: f32):
        %1949 = arith.addf %1947, %1948 : f32
        tt.reduce.return %1949 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1951 = tt.expand_dims %1950 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1952 = tt.reshape %1835 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1956 = "tt.reduce"(%1952) <{axis = 1 : i32}> ({
      ^bb0(%1953: f32, %1954: f32):
        %1955 = arith.addf %1953, %1954 : f32
        tt.reduce.return %1955 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1957 = tt.expand_dims %1956 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1958 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1959 = tt.reshape %1958 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1960 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1961 = arith.cmpi eq, %1959, %1960 : tensor<1x2x1x1xi32>
      %1962 = tt.broadcast %1961 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1963 = tt.broadcast %1957 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1964 = tt.broadcast %1951 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1965 = arith.select %1962, %1963, %1964 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1966 = tt.reshape %1965 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1967 = arith.mulf %1934, %138 : tensor<1x4x8xf32>
      %1971 = "tt.reduce"(%1967) <{axis = 0 : i32}> ({
      ^bb0(%1968: f32, %1969: f32):
        %1970 = arith.addf %1968, %1969 : f32
        tt.reduce.return %1970 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1972 = tt.reshape %1971 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1976 = "tt.reduce"(%1972) <{axis = 1 : i32}> ({
      ^bb0(%1973: f32, %1974: f32):
        %1975 = arith.addf %1973, %1974 : f32
        tt.reduce.return %1975 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1977 = tt.expand_dims %1976 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1978 = tt.reshape %1840 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1982 = "tt.reduce"(%1978) <{axis = 1 : i32}> ({
      ^bb0(%1979: f32, %1980: f32):
        %1981 = arith.addf %1979, %1980 : f32
        tt.reduce.return %1981 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1983 = tt.expand_dims %1982 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1984 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1985 = tt.reshape %1984 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1986 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1987 = arith.cmpi eq, %1985, %1986 : tensor<1x2x1x1xi32>
      %1988 = tt.broadcast %1987 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1989 = tt.broadcast %1983 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1990 = tt.broadcast %1977 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1991 = arith.select %1988, %1989, %1990 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1992 = tt.reshape %1991 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1993 = arith.mulf %877, %907 : tensor<8xf32>
      %1994 = tt.expand_dims %1993 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1995 = tt.expand_dims %1994 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1996 = tt.broadcast %1995 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1997 = arith.mulf %1932, %1996 : tensor<1x4x8xf32>
      %1998 = tt.expand_dims %847 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1999 = tt.expand_dims %1998 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2000 = tt.broadcast %1999 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2001 = arith.mulf %963, %2000 : tensor<1x4x8xf32>
      %2002 = arith.addf %1922, %1997 : tensor<1x4x8xf32>
      %2003 = arith.addf %1926, %2001 : tensor<1x4x8xf32>
      %2004 = tt.reshape %2002 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2008 = "tt.reduce"(%2004) <{axis = 3 : i32}> ({
      ^bb0(%2005: f32, %2006: f32):
        %2007 = arith.addf %2005, %2006 : f32
        tt.reduce.return %2007 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2009 = tt.expand_dims %2008 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2010 = tt.reshape %1850 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2014 = "tt.reduce"(%2010) <{axis = 3 : i32}> ({
      ^bb0(%2011: f32, %2012: f32):
        %2013 = arith.addf %2011, %2012 : f32
        tt.reduce.return %2013 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2015 = tt.expand_dims %2014 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2016 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2017 = tt.reshape %2016 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2018 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2019 = arith.cmpi eq, %2017, %2018 : tensor<1x1x1x2x1xi32>
      %2020 = tt.broadcast %2019 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2021 = tt.broadcast %2015 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2022 = tt.broadcast %2009 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2023 = arith.select %2020, %2021, %2022 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2024 = tt.reshape %2023 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2025 = tt.reshape %2003 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2029 = "tt.reduce"(%2025) <{axis = 3 : i32}> ({
      ^bb0(%2026: f32, %2027: f32):
        %2028 = arith.addf %2026, %2027 : f32
        tt.reduce.return %2028 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2030 = tt.expand_dims %2029 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2031 = tt.reshape %1851 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2035 = "tt.reduce"(%2031) <{axis = 3 : i32}> ({
      ^bb0(%2032: f32, %2033: f32):
        %2034 = arith.addf %2032, %2033 : f32
        tt.reduce.return %2034 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2036 = tt.expand_dims %2035 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2037 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2038 = tt.reshape %2037 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2039 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2040 = arith.cmpi eq, %2038, %2039 : tensor<1x1x1x2x1xi32>
      %2041 = tt.broadcast %2040 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2042 = tt.broadcast %2036 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2043 = tt.broadcast %2030 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2044 = arith.select %2041, %2042, %2043 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2045 = tt.reshape %2044 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2046 = tt.expand_dims %521 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2047 = tt.expand_dims %2046 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2048 = tt.expand_dims %362 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2049 = tt.broadcast %2047 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2050 = tt.broadcast %2048 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2051 = math.fma %2049, %2050, %1858 : tensor<1x4x8xf32>
      %2052 = arith.mulf %2051, %613 : tensor<1x4x8xf32>
      %2053 = arith.mulf %2052, %604 : tensor<1x4x8xf32>
      %2054 = tt.expand_dims %581 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2055 = tt.expand_dims %2054 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2056 = tt.broadcast %2055 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2057 = math.fma %2056, %2053, %1863 : tensor<1x4x8xf32>
      %2058 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2059 = tt.broadcast %2058 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2060 = arith.mulf %2051, %2059 : tensor<1x4x8xf32>
      %2064 = "tt.reduce"(%2060) <{axis = 0 : i32}> ({
      ^bb0(%2061: f32, %2062: f32):
        %2063 = arith.addf %2061, %2062 : f32
        tt.reduce.return %2063 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2065 = arith.mulf %2053, %72 : tensor<1x4x8xf32>
      %2069 = "tt.reduce"(%2065) <{axis = 0 : i32}> ({
      ^bb0(%2066: f32, %2067: f32):
        %2068 = arith.addf %2066, %2067 : f32
        tt.reduce.return %2068 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2070 = arith.mulf %551, %581 : tensor<8xf32>
      %2071 = tt.expand_dims %2070 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2072 = tt.expand_dims %2071 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2073 = tt.broadcast %2072 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2074 = arith.mulf %2051, %2073 : tensor<1x4x8xf32>
      %2075 = tt.expand_dims %521 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2076 = tt.expand_dims %2075 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2077 = tt.broadcast %2076 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2078 = arith.mulf %621, %2077 : tensor<1x4x8xf32>
      %2079 = tt.expand_dims %846 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2080 = tt.expand_dims %2079 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2081 = tt.expand_dims %362 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2082 = tt.broadcast %2080 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2083 = tt.broadcast %2081 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2084 = math.fma %2082, %2083, %1933 : tensor<1x4x8xf32>
      %2085 = arith.mulf %2084, %938 : tensor<1x4x8xf32>
      %2086 = arith.mulf %2085, %929 : tensor<1x4x8xf32>
      %2087 = tt.expand_dims %906 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2088 = tt.expand_dims %2087 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2089 = tt.broadcast %2088 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2090 = math.fma %2089, %2086, %1938 : tensor<1x4x8xf32>
      %2091 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2092 = tt.broadcast %2091 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2093 = arith.mulf %2084, %2092 : tensor<1x4x8xf32>
      %2097 = "tt.reduce"(%2093) <{axis = 0 : i32}> ({
      ^bb0(%2094: f32, %2095: f32):
        %2096 = arith.addf %2094, %2095 : f32
        tt.reduce.return %2096 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2098 = arith.mulf %2086, %138 : tensor<1x4x8xf32>
      %2102 = "tt.reduce"(%2098) <{axis = 0 : i32}> ({
      ^bb0(%2099: f32, %2100: f32):
        %2101 = arith.addf %2099, %2100 : f32
        tt.reduce.return %2101 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2103 = arith.mulf %876, %906 : tensor<8xf32>
      %2104 = tt.expand_dims %2103 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2105 = tt.expand_dims %2104 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2106 = tt.broadcast %2105 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2107 = arith.mulf %2084, %2106 : tensor<1x4x8xf32>
      %2108 = tt.expand_dims %846 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2109 = tt.expand_dims %2108 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2110 = tt.broadcast %2109 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2111 = arith.mulf %946, %2110 : tensor<1x4x8xf32>
      %2112 = arith.addf %2074, %2107 : tensor<1x4x8xf32>
      %2113 = arith.addf %2078, %2111 : tensor<1x4x8xf32>
      %2114 = tt.expand_dims %520 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2115 = tt.expand_dims %2114 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2116 = tt.expand_dims %360 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2117 = tt.broadcast %2115 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2118 = tt.broadcast %2116 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2119 = math.fma %2117, %2118, %2052 : tensor<1x4x8xf32>
      %2120 = arith.mulf %2119, %596 : tensor<1x4x8xf32>
      %2121 = arith.mulf %2120, %447 : tensor<1x4x8xf32>
      %2122 = tt.expand_dims %580 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2123 = tt.expand_dims %2122 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2124 = tt.broadcast %2123 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2125 = math.fma %2124, %2121, %2057 : tensor<1x4x8xf32>
      %2126 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2127 = tt.broadcast %2126 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2128 = arith.mulf %2119, %2127 : tensor<1x4x8xf32>
      %2132 = "tt.reduce"(%2128) <{axis = 0 : i32}> ({
      ^bb0(%2129: f32, %2130: f32):
        %2131 = arith.addf %2129, %2130 : f32
        tt.reduce.return %2131 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2133 = tt.reshape %2132 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2137 = "tt.reduce"(%2133) <{axis = 1 : i32}> ({
      ^bb0(%2134: f32, %2135: f32):
        %2136 = arith.addf %2134, %2135 : f32
        tt.reduce.return %2136 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2138 = tt.expand_dims %2137 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2139 = tt.reshape %2064 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2143 = "tt.reduce"(%2139) <{axis = 1 : i32}> ({
      ^bb0(%2140: f32, %2141: f32):
        %2142 = arith.addf %2140, %2141 : f32
        tt.reduce.return %2142 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2144 = tt.expand_dims %2143 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2145 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2146 = tt.reshape %2145 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2147 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2148 = arith.cmpi eq, %2146, %2147 : tensor<1x2x1x1xi32>
      %2149 = tt.broadcast %2148 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2150 = tt.broadcast %2144 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2151 = tt.broadcast %2138 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2152 = arith.select %2149, %2150, %2151 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2153 = tt.reshape %2152 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2154 = tt.reshape %2153 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2158 = "tt.reduce"(%2154) <{axis = 1 : i32}> ({
      ^bb0(%2155: f32, %2156: f32):
        %2157 = arith.addf %2155, %2156 : f32
        tt.reduce.return %2157 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2159 = tt.expand_dims %2158 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2160 = tt.reshape %1891 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2164 = "tt.reduce"(%2160) <{axis = 1 : i32}> ({
      ^bb0(%2161: f32, %2162: f32):
        %2163 = arith.addf %2161, %2162 : f32
        tt.reduce.return %2163 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2165 = tt.expand_dims %2164 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2166 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2167 = tt.reshape %2166 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2168 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2169 = arith.cmpi eq, %2167, %2168 : tensor<1x2x1x1xi32>
      %2170 = tt.broadcast %2169 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2171 = tt.broadcast %2165 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2172 = tt.broadcast %2159 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2173 = arith.select %2170, %2171, %2172 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2174 = tt.reshape %2173 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2175 = arith.mulf %2121, %72 : tensor<1x4x8xf32>
      %2179 = "tt.reduce"(%2175) <{axis = 0 : i32}> ({
      ^bb0(%2176: f32, %2177: f32):
        %2178 = arith.addf %2176, %2177 : f32
        tt.reduce.return %2178 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2180 = tt.reshape %2179 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2184 = "tt.reduce"(%2180) <{axis = 1 : i32}> ({
      ^bb0(%2181: f32, %2182: f32):
        %2183 = arith.addf %2181, %2182 : f32
        tt.reduce.return %2183 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2185 = tt.expand_dims %2184 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2186 = tt.reshape %2069 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2190 = "tt.reduce"(%2186) <{axis = 1 : i32}> ({
      ^bb0(%2187: f32, %2188: f32):
        %2189 = arith.addf %2187, %2188 : f32
        tt.reduce.return %2189 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2191 = tt.expand_dims %2190 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2192 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2193 = tt.reshape %2192 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2194 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2195 = arith.cmpi eq, %2193, %2194 : tensor<1x2x1x1xi32>
      %2196 = tt.broadcast %2195 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2197 = tt.broadcast %2191 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2198 = tt.broadcast %2185 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2199 = arith.select %2196, %2197, %2198 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2200 = tt.reshape %2199 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2201 = tt.reshape %2200 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2205 = "tt.reduce"(%2201) <{axis = 1 : i32}> ({
      ^bb0(%2202: f32, %2203: f32):
        %2204 = arith.addf %2202, %2203 : f32
        tt.reduce.return %2204 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2206 = tt.expand_dims %2205 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2207 = tt.reshape %1917 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2211 = "tt.reduce"(%2207) <{axis = 1 : i32}> ({
      ^bb0(%2208: f32, %2209: f32):
        %2210 = arith.addf %2208, %2209 : f32
        tt.reduce.return %2210 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2212 = tt.expand_dims %2211 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2213 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2214 = tt.reshape %2213 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2215 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2216 = arith.cmpi eq, %2214, %2215 : tensor<1x2x1x1xi32>
      %2217 = tt.broadcast %2216 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2218 = tt.broadcast %2212 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2219 = tt.broadcast %2206 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2220 = arith.select %2217, %2218, %2219 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2221 = tt.reshape %2220 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2222 = arith.mulf %2174, %736 : tensor<4x8xf32>
      %2223 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2224 = tt.expand_dims %741 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2225 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2226 = arith.muli %2224, %2225 : tensor<4x1xi32>
      %2227 = tt.broadcast %2223 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2228 = tt.broadcast %2226 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2229 = tt.addptr %2227, %2228 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2230 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2231 = tt.expand_dims %743 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2232 = tt.broadcast %2230 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2233 = tt.broadcast %2231 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2234 = arith.andi %2232, %2233 : tensor<4x8xi1>
      %2235 = arith.truncf %2222 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2229, %2235, %2234 : tensor<4x8x!tt.ptr<bf16>>
      %2236 = tt.splat %1527 : f32 -> tensor<4x8xf32>
      %2237 = arith.mulf %2221, %2236 : tensor<4x8xf32>
      %2238 = math.fma %729, %2174, %2237 : tensor<4x8xf32>
      %2239 = tt.expand_dims %87 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2240 = tt.expand_dims %741 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2241 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2242 = arith.muli %2240, %2241 : tensor<4x1xi32>
      %2243 = tt.broadcast %2239 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2244 = tt.broadcast %2242 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2245 = tt.addptr %2243, %2244 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2246 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2247 = tt.expand_dims %743 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2248 = tt.broadcast %2246 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2249 = tt.broadcast %2247 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2250 = arith.andi %2248, %2249 : tensor<4x8xi1>
      tt.store %2245, %2238, %2250 : tensor<4x8x!tt.ptr<f32>>
      %2251 = arith.mulf %550, %580 : tensor<8xf32>
      %2252 = tt.expand_dims %2251 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2253 = tt.expand_dims %2252 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2254 = tt.broadcast %2253 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2255 = arith.mulf %2119, %2254 : tensor<1x4x8xf32>
      %2256 = tt.expand_dims %520 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2257 = tt.expand_dims %2256 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2258 = tt.broadcast %2257 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2259 = arith.mulf %604, %2258 : tensor<1x4x8xf32>
      %2260 = tt.expand_dims %845 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2261 = tt.expand_dims %2260 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2262 = tt.expand_dims %360 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2263 = tt.broadcast %2261 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2264 = tt.broadcast %2262 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2265 = math.fma %2263, %2264, %2085 : tensor<1x4x8xf32>
      %2266 = arith.mulf %2265, %921 : tensor<1x4x8xf32>
      %2267 = arith.mulf %2266, %773 : tensor<1x4x8xf32>
      %2268 = tt.expand_dims %905 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2269 = tt.expand_dims %2268 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2270 = tt.broadcast %2269 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2271 = math.fma %2270, %2267, %2090 : tensor<1x4x8xf32>
      %2272 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2273 = tt.broadcast %2272 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2274 = arith.mulf %2265, %2273 : tensor<1x4x8xf32>
      %2278 = "tt.reduce"(%2274) <{axis = 0 : i32}> ({
      ^bb0(%2275: f32, %2276: f32):
        %2277 = arith.addf %2275, %2276 : f32
        tt.reduce.return %2277 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2279 = tt.reshape %2278 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2283 = "tt.reduce"(%2279) <{axis = 1 : i32}> ({
      ^bb0(%2280: f32, %2281: f32):
        %2282 = arith.addf %2280, %2281 : f32
        tt.reduce.return %2282 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2284 = tt.expand_dims %2283 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2285 = tt.reshape %2097 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2289 = "tt.reduce"(%2285) <{axis = 1 : i32}> ({
      ^bb0(%2286: f32, %2287: f32):
        %2288 = arith.addf %2286, %2287 : f32
        tt.reduce.return %2288 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2290 = tt.expand_dims %2289 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2291 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2292 = tt.reshape %2291 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2293 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2294 = arith.cmpi eq, %2292, %2293 : tensor<1x2x1x1xi32>
      %2295 = tt.broadcast %2294 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2296 = tt.broadcast %2290 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2297 = tt.broadcast %2284 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2298 = arith.select %2295, %2296, %2297 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2299 = tt.reshape %2298 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2300 = tt.reshape %2299 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2304 = "tt.reduce"(%2300) <{axis = 1 : i32}> ({
      ^bb0(%2301: f32, %2302: f32):
        %2303 = arith.addf %2301, %2302 : f32
        tt.reduce.return %2303 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2305 = tt.expand_dims %2304 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2306 = tt.reshape %1966 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2310 = "tt.reduce"(%2306) <{axis = 1 : i32}> ({
      ^bb0(%2307: f32, %2308: f32):
        %2309 = arith.addf %2307, %2308 : f32
        tt.reduce.return %2309 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2311 = tt.expand_dims %2310 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2312 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2313 = tt.reshape %2312 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2314 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2315 = arith.cmpi eq, %2313, %2314 : tensor<1x2x1x1xi32>
      %2316 = tt.broadcast %2315 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2317 = tt.broadcast %2311 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2318 = tt.broadcast %2305 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2319 = arith.select %2316, %2317, %2318 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2320 = tt.reshape %2319 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2321 = arith.mulf %2267, %138 : tensor<1x4x8xf32>
      %2325 = "tt.reduce"(%2321) <{axis = 0 : i32}> ({
      ^bb0(%2322: f32, %2323: f32):
        %2324 = arith.addf %2322, %2323 : f32
        tt.reduce.return %2324 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2326 = tt.reshape %2325 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2330 = "tt.reduce"(%2326) <{axis = 1 : i32}> ({
      ^bb0(%2327: f32, %2328: f32):
        %2329 = arith.addf %2327, %2328 : f32
        tt.reduce.return %2329 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2331 = tt.expand_dims %2330 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2332 = tt.reshape %2102 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2336 = "tt.reduce"(%2332) <{axis = 1 : i32}> ({
      ^bb0(%2333: f32, %2334: f32):
        %2335 = arith.addf %2333, %2334 : f32
        tt.reduce.return %2335 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2337 = tt.expand_dims %2336 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2338 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2339 = tt.reshape %2338 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2340 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2341 = arith.cmpi eq, %2339, %2340 : tensor<1x2x1x1xi32>
      %2342 = tt.broadcast %2341 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2343 = tt.broadcast %2337 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2344 = tt.broadcast %2331 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2345 = arith.select %2342, %2343, %2344 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2346 = tt.reshape %2345 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2347 = tt.reshape %2346 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2351 = "tt.reduce"(%2347) <{axis = 1 : i32}> ({
      ^bb0(%2348: f32, %2349: f32):
        %2350 = arith.addf %2348, %2349 : f32
        tt.reduce.return %2350 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2352 = tt.expand_dims %2351 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2353 = tt.reshape %1992 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2357 = "tt.reduce"(%2353) <{axis = 1 : i32}> ({
      ^bb0(%2354: f32, %2355: f32):
        %2356 = arith.addf %2354, %2355 : f32
        tt.reduce.return %2356 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2358 = tt.expand_dims %2357 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2359 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2360 = tt.reshape %2359 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2361 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2362 = arith.cmpi eq, %2360, %2361 : tensor<1x2x1x1xi32>
      %2363 = tt.broadcast %2362 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2364 = tt.broadcast %2358 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2365 = tt.broadcast %2352 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2366 = arith.select %2363, %2364, %2365 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2367 = tt.reshape %2366 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2368 = arith.mulf %2320, %1061 : tensor<4x8xf32>
      %2369 = tt.expand_dims %148 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2370 = tt.expand_dims %1066 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2371 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2372 = arith.muli %2370, %2371 : tensor<4x1xi32>
      %2373 = tt.broadcast %2369 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2374 = tt.broadcast %2372 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2375 = tt.addptr %2373, %2374 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2376 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2377 = tt.expand_dims %1068 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2378 = tt.broadcast %2376 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2379 = tt.broadcast %2377 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2380 = arith.andi %2378, %2379 : tensor<4x8xi1>
      %2381 = arith.truncf %2368 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2375, %2381, %2380 : tensor<4x8x!tt.ptr<bf16>>
      %2382 = tt.splat %1527 : f32 -> tensor<4x8xf32>
      %2383 = arith.mulf %2367, %2382 : tensor<4x8xf32>
      %2384 = math.fma %1054, %2320, %2383 : tensor<4x8xf32>
      %2385 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2386 = tt.expand_dims %1066 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2387 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2388 = arith.muli %2386, %2387 : tensor<4x1xi32>
      %2389 = tt.broadcast %2385 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2390 = tt.broadcast %2388 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2391 = tt.addptr %2389, %2390 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2392 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2393 = tt.expand_dims %1068 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2394 = tt.broadcast %2392 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2395 = tt.broadcast %2393 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2396 = arith.andi %2394, %2395 : tensor<4x8xi1>
      tt.store %2391, %2384, %2396 : tensor<4x8x!tt.ptr<f32>>
      %2397 = arith.mulf %875, %905 : tensor<8xf32>
      %2398 = tt.expand_dims %2397 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2399 = tt.expand_dims %2398 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2400 = tt.broadcast %2399 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2401 = arith.mulf %2265, %2400 : tensor<1x4x8xf32>
      %2402 = tt.expand_dims %845 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2403 = tt.expand_dims %2402 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2404 = tt.broadcast %2403 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2405 = arith.mulf %929, %2404 : tensor<1x4x8xf32>
      %2406 = arith.addf %2255, %2401 : tensor<1x4x8xf32>
      %2407 = arith.addf %2259, %2405 : tensor<1x4x8xf32>
      %2408 = tt.reshape %2406 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2412 = "tt.reduce"(%2408) <{axis = 3 : i32}> ({
      ^bb0(%2409: f32, %2410: f32):
        %2411 = arith.addf %2409, %2410 : f32
        tt.reduce.return %2411 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2413 = tt.expand_dims %2412 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2414 = tt.reshape %2112 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2418 = "tt.reduce"(%2414) <{axis = 3 : i32}> ({
      ^bb0(%2415: f32, %2416: f32):
        %2417 = arith.addf %2415, %2416 : f32
        tt.reduce.return %2417 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2419 = tt.expand_dims %2418 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2420 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2421 = tt.reshape %2420 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2422 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2423 = arith.cmpi eq, %2421, %2422 : tensor<1x1x1x2x1xi32>
      %2424 = tt.broadcast %2423 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2425 = tt.broadcast %2419 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2426 = tt.broadcast %2413 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2427 = arith.select %2424, %2425, %2426 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2428 = tt.reshape %2427 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2429 = tt.reshape %2428 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2433 = "tt.reduce"(%2429) <{axis = 3 : i32}> ({
      ^bb0(%2430: f32, %2431: f32):
        %2432 = arith.addf %2430, %2431 : f32
        tt.reduce.return %2432 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2434 = tt.expand_dims %2433 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2435 = tt.reshape %2024 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2439 = "tt.reduce"(%2435) <{axis = 3 : i32}> ({
      ^bb0(%2436: f32, %2437: f32):
        %2438 = arith.addf %2436, %2437 : f32
        tt.reduce.return %2438 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2440 = tt.expand_dims %2439 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2441 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2442 = tt.reshape %2441 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2443 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2444 = arith.cmpi eq, %2442, %2443 : tensor<1x1x1x2x1xi32>
      %2445 = tt.broadcast %2444 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2446 = tt.broadcast %2440 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2447 = tt.broadcast %2434 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2448 = arith.select %2445, %2446, %2447 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2449 = tt.reshape %2448 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2450 = tt.reshape %2449 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2454 = "tt.reduce"(%2450) <{axis = 3 : i32}> ({
      ^bb0(%2451: f32, %2452: f32):
        %2453 = arith.addf %2451, %2452 : f32
        tt.reduce.return %2453 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2455 = tt.expand_dims %2454 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2456 = tt.reshape %1741 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2460 = "tt.reduce"(%2456) <{axis = 3 : i32}> ({
      ^bb0(%2457: f32, %2458: f32):
        %2459 = arith.addf %2457, %2458 : f32
        tt.reduce.return %2459 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2461 = tt.expand_dims %2460 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2462 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2463 = tt.reshape %2462 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2464 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2465 = arith.cmpi eq, %2463, %2464 : tensor<1x1x1x2x1xi32>
      %2466 = tt.broadcast %2465 : tensor<1x1x1x2x1xi1> -> tensor<1x4x1x2x4xi1>
      %2467 = tt.broadcast %2461 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2468 = tt.broadcast %2455 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2469 = arith.select %2466, %2467, %2468 : tensor<1x4x1x2x4xi1>, tensor<1x4x1x2x4xf32>
      %2470 = tt.reshape %2469 : tensor<1x4x1x2x4xf32> -> tensor<1x4x8xf32>
      %2471 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %2472 = tt.splat %238 : i32 -> tensor<8xi32>
      %2473 = arith.addi %2472, %2471 : tensor<8xi32>
      %2474 = tt.splat %242 : i32 -> tensor<8xi32>
      %2475 = arith.cmpi slt, %2473, %2474 : tensor<8xi32>
      %2476 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %2477 = tt.splat %168 : !tt.ptr<f32> -> tensor<1x4x1x!tt.ptr<f32>>
      %2478 = tt.addptr %2477, %2476 : tensor<1x4x1x!tt.ptr<f32>>, tensor<1x4x1xi32>
      %2479 = tt.expand_dims %2473 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %2480 = tt.expand_dims %2479 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %2481 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %2482 = arith.muli %2480, %2481 : tensor<1x1x8xi32>
      %2483 = tt.broadcast %2478 : tensor<1x4x1x!tt.ptr<f32>> -> tensor<1x4x8x!tt.ptr<f32>>
      %2484 = tt.broadcast %2482 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %2485 = tt.addptr %2483, %2484 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %2486 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %2487 = tt.expand_dims %2475 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2488 = tt.expand_dims %2487 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %2489 = tt.broadcast %2486 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %2490 = tt.broadcast %2488 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %2491 = arith.andi %2489, %2490 : tensor<1x4x8xi1>
      tt.store %2485, %2470, %2491 : tensor<1x4x8x!tt.ptr<f32>>
      %2492 = tt.reshape %2407 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2496 = "tt.reduce"(%2492) <{axis = 3 : i32}> ({
      ^bb0(%2493: f32, %2494: f32):
        %2495 = arith.addf %2493, %2494 : f32
        tt.reduce.return %2495 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2497 = tt.expand_dims %2496 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2498 = tt.reshape %2113 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2502 = "tt.reduce"(%2498) <{axis = 3 : i32}> ({
      ^bb0(%2499: f32, %2500: f32):
        %2501 = arith.addf %2499, %2500 : f32
        tt.reduce.return %2501 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2503 = tt.expand_dims %2502 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2504 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2505 = tt.reshape %2504 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2506 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2507 = arith.cmpi eq, %2505, %2506 : tensor<1x1x1x2x1xi32>
      %2508 = tt.broadcast %2507 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2509 = tt.broadcast %2503 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2510 = tt.broadcast %2497 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2511 = arith.select %2508, %2509, %2510 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2512 = tt.reshape %2511 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2513 = tt.reshape %2512 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2517 = "tt.reduce"(%2513) <{axis = 3 : i32}> ({
      ^bb0(%2514: f32, %2515: f32):
        %2516 = arith.addf %2514, %2515 : f32
        tt.reduce.return %2516 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2518 = tt.expand_dims %2517 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2519 = tt.reshape %2045 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2523 = "tt.reduce"(%2519) <{axis = 3 : i32}> ({
      ^bb0(%2520: f32, %2521: f32):
        %2522 = arith.addf %2520, %2521 : f32
        tt.reduce.return %2522 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2524 = tt.expand_dims %2523 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2525 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2526 = tt.reshape %2525 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2527 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2528 = arith.cmpi eq, %2526, %2527 : tensor<1x1x1x2x1xi32>
      %2529 = tt.broadcast %2528 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2530 = tt.broadcast %2524 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2531 = tt.broadcast %2518 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2532 = arith.select %2529, %2530, %2531 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2533 = tt.reshape %2532 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2534 = tt.reshape %2533 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2538 = "tt.reduce"(%2534) <{axis = 3 : i32}> ({
      ^bb0(%2535: f32, %2536: f32):
        %2537 = arith.addf %2535, %2536 : f32
        tt.reduce.return %2537 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2539 = tt.expand_dims %2538 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2540 = tt.reshape %1783 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2544 = "tt.reduce"(%2540) <{axis = 3 : i32}> ({
      ^bb0(%2541: f32, %2542: f32):
        %2543 = arith.addf %2541, %2542 : f32
        tt.reduce.return %2543 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2545 = tt.expand_dims %2544 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2546 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2547 = tt.reshape %2546 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2548 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2549 = arith.cmpi eq, %2547, %2548 : tensor<1x1x1x2x1xi32>
      %2550 = tt.broadcast %2549 : tensor<1x1x1x2x1xi1> -> tensor<1x4x1x2x4xi1>
      %2551 = tt.broadcast %2545 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2552 = tt.broadcast %2539 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2553 = arith.select %2550, %2551, %2552 : tensor<1x4x1x2x4xi1>, tensor<1x4x1x2x4xf32>
      %2554 = tt.reshape %2553 : tensor<1x4x1x2x4xf32> -> tensor<1x4x8xf32>
      %2555 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %2556 = tt.splat %238 : i32 -> tensor<8xi32>
      %2557 = arith.addi %2556, %2555 : tensor<8xi32>
      %2558 = tt.splat %242 : i32 -> tensor<8xi32>
      %2559 = arith.cmpi slt, %2557, %2558 : tensor<8xi32>
      %2560 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %2561 = tt.splat %171 : !tt.ptr<f32> -> tensor<1x4x1x!tt.ptr<f32>>
      %2562 = tt.addptr %2561, %2560 : tensor<1x4x1x!tt.ptr<f32>>, tensor<1x4x1xi32>
      %2563 = tt.expand_dims %2557 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %2564 = tt.expand_dims %2563 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %2565 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %2566 = arith.muli %2564, %2565 : tensor<1x1x8xi32>
      %2567 = tt.broadcast %2562 : tensor<1x4x1x!tt.ptr<f32>> -> tensor<1x4x8x!tt.ptr<f32>>
      %2568 = tt.broadcast %2566 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %2569 = tt.addptr %2567, %2568 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %2570 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %2571 = tt.expand_dims %2559 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2572 = tt.expand_dims %2571 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %2573 = tt.broadcast %2570 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %2574 = tt.broadcast %2572 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %2575 = arith.andi %2573, %2574 : tensor<1x4x8xi1>
      tt.store %2569, %2554, %2575 : tensor<1x4x8x!tt.ptr<f32>>
      %2576 = arith.addf %228, %2125 : tensor<1x4x8xf32>
      %2577 = arith.addf %230, %2271 : tensor<1x4x8xf32>
      scf.yield %2120, %2576, %2266, %2577 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    } {tt.num_stages = 3 : i32}
    %2582 = arith.extsi %14 : i32 to i64
    %2583 = arith.muli %33, %178 : i64
    %2584 = arith.addi %2583, %2582 : i64
    %2585 = arith.muli %2584, %181 : i64
    %2586 = tt.addptr %drates, %2585 : !tt.ptr<f32>, i64
    %2587 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %2588 = tt.expand_dims %2587 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %2589 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %2590 = arith.muli %2588, %2589 : tensor<1x1x8xi32>
    %2591 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %2592 = tt.broadcast %2590 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %2593 = tt.broadcast %2591 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %2594 = arith.addi %2592, %2593 : tensor<1x4x8xi32>
    %2595 = tt.splat %2586 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %2596 = tt.addptr %2595, %2594 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %2597 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %2598 = tt.expand_dims %2597 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %2599 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %2600 = tt.broadcast %2598 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %2601 = tt.broadcast %2599 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %2602 = arith.andi %2600, %2601 : tensor<1x4x8xi1>
    tt.store %2596, %2578#1, %2602 : tensor<1x4x8x!tt.ptr<f32>>
    %2603 = arith.extsi %14 : i32 to i64
    %2604 = arith.muli %104, %178 : i64
    %2605 = arith.addi %2604, %2603 : i64
    %2606 = arith.muli %2605, %181 : i64
    %2607 = tt.addptr %drates, %2606 : !tt.ptr<f32>, i64
    %2608 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %2609 = tt.expand_dims %2608 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %2610 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %2611 = arith.muli %2609, %2610 : tensor<1x1x8xi32>
    %2612 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %2613 = tt.broadcast %2611 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %2614 = tt.broadcast %2612 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %2615 = arith.addi %2613, %2614 : tensor<1x4x8xi32>
    %2616 = tt.splat %2607 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %2617 = tt.addptr %2616, %2615 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %2618 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %2619 = tt.expand_dims %2618 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %2620 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %2621 = tt.broadcast %2619 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %2622 = tt.broadcast %2620 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %2623 = arith.andi %2621, %2622 : tensor<1x4x8xi1>
    tt.store %2617, %2578#3, %2623 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
