/** The answers of this crate, in the order of `src/command.rs` and `src/page.rs`. Formulas of the commands are text that SymPy reads. */

export type Position = { line: number; column: number };
export type Span = { start: Position; end: Position };
export type Table = (string | null)[][];

export type Diagnostic = {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  span: Span;
  labels?: { span: Span; message: string }[];
  help: string | null;
};

export type Reading = {
  notation: string;
  lines: { span: Span; text: string; role: string; read?: string[] }[];
  guesses: { name: string; as: string; declaration: string }[];
};

export type Channel = {
  oracle: string;
  kind: string;
  function: string;
  step: string | null;
  map?: string;
  space: string;
  copy?: number;
  sample?: string;
  calls: { text: string; delay: number; span: Span }[];
};

/** `show`. */
export type Show = {
  schema: number;
  reading: Reading;
  index?: string;
  channels?: Channel[];
  signals?: { name: string; space: string }[];
  parameters?: string[];
  schedules?: { name: string; next: string | null }[];
  operators?: { name: string; domain: string; codomain: string; symmetric: boolean }[];
  constants?: { name: string; space: string }[];
  transfer?: Table | null;
  transfer_scalar?: Table | null;
  transfer_constants?: Table;
  markov?: Table[];
  realization?: { states: string[]; A: Table; B: Table; C: Table; D: Table; E?: Table; F?: Table };
  minimal_order?: number;
  explicit?: boolean;
  order?: number[] | null;
  loop?: number[];
  changes?: { signal: string; new: string }[];
  ignored: { line: number; text: string; reason: string }[];
  diagnostics: Diagnostic[];
};

export type Branch = {
  parameters: Record<string, string>;
  free: string[];
  conditions: string[];
  filters?: string[];
  state_map?: string[][] | null;
  state_map_states?: { A: string[]; B: string[] };
  no_state_map?: string | null;
  initialization?: string[];
  required?: string[];
  answers?: string[];
  start_conditions?: string[];
};

export type Obstruction = {
  kind: string;
  message: string;
  channel_map: [number, number][];
  shift: number[];
  readings: number;
  nearest: Branch | null;
  entries: { row: number; column: number; of: string; lag?: number; A: string; B: string }[];
  degenerate: Branch[];
  orders: [number, number] | null;
  run: {
    A: Record<string, string>;
    B: Record<string, string>;
    constants: Record<string, string>;
    start: string[];
    calls: { iteration: number; channel: number; oracle: string; query: string; answer: string }[];
    origin: number;
    pair: [number, number];
    iteration: number;
    expected: string;
    asked: string;
    message: string;
    answers: string;
  } | null;
  no_run: string | null;
  renamed?: { relation: string; generality: string; shift: number[]; parameters: Record<string, string>; conditions: string[]; assumptions: string[] };
};

/** `compare`. */
export type Compare = {
  schema: number;
  readings?: Reading[];
  verdict: "related" | "distinct" | "undecided";
  relation: string | null;
  generality: string | null;
  same_parameters: boolean | null;
  repeat: { side: "A" | "B"; count: number } | null;
  channel_map: [number, number][];
  shift: number[];
  filters: string[];
  matrices: [[string, string], [string, string]][];
  parameters: Record<string, string>;
  conditions: string[];
  assumptions: string[];
  other_assumptions?: string[][];
  starts?: string[];
  frozen?: string[];
  state_map: string[][] | null;
  state_map_states?: { A: string[]; B: string[] };
  no_state_map: string | null;
  initialization: string[];
  required?: string[];
  answers?: string[];
  start_conditions?: string[];
  skipped: [number, number][];
  branches: Branch[];
  also?: {
    relation: string;
    generality: string;
    shift: number[];
    parameters: Record<string, string>;
    conditions: string[];
  }[];
  obstruction: Obstruction | null;
  limit: string | null;
  recheck: string | null;
  known?: string[];
  channels?: [string[], string[]];
  folded?: {
    functions: string[];
    relation: string;
    generality: string;
    shift: number[];
    parameters: Record<string, string>;
    conditions: string[];
  };
};

/** `compare`, where a text was not read. */
export type Unread = {
  schema: number;
  verdict?: "undecided";
  limit?: string;
  unread: (Show & { input: "first" | "second" })[];
};

export type Reference = { short: string; bibtex: string; unconfirmed?: string };

/** `identify`. */
export type Identify = {
  schema: number;
  input: Show;
  zoo: number;
  matches: (Compare & {
    id: string;
    slug: string;
    name: string;
    family: string;
    group: string;
    answer: string;
    frozen?: boolean;
    reference: Reference;
  })[];
  undecided: string[];
  without_samples?: boolean;
  folded?: { function: string; factor: string }[];
  near_misses: { id: string; slug: string; name: string; obstruction: Obstruction | null }[];
};

