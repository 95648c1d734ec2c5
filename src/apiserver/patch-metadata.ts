import { badRequest } from '../kubernetes/status-errors.js';
import { ensureMap, stringAt } from '../kubernetes/value.js';
import type { CallContext } from './call-context.js';
import { ensureNamespace } from './object-meta.js';
import type { ApiObject } from './objects/api-object.js';

/** What a patch must not change about who the object is. Source: apiserver handlers/patch.go, registry/rest/meta.go. */
export function checkMetadata(object: ApiObject, context: CallContext): void {
  const { info } = context;
  ensureNamespace(object.value, context);
  const name = stringAt(object.value, 'metadata', 'name');
  if (name === '') ensureMap(object.value, 'metadata').set('name', info.name);
  else if (name !== info.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
}
