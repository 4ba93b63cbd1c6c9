module {
  tt.func public @packed_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %words: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 256 : i32
    %8 = arith.constant 1024 : i32
    %11 = arith.constant 64 : i32
    %12 = arith.constant 32 : i32
    %17 = arith.constant 5 : i32
    %22 = arith.constant 768 : i64
    %24 = arith.constant dense<0.0e0> : tensor<32x16xf32>
    %25 = arith.constant 128 : i32
    %28 = arith.constant 0 : i32
    %41 = arith.constant 0.0e0 : bf16
    %72 = arith.constant 96 : i32
    %87 = arith.constant 24 : i32
    %107 = arith.constant 2048 : i32
    %131 = arith.constant 320 : i64
    %142 = arith.constant 64 : i64
    %4 = tt.get_program_id y : i32
    %6 = arith.muli %4, %5 : i32
    %7 = arith.addi %6, %5 : i32
    %9 = arith.minsi %7, %8 : i32
    %10 = tt.get_program_id x : i32
    %13 = arith.muli %10, %12 : i32
    %14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %15 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %18 = tt.splat %17 : i32 -> tensor<16xi32>
    %19 = arith.cmpi slt, %16, %18 : tensor<16xi32>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %21 = arith.extsi %13 : i32 to i64
    %23 = arith.muli %21, %22 : i64
    %119 = scf.for %26 = %6 to %9 step %25 iter_args(%27 = %24) -> (tensor<32x16xf32>) : i32 {
      %29 = arith.addi %26, %28 : i32
      %30 = tt.addptr %x, %29 : !tt.ptr<bf16>, i32
      %31 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %32 = tt.splat %8 : i32 -> tensor<16xi32>
      %33 = arith.muli %16, %32 : tensor<16xi32>
      %34 = tt.expand_dims %33 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %35 = tt.broadcast %31 : tensor<32x1xi32> -> tensor<32x16xi32>
      %36 = tt.broadcast %34 : tensor<1x16xi32> -> tensor<32x16xi32>
      %37 = arith.addi %35, %36 : tensor<32x16xi32>
      %38 = tt.splat %30 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %39 = tt.addptr %38, %37 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %40 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %42 = tt.splat %41 : bf16 -> tensor<32x16xbf16>
      %43 = tt.load %39, %40, %42 : tensor<32x16x!tt.ptr<bf16>>
      %44 = arith.addi %26, %12 : i32
      %45 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %46 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %47 = tt.splat %8 : i32 -> tensor<16xi32>
      %48 = arith.muli %16, %47 : tensor<16xi32>
      %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %50 = tt.broadcast %46 : tensor<32x1xi32> -> tensor<32x16xi32>
      %51 = tt.broadcast %49 : tensor<1x16xi32> -> tensor<32x16xi32>
      %52 = arith.addi %50, %51 : tensor<32x16xi32>
      %53 = tt.splat %45 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %54 = tt.addptr %53, %52 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %55 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %56 = tt.splat %41 : bf16 -> tensor<32x16xbf16>
      %57 = tt.load %54, %55, %56 : tensor<32x16x!tt.ptr<bf16>>
      %58 = arith.addi %26, %11 : i32
      %59 = tt.addptr %x, %58 : !tt.ptr<bf16>, i32
      %60 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %61 = tt.splat %8 : i32 -> tensor<16xi32>
      %62 = arith.muli %16, %61 : tensor<16xi32>
      %63 = tt.expand_dims %62 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %64 = tt.broadcast %60 : tensor<32x1xi32> -> tensor<32x16xi32>
      %65 = tt.broadcast %63 : tensor<1x16xi32> -> tensor<32x16xi32>
      %66 = arith.addi %64, %65 : tensor<32x16xi32>
      %67 = tt.splat %59 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %68 = tt.addptr %67, %66 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %69 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %70 = tt.splat %41 : bf16 -> tensor<32x16xbf16>
      %71 = tt.load %68, %69, %70 : tensor<32x16x!tt.ptr<bf16>>
      %73 = arith.addi %26, %72 : i32
      %74 = tt.addptr %x, %73 : !tt.ptr<bf16>, i32
      %75 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %76 = tt.splat %8 : i32 -> tensor<16xi32>
      %77 = arith.muli %16, %76 : tensor<16xi32>
      %78 = tt.expand_dims %77 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %79 = tt.broadcast %75 : tensor<32x1xi32> -> tensor<32x16xi32>
      %80 = tt.broadcast %78 : tensor<1x16xi32> -> tensor<32x16xi32>
      %81 = arith.addi %79, %80 : tensor<32x16xi32>
      %82 = tt.splat %74 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %83 = tt.addptr %82, %81 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %84 = tt.broadcast %20 : tensor<1x16xi1> -> tensor<32x16xi1>
      %85 = tt.splat %41 : bf16 -> tensor<32x16xbf16>
      %86 = tt.load %83, %84, %85 : tensor<32x16x!tt.ptr<bf16>>
      %88 = arith.muli %26, %87 : i32
      %89 = arith.extsi %88 : i32 to i64
      %90 = arith.addi %23, %89 : i64
      %91 = tt.addptr %words, %90 : !tt.ptr<i16>, i64
      %92 = tt.splat %12 : i32 -> tensor<32xi32>
      %93 = arith.muli %14, %92 : tensor<32xi32>
      %94 = tt.expand_dims %93 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %95 = tt.expand_dims %15 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %96 = tt.broadcast %94 : tensor<32x1xi32> -> tensor<32x32xi32>
      %97 = tt.broadcast %95 : tensor<1x32xi32> -> tensor<32x32xi32>
      %98 = arith.addi %96, %97 : tensor<32x32xi32>
      %99 = tt.splat %91 : !tt.ptr<i16> -> tensor<32x32x!tt.ptr<i16>>
      %100 = tt.addptr %99, %98 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %101 = tt.splat %28 : i32 -> tensor<32x32xi32>
      %102 = tt.addptr %100, %101 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %103 = tt.load %102 : tensor<32x32x!tt.ptr<i16>>
      %104 = tt.splat %8 : i32 -> tensor<32x32xi32>
      %105 = tt.addptr %100, %104 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %106 = tt.load %105 : tensor<32x32x!tt.ptr<i16>>
      %108 = tt.splat %107 : i32 -> tensor<32x32xi32>
      %109 = tt.addptr %100, %108 : tensor<32x32x!tt.ptr<i16>>, tensor<32x32xi32>
      %110 = tt.load %109 : tensor<32x32x!tt.ptr<i16>>
      %111 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %103 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %112 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %106 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %113 = tt.elementwise_inline_asm "{ .reg .b32 t, c, z; and.b32 t, $1, 0x87ff87ff; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %110 : tensor<32x32xi16> -> tensor<32x32xbf16>
      %114 = tt.elementwise_inline_asm "{ .reg .b32 t, u, c, z; shr.b32 t, $1, 4; and.b32 t, t, 0x07800780; shr.b32 u, $2, 8; lop3.b32 t, u, 0x00780078, t, 0xea; shr.b32 u, $3, 12; lop3.b32 t, u, 0x00070007, t, 0xea; shl.b32 u, $3, 4; lop3.b32 t, u, 0x80008000, t, 0xea; mov.b32 c, 0x77807780; mov.b32 z, 0x80008000; fma.rn.bf16x2 $0, t, c, z; }" {constraints = "=r,r,r,r", packed_element = 2 : i32, pure = true} %103, %106, %110 : tensor<32x32xi16>, tensor<32x32xi16>, tensor<32x32xi16> -> tensor<32x32xbf16>
      %115 = tt.dot %111, %43, %27, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %116 = tt.dot %112, %57, %115, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %117 = tt.dot %113, %71, %116, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      %118 = tt.dot %114, %86, %117, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x16xbf16> -> tensor<32x16xf32>
      scf.yield %118 : tensor<32x16xf32>
    }
    %120 = tt.addptr %scales, %13 : !tt.ptr<f32>, i32
    %121 = tt.splat %120 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %122 = tt.addptr %121, %14 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %123 = tt.load %122 : tensor<32x!tt.ptr<f32>>
    %124 = tt.expand_dims %123 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %125 = tt.broadcast %124 : tensor<32x1xf32> -> tensor<32x16xf32>
    %126 = arith.mulf %119, %125 : tensor<32x16xf32>
    %127 = tt.get_program_id x : i32
    %128 = arith.subi %127, %28 : i32
    %129 = arith.muli %128, %12 : i32
    %130 = arith.extsi %4 : i32 to i64
    %132 = arith.muli %130, %131 : i64
    %133 = tt.addptr %y, %132 : !tt.ptr<f32>, i64
    %134 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %135 = tt.splat %28 : i32 -> tensor<16xi32>
    %136 = arith.addi %135, %134 : tensor<16xi32>
    %137 = tt.splat %17 : i32 -> tensor<16xi32>
    %138 = arith.cmpi slt, %136, %137 : tensor<16xi32>
    %139 = tt.expand_dims %138 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %140 = arith.extsi %129 : i32 to i64
    %141 = arith.extsi %28 : i32 to i64
    %143 = arith.muli %141, %142 : i64
    %144 = arith.addi %140, %143 : i64
    %145 = tt.addptr %133, %144 : !tt.ptr<f32>, i64
    %146 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %147 = tt.expand_dims %146 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %148 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %149 = tt.splat %11 : i32 -> tensor<16xi32>
    %150 = arith.muli %148, %149 : tensor<16xi32>
    %151 = tt.expand_dims %150 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %152 = tt.broadcast %147 : tensor<32x1xi32> -> tensor<32x16xi32>
    %153 = tt.broadcast %151 : tensor<1x16xi32> -> tensor<32x16xi32>
    %154 = arith.addi %152, %153 : tensor<32x16xi32>
    %155 = tt.splat %145 : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>>
    %156 = tt.addptr %155, %154 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
    %157 = tt.broadcast %139 : tensor<1x16xi1> -> tensor<32x16xi1>
    tt.store %156, %126, %157 : tensor<32x16x!tt.ptr<f32>>
    tt.return
  }
}
