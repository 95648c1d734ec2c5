import { domainToASCII } from 'node:url';
import { formatIP, parseIP } from '../go/ip.js';
import type { Certificate } from '../x509/certificate.js';

/** For which names and addresses a serving certificate is made. */
export interface ServingNames {
  readonly dns: readonly string[];
  /** IPv4 or IPv6, without brackets. */
  readonly ips: readonly string[];
}

/** What every certificate names besides: the machine it was made on. */
export const localNames: ServingNames = { dns: ['localhost'], ips: ['127.0.0.1', '::1'] };

/** Several sets as one: each name once, in the order in which it came first. */
export function joinNames(...sets: readonly ServingNames[]): ServingNames {
  return {
    dns: [...new Set(sets.flatMap(set => set.dns))],
    ips: [...new Set(sets.flatMap(set => set.ips.map(canonicalIP)))],
  };
}

/** The names and addresses in a certificate. */
export function namesOf({ names }: Certificate): ServingNames {
  return { dns: names.dnsNames, ips: names.ipAddresses.map(formatIP) };
}

/**
 * The names by which a cluster knows a service. The API server asks for `NAME.NS.svc` only; the others are for clients inside the
 * cluster. Source: the server name of a service webhook, apiserver webhook/client.go.
 */
export function serviceNames(namespace: string, name: string): ServingNames {
  const base = `${name}.${namespace}`;
  return { dns: [`${base}.svc`, `${base}.svc.cluster.local`, base, name], ips: [] };
}

/** Names and addresses under which a pod or the API server of a local cluster reaches the machine it runs on. */
export const presets = {
  kind: { dns: ['host.docker.internal', 'host.containers.internal'], ips: ['172.17.0.1', '172.18.0.1'] },
  k3d: { dns: ['host.k3d.internal', 'host.docker.internal'], ips: ['172.17.0.1', '172.18.0.1'] },
  minikube: { dns: ['host.minikube.internal'], ips: ['192.168.49.1', '192.168.39.1', '10.0.2.2'] },
  'docker-desktop': {
    dns: ['host.docker.internal', 'gateway.docker.internal', 'kubernetes.docker.internal'],
    ips: ['192.168.65.254', '192.168.65.2'],
  },
} satisfies Record<string, ServingNames>;

export type Preset = keyof typeof presets;

/**
 * A name or an address as a user writes it, as it stands in a certificate: other scripts as punycode, lower case, an address among
 * the addresses. Undefined for what can be neither. One star may stand for the first label.
 */
export function servingName(text: string): ServingNames | undefined {
  const ip = text.replace(/^\[(.*)\]$/, '$1');
  if (parseIP(ip) !== undefined) return { dns: [], ips: [canonicalIP(ip)] };
  const name = domainToASCII(text.replace(/^\*\./, '')).toLowerCase();
  const labels = name.split('.');
  const valid =
    name.length <= 253 && labels.every(label => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return valid ? { dns: [text.startsWith('*.') ? `*.${name}` : name], ips: [] } : undefined;
}

/** One spelling for each address, so that `::1` and `0:0:0:0:0:0:0:1` are one name. */
function canonicalIP(ip: string): string {
  const octets = parseIP(ip);
  return octets === undefined ? ip : formatIP(octets);
}
