import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import type { ValidationReport } from '../../apiserver/admission/policy-report.js';
import type { CelValue } from '../../cel/values/value.js';
import { trimSpace } from '../../go/white-space.js';
import { type CompiledPolicy, compiledPolicy } from './compiled.js';
import { policyConditions } from './conditions.js';
import { costBudget, type Evaluated, newPolicyRun, OutOfBudget, type PolicyRun } from './evaluation.js';
import type { AdmissionPolicy, PolicyValidation } from './policy.js';
import { type ExpressionInput, exposedNamespace, expressionVariables } from './variables.js';

/** Decision of one validation, or of an error that replaces all of them. */
export interface PolicyDecision {
  readonly action: 'admit' | 'deny';
  readonly isError: boolean;
  readonly message: string;
  /** Empty: `Invalid`. */
  readonly reason: string;
}

export type AnnotationResult =
  | { readonly outcome: 'publish'; readonly key: string; readonly value: string }
  | { readonly outcome: 'error'; readonly message: string };

/** Results of one policy with one binding and one parameter. */
export interface ValidateResult {
  /** Undefined when the policy ran. */
  readonly skipped: string | undefined;
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationResult[];
  readonly validations: readonly ValidationReport[];
}

/** Evaluates a validating policy. Source: apiserver admission/plugin/policy/validating/validator.go. */
export function validate(policy: AdmissionPolicy, input: ExpressionInput, context: AdmissionContext): ValidateResult {
  const compiled = compiledPolicy(context.server, policy);
  const conditions = policyConditions(policy, compiled, input, context);
  if (conditions.outcome === 'failed') return onlyError(policy, conditions.message, []);
  if (conditions.outcome === 'differs') return { skipped: conditions.detail, decisions: [], annotations: [], validations: [] };
  const exposed = { ...input, namespace: input.namespace instanceof Map ? exposedNamespace(input.namespace) : null };
  const runOf = (seen: ExpressionInput, budget: number) => newPolicyRun(expressionVariables(seen, context), compiled.variables, budget);
  const validated = orOutOfBudget(() => validations(policy, compiled, runOf(exposed, costBudget)));
  if (validated instanceof OutOfBudget) return onlyError(policy, validated.message, []);
  const { results, remaining } = validated;
  const messages = orOutOfBudget(() => messageResults(policy, compiled, runOf({ ...exposed, hidesAuthorizer: true }, remaining)));
  const decisions = policy.validations.map((validation, i) =>
    decisionOf(policy, validation, results[i], messages instanceof OutOfBudget ? messages : messages[i]),
  );
  const reports = policy.validations.map((validation, i) => reportOf(validation, i, results[i], decisions[i]));
  const annotations = orOutOfBudget(() => annotationResults(policy, compiled, runOf({ ...input, hidesAuthorizer: true }, costBudget)));
  if (annotations instanceof OutOfBudget) return onlyError(policy, annotations.message, reports);
  return { skipped: undefined, decisions, annotations, validations: reports };
}

function onlyError(policy: AdmissionPolicy, message: string, reports: readonly ValidationReport[]): ValidateResult {
  return { skipped: undefined, decisions: [errorDecision(policy, message)], annotations: [], validations: reports };
}

function errorDecision({ failurePolicy }: AdmissionPolicy, message: string): PolicyDecision {
  return { action: failurePolicy === 'Fail' ? 'deny' : 'admit', isError: true, message, reason: '' };
}

function orOutOfBudget<T>(step: () => T): T | OutOfBudget {
  try {
    return step();
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

function validations(
  policy: AdmissionPolicy,
  compiled: CompiledPolicy,
  run: PolicyRun,
): { readonly results: readonly Evaluated[]; readonly remaining: number } {
  const results = compiled.validations.map((compilation, i) => run.evaluate(policy.validations[i]?.expression ?? '', compilation));
  return { results, remaining: run.remaining() };
}

/** Evaluates messages, also those of validations that pass. */
function messageResults(policy: AdmissionPolicy, compiled: CompiledPolicy, run: PolicyRun): readonly (CelValue | undefined)[] {
  return compiled.messages.map((compilation, i) => {
    if (compilation === undefined) return undefined;
    const result = run.evaluate(policy.validations[i]?.messageExpression ?? '', compilation);
    return 'value' in result ? result.value : undefined;
  });
}

function decisionOf(
  policy: AdmissionPolicy,
  validation: PolicyValidation,
  result: Evaluated | undefined,
  message: CelValue | OutOfBudget | undefined,
): PolicyDecision {
  if (result === undefined || 'error' in result) return errorDecision(policy, result?.error ?? '');
  if (message instanceof OutOfBudget) return errorDecision(policy, `failed messageExpression: ${message.message}`);
  if (result.value === true) return { action: 'admit', isError: false, message: '', reason: '' };
  return { action: 'deny', isError: false, message: denialMessage(validation, message), reason: validation.reason || 'Invalid' };
}

const maxMessageBytes = 5 * 1024;

function denialMessage({ expression, message }: PolicyValidation, evaluated: CelValue | undefined): string {
  const own = typeof evaluated === 'string' ? trimSpace(evaluated) : '';
  const isUsable = own !== '' && Buffer.byteLength(own) <= maxMessageBytes && !own.includes('\n');
  return (isUsable ? own : trimSpace(message)) || `failed expression: ${trimSpace(expression)}`;
}

function reportOf(
  { expression }: PolicyValidation,
  index: number,
  result: Evaluated | undefined,
  decision: PolicyDecision | undefined,
): ValidationReport {
  const holds = result !== undefined && 'value' in result && result.value === true;
  const isError = decision?.isError === true;
  return {
    index,
    expression,
    outcome: isError ? 'error' : holds ? 'true' : 'false',
    message: decision === undefined || decision.message === '' ? undefined : decision.message,
    reason: decision?.reason === '' ? undefined : decision?.reason,
  };
}

function annotationResults(policy: AdmissionPolicy, compiled: CompiledPolicy, run: PolicyRun): AnnotationResult[] {
  return compiled.annotations.flatMap((compilation, i): AnnotationResult[] => {
    const { key = '', valueExpression = '' } = policy.auditAnnotations[i] ?? {};
    const result = run.evaluate(valueExpression, compilation);
    if ('error' in result) return policy.failurePolicy === 'Fail' ? [{ outcome: 'error', message: result.error }] : [];
    const value = typeof result.value === 'string' ? trimSpace(result.value) : '';
    return value === '' ? [] : [{ outcome: 'publish', key, value }];
  });
}
