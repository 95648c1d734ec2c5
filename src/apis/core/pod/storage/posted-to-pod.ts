import type { CallContext, VerbAnswer } from '../../../../apiserver/call/call-context.js';
import type { WriteOptions } from '../../../../apiserver/call/request-options.js';
import { createAttributes } from '../../../../apiserver/handlers/create.js';
import type { ApiObject } from '../../../../apiserver/objects/api-object.js';
import { checkKey } from '../../../../apiserver/storage/stored-object.js';
import { writeStatus } from '../../../../encoding/status-json.js';
import { copyOf, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { notFound } from '../../../../kubernetes/status-errors.js';

/** Returns the answer to an eviction or a binding, since v1.38 with the resourceVersion that the pod has after it. */
export function podAnswer(server: ApiServer, resourceVersion: string): VerbAnswer {
  const metadata = server.since('v1.38') ? { resourceVersion } : undefined;
  return { code: 201, body: writeStatus({ metadata, status: 'Success', code: 201 }) };
}

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
