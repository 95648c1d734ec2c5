import { isMap, listAt, stringAt, type Value } from './value.js';

export type SelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
}

export type Labels = ReadonlyMap<string, string>;

/** A selector that was read: everything, nothing, or what meets all requirements. */
export type Selector =
  | { readonly matches: 'everything' | 'nothing' }
  | { readonly matches: 'requirements'; readonly requirements: readonly Requirement[] };

/**
 * A metav1.LabelSelector as a selector: absent selects nothing, empty everything; keys of matchLabels sorted.
 * Source: apimachinery meta/v1 LabelSelectorAsSelector. Its validation stands with webhook configurations.
 */
export function selectorOf(selector: Value | undefined): Selector {
  if (!isMap(selector)) return { matches: 'nothing' };
  const labels = selector.get('matchLabels');
  const expressions = listAt(selector, 'matchExpressions');
  const equal = isMap(labels) ? [...labels].map(([key, value]) => requirement(key, 'In', [String(value)])) : [];
  const requirements = [
    ...equal.sort((a, b) => (a.key < b.key ? -1 : 1)),
    ...expressions.map(e => requirement(stringAt(e, 'key'), stringAt(e, 'operator') as SelectorOperator, listAt(e, 'values').map(String))),
  ];
  return requirements.length === 0 ? { matches: 'everything' } : { matches: 'requirements', requirements };
}

/** Do the labels meet every requirement? An absent key meets NotIn and DoesNotExist. */
export function selects(selector: Selector, labels: Labels): boolean {
  if (selector.matches === 'everything') return true;
  if (selector.matches === 'nothing') return false;
  return selector.requirements.every(r => meets(r, labels));
}

/** The labels of an object; none when it has no metadata. */
export function labelsOf(object: Value | undefined): Labels {
  const metadata = isMap(object) ? object.get('metadata') : undefined;
  const labels = isMap(metadata) ? metadata.get('labels') : undefined;
  return new Map(isMap(labels) ? [...labels].filter((e): e is [string, string] => typeof e[1] === 'string') : []);
}

function requirement(key: string, operator: SelectorOperator, values: readonly string[]): Requirement {
  return { key, operator, values };
}

function meets({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = labels.get(key);
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  return value === undefined || !values.includes(value);
}
