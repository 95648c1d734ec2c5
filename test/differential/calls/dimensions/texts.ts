import { writeYaml } from '../../../../src/encoding/yaml-writer.js';
import { toValue } from '../../../../src/go/value.js';
import type { Random } from '../../random.js';
import { spoiled } from '../../random-json.js';
import { mutilatedLines } from '../../random-lines.js';
import { placed, withOptions } from '../base.js';
import { changed } from '../changes.js';
import { json, type Scene } from '../scene.js';
import type { Seeds } from '../seeds.js';

const yaml = 'application/yaml';
const contentTypes = [
  ...[
    'application/json; charset=utf-8',
    'application/json;',
    'APPLICATION/JSON',
    ' application/json',
    'application/json, application/yaml',
  ],
  ...[
    'text/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    '*/*',
    'application/*',
    'application',
  ],
  ...['application/json; stream=watch', 'application/yaml; charset=latin1', 'text/yaml', 'application/x-yaml', 'application/cbor'],
  ...[
    'application/apply-patch+yaml',
    'application/json;a=b;a=c',
    'application/json; q=',
    'application/json "x"',
    'application/yaml;version=v1',
  ],
];

/** Bodies that are almost valid JSON or YAML: duplicate keys, odd numbers and escapes, other notations and content types. */
export function texts(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, around } = placed(r, seeds);
  const object = changed(r, manifest, seeds, r.below(2));
  const isYaml = r.chance(45);
  let text = isYaml ? writeYaml(toValue(object)) : JSON.stringify(object, undefined, r.pick([0, 0, 1]));
  for (let i = 1 + r.below(2); i > 0; i -= 1) text = isYaml ? oddYaml(r, text) : oddJson(r, text);
  const contentType = r.chance(8) ? r.pick(contentTypes) : isYaml || r.chance(20) ? yaml : json;
  return { setup: around, call: { method: 'POST', path: withOptions(r, collection), text, contentType } };
}

const member = /"([A-Za-z]\w*)": ?("[^"\\]*"|-?\d+|true|false)(?=[,}\n])/g;
const number = /(?<=": ?)-?\d+(?=[,}\n])/g;
const string = /(?<=": ?")[^"\\]*(?="[,}\n])/g;
const scalar = /(?<=": ?)("[^"\\]*"|-?\d+|true|false)(?=[,}\n])/g;
const key = /"[A-Za-z]\w*"(?=:)/g;

/** Replaces a random match. */
function at(r: Random, text: string, [pattern, replacement]: readonly [RegExp, (found: string) => string]): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { index, 0: found } = r.pick(matches);
  return text.slice(0, index) + replacement(found) + text.slice(index + found.length);
}

const oddNumbers = [
  ...['-0', '1e400', '1E2', '1e-1', '0x10', '1_000', '--1', '9223372036854775808', '-9223372036854775809', '2147483648', '1.0e1', '1e18'],
  ...[
    '1e19',
    '12345678901234567890.0',
    'NaN',
    'Infinity',
    '-Infinity',
    'nan',
    '.5',
    '1e',
    '1e+',
    '-',
    '01',
    '+1',
    '5.',
    '5.0',
    '5e0',
    '"5"',
  ],
];
const oddEnds = [
  ...[
    '\\u0041',
    '\\u0000',
    '\\ud800',
    '\\udc00\\ud800',
    '\\ud83d\\ude00',
    '\\x',
    '\\u12',
    '\\/',
    '\\b\\f',
    '\\u2028',
    '\u2028',
    '\\u003c<',
  ],
  ...['\u007f', '\\U0041', "\\'", '\n', '\t', '\u0001', '\u0000', '\u001f', '\r', '\ufffd', '\u{10ffff}'],
];
const oddKeys = ['zzz', 'é', '', 'a.b', '$x', 'x'.repeat(300), '\\"', '<&>', 'a\\nb'];
const wholes = [
  ...['', ' ', 'null', '[]', '"x"', '5', 'true', '{}', '{"kind": "Pod"}', '{"apiVersion": "v1"}', '{"kind": 5, "apiVersion": "v1"}'],
  ...['{"kind": "", "apiVersion": ""}', '{"apiVersion": "v1", "kind": "List", "items": []}', '{"kind": "Pod", "apiVersion": "v9"}'],
  ...[
    '{"kind": "Podd", "apiVersion": "v1"}',
    '{"kind":"Status","apiVersion":"v1"}',
    '{"apiVersion": "a/b/c", "kind": "X"}',
    '\u0000',
    'k8s\u0000',
  ],
];

