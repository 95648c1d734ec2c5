import { Base64Error, decodeGoBase64 } from '../../src/go/base64.js';
import { civilTime } from '../../src/go/civil-time.js';
import { durationSeconds, durationText, parseDuration } from '../../src/go/duration.js';
import { decodeEncodedWords } from '../../src/go/encoded-word.js';
import { formatFixed } from '../../src/go/exact-decimal.js';
import { formatFloat } from '../../src/go/float.js';
import { foldCase } from '../../src/go/fold-name.js';
import { canonicalHeaderName } from '../../src/go/header-name.js';
import { indented } from '../../src/go/json/indent.js';
import { JsonSyntaxError, readJson } from '../../src/go/json/reader.js';
import { compactRaw, goFloat, goString } from '../../src/go/json/write.js';
import { compareKeys } from '../../src/go/key-order.js';
import { MediaTypeError, parseMediaType } from '../../src/go/media-type.js';
import { asIPv4, formatIP, parseIP } from '../../src/go/net/ip.js';
import { isEmailAddress } from '../../src/go/net/mail-address.js';
import { addressText, parseAddress, parsePrefix } from '../../src/go/netip/address.js';
import {
  containsAddress,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  maskedPrefix,
  overlaps,
} from '../../src/go/netip/address-class.js';
import { NetipError } from '../../src/go/netip/error.js';
import { parseBool, parseFloat64 } from '../../src/go/parse-float.js';
import { atoi, parseInt64, parseUint64 } from '../../src/go/parse-integer.js';
import { printGo } from '../../src/go/print.js';
import { quote, quoteToAscii } from '../../src/go/quote.js';
import { TimeError } from '../../src/go/quote-for-time.js';
import { statusText } from '../../src/go/status-text.js';
import { parseMicroTime, parseTime } from '../../src/go/time.js';
import { goTimeText, rfc3339Nano, timeText } from '../../src/go/time-text.js';
import { parseRequestUri, parseUrl, UrlError } from '../../src/go/url/parse.js';
import { resolveReference } from '../../src/go/url/resolve.js';
import { escapedPath, queryOfUrl, requestUri, splitHost, type Url, urlText, userText } from '../../src/go/url/url.js';
import { decodeGoUtf8, decodeUtf8Bytes, encodeUtf8Bytes } from '../../src/go/utf8.js';
import { trimSpace } from '../../src/go/white-space.js';
import { keyPairError } from '../../src/x509/key-pair.js';
import type { OracleAnswer, Question } from './oracle.js';

/** The project's answers to the questions of go-questions.ts, in the members of go-functions/main.go. */
export const goAnswers: Readonly<Record<string, (question: Question) => OracleAnswer>> = {
  quote: q => ({ quote: base64(quote(textOf(q))), ascii: base64(quoteToAscii(textOf(q))) }),
  'format-float': q => {
    const f = floatOf(q);
    const g = formatFloat(f);
    const texts = { g, f: formatFloat(f, 'f'), g32: formatFloat(f, 'g', 32), f6: formatFixed(f, 6), f2: formatFixed(f, 2) };
    return { ...texts, v: printGo(f) };
  },
  'json-float': q => attempt(RangeError, () => ({ text: goFloat(floatOf(q)) })),
  'parse-float': q => orError(parseFloat64(textOf(q)), value => ({ bits: bitsOf(value) })),
  'parse-int': q => orError(parseInt64(textOf(q)), value => ({ value: String(value) })),
  'parse-uint': q => orError(parseUint64(textOf(q)), value => ({ value: String(value) })),
  'parse-bool': q => orError(parseBool(textOf(q)), value => ({ value })),
  'parse-duration': q =>
    attempt(TimeError, () => {
      const nanoseconds = parseDuration(textOf(q));
      return { nanoseconds: String(nanoseconds), text: durationText(nanoseconds), seconds: bitsOf(durationSeconds(nanoseconds)) };
    }),
  'parse-time': q => attempt(TimeError, () => timeAnswer(textOf(q))),
  'parse-micro-time': q =>
    attempt(TimeError, () => {
      const { seconds, nanoseconds } = parseMicroTime(textOf(q));
      return { seconds: String(seconds), nanoseconds };
    }),
  atoi: q => orError(atoi(textOf(q)), value => ({ value: String(value) })),
  'status-text': q => ({ text: statusText(Number(q['code'])) }),
  'format-time': q => {
    const time = { seconds: BigInt(String(q['seconds'])), nanoseconds: Number(q['nanoseconds']), offsetSeconds: Number(q['offset']) };
    return { rfc3339: rfc3339Nano(time), v: goTimeText(time) };
  },
  'trim-space': q => ({ text: base64(trimSpace(textOf(q))) }),
  'media-type': mediaTypeAnswer,
  'decode-header': q => ({ text: base64(decodeEncodedWords(textOf(q))) }),
  'header-name': q => ({ name: base64(canonicalHeaderName(textOf(q))) }),
  base64: q => attempt(Base64Error, () => ({ bytes: Buffer.from(decodeGoBase64(textOf(q))).toString('base64') })),
  utf8: q => {
    const bytes = bytesOf(q);
    const valid = Buffer.from(bytes.toString()).equals(bytes);
    return { runes: base64(decodeGoUtf8(bytes)), valid, count: [...decodeUtf8Bytes(bytes)].length };
  },
  'compare-keys': q => ({ order: Math.sign(compareKeys(textOf(q, 'a'), textOf(q, 'b'))) }),
  'parse-url': q => attempt(UrlError, () => urlAnswer(parseUrl(textOf(q)))),
  'parse-request-uri': q => attempt(UrlError, () => urlAnswer(parseRequestUri(textOf(q)))),
  'resolve-reference': resolveAnswer,
  'parse-address': q => attempt(NetipError, () => addressAnswer(textOf(q))),
  'parse-prefix': prefixAnswer,
  'parse-ip': q => {
    const ip = parseIP(textOf(q));
    return ip === undefined ? { ip: null } : { ip: formatIP(ip), four: asIPv4(ip) !== undefined };
  },
  'mail-address': q => ({ valid: isEmailAddress(textOf(q)) }),
  'json-string': q => ({ json: base64(goString(textOf(q))) }),
  'json-indent': q =>
    attempt(JsonSyntaxError, () => {
      readJson(textOf(q));
      return { indented: base64(indented(compactRaw(textOf(q)))) };
    }),
  'fold-name': q => ({ found: foldCase(textOf(q)) === 'kinds' }),
  'key-pair': q => {
    const error = keyPairError({ certificate: bytesOf(q, 'certificate').toString('latin1'), key: bytesOf(q, 'key').toString('latin1') });
    return error === undefined ? {} : { error: base64(error) };
  },
};

