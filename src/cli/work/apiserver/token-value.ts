import type { ValueType } from '../../../client/options/value-type.js';

/** `--token NAME=TOKEN` or `--token NAME=@FILE` */
export interface GivenToken {
  readonly name: string;
  /** The token, or `@` and its file. */
  readonly token: string;
}

/** `--token`. The text may be a token without a name. */
export const tokenValue: ValueType<GivenToken> = {
  parse: text => {
    const at = text.indexOf('=');
    return at <= 0 || at === text.length - 1 ? undefined : { name: text.slice(0, at), token: text.slice(at + 1) };
  },
  expected: 'NAME=TOKEN or NAME=@FILE',
  schema: { type: 'string' },
  isSecret: true,
};
