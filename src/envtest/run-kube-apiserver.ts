import { effectsFor } from '../cli/shell/effects.js';
import { type ExitCode, exitCodes } from '../cli/shell/exit-codes.js';
import { printError } from '../cli/shell/print-error.js';
import type { Surroundings } from '../cli/shell/surroundings.js';
import { apiServers } from '../cli/work/api-servers/api-servers.js';
import { CliError } from '../client/cli-error.js';
import { joinHostPort } from '../go/net/host-port.js';
import { ownMember } from '../go/own-members.js';
import { featureGatesIn } from '../kubernetes/feature-gates.js';
import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';
import { lazy } from '../kubernetes/memoize.js';
import { startApiServer } from '../local-apiserver/start-server.js';
import { createBackendTransport } from '../transport/call-backend.js';
import { readKeptObjects } from './etcd/kept-objects.js';
import { knownFlag } from './flags/known-flags.js';
import { parseFlags } from './flags/parse-flags.js';
import { readServingOptions } from './serving-options.js';
import { webhookCalls } from './webhook-credentials.js';

/** Runs kube-apiserver of a minor version with these flags, until it is interrupted. Exit code 1 for invalid flags, as upstream. */
export async function runKubeApiserver(argv: readonly string[], version: KubernetesMinor, surroundings: Surroundings): Promise<ExitCode> {
  const minor = Number(version.split('.')[1]);
  const parsed = parseFlags(argv, minor);
  if ('error' in parsed) return refuse(`Error: ${parsed.error}`, surroundings);
  for (const [name, values] of parsed.flags) {
    const flag = knownFlag(name, minor);
    if (flag === undefined || flag.support === 'used' || values.length === 0) continue;
    const isHarmless = flag.support === 'noted' || values.every(value => flag.harmless?.(minor).includes(value));
    if (!isHarmless) return refuse(`Error: --${name} is not supported by the API server of webhook-cli`, surroundings);
    surroundings.stderr.write(`note: --${name} has no effect in the API server of webhook-cli\n`);
  }
  const apiServer = apiServers({ minor: version, featureGates: featureGatesIn(parsed.flags) });
  const options = await readServingOptions(apiServer, parsed.flags, surroundings);
  if ('errors' in options) return refuse(`"command failed" err=${JSON.stringify(aggregated(options.errors))}`, surroundings);
  const callWebhook = webhookCalls(options.pluginConfigurations);
  const backends = createBackendTransport({ clientCertificate: options.proxyClient });
  const kept = lazy(() => readKeptObjects(parsed.flags.get('etcd-servers') ?? []));
  try {
    const server = await startApiServer({
      ...options,
      server: apiServer,
      restore: async () => (await kept()).contents,
      isPolled: true,
      createsServiceAccounts: false,
      callBackend: backends.callBackend,
      effects: () => effectsFor(callWebhook),
    });
    const stopFollowing = options.followAuthorization?.(({ modes, others }) => {
      void server.cluster().then(cluster => cluster.authorizeBy(new Set(modes), others));
    });
    return await new Promise(resolve => {
      surroundings.onInterrupt(
        async () => {
          stopFollowing?.();
          const { store } = await server.cluster();
          await server.close();
          backends.close();
          options.stopAuthentication();
          await (await kept()).keep(store.contents());
          resolve(exitCodes.allowed);
        },
        { exitCode: exitCodes.allowed },
      );
    });
  } catch (error) {
    const { isRefusedByOpenSsl, readServingPair } = await import('../certificates/serving-pair.js');
    if (isRefusedByOpenSsl(error)) {
      const reason = readServingPair(options.pair.cert, options.pair.key).error ?? error.message;
      return refuse(`"command failed" err=${JSON.stringify(reason)}`, surroundings);
    }
    return printError(listenReason(error, options) ?? error, false, surroundings);
  }
}

function refuse(message: string, { stderr }: Surroundings): ExitCode {
  stderr.write(`${message}\n`);
  return exitCodes.refused;
}

/** Source: apimachinery util/errors Aggregate.Error. */
function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'bind: address already in use',
  EACCES: 'bind: permission denied',
  EADDRNOTAVAIL: 'bind: cannot assign requested address',
  EAFNOSUPPORT: 'socket: address family not supported by protocol',
};

/** Returns the error for an address at which the server cannot listen; undefined for other errors. Source: apiserver server/options/serving.go CreateListener. */
function listenReason(error: unknown, { host, port }: { readonly host: string; readonly port: number }): CliError | undefined {
  const reason = ownMember(reasons, error instanceof Error && 'code' in error ? String(error.code) : '');
  if (reason === undefined) return undefined;
  const address = joinHostPort(host, port);
  return new CliError('usage', `failed to create listener: failed to listen on ${address}: listen tcp ${address}: ${reason}`, {
    cause: error,
  });
}
