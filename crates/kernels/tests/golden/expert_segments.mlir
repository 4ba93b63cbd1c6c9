module {
  tt.func public @expert_segments(%owners: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %4 = arith.constant 16 : i32
    %9 = arith.constant dense<0> : tensor<16x64xi32>
    %10 = arith.constant 0 : i32
    %11 = arith.constant 40 : i32
    %12 = arith.constant 64 : i32
    %23 = arith.constant 8 : i32
    %3 = tt.get_program_id x : i32
    %5 = arith.muli %3, %4 : i32
    %6 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %7 = tt.splat %5 : i32 -> tensor<16xi32>
    %8 = arith.addi %7, %6 : tensor<16xi32>
    %39:2 = scf.for %13 = %10 to %11 step %12 iter_args(%14 = %9, %15 = %9) -> (tensor<16x64xi32>, tensor<16x64xi32>) : i32 {
      %16 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %17 = tt.splat %13 : i32 -> tensor<64xi32>
      %18 = arith.addi %17, %16 : tensor<64xi32>
      %19 = tt.splat %owners : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
      %20 = tt.addptr %19, %18 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %21 = tt.splat %11 : i32 -> tensor<64xi32>
      %22 = arith.cmpi slt, %18, %21 : tensor<64xi32>
      %24 = tt.splat %23 : i32 -> tensor<64xi32>
      %25 = tt.load %20, %22, %24 : tensor<64x!tt.ptr<i32>>
      %26 = tt.expand_dims %25 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %27 = tt.expand_dims %8 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %28 = tt.broadcast %26 : tensor<1x64xi32> -> tensor<16x64xi32>
      %29 = tt.broadcast %27 : tensor<16x1xi32> -> tensor<16x64xi32>
      %30 = arith.cmpi slt, %28, %29 : tensor<16x64xi32>
      %31 = tt.expand_dims %8 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %32 = tt.broadcast %26 : tensor<1x64xi32> -> tensor<16x64xi32>
      %33 = tt.broadcast %31 : tensor<16x1xi32> -> tensor<16x64xi32>
      %34 = arith.cmpi eq, %32, %33 : tensor<16x64xi32>
      %35 = arith.extui %30 : tensor<16x64xi1> to tensor<16x64xi32>
      %36 = arith.addi %14, %35 : tensor<16x64xi32>
      %37 = arith.extui %34 : tensor<16x64xi1> to tensor<16x64xi32>
      %38 = arith.addi %15, %37 : tensor<16x64xi32>
      scf.yield %36, %38 : tensor<16x64xi32>, tensor<16x64xi32>
    }
    %41 = tt.splat %23 : i32 -> tensor<16xi32>
    %42 = arith.cmpi slt, %8, %41 : tensor<16xi32>
    %43 = tt.splat %first : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %44 = tt.addptr %43, %8 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %48 = "tt.reduce"(%39#0) <{axis = 1 : i32}> ({
    ^bb0(%45: i32, %46: i32):
      %47 = arith.addi %45, %46 : i32
      tt.reduce.return %47 : i32
    }) : (tensor<16x64xi32>) -> (tensor<16xi32>)
    tt.store %44, %48, %42 : tensor<16x!tt.ptr<i32>>
    %49 = tt.splat %count : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %50 = tt.addptr %49, %8 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %54 = "tt.reduce"(%39#1) <{axis = 1 : i32}> ({
    ^bb0(%51: i32, %52: i32):
      %53 = arith.addi %51, %52 : i32
      tt.reduce.return %53 : i32
    }) : (tensor<16x64xi32>) -> (tensor<16xi32>)
    tt.store %50, %54, %42 : tensor<16x!tt.ptr<i32>>
    tt.return
  }
}
