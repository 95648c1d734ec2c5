import { createPatchText } from './create-patch.js';
import { errored, messageOfResponse } from './responses.js';
import type { AdmissionHandler, AdmissionResponse, AdmissionWebhook, Operation } from './types.js';

/**
 * Returns a handler that runs others in order, all with the original object; the first refusal decides. Their patches are concatenated.
 * Source: controller-runtime webhook/admission multi.go.
 */
export function multiMutating(...handlers: readonly (AdmissionHandler | AdmissionWebhook)[]): AdmissionHandler {
  return async request => {
    const patches: Operation[] = [];
    const warnings: string[] = [];
    for (const handler of handlers) {
      const response = await handlerOf(handler)(request);
      if (response.allowed !== true) return response;
      if (response.patchType !== undefined && response.patchType !== 'JSONPatch') {
        return errored(500, new Error(`unexpected patch type returned by the handler: ${response.patchType}, only allow: JSONPatch`));
      }
      patches.push(...(response.patches ?? []));
      warnings.push(...(response.warnings ?? []));
    }
    try {
      return { ...accepted(warnings), patch: createPatchText(patches), patchType: 'JSONPatch' };
    } catch (error) {
      return errored(400, new Error(`error when marshaling the patch: ${messageOfResponse(error)}`));
    }
  };
}

/** Returns a handler that runs others in order; the first refusal decides. Patches are dropped. */
export function multiValidating(...handlers: readonly (AdmissionHandler | AdmissionWebhook)[]): AdmissionHandler {
  return async request => {
    const warnings: string[] = [];
    for (const handler of handlers) {
      const response = await handlerOf(handler)(request);
      if (response.allowed !== true) return response;
      warnings.push(...(response.warnings ?? []));
    }
    return accepted(warnings);
  };
}

function accepted(warnings: readonly string[]): AdmissionResponse {
  return { allowed: true, status: { code: 200 }, warnings };
}

function handlerOf(handler: AdmissionHandler | AdmissionWebhook): AdmissionHandler {
  return typeof handler === 'function' ? handler : handler.handler;
}
