import { type Config, Help } from '@oclif/core';
import type { Surroundings } from './surroundings.js';

const maxColumns = 100;

/** Prints oclif's help to our streams. */
export class PrintedHelp extends Help {
  private readonly surroundings: Surroundings;

  constructor(config: Config, surroundings: Surroundings) {
    super(config, { stripAnsi: true });
    // On wide terminals, oclif leaves a wide gap between flags and descriptions.
    this.opts.maxWidth = Math.min(this.opts.maxWidth, maxColumns);
    this.surroundings = surroundings;
  }

  protected override log(...parts: string[]): void {
    this.surroundings.stdout.write(`${withGroupTitles(parts.join(' '))}\n`);
  }
}

/** Writes the titles of groups of flags as sentences: `CALL FLAGS` is `Call flags`. */
function withGroupTitles(help: string): string {
  return help.replace(/^([A-Z][^a-z\n]*(?: WITH --\w+)?) FLAGS$/gm, (_, title: string) => {
    const [first = '', ...rest] = title.toLowerCase().split(', ');
    const message = `${first.charAt(0).toUpperCase()}${first.slice(1)} flags`;
    return [message, ...rest].join(', ');
  });
}
