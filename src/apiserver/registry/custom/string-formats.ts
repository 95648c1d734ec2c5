import { formatDuration } from '../../../cel/schema/format-values.js';
import { isCalendarDate } from '../../../go/civil-time.js';
import { isEmailAddress } from '../../../go/net/mail-address.js';
import { parseRequestUri } from '../../../go/url/parse.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { parseCidrSloppy, parseIpSloppy } from '../../../kubernetes/ip-rules.js';

type Format = (text: string) => boolean;

/** Reports whether a string format is known; dashes in names are ignored. Source: apiextensions-apiserver validation/formats.go. */
export function isStringFormat(server: ApiServer, name: string): boolean {
  const plain = name.replaceAll('-', '');
  // Schemas may use the formats of the previous minor: v1.34 added formats of names.
  return formats.has(plain) && (server.since('v1.35') || !plain.startsWith('k8s'));
}

/** Reports whether a string has the format; unknown formats accept everything. Source: kube-openapi validation/strfmt. */
export function hasFormat(name: string, text: string): boolean {
  return formats.get(name.replaceAll('-', ''))?.(text) ?? true;
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const byte = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const creditCard =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', succeeds(parseRequestUri)],
  ['email', isEmailAddress],
  ['hostname', isHostname],
  ['ipv4', text => text.includes('.') && parseIpSloppy(text) !== undefined],
  ['ipv6', text => text.includes(':') && parseIpSloppy(text) !== undefined],
  ['cidr', text => parseCidrSloppy(text) !== undefined],
  [
    'mac',
    matching(
      /^(?:[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?)$/i,
    ),
  ],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', text => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', text => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matching(
      new RegExp(
        `^rgb\\([\\t\\n\\f\\r ]*${byte}[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*${byte}[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*${byte}[\\t\\n\\f\\r ]*\\)$`,
      ),
    ),
  ],
  ['byte', matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', succeeds(formatDuration)],
  ['datetime', isDateTime],
  ['k8sshortname', text => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)],
  ['k8slongname', text => text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)],
]);

function matching(pattern: RegExp): Format {
  return text => pattern.test(text);
}

function succeeds(parse: (text: string) => unknown): Format {
  return text => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}

function isHostname(text: string): boolean {
  return hostname.test(text) && Buffer.byteLength(text) <= 255 && text.split('.').every(label => Buffer.byteLength(label) <= 63);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, i) => total + (i < 9 ? i + 1 : 10) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

/** Reports whether the digits pass the Luhn check; other characters are ignored. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!creditCard.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (doubled >= 10 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return isCalendarDate(year, month, day);
}

/** Reports whether the text is a date, the letter T in either case, and a time without a leap second. */
function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = /^(\d\d):(\d\d):(\d\d)(.\d+)?(z|([+-]\d\d:\d\d))$/u.exec(time);
  return match !== null && (match[1] ?? '') <= '23' && (match[2] ?? '') <= '59' && (match[3] ?? '') <= '59';
}
