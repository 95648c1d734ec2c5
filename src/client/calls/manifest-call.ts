import { writeValue } from '../../go/json/write.js';
import { copyOf, ensureMap, stringAt, toValue, type ValueMap } from '../../go/value.js';
import { CliError } from '../cli-error.js';
import type { Manifest } from '../manifests/manifests.js';
import type { ApplyFlags, DeletionFlags, PatchFlags, WriteFlags } from '../options/call-options.js';
import { collectionPath, objectPath, queryOfCall } from './call-path.js';
import {
  bodyOfPlanned,
  type ClientFlags,
  clientOf,
  commandOf,
  type DryRunFlag,
  dryRunOfPlanned,
  encoded,
  type PlannedCall,
  type RequestTimeoutFlag,
  requestTimeout,
} from './planned-call.js';
import type { Target } from './target.js';

/** Of every call that writes an object. */
type WriteCallFlags = WriteFlags & ClientFlags & RequestTimeoutFlag;

type DeleteCallFlags = DeletionFlags & DryRunFlag & ClientFlags & RequestTimeoutFlag;

/** Makes the call of `kubectl create -f`: a POST of the manifest. Source: cli-runtime resource/helper.go. */
export function createCall(manifest: Manifest, target: Target, flags: WriteCallFlags): PlannedCall {
  const path = target.subresource === '' ? collectionPath(target) : objectPath(target, manifest);
  const call = {
    method: 'POST',
    path: path + writeQuery('kubectl-create', flags),
    contentType: 'application/json',
    body: bodyOfPlanned(savedConfig(manifest.object, flags)),
  };
  return { call: { ...call, ...clientOf(target.server, flags) }, command: commandOf('create', manifest, { target, flags }) };
}

/** Makes the call of `kubectl replace -f`: a PUT of the manifest, by default with the stored resourceVersion. */
export function updateCall(
  manifest: Manifest,
  target: Target,
  { flags, stored }: { readonly flags: WriteCallFlags; readonly stored: ValueMap | undefined },
): PlannedCall {
  const path = objectPath(target, manifest) + writeQuery('kubectl-replace', flags);
  const call = {
    method: 'PUT',
    path,
    contentType: 'application/json',
    body: bodyOfPlanned(versioned(savedConfig(manifest.object, flags), stored)),
  };
  return { call: { ...call, ...clientOf(target.server, flags) }, command: commandOf('replace', manifest, { target, flags }) };
}

/** Makes the call of `kubectl delete -f`: a DELETE with options. Source: kubectl cmd/delete/delete.go. */
export function deleteCall(manifest: Manifest, target: Target, flags: DeleteCallFlags): PlannedCall {
  const path = objectPath(target, manifest) + queryOfCall({ timeout: requestTimeout(flags) });
  const call = { method: 'DELETE', path, contentType: 'application/json', body: deleteOptions(flags) };
  return { call: { ...call, ...clientOf(target.server, flags) }, command: commandOf('delete', manifest, { target, flags }) };
}

/**
 * Makes a DELETE of all objects of the manifest's kind in its namespace, with the options of `kubectl delete`. kubectl itself
 * deletes objects one by one; controllers and `kubectl delete --raw` make this call.
 */
export function deleteCollectionCall(manifest: Manifest, target: Target, flags: DeleteCallFlags): PlannedCall {
  const path = collectionPath(target);
  const call = {
    method: 'DELETE',
    path: path + queryOfCall({ timeout: requestTimeout(flags) }),
    contentType: 'application/json',
    body: deleteOptions(flags),
  };
  const command = { ...commandOf('raw', manifest, { target, flags }), name: '', words: ['delete', '--raw', path] };
  return { call: { ...call, ...clientOf(target.server, flags) }, command };
}

