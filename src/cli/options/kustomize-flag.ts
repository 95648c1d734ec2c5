import { Flags, type Interfaces } from '@oclif/core';
import { kustomizePrefix } from '../../client/manifests/input-path.js';

/** `-k`, as kubectl has it, in a group of the help. */
export const kustomizeFlag = (helpGroup: string): Interfaces.OptionFlag<string[] | undefined> =>
  Flags.string({
    char: 'k',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'DIR',
    helpGroup,
    description: 'a folder to build with kubectl or kustomize; the same as -f kustomize:DIR',
  });

/** Returns flags with the folders of `--kustomize` as paths of `--filename`. */
export function withKustomizations<F extends object>(flags: F): F {
  const { kustomize, ...others }: { readonly kustomize?: unknown; readonly filename?: unknown } = flags;
  if (!Array.isArray(kustomize)) return flags;
  const files = [others.filename ?? []].flat();
  return { ...others, filename: [...files, ...kustomize.map(folder => kustomizePrefix + String(folder))] } as F;
}
