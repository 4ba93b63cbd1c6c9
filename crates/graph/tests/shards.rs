//! Programs for several devices, as text.

use expect_test::expect;
use graph::{
    Axis, AxisRule, AxisTable, CustomCall, DType, Graph, Init, Mesh, ParamSpec, Partition, Remat, Stack, TensorType,
};

const LAYERS: Axis = Axis::new("layers", 2);
const WIDTH: Axis = Axis::new("in", 4);

fn partition() -> Partition {
    let table = |rules: &[(&'static str, &[&'static str])]| {
        AxisTable::of(rules.iter().map(|(axis, over)| AxisRule::new(axis, over)).collect())
    };
    Partition {
        mesh: Mesh::new(&[Axis::new("fsdp", 2)]),
        parameters: table(&[("in", &["fsdp"])]),
        activations: table(&[("batch", &["fsdp"]), ("in", &[])]),
        narrow_sums: false,
        exchanges_in_order: false,
    }
}

/// Two layers over bf16: weights lie in parts and are gathered beside the layer before, behind a barrier in both passes; what devices have of
/// a gradient is added up in f32.
#[test]
fn weights_are_gathered_and_gradients_scattered() {
    let graph = Graph::on(Some(partition()));
    let x = graph.input("x", DType::BF16, &[Axis::new("batch", 6), WIDTH]);
    let (y, _) = graph.scan(LAYERS, &[x], &[], Remat::full(), |step| {
        let spec = ParamSpec {
            name: "layers.*.w".into(),
            dtype: DType::BF16,
            axes: vec![WIDTH.named("out"), WIDTH],
            stack: vec![Stack::of(LAYERS)],
            init: Init::Ones,
        };
        (vec![step.carry[0].dot(graph.param(spec), &["in"]).rename("out", "in")], vec![])
    });
    let weights = graph.params()[0].1;
    let gradient = graph.grad(y[0].sum_all(), &[weights])[0];
    // It takes the place of the weights, and lies as they do.
    let program = graph.lower_unrolled("layers", &[("gradient", gradient)], &[(weights, 0)], &["layers"]).unwrap();
    expect![[r#"
        module @layers attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
          sdy.mesh @mesh = <["fsdp"=2]>
          func.func public @main(%arg0: tensor<6x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %arg1: tensor<4x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>, tf.aliasing_output = 0 : i32}, %arg2: tensor<4x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>, tf.aliasing_output = 1 : i32}) -> (tensor<4x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, tensor<4x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}) {
            %0:3 = stablehlo.optimization_barrier %arg0, %arg1, %arg2 : tensor<6x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>
            %1 = sdy.sharding_constraint %0#0 <@mesh, [{"fsdp"}, {}]> : tensor<6x4xbf16>
            %2 = sdy.sharding_constraint %0#1 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
            %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<4x4xbf16>) -> tensor<6x4xbf16>
            %4 = sdy.sharding_constraint %3 <@mesh, [{"fsdp"}, {?}]> : tensor<6x4xbf16>
            %5 = stablehlo.optimization_barrier %4 : tensor<6x4xbf16>
            %6 = sdy.sharding_constraint %5 <@mesh, [{"fsdp"}, {}]> : tensor<6x4xbf16>
            %7 = sdy.sharding_constraint %0#2 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
            %8 = stablehlo.dot_general %6, %7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<4x4xbf16>) -> tensor<6x4xbf16>
            %9 = sdy.sharding_constraint %8 <@mesh, [{"fsdp"}, {?}]> : tensor<6x4xbf16>
            %10 = stablehlo.constant dense<1.0e0> : tensor<bf16>
            %11 = stablehlo.convert %10 : (tensor<bf16>) -> tensor<f32>
            %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
            %13 = stablehlo.convert %12 : (tensor<6x4xf32>) -> tensor<6x4xbf16>
            %14:3 = stablehlo.optimization_barrier %13, %arg1, %arg2 : tensor<6x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>
            %15:2 = stablehlo.optimization_barrier %5, %14#0 : tensor<6x4xbf16>, tensor<6x4xbf16>
            %16 = sdy.sharding_constraint %15#1 <@mesh, [{"fsdp"}, {?}]> : tensor<6x4xbf16>
            %17 = sdy.sharding_constraint %14#2 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
            %18 = stablehlo.dot_general %16, %17, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<4x4xbf16>) -> tensor<6x4xbf16>
            %19 = sdy.sharding_constraint %18 <@mesh, [{"fsdp"}, {}]> : tensor<6x4xbf16>
            %20 = sdy.sharding_constraint %15#1 <@mesh, [{"fsdp"}, {?}]> : tensor<6x4xbf16>
            %21 = sdy.sharding_constraint %15#0 <@mesh, [{"fsdp"}, {}]> : tensor<6x4xbf16>
            %22 = stablehlo.dot_general %20, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<6x4xbf16>) -> tensor<4x4xf32>
            %23 = sdy.sharding_constraint %22 <@mesh, [{}, {"fsdp"}]> : tensor<4x4xf32>
            %24 = stablehlo.convert %23 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
            %25 = stablehlo.optimization_barrier %19 : tensor<6x4xbf16>
            %26:2 = stablehlo.optimization_barrier %0#0, %25 : tensor<6x4xbf16>, tensor<6x4xbf16>
            %27 = sdy.sharding_constraint %26#1 <@mesh, [{"fsdp"}, {?}]> : tensor<6x4xbf16>
            %28 = sdy.sharding_constraint %14#1 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
            %29 = stablehlo.dot_general %27, %28, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<4x4xbf16>) -> tensor<6x4xbf16>
            %30 = sdy.sharding_constraint %29 <@mesh, [{"fsdp"}, {}]> : tensor<6x4xbf16>
            %31 = sdy.sharding_constraint %26#1 <@mesh, [{"fsdp"}, {?}]> : tensor<6x4xbf16>
            %32 = sdy.sharding_constraint %26#0 <@mesh, [{"fsdp"}, {}]> : tensor<6x4xbf16>
            %33 = stablehlo.dot_general %31, %32, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<6x4xbf16>) -> tensor<4x4xf32>
            %34 = sdy.sharding_constraint %33 <@mesh, [{}, {"fsdp"}]> : tensor<4x4xf32>
            %35 = stablehlo.convert %34 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
            return %35, %24 : tensor<4x4xbf16>, tensor<4x4xbf16>
          }
        }
    "#]].assert_eq(&program.text);
}

