module {
  tt.func public @cached_attention(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %last: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 2 : i32
    %13 = arith.constant 1 : i32
    %15 = arith.constant 0 : i32
    %16 = arith.constant 100 : i32
    %19 = arith.constant 64 : i32
    %23 = arith.constant 32 : i32
    %28 = arith.constant 3 : i32
    %35 = arith.constant 240 : i64
    %39 = arith.constant 80 : i32
    %49 = arith.constant 0.0e0 : bf16
    %69 = arith.constant 16000 : i64
    %74 = arith.constant dense<-2.0e29> : tensor<16xf32>
    %75 = arith.constant dense<0.0e0> : tensor<16xf32>
    %76 = arith.constant dense<0.0e0> : tensor<16x64xf32>
    %77 = arith.constant dense<0.0e0> : tensor<16x16xf32>
    %127 = arith.constant dense<0.0e0> : tensor<16x32xf32>
    %132 = arith.constant 8.333334e-3 : f32
    %135 = arith.constant 2.88539e0 : f32
    %139 = arith.constant dense<1.0e0> : tensor<16x32xf32>
    %140 = arith.constant dense<2.0e0> : tensor<16x32xf32>
    %141 = arith.constant 1.0e0 : f32
    %147 = arith.constant -2.3104905e28 : f32
    %155 = arith.constant 4.328085e1 : f32
    %222 = arith.constant 3 : i64
    %228 = arith.constant 80 : i64
    %4 = tt.get_program_id x : i32
    %5 = tt.get_program_id y : i32
    %6 = tt.get_program_id z : i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %8, %5 : i32
    %10 = arith.extsi %9 : i32 to i64
    %11 = tt.addptr %last, %6 : !tt.ptr<i32>, i32
    %12 = tt.load %11 : !tt.ptr<i32>
    %14 = arith.addi %12, %13 : i32
    %17 = arith.subi %14, %16 : i32
    %18 = arith.maxsi %17, %15 : i32
    %20 = arith.muli %4, %19 : i32
    %21 = arith.addi %20, %19 : i32
    %22 = arith.minsi %14, %21 : i32
    %24 = arith.divsi %18, %23 : i32
    %25 = arith.muli %24, %23 : i32
    %26 = arith.maxsi %20, %25 : i32
    %27 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %29 = tt.splat %28 : i32 -> tensor<16xi32>
    %30 = arith.cmpi slt, %27, %29 : tensor<16xi32>
    %31 = tt.expand_dims %30 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %32 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %33 = tt.splat %15 : i32 -> tensor<64xi32>
    %34 = arith.addi %32, %33 : tensor<64xi32>
    %36 = arith.muli %10, %35 : i64
    %37 = tt.addptr %q, %36 : !tt.ptr<bf16>, i64
    %38 = tt.expand_dims %27 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %40 = tt.splat %39 : i32 -> tensor<16x1xi32>
    %41 = arith.muli %38, %40 : tensor<16x1xi32>
    %42 = tt.expand_dims %34 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %43 = tt.broadcast %41 : tensor<16x1xi32> -> tensor<16x64xi32>
    %44 = tt.broadcast %42 : tensor<1x64xi32> -> tensor<16x64xi32>
    %45 = arith.addi %43, %44 : tensor<16x64xi32>
    %46 = tt.splat %37 : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %47 = tt.addptr %46, %45 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %48 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x64xi1>
    %50 = tt.splat %49 : bf16 -> tensor<16x64xbf16>
    %51 = tt.load %47, %48, %50 : tensor<16x64x!tt.ptr<bf16>>
    %52 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %53 = tt.splat %19 : i32 -> tensor<16xi32>
    %54 = arith.addi %52, %53 : tensor<16xi32>
    %55 = arith.muli %10, %35 : i64
    %56 = tt.addptr %q, %55 : !tt.ptr<bf16>, i64
    %57 = tt.expand_dims %27 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %58 = tt.splat %39 : i32 -> tensor<16x1xi32>
    %59 = arith.muli %57, %58 : tensor<16x1xi32>
    %60 = tt.expand_dims %54 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %61 = tt.broadcast %59 : tensor<16x1xi32> -> tensor<16x16xi32>
    %62 = tt.broadcast %60 : tensor<1x16xi32> -> tensor<16x16xi32>
    %63 = arith.addi %61, %62 : tensor<16x16xi32>
    %64 = tt.splat %56 : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>>
    %65 = tt.addptr %64, %63 : tensor<16x16x!tt.ptr<bf16>>, tensor<16x16xi32>
    %66 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x16xi1>
    %67 = tt.splat %49 : bf16 -> tensor<16x16xbf16>
    %68 = tt.load %65, %66, %67 : tensor<16x16x!tt.ptr<bf16>>
    %70 = arith.muli %10, %69 : i64
    %71 = tt.addptr %k, %70 : !tt.ptr<bf16>, i64
    %72 = arith.muli %10, %69 : i64
    %73 = tt.addptr %v, %72 : !tt.ptr<bf16>, i64
    %214:4 = scf.for %78 = %26 to %22 step %23 iter_args(%79 = %74, %80 = %75, %81 = %76, %82 = %77) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) : i32 {
      %83 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %84 = tt.splat %78 : i32 -> tensor<32xi32>
      %85 = arith.addi %84, %83 : tensor<32xi32>
      %86 = tt.splat %18 : i32 -> tensor<32xi32>
      %87 = arith.cmpi sge, %85, %86 : tensor<32xi32>
      %88 = tt.splat %22 : i32 -> tensor<32xi32>
      %89 = arith.cmpi slt, %85, %88 : tensor<32xi32>
      %90 = arith.andi %87, %89 : tensor<32xi1>
      %91 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %92 = tt.splat %15 : i32 -> tensor<64xi32>
      %93 = arith.addi %91, %92 : tensor<64xi32>
      %94 = tt.expand_dims %85 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %95 = tt.splat %39 : i32 -> tensor<32x1xi32>
      %96 = arith.muli %94, %95 : tensor<32x1xi32>
      %97 = tt.expand_dims %93 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %98 = tt.broadcast %96 : tensor<32x1xi32> -> tensor<32x64xi32>
      %99 = tt.broadcast %97 : tensor<1x64xi32> -> tensor<32x64xi32>
      %100 = arith.addi %98, %99 : tensor<32x64xi32>
      %101 = tt.splat %71 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %102 = tt.addptr %101, %100 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %103 = tt.expand_dims %90 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %104 = tt.broadcast %103 : tensor<32x1xi1> -> tensor<32x64xi1>
      %105 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %106 = tt.splat %19 : i32 -> tensor<16xi32>
      %107 = arith.addi %105, %106 : tensor<16xi32>
      %108 = tt.expand_dims %85 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %109 = tt.splat %39 : i32 -> tensor<32x1xi32>
      %110 = arith.muli %108, %109 : tensor<32x1xi32>
      %111 = tt.expand_dims %107 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %112 = tt.broadcast %110 : tensor<32x1xi32> -> tensor<32x16xi32>
      %113 = tt.broadcast %111 : tensor<1x16xi32> -> tensor<32x16xi32>
      %114 = arith.addi %112, %113 : tensor<32x16xi32>
      %115 = tt.splat %71 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %116 = tt.addptr %115, %114 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %117 = tt.expand_dims %90 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %118 = tt.broadcast %117 : tensor<32x1xi1> -> tensor<32x16xi1>
      %119 = tt.trans %102 {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %120 = tt.trans %104 {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
      %121 = tt.splat %49 : bf16 -> tensor<64x32xbf16>
      %122 = tt.load %119, %120, %121 : tensor<64x32x!tt.ptr<bf16>>
      %123 = tt.trans %116 {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<bf16>> -> tensor<16x32x!tt.ptr<bf16>>
      %124 = tt.trans %118 {order = array<i32: 1, 0>} : tensor<32x16xi1> -> tensor<16x32xi1>
      %125 = tt.splat %49 : bf16 -> tensor<16x32xbf16>
      %126 = tt.load %123, %124, %125 : tensor<16x32x!tt.ptr<bf16>>
      %128 = tt.dot %51, %122, %127, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
      %129 = tt.dot %68, %126, %128, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x32xbf16> -> tensor<16x32xf32>
      %130 = tt.expand_dims %27 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %131 = tt.expand_dims %85 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %133 = tt.splat %132 : f32 -> tensor<16x32xf32>
      %134 = arith.mulf %129, %133 : tensor<16x32xf32>
      %136 = tt.splat %135 : f32 -> tensor<16x32xf32>
      %137 = arith.mulf %134, %136 : tensor<16x32xf32>
      %138 = math.exp2 %137 : tensor<16x32xf32>
      %142 = tt.splat %141 : f32 -> tensor<16x32xf32>
      %143 = arith.addf %138, %142 : tensor<16x32xf32>
      %144 = arith.divf %140, %143 : tensor<16x32xf32>
      %145 = arith.subf %139, %144 : tensor<16x32xf32>
      %146 = tt.expand_dims %90 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %148 = tt.splat %147 : f32 -> tensor<16x32xf32>
      %149 = tt.broadcast %146 : tensor<1x32xi1> -> tensor<16x32xi1>
      %150 = arith.select %149, %145, %148 : tensor<16x32xi1>, tensor<16x32xf32>
      %154 = "tt.reduce"(%150) <{axis = 1 : i32}> ({
      ^bb0(%151: f32, %152: f32):
        %153 = arith.maxnumf %151, %152 : f32
        tt.reduce.return %153 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %156 = tt.splat %155 : f32 -> tensor<16xf32>
      %157 = arith.mulf %154, %156 : tensor<16xf32>
      %158 = arith.maxnumf %79, %157 : tensor<16xf32>
      %159 = tt.expand_dims %158 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %160 = arith.negf %159 : tensor<16x1xf32>
      %161 = tt.splat %155 : f32 -> tensor<16x32xf32>
      %162 = tt.broadcast %160 : tensor<16x1xf32> -> tensor<16x32xf32>
      %163 = math.fma %150, %161, %162 : tensor<16x32xf32>
      %164 = math.exp2 %163 : tensor<16x32xf32>
      %165 = arith.subf %79, %158 : tensor<16xf32>
      %166 = math.exp2 %165 : tensor<16xf32>
      %167 = arith.mulf %80, %166 : tensor<16xf32>
      %171 = "tt.reduce"(%164) <{axis = 1 : i32}> ({
      ^bb0(%168: f32, %169: f32):
        %170 = arith.addf %168, %169 : f32
        tt.reduce.return %170 : f32
      }) : (tensor<16x32xf32>) -> (tensor<16xf32>)
      %172 = arith.addf %167, %171 : tensor<16xf32>
      %173 = arith.truncf %164 : tensor<16x32xf32> to tensor<16x32xbf16>
      %174 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %175 = tt.splat %15 : i32 -> tensor<64xi32>
      %176 = arith.addi %174, %175 : tensor<64xi32>
      %177 = tt.expand_dims %85 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %178 = tt.splat %39 : i32 -> tensor<32x1xi32>
      %179 = arith.muli %177, %178 : tensor<32x1xi32>
      %180 = tt.expand_dims %176 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %181 = tt.broadcast %179 : tensor<32x1xi32> -> tensor<32x64xi32>
      %182 = tt.broadcast %180 : tensor<1x64xi32> -> tensor<32x64xi32>
      %183 = arith.addi %181, %182 : tensor<32x64xi32>
      %184 = tt.splat %73 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
      %185 = tt.addptr %184, %183 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %186 = tt.expand_dims %90 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %187 = tt.broadcast %186 : tensor<32x1xi1> -> tensor<32x64xi1>
      %188 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %189 = tt.splat %19 : i32 -> tensor<16xi32>
      %190 = arith.addi %188, %189 : tensor<16xi32>
      %191 = tt.expand_dims %85 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %192 = tt.splat %39 : i32 -> tensor<32x1xi32>
      %193 = arith.muli %191, %192 : tensor<32x1xi32>
      %194 = tt.expand_dims %190 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %195 = tt.broadcast %193 : tensor<32x1xi32> -> tensor<32x16xi32>
      %196 = tt.broadcast %194 : tensor<1x16xi32> -> tensor<32x16xi32>
      %197 = arith.addi %195, %196 : tensor<32x16xi32>
      %198 = tt.splat %73 : !tt.ptr<bf16> -> tensor<32x16x!tt.ptr<bf16>>
      %199 = tt.addptr %198, %197 : tensor<32x16x!tt.ptr<bf16>>, tensor<32x16xi32>
      %200 = tt.expand_dims %90 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %201 = tt.broadcast %200 : tensor<32x1xi1> -> tensor<32x16xi1>
      %202 = tt.splat %49 : bf16 -> tensor<32x64xbf16>
      %203 = tt.load %185, %187, %202 : tensor<32x64x!tt.ptr<bf16>>
      %204 = tt.expand_dims %166 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %205 = tt.broadcast %204 : tensor<16x1xf32> -> tensor<16x64xf32>
      %206 = arith.mulf %81, %205 : tensor<16x64xf32>
      %207 = tt.dot %173, %203, %206, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
      %208 = tt.splat %49 : bf16 -> tensor<32x16xbf16>
      %209 = tt.load %199, %201, %208 : tensor<32x16x!tt.ptr<bf16>>
      %210 = tt.expand_dims %166 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %211 = tt.broadcast %210 : tensor<16x1xf32> -> tensor<16x16xf32>
      %212 = arith.mulf %82, %211 : tensor<16x16xf32>
      %213 = tt.dot %173, %209, %212, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
      scf.yield %158, %172, %207, %213 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
    }
    %218 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %219 = arith.muli %9, %28 : i32
    %220 = arith.addi %219, %4 : i32
    %221 = arith.extsi %220 : i32 to i64
    %223 = arith.muli %221, %222 : i64
    %225 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %226 = tt.splat %15 : i32 -> tensor<64xi32>
    %227 = arith.addi %225, %226 : tensor<64xi32>
    %229 = arith.muli %223, %228 : i64
    %230 = tt.addptr %sums, %229 : !tt.ptr<f32>, i64
    %231 = tt.expand_dims %218 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %232 = tt.splat %39 : i32 -> tensor<16x1xi32>
    %233 = arith.muli %231, %232 : tensor<16x1xi32>
    %234 = tt.expand_dims %227 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %235 = tt.broadcast %233 : tensor<16x1xi32> -> tensor<16x64xi32>
    %236 = tt.broadcast %234 : tensor<1x64xi32> -> tensor<16x64xi32>
    %237 = arith.addi %235, %236 : tensor<16x64xi32>
    %238 = tt.splat %230 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %239 = tt.addptr %238, %237 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %240 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %239, %214#2, %240 : tensor<16x64x!tt.ptr<f32>>
    %241 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %242 = tt.splat %19 : i32 -> tensor<16xi32>
    %243 = arith.addi %241, %242 : tensor<16xi32>
    %244 = arith.muli %223, %228 : i64
    %245 = tt.addptr %sums, %244 : !tt.ptr<f32>, i64
    %246 = tt.expand_dims %218 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %247 = tt.splat %39 : i32 -> tensor<16x1xi32>
    %248 = arith.muli %246, %247 : tensor<16x1xi32>
    %249 = tt.expand_dims %243 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %250 = tt.broadcast %248 : tensor<16x1xi32> -> tensor<16x16xi32>
    %251 = tt.broadcast %249 : tensor<1x16xi32> -> tensor<16x16xi32>
    %252 = arith.addi %250, %251 : tensor<16x16xi32>
    %253 = tt.splat %245 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %254 = tt.addptr %253, %252 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %255 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x16xi1>
    tt.store %254, %214#3, %255 : tensor<16x16x!tt.ptr<f32>>
    %256 = tt.splat %28 : i32 -> tensor<16xi32>
    %257 = arith.cmpi slt, %218, %256 : tensor<16xi32>
    %259 = tt.addptr %greatest, %223 : !tt.ptr<f32>, i64
    %260 = tt.splat %259 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %261 = tt.addptr %260, %218 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %261, %214#0, %257 : tensor<16x!tt.ptr<f32>>
    %263 = tt.addptr %totals, %223 : !tt.ptr<f32>, i64
    %264 = tt.splat %263 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %265 = tt.addptr %264, %218 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %265, %214#1, %257 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
module {
  tt.func public @cached_attention_join(%sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %greatest: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %totals: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %7 = arith.constant 2 : i32
    %11 = arith.constant 3 : i32
    %23 = arith.constant 0 : i32
    %26 = arith.constant -2.0e29 : f32
    %31 = arith.constant 0.0e0 : f32
    %47 = arith.constant 80 : i32
    %57 = arith.constant 80 : i64
    %4 = tt.get_program_id x : i32
    %5 = tt.get_program_id y : i32
    %6 = tt.get_program_id z : i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %8, %5 : i32
    %10 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %12 = tt.splat %11 : i32 -> tensor<4xi32>
    %13 = arith.cmpi slt, %10, %12 : tensor<4xi32>
    %14 = arith.muli %9, %11 : i32
    %15 = tt.splat %14 : i32 -> tensor<4xi32>
    %16 = arith.addi %15, %10 : tensor<4xi32>
    %17 = tt.splat %11 : i32 -> tensor<4xi32>
    %18 = arith.muli %16, %17 : tensor<4xi32>
    %19 = tt.splat %4 : i32 -> tensor<4xi32>
    %20 = arith.addi %18, %19 : tensor<4xi32>
    %21 = tt.splat %greatest : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %22 = tt.addptr %21, %20 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %24 = tt.splat %23 : i32 -> tensor<4xi32>
    %25 = arith.cmpi sge, %10, %24 : tensor<4xi32>
    %27 = tt.splat %26 : f32 -> tensor<4xf32>
    %28 = tt.load %22, %13, %27 : tensor<4x!tt.ptr<f32>>
    %29 = tt.splat %totals : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %30 = tt.addptr %29, %20 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %32 = tt.splat %31 : f32 -> tensor<4xf32>
    %33 = tt.load %30, %13, %32 : tensor<4x!tt.ptr<f32>>
    %37 = "tt.reduce"(%28) <{axis = 0 : i32}> ({
    ^bb0(%34: f32, %35: f32):
      %36 = arith.maxnumf %34, %35 : f32
      tt.reduce.return %36 : f32
    }) : (tensor<4xf32>) -> (f32)
    %38 = tt.splat %37 : f32 -> tensor<4xf32>
    %39 = arith.subf %28, %38 : tensor<4xf32>
    %40 = math.exp2 %39 : tensor<4xf32>
    %41 = arith.mulf %40, %33 : tensor<4xf32>
    %45 = "tt.reduce"(%41) <{axis = 0 : i32}> ({
    ^bb0(%42: f32, %43: f32):
      %44 = arith.addf %42, %43 : f32
      tt.reduce.return %44 : f32
    }) : (tensor<4xf32>) -> (f32)
    %46 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %48 = tt.splat %47 : i32 -> tensor<128xi32>
    %49 = arith.cmpi slt, %46, %48 : tensor<128xi32>
    %50 = tt.expand_dims %13 {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %51 = tt.expand_dims %49 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
    %52 = tt.broadcast %50 : tensor<4x1xi1> -> tensor<4x128xi1>
    %53 = tt.broadcast %51 : tensor<1x128xi1> -> tensor<4x128xi1>
    %54 = arith.andi %52, %53 : tensor<4x128xi1>
    %55 = tt.expand_dims %20 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %56 = arith.extsi %55 : tensor<4x1xi32> to tensor<4x1xi64>
    %58 = tt.splat %57 : i64 -> tensor<4x1xi64>
    %59 = arith.muli %56, %58 : tensor<4x1xi64>
    %60 = tt.expand_dims %46 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %61 = arith.extsi %60 : tensor<1x128xi32> to tensor<1x128xi64>
    %62 = tt.broadcast %59 : tensor<4x1xi64> -> tensor<4x128xi64>
    %63 = tt.broadcast %61 : tensor<1x128xi64> -> tensor<4x128xi64>
    %64 = arith.addi %62, %63 : tensor<4x128xi64>
    %65 = tt.splat %sums : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %66 = tt.addptr %65, %64 : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi64>
    %67 = tt.splat %31 : f32 -> tensor<4x128xf32>
    %68 = tt.load %66, %54, %67 : tensor<4x128x!tt.ptr<f32>>
    %69 = tt.expand_dims %40 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %70 = tt.broadcast %69 : tensor<4x1xf32> -> tensor<4x128xf32>
    %71 = arith.mulf %68, %70 : tensor<4x128xf32>
    %75 = "tt.reduce"(%71) <{axis = 0 : i32}> ({
    ^bb0(%72: f32, %73: f32):
      %74 = arith.addf %72, %73 : f32
      tt.reduce.return %74 : f32
    }) : (tensor<4x128xf32>) -> (tensor<128xf32>)
    %76 = tt.splat %45 : f32 -> tensor<128xf32>
    %77 = arith.divf %75, %76 : tensor<128xf32>
    %78 = arith.muli %9, %11 : i32
    %79 = arith.addi %78, %4 : i32
    %80 = arith.extsi %79 : i32 to i64
    %81 = arith.muli %80, %57 : i64
    %82 = tt.addptr %out, %81 : !tt.ptr<bf16>, i64
    %83 = arith.extsi %46 : tensor<128xi32> to tensor<128xi64>
    %84 = tt.splat %82 : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %85 = tt.addptr %84, %83 : tensor<128x!tt.ptr<bf16>>, tensor<128xi64>
    %86 = arith.truncf %77 : tensor<128xf32> to tensor<128xbf16>
    tt.store %85, %86, %49 : tensor<128x!tt.ptr<bf16>>
    tt.return
  }
}
