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
