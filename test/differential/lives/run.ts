import { setTimeout as wait } from 'node:timers/promises';
import { randomFrom } from '../random.js';
import { type Converter, openConverter } from './converter.js';
import { type Life, randomLife, type Step } from './life.js';
import { type Names, observe, shown } from './observe.js';
import { type Server, serverAt, startOwn } from './server.js';

/**
 * Random lives of definitions on a real API server and on the project's, compared step by step: answers, definitions, discovery, lists,
 * objects, watches. A life ends at its first difference.
 * `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... KUBE_VERSION=v1.36 node dist/test/differential/lives/run.js [COUNT] [SEED] [SHOWN]`
 */
const [count, seed, most] = [2, 3, 4].map((at, i) => Number(process.argv[at] ?? [50, 1, 10][i])) as [number, number, number];
const { KUBE_APISERVER: url = '', KUBE_TOKEN: token = '', KUBE_VERSION: version = 'v1.36' } = process.env;

const workers = 8;
const patienceMs = 6000;

interface Difference {
  readonly life: string;
  readonly kind: string;
  readonly story: readonly string[];
  readonly expected: string;
  readonly found: string;
}

const converter = await openConverter();
const real = serverAt(url, token);
const own = await startOwn(version);
const differences: Difference[] = [];
let steps = 0;
let next = 0;
const stamp = Date.now().toString(36);
await Promise.all(
  Array.from({ length: workers }, async () => {
    for (let i = next++; i < count; i = next++) {
      const r = randomFrom(seed * 100_003 + i);
      const life = randomLife(r, `l${seed}x${i}x${stamp}`, converter);
      const found = await live(life, { real, own, converter }, () => r.chance(30));
      await Promise.all([removeLife(life, real), removeLife(life, own)]);
      if (found === undefined) continue;
      differences.push(found);
      if (differences.length <= most) print(found);
    }
  }),
);
const kinds = new Map<string, number>();
for (const { kind } of differences) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
console.log(`\n${differences.length} differences in ${count} lives of ${steps} steps`);
for (const [kind, times] of [...kinds].sort(([, a], [, b]) => b - a)) console.log(`  ${times} ${kind}`);
own.close();
converter.close();
process.exit(differences.length > 0 ? 1 : 0);

function print({ life, kind, story, expected, found }: Difference): void {
  console.log(
    `\n=== ${life}: ${kind}\n${story.join('\n')}\n  expected ${excerpt(expected, found)}\n  found    ${excerpt(found, expected)}`,
  );
}

interface Stage {
  readonly real: Server;
  readonly own: Server;
  readonly converter: Converter;
}

async function live(life: Life, stage: Stage, watches: () => boolean): Promise<Difference | undefined> {
  const names: { readonly real: Names; readonly own: Names } = { real: new Map(), own: new Map() };
  const story: string[] = [];
  for (const step of life.steps) {
    steps += 1;
    story.push(`  ${textOf(step)}`);
    const difference = (kind: string, expected: string, found: string): Difference => ({
      life: life.id,
      kind: `${step.what === 'call' ? step.method : step.what}: ${kind}`,
      story,
      expected,
      found,
    });
    const isOfDefinition = step.what === 'call' && step.path.includes('customresourcedefinitions');
    const opened = isOfDefinition ? await Promise.all(life.versions.filter(watches).map(version => openWatches(version, life, stage))) : [];
    if (opened.length > 0) await wait(500);
    const [a, b] = await Promise.all([take(step, stage.real, life, stage.converter), take(step, stage.own, life, stage.converter)]);
    const [expected, found] = [shown(a, names.real), shown(b, names.own)];
    if (expected !== found) return difference('answer', expected, found);
    await wait(isOfDefinition ? 2300 : 150);
    for (const { version, real: ofReal, own: ofOwn } of opened) {
      const [theirs, ours] = [shown(ofReal.take(), names.real), shown(ofOwn.take(), names.own)];
      if (theirs !== ours) return difference(`open watch ${version}`, theirs, ours);
    }
    const watched = life.versions.filter(watches);
    const look = () => compared(life, stage, names, watched);
    // A busy machine delays controllers and caches.
    const first = await look();
    const lasting = first === undefined ? undefined : await wait(patienceMs).then(look);
    if (lasting !== undefined) return difference(...lasting);
  }
  return undefined;
}

/** Opens a watch of a version on both servers. */
async function openWatches(version: string, { group }: Life, { real: theirs, own: ours }: Stage) {
  const path = `/apis/${group}/${version}/boats?watch=1&timeoutSeconds=30`;
  const [real, own] = await Promise.all([theirs.open(path), ours.open(path)]);
  return { version, real, own };
}

/** Removes what a life left: definitions that cannot be converted any more, or hang in deletion, would slow down the lives that follow. */
async function removeLife(life: Life, { call }: Server): Promise<void> {
  const merge = 'application/merge-patch+json';
  for (const name of life.definitions) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    await call({ method: 'DELETE', path });
    await call({ method: 'PATCH', path, contentType: merge, body: { metadata: { finalizers: null } } });
  }
}

/** Returns the first question that the servers answer differently, with the answers. */
async function compared(
  life: Life,
  stage: Stage,
  names: { readonly real: Names; readonly own: Names },
  watched: readonly string[],
): Promise<[question: string, expected: string, found: string] | undefined> {
  const [before, after] = await Promise.all([observe(stage.real, life, names.real, watched), observe(stage.own, life, names.own, watched)]);
  for (const [question, answer] of before) if (after.get(question) !== answer) return [question, answer, after.get(question) ?? ''];
  return undefined;
}

async function take(step: Step, server: Server, life: Life, { turn }: Converter): Promise<{ status: number; body: string }> {
  if (step.what === 'call') return server.call(step);
  if (step.what === 'turn') turn(life.id, step.on);
  else await wait(step.ms);
  return { status: 200, body: '' };
}

function textOf(step: Step): string {
  if (step.what !== 'call') return JSON.stringify(step);
  const body = JSON.stringify(step.body ?? null).replaceAll(/"caBundle":"LS0[^"]*"/g, '"caBundle":"CA"');
  return `${step.method} ${step.path} ${body}`;
}

/** Shows where two texts differ first. */
function excerpt(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const from = Math.max(0, at - 200);
  return `${from > 0 ? '...' : ''}${text.slice(from, at + 500)}`;
}
