import { expect, it } from 'vitest';
import { checkTopologySpread } from '../../../../src/apis/core/pod/validation/scheduling.js';
import { FieldPath } from '../../../../src/apiserver/registry/validation/field-path.js';
import { apiServers } from '../../../../src/cli/work/api-servers/api-servers.js';
import type { Value, ValueMap } from '../../../../src/go/value.js';
import { defaultMinor } from '../../../../src/kubernetes/kubernetes-version.js';

const server = apiServers({ minor: defaultMinor, featureGates: '' });

function constraint(topologyKey: string, whenUnsatisfiable = 'DoNotSchedule'): ValueMap {
  return new Map<string, Value>([
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

it('finds the repeated ones among as many as a request has room for', () => {
  // Compared with each other, they would take minutes.
  const constraints = Array.from({ length: 50_000 }, (_, i) => constraint(`k${i % 49_999}`));
  const spec = FieldPath.root(server, constraints);
  checkTopologySpread(spec);
  expect(spec.errors).toMatchObject([{ type: 'FieldValueDuplicate', badValue: '{k0, DoNotSchedule}' }]);
});
