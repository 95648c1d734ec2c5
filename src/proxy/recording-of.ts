import { gunzipSync } from 'node:zlib';
import { redacted } from '../redaction/marker.js';
import type { Recording } from '../suites/recording.js';
import { type SeenExchange, statusOfExchange, targetOfReview } from './exchange.js';
import type { HttpMessage } from './http-messages.js';

/** Max bytes of an unpacked body. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/** Returns an exchange as a recording, with its secrets; undefined when a body is missing or too long. */
export function recordingOf({ request, answer, at, durationMs }: SeenExchange): Recording | undefined {
  if (answer === undefined) return undefined;
  const [asked, answered] = [messageText(request), messageText(answer)];
  if (asked === undefined || answered === undefined) return undefined;
  return {
    request: { path: targetOfReview(request), headers: request.headers, body: asked },
    answer: { status: statusOfExchange(answer), headers: answer.headers, body: answered },
    at: at.toISOString(),
    durationMs,
  };
}

/** Bytes that are not text cannot be searched for secrets: they are not recorded. */
function messageText(message: HttpMessage): string | undefined {
  const bytes = unpacked(message);
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !Buffer.from(text).equals(bytes) ? redacted(bytes.toString('latin1')) : text;
}

function unpacked({ headers, body }: HttpMessage): Buffer | undefined {
  const isGzip = headers.some(([name, value]) => name.toLowerCase() === 'content-encoding' && value.toLowerCase() === 'gzip');
  if (!isGzip || body === undefined) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxUnpackedBytes });
  } catch {
    return body;
  }
}
