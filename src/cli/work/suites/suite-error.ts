import { CliError } from '../../../client/cli-error.js';
import { nearest } from '../../../client/nearest.js';
import { InvalidSuite } from '../../../suites/faults.js';

/** Reads suites; turns InvalidSuite into CliError. */
export function withSuiteErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidSuite ? suiteError(error) : error;
  }
}

function suiteError(error: InvalidSuite): CliError {
  const { message, place, suggestions, unknown } = error;
  const meant = unknown === undefined ? undefined : nearest(unknown.word, unknown.known);
  const names = unknown === undefined ? [] : [meant === undefined ? `use one of ${unknown.known.join(', ')}` : `did you mean ${meant}?`];
  const others = error.others.map(suiteError);
  return new CliError('invalid-configuration', message, { location: place, suggestions: [...names, ...suggestions], cause: error, others });
}
