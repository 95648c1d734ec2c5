import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { parsePlain } from '../../../encoding/plain-json.js';
import { YamlError, yamlToJson } from '../../../encoding/yaml.js';
import { systemReason } from '../../../files/system-reason.js';
import { quote } from '../../../go/quote.js';
import type { FlagValues } from '../../../kubernetes/server-options.js';
import type { AuditPolicy, AuditRule } from '../../../local-apiserver/audit/audit-policy.js';
import type { AuditOptions } from '../../../local-apiserver/audit/audited-request.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readPolicyFields } from './audit-policy-fields.js';
import { readGiven, StartError } from './start-error.js';

/**
 * Returns the audit log of `--audit-policy-file` and `--audit-log-path`, in which `-` is stdout; undefined without both. Throws StartError, or the
 * system's error for a file that cannot be read. Source: apiserver server/options/audit.go.
 */
export function auditOptions(flags: FlagValues, { cwd, stdout, stderr }: AuditSurroundings): AuditOptions | undefined {
  const last = (name: string): string => flags.get(name)?.at(-1) ?? '';
  const [policyFile, logFile] = [last('audit-policy-file'), last('audit-log-path')];
  if (policyFile === '') return undefined;
  const policy = readPolicy(policyFile, cwd);
  if (logFile === '') return undefined;
  if (logFile === '-') return { policy, write: line => stdout.write(`${line}\n`) };
  const file = path.resolve(cwd, logFile);
  // Created at the start, as upstream.
  appendFileSync(file, '', { mode: 0o600 });
  return { policy, write: appending(file, text => stderr.write(text)) };
}

type AuditSurroundings = Pick<Surroundings, 'cwd' | 'stdout' | 'stderr'>;

/** A disk that is full does not stop requests; each new reason is printed. Source: apiserver audit/metrics.go HandlePluginError. */
function appending(file: string, warn: (text: string) => void): (line: string) => void {
  let known: string | undefined;
  return line => {
    try {
      appendFileSync(file, `${line}\n`);
      known = undefined;
    } catch (error) {
      const reason = systemReason(error);
      if (reason !== known) warn(`error: the audit log ${file} cannot be written: ${reason}\n`);
      known = reason;
    }
  };
}

const levels = ['None', 'Metadata', 'Request', 'RequestResponse'];
const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** Source: apiserver audit/policy/reader.go, apis/audit/validation. */
function readPolicy(file: string, cwd: string): AuditPolicy {
  const document = parsedDocument(readPolicyFile(file, cwd), file);
  if (document.apiVersion !== 'audit.k8s.io/v1' || document.kind !== 'Policy') {
    throw new StartError(
      `loading audit policy file: unknown group version field ${String(document.apiVersion)}, Kind=${String(document.kind)} in policy: from file ${file}`,
    );
  }
  const read = readPolicyFields(document);
  if ('error' in read) throw new StartError(`loading audit policy file: failed decoding: ${read.error}: from file ${file}`);
  const { policy } = read;
  const rules = policy.rules ?? [];
  if (rules.length === 0) throw new StartError(`loading audit policy file: loaded illegal policy with 0 rules: from file ${file}`);
  const problems = [...stageProblems(policy, ''), ...rules.flatMap((rule, i) => ruleProblems(rule, `rules[${i}]`))];
  if (problems.length > 0) throw new StartError(`loading audit policy file: ${problems.join(', ')}: from file ${file}`);
  return { ...policy, rules };
}

function readPolicyFile(file: string, cwd: string): string {
  try {
    return readGiven(file, cwd);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(`loading audit policy file: failed to read file path ${quote(file)}: ${error.message}`);
  }
}

function parsedDocument(text: string, file: string): { readonly apiVersion?: unknown; readonly kind?: unknown } {
  try {
    const document = parsePlain(yamlToJson(text));
    if (typeof document === 'object' && document !== null) return document;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new StartError(`loading audit policy file: failed decoding: ${error.message}: from file ${file}`);
  }
  throw new StartError(`loading audit policy file: failed decoding: not an object: from file ${file}`);
}

function ruleProblems(rule: AuditRule, place: string): string[] {
  const hasResources = (rule.resources ?? []).length > 0 || (rule.namespaces ?? []).length > 0;
  return [
    ...(rule.level === undefined ? [`${place}.level: Required value`] : []),
    ...(rule.level !== undefined && !levels.includes(rule.level)
      ? [`${place}.level: Unsupported value: ${quote(String(rule.level))}: supported values: ${levels.map(quote).join(', ')}`]
      : []),
    ...((rule.nonResourceURLs ?? []).length > 0 && hasResources
      ? [
          `${place}.nonResourceURLs: Invalid value: ${JSON.stringify(rule.nonResourceURLs)}: rules cannot apply to both regular resources and non-resource URLs`,
        ]
      : []),
    ...stageProblems(rule, `${place}.`),
  ];
}

function stageProblems({ omitStages = [] }: Pick<AuditRule, 'omitStages'>, place: string): string[] {
  return omitStages.flatMap((stage, i) =>
    stages.includes(stage) ? [] : [`${place}omitStages[${i}]: Invalid value: ${quote(stage)}: allowed stages are ${stages.join(',')}`],
  );
}
