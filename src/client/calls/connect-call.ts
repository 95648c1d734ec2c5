import { joinHostPort } from '../../go/net/host-port.js';
import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { CliError } from '../cli-error.js';
import type { ClientCommand } from '../kubectl-lines.js';
import type { Manifest } from '../manifests/manifests.js';
import type { StreamFlags } from '../options/call-options.js';
import { objectPath, queryOfCall } from './call-path.js';
import { type ClientFlags, clientOf, commandOf, namespaceWords, type PlannedCall } from './planned-call.js';
import type { Target } from './target.js';

/** Context of a connection. */
export interface ConnectOptions {
  readonly flags: StreamFlags & ClientFlags;
  /** The stored object, which kubectl gets first. */
  readonly stored: ValueMap | undefined;
}

/** `kubectl exec`, `attach`, `port-forward`, and `get --raw` through a proxy. */
export function connectCall(manifest: Manifest, target: Target, options: ConnectOptions): PlannedCall {
  if (target.subresource === 'exec' || target.subresource === 'attach') return streamCall(manifest, target, options);
  refuseStreamFlags(target.subresource, options.flags);
  return target.subresource === 'portforward' ? portForwardCall(manifest, target, options) : proxyCall(manifest, target, options);
}

/** Source: kubectl cmd/exec/exec.go, cmd/attach/attach.go. */
function streamCall(manifest: Manifest, target: Target, { flags, stored }: ConnectOptions): PlannedCall {
  const command = flags.words ?? [];
  const isExec = target.subresource === 'exec';
  if (isExec && command.length === 0) {
    throw new CliError('usage', 'you must specify at least one command for the container', { suggestions: ['pass it after --'] });
  }
  if (!isExec && command.length > 0) throw new CliError('usage', 'attach takes no command', { suggestions: ['use --subresource exec'] });
  const pod = stored ?? manifest.object;
  const container = containerOf(pod, flags.container);
  // attach uses a terminal when the container has one, exec with --tty.
  const tty = isExec ? flags.tty === true : valueAt(container.object, 'tty') === true;
  const query = queryOfCall({
    command: isExec ? command : undefined,
    container: container.name === '' ? undefined : container.name,
    stderr: tty ? undefined : 'true',
    stdin: flags.stdin === true ? 'true' : undefined,
    stdout: 'true',
    tty: tty ? 'true' : undefined,
  });
  const words = [
    ...[target.subresource, target.name, ...namespaceWords(target)],
    ...(flags.container === undefined ? [] : ['-c', flags.container]),
    ...(flags.stdin === true ? ['-i'] : []),
    ...(flags.tty === true ? ['-t'] : []),
    ...(isExec ? ['--', ...command] : []),
  ];
  return planned(manifest, target, { flags, query, rest: '', command: { verb: 'stream', words, before: container.said } });
}

interface ChosenContainer {
  readonly name: string;
  readonly object: ValueMap | undefined;
  /** kubectl's message about its choice. */
  readonly said: readonly string[];
}

/** Returns the container of the flag, the pod's default, or the first. Source: kubectl cmd/util/podcmd/podcmd.go. */
function containerOf(pod: ValueMap, asked: string | undefined): ChosenContainer {
  const containers = listAt(pod, 'spec', 'containers');
  const all = [...containers, ...listAt(pod, 'spec', 'initContainers'), ...listAt(pod, 'spec', 'ephemeralContainers')];
  const named = (name: string): ValueMap | undefined => mapAt(all.find(container => stringAt(container, 'name') === name));
  if (asked !== undefined) return { name: asked, object: named(asked), said: [] };
  const annotated = stringAt(pod, 'metadata', 'annotations', 'kubectl.kubernetes.io/default-container');
  if (annotated !== '' && named(annotated) !== undefined) return { name: annotated, object: named(annotated), said: [] };
  const name = stringAt(containers[0], 'name');
  const others = all.map(container => stringAt(container, 'name')).join(', ');
  return {
    name,
    object: mapAt(containers[0]),
    said: all.length > 1 ? [`Defaulted container ${JSON.stringify(name)} out of: ${others}`] : [],
  };
}

/** The ports are part of the stream, not of the review. Source: client-go tools/portforward. */
function portForwardCall(manifest: Manifest, target: Target, { flags }: ConnectOptions): PlannedCall {
  const ports = flags.words ?? [];
  const wrong = ports.find(port => !/^(\d*:)?\d+$/.test(port));
  if (wrong !== undefined)
    throw new CliError('usage', `invalid port ${JSON.stringify(wrong)}`, { suggestions: ['use PORT or LOCAL:REMOTE'] });
  const after = ports.flatMap(port => {
    const [local = '', remote = local] = port.split(':');
    return ['127.0.0.1', '::1'].map(host => `Forwarding from ${joinHostPort(host, local)} -> ${remote}`);
  });
  const words = ['port-forward', `${target.kind.kind.toLowerCase()}/${target.name}`, ...namespaceWords(target), ...ports];
  const made = planned(manifest, target, { flags, query: '', rest: '', command: { verb: 'port-forward', words, after } });
  return ports.length === 0 ? made : { ...made, notes: ['kubectl sends the ports inside the stream, where webhooks do not get them'] };
}

function proxyCall(manifest: Manifest, target: Target, { flags }: ConnectOptions): PlannedCall {
  const [rest = '', ...more] = flags.words ?? [];
  if (more.length > 0 || (rest !== '' && !rest.startsWith('/'))) {
    throw new CliError('usage', 'invalid path of a proxy: expected one path that begins with a slash', {
      suggestions: ['write -- /metrics'],
    });
  }
  const words = ['get', '--raw', `${objectPath(target, manifest)}${rest}`];
  return planned(manifest, target, { flags, query: '', rest, command: { verb: 'stream', words } });
}

function refuseStreamFlags(subresource: string, flags: StreamFlags): void {
  for (const name of ['stdin', 'tty', 'container'] as const) {
    if (flags[name] !== undefined) throw new CliError('usage', `--${name} can only be used with exec and attach, not with ${subresource}`);
  }
}

interface Connection {
  readonly flags: ClientFlags;
  readonly query: string;
  /** The path after the subresource. */
  readonly rest: string;
  readonly command: Pick<ClientCommand, 'verb' | 'words' | 'before' | 'after'>;
}

function planned(manifest: Manifest, target: Target, { flags, query, rest, command }: Connection): PlannedCall {
  const path = `${objectPath(target, manifest)}${rest}${query}`;
  return {
    call: { method: 'GET', path, ...clientOf(target.server, flags) },
    command: { ...commandOf(command.verb, manifest, { target, flags }), ...command },
  };
}
