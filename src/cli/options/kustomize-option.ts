import { kustomizePrefix } from '../../client/manifests/input-path.js';
import { paths } from '../../client/options/option.js';

/** Returns the option `-k`, as kubectl has it, in a group of the help. */
export function kustomizeOption(group: string) {
  return {
    ...paths,
    group,
    char: 'k',
    placeholder: 'DIR',
    description: 'a folder to build with kubectl or kustomize; the same as -f kustomize:DIR',
  } as const;
}

/** Returns flags with the folders of `--kustomize` as paths of `--filename`. */
export function withKustomizations<F extends object>(flags: F): F {
  const { kustomize, ...others }: { readonly kustomize?: unknown; readonly filename?: unknown } = flags;
  if (!Array.isArray(kustomize)) return flags;
  const files = [others.filename ?? []].flat();
  return { ...others, filename: [...files, ...kustomize.map(folder => kustomizePrefix + String(folder))] } as F;
}
