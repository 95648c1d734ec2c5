import { watchChanges } from '../../files/file-changes.js';

/** What to do with a changed file. */
export interface Follower {
  /** Returns the text of the file. Throws Error. */
  readonly read: () => string;
  /** Uses a text: `refused` is not tried again, `failed` is. */
  readonly replace: (text: string) => Promise<'replaced' | 'refused' | 'failed'> | 'replaced' | 'refused' | 'failed';
  readonly log: (line: string) => void;
  /** What the file is, for messages. */
  readonly what: string;
}

const checkMs = 60_000;

/** Calls `replace` when the text of a file changes; looks at it every minute, too. Returns a function that stops it. Source: kubernetes util/filesystem WatchUntil. */
export function followFile(file: string, text: string, { read, replace, log, what }: Follower): () => void {
  let known = text;
  let checking: Promise<void> | undefined;
  let isChangedAgain = false;
  const check = async (): Promise<void> => {
    try {
      const found = read();
      if (found !== known && (await replace(found)) !== 'failed') known = found;
    } catch (error) {
      log(`failed to read ${what} file: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const schedule = (): void => {
    if (checking !== undefined) {
      isChangedAgain = true;
      return;
    }
    checking = check().finally(() => {
      checking = undefined;
      if (!isChangedAgain) return;
      isChangedAgain = false;
      schedule();
    });
  };
  const stopWatching = watchChanges([file], schedule);
  const interval = setInterval(schedule, checkMs).unref();
  return () => {
    stopWatching();
    clearInterval(interval);
  };
}
