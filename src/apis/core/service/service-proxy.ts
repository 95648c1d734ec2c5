import type { CallContext } from '../../../apiserver/call/call-context.js';
import type { RestStorage } from '../../../apiserver/handlers/rest-storage.js';
import { quote } from '../../../go/quote.js';
import type { ValueMap } from '../../../go/value.js';
import { notFound, serviceUnavailable } from '../../../kubernetes/status-errors.js';
import { proxyOptions, schemeNamePort, streamTo } from '../streams.js';

/** Proxy to a service. Source: kubernetes pkg/registry/core/service/proxy.go. */
export const serviceProxy: RestStorage = {
  connecter: streamTo({ options: proxyOptions, nameIn: schemeNamePort, check: checkEndpoints, code: 200 }),
};

/** A service is reached through its endpoints; without any the answer is up to v1.36 the same as for a missing one. */
function checkEndpoints(_: ValueMap, name: string, { server, storage, info, endpoint }: CallContext): void {
  if (storage.find({ group: '', kind: 'Endpoints' }, info.namespace, name) !== undefined) return;
  throw server.since('v1.37') ? serviceUnavailable(`no endpoints available for service ${quote(name)}`) : notFound(endpoint.resource, name);
}
