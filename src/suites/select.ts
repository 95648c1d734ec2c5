import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Suite, SuiteCase } from './suite.js';

/** The part of all cases that one machine of several runs: from 1 to `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Is the case one of a shard's? A case stays in its shard whatever other cases come and go. */
export function isInShard({ file }: Pick<Suite, 'file'>, { name }: Pick<SuiteCase, 'name'>, { index, count }: Shard): boolean {
  const digest = createHash('sha256')
    .update(`${path.basename(file)}\n${name}`)
    .digest();
  return digest.readUInt32BE(0) % count === index - 1;
}

/** The items in an order that depends on nothing but the chance given. Source: Fisher and Yates. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}
