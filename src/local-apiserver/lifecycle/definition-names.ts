import { listAt, stringAt, type ValueMap } from '../../go/value.js';

/** Reason why the names of a definition are not accepted. */
export interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns the first name of a definition that another one in its group already uses; undefined if there is none. Source:
 * apiextensions-apiserver pkg/controller/status/naming_controller.go.
 */
export function nameConflict(definition: ValueMap, others: readonly ValueMap[]): NameConflict | undefined {
  const inGroup = others.filter(other => stringAt(other, 'spec', 'group') === stringAt(definition, 'spec', 'group'));
  const resources = new Set(inGroup.flatMap(resourceNames));
  const kinds = new Set(inGroup.flatMap(kindNames));
  const name = (key: string): string => stringAt(definition, 'spec', 'names', key);
  const used = (text: string) => `${JSON.stringify(text)} is already in use`;
  if (resources.has(name('plural'))) return { reason: 'PluralConflict', message: used(name('plural')) };
  if (resources.has(name('singular'))) return { reason: 'SingularConflict', message: used(name('singular')) };
  const short = listAt(definition, 'spec', 'names', 'shortNames')
    .map(String)
    .filter(text => resources.has(text));
  if (short.length > 0) return { reason: 'ShortNamesConflict', message: short.map(used).join(', ') };
  if (kinds.has(name('kind'))) return { reason: 'KindConflict', message: used(name('kind')) };
  if (kinds.has(name('listKind'))) return { reason: 'ListKindConflict', message: used(name('listKind')) };
  return undefined;
}

function resourceNames(definition: ValueMap): string[] {
  const names = ['plural', 'singular'].map(key => stringAt(definition, 'status', 'acceptedNames', key));
  return [...names, ...listAt(definition, 'status', 'acceptedNames', 'shortNames').map(String)].filter(name => name !== '');
}

function kindNames(definition: ValueMap): string[] {
  return ['kind', 'listKind'].map(key => stringAt(definition, 'status', 'acceptedNames', key)).filter(name => name !== '');
}
