import type { Random } from './random.js';

/** A JSON text and JSON pointers to its parts. */
export interface Json {
  readonly text: string;
  readonly paths: readonly string[];
}

/** A JSON value, often a scalar. */
export function value(r: Random, depth: number, path: string): Json {
  if (depth > 0 && r.chance(25)) return object(r, depth - 1, path);
  if (depth > 0 && r.chance(30)) return array(r, depth - 1, path);
  return { text: r.pick(scalars), paths: path === '' ? [] : [path] };
}

/** A JSON object with unusual keys, spellings and white space. */
export function object(r: Random, depth: number, path: string): Json {
  const members: string[] = [];
  const paths = path === '' ? [] : [path];
  for (let n = r.below(4); n > 0; n -= 1) {
    const key = r.pick(keys);
    const inside = value(r, depth, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    members.push(`${blank(r)}${r.chance(90) ? JSON.stringify(key) : escaped(key)}${blank(r)}:${blank(r)}${inside.text}${blank(r)}`);
    paths.push(...inside.paths);
  }
  return { text: `{${members.join(',')}}`, paths };
}

/** A JSON array. */
export function array(r: Random, depth: number, path: string): Json {
  const items: string[] = [];
  const paths = path === '' ? [] : [path];
  for (let n = r.below(4); n > 0; n -= 1) {
    const inside = value(r, depth, `${path}/${items.length}`);
    items.push(`${blank(r)}${inside.text}${blank(r)}`);
    paths.push(...inside.paths);
  }
  return { text: `[${items.join(',')}]`, paths: [...paths, `${path}/-`, `${path}/${items.length}`] };
}

function blank(r: Random): string {
  return r.chance(3) ? r.pick([' ', '\n', '\t', '\r\n', '  ']) : '';
}

function escaped(key: string): string {
  return `"${[...key].map(c => (c.length > 1 ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)).join('')}"`;
}

/** The text with a small corruption. */
export function spoiled(r: Random, text: string): string {
  const characters = [...text];
  const at = r.below(characters.length + 1);
  if (r.chance(50)) characters.splice(at, 1);
  else characters.splice(at, 0, r.pick([',', '}', ']', '"', ' ', 'x', '{', '0', '\n']));
  return characters.join('');
}

const keys = ['a', 'b', 'spec', '', 'm~n', 'm/n', '0', '-', 'é', '<k>', 'A', '"q', '\u2028', '\ufffd', '\u{1f600}', '-1'];
const scalars = [
  '1',
  '1.0',
  '10',
  '1e1',
  '-0',
  '0',
  'true',
  'false',
  'null',
  'null',
  '"x"',
  '"\\u0078"',
  '"<b>&"',
  '"\\u003cb\\u003e\\u0026"',
  '""',
  '"é"',
  '"\\u00e9"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\/"',
  '"/"',
  '"\u2028"',
  '"\\u2028"',
  '12345678901234567890',
  '1E400',
  '"a b"',
  '"\\n"',
  '"\u007f"',
];
