import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { copyOf, ensureMap, isMap, listAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { CliError } from '../cli-error.js';
import type { Manifest } from '../manifests/manifests.js';
import type { ClientOperation } from '../operations.js';
import type { InputFlags, PatchFlags, WriteFlags } from '../options/call-options.js';
import { objectPath, queryOfCall } from './call-path.js';
import {
  bodyOfPlanned,
  type ClientFlags,
  clientOf,
  commandOf,
  type DryRunFlag,
  dryRunOfPlanned,
  encoded,
  namespaceWords,
  type PlannedCall,
  type RequestTimeoutFlag,
  requestTimeout,
} from './planned-call.js';
import type { Target } from './target.js';

/** A patch of the user's own, instead of one made of the manifest. */
type OwnPatch = Pick<PatchFlags, 'patch'> & Pick<InputFlags, 'patchFile'>;

export interface SubresourceOptions {
  readonly operation: ClientOperation;
  readonly flags: OwnPatch & WriteFlags & ClientFlags & RequestTimeoutFlag;
  /** Kind of the subresource's body. */
  readonly bodyKind: GroupVersionKind;
  /** The stored object. */
  readonly stored: ValueMap | undefined;
  readonly now: () => Date;
}

type Maker = (manifest: Manifest, target: Target, options: SubresourceOptions) => PlannedCall;

/**
 * Makes the call of a client's own verb for a subresource, when the manifest is the object of the subresource: `kubectl scale`,
 * `debug`, `drain`, `create token`, `certificate approve`, and the scheduler's binding. Undefined when the manifest is the body, or
 * a patch is given. Throws CliError for a manifest without the necessary fields.
 */
export function verbCall(manifest: Manifest, target: Target, options: SubresourceOptions): PlannedCall | undefined {
  const { operation, flags } = options;
  if (flags.patch !== undefined || flags.patchFile !== undefined) return undefined;
  const maker = ownMember(makers, `${operation} ${target.subresource}`);
  return maker === undefined || (target.subresource !== 'scale' && isOwnBody(manifest, target, options))
    ? undefined
    : maker(manifest, target, options);
}

/** Reports whether the patch is derived from the manifest. */
export function patchIsInManifest(subresource: string | undefined, flags: OwnPatch): boolean {
  return flags.patch === undefined && flags.patchFile === undefined && `patch ${subresource}` in makers;
}

/** Returns the body of the subresource: for update and apply of scale, a Scale made of the object; otherwise the manifest. */
export function bodyManifest(
  manifest: Manifest,
  target: Target,
  { operation, bodyKind }: Pick<SubresourceOptions, 'operation' | 'bodyKind'>,
): Manifest {
  const isChange = operation === 'update' || operation === 'apply';
  if (!isChange || target.subresource !== 'scale' || target.kind.kind === bodyKind.kind) return manifest;
  const spec = { replicas: replicasOf(manifest) };
  const object = mapOf({ apiVersion: apiVersionOf(bodyKind), kind: bodyKind.kind, metadata: metadataOf(target), spec });
  return { ...manifest, object };
}

const makers: Readonly<Record<string, Maker>> = {
  'patch scale': scale,
  'patch ephemeralcontainers': debug,
  'create eviction': evict,
  'create binding': bind,
  'create token': createToken,
  'update approval': approve,
};

/**
 * Reports whether the manifest is the body itself. An approval has the object's own kind: the manifest is the body when it has conditions.
 */
function isOwnBody({ object }: Manifest, { kind, subresource }: Target, { bodyKind }: SubresourceOptions): boolean {
  if (subresource === 'ephemeralcontainers') return false;
  if (subresource === 'approval') return listAt(object, 'status', 'conditions').length > 0;
  return kind.kind === bodyKind.kind;
}

/** Source: kubectl pkg/scale/scale.go ScaleSimple. */
function scale(manifest: Manifest, target: Target, { flags }: SubresourceOptions): PlannedCall {
  const replicas = replicasOf(manifest);
  const query = queryOfCall({ dryRun: dryRunOfPlanned(flags), fieldManager: flags.fieldManager, timeout: requestTimeout(flags) });
  const words = ['scale', `${target.resource}/${target.name}`, ...namespaceWords(target), `--replicas=${replicas}`, ...dryRunWords(flags)];
  return {
    call: {
      method: 'PATCH',
      path: objectPath(target, manifest) + query,
      contentType: 'application/merge-patch+json',
      body: Buffer.from(writeValue(mapOf({ spec: { replicas } }), 'kept')),
      ...clientOf(target.server, flags),
    },
    command: { ...commandOf('scale', manifest, { target, flags }), kind: target.parentKind, words },
  };
}

function replicasOf({ object, location }: Manifest): Value {
  const replicas = valueAt(object, 'spec', 'replicas');
  if (replicas !== undefined) return replicas;
  throw new CliError('invalid-manifest', 'missing spec.replicas', {
    location,
    suggestions: ['add spec.replicas', 'pass a patch with --patch'],
  });
}

/** The containers that the stored pod does not have yet. Source: kubectl cmd/debug/debug.go debugByEphemeralContainer. */
function debug(manifest: Manifest, target: Target, { flags, stored }: SubresourceOptions): PlannedCall {
  const old = listAt(stored, 'spec', 'ephemeralContainers');
  const names = new Set(old.map(container => stringAt(container, 'name')));
  const added = listAt(manifest.object, 'spec', 'ephemeralContainers').filter(container => !names.has(stringAt(container, 'name')));
  const [first] = added;
  if (first === undefined) {
    throw new CliError('invalid-manifest', 'no new ephemeral container in the manifest', {
      location: manifest.location,
      suggestions: ['add it to spec.ephemeralContainers', 'pass a patch with --patch'],
    });
  }
  // For an existing list, the patch has the new order, too. Source: apimachinery strategicpatch/patch.go diffLists.
  const order =
    old.length === 0 ? {} : { '$setElementOrder/ephemeralContainers': [...old, ...added].map(c => ({ name: stringAt(c, 'name') })) };
  const spec = mapOf(order);
  spec.set('ephemeralContainers', [...added]);
  const container = stringAt(first, 'targetContainerName');
  const words = ['debug', target.name, ...namespaceWords(target), `--image=${stringAt(first, 'image')}`, '-c', stringAt(first, 'name')];
  const targeting = `Targeting container ${JSON.stringify(container)}. If you don't see processes from this container it may be because the container runtime doesn't support this feature.`;
  return {
    call: {
      method: 'PATCH',
      path:
        objectPath(target, manifest) +
        queryOfCall({ dryRun: dryRunOfPlanned(flags), fieldManager: flags.fieldManager, timeout: requestTimeout(flags) }),
      contentType: 'application/strategic-merge-patch+json',
      body: Buffer.from(writeValue(new Map<string, Value>([['spec', spec]]), 'kept')),
      ...clientOf(target.server, flags),
    },
    command: {
      ...commandOf('debug', manifest, { target, flags }),
      words: [...words, ...(container === '' ? [] : [`--target=${container}`])],
      before: container === '' ? [] : [targeting],
    },
  };
}

/** Source: kubectl pkg/drain/drain.go EvictPod; dry runs are in the delete options there. */
function evict(manifest: Manifest, target: Target, options: SubresourceOptions): PlannedCall {
  const { flags, stored } = options;
  const deleteOptions = flags.dryRun === 'server' ? { dryRun: ['All'] } : {};
  const made = post(manifest, target, options, { metadata: metadataOf(target), deleteOptions });
  const node = stringAt(stored ?? manifest.object, 'spec', 'nodeName') || 'NODE';
  return {
    call: { ...made.call, path: objectPath(target, manifest) },
    command: {
      ...commandOf('drain', manifest, { target, flags }),
      words: ['drain', node, '--ignore-daemonsets', ...dryRunWords(flags)],
      before: [`evicting pod ${target.namespace}/${target.name}${flags.dryRun === 'server' ? ' (server dry run)' : ''}`],
    },
  };
}

/** Makes the scheduler's call for a chosen node. Source: kubernetes pkg/scheduler/framework/plugins/defaultbinder. */
function bind(manifest: Manifest, target: Target, options: SubresourceOptions): PlannedCall {
  const node = stringAt(manifest.object, 'spec', 'nodeName');
  if (node === '') {
    throw new CliError('invalid-manifest', 'missing spec.nodeName', {
      location: manifest.location,
      suggestions: ['add spec.nodeName', 'pass a Binding with -f'],
    });
  }
  const made = post(manifest, target, options, { metadata: metadataOf(target), target: { kind: 'Node', name: node } });
  const words = ['create', '--raw', objectPath(target, manifest), '-f', '-'];
  return { ...made, command: { ...commandOf('raw', manifest, { target, flags: options.flags }), words } };
}

/** Source: kubectl cmd/create/create_token.go. */
function createToken(manifest: Manifest, target: Target, options: SubresourceOptions): PlannedCall {
  const made = post(manifest, target, options, {
    metadata: {},
    spec: { audiences: null, expirationSeconds: null, boundObjectRef: null },
    status: { token: '', expirationTimestamp: null },
  });
  const words = ['create', 'token', target.name, ...namespaceWords(target)];
  return { ...made, command: { ...commandOf('create token', manifest, { target, flags: options.flags }), words } };
}

function post(manifest: Manifest, target: Target, { flags, bodyKind }: SubresourceOptions, members: object): PlannedCall {
  const query = queryOfCall({ dryRun: dryRunOfPlanned(flags), fieldManager: flags.fieldManager, timeout: requestTimeout(flags) });
  const body = mapOf({ kind: bodyKind.kind, apiVersion: apiVersionOf(bodyKind), ...members });
  const call = {
    method: 'POST',
    path: objectPath(target, manifest) + query,
    contentType: 'application/json',
    body: encoded(writeValue(body, 'kept')),
  };
  return { call: { ...call, ...clientOf(target.server, flags) }, command: undefined };
}

/** Source: kubectl cmd/certificates/certificates.go. */
function approve(manifest: Manifest, target: Target, { flags, stored, now }: SubresourceOptions): PlannedCall {
  const request = copyOf(stored ?? manifest.object);
  const status = ensureMap(request, 'status');
  const decision = {
    type: 'Approved',
    status: 'True',
    reason: 'KubectlApprove',
    message: 'This CSR was approved by kubectl certificate approve.',
    lastUpdateTime: `${now().toISOString().slice(0, 19)}Z`,
    lastTransitionTime: null,
  };
  status.set('conditions', [...listAt(status, 'conditions'), mapOf(decision)]);
  const query = queryOfCall({ dryRun: dryRunOfPlanned(flags), fieldManager: flags.fieldManager, timeout: requestTimeout(flags) });
  const call = { method: 'PUT', path: objectPath(target, manifest) + query, contentType: 'application/json', body: bodyOfPlanned(request) };
  return {
    call: { ...call, ...clientOf(target.server, flags) },
    command: { ...commandOf('certificate approve', manifest, { target, flags }), words: ['certificate', 'approve', target.name] },
  };
}

function metadataOf({ name, namespace }: Target): object {
  return { name, namespace };
}

function dryRunWords(flags: DryRunFlag): readonly string[] {
  return flags.dryRun === 'server' ? ['--dry-run=server'] : [];
}

function mapOf(members: object): ValueMap {
  const value = toValue(members);
  if (!isMap(value)) throw new Error('an object becomes a map');
  return value;
}
