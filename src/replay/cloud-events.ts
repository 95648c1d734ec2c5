import { ownMember } from '../go/own-members.js';
import { itemSpans, memberSpans, type Span, stringIn } from './json-spans.js';

/** A JSON object and the spans of its members. */
interface Members {
  readonly text: string;
  readonly members: ReadonlyMap<string, Span>;
}

/**
 * Returns what an object of a cloud provider contains, as JSON: the event of an entry that has its own names for what is in it (a row of the tables AKSAudit
 * and AKSAuditAdmin of Azure Monitor, or a LogEntry of Google Cloud with an AuditLog of Kubernetes), or the rows of a table in an answer of Azure Monitor's API
 * for queries. Undefined for anything else.
 */
export function contentOfCloud(text: string, members: ReadonlyMap<string, Span>): readonly string[] | undefined {
  const entry = { text, members };
  if (members.has('AuditId') && members.has('RequestUri')) return [eventOfAzure(entry)];
  if (members.has('columns') && members.has('rows')) return rowsOfAzure(entry);
  const event = members.has('protoPayload') ? eventOfGoogle(entry) : undefined;
  return event === undefined ? undefined : [event];
}

/** Rows are lists of values; the columns have the names. Source: the reference of Azure Monitor's Log Analytics API about the format of responses. */
function rowsOfAzure({ text, members }: Members): readonly string[] | undefined {
  const items = (start: number | undefined): readonly Span[] | undefined => (start === undefined ? undefined : itemSpans(text, start));
  const names = items(members.get('columns')?.start)?.map(({ start }) => memberSpans(text, start)?.members.get('name'));
  const keys = names?.map(name => (name === undefined ? '' : text.slice(name.start, name.end)));
  return items(members.get('rows')?.start)?.map(row => {
    const values = (items(row.start) ?? []).map(({ start, end }, i) => [keys?.[i] ?? '', text.slice(start, end)] as const);
    return `{${values
      .filter(([key]) => key.startsWith('"'))
      .map(([key, value]) => `${key}:${value}`)
      .join(',')}}`;
  });
}

/** Columns by the members of an event. Source: the reference of Azure Monitor for the table AKSAudit. */
const columns: Readonly<Record<string, string>> = {
  auditID: 'AuditId',
  level: 'Level',
  stage: 'Stage',
  requestURI: 'RequestUri',
  verb: 'Verb',
  user: 'User',
  userAgent: 'UserAgent',
  objectRef: 'ObjectRef',
  requestObject: 'RequestObject',
  responseObject: 'ResponseObject',
  responseStatus: 'ResponseStatus',
  requestReceivedTimestamp: 'RequestReceivedTime',
  annotations: 'Annotations',
};

function eventOfAzure(row: Members): string {
  return eventText(Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, dynamicIn(row, column)])));
}

/** Objects of a column may be text. */
function dynamicIn({ text, members }: Members, name: string): string {
  const inner = stringIn(text, members.get(name));
  return inner.startsWith('{') || inner.startsWith('[') ? inner : textIn({ text, members }, name);
}

/** HTTP statuses by the codes of google.rpc.Code, as far as API servers answer with them. */
const statuses: Readonly<Record<string, number>> = { 3: 422, 5: 404, 6: 409, 7: 403, 8: 429, 10: 409, 13: 500, 16: 401 };

/** Source: the reference of Cloud Logging for LogEntry and AuditLog, and that of GKE about audit logs of the API server of Kubernetes. */
function eventOfGoogle(entry: Members): string | undefined {
  const payload = membersIn(entry, 'protoPayload');
  const method = /^.*\.(\w+)$/.exec(wordIn(payload, 'methodName'))?.[1];
  const target = targetOf(wordIn(payload, 'resourceName'));
  if (wordIn(payload, 'serviceName') !== 'k8s.io' || method === undefined || target === undefined) return undefined;
  const operation = membersIn(entry, 'operation');
  const isCreate = method === 'create' && target.subresource === '';
  const status = membersIn(payload, 'status');
  const answer = membersIn(payload, 'response');
  const isStatus = wordIn(answer, 'kind') === 'Status';
  const code = Number(
    (isStatus && textIn(answer, 'code')) || ownMember(statuses, textIn(status, 'code')) || (method === 'create' ? 201 : 200),
  );
  const isUnfinished = textIn(operation, 'first') === 'true' && textIn(operation, 'last') !== 'true';
  return eventText({
    auditID: JSON.stringify(wordIn(operation, 'id') || wordIn(entry, 'insertId')),
    level: JSON.stringify(payload.members.has('request') ? 'Request' : 'Metadata'),
    stage: JSON.stringify(isUnfinished ? 'RequestReceived' : 'ResponseComplete'),
    requestURI: JSON.stringify(isCreate ? target.collection : target.path),
    verb: JSON.stringify(method),
    user: JSON.stringify({ username: wordIn(membersIn(payload, 'authenticationInfo'), 'principalEmail') }),
    userAgent: textIn(membersIn(payload, 'requestMetadata'), 'callerSuppliedUserAgent'),
    objectRef: JSON.stringify(target.reference),
    requestObject: withoutType(payload, 'request'),
    responseObject: withoutType(payload, 'response'),
    responseStatus: JSON.stringify({ code, message: code < 300 ? '' : wordIn(status, 'message') || wordIn(answer, 'message') }),
    requestReceivedTimestamp: textIn(entry, 'timestamp'),
    annotations: textIn(entry, 'labels'),
  });
}

/** `core/v1/namespaces/shop/pods/web/binding` */
function targetOf(name: string) {
  const [group = '', version = '', ...rest] = name.split('/');
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource, own = '', subresource = ''] = isNamespaced ? rest.slice(2) : rest;
  if (resource === undefined) return undefined;
  const root = group === 'core' ? `/api/${version}` : `/apis/${group}/${version}`;
  const namespace = isNamespaced || resource === 'namespaces' ? (rest[1] ?? '') : '';
  const collection = [root, ...(isNamespaced ? rest.slice(0, 3) : [resource])].join('/');
  const reference = { apiGroup: group === 'core' ? '' : group, apiVersion: version, resource, subresource, namespace, name: own };
  return { path: [root, ...rest].join('/'), collection, subresource, reference };
}

function eventText(members: Readonly<Record<string, string>>): string {
  const present = Object.entries(members).filter(([, json]) => json !== '');
  return `{"kind":"Event","apiVersion":"audit.k8s.io/v1",${present.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** The object of a member, without the type that a protocol buffer adds. */
function withoutType(entry: Members, name: string): string {
  const { text, members } = membersIn(entry, name);
  const kept = [...members].filter(([key]) => key !== '@type');
  return members.size === 0 ? '' : `{${kept.map(([key, { start, end }]) => `${JSON.stringify(key)}:${text.slice(start, end)}`).join(',')}}`;
}

function membersIn({ text, members }: Members, name: string): Members {
  const span = members.get(name);
  return { text, members: (span === undefined ? undefined : memberSpans(text, span.start)?.members) ?? new Map() };
}

function wordIn({ text, members }: Members, name: string): string {
  return stringIn(text, members.get(name));
}

function textIn({ text, members }: Members, name: string): string {
  const span = members.get(name);
  return span === undefined ? '' : text.slice(span.start, span.end);
}
