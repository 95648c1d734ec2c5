import { CliError } from '../../../client/cli-error.js';
import { converters, handlers } from '../../../webhook-server/handlers/handlers.js';
import { conversionPath, phasePaths, type RunningServer, startServer } from '../../../webhook-server/server.js';
import { oneLine } from '../../../writers/printable.js';
import { flagWords, shellCommand, shellWord } from '../../../writers/shell.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { ScriptFile } from '../../work/serving/scripted-server.js';
import { listenError, readOrMakeServingPair, type ServingKeyPair } from '../../work/serving/serving-pair.js';
import type { ServeFlags } from './serve-options.js';

/** Serves until the process is interrupted. */
export async function runServe(flags: ServeFlags, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.handler !== undefined && flags.script !== undefined) {
    throw new CliError('usage', '--handler and --script are mutually exclusive', { suggestions: ['omit one of them'] });
  }
  const injectorFlag = (['config', 'values', 'revision'] as const).find(name => flags[name] !== undefined);
  if (flags.handler !== 'injector' && injectorFlag !== undefined) {
    throw new CliError('usage', `--${injectorFlag} needs --handler injector`, { suggestions: ['add --handler injector'] });
  }
  if (flags.handlers !== undefined) {
    if (flags.handler !== undefined || flags.script !== undefined) {
      const other = flags.handler === undefined ? '--script' : '--handler';
      throw new CliError('usage', `--handlers and ${other} are mutually exclusive`, { suggestions: ['omit one of them'] });
    }
    const { serveHandlers } = await import('./serve-handlers.js');
    return serveHandlers(flags.handlers, flags, surroundings);
  }
  if (flags.handler === 'injector') {
    const { serveInjector } = await import('./serve-injector.js');
    return serveInjector(flags, surroundings);
  }
  const host = flags.host ?? '127.0.0.1';
  const script = flags.script === undefined ? undefined : await scriptFrom(flags.script, surroundings);
  const pair = await pairFor({ folder: flags.certDir, host, script }, surroundings);
  const server = await listen(flags, { host, pair, script });
  // Registered before the address is known: an interruption may follow at once.
  const ended = new Promise<ExitCode>(resolve => {
    surroundings.onInterrupt(async () => {
      await server.close();
      resolve(exitCodes.allowed);
    });
  });
  surroundings.stdout.write(`${server.origin}\n${pair.caFile === undefined ? (pair.ca ?? '') : ''}`);
  surroundings.stderr.write(hints(server, pair, script));
  return ended;
}

type Server = Pick<RunningServer, 'origin' | 'close'>;

async function scriptFrom(file: string, { cwd }: Surroundings): Promise<ScriptFile> {
  const { readScriptFile } = await import('../../work/serving/scripted-server.js');
  return readScriptFile(file, cwd);
}

interface PairSource {
  readonly folder: string | undefined;
  readonly host: string;
  readonly script: ScriptFile | undefined;
}

async function pairFor({ folder, host, script }: PairSource, surroundings: Surroundings): Promise<ServingKeyPair> {
  if (script !== undefined) {
    const { pairOfScript } = await import('../../work/serving/scripted-server.js');
    const scripted = pairOfScript(script, folder);
    if (scripted !== undefined) return { cert: scripted.chain, key: scripted.key };
  }
  return readOrMakeServingPair({ folder, host }, surroundings);
}

interface Listening {
  readonly host: string;
  readonly pair: ServingKeyPair;
  readonly script: ScriptFile | undefined;
}

async function listen(flags: ServeFlags, { host, pair, script }: Listening): Promise<Server> {
  const port = flags.port ?? 0;
  try {
    if (script !== undefined) {
      const { startScript } = await import('../../work/serving/scripted-server.js');
      return await startScript(script, pair, { host, port });
    }
    const name = flags.handler === 'allow' || flags.handler === 'deny' ? flags.handler : 'demo';
    return await startServer({ handler: handlers[name], convert: converters[name], cert: pair.cert, key: pair.key, host, port });
  } catch (error) {
    const folder = flags.certDir;
    throw listenError(error, {
      host,
      port,
      source: folder ?? script?.file,
      files: folder === undefined ? 'chain and key' : 'tls.crt and tls.key',
      pair,
    });
  }
}

function hints({ origin }: Server, { ca, caFile }: ServingKeyPair, script: ScriptFile | undefined): string {
  const authority =
    caFile !== undefined
      ? shellCommand(flagWords('--ca-file', caFile))
      : ca !== undefined
        ? '--ca-file FILE, where FILE contains the CA certificate printed above'
        : '--ca-file FILE, where FILE contains its CA certificate';
  const { mutating, validating } = phasePaths;
  const path = script === undefined ? mutating : (script.script.path ?? validating);
  const served =
    script === undefined
      ? `serving ${origin}${mutating}, ${origin}${validating} and ${origin}${conversionPath}`
      : `serving ${oneLine(script.file)} at ${origin}`;
  const phase = script === undefined ? '' : '--phase validating ';
  return `${served}\ntry: webhook-cli review --url ${shellWord(`${origin}${path}`)} ${phase}-f pod.yaml ${authority}\n`;
}
