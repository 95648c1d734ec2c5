/**
 * Returns the canonical form of a header name: `Content-Type` for `content-TYPE`. Names with invalid characters stay as they are. Source:
 * Go net/textproto CanonicalMIMEHeaderKey.
 */
export function canonicalHeaderName(name: string): string {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase());
}
