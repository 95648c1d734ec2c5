// Lists what changed in the tables of two minors: scripts/unpack-minors.js and the scripts that make tables write their files.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const longestRow = 200;

/** Returns lines, a heading for each kind of row: kinds, fields, resources, gates, and declared validation. */
export function tableChanges(folder, before, after) {
  const read = (name, minor) => {
    const file = path.join(folder, `${name}-${minor}.json`);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  };
  const both = (name, rowsOf) => [before, after].map(minor => rowsOf(read(name, minor)));
  const sections = [
    ['kinds', both('types', ({ kinds }) => keys(kinds))],
    ['fields', both('types', ({ types }) => fieldsOf(types))],
    [
      'resources',
      both('resources', table =>
        keys(Object.fromEntries((table.all?.resources ?? []).map(row => [`${row.group}/${row.version}/${row.resource}`, true]))),
      ),
    ],
    ['gates', both('gates', gates => gates)],
    ['declared validation: kinds', both('validations', ({ registered }) => registered ?? {})],
    ['declared validation: members', both('validations', ({ types }) => membersOf(types))],
  ];
  return sections.flatMap(([name, [from, to]]) => {
    const rows = changedRows(from, to);
    return [`${name}: ${rows.length}`, ...rows.map(row => `  ${row.length > longestRow ? `${row.slice(0, longestRow)} ...` : row}`)];
  });
}

/** Rows that are new, gone or different: `+ NAME VALUE`, `- NAME`, `NAME: BEFORE -> AFTER`. */
export function changedRows(from, to) {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return names.flatMap(name => {
    const [a, b] = [from[name], to[name]].map(value => (value === undefined ? undefined : JSON.stringify(value)));
    if (a === b) return [];
    if (a === undefined) return [`+ ${name}${b === 'true' ? '' : ` ${b}`}`];
    return b === undefined ? [`- ${name}`] : [`${name}: ${a} -> ${b}`];
  });
}

function keys(rows = {}) {
  return Object.fromEntries(Object.keys(rows).map(name => [name, true]));
}

/** Fields by struct and JSON name, with their types. */
function fieldsOf(types = {}) {
  return Object.fromEntries(
    Object.entries(types).flatMap(([struct, { fields = [] }]) => fields.map(field => [`${struct}.${field.json ?? field.go}`, field.type])),
  );
}

/** Validators by member, with their marks: `Required`, `MaxItems(4)`; alpha and beta show their stage. */
function membersOf(types = {}) {
  return Object.fromEntries(
    Object.entries(types).flatMap(([struct, steps]) =>
      steps.map((step, i) =>
        step[0] === 'field' ? [`${struct}.${step[1]}`, shownSteps(step[3])] : [`${struct} ${i + 1}`, shownSteps([step])],
      ),
    ),
  );
}

function shownSteps(steps) {
  return steps.map(([name, second, ...rest]) => {
    if (name === 'type') return second;
    if (name === 'cohort') return shownSteps(second);
    const stage = { a: 'alpha ', b: 'beta ' }[/[ab]/.exec(second)?.[0]] ?? '';
    return `${stage}${name}${rest.length === 0 ? '' : `(${JSON.stringify(rest).slice(1, -1)})`}`;
  });
}
