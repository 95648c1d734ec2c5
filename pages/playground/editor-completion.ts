import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { Suggestion, Suggestions } from '../../src/language-server/completion/suggestion.js';

/** Returns what may be written at an offset of the editor's text. */
export type Suggest = (offset: number) => Promise<Suggestions | undefined>;

/** Returns an extension that offers what may be written: while a word is typed and after the characters that start one, or when it is asked for (Ctrl+Space). */
export function completionExtension(suggest: Suggest): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (!context.explicit && context.matchBefore(startsCompletion) === null) return null;
    const found = await suggest(context.pos);
    if (found === undefined || context.aborted) return null;
    return { from: found.start, to: found.end, options: found.items.map(optionOf), validFor: /^[\w"'-]*$/ };
  };
  return autocompletion({ override: [source], icons: false });
}

/** A word, the dot of a member, the brace of a constructor, and the space after a key, a dash or an operator. */
const startsCompletion = /[\w.$/"'{]$|[:,(&|=!<>+?{[-] +$|^\s*- $/;

/** Rank of the last suggestion that keeps its order; CodeMirror's boost is between -99 and 99. */
const lastRank = 198;

function optionOf({ label, kind, detail, documentation, text, rank }: Suggestion): Completion {
  return {
    label,
    apply: text,
    detail,
    type: kind,
    boost: 99 - Math.min(rank, lastRank),
    // A text, not HTML: definitions are data.
    ...(documentation === undefined ? {} : { info: documentation }),
  };
}
