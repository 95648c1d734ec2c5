import { toValue, type ValueMap } from '../../../src/go/value.js';
import type { Difference } from '../figures.js';
import { type CorpusCase, type CorpusFile, readFolder } from '../files.js';
import { differenceWith } from './requests.js';

interface RecordedReview {
  readonly phase: string;
  readonly webhook: string;
  readonly reply: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
}

/** The same as for built-in resources; the definitions are next to the files, and the webhooks give recorded answers. */
export function differenceIn(file: CorpusFile): Difference {
  const definitions = readFolder(file.folder).find(f => f.name === 'crds')?.document;
  const difference = differenceWith(file, toValue(definitions ?? {}) as ValueMap);
  return (recorded: CorpusCase) => difference({ ...recorded, replies: repliesOf(recorded) });
}

function repliesOf(recorded: CorpusCase): unknown[] {
  const reviews = (recorded['reviews'] ?? []) as RecordedReview[];
  return reviews.map(({ phase, webhook, reply }) => ({ phase, webhook, status: reply.status, headers: reply.headers, body: reply.body }));
}
