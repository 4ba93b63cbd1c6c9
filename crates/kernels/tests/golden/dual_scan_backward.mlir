module {
  tt.func public @dual_scan_cotangents(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %shared: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %begin: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %end: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %9 = arith.constant 4 : i32
    %12 = arith.constant 64 : i32
    %17 = arith.constant 65536 : i64
    %20 = arith.constant 32768 : i64
    %23 = arith.constant 4 : i64
    %27 = arith.constant 256 : i64
    %33 = arith.constant 8192 : i64
    %37 = arith.constant 128 : i32
    %49 = arith.constant 0 : i32
    %50 = arith.constant 1 : i32
    %53 = arith.constant 3 : i32
    %59 = arith.constant 63 : i32
    %61 = arith.constant 131072 : i64
    %66 = arith.constant 8192 : i32
    %86 = arith.constant 256 : i32
    %6 = tt.get_program_id z : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = tt.get_program_id y : i32
    %10 = arith.divsi %8, %9 : i32
    %11 = tt.get_program_id x : i32
    %13 = arith.muli %11, %12 : i32
    %14 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %15 = tt.splat %13 : i32 -> tensor<64xi32>
    %16 = arith.addi %15, %14 : tensor<64xi32>
    %18 = arith.muli %7, %17 : i64
    %19 = tt.addptr %given, %18 : !tt.ptr<bf16>, i64
    %21 = arith.muli %7, %20 : i64
    %22 = tt.addptr %shared, %21 : !tt.ptr<bf16>, i64
    %24 = arith.muli %7, %23 : i64
    %25 = arith.extsi %8 : i32 to i64
    %26 = arith.addi %24, %25 : i64
    %28 = arith.muli %26, %27 : i64
    %29 = tt.addptr %sums, %28 : !tt.ptr<f32>, i64
    %30 = arith.muli %7, %23 : i64
    %31 = arith.extsi %8 : i32 to i64
    %32 = arith.addi %30, %31 : i64
    %34 = arith.muli %32, %33 : i64
    %35 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %36 = tt.expand_dims %35 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %38 = tt.splat %37 : i32 -> tensor<64x1xi32>
    %39 = arith.muli %36, %38 : tensor<64x1xi32>
    %40 = tt.expand_dims %16 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %41 = tt.broadcast %39 : tensor<64x1xi32> -> tensor<64x64xi32>
    %42 = tt.broadcast %40 : tensor<1x64xi32> -> tensor<64x64xi32>
    %43 = arith.addi %41, %42 : tensor<64x64xi32>
    %44 = tt.addptr %begin, %34 : !tt.ptr<f32>, i64
    %45 = tt.splat %44 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %46 = tt.addptr %45, %43 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %47 = tt.load %46 : tensor<64x64x!tt.ptr<f32>>
    %48 = tt.trans %47 {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
    %128 = scf.for %51 = %49 to %9 step %50 iter_args(%52 = %48) -> (tensor<64x64xf32>) : i32 {
      %54 = arith.subi %53, %51 : i32
      %55 = arith.muli %54, %12 : i32
      %56 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %57 = tt.splat %55 : i32 -> tensor<64xi32>
      %58 = arith.addi %57, %56 : tensor<64xi32>
      %60 = arith.addi %55, %59 : i32
      %62 = arith.muli %7, %61 : i64
      %63 = tt.addptr %states, %62 : !tt.ptr<bf16>, i64
      %64 = arith.muli %54, %9 : i32
      %65 = arith.addi %64, %8 : i32
      %67 = arith.muli %65, %66 : i32
      %68 = tt.expand_dims %16 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %69 = tt.splat %12 : i32 -> tensor<64x1xi32>
      %70 = arith.muli %68, %69 : tensor<64x1xi32>
      %71 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %72 = tt.expand_dims %71 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %73 = tt.broadcast %70 : tensor<64x1xi32> -> tensor<64x64xi32>
      %74 = tt.broadcast %72 : tensor<1x64xi32> -> tensor<64x64xi32>
      %75 = arith.addi %73, %74 : tensor<64x64xi32>
      %76 = tt.addptr %63, %67 : !tt.ptr<bf16>, i32
      %77 = tt.splat %76 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %78 = tt.addptr %77, %75 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %79 = arith.truncf %52 : tensor<64x64xf32> to tensor<64x64xbf16>
      tt.store %78, %79 : tensor<64x64x!tt.ptr<bf16>>
      %80 = tt.splat %29 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %81 = tt.addptr %80, %58 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %82 = tt.load %81 : tensor<64x!tt.ptr<f32>>
      %83 = tt.addptr %29, %60 : !tt.ptr<f32>, i32
      %84 = tt.load %83 : !tt.ptr<f32>
      %85 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %82 : tensor<64xf32> -> tensor<64xf32>
      %87 = arith.muli %55, %86 : i32
      %88 = tt.addptr %19, %87 : !tt.ptr<bf16>, i32
      %89 = arith.muli %8, %12 : i32
      %90 = tt.addptr %88, %89 : !tt.ptr<bf16>, i32
      %91 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %92 = tt.expand_dims %91 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %93 = tt.splat %86 : i32 -> tensor<64x1xi32>
      %94 = arith.muli %92, %93 : tensor<64x1xi32>
      %95 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %96 = tt.expand_dims %95 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %97 = tt.broadcast %94 : tensor<64x1xi32> -> tensor<64x64xi32>
      %98 = tt.broadcast %96 : tensor<1x64xi32> -> tensor<64x64xi32>
      %99 = arith.addi %97, %98 : tensor<64x64xi32>
      %100 = tt.splat %90 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %101 = tt.addptr %100, %99 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %102 = tt.load %101 : tensor<64x64x!tt.ptr<bf16>>
      %103 = arith.extf %102 : tensor<64x64xbf16> to tensor<64x64xf32>
      %104 = tt.expand_dims %85 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %105 = tt.broadcast %104 : tensor<64x1xf32> -> tensor<64x64xf32>
      %106 = arith.mulf %103, %105 : tensor<64x64xf32>
      %107 = arith.truncf %106 : tensor<64x64xf32> to tensor<64x64xbf16>
      %108 = arith.muli %55, %37 : i32
      %109 = tt.addptr %22, %108 : !tt.ptr<bf16>, i32
      %110 = arith.muli %10, %37 : i32
      %111 = tt.addptr %109, %110 : !tt.ptr<bf16>, i32
      %112 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %113 = tt.expand_dims %112 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %114 = tt.splat %37 : i32 -> tensor<64x1xi32>
      %115 = arith.muli %113, %114 : tensor<64x1xi32>
      %116 = tt.expand_dims %16 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %117 = tt.broadcast %115 : tensor<64x1xi32> -> tensor<64x64xi32>
      %118 = tt.broadcast %116 : tensor<1x64xi32> -> tensor<64x64xi32>
      %119 = arith.addi %117, %118 : tensor<64x64xi32>
      %120 = tt.splat %111 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %121 = tt.addptr %120, %119 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %122 = tt.load %121 : tensor<64x64x!tt.ptr<bf16>>
      %123 = tt.trans %122 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %124 = math.exp2 %84 : f32
      %125 = tt.splat %124 : f32 -> tensor<64x64xf32>
      %126 = arith.mulf %52, %125 : tensor<64x64xf32>
      %127 = tt.dot %123, %107, %126, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %127 : tensor<64x64xf32>
    }
    %129 = arith.muli %7, %23 : i64
    %130 = arith.extsi %8 : i32 to i64
    %131 = arith.addi %129, %130 : i64
    %132 = arith.muli %131, %33 : i64
    %133 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %134 = tt.expand_dims %133 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %135 = tt.splat %37 : i32 -> tensor<64x1xi32>
    %136 = arith.muli %134, %135 : tensor<64x1xi32>
    %137 = tt.expand_dims %16 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %138 = tt.broadcast %136 : tensor<64x1xi32> -> tensor<64x64xi32>
    %139 = tt.broadcast %137 : tensor<1x64xi32> -> tensor<64x64xi32>
    %140 = arith.addi %138, %139 : tensor<64x64xi32>
    %141 = tt.addptr %end, %132 : !tt.ptr<f32>, i64
    %142 = tt.splat %141 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %143 = tt.addptr %142, %140 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %144 = tt.trans %128 {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
    tt.store %143, %144 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_gradients(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %before: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %behind: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dy: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dx: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dwidths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %drates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dscores: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %16 = arith.constant 64 : i32
    %21 = arith.constant 63 : i32
    %24 = arith.constant 4 : i32
    %27 = arith.constant 1 : i32
    %35 = arith.constant 65536 : i64
    %42 = arith.constant 1024 : i64
    %45 = arith.constant 0 : i32
    %49 = arith.constant 32768 : i64
    %52 = arith.constant 128 : i32
    %85 = arith.constant dense<0.0e0> : tensor<64x64xf32>
    %98 = arith.constant 4 : i64
    %102 = arith.constant 256 : i64
    %118 = arith.constant 256 : i32
    %153 = arith.constant 0.0e0 : f32
    %154 = arith.constant 131072 : i64
    %159 = arith.constant 8192 : i32
    %234 = arith.constant 0xFF800000 : f32
    %305 = arith.constant 16 : i64
    %319 = arith.constant 2 : i64
    %325 = arith.constant 1 : i64
    %330 = arith.constant 4096 : i64
    %13 = tt.get_program_id z : i32
    %14 = arith.extsi %13 : i32 to i64
    %15 = tt.get_program_id x : i32
    %17 = arith.muli %15, %16 : i32
    %18 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %19 = tt.splat %17 : i32 -> tensor<64xi32>
    %20 = arith.addi %19, %18 : tensor<64xi32>
    %22 = arith.addi %17, %21 : i32
    %23 = tt.get_program_id y : i32
    %25 = arith.divsi %23, %24 : i32
    %26 = arith.remsi %23, %24 : i32
    %28 = arith.muli %26, %27 : i32
    %29 = arith.muli %26, %27 : i32
    %30 = arith.addi %29, %27 : i32
    %31 = arith.minsi %30, %24 : i32
    %32 = arith.muli %25, %24 : i32
    %33 = arith.addi %32, %28 : i32
    %34 = arith.addi %32, %31 : i32
    %36 = arith.muli %14, %35 : i64
    %37 = tt.addptr %x, %36 : !tt.ptr<bf16>, i64
    %38 = arith.muli %14, %35 : i64
    %39 = tt.addptr %dy, %38 : !tt.ptr<bf16>, i64
    %40 = arith.muli %14, %35 : i64
    %41 = tt.addptr %dx, %40 : !tt.ptr<bf16>, i64
    %43 = arith.muli %14, %42 : i64
    %44 = tt.addptr %dwidths, %43 : !tt.ptr<f32>, i64
    %46 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %47 = tt.splat %45 : i32 -> tensor<128xi32>
    %48 = arith.addi %47, %46 : tensor<128xi32>
    %50 = arith.muli %14, %49 : i64
    %51 = tt.addptr %b, %50 : !tt.ptr<bf16>, i64
    %53 = arith.muli %17, %52 : i32
    %54 = tt.addptr %51, %53 : !tt.ptr<bf16>, i32
    %55 = arith.muli %25, %52 : i32
    %56 = tt.addptr %54, %55 : !tt.ptr<bf16>, i32
    %57 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %58 = tt.expand_dims %57 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %59 = tt.splat %52 : i32 -> tensor<64x1xi32>
    %60 = arith.muli %58, %59 : tensor<64x1xi32>
    %61 = tt.expand_dims %48 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %62 = tt.broadcast %60 : tensor<64x1xi32> -> tensor<64x128xi32>
    %63 = tt.broadcast %61 : tensor<1x128xi32> -> tensor<64x128xi32>
    %64 = arith.addi %62, %63 : tensor<64x128xi32>
    %65 = tt.splat %56 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
    %66 = tt.addptr %65, %64 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %67 = tt.load %66 : tensor<64x128x!tt.ptr<bf16>>
    %68 = arith.muli %14, %49 : i64
    %69 = tt.addptr %c, %68 : !tt.ptr<bf16>, i64
    %70 = arith.muli %17, %52 : i32
    %71 = tt.addptr %69, %70 : !tt.ptr<bf16>, i32
    %72 = arith.muli %25, %52 : i32
    %73 = tt.addptr %71, %72 : !tt.ptr<bf16>, i32
    %74 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %75 = tt.expand_dims %74 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %76 = tt.splat %52 : i32 -> tensor<64x1xi32>
    %77 = arith.muli %75, %76 : tensor<64x1xi32>
    %78 = tt.expand_dims %48 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %79 = tt.broadcast %77 : tensor<64x1xi32> -> tensor<64x128xi32>
    %80 = tt.broadcast %78 : tensor<1x128xi32> -> tensor<64x128xi32>
    %81 = arith.addi %79, %80 : tensor<64x128xi32>
    %82 = tt.splat %73 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
    %83 = tt.addptr %82, %81 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %84 = tt.load %83 : tensor<64x128x!tt.ptr<bf16>>
    %86 = tt.trans %84 {order = array<i32: 1, 0>} : tensor<64x128xbf16> -> tensor<128x64xbf16>
    %87 = tt.dot %67, %86, %85, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
    %88 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %89 = tt.expand_dims %88 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %90 = tt.expand_dims %88 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %91 = tt.broadcast %89 : tensor<64x1xi32> -> tensor<64x64xi32>
    %92 = tt.broadcast %90 : tensor<1x64xi32> -> tensor<64x64xi32>
    %93 = arith.cmpi sge, %91, %92 : tensor<64x64xi32>
    %94 = arith.uitofp %93 : tensor<64x64xi1> to tensor<64x64xf32>
    %95 = arith.truncf %94 : tensor<64x64xf32> to tensor<64x64xbf16>
    %317 = scf.for %96 = %33 to %34 step %27 iter_args(%97 = %85) -> (tensor<64x64xf32>) : i32 {
      %99 = arith.muli %14, %98 : i64
      %100 = arith.extsi %96 : i32 to i64
      %101 = arith.addi %99, %100 : i64
      %103 = arith.muli %101, %102 : i64
      %104 = tt.addptr %sums, %103 : !tt.ptr<f32>, i64
      %105 = tt.splat %104 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %106 = tt.addptr %105, %20 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %107 = tt.load %106 : tensor<64x!tt.ptr<f32>>
      %108 = tt.addptr %104, %22 : !tt.ptr<f32>, i32
      %109 = tt.load %108 : !tt.ptr<f32>
      %110 = arith.muli %14, %98 : i64
      %111 = arith.extsi %96 : i32 to i64
      %112 = arith.addi %110, %111 : i64
      %113 = arith.muli %112, %102 : i64
      %114 = tt.addptr %widths, %113 : !tt.ptr<f32>, i64
      %115 = tt.splat %114 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %116 = tt.addptr %115, %20 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %117 = tt.load %116 : tensor<64x!tt.ptr<f32>>
      %119 = arith.muli %17, %118 : i32
      %120 = tt.addptr %37, %119 : !tt.ptr<bf16>, i32
      %121 = arith.muli %96, %16 : i32
      %122 = tt.addptr %120, %121 : !tt.ptr<bf16>, i32
      %123 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %124 = tt.expand_dims %123 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %125 = tt.splat %118 : i32 -> tensor<64x1xi32>
      %126 = arith.muli %124, %125 : tensor<64x1xi32>
      %127 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %128 = tt.expand_dims %127 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %129 = tt.broadcast %126 : tensor<64x1xi32> -> tensor<64x64xi32>
      %130 = tt.broadcast %128 : tensor<1x64xi32> -> tensor<64x64xi32>
      %131 = arith.addi %129, %130 : tensor<64x64xi32>
      %132 = tt.splat %122 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %133 = tt.addptr %132, %131 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %134 = tt.load %133 : tensor<64x64x!tt.ptr<bf16>>
      %135 = arith.muli %17, %118 : i32
      %136 = tt.addptr %39, %135 : !tt.ptr<bf16>, i32
      %137 = arith.muli %96, %16 : i32
      %138 = tt.addptr %136, %137 : !tt.ptr<bf16>, i32
      %139 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %140 = tt.expand_dims %139 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %141 = tt.splat %118 : i32 -> tensor<64x1xi32>
      %142 = arith.muli %140, %141 : tensor<64x1xi32>
      %143 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %144 = tt.expand_dims %143 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %145 = tt.broadcast %142 : tensor<64x1xi32> -> tensor<64x64xi32>
      %146 = tt.broadcast %144 : tensor<1x64xi32> -> tensor<64x64xi32>
      %147 = arith.addi %145, %146 : tensor<64x64xi32>
      %148 = tt.splat %138 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %149 = tt.addptr %148, %147 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %150 = tt.load %149 : tensor<64x64x!tt.ptr<bf16>>
      %151 = arith.extf %134 : tensor<64x64xbf16> to tensor<64x64xf32>
      %152 = arith.extf %150 : tensor<64x64xbf16> to tensor<64x64xf32>
      %155 = arith.muli %14, %154 : i64
      %156 = tt.addptr %before, %155 : !tt.ptr<bf16>, i64
      %157 = arith.muli %15, %24 : i32
      %158 = arith.addi %157, %96 : i32
      %160 = arith.muli %158, %159 : i32
      %161 = tt.expand_dims %48 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %162 = tt.splat %16 : i32 -> tensor<128x1xi32>
      %163 = arith.muli %161, %162 : tensor<128x1xi32>
      %164 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %165 = tt.expand_dims %164 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %166 = tt.broadcast %163 : tensor<128x1xi32> -> tensor<128x64xi32>
      %167 = tt.broadcast %165 : tensor<1x64xi32> -> tensor<128x64xi32>
      %168 = arith.addi %166, %167 : tensor<128x64xi32>
      %169 = tt.addptr %156, %160 : !tt.ptr<bf16>, i32
      %170 = tt.splat %169 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %171 = tt.addptr %170, %168 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %172 = tt.load %171 : tensor<128x64x!tt.ptr<bf16>>
      %173 = arith.muli %14, %154 : i64
      %174 = tt.addptr %behind, %173 : !tt.ptr<bf16>, i64
      %175 = arith.muli %15, %24 : i32
      %176 = arith.addi %175, %96 : i32
      %177 = arith.muli %176, %159 : i32
      %178 = tt.expand_dims %48 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %179 = tt.splat %16 : i32 -> tensor<128x1xi32>
      %180 = arith.muli %178, %179 : tensor<128x1xi32>
      %181 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %182 = tt.expand_dims %181 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %183 = tt.broadcast %180 : tensor<128x1xi32> -> tensor<128x64xi32>
      %184 = tt.broadcast %182 : tensor<1x64xi32> -> tensor<128x64xi32>
      %185 = arith.addi %183, %184 : tensor<128x64xi32>
      %186 = tt.addptr %174, %177 : !tt.ptr<bf16>, i32
      %187 = tt.splat %186 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %188 = tt.addptr %187, %185 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %189 = tt.load %188 : tensor<128x64x!tt.ptr<bf16>>
      %190 = arith.extf %172 : tensor<128x64xbf16> to tensor<128x64xf32>
      %191 = arith.extf %189 : tensor<128x64xbf16> to tensor<128x64xf32>
      %192 = arith.mulf %190, %191 : tensor<128x64xf32>
      %193 = tt.dot %67, %189, %85, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      %194 = tt.dot %84, %172, %85, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      %198 = "tt.reduce"(%192) <{axis = 1 : i32}> ({
      ^bb0(%195: f32, %196: f32):
        %197 = arith.addf %195, %196 : f32
        tt.reduce.return %197 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %202 = "tt.reduce"(%198) <{axis = 0 : i32}> ({
      ^bb0(%199: f32, %200: f32):
        %201 = arith.addf %199, %200 : f32
        tt.reduce.return %201 : f32
      }) : (tensor<128xf32>) -> (f32)
      %203 = arith.addf %153, %202 : f32
      %204 = arith.mulf %152, %194 : tensor<64x64xf32>
      %208 = "tt.reduce"(%204) <{axis = 1 : i32}> ({
      ^bb0(%205: f32, %206: f32):
        %207 = arith.addf %205, %206 : f32
        tt.reduce.return %207 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %209 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %107 : tensor<64xf32> -> tensor<64xf32>
      %210 = arith.mulf %208, %209 : tensor<64xf32>
      %211 = tt.splat %109 : f32 -> tensor<64xf32>
      %212 = arith.subf %211, %107 : tensor<64xf32>
      %213 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %212 : tensor<64xf32> -> tensor<64xf32>
      %214 = tt.expand_dims %213 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %215 = tt.broadcast %214 : tensor<64x1xf32> -> tensor<64x64xf32>
      %216 = arith.mulf %193, %215 : tensor<64x64xf32>
      %217 = arith.mulf %151, %216 : tensor<64x64xf32>
      %221 = "tt.reduce"(%217) <{axis = 1 : i32}> ({
      ^bb0(%218: f32, %219: f32):
        %220 = arith.addf %218, %219 : f32
        tt.reduce.return %220 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %222 = arith.mulf %221, %117 : tensor<64xf32>
      %223 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %224 = tt.expand_dims %223 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %225 = tt.expand_dims %223 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %226 = tt.expand_dims %107 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %227 = tt.expand_dims %107 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %228 = tt.broadcast %224 : tensor<64x1xi32> -> tensor<64x64xi32>
      %229 = tt.broadcast %225 : tensor<1x64xi32> -> tensor<64x64xi32>
      %230 = arith.cmpi sle, %228, %229 : tensor<64x64xi32>
      %231 = tt.broadcast %227 : tensor<1x64xf32> -> tensor<64x64xf32>
      %232 = tt.broadcast %226 : tensor<64x1xf32> -> tensor<64x64xf32>
      %233 = arith.subf %231, %232 : tensor<64x64xf32>
      %235 = tt.splat %234 : f32 -> tensor<64x64xf32>
      %236 = arith.select %230, %233, %235 : tensor<64x64xi1>, tensor<64x64xf32>
      %237 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %236 : tensor<64x64xf32> -> tensor<64x64xf32>
      %238 = arith.mulf %87, %237 : tensor<64x64xf32>
      %239 = arith.truncf %238 : tensor<64x64xf32> to tensor<64x64xbf16>
      %240 = tt.dot %239, %150, %216, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %241 = tt.expand_dims %117 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %242 = tt.broadcast %241 : tensor<64x1xf32> -> tensor<64x64xf32>
      %243 = arith.mulf %240, %242 : tensor<64x64xf32>
      %244 = arith.muli %17, %118 : i32
      %245 = tt.addptr %41, %244 : !tt.ptr<bf16>, i32
      %246 = arith.muli %96, %16 : i32
      %247 = tt.addptr %245, %246 : !tt.ptr<bf16>, i32
      %248 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %249 = tt.expand_dims %248 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %250 = tt.splat %118 : i32 -> tensor<64x1xi32>
      %251 = arith.muli %249, %250 : tensor<64x1xi32>
      %252 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %253 = tt.expand_dims %252 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %254 = tt.broadcast %251 : tensor<64x1xi32> -> tensor<64x64xi32>
      %255 = tt.broadcast %253 : tensor<1x64xi32> -> tensor<64x64xi32>
      %256 = arith.addi %254, %255 : tensor<64x64xi32>
      %257 = tt.splat %247 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %258 = tt.addptr %257, %256 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %259 = arith.truncf %243 : tensor<64x64xf32> to tensor<64x64xbf16>
      tt.store %258, %259 : tensor<64x64x!tt.ptr<bf16>>
      %260 = arith.mulf %151, %240 : tensor<64x64xf32>
      %264 = "tt.reduce"(%260) <{axis = 1 : i32}> ({
      ^bb0(%261: f32, %262: f32):
        %263 = arith.addf %261, %262 : f32
        tt.reduce.return %263 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %265 = tt.trans %150 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %266 = tt.dot %134, %265, %85, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %267 = arith.mulf %266, %237 : tensor<64x64xf32>
      %268 = tt.expand_dims %117 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %269 = tt.broadcast %268 : tensor<64x1xf32> -> tensor<64x64xf32>
      %270 = arith.mulf %267, %269 : tensor<64x64xf32>
      %271 = arith.mulf %270, %87 : tensor<64x64xf32>
      %272 = arith.truncf %271 : tensor<64x64xf32> to tensor<64x64xbf16>
      %273 = tt.dot %272, %95, %85, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %274 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %275 = tt.expand_dims %274 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %276 = tt.expand_dims %274 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %277 = tt.broadcast %275 : tensor<64x1xi32> -> tensor<64x64xi32>
      %278 = tt.broadcast %276 : tensor<1x64xi32> -> tensor<64x64xi32>
      %279 = arith.cmpi slt, %277, %278 : tensor<64x64xi32>
      %280 = tt.expand_dims %222 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %281 = tt.broadcast %280 : tensor<64x1xf32> -> tensor<64x64xf32>
      %282 = arith.addf %273, %281 : tensor<64x64xf32>
      %283 = tt.expand_dims %210 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %284 = tt.broadcast %283 : tensor<64x1xf32> -> tensor<64x64xf32>
      %285 = arith.select %279, %282, %284 : tensor<64x64xi1>, tensor<64x64xf32>
      %289 = "tt.reduce"(%285) <{axis = 0 : i32}> ({
      ^bb0(%286: f32, %287: f32):
        %288 = arith.addf %286, %287 : f32
        tt.reduce.return %288 : f32
      }) : (tensor<64x64xf32>) -> (tensor<64xf32>)
      %290 = math.exp2 %109 : f32
      %291 = arith.mulf %203, %290 : f32
      %292 = tt.splat %291 : f32 -> tensor<64xf32>
      %293 = arith.addf %289, %292 : tensor<64xf32>
      %294 = tt.addptr %rates, %96 : !tt.ptr<f32>, i32
      %295 = tt.load %294 : !tt.ptr<f32>
      %296 = tt.splat %295 : f32 -> tensor<64xf32>
      %297 = arith.mulf %293, %296 : tensor<64xf32>
      %298 = arith.addf %264, %297 : tensor<64xf32>
      %299 = tt.splat %24 : i32 -> tensor<64xi32>
      %300 = arith.muli %20, %299 : tensor<64xi32>
      %301 = tt.splat %96 : i32 -> tensor<64xi32>
      %302 = arith.addi %300, %301 : tensor<64xi32>
      %303 = tt.splat %44 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %304 = tt.addptr %303, %302 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      tt.store %304, %298 : tensor<64x!tt.ptr<f32>>
      %306 = arith.muli %14, %305 : i64
      %307 = tt.addptr %drates, %306 : !tt.ptr<f32>, i64
      %308 = arith.muli %15, %24 : i32
      %309 = arith.addi %308, %96 : i32
      %310 = tt.addptr %307, %309 : !tt.ptr<f32>, i32
      %311 = arith.mulf %293, %117 : tensor<64xf32>
      %315 = "tt.reduce"(%311) <{axis = 0 : i32}> ({
      ^bb0(%312: f32, %313: f32):
        %314 = arith.addf %312, %313 : f32
        tt.reduce.return %314 : f32
      }) : (tensor<64xf32>) -> (f32)
      tt.store %310, %315 : !tt.ptr<f32>
      %316 = arith.addf %97, %270 : tensor<64x64xf32>
      scf.yield %316 : tensor<64x64xf32>
    }
    %318 = arith.extsi %26 : i32 to i64
    %320 = arith.muli %318, %319 : i64
    %321 = arith.addi %320, %14 : i64
    %322 = arith.muli %321, %98 : i64
    %323 = arith.extsi %15 : i32 to i64
    %324 = arith.addi %322, %323 : i64
    %326 = arith.muli %324, %325 : i64
    %327 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %328 = arith.extsi %25 : i32 to i64
    %329 = arith.addi %326, %328 : i64
    %331 = arith.muli %329, %330 : i64
    %332 = tt.addptr %dscores, %331 : !tt.ptr<bf16>, i64
    %333 = tt.expand_dims %327 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %334 = tt.splat %16 : i32 -> tensor<64x1xi32>
    %335 = arith.muli %333, %334 : tensor<64x1xi32>
    %336 = tt.expand_dims %327 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %337 = tt.broadcast %335 : tensor<64x1xi32> -> tensor<64x64xi32>
    %338 = tt.broadcast %336 : tensor<1x64xi32> -> tensor<64x64xi32>
    %339 = arith.addi %337, %338 : tensor<64x64xi32>
    %340 = tt.splat %332 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %341 = tt.addptr %340, %339 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %342 = arith.truncf %317 : tensor<64x64xf32> to tensor<64x64xbf16>
    tt.store %341, %342 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_gradient_b(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %widths: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dscores: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %other: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %result: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %10 = arith.constant 64 : i32
    %15 = arith.constant 63 : i32
    %18 = arith.constant 4 : i32
    %21 = arith.constant 1 : i32
    %29 = arith.constant 65536 : i64
    %32 = arith.constant 0 : i32
    %36 = arith.constant dense<0.0e0> : tensor<64x128xf32>
    %39 = arith.constant 4 : i64
    %43 = arith.constant 256 : i64
    %63 = arith.constant 256 : i32
    %85 = arith.constant 131072 : i64
    %90 = arith.constant 8192 : i32
    %108 = arith.constant 2 : i64
    %114 = arith.constant 1 : i64
    %119 = arith.constant 4096 : i64
    %132 = arith.constant 32768 : i64
    %140 = arith.constant 128 : i32
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
    %31 = tt.addptr %given, %30 : !tt.ptr<bf16>, i64
    %33 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %34 = tt.splat %32 : i32 -> tensor<128xi32>
    %35 = arith.addi %34, %33 : tensor<128xi32>
    %106 = scf.for %37 = %27 to %28 step %21 iter_args(%38 = %36) -> (tensor<64x128xf32>) : i32 {
      %40 = arith.muli %8, %39 : i64
      %41 = arith.extsi %37 : i32 to i64
      %42 = arith.addi %40, %41 : i64
      %44 = arith.muli %42, %43 : i64
      %45 = tt.addptr %sums, %44 : !tt.ptr<f32>, i64
      %46 = tt.splat %45 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %47 = tt.addptr %46, %14 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %48 = tt.load %47 : tensor<64x!tt.ptr<f32>>
      %49 = tt.addptr %45, %16 : !tt.ptr<f32>, i32
      %50 = tt.load %49 : !tt.ptr<f32>
      %51 = tt.splat %50 : f32 -> tensor<64xf32>
      %52 = arith.subf %51, %48 : tensor<64xf32>
      %53 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %52 : tensor<64xf32> -> tensor<64xf32>
      %54 = arith.muli %8, %39 : i64
      %55 = arith.extsi %37 : i32 to i64
      %56 = arith.addi %54, %55 : i64
      %57 = arith.muli %56, %43 : i64
      %58 = tt.addptr %widths, %57 : !tt.ptr<f32>, i64
      %59 = tt.splat %58 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %60 = tt.addptr %59, %14 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %61 = tt.load %60 : tensor<64x!tt.ptr<f32>>
      %62 = arith.mulf %53, %61 : tensor<64xf32>
      %64 = arith.muli %11, %63 : i32
      %65 = tt.addptr %31, %64 : !tt.ptr<bf16>, i32
      %66 = arith.muli %37, %10 : i32
      %67 = tt.addptr %65, %66 : !tt.ptr<bf16>, i32
      %68 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %69 = tt.expand_dims %68 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %70 = tt.splat %63 : i32 -> tensor<64x1xi32>
      %71 = arith.muli %69, %70 : tensor<64x1xi32>
      %72 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %73 = tt.expand_dims %72 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %74 = tt.broadcast %71 : tensor<64x1xi32> -> tensor<64x64xi32>
      %75 = tt.broadcast %73 : tensor<1x64xi32> -> tensor<64x64xi32>
      %76 = arith.addi %74, %75 : tensor<64x64xi32>
      %77 = tt.splat %67 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %78 = tt.addptr %77, %76 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %79 = tt.load %78 : tensor<64x64x!tt.ptr<bf16>>
      %80 = arith.extf %79 : tensor<64x64xbf16> to tensor<64x64xf32>
      %81 = tt.expand_dims %62 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %82 = tt.broadcast %81 : tensor<64x1xf32> -> tensor<64x64xf32>
      %83 = arith.mulf %80, %82 : tensor<64x64xf32>
      %84 = arith.truncf %83 : tensor<64x64xf32> to tensor<64x64xbf16>
      %86 = arith.muli %8, %85 : i64
      %87 = tt.addptr %states, %86 : !tt.ptr<bf16>, i64
      %88 = arith.muli %9, %18 : i32
      %89 = arith.addi %88, %37 : i32
      %91 = arith.muli %89, %90 : i32
      %92 = tt.expand_dims %35 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %93 = tt.splat %10 : i32 -> tensor<128x1xi32>
      %94 = arith.muli %92, %93 : tensor<128x1xi32>
      %95 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %96 = tt.expand_dims %95 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %97 = tt.broadcast %94 : tensor<128x1xi32> -> tensor<128x64xi32>
      %98 = tt.broadcast %96 : tensor<1x64xi32> -> tensor<128x64xi32>
      %99 = arith.addi %97, %98 : tensor<128x64xi32>
      %100 = tt.addptr %87, %91 : !tt.ptr<bf16>, i32
      %101 = tt.splat %100 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %102 = tt.addptr %101, %99 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %103 = tt.load %102 : tensor<128x64x!tt.ptr<bf16>>
      %104 = tt.trans %103 {order = array<i32: 1, 0>} : tensor<128x64xbf16> -> tensor<64x128xbf16>
      %105 = tt.dot %84, %104, %38, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
      scf.yield %105 : tensor<64x128xf32>
    }
    %107 = arith.extsi %20 : i32 to i64
    %109 = arith.muli %107, %108 : i64
    %110 = arith.addi %109, %8 : i64
    %111 = arith.muli %110, %39 : i64
    %112 = arith.extsi %9 : i32 to i64
    %113 = arith.addi %111, %112 : i64
    %115 = arith.muli %113, %114 : i64
    %116 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %117 = arith.extsi %19 : i32 to i64
    %118 = arith.addi %115, %117 : i64
    %120 = arith.muli %118, %119 : i64
    %121 = tt.addptr %dscores, %120 : !tt.ptr<bf16>, i64
    %122 = tt.expand_dims %116 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %123 = tt.splat %10 : i32 -> tensor<64x1xi32>
    %124 = arith.muli %122, %123 : tensor<64x1xi32>
    %125 = tt.expand_dims %116 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %126 = tt.broadcast %124 : tensor<64x1xi32> -> tensor<64x64xi32>
    %127 = tt.broadcast %125 : tensor<1x64xi32> -> tensor<64x64xi32>
    %128 = arith.addi %126, %127 : tensor<64x64xi32>
    %129 = tt.splat %121 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %130 = tt.addptr %129, %128 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %131 = tt.load %130 : tensor<64x64x!tt.ptr<bf16>>
    %133 = arith.muli %8, %132 : i64
    %134 = tt.addptr %other, %133 : !tt.ptr<bf16>, i64
    %135 = arith.extsi %20 : i32 to i64
    %136 = arith.muli %135, %29 : i64
    %137 = tt.addptr %result, %136 : !tt.ptr<f32>, i64
    %138 = arith.muli %8, %132 : i64
    %139 = tt.addptr %137, %138 : !tt.ptr<f32>, i64
    %141 = arith.muli %11, %140 : i32
    %142 = tt.addptr %134, %141 : !tt.ptr<bf16>, i32
    %143 = arith.muli %19, %140 : i32
    %144 = tt.addptr %142, %143 : !tt.ptr<bf16>, i32
    %145 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %146 = tt.expand_dims %145 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %147 = tt.splat %140 : i32 -> tensor<64x1xi32>
    %148 = arith.muli %146, %147 : tensor<64x1xi32>
    %149 = tt.expand_dims %35 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %150 = tt.broadcast %148 : tensor<64x1xi32> -> tensor<64x128xi32>
    %151 = tt.broadcast %149 : tensor<1x128xi32> -> tensor<64x128xi32>
    %152 = arith.addi %150, %151 : tensor<64x128xi32>
    %153 = tt.splat %144 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
    %154 = tt.addptr %153, %152 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %155 = tt.load %154 : tensor<64x128x!tt.ptr<bf16>>
    %156 = tt.dot %131, %155, %106, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
    %157 = arith.muli %11, %140 : i32
    %158 = tt.addptr %139, %157 : !tt.ptr<f32>, i32
    %159 = arith.muli %19, %140 : i32
    %160 = tt.addptr %158, %159 : !tt.ptr<f32>, i32
    %161 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %162 = tt.expand_dims %161 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %163 = tt.splat %140 : i32 -> tensor<64x1xi32>
    %164 = arith.muli %162, %163 : tensor<64x1xi32>
    %165 = tt.expand_dims %35 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %166 = tt.broadcast %164 : tensor<64x1xi32> -> tensor<64x128xi32>
    %167 = tt.broadcast %165 : tensor<1x128xi32> -> tensor<64x128xi32>
    %168 = arith.addi %166, %167 : tensor<64x128xi32>
    %169 = tt.splat %160 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %170 = tt.addptr %169, %168 : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %170, %156 : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @dual_scan_gradient_c(%given: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %states: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dscores: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %other: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %result: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %9 = arith.constant 64 : i32
    %14 = arith.constant 63 : i32
    %17 = arith.constant 4 : i32
    %20 = arith.constant 1 : i32
    %28 = arith.constant 65536 : i64
    %31 = arith.constant 0 : i32
    %35 = arith.constant dense<0.0e0> : tensor<64x128xf32>
    %38 = arith.constant 4 : i64
    %42 = arith.constant 256 : i64
    %49 = arith.constant 256 : i32
    %71 = arith.constant 131072 : i64
    %76 = arith.constant 8192 : i32
    %94 = arith.constant 2 : i64
    %100 = arith.constant 1 : i64
    %105 = arith.constant 4096 : i64
    %119 = arith.constant 32768 : i64
    %127 = arith.constant 128 : i32
    %6 = tt.get_program_id z : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = tt.get_program_id x : i32
    %10 = arith.muli %8, %9 : i32
    %11 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %12 = tt.splat %10 : i32 -> tensor<64xi32>
    %13 = arith.addi %12, %11 : tensor<64xi32>
    %15 = arith.addi %10, %14 : i32
    %16 = tt.get_program_id y : i32
    %18 = arith.divsi %16, %17 : i32
    %19 = arith.remsi %16, %17 : i32
    %21 = arith.muli %19, %20 : i32
    %22 = arith.muli %19, %20 : i32
    %23 = arith.addi %22, %20 : i32
    %24 = arith.minsi %23, %17 : i32
    %25 = arith.muli %18, %17 : i32
    %26 = arith.addi %25, %21 : i32
    %27 = arith.addi %25, %24 : i32
    %29 = arith.muli %7, %28 : i64
    %30 = tt.addptr %given, %29 : !tt.ptr<bf16>, i64
    %32 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %33 = tt.splat %31 : i32 -> tensor<128xi32>
    %34 = arith.addi %33, %32 : tensor<128xi32>
    %92 = scf.for %36 = %26 to %27 step %20 iter_args(%37 = %35) -> (tensor<64x128xf32>) : i32 {
      %39 = arith.muli %7, %38 : i64
      %40 = arith.extsi %36 : i32 to i64
      %41 = arith.addi %39, %40 : i64
      %43 = arith.muli %41, %42 : i64
      %44 = tt.addptr %sums, %43 : !tt.ptr<f32>, i64
      %45 = tt.splat %44 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %46 = tt.addptr %45, %13 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %47 = tt.load %46 : tensor<64x!tt.ptr<f32>>
      %48 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %47 : tensor<64xf32> -> tensor<64xf32>
      %50 = arith.muli %10, %49 : i32
      %51 = tt.addptr %30, %50 : !tt.ptr<bf16>, i32
      %52 = arith.muli %36, %9 : i32
      %53 = tt.addptr %51, %52 : !tt.ptr<bf16>, i32
      %54 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %55 = tt.expand_dims %54 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %56 = tt.splat %49 : i32 -> tensor<64x1xi32>
      %57 = arith.muli %55, %56 : tensor<64x1xi32>
      %58 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %59 = tt.expand_dims %58 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %60 = tt.broadcast %57 : tensor<64x1xi32> -> tensor<64x64xi32>
      %61 = tt.broadcast %59 : tensor<1x64xi32> -> tensor<64x64xi32>
      %62 = arith.addi %60, %61 : tensor<64x64xi32>
      %63 = tt.splat %53 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %64 = tt.addptr %63, %62 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %65 = tt.load %64 : tensor<64x64x!tt.ptr<bf16>>
      %66 = arith.extf %65 : tensor<64x64xbf16> to tensor<64x64xf32>
      %67 = tt.expand_dims %48 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %68 = tt.broadcast %67 : tensor<64x1xf32> -> tensor<64x64xf32>
      %69 = arith.mulf %66, %68 : tensor<64x64xf32>
      %70 = arith.truncf %69 : tensor<64x64xf32> to tensor<64x64xbf16>
      %72 = arith.muli %7, %71 : i64
      %73 = tt.addptr %states, %72 : !tt.ptr<bf16>, i64
      %74 = arith.muli %8, %17 : i32
      %75 = arith.addi %74, %36 : i32
      %77 = arith.muli %75, %76 : i32
      %78 = tt.expand_dims %34 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %79 = tt.splat %9 : i32 -> tensor<128x1xi32>
      %80 = arith.muli %78, %79 : tensor<128x1xi32>
      %81 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %82 = tt.expand_dims %81 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %83 = tt.broadcast %80 : tensor<128x1xi32> -> tensor<128x64xi32>
      %84 = tt.broadcast %82 : tensor<1x64xi32> -> tensor<128x64xi32>
      %85 = arith.addi %83, %84 : tensor<128x64xi32>
      %86 = tt.addptr %73, %77 : !tt.ptr<bf16>, i32
      %87 = tt.splat %86 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
      %88 = tt.addptr %87, %85 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %89 = tt.load %88 : tensor<128x64x!tt.ptr<bf16>>
      %90 = tt.trans %89 {order = array<i32: 1, 0>} : tensor<128x64xbf16> -> tensor<64x128xbf16>
      %91 = tt.dot %70, %90, %37, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
      scf.yield %91 : tensor<64x128xf32>
    }
    %93 = arith.extsi %19 : i32 to i64
    %95 = arith.muli %93, %94 : i64
    %96 = arith.addi %95, %7 : i64
    %97 = arith.muli %96, %38 : i64
    %98 = arith.extsi %8 : i32 to i64
    %99 = arith.addi %97, %98 : i64
    %101 = arith.muli %99, %100 : i64
    %102 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %103 = arith.extsi %18 : i32 to i64
    %104 = arith.addi %101, %103 : i64
    %106 = arith.muli %104, %105 : i64
    %107 = tt.addptr %dscores, %106 : !tt.ptr<bf16>, i64
    %108 = tt.expand_dims %102 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %109 = tt.splat %9 : i32 -> tensor<64x1xi32>
    %110 = arith.muli %108, %109 : tensor<64x1xi32>
    %111 = tt.expand_dims %102 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %112 = tt.broadcast %110 : tensor<64x1xi32> -> tensor<64x64xi32>
    %113 = tt.broadcast %111 : tensor<1x64xi32> -> tensor<64x64xi32>
    %114 = arith.addi %112, %113 : tensor<64x64xi32>
    %115 = tt.splat %107 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %116 = tt.addptr %115, %114 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %117 = tt.load %116 : tensor<64x64x!tt.ptr<bf16>>
    %118 = tt.trans %117 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
    %120 = arith.muli %7, %119 : i64
    %121 = tt.addptr %other, %120 : !tt.ptr<bf16>, i64
    %122 = arith.extsi %19 : i32 to i64
    %123 = arith.muli %122, %28 : i64
    %124 = tt.addptr %result, %123 : !tt.ptr<f32>, i64
    %125 = arith.muli %7, %119 : i64
    %126 = tt.addptr %124, %125 : !tt.ptr<f32>, i64
    %128 = arith.muli %10, %127 : i32
    %129 = tt.addptr %121, %128 : !tt.ptr<bf16>, i32
    %130 = arith.muli %18, %127 : i32
    %131 = tt.addptr %129, %130 : !tt.ptr<bf16>, i32
    %132 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %133 = tt.expand_dims %132 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %134 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %135 = arith.muli %133, %134 : tensor<64x1xi32>
    %136 = tt.expand_dims %34 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %137 = tt.broadcast %135 : tensor<64x1xi32> -> tensor<64x128xi32>
    %138 = tt.broadcast %136 : tensor<1x128xi32> -> tensor<64x128xi32>
    %139 = arith.addi %137, %138 : tensor<64x128xi32>
    %140 = tt.splat %131 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
    %141 = tt.addptr %140, %139 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %142 = tt.load %141 : tensor<64x128x!tt.ptr<bf16>>
    %143 = tt.dot %118, %142, %92, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
    %144 = arith.muli %10, %127 : i32
    %145 = tt.addptr %126, %144 : !tt.ptr<f32>, i32
    %146 = arith.muli %18, %127 : i32
    %147 = tt.addptr %145, %146 : !tt.ptr<f32>, i32
    %148 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %149 = tt.expand_dims %148 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %150 = tt.splat %127 : i32 -> tensor<64x1xi32>
    %151 = arith.muli %149, %150 : tensor<64x1xi32>
    %152 = tt.expand_dims %34 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %153 = tt.broadcast %151 : tensor<64x1xi32> -> tensor<64x128xi32>
    %154 = tt.broadcast %152 : tensor<1x128xi32> -> tensor<64x128xi32>
    %155 = arith.addi %153, %154 : tensor<64x128xi32>
    %156 = tt.splat %147 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %157 = tt.addptr %156, %155 : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %157, %143 : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
