import { stringAt } from '../../go/value.js';
import { deleteOne } from '../storage/deletion.js';
import { inRequestVersion } from '../storage/stored-object.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { deleteOptions } from './delete-options.js';
import { listBody, listedObjects } from './read.js';

/** Answers a DELETE of a collection: each object is deleted by itself, the first refusal ends it. Source: apiserver registry/generic/registry/store.go DeleteCollection. */
export async function deleteCollection(context: CallContext): Promise<VerbAnswer> {
  const { endpoint, storage } = context;
  const options = await deleteOptions(context);
  const { objects } = await listedObjects(context, 0);
  for (const { value } of objects) {
    const name = stringAt(value, 'metadata', 'name');
    const stored = storage.find(endpoint.resource.kind, stringAt(value, 'metadata', 'namespace'), name);
    if (stored === undefined) continue;
    // Each is read again; the admission attributes of a collection name nothing.
    await deleteOne({ old: await inRequestVersion(stored, context), options, name: '', fillsOptions: false }, context);
  }
  return { code: 200, body: listBody(objects, context, 0) };
}
