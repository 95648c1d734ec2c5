import type { Value, ValueMap } from '../go/value.js';

/** What a webhook decides about one request: the interesting members of an AdmissionResponse. */
export type HandlerAnswer = Allowed | Denied;

export interface Allowed {
  readonly allowed: true;
  /** Operations of a JSON patch; only mutating webhooks may send them. */
  readonly patch?: readonly Value[];
  readonly warnings?: readonly string[];
}

export interface Denied {
  readonly allowed: false;
  /** The HTTP status the API server answers its client with, 400 and up. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly warnings?: readonly string[];
}

/** Decides about the `request` of an AdmissionReview. The phase is the path it was sent to. */
export type Handler = (request: ValueMap, phase: 'mutating' | 'validating') => HandlerAnswer;
