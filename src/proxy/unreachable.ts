/** Returns the answer to a client when the webhook cannot be reached; the connection ends with it. */
export function badGateway(sentence: string): string {
  const body = `${sentence}\n`;
  return [
    'HTTP/1.1 502 Bad Gateway',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Returns why a connection to the webhook failed, in one sentence. */
export function unreachable(origin: string, error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  const isCertificate = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  const advice = isCertificate ? '; pass its authority with --ca-file' : '';
  return `webhook-cli proxy: cannot reach ${origin}: ${reasons[code] ?? error.message}${advice}`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset in the handshake',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'timed out',
  EHOSTUNREACH: 'no route to host',
};
