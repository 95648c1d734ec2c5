import { clientSessionId, readServerHello, type ServerHello, tls12, tls13 } from './server-hello.js';
import { alerts, localAlert, remoteAlert } from './tls-alerts.js';
import { asTransportError, endOfStream, TransportError } from './transport-error.js';

/** Watches the records of a server on their way to OpenSSL, which lacks Go's messages and some of Go's rules. */
export interface RecordWatch {
  /** Observes outgoing bytes, of which only the first record matters. */
  sent(bytes: Buffer): void;
  /** Observes incoming bytes; returns the error with which Go would end the connection. */
  take(bytes: Buffer): TransportError | undefined;
  /** Returns whether the bytes so far end inside a record. */
  isInsideRecord(): boolean;
  /** Returns the server's choices once they are known. */
  serverHello(): ServerHello | undefined;
  /** Returns the protected records of a TLS 1.3 handshake, whole, with headers; kept until the handshake is done. */
  protectedRecords(): readonly Buffer[];
  /** Marks the handshake as done: from here on only record boundaries matter. */
  handshakeDone(): void;
}

/**
 * `onCertificate` gets the body of the Certificate message that TLS 1.2 sends in the clear, before anything after it is inspected; its
 * error ends the connection, too. Source of the rules: Go crypto/tls readRecordOrCCS, readHandshake.
 */
export function watchRecords(onCertificate: (message: Buffer) => TransportError | undefined): RecordWatch {
  const state: State = {
    sessionId: empty,
    hello: undefined,
    onCertificate,
    handshake: empty,
    sealed: false,
    done: false,
    protectedRecords: [],
    ignored: 0,
  };
  let pending: Buffer = empty;
  let hasSent = false;

  return {
    sent(bytes) {
      if (!hasSent) state.sessionId = clientSessionId(bytes) ?? empty;
      hasSent = true;
    },
    take(bytes) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      try {
        while (pending.length >= headerLength) {
          const length = checkHeader(pending, state);
          if (pending.length < headerLength + length) break;
          const record = pending.subarray(0, headerLength + length);
          pending = pending.subarray(headerLength + length);
          if (!state.done) takeRecord(record, state);
        }
      } catch (error) {
        return asTransportError(error);
      }
      return undefined;
    },
    isInsideRecord: () => pending.length > 0,
    serverHello: () => state.hello,
    protectedRecords: () => state.protectedRecords,
    handshakeDone() {
      state.done = true;
      state.protectedRecords = [];
    },
  };
}

interface State {
  /** Of the client. */
  sessionId: Buffer;
  hello: ServerHello | undefined;
  readonly onCertificate: (message: Buffer) => TransportError | undefined;
  /** Plaintext handshake bytes of an incomplete message. */
  handshake: Buffer;
  /** From here on records are encrypted. */
  sealed: boolean;
  done: boolean;
  protectedRecords: Buffer[];
  ignored: number;
}

const empty: Buffer = Buffer.alloc(0);
const headerLength = 5;
const recordTypes = { changeCipherSpec: 20, alert: 21, handshake: 22, applicationData: 23 } as const;
const messageTypes = { serverHello: 2, certificate: 11 } as const;

/** Returns the length of a record; fails where Go fails before it has read the rest. */
function checkHeader(bytes: Buffer, { hello, done }: State): number {
  const type = bytes[0] ?? 0;
  const version = bytes.readUInt16BE(1);
  const length = bytes.readUInt16BE(3);
  if (!done && type === 0x80) throw headerError(bytes, 'unsupported SSLv2 handshake received');
  if (hello !== undefined && version !== tls12) {
    throw headerError(bytes, `received record with version ${version.toString(16)} when expecting version ${tls12.toString(16)}`);
  }
  if (hello === undefined && ((type !== recordTypes.alert && type !== recordTypes.handshake) || version >= 0x1000)) {
    throw headerError(bytes, 'first record does not look like a TLS handshake');
  }
  const longest = hello?.version === tls13 ? 16_384 + 256 : 16_384 + 2_048;
  if (length > longest) throw headerError(bytes, `oversized record received with length ${length}`);
  return length;
}

/** Go reports a plain-HTTP reply when the TLS record header is invalid. Source: Go net/http send. */
function headerError(bytes: Buffer, why: string): TransportError {
  const isHttp = bytes.subarray(0, headerLength).toString('latin1') === 'HTTP/';
  return new TransportError('tls', isHttp ? 'http: server gave HTTP response to HTTPS client' : `tls: ${why}`);
}

