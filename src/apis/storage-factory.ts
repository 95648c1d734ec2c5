import type { StorageFactory } from '../apiserver/objects/scheme.js';
import { ownMember } from '../go/own-members.js';

/**
 * Groups of the API servers that kube-apiserver contains besides its own. They store JSON, and the keys of their objects contain the group.
 * Source: kubernetes pkg/controlplane/apiserver/apiextensions.go, aggregator.go.
 */
const delegates: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Resources that are stored under another name. Source: kubernetes pkg/kubeapiserver SpecialDefaultResourcePrefixes. */
const prefixes: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  ingresses: 'ingress',
};

/** How the objects of built-in and custom resources are stored. Source: kubernetes pkg/kubeapiserver/default_storage_factory_builder.go. */
export const storageFactory: StorageFactory = {
  prefixOf: ({ group, resource, custom }) =>
    custom || delegates.has(group) ? `${group}/${resource}` : (ownMember(prefixes, resource) ?? resource),
  isStoredAsJson: group => delegates.has(group),
};
