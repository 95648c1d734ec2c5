import { existsSync } from 'node:fs';
import path from 'node:path';
import { handlers } from '../webhook-server/handlers.js';
import { phasePaths, type RunningServer, startServer } from '../webhook-server/server.js';
import { CliError } from './cli-error.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { readInputFile } from './input/files.js';
import type { Surroundings } from './surroundings.js';

export interface ServeFlags {
  readonly handler?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly 'cert-dir'?: string | undefined;
}

/** Serves until the process is interrupted. */
export async function runServe(flags: ServeFlags, surroundings: Surroundings): Promise<ExitCode> {
  const host = flags.host ?? '127.0.0.1';
  const pair = await servingPair(flags['cert-dir'], host, surroundings);
  const server = await listen(flags, host, pair);
  surroundings.stdout.write(`${server.origin}\n${pair.caFile === undefined ? (pair.ca ?? '') : ''}`);
  surroundings.stderr.write(hints(server, pair));
  return new Promise(resolve => {
    surroundings.onInterrupt(async () => {
      await server.close();
      resolve(exitCodes.allowed);
    });
  });
}

interface ServingPair {
  readonly cert: string;
  readonly key: string;
  /** PEM of the authority, when it was made here. */
  readonly ca?: string | undefined;
  /** The authority's file beside the pair. */
  readonly caFile?: string | undefined;
}

async function servingPair(folder: string | undefined, host: string, { cwd, now }: Surroundings): Promise<ServingPair> {
  if (folder === undefined) {
    const { issueInMemory } = await import('../certificates/issue.js');
    return issueInMemory({ dns: [], ips: /^[\d.]+$|:/.test(host) ? [host] : [] }, now());
  }
  const read = (name: string): string => Buffer.from(readInputFile(path.join(folder, name), cwd)).toString('utf8');
  const caFile = path.join(folder, 'ca.crt');
  return { cert: read('tls.crt'), key: read('tls.key'), caFile: existsSync(path.resolve(cwd, caFile)) ? caFile : undefined };
}

async function listen(flags: ServeFlags, host: string, { cert, key }: ServingPair): Promise<RunningServer> {
  const port = flags.port ?? 0;
  const handler = handlers[flags.handler === 'allow' || flags.handler === 'deny' ? flags.handler : 'demo'];
  try {
    return await startServer({ handler, cert, key, host, port });
  } catch (error) {
    throw listenError(error, { host, port, folder: flags['cert-dir'] });
  }
}

function listenError(
  error: unknown,
  { host, port, folder }: { readonly host: string; readonly port: number; readonly folder: string | undefined },
): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = listenReasons[code];
  if (reason !== undefined)
    return new CliError('usage', `${host}:${port}: ${reason}`, { suggestions: ['pass another --port or --host'], cause: error });
  if (folder === undefined || !/^ERR_(OSSL|SSL)|^ERR_CRYPTO/.test(code)) return error;
  return new CliError('invalid-certificate', `tls.crt and tls.key cannot be used: ${error instanceof Error ? error.message : code}`, {
    location: { file: folder },
    suggestions: ['pass the folder of a certificate and its own key, both PEM'],
    cause: error,
  });
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'listening there is not permitted',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
};

function hints({ origin }: RunningServer, { caFile }: ServingPair): string {
  const trust = caFile === undefined ? 'the authority printed below it, saved in a file and given as --ca-file' : `--ca-file ${caFile}`;
  return `serving ${origin}${phasePaths.mutating} and ${origin}${phasePaths.validating}\ntry: webhook-cli review --url ${origin}${phasePaths.mutating} -f pod.yaml, with ${trust}\n`;
}
