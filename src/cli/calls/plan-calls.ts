import { operationOf, type Plan, planObjects } from '../../client/calls/plan.js';
import type { PlannedCall } from '../../client/calls/planned-call.js';
import { rawCalls } from '../../client/calls/raw-calls.js';
import { CliError } from '../../client/cli-error.js';
import type { InputFile, Manifest } from '../../client/manifests/manifests.js';
import type { CallFlags } from '../../client/options/call-options.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { kindOf } from '../../kubernetes/storage.js';
import { readInputFile } from '../input/files.js';
import { readManifests } from '../input/read-manifests.js';
import { checkDefinitions, refuseDefinitionsOf } from '../input/refused-definitions.js';
import { readState } from '../input/state.js';
import type { Surroundings } from '../surroundings.js';

/** Reads all files that the flags name, and plans the API calls. Throws CliError; nothing is sent. */
export async function planCalls(flags: CallFlags, surroundings: Surroundings): Promise<Plan> {
  operationOf(flags);
  return planCallsIn(await readState(flags, surroundings), flags, surroundings);
}

/** Plans the API calls in a given state, instead of that of `--state`: plans may share one. */
export async function planCallsIn(state: ClusterState, flags: CallFlags, surroundings: Surroundings): Promise<Plan> {
  operationOf(flags);
  if (flags.call !== undefined) {
    const calls = rawCalls({ source: flags.call, bytes: readInputFile(flags.call, surroundings.cwd) });
    return { calls, state, warnings: await checkDefinitions(pathsOf(calls), state), notes: [] };
  }
  if (flags.filename === undefined) {
    throw new CliError('usage', 'no call specified', {
      suggestions: ['pass a manifest with -f', 'exact HTTP calls with --call'],
    });
  }
  const recursive = flags.recursive ?? false;
  const { manifests, warnings } = await readManifests({ flag: '-f', paths: flags.filename, recursive }, surroundings);
  const old = (await readOld(flags, surroundings)).map(({ object }) => object);
  const kinds = manifests.map(({ object }) => kindOf(object));
  await refuseDefinitionsOf(kinds, state);
  const plan = planObjects(state, { manifests, old, patchFile: readPatchFile(flags, surroundings) }, { flags, surroundings });
  return { ...plan, warnings: [...warnings, ...(await checkDefinitions(pathsOf(plan.calls), state))] };
}

/** Reads the file of `--patch-file`. */
export function readPatchFile(flags: CallFlags, { cwd }: Pick<Surroundings, 'cwd'>): InputFile | undefined {
  const file = flags['patch-file'];
  return file === undefined ? undefined : { source: file, bytes: readInputFile(file, cwd) };
}

async function readOld(flags: CallFlags, surroundings: Surroundings): Promise<readonly Manifest[]> {
  if (flags.old === undefined) return [];
  if (flags.old === '-' && flags.filename?.includes('-')) throw new CliError('usage', '-f and --old cannot both read stdin');
  return (await readManifests({ flag: '--old', paths: [flags.old], recursive: false }, surroundings)).manifests;
}

function pathsOf(calls: readonly PlannedCall[]): string[] {
  return calls.map(({ call }) => call.path);
}
