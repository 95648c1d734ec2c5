import { numbers } from '../../encoding/spdy/spdy-frames.js';

/** Words that precede the headers, each after its length; `_` is a space. Source: SPDY protocol draft 3.1 section 2.6.10.1. */
const words = [
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization',
  'cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range',
  'content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since',
  'last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer',
  'transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public',
  'set-cookie keep-alive origin',
];

/** The rest of the dictionary, without lengths. */
const codes = '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505';
const reasons =
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable';
const dates = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT';
const types =
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/** Returns the 1,423 bytes that the compression of headers starts with. */
export function spdyDictionary(): Buffer {
  const named = words.flatMap(line => line.split(' ')).map(word => Buffer.from(word.replace('_', ' ')));
  return Buffer.concat([...named.flatMap(word => [numbers(word.length), word]), Buffer.from(codes + reasons + dates + types)]);
}
