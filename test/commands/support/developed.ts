import Dev from '../../../commands/dev.js';
import { type CommandResult, runCommand } from '../../support/run-command.js';

/** Keys that are pressed when the program has come so far. */
function keyboard() {
  const pressed: string[] = [];
  let wake = (): void => {};
  const keys = async function* (): AsyncGenerator<string> {
    for (;;) {
      while (pressed.length > 0) yield pressed.shift() ?? '';
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
  };
  return {
    keys: keys(),
    press: (key: string): void => {
      pressed.push(key);
      wake();
    },
  };
}

/** Runs `dev`; after each round or list that is printed, the next step is taken, and the last one ends it. */
export async function developed(
  folder: string,
  argv: readonly string[],
  steps: readonly ((press: (key: string) => void) => void)[],
): Promise<CommandResult> {
  const { keys, press } = keyboard();
  const left = [...steps];
  return runCommand(Dev, argv, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    keys,
    onStdout: () => setTimeout(() => (left.length > 0 ? left.shift()?.(press) : press('q')), 100),
  });
}

/** Returns the lines that are printed, without times, and without the start of kubectl's messages. */
export const plainRounds = (text: string): string[] =>
  text
    .replace(/^\d\d:\d\d:\d\d /gm, '')
    .replace(/ \(\d+ ms\)$/gm, '')
    .replace(/Error from server: error when creating "pod.yaml": admission webhook "guard.example.com" denied the request: /g, 'denied: ')
    .trimEnd()
    .split('\n');
