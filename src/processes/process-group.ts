import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { hasEnded, ownIdentity } from './owner.js';

/** A process with all its descendants, which share a process group and an environment variable. */
export interface ProcessGroup {
  /** Process id of the first process. */
  readonly pid: number;
  /** Its id is also that of a group of its own; otherwise it is in the group of this process. */
  readonly isLeader: boolean;
  /** `NAME=value` in the environment of the leader and its descendants. */
  readonly mark: string;
}

const markName = 'WEBHOOK_CLI_PROCESS_GROUP';

/** A unique marker, which names this process as the owner. */
export function newMark(): { readonly mark: string; readonly environment: Readonly<Record<string, string>> } {
  const value = `${ownIdentity()}.${randomUUID()}`;
  return { mark: `${markName}=${value}`, environment: { [markName]: value } };
}

/** Sends a signal to the whole group, or else to the process and its marked descendants; no-op if none is left. */
export function signalGroup(group: ProcessGroup, signal: NodeJS.Signals): void {
  const targets = group.isLeader ? [-group.pid] : [group.pid, ...strayMembers(group).filter(pid => pid !== group.pid)];
  for (const pid of targets) signalOne(pid, signal);
}

/** Kills all remaining processes: first the group, then descendants that left it. */
export function killGroup(group: ProcessGroup): void {
  signalGroup(group, 'SIGKILL');
  for (const pid of strayMembers(group)) signalOne(pid, 'SIGKILL');
}

/** Kills the processes that were started by processes of ours that have ended without a chance to do so. Linux only. */
export function killAbandonedGroups(): void {
  for (const { pid, isZombie } of processTable() ?? []) {
    const identity = isZombie || pid === process.pid ? undefined : ownerOf(pid);
    if (identity !== undefined && hasEnded(identity)) signalOne(pid, 'SIGKILL');
  }
}

/** Returns the identity of the process that started a marked one; undefined for others. */
function ownerOf(pid: number): string | undefined {
  const mark = fileText(`/proc/${pid}/environ`)
    .split('\0')
    .find(variable => variable.startsWith(`${markName}=`));
  return mark?.slice(markName.length + 1).split('.', 1)[0];
}

/** Reports whether a process of it still runs. Zombies do not count. */
export function isRunning(group: ProcessGroup): boolean {
  const table = processTable();
  if (table !== undefined) return table.some(({ pid, groupId, isZombie }) => !isZombie && (groupId === group.pid || hasMark(pid, group)));
  try {
    process.kill(group.isLeader ? -group.pid : group.pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Processes with the marker outside the group: daemons with a session of their own. Linux only. */
function strayMembers(group: ProcessGroup): number[] {
  const table = processTable() ?? [];
  return table.filter(({ pid, groupId, isZombie }) => !isZombie && groupId !== group.pid && hasMark(pid, group)).map(({ pid }) => pid);
}

interface ProcessRow {
  readonly pid: number;
  readonly groupId: number;
  readonly isZombie: boolean;
}

/** All processes of the machine; undefined without /proc. */
function processTable(): ProcessRow[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (rowOf(Number(name)) ?? []) : []));
}

/** The name in the second field may contain anything: the other fields start after the last parenthesis. Source: proc_pid_stat(5). */
function rowOf(pid: number): ProcessRow | undefined {
  const stat = fileText(`/proc/${pid}/stat`);
  const [state, , groupId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : { pid, groupId: Number(groupId), isZombie: state === 'Z' || state === 'X' };
}

function hasMark(pid: number, { mark }: ProcessGroup): boolean {
  return fileText(`/proc/${pid}/environ`).split('\0').includes(mark);
}

/** Processes may exit meanwhile, and those of other users are not readable. */
function fileText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isBackendMissing(error)) throw error;
  }
}

/** EPERM: on macOS, the remaining members of the group are zombies. */
function isBackendMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM');
}
