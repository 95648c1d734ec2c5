import { isPrintable } from '../../go/printable.js';
import { decodeGoUtf8 } from '../../go/utf8.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { CallContext } from '../call/call-context.js';
import { convertTo } from '../call/convert-object.js';
import type { WriteOptions } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { encodedObject } from '../objects/encoded-object.js';
import { builtInVersions } from '../patches/managed-fields/built-in-versions.js';
import { type FieldManager, setManagedFields, updateManagedFields } from '../patches/managed-fields/field-manager.js';
import type { ManagedVersions } from '../patches/managed-fields/versions.js';
import type { Atom } from '../patches/structured-merge/atom.js';
import { atomOfDefinition } from '../patches/structured-merge/definition-atom.js';
import { resetFields } from './reset-fields.js';

/** Records field ownership in `metadata.managedFields`, before admission. Source: apiserver handlers/create.go, update.go, patch.go. */
export async function recordManagedFields(
  object: ApiObject,
  live: ApiObject | undefined,
  options: WriteOptions,
  context: CallContext,
): Promise<void> {
  if (context.state.leavesManagedFields === true && !isCustomCodec(object.codec)) {
    const entries = listAt(live?.value, 'metadata', 'managedFields');
    setManagedFields(object.value, entries.length === 0 ? undefined : entries, 'raw');
    return;
  }
  context.effects.steps?.enter({ kind: 'managedFields', phase: 'request' }, encodedObject(object));
  const change = { live, object, manager: managerOf(options, context), now: timestampOf(context.effects.now()) };
  writeManagedFields(object, await updateManagedFields(change, fieldManagerOf(context)));
}

/** Records which fields an object has of the stored one and of a request. */
export type RecordFields = (...of: Parameters<typeof recordManagedFields>) => Promise<void> | void;

/** Removes the managed fields of an object that is too large for etcd with them. */
export function dropManagedFields(object: ApiObject): void {
  writeManagedFields(object, undefined);
}

/** Writes the entries into the metadata, in the form of the kind's objects. */
export function writeManagedFields(object: ApiObject, entries: readonly Value[] | undefined): void {
  setManagedFields(object.value, entries, isCustomCodec(object.codec) ? 'untyped' : 'raw');
}

/** Returns the field manager of a call's endpoint. */
export function fieldManagerOf({ endpoint, info, codec, custom: crd, served, server }: CallContext): FieldManager {
  const isCustomPart = crd !== undefined && info.subresource === 'scale';
  const versions =
    crd === undefined || isCustomPart
      ? builtInVersions(server, codec.kind, served.groups)
      : customVersions(server, crd.definition, (object, to) => convertTo(object, to, crd));
  const { group, resource, custom, subresources } = endpoint.resource;
  const hasStatus = subresources.some(s => s.name === 'status');
  return {
    kind: codec.kind,
    subresource: info.subresource,
    codec,
    versions,
    filter: resetFields(server, { group, resource, custom, subresource: info.subresource, hasStatus }),
    isCustomPart,
  };
}

/** Returns the manager of a call, as managed fields name it. */
export function managerOf(options: WriteOptions, { call }: CallContext): string {
  return managerName(options.fieldManager, call.userAgent ?? '');
}

/** Returns the versions of a custom resource, by its definition. Conversion is the definition's own and may call a webhook. */
function customVersions(server: ApiServer, definition: ValueMap, convert: ManagedVersions['convert']): ManagedVersions {
  const types = new Map<string, Atom>();
  for (const version of listAt(definition, 'spec', 'versions')) {
    if (isMap(version)) types.set(stringAt(version, 'name'), atomOfDefinition(server, mapAt(version, 'schema', 'openAPIV3Schema')));
  }
  const group = stringAt(definition, 'spec', 'group');
  return {
    typeIn: apiVersion => {
      const found = parseApiVersion(apiVersion);
      return found?.group === group ? types.get(found.version) : undefined;
    },
    convert,
  };
}

/** Max bytes of a manager's name. */
const maximumLength = 128;

/**
 * Returns the manager of a request: the client's fieldManager, or its User-Agent up to the first slash, without unprintable characters.
 * Empty means `unknown`. Source: apiserver handlers/create.go managerOrUserAgent.
 *
 * Clients send the characters of a header as one byte each, and Go reads the bytes as UTF-8.
 */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager;
  let name = '';
  for (const character of decodeGoUtf8(Buffer.from(userAgent.split('/', 1)[0] ?? '', 'latin1'))) {
    if (!isPrintable(character)) continue;
    if (Buffer.byteLength(name) + Buffer.byteLength(character) > maximumLength) break;
    name += character;
  }
  return name;
}
