import { describe, expect, it } from 'vitest';
import { structural } from '../../../../src/apiserver/objects/structural-schema.js';
import { ruleFieldPath } from '../../../../src/apiserver/registry/custom/rules/rule-field-path.js';
import { ruleErrors } from '../../../../src/apiserver/registry/custom/rules/validate-rules.js';
import { readUnstructured } from '../../../../src/encoding/unstructured.js';
import { printFieldError } from '../../../../src/kubernetes/field-error.js';
import { mapOf } from '../../../support/map-of.js';
import { server } from '../../../support/server.js';
import optionalOldSelf from './optional-old-self.json' with { type: 'json' };

type Json = Record<string, unknown>;

/** Errors, then warnings, of an object with the one property `a`. */
function said(property: Json, value: unknown, old?: unknown): { errors: string[]; warnings: string[] } {
  const schema = structural(mapOf({ type: 'object', properties: { a: property } }));
  const warnings: string[] = [];
  const before = old === undefined ? undefined : mapOf({ a: old });
  const errors = ruleErrors(mapOf({ a: value }), before, schema, {
    server,
    path: '',
    isResourceRoot: true,
    warn: text => warnings.push(text),
  });
  return { errors: errors.map(printFieldError), warnings };
}

const rules = (...all: (string | Json)[]): Json => ({
  'x-kubernetes-validations': all.map(rule => (typeof rule === 'string' ? { rule } : rule)),
});

const text = { type: 'string' };
const integer = { type: 'integer' };

