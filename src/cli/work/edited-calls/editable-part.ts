import { readUnstructured } from '../../../encoding/unstructured.js';
import { writeValue } from '../../../go/json/write.js';
import { isMap, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import { storageOf } from '../../../kubernetes/storage.js';
import { withoutSecrets } from '../../../redaction/secrets.js';
import type { Answered } from '../calls/rendered-results.js';
import type { EditedOperation } from './edited-call.js';

/** What can be edited of a call. */
export interface EditablePart {
  readonly operation: EditedOperation;
  readonly object: ValueMap;
  /** Undefined for other operations than patch. */
  readonly patch: string | undefined;
  readonly user: string;
  readonly groups: readonly string[];
}

/** The same as a page shows it: JSON without secrets. */
export type ShownPart = Omit<EditablePart, 'object'> & { readonly object: string };

/**
 * Returns what can be edited of a call; undefined for one that is sent exactly as it was given or captured, for a connection, and where the object of a patch or
 * a deletion is not known.
 */
export function editablePart(answered: Answered): EditablePart | undefined {
  const { planned } = answered;
  const { call, command, captured } = planned;
  const operation = operationOfCall(call);
  // Exact calls have no manifest; those of controllers have no command, but a kind in their body.
  if (captured !== undefined || operation === undefined) return undefined;
  const hasBody = operation !== 'patch' && operation !== 'delete';
  const object = hasBody ? objectIn(call.body) : command === undefined ? undefined : storedObject(answered);
  if (object === undefined) return undefined;
  const patch = operation === 'patch' ? bodyText(call.body) : undefined;
  return { operation, object, patch, user: call.user?.username ?? '', groups: call.user?.groups ?? [] };
}

/** Returns what existed before a call. */
export function stateBefore({ state, writtenBefore }: Answered): ClusterState {
  return writtenBefore === undefined ? state : { ...state, written: writtenBefore };
}

/** Returns a part as the page shows it. */
export function shownPart({ object, ...part }: EditablePart): ShownPart {
  return { ...part, object: writeValue(withoutSecrets(object), 'kept') };
}

const operationsByMethod: ReadonlyMap<string, EditedOperation> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
  ['PATCH', 'patch'],
]);

function operationOfCall({ method, contentType }: ApiCall): EditedOperation | undefined {
  return contentType === 'application/apply-patch+yaml' ? 'apply' : operationsByMethod.get(method);
}

function objectIn(body: Uint8Array | undefined): ValueMap | undefined {
  const text = bodyText(body);
  const value = text.startsWith('{') ? readUnstructured(text) : undefined;
  return isMap(value) && value.has('kind') ? value : undefined;
}

function bodyText(body: Uint8Array | undefined): string {
  return Buffer.from(body ?? []).toString('utf8');
}

function storedObject(answered: Answered): ValueMap | undefined {
  const { kind, namespace = '', name = '' } = answered.planned.command ?? {};
  return kind === undefined ? undefined : storageOf(stateBefore(answered)).find(kind, namespace, name);
}
