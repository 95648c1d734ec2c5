import type { ListenOption } from '../../../client/options/address-values.js';
import type { ValueType } from '../../../client/options/value-type.js';
import { hostWithoutBrackets } from '../../../go/net/host-port.js';

/** `--forward NS/POD:PORT=HOST:PORT` */
export interface PodForward {
  /** `NAMESPACE/POD:PORT` */
  readonly from: string;
  readonly to: ListenOption;
}

/** Where the ports of pods lead to: `NAMESPACE/POD:PORT` to an address. */
export type Forwards = ReadonlyMap<string, ListenOption>;

const maxPort = 65_535;

/** `--forward` of an API server. */
export const forwardValue: ValueType<PodForward> = {
  parse: text => {
    const [, pod, from, host = '', to] = /^([^/=:]+\/[^/=:]+):(\d+)=(\[[^\]]+\]|[^:[\]]+):(\d+)$/.exec(text) ?? [];
    const [fromPort, toPort] = [Number(from), Number(to)];
    if (pod === undefined || ![fromPort, toPort].every(port => port > 0 && port <= maxPort)) return undefined;
    return { from: `${pod}:${fromPort}`, to: { host: hostWithoutBrackets(host), port: toPort } };
  },
  expected: 'NAMESPACE/POD:PORT=HOST:PORT',
  schema: { type: 'string' },
};

/** Returns the addresses of ports of pods. */
export function forwardsOf(forwards: readonly PodForward[]): Forwards {
  return new Map(forwards.map(({ from, to }) => [from, to]));
}
