import { whenAnswered } from '../apiserver/admission/pending-answer.js';
import type { Serving } from '../apiserver/call/call-context.js';
import { definitionOf } from '../apiserver/call/definitions.js';
import { queryOfRequest, requestInfoOf } from '../apiserver/call/request-info.js';
import type { ServedEndpoint } from '../apiserver/call/served-resources.js';
import { type Encoding, encodingsOf } from '../apiserver/endpoints/negotiation.js';
import { wantsPretty } from '../apiserver/endpoints/pretty.js';
import { requestLimitMs } from '../apiserver/endpoints/request-limit.js';
import { serveCall } from '../apiserver/handle-call.js';
import type { ServedCall } from '../apiserver/report/serving.js';
import type { AuthorizerQuestion } from '../cel/library/authorizer.js';
import { writeStatus } from '../encoding/status-json.js';
import type { ValueMap } from '../go/value.js';
import type { UserInfo } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { Effects } from '../kubernetes/effects.js';
import { StatusError } from '../kubernetes/status.js';
import { internalError, pageNotFound, unauthorized } from '../kubernetes/status-errors.js';
import { printWarningHeader } from '../kubernetes/warning-header.js';
import { anonymousUser, authenticate } from './access/authentication.js';
import { AuthorizerFailure, authorizationRefusal, authorizerFailureReply } from './access/authorization.js';
import { authorizeCreation } from './access/authorize-creation.js';
import { impersonatedUser } from './access/impersonation.js';
import { questionOf, withoutWatchPrefix } from './access/request-attributes.js';
import { type AuditedRequest, auditedRequest } from './audit/audited-request.js';
import { apiCallOfRequest, bodyMethods } from './call-of-request.js';
import { isHousekeeping } from './clients/housekeeping.js';
import type { Cluster } from './cluster/cluster.js';
import type { FlowHeaders } from './flow-control/flow-control.js';
import { checkAcceptable, type Form, formOf, offerOf, routeTypes } from './forms/negotiation.js';
import { errorReply, rendered } from './forms/render.js';
import { bytesOfBody, type HttpReply, headerOfRequest, type Incoming, pathOfRequest, plainReply } from './http/exchange.js';
import { remoteApiServiceAt } from './lifecycle/api-services.js';
import { documentingApiService, passOnTo } from './pass-on-to.js';
import { collectionOfResource } from './store/collection-names.js';
import { openWatch } from './watch/open-watch.js';

/** Handles paths outside of API resources: discovery, health, version. Undefined for unknown paths. */
export type OtherPaths = (request: Incoming, user: UserInfo) => Promise<HttpReply | undefined>;

/** Handles one request. Source: apiserver server/config.go DefaultBuildHandlerChain. */
export async function handleRequest(incoming: Incoming, cluster: Cluster, otherPaths: OtherPaths): Promise<HttpReply> {
  const auditId = auditIdOf(incoming, cluster.effects());
  const request = { ...incoming, url: withoutWatchPrefix(incoming.url) };
  const auditing: Auditing = { begin: beginAudit(incoming, auditId, cluster), audited: undefined, json: undefined };
  const flow: Served['flow'] = { headers: [], isAnonymous: false };
  const made = await guardRequest(request, { cluster, auditing, flow, incoming, auditId }, otherPaths);
  const reply = withCommonHeaders(auditing.audited?.responded(made, auditing.json ?? jsonOf(made)) ?? made, auditId);
  return { ...reply, headers: [...reply.headers, ...flow.headers], endsSession: flow.isAnonymous };
}

/** Adds the headers of all replies. */
export function withCommonHeaders(reply: HttpReply, auditId: string): HttpReply {
  const hasCacheControl = reply.passedOn === undefined && reply.headers.some(([name]) => name === 'Cache-Control');
  const common: [string, string][] = [
    ['Audit-Id', auditId],
    ...(hasCacheControl ? [] : [['Cache-Control', 'no-cache, private'] as [string, string]]),
  ];
  return { ...reply, headers: [...common, ...reply.headers] };
}

