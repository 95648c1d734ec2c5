import { findWebhookClients, type WebhookClient } from '../../../certificates/webhook-clients.js';
import { configurationKinds, definitionKind, readKinds } from '../../../cluster/reading/whole-kinds.js';
import { writeValue } from '../../../go/json/write.js';
import type { Value } from '../../../go/value.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import type { ClusterFlags } from '../../work/cluster/cluster-flags.js';
import { type ClusterSurroundings, openCluster } from '../../work/cluster/open-cluster.js';

/** Reads everything of a cluster that names a CA: webhook configurations, definitions and API services. Rejects with CliError. */
export async function readWebhookClientsInCluster(flags: ClusterFlags, surroundings: ClusterSurroundings): Promise<WebhookClient[]> {
  const { client, minor } = openCluster(flags, surroundings);
  const services = { group: 'apiregistration.k8s.io', kind: 'APIService' };
  const items = await readKinds(apiServers({ minor: await minor() }), client, [...configurationKinds, definitionKind, services]);
  const list = new Map<string, Value>([
    ['kind', 'List'],
    ['items', items],
  ]);
  return findWebhookClients(writeValue(list, 'kept'));
}
