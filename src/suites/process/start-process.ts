import { freePort } from './free-port.js';
import { type Launched, launch } from './launch.js';
import { ProcessFault } from './process-fault.js';
import { commandLine, type ProcessSpec } from './process-spec.js';
import { readiness } from './readiness.js';
import { stopProcess } from './stop-process.js';

/** What starting a process needs of the world. */
export interface ProcessSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Does the process answer at this port? Undefined when it does; otherwise why not, for the sentence about a process that never gets ready. */
  readonly probe: (port: number) => Promise<string | undefined>;
}

/** A process under test that is ready. */
export interface RunningProcess {
  readonly port: number;
  /** The fault when it has ended without being asked to. */
  readonly fault: () => ProcessFault | undefined;
  /** Settles when it ends without being asked to. */
  readonly crashed: Promise<ProcessFault>;
  /** Its last lines. */
  readonly output: () => readonly string[];
  /** Ends it and everything it started: SIGTERM, then SIGKILL for what is left after the grace. May be called again. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the process in a group of its own, gives it a free port, and waits until it answers. Throws ProcessFault when it cannot be started, ends
 * before it is ready, or is not ready in time; nothing of it runs then. It ends with this process whatever happens, SIGKILL to us aside.
 */
export async function startProcess(spec: ProcessSpec, { env, probe }: ProcessSurroundings): Promise<RunningProcess> {
  if (process.platform === 'win32') throw new ProcessFault('a process under test needs process groups, which Windows does not have');
  const port = await freePort();
  const launched = await launch(spec, port, env);
  const { ended, end, output } = launched;
  const reason = await readiness({ probe: () => probe(port), timeoutMs: spec.readyTimeoutMs, ended });
  if (reason === undefined) return { port, output: output.lines, ...watched(launched, spec) };
  const early = end();
  await stopProcess(launched, spec.stopGraceMs);
  const trouble =
    early === undefined ? `was not ready within ${spec.readyTimeoutMs / 1000} s: ${reason}` : `ended ${early} before it was ready`;
  throw new ProcessFault(`${commandLine(spec)} ${trouble}`, output.lines());
}

function watched(launched: Launched, spec: ProcessSpec): Pick<RunningProcess, 'fault' | 'crashed' | 'stop'> {
  const { ended, end, output } = launched;
  let stopping: Promise<void> | undefined;
  let fault: ProcessFault | undefined;
  const crashed = new Promise<ProcessFault>(resolve => {
    void ended.then(() => {
      if (stopping !== undefined) return;
      fault = new ProcessFault(`${commandLine(spec)} ended ${end()} in the middle of the run`, output.lines());
      resolve(fault);
    });
  });
  return {
    fault: () => fault,
    crashed,
    stop: () => {
      stopping ??= stopProcess(launched, spec.stopGraceMs);
      return stopping;
    },
  };
}
