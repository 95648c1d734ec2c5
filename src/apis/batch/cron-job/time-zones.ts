/** Reports whether Go knows a time zone of this name. Source: time.LoadLocation. */
export function isLocation(name: string): boolean {
  if (name === 'UTC' || name === 'Local') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && /[A-Z]/.test(name) && !/^[+-]/.test(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
