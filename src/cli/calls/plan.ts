import { type Served, servedBy } from '../../apiserver/endpoints/served-resources.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type RestMapper, restMapperOf } from '../../kubernetes/rest-mapper.js';
import { kindOf, storageOf } from '../../kubernetes/storage.js';
import { CliError } from '../cli-error.js';
import type { CallFlags } from '../flags/call-flags.js';
import { readInputFile } from '../input/files.js';
import { type Manifest, readManifests } from '../input/manifests.js';
import { checkDefinitions, refuseDefinitionsOf } from '../input/refused-definitions.js';
import { asStored, readState } from '../input/state.js';
import type { Surroundings } from '../surroundings.js';
import type { PlannedCall } from './client.js';
import { connectCall } from './connect-call.js';
import { fittingSubresource } from './fitting-operation.js';
import { applyCall, createCall, deleteCall, deleteCollectionCall, patchCall, updateCall } from './manifest-call.js';
import type { Operation } from './operations.js';
import { rawCalls } from './raw-calls.js';
import { bodyManifest, patchIsInManifest, verbCall } from './subresource-call.js';
import { type Target, targetOf } from './target.js';

/** The calls that the flags ask for, and the cluster they are made in. */
export interface Plan {
  readonly calls: readonly PlannedCall[];
  readonly state: ClusterState;
  /** Odd things about the input, for stderr. */
  readonly warnings: readonly string[];
  /** What was presumed, for the report. */
  readonly notes: readonly string[];
}

/** Reads everything the flags name and makes API calls of it. Throws CliError; nothing is sent yet. */
export async function planCalls(flags: CallFlags, surroundings: Surroundings): Promise<Plan> {
  operationOf(flags);
  return planCallsIn(await readState(flags, surroundings), flags, surroundings);
}

/** The same in a state that was read before, `--state` aside: many plans may share one. */
export async function planCallsIn(state: ClusterState, flags: CallFlags, surroundings: Surroundings): Promise<Plan> {
  operationOf(flags);
  if (flags.call !== undefined) {
    const calls = rawCalls(flags.call, surroundings);
    return { calls, state, warnings: await checkDefinitions(pathsOf(calls), state), notes: [] };
  }
  if (flags.filename === undefined) {
    throw new CliError('usage', 'nothing says which call to make', {
      suggestions: ['pass a manifest with -f', 'exact HTTP calls with --call'],
    });
  }
  const recursive = flags.recursive ?? false;
  const { manifests, warnings } = await readManifests({ flag: '-f', paths: flags.filename, recursive }, surroundings);
  const old = (await readOld(flags, surroundings)).map(({ object }) => object);
  const kinds = manifests.map(({ object }) => kindOf(object));
  await refuseDefinitionsOf(kinds, state);
  const plan = planObjects(state, { manifests, old }, { flags, surroundings });
  return { ...plan, warnings: [...warnings, ...(await checkDefinitions(pathsOf(plan.calls), state))] };
}

function pathsOf(calls: readonly PlannedCall[]): string[] {
  return calls.map(({ call }) => call.path);
}

/** What calls are about: what the files of `--filename` and `--old` hold, wherever it comes from. */
export interface PlannedObjects {
  readonly manifests: readonly Manifest[];
  readonly old: readonly ValueMap[];
}

/** The same for objects that were read before, `--filename` and `--old` aside. They become part of the plan, and may be changed by it. */
export function planObjects(
  state: ClusterState,
  { manifests, old }: PlannedObjects,
  { flags, surroundings }: { readonly flags: CallFlags; readonly surroundings: Pick<Surroundings, 'cwd' | 'uid' | 'now'> },
): Omit<Plan, 'warnings'> {
  const operation = operationOf(flags);
  const stored = asStored(old, { served: servedBy(state), namespace: flags.namespace ?? 'default' }, surroundings);
  // The same state stays the same object: what is gathered about it is kept with it.
  const inCluster = stored.length === 0 ? state : { ...state, objects: [...stored, ...state.objects] };
  const patch = operation === 'patch' && !patchIsInManifest(flags.subresource, flags) ? patchOf(flags, surroundings) : '';
  const served = servedBy(inCluster);
  const context = { flags, state: inCluster, served, mapper: mapperOf(served), patch, now: () => flags.now ?? surroundings.now() };
  const planned = manifests.map(manifest => planManifest(manifest, operation, context));
  return {
    calls: planned.map(({ planned: call }) => call),
    state: inCluster,
    notes: missingNotes(planned, operation, inCluster),
  };
}

/** Many plans are made for one set of resources: their mapper is built once. */
const mapperOf: (served: Served) => RestMapper = memoize(restMapperOf);

/** Flags that belong to some operations only. */
const operationsOf: Readonly<Record<string, readonly Operation[]>> = {
  patch: ['patch'],
  'patch-file': ['patch'],
  type: ['patch'],
  'force-conflicts': ['apply'],
  'grace-period': ['delete', 'deletecollection'],
  cascade: ['delete', 'deletecollection'],
  force: ['delete', 'deletecollection'],
  container: ['connect'],
  stdin: ['connect'],
  tty: ['connect'],
};

