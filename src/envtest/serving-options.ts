import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../cli/surroundings.js';
import { systemReason } from '../cli/system-reason.js';
import type { KeyPair } from '../local-apiserver/key-pair.js';
import { flagErrors, serverFlags } from './flags/check-flags.js';
import type { GivenFlags } from './flags/parse-flags.js';

/** Options of the server, without its side effects. */
export interface ServingOptions {
  readonly host: string;
  readonly port: number;
  readonly pair: KeyPair;
  readonly clientCa: string;
  readonly flags: readonly string[];
  readonly users: readonly [];
}

/** Returns the server that the flags describe, or kube-apiserver's errors. */
export async function servingOptions(
  flags: GivenFlags,
  surroundings: Pick<Surroundings, 'cwd' | 'now'>,
): Promise<ServingOptions | { readonly errors: readonly string[] }> {
  const errors = flagErrors(flags);
  if (errors.length > 0) return { errors };
  const last = (name: string): string | undefined => flags.get(name)?.at(-1);
  const { cwd } = surroundings;
  try {
    return {
      host: last('bind-address') ?? '0.0.0.0',
      port: Number(last('secure-port') ?? 6443),
      pair: await keyPairOf(flags, surroundings),
      clientCa: last('client-ca-file') === undefined ? 'none' : read(last('client-ca-file') ?? '', cwd),
      flags: serverFlags(flags),
      users: [],
    };
  } catch (error) {
    if (error instanceof Error && 'path' in error) return { errors: [`open ${String(error.path)}: ${systemReason(error)}`] };
    throw error;
  }
}

/**
 * The certificate of `--tls-cert-file`, or `apiserver.crt` and `apiserver.key` in `--cert-dir`, or a certificate of its own. Source: apiserver
 * server/options/serving.go MaybeDefaultWithSelfSignedCerts.
 */
async function keyPairOf(flags: GivenFlags, { cwd, now }: Pick<Surroundings, 'cwd' | 'now'>): Promise<KeyPair> {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1);
  const folder = path.resolve(cwd, last('cert-dir') ?? '/var/run/kubernetes');
  const certFile = last('tls-cert-file') ?? path.join(folder, 'apiserver.crt');
  const keyFile = last('tls-private-key-file') ?? path.join(folder, 'apiserver.key');
  if (last('tls-cert-file') !== undefined || (existsSync(certFile) && existsSync(keyFile))) {
    const cert = read(certFile, cwd);
    return { cert, key: read(keyFile, cwd), ca: cert };
  }
  const { issueServingPair } = await import('../certificates/issue-serving-pair.js');
  const host = last('bind-address') ?? '0.0.0.0';
  return issueServingPair(
    { dns: ['kubernetes.default.svc', 'kubernetes.default', 'kubernetes'], ips: host === '0.0.0.0' || host === '::' ? [] : [host] },
    now(),
  );
}

function read(file: string, cwd: string): string {
  return readFileSync(path.resolve(cwd, file), 'utf8');
}
