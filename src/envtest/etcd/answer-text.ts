import type { IncomingMessage } from 'node:http';

/** Returns the body of a response. Rejects for one that is longer than `maxBytes`, whose connection it closes, or that is cut off. */
export async function answerText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
