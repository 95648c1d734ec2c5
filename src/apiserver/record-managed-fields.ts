import type { CallContext } from './call-context.js';
import type { ApiObject } from './objects/api-object.js';
import type { WriteOptions } from './options.js';

/** Writes who owns which fields into `metadata.managedFields`, before admission. Source: apimachinery util/managedfields. */
export function recordManagedFields(
  _object: ApiObject,
  _live: ApiObject | undefined,
  _options: WriteOptions,
  _context: CallContext,
): void {}
