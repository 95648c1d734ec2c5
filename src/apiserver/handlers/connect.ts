import { parseUint64 } from '../../go/parse-integer.js';
import { quote } from '../../go/quote.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { addNote } from '../../kubernetes/call-notes.js';
import { badRequest, notFound, serviceUnavailable, unknownError } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import { checkContainer } from '../endpoints/pod-container.js';
import type { Query } from '../endpoints/request-info.js';
import type { ApiObject } from '../objects/api-object.js';
import type { CallContext, VerbAnswer } from './call-context.js';

/** Handles a request for a stream (exec, attach, port-forward, proxy). Source: apiserver handlers/rest.go ConnectResource. */
export async function connect(context: CallContext): Promise<VerbAnswer> {
  if (context.query.has('dryRun')) throw badRequest('dryRun is not supported');
  const attributes = connectAttributes(optionsOf(context), context);
  await context.chain.admit(attributes);
  await context.chain.validate(attributes);
  return afterAdmission(context);
}

function connectAttributes(object: ApiObject, { endpoint, info, codec, user }: CallContext): Attributes {
  const { group, version, resource } = endpoint.resource;
  return {
    operation: 'CONNECT',
    kind: codec.kind,
    resource: { group, version, resource },
    subresource: info.subresource,
    name: info.name,
    namespace: info.namespace,
    object,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    user,
  };
}

const booleans = ['stdin', 'stdout', 'stderr', 'tty'];

/** Returns the options object, read from the query only; for proxies only the path is used. */
function optionsOf({ codec, info, query }: CallContext): ApiObject {
  const { group, version, kind } = codec.kind;
  const value: ValueMap = new Map<string, Value>([
    ['kind', kind],
    ['apiVersion', group === '' ? version : `${group}/${version}`],
  ]);
  if (info.subresource === 'proxy') {
    if (info.rest !== '') value.set('path', info.rest);
  } else if (info.subresource === 'portforward') {
    const ports = portsIn(query);
    if (ports.length > 0) value.set('ports', ports);
  } else {
    for (const name of booleans) if (isTrue(query.get(name)?.[0])) value.set(name, true);
    const container = query.get('container')?.[0] ?? '';
    if (container !== '') value.set('container', container);
    const command = query.get('command');
    if (command !== undefined && info.subresource === 'exec') value.set('command', [...command]);
  }
  return { codec, value };
}

/** Parses a flag: present is true, unless it is `0` or `false`. Source: apimachinery runtime/conversion.go Convert_Slice_string_To_bool. */
function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

function portsIn(query: Query): bigint[] {
  return (query.get('ports') ?? [])
    .flatMap(text => text.split(','))
    .map(text => {
      const port = parseUint64(text);
      if (typeof port === 'object') throw badRequest(`cannot convert to []int32: ${port.error}`);
      return port;
    });
}

/** Looks up the target, which happens only after admission. Source: kubernetes pkg/registry/core/pod/rest, service/proxy, node/rest. */
function afterAdmission(context: CallContext): VerbAnswer {
  const { endpoint, info, storage, record } = context;
  const name = targetName(info.name, endpoint.resource.resource);
  const target = storage.find(endpoint.resource.kind, endpoint.resource.namespaced ? info.namespace : '', name);
  if (target === undefined) throw notFound(endpoint.resource, name);
  // A service is reached through its endpoints; without any the answer is up to v1.36 the same as for a missing one.
  if (endpoint.resource.resource === 'services' && storage.find({ group: '', kind: 'Endpoints' }, info.namespace, name) === undefined) {
    throw context.server.since('v1.37')
      ? serviceUnavailable(`no endpoints available for service ${quote(name)}`)
      : notFound(endpoint.resource, name);
  }
  if (endpoint.resource.resource === 'nodes' && listAt(target, 'status', 'addresses').length === 0) {
    throw noAddresses();
  }
  if (endpoint.resource.resource === 'pods') checkPod(target, context);
  addNote(record, 'the stream itself is not reproduced: the request passed admission');
  return { code: info.subresource === 'proxy' ? 200 : 101, body: '' };
}

function checkPod(pod: ValueMap, context: CallContext): void {
  const { info, query } = context;
  if (info.subresource === 'proxy') {
    if (stringAt(pod, 'status', 'podIP') === '') throw badRequest('address not allowed');
    return;
  }
  if (info.subresource !== 'portforward') checkContainer(pod, query.get('container')?.[0] ?? '');
  if (stringAt(pod, 'spec', 'nodeName') === '') throw badRequest(`pod ${info.name} does not have a host assigned`);
  checkNode(pod, context);
}

/**
 * Throws the error for a pod whose node does not exist, or has no addresses; states that are read from files may lack nodes. Source:
 * kubernetes pkg/kubelet/client/kubelet_client.go GetConnectionInfo.
 */
export function checkNode(pod: ValueMap, { state, storage }: Pick<CallContext, 'state' | 'storage'>): void {
  const name = stringAt(pod, 'spec', 'nodeName');
  if (state.live === undefined || name === '') return;
  const node = storage.find({ group: '', kind: 'Node' }, '', name);
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  if (listAt(node, 'status', 'addresses').length === 0) throw noAddresses();
}

function noAddresses(): Error {
  return unknownError('no preferred addresses found; known addresses: []');
}

/** Returns the target's name: `https:name:port` names a service with its scheme and port, `name:port` a pod, service or node. */
function targetName(segment: string, resource: string): string {
  const parts = segment.split(':');
  if (resource === 'nodes') return parts.length > 2 ? (parts[1] ?? segment) : (parts[0] ?? segment);
  return parts.length === 3 ? (parts[1] ?? segment) : (parts[0] ?? segment);
}
