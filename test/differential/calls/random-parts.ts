import { parseApiVersion } from '../../../src/kubernetes/group-version.js';
import { schemaOfKind } from '../../../src/kubernetes/type-table.js';
import { server } from '../../support/server.js';
import type { Random } from '../random.js';
import { randomDocument } from '../random-document.js';
import { isObject, type Json, type JsonObject } from './scene.js';

/** Returns a random object of the manifest's kind, decodable as its type in most cases. */
export function randomObjectLike(r: Random, manifest: JsonObject): JsonObject {
  const [apiVersion, kind] = [String(manifest['apiVersion']), String(manifest['kind'])];
  const groupVersion = parseApiVersion(apiVersion);
  const schema = groupVersion === undefined ? undefined : schemaOfKind(server, { ...groupVersion, kind });
  if (schema === undefined) return {};
  const parsed = JSON.parse(randomDocument(r, schema, { apiVersion, kind, odd: { percent: r.pick([0, 0, 0, 1]) } })) as Json;
  return isObject(parsed) ? parsed : {};
}