/// The gradient of a product in the element type that the product has, and in f32 where nothing is asked for.
#[test]
fn gradients_are_added_up_as_they_are_computed_if_asked() {
    let text = |narrow_sums| {
        let graph = Graph::on(Some(Partition { narrow_sums, ..partition() }));
        let x = graph.input("x", DType::BF16, &[Axis::new("batch", 6), WIDTH]);
        let spec = ParamSpec {
            name: "w".into(),
            dtype: DType::F32,
            axes: vec![WIDTH.named("out"), WIDTH],
            stack: vec![],
            init: Init::Ones,
        };
        let weight = graph.param(spec);
        let gradient = graph.grad(x.dot(weight.cast(DType::BF16), &["in"]).sum_all(), &[weight])[0];
        graph.lower("gradient", &[("gradient", gradient)], &[(weight, 0)]).unwrap().text
    };
    let sum = |element: &str| format!(r#"<@mesh, [{{}}, {{"fsdp"}}]> : tensor<4x4x{element}>"#);
    let (wide, narrow) = (text(false), text(true));
    assert!(wide.contains(&sum("f32")) && !wide.contains(&sum("bf16")), "{wide}");
    assert!(narrow.contains(&sum("bf16")) && !narrow.contains(&sum("f32")), "{narrow}");
}

/// What a loop over blocks of rows, within one over micro-batches, does with a weight: the text without what hands blocks out and stacks them. Each
/// step takes so many of the weight's four rows.
fn weight_in_loops(exchanges_in_order: bool, rows: usize) -> String {
    let graph = Graph::on(Some(Partition { exchanges_in_order, ..partition() }));
    let [micro, block] = ["micro", "block"].map(|name| Axis::new(name, 3));
    let x = graph.input("x", DType::BF16, &[micro, block, Axis::new("batch", 6), WIDTH]);
    let axes = vec![WIDTH.named("out"), WIDTH];
    let w = graph.param(ParamSpec { name: "w".into(), dtype: DType::F32, axes, stack: vec![], init: Init::Ones });
    let (_, products) = graph.scan(micro, &[], &[x], Remat::none(), |step| {
        let narrow = w.cast(DType::BF16);
        let (_, products) = graph.scan(block, &[], &[step.slices[0]], Remat::none(), |step| {
            let own = if rows == 4 { narrow } else { narrow.dynamic_slice(&[("out", step.index, rows)]) };
            (vec![], vec![step.slices[0].dot(own, &["in"])])
        });
        (vec![], products)
    });
    let text = graph.lower("blocks", &[("products", products[0])], &[]).expect("it fits together").text;
    let shown = ["stablehlo.while", "stablehlo.convert", "stablehlo.dot_general", "tensor<4x4xbf16>"];
    let lines = text.lines().filter(|line| shown.iter().any(|op| line.contains(op)) && !line.contains("return"));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

/// It is narrowed where it is held, and gathered in front of the loop whose steps all compute with it; the loop over micro-batches takes it
/// as it is held. Where devices keep no order between what they exchange in front of a loop and within, each step gathers it.
#[test]
fn a_weight_is_gathered_once_for_all_steps_of_a_loop() {
    expect![[r#"
        %7:4 = stablehlo.while(%3 = %0, %4 = %arg1, %5 = %arg0, %6 = %2) : tensor<i32>, tensor<4x4xf32>, tensor<3x3x6x4xbf16>, tensor<3x3x6x4xbf16>
        %13 = stablehlo.convert %4 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
        %14 = sdy.sharding_constraint %13 <@mesh, [{}, {"fsdp"}]> : tensor<4x4xbf16>
        %16 = sdy.sharding_constraint %14 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
        %23:4 = stablehlo.while(%19 = %15, %20 = %16, %21 = %12, %22 = %18) : tensor<i32>, tensor<4x4xbf16>, tensor<3x6x4xbf16>, tensor<3x6x4xbf16>
        %30 = sdy.sharding_constraint %20 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
        %31 = stablehlo.dot_general %29, %30, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<4x4xbf16>) -> tensor<6x4xbf16>
    "#]].assert_eq(&weight_in_loops(true, 4));
    expect![[r#"
        %7:4 = stablehlo.while(%3 = %0, %4 = %arg1, %5 = %arg0, %6 = %2) : tensor<i32>, tensor<4x4xf32>, tensor<3x3x6x4xbf16>, tensor<3x3x6x4xbf16>
        %13 = stablehlo.convert %4 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
        %14 = sdy.sharding_constraint %13 <@mesh, [{}, {"fsdp"}]> : tensor<4x4xbf16>
        %22:4 = stablehlo.while(%18 = %15, %19 = %14, %20 = %12, %21 = %17) : tensor<i32>, tensor<4x4xbf16>, tensor<3x6x4xbf16>, tensor<3x6x4xbf16>
        %29 = sdy.sharding_constraint %19 <@mesh, [{?}, {}]> : tensor<4x4xbf16>
        %30 = stablehlo.dot_general %28, %29, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4xbf16>, tensor<4x4xbf16>) -> tensor<6x4xbf16>
    "#]].assert_eq(&weight_in_loops(false, 4));
    // Three steps gather three of the four rows, or six.
    let gathered = |rows: usize| weight_in_loops(true, rows).matches("[{?}, {}]> : tensor<4x4xbf16>").count();
    assert_eq!([1, 2].map(gathered), [0, 1]);
}

#[test]
fn what_each_device_computes_for_itself() {
    let graph = Graph::on(Some(partition()));
    let x = graph.input("x", DType::F32, &[Axis::new("batch", 6), WIDTH]);
    let sums = graph.per_shard(&["batch"], &[x], |own| vec![own[0].sum(&["in"]) * own[0].axis("batch").size as f64]);
    let program = graph.lower("shards", &[("sums", sums[0])], &[]).unwrap();
    expect![[r#"
        module @shards attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
          sdy.mesh @mesh = <["fsdp"=2]>
          func.func public @main(%arg0: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}]>}) {
            %1:1 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"fsdp"}, {}]>] out_shardings=[<@mesh, [{"fsdp"}]>] manual_axes={"fsdp"} (%0: tensor<3x4xf32>) {
              %2 = stablehlo.constant dense<0.0e0> : tensor<f32>
              %3 = stablehlo.reduce(%0 init: %2) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
              %4 = stablehlo.constant dense<3.0e0> : tensor<f32>
              %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<3xf32>
              %6 = stablehlo.multiply %3, %5 : tensor<3xf32>
              sdy.return %6 : tensor<3xf32>
            } : (tensor<6x4xf32>) -> (tensor<6xf32>)
            return %1 : tensor<6xf32>
          }
        }
    "#]].assert_eq(&program.text);
}

