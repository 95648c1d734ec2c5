import { Readable, Writable } from 'node:stream';
import type { Connection } from 'vscode-languageserver';
import { CliError } from '../../client/cli-error.js';
import type { EditorSurroundings } from '../editor-surroundings.js';
import { EditorSession } from './editor-session.js';

/** How often the server looks whether its editor runs, in milliseconds. */
const aliveIntervalMs = 3000;

/**
 * Serves one editor over the language server protocol, until it says `exit`, closes its stream or ends. Returns whether the editor had shut the server down,
 * as the protocol asks. Throws CliError for input in which no message can be found any more.
 */
export async function serveEditor(surroundings: EditorSurroundings): Promise<boolean> {
  const [{ createConnection }, { createProtocolConnection, StreamMessageReader, StreamMessageWriter }] = await Promise.all([
    import('vscode-languageserver'),
    import('vscode-languageserver/node'),
  ]);
  const input = Readable.from(surroundings.input, { objectMode: false });
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      surroundings.write(chunk.toString('utf8'));
      done();
    },
  });
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    let session: EditorSession | undefined;
    const end = (): void => {
      clearInterval(timer);
      session?.end();
      input.destroy();
      resolve(watchDog.shutdownReceived);
    };
    const watchDog = {
      shutdownReceived: false,
      initialize: ({ processId }: { readonly processId: number | null }) => {
        if (processId === null) return;
        timer = setInterval(() => {
          if (!surroundings.isRunning(processId)) end();
        }, aliveIntervalMs);
        timer.unref();
      },
      exit: end,
    };
    const reader = new StreamMessageReader(input);
    reader.onError(error => {
      // The next message follows one that is not JSON; without a length, nobody knows where it starts.
      if (error instanceof SyntaxError) return;
      const [reason = ''] = error.message.split('\n', 1);
      reject(new CliError('invalid-syntax', `stdin is not the language server protocol: ${reason}`, { cause: error }));
      end();
    });
    const connection: Connection = createConnection(
      logger => createProtocolConnection(reader, new StreamMessageWriter(output), logger),
      watchDog,
    );
    input.once('close', end);
    input.once('error', end);
    session = new EditorSession(connection, surroundings);
    session.listen();
  });
}
