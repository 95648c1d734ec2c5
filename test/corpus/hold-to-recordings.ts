import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Figure, figureOf, type RecordedFigure } from './figures.js';
import { casesOf, projectRoot, readFolder } from './files.js';

/** Recorded figures by `folder/file`, as last written by `npm run corpus -- --record`. */
const recorded = JSON.parse(readFileSync(path.join(projectRoot, 'fixtures/corpus/figures.json'), 'utf8')) as Record<string, RecordedFigure>;

/** Number of cases that may miss a deadline on a busy machine, for files that measure time. */
const margins: Readonly<Record<string, number>> = { 'decisions/timeouts': 6, 'decisions/connections': 1 };

/** Timeout for cases that wait for deadlines of up to 30 seconds. */
const timeoutMs = 240_000;

/** A part of a folder's files. */
interface Part {
  readonly part: string;
  readonly includes: (file: string) => boolean;
  /** The cases wait for deadlines: the files run at the same time. */
  readonly waits?: boolean;
}

/**
 * Declares one test per file of the folder, or of a part of it: every case equals its recording, except those that differed when the
 * figures were recorded.
 */
export function holdToRecordings(folder: string, { part, includes, waits = false }: Part = { part: 'all', includes: () => true }): void {
  describe(`recorded answers of kube-apiserver: ${folder}, ${part}`, () => {
    const files = readFolder(folder).filter(file => casesOf(file).length > 0 && includes(file.name));

    it('have a recorded figure for every file, and no other', () => {
      const withFigure = Object.keys(recorded).filter(name => name.startsWith(`${folder}/`) && includes(name.slice(folder.length + 1)));
      expect(files.map(file => `${folder}/${file.name}`).sort()).toEqual(withFigure.sort());
      expect(files).not.toEqual([]);
    });

    for (const file of files) {
      const name = `${folder}/${file.name}`;
      // Retried because a busy machine can miss deadlines.
      const declare = waits ? it.concurrent : it;
      // Retried because a busy machine can miss deadlines.
      declare(`${file.name}: no case that was equal differs`, { timeout: timeoutMs, retry: 2 }, async () => {
        const figure = await figureOf(file);
        expect(figure.total).toBe(recorded[name]?.cases);
        expect(regressions(figure, recorded[name]).slice(margins[name] ?? 0)).toEqual([]);
      });
    }
  });
}

/** Describes each case that differs although it was equal when the figure was recorded. */
function regressions({ differences }: Figure, before: RecordedFigure | undefined): readonly string[] {
  const known = new Set(before?.differing);
  return differences.filter(d => !known.has(d.name)).map(d => `${d.name}: ${d.difference.slice(0, 300)}`);
}
