import { format, type ICruiseResult, type IDependency, type IModule } from 'dependency-cruiser';
import { roomOf } from './cruise.js';
import { apiserverRooms, type Room, rooms } from './rooms.js';

/** The text of ARCHITECTURE.md with its columns about imports, and its picture, from the table of rooms and the imports. */
export async function withRooms(text: string, imports: ICruiseResult): Promise<string> {
  const picture = `\`\`\`mermaid\n${await pictureOf(imports)}\n\`\`\``;
  return text
    .replace(/^\| `((?:src\/|commands)[\w/<>-]*)` \| ([^|]*) \|.*$/gm, (row, name: string, contents: string) => {
      const room = rooms[name];
      return room === undefined ? row : `| \`${name}\` | ${contents} | ${roomsText(name, room)} | ${librariesText(room)} |`;
    })
    .replace(/(<!-- rooms -->\n)[\s\S]*(<!-- \/rooms -->)/, (_, start, end) => `${start}${picture}\n${end}`);
}

function roomsText(name: string, { rooms: allowed }: Room): string {
  const above = Object.keys(rooms).slice(0, Object.keys(rooms).indexOf(name));
  const missing = above.filter(room => !allowed.includes(room));
  if (above.length > 5 && missing.length <= 1)
    return ['everything above', ...missing.map(room => room.replace(/^src\//, ''))].join(' except ');
  const hasAll = (prefix: string): boolean => apiserverRooms.every(room => allowed.includes(`${prefix}${room}`));
  const names = allowed.flatMap(room => {
    const [prefix, short] = room.startsWith('types of ')
      ? ['types of ', room.slice('types of src/'.length)]
      : ['', room.replace(/^src\//, '')];
    if (!hasAll(prefix) || !short.startsWith('apiserver')) return [`${prefix}${short}`];
    return short === 'apiserver' ? [`${prefix}apiserver and its rooms`] : [];
  });
  return names.length === 0 ? 'nothing' : names.join(', ');
}

function librariesText({ libraries = [], doesIo = false }: Room): string {
  const names = [...libraries, ...(doesIo ? ['I/O'] : [])];
  return names.length === 0 ? 'none' : names.join(', ');
}

/** Mermaid's text for the rooms and their imports, without an arrow where a longer way exists. */
async function pictureOf(imports: ICruiseResult): Promise<string> {
  const targets = targetsOf(imports);
  const modules = [...targets].map(([source, to]) => {
    const further = new Set([...to].flatMap(room => [...reachedFrom(room, targets)]));
    return moduleOf(
      source,
      [...to].filter(room => !further.has(room)),
    );
  });
  const { output } = await format({ ...imports, modules }, { outputType: 'mermaid' });
  return String(output).trim();
}

/** The rooms that each room imports, in the order of the table. */
function targetsOf({ modules }: ICruiseResult): Map<string, Set<string>> {
  const targets = new Map(Object.keys(rooms).map(room => [room, new Set<string>()]));
  for (const { source, dependencies } of modules) {
    const from = roomOf(source);
    for (const { resolved } of dependencies) {
      const to = roomOf(resolved);
      if (from !== undefined && to !== undefined && from !== to) targets.get(from)?.add(to);
    }
  }
  return targets;
}

function reachedFrom(room: string, targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set(targets.get(room));
  for (const next of reached) for (const further of targets.get(next) ?? []) reached.add(further);
  return reached;
}

/** A folder cannot have arrows to its own parts, or from them, and is named after its first file. */
const firstFiles: Readonly<Record<string, string>> = {
  'src/apiserver': 'apiserver/handle-call',
  'src/cluster': 'cluster/connect',
  'src/cli': 'cli/main',
};

function nameOf(room: string): string {
  return firstFiles[room] ?? room.replace(/^src\//, '').replace('/<name>', '');
}

function moduleOf(room: string, targets: readonly string[]): IModule {
  const isPlain = { coreModule: false, couldNotResolve: false, dynamic: false, exoticallyRequired: false, followable: true };
  const facts = { ...isPlain, matchesDoNotFollow: false, circular: false, valid: true, moduleSystem: 'es6', dependencyTypes: ['local'] };
  const dependencies = targets.map(target => ({ ...facts, resolved: nameOf(target), module: nameOf(target) }) as unknown as IDependency);
  return { source: nameOf(room), valid: true, dependencies, dependents: [] };
}
