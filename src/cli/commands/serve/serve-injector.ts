import path from 'node:path';
import { CliError, type Location, printLocation } from '../../../client/cli-error.js';
import { InjectorConfigurationError } from '../../../webhook-server/api/configuration-error.js';
import type { InjectorWebhook } from '../../../webhook-server/api/types.js';
import { injector } from '../../../webhook-server/injector/injector.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readInputFile } from '../../work/input/files.js';
import { readOrMakeServingPair } from '../../work/serving/serving-pair.js';
import { addressLines, serverOf, startWebhookServer, waitUntilInterrupted } from './serve-handlers.js';
import type { ServeFlags } from './serve-options.js';

/**
 * Serves the sidecar injector at /inject until the process is interrupted, with the pair in --cert-dir or one made in memory, whose CA it
 * prints.
 */
export async function serveInjector(given: ServeFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { config, values, revision } = given;
  if (config === undefined) {
    throw new CliError('usage', '--handler injector needs --config', {
      suggestions: ['pass the configuration of the injector with --config FILE'],
    });
  }
  const handler = injectorOf({ config, values, revision }, surroundings);
  const flags = { ...given, host: given.host ?? '127.0.0.1', port: given.port ?? 0 };
  const folder = flags.certDir;
  const pair = folder === undefined ? await readOrMakeServingPair({ folder, host: flags.host }, surroundings) : undefined;
  const { server, log } = serverOf(flags, surroundings, pair);
  for (const at of ['/inject', '/inject/']) server.register(at, handler);
  const addresses = await startWebhookServer(server, flags, log);
  const ended = waitUntilInterrupted(server, () => undefined, surroundings);
  const ca = pair?.ca;
  const { stdout, stderr } = surroundings;
  stdout.write(flags.output === 'json' ? `${JSON.stringify({ ...addresses, ca })}\n` : `${addressLines(addresses)}${ca ?? ''}`);
  if (flags.output !== 'json') {
    const contents = ca === undefined ? 'its CA certificate' : 'the CA certificate printed above';
    const url = `${addresses.webhook}/inject`;
    stderr.write(`try: webhook-cli review --url ${url} --phase mutating -f pod.yaml --ca-file FILE, where FILE contains ${contents}\n`);
  }
  return ended;
}

interface InjectorFiles {
  readonly config: string;
  readonly values: string | undefined;
  readonly revision: string | undefined;
}

/** Returns the injector of a configuration and its values, and prints warnings about them. Throws CliError. */
function injectorOf({ config, values, revision }: InjectorFiles, { cwd, stderr }: Pick<Surroundings, 'cwd' | 'stderr'>): InjectorWebhook {
  for (const file of [config, ...(values === undefined ? [] : [values])]) readInputFile(file, cwd);
  const absolute = (file: string): string => path.resolve(cwd, file);
  const asGiven = (location: Location): Location => ({ ...location, file: location.file === absolute(config) ? config : (values ?? '') });
  try {
    const handler = injector({
      config: absolute(config),
      values: values === undefined ? undefined : absolute(values),
      revision,
    });
    for (const { message, location } of handler.warnings) {
      stderr.write(`warning: ${location === undefined ? '' : `${printLocation(asGiven(location))}: `}${message}\n`);
    }
    return handler;
  } catch (error) {
    if (!(error instanceof InjectorConfigurationError)) throw error;
    const location = error.location === undefined ? undefined : asGiven(error.location);
    const suggestions = /: function ".*" not defined$/.test(error.reason)
      ? ['use functions of Go, sprig or Istio; "Functions of templates" in docs/injector.md lists them']
      : [];
    throw new CliError('invalid-configuration', error.reason, { location, suggestions, cause: error });
  }
}
