import { invalidFlag } from '../../../client/cli-error.js';

/** Where the ports of pods lead to: `NAMESPACE/POD:PORT` to an address. */
export type Forwards = ReadonlyMap<string, { readonly host: string; readonly port: number }>;

const maxPort = 65_535;

/** Parses `--forward NS/POD:PORT=HOST:PORT`. Throws CliError. */
export function forwardsOf(mappings: readonly string[]): Forwards {
  return new Map(
    mappings.map(text => {
      const [, pod, from, host = '', to] = /^([^/=:]+\/[^/=:]+):(\d+)=(\[[^\]]+\]|[^:[\]]+):(\d+)$/.exec(text) ?? [];
      const [fromPort, toPort] = [Number(from), Number(to)];
      if (pod === undefined || ![fromPort, toPort].every(port => port > 0 && port <= maxPort))
        throw invalidFlag('forward', text, 'NAMESPACE/POD:PORT=HOST:PORT');
      return [`${pod}:${fromPort}`, { host: host.replace(/^\[|\]$/g, ''), port: toPort }] as const;
    }),
  );
}
