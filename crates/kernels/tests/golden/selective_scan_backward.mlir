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
    %355 = arith.constant dense<0.0e0> : tensor<8xf32>
    %356 = arith.constant 0xFF800000 : f32
    %391 = arith.constant 2 : i64
    %424 = arith.constant 0.0e0 : bf16
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
    %1102:6 = scf.for %194 = %16 to %143 step %23 iter_args(%195 = %168, %196 = %169, %197 = %170, %198 = %193, %199 = %169, %200 = %170) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
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
      %354 = arith.sitofp %343 : tensor<8xi32> to tensor<8xf32>
      %357 = tt.splat %356 : f32 -> tensor<8xf32>
      %358 = arith.select %353, %355, %357 : tensor<8xi1>, tensor<8xf32>
      %359 = tt.expand_dims %358 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
      %360 = tt.trans %359 {order = array<i32: 1, 0>} : tensor<8x1xf32> -> tensor<1x8xf32>
      %361 = tt.reshape %360 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %362:2 = tt.split %361 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %364 = tt.reshape %362#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %365:2 = tt.split %364 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %367 = tt.reshape %362#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %368:2 = tt.split %367 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %370 = tt.reshape %365#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %371:2 = tt.split %370 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %373 = tt.reshape %368#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %374:2 = tt.split %373 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %376 = tt.reshape %365#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %377:2 = tt.split %376 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %379 = tt.reshape %368#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %380:2 = tt.split %379 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %382 = tt.reshape %371#0 : tensor<1x1xf32> -> tensor<1xf32>
      %383 = tt.reshape %374#0 : tensor<1x1xf32> -> tensor<1xf32>
      %384 = tt.reshape %377#0 : tensor<1x1xf32> -> tensor<1xf32>
      %385 = tt.reshape %380#0 : tensor<1x1xf32> -> tensor<1xf32>
      %386 = tt.reshape %371#1 : tensor<1x1xf32> -> tensor<1xf32>
      %387 = tt.reshape %374#1 : tensor<1x1xf32> -> tensor<1xf32>
      %388 = tt.reshape %377#1 : tensor<1x1xf32> -> tensor<1xf32>
      %389 = tt.reshape %380#1 : tensor<1x1xf32> -> tensor<1xf32>
      %390 = arith.extsi %202 : i32 to i64
      %392 = arith.muli %30, %391 : i64
      %393 = arith.addi %392, %390 : i64
      %394 = arith.muli %393, %148 : i64
      %395 = tt.addptr %states, %394 : !tt.ptr<f32>, i64
      %396 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %397 = tt.expand_dims %396 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %398 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %399 = arith.muli %397, %398 : tensor<1x1x8xi32>
      %400 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %401 = tt.broadcast %399 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %402 = tt.broadcast %400 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %403 = arith.addi %401, %402 : tensor<1x4x8xi32>
      %404 = tt.splat %395 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %405 = tt.addptr %404, %403 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %406 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %407 = tt.expand_dims %406 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %408 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %409 = tt.broadcast %407 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %410 = tt.broadcast %408 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %411 = arith.andi %409, %410 : tensor<1x4x8xi1>
      tt.store %405, %195, %411 : tensor<1x4x8x!tt.ptr<f32>>
      %412 = tt.expand_dims %42 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %413 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %414 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %415 = arith.muli %413, %414 : tensor<8x1xi32>
      %416 = tt.broadcast %412 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %417 = tt.broadcast %415 : tensor<8x1xi32> -> tensor<8x8xi32>
      %418 = tt.addptr %416, %417 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %419 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %420 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %421 = tt.broadcast %419 : tensor<1x8xi1> -> tensor<8x8xi1>
      %422 = tt.broadcast %420 : tensor<8x1xi1> -> tensor<8x8xi1>
      %423 = arith.andi %421, %422 : tensor<8x8xi1>
      %425 = tt.splat %424 : bf16 -> tensor<8x8xbf16>
      %426 = tt.load %418, %423, %425 : tensor<8x8x!tt.ptr<bf16>>
      %427 = arith.extf %426 : tensor<8x8xbf16> to tensor<8x8xf32>
      %428 = tt.expand_dims %47 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %429 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %430 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %431 = arith.muli %429, %430 : tensor<8x1xi32>
      %432 = tt.broadcast %428 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %433 = tt.broadcast %431 : tensor<8x1xi32> -> tensor<8x8xi32>
      %434 = tt.addptr %432, %433 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %435 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %436 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %437 = tt.broadcast %435 : tensor<1x8xi1> -> tensor<8x8xi1>
      %438 = tt.broadcast %436 : tensor<8x1xi1> -> tensor<8x8xi1>
      %439 = arith.andi %437, %438 : tensor<8x8xi1>
      %440 = tt.splat %64 : f32 -> tensor<8x8xf32>
      %441 = tt.load %434, %439, %440 : tensor<8x8x!tt.ptr<f32>>
      %442 = tt.trans %427 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %443 = tt.reshape %442 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %444:2 = tt.split %443 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %446 = tt.reshape %444#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %447:2 = tt.split %446 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %449 = tt.reshape %444#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %450:2 = tt.split %449 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %452 = tt.reshape %447#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %453:2 = tt.split %452 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %455 = tt.reshape %450#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %456:2 = tt.split %455 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %458 = tt.reshape %447#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %459:2 = tt.split %458 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %461 = tt.reshape %450#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %462:2 = tt.split %461 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %464 = tt.reshape %453#0 : tensor<8x1xf32> -> tensor<8xf32>
      %465 = tt.reshape %456#0 : tensor<8x1xf32> -> tensor<8xf32>
      %466 = tt.reshape %459#0 : tensor<8x1xf32> -> tensor<8xf32>
      %467 = tt.reshape %462#0 : tensor<8x1xf32> -> tensor<8xf32>
      %468 = tt.reshape %453#1 : tensor<8x1xf32> -> tensor<8xf32>
      %469 = tt.reshape %456#1 : tensor<8x1xf32> -> tensor<8xf32>
      %470 = tt.reshape %459#1 : tensor<8x1xf32> -> tensor<8xf32>
      %471 = tt.reshape %462#1 : tensor<8x1xf32> -> tensor<8xf32>
      %472 = tt.trans %441 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %473 = tt.reshape %472 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %474:2 = tt.split %473 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %476 = tt.reshape %474#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %477:2 = tt.split %476 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %479 = tt.reshape %474#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %480:2 = tt.split %479 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %482 = tt.reshape %477#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %483:2 = tt.split %482 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %485 = tt.reshape %480#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %486:2 = tt.split %485 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %488 = tt.reshape %477#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %489:2 = tt.split %488 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %491 = tt.reshape %480#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %492:2 = tt.split %491 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %494 = tt.reshape %483#0 : tensor<8x1xf32> -> tensor<8xf32>
      %495 = tt.reshape %486#0 : tensor<8x1xf32> -> tensor<8xf32>
      %496 = tt.reshape %489#0 : tensor<8x1xf32> -> tensor<8xf32>
      %497 = tt.reshape %492#0 : tensor<8x1xf32> -> tensor<8xf32>
      %498 = tt.reshape %483#1 : tensor<8x1xf32> -> tensor<8xf32>
      %499 = tt.reshape %486#1 : tensor<8x1xf32> -> tensor<8xf32>
      %500 = tt.reshape %489#1 : tensor<8x1xf32> -> tensor<8xf32>
      %501 = tt.reshape %492#1 : tensor<8x1xf32> -> tensor<8xf32>
      %502 = tt.expand_dims %494 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %503 = tt.expand_dims %502 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %504 = tt.broadcast %503 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %505 = arith.mulf %504, %69 : tensor<1x4x8xf32>
      %506 = tt.expand_dims %382 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %507 = tt.expand_dims %506 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %508 = tt.broadcast %507 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %509 = arith.addf %505, %508 : tensor<1x4x8xf32>
      %510 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %509 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %511 = tt.expand_dims %495 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %512 = tt.expand_dims %511 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %513 = tt.broadcast %512 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %514 = arith.mulf %513, %69 : tensor<1x4x8xf32>
      %515 = tt.expand_dims %383 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %516 = tt.expand_dims %515 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %517 = tt.broadcast %516 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %518 = arith.addf %514, %517 : tensor<1x4x8xf32>
      %519 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %518 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %520 = tt.expand_dims %496 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %521 = tt.expand_dims %520 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %522 = tt.broadcast %521 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %523 = arith.mulf %522, %69 : tensor<1x4x8xf32>
      %524 = tt.expand_dims %384 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %525 = tt.expand_dims %524 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %526 = tt.broadcast %525 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %527 = arith.addf %523, %526 : tensor<1x4x8xf32>
      %528 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %527 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %529 = tt.expand_dims %497 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %530 = tt.expand_dims %529 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %531 = tt.broadcast %530 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %532 = arith.mulf %531, %69 : tensor<1x4x8xf32>
      %533 = tt.expand_dims %385 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %534 = tt.expand_dims %533 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %535 = tt.broadcast %534 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %536 = arith.addf %532, %535 : tensor<1x4x8xf32>
      %537 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %536 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %538 = tt.expand_dims %498 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %539 = tt.expand_dims %538 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %540 = tt.broadcast %539 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %541 = arith.mulf %540, %69 : tensor<1x4x8xf32>
      %542 = tt.expand_dims %386 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %543 = tt.expand_dims %542 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %544 = tt.broadcast %543 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %545 = arith.addf %541, %544 : tensor<1x4x8xf32>
      %546 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %545 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %547 = tt.expand_dims %499 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %548 = tt.expand_dims %547 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %549 = tt.broadcast %548 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %550 = arith.mulf %549, %69 : tensor<1x4x8xf32>
      %551 = tt.expand_dims %387 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %552 = tt.expand_dims %551 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %553 = tt.broadcast %552 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %554 = arith.addf %550, %553 : tensor<1x4x8xf32>
      %555 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %554 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %556 = tt.expand_dims %500 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %557 = tt.expand_dims %556 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %558 = tt.broadcast %557 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %559 = arith.mulf %558, %69 : tensor<1x4x8xf32>
      %560 = tt.expand_dims %388 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %561 = tt.expand_dims %560 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %562 = tt.broadcast %561 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %563 = arith.addf %559, %562 : tensor<1x4x8xf32>
      %564 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %563 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %565 = tt.expand_dims %501 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %566 = tt.expand_dims %565 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %567 = tt.broadcast %566 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %568 = arith.mulf %567, %69 : tensor<1x4x8xf32>
      %569 = tt.expand_dims %389 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %570 = tt.expand_dims %569 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %571 = tt.broadcast %570 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %572 = arith.addf %568, %571 : tensor<1x4x8xf32>
      %573 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %572 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %574 = tt.expand_dims %74 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %575 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %576 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %577 = arith.muli %575, %576 : tensor<8x1xi32>
      %578 = tt.broadcast %574 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %579 = tt.broadcast %577 : tensor<8x1xi32> -> tensor<8x8xi32>
      %580 = tt.addptr %578, %579 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %581 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %582 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %583 = tt.broadcast %581 : tensor<1x8xi1> -> tensor<8x8xi1>
      %584 = tt.broadcast %582 : tensor<8x1xi1> -> tensor<8x8xi1>
      %585 = arith.andi %583, %584 : tensor<8x8xi1>
      %586 = tt.splat %424 : bf16 -> tensor<8x8xbf16>
      %587 = tt.load %580, %585, %586 : tensor<8x8x!tt.ptr<bf16>>
      %588 = arith.extf %587 : tensor<8x8xbf16> to tensor<8x8xf32>
      %589 = tt.trans %588 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %590 = tt.reshape %589 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %591:2 = tt.split %590 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %593 = tt.reshape %591#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %594:2 = tt.split %593 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %596 = tt.reshape %591#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %597:2 = tt.split %596 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %599 = tt.reshape %594#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %600:2 = tt.split %599 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %602 = tt.reshape %597#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %603:2 = tt.split %602 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %605 = tt.reshape %594#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %606:2 = tt.split %605 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %608 = tt.reshape %597#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %609:2 = tt.split %608 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %611 = tt.reshape %600#0 : tensor<8x1xf32> -> tensor<8xf32>
      %612 = tt.reshape %603#0 : tensor<8x1xf32> -> tensor<8xf32>
      %613 = tt.reshape %606#0 : tensor<8x1xf32> -> tensor<8xf32>
      %614 = tt.reshape %609#0 : tensor<8x1xf32> -> tensor<8xf32>
      %615 = tt.reshape %600#1 : tensor<8x1xf32> -> tensor<8xf32>
      %616 = tt.reshape %603#1 : tensor<8x1xf32> -> tensor<8xf32>
      %617 = tt.reshape %606#1 : tensor<8x1xf32> -> tensor<8xf32>
      %618 = tt.reshape %609#1 : tensor<8x1xf32> -> tensor<8xf32>
      %619 = arith.mulf %196, %510 : tensor<1x4x8xf32>
      %620 = tt.expand_dims %611 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %621 = tt.expand_dims %620 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %622 = tt.expand_dims %325 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %623 = tt.broadcast %621 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %624 = tt.broadcast %622 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %625 = arith.mulf %623, %624 : tensor<1x4x8xf32>
      %626 = math.fma %619, %625, %197 : tensor<1x4x8xf32>
      %627 = arith.mulf %464, %494 : tensor<8xf32>
      %628 = tt.expand_dims %627 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %629 = tt.expand_dims %628 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %630 = tt.expand_dims %260 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %631 = tt.broadcast %629 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %632 = tt.broadcast %630 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %633 = arith.mulf %631, %632 : tensor<1x4x8xf32>
      %634 = math.fma %510, %195, %633 : tensor<1x4x8xf32>
      %635 = arith.mulf %619, %519 : tensor<1x4x8xf32>
      %636 = tt.expand_dims %612 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %637 = tt.expand_dims %636 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %638 = tt.expand_dims %327 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %639 = tt.broadcast %637 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %640 = tt.broadcast %638 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %641 = arith.mulf %639, %640 : tensor<1x4x8xf32>
      %642 = math.fma %635, %641, %626 : tensor<1x4x8xf32>
      %643 = arith.mulf %465, %495 : tensor<8xf32>
      %644 = tt.expand_dims %643 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %645 = tt.expand_dims %644 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %646 = tt.expand_dims %262 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %647 = tt.broadcast %645 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %648 = tt.broadcast %646 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %649 = arith.mulf %647, %648 : tensor<1x4x8xf32>
      %650 = math.fma %519, %634, %649 : tensor<1x4x8xf32>
      %651 = arith.mulf %635, %528 : tensor<1x4x8xf32>
      %652 = tt.expand_dims %613 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %653 = tt.expand_dims %652 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %654 = tt.expand_dims %329 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %655 = tt.broadcast %653 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %656 = tt.broadcast %654 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %657 = arith.mulf %655, %656 : tensor<1x4x8xf32>
      %658 = math.fma %651, %657, %642 : tensor<1x4x8xf32>
      %659 = arith.mulf %466, %496 : tensor<8xf32>
      %660 = tt.expand_dims %659 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %661 = tt.expand_dims %660 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %662 = tt.expand_dims %264 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %663 = tt.broadcast %661 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %664 = tt.broadcast %662 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %665 = arith.mulf %663, %664 : tensor<1x4x8xf32>
      %666 = math.fma %528, %650, %665 : tensor<1x4x8xf32>
      %667 = arith.mulf %651, %537 : tensor<1x4x8xf32>
      %668 = tt.expand_dims %614 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %669 = tt.expand_dims %668 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %670 = tt.expand_dims %331 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %671 = tt.broadcast %669 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %672 = tt.broadcast %670 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %673 = arith.mulf %671, %672 : tensor<1x4x8xf32>
      %674 = math.fma %667, %673, %658 : tensor<1x4x8xf32>
      %675 = arith.mulf %467, %497 : tensor<8xf32>
      %676 = tt.expand_dims %675 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %677 = tt.expand_dims %676 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %678 = tt.expand_dims %266 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %679 = tt.broadcast %677 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %680 = tt.broadcast %678 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %681 = arith.mulf %679, %680 : tensor<1x4x8xf32>
      %682 = math.fma %537, %666, %681 : tensor<1x4x8xf32>
      %683 = arith.mulf %667, %546 : tensor<1x4x8xf32>
      %684 = tt.expand_dims %615 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %685 = tt.expand_dims %684 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %686 = tt.expand_dims %333 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %687 = tt.broadcast %685 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %688 = tt.broadcast %686 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %689 = arith.mulf %687, %688 : tensor<1x4x8xf32>
      %690 = math.fma %683, %689, %674 : tensor<1x4x8xf32>
      %691 = arith.mulf %468, %498 : tensor<8xf32>
      %692 = tt.expand_dims %691 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %693 = tt.expand_dims %692 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %694 = tt.expand_dims %268 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %695 = tt.broadcast %693 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %696 = tt.broadcast %694 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %697 = arith.mulf %695, %696 : tensor<1x4x8xf32>
      %698 = math.fma %546, %682, %697 : tensor<1x4x8xf32>
      %699 = arith.mulf %683, %555 : tensor<1x4x8xf32>
      %700 = tt.expand_dims %616 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %701 = tt.expand_dims %700 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %702 = tt.expand_dims %335 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %703 = tt.broadcast %701 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %704 = tt.broadcast %702 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %705 = arith.mulf %703, %704 : tensor<1x4x8xf32>
      %706 = math.fma %699, %705, %690 : tensor<1x4x8xf32>
      %707 = arith.mulf %469, %499 : tensor<8xf32>
      %708 = tt.expand_dims %707 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %709 = tt.expand_dims %708 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %710 = tt.expand_dims %270 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %711 = tt.broadcast %709 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %712 = tt.broadcast %710 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %713 = arith.mulf %711, %712 : tensor<1x4x8xf32>
      %714 = math.fma %555, %698, %713 : tensor<1x4x8xf32>
      %715 = arith.mulf %699, %564 : tensor<1x4x8xf32>
      %716 = tt.expand_dims %617 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %717 = tt.expand_dims %716 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %718 = tt.expand_dims %337 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %719 = tt.broadcast %717 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %720 = tt.broadcast %718 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %721 = arith.mulf %719, %720 : tensor<1x4x8xf32>
      %722 = math.fma %715, %721, %706 : tensor<1x4x8xf32>
      %723 = arith.mulf %470, %500 : tensor<8xf32>
      %724 = tt.expand_dims %723 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %725 = tt.expand_dims %724 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %726 = tt.expand_dims %272 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %727 = tt.broadcast %725 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %728 = tt.broadcast %726 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %729 = arith.mulf %727, %728 : tensor<1x4x8xf32>
      %730 = math.fma %564, %714, %729 : tensor<1x4x8xf32>
      %731 = arith.mulf %715, %573 : tensor<1x4x8xf32>
      %732 = tt.expand_dims %618 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %733 = tt.expand_dims %732 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %734 = tt.expand_dims %339 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %735 = tt.broadcast %733 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %736 = tt.broadcast %734 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %737 = arith.mulf %735, %736 : tensor<1x4x8xf32>
      %738 = math.fma %731, %737, %722 : tensor<1x4x8xf32>
      %739 = arith.mulf %471, %501 : tensor<8xf32>
      %740 = tt.expand_dims %739 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %741 = tt.expand_dims %740 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %742 = tt.expand_dims %274 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %743 = tt.broadcast %741 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %744 = tt.broadcast %742 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %745 = arith.mulf %743, %744 : tensor<1x4x8xf32>
      %746 = math.fma %573, %730, %745 : tensor<1x4x8xf32>
      %747 = arith.extsi %202 : i32 to i64
      %748 = arith.muli %91, %391 : i64
      %749 = arith.addi %748, %747 : i64
      %750 = arith.muli %749, %148 : i64
      %751 = tt.addptr %states, %750 : !tt.ptr<f32>, i64
      %752 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %753 = tt.expand_dims %752 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %754 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
      %755 = arith.muli %753, %754 : tensor<1x1x8xi32>
      %756 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %757 = tt.broadcast %755 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %758 = tt.broadcast %756 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %759 = arith.addi %757, %758 : tensor<1x4x8xi32>
      %760 = tt.splat %751 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %761 = tt.addptr %760, %759 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %762 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %763 = tt.expand_dims %762 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %764 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %765 = tt.broadcast %763 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %766 = tt.broadcast %764 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %767 = arith.andi %765, %766 : tensor<1x4x8xi1>
      tt.store %761, %198, %767 : tensor<1x4x8x!tt.ptr<f32>>
      %768 = tt.expand_dims %100 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %769 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %770 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %771 = arith.muli %769, %770 : tensor<8x1xi32>
      %772 = tt.broadcast %768 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %773 = tt.broadcast %771 : tensor<8x1xi32> -> tensor<8x8xi32>
      %774 = tt.addptr %772, %773 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %775 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %776 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %777 = tt.broadcast %775 : tensor<1x8xi1> -> tensor<8x8xi1>
      %778 = tt.broadcast %776 : tensor<8x1xi1> -> tensor<8x8xi1>
      %779 = arith.andi %777, %778 : tensor<8x8xi1>
      %780 = tt.splat %424 : bf16 -> tensor<8x8xbf16>
      %781 = tt.load %774, %779, %780 : tensor<8x8x!tt.ptr<bf16>>
      %782 = arith.extf %781 : tensor<8x8xbf16> to tensor<8x8xf32>
      %783 = tt.expand_dims %105 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %784 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %785 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %786 = arith.muli %784, %785 : tensor<8x1xi32>
      %787 = tt.broadcast %783 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %788 = tt.broadcast %786 : tensor<8x1xi32> -> tensor<8x8xi32>
      %789 = tt.addptr %787, %788 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %790 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %791 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %792 = tt.broadcast %790 : tensor<1x8xi1> -> tensor<8x8xi1>
      %793 = tt.broadcast %791 : tensor<8x1xi1> -> tensor<8x8xi1>
      %794 = arith.andi %792, %793 : tensor<8x8xi1>
      %795 = tt.splat %64 : f32 -> tensor<8x8xf32>
      %796 = tt.load %789, %794, %795 : tensor<8x8x!tt.ptr<f32>>
      %797 = tt.trans %782 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %798 = tt.reshape %797 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %799:2 = tt.split %798 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %801 = tt.reshape %799#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %802:2 = tt.split %801 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %804 = tt.reshape %799#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %805:2 = tt.split %804 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %807 = tt.reshape %802#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %808:2 = tt.split %807 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %810 = tt.reshape %805#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %811:2 = tt.split %810 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %813 = tt.reshape %802#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %814:2 = tt.split %813 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %816 = tt.reshape %805#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %817:2 = tt.split %816 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %819 = tt.reshape %808#0 : tensor<8x1xf32> -> tensor<8xf32>
      %820 = tt.reshape %811#0 : tensor<8x1xf32> -> tensor<8xf32>
      %821 = tt.reshape %814#0 : tensor<8x1xf32> -> tensor<8xf32>
      %822 = tt.reshape %817#0 : tensor<8x1xf32> -> tensor<8xf32>
      %823 = tt.reshape %808#1 : tensor<8x1xf32> -> tensor<8xf32>
      %824 = tt.reshape %811#1 : tensor<8x1xf32> -> tensor<8xf32>
      %825 = tt.reshape %814#1 : tensor<8x1xf32> -> tensor<8xf32>
      %826 = tt.reshape %817#1 : tensor<8x1xf32> -> tensor<8xf32>
      %827 = tt.trans %796 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %828 = tt.reshape %827 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %829:2 = tt.split %828 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %831 = tt.reshape %829#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %832:2 = tt.split %831 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %834 = tt.reshape %829#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %835:2 = tt.split %834 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %837 = tt.reshape %832#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %838:2 = tt.split %837 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %840 = tt.reshape %835#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %841:2 = tt.split %840 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %843 = tt.reshape %832#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %844:2 = tt.split %843 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %846 = tt.reshape %835#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %847:2 = tt.split %846 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %849 = tt.reshape %838#0 : tensor<8x1xf32> -> tensor<8xf32>
      %850 = tt.reshape %841#0 : tensor<8x1xf32> -> tensor<8xf32>
      %851 = tt.reshape %844#0 : tensor<8x1xf32> -> tensor<8xf32>
      %852 = tt.reshape %847#0 : tensor<8x1xf32> -> tensor<8xf32>
      %853 = tt.reshape %838#1 : tensor<8x1xf32> -> tensor<8xf32>
      %854 = tt.reshape %841#1 : tensor<8x1xf32> -> tensor<8xf32>
      %855 = tt.reshape %844#1 : tensor<8x1xf32> -> tensor<8xf32>
      %856 = tt.reshape %847#1 : tensor<8x1xf32> -> tensor<8xf32>
      %857 = tt.expand_dims %849 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %858 = tt.expand_dims %857 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %859 = tt.broadcast %858 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %860 = arith.mulf %859, %125 : tensor<1x4x8xf32>
      %861 = tt.expand_dims %382 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %862 = tt.expand_dims %861 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %863 = tt.broadcast %862 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %864 = arith.addf %860, %863 : tensor<1x4x8xf32>
      %865 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %864 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %866 = tt.expand_dims %850 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %867 = tt.expand_dims %866 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %868 = tt.broadcast %867 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %869 = arith.mulf %868, %125 : tensor<1x4x8xf32>
      %870 = tt.expand_dims %383 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %871 = tt.expand_dims %870 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %872 = tt.broadcast %871 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %873 = arith.addf %869, %872 : tensor<1x4x8xf32>
      %874 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %873 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %875 = tt.expand_dims %851 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %876 = tt.expand_dims %875 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %877 = tt.broadcast %876 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %878 = arith.mulf %877, %125 : tensor<1x4x8xf32>
      %879 = tt.expand_dims %384 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %880 = tt.expand_dims %879 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %881 = tt.broadcast %880 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %882 = arith.addf %878, %881 : tensor<1x4x8xf32>
      %883 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %882 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %884 = tt.expand_dims %852 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %885 = tt.expand_dims %884 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %886 = tt.broadcast %885 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %887 = arith.mulf %886, %125 : tensor<1x4x8xf32>
      %888 = tt.expand_dims %385 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %889 = tt.expand_dims %888 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %890 = tt.broadcast %889 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %891 = arith.addf %887, %890 : tensor<1x4x8xf32>
      %892 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %891 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %893 = tt.expand_dims %853 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %894 = tt.expand_dims %893 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %895 = tt.broadcast %894 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %896 = arith.mulf %895, %125 : tensor<1x4x8xf32>
      %897 = tt.expand_dims %386 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %898 = tt.expand_dims %897 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %899 = tt.broadcast %898 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %900 = arith.addf %896, %899 : tensor<1x4x8xf32>
      %901 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %900 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %902 = tt.expand_dims %854 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %903 = tt.expand_dims %902 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %904 = tt.broadcast %903 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %905 = arith.mulf %904, %125 : tensor<1x4x8xf32>
      %906 = tt.expand_dims %387 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %907 = tt.expand_dims %906 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %908 = tt.broadcast %907 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %909 = arith.addf %905, %908 : tensor<1x4x8xf32>
      %910 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %909 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %911 = tt.expand_dims %855 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %912 = tt.expand_dims %911 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %913 = tt.broadcast %912 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %914 = arith.mulf %913, %125 : tensor<1x4x8xf32>
      %915 = tt.expand_dims %388 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %916 = tt.expand_dims %915 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %917 = tt.broadcast %916 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %918 = arith.addf %914, %917 : tensor<1x4x8xf32>
      %919 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %918 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %920 = tt.expand_dims %856 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %921 = tt.expand_dims %920 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %922 = tt.broadcast %921 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %923 = arith.mulf %922, %125 : tensor<1x4x8xf32>
      %924 = tt.expand_dims %389 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %925 = tt.expand_dims %924 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %926 = tt.broadcast %925 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %927 = arith.addf %923, %926 : tensor<1x4x8xf32>
      %928 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %927 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %929 = tt.expand_dims %130 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %930 = tt.expand_dims %206 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %931 = tt.splat %31 : i32 -> tensor<8x1xi32>
      %932 = arith.muli %930, %931 : tensor<8x1xi32>
      %933 = tt.broadcast %929 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %934 = tt.broadcast %932 : tensor<8x1xi32> -> tensor<8x8xi32>
      %935 = tt.addptr %933, %934 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %936 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %937 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %938 = tt.broadcast %936 : tensor<1x8xi1> -> tensor<8x8xi1>
      %939 = tt.broadcast %937 : tensor<8x1xi1> -> tensor<8x8xi1>
      %940 = arith.andi %938, %939 : tensor<8x8xi1>
      %941 = tt.splat %424 : bf16 -> tensor<8x8xbf16>
      %942 = tt.load %935, %940, %941 : tensor<8x8x!tt.ptr<bf16>>
      %943 = arith.extf %942 : tensor<8x8xbf16> to tensor<8x8xf32>
      %944 = tt.trans %943 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %945 = tt.reshape %944 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %946:2 = tt.split %945 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %948 = tt.reshape %946#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %949:2 = tt.split %948 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %951 = tt.reshape %946#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %952:2 = tt.split %951 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %954 = tt.reshape %949#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %955:2 = tt.split %954 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %957 = tt.reshape %952#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %958:2 = tt.split %957 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %960 = tt.reshape %949#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %961:2 = tt.split %960 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %963 = tt.reshape %952#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %964:2 = tt.split %963 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %966 = tt.reshape %955#0 : tensor<8x1xf32> -> tensor<8xf32>
      %967 = tt.reshape %958#0 : tensor<8x1xf32> -> tensor<8xf32>
      %968 = tt.reshape %961#0 : tensor<8x1xf32> -> tensor<8xf32>
      %969 = tt.reshape %964#0 : tensor<8x1xf32> -> tensor<8xf32>
      %970 = tt.reshape %955#1 : tensor<8x1xf32> -> tensor<8xf32>
      %971 = tt.reshape %958#1 : tensor<8x1xf32> -> tensor<8xf32>
      %972 = tt.reshape %961#1 : tensor<8x1xf32> -> tensor<8xf32>
      %973 = tt.reshape %964#1 : tensor<8x1xf32> -> tensor<8xf32>
      %974 = arith.mulf %199, %865 : tensor<1x4x8xf32>
      %975 = tt.expand_dims %966 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %976 = tt.expand_dims %975 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %977 = tt.expand_dims %325 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %978 = tt.broadcast %976 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %979 = tt.broadcast %977 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %980 = arith.mulf %978, %979 : tensor<1x4x8xf32>
      %981 = math.fma %974, %980, %200 : tensor<1x4x8xf32>
      %982 = arith.mulf %819, %849 : tensor<8xf32>
      %983 = tt.expand_dims %982 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %984 = tt.expand_dims %983 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %985 = tt.expand_dims %260 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %986 = tt.broadcast %984 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %987 = tt.broadcast %985 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %988 = arith.mulf %986, %987 : tensor<1x4x8xf32>
      %989 = math.fma %865, %198, %988 : tensor<1x4x8xf32>
      %990 = arith.mulf %974, %874 : tensor<1x4x8xf32>
      %991 = tt.expand_dims %967 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %992 = tt.expand_dims %991 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %993 = tt.expand_dims %327 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %994 = tt.broadcast %992 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %995 = tt.broadcast %993 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %996 = arith.mulf %994, %995 : tensor<1x4x8xf32>
      %997 = math.fma %990, %996, %981 : tensor<1x4x8xf32>
      %998 = arith.mulf %820, %850 : tensor<8xf32>
      %999 = tt.expand_dims %998 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1000 = tt.expand_dims %999 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1001 = tt.expand_dims %262 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1002 = tt.broadcast %1000 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1003 = tt.broadcast %1001 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1004 = arith.mulf %1002, %1003 : tensor<1x4x8xf32>
      %1005 = math.fma %874, %989, %1004 : tensor<1x4x8xf32>
      %1006 = arith.mulf %990, %883 : tensor<1x4x8xf32>
      %1007 = tt.expand_dims %968 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1008 = tt.expand_dims %1007 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1009 = tt.expand_dims %329 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1010 = tt.broadcast %1008 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1011 = tt.broadcast %1009 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1012 = arith.mulf %1010, %1011 : tensor<1x4x8xf32>
      %1013 = math.fma %1006, %1012, %997 : tensor<1x4x8xf32>
      %1014 = arith.mulf %821, %851 : tensor<8xf32>
      %1015 = tt.expand_dims %1014 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1016 = tt.expand_dims %1015 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1017 = tt.expand_dims %264 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1018 = tt.broadcast %1016 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1019 = tt.broadcast %1017 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1020 = arith.mulf %1018, %1019 : tensor<1x4x8xf32>
      %1021 = math.fma %883, %1005, %1020 : tensor<1x4x8xf32>
      %1022 = arith.mulf %1006, %892 : tensor<1x4x8xf32>
      %1023 = tt.expand_dims %969 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1024 = tt.expand_dims %1023 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1025 = tt.expand_dims %331 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1026 = tt.broadcast %1024 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1027 = tt.broadcast %1025 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1028 = arith.mulf %1026, %1027 : tensor<1x4x8xf32>
      %1029 = math.fma %1022, %1028, %1013 : tensor<1x4x8xf32>
      %1030 = arith.mulf %822, %852 : tensor<8xf32>
      %1031 = tt.expand_dims %1030 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1032 = tt.expand_dims %1031 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1033 = tt.expand_dims %266 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1034 = tt.broadcast %1032 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1035 = tt.broadcast %1033 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1036 = arith.mulf %1034, %1035 : tensor<1x4x8xf32>
      %1037 = math.fma %892, %1021, %1036 : tensor<1x4x8xf32>
      %1038 = arith.mulf %1022, %901 : tensor<1x4x8xf32>
      %1039 = tt.expand_dims %970 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1040 = tt.expand_dims %1039 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1041 = tt.expand_dims %333 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1042 = tt.broadcast %1040 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1043 = tt.broadcast %1041 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1044 = arith.mulf %1042, %1043 : tensor<1x4x8xf32>
      %1045 = math.fma %1038, %1044, %1029 : tensor<1x4x8xf32>
      %1046 = arith.mulf %823, %853 : tensor<8xf32>
      %1047 = tt.expand_dims %1046 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1048 = tt.expand_dims %1047 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1049 = tt.expand_dims %268 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1050 = tt.broadcast %1048 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1051 = tt.broadcast %1049 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1052 = arith.mulf %1050, %1051 : tensor<1x4x8xf32>
      %1053 = math.fma %901, %1037, %1052 : tensor<1x4x8xf32>
      %1054 = arith.mulf %1038, %910 : tensor<1x4x8xf32>
      %1055 = tt.expand_dims %971 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1056 = tt.expand_dims %1055 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1057 = tt.expand_dims %335 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1058 = tt.broadcast %1056 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1059 = tt.broadcast %1057 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1060 = arith.mulf %1058, %1059 : tensor<1x4x8xf32>
      %1061 = math.fma %1054, %1060, %1045 : tensor<1x4x8xf32>
      %1062 = arith.mulf %824, %854 : tensor<8xf32>
      %1063 = tt.expand_dims %1062 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1064 = tt.expand_dims %1063 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1065 = tt.expand_dims %270 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1066 = tt.broadcast %1064 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1067 = tt.broadcast %1065 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1068 = arith.mulf %1066, %1067 : tensor<1x4x8xf32>
      %1069 = math.fma %910, %1053, %1068 : tensor<1x4x8xf32>
      %1070 = arith.mulf %1054, %919 : tensor<1x4x8xf32>
      %1071 = tt.expand_dims %972 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1072 = tt.expand_dims %1071 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1073 = tt.expand_dims %337 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1074 = tt.broadcast %1072 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1075 = tt.broadcast %1073 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1076 = arith.mulf %1074, %1075 : tensor<1x4x8xf32>
      %1077 = math.fma %1070, %1076, %1061 : tensor<1x4x8xf32>
      %1078 = arith.mulf %825, %855 : tensor<8xf32>
      %1079 = tt.expand_dims %1078 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1080 = tt.expand_dims %1079 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1081 = tt.expand_dims %272 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1082 = tt.broadcast %1080 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1083 = tt.broadcast %1081 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1084 = arith.mulf %1082, %1083 : tensor<1x4x8xf32>
      %1085 = math.fma %919, %1069, %1084 : tensor<1x4x8xf32>
      %1086 = arith.mulf %1070, %928 : tensor<1x4x8xf32>
      %1087 = tt.expand_dims %973 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1088 = tt.expand_dims %1087 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1089 = tt.expand_dims %339 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1090 = tt.broadcast %1088 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1091 = tt.broadcast %1089 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1092 = arith.mulf %1090, %1091 : tensor<1x4x8xf32>
      %1093 = math.fma %1086, %1092, %1077 : tensor<1x4x8xf32>
      %1094 = arith.mulf %826, %856 : tensor<8xf32>
      %1095 = tt.expand_dims %1094 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1096 = tt.expand_dims %1095 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1097 = tt.expand_dims %274 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1098 = tt.broadcast %1096 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1099 = tt.broadcast %1097 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1100 = arith.mulf %1098, %1099 : tensor<1x4x8xf32>
      %1101 = math.fma %928, %1085, %1100 : tensor<1x4x8xf32>
      scf.yield %746, %731, %738, %1101, %1086, %1093 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    } {tt.num_stages = 3 : i32}
    %1108 = arith.extsi %11 : i32 to i64
    %1109 = arith.muli %30, %145 : i64
    %1110 = arith.addi %1109, %1108 : i64
    %1111 = arith.muli %1110, %148 : i64
    %1112 = tt.addptr %factors, %1111 : !tt.ptr<f32>, i64
    %1113 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1114 = tt.expand_dims %1113 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1115 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1116 = arith.muli %1114, %1115 : tensor<1x1x8xi32>
    %1117 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1118 = tt.broadcast %1116 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1119 = tt.broadcast %1117 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1120 = arith.addi %1118, %1119 : tensor<1x4x8xi32>
    %1121 = tt.splat %1112 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1122 = tt.addptr %1121, %1120 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1123 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1124 = tt.expand_dims %1123 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1125 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1126 = tt.broadcast %1124 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1127 = tt.broadcast %1125 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1128 = arith.andi %1126, %1127 : tensor<1x4x8xi1>
    tt.store %1122, %1102#1, %1128 : tensor<1x4x8x!tt.ptr<f32>>
    %1129 = arith.extsi %11 : i32 to i64
    %1130 = arith.muli %30, %145 : i64
    %1131 = arith.addi %1130, %1129 : i64
    %1132 = arith.muli %1131, %148 : i64
    %1133 = tt.addptr %summands, %1132 : !tt.ptr<f32>, i64
    %1134 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1135 = tt.expand_dims %1134 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1136 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1137 = arith.muli %1135, %1136 : tensor<1x1x8xi32>
    %1138 = tt.expand_dims %29 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1139 = tt.broadcast %1137 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1140 = tt.broadcast %1138 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1141 = arith.addi %1139, %1140 : tensor<1x4x8xi32>
    %1142 = tt.splat %1133 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1143 = tt.addptr %1142, %1141 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1144 = tt.expand_dims %33 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1145 = tt.expand_dims %1144 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1146 = tt.expand_dims %36 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1147 = tt.broadcast %1145 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1148 = tt.broadcast %1146 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1149 = arith.andi %1147, %1148 : tensor<1x4x8xi1>
    tt.store %1143, %1102#2, %1149 : tensor<1x4x8x!tt.ptr<f32>>
    %1150 = arith.extsi %11 : i32 to i64
    %1151 = arith.muli %91, %145 : i64
    %1152 = arith.addi %1151, %1150 : i64
    %1153 = arith.muli %1152, %148 : i64
    %1154 = tt.addptr %factors, %1153 : !tt.ptr<f32>, i64
    %1155 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1156 = tt.expand_dims %1155 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1157 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1158 = arith.muli %1156, %1157 : tensor<1x1x8xi32>
    %1159 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1160 = tt.broadcast %1158 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1161 = tt.broadcast %1159 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1162 = arith.addi %1160, %1161 : tensor<1x4x8xi32>
    %1163 = tt.splat %1154 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1164 = tt.addptr %1163, %1162 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1165 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1166 = tt.expand_dims %1165 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1167 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1168 = tt.broadcast %1166 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1169 = tt.broadcast %1167 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1170 = arith.andi %1168, %1169 : tensor<1x4x8xi1>
    tt.store %1164, %1102#4, %1170 : tensor<1x4x8x!tt.ptr<f32>>
    %1171 = arith.extsi %11 : i32 to i64
    %1172 = arith.muli %91, %145 : i64
    %1173 = arith.addi %1172, %1171 : i64
    %1174 = arith.muli %1173, %148 : i64
    %1175 = tt.addptr %summands, %1174 : !tt.ptr<f32>, i64
    %1176 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1177 = tt.expand_dims %1176 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1178 = tt.splat %34 : i32 -> tensor<1x1x8xi32>
    %1179 = arith.muli %1177, %1178 : tensor<1x1x8xi32>
    %1180 = tt.expand_dims %90 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1181 = tt.broadcast %1179 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1182 = tt.broadcast %1180 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1183 = arith.addi %1181, %1182 : tensor<1x4x8xi32>
    %1184 = tt.splat %1175 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1185 = tt.addptr %1184, %1183 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1186 = tt.expand_dims %93 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1187 = tt.expand_dims %1186 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1188 = tt.expand_dims %95 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1189 = tt.broadcast %1187 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1190 = tt.broadcast %1188 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1191 = arith.andi %1189, %1190 : tensor<1x4x8xi1>
    tt.store %1185, %1102#5, %1191 : tensor<1x4x8x!tt.ptr<f32>>
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
    %390 = arith.constant dense<0.0e0> : tensor<8xf32>
    %391 = arith.constant 0xFF800000 : f32
    %426 = arith.constant 2 : i64
    %466 = arith.constant 0.0e0 : bf16
    %745 = arith.constant 4 : i32
    %1528 = arith.constant 6.931472e-1 : f32
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
    %2577:4 = scf.for %226 = %19 to %176 step %26 iter_args(%227 = %201, %228 = %202, %229 = %225, %230 = %202) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) : i32 {
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
      %389 = arith.sitofp %378 : tensor<8xi32> to tensor<8xf32>
      %392 = tt.splat %391 : f32 -> tensor<8xf32>
      %393 = arith.select %388, %390, %392 : tensor<8xi1>, tensor<8xf32>
      %394 = tt.expand_dims %393 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
      %395 = tt.trans %394 {order = array<i32: 1, 0>} : tensor<8x1xf32> -> tensor<1x8xf32>
      %396 = tt.reshape %395 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %397:2 = tt.split %396 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %399 = tt.reshape %397#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %400:2 = tt.split %399 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %402 = tt.reshape %397#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %403:2 = tt.split %402 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %405 = tt.reshape %400#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %406:2 = tt.split %405 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %408 = tt.reshape %403#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %409:2 = tt.split %408 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %411 = tt.reshape %400#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %412:2 = tt.split %411 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %414 = tt.reshape %403#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %415:2 = tt.split %414 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %417 = tt.reshape %406#0 : tensor<1x1xf32> -> tensor<1xf32>
      %418 = tt.reshape %409#0 : tensor<1x1xf32> -> tensor<1xf32>
      %419 = tt.reshape %412#0 : tensor<1x1xf32> -> tensor<1xf32>
      %420 = tt.reshape %415#0 : tensor<1x1xf32> -> tensor<1xf32>
      %421 = tt.reshape %406#1 : tensor<1x1xf32> -> tensor<1xf32>
      %422 = tt.reshape %409#1 : tensor<1x1xf32> -> tensor<1xf32>
      %423 = tt.reshape %412#1 : tensor<1x1xf32> -> tensor<1xf32>
      %424 = tt.reshape %415#1 : tensor<1x1xf32> -> tensor<1xf32>
      %425 = arith.extsi %237 : i32 to i64
      %427 = arith.muli %33, %426 : i64
      %428 = arith.addi %427, %425 : i64
      %429 = arith.muli %428, %181 : i64
      %430 = tt.addptr %states, %429 : !tt.ptr<f32>, i64
      %431 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %432 = tt.expand_dims %431 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %433 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %434 = arith.muli %432, %433 : tensor<1x1x8xi32>
      %435 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %436 = tt.broadcast %434 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %437 = tt.broadcast %435 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %438 = arith.addi %436, %437 : tensor<1x4x8xi32>
      %439 = tt.splat %430 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %440 = tt.addptr %439, %438 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %441 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %442 = tt.expand_dims %441 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %443 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %444 = tt.broadcast %442 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %445 = tt.broadcast %443 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %446 = arith.andi %444, %445 : tensor<1x4x8xi1>
      %447 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %448 = tt.load %440, %446, %447 : tensor<1x4x8x!tt.ptr<f32>>
      %449 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %450 = tt.splat %238 : i32 -> tensor<8xi32>
      %451 = arith.addi %450, %449 : tensor<8xi32>
      %452 = tt.splat %242 : i32 -> tensor<8xi32>
      %453 = arith.cmpi slt, %451, %452 : tensor<8xi32>
      %454 = tt.expand_dims %45 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %455 = tt.expand_dims %451 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %456 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %457 = arith.muli %455, %456 : tensor<8x1xi32>
      %458 = tt.broadcast %454 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %459 = tt.broadcast %457 : tensor<8x1xi32> -> tensor<8x8xi32>
      %460 = tt.addptr %458, %459 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %461 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %462 = tt.expand_dims %453 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %463 = tt.broadcast %461 : tensor<1x8xi1> -> tensor<8x8xi1>
      %464 = tt.broadcast %462 : tensor<8x1xi1> -> tensor<8x8xi1>
      %465 = arith.andi %463, %464 : tensor<8x8xi1>
      %467 = tt.splat %466 : bf16 -> tensor<8x8xbf16>
      %468 = tt.load %460, %465, %467 : tensor<8x8x!tt.ptr<bf16>>
      %469 = arith.extf %468 : tensor<8x8xbf16> to tensor<8x8xf32>
      %470 = tt.expand_dims %50 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %471 = tt.expand_dims %451 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %472 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %473 = arith.muli %471, %472 : tensor<8x1xi32>
      %474 = tt.broadcast %470 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %475 = tt.broadcast %473 : tensor<8x1xi32> -> tensor<8x8xi32>
      %476 = tt.addptr %474, %475 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %477 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %478 = tt.expand_dims %453 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %479 = tt.broadcast %477 : tensor<1x8xi1> -> tensor<8x8xi1>
      %480 = tt.broadcast %478 : tensor<8x1xi1> -> tensor<8x8xi1>
      %481 = arith.andi %479, %480 : tensor<8x8xi1>
      %482 = tt.splat %67 : f32 -> tensor<8x8xf32>
      %483 = tt.load %476, %481, %482 : tensor<8x8x!tt.ptr<f32>>
      %484 = tt.expand_dims %77 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %485 = tt.expand_dims %451 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %486 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %487 = arith.muli %485, %486 : tensor<8x1xi32>
      %488 = tt.broadcast %484 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %489 = tt.broadcast %487 : tensor<8x1xi32> -> tensor<8x8xi32>
      %490 = tt.addptr %488, %489 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %491 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %492 = tt.expand_dims %453 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %493 = tt.broadcast %491 : tensor<1x8xi1> -> tensor<8x8xi1>
      %494 = tt.broadcast %492 : tensor<8x1xi1> -> tensor<8x8xi1>
      %495 = arith.andi %493, %494 : tensor<8x8xi1>
      %496 = tt.splat %466 : bf16 -> tensor<8x8xbf16>
      %497 = tt.load %490, %495, %496 : tensor<8x8x!tt.ptr<bf16>>
      %498 = arith.extf %497 : tensor<8x8xbf16> to tensor<8x8xf32>
      %499 = tt.trans %498 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %500 = tt.reshape %499 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %501:2 = tt.split %500 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %503 = tt.reshape %501#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %504:2 = tt.split %503 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %506 = tt.reshape %501#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %507:2 = tt.split %506 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %509 = tt.reshape %504#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %510:2 = tt.split %509 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %512 = tt.reshape %507#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %513:2 = tt.split %512 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %515 = tt.reshape %504#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %516:2 = tt.split %515 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %518 = tt.reshape %507#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %519:2 = tt.split %518 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %521 = tt.reshape %510#0 : tensor<8x1xf32> -> tensor<8xf32>
      %522 = tt.reshape %513#0 : tensor<8x1xf32> -> tensor<8xf32>
      %523 = tt.reshape %516#0 : tensor<8x1xf32> -> tensor<8xf32>
      %524 = tt.reshape %519#0 : tensor<8x1xf32> -> tensor<8xf32>
      %525 = tt.reshape %510#1 : tensor<8x1xf32> -> tensor<8xf32>
      %526 = tt.reshape %513#1 : tensor<8x1xf32> -> tensor<8xf32>
      %527 = tt.reshape %516#1 : tensor<8x1xf32> -> tensor<8xf32>
      %528 = tt.reshape %519#1 : tensor<8x1xf32> -> tensor<8xf32>
      %529 = tt.trans %469 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %530 = tt.reshape %529 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %531:2 = tt.split %530 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %533 = tt.reshape %531#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %534:2 = tt.split %533 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %536 = tt.reshape %531#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %537:2 = tt.split %536 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %539 = tt.reshape %534#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %540:2 = tt.split %539 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %542 = tt.reshape %537#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %543:2 = tt.split %542 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %545 = tt.reshape %534#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %546:2 = tt.split %545 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %548 = tt.reshape %537#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %549:2 = tt.split %548 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %551 = tt.reshape %540#0 : tensor<8x1xf32> -> tensor<8xf32>
      %552 = tt.reshape %543#0 : tensor<8x1xf32> -> tensor<8xf32>
      %553 = tt.reshape %546#0 : tensor<8x1xf32> -> tensor<8xf32>
      %554 = tt.reshape %549#0 : tensor<8x1xf32> -> tensor<8xf32>
      %555 = tt.reshape %540#1 : tensor<8x1xf32> -> tensor<8xf32>
      %556 = tt.reshape %543#1 : tensor<8x1xf32> -> tensor<8xf32>
      %557 = tt.reshape %546#1 : tensor<8x1xf32> -> tensor<8xf32>
      %558 = tt.reshape %549#1 : tensor<8x1xf32> -> tensor<8xf32>
      %559 = tt.trans %483 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %560 = tt.reshape %559 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %561:2 = tt.split %560 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %563 = tt.reshape %561#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %564:2 = tt.split %563 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %566 = tt.reshape %561#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %567:2 = tt.split %566 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %569 = tt.reshape %564#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %570:2 = tt.split %569 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %572 = tt.reshape %567#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %573:2 = tt.split %572 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %575 = tt.reshape %564#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %576:2 = tt.split %575 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %578 = tt.reshape %567#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %579:2 = tt.split %578 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %581 = tt.reshape %570#0 : tensor<8x1xf32> -> tensor<8xf32>
      %582 = tt.reshape %573#0 : tensor<8x1xf32> -> tensor<8xf32>
      %583 = tt.reshape %576#0 : tensor<8x1xf32> -> tensor<8xf32>
      %584 = tt.reshape %579#0 : tensor<8x1xf32> -> tensor<8xf32>
      %585 = tt.reshape %570#1 : tensor<8x1xf32> -> tensor<8xf32>
      %586 = tt.reshape %573#1 : tensor<8x1xf32> -> tensor<8xf32>
      %587 = tt.reshape %576#1 : tensor<8x1xf32> -> tensor<8xf32>
      %588 = tt.reshape %579#1 : tensor<8x1xf32> -> tensor<8xf32>
      %589 = tt.expand_dims %581 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %590 = tt.expand_dims %589 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %591 = tt.broadcast %590 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %592 = arith.mulf %591, %72 : tensor<1x4x8xf32>
      %593 = tt.expand_dims %417 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %594 = tt.expand_dims %593 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %595 = tt.broadcast %594 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %596 = arith.addf %592, %595 : tensor<1x4x8xf32>
      %597 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %596 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %598 = arith.mulf %551, %581 : tensor<8xf32>
      %599 = tt.expand_dims %598 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %600 = tt.expand_dims %599 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %601 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %602 = tt.broadcast %600 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %603 = tt.broadcast %601 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %604 = arith.mulf %602, %603 : tensor<1x4x8xf32>
      %605 = math.fma %597, %448, %604 : tensor<1x4x8xf32>
      %606 = tt.expand_dims %582 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %607 = tt.expand_dims %606 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %608 = tt.broadcast %607 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %609 = arith.mulf %608, %72 : tensor<1x4x8xf32>
      %610 = tt.expand_dims %418 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %611 = tt.expand_dims %610 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %612 = tt.broadcast %611 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %613 = arith.addf %609, %612 : tensor<1x4x8xf32>
      %614 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %613 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %615 = arith.mulf %552, %582 : tensor<8xf32>
      %616 = tt.expand_dims %615 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %617 = tt.expand_dims %616 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %618 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %619 = tt.broadcast %617 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %620 = tt.broadcast %618 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %621 = arith.mulf %619, %620 : tensor<1x4x8xf32>
      %622 = math.fma %614, %605, %621 : tensor<1x4x8xf32>
      %623 = tt.expand_dims %583 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %624 = tt.expand_dims %623 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %625 = tt.broadcast %624 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %626 = arith.mulf %625, %72 : tensor<1x4x8xf32>
      %627 = tt.expand_dims %419 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %628 = tt.expand_dims %627 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %629 = tt.broadcast %628 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %630 = arith.addf %626, %629 : tensor<1x4x8xf32>
      %631 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %630 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %632 = arith.mulf %553, %583 : tensor<8xf32>
      %633 = tt.expand_dims %632 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %634 = tt.expand_dims %633 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %635 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %636 = tt.broadcast %634 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %637 = tt.broadcast %635 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %638 = arith.mulf %636, %637 : tensor<1x4x8xf32>
      %639 = math.fma %631, %622, %638 : tensor<1x4x8xf32>
      %640 = tt.expand_dims %584 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %641 = tt.expand_dims %640 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %642 = tt.broadcast %641 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %643 = arith.mulf %642, %72 : tensor<1x4x8xf32>
      %644 = tt.expand_dims %420 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %645 = tt.expand_dims %644 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %646 = tt.broadcast %645 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %647 = arith.addf %643, %646 : tensor<1x4x8xf32>
      %648 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %647 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %649 = arith.mulf %554, %584 : tensor<8xf32>
      %650 = tt.expand_dims %649 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %651 = tt.expand_dims %650 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %652 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %653 = tt.broadcast %651 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %654 = tt.broadcast %652 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %655 = arith.mulf %653, %654 : tensor<1x4x8xf32>
      %656 = math.fma %648, %639, %655 : tensor<1x4x8xf32>
      %657 = tt.expand_dims %585 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %658 = tt.expand_dims %657 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %659 = tt.broadcast %658 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %660 = arith.mulf %659, %72 : tensor<1x4x8xf32>
      %661 = tt.expand_dims %421 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %662 = tt.expand_dims %661 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %663 = tt.broadcast %662 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %664 = arith.addf %660, %663 : tensor<1x4x8xf32>
      %665 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %664 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %666 = arith.mulf %555, %585 : tensor<8xf32>
      %667 = tt.expand_dims %666 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %668 = tt.expand_dims %667 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %669 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %670 = tt.broadcast %668 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %671 = tt.broadcast %669 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %672 = arith.mulf %670, %671 : tensor<1x4x8xf32>
      %673 = math.fma %665, %656, %672 : tensor<1x4x8xf32>
      %674 = tt.expand_dims %586 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %675 = tt.expand_dims %674 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %676 = tt.broadcast %675 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %677 = arith.mulf %676, %72 : tensor<1x4x8xf32>
      %678 = tt.expand_dims %422 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %679 = tt.expand_dims %678 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %680 = tt.broadcast %679 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %681 = arith.addf %677, %680 : tensor<1x4x8xf32>
      %682 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %681 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %683 = arith.mulf %556, %586 : tensor<8xf32>
      %684 = tt.expand_dims %683 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %685 = tt.expand_dims %684 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %686 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %687 = tt.broadcast %685 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %688 = tt.broadcast %686 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %689 = arith.mulf %687, %688 : tensor<1x4x8xf32>
      %690 = math.fma %682, %673, %689 : tensor<1x4x8xf32>
      %691 = tt.expand_dims %587 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %692 = tt.expand_dims %691 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %693 = tt.broadcast %692 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %694 = arith.mulf %693, %72 : tensor<1x4x8xf32>
      %695 = tt.expand_dims %423 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %696 = tt.expand_dims %695 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %697 = tt.broadcast %696 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %698 = arith.addf %694, %697 : tensor<1x4x8xf32>
      %699 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %698 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %700 = arith.mulf %557, %587 : tensor<8xf32>
      %701 = tt.expand_dims %700 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %702 = tt.expand_dims %701 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %703 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %704 = tt.broadcast %702 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %705 = tt.broadcast %703 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %706 = arith.mulf %704, %705 : tensor<1x4x8xf32>
      %707 = math.fma %699, %690, %706 : tensor<1x4x8xf32>
      %708 = tt.expand_dims %588 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %709 = tt.expand_dims %708 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %710 = tt.broadcast %709 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %711 = arith.mulf %710, %72 : tensor<1x4x8xf32>
      %712 = tt.expand_dims %424 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %713 = tt.expand_dims %712 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %714 = tt.broadcast %713 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %715 = arith.addf %711, %714 : tensor<1x4x8xf32>
      %716 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %715 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %717 = arith.mulf %558, %588 : tensor<8xf32>
      %718 = tt.expand_dims %717 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %719 = tt.expand_dims %718 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %720 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %721 = tt.broadcast %719 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %722 = tt.broadcast %720 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %723 = arith.mulf %721, %722 : tensor<1x4x8xf32>
      %724 = math.fma %716, %707, %723 : tensor<1x4x8xf32>
      %725 = tt.reshape %469 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %726 = tt.trans %725 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %727 = tt.reshape %726 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %728:2 = tt.split %727 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %730 = tt.reshape %728#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %731 = tt.reshape %728#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %732 = tt.reshape %483 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %733 = tt.trans %732 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %734 = tt.reshape %733 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %735:2 = tt.split %734 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %737 = tt.reshape %735#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %738 = tt.reshape %735#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %739 = arith.addi %238, %19 : i32
      %740 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %741 = tt.splat %739 : i32 -> tensor<4xi32>
      %742 = arith.addi %741, %740 : tensor<4xi32>
      %743 = tt.splat %242 : i32 -> tensor<4xi32>
      %744 = arith.cmpi slt, %742, %743 : tensor<4xi32>
      %746 = arith.addi %238, %745 : i32
      %747 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %748 = tt.splat %746 : i32 -> tensor<4xi32>
      %749 = arith.addi %748, %747 : tensor<4xi32>
      %750 = tt.splat %242 : i32 -> tensor<4xi32>
      %751 = arith.cmpi slt, %749, %750 : tensor<4xi32>
      %752 = arith.extsi %237 : i32 to i64
      %753 = arith.muli %104, %426 : i64
      %754 = arith.addi %753, %752 : i64
      %755 = arith.muli %754, %181 : i64
      %756 = tt.addptr %states, %755 : !tt.ptr<f32>, i64
      %757 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %758 = tt.expand_dims %757 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %759 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %760 = arith.muli %758, %759 : tensor<1x1x8xi32>
      %761 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %762 = tt.broadcast %760 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %763 = tt.broadcast %761 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %764 = arith.addi %762, %763 : tensor<1x4x8xi32>
      %765 = tt.splat %756 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %766 = tt.addptr %765, %764 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %767 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %768 = tt.expand_dims %767 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %769 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %770 = tt.broadcast %768 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %771 = tt.broadcast %769 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %772 = arith.andi %770, %771 : tensor<1x4x8xi1>
      %773 = tt.splat %67 : f32 -> tensor<1x4x8xf32>
      %774 = tt.load %766, %772, %773 : tensor<1x4x8x!tt.ptr<f32>>
      %775 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %776 = tt.splat %238 : i32 -> tensor<8xi32>
      %777 = arith.addi %776, %775 : tensor<8xi32>
      %778 = tt.splat %242 : i32 -> tensor<8xi32>
      %779 = arith.cmpi slt, %777, %778 : tensor<8xi32>
      %780 = tt.expand_dims %113 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %781 = tt.expand_dims %777 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %782 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %783 = arith.muli %781, %782 : tensor<8x1xi32>
      %784 = tt.broadcast %780 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %785 = tt.broadcast %783 : tensor<8x1xi32> -> tensor<8x8xi32>
      %786 = tt.addptr %784, %785 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %787 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %788 = tt.expand_dims %779 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %789 = tt.broadcast %787 : tensor<1x8xi1> -> tensor<8x8xi1>
      %790 = tt.broadcast %788 : tensor<8x1xi1> -> tensor<8x8xi1>
      %791 = arith.andi %789, %790 : tensor<8x8xi1>
      %792 = tt.splat %466 : bf16 -> tensor<8x8xbf16>
      %793 = tt.load %786, %791, %792 : tensor<8x8x!tt.ptr<bf16>>
      %794 = arith.extf %793 : tensor<8x8xbf16> to tensor<8x8xf32>
      %795 = tt.expand_dims %118 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %796 = tt.expand_dims %777 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %797 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %798 = arith.muli %796, %797 : tensor<8x1xi32>
      %799 = tt.broadcast %795 : tensor<1x8x!tt.ptr<f32>> -> tensor<8x8x!tt.ptr<f32>>
      %800 = tt.broadcast %798 : tensor<8x1xi32> -> tensor<8x8xi32>
      %801 = tt.addptr %799, %800 : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
      %802 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %803 = tt.expand_dims %779 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %804 = tt.broadcast %802 : tensor<1x8xi1> -> tensor<8x8xi1>
      %805 = tt.broadcast %803 : tensor<8x1xi1> -> tensor<8x8xi1>
      %806 = arith.andi %804, %805 : tensor<8x8xi1>
      %807 = tt.splat %67 : f32 -> tensor<8x8xf32>
      %808 = tt.load %801, %806, %807 : tensor<8x8x!tt.ptr<f32>>
      %809 = tt.expand_dims %143 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %810 = tt.expand_dims %777 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
      %811 = tt.splat %34 : i32 -> tensor<8x1xi32>
      %812 = arith.muli %810, %811 : tensor<8x1xi32>
      %813 = tt.broadcast %809 : tensor<1x8x!tt.ptr<bf16>> -> tensor<8x8x!tt.ptr<bf16>>
      %814 = tt.broadcast %812 : tensor<8x1xi32> -> tensor<8x8xi32>
      %815 = tt.addptr %813, %814 : tensor<8x8x!tt.ptr<bf16>>, tensor<8x8xi32>
      %816 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %817 = tt.expand_dims %779 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
      %818 = tt.broadcast %816 : tensor<1x8xi1> -> tensor<8x8xi1>
      %819 = tt.broadcast %817 : tensor<8x1xi1> -> tensor<8x8xi1>
      %820 = arith.andi %818, %819 : tensor<8x8xi1>
      %821 = tt.splat %466 : bf16 -> tensor<8x8xbf16>
      %822 = tt.load %815, %820, %821 : tensor<8x8x!tt.ptr<bf16>>
      %823 = arith.extf %822 : tensor<8x8xbf16> to tensor<8x8xf32>
      %824 = tt.trans %823 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %825 = tt.reshape %824 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %826:2 = tt.split %825 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %828 = tt.reshape %826#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %829:2 = tt.split %828 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %831 = tt.reshape %826#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %832:2 = tt.split %831 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %834 = tt.reshape %829#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %835:2 = tt.split %834 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %837 = tt.reshape %832#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %838:2 = tt.split %837 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %840 = tt.reshape %829#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %841:2 = tt.split %840 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %843 = tt.reshape %832#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %844:2 = tt.split %843 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %846 = tt.reshape %835#0 : tensor<8x1xf32> -> tensor<8xf32>
      %847 = tt.reshape %838#0 : tensor<8x1xf32> -> tensor<8xf32>
      %848 = tt.reshape %841#0 : tensor<8x1xf32> -> tensor<8xf32>
      %849 = tt.reshape %844#0 : tensor<8x1xf32> -> tensor<8xf32>
      %850 = tt.reshape %835#1 : tensor<8x1xf32> -> tensor<8xf32>
      %851 = tt.reshape %838#1 : tensor<8x1xf32> -> tensor<8xf32>
      %852 = tt.reshape %841#1 : tensor<8x1xf32> -> tensor<8xf32>
      %853 = tt.reshape %844#1 : tensor<8x1xf32> -> tensor<8xf32>
      %854 = tt.trans %794 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %855 = tt.reshape %854 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %856:2 = tt.split %855 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %858 = tt.reshape %856#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %859:2 = tt.split %858 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %861 = tt.reshape %856#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %862:2 = tt.split %861 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %864 = tt.reshape %859#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %865:2 = tt.split %864 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %867 = tt.reshape %862#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %868:2 = tt.split %867 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %870 = tt.reshape %859#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %871:2 = tt.split %870 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %873 = tt.reshape %862#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %874:2 = tt.split %873 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %876 = tt.reshape %865#0 : tensor<8x1xf32> -> tensor<8xf32>
      %877 = tt.reshape %868#0 : tensor<8x1xf32> -> tensor<8xf32>
      %878 = tt.reshape %871#0 : tensor<8x1xf32> -> tensor<8xf32>
      %879 = tt.reshape %874#0 : tensor<8x1xf32> -> tensor<8xf32>
      %880 = tt.reshape %865#1 : tensor<8x1xf32> -> tensor<8xf32>
      %881 = tt.reshape %868#1 : tensor<8x1xf32> -> tensor<8xf32>
      %882 = tt.reshape %871#1 : tensor<8x1xf32> -> tensor<8xf32>
      %883 = tt.reshape %874#1 : tensor<8x1xf32> -> tensor<8xf32>
      %884 = tt.trans %808 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
      %885 = tt.reshape %884 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %886:2 = tt.split %885 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %888 = tt.reshape %886#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %889:2 = tt.split %888 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %891 = tt.reshape %886#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %892:2 = tt.split %891 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %894 = tt.reshape %889#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %895:2 = tt.split %894 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %897 = tt.reshape %892#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %898:2 = tt.split %897 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %900 = tt.reshape %889#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %901:2 = tt.split %900 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %903 = tt.reshape %892#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %904:2 = tt.split %903 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %906 = tt.reshape %895#0 : tensor<8x1xf32> -> tensor<8xf32>
      %907 = tt.reshape %898#0 : tensor<8x1xf32> -> tensor<8xf32>
      %908 = tt.reshape %901#0 : tensor<8x1xf32> -> tensor<8xf32>
      %909 = tt.reshape %904#0 : tensor<8x1xf32> -> tensor<8xf32>
      %910 = tt.reshape %895#1 : tensor<8x1xf32> -> tensor<8xf32>
      %911 = tt.reshape %898#1 : tensor<8x1xf32> -> tensor<8xf32>
      %912 = tt.reshape %901#1 : tensor<8x1xf32> -> tensor<8xf32>
      %913 = tt.reshape %904#1 : tensor<8x1xf32> -> tensor<8xf32>
      %914 = tt.expand_dims %906 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %915 = tt.expand_dims %914 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %916 = tt.broadcast %915 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %917 = arith.mulf %916, %138 : tensor<1x4x8xf32>
      %918 = tt.expand_dims %417 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %919 = tt.expand_dims %918 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %920 = tt.broadcast %919 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %921 = arith.addf %917, %920 : tensor<1x4x8xf32>
      %922 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %921 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %923 = arith.mulf %876, %906 : tensor<8xf32>
      %924 = tt.expand_dims %923 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %925 = tt.expand_dims %924 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %926 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %927 = tt.broadcast %925 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %928 = tt.broadcast %926 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %929 = arith.mulf %927, %928 : tensor<1x4x8xf32>
      %930 = math.fma %922, %774, %929 : tensor<1x4x8xf32>
      %931 = tt.expand_dims %907 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %932 = tt.expand_dims %931 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %933 = tt.broadcast %932 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %934 = arith.mulf %933, %138 : tensor<1x4x8xf32>
      %935 = tt.expand_dims %418 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %936 = tt.expand_dims %935 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %937 = tt.broadcast %936 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %938 = arith.addf %934, %937 : tensor<1x4x8xf32>
      %939 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %938 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %940 = arith.mulf %877, %907 : tensor<8xf32>
      %941 = tt.expand_dims %940 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %942 = tt.expand_dims %941 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %943 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %944 = tt.broadcast %942 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %945 = tt.broadcast %943 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %946 = arith.mulf %944, %945 : tensor<1x4x8xf32>
      %947 = math.fma %939, %930, %946 : tensor<1x4x8xf32>
      %948 = tt.expand_dims %908 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %949 = tt.expand_dims %948 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %950 = tt.broadcast %949 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %951 = arith.mulf %950, %138 : tensor<1x4x8xf32>
      %952 = tt.expand_dims %419 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %953 = tt.expand_dims %952 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %954 = tt.broadcast %953 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %955 = arith.addf %951, %954 : tensor<1x4x8xf32>
      %956 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %955 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %957 = arith.mulf %878, %908 : tensor<8xf32>
      %958 = tt.expand_dims %957 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %959 = tt.expand_dims %958 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %960 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %961 = tt.broadcast %959 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %962 = tt.broadcast %960 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %963 = arith.mulf %961, %962 : tensor<1x4x8xf32>
      %964 = math.fma %956, %947, %963 : tensor<1x4x8xf32>
      %965 = tt.expand_dims %909 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %966 = tt.expand_dims %965 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %967 = tt.broadcast %966 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %968 = arith.mulf %967, %138 : tensor<1x4x8xf32>
      %969 = tt.expand_dims %420 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %970 = tt.expand_dims %969 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %971 = tt.broadcast %970 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %972 = arith.addf %968, %971 : tensor<1x4x8xf32>
      %973 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %972 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %974 = arith.mulf %879, %909 : tensor<8xf32>
      %975 = tt.expand_dims %974 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %976 = tt.expand_dims %975 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %977 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %978 = tt.broadcast %976 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %979 = tt.broadcast %977 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %980 = arith.mulf %978, %979 : tensor<1x4x8xf32>
      %981 = math.fma %973, %964, %980 : tensor<1x4x8xf32>
      %982 = tt.expand_dims %910 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %983 = tt.expand_dims %982 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %984 = tt.broadcast %983 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %985 = arith.mulf %984, %138 : tensor<1x4x8xf32>
      %986 = tt.expand_dims %421 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %987 = tt.expand_dims %986 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %988 = tt.broadcast %987 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %989 = arith.addf %985, %988 : tensor<1x4x8xf32>
      %990 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %989 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %991 = arith.mulf %880, %910 : tensor<8xf32>
      %992 = tt.expand_dims %991 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %993 = tt.expand_dims %992 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %994 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %995 = tt.broadcast %993 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %996 = tt.broadcast %994 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %997 = arith.mulf %995, %996 : tensor<1x4x8xf32>
      %998 = math.fma %990, %981, %997 : tensor<1x4x8xf32>
      %999 = tt.expand_dims %911 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1000 = tt.expand_dims %999 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1001 = tt.broadcast %1000 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1002 = arith.mulf %1001, %138 : tensor<1x4x8xf32>
      %1003 = tt.expand_dims %422 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %1004 = tt.expand_dims %1003 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %1005 = tt.broadcast %1004 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %1006 = arith.addf %1002, %1005 : tensor<1x4x8xf32>
      %1007 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1006 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1008 = arith.mulf %881, %911 : tensor<8xf32>
      %1009 = tt.expand_dims %1008 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1010 = tt.expand_dims %1009 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1011 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1012 = tt.broadcast %1010 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1013 = tt.broadcast %1011 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1014 = arith.mulf %1012, %1013 : tensor<1x4x8xf32>
      %1015 = math.fma %1007, %998, %1014 : tensor<1x4x8xf32>
      %1016 = tt.expand_dims %912 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1017 = tt.expand_dims %1016 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1018 = tt.broadcast %1017 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1019 = arith.mulf %1018, %138 : tensor<1x4x8xf32>
      %1020 = tt.expand_dims %423 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %1021 = tt.expand_dims %1020 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %1022 = tt.broadcast %1021 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %1023 = arith.addf %1019, %1022 : tensor<1x4x8xf32>
      %1024 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1023 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1025 = arith.mulf %882, %912 : tensor<8xf32>
      %1026 = tt.expand_dims %1025 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1027 = tt.expand_dims %1026 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1028 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1029 = tt.broadcast %1027 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1030 = tt.broadcast %1028 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1031 = arith.mulf %1029, %1030 : tensor<1x4x8xf32>
      %1032 = math.fma %1024, %1015, %1031 : tensor<1x4x8xf32>
      %1033 = tt.expand_dims %913 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1034 = tt.expand_dims %1033 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1035 = tt.broadcast %1034 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1036 = arith.mulf %1035, %138 : tensor<1x4x8xf32>
      %1037 = tt.expand_dims %424 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %1038 = tt.expand_dims %1037 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %1039 = tt.broadcast %1038 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %1040 = arith.addf %1036, %1039 : tensor<1x4x8xf32>
      %1041 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %1040 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %1042 = arith.mulf %883, %913 : tensor<8xf32>
      %1043 = tt.expand_dims %1042 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1044 = tt.expand_dims %1043 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1045 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1046 = tt.broadcast %1044 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1047 = tt.broadcast %1045 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1048 = arith.mulf %1046, %1047 : tensor<1x4x8xf32>
      %1049 = math.fma %1041, %1032, %1048 : tensor<1x4x8xf32>
      %1050 = tt.reshape %794 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %1051 = tt.trans %1050 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %1052 = tt.reshape %1051 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %1053:2 = tt.split %1052 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %1055 = tt.reshape %1053#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1056 = tt.reshape %1053#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1057 = tt.reshape %808 : tensor<8x8xf32> -> tensor<2x4x8xf32>
      %1058 = tt.trans %1057 {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
      %1059 = tt.reshape %1058 : tensor<4x8x2xf32> -> tensor<4x8x1x2xf32>
      %1060:2 = tt.split %1059 : tensor<4x8x1x2xf32> -> tensor<4x8x1xf32>
      %1062 = tt.reshape %1060#0 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1063 = tt.reshape %1060#1 : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1064 = arith.addi %238, %19 : i32
      %1065 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1066 = tt.splat %1064 : i32 -> tensor<4xi32>
      %1067 = arith.addi %1066, %1065 : tensor<4xi32>
      %1068 = tt.splat %242 : i32 -> tensor<4xi32>
      %1069 = arith.cmpi slt, %1067, %1068 : tensor<4xi32>
      %1070 = arith.addi %238, %745 : i32
      %1071 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1072 = tt.splat %1070 : i32 -> tensor<4xi32>
      %1073 = arith.addi %1072, %1071 : tensor<4xi32>
      %1074 = tt.splat %242 : i32 -> tensor<4xi32>
      %1075 = arith.cmpi slt, %1073, %1074 : tensor<4xi32>
      %1076 = tt.expand_dims %528 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1077 = tt.expand_dims %1076 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1078 = tt.expand_dims %374 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1079 = tt.broadcast %1077 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1080 = tt.broadcast %1078 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1081 = math.fma %1079, %1080, %227 : tensor<1x4x8xf32>
      %1082 = arith.mulf %1081, %716 : tensor<1x4x8xf32>
      %1083 = arith.mulf %1082, %707 : tensor<1x4x8xf32>
      %1084 = tt.expand_dims %588 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1085 = tt.expand_dims %1084 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1086 = tt.broadcast %1085 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1087 = math.fma %1086, %1083, %228 : tensor<1x4x8xf32>
      %1088 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1089 = tt.broadcast %1088 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1090 = arith.mulf %1081, %1089 : tensor<1x4x8xf32>
      %1094 = "tt.reduce"(%1090) <{axis = 0 : i32}> ({
      ^bb0(%1091: f32, %1092: f32):
        %1093 = arith.addf %1091, %1092 : f32
        tt.reduce.return %1093 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1095 = arith.mulf %1083, %72 : tensor<1x4x8xf32>
      %1099 = "tt.reduce"(%1095) <{axis = 0 : i32}> ({
      ^bb0(%1096: f32, %1097: f32):
        %1098 = arith.addf %1096, %1097 : f32
        tt.reduce.return %1098 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1100 = arith.mulf %558, %588 : tensor<8xf32>
      %1101 = tt.expand_dims %1100 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1102 = tt.expand_dims %1101 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1103 = tt.broadcast %1102 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1104 = arith.mulf %1081, %1103 : tensor<1x4x8xf32>
      %1105 = tt.expand_dims %528 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1106 = tt.expand_dims %1105 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1107 = tt.broadcast %1106 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1108 = arith.mulf %724, %1107 : tensor<1x4x8xf32>
      %1109 = tt.expand_dims %853 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1110 = tt.expand_dims %1109 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1111 = tt.expand_dims %374 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1112 = tt.broadcast %1110 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1113 = tt.broadcast %1111 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1114 = math.fma %1112, %1113, %229 : tensor<1x4x8xf32>
      %1115 = arith.mulf %1114, %1041 : tensor<1x4x8xf32>
      %1116 = arith.mulf %1115, %1032 : tensor<1x4x8xf32>
      %1117 = tt.expand_dims %913 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1118 = tt.expand_dims %1117 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1119 = tt.broadcast %1118 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1120 = math.fma %1119, %1116, %230 : tensor<1x4x8xf32>
      %1121 = tt.expand_dims %309 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1122 = tt.broadcast %1121 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1123 = arith.mulf %1114, %1122 : tensor<1x4x8xf32>
      %1127 = "tt.reduce"(%1123) <{axis = 0 : i32}> ({
      ^bb0(%1124: f32, %1125: f32):
        %1126 = arith.addf %1124, %1125 : f32
        tt.reduce.return %1126 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1128 = arith.mulf %1116, %138 : tensor<1x4x8xf32>
      %1132 = "tt.reduce"(%1128) <{axis = 0 : i32}> ({
      ^bb0(%1129: f32, %1130: f32):
        %1131 = arith.addf %1129, %1130 : f32
        tt.reduce.return %1131 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1133 = arith.mulf %883, %913 : tensor<8xf32>
      %1134 = tt.expand_dims %1133 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1135 = tt.expand_dims %1134 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1136 = tt.broadcast %1135 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1137 = arith.mulf %1114, %1136 : tensor<1x4x8xf32>
      %1138 = tt.expand_dims %853 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1139 = tt.expand_dims %1138 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1140 = tt.broadcast %1139 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1141 = arith.mulf %1049, %1140 : tensor<1x4x8xf32>
      %1142 = arith.addf %1104, %1137 : tensor<1x4x8xf32>
      %1143 = arith.addf %1108, %1141 : tensor<1x4x8xf32>
      %1144 = tt.expand_dims %527 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1145 = tt.expand_dims %1144 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1146 = tt.expand_dims %372 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1147 = tt.broadcast %1145 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1148 = tt.broadcast %1146 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1149 = math.fma %1147, %1148, %1082 : tensor<1x4x8xf32>
      %1150 = arith.mulf %1149, %699 : tensor<1x4x8xf32>
      %1151 = arith.mulf %1150, %690 : tensor<1x4x8xf32>
      %1152 = tt.expand_dims %587 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1153 = tt.expand_dims %1152 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1154 = tt.broadcast %1153 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1155 = math.fma %1154, %1151, %1087 : tensor<1x4x8xf32>
      %1156 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1157 = tt.broadcast %1156 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1158 = arith.mulf %1149, %1157 : tensor<1x4x8xf32>
      %1162 = "tt.reduce"(%1158) <{axis = 0 : i32}> ({
      ^bb0(%1159: f32, %1160: f32):
        %1161 = arith.addf %1159, %1160 : f32
        tt.reduce.return %1161 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1163 = tt.reshape %1162 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1167 = "tt.reduce"(%1163) <{axis = 1 : i32}> ({
      ^bb0(%1164: f32, %1165: f32):
        %1166 = arith.addf %1164, %1165 : f32
        tt.reduce.return %1166 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1168 = tt.expand_dims %1167 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1169 = tt.reshape %1094 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1173 = "tt.reduce"(%1169) <{axis = 1 : i32}> ({
      ^bb0(%1170: f32, %1171: f32):
        %1172 = arith.addf %1170, %1171 : f32
        tt.reduce.return %1172 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1174 = tt.expand_dims %1173 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1175 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1176 = tt.reshape %1175 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1177 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1178 = arith.cmpi eq, %1176, %1177 : tensor<1x2x1x1xi32>
      %1179 = tt.broadcast %1178 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1180 = tt.broadcast %1174 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1181 = tt.broadcast %1168 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1182 = arith.select %1179, %1180, %1181 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1183 = tt.reshape %1182 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1184 = arith.mulf %1151, %72 : tensor<1x4x8xf32>
      %1188 = "tt.reduce"(%1184) <{axis = 0 : i32}> ({
      ^bb0(%1185: f32, %1186: f32):
        %1187 = arith.addf %1185, %1186 : f32
        tt.reduce.return %1187 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1189 = tt.reshape %1188 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1193 = "tt.reduce"(%1189) <{axis = 1 : i32}> ({
      ^bb0(%1190: f32, %1191: f32):
        %1192 = arith.addf %1190, %1191 : f32
        tt.reduce.return %1192 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1194 = tt.expand_dims %1193 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1195 = tt.reshape %1099 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1199 = "tt.reduce"(%1195) <{axis = 1 : i32}> ({
      ^bb0(%1196: f32, %1197: f32):
        %1198 = arith.addf %1196, %1197 : f32
        tt.reduce.return %1198 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1200 = tt.expand_dims %1199 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1201 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1202 = tt.reshape %1201 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1203 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1204 = arith.cmpi eq, %1202, %1203 : tensor<1x2x1x1xi32>
      %1205 = tt.broadcast %1204 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1206 = tt.broadcast %1200 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1207 = tt.broadcast %1194 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1208 = arith.select %1205, %1206, %1207 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1209 = tt.reshape %1208 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1210 = arith.mulf %557, %587 : tensor<8xf32>
      %1211 = tt.expand_dims %1210 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1212 = tt.expand_dims %1211 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1213 = tt.broadcast %1212 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1214 = arith.mulf %1149, %1213 : tensor<1x4x8xf32>
      %1215 = tt.expand_dims %527 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1216 = tt.expand_dims %1215 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1217 = tt.broadcast %1216 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1218 = arith.mulf %707, %1217 : tensor<1x4x8xf32>
      %1219 = tt.expand_dims %852 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1220 = tt.expand_dims %1219 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1221 = tt.expand_dims %372 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1222 = tt.broadcast %1220 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1223 = tt.broadcast %1221 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1224 = math.fma %1222, %1223, %1115 : tensor<1x4x8xf32>
      %1225 = arith.mulf %1224, %1024 : tensor<1x4x8xf32>
      %1226 = arith.mulf %1225, %1015 : tensor<1x4x8xf32>
      %1227 = tt.expand_dims %912 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1228 = tt.expand_dims %1227 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1229 = tt.broadcast %1228 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1230 = math.fma %1229, %1226, %1120 : tensor<1x4x8xf32>
      %1231 = tt.expand_dims %307 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1232 = tt.broadcast %1231 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1233 = arith.mulf %1224, %1232 : tensor<1x4x8xf32>
      %1237 = "tt.reduce"(%1233) <{axis = 0 : i32}> ({
      ^bb0(%1234: f32, %1235: f32):
        %1236 = arith.addf %1234, %1235 : f32
        tt.reduce.return %1236 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1238 = tt.reshape %1237 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1242 = "tt.reduce"(%1238) <{axis = 1 : i32}> ({
      ^bb0(%1239: f32, %1240: f32):
        %1241 = arith.addf %1239, %1240 : f32
        tt.reduce.return %1241 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1243 = tt.expand_dims %1242 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1244 = tt.reshape %1127 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1248 = "tt.reduce"(%1244) <{axis = 1 : i32}> ({
      ^bb0(%1245: f32, %1246: f32):
        %1247 = arith.addf %1245, %1246 : f32
        tt.reduce.return %1247 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1249 = tt.expand_dims %1248 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1250 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1251 = tt.reshape %1250 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1252 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1253 = arith.cmpi eq, %1251, %1252 : tensor<1x2x1x1xi32>
      %1254 = tt.broadcast %1253 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1255 = tt.broadcast %1249 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1256 = tt.broadcast %1243 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1257 = arith.select %1254, %1255, %1256 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1258 = tt.reshape %1257 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1259 = arith.mulf %1226, %138 : tensor<1x4x8xf32>
      %1263 = "tt.reduce"(%1259) <{axis = 0 : i32}> ({
      ^bb0(%1260: f32, %1261: f32):
        %1262 = arith.addf %1260, %1261 : f32
        tt.reduce.return %1262 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1264 = tt.reshape %1263 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1268 = "tt.reduce"(%1264) <{axis = 1 : i32}> ({
      ^bb0(%1265: f32, %1266: f32):
        %1267 = arith.addf %1265, %1266 : f32
        tt.reduce.return %1267 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1269 = tt.expand_dims %1268 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1270 = tt.reshape %1132 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1274 = "tt.reduce"(%1270) <{axis = 1 : i32}> ({
      ^bb0(%1271: f32, %1272: f32):
        %1273 = arith.addf %1271, %1272 : f32
        tt.reduce.return %1273 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1275 = tt.expand_dims %1274 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1276 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1277 = tt.reshape %1276 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1278 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1279 = arith.cmpi eq, %1277, %1278 : tensor<1x2x1x1xi32>
      %1280 = tt.broadcast %1279 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1281 = tt.broadcast %1275 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1282 = tt.broadcast %1269 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1283 = arith.select %1280, %1281, %1282 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1284 = tt.reshape %1283 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1285 = arith.mulf %882, %912 : tensor<8xf32>
      %1286 = tt.expand_dims %1285 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1287 = tt.expand_dims %1286 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1288 = tt.broadcast %1287 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1289 = arith.mulf %1224, %1288 : tensor<1x4x8xf32>
      %1290 = tt.expand_dims %852 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1291 = tt.expand_dims %1290 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1292 = tt.broadcast %1291 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1293 = arith.mulf %1032, %1292 : tensor<1x4x8xf32>
      %1294 = arith.addf %1214, %1289 : tensor<1x4x8xf32>
      %1295 = arith.addf %1218, %1293 : tensor<1x4x8xf32>
      %1296 = tt.reshape %1294 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1300 = "tt.reduce"(%1296) <{axis = 3 : i32}> ({
      ^bb0(%1297: f32, %1298: f32):
        %1299 = arith.addf %1297, %1298 : f32
        tt.reduce.return %1299 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1301 = tt.expand_dims %1300 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1302 = tt.reshape %1142 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1306 = "tt.reduce"(%1302) <{axis = 3 : i32}> ({
      ^bb0(%1303: f32, %1304: f32):
        %1305 = arith.addf %1303, %1304 : f32
        tt.reduce.return %1305 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1307 = tt.expand_dims %1306 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1308 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1309 = tt.reshape %1308 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1310 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1311 = arith.cmpi eq, %1309, %1310 : tensor<1x1x1x2x1xi32>
      %1312 = tt.broadcast %1311 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1313 = tt.broadcast %1307 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1314 = tt.broadcast %1301 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1315 = arith.select %1312, %1313, %1314 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1316 = tt.reshape %1315 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1317 = tt.reshape %1295 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1321 = "tt.reduce"(%1317) <{axis = 3 : i32}> ({
      ^bb0(%1318: f32, %1319: f32):
        %1320 = arith.addf %1318, %1319 : f32
        tt.reduce.return %1320 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1322 = tt.expand_dims %1321 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1323 = tt.reshape %1143 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1327 = "tt.reduce"(%1323) <{axis = 3 : i32}> ({
      ^bb0(%1324: f32, %1325: f32):
        %1326 = arith.addf %1324, %1325 : f32
        tt.reduce.return %1326 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1328 = tt.expand_dims %1327 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1329 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1330 = tt.reshape %1329 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1331 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1332 = arith.cmpi eq, %1330, %1331 : tensor<1x1x1x2x1xi32>
      %1333 = tt.broadcast %1332 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1334 = tt.broadcast %1328 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1335 = tt.broadcast %1322 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1336 = arith.select %1333, %1334, %1335 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1337 = tt.reshape %1336 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1338 = tt.expand_dims %526 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1339 = tt.expand_dims %1338 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1340 = tt.expand_dims %370 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1341 = tt.broadcast %1339 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1342 = tt.broadcast %1340 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1343 = math.fma %1341, %1342, %1150 : tensor<1x4x8xf32>
      %1344 = arith.mulf %1343, %682 : tensor<1x4x8xf32>
      %1345 = arith.mulf %1344, %673 : tensor<1x4x8xf32>
      %1346 = tt.expand_dims %586 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1347 = tt.expand_dims %1346 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1348 = tt.broadcast %1347 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1349 = math.fma %1348, %1345, %1155 : tensor<1x4x8xf32>
      %1350 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1351 = tt.broadcast %1350 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1352 = arith.mulf %1343, %1351 : tensor<1x4x8xf32>
      %1356 = "tt.reduce"(%1352) <{axis = 0 : i32}> ({
      ^bb0(%1353: f32, %1354: f32):
        %1355 = arith.addf %1353, %1354 : f32
        tt.reduce.return %1355 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1357 = arith.mulf %1345, %72 : tensor<1x4x8xf32>
      %1361 = "tt.reduce"(%1357) <{axis = 0 : i32}> ({
      ^bb0(%1358: f32, %1359: f32):
        %1360 = arith.addf %1358, %1359 : f32
        tt.reduce.return %1360 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1362 = arith.mulf %556, %586 : tensor<8xf32>
      %1363 = tt.expand_dims %1362 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1364 = tt.expand_dims %1363 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1365 = tt.broadcast %1364 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1366 = arith.mulf %1343, %1365 : tensor<1x4x8xf32>
      %1367 = tt.expand_dims %526 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1368 = tt.expand_dims %1367 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1369 = tt.broadcast %1368 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1370 = arith.mulf %690, %1369 : tensor<1x4x8xf32>
      %1371 = tt.expand_dims %851 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1372 = tt.expand_dims %1371 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1373 = tt.expand_dims %370 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1374 = tt.broadcast %1372 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1375 = tt.broadcast %1373 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1376 = math.fma %1374, %1375, %1225 : tensor<1x4x8xf32>
      %1377 = arith.mulf %1376, %1007 : tensor<1x4x8xf32>
      %1378 = arith.mulf %1377, %998 : tensor<1x4x8xf32>
      %1379 = tt.expand_dims %911 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1380 = tt.expand_dims %1379 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1381 = tt.broadcast %1380 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1382 = math.fma %1381, %1378, %1230 : tensor<1x4x8xf32>
      %1383 = tt.expand_dims %305 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1384 = tt.broadcast %1383 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1385 = arith.mulf %1376, %1384 : tensor<1x4x8xf32>
      %1389 = "tt.reduce"(%1385) <{axis = 0 : i32}> ({
      ^bb0(%1386: f32, %1387: f32):
        %1388 = arith.addf %1386, %1387 : f32
        tt.reduce.return %1388 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1390 = arith.mulf %1378, %138 : tensor<1x4x8xf32>
      %1394 = "tt.reduce"(%1390) <{axis = 0 : i32}> ({
      ^bb0(%1391: f32, %1392: f32):
        %1393 = arith.addf %1391, %1392 : f32
        tt.reduce.return %1393 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1395 = arith.mulf %881, %911 : tensor<8xf32>
      %1396 = tt.expand_dims %1395 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1397 = tt.expand_dims %1396 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1398 = tt.broadcast %1397 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1399 = arith.mulf %1376, %1398 : tensor<1x4x8xf32>
      %1400 = tt.expand_dims %851 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1401 = tt.expand_dims %1400 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1402 = tt.broadcast %1401 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1403 = arith.mulf %1015, %1402 : tensor<1x4x8xf32>
      %1404 = arith.addf %1366, %1399 : tensor<1x4x8xf32>
      %1405 = arith.addf %1370, %1403 : tensor<1x4x8xf32>
      %1406 = tt.expand_dims %525 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1407 = tt.expand_dims %1406 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1408 = tt.expand_dims %368 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1409 = tt.broadcast %1407 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1410 = tt.broadcast %1408 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1411 = math.fma %1409, %1410, %1344 : tensor<1x4x8xf32>
      %1412 = arith.mulf %1411, %665 : tensor<1x4x8xf32>
      %1413 = arith.mulf %1412, %656 : tensor<1x4x8xf32>
      %1414 = tt.expand_dims %585 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1415 = tt.expand_dims %1414 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1416 = tt.broadcast %1415 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1417 = math.fma %1416, %1413, %1349 : tensor<1x4x8xf32>
      %1418 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1419 = tt.broadcast %1418 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1420 = arith.mulf %1411, %1419 : tensor<1x4x8xf32>
      %1424 = "tt.reduce"(%1420) <{axis = 0 : i32}> ({
      ^bb0(%1421: f32, %1422: f32):
        %1423 = arith.addf %1421, %1422 : f32
        tt.reduce.return %1423 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1425 = tt.reshape %1424 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1429 = "tt.reduce"(%1425) <{axis = 1 : i32}> ({
      ^bb0(%1426: f32, %1427: f32):
        %1428 = arith.addf %1426, %1427 : f32
        tt.reduce.return %1428 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1430 = tt.expand_dims %1429 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1431 = tt.reshape %1356 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1435 = "tt.reduce"(%1431) <{axis = 1 : i32}> ({
      ^bb0(%1432: f32, %1433: f32):
        %1434 = arith.addf %1432, %1433 : f32
        tt.reduce.return %1434 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1436 = tt.expand_dims %1435 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1437 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1438 = tt.reshape %1437 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1439 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1440 = arith.cmpi eq, %1438, %1439 : tensor<1x2x1x1xi32>
      %1441 = tt.broadcast %1440 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1442 = tt.broadcast %1436 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1443 = tt.broadcast %1430 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1444 = arith.select %1441, %1442, %1443 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1445 = tt.reshape %1444 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1446 = tt.reshape %1445 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1450 = "tt.reduce"(%1446) <{axis = 1 : i32}> ({
      ^bb0(%1447: f32, %1448: f32):
        %1449 = arith.addf %1447, %1448 : f32
        tt.reduce.return %1449 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1451 = tt.expand_dims %1450 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1452 = tt.reshape %1183 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1456 = "tt.reduce"(%1452) <{axis = 1 : i32}> ({
      ^bb0(%1453: f32, %1454: f32):
        %1455 = arith.addf %1453, %1454 : f32
        tt.reduce.return %1455 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1457 = tt.expand_dims %1456 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1458 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1459 = tt.reshape %1458 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1460 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1461 = arith.cmpi eq, %1459, %1460 : tensor<1x2x1x1xi32>
      %1462 = tt.broadcast %1461 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1463 = tt.broadcast %1457 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1464 = tt.broadcast %1451 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1465 = arith.select %1462, %1463, %1464 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1466 = tt.reshape %1465 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1467 = arith.mulf %1413, %72 : tensor<1x4x8xf32>
      %1471 = "tt.reduce"(%1467) <{axis = 0 : i32}> ({
      ^bb0(%1468: f32, %1469: f32):
        %1470 = arith.addf %1468, %1469 : f32
        tt.reduce.return %1470 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1472 = tt.reshape %1471 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1476 = "tt.reduce"(%1472) <{axis = 1 : i32}> ({
      ^bb0(%1473: f32, %1474: f32):
        %1475 = arith.addf %1473, %1474 : f32
        tt.reduce.return %1475 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1477 = tt.expand_dims %1476 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1478 = tt.reshape %1361 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1482 = "tt.reduce"(%1478) <{axis = 1 : i32}> ({
      ^bb0(%1479: f32, %1480: f32):
        %1481 = arith.addf %1479, %1480 : f32
        tt.reduce.return %1481 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1483 = tt.expand_dims %1482 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1484 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1485 = tt.reshape %1484 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1486 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1487 = arith.cmpi eq, %1485, %1486 : tensor<1x2x1x1xi32>
      %1488 = tt.broadcast %1487 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1489 = tt.broadcast %1483 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1490 = tt.broadcast %1477 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1491 = arith.select %1488, %1489, %1490 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1492 = tt.reshape %1491 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1493 = tt.reshape %1492 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1497 = "tt.reduce"(%1493) <{axis = 1 : i32}> ({
      ^bb0(%1494: f32, %1495: f32):
        %1496 = arith.addf %1494, %1495 : f32
        tt.reduce.return %1496 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1498 = tt.expand_dims %1497 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1499 = tt.reshape %1209 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1503 = "tt.reduce"(%1499) <{axis = 1 : i32}> ({
      ^bb0(%1500: f32, %1501: f32):
        %1502 = arith.addf %1500, %1501 : f32
        tt.reduce.return %1502 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1504 = tt.expand_dims %1503 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1505 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1506 = tt.reshape %1505 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1507 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1508 = arith.cmpi eq, %1506, %1507 : tensor<1x2x1x1xi32>
      %1509 = tt.broadcast %1508 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1510 = tt.broadcast %1504 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1511 = tt.broadcast %1498 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1512 = arith.select %1509, %1510, %1511 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1513 = tt.reshape %1512 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1514 = arith.mulf %1466, %738 : tensor<4x8xf32>
      %1515 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1516 = tt.expand_dims %749 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1517 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1518 = arith.muli %1516, %1517 : tensor<4x1xi32>
      %1519 = tt.broadcast %1515 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1520 = tt.broadcast %1518 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1521 = tt.addptr %1519, %1520 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1522 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1523 = tt.expand_dims %751 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1524 = tt.broadcast %1522 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1525 = tt.broadcast %1523 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1526 = arith.andi %1524, %1525 : tensor<4x8xi1>
      %1527 = arith.truncf %1514 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1521, %1527, %1526 : tensor<4x8x!tt.ptr<bf16>>
      %1529 = tt.splat %1528 : f32 -> tensor<4x8xf32>
      %1530 = arith.mulf %1513, %1529 : tensor<4x8xf32>
      %1531 = math.fma %731, %1466, %1530 : tensor<4x8xf32>
      %1532 = tt.expand_dims %87 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1533 = tt.expand_dims %749 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1534 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1535 = arith.muli %1533, %1534 : tensor<4x1xi32>
      %1536 = tt.broadcast %1532 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1537 = tt.broadcast %1535 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1538 = tt.addptr %1536, %1537 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1539 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1540 = tt.expand_dims %751 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1541 = tt.broadcast %1539 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1542 = tt.broadcast %1540 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1543 = arith.andi %1541, %1542 : tensor<4x8xi1>
      tt.store %1538, %1531, %1543 : tensor<4x8x!tt.ptr<f32>>
      %1544 = arith.mulf %555, %585 : tensor<8xf32>
      %1545 = tt.expand_dims %1544 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1546 = tt.expand_dims %1545 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1547 = tt.broadcast %1546 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1548 = arith.mulf %1411, %1547 : tensor<1x4x8xf32>
      %1549 = tt.expand_dims %525 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1550 = tt.expand_dims %1549 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1551 = tt.broadcast %1550 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1552 = arith.mulf %673, %1551 : tensor<1x4x8xf32>
      %1553 = tt.expand_dims %850 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1554 = tt.expand_dims %1553 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1555 = tt.expand_dims %368 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1556 = tt.broadcast %1554 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1557 = tt.broadcast %1555 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1558 = math.fma %1556, %1557, %1377 : tensor<1x4x8xf32>
      %1559 = arith.mulf %1558, %990 : tensor<1x4x8xf32>
      %1560 = arith.mulf %1559, %981 : tensor<1x4x8xf32>
      %1561 = tt.expand_dims %910 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1562 = tt.expand_dims %1561 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1563 = tt.broadcast %1562 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1564 = math.fma %1563, %1560, %1382 : tensor<1x4x8xf32>
      %1565 = tt.expand_dims %303 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1566 = tt.broadcast %1565 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1567 = arith.mulf %1558, %1566 : tensor<1x4x8xf32>
      %1571 = "tt.reduce"(%1567) <{axis = 0 : i32}> ({
      ^bb0(%1568: f32, %1569: f32):
        %1570 = arith.addf %1568, %1569 : f32
        tt.reduce.return %1570 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1572 = tt.reshape %1571 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1576 = "tt.reduce"(%1572) <{axis = 1 : i32}> ({
      ^bb0(%1573: f32, %1574: f32):
        %1575 = arith.addf %1573, %1574 : f32
        tt.reduce.return %1575 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1577 = tt.expand_dims %1576 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1578 = tt.reshape %1389 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1582 = "tt.reduce"(%1578) <{axis = 1 : i32}> ({
      ^bb0(%1579: f32, %1580: f32):
        %1581 = arith.addf %1579, %1580 : f32
        tt.reduce.return %1581 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1583 = tt.expand_dims %1582 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1584 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1585 = tt.reshape %1584 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1586 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1587 = arith.cmpi eq, %1585, %1586 : tensor<1x2x1x1xi32>
      %1588 = tt.broadcast %1587 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1589 = tt.broadcast %1583 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1590 = tt.broadcast %1577 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1591 = arith.select %1588, %1589, %1590 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1592 = tt.reshape %1591 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1593 = tt.reshape %1592 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1597 = "tt.reduce"(%1593) <{axis = 1 : i32}> ({
      ^bb0(%1594: f32, %1595: f32):
        %1596 = arith.addf %1594, %1595 : f32
        tt.reduce.return %1596 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1598 = tt.expand_dims %1597 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1599 = tt.reshape %1258 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1603 = "tt.reduce"(%1599) <{axis = 1 : i32}> ({
      ^bb0(%1600: f32, %1601: f32):
        %1602 = arith.addf %1600, %1601 : f32
        tt.reduce.return %1602 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1604 = tt.expand_dims %1603 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1605 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1606 = tt.reshape %1605 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1607 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1608 = arith.cmpi eq, %1606, %1607 : tensor<1x2x1x1xi32>
      %1609 = tt.broadcast %1608 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1610 = tt.broadcast %1604 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1611 = tt.broadcast %1598 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1612 = arith.select %1609, %1610, %1611 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1613 = tt.reshape %1612 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1614 = arith.mulf %1560, %138 : tensor<1x4x8xf32>
      %1618 = "tt.reduce"(%1614) <{axis = 0 : i32}> ({
      ^bb0(%1615: f32, %1616: f32):
        %1617 = arith.addf %1615, %1616 : f32
        tt.reduce.return %1617 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1619 = tt.reshape %1618 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1623 = "tt.reduce"(%1619) <{axis = 1 : i32}> ({
      ^bb0(%1620: f32, %1621: f32):
        %1622 = arith.addf %1620, %1621 : f32
        tt.reduce.return %1622 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1624 = tt.expand_dims %1623 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1625 = tt.reshape %1394 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1629 = "tt.reduce"(%1625) <{axis = 1 : i32}> ({
      ^bb0(%1626: f32, %1627: f32):
        %1628 = arith.addf %1626, %1627 : f32
        tt.reduce.return %1628 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1630 = tt.expand_dims %1629 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1631 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1632 = tt.reshape %1631 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1633 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1634 = arith.cmpi eq, %1632, %1633 : tensor<1x2x1x1xi32>
      %1635 = tt.broadcast %1634 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1636 = tt.broadcast %1630 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1637 = tt.broadcast %1624 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1638 = arith.select %1635, %1636, %1637 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1639 = tt.reshape %1638 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1640 = tt.reshape %1639 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1644 = "tt.reduce"(%1640) <{axis = 1 : i32}> ({
      ^bb0(%1641: f32, %1642: f32):
        %1643 = arith.addf %1641, %1642 : f32
        tt.reduce.return %1643 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1645 = tt.expand_dims %1644 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1646 = tt.reshape %1284 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1650 = "tt.reduce"(%1646) <{axis = 1 : i32}> ({
      ^bb0(%1647: f32, %1648: f32):
        %1649 = arith.addf %1647, %1648 : f32
        tt.reduce.return %1649 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1651 = tt.expand_dims %1650 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1652 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1653 = tt.reshape %1652 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1654 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1655 = arith.cmpi eq, %1653, %1654 : tensor<1x2x1x1xi32>
      %1656 = tt.broadcast %1655 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1657 = tt.broadcast %1651 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1658 = tt.broadcast %1645 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1659 = arith.select %1656, %1657, %1658 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1660 = tt.reshape %1659 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1661 = arith.mulf %1613, %1063 : tensor<4x8xf32>
      %1662 = tt.expand_dims %148 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1663 = tt.expand_dims %1073 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1664 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1665 = arith.muli %1663, %1664 : tensor<4x1xi32>
      %1666 = tt.broadcast %1662 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1667 = tt.broadcast %1665 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1668 = tt.addptr %1666, %1667 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1669 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1670 = tt.expand_dims %1075 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1671 = tt.broadcast %1669 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1672 = tt.broadcast %1670 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1673 = arith.andi %1671, %1672 : tensor<4x8xi1>
      %1674 = arith.truncf %1661 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1668, %1674, %1673 : tensor<4x8x!tt.ptr<bf16>>
      %1675 = tt.splat %1528 : f32 -> tensor<4x8xf32>
      %1676 = arith.mulf %1660, %1675 : tensor<4x8xf32>
      %1677 = math.fma %1056, %1613, %1676 : tensor<4x8xf32>
      %1678 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %1679 = tt.expand_dims %1073 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1680 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %1681 = arith.muli %1679, %1680 : tensor<4x1xi32>
      %1682 = tt.broadcast %1678 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %1683 = tt.broadcast %1681 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1684 = tt.addptr %1682, %1683 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %1685 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1686 = tt.expand_dims %1075 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1687 = tt.broadcast %1685 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1688 = tt.broadcast %1686 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1689 = arith.andi %1687, %1688 : tensor<4x8xi1>
      tt.store %1684, %1677, %1689 : tensor<4x8x!tt.ptr<f32>>
      %1690 = arith.mulf %880, %910 : tensor<8xf32>
      %1691 = tt.expand_dims %1690 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1692 = tt.expand_dims %1691 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1693 = tt.broadcast %1692 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1694 = arith.mulf %1558, %1693 : tensor<1x4x8xf32>
      %1695 = tt.expand_dims %850 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1696 = tt.expand_dims %1695 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1697 = tt.broadcast %1696 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1698 = arith.mulf %998, %1697 : tensor<1x4x8xf32>
      %1699 = arith.addf %1548, %1694 : tensor<1x4x8xf32>
      %1700 = arith.addf %1552, %1698 : tensor<1x4x8xf32>
      %1701 = tt.reshape %1699 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1705 = "tt.reduce"(%1701) <{axis = 3 : i32}> ({
      ^bb0(%1702: f32, %1703: f32):
        %1704 = arith.addf %1702, %1703 : f32
        tt.reduce.return %1704 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1706 = tt.expand_dims %1705 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1707 = tt.reshape %1404 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1711 = "tt.reduce"(%1707) <{axis = 3 : i32}> ({
      ^bb0(%1708: f32, %1709: f32):
        %1710 = arith.addf %1708, %1709 : f32
        tt.reduce.return %1710 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1712 = tt.expand_dims %1711 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1713 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1714 = tt.reshape %1713 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1715 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1716 = arith.cmpi eq, %1714, %1715 : tensor<1x1x1x2x1xi32>
      %1717 = tt.broadcast %1716 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1718 = tt.broadcast %1712 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1719 = tt.broadcast %1706 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1720 = arith.select %1717, %1718, %1719 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1721 = tt.reshape %1720 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1722 = tt.reshape %1721 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1726 = "tt.reduce"(%1722) <{axis = 3 : i32}> ({
      ^bb0(%1723: f32, %1724: f32):
        %1725 = arith.addf %1723, %1724 : f32
        tt.reduce.return %1725 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1727 = tt.expand_dims %1726 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1728 = tt.reshape %1316 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1732 = "tt.reduce"(%1728) <{axis = 3 : i32}> ({
      ^bb0(%1729: f32, %1730: f32):
        %1731 = arith.addf %1729, %1730 : f32
        tt.reduce.return %1731 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1733 = tt.expand_dims %1732 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1734 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1735 = tt.reshape %1734 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1736 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1737 = arith.cmpi eq, %1735, %1736 : tensor<1x1x1x2x1xi32>
      %1738 = tt.broadcast %1737 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %1739 = tt.broadcast %1733 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1740 = tt.broadcast %1727 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1741 = arith.select %1738, %1739, %1740 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %1742 = tt.reshape %1741 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %1743 = tt.reshape %1700 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1747 = "tt.reduce"(%1743) <{axis = 3 : i32}> ({
      ^bb0(%1744: f32, %1745: f32):
        %1746 = arith.addf %1744, %1745 : f32
        tt.reduce.return %1746 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1748 = tt.expand_dims %1747 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1749 = tt.reshape %1405 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %1753 = "tt.reduce"(%1749) <{axis = 3 : i32}> ({
      ^bb0(%1750: f32, %1751: f32):
        %1752 = arith.addf %1750, %1751 : f32
        tt.reduce.return %1752 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %1754 = tt.expand_dims %1753 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %1755 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1756 = tt.reshape %1755 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1757 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1758 = arith.cmpi eq, %1756, %1757 : tensor<1x1x1x2x1xi32>
      %1759 = tt.broadcast %1758 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %1760 = tt.broadcast %1754 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1761 = tt.broadcast %1748 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %1762 = arith.select %1759, %1760, %1761 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %1763 = tt.reshape %1762 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %1764 = tt.reshape %1763 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1768 = "tt.reduce"(%1764) <{axis = 3 : i32}> ({
      ^bb0(%1765: f32, %1766: f32):
        %1767 = arith.addf %1765, %1766 : f32
        tt.reduce.return %1767 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1769 = tt.expand_dims %1768 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1770 = tt.reshape %1337 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %1774 = "tt.reduce"(%1770) <{axis = 3 : i32}> ({
      ^bb0(%1771: f32, %1772: f32):
        %1773 = arith.addf %1771, %1772 : f32
        tt.reduce.return %1773 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %1775 = tt.expand_dims %1774 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %1776 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1777 = tt.reshape %1776 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %1778 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %1779 = arith.cmpi eq, %1777, %1778 : tensor<1x1x1x2x1xi32>
      %1780 = tt.broadcast %1779 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %1781 = tt.broadcast %1775 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1782 = tt.broadcast %1769 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %1783 = arith.select %1780, %1781, %1782 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %1784 = tt.reshape %1783 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %1785 = tt.expand_dims %524 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1786 = tt.expand_dims %1785 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1787 = tt.expand_dims %366 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1788 = tt.broadcast %1786 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1789 = tt.broadcast %1787 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1790 = math.fma %1788, %1789, %1412 : tensor<1x4x8xf32>
      %1791 = arith.mulf %1790, %648 : tensor<1x4x8xf32>
      %1792 = arith.mulf %1791, %639 : tensor<1x4x8xf32>
      %1793 = tt.expand_dims %584 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1794 = tt.expand_dims %1793 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1795 = tt.broadcast %1794 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1796 = math.fma %1795, %1792, %1417 : tensor<1x4x8xf32>
      %1797 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1798 = tt.broadcast %1797 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1799 = arith.mulf %1790, %1798 : tensor<1x4x8xf32>
      %1803 = "tt.reduce"(%1799) <{axis = 0 : i32}> ({
      ^bb0(%1800: f32, %1801: f32):
        %1802 = arith.addf %1800, %1801 : f32
        tt.reduce.return %1802 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1804 = arith.mulf %1792, %72 : tensor<1x4x8xf32>
      %1808 = "tt.reduce"(%1804) <{axis = 0 : i32}> ({
      ^bb0(%1805: f32, %1806: f32):
        %1807 = arith.addf %1805, %1806 : f32
        tt.reduce.return %1807 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1809 = arith.mulf %554, %584 : tensor<8xf32>
      %1810 = tt.expand_dims %1809 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1811 = tt.expand_dims %1810 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1812 = tt.broadcast %1811 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1813 = arith.mulf %1790, %1812 : tensor<1x4x8xf32>
      %1814 = tt.expand_dims %524 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1815 = tt.expand_dims %1814 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1816 = tt.broadcast %1815 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1817 = arith.mulf %656, %1816 : tensor<1x4x8xf32>
      %1818 = tt.expand_dims %849 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1819 = tt.expand_dims %1818 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1820 = tt.expand_dims %366 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1821 = tt.broadcast %1819 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1822 = tt.broadcast %1820 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1823 = math.fma %1821, %1822, %1559 : tensor<1x4x8xf32>
      %1824 = arith.mulf %1823, %973 : tensor<1x4x8xf32>
      %1825 = arith.mulf %1824, %964 : tensor<1x4x8xf32>
      %1826 = tt.expand_dims %909 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1827 = tt.expand_dims %1826 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1828 = tt.broadcast %1827 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1829 = math.fma %1828, %1825, %1564 : tensor<1x4x8xf32>
      %1830 = tt.expand_dims %301 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1831 = tt.broadcast %1830 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1832 = arith.mulf %1823, %1831 : tensor<1x4x8xf32>
      %1836 = "tt.reduce"(%1832) <{axis = 0 : i32}> ({
      ^bb0(%1833: f32, %1834: f32):
        %1835 = arith.addf %1833, %1834 : f32
        tt.reduce.return %1835 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1837 = arith.mulf %1825, %138 : tensor<1x4x8xf32>
      %1841 = "tt.reduce"(%1837) <{axis = 0 : i32}> ({
      ^bb0(%1838: f32, %1839: f32):
        %1840 = arith.addf %1838, %1839 : f32
        tt.reduce.return %1840 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1842 = arith.mulf %879, %909 : tensor<8xf32>
      %1843 = tt.expand_dims %1842 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1844 = tt.expand_dims %1843 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1845 = tt.broadcast %1844 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1846 = arith.mulf %1823, %1845 : tensor<1x4x8xf32>
      %1847 = tt.expand_dims %849 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1848 = tt.expand_dims %1847 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1849 = tt.broadcast %1848 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1850 = arith.mulf %981, %1849 : tensor<1x4x8xf32>
      %1851 = arith.addf %1813, %1846 : tensor<1x4x8xf32>
      %1852 = arith.addf %1817, %1850 : tensor<1x4x8xf32>
      %1853 = tt.expand_dims %523 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1854 = tt.expand_dims %1853 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1855 = tt.expand_dims %364 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1856 = tt.broadcast %1854 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1857 = tt.broadcast %1855 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1858 = math.fma %1856, %1857, %1791 : tensor<1x4x8xf32>
      %1859 = arith.mulf %1858, %631 : tensor<1x4x8xf32>
      %1860 = arith.mulf %1859, %622 : tensor<1x4x8xf32>
      %1861 = tt.expand_dims %583 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1862 = tt.expand_dims %1861 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1863 = tt.broadcast %1862 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1864 = math.fma %1863, %1860, %1796 : tensor<1x4x8xf32>
      %1865 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1866 = tt.broadcast %1865 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1867 = arith.mulf %1858, %1866 : tensor<1x4x8xf32>
      %1871 = "tt.reduce"(%1867) <{axis = 0 : i32}> ({
      ^bb0(%1868: f32, %1869: f32):
        %1870 = arith.addf %1868, %1869 : f32
        tt.reduce.return %1870 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1872 = tt.reshape %1871 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1876 = "tt.reduce"(%1872) <{axis = 1 : i32}> ({
      ^bb0(%1873: f32, %1874: f32):
        %1875 = arith.addf %1873, %1874 : f32
        tt.reduce.return %1875 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1877 = tt.expand_dims %1876 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1878 = tt.reshape %1803 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1882 = "tt.reduce"(%1878) <{axis = 1 : i32}> ({
      ^bb0(%1879: f32, %1880: f32):
        %1881 = arith.addf %1879, %1880 : f32
        tt.reduce.return %1881 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1883 = tt.expand_dims %1882 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1884 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1885 = tt.reshape %1884 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1886 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1887 = arith.cmpi eq, %1885, %1886 : tensor<1x2x1x1xi32>
      %1888 = tt.broadcast %1887 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1889 = tt.broadcast %1883 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1890 = tt.broadcast %1877 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1891 = arith.select %1888, %1889, %1890 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1892 = tt.reshape %1891 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1893 = arith.mulf %1860, %72 : tensor<1x4x8xf32>
      %1897 = "tt.reduce"(%1893) <{axis = 0 : i32}> ({
      ^bb0(%1894: f32, %1895: f32):
        %1896 = arith.addf %1894, %1895 : f32
        tt.reduce.return %1896 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1898 = tt.reshape %1897 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1902 = "tt.reduce"(%1898) <{axis = 1 : i32}> ({
      ^bb0(%1899: f32, %1900: f32):
        %1901 = arith.addf %1899, %1900 : f32
        tt.reduce.return %1901 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1903 = tt.expand_dims %1902 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1904 = tt.reshape %1808 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1908 = "tt.reduce"(%1904) <{axis = 1 : i32}> ({
      ^bb0(%1905: f32, %1906: f32):
        %1907 = arith.addf %1905, %1906 : f32
        tt.reduce.return %1907 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1909 = tt.expand_dims %1908 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1910 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1911 = tt.reshape %1910 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1912 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1913 = arith.cmpi eq, %1911, %1912 : tensor<1x2x1x1xi32>
      %1914 = tt.broadcast %1913 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1915 = tt.broadcast %1909 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1916 = tt.broadcast %1903 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1917 = arith.select %1914, %1915, %1916 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1918 = tt.reshape %1917 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1919 = arith.mulf %553, %583 : tensor<8xf32>
      %1920 = tt.expand_dims %1919 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1921 = tt.expand_dims %1920 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1922 = tt.broadcast %1921 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1923 = arith.mulf %1858, %1922 : tensor<1x4x8xf32>
      %1924 = tt.expand_dims %523 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1925 = tt.expand_dims %1924 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1926 = tt.broadcast %1925 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1927 = arith.mulf %639, %1926 : tensor<1x4x8xf32>
      %1928 = tt.expand_dims %848 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1929 = tt.expand_dims %1928 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1930 = tt.expand_dims %364 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1931 = tt.broadcast %1929 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1932 = tt.broadcast %1930 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1933 = math.fma %1931, %1932, %1824 : tensor<1x4x8xf32>
      %1934 = arith.mulf %1933, %956 : tensor<1x4x8xf32>
      %1935 = arith.mulf %1934, %947 : tensor<1x4x8xf32>
      %1936 = tt.expand_dims %908 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1937 = tt.expand_dims %1936 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1938 = tt.broadcast %1937 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1939 = math.fma %1938, %1935, %1829 : tensor<1x4x8xf32>
      %1940 = tt.expand_dims %299 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1941 = tt.broadcast %1940 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1942 = arith.mulf %1933, %1941 : tensor<1x4x8xf32>
      %1946 = "tt.reduce"(%1942) <{axis = 0 : i32}> ({
      ^bb0(%1943: f32, %1944: f32):
        %1945 = arith.addf %1943, %1944 : f32
        tt.reduce.return %1945 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1947 = tt.reshape %1946 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1951 = "tt.reduce"(%1947) <{axis = 1 : i32}> ({
      ^bb0(%1948: f32, %1949: f32):
        %1950 = arith.addf %1948, %1949 : f32
        tt.reduce.return %1950 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1952 = tt.expand_dims %1951 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1953 = tt.reshape %1836 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1957 = "tt.reduce"(%1953) <{axis = 1 : i32}> ({
      ^bb0(%1954: f32, %1955: f32):
        %1956 = arith.addf %1954, %1955 : f32
        tt.reduce.return %1956 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1958 = tt.expand_dims %1957 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1959 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1960 = tt.reshape %1959 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1961 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1962 = arith.cmpi eq, %1960, %1961 : tensor<1x2x1x1xi32>
      %1963 = tt.broadcast %1962 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1964 = tt.broadcast %1958 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1965 = tt.broadcast %1952 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1966 = arith.select %1963, %1964, %1965 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1967 = tt.reshape %1966 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1968 = arith.mulf %1935, %138 : tensor<1x4x8xf32>
      %1972 = "tt.reduce"(%1968) <{axis = 0 : i32}> ({
      ^bb0(%1969: f32, %1970: f32):
        %1971 = arith.addf %1969, %1970 : f32
        tt.reduce.return %1971 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1973 = tt.reshape %1972 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1977 = "tt.reduce"(%1973) <{axis = 1 : i32}> ({
      ^bb0(%1974: f32, %1975: f32):
        %1976 = arith.addf %1974, %1975 : f32
        tt.reduce.return %1976 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1978 = tt.expand_dims %1977 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1979 = tt.reshape %1841 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1983 = "tt.reduce"(%1979) <{axis = 1 : i32}> ({
      ^bb0(%1980: f32, %1981: f32):
        %1982 = arith.addf %1980, %1981 : f32
        tt.reduce.return %1982 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1984 = tt.expand_dims %1983 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1985 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1986 = tt.reshape %1985 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1987 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %1988 = arith.cmpi eq, %1986, %1987 : tensor<1x2x1x1xi32>
      %1989 = tt.broadcast %1988 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1990 = tt.broadcast %1984 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1991 = tt.broadcast %1978 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1992 = arith.select %1989, %1990, %1991 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1993 = tt.reshape %1992 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1994 = arith.mulf %878, %908 : tensor<8xf32>
      %1995 = tt.expand_dims %1994 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1996 = tt.expand_dims %1995 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1997 = tt.broadcast %1996 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1998 = arith.mulf %1933, %1997 : tensor<1x4x8xf32>
      %1999 = tt.expand_dims %848 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2000 = tt.expand_dims %1999 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2001 = tt.broadcast %2000 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2002 = arith.mulf %964, %2001 : tensor<1x4x8xf32>
      %2003 = arith.addf %1923, %1998 : tensor<1x4x8xf32>
      %2004 = arith.addf %1927, %2002 : tensor<1x4x8xf32>
      %2005 = tt.reshape %2003 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2009 = "tt.reduce"(%2005) <{axis = 3 : i32}> ({
      ^bb0(%2006: f32, %2007: f32):
        %2008 = arith.addf %2006, %2007 : f32
        tt.reduce.return %2008 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2010 = tt.expand_dims %2009 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2011 = tt.reshape %1851 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2015 = "tt.reduce"(%2011) <{axis = 3 : i32}> ({
      ^bb0(%2012: f32, %2013: f32):
        %2014 = arith.addf %2012, %2013 : f32
        tt.reduce.return %2014 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2016 = tt.expand_dims %2015 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2017 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2018 = tt.reshape %2017 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2019 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2020 = arith.cmpi eq, %2018, %2019 : tensor<1x1x1x2x1xi32>
      %2021 = tt.broadcast %2020 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2022 = tt.broadcast %2016 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2023 = tt.broadcast %2010 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2024 = arith.select %2021, %2022, %2023 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2025 = tt.reshape %2024 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2026 = tt.reshape %2004 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2030 = "tt.reduce"(%2026) <{axis = 3 : i32}> ({
      ^bb0(%2027: f32, %2028: f32):
        %2029 = arith.addf %2027, %2028 : f32
        tt.reduce.return %2029 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2031 = tt.expand_dims %2030 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2032 = tt.reshape %1852 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2036 = "tt.reduce"(%2032) <{axis = 3 : i32}> ({
      ^bb0(%2033: f32, %2034: f32):
        %2035 = arith.addf %2033, %2034 : f32
        tt.reduce.return %2035 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2037 = tt.expand_dims %2036 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2038 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2039 = tt.reshape %2038 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2040 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2041 = arith.cmpi eq, %2039, %2040 : tensor<1x1x1x2x1xi32>
      %2042 = tt.broadcast %2041 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2043 = tt.broadcast %2037 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2044 = tt.broadcast %2031 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2045 = arith.select %2042, %2043, %2044 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2046 = tt.reshape %2045 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2047 = tt.expand_dims %522 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2048 = tt.expand_dims %2047 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2049 = tt.expand_dims %362 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2050 = tt.broadcast %2048 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2051 = tt.broadcast %2049 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2052 = math.fma %2050, %2051, %1859 : tensor<1x4x8xf32>
      %2053 = arith.mulf %2052, %614 : tensor<1x4x8xf32>
      %2054 = arith.mulf %2053, %605 : tensor<1x4x8xf32>
      %2055 = tt.expand_dims %582 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2056 = tt.expand_dims %2055 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2057 = tt.broadcast %2056 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2058 = math.fma %2057, %2054, %1864 : tensor<1x4x8xf32>
      %2059 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2060 = tt.broadcast %2059 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2061 = arith.mulf %2052, %2060 : tensor<1x4x8xf32>
      %2065 = "tt.reduce"(%2061) <{axis = 0 : i32}> ({
      ^bb0(%2062: f32, %2063: f32):
        %2064 = arith.addf %2062, %2063 : f32
        tt.reduce.return %2064 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2066 = arith.mulf %2054, %72 : tensor<1x4x8xf32>
      %2070 = "tt.reduce"(%2066) <{axis = 0 : i32}> ({
      ^bb0(%2067: f32, %2068: f32):
        %2069 = arith.addf %2067, %2068 : f32
        tt.reduce.return %2069 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2071 = arith.mulf %552, %582 : tensor<8xf32>
      %2072 = tt.expand_dims %2071 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2073 = tt.expand_dims %2072 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2074 = tt.broadcast %2073 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2075 = arith.mulf %2052, %2074 : tensor<1x4x8xf32>
      %2076 = tt.expand_dims %522 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2077 = tt.expand_dims %2076 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2078 = tt.broadcast %2077 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2079 = arith.mulf %622, %2078 : tensor<1x4x8xf32>
      %2080 = tt.expand_dims %847 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2081 = tt.expand_dims %2080 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2082 = tt.expand_dims %362 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2083 = tt.broadcast %2081 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2084 = tt.broadcast %2082 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2085 = math.fma %2083, %2084, %1934 : tensor<1x4x8xf32>
      %2086 = arith.mulf %2085, %939 : tensor<1x4x8xf32>
      %2087 = arith.mulf %2086, %930 : tensor<1x4x8xf32>
      %2088 = tt.expand_dims %907 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2089 = tt.expand_dims %2088 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2090 = tt.broadcast %2089 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2091 = math.fma %2090, %2087, %1939 : tensor<1x4x8xf32>
      %2092 = tt.expand_dims %297 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2093 = tt.broadcast %2092 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2094 = arith.mulf %2085, %2093 : tensor<1x4x8xf32>
      %2098 = "tt.reduce"(%2094) <{axis = 0 : i32}> ({
      ^bb0(%2095: f32, %2096: f32):
        %2097 = arith.addf %2095, %2096 : f32
        tt.reduce.return %2097 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2099 = arith.mulf %2087, %138 : tensor<1x4x8xf32>
      %2103 = "tt.reduce"(%2099) <{axis = 0 : i32}> ({
      ^bb0(%2100: f32, %2101: f32):
        %2102 = arith.addf %2100, %2101 : f32
        tt.reduce.return %2102 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2104 = arith.mulf %877, %907 : tensor<8xf32>
      %2105 = tt.expand_dims %2104 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2106 = tt.expand_dims %2105 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2107 = tt.broadcast %2106 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2108 = arith.mulf %2085, %2107 : tensor<1x4x8xf32>
      %2109 = tt.expand_dims %847 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2110 = tt.expand_dims %2109 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2111 = tt.broadcast %2110 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2112 = arith.mulf %947, %2111 : tensor<1x4x8xf32>
      %2113 = arith.addf %2075, %2108 : tensor<1x4x8xf32>
      %2114 = arith.addf %2079, %2112 : tensor<1x4x8xf32>
      %2115 = tt.expand_dims %521 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2116 = tt.expand_dims %2115 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2117 = tt.expand_dims %360 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2118 = tt.broadcast %2116 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2119 = tt.broadcast %2117 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2120 = math.fma %2118, %2119, %2053 : tensor<1x4x8xf32>
      %2121 = arith.mulf %2120, %597 : tensor<1x4x8xf32>
      %2122 = arith.mulf %2121, %448 : tensor<1x4x8xf32>
      %2123 = tt.expand_dims %581 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2124 = tt.expand_dims %2123 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2125 = tt.broadcast %2124 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2126 = math.fma %2125, %2122, %2058 : tensor<1x4x8xf32>
      %2127 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2128 = tt.broadcast %2127 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2129 = arith.mulf %2120, %2128 : tensor<1x4x8xf32>
      %2133 = "tt.reduce"(%2129) <{axis = 0 : i32}> ({
      ^bb0(%2130: f32, %2131: f32):
        %2132 = arith.addf %2130, %2131 : f32
        tt.reduce.return %2132 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2134 = tt.reshape %2133 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2138 = "tt.reduce"(%2134) <{axis = 1 : i32}> ({
      ^bb0(%2135: f32, %2136: f32):
        %2137 = arith.addf %2135, %2136 : f32
        tt.reduce.return %2137 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2139 = tt.expand_dims %2138 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2140 = tt.reshape %2065 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2144 = "tt.reduce"(%2140) <{axis = 1 : i32}> ({
      ^bb0(%2141: f32, %2142: f32):
        %2143 = arith.addf %2141, %2142 : f32
        tt.reduce.return %2143 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2145 = tt.expand_dims %2144 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2146 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2147 = tt.reshape %2146 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2148 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2149 = arith.cmpi eq, %2147, %2148 : tensor<1x2x1x1xi32>
      %2150 = tt.broadcast %2149 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2151 = tt.broadcast %2145 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2152 = tt.broadcast %2139 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2153 = arith.select %2150, %2151, %2152 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2154 = tt.reshape %2153 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2155 = tt.reshape %2154 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2159 = "tt.reduce"(%2155) <{axis = 1 : i32}> ({
      ^bb0(%2156: f32, %2157: f32):
        %2158 = arith.addf %2156, %2157 : f32
        tt.reduce.return %2158 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2160 = tt.expand_dims %2159 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2161 = tt.reshape %1892 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2165 = "tt.reduce"(%2161) <{axis = 1 : i32}> ({
      ^bb0(%2162: f32, %2163: f32):
        %2164 = arith.addf %2162, %2163 : f32
        tt.reduce.return %2164 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2166 = tt.expand_dims %2165 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2167 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2168 = tt.reshape %2167 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2169 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2170 = arith.cmpi eq, %2168, %2169 : tensor<1x2x1x1xi32>
      %2171 = tt.broadcast %2170 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2172 = tt.broadcast %2166 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2173 = tt.broadcast %2160 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2174 = arith.select %2171, %2172, %2173 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2175 = tt.reshape %2174 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2176 = arith.mulf %2122, %72 : tensor<1x4x8xf32>
      %2180 = "tt.reduce"(%2176) <{axis = 0 : i32}> ({
      ^bb0(%2177: f32, %2178: f32):
        %2179 = arith.addf %2177, %2178 : f32
        tt.reduce.return %2179 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2181 = tt.reshape %2180 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2185 = "tt.reduce"(%2181) <{axis = 1 : i32}> ({
      ^bb0(%2182: f32, %2183: f32):
        %2184 = arith.addf %2182, %2183 : f32
        tt.reduce.return %2184 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2186 = tt.expand_dims %2185 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2187 = tt.reshape %2070 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2191 = "tt.reduce"(%2187) <{axis = 1 : i32}> ({
      ^bb0(%2188: f32, %2189: f32):
        %2190 = arith.addf %2188, %2189 : f32
        tt.reduce.return %2190 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2192 = tt.expand_dims %2191 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2193 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2194 = tt.reshape %2193 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2195 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2196 = arith.cmpi eq, %2194, %2195 : tensor<1x2x1x1xi32>
      %2197 = tt.broadcast %2196 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2198 = tt.broadcast %2192 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2199 = tt.broadcast %2186 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2200 = arith.select %2197, %2198, %2199 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2201 = tt.reshape %2200 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2202 = tt.reshape %2201 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2206 = "tt.reduce"(%2202) <{axis = 1 : i32}> ({
      ^bb0(%2203: f32, %2204: f32):
        %2205 = arith.addf %2203, %2204 : f32
        tt.reduce.return %2205 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2207 = tt.expand_dims %2206 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2208 = tt.reshape %1918 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2212 = "tt.reduce"(%2208) <{axis = 1 : i32}> ({
      ^bb0(%2209: f32, %2210: f32):
        %2211 = arith.addf %2209, %2210 : f32
        tt.reduce.return %2211 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2213 = tt.expand_dims %2212 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2214 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2215 = tt.reshape %2214 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2216 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2217 = arith.cmpi eq, %2215, %2216 : tensor<1x2x1x1xi32>
      %2218 = tt.broadcast %2217 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2219 = tt.broadcast %2213 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2220 = tt.broadcast %2207 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2221 = arith.select %2218, %2219, %2220 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2222 = tt.reshape %2221 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2223 = arith.mulf %2175, %737 : tensor<4x8xf32>
      %2224 = tt.expand_dims %82 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2225 = tt.expand_dims %742 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2226 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2227 = arith.muli %2225, %2226 : tensor<4x1xi32>
      %2228 = tt.broadcast %2224 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2229 = tt.broadcast %2227 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2230 = tt.addptr %2228, %2229 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2231 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2232 = tt.expand_dims %744 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2233 = tt.broadcast %2231 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2234 = tt.broadcast %2232 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2235 = arith.andi %2233, %2234 : tensor<4x8xi1>
      %2236 = arith.truncf %2223 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2230, %2236, %2235 : tensor<4x8x!tt.ptr<bf16>>
      %2237 = tt.splat %1528 : f32 -> tensor<4x8xf32>
      %2238 = arith.mulf %2222, %2237 : tensor<4x8xf32>
      %2239 = math.fma %730, %2175, %2238 : tensor<4x8xf32>
      %2240 = tt.expand_dims %87 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2241 = tt.expand_dims %742 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2242 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2243 = arith.muli %2241, %2242 : tensor<4x1xi32>
      %2244 = tt.broadcast %2240 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2245 = tt.broadcast %2243 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2246 = tt.addptr %2244, %2245 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2247 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2248 = tt.expand_dims %744 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2249 = tt.broadcast %2247 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2250 = tt.broadcast %2248 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2251 = arith.andi %2249, %2250 : tensor<4x8xi1>
      tt.store %2246, %2239, %2251 : tensor<4x8x!tt.ptr<f32>>
      %2252 = arith.mulf %551, %581 : tensor<8xf32>
      %2253 = tt.expand_dims %2252 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2254 = tt.expand_dims %2253 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2255 = tt.broadcast %2254 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2256 = arith.mulf %2120, %2255 : tensor<1x4x8xf32>
      %2257 = tt.expand_dims %521 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2258 = tt.expand_dims %2257 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2259 = tt.broadcast %2258 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2260 = arith.mulf %605, %2259 : tensor<1x4x8xf32>
      %2261 = tt.expand_dims %846 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2262 = tt.expand_dims %2261 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2263 = tt.expand_dims %360 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2264 = tt.broadcast %2262 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2265 = tt.broadcast %2263 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2266 = math.fma %2264, %2265, %2086 : tensor<1x4x8xf32>
      %2267 = arith.mulf %2266, %922 : tensor<1x4x8xf32>
      %2268 = arith.mulf %2267, %774 : tensor<1x4x8xf32>
      %2269 = tt.expand_dims %906 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2270 = tt.expand_dims %2269 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2271 = tt.broadcast %2270 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2272 = math.fma %2271, %2268, %2091 : tensor<1x4x8xf32>
      %2273 = tt.expand_dims %295 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %2274 = tt.broadcast %2273 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %2275 = arith.mulf %2266, %2274 : tensor<1x4x8xf32>
      %2279 = "tt.reduce"(%2275) <{axis = 0 : i32}> ({
      ^bb0(%2276: f32, %2277: f32):
        %2278 = arith.addf %2276, %2277 : f32
        tt.reduce.return %2278 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2280 = tt.reshape %2279 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2284 = "tt.reduce"(%2280) <{axis = 1 : i32}> ({
      ^bb0(%2281: f32, %2282: f32):
        %2283 = arith.addf %2281, %2282 : f32
        tt.reduce.return %2283 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2285 = tt.expand_dims %2284 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2286 = tt.reshape %2098 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2290 = "tt.reduce"(%2286) <{axis = 1 : i32}> ({
      ^bb0(%2287: f32, %2288: f32):
        %2289 = arith.addf %2287, %2288 : f32
        tt.reduce.return %2289 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2291 = tt.expand_dims %2290 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2292 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2293 = tt.reshape %2292 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2294 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2295 = arith.cmpi eq, %2293, %2294 : tensor<1x2x1x1xi32>
      %2296 = tt.broadcast %2295 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2297 = tt.broadcast %2291 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2298 = tt.broadcast %2285 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2299 = arith.select %2296, %2297, %2298 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2300 = tt.reshape %2299 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2301 = tt.reshape %2300 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2305 = "tt.reduce"(%2301) <{axis = 1 : i32}> ({
      ^bb0(%2302: f32, %2303: f32):
        %2304 = arith.addf %2302, %2303 : f32
        tt.reduce.return %2304 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2306 = tt.expand_dims %2305 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2307 = tt.reshape %1967 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2311 = "tt.reduce"(%2307) <{axis = 1 : i32}> ({
      ^bb0(%2308: f32, %2309: f32):
        %2310 = arith.addf %2308, %2309 : f32
        tt.reduce.return %2310 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2312 = tt.expand_dims %2311 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2313 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2314 = tt.reshape %2313 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2315 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2316 = arith.cmpi eq, %2314, %2315 : tensor<1x2x1x1xi32>
      %2317 = tt.broadcast %2316 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2318 = tt.broadcast %2312 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2319 = tt.broadcast %2306 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2320 = arith.select %2317, %2318, %2319 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2321 = tt.reshape %2320 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2322 = arith.mulf %2268, %138 : tensor<1x4x8xf32>
      %2326 = "tt.reduce"(%2322) <{axis = 0 : i32}> ({
      ^bb0(%2323: f32, %2324: f32):
        %2325 = arith.addf %2323, %2324 : f32
        tt.reduce.return %2325 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %2327 = tt.reshape %2326 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2331 = "tt.reduce"(%2327) <{axis = 1 : i32}> ({
      ^bb0(%2328: f32, %2329: f32):
        %2330 = arith.addf %2328, %2329 : f32
        tt.reduce.return %2330 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2332 = tt.expand_dims %2331 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2333 = tt.reshape %2103 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %2337 = "tt.reduce"(%2333) <{axis = 1 : i32}> ({
      ^bb0(%2334: f32, %2335: f32):
        %2336 = arith.addf %2334, %2335 : f32
        tt.reduce.return %2336 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %2338 = tt.expand_dims %2337 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %2339 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2340 = tt.reshape %2339 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2341 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2342 = arith.cmpi eq, %2340, %2341 : tensor<1x2x1x1xi32>
      %2343 = tt.broadcast %2342 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %2344 = tt.broadcast %2338 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2345 = tt.broadcast %2332 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %2346 = arith.select %2343, %2344, %2345 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %2347 = tt.reshape %2346 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %2348 = tt.reshape %2347 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2352 = "tt.reduce"(%2348) <{axis = 1 : i32}> ({
      ^bb0(%2349: f32, %2350: f32):
        %2351 = arith.addf %2349, %2350 : f32
        tt.reduce.return %2351 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2353 = tt.expand_dims %2352 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2354 = tt.reshape %1993 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %2358 = "tt.reduce"(%2354) <{axis = 1 : i32}> ({
      ^bb0(%2355: f32, %2356: f32):
        %2357 = arith.addf %2355, %2356 : f32
        tt.reduce.return %2357 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %2359 = tt.expand_dims %2358 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %2360 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2361 = tt.reshape %2360 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %2362 = tt.splat %26 : i32 -> tensor<1x2x1x1xi32>
      %2363 = arith.cmpi eq, %2361, %2362 : tensor<1x2x1x1xi32>
      %2364 = tt.broadcast %2363 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %2365 = tt.broadcast %2359 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2366 = tt.broadcast %2353 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %2367 = arith.select %2364, %2365, %2366 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %2368 = tt.reshape %2367 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %2369 = arith.mulf %2321, %1062 : tensor<4x8xf32>
      %2370 = tt.expand_dims %148 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %2371 = tt.expand_dims %1067 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2372 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2373 = arith.muli %2371, %2372 : tensor<4x1xi32>
      %2374 = tt.broadcast %2370 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %2375 = tt.broadcast %2373 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2376 = tt.addptr %2374, %2375 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %2377 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2378 = tt.expand_dims %1069 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2379 = tt.broadcast %2377 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2380 = tt.broadcast %2378 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2381 = arith.andi %2379, %2380 : tensor<4x8xi1>
      %2382 = arith.truncf %2369 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %2376, %2382, %2381 : tensor<4x8x!tt.ptr<bf16>>
      %2383 = tt.splat %1528 : f32 -> tensor<4x8xf32>
      %2384 = arith.mulf %2368, %2383 : tensor<4x8xf32>
      %2385 = math.fma %1055, %2321, %2384 : tensor<4x8xf32>
      %2386 = tt.expand_dims %153 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %2387 = tt.expand_dims %1067 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %2388 = tt.splat %34 : i32 -> tensor<4x1xi32>
      %2389 = arith.muli %2387, %2388 : tensor<4x1xi32>
      %2390 = tt.broadcast %2386 : tensor<1x8x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
      %2391 = tt.broadcast %2389 : tensor<4x1xi32> -> tensor<4x8xi32>
      %2392 = tt.addptr %2390, %2391 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
      %2393 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2394 = tt.expand_dims %1069 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %2395 = tt.broadcast %2393 : tensor<1x8xi1> -> tensor<4x8xi1>
      %2396 = tt.broadcast %2394 : tensor<4x1xi1> -> tensor<4x8xi1>
      %2397 = arith.andi %2395, %2396 : tensor<4x8xi1>
      tt.store %2392, %2385, %2397 : tensor<4x8x!tt.ptr<f32>>
      %2398 = arith.mulf %876, %906 : tensor<8xf32>
      %2399 = tt.expand_dims %2398 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2400 = tt.expand_dims %2399 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2401 = tt.broadcast %2400 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2402 = arith.mulf %2266, %2401 : tensor<1x4x8xf32>
      %2403 = tt.expand_dims %846 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %2404 = tt.expand_dims %2403 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %2405 = tt.broadcast %2404 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %2406 = arith.mulf %930, %2405 : tensor<1x4x8xf32>
      %2407 = arith.addf %2256, %2402 : tensor<1x4x8xf32>
      %2408 = arith.addf %2260, %2406 : tensor<1x4x8xf32>
      %2409 = tt.reshape %2407 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2413 = "tt.reduce"(%2409) <{axis = 3 : i32}> ({
      ^bb0(%2410: f32, %2411: f32):
        %2412 = arith.addf %2410, %2411 : f32
        tt.reduce.return %2412 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2414 = tt.expand_dims %2413 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2415 = tt.reshape %2113 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2419 = "tt.reduce"(%2415) <{axis = 3 : i32}> ({
      ^bb0(%2416: f32, %2417: f32):
        %2418 = arith.addf %2416, %2417 : f32
        tt.reduce.return %2418 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2420 = tt.expand_dims %2419 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2421 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2422 = tt.reshape %2421 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2423 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2424 = arith.cmpi eq, %2422, %2423 : tensor<1x1x1x2x1xi32>
      %2425 = tt.broadcast %2424 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2426 = tt.broadcast %2420 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2427 = tt.broadcast %2414 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2428 = arith.select %2425, %2426, %2427 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2429 = tt.reshape %2428 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2430 = tt.reshape %2429 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2434 = "tt.reduce"(%2430) <{axis = 3 : i32}> ({
      ^bb0(%2431: f32, %2432: f32):
        %2433 = arith.addf %2431, %2432 : f32
        tt.reduce.return %2433 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2435 = tt.expand_dims %2434 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2436 = tt.reshape %2025 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2440 = "tt.reduce"(%2436) <{axis = 3 : i32}> ({
      ^bb0(%2437: f32, %2438: f32):
        %2439 = arith.addf %2437, %2438 : f32
        tt.reduce.return %2439 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2441 = tt.expand_dims %2440 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2442 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2443 = tt.reshape %2442 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2444 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2445 = arith.cmpi eq, %2443, %2444 : tensor<1x1x1x2x1xi32>
      %2446 = tt.broadcast %2445 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2447 = tt.broadcast %2441 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2448 = tt.broadcast %2435 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2449 = arith.select %2446, %2447, %2448 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2450 = tt.reshape %2449 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2451 = tt.reshape %2450 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2455 = "tt.reduce"(%2451) <{axis = 3 : i32}> ({
      ^bb0(%2452: f32, %2453: f32):
        %2454 = arith.addf %2452, %2453 : f32
        tt.reduce.return %2454 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2456 = tt.expand_dims %2455 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2457 = tt.reshape %1742 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2461 = "tt.reduce"(%2457) <{axis = 3 : i32}> ({
      ^bb0(%2458: f32, %2459: f32):
        %2460 = arith.addf %2458, %2459 : f32
        tt.reduce.return %2460 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2462 = tt.expand_dims %2461 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2463 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2464 = tt.reshape %2463 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2465 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2466 = arith.cmpi eq, %2464, %2465 : tensor<1x1x1x2x1xi32>
      %2467 = tt.broadcast %2466 : tensor<1x1x1x2x1xi1> -> tensor<1x4x1x2x4xi1>
      %2468 = tt.broadcast %2462 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2469 = tt.broadcast %2456 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2470 = arith.select %2467, %2468, %2469 : tensor<1x4x1x2x4xi1>, tensor<1x4x1x2x4xf32>
      %2471 = tt.reshape %2470 : tensor<1x4x1x2x4xf32> -> tensor<1x4x8xf32>
      %2472 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %2473 = tt.splat %238 : i32 -> tensor<8xi32>
      %2474 = arith.addi %2473, %2472 : tensor<8xi32>
      %2475 = tt.splat %242 : i32 -> tensor<8xi32>
      %2476 = arith.cmpi slt, %2474, %2475 : tensor<8xi32>
      %2477 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %2478 = tt.splat %168 : !tt.ptr<f32> -> tensor<1x4x1x!tt.ptr<f32>>
      %2479 = tt.addptr %2478, %2477 : tensor<1x4x1x!tt.ptr<f32>>, tensor<1x4x1xi32>
      %2480 = tt.expand_dims %2474 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %2481 = tt.expand_dims %2480 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %2482 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %2483 = arith.muli %2481, %2482 : tensor<1x1x8xi32>
      %2484 = tt.broadcast %2479 : tensor<1x4x1x!tt.ptr<f32>> -> tensor<1x4x8x!tt.ptr<f32>>
      %2485 = tt.broadcast %2483 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %2486 = tt.addptr %2484, %2485 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %2487 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %2488 = tt.expand_dims %2476 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2489 = tt.expand_dims %2488 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %2490 = tt.broadcast %2487 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %2491 = tt.broadcast %2489 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %2492 = arith.andi %2490, %2491 : tensor<1x4x8xi1>
      tt.store %2486, %2471, %2492 : tensor<1x4x8x!tt.ptr<f32>>
      %2493 = tt.reshape %2408 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2497 = "tt.reduce"(%2493) <{axis = 3 : i32}> ({
      ^bb0(%2494: f32, %2495: f32):
        %2496 = arith.addf %2494, %2495 : f32
        tt.reduce.return %2496 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2498 = tt.expand_dims %2497 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2499 = tt.reshape %2114 : tensor<1x4x8xf32> -> tensor<1x4x4x2x1xf32>
      %2503 = "tt.reduce"(%2499) <{axis = 3 : i32}> ({
      ^bb0(%2500: f32, %2501: f32):
        %2502 = arith.addf %2500, %2501 : f32
        tt.reduce.return %2502 : f32
      }) : (tensor<1x4x4x2x1xf32>) -> (tensor<1x4x4x1xf32>)
      %2504 = tt.expand_dims %2503 {axis = 3 : i32} : tensor<1x4x4x1xf32> -> tensor<1x4x4x1x1xf32>
      %2505 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2506 = tt.reshape %2505 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2507 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2508 = arith.cmpi eq, %2506, %2507 : tensor<1x1x1x2x1xi32>
      %2509 = tt.broadcast %2508 : tensor<1x1x1x2x1xi1> -> tensor<1x4x4x2x1xi1>
      %2510 = tt.broadcast %2504 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2511 = tt.broadcast %2498 : tensor<1x4x4x1x1xf32> -> tensor<1x4x4x2x1xf32>
      %2512 = arith.select %2509, %2510, %2511 : tensor<1x4x4x2x1xi1>, tensor<1x4x4x2x1xf32>
      %2513 = tt.reshape %2512 : tensor<1x4x4x2x1xf32> -> tensor<1x4x8xf32>
      %2514 = tt.reshape %2513 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2518 = "tt.reduce"(%2514) <{axis = 3 : i32}> ({
      ^bb0(%2515: f32, %2516: f32):
        %2517 = arith.addf %2515, %2516 : f32
        tt.reduce.return %2517 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2519 = tt.expand_dims %2518 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2520 = tt.reshape %2046 : tensor<1x4x8xf32> -> tensor<1x4x2x2x2xf32>
      %2524 = "tt.reduce"(%2520) <{axis = 3 : i32}> ({
      ^bb0(%2521: f32, %2522: f32):
        %2523 = arith.addf %2521, %2522 : f32
        tt.reduce.return %2523 : f32
      }) : (tensor<1x4x2x2x2xf32>) -> (tensor<1x4x2x2xf32>)
      %2525 = tt.expand_dims %2524 {axis = 3 : i32} : tensor<1x4x2x2xf32> -> tensor<1x4x2x1x2xf32>
      %2526 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2527 = tt.reshape %2526 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2528 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2529 = arith.cmpi eq, %2527, %2528 : tensor<1x1x1x2x1xi32>
      %2530 = tt.broadcast %2529 : tensor<1x1x1x2x1xi1> -> tensor<1x4x2x2x2xi1>
      %2531 = tt.broadcast %2525 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2532 = tt.broadcast %2519 : tensor<1x4x2x1x2xf32> -> tensor<1x4x2x2x2xf32>
      %2533 = arith.select %2530, %2531, %2532 : tensor<1x4x2x2x2xi1>, tensor<1x4x2x2x2xf32>
      %2534 = tt.reshape %2533 : tensor<1x4x2x2x2xf32> -> tensor<1x4x8xf32>
      %2535 = tt.reshape %2534 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2539 = "tt.reduce"(%2535) <{axis = 3 : i32}> ({
      ^bb0(%2536: f32, %2537: f32):
        %2538 = arith.addf %2536, %2537 : f32
        tt.reduce.return %2538 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2540 = tt.expand_dims %2539 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2541 = tt.reshape %1784 : tensor<1x4x8xf32> -> tensor<1x4x1x2x4xf32>
      %2545 = "tt.reduce"(%2541) <{axis = 3 : i32}> ({
      ^bb0(%2542: f32, %2543: f32):
        %2544 = arith.addf %2542, %2543 : f32
        tt.reduce.return %2544 : f32
      }) : (tensor<1x4x1x2x4xf32>) -> (tensor<1x4x1x4xf32>)
      %2546 = tt.expand_dims %2545 {axis = 3 : i32} : tensor<1x4x1x4xf32> -> tensor<1x4x1x1x4xf32>
      %2547 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %2548 = tt.reshape %2547 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
      %2549 = tt.splat %26 : i32 -> tensor<1x1x1x2x1xi32>
      %2550 = arith.cmpi eq, %2548, %2549 : tensor<1x1x1x2x1xi32>
      %2551 = tt.broadcast %2550 : tensor<1x1x1x2x1xi1> -> tensor<1x4x1x2x4xi1>
      %2552 = tt.broadcast %2546 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2553 = tt.broadcast %2540 : tensor<1x4x1x1x4xf32> -> tensor<1x4x1x2x4xf32>
      %2554 = arith.select %2551, %2552, %2553 : tensor<1x4x1x2x4xi1>, tensor<1x4x1x2x4xf32>
      %2555 = tt.reshape %2554 : tensor<1x4x1x2x4xf32> -> tensor<1x4x8xf32>
      %2556 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %2557 = tt.splat %238 : i32 -> tensor<8xi32>
      %2558 = arith.addi %2557, %2556 : tensor<8xi32>
      %2559 = tt.splat %242 : i32 -> tensor<8xi32>
      %2560 = arith.cmpi slt, %2558, %2559 : tensor<8xi32>
      %2561 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %2562 = tt.splat %171 : !tt.ptr<f32> -> tensor<1x4x1x!tt.ptr<f32>>
      %2563 = tt.addptr %2562, %2561 : tensor<1x4x1x!tt.ptr<f32>>, tensor<1x4x1xi32>
      %2564 = tt.expand_dims %2558 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %2565 = tt.expand_dims %2564 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %2566 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
      %2567 = arith.muli %2565, %2566 : tensor<1x1x8xi32>
      %2568 = tt.broadcast %2563 : tensor<1x4x1x!tt.ptr<f32>> -> tensor<1x4x8x!tt.ptr<f32>>
      %2569 = tt.broadcast %2567 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %2570 = tt.addptr %2568, %2569 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %2571 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
      %2572 = tt.expand_dims %2560 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %2573 = tt.expand_dims %2572 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
      %2574 = tt.broadcast %2571 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
      %2575 = tt.broadcast %2573 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
      %2576 = arith.andi %2574, %2575 : tensor<1x4x8xi1>
      tt.store %2570, %2555, %2576 : tensor<1x4x8x!tt.ptr<f32>>
      scf.yield %2121, %2126, %2267, %2272 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
    } {tt.num_stages = 3 : i32}
    %2581 = arith.extsi %14 : i32 to i64
    %2582 = arith.muli %33, %178 : i64
    %2583 = arith.addi %2582, %2581 : i64
    %2584 = arith.muli %2583, %181 : i64
    %2585 = tt.addptr %drates, %2584 : !tt.ptr<f32>, i64
    %2586 = tt.expand_dims %23 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %2587 = tt.expand_dims %2586 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %2588 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %2589 = arith.muli %2587, %2588 : tensor<1x1x8xi32>
    %2590 = tt.expand_dims %32 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %2591 = tt.broadcast %2589 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %2592 = tt.broadcast %2590 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %2593 = arith.addi %2591, %2592 : tensor<1x4x8xi32>
    %2594 = tt.splat %2585 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %2595 = tt.addptr %2594, %2593 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %2596 = tt.expand_dims %36 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %2597 = tt.expand_dims %2596 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %2598 = tt.expand_dims %39 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %2599 = tt.broadcast %2597 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %2600 = tt.broadcast %2598 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %2601 = arith.andi %2599, %2600 : tensor<1x4x8xi1>
    tt.store %2595, %2577#1, %2601 : tensor<1x4x8x!tt.ptr<f32>>
    %2602 = arith.extsi %14 : i32 to i64
    %2603 = arith.muli %104, %178 : i64
    %2604 = arith.addi %2603, %2602 : i64
    %2605 = arith.muli %2604, %181 : i64
    %2606 = tt.addptr %drates, %2605 : !tt.ptr<f32>, i64
    %2607 = tt.expand_dims %95 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %2608 = tt.expand_dims %2607 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %2609 = tt.splat %37 : i32 -> tensor<1x1x8xi32>
    %2610 = arith.muli %2608, %2609 : tensor<1x1x8xi32>
    %2611 = tt.expand_dims %103 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %2612 = tt.broadcast %2610 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %2613 = tt.broadcast %2611 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %2614 = arith.addi %2612, %2613 : tensor<1x4x8xi32>
    %2615 = tt.splat %2606 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %2616 = tt.addptr %2615, %2614 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %2617 = tt.expand_dims %106 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %2618 = tt.expand_dims %2617 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %2619 = tt.expand_dims %108 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %2620 = tt.broadcast %2618 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %2621 = tt.broadcast %2619 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %2622 = arith.andi %2620, %2621 : tensor<1x4x8xi1>
    tt.store %2616, %2577#3, %2622 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
