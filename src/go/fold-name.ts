/** Converts ASCII letters to lower case, and the two other letters that Go folds to ASCII ones. Source: encoding/json foldName. */
export function foldCase(key: string): string {
  return key
    .replaceAll('\u017f', 's')
    .replaceAll('\u212a', 'k')
    .replaceAll(/[A-Z]/g, letter => letter.toLowerCase());
}
