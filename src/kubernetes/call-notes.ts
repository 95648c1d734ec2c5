/** Warnings and notes of a call, in the order they occur. */
export interface CallNotes {
  /** Texts of Warning headers, as given. */
  readonly warnings: string[];
  /** Behavior that is not reproduced, and assumptions. */
  readonly notes: string[];
}

/** Adds a note once. */
export function addNote(notes: Pick<CallNotes, 'notes'>, note: string): void {
  if (!notes.notes.includes(note)) notes.notes.push(note);
}
