import { constants } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { goCipherSuites } from '../go/cipher-suites.js';
import { lazy } from '../kubernetes/memoize.js';
import type { KeyPairText } from '../x509/key-pair.js';
import { peerCertificateError } from '../x509/verify-chain.js';
import { type Connection, connectionOver } from './connection.js';
import type { Deadline } from './deadline.js';
import { certificatesInMessage, certificatesInRecords } from './server-certificates.js';
import { type Tap, tapInto } from './tap.js';
import { alerts, localAlert, remoteAlert } from './tls-alerts.js';
import { type RecordWatch, watchRecords } from './tls-records.js';
import { endOfStream, TransportError, unexpectedEndOfStream } from './transport-error.js';
import type { Wire } from './wire.js';

export interface TlsSettings {
  /** Name in SNI (unless it is an IP address) and in the certificate. */
  readonly serverName: string;
  /** PEM text; undefined for the machine's roots. */
  readonly bundle: string | undefined;
  readonly insecureSkipVerify: boolean;
  /** Offer HTTP/2, too. */
  readonly offersHttp2: boolean;
  readonly context: SecureContext;
  /** Time at which certificates must be valid. */
  readonly now: () => Date;
}

/** TLS connection to a trusted server, with its certificates in DER; HTTP/2 needs the socket itself. */
export type SecureWire = { readonly certificates: readonly Uint8Array[] } & (
  | { readonly protocol: 'http/1.1'; readonly connection: Connection }
  | ({ readonly protocol: 'h2' } & Http2Wire)
);

/** TLS socket for HTTP/2, with the state that Node does not report. */
export interface Http2Wire {
  readonly socket: TLSSocket;
  readonly wire: Wire;
  /** Resolves when the underlying wire ends. */
  readonly ended: Promise<void>;
  /** Returns why it ended; undefined for a regular end. */
  failure(error?: Error): TransportError | undefined;
}

/**
 * Does Go's TLS handshake: offers its versions, cipher suites, curves and ALPN, applies its rules to the response, and returns its
 * messages. OpenSSL does the cryptography. {@link watchRecords} sees the bytes first, since OpenSSL cannot tell an SSH banner from a
 * broken record. OpenSSL trusts every certificate: {@link peerCertificateError} decides, before any byte of the request is written.
 */
export function performHandshake(wire: Wire, settings: TlsSettings, deadline: Deadline): Promise<SecureWire> {
  return new Promise((resolve, reject) => {
    const records = watchRecords(clearFault);
    const secrets: Buffer[] = [];
    let certificates: readonly Uint8Array[] = [];
    const tap = tapInto(wire, { sent: records.sent, received, stopped: fail });
    const socket = connectTls(tlsOptions(tap, settings));
    const timer = setTimeout(() => fail(new TransportError('time', 'net/http: TLS handshake timeout')), handshakeTimeoutMs);
    const forget = deadline.onOver(fail);
    socket.on('keylog', line => secrets.push(line));
    socket.once('close', () => fail(endingOf(tap, records) ?? endOfStream()));
    socket.on('error', error => fail(sealedFault() ?? faultOf(error, tap, records)));
    socket.once('secureConnect', () => {
      const fault = sealedFault();
      if (fault !== undefined) return fail(fault);
      settle();
      records.handshakeDone();
      tap.opened();
      const failure = (error?: Error) => (error === undefined ? endingOf(tap, records) : faultOf(error, tap, records));
      if (socket.alpnProtocol === 'h2') resolve({ protocol: 'h2', certificates, socket, wire, ended: tap.ended, failure });
      else resolve({ protocol: 'http/1.1', certificates, connection: connectionOver(socket, wire, failure) });
    });

    /** OpenSSL gets no bytes before Go's rules accept the ServerHello. */
    function received(bytes: Buffer): 'pass' | 'wait' | TransportError {
      return records.take(bytes) ?? (records.serverHello() === undefined ? 'wait' : 'pass');
    }
    /** TLS 1.2 sends certificates in the clear: like Go, the client sends nothing to an untrusted server. */
    function clearFault(message: Buffer): TransportError | undefined {
      certificates = certificatesInMessage(message);
      return certificateFault(certificates, settings);
    }
    /** TLS 1.3 certificates are readable once the keys are known. */
    function sealedFault(): TransportError | undefined {
      if (certificates.length > 0) return undefined;
      certificates = certificatesInRecords(records, secrets);
      return certificates.length === 0 ? undefined : certificateFault(certificates, settings);
    }
    function settle(): void {
      clearTimeout(timer);
      forget();
    }
    function fail(error: TransportError): void {
      settle();
      reject(error);
      socket.destroy();
      wire.socket.destroy();
    }
  });
}

