import { CliError } from '../../client/cli-error.js';
import type { ExitCode } from '../exit-codes.js';
import { injectorOf } from '../handlers/load-injector.js';
import type { Surroundings } from '../surroundings.js';
import type { ServeFlags } from './serve-flags.js';
import { addressLines, serverOf, started, untilInterrupted } from './serve-handlers.js';
import { servingPair } from './serving-pair.js';

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
  const pair = folder === undefined ? await servingPair({ folder, host: flags.host }, surroundings) : undefined;
  const { server, log } = serverOf(flags, surroundings, pair);
  for (const at of ['/inject', '/inject/']) server.register(at, handler);
  const addresses = await started(server, flags, log);
  const ended = untilInterrupted(server, () => undefined, surroundings);
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
