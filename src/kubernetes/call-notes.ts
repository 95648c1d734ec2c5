/** What a call tells its client and its reader besides the answer. Written in the order things happen. */
export interface CallNotes {
  /** Texts of Warning headers, as given. */
  readonly warnings: string[];
  /** What is not reproduced, and what was presumed. */
  readonly notes: string[];
}

/** Adds a note once. */
export function addNote(notes: Pick<CallNotes, 'notes'>, note: string): void {
  if (!notes.notes.includes(note)) notes.notes.push(note);
}
