import { parseFieldSelector } from '../../apiserver/storage/selection.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseSelectorText, SelectorTextError, selectorText } from '../../kubernetes/selector-text.js';
import { StatusError } from '../../kubernetes/status.js';

/**
 * Returns what an access review tells about selectors that the authorizer cannot read, in part or at all; undefined without such selectors.
 * Source: kubernetes pkg/registry/authorization/util/helpers.go BuildEvaluationError.
 */
export function selectorErrors(server: ApiServer, attributes: ValueMap | undefined): string | undefined {
  const selectors = [
    { name: 'fieldSelector', parse: parseFieldSelector, isRead: isReadFieldRequirement },
    { name: 'labelSelector', parse: (text: string) => parseSelectorText(server, text), isRead: isReadLabelRequirement },
  ];
  const errors = selectors.flatMap(({ name, parse, isRead }) => {
    const selector = attributes?.get(name);
    const raw = stringAt(selector, 'rawSelector');
    const requirements = listAt(selector, 'requirements');
    const read = requirements.filter(isRead);
    const isWhole = raw === '' ? read.length === requirements.length : isParsed(parse, raw);
    return isWhole ? [] : [`spec.resourceAttributes.${name} ${read.length > 0 ? 'partially ' : ''}ignored due to parse error`];
  });
  return errors.length === 0 ? undefined : errors.join('; ');
}

/** Selectors of fields compare with one value. */
function isReadFieldRequirement(requirement: Value): boolean {
  return ['In', 'NotIn'].includes(stringAt(requirement, 'operator')) && listAt(requirement, 'values').length === 1;
}

function isReadLabelRequirement(requirement: Value): boolean {
  return isMap(requirement) && ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(stringAt(requirement, 'operator'));
}

function isParsed(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof SelectorTextError || error instanceof StatusError) return false;
    throw error;
  }
}

/** Returns the selectors of an access review as texts for the authorizer: the parts that it can read. Source: pkg/registry/authorization/util/helpers.go ResourceAttributesFrom. */
export function selectorTexts(attributes: ValueMap | undefined): { readonly fieldSelector: string; readonly labelSelector: string } {
  const read = (name: string, isRead: (requirement: Value) => boolean): Value[] => listAt(attributes, name, 'requirements').filter(isRead);
  const raw = (name: string): string => stringAt(attributes, name, 'rawSelector');
  const fields = read('fieldSelector', isReadFieldRequirement).map(requirement => {
    const operator = stringAt(requirement, 'operator') === 'In' ? '=' : '!=';
    return `${stringAt(requirement, 'key')}${operator}${textsAt(requirement)[0]?.replace(/[\\,=]/g, '\\$&') ?? ''}`;
  });
  const labels = read('labelSelector', isReadLabelRequirement).map(requirement => ({
    key: stringAt(requirement, 'key'),
    operator: labelOperators[stringAt(requirement, 'operator') as keyof typeof labelOperators],
    values: textsAt(requirement).sort(),
  }));
  return {
    fieldSelector: raw('fieldSelector') || fields.join(','),
    labelSelector: raw('labelSelector') || selectorText(labels),
  };
}

const labelOperators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' } as const;

function textsAt(requirement: Value): string[] {
  return listAt(requirement, 'values').map(String);
}
