import { createHash, randomBytes } from 'node:crypto';
import { CliError } from '../../client/cli-error.js';
import { webSocketGuid } from '../../encoding/web-socket-frames.js';
import { stringAt } from '../../go/value.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { apiServerOf, refused } from '../http/cluster-errors.js';
import { documentIn } from '../http/json-document.js';
import type { UpgradeAnswer } from '../http/upgrade.js';
import { channelProtocol, PodStream, type StreamFault } from './pod-stream.js';
import type { PodPort } from './service-pods.js';

/** A pod that does not exist any more, or on whose port nothing listens: another pod of the service may do. */
export class PodError extends CliError {}

/**
 * Opens a stream to a port of a pod, as `kubectl port-forward` does. Rejects with CliError, with {@link PodError} for what another pod could do. Breaks with such
 * an error, too. Source: client-go tools/portforward; kubelet pkg/cri/streaming/portforward.
 */
export async function openPodStream(client: ClusterClient, target: PodPort): Promise<PodStream> {
  const { namespace, pod, port } = target;
  const key = randomBytes(16).toString('base64');
  const answer = await client.upgrade({
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward?ports=${port}`,
    headers: ['Sec-WebSocket-Key', key, 'Sec-WebSocket-Version', '13', 'Sec-WebSocket-Protocol', channelProtocol],
  });
  if (answer.outcome === 'refused') throw refusal(answer, client, target);
  const { socket, headers } = answer;
  const fault = handshakeFault(headers, key);
  if (fault !== undefined) {
    socket.destroy();
    throw faultError({ kind: 'protocol', message: fault }, client, target);
  }
  const stream = new PodStream(socket, port, reason => faultError(reason, client, target));
  return waitUntilOpen(stream, client);
}

/** Waits for the first messages of the kubelet. */
function waitUntilOpen(stream: PodStream, client: ClusterClient): Promise<PodStream> {
  const { timeoutMs } = client;
  return new Promise((resolve, reject) => {
    const late = (): void => {
      stream.destroy(
        new CliError(
          'cluster-unreachable',
          `${apiServerOf(client)} accepted a port-forward, but did not answer within ${timeoutMs / 1000}s`,
          {
            suggestions: ['pass a longer --cluster-timeout'],
          },
        ),
      );
    };
    const timer = setTimeout(late, timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    stream.once('error', fail);
    stream.opened.then(() => {
      clearTimeout(timer);
      stream.off('error', fail);
      resolve(stream);
    });
  });
}

function handshakeFault(headers: Extract<UpgradeAnswer, { outcome: 'upgraded' }>['headers'], key: string): string | undefined {
  const header = (name: string): string => [headers[name] ?? []].flat().join(', ');
  if (header('upgrade').toLowerCase() !== 'websocket') return 'it switches to another protocol than WebSocket';
  if (
    header('sec-websocket-accept') !==
    createHash('sha1')
      .update(key + webSocketGuid)
      .digest('base64')
  )
    return 'its answer does not belong to the request';
  const protocol = header('sec-websocket-protocol');
  if (protocol === channelProtocol) return undefined;
  return protocol === ''
    ? `it does not support ${channelProtocol}`
    : `it answers with the subprotocol ${JSON.stringify(shortLine(protocol))} instead of ${channelProtocol}`;
}

function refusal({ status, body }: Extract<UpgradeAnswer, { outcome: 'refused' }>, client: ClusterClient, target: PodPort): CliError {
  const { namespace, pod } = target;
  const { context, user, certificate } = client;
  const message = shortLine(stringAt(documentIn(body), 'message') || body) || `status ${status}`;
  if (status === 401) return refused(status, message, { what: 'forward ports', context, user, certificate });
  if (status === 403) {
    const { message: text } = refused(status, message, { what: `create pods/portforward in namespace ${namespace}`, context, user });
    return new CliError('cluster-refused', text, {
      suggestions: [`grant the user the verbs get and create of pods/portforward in namespace ${namespace}`],
    });
  }
  const text = `the API server did not forward port ${target.port} of pod ${namespace}/${pod}: ${message}`;
  return status === 404 || status === 400 || status >= 500 ? new PodError('forward-failed', text) : new CliError('forward-failed', text);
}

function faultError(fault: StreamFault, client: ClusterClient, { namespace, pod, port }: PodPort): CliError {
  const where = `port ${port} of pod ${namespace}/${pod}`;
  if (fault.kind === 'protocol')
    return new CliError('cluster-unreachable', `${apiServerOf(client)} does not forward ports as an API server does: ${fault.message}`);
  if (fault.kind === 'lost') return new CliError('cluster-unreachable', `${apiServerOf(client)} closed the connection to ${where}`);
  const message = `${where} cannot be reached: ${shortLine(fault.message)}`;
  const details = { suggestions: ['check that the webhook listens on this port in the pod'] };
  return fault.isEarly ? new PodError('forward-failed', message, details) : new CliError('forward-failed', message, details);
}

/** Max characters of a message from outside within one of ours. */
const maxMessageLength = 1000;

/** Returns a message from outside as a part of one of ours. */
function shortLine(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}...` : line;
}
