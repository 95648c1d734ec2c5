import { judgeStrictly } from '../../apiserver/patches/strict-judge.js';
import type { Report } from '../../apiserver/report.js';
import { writeValue } from '../../go/json/write.js';

/** A sentence for each patch that the API server takes although RFC 6902 would not: other tools, and other servers, may refuse it. */
export async function leniencyNotes({ webhooks }: Report): Promise<string[]> {
  const notes: string[] = [];
  for (const { change, patch, webhook } of webhooks) {
    if (change === undefined || patch.length === 0) continue;
    const sentence = await judgeStrictly(change.before, writeValue([...patch], 'kept'));
    if (sentence !== undefined) notes.push(`the patch of ${webhook} ${sentence}`);
  }
  return notes;
}
