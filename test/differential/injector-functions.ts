import { wellFormed } from '../../src/go/utf8.js';
import { injectorFunctions } from '../../src/webhook-server/injector/istio-functions.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { templateAnswer } from './template-answer.js';

/**
 * Random calls of the functions of an injector's templates. ASK_FUNCTIONS names a program that takes `{"fn": "template", "template", "data"}`
 * a line, parses the template under the name `inject` with sprig's text functions and those of Istio's pkg/kube/inject, and answers with
 * `{"output"}` or `{"error"}`.
 */

const data = JSON.stringify({
  n: 3,
  half: 2.5,
  big: 12345678,
  neg: -7,
  text: 'Some <b>text</b>\n  with é and 😀',
  lines: 'a: 1\nb:\n- c\n',
  empty: '',
  json: '{"a": [1, null, {"b": "<x>"}], "c": 1.50}',
  none: null,
  yes: true,
  no: false,
  list: ['p', 'q', 'r'],
  mixed: [1, 'a', null, true, { k: 'v' }, [2]],
  hole: [],
  map: { k: 'v', z: 2.5, a: true, nothing: null, deep: { x: [1, { y: null }] } },
  bare: {},
});

const fields = [
  'n',
  'half',
  'big',
  'neg',
  'text',
  'lines',
  'empty',
  'json',
  'none',
  'yes',
  'no',
  'list',
  'mixed',
  'hole',
  'map',
  'bare',
  'missing',
];
const texts = [
  '""',
  '"a"',
  '"a,b,,c"',
  '","',
  '" x\\t"',
  '"12"',
  '"-3"',
  '"1.5"',
  '"true"',
  '"k"',
  '"é"',
  '"/a/b/c.txt"',
  '"AbC"',
  '`raw "q"`',
  '"0x1F"',
  '"012"',
  '"default/net"',
];
const numbers = ['0', '1', '2', '-1', '4', '2.5', '100', '1e3', '1000'];

/**
 * Not compared: they need the pod, the mesh or the environment; the order of keys is random in Go, the rest of an empty list nil. */
const left = new Set([
  'keys',
  'rest',
  'annotation',
  'applicationPorts',
  'includeInboundPorts',
  'protoToJSON',
  'otelResourceAttributes',
  'env',
  'fail',
]);
const names = [...injectorFunctions.keys()].filter(name => !left.has(name));

/** An argument, mostly of a fitting type. */
function argument(r: Random, type: unknown, depth: number): string {
  if (depth > 0 && r.chance(15)) return `(${call(r, depth - 1)})`;
  if (r.chance(85)) {
    if (type === 'string') return r.chance(70) ? r.pick(texts) : r.pick(['.text', '.lines', '.empty', '.json']);
    if (type === 'int') return r.pick(numbers.slice(0, 5));
    if (type === 'bool') return r.pick(['true', 'false', '.yes', '.no']);
    if (type === 'map') return r.pick(['.map', '.bare', '(dict "a" 1 "b" .list)', '.map.deep']);
    if (type === 'stringMap') return r.pick(['(strdict "a" "b" "k" "")', '(strdict)', '(strdict "k" "v" "x")']);
    if (type === 'list') return r.pick(['.list', '.mixed', '.hole', '(list 1 "a" .map)']);
  }
  return r.pick([`.${r.pick(fields)}`, r.pick(texts), r.pick(numbers), 'nil', 'true', '(list 1 2)', '(dict "a" 1)']);
}

function call(r: Random, depth: number): string {
  const name = r.pick(names);
  const { parameters = [], variadic = false } = injectorFunctions.get(name) ?? {};
  const count = variadic ? Math.max(1, parameters.length - 1 + r.below(4)) : parameters.length + (r.chance(5) ? r.below(3) - 1 : 0);
  const types = Array.from({ length: Math.max(0, count) }, (_, i) => parameters[Math.min(i, parameters.length - 1)]);
  return [name, ...types.map(type => argument(r, type, depth))].join(' ');
}

function question(r: Random): Question {
  const shown = r.pick(['', '', ' | toJSON', ' | quote', ' | toYaml', ' | toString', ' | printf "%v"', ' | structToJSON', ' | len']);
  return { fn: 'template', template: `{{ ${call(r, 2)}${shown} }}`, data };
}

function answer({ template }: Question): OracleAnswer {
  const found = templateAnswer(String(template), data, injectorFunctions);
  // Bytes that are not UTF-8 are replaced in the program's JSON.
  return 'output' in found ? { output: wellFormed(found.output) } : found;
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
await compareWithOracle({ questions: Array.from({ length: count }, () => question(random)), answer });
