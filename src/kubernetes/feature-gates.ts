import { perMinor, perServer, selectedServer } from './kubernetes-version.js';
import { readSection } from './table-file.js';

/** Reports whether a feature gate is enabled in the selected API server. Gates that the minor does not have are disabled. */
export function isEnabled(gate: string): boolean {
  const known = states();
  const state = known.get(gate);
  if (state !== undefined) return state;
  const decided = decide(gate);
  known.set(gate, decided);
  return decided;
}

/** By gate; filled on demand. */
const states = perServer(() => new Map<string, boolean>());

const table = perMinor(() => readSection('gates.json', 'gates'));

/** Default of the gate, and its stage. */
type GateRow = readonly [boolean, 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED'];

/** The gate's own setting overrides `AllAlpha` and `AllBeta`, which override the default. Source: component-base featuregate. */
function decide(gate: string): boolean {
  const row = table().find(gate) as GateRow | undefined;
  if (row === undefined) return false;
  const settings = settingsOf(selectedServer().featureGates);
  const [byDefault, stage] = row;
  const all = stage === 'ALPHA' ? 'AllAlpha' : stage === 'BETA' ? 'AllBeta' : undefined;
  return settings.get(gate) ?? (all === undefined ? undefined : settings.get(all)) ?? byDefault;
}

function settingsOf(featureGates: string): ReadonlyMap<string, boolean> {
  const settings = featureGates.split(',').filter(setting => setting !== '');
  return new Map(settings.map(setting => [setting.split('=')[0] ?? '', /=(?:true|t|1)$/i.test(setting)]));
}

const prefix = '--feature-gates=';

/** Returns the gates in the command line of an API server, `--feature-gates=A=true,B=false`. */
export function featureGatesIn(flags: readonly string[]): string {
  return flags
    .filter(flag => flag.startsWith(prefix))
    .map(flag => flag.slice(prefix.length))
    .join(',');
}
