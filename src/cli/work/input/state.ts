import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { stateOf } from '../../../client/manifests/cluster-state.js';
import type { InputFile } from '../../../client/manifests/manifests.js';
import type { InputFlags } from '../../../client/options/call-options.js';
import type { StateFlagOptions } from '../../../client/options/state-options.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import type { ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { printable } from '../../../writers/printable.js';
import { minorOfFlags } from '../../options/server-version.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../api-servers/api-servers.js';
import { givenServer } from '../api-servers/given-server.js';
import { choosesCluster } from '../cluster/cluster-flags.js';
import { askForMinor } from '../cluster/minor-for.js';
import type { ClusterSurroundings } from '../cluster/open-cluster.js';
import { rememberDefinitions } from './definition-places.js';
import { readInputFiles } from './files.js';
import { sameNameNotes } from './same-names.js';
import { readStateManifests } from './state-cache.js';

/** Options of a cluster; those of the call and the webhook that have an effect on how it is read. */
export type ReadStateFlags = StateFlagOptions & Pick<InputFlags, 'filename'> & Pick<WebhookFlagOptions, 'url' | 'demo'>;

/** Reads the objects of the flags that exist in the cluster, completed as GET would return them. */
export async function readState(
  flags: ReadStateFlags,
  surroundings: Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now' | 'stateCache'> &
    Partial<Pick<Surroundings, 'stderr'>> &
    ClusterSurroundings,
): Promise<ClusterState> {
  const paths = flags.state ?? [];
  if (paths.includes('-') && (flags.filename ?? []).includes('-')) throw new CliError('usage', '-f and --state cannot both read stdin');
  const files = await readInputFiles({ flag: '--state', paths, recursive: flags.recursive ?? false }, surroundings);
  const described = files.filter(file => !isKustomization(file));
  const manifests = await readStateManifests(apiServers({ minor: flags.kubernetesVersion }), described, surroundings.stateCache);
  rememberDefinitions(manifests);
  for (const note of sameNameNotes(manifests)) surroundings.stderr?.write(`warning: ${printable(note)}\n`);
  const objects = manifests.map(({ object }) => object);
  if (choosesCluster(flags)) return readClusterState(objects, flags, surroundings);
  const options = givenServer(flags);
  const server = apiServers({ minor: minorOfFlags(flags) });
  return stateOf(objects, { server, options, presumesNamespaces: paths.length === 0 }, surroundings);
}

async function readClusterState(
  objects: readonly ValueMap[],
  flags: ReadStateFlags,
  surroundings: Pick<Surroundings, 'uid'> & ClusterSurroundings,
): Promise<ClusterState> {
  const [{ openCluster }, { readStateInCluster }] = await Promise.all([
    import('../cluster/open-cluster.js'),
    import('../cluster/state-in-cluster.js'),
  ]);
  const cluster = openCluster(flags, surroundings);
  const minor = await askForMinor(flags, surroundings);
  const options = givenServer({ ...flags, kubernetesVersion: minor });
  const server = apiServers({ minor });
  const withConfigurations = flags.url === undefined && flags.demo !== true;
  return readStateInCluster(cluster, { objects, options, server, withConfigurations }, surroundings);
}

/** Reports whether this is a kustomization file, which contains no objects. Parses only files that mention it. */
function isKustomization({ source, bytes }: InputFile): boolean {
  if (/^kustomization(\.ya?ml)?$/i.test(path.basename(source))) return true;
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('kustomize.config.k8s.io')) return false;
  const { documents, error } = readManifests(bytes);
  const [json = ''] = documents.map(document => document.json);
  return error === undefined && documents.length === 1 && /"kind":"Kustomization"/.test(json) && /kustomize\.config\.k8s\.io/.test(json);
}
