import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles } from './support/import-cycles.js';
import { type Import, importsBelow, importsOf } from './support/imports.js';
import { root } from './support/run-command.js';

interface Room {
  /** Rooms whose files may be imported; with the prefix `types of`, only by `import type`. */
  readonly rooms: readonly string[];
  readonly libraries?: readonly string[];
  /** May use the disk, the network or other processes. */
  readonly doesIo?: true;
}

const ground = ['src/go', 'src/kubernetes', 'src/encoding'];
const objects = [...ground, 'src/cel', 'src/apiserver/objects'];
const admission = ['src/apiserver/admission', 'src/apiserver/authorization'];
const apiserverRooms = ['objects', 'patches', 'registry', 'conversion', 'admission', 'authorization', 'webhooks'].map(
  room => `src/apiserver/${room}`,
);
const belowCli = [
  ...ground,
  'src/x509',
  'src/cel',
  'src/transport',
  ...apiserverRooms,
  'src/apiserver',
  'src/apis',
  'src/plugins',
  'src/client',
  'src/captures',
  'src/conformance',
  'src/files',
  'src/controllers',
  'src/certificates',
  'src/go-template',
  'src/webhook-server',
  'src/local-apiserver',
  'src/cluster',
  'src/lint',
  'src/suites',
  'src/fuzz',
  'src/proxy',
  'src/replay',
  'src/redaction',
  'src/reports',
];

/** The table of ARCHITECTURE.md: which room may import which, and the only room that imports a library. */
const rooms: Readonly<Record<string, Room>> = {
  'src/go': { rooms: [] },
  // node:fs for the tables of a Kubernetes version, which are data.
  'src/kubernetes': { rooms: ['src/go'], libraries: ['node:fs'] },
  'src/encoding': { rooms: ['src/go', 'src/kubernetes'], libraries: ['yaml'] },
  // node:tls for Node's list of root certificates, which is data.
  'src/x509': { rooms: ['src/go'], libraries: ['node:tls'] },
  'src/cel': { rooms: ground, libraries: ['re2js'] },
  'src/transport': { rooms: ['src/go', 'src/kubernetes', 'src/x509'], doesIo: true },
  'src/apiserver/objects': { rooms: [...ground, 'src/cel'] },
  'src/apiserver/patches': { rooms: objects, libraries: ['fast-json-patch'] },
  'src/apiserver/registry': { rooms: [...objects, 'src/x509', 'src/apiserver/patches'] },
  'src/apiserver/conversion': { rooms: objects },
  'src/apiserver/admission': { rooms: objects },
  'src/apiserver/authorization': { rooms: [...objects, 'src/apiserver/admission'] },
  'src/apiserver/webhooks': { rooms: [...objects, 'src/apiserver/patches', ...admission] },
  // endpoints, filters, handlers, storage and handle-call.ts
  'src/apiserver': { rooms: [...ground, 'src/x509', 'src/cel', 'src/transport', ...apiserverRooms] },
  'src/apis': { rooms: [...ground, 'src/x509', 'src/cel', ...apiserverRooms, 'src/apiserver'] },
  'src/plugins': { rooms: [...ground, 'src/x509', 'src/cel', ...apiserverRooms, 'src/apiserver', 'src/apis'] },
  'src/client': { rooms: [...ground, ...apiserverRooms, 'src/apiserver'] },
  'src/captures': { rooms: [...ground, 'src/apiserver', 'src/client'] },
  'src/files': { rooms: [], doesIo: true },
  'src/controllers': { rooms: [...ground, 'src/apiserver/objects', 'src/apis'] },
  'src/certificates': { rooms: [...ground, 'src/x509', 'src/transport', 'src/files'], libraries: ['selfsigned'], doesIo: true },
  'src/go-template': { rooms: ground },
  'src/webhook-server': {
    rooms: [...ground, 'src/certificates', 'src/apiserver/objects', 'src/apiserver/patches', 'src/go-template'],
    doesIo: true,
  },
  'src/local-apiserver': { rooms: [...ground, 'src/cel', ...apiserverRooms, 'src/apiserver', 'src/apis'], doesIo: true },
  'src/cluster': { rooms: [...ground, 'src/apiserver', 'src/client'], libraries: ['undici'], doesIo: true },
  'src/lint': { rooms: [...ground, 'src/cel', 'src/x509', 'src/apiserver/webhooks', 'src/plugins'] },
  'src/redaction': { rooms: ground },
  'src/suites': {
    rooms: [...ground, 'src/redaction', 'src/cel', 'src/transport', ...apiserverRooms, 'src/apiserver', 'src/client', 'src/files'],
    libraries: ['diff'],
    doesIo: true,
  },
  'src/fuzz': {
    rooms: [...ground, ...apiserverRooms, 'src/apiserver', 'src/client', 'src/controllers', 'src/suites'],
    libraries: ['fast-check'],
  },
  'src/proxy': { rooms: ['src/go', 'src/redaction', 'src/files', 'src/suites', 'src/webhook-server'], doesIo: true },
  'src/replay': { rooms: [...ground, ...apiserverRooms, 'src/apiserver', 'src/client', 'src/captures'] },
  'src/reports': {
    rooms: [
      ...ground,
      'src/replay',
      ...['src/suites', 'src/lint', 'src/client', 'src/apiserver', ...apiserverRooms].map(room => `types of ${room}`),
    ],
    libraries: ['chalk', 'diff'],
  },
  'src/conformance': { rooms: [...ground, ...apiserverRooms, 'src/apiserver', 'src/apis', 'src/client'] },
  'src/cli': { rooms: belowCli, libraries: ['@oclif/core'], doesIo: true },
  'src/envtest': {
    rooms: [
      ...ground,
      'src/transport',
      'src/plugins',
      'src/client',
      'src/files',
      'src/certificates',
      'src/local-apiserver',
      'src/cluster',
      'src/cli',
    ],
    doesIo: true,
  },
  'src/library': { rooms: [...ground, 'src/client', 'src/cli', 'src/reports', 'src/webhook-server'] },
  commands: { rooms: [...belowCli, 'src/cli', 'src/envtest'], libraries: ['@oclif/core'], doesIo: true },
};

