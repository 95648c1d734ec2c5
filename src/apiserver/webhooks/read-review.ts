import { MediaTypeError, parseMediaType } from '../../go/media-type.js';
import { atoi } from '../../go/parse-integer.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import type { ValueMap } from '../../go/value.js';
import { trimSpace } from '../../go/white-space.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';
import { genericServerResponse } from '../../kubernetes/server-response.js';
import type { Status } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';
import { DecodeError } from '../objects/codec.js';
import { type AnswerScheme, type DecodedAnswer, decodeAnswer } from './decode-answer.js';
import { statusOfResult } from './status-of.js';

/** HTTP response of a webhook. */
export interface ReviewResponse {
  readonly status: number;
  /** Names in lower case, in the order received. */
  readonly headers: readonly (readonly [string, string])[];
  /** Whole body, decompressed. */
  readonly body: Uint8Array;
}

/** Reason why a response could not be decoded: its HTTP status or its body; the Status is set when Go's error is one. */
export interface UnreadAnswer {
  readonly class: 'http' | 'body';
  readonly message: string;
  readonly status: Status | undefined;
}

/**
 * Decodes a response as the REST client does: HTTP status, media type, then the body as the expected review. Source: client-go
 * rest/request.go.
 */
export function readReview(
  server: ApiServer,
  response: ReviewResponse,
  expected: GroupVersionKind,
  scheme?: AnswerScheme,
): { readonly review: ValueMap } | UnreadAnswer {
  const { status, body } = response;
  const contentType = headerOf(response, 'content-type');
  try {
    mediaTypeOf(contentType === '' ? defaultContentType : contentType);
  } catch (error) {
    if (error instanceof MediaTypeError) return unread('body', internalError(error.message).status);
    throw error;
  }
  // 101 Switching Protocols is not an error for the client; its body is.
  if (status !== 101 && (status < 200 || status > 206)) return unread('http', errorOfAnswer(server, response));
  const unreadBody = { class: status === 101 ? 'http' : 'body', status: undefined } as const;
  if (body.length === 0) {
    const type = contentType === '' ? defaultContentType : contentType;
    return { ...unreadBody, message: `0-length response with status code: ${status} and content type: ${type}` };
  }
  try {
    const decoded = decodeAnswer(server, body, expected, scheme);
    const wanted = `${expected.version}.${expected.kind}`;
    if (decoded.goType === wanted) return { review: decoded.value };
    return { ...unreadBody, message: `converting (${decoded.goType}) to (${wanted}): unknown conversion` };
  } catch (error) {
    if (error instanceof DecodeError) return { ...unreadBody, message: error.message };
    throw error;
  }
}

const defaultContentType = 'application/json';

function unread(failureClass: UnreadAnswer['class'], status: Status): UnreadAnswer {
  return { class: failureClass, message: status.message ?? '', status };
}

/**
 * Returns the error of an unsuccessful response: the Status in its body when that is a `Failure`, else one based on the code and the text.
 * A review in the body is ignored. Source: client-go rest/request.go Result.Error, newUnstructuredResponseError.
 */
function errorOfAnswer(server: ApiServer, response: ReviewResponse): Status {
  return statusInBody(server, response) ?? genericStatus(response);
}

function statusInBody(server: ApiServer, { body }: ReviewResponse): Status | undefined {
  if (body.length === 0) return undefined;
  let decoded: DecodedAnswer;
  try {
    decoded = decodeAnswer(server, body, { group: '', version: 'v1', kind: '' });
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
  if (decoded.goType !== 'v1.Status') return undefined;
  const status = statusOfResult(decoded.value);
  return status.status === 'Failure' ? status : undefined;
}

/** Max bytes of a body that are quoted in an error. */
const maximumText = 2048;

function genericStatus(response: ReviewResponse): Status {
  const text = decodeUtf8Bytes(response.body.subarray(0, maximumText));
  const { status } = genericServerResponse({
    code: response.status,
    verb: 'POST',
    resource: { group: '', resource: '' },
    name: '',
    serverMessage: isText(headerOf(response, 'content-type')) ? trimSpace(text) : 'unknown',
    retryAfterSeconds: retryAfterOf(headerOf(response, 'retry-after')),
    unexpected: true,
  });
  return status;
}

function isText(contentType: string): boolean {
  return contentType === '' || mediaTypeOf(contentType).type.startsWith('text/');
}

/** All answers of a webhook have the same type. */
const mediaTypeOf = memoizeStrings(100, parseMediaType);

/** Returns whole seconds as an int32; zero for a date or any other value. */
function retryAfterOf(header: string): number {
  const seconds = atoi(header);
  return typeof seconds === 'object' ? 0 : Number(BigInt.asIntN(32, seconds));
}

/** Returns the first value of a header by its lower-case name; empty without one. */
function headerOf({ headers }: Pick<ReviewResponse, 'headers'>, name: string): string {
  return headers.find(([n]) => n === name)?.[1] ?? '';
}
