/**
 * Whether Go takes this for a domain name in a certificate: printable ASCII, no empty label, no dot at the end. Empty is
 * allowed; in a constraint one dot may lead. Source: crypto/x509 domainNameValid.
 */
export function isDomainName(name: string, inConstraint = false): boolean {
  if (name === '') return true;
  const labels = (inConstraint && name.startsWith('.') ? name.slice(1) : name).split('.');
  return labels.every(label => /^[!-~]+$/.test(label));
}

/** A mailbox: local part and domain. */
export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** Reads `local@domain` with quotes and escapes as mail allows them; undefined when it is none. Source: crypto/x509 parseRFC2821Mailbox. */
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

/** A mailbox as Go prints it. */
export function formatMailbox({ local, domain }: Mailbox): string {
  return `${local}@${domain}`;
}

/** Letters of ASCII in lower case, everything else as it is: how Go compares host names. */
export function toLowerCaseASCII(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}
