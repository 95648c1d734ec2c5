import type { Codec } from './codec.js';
import { isCustomCodec } from './custom-codec.js';

/** Returns a codec with the current time, for the only default that is a time. Custom resources have none. */
export function withClock(codec: Codec, now: () => Date): Codec {
  if (isCustomCodec(codec)) return codec;
  return {
    ...codec,
    applyDefaults: (value, time = now()) => codec.applyDefaults(value, time),
    setDefaults: (value, time = now()) => codec.setDefaults(value, time),
  };
}
