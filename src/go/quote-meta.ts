/** Returns a regular expression that matches the text itself. Source: regexp.QuoteMeta. */
export function quoteMeta(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
