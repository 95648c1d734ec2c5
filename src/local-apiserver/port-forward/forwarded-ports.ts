import { queryOfRequest, requestInfoOf } from '../../apiserver/call/request-info.js';
import type { ClusterOptions } from '../cluster/cluster.js';
import type { ForwardedPorts } from './pod-target.js';

/** Returns the ports that an admitted request for a stream asks for; undefined for other streams, and where nothing is forwarded. */
export function forwardedPorts(path: string, forwards: ClusterOptions['forwards']): ForwardedPorts | undefined {
  const info = requestInfoOf(path);
  if (forwards === undefined || info.type !== 'resource' || info.resource !== 'pods' || info.subresource !== 'portforward')
    return undefined;
  const pod = `${info.namespace}/${info.name}`;
  const ports = (queryOfRequest(path).get('ports') ?? []).flatMap(text => text.split(',')).map(Number);
  return { pod, ports, addressOf: port => forwards.get(`${pod}:${port}`) };
}
