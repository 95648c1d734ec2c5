import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Cluster } from '../cluster.js';
import { healthChecks } from './health.js';
import { type Counters, printText } from './prometheus-text.js';

/** Returns the metrics of this server in Prometheus' text format. */
export function metricsText(counters: Counters, { store }: Cluster): string {
  return [
    printText('apiserver_request_total', 'counter', 'Requests answered, by verb and status code.', counters.requests()),
    printText('etcd_db_revision', 'gauge', 'Number of the last write.', [{ labels: {}, value: store.revision() }]),
  ].join('');
}

/** Returns the metrics of health checks, which always pass. Source: component-base metrics/prometheus/slis. */
export function healthMetricsText(server: ApiServer): string {
  const passed = healthChecks(server).map(labels => ({ labels, value: 1 }));
  return printText('kubernetes_healthcheck', 'gauge', '[STABLE] This metric records the result of a single healthcheck.', passed);
}
