import { type Parsed, parsedYaml } from './structure.js';

/** Parses TAP version 14: the structure has the plans, test points, directives and keys of the diagnoses. Throws for any other line. */
export function parsedTap(text: string): Parsed {
  const structure: unknown[] = [];
  const texts: string[] = [];
  const [version, ...lines] = text.replace(/\n$/, '').split(/\r\n|[\n\r\u2028\u2029\u0085]/);
  if (version !== 'TAP version 14') throw new Error(`version: ${version}`);
  for (let i = 0; i < lines.length; i += 1) {
    const [, indent = '', line = ''] = /^((?: {4})*)(.*)$/.exec(lines[i] ?? '') ?? [];
    const point = /^(not ok|ok) (\d+) - ((?:\\[\\#]|[^\\#])*)(?: # (SKIP|TODO)(.*))?$/.exec(line);
    const subtest = /^# Subtest: ((?:\\[\\#]|[^\\#])*)$/.exec(line);
    const comment = /^# (.*)$/.exec(line);
    if (/^\d+\.\.\d+$/.test(line)) structure.push([indent.length, line]);
    else if (point !== null) {
      structure.push([indent.length, point[1], point[2], point[4]]);
      texts.push(unescaped(point[3] ?? ''));
    } else if (subtest !== null) {
      structure.push([indent.length, 'subtest']);
      texts.push(unescaped(subtest[1] ?? ''));
    } else if (comment !== null) texts.push(comment[1] ?? '');
    else if (line === '  ---') {
      const end = lines.indexOf(`${indent}  ...`, i);
      const yaml = parsedYaml(
        lines
          .slice(i + 1, end)
          .map(each => each.slice(indent.length + 2))
          .join('\n'),
      );
      structure.push([indent.length, yaml.structure]);
      texts.push(...yaml.texts);
      i = end;
    } else throw new Error(`not TAP: ${JSON.stringify(lines[i])}`);
  }
  return { structure: JSON.stringify(structure), texts };
}

const unescaped = (text: string): string => text.replace(/\\([\\#])/g, '$1');

/** Parses workflow commands as GitHub's runner does: the structure has the commands and the names of their properties. Source: actions/runner ActionCommand.cs. */
export function parsedCommands(text: string): Parsed {
  const texts: string[] = [];
  const structure: unknown[] = [];
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const [, name = '', properties = '', message = ''] = /^\s*::([^ :]+)(?: (.*?))?::(.*)$/.exec(line) ?? [];
    if (name === '' && !line.includes('##[')) continue;
    const pairs = properties.split(',').map(pair => pair.split('='));
    structure.push([name, pairs.map(([key]) => key)]);
    texts.push(decoded(message), ...pairs.map(([, ...value]) => decoded(value.join('=')).replaceAll('%3A', ':').replaceAll('%2C', ',')));
  }
  return { structure: JSON.stringify(structure), texts };
}

const decoded = (text: string): string => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
