import { describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/lint/run-lint.js';
import { runCommand } from '../support/run-command.js';

/** The findings of the rules on schemas for a definition with this schema of spec. */
async function found(spec: object): Promise<string[]> {
  return foundIn([{ name: 'v1', served: true, storage: true, schema: schemaWith(spec) }]);
}

function schemaWith(spec: object): object {
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...spec } } } };
}

async function foundIn(versions: readonly object[]): Promise<string[]> {
  const object = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'tasks.example.com' } },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'tasks', singular: 'task', kind: 'Task', listKind: 'TaskList' } },
      versions,
    },
  };
  const { stdout } = await runCommand(Lint, ['-f', '-', '-o', 'json'], { stdin: JSON.stringify(object) });
  const { findings }: { findings: { rule: string; message: string }[] } = JSON.parse(stdout);
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}

const text = (rule?: string, parts: object = {}) => ({
  ...{ type: 'string', maxLength: 20 },
  ...(rule === undefined ? {} : { 'x-kubernetes-validations': [{ rule, ...parts }] }),
});
const around = (...rules: string[]) => ({ 'x-kubernetes-validations': rules.map(rule => ({ rule })) });
const host = 'transition-rule-on-optional-field: the rule is not evaluated when the optional field spec.host is added or removed';

describe('a transition rule', () => {
  it.each([
    ['on an optional field', { properties: { host: text('self == oldSelf') } }, [host]],
    ['that compares sizes', { properties: { host: text('size(self) >= size(oldSelf)') } }, [host]],
    ['on a required field', { required: ['host'], properties: { host: text('self == oldSelf') } }, []],
    ['with a default', { properties: { host: { ...text('self == oldSelf'), default: 'a' } } }, []],
    ['with optionalOldSelf', { properties: { host: text('oldSelf.orValue(self) == self', { optionalOldSelf: true }) } }, []],
    ['without oldSelf', { properties: { host: text("self != 'oldSelf'") } }, []],
    ['beside one on spec', { ...around('has(self.host) == has(oldSelf.host)'), properties: { host: text('self == oldSelf') } }, []],
    [
      'beside one with a default',
      { ...around("self.?host.orValue('') == oldSelf.?host.orValue('')"), properties: { host: text('self == oldSelf') } },
      [],
    ],
    ['beside one for all of spec', { ...around('self == oldSelf'), properties: { host: text('self == oldSelf') } }, []],
    [
      'beside one for another field',
      { ...around('self.port == oldSelf.port'), properties: { port: text(), host: text('self == oldSelf') } },
      [host],
    ],
    ['beside one without oldSelf', { ...around('has(self.host)'), properties: { host: text('self == oldSelf') } }, [host]],
    ['on spec itself', { ...around('self.host == oldSelf.host'), properties: { host: text() } }, []],
    [
      'on an optional object',
      { properties: { host: { type: 'object', ...around('self.name == oldSelf.name'), properties: { name: text() } } } },
      [host],
    ],
    [
      'on a value of a map',
      { properties: { all: { type: 'object', maxProperties: 5, additionalProperties: text('self == oldSelf') } } },
      [],
    ],
  ])('%s', async (_, spec, findings) => {
    expect((await found(spec)).filter(line => line.startsWith('transition'))).toEqual(findings);
  });
});

describe('a rule', () => {
  const number = { type: 'integer' };
  const limits = { type: 'object', properties: { memory: { ...number, default: 1 } } };
  const missing = (field: string, error: string) =>
    `rule-can-fail: the rule fails for an object without the optional field ${field}: no such key: ${error}`;
  const unset = [
    'default-without-parent: the default of spec.limits.memory is not applied when the optional spec.limits is missing, and the rule fails: no such key: limits',
  ];
  it.each([
    ['that reads an optional field', { ...around('self.min <= 5'), properties: { min: number } }, [missing('spec.min', 'min')]],
    ['that checks the field first', { ...around('!has(self.min) || self.min <= 5'), properties: { min: number } }, []],
    ['with optional selection', { ...around('self.?min.orValue(0) <= 5'), properties: { min: number } }, []],
    ['that reads a required field', { ...around('self.min <= 5'), required: ['min'], properties: { min: number } }, []],
    ['that reads a field with a default', { ...around('self.min <= 5'), properties: { min: { ...number, default: 1 } } }, []],
    ['that refuses an empty value, too', { ...around('size(self.name) > 0'), properties: { name: text() } }, []],
    ['beside one that refuses objects without the field', { ...around('has(self.min)', 'self.min <= 5'), properties: { min: number } }, []],
    [
      'of an object inside, with a pattern',
      {
        required: ['host'],
        properties: {
          host: { ...text(), pattern: '^[a-z]+\\.[a-z]+$' },
          port: { type: 'object', ...around('self.number <= 5'), properties: { number } },
        },
      },
      [missing('spec.port.number', 'number')],
    ],
    [
      'beside a text that must be too long to be made',
      {
        ...around('self.min <= 5'),
        required: ['name'],
        properties: { min: number, name: { type: 'string', minLength: 4_000_000_000 } },
      },
      [],
    ],
    [
      'of items',
      {
        properties: {
          ports: {
            type: 'array',
            maxItems: 5,
            ...around('self.all(port, port.number <= 5)'),
            items: { type: 'object', properties: { number } },
          },
        },
      },
      [missing('spec.ports[*].number', 'number')],
    ],
    [
      'that compares with the old value',
      { ...around('self.min == oldSelf.min'), properties: { min: number } },
      ['rule-can-fail: the rule fails for every update of an object without the optional field spec.min: no such key: min'],
    ],
    ['that relies on a default in an optional object', { ...around('self.limits.memory <= 5'), properties: { limits } }, unset],
    [
      'that relies on a default in an object with one',
      { ...around('self.limits.memory <= 5'), properties: { limits: { ...limits, default: {} } } },
      [],
    ],
    [
      'of a field with a default in an optional object',
      { properties: { limits: { type: 'object', properties: { memory: { ...number, default: 1, ...around('self > 0') } } } } },
      [],
    ],
  ])('%s', async (_, spec, findings) => {
    expect((await found(spec)).filter(line => /^(rule-can-fail|default-without)/.test(line))).toEqual(findings);
  });
});

