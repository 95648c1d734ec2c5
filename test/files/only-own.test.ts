import { describe, expect, it } from 'vitest';
import { strangerOf } from '../../src/files/only-own.js';

describe('strangerOf', () => {
  it.each([
    ['the own file', { uid: 7, mode: 0o644 }, 0o022, undefined, undefined],
    ["another user's file", { uid: 8, mode: 0o644 }, 0o022, undefined, 'owner'],
    ["root's file", { uid: 0, mode: 0o644 }, 0o022, undefined, 'owner'],
    ["root's file, where root is trusted", { uid: 0, mode: 0o644 }, 0o022, 0, undefined],
    ["another user's file, where root is trusted", { uid: 8, mode: 0o644 }, 0o022, 0, 'owner'],
    ['a file that the group can write', { uid: 7, mode: 0o664 }, 0o022, undefined, 'mode'],
    ['a file that the group can write, where only others matter', { uid: 7, mode: 0o664 }, 0o002, undefined, undefined],
    ['a file that all can write', { uid: 7, mode: 0o666 }, 0o002, undefined, 'mode'],
  ] as const)('judges %s', (_, file, writers, trusted, expected) => {
    expect(strangerOf(file, 7, writers, trusted)).toBe(expected);
  });

  it('trusts every file on systems without owners', () => {
    expect(strangerOf({ uid: 0, mode: 0o777 }, undefined, 0o022)).toBeUndefined();
  });
});
