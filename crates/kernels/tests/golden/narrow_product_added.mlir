module {
  tt.func public @narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %others: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 512 : i32
    %8 = arith.constant 300 : i32
    %11 = arith.constant 7 : i32
    %12 = arith.constant 16 : i32
    %14 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %15 = arith.constant 0 : i32
    %16 = arith.constant 1 : i32
    %17 = arith.constant 256 : i32
    %37 = arith.constant 300 : i64
    %83 = arith.constant 0.0e0 : bf16
    %110 = arith.constant 7 : i64
    %4 = tt.get_program_id y : i32
    %6 = arith.muli %4, %5 : i32
    %7 = arith.addi %6, %5 : i32
    %9 = arith.minsi %7, %8 : i32
    %10 = tt.get_program_id x : i32
    %13 = arith.muli %10, %12 : i32
    %89 = scf.for %18 = %6 to %9 step %17 iter_args(%19 = %14) -> (tensor<16x16xf32>) : i32 {
      %20 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %21 = tt.splat %18 : i32 -> tensor<256xi32>
      %22 = arith.addi %21, %20 : tensor<256xi32>
      %23 = tt.splat %8 : i32 -> tensor<256xi32>
      %24 = arith.cmpi slt, %22, %23 : tensor<256xi32>
      %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<256xi1> -> tensor<256x1xi1>
      %26 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %27 = tt.splat %15 : i32 -> tensor<16xi32>
      %28 = arith.addi %27, %26 : tensor<16xi32>
      %29 = tt.splat %16 : i32 -> tensor<16xi32>
      %30 = arith.cmpi slt, %28, %29 : tensor<16xi32>
      %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
      %32 = tt.broadcast %25 : tensor<256x1xi1> -> tensor<256x16xi1>
      %33 = tt.broadcast %31 : tensor<1x16xi1> -> tensor<256x16xi1>
      %34 = arith.andi %32, %33 : tensor<256x16xi1>
      %35 = arith.extsi %18 : i32 to i64
      %36 = arith.extsi %15 : i32 to i64
      %38 = arith.muli %36, %37 : i64
      %39 = arith.addi %35, %38 : i64
      %40 = tt.addptr %x, %39 : !tt.ptr<bf16>, i64
      %41 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %42 = tt.expand_dims %41 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
      %43 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %44 = tt.splat %8 : i32 -> tensor<16xi32>
      %45 = arith.muli %43, %44 : tensor<16xi32>
      %46 = tt.expand_dims %45 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %47 = tt.broadcast %42 : tensor<256x1xi32> -> tensor<256x16xi32>
      %48 = tt.broadcast %46 : tensor<1x16xi32> -> tensor<256x16xi32>
      %49 = arith.addi %47, %48 : tensor<256x16xi32>
      %50 = tt.splat %40 : !tt.ptr<bf16> -> tensor<256x16x!tt.ptr<bf16>>
      %51 = tt.addptr %50, %49 : tensor<256x16x!tt.ptr<bf16>>, tensor<256x16xi32>
      %52 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %53 = tt.splat %13 : i32 -> tensor<16xi32>
      %54 = arith.addi %53, %52 : tensor<16xi32>
      %55 = tt.splat %11 : i32 -> tensor<16xi32>
      %56 = arith.cmpi slt, %54, %55 : tensor<16xi32>
      %57 = tt.expand_dims %56 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %58 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %59 = tt.splat %18 : i32 -> tensor<256xi32>
      %60 = arith.addi %59, %58 : tensor<256xi32>
      %61 = tt.splat %8 : i32 -> tensor<256xi32>
      %62 = arith.cmpi slt, %60, %61 : tensor<256xi32>
      %63 = tt.expand_dims %62 {axis = 0 : i32} : tensor<256xi1> -> tensor<1x256xi1>
      %64 = tt.broadcast %57 : tensor<16x1xi1> -> tensor<16x256xi1>
      %65 = tt.broadcast %63 : tensor<1x256xi1> -> tensor<16x256xi1>
      %66 = arith.andi %64, %65 : tensor<16x256xi1>
      %67 = arith.extsi %13 : i32 to i64
      %68 = arith.muli %67, %37 : i64
      %69 = arith.extsi %18 : i32 to i64
      %70 = arith.addi %68, %69 : i64
      %71 = tt.addptr %weight, %70 : !tt.ptr<bf16>, i64
      %72 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %73 = tt.splat %8 : i32 -> tensor<16xi32>
      %74 = arith.muli %72, %73 : tensor<16xi32>
      %75 = tt.expand_dims %74 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %76 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %77 = tt.expand_dims %76 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %78 = tt.broadcast %75 : tensor<16x1xi32> -> tensor<16x256xi32>
      %79 = tt.broadcast %77 : tensor<1x256xi32> -> tensor<16x256xi32>
      %80 = arith.addi %78, %79 : tensor<16x256xi32>
      %81 = tt.splat %71 : !tt.ptr<bf16> -> tensor<16x256x!tt.ptr<bf16>>
      %82 = tt.addptr %81, %80 : tensor<16x256x!tt.ptr<bf16>>, tensor<16x256xi32>
      %84 = tt.splat %83 : bf16 -> tensor<16x256xbf16>
      %85 = tt.load %82, %66, %84 : tensor<16x256x!tt.ptr<bf16>>
      %86 = tt.splat %83 : bf16 -> tensor<256x16xbf16>
      %87 = tt.load %51, %34, %86 : tensor<256x16x!tt.ptr<bf16>>
      %88 = tt.dot %85, %87, %19, inputPrecision = tf32 : tensor<16x256xbf16> * tensor<256x16xbf16> -> tensor<16x16xf32>
      scf.yield %88 : tensor<16x16xf32>
    }
    %90 = tt.get_program_id x : i32
    %91 = arith.subi %90, %15 : i32
    %92 = arith.muli %91, %12 : i32
    %93 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %94 = tt.splat %92 : i32 -> tensor<16xi32>
    %95 = arith.addi %94, %93 : tensor<16xi32>
    %96 = tt.splat %11 : i32 -> tensor<16xi32>
    %97 = arith.cmpi slt, %95, %96 : tensor<16xi32>
    %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %99 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %100 = tt.splat %15 : i32 -> tensor<16xi32>
    %101 = arith.addi %100, %99 : tensor<16xi32>
    %102 = tt.splat %16 : i32 -> tensor<16xi32>
    %103 = arith.cmpi slt, %101, %102 : tensor<16xi32>
    %104 = tt.expand_dims %103 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %105 = tt.broadcast %98 : tensor<16x1xi1> -> tensor<16x16xi1>
    %106 = tt.broadcast %104 : tensor<1x16xi1> -> tensor<16x16xi1>
    %107 = arith.andi %105, %106 : tensor<16x16xi1>
    %108 = arith.extsi %92 : i32 to i64
    %109 = arith.extsi %15 : i32 to i64
    %111 = arith.muli %109, %110 : i64
    %112 = arith.addi %108, %111 : i64
    %113 = tt.addptr %others, %112 : !tt.ptr<bf16>, i64
    %114 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %115 = tt.expand_dims %114 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %116 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %117 = tt.splat %11 : i32 -> tensor<16xi32>
    %118 = arith.muli %116, %117 : tensor<16xi32>
    %119 = tt.expand_dims %118 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %120 = tt.broadcast %115 : tensor<16x1xi32> -> tensor<16x16xi32>
    %121 = tt.broadcast %119 : tensor<1x16xi32> -> tensor<16x16xi32>
    %122 = arith.addi %120, %121 : tensor<16x16xi32>
    %123 = tt.splat %113 : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %124 = tt.addptr %123, %122 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi32>
    %125 = tt.splat %83 : bf16 -> tensor<16x16xbf16>
    %126 = tt.load %124, %107, %125 : tensor<16x16x!tt.ptr<bf16>>
    %127 = arith.extf %126 : tensor<16x16xbf16> to tensor<16x16xf32>
    %128 = arith.addf %127, %89 : tensor<16x16xf32>
    %129 = arith.extsi %4 : i32 to i64
    %130 = arith.muli %129, %110 : i64
    %131 = tt.addptr %y, %130 : !tt.ptr<bf16>, i64
    %132 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %133 = tt.splat %92 : i32 -> tensor<16xi32>
    %134 = arith.addi %133, %132 : tensor<16xi32>
    %135 = tt.splat %11 : i32 -> tensor<16xi32>
    %136 = arith.cmpi slt, %134, %135 : tensor<16xi32>
    %137 = tt.expand_dims %136 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %138 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %139 = tt.splat %15 : i32 -> tensor<16xi32>
    %140 = arith.addi %139, %138 : tensor<16xi32>
    %141 = tt.splat %16 : i32 -> tensor<16xi32>
    %142 = arith.cmpi slt, %140, %141 : tensor<16xi32>
    %143 = tt.expand_dims %142 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %144 = tt.broadcast %137 : tensor<16x1xi1> -> tensor<16x16xi1>
    %145 = tt.broadcast %143 : tensor<1x16xi1> -> tensor<16x16xi1>
    %146 = arith.andi %144, %145 : tensor<16x16xi1>
    %147 = arith.extsi %92 : i32 to i64
    %148 = arith.extsi %15 : i32 to i64
    %149 = arith.muli %148, %110 : i64
    %150 = arith.addi %147, %149 : i64
    %151 = tt.addptr %131, %150 : !tt.ptr<bf16>, i64
    %152 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %153 = tt.expand_dims %152 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %154 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %155 = tt.splat %11 : i32 -> tensor<16xi32>
    %156 = arith.muli %154, %155 : tensor<16xi32>
    %157 = tt.expand_dims %156 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %158 = tt.broadcast %153 : tensor<16x1xi32> -> tensor<16x16xi32>
    %159 = tt.broadcast %157 : tensor<1x16xi32> -> tensor<16x16xi32>
    %160 = arith.addi %158, %159 : tensor<16x16xi32>
    %161 = tt.splat %151 : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %162 = tt.addptr %161, %160 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi32>
    %163 = arith.truncf %128 : tensor<16x16xf32> to tensor<16x16xbf16>
    tt.store %162, %163, %146 : tensor<16x16x!tt.ptr<bf16>>
    tt.return
  }
}
