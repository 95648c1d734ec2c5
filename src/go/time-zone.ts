import { atoi } from './parse-integer.js';
import { zoneNames } from './time-zone-names.js';

/**
 * Returns the seconds east of UTC of a zone at a time (seconds since 1970). The zone is a name of the time zone database, `UTC`, or an
 * offset such as `-08:00`; for unknown zones Go's error is returned. Source: cel-go inTimeZone, time.LoadLocation.
 */
export function offsetInZone(zone: string, seconds: bigint): number | { readonly error: string } {
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone.slice(0, colon), zone.slice(colon + 1));
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  if (zone.includes('..') || /^[/\\]/.test(zone)) return { error: 'time: invalid location name' };
  if (!isZoneName(zone)) return { error: `unknown time zone ${zone}` };
  return zone === 'Factory' ? 0 : namedOffset(zone, seconds);
}

/** Go takes the sign from the text, not from the hours: `-00:30` is west of UTC. */
function fixedOffset(hourText: string, minuteText: string): number | { readonly error: string } {
  const hours = atoi(hourText);
  if (typeof hours === 'object') return hours;
  const minutes = atoi(minuteText);
  if (typeof minutes === 'object') return minutes;
  return Number(hourText.startsWith('-') ? hours * 60n - minutes : hours * 60n + minutes) * 60;
}

function isZoneName(zone: string): boolean {
  const slash = zone.lastIndexOf('/');
  const names = zoneNames[slash < 0 ? '' : zone.slice(0, slash)];
  return names?.split(' ').includes(zone.slice(slash + 1)) ?? false;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function namedOffset(zone: string, seconds: bigint): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const moment = new Date(Number(seconds) * 1000);
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const local = new Date(0);
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return Math.round((local.getTime() - moment.getTime()) / 1000);
}