/** Returns the client's id of a request for the audit log, or a new one. */
export function auditIdOf(request: Incoming, { uid }: Pick<Effects, 'uid'>): string {
  return headerOfRequest(request, 'audit-id') ?? uid();
}

/** The audit of a request: nothing before it is authenticated, and without an audit log. */
interface Auditing {
  readonly begin: (question: AuthorizerQuestion, user: UserInfo | undefined) => AuditedRequest | undefined;
  audited: AuditedRequest | undefined;
  /** The body of the response as JSON, where the reply has another format. */
  json: string | undefined;
}

function beginAudit(request: Incoming, auditId: string, { audit, effects }: Cluster): Auditing['begin'] {
  if (audit === undefined) return () => undefined;
  const { now } = effects();
  const received = now();
  const [, , version = ''] = /^\/(api|apis\/[^/]+)\/([^/?]+)/.exec(request.url) ?? [];
  return (question, user) => auditedRequest(audit, { request, auditId, user, question, apiVersion: version, received, now });
}

function jsonOf({ headers, body }: HttpReply): string | undefined {
  const [, type = ''] = headers.find(([name]) => name === 'Content-Type') ?? [];
  return type.startsWith('application/json') && body !== '' ? bytesOfBody(body).toString('utf8') : undefined;
}

interface Served {
  readonly cluster: Cluster;
  readonly auditing: Auditing;
  /** Headers about the request's flow, from when it is classified, and whether its client is unknown. */
  readonly flow: { headers: ReturnType<FlowHeaders>; isAnonymous: boolean };
  /** The request as it came. */
  readonly incoming: Incoming;
  readonly auditId: string;
}

async function guardRequest(request: Incoming, served: Served, otherPaths: OtherPaths): Promise<HttpReply> {
  const { cluster } = served;
  try {
    requestLimitMs({ method: request.method, path: request.url });
    const user = await authorizeUser(request, served);
    const apiService = remoteApiServiceAt(cluster.store, pathOfRequest(request));
    if (apiService !== undefined) return await passToService(apiService, user, served);
    await settleDefinitions(cluster);
    const isResource = requestInfoOf(request.url).type === 'resource';
    if (!isResource) {
      const reply = await otherPaths(request, user);
      const documented = reply?.status === 404 ? documentingApiService(request, cluster) : undefined;
      return documented === undefined ? (reply ?? noPage(request, cluster.server)) : await passToService(documented, user, served);
    }
    const reply = await answerResource(request, user, served);
    await settleDefinitions(cluster);
    return reply;
  } catch (error) {
    if (error instanceof AuthorizerFailure) return authorizerFailureReply(request.url, error);
    // Unsupported behavior and bugs are reported to the client; other requests continue.
    const known = error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error));
    served.auditing.json = writeStatus({ ...known.status, code: known.status.code ?? 500 });
    return statusReply(cluster.server, known, request);
  }
}

/** Passes a request on to the service of an APIService. */
async function passToService(apiService: ValueMap, user: UserInfo, { cluster, incoming, auditId, flow }: Served): Promise<HttpReply> {
  const reply = await passOnTo(apiService, { request: incoming, user, auditId }, cluster);
  // A late reply is that of an outer filter.
  if (reply.status === 504 && reply.passedOn === undefined) flow.headers = [];
  return reply;
}

function noPage(request: Incoming, server: ApiServer): HttpReply {
  return server.since('v1.38') ? statusReply(server, pageNotFound(), request) : plainReply(404, '404 page not found\n');
}

/** Lets the controllers finish: what a client sees next does not depend on how fast it asks. */
async function settleDefinitions({ definitions }: Cluster): Promise<void> {
  if (!definitions.isIdle()) await definitions.settled();
}

