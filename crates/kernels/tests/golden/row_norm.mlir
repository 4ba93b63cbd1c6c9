module {
  tt.func public @row_norm(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 300 : i32
    %12 = arith.constant 0.0e0 : bf16
    %26 = arith.constant 3.0e2 : f32
    %28 = arith.constant 1.0e-5 : f32
    %33 = arith.constant 1.0e0 : f32
    %3 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %5 = tt.splat %4 : i32 -> tensor<512xi32>
    %6 = arith.cmpi slt, %3, %5 : tensor<512xi32>
    %7 = tt.get_program_id x : i32
    %8 = arith.muli %7, %4 : i32
    %9 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
    %10 = tt.splat %9 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %11 = tt.addptr %10, %3 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %13 = tt.splat %12 : bf16 -> tensor<512xbf16>
    %14 = tt.load %11, %6, %13 : tensor<512x!tt.ptr<bf16>>
    %15 = arith.extf %14 : tensor<512xbf16> to tensor<512xf32>
    %16 = tt.splat %weight : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %17 = tt.addptr %16, %3 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %18 = tt.splat %12 : bf16 -> tensor<512xbf16>
    %19 = tt.load %17, %6, %18 : tensor<512x!tt.ptr<bf16>>
    %20 = arith.extf %19 : tensor<512xbf16> to tensor<512xf32>
    %21 = arith.mulf %15, %15 : tensor<512xf32>
    %25 = "tt.reduce"(%21) <{axis = 0 : i32}> ({
    ^bb0(%22: f32, %23: f32):
      %24 = arith.addf %22, %23 : f32
      tt.reduce.return %24 : f32
    }) : (tensor<512xf32>) -> (f32)
    %27 = arith.divf %25, %26 : f32
    %29 = arith.addf %27, %28 : f32
    %30 = math.rsqrt %29 : f32
    %31 = tt.splat %30 : f32 -> tensor<512xf32>
    %32 = arith.mulf %15, %31 : tensor<512xf32>
    %34 = tt.splat %33 : f32 -> tensor<512xf32>
    %35 = arith.addf %20, %34 : tensor<512xf32>
    %36 = arith.mulf %32, %35 : tensor<512xf32>
    %37 = tt.addptr %y, %8 : !tt.ptr<bf16>, i32
    %38 = tt.splat %37 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %39 = tt.addptr %38, %3 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %40 = arith.truncf %36 : tensor<512xf32> to tensor<512xbf16>
    tt.store %39, %40, %6 : tensor<512x!tt.ptr<bf16>>
    tt.return
  }
}
module {
  tt.func public @sum_and_norm(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %residual: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sum: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 300 : i32
    %13 = arith.constant 0.0e0 : bf16
    %20 = arith.constant 0 : i32
    %23 = arith.constant 0.0e0 : f32
    %26 = arith.constant 600 : i32
    %51 = arith.constant 3.0e2 : f32
    %53 = arith.constant 1.0e-5 : f32
    %4 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %6 = tt.splat %5 : i32 -> tensor<512xi32>
    %7 = arith.cmpi slt, %4, %6 : tensor<512xi32>
    %8 = tt.get_program_id x : i32
    %9 = arith.muli %8, %5 : i32
    %10 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
    %11 = tt.splat %10 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %12 = tt.addptr %11, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %14 = tt.splat %13 : bf16 -> tensor<512xbf16>
    %15 = tt.load %12, %7, %14 : tensor<512x!tt.ptr<bf16>>
    %16 = arith.extf %15 : tensor<512xbf16> to tensor<512xf32>
    %17 = tt.addptr %residual, %9 : !tt.ptr<f32>, i32
    %18 = tt.splat %17 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %19 = tt.addptr %18, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %21 = tt.splat %20 : i32 -> tensor<512xi32>
    %22 = tt.addptr %19, %21 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %24 = tt.splat %23 : f32 -> tensor<512xf32>
    %25 = tt.load %22, %7, %24 : tensor<512x!tt.ptr<f32>>
    %27 = tt.splat %26 : i32 -> tensor<512xi32>
    %28 = tt.addptr %19, %27 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %29 = tt.splat %23 : f32 -> tensor<512xf32>
    %30 = tt.load %28, %7, %29 : tensor<512x!tt.ptr<f32>>
    %31 = arith.addf %25, %30 : tensor<512xf32>
    %32 = arith.truncf %31 : tensor<512xf32> to tensor<512xbf16>
    %33 = arith.extf %32 : tensor<512xbf16> to tensor<512xf32>
    %34 = arith.addf %16, %33 : tensor<512xf32>
    %35 = arith.truncf %34 : tensor<512xf32> to tensor<512xbf16>
    %37 = tt.addptr %sum, %9 : !tt.ptr<bf16>, i32
    %38 = tt.splat %37 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %39 = tt.addptr %38, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    tt.store %39, %35, %7 : tensor<512x!tt.ptr<bf16>>
    %40 = arith.extf %35 : tensor<512xbf16> to tensor<512xf32>
    %41 = tt.splat %weight : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %42 = tt.addptr %41, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %43 = tt.splat %13 : bf16 -> tensor<512xbf16>
    %44 = tt.load %42, %7, %43 : tensor<512x!tt.ptr<bf16>>
    %45 = arith.extf %44 : tensor<512xbf16> to tensor<512xf32>
    %46 = arith.mulf %40, %40 : tensor<512xf32>
    %50 = "tt.reduce"(%46) <{axis = 0 : i32}> ({
    ^bb0(%47: f32, %48: f32):
      %49 = arith.addf %47, %48 : f32
      tt.reduce.return %49 : f32
    }) : (tensor<512xf32>) -> (f32)
    %52 = arith.divf %50, %51 : f32
    %54 = arith.addf %52, %53 : f32
    %55 = math.rsqrt %54 : f32
    %56 = tt.splat %55 : f32 -> tensor<512xf32>
    %57 = arith.mulf %40, %56 : tensor<512xf32>
    %58 = arith.truncf %57 : tensor<512xf32> to tensor<512xbf16>
    %59 = arith.extf %58 : tensor<512xbf16> to tensor<512xf32>
    %60 = arith.mulf %59, %45 : tensor<512xf32>
    %61 = tt.addptr %y, %9 : !tt.ptr<bf16>, i32
    %62 = tt.splat %61 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %63 = tt.addptr %62, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %64 = arith.truncf %60 : tensor<512xf32> to tensor<512xbf16>
    tt.store %63, %64, %7 : tensor<512x!tt.ptr<bf16>>
    tt.return
  }
}
