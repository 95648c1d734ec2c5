import { applyJsonPatch, decodeJsonPatch } from '../../src/apiserver/patches/json-patch.js';
import { readWithFloats } from '../../src/encoding/unstructured.js';
import { readJson } from '../../src/go/json/reader.js';
import { writeValue } from '../../src/go/json/write.js';
import { isList, isMap, type Value } from '../../src/go/value.js';
import { createPatch, createPatchText } from '../../src/webhook-server/api/create-patch.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { array, object, spoiled, value } from './random-json.js';

/** Patches between random documents, against the library that controller-runtime uses; ASK_FUNCTIONS names ask-serving here. */

function question(r: Random): Question {
  const original = documentText(r);
  const changed = r.chance(70) ? edited(r, original) : documentText(r);
  return { fn: 'create-patch', original, changed };
}

function documentText(r: Random): string {
  const root = r.chance(85) ? object(r, 3, '') : r.chance(60) ? array(r, 3, '') : value(r, 2, '');
  return r.chance(2) ? spoiled(r, root.text) : root.text;
}

/** The document with a few of its tokens replaced. */
function edited(r: Random, text: string): string {
  const tokens = text.split(/(?<=[,:[{])/);
  for (let i = 1 + r.below(3); i > 0; i -= 1) {
    const at = r.below(tokens.length);
    const token = tokens[at] ?? '';
    if (/^(?:-?\d[\d.eE+-]*|true|false|null|"[^"\\]*")[,}\]]?$/.test(token))
      tokens[at] = value(r, 1, '').text + (/[,}\]]$/.exec(token)?.[0] ?? '');
    else if (r.chance(20)) tokens.splice(at, 1);
  }
  return tokens.join('');
}

/** Go iterates over maps in random order, so operations are sorted. */
function sorted(operations: readonly string[]): string {
  return [...operations].sort().join('\n');
}

function operationsIn(text: string): string {
  const list = readJson(text);
  return sorted(list.type === 'array' ? list.items.map(({ start, end }) => text.slice(start, end)) : [text]);
}

function answer({ original, changed }: Question): OracleAnswer {
  let text: string;
  try {
    text = createPatchText(createPatch(String(original), String(changed)));
  } catch (error) {
    return { error: (error as Error).message };
  }
  // The API server applies patches to objects, and not to the whole of one.
  const isApplicable = /^\s*\{/.test(String(original)) && original !== changed && !text.includes('"path":""');
  if (isApplicable && !isSame(applied(String(original), text), String(changed)))
    return { operations: `does not give the changed document: ${text}` };
  return { operations: operationsIn(text) };
}

function applied(document: string, patch: string): string {
  return applyJsonPatch(document, decodeJsonPatch(patch));
}

function isSame(a: string, b: string): boolean {
  const text = (document: string): string => writeValue(withoutMinusZero(readWithFloats(document)), 'sorted');
  return text(a) === text(b);
}

/** For Go, -0 equals 0. */
function withoutMinusZero(value: Value): Value {
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, withoutMinusZero(member)]));
  if (isList(value)) return value.map(withoutMinusZero);
  return Object.is(value, -0) ? 0 : value;
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
await compareWithOracle({
  questions: Array.from({ length: count }, () => question(random)),
  answer,
  normalized: expected => ('operations' in expected ? { operations: operationsIn(String(expected['operations'])) } : expected),
});
