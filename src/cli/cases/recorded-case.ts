import { randomUUID } from 'node:crypto';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiCall, ClusterState, RequestedUser } from '../../kubernetes/api-call.js';
import { type KubernetesMinor, minorOf } from '../../kubernetes/kubernetes-version.js';

/** A recorded case's inputs. */
export interface RecordedCase {
  readonly name: string;
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly replies: readonly Reply[];
  /** The webhook configuration that the call changes, with nothing but its name as metadata. */
  readonly before: ValueMap | undefined;
}

/** What a webhook answers, by turn: the n-th call of a webhook gets its n-th entry. */
export interface Reply {
  readonly phase: string;
  /** Absent: by phase and webhook alone. */
  readonly configuration: string | undefined;
  readonly webhook: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** A file of cases: the cases, and the tables they refer to. */
export interface CaseFile {
  readonly document: ValueMap;
  /** Definitions by name, from crds.json beside the file. */
  readonly definitions: ValueMap | undefined;
  /** The API server to behave like, instead of the recorded one. */
  readonly minor?: KubernetesMinor | undefined;
}

/** The inputs of one case. Recorded results are never looked at. Throws when the case cannot be understood. */
export function recordedCase(entry: Value, file: CaseFile): RecordedCase {
  const call = mapAt(entry, 'call');
  if (call === undefined) throw new Error('the case has no call');
  const objects = objectsOf(entry, file);
  return {
    name: stringAt(entry, 'name'),
    call: { ...apiCallOf(call), user: userOf(call) ?? tokenUser(call, objects) },
    state: {
      objects,
      presumesNamespaces: false,
      flags: listAt(entry, 'apiserver', 'flags').map(String),
      kubernetesVersion: file.minor ?? recordedMinor(entry),
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

/** The user a service account's token stands for. */
function tokenUser(call: ValueMap, objects: readonly ValueMap[]): RequestedUser | undefined {
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
    extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${randomUUID()}`], ...boundTo(token, { namespace, objects }) },
  };
}

/** A token that is bound to a pod tells which one, and its node. */
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

/** Everything that exists before the call. */
function objectsOf(entry: Value, { document, definitions }: CaseFile): ValueMap[] {
  const cluster = mapAt(entry, 'cluster');
  const set = configurationSet(cluster, document);
  const listed = [document, cluster].flatMap(from => listAt(from, 'objects'));
  const crds = listAt(cluster, 'crds').map(crd => (typeof crd === 'string' ? definitionNamed(crd, document, definitions) : crd));
  const stored = itemsOf(valueAt(entry, 'stored'));
  return [...stored, ...listed, ...crds, ...configurations(set, 'mutating'), ...configurations(set, 'validating')].filter(isMap);
}

/** A collection's objects, which do not say what they are; or the one object. */
function itemsOf(stored: Value | undefined): (Value | undefined)[] {
  const kind = stringAt(stored, 'kind');
  if (!kind.endsWith('List') || !isMap(stored) || !stored.has('items')) return [stored];
  const identity: [string, Value][] = [
    ['kind', kind.slice(0, -'List'.length)],
    ['apiVersion', stringAt(stored, 'apiVersion')],
  ];
  return listAt(stored, 'items').map(item => (isMap(item) ? new Map([...identity, ...item]) : item));
}

/** Configurations of a phase; sets leave out what they are. */
function configurations(set: ValueMap | undefined, phase: 'mutating' | 'validating'): Value[] {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const identity: [string, Value][] = [
    ['kind', kind],
    ['apiVersion', 'admissionregistration.k8s.io/v1'],
  ];
  return listAt(set, phase).map(c => (isMap(c) ? new Map([...identity, ...c]) : c));
}

/** A case's configurations: its own, or one of the file's sets by name. */
function configurationSet(cluster: ValueMap | undefined, document: ValueMap): ValueMap | undefined {
  const named = stringAt(cluster, 'configurations');
  return named === '' ? cluster : mapAt(document, 'sets', named);
}

function definitionNamed(name: string, document: ValueMap, definitions: ValueMap | undefined): Value {
  const found = valueAt(document, 'crds', name) ?? valueAt(definitions, 'crds', name) ?? valueAt(definitions, name);
  if (found === undefined) throw new Error(`no definition ${name} beside the file`);
  return found;
}

function replyOf(reply: Value): Reply {
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
