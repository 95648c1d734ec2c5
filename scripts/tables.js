// Generates the tables of the Kubernetes minors in a layout in which a call reads only the few kilobytes it needs: node scripts/tables.js
// FOLDER FOLDER holds, for each minor, types-MINOR.json, go-types-MINOR.json and protobuf-MINOR.json of scripts/type-tables.js, and
// resources-MINOR.json and gates-MINOR.json of scripts/server-tables.js. The output is src/kubernetes/tables/MINOR. The default minor is
// stored completely, the others as differing rows; null is a removed row.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseMinor, recordedMinors } from './minors.js';

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('usage: node scripts/tables.js FOLDER');
const tables = path.join(import.meta.dirname, '../src/kubernetes/tables');
const read = name => JSON.parse(readFileSync(path.join(from, `${name}.json`), 'utf8'));
const minors = recordedMinors(from, 'types');
const complete = baseMinor();
const base = filesOf(complete);
const baseResources = read(`resources-${complete}`);

for (const minor of minors) {
  rmSync(path.join(tables, minor), { recursive: true, force: true });
  mkdirSync(path.join(tables, minor, 'types'), { recursive: true });
  const own = minor === complete ? base : changes(filesOf(minor));
  for (const [name, sections] of own) writeTable(path.join(minor, name), sections);
  writeFileSync(path.join(tables, minor, 'resources.json'), resourcesText(read(`resources-${minor}`), minor));
}

/** Sections of rows by file. */
function filesOf(minor) {
  const { kinds, commonKinds, types } = read(`types-${minor}`);
  const { types: goTypes } = read(`go-types-${minor}`);
  const files = new Map([
    ['kinds.json', { kinds, commonKinds }],
    ['gates.json', { gates: read(`gates-${minor}`) }],
    ['protobuf.json', { types: fieldNumbers(minor) }],
  ]);
  if (existsSync(path.join(from, `validations-${minor}.json`))) files.set('validations.json', read(`validations-${minor}`));
  for (const name of new Set(Object.keys(types).map(packageOf)))
    files.set(`types/${name.replace('/', '-')}.json`, { types: inPackage(types, name), goTypes: inPackage(goTypes, name) });
  return files;
}

/** Field numbers of messages by Go type. */
function fieldNumbers(minor) {
  return mapValues(read(`protobuf-${minor}`).types, fields => mapValues(fields, ([number]) => number));
}

function changes(files) {
  const changed = new Map();
  for (const name of new Set([...base.keys(), ...files.keys()])) {
    // Up to v1.35 nothing is validated declaratively.
    if (name === 'validations.json' && !files.has(name)) continue;
    const [whole, own] = [base.get(name) ?? {}, files.get(name) ?? {}];
    const sections = Object.keys(own).length > 0 ? Object.keys(own) : Object.keys(whole);
    // Steps of a type that no kind of the minor reaches are never read: they need no row that removes them.
    const isReachedOnly = section => name === 'validations.json' && section === 'types';
    const before = section => (isReachedOnly(section) ? commonRows(whole[section], own[section]) : (whole[section] ?? {}));
    const rows = sections.map(section => [section, changedRows(before(section), own[section] ?? {})]);
    if (rows.some(([, section]) => Object.keys(section).length > 0)) changed.set(name, Object.fromEntries(rows));
  }
  return changed;
}

/** Rows of the first that the second has, too. */
function commonRows(whole, own) {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => own[name] !== undefined));
}

function changedRows(whole, own) {
  const differs = name => JSON.stringify(whole[name]) !== JSON.stringify(own[name]);
  const names = [...new Set([...Object.keys(whole), ...Object.keys(own)])].filter(differs);
  return Object.fromEntries(names.map(name => [name, own[name] ?? null]));
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

/** One member per line, sorted by name, because src/kubernetes/table-file.ts uses binary search. */
function writeTable(name, sections) {
  const texts = Object.entries(sections).map(([section, rows]) => `"${section}": {\n${linesOf(rows).join(',\n')}\n}`);
  writeFileSync(path.join(tables, name), `{${texts.join(',\n')}}\n`);
}

function linesOf(rows) {
  const names = Object.keys(rows).sort();
  return names.map(name => `${JSON.stringify(name)}: ${ascii(JSON.stringify(rows[name]))}`);
}

/**
 * Resources in the server's order. In the tables of other minors, resources equal to those of the complete one are stored as names only.
 */
function resourcesText({ version, default: byDefault, allFlags, all }, minor) {
  const part = (table, whole) => {
    const known = new Set(minor === complete ? [] : whole.resources.map(row => JSON.stringify(row)));
    const row = resource => (known.has(JSON.stringify(resource)) ? JSON.stringify(nameOf(resource)) : JSON.stringify(resource));
    const groups = table.groups.map(group => JSON.stringify(group)).join(',\n');
    return `{"groups": [\n${groups}\n],\n"resources": [\n${table.resources.map(row).join(',\n')}\n]}`;
  };
  const texts = [part(byDefault, baseResources.default), part(all, baseResources.all)];
  return `{"version": ${JSON.stringify(version)},\n"default": ${texts[0]},\n"allFlags": ${JSON.stringify(allFlags)},\n"all": ${texts[1]}}\n`;
}

function nameOf({ group, version, resource }) {
  return `${group}/${version}/${resource}`;
}

/** One byte per character. */
function ascii(text) {
  return text.replace(/[^\x00-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
