import { queryOfRequest } from '../apiserver/call/request-info.js';
import { writeValue } from '../go/json/write.js';
import { ensureMap, mapAt } from '../go/value.js';
import { itemSpans, memberSpans, objectIn, stringIn } from './json-spans.js';
import type { ShownByLog } from './known-objects.js';
import type { LoggedEvent, LoggedObjectReference } from './logged-event.js';

/** Subresources whose answer is the whole object. */
const ofWholeObject: ReadonlySet<string> = new Set(['', 'status', 'resize', 'ephemeralcontainers', 'approval', 'finalize']);

/** Subresources that change the object and answer with something else. */
const changing: ReadonlySet<string> = new Set(['scale', 'binding', 'eviction']);

/** Does the event show only another object than the one that its call changes? */
export function answersWithAnother({ objectRef: { subresource } }: LoggedEvent): boolean {
  return changing.has(subresource);
}

/**
 * Returns the objects that an event shows, or whose state it leaves unknown: the answers of reads and writes. `stored`: text of the object that a write
 * without an answer in the log, or with another object in it, has stored in the replay.
 */
export function shownBy(event: LoggedEvent, stored: string | undefined): readonly ShownByLog[] {
  const { verb, code, objectRef: reference, responseText } = event;
  if (code < 200 || code > 299 || reference.resource === '' || isDryRun(event)) return [];
  const { subresource } = reference;
  if (verb === 'list') return collectionIn(event);
  if (changing.has(subresource))
    return verb === 'get' ? [] : [{ reference, text: stored === undefined ? '' : withIdentityOf(stored, responseText) }];
  if (!ofWholeObject.has(subresource)) return [];
  const answered = objectShown(responseText, reference);
  if (verb === 'get') return answered === undefined ? [] : [answered];
  if (verb === 'delete') return reference.name === '' ? [] : [deleted(responseText, answered, reference)];
  if (verb === 'deletecollection') return collectionIn(event).map(({ reference: item }) => ({ reference: item, text: null }));
  if (!['create', 'update', 'patch'].includes(verb)) return [];
  if (answered !== undefined) return [answered];
  return reference.name === '' ? [] : [{ reference, text: stored ?? '' }];
}

/** Returns the objects that the answer to a list or to the deletion of a collection contains. */
export function collectionIn({ responseText, objectRef }: LoggedEvent): readonly ShownByLog[] {
  return listed(responseText, objectRef);
}

/** Does the answer to the deletion of a collection show the objects that it concerned? */
export function showsCollection({ responseText }: LoggedEvent): boolean {
  return responseText.includes('"items":[');
}

/** Returns the label selector of the deletion of a collection that has deleted objects which the log does not show; undefined for other events. */
export function selectorOfUnseen(event: LoggedEvent): string | undefined {
  const { verb, code, requestUri } = event;
  if (verb !== 'deletecollection' || code < 200 || code > 299 || isDryRun(event) || showsCollection(event)) return undefined;
  return queryOfRequest(requestUri).get('labelSelector')?.[0] ?? '';
}

function isDryRun({ requestUri }: LoggedEvent): boolean {
  return /[?&]dryRun=/.test(requestUri);
}

/** Returns an object with the uid and the resource version that another text names, if any: those that the API server has given it. */
export function withIdentityOf(stored: string, body: string): string {
  const object = objectIn(stored);
  const given = mapAt(objectIn(body), 'metadata');
  if (object === undefined || given === undefined) return stored;
  const metadata = ensureMap(object, 'metadata');
  for (const key of ['uid', 'resourceVersion']) {
    const value = given.get(key);
    if (typeof value === 'string' && value !== '') metadata.set(key, value);
  }
  return writeValue(object, 'kept');
}

/** The object of an answer. Tables and metadata alone show too little. */
function objectShown(text: string, reference: LoggedObjectReference): ShownByLog | undefined {
  const members = memberSpans(text, 0)?.members;
  const metadata = members?.get('metadata');
  const kind = stringIn(text, members?.get('kind'));
  if (members === undefined || metadata === undefined || ['', 'Status', 'Table', 'PartialObjectMetadata'].includes(kind)) return undefined;
  const named = memberSpans(text, metadata.start)?.members;
  const name = stringIn(text, named?.get('name')) || reference.name;
  const namespace = stringIn(text, named?.get('namespace'));
  return name === '' ? undefined : { reference: { ...reference, namespace, name }, text };
}

/** A deleted object is answered with a Status; one that is still being deleted, as it is stored. */
function deleted(text: string, answered: ShownByLog | undefined, reference: LoggedObjectReference): ShownByLog {
  if (text === '') return { reference, text: '' };
  if (answered === undefined || answered.text === null) return { reference, text: null };
  const remains = /"finalizers":\["/.test(answered.text) || /"deletionGracePeriodSeconds":[1-9]/.test(answered.text);
  return { reference, text: remains && answered.text.includes('"deletionTimestamp":"') ? answered.text : null };
}

/** Items of built-in lists have no kind of their own. */
function listed(text: string, reference: LoggedObjectReference): readonly ShownByLog[] {
  const members = memberSpans(text, 0)?.members;
  const items = members?.get('items');
  const kind = /^(.+)List$/.exec(stringIn(text, members?.get('kind')))?.[1];
  if (members === undefined || items === undefined || kind === undefined || kind === 'PartialObjectMetadata') return [];
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(stringIn(text, members.get('apiVersion')))}`;
  return (itemSpans(text, items.start) ?? []).flatMap(({ start, end }) => {
    const item = text.slice(start, end);
    const own = memberSpans(item, 0)?.members;
    if (own === undefined) return [];
    const shown = objectShown(own.has('kind') ? item : `${head},${item.slice(1)}`, reference);
    return shown === undefined ? [] : [shown];
  });
}
