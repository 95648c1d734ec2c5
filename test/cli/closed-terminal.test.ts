import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/is-alive.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

const server = `import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
const [, , port, certs] = process.argv;
writeFileSync('node_modules/server.pid', String(process.pid));
createServer({ cert: readFileSync(certs + '/tls.crt'), key: readFileSync(certs + '/tls.key') }, async (incoming, outgoing) => {
  const { request } = JSON.parse(Buffer.concat(await incoming.toArray()));
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: request.uid, allowed: true } };
  outgoing.end(JSON.stringify(review));
}).listen(Number(port), '127.0.0.1');
`;

/** Runs a program in a terminal, waits for a text, closes the terminal, and prints how the program ended. */
const closeTerminal = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
seen = b''
while sys.argv[1].encode() not in seen: seen += os.read(terminal, 65536)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

describe.skipIf(!hasPython)('a closed terminal', { timeout: 60_000 }, () => {
  it('ends dev with the webhook, and without an error of Node', async () => {
    const { folder, remove } = temporaryFolder({
      'node_modules/.keep': '',
      'tmp/.keep': '',
      'server.mjs': server,
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx:1"}]}\n',
    });
    const dev = [path.join(root, 'bin/run.js'), 'dev', '--exec', `"${process.execPath}" server.mjs \${PORT} \${CERTS}`, '-f', 'pod.yaml'];
    const { stdout } = await promisify(execFile)('python3', ['-c', closeTerminal, 'q: end', process.execPath, ...dev], {
      cwd: folder,
      env: { ...process.env, XDG_CACHE_HOME: '', TMPDIR: path.join(folder, 'tmp') },
    });
    const pid = Number(readFileSync(path.join(folder, 'node_modules/server.pid'), 'utf8'));
    const left = { server: isAlive(pid), files: readdirSync(path.join(folder, 'tmp')) };
    remove();
    // The number of SIGHUP.
    expect([stdout.trim(), left]).toEqual(['-1', { server: false, files: ['.keep'] }]);
  });
});
