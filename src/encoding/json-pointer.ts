/** Returns the steps of a JSON pointer: `/metadata/labels/a~1b`. The empty pointer has none. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the JSON pointer with these steps. */
export function pointerTo(steps: readonly (string | number)[]): string {
  return steps.map(step => `/${pointerToken(String(step))}`).join('');
}

/** Escapes a key as a token of a JSON pointer. */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
