import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import { type KubeconfigOptions, writeKubeconfig } from '../../../local-apiserver/kubeconfig.js';
import { removeLeftBehind } from '../../../suites/process/left-behind.js';
import { privateFolder } from '../../shell/private-folder.js';
import type { UserFile } from './user-values.js';

export interface WrittenKubeconfig {
  readonly file: string;
  /** Removes a temporary file. */
  readonly remove: () => void;
}

/** Writes a kubeconfig to a file, by default in a temporary folder of its own; first removes what killed runs left. Throws CliError when it cannot. */
export function writeKubeconfigFile(kubeconfig: KubeconfigOptions, given: string | undefined, cwd: string): WrittenKubeconfig {
  removeLeftBehind();
  const file = given === undefined ? path.join(privateFolder('kubeconfig'), 'kubeconfig') : path.resolve(cwd, given);
  const remove = (): void => {
    if (given === undefined) rmSync(path.dirname(file), { recursive: true, force: true });
  };
  try {
    rmSync(file, { force: true });
    // Tokens are for the user alone: a link that was put there in the meantime is not followed.
    writeFileSync(file, writeKubeconfig(kubeconfig), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    remove();
    throw new CliError('write-failed', `cannot write the kubeconfig: ${systemReason(error)}`, { location: { file }, cause: error });
  }
  return { file, remove };
}

/**
 * Writes the kubeconfigs of single users, each to its file. Throws CliError when it cannot.
 */
export function writeUserKubeconfigs({ url, ca, users }: KubeconfigOptions, files: readonly UserFile[], cwd: string): void {
  for (const { user, file } of files) {
    writeKubeconfigFile({ url, ca, users: users.filter(({ username }) => username === user) }, file, cwd);
  }
}

/** Throws CliError if a file of `--kubeconfig-for` is the kubeconfig of another cluster, or that of another user here. */
export function refuseUserFiles(files: readonly UserFile[], kubeconfig: string | undefined, cwd: string): void {
  const taken = new Set(kubeconfig === undefined ? [] : [path.resolve(cwd, kubeconfig)]);
  for (const { file, user } of files) {
    const resolved = path.resolve(cwd, file);
    if (taken.has(resolved))
      throw new CliError('usage', `--kubeconfig-for ${user}=${file}: another user's kubeconfig is to be in that file`);
    taken.add(resolved);
    refuseOtherKubeconfig(resolved, 'kubeconfig-for');
  }
}

/** Other commands read the kubeconfig of this flag, and webhook-cli.yaml may name it: one of another cluster is not overwritten. Throws CliError. */
export function refuseOtherKubeconfig(file: string, flag: 'kubeconfig' | 'kubeconfig-for' = 'kubeconfig'): void {
  const text = statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : '';
  if (text.trim() === '' || /^current-context: webhook-cli$/m.test(text)) return;
  throw new CliError('usage', 'it is the kubeconfig of another cluster, and would be overwritten', {
    location: { file },
    suggestions: [`pass another file to --${flag}`],
  });
}
