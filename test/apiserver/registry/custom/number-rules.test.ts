import { expect, it } from 'vitest';
import { numberResult } from '../../../../src/apiserver/registry/custom/number-rules.js';
import { server } from '../../../support/server.js';

const none = { multipleOf: undefined, maximum: undefined, exclusiveMaximum: false, minimum: undefined, exclusiveMinimum: false };

it.each([
  [2e6, { maximum: 1e6 }, 'spec.n in body should be less than or equal to 1e+06'],
  [2000000n, { maximum: 1e6, type: 'integer' }, 'spec.n in body should be less than or equal to 1000000'],
  [0.1, { minimum: 1234567.5 }, 'spec.n in body should be greater than or equal to 1.2345675e+06'],
  [0.5, { multipleOf: 1e7 }, 'spec.n in body should be a multiple of 1e+07'],
])('prints the limit that %d violates as Go prints it', (value, rules, message) => {
  const { errors } = numberResult(server, value, { ...none, type: 'number', format: '', ...rules }, 'spec.n');
  expect(errors.map(error => error.message)).toEqual([message]);
});
