import type { WebhookClient } from '../../../certificates/webhook-clients.js';
import { CliError } from '../../../client/cli-error.js';
import type { Resolve, ServiceMapping } from '../../../client/options/address-values.js';
import { joinHostPort } from '../../../go/net/host-port.js';
import type { WebhookAddress } from '../../../kubernetes/webhook-call.js';
import type { TransportOptions } from '../../../transport/call-webhook.js';
import { type ConnectionProbe, type Probed, probeServer } from '../../../transport/probe.js';
import { TransportError } from '../../../transport/transport-error.js';
import { shellWord } from '../../../writers/shell.js';
import { clusterAddress, serviceAddresses } from '../../work/webhooks/services.js';
import { type Destination, destinationOf, type Verified, type VerifySettings, verifyByHandshake } from './verify-certificates.js';

/** Addresses that servers are listening at. */
export interface Places {
  readonly service: readonly ServiceMapping[];
  readonly resolve: readonly Resolve[];
  /** Connects to services of the cluster that have no other address. */
  readonly connectToService?: TransportOptions['connectToService'];
}

const timeoutMs = 10_000;

/** Verifies each webhook by a TLS handshake with its server, sequentially. Throws CliError for a service without an address. */
export async function verifyAtServers(clients: readonly WebhookClient[], places: Places, settings: VerifySettings): Promise<Verified[]> {
  const addressOf = serviceAddresses(places.service);
  const overrides = places.resolve;
  const results: Verified[] = [];
  for (const client of clients) {
    const destination = destinationOf(client);
    const known = { addressOf, overrides, forwards: places.connectToService !== undefined };
    const address = typeof destination === 'string' ? undefined : placeOf(client, destination, known);
    if (typeof destination === 'string' || address === undefined) {
      results.push(verifyByHandshake(client, { failure: undefined, chain: [], source: '' }, settings));
      continue;
    }
    const caBundle = client.caBundle === undefined ? undefined : Buffer.from(client.caBundle, 'base64');
    const connect = connectionTo(address, places);
    const probe = { address, serverName: destination.serverName, caBundle, now: () => settings.at, timeoutMs, connect };
    const probed = await probeServer(probe).catch(unreachablePod);
    results.push(verifyByHandshake(client, { ...probed, source: joinHostPort(address.host, address.port) }, settings));
  }
  return results;
}

function connectionTo({ inCluster }: WebhookAddress, { connectToService }: Places): ConnectionProbe['connect'] {
  return inCluster === undefined || connectToService === undefined ? undefined : () => connectToService(inCluster);
}

/** A service without a pod that answers is a result; a user who may not forward ports is an error. */
function unreachablePod(error: unknown): Probed {
  if (!(error instanceof CliError) || !['incomplete-state', 'forward-failed'].includes(error.code)) throw error;
  return { failure: new TransportError('tcp', error.message), chain: [] };
}

interface Known {
  readonly forwards: boolean;
  readonly addressOf: ReturnType<typeof serviceAddresses>;
  readonly overrides: readonly Resolve[];
}

function placeOf(
  { service }: WebhookClient,
  { address, serverName }: Destination,
  { addressOf, overrides, forwards }: Known,
): WebhookAddress | undefined {
  const end = service === undefined ? address : { host: serverName, port: service.port };
  const override = overrides.find(({ host, port }) => end !== undefined && host === end.host.toLowerCase() && port === end.port);
  if (override !== undefined) return { host: override.address, port: override.port };
  if (service === undefined) return address;
  const mapped = addressOf({ namespace: service.namespace, name: service.name, port: service.port });
  if (mapped !== undefined) return mapped;
  if (forwards) return clusterAddress(service);
  const name = `${service.namespace}/${service.name}`;
  throw new CliError('incomplete-state', `unknown address of the service ${name}`, {
    suggestions: [`pass --service ${shellWord(`${name}=https://127.0.0.1:8443`)}`],
  });
}
