import { describe, expect, it } from 'vitest';
import { formatBytes, formatDateTime, formatDuration } from '../../../src/cel/schema/format-values.js';

describe('strings with a format', () => {
  it.each([
    ['1h30m', 5_400_000_000_000n],
    ['3 days', 259_200_000_000_000n],
    ['1 hour 3 seconds', 3_603_000_000_000n],
    ['0', 0n],
  ])('parse the duration %s', (text, nanoseconds) => {
    expect(formatDuration(text)).toBe(nanoseconds);
  });

  it('reject invalid durations', () => {
    expect(() => formatDuration('soon')).toThrow('unable to parse soon as duration');
  });

  it.each([
    ['2019-01-01T00:00:00Z', 1_546_300_800n],
    ['2019-01-01T00:00:00+01:00', 1_546_297_200n],
    ['2019-01-01T00:00:00', 1_546_300_800n],
    ['', 0n],
  ])('parse the time %j', (text, seconds) => {
    expect(formatDateTime(text).seconds).toBe(seconds);
  });

  it.each([
    ['2019-01-01t00:00:00z', 'parsing time "2019-01-01t00:00:00z" as "2006-01-02T15:04:05": cannot parse "t00:00:00z" as "T"'],
    ['2019-01-01T00:00:00.5z', 'parsing time "2019-01-01T00:00:00.5z": extra text: "z"'],
  ])('are rejected by Go although the format allows them: %s', (text, message) => {
    expect(() => formatDateTime(text)).toThrow(message);
  });

  it('decode bytes with the URL alphabet', () => {
    expect(formatBytes('-_-_')).toEqual(Buffer.from('+/+/', 'base64'));
    expect(() => formatBytes('YW+j')).toThrow('illegal base64 data at input byte 2');
  });
});
