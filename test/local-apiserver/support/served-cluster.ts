import { effectsFor } from '../../../src/cli/shell/effects.js';
import { allowWithoutSending } from '../../../src/client/run/allowing-webhook.js';
import { flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import { type Cluster, newCluster } from '../../../src/local-apiserver/cluster/cluster.js';
import { answerDocument } from '../../../src/local-apiserver/document-reply.js';
import { handleRequest } from '../../../src/local-apiserver/handle-request.js';
import type { HttpReply } from '../../../src/local-apiserver/http/exchange.js';
import { serverWith } from '../../support/server.js';

const token = 'token-of-the-test';

/** A cluster without a listener: requests are handled as those of an administrator. */
export interface ServedCluster {
  readonly cluster: Cluster;
  readonly request: (
    method: string,
    url: string,
    options?: {
      readonly body?: object | string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
      /** Headers of which a request can have several. */
      readonly more?: readonly (readonly [name: string, value: string])[];
    },
  ) => Promise<HttpReply>;
}

/** Returns a cluster with the objects of a new API server. */
export function newServedCluster(
  flags: readonly string[] = [],
  apiServer = serverWith(flags),
  effects = () => effectsFor(allowWithoutSending),
): ServedCluster {
  const cluster = newCluster({
    server: apiServer,
    objects: [],
    options: serverOptions(flagValues(flags)),
    users: [{ token, username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }],
    effects,
  });
  return {
    cluster,
    request: (method, url, { body, headers, more = [] } = {}) => {
      const sent = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
      const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
      const incoming = { method, url, headers: [...Object.entries(sent), ...more], peer: undefined, body: () => Promise.resolve(bytes) };
      return handleRequest(incoming, cluster, asked => answerDocument(asked, cluster.state()));
    },
  };
}
