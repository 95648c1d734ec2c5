import { CliError } from '../../client/cli-error.js';
import type { CallFlags } from '../../client/options/call-options.js';
import { refusedPluginFlags } from '../../plugins/enabled.js';

type PluginFlag = 'enable-admission-plugins' | 'disable-admission-plugins';

/** Returns kube-apiserver's flags. Throws CliError for flags with which kube-apiserver does not start. */
export function serverFlags(flags: Partial<Pick<CallFlags, PluginFlag>>): string[] {
  const plugins = (name: PluginFlag): string[] => {
    const names = (flags[name] ?? []).flatMap(list => list.split(',')).filter(part => part !== '');
    return names.length === 0 ? [] : [`--${name}=${names.join(',')}`];
  };
  const server = [...plugins('enable-admission-plugins'), ...plugins('disable-admission-plugins')];
  const refused = refusedPluginFlags(server);
  if (refused.length > 0) throw new CliError('usage', `kube-apiserver does not start: ${refused.join(', ')}`);
  return server;
}
