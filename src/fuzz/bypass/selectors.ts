import { isMap, listAt, mapAt, stringAt, stringsAt, type Value, type ValueMap, valueAt } from '../../go/value.js';

/** Labels that make a selector not match; a null removes a label. None for an empty selector. */
export function labelsOutside(selector: Value | undefined): ReadonlyMap<string, string | null>[] {
  const labels = [...(mapAt(selector, 'matchLabels') ?? [])].map(([key]) => new Map<string, string | null>([[key, null]]));
  const expressions = listAt(selector, 'matchExpressions').flatMap(expression => {
    const key = stringAt(expression, 'key');
    const [first = 'other'] = stringsAt(expression, 'values');
    const operator = stringAt(expression, 'operator');
    if (operator === 'NotIn') return [new Map<string, string | null>([[key, first]])];
    if (operator === 'DoesNotExist') return [new Map<string, string | null>([[key, 'true']])];
    return [new Map<string, string | null>([[key, null]])];
  });
  return [...labels, ...expressions];
}

/** Returns the selectors of a kind of all webhooks, policies and bindings. */
export function selectorsOf(configurations: readonly ValueMap[], name: 'namespaceSelector' | 'objectSelector'): Value[] {
  return configurations
    .flatMap(object => [
      ...listAt(object, 'webhooks'),
      valueAt(object, 'spec', 'matchConstraints'),
      valueAt(object, 'spec', 'matchResources'),
    ])
    .flatMap(selecting => (isMap(selecting) ? [selecting.get(name) ?? null] : []))
    .filter(isMap);
}

/** Applies labels to an object in place. */
export function label(object: ValueMap, labels: ReadonlyMap<string, string | null>): void {
  const metadata = mapAt(object, 'metadata');
  const known = mapAt(metadata, 'labels') ?? new Map<string, Value>();
  for (const [key, value] of labels) {
    if (value === null) known.delete(key);
    else known.set(key, value);
  }
  if (known.size > 0) metadata?.set('labels', known);
}
