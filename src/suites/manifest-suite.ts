import path from 'node:path';
import type { SuiteSource } from './find-suites.js';
import { snapshotFolder } from './snapshots/folder.js';
import { snapshotFileName } from './snapshots/snapshot-name.js';
import type { Suite } from './suite.js';

/** A folder of manifests as a suite: creating what a file holds is a case. */
export function manifestSuite({ folder, files, whole }: Extract<SuiteSource, { readonly from: 'manifests' }>): Suite {
  const cases = files.map(file => {
    const base = path.basename(file);
    const stem = base.replace(/\.[^.]+$/, '');
    // pod.yaml and pod.json are two cases.
    const isOnly = files.filter(other => path.basename(other).replace(/\.[^.]+$/, '') === stem).length === 1;
    const name = isOnly ? stem : base;
    return {
      name,
      place: { file },
      flags: { filename: [file] },
      checks: [],
      expect: {},
      snapshot: snapshotFileName(undefined, name),
      redactions: [],
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
