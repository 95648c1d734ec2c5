import { MediaTypeError, parseMediaType } from '../../kubernetes/media-type.js';
import type { Status } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';
import type { Phase } from '../../kubernetes/webhook-call.js';
import { DecodeError } from '../objects/codec.js';
import { decodeAnswer } from './decode-answer.js';
import { errorOfAnswer } from './error-of-answer.js';
import { type HttpResponse, headerOf } from './http-response.js';
import type { ReviewVersion } from './review.js';
import { type VerifiedResponse, verifyResponse } from './verify-response.js';

/** An answer to a review, and what it has to fit. */
export interface ReviewAnswer {
  readonly phase: Phase;
  readonly reviewVersion: ReviewVersion;
  /** Of the request. */
  readonly uid: string;
  readonly webhook: string;
  readonly response: HttpResponse;
}

/** What the API server makes of an answer. */
export type ResponseJudgement =
  /** The message follows `failed calling webhook "NAME": failed to call webhook: `; the Status where Go's error is one. */
  | { readonly outcome: 'callError'; readonly message: string; readonly status: Status | undefined }
  /** The message follows `failed calling webhook "NAME": received invalid webhook response: `. */
  | { readonly outcome: 'verifyError'; readonly message: string }
  | ({ readonly outcome: 'verified' } & VerifiedResponse);

/**
 * Judges what a webhook answered as the API server's REST client and admission plugins do together: status, media type, decoding,
 * verification, and the Status of a refusal. Source: client-go rest/request.go, apiserver webhook/request/admissionreview.go.
 */
export function judgeResponse(answer: ReviewAnswer): ResponseJudgement {
  const { status, body } = answer.response;
  const contentType = headerOf(answer.response, 'content-type');
  try {
    parseMediaType(contentType === '' ? defaultContentType : contentType);
  } catch (error) {
    if (error instanceof MediaTypeError) return callError(internalError(error.message).status);
    throw error;
  }
  // 101 Switching Protocols is no error to the client; its body is.
  if (status !== 101 && (status < 200 || status > 206)) return callError(errorOfAnswer(answer.response));
  if (body.length === 0) {
    const type = contentType === '' ? defaultContentType : contentType;
    return { outcome: 'callError', message: `0-length response with status code: ${status} and content type: ${type}`, status: undefined };
  }
  return judgeReview(answer);
}

const defaultContentType = 'application/json';

function callError(status: Status): ResponseJudgement {
  return { outcome: 'callError', message: status.message ?? '', status };
}

function judgeReview({ phase, reviewVersion, uid, webhook, response }: ReviewAnswer): ResponseJudgement {
  try {
    const expected = { group: 'admission.k8s.io', version: reviewVersion, kind: 'AdmissionReview' };
    const decoded = decodeAnswer(response.body, expected);
    if (decoded.goType !== `${reviewVersion}.AdmissionReview`) {
      const message = `converting (${decoded.goType}) to (${reviewVersion}.AdmissionReview): unknown conversion`;
      return { outcome: 'callError', message, status: undefined };
    }
    const verified = verifyResponse(decoded.value, { phase, reviewVersion, uid, webhook });
    return typeof verified === 'string' ? { outcome: 'verifyError', message: verified } : { outcome: 'verified', ...verified };
  } catch (error) {
    if (error instanceof DecodeError) return { outcome: 'callError', message: error.message, status: undefined };
    throw error;
  }
}
