import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import type { SeenExchange } from '../../../proxy/exchange.js';
import { faultChooser } from '../../../proxy/faults.js';
import { createRecorder, type RecordedExchange } from '../../../proxy/recorder.js';
import { type RecordingsFolder, recordingsFolder } from '../../../proxy/recordings-folder.js';
import { type RunningProxy, startProxy } from '../../../proxy/start-proxy.js';
import { type Upstream, upstreamAt } from '../../../proxy/upstream.js';
import { monotonicMs } from '../../../transport/clock.js';
import { oneLine } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readScriptFile } from '../../work/serving/scripted-server.js';
import { listenError, readOrMakeServingPair, type ServingKeyPair } from '../../work/serving/serving-pair.js';
import { authorityOf } from '../../work/webhooks/cluster-webhooks.js';
import { faultWithScript } from './fault-value.js';
import type { ProxyFlags } from './proxy-options.js';

const defaultMaxFiles = 1000;
const defaultMaxBytes = 256 * 1024 * 1024;

/** Forwards reviews and records them until the process is interrupted. */
export async function runProxy(flags: ProxyFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr, cwd } = surroundings;
  const { redact = [], maxBytes = defaultMaxBytes } = flags;
  const faults = (flags.fault ?? []).map(fault => faultWithScript(fault, file => readScriptFile(file, cwd).script));
  const isMatch = flags.match ?? (() => true);
  const upstream = upstreamAt(flags.to, authorityOf(flags, cwd));
  const host = flags.host ?? '127.0.0.1';
  const pair = await readOrMakeServingPair({ folder: flags.certDir ?? madeFolder(cwd), host }, surroundings);
  const folder = await openRecordingsFolder(flags, maxBytes, surroundings);
  const recorder = createRecorder({
    ...{ folder, maxBytes, redact, isMatch },
    onRecorded: recorded => stdout.write(`${oneLine(lineOf(recorded))}\n`),
    onTrouble: error => stderr.write(troubleLine(flags.record, error)),
  });
  const choose = faultChooser(faults, {
    random: surroundings.random,
    isMatch: ({ body }) => isMatch(body?.toString('utf8') ?? ''),
  });
  const shown =
    flags.open === true
      ? await (await import('./shown-reviews.js')).openShownReviews(
          { origin: upstream.origin, redact, toolVersion: flags.toolVersion() },
          surroundings,
        )
      : undefined;
  const onExchange = (exchange: SeenExchange): void => {
    recorder.take(exchange);
    if (isMatch(exchange.request.body?.toString('utf8') ?? '')) shown?.take(exchange);
  };
  const proxy = await listen(flags, cwd, {
    ...{ upstream, pair, host, onExchange, now: surroundings.now },
    choose: faults.length === 0 ? undefined : choose,
    onUnreachable: sentence => stderr.write(`${oneLine(sentence)}\n`),
  });
  const ended = new Promise<ExitCode>(resolve => {
    surroundings.onInterrupt(async () => {
      await proxy.close();
      await recorder.settle();
      await shown?.close();
      resolve(exitCodes.allowed);
    });
  });
  stdout.write(`${proxy.origin}\n${pair.caFile === undefined ? (pair.ca ?? '') : ''}`);
  stderr.write(`forwarding reviews to ${upstream.origin}${flags.record === undefined ? '' : `, recording them to ${flags.record}`}\n`);
  return ended;
}

/** The directory that `certs create` writes. */
function madeFolder(cwd: string): string | undefined {
  return existsSync(path.resolve(cwd, 'certs', 'tls.crt')) && existsSync(path.resolve(cwd, 'certs', 'tls.key')) ? 'certs' : undefined;
}

/** Opens the folder. One that is not writable now may become writable later: a webhook must not depend on a disk. Throws CliError for a file. */
async function openRecordingsFolder(
  { record, maxFiles }: ProxyFlags,
  maxBytes: number,
  { cwd, stderr }: Surroundings,
): Promise<RecordingsFolder | undefined> {
  if (record === undefined) return undefined;
  const folder = recordingsFolder(path.resolve(cwd, record), { maxFiles: maxFiles ?? defaultMaxFiles, maxBytes });
  try {
    await folder.open();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTDIR'))
      throw new CliError('usage', `--record ${record} is not a folder`, { suggestions: ['pass a folder'], cause: error });
    stderr.write(troubleLine(record, error));
  }
  return folder;
}

function troubleLine(record: string | undefined, error: unknown): string {
  if (error === undefined) return `recording to ${record ?? ''} again\n`;
  return `warning: cannot record to ${record ?? ''}: ${systemReason(error)}; reviews are still forwarded\n`;
}

/** `CREATE Pod shop/web  allowed, patched  3.2 ms  create-pod-shop-web-mutating-5a1f0c9d2b3e.yaml` */
function lineOf({ subject, outcome, durationMs, faults, file, note }: RecordedExchange): string {
  const played = faults.map(fault => `fault ${fault}`);
  const time = outcome === '' ? '' : `${durationMs.toFixed(1)} ms`;
  return [subject, ...played, outcome, time, file ?? note ?? ''].filter(part => part !== '').join('  ');
}

interface Listening {
  readonly upstream: Upstream;
  readonly pair: ServingKeyPair;
  readonly host: string;
  readonly onExchange: (exchange: SeenExchange) => void;
  readonly now: () => Date;
  readonly choose: Parameters<typeof startProxy>[0]['choose'];
  readonly onUnreachable: (sentence: string) => void;
}

async function listen(flags: ProxyFlags, cwd: string, { pair, host, ...watching }: Listening): Promise<RunningProxy> {
  const port = flags.port ?? 0;
  try {
    return await startProxy({
      ...{ ...watching, cert: pair.cert, key: pair.key, host, port },
      elapsedMs: () => monotonicMs(),
    });
  } catch (error) {
    throw listenError(error, { host, port, source: flags.certDir ?? madeFolder(cwd), files: 'tls.crt and tls.key', pair });
  }
}
