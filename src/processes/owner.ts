import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies this process among all that have run since the machine booted, in names of objects to clean up: `NAMESPACE-PID-STARTTIME`.
 * Outside Linux the start time is 0 and the namespace the name of the host.
 */
export function ownIdentity(): string {
  return `${namespace()}-${process.pid}-${startTime(process.pid) ?? 0}`;
}

/** Reports whether the process of an identity has ended. False for processes of other containers, which cannot be seen from here. */
export function hasEnded(identity: string): boolean {
  const [, seenFrom, pid, started] = /^(.*)-(\d+)-(\d+)$/.exec(identity) ?? [];
  if (seenFrom !== namespace()) return false;
  if (process.platform === 'linux') return startTime(Number(pid)) !== started;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function namespace(): string {
  if (process.platform !== 'linux') return hostname().replace(/[^a-zA-Z0-9]/g, '');
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
}

/** Ticks since the machine started; undefined when there is no such process. Source: proc_pid_stat(5), field 22. */
function startTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
