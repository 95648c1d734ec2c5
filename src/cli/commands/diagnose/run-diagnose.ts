import { CliError } from '../../../client/cli-error.js';
import { factOf, type ManifestFact } from '../../../client/errors/manifest-facts.js';
import type { ValueMap } from '../../../go/value.js';
import { type Diagnosis, diagnosisJson, diagnosisText, type Reproduction } from '../../../reports/diagnosis-report.js';
import { flagWords, pathWord, shellCommand } from '../../../writers/shell.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import type { FoundError } from './found-error.js';
import { readErrors } from './read-errors.js';

export interface DiagnoseFlags {
  /** Manifests of the call that failed. */
  readonly filename?: readonly string[] | undefined;
  readonly recursive?: boolean | undefined;
  readonly output?: string | undefined;
  readonly noColor?: boolean | undefined;
}

const longestPaste = 1024 * 1024;

/** Prints explanations of the errors in a text, or in stdin for `-`. Exit code 1 when no error is known. */
export async function runDiagnose(paste: string, flags: DiagnoseFlags, surroundings: Surroundings): Promise<ExitCode> {
  const text = paste === '-' ? await readStandardInput(surroundings) : paste;
  if (text.trim() === '')
    throw new CliError('usage', 'no text to diagnose', { suggestions: ['pass its text, or - and the text on stdin'] });
  const diagnoses = diagnose(text, await readManifestObjects(flags, surroundings), flags.filename?.[0]);
  if (diagnoses.length === 0) return unknown(surroundings, flags);
  const { env, stdout } = surroundings;
  const palette = terminalPalette(flags, { env, stdout });
  stdout.write(flags.output === 'json' ? diagnosisJson(diagnoses) : diagnosisText(diagnoses, palette));
  return exitCodes.allowed;
}

async function readStandardInput({ stdin }: Surroundings): Promise<string> {
  try {
    return Buffer.from(await stdin.read(longestPaste)).toString('utf8');
  } catch (error) {
    throw new CliError('unreadable-file', `stdin cannot be read, or is longer than ${longestPaste} bytes`, { cause: error });
  }
}

/** Returns the objects of the manifests. */
async function readManifestObjects({ filename: paths, recursive = false }: DiagnoseFlags, surroundings: Surroundings): Promise<ValueMap[]> {
  if (paths === undefined) return [];
  const { readManifestFiles } = await import('../../work/input/read-manifests.js');
  const { manifests } = await readManifestFiles({ flag: '-f', paths, recursive }, surroundings);
  return manifests.map(({ object }) => object);
}

/**
 * Explains the errors in a text; empty when it contains no known error of the API server. The objects of the call, from `file`, show more
 * about some errors.
 */
export function diagnose(text: string, objects: readonly ValueMap[] = [], file?: string): Diagnosis[] {
  return readErrors(text).map(error => {
    const fact = error.known === undefined ? undefined : factOf(error.known, error.message, objects);
    const own = file === undefined ? error : { ...error, file };
    return diagnosisOf(fact === undefined ? own : { ...own, cause: withFact(error.cause, fact) });
  });
}

/** Advice to pass the manifest ends where it was passed. */
function withFact(cause: FoundError['cause'], { fault, why }: ManifestFact): FoundError['cause'] {
  const own = cause.try.replace(/[;,]? ?pass the manifest with -f.*$/s, '');
  return { ...cause, fault, why: `${cause.why}; ${why}`, try: fault === 'webhook' ? correctWebhook : own };
}

const correctWebhook = 'change what the webhook does, or exclude the object from it: webhook-cli review -o diff shows what it changes';

function diagnosisOf(error: FoundError): Diagnosis {
  const { message, cause, webhook = null, url = null, stage, what } = error;
  const service = serviceOf(error.url);
  return {
    message,
    cause: cause.id,
    class: cause.class,
    fault: cause.fault,
    why: cause.why,
    try: cause.try,
    webhook,
    url,
    service: service === undefined ? null : `${service.namespace}/${service.name}:${service.port}`,
    ignorable: what === 'admission' && stage !== undefined ? stage !== 'apply' : null,
    reproduce: reproduction(error),
  };
}

