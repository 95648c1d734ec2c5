import path from 'node:path';
import type { CliError } from '../../../client/cli-error.js';
import { trust } from '../../options/trust/consent.js';
import { type RiskySuite, refuseSuites, type refuseUntrustedSuites, untrustedSuites } from '../../options/trust/found-suites.js';
import { printError } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** Consents to suites that change while the keys of the terminal are read already: one of the keys gives them. */
export interface LaterConsents {
  /** Throws CliError for suites without consent, and remembers them. */
  readonly refuse: typeof refuseUntrustedSuites;
  /** Prints an error, and the key if it is about a missing consent. */
  readonly report: (error: CliError) => void;
  /** Records the consents, and returns the files of the suites. */
  readonly give: () => readonly string[];
}

export function laterConsents(surroundings: Surroundings): LaterConsents {
  const { cwd, env, stdin, stderr } = surroundings;
  let untrusted: readonly RiskySuite[] = [];
  return {
    refuse: async (suites, _, options) => {
      untrusted = untrustedSuites(suites, surroundings, options);
      refuseSuites(untrusted, env);
    },
    report: error => {
      printError(error, false, surroundings);
      if (untrusted.length > 0 && stdin.isTerminal) stderr.write('t: trust it and go on\n');
    },
    give: () => {
      for (const { subject, parts } of untrusted) trust(subject, env, parts);
      const files = untrusted.map(({ suite }) => path.resolve(cwd, suite.file));
      untrusted = [];
      return files;
    },
  };
}
