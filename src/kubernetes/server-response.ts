import { quote } from '../go/quote.js';
import { groupResource } from './group-version.js';
import type { StatusError } from './status.js';
import { detailsOfStatus, failure, type NamedResource, retryAfter } from './status-errors.js';

/** HTTP response that is not a Status. */
export interface PlainResponse {
  readonly code: number;
  readonly verb: string;
  readonly resource: NamedResource;
  /** Name of the requested object; empty if there is none. */
  readonly name: string;
  /** Message of the server; `unknown` if it is not text. */
  readonly serverMessage: string;
  /** Zero: no Retry-After. */
  readonly retryAfterSeconds: number;
  /** The response came where the client expected a Status. */
  readonly unexpected: boolean;
}

/**
 * Returns the error of the client library for an HTTP status and a body that is not a Status. Source: apimachinery
 * NewGenericServerResponse.
 */
export function genericServerResponse(response: PlainResponse): StatusError {
  const { code, verb, resource, name, serverMessage, unexpected } = response;
  const { reason, message } = wordsFor(response);
  const about = resource.group === '' && resource.resource === '' ? '' : aboutResource(verb, resource, name);
  const cause = { reason: 'UnexpectedServerResponse', ...(serverMessage === '' ? {} : { message: serverMessage }) };
  return failure({
    code,
    ...(reason === undefined ? {} : { reason }),
    message: `${message}${about}`,
    details: { ...detailsOfStatus(resource, name), ...retryAfter(response.retryAfterSeconds), ...(unexpected ? { causes: [cause] } : {}) },
  });
}

function aboutResource(verb: string, resource: NamedResource, name: string): string {
  return ` (${[verb.toLowerCase(), groupResource(resource), ...(name === '' ? [] : [name])].join(' ')})`;
}

function wordsFor({ code, verb, serverMessage }: PlainResponse): { readonly reason?: string; readonly message: string } {
  const known = reasonsByCode.get(code);
  if (known !== undefined) return known;
  switch (code) {
    case 403:
      return { reason: 'Forbidden', message: serverMessage };
    case 406:
      return {
        reason: 'NotAcceptable',
        message:
          serverMessage === '' || serverMessage === 'unknown'
            ? 'the server was unable to respond with a content type that the client supports'
            : serverMessage,
      };
    case 409:
      return { reason: verb === 'POST' ? 'AlreadyExists' : 'Conflict', message: 'the server reported a conflict' };
    case 415:
      return { reason: 'UnsupportedMediaType', message: serverMessage };
  }
  if (code >= 500) {
    return {
      reason: 'InternalError',
      message: `an error on the server (${quote(serverMessage)}) has prevented the request from succeeding`,
    };
  }
  return { message: `the server responded with the status code ${code} but did not return more information` };
}

const reasonsByCode = new Map([
  [400, { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' }],
  [401, { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' }],
  [404, { reason: 'NotFound', message: 'the server could not find the requested resource' }],
  [405, { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' }],
  [422, { reason: 'Invalid', message: 'the server rejected our request due to an error in our request' }],
  [429, { reason: 'TooManyRequests', message: 'the server has received too many requests and has asked us to try again later' }],
  [503, { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' }],
  [
    504,
    {
      reason: 'Timeout',
      message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
    },
  ],
]);
