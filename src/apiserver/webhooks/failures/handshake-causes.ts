import type { RefusalCause } from './refusal-causes.js';

/** `http: TLS handshake error from ADDRESS: `, or without `http: `. */
function handshake(detail: string): RegExp {
  return new RegExp(`^(?:http: )?TLS handshake error from (?<client>\\S+): ${detail}`);
}

/** Lines in the log of a server: a client's TLS handshake failed. Source: Go net/http server.go, crypto/tls. */
export const handshakeCauses: readonly RefusalCause[] = [
  {
    id: 'handshake-refused-by-client',
    fault: null,
    text: handshake(
      'remote error: tls: (?<alert>bad certificate|unknown certificate(?: authority)?|expired certificate|unsupported certificate|revoked certificate)',
    ),
    why: 'a line of the log of a server: the client {client} does not trust its certificate ({alert}); if that is the API server, the caBundle does not match',
    try: 'compare caBundle and certificate: webhook-cli certs verify; if they match, find the client by its address: a probe, a scraper, or a dashboard',
  },
  {
    id: 'handshake-without-tls',
    fault: null,
    text: handshake('tls: first record does not look like a TLS handshake'),
    why: 'a line of the log of a server: the client {client} sent plain HTTP, or something else, to its TLS port; the server itself uses TLS',
    try: 'find the client by its address: a probe without scheme: HTTPS, a scraper of metrics, or a service that maps the wrong port',
  },
  {
    id: 'handshake-left',
    fault: null,
    text: handshake('(?:EOF|read tcp .*|write tcp .*|i/o timeout|unexpected EOF)'),
    why: 'a line of the log of a server: the client {client} connected and disconnected without a handshake, such as a TCP probe or a load balancer; no review is lost by that',
    try: 'nothing, if calls succeed; probe with an HTTPS GET of a health path instead',
  },
  {
    id: 'handshake-failed',
    fault: null,
    text: handshake('(?<error>(?!no serving certificate available).+)'),
    why: 'a line of the log of a server: the TLS handshake of the client {client} failed: {error}',
    try: 'find the client by its address; if it is the API server: webhook-cli certs verify',
  },
];
