module {
  tt.func public @sum_rates(%parts: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sum: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 128 : i64
    %10 = arith.constant 143 : i64
    %13 = arith.constant dense<0.0e0> : tensor<16x128xf32>
    %14 = arith.constant 0 : i32
    %15 = arith.constant 3 : i32
    %16 = arith.constant 16 : i32
    %38 = arith.constant 0.0e0 : f32
    %2 = tt.get_program_id x : i32
    %3 = arith.extsi %2 : i32 to i64
    %5 = arith.muli %3, %4 : i64
    %6 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %7 = arith.extsi %6 : tensor<128xi32> to tensor<128xi64>
    %8 = tt.splat %5 : i64 -> tensor<128xi64>
    %9 = arith.addi %8, %7 : tensor<128xi64>
    %11 = tt.splat %10 : i64 -> tensor<128xi64>
    %12 = arith.cmpi slt, %9, %11 : tensor<128xi64>
    %42 = scf.for %17 = %14 to %15 step %16 iter_args(%18 = %13) -> (tensor<16x128xf32>) : i32 {
      %19 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %20 = tt.splat %17 : i32 -> tensor<16xi32>
      %21 = arith.addi %20, %19 : tensor<16xi32>
      %22 = tt.expand_dims %21 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %23 = arith.extsi %22 : tensor<16x1xi32> to tensor<16x1xi64>
      %24 = tt.splat %10 : i64 -> tensor<16x1xi64>
      %25 = arith.muli %23, %24 : tensor<16x1xi64>
      %26 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi64> -> tensor<1x128xi64>
      %27 = tt.broadcast %25 : tensor<16x1xi64> -> tensor<16x128xi64>
      %28 = tt.broadcast %26 : tensor<1x128xi64> -> tensor<16x128xi64>
      %29 = arith.addi %27, %28 : tensor<16x128xi64>
      %30 = tt.splat %15 : i32 -> tensor<16x1xi32>
      %31 = arith.cmpi slt, %22, %30 : tensor<16x1xi32>
      %32 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %33 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x128xi1>
      %34 = tt.broadcast %32 : tensor<1x128xi1> -> tensor<16x128xi1>
      %35 = arith.andi %33, %34 : tensor<16x128xi1>
      %36 = tt.splat %parts : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
      %37 = tt.addptr %36, %29 : tensor<16x128x!tt.ptr<f32>>, tensor<16x128xi64>
      %39 = tt.splat %38 : f32 -> tensor<16x128xf32>
      %40 = tt.load %37, %35, %39 : tensor<16x128x!tt.ptr<f32>>
      %41 = arith.addf %18, %40 : tensor<16x128xf32>
      scf.yield %41 : tensor<16x128xf32>
    }
    %43 = tt.splat %sum : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %44 = tt.addptr %43, %9 : tensor<128x!tt.ptr<f32>>, tensor<128xi64>
    %48 = "tt.reduce"(%42) <{axis = 0 : i32}> ({
    ^bb0(%45: f32, %46: f32):
      %47 = arith.addf %45, %46 : f32
      tt.reduce.return %47 : f32
    }) : (tensor<16x128xf32>) -> (tensor<128xf32>)
    tt.store %44, %48, %12 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @sum_b_and_c(%parts: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sum: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 128 : i64
    %10 = arith.constant 13 : i64
    %13 = arith.constant dense<0.0e0> : tensor<16x128xf32>
    %14 = arith.constant 0 : i32
    %15 = arith.constant 40 : i32
    %16 = arith.constant 16 : i32
    %38 = arith.constant 0.0e0 : f32
    %2 = tt.get_program_id x : i32
    %3 = arith.extsi %2 : i32 to i64
    %5 = arith.muli %3, %4 : i64
    %6 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %7 = arith.extsi %6 : tensor<128xi32> to tensor<128xi64>
    %8 = tt.splat %5 : i64 -> tensor<128xi64>
    %9 = arith.addi %8, %7 : tensor<128xi64>
    %11 = tt.splat %10 : i64 -> tensor<128xi64>
    %12 = arith.cmpi slt, %9, %11 : tensor<128xi64>
    %42 = scf.for %17 = %14 to %15 step %16 iter_args(%18 = %13) -> (tensor<16x128xf32>) : i32 {
      %19 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %20 = tt.splat %17 : i32 -> tensor<16xi32>
      %21 = arith.addi %20, %19 : tensor<16xi32>
      %22 = tt.expand_dims %21 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %23 = arith.extsi %22 : tensor<16x1xi32> to tensor<16x1xi64>
      %24 = tt.splat %10 : i64 -> tensor<16x1xi64>
      %25 = arith.muli %23, %24 : tensor<16x1xi64>
      %26 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi64> -> tensor<1x128xi64>
      %27 = tt.broadcast %25 : tensor<16x1xi64> -> tensor<16x128xi64>
      %28 = tt.broadcast %26 : tensor<1x128xi64> -> tensor<16x128xi64>
      %29 = arith.addi %27, %28 : tensor<16x128xi64>
      %30 = tt.splat %15 : i32 -> tensor<16x1xi32>
      %31 = arith.cmpi slt, %22, %30 : tensor<16x1xi32>
      %32 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %33 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x128xi1>
      %34 = tt.broadcast %32 : tensor<1x128xi1> -> tensor<16x128xi1>
      %35 = arith.andi %33, %34 : tensor<16x128xi1>
      %36 = tt.splat %parts : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
      %37 = tt.addptr %36, %29 : tensor<16x128x!tt.ptr<f32>>, tensor<16x128xi64>
      %39 = tt.splat %38 : f32 -> tensor<16x128xf32>
      %40 = tt.load %37, %35, %39 : tensor<16x128x!tt.ptr<f32>>
      %41 = arith.addf %18, %40 : tensor<16x128xf32>
      scf.yield %41 : tensor<16x128xf32>
    }
    %43 = tt.splat %sum : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %44 = tt.addptr %43, %9 : tensor<128x!tt.ptr<bf16>>, tensor<128xi64>
    %48 = "tt.reduce"(%42) <{axis = 0 : i32}> ({
    ^bb0(%45: f32, %46: f32):
      %47 = arith.addf %45, %46 : f32
      tt.reduce.return %47 : f32
    }) : (tensor<16x128xf32>) -> (tensor<128xf32>)
    %49 = arith.truncf %48 : tensor<128xf32> to tensor<128xbf16>
    tt.store %44, %49, %12 : tensor<128x!tt.ptr<bf16>>
    tt.return
  }
}
