import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesOfFolders, importsBelow, isOwn, mayImport, roomOf, violationsOf } from './architecture/cruise.js';
import { withRooms } from './architecture/document.js';
import { rooms, serverMembers } from './architecture/rooms.js';
import { root } from './support/run-command.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** Names of the members that a file adds to `ApiServer`. */
function membersDeclaredIn(text: string): string[] {
  const [, block = ''] = /^declare module '[./]*kubernetes\/api-server\.js' \{$(.*?)^\}$/ms.exec(text) ?? [];
  return [...block.matchAll(/^ {4}readonly (\w+):/gm)].map(([, name = '']) => name);
}

function declaringRoomOf(member: string): string {
  return Object.keys(serverMembers).find(room => serverMembers[room]?.includes(member)) ?? '';
}

/** Longest file in `src` and `commands`, in lines. */
const maxLines = 300;

describe('the rooms', async () => {
  const imports = await importsBelow(root, ['src', 'commands']);
  const files = imports.modules.filter(isOwn).map(({ source }) => source);

  it('import only the rooms and libraries that the table allows, and have no import cycles', () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(violationsOf(imports)).toEqual([]);
  });

  it('have no folders that import each other in a circle, a folder and those in it counted apart', () => {
    expect(circlesOfFolders(imports)).toEqual([]);
  });

  it('read only the members of ApiServer that rooms declare which they may import', () => {
    const names = Object.values(serverMembers).flat();
    const read = new RegExp(`\\bserver\\.(${names.join('|')})\\b`, 'g');
    const texts = files.map(file => [file, readFileSync(path.join(root, file), 'utf8')] as const);
    const declared = texts.flatMap(([file, text]) => membersDeclaredIn(text).map(name => `${roomOf(file)}: ${name}`));
    expect(declared.sort()).toEqual(
      Object.entries(serverMembers)
        .flatMap(([room, members]) => members.map(name => `${room}: ${name}`))
        .sort(),
    );
    const reads = texts.flatMap(([file, text]) => [...text.matchAll(read)].map(([, name = '']) => [file, name] as const));
    expect(reads.length).toBeGreaterThan(names.length);
    const wrongReads = reads.filter(([file, name]) => !mayImport(roomOf(file) ?? '', declaringRoomOf(name)));
    expect(wrongReads).toEqual([]);
  });

  it('let the library load nothing of the command line', () => {
    const importsOf = new Map(imports.modules.map(({ source, dependencies }) => [source, dependencies]));
    const reached = new Set(['src/library/entry.ts']);
    for (const file of reached) {
      for (const { resolved, dependencyTypes } of importsOf.get(file) ?? [])
        if (!dependencyTypes.includes('type-only')) reached.add(resolved);
    }
    expect(reached.size).toBeGreaterThan(100);
    expect([...reached].filter(name => /oclif/.test(name))).toEqual([]);
  });

  it(`have no file over ${maxLines} lines`, () => {
    const long = files.filter(
      file => file.endsWith('.ts') && readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 > maxLines,
    );
    expect(long).toEqual([]);
  });

  it('are all in the table', () => {
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).map(entry => `src/${entry.name}`);
    expect(folders.filter(folder => rooms[folder] === undefined)).toEqual([]);
  });

  it('are those of ARCHITECTURE.md, with their picture', async () => {
    const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `((?:src\/|commands)[\w/<>-]*)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(rooms));
    expect(text).toBe(await withRooms(text, imports));
  });
});

/** Violations in a program of these files. */
async function violationsIn(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { folder, remove } = temporaryFolder(texts);
  const imports = await importsBelow(folder, ['src']);
  remove();
  return violationsOf(imports);
}

/** Imports that are wrong, each in a file of its own, and the rule that says so. Files named b exist, and import nothing. */
const wrong: readonly (readonly [what: string, folder: string, text: string, rule: string])[] = [
  ['a room below', 'src/kubernetes', "import { x } from '../encoding/b.js';", 'src/kubernetes may not import this room'],
  ['a type of a room below', 'src/encoding', "import type { X } from '../transport/b.js';", 'src/encoding may not import this room'],
  ['a type expression', 'src/encoding', "type X = import('../transport/b.js').X;", 'src/encoding may not import this room'],
  ['a dynamic import', 'src/cel', "const b = await import('../apiserver/b.js');", 'src/cel may not import this room'],
  ['a re-export', 'src/x509', "export * from '../transport/b.js';", 'src/x509 may not import this room'],
  ['an import over several lines', 'src/lint', "import {\n  a,\n  b,\n} from '../suites/b.js';", 'src/lint may not import this room'],
  [
    'a value where types may be imported',
    'src/reports',
    "import { type A, b } from '../apiserver/b.js';",
    'src/reports may not import values of this room',
  ],
  [
    'a value next to a type',
    'src/reports',
    "import type { A } from '../apiserver/b.js';\nimport { b } from '../apiserver/b.js';",
    'src/reports may not import values of this room',
  ],
  ['a side effect', 'src/encoding', "import '../cli/b.js';", 'src/encoding may not import this room'],
  ['a library in the wrong room', 'src/cli', "import chalk from 'chalk';", 'src/cli may not import this library'],
  ['a part of a library', 'src/cel', "import { x } from '@oclif/core/help';", 'src/cel may not import this library'],
  ['a library by require', 'src/cel', "const { Agent } = require('undici');", 'src/cel may not import this library'],
  ['the disk', 'src/apiserver', "import { readFileSync } from 'node:fs/promises';", 'src/apiserver may not import what does I/O'],
  ['from no room', 'src', "import { x } from './cli/b.js';", 'in no room'],
  ['a file in no room', 'src/cli', "import { x } from '../b.js';", 'imports a file in no room'],
  ['another command', 'src/cli/commands/match', "import { x } from '../review/b.js';", 'src/cli/commands/<name> may not import this room'],
  ['a command', 'src/cli/threads', "import { x } from '../commands/review/b.js';", 'src/cli/threads may not import this room'],
  ['a missing file', 'src/cli', "import { x } from './missing.js';", 'imports a missing file'],
  [
    'the room of a kind',
    'src/apiserver/registry',
    "import { x } from '../../apis/b.js';",
    'src/apiserver/registry may not import this room',
  ],
  ['the room around its own', 'src/apiserver/objects', "import { x } from '../b.js';", 'src/apiserver/objects may not import this room'],
];

/** Files that import each other. */
const cyclic = {
  'src/cel/first.ts': "import { b } from './second.js';",
  'src/cel/second.ts': "import type { C } from './third.js';\nimport 're2js';",
  'src/cel/third.ts': "const a = await import('./first.js');",
  'src/cel/fourth.ts': "import { a } from './first.js';",
  'src/cel/fifth.ts': "export * from './fifth.js';",
};

/** Imports only types of rooms of which only types are allowed, and a library of its room. */
const allowed = "import type { Report } from '../apiserver/b.js';\nimport { type A, type B } from '../lint/b.js';\nimport 'diff/lib/x.js';";

describe('a file', async () => {
  const targets = ['src', 'src/cli/commands/review', ...Object.keys(rooms)].map(folder => [`${folder}/b.ts`, 'export {};']);
  const program = [...targets, ...wrong.map(([, folder, text], i) => [`${folder}/case${i}.ts`, text]), ...Object.entries(cyclic)];
  const found = await violationsIn({ ...Object.fromEntries(program), 'src/reports/allowed.ts': allowed });

  it.each(wrong.map(([what, , , rule], i) => [what, rule, i] as const))('may not import %s', (_, rule, i) => {
    const violations = found.filter(violation => violation.includes(`/case${i}.ts imports`));
    expect(violations.map(violation => violation.split(':')[0])).toEqual([rule]);
  });

  it('may not import itself through others, also by type or dynamically', () => {
    const cycles = found.filter(violation => Object.keys(cyclic).some(file => violation.includes(file)));
    expect(cycles).toEqual([
      'no cycles: src/cel/fifth.ts imports src/cel/fifth.ts',
      'no cycles: src/cel/first.ts imports src/cel/second.ts',
    ]);
  });

  it('has a folder that is in no circle of folders, as these are', async () => {
    const { folder, remove } = temporaryFolder({
      'src/cel/a.ts': "import { b } from './check/b.js';",
      'src/cel/check/b.ts': "import type { C } from '../c.js';",
      'src/cel/c.ts': 'export type C = string;',
      'src/go/url/x.ts': "import { y } from '../json/y.js';",
      'src/go/url/z.ts': 'export {};',
      'src/go/json/y.ts': "import { z } from '../url/z.js';",
    });
    const cruised = await importsBelow(folder, ['src']);
    remove();
    expect(circlesOfFolders(cruised)).toEqual([
      'src/cel -> src/cel/check: src/cel/a.ts imports src/cel/check/b.ts',
      'src/cel/check -> src/cel: src/cel/check/b.ts imports src/cel/c.ts',
      'src/go/json -> src/go/url: src/go/json/y.ts imports src/go/url/z.ts',
      'src/go/url -> src/go/json: src/go/url/x.ts imports src/go/json/y.ts',
    ]);
    expect(violationsOf(cruised)).toEqual([
      'no cycles of folders: src/go/json imports src/go/url',
      'no cycles of folders: src/go/url imports src/go/json',
    ]);
  });

  it('may import types where the table allows only types, and its libraries', () => {
    expect(found.filter(violation => violation.includes('src/reports/allowed.ts'))).toEqual([]);
  });

  it('is the only one that is blamed', () => {
    const blamed = found.filter(violation => !/\/case\d+\.ts imports/.test(violation));
    expect(blamed.filter(violation => !violation.startsWith('no cycles: '))).toEqual([]);
  });
});
