/** Tasks that run one after another, the first one at once. A task must not fail. */
export interface SerialTasks {
  add(task: () => Promise<void>): void;
  isIdle(): boolean;
  /** Drops the tasks that have not started. */
  clear(): void;
}

export function newSerialTasks(): SerialTasks {
  let waiting: (() => Promise<void>)[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    isRunning = false;
  };
  return {
    add: task => {
      waiting.push(task);
      if (!isRunning) void run();
    },
    isIdle: () => !isRunning,
    clear: () => {
      waiting = [];
    },
  };
}
