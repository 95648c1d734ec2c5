import { readJson } from '../../../go/json/reader.js';
import { compactRaw, goString, writeValue } from '../../../go/json/write.js';
import { compareKeys } from '../../../go/key-order.js';
import { quote } from '../../../go/quote.js';
import { isMap, isRawJson, type RawJson, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import { FieldsError, readFields, writeFields, writePlainFields } from '../structured-merge/fields-v1.js';
import type { Managed, ManagerInfo, VersionedSet } from './managers.js';

/** Invalid entries of `metadata.managedFields`; the message is the API server's. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/**
 * Decodes `metadata.managedFields`. The last of several entries with the same identity is used. Throws ManagedFieldsError. Source:
 * apimachinery managedfields/internal DecodeManagedFields.
 */
export function decodeManagedFields(entries: readonly Value[]): Managed {
  const managers = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [i, value] of entries.entries()) {
    const entry = isMap(value) ? value : new Map<string, Value>();
    const info = infoOf(entry, i);
    const id = identifierOf(info);
    managers.set(id, { set: setOf(entry), apiVersion: info.apiVersion, applied: info.operation === 'Apply' });
    const time = entry.get('time');
    if (typeof time === 'string') times.set(id, time);
    else times.delete(id);
  }
  return { managers, times };
}

/** Throws ManagedFieldsError where decoding the entries would. Fields that were encoded here are not decoded for it. */
export function checkManagedFields(entries: readonly Value[]): void {
  for (const [i, value] of entries.entries()) {
    const entry = isMap(value) ? value : new Map<string, Value>();
    infoOf(entry, i);
    const fields = entry.get('fieldsV1');
    if (!isRawJson(fields) || !written.has(fields)) setOf(entry);
  }
}

/** Texts of sets that were encoded here, which are valid. */
const written = new WeakSet<RawJson>();

/**
 * Encodes `metadata.managedFields`: keys as in the Go type, `fieldsV1` as raw JSON. undefined when there are no managers. Source:
 * apimachinery managedfields/internal encodeManagedFields.
 */
export function encodeManagedFields(server: ApiServer, { managers, times, renewed }: Managed): ValueMap[] | undefined {
  if (managers.size === 0) return undefined;
  const write = server.since('v1.38') ? writePlainFields : writeFields;
  const entries = [...managers].map(([id, { set, apiVersion, applied }]) => {
    const info = { ...readIdentifier(id), apiVersion };
    const isRenewed = renewed?.has(id) === true;
    return { info: applied ? { ...info, operation: 'Apply' as const } : info, time: times.get(id), fields: write(set), isRenewed };
  });
  entries.sort(compareEntries);
  return entries.map(({ info, time, fields, isRenewed }) => {
    const entry = entryValue(info, time, fields);
    if (isRenewed) preciseTimes.add(entry);
    return entry;
  });
}

/** Entries whose time Go holds with nanoseconds, until they are written and read again. */
const preciseTimes = new WeakSet<ValueMap>();

/** Reports whether Go holds a time of these entries more precisely than it writes it. */
export function havePreciseTime(entries: readonly Value[]): boolean {
  return entries.some(entry => isMap(entry) && preciseTimes.has(entry));
}

/**
 * Returns the identifier of a manager: JSON of its distinguishing fields. That of an applier is the same in every version. Source:
 * apimachinery managedfields/internal BuildManagerIdentifier.
 */
export function identifierOf({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  let members = '';
  const add = (key: string, value: string): void => {
    if (value !== '') members += `${members === '' ? '' : ','}"${key}":${goString(value)}`;
  };
  add('manager', manager);
  add('operation', operation);
  add('apiVersion', operation === 'Apply' ? '' : apiVersion);
  add('subresource', subresource);
  return `{${members}}`;
}

/** Parses an identifier. */
export const readIdentifier: (id: string) => ManagerInfo = memoizeStrings(1000, id => {
  const node = readJson(id);
  const member = (key: string): string => {
    const value = node.type === 'object' ? node.members.find(m => m.key === key)?.value : undefined;
    return value?.type === 'string' ? value.value : '';
  };
  return {
    manager: member('manager'),
    operation: member('operation') === 'Apply' ? 'Apply' : 'Update',
    apiVersion: member('apiVersion'),
    subresource: member('subresource'),
  };
});

/** Returns whole seconds since 1970, 0 without a time. */
export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

function infoOf(entry: ValueMap, index: number): ManagerInfo {
  const operation = stringAt(entry, 'operation');
  const apiVersion = stringAt(entry, 'apiVersion');
  const fieldsType = stringAt(entry, 'fieldsType');
  if (operation !== 'Apply' && operation !== 'Update') throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') throw new ManagedFieldsError(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`);
  return { manager: stringAt(entry, 'manager'), operation, apiVersion, subresource: stringAt(entry, 'subresource') };
}

function setOf(entry: ValueMap): VersionedSet['set'] {
  try {
    return readFields(fieldsText(entry) ?? '{}');
  } catch (error) {
    if (!(error instanceof FieldsError)) throw error;
    throw new ManagedFieldsError(`error decoding versioned set from ${printEntry(entry)}: error decoding set: ${error.message}`);
  }
}

function fieldsText(entry: ValueMap): string | undefined {
  const fields = entry.get('fieldsV1');
  if (fields === undefined || fields === null) return undefined;
  return isRawJson(fields) ? fields.rawJson : writeValue(fields, 'sorted');
}

/** Returns an entry as Go prints the struct. */
function printEntry(entry: ValueMap): string {
  const time = entry.get('time');
  const members = [
    stringAt(entry, 'manager'),
    stringAt(entry, 'operation'),
    stringAt(entry, 'apiVersion'),
    typeof time === 'string' ? `${time.replace('T', ' ').replace('Z', '')} +0000 UTC` : '<nil>',
    stringAt(entry, 'fieldsType'),
    fieldsText(entry) ?? '<nil>',
    stringAt(entry, 'subresource'),
  ];
  return `{${members.join(' ')}}`;
}

interface Entry {
  readonly info: Readonly<Record<keyof ManagerInfo, string>>;
  readonly time: string | undefined;
}

/** Returns encoded entries in the order in which the API server encodes them. */
export function sortedEntries(entries: readonly Value[]): Value[] {
  const textsOf = (value: Value): Entry => {
    const text = (name: string): string => stringAt(value, name);
    const info = {
      manager: text('manager'),
      operation: text('operation'),
      apiVersion: text('apiVersion'),
      subresource: text('subresource'),
    };
    return { info, time: text('time') || undefined };
  };
  return entries.toSorted((a, b) => compareEntries(textsOf(a), textsOf(b)));
}

function compareEntries(a: Entry, b: Entry): number {
  return (
    compareKeys(a.info.operation, b.info.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareKeys(a.info.manager, b.info.manager) ||
    compareKeys(a.info.apiVersion, b.info.apiVersion) ||
    compareKeys(a.info.subresource, b.info.subresource)
  );
}

function entryValue(info: ManagerInfo, time: string | undefined, fields: string): ValueMap {
  const fieldsV1: RawJson = { rawJson: compactRaw(fields) };
  written.add(fieldsV1);
  const entry: ValueMap = new Map();
  if (info.manager !== '') entry.set('manager', info.manager);
  entry.set('operation', info.operation);
  if (info.apiVersion !== '') entry.set('apiVersion', info.apiVersion);
  if (time !== undefined) entry.set('time', time);
  entry.set('fieldsType', 'FieldsV1').set('fieldsV1', fieldsV1);
  if (info.subresource !== '') entry.set('subresource', info.subresource);
  return entry;
}
