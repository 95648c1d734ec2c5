import { CliError } from '../../client/cli-error.js';
import { readKubeconfig } from '../../cluster/kubeconfig/read-kubeconfig.js';
import type { Surroundings } from '../surroundings.js';

/** Returns the names of the contexts in the kubeconfig; none if it cannot be read, since a shell cannot show errors. */
export function kubeconfigContexts({ env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): string[] {
  try {
    return [...readKubeconfig({ given: undefined, env, cwd }).contexts.keys()].sort();
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}
