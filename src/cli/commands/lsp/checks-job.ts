import type { CheckThread, ThreadChecks } from '../../../language-server/check-thread.js';
import { checkService } from '../../../language-server/server/check-service.js';
import type { KnownFlags } from '../../options/known-flags.js';
import type { Thread } from '../../shell/surroundings.js';
import type { JobContext } from '../../threads/serve-jobs.js';
import { startWorker } from '../../threads/start-worker.js';
import { checkSurroundings } from './check-surroundings.js';
import type { ProgramFacts } from './lsp-surroundings.js';
import type { LspFlags } from './workspace-settings.js';

/** What the thread has to know before it checks. */
export interface CheckThreadStart extends ProgramFacts {
  readonly flags: LspFlags;
  readonly folder: string | undefined;
}

/** The job of checking files of an editor. */
export interface ChecksJob extends ThreadChecks {
  /** Is called first. */
  readonly start: (start: CheckThreadStart) => Promise<void>;
}

/** What the job asks of the main thread. */
export interface ChecksMain {
  readonly listKnownFlags: () => Promise<KnownFlags>;
}

/** Returns the job of checking files of an editor. */
export function checksJob({ surroundings, callMain }: JobContext<ChecksMain>): ChecksJob {
  let checks: ThreadChecks | undefined;
  const started = (): ThreadChecks => {
    if (checks === undefined) throw new Error('the checks are not started');
    return checks;
  };
  return {
    start: async ({ flags, folder, toolVersion, homepage }) => {
      const listKnownFlags = (): Promise<KnownFlags> => callMain('listKnownFlags');
      checks = checkService(checkSurroundings(flags, { ...surroundings, toolVersion, homepage, listKnownFlags }), folder);
    },
    open: async (uri, text) => started().open(uri, text),
    close: async uri => started().close(uri),
    reread: async paths => started().reread(paths),
    check: async uri => started().check(uri),
  };
}

/** Starts a thread with the job. */
export function startCheckThread(start: CheckThreadStart, startThread: () => Thread, main: ChecksMain): CheckThread {
  const { call, end } = startWorker<ChecksJob>('checks', startThread, main);
  // The calls after it fail, too.
  call('start', start).catch(() => {});
  return {
    open: (uri, text) => call('open', uri, text),
    close: uri => call('close', uri),
    reread: paths => call('reread', paths),
    check: uri => call('check', uri),
    end,
  };
}
