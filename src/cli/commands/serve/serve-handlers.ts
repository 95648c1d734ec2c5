import path from 'node:path';
import { isRefusedByOpenSsl } from '../../../certificates/serving-pair.js';
import { CliError } from '../../../client/cli-error.js';
import { ownMember } from '../../../go/own-members.js';
import { KeyPairError, type ServedKeyPair } from '../../../webhook-server/serving/key-pair.js';
import { jsonLine, type Log, loggerOf, textLine } from '../../../webhook-server/serving/log.js';
import { createWebhookServer, type RunnableWebhookServer, type ServerAddresses } from '../../../webhook-server/serving/webhook-server.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { listenReasons } from '../../work/serving/listen-reasons.js';
import { loadHandlers, registerHandlers } from './load-handlers.js';
import type { ServeFlags } from './serve-options.js';

const shutdownMs = 61_000;

/** Serves the handlers of a module as controller-runtime's server does, until the process is interrupted. */
export async function serveHandlers(file: string, flags: ServeFlags, surroundings: Surroundings): Promise<ExitCode> {
  const register = await loadHandlers(file, surroundings);
  const { server, log } = serverOf(flags, surroundings);
  await server.replace(target => registerHandlers(register, target, file));
  // Watching starts before the address is printed, because a reader of the address may change the module immediately.
  const unwatch = flags.watch === true ? await watchHandlers(file, { server, surroundings, log }) : () => undefined;
  const ended = waitUntilInterrupted(server, unwatch, surroundings);
  try {
    await start(server, { flags, log, surroundings });
  } catch (error) {
    unwatch();
    throw error;
  }
  return ended;
}

/** Creates a server with the options of the flags, and its log. `keyPair` replaces the files of the certificate. */
export function serverOf(
  flags: ServeFlags,
  { cwd, stderr }: Surroundings,
  keyPair?: ServedKeyPair,
): { readonly server: RunnableWebhookServer; readonly log: Log } {
  const log: Log = entry => stderr.write(flags.output === 'json' ? jsonLine(entry) : textLine(entry));
  const server = createWebhookServer({
    // Like every listener of this program: other machines only if the user says so.
    host: flags.host ?? '127.0.0.1',
    port: flags.port,
    certDir: flags.certDir === undefined ? undefined : path.resolve(cwd, flags.certDir),
    certName: flags.certName,
    keyName: flags.keyName,
    clientCaName: flags.clientCaName,
    certPollIntervalMs: flags.certPollIntervalMs,
    keyPair,
    metricsPort: flags.metricsPort,
    healthPort: flags.healthPort,
    log,
  });
  return { server, log };
}

interface Starting {
  readonly flags: ServeFlags;
  readonly log: Log;
  readonly surroundings: Surroundings;
}

async function start(server: RunnableWebhookServer, { flags, log, surroundings }: Starting): Promise<void> {
  const addresses = await startWebhookServer(server, flags, log);
  surroundings.stdout.write(flags.output === 'json' ? `${JSON.stringify(addresses)}\n` : addressLines(addresses));
}

/** Resolves when the process is interrupted and the server has stopped. */
export function waitUntilInterrupted(server: RunnableWebhookServer, unwatch: () => void, surroundings: Surroundings): Promise<ExitCode> {
  return new Promise(resolve => {
    const end = async (): Promise<void> => {
      unwatch();
      await server.stop();
      resolve(exitCodes.allowed);
    };
    surroundings.onInterrupt(end, { longestMs: shutdownMs });
  });
}

/** Returns the addresses, a line each; the webhook's is the first. */
export function addressLines({ webhook, metrics, health }: ServerAddresses): string {
  const more = [metrics, ...(health === undefined ? [] : [`${health}/healthz`, `${health}/readyz`])].filter(url => url !== undefined);
  return [webhook, ...more].map(url => `${url}\n`).join('');
}

/** Starts a server. Throws CliError for an address or a certificate that cannot be used. */
export async function startWebhookServer(server: RunnableWebhookServer, flags: ServeFlags, log: Log): Promise<ServerAddresses> {
  try {
    return await server.start();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    loggerOf(log, 'controller-runtime.webhook').error('problem running webhook server', message);
    throw startError(error, flags);
  }
}

function startError(error: unknown, flags: ServeFlags): unknown {
  if (error instanceof KeyPairError) {
    return new CliError('invalid-certificate', error.message, {
      location: { file: error.file },
      suggestions: ['create a pair with webhook-cli certs create', 'pass its folder with --cert-dir'],
      cause: error,
    });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = ownMember(listenReasons, code);
  if (reason !== undefined) {
    return new CliError('usage', `${flags.host ?? ''}:${flags.port ?? 9443}: ${reason}`, {
      suggestions: ['pass another --port or --host'],
      cause: error,
    });
  }
  if (!isRefusedByOpenSsl(error)) return error;
  return new CliError('invalid-certificate', error.message, {
    location: { file: flags.certDir ?? 'tls.crt' },
    cause: error,
  });
}

interface Watching {
  readonly server: RunnableWebhookServer;
  readonly surroundings: Surroundings;
  readonly log: Log;
}

/** Reloads the module when a file in its folder changes; errors are logged, and the previous handlers stay in use. */
async function watchHandlers(file: string, { server, surroundings, log }: Watching): Promise<() => void> {
  const { watchModules } = await import('./watch-modules.js');
  const logger = loggerOf(log, 'webhook-cli.handlers');
  let update = 0;
  return watchModules(path.resolve(surroundings.cwd, file), async () => {
    update += 1;
    try {
      const register = await loadHandlers(file, surroundings, update);
      await server.replace(target => registerHandlers(register, target, file));
      logger.info('Reloaded handlers', { file });
    } catch (error) {
      const place = error instanceof CliError && error.location !== undefined ? error.location : { file };
      logger.error('failed to reload handlers; keeping the old ones', error instanceof Error ? error.message : String(error), { ...place });
    }
  });
}
