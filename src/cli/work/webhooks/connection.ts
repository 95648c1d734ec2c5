import { CliError } from '../../../client/cli-error.js';
import type { WebhookOptions } from '../../../client/options/webhook-options.js';
import type { Transport, TransportOptions } from '../../../transport/call-webhook.js';
import { readClientPair, readToken } from './connection-files.js';
import { mappedCalls } from './mapped-urls.js';
import { type AddressFlags, addressCheck } from './remote-addresses.js';

/** Flags of the connection to webhooks. */
export type ConnectionFlags = AddressFlags &
  Pick<
    WebhookOptions,
    'resolve' | 'serverName' | 'insecureSkipTlsVerify' | 'clientCertificate' | 'clientKey' | 'tokenFile' | 'header' | 'allowHttp'
  >;

/**
 * Longest time for which a connection is kept by a run of many calls. Servers close connections that are idle for some seconds, Node's after five; a program
 * that computes other calls notices that late, and the call that meets it would fail, which shows no bug of the webhook.
 */
const idleInRunMs = 500;

/** Opens a transport with the options of the flags. Imported lazily: it is slow to load. */
export async function openTransport(
  flags: ConnectionFlags & { readonly now?: Date | undefined },
  cwd: string,
  { keepConnections = false, maxIdleMs = idleInRunMs }: Pick<TransportOptions, 'keepConnections' | 'maxIdleMs'> = {},
): Promise<Transport> {
  const { createTransport } = await import('../../../transport/call-webhook.js');
  const { now } = flags;
  const transport = createTransport({
    ...transportOptions(flags, cwd),
    keepConnections,
    maxIdleMs,
    ...(now === undefined ? {} : { now: () => now }),
  });
  const serverName = flags.serverName;
  const mapped = mappedCalls(flags.urls ?? []);
  const named = serverName === undefined ? {} : { serverName };
  return { ...transport, callWebhook: (call, onStage) => transport.callWebhook({ ...mapped(call), ...named }, onStage) };
}

function transportOptions(flags: ConnectionFlags, cwd: string): TransportOptions {
  const token = flags.tokenFile;
  const clientCertificate = clientCertificateOf(flags, cwd);
  return {
    resolve: flags.resolve ?? [],
    headers: (flags.header ?? []).map(({ key, value }) => [key, value] as const),
    insecureSkipVerify: flags.insecureSkipTlsVerify ?? false,
    allowHttp: flags.allowHttp ?? false,
    checkAddress: addressCheck(flags),
    ...(token === undefined ? {} : { bearerToken: readToken(token, cwd) }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  };
}

function clientCertificateOf(flags: ConnectionFlags, cwd: string): TransportOptions['clientCertificate'] {
  const { clientCertificate: cert, clientKey: key } = flags;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new CliError('usage', '--client-certificate and --client-key must be given together');
  return readClientPair({ certificate: cert, key }, cwd);
}
