import { expect, it } from 'vitest';
import { checkTopologySpread } from '../../../../src/apis/core/pod/validation/scheduling.js';
import { FieldPath } from '../../../../src/apiserver/registry/validation/field-path.js';
import { apiServers } from '../../../../src/cli/work/api-servers/api-servers.js';
import type { Value } from '../../../../src/go/value.js';
import { defaultMinor } from '../../../../src/kubernetes/kubernetes-version.js';

const server = apiServers({ minor: defaultMinor, featureGates: '' });

/** A constraint that counts how often its members are read. */
class CountedMap extends Map<string, Value> {
  reads = 0;
  override get(key: string): Value | undefined {
    this.reads += 1;
    return super.get(key);
  }
}

function constraint(topologyKey: string, whenUnsatisfiable = 'DoNotSchedule'): CountedMap {
  return new CountedMap([
    ['maxSkew', 1n],
    ['topologyKey', topologyKey],
    ['whenUnsatisfiable', whenUnsatisfiable],
  ]);
}

it('reports topology spread constraints that another one repeats', () => {
  const keys = [constraint('a'), constraint('b'), constraint('a', 'ScheduleAnyway'), constraint('a'), constraint('b'), constraint('a')];
  const place = FieldPath.root(server, keys, 'spec.topologySpreadConstraints');
  checkTopologySpread(place);
  const field = (index: number): string => `spec.topologySpreadConstraints[${index}].{topologyKey, whenUnsatisfiable}`;
  expect(place.errors).toMatchObject([
    { type: 'FieldValueDuplicate', field: field(0), badValue: '{a, DoNotSchedule}' },
    { type: 'FieldValueDuplicate', field: field(1), badValue: '{b, DoNotSchedule}' },
    { type: 'FieldValueDuplicate', field: field(3), badValue: '{a, DoNotSchedule}' },
  ]);
});

it('reads each of many topology spread constraints as often as each of a few', () => {
  const readsOfEach = (count: number): number => {
    const constraints = Array.from({ length: count }, (_, i) => constraint(`k${i}`));
    checkTopologySpread(FieldPath.root(server, constraints));
    return constraints.reduce((sum, { reads }) => sum + reads, 0) / count;
  };
  expect(readsOfEach(1000)).toBe(readsOfEach(10));
});
