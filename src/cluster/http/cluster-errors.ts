import { createPrivateKey, X509Certificate } from 'node:crypto';
import { CliError } from '../../client/cli-error.js';
import { ownMember } from '../../go/own-members.js';
import type { ClusterSettings, UserSettings } from '../kubeconfig/cluster-settings.js';

/** The request that received no response. */
interface Unanswered {
  readonly cluster: ClusterSettings;
  readonly user: UserSettings;
  readonly timeoutMs: number;
}

/** Returns the message for a request without a response. */
export function unreachableCluster(error: unknown, { cluster, user, timeoutMs }: Unanswered): unknown {
  if (error instanceof CliError) return error;
  const cause = rootCause(error);
  const code = 'code' in cause ? String(cause.code) : cause.name;
  const server = apiServerOf(cluster);
  if (cause.name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new CliError('cluster-unreachable', `${server} did not answer within ${timeoutMs / 1000}s`, {
      suggestions: ['pass a longer --cluster-timeout'],
      cause: error,
    });
  }
  const untrusted = ownMember(untrustedReasons, code);
  if (untrusted !== undefined) {
    return new CliError('cluster-unreachable', `${server} has a certificate that cannot be trusted: ${untrusted(cause)}`, {
      suggestions: ['check certificate-authority and tls-server-name of the cluster in the kubeconfig'],
      cause: error,
    });
  }
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_OSSL')) {
    const reason = 'reason' in cause ? String(cause.reason) : cause.message;
    const hint = certificateEnd(user.certificate) ?? keyProblem(user);
    return new CliError('cluster-unreachable', `TLS with ${server} failed: ${reason}${hint === undefined ? '' : `; ${hint}`}`, {
      cause: error,
    });
  }
  const reason = ownMember(reasons, code) ?? cause.message;
  return new CliError('cluster-unreachable', `${server} cannot be reached: ${reason}`, {
    suggestions: ['check that the cluster is running and the address is right'],
    cause: error,
  });
}

/** Returns the name of an API server for messages. */
export function apiServerOf({ server, context }: Pick<ClusterSettings, 'server' | 'context'>): string {
  return `the API server ${withoutCredentials(server)} of context ${JSON.stringify(context)}`;
}

/** Returns an address for messages: that of a kubeconfig may contain a password. */
export function withoutCredentials(server: string): string {
  return server.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
}

/** Returns the message for a response that denies reading objects. `what` continues "may not". */
export function refused(
  status: number,
  message: string,
  {
    what,
    context,
    user,
    certificate,
  }: { readonly what: string; readonly context: string; readonly user: string; readonly certificate?: string | undefined },
): CliError {
  const who =
    user === ''
      ? `the anonymous user of context ${JSON.stringify(context)}`
      : `user ${JSON.stringify(user)} of context ${JSON.stringify(context)}`;
  if (status === 401) {
    const end = certificateEnd(certificate);
    return new CliError(
      'cluster-refused',
      `the cluster does not accept the credentials of ${who}: ${message}${end === undefined ? '' : `; ${end}`}`,
      {
        suggestions: ['log in again, or renew the credentials'],
      },
    );
  }
  if (status === 403)
    return new CliError('cluster-refused', `${who} may not ${what}: ${message}`, { suggestions: ['grant the user read access'] });
  return new CliError('cluster-refused', `the cluster did not let ${who} ${what}: ${message} (status ${status})`);
}

/** Returns the message for a client certificate that is no longer valid; undefined for others. */
function certificateEnd(pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined;
  try {
    const { validTo } = new X509Certificate(pem);
    return new Date(validTo) < new Date() ? `the client certificate expired at ${new Date(validTo).toISOString()}` : undefined;
  } catch {
    return 'the client certificate is not valid PEM';
  }
}

/** Returns the message for a client key that cannot be used with its certificate; undefined for others. */
function keyProblem({ certificate = '', key }: UserSettings): string | undefined {
  if (key === undefined) return undefined;
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(key))
    return 'the client key is encrypted: a kubeconfig needs one without a passphrase';
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? undefined
      : 'the client key is not that of the client certificate';
  } catch {
    return 'the client key is not valid PEM';
  }
}

function rootCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
};

const untrustedReasons: Readonly<Record<string, (error: Error) => string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: () => 'it is signed by an unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'it is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => 'it is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: () => 'it is signed by an unknown authority',
  CERT_SIGNATURE_FAILURE: () => 'it is signed by an unknown authority',
  CERT_HAS_EXPIRED: () => 'it has expired',
  CERT_NOT_YET_VALID: () => 'it is not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID: error => error.message.replace(/^Hostname\/IP does not match certificate's altnames: /, ''),
};
