import { writeValue } from '../../encoding/go-json.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import { copyOf, ensureMap, stringAt, toValue, type ValueMap } from '../../kubernetes/value.js';
import type { ClientCommand } from '../../reports/kubectl-lines.js';
import { CliError } from '../cli-error.js';
import type { CallFlags } from '../flags/call-flags.js';
import type { Manifest } from '../input/manifests.js';
import type { Target } from './target.js';
import { userOf } from './user.js';

/** A call and the command of kubectl that makes it. */
export interface PlannedCall {
  readonly call: ApiCall;
  readonly command: ClientCommand | undefined;
}

/** What kubectl of the reproduced version calls itself. */
const userAgent = 'kubectl/v1.36.3 (linux/amd64) kubernetes/0000000';

/** `kubectl create -f`: a POST of the manifest. Source: cli-runtime resource/helper.go. */
export function createCall(manifest: Manifest, target: Target, flags: CallFlags): PlannedCall {
  const path = target.subresource === '' ? collectionPath(target) : objectPath(target, manifest);
  const call = {
    method: 'POST',
    path: path + writeQuery('kubectl-create', flags),
    contentType: 'application/json',
    body: bodyOf(manifest.object),
  };
  return { call: { ...call, ...clientOf(flags) }, command: commandOf('create', manifest, { target, flags }) };
}

/** `kubectl replace -f`: a PUT of the manifest, with the stored object's version when it names none itself. */
export function updateCall(
  manifest: Manifest,
  target: Target,
  { flags, stored }: { readonly flags: CallFlags; readonly stored: ValueMap | undefined },
): PlannedCall {
  const path = objectPath(target, manifest) + writeQuery('kubectl-replace', flags);
  const call = { method: 'PUT', path, contentType: 'application/json', body: bodyOf(versioned(manifest.object, stored)) };
  return { call: { ...call, ...clientOf(flags) }, command: commandOf('replace', manifest, { target, flags }) };
}

/** `kubectl delete -f`: a DELETE with options. Source: kubectl cmd/delete/delete.go. */
export function deleteCall(manifest: Manifest, target: Target, flags: CallFlags): PlannedCall {
  const grace = flags['grace-period'] ?? -1;
  const options = {
    // Without --force kubectl turns 0 into 1, so that nobody deletes at once by accident.
    gracePeriodSeconds: grace === 0 && flags.force !== true ? 1 : grace < 0 ? undefined : grace,
    propagationPolicy: propagationPolicies[flags.cascade ?? 'background'],
    dryRun: flags['dry-run'] === 'server' ? ['All'] : undefined,
  };
  const path = objectPath(target, manifest) + queryOf({ timeout: requestTimeout(flags) });
  const call = { method: 'DELETE', path, contentType: 'application/json', body: encoded(writeValue(toValue(options), 'kept')) };
  return { call: { ...call, ...clientOf(flags) }, command: commandOf('delete', manifest, { target, flags }) };
}

/** `kubectl patch -f`: a PATCH with the patch as it is given, YAML turned into JSON. Source: kubectl cmd/patch/patch.go. */
export function patchCall(
  manifest: Manifest,
  target: Target,
  { flags, patch }: { readonly flags: CallFlags; readonly patch: string },
): PlannedCall {
  const query = queryOf({
    dryRun: dryRunOf(flags),
    fieldManager: flags['field-manager'] ?? 'kubectl-patch',
    timeout: requestTimeout(flags),
  });
  const contentType = patchTypes[flags.type ?? 'strategic'] ?? '';
  const call = { method: 'PATCH', path: objectPath(target, manifest) + query, contentType, body: Buffer.from(patch) };
  return { call: { ...call, ...clientOf(flags) }, command: commandOf('patch', manifest, { target, flags }) };
}

