import { writeStatus } from '../../../src/encoding/status-json.js';
import { durationText, parseDuration } from '../../../src/go/duration.js';
import { canonicalHeaderName } from '../../../src/go/header-name.js';
import { writeValue } from '../../../src/go/json/write.js';
import { MediaTypeError, parseMediaType } from '../../../src/go/media-type.js';
import { atoi } from '../../../src/go/parse-integer.js';
import { quote, quoteToAscii } from '../../../src/go/quote.js';
import { TimeError } from '../../../src/go/quote-for-time.js';
import { statusText } from '../../../src/go/status-text.js';
import { parseUrl, UrlError } from '../../../src/go/url/parse.js';
import { splitHost, type Url, urlText, userText } from '../../../src/go/url/url.js';
import { decodeUtf8Bytes } from '../../../src/go/utf8.js';
import { toValue } from '../../../src/go/value.js';
import { type FieldError, type FieldErrorType, fieldErrorBody, printFieldError } from '../../../src/kubernetes/field-error.js';
import { genericServerResponse } from '../../../src/kubernetes/server-response.js';
import type { Status, StatusError } from '../../../src/kubernetes/status.js';
import {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  forbidden,
  generateNameConflict,
  gone,
  internalError,
  invalid,
  methodNotSupported,
  notFound,
  requestEntityTooLarge,
  resourceExpired,
  serverTimeout,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  tooManyRequestsError,
  unauthorized,
} from '../../../src/kubernetes/status-errors.js';
import { parseWarningHeaders, printWarningHeader, WarningHeaderError } from '../../../src/kubernetes/warning-header.js';
import { numberOf, parseTree, printTree, sameLeaves, type Tree } from '../compare/json-tree.js';
import type { CorpusCase } from '../files.js';

/** Compares the project's messages with the recorded ones, by class of the table. */
export function difference(recorded: CorpusCase): string | undefined {
  const [, className = ''] = recorded.name.split('/');
  const answer = answerOf(className, recorded);
  if (answer === undefined) return `nothing answers the class ${className}`;
  const expected = Object.fromEntries(Object.keys(answer).map(key => [key, recorded[key]]));
  const [wanted, found] = [exactTree(expected), exactTree(answer)];
  return sameLeaves(wanted, found) ? undefined : `expected ${printTree(wanted)}\nfound    ${printTree(found)}`;
}

/** The tree of a value whose whole numbers may be bigints. */
function exactTree(value: unknown): Tree {
  return parseTree(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? numberOf(part) : part)));
}

/** The output members of a case of a class. */
export function answerOf(className: string, input: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  return answers[className]?.(input);
}

type Input = Readonly<Record<string, unknown>>;

const answers: Readonly<Record<string, (input: Input) => Record<string, unknown>>> = {
  'status-text': input => ({ text: statusText(Number(input['code'])) }),
  quote: input => {
    const value = textOf(input, 'value');
    return { quote: quote(value), sprintfQ: quote(value), quoteToASCII: quoteToAscii(value), sprintfPlusQ: quoteToAscii(value) };
  },
  'duration-string': input => {
    const nanoseconds = BigInt(textOf(input, 'nanoseconds'));
    // `roundedToSeconds` is left out: nothing the API server says is rounded that way.
    return { text: durationText(nanoseconds) };
  },
  'parse-duration': input => {
    try {
      return { nanoseconds: String(parseDuration(textOf(input, 'text'))), error: undefined };
    } catch (error) {
      return { error: messageOf(error, TimeError), nanoseconds: undefined };
    }
  },
  url: input => {
    try {
      return { parsed: urlParts(parseUrl(textOf(input, 'url'))), error: undefined };
    } catch (error) {
      return { error: messageOf(error, UrlError), parsed: undefined };
    }
  },
  atoi: input => {
    const value = atoi(textOf(input, 'text'));
    return typeof value === 'object' ? { ...value, value: undefined } : { value, error: undefined };
  },
  'media-type': input => {
    try {
      const { type, parameters } = parseMediaType(textOf(input, 'value'));
      return { mediaType: type, parameters: parameters.size === 0 ? undefined : Object.fromEntries(parameters), error: undefined };
    } catch (error) {
      const type = error instanceof MediaTypeError && error.type !== '' ? error.type : undefined;
      return { error: messageOf(error, MediaTypeError), mediaType: type, parameters: undefined };
    }
  },
  'header-name': input => ({ canonical: canonicalHeaderName(textOf(input, 'value')) }),
  'warning-header': input => {
    try {
      return { header: printWarningHeader({ code: 299, agent: textOf(input, 'agent'), text: textOf(input, 'text') }), error: undefined };
    } catch (error) {
      return { error: messageOf(error, WarningHeaderError), header: undefined };
    }
  },
  'parse-warning-header': input => {
    const { warnings, error } = parseWarningHeaders(textOf(input, 'value'));
    return { warnings, errors: error === undefined ? [] : [error] };
  },
  'field-error': input => ({ text: printFieldError(fieldErrorOf(input)), body: fieldErrorBody(fieldErrorOf(input)) }),
  'generic-server-response': input => ({
    status: bareStatus(
      genericServerResponse({
        code: Number(input['code']),
        verb: textOf(input, 'verb'),
        resource: { group: textOf(input, 'group'), resource: textOf(input, 'resource') },
        name: textOf(input, 'resourceName'),
        serverMessage: textOf(input, 'serverMessage'),
        retryAfterSeconds: Number(input['retryAfterSeconds'] ?? 0),
        unexpected: input['unexpected'] === true,
      }).status,
    ),
  }),
  'api-error': input => {
    const error = apiErrorOf(textOf(input, 'constructor'), input);
    return { status: bareStatus(error.status), text: error.message };
  },
};

