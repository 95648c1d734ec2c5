import { describe, expect, it } from 'vitest';

// @ts-expect-error a script without types
const { filesOf } = (await import('../../scripts/new-minor/source-changes.js')) as { filesOf: (...texts: string[]) => unknown };
// @ts-expect-error a script without types
const { changedRows } = (await import('../../scripts/new-minor/table-changes.js')) as { changedRows: (...rows: object[]) => unknown };

describe('what a new minor changes', () => {
  it('names files from the folders that were compared', () => {
    const numstat = [
      '3\t1\t/mods/{api@v0.1.0 => api@v0.2.0}/core/v1/types.go',
      '0\t25\t/{mods/api@v0.1.0/old/doc.go => dev/null}',
      '7\t0\t/{dev/null => mods/api@v0.2.0/new/doc.go}',
      '-\t-\t/mods/{api@v0.1.0 => api@v0.2.0}/picture.png',
      '',
    ].join('\n');
    expect(filesOf(numstat, '/mods/api@v0.1.0', '/mods/api@v0.2.0')).toEqual([
      { added: 3, removed: 1, name: 'core/v1/types.go' },
      { added: 0, removed: 25, name: 'old/doc.go' },
      { added: 7, removed: 0, name: 'new/doc.go' },
    ]);
  });

  it('lists rows that are new, gone or different', () => {
    const before = { A: [true, 'BETA'], B: true, C: 1 };
    const after = { A: [true, 'GA'], C: 1, D: true, E: 'string' };
    expect(changedRows(before, after)).toEqual(['A: [true,"BETA"] -> [true,"GA"]', '- B', '+ D', '+ E "string"']);
  });
});
