import { editorNames, type PlaygroundInput } from './model.js';

/** Of the input: a short address can contain gigabytes of compressed text. */
const maxBytes = 4 * 1024 * 1024;

/** Returns the fragment that contains the input, compressed. */
export async function fragmentFor(input: PlaygroundInput): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(input)), new CompressionStream('deflate-raw'));
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `#${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Returns the input in a fragment, completed with `otherwise`; undefined if there is none, or one of more than 4 MiB. */
export async function inputIn(fragment: string, otherwise: PlaygroundInput): Promise<PlaygroundInput | undefined> {
  if (fragment.length < 2) return undefined;
  try {
    const text = atob(fragment.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await through(
      Uint8Array.from(text, unit => unit.charCodeAt(0)),
      new DecompressionStream('deflate-raw'),
    );
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof read !== 'object' || read === null) return undefined;
    const names = [...editorNames, 'version', 'operation', 'user'] as const;
    const given = Object.entries(read).filter(([name, value]) => names.some(known => known === name) && typeof value === 'string');
    return { ...otherwise, ...Object.fromEntries(given) };
  } catch {
    return undefined;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new RangeError(`more than ${maxBytes} bytes`);
    }
    chunks.push(new Uint8Array(value));
  }
}
