/** Runs the engine away from the page. Requests are answered in order; keys of cards are made, and one is identified, while nobody waits. */

import init, * as engine from "../pkg/linnaeus.js";

export type Start = { module: WebAssembly.Module; zoo: string; prepares: boolean };
export type Call = { id: number; name: string; args: unknown[] };
export type Reply =
  | { id: number; ok: string }
  | { id: number; error: string; broken: boolean }
  | { id: number; done: number; total: number; of: "cards" | "comparisons" }
  | { ready: "engine" | "zoo" };

const queue: Call[] = [];
let prepared = 0;
let total = Infinity;
let idle = false;
let running = false;
let warm = false;
const WARM = "x[k+1] = prox_{t f}(x[k])";

const answer = (reply: Reply) => postMessage(reply);

/** Called by the engine. */
let current = 0;
let last = 0;
(globalThis as unknown as Record<string, unknown>).linnaeusProgress = (done: number, total: number) => {
  const now = performance.now();
  if (now - last < 50) return;
  last = now;
  answer({ id: current, done, total, of: "comparisons" });
};

addEventListener("message", async (event: MessageEvent<Start | Call>) => {
  if ("module" in event.data) {
    const { module, zoo, prepares } = event.data;
    idle = prepares;
    await init({ module_or_path: module });
    engine.take_zoo(zoo);
    answer({ ready: "engine" });
    running = true;
    turn();
    return;
  }
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
    } else if (idle && !warm) {
      // A first question, so that what compares is compiled and the index is there before somebody asks.
      warm = true;
      current = -1;
      engine.page_identify(WARM);
      answer({ ready: "zoo" });
    } else return;
  } catch (error) {
    const broken = error instanceof WebAssembly.RuntimeError;
    queue.shift();
    if (call) answer({ id: call.id, error: broken ? `the engine stopped (${error.message})` : String(error), broken });
  }
  turn();
}
