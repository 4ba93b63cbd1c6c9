module {
  tt.func public @row_norm(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 300 : i32
    %12 = arith.constant 0.0e0 : bf16
    %21 = arith.constant 1.0e0 : f32
    %29 = arith.constant 3.0e2 : f32
    %31 = arith.constant 1.0e-5 : f32
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
    %22 = tt.splat %21 : f32 -> tensor<512xf32>
    %23 = arith.addf %20, %22 : tensor<512xf32>
    %24 = arith.mulf %15, %15 : tensor<512xf32>
    %28 = "tt.reduce"(%24) <{axis = 0 : i32}> ({
    ^bb0(%25: f32, %26: f32):
      %27 = arith.addf %25, %26 : f32
      tt.reduce.return %27 : f32
    }) : (tensor<512xf32>) -> (f32)
    %30 = arith.divf %28, %29 : f32
    %32 = arith.addf %30, %31 : f32
    %33 = math.rsqrt %32 : f32
    %34 = tt.addptr %y, %8 : !tt.ptr<bf16>, i32
    %35 = tt.splat %34 : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>>
    %36 = tt.addptr %35, %3 : tensor<512x!tt.ptr<bf16>>, tensor<512xi32>
    %37 = tt.splat %33 : f32 -> tensor<512xf32>
    %38 = arith.mulf %15, %37 : tensor<512xf32>
    %39 = arith.mulf %38, %23 : tensor<512xf32>
    %40 = arith.truncf %39 : tensor<512xf32> to tensor<512xbf16>
    tt.store %36, %40, %6 : tensor<512x!tt.ptr<bf16>>
    tt.return
  }
}
