/** Returns Go's message for a system error: `connect: connection refused`. Source: Go net.OpError and the C library's texts. */
export function systemErrorText(error: NodeJS.ErrnoException, call: string): string {
  const code = error.code ?? '';
  // Too many open files fail the creation of the socket, before the call that Node names.
  const made = code === 'EMFILE' || code === 'ENFILE' ? 'socket' : call;
  return `${made}: ${systemTexts.get(code) ?? error.message}`;
}

const systemTexts: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EADDRINUSE', 'address already in use'],
  ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ['EAFNOSUPPORT', 'address family not supported by protocol'],
  ['ECONNABORTED', 'software caused connection abort'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by peer'],
  ['EHOSTDOWN', 'host is down'],
  ['EHOSTUNREACH', 'no route to host'],
  ['EINVAL', 'invalid argument'],
  ['EMFILE', 'too many open files'],
  ['ENETDOWN', 'network is down'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ENFILE', 'too many open files in system'],
  ['ENOBUFS', 'no buffer space available'],
  ['EPERM', 'operation not permitted'],
  ['EPIPE', 'broken pipe'],
  ['EPROTO', 'protocol error'],
  ['ETIMEDOUT', 'connection timed out'],
]);
