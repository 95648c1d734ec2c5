import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import type { OtherAuthorizer } from '../apiserver/authorization/authorizer-of.js';
import type { Surroundings } from '../cli/shell/surroundings.js';
import { auditOptions } from '../cli/work/apiserver/audit-options.js';
import { StartError } from '../cli/work/apiserver/start-error.js';
import { readNamedFile } from '../files/read-file.js';
import { systemReason } from '../files/system-reason.js';
import type { ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { type ApiServerOptions, type FlagValues, serverOptions } from '../kubernetes/server-options.js';
import type { AuditOptions } from '../local-apiserver/audit/audited-request.js';
import type { KeyPair } from '../local-apiserver/key-pair.js';
import { enabledPluginNames } from '../plugins/enabled.js';
import { type ClientCertificate, clientCertificateError } from '../transport/call-backend.js';
import { admissionConfiguration } from './admission-configuration.js';
import { type AuthenticationOptions, readAuthenticationOptions } from './authentication-options.js';
import type { ReadAuthorization } from './authorization/authorization.js';
import { readAuthorization } from './authorization/read-authorization.js';
import { extensionAuthentication } from './extension-authentication.js';
import { flagErrors } from './flags/check-flags.js';
import { parseCidrs } from './flags/service-cidrs.js';

/** Options of the server, without its side effects. */
export type ServingOptions = AuthenticationOptions & {
  readonly host: string;
  readonly port: number;
  readonly pair: KeyPair;
  readonly options: ApiServerOptions;
  readonly pluginConfigurations: ReadonlyMap<string, ValueMap> | undefined;
  readonly otherAuthorizers: ReadonlyMap<string, OtherAuthorizer> | undefined;
  readonly followAuthorization: ReadAuthorization['follow'];
  readonly advertised: { readonly address: string; readonly port: number };
  readonly serviceCidr: string;
  readonly objects: readonly ValueMap[];
  readonly audit: AuditOptions | undefined;
  readonly hasFlowControl: boolean;
  readonly minRequestTimeoutSeconds: number;
  readonly strictTransportSecurity: string | undefined;
  /** Certificate by which aggregated API servers know this one. */
  readonly proxyClient: ClientCertificate | undefined;
};

/** Returns the server that the flags describe, or kube-apiserver's errors. */
export async function readServingOptions(
  server: ApiServer,
  flags: FlagValues,
  surroundings: Pick<Surroundings, 'cwd' | 'now' | 'stdout' | 'stderr'>,
): Promise<ServingOptions | { readonly errors: readonly string[] }> {
  const errors = flagErrors(server, flags);
  if (errors.length > 0) return { errors };
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const port = Number(last('secure-port') ?? 6443);
  const host = last('bind-address') ?? '0.0.0.0';
  try {
    const { cwd, now, stderr } = surroundings;
    const log = (line: string): void => void stderr.write(`${line}\n`);
    const { initial: authorization, follow } = await readAuthorization(server, flags, { cwd, log });
    const authentication = await readAuthenticationOptions(server, flags, { cwd, now, log });
    return {
      ...authentication,
      host,
      port,
      pair: await findServingKeyPair(flags, surroundings),
      options: { ...serverOptions(flags), authorizationModes: new Set(authorization.modes) },
      pluginConfigurations: pluginConfigurationsOf(server, flags, surroundings.cwd),
      otherAuthorizers: authorization.others,
      followAuthorization: follow,
      advertised: { address: last('advertise-address') ?? ownAddress(host), port },
      serviceCidr: parseCidrs(last('service-cluster-ip-range') ?? '10.0.0.0/24')[0]?.text ?? '10.0.0.0/24',
      audit: auditOptions(flags, surroundings),
      hasFlowControl: last('enable-priority-and-fairness') !== 'false',
      minRequestTimeoutSeconds: Number(last('min-request-timeout') ?? 1800),
      strictTransportSecurity: (flags.get('strict-transport-security-directives') ?? []).join('; ') || undefined,
      proxyClient: readProxyClient(last('proxy-client-cert-file'), last('proxy-client-key-file'), cwd),
      objects: extensionAuthentication(authentication, surroundings.now()),
    };
  } catch (error) {
    if (error instanceof StartError) return { errors: [error.message] };
    if (error instanceof Error && 'path' in error) return { errors: [`open ${String(error.path)}: ${systemReason(error)}`] };
    throw error;
  }
}

/** Returns the key pair of `--proxy-client-cert-file` and `--proxy-client-key-file`, which is used only if both are given. Source: kube-aggregator pkg/apiserver/apiserver.go. */
function readProxyClient(certFile: string | undefined, keyFile: string | undefined, cwd: string): ClientCertificate | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  const pair = { certificate: read(certFile, cwd), key: read(keyFile, cwd) };
  const fault = clientCertificateError(pair);
  if (fault !== undefined) throw new StartError(fault);
  return pair;
}

function pluginConfigurationsOf(server: ApiServer, flags: FlagValues, cwd: string): ServingOptions['pluginConfigurations'] {
  const file = flags.get('admission-control-config-file')?.at(-1) ?? '';
  return file === '' ? undefined : admissionConfiguration(server, file, enabledPluginNames(server, serverOptions(flags)), cwd);
}

/** The address at which others reach a server. Source: apimachinery util/net/interface.go ResolveBindAddress. */
function ownAddress(host: string): string {
  if (!/^(?:0\.0\.0\.0|127\..*|::1?)$/.test(host)) return host;
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  // Without a network, an address that is reserved for documentation: endpoints may not have loopback addresses.
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '192.0.2.2';
}

/**
 * The certificate of `--tls-cert-file`, or `apiserver.crt` and `apiserver.key` in `--cert-dir`, or a certificate of its own. Source: apiserver
 * server/options/serving.go MaybeDefaultWithSelfSignedCerts.
 */
async function findServingKeyPair(flags: FlagValues, { cwd, now }: Pick<Surroundings, 'cwd' | 'now'>): Promise<KeyPair> {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1);
  const folder = path.resolve(cwd, last('cert-dir') ?? '/var/run/kubernetes');
  const certFile = last('tls-cert-file') ?? path.join(folder, 'apiserver.crt');
  const keyFile = last('tls-private-key-file') ?? path.join(folder, 'apiserver.key');
  if (last('tls-cert-file') !== undefined || (existsSync(certFile) && existsSync(keyFile))) {
    const cert = read(certFile, cwd);
    return { cert, key: read(keyFile, cwd), ca: cert };
  }
  const { issueServingPair } = await import('../certificates/issue.js');
  const host = last('bind-address') ?? '0.0.0.0';
  return issueServingPair(
    { dns: ['kubernetes.default.svc', 'kubernetes.default', 'kubernetes'], ips: host === '0.0.0.0' || host === '::' ? [] : [host] },
    now(),
  );
}

function read(file: string, cwd: string): string {
  return readNamedFile(path.resolve(cwd, file)).toString('utf8');
}
