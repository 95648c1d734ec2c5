import { type KubernetesMinor, kubernetesMinors, type SelectedServer } from './kubernetes-version.js';
import { memoizeStrings } from './memoize.js';
import type { FlagValues } from './server-options.js';
import { readSectionOf, type TableSection } from './table-file.js';

/** Default of the gate, and its stage. */
type GateRow = readonly [boolean, 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED'];

/** The gates of a minor. A gate that a minor does not have is looked up in all earlier ones. */
const gateTableOf: (minor: KubernetesMinor) => TableSection = memoizeStrings(kubernetesMinors.length, minor =>
  readSectionOf(minor as KubernetesMinor, 'gates.json', 'gates'),
);

/**
 * Returns what tells whether a gate is enabled in an API server; false for gates that came with a later minor. The gate's own setting overrides
 * `AllAlpha` and `AllBeta`, which override the default. The table is read for the first gate. Source: component-base featuregate.
 */
export function gatesOf({ minor, featureGates }: SelectedServer): (gate: string) => boolean {
  const settings = settingsOf(featureGates);
  const decide = (gate: string): boolean => {
    const row = gateTableOf(minor).find(gate) as GateRow | undefined;
    if (row === undefined) return isAlwaysOn(minor, gate);
    const [byDefault, stage] = row;
    const all = stage === 'ALPHA' ? 'AllAlpha' : stage === 'BETA' ? 'AllBeta' : undefined;
    return settings.get(gate) ?? (all === undefined ? undefined : settings.get(all)) ?? byDefault;
  };
  return memoizeStrings(Number.POSITIVE_INFINITY, decide);
}

/** A minor that removes a gate leaves its feature on, except where the gate was there to bring back old behavior. */
function isAlwaysOn(minor: KubernetesMinor, gate: string): boolean {
  for (const earlier of kubernetesMinors.slice(0, kubernetesMinors.indexOf(minor)).reverse()) {
    const row = gateTableOf(earlier).find(gate) as GateRow | undefined;
    if (row !== undefined) return row[1] !== 'DEPRECATED' || row[0];
  }
  return false;
}

function settingsOf(featureGates: string): ReadonlyMap<string, boolean> {
  const settings = featureGates.split(',').filter(setting => setting !== '');
  return new Map(settings.map(setting => [setting.split('=')[0] ?? '', /=(?:true|t|1)$/i.test(setting)]));
}

/**
 * Returns the error for the first invalid setting of gates, `A=true,B=false`, in the API server of a minor; none if they are valid. Source:
 * component-base featuregate/feature_gate.go Set, SetFromMap.
 */
export function featureGateErrors({ minor, featureGates }: SelectedServer): string[] {
  const table = gateTableOf(minor);
  for (const setting of featureGates.split(',').filter(part => part !== '')) {
    const [gate = '', value] = setting.split('=').map(part => part.trim());
    if (value === undefined) return [`missing bool value for ${gate}`];
    if (!/^(?:1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/.test(value)) {
      return [`invalid value of ${gate}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`];
    }
    if (table.find(gate) === undefined) return [`unrecognized feature gate: ${gate}`];
  }
  return [];
}

/** Returns the gates in the flags of an API server: `A=true,B=false`. */
export function featureGatesIn(flags: FlagValues): string {
  return (flags.get('feature-gates') ?? []).join(',');
}
