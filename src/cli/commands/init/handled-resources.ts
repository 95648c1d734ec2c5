import type { Resource } from '../../../kubernetes/resource-table.js';

/** Returns the resources that names mean: plurals, singulars, kinds or short names, in any case. */
export function handledResources(resources: readonly Resource[], names: readonly string[]): Resource[] {
  const wanted = new Set(names.map(name => name.toLowerCase()));
  return resources.filter(({ resource, singular, kind, shortNames }) =>
    [resource, singular, kind.kind.toLowerCase(), ...shortNames].some(name => wanted.has(name)),
  );
}
