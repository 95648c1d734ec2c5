import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { suiteSchema } from '../../src/suites/reading/suite-schema.js';

/** Paths of all properties of a schema, and their own schemas. */
function propertiesOf(schema: unknown, at = ''): [string, Record<string, unknown>][] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== 'properties' || at.endsWith('/then') || at.endsWith('/else')) return propertiesOf(value, `${at}/${key}`);
    return Object.entries(value as Record<string, Record<string, unknown>>).flatMap(([name, own]): [string, Record<string, unknown>][] => [
      [`${at}/${name}`, own],
      ...propertiesOf(own, `${at}/${name}`),
    ]);
  });
}

describe('the schema of suites', () => {
  const schema = suiteSchema();

  it('describes every property', () => {
    const properties = propertiesOf(schema);
    expect(properties.length).toBeGreaterThan(200);
    expect(properties.filter(([, { description }]) => typeof description !== 'string' || description === '')).toEqual([]);
  });

  it('has no alternatives of which an editor could only say that none fits', () => {
    const text = JSON.stringify(schema);
    expect(text.match(/"oneOf"/g)).toBeNull();
    expect(text.match(/"anyOf"/g)).toHaveLength(1);
  });

  it('has every field of steps, and no other', () => {
    const { $defs } = schema as { readonly $defs: Record<string, { readonly properties: Record<string, unknown> }> };
    const names = Object.keys($defs['step']?.properties ?? {});
    expect(names).toEqual(expect.arrayContaining(['name', 'expect', 'filename', 'operation', 'patch', 'as', 'words']));
    expect(
      names.filter(name => ['state', 'seed', 'now', 'webhook', 'created-pods', 'steps', 'scenarios', 'matrix'].includes(name)),
    ).toEqual([]);
  });

  it('is the published one', () => {
    expect(JSON.parse(readFileSync('schemas/suite.schema.json', 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
