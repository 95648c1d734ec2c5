import type { PlaygroundInput, PlaygroundResult } from './model.js';

/** The engine in its worker. */
export interface EngineClient {
  /** Asks for the result of an input. Only the last one is computed if several wait. */
  readonly ask: (input: PlaygroundInput) => void;
}

interface Reply {
  readonly id: number;
  readonly result?: PlaygroundResult;
  readonly error?: string;
}

/** Starts the engine; `onResult` gets the results of inputs that are still the last one. */
export function startEngine(onResult: (result: PlaygroundResult) => void, onError: (message: string) => void): EngineClient {
  const worker = new Worker('engine.js', { type: 'module' });
  let last = 0;
  let isBusy = false;
  let waiting: PlaygroundInput | undefined;
  const send = (input: PlaygroundInput): void => {
    last += 1;
    isBusy = true;
    worker.postMessage({ id: last, input });
  };
  worker.addEventListener('message', ({ data: { result, error } }: MessageEvent<Reply>) => {
    isBusy = false;
    const next = waiting;
    waiting = undefined;
    if (next !== undefined) return send(next);
    if (result !== undefined) onResult(result);
    else onError(error ?? 'the engine failed');
  });
  worker.addEventListener('error', event => onError(event.message));
  return {
    ask(input) {
      if (isBusy) waiting = input;
      else send(input);
    },
  };
}
