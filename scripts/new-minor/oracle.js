// A running API server of a release, with the etcd behind it, in which objects are set up with the values that were recorded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const program = path.join(import.meta.dirname, 'oracle.py');

/** Starts the API server of a release with the harness in `folder`. Fails with what the harness said when the server does not start. */
export async function startOracle(folder, version, flags) {
  const child = spawn('python3', [program, folder, version, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', text => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the API server of ${version} ended: ${errors.trim().split('\n').at(-1)}`);
    return JSON.parse(value);
  };
  const { etcd, hooks, ca } = await readLine();
  const ask = (operation, body) => askEtcd(etcd, operation, body);
  return {
    hooks: { port: hooks, ca },
    call: call => {
      child.stdin.write(`${JSON.stringify({ call })}\n`);
      return readLine();
    },
    /** Writes values by key, `undefined` to delete; returns the revision of each written key. */
    write: values => writeValues(ask, values),
    /** What is stored, by key: `{ revision, value }`, the value empty with `keysOnly`. Also returns the revision now. */
    read: keysOnly => readAll(ask, keysOnly),
    stop: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** Source: etcd api/etcdserverpb/rpc.proto, by its JSON gateway. */
async function askEtcd(port, operation, body) {
  const response = await fetch(`http://127.0.0.1:${port}/v3/kv/${operation}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd ${operation}: ${response.status} ${await response.text()}`);
  return await response.json();
}

async function writeValues(ask, values) {
  const revisions = new Map();
  for (const [key, value] of values) {
    if (value === undefined) {
      await ask('deleterange', { key: encode(key) });
    } else {
      const { header } = await ask('put', { key: encode(key), value: value.toString('base64') });
      revisions.set(key, header.revision);
    }
  }
  return revisions;
}

async function readAll(ask, keysOnly) {
  const { header, kvs = [] } = await ask('range', { key: encode('/registry/'), range_end: encode('/registry0'), keys_only: keysOnly });
  const rows = kvs.map(({ key, value = '', mod_revision: revision }) => [
    Buffer.from(key, 'base64').toString('utf8'),
    { revision, value: Buffer.from(value, 'base64') },
  ]);
  return { revision: header.revision, rows: new Map(rows) };
}

function encode(text) {
  return Buffer.from(text).toString('base64');
}
