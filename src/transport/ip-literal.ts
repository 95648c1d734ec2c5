import { quoteBytes } from '../go/quote-bytes.js';

/**
 * Why a text is no IP address: `ParseAddr("::1::"): multiple :: in address (at ":")`. Undefined when it is one.
 * Source: Go net/netip ParseAddr.
 */
export function addressFault(text: string): string | undefined {
  const fault = faultIn(text);
  if (fault === undefined) return undefined;
  const place = fault.at === undefined || fault.at === '' ? '' : ` (at ${quoteBytes(fault.at)})`;
  return `ParseAddr(${quoteBytes(text)}): ${fault.text}${place}`;
}

interface Fault {
  readonly text: string;
  /** What was not read any more. */
  readonly at?: string;
}

function faultIn(text: string): Fault | undefined {
  const telling = /[.:%]/.exec(text)?.[0];
  if (telling === undefined) return { text: 'unable to parse IP' };
  if (telling === '%') return { text: 'missing IPv6 address' };
  return telling === '.' ? dottedFault(text) : hexFault(text);
}

function dottedFault(text: string): Fault | undefined {
  let value = '';
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/\d/.test(character)) {
      if (value === '0') return { text: 'IPv4 field has octet with leading zero' };
      value += character;
      if (Number(value) > 255) return { text: 'IPv4 field has value >255' };
    } else if (character === '.') {
      if (at === 0 || at === text.length - 1 || text[at - 1] === '.')
        return { text: 'IPv4 field must have at least one digit', at: text.slice(at) };
      if (dots === 3) return { text: 'IPv4 address too long' };
      dots += 1;
      value = '';
    } else {
      return { text: 'unexpected character', at: text.slice(at) };
    }
  }
  return dots < 3 ? { text: 'IPv4 address too short' } : undefined;
}

function hexFault(text: string): Fault | undefined {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) return { text: 'zone must be a non-empty string' };
  let rest = percent < 0 ? text : text.slice(0, percent);
  let ellipsis = rest.startsWith('::');
  if (ellipsis) rest = rest.slice(2);
  if (ellipsis && rest === '') return undefined;
  let bytes = 0;
  while (bytes < 16) {
    const digits = /^[0-9A-Fa-f]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return { text: 'each group must have 4 or less digits', at: rest };
    if (digits === '') return { text: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[digits.length] === '.') {
      const fault = embeddedFault(rest, bytes, ellipsis);
      if (fault !== undefined) return fault;
      bytes += 4;
      rest = '';
      break;
    }
    bytes += 2;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { text: 'unexpected character, want colon', at: rest };
    if (rest === ':') return { text: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (ellipsis) return { text: 'multiple :: in address', at: rest };
    ellipsis = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return { text: 'trailing garbage after address', at: rest };
  if (bytes < 16) return ellipsis ? undefined : { text: 'address string too short' };
  return ellipsis ? { text: 'the :: must expand to at least one field of zeros' } : undefined;
}

/** Faults of an IPv4 address at the end of an IPv6 address. */
function embeddedFault(rest: string, bytes: number, ellipsis: boolean): Fault | undefined {
  if (!ellipsis && bytes !== 12) return { text: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
  if (bytes + 4 > 16) return { text: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest };
  return dottedFault(rest);
}
