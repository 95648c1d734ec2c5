import type { ValueMap } from '../../go/value.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import type { Location } from '../cli-error.js';
import type { LocatedManifest } from './manifests.js';

const places = new WeakMap<ValueMap, LocatedManifest['locate']>();

/** Remembers where definitions of a state stand, for as long as they are there: a state itself knows no files. */
export function rememberDefinitions(manifests: readonly LocatedManifest[]): void {
  for (const { object, locate } of manifests) if (isDefinition(object)) places.set(object, locate);
}

/** Where a JSON pointer into a definition leads; undefined for one that comes from no file. */
export function placeInDefinition(definition: ValueMap, pointer: string): Location | undefined {
  return places.get(definition)?.(pointer);
}
