module {
  tt.func public @packed_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %words: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %second: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %second_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %third: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %third_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_third: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %11 = arith.constant 4096 : i32
    %16 = arith.constant 8192 : i32
    %17 = arith.constant 256 : i32
    %24 = arith.constant 512 : i32
    %30 = arith.constant 64 : i32
    %32 = arith.constant 32 : i32
    %38 = arith.constant 3072 : i64
    %40 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %41 = arith.constant 128 : i32
    %44 = arith.constant 0 : i32
    %81 = arith.constant 96 : i32
    %94 = arith.constant 24 : i32
    %111 = arith.constant 1024 : i32
    %115 = arith.constant 2048 : i32
    %142 = arith.constant 131072 : i64
    %147 = arith.constant 8192 : i64
    %194 = arith.constant 2 : i32
    %199 = arith.constant 1024 : i64
    %204 = arith.constant 64 : i64
    %10 = tt.get_program_id y : i32
    %12 = arith.muli %10, %11 : i32
    %13 = arith.addi %12, %11 : i32
    %14 = arith.minsi %13, %11 : i32
    %15 = tt.get_program_id x : i32
    %18 = arith.cmpi sge, %15, %17 : i32
    %19 = arith.select %18, %second, %words : !tt.ptr<i16>
    %20 = arith.select %18, %second_scales, %scales : !tt.ptr<f32>
    %21 = arith.subi %15, %17 : i32
    %22 = arith.select %18, %21, %15 : i32
    %23 = arith.select %18, %16, %16 : i32
    %25 = arith.cmpi sge, %15, %24 : i32
    %26 = arith.select %25, %third, %19 : !tt.ptr<i16>
    %27 = arith.select %25, %third_scales, %20 : !tt.ptr<f32>
    %28 = arith.subi %15, %24 : i32
    %29 = arith.select %25, %28, %22 : i32
    %31 = arith.select %25, %30, %23 : i32
    %33 = arith.muli %29, %32 : i32
    %34 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %35 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %36 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %37 = arith.extsi %33 : i32 to i64
    %39 = arith.muli %37, %38 : i64
    %127 = scf.for %42 = %12 to %14 step %41 iter_args(%43 = %40) -> (tensor<32x16xf32>) : i32 {
      %45 = arith.addi %42, %44 : i32
      %46 = tt.addptr %x, %45 : !tt.ptr<bf16>, i32
      %47 = tt.expand_dims %35 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %48 = tt.splat %11 : i32 -> tensor<16xi32>
      %49 = arith.muli %36, %48 : tensor<16xi32>
      %50 = tt.expand_dims %49 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %51 = tt.broadcast %47 : tensor<32x1xi32> -> tensor<32x16xi32>
      %52 = tt.broadcast %50 : tensor<1x16xi32> -> tensor<32x16xi32>
      %53 = arith.addi %51, %52 : tensor<32x16xi32>
      %54 = tt.splat %46 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %55 = tt.addptr %54, %53 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %56 = tt.load %55 : tensor<32x16x!tt.ptr<bf16>>
      %57 = arith.addi %42, %32 : i32
      %58 = tt.addptr %x, %57 : !tt.ptr<bf16>, i32
      %59 = tt.expand_dims %35 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %60 = tt.splat %11 : i32 -> tensor<16xi32>
      %61 = arith.muli %36, %60 : tensor<16xi32>
      %62 = tt.expand_dims %61 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %63 = tt.broadcast %59 : tensor<32x1xi32> -> tensor<32x16xi32>
      %64 = tt.broadcast %62 : tensor<1x16xi32> -> tensor<32x16xi32>
      %65 = arith.addi %63, %64 : tensor<32x16xi32>
      %66 = tt.splat %58 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %67 = tt.addptr %66, %65 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %68 = tt.load %67 : tensor<32x16x!tt.ptr<bf16>>
      %69 = arith.addi %42, %30 : i32
      %70 = tt.addptr %x, %69 : !tt.ptr<bf16>, i32
      %71 = tt.expand_dims %35 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %72 = tt.splat %11 : i32 -> tensor<16xi32>
      %73 = arith.muli %36, %72 : tensor<16xi32>
      %74 = tt.expand_dims %73 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %75 = tt.broadcast %71 : tensor<32x1xi32> -> tensor<32x16xi32>
      %76 = tt.broadcast %74 : tensor<1x16xi32> -> tensor<32x16xi32>
      %77 = arith.addi %75, %76 : tensor<32x16xi32>
      %78 = tt.splat %70 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %79 = tt.addptr %78, %77 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %80 = tt.load %79 : tensor<32x16x!tt.ptr<bf16>>
      %82 = arith.addi %42, %81 : i32
      %83 = tt.addptr %x, %82 : !tt.ptr<bf16>, i32
      %84 = tt.expand_dims %35 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %85 = tt.splat %11 : i32 -> tensor<16xi32>
      %86 = arith.muli %36, %85 : tensor<16xi32>
      %87 = tt.expand_dims %86 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %88 = tt.broadcast %84 : tensor<32x1xi32> -> tensor<32x16xi32>
      %89 = tt.broadcast %87 : tensor<1x16xi32> -> tensor<32x16xi32>
      %90 = arith.addi %88, %89 : tensor<32x16xi32>
      %91 = tt.splat %83 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %92 = tt.addptr %91, %90 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %93 = tt.load %92 : tensor<32x16x!tt.ptr<bf16>>
      %95 = arith.muli %42, %94 : i32
      %96 = arith.extsi %95 : i32 to i64
      %97 = arith.addi %39, %96 : i64
      %98 = tt.addptr %26, %97 : !tt.ptr<i16>, i64
      %99 = tt.splat %32 : i32 -> tensor<32xi32>
      %100 = arith.muli %34, %99 : tensor<32xi32>
      %101 = tt.expand_dims %100 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %102 = tt.expand_dims %35 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %103 = tt.broadcast %101 : tensor<32x1xi32> -> tensor<32x32xi32>
      %104 = tt.broadcast %102 : tensor<1x32xi32> -> tensor<32x32xi32>
      %105 = arith.addi %103, %104 : tensor<32x32xi32>
      %106 = tt.splat %98 : !tt.ptr<i16> -> tensor<32x32x!tt.ptr<i16>>
      %107 = tt.addptr %106, %105 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %108 = tt.splat %44 : i32 -> tensor<32x32xi32>
      %109 = tt.addptr %107, %108 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %110 = tt.load %109 : tensor<32x32x!tt.ptr<i16>>
      %112 = tt.splat %111 : i32 -> tensor<32x32xi32>
      %113 = tt.addptr %107, %112 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %114 = tt.load %113 : tensor<32x32x!tt.ptr<i16>>
      %116 = tt.splat %115 : i32 -> tensor<32x32xi32>
      %117 = tt.addptr %107, %116 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %118 = tt.load %117 : tensor<32x32x!tt.ptr<i16>>
      %119 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %110 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %120 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %114 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %121 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %118 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %122 = tt.elementwise_inline_asm "{ .reg .b32 t, u, c, z; shr.b32 t, $1, 4; and.b32 t, t, 0x07800780; shr.b32 u, $2, 8; lop3.b32 t, u, 0x00780078, t, 0xea; shr.b32 u, $3, 12; lop3.b32 t, u, 0x00070007, t, 0xea; shl.b32 u, $3, 4; lop3.b32 t, u, 0x80008000, t, 0xea; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r,r,r", packed_element = 2 : i32, pure = true} %110, %114, %118 : tensor<32x32xi16>, tensor<32x32xi16>, tensor<32x32xi16> -> tensor<32x32xbf16>
      %123 = tt.dot %119, %56, %43, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %124 = tt.dot %120, %68, %123, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %125 = tt.dot %121, %80, %124, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %126 = tt.dot %122, %93, %125, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      scf.yield %126 : tensor<32x16xf32>
    }
    %128 = tt.addptr %27, %33 : !tt.ptr<f32>, i32
    %129 = tt.splat %128 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %130 = tt.addptr %129, %34 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %131 = tt.load %130 : tensor<32x!tt.ptr<f32>>
    %132 = tt.expand_dims %131 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %133 = tt.broadcast %132 : tensor<32x1xf32> -> tensor<32x16xf32>
    %134 = arith.mulf %127, %133 : tensor<32x16xf32>
    %135 = tt.get_program_id x : i32
    %136 = arith.subi %135, %44 : i32
    %137 = arith.cmpi sge, %136, %44 : i32
    %138 = arith.cmpi slt, %136, %17 : i32
    %139 = arith.andi %137, %138 : i1
    %140 = arith.muli %136, %32 : i32
    %141 = arith.extsi %10 : i32 to i64
    %143 = arith.muli %141, %142 : i64
    %144 = tt.addptr %y, %143 : !tt.ptr<bf16>, i64
    %145 = arith.extsi %140 : i32 to i64
    %146 = arith.extsi %44 : i32 to i64
    %148 = arith.muli %146, %147 : i64
    %149 = arith.addi %145, %148 : i64
    %150 = tt.addptr %144, %149 : !tt.ptr<bf16>, i64
    %151 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %152 = tt.expand_dims %151 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %153 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %154 = tt.splat %16 : i32 -> tensor<16xi32>
    %155 = arith.muli %153, %154 : tensor<16xi32>
    %156 = tt.expand_dims %155 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %157 = tt.broadcast %152 : tensor<32x1xi32> -> tensor<32x16xi32>
    %158 = tt.broadcast %156 : tensor<1x16xi32> -> tensor<32x16xi32>
    %159 = arith.addi %157, %158 : tensor<32x16xi32>
    %160 = tt.splat %150 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %161 = tt.addptr %160, %159 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
    %162 = tt.splat %139 : i1 -> tensor<32x16xi1>
    %163 = arith.truncf %134 : tensor<32x16xf32> to tensor<32x16xbf16>
    tt.store %161, %163, %162 : tensor<32x16x!tt.ptr<bf16>>
    %164 = tt.get_program_id x : i32
    %165 = arith.subi %164, %17 : i32
    %166 = arith.cmpi sge, %165, %44 : i32
    %167 = arith.cmpi slt, %165, %17 : i32
    %168 = arith.andi %166, %167 : i1
    %169 = arith.muli %165, %32 : i32
    %170 = arith.extsi %10 : i32 to i64
    %171 = arith.muli %170, %142 : i64
    %172 = tt.addptr %y_second, %171 : !tt.ptr<bf16>, i64
    %173 = arith.extsi %169 : i32 to i64
    %174 = arith.extsi %44 : i32 to i64
    %175 = arith.muli %174, %147 : i64
    %176 = arith.addi %173, %175 : i64
    %177 = tt.addptr %172, %176 : !tt.ptr<bf16>, i64
    %178 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %179 = tt.expand_dims %178 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %180 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %181 = tt.splat %16 : i32 -> tensor<16xi32>
    %182 = arith.muli %180, %181 : tensor<16xi32>
    %183 = tt.expand_dims %182 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %184 = tt.broadcast %179 : tensor<32x1xi32> -> tensor<32x16xi32>
    %185 = tt.broadcast %183 : tensor<1x16xi32> -> tensor<32x16xi32>
    %186 = arith.addi %184, %185 : tensor<32x16xi32>
    %187 = tt.splat %177 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %188 = tt.addptr %187, %186 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
    %189 = tt.splat %168 : i1 -> tensor<32x16xi1>
    %190 = arith.truncf %134 : tensor<32x16xf32> to tensor<32x16xbf16>
    tt.store %188, %190, %189 : tensor<32x16x!tt.ptr<bf16>>
    %191 = tt.get_program_id x : i32
    %192 = arith.subi %191, %24 : i32
    %193 = arith.cmpi sge, %192, %44 : i32
    %195 = arith.cmpi slt, %192, %194 : i32
    %196 = arith.andi %193, %195 : i1
    %197 = arith.muli %192, %32 : i32
    %198 = arith.extsi %10 : i32 to i64
    %200 = arith.muli %198, %199 : i64
    %201 = tt.addptr %y_third, %200 : !tt.ptr<bf16>, i64
    %202 = arith.extsi %197 : i32 to i64
    %203 = arith.extsi %44 : i32 to i64
    %205 = arith.muli %203, %204 : i64
    %206 = arith.addi %202, %205 : i64
    %207 = tt.addptr %201, %206 : !tt.ptr<bf16>, i64
    %208 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %209 = tt.expand_dims %208 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %210 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %211 = tt.splat %30 : i32 -> tensor<16xi32>
    %212 = arith.muli %210, %211 : tensor<16xi32>
    %213 = tt.expand_dims %212 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %214 = tt.broadcast %209 : tensor<32x1xi32> -> tensor<32x16xi32>
    %215 = tt.broadcast %213 : tensor<1x16xi32> -> tensor<32x16xi32>
    %216 = arith.addi %214, %215 : tensor<32x16xi32>
    %217 = tt.splat %207 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %218 = tt.addptr %217, %216 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
    %219 = tt.splat %196 : i1 -> tensor<32x16xi1>
    %220 = arith.truncf %134 : tensor<32x16xf32> to tensor<32x16xbf16>
    tt.store %218, %220, %219 : tensor<32x16x!tt.ptr<bf16>>
    tt.return
  }
}
