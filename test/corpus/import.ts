import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { layOutLines } from '../support/line-layout.js';
import { recordedFile } from '../support/recorded-text.js';
import { folders, projectRoot, readFilesBelow } from './files.js';

/** Copies a recorded corpus into fixtures/corpus, with a line for each case: `npm run corpus:import -- FOLDER`. */
const source = process.argv[2];
if (source === undefined) {
  console.error('name the folder of the corpus: npm run corpus:import -- ../corpus');
  process.exitCode = 2;
} else {
  for (const folder of folders) {
    const names = readFilesBelow(path.join(source, folder), folder).map(file => file.name);
    if (names.length === 0) continue;
    const target = path.join(projectRoot, 'fixtures/corpus', folder);
    rmSync(target, { recursive: true, force: true });
    let size = 0;
    for (const name of names) {
      // The text as it is: parsed, its numbers would lose digits.
      const text = readFileSync(path.join(source, folder, `${name}.json`), 'utf8');
      const { file, bytes } = recordedFile(path.join(target, `${name}.json`), layOutLines(text));
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      size += bytes.length;
    }
    console.log(`${folder}: ${names.length} files, ${size} bytes`);
  }
}
