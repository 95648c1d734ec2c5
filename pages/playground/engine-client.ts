import type { PlaygroundInput, PlaygroundResult } from './model.js';

/** The engine in its worker. */
export interface EngineClient {
  /** Asks for the result of an input. Only the last one is computed if several wait. */
  readonly ask: (input: PlaygroundInput) => void;
}

interface Reply {
  readonly result?: PlaygroundResult;
  readonly error?: string;
}

/** Starts the engine; `onResult` gets the results of inputs that are still the last one, and the time since they were asked for, in milliseconds. */
export function startEngine(
  onResult: (result: PlaygroundResult, waitedMs: number) => void,
  onError: (message: string) => void,
): EngineClient {
  const worker = new Worker('engine.js', { type: 'module' });
  let isBusy = false;
  let askedAt = 0;
  let waiting: PlaygroundInput | undefined;
  const send = (input: PlaygroundInput): void => {
    isBusy = true;
    worker.postMessage(input);
  };
  worker.addEventListener('message', ({ data: { result, error } }: MessageEvent<Reply>) => {
    isBusy = false;
    const next = waiting;
    waiting = undefined;
    if (next !== undefined) return send(next);
    if (result !== undefined) onResult(result, performance.now() - askedAt);
    else onError(error ?? 'the engine failed');
  });
  worker.addEventListener('error', event => onError(event.message));
  return {
    ask(input) {
      askedAt = performance.now();
      if (isBusy) waiting = input;
      else send(input);
    },
  };
}
