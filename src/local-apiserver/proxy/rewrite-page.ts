import { promisify } from 'node:util';
import { deflateRaw, gunzip, gzip, inflateRaw } from 'node:zlib';
import { unknownError } from '../../kubernetes/status-errors.js';
import type { PassedBody } from '../http/exchange.js';
import { readPassedBody } from '../http/read-passed-body.js';
import { linkInside, type ProxyPrefix } from './proxied-urls.js';
import { rewriteHtml } from './rewrite-html.js';

/** A page that is read whole. */
interface Page {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly passedOn: PassedBody;
}

/** Go announces the length of a response that its buffer holds when the handler returns. Source: Go net/http bufferBeforeChunkingSize. */
const bufferedBytes = 2048;

/** A page is rewritten as a whole; larger ones are not passed on. */
const maxPageBytes = 16 * 1024 * 1024;

const codings = {
  gzip: { unpack: promisify(gunzip), pack: promisify(gzip) },
  deflate: { unpack: promisify(inflateRaw), pack: promisify(deflateRaw) },
};

/** Reads an HTML page, and returns it with links that lead through the proxy. Source: apimachinery pkg/util/proxy/transport.go rewriteResponse. */
export async function rewritePage(
  answered: PassedBody,
  { encoding, prefix, isHead }: { readonly encoding: string; readonly prefix: ProxyPrefix; readonly isHead: boolean },
): Promise<Page> {
  const body = await readPassedBody(answered, size => {
    if (size > maxPageBytes) throw tooLarge();
  });
  const coding = encoding === 'gzip' || encoding === 'deflate' ? codings[encoding] : undefined;
  const page =
    coding === undefined
      ? body
      : await coding.unpack(body, { maxOutputLength: maxPageBytes }).catch((error: NodeJS.ErrnoException) => {
          throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : unknownError(`errorf making ${encoding} reader: ${error.message}`);
        });
  const rewritten = Buffer.from(
    rewriteHtml(page.toString('latin1'), link => linkInside(link, prefix)),
    'latin1',
  );
  const bytes = coding === undefined ? rewritten : await coding.pack(rewritten);
  let rest: Uint8Array | undefined = bytes;
  return {
    headers: isHead || bytes.length > bufferedBytes ? [] : [['Content-Length', String(bytes.length)]],
    passedOn: {
      read: () => {
        const next = rest;
        rest = undefined;
        return Promise.resolve(next?.length === 0 ? undefined : next);
      },
      release: () => undefined,
    },
  };
}

function tooLarge(): Error {
  return unknownError('the HTML page is larger than 16 MiB');
}
