import { labelsOf } from '../kubernetes/label-selector.js';
import { parseSelectorText, SelectorTextError, selectsByText } from '../kubernetes/selector-text.js';
import { badRequest } from '../kubernetes/status-errors.js';
import type { ValueMap } from '../kubernetes/value.js';
import type { CallContext } from './call-context.js';
import { fieldReader } from './field-selectors.js';

/** Which objects of a collection a call is about. */
export interface Selection {
  /** Only the object of this name. */
  readonly name: string | undefined;
  readonly matches: (object: ValueMap) => boolean;
  /** Everything is selected. */
  readonly isEmpty: boolean;
}

/** Reads `labelSelector` and `fieldSelector` of the query. Throws the 400 for wrong ones. Source: apiserver handlers/get.go, delete.go. */
export function selectionOf(context: CallContext): Selection {
  const labels = labelRequirements(context.query.get('labelSelector')?.[0] ?? '');
  const fields = fieldRequirements(context.query.get('fieldSelector')?.[0] ?? '');
  const readers = fields.map(({ field }) => fieldReader(field, context.endpoint.resource, context.definition));
  const named = fields.find(f => f.field === 'metadata.name' && f.equal);
  return {
    name: named?.value,
    isEmpty: labels.length === 0 && fields.length === 0,
    matches: object =>
      selectsByText(labels, labelsOf(object)) && fields.every(({ value, equal }, i) => (readers[i]?.(object) === value) === equal),
  };
}

/** Complaints about what is between requirements. */
const isBetween = /expected: (identifier after ','|',' or 'end of string'|!, identifier, or 'end of string')$/;

function labelRequirements(text: string): ReturnType<typeof parseSelectorText> {
  try {
    return parseSelectorText(text);
  } catch (error) {
    if (!(error instanceof SelectorTextError)) throw error;
    throw badRequest(
      isBetween.test(error.message) || error.message.startsWith('unable to parse requirement')
        ? error.message
        : `unable to parse requirement: ${error.message}`,
    );
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
