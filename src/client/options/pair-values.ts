import { isHeaderName, isHeaderText } from './header-text.js';
import type { ValueType } from './value-type.js';

/** `KEY=VALUE` */
export interface Pair {
  /** As the user wrote it. */
  readonly text: string;
  readonly key: string;
  readonly value: string;
}

/** `--as-user-extra` */
export const extraValue: ValueType<Pair> = { parse: pairOf, expected: 'KEY=VALUE', schema: { type: 'string' } };

/** `--header` */
export const headerValue: ValueType<Pair> = {
  parse: text => {
    const pair = pairOf(text);
    return pair !== undefined && isHeaderName(pair.key) && isHeaderText(pair.value) ? pair : undefined;
  },
  expected: 'KEY=VALUE, without line breaks',
  schema: { type: 'string' },
};

function pairOf(text: string): Pair | undefined {
  const at = text.indexOf('=');
  return at <= 0 ? undefined : { text, key: text.slice(0, at), value: text.slice(at + 1) };
}
