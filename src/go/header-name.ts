/**
 * A header's name as Go keeps it: `content-TYPE` is `Content-Type`. A name with characters that no name may have stays as it is.
 * Source: Go net/textproto CanonicalMIMEHeaderKey.
 */
export function canonicalHeaderName(name: string): string {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase());
}
