/** One question at a time: progress, a button that stops it, and the newest question wins. */

import { announce, type Child, complaint, fill, h } from "../dom";
import { Cancelled, thinker } from "../engine";
import type { Found } from "../worker";

/** A question that was overtaken is stopped after this long. */
const PATIENCE = 800;
/** Nothing is shown of what takes less than this. */
const SHORT = 250;

export class Work {
  readonly status = h("div", { class: "status" });
  private turn = 0;

  /**
   * Asks and shows, unless what is asked turns out to be `unwanted`; what is asked later takes the place of this. A name that is found
   * on the way is shown where no older answer stands.
   */
  async run<T>(name: string, args: unknown[], show: (answer: T) => Child[], into: HTMLElement, unwanted?: Promise<boolean>, named?: (found: Found) => Child[]): Promise<void> {
    const own = ++this.turn;
    if (thinker.busy) {
      // A question that is quick anyway may end; its answer is not shown.
      await Promise.race([thinker.text("prepare", [0]).catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE))]);
      if (own !== this.turn) return;
      if (thinker.busy) thinker.restart();
    }
    let isNamed = false;
    const bar = h("progress", { max: 1, "aria-label": "Progress" });
    const words = h("span", {}, "Comparing…");
    const cancel = h("button", { type: "button", class: "small", id: "cancel", onclick: () => this.stop() }, "Cancel");
    const timer = setTimeout(() => own === this.turn && fill(this.status, bar, " ", words, " ", cancel), SHORT);
    into.classList.add("stale");
    try {
      const answer = await thinker.json<T>(name, args, (share, of, found) => {
        bar.value = share;
        words.textContent = of === "cards" ? "Reading the zoo…" : "Comparing with the zoo…";
        if (!found || !named || own !== this.turn || (into.firstChild && !isNamed)) return;
        isNamed = true;
        into.classList.remove("stale");
        replace(into, named(found));
      });
      if ((await unwanted) || own !== this.turn) return;
      replace(into, show(answer));
    } catch (error) {
      if ((await unwanted) || own !== this.turn) return;
      if (error instanceof Cancelled) {
        fill(into, h("p", { class: "soft" }, "Cancelled. ", h("kbd", {}, "Ctrl"), "+", h("kbd", {}, "Enter"), " asks again."));
        announce("Cancelled");
      } else fill(into, complaint((error as Error).message));
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

/** Puts an answer where another stands; who has come to a link of that by keyboard stays with it. */
function replace(into: HTMLElement, answer: Child[]): void {
  const held = into.contains(document.activeElement) ? document.activeElement!.getAttribute("href") : null;
  fill(into, answer);
  if (held === null) return;
  const links = [...into.querySelectorAll("a")];
  (links.find((a) => a.getAttribute("href") === held) ?? into).focus({ preventScroll: true });
}
