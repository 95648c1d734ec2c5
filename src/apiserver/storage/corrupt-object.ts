import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { PlainError, type StatusCause, type StatusError } from '../../kubernetes/status.js';
import { conflict, failure, internalError } from '../../kubernetes/status-errors.js';
import type { StoreContext } from './store-context.js';
import { keyBelowPrefix } from './store-key.js';

/**
 * A stored custom resource that cannot be decoded or converted. Writes report it as it is. Source: apiserver
 * storage/etcd3/corrupt_obj_deleter.go.
 */
export class CorruptObject extends PlainError {
  constructor(
    readonly why: string,
    readonly stored: ValueMap,
    revision: string,
  ) {
    super(`object not decodable revision=${revision}: ${why}`);
  }
}

/** Runs a step that decodes a stored object; since the gate is enabled, a plain error says that the object is corrupt. */
export async function rejectAsCorrupt<T>(server: ApiServer, decode: Promise<T>, stored: ValueMap, revision: string): Promise<T> {
  try {
    return await decode;
  } catch (error) {
    if (!(error instanceof PlainError) || error instanceof CorruptObject || !server.isEnabled('AllowUnsafeMalformedObjectDeletion'))
      throw error;
    throw new CorruptObject(error.message, stored, revision);
  }
}

/** Returns the 500 of a read of one object. Source: apiserver storage/errors/storage.go InterpretGetError. */
export function unreadable(error: CorruptObject, context: StoreContext): StatusError {
  return internalError(storageError(error, keyBelowPrefix(error.stored, context)));
}

/** Number of errors after which a list ends. */
const maxErrors = 100;

/** Corrupt objects that a list found. */
export interface CorruptObjects {
  /** Adds one; returns false if the list ends here. */
  add(error: CorruptObject): boolean;
  /** Throws the 500 of the list if there are any. */
  check(): void;
}

/** Collects the corrupt objects of a list. Source: apiserver storage/etcd3/corrupt_obj_deleter.go NewAPIStatusError. */
export function newCorruptObjects(context: StoreContext): CorruptObjects {
  const causes: StatusCause[] = [];
  return {
    add: error => {
      const field = `/registry${keyBelowPrefix(error.stored, context)}`;
      causes.push({ reason: 'UnexpectedServerResponse', message: storageError(error, field), field });
      return causes.length < maxErrors;
    },
    check: () => {
      const [first] = causes;
      if (first === undefined) return;
      const { group, resource } = context.endpoint.resource;
      const more = causes.length > 1 ? ` (and ${causes.length - 1} more)` : '';
      const tooMany = { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' };
      throw failure({
        code: 500,
        reason: 'StorageReadError',
        message: `failed to read one or more ${resource}.${group} from the storage: ${first.message}${more}`,
        details: { name: 'list', group, kind: resource, causes: causes.length < maxErrors ? causes : [...causes, tooMany] },
      });
    },
  };
}

/** Returns the 409 of an unsafe deletion of an object that can be read. */
export function decodable(stored: ValueMap, context: StoreContext): StatusError {
  const { resource } = context.endpoint;
  const why = 'unsafe deletion is not allowed because the object is decodable from storage';
  const key = `/registry${keyBelowPrefix(stored, context)}`;
  return conflict(
    resource,
    stringAt(stored, 'metadata', 'name'),
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

function storageError(error: CorruptObject, key: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${error.message}`;
}