function oddJson(r: Random, text: string): string {
  const again = (value: string): string => r.pick([value, 'null', '"x"', '7', '{}', '[]']);
  const nested = (n: number): string => '['.repeat(n) + ']'.repeat(n);
  return r.pick([
    () => at(r, text, [member, m => `${m}, ${m.slice(0, m.indexOf(':'))}: ${again(m.slice(m.indexOf(':') + 1))}`]),
    () => at(r, text, [member, m => `${m}, ${m.slice(0, m.indexOf(':'))}: ${again(m.slice(m.indexOf(':') + 1))}`]),
    () =>
      at(r, text, [
        key,
        k => r.pick([k.toUpperCase(), `" ${k.slice(1)}`, k.replace('s', '\u017f').replace('k', '\u212a'), k.toLowerCase()]),
      ]),
    () => at(r, text, [number, () => r.pick(oddNumbers)]),
    () => at(r, text, [string, s => s + r.pick(oddEnds)]),
    () => at(r, text, [string, s => s + r.pick(oddEnds)]),
    () =>
      at(r, text, [
        scalar,
        () => r.pick(['5', 'true', '""', '"true"', '{}', '[]', '1.5', '["x"]', '{"a": 1}', 'null', 'NULL', 'True', "'x'", '']),
      ]),
    () => at(r, text, [key, k => `"${r.pick(oddKeys)}": ${r.pick(['1', 'null', '{"a": {"b": [1, {"c": 2}]}}', '"s"'])}, ${k}`]),
    () => spoiled(r, text),
    () => r.pick(['\ufeff', ' ', '\n\n', '\t', '\u000b', '\u00a0', '\r\n']) + text + r.pick([' ', '\n', '\u0000', '\u2003', '']),
    () => text + r.pick(['x', '}', '{}', ' null', ',', ' //', '\n# x', ' 1', ']', `\n${text}`]),
    () => `${text.slice(0, -1)}, "deep": ${nested(r.pick([20, 200, 9990, 10_050]))}}`,
    () => r.pick([...wholes, `[${text}]`]),
  ])();
}

const yamlScalars = [
  ...['yes', 'No', 'on', 'OFF', 'y', '~', '', 'null', '0o17', '017', '0x1F', '1_000', '.inf', '-.Inf', '.nan', '2024-01-02', '1:30', '1e3'],
  ...[
    '1.0',
    '+5',
    '0b11',
    "''",
    '""',
    '!!str 5',
    '!!int "5"',
    '!!binary YQ==',
    '!custom x',
    '!!float 1',
    '!!bool "true"',
    '!!null ""',
    '*a',
  ],
  ...[
    '&a x',
    '"\\x41\\u00e9\\t"',
    "'it''s'",
    '|\n    block\n    text',
    '|-\n    block',
    '>\n    folded\n    text',
    '@at',
    '`tick',
    '%pct',
    'a: b',
  ],
  ...[
    'a # comment',
    '- x',
    '[a, b]',
    '{a: b}',
    '[a',
    '"open',
    '? x',
    '9223372036854775808',
    '-0',
    '1e400',
    '!!set {a}',
    'TRUE',
    '\u2028x',
    '<<',
  ],
];
const yamlKeys = [
  ...[
    '1: x',
    'true: x',
    'null: x',
    '~: x',
    '[a]: x',
    '{a: b}: x',
    '1.5: x',
    '"": x',
    'yes: x',
    '0x10: x',
    '.inf: x',
    '2024-01-02: x',
    'a b: c',
  ],
  ...['- x', '<<: {a: b}', '<<: [{zzz: 1}, {y: 2}]', '<<: 5', '<<: *none', '*x : y', '? [a, b]\n: x'],
];

function oddYaml(r: Random, text: string): string {
  const lines = text.trimEnd().split('\n');
  const spot = r.below(lines.length);
  const line = lines[spot] ?? '';
  const replaced = (...by: string[]): string => `${lines.toSpliced(spot, 1, ...by).join('\n')}\n`;
  const indent = /^ *(- )?/.exec(line)?.[0].replace('-', ' ') ?? '';
  return r.pick([
    () => replaced(line.replace(/: .+$/, () => `: ${r.pick(yamlScalars)}`)),
    () => replaced(line.replace(/: .+$/, () => `: ${r.pick(yamlScalars)}`)),
    () => replaced(line.replace(/: .+$/, () => `: ${r.pick(yamlScalars)}`)),
    () => replaced(line, r.chance(50) ? line : line.replace(/:.*$/, ': x')),
    () => replaced(`${indent}${r.pick(yamlKeys)}`, line),
    () =>
      replaced(
        r.pick([
          `\t${line}`,
          line.replace('  ', '\t'),
          `${line}\t`,
          ` ${line}`,
          line.slice(1),
          `   ${line}`,
          `${line} # ünï`,
          `${line}# c`,
        ]),
      ),
    () => replaced(line.replace(/:( |$)/, r.pick([': &a ', ': &a !!map ', ': !!seq ', ': !!str ', ': *a ']))),
    () => r.pick(['---\n', '%YAML 1.1\n---\n', '%YAML 2.0\n---\n', '%FOO\n---\n', '--- \n# c\n', '--- ', '\ufeff', '# x\n']) + text,
    () => text + r.pick(['---\n', '...\n', '...\nx', '---\nkind: Pod\n', '\u0000', ' ', '#', 'x1: &x1 [a, a]\nx2: [*x1, *x1]\n']),
    () => mutilatedLines(r, text),
    () => text.replaceAll('\n', r.pick(['\r\n', '\r', '\n\n', ' \n'])),
  ])();
}
