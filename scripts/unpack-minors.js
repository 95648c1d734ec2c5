// Writes the files of all minors that scripts/tables.js and scripts/server-data.js read, from what these scripts generated:
//
//   node scripts/unpack-minors.js FOLDER
//
// So a minor can be added without recording the others again: unpack, add the files of the new minor to FOLDER, and run both scripts.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { reachableTypes } from './go-source/reachable-types.js';
import { baseMinor, sortedMinors } from './minors.js';

const [to] = process.argv.slice(2);
if (to === undefined) throw new Error('usage: node scripts/unpack-minors.js FOLDER');
const tables = path.join(import.meta.dirname, '../src/kubernetes/tables');
const data = path.join(import.meta.dirname, '../src/local-apiserver/recorded/data');
const minors = sortedMinors(readdirSync(tables));
const complete = baseMinor();
const json = (...parts) => JSON.parse(readFileSync(path.join(tables, ...parts), 'utf8'));

mkdirSync(to, { recursive: true });
for (const minor of minors) {
  unpackTypes(minor);
  if (existsSync(path.join(tables, minor, 'validations.json'))) write('validations', minor, validationsText(minor));
  write('gates', minor, `${JSON.stringify(rowsOf(minor, 'gates.json', 'gates'))}\n`);
  write('resources', minor, resourcesText(minor));
  write('server', minor, JSON.stringify({ version: json(minor, 'resources.json').version, files: serverFiles(minor) }));
}

function unpackTypes(minor) {
  const packages = new Set([complete, minor].flatMap(each => readdirSync(path.join(tables, each, 'types'))));
  const section = name => Object.assign({}, ...[...packages].map(file => rowsOf(minor, `types/${file}`, name)));
  const kinds = { kinds: rowsOf(minor, 'kinds.json', 'kinds'), commonKinds: rowsOf(minor, 'kinds.json', 'commonKinds') };
  write('types', minor, `${JSON.stringify({ ...kinds, types: section('types') })}\n`);
  write('go-types', minor, `${JSON.stringify({ types: section('goTypes') })}\n`);
  const numbers = Object.entries(rowsOf(minor, 'protobuf.json', 'types')).map(([type, fields]) => [
    type,
    Object.fromEntries(Object.entries(fields).map(([field, number]) => [field, [number]])),
  ]);
  write('protobuf', minor, `${JSON.stringify({ types: Object.fromEntries(numbers) })}\n`);
}

/** Rows of a section of a table: those of the complete minor, replaced by those that differ in this one. */
function rowsOf(minor, file, section) {
  const own = existsSync(path.join(tables, minor, file)) ? (json(minor, file)[section] ?? {}) : {};
  const whole = existsSync(path.join(tables, complete, file)) ? (json(complete, file)[section] ?? {}) : {};
  return Object.fromEntries(Object.entries({ ...whole, ...own }).filter(([, row]) => row !== null));
}

/** Rows of types that no other of the minor reaches are left out, as scripts/validation-tables.js does. */
function validationsText(minor) {
  const [types, registered] = ['types', 'registered'].map(section => rowsOf(minor, 'validations.json', section));
  return `${JSON.stringify({ types: reachableTypes(types, Object.keys(registered)), registered })}\n`;
}

function resourcesText(minor) {
  const [own, whole] = [json(minor, 'resources.json'), json(complete, 'resources.json')];
  for (const part of ['default', 'all']) {
    const named = new Map(whole[part].resources.map(row => [`${row.group}/${row.version}/${row.resource}`, row]));
    own[part].resources = own[part].resources.map(row => (typeof row === 'string' ? named.get(row) : row));
  }
  return JSON.stringify(own);
}

/** Contents of the files by name, as recorded. */
function serverFiles(minor) {
  const names = readdirSync(data).filter(name => /\.\w+$/.test(name) && !minors.includes(name));
  return Object.fromEntries(names.map(name => [name.replace(/\.br$/, ''), contentOf(name, minor)]));
}

function contentOf(name, minor) {
  const base = bytesOf(path.join(data, name)).toString('latin1');
  const delta = path.join(data, minor, name);
  const parts = minor === complete || !existsSync(delta) ? [base] : JSON.parse(bytesOf(delta).toString('utf8'));
  const text = parts.map(part => (typeof part === 'string' ? part : base.slice(part[0], part[0] + part[1]))).join('');
  return Buffer.from(text, 'latin1').toString('utf8');
}

function bytesOf(file) {
  const bytes = readFileSync(file);
  return file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
}

function write(name, minor, text) {
  writeFileSync(path.join(to, `${name}-${minor}.json`), text);
}
