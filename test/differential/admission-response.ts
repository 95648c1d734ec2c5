import { answerOf, type ResponseQuestion, withoutTypeMeta } from '../corpus/functions/admission-response.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { answerBody } from './random-answer.js';

/** Compares random webhook answers, valid and invalid, with the API server's REST client and verification. */

function question(r: Random): Question {
  const reviewVersion = r.pick(['v1', 'v1', 'v1beta1']);
  const uid = r.chance(90) ? 'a-uid' : r.pick(['', 'é"', 'A-UID']);
  const status = r.chance(75) ? 200 : r.pick(statuses);
  const headers: Record<string, string | string[]> = {};
  if (r.chance(90)) headers['Content-Type'] = r.chance(80) ? 'application/json' : contentType(r);
  if (r.chance(10)) headers['retry-after'] = r.pick(['1', '0', '-3', ' 2', '99999999999', 'Mon, 02 Jan 2006 15:04:05 GMT', '']);
  const body = answerBody(r, { reviewVersion, uid });
  return {
    fn: 'admission-response',
    phase: r.pick(['mutating', 'validating']),
    reviewVersion,
    uid,
    webhook: r.pick(['w.example.com', 'w.example.com', 'é"\u00a0']),
    response: { status, headers, ...asBytes(body) },
  };
}

const statuses = [
  101, 199, 201, 202, 203, 204, 205, 206, 207, 300, 302, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 422, 429,
  500, 501, 502, 503, 504, 599, 600, 999,
];

function contentType(r: Random): string {
  const type = r.pick([
    'application/json',
    'text/plain',
    'text/html',
    'TEXT/x',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    'a',
    '',
  ]);
  const rest = r.pick([
    '',
    '',
    '; charset=utf-8',
    ';',
    '; ;',
    '; a',
    ';a=1;a=2',
    '/x',
    ' x',
    "; t*=utf-8'en'%41; t*0=b",
    '; a="b\\"c"',
    ', text/plain',
  ]);
  return type + rest;
}

function asBytes(body: Buffer): Record<string, string> {
  const text = body.toString('utf8');
  return Buffer.from(text).equals(body) ? { body: text } : { bodyBase64: body.toString('base64') };
}

function deeplySorted(answer: OracleAnswer): OracleAnswer {
  return sortedValue(answer) as OracleAnswer;
}

function sortedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, v]) => [key, sortedValue(v)]));
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
compareWithOracle({
  questions: Array.from({ length: count }, () => question(random)),
  answer: q => deeplySorted(answerOf(q as unknown as ResponseQuestion)),
  normalized: expected => deeplySorted(withoutTypeMeta(expected)),
});