function takeRecord(record: Buffer, state: State): void {
  const type = record[0] ?? 0;
  const data = record.subarray(headerLength);
  if (state.sealed) takeSealed(type, record, state);
  else if (data.length > 16_384) throw localAlert(alerts.recordOverflow);
  else if (type === recordTypes.alert) takeAlert(data, state);
  else if (type === recordTypes.changeCipherSpec) takeChangeCipherSpec(data, state);
  else if (type === recordTypes.handshake && data.length > 0) takeMessages(data, state);
  else throw localAlert(alerts.unexpectedMessage);
}

function takeSealed(type: number, record: Buffer, state: State): void {
  if (state.hello?.version === tls13 && type === recordTypes.applicationData) state.protectedRecords.push(record);
}

function takeAlert(data: Buffer, state: State): void {
  const [level, code] = data;
  if (data.length !== 2 || code === undefined) throw localAlert(alerts.unexpectedMessage);
  if (code === 0) throw endOfStream();
  if (level === 2) throw remoteAlert(code);
  if (level !== 1) throw localAlert(alerts.unexpectedMessage);
  state.ignored += 1;
  if (state.ignored > maxIgnored) throw new TransportError('tls', 'tls: too many ignored records');
}

/** Source: Go crypto/tls maxUselessRecords. */
const maxIgnored = 16;

function takeChangeCipherSpec(data: Buffer, state: State): void {
  if (data.length !== 1 || data[0] !== 1) throw localAlert(alerts.decodeError);
  if (state.handshake.length > 0) throw localAlert(alerts.unexpectedMessage);
  // TLS 1.3 sends it only for middleboxes; encryption starts with the ServerHello there.
  if (state.hello?.version !== tls13) state.sealed = true;
}

function takeMessages(data: Buffer, state: State): void {
  state.handshake = Buffer.concat([state.handshake, data]);
  while (state.handshake.length >= 4 && !state.sealed) {
    const type = state.handshake[0] ?? 0;
    const length = state.handshake.readUIntBE(1, 3);
    const longest = state.hello !== undefined && type === messageTypes.certificate ? 262_144 : 65_536;
    if (length > longest) throw tooLong(length, longest);
    if (state.handshake.length < 4 + length) return;
    const body = state.handshake.subarray(4, 4 + length);
    state.handshake = state.handshake.subarray(4 + length);
    takeMessage(type, body, state);
  }
}

function tooLong(length: number, longest: number): TransportError {
  return new TransportError('tls', `tls: handshake message of length ${length} bytes exceeds maximum of ${longest} bytes`);
}

function takeMessage(type: number, body: Buffer, state: State): void {
  if (!messageNames.has(type)) throw localAlert(alerts.unexpectedMessage);
  if (state.hello === undefined || state.hello.version === tls13) {
    if (type !== messageTypes.serverHello) throw unexpected(type, body);
    state.hello = readServerHello(body, state.sessionId);
    if (state.hello === undefined) throw localAlert(alerts.decodeError);
    // In TLS 1.3 everything after it is encrypted.
    state.sealed = state.hello.version === tls13 && !state.hello.isRetryRequest;
  } else if (type === messageTypes.certificate) {
    const fault = state.onCertificate(body);
    if (fault !== undefined) throw fault;
  }
}

function unexpected(type: number, body: Buffer): TransportError {
  const fits = body.length === 0 ? mayBeEmpty.has(type) : takesAnything.has(type);
  if (!fits) return localAlert(alerts.decodeError);
  const name = messageNames.get(type);
  return new TransportError(
    'tls',
    `tls: received unexpected handshake message of type *tls.${name}Msg when waiting for *tls.serverHelloMsg`,
  );
}

/** Messages that accept any bytes; others are assumed to be invalid as the first message. */
const takesAnything: ReadonlySet<number> = new Set([12, 16, 20]);
const mayBeEmpty: ReadonlySet<number> = new Set([0, 5, 14, 16, 20]);

/** Names of Go's handshake message types before a version is negotiated. */
const messageNames: ReadonlyMap<number, string> = new Map([
  [0, 'helloRequest'],
  [1, 'clientHello'],
  [2, 'serverHello'],
  [4, 'newSessionTicket'],
  [5, 'endOfEarlyData'],
  [8, 'encryptedExtensions'],
  [11, 'certificate'],
  [12, 'serverKeyExchange'],
  [13, 'certificateRequest'],
  [14, 'serverHelloDone'],
  [15, 'certificateVerify'],
  [16, 'clientKeyExchange'],
  [20, 'finished'],
  [22, 'certificateStatus'],
  [24, 'keyUpdate'],
]);
