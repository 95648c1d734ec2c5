import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Suite, SuiteCase } from './suite.js';

/** One of `count` shards, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reports whether the case belongs to a shard. A case stays in its shard when other cases are added or removed. */
export function isInShard({ file }: Pick<Suite, 'file'>, { name }: Pick<SuiteCase, 'name'>, { index, count }: Shard): boolean {
  const digest = createHash('sha256')
    .update(`${path.basename(file)}\n${name}`)
    .digest();
  return digest.readUInt32BE(0) % count === index - 1;
}

/** Shuffles items with the given random numbers only. Source: Fisher and Yates. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}
