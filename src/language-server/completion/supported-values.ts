import { CliError } from '../../client/cli-error.js';
import { entriesIn } from '../../client/manifests/manifests.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { type AdmissionEffects, createObject } from '../diagnostics/admission.js';
import type { FileDocument } from '../text/file-documents.js';

export interface ValuePlace {
  /** Offsets of the value in the file. */
  readonly start: number;
  readonly end: number;
  readonly document: FileDocument;
  readonly path: readonly (string | number)[];
}

/** A value that no field supports. */
const unsupported = 'unsupported-value';

/**
 * Asks the API server for the values that a field supports: it names them when it refuses another one. None for a field with other values, or in a document
 * that cannot be decoded.
 */
export async function askForSupportedValues(
  { start, end, document, path }: ValuePlace,
  { state, effects }: { readonly state: ClusterState; readonly effects: AdmissionEffects },
): Promise<readonly string[]> {
  const own = document.text;
  const changed = own.slice(0, start - document.start) + unsupported + own.slice(end - document.start);
  const field = path
    .map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
  for (const entry of entriesIn({ source: '', bytes: Buffer.from(changed) }).entries) {
    if (entry instanceof CliError) continue;
    // A namespace that is missing is refused before the object is validated.
    const answer = await createObject(entry, { ...state, presumesNamespaces: true }, effects);
    if (answer.outcome !== 'answered') continue;
    const cause = answer.errors.find(
      one => one.field === field && one.text.includes(unsupported) && one.text.includes('supported values: '),
    );
    if (cause === undefined) continue;
    const [, listed = ''] = /supported values: (.*)$/s.exec(cause.text) ?? [];
    return [...listed.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) => value).filter(value => value !== '');
  }
  return [];
}
