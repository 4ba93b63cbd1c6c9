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
    %73 = arith.constant 9 : i64
    %82 = arith.constant 1 : i64
    %85 = arith.constant 33 : i64
    %108 = arith.constant 16 : i32
    %137 = arith.constant 9 : i32
    %152 = arith.constant 0.0e0 : bf16
    %535 = arith.constant dense<0.0e0> : tensor<16xf32>
    %536 = arith.constant 0xFF800000 : f32
    %1011 = arith.constant 4 : i32
    %1296 = arith.constant 12 : i32
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
    %71 = arith.muli %28, %68 : i64
    %72 = tt.addptr %c, %71 : !tt.ptr<f32>, i64
    %74 = arith.muli %28, %73 : i64
    %75 = tt.addptr %documents, %74 : !tt.ptr<i32>, i64
    %76 = arith.muli %28, %35 : i64
    %77 = tt.addptr %y, %76 : !tt.ptr<bf16>, i64
    %78 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
    %79 = tt.splat %77 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
    %80 = tt.addptr %79, %78 : tensor<8x!tt.ptr<bf16>>, tensor<8xi64>
    %81 = arith.extsi %14 : i32 to i64
    %83 = arith.muli %28, %82 : i64
    %84 = arith.addi %83, %81 : i64
    %86 = arith.muli %84, %85 : i64
    %87 = tt.addptr %h, %86 : !tt.ptr<f32>, i64
    %88 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %89 = tt.expand_dims %88 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %90 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %91 = arith.muli %89, %90 : tensor<1x1x8xi32>
    %92 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %93 = tt.broadcast %91 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %94 = tt.broadcast %92 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %95 = arith.addi %93, %94 : tensor<1x4x8xi32>
    %96 = tt.splat %87 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %97 = tt.addptr %96, %95 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %98 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %99 = tt.expand_dims %98 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %100 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %101 = tt.broadcast %99 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %102 = tt.broadcast %100 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %103 = arith.andi %101, %102 : tensor<1x4x8xi1>
    %104 = tt.splat %62 : f32 -> tensor<1x4x8xf32>
    %105 = tt.load %97, %103, %104 : tensor<1x4x8x!tt.ptr<f32>>
    %1316 = scf.for %106 = %14 to %21 step %21 iter_args(%107 = %105) -> (tensor<1x4x8xf32>) : i32 {
      %109 = arith.divsi %106, %108 : i32
      %110 = arith.extsi %109 : i32 to i64
      %111 = arith.muli %28, %82 : i64
      %112 = arith.addi %111, %110 : i64
      %113 = arith.muli %112, %85 : i64
      %114 = tt.addptr %kept, %113 : !tt.ptr<f32>, i64
      %115 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
      %116 = tt.expand_dims %115 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
      %117 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
      %118 = arith.muli %116, %117 : tensor<1x1x8xi32>
      %119 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %120 = tt.broadcast %118 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
      %121 = tt.broadcast %119 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
      %122 = arith.addi %120, %121 : tensor<1x4x8xi32>
      %123 = tt.splat %114 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
      %124 = tt.addptr %123, %122 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
      %125 = arith.remsi %106, %108 : i32
      %126 = arith.cmpi eq, %125, %14 : i32
      scf.if %126 {
        %127 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
        %128 = tt.expand_dims %127 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
        %129 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
        %130 = tt.broadcast %128 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
        %131 = tt.broadcast %129 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
        %132 = arith.andi %130, %131 : tensor<1x4x8xi1>
        tt.store %124, %107, %132 : tensor<1x4x8x!tt.ptr<f32>>
      } else {
      }
      %133 = arith.muli %106, %108 : i32
      %134 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %135 = tt.splat %133 : i32 -> tensor<16xi32>
      %136 = arith.addi %135, %134 : tensor<16xi32>
      %138 = tt.splat %137 : i32 -> tensor<16xi32>
      %139 = arith.cmpi slt, %136, %138 : tensor<16xi32>
      %140 = tt.expand_dims %40 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %141 = tt.expand_dims %136 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %142 = tt.splat %29 : i32 -> tensor<16x1xi32>
      %143 = arith.muli %141, %142 : tensor<16x1xi32>
      %144 = tt.broadcast %140 : tensor<1x8x!tt.ptr<bf16>> -> tensor<16x8x!tt.ptr<bf16>>
      %145 = tt.broadcast %143 : tensor<16x1xi32> -> tensor<16x8xi32>
      %146 = tt.addptr %144, %145 : tensor<16x8x!tt.ptr<bf16>>, tensor<16x8xi32>
      %147 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %148 = tt.expand_dims %139 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %149 = tt.broadcast %147 : tensor<1x8xi1> -> tensor<16x8xi1>
      %150 = tt.broadcast %148 : tensor<16x1xi1> -> tensor<16x8xi1>
      %151 = arith.andi %149, %150 : tensor<16x8xi1>
      %153 = tt.splat %152 : bf16 -> tensor<16x8xbf16>
      %154 = tt.load %146, %151, %153 : tensor<16x8x!tt.ptr<bf16>>
      %155 = arith.extf %154 : tensor<16x8xbf16> to tensor<16x8xf32>
      %156 = tt.expand_dims %45 {axis = 0 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<1x8x!tt.ptr<f32>>
      %157 = tt.expand_dims %136 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %158 = tt.splat %29 : i32 -> tensor<16x1xi32>
      %159 = arith.muli %157, %158 : tensor<16x1xi32>
      %160 = tt.broadcast %156 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %161 = tt.broadcast %159 : tensor<16x1xi32> -> tensor<16x8xi32>
      %162 = tt.addptr %160, %161 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %163 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %164 = tt.expand_dims %139 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %165 = tt.broadcast %163 : tensor<1x8xi1> -> tensor<16x8xi1>
      %166 = tt.broadcast %164 : tensor<16x1xi1> -> tensor<16x8xi1>
      %167 = arith.andi %165, %166 : tensor<16x8xi1>
      %168 = tt.splat %62 : f32 -> tensor<16x8xf32>
      %169 = tt.load %162, %167, %168 : tensor<16x8x!tt.ptr<f32>>
      %170 = tt.trans %155 {order = array<i32: 1, 0>} : tensor<16x8xf32> -> tensor<8x16xf32>
      %171 = tt.reshape %170 : tensor<8x16xf32> -> tensor<8x8x2xf32>
      %172:2 = tt.split %171 : tensor<8x8x2xf32> -> tensor<8x8xf32>
      %174 = tt.reshape %172#0 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %175:2 = tt.split %174 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %177 = tt.reshape %172#1 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %178:2 = tt.split %177 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %180 = tt.reshape %175#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %181:2 = tt.split %180 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %183 = tt.reshape %178#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %184:2 = tt.split %183 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %186 = tt.reshape %175#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %187:2 = tt.split %186 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %189 = tt.reshape %178#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %190:2 = tt.split %189 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %192 = tt.reshape %181#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %193:2 = tt.split %192 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %195 = tt.reshape %184#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %196:2 = tt.split %195 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %198 = tt.reshape %187#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %199:2 = tt.split %198 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %201 = tt.reshape %190#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %202:2 = tt.split %201 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %204 = tt.reshape %181#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %205:2 = tt.split %204 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %207 = tt.reshape %184#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %208:2 = tt.split %207 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %210 = tt.reshape %187#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %211:2 = tt.split %210 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %213 = tt.reshape %190#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %214:2 = tt.split %213 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %216 = tt.reshape %193#0 : tensor<8x1xf32> -> tensor<8xf32>
      %217 = tt.reshape %196#0 : tensor<8x1xf32> -> tensor<8xf32>
      %218 = tt.reshape %199#0 : tensor<8x1xf32> -> tensor<8xf32>
      %219 = tt.reshape %202#0 : tensor<8x1xf32> -> tensor<8xf32>
      %220 = tt.reshape %205#0 : tensor<8x1xf32> -> tensor<8xf32>
      %221 = tt.reshape %208#0 : tensor<8x1xf32> -> tensor<8xf32>
      %222 = tt.reshape %211#0 : tensor<8x1xf32> -> tensor<8xf32>
      %223 = tt.reshape %214#0 : tensor<8x1xf32> -> tensor<8xf32>
      %224 = tt.reshape %193#1 : tensor<8x1xf32> -> tensor<8xf32>
      %225 = tt.reshape %196#1 : tensor<8x1xf32> -> tensor<8xf32>
      %226 = tt.reshape %199#1 : tensor<8x1xf32> -> tensor<8xf32>
      %227 = tt.reshape %202#1 : tensor<8x1xf32> -> tensor<8xf32>
      %228 = tt.reshape %205#1 : tensor<8x1xf32> -> tensor<8xf32>
      %229 = tt.reshape %208#1 : tensor<8x1xf32> -> tensor<8xf32>
      %230 = tt.reshape %211#1 : tensor<8x1xf32> -> tensor<8xf32>
      %231 = tt.reshape %214#1 : tensor<8x1xf32> -> tensor<8xf32>
      %232 = tt.trans %169 {order = array<i32: 1, 0>} : tensor<16x8xf32> -> tensor<8x16xf32>
      %233 = tt.reshape %232 : tensor<8x16xf32> -> tensor<8x8x2xf32>
      %234:2 = tt.split %233 : tensor<8x8x2xf32> -> tensor<8x8xf32>
      %236 = tt.reshape %234#0 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %237:2 = tt.split %236 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %239 = tt.reshape %234#1 : tensor<8x8xf32> -> tensor<8x4x2xf32>
      %240:2 = tt.split %239 : tensor<8x4x2xf32> -> tensor<8x4xf32>
      %242 = tt.reshape %237#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %243:2 = tt.split %242 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %245 = tt.reshape %240#0 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %246:2 = tt.split %245 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %248 = tt.reshape %237#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %249:2 = tt.split %248 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %251 = tt.reshape %240#1 : tensor<8x4xf32> -> tensor<8x2x2xf32>
      %252:2 = tt.split %251 : tensor<8x2x2xf32> -> tensor<8x2xf32>
      %254 = tt.reshape %243#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %255:2 = tt.split %254 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %257 = tt.reshape %246#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %258:2 = tt.split %257 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %260 = tt.reshape %249#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %261:2 = tt.split %260 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %263 = tt.reshape %252#0 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %264:2 = tt.split %263 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %266 = tt.reshape %243#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %267:2 = tt.split %266 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %269 = tt.reshape %246#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %270:2 = tt.split %269 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %272 = tt.reshape %249#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %273:2 = tt.split %272 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %275 = tt.reshape %252#1 : tensor<8x2xf32> -> tensor<8x1x2xf32>
      %276:2 = tt.split %275 : tensor<8x1x2xf32> -> tensor<8x1xf32>
      %278 = tt.reshape %255#0 : tensor<8x1xf32> -> tensor<8xf32>
      %279 = tt.reshape %258#0 : tensor<8x1xf32> -> tensor<8xf32>
      %280 = tt.reshape %261#0 : tensor<8x1xf32> -> tensor<8xf32>
      %281 = tt.reshape %264#0 : tensor<8x1xf32> -> tensor<8xf32>
      %282 = tt.reshape %267#0 : tensor<8x1xf32> -> tensor<8xf32>
      %283 = tt.reshape %270#0 : tensor<8x1xf32> -> tensor<8xf32>
      %284 = tt.reshape %273#0 : tensor<8x1xf32> -> tensor<8xf32>
      %285 = tt.reshape %276#0 : tensor<8x1xf32> -> tensor<8xf32>
      %286 = tt.reshape %255#1 : tensor<8x1xf32> -> tensor<8xf32>
      %287 = tt.reshape %258#1 : tensor<8x1xf32> -> tensor<8xf32>
      %288 = tt.reshape %261#1 : tensor<8x1xf32> -> tensor<8xf32>
      %289 = tt.reshape %264#1 : tensor<8x1xf32> -> tensor<8xf32>
      %290 = tt.reshape %267#1 : tensor<8x1xf32> -> tensor<8xf32>
      %291 = tt.reshape %270#1 : tensor<8x1xf32> -> tensor<8xf32>
      %292 = tt.reshape %273#1 : tensor<8x1xf32> -> tensor<8xf32>
      %293 = tt.reshape %276#1 : tensor<8x1xf32> -> tensor<8xf32>
      %294 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %295 = tt.splat %32 : i32 -> tensor<4xi32>
      %296 = arith.cmpi slt, %294, %295 : tensor<4xi32>
      %297 = tt.expand_dims %296 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %298 = tt.expand_dims %294 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %299 = tt.splat %70 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
      %300 = tt.addptr %299, %298 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %301 = tt.expand_dims %136 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %302 = tt.splat %32 : i32 -> tensor<16x1xi32>
      %303 = arith.muli %301, %302 : tensor<16x1xi32>
      %304 = tt.broadcast %300 : tensor<1x4x!tt.ptr<f32>> -> tensor<16x4x!tt.ptr<f32>>
      %305 = tt.broadcast %303 : tensor<16x1xi32> -> tensor<16x4xi32>
      %306 = tt.addptr %304, %305 : tensor<16x4x!tt.ptr<f32>>, tensor<16x4xi32>
      %307 = tt.expand_dims %139 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %308 = tt.broadcast %297 : tensor<1x4xi1> -> tensor<16x4xi1>
      %309 = tt.broadcast %307 : tensor<16x1xi1> -> tensor<16x4xi1>
      %310 = arith.andi %308, %309 : tensor<16x4xi1>
      %311 = tt.splat %62 : f32 -> tensor<16x4xf32>
      %312 = tt.load %306, %310, %311 : tensor<16x4x!tt.ptr<f32>>
      %313 = tt.trans %312 {order = array<i32: 1, 0>} : tensor<16x4xf32> -> tensor<4x16xf32>
      %314 = tt.reshape %313 : tensor<4x16xf32> -> tensor<4x8x2xf32>
      %315:2 = tt.split %314 : tensor<4x8x2xf32> -> tensor<4x8xf32>
      %317 = tt.reshape %315#0 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %318:2 = tt.split %317 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %320 = tt.reshape %315#1 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %321:2 = tt.split %320 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %323 = tt.reshape %318#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %324:2 = tt.split %323 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %326 = tt.reshape %321#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %327:2 = tt.split %326 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %329 = tt.reshape %318#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %330:2 = tt.split %329 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %332 = tt.reshape %321#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %333:2 = tt.split %332 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %335 = tt.reshape %324#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %336:2 = tt.split %335 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %338 = tt.reshape %327#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %339:2 = tt.split %338 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %341 = tt.reshape %330#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %342:2 = tt.split %341 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %344 = tt.reshape %333#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %345:2 = tt.split %344 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %347 = tt.reshape %324#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %348:2 = tt.split %347 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %350 = tt.reshape %327#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %351:2 = tt.split %350 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %353 = tt.reshape %330#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %354:2 = tt.split %353 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %356 = tt.reshape %333#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %357:2 = tt.split %356 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %359 = tt.reshape %336#0 : tensor<4x1xf32> -> tensor<4xf32>
      %360 = tt.reshape %339#0 : tensor<4x1xf32> -> tensor<4xf32>
      %361 = tt.reshape %342#0 : tensor<4x1xf32> -> tensor<4xf32>
      %362 = tt.reshape %345#0 : tensor<4x1xf32> -> tensor<4xf32>
      %363 = tt.reshape %348#0 : tensor<4x1xf32> -> tensor<4xf32>
      %364 = tt.reshape %351#0 : tensor<4x1xf32> -> tensor<4xf32>
      %365 = tt.reshape %354#0 : tensor<4x1xf32> -> tensor<4xf32>
      %366 = tt.reshape %357#0 : tensor<4x1xf32> -> tensor<4xf32>
      %367 = tt.reshape %336#1 : tensor<4x1xf32> -> tensor<4xf32>
      %368 = tt.reshape %339#1 : tensor<4x1xf32> -> tensor<4xf32>
      %369 = tt.reshape %342#1 : tensor<4x1xf32> -> tensor<4xf32>
      %370 = tt.reshape %345#1 : tensor<4x1xf32> -> tensor<4xf32>
      %371 = tt.reshape %348#1 : tensor<4x1xf32> -> tensor<4xf32>
      %372 = tt.reshape %351#1 : tensor<4x1xf32> -> tensor<4xf32>
      %373 = tt.reshape %354#1 : tensor<4x1xf32> -> tensor<4xf32>
      %374 = tt.reshape %357#1 : tensor<4x1xf32> -> tensor<4xf32>
      %375 = tt.reshape %359 : tensor<4xf32> -> tensor<4x1xf32>
      %376 = tt.trans %375 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %377 = tt.reshape %360 : tensor<4xf32> -> tensor<4x1xf32>
      %378 = tt.trans %377 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %379 = tt.reshape %361 : tensor<4xf32> -> tensor<4x1xf32>
      %380 = tt.trans %379 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %381 = tt.reshape %362 : tensor<4xf32> -> tensor<4x1xf32>
      %382 = tt.trans %381 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %383 = tt.reshape %363 : tensor<4xf32> -> tensor<4x1xf32>
      %384 = tt.trans %383 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %385 = tt.reshape %364 : tensor<4xf32> -> tensor<4x1xf32>
      %386 = tt.trans %385 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %387 = tt.reshape %365 : tensor<4xf32> -> tensor<4x1xf32>
      %388 = tt.trans %387 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %389 = tt.reshape %366 : tensor<4xf32> -> tensor<4x1xf32>
      %390 = tt.trans %389 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %391 = tt.reshape %367 : tensor<4xf32> -> tensor<4x1xf32>
      %392 = tt.trans %391 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %393 = tt.reshape %368 : tensor<4xf32> -> tensor<4x1xf32>
      %394 = tt.trans %393 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %395 = tt.reshape %369 : tensor<4xf32> -> tensor<4x1xf32>
      %396 = tt.trans %395 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %397 = tt.reshape %370 : tensor<4xf32> -> tensor<4x1xf32>
      %398 = tt.trans %397 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %399 = tt.reshape %371 : tensor<4xf32> -> tensor<4x1xf32>
      %400 = tt.trans %399 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %401 = tt.reshape %372 : tensor<4xf32> -> tensor<4x1xf32>
      %402 = tt.trans %401 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %403 = tt.reshape %373 : tensor<4xf32> -> tensor<4x1xf32>
      %404 = tt.trans %403 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %405 = tt.reshape %374 : tensor<4xf32> -> tensor<4x1xf32>
      %406 = tt.trans %405 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %407 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %408 = tt.splat %32 : i32 -> tensor<4xi32>
      %409 = arith.cmpi slt, %407, %408 : tensor<4xi32>
      %410 = tt.expand_dims %409 {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %411 = tt.expand_dims %407 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %412 = tt.splat %72 : !tt.ptr<f32> -> tensor<1x4x!tt.ptr<f32>>
      %413 = tt.addptr %412, %411 : tensor<1x4x!tt.ptr<f32>>, tensor<1x4xi32>
      %414 = tt.expand_dims %136 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %415 = tt.splat %32 : i32 -> tensor<16x1xi32>
      %416 = arith.muli %414, %415 : tensor<16x1xi32>
      %417 = tt.broadcast %413 : tensor<1x4x!tt.ptr<f32>> -> tensor<16x4x!tt.ptr<f32>>
      %418 = tt.broadcast %416 : tensor<16x1xi32> -> tensor<16x4xi32>
      %419 = tt.addptr %417, %418 : tensor<16x4x!tt.ptr<f32>>, tensor<16x4xi32>
      %420 = tt.expand_dims %139 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %421 = tt.broadcast %410 : tensor<1x4xi1> -> tensor<16x4xi1>
      %422 = tt.broadcast %420 : tensor<16x1xi1> -> tensor<16x4xi1>
      %423 = arith.andi %421, %422 : tensor<16x4xi1>
      %424 = tt.splat %62 : f32 -> tensor<16x4xf32>
      %425 = tt.load %419, %423, %424 : tensor<16x4x!tt.ptr<f32>>
      %426 = tt.trans %425 {order = array<i32: 1, 0>} : tensor<16x4xf32> -> tensor<4x16xf32>
      %427 = tt.reshape %426 : tensor<4x16xf32> -> tensor<4x8x2xf32>
      %428:2 = tt.split %427 : tensor<4x8x2xf32> -> tensor<4x8xf32>
      %430 = tt.reshape %428#0 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %431:2 = tt.split %430 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %433 = tt.reshape %428#1 : tensor<4x8xf32> -> tensor<4x4x2xf32>
      %434:2 = tt.split %433 : tensor<4x4x2xf32> -> tensor<4x4xf32>
      %436 = tt.reshape %431#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %437:2 = tt.split %436 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %439 = tt.reshape %434#0 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %440:2 = tt.split %439 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %442 = tt.reshape %431#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %443:2 = tt.split %442 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %445 = tt.reshape %434#1 : tensor<4x4xf32> -> tensor<4x2x2xf32>
      %446:2 = tt.split %445 : tensor<4x2x2xf32> -> tensor<4x2xf32>
      %448 = tt.reshape %437#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %449:2 = tt.split %448 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %451 = tt.reshape %440#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %452:2 = tt.split %451 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %454 = tt.reshape %443#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %455:2 = tt.split %454 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %457 = tt.reshape %446#0 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %458:2 = tt.split %457 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %460 = tt.reshape %437#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %461:2 = tt.split %460 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %463 = tt.reshape %440#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %464:2 = tt.split %463 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %466 = tt.reshape %443#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %467:2 = tt.split %466 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %469 = tt.reshape %446#1 : tensor<4x2xf32> -> tensor<4x1x2xf32>
      %470:2 = tt.split %469 : tensor<4x1x2xf32> -> tensor<4x1xf32>
      %472 = tt.reshape %449#0 : tensor<4x1xf32> -> tensor<4xf32>
      %473 = tt.reshape %452#0 : tensor<4x1xf32> -> tensor<4xf32>
      %474 = tt.reshape %455#0 : tensor<4x1xf32> -> tensor<4xf32>
      %475 = tt.reshape %458#0 : tensor<4x1xf32> -> tensor<4xf32>
      %476 = tt.reshape %461#0 : tensor<4x1xf32> -> tensor<4xf32>
      %477 = tt.reshape %464#0 : tensor<4x1xf32> -> tensor<4xf32>
      %478 = tt.reshape %467#0 : tensor<4x1xf32> -> tensor<4xf32>
      %479 = tt.reshape %470#0 : tensor<4x1xf32> -> tensor<4xf32>
      %480 = tt.reshape %449#1 : tensor<4x1xf32> -> tensor<4xf32>
      %481 = tt.reshape %452#1 : tensor<4x1xf32> -> tensor<4xf32>
      %482 = tt.reshape %455#1 : tensor<4x1xf32> -> tensor<4xf32>
      %483 = tt.reshape %458#1 : tensor<4x1xf32> -> tensor<4xf32>
      %484 = tt.reshape %461#1 : tensor<4x1xf32> -> tensor<4xf32>
      %485 = tt.reshape %464#1 : tensor<4x1xf32> -> tensor<4xf32>
      %486 = tt.reshape %467#1 : tensor<4x1xf32> -> tensor<4xf32>
      %487 = tt.reshape %470#1 : tensor<4x1xf32> -> tensor<4xf32>
      %488 = tt.reshape %472 : tensor<4xf32> -> tensor<4x1xf32>
      %489 = tt.trans %488 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %490 = tt.reshape %473 : tensor<4xf32> -> tensor<4x1xf32>
      %491 = tt.trans %490 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %492 = tt.reshape %474 : tensor<4xf32> -> tensor<4x1xf32>
      %493 = tt.trans %492 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %494 = tt.reshape %475 : tensor<4xf32> -> tensor<4x1xf32>
      %495 = tt.trans %494 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %496 = tt.reshape %476 : tensor<4xf32> -> tensor<4x1xf32>
      %497 = tt.trans %496 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %498 = tt.reshape %477 : tensor<4xf32> -> tensor<4x1xf32>
      %499 = tt.trans %498 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %500 = tt.reshape %478 : tensor<4xf32> -> tensor<4x1xf32>
      %501 = tt.trans %500 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %502 = tt.reshape %479 : tensor<4xf32> -> tensor<4x1xf32>
      %503 = tt.trans %502 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %504 = tt.reshape %480 : tensor<4xf32> -> tensor<4x1xf32>
      %505 = tt.trans %504 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %506 = tt.reshape %481 : tensor<4xf32> -> tensor<4x1xf32>
      %507 = tt.trans %506 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %508 = tt.reshape %482 : tensor<4xf32> -> tensor<4x1xf32>
      %509 = tt.trans %508 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %510 = tt.reshape %483 : tensor<4xf32> -> tensor<4x1xf32>
      %511 = tt.trans %510 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %512 = tt.reshape %484 : tensor<4xf32> -> tensor<4x1xf32>
      %513 = tt.trans %512 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %514 = tt.reshape %485 : tensor<4xf32> -> tensor<4x1xf32>
      %515 = tt.trans %514 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %516 = tt.reshape %486 : tensor<4xf32> -> tensor<4x1xf32>
      %517 = tt.trans %516 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %518 = tt.reshape %487 : tensor<4xf32> -> tensor<4x1xf32>
      %519 = tt.trans %518 {order = array<i32: 1, 0>} : tensor<4x1xf32> -> tensor<1x4xf32>
      %520 = tt.splat %75 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
      %521 = tt.addptr %520, %136 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
      %522 = tt.splat %14 : i32 -> tensor<16xi32>
      %523 = tt.load %521, %139, %522 : tensor<16x!tt.ptr<i32>>
      %524 = tt.splat %14 : i32 -> tensor<16xi32>
      %525 = arith.cmpi sgt, %136, %524 : tensor<16xi32>
      %526 = arith.andi %139, %525 : tensor<16xi1>
      %527 = tt.splat %21 : i32 -> tensor<16xi32>
      %528 = arith.subi %136, %527 : tensor<16xi32>
      %529 = tt.splat %75 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
      %530 = tt.addptr %529, %528 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
      %531 = tt.splat %14 : i32 -> tensor<16xi32>
      %532 = tt.load %530, %526, %531 : tensor<16x!tt.ptr<i32>>
      %533 = arith.cmpi eq, %523, %532 : tensor<16xi32>
      %534 = arith.sitofp %523 : tensor<16xi32> to tensor<16xf32>
      %537 = tt.splat %536 : f32 -> tensor<16xf32>
      %538 = arith.select %533, %535, %537 : tensor<16xi1>, tensor<16xf32>
      %539 = tt.expand_dims %538 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %540 = tt.trans %539 {order = array<i32: 1, 0>} : tensor<16x1xf32> -> tensor<1x16xf32>
      %541 = tt.reshape %540 : tensor<1x16xf32> -> tensor<1x8x2xf32>
      %542:2 = tt.split %541 : tensor<1x8x2xf32> -> tensor<1x8xf32>
      %544 = tt.reshape %542#0 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %545:2 = tt.split %544 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %547 = tt.reshape %542#1 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %548:2 = tt.split %547 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %550 = tt.reshape %545#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %551:2 = tt.split %550 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %553 = tt.reshape %548#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %554:2 = tt.split %553 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %556 = tt.reshape %545#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %557:2 = tt.split %556 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %559 = tt.reshape %548#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %560:2 = tt.split %559 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %562 = tt.reshape %551#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %563:2 = tt.split %562 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %565 = tt.reshape %554#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %566:2 = tt.split %565 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %568 = tt.reshape %557#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %569:2 = tt.split %568 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %571 = tt.reshape %560#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %572:2 = tt.split %571 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %574 = tt.reshape %551#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %575:2 = tt.split %574 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %577 = tt.reshape %554#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %578:2 = tt.split %577 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %580 = tt.reshape %557#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %581:2 = tt.split %580 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %583 = tt.reshape %560#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %584:2 = tt.split %583 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %586 = tt.reshape %563#0 : tensor<1x1xf32> -> tensor<1xf32>
      %587 = tt.reshape %566#0 : tensor<1x1xf32> -> tensor<1xf32>
      %588 = tt.reshape %569#0 : tensor<1x1xf32> -> tensor<1xf32>
      %589 = tt.reshape %572#0 : tensor<1x1xf32> -> tensor<1xf32>
      %590 = tt.reshape %575#0 : tensor<1x1xf32> -> tensor<1xf32>
      %591 = tt.reshape %578#0 : tensor<1x1xf32> -> tensor<1xf32>
      %592 = tt.reshape %581#0 : tensor<1x1xf32> -> tensor<1xf32>
      %593 = tt.reshape %584#0 : tensor<1x1xf32> -> tensor<1xf32>
      %594 = tt.reshape %563#1 : tensor<1x1xf32> -> tensor<1xf32>
      %595 = tt.reshape %566#1 : tensor<1x1xf32> -> tensor<1xf32>
      %596 = tt.reshape %569#1 : tensor<1x1xf32> -> tensor<1xf32>
      %597 = tt.reshape %572#1 : tensor<1x1xf32> -> tensor<1xf32>
      %598 = tt.reshape %575#1 : tensor<1x1xf32> -> tensor<1xf32>
      %599 = tt.reshape %578#1 : tensor<1x1xf32> -> tensor<1xf32>
      %600 = tt.reshape %581#1 : tensor<1x1xf32> -> tensor<1xf32>
      %601 = tt.reshape %584#1 : tensor<1x1xf32> -> tensor<1xf32>
      %602 = tt.expand_dims %278 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %603 = tt.expand_dims %602 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %604 = tt.broadcast %603 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %605 = arith.mulf %604, %67 : tensor<1x4x8xf32>
      %606 = tt.expand_dims %586 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %607 = tt.expand_dims %606 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %608 = tt.broadcast %607 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %609 = arith.addf %605, %608 : tensor<1x4x8xf32>
      %610 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %609 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %611 = tt.expand_dims %279 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %612 = tt.expand_dims %611 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %613 = tt.broadcast %612 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %614 = arith.mulf %613, %67 : tensor<1x4x8xf32>
      %615 = tt.expand_dims %587 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %616 = tt.expand_dims %615 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %617 = tt.broadcast %616 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %618 = arith.addf %614, %617 : tensor<1x4x8xf32>
      %619 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %618 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %620 = tt.expand_dims %280 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %621 = tt.expand_dims %620 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %622 = tt.broadcast %621 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %623 = arith.mulf %622, %67 : tensor<1x4x8xf32>
      %624 = tt.expand_dims %588 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %625 = tt.expand_dims %624 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %626 = tt.broadcast %625 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %627 = arith.addf %623, %626 : tensor<1x4x8xf32>
      %628 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %627 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %629 = tt.expand_dims %281 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %630 = tt.expand_dims %629 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %631 = tt.broadcast %630 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %632 = arith.mulf %631, %67 : tensor<1x4x8xf32>
      %633 = tt.expand_dims %589 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %634 = tt.expand_dims %633 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %635 = tt.broadcast %634 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %636 = arith.addf %632, %635 : tensor<1x4x8xf32>
      %637 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %636 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %638 = tt.expand_dims %282 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %639 = tt.expand_dims %638 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %640 = tt.broadcast %639 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %641 = arith.mulf %640, %67 : tensor<1x4x8xf32>
      %642 = tt.expand_dims %590 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %643 = tt.expand_dims %642 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %644 = tt.broadcast %643 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %645 = arith.addf %641, %644 : tensor<1x4x8xf32>
      %646 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %645 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %647 = tt.expand_dims %283 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %648 = tt.expand_dims %647 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %649 = tt.broadcast %648 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %650 = arith.mulf %649, %67 : tensor<1x4x8xf32>
      %651 = tt.expand_dims %591 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %652 = tt.expand_dims %651 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %653 = tt.broadcast %652 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %654 = arith.addf %650, %653 : tensor<1x4x8xf32>
      %655 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %654 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %656 = tt.expand_dims %284 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %657 = tt.expand_dims %656 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %658 = tt.broadcast %657 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %659 = arith.mulf %658, %67 : tensor<1x4x8xf32>
      %660 = tt.expand_dims %592 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %661 = tt.expand_dims %660 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %662 = tt.broadcast %661 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %663 = arith.addf %659, %662 : tensor<1x4x8xf32>
      %664 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %663 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %665 = tt.expand_dims %285 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %666 = tt.expand_dims %665 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %667 = tt.broadcast %666 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %668 = arith.mulf %667, %67 : tensor<1x4x8xf32>
      %669 = tt.expand_dims %593 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %670 = tt.expand_dims %669 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %671 = tt.broadcast %670 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %672 = arith.addf %668, %671 : tensor<1x4x8xf32>
      %673 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %672 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %674 = tt.expand_dims %286 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %675 = tt.expand_dims %674 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %676 = tt.broadcast %675 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %677 = arith.mulf %676, %67 : tensor<1x4x8xf32>
      %678 = tt.expand_dims %594 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %679 = tt.expand_dims %678 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %680 = tt.broadcast %679 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %681 = arith.addf %677, %680 : tensor<1x4x8xf32>
      %682 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %681 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %683 = tt.expand_dims %287 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %684 = tt.expand_dims %683 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %685 = tt.broadcast %684 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %686 = arith.mulf %685, %67 : tensor<1x4x8xf32>
      %687 = tt.expand_dims %595 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %688 = tt.expand_dims %687 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %689 = tt.broadcast %688 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %690 = arith.addf %686, %689 : tensor<1x4x8xf32>
      %691 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %690 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %692 = tt.expand_dims %288 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %693 = tt.expand_dims %692 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %694 = tt.broadcast %693 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %695 = arith.mulf %694, %67 : tensor<1x4x8xf32>
      %696 = tt.expand_dims %596 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %697 = tt.expand_dims %696 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %698 = tt.broadcast %697 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %699 = arith.addf %695, %698 : tensor<1x4x8xf32>
      %700 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %699 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %701 = tt.expand_dims %289 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %702 = tt.expand_dims %701 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %703 = tt.broadcast %702 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %704 = arith.mulf %703, %67 : tensor<1x4x8xf32>
      %705 = tt.expand_dims %597 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %706 = tt.expand_dims %705 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %707 = tt.broadcast %706 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %708 = arith.addf %704, %707 : tensor<1x4x8xf32>
      %709 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %708 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %710 = tt.expand_dims %290 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %711 = tt.expand_dims %710 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %712 = tt.broadcast %711 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %713 = arith.mulf %712, %67 : tensor<1x4x8xf32>
      %714 = tt.expand_dims %598 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %715 = tt.expand_dims %714 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %716 = tt.broadcast %715 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %717 = arith.addf %713, %716 : tensor<1x4x8xf32>
      %718 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %717 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %719 = tt.expand_dims %291 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %720 = tt.expand_dims %719 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %721 = tt.broadcast %720 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %722 = arith.mulf %721, %67 : tensor<1x4x8xf32>
      %723 = tt.expand_dims %599 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %724 = tt.expand_dims %723 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %725 = tt.broadcast %724 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %726 = arith.addf %722, %725 : tensor<1x4x8xf32>
      %727 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %726 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %728 = tt.expand_dims %292 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %729 = tt.expand_dims %728 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %730 = tt.broadcast %729 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %731 = arith.mulf %730, %67 : tensor<1x4x8xf32>
      %732 = tt.expand_dims %600 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %733 = tt.expand_dims %732 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %734 = tt.broadcast %733 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %735 = arith.addf %731, %734 : tensor<1x4x8xf32>
      %736 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %735 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %737 = tt.expand_dims %293 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %738 = tt.expand_dims %737 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %739 = tt.broadcast %738 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %740 = arith.mulf %739, %67 : tensor<1x4x8xf32>
      %741 = tt.expand_dims %601 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %742 = tt.expand_dims %741 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %743 = tt.broadcast %742 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %744 = arith.addf %740, %743 : tensor<1x4x8xf32>
      %745 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %744 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %746 = arith.mulf %216, %278 : tensor<8xf32>
      %747 = tt.expand_dims %746 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %748 = tt.expand_dims %747 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %749 = tt.expand_dims %376 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %750 = tt.broadcast %748 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %751 = tt.broadcast %749 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %752 = arith.mulf %750, %751 : tensor<1x4x8xf32>
      %753 = math.fma %610, %107, %752 : tensor<1x4x8xf32>
      %754 = tt.expand_dims %489 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %755 = tt.broadcast %754 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %756 = arith.mulf %753, %755 : tensor<1x4x8xf32>
      %760 = "tt.reduce"(%756) <{axis = 0 : i32}> ({
      ^bb0(%757: f32, %758: f32):
        %759 = arith.addf %757, %758 : f32
        tt.reduce.return %759 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %761 = arith.mulf %217, %279 : tensor<8xf32>
      %762 = tt.expand_dims %761 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %763 = tt.expand_dims %762 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %764 = tt.expand_dims %378 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %765 = tt.broadcast %763 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %766 = tt.broadcast %764 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %767 = arith.mulf %765, %766 : tensor<1x4x8xf32>
      %768 = math.fma %619, %753, %767 : tensor<1x4x8xf32>
      %769 = tt.expand_dims %491 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %770 = tt.broadcast %769 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %771 = arith.mulf %768, %770 : tensor<1x4x8xf32>
      %775 = "tt.reduce"(%771) <{axis = 0 : i32}> ({
      ^bb0(%772: f32, %773: f32):
        %774 = arith.addf %772, %773 : f32
        tt.reduce.return %774 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %776 = tt.reshape %760 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %780 = "tt.reduce"(%776) <{axis = 1 : i32}> ({
      ^bb0(%777: f32, %778: f32):
        %779 = arith.addf %777, %778 : f32
        tt.reduce.return %779 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %781 = tt.expand_dims %780 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %782 = tt.reshape %775 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %786 = "tt.reduce"(%782) <{axis = 1 : i32}> ({
      ^bb0(%783: f32, %784: f32):
        %785 = arith.addf %783, %784 : f32
        tt.reduce.return %785 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %787 = tt.expand_dims %786 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %788 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %789 = tt.reshape %788 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %790 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %791 = arith.cmpi eq, %789, %790 : tensor<1x2x1x1xi32>
      %792 = tt.broadcast %791 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %793 = tt.broadcast %787 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %794 = tt.broadcast %781 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %795 = arith.select %792, %793, %794 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %796 = tt.reshape %795 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %797 = arith.mulf %218, %280 : tensor<8xf32>
      %798 = tt.expand_dims %797 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %799 = tt.expand_dims %798 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %800 = tt.expand_dims %380 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %801 = tt.broadcast %799 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %802 = tt.broadcast %800 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %803 = arith.mulf %801, %802 : tensor<1x4x8xf32>
      %804 = math.fma %628, %768, %803 : tensor<1x4x8xf32>
      %805 = tt.expand_dims %493 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %806 = tt.broadcast %805 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %807 = arith.mulf %804, %806 : tensor<1x4x8xf32>
      %811 = "tt.reduce"(%807) <{axis = 0 : i32}> ({
      ^bb0(%808: f32, %809: f32):
        %810 = arith.addf %808, %809 : f32
        tt.reduce.return %810 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %812 = arith.mulf %219, %281 : tensor<8xf32>
      %813 = tt.expand_dims %812 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %814 = tt.expand_dims %813 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %815 = tt.expand_dims %382 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %816 = tt.broadcast %814 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %817 = tt.broadcast %815 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %818 = arith.mulf %816, %817 : tensor<1x4x8xf32>
      %819 = math.fma %637, %804, %818 : tensor<1x4x8xf32>
      %820 = tt.expand_dims %495 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %821 = tt.broadcast %820 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %822 = arith.mulf %819, %821 : tensor<1x4x8xf32>
      %826 = "tt.reduce"(%822) <{axis = 0 : i32}> ({
      ^bb0(%823: f32, %824: f32):
        %825 = arith.addf %823, %824 : f32
        tt.reduce.return %825 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %827 = tt.reshape %811 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %831 = "tt.reduce"(%827) <{axis = 1 : i32}> ({
      ^bb0(%828: f32, %829: f32):
        %830 = arith.addf %828, %829 : f32
        tt.reduce.return %830 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %832 = tt.expand_dims %831 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %833 = tt.reshape %826 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %837 = "tt.reduce"(%833) <{axis = 1 : i32}> ({
      ^bb0(%834: f32, %835: f32):
        %836 = arith.addf %834, %835 : f32
        tt.reduce.return %836 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %838 = tt.expand_dims %837 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %839 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %840 = tt.reshape %839 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %841 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %842 = arith.cmpi eq, %840, %841 : tensor<1x2x1x1xi32>
      %843 = tt.broadcast %842 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %844 = tt.broadcast %838 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %845 = tt.broadcast %832 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %846 = arith.select %843, %844, %845 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %847 = tt.reshape %846 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %848 = tt.reshape %796 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %852 = "tt.reduce"(%848) <{axis = 1 : i32}> ({
      ^bb0(%849: f32, %850: f32):
        %851 = arith.addf %849, %850 : f32
        tt.reduce.return %851 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %853 = tt.expand_dims %852 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %854 = tt.reshape %847 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %858 = "tt.reduce"(%854) <{axis = 1 : i32}> ({
      ^bb0(%855: f32, %856: f32):
        %857 = arith.addf %855, %856 : f32
        tt.reduce.return %857 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %859 = tt.expand_dims %858 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %860 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %861 = tt.reshape %860 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %862 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %863 = arith.cmpi eq, %861, %862 : tensor<1x2x1x1xi32>
      %864 = tt.broadcast %863 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %865 = tt.broadcast %859 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %866 = tt.broadcast %853 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %867 = arith.select %864, %865, %866 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %868 = tt.reshape %867 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %869 = arith.addi %133, %14 : i32
      %870 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %871 = tt.splat %869 : i32 -> tensor<4xi32>
      %872 = arith.addi %871, %870 : tensor<4xi32>
      %873 = tt.splat %137 : i32 -> tensor<4xi32>
      %874 = arith.cmpi slt, %872, %873 : tensor<4xi32>
      %875 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %876 = tt.expand_dims %872 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %877 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %878 = arith.muli %876, %877 : tensor<4x1xi32>
      %879 = tt.broadcast %875 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %880 = tt.broadcast %878 : tensor<4x1xi32> -> tensor<4x8xi32>
      %881 = tt.addptr %879, %880 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %882 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %883 = tt.expand_dims %874 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %884 = tt.broadcast %882 : tensor<1x8xi1> -> tensor<4x8xi1>
      %885 = tt.broadcast %883 : tensor<4x1xi1> -> tensor<4x8xi1>
      %886 = arith.andi %884, %885 : tensor<4x8xi1>
      %887 = arith.truncf %868 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %881, %887, %886 : tensor<4x8x!tt.ptr<bf16>>
      %888 = arith.mulf %220, %282 : tensor<8xf32>
      %889 = tt.expand_dims %888 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %890 = tt.expand_dims %889 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %891 = tt.expand_dims %384 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %892 = tt.broadcast %890 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %893 = tt.broadcast %891 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %894 = arith.mulf %892, %893 : tensor<1x4x8xf32>
      %895 = math.fma %646, %819, %894 : tensor<1x4x8xf32>
      %896 = tt.expand_dims %497 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %897 = tt.broadcast %896 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %898 = arith.mulf %895, %897 : tensor<1x4x8xf32>
      %902 = "tt.reduce"(%898) <{axis = 0 : i32}> ({
      ^bb0(%899: f32, %900: f32):
        %901 = arith.addf %899, %900 : f32
        tt.reduce.return %901 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %903 = arith.mulf %221, %283 : tensor<8xf32>
      %904 = tt.expand_dims %903 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %905 = tt.expand_dims %904 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %906 = tt.expand_dims %386 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %907 = tt.broadcast %905 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %908 = tt.broadcast %906 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %909 = arith.mulf %907, %908 : tensor<1x4x8xf32>
      %910 = math.fma %655, %895, %909 : tensor<1x4x8xf32>
      %911 = tt.expand_dims %499 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %912 = tt.broadcast %911 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %913 = arith.mulf %910, %912 : tensor<1x4x8xf32>
      %917 = "tt.reduce"(%913) <{axis = 0 : i32}> ({
      ^bb0(%914: f32, %915: f32):
        %916 = arith.addf %914, %915 : f32
        tt.reduce.return %916 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %918 = tt.reshape %902 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %922 = "tt.reduce"(%918) <{axis = 1 : i32}> ({
      ^bb0(%919: f32, %920: f32):
        %921 = arith.addf %919, %920 : f32
        tt.reduce.return %921 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %923 = tt.expand_dims %922 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %924 = tt.reshape %917 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %928 = "tt.reduce"(%924) <{axis = 1 : i32}> ({
      ^bb0(%925: f32, %926: f32):
        %927 = arith.addf %925, %926 : f32
        tt.reduce.return %927 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %929 = tt.expand_dims %928 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %930 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %931 = tt.reshape %930 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %932 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %933 = arith.cmpi eq, %931, %932 : tensor<1x2x1x1xi32>
      %934 = tt.broadcast %933 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %935 = tt.broadcast %929 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %936 = tt.broadcast %923 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %937 = arith.select %934, %935, %936 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %938 = tt.reshape %937 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %939 = arith.mulf %222, %284 : tensor<8xf32>
      %940 = tt.expand_dims %939 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %941 = tt.expand_dims %940 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %942 = tt.expand_dims %388 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %943 = tt.broadcast %941 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %944 = tt.broadcast %942 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %945 = arith.mulf %943, %944 : tensor<1x4x8xf32>
      %946 = math.fma %664, %910, %945 : tensor<1x4x8xf32>
      %947 = tt.expand_dims %501 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %948 = tt.broadcast %947 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %949 = arith.mulf %946, %948 : tensor<1x4x8xf32>
      %953 = "tt.reduce"(%949) <{axis = 0 : i32}> ({
      ^bb0(%950: f32, %951: f32):
        %952 = arith.addf %950, %951 : f32
        tt.reduce.return %952 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %954 = arith.mulf %223, %285 : tensor<8xf32>
      %955 = tt.expand_dims %954 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %956 = tt.expand_dims %955 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %957 = tt.expand_dims %390 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %958 = tt.broadcast %956 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %959 = tt.broadcast %957 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %960 = arith.mulf %958, %959 : tensor<1x4x8xf32>
      %961 = math.fma %673, %946, %960 : tensor<1x4x8xf32>
      %962 = tt.expand_dims %503 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %963 = tt.broadcast %962 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %964 = arith.mulf %961, %963 : tensor<1x4x8xf32>
      %968 = "tt.reduce"(%964) <{axis = 0 : i32}> ({
      ^bb0(%965: f32, %966: f32):
        %967 = arith.addf %965, %966 : f32
        tt.reduce.return %967 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %969 = tt.reshape %953 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
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
      %990 = tt.reshape %938 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
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
      %1012 = arith.addi %133, %1011 : i32
      %1013 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1014 = tt.splat %1012 : i32 -> tensor<4xi32>
      %1015 = arith.addi %1014, %1013 : tensor<4xi32>
      %1016 = tt.splat %137 : i32 -> tensor<4xi32>
      %1017 = arith.cmpi slt, %1015, %1016 : tensor<4xi32>
      %1018 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1019 = tt.expand_dims %1015 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1020 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %1021 = arith.muli %1019, %1020 : tensor<4x1xi32>
      %1022 = tt.broadcast %1018 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1023 = tt.broadcast %1021 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1024 = tt.addptr %1022, %1023 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1025 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1026 = tt.expand_dims %1017 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1027 = tt.broadcast %1025 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1028 = tt.broadcast %1026 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1029 = arith.andi %1027, %1028 : tensor<4x8xi1>
      %1030 = arith.truncf %1010 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1024, %1030, %1029 : tensor<4x8x!tt.ptr<bf16>>
      %1031 = arith.mulf %224, %286 : tensor<8xf32>
      %1032 = tt.expand_dims %1031 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1033 = tt.expand_dims %1032 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1034 = tt.expand_dims %392 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1035 = tt.broadcast %1033 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1036 = tt.broadcast %1034 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1037 = arith.mulf %1035, %1036 : tensor<1x4x8xf32>
      %1038 = math.fma %682, %961, %1037 : tensor<1x4x8xf32>
      %1039 = tt.expand_dims %505 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1040 = tt.broadcast %1039 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1041 = arith.mulf %1038, %1040 : tensor<1x4x8xf32>
      %1045 = "tt.reduce"(%1041) <{axis = 0 : i32}> ({
      ^bb0(%1042: f32, %1043: f32):
        %1044 = arith.addf %1042, %1043 : f32
        tt.reduce.return %1044 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1046 = arith.mulf %225, %287 : tensor<8xf32>
      %1047 = tt.expand_dims %1046 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1048 = tt.expand_dims %1047 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1049 = tt.expand_dims %394 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1050 = tt.broadcast %1048 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1051 = tt.broadcast %1049 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1052 = arith.mulf %1050, %1051 : tensor<1x4x8xf32>
      %1053 = math.fma %691, %1038, %1052 : tensor<1x4x8xf32>
      %1054 = tt.expand_dims %507 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1055 = tt.broadcast %1054 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1056 = arith.mulf %1053, %1055 : tensor<1x4x8xf32>
      %1060 = "tt.reduce"(%1056) <{axis = 0 : i32}> ({
      ^bb0(%1057: f32, %1058: f32):
        %1059 = arith.addf %1057, %1058 : f32
        tt.reduce.return %1059 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1061 = tt.reshape %1045 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1065 = "tt.reduce"(%1061) <{axis = 1 : i32}> ({
      ^bb0(%1062: f32, %1063: f32):
        %1064 = arith.addf %1062, %1063 : f32
        tt.reduce.return %1064 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1066 = tt.expand_dims %1065 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1067 = tt.reshape %1060 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1071 = "tt.reduce"(%1067) <{axis = 1 : i32}> ({
      ^bb0(%1068: f32, %1069: f32):
        %1070 = arith.addf %1068, %1069 : f32
        tt.reduce.return %1070 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1072 = tt.expand_dims %1071 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1073 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1074 = tt.reshape %1073 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1075 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1076 = arith.cmpi eq, %1074, %1075 : tensor<1x2x1x1xi32>
      %1077 = tt.broadcast %1076 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1078 = tt.broadcast %1072 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1079 = tt.broadcast %1066 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1080 = arith.select %1077, %1078, %1079 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1081 = tt.reshape %1080 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1082 = arith.mulf %226, %288 : tensor<8xf32>
      %1083 = tt.expand_dims %1082 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1084 = tt.expand_dims %1083 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1085 = tt.expand_dims %396 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1086 = tt.broadcast %1084 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1087 = tt.broadcast %1085 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1088 = arith.mulf %1086, %1087 : tensor<1x4x8xf32>
      %1089 = math.fma %700, %1053, %1088 : tensor<1x4x8xf32>
      %1090 = tt.expand_dims %509 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1091 = tt.broadcast %1090 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1092 = arith.mulf %1089, %1091 : tensor<1x4x8xf32>
      %1096 = "tt.reduce"(%1092) <{axis = 0 : i32}> ({
      ^bb0(%1093: f32, %1094: f32):
        %1095 = arith.addf %1093, %1094 : f32
        tt.reduce.return %1095 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1097 = arith.mulf %227, %289 : tensor<8xf32>
      %1098 = tt.expand_dims %1097 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1099 = tt.expand_dims %1098 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1100 = tt.expand_dims %398 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1101 = tt.broadcast %1099 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1102 = tt.broadcast %1100 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1103 = arith.mulf %1101, %1102 : tensor<1x4x8xf32>
      %1104 = math.fma %709, %1089, %1103 : tensor<1x4x8xf32>
      %1105 = tt.expand_dims %511 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1106 = tt.broadcast %1105 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1107 = arith.mulf %1104, %1106 : tensor<1x4x8xf32>
      %1111 = "tt.reduce"(%1107) <{axis = 0 : i32}> ({
      ^bb0(%1108: f32, %1109: f32):
        %1110 = arith.addf %1108, %1109 : f32
        tt.reduce.return %1110 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1112 = tt.reshape %1096 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1116 = "tt.reduce"(%1112) <{axis = 1 : i32}> ({
      ^bb0(%1113: f32, %1114: f32):
        %1115 = arith.addf %1113, %1114 : f32
        tt.reduce.return %1115 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1117 = tt.expand_dims %1116 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1118 = tt.reshape %1111 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1122 = "tt.reduce"(%1118) <{axis = 1 : i32}> ({
      ^bb0(%1119: f32, %1120: f32):
        %1121 = arith.addf %1119, %1120 : f32
        tt.reduce.return %1121 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1123 = tt.expand_dims %1122 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1124 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1125 = tt.reshape %1124 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1126 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1127 = arith.cmpi eq, %1125, %1126 : tensor<1x2x1x1xi32>
      %1128 = tt.broadcast %1127 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1129 = tt.broadcast %1123 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1130 = tt.broadcast %1117 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1131 = arith.select %1128, %1129, %1130 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1132 = tt.reshape %1131 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1133 = tt.reshape %1081 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1137 = "tt.reduce"(%1133) <{axis = 1 : i32}> ({
      ^bb0(%1134: f32, %1135: f32):
        %1136 = arith.addf %1134, %1135 : f32
        tt.reduce.return %1136 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1138 = tt.expand_dims %1137 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1139 = tt.reshape %1132 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1143 = "tt.reduce"(%1139) <{axis = 1 : i32}> ({
      ^bb0(%1140: f32, %1141: f32):
        %1142 = arith.addf %1140, %1141 : f32
        tt.reduce.return %1142 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1144 = tt.expand_dims %1143 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1145 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1146 = tt.reshape %1145 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1147 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1148 = arith.cmpi eq, %1146, %1147 : tensor<1x2x1x1xi32>
      %1149 = tt.broadcast %1148 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1150 = tt.broadcast %1144 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1151 = tt.broadcast %1138 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1152 = arith.select %1149, %1150, %1151 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1153 = tt.reshape %1152 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1154 = arith.addi %133, %12 : i32
      %1155 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1156 = tt.splat %1154 : i32 -> tensor<4xi32>
      %1157 = arith.addi %1156, %1155 : tensor<4xi32>
      %1158 = tt.splat %137 : i32 -> tensor<4xi32>
      %1159 = arith.cmpi slt, %1157, %1158 : tensor<4xi32>
      %1160 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1161 = tt.expand_dims %1157 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1162 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %1163 = arith.muli %1161, %1162 : tensor<4x1xi32>
      %1164 = tt.broadcast %1160 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1165 = tt.broadcast %1163 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1166 = tt.addptr %1164, %1165 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1167 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1168 = tt.expand_dims %1159 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1169 = tt.broadcast %1167 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1170 = tt.broadcast %1168 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1171 = arith.andi %1169, %1170 : tensor<4x8xi1>
      %1172 = arith.truncf %1153 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1166, %1172, %1171 : tensor<4x8x!tt.ptr<bf16>>
      %1173 = arith.mulf %228, %290 : tensor<8xf32>
      %1174 = tt.expand_dims %1173 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1175 = tt.expand_dims %1174 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1176 = tt.expand_dims %400 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1177 = tt.broadcast %1175 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1178 = tt.broadcast %1176 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1179 = arith.mulf %1177, %1178 : tensor<1x4x8xf32>
      %1180 = math.fma %718, %1104, %1179 : tensor<1x4x8xf32>
      %1181 = tt.expand_dims %513 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1182 = tt.broadcast %1181 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1183 = arith.mulf %1180, %1182 : tensor<1x4x8xf32>
      %1187 = "tt.reduce"(%1183) <{axis = 0 : i32}> ({
      ^bb0(%1184: f32, %1185: f32):
        %1186 = arith.addf %1184, %1185 : f32
        tt.reduce.return %1186 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1188 = arith.mulf %229, %291 : tensor<8xf32>
      %1189 = tt.expand_dims %1188 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1190 = tt.expand_dims %1189 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1191 = tt.expand_dims %402 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1192 = tt.broadcast %1190 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1193 = tt.broadcast %1191 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1194 = arith.mulf %1192, %1193 : tensor<1x4x8xf32>
      %1195 = math.fma %727, %1180, %1194 : tensor<1x4x8xf32>
      %1196 = tt.expand_dims %515 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1197 = tt.broadcast %1196 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1198 = arith.mulf %1195, %1197 : tensor<1x4x8xf32>
      %1202 = "tt.reduce"(%1198) <{axis = 0 : i32}> ({
      ^bb0(%1199: f32, %1200: f32):
        %1201 = arith.addf %1199, %1200 : f32
        tt.reduce.return %1201 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1203 = tt.reshape %1187 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1207 = "tt.reduce"(%1203) <{axis = 1 : i32}> ({
      ^bb0(%1204: f32, %1205: f32):
        %1206 = arith.addf %1204, %1205 : f32
        tt.reduce.return %1206 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1208 = tt.expand_dims %1207 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1209 = tt.reshape %1202 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1213 = "tt.reduce"(%1209) <{axis = 1 : i32}> ({
      ^bb0(%1210: f32, %1211: f32):
        %1212 = arith.addf %1210, %1211 : f32
        tt.reduce.return %1212 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1214 = tt.expand_dims %1213 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1215 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1216 = tt.reshape %1215 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1217 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1218 = arith.cmpi eq, %1216, %1217 : tensor<1x2x1x1xi32>
      %1219 = tt.broadcast %1218 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1220 = tt.broadcast %1214 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1221 = tt.broadcast %1208 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1222 = arith.select %1219, %1220, %1221 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1223 = tt.reshape %1222 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1224 = arith.mulf %230, %292 : tensor<8xf32>
      %1225 = tt.expand_dims %1224 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1226 = tt.expand_dims %1225 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1227 = tt.expand_dims %404 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1228 = tt.broadcast %1226 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1229 = tt.broadcast %1227 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1230 = arith.mulf %1228, %1229 : tensor<1x4x8xf32>
      %1231 = math.fma %736, %1195, %1230 : tensor<1x4x8xf32>
      %1232 = tt.expand_dims %517 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1233 = tt.broadcast %1232 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1234 = arith.mulf %1231, %1233 : tensor<1x4x8xf32>
      %1238 = "tt.reduce"(%1234) <{axis = 0 : i32}> ({
      ^bb0(%1235: f32, %1236: f32):
        %1237 = arith.addf %1235, %1236 : f32
        tt.reduce.return %1237 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1239 = arith.mulf %231, %293 : tensor<8xf32>
      %1240 = tt.expand_dims %1239 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1241 = tt.expand_dims %1240 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1242 = tt.expand_dims %406 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1243 = tt.broadcast %1241 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1244 = tt.broadcast %1242 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1245 = arith.mulf %1243, %1244 : tensor<1x4x8xf32>
      %1246 = math.fma %745, %1231, %1245 : tensor<1x4x8xf32>
      %1247 = tt.expand_dims %519 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1248 = tt.broadcast %1247 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1249 = arith.mulf %1246, %1248 : tensor<1x4x8xf32>
      %1253 = "tt.reduce"(%1249) <{axis = 0 : i32}> ({
      ^bb0(%1250: f32, %1251: f32):
        %1252 = arith.addf %1250, %1251 : f32
        tt.reduce.return %1252 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1254 = tt.reshape %1238 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1258 = "tt.reduce"(%1254) <{axis = 1 : i32}> ({
      ^bb0(%1255: f32, %1256: f32):
        %1257 = arith.addf %1255, %1256 : f32
        tt.reduce.return %1257 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1259 = tt.expand_dims %1258 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1260 = tt.reshape %1253 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1264 = "tt.reduce"(%1260) <{axis = 1 : i32}> ({
      ^bb0(%1261: f32, %1262: f32):
        %1263 = arith.addf %1261, %1262 : f32
        tt.reduce.return %1263 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1265 = tt.expand_dims %1264 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1266 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1267 = tt.reshape %1266 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1268 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1269 = arith.cmpi eq, %1267, %1268 : tensor<1x2x1x1xi32>
      %1270 = tt.broadcast %1269 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1271 = tt.broadcast %1265 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1272 = tt.broadcast %1259 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1273 = arith.select %1270, %1271, %1272 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1274 = tt.reshape %1273 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1275 = tt.reshape %1223 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1279 = "tt.reduce"(%1275) <{axis = 1 : i32}> ({
      ^bb0(%1276: f32, %1277: f32):
        %1278 = arith.addf %1276, %1277 : f32
        tt.reduce.return %1278 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1280 = tt.expand_dims %1279 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1281 = tt.reshape %1274 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1285 = "tt.reduce"(%1281) <{axis = 1 : i32}> ({
      ^bb0(%1282: f32, %1283: f32):
        %1284 = arith.addf %1282, %1283 : f32
        tt.reduce.return %1284 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1286 = tt.expand_dims %1285 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1287 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1288 = tt.reshape %1287 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1289 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1290 = arith.cmpi eq, %1288, %1289 : tensor<1x2x1x1xi32>
      %1291 = tt.broadcast %1290 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1292 = tt.broadcast %1286 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1293 = tt.broadcast %1280 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1294 = arith.select %1291, %1292, %1293 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1295 = tt.reshape %1294 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1297 = arith.addi %133, %1296 : i32
      %1298 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1299 = tt.splat %1297 : i32 -> tensor<4xi32>
      %1300 = arith.addi %1299, %1298 : tensor<4xi32>
      %1301 = tt.splat %137 : i32 -> tensor<4xi32>
      %1302 = arith.cmpi slt, %1300, %1301 : tensor<4xi32>
      %1303 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1304 = tt.expand_dims %1300 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1305 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %1306 = arith.muli %1304, %1305 : tensor<4x1xi32>
      %1307 = tt.broadcast %1303 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1308 = tt.broadcast %1306 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1309 = tt.addptr %1307, %1308 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1310 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1311 = tt.expand_dims %1302 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1312 = tt.broadcast %1310 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1313 = tt.broadcast %1311 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1314 = arith.andi %1312, %1313 : tensor<4x8xi1>
      %1315 = arith.truncf %1295 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1309, %1315, %1314 : tensor<4x8x!tt.ptr<bf16>>
      scf.yield %1246 : tensor<1x4x8xf32>
    } {tt.num_stages = 3 : i32}
    %1317 = arith.extsi %14 : i32 to i64
    %1318 = arith.muli %28, %82 : i64
    %1319 = arith.addi %1318, %1317 : i64
    %1320 = arith.muli %1319, %85 : i64
    %1321 = tt.addptr %last, %1320 : !tt.ptr<f32>, i64
    %1322 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1323 = tt.expand_dims %1322 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1324 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %1325 = arith.muli %1323, %1324 : tensor<1x1x8xi32>
    %1326 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1327 = tt.broadcast %1325 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1328 = tt.broadcast %1326 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1329 = arith.addi %1327, %1328 : tensor<1x4x8xi32>
    %1330 = tt.splat %1321 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1331 = tt.addptr %1330, %1329 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1332 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1333 = tt.expand_dims %1332 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1334 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1335 = tt.broadcast %1333 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1336 = tt.broadcast %1334 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1337 = arith.andi %1335, %1336 : tensor<1x4x8xi1>
    tt.store %1331, %1316, %1337 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
