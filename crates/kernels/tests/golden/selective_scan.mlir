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
    %534 = arith.constant dense<0.0e0> : tensor<16xf32>
    %535 = arith.constant 0xFF800000 : f32
    %1010 = arith.constant 4 : i32
    %1295 = arith.constant 12 : i32
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
    %1315 = scf.for %106 = %14 to %21 step %21 iter_args(%107 = %105) -> (tensor<1x4x8xf32>) : i32 {
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
      %536 = tt.splat %535 : f32 -> tensor<16xf32>
      %537 = arith.select %533, %534, %536 : tensor<16xi1>, tensor<16xf32>
      %538 = tt.expand_dims %537 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %539 = tt.trans %538 {order = array<i32: 1, 0>} : tensor<16x1xf32> -> tensor<1x16xf32>
      %540 = tt.reshape %539 : tensor<1x16xf32> -> tensor<1x8x2xf32>
      %541:2 = tt.split %540 : tensor<1x8x2xf32> -> tensor<1x8xf32>
      %543 = tt.reshape %541#0 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %544:2 = tt.split %543 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %546 = tt.reshape %541#1 : tensor<1x8xf32> -> tensor<1x4x2xf32>
      %547:2 = tt.split %546 : tensor<1x4x2xf32> -> tensor<1x4xf32>
      %549 = tt.reshape %544#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %550:2 = tt.split %549 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %552 = tt.reshape %547#0 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %553:2 = tt.split %552 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %555 = tt.reshape %544#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %556:2 = tt.split %555 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %558 = tt.reshape %547#1 : tensor<1x4xf32> -> tensor<1x2x2xf32>
      %559:2 = tt.split %558 : tensor<1x2x2xf32> -> tensor<1x2xf32>
      %561 = tt.reshape %550#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %562:2 = tt.split %561 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %564 = tt.reshape %553#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %565:2 = tt.split %564 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %567 = tt.reshape %556#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %568:2 = tt.split %567 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %570 = tt.reshape %559#0 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %571:2 = tt.split %570 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %573 = tt.reshape %550#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %574:2 = tt.split %573 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %576 = tt.reshape %553#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %577:2 = tt.split %576 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %579 = tt.reshape %556#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %580:2 = tt.split %579 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %582 = tt.reshape %559#1 : tensor<1x2xf32> -> tensor<1x1x2xf32>
      %583:2 = tt.split %582 : tensor<1x1x2xf32> -> tensor<1x1xf32>
      %585 = tt.reshape %562#0 : tensor<1x1xf32> -> tensor<1xf32>
      %586 = tt.reshape %565#0 : tensor<1x1xf32> -> tensor<1xf32>
      %587 = tt.reshape %568#0 : tensor<1x1xf32> -> tensor<1xf32>
      %588 = tt.reshape %571#0 : tensor<1x1xf32> -> tensor<1xf32>
      %589 = tt.reshape %574#0 : tensor<1x1xf32> -> tensor<1xf32>
      %590 = tt.reshape %577#0 : tensor<1x1xf32> -> tensor<1xf32>
      %591 = tt.reshape %580#0 : tensor<1x1xf32> -> tensor<1xf32>
      %592 = tt.reshape %583#0 : tensor<1x1xf32> -> tensor<1xf32>
      %593 = tt.reshape %562#1 : tensor<1x1xf32> -> tensor<1xf32>
      %594 = tt.reshape %565#1 : tensor<1x1xf32> -> tensor<1xf32>
      %595 = tt.reshape %568#1 : tensor<1x1xf32> -> tensor<1xf32>
      %596 = tt.reshape %571#1 : tensor<1x1xf32> -> tensor<1xf32>
      %597 = tt.reshape %574#1 : tensor<1x1xf32> -> tensor<1xf32>
      %598 = tt.reshape %577#1 : tensor<1x1xf32> -> tensor<1xf32>
      %599 = tt.reshape %580#1 : tensor<1x1xf32> -> tensor<1xf32>
      %600 = tt.reshape %583#1 : tensor<1x1xf32> -> tensor<1xf32>
      %601 = tt.expand_dims %278 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %602 = tt.expand_dims %601 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %603 = tt.broadcast %602 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %604 = arith.mulf %603, %67 : tensor<1x4x8xf32>
      %605 = tt.expand_dims %585 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %606 = tt.expand_dims %605 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %607 = tt.broadcast %606 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %608 = arith.addf %604, %607 : tensor<1x4x8xf32>
      %609 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %608 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %610 = tt.expand_dims %279 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %611 = tt.expand_dims %610 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %612 = tt.broadcast %611 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %613 = arith.mulf %612, %67 : tensor<1x4x8xf32>
      %614 = tt.expand_dims %586 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %615 = tt.expand_dims %614 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %616 = tt.broadcast %615 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %617 = arith.addf %613, %616 : tensor<1x4x8xf32>
      %618 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %617 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %619 = tt.expand_dims %280 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %620 = tt.expand_dims %619 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %621 = tt.broadcast %620 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %622 = arith.mulf %621, %67 : tensor<1x4x8xf32>
      %623 = tt.expand_dims %587 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %624 = tt.expand_dims %623 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %625 = tt.broadcast %624 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %626 = arith.addf %622, %625 : tensor<1x4x8xf32>
      %627 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %626 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %628 = tt.expand_dims %281 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %629 = tt.expand_dims %628 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %630 = tt.broadcast %629 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %631 = arith.mulf %630, %67 : tensor<1x4x8xf32>
      %632 = tt.expand_dims %588 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %633 = tt.expand_dims %632 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %634 = tt.broadcast %633 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %635 = arith.addf %631, %634 : tensor<1x4x8xf32>
      %636 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %635 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %637 = tt.expand_dims %282 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %638 = tt.expand_dims %637 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %639 = tt.broadcast %638 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %640 = arith.mulf %639, %67 : tensor<1x4x8xf32>
      %641 = tt.expand_dims %589 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %642 = tt.expand_dims %641 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %643 = tt.broadcast %642 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %644 = arith.addf %640, %643 : tensor<1x4x8xf32>
      %645 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %644 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %646 = tt.expand_dims %283 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %647 = tt.expand_dims %646 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %648 = tt.broadcast %647 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %649 = arith.mulf %648, %67 : tensor<1x4x8xf32>
      %650 = tt.expand_dims %590 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %651 = tt.expand_dims %650 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %652 = tt.broadcast %651 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %653 = arith.addf %649, %652 : tensor<1x4x8xf32>
      %654 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %653 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %655 = tt.expand_dims %284 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %656 = tt.expand_dims %655 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %657 = tt.broadcast %656 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %658 = arith.mulf %657, %67 : tensor<1x4x8xf32>
      %659 = tt.expand_dims %591 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %660 = tt.expand_dims %659 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %661 = tt.broadcast %660 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %662 = arith.addf %658, %661 : tensor<1x4x8xf32>
      %663 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %662 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %664 = tt.expand_dims %285 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %665 = tt.expand_dims %664 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %666 = tt.broadcast %665 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %667 = arith.mulf %666, %67 : tensor<1x4x8xf32>
      %668 = tt.expand_dims %592 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %669 = tt.expand_dims %668 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %670 = tt.broadcast %669 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %671 = arith.addf %667, %670 : tensor<1x4x8xf32>
      %672 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %671 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %673 = tt.expand_dims %286 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %674 = tt.expand_dims %673 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %675 = tt.broadcast %674 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %676 = arith.mulf %675, %67 : tensor<1x4x8xf32>
      %677 = tt.expand_dims %593 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %678 = tt.expand_dims %677 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %679 = tt.broadcast %678 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %680 = arith.addf %676, %679 : tensor<1x4x8xf32>
      %681 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %680 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %682 = tt.expand_dims %287 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %683 = tt.expand_dims %682 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %684 = tt.broadcast %683 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %685 = arith.mulf %684, %67 : tensor<1x4x8xf32>
      %686 = tt.expand_dims %594 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %687 = tt.expand_dims %686 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %688 = tt.broadcast %687 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %689 = arith.addf %685, %688 : tensor<1x4x8xf32>
      %690 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %689 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %691 = tt.expand_dims %288 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %692 = tt.expand_dims %691 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %693 = tt.broadcast %692 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %694 = arith.mulf %693, %67 : tensor<1x4x8xf32>
      %695 = tt.expand_dims %595 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %696 = tt.expand_dims %695 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %697 = tt.broadcast %696 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %698 = arith.addf %694, %697 : tensor<1x4x8xf32>
      %699 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %698 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %700 = tt.expand_dims %289 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %701 = tt.expand_dims %700 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %702 = tt.broadcast %701 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %703 = arith.mulf %702, %67 : tensor<1x4x8xf32>
      %704 = tt.expand_dims %596 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %705 = tt.expand_dims %704 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %706 = tt.broadcast %705 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %707 = arith.addf %703, %706 : tensor<1x4x8xf32>
      %708 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %707 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %709 = tt.expand_dims %290 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %710 = tt.expand_dims %709 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %711 = tt.broadcast %710 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %712 = arith.mulf %711, %67 : tensor<1x4x8xf32>
      %713 = tt.expand_dims %597 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %714 = tt.expand_dims %713 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %715 = tt.broadcast %714 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %716 = arith.addf %712, %715 : tensor<1x4x8xf32>
      %717 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %716 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %718 = tt.expand_dims %291 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %719 = tt.expand_dims %718 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %720 = tt.broadcast %719 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %721 = arith.mulf %720, %67 : tensor<1x4x8xf32>
      %722 = tt.expand_dims %598 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %723 = tt.expand_dims %722 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %724 = tt.broadcast %723 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %725 = arith.addf %721, %724 : tensor<1x4x8xf32>
      %726 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %725 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %727 = tt.expand_dims %292 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %728 = tt.expand_dims %727 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %729 = tt.broadcast %728 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %730 = arith.mulf %729, %67 : tensor<1x4x8xf32>
      %731 = tt.expand_dims %599 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %732 = tt.expand_dims %731 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %733 = tt.broadcast %732 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %734 = arith.addf %730, %733 : tensor<1x4x8xf32>
      %735 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %734 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %736 = tt.expand_dims %293 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %737 = tt.expand_dims %736 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %738 = tt.broadcast %737 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %739 = arith.mulf %738, %67 : tensor<1x4x8xf32>
      %740 = tt.expand_dims %600 {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %741 = tt.expand_dims %740 {axis = 0 : i32} : tensor<1x1xf32> -> tensor<1x1x1xf32>
      %742 = tt.broadcast %741 : tensor<1x1x1xf32> -> tensor<1x4x8xf32>
      %743 = arith.addf %739, %742 : tensor<1x4x8xf32>
      %744 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %743 : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
      %745 = arith.mulf %216, %278 : tensor<8xf32>
      %746 = tt.expand_dims %745 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %747 = tt.expand_dims %746 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %748 = tt.expand_dims %376 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %749 = tt.broadcast %747 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %750 = tt.broadcast %748 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %751 = arith.mulf %749, %750 : tensor<1x4x8xf32>
      %752 = math.fma %609, %107, %751 : tensor<1x4x8xf32>
      %753 = tt.expand_dims %489 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %754 = tt.broadcast %753 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %755 = arith.mulf %752, %754 : tensor<1x4x8xf32>
      %759 = "tt.reduce"(%755) <{axis = 0 : i32}> ({
      ^bb0(%756: f32, %757: f32):
        %758 = arith.addf %756, %757 : f32
        tt.reduce.return %758 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %760 = arith.mulf %217, %279 : tensor<8xf32>
      %761 = tt.expand_dims %760 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %762 = tt.expand_dims %761 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %763 = tt.expand_dims %378 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %764 = tt.broadcast %762 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %765 = tt.broadcast %763 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %766 = arith.mulf %764, %765 : tensor<1x4x8xf32>
      %767 = math.fma %618, %752, %766 : tensor<1x4x8xf32>
      %768 = tt.expand_dims %491 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %769 = tt.broadcast %768 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %770 = arith.mulf %767, %769 : tensor<1x4x8xf32>
      %774 = "tt.reduce"(%770) <{axis = 0 : i32}> ({
      ^bb0(%771: f32, %772: f32):
        %773 = arith.addf %771, %772 : f32
        tt.reduce.return %773 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %775 = tt.reshape %759 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %779 = "tt.reduce"(%775) <{axis = 1 : i32}> ({
      ^bb0(%776: f32, %777: f32):
        %778 = arith.addf %776, %777 : f32
        tt.reduce.return %778 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %780 = tt.expand_dims %779 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %781 = tt.reshape %774 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %785 = "tt.reduce"(%781) <{axis = 1 : i32}> ({
      ^bb0(%782: f32, %783: f32):
        %784 = arith.addf %782, %783 : f32
        tt.reduce.return %784 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %786 = tt.expand_dims %785 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %787 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %788 = tt.reshape %787 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %789 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %790 = arith.cmpi eq, %788, %789 : tensor<1x2x1x1xi32>
      %791 = tt.broadcast %790 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %792 = tt.broadcast %786 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %793 = tt.broadcast %780 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %794 = arith.select %791, %792, %793 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %795 = tt.reshape %794 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %796 = arith.mulf %218, %280 : tensor<8xf32>
      %797 = tt.expand_dims %796 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %798 = tt.expand_dims %797 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %799 = tt.expand_dims %380 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %800 = tt.broadcast %798 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %801 = tt.broadcast %799 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %802 = arith.mulf %800, %801 : tensor<1x4x8xf32>
      %803 = math.fma %627, %767, %802 : tensor<1x4x8xf32>
      %804 = tt.expand_dims %493 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %805 = tt.broadcast %804 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %806 = arith.mulf %803, %805 : tensor<1x4x8xf32>
      %810 = "tt.reduce"(%806) <{axis = 0 : i32}> ({
      ^bb0(%807: f32, %808: f32):
        %809 = arith.addf %807, %808 : f32
        tt.reduce.return %809 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %811 = arith.mulf %219, %281 : tensor<8xf32>
      %812 = tt.expand_dims %811 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %813 = tt.expand_dims %812 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %814 = tt.expand_dims %382 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %815 = tt.broadcast %813 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %816 = tt.broadcast %814 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %817 = arith.mulf %815, %816 : tensor<1x4x8xf32>
      %818 = math.fma %636, %803, %817 : tensor<1x4x8xf32>
      %819 = tt.expand_dims %495 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %820 = tt.broadcast %819 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %821 = arith.mulf %818, %820 : tensor<1x4x8xf32>
      %825 = "tt.reduce"(%821) <{axis = 0 : i32}> ({
      ^bb0(%822: f32, %823: f32):
        %824 = arith.addf %822, %823 : f32
        tt.reduce.return %824 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %826 = tt.reshape %810 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %830 = "tt.reduce"(%826) <{axis = 1 : i32}> ({
      ^bb0(%827: f32, %828: f32):
        %829 = arith.addf %827, %828 : f32
        tt.reduce.return %829 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %831 = tt.expand_dims %830 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %832 = tt.reshape %825 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %836 = "tt.reduce"(%832) <{axis = 1 : i32}> ({
      ^bb0(%833: f32, %834: f32):
        %835 = arith.addf %833, %834 : f32
        tt.reduce.return %835 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %837 = tt.expand_dims %836 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %838 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %839 = tt.reshape %838 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %840 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %841 = arith.cmpi eq, %839, %840 : tensor<1x2x1x1xi32>
      %842 = tt.broadcast %841 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %843 = tt.broadcast %837 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %844 = tt.broadcast %831 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %845 = arith.select %842, %843, %844 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %846 = tt.reshape %845 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %847 = tt.reshape %795 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %851 = "tt.reduce"(%847) <{axis = 1 : i32}> ({
      ^bb0(%848: f32, %849: f32):
        %850 = arith.addf %848, %849 : f32
        tt.reduce.return %850 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %852 = tt.expand_dims %851 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %853 = tt.reshape %846 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %857 = "tt.reduce"(%853) <{axis = 1 : i32}> ({
      ^bb0(%854: f32, %855: f32):
        %856 = arith.addf %854, %855 : f32
        tt.reduce.return %856 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %858 = tt.expand_dims %857 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %859 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %860 = tt.reshape %859 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %861 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %862 = arith.cmpi eq, %860, %861 : tensor<1x2x1x1xi32>
      %863 = tt.broadcast %862 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %864 = tt.broadcast %858 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %865 = tt.broadcast %852 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %866 = arith.select %863, %864, %865 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %867 = tt.reshape %866 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %868 = arith.addi %133, %14 : i32
      %869 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %870 = tt.splat %868 : i32 -> tensor<4xi32>
      %871 = arith.addi %870, %869 : tensor<4xi32>
      %872 = tt.splat %137 : i32 -> tensor<4xi32>
      %873 = arith.cmpi slt, %871, %872 : tensor<4xi32>
      %874 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %875 = tt.expand_dims %871 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %876 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %877 = arith.muli %875, %876 : tensor<4x1xi32>
      %878 = tt.broadcast %874 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %879 = tt.broadcast %877 : tensor<4x1xi32> -> tensor<4x8xi32>
      %880 = tt.addptr %878, %879 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %881 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %882 = tt.expand_dims %873 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %883 = tt.broadcast %881 : tensor<1x8xi1> -> tensor<4x8xi1>
      %884 = tt.broadcast %882 : tensor<4x1xi1> -> tensor<4x8xi1>
      %885 = arith.andi %883, %884 : tensor<4x8xi1>
      %886 = arith.truncf %867 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %880, %886, %885 : tensor<4x8x!tt.ptr<bf16>>
      %887 = arith.mulf %220, %282 : tensor<8xf32>
      %888 = tt.expand_dims %887 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %889 = tt.expand_dims %888 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %890 = tt.expand_dims %384 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %891 = tt.broadcast %889 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %892 = tt.broadcast %890 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %893 = arith.mulf %891, %892 : tensor<1x4x8xf32>
      %894 = math.fma %645, %818, %893 : tensor<1x4x8xf32>
      %895 = tt.expand_dims %497 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %896 = tt.broadcast %895 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %897 = arith.mulf %894, %896 : tensor<1x4x8xf32>
      %901 = "tt.reduce"(%897) <{axis = 0 : i32}> ({
      ^bb0(%898: f32, %899: f32):
        %900 = arith.addf %898, %899 : f32
        tt.reduce.return %900 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %902 = arith.mulf %221, %283 : tensor<8xf32>
      %903 = tt.expand_dims %902 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %904 = tt.expand_dims %903 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %905 = tt.expand_dims %386 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %906 = tt.broadcast %904 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %907 = tt.broadcast %905 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %908 = arith.mulf %906, %907 : tensor<1x4x8xf32>
      %909 = math.fma %654, %894, %908 : tensor<1x4x8xf32>
      %910 = tt.expand_dims %499 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %911 = tt.broadcast %910 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %912 = arith.mulf %909, %911 : tensor<1x4x8xf32>
      %916 = "tt.reduce"(%912) <{axis = 0 : i32}> ({
      ^bb0(%913: f32, %914: f32):
        %915 = arith.addf %913, %914 : f32
        tt.reduce.return %915 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %917 = tt.reshape %901 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %921 = "tt.reduce"(%917) <{axis = 1 : i32}> ({
      ^bb0(%918: f32, %919: f32):
        %920 = arith.addf %918, %919 : f32
        tt.reduce.return %920 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %922 = tt.expand_dims %921 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %923 = tt.reshape %916 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %927 = "tt.reduce"(%923) <{axis = 1 : i32}> ({
      ^bb0(%924: f32, %925: f32):
        %926 = arith.addf %924, %925 : f32
        tt.reduce.return %926 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %928 = tt.expand_dims %927 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %929 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %930 = tt.reshape %929 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %931 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %932 = arith.cmpi eq, %930, %931 : tensor<1x2x1x1xi32>
      %933 = tt.broadcast %932 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %934 = tt.broadcast %928 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %935 = tt.broadcast %922 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %936 = arith.select %933, %934, %935 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %937 = tt.reshape %936 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %938 = arith.mulf %222, %284 : tensor<8xf32>
      %939 = tt.expand_dims %938 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %940 = tt.expand_dims %939 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %941 = tt.expand_dims %388 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %942 = tt.broadcast %940 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %943 = tt.broadcast %941 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %944 = arith.mulf %942, %943 : tensor<1x4x8xf32>
      %945 = math.fma %663, %909, %944 : tensor<1x4x8xf32>
      %946 = tt.expand_dims %501 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %947 = tt.broadcast %946 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %948 = arith.mulf %945, %947 : tensor<1x4x8xf32>
      %952 = "tt.reduce"(%948) <{axis = 0 : i32}> ({
      ^bb0(%949: f32, %950: f32):
        %951 = arith.addf %949, %950 : f32
        tt.reduce.return %951 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %953 = arith.mulf %223, %285 : tensor<8xf32>
      %954 = tt.expand_dims %953 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %955 = tt.expand_dims %954 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %956 = tt.expand_dims %390 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %957 = tt.broadcast %955 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %958 = tt.broadcast %956 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %959 = arith.mulf %957, %958 : tensor<1x4x8xf32>
      %960 = math.fma %672, %945, %959 : tensor<1x4x8xf32>
      %961 = tt.expand_dims %503 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %962 = tt.broadcast %961 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %963 = arith.mulf %960, %962 : tensor<1x4x8xf32>
      %967 = "tt.reduce"(%963) <{axis = 0 : i32}> ({
      ^bb0(%964: f32, %965: f32):
        %966 = arith.addf %964, %965 : f32
        tt.reduce.return %966 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %968 = tt.reshape %952 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %972 = "tt.reduce"(%968) <{axis = 1 : i32}> ({
      ^bb0(%969: f32, %970: f32):
        %971 = arith.addf %969, %970 : f32
        tt.reduce.return %971 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %973 = tt.expand_dims %972 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %974 = tt.reshape %967 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %978 = "tt.reduce"(%974) <{axis = 1 : i32}> ({
      ^bb0(%975: f32, %976: f32):
        %977 = arith.addf %975, %976 : f32
        tt.reduce.return %977 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %979 = tt.expand_dims %978 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %980 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %981 = tt.reshape %980 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %982 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %983 = arith.cmpi eq, %981, %982 : tensor<1x2x1x1xi32>
      %984 = tt.broadcast %983 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %985 = tt.broadcast %979 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %986 = tt.broadcast %973 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %987 = arith.select %984, %985, %986 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %988 = tt.reshape %987 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %989 = tt.reshape %937 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %993 = "tt.reduce"(%989) <{axis = 1 : i32}> ({
      ^bb0(%990: f32, %991: f32):
        %992 = arith.addf %990, %991 : f32
        tt.reduce.return %992 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %994 = tt.expand_dims %993 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %995 = tt.reshape %988 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %999 = "tt.reduce"(%995) <{axis = 1 : i32}> ({
      ^bb0(%996: f32, %997: f32):
        %998 = arith.addf %996, %997 : f32
        tt.reduce.return %998 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1000 = tt.expand_dims %999 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1001 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1002 = tt.reshape %1001 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1003 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1004 = arith.cmpi eq, %1002, %1003 : tensor<1x2x1x1xi32>
      %1005 = tt.broadcast %1004 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1006 = tt.broadcast %1000 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1007 = tt.broadcast %994 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1008 = arith.select %1005, %1006, %1007 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1009 = tt.reshape %1008 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1011 = arith.addi %133, %1010 : i32
      %1012 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1013 = tt.splat %1011 : i32 -> tensor<4xi32>
      %1014 = arith.addi %1013, %1012 : tensor<4xi32>
      %1015 = tt.splat %137 : i32 -> tensor<4xi32>
      %1016 = arith.cmpi slt, %1014, %1015 : tensor<4xi32>
      %1017 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
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
      %1029 = arith.truncf %1009 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1023, %1029, %1028 : tensor<4x8x!tt.ptr<bf16>>
      %1030 = arith.mulf %224, %286 : tensor<8xf32>
      %1031 = tt.expand_dims %1030 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1032 = tt.expand_dims %1031 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1033 = tt.expand_dims %392 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1034 = tt.broadcast %1032 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1035 = tt.broadcast %1033 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1036 = arith.mulf %1034, %1035 : tensor<1x4x8xf32>
      %1037 = math.fma %681, %960, %1036 : tensor<1x4x8xf32>
      %1038 = tt.expand_dims %505 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1039 = tt.broadcast %1038 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1040 = arith.mulf %1037, %1039 : tensor<1x4x8xf32>
      %1044 = "tt.reduce"(%1040) <{axis = 0 : i32}> ({
      ^bb0(%1041: f32, %1042: f32):
        %1043 = arith.addf %1041, %1042 : f32
        tt.reduce.return %1043 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1045 = arith.mulf %225, %287 : tensor<8xf32>
      %1046 = tt.expand_dims %1045 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1047 = tt.expand_dims %1046 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1048 = tt.expand_dims %394 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1049 = tt.broadcast %1047 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1050 = tt.broadcast %1048 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1051 = arith.mulf %1049, %1050 : tensor<1x4x8xf32>
      %1052 = math.fma %690, %1037, %1051 : tensor<1x4x8xf32>
      %1053 = tt.expand_dims %507 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1054 = tt.broadcast %1053 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1055 = arith.mulf %1052, %1054 : tensor<1x4x8xf32>
      %1059 = "tt.reduce"(%1055) <{axis = 0 : i32}> ({
      ^bb0(%1056: f32, %1057: f32):
        %1058 = arith.addf %1056, %1057 : f32
        tt.reduce.return %1058 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1060 = tt.reshape %1044 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1064 = "tt.reduce"(%1060) <{axis = 1 : i32}> ({
      ^bb0(%1061: f32, %1062: f32):
        %1063 = arith.addf %1061, %1062 : f32
        tt.reduce.return %1063 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1065 = tt.expand_dims %1064 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1066 = tt.reshape %1059 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1070 = "tt.reduce"(%1066) <{axis = 1 : i32}> ({
      ^bb0(%1067: f32, %1068: f32):
        %1069 = arith.addf %1067, %1068 : f32
        tt.reduce.return %1069 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1071 = tt.expand_dims %1070 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1072 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1073 = tt.reshape %1072 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1074 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1075 = arith.cmpi eq, %1073, %1074 : tensor<1x2x1x1xi32>
      %1076 = tt.broadcast %1075 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1077 = tt.broadcast %1071 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1078 = tt.broadcast %1065 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1079 = arith.select %1076, %1077, %1078 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1080 = tt.reshape %1079 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1081 = arith.mulf %226, %288 : tensor<8xf32>
      %1082 = tt.expand_dims %1081 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1083 = tt.expand_dims %1082 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1084 = tt.expand_dims %396 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1085 = tt.broadcast %1083 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1086 = tt.broadcast %1084 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1087 = arith.mulf %1085, %1086 : tensor<1x4x8xf32>
      %1088 = math.fma %699, %1052, %1087 : tensor<1x4x8xf32>
      %1089 = tt.expand_dims %509 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1090 = tt.broadcast %1089 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1091 = arith.mulf %1088, %1090 : tensor<1x4x8xf32>
      %1095 = "tt.reduce"(%1091) <{axis = 0 : i32}> ({
      ^bb0(%1092: f32, %1093: f32):
        %1094 = arith.addf %1092, %1093 : f32
        tt.reduce.return %1094 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1096 = arith.mulf %227, %289 : tensor<8xf32>
      %1097 = tt.expand_dims %1096 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1098 = tt.expand_dims %1097 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1099 = tt.expand_dims %398 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1100 = tt.broadcast %1098 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1101 = tt.broadcast %1099 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1102 = arith.mulf %1100, %1101 : tensor<1x4x8xf32>
      %1103 = math.fma %708, %1088, %1102 : tensor<1x4x8xf32>
      %1104 = tt.expand_dims %511 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1105 = tt.broadcast %1104 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1106 = arith.mulf %1103, %1105 : tensor<1x4x8xf32>
      %1110 = "tt.reduce"(%1106) <{axis = 0 : i32}> ({
      ^bb0(%1107: f32, %1108: f32):
        %1109 = arith.addf %1107, %1108 : f32
        tt.reduce.return %1109 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1111 = tt.reshape %1095 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1115 = "tt.reduce"(%1111) <{axis = 1 : i32}> ({
      ^bb0(%1112: f32, %1113: f32):
        %1114 = arith.addf %1112, %1113 : f32
        tt.reduce.return %1114 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1116 = tt.expand_dims %1115 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1117 = tt.reshape %1110 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1121 = "tt.reduce"(%1117) <{axis = 1 : i32}> ({
      ^bb0(%1118: f32, %1119: f32):
        %1120 = arith.addf %1118, %1119 : f32
        tt.reduce.return %1120 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1122 = tt.expand_dims %1121 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1123 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1124 = tt.reshape %1123 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1125 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1126 = arith.cmpi eq, %1124, %1125 : tensor<1x2x1x1xi32>
      %1127 = tt.broadcast %1126 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1128 = tt.broadcast %1122 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1129 = tt.broadcast %1116 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1130 = arith.select %1127, %1128, %1129 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1131 = tt.reshape %1130 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1132 = tt.reshape %1080 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1136 = "tt.reduce"(%1132) <{axis = 1 : i32}> ({
      ^bb0(%1133: f32, %1134: f32):
        %1135 = arith.addf %1133, %1134 : f32
        tt.reduce.return %1135 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1137 = tt.expand_dims %1136 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1138 = tt.reshape %1131 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1142 = "tt.reduce"(%1138) <{axis = 1 : i32}> ({
      ^bb0(%1139: f32, %1140: f32):
        %1141 = arith.addf %1139, %1140 : f32
        tt.reduce.return %1141 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1143 = tt.expand_dims %1142 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1144 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1145 = tt.reshape %1144 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1146 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1147 = arith.cmpi eq, %1145, %1146 : tensor<1x2x1x1xi32>
      %1148 = tt.broadcast %1147 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1149 = tt.broadcast %1143 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1150 = tt.broadcast %1137 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1151 = arith.select %1148, %1149, %1150 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1152 = tt.reshape %1151 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1153 = arith.addi %133, %12 : i32
      %1154 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1155 = tt.splat %1153 : i32 -> tensor<4xi32>
      %1156 = arith.addi %1155, %1154 : tensor<4xi32>
      %1157 = tt.splat %137 : i32 -> tensor<4xi32>
      %1158 = arith.cmpi slt, %1156, %1157 : tensor<4xi32>
      %1159 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1160 = tt.expand_dims %1156 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1161 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %1162 = arith.muli %1160, %1161 : tensor<4x1xi32>
      %1163 = tt.broadcast %1159 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1164 = tt.broadcast %1162 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1165 = tt.addptr %1163, %1164 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1166 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1167 = tt.expand_dims %1158 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1168 = tt.broadcast %1166 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1169 = tt.broadcast %1167 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1170 = arith.andi %1168, %1169 : tensor<4x8xi1>
      %1171 = arith.truncf %1152 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1165, %1171, %1170 : tensor<4x8x!tt.ptr<bf16>>
      %1172 = arith.mulf %228, %290 : tensor<8xf32>
      %1173 = tt.expand_dims %1172 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1174 = tt.expand_dims %1173 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1175 = tt.expand_dims %400 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1176 = tt.broadcast %1174 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1177 = tt.broadcast %1175 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1178 = arith.mulf %1176, %1177 : tensor<1x4x8xf32>
      %1179 = math.fma %717, %1103, %1178 : tensor<1x4x8xf32>
      %1180 = tt.expand_dims %513 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1181 = tt.broadcast %1180 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1182 = arith.mulf %1179, %1181 : tensor<1x4x8xf32>
      %1186 = "tt.reduce"(%1182) <{axis = 0 : i32}> ({
      ^bb0(%1183: f32, %1184: f32):
        %1185 = arith.addf %1183, %1184 : f32
        tt.reduce.return %1185 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1187 = arith.mulf %229, %291 : tensor<8xf32>
      %1188 = tt.expand_dims %1187 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1189 = tt.expand_dims %1188 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1190 = tt.expand_dims %402 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1191 = tt.broadcast %1189 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1192 = tt.broadcast %1190 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1193 = arith.mulf %1191, %1192 : tensor<1x4x8xf32>
      %1194 = math.fma %726, %1179, %1193 : tensor<1x4x8xf32>
      %1195 = tt.expand_dims %515 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1196 = tt.broadcast %1195 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1197 = arith.mulf %1194, %1196 : tensor<1x4x8xf32>
      %1201 = "tt.reduce"(%1197) <{axis = 0 : i32}> ({
      ^bb0(%1198: f32, %1199: f32):
        %1200 = arith.addf %1198, %1199 : f32
        tt.reduce.return %1200 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1202 = tt.reshape %1186 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1206 = "tt.reduce"(%1202) <{axis = 1 : i32}> ({
      ^bb0(%1203: f32, %1204: f32):
        %1205 = arith.addf %1203, %1204 : f32
        tt.reduce.return %1205 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1207 = tt.expand_dims %1206 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1208 = tt.reshape %1201 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1212 = "tt.reduce"(%1208) <{axis = 1 : i32}> ({
      ^bb0(%1209: f32, %1210: f32):
        %1211 = arith.addf %1209, %1210 : f32
        tt.reduce.return %1211 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1213 = tt.expand_dims %1212 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1214 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1215 = tt.reshape %1214 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1216 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1217 = arith.cmpi eq, %1215, %1216 : tensor<1x2x1x1xi32>
      %1218 = tt.broadcast %1217 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1219 = tt.broadcast %1213 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1220 = tt.broadcast %1207 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1221 = arith.select %1218, %1219, %1220 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1222 = tt.reshape %1221 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1223 = arith.mulf %230, %292 : tensor<8xf32>
      %1224 = tt.expand_dims %1223 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1225 = tt.expand_dims %1224 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1226 = tt.expand_dims %404 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1227 = tt.broadcast %1225 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1228 = tt.broadcast %1226 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1229 = arith.mulf %1227, %1228 : tensor<1x4x8xf32>
      %1230 = math.fma %735, %1194, %1229 : tensor<1x4x8xf32>
      %1231 = tt.expand_dims %517 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1232 = tt.broadcast %1231 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1233 = arith.mulf %1230, %1232 : tensor<1x4x8xf32>
      %1237 = "tt.reduce"(%1233) <{axis = 0 : i32}> ({
      ^bb0(%1234: f32, %1235: f32):
        %1236 = arith.addf %1234, %1235 : f32
        tt.reduce.return %1236 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1238 = arith.mulf %231, %293 : tensor<8xf32>
      %1239 = tt.expand_dims %1238 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
      %1240 = tt.expand_dims %1239 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
      %1241 = tt.expand_dims %406 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1242 = tt.broadcast %1240 : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
      %1243 = tt.broadcast %1241 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1244 = arith.mulf %1242, %1243 : tensor<1x4x8xf32>
      %1245 = math.fma %744, %1230, %1244 : tensor<1x4x8xf32>
      %1246 = tt.expand_dims %519 {axis = 2 : i32} : tensor<1x4xf32> -> tensor<1x4x1xf32>
      %1247 = tt.broadcast %1246 : tensor<1x4x1xf32> -> tensor<1x4x8xf32>
      %1248 = arith.mulf %1245, %1247 : tensor<1x4x8xf32>
      %1252 = "tt.reduce"(%1248) <{axis = 0 : i32}> ({
      ^bb0(%1249: f32, %1250: f32):
        %1251 = arith.addf %1249, %1250 : f32
        tt.reduce.return %1251 : f32
      }) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %1253 = tt.reshape %1237 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1257 = "tt.reduce"(%1253) <{axis = 1 : i32}> ({
      ^bb0(%1254: f32, %1255: f32):
        %1256 = arith.addf %1254, %1255 : f32
        tt.reduce.return %1256 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1258 = tt.expand_dims %1257 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1259 = tt.reshape %1252 : tensor<4x8xf32> -> tensor<2x2x1x8xf32>
      %1263 = "tt.reduce"(%1259) <{axis = 1 : i32}> ({
      ^bb0(%1260: f32, %1261: f32):
        %1262 = arith.addf %1260, %1261 : f32
        tt.reduce.return %1262 : f32
      }) : (tensor<2x2x1x8xf32>) -> (tensor<2x1x8xf32>)
      %1264 = tt.expand_dims %1263 {axis = 1 : i32} : tensor<2x1x8xf32> -> tensor<2x1x1x8xf32>
      %1265 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1266 = tt.reshape %1265 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1267 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1268 = arith.cmpi eq, %1266, %1267 : tensor<1x2x1x1xi32>
      %1269 = tt.broadcast %1268 : tensor<1x2x1x1xi1> -> tensor<2x2x1x8xi1>
      %1270 = tt.broadcast %1264 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1271 = tt.broadcast %1258 : tensor<2x1x1x8xf32> -> tensor<2x2x1x8xf32>
      %1272 = arith.select %1269, %1270, %1271 : tensor<2x2x1x8xi1>, tensor<2x2x1x8xf32>
      %1273 = tt.reshape %1272 : tensor<2x2x1x8xf32> -> tensor<4x8xf32>
      %1274 = tt.reshape %1222 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1278 = "tt.reduce"(%1274) <{axis = 1 : i32}> ({
      ^bb0(%1275: f32, %1276: f32):
        %1277 = arith.addf %1275, %1276 : f32
        tt.reduce.return %1277 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1279 = tt.expand_dims %1278 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1280 = tt.reshape %1273 : tensor<4x8xf32> -> tensor<1x2x2x8xf32>
      %1284 = "tt.reduce"(%1280) <{axis = 1 : i32}> ({
      ^bb0(%1281: f32, %1282: f32):
        %1283 = arith.addf %1281, %1282 : f32
        tt.reduce.return %1283 : f32
      }) : (tensor<1x2x2x8xf32>) -> (tensor<1x2x8xf32>)
      %1285 = tt.expand_dims %1284 {axis = 1 : i32} : tensor<1x2x8xf32> -> tensor<1x1x2x8xf32>
      %1286 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
      %1287 = tt.reshape %1286 : tensor<2xi32> -> tensor<1x2x1x1xi32>
      %1288 = tt.splat %21 : i32 -> tensor<1x2x1x1xi32>
      %1289 = arith.cmpi eq, %1287, %1288 : tensor<1x2x1x1xi32>
      %1290 = tt.broadcast %1289 : tensor<1x2x1x1xi1> -> tensor<1x2x2x8xi1>
      %1291 = tt.broadcast %1285 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1292 = tt.broadcast %1279 : tensor<1x1x2x8xf32> -> tensor<1x2x2x8xf32>
      %1293 = arith.select %1290, %1291, %1292 : tensor<1x2x2x8xi1>, tensor<1x2x2x8xf32>
      %1294 = tt.reshape %1293 : tensor<1x2x2x8xf32> -> tensor<4x8xf32>
      %1296 = arith.addi %133, %1295 : i32
      %1297 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %1298 = tt.splat %1296 : i32 -> tensor<4xi32>
      %1299 = arith.addi %1298, %1297 : tensor<4xi32>
      %1300 = tt.splat %137 : i32 -> tensor<4xi32>
      %1301 = arith.cmpi slt, %1299, %1300 : tensor<4xi32>
      %1302 = tt.expand_dims %80 {axis = 0 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<1x8x!tt.ptr<bf16>>
      %1303 = tt.expand_dims %1299 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
      %1304 = tt.splat %29 : i32 -> tensor<4x1xi32>
      %1305 = arith.muli %1303, %1304 : tensor<4x1xi32>
      %1306 = tt.broadcast %1302 : tensor<1x8x!tt.ptr<bf16>> -> tensor<4x8x!tt.ptr<bf16>>
      %1307 = tt.broadcast %1305 : tensor<4x1xi32> -> tensor<4x8xi32>
      %1308 = tt.addptr %1306, %1307 : tensor<4x8x!tt.ptr<bf16>>, tensor<4x8xi32>
      %1309 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
      %1310 = tt.expand_dims %1301 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
      %1311 = tt.broadcast %1309 : tensor<1x8xi1> -> tensor<4x8xi1>
      %1312 = tt.broadcast %1310 : tensor<4x1xi1> -> tensor<4x8xi1>
      %1313 = arith.andi %1311, %1312 : tensor<4x8xi1>
      %1314 = arith.truncf %1294 : tensor<4x8xf32> to tensor<4x8xbf16>
      tt.store %1308, %1314, %1313 : tensor<4x8x!tt.ptr<bf16>>
      scf.yield %1245 : tensor<1x4x8xf32>
    } {tt.num_stages = 3 : i32}
    %1316 = arith.extsi %14 : i32 to i64
    %1317 = arith.muli %28, %82 : i64
    %1318 = arith.addi %1317, %1316 : i64
    %1319 = arith.muli %1318, %85 : i64
    %1320 = tt.addptr %last, %1319 : !tt.ptr<f32>, i64
    %1321 = tt.expand_dims %18 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %1322 = tt.expand_dims %1321 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %1323 = tt.splat %32 : i32 -> tensor<1x1x8xi32>
    %1324 = arith.muli %1322, %1323 : tensor<1x1x8xi32>
    %1325 = tt.expand_dims %27 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %1326 = tt.broadcast %1324 : tensor<1x1x8xi32> -> tensor<1x4x8xi32>
    %1327 = tt.broadcast %1325 : tensor<1x4x1xi32> -> tensor<1x4x8xi32>
    %1328 = arith.addi %1326, %1327 : tensor<1x4x8xi32>
    %1329 = tt.splat %1320 : !tt.ptr<f32> -> tensor<1x4x8x!tt.ptr<f32>>
    %1330 = tt.addptr %1329, %1328 : tensor<1x4x8x!tt.ptr<f32>>, tensor<1x4x8xi32>
    %1331 = tt.expand_dims %31 {axis = 0 : i32} : tensor<8xi1> -> tensor<1x8xi1>
    %1332 = tt.expand_dims %1331 {axis = 0 : i32} : tensor<1x8xi1> -> tensor<1x1x8xi1>
    %1333 = tt.expand_dims %34 {axis = 2 : i32} : tensor<1x4xi1> -> tensor<1x4x1xi1>
    %1334 = tt.broadcast %1332 : tensor<1x1x8xi1> -> tensor<1x4x8xi1>
    %1335 = tt.broadcast %1333 : tensor<1x4x1xi1> -> tensor<1x4x8xi1>
    %1336 = arith.andi %1334, %1335 : tensor<1x4x8xi1>
    tt.store %1330, %1315, %1336 : tensor<1x4x8x!tt.ptr<f32>>
    tt.return
  }
}
