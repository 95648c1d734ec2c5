import { goString } from '../../go/json/write.js';
import { stringAt } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { ListPage } from '../storage/list-objects.js';
import { shownText } from '../storage/shown-object.js';
import type { CallContext, VerbAnswer } from './call-context.js';

/** Returns the answer with a list. */
export function listAnswer(page: ListPage, context: CallContext): VerbAnswer {
  const { definition, endpoint } = context;
  const metadata = { resourceVersion: String(page.resourceVersion), continue: page.continue, remainingItemCount: page.remaining };
  const custom = definition !== undefined;
  const list = { type: 'list', custom, kind: listKindOf(context), apiVersion: apiVersionOf(endpoint.resource), metadata } as const;
  return {
    code: 200,
    shown: () => ({ ...list, items: page.objects }),
    get body() {
      return listBody(page, context);
    },
  };
}

/** Returns the list for the client, as JSON. Source: apimachinery unstructured list; the built-in kinds' list types. */
function listBody(page: ListPage, { endpoint, definition }: Pick<CallContext, 'endpoint' | 'definition'>): string {
  const kind = listKindOf({ endpoint, definition });
  const items = page.objects.map(object => shownText(object, definition === undefined ? 'item' : 'full')).join(',');
  const apiVersion = goString(apiVersionOf(endpoint.resource));
  const remaining = page.remaining === undefined ? '' : `,"remainingItemCount":${page.remaining}`;
  if (definition !== undefined) {
    const metadata = `{"continue":${goString(page.continue)}${remaining},"resourceVersion":"${page.resourceVersion}"}`;
    return `{"apiVersion":${apiVersion},"items":[${items}],"kind":${goString(kind)},"metadata":${metadata}}`;
  }
  const token = page.continue === '' ? '' : `,"continue":${goString(page.continue)}`;
  const metadata = `{"resourceVersion":"${page.resourceVersion}"${token}${remaining}}`;
  return `{"kind":${goString(kind)},"apiVersion":${apiVersion},"metadata":${metadata},"items":[${items}]}`;
}

function listKindOf({ endpoint, definition }: Pick<CallContext, 'endpoint' | 'definition'>): string {
  return stringAt(definition, 'spec', 'names', 'listKind') || `${endpoint.resource.kind.kind}List`;
}
