import { requestInfoOf } from '../../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../../apiserver/call/served-resources.js';
import type { CliError } from '../../client/cli-error.js';
import { listAt, mapAt, stringAt } from '../../go/value.js';
import type { ApiCall, ClusterState, RequestedUser } from '../../kubernetes/api-call.js';
import { parseWarningHeaders } from '../../kubernetes/warning-header.js';
import type { ClusterAnswer, ClusterClient } from '../http/cluster-client.js';
import { refused } from '../http/cluster-errors.js';
import { documentIn } from '../http/json-document.js';
import { readDocument } from '../reading/read-objects.js';

/** Response of the cluster's API server. */
export interface DryRunAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: string;
}

/** User of a dry run: that of the kubeconfig, or one that it impersonates. */
export type Sender = 'own' | RequestedUser;

/** Sends a dry run and returns the answer. Rejects with CliError when the user may not make the call. */
export async function sendDryRun(client: ClusterClient, call: ApiCall, sender: Sender): Promise<DryRunAnswer> {
  const headers = [
    ...Object.entries({ Accept: 'application/json', ...call.headers }).flat(),
    ...(call.contentType === undefined ? [] : ['Content-Type', call.contentType]),
    ...(call.userAgent === undefined ? [] : ['User-Agent', call.userAgent]),
  ];
  const { method, path, body } = call;
  const impersonation = sender === 'own' ? undefined : impersonationOf(sender);
  const answer = await client.send({ method, path, headers, body, impersonation });
  refuseUnmade(answer, client, method);
  const texts = [answer.headers['warning'] ?? []].flat();
  // Node reads headers as Latin-1, and the API server writes UTF-8.
  const warnings = texts.flatMap(text =>
    parseWarningHeaders(Buffer.from(text, 'latin1').toString('utf8')).warnings.map(warning => warning.text),
  );
  return { status: answer.status, warnings, body: answer.body };
}

/** Returns the user as whom the cluster authenticates the kubeconfig's user. Sends a SelfSubjectReview, which stores nothing. Rejects with CliError. */
export async function reviewOwnUser(client: ClusterClient): Promise<RequestedUser> {
  const answer = await client.send({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All',
    headers: ['Accept', 'application/json', 'Content-Type', 'application/json'],
    body: Buffer.from('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}'),
  });
  const user = mapAt(documentIn(answer.body), 'status', 'userInfo');
  if (user === undefined) throw notMade(answer, client, 'ask for its own identity');
  const extra = [...(mapAt(user, 'extra') ?? [])].map(([key]) => [key, listAt(user, 'extra', key).map(String)] as const);
  const groups = listAt(user, 'groups').map(String);
  return { username: stringAt(user, 'username'), uid: stringAt(user, 'uid'), groups, extra: Object.fromEntries(extra) };
}

/**
 * Returns why a call must not be sent even as a dry run; undefined if it may be sent. Only kube-apiserver itself is known to respect dryRun; the servers it forwards requests to may not.
 */
export async function findUnservedReason(client: ClusterClient, { path }: ApiCall, state: ClusterState): Promise<string | undefined> {
  const info = requestInfoOf(path);
  if (info.type === 'other') return 'only calls on resources can be dry runs';
  const { group, version } = info;
  const resource = resourceNamed(servedBy(state), info);
  if (resource === undefined) return 'its resource is unknown';
  if (!resource.custom) return undefined;
  const [definition] = (await state.source?.definitionsOf([{ group, resource: info.resource }])) ?? [];
  if (definition === undefined) return 'its definition is not in the cluster';
  const service = await readDocument(client, `/apis/apiregistration.k8s.io/v1/apiservices/${version}.${group}`);
  return mapAt(service, 'spec', 'service') === undefined ? undefined : 'another API server serves it, which may not support dry runs';
}

/** The API server decides about these before admission. */
function refuseUnmade(answer: ClusterAnswer, client: ClusterClient, method: string): void {
  const isUnauthorized = /is forbidden: User ".*" cannot \S+ (resource|path) /s.test(stringAt(documentIn(answer.body), 'message'));
  if (answer.status === 401 || answer.status === 429 || (answer.status === 403 && isUnauthorized))
    throw notMade(answer, client, `make the ${method}`);
}

function notMade({ status, body }: ClusterAnswer, client: ClusterClient, what: string): CliError {
  const message = stringAt(documentIn(body), 'message') || `status ${status}`;
  return refused(status, message, { what, context: client.context, user: client.user, certificate: client.certificate });
}

function impersonationOf({ username, uid = '', groups = [], extra = {} }: RequestedUser): string[] {
  return [
    ...['Impersonate-User', username],
    ...(uid === '' ? [] : ['Impersonate-Uid', uid]),
    ...groups.flatMap(group => ['Impersonate-Group', group]),
    ...Object.entries(extra).flatMap(([key, values]) => values.flatMap(value => [`Impersonate-Extra-${encodeURIComponent(key)}`, value])),
  ];
}
