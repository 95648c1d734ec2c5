import type { CallContext } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { ensureNamespace } from './object-meta.js';
import { checkObjectName } from './update.js';

/** Refuses a patch that changes the object's identity. Source: apiserver handlers/patch.go applyPatch, registry/rest/meta.go. */
export function checkMetadata(object: ApiObject, context: CallContext): void {
  ensureNamespace(object.value, context);
  checkObjectName(object.value, context);
}
