import { setTimeout as sleep } from 'node:timers/promises';
import { statusText } from '../../go/status-text.js';
import { type Placeholders, scriptBodyBytes } from './body.js';
import type { Channel } from './channel.js';
import type { Ending, HttpScript, RawScript } from './script.js';

/** Connection of an answer, its placeholder values, and the signal that ends delays. */
export interface Sending {
  readonly channel: Pick<Channel, 'write'>;
  readonly placeholders: Placeholders;
  readonly closed: AbortSignal;
}

/** Sends one answer and returns how the connection continues. Rejects when the connection or the endpoint is closed. */
export async function send(script: HttpScript | RawScript, { channel, placeholders, closed }: Sending): Promise<Ending> {
  const wait = (ms: number | undefined) => (ms === undefined || ms === 0 ? undefined : sleep(ms, undefined, { signal: closed }));
  await wait(script.delayMs);
  if (script.kind === 'raw') {
    await channel.write(scriptBodyBytes(script.bytes, placeholders));
    return script.ending ?? 'close';
  }
  const body = scriptBodyBytes(script.body, placeholders);
  const head = headOf(script, body.length);
  if (script.dripMs === undefined) await channel.write(head);
  else {
    for (const byte of head) {
      await channel.write(Buffer.from([byte]));
      await wait(script.dripMs);
    }
  }
  const sent = script.chunked === true ? chunked(body) : body;
  const half = script.bodyDelayMs === undefined ? 0 : Math.floor(sent.length / 2);
  if (script.bodyDelayMs !== undefined) {
    await channel.write(sent.subarray(0, half));
    await wait(script.bodyDelayMs);
  }
  await channel.write(sent.subarray(half));
  return script.ending ?? 'keep';
}

function headOf(script: HttpScript, length: number): Buffer {
  const { status = 200, version = '1.1' } = script;
  const reason = script.reason ?? (statusText(status) || 'Status');
  const lines = [`HTTP/${version} ${status} ${reason}`.trimEnd()];
  for (const [name, value] of Object.entries(script.headers ?? {})) {
    for (const one of typeof value === 'string' ? [value] : value) lines.push(`${name}: ${one}`);
  }
  if (script.chunked === true) lines.push('Transfer-Encoding: chunked');
  else if (script.noLength !== true) lines.push(`Content-Length: ${script.contentLength ?? length}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

const chunkBytes = 1024 * 1024;

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
