import { type Config, Help } from '@oclif/core';
import type { Surroundings } from './surroundings.js';

/** Prints oclif's help to our streams. */
export class PrintedHelp extends Help {
  private readonly surroundings: Surroundings;

  constructor(config: Config, surroundings: Surroundings) {
    super(config, { stripAnsi: true });
    this.surroundings = surroundings;
  }

  protected override log(...words: string[]): void {
    this.surroundings.stdout.write(`${words.join(' ')}\n`);
  }
}
