import type { Cluster } from '../cluster.js';
import { type Counters, printText } from './prometheus-text.js';

/** Returns the metrics of this server in Prometheus' text format. */
export function metricsText(counters: Counters, { store }: Cluster): string {
  return [
    printText('apiserver_request_total', 'counter', 'Requests answered, by verb and status code.', counters.requests()),
    printText('apiserver_longrunning_requests', 'gauge', 'Watches that are open now.', [
      { labels: { verb: 'WATCH' }, value: counters.watches() },
    ]),
    printText('etcd_db_revision', 'gauge', 'Number of the last write.', [{ labels: {}, value: store.revision() }]),
  ].join('');
}
