import { CliError } from '../../../client/cli-error.js';
import type { ReproducingFlags } from '../../../client/options/call-options.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { Transport, TransportOptions } from '../../../transport/call-webhook.js';
import type { ClusterSurroundings } from '../cluster/open-cluster.js';
import { readClientPair, readToken } from './connection-files.js';
import type { ForwardFlags, Forwarding } from './forwarding.js';
import { mappedCalls } from './mapped-urls.js';
import { type AddressFlags, addressCheck } from './remote-addresses.js';
import { unreachableService } from './services.js';

/** Flags of the connection to webhooks. */
export type ConnectionFlags = AddressFlags &
  Pick<
    WebhookFlagOptions,
    'resolve' | 'serverName' | 'insecureSkipTlsVerify' | 'clientCertificate' | 'clientKey' | 'tokenFile' | 'header' | 'allowHttp'
  >;

/**
 * Longest time for which a connection is kept by a run of many calls. Servers close connections that are idle for some seconds, Node's after five; a program
 * that computes other calls notices that late, and the call that meets it would fail, which shows no bug of the webhook.
 */
const idleInRunMs = 500;

/** Opens a transport with the options of the flags. Imported lazily: it is slow to load. */
export async function openTransport(
  flags: ConnectionFlags & ForwardFlags & Pick<ReproducingFlags, 'now'>,
  surroundings: ClusterSurroundings,
  { keepConnections = false, maxIdleMs = idleInRunMs, canForward = true }: TransportChoice = {},
): Promise<Transport> {
  const forwarding = flags.forward === true ? await openForwarding(flags, surroundings) : undefined;
  const { createTransport } = await import('../../../transport/call-webhook.js');
  const { now } = flags;
  const transport = createTransport({
    ...transportOptions(flags, surroundings.cwd),
    connectToService: forwarding?.connectToService ?? (service => Promise.reject(unreachableService(service, canForward))),
    // A connection through the API server takes longer to make than most calls.
    keepConnections: keepConnections || forwarding !== undefined,
    ...(forwarding === undefined ? { maxIdleMs } : {}),
    ...(now === undefined ? {} : { now: () => now }),
  });
  const serverName = flags.serverName;
  const mapped = mappedCalls(flags.urls ?? []);
  const named = serverName === undefined ? {} : { serverName };
  const callWebhook: CallWebhook = (call, onStage) => transport.callWebhook({ ...mapped(call), ...named }, onStage);
  if (forwarding === undefined) return { ...transport, callWebhook };
  const close = async (): Promise<void> => {
    await transport.close();
    forwarding.close();
  };
  return { callWebhook: forwarding.overPods(callWebhook), close };
}

/** How connections are used. */
interface TransportChoice extends Pick<TransportOptions, 'keepConnections' | 'maxIdleMs'> {
  /** Whether the command has `--forward`. */
  readonly canForward?: boolean;
}

async function openForwarding(flags: ForwardFlags, surroundings: ClusterSurroundings): Promise<Forwarding> {
  const { forwardingOf } = await import('./forwarding.js');
  return forwardingOf(flags, surroundings);
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
