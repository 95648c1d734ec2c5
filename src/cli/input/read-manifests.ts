import { CliError } from '../../client/cli-error.js';
import { type Manifests, manifestsIn } from '../../client/manifests/manifests.js';
import type { Surroundings } from '../surroundings.js';
import { type FileSelection, readInputFiles } from './files.js';

/**
 * Reads the objects of the files that a flag names; the items of lists become objects of their own. All files are read first. Throws CliError with
 * file and line.
 */
export async function readManifests(selection: FileSelection, surroundings: Pick<Surroundings, 'cwd' | 'stdin'>): Promise<Manifests> {
  const files = (await readInputFiles(selection, surroundings)).map(manifestsIn);
  const manifests = files.flatMap(file => file.manifests);
  if (manifests.length === 0) {
    throw new CliError('no-objects', `no objects found in ${files.map(({ source }) => source).join(', ')}`, {
      suggestions: [`pass a manifest to ${selection.flag}`],
    });
  }
  return { manifests, warnings: files.flatMap(file => file.warnings) };
}
