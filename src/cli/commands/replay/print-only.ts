import { CliError } from '../../../client/cli-error.js';
import { kubectlLinesOf } from '../../../client/kubectl-lines.js';
import type { CallReport } from '../../../client/run/call-report.js';
import { reportStream } from '../../../reports/report-stream.js';
import { type ExitCode, exitCodeOfReport } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import type { ReplayFlagOptions } from './replay-options.js';
import { replayPart } from './replay-part.js';

/** Makes one call of the log, in the state that the log shows before it, and prints it as `review` does. Throws CliError. */
export async function printOnly(options: ReplayFlagOptions & { readonly only: string }, surroundings: Surroundings): Promise<ExitCode> {
  const { only, output } = options;
  const format = output === undefined || output === 'text' || output === 'json' ? (output ?? 'text') : undefined;
  if (format === undefined) throw new CliError('usage', `--only prints text or json, not ${output}`);
  const reports: CallReport[] = [];
  const part = { index: 0, count: 1, threads: 1 };
  const tally = await replayPart({ ...options, checkpoint: undefined }, part, surroundings, {
    watch: makeAgain => async (call, state, at) => {
      const made = await makeAgain(call, state, at);
      const { report, exchanges } = made;
      const findings = made.compared.map(({ by, message }) => ({ check: 'compare', webhook: by, message }));
      const kubectl = kubectlLinesOf({ report, command: undefined }, { isOnlyFailure: true });
      reports.push({ report, command: undefined, exchanges, findings, kubectl });
      return made;
    },
  });
  const [report] = reports;
  if (report === undefined) {
    const [reason] = Object.keys(tally.unknown);
    throw new CliError(
      'no-objects',
      reason === undefined ? `the log has no call with the audit ID ${only}` : `the call cannot be made again: ${reason}`,
      {
        suggestions: reason === undefined ? ['pass the auditID of an event of a create, update, patch or delete'] : [],
      },
    );
  }
  const { env, stdout } = surroundings;
  const palette = terminalPalette(options, { env, stdout });
  const stream = reportStream(format, { palette, withExchange: false });
  stdout.write(stream.next(stream.render(report)) + stream.end([]));
  return exitCodeOfReport(report.report);
}
