import { joinHostPort } from '../go/net/host-port.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { methodNotAllowed } from '../kubernetes/status-errors.js';
import type { Cluster } from './cluster/cluster.js';
import { healthChecks } from './discovery/health.js';
import { type Counters, printText } from './discovery/prometheus-text.js';
import { answerDocument } from './document-reply.js';
import { seatMetricsText } from './flow-control/seat-metrics.js';
import { checkRoute } from './forms/negotiation.js';
import type { OtherPaths } from './handle-request.js';
import { type HttpReply, headerOfRequest, type Incoming, pathOfRequest } from './http/exchange.js';

/** Input for these paths. */
export interface OtherPathsSource {
  readonly cluster: Cluster;
  readonly counters: Counters;
  /** `127.0.0.1:6443`: where others reach the server. */
  readonly address: () => string;
}

/** Handles paths outside of API resources: discovery, OpenAPI, health, version, metrics and keys. */
export function otherPaths({ cluster, counters, address }: OtherPathsSource): OtherPaths {
  const started = cluster.effects().now();
  return async request => {
    const path = pathOfRequest(request);
    if (path === '/metrics') return metricsReply(metricsText(counters, cluster));
    if (path === '/metrics/slis') return metricsReply(healthMetricsText(cluster.server));
    if (path.startsWith('/debug/'))
      return servesProfiles(cluster) ? (await import('./discovery/profiles.js')).profileReply(request) : undefined;
    if (path === '/statusz' || path === '/flagz')
      return (await import('./discovery/statusz.js')).statuszReply(request, {
        server: cluster.server,
        started,
        now: cluster.effects().now(),
      });
    const isKeyPath = path === '/openid/v1/jwks' || path === '/.well-known/openid-configuration';
    if (isKeyPath && request.method !== 'GET') throw methodNotAllowed();
    if (path === '/openid/v1/jwks') return keysReply(request, cluster);
    if (path === '/.well-known/openid-configuration') return issuerReply(request, address(), cluster);
    const advertised = joinHostPort(cluster.advertised.address, cluster.advertised.port);
    return answerDocument(request, cluster.state(), {
      address: advertised,
      remoteVersionAt: cluster.remoteVersionAt,
      remoteOpenApi: cluster.remoteOpenApi,
    });
  };
}

function servesProfiles(cluster: Cluster): boolean {
  return cluster.state().options.profiling;
}

function metricsReply(body: string): HttpReply {
  return { status: 200, headers: [['Content-Type', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores']], body };
}

function keysReply(request: Incoming, { tokens }: Cluster): HttpReply {
  const type = 'application/jwk-set+json';
  checkRoute(headerOfRequest(request, 'accept') ?? '', [type]);
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
function issuerReply(request: Incoming, address: string, { tokens }: Cluster): HttpReply | undefined {
  const { issuers, publicKeys } = tokens.authority();
  const [issuer = ''] = issuers;
  if (!/^https:\/\/[^?#]*$/.test(issuer)) return undefined;
  checkRoute(headerOfRequest(request, 'accept') ?? '', ['application/json']);
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

/** Returns the metrics of this server in Prometheus' text format. */
function metricsText(counters: Counters, { store }: Cluster): string {
  return [
    printText('apiserver_request_total', 'counter', 'Requests answered, by verb and status code.', counters.requests()),
    printText('etcd_db_revision', 'gauge', 'Number of the last write.', [{ labels: {}, value: store.revision() }]),
    seatMetricsText(store),
  ].join('');
}

/** Returns the metrics of health checks, which always pass. Source: component-base metrics/prometheus/slis. */
function healthMetricsText(server: ApiServer): string {
  const passed = healthChecks(server).map(labels => ({ labels, value: 1 }));
  return printText('kubernetes_healthcheck', 'gauge', '[STABLE] This metric records the result of a single healthcheck.', passed);
}
