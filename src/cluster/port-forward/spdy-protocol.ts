import { controlFrame, controls, dataFrame, finFlag, numbers, SpdyReader, streamOf } from '../../encoding/spdy/spdy-frames.js';
import { type SpdyHeaders, SpdyHeaderWriter } from '../../encoding/spdy/spdy-headers.js';
import type { PortEvent, PortProtocol } from './port-protocol.js';

/** Name of the protocol of streams within SPDY. Source: apimachinery pkg/util/portforward/constants.go. */
export const portForwardName = 'portforward.k8s.io';

/** The streams of the port: clients have the odd numbers. */
const streams = { error: 1, data: 3 } as const;

/**
 * Returns the protocol of kubectl: SPDY/3.1 with a stream for errors, to which this side sends nothing, and one for data. Frames for windows are ignored, as by the
 * servers: none of them sends or awaits one, and a side that does not read makes the other one wait. Source: client-go tools/portforward/portforward.go,
 * moby/spdystream.
 */
export function spdyProtocol(port: number): PortProtocol {
  const reader = new SpdyReader();
  const headers = new SpdyHeaderWriter();
  const replied = new Set<number>();
  const opening = (stream: number, type: string, flags: number): Buffer =>
    controlFrame(controls.openStream, Buffer.concat([numbers(stream, 0), Buffer.alloc(2), headers.write(headersOf(type, port))]), flags);
  return {
    opening: [opening(streams.error, 'error', finFlag), opening(streams.data, 'data', 0)],
    endsWithConnection: false,
    encode: bytes => dataFrame(streams.data, bytes),
    ping: controlFrame(controls.ping, numbers(1)),
    *receive(bytes): Generator<PortEvent, void> {
      for (const part of reader.read(bytes)) {
        if (part.kind === 'fault') yield part;
        else if (part.kind === 'data') yield* dataEvents(part.stream, part.bytes, part.isLast);
        else yield* controlEvents(part.type, part.payload, part.flags, replied);
      }
    },
  };
}

function headersOf(type: string, port: number): SpdyHeaders {
  return [
    ['streamtype', type],
    ['port', String(port)],
    ['requestid', '0'],
  ];
}

function* dataEvents(stream: number, bytes: Buffer, isLast: boolean): Generator<PortEvent, void> {
  if (!isOurs(stream)) return yield { kind: 'fault', message: `it sends data for stream ${stream}` };
  if (bytes.length > 0) yield { kind: stream === streams.data ? 'data' : 'message', bytes };
  if (isLast) yield* endEvents(stream, 'ended');
}

function* controlEvents(type: number, payload: Buffer, flags: number, replied: Set<number>): Generator<PortEvent, void> {
  const stream = streamOf(payload);
  if (type === controls.openStream) return yield { kind: 'fault', message: 'it opens streams' };
  // An answer to a ping of this side would have an odd number.
  if (type === controls.ping && stream % 2 === 0) return yield { kind: 'answer', bytes: controlFrame(controls.ping, payload) };
  if (type !== controls.reply && type !== controls.reset && type !== controls.headers) return;
  if (!isOurs(stream)) return yield { kind: 'fault', message: `it answers for stream ${stream}` };
  if (type === controls.reset) return yield* endEvents(stream, 'failed');
  if (type === controls.reply && !replied.has(stream)) {
    replied.add(stream);
    if (replied.size === 2) yield { kind: 'opened' };
  }
  if ((flags & finFlag) !== 0) yield* endEvents(stream, 'ended');
}

/** The end of the stream for errors says nothing: a message makes a failure. */
function* endEvents(stream: number, kind: 'ended' | 'failed'): Generator<PortEvent, void> {
  if (stream === streams.data) yield { kind };
}

function isOurs(stream: number): boolean {
  return stream === streams.error || stream === streams.data;
}
