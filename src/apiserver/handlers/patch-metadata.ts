import type { ApiObject } from '../objects/api-object.js';
import type { CallContext } from './call-context.js';
import { ensureNamespace } from './object-meta.js';
import { checkName } from './update.js';

/** What a patch must not change about who the object is. Source: apiserver handlers/patch.go applyPatch, registry/rest/meta.go. */
export function checkMetadata(object: ApiObject, context: CallContext): void {
  ensureNamespace(object.value, context);
  checkName(object.value, context);
}
