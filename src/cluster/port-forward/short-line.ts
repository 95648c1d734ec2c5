/** Max characters of a message from outside within one of ours. */
const maxMessageLength = 1000;

/** Returns a message from outside as a part of one of ours. */
export function shortLine(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}...` : line;
}
