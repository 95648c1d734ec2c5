import { expect, it, onTestFinished } from 'vitest';
import Dev from '../../commands/dev.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { closeServers, listenTls, onRequest } from '../transport/loopback.js';

it('ends dev while a webhook does not answer', { timeout: 20_000 }, async () => {
  const { folder, remove } = temporaryFolder({
    'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n',
  });
  onTestFinished(remove);
  onTestFinished(closeServers);
  let take = (): void => {};
  const asked = new Promise<void>(resolve => {
    take = resolve;
  });
  const port = await listenTls(onRequest(take));
  const opened: Closing[] = [];
  const argv = [
    '-f',
    'pod.yaml',
    '--url',
    `https://127.0.0.1:${port}/`,
    '--phase',
    'validating',
    '--insecure-skip-tls-verify',
    '--timeout',
    '30s',
  ];
  const ended = startCommand(Dev, argv, { cwd: folder, opened }, [/never/]);
  await Promise.race([asked, ended]);
  const started = performance.now();
  await opened[0]?.close();
  // The answer may take 30 seconds.
  expect(performance.now() - started).toBeLessThan(15_000);
});
