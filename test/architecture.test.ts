import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, importsBelow, importsOf } from './support/imports.js';
import { root } from './support/run-command.js';

interface Room {
  /** Rooms whose files may be imported; `types of` a room: only with `import type`. */
  readonly rooms: readonly string[];
  readonly libraries?: readonly string[];
  /** Touches the disk, the network or other processes. */
  readonly doesIo?: true;
}

const base = ['src/kubernetes', 'src/encoding'];
const objects = [...base, 'src/cel', 'src/apiserver/objects'];
const admission = ['src/apiserver/admission', 'src/apiserver/authorization'];
const apiserverRooms = ['objects', 'patches', 'registry', 'conversion', 'admission', 'authorization', 'plugins', 'webhooks'].map(
  room => `src/apiserver/${room}`,
);
const belowCli = [
  ...base,
  'src/x509',
  'src/cel',
  'src/transport',
  ...apiserverRooms,
  'src/apiserver',
  'src/controllers',
  'src/files',
  'src/certificates',
  'src/webhook-server',
  'src/local-apiserver',
  'src/lint',
  'src/suites',
  'src/reports',
];

/** The table of ARCHITECTURE.md: who may import whom, and through which door a library enters. Arrows only point up. */
const rooms: Readonly<Record<string, Room>> = {
  // node:fs for the tables of a version, which are data.
  'src/kubernetes': { rooms: [], libraries: ['node:fs'] },
  'src/encoding': { rooms: ['src/kubernetes'], libraries: ['yaml'] },
  // node:tls for the list of the machine's roots, which is data.
  'src/x509': { rooms: [], libraries: ['@peculiar/x509', 'node:tls'] },
  'src/cel': { rooms: base, libraries: ['re2js'] },
  'src/transport': { rooms: ['src/kubernetes', 'src/x509'], libraries: [], doesIo: true },
  'src/apiserver/objects': { rooms: [...base, 'src/cel'] },
  'src/apiserver/patches': { rooms: objects, libraries: ['fast-json-patch'] },
  'src/apiserver/registry': { rooms: [...objects, 'src/x509', 'src/apiserver/patches'] },
  'src/apiserver/conversion': { rooms: objects },
  'src/apiserver/admission': { rooms: objects },
  'src/apiserver/authorization': { rooms: [...objects, 'src/apiserver/admission'] },
  'src/apiserver/plugins': { rooms: [...objects, 'src/apiserver/patches', 'src/apiserver/registry', ...admission] },
  'src/apiserver/webhooks': { rooms: [...objects, 'src/apiserver/patches', ...admission] },
  'src/apiserver': { rooms: [...base, 'src/x509', 'src/cel', 'src/transport', ...apiserverRooms] },
  'src/files': { rooms: [], doesIo: true },
  'src/controllers': { rooms: [...base, 'src/apiserver/objects'] },
  'src/certificates': { rooms: [...base, 'src/x509', 'src/transport'], libraries: ['selfsigned', '@peculiar/x509'], doesIo: true },
  'src/webhook-server': { rooms: [...base, 'src/certificates'], doesIo: true },
  'src/local-apiserver': { rooms: [...base, 'src/cel', ...apiserverRooms, 'src/apiserver'], doesIo: true },
  'src/lint': { rooms: [...base, 'src/cel', 'src/x509', 'src/apiserver/webhooks'] },
  'src/suites': {
    rooms: [...base, 'src/cel', 'src/transport', ...apiserverRooms, 'src/apiserver', 'src/files'],
    libraries: ['diff'],
    doesIo: true,
  },
  'src/reports': {
    rooms: [...base, ...['src/suites', 'src/lint', 'src/apiserver', ...apiserverRooms].map(room => `types of ${room}`)],
    libraries: ['chalk', 'diff'],
  },
  'src/cli': { rooms: belowCli, libraries: ['@oclif/core'], doesIo: true },
  'src/library': { rooms: [...base, 'src/cli', 'src/reports'] },
  commands: { rooms: [...belowCli, 'src/cli'], libraries: ['@oclif/core'], doesIo: true },
};

/** Built-in modules that reach out of the process. */
const ioModules = new Set(
  ['fs', 'net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'child_process', 'cluster', 'worker_threads', 'readline', 'repl'].map(
    name => `node:${name}`,
  ),
);

