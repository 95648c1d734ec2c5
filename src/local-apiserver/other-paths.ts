import { serverOptions } from '../kubernetes/server-options.js';
import { methodNotAllowed } from '../kubernetes/status-errors.js';
import type { Cluster } from './cluster.js';
import { healthMetricsText, metricsText } from './discovery/metrics.js';
import type { Counters } from './discovery/prometheus-text.js';
import { documentReply } from './document-reply.js';
import { checkRoute } from './forms/negotiation.js';
import type { OtherPaths } from './handle-request.js';
import { headerOf, type Incoming, pathOf, type Reply } from './http/exchange.js';

/** Input for these paths. */
export interface OtherPathsSource {
  readonly cluster: Cluster;
  readonly counters: Counters;
  /** `127.0.0.1:6443`: where others reach the server. */
  readonly address: () => string;
}

/** Handles paths outside of API resources: discovery, OpenAPI, health, version, metrics and keys. */
export function otherPaths({ cluster, counters, address }: OtherPathsSource): OtherPaths {
  return async request => {
    const path = pathOf(request);
    if (path === '/metrics') return metricsReply(metricsText(counters, cluster));
    if (path === '/metrics/slis') return metricsReply(healthMetricsText(cluster.server));
    if (path.startsWith('/debug/'))
      return servesProfiles(cluster) ? (await import('./discovery/profiles.js')).profileReply(request) : undefined;
    const isKeyPath = path === '/openid/v1/jwks' || path === '/.well-known/openid-configuration';
    if (isKeyPath && request.method !== 'GET') throw methodNotAllowed();
    if (path === '/openid/v1/jwks') return keysReply(request, cluster);
    if (path === '/.well-known/openid-configuration') return issuerReply(request, address(), cluster);
    return documentReply(request, cluster.state(), `${cluster.advertised.address}:${cluster.advertised.port}`);
  };
}

function servesProfiles(cluster: Cluster): boolean {
  return serverOptions(cluster.state().flags).profiling;
}

function metricsReply(body: string): Reply {
  return { status: 200, headers: [['Content-Type', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores']], body };
}

function keysReply(request: Incoming, { tokens }: Cluster): Reply {
  const type = 'application/jwk-set+json';
  checkRoute(headerOf(request, 'accept') ?? '', [type]);
  return {
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Cache-Control', 'public, max-age=3600'],
    ],
    body: tokens.keys(),
  };
}

/** Source: kubernetes pkg/serviceaccount/openidmetadata.go: not found where the issuer is not a URL of OpenID Connect. */
function issuerReply(request: Incoming, address: string, { tokens }: Cluster): Reply | undefined {
  const { issuers, publicKeys } = tokens.authority();
  const [issuer = ''] = issuers;
  if (!/^https:\/\/[^?#]*$/.test(issuer)) return undefined;
  checkRoute(headerOf(request, 'accept') ?? '', ['application/json']);
  const configuration = {
    issuer,
    jwks_uri: `https://${address}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(publicKeys.map(({ algorithm }) => algorithm))].sort(),
  };
  return {
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'public, max-age=3600'],
    ],
    body: JSON.stringify(configuration),
  };
}
