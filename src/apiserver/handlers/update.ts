import { copyOf, ensureMap, listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { invalidValue } from '../../kubernetes/field-error.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { StatusError } from '../../kubernetes/status.js';
import { badRequest, conflict, invalid, notFound } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import { decodeBody, readBodyText } from '../call/body.js';
import { type CallContext, readingOf, strategyContext, type VerbAnswer } from '../call/call-context.js';
import { asCreateOptions, type WriteOptions } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { encodedObject } from '../objects/encoded-object.js';
import { keepTimesOfNoop } from '../patches/managed-fields/after-admission.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import { kindInErrors } from '../registry/kind-in-errors.js';
import type { Strategy } from '../registry/strategy.js';
import { commitRemoval, commitUpdate, isStoredInOtherForm } from '../storage/commit.js';
import { isSameStoredForm, isStoredOtherwise } from '../storage/stored-form.js';
import { readStoredObject } from '../storage/stored-object.js';
import { checkStoredSize } from '../storage/stored-size.js';
import { fillWatchCaches, objectInStorage } from '../storage/watch-cache.js';
import { readBackFromStorage } from './answered-object.js';
import { copyBeforeStorage } from './attributes-to-validate.js';
import { createAttributes, store } from './create.js';
import { mutate } from './mutate.js';
import { objectAnswer } from './object-answer.js';
import { checkHasResourceVersion, dedupeOwnerReferences, ensureNamespace, resourceVersionOf } from './object-meta.js';
import { updateOptions } from './options-of-body.js';
import { dropManagedFields, type RecordFields, recordManagedFields } from './record-managed-fields.js';
import { storeIfValid } from './validating-phase.js';
import { writeWithinLimit } from './within-limit.js';

/** Handles a PUT. Source: apiserver handlers/update.go, registry/generic/registry/store.go Update. */
export async function update(context: CallContext): Promise<VerbAnswer> {
  const options = updateOptions(context);
  const body = await readBodyText(context.server, context.call, context.endpoint.resource.kind);
  const object = decodeBody(body, readingOf(options.fieldValidation, context));
  ensureNamespace(object.value, context);
  checkObjectName(object.value, context);
  dedupeOwnerReferences(object.value, context, 'before');
  const attemptWith = (recordFields: RecordFields): UpdateAttempt => {
    const attempt: UpdateAttempt = async at => {
      const old = await readStoredObject(at, options.dryRun);
      // Only storage that may create the object compares the uid with that of no object.
      if (old === undefined && !createsOnUpdate(at)) throw notFound(at.endpoint.resource, at.info.name);
      checkUid(object.value, old?.value, options.dryRun, at);
      const copy = { codec: object.codec, value: copyOf(object.value) };
      if (old === undefined) return createByUpdate(copy, { options, recordFields }, at);
      const change = { object: copy, old, options };
      await recordFields(change.object, old, options, at);
      await mutate(updateAttributes(change, at), at);
      return storeUpdate(change, attempt, at);
    };
    return attempt;
  };
  return writeWithinLimit(attemptWith(recordManagedFields), attemptWith(dropManagedFields), context);
}

/** Update, starting with the read of the stored object. */
export type UpdateAttempt = (context: CallContext) => Promise<VerbAnswer>;

/** New object and the stored object it replaces. */
export interface UpdateChange {
  readonly object: ApiObject;
  readonly old: ApiObject;
  readonly options: WriteOptions;
}

/** Returns the attributes of an update. */
export function updateAttributes({ object, old, options }: UpdateChange, { endpoint, info, codec, user }: CallContext): Attributes {
  const { group, version, resource } = endpoint.resource;
  return {
    operation: 'UPDATE',
    kind: codec.kind,
    resource: { group, version, resource },
    subresource: info.subresource,
    name: info.name,
    namespace: info.namespace,
    object,
    oldObject: old,
    options: options.object,
    dryRun: options.dryRun,
    user,
  };
}

/** Completes an update after the mutating phase; the whole update is retried once where storage requires it. */
export async function storeUpdate(
  { object, old, options }: UpdateChange,
  attempt: UpdateAttempt,
  context: CallContext,
): Promise<VerbAnswer> {
  const { endpoint, record, definition } = context;
  const strategies = strategyContext(context, options.dryRun);
  const strategy = strategyFor(context.server, endpoint.resource, strategies.subresource, definition);
  if (strategies.subresource === '') strategy.authorize?.(object.value, old.value, strategies);
  checkResourceVersion(object.value, old.value, context);
  checkHasResourceVersion(object);
  ensureNamespace(object.value, context);
  strategy.beginUpdate?.(object.value, old.value, strategies);
  const before = decorated(old, strategy, strategies.subresource);
  copyIfSet(old.value, object.value, 'generation');
  strategy.prepareForUpdate(object.value, old.value, strategies);
  fillSystemFields(object.value, old.value);
  context.effects.steps?.enter({ kind: 'validation', phase: 'object' }, encodedObject(object));
  const errors = strategy.validateUpdate(object.value, old.value, strategies);
  if (errors.length > 0)
    throw invalid(kindInErrors(context.server, object, endpoint.resource), stringAt(object.value, 'metadata', 'name'), errors);
  record.warnings.push(...(strategy.warningsOnUpdate?.(object.value, old.value, strategies) ?? []));
  strategy.canonicalize?.(object.value, context.server);
  keepTimesOfNoop(object, old);
  const shown = context.shownAs ?? (strategy.decorate === undefined ? copyBeforeStorage : deepCopy);
  const change = { object: shown(object), old: context.shownAs === undefined ? before : shown(old), options };
  return storeIfValid(updateAttributes(change, context), context, async () => {
    if (context.again !== undefined && !options.dryRun && (await isOutdated(object, old, context))) return attempt(context.again());
    const answered = await writeUpdate({ object, old, options }, context);
    if (context.shownAs === undefined) return objectAnswer(200, answered);
    const { codec } = object;
    const seen = shown({ codec, value: codec.decode(codec.encode(answered().value)).value });
    return objectAnswer(200, () => seen);
  });
}

function deepCopy({ codec, value }: ApiObject): ApiObject {
  return { codec, value: copyOf(value) };
}

/** Reports whether storage has another form of an unchanged object than the watch cache, from which the update started. */
function isOutdated(object: ApiObject, old: ApiObject, context: CallContext): boolean | Promise<boolean> {
  if (context.state.live === undefined || context.custom === undefined) return isStoredOtherwise(object, old, context);
  return context.state.options.watchCache && isStoredInOtherForm(object, old, context);
}

/** Returns the stored object as validating webhooks see it: an update of the object itself decorates it, without writing that. */
function decorated(old: ApiObject, { decorate }: Strategy, subresource: string): ApiObject {
  if (decorate === undefined) return old;
  const value = copyOf(old.value);
  decorate(value, subresource);
  return { codec: old.codec, value };
}

/**
 * Writes the object and returns it as stored; skips the write when nothing changed. An object whose last finalizer is removed during its
 * deletion is removed too.
 */
async function writeUpdate({ object, old, options }: UpdateChange, context: CallContext): Promise<() => ApiObject> {
  const write = { dryRun: options.dryRun, isUpdate: true };
  if (isFinished(object.value, old.value, context)) {
    if (!options.dryRun) {
      await fillWatchCaches(objectInStorage(old.value, context), context);
      commitRemoval(old, context);
    }
    strategyFor(context.server, context.endpoint.resource, context.info.subresource, context.definition).decorate?.(
      object.value,
      context.info.subresource,
    );
    return () => object;
  }
  // Storage compares custom resources as they are stored.
  const isCompared = context.state.live !== undefined && context.custom !== undefined;
  if (options.dryRun || (!isCompared && isSameStoredForm(object, old))) return readBackFromStorage(object, write, context);
  let stored: ValueMap | undefined;
  const revision = BigInt(/^\d+$/.exec(stringAt(old.value, 'metadata', 'resourceVersion'))?.[0] ?? 0);
  const onStored = (value: ValueMap): void => {
    checkStoredSize({ codec: object.codec, value }, context, revision);
    stored = value;
  };
  const answered = await readBackFromStorage(object, { ...write, onStored, commit: commitUpdate(old.value, context) }, context);
  await fillWatchCaches(stored, context);
  return answered;
}

/** Source: apiserver registry/generic/registry/store.go ShouldDeleteDuringUpdate. */
function isFinished(object: ValueMap, old: ValueMap, { server, endpoint }: CallContext): boolean {
  if (deletionRulesOf(server, endpoint.resource).firstMark?.keeps?.(object) === true) return false;
  const seconds = mapAt(old, 'metadata')?.get('deletionGracePeriodSeconds');
  const isBeingDeleted = stringAt(old, 'metadata', 'deletionTimestamp') !== '';
  return isBeingDeleted && listAt(object, 'metadata', 'finalizers').length === 0 && (seconds === undefined || seconds === 0n);
}

async function createByUpdate(
  object: ApiObject,
  { options, recordFields }: { readonly options: WriteOptions; readonly recordFields: RecordFields },
  context: CallContext,
): Promise<VerbAnswer> {
  const creation = { ...options, object: asCreateOptions(context.server, options) };
  await recordFields(object, undefined, creation, context);
  const attributes = createAttributes(object, creation, context);
  await mutate(attributes, context);
  // A resourceVersion in the body is ignored here, unlike in a POST.
  return store(object, attributes, creation, context);
}

/** Reports whether an update of a missing object creates it. */
export function createsOnUpdate({ endpoint, info, definition, server }: CallContext): boolean {
  return strategyFor(server, endpoint.resource, info.subresource, definition).allowsCreateOnUpdate;
}

/** Checks that the body names the URL's object. Source: apiserver handlers/update.go checkName. */
export function checkObjectName(object: ValueMap, { info }: CallContext): void {
  const name = stringAt(object, 'metadata', 'name');
  if (name === '') throw badRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`);
  if (name !== info.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
}

/** Refuses a uid that differs from the stored one with the storage precondition's error, before admission. */
export function checkUid(object: ValueMap, old: ValueMap | undefined, isDryRun: boolean, { server, endpoint, info }: CallContext): void {
  const uid = stringAt(object, 'metadata', 'uid');
  const stored = stringAt(old, 'metadata', 'uid');
  if (uid === '' || uid === stored) return;
  throw preconditionFailed(server, 'UID', { wanted: uid, stored }, { resource: endpoint.resource, info, isDryRun });
}

/** Returns the 409 of an object that is not the one in a precondition. Source: apiserver storage Preconditions.Check. */
export function preconditionFailed(
  server: ApiServer,
  field: 'UID' | 'ResourceVersion',
  { wanted, stored }: { readonly wanted: string; readonly stored: string },
  {
    resource,
    info,
    isDryRun,
  }: {
    readonly resource: Pick<Resource, 'group' | 'resource' | 'namespaced' | 'custom'>;
    readonly info: Named;
    readonly isDryRun: boolean;
  },
): StatusError {
  // The key of a dry run has no etcd prefix.
  const namespace = resource.namespaced ? `/${info.namespace}` : '';
  const key = `${isDryRun ? '' : '/registry'}/${server.storageFactory.prefixOf(resource)}${namespace}/${info.name}`;
  const why = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${stored}`;
  const message = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return conflict(resource, info.name, message);
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** Checks the resourceVersion for optimistic locking. Source: apiserver registry/generic/registry/store.go. */
function checkResourceVersion(object: ValueMap, old: ValueMap, context: CallContext): void {
  const { endpoint, info, definition } = context;
  const metadata = ensureMap(object, 'metadata');
  const sent = stringAt(metadata, 'resourceVersion');
  const stored = stringAt(old, 'metadata', 'resourceVersion');
  const version = resourceVersionOf(object);
  if (version === 0n) {
    if (!strategyFor(context.server, endpoint.resource, info.subresource, definition).allowsUnconditionalUpdate) {
      const resource = { group: endpoint.resource.group, kind: endpoint.resource.resource };
      throw invalid(resource, info.name, [invalidValue('metadata.resourceVersion', 0n, 'must be specified for an update')]);
    }
    if (stored !== '') metadata.set('resourceVersion', stored);
    return;
  }
  if (sent !== stored) {
    throw conflict(
      endpoint.resource,
      info.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

/** Restores the fields that a client cannot change from the stored object. Source: apiserver registry/rest/update.go BeforeUpdate. */
function fillSystemFields(object: ValueMap, old: ValueMap): void {
  const metadata = ensureMap(object, 'metadata');
  if (stringAt(metadata, 'uid') === '') copyIfSet(old, object, 'uid');
  copyIfSet(old, object, 'creationTimestamp');
  if (stringAt(old, 'metadata', 'deletionTimestamp') !== '') copyIfSet(old, object, 'deletionTimestamp');
  if (metadata.get('deletionGracePeriodSeconds') === undefined) copyIfSet(old, object, 'deletionGracePeriodSeconds');
}

/** Restores a metadata field from the stored object; removes it when absent there. */
function copyIfSet(old: ValueMap, object: ValueMap, field: string): void {
  const stored = mapAt(old, 'metadata')?.get(field);
  const metadata = ensureMap(object, 'metadata');
  if (stored === undefined) metadata.delete(field);
  else metadata.set(field, stored);
}
