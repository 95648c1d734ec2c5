import type { CommandResult } from '../../support/run-command.js';

/** What a reader did with an input. */
export type Outcome = Pick<CommandResult, 'stdout' | 'stderr' | 'exitCode'>;

/** Something of this program that reads bytes from outside. */
export interface Reader {
  readonly name: string;
  /** Files below the root of this repository in which bytes are read. */
  readonly sources: readonly string[];
  /** Inputs that are valid, which are changed at random; files of this repository by default. */
  readonly samples?: readonly Buffer[];
  /** Reads an input in a folder that has `pod.yaml`. Throws only for bugs. */
  readonly read: (input: Buffer, folder: string) => Promise<Outcome>;
  readonly close?: () => Promise<void>;
}
