/** Reasons for system errors when listening on an address. */
export const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EAFNOSUPPORT: 'this machine has no addresses of this family',
  ENOTFOUND: 'no such host',
};
