import { definitionsOf } from '../../../apiserver/call/definitions.js';
import { requestInfoOf } from '../../../apiserver/call/request-info.js';
import { isAuditEvent } from '../../../captures/captured-kind.js';
import { type CallStep, unusableStep } from '../../../client/calls/call-step.js';
import { type CallPlan, type ObjectCallFlags, operationOf, planObjects } from '../../../client/calls/plan.js';
import { rawCalls } from '../../../client/calls/raw-calls.js';
import { CliError } from '../../../client/cli-error.js';
import type { FileEntries, InputFile, LocatedManifest, Manifest } from '../../../client/manifests/manifests.js';
import { entriesIn } from '../../../client/manifests/manifests.js';
import type { InputFlags, ManifestPaths } from '../../../client/options/call-options.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { WantedDefinition } from '../../../kubernetes/object-source.js';
import { kindOf } from '../../../kubernetes/storage.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readDefinitionsInto } from '../cluster/with-definitions.js';
import { readInputFile } from '../input/files.js';
import { readManifestFiles } from '../input/read-manifests.js';
import { isDefinitionAt, refuseDefinitionAt, refuseDefinitionsOf, warnOfDefinitions } from '../input/refused-definitions.js';
import { type ReadStateFlags, readState } from '../input/state.js';
import { isConfiguration, isPolicyObject } from '../webhooks/configurations.js';
import { eventStep, readCallEntries } from './call-entries.js';
import { capturedStep, isCaptured } from './captured-review.js';

/** What decides which calls are made: of manifests, of exact calls, and of captured reviews among the manifests. */
export type PlanningFlags = ObjectCallFlags &
  Pick<InputFlags, 'filename' | 'recursive' | 'call'> & {
    readonly keepUid?: boolean | undefined;
    /** Without manifests, the embedded webhook gets a built-in pod. */
    readonly demo?: boolean | undefined;
    /** A suite names the manifests: pipes and devices are not read. */
    readonly areFound?: boolean;
  };

/** Reads all files that the flags name, and plans the API calls. Throws CliError; nothing is sent. */
export async function planCalls(flags: PlanningFlags & ReadStateFlags, surroundings: Surroundings): Promise<CallPlan> {
  operationOf(flags);
  return planCallsIn(await readState(flags, surroundings), flags, surroundings);
}

/**
 * Plans the API calls in a given state instead of that of `--state`, so that plans can share a state. Unusable documents become steps with
 * an error.
 */
export async function planCallsIn(given: ClusterState, flags: PlanningFlags, surroundings: Surroundings): Promise<CallPlan> {
  operationOf(flags);
  if (flags.call !== undefined) {
    const calls = rawCalls({ source: flags.call, bytes: readInputFile(flags.call, surroundings.cwd) });
    const state = await readDefinitionsInto(given, calls.flatMap(resourceOf));
    const steps = calls.map(call => withCheckedDefinition({ plan: () => ({ call, command: undefined }) }));
    const isNeeded = (definition: ValueMap): boolean => calls.some(({ path }) => isDefinitionAt(path, definition));
    return { steps, state, warnings: await warnOfDefinitions(state, isNeeded), notes: [] };
  }
  return await planEntries(given, await entriesOf(flags, surroundings), { flags, surroundings });
}

/** Plans the calls of entries that are already read, in a given state. Throws CliError. */
export async function planEntries(
  given: ClusterState,
  { entries, warnings }: Pick<FileEntries, 'entries' | 'warnings'>,
  { flags, surroundings }: { readonly flags: PlanningFlags; readonly surroundings: Surroundings },
): Promise<CallPlan> {
  const old = flags.old === undefined ? [] : (await readOld(flags.old, flags, surroundings)).map(({ object }) => object);
  const manifests = entries.filter(
    (entry): entry is LocatedManifest => !(entry instanceof CliError || isCaptured(entry.object) || isAuditEvent(entry.object)),
  );
  const events = entries.flatMap(entry => (entry instanceof CliError || !isAuditEvent(entry.object) ? [] : resourceOfEvent(entry.object)));
  const kindsOf = (): WantedDefinition[] => [...[...manifests.map(({ object }) => object), ...old].map(kindOf), ...events];
  const state = given.source === undefined ? given : await readDefinitionsInto(given, kindsOf());
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
  // The definition of a subresource's manifest is unknown.
  const hasUnneeded = flags.subresource === undefined && definitionsOf(plan.state).length > 0;
  const unneeded = hasUnneeded ? await warnOfUnneeded(plan.state, manifests) : [];
  return { ...plan, steps, warnings: [...warnings, ...unneeded], createsWebhooks: createsWebhooks(manifests, flags) };
}

function createsWebhooks(manifests: readonly Manifest[], { operation = 'create' }: PlanningFlags): boolean {
  if (operation !== 'create' && operation !== 'apply') return false;
  return manifests.some(({ object }) => isConfiguration(object) || isPolicyObject(object));
}

/** Warnings about definitions that are not those of the manifests. */
function warnOfUnneeded(state: ClusterState, manifests: readonly Manifest[]): Promise<string[]> {
  const kinds = new Set(manifests.map(({ object }) => kindOf(object)).map(({ group, kind }) => `${group}/${kind}`));
  const isNeeded = (definition: ValueMap): boolean =>
    kinds.has(`${stringAt(definition, 'spec', 'group')}/${stringAt(definition, 'spec', 'names', 'kind')}`);
  return warnOfDefinitions(state, isNeeded);
}

function entriesOf(
  { filename, recursive = false, demo, operation, areFound = false }: PlanningFlags,
  surroundings: Surroundings,
): Pick<FileEntries, 'entries' | 'warnings'> | Promise<Pick<FileEntries, 'entries' | 'warnings'>> {
  if (filename !== undefined) return readCallEntries({ flag: '-f', paths: filename, recursive, areFound }, surroundings);
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

/** Adds a check that the API server accepts the definition of the manifest's kind. Without definitions, nothing has to be waited for. */
function withDefinitionsOf({ object }: Manifest, step: CallStep): CallStep {
  const planChecked = async (state: ClusterState): Promise<PlannedStep> => {
    await refuseDefinitionsOf([kindOf(object)], state);
    return planCheckedStep(step, state);
  };
  return { plan: state => (definitionsOf(state).length === 0 ? step.plan(state) : planChecked(state)) };
}

/** Adds the same check for the resource of the call's path. */
function withCheckedDefinition(step: CallStep): CallStep {
  return { plan: state => (definitionsOf(state).length === 0 ? step.plan(state) : planCheckedStep(step, state)) };
}

type PlannedStep = Awaited<ReturnType<CallStep['plan']>>;

async function planCheckedStep(step: CallStep, state: ClusterState): Promise<PlannedStep> {
  const planned = await step.plan(state);
  if (!('skipped' in planned)) await refuseDefinitionAt(planned.call.path, state);
  return planned;
}

/** Reads the file of `--patch-file`. */
export function readPatchFile(
  { patchFile: file }: Pick<InputFlags, 'patchFile'>,
  { cwd }: Pick<Surroundings, 'cwd'>,
): InputFile | undefined {
  return file === undefined ? undefined : { source: file, bytes: readInputFile(file, cwd) };
}

async function readOld(file: string, { filename }: ManifestPaths, surroundings: Surroundings): Promise<readonly Manifest[]> {
  if (file === '-' && filename?.includes('-')) throw new CliError('usage', '-f and --old cannot both read stdin');
  return (await readManifestFiles({ flag: '--old', paths: [file], recursive: false }, surroundings)).manifests;
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
