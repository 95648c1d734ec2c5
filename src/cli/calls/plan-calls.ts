import { requestInfoOf } from '../../apiserver/endpoints/request-info.js';
import { isAuditEvent } from '../../captures/captured-kind.js';
import { type CallStep, unusableStep } from '../../client/calls/call-step.js';
import { operationOf, type Plan, planObjects } from '../../client/calls/plan.js';
import { rawCalls } from '../../client/calls/raw-calls.js';
import { CliError } from '../../client/cli-error.js';
import type { FileEntries, InputFile, LocatedManifest, Manifest } from '../../client/manifests/manifests.js';
import { entriesIn } from '../../client/manifests/manifests.js';
import type { CallOptions } from '../../client/options/call-options.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { WantedDefinition } from '../../kubernetes/object-source.js';
import { kindOf } from '../../kubernetes/storage.js';
import { withDefinitions } from '../cluster/with-definitions.js';
import { readInputFile } from '../input/files.js';
import { readManifests } from '../input/read-manifests.js';
import { definitionWarnings, isDefinitionAt, refuseDefinitionAt, refuseDefinitionsOf } from '../input/refused-definitions.js';
import { readState } from '../input/state.js';
import type { Surroundings } from '../surroundings.js';
import { eventStep, readCallEntries } from './call-entries.js';
import { capturedStep, isCaptured } from './captured-review.js';

/** Flags of calls, and of captured reviews among the manifests. */
export type PlanningFlags = CallOptions & {
  readonly keepUid?: boolean | undefined;
  /** Without manifests, the embedded webhook gets a built-in pod. */
  readonly demo?: boolean | undefined;
};

/** Reads all files that the flags name, and plans the API calls. Throws CliError; nothing is sent. */
export async function planCalls(flags: PlanningFlags, surroundings: Surroundings): Promise<Plan> {
  operationOf(flags);
  return planCallsIn(await readState(flags, surroundings), flags, surroundings);
}

/**
 * Plans the API calls in a given state instead of that of `--state`, so that plans can share a state. Unusable documents become steps with
 * an error.
 */
export async function planCallsIn(given: ClusterState, flags: PlanningFlags, surroundings: Surroundings): Promise<Plan> {
  operationOf(flags);
  if (flags.call !== undefined) {
    const calls = rawCalls({ source: flags.call, bytes: readInputFile(flags.call, surroundings.cwd) });
    const state = await withDefinitions(given, calls.flatMap(resourceOf));
    const steps = calls.map(call => withCheckedDefinition({ plan: () => ({ call, command: undefined }) }));
    const isNeeded = (definition: ValueMap): boolean => calls.some(({ path }) => isDefinitionAt(path, definition));
    return { steps, state, warnings: await definitionWarnings(state, isNeeded), notes: [] };
  }
  const { entries, warnings } = await entriesOf(flags, surroundings);
  const old = (await readOld(flags, surroundings)).map(({ object }) => object);
  const manifests = entries.filter(
    (entry): entry is LocatedManifest => !(entry instanceof CliError || isCaptured(entry.object) || isAuditEvent(entry.object)),
  );
  const events = entries.flatMap(entry => (entry instanceof CliError || !isAuditEvent(entry.object) ? [] : resourceOfEvent(entry.object)));
  const state = await withDefinitions(given, [...[...manifests.map(({ object }) => object), ...old].map(kindOf), ...events]);
  const plan = planObjects(state, { manifests, old, patchFile: readPatchFile(flags, surroundings) }, { flags, surroundings });
  const ofManifest = new Map(manifests.map((manifest, i) => [manifest, plan.steps[i]] as const));
  const steps = entries.map((entry): CallStep => {
    if (entry instanceof CliError) return unusableStep(entry);
    if (isCaptured(entry.object)) return capturedStep(entry, flags.keepUid === true);
    if (isAuditEvent(entry.object)) return withCheckedDefinition(eventStep(entry));
    const step = ofManifest.get(entry);
    if (step === undefined) throw new Error('a manifest without a step');
    return withDefinitionsOf(entry, step);
  });
  const kinds = new Set(manifests.map(({ object }) => kindOf(object)).map(({ group, kind }) => `${group}/${kind}`));
  const isNeeded = (definition: ValueMap): boolean =>
    kinds.has(`${stringAt(definition, 'spec', 'group')}/${stringAt(definition, 'spec', 'names', 'kind')}`);
  // The definition of a subresource's manifest is unknown.
  const unneeded = flags.subresource === undefined ? await definitionWarnings(plan.state, isNeeded) : [];
  return { ...plan, steps, warnings: [...warnings, ...unneeded] };
}

async function entriesOf(
  { filename, recursive = false, demo, operation }: PlanningFlags,
  surroundings: Surroundings,
): Promise<Pick<FileEntries, 'entries' | 'warnings'>> {
  if (filename !== undefined) return readCallEntries({ flag: '-f', paths: filename, recursive }, surroundings);
  if (demo === true && (operation === undefined || operation === 'create')) return demoEntries();
  throw new CliError('usage', 'no call specified', { suggestions: ['pass a manifest with -f', 'exact HTTP calls with --call'] });
}

function resourceOfEvent(event: ValueMap): WantedDefinition[] {
  return resourceOf({ path: stringAt(event, 'requestURI') });
}

function resourceOf({ path }: Pick<ApiCall, 'path'>): WantedDefinition[] {
  const info = requestInfoOf(path);
  return info.type === 'resource' ? [info] : [];
}

/** Adds a check that the API server accepts the definition of the manifest's kind. */
function withDefinitionsOf({ object }: Manifest, step: CallStep): CallStep {
  const kind = kindOf(object);
  return {
    plan: async state => {
      await refuseDefinitionsOf([kind], state);
      return withCheckedDefinition(step).plan(state);
    },
  };
}

/** Adds the same check for the resource of the call's path. */
function withCheckedDefinition(step: CallStep): CallStep {
  return {
    plan: async state => {
      const planned = await step.plan(state);
      if (!('skipped' in planned)) await refuseDefinitionAt(planned.call.path, state);
      return planned;
    },
  };
}

/** Reads the file of `--patch-file`. */
export function readPatchFile(flags: CallOptions, { cwd }: Pick<Surroundings, 'cwd'>): InputFile | undefined {
  const file = flags.patchFile;
  return file === undefined ? undefined : { source: file, bytes: readInputFile(file, cwd) };
}

async function readOld(flags: CallOptions, surroundings: Surroundings): Promise<readonly Manifest[]> {
  if (flags.old === undefined) return [];
  if (flags.old === '-' && flags.filename?.includes('-')) throw new CliError('usage', '-f and --old cannot both read stdin');
  return (await readManifests({ flag: '--old', paths: [flags.old], recursive: false }, surroundings)).manifests;
}

/** The pod of `--demo` without manifests: the embedded webhook changes it, and refuses it for two reasons. */
const demoPod = `apiVersion: v1
kind: Pod
metadata:
  name: debug
spec:
  automountServiceAccountToken: false
  containers:
  - name: shell
    image: busybox
    securityContext:
      privileged: true
`;

/** Returns the entries of the built-in manifest. */
function demoEntries(): FileEntries {
  return entriesIn({ source: 'pod.yaml', bytes: Buffer.from(demoPod) });
}
