import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { goString } from '../../go/json/write.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { AuditLevel, AuditStage } from './audit-policy.js';

/** An event of the audit log; texts of objects are JSON. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly received: Date;
  impersonatedUser: UserInfo | undefined;
  /** Verb of the mode of constrained impersonation that allowed it. */
  impersonationConstraint: string | undefined;
  reference: AuditObjectReference | undefined;
  responseStatus: string | undefined;
  requestObject: string | undefined;
  responseObject: string | undefined;
  readonly annotations: Map<string, string>;
}

export interface AuditObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** Returns the reference of a request before its object is read; undefined for other paths. */
export function referenceOf(question: AuthorizerQuestion, apiVersion: string): AuditObjectReference | undefined {
  if ('path' in question) return undefined;
  const { resource, namespace, name, group, subresource } = question;
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion, resourceVersion: '', subresource };
}

/** Returns the line of an event, with members in Go's order. Source: apiserver apis/audit/v1/types.go. */
export function auditLine(event: AuditEvent, stage: AuditStage, at: Date): string {
  const { level, user, reference } = event;
  const members: readonly (readonly [string, string | undefined])[] = [
    ['kind', '"Event"'],
    ['apiVersion', '"audit.k8s.io/v1"'],
    ['level', goString(level)],
    ['auditID', goString(event.auditId)],
    ['stage', goString(stage)],
    ['requestURI', goString(event.requestUri)],
    ['verb', goString(event.verb)],
    ['user', user === undefined ? '{}' : userText(user)],
    ['impersonatedUser', event.impersonatedUser && userText(event.impersonatedUser)],
    ['authenticationMetadata', constraintText(event.impersonationConstraint)],
    ['sourceIPs', listText(event.sourceIps)],
    ['userAgent', text(event.userAgent)],
    ['objectRef', reference && objectText(Object.entries(reference).map(([name, value]) => [name, text(value)]))],
    ['responseStatus', event.responseStatus],
    ['requestObject', event.requestObject],
    ['responseObject', event.responseObject],
    ['requestReceivedTimestamp', `"${microTime(event.received)}"`],
    ['stageTimestamp', `"${microTime(at)}"`],
    ['annotations', mapText(event.annotations, goString)],
  ];
  return objectText(members);
}

function constraintText(constraint: string | undefined): string | undefined {
  return constraint === undefined ? undefined : objectText([['impersonationConstraint', goString(constraint)]]);
}

function userText({ username, uid, groups, extra }: UserInfo): string {
  return objectText([
    ['username', text(username)],
    ['uid', text(uid)],
    ['groups', listText(groups)],
    ['extra', mapText(extra, values => `[${values.map(goString).join(',')}]`)],
  ]);
}

function objectText(members: readonly (readonly [string, string | undefined])[]): string {
  return `{${members
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

function text(value: string): string | undefined {
  return value === '' ? undefined : goString(value);
}

function listText(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : `[${values.map(goString).join(',')}]`;
}

function mapText<T>(map: ReadonlyMap<string, T>, textOf: (value: T) => string): string | undefined {
  if (map.size === 0) return undefined;
  const sorted = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${goString(key)}:${textOf(value)}`).join(',')}}`;
}

function microTime(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}
