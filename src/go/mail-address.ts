const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}]+";
const quotedText = '"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\\x20-\\x7e\\t\\u0080-\\u{10ffff}])*"';
const localPart = `(?:${atom}(?:\\.${atom})*|${quotedText})`;
const domain = `(?:${atom}(?:\\.${atom})*|\\[[\\x21-\\x5a\\x5e-\\x7e]+\\])`;
const space = '[ \\t]*';
const comment = '(?:\\((?:[^()\\\\]|\\\\.)*\\))?';
const address = `${localPart}@${domain}`;
const word = `(?:${atom}(?:\\.${atom})*\\.?|${quotedText})`;
const phrase = `${word}(?:[ \\t]+${word}|${quotedText})*`;

const whole = new RegExp(
  `^${space}(?:${address}${space}${comment}${space}|(?:${phrase})?${space}<${space}${address}${space}>${space}${comment}${space})$`,
  'u',
);

/** Is this one e-mail address, with or without a name before it? Source: Go net/mail.ParseAddress. */
export function isEmailAddress(text: string): boolean {
  return whole.test(text);
}
