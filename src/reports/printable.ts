/** A text that cannot move the cursor or change colors of a terminal: control characters are escaped; line breaks and tabs are kept. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the same without line breaks and tabs. */
export function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n').replaceAll('\t', ' ');
}
