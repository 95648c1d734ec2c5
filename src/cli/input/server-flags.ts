import { CliError } from '../../client/cli-error.js';
import type { CallOptions } from '../../client/options/call-options.js';
import { refusedPluginFlags } from '../../plugins/enabled.js';
import { apiServers } from '../api-servers.js';
import { givenMinor, type VersionFlags } from './server-version.js';

/** Returns kube-apiserver's flags. Throws CliError for flags with which kube-apiserver does not start. */
export function serverFlags(
  options: Partial<Pick<CallOptions, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'>> & VersionFlags,
): string[] {
  const plugins = (flag: string, lists: readonly string[] | undefined): string[] => {
    const names = (lists ?? []).flatMap(list => list.split(',')).filter(part => part !== '');
    return names.length === 0 ? [] : [`--${flag}=${names.join(',')}`];
  };
  const server = [
    ...plugins('enable-admission-plugins', options.enableAdmissionPlugins),
    ...plugins('disable-admission-plugins', options.disableAdmissionPlugins),
  ];
  const refused = refusedPluginFlags(apiServers({ minor: givenMinor(options) }), server);
  if (refused.length > 0) throw new CliError('usage', `kube-apiserver does not start: ${refused.join(', ')}`);
  return server;
}
