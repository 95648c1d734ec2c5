import type { ValueMap } from '../go/value.js';
import type { ForBackend } from './aggregator/pass-on.js';
import type { Cluster } from './cluster/cluster.js';
import { type HttpReply, type Incoming, pathOfRequest, plainReply } from './http/exchange.js';
import { apiServiceGvk } from './lifecycle/api-services.js';

/** Passes a request on to the service of an APIService; never available without a way to call services. */
export async function passOnTo(apiService: ValueMap, given: ForBackend, cluster: Cluster): Promise<HttpReply> {
  const { callBackend, requestHeaders, state, effects } = cluster;
  if (callBackend === undefined) return plainReply(503, 'service unavailable\n');
  const { passOn } = await import('./aggregator/pass-on.js');
  return passOn(apiService, given, { callBackend, requestHeaders, state, effects });
}

/** Returns the APIService whose service has the OpenAPI v3 document at a path; undefined for other paths. */
export function documentingApiService(request: Incoming, { store, remoteOpenApi }: Cluster): ValueMap | undefined {
  const [, document] = /^\/openapi\/v3\/(.+)$/.exec(pathOfRequest(request)) ?? [];
  const remote = document === undefined ? undefined : remoteOpenApi().get(document);
  return remote && store.find(apiServiceGvk, '', remote.name);
}
