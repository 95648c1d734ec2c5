import path from 'node:path';
import { findWebhookClients, type WebhookClient } from '../../../certificates/webhook-clients.js';
import { CliError } from '../../../client/cli-error.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { choosesCluster } from '../../work/cluster/cluster-flags.js';
import { readInputFiles } from '../../work/input/files.js';
import { forwardNeedsCluster } from '../../work/webhooks/services.js';
import { inFile, utf8Text } from './certificate-files.js';
import type { VerifyOptions } from './certificate-options.js';
import { verificationJson, verificationText } from './verification-documents.js';
import { verifyAtServers } from './verify-at-servers.js';
import { hasServingFiles, verifyBundle } from './verify-bundles.js';
import { pairFinding, readFolderPair, type Verified, type VerifySettings, verifyByFiles, verifyFolder } from './verify-certificates.js';

/** Checks the caBundles of webhooks, and prints the findings; 1 with findings, 4 if a server could not be reached. Throws CliError. */
export async function runVerify(options: VerifyOptions, surroundings: Surroundings): Promise<ExitCode> {
  const settings = { at: options.at ?? surroundings.now(), minDays: options.minDays };
  const results = await verifyWebhooks(options, settings, surroundings);
  surroundings.stdout.write(options.output === 'json' ? verificationJson(results, settings) : verificationText(results, settings));
  return gravestExitCode(results.map(exitCodeOf));
}

async function verifyWebhooks(options: VerifyOptions, settings: VerifySettings, surroundings: Surroundings): Promise<Verified[]> {
  const { cwd } = surroundings;
  const { filename = [], service = [], resolve = [], certDir } = options;
  const folder = certDir ?? 'certs';
  const byHandshake = service.length > 0 || resolve.length > 0;
  if (options.forward === true && !choosesCluster(options)) throw forwardNeedsCluster();
  if (filename.length === 0 && !choosesCluster(options)) {
    if (byHandshake)
      throw new CliError('usage', '--service and --resolve need webhook configurations', {
        suggestions: ['pass them with -f', 'those of a cluster with --context'],
      });
    return verifyFolder(path.normalize(folder).replace(/(?<=.)\/$/, ''), cwd, settings);
  }
  const clients = [...(await readClients(filename, surroundings)), ...(await clientsInCluster(options, surroundings))];
  if (clients.length === 0) throw noClients();
  if (options.forward === true) return verifyThroughCluster(clients, options, settings, surroundings);
  if (byHandshake) return verifyAtServers(clients, { service, resolve }, settings);
  if (certDir === undefined && !hasServingFiles(folder, cwd)) return clients.map(client => verifyBundle(client, settings));
  const pair = readFolderPair(folder, cwd);
  const unusable = pairFinding(pair);
  return unusable === undefined || pair.leaf !== undefined
    ? [...(unusable === undefined ? [] : [unusable]), ...clients.map(client => verifyByFiles(client, pair, settings))]
    : [unusable];
}

async function verifyThroughCluster(
  clients: readonly WebhookClient[],
  options: VerifyOptions,
  settings: VerifySettings,
  surroundings: Surroundings,
): Promise<Verified[]> {
  const { forwardingOf } = await import('../../work/webhooks/forwarding.js');
  const { connectToService, close } = forwardingOf(options, surroundings);
  try {
    return await verifyAtServers(clients, { service: options.service ?? [], resolve: options.resolve ?? [], connectToService }, settings);
  } finally {
    close();
  }
}

async function readClients(filename: readonly string[], surroundings: Surroundings): Promise<WebhookClient[]> {
  const files = await readInputFiles({ flag: '--filename', paths: filename, recursive: false }, surroundings);
  const clients: WebhookClient[] = [];
  for (const { source, bytes } of files) clients.push(...(await inFile(source, () => findWebhookClients(utf8Text(bytes, source)))));
  return clients;
}

async function clientsInCluster(options: VerifyOptions, surroundings: Surroundings): Promise<WebhookClient[]> {
  if (!choosesCluster(options)) return [];
  const { readWebhookClientsInCluster } = await import('./clients-in-cluster.js');
  return readWebhookClientsInCluster(options, surroundings);
}

function noClients(): CliError {
  return new CliError('no-objects', 'no webhook configuration, CRD with webhook conversion or APIService with a service found', {
    suggestions: ['pass its file with -f'],
  });
}

function exitCodeOf({ outcome }: Verified): ExitCode {
  if (outcome === 'unreachable') return exitCodes.callFailed;
  return outcome === 'refused' || outcome === 'endsSoon' ? exitCodes.refused : exitCodes.allowed;
}
