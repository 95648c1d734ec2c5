import { listAt, mapAt, stringAt, toValue, type ValueMap } from '../../../go/value.js';

/** Names of a definition, of which all are accepted that no other one has, and why others are not; undefined if all are. */
export interface AcceptedNames {
  readonly names: ValueMap;
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * Returns the names that a definition gets among all definitions: of a name that is in use, it keeps the one that it had. The last conflict
 * is the one that is told. Source: apiextensions-apiserver pkg/controller/status/naming_controller.go.
 */
export function acceptedNames(definition: ValueMap, all: readonly ValueMap[]): AcceptedNames {
  const inGroup = all.filter(other => stringAt(other, 'spec', 'group') === stringAt(definition, 'spec', 'group'));
  const resources = new Set(inGroup.flatMap(resourceNames));
  const kinds = new Set(inGroup.flatMap(kindNames));
  const had = (key: string): string => stringAt(definition, 'status', 'acceptedNames', key);
  let conflict: AcceptedNames['conflict'];
  const single = (key: string, used: ReadonlySet<string>, reason: string): string => {
    const name = stringAt(definition, 'spec', 'names', key);
    if (name === had(key) || !used.has(name)) return name;
    conflict = { reason, message: inUse(name) };
    return had(key);
  };
  const plural = single('plural', resources, 'PluralConflict');
  const singular = single('singular', resources, 'SingularConflict');
  const short = listAt(definition, 'spec', 'names', 'shortNames').map(String);
  const oldShort = listAt(definition, 'status', 'acceptedNames', 'shortNames').map(String);
  const taken = [...new Set(short.filter(name => !oldShort.includes(name) && resources.has(name)))].map(inUse);
  if (taken.length > 0) conflict = { reason: 'ShortNamesConflict', message: taken.length === 1 ? taken.join() : `[${taken.join(', ')}]` };
  const kind = single('kind', kinds, 'KindConflict');
  const listKind = single('listKind', kinds, 'ListKindConflict');
  const shortNames = taken.length > 0 ? oldShort : short;
  const categories = listAt(definition, 'spec', 'names', 'categories').map(String);
  const names = {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories }),
  };
  return { names: mapAt(toValue(names)) ?? new Map(), conflict };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

function resourceNames(definition: ValueMap): string[] {
  const names = ['plural', 'singular'].map(key => stringAt(definition, 'status', 'acceptedNames', key));
  return [...names, ...listAt(definition, 'status', 'acceptedNames', 'shortNames').map(String)].filter(name => name !== '');
}

function kindNames(definition: ValueMap): string[] {
  return ['kind', 'listKind'].map(key => stringAt(definition, 'status', 'acceptedNames', key)).filter(name => name !== '');
}
