import { serveEditor } from '../../../language-server/server/serve-editor.js';
import type { DescribedFlag } from '../../options/base-command.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import { checkSurroundings } from './check-surroundings.js';
import { startCheckThread } from './checks-job.js';
import type { LspSurroundings } from './lsp-surroundings.js';
import { findOwnFileType } from './own-file-types.js';
import type { LspFlags } from './workspace-settings.js';

/** Surroundings of `lsp`. */
export type ServerSurroundings = LspSurroundings & {
  readonly listDescribedFlags: () => Promise<readonly DescribedFlag[]>;
};

/** Serves an editor on stdin and stdout until it ends. */
export async function runLsp(flags: LspFlags, surroundings: ServerSurroundings): Promise<ExitCode> {
  const { stdin, stdout, toolVersion, homepage, listKnownFlags, listDescribedFlags, startThread } = surroundings;
  const isShutDown = await serveEditor({
    ...checkSurroundings(flags, surroundings),
    toolVersion,
    input: stdin.chunks?.() ?? yieldNothing(),
    write: text => stdout.write(text),
    isRunning,
    findOwnFileType: file => findOwnFileType(file, listDescribedFlags),
    startCheckThread:
      startThread === undefined
        ? undefined
        : folder => startCheckThread({ flags, folder, toolVersion, homepage }, startThread, { listKnownFlags }),
  });
  return isShutDown ? exitCodes.allowed : exitCodes.refused;
}

async function* yieldNothing(): AsyncGenerator<Uint8Array> {}

/** Signal 0 only asks. A process of another user runs, too. */
function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
