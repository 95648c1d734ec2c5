import { freePorts } from './free-port.js';
import { type Launched, launch } from './launch.js';
import type { OutputTail } from './output-tail.js';
import { ProcessFault } from './process-fault.js';
import { commandLine, type ProcessSpec } from './process-spec.js';
import { readiness } from './readiness.js';
import { stopProcess } from './stop-process.js';

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
export async function startProcess(spec: ProcessSpec, { env, probe, onOutput }: ProcessEffects): Promise<RunningProcess> {
  if (process.platform === 'win32') throw new ProcessFault('a process under test needs process groups, which Windows does not have');
  const ports = await freePorts(spec.ports ?? 1);
  const [port = 0] = ports;
  const launched = await launch(spec, ports, env);
  const { ended, end, output } = launched;
  if (onOutput !== undefined) output.listen(onOutput);
  const reason = await readiness({ probe: () => probe(port, ports), timeoutMs: spec.readyTimeoutMs, ended });
  if (reason === undefined) return { port, ports, output: output.lines, tail: output, ...watched(launched, spec) };
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
      fault = new ProcessFault(`${commandLine(spec)} ended ${end()} during the run`, output.lines());
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
