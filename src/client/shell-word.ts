/** Quotes a word for a POSIX shell where that is needed: people copy commands, and their words are not ours. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
