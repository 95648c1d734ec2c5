import { Readable, Writable } from 'node:stream';
import type { Connection } from 'vscode-languageserver';
import type { EditorSurroundings } from '../editor-surroundings.js';
import { EditorSession } from './editor-session.js';

/** How often the server looks whether its editor runs, in milliseconds. */
const aliveIntervalMs = 3000;

/**
 * Serves one editor over the language server protocol, until it says `exit`, closes its stream or ends. Returns whether the editor had shut the server down,
 * as the protocol asks.
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
  return new Promise(resolve => {
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
    const connection: Connection = createConnection(
      logger => createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
      watchDog,
    );
    input.once('close', end);
    input.once('error', end);
    session = new EditorSession(connection, surroundings);
    session.listen();
  });
}
