import type { Stage } from './cause.js';

/** Stage at which a call failed, with its error. */
export interface FailedStage {
  /** Undefined when the API server refuses to make the call. */
  readonly stage: Stage | undefined;
  /** Error without the API server's prefix. */
  readonly message: string;
}

/** Returns the message after `failed calling webhook "NAME": `. At the stage `request`, `message` lacks the request line of Go's client. */
export function reasonOf({ stage, message }: FailedStage): string {
  return stage === undefined ? message : prefixes[stage] + message;
}

const prefixes: Readonly<Record<Stage, string>> = {
  client: 'could not get REST client: ',
  request: 'failed to call webhook: ',
  answer: 'failed to call webhook: ',
  review: 'received invalid webhook response: ',
  patch: 'received undecodable patch in webhook response: ',
  apply: 'Internal error occurred: ',
};
