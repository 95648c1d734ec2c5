import { type FieldError, invalidValue } from '../../kubernetes/field-error.js';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** Level, and the minor version of Kubernetes whose rules apply. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: number | 'latest';
}

/** Policy of a namespace: enforce, audit and warn. */
export interface Policy {
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

/**
 * Parses the policy in a namespace's labels and returns its errors. Invalid values are strict for enforce, lenient for others; warn follows
 * enforce unless it is set. Source: pod-security-admission api.PolicyToEvaluate.
 */
export function policyOf(labels: ReadonlyMap<string, string>): { readonly policy: Policy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const read = (mode: string, otherwise: Level): LevelVersion => ({
    level: levelIn(labels, `${prefix}${mode}`, { otherwise, errors }),
    minor: minorIn(labels, `${prefix}${mode}-version`, errors),
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

function levelIn(
  labels: ReadonlyMap<string, string>,
  label: string,
  { otherwise, errors }: { readonly otherwise: Level; readonly errors: FieldError[] },
): Level {
  const text = labels.get(label);
  if (text === undefined) return 'privileged';
  if (isLevel(text)) return text;
  errors.push(invalidValue(`metadata.labels[${label}]`, text, `must be one of ${levels.join(', ')}`));
  return otherwise;
}

function minorIn(labels: ReadonlyMap<string, string>, label: string, errors: FieldError[]): LevelVersion['minor'] {
  const text = labels.get(label) ?? 'latest';
  if (text === 'latest') return text;
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(text)?.[1];
  if (minor !== undefined && BigInt(minor) < 2n ** 63n) return Number(minor);
  errors.push(invalidValue(`metadata.labels[${label}]`, text, 'must be "latest" or "v1.x"'));
  return 'latest';
}

function isLevel(text: string | undefined): text is Level {
  return levels.some(level => level === text);
}
