import type { StorageCall } from '../call/call-context.js';

/** What reading and writing of stored objects need of a call. */
export type StoreContext = StorageCall;
