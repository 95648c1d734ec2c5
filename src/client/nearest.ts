/** Returns the most similar known word: at most a third of the letters of the shorter word differ. Undefined when there is none. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  const letters = lettersOf(word);
  for (const candidate of known) {
    const others = lettersOf(candidate);
    const distance = others.startsWith(letters) && letters.length > 2 ? 1 : editDistance(letters, others);
    if (distance < bestDistance && distance <= Math.floor(Math.min(letters.length, others.length) / 3)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The dashes of flags are always right: counting them would make short flags similar to each other. */
function lettersOf(word: string): string {
  return word.replace(/^-+/, '');
}

/** Returns the number of letters to insert, delete, replace or swap with a neighbor. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : a.length + b.length;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
