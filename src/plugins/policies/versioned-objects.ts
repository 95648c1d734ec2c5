import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import type { VersionedObjects } from '../../apiserver/webhooks/versioned-request.js';
import { versionedObjects } from '../../apiserver/webhooks/versioned-request.js';
import { copyOf } from '../../go/value.js';
import { type GroupVersionKind, printKind } from '../../kubernetes/group-version.js';
import { PlainError } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';

/** The request's objects in the versions that policies match: each version is mutated separately. */
export interface PolicyVersions {
  /** Converts the objects once. Throws StatusError. */
  readonly prepare: (kind: GroupVersionKind) => Promise<void>;
  /** Returns the objects in a prepared version, as mutated so far. */
  readonly of: (kind: GroupVersionKind) => VersionedObjects;
  readonly replace: (kind: GroupVersionKind, object: ApiObject) => void;
  /** Called for every tried mutation: the last version is used. */
  readonly use: (kind: GroupVersionKind) => void;
  /** Converts the version used last back to the request's; returns false when no mutation was applied to it. */
  readonly finish: () => Promise<boolean>;
}

/** Source: apiserver admission/plugin/policy/generic/policy_dispatcher.go versionedAttributeAccessor. */
export function newVersions(attributes: Attributes, context: AdmissionContext): PolicyVersions {
  const known = new Map<string, { objects: VersionedObjects; isDirty: boolean }>();
  const objectsIn = versionedObjects(attributes, context);
  let last: string | undefined;
  const entry = (kind: GroupVersionKind) => {
    const found = known.get(printKind(kind));
    if (found === undefined) throw new Error('a version that was not prepared');
    return found;
  };
  return {
    prepare: async kind => {
      const name = printKind(kind);
      if (!known.has(name)) known.set(name, { objects: await objectsIn(kind), isDirty: false });
    },
    of: kind => entry(kind).objects,
    replace: (kind, object) => {
      const found = entry(kind);
      found.objects = { ...found.objects, object };
      found.isDirty = true;
    },
    use: kind => {
      last = printKind(kind);
    },
    finish: async () => {
      const found = last === undefined ? undefined : known.get(last);
      const own = attributes.object;
      if (found?.isDirty !== true || found.objects.object === undefined || own === undefined) return false;
      await takeBack(own, found.objects.object, context);
      return true;
    },
  };
}

async function takeBack(own: ApiObject, changed: ApiObject, context: AdmissionContext): Promise<void> {
  const held: ApiObject = { codec: own.codec, value: copyOf(own.value) };
  let back: ApiObject;
  try {
    back = await context.toRequestVersion(changed, held);
  } catch (error) {
    if (error instanceof PlainError) throw internalError(`failed to convert object: ${error.message}`);
    throw error;
  }
  const entries = [...back.value];
  own.value.clear();
  for (const [key, value] of entries) own.value.set(key, value);
}
