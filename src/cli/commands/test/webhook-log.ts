import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';

/** File with all output of the processes under test. */
export interface WebhookLog {
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/** Opens an empty log file; a later write error, for example of a full disk, ends the log and not the tests. Throws CliError. */
export function openWebhookLog(file: string, cwd: string): WebhookLog {
  let descriptor: number | undefined = opened(file, cwd);
  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    write: text => {
      if (descriptor === undefined) return;
      try {
        writeSync(descriptor, text);
      } catch {
        close();
      }
    },
    close,
  };
}

function opened(file: string, cwd: string): number {
  try {
    return openSync(path.resolve(cwd, file), 'w', 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CliError('write-failed', `the log ${JSON.stringify(file)} cannot be written: ${error.message}`, { cause: error });
  }
}
