module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 300 : i64
    %8 = arith.constant dense<0.0e0> : tensor<512xf32>
    %9 = arith.constant 0 : i32
    %10 = arith.constant 2048 : i32
    %27 = arith.constant 300 : i32
    %37 = arith.constant 512 : i32
    %60 = arith.constant 1024 : i32
    %83 = arith.constant 1536 : i32
    %115 = arith.constant 0.0e0 : bf16
    %151 = arith.constant 7 : i32
    %3 = tt.get_program_id x : i32
    %4 = arith.extsi %3 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %7 = tt.addptr %weight, %6 : !tt.ptr<bf16>, i64
    %106:2 = scf.for %11 = %9 to %9 step %10 iter_args(%12 = %8, %13 = %8) -> (tensor<512xf32>, tensor<512xf32>) : i32 {
      %14 = arith.addi %11, %9 : i32
      %15 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %16 = tt.splat %14 : i32 -> tensor<512xi32>
      %17 = arith.addi %16, %15 : tensor<512xi32>
      %18 = tt.splat %7 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %19 = tt.addptr %18, %17 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %20 = tt.load %19 : tensor<512x!tt.ptr<bf16>>
      %21 = arith.extf %20 : tensor<512xbf16> to tensor<512xf32>
      %22 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
      %23 = tt.splat %22 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %24 = tt.addptr %23, %17 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %25 = tt.load %24 : tensor<512x!tt.ptr<bf16>>
      %26 = arith.extf %25 : tensor<512xbf16> to tensor<512xf32>
      %28 = tt.addptr %x, %27 : !tt.ptr<bf16>, i32
      %29 = tt.splat %28 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %30 = tt.addptr %29, %17 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %31 = tt.load %30 : tensor<512x!tt.ptr<bf16>>
      %32 = arith.extf %31 : tensor<512xbf16> to tensor<512xf32>
      %33 = arith.mulf %21, %26 : tensor<512xf32>
      %34 = arith.addf %12, %33 : tensor<512xf32>
      %35 = arith.mulf %21, %32 : tensor<512xf32>
      %36 = arith.addf %13, %35 : tensor<512xf32>
      %38 = arith.addi %11, %37 : i32
      %39 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %40 = tt.splat %38 : i32 -> tensor<512xi32>
      %41 = arith.addi %40, %39 : tensor<512xi32>
      %42 = tt.splat %7 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %43 = tt.addptr %42, %41 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %44 = tt.load %43 : tensor<512x!tt.ptr<bf16>>
      %45 = arith.extf %44 : tensor<512xbf16> to tensor<512xf32>
      %46 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
      %47 = tt.splat %46 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %48 = tt.addptr %47, %41 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %49 = tt.load %48 : tensor<512x!tt.ptr<bf16>>
      %50 = arith.extf %49 : tensor<512xbf16> to tensor<512xf32>
      %51 = tt.addptr %x, %27 : !tt.ptr<bf16>, i32
      %52 = tt.splat %51 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %53 = tt.addptr %52, %41 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %54 = tt.load %53 : tensor<512x!tt.ptr<bf16>>
      %55 = arith.extf %54 : tensor<512xbf16> to tensor<512xf32>
      %56 = arith.mulf %45, %50 : tensor<512xf32>
      %57 = arith.addf %34, %56 : tensor<512xf32>
      %58 = arith.mulf %45, %55 : tensor<512xf32>
      %59 = arith.addf %36, %58 : tensor<512xf32>
      %61 = arith.addi %11, %60 : i32
      %62 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %63 = tt.splat %61 : i32 -> tensor<512xi32>
      %64 = arith.addi %63, %62 : tensor<512xi32>
      %65 = tt.splat %7 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %66 = tt.addptr %65, %64 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %67 = tt.load %66 : tensor<512x!tt.ptr<bf16>>
      %68 = arith.extf %67 : tensor<512xbf16> to tensor<512xf32>
      %69 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
      %70 = tt.splat %69 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %71 = tt.addptr %70, %64 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %72 = tt.load %71 : tensor<512x!tt.ptr<bf16>>
      %73 = arith.extf %72 : tensor<512xbf16> to tensor<512xf32>
      %74 = tt.addptr %x, %27 : !tt.ptr<bf16>, i32
      %75 = tt.splat %74 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %76 = tt.addptr %75, %64 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %77 = tt.load %76 : tensor<512x!tt.ptr<bf16>>
      %78 = arith.extf %77 : tensor<512xbf16> to tensor<512xf32>
      %79 = arith.mulf %68, %73 : tensor<512xf32>
      %80 = arith.addf %57, %79 : tensor<512xf32>
      %81 = arith.mulf %68, %78 : tensor<512xf32>
      %82 = arith.addf %59, %81 : tensor<512xf32>
      %84 = arith.addi %11, %83 : i32
      %85 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %86 = tt.splat %84 : i32 -> tensor<512xi32>
      %87 = arith.addi %86, %85 : tensor<512xi32>
      %88 = tt.splat %7 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %89 = tt.addptr %88, %87 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %90 = tt.load %89 : tensor<512x!tt.ptr<bf16>>
      %91 = arith.extf %90 : tensor<512xbf16> to tensor<512xf32>
      %92 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
      %93 = tt.splat %92 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %94 = tt.addptr %93, %87 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %95 = tt.load %94 : tensor<512x!tt.ptr<bf16>>
      %96 = arith.extf %95 : tensor<512xbf16> to tensor<512xf32>
      %97 = tt.addptr %x, %27 : !tt.ptr<bf16>, i32
      %98 = tt.splat %97 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %99 = tt.addptr %98, %87 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %100 = tt.load %99 : tensor<512x!tt.ptr<bf16>>
      %101 = arith.extf %100 : tensor<512xbf16> to tensor<512xf32>
      %102 = arith.mulf %91, %96 : tensor<512xf32>
      %103 = arith.addf %80, %102 : tensor<512xf32>
      %104 = arith.mulf %91, %101 : tensor<512xf32>
      %105 = arith.addf %82, %104 : tensor<512xf32>
      scf.yield %103, %105 : tensor<512xf32>, tensor<512xf32>
    }
    %108 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %109 = tt.splat %9 : i32 -> tensor<512xi32>
    %110 = arith.addi %109, %108 : tensor<512xi32>
    %111 = tt.splat %7 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %112 = tt.addptr %111, %110 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %113 = tt.splat %27 : i32 -> tensor<512xi32>
    %114 = arith.cmpi slt, %110, %113 : tensor<512xi32>
    %116 = tt.splat %115 : bf16 -> tensor<512xbf16>
    %117 = tt.load %112, %114, %116 : tensor<512x!tt.ptr<bf16>>
    %118 = arith.extf %117 : tensor<512xbf16> to tensor<512xf32>
    %119 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
    %120 = tt.splat %119 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %121 = tt.addptr %120, %110 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %122 = tt.splat %27 : i32 -> tensor<512xi32>
    %123 = arith.cmpi slt, %110, %122 : tensor<512xi32>
    %124 = tt.splat %115 : bf16 -> tensor<512xbf16>
    %125 = tt.load %121, %123, %124 : tensor<512x!tt.ptr<bf16>>
    %126 = arith.extf %125 : tensor<512xbf16> to tensor<512xf32>
    %127 = tt.addptr %x, %27 : !tt.ptr<bf16>, i32
    %128 = tt.splat %127 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %129 = tt.addptr %128, %110 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %130 = tt.splat %27 : i32 -> tensor<512xi32>
    %131 = arith.cmpi slt, %110, %130 : tensor<512xi32>
    %132 = tt.splat %115 : bf16 -> tensor<512xbf16>
    %133 = tt.load %129, %131, %132 : tensor<512x!tt.ptr<bf16>>
    %134 = arith.extf %133 : tensor<512xbf16> to tensor<512xf32>
    %135 = arith.mulf %118, %126 : tensor<512xf32>
    %136 = arith.addf %106#0, %135 : tensor<512xf32>
    %137 = arith.mulf %118, %134 : tensor<512xf32>
    %138 = arith.addf %106#1, %137 : tensor<512xf32>
    %142 = "tt.reduce"(%136) <{axis = 0 : i32}> ({
    ^bb0(%139: f32, %140: f32):
      %141 = arith.addf %139, %140 : f32
      tt.reduce.return %141 : f32
    }) : (tensor<512xf32>) -> (f32)
    %146 = "tt.reduce"(%138) <{axis = 0 : i32}> ({
    ^bb0(%143: f32, %144: f32):
      %145 = arith.addf %143, %144 : f32
      tt.reduce.return %145 : f32
    }) : (tensor<512xf32>) -> (f32)
    %147 = arith.subi %3, %9 : i32
    %148 = tt.addptr %y, %9 : !tt.ptr<bf16>, i32
    %149 = tt.addptr %148, %147 : !tt.ptr<bf16>, i32
    %150 = arith.truncf %142 : f32 to bf16
    tt.store %149, %150 : !tt.ptr<bf16>
    %152 = tt.addptr %y, %151 : !tt.ptr<bf16>, i32
    %153 = tt.addptr %152, %147 : !tt.ptr<bf16>, i32
    %154 = arith.truncf %146 : f32 to bf16
    tt.store %153, %154 : !tt.ptr<bf16>
    tt.return
  }
}
