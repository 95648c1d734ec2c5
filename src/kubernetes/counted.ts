/** Returns a number with its noun: `1 case`, `2 cases`. */
export function counted(count: number | string, noun: string): string {
  return `${count} ${noun}${String(count) === '1' ? '' : 's'}`;
}
