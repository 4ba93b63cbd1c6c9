module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 7 : i32
    %10 = arith.constant 6 : i32
    %15 = arith.constant 300 : i64
    %20 = arith.constant dense<0.0e0> : tensor<1x512xf32>
    %21 = arith.constant 0 : i32
    %22 = arith.constant 2048 : i32
    %40 = arith.constant 300 : i32
    %50 = arith.constant 512 : i32
    %74 = arith.constant 1024 : i32
    %98 = arith.constant 1536 : i32
    %132 = arith.constant 0.0e0 : bf16
    %3 = tt.get_program_id x : i32
    %4 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %5 = tt.splat %3 : i32 -> tensor<1xi32>
    %6 = arith.addi %5, %4 : tensor<1xi32>
    %8 = tt.splat %7 : i32 -> tensor<1xi32>
    %9 = arith.cmpi slt, %6, %8 : tensor<1xi32>
    %11 = tt.splat %10 : i32 -> tensor<1xi32>
    %12 = arith.minsi %6, %11 : tensor<1xi32>
    %13 = tt.expand_dims %12 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %14 = arith.extsi %13 : tensor<1x1xi32> to tensor<1x1xi64>
    %16 = tt.splat %15 : i64 -> tensor<1x1xi64>
    %17 = arith.muli %14, %16 : tensor<1x1xi64>
    %18 = tt.splat %weight : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %19 = tt.addptr %18, %17 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %122:2 = scf.for %23 = %21 to %21 step %22 iter_args(%24 = %20, %25 = %20) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %26 = arith.addi %23, %21 : i32
      %27 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %28 = tt.splat %26 : i32 -> tensor<512xi32>
      %29 = arith.addi %28, %27 : tensor<512xi32>
      %30 = tt.expand_dims %29 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %31 = tt.broadcast %19 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %32 = tt.addptr %31, %30 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %33 = tt.load %32 : tensor<1x512x!tt.ptr<bf16>>
      %34 = arith.extf %33 : tensor<1x512xbf16> to tensor<1x512xf32>
      %35 = tt.addptr %x, %21 : !tt.ptr<bf16>, i32
      %36 = tt.splat %35 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %37 = tt.addptr %36, %30 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %38 = tt.load %37 : tensor<1x512x!tt.ptr<bf16>>
      %39 = arith.extf %38 : tensor<1x512xbf16> to tensor<1x512xf32>
      %41 = tt.addptr %x, %40 : !tt.ptr<bf16>, i32
      %42 = tt.splat %41 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %43 = tt.addptr %42, %30 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %44 = tt.load %43 : tensor<1x512x!tt.ptr<bf16>>
      %45 = arith.extf %44 : tensor<1x512xbf16> to tensor<1x512xf32>
      %46 = arith.mulf %34, %39 : tensor<1x512xf32>
      %47 = arith.addf %24, %46 : tensor<1x512xf32>
      %48 = arith.mulf %34, %45 : tensor<1x512xf32>
      %49 = arith.addf %25, %48 : tensor<1x512xf32>
      %51 = arith.addi %23, %50 : i32
      %52 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %53 = tt.splat %51 : i32 -> tensor<512xi32>
      %54 = arith.addi %53, %52 : tensor<512xi32>
      %55 = tt.expand_dims %54 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %56 = tt.broadcast %19 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %57 = tt.addptr %56, %55 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %58 = tt.load %57 : tensor<1x512x!tt.ptr<bf16>>
      %59 = arith.extf %58 : tensor<1x512xbf16> to tensor<1x512xf32>
      %60 = tt.addptr %x, %21 : !tt.ptr<bf16>, i32
      %61 = tt.splat %60 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %62 = tt.addptr %61, %55 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %63 = tt.load %62 : tensor<1x512x!tt.ptr<bf16>>
      %64 = arith.extf %63 : tensor<1x512xbf16> to tensor<1x512xf32>
      %65 = tt.addptr %x, %40 : !tt.ptr<bf16>, i32
      %66 = tt.splat %65 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %67 = tt.addptr %66, %55 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %68 = tt.load %67 : tensor<1x512x!tt.ptr<bf16>>
      %69 = arith.extf %68 : tensor<1x512xbf16> to tensor<1x512xf32>
      %70 = arith.mulf %59, %64 : tensor<1x512xf32>
      %71 = arith.addf %47, %70 : tensor<1x512xf32>
      %72 = arith.mulf %59, %69 : tensor<1x512xf32>
      %73 = arith.addf %49, %72 : tensor<1x512xf32>
      %75 = arith.addi %23, %74 : i32
      %76 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %77 = tt.splat %75 : i32 -> tensor<512xi32>
      %78 = arith.addi %77, %76 : tensor<512xi32>
      %79 = tt.expand_dims %78 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %80 = tt.broadcast %19 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %81 = tt.addptr %80, %79 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %82 = tt.load %81 : tensor<1x512x!tt.ptr<bf16>>
      %83 = arith.extf %82 : tensor<1x512xbf16> to tensor<1x512xf32>
      %84 = tt.addptr %x, %21 : !tt.ptr<bf16>, i32
      %85 = tt.splat %84 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %86 = tt.addptr %85, %79 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %87 = tt.load %86 : tensor<1x512x!tt.ptr<bf16>>
      %88 = arith.extf %87 : tensor<1x512xbf16> to tensor<1x512xf32>
      %89 = tt.addptr %x, %40 : !tt.ptr<bf16>, i32
      %90 = tt.splat %89 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %91 = tt.addptr %90, %79 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %92 = tt.load %91 : tensor<1x512x!tt.ptr<bf16>>
      %93 = arith.extf %92 : tensor<1x512xbf16> to tensor<1x512xf32>
      %94 = arith.mulf %83, %88 : tensor<1x512xf32>
      %95 = arith.addf %71, %94 : tensor<1x512xf32>
      %96 = arith.mulf %83, %93 : tensor<1x512xf32>
      %97 = arith.addf %73, %96 : tensor<1x512xf32>
      %99 = arith.addi %23, %98 : i32
      %100 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %101 = tt.splat %99 : i32 -> tensor<512xi32>
      %102 = arith.addi %101, %100 : tensor<512xi32>
      %103 = tt.expand_dims %102 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %104 = tt.broadcast %19 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %105 = tt.addptr %104, %103 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %106 = tt.load %105 : tensor<1x512x!tt.ptr<bf16>>
      %107 = arith.extf %106 : tensor<1x512xbf16> to tensor<1x512xf32>
      %108 = tt.addptr %x, %21 : !tt.ptr<bf16>, i32
      %109 = tt.splat %108 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %110 = tt.addptr %109, %103 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %111 = tt.load %110 : tensor<1x512x!tt.ptr<bf16>>
      %112 = arith.extf %111 : tensor<1x512xbf16> to tensor<1x512xf32>
      %113 = tt.addptr %x, %40 : !tt.ptr<bf16>, i32
      %114 = tt.splat %113 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %115 = tt.addptr %114, %103 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %116 = tt.load %115 : tensor<1x512x!tt.ptr<bf16>>
      %117 = arith.extf %116 : tensor<1x512xbf16> to tensor<1x512xf32>
      %118 = arith.mulf %107, %112 : tensor<1x512xf32>
      %119 = arith.addf %95, %118 : tensor<1x512xf32>
      %120 = arith.mulf %107, %117 : tensor<1x512xf32>
      %121 = arith.addf %97, %120 : tensor<1x512xf32>
      scf.yield %119, %121 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %124 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %125 = tt.splat %21 : i32 -> tensor<512xi32>
    %126 = arith.addi %125, %124 : tensor<512xi32>
    %127 = tt.expand_dims %126 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %128 = tt.broadcast %19 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
    %129 = tt.addptr %128, %127 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %130 = tt.splat %40 : i32 -> tensor<1x512xi32>
    %131 = arith.cmpi slt, %127, %130 : tensor<1x512xi32>
    %133 = tt.splat %132 : bf16 -> tensor<1x512xbf16>
    %134 = tt.load %129, %131, %133 : tensor<1x512x!tt.ptr<bf16>>
    %135 = arith.extf %134 : tensor<1x512xbf16> to tensor<1x512xf32>
    %136 = tt.addptr %x, %21 : !tt.ptr<bf16>, i32
    %137 = tt.splat %136 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %138 = tt.addptr %137, %127 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %139 = tt.splat %40 : i32 -> tensor<1x512xi32>
    %140 = arith.cmpi slt, %127, %139 : tensor<1x512xi32>
    %141 = tt.splat %132 : bf16 -> tensor<1x512xbf16>
    %142 = tt.load %138, %140, %141 : tensor<1x512x!tt.ptr<bf16>>
    %143 = arith.extf %142 : tensor<1x512xbf16> to tensor<1x512xf32>
    %144 = tt.addptr %x, %40 : !tt.ptr<bf16>, i32
    %145 = tt.splat %144 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %146 = tt.addptr %145, %127 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %147 = tt.splat %40 : i32 -> tensor<1x512xi32>
    %148 = arith.cmpi slt, %127, %147 : tensor<1x512xi32>
    %149 = tt.splat %132 : bf16 -> tensor<1x512xbf16>
    %150 = tt.load %146, %148, %149 : tensor<1x512x!tt.ptr<bf16>>
    %151 = arith.extf %150 : tensor<1x512xbf16> to tensor<1x512xf32>
    %152 = arith.mulf %135, %143 : tensor<1x512xf32>
    %153 = arith.addf %122#0, %152 : tensor<1x512xf32>
    %154 = arith.mulf %135, %151 : tensor<1x512xf32>
    %155 = arith.addf %122#1, %154 : tensor<1x512xf32>
    %159 = "tt.reduce"(%153) <{axis = 1 : i32}> ({
    ^bb0(%156: f32, %157: f32):
      %158 = arith.addf %156, %157 : f32
      tt.reduce.return %158 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %163 = "tt.reduce"(%155) <{axis = 1 : i32}> ({
    ^bb0(%160: f32, %161: f32):
      %162 = arith.addf %160, %161 : f32
      tt.reduce.return %162 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %164 = tt.addptr %y, %21 : !tt.ptr<bf16>, i32
    %165 = tt.splat %164 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %166 = tt.addptr %165, %6 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %167 = arith.truncf %159 : tensor<1xf32> to tensor<1xbf16>
    tt.store %166, %167, %9 : tensor<1x!tt.ptr<bf16>>
    %168 = tt.addptr %y, %7 : !tt.ptr<bf16>, i32
    %169 = tt.splat %168 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %170 = tt.addptr %169, %6 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %171 = arith.truncf %163 : tensor<1xf32> to tensor<1xbf16>
    tt.store %170, %171, %9 : tensor<1x!tt.ptr<bf16>>
    tt.return
  }
}
