import type { ValueType } from '../../../client/options/value-type.js';

/** `--kubeconfig-for USER=FILE` */
export interface UserFile {
  readonly user: string;
  readonly file: string;
}

/** `--kubeconfig-for`. */
export const userFileValue: ValueType<UserFile> = {
  parse: text => {
    const at = text.indexOf('=');
    return at <= 0 || at === text.length - 1 ? undefined : { user: text.slice(0, at), file: text.slice(at + 1) };
  },
  expected: 'USER=FILE',
  schema: { type: 'string' },
};
