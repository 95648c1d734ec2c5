import { expect, it } from 'vitest';
import { textWithoutSecrets } from '../../src/redaction/text-secrets.js';

it('hides what npm writes into its configuration', () => {
  const token = 'HiZp3xDVyliTbPvfKQcf3hGMDpy4DE9ugYHb';
  for (const text of [`.npmrc=//registry/:_authToken=${token}`, `_password = ${token}`, `{"_authToken":"${token}"}`])
    expect(textWithoutSecrets(text)).toMatch(/<redacted sha256:[0-9a-f]{8}>/);
  expect(textWithoutSecrets(`//registry/:_authToken=${token}\n`)).not.toContain(token);
});
