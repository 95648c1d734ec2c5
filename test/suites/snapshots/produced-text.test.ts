import { describe, expect, it } from 'vitest';
import { toValue, type Value } from '../../../src/go/value.js';
import { canonicalSnapshot } from '../../../src/suites/snapshots/canonical.js';
import { producedText } from '../../../src/suites/snapshots/produced-text.js';
import { snapshotText } from '../../../src/suites/snapshots/snapshot-text.js';

const call = (more: object): object => ({ request: 'POST /api/v1/pods', user: 'admin', decision: { allowed: true, code: 201 }, ...more });
const webhooks = (...outcomes: string[]): object => ({ webhooks: outcomes.map(outcome => ({ webhook: 'a', outcome, skipped: 'rules' })) });

/** Every pair differs in one respect that the text shows. */
const documents: readonly Value[] = [
  { case: 'a', calls: [call({})] },
  { case: 'b', calls: [call({})] },
  { case: 'b', calls: [] },
  { case: 'b', calls: [call({}), call({})] },
  { case: 'c', calls: [call(webhooks('allowed'))] },
  { case: 'c', calls: [call({ webhooks: [{ webhook: 'a', outcome: 'allowed' }] })] },
  { case: 'c', calls: [call({ webhooks: [{ webhook: 'a', outcome: 'denied' }] })] },
  { case: 'c', calls: [call({ webhooks: [{ webhook: 'a', outcome: null }] })] },
  { case: 'c', calls: [call({ webhooks: [{ webhook: 'a' }] })] },
  { case: 'd', calls: [call({ decision: { allowed: true, code: 201, warnings: ['b', 'a'] } })] },
  { case: 'd', calls: [call({ decision: { allowed: true, code: 201, warnings: ['a', 'c'] } })] },
  { case: 'e', calls: [call({ diff: 'two\nlines' })] },
  { case: '', calls: [call({ diff: '1' })] },
  { case: "it's: #odd", calls: [call({ diff: 1 })] },
  { case: 'conversion', conversions: [{ object: 'a', from: 'v1' }] },
].map(toValue);

const numbers: readonly Value[] = [1, 1n, 0, -0, { rawJson: '{"a":1}' }, { rawJson: '{"a":2}' }].map(
  value =>
    new Map<string, Value>([
      ['case', 'n'],
      ['calls', [new Map([['value', value]])]],
    ]),
);

describe('the text of a produced snapshot', () => {
  it('is that of its canonical document, also after others and a second time', () => {
    const all = [...documents, ...numbers];
    for (const document of [...all, ...all, ...all.flatMap((one, i) => [one, all[(i * 7) % all.length] ?? one])]) {
      expect(producedText(document)).toBe(snapshotText(canonicalSnapshot(document)));
    }
  });

  it('does not depend on the order of keys', () => {
    const ordered = toValue({ case: 'o', calls: [{ request: 'x', user: 'y' }] });
    expect(producedText(toValue({ calls: [{ user: 'y', request: 'x' }], case: 'o' }))).toBe(producedText(ordered));
  });
});
