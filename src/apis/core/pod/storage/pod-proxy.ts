import type { CallContext } from '../../../../apiserver/call/call-context.js';
import type { RestStorage } from '../../../../apiserver/handlers/rest-storage.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../../../go/value.js';
import { notFound } from '../../../../kubernetes/status-errors.js';
import { checkProxyable, type Located, proxyTo, type SchemeNamePort } from '../../proxies.js';

/** Proxy to a pod. Source: kubernetes pkg/registry/core/pod/rest/subresources.go ProxyREST. */
export const podProxy: RestStorage = { connecter: proxyTo('pod', locatePod) };

/** Source: kubernetes pkg/registry/core/pod/strategy.go ResourceLocation. */
function locatePod({ scheme, name, port }: SchemeNamePort, { storage, info, endpoint }: CallContext): Located {
  const pod = storage.find({ group: '', kind: 'Pod' }, info.namespace, name);
  if (pod === undefined) throw notFound(endpoint.resource, name);
  const [address = ''] = addressesOfPod(pod);
  checkProxyable(address);
  return {
    scheme: scheme === 'https' ? 'https' : 'http',
    address,
    port: port === '' ? firstPort(pod) : port,
    pod: `${info.namespace}/${name}`,
  };
}

/** Returns the addresses of a pod; one that is read from a file may lack the list of them. */
export function addressesOfPod(pod: ValueMap): readonly string[] {
  const listed = listAt(pod, 'status', 'podIPs').map(each => stringAt(each, 'ip'));
  return listed.length > 0 ? listed : [stringAt(pod, 'status', 'podIP')];
}

function firstPort(pod: ValueMap): string {
  const first = listAt(pod, 'spec', 'containers')
    .map(container => listAt(container, 'ports')[0])
    .find(port => port !== undefined);
  return first === undefined ? '' : String(valueAt(first, 'containerPort'));
}
