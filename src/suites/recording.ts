import { writeYaml } from '../encoding/yaml-writer.js';
import { isList, isMap, mapAt, numberAt, stringAt, type Value, type ValueMap } from '../go/value.js';

/** HTTP header fields as received, in order. */
export type RecordedHeaders = readonly (readonly [name: string, value: string])[];

/** One exchange between a webhook and its client. */
export interface Recording {
  readonly request: { readonly path: string; readonly headers: RecordedHeaders; readonly body: string };
  readonly answer: { readonly status: number; readonly headers: RecordedHeaders; readonly body: string };
  /** Arrival of the request: RFC 3339, UTC. */
  readonly at: string;
  /** From the complete request to the complete response. */
  readonly durationMs: number;
}

/** Version and kind of a recording's document. */
export const recordingApiVersion = 'webhook-cli.dev/v1alpha1';
export const recordingKind = 'Recording';

/** Returns a recording as YAML. */
export function writeRecording({ request, answer, at, durationMs }: Recording): string {
  const { path, headers, body } = request;
  return writeYaml(
    new Map<string, Value>([
      ['apiVersion', recordingApiVersion],
      ['kind', recordingKind],
      [
        'request',
        new Map<string, Value>([
          ['path', path],
          ['headers', headersValue(headers)],
          ['body', body],
        ]),
      ],
      [
        'answer',
        new Map<string, Value>([
          ['status', BigInt(answer.status)],
          ['headers', headersValue(answer.headers)],
          ['body', answer.body],
        ]),
      ],
      ['at', at],
      ['durationMs', Math.round(durationMs * 10) / 10],
    ]),
  );
}

/** A header that occurs more than once is a list. */
function headersValue(headers: RecordedHeaders): ValueMap {
  const values = new Map<string, Value>();
  for (const [name, value] of headers) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : [...(isList(known) ? known : [known]), value]);
  }
  return values;
}

/** Reports whether this document is a recording. */
export function isRecording(object: ValueMap): boolean {
  return stringAt(object, 'apiVersion') === recordingApiVersion && stringAt(object, 'kind') === recordingKind;
}

/** Returns the recording in a document, or why the document is invalid, with the JSON pointer of the field. */
export function readRecording(object: ValueMap): Recording | { readonly error: string; readonly pointer: string } {
  for (const pointer of ['/request', '/answer']) {
    const name = pointer.slice(1);
    if (!isMap(object.get(name))) return { error: `missing ${name} of the recording`, pointer };
    if (typeof mapAt(object, name)?.get('body') !== 'string') return { error: `missing ${name}.body of the recording`, pointer };
  }
  const status = Number(numberAt(object, 'answer', 'status'));
  if (status < 100 || status > 599) return { error: 'invalid answer.status of the recording: expected an HTTP status', pointer: '/answer' };
  const duration = object.get('durationMs');
  return {
    request: {
      path: stringAt(object, 'request', 'path') || '/',
      headers: headersOf(mapAt(object, 'request', 'headers')),
      body: stringAt(object, 'request', 'body'),
    },
    answer: { status, headers: headersOf(mapAt(object, 'answer', 'headers')), body: stringAt(object, 'answer', 'body') },
    at: stringAt(object, 'at'),
    durationMs: typeof duration === 'number' || typeof duration === 'bigint' ? Number(duration) : 0,
  };
}

function headersOf(headers: ValueMap | undefined): RecordedHeaders {
  return [...(headers ?? [])].flatMap(([name, value]) => (isList(value) ? value : [value]).map(one => [name, String(one)] as const));
}
