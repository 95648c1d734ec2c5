import { decodeBody, readBodyText } from '../../../apiserver/call/body.js';
import { type CallContext, readingOf, type VerbAnswer } from '../../../apiserver/call/call-context.js';
import { type WriteOptions, writeOptions } from '../../../apiserver/call/request-options.js';
import { applyClientPatch, checkIsJson, type PatchType } from '../../../apiserver/handlers/apply-client-patch.js';
import { mutate } from '../../../apiserver/handlers/mutate.js';
import { dedupeOwnerReferences, ensureNamespace } from '../../../apiserver/handlers/object-meta.js';
import { updateOptions } from '../../../apiserver/handlers/options-of-body.js';
import { checkMetadata } from '../../../apiserver/handlers/patch-metadata.js';
import { recordManagedFields } from '../../../apiserver/handlers/record-managed-fields.js';
import type { PartStorage } from '../../../apiserver/handlers/rest-storage.js';
import { checkObjectName, checkUid, storeUpdate, updateAttributes } from '../../../apiserver/handlers/update.js';
import type { ApiObject } from '../../../apiserver/objects/api-object.js';
import { schemeName } from '../../../apiserver/objects/not-registered.js';
import { decodeManagedFields, encodeManagedFields } from '../../../apiserver/patches/managed-fields/entries.js';
import { setManagedFields } from '../../../apiserver/patches/managed-fields/field-manager.js';
import { ownersAfterScale, ownersOfScale } from '../../../apiserver/patches/managed-fields/scale-owners.js';
import { accessorError, valueAtPath } from '../../../apiserver/registry/custom/scale-paths.js';
import { finalizerNameErrors } from '../../../apiserver/registry/object-errors.js';
import { objectMetaErrors } from '../../../apiserver/registry/object-meta.js';
import { readStoredObject } from '../../../apiserver/storage/stored-object.js';
import { copyOf, ensureMap, listAt, mapAt, numberAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { PlainError, StatusError } from '../../../kubernetes/status.js';
import { badRequest, conflict, internalError, invalid, notFound, unknownError } from '../../../kubernetes/status-errors.js';
import { replicasPathsOf, type ScalePaths, scalePathsOf } from './scale-paths.js';

/** Storage of the Scale of any object, built-in or custom. */
export const scaleStorage: PartStorage = { read: readScale, update: updateScale, patch: patchScale, change: changeScale };

/** Replicas that a Scale shows when its object does not set them. */
const unsetReplicas = -2147483648n;

/** Returns the Scale of an object, as a GET answers it. */
function readScale(parent: ApiObject, context: CallContext): ApiObject {
  const paths = scalePathsOf(context);
  const scale = scaleOf(parent, paths, context);
  if (context.definition !== undefined && replicasAt(parent.value, paths.spec) === undefined)
    throw internalError(`the spec replicas field "${paths.spec}" does not exist`);
  return scale;
}

/** Handles a PUT of a Scale. Source: apiextensions-apiserver registry/customresource/etcd.go ScaleREST, kubernetes pkg/registry/apps. */
async function updateScale(context: CallContext): Promise<VerbAnswer> {
  const options = updateOptions(context);
  const object = await scaleInBody(context, options);
  ensureNamespace(object.value, context);
  checkObjectName(object.value, context);
  dedupeOwnerReferences(object.value, context, 'before');
  return changeScale(context, options, async (old, at) => {
    checkUid(object.value, old.value, options.dryRun, at);
    const scale = { codec: object.codec, value: copyOf(object.value) };
    await recordManagedFields(scale, old, options, at);
    return scale;
  });
}

/** Handles a PATCH of a Scale. */
async function patchScale(context: CallContext, type: Exclude<PatchType, 'apply'>, text: string): Promise<VerbAnswer> {
  const options = writeOptions(context.server, 'PatchOptions', context.query);
  checkIsJson(context.server, text);
  return changeScale(context, options, async (old, at) => {
    const { object, warnings } = applyClientPatch({ type, text, validation: options.fieldValidation }, old);
    at.record.warnings.push(...warnings);
    await recordManagedFields(object, old, options, at);
    checkMetadata(object, at);
    return object;
  });
}

/** Changes the Scale of the URL's object: `make` returns the new Scale from the current one. */
async function changeScale(
  context: CallContext,
  options: WriteOptions,
  make: (old: ApiObject, context: CallContext) => Promise<ApiObject>,
): Promise<VerbAnswer> {
  const attempt = async (at: CallContext): Promise<VerbAnswer> => {
    const parent = await readStoredObject(at, options.dryRun);
    if (parent === undefined) throw notFound(at.endpoint.resource, at.info.name);
    const old = oldScaleOf(parent, at);
    const change = { object: await make(old, at), old, options };
    await mutate(updateAttributes(change, at), at);
    const paths = scalePathsOf(at);
    const scaled = { object: scaledObject(change.object, parent, at), old: parent, options };
    return storeUpdate(scaled, attempt, { ...at, shownAs: shown => scaleOf(shown, paths, at) });
  };
  return attempt(context);
}

async function scaleInBody(context: CallContext, options: WriteOptions): Promise<ApiObject> {
  const body = await readBodyText(context.server, context.call, context.codec.kind);
  try {
    return decodeBody(body, readingOf(options.fieldValidation, context));
  } catch (error) {
    // Endpoints of custom resources cannot name a Scale in an error.
    if (error instanceof StatusError && context.definition !== undefined && error.status.code === 400)
      throw badRequest(`no kind is registered for the type v1.Scale in scheme "${schemeName(context.server)}"`);
    throw error;
  }
}

/** Returns the stored object with the replicas of the new Scale. */
function scaledObject(scale: ApiObject, parent: ApiObject, context: CallContext): ApiObject {
  const paths = scalePathsOf(context);
  const object = { codec: parent.codec, value: copyOf(parent.value) };
  const replicas = valueAt(scale.value, 'spec', 'replicas') ?? 0n;
  if (replicas === unsetReplicas) throw badRequest(`the spec replicas field "${paths.spec}" cannot be empty`);
  const errors = context.definition === undefined ? scaleErrors(context.server, scale.value, context.endpoint.resource) : [];
  if (errors.length > 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, context.info.name, errors);
  checkOwnUid(scale, parent, context);
  setAtPath(object.value, paths.spec, replicas);
  const resourceVersion = stringAt(scale.value, 'metadata', 'resourceVersion');
  if (resourceVersion !== '') ensureMap(object.value, 'metadata').set('resourceVersion', resourceVersion);
  const owners = ownersAfterScale(ownersIn(parent.value), ownersIn(scale.value), {
    apiVersion: apiVersionOf(parent.codec.kind),
    paths: replicasPathsOf(context),
  });
  setManagedFields(object.value, encodeManagedFields(context.server, owners), context.definition === undefined ? 'raw' : 'untyped');
  return object;
}

/** Refuses a Scale whose uid differs from the object's. */
function checkOwnUid(scale: ApiObject, parent: ApiObject, { endpoint, info, definition }: CallContext): void {
  const [uid, stored] = [scale, parent].map(object => stringAt(object.value, 'metadata', 'uid'));
  if (uid === '' || uid === stored || definition !== undefined) return;
  const { group, resource } = endpoint.resource;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`;
  throw conflict({ group, resource: `${resource}/scale` }, info.name, why);
}

function ownersIn(object: ValueMap): ReturnType<typeof decodeManagedFields> {
  return decodeManagedFields(listAt(object, 'metadata', 'managedFields'));
}

/** Returns the stored Scale for the field manager and the mutating phase, with the owners of its replicas. */
function oldScaleOf(parent: ApiObject, context: CallContext): ApiObject {
  const paths = scalePathsOf(context);
  const scale = scaleOf(parent, paths, context);
  if (replicasAt(parent.value, paths.spec) === undefined) ensureMap(scale.value, 'spec').set('replicas', unsetReplicas);
  const owners = encodeManagedFields(context.server, ownersOfScale(ownersIn(parent.value), replicasPathsOf(context)));
  if (owners !== undefined && owners.length > 0) setManagedFields(scale.value, owners, 'raw');
  return scale;
}

function scaleOf(parent: ApiObject, paths: ScalePaths, { codec }: Pick<CallContext, 'codec'>): ApiObject {
  const metadata: ValueMap = new Map();
  for (const name of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']) {
    const value = valueAt(parent.value, 'metadata', name);
    if (value !== undefined) metadata.set(name, value);
  }
  const status: ValueMap = new Map([['replicas', replicasAt(parent.value, paths.status) ?? 0n]]);
  const selector = selectorOf(parent.value, paths);
  if (selector !== '') status.set('selector', selector);
  const value: ValueMap = new Map<string, Value>([
    ['kind', 'Scale'],
    ['apiVersion', 'autoscaling/v1'],
    ['metadata', metadata],
    ['spec', new Map([['replicas', replicasAt(parent.value, paths.spec) ?? 0n]])],
    ['status', status],
  ]);
  return { codec, value };
}

function replicasAt(object: ValueMap, path: string): bigint | undefined {
  const found = valueAtPath(object, path);
  if ('error' in found) throw unknownError(found.error);
  if (found.value === undefined || typeof found.value === 'bigint') return found.value;
  throw unknownError(accessorError(path.replace(/^\./, '').split('.'), found.value, 'int64'));
}

function selectorOf(object: ValueMap, { selector }: ScalePaths): string {
  if (selector === undefined) return '';
  if (typeof selector === 'function') return selector(object);
  const found = valueAtPath(object, selector);
  if ('error' in found) throw new PlainError(found.error);
  return typeof found.value === 'string' ? found.value : '';
}

function setAtPath(object: ValueMap, path: string, value: Value): void {
  const steps = path.replace(/^\./, '').split('.');
  const last = steps.pop() ?? '';
  let at = object;
  for (const step of steps) at = mapAt(at, step) ?? ensureMap(at, step);
  at.set(last, value);
}

/** Validates the Scale of a built-in resource's object. Source: kubernetes pkg/apis/autoscaling/validation ValidateScale. */
function scaleErrors(server: ApiServer, scale: ValueMap, resource: Resource): FieldError[] {
  const own = { ...resource, group: 'autoscaling', resource: 'scales' };
  const replicas = numberAt(scale, 'spec', 'replicas');
  // Since v1.37 other metadata of a Scale is ignored, because it is not stored.
  const isMetadataValidated = server.until('v1.36');
  return [
    ...(isMetadataValidated ? [...objectMetaErrors(server, scale, own), ...finalizerNameErrors(server, scale, own)] : []),
    ...(replicas < 0n ? [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
  ];
}
