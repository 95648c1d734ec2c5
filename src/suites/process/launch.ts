import { type ChildProcess, spawn } from 'node:child_process';
import { type OutputTail, outputTail } from './output-tail.js';
import { pause } from './pause.js';
import { endOf, ProcessFault } from './process-fault.js';
import { killGroup, newMark, type ProcessGroup } from './process-group.js';
import { commandLine, type ProcessSpec, withPorts } from './process-spec.js';

/** A started process, with a process group of its own. */
export interface Launched {
  readonly group: ProcessGroup;
  readonly output: OutputTail;
  /** Exit status; undefined while it runs. */
  readonly end: () => string | undefined;
  /** Resolves when it has exited and its output is read. */
  readonly ended: Promise<void>;
  /** Marks its exit as expected, so that its children may take time to exit. */
  readonly expectEnd: () => void;
  /** No process of it is left: its group id may be reused from now on. */
  readonly forget: () => void;
}

/** Starts the process in a group of its own. Throws ProcessFault when the system fails to. */
export async function launch(
  spec: ProcessSpec,
  ports: readonly number[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Launched> {
  const { mark, environment } = newMark();
  const own = Object.fromEntries(Object.entries(spec.env ?? {}).map(([name, value]) => [name, withPorts(value, ports)]));
  const variables = Object.fromEntries(ports.map((port, i) => [i === 0 ? 'PORT' : `PORT${i + 1}`, String(port)]));
  const child = spawnIn(spec, ports, { ...env, ...own, ...environment, ...variables });
  const output = outputTail();
  child.stdout?.on('data', output.stream());
  child.stderr?.on('data', output.stream());
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', error => reject(new ProcessFault(`${withPorts(commandLine(spec), ports)} cannot be started: ${reasonOf(error)}`)));
  });
  if (child.pid === undefined) throw new Error('a started process must have an id');
  return { output, ...watchedEnd(child, { pid: child.pid, mark }) };
}

function spawnIn({ command, cwd }: ProcessSpec, ports: readonly number[], env: NodeJS.ProcessEnv): ChildProcess {
  const options = { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  if (typeof command === 'string') return spawn(withPorts(command, ports), { ...options, shell: true });
  const [program = '', ...args] = command.map(word => withPorts(word, ports));
  return spawn(program, args, options);
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'program or working directory not found';
  return error.code === 'EACCES' ? 'not executable' : error.message;
}

/** After this time, pipes that a stray child keeps open are closed on our side. */
const maxDrainMs = 500;

function watchedEnd(child: ChildProcess, group: ProcessGroup): Pick<Launched, 'group' | 'end' | 'ended' | 'expectEnd' | 'forget'> {
  const forget = killOnExit(group);
  let isExpected = false;
  let end: string | undefined;
  const ended = new Promise<void>(resolve => {
    child.once('exit', (code, signal) => {
      end = endOf(code, signal);
      if (!isExpected) killGroup(group);
      const drained = pause(maxDrainMs);
      void drained.over.then(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
      child.once('close', () => {
        drained.cancel();
        resolve();
      });
    });
  });
  return {
    group,
    end: () => end,
    ended,
    expectEnd: () => {
      isExpected = true;
    },
    forget,
  };
}

const running = new Set<ProcessGroup>();

/** Kills the group when this process exits for any reason except SIGKILL. Returns a function that unregisters it. */
function killOnExit(group: ProcessGroup): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(group);
  return () => {
    running.delete(group);
    if (running.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const group of running) killGroup(group);
}
