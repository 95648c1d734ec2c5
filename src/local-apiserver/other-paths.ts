import type { Cluster } from './cluster.js';
import type { OtherPaths } from './handle-request.js';
import { pathOf, plainReply } from './http/exchange.js';

/** Answers everything that is no object of the API. */
export function otherPaths(_cluster: Cluster, _address: () => string): OtherPaths {
  return async request => {
    if (['/healthz', '/livez', '/readyz'].includes(pathOf(request))) return plainReply(200, 'ok');
    return undefined;
  };
}