/** The operation, if the flags fit it. */
function operationOf(flags: CallFlags): Operation {
  const operation = (flags.operation ?? 'create') as Operation;
  for (const [name, value] of Object.entries(flags)) {
    const fitting = operationsOf[name];
    if (value === undefined || fitting === undefined || fitting.includes(operation)) continue;
    throw new CliError('usage', `--${name} goes with --operation ${fitting.join(' and ')} only`);
  }
  if (operation !== 'connect' && (flags.words ?? []).length > 0) {
    throw new CliError('usage', `nothing takes ${JSON.stringify(flags.words?.[0])} behind --`, {
      suggestions: ['pass --operation connect', 'leave it out'],
    });
  }
  if (operation === 'create' && flags.old !== undefined && flags.subresource === undefined) {
    throw new CliError('usage', '--old does not go with --operation create', {
      suggestions: ['pass --operation update', 'what exists with --state'],
    });
  }
  return operation;
}

/** The patch of `--patch` or `--patch-file`: JSON as it stands, YAML as JSON. */
function patchOf(flags: CallFlags, { cwd }: Pick<Surroundings, 'cwd'>): string {
  const file = flags['patch-file'];
  if ((flags.patch === undefined) === (file === undefined)) {
    throw new CliError('usage', 'nothing says what to patch', { suggestions: ['pass either --patch or --patch-file'] });
  }
  const bytes = file === undefined ? Buffer.from(flags.patch ?? '') : readInputFile(file, cwd);
  const text = Buffer.from(bytes).toString('utf8');
  if (text.trimStart().startsWith('{')) return text;
  try {
    return yamlToJson(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new CliError('invalid-syntax', `the patch cannot be read: ${error.message}`, {
      location: file === undefined ? undefined : { file },
      cause: error,
    });
  }
}

async function readOld(flags: CallFlags, surroundings: Surroundings): Promise<readonly Manifest[]> {
  if (flags.old === undefined) return [];
  if (flags.old === '-' && flags.filename?.includes('-')) throw new CliError('usage', '-f and --old cannot both read stdin');
  return (await readManifests({ flag: '--old', paths: [flags.old], recursive: false }, surroundings)).manifests;
}

interface PlanContext {
  readonly flags: CallFlags;
  readonly state: ClusterState;
  readonly served: Served;
  readonly mapper: RestMapper;
  /** With `--operation patch`. */
  readonly patch: string;
  readonly now: () => Date;
}

interface PlannedManifest {
  readonly planned: PlannedCall;
  readonly target: Target;
}

function planManifest(manifest: Manifest, operation: Operation, context: PlanContext): PlannedManifest {
  const { flags, state, served, mapper, patch, now } = context;
  const target = targetOf(manifest, {
    served,
    mapper,
    subresource: flags.subresource,
    namespace: flags.namespace,
    parentKind: (namespace, name) => kindNamed(state, namespace, name),
  });
  const resource = served.resources.find(r => r.group === target.group && r.version === target.version && r.resource === target.resource);
  const subresource = resource === undefined ? undefined : fittingSubresource(resource, flags.subresource, operation);
  const stored = storedAt(target, state);
  const ofVerb =
    subresource === undefined ? undefined : verbCall(manifest, target, { operation, flags, bodyKind: subresource.kind, stored, now });
  const body = subresource === undefined ? manifest : bodyManifest(manifest, target, { operation, bodyKind: subresource.kind });
  const calls = {
    create: () => createCall(body, target, flags),
    update: () => updateCall(body, target, { flags, stored }),
    patch: () => patchCall(manifest, target, { flags, patch }),
    apply: () => applyCall(body, target, flags),
    delete: () => deleteCall(manifest, target, flags),
    deletecollection: () => deleteCollectionCall(manifest, target, flags),
    connect: () => connectCall(manifest, target, { flags, stored }),
  } satisfies Record<Operation, () => PlannedCall>;
  return { planned: ofVerb ?? calls[operation](), target };
}

function storedAt({ parentKind, namespace, name }: Target, state: ClusterState): ValueMap | undefined {
  return storageOf(state).find(parentKind, namespace, name);
}

function kindNamed({ objects }: ClusterState, namespace: string, name: string): GroupVersionKind | undefined {
  const found = objects.find(object => {
    const own = stringAt(object, 'metadata', 'namespace');
    return stringAt(object, 'metadata', 'name') === name && (own === namespace || own === '');
  });
  return found === undefined ? undefined : kindOf(found);
}

/** Objects may be missing that a call is about; creating and applying one is fine without. */
function missingNotes(planned: readonly PlannedManifest[], operation: Operation, state: ClusterState): string[] {
  if (operation === 'deletecollection') {
    const isEmpty = planned.every(({ target }) => !hasAny(target, state));
    return isEmpty ? ['no object of the collection is stored: pass what exists in the cluster with --state'] : [];
  }
  const needed = planned.filter(({ target }) => target.subresource !== '' || (operation !== 'create' && operation !== 'apply'));
  const isMissing = needed.some(({ target }) => storedAt(target, state) === undefined);
  return isMissing ? ['the object is not stored: pass it with --old, or what exists in the cluster with --state'] : [];
}

function hasAny({ parentKind, namespace }: Target, { objects }: ClusterState): boolean {
  return objects.some(object => {
    const { group, kind } = kindOf(object);
    return group === parentKind.group && kind === parentKind.kind && stringAt(object, 'metadata', 'namespace') === namespace;
  });
}