/** Returns the effective and authorized user of a request. Throws a 401, 400 or 403. */
async function authorizeUser(request: Incoming, { cluster, auditing, flow }: Served): Promise<UserInfo> {
  const sender = await authenticate(request, cluster);
  flow.isAnonymous = sender === undefined || sender.username === anonymousUser;
  auditing.audited = auditing.begin(questionOf(request, sender ?? nobody), sender);
  if (sender === undefined) throw unauthorized('Unauthorized');
  const authorizer = cluster.authorizer();
  const { user, constraint } = await whenAnswered(() => impersonatedUser(cluster.server, request, sender, authorizer));
  if (user !== sender) auditing.audited?.impersonated(user, constraint);
  const question = questionOf(request, user);
  flow.headers = cluster.flowHeaders(question);
  const answer = await whenAnswered(() => authorizer.authorize(question));
  auditing.audited?.annotate({
    'authorization.k8s.io/decision': answer.allowed ? 'allow' : 'forbid',
    'authorization.k8s.io/reason': answer.error === undefined ? answer.reason : 'internal error',
  });
  if (!answer.allowed) throw answer.error === undefined ? authorizationRefusal(question, answer) : new AuthorizerFailure(answer.error);
  return user;
}

const nobody: UserInfo = { username: '', uid: '', groups: [], extra: new Map() };

/** Returns an error of a filter in a form that the client accepts. */
function statusReply(server: ApiServer, error: StatusError, request: Incoming): HttpReply {
  const { status } = error;
  const json = writeStatus({ ...status, code: status.code ?? 500 });
  const pretty = wantsPretty({ method: request.method, path: request.url, userAgent: headerOfRequest(request, 'user-agent') });
  const reply = errorReply(server, status.code ?? 500, json, {
    accept: headerOfRequest(request, 'accept') ?? '',
    formats: filterEncodings(server),
    pretty,
  });
  return status.code === 403 ? { ...reply, headers: [...reply.headers, ['X-Content-Type-Options', 'nosniff']] } : reply;
}

/** Encodings of the errors of filters: up to v1.36 never CBOR. */
function filterEncodings(server: ApiServer): readonly Encoding[] {
  const all = encodingsOf(server);
  return server.since('v1.37') ? all : all.filter(encoding => encoding !== 'cbor');
}

/** Result of a call's content negotiation. */
interface Negotiated {
  endpoint?: ServedEndpoint;
  form?: Form;
}

async function answerResource(request: Incoming, user: UserInfo, { cluster, auditing }: Served): Promise<HttpReply> {
  const negotiated: Negotiated = {};
  const call = await apiCallOfRequest(request, user);
  const accept = headerOfRequest(request, 'accept') ?? '';
  const serving: Serving = {
    negotiate: (_, endpoint) => {
      negotiated.endpoint = endpoint;
      beginWatches(endpoint, cluster);
      const definition = definitionFor(endpoint, cluster);
      if (definition !== undefined) cluster.caches.begin(definition);
      const offer = offerOf(cluster.server, endpoint, isWatch(endpoint, request.url));
      // What a connection transfers is not negotiated.
      if (endpoint.verb !== 'connect') checkAcceptable(accept, offer, routeTypes(cluster.server, endpoint));
      negotiated.form = formOf(accept, offer) ?? plainForm;
    },
    watchCache: cluster.caches.cacheFor,
    cachesSettled: cluster.caches.settled,
    watch: context => openWatch(context, cluster, negotiated.form ?? plainForm),
    onRequestObject: auditing.audited?.requestObject,
    authorizeCreation: () => authorizeCreation(request, user, cluster.authorizer()),
    issueToken: demand => cluster.tokens.issue(demand),
    reviewToken: cluster.reviewToken,
  };
  if (request.method === 'PATCH') auditing.audited?.requestPatch(call.body ?? new Uint8Array());
  const state = cluster.state();
  const observer = bodyMethods.includes(call.method) ? cluster.observe?.() : undefined;
  const served = await serveCall(call, state, { effects: observer?.effects ?? cluster.effects(), serving });
  const { answer } = served.report;
  if (!isHousekeepingAt(negotiated.endpoint)) observer?.answered(served.report, call, state);
  auditing.audited?.annotate(served.report.decision.auditAnnotations);
  const extra: [string, string][] = [
    ...answer.warnings.map((text): [string, string] => ['Warning', printWarningHeader({ code: 299, agent: '', text })]),
    ...Object.entries(answer.headers),
  ];
  const streamed = await openStream(served, request, cluster);
  if (streamed !== undefined) return { ...streamed, headers: [...streamed.headers, ...extra] };
  const form = negotiated.form ?? plainForm;
  const { printedTableOf } = form.as === 'Table' ? await import('./tables/table.js') : noTables;
  const includeObject = queryOfRequest(request.url).get('includeObject')?.[0] ?? '';
  const pretty = wantsPretty(call);
  const renderedAs = (form: Form): HttpReply =>
    rendered(cluster.server, served, {
      form,
      accept,
      formats: encodingsOf(cluster.server),
      pretty,
      table: (shown, tableForm) =>
        printedTableOf?.(shown, {
          server: cluster.server,
          version: tableForm.version,
          includeObject,
          resource: negotiated.endpoint?.resource,
          definition: definitionFor(negotiated.endpoint, cluster),
          now: cluster.effects().now(),
          withColumns: true,
        }),
    });
  const reply = renderedAs(form);
  if (answer.status >= 400) auditing.json = answer.body;
  else if (auditing.audited?.wantsResponse === true && form.format !== 'json')
    auditing.json = jsonOf(renderedAs({ ...form, format: 'json' }));
  const takeOver = answer.status === 101 ? await openPortForward(call.path, cluster) : undefined;
  return { ...reply, headers: [...reply.headers, ...extra], takeOver };
}

