import { connect as connectTls } from 'node:tls';
import { bundleText } from '../x509/bundle.js';
import { startDeadline } from './deadline.js';
import { type DialAddress, dial } from './dial.js';
import { performHandshake, secureContext } from './handshake.js';
import { asTransportError, type TransportError } from './transport-error.js';
import type { Wire } from './wire.js';

export interface ConnectionProbe {
  readonly address: DialAddress;
  readonly serverName: string;
  /** PEM; undefined for the roots that come with Node. */
  readonly caBundle: Uint8Array | undefined;
  readonly now: () => Date;
  readonly timeoutMs: number;
  /** Connects in place of a dialer. */
  readonly connect?: (() => Promise<Wire>) | undefined;
}

/** Result of a handshake. */
export interface Probed {
  /** Undefined if an API server would send its request. */
  readonly failure: TransportError | undefined;
  /** DER, the leaf first, in OpenSSL's order; empty if the server did not send any. */
  readonly chain: readonly Uint8Array[];
}

/** Does an API server's handshake without sending a request, and returns the server's certificates. */
export async function probeServer(probe: ConnectionProbe): Promise<Probed> {
  const failure = await tryHandshake(probe);
  const chain = failure !== undefined && ['dns', 'tcp', 'time'].includes(failure.failureClass) ? [] : await readShownChain(probe);
  return { failure, chain };
}

async function tryHandshake({
  address,
  serverName,
  caBundle,
  now,
  timeoutMs,
  connect,
}: ConnectionProbe): Promise<TransportError | undefined> {
  const deadline = startDeadline(timeoutMs);
  try {
    const wire = await (connect === undefined ? dial(address, deadline) : deadline.exclude(connect()));
    const bundle = caBundle && bundleText(caBundle);
    const settings = { serverName, bundle, insecureSkipVerify: false, offersHttp2: false, context: secureContext(undefined), now };
    await performHandshake(wire, settings, deadline);
    wire.socket.destroy();
    return undefined;
  } catch (error) {
    return asTransportError(error);
  } finally {
    deadline.stop();
  }
}

/** Does a second handshake that accepts every certificate. */
async function readShownChain({ address, serverName, timeoutMs, connect }: ConnectionProbe): Promise<Uint8Array[]> {
  const deadline = startDeadline(timeoutMs);
  try {
    const { socket } = await (connect === undefined ? dial(address, deadline) : deadline.exclude(connect()));
    return await new Promise(resolve => {
      const names = /^[\d.]+$|:/.test(serverName) ? {} : { servername: serverName };
      const secure = connectTls({ socket, rejectUnauthorized: false, ...names });
      const finish = (chain: Uint8Array[]) => {
        resolve(chain);
        secure.destroy();
        socket.destroy();
      };
      secure.once('secureConnect', () => finish(certificatesOf(secure.getPeerX509Certificate())));
      secure.once('error', () => finish([]));
      secure.once('close', () => finish([]));
      deadline.onOver(() => finish([]));
    });
  } catch (error) {
    asTransportError(error);
    return [];
  } finally {
    deadline.stop();
  }
}

interface LinkedCertificate {
  readonly raw: Uint8Array;
  readonly issuerCertificate?: LinkedCertificate | undefined;
}

function certificatesOf(leaf: LinkedCertificate | undefined): Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (
    let next = leaf;
    next !== undefined && !chain.some(der => Buffer.compare(der, next?.raw ?? der) === 0);
    next = next.issuerCertificate
  )
    chain.push(next.raw);
  return chain;
}
