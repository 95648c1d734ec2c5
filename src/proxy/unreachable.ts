import { systemReason } from '../files/system-reason.js';
import { ownMember } from '../go/own-members.js';

/** Returns the response to a client if the webhook cannot be reached; the connection is closed after it. */
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

/** Returns in one sentence why a connection to the webhook failed or broke. */
export function unreachableWebhook(origin: string, error: Error, wasConnected: boolean): string {
  const code = 'code' in error ? String(error.code) : '';
  const isCertificate = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  const advice = isCertificate ? '; pass its CA with --ca-file' : '';
  const what = wasConnected ? `lost the connection to ${origin}` : `cannot reach ${origin}`;
  return `webhook-cli proxy: ${what}: ${ownMember(reasons, code) ?? systemReason(error)}${advice}`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'timed out',
  EHOSTUNREACH: 'no route to host',
};