/** Returns the reply of a watch, or that of the server to which a request is passed on; undefined for other answers. */
async function openStream({ stream, proxiedTo }: ServedCall, request: Incoming, cluster: Cluster): Promise<HttpReply | undefined> {
  if (stream !== undefined) return { status: 200, headers: [['Content-Type', stream.contentType]], body: '', stream };
  if (proxiedTo === undefined) return undefined;
  const { passToLocation } = await import('./proxy/pass-to-location.js');
  return passToLocation(proxiedTo, request, cluster);
}

/** The module of Tables, where it is not needed. */
const noTables = { printedTableOf: undefined };

/** Returns what serves the ports of an admitted request for a stream; undefined for other streams, and where nothing is forwarded. */
async function openPortForward(path: string, { forwards, server }: Cluster): Promise<HttpReply['takeOver']> {
  if (forwards === undefined) return undefined;
  const { forwardedPorts } = await import('./port-forward/forwarded-ports.js');
  const { servePortForward } = await import('./port-forward/serve-port-forward.js');
  const forwarded = forwardedPorts(path, forwards);
  if (forwarded === undefined) return undefined;
  const hasTunnels = server.isEnabled('PortForwardWebsockets');
  return (request, socket) => servePortForward(request, socket, { forwarded, hasTunnels });
}

/** The first request for a custom resource creates its watch cache. Source: apiextensions-apiserver customresource_handler.go. */
function beginWatches({ resource }: ServedEndpoint, { store }: Cluster): void {
  if (resource.custom) store.log.beginWindow(collectionOfResource(resource), store.revision());
}

function isHousekeepingAt(endpoint: ServedEndpoint | undefined): boolean {
  return endpoint !== undefined && isHousekeeping(collectionOfResource(endpoint.resource));
}

function definitionFor(endpoint: ServedEndpoint | undefined, cluster: Cluster): ValueMap | undefined {
  return endpoint === undefined ? undefined : definitionOf(endpoint.resource, cluster.state());
}

const plainForm: Form = { format: 'json', as: 'object', version: 'v1', pretty: false };

function isWatch({ verb }: ServedEndpoint, url: string): boolean {
  if (verb !== 'list') return false;
  const watch = queryOfRequest(url).get('watch')?.[0];
  return watch !== undefined && watch !== '0' && watch.toLowerCase() !== 'false';
}
