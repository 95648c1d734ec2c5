// Lays out the tables of a Kubernetes version so that a call reads the few kilobytes it needs: node scripts/tables.js FOLDER VERSION
// FOLDER holds types-VERSION.json and go-types-VERSION.json (by struct, the Go types of fields that the schema does not tell), both as large as all of
// Kubernetes, resources-VERSION.json and protobuf-VERSION.json (field numbers). They become src/kubernetes/tables/VERSION.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [from, version] = process.argv.slice(2);
const to = path.join(import.meta.dirname, '../src/kubernetes/tables', version);
const read = name => JSON.parse(readFileSync(path.join(from, `${name}-${version}.json`), 'utf8'));

const { kinds, commonKinds, types } = read('types');
const { types: goTypes } = read('go-types');
mkdirSync(path.join(to, 'types'), { recursive: true });
cpSync(path.join(from, `resources-${version}.json`), path.join(to, 'resources.json'));
const { types: numbers } = read('protobuf');
writeTable('protobuf.json', { types: mapValues(numbers, fields => mapValues(fields, ([number]) => number)) });
writeTable('kinds.json', { kinds, commonKinds });
for (const name of new Set(Object.keys(types).map(packageOf))) {
  writeTable(`types/${name.replace('/', '-')}.json`, { types: inPackage(types, name), goTypes: inPackage(goTypes, name) });
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** `core/v1` of `core/v1.PodSpec`. */
function packageOf(struct) {
  return struct.slice(0, struct.indexOf('.'));
}

function inPackage(rows, name) {
  return Object.fromEntries(Object.entries(rows).filter(([struct]) => packageOf(struct) === name));
}

/** Members stand one a line in the order of their names, as src/kubernetes/table-file.ts finds them by halves. */
function writeTable(name, sections) {
  const texts = Object.entries(sections).map(([section, rows]) => `"${section}": {\n${linesOf(rows).join(',\n')}\n}`);
  writeFileSync(path.join(to, name), `{${texts.join(',\n')}}\n`);
}

function linesOf(rows) {
  const names = Object.keys(rows).sort();
  return names.map(name => `${JSON.stringify(name)}: ${ascii(JSON.stringify(rows[name]))}`);
}

/** One byte a character. */
function ascii(text) {
  return text.replace(/[^\x00-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
