import path from 'node:path';
import { connectToCluster } from '../../../cluster/connect.js';
import type { StartedPlugin } from '../../../cluster/credentials/exec-plugin.js';
import { readVersion } from '../../../cluster/reading/base-objects.js';
import { clusterSource } from '../../../cluster/reading/object-source.js';
import { defaultMinor, type KubernetesMinor, kubernetesMinors, minorOf } from '../../../kubernetes/kubernetes-version.js';
import { lazy, memoize } from '../../../kubernetes/memoize.js';
import { oneLine } from '../../../writers/printable.js';
import { isTrusted, trust } from '../../options/trust/consent.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { ClusterFlags } from './cluster-flags.js';
import { type OpenCluster, openedClusters } from './opened-clusters.js';

/** Environment of a connection; the library provides neither environment variables nor streams. */
export type ClusterSurroundings = Pick<Surroundings, 'cwd' | 'now' | 'stdin'> & Partial<Pick<Surroundings, 'env' | 'stderr'>>;

const noEnvironment: Surroundings['env'] = {};

/** Opens the cluster of the flags, once per run, so that calls share the objects read from it. Throws CliError. */
export function openCluster(flags: ClusterFlags, surroundings: ClusterSurroundings): OpenCluster {
  const { env = noEnvironment } = surroundings;
  const ofRun = openedClusters(env);
  const key = JSON.stringify([flags.context, flags.kubeconfig, flags.clusterTimeoutMs]);
  const cluster = ofRun.get(key) ?? connected(flags, surroundings);
  ofRun.set(key, cluster);
  return cluster;
}

function connected(flags: ClusterFlags, surroundings: ClusterSurroundings): OpenCluster {
  const { env = noEnvironment, cwd, now, stdin, stderr } = surroundings;
  const client = connectToCluster({
    ...{ env, cwd, now, context: flags.context, kubeconfig: flags.kubeconfig },
    timeoutMs: flags.clusterTimeoutMs ?? 10_000,
    isTerminal: stdin.isTerminal,
    onPluginStart: plugin => announcePlugin(plugin, { env, cwd }, text => stderr?.write(text)),
    onStderr: text => stderr?.write(text),
  });
  const version = lazy(() => readVersion(client));
  const nearest = lazy(async () => nearestMinor(await version(), text => stderr?.write(text)));
  const readMinor = async (given?: KubernetesMinor): Promise<KubernetesMinor> => {
    // Asked in any case: it shows that an API server answers.
    await version();
    return given ?? nearest();
  };
  return { client, source: memoize(server => clusterSource(server, client)), minor: readMinor };
}

function nearestMinor(version: string, warn: (text: string) => void): KubernetesMinor {
  const known = minorOf(version);
  if (known !== undefined) return known;
  const number = (text: string): number => Number(/^v1\.(\d+)/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
  const nearest = kubernetesMinors.find(minor => number(minor) >= number(version)) ?? defaultMinor;
  warn(`warning: the cluster runs ${version}, which is not reproduced: ${nearest} is the nearest\n`);
  return nearest;
}

/** Says which program a kubeconfig runs, the first time that this user runs this command line of this file. */
function announcePlugin(
  { kubeconfig, user, commandLine }: StartedPlugin,
  { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>,
  write: (text: string) => void,
): void {
  const subject = { file: path.resolve(cwd, kubeconfig), contents: ['exec plugin', user, commandLine] };
  if (isTrusted(subject, env)) return;
  write(`note: user ${JSON.stringify(user)} of ${oneLine(kubeconfig)} runs the exec plugin: ${oneLine(commandLine)}\n`);
  try {
    trust(subject, env);
  } catch {
    // A read-only home folder: it is announced again.
  }
}
