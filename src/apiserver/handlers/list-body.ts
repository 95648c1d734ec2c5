import { goString } from '../../go/json/write.js';
import { sharedGetters } from '../../go/shared-getters.js';
import { stringAt } from '../../go/value.js';
import { servedNames } from '../../kubernetes/definition-resources.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { ListMetadata } from '../report/serving.js';
import type { ListPage } from '../storage/list-objects.js';
import { textOfShownObject } from '../storage/shown-object.js';

/** Returns the answer with a list. */
export function listAnswer(page: ListPage, context: CallContext): VerbAnswer {
  const { definition, endpoint } = context;
  const custom = definition !== undefined;
  const list = {
    type: 'list',
    custom,
    kind: listKindOf(context),
    apiVersion: apiVersionOf(endpoint.resource),
    metadata: metadataOf(page),
  } as const;
  return withBody({ code: 200, shown: () => ({ ...list, items: page.objects }) }, { body: () => listBody(page, context) });
}

const withBody = sharedGetters<Pick<VerbAnswer, 'body'>>('body');

/** Returns the list for the client, as JSON. Source: apimachinery unstructured list; the built-in kinds' list types. */
function listBody(page: ListPage, { endpoint, definition }: Pick<CallContext, 'endpoint' | 'definition'>): string {
  const kind = listKindOf({ endpoint, definition });
  const items = page.objects.map(object => textOfShownObject(object, definition === undefined ? 'item' : 'full')).join(',');
  const apiVersion = goString(apiVersionOf(endpoint.resource));
  if (definition !== undefined) {
    const metadata = `{"continue":${goString(page.continue)}${remainingOf(page.remaining)},"resourceVersion":"${page.resourceVersion}"${shardsIn(page.shards)}}`;
    return `{"apiVersion":${apiVersion},"items":[${items}],"kind":${goString(kind)},"metadata":${metadata}}`;
  }
  return `{"kind":${goString(kind)},"apiVersion":${apiVersion},"metadata":${listMetadata(metadataOf(page))},"items":[${items}]}`;
}

/** Returns a list's metadata as built-in lists write them. */
export function listMetadata({ resourceVersion, continue: next, remainingItemCount, shards }: ListMetadata): string {
  const token = next === '' ? '' : `,"continue":${goString(next)}`;
  const version = resourceVersion === '' ? '' : `"resourceVersion":"${resourceVersion}"`;
  return `{${version}${token}${remainingOf(remainingItemCount)}${shardsIn(shards)}}`;
}

function remainingOf(count: number | undefined): string {
  return count === undefined ? '' : `,"remainingItemCount":${count}`;
}

function shardsIn(shards: string | undefined): string {
  return shards === undefined ? '' : `,"shardInfo":{"selector":${goString(shards)}}`;
}

function metadataOf({ resourceVersion, continue: next, remaining, shards }: ListPage): ListMetadata {
  return { resourceVersion: String(resourceVersion ?? ''), continue: next, remainingItemCount: remaining, shards };
}

function listKindOf({ endpoint, definition }: Pick<CallContext, 'endpoint' | 'definition'>): string {
  return (definition === undefined ? '' : stringAt(servedNames(definition), 'listKind')) || `${endpoint.resource.kind.kind}List`;
}
