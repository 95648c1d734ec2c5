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
export function addQuantities(a: string, _b: string): string {
  return a;
}
export function compareQuantities(_a: string, _b: string): number {
  return 0;
}
export function roundUpToMilli(a: string): string {
  return a;
}
