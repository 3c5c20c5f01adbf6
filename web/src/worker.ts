/** Runs the engine away from the page. Requests are answered in order; keys of cards are made, and a question is rehearsed, while nobody waits. */

import init, * as engine from "../pkg/linnaeus.js";

export type Start = { module: WebAssembly.Module; rest: string; zoo: string; prepares: boolean };
export type Rest = { rest: WebAssembly.Module };
export type Call = { id: number; name: string; args: unknown[]; isNamed?: boolean };
/** A card that the algorithm is. */
export type Found = { id: string; name: string; heading: string };
export type Reply =
  | { id: number; ok: string }
  | { id: number; error: string; broken: boolean }
  | { id: number; done: number; total: number; of: "cards" | "comparisons"; found?: Found }
  | { ready: "engine" | "zoo" };

const queue: Call[] = [];
let prepared = 0;
let total = Infinity;
let idle = false;
let running = false;
/**
 * Answered in pieces when nothing else is to do. The first has a gradient and a prox, and is LaTeX, the second an operator, so that much of what compares and
 * reads is compiled by them.
 */
const REHEARSED = [
  "\\begin{align} y_k &= x_k + \\beta(x_k - x_{k-1}) \\\\ x_{k+1} &= \\operatorname{prox}_{t g}(y_k - t \\nabla f(y_k)) \\end{align}",
  "operator K: X -> Y\nu[k+1] = u[k] - a*K'*v[k]\nv[k+1] = prox_{b h}(v[k] + b*K*u[k+1])",
];
let rehearsed = 0;
/** So long nobody who asks waits for a rehearsal, but for its last piece. */
const PIECE = 8;

const answer = (reply: Reply) => postMessage(reply);

/** What is answered, and the place of the best name that was told of it. */
let current = -1;
let best = Infinity;
let last = 0;
function begin(call: Call): void {
  if (call.id === current) return;
  current = call.id;
  best = Infinity;
}

/** Called by the engine. */
(globalThis as unknown as Record<string, unknown>).linnaeusProgress = (done: number, total: number, id: string, name: string, heading: string, place: number) => {
  const now = performance.now();
  if (id ? place >= best : now - last < 50) return;
  if (id) best = place;
  last = now;
  answer({ id: current, done, total, of: "comparisons", ...(id && { found: { id, name, heading } }) });
};

/** The part of the engine that is not there from the start: compiled if the page has sent it, else where it is. */
let rest: WebAssembly.Module | string = "";
let first: WebAssembly.Exports | undefined;
let complete = false;

/** Called by the engine when it needs the rest, within a call, so it cannot wait. */
(globalThis as unknown as Record<string, unknown>).linnaeusRest = () => {
  if (complete) return;
  const module = typeof rest === "string" ? new WebAssembly.Module(fetched(rest)) : rest;
  new WebAssembly.Instance(module, { first: { ...first } });
  complete = true;
};

class Missing extends Error {}

function fetched(address: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", address, false);
    request.responseType = "arraybuffer";
    request.send();
  } catch {
    throw new Missing("a part of the engine could not be loaded");
  }
  if (request.status !== 200) throw new Missing(`a part of the engine could not be loaded (${request.status})`);
  return request.response as ArrayBuffer;
}

addEventListener("message", async (event: MessageEvent<Start | Rest | Call>) => {
  if ("module" in event.data) {
    const { module, zoo, prepares } = event.data;
    idle = prepares;
    rest = event.data.rest;
    first = (await init({ module_or_path: module })) as unknown as WebAssembly.Exports;
    engine.take_zoo(zoo);
    answer({ ready: "engine" });
    running = true;
    turn();
    return;
  }
  if ("rest" in event.data) return void (rest = event.data.rest);
  queue.push(event.data);
  if (running) turn();
});

/** One piece of work, then the next in a new task, so that messages come in between. */
const channel = new MessageChannel();
let scheduled = false;
channel.port1.onmessage = () => {
  scheduled = false;
  step();
};
function turn(): void {
  if (!scheduled) {
    scheduled = true;
    channel.port2.postMessage(0);
  }
}

function rehearsedEnough(): void {
  if (rehearsed < REHEARSED.length) answer({ ready: "zoo" });
  rehearsed = REHEARSED.length;
}

function step(): void {
  const call = queue[0];
  try {
    if (call && call.name === "page_identify" && prepared < total) {
      begin(call);
      if (!call.isNamed) engine.page_name(String(call.args[0]));
      call.isNamed = true;
      const until = performance.now() + 40;
      while (prepared < total && performance.now() < until) total = engine.prepare(prepared++);
      answer({ id: call.id, done: prepared, total, of: "cards" });
    } else if (call) {
      queue.shift();
      begin(call);
      const run = (engine as unknown as Record<string, (...args: unknown[]) => string>)[call.name];
      answer({ id: call.id, ok: run(...call.args) });
      // That was no rehearsal.
      if (call.name === "page_identify") rehearsedEnough();
    } else if (idle && prepared < total) {
      total = engine.prepare(prepared++);
    } else if (idle && rehearsed < REHEARSED.length) {
      const until = performance.now() + PIECE;
      let isDone = false;
      while (!isDone && performance.now() < until) isDone = engine.rehearse(REHEARSED[rehearsed]);
      if (isDone && ++rehearsed === REHEARSED.length) answer({ ready: "zoo" });
    } else return;
  } catch (error) {
    const stopped = error instanceof WebAssembly.RuntimeError;
    const broken = stopped || error instanceof Missing;
    if (!call) idle = false;
    queue.shift();
    if (call) answer({ id: call.id, error: stopped ? `the engine stopped (${error.message})` : broken ? error.message : String(error), broken });
  }
  turn();
}
