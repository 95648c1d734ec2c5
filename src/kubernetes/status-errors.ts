import { quote } from '../go/quote.js';
import type { FieldError } from './field-error.js';
import { fieldErrorBody, printFieldErrors } from './field-error.js';
import { groupResource } from './group-version.js';
import { type Status, type StatusDetails, StatusError } from './status.js';

/** Group and plural (or kind) in the details of a Status. */
export interface NamedResource {
  readonly group: string;
  readonly resource: string;
}

/** Returns 400. Source: apimachinery api/errors, like the other functions here. */
export function badRequest(message: string): StatusError {
  return failure({ code: 400, reason: 'BadRequest', message });
}

/** Returns 401; the default message is `not authorized`. */
export function unauthorized(message: string): StatusError {
  return failure({ code: 401, reason: 'Unauthorized', message: message === '' ? 'not authorized' : message });
}

/** Returns 403: `pods "web" is forbidden: WHY`; shorter without a name or a resource. */
export function forbidden(resource: NamedResource, name: string, why: string): StatusError {
  const what = name === '' ? groupResource(resource) : named(resource, name);
  const message = groupResource(resource) === '' ? `forbidden: ${why}` : `${what} is forbidden: ${why}`;
  return failure({ code: 403, reason: 'Forbidden', message, details: detailsOfStatus(resource, name) });
}

/** Returns 404: `pods "web" not found`. */
export function notFound(resource: NamedResource, name: string): StatusError {
  const message = `${named(resource, name)} not found`;
  return failure({ code: 404, reason: 'NotFound', message, details: detailsOfStatus(resource, name) });
}

/** Returns 404 for a path without a resource. Source: apiserver endpoints/installer.go, serviceErrorHandler. */
export function resourceNotFound(): StatusError {
  return failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });
}

/** Returns 404 for a path without a handler, since v1.38 as a Status. Source: apiserver util/notfoundhandler. */
export function pageNotFound(): StatusError {
  return failure({ code: 404, reason: 'NotFound', message: '404 page not found' });
}

/** Returns the router's 415, for a content type that no route of the path takes. */
export function unroutedMediaType(): StatusError {
  return failure({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });
}

/** Returns 405 for a method that a path does not support. */
export function methodNotAllowed(): StatusError {
  return failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

/** Returns 405: `patch is not supported on resources of kind "pods"`. */
export function methodNotSupported(resource: NamedResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${quote(groupResource(resource))}`;
  return failure({ code: 405, reason: 'MethodNotAllowed', message, details: detailsOfStatus(resource, '') });
}

/** Returns 406: the server cannot write any media type that the client accepts. */
export function notAcceptable(mediaTypes: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${mediaTypes.join(', ')}`;
  return failure({ code: 406, reason: 'NotAcceptable', message });
}

/** Returns 409: `pods "web" already exists`. */
export function alreadyExists(resource: NamedResource, name: string): StatusError {
  const message = `${named(resource, name)} already exists`;
  return failure({ code: 409, reason: 'AlreadyExists', message, details: detailsOfStatus(resource, name) });
}

/** Returns 409: generated names were taken repeatedly. */
export function generateNameConflict(resource: NamedResource, name: string, retryAfterSeconds: number): StatusError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...detailsOfStatus(resource, name), ...retryAfter(retryAfterSeconds) };
  return failure({ code: 409, reason: 'AlreadyExists', message, details });
}

/** Returns 409: `Operation cannot be fulfilled on pods "web": WHY`. */
export function conflict(resource: NamedResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${why}`;
  return failure({ code: 409, reason: 'Conflict', message, details: detailsOfStatus(resource, name) });
}

/** Returns 409: server-side apply would take fields from another manager. */
export function applyConflict(message: string, causes: StatusDetails['causes']): StatusError {
  return failure({ code: 409, reason: 'Conflict', message, details: causes === undefined || causes.length === 0 ? {} : { causes } });
}

/** Returns 410. */
export function gone(message: string): StatusError {
  return failure({ code: 410, reason: 'Gone', message });
}

/** Returns 410: the continue token or resource version is too old. */
export function resourceExpired(message: string): StatusError {
  return failure({ code: 410, reason: 'Expired', message });
}

/** Returns 413: `Request entity too large: WHY`. */
export function requestEntityTooLarge(why: string): StatusError {
  return failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` });
}

/** Returns 415: the body has none of these media types. Source: apiserver handlers/negotiation/errors.go. */
export function unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`;
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}

/** Returns 422: `Deployment.apps "web" is invalid: [ERROR, ERROR]`; every error is a cause, equal ones are in the message once. */
export function invalid(kind: { readonly group: string; readonly kind: string }, name: string, errors: readonly FieldError[]): StatusError {
  const resource = { group: kind.group, resource: kind.kind };
  const causes = errors.map(e => ({ reason: e.type, message: fieldErrorBody(e), ...(e.field === '' ? {} : { field: e.field }) }));
  const message = errors.length === 0 ? '' : `: ${printFieldErrors(errors)}`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${named(resource, name)} is invalid${message}`,
    details: { ...detailsOfStatus(resource, name), ...(causes.length === 0 ? {} : { causes }) },
  });
}

/** Returns 429 with the seconds to wait. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure({ code: 429, reason: 'TooManyRequests', message, details: retryAfter(retryAfterSeconds) });
}

/** Returns 429: `Too many requests: WHY`. */
export function tooManyRequestsError(why: string): StatusError {
  return failure({ code: 429, reason: 'TooManyRequests', message: `Too many requests: ${why}` });
}

/** Returns 500: `Internal error occurred: WHY`. */
export function internalError(why: string): StatusError {
  const message = `Internal error occurred: ${why}`;
  return failure({ code: 500, reason: 'InternalError', message, details: { causes: [why === '' ? {} : { message: why }] } });
}

/** Returns 500: the server could not complete the operation in time. */
export function serverTimeout(resource: NamedResource, verb: string, retryAfterSeconds: number): StatusError {
  const message = `The ${verb} operation against ${groupResource(resource)} could not be completed at this time, please try again.`;
  return failure({
    code: 500,
    reason: 'ServerTimeout',
    message,
    details: { ...detailsOfStatus(resource, verb), ...retryAfter(retryAfterSeconds) },
  });
}

/** Returns 500 without a reason, as for a Go error that is not a Status. Source: apiserver responsewriters/status.go. */
export function unknownError(message: string): StatusError {
  return failure({ code: 500, message });
}

/** Returns 503. */
export function serviceUnavailable(message: string): StatusError {
  return failure({ code: 503, reason: 'ServiceUnavailable', message });
}

/** Returns 504: `Timeout: WHY`. */
export function timeout(why: string, retryAfterSeconds: number): StatusError {
  return failure({ code: 504, reason: 'Timeout', message: `Timeout: ${why}`, details: retryAfter(retryAfterSeconds) });
}

/** Returns a failure; an empty message is left out. */
export function failure(parts: Omit<Status, 'status'>): StatusError {
  const { message, ...rest } = parts;
  return new StatusError({ status: 'Failure', ...(message === undefined || message === '' ? {} : { message }), ...rest });
}

/** Returns name, group and kind of the details, without empty ones. */
export function detailsOfStatus(resource: NamedResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
  };
}

/** Returns the seconds of the details; undefined for zero. */
export function retryAfter(seconds: number): StatusDetails {
  return seconds === 0 ? {} : { retryAfterSeconds: seconds };
}

function named(resource: NamedResource, name: string): string {
  return `${groupResource(resource)} ${quote(name)}`;
}
