import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { certificatesOfFile, type Inspected, inspectChain, keyOfText } from '../../../certificates/inspect.js';
import { CliError } from '../../../client/cli-error.js';
import { hostWithoutBrackets } from '../../../go/net/host-port.js';
import { probeServer } from '../../../transport/probe.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readInputFile } from '../../work/input/files.js';
import type { InspectOptions } from './certificate-options.js';
import { inspectionJson, inspectionText } from './inspection-documents.js';

const timeoutMs = 10_000;
const nodeRoots = 'the roots that come with Node';

/** Prints the certificates of a file, a folder or a server; 1 if one of them is not accepted for a name. Throws CliError. */
export async function runInspect(what: string, options: InspectOptions, { now, cwd, stdout }: Surroundings): Promise<ExitCode> {
  const given: Given = { caFile: options.caFile, serverName: options.serverName, at: options.at ?? now(), cwd };
  const { trusted, ...inspected } = isFile(what, cwd) ? fileOf(what, given) : await probedServer(what, given);
  const inspection = inspectChain(inspected);
  const print = options.output === 'json' ? inspectionJson : inspectionText;
  stdout.write(print(inspection, { source: what, trusted }));
  return inspection.certificates.some(certificate => 'error' in certificate) ? exitCodes.refused : exitCodes.allowed;
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

async function probedServer(what: string, { caFile, serverName, at, cwd }: Given): Promise<Subject> {
  const [, host = '', port = ''] = /^(?:https:\/\/)?(\[[^\]]+\]|[^/:]+):(\d+)\/?$/.exec(what) ?? [];
  const name = hostWithoutBrackets(host);
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
