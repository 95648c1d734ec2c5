import { installApis } from '../apis/install.js';
import { installPlugins } from '../apiserver/admission/plugins.js';
import { enabledPlugins } from '../plugins/enabled.js';

/** Gives the API server its kinds and its in-tree admission plugins; every entry point calls it before the first API call. */
export function installApiServer(): void {
  installApis();
  installPlugins(enabledPlugins);
}