/** Source: Go net/http DefaultTransport and client-go, TLSHandshakeTimeout. */
const handshakeTimeoutMs = 10_000;

/**
 * Creates the context with Go's TLS parameters. One context serves all connections: it holds the client certificate. Source: Go crypto/tls
 * defaults.go.
 */
export function secureContext(client: KeyPairText | undefined): SecureContext {
  return client === undefined ? anonymousContext() : newContext(client);
}

/** Memoized for all transports of a process: creating a context takes longer than a call. */
const anonymousContext = lazy(() => newContext(undefined));

function newContext(client: KeyPairText | undefined): SecureContext {
  return createSecureContext({
    // OpenSSL must accept everything: no roots of its own, no min key size.
    ca: [],
    ciphers: `${goCipherSuites}:@SECLEVEL=0`,
    ecdhCurve: 'X25519:P-256:P-384:P-521',
    sigalgs: signatureAlgorithms.join(':'),
    minVersion: 'TLSv1.2',
    // Go never renegotiates, so it accepts servers without secure renegotiation.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
  });
}

const signatureAlgorithms = [
  'rsa_pss_rsae_sha256',
  'ecdsa_secp256r1_sha256',
  'ed25519',
  'rsa_pss_rsae_sha384',
  'rsa_pss_rsae_sha512',
  'rsa_pkcs1_sha256',
  'rsa_pkcs1_sha384',
  'rsa_pkcs1_sha512',
  'ecdsa_secp384r1_sha384',
  'ecdsa_secp521r1_sha512',
  'RSA+SHA1',
  'ECDSA+SHA1',
];

function tlsOptions(tap: Tap, { serverName, offersHttp2, context }: TlsSettings): ConnectionOptions {
  return {
    socket: tap.stream,
    secureContext: context,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ALPNProtocols: offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    ...sni(serverName),
  };
}

/** Source: Go crypto/tls hostnameInSNI. */
function sni(serverName: string): { servername?: string } {
  const host = /^\[.*\]$/.test(serverName) ? serverName.slice(1, -1) : serverName;
  if (isIP(host.replace(/%.*$/, '')) !== 0) return {};
  const name = host.replace(/\.+$/, '');
  return name === '' ? {} : { servername: name };
}

function certificateFault(chain: readonly Uint8Array[], settings: TlsSettings): TransportError | undefined {
  if (settings.insecureSkipVerify) return undefined;
  const { bundle, serverName, now } = settings;
  const fault = peerCertificateError({ chain, bundle, serverName, at: now() });
  return fault === undefined ? undefined : new TransportError('tls', fault);
}

/** Returns how the stream ended if OpenSSL has no error; undefined for an end between two records. Source: Go crypto/tls readRecord. */
function endingOf(tap: Tap, records: RecordWatch): TransportError | undefined {
  return tap.failure() ?? (records.isInsideRecord() ? unexpectedEndOfStream() : undefined);
}

function faultOf(error: Error, tap: Tap, records: RecordWatch): TransportError {
  const alert = /SSL alert number (\d+)/.exec(error.message);
  if (alert !== null) return remoteAlert(Number(alert[1]));
  const { code, reason } = error as NodeJS.ErrnoException & { reason?: string };
  if (code === 'ECONNRESET' || code === 'EPIPE') return endingOf(tap, records) ?? endOfStream();
  return localFaults.get(reason ?? '') ?? new TransportError('tls', `tls: ${reason ?? error.message}`);
}

/** Errors that OpenSSL finds only after decryption. */
const localFaults: ReadonlyMap<string, TransportError> = new Map([
  ['decryption failed or bad record mac', localAlert(alerts.badRecordMac)],
  ['unexpected message', localAlert(alerts.unexpectedMessage)],
]);
