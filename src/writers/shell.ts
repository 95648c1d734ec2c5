import { unprintable } from './printable.js';

/**
 * Returns a command line of words that any POSIX shell takes apart into the same words again. Nothing in it moves the cursor of a terminal or is a command to a runner of a
 * pipeline, so it is printed as it is: people copy commands, and their words are not ours.
 */
export function shellCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** Quotes a word for a POSIX shell where that is needed. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (word === '') return "''";
  return word
    .split(unquotable)
    .map((part, i) => (i % 2 === 0 ? quoted(part) : printed(part)))
    .join('');
}

/** Quotes a text for PowerShell. */
export function powershellText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the path of a file that was found as a word of a command: never as one of its flags. */
export function shellPath(file: string): string {
  return shellWord(pathWord(file));
}

/** Quotes a text for a script, in which line breaks and all other characters stay as they are. */
export function scriptWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the path of a file as an argument that no program takes for a flag. */
export function pathWord(file: string): string {
  return file.startsWith('-') ? `./${file}` : file;
}

/** Returns the words of a flag and its value, which may begin with a dash. */
export function flagWords(flag: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

/** What is not printed as it is; after line breaks with the next character, because the shell removes them at the end of an output. */
const unquotable = new RegExp(`((?:${unprintable.source}|[\\n\\t])+(?:(?<=\\n)[^])?)`, 'u');

function quoted(text: string): string {
  // What a runner finds anywhere in a line is taken apart.
  return text === '' ? '' : scriptWord(text).replace(/#(?=#[a-z]*\[)/g, "#''");
}

/** Returns what prints the text: no other form of these characters means the same in every shell. */
function printed(text: string): string {
  const kept = text.replace(/\n+$/, '');
  const end = text.slice(kept.length);
  const bytes = [...new TextEncoder().encode(kept)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`);
  return `${kept === '' ? '' : `"$(printf '${bytes.join('')}')"`}${end === '' ? '' : `'${end}'`}`;
}
