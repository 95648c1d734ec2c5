import { patchText } from '../api/create-patch.js';
import { errored, messageOf } from '../api/responses.js';
import type { AdmissionRequest, AdmissionResponse, AdmissionWebhook } from '../api/types.js';
import { ConnectionAborted, type HttpHandler, type HttpResponse, headerOf, sniffedText } from '../http/message.js';
import { type DecodedReview, decodeReview } from './decode-review.js';
import { reviewText } from './encode-review.js';
import { requestOf } from './request-of.js';

/** Observers of admission events. */
export interface AdmissionObserver {
  /** Called when a handler panics. */
  readonly onPanic: (value: unknown) => void;
  /** Called when a request cannot be read or a response not be written, which controller-runtime logs. */
  readonly onError: (message: string, error: string) => void;
}

/** controller-runtime's limit of a body; a body of exactly this size is refused. */
const maxRequestBytes = 7 * 1024 * 1024;

/** Returns an HTTP handler that answers AdmissionReviews. Source: controller-runtime webhook/admission http.go, webhook.go. */
export function admissionHandler(webhook: AdmissionWebhook, observer: AdmissionObserver): HttpHandler {
  return async request => {
    const refused = (code: number, log: string, error: string): HttpResponse => {
      observer.onError(log, error);
      return sniffedText(reviewText(errored(code, new Error(error)), undefined));
    };
    if (!request.hasBody) return refused(400, 'bad request', 'request body is empty');
    const { bytes, error } = await request.readBody(maxRequestBytes);
    if (error !== undefined) return refused(400, 'unable to read the body from the incoming request', error);
    if (bytes.length >= maxRequestBytes) {
      const tooLarge = `request entity is too large; limit is ${maxRequestBytes} bytes`;
      return refused(413, 'unable to read the body from the incoming request; limit reached', tooLarge);
    }
    const contentType = headerOf(request.headers, 'content-type');
    if (contentType !== 'application/json') {
      const shown = Buffer.from(contentType, 'latin1').toString('utf8');
      return refused(400, 'unable to process a request with unknown content type', `contentType=${shown}, expected application/json`);
    }
    let review: DecodedReview;
    try {
      review = decodeReview(bytes);
    } catch (failure) {
      return refused(400, 'unable to decode the request', messageOf(failure));
    }
    const response = await responseTo(requestOf(review.request), webhook, observer);
    return sniffedText(reviewText(response, review.kind));
  };
}

/** Returns the complete response of a webhook to a request. Throws ConnectionAborted for a panic that is not recovered. */
async function responseTo(request: AdmissionRequest, webhook: AdmissionWebhook, observer: AdmissionObserver): Promise<AdmissionResponse> {
  const { uid } = request;
  let response: AdmissionResponse;
  try {
    const answer = webhook.handler(request);
    response = answer instanceof Promise ? await answer : answer;
    if (typeof response !== 'object' || response === null)
      throw new TypeError(`the handler returned ${String(response)}: expected a response such as allowed()`);
  } catch (thrown) {
    observer.onPanic(thrown);
    if (!webhook.recoverPanic) throw new ConnectionAborted(messageOf(thrown));
    return complete(errored(500, new Error(`panic: ${messageOf(thrown)} [recovered]`)), uid);
  }
  try {
    return complete(response, uid);
  } catch (error) {
    observer.onError('unable to encode response', messageOf(error));
    return complete(errored(500, new Error('unable to encode response')), uid);
  }
}

/** Source: webhook/admission webhook.go Response.Complete. */
function complete(response: AdmissionResponse, uid: string): AdmissionResponse {
  const { status, patches = [] } = response;
  const completed = { ...response, uid, status: { ...status, code: status?.code || 200 } };
  return patches.length === 0 ? completed : { ...completed, patch: patchText(patches), patchType: 'JSONPatch' };
}
