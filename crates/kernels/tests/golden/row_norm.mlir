module {
  tt.func public @row_norm(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 300 : i32
    %11 = arith.constant 0.0e0 : bf16
    %26 = arith.constant 3.0e2 : f32
    %28 = arith.constant 1.0e-5 : f32
    %33 = arith.constant 1.0e0 : f32
    %3 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %5 = tt.splat %4 : i32 -> tensor<512xi32>
    %6 = arith.cmpi slt, %3, %5 : tensor<512xi32>
    %7 = tt.get_program_id x : i32
    %8 = arith.muli %7, %4 : i32
    %9 = tt.splat %weight : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %10 = tt.addptr %9, %3 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %12 = tt.splat %11 : bf16 -> tensor<512xbf16>
    %13 = tt.load %10, %6, %12 : tensor<512x!tt.ptr<bf16>>
    %14 = arith.extf %13 : tensor<512xbf16> to tensor<512xf32>
    %15 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
    %16 = tt.splat %15 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %17 = tt.addptr %16, %3 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %18 = tt.splat %11 : bf16 -> tensor<512xbf16>
    %19 = tt.load %17, %6, %18 : tensor<512x!tt.ptr<bf16>>
    %20 = arith.extf %19 : tensor<512xbf16> to tensor<512xf32>
    %21 = arith.mulf %20, %20 : tensor<512xf32>
    %25 = "tt.reduce"(%21) <{axis = 0 : i32}> ({
    ^bb0(%22: f32, %23: f32):
      %24 = arith.addf %22, %23 : f32
      tt.reduce.return %24 : f32
    }) : (tensor<512xf32>) -> (f32)
    %27 = arith.divf %25, %26 : f32
    %29 = arith.addf %27, %28 : f32
    %30 = math.rsqrt %29 : f32
    %31 = tt.splat %30 : f32 -> tensor<512xf32>
    %32 = arith.mulf %20, %31 : tensor<512xf32>
    %34 = tt.splat %33 : f32 -> tensor<512xf32>
    %35 = arith.addf %14, %34 : tensor<512xf32>
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
    %12 = arith.constant 0.0e0 : bf16
    %25 = arith.constant 0 : i32
    %28 = arith.constant 0.0e0 : f32
    %31 = arith.constant 600 : i32
    %51 = arith.constant 3.0e2 : f32
    %53 = arith.constant 1.0e-5 : f32
    %4 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %6 = tt.splat %5 : i32 -> tensor<512xi32>
    %7 = arith.cmpi slt, %4, %6 : tensor<512xi32>
    %8 = tt.get_program_id x : i32
    %9 = arith.muli %8, %5 : i32
    %10 = tt.splat %weight : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %11 = tt.addptr %10, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %13 = tt.splat %12 : bf16 -> tensor<512xbf16>
    %14 = tt.load %11, %7, %13 : tensor<512x!tt.ptr<bf16>>
    %15 = arith.extf %14 : tensor<512xbf16> to tensor<512xf32>
    %16 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
    %17 = tt.splat %16 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %18 = tt.addptr %17, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %19 = tt.splat %12 : bf16 -> tensor<512xbf16>
    %20 = tt.load %18, %7, %19 : tensor<512x!tt.ptr<bf16>>
    %21 = arith.extf %20 : tensor<512xbf16> to tensor<512xf32>
    %22 = tt.addptr %residual, %9 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %24 = tt.addptr %23, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %26 = tt.splat %25 : i32 -> tensor<512xi32>
    %27 = tt.addptr %24, %26 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %29 = tt.splat %28 : f32 -> tensor<512xf32>
    %30 = tt.load %27, %7, %29 : tensor<512x!tt.ptr<f32>>
    %32 = tt.splat %31 : i32 -> tensor<512xi32>
    %33 = tt.addptr %24, %32 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %34 = tt.splat %28 : f32 -> tensor<512xf32>
    %35 = tt.load %33, %7, %34 : tensor<512x!tt.ptr<f32>>
    %36 = arith.addf %30, %35 : tensor<512xf32>
    %37 = arith.truncf %36 : tensor<512xf32> to tensor<512xbf16>
    %38 = arith.extf %37 : tensor<512xbf16> to tensor<512xf32>
    %39 = arith.addf %21, %38 : tensor<512xf32>
    %40 = arith.truncf %39 : tensor<512xf32> to tensor<512xbf16>
    %42 = tt.addptr %sum, %9 : !tt.ptr<bf16>, i32
    %43 = tt.splat %42 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %44 = tt.addptr %43, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    tt.store %44, %40, %7 : tensor<512x!tt.ptr<bf16>>
    %45 = arith.extf %40 : tensor<512xbf16> to tensor<512xf32>
    %46 = arith.mulf %45, %45 : tensor<512xf32>
    %50 = "tt.reduce"(%46) <{axis = 0 : i32}> ({
    ^bb0(%47: f32, %48: f32):
      %49 = arith.addf %47, %48 : f32
      tt.reduce.return %49 : f32
    }) : (tensor<512xf32>) -> (f32)
    %52 = arith.divf %50, %51 : f32
    %54 = arith.addf %52, %53 : f32
    %55 = math.rsqrt %54 : f32
    %56 = tt.splat %55 : f32 -> tensor<512xf32>
    %57 = arith.mulf %45, %56 : tensor<512xf32>
    %58 = arith.truncf %57 : tensor<512xf32> to tensor<512xbf16>
    %59 = arith.extf %58 : tensor<512xbf16> to tensor<512xf32>
    %60 = arith.mulf %59, %15 : tensor<512xf32>
    %61 = tt.addptr %y, %9 : !tt.ptr<bf16>, i32
    %62 = tt.splat %61 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %63 = tt.addptr %62, %4 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %64 = arith.truncf %60 : tensor<512xf32> to tensor<512xbf16>
    tt.store %63, %64, %7 : tensor<512x!tt.ptr<bf16>>
    tt.return
  }
}
module {
  tt.func public @sum_and_norm(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %residual: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sum: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %laid: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 192 : i32
    %12 = arith.constant 0.0e0 : bf16
    %25 = arith.constant 0 : i32
    %28 = arith.constant 0.0e0 : f32
    %31 = arith.constant 19200 : i32
    %51 = arith.constant 1.92e2 : f32
    %53 = arith.constant 1.0e-5 : f32
    %66 = arith.constant 64 : i32
    %71 = arith.constant 8 : i32
    %77 = arith.constant 100 : i32
    %4 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %6 = tt.splat %5 : i32 -> tensor<256xi32>
    %7 = arith.cmpi slt, %4, %6 : tensor<256xi32>
    %8 = tt.get_program_id x : i32
    %9 = arith.muli %8, %5 : i32
    %10 = tt.splat %weight : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %11 = tt.addptr %10, %4 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %13 = tt.splat %12 : bf16 -> tensor<256xbf16>
    %14 = tt.load %11, %7, %13 : tensor<256x!tt.ptr<bf16>>
    %15 = arith.extf %14 : tensor<256xbf16> to tensor<256xf32>
    %16 = tt.addptr %x, %9 : !tt.ptr<bf16>, i32
    %17 = tt.splat %16 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %18 = tt.addptr %17, %4 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %19 = tt.splat %12 : bf16 -> tensor<256xbf16>
    %20 = tt.load %18, %7, %19 : tensor<256x!tt.ptr<bf16>>
    %21 = arith.extf %20 : tensor<256xbf16> to tensor<256xf32>
    %22 = tt.addptr %residual, %9 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %24 = tt.addptr %23, %4 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %26 = tt.splat %25 : i32 -> tensor<256xi32>
    %27 = tt.addptr %24, %26 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %29 = tt.splat %28 : f32 -> tensor<256xf32>
    %30 = tt.load %27, %7, %29 : tensor<256x!tt.ptr<f32>>
    %32 = tt.splat %31 : i32 -> tensor<256xi32>
    %33 = tt.addptr %24, %32 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %34 = tt.splat %28 : f32 -> tensor<256xf32>
    %35 = tt.load %33, %7, %34 : tensor<256x!tt.ptr<f32>>
    %36 = arith.addf %30, %35 : tensor<256xf32>
    %37 = arith.truncf %36 : tensor<256xf32> to tensor<256xbf16>
    %38 = arith.extf %37 : tensor<256xbf16> to tensor<256xf32>
    %39 = arith.addf %21, %38 : tensor<256xf32>
    %40 = arith.truncf %39 : tensor<256xf32> to tensor<256xbf16>
    %42 = tt.addptr %sum, %9 : !tt.ptr<bf16>, i32
    %43 = tt.splat %42 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %44 = tt.addptr %43, %4 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    tt.store %44, %40, %7 : tensor<256x!tt.ptr<bf16>>
    %45 = arith.extf %40 : tensor<256xbf16> to tensor<256xf32>
    %46 = arith.mulf %45, %45 : tensor<256xf32>
    %50 = "tt.reduce"(%46) <{axis = 0 : i32}> ({
    ^bb0(%47: f32, %48: f32):
      %49 = arith.addf %47, %48 : f32
      tt.reduce.return %49 : f32
    }) : (tensor<256xf32>) -> (f32)
    %52 = arith.divf %50, %51 : f32
    %54 = arith.addf %52, %53 : f32
    %55 = math.rsqrt %54 : f32
    %56 = tt.splat %55 : f32 -> tensor<256xf32>
    %57 = arith.mulf %45, %56 : tensor<256xf32>
    %58 = arith.truncf %57 : tensor<256xf32> to tensor<256xbf16>
    %59 = arith.extf %58 : tensor<256xbf16> to tensor<256xf32>
    %60 = arith.mulf %59, %15 : tensor<256xf32>
    %61 = tt.addptr %y, %9 : !tt.ptr<bf16>, i32
    %62 = tt.splat %61 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %63 = tt.addptr %62, %4 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %64 = arith.truncf %60 : tensor<256xf32> to tensor<256xbf16>
    tt.store %63, %64, %7 : tensor<256x!tt.ptr<bf16>>
    %67 = tt.splat %66 : i32 -> tensor<256xi32>
    %68 = arith.divsi %4, %67 : tensor<256xi32>
    %69 = tt.splat %66 : i32 -> tensor<256xi32>
    %70 = arith.remsi %4, %69 : tensor<256xi32>
    %72 = arith.remsi %8, %71 : i32
    %73 = tt.splat %71 : i32 -> tensor<256xi32>
    %74 = arith.divsi %70, %73 : tensor<256xi32>
    %75 = tt.splat %72 : i32 -> tensor<256xi32>
    %76 = arith.xori %75, %74 : tensor<256xi32>
    %78 = tt.splat %77 : i32 -> tensor<256xi32>
    %79 = arith.muli %68, %78 : tensor<256xi32>
    %80 = tt.splat %8 : i32 -> tensor<256xi32>
    %81 = arith.addi %79, %80 : tensor<256xi32>
    %82 = tt.splat %66 : i32 -> tensor<256xi32>
    %83 = arith.muli %81, %82 : tensor<256xi32>
    %84 = tt.splat %71 : i32 -> tensor<256xi32>
    %85 = arith.muli %76, %84 : tensor<256xi32>
    %86 = arith.addi %83, %85 : tensor<256xi32>
    %87 = tt.splat %71 : i32 -> tensor<256xi32>
    %88 = arith.remsi %70, %87 : tensor<256xi32>
    %89 = arith.addi %86, %88 : tensor<256xi32>
    %90 = tt.splat %laid : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %91 = tt.addptr %90, %89 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %92 = arith.truncf %60 : tensor<256xf32> to tensor<256xbf16>
    tt.store %91, %92, %7 : tensor<256x!tt.ptr<bf16>>
    tt.return
  }
}
