export interface ServeFlags {
  readonly handler?: string | undefined;
  readonly script?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly certDir?: string | undefined;
  readonly handlers?: string | undefined;
  readonly config?: string | undefined;
  readonly values?: string | undefined;
  readonly revision?: string | undefined;
  readonly certName?: string | undefined;
  readonly keyName?: string | undefined;
  readonly clientCaName?: string | undefined;
  readonly certPollIntervalMs?: number | undefined;
  readonly metricsPort?: number | undefined;
  readonly healthPort?: number | undefined;
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
