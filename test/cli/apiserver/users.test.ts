import { afterAll, describe, expect, it } from 'vitest';
import Apiserver from '../../../commands/apiserver.js';
import { parseFlag } from '../../../src/cli/options/parse-flag.js';
import { tokenValue } from '../../../src/cli/work/apiserver/user-values.js';
import { usersOf } from '../../../src/cli/work/apiserver/users.js';
import { runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { folder, remove } = temporaryFolder({ token: 's3cret\n', empty: '\n', two: 'a\nb\n' });
afterAll(remove);

describe('--token', () => {
  it.each([
    ['ann=abc', 'abc'],
    ['ann=a=b@c', 'a=b@c'],
    ['ann=@token', 's3cret'],
  ])('%s names a user with the token %s', (text, token) => {
    expect(usersOf({ token: [parseFlag('token', text, tokenValue)] }, folder).slice(1)).toEqual([
      { username: 'ann', token, groups: ['system:authenticated'] },
    ]);
  });

  it.each(['s3cret', '=s3cret', 's3cret='])('does not print what may be a token: %s', text => {
    expect(() => usersOf({ token: [parseFlag('token', text, tokenValue)] }, folder)).toThrow(
      /^invalid --token: expected NAME=TOKEN or NAME=@FILE$/,
    );
  });

  it.each([
    ['ann=@empty', 'invalid --token: expected one line with the token'],
    ['ann=@two', 'invalid --token: expected one line with the token'],
    ['ann=@missing', 'no such file or directory'],
  ])('refuses a file without a token: %s', (text, message) => {
    expect(() => usersOf({ token: [parseFlag('token', text, tokenValue)] }, folder)).toThrow(message);
  });
});

describe('a command to run', () => {
  it('is advised to follow --', async () => {
    const { exitCode, stderr } = await runCommand(Apiserver, ['kubectl', 'get', 'pods']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('put -- before the command to run: -- kubectl')]);
  });
});
