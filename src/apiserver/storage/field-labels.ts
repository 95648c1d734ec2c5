import { quote } from '../../go/quote.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { kindDefinitionOf } from '../registry/kind-definition.js';

const namespace = 'metadata.namespace';

/** Throws a 400 for a field that selectors of a resource may not use. `definition`: of a custom resource. */
export function checkFieldLabel(server: ApiServer, field: string, resource: Resource, definition: ValueMap | undefined): void {
  const refusal = definition === undefined ? builtInRefusal(server, field, resource) : customRefusal(field, resource, definition);
  if (refusal !== undefined) throw badRequest(refusal);
}

function builtInRefusal(server: ApiServer, field: string, resource: Resource): string | undefined {
  if (field === 'metadata.name') return undefined;
  const { fieldLabels: labels } = kindDefinitionOf(server, resource);
  if (labels !== undefined)
    return labels.fields.includes(field) ? undefined : (labels.refusal?.(field, resource) ?? `field label not supported: ${field}`);
  if (field === namespace) return undefined;
  return `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function customRefusal(field: string, { namespaced, version }: Resource, definition: ValueMap): string | undefined {
  if (field === 'metadata.name' || (field === namespace && namespaced)) return undefined;
  const entry = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === version);
  const selectable = listAt(entry, 'selectableFields').map(f => stringAt(f, 'jsonPath').replace(/^\./, ''));
  return selectable.includes(field) ? undefined : `field label not supported: ${field}`;
}

/** Returns the text of a field that a selector compares. Source: the kinds' ToSelectableFields. */
export function fieldText(server: ApiServer, object: ValueMap, field: string, resource: Resource): string {
  const derived = kindDefinitionOf(server, resource).fieldLabels?.derived?.[field];
  const value = derived === undefined ? valueAt(object, ...field.split('.')) : derived(object);
  return value === undefined || value === null ? '' : String(value);
}
