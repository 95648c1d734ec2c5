export interface ServeFlags {
  readonly handler?: string | undefined;
  readonly script?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly 'cert-dir'?: string | undefined;
  readonly handlers?: string | undefined;
  readonly config?: string | undefined;
  readonly values?: string | undefined;
  readonly revision?: string | undefined;
  readonly 'cert-name'?: string | undefined;
  readonly 'key-name'?: string | undefined;
  readonly 'client-ca-name'?: string | undefined;
  readonly 'cert-poll-interval'?: number | undefined;
  readonly 'metrics-port'?: number | undefined;
  readonly 'health-port'?: number | undefined;
  readonly watch?: boolean | undefined;
  readonly output?: string | undefined;
}

/** Reasons for system errors when listening on an address. */
export const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'no such host',
};
