import type { Location } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import type { ValueMap } from '../../../go/value.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';

const places = new WeakMap<ValueMap, LocatedManifest['locate']>();

/** Stores the positions of definitions as long as the definitions exist, because a state does not contain files. */
export function rememberDefinitions(manifests: readonly LocatedManifest[]): void {
  for (const { object, locate } of manifests) if (isDefinition(object)) places.set(object, locate);
}

/** Returns the position of a JSON pointer into a definition; undefined when the definition is not from a file. */
export function placeInDefinition(definition: ValueMap, pointer: string): Location | undefined {
  return places.get(definition)?.(pointer);
}
