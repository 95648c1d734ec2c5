import { quote } from '../go/quote.js';
import { isMap, listAt, stringAt, type Value } from '../go/value.js';
import type { ApiServer } from './api-server.js';
import { invalidValue, printFieldErrors } from './field-error.js';
import { labelKeyProblems, labelValueProblems } from './name-rules.js';

export type SelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

export interface Requirement {
  readonly key: string;
  /** `=` comes from matchLabels. */
  readonly operator: SelectorOperator | '=';
  readonly values: readonly string[];
}

export type Labels = ReadonlyMap<string, string>;

/** Parsed selector: everything, nothing, or requirements. */
export type Selector =
  | { readonly matches: 'everything' }
  | { readonly matches: 'nothing' }
  | { readonly matches: 'requirements'; readonly requirements: readonly Requirement[] };

/** Invalid selector; the message is the API server's. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/**
 * Parses a metav1.LabelSelector: absent selects nothing, empty everything; requirements are sorted by key. Throws SelectorError. Source:
 * apimachinery meta/v1 LabelSelectorAsSelector.
 */
export function selectorOf(server: ApiServer, selector: Value | undefined): Selector {
  if (!isMap(selector)) return { matches: 'nothing' };
  const labels = selector.get('matchLabels');
  const equal = isMap(labels) ? [...labels].sort(byKey).map(([key, value]) => requirement(server, key, '=', [String(value)])) : [];
  const requirements = [...equal, ...listAt(selector, 'matchExpressions').map(value => requirementOf(server, value))];
  if (requirements.length === 0) return { matches: 'everything' };
  return { matches: 'requirements', requirements: requirements.sort((a, b) => compareText(a.key, b.key)) };
}

/** Returns the selector in the syntax of `-l`; everything and nothing have the same empty text. Source: labels.Selector String. */
export function printSelector(selector: Selector): string {
  return selector.matches === 'requirements' ? selector.requirements.map(printRequirement).join(',') : '';
}

/** Returns whether the labels meet every requirement. An absent key meets NotIn and DoesNotExist. */
export function selects(selector: Selector, labels: Labels): boolean {
  if (selector.matches === 'everything') return true;
  if (selector.matches === 'nothing') return false;
  return selector.requirements.every(r => meets(r, labels));
}

/** Returns the labels of an object, without a copy unless some are invalid; empty if it has no metadata. */
export function labelsOf(object: Value | undefined): Labels {
  const metadata = isMap(object) ? object.get('metadata') : undefined;
  const labels = isMap(metadata) ? metadata.get('labels') : undefined;
  if (!isMap(labels)) return noLabels;
  return hasTextsOnly(labels) ? labels : new Map([...labels].filter((e): e is [string, string] => typeof e[1] === 'string'));
}

const noLabels: Labels = new Map();

function hasTextsOnly(map: ReadonlyMap<string, Value>): map is Labels {
  for (const value of map.values()) if (typeof value !== 'string') return false;
  return true;
}

const operators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

function isOperator(text: string): text is SelectorOperator {
  return operators.has(text);
}

function requirementOf(server: ApiServer, expression: Value): Requirement {
  const operator = stringAt(expression, 'operator');
  if (!isOperator(operator)) throw new SelectorError(`${quote(operator)} is not a valid label selector operator`);
  return requirement(server, stringAt(expression, 'key'), operator, listAt(expression, 'values').map(String));
}

/** Source: apimachinery labels.NewRequirement. */
function requirement(server: ApiServer, key: string, operator: Requirement['operator'], values: readonly string[]): Requirement {
  const keyProblems = labelKeyProblems(server, key);
  const errors = keyProblems.length === 0 ? [] : [invalidValue('key', key, keyProblems.join('; '))];
  const takesValues = operator !== 'Exists' && operator !== 'DoesNotExist';
  if (takesValues && values.length === 0)
    errors.push(invalidValue('values', null, "for 'in', 'notin' operators, values set can't be empty"));
  if (!takesValues && values.length > 0)
    errors.push(invalidValue('values', { rawJson: jsonList(values) }, 'values set must be empty for exists and does not exist'));
  for (const [i, value] of values.entries()) {
    const problems = labelValueProblems(server, value);
    if (problems.length > 0) errors.push(invalidValue(`values[${i}][${key}]`, value, problems.join('; ')));
  }
  if (errors.length > 0) throw new SelectorError(printFieldErrors(errors));
  return { key, operator, values };
}

/** Go's JSON encoder escapes HTML characters. */
function jsonList(values: readonly string[]): string {
  return JSON.stringify(values).replace(/[<>&\u2028\u2029]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function byKey([a]: readonly [string, Value], [b]: readonly [string, Value]): number {
  return compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function printRequirement({ key, operator, values }: Requirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  const printed = [...values].sort().join(',');
  return operator === '=' ? `${key}=${printed}` : `${key} ${operator === 'In' ? 'in' : 'notin'} (${printed})`;
}

function meets({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = labels.get(key);
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  return value !== undefined && values.includes(value);
}
