import type { RefusalCause } from '../../../apiserver/webhooks/failures/refusal-causes.js';
import type { MatchedError } from '../../../client/errors/known-error.js';
import { ownMember } from '../../../go/own-members.js';
import type { FoundError } from './found-error.js';

type CauseOfError = FoundError['cause'];

/** Returns a cause without what the text alone does not show: who is at fault, if several components can cause it. */
export function ofTextAlone(cause: CauseOfError, what: 'admission' | 'conversion'): CauseOfError {
  if (cause.id === 'unknown-host') return { ...cause, ...unknownHost(cause) };
  const unclear = cause.id === 'http-404' && what === 'conversion' ? conversionNotFound : ownMember(severalCauses, cause.id);
  if (unclear !== undefined) return { ...cause, fault: null, ...unclear };
  return isOfAuthority(cause.id) ? { ...cause, try: `${cause.try}${certManagerWritesBundles}` } : cause;
}

function isOfAuthority(id: string): boolean {
  return id === 'unknown-authority' || id === 'authority-made-anew';
}

const certManagerWritesBundles =
  '; with cert-manager: the annotation cert-manager.io/inject-ca-from must be NAMESPACE/NAME of the Certificate whose Secret the webhook serves, and cainjector must be running';

/** Texts that public reports show with different components at fault: firewalls, tunnels of the control plane, wrong ports, slow webhooks. */
const severalCauses: Readonly<Record<string, { readonly why?: string; readonly try?: string }>> = {
  deadline: {
    why: 'the API server got no response in time: the webhook is slow, or packets to it are dropped',
    try: "look for the request in the webhook's log: if it is there, make the webhook faster, or increase timeoutSeconds (max 30); if not, open the port of its pods (targetPort, such as 8443 or 9443) from the control plane: firewall of a private cluster, security group, network policy",
  },
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

/** A service is resolved by the API server without DNS, except with some proxies and distributions. */
function unknownHost(cause: CauseOfError): Partial<CauseOfError> {
  if (!/\.svc(?:\.|\b)/.test(cause.why)) return {};
  return {
    fault: null,
    why: `${cause.why}: the service does not exist, or who connects (the API server, or its proxy) cannot resolve names of the cluster`,
    try: 'check the service of the configuration; if it exists, check the DNS of the control plane or of its proxy (konnectivity)',
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

/** Returns a denial that names containers, which a mutating webhook may have added; undefined for others. */
export function denialOfContainers(cause: RefusalCause, message: string): MatchedError | undefined {
  if (cause.id !== 'denied' || !namedContainer.test(message)) return undefined;
  const { id, why } = cause;
  return {
    id,
    fault: null,
    why,
    try: `${cause.try}; pass the manifest with -f: a container that is not in it was added by a mutating webhook`,
    dependsOn: 'containers',
    groups: {},
  };
}

const namedContainer = /\bcontainers? (?:<[^<>]+>|["'][^"']+["']|[a-z0-9-]+ (?:has|is|must|uses|does|should)\b)/i;
