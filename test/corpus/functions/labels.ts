import * as rules from '../../../src/kubernetes/name-rules.js';
import type { CorpusCase } from '../files.js';

const checks: Readonly<Record<string, (text: string) => string[]>> = {
  'c-identifier': rules.cIdentifierProblems,
  'config-map-key': rules.configMapKeyProblems,
  'dns1035-label': rules.dns1035LabelProblems,
  'dns1123-label': rules.dns1123LabelProblems,
  'dns1123-subdomain': rules.dns1123SubdomainProblems,
  'env-var-name': rules.envVarNameProblems,
  'http-header-name': rules.httpHeaderNameProblems,
  'label-value': rules.labelValueProblems,
  'port-name': rules.portNameProblems,
  'qualified-name': rules.qualifiedNameProblems,
  'wildcard-dns1123-subdomain': rules.wildcardSubdomainProblems,
};

/** The rules for names; selectors and fully qualified names are not compared yet. */
export function difference(recorded: CorpusCase): string | undefined {
  const check = checks[String(recorded['check'])];
  if (check === undefined) return 'nothing compares this class yet';
  const produced = JSON.stringify(check(String(recorded['value'])));
  return produced === JSON.stringify(recorded['errors'])
    ? undefined
    : `recorded ${JSON.stringify(recorded['errors'])}, produced ${produced}`;
}
