import { createPatch } from './create-patch.js';
import type { AdmissionHandler, AdmissionResponse, AdmissionWebhook, Operation } from './types.js';

/** Returns a response that allows the request. Source: controller-runtime webhook/admission response.go, like the other functions here. */
export function allowed(message = ''): AdmissionResponse {
  return validationResponse(true, message);
}

/** Returns a response that denies the request: 403 Forbidden. */
export function denied(message = ''): AdmissionResponse {
  return validationResponse(false, message);
}

/** Returns a response that allows or denies the request. */
export function validationResponse(isAllowed: boolean, message = ''): AdmissionResponse {
  const status = isAllowed ? { code: 200 } : { code: 403, reason: 'Forbidden' };
  return { allowed: isAllowed, status: message === '' ? status : { ...status, message } };
}

/** Returns a response for a request that could not be handled. */
export function errored(code: number, error: unknown): AdmissionResponse {
  const message = messageOfResponse(error);
  return { allowed: false, status: message === '' ? { code } : { code, message } };
}

/** Returns a response that allows the request with operations of a JSON patch. */
export function patched(message: string, ...operations: readonly Operation[]): AdmissionResponse {
  return { ...allowed(message), patches: operations };
}

/**
 * Returns a response that allows the request with the patch between two documents. Strings are parsed as JSON text, other values are plain
 * data.
 */
export function patchResponse(original: unknown, changed: unknown): AdmissionResponse {
  try {
    const patches = createPatch(original, changed);
    return { allowed: true, patches, ...(patches.length === 0 ? {} : { patchType: 'JSONPatch' }) };
  } catch (error) {
    return errored(500, error);
  }
}

/** Returns the response with these warnings after its own. */
export function withWarnings(response: AdmissionResponse, ...warnings: readonly string[]): AdmissionResponse {
  return { ...response, warnings: [...(response.warnings ?? []), ...warnings] };
}

export interface WebhookOptions {
  /** Whether a panic is answered with code 500; true by default. */
  readonly recoverPanic?: boolean | undefined;
}

/** Returns a handler with options. */
export function webhook(handler: AdmissionHandler, { recoverPanic = true }: WebhookOptions = {}): AdmissionWebhook {
  return { webhook: 'admission', handler, recoverPanic };
}

/** Returns the message of a thrown value. */
export function messageOfResponse(thrown: unknown): string {
  return thrown instanceof Error || isErrorLike(thrown) ? thrown.message : String(thrown);
}

function isErrorLike(thrown: unknown): thrown is { readonly message: string } {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string';
}
