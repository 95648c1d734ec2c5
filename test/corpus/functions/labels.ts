import { labelSelectorErrors } from '../../../src/apiserver/registry/label-selector.js';
import { fullyQualifiedNameErrors } from '../../../src/apiserver/registry/validation/fully-qualified-name.js';
import { toValue } from '../../../src/go/value.js';
import { printFieldError } from '../../../src/kubernetes/field-error.js';
import { type Labels, printSelector, SelectorError, selectorOf, selects } from '../../../src/kubernetes/label-selector.js';
import * as rules from '../../../src/kubernetes/name-rules.js';
import { parseSelectorText, SelectorTextError, selectorText, selectsByText } from '../../../src/kubernetes/selector-text.js';
import { server } from '../../support/server.js';
import type { CorpusCase } from '../files.js';

const checks: Readonly<Record<string, (text: string) => string[]>> = {
  'c-identifier': rules.cIdentifierProblems,
  'config-map-key': rules.configMapKeyProblems,
  'dns1035-label': rules.dns1035LabelProblems,
  'dns1123-label': rules.dns1123LabelProblems,
  'dns1123-subdomain': rules.dns1123SubdomainProblems,
  'env-var-name': rules.envVarNameProblems,
  'http-header-name': rules.httpHeaderNameProblems,
  'label-value': text => rules.labelValueProblems(server, text),
  'port-name': rules.portNameProblems,
  'qualified-name': text => rules.labelKeyProblems(server, text),
  'wildcard-dns1123-subdomain': rules.wildcardSubdomainProblems,
};

/** The rules for names, selectors of objects and their validation, selectors in text form. */
export function difference(recorded: CorpusCase): string | undefined {
  const produced = recorded.name.includes('/name/')
    ? { errors: namesErrors(recorded) }
    : recorded.name.includes('/text/')
      ? textResult(recorded)
      : selectorResult(recorded);
  for (const [key, value] of Object.entries(produced)) {
    const [a, b] = [JSON.stringify(recorded[key]), JSON.stringify(value)];
    if (a !== b) return `${key}: recorded ${a}, produced ${b}`;
  }
  return undefined;
}

function namesErrors(recorded: CorpusCase): string[] {
  const value = String(recorded['value']);
  if (recorded['check'] === 'fully-qualified-name') return fullyQualifiedNameErrors('name', value).map(printFieldError);
  const check = checks[String(recorded['check'])];
  if (check === undefined) throw new Error(`no such check: ${recorded['check']}`);
  return check(value);
}

interface Try {
  readonly labels: Record<string, string>;
}

/** Which of the recorded labels are selected. */
function matchesOf(recorded: CorpusCase, selects: (labels: Labels) => boolean): unknown {
  const tries = Array.isArray(recorded['matches']) ? (recorded['matches'] as Try[]) : undefined;
  return tries?.map(({ labels }) => ({ labels, matches: selects(new Map(Object.entries(labels))) }));
}

function textResult(recorded: CorpusCase): Record<string, unknown> {
  try {
    const requirements = parseSelectorText(server, String(recorded['selector']));
    return {
      error: undefined,
      text: selectorText(requirements),
      matches: matchesOf(recorded, labels => selectsByText(requirements, labels)),
    };
  } catch (error) {
    if (error instanceof SelectorTextError) return { error: error.message };
    throw error;
  }
}

function selectorResult(recorded: CorpusCase): Record<string, unknown> {
  const value = toValue(recorded['selector']);
  const errors = labelSelectorErrors(server, value, 'webhooks[0].objectSelector').map(printFieldError);
  const validation = errors.length === 0 ? undefined : errors;
  try {
    const selector = selectorOf(server, value);
    return {
      error: undefined,
      validation,
      empty: selector.matches === 'everything',
      text: printSelector(selector),
      matches: matchesOf(recorded, labels => selects(selector, labels)),
    };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message, validation };
    throw error;
  }
}
