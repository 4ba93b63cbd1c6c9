module {
  tt.func public @vector_product(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %third: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_second: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_third: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %8 = arith.constant 0 : i32
    %10 = arith.constant 7 : i32
    %18 = arith.constant 6 : i32
    %25 = arith.constant 300 : i64
    %30 = arith.constant dense<0.0e0> : tensor<1x512xf32>
    %32 = arith.constant 2048 : i32
    %50 = arith.constant 300 : i32
    %60 = arith.constant 512 : i32
    %84 = arith.constant 1024 : i32
    %108 = arith.constant 1536 : i32
    %146 = arith.constant 0.0e0 : bf16
    %189 = arith.constant 10 : i32
    %197 = arith.constant 2 : i32
    %355 = arith.constant 3 : i32
    %361 = arith.constant 12 : i32
    %369 = arith.constant 1 : i32
    %7 = tt.get_program_id x : i32
    %9 = arith.cmpi sge, %7, %8 : i32
    %11 = arith.cmpi slt, %7, %10 : i32
    %12 = arith.andi %9, %11 : i1
    %13 = arith.subi %7, %8 : i32
    %14 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %15 = tt.splat %13 : i32 -> tensor<1xi32>
    %16 = arith.addi %15, %14 : tensor<1xi32>
    %17 = tt.splat %12 : i1 -> tensor<1xi1>
    %19 = tt.splat %18 : i32 -> tensor<1xi32>
    %20 = arith.minsi %16, %19 : tensor<1xi32>
    %21 = tt.splat %8 : i32 -> tensor<1xi32>
    %22 = arith.maxsi %20, %21 : tensor<1xi32>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %24 = arith.extsi %23 : tensor<1x1xi32> to tensor<1x1xi64>
    %26 = tt.splat %25 : i64 -> tensor<1x1xi64>
    %27 = arith.muli %24, %26 : tensor<1x1xi64>
    %28 = tt.splat %weight : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %29 = tt.addptr %28, %27 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %31 = arith.select %12, %8, %8 : i32
    %132:2 = scf.for %33 = %8 to %31 step %32 iter_args(%34 = %30, %35 = %30) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %36 = arith.addi %33, %8 : i32
      %37 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %38 = tt.splat %36 : i32 -> tensor<512xi32>
      %39 = arith.addi %38, %37 : tensor<512xi32>
      %40 = tt.expand_dims %39 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %41 = tt.broadcast %29 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %42 = tt.addptr %41, %40 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %43 = tt.load %42 : tensor<1x512x!tt.ptr<bf16>>
      %44 = arith.extf %43 : tensor<1x512xbf16> to tensor<1x512xf32>
      %45 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %46 = tt.splat %45 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %47 = tt.addptr %46, %40 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %48 = tt.load %47 : tensor<1x512x!tt.ptr<bf16>>
      %49 = arith.extf %48 : tensor<1x512xbf16> to tensor<1x512xf32>
      %51 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %52 = tt.splat %51 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %53 = tt.addptr %52, %40 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %54 = tt.load %53 : tensor<1x512x!tt.ptr<bf16>>
      %55 = arith.extf %54 : tensor<1x512xbf16> to tensor<1x512xf32>
      %56 = arith.mulf %44, %49 : tensor<1x512xf32>
      %57 = arith.addf %34, %56 : tensor<1x512xf32>
      %58 = arith.mulf %44, %55 : tensor<1x512xf32>
      %59 = arith.addf %35, %58 : tensor<1x512xf32>
      %61 = arith.addi %33, %60 : i32
      %62 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %63 = tt.splat %61 : i32 -> tensor<512xi32>
      %64 = arith.addi %63, %62 : tensor<512xi32>
      %65 = tt.expand_dims %64 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %66 = tt.broadcast %29 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %67 = tt.addptr %66, %65 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %68 = tt.load %67 : tensor<1x512x!tt.ptr<bf16>>
      %69 = arith.extf %68 : tensor<1x512xbf16> to tensor<1x512xf32>
      %70 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %71 = tt.splat %70 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %72 = tt.addptr %71, %65 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %73 = tt.load %72 : tensor<1x512x!tt.ptr<bf16>>
      %74 = arith.extf %73 : tensor<1x512xbf16> to tensor<1x512xf32>
      %75 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %76 = tt.splat %75 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %77 = tt.addptr %76, %65 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %78 = tt.load %77 : tensor<1x512x!tt.ptr<bf16>>
      %79 = arith.extf %78 : tensor<1x512xbf16> to tensor<1x512xf32>
      %80 = arith.mulf %69, %74 : tensor<1x512xf32>
      %81 = arith.addf %57, %80 : tensor<1x512xf32>
      %82 = arith.mulf %69, %79 : tensor<1x512xf32>
      %83 = arith.addf %59, %82 : tensor<1x512xf32>
      %85 = arith.addi %33, %84 : i32
      %86 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %87 = tt.splat %85 : i32 -> tensor<512xi32>
      %88 = arith.addi %87, %86 : tensor<512xi32>
      %89 = tt.expand_dims %88 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %90 = tt.broadcast %29 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %91 = tt.addptr %90, %89 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %92 = tt.load %91 : tensor<1x512x!tt.ptr<bf16>>
      %93 = arith.extf %92 : tensor<1x512xbf16> to tensor<1x512xf32>
      %94 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %95 = tt.splat %94 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %96 = tt.addptr %95, %89 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %97 = tt.load %96 : tensor<1x512x!tt.ptr<bf16>>
      %98 = arith.extf %97 : tensor<1x512xbf16> to tensor<1x512xf32>
      %99 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %100 = tt.splat %99 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %101 = tt.addptr %100, %89 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %102 = tt.load %101 : tensor<1x512x!tt.ptr<bf16>>
      %103 = arith.extf %102 : tensor<1x512xbf16> to tensor<1x512xf32>
      %104 = arith.mulf %93, %98 : tensor<1x512xf32>
      %105 = arith.addf %81, %104 : tensor<1x512xf32>
      %106 = arith.mulf %93, %103 : tensor<1x512xf32>
      %107 = arith.addf %83, %106 : tensor<1x512xf32>
      %109 = arith.addi %33, %108 : i32
      %110 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %111 = tt.splat %109 : i32 -> tensor<512xi32>
      %112 = arith.addi %111, %110 : tensor<512xi32>
      %113 = tt.expand_dims %112 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %114 = tt.broadcast %29 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %115 = tt.addptr %114, %113 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %116 = tt.load %115 : tensor<1x512x!tt.ptr<bf16>>
      %117 = arith.extf %116 : tensor<1x512xbf16> to tensor<1x512xf32>
      %118 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %119 = tt.splat %118 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %120 = tt.addptr %119, %113 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %121 = tt.load %120 : tensor<1x512x!tt.ptr<bf16>>
      %122 = arith.extf %121 : tensor<1x512xbf16> to tensor<1x512xf32>
      %123 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %124 = tt.splat %123 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %125 = tt.addptr %124, %113 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %126 = tt.load %125 : tensor<1x512x!tt.ptr<bf16>>
      %127 = arith.extf %126 : tensor<1x512xbf16> to tensor<1x512xf32>
      %128 = arith.mulf %117, %122 : tensor<1x512xf32>
      %129 = arith.addf %105, %128 : tensor<1x512xf32>
      %130 = arith.mulf %117, %127 : tensor<1x512xf32>
      %131 = arith.addf %107, %130 : tensor<1x512xf32>
      scf.yield %129, %131 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %134 = arith.select %12, %50, %8 : i32
    %170:2 = scf.for %135 = %8 to %134 step %60 iter_args(%136 = %132#0, %137 = %132#1) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %138 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %139 = tt.splat %135 : i32 -> tensor<512xi32>
      %140 = arith.addi %139, %138 : tensor<512xi32>
      %141 = tt.expand_dims %140 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %142 = tt.broadcast %29 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %143 = tt.addptr %142, %141 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %144 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %145 = arith.cmpi slt, %141, %144 : tensor<1x512xi32>
      %147 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %148 = tt.load %143, %145, %147 : tensor<1x512x!tt.ptr<bf16>>
      %149 = arith.extf %148 : tensor<1x512xbf16> to tensor<1x512xf32>
      %150 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %151 = tt.splat %150 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %152 = tt.addptr %151, %141 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %153 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %154 = arith.cmpi slt, %141, %153 : tensor<1x512xi32>
      %155 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %156 = tt.load %152, %154, %155 : tensor<1x512x!tt.ptr<bf16>>
      %157 = arith.extf %156 : tensor<1x512xbf16> to tensor<1x512xf32>
      %158 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %159 = tt.splat %158 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %160 = tt.addptr %159, %141 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %161 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %162 = arith.cmpi slt, %141, %161 : tensor<1x512xi32>
      %163 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %164 = tt.load %160, %162, %163 : tensor<1x512x!tt.ptr<bf16>>
      %165 = arith.extf %164 : tensor<1x512xbf16> to tensor<1x512xf32>
      %166 = arith.mulf %149, %157 : tensor<1x512xf32>
      %167 = arith.addf %136, %166 : tensor<1x512xf32>
      %168 = arith.mulf %149, %165 : tensor<1x512xf32>
      %169 = arith.addf %137, %168 : tensor<1x512xf32>
      scf.yield %167, %169 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %175 = "tt.reduce"(%170#0) <{axis = 1 : i32}> ({
    ^bb0(%172: f32, %173: f32):
      %174 = arith.addf %172, %173 : f32
      tt.reduce.return %174 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %179 = "tt.reduce"(%170#1) <{axis = 1 : i32}> ({
    ^bb0(%176: f32, %177: f32):
      %178 = arith.addf %176, %177 : f32
      tt.reduce.return %178 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %180 = tt.addptr %y, %8 : !tt.ptr<bf16>, i32
    %181 = tt.splat %180 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %182 = tt.addptr %181, %16 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %183 = arith.truncf %175 : tensor<1xf32> to tensor<1xbf16>
    tt.store %182, %183, %17 : tensor<1x!tt.ptr<bf16>>
    %184 = tt.addptr %y, %10 : !tt.ptr<bf16>, i32
    %185 = tt.splat %184 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %186 = tt.addptr %185, %16 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %187 = arith.truncf %179 : tensor<1xf32> to tensor<1xbf16>
    tt.store %186, %187, %17 : tensor<1x!tt.ptr<bf16>>
    %188 = arith.cmpi sge, %7, %10 : i32
    %190 = arith.cmpi slt, %7, %189 : i32
    %191 = arith.andi %188, %190 : i1
    %192 = arith.subi %7, %10 : i32
    %193 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %194 = tt.splat %192 : i32 -> tensor<1xi32>
    %195 = arith.addi %194, %193 : tensor<1xi32>
    %196 = tt.splat %191 : i1 -> tensor<1xi1>
    %198 = tt.splat %197 : i32 -> tensor<1xi32>
    %199 = arith.minsi %195, %198 : tensor<1xi32>
    %200 = tt.splat %8 : i32 -> tensor<1xi32>
    %201 = arith.maxsi %199, %200 : tensor<1xi32>
    %202 = tt.expand_dims %201 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %203 = arith.extsi %202 : tensor<1x1xi32> to tensor<1x1xi64>
    %204 = tt.splat %25 : i64 -> tensor<1x1xi64>
    %205 = arith.muli %203, %204 : tensor<1x1xi64>
    %206 = tt.splat %second : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %207 = tt.addptr %206, %205 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %208 = arith.select %191, %8, %8 : i32
    %304:2 = scf.for %209 = %8 to %208 step %32 iter_args(%210 = %30, %211 = %30) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %212 = arith.addi %209, %8 : i32
      %213 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %214 = tt.splat %212 : i32 -> tensor<512xi32>
      %215 = arith.addi %214, %213 : tensor<512xi32>
      %216 = tt.expand_dims %215 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %217 = tt.broadcast %207 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %218 = tt.addptr %217, %216 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %219 = tt.load %218 : tensor<1x512x!tt.ptr<bf16>>
      %220 = arith.extf %219 : tensor<1x512xbf16> to tensor<1x512xf32>
      %221 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %222 = tt.splat %221 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %223 = tt.addptr %222, %216 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %224 = tt.load %223 : tensor<1x512x!tt.ptr<bf16>>
      %225 = arith.extf %224 : tensor<1x512xbf16> to tensor<1x512xf32>
      %226 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %227 = tt.splat %226 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %228 = tt.addptr %227, %216 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %229 = tt.load %228 : tensor<1x512x!tt.ptr<bf16>>
      %230 = arith.extf %229 : tensor<1x512xbf16> to tensor<1x512xf32>
      %231 = arith.mulf %220, %225 : tensor<1x512xf32>
      %232 = arith.addf %210, %231 : tensor<1x512xf32>
      %233 = arith.mulf %220, %230 : tensor<1x512xf32>
      %234 = arith.addf %211, %233 : tensor<1x512xf32>
      %235 = arith.addi %209, %60 : i32
      %236 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %237 = tt.splat %235 : i32 -> tensor<512xi32>
      %238 = arith.addi %237, %236 : tensor<512xi32>
      %239 = tt.expand_dims %238 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %240 = tt.broadcast %207 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %241 = tt.addptr %240, %239 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %242 = tt.load %241 : tensor<1x512x!tt.ptr<bf16>>
      %243 = arith.extf %242 : tensor<1x512xbf16> to tensor<1x512xf32>
      %244 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %245 = tt.splat %244 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %246 = tt.addptr %245, %239 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %247 = tt.load %246 : tensor<1x512x!tt.ptr<bf16>>
      %248 = arith.extf %247 : tensor<1x512xbf16> to tensor<1x512xf32>
      %249 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %250 = tt.splat %249 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %251 = tt.addptr %250, %239 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %252 = tt.load %251 : tensor<1x512x!tt.ptr<bf16>>
      %253 = arith.extf %252 : tensor<1x512xbf16> to tensor<1x512xf32>
      %254 = arith.mulf %243, %248 : tensor<1x512xf32>
      %255 = arith.addf %232, %254 : tensor<1x512xf32>
      %256 = arith.mulf %243, %253 : tensor<1x512xf32>
      %257 = arith.addf %234, %256 : tensor<1x512xf32>
      %258 = arith.addi %209, %84 : i32
      %259 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %260 = tt.splat %258 : i32 -> tensor<512xi32>
      %261 = arith.addi %260, %259 : tensor<512xi32>
      %262 = tt.expand_dims %261 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %263 = tt.broadcast %207 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %264 = tt.addptr %263, %262 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %265 = tt.load %264 : tensor<1x512x!tt.ptr<bf16>>
      %266 = arith.extf %265 : tensor<1x512xbf16> to tensor<1x512xf32>
      %267 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %268 = tt.splat %267 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %269 = tt.addptr %268, %262 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %270 = tt.load %269 : tensor<1x512x!tt.ptr<bf16>>
      %271 = arith.extf %270 : tensor<1x512xbf16> to tensor<1x512xf32>
      %272 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %273 = tt.splat %272 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %274 = tt.addptr %273, %262 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %275 = tt.load %274 : tensor<1x512x!tt.ptr<bf16>>
      %276 = arith.extf %275 : tensor<1x512xbf16> to tensor<1x512xf32>
      %277 = arith.mulf %266, %271 : tensor<1x512xf32>
      %278 = arith.addf %255, %277 : tensor<1x512xf32>
      %279 = arith.mulf %266, %276 : tensor<1x512xf32>
      %280 = arith.addf %257, %279 : tensor<1x512xf32>
      %281 = arith.addi %209, %108 : i32
      %282 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %283 = tt.splat %281 : i32 -> tensor<512xi32>
      %284 = arith.addi %283, %282 : tensor<512xi32>
      %285 = tt.expand_dims %284 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %286 = tt.broadcast %207 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %287 = tt.addptr %286, %285 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %288 = tt.load %287 : tensor<1x512x!tt.ptr<bf16>>
      %289 = arith.extf %288 : tensor<1x512xbf16> to tensor<1x512xf32>
      %290 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %291 = tt.splat %290 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %292 = tt.addptr %291, %285 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %293 = tt.load %292 : tensor<1x512x!tt.ptr<bf16>>
      %294 = arith.extf %293 : tensor<1x512xbf16> to tensor<1x512xf32>
      %295 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %296 = tt.splat %295 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %297 = tt.addptr %296, %285 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %298 = tt.load %297 : tensor<1x512x!tt.ptr<bf16>>
      %299 = arith.extf %298 : tensor<1x512xbf16> to tensor<1x512xf32>
      %300 = arith.mulf %289, %294 : tensor<1x512xf32>
      %301 = arith.addf %278, %300 : tensor<1x512xf32>
      %302 = arith.mulf %289, %299 : tensor<1x512xf32>
      %303 = arith.addf %280, %302 : tensor<1x512xf32>
      scf.yield %301, %303 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %306 = arith.select %191, %50, %8 : i32
    %341:2 = scf.for %307 = %8 to %306 step %60 iter_args(%308 = %304#0, %309 = %304#1) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %310 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %311 = tt.splat %307 : i32 -> tensor<512xi32>
      %312 = arith.addi %311, %310 : tensor<512xi32>
      %313 = tt.expand_dims %312 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %314 = tt.broadcast %207 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %315 = tt.addptr %314, %313 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %316 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %317 = arith.cmpi slt, %313, %316 : tensor<1x512xi32>
      %318 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %319 = tt.load %315, %317, %318 : tensor<1x512x!tt.ptr<bf16>>
      %320 = arith.extf %319 : tensor<1x512xbf16> to tensor<1x512xf32>
      %321 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %322 = tt.splat %321 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %323 = tt.addptr %322, %313 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %324 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %325 = arith.cmpi slt, %313, %324 : tensor<1x512xi32>
      %326 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %327 = tt.load %323, %325, %326 : tensor<1x512x!tt.ptr<bf16>>
      %328 = arith.extf %327 : tensor<1x512xbf16> to tensor<1x512xf32>
      %329 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %330 = tt.splat %329 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %331 = tt.addptr %330, %313 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %332 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %333 = arith.cmpi slt, %313, %332 : tensor<1x512xi32>
      %334 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %335 = tt.load %331, %333, %334 : tensor<1x512x!tt.ptr<bf16>>
      %336 = arith.extf %335 : tensor<1x512xbf16> to tensor<1x512xf32>
      %337 = arith.mulf %320, %328 : tensor<1x512xf32>
      %338 = arith.addf %308, %337 : tensor<1x512xf32>
      %339 = arith.mulf %320, %336 : tensor<1x512xf32>
      %340 = arith.addf %309, %339 : tensor<1x512xf32>
      scf.yield %338, %340 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %346 = "tt.reduce"(%341#0) <{axis = 1 : i32}> ({
    ^bb0(%343: f32, %344: f32):
      %345 = arith.addf %343, %344 : f32
      tt.reduce.return %345 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %350 = "tt.reduce"(%341#1) <{axis = 1 : i32}> ({
    ^bb0(%347: f32, %348: f32):
      %349 = arith.addf %347, %348 : f32
      tt.reduce.return %349 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %351 = tt.addptr %y_second, %8 : !tt.ptr<bf16>, i32
    %352 = tt.splat %351 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %353 = tt.addptr %352, %195 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %354 = arith.truncf %346 : tensor<1xf32> to tensor<1xbf16>
    tt.store %353, %354, %196 : tensor<1x!tt.ptr<bf16>>
    %356 = tt.addptr %y_second, %355 : !tt.ptr<bf16>, i32
    %357 = tt.splat %356 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %358 = tt.addptr %357, %195 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %359 = arith.truncf %350 : tensor<1xf32> to tensor<1xbf16>
    tt.store %358, %359, %196 : tensor<1x!tt.ptr<bf16>>
    %360 = arith.cmpi sge, %7, %189 : i32
    %362 = arith.cmpi slt, %7, %361 : i32
    %363 = arith.andi %360, %362 : i1
    %364 = arith.subi %7, %189 : i32
    %365 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %366 = tt.splat %364 : i32 -> tensor<1xi32>
    %367 = arith.addi %366, %365 : tensor<1xi32>
    %368 = tt.splat %363 : i1 -> tensor<1xi1>
    %370 = tt.splat %369 : i32 -> tensor<1xi32>
    %371 = arith.minsi %367, %370 : tensor<1xi32>
    %372 = tt.splat %8 : i32 -> tensor<1xi32>
    %373 = arith.maxsi %371, %372 : tensor<1xi32>
    %374 = tt.expand_dims %373 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %375 = arith.extsi %374 : tensor<1x1xi32> to tensor<1x1xi64>
    %376 = tt.splat %25 : i64 -> tensor<1x1xi64>
    %377 = arith.muli %375, %376 : tensor<1x1xi64>
    %378 = tt.splat %third : !tt.ptr<bf16> -> tensor<1x1x!tt.ptr<bf16>>
    %379 = tt.addptr %378, %377 : tensor<1x1x!tt.ptr<bf16>>, tensor<1x1xi64>
    %380 = arith.select %363, %8, %8 : i32
    %476:2 = scf.for %381 = %8 to %380 step %32 iter_args(%382 = %30, %383 = %30) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %384 = arith.addi %381, %8 : i32
      %385 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %386 = tt.splat %384 : i32 -> tensor<512xi32>
      %387 = arith.addi %386, %385 : tensor<512xi32>
      %388 = tt.expand_dims %387 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %389 = tt.broadcast %379 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %390 = tt.addptr %389, %388 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %391 = tt.load %390 : tensor<1x512x!tt.ptr<bf16>>
      %392 = arith.extf %391 : tensor<1x512xbf16> to tensor<1x512xf32>
      %393 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %394 = tt.splat %393 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %395 = tt.addptr %394, %388 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %396 = tt.load %395 : tensor<1x512x!tt.ptr<bf16>>
      %397 = arith.extf %396 : tensor<1x512xbf16> to tensor<1x512xf32>
      %398 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %399 = tt.splat %398 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %400 = tt.addptr %399, %388 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %401 = tt.load %400 : tensor<1x512x!tt.ptr<bf16>>
      %402 = arith.extf %401 : tensor<1x512xbf16> to tensor<1x512xf32>
      %403 = arith.mulf %392, %397 : tensor<1x512xf32>
      %404 = arith.addf %382, %403 : tensor<1x512xf32>
      %405 = arith.mulf %392, %402 : tensor<1x512xf32>
      %406 = arith.addf %383, %405 : tensor<1x512xf32>
      %407 = arith.addi %381, %60 : i32
      %408 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %409 = tt.splat %407 : i32 -> tensor<512xi32>
      %410 = arith.addi %409, %408 : tensor<512xi32>
      %411 = tt.expand_dims %410 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %412 = tt.broadcast %379 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %413 = tt.addptr %412, %411 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %414 = tt.load %413 : tensor<1x512x!tt.ptr<bf16>>
      %415 = arith.extf %414 : tensor<1x512xbf16> to tensor<1x512xf32>
      %416 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %417 = tt.splat %416 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %418 = tt.addptr %417, %411 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %419 = tt.load %418 : tensor<1x512x!tt.ptr<bf16>>
      %420 = arith.extf %419 : tensor<1x512xbf16> to tensor<1x512xf32>
      %421 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %422 = tt.splat %421 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %423 = tt.addptr %422, %411 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %424 = tt.load %423 : tensor<1x512x!tt.ptr<bf16>>
      %425 = arith.extf %424 : tensor<1x512xbf16> to tensor<1x512xf32>
      %426 = arith.mulf %415, %420 : tensor<1x512xf32>
      %427 = arith.addf %404, %426 : tensor<1x512xf32>
      %428 = arith.mulf %415, %425 : tensor<1x512xf32>
      %429 = arith.addf %406, %428 : tensor<1x512xf32>
      %430 = arith.addi %381, %84 : i32
      %431 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %432 = tt.splat %430 : i32 -> tensor<512xi32>
      %433 = arith.addi %432, %431 : tensor<512xi32>
      %434 = tt.expand_dims %433 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %435 = tt.broadcast %379 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %436 = tt.addptr %435, %434 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %437 = tt.load %436 : tensor<1x512x!tt.ptr<bf16>>
      %438 = arith.extf %437 : tensor<1x512xbf16> to tensor<1x512xf32>
      %439 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %440 = tt.splat %439 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %441 = tt.addptr %440, %434 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %442 = tt.load %441 : tensor<1x512x!tt.ptr<bf16>>
      %443 = arith.extf %442 : tensor<1x512xbf16> to tensor<1x512xf32>
      %444 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %445 = tt.splat %444 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %446 = tt.addptr %445, %434 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %447 = tt.load %446 : tensor<1x512x!tt.ptr<bf16>>
      %448 = arith.extf %447 : tensor<1x512xbf16> to tensor<1x512xf32>
      %449 = arith.mulf %438, %443 : tensor<1x512xf32>
      %450 = arith.addf %427, %449 : tensor<1x512xf32>
      %451 = arith.mulf %438, %448 : tensor<1x512xf32>
      %452 = arith.addf %429, %451 : tensor<1x512xf32>
      %453 = arith.addi %381, %108 : i32
      %454 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %455 = tt.splat %453 : i32 -> tensor<512xi32>
      %456 = arith.addi %455, %454 : tensor<512xi32>
      %457 = tt.expand_dims %456 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %458 = tt.broadcast %379 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %459 = tt.addptr %458, %457 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %460 = tt.load %459 : tensor<1x512x!tt.ptr<bf16>>
      %461 = arith.extf %460 : tensor<1x512xbf16> to tensor<1x512xf32>
      %462 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %463 = tt.splat %462 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %464 = tt.addptr %463, %457 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %465 = tt.load %464 : tensor<1x512x!tt.ptr<bf16>>
      %466 = arith.extf %465 : tensor<1x512xbf16> to tensor<1x512xf32>
      %467 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %468 = tt.splat %467 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %469 = tt.addptr %468, %457 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %470 = tt.load %469 : tensor<1x512x!tt.ptr<bf16>>
      %471 = arith.extf %470 : tensor<1x512xbf16> to tensor<1x512xf32>
      %472 = arith.mulf %461, %466 : tensor<1x512xf32>
      %473 = arith.addf %450, %472 : tensor<1x512xf32>
      %474 = arith.mulf %461, %471 : tensor<1x512xf32>
      %475 = arith.addf %452, %474 : tensor<1x512xf32>
      scf.yield %473, %475 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %478 = arith.select %363, %50, %8 : i32
    %513:2 = scf.for %479 = %8 to %478 step %60 iter_args(%480 = %476#0, %481 = %476#1) -> (tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
      %482 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %483 = tt.splat %479 : i32 -> tensor<512xi32>
      %484 = arith.addi %483, %482 : tensor<512xi32>
      %485 = tt.expand_dims %484 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %486 = tt.broadcast %379 : tensor<1x1x!tt.ptr<bf16>> -> tensor<1x512x!tt.ptr<bf16>>
      %487 = tt.addptr %486, %485 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %488 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %489 = arith.cmpi slt, %485, %488 : tensor<1x512xi32>
      %490 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %491 = tt.load %487, %489, %490 : tensor<1x512x!tt.ptr<bf16>>
      %492 = arith.extf %491 : tensor<1x512xbf16> to tensor<1x512xf32>
      %493 = tt.addptr %x, %8 : !tt.ptr<bf16>, i32
      %494 = tt.splat %493 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %495 = tt.addptr %494, %485 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %496 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %497 = arith.cmpi slt, %485, %496 : tensor<1x512xi32>
      %498 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %499 = tt.load %495, %497, %498 : tensor<1x512x!tt.ptr<bf16>>
      %500 = arith.extf %499 : tensor<1x512xbf16> to tensor<1x512xf32>
      %501 = tt.addptr %x, %50 : !tt.ptr<bf16>, i32
      %502 = tt.splat %501 : !tt.ptr<bf16> -> tensor<1x512x!tt.ptr<bf16>>
      %503 = tt.addptr %502, %485 : tensor<1x512x!tt.ptr<bf16>>, tensor<1x512xi32>
      %504 = tt.splat %50 : i32 -> tensor<1x512xi32>
      %505 = arith.cmpi slt, %485, %504 : tensor<1x512xi32>
      %506 = tt.splat %146 : bf16 -> tensor<1x512xbf16>
      %507 = tt.load %503, %505, %506 : tensor<1x512x!tt.ptr<bf16>>
      %508 = arith.extf %507 : tensor<1x512xbf16> to tensor<1x512xf32>
      %509 = arith.mulf %492, %500 : tensor<1x512xf32>
      %510 = arith.addf %480, %509 : tensor<1x512xf32>
      %511 = arith.mulf %492, %508 : tensor<1x512xf32>
      %512 = arith.addf %481, %511 : tensor<1x512xf32>
      scf.yield %510, %512 : tensor<1x512xf32>, tensor<1x512xf32>
    }
    %518 = "tt.reduce"(%513#0) <{axis = 1 : i32}> ({
    ^bb0(%515: f32, %516: f32):
      %517 = arith.addf %515, %516 : f32
      tt.reduce.return %517 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %522 = "tt.reduce"(%513#1) <{axis = 1 : i32}> ({
    ^bb0(%519: f32, %520: f32):
      %521 = arith.addf %519, %520 : f32
      tt.reduce.return %521 : f32
    }) : (tensor<1x512xf32>) -> (tensor<1xf32>)
    %523 = tt.addptr %y_third, %8 : !tt.ptr<bf16>, i32
    %524 = tt.splat %523 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %525 = tt.addptr %524, %367 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %526 = arith.truncf %518 : tensor<1xf32> to tensor<1xbf16>
    tt.store %525, %526, %368 : tensor<1x!tt.ptr<bf16>>
    %527 = tt.addptr %y_third, %197 : !tt.ptr<bf16>, i32
    %528 = tt.splat %527 : !tt.ptr<bf16> -> tensor<1x!tt.ptr<bf16>>
    %529 = tt.addptr %528, %367 : tensor<1x!tt.ptr<bf16>>, tensor<1xi32>
    %530 = arith.truncf %522 : tensor<1xf32> to tensor<1xbf16>
    tt.store %529, %530, %368 : tensor<1x!tt.ptr<bf16>>
    tt.return
  }
}
