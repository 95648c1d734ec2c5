/** Quotes a word for a POSIX shell where that is needed: people copy commands, and their words are not ours. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the path of a file that was found as a word of a command: never as one of its flags. */
export function shellPath(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}
