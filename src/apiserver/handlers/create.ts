import { copyOf, ensureMap, isMap, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { hasTrueCondition } from '../../kubernetes/definition-resources.js';
import { randomSuffix } from '../../kubernetes/generated-names.js';
import { StatusError } from '../../kubernetes/status.js';
import { alreadyExists, forbidden, generateNameConflict, internalError, invalid, unknownError } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { Attributes } from '../admission/attributes.js';
import { decodeBody, readBodyText } from '../call/body.js';
import { type CallContext, readingOf, strategyContext, type VerbAnswer } from '../call/call-context.js';
import type { WriteOptions } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { encodedObject } from '../objects/encoded-object.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import { kindInErrors } from '../registry/kind-in-errors.js';
import { commitCreation } from '../storage/commit.js';
import { writeToStorage } from '../storage/custom-storage.js';
import { decodeInRequestVersion } from '../storage/stored-object.js';
import { checkStoredSize } from '../storage/stored-size.js';
import { fillWatchCaches } from '../storage/watch-cache.js';
import { readBackFromStorage } from './answered-object.js';
import { attributesToValidate } from './attributes-to-validate.js';
import { mutate } from './mutate.js';
import { objectAnswer } from './object-answer.js';
import { dedupeOwnerReferences, ensureNamespace, resourceVersionOf, wipeSystemFields } from './object-meta.js';
import { creationOptions } from './options-of-body.js';
import { dropManagedFields, recordManagedFields } from './record-managed-fields.js';
import { restStorageOf } from './rest-storage.js';
import { storeIfValid } from './validating-phase.js';
import { writeWithinLimit } from './within-limit.js';

/** Handles a POST: the object is stored, or answered by the storage of its resource or subresource. Source: apiserver handlers/create.go, registry/generic/registry/store.go Create. */
export async function create(context: CallContext): Promise<VerbAnswer> {
  const options = creationOptions(context);
  const storage = restStorageOf(context.server, context.endpoint.resource, context.info.subresource);
  const body = await readBodyText(context.server, context.call, context.codec.kind);
  const object = decodeBody(body, readingOf(options.fieldValidation, context));
  checkDefinition(object.value, context);
  if (storage?.keepsSystemFields !== true) wipeSystemFields(object.value);
  ensureNamespace(object.value, context);
  dedupeOwnerReferences(object.value, context, 'before');
  await recordManagedFields(object, undefined, options, context);
  const attributes = createAttributes(object, options, context);
  await mutate(attributes, context);
  return await writeWithinLimit(
    at => storage?.create?.(object, { attributes, options }, at) ?? store(object, attributes, options, at),
    at => {
      dropManagedFields(object);
      mapAt(object.value, 'metadata')?.delete('resourceVersion');
      return store(object, attributes, options, at);
    },
    context,
  );
}

/** Returns the 409, which tells when the name becomes available. Source: apiserver registry/generic/registry/store.go Create, registry/rest/create.go. */
function nameExists(
  existing: ValueMap,
  { value }: ApiObject,
  { group, resource }: { readonly group: string; readonly resource: string },
): StatusError {
  const name = stringAt(value, 'metadata', 'name');
  const isGenerated = stringAt(value, 'metadata', 'generateName') !== '';
  const { status } = isGenerated ? generateNameConflict({ group, resource }, name, 1) : alreadyExists({ group, resource }, name);
  const isGoing = stringAt(existing, 'metadata', 'deletionTimestamp') !== '';
  return new StatusError(isGoing ? { ...status, message: `object is being deleted: ${status.message}` } : status);
}

/**
 * Objects cannot be created while their definition is being deleted. Source: apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go.
 */
function checkDefinition(object: ValueMap, { definition, endpoint, server }: CallContext): void {
  if (definition === undefined || stringAt(definition, 'metadata', 'deletionTimestamp') === '') return;
  // Before v1.37, objects can be created again once the definition's own finalizer is done, while another one keeps it.
  if (!server.since('v1.37') && !hasTrueCondition(definition, 'Terminating')) return;
  const why = 'create not allowed while custom resource definition is terminating';
  throw forbidden(endpoint.resource, stringAt(object, 'metadata', 'name'), why);
}

/** Attributes of a creation so far: the name may not be generated yet. */
export function createAttributes(object: ApiObject, options: WriteOptions, context: CallContext): Attributes {
  const { endpoint, info, user } = context;
  const { group, version, resource } = endpoint.resource;
  const name = info.name !== '' ? info.name : stringAt(object.value, 'metadata', 'name');
  return {
    operation: 'CREATE',
    kind: context.codec.kind,
    resource: { group, version, resource },
    subresource: info.subresource,
    name,
    namespace: namespaceOfRequest(object.value, context),
    object,
    oldObject: undefined,
    options: options.object,
    dryRun: options.dryRun,
    user,
  };
}

/** Returns the request's namespace; for a Namespace it is the name it was posted with. Source: apiserver handlers/create.go namespaceGVR. */
function namespaceOfRequest(object: ValueMap, { endpoint, info }: CallContext): string {
  const isNamespace = endpoint.resource.group === '' && endpoint.resource.resource === 'namespaces';
  if (!isNamespace || info.name !== '') return info.namespace;
  return stringAt(object, 'metadata', 'name');
}

/**
 * Stores the object: sets system metadata, applies the strategy, validates, runs the validating phase and returns the client's object. The
 * request keeps the name and namespace it was admitted with, whatever a webhook or generateName changed in the object.
 */
export async function store(given: ApiObject, admitted: Attributes, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, effects, record } = context;
  const object = generatesName(given.value) ? { ...given, value: copyOf(given.value) } : given;
  const { resource } = endpoint;
  // An object that an update of its status creates is created by the rules of its kind.
  const strategy = strategyFor(context.server, resource, '', context.definition);
  const strategies = strategyContext(context, options.dryRun);
  if (endpoint.verb !== 'create') resourceVersionOf(object.value);
  if (!isMap(object.value.get('metadata') ?? new Map())) throw internalError('system metadata was not initialized');
  const metadata = ensureMap(object.value, 'metadata');
  ensureNamespace(object.value, context);
  if (info.subresource === '') strategy.authorize?.(object.value, undefined, strategies);
  // An object created by a PUT or an apply is wiped like a posted one since v1.37, but after the mutating phase.
  if (endpoint.verb !== 'create' && context.server.since('v1.37')) wipeSystemFields(object.value);
  metadata.set('uid', effects.uid());
  metadata.set('creationTimestamp', timestampOf(effects.now()));
  const prefix = stringAt(metadata, 'generateName');
  if (stringAt(metadata, 'name') === '' && prefix !== '')
    metadata.set('name', strategy.keepsGeneratedName ? prefix : `${prefix.slice(0, 58)}${randomSuffix(effects, 5)}`);
  if (info.subresource === '') strategy.beginCreate?.(object.value, strategies);
  strategy.prepareForCreate(object.value, strategies);
  effects.steps?.enter({ kind: 'validation', phase: 'object' }, encodedObject(object));
  const errors = strategy.validate(object.value, strategies);
  const name = stringAt(metadata, 'name');
  if (errors.length > 0) throw invalid(kindInErrors(context.server, object, resource), name, errors);
  record.warnings.push(...(strategy.warningsOnCreate?.(object.value, strategies) ?? []));
  strategy.canonicalize?.(object.value, context.server);
  // Source: apiserver handlers/update.go withAuthorization.
  if (endpoint.verb !== 'create') await context.serving?.authorizeCreation?.();
  return await storeIfValid(attributesToValidate(object, admitted), context, () => commitCreated(object, name, options, context));
}

