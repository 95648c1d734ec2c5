import type { WebhookClient } from '../../../certificates/webhook-clients.js';
import { CliError } from '../../../client/cli-error.js';
import type { Address, Resolve, ServiceMapping } from '../../../client/options/address-values.js';
import { probeServer } from '../../../transport/probe.js';
import { serviceAddresses } from '../../work/webhooks/services.js';
import { type Destination, destinationOf, type Verified, type VerifySettings, verifyByHandshake } from './verify-certificates.js';

/** Addresses that servers are listening at. */
export interface Places {
  readonly service: readonly ServiceMapping[];
  readonly resolve: readonly Resolve[];
}

const timeoutMs = 10_000;

/** Verifies each webhook by a TLS handshake with its server, sequentially. Throws CliError for a service without an address. */
export async function verifyAtServers(clients: readonly WebhookClient[], places: Places, settings: VerifySettings): Promise<Verified[]> {
  const addressOf = serviceAddresses(places.service);
  const overrides = places.resolve;
  const results: Verified[] = [];
  for (const client of clients) {
    const destination = destinationOf(client);
    const address = typeof destination === 'string' ? undefined : placeOf(client, destination, { addressOf, overrides });
    if (typeof destination === 'string' || address === undefined) {
      results.push(verifyByHandshake(client, { failure: undefined, chain: [], source: '' }, settings));
      continue;
    }
    const caBundle = client.caBundle === undefined ? undefined : Buffer.from(client.caBundle, 'base64');
    const probed = await probeServer({ address, serverName: destination.serverName, caBundle, now: () => settings.at, timeoutMs });
    results.push(verifyByHandshake(client, { ...probed, source: shown(address) }, settings));
  }
  return results;
}

interface Known {
  readonly addressOf: ReturnType<typeof serviceAddresses>;
  readonly overrides: readonly Resolve[];
}

function placeOf({ service }: WebhookClient, { address, serverName }: Destination, { addressOf, overrides }: Known): Address | undefined {
  const end = service === undefined ? address : { host: serverName, port: service.port };
  const override = overrides.find(({ host, port }) => end !== undefined && host === end.host.toLowerCase() && port === end.port);
  if (override !== undefined) return { host: override.address, port: override.port };
  if (service === undefined) return address;
  const mapped = addressOf({ namespace: service.namespace, name: service.name, port: service.port });
  if (mapped !== undefined) return mapped;
  const name = `${service.namespace}/${service.name}`;
  throw new CliError('incomplete-state', `unknown address of the service ${name}`, {
    suggestions: [`pass --service ${name}=https://127.0.0.1:8443`],
  });
}

function shown({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
