import type { ValueType } from '../../../client/options/value-type.js';

/** `--token NAME=TOKEN` or `--token NAME=@FILE` */
export interface GivenToken {
  readonly name: string;
  /** The token, or `@` and its file. */
  readonly token: string;
}

/** `--kubeconfig-for USER=FILE` */
export interface UserFile {
  readonly user: string;
  readonly file: string;
}

/** `--token`. The text may be a token without a name. */
export const tokenValue: ValueType<GivenToken> = {
  parse: text => namedText(text, (name, token) => ({ name, token })),
  expected: 'NAME=TOKEN or NAME=@FILE',
  schema: { type: 'string' },
  isSecret: true,
};

/** `--kubeconfig-for`. */
export const userFileValue: ValueType<UserFile> = {
  parse: text => namedText(text, (user, file) => ({ user, file })),
  expected: 'USER=FILE',
  schema: { type: 'string' },
};

/** Returns what is made of a name and a text with the first `=` between them; undefined if one of them is missing. */
function namedText<T>(text: string, make: (name: string, value: string) => T): T | undefined {
  const at = text.indexOf('=');
  return at <= 0 || at === text.length - 1 ? undefined : make(text.slice(0, at), text.slice(at + 1));
}
