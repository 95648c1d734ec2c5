import { isCalendarDate } from '../../go/civil-time.js';

/**
 * Returns whether go-yaml reads a text as a timestamp: a date, or a date and a time after `T` or `t` with a zone, or after a space without
 * one. Months, days, hours, minutes and seconds may have one digit. Source: go-yaml v2 parseTimestamp, Go time.Parse.
 */
export function isTimestamp(text: string): boolean {
  const parts = timestamp.exec(text);
  if (parts === null) return false;
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', zoneHour = '0', zoneMinute = '0'] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  if (Number(zoneHour) > 24 || Number(zoneMinute) > 60) return false;
  return isCalendarDate(Number(year), Number(month), Number(day));
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](?=.*(?:Z|[-+]\d\d:\d\d)$)| +(?!.*(?:Z|[-+]\d\d:\d\d)$))(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))?)?$/;
