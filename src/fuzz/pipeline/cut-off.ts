/** Thrown for a call that the end of the search cut off: nothing is known about it. */
export class CutOff extends Error {}

/** Handles a rejection: returns nothing for a call that was cut off, and throws other errors. */
export function unlessCutOff(error: unknown): undefined {
  if (!(error instanceof CutOff)) throw error;
}
