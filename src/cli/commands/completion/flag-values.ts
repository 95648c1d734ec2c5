import { callCheckNames } from '../../../client/options/call-checks.js';
import { ownMember } from '../../../go/own-members.js';
import { kubernetesMinors } from '../../../kubernetes/kubernetes-version.js';
import { builtInResources } from '../../../kubernetes/resource-table.js';
import { lintRules } from '../../../lint/rules/rules.js';
import { pluginNames } from '../../../plugins/enabled.js';
import { suiteReporters } from '../../../reports/suites/reporters.js';
import { apiServers } from '../../work/api-servers/api-servers.js';

/** Values of a flag or an argument. `list`: words separated by commas. `contexts`: of the kubeconfig, when they are completed. */
export type Values =
  | { readonly from: 'words' | 'list'; readonly choices: readonly string[] }
  | { readonly from: 'files' | 'folders' | 'contexts' | 'nothing' };

/** A flag that takes a value. */
export interface ValuedFlag {
  readonly name: string;
  readonly helpValue?: string | readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
}

/** Returns the values of a flag: by its name, otherwise those listed in its placeholder in the help. */
export function completedFlagValues(command: string, { name, helpValue, options }: ValuedFlag): Values {
  if (options !== undefined) return { from: 'words', choices: options };
  const named = ownMember(valuesByName, `${command} ${name}`) ?? ownMember(valuesByName, name);
  if (named !== undefined) return named();
  const placeholder = String(helpValue ?? '');
  if (/^[\w.-]+(\|[\w.-]+)+$/.test(placeholder))
    return { from: 'words', choices: placeholder.split('|').filter(word => /[a-z]/.test(word)) };
  if (/^(PATH|FILE)$/.test(placeholder)) return { from: /-dir$/.test(name) ? 'folders' : 'files' };
  return { from: placeholder === 'DIR' ? 'folders' : 'nothing' };
}

const plugins = (): Values => ({ from: 'list', choices: pluginNames(apiServers()).sort() });

const valuesByName: Readonly<Record<string, () => Values>> = {
  'enable-admission-plugins': plugins,
  'disable-admission-plugins': plugins,
  subresource: () => ({ from: 'words', choices: subresources() }),
  'lint rule': () => ({
    from: 'words',
    choices: lintRules.flatMap(({ id }) => ['off', 'info', 'warning', 'error'].map(severity => `${id}=${severity}`)).sort(),
  }),
  'kubernetes-version': () => ({ from: 'words', choices: kubernetesMinors }),
  'test kubernetes-version': () => ({ from: 'list', choices: kubernetesMinors }),
  reporter: () => ({ from: 'words', choices: Object.keys(suiteReporters) }),
  'review check': () => ({ from: 'list', choices: callCheckNames }),
  'review-versions': () => ({ from: 'list', choices: ['v1', 'v1beta1'] }),
  context: () => ({ from: 'contexts' }),
};

function subresources(): string[] {
  const names = builtInResources(apiServers(), 'all').resources.flatMap(resource => resource.subresources.map(({ name }) => name));
  return [...new Set(names)].sort();
}
