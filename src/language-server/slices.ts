/** Longest piece of work between two looks at what the editor has sent, in milliseconds. */
const sliceMs = 8;

/** Divides work into slices, between which messages are handled. */
export class Slices {
  readonly #clockMs: () => number;
  #since: number;

  constructor(clockMs: () => number) {
    this.#clockMs = clockMs;
    this.#since = clockMs();
  }

  /** Lets messages be handled if the slice is over. */
  async pause(): Promise<void> {
    if (this.#clockMs() - this.#since <= sliceMs) return;
    await waitForTurn();
    this.#since = this.#clockMs();
  }
}

/** Resolves after the messages that have arrived are handled. */
export function waitForTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}
