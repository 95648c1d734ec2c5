import { setTimeout } from 'node:timers/promises';
import { type Random, randomFrom } from '../random.js';
import { apply } from './dimensions/apply.js';
import { createdPods } from './dimensions/created-pods.js';
import { custom, sharedDefinitions } from './dimensions/custom.js';
import { definitions } from './dimensions/definitions.js';
import { denied } from './dimensions/denied.js';
import { large } from './dimensions/large.js';
import { oddMetadata } from './dimensions/metadata.js';
import { oddPatches } from './dimensions/odd-patches.js';
import { change, collection, create, dying } from './dimensions/plain.js';
import { routes } from './dimensions/routes.js';
import { randomDefinitions, schemas } from './dimensions/schemas.js';
import { selection, webhookPool } from './dimensions/selection.js';
import { state } from './dimensions/state.js';
import { subresources } from './dimensions/subresources.js';
import { limits, security } from './dimensions/surroundings.js';
import { texts } from './dimensions/texts.js';
import { sharedWebhooks, webhooks } from './dimensions/webhooks.js';
import { type Hooks, openHooks, sceneId } from './hooks.js';
import { objectAt, type Played, play, type Stage } from './play.js';
import { memberOf, type Scene, type SceneRequest } from './scene.js';
import { readSeeds, type Seeds } from './seeds.js';
import { sendToServer } from './server.js';
import { shrink } from './shrink.js';

/** Scenes of one kind, and their common setup. */
interface Dimension {
  readonly scene: (r: Random, seeds: Seeds, shared: readonly SceneRequest[]) => Scene;
  readonly shared?: (r: Random, hooks: Hooks) => SceneRequest[];
  readonly flags?: readonly string[];
  /** Shared objects may be refused: then they are left out. */
  readonly mayRefuse?: boolean;
}

const offByDefault = `--enable-admission-plugins=${[
  ...[
    'AlwaysPullImages',
    'DenyServiceExternalIPs',
    'ExtendedResourceToleration',
    'LimitPodHardAntiAffinityTopology',
    'NamespaceAutoProvision',
  ],
  ...['OwnerReferencesPermissionEnforcement', 'NodeRestriction', 'PodTolerationRestriction', 'PodNodeSelector'],
].join(',')}`;

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
  apply: { scene: apply, shared: watchAll },
  patches: { scene: oddPatches, shared: watchAll },
  texts: { scene: texts, shared: watchAll },
  metadata: { scene: oddMetadata, shared: watchAll },
  subresources: { scene: subresources, shared: watchAll },
  limits: { scene: limits, shared: watchAll },
  security: { scene: security, shared: watchAll },
  state: { scene: state, shared: watchAll },
  definitions: { scene: definitions },
  schemas: { scene: schemas, shared: (r, hooks) => [...randomDefinitions(r), ...watchAll(r, hooks)], mayRefuse: true },
  selection: { scene: selection, shared: webhookPool },
  plugins: { scene: (r, seeds) => r.pick([create, state, limits, change])(r, seeds), shared: watchAll, flags: [offByDefault] },
};

/** Scenes played at the same time: the server and the project work in turns on each. */
const atATime = 8;

const [, , name = 'create', count = '1000', seed = '1', shown = '10'] = process.argv;
const dimension = dimensions[name];
if (dimension === undefined) throw new Error(`unknown dimension ${name}: ${Object.keys(dimensions).join(', ')}`);
await main(dimension);

