// Determines which modules the creation of a pod loads, by creating one, and which more modules several manifests and tests load.
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';

/**
 * Returns the files of the modules that `review` loads for a pod that a webhook allows (`always`), that it and `request` load for one that is allowed or, by the demo
 * webhook, changed, in all forms (`review`), and that `request` on two manifests, and `test` load besides. `onePart` builds the whole program as one part. Throws if a command fails.
 */
export async function tracedModules(root, onePart) {
  const { text, files } = await onePart(root);
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-build-'));
  const { server, ca } = await allowingWebhook();
  try {
    const caFile = path.join(folder, 'ca.crt');
    writeFileSync(caFile, ca);
    const url = `https://127.0.0.1:${server.address().port}/`;
    const pod = path.join(root, 'fixtures/manifests/pod-sidecar.yaml');
    const program = load(text, path.join(root, 'dist/bundle/only.cjs'));
    const run = argv => runCommand(program, { root, cacheFolder: path.join(folder, 'cache'), argv });
    await run(['review', '--url', url, '--ca-file', caFile, '-f', pod]);
    const always = files.filter((_, number) => program.made[number] !== undefined);
    await run(['review', '--url', url, '--ca-file', caFile, '-f', pod, '-o', 'json']);
    await run(['request', '-f', pod]);
    for (const format of [[], ['-o', 'json'], ['-o', 'json', '--include', 'steps']]) await run(['review', '--demo', '-f', pod, ...format]);
    const review = files.filter((_, number) => program.made[number] !== undefined);
    await run(['request', '-f', pod, '-f', path.join(root, 'fixtures/manifests/pod-privileged.yaml')]);
    const tested = ['test', testFolder(folder, pod), '--url', url, '--ca-file', caFile];
    await run([...tested, '--update']);
    await run([...tested, '--check']);
    const besides = files.filter((file, number) => program.made[number] !== undefined && !review.includes(file));
    return { always, review, besides };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder of two manifests to test. */
function testFolder(folder, pod) {
  const made = path.join(folder, 'manifests');
  mkdirSync(made);
  for (const name of ['a.yaml', 'b.yaml']) copyFileSync(pod, path.join(made, name));
  return made;
}

function load(text, file) {
  const module = { exports: {} };
  new Script(text, { filename: file }).runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  return module.exports;
}

/** Runs a command, which may keep things in a folder other than the user's. */
async function runCommand({ main, processSurroundings, commands }, { root, cacheFolder, argv }) {
  let printed = '';
  const silent = {
    write: part => {
      printed += part;
    },
    flush: async () => {},
  };
  const surroundings = processSurroundings();
  const quiet = {
    ...surroundings,
    env: { ...surroundings.env, XDG_CACHE_HOME: cacheFolder },
    stdout: { ...surroundings.stdout, ...silent },
    stderr: { ...surroundings.stderr, ...silent },
  };
  const exitCode = await main(argv, root, quiet, commands);
  if (exitCode !== 0) throw new Error(`${argv[0]} failed while it was traced: ${printed}`);
}

/** Starts a minimal webhook that allows everything, with its own certificate. */
export async function allowingWebhook() {
  const { generate } = await import('selfsigned');
  const altNames = [{ type: 7, ip: '127.0.0.1' }];
  const extensions = [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames },
  ];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'build' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions,
  });
  const server = createServer({ cert, key }, async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { apiVersion, kind, request: review } = JSON.parse(Buffer.concat(parts).toString());
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: review.uid, allowed: true } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, ca: cert };
}
