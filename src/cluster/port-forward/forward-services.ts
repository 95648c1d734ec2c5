import type { ServiceName } from '../../kubernetes/service-name.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { PodError, podStreams } from './open-pod-stream.js';
import type { PodStream } from './pod-stream.js';
import { type PodPort, readServicePods } from './service-pods.js';

/** Services of a cluster that are reached from here. */
export interface ForwardedServices {
  /** Opens a stream to a ready pod of a service. Rejects with CliError. */
  readonly open: (service: ServiceName) => Promise<PodStream>;
  /** Reads the pods of a service again, and returns whether the one that was used is no longer ready and another one is. */
  readonly replacePod: (service: ServiceName) => Promise<boolean>;
  /** Reports whether an error is that of one pod, and whether it came before the pod received anything. */
  readonly podErrorOf: (error: unknown) => { readonly isEarly: boolean } | undefined;
  readonly close: () => void;
}

/** Returns the services of a cluster; pods are read by the first call of a service, and again when the one in use is gone. */
export function forwardServices(client: ClusterClient): ForwardedServices {
  const known = new Map<string, Promise<readonly PodPort[]>>();
  const streams = new Set<PodStream>();
  const openPodStream = podStreams(client);
  const read = (service: ServiceName): Promise<readonly PodPort[]> => {
    const pods = readServicePods(client, service);
    known.set(serviceKeyOf(service), pods);
    // A failure is not kept: the next call reads again.
    pods.catch(() => known.delete(serviceKeyOf(service)));
    return pods;
  };
  const openOne = async (pod: PodPort): Promise<PodStream> => {
    const stream = await openPodStream(pod);
    streams.add(stream);
    // The reader of the stream gets its error; without one it must not end the process.
    stream.on('error', () => undefined);
    stream.once('close', () => streams.delete(stream));
    return stream;
  };
  const replacePod = async (service: ServiceName): Promise<boolean> => {
    const [used] = (await known.get(serviceKeyOf(service))) ?? [];
    const pods = await read(service);
    return used !== undefined && !pods.some(pod => pod.pod === used.pod);
  };
  const open = async (service: ServiceName): Promise<PodStream> => {
    const [pod] = await (known.get(serviceKeyOf(service)) ?? read(service));
    if (pod === undefined) throw new Error('a service without pods is an error');
    try {
      return await openOne(pod);
    } catch (error) {
      if (!(error instanceof PodError) || !(await replacePod(service))) throw error;
      return open(service);
    }
  };
  return {
    open,
    replacePod,
    podErrorOf: error => (error instanceof PodError ? error : undefined),
    close: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}

function serviceKeyOf({ namespace, name, port }: ServiceName): string {
  return `${namespace}/${name}:${port}`;
}
