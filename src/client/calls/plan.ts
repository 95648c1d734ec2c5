import { isConnect, resourceNamed, type Served, servedBy } from '../../apiserver/call/served-resources.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource, Subresource } from '../../kubernetes/resource-table.js';
import { type RestMapper, restMapperOf } from '../../kubernetes/rest-mapper.js';
import { kindOf, storageOf } from '../../kubernetes/storage.js';
import { CliError } from '../cli-error.js';
import { asStored, type StoredMetadata } from '../manifests/cluster-state.js';
import type { InputFile, Manifest } from '../manifests/manifests.js';
import { type ClientOperation, operations } from '../operations.js';
import { type ApiCallFlags, callOptions, type InputFlags, inputOptions, type PatchFlags } from '../options/call-options.js';
import type { OptionTable } from '../options/option.js';
import { flagName, optionMemberOf } from '../options/option-names.js';
import type { CallStep } from './call-step.js';
import { connectCall } from './connect-call.js';
import { applyCall, createCall, deleteCall, deleteCollectionCall, patchCall, updateCall } from './manifest-call.js';
import type { PlannedCall, RequestTimeoutFlag } from './planned-call.js';
import { bodyManifest, patchIsInManifest, verbCall } from './subresource-call.js';
import { type Target, targetOfObject } from './target.js';

/** API calls, and the cluster to make them in. */
export interface CallPlan {
  /** In the order of the input. */
  readonly steps: readonly CallStep[];
  readonly state: ClusterState;
  /** Warnings about the input, for stderr. */
  readonly warnings: readonly string[];
  /** Assumptions, for the report. */
  readonly notes: readonly string[];
  /** Do calls create webhook configurations or policies, which later calls meet? */
  readonly createsWebhooks?: boolean | undefined;
}

/** What decides which calls are made for objects: the options of the call, and its other objects. */
export type ObjectCallFlags = ApiCallFlags & Pick<InputFlags, 'old' | 'patchFile'> & RequestTimeoutFlag;

/** Contents of the files that the flags name. */
export interface PlannedObjects {
  /** `--filename` */
  readonly manifests: readonly Manifest[];
  /** `--old` */
  readonly old: readonly ValueMap[];
  /** `--patch-file` */
  readonly patchFile?: InputFile | undefined;
}

/** Returns the calls for objects. The objects become part of the plan, which may change them. Throws CliError; nothing is sent. */
export function planObjects(
  state: ClusterState,
  { manifests, old, patchFile }: PlannedObjects,
  { flags, surroundings }: { readonly flags: ObjectCallFlags; readonly surroundings: StoredMetadata },
): Omit<CallPlan, 'warnings'> {
  const operation = operationOf(flags);
  const stored = asStored(old, { served: servedBy(state), namespace: flags.namespace ?? 'default' }, surroundings);
  // Caches are kept per state object.
  const inCluster = stored.length === 0 ? state : { ...state, objects: [...stored, ...state.objects] };
  const patch = operation === 'patch' && !patchIsInManifest(flags.subresource, flags) ? patchOf(flags, patchFile) : '';
  const now = (): Date => flags.now ?? surroundings.now();
  const steps = manifests.map(
    (manifest): CallStep => ({
      plan: current => {
        const currentlyServed = servedBy(current);
        const context = { flags, state: current, served: currentlyServed, mapper: mapperOf(currentlyServed), patch, now };
        return planManifest(manifest, operation, context);
      },
    }),
  );
  return { steps, state: inCluster, notes: [] };
}

/** Builds the mapper of a set of resources once for all plans. */
const mapperOf: (served: Served) => RestMapper = memoize(restMapperOf);

const options: OptionTable = { ...inputOptions, ...callOptions };

/** Options that belong to some operations. */
const limitedOptions = Object.entries(options).flatMap(([name, option]) =>
  option.operations === undefined
    ? []
    : [{ name, member: optionMemberOf(name, option) as keyof ObjectCallFlags, fitting: option.operations }],
);

/** Returns the operation. Throws CliError for flags that belong to other operations. */
export function operationOf(flags: ObjectCallFlags): ClientOperation {
  const operation = flags.operation ?? 'create';
  for (const { name, member, fitting } of limitedOptions) {
    if (flags[member] === undefined || fitting.includes(operation)) continue;
    throw new CliError('usage', `--${flagName(name)} can only be used with --operation ${fitting.join(' or ')}`);
  }
  if (operation !== 'connect' && (flags.words ?? []).length > 0) {
    throw new CliError('usage', `unexpected argument ${JSON.stringify(flags.words?.[0])} after --`, {
      suggestions: ['pass --operation connect', 'omit it'],
    });
  }
  if (operation === 'create' && flags.old !== undefined && flags.subresource === undefined) {
    throw new CliError('usage', '--old cannot be used with --operation create', {
      suggestions: ['pass --operation update', 'pass existing objects with --state'],
    });
  }
  return operation;
}

/** Returns the flags without those that belong to other operations. */
export function flagsFor<Flags extends ObjectCallFlags>(operation: ClientOperation, flags: Flags): Flags {
  const foreign = new Set<string>(limitedOptions.flatMap(({ member, fitting }) => (fitting.includes(operation) ? [] : [member])));
  const kept = Object.fromEntries(Object.entries(flags).filter(([member]) => !foreign.has(member))) as Flags;
  return { ...kept, operation, words: operation === 'connect' ? flags.words : undefined };
}

