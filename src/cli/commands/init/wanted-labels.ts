import { listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';

const nameLabel = 'kubernetes.io/metadata.name';

/** Returns labels that match a selector, as far as the selector determines them, without the one that every namespace has. */
export function wantedLabels(selector: ValueMap | undefined): Map<string, string> {
  const labels = determinedLabels(selector);
  labels.delete(nameLabel);
  return labels;
}

/** Returns the name of a namespace that a selector wants; undefined if it wants none. */
export function wantedNamespace(selector: ValueMap | undefined): string | undefined {
  return determinedLabels(selector).get(nameLabel);
}

function determinedLabels(selector: ValueMap | undefined): Map<string, string> {
  const labels = new Map([...(mapAt(selector, 'matchLabels') ?? [])].map(([name, value]) => [name, String(value)]));
  for (const expression of listAt(selector, 'matchExpressions')) {
    const [first] = listAt(expression, 'values');
    const operator = stringAt(expression, 'operator');
    if (operator === 'In' && first !== undefined) labels.set(stringAt(expression, 'key'), String(first));
    if (operator === 'Exists') labels.set(stringAt(expression, 'key'), 'true');
  }
  return labels;
}
