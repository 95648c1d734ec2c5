import { gzipSync } from 'node:zlib';
import { queryOfRequest } from '../../apiserver/call/request-info.js';
import { type HttpReply, type Incoming, pathOfRequest, plainReply } from '../http/exchange.js';

const named = ['allocs', 'block', 'goroutine', 'heap', 'mutex', 'threadcreate'];

/**
 * Returns the reply for `/debug/pprof` and `/debug/flags`; undefined for other paths. There is no Go program to look into: all profiles are empty.
 * Source: apiserver server/routes/profiling.go, debugsocket.go; net/http/pprof.
 */
export function profileReply(request: Incoming): HttpReply | undefined {
  const path = pathOfRequest(request);
  if (path === '/debug/pprof') return { status: 302, headers: [['Location', '/debug/pprof/']], body: '' };
  if (path === '/debug/flags' || path === '/debug/flags/') return htmlReply('flags', ['v']);
  if (path === '/debug/flags/v' && request.method !== 'PUT') return plainReply(406, 'unsupported http method\n');
  const name = /^\/debug\/pprof\/(.*)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  if (name === '') return htmlReply('profiles', [...named, 'profile', 'trace'].sort());
  if (name === 'symbol') return plainReply(200, 'num_symbols: 1\n');
  if (name === 'trace') return binaryReply(Buffer.from('go 1.23 trace\0\0\0', 'latin1'));
  if (name === 'profile') return binaryReply(emptyProfile());
  if (!named.includes(name)) return plainReply(404, 'Unknown profile\n');
  const debug = queryOfRequest(request.url).get('debug')?.[0] ?? '0';
  return debug === '0' ? binaryReply(emptyProfile()) : plainReply(200, `${name} profile: total 0\n`);
}

/** A profile in the format of pprof, whose only field is the table of strings with the empty one. */
function emptyProfile(): Uint8Array {
  return gzipSync(Buffer.from([0x32, 0x00]));
}

function binaryReply(body: Uint8Array): HttpReply {
  return { status: 200, headers: [['Content-Type', 'application/octet-stream']], body };
}

function htmlReply(title: string, names: readonly string[]): HttpReply {
  const links = names.map(name => `<a href='${name}'>${name}</a><br>`).join('\n');
  return {
    status: 200,
    headers: [['Content-Type', 'text/html; charset=utf-8']],
    body: `<html>\n<title>${title}</title>\n${links}\n</html>\n`,
  };
}
