import { builtInResources } from '../../../../src/kubernetes/resource-table.js';
import { server } from '../../../support/server.js';
import type { Random } from '../../random.js';
import { anyWrite } from '../any-write.js';
import { type Placed, placed, withOptions } from '../base.js';
import { changed } from '../changes.js';
import { randomObjectLike } from '../random-parts.js';
import { isObject, type JsonObject, mergePatch, type Scene, type SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';

/** Writes to status and the other subresources of stored objects. */
export function subresources(r: Random, seeds: Seeds): Scene {
  const { place, names } = withSubresources(r, seeds);
  const { manifest, collection, path, around } = place;
  const setup: SceneRequest[] = [...around, { method: 'POST', path: collection, body: manifest }];
  const name = r.pick(names);
  const target = withOptions(r, `${path}/${name}`);
  if (name === 'status' && r.chance(40))
    setup.push({ method: 'PATCH', path: `${path}/status`, contentType: mergePatch, body: { status: statusOf(r, manifest) } });
  if (name === 'scale') return { setup, call: scaleCall(r, target) };
  const next = nextOf(r, name, { manifest, seeds });
  return { setup, call: anyWrite(r, { manifest, next, target, applyTarget: () => `${path}/${name}?fieldManager=me&force=true` }) };
}

const written = ['status', 'scale', 'resize', 'ephemeralcontainers', 'approval', 'finalize'];

function withSubresources(r: Random, seeds: Seeds): { place: Placed; names: string[] } {
  for (;;) {
    const place = placed(r, seeds);
    const [version = '', group = ''] = String(place.manifest['apiVersion']).split('/').reverse();
    const { resources } = builtInResources(server, 'default');
    const found = resources.find(({ kind }) => kind.kind === place.manifest['kind'] && kind.group === group && kind.version === version);
    const names = (found?.subresources ?? []).map(s => s.name).filter(name => written.includes(name));
    if (names.length > 0) return { place, names };
  }
}

function statusOf(r: Random, manifest: JsonObject): JsonObject {
  for (let tries = 0; tries < 5; tries += 1) {
    const { status } = randomObjectLike(r, manifest);
    if (isObject(status)) return status;
  }
  return {};
}

function nextOf(r: Random, name: string, { manifest, seeds }: { manifest: JsonObject; seeds: Seeds }): JsonObject {
  const object = r.chance(25) ? changed(r, manifest, seeds, 1) : structuredClone(manifest);
  const { spec } = object;
  if (name === 'status' || name === 'approval') return { ...object, status: statusOf(r, manifest) };
  if (name === 'finalize') return { ...object, spec: { finalizers: r.pick([[], ['kubernetes'], ['a.b/c'], ['x']]) } };
  if (name === 'ephemeralcontainers' && isObject(spec)) {
    const debug = {
      name: r.pick(['dbg', 'web']),
      image: 'i',
      ...r.pick([{}, { targetContainerName: 'web' }, { ports: [] }, { resources: { limits: { cpu: '1' } } }]),
    };
    return { ...object, spec: { ...spec, ephemeralContainers: Array.from({ length: 1 + r.below(2) }, () => debug) } };
  }
  if (name !== 'resize' || !isObject(spec) || !Array.isArray(spec['containers'])) return object;
  const resources = r.pick([
    { requests: { cpu: '1' } },
    { limits: { cpu: '2', memory: '1Gi' } },
    {},
    { requests: { memory: '64Mi' }, limits: { memory: '1Mi' } },
  ]);
  return { ...object, spec: { ...spec, containers: spec['containers'].map(c => (isObject(c) ? { ...c, resources } : c)) } };
}

function scaleCall(r: Random, path: string): SceneRequest {
  const spec = { replicas: r.pick([0, 1, 3, -1, null, 'x', 2_147_483_648, 1.5]) };
  if (r.chance(50))
    return {
      method: 'PATCH',
      path,
      contentType: mergePatch,
      body: { spec, ...r.pick([{}, { status: { replicas: 7 } }, { metadata: { labels: { a: 'b' } } }]) },
    };
  const metadata = r.pick<JsonObject>([{}, { name: 'other' }, { resourceVersion: '1' }]);
  return { method: 'PUT', path, body: { apiVersion: r.pick(['autoscaling/v1', 'autoscaling/v1', 'v1']), kind: 'Scale', metadata, spec } };
}
