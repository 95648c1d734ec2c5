import { MediaTypeError, parseMediaType } from '../../go/media-type.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';
import type { Phase } from '../../kubernetes/webhook-call.js';
import { DecodeError } from '../objects/codec.js';
import { decodeAnswer, type Scheme } from './decode-answer.js';
import { errorOfAnswer } from './error-of-answer.js';
import { type HttpResponse, headerOf } from './http-response.js';
import type { ReviewVersion } from './review.js';
import { type VerifiedResponse, verifyResponse } from './verify-response.js';

/** Response to a review, and the request that it must match. */
export interface ReviewAnswer {
  readonly server: ApiServer;
  readonly phase: Phase;
  readonly reviewVersion: ReviewVersion;
  /** UID of the request. */
  readonly uid: string;
  readonly webhook: string;
  readonly response: HttpResponse;
}

/** Result of evaluating a response. */
export type ResponseEvaluation =
  /** The message follows `failed calling webhook "NAME": failed to call webhook: `; the Status is set when Go's error is one. */
  | ({ readonly outcome: 'callError' } & UnreadAnswer)
  /** The message follows `failed calling webhook "NAME": received invalid webhook response: `. */
  | { readonly outcome: 'verifyError'; readonly message: string }
  | ({ readonly outcome: 'verified' } & VerifiedResponse);

/**
 * Evaluates a webhook's response as the API server's REST client and admission plugins do together: status, media type, decoding,
 * verification, and the Status of a refusal. Source: client-go rest/request.go, apiserver webhook/request/admissionreview.go.
 */
export function evaluateResponse(answer: ReviewAnswer): ResponseEvaluation {
  const { phase, reviewVersion, uid, webhook, response } = answer;
  const read = readReview(answer.server, response, { group: 'admission.k8s.io', version: reviewVersion, kind: 'AdmissionReview' });
  if ('message' in read) return { outcome: 'callError', ...read };
  const verified = verifyResponse(read.review, { phase, reviewVersion, uid, webhook });
  return typeof verified === 'string' ? { outcome: 'verifyError', message: verified } : { outcome: 'verified', ...verified };
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
  response: HttpResponse,
  expected: GroupVersionKind,
  scheme?: Scheme,
): { readonly review: ValueMap } | UnreadAnswer {
  const { status, body } = response;
  const contentType = headerOf(response, 'content-type');
  try {
    parseMediaType(contentType === '' ? defaultContentType : contentType);
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
