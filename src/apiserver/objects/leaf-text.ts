/** The canonical texts of leaves that read themselves. */
export function quantityText(raw: string): string {
  return raw.trim();
}
export function timeText(text: string): string {
  return text;
}
export function microTimeText(text: string): string {
  return text;
}
export function durationText(text: string): string {
  return text;
}
export function sameQuantity(a: string, b: string): boolean {
  return a === b;
}
