module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %third: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_third: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 7 : i32
    %13 = arith.constant 10 : i32
    %19 = arith.constant 300 : i64
    %22 = arith.constant dense<0.0e0> : tensor<512xf32>
    %23 = arith.constant 0 : i32
    %24 = arith.constant 2048 : i32
    %41 = arith.constant 300 : i32
    %51 = arith.constant 512 : i32
    %74 = arith.constant 1024 : i32
    %97 = arith.constant 1536 : i32
    %129 = arith.constant 0.0e0 : bf16
    %178 = arith.constant 3 : i32
    %184 = arith.constant 12 : i32
    %190 = arith.constant 2 : i32
    %7 = tt.get_program_id x : i32
    %9 = arith.cmpi sge, %7, %8 : i32
    %10 = arith.select %9, %second, %weight : !tt.ptr<bf16>
    %11 = arith.subi %7, %8 : i32
    %12 = arith.select %9, %11, %7 : i32
    %14 = arith.cmpi sge, %7, %13 : i32
    %15 = arith.select %14, %third, %10 : !tt.ptr<bf16>
    %16 = arith.subi %7, %13 : i32
    %17 = arith.select %14, %16, %12 : i32
    %18 = arith.extsi %17 : i32 to i64
    %20 = arith.muli %18, %19 : i64
    %21 = tt.addptr %15, %20 : !tt.ptr<bf16>, i64
    %120:2 = scf.for %25 = %23 to %23 step %24 iter_args(%26 = %22, %27 = %22) -> (tensor<512xf32>, tensor<512xf32>) : i32 {
      %28 = arith.addi %25, %23 : i32
      %29 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %30 = tt.splat %28 : i32 -> tensor<512xi32>
      %31 = arith.addi %30, %29 : tensor<512xi32>
      %32 = tt.splat %21 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %33 = tt.addptr %32, %31 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %34 = tt.load %33 : tensor<512x!tt.ptr<bf16>>
      %35 = arith.extf %34 : tensor<512xbf16> to tensor<512xf32>
      %36 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %37 = tt.splat %36 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %38 = tt.addptr %37, %31 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %39 = tt.load %38 : tensor<512x!tt.ptr<bf16>>
      %40 = arith.extf %39 : tensor<512xbf16> to tensor<512xf32>
      %42 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %43 = tt.splat %42 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %44 = tt.addptr %43, %31 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %45 = tt.load %44 : tensor<512x!tt.ptr<bf16>>
      %46 = arith.extf %45 : tensor<512xbf16> to tensor<512xf32>
      %47 = arith.mulf %35, %40 : tensor<512xf32>
      %48 = arith.addf %26, %47 : tensor<512xf32>
      %49 = arith.mulf %35, %46 : tensor<512xf32>
      %50 = arith.addf %27, %49 : tensor<512xf32>
      %52 = arith.addi %25, %51 : i32
      %53 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %54 = tt.splat %52 : i32 -> tensor<512xi32>
      %55 = arith.addi %54, %53 : tensor<512xi32>
      %56 = tt.splat %21 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %57 = tt.addptr %56, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %58 = tt.load %57 : tensor<512x!tt.ptr<bf16>>
      %59 = arith.extf %58 : tensor<512xbf16> to tensor<512xf32>
      %60 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %61 = tt.splat %60 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %62 = tt.addptr %61, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %63 = tt.load %62 : tensor<512x!tt.ptr<bf16>>
      %64 = arith.extf %63 : tensor<512xbf16> to tensor<512xf32>
      %65 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %66 = tt.splat %65 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %67 = tt.addptr %66, %55 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %68 = tt.load %67 : tensor<512x!tt.ptr<bf16>>
      %69 = arith.extf %68 : tensor<512xbf16> to tensor<512xf32>
      %70 = arith.mulf %59, %64 : tensor<512xf32>
      %71 = arith.addf %48, %70 : tensor<512xf32>
      %72 = arith.mulf %59, %69 : tensor<512xf32>
      %73 = arith.addf %50, %72 : tensor<512xf32>
      %75 = arith.addi %25, %74 : i32
      %76 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %77 = tt.splat %75 : i32 -> tensor<512xi32>
      %78 = arith.addi %77, %76 : tensor<512xi32>
      %79 = tt.splat %21 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %80 = tt.addptr %79, %78 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %81 = tt.load %80 : tensor<512x!tt.ptr<bf16>>
      %82 = arith.extf %81 : tensor<512xbf16> to tensor<512xf32>
      %83 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %84 = tt.splat %83 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %85 = tt.addptr %84, %78 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %86 = tt.load %85 : tensor<512x!tt.ptr<bf16>>
      %87 = arith.extf %86 : tensor<512xbf16> to tensor<512xf32>
      %88 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %89 = tt.splat %88 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %90 = tt.addptr %89, %78 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %91 = tt.load %90 : tensor<512x!tt.ptr<bf16>>
      %92 = arith.extf %91 : tensor<512xbf16> to tensor<512xf32>
      %93 = arith.mulf %82, %87 : tensor<512xf32>
      %94 = arith.addf %71, %93 : tensor<512xf32>
      %95 = arith.mulf %82, %92 : tensor<512xf32>
      %96 = arith.addf %73, %95 : tensor<512xf32>
      %98 = arith.addi %25, %97 : i32
      %99 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %100 = tt.splat %98 : i32 -> tensor<512xi32>
      %101 = arith.addi %100, %99 : tensor<512xi32>
      %102 = tt.splat %21 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %103 = tt.addptr %102, %101 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %104 = tt.load %103 : tensor<512x!tt.ptr<bf16>>
      %105 = arith.extf %104 : tensor<512xbf16> to tensor<512xf32>
      %106 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %107 = tt.splat %106 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %108 = tt.addptr %107, %101 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %109 = tt.load %108 : tensor<512x!tt.ptr<bf16>>
      %110 = arith.extf %109 : tensor<512xbf16> to tensor<512xf32>
      %111 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
      %112 = tt.splat %111 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
      %113 = tt.addptr %112, %101 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
      %114 = tt.load %113 : tensor<512x!tt.ptr<bf16>>
      %115 = arith.extf %114 : tensor<512xbf16> to tensor<512xf32>
      %116 = arith.mulf %105, %110 : tensor<512xf32>
      %117 = arith.addf %94, %116 : tensor<512xf32>
      %118 = arith.mulf %105, %115 : tensor<512xf32>
      %119 = arith.addf %96, %118 : tensor<512xf32>
      scf.yield %117, %119 : tensor<512xf32>, tensor<512xf32>
    }
    %122 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %123 = tt.splat %23 : i32 -> tensor<512xi32>
    %124 = arith.addi %123, %122 : tensor<512xi32>
    %125 = tt.splat %21 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %126 = tt.addptr %125, %124 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %127 = tt.splat %41 : i32 -> tensor<512xi32>
    %128 = arith.cmpi slt, %124, %127 : tensor<512xi32>
    %130 = tt.splat %129 : bf16 -> tensor<512xbf16>
    %131 = tt.load %126, %128, %130 : tensor<512x!tt.ptr<bf16>>
    %132 = arith.extf %131 : tensor<512xbf16> to tensor<512xf32>
    %133 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
    %134 = tt.splat %133 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %135 = tt.addptr %134, %124 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %136 = tt.splat %41 : i32 -> tensor<512xi32>
    %137 = arith.cmpi slt, %124, %136 : tensor<512xi32>
    %138 = tt.splat %129 : bf16 -> tensor<512xbf16>
    %139 = tt.load %135, %137, %138 : tensor<512x!tt.ptr<bf16>>
    %140 = arith.extf %139 : tensor<512xbf16> to tensor<512xf32>
    %141 = tt.addptr %x, %41 : !tt.ptr<bf16>, i32
    %142 = tt.splat %141 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %143 = tt.addptr %142, %124 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %144 = tt.splat %41 : i32 -> tensor<512xi32>
    %145 = arith.cmpi slt, %124, %144 : tensor<512xi32>
    %146 = tt.splat %129 : bf16 -> tensor<512xbf16>
    %147 = tt.load %143, %145, %146 : tensor<512x!tt.ptr<bf16>>
    %148 = arith.extf %147 : tensor<512xbf16> to tensor<512xf32>
    %149 = arith.mulf %132, %140 : tensor<512xf32>
    %150 = arith.addf %120#0, %149 : tensor<512xf32>
    %151 = arith.mulf %132, %148 : tensor<512xf32>
    %152 = arith.addf %120#1, %151 : tensor<512xf32>
    %156 = "tt.reduce"(%150) <{axis = 0 : i32}> ({
    ^bb0(%153: f32, %154: f32):
      %155 = arith.addf %153, %154 : f32
      tt.reduce.return %155 : f32
    }) : (tensor<512xf32>) -> (f32)
    %160 = "tt.reduce"(%152) <{axis = 0 : i32}> ({
    ^bb0(%157: f32, %158: f32):
      %159 = arith.addf %157, %158 : f32
      tt.reduce.return %159 : f32
    }) : (tensor<512xf32>) -> (f32)
    %161 = arith.subi %7, %23 : i32
    %162 = arith.cmpi sge, %7, %23 : i32
    %163 = arith.cmpi slt, %7, %8 : i32
    %164 = arith.andi %162, %163 : i1
    %165 = tt.addptr %y, %23 : !tt.ptr<bf16>, i32
    %166 = tt.addptr %165, %161 : !tt.ptr<bf16>, i32
    %167 = arith.truncf %156 : f32 to bf16
    tt.store %166, %167, %164 : !tt.ptr<bf16>
    %168 = tt.addptr %y, %8 : !tt.ptr<bf16>, i32
    %169 = tt.addptr %168, %161 : !tt.ptr<bf16>, i32
    %170 = arith.truncf %160 : f32 to bf16
    tt.store %169, %170, %164 : !tt.ptr<bf16>
    %171 = arith.subi %7, %8 : i32
    %172 = arith.cmpi sge, %7, %8 : i32
    %173 = arith.cmpi slt, %7, %13 : i32
    %174 = arith.andi %172, %173 : i1
    %175 = tt.addptr %y_second, %23 : !tt.ptr<bf16>, i32
    %176 = tt.addptr %175, %171 : !tt.ptr<bf16>, i32
    %177 = arith.truncf %156 : f32 to bf16
    tt.store %176, %177, %174 : !tt.ptr<bf16>
    %179 = tt.addptr %y_second, %178 : !tt.ptr<bf16>, i32
    %180 = tt.addptr %179, %171 : !tt.ptr<bf16>, i32
    %181 = arith.truncf %160 : f32 to bf16
    tt.store %180, %181, %174 : !tt.ptr<bf16>
    %182 = arith.subi %7, %13 : i32
    %183 = arith.cmpi sge, %7, %13 : i32
    %185 = arith.cmpi slt, %7, %184 : i32
    %186 = arith.andi %183, %185 : i1
    %187 = tt.addptr %y_third, %23 : !tt.ptr<bf16>, i32
    %188 = tt.addptr %187, %182 : !tt.ptr<bf16>, i32
    %189 = arith.truncf %156 : f32 to bf16
    tt.store %188, %189, %186 : !tt.ptr<bf16>
    %191 = tt.addptr %y_third, %190 : !tt.ptr<bf16>, i32
    %192 = tt.addptr %191, %182 : !tt.ptr<bf16>, i32
    %193 = arith.truncf %160 : f32 to bf16
    tt.store %192, %193, %186 : !tt.ptr<bf16>
    tt.return
  }
}
