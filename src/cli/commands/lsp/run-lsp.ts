import { serveEditor } from '../../../language-server/server/serve-editor.js';
import { monotonicMs } from '../../../transport/clock.js';
import { effectsFor } from '../../shell/effects.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import { lintSubjectOf } from '../../work/lint/lint-subject.js';
import { findOwnFileType } from './own-file-types.js';
import { checkOwnFile } from './own-files.js';
import { rulePage } from './rule-page.js';
import { findWorkspaceFiles, readCaBundle, readWorkspaceFile } from './workspace-files.js';
import { type LspFlags, type LspSurroundings, readSettings } from './workspace-settings.js';

/** Serves an editor on stdin and stdout until it ends. */
export async function runLsp(flags: LspFlags, surroundings: LspSurroundings): Promise<ExitCode> {
  const { stdin, stdout, uid, now, toolVersion, listKnownFlags, listDescribedFlags, homepage } = surroundings;
  const isShutDown = await serveEditor({
    toolVersion,
    input: stdin.chunks?.() ?? yieldNothing(),
    write: text => stdout.write(text),
    clockMs: monotonicMs,
    isRunning,
    uid,
    now,
    effects: callWebhook => effectsFor(callWebhook),
    readSettings: folder => readSettings(folder, flags, surroundings),
    workspaceFiles: findWorkspaceFiles,
    readFile: readWorkspaceFile,
    readCaBundle,
    lintSubject: (server, manifests) => lintSubjectOf(server, manifests, now()),
    rulePage: rule => rulePage(rule, { homepage, version: toolVersion }),
    checkOwnFile: (file, text) => checkOwnFile(file, text, listKnownFlags),
    findOwnFileType: file => findOwnFileType(file, listDescribedFlags),
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
