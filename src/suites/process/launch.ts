import type { ChildProcess } from 'node:child_process';
import { pause } from '../../processes/pause.js';
import { killGroup, type ProcessGroup } from '../../processes/process-group.js';
import { type Child, startChild } from '../../processes/start-child.js';
import { type OutputTail, outputTail } from './output-tail.js';
import { endOfProcess, ProcessFault } from './process-fault.js';
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
  const own = Object.fromEntries(Object.entries(spec.env ?? {}).map(([name, value]) => [name, withPorts(value, ports)]));
  const variables = Object.fromEntries(ports.map((port, i) => [i === 0 ? 'PORT' : `PORT${i + 1}`, String(port)]));
  const started = startIn(spec, ports, { ...env, ...own, ...variables });
  const { process: child, group } = started;
  const output = outputTail();
  child.stdout?.on('data', output.stream());
  child.stderr?.on('data', output.stream());
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', error => reject(new ProcessFault(`${withPorts(commandLine(spec), ports)} cannot be started: ${reasonOf(error)}`)));
  });
  if (group === undefined) throw new Error('a started process must have an id');
  return { output, ...watchedEnd(child, group), forget: started.forget };
}

function startIn({ command, cwd }: ProcessSpec, ports: readonly number[], env: NodeJS.ProcessEnv): Child {
  const options = { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  if (typeof command === 'string') return startChild(withPorts(command, ports), [], { ...options, shell: true });
  const [program = '', ...args] = command.map(word => withPorts(word, ports));
  return startChild(program, args, options);
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'program or working directory not found';
  return error.code === 'EACCES' ? 'not executable' : error.message;
}

/** After this time, pipes that a stray child keeps open are closed on our side. */
const maxDrainMs = 500;

function watchedEnd(child: ChildProcess, group: ProcessGroup): Pick<Launched, 'group' | 'end' | 'ended' | 'expectEnd'> {
  let isExpected = false;
  let end: string | undefined;
  const ended = new Promise<void>(resolve => {
    child.once('exit', (code, signal) => {
      end = endOfProcess(code, signal);
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
  };
}
