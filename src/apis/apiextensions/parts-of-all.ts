import { copyOf, isList, isMap, listAt, mapAt, sameValue, type Value, type ValueMap } from '../../go/value.js';

/** Members of a version, each with the member of the internal type's spec that replaces it if it is equal in all versions. */
export const membersOfAll = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/**
 * Keeps what was equal in all versions before webhooks mutated the definition, and is not any more, in the spec: its conversion onto the API server's object assigns
 * these members only if they are equal in all versions. Changes `value`. Source: apiextensions-apiserver v1/conversion.go.
 */
export function keepPartsOfAll(value: ValueMap, held: ValueMap): void {
  const spec = mapAt(value, 'spec');
  const [versions, before] = [value, held].map(definition => listAt(definition, 'spec', 'versions')) as [Value[], Value[]];
  for (const [member, ofAll] of membersOfAll) {
    const first = memberOf(before[0], member);
    const isAssigned = versions.length > 0 && areAlike(versions, member);
    if (!isAssigned && first !== null && areAlike(before, member)) spec?.set(ofAll, copyOf(first));
  }
}

/** Reports whether a member is equal in all versions; empty lists and maps equal absent ones. Source: apimachinery pkg/api/equality Semantic.DeepEqual. */
export function areAlike(versions: readonly Value[], name: string): boolean {
  const [first, ...others] = versions.map(version => withoutEmpty(memberOf(version, name)));
  return others.every(other => sameValue(other, first ?? null));
}

/** Of the maps of a schema, these are Go's. */
const goMaps = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

function withoutEmpty(value: Value): Value {
  if (isList(value)) return value.length === 0 ? null : value.map(withoutEmpty);
  if (!isMap(value)) return value;
  const isEmpty = ([key, member]: [string, Value]): boolean =>
    (isList(member) && member.length === 0) || (isMap(member) && member.size === 0 && goMaps.has(key));
  return new Map([...value].filter(entry => !isEmpty(entry)).map(([key, member]) => [key, withoutEmpty(member)]));
}

/** Returns a member of a version; null if it is absent. */
export function memberOf(version: Value | undefined, name: string): Value {
  return isMap(version) ? (version.get(name) ?? null) : null;
}
