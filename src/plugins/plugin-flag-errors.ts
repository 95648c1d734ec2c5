import { serverOptions } from '../kubernetes/server-options.js';

/** Returns kube-apiserver's errors about the plugins that its flags name. Source: apiserver server/options/admission.go Validate. */
export function pluginFlagErrors(flags: readonly string[], known: ReadonlySet<string>): string[] {
  const { enabledPlugins, disabledPlugins } = serverOptions(flags);
  const unknown = (flag: string, names: readonly string[]): string[] =>
    names.filter(name => !known.has(name)).map(name => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = [...new Set(enabledPlugins)].filter(name => disabledPlugins.includes(name)).sort();
  const overlap = both.length === 0 ? [] : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`];
  return [...unknown('enable-admission-plugins', enabledPlugins), ...unknown('disable-admission-plugins', disabledPlugins), ...overlap];
}
