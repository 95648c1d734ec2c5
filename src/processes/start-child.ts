import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { isRunning, killGroup, newMark, type ProcessGroup, signalGroup } from './process-group.js';
import { stopGroup } from './stop-group.js';

/** How a child is started. */
export interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'stdio' | 'shell'> {
  /** It asks its user: it stays in the session of the terminal, and Ctrl-C reaches it directly. */
  readonly usesTerminal?: boolean;
  /** Without another listener for the signal, it gets SIGTERM when this process is interrupted, and this process waits for it. */
  readonly endsWithSignals?: boolean;
}

/** A child, with all its descendants. */
export interface Child {
  readonly process: ChildProcess;
  /** Undefined if it could not be started: `process` emits the error. */
  readonly group: ProcessGroup | undefined;
  /** No process of it is left, or those that are may stay: its id may be reused from now on. */
  readonly forget: () => void;
  /** Stops it and all its descendants: SIGTERM, then SIGKILL after the grace period. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/**
 * Starts a program in a process group of its own, which is killed when this process exits, except by SIGKILL. The only place that starts a
 * program: others would outlive an interruption of this process.
 */
export function startChild(program: string, args: readonly string[], options: ChildOptions): Child {
  const { usesTerminal = false, endsWithSignals = false, env, ...others } = options;
  const { mark, environment } = newMark();
  const isLeader = !usesTerminal && process.platform !== 'win32';
  // Before it runs: the system would end this process alone.
  if (endsWithSignals) listenToSignals();
  const child = spawn(program, args, { ...others, env: { ...env, ...environment }, detached: isLeader });
  if (child.pid === undefined) {
    forgetSignals();
    return { process: child, group: undefined, forget: () => {}, stop: async () => {} };
  }
  const group = { pid: child.pid, mark, isLeader };
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const forget = register({ group, endsWithSignals });
  return {
    process: child,
    group,
    forget,
    stop: async graceMs => {
      await stopGroup(group, ended, graceMs);
      forget();
    },
  };
}

/** Starts a program that outlives this process, such as a browser. */
export function startDetached(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { detached: true, stdio: 'ignore' });
}

interface Registered {
  readonly group: ProcessGroup;
  readonly endsWithSignals: boolean;
}

const running = new Set<Registered>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ending: { signal?: NodeJS.Signals } = {};

/** Reports whether this process is about to end by a signal, together with its children: their failures are not to be reported. */
export function endsBySignal(): boolean {
  return ending.signal !== undefined;
}

/** Returns a function that unregisters it. */
function register(registered: Registered): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(registered);
  return () => {
    running.delete(registered);
    if (running.size === 0) process.off('exit', killAll);
    forgetSignals();
  };
}

function listenToSignals(): void {
  if (endingWithSignals().length === 0) for (const signal of signals) process.on(signal, endChildren);
}

function forgetSignals(): void {
  if (!endsBySignal() && endingWithSignals().length === 0) for (const signal of signals) process.off(signal, endChildren);
}

function endingWithSignals(): Registered[] {
  return [...running].filter(({ endsWithSignals }) => endsWithSignals);
}

function killAll(): void {
  for (const { group } of running) killGroup(group);
}

const signalGraceMs = 1500;
const rescanMs = 20;

/** A second signal ends this process at once. */
function endChildren(signal: NodeJS.Signals): void {
  if (endsBySignal()) {
    endBy(signal);
    return;
  }
  const groups = endingWithSignals().map(({ group }) => group);
  for (const group of groups) signalGroup(group, 'SIGTERM');
  // Another listener cleans up, and then exits.
  if (process.listenerCount(signal) > 1) return;
  ending.signal = signal;
  const start = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - start < signalGraceMs && groups.some(isRunning)) return;
    clearInterval(timer);
    endBy(signal);
  }, rescanMs);
}

/** Ends this process as the system would have. */
function endBy(signal: NodeJS.Signals): void {
  killAll();
  for (const name of signals) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}
