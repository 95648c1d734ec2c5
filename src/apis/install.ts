import { installScheme } from '../apiserver/objects/scheme.js';
import { installKinds } from '../apiserver/registry/kind-definition.js';
import { kinds } from './kinds.js';
import { kubernetesScheme } from './scheme.js';

/** Hands the built-in kinds to the API server: their types' defaults and conversions, and what is stored of them. */
export function installApis(): void {
  installScheme(kubernetesScheme);
  installKinds(name => kinds.get(name)?.());
}
