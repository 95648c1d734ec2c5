import path from 'node:path';
import { type Injected, injectBundle } from '../../../certificates/inject.js';
import { CliError } from '../../../client/cli-error.js';
import type { InputFile } from '../../../client/manifests/manifests.js';
import { replaceFile } from '../../../files/replace-file.js';
import { oneLine } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readInputFile, readInputFiles } from '../../work/input/files.js';
import { bundleText, inFile, utf8Text, withCliErrors } from './certificate-files.js';
import type { InjectOptions } from './certificate-options.js';

/** Writes the caBundle into manifests, and prints them or changes their files. Throws CliError. */
export async function runInject(options: InjectOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { cwd, stderr, stdout } = surroundings;
  const files = await readInputFiles({ flag: '--filename', paths: options.filename, recursive: false }, surroundings);
  if (options.inPlace && files.some(file => file.source === 'STDIN')) throw new CliError('usage', '--in-place cannot change stdin');
  const pem = bundleText(readInputFile(options.caFile, cwd), options.caFile);
  const results: { file: InputFile; injected: Injected }[] = [];
  for (const file of files) results.push({ file, injected: await injectInto(file, pem) });
  if (results.every(({ injected }) => injected.targets.length === 0)) throw nothingToWrite(files);
  const isChanged = ({ injected }: { injected: Injected }) => injected.targets.some(({ outcome }) => outcome === 'written');
  if (options.inPlace) {
    for (const { file, injected } of results.filter(isChanged)) {
      await withCliErrors(() => replaceFile(path.resolve(cwd, file.source), injected.text));
    }
  } else stdout.write(results.map(({ injected }) => injected.text).reduce(joinTexts));
  for (const { file, injected } of results) stderr.write(summary(file.source, injected));
  return exitCodes.allowed;
}

function injectInto({ source, bytes }: InputFile, pem: string): Promise<Injected> {
  return inFile(source, () => injectBundle(utf8Text(bytes, source), pem));
}

function nothingToWrite(files: readonly InputFile[]): CliError {
  const where = files.length === 1 ? (files[0]?.source ?? '') : `${files.length} files`;
  return new CliError('no-objects', `${where}: no webhook configuration, CRD with webhook conversion or APIService with a service`, {
    suggestions: ['pass its file with -f'],
  });
}

/** Joins files to one stream of documents. */
function joinTexts(before: string, text: string): string {
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return /^(?:\uFEFF)?---/.test(text) ? ended + text : `${ended}---\n${text}`;
}

function summary(source: string, { targets }: Injected): string {
  const lines = targets.flatMap(({ name, outcome, notes }) => {
    const said = { written: 'caBundle written', unchanged: 'caBundle is already up to date', skipped: 'skipped' }[outcome];
    return [`${source}: ${name}: ${said}`, ...notes.map(note => `  note: ${note}`)];
  });
  return lines.map(line => `${oneLine(line)}\n`).join('');
}
