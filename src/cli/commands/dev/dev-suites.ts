import { CliError } from '../../../client/cli-error.js';
import type { ManifestPaths } from '../../../client/options/call-options.js';
import { readSuite } from '../../../suites/reading/suite-file.js';
import type { Suite } from '../../../suites/suite.js';
import type { SuiteFlags } from '../../options/test-flags.js';
import { refuseUntrustedSuites } from '../../options/trust/found-suites.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readState } from '../../work/input/state.js';
import { loadSuites } from '../../work/suites/load-suites.js';
import { defaultsOf } from '../../work/suites/open-suite.js';
import { withSuiteErrors } from '../../work/suites/suite-error.js';
import { configuredServices } from '../../work/webhooks/configured-services.js';

/** Flags of `dev`. */
export type DevFlags = SuiteFlags &
  ManifestPaths & {
    readonly exec?: string | undefined;
    /** Shows the calls in the browser. */
    readonly open?: boolean | undefined;
    readonly noColor?: boolean | undefined;
  };

export interface DevCommand {
  /** Path of the suites. */
  readonly suite: string | undefined;
  /** Returns the version of this program. */
  readonly toolVersion: () => string;
  readonly flags: DevFlags;
  /** The flags on the command line. */
  readonly given: ReadonlySet<string>;
}

/** Loads the suites of the command: those of its path, or one of `--exec` and `-f`. `refuse` throws for suites without consent. Throws CliError. */
export async function loadDevSuites(
  { suite, flags }: DevCommand,
  surroundings: Surroundings,
  refuse = refuseUntrustedSuites,
): Promise<readonly Suite[]> {
  const { exec, filename } = flags;
  if (exec === undefined && filename === undefined) {
    const suites = await loadSuites([suite ?? '.'], surroundings);
    if (suite === undefined) await refuse(suites, surroundings, flags);
    return suites;
  }
  if (suite !== undefined) {
    throw new CliError('usage', 'a suite has its own command and manifests: it excludes --exec and -f');
  }
  if (filename === undefined) throw new CliError('usage', 'no calls to make', { suggestions: ['pass manifests with -f'] });
  if (filename.includes('-')) throw new CliError('usage', '-f - cannot be watched', { suggestions: ['pass a file or a folder'] });
  const text = suiteText({ flags, filename, services: flags.state === undefined ? [] : await readServices(flags, surroundings) });
  return [withSuiteErrors(() => readSuite(Buffer.from(text), { file: 'webhook-cli-dev', whole: false }))];
}

/** Start timeout for a process that is compiled first. */
const readyTimeout = '10m';

/** Returns the services of the webhook configurations in the state. Throws CliError. */
async function readServices(flags: DevFlags, surroundings: Surroundings): Promise<string[]> {
  const { objects } = await readState({ ...defaultsOf(flags), url: flags.url, demo: flags.demo }, surroundings);
  return configuredServices(objects);
}

interface Described {
  readonly flags: DevFlags;
  readonly filename: readonly string[];
  /** Services of the state. */
  readonly services: readonly string[];
}

/** The text of a suite file: it supports the syntax of commands and URLs. */
function suiteText(described: Described): string {
  const { flags, filename } = described;
  const { exec, recursive } = flags;
  return JSON.stringify({
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'Suite',
    name: 'dev',
    ...(exec === undefined ? {} : { exec: { command: exec, ready: { timeout: readyTimeout } }, ...addressOf(described) }),
    cases: [{ name: 'call', filename, recursive: recursive ?? false }],
  });
}

/** Unless the flags say otherwise, the process has one port for everything. */
function addressOf({ flags: { url, service }, services }: Described): object {
  const own = `https://127.0.0.1:\${PORT}`;
  if (url !== undefined) return { url };
  if (service !== undefined) return { services: Object.fromEntries(service.map(({ text, url }) => [text.slice(0, -url.length - 1), url])) };
  return services.length === 0 ? { url: `${own}/` } : { services: Object.fromEntries(services.map(name => [name, own])) };
}

/** Flags that the suite of `--exec` sets itself: on the command line they would name a webhook that runs elsewhere. */
export function givenBesides({ flags, given }: DevCommand): ReadonlySet<string> {
  return flags.exec === undefined ? given : new Set([...given].filter(name => name !== 'url' && name !== 'service'));
}
