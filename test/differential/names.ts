import { answerOf } from '../corpus/functions/names.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';

/**
 * Compares small functions of strings: quoting, headers, media types, URLs (without fragments, which nothing prints), durations, errors.
 */

const alphabet = [
  ...'abzAZ09 /;=?"\\\'*%+-_.:@[]<>&,()#!~{}|^`$',
  '\n',
  '\t',
  '\r',
  '\0',
  '\x7f',
  '\x85',
  '\xa0',
  'é',
  'ß',
  '\u0130',
  '\u212a',
  '\u2028',
  '\u3000',
  '\ufeff',
  '\ufffd',
  '\u{1f600}',
];
const pieces: Readonly<Record<string, readonly string[]>> = {
  'media-type': [
    'application/json',
    'text/plain',
    '; ',
    ';',
    'charset',
    '=',
    'utf-8',
    '"',
    "utf-8''",
    'a*',
    'a*0',
    'a*1*',
    '%41',
    'x',
    ' ',
    '/',
  ],
  'parse-warning-header': [
    '299',
    ' ',
    '-',
    '"',
    'text',
    '\\',
    ',',
    '=?utf-8?q?a=C3=A9?=',
    '=?iso-8859-1?b?6Q==?=',
    '=?x?q?a?=',
    '100',
    'agent',
    '=?',
  ],
  'warning-header': ['text', '"', '\\', ' '],
  'header-name': ['content', 'TYPE', '-', 'x', '_', ' '],
  url: [
    'https',
    'http',
    '://',
    '//',
    ':',
    '/',
    'a.example.com',
    '[::1]',
    '[fe80::1%25en0]',
    ':443',
    '?',
    '%41',
    '%zz',
    '@',
    'u:p',
    ' ',
    'é',
    '..',
    '.',
    '&',
    '=',
  ],
  'parse-duration': ['1', '1.5', '.5', '-', '+', 'h', 'm', 's', 'ms', 'us', 'µs', 'μs', 'ns', '9223372036', '99999999999999999999', '0'],
  atoi: ['1', '0', '-', '+', '9', '9223372036854775807', '_', ' ', 'x'],
  quote: [],
};

function text(r: Random, className: string): string {
  const words = pieces[className] ?? [];
  return Array.from({ length: r.below(9) }, () => (words.length > 0 && r.chance(85) ? r.pick(words) : r.pick(alphabet))).join('');
}

function question(r: Random): Question {
  const className = r.pick([...Object.keys(pieces), 'duration-string', 'field-error', 'generic-server-response', 'api-error']);
  return { fn: 'names', class: className, ...inputOf(r, className) };
}

function inputOf(r: Random, className: string): Record<string, unknown> {
  switch (className) {
    case 'url':
      return { url: text(r, className).replaceAll('#', '') };
    case 'parse-duration':
    case 'atoi':
      return { text: text(r, className) };
    case 'warning-header':
      return { agent: r.chance(80) ? 'agent' : text(r, className), text: text(r, className) };
    case 'duration-string':
      return { nanoseconds: String(BigInt(r.below(2 ** 31)) * 10n ** BigInt(r.below(10)) * (r.chance(50) ? 1n : -1n)) };
    case 'field-error':
      return fieldError(r);
    case 'generic-server-response':
      return {
        ...resource(r),
        code: r.pick([200, 302, 400, 401, 403, 404, 405, 406, 409, 410, 415, 422, 429, 500, 503, 504, 599, 1000]),
        serverMessage: r.pick(['', 'unknown', text(r, 'quote')]),
        retryAfterSeconds: r.pick([0, 3]),
        unexpected: r.chance(50),
      };
    case 'api-error':
      return {
        ...resource(r),
        constructor: r.pick(constructors),
        kind: 'Kind',
        message: text(r, 'quote'),
        retryAfterSeconds: r.pick([0, 2]),
        errors: Array.from({ length: r.below(4) }, () => fieldError(r)),
      };
    default:
      return { value: text(r, className) };
  }
}

function resource(r: Random): Record<string, unknown> {
  return {
    group: r.pick(['', 'apps']),
    resource: r.pick(['', 'pods']),
    resourceName: r.pick(['', 'web', 'é"']),
    verb: r.pick(['POST', 'get', 'GET']),
  };
}

function fieldError(r: Random): Record<string, unknown> {
  return {
    type: r.pick(types),
    field: r.pick(['', 'spec.a[0]', 'metadata.labels[a/b]']),
    badValue: r.pick([text(r, 'quote'), 5, -1, 1.5, 0.0001, 1e6, 123456.5, 1e-7, 1e21, true, null, {}, [], { b: '<', a: [1] }]),
    detail: r.pick(['', 'bad', 'é\n']),
  };
}

const types = [
  'FieldValueRequired',
  'FieldValueInvalid',
  'FieldValueNotSupported',
  'FieldValueNotFound',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueForbidden',
  'FieldValueDuplicate',
  'InternalError',
  'FieldValueTypeInvalid',
];
const constructors = [
  'Invalid',
  'NotFound',
  'AlreadyExists',
  'GenerateNameConflict',
  'Forbidden',
  'Conflict',
  'ApplyConflict',
  'Gone',
  'ResourceExpired',
  'BadRequest',
  'InternalError',
  'TimeoutError',
  'ServerTimeout',
  'ServiceUnavailable',
  'MethodNotSupported',
  'TooManyRequests',
  'TooManyRequestsError',
  'RequestEntityTooLargeError',
  'Unauthorized',
];

function answered(q: Question): OracleAnswer {
  return sortedMembers(answerOf(String(q['class']), q) ?? {});
}

/** Members in a fixed order, without empty ones and those that the project does not use. */
function sortedMembers(answer: OracleAnswer): OracleAnswer {
  const { roundedToSeconds: _rounded, ...rest } = answer;
  const text = JSON.stringify(rest, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as OracleAnswer;
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
compareWithOracle({ questions: Array.from({ length: count }, () => question(random)), answer: answered, normalized: sortedMembers });
