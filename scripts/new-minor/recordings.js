// Writes what an API server answered as recorded cases.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { groupBy } from '../group-by.js';
import { differencesOf } from './value-differences.js';

/** Writes a file for each file of the corpus, below `folder`. Two servers of the release show which values are random or times. */
export function writeRecordings(corpus, folder, version, cases, [first, second]) {
  for (const [place, of] of groupBy(cases, each => each.place)) {
    const recorded = of.flatMap(each => recordingOf(version, each, first.get(each.id), second.get(each.id)) ?? []);
    const file = path.join(folder, place);
    mkdirSync(path.dirname(file), { recursive: true });
    const definitions = path.join(path.dirname(place), 'crds.json');
    if (existsSync(path.join(corpus, definitions))) copyFileSync(path.join(corpus, definitions), path.join(folder, definitions));
    if (recorded.length > 0) writeFileSync(file, `${JSON.stringify({ cases: recorded }, undefined, 1)}\n`);
  }
}

/** Undefined for a case that two servers answered otherwise. */
export function recordingOf(version, recorded, now, again) {
  if ([now, again].some(each => each.reason !== undefined) || now.answer.status !== again.answer.status) return undefined;
  if (now.reviews.length !== again.reviews.length) return undefined;
  const known = [now, again].map(each => [each.stored, each.objects, jsonOf(each.call.body)]);
  const inputs = new Set(leafPairs(...known));
  const pointers = (from, to) => [...volatilePointers(from, to, inputs), ...timePointers(from, to, JSON.stringify(known[0]))];
  const reviews = now.reviews.map((review, i) => ({
    ...review,
    volatile: pointers(...[now, again].map(each => JSON.parse(each.reviews[i].body))),
  }));
  const texts = [now, again].flatMap(({ answer, again: bodies = [] }) => [answer.body, ...bodies].map(messageIn));
  const answerVolatile = pointers(...[now, again].map(({ answer }) => jsonOf(answer.body)));
  const { id, place, flags, definitions, after, afterVolatile, answerUnordered, ...kept } = recorded;
  return {
    ...kept,
    apiserver: { version, flags },
    ...(recorded.cluster === undefined ? {} : { cluster: { ...recorded.cluster, objects: now.objects } }),
    ...{ call: now.call, stored: now.stored, reviews, answer: now.answer },
    volatile: [...new Set(reviews.flatMap(each => each.volatile))],
    ...(answerVolatile.length === 0 ? {} : { answerVolatile }),
    ...(now.answer.status >= 400 && new Set(texts).size > 1 ? { answerUnordered: true } : {}),
  };
}

/** JSON pointers to the values that differ, unless both servers took them from the same place of their inputs. */
function volatilePointers(from, to, inputs) {
  return differencesOf(from, to)
    .filter(({ values }) => !inputs.has(JSON.stringify(values)))
    .map(({ steps }) => steps.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
}

/** Pointers to times of the call that two servers have by chance. */
function timePointers(from, to, known) {
  const isOfCall = value => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !known.includes(value);
  return leavesOf(from).flatMap(([pointer, value]) =>
    isOfCall(value) && leavesOf(to).some(([at, other]) => at === pointer && other === value) ? [pointer] : [],
  );
}

function leavesOf(value, pointer = '') {
  if (typeof value !== 'object' || value === null) return [[pointer, value]];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function leafPairs(from, to) {
  return differencesOf(from, to).map(({ values }) => JSON.stringify(values));
}

function messageIn(body) {
  return jsonOf(body)?.message;
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