function unknown({ stdout, stderr }: Surroundings, { output }: DiagnoseFlags): ExitCode {
  const sentence = 'no known error of the API server found';
  if (output === 'json') stdout.write(diagnosisJson([]));
  else stderr.write(`${sentence}; pass the whole line of kubectl or of the API server's log\n`);
  return exitCodes.refused;
}

/** A service in a URL of the API server. */
interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Parses `https://guard.shop.svc:443/validate?timeout=10s`; undefined for hosts that are not services. */
function serviceOf(url: string | undefined): Service | undefined {
  const match = /^https:\/\/([^./:]+)\.([^./:]+)\.svc(?::(\d+))?(?:[/?]|$)/.exec(url ?? '');
  if (match === null) return undefined;
  const [, name = '', namespace = '', port = '443'] = match;
  return { namespace, name, port: Number(port) };
}

/** Placeholders for files that a text does not name, and where to get them. */
const sources = {
  'MANIFEST.yaml': 'the manifest of the call',
  'CONFIGURATION.yaml': 'kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o yaml',
  'DEFINITION.yaml': 'kubectl get customresourcedefinitions PLURAL.GROUP -o yaml',
  'STATE.yaml': 'what the call needs of the cluster: kubectl get ... -o yaml',
  'OBJECT.yaml': 'kubectl get KIND NAME -o yaml',
} as const;

/** Returns the command that reproduces the error on this machine. */
function reproduction(error: FoundError): Reproduction {
  const known = error.cause.fault === 'webhook' ? undefined : error.known?.command;
  const argv = known ?? commandOfLog(error) ?? ['webhook-cli', ...commandOf(error)];
  return {
    command: shellCommand(argv),
    files: Object.entries(sources).flatMap(([name, from]) => (argv.includes(name) ? [{ name, from }] : [])),
  };
}

/** Returns the command for a line of a server's log, which no call reproduces; undefined for other errors. */
function commandOfLog({ cause: { id } }: FoundError): readonly string[] | undefined {
  if (id === 'handshake-refused-by-client') return ['webhook-cli', 'certs', 'verify', '-f', 'CONFIGURATION.yaml'];
  const isOfClient = ['handshake-left', 'handshake-without-tls', 'handshake-failed'].includes(id);
  return isOfClient ? ['kubectl', 'get', 'pods', '--all-namespaces', '-o', 'wide'] : undefined;
}

function commandOf(error: FoundError): string[] {
  const given = error.file === undefined ? undefined : pathWord(error.file);
  if (error.what === 'conversion') {
    return ['convert', '-f', given ?? 'OBJECT.yaml', '--to', 'all', '--state', 'DEFINITION.yaml', ...serviceFlag(error.url)];
  }
  if (['invalid-configuration', 'invalid-policy', 'invalid-definition'].includes(error.cause.id))
    return ['lint', '-f', given ?? 'MANIFEST.yaml'];
  const operation = error.operation === undefined ? [] : ['--operation', error.operation];
  const dryRun = error.cause.id === 'dry-run' ? ['--dry-run', 'server'] : [];
  return ['review', '-f', given ?? 'MANIFEST.yaml', ...operation, ...dryRun, ...webhookFlags(error)];
}

function webhookFlags({ url, webhook, what, stage, cause }: FoundError): string[] {
  if (url !== undefined && serviceOf(url) === undefined) {
    const timeout = /\?timeout=(\d+s)$/.exec(url)?.[1];
    const phase = stage === 'patch' || stage === 'apply' ? [] : ['--phase', 'both'];
    return ['--url', url.replace(/\?timeout=\d+s$/, ''), ...phase, ...(timeout === undefined ? [] : ['--timeout', timeout])];
  }
  const configuration = what === 'admission' || webhook !== undefined || cause.fault === 'webhook' ? 'CONFIGURATION.yaml' : 'STATE.yaml';
  return ['--state', configuration, ...(webhook === undefined ? [] : flagWords('--webhook', webhook)), ...serviceFlag(url)];
}

function serviceFlag(url: string | undefined): string[] {
  const service = serviceOf(url);
  if (service === undefined) return [];
  return ['--service', `${service.namespace}/${service.name}=https://127.0.0.1:8443`];
}
