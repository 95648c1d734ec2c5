import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { definitionErrors } from '../../../src/apis/apiextensions/custom-resource-definition/validation/definition.js';
import { ensureMap, toValue } from '../../../src/go/value.js';
import { printFieldError } from '../../../src/kubernetes/field-error.js';
import { server } from '../../support/server.js';
import { definition, version } from './definition-of.js';

interface Case {
  readonly name: string;
  readonly schema: object;
  /** Other members of the version. */
  readonly version?: object;
  /** The API server's errors for a posted definition; some in random order. */
  readonly errors: readonly string[];
}

interface Update {
  readonly name: string;
  /** Schemas by version; null: the version has none. */
  readonly old: Readonly<Record<string, object | null>>;
  readonly new: Readonly<Record<string, object | null>>;
  /** Unknown fields are kept. */
  readonly preserves?: boolean;
  /** The API server's errors for replacing the stored definition, sorted. */
  readonly errors: readonly string[];
}

const updates: readonly Update[] = JSON.parse(readFileSync(new URL('definition-updates.json', import.meta.url), 'utf8'));
const cases: readonly Case[] = JSON.parse(readFileSync(new URL('definitions.json', import.meta.url), 'utf8'));

describe('a definition', () => {
  it.each(cases)('with $name', ({ schema, version: more = {}, errors }) => {
    const found = definitionErrors(server, definition([version(schema, more)]), undefined).map(printFieldError);
    expect(found.sort()).toEqual([...errors].sort());
  });

  const untyped = { type: 'object', properties: { a: {} } };
  const typed = { type: 'object', properties: { a: { type: 'string' } } };
  const message = 'Required value: must not be empty for specified object fields';

  it('reports errors common to all versions once, and others by version', () => {
    const errorsOf = (...schemas: readonly object[]) =>
      definitionErrors(server, definition(schemas.map((schema, i) => version(schema, {}, `v${i + 1}`))), undefined).map(printFieldError);
    expect(errorsOf(untyped, untyped)).toEqual([`spec.validation.openAPIV3Schema.properties[a].type: ${message}`]);
    expect(errorsOf(typed, untyped)).toEqual([`spec.versions[1].schema.openAPIV3Schema.properties[a].type: ${message}`]);
  });

  it.each(updates)('when $name', ({ old, new: changed, preserves = false, errors }) => {
    const of = (schemas: Update['old']) =>
      definition(
        Object.entries(schemas).map(([name, schema]) => version(schema, {}, name)),
        { preserveUnknownFields: preserves },
      );
    expect(definitionErrors(server, of(changed), of(old)).map(printFieldError).sort()).toEqual(errors);
  });

  it('prints a scope and a conversion strategy as JSON', () => {
    const of = (more: object) => definition([version({ type: 'object' })], more);
    const old = of({});
    ensureMap(old, 'status').set('conditions', toValue([{ type: 'Established', status: 'True' }]));
    const changed = of({ scope: '<>', preserveUnknownFields: true, conversion: { strategy: '<>' } });
    expect(definitionErrors(server, changed, old).map(printFieldError)).toEqual(
      expect.arrayContaining([
        'spec.scope: Invalid value: "\\u003c\\u003e": field is immutable',
        'spec.conversion.strategy: Invalid value: "\\u003c\\u003e": must be None if spec.preserveUnknownFields is true',
      ]),
    );
  });

  it('may name integers and strings, and add that nothing may be added to them', () => {
    const named = (more: object): object => ({
      type: 'object',
      properties: { a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string', ...more }] } },
    });
    expect(definitionErrors(server, definition([version(named({ additionalProperties: false }))]), undefined)).toEqual([]);
    expect(definitionErrors(server, definition([version(named({ additionalProperties: true }))]), undefined)).not.toEqual([]);
  });

  it('may be large and deep', () => {
    let schema: object = { type: 'string', pattern: '(a+)+$' };
    for (let i = 0; i < 500; i += 1) schema = { type: 'object', properties: { p: schema } };
    expect(definitionErrors(server, definition([version(schema)]), undefined)).toEqual([]);
  });
});
