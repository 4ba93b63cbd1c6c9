//! Packed keys and values as they were: what several tokens of a text meet, in blocks, is unpacked once for all of them.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::packed_keys::{self, BLOCK, Of, PackedKeys, SCALES, WIDTH, piece};
use crate::ptx::{Kind, LANES, Ptx, Register, listed, ptx};
use crate::{Builder, ByHand, Code, Kernel, KernelError, Launch, Road};

/// Unpacks the keys and values that rows see, in pages of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnpackedPages {
    /// Rows, each of a text.
    pub batch: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Pages of all texts.
    pub pages: usize,
    /// Keys of a page.
    pub page_tokens: usize,
    /// The most pages of a text.
    pub seen_pages: usize,
}

/// For profilers.
const NAME: &str = "unpacked_pages";

/// The most programs of a row and a head: a text of 512 tokens has a block for each.
const PROGRAMS: usize = 16;

impl UnpackedPages {
    /// Of four prompts of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let four = UnpackedPages { batch: 4, kv_heads: 32, pages: 65, page_tokens: 32, seen_pages: 16 };
        vec![Operation::UnpackedPages(four)]
    }

    /// In pages of one block and of several.
    pub(crate) fn tried() -> Vec<Operation> {
        let one = UnpackedPages { batch: 3, kv_heads: 2, pages: 20, page_tokens: 32, seen_pages: 4 };
        [one, UnpackedPages { page_tokens: 96, seen_pages: 2, ..one }].map(Operation::UnpackedPages).to_vec()
    }

    /// All keys and all values, u16 (page, kv_heads, word), and their scales, f32 (page, kv_heads, page_token, key_and_value); the pages of each row's text, i32 (batch, seen_page), and how many of its tokens
    /// are wanted, i32 (batch): all, to try it out, as others are not written.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let of_page = [Axis::new("page", self.pages), Axis::new("kv_heads", self.kv_heads)];
        let words = TensorType::new(DType::U16, &[&of_page[..], &[PackedKeys::words(self.page_tokens)]].concat());
        let token = Axis::new("page_token", self.page_tokens);
        let scales = TensorType::new(DType::F32, &[&of_page[..], &[token, PackedKeys::scales()]].concat());
        let (batch, seen) = (Axis::new("batch", self.batch), Axis::new("seen_page", self.seen_pages));
        let all = self.seen_pages * self.page_tokens;
        vec![
            Argument::new("k", words.clone(), Fill::Whole(0, 1 << 16)),
            Argument::new("v", words, Fill::Whole(0, 1 << 16)),
            Argument::new("scales", scales, Fill::Powers(-2, 2)),
            Argument::new("table", TensorType::new(DType::I32, &[batch, seen]), Fill::Shuffled(self.pages)),
            Argument::new("count", TensorType::new(DType::I32, &[batch]), Fill::Whole(all, all + 1)),
        ]
    }

    /// [`UnpackedPages::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [keys, values, scales, table, _] = *inputs else { unreachable!("it is given what `arguments` says") };
        let unpacked = |of, words: Tensor<'g>| {
            let pages = PackedKeys::restored(of, words, scales).take("page", table);
            let pages = pages.transpose(&["batch", "seen_page", "kv_heads", "page_token", "head_dim"]);
            pages.merge(&["batch", "seen_page"], "page").cast(DType::BF16)
        };
        vec![unpacked(Of::Keys, keys), unpacked(Of::Values, values)]
    }

    /// Of all keys and all values, u16 (page, kv_heads, word), their scales, f32 (page, kv_heads, page_token, key_and_value), the pages of each row's text, i32 (batch, seen_page), and how many of
    /// its tokens are wanted, i32 (batch): keys and values, bf16 (page, kv_heads, page_token, head_dim), one row's pages behind the other's, as many of each as
    /// it may have. Of a block of tokens of which none are wanted nothing is written.
    ///
    /// # Errors
    /// Pages of so many tokens hold no packed ones.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let axes = [
            Axis::new("page", self.batch * self.seen_pages),
            Axis::new("kv_heads", self.kv_heads),
            Axis::new("page_token", self.page_tokens),
            Axis::new("head_dim", WIDTH),
        ];
        let launch = Launch {
            kernel: self.kernel()?,
            grid: [self.blocks(), self.kv_heads, self.batch],
            code: Code::ByHand(self.code()),
            results: vec![TensorType::new(DType::BF16, &axes); 2],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, inputs))
    }

    /// Of a row.
    fn blocks(&self) -> usize {
        self.seen_pages * self.page_tokens / BLOCK
    }

    /// Of a row and a head, by hand: each goes through blocks until the row has no more. Most texts are shorter than a table has room for, and programs that have nothing to do take their time to begin.
    fn programs(&self) -> usize {
        self.blocks().min(PROGRAMS)
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new(NAME);
        if !PackedKeys::holds(DType::BF16, WIDTH, self.page_tokens) {
            k.fail("size", &format!("pages of {} tokens hold no packed keys", self.page_tokens));
        }
        let words = ["k", "v"].map(|name| k.input(name, DType::U16));
        let scales = k.input("scales", DType::F32);
        let [table, count] = ["table", "count"].map(|name| k.input(name, DType::I32));
        let out = ["keys", "values"].map(|name| k.output(name, DType::BF16));
        let [block, head, row] = [0, 1, 2].map(|dimension| k.program_id(dimension));
        let end = (count + row).load();
        let first = block * BLOCK;
        let number = first / self.page_tokens;
        let token = (first - number * self.page_tokens) + k.range(BLOCK);
        let place = row * self.seen_pages + number;
        let page = (table + place).load_where(first.less(end), 0);
        let is_there = (first + k.range(BLOCK)).less(end);
        let [from, to] = [page, place].map(|page| page.cast(DType::I64) * self.kv_heads + head.cast(DType::I64));
        let element = k.range(packed_keys::ELEMENTS);
        let at = scales + from * (self.page_tokens * SCALES);
        for (of, (words, out)) in [Of::Keys, Of::Values].into_iter().zip(words.into_iter().zip(out)) {
            let words = words + from * PackedKeys::words(self.page_tokens).size;
            let unpacked = packed_keys::unpacked(of, [words, at], [token.column(), element.row()], is_there.column());
            for (pair, unpacked) in unpacked.into_iter().enumerate() {
                let element = packed_keys::elements(pair, element).row();
                (out + to * (self.page_tokens * WIDTH) + (token.column() * WIDTH + element)).store(unpacked);
            }
        }
        k.finish()
    }

    fn code(&self) -> ByHand {
        ByHand {
            name: NAME.to_owned(),
            text: Writer { op: self, ptx: Ptx::default() }.text(),
            programs: self.batch * self.programs() * self.kv_heads,
            threads: LANES,
            shared: 0,
        }
    }
}

