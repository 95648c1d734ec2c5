// Generates src/local-apiserver/recorded/data from the recordings of scripts/server-tables.js: node scripts/server-data.js FOLDER
// FOLDER holds server-MINOR.json for each minor. The data of the default minor is stored completely; the others as differences from it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { baseMinor, recordedMinors } from './minors.js';
import { deltaOf } from './text-delta.js';

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('usage: node scripts/server-data.js FOLDER');
const target = path.join(import.meta.dirname, '../src/local-apiserver/recorded/data');
const minors = recordedMinors(from, 'server');
const texts = new Map(
  minors.map(minor => [minor, textsOf(JSON.parse(readFileSync(path.join(from, `server-${minor}.json`), 'utf8')).files)]),
);
const complete = baseMinor();

rmSync(target, { recursive: true, force: true });
for (const [minor, files] of texts) {
  const folder = minor === complete ? target : path.join(target, minor);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) {
    const base = texts.get(complete).get(name);
    if (minor === complete) writeData(path.join(folder, name), text);
    else if (text !== base) writeData(path.join(folder, name), `${deltaText(base, text)}\n`);
  }
}

/** Texts of the files by name; those that end in `.br` are compressed. latin1, so that positions count bytes. */
function textsOf(files) {
  const named = Object.entries(files).map(([name, content]) => [name, textOf(name, content)]);
  return new Map(named.map(([name, text]) => [text.length > 1_000_000 ? `${name}.br` : name, Buffer.from(text).toString('latin1')]));
}

function textOf(name, content) {
  if (typeof content === 'string') return content;
  // One resource a line.
  if (name === 'columns.json') {
    const rows = Object.entries(content.resources).map(([key, columns]) => `${JSON.stringify(key)}: ${JSON.stringify(columns)}`);
    return `{"texts": [\n${content.texts.map(text => JSON.stringify(text)).join(',\n')}\n],\n"resources": {\n${rows.join(',\n')}\n}}\n`;
  }
  return `${JSON.stringify(content, null, 2)}\n`;
}

function deltaText(base, text) {
  const delta = deltaOf(base, text);
  const applied = delta.map(part => (typeof part === 'string' ? part : base.slice(part[0], part[0] + part[1]))).join('');
  if (applied !== text) throw new Error('the difference does not give the text');
  return JSON.stringify(delta).replace(/[^\x00-\x7f]/g, unit => `\\u00${unit.charCodeAt(0).toString(16)}`);
}

function writeData(file, text) {
  const bytes = Buffer.from(text, 'latin1');
  const parameters = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(file, file.endsWith('.br') ? brotliCompressSync(bytes, { params: parameters }) : bytes);
}
