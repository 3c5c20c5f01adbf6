//! Divides the engine into what a first question needs and the rest, which is loaded when it is called.
//!
//! `split count IN.wasm OUT.wasm` makes an engine that tells of every function when it is called;
//! `split divide IN.wasm CALLED.json FIRST.wasm REST.wasm` divides it by what was told.
//!
//! Both parts share memory and function table. A call from one part into the other goes through a slot of the table. The
//! slot of a function of the rest holds at first a stand-in, which has the rest loaded, whereby the slots get their functions,
//! and calls again. So every function can be called at any time, and what was told decides about bytes alone.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use walrus::ir::{Call, CallIndirect, Const, Instr, InstrSeq, InstrSeqId, Value, VisitorMut, dfs_pre_order_mut};
use walrus::{
    ConstExpr, Data, Element, ElementItems, ElementKind, Export, ExportItem, FunctionBuilder, FunctionId, FunctionKind,
    Global, GlobalId, GlobalKind, ImportKind, Module, TableId, TypeId, ValType,
};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What the engine imports to have the rest loaded, as `wasm-bindgen` calls it: this stands in the name.
const LOADER: &str = "linnaeusRest";

/// What the first part exports for the rest, beside its memory.
const TABLE: &str = "rest_table";
const STACK: &str = "rest_stack";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["count", input, output] => count(input, output),
        ["divide", input, called, first, rest] => divide(input, called, first, rest),
        _ => Err("usage: split count IN.wasm OUT.wasm | split divide IN.wasm CALLED.json FIRST.wasm REST.wasm".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The functions that are written in the module, in an order that is the same whenever it is read.
fn written(module: &Module) -> Vec<FunctionId> {
    let mut all: Vec<FunctionId> = module.funcs.iter_local().map(|(id, _)| id).collect();
    all.sort();
    all
}

fn count(input: &str, output: &str) -> Outcome<()> {
    let mut module = Module::from_file(input)?;
    let all = written(&module);
    let number = module.types.add(&[ValType::I32], &[]);
    let (told, _) = module.add_import_func("count", "told", number);
    for (i, id) in all.into_iter().enumerate() {
        let function = module.funcs.get_mut(id).kind.unwrap_local_mut();
        let entry = function.entry_block();
        let mut body = function.builder_mut().instr_seq(entry);
        body.instr_at(0, Const { value: Value::I32(i32::try_from(i)?) }).instr_at(1, Call { func: told });
    }
    Ok(module.emit_wasm_file(output)?)
}

/// A function by its number in the module, which is the same whenever the module is read.
type Number = usize;

/// Where functions are called from the other part: their slots in the table.
struct Slots {
    of: BTreeMap<Number, u32>,
    /// How many the table has by itself.
    before: u32,
    /// Those that got a slot beyond.
    added: Vec<Number>,
}

impl Slots {
    /// What the table holds is called there; the others of `crossing` get slots of their own.
    fn new(module: &Module, crossing: &BTreeSet<Number>) -> Outcome<Slots> {
        let table = table(module)?;
        let before = u32::try_from(module.tables.get(table).initial)?;
        let mut of = BTreeMap::new();
        for element in module.elements.iter() {
            let (
                ElementKind::Active { table: at, offset: ConstExpr::Value(Value::I32(start)) },
                ElementItems::Functions(all),
            ) = (&element.kind, &element.items)
            else {
                return Err("the engine's table is not filled by a list of functions".into());
            };
            if *at == table {
                of.extend(all.iter().map(|f| f.index()).zip(u32::try_from(*start)?..));
            }
        }
        let added: Vec<Number> = crossing.iter().filter(|&f| !of.contains_key(f)).copied().collect();
        of.extend(added.iter().copied().zip(before..));
        Ok(Slots { of, before, added })
    }

    fn size(&self) -> u64 {
        u64::from(self.before) + self.added.len() as u64
    }
}

fn table(module: &Module) -> Outcome<TableId> {
    module.tables.main_function_table()?.ok_or_else(|| "the engine has no function table".into())
}

/// The one global that functions of both parts use.
fn stack_pointer(module: &Module) -> Outcome<GlobalId> {
    let shared = module.globals.iter().filter(|g| g.mutable && g.ty == ValType::I32);
    shared.map(Global::id).min().ok_or_else(|| "the engine has no stack pointer".into())
}

/// What a function calls, and whether it touches what only the first part has.
struct Uses {
    called: BTreeSet<Number>,
    is_bound: bool,
}

fn uses(module: &Module, id: FunctionId, table: TableId, pointer: GlobalId) -> Uses {
    let mut uses = Uses { called: BTreeSet::new(), is_bound: false };
    let function = module.funcs.get(id).kind.unwrap_local();
    let mut open: Vec<InstrSeqId> = vec![function.entry_block()];
    while let Some(block) = open.pop() {
        for (instruction, _) in &function.block(block).instrs {
            match instruction {
                Instr::Call(call) => {
                    uses.called.insert(call.func.index());
                }
                Instr::GlobalGet(g) => uses.is_bound |= g.global != pointer,
                Instr::GlobalSet(g) => uses.is_bound |= g.global != pointer,
                Instr::Block(b) => open.push(b.seq),
                Instr::Loop(l) => open.push(l.seq),
                Instr::IfElse(i) => open.extend([i.consequent, i.alternative]),
                Instr::CallIndirect(c) => uses.is_bound |= c.table != table,
                Instr::TableGet(_)
                | Instr::TableSet(_)
                | Instr::TableGrow(_)
                | Instr::TableSize(_)
                | Instr::TableFill(_)
                | Instr::TableInit(_)
                | Instr::TableCopy(_)
                | Instr::RefFunc(_)
                | Instr::MemoryInit(_)
                | Instr::DataDrop(_)
                | Instr::ElemDrop(_) => uses.is_bound = true,
                _ => {}
            }
        }
    }
    uses
}

fn divide(input: &str, called: &str, first: &str, rest: &str) -> Outcome<()> {
    let called = std::fs::read_to_string(called)?;
    let numbers = called.split(|c: char| !c.is_ascii_digit()).filter(|t| !t.is_empty());
    let called: BTreeSet<usize> = numbers.map(str::parse).collect::<Result<_, _>>()?;
    let module = Module::from_file(input)?;
    let (table, pointer) = (table(&module)?, stack_pointer(&module)?);
    let all = written(&module);
    let uses: BTreeMap<Number, Uses> = all.iter().map(|&f| (f.index(), uses(&module, f, table, pointer))).collect();
    let is_distant =
        |&(i, f): &(usize, &FunctionId)| !called.contains(&i) && !uses[&f.index()].is_bound && Some(*f) != module.start;
    let distant: BTreeSet<Number> = all.iter().enumerate().filter(is_distant).map(|(_, f)| f.index()).collect();

    let mut crossing = BTreeSet::new();
    for (from, uses) in &uses {
        let away = distant.contains(from);
        crossing.extend(uses.called.iter().filter(|to| distant.contains(to) != away));
    }
    crossing.extend(module.exports.iter().filter_map(|e| match e.item {
        ExportItem::Function(f) if distant.contains(&f.index()) => Some(f.index()),
        _ => None,
    }));
    let slots = Slots::new(&module, &crossing)?;
    std::fs::write(rest, distant_part(Module::from_file(input)?, &distant, &slots)?)?;
    std::fs::write(first, near_part(module, &distant, &slots)?)?;
    Ok(())
}

/// Has functions of the other part called through their slots.
struct Rewrite<'a> {
    slots: &'a Slots,
    table: TableId,
    types: &'a BTreeMap<Number, TypeId>,
    far: &'a dyn Fn(Number) -> bool,
}