async function main({ scene, shared = () => [], flags = [], mayRefuse = false }: Dimension): Promise<void> {
  const random = randomFrom(Number(seed));
  const hooks = await openHooks();
  const seeds = readSeeds();
  const common = await accepted(shared(random, hooks), mayRefuse);
  const paths = common.map(pathOf);
  const objects = (await Promise.all(paths.map(objectAt))).filter(text => text !== undefined);
  const stage: Stage = { hooks, shared: objects, flags };
  const causes = new Map<string, { times: number; scene: Scene }>();
  const tally = { played: 0, accepted: 0, different: 0, raced: 0 };
  let drawn = 0;
  const playMore = async (): Promise<void> => {
    while (drawn < Number(count)) {
      drawn += 1;
      const next = scene(random, seeds, common);
      const played = await play(next, stage);
      if (played === undefined) continue;
      tally.played += 1;
      if (played.status < 300) tally.accepted += 1;
      const cause = causeOf(played);
      if (cause === undefined) continue;
      if (await isRace(next, stage)) {
        tally.raced += 1;
        continue;
      }
      tally.different += 1;
      const known = causes.get(cause);
      causes.set(cause, { times: (known?.times ?? 0) + 1, scene: known?.scene ?? next });
    }
  };
  await Promise.all(Array.from({ length: atATime }, playMore));
  for (const [cause, found] of [...causes].sort(([, a], [, b]) => b.times - a.times).slice(0, Number(shown))) {
    await show(cause, found, stage);
  }
  for (const path of paths) await sendToServer({ method: 'DELETE', path });
  hooks.close();
  console.log(
    `${name}: ${tally.different} differences of ${causes.size} causes in ${tally.played} calls (${tally.accepted} accepted; ${tally.raced} raced)`,
  );
  process.exit(tally.different > 0 ? 1 : 0);
}

async function show(cause: string, { times, scene }: { times: number; scene: Scene }, stage: Stage): Promise<void> {
  const fails = async (smaller: Scene): Promise<boolean> => {
    const played = await play(smaller, stage);
    return played !== undefined && causeOf(played) === cause;
  };
  const smallest = await shrink(scene, fails, 60);
  const played = await play(smallest, stage);
  console.log(`\n${times} x ${cause}\n  ${JSON.stringify(smallest).slice(0, 3000)}`);
  if (played === undefined) return;
  const at = firstDifference(played);
  console.log(
    `  expected ${played.expected.slice(Math.max(0, at - 60), at + 300)}\n  found    ${played.found.slice(Math.max(0, at - 60), at + 300)}`,
  );
}

/** Reports whether a scene that differed does not differ when it is played again: the server's caches and controllers race with calls. */
async function isRace(scene: Scene, stage: Stage): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    const played = await play(scene, stage);
    if (played !== undefined && causeOf(played) === undefined) return true;
  }
  return false;
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
    .replaceAll(new RegExp(sceneId, 'g'), '{id}')
    .replaceAll(/\d{4,}/g, 'N')
    .slice(0, 160);
}

function firstDifference({ expected, found }: Pick<Played, 'expected' | 'found'>): number {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  return at;
}

/** Creates shared objects, waits until they are in effect, and returns the accepted requests. */
async function accepted(requests: readonly SceneRequest[], mayRefuse: boolean): Promise<SceneRequest[]> {
  const made: SceneRequest[] = [];
  for (const request of requests) {
    await sendToServer({ method: 'DELETE', path: pathOf(request) });
    let { status, body } = await sendToServer(request);
    for (let tries = 0; status === 409 && tries < 40; tries += 1) {
      await setTimeout(500);
      ({ status, body } = await sendToServer(request));
    }
    if (status < 300) made.push(request);
    else if (!mayRefuse) throw new Error(`${request.path}: ${status} ${body}`);
  }
  for (const request of made) await served(request);
  if (requests.length > 0) await setTimeout(2000);
  return made;
}

/** Waits until the first version of a definition is served. */
async function served({ path, body }: SceneRequest): Promise<void> {
  const [version] = [memberOf(body, 'spec', 'versions')].flat();
  if (!path.endsWith('/customresourcedefinitions')) return;
  const collection = `${String(memberOf(body, 'spec', 'group'))}/${String(memberOf(version, 'name'))}/${String(memberOf(body, 'spec', 'names', 'plural'))}`;
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await sendToServer({ method: 'GET', path: `/apis/${collection}` })).status === 200) return;
    await setTimeout(300);
  }
}

function pathOf({ path, body }: SceneRequest): string {
  return `${path}/${String(memberOf(body, 'metadata', 'name'))}`;
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
