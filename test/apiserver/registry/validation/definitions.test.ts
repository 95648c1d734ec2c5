import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtInCodec } from '../../../../src/apiserver/objects/built-in-codec.js';
import { loadRules } from '../../../../src/apiserver/registry/custom/rule-loader.js';
import { definitionErrors } from '../../../../src/apiserver/registry/validation/definitions/definition.js';
import { printFieldError } from '../../../../src/kubernetes/field-error.js';
import type { ValueMap } from '../../../../src/kubernetes/value.js';

interface Case {
  readonly name: string;
  readonly schema: object;
  /** More of the version. */
  readonly version?: object;
  /** As an API server told them when the definition was posted; some in any order. */
  readonly errors: readonly string[];
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('definitions.json', import.meta.url), 'utf8'));

function definition(versions: readonly object[]): ValueMap {
  const codec = builtInCodec({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const { value } = codec?.decode(
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    }),
  ) ?? { value: new Map() };
  return value;
}

function version(schema: object, more: object = {}, name = 'v1'): object {
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: schema }, ...more };
}

describe('a definition', () => {
  beforeAll(loadRules);

  it.each(cases)('with $name', ({ schema, version: more = {}, errors }) => {
    const found = definitionErrors(definition([version(schema, more)]), undefined).map(printFieldError);
    expect(found.sort()).toEqual([...errors].sort());
  });

  const untyped = { type: 'object', properties: { a: {} } };
  const typed = { type: 'object', properties: { a: { type: 'string' } } };
  const words = 'Required value: must not be empty for specified object fields';

  it('tells what versions have alike once, and the rest by version', () => {
    const errorsOf = (...schemas: readonly object[]) =>
      definitionErrors(definition(schemas.map((schema, i) => version(schema, {}, `v${i + 1}`))), undefined).map(printFieldError);
    expect(errorsOf(untyped, untyped)).toEqual([`spec.validation.openAPIV3Schema.properties[a].type: ${words}`]);
    expect(errorsOf(typed, untyped)).toEqual([`spec.versions[1].schema.openAPIV3Schema.properties[a].type: ${words}`]);
  });

  it('is not refused for a schema that it has already', () => {
    const old = definition([version(untyped)]);
    expect(definitionErrors(definition([version(untyped)]), old)).toEqual([]);
    expect(definitionErrors(definition([version({ type: 'object', properties: { b: {} } })]), old)).toHaveLength(1);
  });

  it('may be large and deep', () => {
    let schema: object = { type: 'string', pattern: '(a+)+$' };
    for (let i = 0; i < 500; i += 1) schema = { type: 'object', properties: { p: schema } };
    expect(definitionErrors(definition([version(schema)]), undefined)).toEqual([]);
  });
});
