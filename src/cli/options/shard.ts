import type { ValueType } from '../../client/options/value-type.js';
import type { Shard } from '../../suites/select.js';

/** `I/N`, of at most so many parts. */
export function shardValue(most: number): ValueType<Shard> {
  return {
    parse: text => {
      const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
      return index >= 1 && index <= count && count <= most ? { index, count } : undefined;
    },
    expected: `I/N with I from 1 to N, such as 2/4${most < 999_999 ? `, and N at most ${most}` : ''}`,
    schema: { type: 'string' },
  };
}
