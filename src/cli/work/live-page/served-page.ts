import type { Surroundings } from '../../shell/surroundings.js';

/** Calls of a run that a page can edit, and calls that it can add. */
export const maxEditable = 500;

/** Reports whether the page of `--open` is served and its calls can be edited: where nobody is at a terminal, it is a file. */
export function isServedPage(
  { open }: { readonly open?: boolean | undefined },
  { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>,
): boolean {
  return open === true && stderr.isTerminal && (env['CI'] ?? '') === '';
}