function textOf(input: Input, name: string): string {
  const base64 = input[`${name}Base64`];
  if (typeof base64 === 'string') return decodeUtf8Bytes(Buffer.from(base64, 'base64'));
  const text = input[name];
  return typeof text === 'string' ? text : '';
}

/** The parts of a URL as the table names them. */
function urlParts(url: Url): Record<string, unknown> {
  const { scheme, opaque, host, path, rawPath, fragment } = url;
  const user = url.user === undefined ? '' : userText(url.user);
  return { scheme, opaque, user, host, ...splitHost(host), path, rawPath, query: url.rawQuery, fragment, text: urlText(url) };
}

function messageOf(error: unknown, expected: new (...given: never[]) => Error): string {
  if (error instanceof expected) return error.message;
  throw error;
}

/** The members of a Status as the tables hold it: without kind and apiVersion. */
function bareStatus(status: Status): Record<string, unknown> {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = JSON.parse(writeStatus(status)) as Record<string, unknown>;
  return rest;
}

function fieldErrorOf(input: Input): FieldError {
  const { badValue = null } = input;
  const isLeaf = typeof badValue !== 'object' || badValue === null;
  const value = toValue(badValue);
  return {
    type: textOf(input, 'type') as FieldErrorType,
    field: textOf(input, 'field'),
    badValue: isLeaf ? (value as string | bigint | number | boolean | null) : { rawJson: writeValue(value, 'sorted') },
    detail: textOf(input, 'detail'),
  };
}

/** Constants of the table. */
const shorthand: Readonly<Record<string, Input>> = {
  invalid: {
    constructor: 'Invalid',
    kind: 'Deployment',
    errors: [
      { type: 'FieldValueRequired', field: 'spec.selector', badValue: '' },
      { type: 'FieldValueInvalid', field: 'spec.replicas', badValue: -1, detail: 'must be non-negative' },
    ],
  },
  'invalid-none': { constructor: 'Invalid', group: '', kind: 'Pod', resourceName: 'x' },
  'already-exists': { constructor: 'AlreadyExists' },
  'not-found': { constructor: 'NotFound' },
  forbidden: { constructor: 'Forbidden', message: 'no' },
  'forbidden-no-name': { constructor: 'Forbidden', group: '', resource: 'pods', resourceName: '', message: 'no' },
  conflict: { constructor: 'Conflict', message: 'changed' },
  'bad-request': { constructor: 'BadRequest', message: 'bad' },
  timeout: { constructor: 'TimeoutError', message: 'slow', retryAfterSeconds: 3 },
  unavailable: { constructor: 'ServiceUnavailable', message: 'x' },
  'too-many': { constructor: 'TooManyRequests', message: 'm', retryAfterSeconds: 1 },
  entity: { constructor: 'RequestEntityTooLargeError', message: 'limit is 3145728' },
  'unauthorized-m': { constructor: 'Unauthorized', message: 'm' },
  'generate-name': { constructor: 'GenerateNameConflict', retryAfterSeconds: 1 },
};

function apiErrorOf(kind: string, given: Input): StatusError {
  const short = shorthand[kind];
  const input: Input = short === undefined ? given : { group: 'apps', resource: 'deployments', resourceName: 'web', ...short };
  const resource = { group: textOf(input, 'group'), resource: textOf(input, 'resource') };
  const name = textOf(input, 'resourceName');
  const message = textOf(input, 'message');
  const seconds = Number(input['retryAfterSeconds'] ?? 0);
  const errors = Array.isArray(input['errors']) ? (input['errors'] as Input[]) : [];
  const made: Readonly<Record<string, () => StatusError>> = {
    Invalid: () => invalid({ group: resource.group, kind: textOf(input, 'kind') }, name, errors.map(fieldErrorOf)),
    NotFound: () => notFound(resource, name),
    AlreadyExists: () => alreadyExists(resource, name),
    GenerateNameConflict: () => generateNameConflict(resource, name, seconds),
    Forbidden: () => forbidden(resource, name, message),
    Conflict: () => conflict(resource, name, message),
    ApplyConflict: () => applyConflict(message, undefined),
    Gone: () => gone(message),
    ResourceExpired: () => resourceExpired(message),
    BadRequest: () => badRequest(message),
    InternalError: () => internalError(message),
    TimeoutError: () => timeout(message, seconds),
    ServerTimeout: () => serverTimeout(resource, textOf(input, 'verb'), seconds),
    ServiceUnavailable: () => serviceUnavailable(message),
    MethodNotSupported: () => methodNotSupported(resource, textOf(input, 'verb')),
    TooManyRequests: () => tooManyRequests(message, seconds),
    TooManyRequestsError: () => tooManyRequestsError(message),
    RequestEntityTooLargeError: () => requestEntityTooLarge(message),
    Unauthorized: () => unauthorized(message),
  };
  const make = made[textOf(input, 'constructor')];
  if (make === undefined) throw new Error(`no constructor ${printTree(parseTree(JSON.stringify(input['constructor'])))}`);
  return make();
}
