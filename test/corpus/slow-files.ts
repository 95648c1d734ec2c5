/** Files of expressions that are evaluated until they exceed the cost limit. They have test files of their own, as all slow files, to run in parallel. */
export function areAtLimits(file: string): boolean {
  return file === 'cost' || file === 'limits';
}

/** Files of decisions that wait for deadlines. */
export function areAtDeadlines(file: string): boolean {
  return file === 'timeouts' || file === 'connections';
}
