import { describe, expect, it } from 'vitest';
import { ownMember, setOwnMember } from '../../src/go/own-members.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { foreignKeys } from './foreign-keys.js';

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
    const found = foreignKeys(folder, ['src']);
    remove();
    expect(found).toEqual(['src/a.ts:3: table[key]', 'src/a.ts:4: table[key]']);
  });

  it('are nowhere members of objects of ours', () => {
    expect(foreignKeys(root, ['src', 'commands'])).toEqual([]);
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