/// The text of the kernel as it is written: a warp has some blocks of a head.
struct Writer<'a> {
    op: &'a UnpackedPages,
    ptx: Ptx,
}

/// What a program is for.
struct Site {
    head: Register,
    row: Register,
    /// The first token of the block that it is at, and how many tokens are wanted.
    first: Register,
    end: Register,
}

impl Writer<'_> {
    fn text(mut self) -> String {
        let names = ["k", "v", "scales", "table", "count", "keys", "values"];
        let arrays: [Register; 7] = self.ptx.registers(Kind::Wide);
        for (register, name) in arrays.iter().zip(names) {
            ptx!(self.ptx, "ld.param.u64 {register}, [{name}]");
        }
        let [keys, values, scales, table, count, unpacked_keys, unpacked_values] = arrays;
        // Nothing is read before what was launched before has ended, should this begin early.
        ptx!(self.ptx, "griddepcontrol.wait");
        let [lane, eighth, seventh, quarter, third] = self.ptx.registers(Kind::Word);
        ptx!(self.ptx, "mov.u32 {lane}, %tid.x");
        for (place, shift, rest, mask) in [(eighth, 3, seventh, 7), (quarter, 2, third, 3)] {
            ptx!(self.ptx, "shr.u32 {place}, {lane}, {shift}");
            ptx!(self.ptx, "and.b32 {rest}, {lane}, {mask}");
        }
        let site = self.site(count);
        let has_none = self.ptx.register(Kind::Truth);
        self.ptx.label("NEXT");
        ptx!(self.ptx, "setp.ge.s32 {has_none}, {}, {}", site.first, site.end);
        ptx!(self.ptx, "@{has_none} bra END");
        let rows = self.place(table, &site);
        self.unpack(Of::Keys, [keys, unpacked_keys, scales], rows, [lane, eighth, seventh]);
        self.unpack(Of::Values, [values, unpacked_values, scales], rows, [lane, third, quarter]);
        ptx!(self.ptx, "add.u32 {}, {}, {}", site.first, site.first, self.op.programs() * BLOCK);
        ptx!(self.ptx, "bra NEXT");
        self.ptx.label("END");
        ptx!(self.ptx, "ret");
        self.ptx.warp_entry(NAME, names, None)
    }

    /// Heads of a block lie together, then blocks of a row.
    fn site(&mut self, count: Register) -> Site {
        let ptx = &mut self.ptx;
        let [program, head, row, first, end] = ptx.registers(Kind::Word);
        ptx!(ptx, "mov.u32 {program}, %ctaid.x");
        ptx!(ptx, "rem.u32 {head}, {program}, {}", self.op.kv_heads);
        ptx!(ptx, "div.u32 {program}, {program}, {}", self.op.kv_heads);
        ptx!(ptx, "div.u32 {row}, {program}, {}", self.op.programs());
        ptx!(ptx, "rem.u32 {first}, {program}, {}", self.op.programs());
        ptx!(ptx, "mul.lo.u32 {first}, {first}, {BLOCK}");
        let of_row = ptx.register(Kind::Wide);
        ptx!(ptx, "mad.wide.u32 {of_row}, {row}, 4, {count}");
        ptx!(ptx, "ld.global.u32 {end}, [{of_row}]");
        ptx!(ptx, "min.s32 {end}, {end}, {}", self.op.blocks() * BLOCK);
        Site { head, row, first, end }
    }

    /// Which of all heads' tokens the block's first is, among those that are packed, and among the others.
    fn place(&mut self, table: Register, site: &Site) -> [Register; 2] {
        let UnpackedPages { kv_heads, page_tokens, seen_pages, .. } = *self.op;
        let ptx = &mut self.ptx;
        let [number, token, place, page] = ptx.registers(Kind::Word);
        ptx!(ptx, "div.u32 {number}, {}, {page_tokens}", site.first);
        ptx!(ptx, "rem.u32 {token}, {}, {page_tokens}", site.first);
        ptx!(ptx, "mad.lo.u32 {place}, {}, {seen_pages}, {number}", site.row);
        let at = ptx.register(Kind::Wide);
        ptx!(ptx, "mad.wide.u32 {at}, {place}, 4, {table}");
        ptx!(ptx, "ld.global.u32 {page}, [{at}]");
        [page, place].map(|page| {
            ptx!(ptx, "mad.lo.u32 {page}, {page}, {kv_heads}, {}", site.head);
            ptx!(ptx, "mad.lo.u32 {page}, {page}, {page_tokens}, {token}");
            page
        })
    }

    /// Keys or values: a thread has the pieces `piece` and `piece + 8` of the tokens `row` and `row + 4` of each set.
    fn unpack(
        &mut self,
        of: Of,
        [words, unpacked, scales]: [Register; 3],
        [from, to]: [Register; 2],
        [lane, row, piece]: [Register; 3],
    ) {
        let ptx = &mut self.ptx;
        let [read, scale_at, written] = ptx.registers(Kind::Wide);
        ptx!(ptx, "mad.wide.u32 {read}, {from}, {}, {words}", piece::ROW);
        ptx!(ptx, "mad.wide.u32 {read}, {lane}, {}, {read}", piece::BYTES);
        ptx!(ptx, "mad.wide.u32 {scale_at}, {from}, {}, {scales}", 4 * SCALES);
        ptx!(ptx, "mad.wide.u32 {scale_at}, {row}, {}, {scale_at}", 4 * SCALES);
        ptx!(ptx, "mad.wide.u32 {written}, {to}, {}, {unpacked}", 2 * WIDTH);
        ptx!(ptx, "mad.wide.u32 {written}, {row}, {}, {written}", 2 * WIDTH);
        ptx!(ptx, "mad.wide.u32 {written}, {piece}, {}, {written}", piece::BYTES);
        let which = if of == Of::Keys { 0 } else { 4 };
        let unit = ptx.register(Kind::Word);
        ptx!(ptx, "mov.b32 {unit}, {}", piece::UNIT);
        let sets: Vec<_> = (0..BLOCK / packed_keys::SET)
            .map(|set| {
                let words = ptx.row(Kind::Word, piece::WORDS);
                for (third, words) in words.chunks(4).enumerate() {
                    let place = set * packed_keys::SET * piece::ROW + third * piece::THIRD;
                    ptx!(ptx, "ld.global.v4.b32 {}, [{read}+{place}]", listed(words));
                }
                let scales: [Register; 2] = ptx.registers(Kind::Word);
                for (later, scale) in scales.iter().enumerate() {
                    let token = set * packed_keys::SET + later * packed_keys::SET / 2;
                    ptx!(ptx, "ld.global.b32 {scale}, [{scale_at}+{}]", token * 4 * SCALES + which);
                }
                (words, scales)
            })
            .collect();
        for (set, (words, scales)) in sets.iter().enumerate() {
            for (later, (words, scale)) in words.chunks(piece::WORDS / 2).zip(scales).enumerate() {
                // Powers of two: bf16 has them whole.
                let (above, both) = (ptx.register(Kind::Word), ptx.register(Kind::Word));
                ptx!(ptx, "shr.u32 {above}, {scale}, 16");
                ptx!(ptx, "or.b32 {both}, {above}, {scale}");
                for (further, words) in words.chunks(3).enumerate() {
                    let plain = piece::unpack(ptx, [words[0], words[1], words[2]]);
                    for word in plain {
                        ptx!(ptx, "mul.rn.bf16x2 {word}, {word}, {unit}");
                        ptx!(ptx, "mul.rn.bf16x2 {word}, {word}, {both}");
                    }
                    let token = set * packed_keys::SET + later * packed_keys::SET / 2;
                    let place = token * 2 * WIDTH + further * WIDTH;
                    ptx!(ptx, "st.global.v4.b32 [{written}+{place}], {}", listed(&plain));
                }
            }
        }
    }
}

