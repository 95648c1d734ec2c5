import { rfcDeviation } from '../apiserver/patches/rfc-deviations.js';
import type { Report } from '../apiserver/report.js';
import { writeValue } from '../go/json/write.js';

/** Returns a note for each patch that the API server accepts but RFC 6902 does not allow: other tools and servers may reject it. */
export async function leniencyNotes({ webhooks }: Report): Promise<string[]> {
  const notes: string[] = [];
  for (const { change, patch, webhook } of webhooks) {
    if (change === undefined || patch.length === 0) continue;
    const sentence = await rfcDeviation(change.before, writeValue([...patch], 'kept'));
    if (sentence !== undefined) notes.push(`the patch of ${webhook} ${sentence}`);
  }
  return notes;
}
