import { CliError } from '../../client/cli-error.js';
import { stringAt } from '../../go/value.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { apiServerOf, refused } from '../http/cluster-errors.js';
import { documentIn } from '../http/json-document.js';
import { type HandshakeRefusal, requestSpdy, requestWebSocket } from './handshakes.js';
import { PodStream, type StreamFault } from './pod-stream.js';
import type { PodPort } from './service-pods.js';
import { shortLine } from './short-line.js';

/** A pod that does not exist any more, or on whose port nothing listens: another pod of the service may do. */
export class PodError extends CliError {
  /** Whether the pod has received nothing. */
  readonly isEarly: boolean;

  constructor(isEarly: boolean, ...given: ConstructorParameters<typeof CliError>) {
    super(...given);
    this.isEarly = isEarly;
  }
}

/** Opens streams to ports of pods. */
export type OpenPodStream = (target: PodPort) => Promise<PodStream>;

/**
 * Returns a function that opens streams to ports of pods, as `kubectl port-forward` does: SPDY through a WebSocket, or the kubelets' own protocol where an API server passes WebSockets
 * on to them; where it refuses a WebSocket, SPDY without one, from then on. Rejects with CliError, with {@link PodError} for what another pod could do. A stream breaks with such
 * an error, too. Source: client-go tools/portforward; kubelet pkg/cri/streaming/portforward.
 */
export function podStreams(client: ClusterClient): OpenPodStream {
  let handshakes = [requestWebSocket, requestSpdy];
  return async target => {
    const { namespace, pod, port } = target;
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward?ports=${port}`;
    const failure = (fault: StreamFault): Error => faultError(fault, client, target);
    for (const [i, handshake] of handshakes.entries()) {
      const agreed = await handshake(client, path, port);
      if (agreed.outcome === 'upgraded') {
        handshakes = handshakes.slice(i);
        return waitUntilOpen(new PodStream(agreed.openPipe, agreed.protocol, failure), client);
      }
      if (agreed.outcome === 'invalid') throw failure({ kind: 'protocol', message: agreed.fault });
      // Credentials that are not accepted, and a pod that does not exist, are the same for all protocols.
      if (i === handshakes.length - 1 || agreed.status === 401 || agreed.status === 404) throw refusal(agreed, client, target);
    }
    throw new Error('there is a last protocol');
  };
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

function refusal({ status, body }: HandshakeRefusal, client: ClusterClient, target: PodPort): CliError {
  const { namespace, pod } = target;
  const { context, user, certificate } = client;
  const message = shortLine(stringAt(documentIn(body), 'message') || body) || `status ${status}`;
  if (status === 401) return refused(status, message, { what: 'forward ports', context, user, certificate });
  if (status === 403) {
    const { message: text } = refused(status, message, { what: `create pods/portforward in namespace ${namespace}`, context, user });
    return new CliError('cluster-refused', text, {
      suggestions: [`grant the user the verb create of pods/portforward in namespace ${namespace}`],
    });
  }
  const text = `the API server did not forward port ${target.port} of pod ${namespace}/${pod}: ${message}`;
  return status === 404 || status === 400 || status >= 500
    ? new PodError(true, 'forward-failed', text)
    : new CliError('forward-failed', text);
}

function faultError(fault: StreamFault, client: ClusterClient, { namespace, pod, port }: PodPort): CliError {
  const where = `port ${port} of pod ${namespace}/${pod}`;
  if (fault.kind === 'protocol')
    return new CliError('cluster-unreachable', `${apiServerOf(client)} does not forward ports as an API server does: ${fault.message}`);
  if (fault.kind === 'lost')
    return new PodError(fault.isEarly, 'cluster-unreachable', `${apiServerOf(client)} closed the connection to ${where}`);
  const message = `${where} cannot be reached: ${shortLine(fault.message)}`;
  const details = { suggestions: ['check that the webhook listens on this port in the pod'] };
  return new PodError(fault.isEarly, 'forward-failed', message, details);
}
