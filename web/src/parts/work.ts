/** One question at a time: progress, a button that stops it, and the newest question wins. */

import { announce, type Child, fill, h } from "../dom";
import { Cancelled, thinker } from "../engine";

/** A question that was overtaken is stopped after this long. */
const PATIENCE = 800;
/** Nothing is shown of what takes less than this. */
const SHORT = 250;

export class Work {
  readonly status = h("div", { class: "status" });
  private turn = 0;

  /** Asks and shows; what is asked later takes the place of this. */
  async run<T>(name: string, args: unknown[], show: (answer: T) => Child[], into: HTMLElement): Promise<void> {
    const own = ++this.turn;
    if (thinker.busy) {
      // A question that is quick anyway may end; its answer is not shown.
      await Promise.race([thinker.text("prepare", [0]).catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE))]);
      if (own !== this.turn) return;
      if (thinker.busy) thinker.restart();
    }
    const bar = h("progress", { max: 1, "aria-label": "Progress" });
    const words = h("span", {}, "Comparing…");
    const cancel = h("button", { type: "button", class: "small", id: "cancel", onclick: () => this.stop() }, "Cancel");
    const timer = setTimeout(() => own === this.turn && fill(this.status, bar, " ", words, " ", cancel), SHORT);
    into.classList.add("stale");
    try {
      const answer = await thinker.json<T>(name, args, (share, of) => {
        bar.value = share;
        words.textContent = of === "cards" ? "Reading the zoo…" : "Comparing with the zoo…";
      });
      if (own !== this.turn) return;
      fill(into, show(answer));
    } catch (error) {
      if (own !== this.turn) return;
      if (error instanceof Cancelled) {
        fill(into, h("p", { class: "soft" }, "Cancelled. ", h("kbd", {}, "Ctrl"), "+", h("kbd", {}, "Enter"), " asks again."));
        announce("Cancelled");
      } else fill(into, h("p", { class: "bad" }, (error as Error).message));
    } finally {
      clearTimeout(timer);
      if (own === this.turn) {
        into.classList.remove("stale");
        fill(this.status);
      }
    }
  }

  /** Stops what runs. */
  stop(): void {
    thinker.restart();
  }

  /** Forgets what was asked. */
  drop(into: HTMLElement): void {
    this.turn++;
    into.classList.remove("stale");
    fill(this.status);
  }
}
