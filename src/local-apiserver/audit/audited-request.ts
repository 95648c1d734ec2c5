import type { ApiObject } from '../../apiserver/objects/api-object.js';
import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { isValidJson } from '../../go/json/valid.js';
import { compactRaw, writeValue } from '../../go/json/write.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { isLongRunning } from '../access/request-attributes.js';
import { type HttpReply, headerOfRequest, type Incoming } from '../http/exchange.js';
import { type AuditEvent, type AuditObjectReference, auditLine, referenceOf } from './audit-event.js';
import { type AuditLevel, type AuditPolicy, type AuditStage, auditDecision } from './audit-policy.js';

/** Options of an audit log. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  /** Appends a line to the log. */
  readonly write: (line: string) => void;
}

/** A request whose events are logged. */
export interface AuditedRequest {
  /** Whether the contents of responses are logged. */
  readonly wantsResponse: boolean;
  /** `constraint`: the verb of the mode that allowed it. */
  impersonated(user: UserInfo, constraint: string | undefined): void;
  annotate(annotations: Readonly<Record<string, string>>): void;
  /** The decoded body. */
  requestObject(object: ApiObject): void;
  requestPatch(body: Uint8Array): void;
  /** Logs the response, and the end of its stream; `json` is the body as JSON. Returns the reply to send. */
  responded(reply: HttpReply, json: string | undefined): HttpReply;
}

/** A request as it was authenticated. */
export interface AuditedCall {
  readonly request: Incoming;
  readonly auditId: string;
  /** Undefined if the authentication failed. */
  readonly user: UserInfo | undefined;
  readonly question: AuthorizerQuestion;
  readonly apiVersion: string;
  readonly received: Date;
  readonly now: () => Date;
}

