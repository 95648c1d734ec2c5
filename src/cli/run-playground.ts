import { playgroundFile } from '../pages/page-files.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { openAddress } from './open-report.js';
import { serveFiles } from './static-server.js';
import type { Surroundings } from './surroundings.js';

/** Serves the playground on the loopback interface until the process is interrupted. Throws CliError if the port cannot be used. */
export async function runPlayground(
  { port = 0, open = false }: { readonly port?: number | undefined; readonly open?: boolean | undefined },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const server = await serveFiles(playgroundFile, port);
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