function bytesOf(q: Question, key = 'text'): Buffer {
  return Buffer.from(String(q[key]), 'base64');
}

function textOf(q: Question, key = 'text'): string {
  return decodeUtf8Bytes(bytesOf(q, key));
}

function base64(text: string): string {
  return Buffer.from(encodeUtf8Bytes(text)).toString('base64');
}

function floatOf(q: Question): number {
  return Buffer.from(String(q['bits']), 'hex').readDoubleBE();
}

function bitsOf(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  // Go's NaN has another payload.
  return Number.isNaN(value) ? '7ff8000000000001' : bytes.toString('hex');
}

function attempt(expected: new (...given: never[]) => Error, answer: () => OracleAnswer): OracleAnswer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof expected) return { error: base64(error.message) };
    throw error;
  }
}

function orError<T extends bigint | number | boolean>(
  parsed: T | { readonly error: string },
  answer: (value: T) => OracleAnswer,
): OracleAnswer {
  return typeof parsed === 'object' ? { error: base64(parsed.error) } : answer(parsed);
}

function timeAnswer(text: string): OracleAnswer {
  const moment = parseTime(text);
  const c = civilTime(moment.seconds, moment.offsetSeconds);
  return {
    seconds: String(moment.seconds),
    nanoseconds: moment.nanoseconds,
    offset: moment.offsetSeconds,
    utc: base64(timeText(moment)),
    civil: [c.year, c.month, c.day, c.yearDay, c.weekday, c.hour, c.minute, c.second],
  };
}

function mediaTypeAnswer(q: Question): OracleAnswer {
  try {
    const { type, parameters } = parseMediaType(textOf(q));
    return { type: base64(type), parameters: Object.fromEntries([...parameters].map(entry => entry.map(base64))) };
  } catch (error) {
    if (error instanceof MediaTypeError) return { error: base64(error.message), type: base64(error.type), parameters: {} };
    throw error;
  }
}

function urlAnswer(url: Url): OracleAnswer {
  const { scheme, opaque, host, path, rawPath, rawQuery, fragment, rawFragment } = url;
  const { hostname, port } = splitHost(host);
  const user = url.user === undefined ? '' : userText(url.user);
  const texts = {
    scheme,
    opaque,
    user,
    host,
    hostname,
    port,
    path,
    rawPath,
    escapedPath: escapedPath(url),
    rawQuery,
    fragment,
    rawFragment,
  };
  const query = [...queryOfUrl(rawQuery)].map(([name, values]) => [base64(name), values.map(base64)]);
  const parts = Object.entries({ ...texts, text: urlText(url), requestUri: requestUri(url) }).map(([name, text]) => [name, base64(text)]);
  return { ...Object.fromEntries(parts), query: Object.fromEntries(query) };
}

function resolveAnswer(q: Question): OracleAnswer {
  let base: Url;
  try {
    base = parseUrl(textOf(q, 'base'));
  } catch (error) {
    if (error instanceof UrlError) return { base: base64(error.message) };
    throw error;
  }
  return attempt(UrlError, () => urlAnswer(resolveReference(base, parseUrl(textOf(q, 'reference')))));
}

function addressAnswer(text: string): OracleAnswer {
  const address = parseAddress(text);
  return {
    text: base64(addressText(address)),
    unspecified: isUnspecified(address),
    loopback: isLoopback(address),
    linkLocalMulticast: isLinkLocalMulticast(address),
    linkLocalUnicast: isLinkLocalUnicast(address),
    globalUnicast: isGlobalUnicast(address),
  };
}

function prefixAnswer(q: Question): OracleAnswer {
  return attempt(NetipError, () => {
    const prefix = parsePrefix(textOf(q));
    const text = ({ address, bits }: typeof prefix) => `${addressText(address)}/${bits}`;
    const other = orUndefined(() => parsePrefix(textOf(q, 'other')));
    const address = orUndefined(() => parseAddress(textOf(q, 'address')));
    return {
      text: text(prefix),
      masked: text(maskedPrefix(prefix)),
      ...(address === undefined ? {} : { contains: containsAddress(prefix, address) }),
      ...(other === undefined ? {} : { overlaps: overlaps(prefix, other) }),
    };
  });
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof NetipError) return undefined;
    throw error;
  }
}