impl VisitorMut for Rewrite<'_> {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let old = std::mem::take(&mut sequence.instrs);
        for (instruction, place) in old {
            match instruction {
                Instr::Call(Call { func }) if (self.far)(func.index()) => {
                    let slot = Const { value: Value::I32(self.slots.of[&func.index()].cast_signed()) };
                    let call = CallIndirect { ty: self.types[&func.index()], table: self.table };
                    sequence.instrs.extend([(slot.into(), place), (call.into(), place)]);
                }
                other => sequence.instrs.push((other, place)),
            }
        }
    }
}

fn rewrite(module: &mut Module, slots: &Slots, is_here: &dyn Fn(Number) -> bool) -> Outcome<()> {
    let table = table(module)?;
    let types: BTreeMap<Number, TypeId> = module.funcs.iter().map(|f| (f.id().index(), f.ty())).collect();
    for (id, function) in module.funcs.iter_local_mut() {
        if is_here(id.index()) {
            let entry = function.entry_block();
            dfs_pre_order_mut(&mut Rewrite { slots, table, types: &types, far: &|f| !is_here(f) }, function, entry);
        }
    }
    Ok(())
}

/// Functions that were called, with stand-ins for the others.
fn near_part(mut module: Module, distant: &BTreeSet<Number>, slots: &Slots) -> Outcome<Vec<u8>> {
    let loader = module.imports.iter().find(|i| i.name.contains(LOADER)).map(|i| &i.kind);
    let Some(&ImportKind::Function(loader)) = loader else { return Err("the engine does not ask for the rest".into()) };
    let (table, pointer) = (table(&module)?, stack_pointer(&module)?);
    rewrite(&mut module, slots, &|f| !distant.contains(&f))?;
    let ids: BTreeMap<Number, FunctionId> = module.funcs.iter().map(|f| (f.id().index(), f.id())).collect();
    let mut here = ids.clone();
    for (f, &slot) in slots.of.iter().filter(|(f, _)| distant.contains(f)) {
        here.insert(*f, forward(&mut module, ids[f], table, slot, Some(loader)));
    }
    for element in module.elements.iter_mut() {
        if let ElementItems::Functions(all) = &mut element.items {
            all.iter_mut().for_each(|f| *f = here[&f.index()]);
        }
    }
    let added = slots.added.iter().map(|f| here[f]).collect();
    place(&mut module, table, slots.before, added);
    let shared = module.tables.get_mut(table);
    (shared.initial, shared.maximum) = (slots.size(), Some(slots.size()));

    let exported: Vec<_> = module.exports.iter().map(|e| (e.id(), e.item)).collect();
    for (export, item) in exported {
        if let ExportItem::Function(f) = item
            && distant.contains(&f.index())
        {
            let through = forward(&mut module, f, table, slots.of[&f.index()], None);
            module.exports.get_mut(export).item = ExportItem::Function(through);
        }
    }
    module.exports.add(TABLE, table);
    module.exports.add(STACK, pointer);
    for f in distant {
        module.funcs.delete(ids[f]);
    }
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

/// A function that calls what is in the slot, after it had the rest loaded if a loader is given.
fn forward(module: &mut Module, like: FunctionId, table: TableId, slot: u32, loader: Option<FunctionId>) -> FunctionId {
    let ty = module.funcs.get(like).ty();
    let (parameters, results) = module.types.params_results(ty);
    let (parameters, results) = (parameters.to_vec(), results.to_vec());
    let locals: Vec<_> = parameters.iter().map(|&t| module.locals.add(t)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
    let mut body = builder.func_body();
    if let Some(loader) = loader {
        body.call(loader);
    }
    for &local in &locals {
        body.local_get(local);
    }
    body.i32_const(slot.cast_signed()).call_indirect(ty, table);
    builder.finish(locals, &mut module.funcs)
}

/// Fills the table from a slot on.
fn place(module: &mut Module, table: TableId, start: u32, functions: Vec<FunctionId>) {
    let offset = ConstExpr::Value(Value::I32(start.cast_signed()));
    let added = module.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(functions));
    module.tables.get_mut(table).elem_segments.insert(added);
}

/// The other functions, with memory, table and stack of the first part.
fn distant_part(mut module: Module, distant: &BTreeSet<Number>, slots: &Slots) -> Outcome<Vec<u8>> {
    let (table, pointer, memory) = (table(&module)?, stack_pointer(&module)?, module.get_memory_id()?);
    rewrite(&mut module, slots, &|f| distant.contains(&f))?;
    module.start = None;
    let exports: Vec<_> = module.exports.iter().map(Export::id).collect();
    exports.into_iter().for_each(|id| module.exports.delete(id));
    let data: Vec<_> = module.data.iter().map(Data::id).collect();
    data.into_iter().for_each(|id| module.data.delete(id));
    let elements: Vec<_> = module.elements.iter().map(Element::id).collect();
    elements.into_iter().for_each(|id| module.elements.delete(id));

    let import = module.imports.add("first", "memory", memory);
    let shared = module.memories.get_mut(memory);
    shared.data_segments.clear();
    shared.import = Some(import);
    let import = module.imports.add("first", STACK, pointer);
    module.globals.get_mut(pointer).kind = GlobalKind::Import(import);
    let import = module.imports.add("first", TABLE, table);
    let shared = module.tables.get_mut(table);
    shared.elem_segments.clear();
    (shared.import, shared.initial, shared.maximum) = (Some(import), slots.size(), Some(slots.size()));

    let ids: BTreeMap<Number, FunctionId> = module.funcs.iter().map(|f| (f.id().index(), f.id())).collect();
    let called = slots.of.iter().filter(|(f, _)| distant.contains(f));
    let mut called: Vec<(u32, FunctionId)> = called.map(|(f, &slot)| (slot, ids[f])).collect();
    called.sort_unstable();
    for run in called.chunk_by(|a, b| a.0 + 1 == b.0) {
        place(&mut module, table, run[0].0, run.iter().map(|&(_, f)| f).collect());
    }
    for (_, f) in ids.into_iter().filter(|(n, _)| !distant.contains(n)) {
        if let FunctionKind::Local(_) = module.funcs.get(f).kind {
            module.funcs.delete(f);
        }
    }
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}
