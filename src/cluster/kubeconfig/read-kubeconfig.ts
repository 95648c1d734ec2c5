import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { readNamedFile } from '../../files/read-file.js';
import { ownMember } from '../../go/own-members.js';
import { inClusterConfig, serviceAccountFolder } from './in-cluster.js';
import { type Kubeconfig, type KubeconfigFile, mergeKubeconfigs } from './kubeconfig.js';

/** Locations of kubeconfig files. */
export interface KubeconfigPlace {
  /** `--kubeconfig` */
  readonly given: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Folder with the credentials of a pod's service account; by default that of the kubelet. */
  readonly serviceAccount?: string | undefined;
}

/**
 * Reads the kubeconfig as kubectl does: the file of `--kubeconfig`, else those of KUBECONFIG, of which missing ones are skipped, else
 * `~/.kube/config`, else in a pod its service account. Throws CliError. Source: client-go clientcmd/loader.go.
 */
export function readKubeconfig({ given, env, cwd, serviceAccount = serviceAccountFolder }: KubeconfigPlace): Kubeconfig {
  const listed = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter(file => file !== '');
  const named = given === undefined ? listed : [given];
  const home = env['HOME'] ?? env['USERPROFILE'];
  const candidates = named.length > 0 || home === undefined ? named : [path.join(home, '.kube', 'config')];
  const files = [...new Set(candidates)].flatMap(file => fileAt(path.resolve(cwd, file), file, given !== undefined));
  if (files.length > 0) return mergeKubeconfigs(files);
  const inCluster = given === undefined ? inClusterConfig(env, serviceAccount) : undefined;
  if (inCluster !== undefined) return inCluster;
  const where = candidates.length === 0 ? '' : `: ${candidates.join(', ')} ${candidates.length === 1 ? 'does' : 'do'} not exist`;
  throw new CliError('invalid-kubeconfig', `no kubeconfig found${where}`, { suggestions: ['pass --kubeconfig PATH', 'set KUBECONFIG'] });
}

const reasons: Readonly<Record<string, string>> = { ENOENT: 'no such file or directory', EACCES: 'permission denied' };

function fileAt(file: string, shown: string, isRequired: boolean): KubeconfigFile[] {
  try {
    return [{ file, bytes: readNamedFile(file) }];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' && !isRequired) return [];
    const reason = ownMember(reasons, String(code)) ?? (error instanceof Error ? error.message : String(error));
    throw new CliError('invalid-kubeconfig', `the kubeconfig cannot be read: ${reason}`, { location: { file: shown }, cause: error });
  }
}
