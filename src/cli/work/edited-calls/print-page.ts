import type { StepResult } from '../../../client/run/step-result.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { isServedPage } from '../live-page/served-page.js';
import type { EditablePrinting } from './print-editable.js';

/** Prints results, and shows the page of their calls: at a terminal, one in which they can be edited and made again. Returns the exit code. Throws CliError. */
export async function printPage(
  results: AsyncIterable<StepResult>,
  { again, ...printing }: EditablePrinting,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (isServedPage(printing.flags, surroundings)) {
    const { printEditable } = await import('./print-editable.js');
    return printEditable(results, { ...printing, again }, surroundings);
  }
  const { printTraced } = await import('../calls/traced-calls.js');
  return printTraced(results, printing, surroundings);
}