/**
 * Such an object is copied, because the API server tries several names: its parts no longer share maps, as labels of a Job share those of its
 * template. Source: apiserver registry/generic/registry/store.go createWithGenerateNameRetry.
 */
function generatesName(object: ValueMap): boolean {
  return stringAt(object, 'metadata', 'name') === '' && stringAt(object, 'metadata', 'generateName') !== '';
}

async function commitCreated(object: ApiObject, name: string, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, storage } = context;
  const { resource } = endpoint;
  const metadata = ensureMap(object.value, 'metadata');
  // An object created by a PUT or an apply loses it before storage.
  if (endpoint.verb === 'create' && !options.dryRun && /^0*[1-9]\d*$/.test(stringAt(metadata, 'resourceVersion')))
    throw unknownError('resourceVersion should not be set on objects to be created');
  const namespace = resource.namespaced ? info.namespace : '';
  const existing = storage.find(resource.kind, namespace, name);
  if (existing !== undefined) {
    // The existing object is read before the refusal, because a converter may fail at either.
    if (context.custom !== undefined) {
      await writeToStorage(object, context.custom, false);
      await decodeInRequestVersion(existing, context);
    }
    throw nameExists(existing, object, resource);
  }
  if (!options.dryRun) metadata.set('resourceVersion', '1');
  let kept: ValueMap | undefined;
  const onStored = (value: ValueMap): void => {
    if (options.dryRun) return;
    checkStoredSize({ codec: object.codec, value }, context);
    kept = value;
  };
  const commit = options.dryRun ? undefined : commitCreation(context);
  const answered = await readBackFromStorage(object, { dryRun: options.dryRun, isUpdate: false, onStored, commit }, context);
  await fillWatchCaches(kept, context);
  return objectAnswer(201, answered);
}
