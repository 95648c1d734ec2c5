import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A process with all that it started: they share a group, and a mark in their environment. */
export interface ProcessGroup {
  /** The leader, whose id is the group's. */
  readonly pid: number;
  /** `NAME=value` in the environment of the leader and of what it starts. */
  readonly mark: string;
}

const markName = 'WEBHOOK_CLI_PROCESS_GROUP';

/** A mark that nobody else has. */
export function newMark(): { readonly mark: string; readonly environment: Readonly<Record<string, string>> } {
  const value = randomUUID();
  return { mark: `${markName}=${value}`, environment: { [markName]: value } };
}

/** Sends a signal to the whole group; nothing happens when nobody is left in it. */
export function signalGroup({ pid }: ProcessGroup, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isNobodyThere(error)) throw error;
  }
}

/** Ends everything the process started that still runs, without asking: first the group, then those that left it for one of their own. */
export function killGroup(group: ProcessGroup): void {
  signalGroup(group, 'SIGKILL');
  for (const pid of strayMembers(group)) killOne(pid);
}

/** Does anything of it still run? Those that have ended and that nobody has collected yet do not count. */
export function isRunning(group: ProcessGroup): boolean {
  const table = processTable();
  if (table !== undefined) return table.some(({ pid, groupId, isZombie }) => !isZombie && (groupId === group.pid || hasMark(pid, group)));
  try {
    process.kill(-group.pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Processes outside the group that carry its mark: daemons that made a session of their own. Only Linux tells. */
function strayMembers(group: ProcessGroup): number[] {
  const table = processTable() ?? [];
  return table.filter(({ pid, groupId, isZombie }) => !isZombie && groupId !== group.pid && hasMark(pid, group)).map(({ pid }) => pid);
}

interface ProcessRow {
  readonly pid: number;
  readonly groupId: number;
  readonly isZombie: boolean;
}

/** All processes of the machine; undefined where /proc does not tell. */
function processTable(): ProcessRow[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (rowOf(Number(name)) ?? []) : []));
}

/** The name in the second field may hold anything: what counts begins behind the last bracket. Source: proc_pid_stat(5). */
function rowOf(pid: number): ProcessRow | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const [state, , groupId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : { pid, groupId: Number(groupId), isZombie: state === 'Z' || state === 'X' };
}

function hasMark(pid: number, { mark }: ProcessGroup): boolean {
  return textOf(`/proc/${pid}/environ`).split('\0').includes(mark);
}

/** Processes end while one looks, and those of other users cannot be looked at. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isNobodyThere(error)) throw error;
  }
}

/** EPERM: what is left of a group on macOS when its members have ended and are not collected yet. */
function isNobodyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM');
}
