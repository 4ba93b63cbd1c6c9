module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %others: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 7 : i32
    %11 = arith.constant 6 : i32
    %16 = arith.constant 300 : i64
    %21 = arith.constant dense<0.0e0> : tensor<1x512xf32>
    %22 = arith.constant 0 : i32
    %23 = arith.constant 2048 : i32
    %41 = arith.constant 300 : i32
    %51 = arith.constant 512 : i32
    %75 = arith.constant 1024 : i32
    %99 = arith.constant 1536 : i32
    %133 = arith.constant 0.0e0 : bf16
    %4 = tt.get_program_id x : i32
    %5 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %6 = tt.splat %4 : i32 -> tensor<1xi32>
    %7 = arith.addi %6, %5 : tensor<1xi32>
    %9 = tt.splat %8 : i32 -> tensor<1xi32>
    %10 = arith.cmpi slt, %7, %9 : tensor<1xi32>
    %12 = tt.splat %11 : i32 -> tensor<1xi32>
    %13 = arith.minsi %7, %12 : tensor<1xi32>
    %14 = tt.expand_dims %13 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %15 = arith.extsi %14 : tensor<1x1xi32> to tensor<1x1xi64>
    %17 = tt.splat %16 : i64 -> tensor<1x1xi64>
    %18 = arith.muli %15, %17 : tensor<1x1xi64>
    %19 = tt.splat %weight : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %20 = tt.addptr %19, %18 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %123:2 = scf.for %24 = %22 to %22 step %23 iter_args(%25 = %21, %26 = %21) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %27 = arith.addi %24, %22 : i32
      %28 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %29 = tt.splat %27 : i32 -> tensor<512xi32>
      %30 = arith.addi %29, %28 : tensor<512xi32>
      %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %32 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %33 = tt.addptr %32, %31 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %34 = tt.load %33 : tensor<1x512x!tt.ptr<bf16>>
      %35 = arith.extf %34 : tensor<1x512xbf16> to tensor<1x512xf32>
      %36 = tt.addptr %x, %22 : !tt.ptr<bf16>, i32
      %37 = tt.splat %36 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %38 = tt.addptr %37, %31 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %39 = tt.load %38 : tensor<1x512x!tt.ptr<bf16>>
      %40 = arith.extf %39 : tensor<1x512xbf16> to tensor<1x512xf32>
      %42 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %43 = tt.splat %42 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %44 = tt.addptr %43, %31 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %45 = tt.load %44 : tensor<1x512x!tt.ptr<bf16>>
      %46 = arith.extf %45 : tensor<1x512xbf16> to tensor<1x512xf32>
      %47 = arith.mulf %35, %40 : tensor<1x512xf32>
      %48 = arith.addf %25, %47 : tensor<1x512xf32>
      %49 = arith.mulf %35, %46 : tensor<1x512xf32>
      %50 = arith.addf %26, %49 : tensor<1x512xf32>
      %52 = arith.addi %24, %51 : i32
      %53 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %54 = tt.splat %52 : i32 -> tensor<512xi32>
      %55 = arith.addi %54, %53 : tensor<512xi32>
      %56 = tt.expand_dims %55 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %57 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %58 = tt.addptr %57, %56 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %59 = tt.load %58 : tensor<1x512x!tt.ptr<bf16>>
      %60 = arith.extf %59 : tensor<1x512xbf16> to tensor<1x512xf32>
      %61 = tt.addptr %x, %22 : !tt.ptr<bf16>, i32
      %62 = tt.splat %61 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %63 = tt.addptr %62, %56 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %64 = tt.load %63 : tensor<1x512x!tt.ptr<bf16>>
      %65 = arith.extf %64 : tensor<1x512xbf16> to tensor<1x512xf32>
      %66 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %67 = tt.splat %66 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %68 = tt.addptr %67, %56 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %69 = tt.load %68 : tensor<1x512x!tt.ptr<bf16>>
      %70 = arith.extf %69 : tensor<1x512xbf16> to tensor<1x512xf32>
      %71 = arith.mulf %60, %65 : tensor<1x512xf32>
      %72 = arith.addf %48, %71 : tensor<1x512xf32>
      %73 = arith.mulf %60, %70 : tensor<1x512xf32>
      %74 = arith.addf %50, %73 : tensor<1x512xf32>
      %76 = arith.addi %24, %75 : i32
      %77 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %78 = tt.splat %76 : i32 -> tensor<512xi32>
      %79 = arith.addi %78, %77 : tensor<512xi32>
      %80 = tt.expand_dims %79 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %81 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %82 = tt.addptr %81, %80 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %83 = tt.load %82 : tensor<1x512x!tt.ptr<bf16>>
      %84 = arith.extf %83 : tensor<1x512xbf16> to tensor<1x512xf32>
      %85 = tt.addptr %x, %22 : !tt.ptr<bf16>, i32
      %86 = tt.splat %85 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %87 = tt.addptr %86, %80 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %88 = tt.load %87 : tensor<1x512x!tt.ptr<bf16>>
      %89 = arith.extf %88 : tensor<1x512xbf16> to tensor<1x512xf32>
      %90 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %91 = tt.splat %90 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %92 = tt.addptr %91, %80 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %93 = tt.load %92 : tensor<1x512x!tt.ptr<bf16>>
      %94 = arith.extf %93 : tensor<1x512xbf16> to tensor<1x512xf32>
      %95 = arith.mulf %84, %89 : tensor<1x512xf32>
      %96 = arith.addf %72, %95 : tensor<1x512xf32>
      %97 = arith.mulf %84, %94 : tensor<1x512xf32>
      %98 = arith.addf %74, %97 : tensor<1x512xf32>
      %100 = arith.addi %24, %99 : i32
      %101 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %102 = tt.splat %100 : i32 -> tensor<512xi32>
      %103 = arith.addi %102, %101 : tensor<512xi32>
      %104 = tt.expand_dims %103 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %105 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %106 = tt.addptr %105, %104 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %107 = tt.load %106 : tensor<1x512x!tt.ptr<bf16>>
      %108 = arith.extf %107 : tensor<1x512xbf16> to tensor<1x512xf32>
      %109 = tt.addptr %x, %22 : !tt.ptr<bf16>, i32
      %110 = tt.splat %109 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %111 = tt.addptr %110, %104 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %112 = tt.load %111 : tensor<1x512x!tt.ptr<bf16>>
      %113 = arith.extf %112 : tensor<1x512xbf16> to tensor<1x512xf32>
      %114 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %115 = tt.splat %114 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %116 = tt.addptr %115, %104 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %117 = tt.load %116 : tensor<1x512x!tt.ptr<bf16>>
      %118 = arith.extf %117 : tensor<1x512xbf16> to tensor<1x512xf32>
      %119 = arith.mulf %108, %113 : tensor<1x512xf32>
      %120 = arith.addf %96, %119 : tensor<1x512xf32>
      %121 = arith.mulf %108, %118 : tensor<1x512xf32>
      %122 = arith.addf %98, %121 : tensor<1x512xf32>
      scf.yield %120, %122 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %125 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %126 = tt.splat %22 : i32 -> tensor<512xi32>
    %127 = arith.addi %126, %125 : tensor<512xi32>
    %128 = tt.expand_dims %127 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %129 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
    %130 = tt.addptr %129, %128 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %131 = tt.splat %41 : i32 -> tensor<1x512xi32>
    %132 = arith.cmpi slt, %128, %131 : tensor<1x512xi32>
    %134 = tt.splat %133 : bf16 -> tensor<1x512xbf16>
    %135 = tt.load %130, %132, %134 : tensor<1x512x!tt.ptr<bf16>>
    %136 = arith.extf %135 : tensor<1x512xbf16> to tensor<1x512xf32>
    %137 = tt.addptr %x, %22 : !tt.ptr<bf16>, i32
    %138 = tt.splat %137 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %139 = tt.addptr %138, %128 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %140 = tt.splat %41 : i32 -> tensor<1x512xi32>
    %141 = arith.cmpi slt, %128, %140 : tensor<1x512xi32>
    %142 = tt.splat %133 : bf16 -> tensor<1x512xbf16>
    %143 = tt.load %139, %141, %142 : tensor<1x512x!tt.ptr<bf16>>
    %144 = arith.extf %143 : tensor<1x512xbf16> to tensor<1x512xf32>
    %145 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
    %146 = tt.splat %145 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %147 = tt.addptr %146, %128 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %148 = tt.splat %41 : i32 -> tensor<1x512xi32>
    %149 = arith.cmpi slt, %128, %148 : tensor<1x512xi32>
    %150 = tt.splat %133 : bf16 -> tensor<1x512xbf16>
    %151 = tt.load %147, %149, %150 : tensor<1x512x!tt.ptr<bf16>>
    %152 = arith.extf %151 : tensor<1x512xbf16> to tensor<1x512xf32>
    %153 = arith.mulf %136, %144 : tensor<1x512xf32>
    %154 = arith.addf %123#0, %153 : tensor<1x512xf32>
    %155 = arith.mulf %136, %152 : tensor<1x512xf32>
    %156 = arith.addf %123#1, %155 : tensor<1x512xf32>
    %160 = "tt.reduce"(%154) <{axis = 1 : i32}> ({
    ^bb0(%157: f32, %158: f32):
      %159 = arith.addf %157, %158 : f32
      tt.reduce.return %159 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %164 = "tt.reduce"(%156) <{axis = 1 : i32}> ({
    ^bb0(%161: f32, %162: f32):
      %163 = arith.addf %161, %162 : f32
      tt.reduce.return %163 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %165 = tt.addptr %others, %22 : !tt.ptr<bf16>, i32
    %166 = tt.splat %165 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %167 = tt.addptr %166, %7 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %168 = tt.splat %133 : bf16 -> tensor<1xbf16>
    %169 = tt.load %167, %10, %168 : tensor<1x!tt.ptr<bf16>>
    %170 = arith.extf %169 : tensor<1xbf16> to tensor<1xf32>
    %171 = tt.addptr %y, %22 : !tt.ptr<bf16>, i32
    %172 = arith.addf %170, %160 : tensor<1xf32>
    %173 = tt.splat %171 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %174 = tt.addptr %173, %7 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %175 = arith.truncf %172 : tensor<1xf32> to tensor<1xbf16>
    tt.store %174, %175, %10 : tensor<1x!tt.ptr<bf16>>
    %176 = tt.addptr %others, %8 : !tt.ptr<bf16>, i32
    %177 = tt.splat %176 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %178 = tt.addptr %177, %7 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %179 = tt.splat %133 : bf16 -> tensor<1xbf16>
    %180 = tt.load %178, %10, %179 : tensor<1x!tt.ptr<bf16>>
    %181 = arith.extf %180 : tensor<1xbf16> to tensor<1xf32>
    %182 = tt.addptr %y, %8 : !tt.ptr<bf16>, i32
    %183 = arith.addf %181, %164 : tensor<1xf32>
    %184 = tt.splat %182 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %185 = tt.addptr %184, %7 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %186 = arith.truncf %183 : tensor<1xf32> to tensor<1xbf16>
    tt.store %185, %186, %10 : tensor<1x!tt.ptr<bf16>>
    tt.return
  }
}
