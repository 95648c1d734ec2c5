const members = ['.', ...['lastTransitionTime', 'message', 'reason', 'status', 'type'].map(name => `f:${name}`)];

/** Returns the managed fields of one condition, by its key in the list of conditions. */
export function conditionFields(type: string): Readonly<Record<string, object>> {
  return { [`k:${JSON.stringify({ type })}`]: Object.fromEntries(members.map(member => [member, {}])) };
}
