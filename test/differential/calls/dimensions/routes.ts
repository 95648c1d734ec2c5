import type { Random } from '../../random.js';
import { placed } from '../base.js';
import type { Scene, SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'FOO'];
const contentTypes = [
  '',
  'application/json',
  'application/json; charset=utf-8',
  'application/yaml',
  'text/plain',
  'application/vnd.kubernetes.protobuf',
  ';;',
  'json',
  'application/*',
  '*/*',
  'application/json-patch+json',
  'application/cbor',
  'application/json;x',
];
const types = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/*',
  '*/*',
  'text/html',
  'application/cbor',
  'application/json;stream=watch',
  'x',
];
const forms = ['PartialObjectMetadata', 'PartialObjectMetadataList', 'Table', 'Pod', 'Status'];
const subresources = ['', 'status', 'scale', 'log', 'exec', 'binding', 'eviction', 'proxy', 'token', 'x', 'finalize', 'approval', 'attach'];

/** Almost valid methods, paths and media types. */
export function routes(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path, around } = placed(r, seeds);
  const stored = r.chance(60);
  const setup: SceneRequest[] = stored ? [...around, { method: 'POST', path: collection, body: manifest }] : [...around];
  const target = r.pick([
    () => collection,
    () => path,
    () => `${path}/${r.pick(subresources)}`,
    () => collection.replace('/namespaces/{id}', ''),
    () =>
      r.pick([
        `${collection}/`,
        `/x${collection}`,
        collection.replace('v1', 'v9'),
        '/api',
        '/apis',
        '/',
        '/api/v1',
        `${path}/a/b`,
        collection.replace('api', 'apis'),
      ]),
  ])();
  // Lists of the whole cluster have the objects of other scenes.
  const isWide = !target.includes('{id}') && /\/v\d\w*\/\w+$/.test(target);
  const drawn = r.chance(60) ? r.pick(['GET', 'POST', 'PUT', 'DELETE']) : r.pick(methods);
  const hasBody = r.chance(70);
  const call: SceneRequest = {
    method: isWide && /GET|HEAD|DELETE/.test(drawn) ? 'PUT' : drawn,
    path: r.chance(15)
      ? `${target}?${r.pick(['pretty=1', 'limit=1', 'dryRun=x', 'timeout=x', 'timeout=1s', 'includeObject=None'])}`
      : target,
    ...(hasBody ? { body: manifest, contentType: r.chance(50) ? 'application/json' : r.pick(contentTypes) } : {}),
    headers: r.chance(50) ? { Accept: accept(r) } : {},
  };
  return { setup, call };
}

function accept(r: Random): string {
  const clause = (): string => {
    const parameters = r.chance(55)
      ? `;as=${r.pick(forms)};v=${r.pick(['v1', 'v1beta1', 'v2'])};g=${r.pick(['meta.k8s.io', 'meta.k8s.io', 'x', ''])}`
      : '';
    return `${r.pick(types)}${parameters}${r.chance(15) ? `;q=${r.pick(['0', '0.5', 'x', '1'])}` : ''}`;
  };
  return Array.from({ length: 1 + r.below(2) }, clause).join(r.pick([',', ', ']));
}
