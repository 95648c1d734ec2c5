import { describe, expect, it } from 'vitest';
import { packValues, unpackValues } from '../../src/encoding/packed-values.js';
import { toValue, type Value } from '../../src/go/value.js';

describe('packed values', () => {
  it('are the same after JSON, with the order of keys, int64 and float64 apart, and raw JSON', () => {
    const values: Value[] = [
      null,
      toValue({ b: 1, a: [1.5, true, 'x', null, [], {}], '10': 'ten', __proto__: null, '': '\ud800' }),
      [(1n << 63n) - 1n, -9007199254740993n, 0n, 2, -0],
      new Map<string, Value>([
        ['z', { rawJson: '{"a":1}', sent: '{ "a":1}' }],
        ['__proto__', { rawJson: '{}' }],
      ]),
    ];
    const packed = JSON.parse(JSON.stringify(packValues(values)));
    const again = unpackValues(packed);
    expect(again).toEqual(values);
    expect([...((again[1] as Map<string, Value>).keys() ?? [])]).toEqual([...(values[1] as Map<string, Value>).keys()]);
  });

  it('are undefined for deep nesting', () => {
    let deep: Value = [];
    for (let i = 0; i < 10_000; i += 1) deep = [deep];
    expect(packValues([deep])).toBeUndefined();
  });
});
