#!/usr/bin/env node
// Packs the executable of this machine with the licenses of all that is in it, as releases have it: node scripts/archive.js [--out FOLDER].
// Node's own license is that of the Node that runs this.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { archiveOf, executableOf } from './archive-names.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(root, 'dist/executable') } } });
const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-archive-'));
try {
  const executable = executableOf(process);
  copyFileSync(path.join(root, 'dist/executable', executable), path.join(folder, executable));
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const libraries = readFileSync(path.join(root, 'dist/bundle/LICENSES.txt'), 'utf8');
  writeFileSync(path.join(folder, 'LICENSES.txt'), `${libraries}\n\n== Node.js ${process.version}\n\n${licenseOfNode()}`);
  mkdirSync(values.out, { recursive: true });
  const archive = archiveOf(process);
  execFileSync('tar', ['-czf', archive, executable, 'LICENSE', 'LICENSES.txt'], { cwd: folder, stdio: 'inherit' });
  copyFileSync(path.join(folder, archive), path.join(values.out, archive));
  process.stdout.write(`${path.join(values.out, archive)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Beside node.exe, above the folder bin, or where Debian keeps it. Throws if there is none. */
function licenseOfNode() {
  const bin = path.dirname(process.execPath);
  const places = ['LICENSE', '../LICENSE', '../share/doc/nodejs/copyright'].map(place => path.join(bin, place));
  const file = places.find(place => existsSync(place));
  if (file === undefined) throw new Error(`no license of Node beside ${process.execPath}`);
  return readFileSync(file, 'utf8');
}
