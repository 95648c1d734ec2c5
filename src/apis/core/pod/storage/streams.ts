import type { CallContext, VerbAnswer } from '../../../../apiserver/call/call-context.js';
import type { RestStorage } from '../../../../apiserver/handlers/rest-storage.js';
import type { ApiObject } from '../../../../apiserver/objects/api-object.js';
import { parseUint64 } from '../../../../go/parse-integer.js';
import { listAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { addNote } from '../../../../kubernetes/call-notes.js';
import { badRequest, notFound } from '../../../../kubernetes/status-errors.js';
import { preferredAddress } from '../../node/preferred-address.js';
import { streamTo } from '../../streams.js';

/** Commands in a container. Source: kubernetes pkg/registry/core/pod/rest/subresources.go ExecREST. */
export const podExec: RestStorage = {
  connecter: streamTo({
    options: context => {
      const options = containerOptions(context);
      const command = context.query.get('command');
      return command === undefined ? options : options.set('command', [...command]);
    },
    check: checkContainerStream,
  }),
};

/** Streams of a container. Source: AttachREST there. */
export const podAttach: RestStorage = {
  connecter: streamTo({ options: containerOptions, check: checkContainerStream }),
};

/** Ports of a pod. Source: PortForwardREST there. */
export const podPortForward: RestStorage = {
  connecter: streamTo({ options: portOptions, check: checkHost }),
};

/** Log of a container; that of a pod without a node is empty. Source: kubernetes pkg/registry/core/pod/rest/log.go, strategy.go LogLocation. */
export const podLog: RestStorage = { read: readLog };

const booleans = ['stdin', 'stdout', 'stderr', 'tty'];

/** Returns the options of a container's stream, which are in the query. */
function containerOptions({ query }: CallContext): ValueMap {
  const options: ValueMap = new Map<string, Value>();
  for (const name of booleans) if (isTrue(query.get(name)?.[0])) options.set(name, true);
  const container = query.get('container')?.[0] ?? '';
  return container === '' ? options : options.set('container', container);
}

/** Parses a flag: present is true, unless it is `0` or `false`. Source: apimachinery runtime/conversion.go Convert_Slice_string_To_bool. */
function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

function portOptions({ query }: CallContext): ValueMap {
  const ports = (query.get('ports') ?? [])
    .flatMap(text => text.split(','))
    .map(text => {
      const port = parseUint64(text);
      if (typeof port === 'object') throw badRequest(`cannot convert to []int32: ${port.error}`);
      return port;
    });
  return new Map(ports.length === 0 ? [] : [['ports', ports]]);
}

function checkContainerStream(pod: ValueMap, name: string, context: CallContext): void {
  checkContainer(pod, context.query.get('container')?.[0] ?? '');
  checkHost(pod, name, context);
}

function readLog({ value: pod }: ApiObject, context: CallContext): VerbAnswer {
  checkContainer(pod, context.query.get('container')?.[0] ?? '');
  checkNode(pod, context);
  addNote(context.record, 'the contents of logs and the options of log requests are not reproduced: webhooks do not get them');
  return { code: stringAt(pod, 'spec', 'nodeName') === '' ? 204 : 200, body: '' };
}

/**
 * Throws a 400 for a stream or log that names no container of a pod with several, or a missing container. Source: kubernetes
 * pkg/registry/core/pod/strategy.go validateContainer.
 */
export function checkContainer(pod: ValueMap, container: string): void {
  const name = stringAt(pod, 'metadata', 'name');
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list =>
    listAt(pod, 'spec', list).map(one => stringAt(one, 'name')),
  );
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
    return;
  }
  const count = listAt(pod, 'spec', 'containers').length;
  if (count === 0) throw badRequest(`a container name must be specified for pod ${name}`);
  if (count > 1) throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}

function checkHost(pod: ValueMap, _: string, context: CallContext): void {
  if (stringAt(pod, 'spec', 'nodeName') === '') throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  checkNode(pod, context);
}

/**
 * Throws the error for a pod whose node does not exist, or has no addresses; states that are read from files may lack nodes. Source:
 * kubernetes pkg/kubelet/client/kubelet_client.go GetConnectionInfo.
 */
function checkNode(pod: ValueMap, { state, storage }: Pick<CallContext, 'state' | 'storage'>): void {
  const name = stringAt(pod, 'spec', 'nodeName');
  if (state.live === undefined || name === '') return;
  const node = storage.find({ group: '', kind: 'Node' }, '', name);
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  preferredAddress(node);
}
