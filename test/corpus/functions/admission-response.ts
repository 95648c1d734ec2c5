import { evaluateResponse } from '../../../src/apiserver/webhooks/invoke.js';
import { writeStatus } from '../../../src/encoding/status-json.js';
import { canonicalHeaderName } from '../../../src/go/header-name.js';
import { encodeUtf8Bytes } from '../../../src/go/utf8.js';
import type { Status } from '../../../src/kubernetes/status.js';
import { server } from '../../support/server.js';
import { parseTree, sameLeaves } from '../compare/json-tree.js';
import type { CorpusCase } from '../files.js';
import { bytesOf } from './inputs.js';

/** Inputs of a case of the table. */
export interface ResponseQuestion {
  readonly phase?: 'mutating' | 'validating';
  readonly reviewVersion?: 'v1' | 'v1beta1';
  readonly uid?: string;
  readonly webhook?: string;
  readonly expand?: unknown;
  readonly response: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
}

const outputs = ['callError', 'callStatus', 'verifyError', 'verified', 'denial'];

export function difference(recorded: CorpusCase): string | undefined {
  const expected = Object.fromEntries(Object.entries(recorded).filter(([key]) => outputs.includes(key)));
  const answer = answerOf(recorded as unknown as ResponseQuestion);
  const wanted = JSON.stringify(withoutTypeMeta(expected));
  const found = JSON.stringify(answer);
  return sameLeaves(parseTree(wanted), parseTree(found)) ? undefined : `expected ${wanted}\nfound    ${found}`;
}

/** The project's answer, with the members of the table. */
export function answerOf(question: ResponseQuestion): Record<string, unknown> {
  const { phase = 'validating', reviewVersion = 'v1', uid = '', webhook = 'w.example.com', response } = question;
  const evaluation = evaluateResponse({
    server,
    phase,
    reviewVersion,
    uid,
    webhook,
    response: { status: response.status ?? 200, headers: headersOf(response), body: bodyOf(question) },
  });
  if (evaluation.outcome === 'callError') return { callError: written(evaluation.message), ...status('callStatus', evaluation.status) };
  if (evaluation.outcome === 'verifyError') return { verifyError: evaluation.message };
  const { allowed, warnings, auditAnnotations, patch, patchType, denial } = evaluation;
  const verified = {
    allowed,
    ...(Object.keys(auditAnnotations).length === 0 ? {} : { auditAnnotations }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(patch === undefined ? {} : { ...bytes('patch', patch), patchType }),
  };
  return { verified: written(verified), ...status('denial', denial) };
}

/** A refusal's own kind and apiVersion are not kept: the API server overwrites them before a client sees the Status. */
export function withoutTypeMeta(expected: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { denial } = expected;
  if (typeof denial !== 'object' || denial === null) return { ...expected };
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = denial as Record<string, unknown>;
  return { ...expected, denial: rest };
}

function headersOf({ headers = {} }: ResponseQuestion['response']): [string, string][] {
  const sets = new Map<string, readonly string[]>();
  // For names that differ only in case the later one is used, as in the Go program that recorded the table.
  for (const [name, value] of Object.entries(headers)) {
    const key = canonicalHeaderName(name);
    sets.set(key, typeof value === 'string' ? [value] : [...(sets.get(key) ?? []), ...value]);
  }
  return [...sets].flatMap(([name, values]) => values.map((value): [string, string] => [name.toLowerCase(), value]));
}

function bodyOf({ response, expand }: ResponseQuestion): Uint8Array {
  return encodeUtf8Bytes(bytesOf({ ...response, body: response.body ?? '', expand }, 'body'));
}

function status(name: string, value: Status | undefined): Record<string, unknown> {
  if (value === undefined) return {};
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = JSON.parse(writeStatus(value)) as Record<string, unknown>;
  return { [name]: rest };
}

/** Strings as Go writes them to JSON: invalid UTF-8 becomes U+FFFD. */
function written(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Cs}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [written(key), written(v)]));
}

/** Bytes as in the tables: base64 if they are not UTF-8. */
function bytes(name: string, text: string): Record<string, string> {
  const encoded = encodeUtf8Bytes(text);
  const isUtf8 = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded)).equals(encoded);
  return isUtf8 ? { [name]: text } : { [`${name}Base64`]: Buffer.from(encoded).toString('base64') };
}
