import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { type CaseFile, parseCaseDocument } from '../../../conformance/case-file.js';
import { type CaseCommand, makeCaseLines, type ReviewedCase, reviewCases } from '../../../conformance/case-lines.js';
import { readNamedFile } from '../../../files/read-file.js';
import { writeValue } from '../../../go/json/write.js';
import { toValue, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { KubernetesMinor } from '../../../kubernetes/kubernetes-version.js';
import { reportDocument } from '../../../reports/report-document.js';
import { effectsFor } from '../../shell/effects.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import { idleTurns } from '../../shell/idle-turns.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../api-servers/api-servers.js';

export interface CaseFlags {
  readonly case: string;
  readonly kubernetesVersion?: KubernetesMinor | undefined;
}

/** Prints one line of JSON per recorded case. The exit code is 0 when every case has a line, regardless of their content. */
export async function printCases(command: CaseCommand, flags: CaseFlags, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  const cases = readCaseFile(flags, cwd);
  for await (const line of makeCaseLines(command, cases, effectsFor)) stdout.write(`${JSON.stringify(line)}\n`);
  return exitCodes.allowed;
}

/** Prints one line of JSON per recorded case, and calls the webhooks. */
export async function printReviewCases(flags: CaseFlags, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  const cases = readCaseFile(flags, cwd);
  const { createTransport } = await import('../../../transport/call-webhook.js');
  const { callWebhook, close } = createTransport({});
  await reviewCases(cases, { callWebhook, effects: effectsFor, turn: idleTurns() }, reviewed => stdout.write(`${reviewLine(reviewed)}\n`));
  await close();
  return exitCodes.allowed;
}

/** Returns the report in one line, after the case's name and before the exact answer. */
function reviewLine(reviewed: ReviewedCase): string {
  if ('error' in reviewed) return JSON.stringify(reviewed);
  const { name, report } = reviewed;
  const document = reportDocument({ report, command: undefined, exchanges: [], kubectl: [], findings: [] }, { withExchange: false });
  return writeValue(new Map([['name', name], ...document, ['answer', toValue(report.answer)]]), 'kept');
}

function readCaseFile(flags: CaseFlags, cwd: string): CaseFile {
  const file = path.resolve(cwd, flags.case);
  const definitions = path.join(path.dirname(file), 'crds.json');
  const minor = flags.kubernetesVersion;
  const server = apiServers({ minor });
  return {
    servers: apiServers,
    document: readDocument(server, file),
    definitions: existsSync(definitions) ? readDocument(server, definitions) : undefined,
    minor,
  };
}

function readDocument(server: ApiServer, file: string): ValueMap {
  try {
    return parseCaseDocument(server, readNamedFile(file));
  } catch (error) {
    throw new CliError('unreadable-file', `cannot read the cases of ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
