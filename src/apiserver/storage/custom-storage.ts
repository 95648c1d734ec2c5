import { copyOf, ensureMap, listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { PlainError } from '../../kubernetes/status.js';
import { kindOf } from '../../kubernetes/storage.js';
import { codecFor } from '../call/codec-for.js';
import { type CustomVersions, convertCustom } from '../call/convert-object.js';
import type { ApiObject } from '../objects/api-object.js';
import { type Codec, DecodeError } from '../objects/codec.js';
import { type CustomCodec, isCustomCodec } from '../objects/custom-codec.js';
import { rejectAsCorrupt } from './corrupt-object.js';

/**
 * Returns a stored custom resource in the request's version: decoded in its stored version, converted, and pruned by the request's version.
 * An object that the state shows in another version is converted to its stored version first, for the defaults of that version. The
 * resourceVersion is set last. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go.
 */
export async function readFromStorage(stored: ValueMap, custom: CustomVersions, codec: Codec): Promise<ApiObject> {
  const value = copyOf(stored);
  const metadata = ensureMap(value, 'metadata');
  const resourceVersion = metadata.get('resourceVersion');
  metadata.delete('resourceVersion');
  const own = customCodecFor(codec.server, apiVersionOf(kindOf(value)), custom);
  own.coerce(value, 'storage');
  const version = custom.storedVersion(stored);
  if (version === own.kind.version) own.applyDefaults(value);
  const isOnlyShown = version !== undefined && version !== own.kind.version && own.kind.version !== codec.kind.version;
  const shown = await coerceToCodec(isOnlyShown ? await convertToStoredForm(codec.server, value, version, custom) : value, codec, custom);
  if (resourceVersion !== undefined) ensureMap(shown, 'metadata').set('resourceVersion', resourceVersion);
  return { codec, value: shown };
}

/** Returns an object in the version in which it is stored, with the defaults of that version. */
async function convertToStoredForm(server: ApiServer, value: ValueMap, version: string, custom: CustomVersions): Promise<ValueMap> {
  const codec = customCodecFor(server, apiVersionOf({ ...kindOf(value), version }), custom);
  const stored = await coerceToCodec(value, codec, custom);
  codec.applyDefaults(stored);
  return stored;
}

/**
 * Returns the stored form of an object: converted to the storage version and pruned by it; unchanged when that is its own. With
 * `keepsResourceVersion` (a dry run of an update) it keeps its resourceVersion.
 */
export async function writeToStorage(object: ApiObject, custom: CustomVersions, keepsResourceVersion: boolean): Promise<ValueMap> {
  const value = copyOf(object.value);
  if (!keepsResourceVersion) mapAt(value, 'metadata')?.delete('resourceVersion');
  const apiVersion = apiVersionOf({ ...object.codec.kind, version: storageVersion(custom.definition) });
  return stringAt(value, 'apiVersion') === apiVersion
    ? value
    : coerceToCodec(value, customCodecFor(object.codec.server, apiVersion, custom), custom);
}

/** Options for writing an object to storage. */
export interface Kept {
  readonly keepsResourceVersion: boolean;
  /** Stores the object and returns its resourceVersion; undefined if it is not stored. */
  readonly onStored?: ((stored: ValueMap) => string | undefined) | undefined;
}

/** Returns the client's object after a write: converted to the stored form and back. */
export async function convertThroughStorage(
  object: ApiObject,
  custom: CustomVersions,
  { keepsResourceVersion, onStored }: Kept,
): Promise<ValueMap> {
  const before = valueAt(object.value, 'metadata', 'resourceVersion');
  const stored = await writeToStorage(object, custom, keepsResourceVersion);
  const resourceVersion = onStored?.(stored) ?? before;
  const own = customCodecFor(object.codec.server, stringAt(stored, 'apiVersion'), custom);
  own.coerce(stored, 'storage');
  own.applyDefaults(stored);
  const value = await rejectAsCorrupt(
    object.codec.server,
    coerceToCodec(stored, object.codec, custom),
    stored,
    String(resourceVersion ?? ''),
  );
  if (resourceVersion !== undefined) ensureMap(value, 'metadata').set('resourceVersion', resourceVersion);
  return value;
}

/** Returns the storage version of a definition. */
export function storageVersion(definition: ValueMap): string {
  const versions = listAt(definition, 'spec', 'versions');
  return stringAt(versions.find(v => valueAt(v, 'storage') === true) ?? versions[0], 'name');
}

async function coerceToCodec(value: ValueMap, codec: Codec, custom: CustomVersions): Promise<ValueMap> {
  const wanted = apiVersionOf(codec.kind);
  const converted = stringAt(value, 'apiVersion') === wanted ? value : await convertCustom(value, codec.kind, custom);
  if (isCustomCodec(codec)) coerceConverted(converted, codec);
  return converted;
}

/** Throws PlainError for metadata that cannot be read. */
function coerceConverted(value: ValueMap, codec: CustomCodec): void {
  try {
    codec.coerce(value, 'converter');
  } catch (error) {
    throw error instanceof DecodeError ? new PlainError(error.message) : error;
  }
}

/** Returns the codec for custom resources in one version of a definition. */
export function customCodecFor(server: ApiServer, apiVersion: string, { definition }: CustomVersions): CustomCodec {
  const [group = '', version = ''] = apiVersion.split('/');
  const codec = codecFor(server, { group, version, kind: stringAt(definition, 'spec', 'names', 'kind') }, definition);
  if (!isCustomCodec(codec)) throw new Error(`no custom resource: ${apiVersion}`);
  return codec;
}
