module {
  tt.func public @narrow_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 4096 : i32
    %11 = arith.constant 0 : i32
    %14 = arith.constant 128 : i32
    %19 = arith.constant 127 : i32
    %21 = arith.constant 64 : i32
    %23 = arith.constant dense<0.0e0> : tensor<64x16xf32>
    %28 = arith.constant 4096 : i64
    %64 = arith.constant 131072 : i64
    %69 = arith.constant 8192 : i64
    %76 = arith.constant 8192 : i32
    %90 = arith.constant 5 : i32
    %95 = arith.constant 4 : i32
    %116 = arith.constant 300 : i32
    %140 = arith.constant 0.0e0 : bf16
    %147 = arith.constant 4800 : i64
    %158 = arith.constant 300 : i64
    %5 = tt.get_program_id y : i32
    %7 = arith.muli %5, %6 : i32
    %8 = arith.addi %7, %6 : i32
    %9 = arith.minsi %8, %6 : i32
    %10 = tt.get_program_id x : i32
    %12 = arith.subi %10, %11 : i32
    %13 = arith.cmpi sge, %12, %11 : i32
    %15 = arith.cmpi slt, %12, %14 : i32
    %16 = arith.andi %13, %15 : i1
    %17 = arith.select %16, %9, %7 : i32
    %18 = arith.maxsi %12, %11 : i32
    %20 = arith.minsi %18, %19 : i32
    %22 = arith.muli %20, %21 : i32
    %62 = scf.for %24 = %7 to %17 step %14 iter_args(%25 = %23) -> (tensor<64x16xf32>) : i32 {
      %26 = arith.extsi %24 : i32 to i64
      %27 = arith.extsi %11 : i32 to i64
      %29 = arith.muli %27, %28 : i64
      %30 = arith.addi %26, %29 : i64
      %31 = tt.addptr %x, %30 : !tt.ptr<bf16>, i64
      %32 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %34 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %35 = tt.splat %6 : i32 -> tensor<16xi32>
      %36 = arith.muli %34, %35 : tensor<16xi32>
      %37 = tt.expand_dims %36 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %38 = tt.broadcast %33 : tensor<128x1xi32> -> tensor<128x16xi32>
      %39 = tt.broadcast %37 : tensor<1x16xi32> -> tensor<128x16xi32>
      %40 = arith.addi %38, %39 : tensor<128x16xi32>
      %41 = tt.splat %31 : !tt.ptr<bf16> -> tensor<128x16x!tt.ptr<bf16>>
      %42 = tt.addptr %41, %40 : tensor<128x16x!tt.ptr<bf16>>, tensor<128x16xi32>
      %43 = arith.extsi %22 : i32 to i64
      %44 = arith.muli %43, %28 : i64
      %45 = arith.extsi %24 : i32 to i64
      %46 = arith.addi %44, %45 : i64
      %47 = tt.addptr %weight, %46 : !tt.ptr<bf16>, i64
      %48 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %49 = tt.splat %6 : i32 -> tensor<64xi32>
      %50 = arith.muli %48, %49 : tensor<64xi32>
      %51 = tt.expand_dims %50 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %52 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %53 = tt.expand_dims %52 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %54 = tt.broadcast %51 : tensor<64x1xi32> -> tensor<64x128xi32>
      %55 = tt.broadcast %53 : tensor<1x128xi32> -> tensor<64x128xi32>
      %56 = arith.addi %54, %55 : tensor<64x128xi32>
      %57 = tt.splat %47 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %58 = tt.addptr %57, %56 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %59 = tt.load %58 : tensor<64x128x!tt.ptr<bf16>>
      %60 = tt.load %42 : tensor<128x16x!tt.ptr<bf16>>
      %61 = tt.dot %59, %60, %25, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x16xbf16> -> tensor<64x16xf32>
      scf.yield %61 : tensor<64x16xf32>
    }
    %63 = arith.extsi %5 : i32 to i64
    %65 = arith.muli %63, %64 : i64
    %66 = tt.addptr %y, %65 : !tt.ptr<bf16>, i64
    %67 = arith.extsi %22 : i32 to i64
    %68 = arith.extsi %11 : i32 to i64
    %70 = arith.muli %68, %69 : i64
    %71 = arith.addi %67, %70 : i64
    %72 = tt.addptr %66, %71 : !tt.ptr<bf16>, i64
    %73 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %74 = tt.expand_dims %73 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %75 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %77 = tt.splat %76 : i32 -> tensor<16xi32>
    %78 = arith.muli %75, %77 : tensor<16xi32>
    %79 = tt.expand_dims %78 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %80 = tt.broadcast %74 : tensor<64x1xi32> -> tensor<64x16xi32>
    %81 = tt.broadcast %79 : tensor<1x16xi32> -> tensor<64x16xi32>
    %82 = arith.addi %80, %81 : tensor<64x16xi32>
    %83 = tt.splat %72 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %84 = tt.addptr %83, %82 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %85 = tt.splat %16 : i1 -> tensor<64x16xi1>
    %86 = arith.truncf %62 : tensor<64x16xf32> to tensor<64x16xbf16>
    tt.store %84, %86, %85 : tensor<64x16x!tt.ptr<bf16>>
    %87 = tt.get_program_id x : i32
    %88 = arith.subi %87, %14 : i32
    %89 = arith.cmpi sge, %88, %11 : i32
    %91 = arith.cmpi slt, %88, %90 : i32
    %92 = arith.andi %89, %91 : i1
    %93 = arith.select %92, %9, %7 : i32
    %94 = arith.maxsi %88, %11 : i32
    %96 = arith.minsi %94, %95 : i32
    %97 = arith.muli %96, %21 : i32
    %145 = scf.for %98 = %7 to %93 step %14 iter_args(%99 = %23) -> (tensor<64x16xf32>) : i32 {
      %100 = arith.extsi %98 : i32 to i64
      %101 = arith.extsi %11 : i32 to i64
      %102 = arith.muli %101, %28 : i64
      %103 = arith.addi %100, %102 : i64
      %104 = tt.addptr %x, %103 : !tt.ptr<bf16>, i64
      %105 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %106 = tt.expand_dims %105 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %107 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %108 = tt.splat %6 : i32 -> tensor<16xi32>
      %109 = arith.muli %107, %108 : tensor<16xi32>
      %110 = tt.expand_dims %109 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %111 = tt.broadcast %106 : tensor<128x1xi32> -> tensor<128x16xi32>
      %112 = tt.broadcast %110 : tensor<1x16xi32> -> tensor<128x16xi32>
      %113 = arith.addi %111, %112 : tensor<128x16xi32>
      %114 = tt.splat %104 : !tt.ptr<bf16> -> tensor<128x16x!tt.ptr<bf16>>
      %115 = tt.addptr %114, %113 : tensor<128x16x!tt.ptr<bf16>>, tensor<128x16xi32>
      %117 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %118 = tt.splat %97 : i32 -> tensor<64xi32>
      %119 = arith.addi %118, %117 : tensor<64xi32>
      %120 = tt.splat %116 : i32 -> tensor<64xi32>
      %121 = arith.cmpi slt, %119, %120 : tensor<64xi32>
      %122 = tt.expand_dims %121 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %123 = arith.extsi %97 : i32 to i64
      %124 = arith.muli %123, %28 : i64
      %125 = arith.extsi %98 : i32 to i64
      %126 = arith.addi %124, %125 : i64
      %127 = tt.addptr %second, %126 : !tt.ptr<bf16>, i64
      %128 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %129 = tt.splat %6 : i32 -> tensor<64xi32>
      %130 = arith.muli %128, %129 : tensor<64xi32>
      %131 = tt.expand_dims %130 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %132 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %133 = tt.expand_dims %132 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %134 = tt.broadcast %131 : tensor<64x1xi32> -> tensor<64x128xi32>
      %135 = tt.broadcast %133 : tensor<1x128xi32> -> tensor<64x128xi32>
      %136 = arith.addi %134, %135 : tensor<64x128xi32>
      %137 = tt.splat %127 : !tt.ptr<bf16> -> tensor<64x128x!tt.ptr<bf16>>
      %138 = tt.addptr %137, %136 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %139 = tt.broadcast %122 : tensor<64x1xi1> -> tensor<64x128xi1>
      %141 = tt.splat %140 : bf16 -> tensor<64x128xbf16>
      %142 = tt.load %138, %139, %141 : tensor<64x128x!tt.ptr<bf16>>
      %143 = tt.load %115 : tensor<128x16x!tt.ptr<bf16>>
      %144 = tt.dot %142, %143, %99, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x16xbf16> -> tensor<64x16xf32>
      scf.yield %144 : tensor<64x16xf32>
    }
    %146 = arith.extsi %5 : i32 to i64
    %148 = arith.muli %146, %147 : i64
    %149 = tt.addptr %y_second, %148 : !tt.ptr<bf16>, i64
    %150 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %151 = tt.splat %97 : i32 -> tensor<64xi32>
    %152 = arith.addi %151, %150 : tensor<64xi32>
    %153 = tt.splat %116 : i32 -> tensor<64xi32>
    %154 = arith.cmpi slt, %152, %153 : tensor<64xi32>
    %155 = tt.expand_dims %154 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %156 = arith.extsi %97 : i32 to i64
    %157 = arith.extsi %11 : i32 to i64
    %159 = arith.muli %157, %158 : i64
    %160 = arith.addi %156, %159 : i64
    %161 = tt.addptr %149, %160 : !tt.ptr<bf16>, i64
    %162 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %163 = tt.expand_dims %162 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %164 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %165 = tt.splat %116 : i32 -> tensor<16xi32>
    %166 = arith.muli %164, %165 : tensor<16xi32>
    %167 = tt.expand_dims %166 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %168 = tt.broadcast %163 : tensor<64x1xi32> -> tensor<64x16xi32>
    %169 = tt.broadcast %167 : tensor<1x16xi32> -> tensor<64x16xi32>
    %170 = arith.addi %168, %169 : tensor<64x16xi32>
    %171 = tt.splat %161 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
    %172 = tt.addptr %171, %170 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %173 = tt.splat %92 : i1 -> tensor<64x16xi1>
    %174 = tt.broadcast %155 : tensor<64x1xi1> -> tensor<64x16xi1>
    %175 = arith.andi %174, %173 : tensor<64x16xi1>
    %176 = arith.truncf %145 : tensor<64x16xf32> to tensor<64x16xbf16>
    tt.store %172, %176, %175 : tensor<64x16x!tt.ptr<bf16>>
    tt.return
  }
}
