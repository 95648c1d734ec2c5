import { CliError } from '../client/cli-error.js';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'bind: address already in use',
  EACCES: 'bind: permission denied',
  EADDRNOTAVAIL: 'bind: cannot assign requested address',
};

/** Returns the error for an address at which the server cannot listen; undefined for other errors. Source: apiserver server/options/serving.go CreateListener. */
export function listenReason(error: unknown, { host, port }: { readonly host: string; readonly port: number }): CliError | undefined {
  const reason = reasons[error instanceof Error && 'code' in error ? String(error.code) : ''];
  if (reason === undefined) return undefined;
  return new CliError('usage', `failed to create listener: failed to listen on ${host}:${port}: listen tcp ${host}:${port}: ${reason}`, {
    cause: error,
  });
}
