// Globals of Node that the engine uses; esbuild puts them where they are named.
import { Buffer as BrowserBuffer } from 'buffer/index.js';

export const Buffer = withBase64Url(BrowserBuffer);

/** The part of Node's process that the engine uses. */
export const process = {
  env: {},
  platform: 'browser',
  version: 'v20.19.0',
  hrtime: (): [number, number] => {
    const ms = performance.now();
    return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
  },
};

export const setImmediate = (act: () => void): number => Number(setTimeout(act, 0));

/** Adds the encoding that the library lacks. */
function withBase64Url(buffer: typeof BrowserBuffer): typeof BrowserBuffer {
  const from = buffer.from.bind(buffer);
  const toText = buffer.prototype.toString;
  buffer.from = ((value: string, encoding: string, ...rest: number[]) =>
    encoding === 'base64url'
      ? from(value.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
      : Reflect.apply(from, undefined, [value, encoding, ...rest])) as typeof buffer.from;
  buffer.prototype.toString = function (encoding?: string, ...rest: number[]): string {
    if (encoding !== 'base64url') return Reflect.apply(toText, this, [encoding, ...rest]);
    return toText.call(this, 'base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };
  return buffer;
}
