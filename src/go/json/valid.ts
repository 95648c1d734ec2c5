/** Reports whether a text is JSON. Source: Go encoding/json Valid. */
export function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
