import { CliError } from '../../../client/cli-error.js';
import { nearest } from '../../../client/nearest.js';
import { type CheckName, checkNames, isCheckName } from '../../../suites/checks/check.js';

/** Every check; `review` also updates and deletes the objects of its manifests. */
export const allChecks = 'all';

/** Parses the checks of `--check`, separated by commas. Throws CliError for unknown checks. */
export function checkNamesOf(flag: string | undefined): readonly CheckName[] {
  const names = (flag ?? '').split(',').map(word => word.trim());
  if (flag === undefined) return [];
  if (names.includes(allChecks)) return checkNames;
  return names.map(word => {
    if (isCheckName(word)) return word;
    const meant = nearest(word, checkNames);
    throw new CliError('usage', `unknown check ${JSON.stringify(word)}`, {
      suggestions: [meant === undefined ? `use ${checkNames.join(', ')}` : `did you mean ${meant}?`],
    });
  });
}
