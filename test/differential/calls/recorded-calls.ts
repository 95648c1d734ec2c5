import type { Json, SceneRequest } from './scene.js';

/** Calls of a real API server with the same flags. */
export interface RecordedCalls {
  /** When the recording started, in milliseconds: later times are volatile. */
  readonly started: number;
  readonly flags: readonly string[];
  readonly calls: readonly RecordedCall[];
}

export interface RecordedCall {
  /** Objects that existed before the call. */
  readonly objects: readonly Json[];
  readonly call: SceneRequest;
  /** Status, warnings and body as text, without volatile values. */
  readonly expected: string;
}
