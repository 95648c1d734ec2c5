import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ownMember } from '../../../go/own-members.js';
import { playgroundFile } from '../../../pages/page-files.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import { guardedListener, keepAccepting } from '../../shell/guarded-listener.js';
import { openAddress } from '../../shell/open-report.js';
import type { OutputStream, Surroundings } from '../../shell/surroundings.js';
import { listenError } from '../../work/serving/serving-pair.js';

/** Serves the playground on the loopback interface until the process is interrupted. Throws CliError if the port cannot be used. */
export async function runPlayground(
  { port = 0, open = false }: { readonly port?: number | undefined; readonly open?: boolean | undefined },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const server = await serveFiles(playgroundFile, port, surroundings.stderr);
  const ended = new Promise<ExitCode>(resolve => {
    surroundings.onInterrupt(
      async () => {
        await server.close();
        resolve(exitCodes.allowed);
      },
      { exitCode: exitCodes.allowed },
    );
  });
  surroundings.stdout.write(`${server.address}\n`);
  if (open) await openAddress(server.address, surroundings);
  return ended;
}

/** Files by their path in the address, `/index.html`. */
type ServedFile = (name: string) => Uint8Array | undefined;

export interface StaticServer {
  /** `http://127.0.0.1:41234/` */
  readonly address: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Names of this machine, by which a page of another origin cannot reach the server. */
const ownHosts = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Serves files on the loopback interface; a file that cannot be read is 500 and a line on stderr. Throws CliError if the port cannot be used. */
export async function serveFiles(file: ServedFile, port: number, stderr: Pick<OutputStream, 'write'>): Promise<StaticServer> {
  const respond: RequestListener = (request, response) => {
    // Not as a URL: the request target may be any text, such as `//`.
    const [name = ''] = (request.url ?? '').split(/[?#]/, 1);
    const isOwn = ownHosts.test(request.headers.host ?? '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const found = isOwn && isRead ? file(name === '/' ? '/index.html' : name) : undefined;
    if (found === undefined) return answer(response, isOwn ? 404 : 421);
    response.setHeader('Content-Type', ownMember(types, path.extname(name === '/' ? '/index.html' : name)) ?? 'application/octet-stream');
    answer(response, 200, request.method === 'HEAD' ? undefined : found);
  };
  const server = createServer(guardedListener(respond, stderr));
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenError(error, { host: '127.0.0.1', port, source: undefined, files: '' })));
    server.listen(port, '127.0.0.1', resolve);
  });
  keepAccepting(server, stderr);
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${own}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, status: number, body?: Uint8Array): void {
  response.statusCode = status;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-cache');
  response.end(body);
}