export type Cost = { stored: number; additions: number; scalings: number; applications: number; inversions: number };

/** `forms`; where it is refused the answer is a `Realize` that has only remarks. */
export type Forms = {
  schema: number;
  forms: {
    oracles: string[];
    shift: number[];
    coordinates: string;
    explicit: boolean;
    order?: number[];
    cost: Cost;
    text: string;
  }[];
  complete: boolean;
  infinite: boolean;
  assumptions: string[];
  diagnostics: Diagnostic[];
};

/** `realize`. */
export type Realize = {
  schema: number;
  text?: string;
  oracles?: string[];
  coordinates?: string;
  states?: string[];
  matrices?: { A: Table; B: Table; C: Table; D: Table };
  reduction?: { written: number; unreachable: number; unobservable: number; map: Table };
  balanced?: object;
  cost?: Cost;
  diagnostics: Diagnostic[];
};

/** `zoo list`. */
export type List = {
  schema: number;
  cards: { id: string; slug: string; name: string; family: string; year: string; problem: string; oracles: string[] }[];
};

/** `zoo show`. */
export type Card = {
  schema: number;
  id: string;
  slug: string;
  family: string;
  name: string;
  aliases: string[];
  year: string;
  problem: string;
  assumes: string;
  parameters: string;
  unconfirmed: string;
  summary: string;
  equations: string;
  notes: string;
  references: string;
  show: Show;
  class: string[];
  related: { id: string; slug: string; name: string; relation: string; generality: string; assuming?: string }[];
};

/** `zoo relations`. */
export type Graph = {
  schema: number;
  nodes: { id: string; slug: string; name: string; family: string; year: string; class: string }[];
  edges: { first: string; second: string; relation: string; generality: string; assuming?: string }[];
};

/** What may be asked of `forms`, `realize` and `export`. */
export type Changes = {
  set?: string[];
  delete?: string[];
  filter?: string[];
  permute?: string[];
  conjugate?: string[];
  dual?: boolean;
  oracles?: string;
  repeat?: number;
  shift?: string;
  state?: string;
  own_oracles?: boolean;
  freeze?: boolean;
  in_page_words?: boolean;
};

/** What may be asked of `simulate`. */
export type Run = { problem?: string; iterations?: number; set?: [string, number][]; assign?: [string, string][] };

/** `page_read`: formulas are LaTeX, sentences Unicode. */
export type ReadPage = {
  lines: string[];
  oracles: string[];
  transfer: { left: string; right: string }[];
  realization: string | null;
  states: string[];
  show: Show;
};

/** Offsets count UTF-16 units. */
export type Edit = { diagnostic: number; from: number; to: number; insert: string };
export type ReadPageWithEdits = ReadPage & { edits: Edit[] };

/** One way to choose the parameters. */
export type WayPage = { parameters: string[]; free: string[]; conditions: string[]; initialization?: string[] };

export type RunPage = { first: string[]; second: string[]; constants: string[]; start: string[]; oracles: string[] };

/** `page_compare`. */
export type ComparePage = {
  sentence: string;
  pairs: { first: string; second: string; shift: number; filter: string | null }[];
  ways: WayPage[];
  change: string | null;
  states: { A: string[]; B: string[] } | null;
  initialization: string[];
  readings: string[];
  assumptions: string[];
  apart?: { nearest: WayPage | null; entries: [string, string][]; degenerate: WayPage[]; run: RunPage | null; renamed: WayPage | null };
  otherwise: string[];
  report: Compare;
};

/** `page_identify`. */
export type IdentifyPage = {
  zoo: number;
  calls: number;
  notes: string[];
  matches: {
    id: string;
    name: string;
    problem: string;
    group: string;
    heading: string;
    frozen: boolean;
    compare: ComparePage;
    reference: Reference;
  }[];
  undecided: string[];
  near_misses: { id: string; name: string; message: string }[];
};

/** `page_poles`. */
export type Poles = {
  schema: number;
  poles: { equation: string; multiplicity: number }[];
  zeros: { equation: string; multiplicity: number }[] | null;
  numbers: { name: string; value: number }[];
  places: { kind: string; at: number[]; multiplicity: number }[] | null;
  picture: string | null;
};

/** `page_card`. */
export type CardPage = {
  card: Card;
  reading: ReadPage;
  references: { short: string; title: string; link: string | null; bibtex: string }[];
};
