import { describe, expect, it } from 'vitest';
import { customCodec } from '../../../src/apiserver/objects/custom-codec.js';
import { mapOf } from '../../support/map-of.js';
import { server } from '../../support/server.js';

const text = { type: 'string' };
const kind = { group: 'example.com', version: 'v1', kind: 'Thing' };

function codecOf(spec: Record<string, unknown>, ...others: Record<string, unknown>[]) {
  const version = (name: string, properties: Record<string, unknown>) => ({
    name,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  });
  const versions = [version('v1', spec), ...others.map((properties, i) => version(`v${i + 2}`, properties))];
  return customCodec(server, kind, mapOf({ spec: { group: kind.group, names: { kind: kind.kind }, versions } }));
}

/** Returns the pruned spec, and the errors of strict validation. */
function decoded(properties: Record<string, unknown>, spec: unknown, more: Record<string, unknown> = {}) {
  const codec = codecOf(properties);
  const { value, strictErrors } = codec.decode(JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Thing', spec, ...more }));
  return { spec: value.has('spec') ? JSON.parse(codec.encode(value)).spec : undefined, strictErrors };
}

const preserving = { 'x-kubernetes-preserve-unknown-fields': true };

describe('pruning of a custom resource', () => {
  it.each<[string, Record<string, unknown>, unknown, unknown, string[]]>([
    ['an unknown member goes', { a: text }, { a: 'x', b: 1 }, { a: 'x' }, ['spec.b']],
    ['an object without properties is empty', { o: { type: 'object' } }, { o: { a: 1 } }, { o: {} }, ['spec.o.a']],
    [
      'a truth value for other members keeps plain ones',
      { o: { type: 'object', additionalProperties: true } },
      { o: { a: 1, b: { c: 1 }, d: [{ e: 1 }] } },
      { o: { a: 1, b: {}, d: [{}] } },
      ['spec.o.b.c', 'spec.o.d[0].e'],
    ],
    ['what is preserved stays', { o: { ...preserving } }, { o: [{ a: { b: 1 } }] }, { o: [{ a: { b: 1 } }] }, []],
    [
      'items of what is preserved keep unknown members, and known ones are pruned',
      { l: { type: 'array', ...preserving, items: { type: 'object', properties: { k: { type: 'object' } } } } },
      { l: [{ z: 1, k: { q: 1 } }] },
      { l: [{ z: 1, k: {} }] },
      ['spec.l[0].k.q'],
    ],
    [
      'an embedded resource has its own metadata',
      { e: { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserving } },
      { e: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', bogus: 1 }, other: 1 } },
      { e: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' }, other: 1 } },
      ['spec.e.metadata.bogus'],
    ],
    ['a null that may not be goes', { a: text, b: { ...text, nullable: true } }, { a: null, b: null }, { b: null }, []],
  ])('%s', (_name, properties, spec, kept, unknown) => {
    expect(decoded(properties, spec)).toEqual({ spec: kept, strictErrors: unknown.map(path => `unknown field "${path}"`) });
  });

  it('reports metadata first, then pruned fields, then embedded metadata', () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: {} };
    const { strictErrors } = decoded({ e: embedded }, { z: 1, e: { metadata: { y: 1 } } }, { metadata: { x: 1 } });
    expect(strictErrors).toEqual(['metadata.x', 'spec.z', 'spec.e.metadata.y'].map(path => `unknown field "${path}"`));
  });

  it('shows unknown fields of metadata as they are, unlike those of built-in kinds', () => {
    expect(decoded({}, {}, { metadata: { 'a"\\b': 1 } }).strictErrors).toEqual(['unknown field "metadata.a"\\b"']);
  });

  it.each([
    [{ e: { kind: 5 } }, 'spec.e.kind: Invalid value: 5: must be a string'],
    [
      { e: { metadata: { labels: { a: 1 } } } },
      'spec.e.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
  ])('refuses an embedded resource %j', (spec, message) => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserving };
    expect(() => decoded({ e: embedded }, spec)).toThrow(message);
  });

  it('does not check other kinds', () => {
    expect(decoded({ a: text }, { z: 1 }, { kind: 'Other' })).toEqual({ spec: { z: 1 }, strictErrors: [] });
  });

  it("prunes and defaults by the object's own version", () => {
    const codec = codecOf({ a: { ...text, default: 'first' } }, { b: { ...text, default: 'second' } });
    const { value } = codec.decode('{"apiVersion":"example.com/v2","kind":"Thing","spec":{"a":"x"}}');
    codec.applyDefaults(value);
    expect(value.get('spec')).toEqual(new Map([['b', 'second']]));
  });

  it('drops invalid metadata of stored objects, and rejects it in converted objects', () => {
    const codec = codecOf({});
    const object = () => mapOf({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'n', labels: { a: 1 } } });
    const stored = object();
    codec.coerce(stored, 'storage');
    expect(stored.get('metadata')).toEqual(new Map([['name', 'n']]));
    expect(() => codec.coerce(object(), 'converter')).toThrow('cannot unmarshal number into Go struct field ObjectMeta.labels');
  });
});
