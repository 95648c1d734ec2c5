import { parsePlain, writePlain } from '../../encoding/plain-json.js';
import { createPatch, operationText } from './create-patch.js';
import { objectTypeOf } from './object-types.js';
import { allowed, denied, errored, messageOf, patchResponse } from './responses.js';
import { isPanic, statusOf } from './thrown.js';
import type { AdmissionHandler, AdmissionRequest, AdmissionResponse } from './types.js';

// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export interface DefaulterOptions<T = any> {
  /** `apiVersion/Kind` of a built-in kind: objects go through its Go type. Without it they are what was sent. */
  readonly for?: string | undefined;
  /** Fills in defaults, in place; what it returns does not count. Throws to refuse the request. */
  readonly default: (object: T, request: AdmissionRequest<T>) => unknown;
  /** Also removes from the object what its Go type does not know or would not write. */
  readonly removeUnknownOrOmitableFields?: boolean | undefined;
}

/** A handler whose patch is what a function changed of the object. Source: controller-runtime webhook/admission defaulter_custom.go. */
// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export function defaulter<T = any>(options: DefaulterOptions<T>): AdmissionHandler<T> {
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
    const refused = await outcomeOf(async () => options.default(object, request));
    if (refused !== undefined) return refused;
    if (keepsUnknown && writePlain(object) === before) return allowed();
    const response = patchResponse(raw, type.encode(object));
    return keepsUnknown ? withoutRemovalsByType(response, createPatch(raw, type.encode(parsePlain(before)))) : response;
  };
}

/** Drops the removals that reading and writing the object alone would cause. Source: defaulter_custom.go dropSchemeRemovals. */
function withoutRemovalsByType(response: AdmissionResponse, byType: ReturnType<typeof createPatch>): AdmissionResponse {
  if (response.allowed !== true || response.patchType === undefined) return response;
  const removed = new Set(byType.filter(({ op }) => op === 'remove').map(operationText));
  const patches = (response.patches ?? []).filter(operation => operation.op !== 'remove' || !removed.has(operationText(operation)));
  return { ...response, patches, patchType: patches.length === 0 ? undefined : response.patchType };
}

/** The raw text of an object; made from the object itself where a test left it out. */
export function rawOf(request: AdmissionRequest, member: 'object' | 'oldObject'): string {
  const raw: string | undefined = (request.raw as Partial<AdmissionRequest['raw']> | undefined)?.[member];
  if (raw !== undefined) return raw;
  const object: unknown = request[member];
  return object === undefined || object === null ? '' : writePlain(object, 'kept');
}

/** Runs what a defaulter or validator does; the response for the error it throws, undefined when it throws none. Panics are thrown on. */
export async function outcomeOf(run: () => Promise<unknown>): Promise<AdmissionResponse | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (isPanic(error)) throw error;
    const status = statusOf(error);
    return status === undefined ? denied(messageOf(error)) : { allowed: false, status };
  }
}
