import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { pause } from '../../processes/pause.js';
import { stopGroup } from '../../processes/stop-group.js';
import { monotonicMs } from '../../transport/clock.js';
import { type Launched, launch } from './launch.js';
import type { OutputTail } from './output-tail.js';
import { ProcessFault } from './process-fault.js';
import { commandLine, type ProcessSpec, withPorts } from './process-spec.js';

/** Side effects that starting a process needs. */
export interface ProcessEffects {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Probes the process at a port. Undefined when it answers; otherwise the reason, for the message about a process that never becomes
   * ready.
   */
  readonly probe: (port: number, ports: readonly number[]) => Promise<string | undefined>;
  /** Called with all output of the process. */
  readonly onOutput?: (text: string) => void;
  /** Called with the command and each new reason why it is not ready, after so many milliseconds. */
  readonly onWaiting?: { readonly afterMs: number; readonly tell: (command: string, reason: string) => void };
}

/** A process under test that is ready. */
export interface RunningProcess {
  readonly port: number;
  /** All its ports, the first one first. */
  readonly ports: readonly number[];
  /** Set if it has exited unexpectedly. */
  readonly fault: () => ProcessFault | undefined;
  /** Resolves when it exits unexpectedly. */
  readonly crashed: Promise<ProcessFault>;
  /** The last lines of its output. */
  readonly output: () => readonly string[];
  readonly tail: OutputTail;
  /** Stops it and all its descendants: SIGTERM, then SIGKILL after the grace period. May be called repeatedly. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the process in a group of its own with a free port, and waits until it answers. Throws ProcessFault when it cannot be started,
 * exits before it is ready, or is not ready in time; then none of its processes is left. It is killed when this process exits, except by
 * SIGKILL.
 */
export async function startProcess(spec: ProcessSpec, { env, probe, onOutput, onWaiting }: ProcessEffects): Promise<RunningProcess> {
  if (process.platform === 'win32') throw new ProcessFault('a process under test needs process groups, which Windows does not have');
  const ports = await freePorts(spec.ports ?? 1);
  const [port = 0] = ports;
  const shown = withPorts(commandLine(spec), ports);
  const launched = await launch(spec, ports, env);
  const { ended, end, output } = launched;
  if (onOutput !== undefined) output.listen(onOutput);
  const reason = await waitUntilReady({
    probe: () => probe(port, ports),
    timeoutMs: spec.readyTimeoutMs,
    ended,
    longWaitMs: onWaiting?.afterMs ?? spec.readyTimeoutMs,
    onReason: why => onWaiting?.tell(shown, why),
  });
  if (reason === undefined)
    return { port, ports, output: output.lines, tail: output, ...watched(launched, { shown, stopGraceMs: spec.stopGraceMs }) };
  const early = end();
  await stopProcess(launched, spec.stopGraceMs);
  const trouble =
    early === undefined ? `was not ready within ${spec.readyTimeoutMs / 1000} s: ${reason}` : `ended ${early} before it was ready`;
  throw new ProcessFault(`${shown} ${trouble}`, output.lines());
}

interface WatchedCommand {
  /** The command line, for messages. */
  readonly shown: string;
  readonly stopGraceMs: number;
}

function watched(launched: Launched, { shown, stopGraceMs }: WatchedCommand): Pick<RunningProcess, 'fault' | 'crashed' | 'stop'> {
  const { ended, end, output } = launched;
  let stopping: Promise<void> | undefined;
  let fault: ProcessFault | undefined;
  const crashed = new Promise<ProcessFault>(resolve => {
    void ended.then(() => {
      if (stopping !== undefined) return;
      fault = new ProcessFault(`${shown} ended ${end()} during the run`, output.lines());
      resolve(fault);
    });
  });
  return {
    fault: () => fault,
    crashed,
    stop: () => {
      stopping ??= stopProcess(launched, stopGraceMs);
      return stopping;
    },
  };
}

/**
 * Returns a free port of the loopback interface. Another program could take it before the process under test does, but not by connecting somewhere: systems
 * give connections ports from 32768 (Linux) or 49152 on. Rejects with the system's error where it finds none.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(firstPort, endOfPorts);
    const fault = await listenBriefly(port);
    if (fault === undefined) return port;
    if (attempt === attempts) throw fault;
  }
}

/** Below the ports of Kubernetes' services, which begin at 30000: local clusters forward them. */
const firstPort = 20_000;
const endOfPorts = 30_000;
const attempts = 100;

/** Listens at a port for a moment. Resolves with the system's error; undefined when the port is free. */
function listenBriefly(port: number): Promise<Error | undefined> {
  const server = createServer();
  return new Promise(resolve => {
    server.once('error', resolve);
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** Returns that many different free ports. Rejects with the system's error. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Stops a process and all its descendants. Resolves when none is left. */
async function stopProcess({ group, ended, expectEnd, forget }: Launched, graceMs: number): Promise<void> {
  expectEnd();
  await stopGroup(group, ended, graceMs);
  forget();
}

/** Options of a readiness check. */
interface ReadinessOptions {
  /** Probes the process. Undefined when it answers; otherwise the reason why not. */
  readonly probe: () => Promise<string | undefined>;
  readonly timeoutMs: number;
  /** Resolves when waiting is pointless. */
  readonly ended: Promise<unknown>;
  readonly longWaitMs: number;
  /** Called with each new reason after `longWaitMs`. */
  readonly onReason: (reason: string) => void;
}

const minPauseMs = 20;
const maxPauseMs = 50;

/** Pauses of a long wait: each probe can be a line in the log of the process, whose last lines are shown. */
const longPauseMs = 500;
const longAfterMs = 5000;

/** Probes repeatedly until the process answers, has exited, or the timeout has passed. Undefined when it is ready, else the last reason. */
async function waitUntilReady({ probe, timeoutMs, ended, longWaitMs, onReason }: ReadinessOptions): Promise<string | undefined> {
  const over = pause(timeoutMs);
  let isOver = false;
  const given = Promise.race([over.over, ended]).then(() => {
    isOver = true;
  });
  let reason = 'no answer';
  let told = '';
  const startedAt = monotonicMs();
  const waitedMs = (): number => monotonicMs() - startedAt;
  for (let pauseMs = minPauseMs; !isOver; pauseMs = Math.min(pauseMs * 2, waitedMs() < longAfterMs ? maxPauseMs : longPauseMs)) {
    const answer = await Promise.race([probe(), given.then(() => reason)]);
    if (answer === undefined) break;
    reason = answer;
    if (reason !== told && !isOver && waitedMs() >= longWaitMs) {
      told = reason;
      onReason(reason);
    }
    const rest = pause(pauseMs);
    await Promise.race([rest.over, given]);
    rest.cancel();
  }
  over.cancel();
  return isOver ? reason : undefined;
}
