// The queue of a review: which item is shown, what was decided, and what of it can be taken back. Decisions
// are sent one after the other in the background, while the next item is shown.

/** Something to decide; `key` names it in the address. */
export interface Entry {
  key: string;
}

/** What came of a decision that was sent. */
export interface Outcome {
  said: string;
  /** Takes it back; `null` if the server cannot. */
  undo: Undo | null;
}

/** `isOpen`: whether the item can be decided again. */
export type Undo = () => Promise<{ said: string; isOpen: boolean }>;

/** One way to decide an item. */
export interface Choice {
  /** The key on the keyboard. */
  key: string;
  words: string;
  /** Held back for a moment, because the server cannot take it back. */
  isFinal: boolean;
  send: () => Promise<Outcome>;
}

export type State = "held" | "sending" | "done" | "refused" | "undoing" | "undone";

export interface Decided<T extends Entry> {
  item: T;
  words: string;
  state: State;
  said: string;
  undo: Undo | null;
}

/** Somebody else decided before: there is nothing to repeat. */
export class Settled extends Error {}

/** Milliseconds in which a decision can be taken back that the server cannot take back. */
const HELD_MS = 5000;

export class Queue<T extends Entry> {
  items: T[] = [];
  /** Latest first. */
  decided: Decided<T>[] = [];
  /** What happened to the item in the middle, if it is no longer there. */
  notice = "";
  #shown: string | null = null;
  #sending: Promise<void> = Promise.resolve();
  readonly #held = new Map<Decided<T>, { choice: Choice; timer: ReturnType<typeof setTimeout> }>();
  /** What is taken back as soon as it was sent. */
  readonly #undoing = new Set<Decided<T>>();
  readonly #changed: () => void;
  readonly #explain: (failure: unknown) => string;

  constructor(changed: () => void, explain: (failure: unknown) => string) {
    this.#changed = changed;
    this.#explain = explain;
  }

  get current(): T | null {
    return this.items.find((item) => item.key === this.#shown) ?? this.items[0] ?? null;
  }

  get position(): number {
    const { current } = this;
    return current ? this.items.indexOf(current) : -1;
  }

  /** Forgets all items and decisions. */
  clear(): void {
    this.decided = [];
    this.replace([]);
  }

  /** Other items are asked for, such as those of one kind. */
  replace(open: T[]): void {
    this.notice = "";
    this.items = [];
    this.load(open);
  }

  /** The open items as the server tells them: the order of those that are here stays, new ones come last. */
  load(open: T[]): void {
    const isDecided = (item: T) =>
      this.decided.some((one) => one.item.key === item.key && !["undone", "refused"].includes(one.state));
    const fresh = new Map(open.filter((item) => !isDecided(item)).map((item) => [item.key, item]));
    const kept = this.items.filter((item) => fresh.has(item.key)).map((item) => fresh.get(item.key)!);
    const known = new Set(kept.map((item) => item.key));
    const gone = this.current !== null && !fresh.has(this.current.key);
    const next = gone ? this.items.slice(this.position + 1).find((item) => fresh.has(item.key))
      : this.current;
    this.items = [...kept, ...[...fresh.values()].filter((item) => !known.has(item.key))];
    if (gone) {
      this.notice = "What was shown here was decided elsewhere meanwhile.";
      this.#shown = next?.key ?? null;
    }
    this.#changed();
  }

  show(key: string | null): void {
    this.#shown = key;
    this.#changed();
  }

  /** The item before or after; the ends are joined. */
  move(by: 1 | -1): void {
    if (this.items.length === 0) return;
    this.notice = "";
    this.show(this.items[(this.position + by + this.items.length) % this.items.length]!.key);
  }

  /** To the end of the queue. */
  skip(): void {
    const { current, position } = this;
    if (!current) return;
    this.notice = "";
    const next = this.items[position + 1] ?? this.items[0]!;
    this.items = [...this.items.filter((item) => item !== current), current];
    this.show(next.key);
  }

  decide(choice: Choice): void {
    const { current, position } = this;
    if (!current) return;
    this.notice = "";
    const decided: Decided<T> = { item: current, words: choice.words, state: "held", said: "", undo: null };
    this.decided = [decided, ...this.decided];
    this.items = this.items.filter((item) => item !== current);
    this.#shown = (this.items[position] ?? this.items[0])?.key ?? null;
    if (choice.isFinal) {
      this.#held.set(decided, { choice, timer: setTimeout(() => this.#release(decided), HELD_MS) });
    } else {
      this.#send(decided, choice);
    }
    this.#changed();
  }

  /** The latest decision that can be taken back. */
  get undoable(): Decided<T> | null {
    const isUndoable = (one: Decided<T>) =>
      this.#held.has(one) || one.state === "sending" || (one.state === "done" && one.undo !== null);
    return this.decided.find((one) => isUndoable(one) && !this.#undoing.has(one)) ?? null;
  }

  undo(decided: Decided<T> | null = this.undoable): void {
    if (!decided) return;
    const held = this.#held.get(decided);
    if (held) {
      clearTimeout(held.timer);
      this.#held.delete(decided);
      decided.state = "undone";
      this.#back(decided.item);
      return;
    }
    if (this.#undoing.has(decided)) return;
    this.#undoing.add(decided);
    // Behind its own request, which may still be on the way.
    this.#inOrder(async () => {
      this.#undoing.delete(decided);
      const { undo } = decided;
      if (decided.state !== "done" || !undo) return;
      decided.state = "undoing";
      try {
        const { said, isOpen } = await undo();
        Object.assign(decided, { said, state: "undone" });
        if (isOpen) this.#back(decided.item);
      } catch (failure) {
        decided.said = this.#explain(failure);
        decided.state = "done";
        decided.undo = null;
      }
    });
  }

  /** Whether a decision did not reach the server yet. */
  get isUnsent(): boolean {
    return this.decided.some((one) => ["held", "sending", "undoing"].includes(one.state));
  }

  /** Sends what is held back; done when all is sent. */
  async flush(): Promise<void> {
    for (const decided of [...this.#held.keys()].reverse()) this.#release(decided);
    await this.#sending;
  }

  #release(decided: Decided<T>): void {
    const held = this.#held.get(decided);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(decided);
    this.#send(decided, held.choice);
  }

  #send(decided: Decided<T>, choice: Choice): void {
    decided.state = "sending";
    this.#inOrder(async () => {
      try {
        const { said, undo } = await choice.send();
        Object.assign(decided, { state: "done", said, undo });
      } catch (failure) {
        decided.state = "refused";
        decided.said = this.#explain(failure);
        // What others decided is done; what failed is still to be decided.
        if (!(failure instanceof Settled)) this.items = [...this.items, decided.item];
      }
    });
  }

  #back(item: T): void {
    if (!this.items.some((one) => one.key === item.key)) this.items.splice(Math.max(0, this.position), 0,
      item);
    this.show(item.key);
  }

  #inOrder(run: () => Promise<void>): void {
    this.#sending = this.#sending.then(run).then(this.#changed);
    this.#changed();
  }
}
