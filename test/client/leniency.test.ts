import { describe, expect, test } from 'vitest';
import type { WebhookReport } from '../../src/apiserver/admission/webhook-report.js';
import type { Report } from '../../src/apiserver/report/report.js';
import { noteLeniency } from '../../src/client/run/patch-notes.js';
import { isList, toValue } from '../../src/go/value.js';

/** The parts of a report on which the notes depend. */
function reportWith(patch: unknown, before: string): Report {
  const operations = toValue(patch);
  const entry: Partial<WebhookReport> = {
    webhook: 'w.example.com',
    patch: isList(operations) ? operations : [],
    change: { before, after: before },
  };
  return { webhooks: [entry] } as unknown as Report;
}

describe('a patch that was applied', () => {
  test('has a note if RFC 6902 does not allow it', async () => {
    const notes = await noteLeniency(reportWith([{ op: 'replace', path: '/data/b', value: '1' }], '{"data":{"a":"1"}}'));
    expect(notes).toEqual([
      'the patch of w.example.com relies on the API server\'s leniency: operation 1 (replace "/data/b"): by RFC 6902 what the path names must exist',
    ]);
  });

  test('has no note for a regular patch', async () => {
    expect(await noteLeniency(reportWith([{ op: 'add', path: '/data/b', value: '1' }], '{"data":{"a":"1"}}'))).toEqual([]);
  });
});
