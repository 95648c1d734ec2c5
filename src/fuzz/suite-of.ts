import { writeYaml } from '../encoding/yaml-writer.js';
import { toValue } from '../go/value.js';
import { messageOfBypass } from './bypass/report.js';
import type { Bypass } from './bypass/search.js';
import { compactYaml } from './run/compact-yaml.js';
import type { FuzzFinding } from './run/finding-log.js';
import { callOf, manifestsOf } from './run/report.js';

/** A file to write, by its name in the folder. */
export interface WrittenFile {
  readonly name: string;
  readonly text: string;
}

/** Checks whose findings no case of a suite can show. */
const withoutCase = new Set(['slow', 'unsteady', 'lost-field']);

/** Reports whether a case of a suite can show the finding. */
export function hasCase({ check }: FuzzFinding): boolean {
  return !withoutCase.has(check);
}

/** Returns a suite file with a case per finding, and the manifests of the cases. `settings` are the suite's own fields. */
export function suiteOf(
  { findings, bypasses }: { readonly findings: readonly FuzzFinding[]; readonly bypasses: readonly Bypass[] },
  settings: Readonly<Record<string, unknown>>,
): WrittenFile[] {
  const files: WrittenFile[] = [];
  const cases = findings.map((finding, i) => {
    const name = `${finding.check}-${i + 1}`;
    const manifests = manifestsOf(finding.made.input).map(({ file, object }) => ({
      name: file === 'old.yaml' ? `${name}.old.yaml` : `${name}.yaml`,
      isOld: file === 'old.yaml',
      text: compactYaml(object),
    }));
    files.push(...manifests.map(manifest => ({ name: manifest.name, text: `# ${oneLine(finding.message)}\n${manifest.text}` })));
    const { resource: _, operation, ...options } = callOf(finding.made.input);
    return {
      name: `${name}: ${oneLine(finding.message)}`,
      filename: manifests.find(({ isOld }) => !isOld)?.name,
      ...(operation === 'create' ? {} : { operation }),
      ...(manifests.some(({ isOld }) => isOld) ? { old: `${name}.old.yaml` } : {}),
      ...options,
      snapshot: false,
      ...expectationOf(finding),
    };
  });
  const ways = bypasses.map((bypass, i) => caseOfBypass(bypass, `bypass-${i + 1}`));
  files.push(...ways.flatMap(way => way.files));
  const header =
    '# Findings of webhook-cli fuzz. A case fails until the webhook is fixed.\n# Where it should refuse an object, write allowed: false.\n';
  const suite = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', ...settings, cases: [...cases, ...ways.map(way => way.case)] };
  return [{ name: 'fuzz.webhook-test.yaml', text: header + writeYaml(toValue(suite)) }, ...files];
}

/** A failed webhook call fails a case whatever it expects. Whether a fixed webhook allows a valid object is for its author to say. */
function expectationOf({ check, webhook, isValid }: FuzzFinding): object {
  if (check === 'not-idempotent') return { checks: ['idempotent'] };
  if (check === 'conversion') return { 'round-trip': true };
  if (check === 'dry-run') return { checks: ['side-effects'] };
  return { expect: isValid ? { allowed: true } : { called: [webhook] } };
}

/** Returns a case whose calls are those of a way around the webhooks; the last one is to be refused. */
function caseOfBypass(bypass: Bypass, name: string): { readonly case: object; readonly files: readonly WrittenFile[] } {
  const { made } = bypass;
  const message = oneLine(messageOfBypass(bypass));
  const steps = made.map(({ input }, i) => {
    const { resource: _, ...call } = callOf(input);
    const isLast = i === made.length - 1;
    return { ...call, filename: `${name}.step-${i + 1}.yaml`, ...(isLast ? { expect: { allowed: false } } : {}) };
  });
  const files = made.map(({ input }, i) => ({ name: `${name}.step-${i + 1}.yaml`, text: `# ${message}\n${compactYaml(input.object)}` }));
  return { case: { name: `${name}: ${message}`, filename: files[0]?.name, snapshot: false, steps }, files };
}

function oneLine(text: string): string {
  // Also what only YAML takes for the end of a line, and what no YAML may contain.
  return text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 160);
}
