import type { Random } from '../../random.js';
import { anyWrite } from '../any-write.js';
import { placed, withOptions } from '../base.js';
import { changed } from '../changes.js';
import { type JsonObject, mergePatch, type Scene, type SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';

/** Creations of changed manifests. */
export function create(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, around } = placed(r, seeds);
  const body = changed(r, manifest, seeds);
  if (r.chance(10)) body['metadata'] = { ...(body['metadata'] as JsonObject), name: null, generateName: '{id}-gen-' };
  return { setup: around, call: { method: 'POST', path: withOptions(r, collection), body } };
}

/** Patches of every type, updates and applies of stored objects. */
export function change(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path, around } = placed(r, seeds);
  const setup: SceneRequest[] = [...around, { method: 'POST', path: collection, body: manifest }];
  const next = changed(r, manifest, seeds);
  const target = withOptions(r, r.chance(12) ? `${path}/${r.pick(['status', 'scale', 'resize', 'ephemeralcontainers'])}` : path);
  return {
    setup,
    call: anyWrite(r, {
      manifest,
      next,
      target,
      applyTarget: () => `${path}?fieldManager=${r.pick(['me', 'you'])}${r.chance(70) ? '&force=true' : ''}`,
    }),
  };
}

/** A bound pod is removed in two steps; the removal of others races with the server's watch cache. */
function bound(manifest: JsonObject): JsonObject {
  if (manifest['kind'] !== 'Pod') return manifest;
  return { ...manifest, spec: { ...(manifest['spec'] as JsonObject), nodeName: 'n', terminationGracePeriodSeconds: 30 } };
}

const policies = ['Foreground', 'Background', 'Orphan', 'x'];

/** First and repeated deletions of objects with and without finalizers, and changes of the latter. */
export function dying(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path, around } = placed(r, seeds);
  const finalizers = r.pick([[], ['a.b/c'], ['a.b/c', 'foregroundDeletion'], ['orphan'], ['foregroundDeletion']]);
  const body = { ...bound(manifest), metadata: { ...(manifest['metadata'] as JsonObject), finalizers } };
  const setup: SceneRequest[] = [...around, { method: 'POST', path: collection, body }];
  const deletion = (): SceneRequest => ({ method: 'DELETE', path, body: deleteOptions(r) });
  for (let i = r.below(3); finalizers.includes('a.b/c') && i > 0; i -= 1) setup.push(deletion());
  if (r.chance(60)) return { setup, call: deletion() };
  const metadata = r.pick<JsonObject>([
    { finalizers: [] },
    { finalizers: ['x.y/z'] },
    { labels: { a: 'b' } },
    { finalizers: null, labels: { a: 'c' } },
  ]);
  return { setup, call: { method: 'PATCH', path, contentType: mergePatch, body: { metadata } } };
}

function deleteOptions(r: Random): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(r.chance(40) ? { gracePeriodSeconds: r.pick([0, 1, 5, 30, 100, -1]) } : {}),
    ...(r.chance(40) ? { propagationPolicy: r.pick(policies) } : r.chance(15) ? { orphanDependents: r.chance(50) } : {}),
    ...(r.chance(10) ? { preconditions: r.pick([{ uid: 'b7e6a2d0-0000-4000-8000-000000000003' }, { resourceVersion: '1' }, {}]) } : {}),
    ...(r.chance(10) ? { dryRun: ['All'] } : {}),
  };
}

const listOptions = [
  ...[
    'labelSelector=l%3D1',
    'labelSelector=l%20in%20(1,2)',
    'labelSelector=%3D',
    'labelSelector=!l',
    'fieldSelector=metadata.name%3Da',
    'fieldSelector=spec.x%3Da',
  ],
  ...[
    'fieldSelector=metadata.namespace!%3Dx',
    'limit=1',
    'limit=x',
    'limit=-1',
    'continue=x',
    'resourceVersion=0',
    'resourceVersion=x',
    'resourceVersionMatch=Exact',
  ],
  ...[
    'resourceVersionMatch=NotOlderThan&resourceVersion=0',
    'sendInitialEvents=true',
    'timeoutSeconds=5',
    'watch=true',
    'allowWatchBookmarks=x',
    'dryRun=All',
    'gracePeriodSeconds=0',
  ],
];

/** Deletions of collections. */
export function collection(r: Random, seeds: Seeds): Scene {
  const kind = r.pick(['ConfigMap', 'Pod', 'Secret', 'Job', 'Deployment', 'Service', 'Ingress', 'PodTemplate', 'NetworkPolicy']);
  const { manifest, collection: path, around } = placed(r, seeds, kind);
  // Other scenes have objects in the same cluster-scoped collection.
  if (around.length === 0) return collection(r, seeds);
  const stored = ['a', 'b', 'c'].slice(0, r.below(4)).map(name => {
    const metadata = {
      ...(manifest['metadata'] as JsonObject),
      name,
      labels: { l: r.pick(['1', '2']) },
      finalizers: r.chance(25) ? ['a.b/c'] : [],
    };
    return { method: 'POST', path, body: { ...bound(manifest), metadata } };
  });
  const query = Array.from({ length: r.below(4) }, () => r.pick(listOptions)).join('&');
  const call = { method: 'DELETE', path: query === '' ? path : `${path}?${query}` };
  return { setup: [...around, ...stored], call: r.chance(40) ? { ...call, body: deleteOptions(r) } : call };
}
