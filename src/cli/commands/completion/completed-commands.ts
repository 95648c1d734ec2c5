import type { Command } from '@oclif/core';
import { completedFlagValues, type Values } from './flag-values.js';

/** A command as shells complete it. */
export interface CompletedCommand {
  /** `certs create` */
  readonly name: string;
  readonly summary: string;
  /** Description of the topic that it belongs to, such as `certs`; empty without one. */
  readonly topic: string;
  readonly flags: readonly CompletedFlag[];
  /** Values of its arguments. */
  readonly argument: Values;
}

export interface CompletedFlag {
  /** `--output` */
  readonly name: string;
  /** `-o` */
  readonly short: string | undefined;
  readonly description: string;
  /** Undefined if it takes none. */
  readonly values: Values | undefined;
}

/** Returns what shells complete of the commands in oclif's list, sorted by name; `topics` are the descriptions of topics by name. */
export function completedCommands(commands: readonly Command.Loadable[], topics: ReadonlyMap<string, string>): CompletedCommand[] {
  return commands
    .filter(({ hidden }) => !hidden)
    .map(command => ({
      name: command.id.replaceAll(':', ' '),
      summary: command.summary ?? '',
      topic: topics.get(command.id.split(':').slice(0, -1).join(':')) ?? '',
      flags: Object.values(command.flags)
        .filter(({ hidden }) => hidden !== true)
        .map(flag => completedFlag(command.id, flag)),
      argument: argumentValues(command),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function completedFlag(command: string, flag: Command.Flag.Cached): CompletedFlag {
  return {
    name: `--${flag.name}`,
    short: flag.char === undefined ? undefined : `-${flag.char}`,
    description: flag.description ?? '',
    values: flag.type === 'boolean' ? undefined : completedFlagValues(command, flag),
  };
}

/** Arguments without a list of words are paths. */
function argumentValues({ args }: Command.Loadable): Values {
  const [first] = Object.values(args);
  if (first === undefined) return { from: 'nothing' };
  return first.options === undefined ? { from: 'files' } : { from: 'words', choices: first.options };
}

/** Returns the words that may follow a part of a command, with their descriptions: `certs` is followed by `create`. */
export function followingWords(commands: readonly CompletedCommand[]): ReadonlyMap<string, readonly FollowingWord[]> {
  const following = new Map<string, FollowingWord[]>();
  for (const { name, summary, topic } of commands) {
    const words = name.split(' ');
    words.forEach((word, i) => {
      const before = words.slice(0, i).join(' ');
      const known = following.get(before) ?? [];
      const isCommand = i === words.length - 1;
      if (!known.some(each => each.word === word)) known.push({ word, description: isCommand ? summary : topic });
      following.set(before, known);
    });
  }
  return following;
}

export interface FollowingWord {
  readonly word: string;
  readonly description: string;
}
