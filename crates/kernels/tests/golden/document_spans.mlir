module {
  tt.func public @document_spans(%documents: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %end: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 197 : i64
    %10 = arith.constant 197 : i32
    %11 = arith.constant 0 : i32
    %12 = arith.constant 1 : i32
    %15 = arith.constant 256 : i32
    %3 = tt.get_program_id x : i32
    %4 = arith.extsi %3 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %7 = tt.addptr %documents, %6 : !tt.ptr<i32>, i64
    %8 = tt.addptr %first, %6 : !tt.ptr<i32>, i64
    %9 = tt.addptr %end, %6 : !tt.ptr<i32>, i64
    %61 = scf.for %13 = %11 to %12 step %12 iter_args(%14 = %11) -> (i32) : i32 {
      %16 = arith.muli %13, %15 : i32
      %17 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %18 = tt.splat %16 : i32 -> tensor<256xi32>
      %19 = arith.addi %18, %17 : tensor<256xi32>
      %20 = tt.splat %7 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
      %21 = tt.addptr %20, %19 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
      %22 = tt.splat %11 : i32 -> tensor<256xi32>
      %23 = arith.cmpi sge, %19, %22 : tensor<256xi32>
      %24 = tt.splat %10 : i32 -> tensor<256xi32>
      %25 = arith.cmpi slt, %19, %24 : tensor<256xi32>
      %26 = arith.andi %23, %25 : tensor<256xi1>
      %27 = tt.splat %11 : i32 -> tensor<256xi32>
      %28 = tt.load %21, %26, %27 : tensor<256x!tt.ptr<i32>>
      %29 = tt.splat %12 : i32 -> tensor<256xi32>
      %30 = arith.subi %19, %29 : tensor<256xi32>
      %31 = tt.splat %7 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
      %32 = tt.addptr %31, %30 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
      %33 = tt.splat %11 : i32 -> tensor<256xi32>
      %34 = arith.cmpi sge, %30, %33 : tensor<256xi32>
      %35 = tt.splat %10 : i32 -> tensor<256xi32>
      %36 = arith.cmpi slt, %30, %35 : tensor<256xi32>
      %37 = arith.andi %34, %36 : tensor<256xi1>
      %38 = tt.splat %11 : i32 -> tensor<256xi32>
      %39 = tt.load %32, %37, %38 : tensor<256x!tt.ptr<i32>>
      %40 = arith.cmpi ne, %28, %39 : tensor<256xi32>
      %41 = tt.splat %11 : i32 -> tensor<256xi32>
      %42 = arith.select %40, %19, %41 : tensor<256xi1>, tensor<256xi32>
      %46 = "tt.scan"(%42) <{axis = 0 : i32, reverse = false}> ({
      ^bb0(%43: i32, %44: i32):
        %45 = arith.maxsi %43, %44 : i32
        tt.scan.return %45 : i32
      }) : (tensor<256xi32>) -> (tensor<256xi32>)
      %47 = tt.splat %14 : i32 -> tensor<256xi32>
      %48 = arith.maxsi %46, %47 : tensor<256xi32>
      %49 = tt.splat %8 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
      %50 = tt.addptr %49, %19 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
      %51 = tt.splat %11 : i32 -> tensor<256xi32>
      %52 = arith.cmpi eq, %28, %51 : tensor<256xi32>
      %53 = tt.splat %10 : i32 -> tensor<256xi32>
      %54 = arith.select %52, %53, %48 : tensor<256xi1>, tensor<256xi32>
      %55 = tt.splat %10 : i32 -> tensor<256xi32>
      %56 = arith.cmpi slt, %19, %55 : tensor<256xi32>
      tt.store %50, %54, %56 : tensor<256x!tt.ptr<i32>>
      %60 = "tt.reduce"(%48) <{axis = 0 : i32}> ({
      ^bb0(%57: i32, %58: i32):
        %59 = arith.maxsi %57, %58 : i32
        tt.reduce.return %59 : i32
      }) : (tensor<256xi32>) -> (i32)
      scf.yield %60 : i32
    }
    %112 = scf.for %62 = %11 to %12 step %12 iter_args(%63 = %10) -> (i32) : i32 {
      %64 = arith.subi %11, %62 : i32
      %65 = arith.muli %64, %15 : i32
      %66 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %67 = tt.splat %65 : i32 -> tensor<256xi32>
      %68 = arith.addi %67, %66 : tensor<256xi32>
      %69 = tt.splat %7 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
      %70 = tt.addptr %69, %68 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
      %71 = tt.splat %11 : i32 -> tensor<256xi32>
      %72 = arith.cmpi sge, %68, %71 : tensor<256xi32>
      %73 = tt.splat %10 : i32 -> tensor<256xi32>
      %74 = arith.cmpi slt, %68, %73 : tensor<256xi32>
      %75 = arith.andi %72, %74 : tensor<256xi1>
      %76 = tt.splat %11 : i32 -> tensor<256xi32>
      %77 = tt.load %70, %75, %76 : tensor<256x!tt.ptr<i32>>
      %78 = tt.splat %12 : i32 -> tensor<256xi32>
      %79 = arith.addi %68, %78 : tensor<256xi32>
      %80 = tt.splat %7 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
      %81 = tt.addptr %80, %79 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
      %82 = tt.splat %11 : i32 -> tensor<256xi32>
      %83 = arith.cmpi sge, %79, %82 : tensor<256xi32>
      %84 = tt.splat %10 : i32 -> tensor<256xi32>
      %85 = arith.cmpi slt, %79, %84 : tensor<256xi32>
      %86 = arith.andi %83, %85 : tensor<256xi1>
      %87 = tt.splat %11 : i32 -> tensor<256xi32>
      %88 = tt.load %81, %86, %87 : tensor<256x!tt.ptr<i32>>
      %89 = arith.cmpi ne, %77, %88 : tensor<256xi32>
      %90 = tt.splat %12 : i32 -> tensor<256xi32>
      %91 = arith.addi %68, %90 : tensor<256xi32>
      %92 = tt.splat %10 : i32 -> tensor<256xi32>
      %93 = arith.select %89, %91, %92 : tensor<256xi1>, tensor<256xi32>
      %97 = "tt.scan"(%93) <{axis = 0 : i32, reverse = true}> ({
      ^bb0(%94: i32, %95: i32):
        %96 = arith.minsi %94, %95 : i32
        tt.scan.return %96 : i32
      }) : (tensor<256xi32>) -> (tensor<256xi32>)
      %98 = tt.splat %63 : i32 -> tensor<256xi32>
      %99 = arith.minsi %97, %98 : tensor<256xi32>
      %100 = tt.splat %9 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
      %101 = tt.addptr %100, %68 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
      %102 = tt.splat %11 : i32 -> tensor<256xi32>
      %103 = arith.cmpi eq, %77, %102 : tensor<256xi32>
      %104 = tt.splat %11 : i32 -> tensor<256xi32>
      %105 = arith.select %103, %104, %99 : tensor<256xi1>, tensor<256xi32>
      %106 = tt.splat %10 : i32 -> tensor<256xi32>
      %107 = arith.cmpi slt, %68, %106 : tensor<256xi32>
      tt.store %101, %105, %107 : tensor<256x!tt.ptr<i32>>
      %111 = "tt.reduce"(%99) <{axis = 0 : i32}> ({
      ^bb0(%108: i32, %109: i32):
        %110 = arith.minsi %108, %109 : i32
        tt.reduce.return %110 : i32
      }) : (tensor<256xi32>) -> (i32)
      scf.yield %111 : i32
    }
    tt.return
  }
}
