import type { RestStorage } from '../../apiserver/handlers/rest-storage.js';
import { toValue, type ValueMap } from '../../go/value.js';

/**
 * The statuses of the scheduler and the controller manager, which are not there and refuse connections, and of a healthy etcd. Source:
 * kubernetes pkg/registry/core/componentstatus.
 */
export const componentStatuses: RestStorage = {
  list: () => [absent('controller-manager', 10257), status('etcd-0', 'True', 'ok'), absent('scheduler', 10259)],
};

function absent(name: string, port: number): ValueMap {
  const address = `127.0.0.1:${port}`;
  return status(name, 'False', `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`);
}

function status(name: string, healthy: 'True' | 'False', message: string): ValueMap {
  return toValue({
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name },
    conditions: [{ type: 'Healthy', status: healthy, message }],
  }) as ValueMap;
}
