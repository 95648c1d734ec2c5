import { describe, expect, it } from 'vitest';
import { statusValue, writeStatus } from '../../src/encoding/status-json.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import type { Status } from '../../src/kubernetes/status.js';

const statuses: Readonly<Record<string, Status>> = {
  'without members': { status: '' },
  'of a refusal': {
    status: 'Failure',
    message: 'a <b> "c" \ud800',
    reason: 'Invalid',
    code: 422,
    details: {
      name: 'a',
      group: 'apps',
      kind: 'Deployment',
      uid: '',
      causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'spec' }, { message: '' }],
      retryAfterSeconds: 3,
    },
  },
  'with empty details': { status: 'Failure', details: { causes: [], retryAfterSeconds: 0 }, code: 0 },
  'with metadata': {
    status: 'Success',
    metadata: { selfLink: '/a', resourceVersion: '3', continue: '', remainingItemCount: 0n, shardInfo: { selector: 'x\ud800' } },
    code: 200,
  },
};

describe('a Status', () => {
  it.each(Object.entries(statuses))('has the value that its text is read as: %s', (_, status) => {
    const read = readUnstructured(writeStatus(status));
    expect(statusValue(status)).toEqual(read);
    expect(JSON.stringify(keysOf(statusValue(status)))).toBe(JSON.stringify(keysOf(read)));
  });
});

/** Keys in their order. */
function keysOf(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, member]) => [key, keysOf(member)]);
  return Array.isArray(value) ? value.map(keysOf) : undefined;
}
