import { isAuditEvent } from '../../../captures/captured-kind.js';
import type { CallStep } from '../../../client/calls/call-step.js';
import { CliError } from '../../../client/cli-error.js';
import { entriesIn, type FileEntries, type InputFile, type LocatedManifest } from '../../../client/manifests/manifests.js';
import { JsonTypeError } from '../../../encoding/unstructured.js';
import { counted } from '../../../kubernetes/counted.js';
import { isTooDeep } from '../../../kubernetes/too-deep.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { FileSelection } from '../input/files.js';
import { type ManifestEntries, readEntries } from '../input/read-manifests.js';
import { isCaptured } from './captured-review.js';

/** Reads manifests, and the captured reviews and audit events of files that are not manifests: logs, mails. Throws CliError. */
export function readCallEntries(selection: FileSelection, surroundings: Pick<Surroundings, 'cwd' | 'stdin'>): Promise<ManifestEntries> {
  return readEntries(selection, surroundings, callEntriesIn);
}

/** Reads them in one file. Only captures are waited for: nearly all files are manifests. Throws CliError. */
export function callEntriesIn(file: InputFile): FileEntries | Promise<FileEntries> {
  if (file.bytes.length > maxGuessedBytes) return callEntriesInLarge(file);
  const given = entriesIn(file);
  return isManifests(given, file) ? withoutUnseen(given) : callEntriesBeside(given, file);
}

async function callEntriesInLarge(file: InputFile): Promise<FileEntries> {
  const { isLog } = await import('../../../captures/log.js');
  if (isLog(file.bytes)) return withoutUnseen(await findCapturedEntries(file));
  const given = entriesIn(file);
  return isManifests(given, file) ? withoutUnseen(given) : callEntriesBeside(given, file);
}

/** The captures of a file of other things than manifests; without any, what was found in it as manifests. */
async function callEntriesBeside(given: FileEntries, file: InputFile): Promise<FileEntries> {
  const found = await findCapturedEntries(file);
  return withoutUnseen(found.entries.length === 0 ? given : found);
}

/** Larger logs are recognized without reading them as manifests, which takes ten times their size in memory. */
const maxGuessedBytes = 1024 * 1024;

/** Is this a file of manifests, or of nothing but captures? Python's dictionaries are almost YAML, which has no None. */
function isManifests({ entries }: FileEntries, { bytes }: InputFile): boolean {
  const objects = entries.filter((entry): entry is LocatedManifest => !(entry instanceof CliError));
  if (objects.some(({ object }) => !isCaptured(object) && !isAuditEvent(object))) return true;
  return (
    objects.length > 0 && objects.length === entries.length && !/^\s*\{\s*'/.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))
  );
}

async function findCapturedEntries(file: InputFile): Promise<FileEntries> {
  const { capturesIn } = await import('../../../captures/find-captures.js');
  try {
    return capturesIn(file);
  } catch (error) {
    // Numbers and levels that no object can have: not a capture.
    if (!isTooDeep(error) && !(error instanceof JsonTypeError)) throw error;
    return { source: file.source, entries: [], warnings: [] };
  }
}

/** Leaves out audit events that admission does not see, with a warning. Throws CliError when there is nothing else. */
function withoutUnseen(file: FileEntries): FileEntries | Promise<FileEntries> {
  return file.entries.some(entry => !(entry instanceof CliError) && isAuditEvent(entry.object)) ? dropUnseenEvents(file) : file;
}

async function dropUnseenEvents({ source, entries, warnings }: FileEntries): Promise<FileEntries> {
  const { isAdmissionEvent } = await import('../../../captures/audit-call.js');
  const seen = entries.filter(entry => entry instanceof CliError || !isAuditEvent(entry.object) || isAdmissionEvent(entry.object));
  const count = entries.length - seen.length;
  if (seen.length === 0) {
    const events =
      count === 1 ? 'its 1 audit event is a read or an unfinished request' : `its ${count} audit events are reads or unfinished requests`;
    throw new CliError('no-objects', `no call in ${source} reaches admission: ${events}`, {
      suggestions: ['pass events of create, update, patch and delete'],
    });
  }
  const left = `${source}: left out ${counted(count, 'audit event')} of reads and unfinished requests`;
  return { source, entries: seen, warnings: count === 0 ? warnings : [...warnings, left] };
}

/** Returns the step that makes the call of an audit event. */
export function eventStep(event: LocatedManifest): CallStep {
  return {
    plan: async ({ server }) => {
      const { callOfEvent } = await import('../../../captures/audit-call.js');
      return callOfEvent(server, event);
    },
  };
}
