/** Returns an object with its members sorted by name. */
export function sortedMembers(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
