module {
  tt.func public @attention_forward(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %rows: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %5 = arith.constant 128 : i64
    %7 = arith.constant 16384 : i64
    %18 = arith.constant 0 : i32
    %20 = arith.constant 128 : i32
    %26 = arith.constant 127 : i32
    %30 = arith.constant 1 : i32
    %37 = arith.constant 63 : i32
    %39 = arith.constant 64 : i32
    %74 = arith.constant dense<-2.0e29> : tensor<128xf32>
    %75 = arith.constant dense<0.0e0> : tensor<128xf32>
    %76 = arith.constant dense<0.0e0> : tensor<128x64xf32>
    %108 = arith.constant 1.8033688e-1 : f32
    %179 = arith.constant -5.545178e30 : f32
    %232 = arith.constant 6.931472e-1 : f32
    %235 = arith.constant dense<1.0e0> : tensor<128xf32>
    %260 = arith.constant 2 : i64
    %3 = tt.get_program_id z : i32
    %4 = arith.extsi %3 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %8 = arith.muli %4, %7 : i64
    %9 = tt.addptr %q, %8 : !tt.ptr<bf16>, i64
    %10 = arith.muli %4, %7 : i64
    %11 = tt.addptr %k, %10 : !tt.ptr<bf16>, i64
    %12 = arith.muli %4, %7 : i64
    %13 = tt.addptr %v, %12 : !tt.ptr<bf16>, i64
    %16 = tt.get_program_id x : i32
    %17 = tt.get_program_id y : i32
    %19 = arith.subi %18, %17 : i32
    %21 = arith.muli %19, %20 : i32
    %22 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %23 = tt.splat %21 : i32 -> tensor<128xi32>
    %24 = arith.addi %23, %22 : tensor<128xi32>
    %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %27 = arith.addi %21, %26 : i32
    %28 = tt.splat %20 : i32 -> tensor<128x1xi32>
    %29 = arith.cmpi slt, %25, %28 : tensor<128x1xi32>
    %31 = tt.splat %30 : i32 -> tensor<128x1xi32>
    %32 = arith.addi %25, %31 : tensor<128x1xi32>
    %33 = arith.addi %21, %30 : i32
    %34 = arith.addi %27, %30 : i32
    %35 = arith.minsi %33, %20 : i32
    %36 = arith.minsi %34, %20 : i32
    %38 = arith.addi %18, %37 : i32
    %40 = arith.divsi %38, %39 : i32
    %41 = arith.muli %40, %39 : i32
    %42 = arith.maxsi %35, %18 : i32
    %43 = arith.divsi %42, %39 : i32
    %44 = arith.muli %43, %39 : i32
    %45 = arith.divsi %18, %39 : i32
    %46 = arith.muli %45, %39 : i32
    %47 = arith.maxsi %44, %41 : i32
    %48 = arith.muli %16, %39 : i32
    %49 = tt.addptr %11, %48 : !tt.ptr<bf16>, i32
    %50 = arith.muli %16, %39 : i32
    %51 = tt.addptr %13, %50 : !tt.ptr<bf16>, i32
    %52 = arith.muli %16, %39 : i32
    %53 = tt.addptr %9, %52 : !tt.ptr<bf16>, i32
    %54 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %55 = tt.expand_dims %54 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %56 = arith.muli %21, %20 : i32
    %57 = tt.addptr %53, %56 : !tt.ptr<bf16>, i32
    %58 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %59 = tt.splat %18 : i32 -> tensor<64xi32>
    %60 = arith.addi %58, %59 : tensor<64xi32>
    %61 = tt.expand_dims %60 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %62 = tt.splat %20 : i32 -> tensor<128x1xi32>
    %63 = arith.muli %55, %62 : tensor<128x1xi32>
    %64 = tt.broadcast %63 : tensor<128x1xi32> -> tensor<128x64xi32>
    %65 = tt.broadcast %61 : tensor<1x64xi32> -> tensor<128x64xi32>
    %66 = arith.addi %64, %65 : tensor<128x64xi32>
    %67 = tt.splat %57 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %68 = tt.addptr %67, %66 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %69 = tt.load %68 : tensor<128x64x!tt.ptr<bf16>>
    %70 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %71 = tt.splat %21 : i32 -> tensor<128xi32>
    %72 = arith.addi %71, %70 : tensor<128xi32>
    %73 = tt.expand_dims %72 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %77 = arith.minsi %41, %36 : i32
    %147:3 = scf.for %78 = %41 to %47 step %39 iter_args(%79 = %74, %80 = %75, %81 = %76) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) : i32 {
      %82 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %83 = tt.splat %78 : i32 -> tensor<64xi32>
      %84 = arith.addi %83, %82 : tensor<64xi32>
      %85 = tt.expand_dims %84 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %86 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %87 = tt.expand_dims %86 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %88 = arith.muli %78, %20 : i32
      %89 = tt.addptr %49, %88 : !tt.ptr<bf16>, i32
      %90 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %91 = tt.splat %18 : i32 -> tensor<64xi32>
      %92 = arith.addi %90, %91 : tensor<64xi32>
      %93 = tt.expand_dims %92 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %94 = tt.splat %20 : i32 -> tensor<64x1xi32>
      %95 = arith.muli %87, %94 : tensor<64x1xi32>
      %96 = tt.broadcast %95 : tensor<64x1xi32> -> tensor<64x64xi32>
      %97 = tt.broadcast %93 : tensor<1x64xi32> -> tensor<64x64xi32>
      %98 = arith.addi %96, %97 : tensor<64x64xi32>
      %99 = tt.splat %89 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %100 = tt.addptr %99, %98 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %101 = tt.trans %100 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %102 = tt.load %101 : tensor<64x64x!tt.ptr<bf16>>
      %103 = tt.dot %69, %102, %76, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %107 = "tt.reduce"(%103) <{axis = 1 : i32}> ({
      ^bb0(%104: f32, %105: f32):
        %106 = arith.maxnumf %104, %105 : f32
        tt.reduce.return %106 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %109 = tt.splat %108 : f32 -> tensor<128xf32>
      %110 = arith.mulf %107, %109 : tensor<128xf32>
      %111 = arith.maxnumf %79, %110 : tensor<128xf32>
      %112 = tt.expand_dims %111 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %113 = arith.negf %112 : tensor<128x1xf32>
      %114 = tt.splat %108 : f32 -> tensor<128x64xf32>
      %115 = tt.broadcast %113 : tensor<128x1xf32> -> tensor<128x64xf32>
      %116 = math.fma %103, %114, %115 : tensor<128x64xf32>
      %117 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %116 : tensor<128x64xf32> -> tensor<128x64xf32>
      %118 = arith.subf %79, %111 : tensor<128xf32>
      %119 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %118 : tensor<128xf32> -> tensor<128xf32>
      %120 = arith.mulf %80, %119 : tensor<128xf32>
      %124 = "tt.reduce"(%117) <{axis = 1 : i32}> ({
      ^bb0(%121: f32, %122: f32):
        %123 = arith.addf %121, %122 : f32
        tt.reduce.return %123 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %125 = arith.addf %120, %124 : tensor<128xf32>
      %126 = arith.truncf %117 : tensor<128x64xf32> to tensor<128x64xbf16>
      %127 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %128 = tt.expand_dims %127 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %129 = arith.muli %78, %20 : i32
      %130 = tt.addptr %51, %129 : !tt.ptr<bf16>, i32
      %131 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %132 = tt.splat %18 : i32 -> tensor<64xi32>
      %133 = arith.addi %131, %132 : tensor<64xi32>
      %134 = tt.expand_dims %133 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %135 = tt.splat %20 : i32 -> tensor<64x1xi32>
      %136 = arith.muli %128, %135 : tensor<64x1xi32>
      %137 = tt.broadcast %136 : tensor<64x1xi32> -> tensor<64x64xi32>
      %138 = tt.broadcast %134 : tensor<1x64xi32> -> tensor<64x64xi32>
      %139 = arith.addi %137, %138 : tensor<64x64xi32>
      %140 = tt.splat %130 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %141 = tt.addptr %140, %139 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %142 = tt.load %141 : tensor<64x64x!tt.ptr<bf16>>
      %143 = tt.expand_dims %119 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %144 = tt.broadcast %143 : tensor<128x1xf32> -> tensor<128x64xf32>
      %145 = arith.mulf %81, %144 : tensor<128x64xf32>
      %146 = tt.dot %126, %142, %145, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      scf.yield %111, %125, %146 : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    }
    %224:3 = scf.for %150 = %47 to %36 step %39 iter_args(%151 = %147#0, %152 = %147#1, %153 = %147#2) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) : i32 {
      %154 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %155 = tt.splat %150 : i32 -> tensor<64xi32>
      %156 = arith.addi %155, %154 : tensor<64xi32>
      %157 = tt.expand_dims %156 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %158 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %159 = tt.expand_dims %158 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %160 = arith.muli %150, %20 : i32
      %161 = tt.addptr %49, %160 : !tt.ptr<bf16>, i32
      %162 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %163 = tt.splat %18 : i32 -> tensor<64xi32>
      %164 = arith.addi %162, %163 : tensor<64xi32>
      %165 = tt.expand_dims %164 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %166 = tt.splat %20 : i32 -> tensor<64x1xi32>
      %167 = arith.muli %159, %166 : tensor<64x1xi32>
      %168 = tt.broadcast %167 : tensor<64x1xi32> -> tensor<64x64xi32>
      %169 = tt.broadcast %165 : tensor<1x64xi32> -> tensor<64x64xi32>
      %170 = arith.addi %168, %169 : tensor<64x64xi32>
      %171 = tt.splat %161 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %172 = tt.addptr %171, %170 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %173 = tt.trans %172 {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %174 = tt.load %173 : tensor<64x64x!tt.ptr<bf16>>
      %175 = tt.dot %69, %174, %76, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      %176 = tt.broadcast %157 : tensor<1x64xi32> -> tensor<128x64xi32>
      %177 = tt.broadcast %32 : tensor<128x1xi32> -> tensor<128x64xi32>
      %178 = arith.cmpi slt, %176, %177 : tensor<128x64xi32>
      %180 = tt.splat %179 : f32 -> tensor<128x64xf32>
      %181 = arith.select %178, %175, %180 : tensor<128x64xi1>, tensor<128x64xf32>
      %185 = "tt.reduce"(%181) <{axis = 1 : i32}> ({
      ^bb0(%182: f32, %183: f32):
        %184 = arith.maxnumf %182, %183 : f32
        tt.reduce.return %184 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %186 = tt.splat %108 : f32 -> tensor<128xf32>
      %187 = arith.mulf %185, %186 : tensor<128xf32>
      %188 = arith.maxnumf %151, %187 : tensor<128xf32>
      %189 = tt.expand_dims %188 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %190 = arith.negf %189 : tensor<128x1xf32>
      %191 = tt.splat %108 : f32 -> tensor<128x64xf32>
      %192 = tt.broadcast %190 : tensor<128x1xf32> -> tensor<128x64xf32>
      %193 = math.fma %181, %191, %192 : tensor<128x64xf32>
      %194 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %193 : tensor<128x64xf32> -> tensor<128x64xf32>
      %195 = arith.subf %151, %188 : tensor<128xf32>
      %196 = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %195 : tensor<128xf32> -> tensor<128xf32>
      %197 = arith.mulf %152, %196 : tensor<128xf32>
      %201 = "tt.reduce"(%194) <{axis = 1 : i32}> ({
      ^bb0(%198: f32, %199: f32):
        %200 = arith.addf %198, %199 : f32
        tt.reduce.return %200 : f32
      }) : (tensor<128x64xf32>) -> (tensor<128xf32>)
      %202 = arith.addf %197, %201 : tensor<128xf32>
      %203 = arith.truncf %194 : tensor<128x64xf32> to tensor<128x64xbf16>
      %204 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %205 = tt.expand_dims %204 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %206 = arith.muli %150, %20 : i32
      %207 = tt.addptr %51, %206 : !tt.ptr<bf16>, i32
      %208 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %209 = tt.splat %18 : i32 -> tensor<64xi32>
      %210 = arith.addi %208, %209 : tensor<64xi32>
      %211 = tt.expand_dims %210 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %212 = tt.splat %20 : i32 -> tensor<64x1xi32>
      %213 = arith.muli %205, %212 : tensor<64x1xi32>
      %214 = tt.broadcast %213 : tensor<64x1xi32> -> tensor<64x64xi32>
      %215 = tt.broadcast %211 : tensor<1x64xi32> -> tensor<64x64xi32>
      %216 = arith.addi %214, %215 : tensor<64x64xi32>
      %217 = tt.splat %207 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
      %218 = tt.addptr %217, %216 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %219 = tt.load %218 : tensor<64x64x!tt.ptr<bf16>>
      %220 = tt.expand_dims %196 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %221 = tt.broadcast %220 : tensor<128x1xf32> -> tensor<128x64xf32>
      %222 = arith.mulf %153, %221 : tensor<128x64xf32>
      %223 = tt.dot %203, %219, %222, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      scf.yield %188, %202, %223 : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    }
    %227 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %228 = tt.splat %21 : i32 -> tensor<128xi32>
    %229 = arith.addi %228, %227 : tensor<128xi32>
    %230 = math.log2 %224#1 : tensor<128xf32>
    %231 = arith.addf %224#0, %230 : tensor<128xf32>
    %233 = tt.splat %232 : f32 -> tensor<128xf32>
    %234 = arith.mulf %231, %233 : tensor<128xf32>
    %236 = arith.divf %235, %224#1 : tensor<128xf32>
    %237 = tt.expand_dims %236 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %238 = tt.broadcast %237 : tensor<128x1xf32> -> tensor<128x64xf32>
    %239 = arith.mulf %224#2, %238 : tensor<128x64xf32>
    %240 = arith.muli %4, %7 : i64
    %241 = tt.addptr %out, %240 : !tt.ptr<bf16>, i64
    %242 = arith.muli %16, %39 : i32
    %243 = tt.addptr %241, %242 : !tt.ptr<bf16>, i32
    %244 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %245 = tt.expand_dims %244 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %246 = arith.muli %21, %20 : i32
    %247 = tt.addptr %243, %246 : !tt.ptr<bf16>, i32
    %248 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %249 = tt.splat %18 : i32 -> tensor<64xi32>
    %250 = arith.addi %248, %249 : tensor<64xi32>
    %251 = tt.expand_dims %250 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %252 = tt.splat %20 : i32 -> tensor<128x1xi32>
    %253 = arith.muli %245, %252 : tensor<128x1xi32>
    %254 = tt.broadcast %253 : tensor<128x1xi32> -> tensor<128x64xi32>
    %255 = tt.broadcast %251 : tensor<1x64xi32> -> tensor<128x64xi32>
    %256 = arith.addi %254, %255 : tensor<128x64xi32>
    %257 = tt.splat %247 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>>
    %258 = tt.addptr %257, %256 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
    %259 = arith.truncf %239 : tensor<128x64xf32> to tensor<128x64xbf16>
    tt.store %258, %259 : tensor<128x64x!tt.ptr<bf16>>
    %261 = arith.muli %4, %260 : i64
    %262 = arith.extsi %16 : i32 to i64
    %263 = arith.addi %261, %262 : i64
    %264 = arith.muli %263, %5 : i64
    %265 = tt.addptr %rows, %264 : !tt.ptr<f32>, i64
    %266 = tt.splat %265 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %267 = tt.addptr %266, %229 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %268 = tt.splat %20 : i32 -> tensor<128xi32>
    %269 = arith.cmpi slt, %229, %268 : tensor<128xi32>
    tt.store %267, %234, %269 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
