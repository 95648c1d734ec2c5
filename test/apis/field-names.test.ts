import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoizeStrings } from '../../src/kubernetes/memoize.js';
import { root } from '../support/run-command.js';

/** Type of a field in the tables: a Go type, a list or map of one, or JSON of any form. */
type FieldType = string | Readonly<Record<string, string>>;

interface Field {
  readonly json?: string;
  readonly type: FieldType;
  readonly inline?: boolean;
}

/** Names of the types of each field, by type. The types of all minors: rules may be about a field of one of them. */
const types = new Map<string, Map<string, Set<string>>>();

/** JSON of any form: every name is a field of it. */
const anything = new Set(['rawextension', 'json', 'fieldsv1']);

for (const minor of readdirSync(path.join(root, 'src/kubernetes/tables'))) {
  const folder = path.join(root, 'src/kubernetes/tables', minor, 'types');
  for (const file of readdirSync(folder)) {
    const read: { readonly types: Readonly<Record<string, { readonly fields?: readonly Field[] } | null>> } = JSON.parse(
      readFileSync(path.join(folder, file), 'utf8'),
    );
    for (const [name, type] of Object.entries(read.types)) {
      const fields = types.get(name) ?? new Map<string, Set<string>>();
      types.set(name, fields);
      for (const field of type?.fields ?? []) {
        const key = field.json ?? `inline ${String(field.type)}`;
        fields.set(key, (fields.get(key) ?? new Set()).add(elementOf(field.type)));
      }
    }
  }
}

/** Returns the type of the elements; of a map, the keys are free. */
function elementOf(type: FieldType): string {
  if (typeof type === 'string') return type;
  const [[form = '', element = ''] = []] = Object.entries(type);
  return form === 'map' ? `map ${element}` : element;
}

/** Returns the types of a field, of inline types as well; undefined if the type does not have it. */
function fieldOf(type: string, name: string): ReadonlySet<string> | undefined {
  if (anything.has(type)) return new Set([type]);
  if (type.startsWith('map ')) return new Set([type.slice('map '.length)]);
  const fields = types.get(type);
  const own = fields?.get(name);
  if (own !== undefined) return own;
  for (const [key, inner] of fields ?? []) {
    if (!key.startsWith('inline ')) continue;
    for (const inlined of inner) {
      const found = fieldOf(inlined, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Reports whether some type has a field of the first name, whose type has one of the second, and so on. */
function isPath(names: readonly string[]): boolean {
  return typesAt(names.join('.')).length > 0;
}

const typesAt = memoizeStrings(100_000, (joined: string): readonly string[] => {
  const names = joined.split('.');
  const from = names.length === 1 ? [...types.keys()] : typesAt(names.slice(0, -1).join('.'));
  return [...new Set(from.flatMap(type => [...(fieldOf(type, names.at(-1) ?? '') ?? [])]))];
});

/** Functions that read fields of their first argument. */
const readers = ['valueAt', 'mapAt', 'listAt', 'stringAt', 'numberAt'];

/** Methods of FieldPath that read fields. */
const methods = ['child', 'key', 'items', 'entries', 'has', 'text', 'number', 'flag'];

interface Access {
  readonly line: number;
  readonly names: readonly string[];
}

/** Returns the names of the fields that a source reads; a name that is computed ends a path. */
function accessesIn(source: string): Access[] {
  const found: Access[] = [];
  const calls = new RegExp(`(?<![\\w.])(?:${readers.join('|')})\\(|\\.(?:${methods.join('|')})\\(`, 'g');
  for (const call of source.matchAll(calls)) {
    const line = source.slice(0, call.index).split('\n').length;
    let names: string[] = [];
    const given = argumentsFrom(source, call.index + call[0].length);
    for (const argument of call[0].startsWith('.') ? given : given.slice(1)) {
      const literal = /^'([\w$-]+)'$/.exec(argument)?.[1];
      if (literal !== undefined) names.push(literal);
      else if (names.length > 0) {
        found.push({ line, names });
        names = [];
      }
    }
    if (names.length > 0) found.push({ line, names });
  }
  for (const member of source.matchAll(/\.(?:get|set|delete)\('([\w$-]+)'/g)) {
    found.push({ line: source.slice(0, member.index).split('\n').length, names: [member[1] ?? ''] });
  }
  return found;
}

/** Returns the texts of the arguments of a call, whose parenthesis ends before the offset. */
function argumentsFrom(source: string, start: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start;
  for (let i = start; i < source.length; i += 1) {
    const character = source[i] ?? '';
    if ('([{'.includes(character)) depth += 1;
    if (depth === 0 && (character === ',' || character === ')')) {
      found.push(source.slice(from, i).trim());
      from = i + 1;
      if (character === ')') return found;
    }
    if (')]}'.includes(character)) depth -= 1;
  }
  return found;
}

const files = ['src/apis', 'src/plugins'].flatMap(folder =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => path.posix.join(folder, file.replaceAll(path.sep, '/'))),
);

/** Names that are not fields of Kubernetes types, and why. */
const others: Readonly<Record<string, string>> = {
  Policies: 'a Go field in the JSON of an annotation of autoscaling/v1',
  Deny: 'a validation action',
  Warn: 'a validation action',
  'ssh-privatekey': 'a key of the data of a Secret',
  password: 'a key of the data of a Secret',
  AlwaysAllow: 'a mode of authorization',
  RBAC: 'a mode of authorization',
  PodNodeSelector: 'a plugin with a configuration',
  PodSecurity: 'a plugin with a configuration',
  PodTolerationRestriction: 'a plugin with a configuration',
  ResourceQuota: 'a plugin with a configuration',
  defaults: 'a field of a PodSecurityConfiguration',
  exemptions: 'a field of a PodSecurityConfiguration',
  limitedResources: 'a field of a ResourceQuotaConfiguration',
  matchContains: 'a field of a ResourceQuotaConfiguration',
  podNodeSelectorPluginConfig: 'a field of the configuration of PodNodeSelector',
};

describe('the rules of kinds and plugins', () => {
  const accesses = files.flatMap(file => accessesIn(readFileSync(path.join(root, file), 'utf8')).map(access => ({ file, ...access })));

  it('read only fields that a type of some minor has', () => {
    const unknown = accesses.filter(({ names }) => !isPath(names) && others[names.join('.')] === undefined);
    expect(unknown.map(({ file, line, names }) => `${file}:${line}: ${names.join('.')}`)).toEqual([]);
  });

  it('are found by this test, and a misspelled field is', () => {
    expect(accesses.length).toBeGreaterThan(2500);
    expect(Object.keys(others).filter(name => isPath([name]) || !accesses.some(({ names }) => names.join('.') === name))).toEqual([]);
    expect(
      [
        ['spec', 'containers', 'image'],
        ['metadata', 'labels', 'any'],
        ['spec', 'conatiners'],
        ['spec', 'image', 'name'],
      ].map(isPath),
    ).toEqual([true, true, false, false]);
    expect(accessesIn("stringAt(\n  copy(mapAt(pod, 'spec'), 1), 'a', name, 'b', 'c').child(x('y'), 'd')")).toEqual([
      { line: 1, names: ['a'] },
      { line: 1, names: ['b', 'c'] },
      { line: 2, names: ['spec'] },
      { line: 2, names: ['d'] },
    ]);
  });
});
