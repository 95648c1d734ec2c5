import path from 'node:path';
import { Flags } from '@oclif/core';
import { findWebhookClients, type WebhookClient } from '../../src/certificates/webhook-clients.js';
import { nameFileInErrors, readUtf8Text } from '../../src/cli/commands/certs/certificate-flags.js';
import { verificationJson, verificationText } from '../../src/cli/commands/certs/verification-documents.js';
import { verifyAtServers } from '../../src/cli/commands/certs/verify-at-servers.js';
import { hasServingFiles, verifyBundle } from '../../src/cli/commands/certs/verify-bundles.js';
import {
  pairFinding,
  readFolderPair,
  type Verified,
  type VerifySettings,
  verifyByFiles,
  verifyFolder,
} from '../../src/cli/commands/certs/verify-certificates.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { clusterFlags } from '../../src/cli/options/call-flags.js';
import { described } from '../../src/cli/options/option-flags.js';
import { numberFlag, timeFlag, wordFlag } from '../../src/cli/options/values.js';
import { forwardFlags, webhookFlags } from '../../src/cli/options/webhook-flags.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../../src/cli/shell/exit-codes.js';
import { type ClusterFlags, choosesCluster } from '../../src/cli/work/cluster/cluster-flags.js';
import { readInputFiles } from '../../src/cli/work/input/files.js';
import { forwardNeedsCluster } from '../../src/cli/work/webhooks/services.js';
import { CliError } from '../../src/client/cli-error.js';
import type { Resolve, ServiceMapping } from '../../src/client/options/address-values.js';

const many = { multiple: true, multipleNonGreedy: true } as const;

/** Checks the caBundle of each webhook against its server's certificate. */
export default class CertsVerify extends BaseCommand {
  static override summary = 'Check caBundles against serving certificates by the rules of the API server.';

  static override description = [
    'Checks against the files of --cert-dir, or with --service or --resolve by a TLS handshake with the server, without',
    'sending a request. Without a serving certificate, checks the caBundles alone. Without -f and --context, checks the folder: certificate, key and CA.',
    'Messages are those of the API server.',
    'Exit code 1: there are findings; 4: a server could not be reached.',
  ].join(' ');

  static override examples = [
    { description: 'A configuration and the files in certs/', command: '<%= config.bin %> certs verify -f webhooks.yaml' },
    {
      description: 'A running server',
      command: '<%= config.bin %> certs verify -f webhooks.yaml --service team/webhook=https://localhost:9443',
    },
    {
      description: 'The webhooks of a cluster and the files in certs/',
      command: '<%= config.bin %> certs verify --context staging',
    },
    { description: 'Fail a build 30 days before expiry', command: '<%= config.bin %> certs verify --min-days 30' },
  ];

  static override flags = {
    filename: Flags.string({
      ...many,
      char: 'f',
      helpValue: 'FILE',
      description: 'configurations: files, folders, patterns or - for stdin',
    }),
    ...clusterFlags,
    ...forwardFlags,
    'cert-dir': Flags.string({ helpValue: 'PATH', description: 'the folder with tls.crt and tls.key; certs by default' }),
    service: described(webhookFlags.service, 'the address a service is listening at; * for any service'),
    resolve: described(webhookFlags.resolve, 'connect to this address for this host and port, as in curl'),
    at: timeFlag({ helpValue: 'TIME', description: 'check as of this time; now by default' }),
    'min-days': numberFlag({
      min: 0,
      max: 3650,
      default: 0,
      helpValue: 'N',
      description: 'report certificates that expire within this many days',
    }),
    output: wordFlag({ char: 'o', choices: ['text', 'json'], default: 'text', helpValue: 'text|json', description: 'how to print' }),
  };

  override async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(CertsVerify);
    const { now, stdout } = this.surroundings;
    const settings = { at: options.at ?? now(), minDays: options.minDays };
    const results = await this.verifyAll(options, settings);
    stdout.write(options.output === 'json' ? verificationJson(results, settings) : verificationText(results, settings));
    return gravestExitCode(results.map(exitCodeOf));
  }

  private async verifyAll(options: Given, settings: VerifySettings): Promise<Verified[]> {
    const { cwd } = this.surroundings;
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
    const clients = [...(await this.readClients(filename)), ...(await this.readClientsInCluster(options))];
    if (clients.length === 0) throw noClients();
    if (options.forward === true) return this.connectThroughCluster(clients, options, settings);
    if (byHandshake) return verifyAtServers(clients, { service, resolve }, settings);
    if (certDir === undefined && !hasServingFiles(folder, cwd)) return clients.map(client => verifyBundle(client, settings));
    const pair = readFolderPair(folder, cwd);
    const unusable = pairFinding(pair);
    return unusable === undefined || pair.leaf !== undefined
      ? [...(unusable === undefined ? [] : [unusable]), ...clients.map(client => verifyByFiles(client, pair, settings))]
      : [unusable];
  }

  private async connectThroughCluster(clients: readonly WebhookClient[], options: Given, settings: VerifySettings): Promise<Verified[]> {
    const { forwardingOf } = await import('../../src/cli/work/webhooks/forwarding.js');
    const { connectToService, close } = forwardingOf(options, this.surroundings);
    try {
      return await verifyAtServers(clients, { service: options.service ?? [], resolve: options.resolve ?? [], connectToService }, settings);
    } finally {
      close();
    }
  }

  private async readClients(filename: readonly string[]): Promise<WebhookClient[]> {
    const files = await readInputFiles({ flag: '--filename', paths: filename, recursive: false }, this.surroundings);
    const clients: WebhookClient[] = [];
    for (const { source, bytes } of files)
      clients.push(...(await nameFileInErrors(source, () => findWebhookClients(readUtf8Text(bytes, source)))));
    return clients;
  }

  private async readClientsInCluster(options: Given): Promise<WebhookClient[]> {
    if (!choosesCluster(options)) return [];
    const { readWebhookClientsInCluster } = await import('../../src/cli/commands/certs/clients-in-cluster.js');
    return readWebhookClientsInCluster(options, this.surroundings);
  }
}

function noClients(): CliError {
  return new CliError('no-objects', 'no webhook configuration, CRD with webhook conversion or APIService with a service found', {
    suggestions: ['pass its file with -f'],
  });
}

interface Given extends ClusterFlags {
  readonly filename?: readonly string[] | undefined;
  readonly service?: readonly ServiceMapping[] | undefined;
  readonly resolve?: readonly Resolve[] | undefined;
  readonly certDir?: string | undefined;
}

function exitCodeOf({ outcome }: Verified): ExitCode {
  if (outcome === 'unreachable') return exitCodes.callFailed;
  return outcome === 'refused' || outcome === 'endsSoon' ? exitCodes.refused : exitCodes.allowed;
}
