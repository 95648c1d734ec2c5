import { goString } from '../../go/json/write.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { ListPage } from '../storage/list-objects.js';
import type { CallContext } from './call-context.js';

/** Returns the list that a client gets, as JSON. Source: apimachinery unstructured list; the built-in kinds' list types. */
export function listBody(page: ListPage, { endpoint, definition }: Pick<CallContext, 'endpoint' | 'definition'>): string {
  const { resource } = endpoint;
  const kind = stringAt(definition, 'spec', 'names', 'listKind') || `${resource.kind.kind}List`;
  const items = page.objects.map(o => o.codec.encode(definition === undefined ? withoutType(o.value) : o.value)).join(',');
  const apiVersion = goString(apiVersionOf(resource));
  const remaining = page.remaining === undefined ? '' : `,"remainingItemCount":${page.remaining}`;
  if (definition !== undefined) {
    const metadata = `{"continue":${goString(page.continue)}${remaining},"resourceVersion":"${page.resourceVersion}"}`;
    return `{"apiVersion":${apiVersion},"items":[${items}],"kind":${goString(kind)},"metadata":${metadata}}`;
  }
  const token = page.continue === '' ? '' : `,"continue":${goString(page.continue)}`;
  const metadata = `{"resourceVersion":"${page.resourceVersion}"${token}${remaining}}`;
  return `{"kind":${goString(kind)},"apiVersion":${apiVersion},"metadata":${metadata},"items":[${items}]}`;
}

/** Removes the type from items of built-in lists. */
function withoutType(value: ValueMap): ValueMap {
  return new Map([...value].filter(([key]) => key !== 'kind' && key !== 'apiVersion'));
}