const patchTypes: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** `kubectl apply --server-side -f`: a PATCH with the manifest. Source: kubectl cmd/apply/apply.go. */
export function applyCall(manifest: Manifest, target: Target, flags: CallFlags): PlannedCall {
  const { object, location } = manifest;
  if (target.name === '' && stringAt(object, 'metadata', 'generateName') !== '') {
    throw new CliError('invalid-manifest', `from ${stringAt(object, 'metadata', 'generateName')}: cannot use generate name with apply`, {
      location,
    });
  }
  const query = writeQuery('kubectl', flags, { force: String(flags['force-conflicts'] ?? false) });
  const call = {
    method: 'PATCH',
    path: objectPath(target, manifest) + query,
    contentType: 'application/apply-patch+yaml',
    body: bodyOf(object),
  };
  return { call: { ...call, ...clientOf(flags) }, command: commandOf('apply', manifest, { target, flags }) };
}

const propagationPolicies: Readonly<Record<string, string>> = { background: 'Background', orphan: 'Orphan', foreground: 'Foreground' };

function clientOf(flags: CallFlags): Pick<ApiCall, 'userAgent' | 'user'> {
  return { userAgent, user: userOf(flags) };
}

function commandOf(
  verb: ClientCommand['verb'],
  { source }: Manifest,
  { target, flags }: { readonly target: Target; readonly flags: CallFlags },
): ClientCommand {
  const { kind, name, namespace } = target;
  const force = flags.force === true && flags['grace-period'] === 0;
  return { verb, source, kind, name, namespace, dryRun: flags['dry-run'] === 'server', force };
}

function bodyOf(object: ValueMap): Uint8Array {
  return encoded(writeValue(object, 'sorted'));
}

function encoded(json: string): Uint8Array {
  return Buffer.from(`${json}\n`);
}

function versioned(object: ValueMap, stored: ValueMap | undefined): ValueMap {
  const version = stringAt(stored, 'metadata', 'resourceVersion');
  if (version === '' || stringAt(object, 'metadata', 'resourceVersion') !== '') return object;
  const copy = copyOf(object);
  ensureMap(copy, 'metadata').set('resourceVersion', version);
  return copy;
}

function collectionPath({ group, version, resource, namespace }: Target): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespace === '' ? '' : `/namespaces/${segment('namespace', namespace)}`}/${resource}`;
}

function objectPath(target: Target, { location }: Manifest): string {
  if (target.name === '') {
    throw new CliError('invalid-manifest', 'resource name may not be empty', {
      location,
      suggestions: ['give the object a metadata.name'],
    });
  }
  return `${collectionPath(target)}/${segment('resource name', target.name)}${target.subresource === '' ? '' : `/${target.subresource}`}`;
}

/** A part of a path, refused as the client library refuses it. Source: client-go rest/request.go, apimachinery api/validation/path. */
function segment(what: string, text: string): string {
  const problems =
    text === '.' || text === '..' ? [`may not be '${text}'`] : ['/', '%'].filter(c => text.includes(c)).map(c => `may not contain '${c}'`);
  if (problems.length > 0) throw new CliError('invalid-manifest', `invalid ${what} ${JSON.stringify(text)}: [${problems.join(' ')}]`);
  return encodeURIComponent(text).replace(/%(3A|40|24|26|2B|2C|3B|3D)/g, code => decodeURIComponent(code));
}

const fieldValidations: Readonly<Record<string, string>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
};

function writeQuery(fieldManager: string, flags: CallFlags, more: { readonly force?: string } = {}): string {
  return queryOf({
    dryRun: dryRunOf(flags),
    fieldManager: flags['field-manager'] ?? fieldManager,
    fieldValidation: fieldValidations[flags.validate ?? 'strict'],
    force: more.force,
    timeout: requestTimeout(flags),
  });
}

function dryRunOf(flags: CallFlags): string | undefined {
  return flags['dry-run'] === 'server' ? 'All' : undefined;
}

function requestTimeout(flags: CallFlags & { readonly 'request-timeout'?: number | undefined }): string | undefined {
  const ms = flags['request-timeout'];
  return ms === undefined ? undefined : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** Parameters in the order of their names, as Go encodes them. */
function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${queryValue(value)}`]));
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

function queryValue(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
