import { describe, expect, it } from 'vitest';
import { harmlessReason } from '../../../src/suites/conversions/checks.js';
import type { FieldDifference } from '../../../src/suites/conversions/differences.js';

function difference(field: string, before: string | null, after: string | null): FieldDifference {
  return { field, outcome: before === null ? 'added' : after === null ? 'lost' : 'changed', before, after };
}

const data = 'keeps data that the other version lacks';
const zero = 'only a zero value of the status';

describe('a difference after a round trip', () => {
  it.each([
    ['metadata.annotations["cluster.x-k8s.io/conversion-data"]', '"{}"', '"{\\"spec\\":{}}"', data],
    ['metadata.annotations["cluster.x-k8s.io/conversion-data"]', '"{}"', null, data],
    ['metadata.annotations["conversion-data"]', '"{}"', null, data],
    ['metadata.annotations["example.com/other-conversion-data"]', '"{}"', null, undefined],
    ['status', null, '{}', zero],
    ['status', '{"replicas":0,"phase":"","conditions":[],"last":null,"ready":false,"nested":{"a":0}}', null, zero],
    ['status.replicas', null, '0', zero],
    ['status.replicas', '1', null, undefined],
    ['status.replicas', '1', '0', undefined],
    ['status.message', '"a text that is too long to be shown as a who...', null, undefined],
    ['spec.replicas', null, '0', undefined],
    ['statuses', null, '0', undefined],
  ])('of %s from %s to %s: %s', (field, before, after, reason) => {
    expect(harmlessReason(difference(field, before, after), [])).toBe(reason);
  });

  it('is ignored below an ignored field', () => {
    expect(harmlessReason(difference('spec.a[0].b', '1', null), [['spec', 'a']])).toBe('ignored by --ignore-field');
    expect(harmlessReason(difference('spec.ab', '1', null), [['spec', 'a']])).toBeUndefined();
  });
});
