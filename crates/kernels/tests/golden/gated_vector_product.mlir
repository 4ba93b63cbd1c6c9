module {
  tt.func public @gated_vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 7 : i32
    %11 = arith.constant 6 : i32
    %16 = arith.constant 300 : i64
    %29 = arith.constant dense<0.0e0> : tensor<1x512xf32>
    %30 = arith.constant 0 : i32
    %31 = arith.constant 1024 : i32
    %55 = arith.constant 300 : i32
    %69 = arith.constant 512 : i32
    %113 = arith.constant 0.0e0 : bf16
    %165 = arith.constant dense<1.0e0> : tensor<1xf32>
    %168 = arith.constant 1.0e0 : f32
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
    %21 = tt.splat %11 : i32 -> tensor<1xi32>
    %22 = arith.minsi %7, %21 : tensor<1xi32>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %24 = arith.extsi %23 : tensor<1x1xi32> to tensor<1x1xi64>
    %25 = tt.splat %16 : i64 -> tensor<1x1xi64>
    %26 = arith.muli %24, %25 : tensor<1x1xi64>
    %27 = tt.splat %second : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %28 = tt.addptr %27, %26 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %101:4 = scf.for %32 = %30 to %30 step %31 iter_args(%33 = %29, %34 = %29, %35 = %29, %36 = %29) -> (tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %37 = arith.addi %32, %30 : i32
      %38 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %39 = tt.splat %37 : i32 -> tensor<512xi32>
      %40 = arith.addi %39, %38 : tensor<512xi32>
      %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %42 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %43 = tt.addptr %42, %41 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %44 = tt.load %43 : tensor<1x512x!tt.ptr<bf16>>
      %45 = arith.extf %44 : tensor<1x512xbf16> to tensor<1x512xf32>
      %46 = tt.broadcast %28 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %47 = tt.addptr %46, %41 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %48 = tt.load %47 : tensor<1x512x!tt.ptr<bf16>>
      %49 = arith.extf %48 : tensor<1x512xbf16> to tensor<1x512xf32>
      %50 = tt.addptr %x, %30 : !tt.ptr<bf16>, i32
      %51 = tt.splat %50 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %52 = tt.addptr %51, %41 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %53 = tt.load %52 : tensor<1x512x!tt.ptr<bf16>>
      %54 = arith.extf %53 : tensor<1x512xbf16> to tensor<1x512xf32>
      %56 = tt.addptr %x, %55 : !tt.ptr<bf16>, i32
      %57 = tt.splat %56 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %58 = tt.addptr %57, %41 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %59 = tt.load %58 : tensor<1x512x!tt.ptr<bf16>>
      %60 = arith.extf %59 : tensor<1x512xbf16> to tensor<1x512xf32>
      %61 = arith.mulf %45, %54 : tensor<1x512xf32>
      %62 = arith.addf %33, %61 : tensor<1x512xf32>
      %63 = arith.mulf %45, %60 : tensor<1x512xf32>
      %64 = arith.addf %34, %63 : tensor<1x512xf32>
      %65 = arith.mulf %49, %54 : tensor<1x512xf32>
      %66 = arith.addf %35, %65 : tensor<1x512xf32>
      %67 = arith.mulf %49, %60 : tensor<1x512xf32>
      %68 = arith.addf %36, %67 : tensor<1x512xf32>
      %70 = arith.addi %32, %69 : i32
      %71 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %72 = tt.splat %70 : i32 -> tensor<512xi32>
      %73 = arith.addi %72, %71 : tensor<512xi32>
      %74 = tt.expand_dims %73 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %75 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %76 = tt.addptr %75, %74 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %77 = tt.load %76 : tensor<1x512x!tt.ptr<bf16>>
      %78 = arith.extf %77 : tensor<1x512xbf16> to tensor<1x512xf32>
      %79 = tt.broadcast %28 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %80 = tt.addptr %79, %74 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %81 = tt.load %80 : tensor<1x512x!tt.ptr<bf16>>
      %82 = arith.extf %81 : tensor<1x512xbf16> to tensor<1x512xf32>
      %83 = tt.addptr %x, %30 : !tt.ptr<bf16>, i32
      %84 = tt.splat %83 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %85 = tt.addptr %84, %74 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %86 = tt.load %85 : tensor<1x512x!tt.ptr<bf16>>
      %87 = arith.extf %86 : tensor<1x512xbf16> to tensor<1x512xf32>
      %88 = tt.addptr %x, %55 : !tt.ptr<bf16>, i32
      %89 = tt.splat %88 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %90 = tt.addptr %89, %74 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %91 = tt.load %90 : tensor<1x512x!tt.ptr<bf16>>
      %92 = arith.extf %91 : tensor<1x512xbf16> to tensor<1x512xf32>
      %93 = arith.mulf %78, %87 : tensor<1x512xf32>
      %94 = arith.addf %62, %93 : tensor<1x512xf32>
      %95 = arith.mulf %78, %92 : tensor<1x512xf32>
      %96 = arith.addf %64, %95 : tensor<1x512xf32>
      %97 = arith.mulf %82, %87 : tensor<1x512xf32>
      %98 = arith.addf %66, %97 : tensor<1x512xf32>
      %99 = arith.mulf %82, %92 : tensor<1x512xf32>
      %100 = arith.addf %68, %99 : tensor<1x512xf32>
      scf.yield %94, %96, %98, %100 : tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>
    }
    %105 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %106 = tt.splat %30 : i32 -> tensor<512xi32>
    %107 = arith.addi %106, %105 : tensor<512xi32>
    %108 = tt.expand_dims %107 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %109 = tt.broadcast %20 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
    %110 = tt.addptr %109, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %111 = tt.splat %55 : i32 -> tensor<1x512xi32>
    %112 = arith.cmpi slt, %108, %111 : tensor<1x512xi32>
    %114 = tt.splat %113 : bf16 -> tensor<1x512xbf16>
    %115 = tt.load %110, %112, %114 : tensor<1x512x!tt.ptr<bf16>>
    %116 = arith.extf %115 : tensor<1x512xbf16> to tensor<1x512xf32>
    %117 = tt.broadcast %28 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
    %118 = tt.addptr %117, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %119 = tt.splat %55 : i32 -> tensor<1x512xi32>
    %120 = arith.cmpi slt, %108, %119 : tensor<1x512xi32>
    %121 = tt.splat %113 : bf16 -> tensor<1x512xbf16>
    %122 = tt.load %118, %120, %121 : tensor<1x512x!tt.ptr<bf16>>
    %123 = arith.extf %122 : tensor<1x512xbf16> to tensor<1x512xf32>
    %124 = tt.addptr %x, %30 : !tt.ptr<bf16>, i32
    %125 = tt.splat %124 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %126 = tt.addptr %125, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %127 = tt.splat %55 : i32 -> tensor<1x512xi32>
    %128 = arith.cmpi slt, %108, %127 : tensor<1x512xi32>
    %129 = tt.splat %113 : bf16 -> tensor<1x512xbf16>
    %130 = tt.load %126, %128, %129 : tensor<1x512x!tt.ptr<bf16>>
    %131 = arith.extf %130 : tensor<1x512xbf16> to tensor<1x512xf32>
    %132 = tt.addptr %x, %55 : !tt.ptr<bf16>, i32
    %133 = tt.splat %132 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %134 = tt.addptr %133, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %135 = tt.splat %55 : i32 -> tensor<1x512xi32>
    %136 = arith.cmpi slt, %108, %135 : tensor<1x512xi32>
    %137 = tt.splat %113 : bf16 -> tensor<1x512xbf16>
    %138 = tt.load %134, %136, %137 : tensor<1x512x!tt.ptr<bf16>>
    %139 = arith.extf %138 : tensor<1x512xbf16> to tensor<1x512xf32>
    %140 = arith.mulf %116, %131 : tensor<1x512xf32>
    %141 = arith.addf %101#0, %140 : tensor<1x512xf32>
    %142 = arith.mulf %116, %139 : tensor<1x512xf32>
    %143 = arith.addf %101#1, %142 : tensor<1x512xf32>
    %144 = arith.mulf %123, %131 : tensor<1x512xf32>
    %145 = arith.addf %101#2, %144 : tensor<1x512xf32>
    %146 = arith.mulf %123, %139 : tensor<1x512xf32>
    %147 = arith.addf %101#3, %146 : tensor<1x512xf32>
    %151 = "tt.reduce"(%141) <{axis = 1 : i32}> ({
    ^bb0(%148: f32, %149: f32):
      %150 = arith.addf %148, %149 : f32
      tt.reduce.return %150 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %155 = "tt.reduce"(%143) <{axis = 1 : i32}> ({
    ^bb0(%152: f32, %153: f32):
      %154 = arith.addf %152, %153 : f32
      tt.reduce.return %154 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %159 = "tt.reduce"(%145) <{axis = 1 : i32}> ({
    ^bb0(%156: f32, %157: f32):
      %158 = arith.addf %156, %157 : f32
      tt.reduce.return %158 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %163 = "tt.reduce"(%147) <{axis = 1 : i32}> ({
    ^bb0(%160: f32, %161: f32):
      %162 = arith.addf %160, %161 : f32
      tt.reduce.return %162 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %164 = tt.addptr %y, %30 : !tt.ptr<bf16>, i32
    %166 = arith.negf %151 : tensor<1xf32>
    %167 = math.exp %166 : tensor<1xf32>
    %169 = tt.splat %168 : f32 -> tensor<1xf32>
    %170 = arith.addf %167, %169 : tensor<1xf32>
    %171 = arith.divf %165, %170 : tensor<1xf32>
    %172 = arith.mulf %151, %171 : tensor<1xf32>
    %173 = arith.mulf %172, %159 : tensor<1xf32>
    %174 = tt.splat %164 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %175 = tt.addptr %174, %7 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %176 = arith.truncf %173 : tensor<1xf32> to tensor<1xbf16>
    tt.store %175, %176, %10 : tensor<1x!tt.ptr<bf16>>
    %177 = tt.addptr %y, %8 : !tt.ptr<bf16>, i32
    %178 = arith.negf %155 : tensor<1xf32>
    %179 = math.exp %178 : tensor<1xf32>
    %180 = tt.splat %168 : f32 -> tensor<1xf32>
    %181 = arith.addf %179, %180 : tensor<1xf32>
    %182 = arith.divf %165, %181 : tensor<1xf32>
    %183 = arith.mulf %155, %182 : tensor<1xf32>
    %184 = arith.mulf %183, %163 : tensor<1xf32>
    %185 = tt.splat %177 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %186 = tt.addptr %185, %7 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %187 = arith.truncf %184 : tensor<1xf32> to tensor<1xbf16>
    tt.store %186, %187, %10 : tensor<1x!tt.ptr<bf16>>
    tt.return
  }
}
