import type { ApiServer } from '../../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../../kubernetes/group-version.js';
import { memoize } from '../../../kubernetes/memoize.js';
import type { ApiObject } from '../../objects/api-object.js';
import type { Codec } from '../../objects/codec.js';
import { mergeShapeOf } from '../structured-merge/shape.js';
import type { Managers } from './managers.js';
import type { UpdaterContext } from './updater.js';
import type { ManagedVersions } from './versions.js';

interface Endpoint {
  readonly codec: Pick<Codec, 'server'>;
  readonly kind: GroupVersionKind;
  readonly versions: Pick<ManagedVersions, 'typeIn'>;
  readonly filter: UpdaterContext['filter'];
}

/**
 * Returns the owners of an object that is created without managers, from `compute` for the first object of a shape. New objects of one shape have the same
 * fields: those of a folder, or of a client that creates one after another.
 */
export async function computeOwnersOfNew(
  { value }: ApiObject,
  { codec: { server }, kind, versions, filter }: Endpoint,
  compute: () => Promise<Managers>,
): Promise<Managers> {
  const apiVersion = apiVersionOf(kind);
  const type = versions.typeIn(apiVersion);
  const shape = type === undefined ? undefined : mergeShapeOf(value, type);
  if (shape === undefined) return compute();
  const owners = ownersByShape(server)(filter);
  const key = `${apiVersion}/${kind.kind}${shape}`;
  const known = owners.get(key);
  if (known !== undefined) return known;
  const computed = await compute();
  if (owners.size >= shapesKept) owners.clear();
  owners.set(key, computed);
  return computed;
}

const shapesKept = 256;

const ownersByShape = memoize((_server: ApiServer) => memoize((_filter: UpdaterContext['filter']) => new Map<string, Managers>()));
