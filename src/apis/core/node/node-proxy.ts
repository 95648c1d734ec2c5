import type { CallContext } from '../../../apiserver/call/call-context.js';
import type { RestStorage } from '../../../apiserver/handlers/rest-storage.js';
import { valueAt } from '../../../go/value.js';
import { parseIpSloppy } from '../../../kubernetes/ip-rules.js';
import { notFound } from '../../../kubernetes/status-errors.js';
import { checkProxyable, type Located, proxyTo, type SchemeNamePort } from '../proxies.js';
import { preferredAddress } from './preferred-address.js';

/** Proxy to a node. Source: kubernetes pkg/registry/core/node/rest/proxy.go. */
export const nodeProxy: RestStorage = { connecter: proxyTo('node', locateNode) };

/** Port of kubelets whose node does not name another. */
const defaultKubeletPort = 10_250n;

/** Source: kubernetes pkg/registry/core/node/strategy.go ResourceLocation. */
function locateNode({ scheme, name, port }: SchemeNamePort, { storage, endpoint }: CallContext): Located {
  const node = storage.find({ group: '', kind: 'Node' }, '', name);
  if (node === undefined) throw notFound(endpoint.resource, name);
  const address = preferredAddress(node);
  // Names are looked up only when they are connected to.
  if (parseIpSloppy(address) !== undefined) checkProxyable(address);
  const named = valueAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port');
  const kubeletPort = typeof named === 'bigint' && named > 0n ? named : defaultKubeletPort;
  if (port === '' || port === String(kubeletPort)) return { scheme: 'https', address, port: String(kubeletPort), pod: undefined };
  return { scheme: scheme === 'https' ? 'https' : 'http', address, port, pod: undefined };
}