/** Longest file in `src` and `commands`, in lines. */
const maxLines = 300;

/** Built-in modules that do I/O. */
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

/** Describes why an import is not allowed; undefined when it is. */
function violation({ file, target, isLibrary, typesOnly }: Import): string | undefined {
  const name = roomOf(file);
  const room = name === undefined ? undefined : rooms[name];
  if (name === undefined || room === undefined) return `${file} is not in a room`;
  if (isLibrary) return libraryViolation(file, target, { name, room });
  const imported = roomOf(target);
  if (imported === name || target.endsWith('.json')) return undefined;
  if (imported === undefined) return `${file} imports ${target}, which is not in a room`;
  const allowed = room.rooms.includes(imported) || (typesOnly && room.rooms.includes(`types of ${imported}`));
  return allowed ? undefined : `${name} may not import ${imported}: ${file} imports ${target}`;
}

function libraryViolation(
  file: string,
  library: string,
  { name, room }: { readonly name: string; readonly room: Room },
): string | undefined {
  if (library.startsWith('node:') && room.libraries?.includes(library) !== true) {
    return ioModules.has(library) && room.doesIo !== true ? `${name} may not do I/O: ${file} imports ${library}` : undefined;
  }
  return library.startsWith('node:') || room.libraries?.includes(library) === true
    ? undefined
    : `${name} may not import ${library}: ${file}`;
}

const withoutCycles = ['src/client', 'src/conformance', 'src/suites', 'src/reports', 'src/cli', 'src/library'];

/** Returns a chain of imports from a file back to itself. */
function cycleFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): string | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [file];
  for (const current of waiting) {
    for (const target of imports.get(current) ?? []) {
      if (target === file) return chainTo(current, cameFrom).concat(file).join(' -> ');
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, current);
      waiting.push(target);
    }
  }
  return undefined;
}

function chainTo(file: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(file);
  return before === undefined ? [file] : [...chainTo(before, cameFrom), file];
}

describe('the rooms', () => {
  const imports = importsBelow(root, ['src', 'commands']);

  it('import only the rooms and libraries that the table allows', () => {
    expect(imports.length).toBeGreaterThan(1000);
    expect(imports.flatMap(found => violation(found) ?? [])).toEqual([]);
  });

  it('have no import cycles, neither between nor inside them', () => {
    expect(importCycles(imports)).toEqual([]);
  });

  it(`have no file over ${maxLines} lines`, () => {
    const files = [...new Set(imports.map(({ file }) => file))];
    const long = files.filter(file => readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 > maxLines);
    expect(long).toEqual([]);
  });

  it.each(withoutCycles)('%s has no import cycle', room => {
    const imports = importsBelow(root, [room]).filter(({ isLibrary, target }) => !isLibrary && target.startsWith(`${room}/`));
    const importedBy = new Map<string, string[]>();
    for (const { file, target } of imports) importedBy.set(file, [...(importedBy.get(file) ?? []), target]);
    expect([...importedBy.keys()].flatMap(file => cycleFrom(file, importedBy) ?? [])).toEqual([]);
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
    ['a library in the wrong room', 'src/cli/a.ts', "import chalk from 'chalk';", 'src/cli may not import chalk'],
    ['a library by require', 'src/cel/a.ts', "const { Agent } = require('undici');", 'src/cel may not import undici'],
    ['the disk', 'src/apiserver/a.ts', "import { readFileSync } from 'node:fs/promises';", 'src/apiserver may not do I/O'],
    ['a file in no room', 'src/stray.ts', "import { x } from './cli/b.js';", 'src/stray.ts is not in a room'],
    [
      'the room of a kind',
      'src/apiserver/registry/a.ts',
      "import { x } from '../../apis/kinds.js';",
      'src/apiserver/registry may not import src/apis',
    ],
  ])('may not import %s', (_, file, text, expected) => {
    expect(
      importsOf(file, text).map(found =>
        violation(found)
          ?.split(':')[0]
          ?.replace(/ imports$/, ''),
      ),
    ).toEqual([expected]);
  });

  it('have a cycle where files import each other, also by type or dynamically', () => {
    const file = (name: string, text: string) => importsOf(`src/cel/${name}.ts`, text);
    const imports = [
      ...file('a', "import { b } from './b.js';"),
      ...file('b', "import type { C } from './c.js';\nimport 're2js';"),
      ...file('c', "const a = await import('./a.js');"),
      ...file('d', "import { a } from './a.js';"),
      ...file('e', "export * from './e.js';"),
    ];
    expect(importCycles(imports)).toEqual([['src/cel/a.ts', 'src/cel/b.ts', 'src/cel/c.ts'], ['src/cel/e.ts']]);
  });

  it('may import types where the table allows only types', () => {
    const text = "import type { Report } from '../apiserver/report.js';\nimport { type A, type B } from '../lint/a.js';";
    expect(importsOf('src/reports/a.ts', text).map(violation)).toEqual([undefined, undefined]);
  });
});
