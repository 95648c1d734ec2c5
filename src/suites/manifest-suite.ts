import path from 'node:path';
import type { SuiteSource } from './find-suites.js';
import type { Recording } from './recording.js';
import { snapshotFolder } from './snapshot-folder.js';
import { snapshotFileName } from './snapshot-name.js';
import type { Suite, SuiteCase } from './suite.js';

/**
 * A folder of manifests as a suite: each file is a case that creates its objects; each of the `recordings`, by file, a case that sends its review
 * and compares the answer.
 */
export function manifestSuite(
  { folder, files, whole }: Extract<SuiteSource, { readonly from: 'manifests' }>,
  recordings: ReadonlyMap<string, Recording> = new Map(),
): Suite {
  const stems = new Map<string, number>();
  for (const file of files) stems.set(stemOf(file), (stems.get(stemOf(file)) ?? 0) + 1);
  // Shared: thousands of cases would have thousands of each.
  const empty = { checks: [], expect: {}, redactions: [] };
  const cases = files.map(file => {
    // Keeps the extension: pod.yaml and pod.json are two cases.
    const name = stems.get(stemOf(file)) === 1 ? stemOf(file) : path.basename(file);
    return {
      name,
      place: { file },
      options: { filename: [file] },
      ...empty,
      ...recordedCase(recordings.get(file), name),
      skip: undefined,
      only: false,
    };
  });
  return {
    name: folder,
    file: folder,
    snapshots: { folder: path.join(folder, snapshotFolder), scope: whole ? 'all' : [] },
    webhook: {},
    cases,
  };
}

/** The recorded answer is the snapshot of a recording. */
function recordedCase(recording: Recording | undefined, name: string): Pick<SuiteCase, 'recording' | 'snapshot'> {
  return recording === undefined ? { snapshot: snapshotFileName(undefined, name) } : { recording, snapshot: undefined };
}

function stemOf(file: string): string {
  return path.basename(file).replace(/\.[^.]+$/, '');
}
