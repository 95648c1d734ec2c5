import { ownMember } from '../../go/own-members.js';
import { apiVersionOf, type GroupVersionKind, printKind } from '../../kubernetes/group-version.js';
import { messageOfResponse } from '../api/responses.js';
import { isPanic } from '../api/thrown.js';

/** Object as plain data. */
// biome-ignore lint/suspicious/noExplicitAny: converters access members of user-defined types
export type PlainObject = Record<string, any>;

/** Version other than the hub. Both functions return a new object; apiVersion and kind are set first in it. */
// biome-ignore lint/suspicious/noExplicitAny: see PlainObject
export interface Spoke<Hub = any, Own = any> {
  /** Converts an object of this version to the hub. */
  readonly convertTo: (object: Own) => Hub | Promise<Hub>;
  /** Converts an object of the hub to this version. */
  readonly convertFrom: (hub: Hub) => Own | Promise<Own>;
}

export interface HubOptions {
  readonly group: string;
  readonly kind: string;
  /** Version of the hub. */
  readonly version: string;
  /** Converters by version. */
  readonly spokes: Readonly<Record<string, Spoke>>;
}

export interface VersionsOptions {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

/** Kind of objects that a conversion webhook supports. */
export interface ConvertibleKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  /** Absent: objects of the kind cannot be converted. */
  readonly convert?: ((object: PlainObject, from: string, to: string) => Promise<PlainObject>) | undefined;
}

/**
 * Returns a kind with a hub version, to and from which all others convert. Source: controller-runtime webhook/conversion
 * conversion_hubspoke.go.
 */
export function hub({ group, kind, version, spokes }: HubOptions): ConvertibleKind {
  const versions = Object.keys(spokes);
  if (versions.includes(version))
    throw new Error(`failed to create hub spoke converter for ${kind}: version ${version} is the hub and a spoke`);
  const spokeOf = (name: string): Spoke => {
    const spoke = ownMember(spokes, name);
    if (spoke === undefined) throw new TypeError(`${kind} has no version ${name}`);
    return spoke;
  };
  const named = (name: string): string => printKind({ group, version: name, kind });
  return {
    group,
    kind,
    versions: [version, ...versions],
    async convert(object, from, to) {
      if (from === version) return spokeOf(to).convertFrom(object);
      if (to === version) return spokeOf(from).convertTo(object);
      const middle: PlainObject = await explainErrors(`failed to convert spoke ${named(from)} to hub ${named(version)}`, () =>
        spokeOf(from).convertTo(object),
      );
      return explainErrors(`failed to convert hub ${named(version)} to spoke ${named(to)}`, () =>
        spokeOf(to).convertFrom(typedConversion(middle, { group, version, kind })),
      );
    },
  };
}

/** Returns a kind whose versions are known, but not convertible. */
export function versions({ group, kind, versions: names }: VersionsOptions): ConvertibleKind {
  return { group, kind, versions: names };
}

/** Returns an object with its type first. Throws TypeError for other values. */
export function typedConversion(object: unknown, type: GroupVersionKind): PlainObject {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new TypeError(`the converter returned ${Array.isArray(object) ? 'a list' : String(object)}: expected an object`);
  }
  return { kind: type.kind, apiVersion: apiVersionOf(type), ...withoutType(object) };
}

function withoutType(object: object): PlainObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object as PlainObject;
  return rest;
}

async function explainErrors<T>(message: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isPanic(error)) throw error;
    throw new Error(`${message} : ${messageOfResponse(error)}`, { cause: error });
  }
}
