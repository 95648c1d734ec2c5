import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { minorOfFlags } from '../cli/options/server-version.js';
import { type ExitCode, exitCodes } from '../cli/shell/exit-codes.js';
import type { Surroundings } from '../cli/shell/surroundings.js';
import { type KubernetesMinor, releaseOf } from '../kubernetes/kubernetes-version.js';
import { shellWord } from '../writers/shell.js';
import { type Executable, executables } from './folder/executables.js';
import { createOwnFolder, writeFolder } from './folder/write-folder.js';

/** Options of `webhook-cli envtest`. */
export interface EnvtestOptions {
  readonly kubernetesVersion?: KubernetesMinor | undefined;
  readonly output?: string | undefined;
}

/** Where this program is installed. */
export interface Installation {
  /** The folder of our package.json; of a single executable, its own path. */
  readonly root: string;
  readonly execPath: string;
  readonly platform: NodeJS.Platform;
  /** Version of this program. */
  readonly version: string;
  /** Number of the user; undefined on Windows. */
  readonly uid: number | undefined;
}

/** Writes the folder with kube-apiserver, etcd and kubectl, and prints its path. Throws CliError. */
export async function runEnvtest(options: EnvtestOptions, installation: Installation, { env, stdout }: Surroundings): Promise<ExitCode> {
  const kubernetesVersion = minorOfFlags(options);
  const program = programOf(installation, kubernetesVersion);
  const hash = createHash('sha256').update(JSON.stringify(program)).digest('hex').slice(0, 8);
  const cache = path.join(await cacheFolder(env, installation), 'webhook-cli', 'envtest');
  const folder = path.join(cache, `${installation.version}-${hash}`, kubernetesVersion);
  // They are run by test environments: another user could replace them. Temporary folders of Windows are the user's own.
  for (const own of [cache, folder]) await createOwnFolder(own, installation.uid);
  await writeFolder(folder, executables(program, installation.platform));
  stdout.write(options.output === 'env' ? `export KUBEBUILDER_ASSETS=${shellWord(folder)}\n` : `${folder}\n`);
  return exitCodes.allowed;
}

function programOf({ root, execPath }: Installation, kubernetesVersion: KubernetesMinor): Executable {
  const script = root === execPath ? undefined : path.join(root, 'bin/run.js');
  return { command: execPath, script, kubernetesVersion, release: releaseOf(kubernetesVersion) };
}

/** Returns the user's cache folder; without a home folder, one of the user's own among the temporary files. */
async function cacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA, HOME }: Surroundings['env'], { platform, uid }: Installation): Promise<string> {
  if (XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (platform === 'win32' && LOCALAPPDATA !== undefined && LOCALAPPDATA !== '') return LOCALAPPDATA;
  if (HOME !== undefined && path.isAbsolute(HOME) && existsSync(HOME)) return path.join(HOME, '.cache');
  const temporary = path.join(tmpdir(), `webhook-cli-${uid ?? 'user'}`);
  await createOwnFolder(temporary, uid);
  return temporary;
}