/** Returns the patch of `--patch` or `--patch-file`: JSON as it is, YAML as JSON. */
function patchOf({ patch }: PatchFlags, patchFile: InputFile | undefined): string {
  if ((patch === undefined) === (patchFile === undefined)) {
    throw new CliError('usage', 'missing patch', { suggestions: ['pass either --patch or --patch-file'] });
  }
  const text = patchFile === undefined ? (patch ?? '') : Buffer.from(patchFile.bytes).toString('utf8');
  if (text.trimStart().startsWith('{')) return text;
  try {
    return yamlToJson(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new CliError('invalid-syntax', `invalid patch: ${error.message}`, {
      location: patchFile === undefined ? undefined : { file: patchFile.source },
      cause: error,
    });
  }
}

interface PlanContext {
  readonly flags: ObjectCallFlags;
  readonly state: ClusterState;
  readonly served: Served;
  readonly mapper: RestMapper;
  /** With `--operation patch`. */
  readonly patch: string;
  readonly now: () => Date;
}

function planManifest(manifest: Manifest, operation: ClientOperation, context: PlanContext): PlannedCall {
  const { flags, state, served, mapper, patch, now } = context;
  const target = targetOfObject(manifest, {
    server: state.server,
    served,
    mapper,
    subresource: flags.subresource,
    namespace: flags.namespace,
    parentKind: (namespace, name) => kindNamed(state, namespace, name),
  });
  const resource = resourceNamed(served, target);
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
  } satisfies Record<ClientOperation, () => PlannedCall>;
  const planned = ofVerb ?? calls[operation]();
  const missing = missingNotes(target, operation, state);
  return missing.length === 0 ? planned : { ...planned, notes: [...(planned.notes ?? []), ...missing] };
}

function storedAt({ parentKind, namespace, name }: Target, state: ClusterState): ValueMap | undefined {
  return storageOf(state).find(parentKind, namespace, name);
}

function kindNamed({ objects, written }: ClusterState, namespace: string, name: string): GroupVersionKind | undefined {
  const found = [...(written?.objects() ?? []), ...objects].find(object => {
    const own = stringAt(object, 'metadata', 'namespace');
    return stringAt(object, 'metadata', 'name') === name && (own === namespace || own === '');
  });
  return found === undefined ? undefined : kindOf(found);
}

/** Returns notes about objects that a call needs and the state lacks. */
function missingNotes(target: Target, operation: ClientOperation, state: ClusterState): string[] {
  if (operation === 'deletecollection') {
    const isEmpty = storageOf(state).list(target.parentKind, target.namespace).length === 0;
    return isEmpty ? ['no object of the collection is stored: pass existing objects with --state'] : [];
  }
  const isNeeded = target.subresource !== '' || (operation !== 'create' && operation !== 'apply');
  const isMissing = isNeeded && storedAt(target, state) === undefined;
  return isMissing ? ['the object is not stored: pass it with --old, or pass existing objects with --state'] : [];
}

/** Returns the subresource of a call; undefined for the object itself. Throws CliError when resource, subresource and operation do not match. */
function fittingSubresource(resource: Resource, name: string | undefined, operation: ClientOperation): Subresource | undefined {
  if (name === undefined) {
    if (operation !== 'connect') return undefined;
    throw new CliError('usage', '--operation connect needs a subresource to connect to', {
      suggestions: streams(resource).map(stream => `pass --subresource ${stream}`),
    });
  }
  const subresource = resource.subresources.find(candidate => candidate.name === name);
  if (subresource === undefined) throw unknownSubresource(resource, name);
  const possible = operationsOn(subresource);
  if (possible.includes(operation)) return subresource;
  throw new CliError('usage', `--operation ${operation} cannot be used with ${resource.resource}/${name}`, {
    suggestions: possible.length === 0 ? ['omit it: read requests do not reach webhooks'] : [`pass --operation ${possible.join(' or ')}`],
  });
}

function streams({ subresources }: Resource): string[] {
  return subresources.filter(isConnect).map(({ name }) => name);
}

function unknownSubresource({ resource, subresources }: Resource, name: string): CliError {
  const known = subresources.map(subresource => subresource.name);
  return new CliError('usage', `${resource} have no subresource ${JSON.stringify(name)}`, {
    suggestions: [known.length === 0 ? 'omit --subresource' : `use one of ${known.join(', ')}`],
  });
}

/** Verbs of the API server, by operation; no subresource has deletecollection. */
const verbs: Readonly<Partial<Record<ClientOperation, string>>> = {
  create: 'create',
  update: 'update',
  patch: 'patch',
  apply: 'patch',
  delete: 'delete',
};

/** Returns the operations that a subresource serves: streams serve CONNECT only. */
function operationsOn(subresource: Subresource): ClientOperation[] {
  if (isConnect(subresource)) return ['connect'];
  return operations.filter(operation => subresource.verbs.includes(verbs[operation] ?? 'none'));
}