/// What the devices give of a weight's gradient is added up, in f32, behind the region; what has the rows is not.
#[test]
fn shares_of_a_sum_are_added_up() {
    let graph = Graph::on(Some(partition()));
    let x = graph.input("x", DType::BF16, &[Axis::new("batch", 6), WIDTH]);
    let results = graph.per_shard(&["batch"], &[x], |own| vec![own[0].sum(&["batch"]), own[0] * 2.0]);
    assert_eq!(results[0].ty(), TensorType::new(DType::BF16, &[WIDTH]));
    let program = graph.lower("shares", &[("sums", results[0]), ("twice", results[1])], &[]).unwrap();
    expect![[r#"
        module @shares attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
          sdy.mesh @mesh = <["fsdp"=2]>
          func.func public @main(%arg0: tensor<6x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> (tensor<4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<6x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) {
            %1:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"fsdp"}, {}]>] out_shardings=[<@mesh, [{"fsdp"}, {}]>, <@mesh, [{"fsdp"}, {}]>] manual_axes={"fsdp"} (%0: tensor<3x4xbf16>) {
              %2 = stablehlo.convert %0 : (tensor<3x4xbf16>) -> tensor<3x4xf32>
              %3 = stablehlo.constant dense<0.0e0> : tensor<f32>
              %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
              %5 = stablehlo.convert %4 : (tensor<4xf32>) -> tensor<4xbf16>
              %6 = stablehlo.constant dense<2.0e0> : tensor<bf16>
              %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
              %8 = stablehlo.multiply %0, %7 : tensor<3x4xbf16>
              %9 = stablehlo.convert %5 : (tensor<4xbf16>) -> tensor<4xf32>
              %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
              sdy.return %10, %8 : tensor<1x4xf32>, tensor<3x4xbf16>
            } : (tensor<6x4xbf16>) -> (tensor<2x4xf32>, tensor<6x4xbf16>)
            %11 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %12 = stablehlo.reduce(%1#0 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
            %13 = stablehlo.convert %12 : (tensor<4xf32>) -> tensor<4xbf16>
            return %13, %1#1 : tensor<4xbf16>, tensor<6x4xbf16>
          }
        }
    "#]].assert_eq(&program.text);
}

