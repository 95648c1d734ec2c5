import path from 'node:path';
import type { StartedPlugin } from '../../cluster/credentials/exec-plugin.js';
import { oneLine } from '../../reports/printable.js';
import type { Surroundings } from '../surroundings.js';
import { isTrusted, trust } from './consent.js';

/** Says which program a kubeconfig runs, the first time that this user runs this command line of this file. */
export function announcePlugin(
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
