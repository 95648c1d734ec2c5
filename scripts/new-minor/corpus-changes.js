// Groups what an API server answers otherwise than the one before: by message, or by field.
import { groupBy } from '../group-by.js';
import { errorsOf, pathShape, shapeOf } from './text-shape.js';
import { differencesOf } from './value-differences.js';

const longestExample = 300;

/**
 * Returns lines: the counts, and each group with its number of cases and an example, the largest first. `outcomes` are of the release before, of the
 * new release, and of the new release on a second server, whose random values and times are different; `left` are cases that were not replayed.
 */
export function corpusChanges([before, after, second], left) {
  const groups = new Map();
  const counts = { same: 0, different: 0 };
  const reasons = [...left];
  for (const [id, old] of before) {
    const [now, again] = [after.get(id), second.get(id)];
    const reason = [old, now, again].find(each => each.reason !== undefined)?.reason ?? reasonUnsteady(old, now, again);
    if (reason !== undefined) {
      reasons.push({ id, reason });
      continue;
    }
    const changes = changesOf(old, now, again);
    counts[changes.size === 0 ? 'same' : 'different'] += 1;
    for (const [group, example] of changes) groups.set(group, [...(groups.get(group) ?? []), { id, example }]);
  }
  return [
    `${counts.same + counts.different} replayed, ${counts.different} answered otherwise, ${reasons.length} left out`,
    ...linesOf(groups, 'answered otherwise'),
    ...linesOf(
      groupBy(reasons, ({ reason }) => reason),
      'left out',
    ),
  ];
}

function linesOf(groups, title) {
  const sorted = [...groups].sort(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1));
  const rows = sorted.flatMap(([group, [{ id, example }, ...others]]) => [
    `  ${1 + others.length} ${group}`,
    `      ${[id, example].filter(text => text !== undefined).join(': ')}`.slice(0, longestExample).replaceAll(/\s+(?=\n)|\n/g, '\\n'),
  ]);
  return [`${title}: ${groups.size} groups`, ...rows];
}

/** Undefined when servers did the same, but for what the releases differ in. */
function reasonUnsteady(old, now, again) {
  if (now.answer.status !== again.answer.status) return 'two servers of the release did not agree on the status';
  if (sequenceOf(now) !== sequenceOf(again)) return 'two servers of the release did not agree on the reviews';
  const isRace = now.call.method === 'DELETE' && sequenceOf(old) !== sequenceOf(now) && roundsOf(old).at(-1) === roundsOf(now).at(-1);
  return isRace ? 'a removal is reviewed again when the cache of the server lags behind' : undefined;
}

/** Reviews of each phase and webhook, once. */
function roundsOf(outcome) {
  return [...new Set(sequenceOf(outcome).split(' '))];
}

/** Differences of two outcomes by group, with an example each. What differs between two servers of the new release is left out. */
export function changesOf(old, now, again) {
  const statuses = [old, now].map(({ answer }) => `${answer.status} ${parsed(answer.body)?.reason ?? ''}`.trim());
  if (statuses[0] !== statuses[1]) {
    const refused = now.answer.status >= 400 ? now : old;
    return new Map([[`status ${statuses.join(' -> ')}: ${shapeOf(messageOf(refused))}`, messageOf(refused)]]);
  }
  const sequences = [old, now].map(sequenceOf);
  if (sequences[0] !== sequences[1]) return new Map([[`reviews ${sequences.join(' -> ')}`, undefined]]);
  const reviews = now.reviews.flatMap((_, i) => reviewChanges(...[old, now, again].map(each => each.reviews[i])));
  const warnings = listChanges('warning', old.answer.warnings, now.answer.warnings);
  const form =
    old.answer.contentType === now.answer.contentType ? [] : [[`content type ${old.answer.contentType} -> ${now.answer.contentType}`]];
  return new Map([...warnings, ...form, ...answerChanges(old, now, again), ...reviews].reverse());
}

