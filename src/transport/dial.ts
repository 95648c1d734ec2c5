import { type AddressInfo, connect, isIPv4, type Socket } from 'node:net';
import { joinHostPort } from '../go/net/host-port.js';
import { awaitBeforeDeadline, type Deadline } from './deadline.js';
import { lookUpAddresses } from './lookup.js';
import { systemErrorText } from './system-errors.js';
import { TransportError } from './transport-error.js';
import { brokenWire, type Wire } from './wire.js';

/** Network functions of a dialer; tests replace them. */
export interface Network {
  readonly addressesOf: (host: string) => Promise<readonly string[]>;
  readonly connect: (address: DialAddress) => Socket;
}

const machine: Network = {
  addressesOf: lookUpAddresses,
  connect: address => connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000, allowHalfOpen: true }),
};

export interface DialAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Connects like Go's dialer: addresses of one family one after the other, each with its share of the time; the other family starts after
 * 300 ms or when the first one has failed. Fails with a {@link TransportError} with Go's message for the first address. Source: Go net
 * dialParallel, dialSerial.
 */
export async function dial({ host, port }: DialAddress, deadline: Deadline, network: Network = machine): Promise<Wire> {
  if (port < 0 || port > 65535) throw new TransportError('tcp', `dial tcp: address ${port}: invalid port`);
  const addresses = await awaitBeforeDeadline(network.addressesOf(host), deadline);
  const [first] = addresses;
  if (first === undefined) throw new TransportError('tcp', 'dial tcp: missing address');
  const primaries = addresses.filter(each => isIPv4(each) === isIPv4(first));
  const fallbacks = addresses.filter(each => isIPv4(each) !== isIPv4(first));
  const attempt: Attempt = { port, deadline, network, cancel: new Set() };
  try {
    if (fallbacks.length === 0) return await dialSerial(primaries, attempt);
    return await race(
      () => dialSerial(primaries, attempt),
      () => dialSerial(fallbacks, attempt),
    );
  } finally {
    for (const cancel of attempt.cancel) cancel();
  }
}

interface Attempt {
  readonly port: number;
  readonly deadline: Deadline;
  readonly network: Network;
  /** Cancels pending connects. */
  readonly cancel: Set<() => void>;
}

function race(primary: () => Promise<Wire>, fallback: () => Promise<Wire>): Promise<Wire> {
  return new Promise((resolve, reject) => {
    let started = false;
    const second = (firstFailure: Promise<unknown>): void => {
      if (started) return;
      started = true;
      fallback().then(resolve, () => firstFailure.then(reject));
    };
    const first = primary();
    const failure = new Promise(fail => first.catch(fail));
    const timer = setTimeout(() => second(failure), fallbackDelayMs);
    first.then(resolve, () => second(failure)).finally(() => clearTimeout(timer));
  });
}

const fallbackDelayMs = 300;

async function dialSerial(addresses: readonly string[], attempt: Attempt): Promise<Wire> {
  let firstFailure: unknown;
  for (const [index, address] of addresses.entries()) {
    try {
      return await dialSingle(address, attempt, shareOf(attempt.deadline.remainingMs(), addresses.length - index));
    } catch (error) {
      firstFailure ??= error;
      if (attempt.deadline.isOver()) break;
    }
  }
  throw firstFailure;
}

/**
 * Returns the time for one of the remaining addresses; undefined if there is no limit but the deadline. Source: Go net partialDeadline;
 * its dialer's own limit is 30 s.
 */
function shareOf(remainingMs: number, addresses: number): number | undefined {
  const time = Math.min(remainingMs, 30_000);
  const share = Math.max(time / addresses, Math.min(time, 2_000));
  return share < remainingMs ? share : undefined;
}

function dialSingle(address: string, attempt: Attempt, timeoutMs: number | undefined): Promise<Wire> {
  const remote = joinHostPort(address, attempt.port);
  return new Promise((resolve, reject) => {
    const socket = attempt.network.connect({ host: address, port: attempt.port });
    const late = (): void => fail(new TransportError('time', `dial tcp ${remote}: i/o timeout`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    const forget = attempt.deadline.onOver(fail);
    const cancel = () => socket.destroy();
    attempt.cancel.add(cancel);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') return fail(brokenWire({ socket, local, remote }, error));
      fail(new TransportError('tcp', `dial tcp ${remote}: ${systemErrorText(error, 'connect')}`));
    });
    // Node never reports a connection that is reset right after it was made; in Go it breaks when it is read.
    let local = '';
    process.nextTick(() => {
      local = endText(socket.address());
    });
    socket.once('connect', () => {
      settle();
      socket.removeAllListeners('error');
      resolve({ socket, remote, local: endText(socket.address()) });
    });

    function settle(): void {
      clearTimeout(timer);
      forget();
      attempt.cancel.delete(cancel);
    }
    function fail(error: TransportError): void {
      settle();
      socket.destroy();
      reject(error);
    }
  });
}

function endText(end: Partial<AddressInfo>): string {
  return joinHostPort(end.address ?? '', end.port ?? 0);
}
