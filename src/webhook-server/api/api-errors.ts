import type { Status } from '../../kubernetes/status.js';
import * as errors from '../../kubernetes/status-errors.js';
import type { FieldValueError } from './field.js';
import { messageOfResponse } from './responses.js';

/** Error with a Status, which a defaulter or validator throws as its answer. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Partial<Status>;

  constructor(status: Partial<Status>) {
    super(status.message ?? '');
    this.status = status;
  }
}

/** Group and plural. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** Group and kind. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** The API server's own errors. Source: apimachinery api/errors. */
export const apiErrors = {
  notFound: (resource: ResourceName, name: string) => made(errors.notFound(resource, name)),
  alreadyExists: (resource: ResourceName, name: string) => made(errors.alreadyExists(resource, name)),
  forbidden: (resource: ResourceName, name: string, error: unknown) => made(errors.forbidden(resource, name, messageOfResponse(error))),
  conflict: (resource: ResourceName, name: string, error: unknown) => made(errors.conflict(resource, name, messageOfResponse(error))),
  unauthorized: (reason: string) => made(errors.unauthorized(reason)),
  badRequest: (reason: string) => made(errors.badRequest(reason)),
  tooManyRequests: (message: string, seconds: number) => made(errors.tooManyRequests(message, seconds)),
  internalError: (error: unknown) => made(errors.internalError(messageOfResponse(error))),
  invalid: (kind: KindName, name: string, fieldErrors: readonly FieldValueError[]) =>
    made(
      errors.invalid(
        kind,
        name,
        fieldErrors.map(({ fieldError }) => fieldError),
      ),
    ),
} as const;

function made({ status }: { readonly status: Status }): StatusError {
  return new StatusError(status);
}
