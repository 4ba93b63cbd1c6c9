module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %others: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 300 : i64
    %9 = arith.constant dense<0.0e0> : tensor<512xf32>
    %10 = arith.constant 0 : i32
    %11 = arith.constant 2048 : i32
    %28 = arith.constant 300 : i32
    %38 = arith.constant 512 : i32
    %61 = arith.constant 1024 : i32
    %84 = arith.constant 1536 : i32
    %116 = arith.constant 0.0e0 : bf16
    %157 = arith.constant 7 : i32
    %4 = tt.get_program_id x : i32
    %5 = arith.extsi %4 : i32 to i64
    %7 = arith.muli %5, %6 : i64
    %8 = tt.addptr %weight, %7 : !tt.ptr<bf16>, i64
    %107:2 = scf.for %12 = %10 to %10 step %11 iter_args(%13 = %9, %14 = %9) -> (tensor<512xf32>, tensor<512xf32>) : i32 {
      %15 = arith.addi %12, %10 : i32
      %16 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %17 = tt.splat %15 : i32 -> tensor<512xi32>
      %18 = arith.addi %17, %16 : tensor<512xi32>
      %19 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %20 = tt.addptr %19, %18 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %21 = tt.load %20 : tensor<512x!tt.ptr<bf16>>
      %22 = arith.extf %21 : tensor<512xbf16> to tensor<512xf32>
      %23 = tt.addptr %x, %10 : !tt.ptr<bf16>, i32
      %24 = tt.splat %23 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %25 = tt.addptr %24, %18 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %26 = tt.load %25 : tensor<512x!tt.ptr<bf16>>
      %27 = arith.extf %26 : tensor<512xbf16> to tensor<512xf32>
      %29 = tt.addptr %x, %28 : !tt.ptr<bf16>, i32
      %30 = tt.splat %29 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %31 = tt.addptr %30, %18 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %32 = tt.load %31 : tensor<512x!tt.ptr<bf16>>
      %33 = arith.extf %32 : tensor<512xbf16> to tensor<512xf32>
      %34 = arith.mulf %22, %27 : tensor<512xf32>
      %35 = arith.addf %13, %34 : tensor<512xf32>
      %36 = arith.mulf %22, %33 : tensor<512xf32>
      %37 = arith.addf %14, %36 : tensor<512xf32>
      %39 = arith.addi %12, %38 : i32
      %40 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %41 = tt.splat %39 : i32 -> tensor<512xi32>
      %42 = arith.addi %41, %40 : tensor<512xi32>
      %43 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %44 = tt.addptr %43, %42 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %45 = tt.load %44 : tensor<512x!tt.ptr<bf16>>
      %46 = arith.extf %45 : tensor<512xbf16> to tensor<512xf32>
      %47 = tt.addptr %x, %10 : !tt.ptr<bf16>, i32
      %48 = tt.splat %47 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %49 = tt.addptr %48, %42 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %50 = tt.load %49 : tensor<512x!tt.ptr<bf16>>
      %51 = arith.extf %50 : tensor<512xbf16> to tensor<512xf32>
      %52 = tt.addptr %x, %28 : !tt.ptr<bf16>, i32
      %53 = tt.splat %52 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %54 = tt.addptr %53, %42 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %55 = tt.load %54 : tensor<512x!tt.ptr<bf16>>
      %56 = arith.extf %55 : tensor<512xbf16> to tensor<512xf32>
      %57 = arith.mulf %46, %51 : tensor<512xf32>
      %58 = arith.addf %35, %57 : tensor<512xf32>
      %59 = arith.mulf %46, %56 : tensor<512xf32>
      %60 = arith.addf %37, %59 : tensor<512xf32>
      %62 = arith.addi %12, %61 : i32
      %63 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %64 = tt.splat %62 : i32 -> tensor<512xi32>
      %65 = arith.addi %64, %63 : tensor<512xi32>
      %66 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %67 = tt.addptr %66, %65 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %68 = tt.load %67 : tensor<512x!tt.ptr<bf16>>
      %69 = arith.extf %68 : tensor<512xbf16> to tensor<512xf32>
      %70 = tt.addptr %x, %10 : !tt.ptr<bf16>, i32
      %71 = tt.splat %70 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %72 = tt.addptr %71, %65 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %73 = tt.load %72 : tensor<512x!tt.ptr<bf16>>
      %74 = arith.extf %73 : tensor<512xbf16> to tensor<512xf32>
      %75 = tt.addptr %x, %28 : !tt.ptr<bf16>, i32
      %76 = tt.splat %75 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %77 = tt.addptr %76, %65 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %78 = tt.load %77 : tensor<512x!tt.ptr<bf16>>
      %79 = arith.extf %78 : tensor<512xbf16> to tensor<512xf32>
      %80 = arith.mulf %69, %74 : tensor<512xf32>
      %81 = arith.addf %58, %80 : tensor<512xf32>
      %82 = arith.mulf %69, %79 : tensor<512xf32>
      %83 = arith.addf %60, %82 : tensor<512xf32>
      %85 = arith.addi %12, %84 : i32
      %86 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %87 = tt.splat %85 : i32 -> tensor<512xi32>
      %88 = arith.addi %87, %86 : tensor<512xi32>
      %89 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %90 = tt.addptr %89, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %91 = tt.load %90 : tensor<512x!tt.ptr<bf16>>
      %92 = arith.extf %91 : tensor<512xbf16> to tensor<512xf32>
      %93 = tt.addptr %x, %10 : !tt.ptr<bf16>, i32
      %94 = tt.splat %93 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %95 = tt.addptr %94, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %96 = tt.load %95 : tensor<512x!tt.ptr<bf16>>
      %97 = arith.extf %96 : tensor<512xbf16> to tensor<512xf32>
      %98 = tt.addptr %x, %28 : !tt.ptr<bf16>, i32
      %99 = tt.splat %98 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %100 = tt.addptr %99, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %101 = tt.load %100 : tensor<512x!tt.ptr<bf16>>
      %102 = arith.extf %101 : tensor<512xbf16> to tensor<512xf32>
      %103 = arith.mulf %92, %97 : tensor<512xf32>
      %104 = arith.addf %81, %103 : tensor<512xf32>
      %105 = arith.mulf %92, %102 : tensor<512xf32>
      %106 = arith.addf %83, %105 : tensor<512xf32>
      scf.yield %104, %106 : tensor<512xf32>, tensor<512xf32>
    }
    %109 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %110 = tt.splat %10 : i32 -> tensor<512xi32>
    %111 = arith.addi %110, %109 : tensor<512xi32>
    %112 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %113 = tt.addptr %112, %111 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %114 = tt.splat %28 : i32 -> tensor<512xi32>
    %115 = arith.cmpi slt, %111, %114 : tensor<512xi32>
    %117 = tt.splat %116 : bf16 -> tensor<512xbf16>
    %118 = tt.load %113, %115, %117 : tensor<512x!tt.ptr<bf16>>
    %119 = arith.extf %118 : tensor<512xbf16> to tensor<512xf32>
    %120 = tt.addptr %x, %10 : !tt.ptr<bf16>, i32
    %121 = tt.splat %120 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %122 = tt.addptr %121, %111 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %123 = tt.splat %28 : i32 -> tensor<512xi32>
    %124 = arith.cmpi slt, %111, %123 : tensor<512xi32>
    %125 = tt.splat %116 : bf16 -> tensor<512xbf16>
    %126 = tt.load %122, %124, %125 : tensor<512x!tt.ptr<bf16>>
    %127 = arith.extf %126 : tensor<512xbf16> to tensor<512xf32>
    %128 = tt.addptr %x, %28 : !tt.ptr<bf16>, i32
    %129 = tt.splat %128 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %130 = tt.addptr %129, %111 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %131 = tt.splat %28 : i32 -> tensor<512xi32>
    %132 = arith.cmpi slt, %111, %131 : tensor<512xi32>
    %133 = tt.splat %116 : bf16 -> tensor<512xbf16>
    %134 = tt.load %130, %132, %133 : tensor<512x!tt.ptr<bf16>>
    %135 = arith.extf %134 : tensor<512xbf16> to tensor<512xf32>
    %136 = arith.mulf %119, %127 : tensor<512xf32>
    %137 = arith.addf %107#0, %136 : tensor<512xf32>
    %138 = arith.mulf %119, %135 : tensor<512xf32>
    %139 = arith.addf %107#1, %138 : tensor<512xf32>
    %143 = "tt.reduce"(%137) <{axis = 0 : i32}> ({
    ^bb0(%140: f32, %141: f32):
      %142 = arith.addf %140, %141 : f32
      tt.reduce.return %142 : f32
    }) : (tensor<512xf32>) -> (f32)
    %147 = "tt.reduce"(%139) <{axis = 0 : i32}> ({
    ^bb0(%144: f32, %145: f32):
      %146 = arith.addf %144, %145 : f32
      tt.reduce.return %146 : f32
    }) : (tensor<512xf32>) -> (f32)
    %148 = arith.subi %4, %10 : i32
    %149 = tt.addptr %others, %10 : !tt.ptr<bf16>, i32
    %150 = tt.addptr %149, %148 : !tt.ptr<bf16>, i32
    %151 = tt.load %150 : !tt.ptr<bf16>
    %152 = arith.extf %151 : bf16 to f32
    %153 = tt.addptr %y, %10 : !tt.ptr<bf16>, i32
    %154 = arith.addf %152, %143 : f32
    %155 = tt.addptr %153, %148 : !tt.ptr<bf16>, i32
    %156 = arith.truncf %154 : f32 to bf16
    tt.store %155, %156 : !tt.ptr<bf16>
    %158 = tt.addptr %others, %157 : !tt.ptr<bf16>, i32
    %159 = tt.addptr %158, %148 : !tt.ptr<bf16>, i32
    %160 = tt.load %159 : !tt.ptr<bf16>
    %161 = arith.extf %160 : bf16 to f32
    %162 = tt.addptr %y, %157 : !tt.ptr<bf16>, i32
    %163 = arith.addf %161, %147 : f32
    %164 = tt.addptr %162, %148 : !tt.ptr<bf16>, i32
    %165 = arith.truncf %163 : f32 to bf16
    tt.store %164, %165 : !tt.ptr<bf16>
    tt.return
  }
}
