import { describe, expect, it } from 'vitest';
import { selfSubjectAccessReviewRules } from '../../src/apis/authorization/access-review-validation.js';
import { leaseCandidateRules } from '../../src/apis/coordination/lease-candidate/lease-candidate-kind.js';
import { limitRangeRules } from '../../src/apis/core/limit-range/limit-range-kind.js';
import { persistentVolumeRules } from '../../src/apis/core/persistent-volume/persistent-volume-validation.js';
import { resourceClaimRules } from '../../src/apis/resource/resource-claim/resource-claim-validation.js';
import { FieldPath } from '../../src/apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../src/apiserver/registry/validation/kind-rules.js';
import { compareSemanticVersions, semanticVersion } from '../../src/apiserver/registry/validation/semantic-version.js';
import { isMap, toValue } from '../../src/go/value.js';
import { printFieldError } from '../../src/kubernetes/field-error.js';
import { server } from '../support/server.js';

function errorsOf(rules: KindRules, object: unknown): string[] {
  const field = FieldPath.root(server, toValue(object));
  rules.create(field);
  return field.errors.map(printFieldError);
}

const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
const candidate = { leaseName: 'a', strategy: 'OldestEmulationVersion' };

describe('the rules of less common kinds', () => {
  const cases: readonly (readonly [string, KindRules, unknown, string[]])[] = [
    ['a volume without a source', persistentVolumeRules, volume, ['spec: Required value: must specify a volume type']],
    [
      'a volume with two sources',
      persistentVolumeRules,
      { ...volume, hostPath: { path: '/a' }, nfs: { server: 's', path: '/' } },
      ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a recycled root',
      persistentVolumeRules,
      { ...volume, persistentVolumeReclaimPolicy: 'Recycle', hostPath: { path: '/' } },
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ],
    [
      'a binary older than what it emulates',
      leaseCandidateRules,
      { ...candidate, binaryVersion: '1.0.0', emulationVersion: '1.1.0' },
      ['spec.binaryVersion: Invalid value: "1.0.0": must be greater than or equal to `emulationVersion`'],
    ],
    [
      'a minimum above the maximum',
      limitRangeRules,
      { limits: [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] },
      ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
    ],
    [
      'a request for no device',
      resourceClaimRules,
      { devices: { requests: [{ name: 'a' }] } },
      ['spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'],
    ],
  ];
  it.each(cases)('refuse %s', (_name, rules, spec, expected) => expect(errorsOf(rules, { spec })).toEqual(expected));
});

describe('selfSubjectAccessReviewRules', () => {
  it('refuses a review with metadata and without attributes', () => {
    const object = toValue({ metadata: { name: 'a' }, spec: {} });
    const field = FieldPath.root(server, isMap(object) ? object : new Map());
    selfSubjectAccessReviewRules.create(field);
    expect(field.errors.map(printFieldError)).toEqual([
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      'metadata: Invalid value: {"name":"a"}: must be empty',
    ]);
  });
});

describe('compareVersions', () => {
  it.each([
    ['1.0.0', '1.0.0-alpha', 1],
    ['1.0.0-2', '1.0.0-10', -1],
    ['1.0.0-1', '1.0.0-a', -1],
    ['1.0.0+a', '1.0.0+b', 0],
  ])('compares %s with %s', (a, b, expected) => {
    const [first, second] = [semanticVersion(a), semanticVersion(b)];
    expect(first && second && compareSemanticVersions(first, second)).toBe(expected);
  });
});
