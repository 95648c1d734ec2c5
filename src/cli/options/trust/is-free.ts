import { builtPathIn } from '../../../client/manifests/input-path.js';
import type { FlagOption, Risk } from '../../../client/options/option.js';

/** Reports whether a found file may set this option to these texts without consent. Kustomizations and charts need it: kubectl, kustomize and helm are programs, and fetch remote resources. */
export function isFree({ risk }: { readonly risk?: Risk }, values: readonly string[]): boolean {
  return risk === 'none' && !values.some(value => builtPathIn(value) !== undefined);
}

/** Reports whether all of these texts of an option are addresses of this machine. */
export function areLocal(option: FlagOption, values: readonly string[]): boolean {
  return 'value' in option && values.every(value => option.value.isLocal?.(value) === true);
}
