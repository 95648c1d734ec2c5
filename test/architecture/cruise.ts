import path from 'node:path/posix';
import { cruise, type ICruiseResult, type IForbiddenRuleType, type IModule, type IRegularForbiddenRuleType } from 'dependency-cruiser';
import { type Room, rooms } from './rooms.js';

/** Built-in modules that do I/O. */
const ioModules = [
  'fs',
  'net',
  'tls',
  'http',
  'https',
  'http2',
  'dgram',
  'dns',
  'child_process',
  'cluster',
  'worker_threads',
  'readline',
  'repl',
];

/** Imports of the files below these folders of `root`: static and dynamic ones, re-exports and types; with violations of {@link rules}. */
export async function importsBelow(root: string, folders: readonly string[]): Promise<ICruiseResult> {
  const options = {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Longer than a run takes: nothing is looked up twice.
    enhancedResolveOptions: { cachedInputFileSystem: { cacheDuration: 300_000 } },
    validate: true,
    // Rules about folders need them.
    metrics: true,
    ruleSet: { forbidden: rules() },
  };
  const resolving = {
    extensionAlias: { '.js': ['.ts', '.js'] },
    extensions: ['.ts', '.js', '.json'],
    exportsFields: ['exports'],
    conditionNames: ['import', 'node', 'default'],
  };
  const { output } = await cruise([...folders], options, resolving);
  if (typeof output === 'string') throw new Error(output);
  return output;
}

/** The violations as sentences, sorted. */
export function violationsOf({ summary }: Pick<ICruiseResult, 'summary'>): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`).sort();
}

/** A module of this program, not of a library or of Node. */
export function isOwn({ source }: Pick<IModule, 'source'>): boolean {
  return roomOf(source) !== undefined;
}

/** The room of a file: the longest name, as `src/apiserver/objects` is not part of `src/apiserver`. */
export function roomOf(file: string): string | undefined {
  return Object.keys(rooms)
    .filter(room => new RegExp(`^${patternOf(room)}/`).test(file))
    .sort((a, b) => b.length - a.length)[0];
}

/** Whether the files of a room may import those of another one. */
export function mayImport(from: string, to: string): boolean {
  return from === to || (rooms[from]?.rooms.includes(to) ?? false);
}

/**
 * Folders that import each other in a circle, with the first import of each; a folder and those in it count apart, which is more than the rule of
 * dependency-cruiser sees. `a/b` that imports `a`, and is imported by it, is such a circle.
 */
export function circlesOfFolders({ modules }: Pick<ICruiseResult, 'modules'>): string[] {
  const targets = new Map<string, Map<string, string>>();
  for (const { source, dependencies } of modules.filter(isOwn)) {
    const from = path.dirname(source);
    const to = targets.get(from) ?? new Map<string, string>();
    targets.set(from, to);
    for (const { resolved } of dependencies)
      if (roomOf(resolved) !== undefined && path.dirname(resolved) !== from)
        to.set(path.dirname(resolved), to.get(path.dirname(resolved)) ?? `${source} imports ${resolved}`);
  }
  const reached = new Map([...targets.keys()].map(folder => [folder, foldersFrom(folder, targets)]));
  return [...targets].flatMap(([from, to]) =>
    [...to].filter(([folder]) => reached.get(folder)?.has(from)).map(([folder, example]) => `${from} -> ${folder}: ${example}`),
  );
}

function foldersFrom(folder: string, targets: ReadonlyMap<string, ReadonlyMap<string, string>>): ReadonlySet<string> {
  const reached = new Set(targets.get(folder)?.keys());
  for (const next of reached) for (const further of targets.get(next)?.keys() ?? []) reached.add(further);
  return reached;
}

/** The rules of dependency-cruiser for the table of rooms. */
function rules(): IForbiddenRuleType[] {
  const own = '^(src|commands)/';
  return [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no cycles of folders', severity: 'error', scope: 'folder', from: { path: own }, to: { circular: true } },
    { name: 'in no room', severity: 'error', from: { path: own, pathNot: Object.keys(rooms).map(filesOf) }, to: {} },
    {
      name: 'imports a file in no room',
      severity: 'error',
      from: { path: own },
      to: { path: own, pathNot: [...Object.keys(rooms).map(filesOf), '\\.json$'] },
    },
    { name: 'imports a missing file', severity: 'error', from: { path: own }, to: { couldNotResolve: true, path: '^\\.' } },
    ...Object.entries(rooms).flatMap(([name, room]) => rulesOf(name, room)),
  ];
}

function rulesOf(name: string, { rooms: allowed, libraries = [], doesIo = false }: Room): IForbiddenRuleType[] {
  const types = allowed.flatMap(room => (room.startsWith('types of ') ? [filesOf(room.slice('types of '.length))] : []));
  const values = [ownFilesOf(name), ...allowed.filter(room => !room.startsWith('types of ')).map(filesOf)];
  const forbidden = (what: string, to: IRegularForbiddenRuleType['to']): IForbiddenRuleType => {
    return { name: `${name} may not import ${what}`, severity: 'error', from: { path: filesOf(name) }, to };
  };
  return [
    forbidden('this room', { path: inAnyRoom, pathNot: [...values, ...types, '\\.json$'] }),
    ...(types.length === 0 ? [] : [forbidden('values of this room', { path: types, dependencyTypesNot: ['type-only'] })]),
    forbidden('this library', { dependencyTypesNot: ['core'], pathNot: ['^(src|commands)/', '^\\.', ...libraries.map(filesOfLibrary)] }),
    ...(doesIo ? [] : [forbidden('what does I/O', { dependencyTypes: ['core'], path: ioOf(libraries) })]),
  ];
}

/** Pattern of the files of all rooms: every folder of `src` is one. */
const inAnyRoom = '^(src/[^/]+|commands)/';

/** Pattern of the files of a room, without the rooms in its folder. */
function filesOf(room: string): string {
  const inner = Object.keys(rooms).flatMap(other =>
    other.startsWith(`${room}/`) ? [patternOf(other.slice(room.length + 1), '[^/]+')] : [],
  );
  return inner.length === 0 ? `^${patternOf(room)}/` : `^${room}/(?!(?:${inner.join('|')})/)`;
}

/** Pattern of the files that a file of the room may always import: of its own folder, where many folders have one row. */
function ownFilesOf(room: string): string {
  return room.includes('<name>') ? `^${patternOf(room, '$1')}/` : filesOf(room);
}

/** Pattern of the folders that a row stands for. */
function patternOf(room: string, name = '([^/]+)'): string {
  return room.replace('<name>', name);
}

/** Matches `@oclif/core`, `@oclif/core/help` and their files. */
function filesOfLibrary(library: string): string {
  return `(^|node_modules/)${library}(/|$)`;
}

function ioOf(libraries: readonly string[]): string {
  return `^(node:)?(${ioModules.filter(name => !libraries.includes(`node:${name}`)).join('|')})(/|$)`;
}
