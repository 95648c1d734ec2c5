import type { ApiServer } from '../../../kubernetes/api-server.js';
import { addNote, type CallNotes } from '../../../kubernetes/call-notes.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { kindDefinitionOf, type SubresourceRules } from '../kind-definition.js';
import type { KindRules } from '../validation/kind-rules.js';

/** Returns the validation of a resource's objects beyond metadata; undefined where it is not reproduced. */
export function validationOf(server: ApiServer, resource: Resource): KindRules | undefined {
  const { validation } = kindDefinitionOf(server, resource);
  return typeof validation === 'function' ? validation(resource) : validation;
}

/** Returns the rules for updates through a subresource: `object` where they are the object's own; undefined where they are not reproduced. */
export function subresourceRulesOf(server: ApiServer, resource: Resource, subresource: string): SubresourceRules | 'object' | undefined {
  return kindDefinitionOf(server, resource).subresources?.[subresource];
}

/** Adds a note when the API server could refuse the object for reasons that are not reproduced. */
export function noteIncomplete(server: ApiServer, resource: Resource, record: CallNotes, subresource = ''): void {
  if (subresource !== '') {
    addNote(record, `the validation of ${resource.resource}/${subresource} is not reproduced, except for metadata`);
    return;
  }
  if (resource.custom) return;
  const { validation, notValidated, validatedByStrategy } = kindDefinitionOf(server, resource);
  if (notValidated !== undefined) addNote(record, notValidated);
  if (validation !== undefined || validatedByStrategy) return;
  addNote(record, `the validation of ${resource.kind.kind} objects is not reproduced, except for their metadata`);
}
