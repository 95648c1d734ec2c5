import { writeYaml } from '../../encoding/yaml-writer.js';
import { compareKeys } from '../../go/key-order.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';

/** Collections that fit are on one line. */
const maxWidth = 60;
/** Longer lists and maps are written in rows. */
const maxLines = 8;
/** Rows are longer where there would be more of them. */
const [rowWidth, maxRows] = [110, 8];

/** Returns a value as YAML in few lines: small maps and lists are on one line, long ones in rows. Ends with a newline. */
export function compactYaml(value: Value): string {
  return `${blockOf(value).join('\n')}\n`;
}

function blockOf(value: Value): string[] {
  if (isMap(value) && value.size > 0) {
    return [...value].sort(([a], [b]) => compareKeys(a, b)).flatMap(([key, member]) => memberLines(key, member));
  }
  if (isList(value) && value.length > 0) return value.flatMap(itemLines);
  return writeYaml(value).trimEnd().split('\n');
}

function memberLines(key: string, value: Value): string[] {
  if (!isCollection(value)) return leafLines(new Map([[key, value]]));
  const name = flowOf(key);
  const flow = `${name}: ${flowOf(value)}`;
  if (flow.length <= maxWidth) return [flow];
  if (isList(value) && value.length > maxLines) return rowsOf(`${name}: [`, value.map(flowOf), ']');
  if (isMap(value) && value.size > maxLines && [...value.values()].every(member => flowOf(member).length <= maxWidth))
    return rowsOf(`${name}: {`, membersOf(value), '}');
  return [`${name}:`, ...(isList(value) ? blockOf(value) : indented(blockOf(value)))];
}

function itemLines(value: Value): string[] {
  if (!isCollection(value)) return leafLines([value]);
  const flow = flowOf(value);
  if (flow.length <= maxWidth) return [`- ${flow}`];
  const [first = '', ...rest] = blockOf(value);
  return [`- ${first}`, ...indented(rest)];
}

/** Returns the lines of a value in a map or list; texts of several lines are blocks. */
function leafLines(value: Value): string[] {
  return writeYaml(value).replace(/\n$/, '').split('\n');
}

function isCollection(value: Value): boolean {
  return (isMap(value) && value.size > 0) || (isList(value) && value.length > 0);
}

/** Returns the rows of a collection. */
function rowsOf(head: string, items: readonly string[], end: string): string[] {
  const width = Math.max(rowWidth, Math.ceil(items.join(', ').length / maxRows));
  const rows: string[] = [];
  let row = head;
  for (const [i, item] of items.entries()) {
    const text = `${item}${i === items.length - 1 ? end : ', '}`;
    if (row.length + text.length > width && row.trim() !== '') {
      rows.push(row.trimEnd());
      row = '  ';
    }
    row += text;
  }
  return [...rows, row];
}

function membersOf(value: ValueMap): string[] {
  return [...value].sort(([a], [b]) => compareKeys(a, b)).map(([key, member]) => `${flowOf(key)}: ${flowOf(member)}`);
}

function flowOf(value: Value): string {
  if (isMap(value)) return `{${membersOf(value).join(', ')}}`;
  if (isList(value)) return `[${value.map(flowOf).join(', ')}]`;
  if (isRawJson(value)) return value.rawJson;
  const text = writeYaml(value).trimEnd();
  // Other plain texts have another meaning between braces.
  return typeof value !== 'string' || /^[\w./@-](?:[\w./@:-]*[\w./@-])?$/.test(text) ? text : JSON.stringify(value);
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => (line === '' ? line : `  ${line}`));
}
