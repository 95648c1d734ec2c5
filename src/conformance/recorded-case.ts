import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiCall, ClusterState, RequestedUser } from '../kubernetes/api-call.js';
import { featureGatesIn } from '../kubernetes/feature-gates.js';
import { type KubernetesMinor, minorOf } from '../kubernetes/kubernetes-version.js';
import { flagValues, serverOptions } from '../kubernetes/server-options.js';
import type { CaseFile } from './case-file.js';

/** Inputs of a recorded case. */
export interface RecordedCase {
  readonly name: string;
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly replies: readonly RecordedReply[];
  /** The webhook configuration that the call changes, with only its name as metadata. */
  readonly before: ValueMap | undefined;
}

/** Answer of a webhook: its n-th call gets its n-th entry. */
export interface RecordedReply {
  readonly phase: string;
  /** Undefined: matched by phase and webhook alone. */
  readonly configuration: string | undefined;
  readonly webhook: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Returns the inputs of one case; recorded results are ignored. Throws Error for an invalid case. */
export function recordedCase(entry: Value, file: CaseFile, uid: () => string): RecordedCase {
  const call = mapAt(entry, 'call');
  if (call === undefined) throw new Error('missing call');
  const objects = objectsOf(entry, file);
  const flags = flagValues(listAt(entry, 'apiserver', 'flags').map(String));
  return {
    name: stringAt(entry, 'name'),
    call: { ...apiCallOf(call), user: userOf(call) ?? tokenUser(call, { objects, uid }) },
    state: {
      objects,
      presumesNamespaces: false,
      options: serverOptions(flags),
      server: file.servers({ minor: file.minor ?? recordedMinor(entry), featureGates: featureGatesIn(flags) }),
    },
    replies: listAt(entry, 'replies').map(replyOf),
    before: mapAt(entry, 'before'),
  };
}

function recordedMinor(entry: Value): KubernetesMinor | undefined {
  const version = stringAt(entry, 'apiserver', 'version');
  const minor = minorOf(version);
  if (version !== '' && minor === undefined) throw new Error(`the API server of Kubernetes ${version} is not reproduced`);
  return minor;
}

function apiCallOf(call: ValueMap): ApiCall {
  const contentType = call.get('contentType');
  const userAgent = call.get('userAgent');
  const headers = mapAt(call, 'headers');
  return {
    method: stringAt(call, 'method'),
    path: stringAt(call, 'path'),
    contentType: typeof contentType === 'string' ? contentType : undefined,
    userAgent: typeof userAgent === 'string' ? userAgent : undefined,
    headers: Object.fromEntries([...(headers ?? [])].map(([k, v]) => [k, String(v)])),
    body: bodyOf(call),
  };
}

function bodyOf(call: ValueMap): Uint8Array | undefined {
  const body = call.get('body');
  if (typeof body === 'string') return Buffer.from(body);
  const base64 = call.get('bodyBase64');
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64');
  const pattern = mapAt(call, 'bodyPattern');
  if (pattern === undefined) return undefined;
  const count = Number(valueAt(pattern, 'count'));
  return Buffer.from(stringAt(pattern, 'prefix') + stringAt(pattern, 'repeat').repeat(count) + stringAt(pattern, 'suffix'));
}

function userOf(call: ValueMap): RequestedUser | undefined {
  const user = mapAt(call, 'user');
  if (user === undefined) return undefined;
  const uid = user.get('uid');
  const extra = mapAt(user, 'extra');
  return {
    username: stringAt(user, 'username'),
    uid: typeof uid === 'string' ? uid : undefined,
    groups: user.has('groups') ? listAt(user, 'groups').map(String) : undefined,
    extra:
      extra === undefined
        ? undefined
        : Object.fromEntries([...extra].map(([key, values]) => [key, Array.isArray(values) ? values.map(String) : []])),
  };
}

interface TokenContext {
  readonly objects: readonly ValueMap[];
  readonly uid: () => string;
}

/** Returns the user of a service account's token. */
function tokenUser(call: ValueMap, { objects, uid }: TokenContext): RequestedUser | undefined {
  const token = mapAt(call, 'token');
  if (token === undefined) return undefined;
  const [namespace, name] = [stringAt(token, 'namespace'), stringAt(token, 'serviceAccount')];
  const account = objects.find(
    o =>
      stringAt(o, 'kind') === 'ServiceAccount' &&
      stringAt(o, 'metadata', 'namespace') === namespace &&
      stringAt(o, 'metadata', 'name') === name,
  );
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: stringAt(account, 'metadata', 'uid'),
    extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${uid()}`], ...boundTo(token, { namespace, objects }) },
  };
}

/** Returns the extra fields of a token that is bound to a pod or node. */
function boundTo(token: ValueMap, at: { readonly namespace: string; readonly objects: readonly ValueMap[] }): Record<string, string[]> {
  const kind = stringAt(token, 'boundTo', 'kind');
  const name = stringAt(token, 'boundTo', 'name');
  const found = at.objects.find(
    o =>
      stringAt(o, 'kind') === kind &&
      stringAt(o, 'metadata', 'name') === name &&
      ['', at.namespace].includes(stringAt(o, 'metadata', 'namespace')),
  );
  const uid = stringAt(found, 'metadata', 'uid');
  if (kind === 'Pod') {
    const node = stringAt(found, 'spec', 'nodeName');
    const named = { 'authentication.kubernetes.io/pod-name': [name], 'authentication.kubernetes.io/pod-uid': [uid] };
    return node === '' ? named : { 'authentication.kubernetes.io/node-name': [node], ...named };
  }
  return kind === 'Node' ? { 'authentication.kubernetes.io/node-name': [name], 'authentication.kubernetes.io/node-uid': [uid] } : {};
}

/** Returns all objects that exist before the call. */
function objectsOf(entry: Value, { document, definitions }: CaseFile): ValueMap[] {
  const cluster = mapAt(entry, 'cluster');
  const set = configurationSet(cluster, document);
  const listed = [document, cluster].flatMap(from => listAt(from, 'objects'));
  const crds = listAt(cluster, 'crds').map(crd => (typeof crd === 'string' ? definitionNamed(crd, document, definitions) : crd));
  const stored = itemsOf(valueAt(entry, 'stored'));
  const ofParams = definitionsOfParams(listed, definitions);
  return [...stored, ...listed, ...crds, ...ofParams, ...configurations(set, 'mutating'), ...configurations(set, 'validating')].filter(
    isMap,
  );
}

/** Definitions of policies' parameters: they exist although a case lists only those of its objects. */
function definitionsOfParams(objects: readonly Value[], definitions: ValueMap | undefined): Value[] {
  const kinds = new Set(
    objects
      .map(object => mapAt(object, 'spec', 'paramKind'))
      .map(kind => `${stringAt(kind, 'apiVersion').replace(/\/.*$/, '')}/${stringAt(kind, 'kind')}`),
  );
  const known = mapAt(definitions, 'crds') ?? definitions ?? new Map<string, Value>();
  return [...known.values()].filter(d => kinds.has(`${stringAt(d, 'spec', 'group')}/${stringAt(d, 'spec', 'names', 'kind')}`));
}

/** Returns the objects of a collection, with kind and apiVersion of the list, or the one object. */
function itemsOf(stored: Value | undefined): (Value | undefined)[] {
  const kind = stringAt(stored, 'kind');
  if (!kind.endsWith('List') || !isMap(stored) || !stored.has('items')) return [stored];
  const identity: [string, Value][] = [
    ['kind', kind.slice(0, -'List'.length)],
    ['apiVersion', stringAt(stored, 'apiVersion')],
  ];
  return listAt(stored, 'items').map(item => (isMap(item) ? new Map([...identity, ...item]) : item));
}

/** Returns the configurations of a phase, with kind and apiVersion, which sets omit. */
function configurations(set: ValueMap | undefined, phase: 'mutating' | 'validating'): Value[] {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const identity: [string, Value][] = [
    ['kind', kind],
    ['apiVersion', 'admissionregistration.k8s.io/v1'],
  ];
  return listAt(set, phase).map(c => (isMap(c) ? new Map([...identity, ...c]) : c));
}

/** Returns a case's configurations: its own, or a set of the file by name. */
function configurationSet(cluster: ValueMap | undefined, document: ValueMap): ValueMap | undefined {
  const named = stringAt(cluster, 'configurations');
  return named === '' ? cluster : mapAt(document, 'sets', named);
}

function definitionNamed(name: string, document: ValueMap, definitions: ValueMap | undefined): Value {
  const found = valueAt(document, 'crds', name) ?? valueAt(definitions, 'crds', name) ?? valueAt(definitions, name);
  if (found === undefined) throw new Error(`missing definition ${name} in crds.json`);
  return found;
}

function replyOf(reply: Value): RecordedReply {
  const configuration = valueAt(reply, 'configuration');
  return {
    phase: stringAt(reply, 'phase'),
    configuration: typeof configuration === 'string' ? configuration : undefined,
    webhook: stringAt(reply, 'webhook'),
    status: Number(valueAt(reply, 'status') ?? 200n),
    headers: [...(mapAt(reply, 'headers') ?? [])].map(([k, v]) => [k, String(v)] as const),
    body: stringAt(reply, 'body'),
  };
}
