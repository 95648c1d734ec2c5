import { serveEditor } from '../../../language-server/server/serve-editor.js';
import { monotonicMs } from '../../../transport/clock.js';
import { effectsFor } from '../../shell/effects.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { lintSubjectOf } from '../../work/lint/lint-subject.js';
import { checkOwnFile } from './own-files.js';
import { findWorkspaceFiles, readWorkspaceFile } from './workspace-files.js';
import { type LspFlags, readSettings } from './workspace-settings.js';

export type LspSurroundings = Surroundings & {
  readonly toolVersion: string;
  /** Flags of all commands, which `webhook-cli.yaml` may set. */
  readonly knownFlags: () => Promise<readonly string[]>;
};

/** Serves an editor on stdin and stdout until it ends. */
export async function runLsp(flags: LspFlags, surroundings: LspSurroundings): Promise<ExitCode> {
  const { stdin, stdout, uid, now, toolVersion, knownFlags } = surroundings;
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
    lintSubject: (server, manifests) => lintSubjectOf(server, manifests, now()),
    rulePage: () => undefined,
    checkOwnFile: (file, text) => checkOwnFile(file, text, knownFlags),
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
