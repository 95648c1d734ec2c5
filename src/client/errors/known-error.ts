import type { WebhookFault } from '../../apiserver/admission/webhook-report.js';
import { ownMember } from '../../go/own-members.js';

/** Component at fault; null if the text alone does not show it. */
export type ErrorFault = WebhookFault | 'permissions' | 'cluster' | null;

/** Error of the API server or of its clients, when no call to a webhook failed. */
export interface KnownError {
  readonly id: string;
  readonly fault: ErrorFault;
  /** From the start of the error. */
  readonly text: RegExp;
  readonly why: string;
  readonly try: string;
  /** Command that shows the same error or its cause, with placeholders; absent if a review reproduces it. */
  readonly command?: readonly string[];
  /** What the manifest of the call tells about the fault. */
  readonly dependsOn?: 'containers' | 'resources' | 'field';
  /** Matches any error of its kind: what is more specific elsewhere in the text is preferred. */
  readonly isGeneral?: true;
}

/** A known error in a text, with its sentences filled in. */
export interface MatchedError extends Omit<KnownError, 'text'> {
  readonly groups: Readonly<Record<string, string>>;
}

/** Returns the first error of a table that a text starts with; undefined if there is none. */
export function matchError(table: readonly KnownError[], text: string): MatchedError | undefined {
  for (const { text: pattern, ...known } of table) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const groups = Object.fromEntries(Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined));
    const command = known.command?.flatMap(word => fillWord(word, groups));
    return { ...known, groups, why: fill(known.why, groups), try: fill(known.try, groups), ...(command === undefined ? {} : { command }) };
  }
  return undefined;
}

function fill(text: string, groups: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => ownMember(groups, name) ?? '');
}

/** Leaves a word out whose group is absent. */
function fillWord(word: string, groups: Readonly<Record<string, string>>): string[] {
  const missing = /\{(\w+)\}/.exec(word)?.[1];
  return missing !== undefined && ownMember(groups, missing) === undefined ? [] : [fill(word, groups)];
}
