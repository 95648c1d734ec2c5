/** Returns `host:port`, with an IPv6 address in brackets. Source: Go net.JoinHostPort. */
export function joinHostPort(host: string, port: number | bigint | string): string {
  return `${hostInUrl(host)}:${port}`;
}

/** Returns a host as URLs have it: an IPv6 address in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the host of a URL as sockets and certificates have it: an IPv6 address without brackets. */
export function hostWithoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
