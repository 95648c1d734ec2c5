import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Args, Flags } from '@oclif/core';
import { certificatesOfFile, type Inspected, inspectChain, keyOfText } from '../../src/certificates/inspect.js';
import { inspectionJson, inspectionText } from '../../src/cli/commands/certs/inspection-documents.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { timeFlag, wordFlag } from '../../src/cli/options/values.js';
import { type ExitCode, exitCodes } from '../../src/cli/shell/exit-codes.js';
import { readInputFile } from '../../src/cli/work/input/files.js';
import { CliError } from '../../src/client/cli-error.js';
import { probeServer } from '../../src/transport/probe.js';

const timeoutMs = 10_000;
const nodeRoots = 'the roots that come with Node';

/** Shows a chain, and Go's result for each of its names. */
export default class CertsInspect extends BaseCommand {
  static override summary = 'Show certificates as the API server sees them.';

  static override description = [
    'A file (PEM or DER), a folder with tls.crt, or a server. ca.crt in the same folder is used as caBundle; tls.key or the',
    'key of the same name is compared with the certificate. Without --ca-file, a server is checked against certs/ca.crt',
    'if that exists.',
  ].join(' ');

  static override examples = [
    { description: 'A file', command: '<%= config.bin %> certs inspect certs/tls.crt' },
    { description: 'A server', command: '<%= config.bin %> certs inspect localhost:9443 --server-name webhook.team.svc' },
  ];

  static override args = {
    what: Args.string({ required: true, name: 'FILE|HOST:PORT', description: 'a file, a folder, or a server as HOST:PORT' }),
  };

  static override flags = {
    'server-name': Flags.string({ helpValue: 'NAME', description: 'the server name; the host by default' }),
    'ca-file': Flags.string({ helpValue: 'PATH', description: 'the CAs to trust, PEM' }),
    at: timeFlag({ helpValue: 'TIME', description: 'check as of this time; now by default' }),
    output: wordFlag({ char: 'o', choices: ['text', 'json'], default: 'text', helpValue: 'text|json', description: 'how to print' }),
  };

  override async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(CertsInspect);
    const at = options.at ?? this.surroundings.now();
    const given: Given = { caFile: options.caFile, serverName: options.serverName, at, cwd: this.surroundings.cwd };
    const { trusted, ...inspected } = isFile(args.what, given.cwd) ? fileOf(args.what, given) : await readServerSubject(args.what, given);
    const inspection = inspectChain(inspected);
    const print = options.output === 'json' ? inspectionJson : inspectionText;
    this.surroundings.stdout.write(print(inspection, { source: args.what, trusted }));
    return inspection.certificates.some(certificate => 'error' in certificate) ? exitCodes.refused : exitCodes.allowed;
  }
}

interface Given {
  readonly caFile: string | undefined;
  readonly serverName: string | undefined;
  readonly at: Date;
  readonly cwd: string;
}

type Subject = Inspected & { readonly trusted: string };

/** Reports whether the argument is a file: an existing path, or anything that does not look like HOST:PORT. */
function isFile(what: string, cwd: string): boolean {
  return existsSync(path.resolve(cwd, what)) || !/^(?:https:\/\/)?(?:\[[^\]]+\]|[^/:]+):\d+\/?$/.test(what);
}

function fileOf(what: string, { caFile, serverName, at, cwd }: Given): Subject {
  const isFolder = statSync(path.resolve(cwd, what), { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? path.join(what, 'tls.crt') : what;
  const bytes = readInputFile(file, cwd);
  const chain = certificatesOfFile(bytes);
  if (chain.length === 0) {
    throw new CliError('invalid-certificate', 'no certificate found, neither PEM nor DER', { location: { file } });
  }
  const bundleFile = caFile ?? existing(path.join(path.dirname(file), 'ca.crt'), cwd);
  const keyPem = keyOfText(Buffer.from(bytes).toString('utf8')) ?? keyBeside(file, cwd);
  return { chain, ...trust(bundleFile, cwd), serverNames: serverName === undefined ? [] : [serverName], keyPem, at };
}

async function readServerSubject(what: string, { caFile, serverName, at, cwd }: Given): Promise<Subject> {
  const [, host = '', port = ''] = /^(?:https:\/\/)?(\[[^\]]+\]|[^/:]+):(\d+)\/?$/.exec(what) ?? [];
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const trusted = trust(caFile ?? existing(path.join('certs', 'ca.crt'), cwd), cwd);
  const wanted = serverName ?? name;
  const probe = {
    address: { host: name, port: Number(port) },
    serverName: wanted,
    caBundle: trusted.bundle === undefined ? undefined : Buffer.from(trusted.bundle),
    now: () => at,
    timeoutMs,
  };
  const { chain, failure } = await probeServer(probe);
  if (chain.length > 0) return { chain, ...trusted, serverNames: [wanted], keyPem: undefined, at };
  throw new CliError('unreadable-file', `${what} presented no certificate: ${failure?.message ?? 'the handshake ended'}`, {
    suggestions: ['check that the server is running and speaks TLS'],
  });
}

function trust(file: string | undefined, cwd: string): { readonly bundle: string | undefined; readonly trusted: string } {
  if (file === undefined) return { bundle: undefined, trusted: nodeRoots };
  return { bundle: Buffer.from(readInputFile(file, cwd)).toString('utf8'), trusted: file };
}

/** `tls.key` for `tls.crt`, `webhook.key` or `webhook-key.pem` for the like. */
function keyBeside(file: string, cwd: string): string | undefined {
  const stem = file.replace(/\.(?:crt|cert|cer|pem)$/, '');
  const found = [`${stem}.key`, `${stem}-key.pem`].map(name => existing(name, cwd)).find(name => name !== undefined && name !== file);
  return found === undefined ? undefined : keyOfText(Buffer.from(readInputFile(found, cwd)).toString('utf8'));
}

function existing(file: string, cwd: string): string | undefined {
  return existsSync(path.resolve(cwd, file)) ? file : undefined;
}
