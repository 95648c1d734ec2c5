import type { ClusterState } from '../../kubernetes/api-call.js';
import { addNote, type CallNotes } from '../../kubernetes/call-notes.js';
import type { Storage } from '../../kubernetes/storage.js';

/** Adds a note where nothing says whether the namespace of a call exists. */
export function notePresumedNamespace(
  namespace: string,
  { state, storage, record }: { readonly state: ClusterState; readonly storage: Storage; readonly record: CallNotes },
): void {
  if (namespace === '' || !state.presumesNamespaces || storage.find({ group: '', kind: 'Namespace' }, '', namespace) !== undefined) return;
  addNote(record, `${beforeNamespace}${namespace}${behindNamespace}`);
}

const [beforeNamespace, behindNamespace] = ['assuming namespace ', ' exists (no --state given)'] as const;

/** Is it that note? It quotes nothing of the objects. */
export function isPresumedNamespace(note: string): boolean {
  return note.startsWith(beforeNamespace) && note.endsWith(behindNamespace);
}
