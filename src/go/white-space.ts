/** Removes white space (by Go's unicode.IsSpace) at both ends. Source: Go strings.TrimSpace. */
export function trimSpace(text: string): string {
  return trimLeftSpace(text).replace(trailing, '');
}

/** Removes white space at the start. */
export function trimLeftSpace(text: string): string {
  return text.replace(leading, '');
}

const leading = /^[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const trailing =
  /(?<![\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;
