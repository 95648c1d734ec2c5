import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { indented } from '../../go/json/indent.js';
import { sharedGetters } from '../../go/shared-getters.js';
import { isList, isMap, type ValueMap } from '../../go/value.js';
import { lazy } from '../../kubernetes/memoize.js';
import { mediaTypes, type Negotiated } from '../endpoints/negotiation.js';
import type { Answer } from '../report/report.js';

/** Body as it is sent. */
export interface Written {
  readonly contentType: string;
  readonly body: string;
  /** Bytes of a body that is not text. */
  readonly bytes?: Uint8Array;
}

/**
 * Writes a JSON document in the negotiated form; when undefined, nothing is acceptable and the document is indented. Only a Status is
 * written as protobuf; other documents stay JSON. Source: apiserver handlers/responsewriters/writers.go.
 */
function writeAnswer(json: string, form: Negotiated | undefined): Written {
  if (form === undefined) return { contentType: mediaTypes.json, body: indented(json) };
  if (form.encoding === 'yaml') return { contentType: mediaTypes.yaml, body: foldYaml(writeYaml(readUnstructured(json))) };
  if (form.encoding === 'protobuf') {
    const document = readUnstructured(json);
    if (isMap(document) && document.get('kind') === 'Status') {
      const bytes = statusProtobuf(document);
      return { contentType: mediaTypes.protobuf, body: Buffer.from(bytes).toString('utf8'), bytes };
    }
  }
  return { contentType: mediaTypes.json, body: form.pretty ? indented(json) : `${json}\n` };
}

const withWritten = sharedGetters<Pick<Answer, 'contentType' | 'body' | 'bytes'>>('contentType', 'body', 'bytes');

/** Returns an answer with a JSON document, which is written on first use, because many commands show only parts of it. */
export function lazyAnswer(
  head: Pick<Answer, 'status' | 'warnings' | 'headers'>,
  json: () => string,
  form: Negotiated | undefined,
): Answer {
  const written = lazy(() => writeAnswer(json(), form));
  return withWritten({ ...head }, { contentType: () => written().contentType, body: () => written().body, bytes: () => written().bytes });
}

/** Column after which go-yaml breaks a line at the next space. */
const width = 80;

/** Folds long scalars of a YAML document as go-yaml's emitter does. Source: go-yaml v2 emitterc.go. */
function foldYaml(document: string): string {
  const lines = document.split('\n');
  let blockIndent: number | undefined;
  return lines
    .map(line => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (blockIndent !== undefined && (line === '' || indent > blockIndent)) return line;
      blockIndent = /(: |^ *- )\|[-+]?$/.test(line) ? indent : undefined;
      return blockIndent === undefined ? foldLine(line, indent) : line;
    })
    .join('\n');
}

/** Breaks a line at single spaces after the scalar's first character; continuation lines are indented further than the key. */
function foldLine(line: string, indent: number): string {
  const [start = ''] = /^( *(- )*)([^:'"]+: )?/.exec(line) ?? [];
  const items = (/^ *((- )*)/.exec(start)?.[1] ?? '').length;
  const next = ' '.repeat(indent + items + 2);
  let folded = start;
  let column = start.length;
  const scalar = line.slice(start.length);
  for (let i = 0; i < scalar.length; i += 1) {
    const isBreak = scalar[i] === ' ' && column > width && i > 0 && scalar[i - 1] !== ' ' && scalar[i + 1] !== ' ' && i < scalar.length - 1;
    folded += isBreak ? `\n${next}` : scalar[i];
    column = isBreak ? next.length : column + 1;
  }
  return folded;
}

/** Returns a Status in the envelope of Kubernetes' protobuf. Source: apimachinery runtime/serializer/protobuf; meta/v1 generated.proto. */
function statusProtobuf(status: ValueMap): Uint8Array {
  const envelope = [...bytesField(1, [...textField(1, memberText(status, 'apiVersion')), ...textField(2, memberText(status, 'kind'))])];
  envelope.push(...bytesField(2, statusMessage(status)), ...textField(3, ''), ...textField(4, ''));
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope]);
}

function statusMessage(status: ValueMap): number[] {
  const metadata = status.get('metadata');
  const details = status.get('details');
  return [
    ...bytesField(1, metadataMessage(isMap(metadata) ? metadata : new Map())),
    ...textField(2, memberText(status, 'status')),
    ...textField(3, memberText(status, 'message')),
    ...textField(4, memberText(status, 'reason')),
    ...(isMap(details) ? bytesField(5, detailsMessage(details)) : []),
    ...numberField(6, status.get('code')),
  ];
}

function metadataMessage(metadata: ValueMap): number[] {
  return ['selfLink', 'resourceVersion', 'continue'].flatMap((name, i) => textField(i + 1, memberText(metadata, name)));
}

function detailsMessage(details: ValueMap): number[] {
  const causes = details.get('causes');
  return [
    ...['name', 'group', 'kind'].flatMap((name, i) => textField(i + 1, memberText(details, name))),
    ...(isList(causes) ? causes.flatMap(cause => bytesField(4, isMap(cause) ? causeMessage(cause) : [])) : []),
    ...numberField(5, details.get('retryAfterSeconds')),
    ...textField(6, memberText(details, 'uid')),
  ];
}

function causeMessage(cause: ValueMap): number[] {
  return ['reason', 'message', 'field'].flatMap((name, i) => textField(i + 1, memberText(cause, name)));
}

function memberText(map: ValueMap, name: string): string {
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
