import type { CallContext } from '../call/call-context.js';

/** What reading and writing of stored objects need of a call; of `admission`, the conversion between versions. */
export type StoreContext = Pick<
  CallContext,
  'server' | 'state' | 'storage' | 'endpoint' | 'info' | 'codec' | 'definition' | 'custom' | 'effects' | 'admission'
>;
