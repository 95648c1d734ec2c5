import type { CallContext, VerbAnswer } from '../../../../apiserver/call/call-context.js';
import type { WriteOptions } from '../../../../apiserver/call/request-options.js';
import { createAttributes } from '../../../../apiserver/handlers/create.js';
import type { ApiObject } from '../../../../apiserver/objects/api-object.js';
import { checkKey } from '../../../../apiserver/storage/stored-object.js';
import { copyOf, type ValueMap } from '../../../../go/value.js';
import { notFound } from '../../../../kubernetes/status-errors.js';

export const success: VerbAnswer = { code: 201, body: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}' };

/** Runs the validating phase for what was posted. Throws the refusal. */
export async function validatePosted(object: ApiObject, options: WriteOptions, context: CallContext): Promise<void> {
  await context.chain.validate(createAttributes({ codec: object.codec, value: copyOf(object.value) }, options, context));
}

/** Returns the pod. Throws the 404. */
export function podNamed(name: string, context: CallContext): ValueMap {
  const { storage, info } = context;
  checkKey(name, context);
  const found = storage.find({ group: '', kind: 'Pod' }, info.namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return found;
}
