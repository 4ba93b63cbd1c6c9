module {
  tt.func public @narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %others: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 512 : i32
    %8 = arith.constant 300 : i32
    %11 = arith.constant 0 : i32
    %13 = arith.constant 16 : i32
    %15 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %16 = arith.constant 1 : i32
    %17 = arith.constant 256 : i32
    %37 = arith.constant 300 : i64
    %52 = arith.constant 7 : i32
    %84 = arith.constant 0.0e0 : bf16
    %108 = arith.constant 7 : i64
    %4 = tt.get_program_id y : i32
    %6 = arith.muli %4, %5 : i32
    %7 = arith.addi %6, %5 : i32
    %9 = arith.minsi %7, %8 : i32
    %10 = tt.get_program_id x : i32
    %12 = arith.subi %10, %11 : i32
    %14 = arith.muli %12, %13 : i32
    %90 = scf.for %18 = %6 to %9 step %17 iter_args(%19 = %15) -> (tensor<16x16xf32>) : i32 {
      %20 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %21 = tt.splat %18 : i32 -> tensor<256xi32>
      %22 = arith.addi %21, %20 : tensor<256xi32>
      %23 = tt.splat %8 : i32 -> tensor<256xi32>
      %24 = arith.cmpi slt, %22, %23 : tensor<256xi32>
      %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<256xi1> -> tensor<256x1xi1>
      %26 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %27 = tt.splat %11 : i32 -> tensor<16xi32>
      %28 = arith.addi %27, %26 : tensor<16xi32>
      %29 = tt.splat %16 : i32 -> tensor<16xi32>
      %30 = arith.cmpi slt, %28, %29 : tensor<16xi32>
      %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
      %32 = tt.broadcast %25 : tensor<256x1xi1> -> tensor<256x16xi1>
      %33 = tt.broadcast %31 : tensor<1x16xi1> -> tensor<256x16xi1>
      %34 = arith.andi %32, %33 : tensor<256x16xi1>
      %35 = arith.extsi %18 : i32 to i64
      %36 = arith.extsi %11 : i32 to i64
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
      %53 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %54 = tt.splat %14 : i32 -> tensor<16xi32>
      %55 = arith.addi %54, %53 : tensor<16xi32>
      %56 = tt.splat %52 : i32 -> tensor<16xi32>
      %57 = arith.cmpi slt, %55, %56 : tensor<16xi32>
      %58 = tt.expand_dims %57 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %59 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %60 = tt.splat %18 : i32 -> tensor<256xi32>
      %61 = arith.addi %60, %59 : tensor<256xi32>
      %62 = tt.splat %8 : i32 -> tensor<256xi32>
      %63 = arith.cmpi slt, %61, %62 : tensor<256xi32>
      %64 = tt.expand_dims %63 {axis = 0 : i32} : tensor<256xi1> -> tensor<1x256xi1>
      %65 = tt.broadcast %58 : tensor<16x1xi1> -> tensor<16x256xi1>
      %66 = tt.broadcast %64 : tensor<1x256xi1> -> tensor<16x256xi1>
      %67 = arith.andi %65, %66 : tensor<16x256xi1>
      %68 = arith.extsi %14 : i32 to i64
      %69 = arith.muli %68, %37 : i64
      %70 = arith.extsi %18 : i32 to i64
      %71 = arith.addi %69, %70 : i64
      %72 = tt.addptr %weight, %71 : !tt.ptr<bf16>, i64
      %73 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %74 = tt.splat %8 : i32 -> tensor<16xi32>
      %75 = arith.muli %73, %74 : tensor<16xi32>
      %76 = tt.expand_dims %75 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %77 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %78 = tt.expand_dims %77 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
      %79 = tt.broadcast %76 : tensor<16x1xi32> -> tensor<16x256xi32>
      %80 = tt.broadcast %78 : tensor<1x256xi32> -> tensor<16x256xi32>
      %81 = arith.addi %79, %80 : tensor<16x256xi32>
      %82 = tt.splat %72 : !tt.ptr<bf16> -> tensor<16x256x!tt.ptr<bf16>>
      %83 = tt.addptr %82, %81 : tensor<16x256x!tt.ptr<bf16>>, tensor<16x256xi32>
      %85 = tt.splat %84 : bf16 -> tensor<16x256xbf16>
      %86 = tt.load %83, %67, %85 : tensor<16x256x!tt.ptr<bf16>>
      %87 = tt.splat %84 : bf16 -> tensor<256x16xbf16>
      %88 = tt.load %51, %34, %87 : tensor<256x16x!tt.ptr<bf16>>
      %89 = tt.dot %86, %88, %19, inputPrecision = tf32 : tensor<16x256xbf16> * tensor<256x16xbf16> -> tensor<16x16xf32>
      scf.yield %89 : tensor<16x16xf32>
    }
    %91 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %92 = tt.splat %14 : i32 -> tensor<16xi32>
    %93 = arith.addi %92, %91 : tensor<16xi32>
    %94 = tt.splat %52 : i32 -> tensor<16xi32>
    %95 = arith.cmpi slt, %93, %94 : tensor<16xi32>
    %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %97 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %98 = tt.splat %11 : i32 -> tensor<16xi32>
    %99 = arith.addi %98, %97 : tensor<16xi32>
    %100 = tt.splat %16 : i32 -> tensor<16xi32>
    %101 = arith.cmpi slt, %99, %100 : tensor<16xi32>
    %102 = tt.expand_dims %101 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %103 = tt.broadcast %96 : tensor<16x1xi1> -> tensor<16x16xi1>
    %104 = tt.broadcast %102 : tensor<1x16xi1> -> tensor<16x16xi1>
    %105 = arith.andi %103, %104 : tensor<16x16xi1>
    %106 = arith.extsi %14 : i32 to i64
    %107 = arith.extsi %11 : i32 to i64
    %109 = arith.muli %107, %108 : i64
    %110 = arith.addi %106, %109 : i64
    %111 = tt.addptr %others, %110 : !tt.ptr<bf16>, i64
    %112 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %113 = tt.expand_dims %112 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %114 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %115 = tt.splat %52 : i32 -> tensor<16xi32>
    %116 = arith.muli %114, %115 : tensor<16xi32>
    %117 = tt.expand_dims %116 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %118 = tt.broadcast %113 : tensor<16x1xi32> -> tensor<16x16xi32>
    %119 = tt.broadcast %117 : tensor<1x16xi32> -> tensor<16x16xi32>
    %120 = arith.addi %118, %119 : tensor<16x16xi32>
    %121 = tt.splat %111 : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %122 = tt.addptr %121, %120 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi32>
    %123 = tt.splat %84 : bf16 -> tensor<16x16xbf16>
    %124 = tt.load %122, %105, %123 : tensor<16x16x!tt.ptr<bf16>>
    %125 = arith.extf %124 : tensor<16x16xbf16> to tensor<16x16xf32>
    %126 = arith.addf %125, %90 : tensor<16x16xf32>
    %127 = arith.extsi %4 : i32 to i64
    %128 = arith.muli %127, %108 : i64
    %129 = tt.addptr %y, %128 : !tt.ptr<bf16>, i64
    %130 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %131 = tt.splat %14 : i32 -> tensor<16xi32>
    %132 = arith.addi %131, %130 : tensor<16xi32>
    %133 = tt.splat %52 : i32 -> tensor<16xi32>
    %134 = arith.cmpi slt, %132, %133 : tensor<16xi32>
    %135 = tt.expand_dims %134 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %136 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %137 = tt.splat %11 : i32 -> tensor<16xi32>
    %138 = arith.addi %137, %136 : tensor<16xi32>
    %139 = tt.splat %16 : i32 -> tensor<16xi32>
    %140 = arith.cmpi slt, %138, %139 : tensor<16xi32>
    %141 = tt.expand_dims %140 {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
    %142 = tt.broadcast %135 : tensor<16x1xi1> -> tensor<16x16xi1>
    %143 = tt.broadcast %141 : tensor<1x16xi1> -> tensor<16x16xi1>
    %144 = arith.andi %142, %143 : tensor<16x16xi1>
    %145 = arith.extsi %14 : i32 to i64
    %146 = arith.extsi %11 : i32 to i64
    %147 = arith.muli %146, %108 : i64
    %148 = arith.addi %145, %147 : i64
    %149 = tt.addptr %129, %148 : !tt.ptr<bf16>, i64
    %150 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %151 = tt.expand_dims %150 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %152 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %153 = tt.splat %52 : i32 -> tensor<16xi32>
    %154 = arith.muli %152, %153 : tensor<16xi32>
    %155 = tt.expand_dims %154 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %156 = tt.broadcast %151 : tensor<16x1xi32> -> tensor<16x16xi32>
    %157 = tt.broadcast %155 : tensor<1x16xi32> -> tensor<16x16xi32>
    %158 = arith.addi %156, %157 : tensor<16x16xi32>
    %159 = tt.splat %149 : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %160 = tt.addptr %159, %158 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi32>
    %161 = arith.truncf %126 : tensor<16x16xf32> to tensor<16x16xbf16>
    tt.store %160, %161, %144 : tensor<16x16x!tt.ptr<bf16>>
    tt.return
  }
}
