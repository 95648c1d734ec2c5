import type { PortEvent, PortProtocol } from './port-protocol.js';

/** Name of the protocol, in which the first byte of a message is the channel, and the first two bytes of each channel are the port. */
export const channelProtocolName = 'v4.channel.k8s.io';

/** Channels of one forwarded port. Source: kubelet pkg/cri/streaming/portforward/websocket.go. */
const channels = { data: 0, error: 1 } as const;

/** Returns the protocol of kubelets, which API servers before v1.31 pass WebSockets on to. */
export function channelProtocol(port: number): PortProtocol {
  /** Bytes that each channel has received before its port is complete. */
  const heads = new Map<number, Buffer>();
  return {
    opening: [],
    endsWithConnection: true,
    encode: bytes => Buffer.concat([Buffer.from([channels.data]), bytes]),
    *receive(message): Generator<PortEvent, void> {
      const [channel] = message;
      if (channel === undefined) return;
      if (channel !== channels.data && channel !== channels.error)
        return yield { kind: 'fault', message: `it sends data for channel ${channel}` };
      const head = heads.get(channel) ?? Buffer.alloc(0);
      const all = head.length === 2 ? message.subarray(1) : Buffer.concat([head, message.subarray(1)]);
      if (head.length < 2) {
        heads.set(channel, all.subarray(0, 2));
        if (all.length < 2) return;
        const other = all.readUInt16LE(0);
        if (other !== port) return yield { kind: 'fault', message: `it forwards port ${other} instead of ${port}` };
        if ([channels.data, channels.error].every(each => heads.get(each)?.length === 2)) yield { kind: 'opened' };
      }
      const bytes = head.length < 2 ? all.subarray(2) : all;
      if (bytes.length > 0) yield { kind: channel === channels.data ? 'data' : 'message', bytes };
    },
  };
}