/** Recorded answers of an API server for the same rules and values. */
describe('rules of a schema', () => {
  it.each<[string, Json, unknown, string[]]>([
    ['that hold', { ...text, ...rules('self.startsWith("x")') }, 'xyz', []],
    ['without a message', { ...text, ...rules('self == "x"') }, 'y', ['a: Invalid value: "y": failed rule: self == "x"']],
    ['with a message', { ...integer, ...rules({ rule: 'self != 7', message: '  seven  ' }) }, 7n, ['a: Invalid value: 7: seven']],
    [
      'with a reason',
      { ...integer, ...rules({ rule: 'self < 3', reason: 'FieldValueForbidden', message: 'no' }) },
      5n,
      ['a: Forbidden: no'],
    ],
    ['for duplicates', { ...integer, ...rules({ rule: 'self < 3', reason: 'FieldValueDuplicate' }) }, 5n, ['a: Duplicate value: 5']],
    [
      'that something is required',
      { ...integer, ...rules({ rule: 'self < 3', reason: 'FieldValueRequired', message: 'need' }) },
      5n,
      ['a: Required value: need'],
    ],
    [
      'for numbers that look whole',
      { type: 'number', ...rules('self + 1.0 < 10.0') },
      9n,
      ['a: Invalid value: 9: failed rule: self + 1.0 < 10.0'],
    ],
    [
      'for a date',
      { ...text, format: 'date', ...rules('self.getFullYear() > 2000') },
      '1999-01-01',
      ['a: Invalid value: "1999-01-01": failed rule: self.getFullYear() > 2000'],
    ],
    [
      'for bytes',
      { ...text, format: 'byte', ...rules('size(self) < 4') },
      'YWJjZGVm',
      ['a: Invalid value: "YWJjZGVm": failed rule: size(self) < 4'],
    ],
    [
      'for bytes of the other alphabet',
      { ...text, format: 'byte', ...rules('size(self) < 4') },
      '+/+/',
      [
        'a: Invalid value: "string": Invalid byte formatted string +/+/: illegal base64 data at input byte 0 evaluating rule: size(self) < 4',
      ],
    ],
    [
      'for a number or a text',
      { 'x-kubernetes-int-or-string': true, ...rules('self < 5') },
      'x',
      [
        `a: Invalid value: "": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self < 5`,
      ],
    ],
    [
      'for a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set', ...rules("self == ['a','b']", "self + ['c'] == ['a','b','c']") },
      ['b', 'a'],
      [],
    ],
    [
      'for a list',
      { type: 'array', items: text, ...rules("self == ['a','b']") },
      ['b', 'a'],
      ["a: Invalid value: failed rule: self == ['a','b']"],
    ],
    [
      'for a map',
      { type: 'object', additionalProperties: text, ...rules("self['q'] == 'q'") },
      { p: '' },
      [`a: Invalid value: "object": no such key: q evaluating rule: self['q'] == 'q'`],
    ],
    [
      'for odd names',
      {
        type: 'object',
        properties: { 'a-b': text, namespace: text },
        ...rules("self.a__dash__b == 'x' && self.namespace == 'n' && self.__namespace__ == 'n'"),
      },
      { 'a-b': 'x', namespace: 'n' },
      [],
    ],
    ['for a null', { type: 'object', properties: { n: { ...text, nullable: true } }, ...rules('!has(self.n)') }, { n: null }, []],
    ['of a null', { ...text, nullable: true, ...rules('false') }, null, []],
    [
      'for an embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true, ...rules("self.metadata.name == 'p' && self.kind == 'Pod'") },
      { kind: 'Pod', metadata: { name: 'p' } },
      [],
    ],
    [
      'with an error',
      { type: 'object', properties: { i: integer }, ...rules('1 / self.i > 0') },
      { i: 0n },
      ['a: Invalid value: "object": division by zero evaluating rule: 1 / self.i > 0'],
    ],
    [
      'with a path',
      { type: 'object', properties: { n: integer }, ...rules({ rule: 'self.n < 3', fieldPath: '.n', message: 'm' }) },
      { n: 3n },
      ['a.n: Invalid value: m'],
    ],
    [
      'with an expression as message',
      { type: 'object', properties: { n: integer }, ...rules({ rule: 'self.n < 3', messageExpression: '" is " + string(self.n)' }) },
      { n: 3n },
      ['a: Invalid value: is 3'],
    ],
    [
      'with an expression as message that fails',
      { ...integer, ...rules({ rule: 'self < 3', messageExpression: 'string(self / 0)', message: 'm' }) },
      3n,
      ['a: Invalid value: 3: m'],
    ],
    [
      'with a message of two lines',
      { ...text, ...rules({ rule: 'false', messageExpression: 'self', message: 'm' }) },
      'a\nb',
      ['a: Invalid value: "a\\nb": m'],
    ],
    [
      'of items',
      { type: 'array', items: { ...integer, ...rules('self < 3') } },
      [1n, 5n],
      ['a[1]: Invalid value: 5: failed rule: self < 3'],
    ],
    [
      'of members',
      { type: 'object', additionalProperties: { ...integer, ...rules('self < 3') } },
      { k: 5n },
      ['a[k]: Invalid value: 5: failed rule: self < 3'],
    ],
    [
      'that do not compile',
      { ...integer, ...rules('self.x') },
      1n,
      [
        `a: Invalid value: "integer": rule compile error: compilation failed: ERROR: <input>:1:5: type 'int' does not support field selection\n | self.x\n | ....^`,
      ],
    ],
    [
      'that are no condition',
      { ...integer, ...rules('self') },
      1n,
      ['a: Invalid value: "integer": rule compile error: cel expression must evaluate to a bool'],
    ],
    ['of what expressions do not see', { 'x-kubernetes-preserve-unknown-fields': true, ...rules('true') }, 1n, []],
    ['about a change, without one', { ...integer, ...rules('self == oldSelf') }, 1n, []],
    ['about a change that may be none', { ...integer, ...rules({ rule: '!oldSelf.hasValue()', optionalOldSelf: true }) }, 1n, []],
  ])('%s', (_name, property, value, errors) => {
    expect(said(property, value)).toEqual({ errors, warnings: [] });
  });

  it.each<[string, Json, readonly [old: unknown, now: unknown], string[], string[]]>([
    ['about a change', { ...integer, ...rules('self >= oldSelf') }, [3n, 2n], ['a: Invalid value: 2: failed rule: self >= oldSelf'], []],
    [
      'about a change of a list, in another order',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set', ...rules('self == oldSelf') },
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [],
      [],
    ],
    ['that did not hold before either', { ...integer, ...rules('self < 3') }, [5n, 5n], [], ['a: Invalid value: 5: failed rule: self < 3']],
    [
      'that did not hold before, for another value',
      { ...integer, ...rules('self < 3') },
      [5n, 6n],
      ['a: Invalid value: 6: failed rule: self < 3'],
      [],
    ],
    [
      'of items that are known again',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: text, v: { ...integer, ...rules('self >= oldSelf') } } },
      },
      [
        [
          { k: 'a', v: 3n },
          { k: 'b', v: 1n },
        ],
        [
          { k: 'b', v: 1n },
          { k: 'a', v: 2n },
        ],
      ],
      ['a[1].v: Invalid value: 2: failed rule: self >= oldSelf'],
      [],
    ],
    [
      'with data that has no schema',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { b: integer }, ...rules('self == oldSelf') },
      [
        { b: 1n, z: { q: 1n } },
        { b: 1n, z: { q: 2n } },
      ],
      ['a: Invalid value: failed rule: self == oldSelf'],
      [],
    ],
  ])('%s', (_name, property, [old, now], errors, warnings) => {
    expect(said(property, now, old)).toEqual({ errors, warnings });
  });

  it.each(
    optionalOldSelf.flatMap(({ schema, old, now, rules: all }) => all.map(({ rule, errors }) => ({ rule, errors, schema, old, now }))),
  )('with an optional stored value: $rule', ({ rule, errors, schema, old, now }) => {
    const [before, after] = [old, now].map(value => readUnstructured(JSON.stringify(value)));
    expect(said({ ...schema, ...rules({ rule, optionalOldSelf: true }) }, after, before)).toEqual({ errors, warnings: [] });
  });

  it('stops when the cost limit of the rules is exceeded', () => {
    const items = Array.from({ length: 2000 }, (_, i) => `item-${i}`);
    const costly = said({ type: 'array', items: text, ...rules('self.all(x, self.exists(y, x == y))', 'false') }, items);
    expect(costly.errors).toEqual([
      `a: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.exists(y, x == y))`,
    ]);
  });

  it('spends one budget on the whole object', () => {
    // 810,000 each: the thirteenth exceeds the budget.
    const long = 'x'.repeat(9000);
    const members = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m${i}`, long]));
    const { errors } = said({ type: 'object', additionalProperties: { ...text, ...rules('self.contains(self)') } }, members);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBe(
      'a[m12]: Invalid value: "string": validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });
});

describe('the path of a rule', () => {
  const schema = structural(
    mapOf({ type: 'object', properties: { 'a.b': { type: 'object', additionalProperties: { type: 'object', properties: { c: text } } } } }),
  );

  it.each([
    ["['a.b'].k.c", 'a.b[k].c'],
    ["['a.b']['x\\'y'].c", "a.b[x'y].c"],
  ])('%s', (path, field) => {
    expect(ruleFieldPath(path, schema)).toMatchObject({ field });
  });

  it.each([
    ['.x', 'does not refer to a valid field'],
    ['x', 'expected [ or . but got: x'],
    ['.', 'unexpected end of JSON path'],
    ['[0]', 'expected single quoted string but got 0'],
    ["['a.b'", 'unexpected end of JSON path'],
    ["['a.b'.", 'expected ] but got .'],
    ["['\\q']", 'invalid string literal: invalid escape char \\q'],
  ])('%s: %s', (path, error) => {
    expect(ruleFieldPath(path, schema)).toEqual({ error });
  });

  it('may not contain arbitrary brackets', () => {
    expect(ruleFieldPath("['a.b']", schema, { brackets: false })).toEqual({ error: 'array notation is not allowed' });
  });
});
