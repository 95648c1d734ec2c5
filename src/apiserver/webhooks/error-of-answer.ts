import { parseMediaType } from '../../go/media-type.js';
import { atoi } from '../../go/parse-integer.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { trimSpace } from '../../go/white-space.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { genericServerResponse } from '../../kubernetes/server-response.js';
import type { Status } from '../../kubernetes/status.js';
import { DecodeError } from '../objects/codec.js';
import { type DecodedAnswer, decodeAnswer } from './decode-answer.js';
import { type HttpResponse, headerOf } from './http-response.js';
import { statusOf } from './status-of.js';

/**
 * Returns the error of an unsuccessful response: the Status in its body when that is a `Failure`, else one based on the code and the text.
 * A review in the body is ignored. Source: client-go rest/request.go Result.Error, newUnstructuredResponseError.
 */
export function errorOfAnswer(server: ApiServer, response: HttpResponse): Status {
  return statusInBody(server, response) ?? genericStatus(response);
}

function statusInBody(server: ApiServer, { body }: HttpResponse): Status | undefined {
  if (body.length === 0) return undefined;
  let decoded: DecodedAnswer;
  try {
    decoded = decodeAnswer(server, body, { group: '', version: 'v1', kind: '' });
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
  if (decoded.goType !== 'v1.Status') return undefined;
  const status = statusOf(decoded.value);
  return status.status === 'Failure' ? status : undefined;
}

/** Max bytes of a body that are quoted in an error. */
const maximumText = 2048;

function genericStatus(response: HttpResponse): Status {
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
  return contentType === '' || parseMediaType(contentType).type.startsWith('text/');
}

/** Returns whole seconds as an int32; zero for a date or any other value. */
function retryAfterOf(header: string): number {
  const seconds = atoi(header);
  return typeof seconds === 'object' ? 0 : Number(BigInt.asIntN(32, seconds));
}
