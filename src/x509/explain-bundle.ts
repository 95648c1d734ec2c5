import { parseCertificate } from './certificate.js';
import { readPem } from './pem.js';

/** Describes a text that is not a usable bundle; undefined if it looks like nothing known. */
export function explainBundle(text: string): string | undefined {
  const blocks = readPem(text).blocks.map(block => block.type);
  if (text.charCodeAt(0) === 0xfeff) return 'it starts with a byte order mark: save it without one';
  if (blocks.some(type => type.endsWith('PRIVATE KEY')))
    return 'it contains a private key and no certificate: use the certificate, and create a new key';
  if (blocks.includes('TRUSTED CERTIFICATE')) return 'it is an OpenSSL TRUSTED CERTIFICATE: convert it with openssl x509';
  if (blocks.length > 0) return undefined;
  return explainOther(text);
}

function explainOther(text: string): string | undefined {
  if (text.trim() === '') return 'it contains only white space';
  const decoded = /^[A-Za-z0-9+/=\s]+$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (decoded?.includes('-----BEGIN') === true) return 'it is encoded in base64 twice: encode it once';
  if (decoded !== undefined && typeof parseCertificate(decoded) !== 'string') return 'it is DER in base64: a caBundle is PEM in base64';
  if (text.startsWith('0\u0082') || text.startsWith('0\uFFFD')) return 'it is DER: convert it to PEM with openssl x509 -inform der';
  if (/\\n/.test(text)) return 'it contains \\n as two characters: use real line breaks';
  if (/-----BEGIN [^\n]*-----[^\n]*\S[^\n]*-----END/.test(text)) return 'the PEM text is on one line: restore its line breaks';
  if (/^[ \t]+-----(?:BEGIN|END)/m.test(text)) return 'the PEM lines are indented: they must start at the first column';
  if (text.includes('-----BEGIN') && !text.includes('-----END')) return 'the PEM text is truncated';
  if (/^[\x20-\x7e\s]{1,60}$/.test(text) && !/^[A-Za-z0-9+/=]*$/.test(text.trim()))
    return `it is the text ${JSON.stringify(text.trim())}, a placeholder`;
  return undefined;
}
