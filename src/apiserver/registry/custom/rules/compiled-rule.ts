import type { Environment, ExpressionUse } from '../../../../cel/environment/environment.js';
import { type RuleEnvironments, ruleEnvironments } from '../../../../cel/environment/rule.js';
import {
  type CelProgram,
  type CheckedExpression,
  type Compilation,
  type CompileError,
  compileExpression,
  instantiationFailed,
} from '../../../../cel/program/compile.js';
import { compileOrAbort } from '../../../../cel/program/compile-or-abort.js';
import type { DeclaredType } from '../../../../cel/schema/declared-type.js';
import type { RuleSchema } from '../../../../cel/schema/rule-schema.js';
import { BOOL, STRING, sameType } from '../../../../cel/values/type.js';
import { isMap, listAt, stringAt, type ValueMap } from '../../../../go/value.js';
import { trimSpace } from '../../../../go/white-space.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { ruleFieldPath } from './rule-field-path.js';

/** Validation rule of a schema, as in the definition. Source: apiextensions v1.ValidationRule. */
export interface CompiledValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Empty: FieldValueInvalid. */
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/** Result of compiling an expression; undefined when there is none. */
export type Compiled = { readonly program: CelProgram } | { readonly error: string } | undefined;

/** Rule that can be evaluated. */
export interface CompiledRule {
  readonly rule: CompiledValidationRule;
  readonly compiled: Compiled;
  readonly usesOldSelf: boolean;
  /** Compiled only if the rule itself compiles. */
  readonly message: Compiled;
  /** Path of the error relative to the value; empty: the value itself. */
  readonly field: string;
}

/** Returns the rules of a schema, excluding nested ones. */
export function compiledRulesOf({ source }: RuleSchema): CompiledValidationRule[] {
  return listAt(source, 'x-kubernetes-validations').filter(isMap).map(readRule);
}

/** The schema that rules belong to, and whether they are new or stored. */
export interface RuleHome {
  readonly schema: RuleSchema;
  readonly use: ExpressionUse;
}

/**
 * Compiles the rules of a schema for values of its type. Throws AbortedConnection where the API server panics. Source:
 * apiextensions-apiserver schema/cel/compilation.go Compile.
 */
export function compileRules(
  server: ApiServer,
  rules: readonly CompiledValidationRule[],
  declared: DeclaredType,
  { schema, use }: RuleHome,
): CompiledRule[] {
  const environments = ruleEnvironments(server, declared, use);
  return compileOrAbort(() => rules.map(rule => compileRule(rule, environments, schema)));
}

function compileRule(rule: CompiledValidationRule, environments: RuleEnvironments, schema: RuleSchema): CompiledRule {
  const environment = rule.optionalOldSelf ? environments.optionalOldSelf : environments.plain;
  const compilation = trimSpace(rule.rule) === '' ? undefined : compileRuleExpression(rule.rule, environment);
  const isCompiled = compilation?.outcome === 'compiled';
  const checked = isCompiled ? compilation.program.checked : compilation?.error.checked;
  const path = isCompiled && rule.fieldPath !== '' ? ruleFieldPath(rule.fieldPath, schema) : undefined;
  return {
    rule,
    compiled: compilation && (isCompiled ? { program: compilation.program } : { error: compilation.error.detail }),
    usesOldSelf: checked !== undefined && names(checked, 'oldSelf'),
    message: isCompiled && rule.messageExpression !== '' ? compileMessage(rule.messageExpression, environment) : undefined,
    field: path !== undefined && 'field' in path ? path.field : '',
  };
}

function compileRuleExpression(expression: string, environment: Environment): Compilation {
  return compileExpression(expression, environment, type => (sameType(type, BOOL) ? undefined : 'cel expression must evaluate to a bool'));
}

function compileMessage(expression: string, environment: Environment): Compiled {
  const wrongType = 'messageExpression must evaluate to a string';
  const compilation = compileExpression(expression, environment, type => (sameType(type, STRING) ? undefined : wrongType));
  return compilation.outcome === 'compiled' ? { program: compilation.program } : { error: messageError(compilation.error) };
}

function messageError({ kind, detail }: CompileError): string {
  switch (kind) {
    case 'wrongType':
      return detail;
    case 'invalid':
      return `messageExpression ${detail}`;
    case 'internal':
      return `messageExpression instantiation failed: ${detail.slice(instantiationFailed.length)}`;
  }
}

function names({ references }: CheckedExpression, variable: string): boolean {
  return [...references.values()].some(reference => reference.kind === 'ident' && reference.name === variable);
}

function readRule(rule: ValueMap): CompiledValidationRule {
  return {
    rule: stringAt(rule, 'rule'),
    message: stringAt(rule, 'message'),
    messageExpression: stringAt(rule, 'messageExpression'),
    reason: stringAt(rule, 'reason'),
    fieldPath: stringAt(rule, 'fieldPath'),
    optionalOldSelf: rule.get('optionalOldSelf') === true,
  };
}
