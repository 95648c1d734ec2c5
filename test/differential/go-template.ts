import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { templateAnswer } from './template-answer.js';

/**
 * Random templates and data, against Go's text/template. ASK_FUNCTIONS names a program that takes `{"template", "data"}` a line, parses the
 * template under the name `inject`, and answers with `{"output"}` or `{"error"}`.
 */

const names = ['a', 'b', 'list', 'map', 'text', 'n', 'none', 'missing', 'yes', 'no'];
const data = JSON.stringify({
  a: 1,
  b: { c: 'x', d: { e: [1, 2] }, n: null },
  list: ['p', 'q', 'r'],
  map: { k: 'v', z: 2.5, a: true },
  text: 'some <b>"text"</b> é',
  n: 1000000,
  none: null,
  yes: true,
  no: false,
});

function field(r: Random): string {
  return r.pick(['.', '$', ...names.map(name => `.${name}`), '.b.c', '.b.d.e', '.map.k', '$.a', '.b.x.y', '.text.x', '.none.x', '.list.x']);
}

function literal(r: Random): string {
  return r.pick(['1', '0', '-2', '2.5', '1e3', '0x1F', '"s"', '""', '`raw`', 'true', 'false', 'nil', "'a'", '"é\\n"', '1000000.0']);
}

function operand(r: Random, depth: number, variables: readonly string[]): string {
  if (depth > 0 && r.chance(20)) return `(${command(r, depth - 1, variables)})`;
  if (variables.length > 0 && r.chance(25)) return r.pick(variables);
  return r.chance(60) ? field(r) : literal(r);
}

const functions = [
  'and',
  'or',
  'not',
  'len',
  'index',
  'slice',
  'print',
  'println',
  'printf',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'html',
  'js',
  'urlquery',
];
const formats = [
  '"%v"',
  '"%s"',
  '"%d"',
  '"%q"',
  '"%5v|"',
  '"%-5v|"',
  '"%05d"',
  '"%.2f"',
  '"%t"',
  '"%x"',
  '"%v %v"',
  '"%%"',
  '"%T"',
  '"%+v"',
];

function command(r: Random, depth: number, variables: readonly string[]): string {
  if (r.chance(40)) return operand(r, depth, variables);
  const name = r.pick(functions);
  const count = r.chance(80) ? (name === 'not' || name === 'len' ? 1 : 1 + r.below(3)) : r.below(4);
  const args = Array.from({ length: count }, () => operand(r, depth, variables));
  if (name === 'printf' && r.chance(95)) args[0] = r.pick(formats);
  return [name, ...args].join(' ');
}

function pipeline(r: Random, variables: readonly string[]): string {
  const stages = [command(r, 2, variables)];
  while (r.chance(20))
    stages.push(
      r.chance(90) ? r.pick(['len', 'print', 'printf "%v"', 'html', 'not', 'index .list', 'eq 1', 'js']) : command(r, 1, variables),
    );
  return stages.join(' | ');
}

function open(r: Random): string {
  return r.chance(15) ? '{{- ' : '{{';
}

function close(r: Random): string {
  return r.chance(15) ? ' -}}' : '}}';
}

interface Place {
  readonly depth: number;
  readonly variables: readonly string[];
  readonly inRange: boolean;
}

function nodes(r: Random, place: Place): string {
  let out = '';
  let { variables } = place;
  for (let i = 1 + r.below(3); i > 0; i -= 1) {
    if (r.chance(40)) out += r.pick([' text ', '\n', '  - a: ', 'x', ' \n\t ']);
    if (r.chance(15)) {
      const name = `$v${r.below(3)}`;
      const isKnown = variables.includes(name);
      out += `${open(r)}${name} ${isKnown && r.chance(50) ? '=' : ':='} ${pipeline(r, variables)}${close(r)}`;
      variables = [...variables, name];
    } else out += node(r, { ...place, variables });
  }
  return out;
}

function node(r: Random, place: Place): string {
  const { depth, variables, inRange } = place;
  const simple = `${open(r)}${pipeline(r, variables)}${close(r)}`;
  if (depth === 0 || r.chance(45)) return simple;
  const inner = { ...place, depth: depth - 1 };
  const otherwise = r.chance(40)
    ? `{{else}}${nodes(r, inner)}`
    : r.chance(20)
      ? `{{else if ${pipeline(r, variables)}}}${nodes(r, inner)}`
      : '';
  switch (r.below(6)) {
    case 0:
      return `{{if ${pipeline(r, variables)}}}${nodes(r, inner)}${otherwise}{{end}}`;
    case 1:
      return `{{with ${pipeline(r, variables)}}}${nodes(r, inner)}${otherwise.replace('else if', 'else with')}{{end}}`;
    case 2: {
      const declared = r.pick(['', '$i, $e := ', '$e := ']);
      const more = declared.match(/\$\w/g) ?? [];
      const source = r.chance(75) ? r.pick(['.list', '.map', '.b', '.b.d.e', '3', '.none', '.missing']) : pipeline(r, variables);
      const plain = otherwise.startsWith('{{else if') ? '' : otherwise;
      return `{{range ${declared}${source}}}${nodes(r, { ...inner, variables: [...variables, ...more], inRange: true })}${plain}{{end}}`;
    }
    case 3:
      return r.chance(60) ? `{{/* note */}}${simple}` : `{{template "${r.pick(['t', 'u'])}" ${operand(r, 1, variables)}}}`;
    case 4:
      return inRange && r.chance(60)
        ? `{{${r.pick(['break', 'continue'])}}}`
        : `{{block "u" ${operand(r, 0, variables)}}}${nodes(r, { ...inner, variables: [], inRange: false })}{{end}}`;
    default:
      return simple;
  }
}

function question(r: Random): Question {
  const defined = r.chance(50) ? `{{define "t"}}${nodes(r, { depth: 1, variables: [], inRange: false })}{{end}}` : '';
  let template = defined + nodes(r, { depth: 2, variables: [], inRange: false });
  if (r.chance(8)) {
    const at = r.below(template.length);
    template =
      template.slice(0, at) +
      r.pick(['', '{{', '}}', '(', ')', '|', '"', '$x', ',', ':=', '{{end}}', '{{else}}', '.', 'é', '%']) +
      template.slice(at + r.below(3));
  }
  return { template, data };
}

function answer({ template }: Question): OracleAnswer {
  return templateAnswer(String(template), data);
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
await compareWithOracle({ questions: Array.from({ length: count }, () => question(random)), answer });
