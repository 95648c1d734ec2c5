/** Random choices of a run; the same seed gives the same choices. */
export interface Random {
  /** Returns an integer in [0, n). */
  readonly below: (n: number) => number;
  /** Returns true with a probability in percent. */
  readonly chance: (percent: number) => boolean;
  /** Returns one of the choices. Throws for an empty list. */
  readonly pick: <T>(choices: readonly T[]) => T;
  /** Returns one of the choices by weight; undefined if all weights are 0. */
  readonly weighted: <T>(choices: readonly T[], weight: (choice: T) => number) => T | undefined;
}

/** Returns random choices from a source of numbers in [0, 1). */
export function randomFrom(next: () => number): Random {
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    chance: percent => next() * 100 < percent,
    pick: choices => {
      const found = choices[below(choices.length)];
      if (found === undefined) throw new Error('nothing to choose from');
      return found;
    },
    weighted: (choices, weight) => {
      const weights = choices.map(weight);
      let left = next() * weights.reduce((sum, one) => sum + one, 0);
      return choices.find((_, i) => {
        left -= weights[i] ?? 0;
        return left < 0;
      });
    },
  };
}
