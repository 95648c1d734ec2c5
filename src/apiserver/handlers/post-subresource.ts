import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../../go/value.js';
import { type FieldError, invalidValue, notSupported, printFieldErrors, required } from '../../kubernetes/field-error.js';
import { serverOptions } from '../../kubernetes/server-options.js';
import { badRequest, conflict, invalid, notFound, unknownError } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { WriteOptions } from '../endpoints/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { checkKey } from '../storage/stored-object.js';
import { bodyText, decodeBody } from './body.js';
import { type CallContext, readingOf, type VerbAnswer } from './call-context.js';
import { createAttributes } from './create.js';
import { budgetRefusal } from './disruption-budgets.js';
import { evictPod } from './eviction.js';
import { mutate } from './mutate.js';
import { objectBody } from './object-answer.js';
import { ensureNamespace, wipeSystemFields } from './object-meta.js';
import { creationOptions } from './options-of-body.js';

import { assignPod } from './pod-binding.js';
import { recordManagedFields } from './record-managed-fields.js';
import type { TokenDemand } from './serving.js';
import { preconditionFailed } from './update.js';

/** Object that is posted and not stored: runs after the mutating phase and returns the client's answer. */
type Posted = (object: ApiObject, options: WriteOptions, context: CallContext) => Promise<VerbAnswer>;

const success: VerbAnswer = { code: 201, body: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}' };

const posted: Readonly<Record<string, Posted>> = { eviction: evict, binding: bind, token: issueToken, bindings: bind };

/** Reports whether a POST to this endpoint does not create a stored object. */
export function isPosted({ endpoint, info }: CallContext): boolean {
  return postedName(endpoint.resource.resource, info.subresource) in posted;
}

/**
 * Handles a POST to a subresource, or of a Binding: admission runs first, the lookup after it. Source: apiserver handlers/create.go, the
 * kinds' storages.
 */
export async function postSubresource(context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, call } = context;
  const options = creationOptions(context);
  const object = decodeBody(await bodyText(context.server, call, context.codec.kind), readingOf(options.fieldValidation, context));
  const name = postedName(endpoint.resource.resource, info.subresource);
  // A Binding's uid and resourceVersion are preconditions for its pod, and a TokenRequest's uid is one for its account.
  if (name !== 'binding' && name !== 'token') wipeSystemFields(object.value);
  ensureNamespace(object.value, context);
  await recordManagedFields(object, undefined, options, context);
  await mutate(createAttributes(object, options, context), context);
  const handler = posted[name];
  if (handler === undefined) throw new Error(`nothing is posted to ${name}`);
  return handler(object, options, context);
}

function postedName(resource: string, subresource: string): string {
  return subresource === '' ? resource : subresource;
}

async function validate(object: ApiObject, options: WriteOptions, context: CallContext): Promise<void> {
  await context.chain.validate(createAttributes({ codec: object.codec, value: copyOf(object.value) }, options, context));
}

const unsafeDelete = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Source: kubernetes pkg/registry/core/pod/storage/eviction.go. */
async function evict(object: ApiObject, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  if (stringAt(object.value, 'metadata', 'name') !== context.info.name)
    throw badRequest('name in URL does not match name in Eviction object');
  if (valueAt(object.value, 'deleteOptions', unsafeDelete) === true) {
    const words = 'can not be set for pod eviction, try after removing the option';
    throw invalid({ group: 'policy', kind: 'Eviction' }, context.info.name, [invalidValue(`deleteOptions.${unsafeDelete}`, true, words)]);
  }
  await validate(object, options, context);
  const pod = podOf(context.info.name, context);
  const refused = budgetRefusal(pod, context.storage);
  if (refused !== undefined) throw refused;
  if (!options.dryRun) await evictPod(pod, object, context);
  return success;
}

/** Source: kubernetes pkg/registry/core/pod/storage/storage.go BindingREST. */
async function bind(object: ApiObject, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  const name = stringAt(object.value, 'metadata', 'name');
  if (context.info.name !== '' && name !== context.info.name) throw badRequest('name in URL does not match name in Binding object');
  const wrong = bindingErrors(object.value);
  if (wrong.length > 0) throw unknownError(printFieldErrors(wrong));
  await validate(object, options, context);
  if (name === '') throw badRequest('Name parameter required.');
  const pod = podOf(name, context);
  checkPreconditions(object.value, pod, options, context);
  const refused = bindingRefusal(pod, name);
  if (refused !== undefined) throw conflict({ group: '', resource: 'pods/binding' }, name, refused);
  if (!options.dryRun) assignPod(pod, object.value, context);
  return success;
}

/** Source: core/validation ValidatePodBinding. */
function bindingErrors(binding: ValueMap): FieldError[] {
  const [kind, name] = [stringAt(binding, 'target', 'kind'), stringAt(binding, 'target', 'name')];
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name', '')] : []),
  ];
}

