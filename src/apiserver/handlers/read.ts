import { writeStatus } from '../../encoding/status-json.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { PlainError } from '../../kubernetes/status.js';
import { internalError, notFound } from '../../kubernetes/status-errors.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import { listPage, pageOfUnstored, visitEachSelected } from '../storage/list-objects.js';
import { type ListOptions, listOptionsOf } from '../storage/list-options.js';
import { revisionOf, waitForRevision } from '../storage/revision.js';
import { knownObject } from '../storage/shown-object.js';
import { isReadOfCache, readStoredObject } from '../storage/stored-object.js';
import { hasWatchCache, isInWatchCache } from '../storage/watch-cache.js';
import { listAnswer } from './list-body.js';
import { objectAnswer } from './object-answer.js';
import { partStorageOf, restStorageOf, unstoredObjectsOf } from './rest-storage.js';

/** Handles a GET of one object or subresource. Source: apiserver handlers/get.go. */
export async function get(context: CallContext): Promise<VerbAnswer> {
  const unstored = unstoredObjectsOf(context.server, context.endpoint.resource);
  if (unstored !== undefined) return getUnstored(unstored, context);
  const { live } = context.state;
  const isCached = hasWatchCache(context);
  const revision = context.query.get('resourceVersion')?.[0] ?? '';
  if (live !== undefined) await waitForRevision(revisionOf(revision, isCached ? 'read' : 'list'), live, isCached);
  const { subresource } = context.info;
  const part = partStorageOf(context);
  const read = restStorageOf(context.server, context.endpoint.resource, subresource)?.read;
  const known = subresource === '' && part === undefined && read === undefined ? knownStoredObject(context) : undefined;
  if (known !== undefined) return objectAnswer(200, () => known);
  const object = await readStoredObject(context, true);
  if (object === undefined) throw notFound(context.endpoint.resource, context.info.name);
  if (part !== undefined) {
    const shown = part.read(object, context);
    return objectAnswer(200, () => shown);
  }
  if (read !== undefined) return read(object, context);
  strategyFor(context.server, context.endpoint.resource, subresource, context.definition).decorate?.(object.value, subresource);
  return objectAnswer(200, () => object);
}

/** Returns the object of the URL if a read or a write before showed it; it is not changed. */
function knownStoredObject(context: CallContext): ApiObject | undefined {
  const { endpoint, info, storage } = context;
  const found = storage.find(endpoint.resource.kind, endpoint.resource.namespaced ? info.namespace : '', info.name);
  return found === undefined || (isReadOfCache(context) && !isInWatchCache(found, context)) ? undefined : knownObject(found, context);
}

function getUnstored(objects: readonly ValueMap[], { codec, endpoint, info }: CallContext): VerbAnswer {
  const value = objects.find(object => stringAt(object, 'metadata', 'name') === info.name);
  // Not the plural, unlike the resources that are stored.
  if (value === undefined) throw notFound({ group: '', resource: endpoint.resource.kind.kind.toLowerCase() }, info.name);
  return objectAnswer(200, () => ({ codec, value }));
}

/** Handles a GET of a collection. A watch gets the existing objects as events. Source: apiserver handlers/get.go ListResource. */
export async function list(context: CallContext): Promise<VerbAnswer> {
  const options = listOptionsOf(context.server, context.query);
  const watches = options.watch || context.info.watches;
  if (watches && context.serving !== undefined) return { code: 200, body: '', stream: await context.serving.watch(context) };
  if (watches) return { code: 200, body: (await watchEvents(options, context)).join('\n') };
  const unstored = unstoredObjectsOf(context.server, context.endpoint.resource);
  if (unstored !== undefined) return listAnswer(pageOfUnstored(unstored, options, context), context);
  return listAnswer(await listPage(options, context), context);
}

/**
 * Returns the events of a watch; an object that cannot be converted ends it. Source: apiserver storage/etcd3/watcher.go
 * transformErrorToEvent.
 */
async function watchEvents(options: ListOptions, context: CallContext): Promise<string[]> {
  const events: string[] = [];
  try {
    await visitEachSelected(options, context, ({ codec, value }) => events.push(`{"type":"ADDED","object":${codec.encode(value)}}`));
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    events.push(`{"type":"ERROR","object":${writeStatus(internalError(error.message).status)}}`);
  }
  return events;
}
