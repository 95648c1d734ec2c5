/**
 * Returns whether Go accepts a domain name in a certificate: printable ASCII, no empty label, no trailing dot. Empty is allowed; in a
 * constraint there may be one leading dot. Source: crypto/x509 domainNameValid.
 */
export function isDomainName(name: string, inConstraint = false): boolean {
  if (name === '') return true;
  const labels = (inConstraint && name.startsWith('.') ? name.slice(1) : name).split('.');
  return labels.every(label => /^[!-~]+$/.test(label));
}

/** Mailbox: local part and domain. */
export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** Parses `local@domain` with quotes and escapes; undefined if invalid. Source: crypto/x509 parseRFC2821Mailbox. */
export function parseMailbox(text: string): Mailbox | undefined {
  const quoted = /^"((?:[\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*)"@/.exec(text);
  const plain = /^((?:\\[\s\S]|[0-9A-Za-z!#$%&'*+\-/=?^_`{|}~.])+)@/.exec(text);
  const match = text.startsWith('"') ? quoted : plain;
  if (match === null) return undefined;
  const local = (match[1] ?? '').replace(/\\([\s\S])/g, '$1');
  if (match === plain && (local.startsWith('.') || local.endsWith('.') || local.includes('..'))) return undefined;
  const domain = text.slice(match[0].length);
  return isDomainName(domain) ? { local, domain } : undefined;
}

/** Formats a mailbox as Go prints it. */
export function formatMailbox({ local, domain }: Mailbox): string {
  return `${local}@${domain}`;
}

/** Converts ASCII letters to lower case, as Go does to compare host names. */
export function toLowerCaseASCII(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}
