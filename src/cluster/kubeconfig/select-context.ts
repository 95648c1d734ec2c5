import { CliError } from '../../client/cli-error.js';
import { nearest } from '../../client/nearest.js';
import { stringAt } from '../../go/value.js';
import { shellWord } from '../../writers/shell.js';
import type { Kubeconfig, KubeconfigEntry } from './kubeconfig.js';

/** A context with its cluster and user. */
export interface SelectedContext {
  readonly context: string;
  readonly cluster: KubeconfigEntry;
  /** Undefined for a context without a user: requests are anonymous. */
  readonly user: KubeconfigEntry | undefined;
  readonly namespace: string;
}

/** Selects the named context or the current one. Throws CliError for names that the kubeconfig does not have. */
export function selectContext(config: Kubeconfig, named: string | undefined): SelectedContext {
  const context = named ?? config.currentContext;
  const known = [...config.contexts.keys()];
  if (context === '') {
    throw new CliError('invalid-kubeconfig', `${config.files.join(', ')} has no current context`, {
      suggestions: [known.length === 0 ? 'pass another --kubeconfig' : `pass --context ${shellWord(known[0] ?? '')}`],
    });
  }
  const entry = config.contexts.get(context);
  if (entry === undefined) {
    const meant = nearest(context, known);
    const advice =
      meant !== undefined ? `did you mean ${meant}?` : known.length === 0 ? 'pass another --kubeconfig' : `use one of ${known.join(', ')}`;
    throw new CliError('invalid-kubeconfig', `context ${JSON.stringify(context)} does not exist in ${config.files.join(', ')}`, {
      suggestions: [advice],
    });
  }
  const user = stringAt(entry.settings, 'user');
  return {
    context,
    cluster: namedEntry(config.clusters, { what: 'cluster', name: stringAt(entry.settings, 'cluster') }, entry),
    user: user === '' ? undefined : namedEntry(config.users, { what: 'user', name: user }, entry),
    namespace: stringAt(entry.settings, 'namespace') || 'default',
  };
}

function namedEntry(
  entries: ReadonlyMap<string, KubeconfigEntry>,
  { what, name }: { readonly what: string; readonly name: string },
  context: KubeconfigEntry,
): KubeconfigEntry {
  const found = entries.get(name);
  if (found !== undefined) return found;
  throw new CliError(
    'invalid-kubeconfig',
    `${what} ${JSON.stringify(name)} of the context ${JSON.stringify(context.name)} does not exist`,
    {
      location: { file: context.file },
    },
  );
}
