import { kinds } from '../../../apis/kinds.js';
import { resourceGates } from '../../../apis/resource-gates.js';
import { kubernetesScheme } from '../../../apis/scheme.js';
import { storageFactory } from '../../../apis/storage-factory.js';
import { partStorages, storages } from '../../../apis/storages.js';
import { type ApiServers, apiServersOf } from '../../../kubernetes/api-server.js';
import { defaultClusterRoles } from '../../../local-apiserver/bootstrap/default-cluster-roles.js';
import { enabledPlugins } from '../../../plugins/enabled.js';

/** Makes the API servers of the program, from the kinds, the in-tree admission plugins, the default roles and the other forms of answers. */
export const apiServers: ApiServers = apiServersOf({
  scheme: kubernetesScheme,
  storageFactory,
  gateOfResource: name => resourceGates.get(name),
  kindNamed: name => kinds.get(name)?.(),
  restStorageNamed: name => storages.get(name)?.(),
  partStorageNamed: subresource => partStorages.get(subresource)?.(),
  plugins: enabledPlugins,
  // The call delays loading the module in the bundle.
  defaultRoles: server => defaultClusterRoles(server),
  otherForms: async () => (await import('../../../local-apiserver/other-forms.js')).otherForms,
});
