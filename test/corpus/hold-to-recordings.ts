import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { figureOf } from './figures.js';
import { casesOf, projectRoot, readFolder } from './files.js';

/** Equal cases by `folder/file`, as last written by `npm run corpus -- --record`. */
const recorded = JSON.parse(readFileSync(path.join(projectRoot, 'fixtures/corpus/figures.json'), 'utf8')) as Record<string, number>;

/** Files in which the clock itself is measured: a machine that is busy with other tests misses some deadlines. */
const margins: Readonly<Record<string, number>> = { 'decisions/timeouts': 6, 'decisions/connections': 1 };

/** Cases that wait for deadlines of up to half a minute. */
const patience = 240_000;

/** Tests that no case of a folder that was equal to its recording differs now: one test a file. */
export function holdToRecordings(folder: string): void {
  describe(`what a real kube-apiserver did: ${folder}`, () => {
    for (const file of readFolder(folder)) {
      if (casesOf(file).length === 0) continue;
      const name = `${folder}/${file.name}`;
      // Repeated, for cases in which time itself is measured: a busy machine can miss a deadline.
      it(`${file.name}: no case that was equal differs now`, { timeout: patience, retry: 2 }, async () => {
        const figure = await figureOf(file);
        const differing = figure.differences.map(d => `${d.name}: ${d.difference.slice(0, 300)}`);
        expect({ equal: figure.equal, differing }).toSatisfy(
          (found: { equal: number }) => found.equal >= (recorded[name] ?? 0) - (margins[name] ?? 0),
        );
      });
    }
  });
}
