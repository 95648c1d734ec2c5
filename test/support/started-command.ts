import { type CommandClass, type CommandOptions, runCommand } from './run-command.js';

/** What a test closes at its end. */
export interface Closing {
  readonly close: () => unknown;
}

/** Starts a command that runs until it is interrupted, and returns the first matches on its output; `opened` gets what ends it. */
export async function startCommand(
  command: CommandClass,
  argv: readonly string[],
  { opened, ...options }: CommandOptions & { readonly opened: Closing[] },
  patterns: readonly RegExp[],
): Promise<string[]> {
  let output = '';
  let interrupt = async (): Promise<void> => {};
  let isFound = false;
  let check = (): void => {};
  const found = new Promise<string[]>(resolve => {
    check = () => {
      const matches = patterns.map(pattern => pattern.exec(output)?.[1]);
      isFound = matches.every(match => match !== undefined);
      if (isFound) resolve(matches as string[]);
    };
  });
  const taking = (also: ((text: string) => void) | undefined) => (text: string) => {
    also?.(text);
    // A server that is up writes megabytes of log.
    if (isFound) return;
    output += text;
    check();
  };
  const onInterrupt = (cleanUp: () => Promise<void>) => {
    interrupt = cleanUp;
    return () => {};
  };
  const result = runCommand(command, argv, {
    ...options,
    onStdout: taking(options.onStdout),
    onStderr: taking(options.onStderr),
    onInterrupt,
  });
  opened.push({ close: () => interrupt().then(() => result) });
  return Promise.race([found, result.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
}

/** Resolves when the page says that there is a newer one. */
export async function nextPage(address: string): Promise<() => Promise<string>> {
  const { body } = await fetch(`${address}events`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  return async () => {
    for (let text = ''; !text.includes('event: page'); text = (await reader?.read())?.value ?? 'event: page');
    await reader?.cancel();
    return (await fetch(address)).text();
  };
}
