import { expect, it } from 'vitest';
import { compiledSelector } from '../../src/cel/compiled-selector.js';
import { server } from '../support/server.js';

/** The claims of a real API server contain as many additional selectors as fit within the cost limit. */
const costs: readonly (readonly [expression: string, cost: bigint])[] = [
  ["device.driver == 'dra.example.com'", 4n],
  ["device.driver.matches('^[a-z.]+$')", 23n],
  ['device.allowMultipleAllocations', 2n],
  ["device.attributes['a.example.com'].model == 'x'", 5n],
  ["device.attributes['a.example.com'].model.matches('^a+b+$')", 18n],
  ["device.attributes['a.example.com']['model'].lowerAscii().contains('aaaaaaaaaaaaaaaaaaaaaaaaa')", 32n],
  ["cel.bind(a, device.attributes['a.example.com'], a.x == a.y && a['z'])", 26n],
  ['device.attributes.exists(d, device.attributes[d].exists(k, k == d))', 10531n],
  ["device.attributes.all(d, v, v.all(k, x, k.startsWith('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') || x == d))", 18595n],
  ["device.capacity['a.example.com'].memory.compareTo(quantity('1Gi')) >= 0", 7n],
  ["device.capacity['a.example.com'].memory == quantity('1Gi')", 6n],
  ["device.capacity.all(d, v, v.all(k, q, q.isGreaterThan(quantity('1')) && k == d))", 8355n],
  ["semver(device.attributes['a.example.com'].version).major() >= 2", 13n],
  ["'x' in device.attributes['a.example.com'] && has(device.attributes['a.example.com'].y)", 7n],
  ["device.attributes['a'].name + device.driver == 'b'", 20n],
];

it.each(costs)('estimates the cost of %s', (expression, cost) => {
  expect(compiledSelector(server, expression).cost).toBe(cost);
});
