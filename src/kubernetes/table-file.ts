import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultMinor, type KubernetesMinor } from './kubernetes-version.js';

/**
 * Section of a table in `tables/`, with one member a line, sorted by name. Calls need only a few of hundreds of lines, so only those are
 * parsed as JSON. Tables are ASCII.
 */
export interface TableSection {
  /** Returns the value of a name; undefined if there is none. */
  find(name: string): unknown;
  names(): string[];
}

/** Returns a top-level object of a table by its name. Throws if there is none. */
export function sectionOf(table: string, name: string): TableSection {
  const opening = `"${name}": {\n`;
  const before = table.indexOf(opening);
  if (before < 0) throw new Error(`no ${name} in a table of Kubernetes types`);
  const start = before + opening.length;
  const end = table.indexOf('\n}', start);
  return { find: wanted => memberIn(table, { start, end }, wanted), names: () => namesIn(table.slice(start, end)) };
}

/** Returns a top-level object that ends with a list, parsed as a whole; the rest of the table is not read. */
export function objectInTable(table: string, name: string): unknown {
  const before = table.indexOf(`\n"${name}": {`);
  if (before < 0) throw new Error(`no ${name} in a table of Kubernetes types`);
  return JSON.parse(table.slice(table.indexOf('{', before), table.indexOf('\n]}', before) + 3));
}

/**
 * One object of a table for a minor. The tables of the base minor are complete; those of other minors contain differing rows, and `null` for
 * removed ones.
 */
export function readSectionOf(minor: KubernetesMinor, file: string, name: string): TableSection {
  return readSections(minor, file)(name);
}

/** Reads a table for a minor, and returns its objects by name, each as `readSectionOf` does. */
export function readSections(minor: KubernetesMinor, file: string): (name: string) => TableSection {
  const base = readTable(baseMinor, file);
  const own = minor === baseMinor ? undefined : readTable(minor, file);
  return name => {
    if (own === undefined) return base === undefined ? noRows : sectionOf(base, name);
    return base === undefined ? sectionOf(own, name) : changedSection(sectionOf(base, name), sectionOf(own, name));
  };
}

/** The minor whose tables are complete: the default one, so that its calls read one table. scripts/minors.js reads it from the sources, too. */
export const baseMinor: KubernetesMinor = defaultMinor;

const noRows: TableSection = { find: () => undefined, names: () => [] };

function changedSection(base: TableSection, own: TableSection): TableSection {
  const find = (name: string): unknown => {
    const row = own.find(name);
    return row === undefined ? base.find(name) : (row ?? undefined);
  };
  return { find, names: () => [...new Set([...base.names(), ...own.names()])].sort().filter(name => find(name) !== undefined) };
}

/** Returns the text of a minor's table by its path; undefined if there is none. */
export function readTable(minor: KubernetesMinor, file: string): string | undefined {
  try {
    return readFileSync(path.join(import.meta.dirname, 'tables', minor, file), 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Binary search: `start` is always the start of a line, and the line, if it exists, starts before `end`. */
function memberIn(table: string, within: { readonly start: number; readonly end: number }, wanted: string): unknown {
  let { start, end } = within;
  while (start < end) {
    const line = Math.max(table.lastIndexOf('\n', (start + end) >> 1) + 1, start);
    const behindName = table.indexOf('"', line + 1);
    const name = table.slice(line + 1, behindName);
    const lineEnd = Math.min(endOfLine(table, behindName), within.end);
    if (name === wanted) return JSON.parse(table.slice(table.indexOf(':', behindName) + 1, lineEnd).replace(/,$/, ''));
    if (name < wanted) start = lineEnd + 1;
    else end = line - 1;
  }
  return undefined;
}

function endOfLine(table: string, from: number): number {
  const at = table.indexOf('\n', from);
  return at < 0 ? table.length : at;
}

function namesIn(lines: string): string[] {
  return lines.split('\n').map(line => line.slice(1, line.indexOf('"', 1)));
}
