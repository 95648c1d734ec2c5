import { copyOf, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { parseApiVersion } from '../../../kubernetes/group-version.js';
import { PlainError } from '../../../kubernetes/status.js';
import type { Atom } from '../structured-merge/atom.js';
import { type DuplicateRule, SchemaError, validateTyped } from '../structured-merge/validate.js';

/** Object as JSON in one version. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly value: Value;
}

/** Versions of a kind in which managers may own fields. */
export interface ManagedVersions {
  /** Merge type of a version; undefined when the version does not exist. */
  readonly typeIn: (apiVersion: string) => Atom | undefined;
  /**
   * Converts a copy of the object to another version, as JSON with everything that Go writes. For a version that does not exist, returns
   * undefined for a built-in kind, and throws PlainError for a custom resource.
   */
  readonly convert: (object: ValueMap, to: string, from: string) => Promise<ValueMap | undefined>;
}

/**
 * Returns the object in a version; undefined when a built-in kind does not have it. Throws SchemaError when the converted object does not
 * fit its type, and PlainError when it cannot be converted. Source: apimachinery managedfields/internal/versionconverter.go Convert.
 */
export async function convertToVersion(
  object: TypedObject,
  apiVersion: string,
  versions: ManagedVersions,
): Promise<TypedObject | undefined> {
  if (object.apiVersion === apiVersion) return object;
  if (parseApiVersion(apiVersion) === undefined) throw new PlainError(`unexpected GroupVersion string: ${apiVersion}`);
  if (!isMap(object.value)) return undefined;
  const value = await versions.convert(copyOf(object.value), apiVersion, object.apiVersion);
  return value === undefined ? undefined : typedObjectOf(value, apiVersion, { versions, rule: 'no duplicates' });
}

/** Returns the result. Puts `failed WHAT: ` before the error of a conversion or of a type, which is a PlainError then. */
export async function prefixFailedStep<T>(what: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof PlainError || error instanceof SchemaError)) throw error;
    throw new PlainError(`failed ${what}: ${error.message}`);
  }
}

/** Returns the object with its type checked. Throws SchemaError. */
export function typedObjectOf(
  value: Value,
  apiVersion: string,
  { versions, rule }: { versions: ManagedVersions; rule: DuplicateRule },
): TypedObject {
  validateTyped(value, typeOfObject({ apiVersion }, versions), rule);
  return { apiVersion, value };
}

/** Returns the type of an object whose version is known to exist. */
export function typeOfObject({ apiVersion }: { readonly apiVersion: string }, versions: ManagedVersions): Atom {
  const type = versions.typeIn(apiVersion);
  if (type === undefined) throw new Error(`no type for version ${apiVersion}`);
  return type;
}
