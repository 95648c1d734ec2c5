import type { CheckSurroundings } from '../../../language-server/editor-surroundings.js';
import { monotonicMs } from '../../../transport/clock.js';
import { effectsFor } from '../../shell/effects.js';
import { lintSubjectOf } from '../../work/lint/lint-subject.js';
import type { LspSurroundings } from './lsp-surroundings.js';
import { checkOwnFile } from './own-files.js';
import { rulePage } from './rule-page.js';
import { findWorkspaceFiles, readCaBundle, readWorkspaceFile } from './workspace-files.js';
import { type LspFlags, readSettings } from './workspace-settings.js';

/** Returns what checks get from the program. */
export function checkSurroundings(flags: LspFlags, surroundings: LspSurroundings): CheckSurroundings {
  const { uid, now, toolVersion, homepage, listKnownFlags } = surroundings;
  return {
    uid,
    now,
    clockMs: monotonicMs,
    effects: callWebhook => effectsFor(callWebhook),
    readSettings: folder => readSettings(folder, flags, surroundings),
    workspaceFiles: findWorkspaceFiles,
    readFile: readWorkspaceFile,
    readCaBundle,
    lintSubject: (server, manifests) => lintSubjectOf(server, manifests, now()),
    rulePage: rule => rulePage(rule, { homepage, version: toolVersion }),
    checkOwnFile: (file, text) => checkOwnFile(file, text, listKnownFlags),
  };
}
