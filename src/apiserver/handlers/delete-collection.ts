import { stringAt } from '../../go/value.js';
import { StatusError } from '../../kubernetes/status.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { deleteOne } from '../storage/deletion.js';
import { listPage } from '../storage/list-objects.js';
import { listOptionsOf } from '../storage/list-options.js';
import { listSelectionOf } from '../storage/selection.js';
import { checkKey, decodeInRequestVersion } from '../storage/stored-object.js';
import { warnOfDependents } from './delete-object.js';
import { deleteOptions } from './delete-options.js';
import { listAnswer } from './list-body.js';

/**
 * Handles a DELETE of a collection: objects are read in pages and deleted one by one, and the first refusal ends it. Source: apiserver
 * registry/generic/registry/store.go DeleteCollection.
 */
export async function deleteCollection(context: CallContext): Promise<VerbAnswer> {
  const listOptions = listOptionsOf(context.server, context.query);
  listSelectionOf(listOptions, context);
  const options = await deleteOptions(context);
  warnOfDependents(options, context);
  const page = await listPage({ ...listOptions, isLimited: true }, context);
  for (const object of page.objects) await deleteListed(object, options, context);
  return listAnswer(page, context);
}

/** Deletes one object of the list; any 404 is ignored, also one from a webhook. */
async function deleteListed({ value }: ApiObject, options: ApiObject, context: CallContext): Promise<void> {
  const { endpoint, storage } = context;
  const stored = storage.find(endpoint.resource.kind, stringAt(value, 'metadata', 'namespace'), stringAt(value, 'metadata', 'name'));
  if (stored === undefined) return;
  checkKey(stringAt(value, 'metadata', 'name'), context);
  try {
    // Each object is read again; the admission attributes of a collection have no name.
    await deleteOne({ old: await decodeInRequestVersion(stored, context), options, name: '', fillsOptions: false }, context);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== 'NotFound') throw error;
  }
}
