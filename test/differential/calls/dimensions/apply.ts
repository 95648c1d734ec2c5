import type { Random } from '../../random.js';
import { placed } from '../base.js';
import { changed, mergePatchOf } from '../changes.js';
import { applyPatch, isObject, type Json, type JsonObject, mergePatch, type Scene, type SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';

const managers = ['one', 'two', 'kubectl', 'kube-controller-manager'];

/** Server-side applies after writes of other managers: conflicts, ownership that is shared, taken over and given up. */
export function apply(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path, around } = placed(r, seeds);
  const variants = Array.from({ length: 4 }, () => changed(r, manifest, seeds, r.below(4)));
  const setup: SceneRequest[] = [...around, firstWrite(r, collection, path, r.chance(60) ? manifest : r.pick(variants))];
  for (let i = r.below(4); i > 0; i -= 1) setup.push(laterWrite(r, path, manifest, r.pick(variants)));
  const force = r.chance(55) ? '' : `&force=${r.pick(['true', 'true', 'true', 'false', '1', 'x'])}`;
  const applied = oddly(r, sparse(r, r.pick([...variants, manifest]), r.pick([20, 50, 80, 100, 100])));
  const target = r.chance(10) ? `${path}/status` : path;
  const query = `fieldManager=${r.pick([...managers, 'new'])}${force}${r.chance(12) ? '&dryRun=All' : ''}`;
  return { setup, call: { method: 'PATCH', path: `${target}?${query}`, contentType: applyPatch, body: applied } };
}

function firstWrite(r: Random, collection: string, path: string, body: JsonObject): SceneRequest {
  const manager = r.pick(managers);
  if (r.chance(40)) return { method: 'POST', path: `${collection}?fieldManager=${manager}`, body };
  return { method: 'PATCH', path: `${path}?fieldManager=${manager}&force=true`, contentType: applyPatch, body };
}

function laterWrite(r: Random, path: string, from: JsonObject, to: JsonObject): SceneRequest {
  const manager = r.pick(managers);
  const { metadata: _own, ...part } = sparse(r, to, r.pick([50, 80, 100]));
  if (r.chance(25))
    return { method: 'PATCH', path: `${path}?fieldManager=${manager}`, contentType: mergePatch, body: mergePatchOf(from, to) };
  const metadata = { name: nameOf(to), labels: { [r.pick(['a', 'b'])]: r.pick(['1', '2']) } };
  return { method: 'PATCH', path: `${path}?fieldManager=${manager}&force=true`, contentType: applyPatch, body: { ...part, metadata } };
}

function nameOf({ metadata }: JsonObject): Json {
  return isObject(metadata) ? (metadata['name'] ?? '') : '';
}

/** Fields that identify an object or an item, which an applied part needs. */
const kept = [
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'containers',
  'selector',
  'template',
  'ports',
  'port',
  'containerPort',
  'image',
  'key',
  'mountPath',
];

/** Returns a part of an object, as an applier writes it. */
export function sparse(r: Random, object: JsonObject, percent: number): JsonObject {
  const partOf = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(partOf);
    if (!isObject(value)) return value;
    const members = Object.entries(value).filter(([key]) => kept.includes(key) || r.chance(percent));
    return Object.fromEntries(members.map(([key, member]) => [key, partOf(member)]));
  };
  return partOf(object) as JsonObject;
}

function oddly(r: Random, object: JsonObject): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const { spec } = object;
  const own: JsonObject = { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
  if (r.chance(75)) return object;
  return r.pick<() => JsonObject>([
    () => ({ ...object, metadata: { ...metadata, managedFields: r.pick<Json>([[], [{}], [own]]) } }),
    () => ({
      ...object,
      metadata: {
        ...metadata,
        ...r.pick([{ resourceVersion: '1' }, { uid: 'b7e6a2d0-0000-4000-8000-000000000002' }, { name: 'other' }, { namespace: 'other' }]),
      },
    }),
    () => Object.fromEntries(Object.entries(object).filter(([key]) => key !== r.pick(['apiVersion', 'kind', 'metadata']))),
    () => ({ ...object, apiVersion: r.pick(['v9', 'nope/v1', 'apps/v1beta1']) }),
    () => ({ ...object, spec: isObject(spec) ? { ...spec, [r.pick(['zzz', 'Replicas', 'é'])]: 1 } : 1 }),
    () => ({ ...object, spec: isObject(spec) ? withDuplicates(spec) : null }),
  ])();
}

/** Doubles the first item of every list. */
function withDuplicates(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, Array.isArray(value) ? [...value.slice(0, 1), ...value] : value]),
  );
}
