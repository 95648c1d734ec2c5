import { patchText } from './create-patch.js';
import { errored, messageOf } from './responses.js';
import type { AdmissionHandler, AdmissionResponse, AdmissionWebhook, Operation } from './types.js';

/**
 * Handlers one after the other, all of them for the original object; the first that does not allow the request decides. Their patches are
 * put together. Source: controller-runtime webhook/admission multi.go.
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
      return { ...accepted(warnings), patch: patchText(patches), patchType: 'JSONPatch' };
    } catch (error) {
      return errored(400, new Error(`error when marshaling the patch: ${messageOf(error)}`));
    }
  };
}

/** Handlers one after the other; the first that does not allow the request decides. Patches are dropped. */
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
