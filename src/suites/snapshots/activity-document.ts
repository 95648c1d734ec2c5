import { isMap, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { type Cleaning, cleanObject, cleanTexts } from './cleaning.js';

/** Snapshot of what clients of webhooks did during a call; undefined when they did nothing. */
export function activityDocument({ reads, writes }: ClientActivity, cleaning: Cleaning): Value | undefined {
  if (reads.length === 0 && writes.length === 0) return undefined;
  return new Map<string, Value>([
    ...(reads.length === 0 ? [] : [['reads', cleanTexts([...reads], cleaning)] as const]),
    ...(writes.length === 0 ? [] : [['writes', writes.map(write => writeDocument(write, cleaning))] as const]),
  ]);
}

function writeDocument({ request, operation, object }: ClientWrite, cleaning: Cleaning): Value {
  return new Map<string, Value>([
    ['request', cleanTexts(request, cleaning)],
    ['operation', operation],
    ['object', cleanObject(withoutVolatileMetadata(object), cleaning)],
  ]);
}

/** Metadata that the API server generates for every write. */
const generated = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']);

function withoutVolatileMetadata(object: ValueMap): ValueMap {
  const metadata = mapAt(object, 'metadata');
  if (!isMap(metadata)) return object;
  const stem = stringAt(metadata, 'generateName');
  const kept = new Map([...metadata].filter(([key]) => !generated.has(key)));
  if (stem !== '' && stringAt(metadata, 'name').startsWith(stem)) kept.set('name', `${stem}<suffix>`);
  return new Map<string, Value>([...object, ['metadata', kept]]);
}
