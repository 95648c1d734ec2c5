import { sortedMembers } from '../sorted-members.js';

/** Kinds that every group version has. Source: apimachinery meta/v1 AddToGroupVersion. */
const commonNames = ['CreateOptions', 'DeleteOptions', 'GetOptions', 'ListOptions', 'PatchOptions', 'UpdateOptions', 'WatchEvent'];

/** Kinds of meta/v1 that a core version registers for all, and those of its own group. Source: apimachinery meta/v1/register.go. */
const unversionedNames = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status'];
const metaNames = ['PartialObjectMetadata', 'PartialObjectMetadataList', 'Table'];

/** Packages whose kinds the API server's scheme lacks: discovery documents have their own scheme. */
const notInScheme = /^apidiscovery\//;

/** Names of structs, `core/v1.Pod`, by `apiVersion/Kind` and, for the kinds of every group version, by kind. */
export function registeredKinds(packages) {
  const kinds = {};
  for (const name of packages.names().filter(each => !notInScheme.test(each))) {
    const { registration } = packages.named(name);
    const group = /GroupName\s*=\s*"([^"]*)"/.exec(registration)?.[1];
    if (group === undefined) continue;
    const apiVersion = group === '' ? 'v1' : `${group}/${name.split('/')[1]}`;
    for (const kind of kindsIn(registration)) kinds[`${apiVersion}/${kind}`] = `${name}.${kind}`;
  }
  for (const kind of unversionedNames) kinds[`v1/${kind}`] = `meta/v1.${kind}`;
  for (const kind of metaNames) kinds[`meta.k8s.io/v1/${kind}`] = `meta/v1.${kind}`;
  return { kinds: sortedMembers(kinds), commonKinds: Object.fromEntries(commonNames.map(kind => [kind, `meta/v1.${kind}`])) };
}

function kindsIn(registration) {
  const calls = [...registration.matchAll(/AddKnownTypes\(\s*SchemeGroupVersion,([\s\S]*?)\n?\t?\)/g)];
  return calls.flatMap(([, list]) => [...list.matchAll(/&(\w+)\{\}/g)].map(([, kind]) => kind));
}
