import { type FieldError, invalidValue } from '../../kubernetes/field-error.js';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** Level, and the minor version of Kubernetes whose rules apply. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: number | 'latest';
}

/** Policy of a namespace: enforce, audit and warn. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const prefix = 'pod-security.kubernetes.io/';

/** Returns `restricted:v1.30`. */
export function printLevelVersion({ level, minor }: LevelVersion): string {
  return `${level}:${minor === 'latest' ? minor : `v1.${minor}`}`;
}

/** Compares levels: negative, zero or positive when the first is less strict, equal or stricter. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

export function sameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** The policy of namespaces without labels, unless a configuration has another one. */
export const privilegedPolicy: PodSecurityPolicy = {
  enforce: { level: 'privileged', minor: 'latest' },
  audit: { level: 'privileged', minor: 'latest' },
  warn: { level: 'privileged', minor: 'latest' },
};

/** Reports whether no mode refuses or reports anything. */
export function isPrivileged({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === 'privileged');
}

/**
 * Parses the policy in a namespace's labels, and returns its errors. Invalid values are strict for enforce, lenient for others; warn follows
 * a stricter enforce unless it is set. Source: pod-security-admission api.PolicyToEvaluate.
 */
export function policyOf(
  labels: ReadonlyMap<string, string>,
  defaults: PodSecurityPolicy,
): { readonly policy: PodSecurityPolicy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const read = (mode: keyof PodSecurityPolicy, otherwise: Level): LevelVersion => ({
    level: levelIn(labels, `${prefix}${mode}`, { otherwise, errors }) ?? defaults[mode].level,
    minor: minorIn(labels, `${prefix}${mode}-version`, errors) ?? defaults[mode].minor,
  });
  const enforce = read('enforce', 'restricted');
  const enforceIsRead = isLevel(labels.get(`${prefix}enforce`));
  const audit = read('audit', 'privileged');
  let warn = read('warn', 'privileged');
  if (!labels.has(`${prefix}warn`) && enforceIsRead && compareLevels(enforce.level, warn.level) > 0) {
    warn = { level: enforce.level, minor: labels.has(`${prefix}warn-version`) ? warn.minor : enforce.minor };
  }
  return { policy: { enforce, audit, warn }, errors };
}

/** Returns a level; undefined for other texts. */
export function levelNamed(text: string): Level | undefined {
  return levels.find(level => level === text);
}

/** Returns the minor version in `latest` or `v1.30`; undefined for other texts. */
export function minorOfPolicy(text: string): LevelVersion['minor'] | undefined {
  if (text === 'latest') return text;
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(text)?.[1];
  return minor !== undefined && BigInt(minor) < 2n ** 63n ? Number(minor) : undefined;
}

/** What is said of texts that are neither. */
export const noLevel = `must be one of ${levels.join(', ')}`;
export const noMinor = 'must be "latest" or "v1.x"';

function levelIn(
  labels: ReadonlyMap<string, string>,
  label: string,
  { otherwise, errors }: { readonly otherwise: Level; readonly errors: FieldError[] },
): Level | undefined {
  const text = labels.get(label);
  if (text === undefined) return undefined;
  const level = levelNamed(text);
  if (level === undefined) errors.push(invalidValue(`metadata.labels[${label}]`, text, noLevel));
  return level ?? otherwise;
}

function minorIn(labels: ReadonlyMap<string, string>, label: string, errors: FieldError[]): LevelVersion['minor'] | undefined {
  const text = labels.get(label);
  if (text === undefined) return undefined;
  const minor = minorOfPolicy(text);
  if (minor === undefined) errors.push(invalidValue(`metadata.labels[${label}]`, text, noMinor));
  return minor ?? 'latest';
}

function isLevel(text: string | undefined): boolean {
  return text !== undefined && levelNamed(text) !== undefined;
}
