import { expect, it } from 'vitest';
import { labelKeyProblems } from '../../src/kubernetes/name-rules.js';
import { server } from '../support/server.js';

it.each([
  ['example.com/name', []],
  ['name', []],
  ['/name', ['prefix part must be non-empty']],
  ['example.com/', ['name part must be non-empty', expect.stringMatching(/^name part must consist of /)]],
  [`${'x'.repeat(254)}/name`, ['prefix part must be no more than 253 bytes']],
  ['http://a/', [expect.stringMatching(/^a valid label key must consist of .* with an optional DNS subdomain prefix and '\/' /)]],
])('reports the problems of the key %s', (key, problems) => {
  expect(labelKeyProblems(server, key)).toEqual(problems);
});
