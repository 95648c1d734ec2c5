/** Go's unicode.IsPrint of one character: letters, marks, numbers, punctuation, symbols, and of the spaces the ASCII one. */
export function isPrintable(character: string): boolean {
  const unit = character.charCodeAt(0);
  if (unit < 0x7f) return unit >= 0x20;
  // Behind the question, as making the classes of letters takes longer than all the rest of a small call.
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}
