import { describe, expect, it } from 'vitest';
import { schemaErrors } from '../../../../src/apiserver/registry/custom/schema-validator.js';
import { isMap, toValue, type Value, type ValueMap } from '../../../../src/go/value.js';
import { printFieldError } from '../../../../src/kubernetes/field-error.js';
import { server } from '../../../support/server.js';

function schemaOf(properties: Record<string, unknown>): ValueMap {
  const value = toValue({ type: 'object', properties });
  return isMap(value) ? value : new Map();
}

function errorsOf(property: Record<string, unknown>, value: Value): string[] {
  return schemaErrors(new Map([['a', value]]), schemaOf({ a: property }), { server, correlated: undefined }).map(printFieldError);
}

describe('a schema of a custom resource', () => {
  it.each<[string, Record<string, unknown>, Value, string[]]>([
    ['a wrong type', { type: 'string' }, 1n, ['a: Invalid value: "integer": a in body must be of type string: "integer"']],
    ['a whole float for an integer', { type: 'integer' }, 2, []],
    [
      'an int32 that is too big',
      { type: 'integer', format: 'int32' },
      2147483648n,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'],
    ],
    [
      'an integer below an int64, of which the shortest text of its float is not one',
      { type: 'integer', format: 'int64' },
      -(2 ** 63),
      [
        'a: Invalid value: "float64": a in body must be of type int64: "float64"',
        '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in a',
      ],
    ],
    [
      'a text that is too long and matches nothing',
      { type: 'string', maxLength: 1, pattern: '^x$' },
      'ab',
      ['a: Too long: may not be more than 1 byte'],
    ],
    [
      'a null outside of an enum',
      { type: 'string', enum: ['x'] },
      null,
      ['a: Invalid value: "null": a in body must be of type string: "null"', 'a: Unsupported value: null: supported values: "x"'],
    ],
    ['a limit', { type: 'integer', minimum: 3, exclusiveMinimum: true }, 3n, ['a: Invalid value: 3: a in body should be greater than 3']],
    ['a format', { type: 'string', format: 'ipv4' }, '::1', ['a: Invalid value: "::1": a in body must be of type ipv4: "::1"']],
    ['an unknown format', { type: 'string', format: 'nothing' }, 'x', []],
    [
      'no branch of oneOf',
      { type: 'object', oneOf: [{ required: ['b'] }] },
      new Map(),
      ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid', 'a.b: Required value'],
    ],
  ])('tells %s', (_name, property, value, expected) => {
    expect(errorsOf(property, value)).toEqual(expected);
  });
});
