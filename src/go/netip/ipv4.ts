import { addressError } from './error.js';

/** Parses four numbers up to 255 with dots between them; `whole` is the text in errors. Throws NetipError. */
export function parseIPv4(text: string, whole: string): readonly number[] {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] ?? '';
    if (c >= '0' && c <= '9') {
      if (digits === 1 && value === 0) throw addressError(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(c);
      digits += 1;
      if (value > 255) throw addressError(whole, 'IPv4 field has value >255');
    } else if (c === '.') {
      if (digits === 0 || i === text.length - 1) throw addressError(whole, 'IPv4 field must have at least one digit', text.slice(i));
      if (fields.length === 3) throw addressError(whole, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else throw addressError(whole, 'unexpected character', text.slice(i));
  }
  if (fields.length < 3) throw addressError(whole, 'IPv4 address too short');
  return [...fields, value];
}