function deleteOptions(flags: DeletionFlags & DryRunFlag): Uint8Array {
  const grace = flags.gracePeriodSeconds ?? -1;
  const options = {
    // Without --force, kubectl turns 0 into 1.
    gracePeriodSeconds: grace === 0 && flags.force !== true ? 1 : grace < 0 ? undefined : grace,
    propagationPolicy: propagationPolicies[flags.cascade ?? 'background'],
    dryRun: flags.dryRun === 'server' ? ['All'] : undefined,
  };
  return encoded(writeValue(toValue(options), 'kept'));
}

/** Makes the call of `kubectl patch -f`: a PATCH with the patch as JSON. Source: kubectl cmd/patch/patch.go. */
export function patchCall(
  manifest: Manifest,
  target: Target,
  { flags, patch }: { readonly flags: PatchFlags & WriteCallFlags; readonly patch: string },
): PlannedCall {
  const query = queryOfCall({
    dryRun: dryRunOfPlanned(flags),
    fieldManager: flags.fieldManager ?? 'kubectl-patch',
    timeout: requestTimeout(flags),
  });
  const contentType = patchTypes[flags.type ?? 'strategic'] ?? '';
  const call = { method: 'PATCH', path: objectPath(target, manifest) + query, contentType, body: Buffer.from(patch) };
  return { call: { ...call, ...clientOf(target.server, flags) }, command: commandOf('patch', manifest, { target, flags }) };
}

const patchTypes: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** Makes the call of `kubectl apply --server-side -f`: a PATCH with the manifest. Source: kubectl cmd/apply/apply.go. */
export function applyCall(manifest: Manifest, target: Target, flags: ApplyFlags & WriteCallFlags): PlannedCall {
  const { object, location } = manifest;
  if (target.name === '' && stringAt(object, 'metadata', 'generateName') !== '') {
    throw new CliError('invalid-manifest', `from ${stringAt(object, 'metadata', 'generateName')}: cannot use generate name with apply`, {
      location,
    });
  }
  const query = writeQuery('kubectl', flags, { force: String(flags.forceConflicts ?? false) });
  const call = {
    method: 'PATCH',
    path: objectPath(target, manifest) + query,
    contentType: 'application/apply-patch+yaml',
    body: bodyOfPlanned(object),
  };
  return { call: { ...call, ...clientOf(target.server, flags) }, command: commandOf('apply', manifest, { target, flags }) };
}

const propagationPolicies: Readonly<Record<string, string>> = { background: 'Background', orphan: 'Orphan', foreground: 'Foreground' };

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the object with the annotation that contains it, if the user wants it or the manifest has one. Source: kubectl util/apply.go CreateOrUpdateAnnotation. */
function savedConfig(object: ValueMap, { saveConfig = false }: WriteFlags): ValueMap {
  if (!saveConfig && stringAt(object, 'metadata', 'annotations', lastApplied) === '') return object;
  const copy = copyOf(object);
  const annotations = ensureMap(ensureMap(copy, 'metadata'), 'annotations');
  annotations.delete(lastApplied);
  annotations.set(lastApplied, `${writeValue(copy, 'sorted')}\n`);
  return copy;
}

function versioned(object: ValueMap, stored: ValueMap | undefined): ValueMap {
  const version = stringAt(stored, 'metadata', 'resourceVersion');
  if (version === '' || stringAt(object, 'metadata', 'resourceVersion') !== '') return object;
  const copy = copyOf(object);
  ensureMap(copy, 'metadata').set('resourceVersion', version);
  return copy;
}

const fieldValidations: Readonly<Record<string, string>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
};

function writeQuery(fieldManager: string, flags: WriteFlags & RequestTimeoutFlag, more: { readonly force?: string } = {}): string {
  return queryOfCall({
    dryRun: dryRunOfPlanned(flags),
    fieldManager: flags.fieldManager ?? fieldManager,
    fieldValidation: fieldValidations[flags.validate ?? 'strict'],
    force: more.force,
    timeout: requestTimeout(flags),
  });
}
