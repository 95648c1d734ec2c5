import type { Obstacle, RehearsalStep, RehearsalWorld, Situation } from './rehearsal.js';

/** A situation that some order of steps reaches. */
export interface Reached<S extends Situation> {
  readonly situation: S;
  /** Shortest order of steps. */
  readonly steps: readonly RehearsalStep[];
  /** Steps that change something, with the key of the situation after it. */
  readonly next: readonly string[];
  /** Steps that are refused here. */
  readonly refused: readonly { readonly step: RehearsalStep; readonly obstacle: Obstacle }[];
}

/** All situations by their keys, in the order of the number of steps. */
export interface Explored<S extends Situation> {
  readonly reached: ReadonlyMap<string, Reached<S>>;
  /** False: the limit was reached. */
  readonly isComplete: boolean;
}

/** Returns what identifies a situation. */
export function keyOfSituation({ states }: Situation): string {
  return states.join(' ');
}

/**
 * Returns the situations that any order of steps reaches. `stepsFrom` returns the steps to try. What happens depends only on what exists: a
 * situation that was seen is not continued again.
 */
export async function findSituations<S extends Situation>(
  world: Pick<RehearsalWorld<S>, 'take'>,
  start: S,
  { stepsFrom, limit }: { readonly stepsFrom: (situation: S) => readonly RehearsalStep[]; readonly limit: number },
): Promise<Explored<S>> {
  const reached = new Map<string, Reached<S>>();
  const waiting: { readonly situation: S; readonly steps: readonly RehearsalStep[] }[] = [{ situation: start, steps: [] }];
  const seen = new Set([keyOfSituation(start)]);
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    if (reached.size >= limit) return { reached, isComplete: false };
    const next: string[] = [];
    const refused: Reached<S>['refused'][number][] = [];
    for (const step of stepsFrom(one.situation)) {
      const { to, refusal } = await world.take(one.situation, step);
      if (refusal !== undefined) refused.push({ step, obstacle: refusal });
      const key = keyOfSituation(to);
      if (key === keyOfSituation(one.situation)) continue;
      next.push(key);
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push({ situation: to, steps: [...one.steps, step] });
    }
    reached.set(keyOfSituation(one.situation), { ...one, next, refused });
  }
  return { reached, isComplete: true };
}
