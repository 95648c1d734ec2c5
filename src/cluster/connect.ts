import { listAt, stringAt, valueAt } from '../go/value.js';
import { credentialsOf } from './credentials/credentials.js';
import { runExecPlugin, type StartedPlugin } from './credentials/exec-plugin.js';
import { type ClusterClient, openClusterClient } from './http/cluster-client.js';
import { clusterSettings, userSettings } from './kubeconfig/cluster-settings.js';
import { readKubeconfig } from './kubeconfig/read-kubeconfig.js';
import { selectContext } from './kubeconfig/select-context.js';

/** Selects the cluster, and provides the environment of the connection. */
export interface ClusterChoice {
  /** `--context`; the current one by default. */
  readonly context: string | undefined;
  /** `--kubeconfig` */
  readonly kubeconfig: string | undefined;
  /** Folder with the credentials of a pod's service account; by default that of the kubelet. */
  readonly serviceAccount?: string | undefined;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => Date;
  readonly isTerminal: boolean;
  /** Called before an exec plugin is started. */
  readonly onPluginStart?: (plugin: StartedPlugin) => void;
  /** Receives messages of an exec plugin for its user. */
  readonly onStderr: (text: string) => void;
}

/** Reads the kubeconfig and returns a client; nothing is sent yet. Throws CliError. */
export function connectToCluster(choice: ClusterChoice): ClusterClient {
  const { env, cwd, now, isTerminal, onStderr, onPluginStart, timeoutMs, serviceAccount } = choice;
  const selected = selectContext(readKubeconfig({ given: choice.kubeconfig, env, cwd, serviceAccount }), choice.context);
  const cluster = clusterSettings(selected);
  const user = userSettings(selected);
  const extension = listAt(selected.cluster.settings, 'extensions').find(
    one => stringAt(one, 'name') === 'client.authentication.k8s.io/exec',
  );
  const clusterConfig = valueAt(extension, 'extension') ?? null;
  const runPlugin = () => {
    if (user.exec === undefined) throw new Error('only a user with an exec plugin runs one');
    return runExecPlugin({
      ...user.exec,
      cluster,
      clusterConfig,
      env,
      cwd,
      isTerminal,
      onStderr,
      onStart: plugin => onPluginStart?.(plugin),
    });
  };
  return openClusterClient({ cluster, user, credentials: credentialsOf(user, { runPlugin, now }), env, timeoutMs });
}
