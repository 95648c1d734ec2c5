import { domainToASCII } from 'node:url';
import { hostWithoutBrackets } from '../go/net/host-port.js';
import { formatIP, parseIP } from '../go/net/ip.js';
import type { Certificate } from '../x509/certificate.js';

/** Names and addresses of a serving certificate. */
export interface ServingNames {
  readonly dns: readonly string[];
  /** IPv4 or IPv6, without brackets. */
  readonly ips: readonly string[];
}

/** Names of the local machine, added to every certificate. */
export const localNames: ServingNames = { dns: ['localhost'], ips: ['127.0.0.1', '::1'] };

/** Joins sets of names: each name once, in the order of its first occurrence. */
export function joinNames(...sets: readonly ServingNames[]): ServingNames {
  return {
    dns: [...new Set(sets.flatMap(set => set.dns))],
    ips: [...new Set(sets.flatMap(set => set.ips.map(canonicalIP)))],
  };
}

/** Returns the names and addresses of a certificate. */
export function servingNamesOf({ names }: Certificate): ServingNames {
  return { dns: names.dnsNames, ips: names.ipAddresses.map(formatIP) };
}

/**
 * Returns the names of a service in a cluster. The API server uses `NAME.NS.svc` only; the others are for clients inside the cluster.
 * Source: the server name of a service webhook, apiserver webhook/client.go.
 */
export function serviceNames(namespace: string, name: string): ServingNames {
  const base = `${name}.${namespace}`;
  return { dns: [`${base}.svc`, `${base}.svc.cluster.local`, base, name], ips: [] };
}

/** Names and addresses of the host machine for a pod or the API server of a local cluster. */
export const presets = {
  kind: { dns: ['host.docker.internal', 'host.containers.internal'], ips: ['172.17.0.1', '172.18.0.1'] },
  k3d: { dns: ['host.k3d.internal', 'host.docker.internal'], ips: ['172.17.0.1', '172.18.0.1'] },
  minikube: { dns: ['host.minikube.internal'], ips: ['192.168.49.1', '192.168.39.1', '10.0.2.2'] },
  'docker-desktop': {
    dns: ['host.docker.internal', 'gateway.docker.internal', 'kubernetes.docker.internal'],
    ips: ['192.168.65.254', '192.168.65.2'],
  },
} satisfies Record<string, ServingNames>;

/**
 * Normalizes a name or address for a certificate: other scripts as punycode, lower case, addresses apart. Undefined if invalid. One star
 * may be the first label.
 */
export function servingName(text: string): ServingNames | undefined {
  const ip = hostWithoutBrackets(text);
  if (parseIP(ip) !== undefined) return { dns: [], ips: [canonicalIP(ip)] };
  const name = domainToASCII(text.replace(/^\*\./, '')).toLowerCase();
  const labels = name.split('.');
  const valid =
    name.length <= 253 && labels.every(label => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return valid ? { dns: [text.startsWith('*.') ? `*.${name}` : name], ips: [] } : undefined;
}

/** Canonical addresses make `::1` and `0:0:0:0:0:0:0:1` one name. */
function canonicalIP(ip: string): string {
  const octets = parseIP(ip);
  return octets === undefined ? ip : formatIP(octets);
}
