import type { RefusalCause } from '../../../apiserver/webhooks/failures/refusal-causes.js';
import type { MatchedError } from '../../../client/errors/known-error.js';
import { ownMember } from '../../../go/own-members.js';
import type { FoundError } from './found-error.js';

type CauseOfError = FoundError['cause'];

/** Returns a cause without what the text alone does not show: who is at fault, if several components can cause it. */
export function ofTextAlone(cause: CauseOfError, what: 'admission' | 'conversion', message: string): CauseOfError {
  if (cause.id === 'unknown-host') return { ...cause, ...unknownHost(cause) };
  if (cause.id === 'other-name') return { ...cause, ...otherName(message) };
  if (cause.id === 'http-5xx' && /^[^(]*\("\{.*\\?"(?:response|kind)\\?":/s.test(message)) return cause;
  if (cause.id === 'answer-no-json' && !/invalid character '<'/.test(message)) return cause;
  if (cause.id === 'connection-refused' && /dial tcp (?:127\.|\[::1\])/.test(message)) return cause;
  const unclear = cause.id === 'http-404' && what === 'conversion' ? conversionNotFound : ownMember(severalCauses, cause.id);
  const known = unclear === undefined ? cause : { ...cause, fault: null, ...unclear };
  return isOfAuthority(cause.id) ? { ...known, try: `${known.try}${certManagerWritesBundles}` } : known;
}

function isOfAuthority(id: string): boolean {
  return id === 'unknown-authority' || id === 'authority-made-anew';
}

const certManagerWritesBundles =
  '; with cert-manager: the annotation cert-manager.io/inject-ca-from must be NAMESPACE/NAME of the Certificate whose Secret the webhook serves, and cainjector must be running';

/** Texts that public reports show with different components at fault: firewalls, tunnels of the control plane, wrong ports, slow webhooks. */
const severalCauses: Readonly<Record<string, { readonly why?: string; readonly try?: string; readonly fault?: 'certificate' }>> = {
  deadline: {
    why: 'the API server got no response in time: the webhook is slow, or packets to it are dropped',
    try: "look for the request in the webhook's log: if it is there, make the webhook faster, or increase timeoutSeconds (max 30); if not, open the port of its pods (targetPort, such as 8443 or 9443) from the control plane: firewall of a private cluster, security group, network policy",
  },
  'connection-refused': {
    try: 'start the webhook, or wait until its pods are ready (a service without a ready pod refuses, too); compare the port of the configuration and targetPort of the service with the port where it serves',
  },
  'connection-deadline': {
    why: 'no connection to the webhook (TCP and TLS) was established in time: packets to it are dropped, or it is too busy to answer the handshake',
    try: "open the port of the webhook's pods (targetPort, not only 443) from the control plane: firewall, security group, network policy; if others reach it, check its load",
  },
  'unknown-authority': {
    fault: 'certificate',
    why: 'the caBundle is empty, or does not contain the CA that signed the serving certificate',
  },
  'http-503': {
    why: 'the webhook, or a proxy in front of it, responded with 503; if the configuration calls the service kubernetes in default, it is the API server, and the APIService in the path is down',
    try: 'check that its pods are ready (a readiness probe prevents calls to pods that are not), and kubectl get apiservices',
  },
  'http-504': {},
  'http-5xx': {
    why: 'the webhook, or a proxy in front of it, responded with an error (5xx)',
    try: "check the webhook's log: its handler may have failed; if it got no request, check proxies and meshes in front of it",
  },
  'answer-no-json': {
    why: 'the response is HTML: a page of a proxy or of another server at this address, or an error page of the webhook',
    try: 'compare the port and the path of the configuration with those that the webhook serves, and check proxies in front of it',
  },
  'stream-reset': {
    why: 'the webhook, or a proxy in front of it, aborted the response: a handler crashed, or one of the two is shutting down',
  },
  'broken-http': {},
  'unrecognized-name': {},
  'tls-alert': {
    why: 'who answers at this address, the webhook or a proxy or mesh in front of it, aborted the TLS handshake; the message says why',
  },
  'broken-tls': {},
  'conversion-input-metadata': {},
  'handshake-timeout': {
    why: 'the connection was established, but the TLS handshake did not finish in time: an overloaded webhook, a proxy or mesh in front of it, or a network that drops large packets (MTU)',
  },
  'connection-closed': {
    why: 'the connection was closed without a response: by the webhook (its handler crashed, it was shutting down, the port does not use TLS), or by a proxy or tunnel in between',
    try: "check the webhook's log at that time, and the port: webhook-cli certs inspect HOST:PORT; if the webhook got no request, check the tunnel of the control plane (konnectivity, K3s)",
  },
  'connection-reset': {
    why: 'the webhook, or a proxy or tunnel in between, reset the connection',
    try: 'check the logs of the webhook, of meshes and proxies in front of it, and of the tunnel of the control plane (konnectivity)',
  },
  'broken-http-cut': {
    why: 'the connection ended within the response headers: the webhook crashed, or a proxy or tunnel in between closed it',
  },
  'plain-http': {
    why: 'what answers at this port speaks plain HTTP: the webhook itself, another port of it (metrics, health), or a proxy',
    try: 'compare the port of the configuration and targetPort of its service with the port where the webhook serves HTTPS',
  },
  'no-tls': {
    why: 'what answers at this port does not use TLS: the webhook itself, another port of it (metrics, health), or a proxy',
    try: 'compare the port of the configuration and targetPort of its service with the port where the webhook serves HTTPS',
  },
  'http-404': {
    why: 'the webhook responded with 404: nothing is served at the path of the configuration, or the webhook does not know this call (another version, a policy that is not loaded)',
    try: "compare clientConfig.service.path with the paths that the webhook's log shows at its start, and the versions of the two",
  },
  'other-tcp': { why: 'the call failed before a response; its reason is not a known one' },
  'other-tls': { why: 'the API server could not make a client for the webhook; its reason is not a known one' },
};

const conversionNotFound = {
  why: 'the conversion webhook responded with 404: nothing is served at the path of the definition, or the webhook has no conversion for the kind registered',
  try: 'compare spec.conversion.webhook.clientConfig.service.path with what the webhook serves (controller-runtime: /convert, only if a hub and spokes are in its scheme)',
};

/** A certificate without names is often one of a mesh, whose proxy answers in place of the webhook. */
function otherName(message: string): Partial<CauseOfError> {
  const wanted = /(?:wanted to match|none matched|, not) (\S+)/.exec(message)?.[1] ?? 'HOST';
  const create = `webhook-cli certs create --dns ${wanted}`;
  if (message.includes('not valid for any names'))
    return {
      fault: null,
      why: `the certificate at this address has no DNS name: it was created without subject alternative names, or the proxy of a mesh answers with its own`,
      try: `create a certificate with the name (${create}), or exclude the port of the webhook from the mesh (Istio: traffic.sidecar.istio.io/excludeInboundPorts)`,
    };
  return {
    fault: null,
    why: `the certificate at this address is not valid for ${wanted}: it was created for another service, the configuration names another service, or another server answers`,
    try: `compare the names in the message with the service; then correct the configuration, or create a certificate with the name: ${create}`,
  };
}

/** A service is resolved by the API server without DNS, except with some proxies and distributions. */
function unknownHost(cause: CauseOfError): Partial<CauseOfError> {
  if (!/\.svc(?:\.|\b)/.test(cause.why)) return { fault: null, try: `${cause.try}; or check the DNS of the control plane` };
  return {
    fault: null,
    why: `${cause.why}: the service does not exist, or who connects (the API server, or its proxy) cannot resolve names of the cluster`,
    try: 'check the service of the configuration; if it exists, check the DNS of the control plane or of its proxy (konnectivity)',
  };
}

/** Returns the cause of a write that failed in the program that logs it; undefined for other errors. */
export function closedByReader(message: string, cause: CauseOfError): CauseOfError | undefined {
  if (!/^write tcp .*: write: (?:broken pipe|connection reset by peer)/.test(message)) return undefined;
  return {
    ...cause,
    fault: null,
    why: 'the program that logs this was still writing when the other side had closed the connection; in the log of a webhook: the API server stopped waiting, or its client left',
    try: 'in the log of a webhook: compare the time of its calls with timeoutSeconds; otherwise pass the whole line, which says who called what',
  };
}

/** Returns true for a reason that ends after the request line: `Post "https://..."`. */
export function isCutOff(reason: string): boolean {
  return /^(?:failed to call webhook: )?(?:Post|Get) (?:"[^"]*"|https?:\/\/\S+?):?\s*$/.test(reason);
}

export const cutOff: CauseOfError = {
  id: 'cut-off',
  class: null,
  fault: null,
  why: 'the text ends before the reason why the call failed',
  try: 'pass the whole message: what follows the address says what failed',
};

/**
 * Returns a denial about pods, which a mutating webhook may have changed, or with an error that the object or the webhook can have caused;
 * undefined for others.
 */
export function denialOfContainers(cause: RefusalCause, message: string): MatchedError | undefined {
  if (cause.id !== 'denied') return undefined;
  const { id, why } = cause;
  if (errorOfEither.test(message))
    return {
      id,
      fault: null,
      why: `${why}, an error that the object or the webhook itself can have caused`,
      try: "check what the message names in the object; if it is right, check the webhook's log and version",
      groups: {},
    };
  if (!namedContainer.test(message) && !fieldOfPods.test(message)) return undefined;
  return {
    id,
    fault: null,
    why,
    try: `${cause.try}; pass the manifest with -f: a container that is not in it was added by a mutating webhook`,
    dependsOn: 'containers',
    groups: {},
  };
}

const errorOfEither =
  /\breference "[^"]*" not found|does not apply: doc is missing|index out of range|\bundeclared (?:name|reference)|unexpected (?:EOF|end of JSON)/;

const fieldOfPods =
  /\b(?:capabilit(?:y|ies)|privileged|privilege escalation|allowPrivilegeEscalation|securityContext|runAs\w+|seccomp\w*|host(?:Path|Network|PID|IPC|Port)s?|(?:init)?[cC]ontainers\[)/i;

const namedContainer = /\bcontainers? (?:<[^<>]+>|["'][^"']+["']|[a-z0-9-]+ (?:has|is|must|uses|does|should)\b)/i;
