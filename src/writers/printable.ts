/** Characters that move the cursor, change colors or the order of text; not line breaks and tabs. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Marks of the direction, and characters that nobody sees. */
const invisible = /[\u061c\u200b\u200e\u200f\u2060-\u2065\ufeff]/g;

/** A character that `visible` escapes. */
export const unprintable = new RegExp(`${control.source}|${invisible.source}`);

/**
 * A line that GitHub's runner takes for a command, also after white space, but not the address `::1`: no command begins with a digit; anywhere in a line `##[`,
 * and those of Azure Pipelines and TeamCity, `##vso[` and `##teamcity[`. Source: actions/runner ActionCommand.cs.
 */
const command = /^([ \t]*):(?=:(?!\d))|#(?=#[a-z]*\[)/gm;

/**
 * A text from outside that cannot move the cursor or change colors of a terminal, and cannot be a command to a runner of a pipeline: control characters are escaped, and the
 * first character of a command; line breaks and tabs are kept.
 */
export function printable(text: string): string {
  return visible(text).replace(command, (found, space: string | undefined) => `${space ?? ''}${escaped(found.at(-1) ?? '')}`);
}

/** Returns the same with commands, for output in which no line begins with the text. */
export function visible(text: string): string {
  return withoutControl(text).replace(invisible, escaped);
}

/** The part of `command` that is found anywhere in a line, for formats with escapes of their own. */
export const hashCommand = /#{2}(?=[a-z]*\[)/g;

/** Returns JSON with the same values, without the commands that runners of pipelines find anywhere in a line. */
export function withoutCommands(json: string): string {
  return json.replace(hashCommand, '#\\u0023');
}

/** Escapes only control characters, for formats in which other text is kept as it is. */
export function withoutControl(text: string): string {
  return text.replace(control, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the same without line breaks and tabs. */
export function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n').replaceAll('\t', ' ');
}
