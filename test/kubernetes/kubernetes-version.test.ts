import { describe, expect, it } from 'vitest';
import { featureGatesIn } from '../../src/kubernetes/feature-gates.js';
import { minorOf } from '../../src/kubernetes/kubernetes-version.js';
import { builtInResources } from '../../src/kubernetes/resource-table.js';
import { flagValues } from '../../src/kubernetes/server-options.js';
import { structNamed } from '../../src/kubernetes/type-table.js';
import { apiServers } from '../support/server.js';

describe('minorOf', () => {
  it.each([
    ['v1.34', 'v1.34'],
    ['1.35', 'v1.35'],
    ['v1.36.3', 'v1.36'],
    ['v1.37', 'v1.37'],
    ['v1.35.4-rc.1', 'v1.35'],
    ['v1.33', undefined],
    ['v2.34', undefined],
    ['', undefined],
  ])('reads %s as %s', (text, minor) => expect(minorOf(text)).toBe(minor));
});

describe('an API server', () => {
  it('determines the rules', () => {
    const { since, until } = apiServers({ minor: 'v1.35' });
    expect([since('v1.34'), since('v1.35'), since('v1.36')]).toEqual([true, true, false]);
    expect([until('v1.34'), until('v1.35'), until('v1.36')]).toEqual([false, true, true]);
  });

  it.each([
    ['v1.34', undefined, undefined],
    ['v1.35', 'workloadRef', undefined],
    ['v1.36', undefined, 'schedulingGroup'],
  ] as const)('has the fields of a pod of %s', (minor, ref, group) => {
    const { fieldsByName } = structNamed(apiServers({ minor }), 'core/v1.PodSpec');
    expect([fieldsByName.get('workloadRef')?.name, fieldsByName.get('schedulingGroup')?.name]).toEqual([ref, group]);
    expect(fieldsByName.get('containers')?.name).toBe('containers');
  });

  it('is made once for a minor and its gates', () => {
    expect(apiServers({ minor: 'v1.36' })).toBe(apiServers());
    expect(apiServers({ featureGates: 'AllBeta=false' })).not.toBe(apiServers());
  });

  it('serves its own resources in the same way', () => {
    const names = (minor: 'v1.34' | 'v1.36'): string[] => {
      return builtInResources(apiServers({ minor }), 'default').resources.map(
        ({ group, version, resource }) => `${group}/${version}/${resource}`,
      );
    };
    const [before, after] = [names('v1.34'), names('v1.36')];
    expect(after.filter(name => !before.includes(name))).toEqual([
      'admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
      'admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
    ]);
    expect(before.filter(name => !after.includes(name))).toEqual([]);
  });
});

describe('feature gates', () => {
  it.each([
    ['v1.34', '', false],
    ['v1.35', '', true],
    ['v1.34', 'HostnameOverride=true', true],
    ['v1.34', 'AllAlpha=true', true],
    ['v1.34', 'AllAlpha=true,HostnameOverride=false', false],
    ['v1.35', 'AllBeta=false', false],
  ] as const)('in %s with %j: HostnameOverride is %s', (minor, featureGates, enabled) => {
    expect(apiServers({ minor, featureGates }).isEnabled('HostnameOverride')).toBe(enabled);
  });

  it('are disabled if the minor does not have them', () => {
    expect(apiServers({ minor: 'v1.34', featureGates: 'AllAlpha=true' }).isEnabled('GenericWorkload')).toBe(false);
  });

  it('are read from the flags of an API server', () => {
    expect(featureGatesIn(flagValues(['--a=b', '--feature-gates=A=true', '--feature-gates=B=false']))).toBe('A=true,B=false');
  });
});
