module {
  tt.func public @gated_vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %6 = arith.constant 300 : i64
    %12 = arith.constant dense<0.0e0> : tensor<512xf32>
    %13 = arith.constant 0 : i32
    %14 = arith.constant 1024 : i32
    %37 = arith.constant 300 : i32
    %51 = arith.constant 512 : i32
    %93 = arith.constant 0.0e0 : bf16
    %145 = arith.constant 1.0e0 : f32
    %154 = arith.constant 7 : i32
    %4 = tt.get_program_id x : i32
    %5 = arith.extsi %4 : i32 to i64
    %7 = arith.muli %5, %6 : i64
    %8 = tt.addptr %weight, %7 : !tt.ptr<bf16>, i64
    %9 = arith.extsi %4 : i32 to i64
    %10 = arith.muli %9, %6 : i64
    %11 = tt.addptr %second, %10 : !tt.ptr<bf16>, i64
    %82:4 = scf.for %15 = %13 to %13 step %14 iter_args(%16 = %12, %17 = %12, %18 = %12, %19 = %12) -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) : i32 {
      %20 = arith.addi %15, %13 : i32
      %21 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %22 = tt.splat %20 : i32 -> tensor<512xi32>
      %23 = arith.addi %22, %21 : tensor<512xi32>
      %24 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %25 = tt.addptr %24, %23 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %26 = tt.load %25 : tensor<512x!tt.ptr<bf16>>
      %27 = arith.extf %26 : tensor<512xbf16> to tensor<512xf32>
      %28 = tt.splat %11 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %29 = tt.addptr %28, %23 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %30 = tt.load %29 : tensor<512x!tt.ptr<bf16>>
      %31 = arith.extf %30 : tensor<512xbf16> to tensor<512xf32>
      %32 = tt.addptr %x, %13 : !tt.ptr<bf16>, i32
      %33 = tt.splat %32 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %34 = tt.addptr %33, %23 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %35 = tt.load %34 : tensor<512x!tt.ptr<bf16>>
      %36 = arith.extf %35 : tensor<512xbf16> to tensor<512xf32>
      %38 = tt.addptr %x, %37 : !tt.ptr<bf16>, i32
      %39 = tt.splat %38 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %40 = tt.addptr %39, %23 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %41 = tt.load %40 : tensor<512x!tt.ptr<bf16>>
      %42 = arith.extf %41 : tensor<512xbf16> to tensor<512xf32>
      %43 = arith.mulf %27, %36 : tensor<512xf32>
      %44 = arith.addf %16, %43 : tensor<512xf32>
      %45 = arith.mulf %27, %42 : tensor<512xf32>
      %46 = arith.addf %17, %45 : tensor<512xf32>
      %47 = arith.mulf %31, %36 : tensor<512xf32>
      %48 = arith.addf %18, %47 : tensor<512xf32>
      %49 = arith.mulf %31, %42 : tensor<512xf32>
      %50 = arith.addf %19, %49 : tensor<512xf32>
      %52 = arith.addi %15, %51 : i32
      %53 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %54 = tt.splat %52 : i32 -> tensor<512xi32>
      %55 = arith.addi %54, %53 : tensor<512xi32>
      %56 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %57 = tt.addptr %56, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %58 = tt.load %57 : tensor<512x!tt.ptr<bf16>>
      %59 = arith.extf %58 : tensor<512xbf16> to tensor<512xf32>
      %60 = tt.splat %11 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %61 = tt.addptr %60, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %62 = tt.load %61 : tensor<512x!tt.ptr<bf16>>
      %63 = arith.extf %62 : tensor<512xbf16> to tensor<512xf32>
      %64 = tt.addptr %x, %13 : !tt.ptr<bf16>, i32
      %65 = tt.splat %64 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %66 = tt.addptr %65, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %67 = tt.load %66 : tensor<512x!tt.ptr<bf16>>
      %68 = arith.extf %67 : tensor<512xbf16> to tensor<512xf32>
      %69 = tt.addptr %x, %37 : !tt.ptr<bf16>, i32
      %70 = tt.splat %69 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %71 = tt.addptr %70, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %72 = tt.load %71 : tensor<512x!tt.ptr<bf16>>
      %73 = arith.extf %72 : tensor<512xbf16> to tensor<512xf32>
      %74 = arith.mulf %59, %68 : tensor<512xf32>
      %75 = arith.addf %44, %74 : tensor<512xf32>
      %76 = arith.mulf %59, %73 : tensor<512xf32>
      %77 = arith.addf %46, %76 : tensor<512xf32>
      %78 = arith.mulf %63, %68 : tensor<512xf32>
      %79 = arith.addf %48, %78 : tensor<512xf32>
      %80 = arith.mulf %63, %73 : tensor<512xf32>
      %81 = arith.addf %50, %80 : tensor<512xf32>
      scf.yield %75, %77, %79, %81 : tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>
    }
    %86 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %87 = tt.splat %13 : i32 -> tensor<512xi32>
    %88 = arith.addi %87, %86 : tensor<512xi32>
    %89 = tt.splat %8 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %90 = tt.addptr %89, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %91 = tt.splat %37 : i32 -> tensor<512xi32>
    %92 = arith.cmpi slt, %88, %91 : tensor<512xi32>
    %94 = tt.splat %93 : bf16 -> tensor<512xbf16>
    %95 = tt.load %90, %92, %94 : tensor<512x!tt.ptr<bf16>>
    %96 = arith.extf %95 : tensor<512xbf16> to tensor<512xf32>
    %97 = tt.splat %11 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %98 = tt.addptr %97, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %99 = tt.splat %37 : i32 -> tensor<512xi32>
    %100 = arith.cmpi slt, %88, %99 : tensor<512xi32>
    %101 = tt.splat %93 : bf16 -> tensor<512xbf16>
    %102 = tt.load %98, %100, %101 : tensor<512x!tt.ptr<bf16>>
    %103 = arith.extf %102 : tensor<512xbf16> to tensor<512xf32>
    %104 = tt.addptr %x, %13 : !tt.ptr<bf16>, i32
    %105 = tt.splat %104 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %106 = tt.addptr %105, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %107 = tt.splat %37 : i32 -> tensor<512xi32>
    %108 = arith.cmpi slt, %88, %107 : tensor<512xi32>
    %109 = tt.splat %93 : bf16 -> tensor<512xbf16>
    %110 = tt.load %106, %108, %109 : tensor<512x!tt.ptr<bf16>>
    %111 = arith.extf %110 : tensor<512xbf16> to tensor<512xf32>
    %112 = tt.addptr %x, %37 : !tt.ptr<bf16>, i32
    %113 = tt.splat %112 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %114 = tt.addptr %113, %88 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %115 = tt.splat %37 : i32 -> tensor<512xi32>
    %116 = arith.cmpi slt, %88, %115 : tensor<512xi32>
    %117 = tt.splat %93 : bf16 -> tensor<512xbf16>
    %118 = tt.load %114, %116, %117 : tensor<512x!tt.ptr<bf16>>
    %119 = arith.extf %118 : tensor<512xbf16> to tensor<512xf32>
    %120 = arith.mulf %96, %111 : tensor<512xf32>
    %121 = arith.addf %82#0, %120 : tensor<512xf32>
    %122 = arith.mulf %96, %119 : tensor<512xf32>
    %123 = arith.addf %82#1, %122 : tensor<512xf32>
    %124 = arith.mulf %103, %111 : tensor<512xf32>
    %125 = arith.addf %82#2, %124 : tensor<512xf32>
    %126 = arith.mulf %103, %119 : tensor<512xf32>
    %127 = arith.addf %82#3, %126 : tensor<512xf32>
    %131 = "tt.reduce"(%121) <{axis = 0 : i32}> ({
    ^bb0(%128: f32, %129: f32):
      %130 = arith.addf %128, %129 : f32
      tt.reduce.return %130 : f32
    }) : (tensor<512xf32>) -> (f32)
    %135 = "tt.reduce"(%123) <{axis = 0 : i32}> ({
    ^bb0(%132: f32, %133: f32):
      %134 = arith.addf %132, %133 : f32
      tt.reduce.return %134 : f32
    }) : (tensor<512xf32>) -> (f32)
    %139 = "tt.reduce"(%125) <{axis = 0 : i32}> ({
    ^bb0(%136: f32, %137: f32):
      %138 = arith.addf %136, %137 : f32
      tt.reduce.return %138 : f32
    }) : (tensor<512xf32>) -> (f32)
    %143 = "tt.reduce"(%127) <{axis = 0 : i32}> ({
    ^bb0(%140: f32, %141: f32):
      %142 = arith.addf %140, %141 : f32
      tt.reduce.return %142 : f32
    }) : (tensor<512xf32>) -> (f32)
    %144 = tt.addptr %y, %13 : !tt.ptr<bf16>, i32
    %146 = arith.negf %131 : f32
    %147 = math.exp %146 : f32
    %148 = arith.addf %147, %145 : f32
    %149 = arith.divf %145, %148 : f32
    %150 = arith.mulf %131, %149 : f32
    %151 = arith.mulf %150, %139 : f32
    %152 = tt.addptr %144, %4 : !tt.ptr<bf16>, i32
    %153 = arith.truncf %151 : f32 to bf16
    tt.store %152, %153 : !tt.ptr<bf16>
    %155 = tt.addptr %y, %154 : !tt.ptr<bf16>, i32
    %156 = arith.negf %135 : f32
    %157 = math.exp %156 : f32
    %158 = arith.addf %157, %145 : f32
    %159 = arith.divf %145, %158 : f32
    %160 = arith.mulf %135, %159 : f32
    %161 = arith.mulf %160, %143 : f32
    %162 = tt.addptr %155, %4 : !tt.ptr<bf16>, i32
    %163 = arith.truncf %161 : f32 to bf16
    tt.store %162, %163 : !tt.ptr<bf16>
    tt.return
  }
}
