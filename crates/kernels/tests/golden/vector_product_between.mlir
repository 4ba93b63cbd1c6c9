module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %norm: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %others: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %9 = arith.constant 7 : i32
    %12 = arith.constant 6 : i32
    %17 = arith.constant 300 : i64
    %22 = arith.constant dense<0.0e0> : tensor<1x512xf32>
    %23 = arith.constant 0 : i32
    %24 = arith.constant 2048 : i32
    %44 = arith.constant 300 : i32
    %54 = arith.constant 1.0e0 : f32
    %67 = arith.constant 512 : i32
    %103 = arith.constant 1024 : i32
    %139 = arith.constant 1536 : i32
    %187 = arith.constant 0.0e0 : bf16
    %242 = arith.constant 3.0e2 : f32
    %245 = arith.constant 1.0e-5 : f32
    %5 = tt.get_program_id x : i32
    %6 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %7 = tt.splat %5 : i32 -> tensor<1xi32>
    %8 = arith.addi %7, %6 : tensor<1xi32>
    %10 = tt.splat %9 : i32 -> tensor<1xi32>
    %11 = arith.cmpi slt, %8, %10 : tensor<1xi32>
    %13 = tt.splat %12 : i32 -> tensor<1xi32>
    %14 = arith.minsi %8, %13 : tensor<1xi32>
    %15 = tt.expand_dims %14 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %16 = arith.extsi %15 : tensor<1x1xi32> to tensor<1x1xi64>
    %18 = tt.splat %17 : i64 -> tensor<1x1xi64>
    %19 = arith.muli %16, %18 : tensor<1x1xi64>
    %20 = tt.splat %weight : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %21 = tt.addptr %20, %19 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %175:4 = scf.for %25 = %23 to %23 step %24 iter_args(%26 = %22, %27 = %22, %28 = %22, %29 = %22) -> (tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %30 = arith.addi %25, %23 : i32
      %31 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %32 = tt.splat %30 : i32 -> tensor<512xi32>
      %33 = arith.addi %32, %31 : tensor<512xi32>
      %34 = tt.expand_dims %33 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %35 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %36 = tt.addptr %35, %34 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %37 = tt.load %36 : tensor<1x512x!tt.ptr<bf16>>
      %38 = arith.extf %37 : tensor<1x512xbf16> to tensor<1x512xf32>
      %39 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %40 = tt.splat %39 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %41 = tt.addptr %40, %34 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %42 = tt.load %41 : tensor<1x512x!tt.ptr<bf16>>
      %43 = arith.extf %42 : tensor<1x512xbf16> to tensor<1x512xf32>
      %45 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %46 = tt.splat %45 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %47 = tt.addptr %46, %34 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %48 = tt.load %47 : tensor<1x512x!tt.ptr<bf16>>
      %49 = arith.extf %48 : tensor<1x512xbf16> to tensor<1x512xf32>
      %50 = tt.splat %norm : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %51 = tt.addptr %50, %34 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %52 = tt.load %51 : tensor<1x512x!tt.ptr<bf16>>
      %53 = arith.extf %52 : tensor<1x512xbf16> to tensor<1x512xf32>
      %55 = tt.splat %54 : f32 -> tensor<1x512xf32>
      %56 = arith.addf %53, %55 : tensor<1x512xf32>
      %57 = arith.mulf %43, %56 : tensor<1x512xf32>
      %58 = arith.mulf %49, %56 : tensor<1x512xf32>
      %59 = arith.mulf %43, %43 : tensor<1x512xf32>
      %60 = arith.mulf %49, %49 : tensor<1x512xf32>
      %61 = arith.mulf %38, %57 : tensor<1x512xf32>
      %62 = arith.addf %26, %61 : tensor<1x512xf32>
      %63 = arith.mulf %38, %58 : tensor<1x512xf32>
      %64 = arith.addf %27, %63 : tensor<1x512xf32>
      %65 = arith.addf %28, %59 : tensor<1x512xf32>
      %66 = arith.addf %29, %60 : tensor<1x512xf32>
      %68 = arith.addi %25, %67 : i32
      %69 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %70 = tt.splat %68 : i32 -> tensor<512xi32>
      %71 = arith.addi %70, %69 : tensor<512xi32>
      %72 = tt.expand_dims %71 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %73 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %74 = tt.addptr %73, %72 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %75 = tt.load %74 : tensor<1x512x!tt.ptr<bf16>>
      %76 = arith.extf %75 : tensor<1x512xbf16> to tensor<1x512xf32>
      %77 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %78 = tt.splat %77 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %79 = tt.addptr %78, %72 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %80 = tt.load %79 : tensor<1x512x!tt.ptr<bf16>>
      %81 = arith.extf %80 : tensor<1x512xbf16> to tensor<1x512xf32>
      %82 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %83 = tt.splat %82 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %84 = tt.addptr %83, %72 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %85 = tt.load %84 : tensor<1x512x!tt.ptr<bf16>>
      %86 = arith.extf %85 : tensor<1x512xbf16> to tensor<1x512xf32>
      %87 = tt.splat %norm : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %88 = tt.addptr %87, %72 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %89 = tt.load %88 : tensor<1x512x!tt.ptr<bf16>>
      %90 = arith.extf %89 : tensor<1x512xbf16> to tensor<1x512xf32>
      %91 = tt.splat %54 : f32 -> tensor<1x512xf32>
      %92 = arith.addf %90, %91 : tensor<1x512xf32>
      %93 = arith.mulf %81, %92 : tensor<1x512xf32>
      %94 = arith.mulf %86, %92 : tensor<1x512xf32>
      %95 = arith.mulf %81, %81 : tensor<1x512xf32>
      %96 = arith.mulf %86, %86 : tensor<1x512xf32>
      %97 = arith.mulf %76, %93 : tensor<1x512xf32>
      %98 = arith.addf %62, %97 : tensor<1x512xf32>
      %99 = arith.mulf %76, %94 : tensor<1x512xf32>
      %100 = arith.addf %64, %99 : tensor<1x512xf32>
      %101 = arith.addf %65, %95 : tensor<1x512xf32>
      %102 = arith.addf %66, %96 : tensor<1x512xf32>
      %104 = arith.addi %25, %103 : i32
      %105 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %106 = tt.splat %104 : i32 -> tensor<512xi32>
      %107 = arith.addi %106, %105 : tensor<512xi32>
      %108 = tt.expand_dims %107 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %109 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %110 = tt.addptr %109, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %111 = tt.load %110 : tensor<1x512x!tt.ptr<bf16>>
      %112 = arith.extf %111 : tensor<1x512xbf16> to tensor<1x512xf32>
      %113 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %114 = tt.splat %113 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %115 = tt.addptr %114, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %116 = tt.load %115 : tensor<1x512x!tt.ptr<bf16>>
      %117 = arith.extf %116 : tensor<1x512xbf16> to tensor<1x512xf32>
      %118 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %119 = tt.splat %118 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %120 = tt.addptr %119, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %121 = tt.load %120 : tensor<1x512x!tt.ptr<bf16>>
      %122 = arith.extf %121 : tensor<1x512xbf16> to tensor<1x512xf32>
      %123 = tt.splat %norm : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %124 = tt.addptr %123, %108 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %125 = tt.load %124 : tensor<1x512x!tt.ptr<bf16>>
      %126 = arith.extf %125 : tensor<1x512xbf16> to tensor<1x512xf32>
      %127 = tt.splat %54 : f32 -> tensor<1x512xf32>
      %128 = arith.addf %126, %127 : tensor<1x512xf32>
      %129 = arith.mulf %117, %128 : tensor<1x512xf32>
      %130 = arith.mulf %122, %128 : tensor<1x512xf32>
      %131 = arith.mulf %117, %117 : tensor<1x512xf32>
      %132 = arith.mulf %122, %122 : tensor<1x512xf32>
      %133 = arith.mulf %112, %129 : tensor<1x512xf32>
      %134 = arith.addf %98, %133 : tensor<1x512xf32>
      %135 = arith.mulf %112, %130 : tensor<1x512xf32>
      %136 = arith.addf %100, %135 : tensor<1x512xf32>
      %137 = arith.addf %101, %131 : tensor<1x512xf32>
      %138 = arith.addf %102, %132 : tensor<1x512xf32>
      %140 = arith.addi %25, %139 : i32
      %141 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %142 = tt.splat %140 : i32 -> tensor<512xi32>
      %143 = arith.addi %142, %141 : tensor<512xi32>
      %144 = tt.expand_dims %143 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %145 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %146 = tt.addptr %145, %144 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %147 = tt.load %146 : tensor<1x512x!tt.ptr<bf16>>
      %148 = arith.extf %147 : tensor<1x512xbf16> to tensor<1x512xf32>
      %149 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
      %150 = tt.splat %149 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %151 = tt.addptr %150, %144 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %152 = tt.load %151 : tensor<1x512x!tt.ptr<bf16>>
      %153 = arith.extf %152 : tensor<1x512xbf16> to tensor<1x512xf32>
      %154 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
      %155 = tt.splat %154 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %156 = tt.addptr %155, %144 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %157 = tt.load %156 : tensor<1x512x!tt.ptr<bf16>>
      %158 = arith.extf %157 : tensor<1x512xbf16> to tensor<1x512xf32>
      %159 = tt.splat %norm : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %160 = tt.addptr %159, %144 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %161 = tt.load %160 : tensor<1x512x!tt.ptr<bf16>>
      %162 = arith.extf %161 : tensor<1x512xbf16> to tensor<1x512xf32>
      %163 = tt.splat %54 : f32 -> tensor<1x512xf32>
      %164 = arith.addf %162, %163 : tensor<1x512xf32>
      %165 = arith.mulf %153, %164 : tensor<1x512xf32>
      %166 = arith.mulf %158, %164 : tensor<1x512xf32>
      %167 = arith.mulf %153, %153 : tensor<1x512xf32>
      %168 = arith.mulf %158, %158 : tensor<1x512xf32>
      %169 = arith.mulf %148, %165 : tensor<1x512xf32>
      %170 = arith.addf %134, %169 : tensor<1x512xf32>
      %171 = arith.mulf %148, %166 : tensor<1x512xf32>
      %172 = arith.addf %136, %171 : tensor<1x512xf32>
      %173 = arith.addf %137, %167 : tensor<1x512xf32>
      %174 = arith.addf %138, %168 : tensor<1x512xf32>
      scf.yield %170, %172, %173, %174 : tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>
    }
    %179 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %180 = tt.splat %23 : i32 -> tensor<512xi32>
    %181 = arith.addi %180, %179 : tensor<512xi32>
    %182 = tt.expand_dims %181 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %183 = tt.broadcast %21 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
    %184 = tt.addptr %183, %182 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %185 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %186 = arith.cmpi slt, %182, %185 : tensor<1x512xi32>
    %188 = tt.splat %187 : bf16 -> tensor<1x512xbf16>
    %189 = tt.load %184, %186, %188 : tensor<1x512x!tt.ptr<bf16>>
    %190 = arith.extf %189 : tensor<1x512xbf16> to tensor<1x512xf32>
    %191 = tt.addptr %x, %23 : !tt.ptr<bf16>, i32
    %192 = tt.splat %191 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %193 = tt.addptr %192, %182 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %194 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %195 = arith.cmpi slt, %182, %194 : tensor<1x512xi32>
    %196 = tt.splat %187 : bf16 -> tensor<1x512xbf16>
    %197 = tt.load %193, %195, %196 : tensor<1x512x!tt.ptr<bf16>>
    %198 = arith.extf %197 : tensor<1x512xbf16> to tensor<1x512xf32>
    %199 = tt.addptr %x, %44 : !tt.ptr<bf16>, i32
    %200 = tt.splat %199 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %201 = tt.addptr %200, %182 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %202 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %203 = arith.cmpi slt, %182, %202 : tensor<1x512xi32>
    %204 = tt.splat %187 : bf16 -> tensor<1x512xbf16>
    %205 = tt.load %201, %203, %204 : tensor<1x512x!tt.ptr<bf16>>
    %206 = arith.extf %205 : tensor<1x512xbf16> to tensor<1x512xf32>
    %207 = tt.splat %norm : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
    %208 = tt.addptr %207, %182 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
    %209 = tt.splat %44 : i32 -> tensor<1x512xi32>
    %210 = arith.cmpi slt, %182, %209 : tensor<1x512xi32>
    %211 = tt.splat %187 : bf16 -> tensor<1x512xbf16>
    %212 = tt.load %208, %210, %211 : tensor<1x512x!tt.ptr<bf16>>
    %213 = arith.extf %212 : tensor<1x512xbf16> to tensor<1x512xf32>
    %214 = tt.splat %54 : f32 -> tensor<1x512xf32>
    %215 = arith.addf %213, %214 : tensor<1x512xf32>
    %216 = arith.mulf %198, %215 : tensor<1x512xf32>
    %217 = arith.mulf %206, %215 : tensor<1x512xf32>
    %218 = arith.mulf %198, %198 : tensor<1x512xf32>
    %219 = arith.mulf %206, %206 : tensor<1x512xf32>
    %220 = arith.mulf %190, %216 : tensor<1x512xf32>
    %221 = arith.addf %175#0, %220 : tensor<1x512xf32>
    %222 = arith.mulf %190, %217 : tensor<1x512xf32>
    %223 = arith.addf %175#1, %222 : tensor<1x512xf32>
    %224 = arith.addf %175#2, %218 : tensor<1x512xf32>
    %225 = arith.addf %175#3, %219 : tensor<1x512xf32>
    %229 = "tt.reduce"(%221) <{axis = 1 : i32}> ({
    ^bb0(%226: f32, %227: f32):
      %228 = arith.addf %226, %227 : f32
      tt.reduce.return %228 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %233 = "tt.reduce"(%223) <{axis = 1 : i32}> ({
    ^bb0(%230: f32, %231: f32):
      %232 = arith.addf %230, %231 : f32
      tt.reduce.return %232 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %237 = "tt.reduce"(%224) <{axis = 1 : i32}> ({
    ^bb0(%234: f32, %235: f32):
      %236 = arith.addf %234, %235 : f32
      tt.reduce.return %236 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %241 = "tt.reduce"(%225) <{axis = 1 : i32}> ({
    ^bb0(%238: f32, %239: f32):
      %240 = arith.addf %238, %239 : f32
      tt.reduce.return %240 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %243 = tt.splat %242 : f32 -> tensor<1xf32>
    %244 = arith.divf %237, %243 : tensor<1xf32>
    %246 = tt.splat %245 : f32 -> tensor<1xf32>
    %247 = arith.addf %244, %246 : tensor<1xf32>
    %248 = math.rsqrt %247 : tensor<1xf32>
    %249 = tt.splat %242 : f32 -> tensor<1xf32>
    %250 = arith.divf %241, %249 : tensor<1xf32>
    %251 = tt.splat %245 : f32 -> tensor<1xf32>
    %252 = arith.addf %250, %251 : tensor<1xf32>
    %253 = math.rsqrt %252 : tensor<1xf32>
    %254 = arith.mulf %229, %248 : tensor<1xf32>
    %255 = arith.mulf %233, %253 : tensor<1xf32>
    %256 = tt.addptr %others, %23 : !tt.ptr<bf16>, i32
    %257 = tt.splat %256 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %258 = tt.addptr %257, %8 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %259 = tt.splat %187 : bf16 -> tensor<1xbf16>
    %260 = tt.load %258, %11, %259 : tensor<1x!tt.ptr<bf16>>
    %261 = arith.extf %260 : tensor<1xbf16> to tensor<1xf32>
    %262 = tt.addptr %y, %23 : !tt.ptr<bf16>, i32
    %263 = arith.addf %261, %254 : tensor<1xf32>
    %264 = tt.splat %262 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %265 = tt.addptr %264, %8 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %266 = arith.truncf %263 : tensor<1xf32> to tensor<1xbf16>
    tt.store %265, %266, %11 : tensor<1x!tt.ptr<bf16>>
    %267 = tt.addptr %others, %9 : !tt.ptr<bf16>, i32
    %268 = tt.splat %267 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %269 = tt.addptr %268, %8 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %270 = tt.splat %187 : bf16 -> tensor<1xbf16>
    %271 = tt.load %269, %11, %270 : tensor<1x!tt.ptr<bf16>>
    %272 = arith.extf %271 : tensor<1xbf16> to tensor<1xf32>
    %273 = tt.addptr %y, %9 : !tt.ptr<bf16>, i32
    %274 = arith.addf %272, %255 : tensor<1xf32>
    %275 = tt.splat %273 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %276 = tt.addptr %275, %8 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %277 = arith.truncf %274 : tensor<1xf32> to tensor<1xbf16>
    tt.store %276, %277, %11 : tensor<1x!tt.ptr<bf16>>
    tt.return
  }
}
