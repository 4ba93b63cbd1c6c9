use expect_test::{ExpectFile, expect_file};

use super::*;

fn product(rows: usize, inputs: usize, lengths: &[usize]) -> PackedByHand {
    PackedByHand {
        name: "packed_product",
        rows,
        inputs,
        lengths: lengths.to_vec(),
        is_gated: false,
        laid: LaidOut::default(),
    }
}

fn gated(rows: usize, inputs: usize, output: usize) -> PackedByHand {
    PackedByHand { name: "gated_packed_product", is_gated: true, ..product(rows, inputs, &[2 * output]) }
}

#[test]
fn text_of_the_kernels() {
    let given = LaidOut { given: true, gated: false };
    let both = LaidOut { given: true, gated: true };
    let all: [(PackedByHand, ExpectFile); 7] = [
        (product(64, 4096, &[12_288]), expect_file!["../../tests/golden/packed_product.ptx"]),
        (gated(128, 4096, 11_008), expect_file!["../../tests/golden/gated_packed_product.ptx"]),
        // Vectors that do not fill the last eight rows, and matrices that begin in the middle of a program.
        (product(21, 512, &[256, 64, 128]), expect_file!["../../tests/golden/packed_products.ptx"]),
        (product(100, 1280, &[64, 128]), expect_file!["../../tests/golden/packed_products_in_parts.ptx"]),
        (gated(1, 640, 96), expect_file!["../../tests/golden/gated_packed_product_of_one.ptx"]),
        // Vectors that are laid out, and what gates gave.
        (
            PackedByHand { laid: given, ..product(75, 1280, &[8512, 512, 64]) },
            expect_file!["../../tests/golden/packed_products_of_laid.ptx"],
        ),
        (
            PackedByHand { laid: both, ..gated(128, 4096, 11_008) },
            expect_file!["../../tests/golden/gated_packed_product_laid.ptx"],
        ),
    ];
    for (product, golden) in all {
        golden.assert_eq(&product.code().text);
    }
}

#[test]
fn tiles_are_those_that_are_fast() {
    let tilings = [
        product(64, 4096, &[12_288]),
        product(64, 4096, &[4096; 3]),
        product(64, 4096, &[4096, 1024, 1024]),
        product(64, 4096, &[4096]),
        gated(64, 4096, 11_008),
        product(64, 11_008, &[4096]),
        product(64, 4096, &[32_000]),
        product(64, 128, &[64]),
        product(3, 1280, &[8512, 512, 64]),
    ]
    .map(|product| (product.tiling().groups, product.tiling().parts, product.tiling().are_joined));
    assert_eq!(
        tilings,
        [
            (3, 2, false),
            (3, 2, true),
            (2, 2, true),
            (2, 4, false),
            (3, 1, false),
            (2, 4, false),
            (2, 1, false),
            (2, 2, false),
            (3, 2, true),
        ]
    );
}
