import { afterAll, describe, expect, it } from 'vitest';
import { ownMember, setOwnMember } from '../../src/go/own-members.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { declarationsOf } from './declarations.js';
import { foreignKeys } from './foreign-keys.js';
import { openSources } from './sources.js';
import { verbs } from './verbs.js';

const folders = ['src', 'commands'];
const sources = openSources(root, 'test/architecture/tsconfig.json', folders);
afterAll(() => sources.close());

/** Names that more than one file may export; what is new has a name of its own. */
const maxSharedNames = 30;

describe('the names', () => {
  const { effects, top, exporters } = declarationsOf(sources);

  it('of functions that do something are imperative verbs', () => {
    expect(effects.length).toBeGreaterThan(900);
    const others = effects.filter(({ name }) => !verbs.has(/^[a-z]+/.exec(name)?.[0] ?? ''));
    expect(others.length / effects.length, others.map(({ file, name }) => `${file}: ${name}`).join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('are exported by one file, but for the types of Kubernetes and the classes of commands', () => {
    const isOwn = (file: string): boolean => !file.startsWith('src/kubernetes/object-types/') && !file.startsWith('commands/');
    const shared = [...exporters].filter(([, files]) => [...files].filter(isOwn).length > 1);
    expect(exporters.size).toBeGreaterThan(4000);
    expect(shared.length, shared.map(([name, files]) => `${name}: ${[...files].join(', ')}`).join('\n')).toBeLessThanOrEqual(
      maxSharedNames,
    );
  });

  it('of the helpers that everything could have say of what', () => {
    const helpers = ['textOf', 'parsed', 'keyOf'];
    expect(top.length).toBeGreaterThan(10_000);
    expect(top.filter(({ name }) => helpers.includes(name))).toEqual([]);
  });
});

const program = `const table: Record<string, number> = { a: 1 };
const list = [1];
export const read = (key: string, index: number) => [table[key], table['a'], table.a, list[index], process.env[key]];
export const write = (key: string, known: 'a' | 'b') => { table[key] = 1; table[known] = 2; };
`;

describe('keys of others', { timeout: 120_000 }, () => {
  it('are found where they choose a member of an object', () => {
    const { folder, remove } = temporaryFolder({
      'src/a.ts': program,
      'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}, "include": ["src"]}',
    });
    const opened = openSources(folder, 'tsconfig.json', ['src']);
    const found = foreignKeys(opened);
    opened.close();
    remove();
    expect(found).toEqual(['src/a.ts:3: table[key]', 'src/a.ts:4: table[key]']);
  });

  it('are nowhere members of objects of ours', () => {
    expect(sources.files.size).toBeGreaterThan(2000);
    expect(foreignKeys(sources)).toEqual([]);
  });

  it('are values of their own in an object, whatever they are', () => {
    const counts: Record<string, number> = {};
    for (const key of ['__proto__', 'constructor', 'a', '__proto__']) setOwnMember(counts, key, (ownMember(counts, key) ?? 0) + 1);
    expect(Object.entries(counts)).toEqual([
      ['__proto__', 2],
      ['constructor', 1],
      ['a', 1],
    ]);
    expect([ownMember(counts, 'toString'), Object.getPrototypeOf(counts)]).toEqual([undefined, Object.prototype]);
  });
});
