import { writeValue } from '../../../go/json/write.js';
import { copyOf, isList, isMap, isRawJson, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiObject } from '../../objects/api-object.js';
import { semanticallyEqual } from '../../objects/semantic-equality.js';
import { checkManagedFields, ManagedFieldsError } from './entries.js';
import { setManagedFields } from './field-manager.js';

/**
 * Restores the managed fields from before the mutating phase when a webhook made them unreadable, and returns the warning for the client.
 * Source: apiserver handlers/fieldmanager/admission.go.
 */
export function restoreManagedFields(before: readonly Value[] | undefined, after: ValueMap): string | undefined {
  try {
    checkManagedFields(entriesOf(after) ?? []);
    return undefined;
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    setManagedFields(after, before, 'raw');
    const place = '.metadata.managedFields was in an invalid state after admission';
    return `${place}; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`;
  }
}

/**
 * Restores the old times of the entries when only times would change. Source: apiserver handlers/fieldmanager/equality.go
 * IgnoreManagedFieldsTimestampsTransformer.
 */
export function keepTimesOfNoop(object: ApiObject, old: ApiObject): void {
  const entries = entriesOf(object.value) ?? [];
  const before = entriesOf(old.value) ?? [];
  if (entries.length === 0 || entries.length !== before.length) return;
  if (!entries.every((entry, i) => isSameButForTime(entry, before[i] ?? null))) return;
  const changed = copyOf(object.value);
  setManagedFields(changed, before, 'raw');
  if (semanticallyEqual(object.codec.server, changed, old.value, object.codec)) setManagedFields(object.value, before, 'raw');
}

function entriesOf(value: ValueMap): readonly Value[] | undefined {
  const entries = valueAt(value, 'metadata', 'managedFields');
  return isList(entries) ? entries : undefined;
}

function isSameButForTime(entry: Value, before: Value): boolean {
  if (!isMap(entry) || !isMap(before)) return !isMap(entry) && !isMap(before);
  if (sizeWithoutTime(entry) !== sizeWithoutTime(before)) return false;
  for (const [key, value] of entry) {
    const other = before.get(key);
    if (key !== 'time' && (other === undefined || !isWrittenAlike(value, other))) return false;
  }
  return true;
}

function sizeWithoutTime(entry: ValueMap): number {
  return entry.has('time') ? entry.size - 1 : entry.size;
}

function isWrittenAlike(value: Value, other: Value): boolean {
  if (typeof value === 'string' && typeof other === 'string') return value === other;
  if (isRawJson(value) && isRawJson(other)) return value.rawJson === other.rawJson;
  return writeValue(value, 'sorted') === writeValue(other, 'sorted');
}
