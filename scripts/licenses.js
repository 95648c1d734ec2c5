// Collects the licenses of the libraries in the bundle, which have to be with every copy of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes dist/bundle/LICENSES.txt for the libraries of these files. Throws if a library has no license. */
export function writeLicenses(root, files) {
  const folders = files.map(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\\', '/'))?.[0]);
  const libraries = [...new Set(folders.filter(folder => folder !== undefined))].sort();
  writeFileSync(path.join(root, 'dist/bundle/LICENSES.txt'), libraries.map(folder => licenseOf(root, folder)).join('\n\n'));
}

function licenseOf(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(path.join(root, folder)).filter(file => /^(?:licen[cs]e|notice|copyright)/i.test(file));
  if (files.length === 0 && license === undefined) throw new Error(`no license in ${folder}`);
  const texts = files.map(file => readFileSync(path.join(root, folder, file), 'utf8').trim());
  return [`== ${name} ${version} (${license})`, ...texts].join('\n\n');
}