/** Logs that a request was received; undefined if it is not logged. Source: apiserver endpoints/filters/audit.go, authn_audit.go. */
export function auditedRequest({ policy, write }: AuditOptions, call: AuditedCall): AuditedRequest | undefined {
  const { request, question, now } = call;
  const decision = auditDecision(policy, question);
  const { level } = decision;
  if (level === 'None') return undefined;
  const event = newEvent(call, level);
  let isWritable = true;
  const log = (stage: AuditStage, at: Date): void => {
    if (isWritable && !decision.omitStages.includes(stage)) write(auditLine(event, stage, at));
  };
  const isFailed = call.user === undefined;
  const logsStart = isFailed || isLongRunning(question);
  const shown = (json: string): string => (decision.omitManagedFields ? withoutManagedFields(json) : compactRaw(json));
  if (!isFailed) log('RequestReceived', call.received);
  return {
    wantsResponse: level === 'RequestResponse',
    impersonated: (user, constraint) => {
      event.impersonatedUser = user;
      event.impersonationConstraint = constraint;
    },
    annotate: annotations => {
      for (const [key, value] of Object.entries(annotations)) event.annotations.set(key, value);
    },
    requestObject: ({ codec, value }) => {
      event.reference = referenceWith(event.reference, value);
      if (level !== 'Metadata') event.requestObject = shown(codec.encode(value)).replace(optionsKind, internalOptionsKind);
    },
    requestPatch: body => {
      const json = Buffer.from(body).toString('utf8');
      if (level === 'Metadata') return;
      if (isValidJson(json)) event.requestObject = compactRaw(json);
      // Upstream cannot encode events with a patch in YAML, and drops them.
      else isWritable = false;
    },
    responded: (reply, json) => {
      event.responseStatus = statusText(reply.status, json, isFailed ? failureMessage(request) : '');
      // Other documents, such as the version, are not objects.
      const isObject = json !== undefined && reply.stream === undefined && /^\{\s*"kind":/.test(json);
      if (level === 'RequestResponse' && isObject) event.responseObject = shown(json);
      if (logsStart) log('ResponseStarted', now());
      if (isFailed) return reply;
      if (reply.stream === undefined) {
        log('ResponseComplete', now());
        return reply;
      }
      return { ...reply, stream: { ...reply.stream, start: loggedEnd(reply.stream.start, () => log('ResponseComplete', now())) } };
    },
  };
}

function newEvent({ request, auditId, user, question, apiVersion, received }: AuditedCall, level: AuditLevel): AuditEvent {
  return {
    level,
    auditId,
    requestUri: request.url,
    verb: question.verb,
    user,
    sourceIps: sourceIpsOf(request),
    userAgent: userAgentOf(headerOfRequest(request, 'user-agent') ?? ''),
    received,
    impersonatedUser: undefined,
    impersonationConstraint: undefined,
    reference: referenceOf(question, apiVersion),
    responseStatus: undefined,
    requestObject: undefined,
    responseObject: undefined,
    annotations: new Map(),
  };
}

/** Completes the reference of a request by the object in its body. */
function referenceWith(reference: AuditObjectReference | undefined, object: ValueMap): AuditObjectReference | undefined {
  if (reference === undefined) return undefined;
  const metadata = mapAt(object, 'metadata');
  const named = (key: 'name' | 'namespace' | 'uid' | 'resourceVersion'): string => reference[key] || stringAt(metadata, key);
  return { ...reference, name: named('name'), namespace: named('namespace'), uid: named('uid'), resourceVersion: named('resourceVersion') };
}

/** Options are decoded to their internal version. */
const optionsKind = '"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1"';
const internalOptionsKind = '"kind":"DeleteOptions","apiVersion":"meta.k8s.io/__internal"';

type Start = NonNullable<HttpReply['stream']>['start'];

/** Calls `ended` when the client or the server ends a stream. */
function loggedEnd(start: Start, ended: () => void): Start {
  return ({ send, end }) => {
    let isOver = false;
    const once = (): void => {
      if (!isOver) ended();
      isOver = true;
    };
    const endOnce = (): void => {
      once();
      end();
    };
    const stop = start({ send, end: endOnce });
    return () => {
      once();
      stop();
    };
  };
}

/** The bounded fields of a Status; other responses have only their code. Source: apiserver audit/context.go LogResponseObject. */
function statusText(code: number, json: string | undefined, message: string): string {
  const status = json?.includes('"Status"') === true ? readUnstructured(json) : undefined;
  if (!isMap(status ?? null) || stringAt(status as Map<string, Value>, 'kind') !== 'Status') {
    return `{"metadata":{},${message === '' ? '' : `"message":${JSON.stringify(message)},`}"code":${code}}`;
  }
  const members = ['status', 'message', 'reason', 'details'].flatMap((key): [string, Value][] => {
    const value = (status as Map<string, Value>).get(key);
    return value === undefined ? [] : [[key, value]];
  });
  return writeValue(new Map<string, Value>([['metadata', new Map()], ...members, ['code', BigInt(code)]]), 'kept');
}

function withoutManagedFields(json: string): string {
  const value = readUnstructured(json);
  const owned = [value, ...(isMap(value) ? listAt(value, 'items') : [])];
  for (const object of owned) if (isMap(object) && !isList(object)) mapAt(object, 'metadata')?.delete('managedFields');
  return writeValue(value, 'kept');
}

function sourceIpsOf(request: Incoming): string[] {
  const forwarded = (headerOfRequest(request, 'x-forwarded-for') ?? '').split(',').map(part => part.trim());
  const all = [...forwarded, headerOfRequest(request, 'x-real-ip') ?? '', request.remoteAddress ?? ''];
  return [...new Set(all.filter(address => address !== ''))];
}

const maxUserAgentLength = 1024;

function userAgentOf(userAgent: string): string {
  return userAgent.length > maxUserAgentLength ? `${userAgent.slice(0, maxUserAgentLength)}...TRUNCATED` : userAgent;
}

function failureMessage(request: Incoming): string {
  const authorization = headerOfRequest(request, 'authorization') ?? '';
  const methods = [
    ...(/^basic /i.test(authorization) ? ['basic'] : []),
    ...(/^bearer /i.test(authorization) ? ['bearer'] : []),
    ...(/[?&]access_token=[^&]/.test(request.url) ? ['access_token'] : []),
    ...(request.peer === undefined ? [] : ['x509']),
  ];
  return methods.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${methods.join(', ')}`;
}