function answerChanges(old, now, again) {
  const bodies = [old, now, again].map(({ answer }) => parsed(answer.body));
  const [from, to] = bodies;
  if (from === undefined || to === undefined) return listChanges('text', [old.answer.body.trim()], [now.answer.body.trim()]);
  if (now.answer.status < 400) return valueChanges(bodies, `${to.kind}`);
  const causes = listChanges('error', causesOf(from), causesOf(to), fieldOf);
  const messages = causes.length === 0 ? listChanges('message', errorsOf(from.message ?? ''), errorsOf(to.message ?? '')) : [];
  const plain = bodies.map(({ message, details, ...others }) => ({ ...others, details: { ...details, causes: undefined } }));
  const errors = [...causes, ...messages];
  return [...errors, ...(errors.length === 0 ? orderChanges(old, now, again) : []), ...valueChanges(plain, 'refusal')];
}

function causesOf({ details: { causes = [] } = {} }) {
  return causes.map(({ reason, field, message }) => `${field}: ${reason}: ${message}`);
}

function fieldOf(cause) {
  return cause.split(': ')[0];
}

/** The order of several errors, where it is the same each time. */
function orderChanges(old, now, again) {
  const isRandom = [old, now, again].some(({ answer, again: bodies = [] }) =>
    bodies.some(body => messageIn(body) !== messageIn(answer.body)),
  );
  return isRandom || messageOf(old) === messageOf(now) || shapeOf(messageOf(old)) === shapeOf(messageOf(now))
    ? []
    : [['order of errors', `${messageOf(old)} -> ${messageOf(now)}`]];
}

/** Texts that are only in one of two lists, by shape; pairs of the same subject where one text became another. */
function listChanges(name, from, to, subjectOf = () => '') {
  const shapes = [from, to].map(list => list.map(shapeOf));
  const gone = from.filter((_, i) => !shapes[1].includes(shapes[0][i]));
  const added = to.filter((_, i) => !shapes[0].includes(shapes[1][i]));
  const partOf = text => {
    const [same, others] = [gone, added].map(list => list.filter(each => subjectOf(each) === subjectOf(text)));
    return same.length === 1 && others.length === 1 ? [same[0], others[0]] : undefined;
  };
  return [
    ...gone.map(text => {
      const pair = partOf(text);
      return pair === undefined
        ? [`${name} gone: ${shapeOf(text)}`, text]
        : [`${name} ${pair.map(shapeOf).join(' -> ')}`, pair.join(' -> ')];
    }),
    ...added.filter(text => partOf(text) === undefined).map(text => [`${name} new: ${shapeOf(text)}`, text]),
  ];
}

function reviewChanges(old, now, again) {
  const bodies = [old, now, again].map(({ body }) => parsed(body));
  const kind = bodies[1].request.kind.kind;
  const names = [old, now].map(({ headers }) => Object.keys(headers).join(', '));
  const headers = names[0] === names[1] ? [] : [[`headers ${names.join(' -> ')}`]];
  const escapes = [old, now].map(({ body }) => (body.match(/\\u[0-9a-f]{4}/g) ?? []).join(''));
  return [...headers, ...valueChanges(bodies, kind), ...(escapes[0] === escapes[1] ? [] : [['escapes in reviews', escapes.join(' -> ')]])];
}

/** Differences of values by field. Fields of reviewed objects are named like those of the answer. */
function valueChanges([from, to, again], kind) {
  const random = new Set(differencesOf(to, again).map(({ steps }) => JSON.stringify(steps)));
  return differencesOf(from, to)
    .filter(({ steps, change, values }) => change !== 'changed' || !(random.has(JSON.stringify(steps)) || values.every(isTime)))
    .map(({ steps, change, values }) => {
      const isOfReview = steps[0] === 'request' && ['object', 'oldObject'].includes(steps[1]);
      return [
        `${kind}${pathShape(isOfReview ? steps.slice(2) : steps)} ${change}`,
        values.map(value => JSON.stringify(value)).join(' -> '),
      ];
    });
}

/** Objects that both servers have are from the same time: another time is that of the call. */
function isTime(value) {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
}

/** Phases and paths of the reviews of a call. */
function sequenceOf({ reviews }) {
  return reviews.map(({ phase, path }) => `${phase[0]}:${path.split('?')[0].split('/').at(-1)}`).join(' ') || 'none';
}

function messageOf({ answer }) {
  return messageIn(answer.body);
}

function messageIn(body) {
  return parsed(body)?.message ?? body.trim();
}

/** Undefined for a body that is not an object. Random names in keys of managed fields are the same in all. */
function parsed(body) {
  try {
    const value = JSON.parse(body.replaceAll(/(?<=kube-api-access-)[a-z0-9]{5}/g, 'xxxxx'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
