import { isIP } from 'node:net';

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

/** One spelling for each address, so that `::1` and `0:0:0:0:0:0:0:1` are one name. */
function canonicalIP(ip: string): string {
  return isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}
