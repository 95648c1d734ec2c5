import { expect, it } from 'vitest';
import { CliError } from '../../src/client/cli-error.js';
import { serveEditor } from '../../src/language-server/server/serve-editor.js';
import { editorSurroundings } from './editor.js';

/** Serves an editor that sends a text, and stays. */
async function serveInput(text: string): Promise<unknown> {
  let stop = (): void => {};
  const stays = new Promise<void>(resolve => {
    stop = resolve;
  });
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
    await stays;
  }
  const served = serveEditor({ ...editorSurroundings({}), input: input(), write: () => undefined });
  return served.catch((error: unknown) => error).finally(stop);
}

it.each([
  ['Content-Length: x\r\n\r\n{}', 'Content-Length value must be a number. Got x'],
  ['Other: 1\r\n\r\n{}', 'Header must provide a Content-Length property.'],
  ['{"jsonrpc":"2.0"}\r\n\r\n', 'Header must provide a Content-Length property.'],
])('input without messages ends the server with a sentence: %j', async (text, reason) => {
  const error = await serveInput(text);
  expect(error).toBeInstanceOf(CliError);
  expect(error).toMatchObject({ code: 'invalid-syntax', message: `stdin is not the language server protocol: ${reason}` });
});

it('a message that is not JSON does not end the server', async () => {
  const exit = '{"jsonrpc":"2.0","method":"exit"}';
  expect(await serveInput(`Content-Length: 4\r\n\r\n{badContent-Length: ${exit.length}\r\n\r\n${exit}`)).toBe(false);
});
