import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compactYaml } from '../../src/fuzz/run/compact-yaml.js';
import { toValue } from '../../src/go/value.js';

const container = { name: 'a', image: 'nginx:1' };

describe('manifests of findings', () => {
  it('have small collections on one line', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [container] } };
    expect(compactYaml(toValue(pod))).toBe(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{image: nginx:1, name: a}]}\n',
    );
  });

  it('have long lists in rows', () => {
    const env = Array.from({ length: 60 }, (_, i) => ({ name: `N${i}`, value: String(i) }));
    const text = compactYaml(toValue({ spec: { containers: [{ ...container, env }] } }));
    expect(text.split('\n').length).toBeLessThan(25);
    expect(parse(text)).toEqual({ spec: { containers: [{ ...container, env }] } });
  });

  it('have large maps, and lists of any length, in few rows', () => {
    const labels = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`t${i}`, `v${i}`]));
    const env = Array.from({ length: 3000 }, (_, i) => ({ name: `N${i}` }));
    const text = compactYaml(toValue({ metadata: { labels }, spec: { containers: [{ ...container, env }] } }));
    expect(text.split('\n').length).toBeLessThan(26);
    expect(parse(text)).toEqual({ metadata: { labels }, spec: { containers: [{ ...container, env }] } });
  });

  it.each([
    [{ a: '{', b: 'x, y', c: 'a: b', d: '#', e: 'true', f: '', g: '~', h: 'ü "q"', i: null, j: [], k: {} }],
    [{ list: ['line\nbreak', '- a', 'a:', { text: 'one\ntwo\n', more: ['x'.repeat(80), '[', "it's"] }, [[1, 0.5, true]]] }],
    [{ metadata: { annotations: { 'a/b': 'line\nbreak', ' key': '\ttab', 'a: b': ' ' } } }],
  ])('are read as the same value: %j', value => {
    expect(parse(compactYaml(toValue(value)))).toEqual(value);
  });
});
