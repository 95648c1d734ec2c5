import type { ReplayTally } from '../../../replay/tally.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** Returns the exit code of a whole replay, and says on stderr when it has found out nothing: a check must not pass then. */
export function endOfReplay({ replayed, groups }: ReplayTally, { stderr }: Pick<Surroundings, 'stderr'>): ExitCode {
  if (replayed === 0) {
    stderr.write('error: no call of the log could be made again; the report says why\n');
    return exitCodes.input;
  }
  return Object.keys(groups).length > 0 ? exitCodes.refused : exitCodes.allowed;
}
