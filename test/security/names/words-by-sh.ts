import { spawnSync } from 'node:child_process';

/** Programs of the commands that are printed, which print their arguments. */
const programs = ['webhook-cli', 'kubectl', 'curl', 'zstd', 'cd', 'npm'];

/** Returns the arguments that programs get when sh runs a command; throws when sh does not parse it, or prints an error. */
export function wordsBySh(command: string, cwd: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  // Functions with a dash in their name are not for every sh: the command calls a program of the folder.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env: { ...env, PATH: `${cwd}/bin:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  if (status !== 0 || stderr !== '') throw new Error(`${JSON.stringify(command)}: ${status}, ${stderr}`);
  return stdout.split('\0').slice(0, -1);
}

/** Files of a folder in which `wordsBySh` runs commands. */
export const shownArguments: Readonly<Record<string, string>> = Object.fromEntries(
  programs.map(name => [`bin/${name}`, `#!/bin/sh\nprintf '%s\\0' ${name} "$@"\n`]),
);
