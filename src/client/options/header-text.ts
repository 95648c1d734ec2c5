/** Reports whether this is a valid header value. */
export function isHeaderText(text: string): boolean {
  return [...text].every(character => character === '\t' || (character >= ' ' && character !== '\u007f'));
}

/** Reports whether this is a valid header name. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}
