import { hashCommand, withoutControl } from './printable.js';

/** A line that GitHub's runner would take for a command, on stdout; readers decode the reference. */
const command = /^([ \t]*):(?=:)/gm;

/**
 * Escapes a text for an element, or an attribute in double quotes, of XML and HTML; characters that XML 1.0 does not allow, even as references, are spelled out or replaced.
 * Source: XML 1.0, production Char.
 */
export function escapedMarkup(text: string): string {
  return withoutControl(text.replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(command, '$1&#58;')
    .replace(hashCommand, '#&#35;');
}
