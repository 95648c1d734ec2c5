/** Returns a time as metadata holds it: UTC, whole seconds. */
export function timestampOf(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`;
}
