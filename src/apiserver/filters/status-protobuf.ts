import { isList, isMap, type ValueMap } from '../../go/value.js';

/** Returns a Status in the envelope of Kubernetes' protobuf. Source: apimachinery runtime/serializer/protobuf; meta/v1 generated.proto. */
export function statusProtobuf(status: ValueMap): Uint8Array {
  const envelope = [...bytesField(1, [...textField(1, textOf(status, 'apiVersion')), ...textField(2, textOf(status, 'kind'))])];
  envelope.push(...bytesField(2, statusMessage(status)), ...textField(3, ''), ...textField(4, ''));
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope]);
}

function statusMessage(status: ValueMap): number[] {
  const metadata = status.get('metadata');
  const details = status.get('details');
  return [
    ...bytesField(1, metadataMessage(isMap(metadata) ? metadata : new Map())),
    ...textField(2, textOf(status, 'status')),
    ...textField(3, textOf(status, 'message')),
    ...textField(4, textOf(status, 'reason')),
    ...(isMap(details) ? bytesField(5, detailsMessage(details)) : []),
    ...numberField(6, status.get('code')),
  ];
}

function metadataMessage(metadata: ValueMap): number[] {
  return ['selfLink', 'resourceVersion', 'continue'].flatMap((name, i) => textField(i + 1, textOf(metadata, name)));
}

function detailsMessage(details: ValueMap): number[] {
  const causes = details.get('causes');
  return [
    ...['name', 'group', 'kind'].flatMap((name, i) => textField(i + 1, textOf(details, name))),
    ...(isList(causes) ? causes.flatMap(cause => bytesField(4, isMap(cause) ? causeMessage(cause) : [])) : []),
    ...numberField(5, details.get('retryAfterSeconds')),
    ...textField(6, textOf(details, 'uid')),
  ];
}

function causeMessage(cause: ValueMap): number[] {
  return ['reason', 'message', 'field'].flatMap((name, i) => textField(i + 1, textOf(cause, name)));
}

function textOf(map: ValueMap, name: string): string {
  const value = map.get(name);
  return typeof value === 'string' ? value : '';
}

/** Returns a string field; the generated code writes empty strings and zeros too. */
function textField(number: number, text: string): number[] {
  return bytesField(number, [...Buffer.from(text)]);
}

function bytesField(number: number, bytes: readonly number[]): number[] {
  return [(number << 3) | 2, ...varint(BigInt(bytes.length)), ...bytes];
}

function numberField(number: number, value: unknown): number[] {
  return [number << 3, ...varint(typeof value === 'bigint' ? BigInt.asUintN(64, value) : 0n)];
}

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
