import { spawn } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCertificates } from '../../src/certificates/create-certificates.js';
import { injectBundle } from '../../src/certificates/inject.js';
import { placeDocuments } from '../../src/encoding/placed-documents.js';
import { replaceFile } from '../../src/files/replace-file.js';
import { randomFrom } from '../differential/random.js';

/**
 * Kills processes that continuously create, renew, rotate and inject, and checks the remaining files:
 * `node dist/test/robustness/certificate-kills.js [COUNT] [SEED]`. Exit code 1 when anything is torn, mixed or readable for others.
 */
const count = Number(process.argv[2] ?? 1000);
const random = randomFrom(Number(process.argv[3] ?? 1));
const worker = fileURLToPath(new URL('./certificate-worker.js', import.meta.url));
const works = ['create', 'create-inside', 'renew', 'rotate', 'inject'] as const;
const umasks = ['0', '22', '77', '277'];
const configuration =
  'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n# kept\nwebhooks:\n- clientConfig:\n    url: https://x/\n';

const bad: string[] = [];
let finishedFolders = 0;
let unfinishedFolders = 0;
let leftOvers = 0;
for (let i = 0; i < count; i += 1) {
  const work = works[i % works.length] ?? 'create';
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-kills-'));
  await prepare(folder, work);
  await killAtSomePoint([folder, work, random.pick(umasks)]);
  const faults = [...faultsOf(folder, work), ...(await faultsOfRepair(folder, work))];
  if (faults.length > 0) bad.push(`${work}: ${faults.join('; ')}`);
  rmSync(folder, { recursive: true });
}
console.log(
  `${bad.length} bad of ${count} kills; folders looked at: ${finishedFolders} whole, ${unfinishedFolders} with links missing; left-overs removed by the next run: ${leftOvers}`,
);
for (const fault of bad.slice(0, 10)) console.log(`  ${fault}`);
if (bad.length > 0) process.exitCode = 1;

async function prepare(folder: string, work: string): Promise<void> {
  writeFileSync(path.join(folder, 'webhooks.yaml'), configuration, { mode: 0o640 });
  if (!work.startsWith('create')) await create(path.join(folder, 'certs'));
}

function create(folder: string) {
  const options = { names: undefined, keyType: undefined, days: 30, renewBeforeMs: 0, rotateAuthority: false, force: false };
  return createCertificates({ ...options, folder, now: new Date() });
}

/** Starts a worker and kills it within a fifth of a second after its first turn began. */
function killAtSomePoint(argv: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [worker, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
  const wait = random.below(2000) / 10;
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), wait));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error('the worker ended by itself'))));
  });
}

function faultsOf(folder: string, work: string): string[] {
  return [
    ...keysOpenToOthers(folder),
    ...keysForGit(folder),
    ...certificateFolders(folder).flatMap(name => faultsOfFolder(path.join(folder, name), work)),
  ];
}

function certificateFolders(folder: string): string[] {
  return readdirSync(folder).filter(name => name.startsWith('certs'));
}

function faultsOfFolder(certs: string, work: string): string[] {
  const names = ['ca.crt', 'ca.key', 'tls.crt', 'tls.key'];
  const present = names.filter(name => existsSync(path.join(certs, name)));
  const faults: string[] = [];
  if (present.length < names.length) {
    // In an existing folder, all files are created at once, and the links to them one after the other.
    if (work !== 'create-inside') return [`only ${present.join(', ') || 'nothing'} is there`];
    unfinishedFolders += 1;
    return [];
  }
  const text = (name: string) => readFileSync(path.join(certs, name), 'utf8');
  try {
    const [ca, leaf] = [new X509Certificate(text('ca.crt')), new X509Certificate(text('tls.crt'))];
    if (!leaf.checkPrivateKey(createPrivateKey(text('tls.key')))) faults.push('tls.key is another');
    if (!ca.checkPrivateKey(createPrivateKey(text('ca.key')))) faults.push('ca.key is another');
    if (!leaf.verify(ca.publicKey)) faults.push('the authority did not sign the certificate');
  } catch (error) {
    faults.push(`torn: ${String(error)}`);
  }
  finishedFolders += 1;
  return faults;
}

/** Unfinished folders with keys that `git add` would take: the user's .gitignore has only the name of the finished one. */
function keysForGit(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.startsWith('.certs-'))
    .filter(name => readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' }).some(file => file.endsWith('.key')))
    .filter(name => !existsSync(path.join(folder, name, '.gitignore')))
    .map(name => `${name} has keys and no .gitignore`);
}

/** Every file with a private key, complete or not. */
function keysOpenToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => {
    const file = path.join(folder, name);
    const status = lstatSync(file);
    if (!status.isFile() || (status.mode & 0o077) === 0) return [];
    return readFileSync(file, 'utf8').includes('PRIVATE') ? [`${name} has mode ${(status.mode & 0o777).toString(8)}`] : [];
  });
}

/** The next run works, and removes remains of the previous one. */
async function faultsOfRepair(folder: string, work: string): Promise<string[]> {
  const faults: string[] = [];
  const file = path.join(folder, 'webhooks.yaml');
  const written = readFileSync(file, 'utf8');
  if ((statSync(file).mode & 0o777) !== 0o640) faults.push('the configuration has another mode');
  if (written.replace(/ {4}caBundle: .*\n/, '') !== configuration) faults.push('the configuration is torn');
  await placeDocuments(written);
  leftOvers += unfinished(folder).length;
  for (const name of new Set([...certificateFolders(folder), 'certs'])) await create(path.join(folder, name));
  if (work === 'inject') await replaceFile(file, (await injectBundle(written, 'x')).text);
  const rest = unfinished(folder);
  if (rest.length > 0) faults.push(`left behind: ${rest.join(', ')}`);
  return [...faults, ...faultsOf(folder, 'repair')];
}

function unfinished(folder: string): string[] {
  const inside = certificateFolders(folder).flatMap(name =>
    readdirSync(path.join(folder, name))
      .filter(file => file.startsWith('..webhook-cli'))
      .slice(1),
  );
  return [...readdirSync(folder).filter(name => name.includes('webhook-cli')), ...inside];
}
