import type { ValueMap } from '../../go/value.js';
import type { Codec } from './codec.js';

/** Object in one version, with the codec of that version. */
export interface ApiObject {
  readonly codec: Codec;
  readonly value: ValueMap;
}
