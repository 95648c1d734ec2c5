import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCertificates } from '../../src/certificates/create-certificates.js';
import { injectBundle } from '../../src/certificates/inject.js';
import { replaceFile } from '../../src/files/replace-file.js';

/** Works on the certificates of a folder until it is killed: `certificate-worker.js FOLDER WORK UMASK`. */
const [folder = '', work = '', umask = '22'] = process.argv.slice(2);
process.umask(Number.parseInt(umask, 8));

const certs = path.join(folder, 'certs');
const plain = { folder: certs, names: undefined, keyType: undefined, days: 30, renewBeforeMs: 0, rotateAuthority: false, force: false };
const isCreating = work.startsWith('create');
console.log('ready');
for (let turn = 0; ; turn += 1) {
  const now = new Date();
  const names = { dns: [`host${turn}.example`], ips: [] };
  if (isCreating) {
    const made = path.join(folder, `certs-${turn}`);
    if (work === 'create-inside') {
      await mkdir(made);
      await writeFile(path.join(made, 'README'), 'theirs');
    }
    await createCertificates({ ...plain, folder: made, names, now });
  } else if (work === 'renew') await createCertificates({ ...plain, names, now });
  else if (work === 'rotate') await createCertificates({ ...plain, names, now, rotateAuthority: true });
  else {
    const file = path.join(folder, 'webhooks.yaml');
    const pem = `${'#'.repeat(turn % 5000)}\n${await readFile(path.join(certs, 'ca.crt'), 'utf8')}`;
    await replaceFile(file, (await injectBundle(await readFile(file, 'utf8'), pem)).text);
  }
}
