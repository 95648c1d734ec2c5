import { type Random, randomFrom } from '../random.js';
import { createdPods } from './dimensions/created-pods.js';
import { custom, sharedDefinitions } from './dimensions/custom.js';
import { denied } from './dimensions/denied.js';
import { large } from './dimensions/large.js';
import { change, collection, create, dying } from './dimensions/plain.js';
import { routes } from './dimensions/routes.js';
import { sharedWebhooks, webhooks } from './dimensions/webhooks.js';
import { type Hooks, openHooks } from './hooks.js';
import { type Played, play, type Stage } from './play.js';
import { memberOf, type Scene, type SceneRequest } from './scene.js';
import { readSeeds, type Seeds } from './seeds.js';
import { sendToServer } from './server.js';
import { shrink } from './shrink.js';

/** Scenes of one kind, and their common setup. */
interface Dimension {
  readonly scene: (r: Random, seeds: Seeds) => Scene;
  readonly shared?: (r: Random, hooks: Hooks) => SceneRequest[];
  readonly flags?: readonly string[];
}

/**
 * Random calls against a real API server, compared whole: answers, warnings, and what webhooks get.
 * `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... node dist/test/differential/calls/run.js DIMENSION [COUNT] [SEED] [SHOWN]`
 */
const dimensions: Readonly<Record<string, Dimension>> = {
  create: { scene: create, shared: watchAll },
  change: { scene: change, shared: watchAll },
  dying: { scene: dying, shared: watchAll },
  collection: { scene: collection, shared: watchAll },
  routes: { scene: routes },
  denied: { scene: denied, flags: ['--authorization-mode=RBAC'] },
  webhooks: { scene: webhooks, shared: sharedWebhooks },
  custom: { scene: custom, shared: (r, hooks) => [...sharedDefinitions(r, hooks), ...watchAll(r, hooks)] },
  'created-pods': { scene: createdPods, shared: watchAll },
  large: { scene: large },
};

const [, , name = 'create', count = '1000', seed = '1', shown = '10'] = process.argv;
const dimension = dimensions[name];
if (dimension === undefined) throw new Error(`unknown dimension ${name}: ${Object.keys(dimensions).join(', ')}`);
await main(dimension);

async function main({ scene, shared = () => [], flags = [] }: Dimension): Promise<void> {
  const random = randomFrom(Number(seed));
  const hooks = await openHooks();
  const seeds = readSeeds();
  const paths = await makeAll(shared(random, hooks));
  const stage: Stage = { hooks, shared: paths, flags };
  const causes = new Map<string, { times: number; scene: Scene }>();
  const tally = { played: 0, accepted: 0, different: 0 };
  for (let i = 0; i < Number(count); i += 1) {
    const drawn = scene(random, seeds);
    const played = await play(drawn, stage);
    if (played === undefined) continue;
    tally.played += 1;
    if (played.status < 300) tally.accepted += 1;
    const cause = causeOf(played);
    if (cause === undefined) continue;
    tally.different += 1;
    const known = causes.get(cause);
    causes.set(cause, { times: (known?.times ?? 0) + 1, scene: known?.scene ?? drawn });
  }
  for (const [cause, found] of [...causes].sort(([, a], [, b]) => b.times - a.times).slice(0, Number(shown))) {
    await show(cause, found, stage);
  }
  for (const path of paths) await sendToServer({ method: 'DELETE', path });
  hooks.close();
  console.log(`${name}: ${tally.different} differences of ${causes.size} causes in ${tally.played} calls (${tally.accepted} accepted)`);
  process.exit(tally.different > 0 ? 1 : 0);
}

async function show(cause: string, { times, scene }: { times: number; scene: Scene }, stage: Stage): Promise<void> {
  const fails = async (smaller: Scene): Promise<boolean> => {
    const played = await play(smaller, stage);
    return played !== undefined && causeOf(played) === cause;
  };
  const smallest = await shrink(scene, fails, 120);
  const played = await play(smallest, stage);
  console.log(`\n${times} x ${cause}\n  ${JSON.stringify(smallest).slice(0, 3000)}`);
  if (played === undefined) return;
  const at = firstDifference(played);
  console.log(
    `  expected ${played.expected.slice(Math.max(0, at - 60), at + 300)}\n  found    ${played.found.slice(Math.max(0, at - 60), at + 300)}`,
  );
}

/** Describes the first difference of two answers, with the same text for the same bug; undefined if they are equal. */
function causeOf({ expected, found }: Played): string | undefined {
  if (expected === found) return undefined;
  const [a = '', b = ''] = [expected.split('\n', 1)[0], found.split('\n', 1)[0]];
  if (a !== b) return `${shortened(a)} -> ${shortened(b)}`;
  const at = firstDifference({ expected, found });
  const line = expected.slice(0, at).split('\n').length;
  const key = /"([^"]*)":[^"]*(?:"[^"]*)?$/.exec(expected.slice(Math.max(0, at - 400), at))?.[1] ?? '';
  return `line ${Math.min(line, 3)}, ${key}: ${shortened(expected.slice(at, at + 12))} -> ${shortened(found.slice(at, at + 12))}`;
}

function shortened(text: string): string {
  return text
    .replaceAll(/x[0-9a-z]{8,}/g, '{id}')
    .replaceAll(/\d{4,}/g, 'N')
    .slice(0, 160);
}

function firstDifference({ expected, found }: Pick<Played, 'expected' | 'found'>): number {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  return at;
}

/** Creates shared objects and waits until they are in effect. */
async function makeAll(requests: readonly SceneRequest[]): Promise<string[]> {
  const paths: string[] = [];
  for (const request of requests) {
    const path = `${request.path}/${String(memberOf(request.body, 'metadata', 'name'))}`;
    await sendToServer({ method: 'DELETE', path });
    const { status, body } = await sendToServer(request);
    if (status >= 300) throw new Error(`${path}: ${status} ${body}`);
    paths.push(path);
  }
  if (requests.length > 0) await new Promise(resolve => setTimeout(resolve, 5000));
  return paths;
}

/** A webhook for each phase that matches everything. */
function watchAll(_: Random, hooks: Hooks): SceneRequest[] {
  return (['mutating', 'validating'] as const).map(phase => ({
    method: 'POST',
    path: `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: { name: `random-${phase}` },
      webhooks: [
        {
          name: `${phase}.example.com`,
          clientConfig: { url: hooks.url(phase === 'mutating' ? '/m0' : '/v0'), caBundle: hooks.caBundle },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          matchPolicy: 'Exact',
          rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' }],
        },
      ],
    },
  }));
}
