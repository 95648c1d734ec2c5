import { encodeBase64 } from '../encoding/go-base64.js';
import { goString, writeValue } from '../encoding/go-json.js';
import { writeStatus } from '../encoding/status-json.js';
import { addNote } from '../kubernetes/call-notes.js';
import { apiVersionOf } from '../kubernetes/group-version.js';
import { PlainError } from '../kubernetes/status.js';
import { internalError, notFound } from '../kubernetes/status-errors.js';
import { stringAt, type ValueMap } from '../kubernetes/value.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { revisionOf, waitForRevision } from './list-options.js';
import { listPage } from './list-page.js';
import { objectAnswer } from './object-answer.js';
import type { ApiObject } from './objects/api-object.js';
import { checkContainer } from './pod-container.js';
import { strategyFor } from './registry/strategy-for.js';
import { readScale } from './scale.js';
import { selectionOf } from './selection.js';
import { inRequestVersion, storedObject } from './stored-object.js';

/** Answers a GET of one object, or of a part of it. Source: apiserver handlers/get.go. */
export async function get(context: CallContext): Promise<VerbAnswer> {
  const { live } = context.state;
  if (live !== undefined) await waitForRevision(revisionOf(context.query.get('resourceVersion')?.[0] ?? '', 'read'), live);
  const object = await storedObject(context);
  if (object === undefined) throw notFound(context.endpoint.resource, context.info.name);
  if (context.info.subresource === 'scale') return { code: 200, body: readScale(object, context) };
  if (context.info.subresource === 'log') return readLog(object.value, context);
  strategyFor(context.endpoint.resource, context.info.subresource, context.definition).decorate?.(object.value);
  return objectAnswer(200, () => object);
}

/** A pod that no node runs has no log. Source: kubernetes pkg/registry/core/pod/strategy.go LogLocation. */
function readLog(pod: ValueMap, { query, record }: CallContext): VerbAnswer {
  checkContainer(pod, query.get('container')?.[0] ?? '');
  addNote(record, 'what a log holds and its options are not reproduced: no webhook sees them');
  return { code: stringAt(pod, 'spec', 'nodeName') === '' ? 204 : 200, body: '' };
}

/** Answers a GET of a collection. A watch gets what there is, as events. Source: apiserver handlers/get.go ListResource. */
export async function list(context: CallContext): Promise<VerbAnswer> {
  const { live } = context.state;
  if (live !== undefined) return listPage(context, live);
  const watches = ['true', '1'].includes(context.query.get('watch')?.[0] ?? '');
  const limit = Number(context.query.get('limit')?.[0] ?? 0);
  if (watches) return { code: 200, body: (await watchEvents(context)).join('\n') };
  const { objects, left } = await listedObjects(context, limit);
  return { code: 200, body: listBody(objects, context, left) };
}

/** An object that cannot be shown ends a watch. Source: apiserver storage/etcd3/watcher.go transformErrorToEvent. */
async function watchEvents(context: CallContext): Promise<string[]> {
  const events: string[] = [];
  const found: Found = { passed: 0, total: 0 };
  try {
    for await (const { codec, value } of selectedObjects(context, found)) events.push(`{"type":"ADDED","object":${codec.encode(value)}}`);
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    events.push(`{"type":"ERROR","object":${writeStatus(internalError(error.message).status)}}`);
  }
  return events;
}

/** How far a collection was gone through. */
interface Found {
  passed: number;
  total: number;
}

/** Objects of a collection that a call selects, by name as the store keeps them; at most `limit` (0: all). */
export async function listedObjects(context: CallContext, limit: number): Promise<{ objects: ApiObject[]; left: number }> {
  const found: Found = { passed: 0, total: 0 };
  const objects: ApiObject[] = [];
  for await (const object of selectedObjects(context, found)) {
    objects.push(object);
    if (objects.length === limit) break;
  }
  return { objects, left: found.total - found.passed };
}

async function* selectedObjects(context: CallContext, progress: Found): AsyncGenerator<ApiObject> {
  const { endpoint, info, storage } = context;
  const { resource } = endpoint;
  const selection = selectionOf(context);
  const namespace = resource.namespaced && info.namespace !== '' ? info.namespace : undefined;
  const found = [...storage.list(resource.kind, namespace)].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  progress.total = found.length;
  for (const stored of found) {
    progress.passed += 1;
    if (selection.name !== undefined && stringAt(stored, 'metadata', 'name') !== selection.name) continue;
    const object = await inRequestVersion(stored, context);
    if (selection.matches(object.value)) yield object;
  }
}

/** The list that a client gets. Source: apimachinery unstructured list; the built-in kinds' list types. */
export function listBody(objects: readonly ApiObject[], context: CallContext, left: number): string {
  const { resource } = context.endpoint;
  const kind = stringAt(context.definition, 'spec', 'names', 'listKind') || `${resource.kind.kind}List`;
  // A list is as new as the collection, whatever it selects of it.
  const all = context.storage.list(resource.kind, undefined);
  const version = all.reduce((most, object) => Math.max(most, Number(stringAt(object, 'metadata', 'resourceVersion')) || 0), 1);
  const items = objects.map(o => o.codec.encode(context.definition === undefined ? withoutType(o.value) : o.value)).join(',');
  const apiVersion = goString(apiVersionOf(resource));
  const last = objects.at(-1);
  const token = left > 0 && last !== undefined ? continueToken(last.value, version) : '';
  const remaining = left > 0 ? `,"remainingItemCount":${left}` : '';
  if (context.definition !== undefined) {
    const metadata = `{"continue":${goString(token)}${remaining},"resourceVersion":"${version}"}`;
    return `{"apiVersion":${apiVersion},"items":[${items}],"kind":${goString(kind)},"metadata":${metadata}}`;
  }
  const metadata = `{"resourceVersion":"${version}"${token === '' ? '' : `,"continue":${goString(token)}`}${remaining}}`;
  return `{"kind":${goString(kind)},"apiVersion":${apiVersion},"metadata":${metadata},"items":[${items}]}`;
}

/** Items of built-in lists do not say what they are. */
function withoutType(value: ValueMap): ValueMap {
  return new Map([...value].filter(([key]) => key !== 'kind' && key !== 'apiVersion'));
}

function continueToken(last: ValueMap, version: number): string {
  const start = `${stringAt(last, 'metadata', 'name')}\u0000`;
  const text = writeValue(
    new Map<string, string | bigint>([
      ['v', 'meta.k8s.io/v1'],
      ['rv', BigInt(version)],
      ['start', start],
    ]),
    'kept',
  );
  return encodeBase64(Buffer.from(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function keyOf(object: ValueMap): string {
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
