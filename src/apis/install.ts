import { installScheme } from '../apiserver/objects/scheme.js';
import { installKinds } from '../apiserver/registry/kind-definition.js';
import { kinds } from './kinds.js';
import { kubernetesScheme } from './scheme.js';

/** Registers the built-in kinds: defaults and conversions of their types, and their definitions. */
export function installApis(): void {
  installScheme(kubernetesScheme);
  installKinds(name => kinds.get(name)?.());
}
