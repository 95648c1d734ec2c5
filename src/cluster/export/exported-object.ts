import { copyOf, isMap, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { builtInResource } from '../reading/built-in-resource.js';

/** Kinds whose status affects admission: usage of quotas, phases of namespaces, accepted names of definitions. */
const kindsWithStatus: ReadonlySet<string> = new Set(['Namespace', 'ResourceQuota', 'CustomResourceDefinition']);

/** Metadata that changes without an effect, or repeats the object. */
const droppedMetadata = ['managedFields', 'resourceVersion', 'selfLink'];
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns an object in its file form: without server-side bookkeeping, and without a status that does not affect admission. */
export function exportedObject(object: ValueMap): ValueMap {
  const exported = copyOf(object);
  const kind = stringAt(exported, 'kind');
  const metadata = mapAt(exported, 'metadata');
  for (const key of droppedMetadata) metadata?.delete(key);
  if (kind !== 'CustomResourceDefinition') metadata?.delete('generation');
  const annotations = mapAt(metadata, 'annotations');
  annotations?.delete(lastApplied);
  if (annotations?.size === 0) metadata?.delete('annotations');
  if (!kindsWithStatus.has(kind) || !isMap(exported.get('status'))) exported.delete('status');
  return exported;
}

/** Returns the name of an object's file: `limitrange_team_limits.yaml`, `crontab.example.com_team_a.yaml` for custom kinds. */
export function exportedFileName(server: ApiServer, object: ValueMap): string {
  const kind = stringAt(object, 'kind');
  const group = parseApiVersion(stringAt(object, 'apiVersion'))?.group ?? '';
  const type = builtInResource(server, { group, kind }) === undefined ? `${kind}.${group}` : kind;
  const namespace = stringAt(object, 'metadata', 'namespace');
  const parts = [type.toLowerCase(), ...(namespace === '' ? [] : [namespace]), stringAt(object, 'metadata', 'name')];
  return `${parts.map(escaped).join('_')}.yaml`;
}

/** Names of roles may contain characters that file names cannot. */
function escaped(part: string): string {
  return part.replace(/[^A-Za-z0-9.-]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
