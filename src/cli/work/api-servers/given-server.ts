import { CliError } from '../../../client/cli-error.js';
import type { ServerFlags } from '../../../client/options/call-options.js';
import { type ApiServerOptions, defaultServerOptions } from '../../../kubernetes/server-options.js';
import { refusedPluginFlags } from '../../../plugins/enabled.js';
import type { VersionFlags } from '../../options/server-version.js';
import { apiServers } from './api-servers.js';

/** Returns the options of the API server that a user describes. Throws CliError for those with which kube-apiserver does not start. */
export function givenServer(
  options: Pick<ServerFlags, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'> & VersionFlags,
): ApiServerOptions {
  const names = (lists: readonly string[] = []): string[] => lists.flatMap(list => list.split(',')).filter(name => name !== '');
  const plugins = { enabledPlugins: names(options.enableAdmissionPlugins), disabledPlugins: names(options.disableAdmissionPlugins) };
  const refused = refusedPluginFlags(apiServers({ minor: options.kubernetesVersion }), plugins);
  if (refused.length > 0) throw new CliError('usage', `kube-apiserver does not start: ${refused.join(', ')}`);
  return { ...defaultServerOptions, ...plugins };
}
