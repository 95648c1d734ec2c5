import type { Suite } from '../../../suites/suite.js';
import { type StartedProcess, startSuiteProcess } from '../../work/suites/suite-process.js';

/** Processes that keep running between rounds. */
export interface KeptProcesses {
  /** Starts the process of a suite, or returns the running one; its `stop` does nothing. */
  readonly startOf: (suite: Suite) => typeof startSuiteProcess;
  /** Stops the process of a suite. */
  readonly stop: (suite: Suite) => Promise<void>;
  readonly stopAll: () => Promise<void>;
}

interface Kept {
  readonly described: string;
  readonly started: StartedProcess;
}

/** A start that takes longer is a build, or a webhook that waits for something. */
const quickStartMs = 1000;

/**
 * Calls `onSlowStart` with the command of a process that is not ready after a second. A process is kept until it exits, its description changes, or it is stopped. A process with an API server is restarted with the API server
 * of each round.
 */
export function keptProcesses(onSlowStart: (command: string) => void): KeptProcesses {
  const running = new Map<string, Kept>();
  const stop = async (file: string): Promise<void> => {
    const known = running.get(file);
    running.delete(file);
    await known?.started.stop();
  };
  return {
    startOf:
      ({ file }) =>
      async (process, webhooks, surroundings) => {
        const described = JSON.stringify([process, webhooks.flags]);
        const known = running.get(file);
        if (known?.described === described && (await known.started.fault(false)) === undefined) return lent(known.started);
        await stop(file);
        const timer = setTimeout(() => onSlowStart([process.command].flat().join(' ')), quickStartMs);
        const started = await startSuiteProcess(process, webhooks, surroundings).finally(() => clearTimeout(timer));
        if (webhooks.kubeconfig !== undefined) return started;
        running.set(file, { described, started });
        return lent(started);
      },
    stop: ({ file }) => stop(file),
    stopAll: async () => {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}

function lent(started: StartedProcess): StartedProcess {
  return { ...started, stop: async () => {} };
}
