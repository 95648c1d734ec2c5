import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Programs of the commands that are printed, which print their arguments. */
const programs = ['webhook-cli', 'kubectl', 'curl', 'zstd', 'cd', 'npm'];

/** Runs each of its arguments but the first in a sh of its own, and writes what it prints into the folder of the first one. */
const runEach = `
results=$1
shift
i=0
for command; do
  sh -c "$command" >"$results/$i.stdout" 2>"$results/$i.stderr"
  echo $? >"$results/$i.status"
  i=$((i + 1))
done
`;

/** All of them are arguments of one program. */
const commandsAtOnce = 100;

/**
 * Returns the arguments that programs get when sh runs each command; throws when sh does not parse one, or prints an error. One program starts
 * them: for a process as large as that of the tests, each start takes many times as long.
 */
export function wordsBySh(commands: readonly string[], cwd: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let i = 0; i < commands.length; i += commandsAtOnce) found.push(...wordsOfSome(commands.slice(i, i + commandsAtOnce), cwd));
  return found;
}

function wordsOfSome(commands: readonly string[], cwd: string): readonly (readonly string[])[] {
  const results = temporaryFolder();
  const { status, stderr } = spawnSync('sh', ['-c', runEach, 'sh', results.folder, ...commands], {
    cwd,
    // Functions with a dash in their name are not for every sh: the command calls a program of the folder.
    env: { PATH: `${cwd}/bin:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  if (status !== 0 || stderr !== '') throw new Error(`${status}, ${stderr}`);
  const printed = (i: number, what: string): string => readFileSync(path.join(results.folder, `${i}.${what}`), 'utf8');
  const found = commands.map((command, i) => {
    const ended = { status: printed(i, 'status').trim(), stderr: printed(i, 'stderr') };
    if (ended.status !== '0' || ended.stderr !== '') throw new Error(`${JSON.stringify(command)}: ${ended.status}, ${ended.stderr}`);
    return printed(i, 'stdout').split('\0').slice(0, -1);
  });
  results.remove();
  return found;
}

/** Files of a folder in which `wordsBySh` runs commands. */
export const shownArguments: Readonly<Record<string, string>> = Object.fromEntries(
  programs.map(name => [`bin/${name}`, `#!/bin/sh\nprintf '%s\\0' ${name} "$@"\n`]),
);
