import { type DerCursor, nextTagIs, readContents, tags } from './der.js';

/** Time in a certificate: comparable, and as Go prints it (RFC 3339, in the zone of the certificate). */
export interface Instant {
  readonly milliseconds: number;
  readonly text: string;
}

/** Formats a time for Go's error messages: RFC 3339 in UTC, to the second. */
export function rfc3339(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * Parses UTCTime or GeneralizedTime. Go parses with its own layouts and formats again: a text that differs after that (fractions, +0000,
 * 24:00 ...) is malformed. Seconds may be missing from a UTCTime; any zone is allowed. Returns the message for the type if it fails.
 * Source: crypto/x509 parseTime, cryptobyte ReadASN1UTCTime.
 */
export function readInstant(cursor: DerCursor): Instant | string {
  if (nextTagIs(cursor, tags.utcTime)) {
    const text = readText(cursor, tags.utcTime);
    return (text === undefined ? undefined : utcTime(text)) ?? 'x509: malformed UTCTime';
  }
  if (nextTagIs(cursor, tags.generalizedTime)) {
    const text = readText(cursor, tags.generalizedTime);
    return (text === undefined ? undefined : instantOf(text.slice(0, 4), text.slice(4))) ?? 'x509: malformed GeneralizedTime';
  }
  return 'x509: unsupported time format';
}

function readText(cursor: DerCursor, tag: number): string | undefined {
  const contents = readContents(cursor, tag);
  return contents === undefined ? undefined : Buffer.from(contents).toString('latin1');
}

/** Two-digit years denote 1950 to 2049 in certificates. */
function utcTime(text: string): Instant | undefined {
  const year = text.slice(0, 2);
  const century = Number(year) >= 50 ? '19' : '20';
  const withSeconds = instantOf(century + year, text.slice(2));
  if (withSeconds !== undefined) return withSeconds;
  const minutes = /^(\d{8})(Z|[+-]\d{4})$/.exec(text.slice(2));
  return minutes === null ? undefined : instantOf(century + year, `${minutes[1]}00${minutes[2]}`);
}

/** `rest` is month, day, hour, minute, second and zone. */
function instantOf(year: string, rest: string): Instant | undefined {
  const parts = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)(\d\d))$/.exec(rest);
  if (parts === null || !/^\d{4}$/.test(year)) return undefined;
  const [, month = '', day = '', hour = '', minute = '', second = '', sign, zoneHours = '00', zoneMinutes = '00'] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = Number(zoneHours) * 60 + Number(zoneMinutes);
  if (Number(zoneHours) > 24 || Number(zoneMinutes) > 59 || (sign !== undefined && offset === 0)) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (local.getUTCMonth() !== Number(month) - 1 || local.getUTCDate() !== Number(day)) return undefined;
  local.setUTCHours(Number(hour), Number(minute), Number(second));
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHours}:${zoneMinutes}`;
  return {
    milliseconds: local.getTime() - (sign === '-' ? -offset : offset) * 60_000,
    text: `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`,
  };
}
