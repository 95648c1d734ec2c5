import { parseApiVersion } from '../../src/kubernetes/group-version.js';
import { schemaOfKind } from '../../src/kubernetes/type-table.js';
import { answerOf as defaulted } from '../corpus/functions/defaulting.js';
import { answerOf } from '../corpus/functions/mutation.js';
import { server } from '../support/server.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { randomDocument } from './random-document.js';

/** Compares random patches of random defaulted objects: `ASK_FUNCTIONS=... node dist/test/differential/mutation.js [COUNT] [SEED]`. */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);

const kinds = [
  ['v1', 'Pod'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
  ['v1', 'Service'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['batch/v1', 'Job'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  ['networking.k8s.io/v1', 'Ingress'],
] as const;

await compareWithOracle({
  questions: Array.from({ length: count }, () => question(random)),
  answer: q => answerOf(String(q['object']), String(q['patch'])),
});

function question(r: Random): Question {
  for (;;) {
    const [apiVersion, kind] = r.pick(kinds);
    const groupVersion = parseApiVersion(apiVersion);
    const schema = groupVersion === undefined ? undefined : schemaOfKind(server, { ...groupVersion, kind });
    if (schema === undefined) throw new Error(`no schema for ${kind}`);
    const { result } = defaulted(randomDocument(r, schema, { apiVersion, kind, odd: { percent: 0 } }));
    if (result === undefined) continue;
    const places = pathsOf(JSON.parse(result), '');
    return { fn: 'mutation', object: result, patch: JSON.stringify(Array.from({ length: 1 + r.below(2) }, () => operation(r, places))) };
  }
}

function operation(r: Random, places: readonly string[]): unknown {
  const path = r.pick(places);
  const choice = r.below(10);
  if (choice < 3) return { op: 'remove', path };
  if (choice < 5) return { op: 'add', path: `${path}/${r.pick(['-', 'a', '0', 'name', 'labels'])}`, value: value(r) };
  if (choice < 6) return { op: 'copy', from: r.pick(places), path };
  return { op: r.pick(['replace', 'replace', 'add', 'test']), path, value: value(r) };
}

function value(r: Random): unknown {
  return r.pick([
    null,
    '',
    'a',
    0,
    1,
    80,
    true,
    false,
    {},
    [],
    { name: 'a' },
    ['a'],
    '1000m',
    '1',
    '2024-01-02T03:04:05.5Z',
    { cpu: '0.1111' },
    'nginx',
  ]);
}

/** JSON pointers to everything in a document except the document itself. */
function pathsOf(data: unknown, path: string): string[] {
  if (typeof data !== 'object' || data === null) return [path];
  const inner = Object.entries(data).flatMap(([key, v]) => pathsOf(v, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`));
  return path === '' ? inner : [path, ...inner];
}
