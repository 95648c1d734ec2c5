// A client of API servers: HTTP/2 and gzip, as client-go's.
import { once } from 'node:events';
import { connect } from 'node:http2';

/** A server allows about a hundred streams on one connection. */
const streamsOfConnection = 80;
const windowBytes = 2 ** 30;
const streamWindowBytes = 4 * 2 ** 20;

/**
 * Returns a client of the server at `url`, whose certificate is not verified. `token`, or `cert` and `key`, say who asks. `request` returns status and
 * body, large ones compressed, and throws where the status is none of those `expected`; `watch` opens the watch of a number and returns its stream;
 * `close` ends all connections.
 */
export function createClient({ url, token, cert, key }) {
  const headers = {
    'user-agent': 'bench',
    'accept-encoding': 'gzip',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const sessions = [];
  let used;
  const watched = [];
  const open = () => {
    const session = connect(url, { rejectUnauthorized: false, cert, key, settings: { initialWindowSize: streamWindowBytes } });
    session.once('connect', () => session.setLocalWindowSize(windowBytes));
    // A failed connection fails its requests, too.
    session.on('error', () => {});
    sessions.push(session);
    return session;
  };
  return {
    request: (method, path, options = {}) => {
      if (used === undefined || used.destroyed) used = open();
      return sendRequest(used, { method, path, headers, ...options });
    },
    watch: (path, number) => {
      const connection = Math.floor(number / streamsOfConnection);
      watched[connection] ??= open();
      return openWatch(watched[connection], path, headers);
    },
    close: () => {
      for (const session of sessions) session.destroy();
    },
  };
}

async function sendRequest(
  session,
  { method, path, headers, body, contentType = 'application/json', accept = 'application/json', expected },
) {
  const stream = session.request({ ':method': method, ':path': path, ...headers, accept, 'content-type': contentType });
  const parts = [];
  stream.on('data', part => parts.push(part));
  stream.end(body);
  const [answer] = await once(stream, 'response');
  if (!stream.readableEnded) await once(stream, 'end');
  const bytes = Buffer.concat(parts);
  const status = answer[':status'];
  if (expected !== undefined && !expected.includes(status))
    throw new Error(`${method} ${path}: ${status} ${bytes.toString().slice(0, 300)}`);
  return { status, bytes };
}

async function openWatch(session, path, headers) {
  const stream = session.request({ ':method': 'GET', ':path': path, ...headers, accept: 'application/json' });
  const [answer] = await once(stream, 'response');
  if (answer[':status'] !== 200) throw new Error(`GET ${path}: ${answer[':status']}`);
  return stream;
}