/// By what an argument is said to be, whatever axes it has.
#[test]
fn parameters_and_their_slots_lie_as_such_and_nothing_else_does() {
    let graph = Graph::on(Some(partition()));
    let axes = vec![WIDTH];
    let spec = ParamSpec { name: "w".into(), dtype: DType::F32, axes: axes.clone(), stack: vec![], init: Init::Ones };
    let slot = ParamSpec { name: "w.exp_avg".into(), ..spec.clone() };
    let sum = graph.input("x", DType::F32, &axes) + graph.param(spec.clone()) + graph.slot(&slot);
    let program = graph.lower("sum", &[("sum", sum)], &[]).unwrap();
    let dims = |name: &str| {
        let input = program.inputs.iter().find(|input| input.name == name).unwrap();
        input.sharding.as_ref().unwrap().dims().concat()
    };
    assert_eq!(["x", "w", "w.exp_avg"].map(dims), [vec![], vec!["fsdp"], vec!["fsdp"]]);
    assert!(program.outputs[0].sharding.as_ref().unwrap().dims().concat().is_empty());
    // It is on no list of parameters.
    assert_eq!(graph.params().into_iter().map(|(spec, _)| spec).collect::<Vec<_>>(), [spec]);
}

#[test]
fn a_kernel_is_called_where_each_device_computes_for_itself() {
    let ty = TensorType::new(DType::F32, &[Axis::new("batch", 3), WIDTH]);
    let call = || CustomCall {
        target: "kernel".into(),
        api_version: 4,
        backend_config: "{}".into(),
        operand_layouts: vec![None],
        results: vec![(ty.clone(), None)],
        in_place: vec![(0, 0)],
    };
    let lowered = |is_apart: bool| {
        let graph = Graph::on(Some(partition()));
        let x = graph.input("x", DType::F32, &[Axis::new("batch", 6), WIDTH]);
        let y = match is_apart {
            true => graph.per_shard(&["batch"], &[x], |own| graph.custom_call(call(), own)),
            false => graph.custom_call(call(), &[x]),
        };
        graph.lower("call", &[("y", y[0])], &[])
    };
    assert!(lowered(true).is_ok());
    expect![
        "kernel: several devices cannot share out a kernel: call it inside per_shard, which says what each computes"
    ]
    .assert_eq(&lowered(false).unwrap_err().to_string());
}

#[test]
fn a_parameter_that_does_not_divide_is_refused() {
    let graph = Graph::on(Some(partition()));
    let axes = vec![Axis::new("in", 3)];
    let spec = ParamSpec { name: "w".into(), dtype: DType::F32, axes, stack: vec![], init: Init::Ones };
    let sum = graph.param(spec).sum_all();
    let error = graph.lower("sum", &[("sum", sum)], &[]).unwrap_err();
    expect!["w: its axis `in` of 3 does not divide into 2 parts, over the mesh's fsdp"].assert_eq(&error.to_string());
}

/// Neither what a device computes for a result that nobody asks for, nor what only that needs.
#[test]
fn a_device_computes_what_is_asked_for() {
    let graph = Graph::on(Some(partition()));
    let [x, y] = ["x", "y"].map(|name| graph.input(name, DType::F32, &[Axis::new("batch", 6), WIDTH]));
    let results = graph.per_shard(&["batch"], &[x, y], |own| vec![own[0].exp(), own[1].tanh()]);
    let program = graph.lower("half", &[("tanh", results[1])], &[]).unwrap();
    assert!(program.text.contains("sdy.manual_computation(%arg1)"), "{}", program.text);
    assert!(program.text.contains("stablehlo.tanh") && !program.text.contains("stablehlo.exponential"));
}