describe('a list', () => {
  const items = { type: 'object', properties: { name: { ...text(), description: 'Unique among ports.' }, port: { type: 'integer' } } };
  const rules = { 'x-kubernetes-validations': [{ rule: "self.name != ''" }] };
  const ports = (parts: object, required = ['name']) => ({
    properties: { ports: { type: 'array', items: { ...items, ...rules, required }, ...parts } },
  });
  const inside = { name: items.properties.name, port: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } };
  it.each([
    ['of named objects with rules', ports({}), 1],
    ['of named objects with rules inside', ports({ items: { ...items, required: ['name'], properties: inside } }), 1],
    ['of named objects that may repeat', ports({ items: { ...items, ...rules, required: ['name'], properties: { name: text() } } }), 0],
    [
      'whose rule says that names are unique',
      ports({
        ...around('self.all(a, self.exists_one(b, a.name == b.name))'),
        ...{ maxItems: 5, items: { ...items, ...rules, required: ['name'], properties: { name: text() } } },
      }),
      1,
    ],
    ['of named objects without rules', ports({ items: { ...items, required: ['name'] } }), 0],
    [
      'of objects with a type, which may repeat',
      ports({ items: { type: 'object', ...rules, required: ['type'], properties: { type: text() } } }),
      0,
    ],
    ['with keys', ports({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }), 0],
    ['that is atomic on purpose', ports({ 'x-kubernetes-list-type': 'atomic' }), 0],
    ['of objects that nothing identifies', ports({}, ['port']), 0],
    [
      'of references to objects',
      {
        properties: {
          refs: { type: 'array', items: { ...rules, type: 'object', required: ['name'], properties: { name: text(), namespace: text() } } },
          keys: {
            type: 'array',
            items: { ...rules, type: 'object', required: ['name', 'key'], properties: { name: text(), key: text() } },
          },
        },
      },
      0,
    ],
    ['of requirements, which may repeat a key', ports({}, ['name', 'operator']), 0],
    ['of headers, which may repeat a name', { properties: { httpHeaders: ports({}).properties.ports } }, 0],
    [
      'inside of a container',
      {
        properties: {
          main: { type: 'object', properties: { image: text(), terminationMessagePath: text(), env: ports({}).properties.ports } },
        },
      },
      0,
    ],
    ['of texts', { properties: { ports: { type: 'array', items: text() } } }, 0],
  ])('%s', async (_, spec, count) => {
    expect((await found(spec)).filter(line => line.startsWith('list-without-keys'))).toHaveLength(count);
  });
});

describe('versions with different fields and no conversion', () => {
  const version = (name: string, fields: object, parts: object = {}) => ({
    ...{ name, served: true, storage: false, schema: schemaWith({ properties: fields }) },
    ...parts,
  });
  const stored = version('v2', { host: text(), port: text() }, { storage: true });
  it.each([
    ['lose a field that a served one lacks', [stored, version('v1', { host: text() })], 1],
    ['lose a field of one that is not served any more', [stored, version('v1', { old: text() }, { served: false })], 1],
    ['lose fields of several versions, reported once', [stored, version('v1', { host: text() }), version('v1beta1', { host: text() })], 1],
    [
      'lose nothing in a status that a controller writes',
      [
        { ...stored, subresources: { status: {} } },
        {
          ...{ ...stored, name: 'v1', storage: false, subresources: { status: {} } },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { host: text(), port: text() } },
                status: { type: 'object', properties: { phase: text() } },
              },
            },
          },
        },
      ],
      0,
    ],
    ['lose nothing in one that nobody writes', [stored, version('v1', { host: text() }, { served: false })], 0],
  ])('%s', async (_, versions, count) => {
    expect((await foundIn(versions)).filter(line => line.startsWith('conversion-loses-fields'))).toHaveLength(count);
  });
});
