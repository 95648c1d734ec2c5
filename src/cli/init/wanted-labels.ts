import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';

/** Returns labels that match a selector, as far as the selector determines them. */
export function wantedLabels(selector: ValueMap | undefined): Map<string, string> {
  const labels = new Map([...(mapAt(selector, 'matchLabels') ?? [])].map(([name, value]) => [name, String(value)]));
  for (const expression of listAt(selector, 'matchExpressions')) {
    const [first] = listAt(expression, 'values');
    const operator = stringAt(expression, 'operator');
    if (operator === 'In' && first !== undefined) labels.set(stringAt(expression, 'key'), String(first));
    if (operator === 'Exists') labels.set(stringAt(expression, 'key'), 'true');
  }
  labels.delete('kubernetes.io/metadata.name');
  return labels;
}
