import type { KnownFlags } from '../../options/known-flags.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** What checks need to know about the program. */
export interface ProgramFacts {
  readonly toolVersion: string;
  /** Homepage of the program, with the name of its repository. */
  readonly homepage: string | undefined;
}

/** Surroundings of the checks of `lsp`, in any thread. */
export type LspSurroundings = Surroundings &
  ProgramFacts & {
    /** Flags of all commands, which `webhook-cli.yaml` may set. */
    readonly listKnownFlags: () => Promise<KnownFlags>;
  };
