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

describe('a default', () => {
  const limit = { type: 'integer', default: 1, ...around('self > 0') };
  it.each([
    ['in an optional object', { properties: { limits: { type: 'object', properties: { memory: limit } } } }, 1],
    ['in an object with a default', { properties: { limits: { type: 'object', default: {}, properties: { memory: limit } } } }, 0],
    ['in a required object', { required: ['limits'], properties: { limits: { type: 'object', properties: { memory: limit } } } }, 0],
    ['without rules', { properties: { limits: { type: 'object', properties: { memory: { type: 'integer', default: 1 } } } } }, 0],
    [
      'in an object whose absence a rule around it asks for',
      {
        ...around('!has(self.limits) || self.limits.memory > 1'),
        properties: { limits: { type: 'object', properties: { memory: limit } } },
      },
      0,
    ],
    [
      'in an object that cannot be empty',
      { properties: { limits: { type: 'object', required: ['cpu'], properties: { cpu: text(), memory: limit } } } },
      0,
    ],
  ])('%s', async (_, spec, count) => {
    expect((await found(spec)).filter(line => line.startsWith('default-without-parent'))).toHaveLength(count);
  });
});

describe('a list', () => {
  const items = { type: 'object', properties: { name: text(), port: { type: 'integer' } } };
  const rules = { 'x-kubernetes-validations': [{ rule: "self.name != ''" }] };
  const ports = (parts: object, required = ['name']) => ({
    properties: { ports: { type: 'array', items: { ...items, ...rules, required }, ...parts } },
  });
  const inside = { name: text(), port: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } };
  it.each([
    ['of named objects with rules', ports({}), 1],
    ['of named objects with rules inside', ports({ items: { ...items, required: ['name'], properties: inside } }), 1],
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
