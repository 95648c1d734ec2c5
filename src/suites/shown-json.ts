const maxShown = 120;
/** Number of characters shown before the first difference of two long texts. */
const shownBefore = 20;

/** Returns the JSON of a value for a message: `nothing` without one, a long one from the first difference to another on. */
export function shownJson(json: string | undefined, other: string | undefined): string {
  if (json === undefined) return 'nothing';
  if (json.length <= maxShown) return json;
  const same = [...json].findIndex((character, i) => character !== other?.[i]);
  const from = Math.max(same - shownBefore, 0);
  const end = json.length > from + maxShown ? '...' : '';
  return `${from > 0 ? '...' : ''}${json.slice(from, from + maxShown)}${end}`;
}
