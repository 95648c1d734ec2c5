import { afterEach, describe, expect, it } from 'vitest';
import { asServer } from '../../src/kubernetes/as-server.js';
import { featureGatesIn, isEnabled } from '../../src/kubernetes/feature-gates.js';
import { defaultMinor, kubernetesMinor, minorOf, selectServer, since, until } from '../../src/kubernetes/kubernetes-version.js';
import { builtInResources } from '../../src/kubernetes/resource-table.js';
import { structNamed } from '../../src/kubernetes/type-table.js';

afterEach(() => selectServer({ minor: defaultMinor, featureGates: '' }));

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

describe('the selected version', () => {
  it('determines the rules', () => {
    selectServer({ minor: 'v1.35', featureGates: '' });
    expect([since('v1.34'), since('v1.35'), since('v1.36')]).toEqual([true, true, false]);
    expect([until('v1.34'), until('v1.35'), until('v1.36')]).toEqual([false, true, true]);
  });

  it.each([
    ['v1.34', undefined, undefined],
    ['v1.35', 'workloadRef', undefined],
    ['v1.36', undefined, 'schedulingGroup'],
  ] as const)('has the fields of a pod of %s', (minor, ref, group) => {
    selectServer({ minor, featureGates: '' });
    const { fieldsByName } = structNamed('core/v1.PodSpec');
    expect([fieldsByName.get('workloadRef')?.name, fieldsByName.get('schedulingGroup')?.name]).toEqual([ref, group]);
    expect(fieldsByName.get('containers')?.name).toBe('containers');
  });

  it('keeps a schema of one minor when another is selected', () => {
    selectServer({ minor: 'v1.34', featureGates: '' });
    const spec = structNamed('core/v1.PodSpec');
    selectServer({ minor: 'v1.36', featureGates: '' });
    expect(spec.fieldsByName.has('schedulingGroup')).toBe(false);
  });

  it('serves its own resources in the same way', () => {
    const names = (minor: 'v1.34' | 'v1.36'): string[] => {
      selectServer({ minor, featureGates: '' });
      return builtInResources('default').resources.map(({ group, version, resource }) => `${group}/${version}/${resource}`);
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
    selectServer({ minor, featureGates });
    expect(isEnabled('HostnameOverride')).toBe(enabled);
  });

  it('are disabled if the minor does not have them', () => {
    selectServer({ minor: 'v1.34', featureGates: 'AllAlpha=true' });
    expect(isEnabled('GenericWorkload')).toBe(false);
  });

  it('are read from the flags of an API server', () => {
    expect(featureGatesIn(['--a=b', '--feature-gates=A=true', '--feature-gates=B=false'])).toBe('A=true,B=false');
  });
});

describe('asServer', () => {
  it('runs work for one server side by side, and other work after it', async () => {
    const order: string[] = [];
    let release = (): void => {};
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    const work = (name: string, wait: Promise<void>) => async (): Promise<void> => {
      order.push(`${name} begins in ${kubernetesMinor()}`);
      await wait;
      order.push(`${name} ends in ${kubernetesMinor()}`);
    };
    const old = { minor: 'v1.34', featureGates: '' } as const;
    const all = [
      asServer(old, work('a', released)),
      asServer({ minor: 'v1.36', featureGates: '' }, work('c', Promise.resolve())),
      asServer(old, work('b', released)),
    ];
    release();
    await Promise.all(all);
    expect(order).toEqual([
      'a begins in v1.34',
      'b begins in v1.34',
      'a ends in v1.34',
      'b ends in v1.34',
      'c begins in v1.36',
      'c ends in v1.36',
    ]);
  });

  it('continues after a failure', async () => {
    const failing = asServer({ minor: 'v1.34', featureGates: '' }, () => Promise.reject(new Error('no')));
    const next = asServer({ minor: 'v1.35', featureGates: '' }, async () => kubernetesMinor());
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('v1.35');
  });
});
