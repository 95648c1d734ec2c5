import type { ClusterState } from '../../kubernetes/api-call.js';
import { addNote, type CallNotes } from '../../kubernetes/call-notes.js';
import type { Storage } from '../../kubernetes/storage.js';

/** Adds a note where nothing says whether the namespace of a call exists. */
export function notePresumedNamespace(
  namespace: string,
  { state, storage, record }: { readonly state: ClusterState; readonly storage: Storage; readonly record: CallNotes },
): void {
  if (namespace === '' || !state.presumesNamespaces || storage.find({ group: '', kind: 'Namespace' }, '', namespace) !== undefined) return;
  addNote(record, `assuming namespace ${namespace} exists (no --state given)`);
}
