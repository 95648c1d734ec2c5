import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { labelsOf } from '../../kubernetes/label-selector.js';
import { parseSelectorText, SelectorTextError, selectsByText } from '../../kubernetes/selector-text.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { CallContext } from '../handlers/call-context.js';

/** Which objects of a collection a call is about. */
export interface Selection {
  /** Only the object of this name. */
  readonly name: string | undefined;
  readonly matches: (object: ValueMap) => boolean;
}

/** Reads `labelSelector` and `fieldSelector` of the query. Throws the 400 for wrong ones. Source: apiserver handlers/get.go, delete.go. */
export function selectionOf(context: CallContext): Selection {
  const labels = labelRequirements(context.query.get('labelSelector')?.[0] ?? '');
  const fields = fieldRequirements(context.query.get('fieldSelector')?.[0] ?? '');
  for (const { field } of fields) checkField(field, context);
  const named = fields.find(f => f.field === 'metadata.name' && f.equal);
  return {
    name: named?.value,
    matches: object =>
      selectsByText(labels, labelsOf(object)) && fields.every(({ field, value, equal }) => (fieldText(object, field) === value) === equal),
  };
}

function labelRequirements(text: string): ReturnType<typeof parseSelectorText> {
  try {
    return parseSelectorText(text);
  } catch (error) {
    if (!(error instanceof SelectorTextError)) throw error;
    throw badRequest(`unable to parse requirement: ${error.message}`);
  }
}

interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

/** Source: apimachinery fields.ParseSelector. */
function fieldRequirements(text: string): FieldRequirement[] {
  return text
    .split(/(?<!\\),/)
    .filter(part => part !== '')
    .map(part => {
      const match = /^((?:[^=!\\]|\\.)*?)(!=|==|=)(.*)$/s.exec(part);
      if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
      const [, field = '', operator = '', value = ''] = match;
      return { field, value: value.replace(/\\([\\,=])/g, '$1'), equal: operator !== '!=' };
    });
}

function checkField(field: string, { definition, endpoint }: CallContext): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && endpoint.resource.namespaced)) return;
  if (definition === undefined) return;
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === endpoint.resource.version);
  const selectable = listAt(version, 'selectableFields').map(f => stringAt(f, 'jsonPath').replace(/^\./, ''));
  if (!selectable.includes(field)) throw badRequest(`field label not supported: ${field}`);
}

function fieldText(object: ValueMap, field: string): string {
  const value = valueAt(object, ...field.split('.'));
  return value === undefined || value === null ? '' : String(value);
}
