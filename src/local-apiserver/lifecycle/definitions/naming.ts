import { copyOf, ensureMap, mapAt, sameValue, stringAt, type ValueMap } from '../../../go/value.js';
import { hasTrueCondition } from '../../../kubernetes/definition-resources.js';
import { acceptedNames } from './accepted-names.js';
import { conditionOf, type DefinitionCondition, hasCondition, withCondition } from './conditions.js';

/**
 * Returns the definition with its names accepted or rejected; undefined if its status is up to date. `all` are the definitions that exist.
 * Source: apiextensions-apiserver pkg/controller/status/naming_controller.go.
 */
export function withNames(definition: ValueMap, all: readonly ValueMap[], now: Date): ValueMap | undefined {
  const accepted = mapAt(definition, 'status', 'acceptedNames') ?? new Map();
  if (sameNames(mapAt(definition, 'spec', 'names') ?? new Map(), accepted)) return undefined;
  const { names, conflict } = acceptedNames(definition, all);
  const naming: DefinitionCondition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  if (sameNames(names, accepted) && hasCondition(definition, naming)) return undefined;
  const named = copyOf(definition);
  ensureMap(named, 'status').set('acceptedNames', names);
  const changed = withCondition(named, naming, now);
  const waiting = establishedBefore(definition, naming.status === 'True');
  return waiting === undefined ? changed : withCondition(changed, waiting, now);
}

/** Returns the condition of a definition that is not established; undefined to keep the one that it has. */
function establishedBefore(definition: ValueMap, areAccepted: boolean): DefinitionCondition | undefined {
  const base = { type: 'Established', status: 'False' } as const;
  if (hasTrueCondition(definition, 'Established')) return undefined;
  if (areAccepted) return { ...base, reason: 'Installing', message: 'the initial names have been accepted' };
  if (conditionOf(definition, 'Established') !== undefined) return undefined;
  return { ...base, reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** Compares names as Go does: absent ones equal empty ones. */
function sameNames(a: ValueMap, b: ValueMap): boolean {
  return ['plural', 'singular', 'kind', 'listKind', 'shortNames', 'categories'].every(
    name => (stringAt(a, name) || '') === (stringAt(b, name) || '') && sameValue(listed(a, name), listed(b, name)),
  );
}

function listed(names: ValueMap, name: string) {
  const value = names.get(name);
  return Array.isArray(value) ? value : [];
}