/** A Binding's uid and resourceVersion must be those of the pod. Source: apiserver storage Preconditions.Check. */
function checkPreconditions(binding: ValueMap, pod: ValueMap, { dryRun }: WriteOptions, { info }: CallContext): void {
  const target = { resource: { group: '', resource: 'pods', namespaced: true }, isDryRun: dryRun };
  for (const [member, field] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = stringAt(binding, 'metadata', member);
    const stored = stringAt(pod, 'metadata', member);
    if (wanted !== '' && wanted !== stored)
      throw preconditionFailed(
        field,
        { wanted, stored },
        { ...target, info: { namespace: info.namespace, name: stringAt(pod, 'metadata', 'name') } },
      );
  }
}

function bindingRefusal(pod: ValueMap, name: string): string | undefined {
  if (valueAt(pod, 'metadata', 'deletionTimestamp') !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const node = stringAt(pod, 'spec', 'nodeName');
  if (node !== '') return `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
  return listAt(pod, 'spec', 'schedulingGates').length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function podOf(name: string, context: CallContext): ValueMap {
  const { storage, info } = context;
  checkKey(name, context);
  const found = storage.find({ group: '', kind: 'Pod' }, info.namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return found;
}

/** Source: kubernetes pkg/registry/core/serviceaccount/storage/token.go. */
async function issueToken(object: ApiObject, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  const { info, storage, effects, endpoint } = context;
  checkKey(info.name, context);
  const account = storage.find({ group: '', kind: 'ServiceAccount' }, info.namespace, info.name);
  if (account === undefined) throw notFound(endpoint.resource, info.name);
  const metadata = ensureMap(object.value, 'metadata');
  const uid = stringAt(account, 'metadata', 'uid');
  const claimed = stringAt(metadata, 'uid');
  if (claimed !== '' && claimed !== uid) {
    const why = `the UID in the token request (${claimed}) does not match the UID of the service account (${uid})`;
    throw conflict({ group: 'authentication.k8s.io', resource: 'TokenRequest' }, info.name, why);
  }
  metadata.set('name', info.name);
  metadata.set('uid', uid);
  metadata.set('creationTimestamp', timestampOf(effects.now()));
  const spec = ensureMap(object.value, 'spec');
  if (listAt(spec, 'audiences').length === 0) spec.set('audiences', [...serverOptions(context.state.flags).apiAudiences]);
  object.value.delete('status');
  const errors = lifetimeErrors(spec);
  if (errors.length > 0) throw invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', errors);
  await validate(object, options, context);
  checkBoundObject(mapAt(spec, 'boundObjectRef'), context);
  const seconds = Number(spec.get('expirationSeconds') ?? 3600n);
  const expires = timestampOf(new Date(effects.now().getTime() + seconds * 1000));
  const token =
    context.serving?.issueToken?.({
      namespace: info.namespace,
      name: info.name,
      uid,
      audiences: listAt(spec, 'audiences').map(String),
      seconds,
      boundTo: boundObject(mapAt(spec, 'boundObjectRef'), context),
      now: effects.now(),
    }) ?? 'not-a-token';
  object.value.set('status', toValue({ token, expirationTimestamp: expires }));
  return objectBody(201, object);
}

/** Source: authentication/validation ValidateTokenRequest. */
function lifetimeErrors(spec: ValueMap): FieldError[] {
  const seconds = spec.get('expirationSeconds');
  const refused = (words: string): FieldError[] => [
    invalidValue('spec.expirationSeconds', typeof seconds === 'bigint' ? seconds : 0n, words),
  ];
  if (typeof seconds === 'bigint' && seconds < 600n) return refused('may not specify a duration less than 10 minutes');
  return typeof seconds === 'bigint' && seconds > 1n << 32n ? refused('may not specify a duration larger than 2^32 seconds') : [];
}

function boundObject(reference: ValueMap | undefined, { info, storage }: CallContext): TokenDemand['boundTo'] {
  if (reference === undefined) return undefined;
  const [kind, name] = [stringAt(reference, 'kind'), stringAt(reference, 'name')];
  const found = storage.find({ group: '', kind }, kind === 'Node' ? '' : info.namespace, name);
  return { kind, name, uid: stringAt(found, 'metadata', 'uid') };
}

/** The object a token is bound to must exist. */
function checkBoundObject(reference: ValueMap | undefined, { info, storage }: CallContext): void {
  if (reference === undefined) return;
  const kind = stringAt(reference, 'kind');
  const name = stringAt(reference, 'name');
  const found = storage.find({ group: '', kind }, kind === 'Node' ? '' : info.namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: `${kind.toLowerCase()}s` }, name);
}
