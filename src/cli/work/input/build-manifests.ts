import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { BuiltPath } from '../../../client/manifests/input-path.js';
import { systemReason } from '../../../files/system-reason.js';
import { defaultMinor, releaseOf } from '../../../kubernetes/kubernetes-version.js';
import { runProgram } from '../../../processes/run-program.js';

/** Programs that build a kustomization, in the order in which they are tried. */
const builders = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/**
 * Builds the kustomization of a folder with the user's own kubectl or kustomize, and returns the manifests that it prints. Throws CliError
 * when neither is installed, and for the errors of the program.
 */
export async function buildKustomization(folder: string, cwd: string): Promise<Uint8Array> {
  for (const [program, subcommand] of builders) {
    const output = await runForOutput(program, [subcommand, folder], cwd);
    if (output !== undefined) return built(output, `${program} ${subcommand} ${folder}`);
  }
  throw new CliError('unreadable-file', `cannot build the kustomization ${folder}: neither kubectl nor kustomize is installed`, {
    suggestions: ['install kubectl', 'build it elsewhere and pass the manifests with -f'],
  });
}

/**
 * Renders a chart with the user's own helm and files of values, its definitions included, for the newest API server, and returns the manifests. Only charts of this machine are read. Throws
 * CliError when helm is not installed, and for its errors.
 */
export async function renderChart({ folder, values }: Pick<BuiltPath, 'folder' | 'values'>, cwd: string): Promise<Uint8Array> {
  if (folder === '') throw new CliError('usage', 'helm: names no chart', { suggestions: ['write helm:CHART, or helm:CHART:VALUES.yaml'] });
  const chart = localChart(folder);
  // Without a cluster, helm takes a version of its own, which some charts refuse.
  const args = [
    'template',
    chart,
    '--include-crds',
    '--kube-version',
    releaseOf(defaultMinor),
    ...values.flatMap(file => ['--values', file]),
  ];
  const output = await runForOutput('helm', args, cwd);
  if (output !== undefined) return built(output, `helm ${args.join(' ')}`);
  throw new CliError('unreadable-file', `cannot render the chart ${folder}: helm is not installed`, {
    suggestions: ['install helm', 'render it elsewhere and pass the manifests with -f'],
  });
}

/** A name such as `guard` or `repo/guard` could be one of a repository. */
function localChart(folder: string): string {
  if (/^[a-z]+:\/\//i.test(folder))
    throw new CliError('unreadable-file', `${folder} is an address, and only local charts are read`, {
      suggestions: ['pull it first: helm pull'],
    });
  return path.isAbsolute(folder) || folder.startsWith('.') ? folder : `./${folder}`;
}

interface Output {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number | null;
}

function built({ stdout, stderr, code }: Output, command: string): Uint8Array {
  if (code === 0) return stdout;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  // Without a terminal, some versions log the error as a field of klog.
  const logged = / err="((?:[^"\\]|\\.)*)"$/.exec(last)?.[1]?.replace(/\\(.)/g, '$1');
  const reason =
    logged ??
    last.replace(/^error: /i, '').replace(
      /^Use --debug flag.*/,
      stderr
        .trim()
        .split('\n')[0]
        ?.replace(/^error: /i, '') ?? '',
    );
  throw new CliError('unreadable-file', `"${command}" failed: ${reason === '' ? `exit code ${code}` : reason}`);
}

/** No kustomization is larger; files are limited, too. */
const maxOutputBytes = 256 * 1024 * 1024;

/** Runs a program; resolves with undefined when it is not installed. */
async function runForOutput(program: string, args: readonly string[], cwd: string): Promise<Output | undefined> {
  const end = await runProgram({ command: [program, ...args], cwd, maxOutputBytes });
  if (end.outcome === 'exited') return end;
  if (end.outcome !== 'not-started')
    throw new CliError('unreadable-file', `"${program} ${args.join(' ')}" failed: it printed more than 256 MiB`);
  if (end.error.code === 'ENOENT') return undefined;
  throw new CliError('unreadable-file', `cannot run ${program}: ${systemReason(end.error)}`, { cause: end.error });
}
