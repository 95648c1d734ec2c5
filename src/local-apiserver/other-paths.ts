import { wantsPretty } from '../apiserver/handlers/pretty.js';
import { methodNotAllowed, resourceNotFound } from '../kubernetes/status-errors.js';
import type { Cluster } from './cluster.js';
import { readData } from './data-file.js';
import { discoveryReply } from './discovery/discovery-reply.js';
import { healthReply } from './discovery/health.js';
import { metricsText } from './discovery/metrics.js';
import type { Counters } from './discovery/prometheus-text.js';
import { discovered } from './discovery/served-groups.js';
import { versionDocument } from './discovery/version.js';
import { checkRoute } from './forms/negotiation.js';
import type { OtherPaths } from './handle-request.js';
import { headerOf, type Incoming, jsonReply, pathOf, type Reply } from './http/exchange.js';

/** Input for these paths. */
export interface OtherPathsSource {
  readonly cluster: Cluster;
  readonly counters: Counters;
  /** `127.0.0.1:6443` */
  readonly address: () => string;
}

/** Handles paths outside of API resources: discovery, OpenAPI, health, version, metrics and keys. */
export function otherPaths({ cluster, counters, address }: OtherPathsSource): OtherPaths {
  return async request => {
    const path = pathOf(request);
    const single = singlePath(request, path) ?? healthReply(request);
    if (single !== undefined) return single;
    if (path === '/metrics') return { status: 200, headers: [['Content-Type', metricsType]], body: metricsText(counters, cluster) };
    if (path === '/openid/v1/jwks') return keysReply(request, cluster);
    if (path === '/.well-known/openid-configuration') return issuerReply(address());
    const found = discovered(cluster.state());
    if (path.startsWith('/openapi/')) return (await import('./discovery/openapi-reply.js')).openApiReply(request, found);
    const pretty = wantsPretty({ method: request.method, path: request.url, userAgent: headerOf(request, 'user-agent') });
    return discoveryReply(request, { found, address: advertised, pretty });
  };
}

/** Address of the server for clients outside of the cluster: that of its service's endpoints. */
const advertised = '192.0.2.2:6443';

const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

function singlePath(request: Incoming, path: string): Reply | undefined {
  if (path === '/' || path === '/index.html') {
    const paths = JSON.parse(readData('root-paths.json').toString('utf8')) as string[];
    return jsonReply(JSON.stringify({ paths }, null, 2));
  }
  if (path !== '/version' && !path.startsWith('/version/')) return undefined;
  if (path !== '/version' && path !== '/version/') throw resourceNotFound();
  if (request.method !== 'GET') throw methodNotAllowed();
  checkRoute(headerOf(request, 'accept') ?? '', ['application/json']);
  return jsonReply(versionDocument);
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

function issuerReply(address: string): Reply {
  const configuration = {
    issuer: 'https://kubernetes.default.svc',
    jwks_uri: `https://${address}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
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
