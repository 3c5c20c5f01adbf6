/** The engine, behind a worker that can be stopped. */

import wasm from "../pkg/linnaeus_first.wasm?url";
import more from "../pkg/linnaeus_rest.wasm?url";
import packed from "../pkg/zoo.bin?url";
import type { Found, Reply, Rest, Start } from "./worker";

/** Loaded once; workers that are started anew get them as they are. */
const loaded: Promise<[WebAssembly.Module, string]> = Promise.all([WebAssembly.compileStreaming(fetch(wasm)), unpacked()]);

let isLoaded = false;
loaded.then(() => (isLoaded = true), () => {});

/** The part of the engine that compares, and all that comes after reading. A worker that needs it before it is here fetches it by itself. */
let rest: Promise<WebAssembly.Module> | undefined;

async function unpacked(): Promise<string> {
  const { ok, status, body } = await fetch(packed);
  if (!ok || !body) throw new Error(`the zoo is not there (${status})`);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();
}

export class Cancelled extends Error {}

export type Progress = (share: number, of: string, found?: Found) => void;
type Waiting = { resolve: (text: string) => void; reject: (why: Error) => void; progress?: Progress };

export class Engine {
  private worker!: Worker;
  private waiting = new Map<number, Waiting>();
  private next = 0;
  private prepares: boolean;

  constructor(prepares: boolean) {
    this.prepares = prepares;
    this.start();
  }

  private start(): void {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
    worker.onerror = (event) => this.fail(event.message || "the worker could not be started");
    loaded.then(
      ([module, zoo]) => {
        if (worker !== this.worker) return;
        worker.postMessage({ module, rest: new URL(more, document.baseURI).href, zoo, prepares: this.prepares } satisfies Start);
        rest ??= WebAssembly.compileStreaming(fetch(more));
        rest.then((compiled) => worker.postMessage({ rest: compiled } satisfies Rest), () => (rest = undefined));
      },
      (why) => this.fail(`the engine could not be loaded: ${why}`),
    );
  }

  private receive(reply: Reply): void {
    if ("ready" in reply) return void performance.mark(`${reply.ready}-ready`);
    const asked = this.waiting.get(reply.id);
    if (!asked) return;
    if ("done" in reply) return asked.progress?.(reply.done / reply.total, reply.of, reply.found);
    this.waiting.delete(reply.id);
    if ("ok" in reply) asked.resolve(reply.ok);
    else asked.reject(new Error(reply.error));
    if ("broken" in reply && reply.broken) this.restart("the engine was started anew");
  }

  private fail(message: string): void {
    for (const asked of this.waiting.values()) asked.reject(new Error(message));
    this.waiting.clear();
  }

  /** Asks; the answer is JSON or text. */
  text(name: string, args: unknown[], progress?: Progress): Promise<string> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress });
      const send = () => this.worker.postMessage({ id, name, args });
      if (isLoaded) send();
      else loaded.then(send, () => {});
    });
  }

  async json<T>(name: string, args: unknown[], progress?: Progress): Promise<T> {
    return JSON.parse(await this.text(name, args, progress)) as T;
  }

  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Stops what runs; everything that was asked is rejected. */
  restart(message = ""): void {
    this.worker.terminate();
    for (const asked of this.waiting.values()) asked.reject(message ? new Error(message) : new Cancelled("cancelled"));
    this.waiting.clear();
    this.start();
  }
}

/** Reads while one types, and answers what takes no time. */
export const reader = new Engine(false);
/** Answers what may take long. */
export const thinker = new Engine(true);
/** When all of the engine is there, and was sent to both; nothing if it could not be loaded. */
export const whole = (): Promise<WebAssembly.Module | undefined> => loaded.then(() => rest);
