import { goString } from '../encoding/go-json.js';
import { badRequest, conflict, invalid, notFound } from '../kubernetes/status-errors.js';
import { stringAt, type Value, type ValueMap, valueAt } from '../kubernetes/value.js';
import type { Attributes } from './admission/attributes.js';
import { NotReproduced } from './admission/not-reproduced.js';
import { bodyText } from './body.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import type { ApiObject } from './objects/api-object.js';
import { builtInCodec } from './objects/built-in-codec.js';
import { DecodeError } from './objects/codec.js';
import { dryRunErrors, optionsObject } from './options.js';
import { storedObject } from './stored-object.js';

/** Answers a DELETE of one object, in its simple form. Source: apiserver handlers/delete.go, registry/generic/registry/store.go Delete. */
export async function deleteObject(context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info } = context;
  const options = await deleteOptions(context);
  const old = await storedObject(context);
  if (old === undefined) throw notFound(endpoint.resource, info.name);
  if (endpoint.resource.kind.kind === 'Pod') throw new NotReproduced('the graceful deletion of pods is not reproduced yet');
  checkPreconditions(options, old, context);
  const attributes = deleteAttributes(options, old, context);
  await context.chain.admit(attributes);
  await context.chain.validate(attributes);
  return { code: 200, body: successStatus(old.value, context) };
}

/** What is known of a deletion. */
function deleteAttributes(options: ApiObject, old: ApiObject, { endpoint, info, codec, user }: CallContext): Attributes {
  const { group, version, resource } = endpoint.resource;
  return {
    operation: 'DELETE',
    kind: codec.kind,
    resource: { group, version, resource },
    subresource: info.subresource,
    name: info.name,
    namespace: info.namespace,
    object: undefined,
    oldObject: old,
    options,
    dryRun: valueAt(options.value, 'dryRun') !== undefined,
    user,
  };
}

/** The options of the body or, without one, of the query. Throws the 400 or 422 for wrong ones. */
async function deleteOptions(context: CallContext): Promise<ApiObject> {
  const members = context.call.body === undefined || context.call.body.length === 0 ? fromQuery(context) : await fromBody(context);
  const dryRun = members.find(([key]) => key === 'dryRun')?.[1];
  const errors = dryRunErrors(Array.isArray(dryRun) ? dryRun.map(String) : []);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return optionsObject('DeleteOptions', members);
}

async function fromBody(context: CallContext): Promise<[string, Value][]> {
  const kind = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };
  const codec = builtInCodec(kind);
  const { json } = await bodyText(context.call, kind);
  try {
    const value = codec?.decode(json).value ?? new Map<string, Value>();
    return [...value].filter(([key]) => key !== 'kind' && key !== 'apiVersion');
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}

function fromQuery({ query }: CallContext): [string, Value][] {
  const members: [string, Value][] = [];
  const grace = query.get('gracePeriodSeconds')?.[0];
  if (grace !== undefined) members.push(['gracePeriodSeconds', BigInt(grace)]);
  const orphan = query.get('orphanDependents')?.[0];
  if (orphan !== undefined) members.push(['orphanDependents', orphan !== 'false' && orphan !== '0']);
  const policy = query.get('propagationPolicy')?.[0];
  if (policy !== undefined) members.push(['propagationPolicy', policy]);
  const dryRun = query.get('dryRun');
  if (dryRun !== undefined) members.push(['dryRun', [...dryRun]]);
  return members;
}

/** Source: apiserver registry/rest/delete.go BeforeDelete. */
function checkPreconditions(options: ApiObject, old: ApiObject, { endpoint, info }: CallContext): void {
  for (const [field, words] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = valueAt(options.value, 'preconditions', field);
    const stored = stringAt(old.value, 'metadata', field);
    if (typeof wanted !== 'string' || wanted === stored) continue;
    const why = `the ${words} in the precondition (${wanted}) does not match the ${words} in record (${stored}). The object might have been ${field === 'uid' ? 'deleted and then recreated' : 'modified'}`;
    throw conflict({ group: endpoint.resource.group, resource: endpoint.resource.kind.kind }, info.name, why);
  }
}

/** What a client gets for an object that is gone: a Status of success that names it. */
function successStatus(old: ValueMap, { endpoint, info }: CallContext): string {
  const { group, resource } = endpoint.resource;
  const details = [
    `"name":${goString(info.name)}`,
    ...(group === '' ? [] : [`"group":${goString(group)}`]),
    `"kind":${goString(resource)}`,
    ...(stringAt(old, 'metadata', 'uid') === '' ? [] : [`"uid":${goString(stringAt(old, 'metadata', 'uid'))}`]),
  ];
  return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{${details.join(',')}}}`;
}
