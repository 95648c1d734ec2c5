import { parsePlain, writePlain } from '../../encoding/plain-json.js';
import type { BuiltInKinds } from '../../kubernetes/object-types/kinds.js';
import { createPatch, operationText } from './create-patch.js';
import { objectTypeOf } from './object-types.js';
import { allowed, denied, errored, messageOfResponse, patchResponse } from './responses.js';
import { isPanic, statusOfThrown } from './thrown.js';
import type { AdmissionHandler, AdmissionRequest, AdmissionResponse } from './types.js';

// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export interface DefaulterOptions<T = any> {
  /** `apiVersion/Kind` of a built-in kind: objects are decoded into its Go type. Without it they are used as sent. */
  readonly for?: string | undefined;
  /** Applies defaults, in place; the return value is ignored. Throws to refuse the request. */
  readonly default: (object: T, request: AdmissionRequest<T>) => unknown;
  /** Also removes fields that the Go type does not know or would not write. */
  readonly removeUnknownOrOmitableFields?: boolean | undefined;
}

/**
 * Returns a handler whose patch is the change that a function makes to the object. Source: controller-runtime webhook/admission
 * defaulter_custom.go.
 */
export function defaulter<K extends keyof BuiltInKinds>(
  options: DefaulterOptions<BuiltInKinds[K]> & { readonly for: K },
): AdmissionHandler<BuiltInKinds[K]>;
// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export function defaulter<T = any>(options: DefaulterOptions<T>): AdmissionHandler<T>;
export function defaulter<T>(options: DefaulterOptions<T>): AdmissionHandler<T> {
  const type = objectTypeOf(options.for);
  const keepsUnknown = options.removeUnknownOrOmitableFields !== true;
  return async request => {
    if (request.operation === 'DELETE') return allowed();
    const raw = rawOf(request, 'object');
    let object: T;
    try {
      object = type.decode(raw) as T;
    } catch (error) {
      return errored(400, error);
    }
    const before = writePlain(object);
    const refused = await runValidator(async () => options.default(object, request));
    if (refused !== undefined) return refused;
    if (keepsUnknown && writePlain(object) === before) return allowed();
    const response = patchResponse(raw, type.encode(object));
    return keepsUnknown ? withoutRemovalsByType(response, createPatch(raw, type.encode(parsePlain(before)))) : response;
  };
}

/** Drops the removals that decoding and encoding the object alone would cause. Source: defaulter_custom.go dropSchemeRemovals. */
function withoutRemovalsByType(response: AdmissionResponse, byType: ReturnType<typeof createPatch>): AdmissionResponse {
  if (response.allowed !== true || response.patchType === undefined) return response;
  const removed = new Set(byType.filter(({ op }) => op === 'remove').map(operationText));
  const patches = (response.patches ?? []).filter(operation => operation.op !== 'remove' || !removed.has(operationText(operation)));
  return { ...response, patches, patchType: patches.length === 0 ? undefined : response.patchType };
}

/** Returns the raw text of an object; encoded from the object when a test omitted it. */
export function rawOf(request: AdmissionRequest, member: 'object' | 'oldObject'): string {
  const raw: string | undefined = (request.raw as Partial<AdmissionRequest['raw']> | undefined)?.[member];
  if (raw !== undefined) return raw;
  const object: unknown = request[member];
  return object === undefined || object === null ? '' : writePlain(object, 'kept');
}

/** Runs a defaulter or validator; returns the response for the error it throws, undefined when it throws none. Panics are rethrown. */
export async function runValidator(run: () => Promise<unknown>): Promise<AdmissionResponse | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (isPanic(error)) throw error;
    const status = statusOfThrown(error);
    return status === undefined ? denied(messageOfResponse(error)) : { allowed: false, status };
  }
}
