import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { definitionErrors } from '../../../src/apis/apiextensions/custom-resource-definition/validation/definition.js';
import { printFieldError } from '../../../src/kubernetes/field-error.js';
import { AbortedConnection } from '../../../src/kubernetes/status.js';
import { server } from '../../support/server.js';
import { definition, version } from './definition-of.js';

/** Errors of a real API server for posted definitions with rules. */
interface Recorded {
  readonly schemas: Readonly<Record<string, object>>;
  /** Rules for the values of a map with that many entries, and the factor by which they exceed the budget; null if they do not. */
  readonly rules: readonly { readonly schema: string; readonly rule: string; readonly times: number; readonly factor: string | null }[];
  readonly definitions: readonly Definition[];
}

interface Definition {
  readonly name: string;
  /** By version, v1 first. */
  readonly schemas: readonly object[];
  /** Other members of the versions. */
  readonly version?: object;
  /** Sorted. */
  readonly errors: readonly string[];
}

const { schemas, rules, definitions }: Recorded = JSON.parse(readFileSync(new URL('rule-costs.json', import.meta.url), 'utf8'));

function errorsOf(versions: readonly object[]): readonly string[] {
  return definitionErrors(server, definition(versions), undefined).map(printFieldError).sort();
}

const exceeded = /: estimated rule cost exceeds budget by factor of (\S+?x|more than 100x) \(/;

describe('cost limits of rules', () => {
  it.each(rules)('$rule', ({ schema, rule, times, factor }) => {
    const values = { ...schemas[schema], 'x-kubernetes-validations': [{ rule }] };
    const map = { type: 'object', additionalProperties: values, maxProperties: times };
    const errors = errorsOf([version({ type: 'object', properties: { v: map } })]);
    expect(errors.flatMap(error => exceeded.exec(error)?.[1] ?? [])).toEqual(factor === null ? [] : [factor]);
  });

  it.each(definitions)('with $name', ({ schemas, version: more, errors }) => {
    expect(errorsOf(schemas.map((schema, i) => version(schema, more, `v${i + 1}`)))).toEqual(errors);
  });

  it('closes the connection if compiling panics', () => {
    const rule = '[?dyn(optional.of(1))] == [1]';
    const value = { type: 'string', 'x-kubernetes-validations': [{ rule }] };
    for (const v of [value, { ...value, default: 'x' }])
      expect(() => errorsOf([version({ type: 'object', properties: { v } })])).toThrow(AbortedConnection);
  });
});
