import type { Codec } from './codec.js';
import { isCustomCodec } from './custom/custom-codec.js';

/** A codec that knows the time, for the one default that is a time. Custom resources have none. */
export function withClock(codec: Codec, now: () => Date): Codec {
  if (isCustomCodec(codec)) return codec;
  return {
    ...codec,
    applyDefaults: value => codec.applyDefaults(value, now()),
    setDefaults: value => codec.setDefaults(value, now()),
  };
}