function roomOf(file: string): string | undefined {
  return Object.keys(rooms)
    .filter(room => file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** What is wrong with an import; undefined when nothing is. */
function violation({ file, target, isLibrary, typesOnly }: Import): string | undefined {
  const name = roomOf(file);
  const room = name === undefined ? undefined : rooms[name];
  if (name === undefined || room === undefined) return `${file} is in no room`;
  if (isLibrary) return libraryViolation(file, target, { name, room });
  const imported = roomOf(target);
  if (imported === name || target.endsWith('.json')) return undefined;
  if (imported === undefined) return `${file} imports ${target}, which is in no room`;
  const allowed = room.rooms.includes(imported) || (typesOnly && room.rooms.includes(`types of ${imported}`));
  return allowed ? undefined : `${name} may not import ${imported}: ${file} imports ${target}`;
}

function libraryViolation(
  file: string,
  library: string,
  { name, room }: { readonly name: string; readonly room: Room },
): string | undefined {
  if (library.startsWith('node:') && room.libraries?.includes(library) !== true) {
    return ioModules.has(library) && room.doesIo !== true
      ? `${name} may not touch the world outside: ${file} imports ${library}`
      : undefined;
  }
  return library.startsWith('node:') || room.libraries?.includes(library) === true
    ? undefined
    : `${library} does not enter through ${name}: ${file}`;
}

describe('the rooms', () => {
  it('import only rooms above them and libraries that are theirs', () => {
    expect(importsBelow(root, ['src', 'commands']).flatMap(found => violation(found) ?? [])).toEqual([]);
  });

  it('are all in the table', () => {
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).map(entry => `src/${entry.name}`);
    expect(folders.filter(folder => rooms[folder] === undefined)).toEqual([]);
  });

  it('are those of ARCHITECTURE.md', () => {
    const listed = [...readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `((?:src\/|commands)[\w/-]*)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(listed).toEqual(Object.keys(rooms));
  });

  it.each([
    ['a room below', 'src/kubernetes/a.ts', "import { x } from '../encoding/b.js';", 'src/kubernetes may not import src/encoding'],
    [
      'a type of a room below',
      'src/encoding/a.ts',
      "import type { X } from '../transport/b.js';",
      'src/encoding may not import src/transport',
    ],
    ['a dynamic import', 'src/cel/a.ts', "const b = await import('../apiserver/b.js');", 'src/cel may not import src/apiserver'],
    ['a re-export', 'src/x509/a.ts', "export * from '../transport/b.js';", 'src/x509 may not import src/transport'],
    [
      'an import over several lines',
      'src/lint/a.ts',
      "import {\n  a,\n  b,\n} from '../suites/b.js';",
      'src/lint may not import src/suites',
    ],
    [
      'a value where types may be imported',
      'src/reports/a.ts',
      "import { type A, b } from '../apiserver/report.js';",
      'src/reports may not import src/apiserver',
    ],
    ['a side effect', 'src/encoding/a.ts', "import '../cli/main.js';", 'src/encoding may not import src/cli'],
    ['a library in the wrong room', 'src/cli/a.ts', "import chalk from 'chalk';", 'chalk does not enter through src/cli'],
    ['a library by require', 'src/cel/a.ts', "const { Agent } = require('undici');", 'undici does not enter through src/cel'],
    ['the disk', 'src/apiserver/a.ts', "import { readFileSync } from 'node:fs/promises';", 'src/apiserver may not touch the world outside'],
    ['a file in no room', 'src/stray.ts', "import { x } from './cli/b.js';", 'src/stray.ts is in no room'],
  ])('refuse %s', (_, file, text, expected) => {
    expect(
      importsOf(file, text).map(found =>
        violation(found)
          ?.split(':')[0]
          ?.replace(/ imports$/, ''),
      ),
    ).toEqual([expected]);
  });

  it('allow types where only types are allowed', () => {
    const text = "import type { Report } from '../apiserver/report.js';\nimport { type A, type B } from '../lint/a.js';";
    expect(importsOf('src/reports/a.ts', text).map(violation)).toEqual([undefined, undefined]);
  });
});
