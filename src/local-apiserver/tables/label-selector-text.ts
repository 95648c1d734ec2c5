import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { TextRequirement } from '../../kubernetes/selector-text.js';

const operators: Readonly<Record<string, TextRequirement['operator']>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/**
 * Returns the requirements of a LabelSelector, sorted by key; undefined for an unknown operator. Source: metav1.LabelSelectorAsSelector.
 */
export function requirementsOf(selector: ValueMap): TextRequirement[] | undefined {
  const labels = [...(mapAt(selector, 'matchLabels') ?? [])].map(([key, value]) => ({
    key,
    operator: '=' as const,
    values: [String(value)],
  }));
  const expressions: TextRequirement[] = [];
  for (const expression of listAt(selector, 'matchExpressions')) {
    const operator = operators[stringAt(expression, 'operator')];
    if (operator === undefined) return undefined;
    expressions.push({ key: stringAt(expression, 'key'), operator, values: listAt(expression, 'values').map(String).sort() });
  }
  return [...labels, ...expressions].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
