import { CliError } from '../../client/cli-error.js';
import { nearest } from '../../client/nearest.js';
import { type CheckName, checkNames, isCheckName } from '../../suites/checks/check.js';

/** The checks that `--check` names, separated by commas; none without it. Throws CliError (wrong usage) for a word that is none. */
export function checkNamesOf(flag: string | undefined): readonly CheckName[] {
  const words = (flag ?? '').split(',').map(word => word.trim());
  if (flag === undefined) return [];
  return words.map(word => {
    if (isCheckName(word)) return word;
    const meant = nearest(word, checkNames);
    throw new CliError('usage', `--check knows no ${JSON.stringify(word)}`, {
      suggestions: [meant === undefined ? `use ${checkNames.join(', ')}` : `did you mean ${meant}?`],
    });
  });
}
