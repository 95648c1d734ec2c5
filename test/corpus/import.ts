import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { folders, projectRoot, readPlainFolder } from './files.js';

/** Packs a recorded corpus into fixtures/corpus, one file a folder: `npm run corpus:import -- FOLDER`. */
const source = process.argv[2];
if (source === undefined) {
  console.error('name the folder of the corpus: npm run corpus:import -- ../corpus');
  process.exitCode = 2;
} else {
  const target = path.join(projectRoot, 'fixtures/corpus');
  mkdirSync(target, { recursive: true });
  for (const folder of folders) {
    const names = readPlainFolder(path.join(source, folder), folder).map(file => file.name);
    if (names.length === 0) continue;
    // The texts as they are: parsed, their numbers would lose digits.
    const members = names.map(name => `${JSON.stringify(name)}:${readFileSync(path.join(source, folder, `${name}.json`), 'utf8').trim()}`);
    const packed = gzipSync(`{${members.join(',')}}`, { level: 9 });
    writeFileSync(path.join(target, `${folder}.json.gz`), packed);
    console.log(`${folder}: ${names.length} files, ${packed.length} bytes`);
  }
}
