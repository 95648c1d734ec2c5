import type { Random } from '../random.js';
import type { JsonObject, SceneRequest } from './scene.js';
import { isObject } from './scene.js';
import type { Seed, Seeds } from './seeds.js';

/** A manifest with its place: namespaced in `{id}`, or named after it. */
export interface Placed {
  readonly manifest: JsonObject;
  readonly collection: string;
  readonly path: string;
  /** Requests that create its namespace; none for cluster-scoped objects. */
  readonly around: readonly SceneRequest[];
}

const namespaces = '/api/v1/namespaces';

/** Requests that create the namespace `{id}` with its service account. */
export function namespaceSetup(labels: JsonObject = {}): SceneRequest[] {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  return [
    { method: 'POST', path: namespaces, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{id}', labels } } },
    { method: 'POST', path: `${namespaces}/{id}/serviceaccounts`, body: account },
  ];
}

/** Returns a seed's manifest at the place of its scene. */
export function placed(r: Random, seeds: Seeds, kind?: string): Placed {
  const seed = seeds.of(r, kind);
  const given = seed.manifest['metadata'];
  const { namespace: _n, generateName: _g, ...metadata } = isObject(given) ? given : {};
  const name = seed.namespaced ? String(metadata['name']) : '{id}';
  const manifest: JsonObject = { ...structuredClone(seed.manifest), metadata: { ...metadata, name } };
  const collection = collectionOf(seed);
  // Only pods need the service account.
  const around = namespaceSetup().slice(0, manifest['kind'] === 'Pod' ? 2 : 1);
  return { manifest, collection, path: `${collection}/${name}`, around: seed.namespaced ? around : [] };
}

function collectionOf({ group, version, resource, namespaced }: Seed): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? '/namespaces/{id}' : ''}/${resource}`;
}

/** A path with a random query of the usual options. */
export function withOptions(r: Random, path: string): string {
  const options = [
    'fieldManager=me',
    'fieldValidation=Strict',
    'fieldValidation=Ignore',
    'dryRun=All',
    'pretty=true',
    'fieldManager=a%0Ab',
    'dryRun=x',
  ];
  const chosen = r.chance(60) ? [] : [r.pick(options), ...(r.chance(30) ? [r.pick(options)] : [])];
  return chosen.length === 0 ? path : `${path}?${chosen.join('&')}`;
}
