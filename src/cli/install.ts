import { installApis } from '../apis/install.js';
import { installPlugins } from '../apiserver/admission/plugins.js';
import { installOtherForms } from '../apiserver/handlers/other-forms.js';
import { enabledPlugins } from '../plugins/enabled.js';

/** Gives the API server its kinds, its in-tree admission plugins and other forms of answers; every entry point calls it before the first API call. */
export function installApiServer(): void {
  installApis();
  installPlugins(enabledPlugins);
  installOtherForms(async () => (await import('../local-apiserver/other-forms.js')).otherForms);
}
