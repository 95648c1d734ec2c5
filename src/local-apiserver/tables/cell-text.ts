import { ownMember } from '../../go/own-members.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { TextRequirement } from '../../kubernetes/selector-text.js';
import { selectorText } from '../../kubernetes/selector-text.js';

/** Formats an age like kubectl. Source: apimachinery util/duration HumanDuration. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return `${minutes}m${seconds % 60 === 0 ? '' : `${seconds % 60}s`}`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return `${hours}h${minutes % 60 === 0 ? '' : `${minutes % 60}m`}`;
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return `${days}d${hours % 24 === 0 ? '' : `${hours % 24}h`}`;
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return `${years}y${days % 365 === 0 ? '' : `${days % 365}d`}`;
  return `${years}y`;
}

/** Returns the age of a time; `<unknown>` without one. */
export function since(time: Value | undefined, now: Date): string {
  if (typeof time !== 'string' || time === '') return '<unknown>';
  return humanDuration(now.getTime() - Date.parse(time));
}

export function ageOf(object: ValueMap, now: Date): string {
  return since(valueAt(object, 'metadata', 'creationTimestamp'), now);
}

export function nameCell(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name');
}

/** Returns a number of the object; 0 if it is absent. */
export function count(object: Value | undefined, ...path: string[]): bigint {
  const value = valueAt(object, ...path);
  return typeof value === 'bigint' ? value : 0n;
}

/** `a=1,b=2`, or `<none>`. Source: apimachinery labels.FormatLabels. */
export function labelsText(map: ValueMap | undefined): string {
  const text = [...(map ?? [])]
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(',');
  return text === '' ? '<none>' : text;
}

/** Returns a label selector as text, or `<none>`. Source: metav1.FormatLabelSelector. */
export function selectorCell(selector: Value | undefined): string {
  if (!isMap(selector)) return '<none>';
  const requirements = requirementsOf(selector);
  if (requirements === undefined) return '<error>';
  return requirements.length === 0 ? '<none>' : selectorText(requirements);
}

/** Returns names and images of the containers of a template. */
export function containerCells(template: Value | undefined): [string, string] {
  const containers = listAt(template, 'spec', 'containers');
  const all = (key: string): string => containers.map(container => stringAt(container, key)).join(',');
  return [all('name'), all('image')];
}

/** Returns the first items, and the number of omitted ones. */
export function shortList(items: readonly string[], max: number, separator = ','): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}

/** Returns the status of a condition; empty if it is absent. */
export function conditionStatus(object: ValueMap, type: string): string {
  return stringAt(
    listAt(object, 'status', 'conditions').find(condition => stringAt(condition, 'type') === type),
    'status',
  );
}

/** Returns a quantity in a map as text; `0` if it is absent. */
export function quantityCellText(map: ValueMap | undefined, name: string): string {
  const value = map?.get(name);
  return value === undefined || value === null ? '0' : String(value);
}

export function mapSize(object: ValueMap, key: string): bigint {
  return BigInt(mapAt(object, key)?.size ?? 0);
}

const operators: Readonly<Record<string, TextRequirement['operator']>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/**
 * Returns the requirements of a LabelSelector, sorted by key; undefined for an unknown operator. Source: metav1.LabelSelectorAsSelector.
 */
function requirementsOf(selector: ValueMap): TextRequirement[] | undefined {
  const labels = [...(mapAt(selector, 'matchLabels') ?? [])].map(([key, value]) => ({
    key,
    operator: '=' as const,
    values: [String(value)],
  }));
  const expressions: TextRequirement[] = [];
  for (const expression of listAt(selector, 'matchExpressions')) {
    const operator = ownMember(operators, stringAt(expression, 'operator'));
    if (operator === undefined) return undefined;
    expressions.push({ key: stringAt(expression, 'key'), operator, values: listAt(expression, 'values').map(String).sort() });
  }
  return [...labels, ...expressions].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
