import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { guardedListener, keepAccepting } from '../../cli/shell/guarded-listener.js';
import type { OutputStream } from '../../cli/shell/surroundings.js';
import { CliError } from '../../client/cli-error.js';
import { readNamedFile } from '../../files/read-file.js';
import { systemReason } from '../../files/system-reason.js';
import { hostWithoutBrackets } from '../../go/net/host-port.js';

/** A running server. */
export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Path at which the folder of `--data-dir` is answered. */
export const dataFolderPath = '/webhook-cli/data-dir';

/**
 * Listens at etcd's `--listen-client-urls` and answers health checks and the folder of `--data-dir`; for systems without Perl, and over TLS. A
 * request that fails is answered with 500 and a line on stderr. Throws CliError.
 */
export async function startEtcd(argv: readonly string[], cwd: string, stderr: Pick<OutputStream, 'write'>): Promise<HealthServer> {
  const given = givenFlags(argv);
  const text = (given.get('listen-client-urls') ?? 'http://localhost:2379').split(',')[0] ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CliError('usage', `invalid --listen-client-urls ${JSON.stringify(text)}: expected http://HOST:PORT`);
  const answers: ReadonlyMap<string, string> = new Map([
    ['/health', '{"health":"true","reason":""}'],
    ['/version', '{"etcdserver":"3.6.0","etcdcluster":"3.6.0"}'],
    [dataFolderPath, path.resolve(cwd, given.get('data-dir') ?? 'default.etcd')],
  ]);
  const answer = guardedListener((request, response) => {
    const body = answers.get((request.url ?? '').split('?')[0] ?? '');
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(body ?? '404 page not found\n');
  }, stderr);
  const server = url.protocol === 'https:' ? await createSecureServer(given, cwd, answer) : createHttpServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(new CliError('usage', `etcd: ${url.host}: ${systemReason(error)}`, { cause: error })));
    server.listen(Number(url.port), hostWithoutBrackets(url.hostname), resolve);
  });
  keepAccepting(server, stderr);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The last value of every flag; etcd has more of them than matter here. */
function givenFlags(argv: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  argv.forEach((word, i) => {
    const match = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(word);
    const next = argv[i + 1] ?? '';
    if (match !== null) given.set(match[1] ?? '', match[2] ?? (next.startsWith('-') ? '' : next));
  });
  return given;
}

async function createSecureServer(given: ReadonlyMap<string, string>, cwd: string, answer: RequestListener): Promise<Server> {
  const pair = pairOf(given, cwd);
  try {
    return createHttpsServer(pair, answer);
  } catch (error) {
    const { isRefusedByOpenSsl, readServingPair } = await import('../../certificates/serving-pair.js');
    if (!isRefusedByOpenSsl(error)) throw error;
    const reason = readServingPair(pair.cert.toString('latin1'), pair.key.toString('latin1')).error ?? error.message;
    throw new CliError('invalid-certificate', `etcd: ${reason}`, { location: { file: given.get('cert-file') ?? '' }, cause: error });
  }
}

function pairOf(given: ReadonlyMap<string, string>, cwd: string): { cert: Buffer; key: Buffer } {
  const read = (name: string): Buffer => {
    const file = given.get(name);
    if (file === undefined) throw new CliError('usage', `missing --${name}, which https needs`);
    try {
      return readNamedFile(path.resolve(cwd, file));
    } catch (error) {
      throw new CliError('unreadable-file', systemReason(error), { location: { file }, cause: error });
    }
  };
  return { cert: read('cert-file'), key: read('key-file') };
}
