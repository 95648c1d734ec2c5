import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { sameValue } from '../../../go/value.js';
import { suiteFile } from '../../../suites/find-suites.js';
import { readSuite } from '../../../suites/reading/suite-file.js';
import type { Suite } from '../../../suites/suite.js';
import { withSuiteErrors } from '../../work/suites/suite-error.js';
import type { NewFile } from './project.js';

/** A file whose text means what it was written for, and nothing else. */
export interface InitialFile extends NewFile {
  /** Returns the suite of the text by the name of its file. */
  readonly suite?: (file: string) => Suite;
}

/**
 * Parses a file before it is written, and compares it with its value: names that were found in a project must not become other fields of it. Throws CliError for a suite
 * that cannot be read, such as one with an impossible variable of its process.
 */
export function checkedFile(file: NewFile): InitialFile {
  const bytes = Buffer.from(file.text);
  if (file.value !== undefined) {
    const { documents, error } = readManifests(bytes);
    const [document, second] = documents;
    const isSame = document !== undefined && sameValue(readUnstructured(document.json), file.value);
    if (error !== undefined || second !== undefined || !isSame) throw new Error(`${file.name} does not have the fields it was written for`);
  }
  if (!suiteFile.test(file.name)) return file;
  const suite = (name: string): Suite => readSuite(bytes, { file: name, whole: false });
  withSuiteErrors(() => suite(file.name));
  return { ...file, suite };
}
