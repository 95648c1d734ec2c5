import { goString } from '../../go/json/write.js';
import { sharedGetters } from '../../go/shared-getters.js';
import { stringAt } from '../../go/value.js';
import { servedNames } from '../../kubernetes/definition-resources.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { ListMetadata, ShownToServing } from '../report/serving.js';
import type { ListPage } from '../storage/list-objects.js';
import { textOfShownObject } from '../storage/shown-object.js';

export type ShownList = Extract<ShownToServing, { readonly type: 'list' }>;

/** Returns the answer with a list. */
export function listAnswer(page: ListPage, context: CallContext): VerbAnswer {
  const { definition, endpoint } = context;
  const list: ShownList = {
    type: 'list',
    items: page.objects,
    custom: definition !== undefined,
    kind: listKindOf(context),
    apiVersion: apiVersionOf(endpoint.resource),
    metadata: metadataOf(page),
  };
  return withBody({ code: 200, shown: () => list }, { body: () => listText(list) });
}

const withBody = sharedGetters<Pick<VerbAnswer, 'body'>>('body');

/** A list as JSON without its items. */
export interface ListFrame {
  readonly head: string;
  readonly tail: string;
  /** Items of built-in lists have no kind. */
  readonly itemsAs: 'full' | 'item';
}

/** Returns what is around the items of a list. Source: apimachinery unstructured list; the built-in kinds' list types. */
export function listFrame({ kind, apiVersion, metadata, custom }: Omit<ShownList, 'items'>): ListFrame {
  const [name, version] = [goString(kind), goString(apiVersion)];
  if (!custom)
    return { head: `{"kind":${name},"apiVersion":${version},"metadata":${listMetadata(metadata)},"items":[`, tail: ']}', itemsAs: 'item' };
  const { continue: next, remainingItemCount, resourceVersion, shards } = metadata;
  const sorted = `{"continue":${goString(next)}${remainingOf(remainingItemCount)},"resourceVersion":"${resourceVersion}"${shardsIn(shards)}}`;
  return { head: `{"apiVersion":${version},"items":[`, tail: `],"kind":${name},"metadata":${sorted}}`, itemsAs: 'full' };
}

/** Returns a list as JSON. */
function listText(list: ShownList): string {
  const { head, tail, itemsAs } = listFrame(list);
  return `${head}${list.items.map(object => textOfShownObject(object, itemsAs)).join(',')}${tail}`;
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
