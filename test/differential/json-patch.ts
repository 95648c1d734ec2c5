import { answerOf } from '../corpus/functions/json-patch.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { array, object, spoiled, value } from './random-json.js';

/** Compares JSON patches of random documents with the API server's library. */

function question(r: Random): Question {
  const root = r.chance(85) ? object(r, 3, '') : r.chance(60) ? array(r, 3, '') : value(r, 2, '');
  const document = r.chance(3) ? spoiled(r, root.text) : root.text;
  const tidy = r.chance(60);
  const operations = Array.from({ length: r.chance(60) ? 1 + r.below(2) : 1 + r.below(6) }, () => operation(r, root.paths, tidy));
  if (r.chance(5)) operations.unshift(`{"op":"test","path":"","value":${r.chance(70) ? root.text : value(r, 3, '').text}}`);
  let patch = `[${operations.join(r.chance(5) ? ' ,\n' : ',')}]`;
  if (r.chance(2)) patch = spoiled(r, patch);
  if (r.chance(1)) patch = r.pick(['null', '{}', '[1]', '["a",{}]', '[null]', '[[]]', '[]', 'true', '[true,{}]']);
  return { fn: 'json-patch', document, patch };
}

function operation(r: Random, paths: readonly string[], tidy: boolean): string {
  if (tidy) return tidyOperation(r, paths);
  const op = r.chance(97) ? r.pick(['add', 'remove', 'replace', 'move', 'copy', 'test']) : r.pick(['Add', '', 'addx']);
  const members: string[] = [];
  if (!r.chance(1)) members.push(`"op":${r.chance(98) ? JSON.stringify(op) : r.pick(['1', 'null', '[]', '"\\u0061dd"'])}`);
  if (!r.chance(1)) members.push(`"path":${pointer(r, paths)}`);
  if (!r.chance(op === 'move' || op === 'copy' ? 2 : 60)) members.push(`"from":${pointer(r, paths)}`);
  if (!r.chance(op === 'add' || op === 'replace' || op === 'test' ? 4 : 60))
    members.push(`${r.chance(99) ? '"value"' : '"Value"'}:${value(r, 2, '').text}`);
  if (r.chance(1)) members.push(r.pick(['"op":"add"', '"path":"/a"', '"value":7', '"x":[1]', 'bad']));
  if (r.chance(10)) members.reverse();
  return r.chance(99) ? `{${members.join(',')}}` : r.pick(['null', '1', '{}', '"x"']);
}

/** An operation that is likely to succeed. */
function tidyOperation(r: Random, paths: readonly string[]): string {
  const place = (): string =>
    paths.length === 0 ? '/a' : r.chance(85) ? r.pick(paths) : `${r.pick(paths)}/${r.pick(['a', 'b', '0', '-', '-1'])}`;
  const op = r.pick(['add', 'add', 'remove', 'replace', 'move', 'copy', 'test']);
  const members: Record<string, unknown> = { op, path: place() };
  if (op === 'move' || op === 'copy') members['from'] = place();
  const text = JSON.stringify(members);
  return op === 'add' || op === 'replace' || op === 'test' ? `${text.slice(0, -1)},"value":${value(r, 2, '').text}}` : text;
}

function pointer(r: Random, paths: readonly string[]): string {
  if (r.chance(1)) return r.pick(['1', 'null', '[]', 'true', '{}']);
  let path = r.chance(85) && paths.length > 0 ? r.pick(paths) : '';
  if (r.chance(25)) path += `/${r.pick(tokens)}`;
  if (r.chance(5)) path += `/${r.pick(tokens)}`;
  if (r.chance(10)) path = path.replace(/[^/]*$/, () => r.pick(tokens));
  if (r.chance(2)) path = r.pick(['', 'x', 'x/a', '/', '//', 'a', '~1']);
  return JSON.stringify(path);
}

const tokens = [
  'a',
  'b',
  'spec',
  '',
  '-',
  '0',
  '1',
  '2',
  '-1',
  '-2',
  '-3',
  '01',
  '+1',
  '-0',
  '1.0',
  '99',
  '~',
  '~2',
  '~01',
  '~0~1',
  'é',
  '\n',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '99999999999999999999',
  '99999999999999999999x',
  '"',
  '\u0007\u00a0',
  ' 1',
  '0x1',
  '1_0',
];

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => question(random));
await compareWithOracle({
  questions,
  answer: q => answerOf(String(q['document']), String(q['patch'])),
  only: ['panic'],
});
