import { ownMember } from '../go/own-members.js';
import { memoizeStrings } from '../kubernetes/memoize.js';
import { contentOfCloud } from './cloud-events.js';
import { itemSpans, memberSpans, type Span, stringIn } from './json-spans.js';

/** Where an event is in the input. Lines start at 1. */
export interface EventPlace {
  readonly source: string;
  readonly line: number;
}

/** An event of the audit log. Objects stay texts: most events are reads, or are equal to another one. */
export interface LoggedEvent {
  readonly place: EventPlace;
  readonly auditId: string;
  readonly level: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestUri: string;
  readonly username: string;
  /** Milliseconds since 1970; undefined for an event without a time. */
  readonly atMs: number | undefined;
  /** Status code and message of the answer; 0 and empty where the event has none. */
  readonly code: number;
  readonly message: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly objectRef: LoggedObjectReference;
  /** Texts of members; empty without one. The user is the one that was impersonated, if any. */
  readonly requestText: string;
  readonly responseText: string;
  readonly userText: string;
  readonly userAgent: string;
}

export interface LoggedObjectReference {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Prefix of a name that the API server generates; empty for a name that the client chose. */
  readonly generateName: string;
}

/** Events of a line, or why there are none. `foreign`: a complete line of something else. */
export type LineReading =
  | { readonly outcome: 'events'; readonly events: readonly LoggedEvent[] }
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'broken'; readonly reason: string };

/** Nested wrappers: a log shipper's object with the event as text in a member of a member. */
const deepestWrapper = 6;

/**
 * Reads the audit events of one line of a log: an event, a list of them, or either inside the JSON of a log shipper (as text or as an object), after any
 * prefix; or a line that is a list of all these, as `jq -sc` prints it. A line that mentions an event and ends early is broken.
 */
export function eventsInLine(text: string, place: EventPlace): LineReading {
  const start = text.indexOf('{');
  if (start < 0) return text.trim() === '' ? { outcome: 'foreign' } : { outcome: 'broken', reason: 'not JSON' };
  const events: LoggedEvent[] = [];
  const isList = /^\uFEFF?\s*\[\s*\{/.test(text);
  const items = isList ? itemSpans(text, text.indexOf('[')) : [{ start, end: text.length }];
  const complete = items?.map(item => collect(text, { start: item.start, place, depth: 0, events })) ?? [false];
  const isComplete = complete.every(Boolean);
  if (events.length > 0) return { outcome: 'events', events };
  return isComplete ? { outcome: 'foreign' } : { outcome: 'broken', reason: 'JSON that is cut off or invalid' };
}

interface Collecting {
  readonly start: number;
  readonly place: EventPlace;
  readonly depth: number;
  readonly events: LoggedEvent[];
}

function collect(text: string, { start, place, depth, events }: Collecting): boolean {
  const object = memberSpans(text, start);
  if (object === undefined) return false;
  const { members } = object;
  const kind = stringIn(text, members.get('apiVersion')).startsWith('audit.k8s.io/') ? stringIn(text, members.get('kind')) : '';
  if (kind === 'Event') {
    events.push(eventOf(text, members, place));
    return true;
  }
  // What API servers send to a webhook for audit events: items have no kind of their own.
  const items = kind === 'EventList' ? itemSpans(text, members.get('items')?.start ?? 0) : undefined;
  for (const item of items ?? []) events.push(eventOf(text, memberSpans(text, item.start)?.members ?? new Map(), place));
  if (items !== undefined) return true;
  if (depth === deepestWrapper) return true;
  const translated = contentOfCloud(text, members);
  if (translated !== undefined) return translated.every(object => collect(object, { start: 0, place, depth: depth + 1, events }));
  for (const span of members.values()) collectIn(text, span, { place, depth: depth + 1, events });
  return true;
}

function collectIn(text: string, span: Span, at: Omit<Collecting, 'start'>): void {
  const first = text[span.start];
  if (first === '{') collect(text, { ...at, start: span.start });
  else if (first === '[') for (const item of itemSpans(text, span.start) ?? []) collectIn(text, item, at);
  else if (first === '"') {
    const raw = text.slice(span.start, span.end);
    if (!raw.includes('audit.k8s.io/')) return;
    const inner = stringIn(text, span);
    const start = inner.indexOf('{');
    if (start >= 0) collect(inner, { ...at, start });
  }
}

function eventOf(text: string, members: ReadonlyMap<string, Span>, place: EventPlace): LoggedEvent {
  const eventMemberText = (name: string): string => {
    const span = members.get(name);
    return span === undefined ? '' : text.slice(span.start, span.end);
  };
  // In place of a large object, AKS writes the text "skipped-too-big-size-object".
  const objectOf = (name: string): string => (text[members.get(name)?.start ?? 0] === '"' ? '' : eventMemberText(name));
  const status = parsedEvent(eventMemberText('responseStatus'));
  const time = Date.parse(stringIn(text, members.get('requestReceivedTimestamp')) || stringIn(text, members.get('stageTimestamp')));
  const requestText = objectOf('requestObject');
  const userText = eventMemberText('impersonatedUser') || eventMemberText('user');
  return {
    place,
    auditId: stringIn(text, members.get('auditID')),
    level: stringIn(text, members.get('level')),
    stage: stringIn(text, members.get('stage')),
    verb: stringIn(text, members.get('verb')),
    requestUri: stringIn(text, members.get('requestURI')),
    username: usernameIn(userText),
    atMs: Number.isNaN(time) ? undefined : time,
    code: Number(status['code'] ?? 0),
    message: String(status['message'] ?? ''),
    annotations: Object.fromEntries(
      Object.entries(parsedEvent(eventMemberText('annotations'))).map(([key, value]) => [key, String(value)]),
    ),
    objectRef: { ...referenceOf(parsedEvent(eventMemberText('objectRef'))), generateName: generateNameIn(requestText) },
    requestText,
    userText,
    userAgent: stringIn(text, members.get('userAgent')),
    responseText: objectOf('responseObject'),
  };
}

/** Few users make most calls. */
const usernameIn = memoizeStrings(100, (userText: string): string => String(parsedEvent(userText)['username'] ?? ''));

function generateNameIn(object: string): string {
  if (!object.includes('"generateName"')) return '';
  const metadata = memberSpans(object, 0)?.members.get('metadata');
  const named = metadata === undefined ? undefined : memberSpans(object, metadata.start)?.members;
  return named === undefined || stringIn(object, named.get('name')) !== '' ? '' : stringIn(object, named.get('generateName'));
}

function referenceOf(reference: Readonly<Record<string, unknown>>): Omit<LoggedObjectReference, 'generateName'> {
  const at = (name: string): string => String(ownMember(reference, name) ?? '');
  return { group: at('apiGroup'), resource: at('resource'), subresource: at('subresource'), namespace: at('namespace'), name: at('name') };
}

/** Members of a small object without numbers that could lose digits. */
function parsedEvent(text: string): Readonly<Record<string, unknown>> {
  if (!text.startsWith('{')) return {};
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
