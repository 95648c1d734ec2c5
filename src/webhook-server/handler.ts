import type { Value, ValueMap } from '../go/value.js';

/** Webhook's answer to one request: members of an AdmissionResponse. */
export type HandlerAnswer = Allowed | Denied;

export interface Allowed {
  readonly allowed: true;
  /** Operations of a JSON patch; only for mutating webhooks. */
  readonly patch?: readonly Value[];
  readonly warnings?: readonly string[];
}

export interface Denied {
  readonly allowed: false;
  /** HTTP status of the API server's answer to its client, 400 or greater. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly warnings?: readonly string[];
}

/** Handles the `request` of an AdmissionReview. The phase is determined by the request path. */
export type HandlerCase = (request: ValueMap, phase: 'mutating' | 'validating') => HandlerAnswer;
