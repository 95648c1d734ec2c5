import { CliError } from '../../client/cli-error.js';
import type { CallFlags } from '../../client/options/call-options.js';
import { refusedPluginFlags } from '../../plugins/enabled.js';

type PluginFlag = 'enable-admission-plugins' | 'disable-admission-plugins';

/** Returns kube-apiserver's flags. Throws CliError for flags with which kube-apiserver does not start, and for other versions of Kubernetes. */
export function serverFlags(flags: Pick<CallFlags, PluginFlag | 'kubernetes-version'>): string[] {
  checkVersion(flags['kubernetes-version']);
  const plugins = (name: PluginFlag): string[] => {
    const names = (flags[name] ?? []).flatMap(list => list.split(',')).filter(part => part !== '');
    return names.length === 0 ? [] : [`--${name}=${names.join(',')}`];
  };
  const server = [...plugins('enable-admission-plugins'), ...plugins('disable-admission-plugins')];
  const refused = refusedPluginFlags(server);
  if (refused.length > 0) throw new CliError('usage', `kube-apiserver does not start: ${refused.join(', ')}`);
  return server;
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || /^v?1\.36(\.\d+)?$/.test(version)) return;
  throw new CliError('not-there-yet', `Kubernetes ${version} is not supported`, {
    suggestions: ['use --kubernetes-version v1.36'],
  });
}
