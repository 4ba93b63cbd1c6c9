module {
  tt.func public @gated_packed_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %words: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %second: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %second_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 512 : i32
    %12 = arith.constant 32 : i32
    %17 = arith.constant 9 : i32
    %22 = arith.constant 384 : i64
    %24 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %25 = arith.constant 128 : i32
    %29 = arith.constant 0 : i32
    %42 = arith.constant 0.0e0 : bf16
    %59 = arith.constant 64 : i32
    %74 = arith.constant 96 : i32
    %89 = arith.constant 24 : i32
    %106 = arith.constant 1024 : i32
    %110 = arith.constant 2048 : i32
    %165 = arith.constant dense<1.0e0> : tensor<32x16xf32>
    %168 = arith.constant 1.0e0 : f32
    %182 = arith.constant 128 : i64
    %6 = tt.get_program_id y : i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %8, %7 : i32
    %10 = arith.minsi %9, %7 : i32
    %11 = tt.get_program_id x : i32
    %13 = arith.muli %11, %12 : i32
    %14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %15 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %18 = tt.splat %17 : i32 -> tensor<16xi32>
    %19 = arith.cmpi slt, %16, %18 : tensor<16xi32>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %21 = arith.extsi %13 : i32 to i64
    %23 = arith.muli %21, %22 : i64
    %149:2 = scf.for %26 = %8 to %10 step %25 iter_args(%27 = %24, %28 = %24) -> (tensor<32x16xf32>, tensor<32x16xf32>) : i32 {
      %30 = arith.addi %26, %29 : i32
      %31 = tt.addptr %x, %30 : !tt.ptr<bf16>, i32
      %32 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %33 = tt.splat %7 : i32 -> tensor<16xi32>
      %34 = arith.muli %16, %33 : tensor<16xi32>
      %35 = tt.expand_dims %34 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %36 = tt.broadcast %32 : tensor<32x1xi32> -> tensor<32x16xi32>
      %37 = tt.broadcast %35 : tensor<1x16xi32> -> tensor<32x16xi32>
      %38 = arith.addi %36, %37 : tensor<32x16xi32>
      %39 = tt.splat %31 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %40 = tt.addptr %39, %38 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %41 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %43 = tt.splat %42 : bf16 -> tensor<32x16xbf16>
      %44 = tt.load %40, %41, %43 : tensor<32x16x!tt.ptr<bf16>>
      %45 = arith.addi %26, %12 : i32
      %46 = tt.addptr %x, %45 : !tt.ptr<bf16>, i32
      %47 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %48 = tt.splat %7 : i32 -> tensor<16xi32>
      %49 = arith.muli %16, %48 : tensor<16xi32>
      %50 = tt.expand_dims %49 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %51 = tt.broadcast %47 : tensor<32x1xi32> -> tensor<32x16xi32>
      %52 = tt.broadcast %50 : tensor<1x16xi32> -> tensor<32x16xi32>
      %53 = arith.addi %51, %52 : tensor<32x16xi32>
      %54 = tt.splat %46 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %55 = tt.addptr %54, %53 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %56 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %57 = tt.splat %42 : bf16 -> tensor<32x16xbf16>
      %58 = tt.load %55, %56, %57 : tensor<32x16x!tt.ptr<bf16>>
      %60 = arith.addi %26, %59 : i32
      %61 = tt.addptr %x, %60 : !tt.ptr<bf16>, i32
      %62 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %63 = tt.splat %7 : i32 -> tensor<16xi32>
      %64 = arith.muli %16, %63 : tensor<16xi32>
      %65 = tt.expand_dims %64 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %66 = tt.broadcast %62 : tensor<32x1xi32> -> tensor<32x16xi32>
      %67 = tt.broadcast %65 : tensor<1x16xi32> -> tensor<32x16xi32>
      %68 = arith.addi %66, %67 : tensor<32x16xi32>
      %69 = tt.splat %61 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %70 = tt.addptr %69, %68 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %71 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %72 = tt.splat %42 : bf16 -> tensor<32x16xbf16>
      %73 = tt.load %70, %71, %72 : tensor<32x16x!tt.ptr<bf16>>
      %75 = arith.addi %26, %74 : i32
      %76 = tt.addptr %x, %75 : !tt.ptr<bf16>, i32
      %77 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %78 = tt.splat %7 : i32 -> tensor<16xi32>
      %79 = arith.muli %16, %78 : tensor<16xi32>
      %80 = tt.expand_dims %79 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %81 = tt.broadcast %77 : tensor<32x1xi32> -> tensor<32x16xi32>
      %82 = tt.broadcast %80 : tensor<1x16xi32> -> tensor<32x16xi32>
      %83 = arith.addi %81, %82 : tensor<32x16xi32>
      %84 = tt.splat %76 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %85 = tt.addptr %84, %83 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %86 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %87 = tt.splat %42 : bf16 -> tensor<32x16xbf16>
      %88 = tt.load %85, %86, %87 : tensor<32x16x!tt.ptr<bf16>>
      %90 = arith.muli %26, %89 : i32
      %91 = arith.extsi %90 : i32 to i64
      %92 = arith.addi %23, %91 : i64
      %93 = tt.addptr %words, %92 : !tt.ptr<i16>, i64
      %94 = tt.splat %12 : i32 -> tensor<32xi32>
      %95 = arith.muli %14, %94 : tensor<32xi32>
      %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %97 = tt.expand_dims %15 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %98 = tt.broadcast %96 : tensor<32x1xi32> -> tensor<32x32xi32>
      %99 = tt.broadcast %97 : tensor<1x32xi32> -> tensor<32x32xi32>
      %100 = arith.addi %98, %99 : tensor<32x32xi32>
      %101 = tt.splat %93 : !tt.ptr<i16> -> tensor<32x32x!tt.ptr<i16>>
      %102 = tt.addptr %101, %100 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %103 = tt.splat %29 : i32 -> tensor<32x32xi32>
      %104 = tt.addptr %102, %103 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %105 = tt.load %104 : tensor<32x32x!tt.ptr<i16>>
      %107 = tt.splat %106 : i32 -> tensor<32x32xi32>
      %108 = tt.addptr %102, %107 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %109 = tt.load %108 : tensor<32x32x!tt.ptr<i16>>
      %111 = tt.splat %110 : i32 -> tensor<32x32xi32>
      %112 = tt.addptr %102, %111 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %113 = tt.load %112 : tensor<32x32x!tt.ptr<i16>>
      %114 = tt.addptr %second, %92 : !tt.ptr<i16>, i64
      %115 = tt.splat %12 : i32 -> tensor<32xi32>
      %116 = arith.muli %14, %115 : tensor<32xi32>
      %117 = tt.expand_dims %116 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %118 = tt.expand_dims %15 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %119 = tt.broadcast %117 : tensor<32x1xi32> -> tensor<32x32xi32>
      %120 = tt.broadcast %118 : tensor<1x32xi32> -> tensor<32x32xi32>
      %121 = arith.addi %119, %120 : tensor<32x32xi32>
      %122 = tt.splat %114 : !tt.ptr<i16> -> tensor<32x32x!tt.ptr<i16>>
      %123 = tt.addptr %122, %121 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %124 = tt.splat %29 : i32 -> tensor<32x32xi32>
      %125 = tt.addptr %123, %124 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %126 = tt.load %125 : tensor<32x32x!tt.ptr<i16>>
      %127 = tt.splat %106 : i32 -> tensor<32x32xi32>
      %128 = tt.addptr %123, %127 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %129 = tt.load %128 : tensor<32x32x!tt.ptr<i16>>
      %130 = tt.splat %110 : i32 -> tensor<32x32xi32>
      %131 = tt.addptr %123, %130 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %132 = tt.load %131 : tensor<32x32x!tt.ptr<i16>>
      %133 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %105 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %134 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %109 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %135 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %113 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %136 = tt.elementwise_inline_asm "{ .reg .b32 t, u, c, z; shr.b32 t, $1, 4; and.b32 t, t, 0x07800780; shr.b32 u, $2, 8; lop3.b32 t, u, 0x00780078, t, 0xea; shr.b32 u, $3, 12; lop3.b32 t, u, 0x00070007, t, 0xea; shl.b32 u, $3, 4; lop3.b32 t, u, 0x80008000, t, 0xea; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r,r,r", packed_element = 2 : i32, pure = true} %105, %109, %113 : tensor<32x32xi16>, tensor<32x32xi16>, tensor<32x32xi16> -> tensor<32x32xbf16>
      %137 = tt.dot %133, %44, %27, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %138 = tt.dot %134, %58, %137, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %139 = tt.dot %135, %73, %138, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %140 = tt.dot %136, %88, %139, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %141 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %126 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %142 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %129 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %143 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %132 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %144 = tt.elementwise_inline_asm "{ .reg .b32 t, u, c, z; shr.b32 t, $1, 4; and.b32 t, t, 0x07800780; shr.b32 u, $2, 8; lop3.b32 t, u, 0x00780078, t, 0xea; shr.b32 u, $3, 12; lop3.b32 t, u, 0x00070007, t, 0xea; shl.b32 u, $3, 4; lop3.b32 t, u, 0x80008000, t, 0xea; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r,r,r", packed_element = 2 : i32, pure = true} %126, %129, %132 : tensor<32x32xi16>, tensor<32x32xi16>, tensor<32x32xi16> -> tensor<32x32xbf16>
      %145 = tt.dot %141, %44, %28, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %146 = tt.dot %142, %58, %145, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %147 = tt.dot %143, %73, %146, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %148 = tt.dot %144, %88, %147, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      scf.yield %140, %148 : tensor<32x16xf32>, tensor<32x16xf32>
    }
    %151 = tt.addptr %scales, %13 : !tt.ptr<f32>, i32
    %152 = tt.splat %151 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %153 = tt.addptr %152, %14 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %154 = tt.load %153 : tensor<32x!tt.ptr<f32>>
    %155 = tt.expand_dims %154 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %156 = tt.broadcast %155 : tensor<32x1xf32> -> tensor<32x16xf32>
    %157 = arith.mulf %149#0, %156 : tensor<32x16xf32>
    %158 = tt.addptr %second_scales, %13 : !tt.ptr<f32>, i32
    %159 = tt.splat %158 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %160 = tt.addptr %159, %14 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %161 = tt.load %160 : tensor<32x!tt.ptr<f32>>
    %162 = tt.expand_dims %161 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %163 = tt.broadcast %162 : tensor<32x1xf32> -> tensor<32x16xf32>
    %164 = arith.mulf %149#1, %163 : tensor<32x16xf32>
    %166 = arith.negf %157 : tensor<32x16xf32>
    %167 = math.exp %166 : tensor<32x16xf32>
    %169 = tt.splat %168 : f32 -> tensor<32x16xf32>
    %170 = arith.addf %167, %169 : tensor<32x16xf32>
    %171 = arith.divf %165, %170 : tensor<32x16xf32>
    %172 = arith.mulf %157, %171 : tensor<32x16xf32>
    %173 = arith.mulf %172, %164 : tensor<32x16xf32>
    %174 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %175 = tt.splat %29 : i32 -> tensor<16xi32>
    %176 = arith.addi %175, %174 : tensor<16xi32>
    %177 = tt.splat %17 : i32 -> tensor<16xi32>
    %178 = arith.cmpi slt, %176, %177 : tensor<16xi32>
    %179 = tt.expand_dims %178 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %180 = arith.extsi %13 : i32 to i64
    %181 = arith.extsi %29 : i32 to i64
    %183 = arith.muli %181, %182 : i64
    %184 = arith.addi %180, %183 : i64
    %185 = tt.addptr %y, %184 : !tt.ptr<bf16>, i64
    %186 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %187 = tt.expand_dims %186 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %188 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %189 = tt.splat %25 : i32 -> tensor<16xi32>
    %190 = arith.muli %188, %189 : tensor<16xi32>
    %191 = tt.expand_dims %190 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %192 = tt.broadcast %187 : tensor<32x1xi32> -> tensor<32x16xi32>
    %193 = tt.broadcast %191 : tensor<1x16xi32> -> tensor<32x16xi32>
    %194 = arith.addi %192, %193 : tensor<32x16xi32>
    %195 = tt.splat %185 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
    %196 = tt.addptr %195, %194 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
    %197 = arith.truncf %173 : tensor<32x16xf32> to tensor<32x16xbf16>
    %198 = tt.broadcast %179 : tensor<1x16xi1> -> tensor<32x16xi1>
    tt.store %196, %197, %198 : tensor<32x16x!tt.ptr<bf16>>
    tt.return
  }
}
