import { installApis } from '../apis/install.js';
import { installPlugins } from '../apiserver/admission/plugins.js';
import { enabledPlugins } from '../plugins/enabled.js';

/** Installs the kinds and the in-tree admission plugins of the API server; every entry point calls it before the first API call. */
export function installApiServer(): void {
  installApis();
  installPlugins(enabledPlugins);
}
