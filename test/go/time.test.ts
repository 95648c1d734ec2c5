import { expect, test } from 'vitest';
import { durationText, parseDuration } from '../../src/go/duration.js';
import { parseTime } from '../../src/go/time.js';
import { canonicalMicroTime, canonicalTime, isWrittenTime, microTimeText, timeText } from '../../src/go/time-text.js';

test.each([
  ['2024-01-02T03:04:05.999Z', '2024-01-02T03:04:05Z'],
  ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00Z'],
  ['0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
  ['9999-12-31T23:59:59-00:01', '10000-01-01T00:00:59Z'],
  ['0001-01-01T00:00:00Z', undefined],
])('canonicalTime of %s is %s', (text, canonical) => {
  expect(canonicalTime(text)).toBe(canonical);
});

test.each([
  ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
  ['2024-01-02T03:04:05+25:xx', 'parsing time "2024-01-02T03:04:05+25:xx": time zone offset hour out of range'],
  ['é', 'parsing time "\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9" as "2006"'],
])('canonicalTime rejects %s', (text, message) => {
  expect(() => canonicalTime(text)).toThrow(message);
});

test('times that need no parsing are those that Go writes again', () => {
  const [years, months, days] = [['0001', '1000', '2023', '2024', '9999'], 15, 33];
  const accepted: string[] = [];
  for (const year of years)
    for (let month = 0; month < months; month += 1)
      for (let day = 0; day < days; day += 1)
        for (const clock of ['00:00:00', '19:07:59', '23:59:59', '24:00:00', '12:60:00', '12:00:60']) {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T${clock}Z`;
          if (!isWrittenTime(text)) continue;
          accepted.push(text);
          expect(timeText(parseTime(text))).toBe(text);
        }
  // Three clocks, four years, and all days but the 29th of February.
  expect(accepted).toHaveLength(3 * 4 * 365);
  expect(
    ['2024-01-02T03:04:05.5Z', '2024-01-02T03:04:05+00:00', '2024-01-02 03:04:05Z', '2024-01-02T03:04:05Z\n'].some(isWrittenTime),
  ).toBe(false);
});

test('a MicroTime has six digits', () => {
  expect(canonicalMicroTime('2024-01-02T03:04:05.000001+01:00')).toBe('2024-01-02T02:04:05.000001Z');
  expect(() => canonicalMicroTime('2024-01-02T03:04:05Z')).toThrow('cannot parse "Z" as ".000000"');
});

test('moments are seconds and nanoseconds', () => {
  const moment = parseTime('1970-01-01T00:00:01.5Z');
  expect(moment).toEqual({ seconds: 1, nanoseconds: 500_000_000, offsetSeconds: 0 });
  expect([timeText(moment), microTimeText(moment)]).toEqual(['1970-01-01T00:00:01Z', '1970-01-01T00:00:01.500000Z']);
});

test.each([
  ['1h15m30.918s', '1h15m30.918s'],
  ['-1.5h', '-1h30m0s'],
  ['.5us', '500ns'],
  ['0', '0s'],
  ['100ms', '100ms'],
  ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
])('the duration %s is written as %s', (text, canonical) => {
  expect(durationText(parseDuration(text))).toBe(canonical);
});

test.each([
  ['', 'time: invalid duration ""'],
  ['1', 'time: missing unit in duration "1"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
])('rejects the duration %j', (text, message) => {
  expect(() => parseDuration(text)).toThrow(message);
});
