import { invalid } from '../kubernetes/status-errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { copyOf, ensureMap, toValue, type Value } from '../kubernetes/value.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { createAttributes } from './create.js';
import type { ApiObject } from './objects/api-object.js';
import type { WriteOptions } from './options.js';
import { questionErrors } from './registry/validation/questions.js';

/** Resources that are questions: answered, never stored, without metadata of their own. Source: kubernetes pkg/registry/authentication, authorization. */
const virtual = new Set([
  'selfsubjectreviews',
  'tokenreviews',
  'localsubjectaccessreviews',
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
]);

/** Is this resource a question? */
export function isVirtual({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return (group === 'authentication.k8s.io' || group === 'authorization.k8s.io') && virtual.has(resource);
}

/** The validating phase and the answer to the question. Access is granted to everybody: no authorizer of a cluster is known. */
export async function answerQuestion(object: ApiObject, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  const errors = questionErrors(object.value, object.codec.kind.kind);
  // The internal type says nothing of its kind.
  if (errors.length > 0) throw invalid({ group: object.codec.kind.group, kind: '' }, '', errors);
  await context.chain.validate(createAttributes({ codec: object.codec, value: copyOf(object.value) }, options, context));
  const { kind } = object.codec.kind;
  if (kind === 'SelfSubjectReview') {
    ensureMap(object.value, 'metadata').set('creationTimestamp', timestampOf(context.effects.now()));
    object.value.set('status', toValue({ userInfo: userInfo(context) }));
  } else if (kind.endsWith('AccessReview')) object.value.set('status', toValue({ allowed: true }));
  return { code: 201, body: object.codec.encode(object.value) };
}

function userInfo({ user }: CallContext): Record<string, unknown> {
  const extra: Value = new Map([...user.extra].map(([key, values]) => [key, [...values]]));
  return { username: user.username, uid: user.uid, groups: [...user.groups], ...(user.extra.size === 0 ? {} : { extra }) };
}
