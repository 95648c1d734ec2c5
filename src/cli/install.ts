import { installApis } from '../apis/install.js';
import { installPlugins } from '../apiserver/admission/plugins.js';
import { installDefaultRoles } from '../apiserver/authorization/default-roles.js';
import { installOtherForms } from '../apiserver/handlers/other-forms.js';
import { defaultClusterRoles } from '../local-apiserver/bootstrap/default-cluster-roles.js';
import { enabledPlugins } from '../plugins/enabled.js';

/** Gives the API server its kinds, in-tree admission plugins, default roles and other forms of answers; every entry point calls it before the first API call. */
export function installApiServer(): void {
  installApis();
  installPlugins(enabledPlugins);
  // The call delays loading the module in the bundle.
  installDefaultRoles(() => defaultClusterRoles());
  installOtherForms(async () => (await import('../local-apiserver/other-forms.js')).otherForms);
}
