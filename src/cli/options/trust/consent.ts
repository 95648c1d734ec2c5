import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureFolderNow } from '../../../files/ensure-folder.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** What the user consents to: a file, and everything in it that needs consent. */
export interface ConsentSubject {
  /** Absolute and without links. */
  readonly file: string;
  readonly contents: readonly string[];
}

/** Variable that trusts all found files, for CI. */
export const trustVariable = 'WEBHOOK_CLI_TRUST';

/** Reports whether the environment trusts all found files. */
export function trustsAll(env: Surroundings['env']): boolean {
  return /^(1|true|yes)$/i.test(env[trustVariable] ?? '');
}

/** Reports whether the user has consented to this file with these contents. */
export function isTrusted(subject: ConsentSubject, env: Surroundings['env']): boolean {
  const record = recordOf(subject, env);
  return record !== undefined && existsSync(record);
}

/** Records the consent, with what in the file needs it. Returns false without a home folder; fails with the system's error. */
export function trust(subject: ConsentSubject, env: Surroundings['env'], parts: readonly string[] = []): boolean {
  const record = recordOf(subject, env);
  if (record === undefined) return false;
  ensureFolderNow(path.dirname(record), 0o700);
  // Only its name counts; its text tells what changed since.
  writeFileSync(record, `${JSON.stringify({ file: subject.file, parts })}\n`, { mode: 0o600 });
  return true;
}

/** Returns what needed consent in a file when the user last consented to it; undefined if nobody did. */
export function formerParts({ file }: ConsentSubject, env: Surroundings['env']): readonly string[] | undefined {
  const folder = consentFolder(env);
  if (folder === undefined || !existsSync(folder)) return undefined;
  const records = readdirSync(folder).map(name => path.join(folder, name));
  const found = records.flatMap(record => {
    const former = recordIn(record);
    return former?.file === file ? [{ parts: former.parts, at: statSync(record).mtimeMs }] : [];
  });
  return found.sort((a, b) => b.at - a.at)[0]?.parts;
}

function recordIn(file: string): { readonly file: string; readonly parts: readonly string[] } | undefined {
  try {
    const { file: about, parts }: { readonly file?: unknown; readonly parts?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof about === 'string' && Array.isArray(parts) ? { file: about, parts: parts.map(String) } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a consent, and returns whether there was one. Fails with the system's error. */
export function withdrawTrust(subject: ConsentSubject, env: Surroundings['env']): boolean {
  const record = recordOf(subject, env);
  if (record === undefined || !existsSync(record)) return false;
  rmSync(record);
  return true;
}

function recordOf({ file, contents }: ConsentSubject, env: Surroundings['env']): string | undefined {
  const folder = consentFolder(env);
  return (
    folder &&
    path.join(
      folder,
      createHash('sha256')
        .update(JSON.stringify([file, contents]))
        .digest('hex'),
    )
  );
}

/** Returns the folder of consents, which no repository contains; undefined if the user has no home folder. */
function consentFolder({ XDG_STATE_HOME, LOCALAPPDATA, HOME }: Surroundings['env']): string | undefined {
  const isAbsolute = (folder: string | undefined): folder is string => folder !== undefined && path.isAbsolute(folder);
  const state = isAbsolute(XDG_STATE_HOME)
    ? XDG_STATE_HOME
    : process.platform === 'win32' && isAbsolute(LOCALAPPDATA)
      ? LOCALAPPDATA
      : isAbsolute(HOME)
        ? path.join(HOME, '.local', 'state')
        : undefined;
  return state && path.join(state, 'webhook-cli', 'trusted');
}
