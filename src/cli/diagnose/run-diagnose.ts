import { CliError } from '../../client/cli-error.js';
import { type Diagnosis, diagnosisJson, diagnosisText } from '../../reports/diagnosis-report.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { terminalPalette } from '../terminal-palette.js';
import { type FoundError, readErrors } from './read-errors.js';
import { reproduction, serviceOf } from './reproduce.js';

export interface DiagnoseFlags {
  readonly output?: string | undefined;
  readonly noColor?: boolean | undefined;
}

const longestPaste = 1024 * 1024;

/** Prints explanations of the errors in a text, or in stdin for `-`. Exit code 1 when no error is known. */
export async function runDiagnose(paste: string, flags: DiagnoseFlags, surroundings: Surroundings): Promise<ExitCode> {
  const text = paste === '-' ? await standardInput(surroundings) : paste;
  if (text.trim() === '')
    throw new CliError('usage', 'no text to diagnose', { suggestions: ['pass its text, or - and the text on stdin'] });
  const diagnoses = diagnose(text);
  if (diagnoses.length === 0) return unknown(surroundings, flags);
  const { env, stdout } = surroundings;
  const palette = terminalPalette(flags, { env, stdout });
  stdout.write(flags.output === 'json' ? diagnosisJson(diagnoses) : diagnosisText(diagnoses, palette));
  return exitCodes.allowed;
}

async function standardInput({ stdin }: Surroundings): Promise<string> {
  try {
    return Buffer.from(await stdin.read(longestPaste)).toString('utf8');
  } catch (error) {
    throw new CliError('unreadable-file', `stdin cannot be read, or is longer than ${longestPaste} bytes`, { cause: error });
  }
}

/** Explains the errors in a text; empty when it contains no known error of the API server. */
export function diagnose(text: string): Diagnosis[] {
  return readErrors(text).map(diagnosisOf);
}

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
