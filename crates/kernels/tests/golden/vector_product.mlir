module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 1 : i32
    %9 = arith.constant 7 : i32
    %12 = arith.constant 6 : i32
    %17 = arith.constant 300 : i64
    %22 = arith.constant dense<0.0e0> : tensor<1x512xf32>
    %23 = arith.constant 0 : i32
    %24 = arith.constant 2048 : i32
    %44 = arith.constant 300 : i32
    %52 = arith.constant 512 : i32
    %76 = arith.constant 1024 : i32
    %100 = arith.constant 1536 : i32
    %134 = arith.constant 0.0e0 : bf16
    %3 = tt.get_program_id x : i32
    %5 = arith.muli %3, %4 : i32
    %6 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %7 = tt.splat %5 : i32 -> tensor<1xi32>
    %8 = arith.addi %7, %6 : tensor<1xi32>
    %10 = tt.splat %9 : i32 -> tensor<1xi32>
    %11 = arith.cmpi slt, %8, %10 : tensor<1xi32>
    %13 = tt.splat %12 : i32 -> tensor<1xi32>
    %14 = arith.minsi %8, %13 : tensor<1xi32>
    %15 = tt.expand_dims %14 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %16 = arith.extsi %15 : tensor<1x1xi32> to tensor<1x1xi64>
    %18 = tt.splat %17 : i64 -> tensor<1x1xi64>
    %19 = arith.muli %16, %18 : tensor<1x1xi64>
    %20 = tt.splat %weight : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %21 = tt.addptr %20, %19 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %124:2 = scf.for %25 = %23 to %23 step %24 iter_args(%26 = %22, %27 = %22) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %28 = arith.addi %25, %23 : i32
      %29 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %30 = tt.splat %28 : i32 -> tensor<512xi32>
      %31 = arith.addi %30, %29 : tensor<512xi32>
      %32 = tt.expand_dims %31 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %33 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %34 = tt.addptr %33, %32 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %35 = tt.load %34 : tensor<1x512x!tt.ptr<bf16>>
      %36 = arith.extf %35 : tensor<1x512xbf16> to tensor<1x512xf32>
      %37 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %38 = tt.splat %37 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %39 = tt.addptr %38, %32 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %40 = tt.load %39 : tensor<1x512x!tt.ptr<bf16>>
      %41 = arith.extf %40 : tensor<1x512xbf16> to tensor<1x512xf32>
      %42 = arith.mulf %36, %41 : tensor<1x512xf32>
      %43 = arith.addf %26, %42 : tensor<1x512xf32>
      %45 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %46 = tt.splat %45 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %47 = tt.addptr %46, %32 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %48 = tt.load %47 : tensor<1x512x!tt.ptr<bf16>>
      %49 = arith.extf %48 : tensor<1x512xbf16> to tensor<1x512xf32>
      %50 = arith.mulf %36, %49 : tensor<1x512xf32>
      %51 = arith.addf %27, %50 : tensor<1x512xf32>
      %53 = arith.addi %25, %52 : i32
      %54 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %55 = tt.splat %53 : i32 -> tensor<512xi32>
      %56 = arith.addi %55, %54 : tensor<512xi32>
      %57 = tt.expand_dims %56 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %58 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %59 = tt.addptr %58, %57 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %60 = tt.load %59 : tensor<1x512x!tt.ptr<bf16>>
      %61 = arith.extf %60 : tensor<1x512xbf16> to tensor<1x512xf32>
      %62 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %63 = tt.splat %62 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %64 = tt.addptr %63, %57 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %65 = tt.load %64 : tensor<1x512x!tt.ptr<bf16>>
      %66 = arith.extf %65 : tensor<1x512xbf16> to tensor<1x512xf32>
      %67 = arith.mulf %61, %66 : tensor<1x512xf32>
      %68 = arith.addf %43, %67 : tensor<1x512xf32>
      %69 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %70 = tt.splat %69 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %71 = tt.addptr %70, %57 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %72 = tt.load %71 : tensor<1x512x!tt.ptr<bf16>>
      %73 = arith.extf %72 : tensor<1x512xbf16> to tensor<1x512xf32>
      %74 = arith.mulf %61, %73 : tensor<1x512xf32>
      %75 = arith.addf %51, %74 : tensor<1x512xf32>
      %77 = arith.addi %25, %76 : i32
      %78 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %79 = tt.splat %77 : i32 -> tensor<512xi32>
      %80 = arith.addi %79, %78 : tensor<512xi32>
      %81 = tt.expand_dims %80 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %82 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %83 = tt.addptr %82, %81 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %84 = tt.load %83 : tensor<1x512x!tt.ptr<bf16>>
      %85 = arith.extf %84 : tensor<1x512xbf16> to tensor<1x512xf32>
      %86 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %87 = tt.splat %86 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %88 = tt.addptr %87, %81 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %89 = tt.load %88 : tensor<1x512x!tt.ptr<bf16>>
      %90 = arith.extf %89 : tensor<1x512xbf16> to tensor<1x512xf32>
      %91 = arith.mulf %85, %90 : tensor<1x512xf32>
      %92 = arith.addf %68, %91 : tensor<1x512xf32>
      %93 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %94 = tt.splat %93 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %95 = tt.addptr %94, %81 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %96 = tt.load %95 : tensor<1x512x!tt.ptr<bf16>>
      %97 = arith.extf %96 : tensor<1x512xbf16> to tensor<1x512xf32>
      %98 = arith.mulf %85, %97 : tensor<1x512xf32>
      %99 = arith.addf %75, %98 : tensor<1x512xf32>
      %101 = arith.addi %25, %100 : i32
      %102 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %103 = tt.splat %101 : i32 -> tensor<512xi32>
      %104 = arith.addi %103, %102 : tensor<512xi32>
      %105 = tt.expand_dims %104 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %106 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %107 = tt.addptr %106, %105 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %108 = tt.load %107 : tensor<1x512x!tt.ptr<bf16>>
      %109 = arith.extf %108 : tensor<1x512xbf16> to tensor<1x512xf32>
      %110 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %111 = tt.splat %110 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %112 = tt.addptr %111, %105 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %113 = tt.load %112 : tensor<1x512x!tt.ptr<bf16>>
      %114 = arith.extf %113 : tensor<1x512xbf16> to tensor<1x512xf32>
      %115 = arith.mulf %109, %114 : tensor<1x512xf32>
      %116 = arith.addf %92, %115 : tensor<1x512xf32>
      %117 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %118 = tt.splat %117 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %119 = tt.addptr %118, %105 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %120 = tt.load %119 : tensor<1x512x!tt.ptr<bf16>>
      %121 = arith.extf %120 : tensor<1x512xbf16> to tensor<1x512xf32>
      %122 = arith.mulf %109, %121 : tensor<1x512xf32>
      %123 = arith.addf %99, %122 : tensor<1x512xf32>
      scf.yield %116, %123 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %126 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %127 = tt.splat %23 : i32 -> tensor<512xi32>
    %128 = arith.addi %127, %126 : tensor<512xi32>
    %129 = tt.expand_dims %128 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %130 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
    %131 = tt.addptr %130, %129 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %132 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %133 = arith.cmpi slt, %129, %132 : tensor<1x512xi32>
    %135 = tt.splat %134 : bf16 -> tensor<1x512xbf16>
    %136 = tt.load %131, %133, %135 : tensor<1x512x!tt.ptr<bf16>>
    %137 = arith.extf %136 : tensor<1x512xbf16> to tensor<1x512xf32>
    %138 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
    %139 = tt.splat %138 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %140 = tt.addptr %139, %129 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %141 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %142 = arith.cmpi slt, %129, %141 : tensor<1x512xi32>
    %143 = tt.splat %134 : bf16 -> tensor<1x512xbf16>
    %144 = tt.load %140, %142, %143 : tensor<1x512x!tt.ptr<bf16>>
    %145 = arith.extf %144 : tensor<1x512xbf16> to tensor<1x512xf32>
    %146 = arith.mulf %137, %145 : tensor<1x512xf32>
    %147 = arith.addf %124#0, %146 : tensor<1x512xf32>
    %148 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
    %149 = tt.splat %148 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %150 = tt.addptr %149, %129 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %151 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %152 = arith.cmpi slt, %129, %151 : tensor<1x512xi32>
    %153 = tt.splat %134 : bf16 -> tensor<1x512xbf16>
    %154 = tt.load %150, %152, %153 : tensor<1x512x!tt.ptr<bf16>>
    %155 = arith.extf %154 : tensor<1x512xbf16> to tensor<1x512xf32>
    %156 = arith.mulf %137, %155 : tensor<1x512xf32>
    %157 = arith.addf %124#1, %156 : tensor<1x512xf32>
    %158 = tt.addptr %y, %23 : !tt.ptr<bf16>, i32
    %159 = tt.splat %158 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %160 = tt.addptr %159, %8 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %164 = "tt.reduce"(%147) <{axis = 1 : i32}> ({
    ^bb0(%161: f32, %162: f32):
      %163 = arith.addf %161, %162 : f32
      tt.reduce.return %163 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %165 = arith.truncf %164 : tensor<1xf32> to tensor<1xbf16>
    tt.store %160, %165, %11 : tensor<1x!tt.ptr<bf16>>
    %166 = tt.addptr %y, %9 : !tt.ptr<bf16>, i32
    %167 = tt.splat %166 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %168 = tt.addptr %167, %8 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %172 = "tt.reduce"(%157) <{axis = 1 : i32}> ({
    ^bb0(%169: f32, %170: f32):
      %171 = arith.addf %169, %170 : f32
      tt.reduce.return %171 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %173 = arith.truncf %172 : tensor<1xf32> to tensor<1xbf16>
    tt.store %168, %173, %11 : tensor<1x!tt.ptr<bf16>>
    tt.return
  }
}
