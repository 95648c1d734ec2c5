import { StartError } from '../../cli/work/apiserver/start-error.js';
import { CliError } from '../../client/cli-error.js';
import { clusterSettings, userSettings } from '../../cluster/kubeconfig/cluster-settings.js';
import { readKubeconfig } from '../../cluster/kubeconfig/read-kubeconfig.js';
import { selectContext } from '../../cluster/kubeconfig/select-context.js';

/** Returns the server and the credentials of a kubeconfig that names a webhook of the API server. Throws StartError. */
export function readWebhookSettings(file: string, use: 'authentication' | 'authorization', cwd: string) {
  try {
    const selected = selectContext(readKubeconfig({ given: file, env: {}, cwd }), undefined);
    return { ...userSettings(selected), ...clusterSettings(selected) };
  } catch (error) {
    if (error instanceof CliError) throw new StartError(`${use} webhook configuration ${file}: ${error.message}`);
    throw error;
  }
}