impl fmt::Display for UnpackedPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnpackedPages { batch, kv_heads, page_tokens, seen_pages, .. } = self;
        write!(f, "unpacking {batch} texts' keys and values of {kv_heads} heads, {seen_pages} pages of {page_tokens}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed_keys::host;
    use crate::ptx::warp::Warps;
    use crate::{Array, Interpreter, filled};

    fn tried() -> [UnpackedPages; 4] {
        let one = UnpackedPages { batch: 3, kv_heads: 2, pages: 20, page_tokens: 32, seen_pages: 4 };
        [
            one,
            UnpackedPages { page_tokens: 96, seen_pages: 2, ..one },
            UnpackedPages { batch: 1, kv_heads: 1, ..one },
            UnpackedPages { kv_heads: 1, pages: 130, seen_pages: 40, ..one },
        ]
    }

    /// Normal numbers, some of them small beside the others of their row, as plain keys or values (page, kv_heads, page_token, head_dim).
    fn plain(op: &UnpackedPages, seed: u64) -> Vec<f64> {
        let axes = [Axis::new("row", op.pages * op.kv_heads * op.page_tokens), Axis::new("head_dim", WIDTH)];
        let ty = TensorType::new(DType::BF16, &axes);
        let arguments = [("x", Fill::Normal(3.0)), ("power", Fill::Uniform(-30.0, 0.0))]
            .map(|(name, fill)| Argument::new(name, ty.clone(), fill));
        let drawn = filled(&arguments, seed);
        let [x, power] = [0, 1].map(|place: usize| drawn[place].numbers());
        std::iter::zip(x, power).map(|(x, power)| if *power < -20.0 { x * power.round().exp2() } else { *x }).collect()
    }

    #[test]
    fn what_is_unpacked_is_what_was_packed() {
        for (op, seed) in tried().into_iter().zip(0..) {
            let plain = [plain(&op, seed), plain(&op, seed + 10)];
            let of = |of, place: usize| host::packed(of, &plain[place], op.page_tokens);
            let ((keys, of_keys), (values, of_values)) = (of(Of::Keys, 0), of(Of::Values, 1));
            let scales = of_keys.into_iter().zip(of_values).flat_map(|(key, value)| [key, value]).collect();
            let table: Vec<_> = (0..op.batch * op.seen_pages).map(|place| (place * 7 % op.pages) as f64).collect();
            let visible = op.seen_pages * op.page_tokens;
            let ends = [65, visible, 0];
            let counts = ends[..op.batch].iter().map(|end| *end as f64).collect();
            let inputs = [(DType::U16, keys), (DType::U16, values), (DType::F32, scales), (DType::I32, table.clone())]
                .into_iter()
                .chain([(DType::I32, counts)])
                .map(|(dtype, numbers)| Array::new(dtype, numbers))
                .collect::<Vec<_>>();
            let interpreter = Interpreter::default();
            let interpreted = op.run(&&interpreter, &inputs).expect("it can be built");
            interpreter.finish().expect("nothing is read that is not there");
            let by_hand = op.run(&&Warps, &inputs).expect("it can be built");
            for (place, plain) in plain.iter().enumerate() {
                for (row, head, token) in (0..op.batch).flat_map(|row| {
                    (0..op.kv_heads).flat_map(move |head| (0..ends[row]).map(move |token| (row, head, token)))
                }) {
                    let (number, of_page) = (token / op.page_tokens, token % op.page_tokens);
                    let at = |page: usize| (((page * op.kv_heads + head) * op.page_tokens) + of_page) * WIDTH;
                    let page = table[row * op.seen_pages + number] as usize;
                    let expected = &plain[at(page)..][..WIDTH];
                    let greatest = expected.iter().map(|x| x.abs()).max_by(f64::total_cmp).unwrap_or(0.0);
                    for found in [&interpreted, &by_hand] {
                        let found = &found[place].numbers()[at(row * op.seen_pages + number)..][..WIDTH];
                        for (found, expected) in found.iter().zip(expected) {
                            let expected = half::bf16::from_f64(*expected).to_f64();
                            let is_small = expected.abs() < greatest * 0.5_f64.powi(14);
                            let allowed = if is_small { greatest * 0.5_f64.powi(21) } else { 0.0 };
                            assert!((found - expected).abs() <= allowed, "{found} for {expected} of {greatest}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn text_of_the_kernel() {
        expect_test::expect_file!["../tests/golden/unpacked_pages.ptx"].assert_eq(&tried()[1].code().text);
    }
}
