/** Runs the engine away from the page. Requests are answered in order; keys of cards are made, and a question is rehearsed, while nobody waits. */

import init, * as engine from "../pkg/linnaeus.js";

export type Start = { module: WebAssembly.Module; rest: string; zoo: string; prepares: boolean };
export type Rest = { rest: WebAssembly.Module };
export type Call = { id: number; name: string; args: unknown[] };
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
/** Answered in pieces when nothing else is to do. It has a gradient and a prox, and is LaTeX, so that much of what compares and reads is compiled by it. */
const REHEARSED = "\\begin{align} y_k &= x_k + \\beta(x_k - x_{k-1}) \\\\ x_{k+1} &= \\operatorname{prox}_{t g}(y_k - t \\nabla f(y_k)) \\end{align}";
let rehearsed = false;
/** So long nobody who asks waits for a rehearsal, but for its last piece. */
const PIECE = 8;

const answer = (reply: Reply) => postMessage(reply);

/** Called by the engine. */
let current = 0;
let last = 0;
(globalThis as unknown as Record<string, unknown>).linnaeusProgress = (done: number, total: number, id: string, name: string, heading: string) => {
  const now = performance.now();
  if (now - last < 50 && !id) return;
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

function step(): void {
  const call = queue[0];
  try {
    if (call && call.name === "page_identify" && prepared < total) {
      const until = performance.now() + 40;
      while (prepared < total && performance.now() < until) total = engine.prepare(prepared++);
      answer({ id: call.id, done: prepared, total, of: "cards" });
    } else if (call) {
      queue.shift();
      current = call.id;
      const run = (engine as unknown as Record<string, (...args: unknown[]) => string>)[call.name];
      answer({ id: call.id, ok: run(...call.args) });
    } else if (idle && prepared < total) {
      total = engine.prepare(prepared++);
    } else if (idle && !rehearsed) {
      const until = performance.now() + PIECE;
      while (!rehearsed && performance.now() < until) rehearsed = engine.rehearse(REHEARSED);
      if (rehearsed) answer({ ready: "zoo" });
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
