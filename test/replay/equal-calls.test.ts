import { describe, expect, it } from 'vitest';
import { equalCalls, type MadeResult } from '../../src/replay/equal-calls.js';
import { eventsInLine, type LoggedEvent } from '../../src/replay/logged-event.js';

const unknown: MadeResult = { unknown: 'nothing', isRepeatable: true };
const nowhere = { stored: '', epoch: '' };

/** A call whose answer is not in the log: its result has the stored object. */
function creation(name: string): LoggedEvent {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(1000) } };
  const event = { apiVersion: 'audit.k8s.io/v1', kind: 'Event', verb: 'create', requestURI: '/api/v1', requestObject: object };
  const reading = eventsInLine(JSON.stringify(event), { source: 'audit.log', line: 1 });
  const [only] = reading.outcome === 'events' ? reading.events : [];
  if (only === undefined) throw new Error('no event');
  return only;
}

describe('equalCalls', () => {
  it('forgets the results that were used least recently, by their size', async () => {
    const equal = equalCalls({ maxCharacters: 10_000 });
    const isReused = async (name: string): Promise<boolean> => (await equal.of(creation(name), nowhere, async () => unknown)).isReused;
    for (const name of ['a', 'b', 'c']) expect(await isReused(name)).toBe(false);
    expect(await isReused('a')).toBe(true);
    expect(await isReused('d')).toBe(false);
    expect([await isReused('a'), await isReused('b')]).toEqual([true, false]);
  });

  it('forgets the same results after a checkpoint', async () => {
    const make = async (): Promise<MadeResult> => unknown;
    const whole = equalCalls({ maxCharacters: 10_000 });
    for (const name of ['a', 'b', 'c']) await whole.of(creation(name), nowhere, make);
    const restored = equalCalls({ maxCharacters: 10_000, restored: await whole.entries() });
    for (const equal of [whole, restored]) await equal.of(creation('d'), nowhere, make);
    expect((await restored.entries()).map(([key]) => key)).toEqual((await whole.entries()).map(([key]) => key));
  });

  it('makes a call again that has called webhooks with side effects', async () => {
    const equal = equalCalls({ maxCharacters: 10_000 });
    const make = async (): Promise<MadeResult> => ({ ...unknown, isRepeatable: false });
    for (const _ of [1, 2]) expect((await equal.of(creation('a'), nowhere, make)).isReused).toBe(false);
  });
});
