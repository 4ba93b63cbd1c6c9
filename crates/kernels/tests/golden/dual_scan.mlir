module {
  tt.func public @dual_scan_exponents(%widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %turned: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 64 : i32
    %11 = arith.constant 16 : i32
    %18 = arith.constant 1024 : i64
    %20 = arith.constant 4 : i32
    %23 = arith.constant 256 : i32
    %41 = arith.constant 0.0e0 : f32
    %48 = arith.constant 1.442695e0 : f32
    %4 = tt.get_program_id x : i32
    %6 = arith.muli %4, %5 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.get_program_id y : i32
    %12 = arith.muli %10, %11 : i32
    %13 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %14 = tt.splat %12 : i32 -> tensor<16xi32>
    %15 = arith.addi %14, %13 : tensor<16xi32>
    %16 = tt.get_program_id z : i32
    %17 = arith.extsi %16 : i32 to i64
    %19 = arith.muli %17, %18 : i64
    %21 = tt.splat %20 : i32 -> tensor<16xi32>
    %22 = arith.cmpi slt, %15, %21 : tensor<16xi32>
    %24 = tt.splat %23 : i32 -> tensor<64xi32>
    %25 = arith.cmpi slt, %9, %24 : tensor<64xi32>
    %26 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %27 = tt.expand_dims %22 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %28 = tt.broadcast %26 : tensor<64x1xi1> -> tensor<64x16xi1>
    %29 = tt.broadcast %27 : tensor<1x16xi1> -> tensor<64x16xi1>
    %30 = arith.andi %28, %29 : tensor<64x16xi1>
    %31 = tt.addptr %widths, %19 : !tt.ptr<f32>, i64
    %32 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %33 = tt.splat %20 : i32 -> tensor<64x1xi32>
    %34 = arith.muli %32, %33 : tensor<64x1xi32>
    %35 = tt.expand_dims %15 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %36 = tt.broadcast %34 : tensor<64x1xi32> -> tensor<64x16xi32>
    %37 = tt.broadcast %35 : tensor<1x16xi32> -> tensor<64x16xi32>
    %38 = arith.addi %36, %37 : tensor<64x16xi32>
    %39 = tt.splat %31 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
    %40 = tt.addptr %39, %38 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi32>
    %42 = tt.splat %41 : f32 -> tensor<64x16xf32>
    %43 = tt.load %40, %30, %42 : tensor<64x16x!tt.ptr<f32>>
    %44 = tt.splat %rates : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %45 = tt.addptr %44, %15 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %46 = tt.splat %41 : f32 -> tensor<16xf32>
    %47 = tt.load %45, %22, %46 : tensor<16x!tt.ptr<f32>>
    %49 = tt.splat %48 : f32 -> tensor<16xf32>
    %50 = arith.mulf %47, %49 : tensor<16xf32>
    %51 = tt.expand_dims %15 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %52 = tt.splat %23 : i32 -> tensor<1x16xi32>
    %53 = arith.muli %51, %52 : tensor<1x16xi32>
    %54 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %55 = tt.broadcast %53 : tensor<1x16xi32> -> tensor<64x16xi32>
    %56 = tt.broadcast %54 : tensor<64x1xi32> -> tensor<64x16xi32>
    %57 = arith.addi %55, %56 : tensor<64x16xi32>
    %58 = arith.extsi %57 : tensor<64x16xi32> to tensor<64x16xi64>
    %59 = tt.splat %19 : i64 -> tensor<64x16xi64>
    %60 = arith.addi %59, %58 : tensor<64x16xi64>
    %61 = tt.splat %sums : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
    %62 = tt.addptr %61, %60 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi64>
    %63 = tt.expand_dims %50 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %64 = tt.broadcast %63 : tensor<1x16xf32> -> tensor<64x16xf32>
    %65 = arith.mulf %43, %64 : tensor<64x16xf32>
    %69 = "tt.scan"(%65) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%66: f32, %67: f32):
      %68 = arith.addf %66, %67 : f32
      tt.scan.return %68 : f32
    }) : (tensor<64x16xf32>) -> (tensor<64x16xf32>)
    tt.store %62, %69, %30 : tensor<64x16x!tt.ptr<f32>>
    %70 = tt.splat %turned : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
    %71 = tt.addptr %70, %60 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi64>
    tt.store %71, %43, %30 : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_states(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %shared: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %begin: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %end: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %10 = arith.constant 4 : i32
    %13 = arith.constant 64 : i32
    %18 = arith.constant 65536 : i64
    %21 = arith.constant 32768 : i64
    %24 = arith.constant 4 : i64
    %28 = arith.constant 256 : i64
    %39 = arith.constant 8192 : i64
    %43 = arith.constant 128 : i32
    %55 = arith.constant 0 : i32
    %56 = arith.constant 1 : i32
    %63 = arith.constant 63 : i32
    %65 = arith.constant 131072 : i64
    %70 = arith.constant 8192 : i32
    %96 = arith.constant 256 : i32
    %7 = tt.get_program_id z : i32
    %8 = arith.extsi %7 : i32 to i64
    %9 = tt.get_program_id y : i32
    %11 = arith.divsi %9, %10 : i32
    %12 = tt.get_program_id x : i32
    %14 = arith.muli %12, %13 : i32
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %16 = tt.splat %14 : i32 -> tensor<64xi32>
    %17 = arith.addi %16, %15 : tensor<64xi32>
    %19 = arith.muli %8, %18 : i64
    %20 = tt.addptr %given, %19 : !tt.ptr<bf16>, i64
    %22 = arith.muli %8, %21 : i64
    %23 = tt.addptr %shared, %22 : !tt.ptr<bf16>, i64
    %25 = arith.muli %8, %24 : i64
    %26 = arith.extsi %9 : i32 to i64
    %27 = arith.addi %25, %26 : i64
    %29 = arith.muli %27, %28 : i64
    %30 = tt.addptr %sums, %29 : !tt.ptr<f32>, i64
    %31 = arith.muli %8, %24 : i64
    %32 = arith.extsi %9 : i32 to i64
    %33 = arith.addi %31, %32 : i64
    %34 = arith.muli %33, %28 : i64
    %35 = tt.addptr %widths, %34 : !tt.ptr<f32>, i64
    %36 = arith.muli %8, %24 : i64
    %37 = arith.extsi %9 : i32 to i64
    %38 = arith.addi %36, %37 : i64
    %40 = arith.muli %38, %39 : i64
    %41 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %42 = tt.expand_dims %41 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %44 = tt.splat %43 : i32 -> tensor<64x1xi32>
    %45 = arith.muli %42, %44 : tensor<64x1xi32>
    %46 = tt.expand_dims %17 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %47 = tt.broadcast %45 : tensor<64x1xi32> -> tensor<64x64xi32>
    %48 = tt.broadcast %46 : tensor<1x64xi32> -> tensor<64x64xi32>
    %49 = arith.addi %47, %48 : tensor<64x64xi32>
    %50 = tt.addptr %begin, %40 : !tt.ptr<f32>, i64
    %51 = tt.splat %50 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %52 = tt.addptr %51, %49 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %53 = tt.load %52 : tensor<64x64x!tt.ptr<f32>>
    %54 = tt.trans %53 {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
    %138 = scf.for %57 = %55 to %10 step %56 iter_args(%58 = %54) -> (tensor<64x64xf32>) : i32 {
      %59 = arith.muli %57, %13 : i32
      %60 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %61 = tt.splat %59 : i32 -> tensor<64xi32>
      %62 = arith.addi %61, %60 : tensor<64xi32>
      %64 = arith.addi %59, %63 : i32
      %66 = arith.muli %8, %65 : i64
      %67 = tt.addptr %states, %66 : !tt.ptr<bf16>, i64
      %68 = arith.muli %57, %10 : i32
      %69 = arith.addi %68, %9 : i32
      %71 = arith.muli %69, %70 : i32
      %72 = tt.expand_dims %17 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %73 = tt.splat %13 : i32 -> tensor<64x1xi32>
      %74 = arith.muli %72, %73 : tensor<64x1xi32>
      %75 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %76 = tt.expand_dims %75 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %77 = tt.broadcast %74 : tensor<64x1xi32> -> tensor<64x64xi32>
      %78 = tt.broadcast %76 : tensor<1x64xi32> -> tensor<64x64xi32>
      %79 = arith.addi %77, %78 : tensor<64x64xi32>
      %80 = tt.addptr %67, %71 : !tt.ptr<bf16>, i32
      %81 = tt.splat %80 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %82 = tt.addptr %81, %79 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %83 = arith.truncf %58 : tensor<64x64xf32> to tensor<64x64xbf16>
      tt.store %82, %83 : tensor<64x64x!tt.ptr<bf16>>
      %84 = tt.splat %30 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %85 = tt.addptr %84, %62 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %86 = tt.load %85 : tensor<64x!tt.ptr<f32>>
      %87 = tt.addptr %30, %64 : !tt.ptr<f32>, i32
      %88 = tt.load %87 : !tt.ptr<f32>
      %89 = tt.splat %88 : f32 -> tensor<64xf32>
      %90 = arith.subf %89, %86 : tensor<64xf32>
      %91 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %90 : tensor<64xf32> -> tensor<64xf32>
      %92 = tt.splat %35 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %93 = tt.addptr %92, %62 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %94 = tt.load %93 : tensor<64x!tt.ptr<f32>>
      %95 = arith.mulf %91, %94 : tensor<64xf32>
      %97 = arith.muli %59, %96 : i32
      %98 = tt.addptr %20, %97 : !tt.ptr<bf16>, i32
      %99 = arith.muli %9, %13 : i32
      %100 = tt.addptr %98, %99 : !tt.ptr<bf16>, i32
      %101 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %102 = tt.expand_dims %101 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %103 = tt.splat %96 : i32 -> tensor<64x1xi32>
      %104 = arith.muli %102, %103 : tensor<64x1xi32>
      %105 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %106 = tt.expand_dims %105 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %107 = tt.broadcast %104 : tensor<64x1xi32> -> tensor<64x64xi32>
      %108 = tt.broadcast %106 : tensor<1x64xi32> -> tensor<64x64xi32>
      %109 = arith.addi %107, %108 : tensor<64x64xi32>
      %110 = tt.splat %100 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %111 = tt.addptr %110, %109 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %112 = tt.load %111 : tensor<64x64x!tt.ptr<bf16>>
      %113 = arith.extf %112 : tensor<64x64xbf16> to tensor<64x64xf32>
      %114 = tt.expand_dims %95 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %115 = tt.broadcast %114 : tensor<64x1xf32> -> tensor<64x64xf32>
      %116 = arith.mulf %113, %115 : tensor<64x64xf32>
      %117 = arith.truncf %116 : tensor<64x64xf32> to tensor<64x64xbf16>
      %118 = arith.muli %59, %43 : i32
      %119 = tt.addptr %23, %118 : !tt.ptr<bf16>, i32
      %120 = arith.muli %11, %43 : i32
      %121 = tt.addptr %119, %120 : !tt.ptr<bf16>, i32
      %122 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %123 = tt.expand_dims %122 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %124 = tt.splat %43 : i32 -> tensor<64x1xi32>
      %125 = arith.muli %123, %124 : tensor<64x1xi32>
      %126 = tt.expand_dims %17 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %127 = tt.broadcast %125 : tensor<64x1xi32> -> tensor<64x64xi32>
      %128 = tt.broadcast %126 : tensor<1x64xi32> -> tensor<64x64xi32>
      %129 = arith.addi %127, %128 : tensor<64x64xi32>
      %130 = tt.splat %121 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %131 = tt.addptr %130, %129 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %132 = tt.load %131 : tensor<64x64x!tt.ptr<bf16>>
      %133 = tt.trans %132 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %134 = math.exp2 %88 : f32
      %135 = tt.splat %134 : f32 -> tensor<64x64xf32>
      %136 = arith.mulf %58, %135 : tensor<64x64xf32>
      %137 = tt.dot %133, %117, %136, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %137 : tensor<64x64xf32>
    }
    %139 = arith.muli %8, %24 : i64
    %140 = arith.extsi %9 : i32 to i64
    %141 = arith.addi %139, %140 : i64
    %142 = arith.muli %141, %39 : i64
    %143 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %144 = tt.expand_dims %143 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %145 = tt.splat %43 : i32 -> tensor<64x1xi32>
    %146 = arith.muli %144, %145 : tensor<64x1xi32>
    %147 = tt.expand_dims %17 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %148 = tt.broadcast %146 : tensor<64x1xi32> -> tensor<64x64xi32>
    %149 = tt.broadcast %147 : tensor<1x64xi32> -> tensor<64x64xi32>
    %150 = arith.addi %148, %149 : tensor<64x64xi32>
    %151 = tt.addptr %end, %142 : !tt.ptr<f32>, i64
    %152 = tt.splat %151 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %153 = tt.addptr %152, %150 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %154 = tt.trans %138 {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
    tt.store %153, %154 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_outputs(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %before: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %10 = arith.constant 64 : i32
    %15 = arith.constant 63 : i32
    %18 = arith.constant 4 : i32
    %21 = arith.constant 1 : i32
    %29 = arith.constant 65536 : i64
    %34 = arith.constant 32768 : i64
    %39 = arith.constant 0 : i32
    %43 = arith.constant 128 : i32
    %59 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %78 = arith.constant 4 : i64
    %82 = arith.constant 256 : i64
    %96 = arith.constant 131072 : i64
    %101 = arith.constant 8192 : i32
    %131 = arith.constant 0xFF800000 : f32
    %140 = arith.constant 256 : i32
    %7 = tt.get_program_id z : i32
    %8 = arith.extsi %7 : i32 to i64
    %9 = tt.get_program_id x : i32
    %11 = arith.muli %9, %10 : i32
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %13 = tt.splat %11 : i32 -> tensor<64xi32>
    %14 = arith.addi %13, %12 : tensor<64xi32>
    %16 = arith.addi %11, %15 : i32
    %17 = tt.get_program_id y : i32
    %19 = arith.divsi %17, %18 : i32
    %20 = arith.remsi %17, %18 : i32
    %22 = arith.muli %20, %21 : i32
    %23 = arith.muli %20, %21 : i32
    %24 = arith.addi %23, %21 : i32
    %25 = arith.minsi %24, %18 : i32
    %26 = arith.muli %19, %18 : i32
    %27 = arith.addi %26, %22 : i32
    %28 = arith.addi %26, %25 : i32
    %30 = arith.muli %8, %29 : i64
    %31 = tt.addptr %x, %30 : !tt.ptr<bf16>, i64
    %32 = arith.muli %8, %29 : i64
    %33 = tt.addptr %y, %32 : !tt.ptr<bf16>, i64
    %35 = arith.muli %8, %34 : i64
    %36 = tt.addptr %b, %35 : !tt.ptr<bf16>, i64
    %37 = arith.muli %8, %34 : i64
    %38 = tt.addptr %c, %37 : !tt.ptr<bf16>, i64
    %40 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %41 = tt.splat %39 : i32 -> tensor<128xi32>
    %42 = arith.addi %41, %40 : tensor<128xi32>
    %44 = arith.muli %11, %43 : i32
    %45 = tt.addptr %38, %44 : !tt.ptr<bf16>, i32
    %46 = arith.muli %19, %43 : i32
    %47 = tt.addptr %45, %46 : !tt.ptr<bf16>, i32
    %48 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %49 = tt.expand_dims %48 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %50 = tt.splat %43 : i32 -> tensor<64x1xi32>
    %51 = arith.muli %49, %50 : tensor<64x1xi32>
    %52 = tt.expand_dims %42 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %53 = tt.broadcast %51 : tensor<64x1xi32> -> tensor<64x128xi32>
    %54 = tt.broadcast %52 : tensor<1x128xi32> -> tensor<64x128xi32>
    %55 = arith.addi %53, %54 : tensor<64x128xi32>
    %56 = tt.splat %47 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
    %57 = tt.addptr %56, %55 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %58 = tt.load %57 : tensor<64x128x!tt.ptr<bf16>>
    %60 = arith.muli %11, %43 : i32
    %61 = tt.addptr %36, %60 : !tt.ptr<bf16>, i32
    %62 = arith.muli %19, %43 : i32
    %63 = tt.addptr %61, %62 : !tt.ptr<bf16>, i32
    %64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %65 = tt.expand_dims %64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %66 = tt.splat %43 : i32 -> tensor<64x1xi32>
    %67 = arith.muli %65, %66 : tensor<64x1xi32>
    %68 = tt.expand_dims %42 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %69 = tt.broadcast %67 : tensor<64x1xi32> -> tensor<64x128xi32>
    %70 = tt.broadcast %68 : tensor<1x128xi32> -> tensor<64x128xi32>
    %71 = arith.addi %69, %70 : tensor<64x128xi32>
    %72 = tt.splat %63 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
    %73 = tt.addptr %72, %71 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %74 = tt.load %73 : tensor<64x128x!tt.ptr<bf16>>
    %75 = tt.trans %74 {order = array<i32: 1, 0>} : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %76 = tt.dot %58, %75, %59, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
    scf.for %77 = %27 to %28 step %21 : i32 {
      %79 = arith.muli %8, %78 : i64
      %80 = arith.extsi %77 : i32 to i64
      %81 = arith.addi %79, %80 : i64
      %83 = arith.muli %81, %82 : i64
      %84 = tt.addptr %sums, %83 : !tt.ptr<f32>, i64
      %85 = tt.splat %84 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %86 = tt.addptr %85, %14 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %87 = tt.load %86 : tensor<64x!tt.ptr<f32>>
      %88 = arith.muli %8, %78 : i64
      %89 = arith.extsi %77 : i32 to i64
      %90 = arith.addi %88, %89 : i64
      %91 = arith.muli %90, %82 : i64
      %92 = tt.addptr %widths, %91 : !tt.ptr<f32>, i64
      %93 = tt.splat %92 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %94 = tt.addptr %93, %14 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %95 = tt.load %94 : tensor<64x!tt.ptr<f32>>
      %97 = arith.muli %8, %96 : i64
      %98 = tt.addptr %before, %97 : !tt.ptr<bf16>, i64
      %99 = arith.muli %9, %18 : i32
      %100 = arith.addi %99, %77 : i32
      %102 = arith.muli %100, %101 : i32
      %103 = tt.expand_dims %42 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %104 = tt.splat %10 : i32 -> tensor<128x1xi32>
      %105 = arith.muli %103, %104 : tensor<128x1xi32>
      %106 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %107 = tt.expand_dims %106 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %108 = tt.broadcast %105 : tensor<128x1xi32> -> tensor<128x64xi32>
      %109 = tt.broadcast %107 : tensor<1x64xi32> -> tensor<128x64xi32>
      %110 = arith.addi %108, %109 : tensor<128x64xi32>
      %111 = tt.addptr %98, %102 : !tt.ptr<bf16>, i32
      %112 = tt.splat %111 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %113 = tt.addptr %112, %110 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %114 = tt.load %113 : tensor<128x64x!tt.ptr<bf16>>
      %115 = tt.dot %58, %114, %59, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      %116 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %87 : tensor<64xf32> -> tensor<64xf32>
      %117 = tt.expand_dims %116 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %118 = tt.broadcast %117 : tensor<64x1xf32> -> tensor<64x64xf32>
      %119 = arith.mulf %115, %118 : tensor<64x64xf32>
      %120 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %121 = tt.expand_dims %120 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %122 = tt.expand_dims %120 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %123 = tt.expand_dims %87 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %124 = tt.expand_dims %87 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %125 = tt.broadcast %121 : tensor<1x64xi32> -> tensor<64x64xi32>
      %126 = tt.broadcast %122 : tensor<64x1xi32> -> tensor<64x64xi32>
      %127 = arith.cmpi sle, %125, %126 : tensor<64x64xi32>
      %128 = tt.broadcast %124 : tensor<64x1xf32> -> tensor<64x64xf32>
      %129 = tt.broadcast %123 : tensor<1x64xf32> -> tensor<64x64xf32>
      %130 = arith.subf %128, %129 : tensor<64x64xf32>
      %132 = tt.splat %131 : f32 -> tensor<64x64xf32>
      %133 = arith.select %127, %130, %132 : tensor<64x64xi1>, tensor<64x64xf32>
      %134 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %133 : tensor<64x64xf32> -> tensor<64x64xf32>
      %135 = arith.mulf %76, %134 : tensor<64x64xf32>
      %136 = tt.expand_dims %95 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %137 = tt.broadcast %136 : tensor<1x64xf32> -> tensor<64x64xf32>
      %138 = arith.mulf %135, %137 : tensor<64x64xf32>
      %139 = arith.truncf %138 : tensor<64x64xf32> to tensor<64x64xbf16>
      %141 = arith.muli %11, %140 : i32
      %142 = tt.addptr %31, %141 : !tt.ptr<bf16>, i32
      %143 = arith.muli %77, %10 : i32
      %144 = tt.addptr %142, %143 : !tt.ptr<bf16>, i32
      %145 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %146 = tt.expand_dims %145 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %147 = tt.splat %140 : i32 -> tensor<64x1xi32>
      %148 = arith.muli %146, %147 : tensor<64x1xi32>
      %149 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %150 = tt.expand_dims %149 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %151 = tt.broadcast %148 : tensor<64x1xi32> -> tensor<64x64xi32>
      %152 = tt.broadcast %150 : tensor<1x64xi32> -> tensor<64x64xi32>
      %153 = arith.addi %151, %152 : tensor<64x64xi32>
      %154 = tt.splat %144 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %155 = tt.addptr %154, %153 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %156 = tt.load %155 : tensor<64x64x!tt.ptr<bf16>>
      %157 = tt.dot %139, %156, %119, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %158 = arith.muli %11, %140 : i32
      %159 = tt.addptr %33, %158 : !tt.ptr<bf16>, i32
      %160 = arith.muli %77, %10 : i32
      %161 = tt.addptr %159, %160 : !tt.ptr<bf16>, i32
      %162 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %163 = tt.expand_dims %162 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %164 = tt.splat %140 : i32 -> tensor<64x1xi32>
      %165 = arith.muli %163, %164 : tensor<64x1xi32>
      %166 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %167 = tt.expand_dims %166 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %168 = tt.broadcast %165 : tensor<64x1xi32> -> tensor<64x64xi32>
      %169 = tt.broadcast %167 : tensor<1x64xi32> -> tensor<64x64xi32>
      %170 = arith.addi %168, %169 : tensor<64x64xi32>
      %171 = tt.splat %161 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %172 = tt.addptr %171, %170 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %173 = arith.truncf %157 : tensor<64x64xf32> to tensor<64x64xbf16>
      tt.store %172, %173 : tensor<64x64x!tt.ptr<bf16>>
    }
    tt.return
  }
}
