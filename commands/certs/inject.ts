import path from 'node:path';
import { Flags } from '@oclif/core';
import { type Injected, injectBundle } from '../../src/certificates/inject.js';
import { nameFileInErrors, readBundleText, readUtf8Text, rejectWithCliErrors } from '../../src/cli/commands/certs/certificate-flags.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { type ExitCode, exitCodes } from '../../src/cli/shell/exit-codes.js';
import { readInputFile, readInputFiles } from '../../src/cli/work/input/files.js';
import { CliError } from '../../src/client/cli-error.js';
import type { InputFile } from '../../src/client/manifests/manifests.js';
import { replaceFile } from '../../src/files/replace-file.js';
import { printable } from '../../src/reports/printable.js';

/** Writes caBundles into manifests and changes nothing else. */
export default class CertsInject extends BaseCommand {
  static override summary = 'Write the caBundle into webhook configurations, CRD conversions and APIServices.';

  static override description = [
    'Everything else is unchanged: comments, order, quotes, line endings, other documents. The result goes to stdout; with',
    "--in-place, each file is replaced atomically. Effects of cert-manager's annotations on a caBundle are reported on",
    'stderr.',
  ].join(' ');

  static override examples = [
    { description: 'Into a configuration', command: '<%= config.bin %> certs inject -f webhooks.yaml --in-place' },
    {
      description: 'In a pipe to kubectl',
      command: 'kustomize build config | <%= config.bin %> certs inject -f - | kubectl apply -f -',
    },
  ];

  static override flags = {
    filename: Flags.string({
      char: 'f',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
      description: 'manifests: a file, a folder, a pattern or - for stdin',
    }),
    'ca-file': Flags.string({ default: path.join('certs', 'ca.crt'), helpValue: 'PATH', description: 'the CAs to trust, PEM' }),
    'in-place': Flags.boolean({ description: 'change the files; otherwise the result goes to stdout' }),
  };

  override async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(CertsInject);
    const { cwd, stderr, stdout } = this.surroundings;
    const files = await readInputFiles({ flag: '--filename', paths: options.filename, recursive: false }, this.surroundings);
    if (options.inPlace && files.some(file => file.source === 'STDIN')) throw new CliError('usage', '--in-place cannot change stdin');
    const pem = readBundleText(readInputFile(options.caFile, cwd), options.caFile);
    const results: { file: InputFile; injected: Injected }[] = [];
    for (const file of files) results.push({ file, injected: await injectInto(file, pem) });
    if (results.every(({ injected }) => injected.targets.length === 0)) throw nothingToWrite(files);
    const isChanged = ({ injected }: { injected: Injected }) => injected.targets.some(({ outcome }) => outcome === 'written');
    if (options.inPlace) {
      for (const { file, injected } of results.filter(isChanged)) {
        await rejectWithCliErrors(() => replaceFile(path.resolve(cwd, file.source), injected.text));
      }
    } else stdout.write(results.map(({ injected }) => injected.text).reduce(joinTexts));
    for (const { file, injected } of results) stderr.write(summary(file.source, injected));
    return exitCodes.allowed;
  }
}

function injectInto({ source, bytes }: InputFile, pem: string): Promise<Injected> {
  return nameFileInErrors(source, () => injectBundle(readUtf8Text(bytes, source), pem));
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
  return lines.map(line => `${printable(line)}\n`).join('');
}
