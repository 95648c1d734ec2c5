import { serveEditor } from '../../../language-server/server/serve-editor.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { DescribedFlag } from '../../options/base-command.js';
import { effectsFor } from '../../shell/effects.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { lintSubjectOf } from '../../work/lint/lint-subject.js';
import { findOwnFileType } from './own-file-types.js';
import { checkOwnFile } from './own-files.js';
import { rulePage } from './rule-page.js';
import { findWorkspaceFiles, readCaBundle, readWorkspaceFile } from './workspace-files.js';
import { type LspFlags, readSettings } from './workspace-settings.js';

export type LspSurroundings = Surroundings & {
  readonly toolVersion: string;
  /** Returns the flags of all commands, which `webhook-cli.yaml` may set. */
  readonly listDescribedFlags: () => Promise<readonly DescribedFlag[]>;
  /** Homepage of the program, with the name of its repository. */
  readonly homepage: string | undefined;
};

/** Serves an editor on stdin and stdout until it ends. */
export async function runLsp(flags: LspFlags, surroundings: LspSurroundings): Promise<ExitCode> {
  const { stdin, stdout, uid, now, toolVersion, listDescribedFlags, homepage } = surroundings;
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
    checkOwnFile: (file, text) => checkOwnFile(file, text, async () => (await listDescribedFlags()).map(({ name }) => name)),
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
