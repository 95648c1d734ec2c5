import { type CheckedExpression, compileExpression, type Program } from '../../../../cel/compile.js';
import { type RuleEnvironments, ruleEnvironments } from '../../../../cel/environment/rule.js';
import type { DeclaredType } from '../../../../cel/schema/declared-type.js';
import type { RuleSchema } from '../../../../cel/schema/rule-schema.js';
import { BOOL, STRING, sameType, type Type } from '../../../../cel/values/type.js';
import { isMap, listAt, stringAt, type ValueMap } from '../../../../kubernetes/value.js';
import { ruleFieldPath } from './rule-field-path.js';

/** A rule of a schema as the definition has it. Source: apiextensions v1.ValidationRule. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Empty: FieldValueInvalid. */
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/** What came of compiling an expression; undefined when there is nothing to compile. */
export type Compiled = { readonly program: Program } | { readonly error: string } | undefined;

/** A rule that can be evaluated. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly compiled: Compiled;
  readonly usesOldSelf: boolean;
  /** Compiled only where the rule itself is. */
  readonly message: Compiled;
  /** Where the error is told, seen from the value; empty: at the value itself. */
  readonly field: string;
}

/** The rules of a schema, not of those inside it. */
export function rulesOf({ source }: RuleSchema): ValidationRule[] {
  return listAt(source, 'x-kubernetes-validations').filter(isMap).map(readRule);
}

/** Compiles the rules of a schema for values of its type. Source: apiextensions-apiserver schema/cel/compilation.go Compile. */
export function compileRules(rules: readonly ValidationRule[], declared: DeclaredType, schema: RuleSchema): CompiledRule[] {
  const environments = ruleEnvironments(declared);
  return rules.map(rule => compileRule(rule, environments, schema));
}

function compileRule(rule: ValidationRule, environments: RuleEnvironments, schema: RuleSchema): CompiledRule {
  const environment = rule.optionalOldSelf ? environments.optionalOldSelf : environments.plain;
  const compile = (expression: string, wanted: Type, words: Words): Compiled => {
    const compilation = compileExpression(expression, environment);
    if (compilation.outcome === 'failed') return { error: `${words.prefix}${compilation.error.detail}` };
    return sameType(compilation.program.type, wanted) ? { program: compilation.program } : { error: words.wrongType };
  };
  const compiled = rule.rule.trim() === '' ? undefined : compile(rule.rule, BOOL, ruleWords);
  const isCompiled = compiled !== undefined && 'program' in compiled;
  const path = isCompiled && rule.fieldPath !== '' ? ruleFieldPath(rule.fieldPath, schema) : undefined;
  return {
    rule,
    compiled,
    usesOldSelf: isCompiled && names(compiled.program.checked, 'oldSelf'),
    message: isCompiled && rule.messageExpression !== '' ? compile(rule.messageExpression, STRING, messageWords) : undefined,
    field: path !== undefined && 'field' in path ? path.field : '',
  };
}

interface Words {
  readonly prefix: string;
  readonly wrongType: string;
}

const ruleWords: Words = { prefix: '', wrongType: 'cel expression must evaluate to a bool' };
const messageWords: Words = { prefix: 'messageExpression ', wrongType: 'messageExpression must evaluate to a string' };

function names({ references }: CheckedExpression, variable: string): boolean {
  return [...references.values()].some(reference => reference.kind === 'ident' && reference.name === variable);
}

function readRule(rule: ValueMap): ValidationRule {
  return {
    rule: stringAt(rule, 'rule'),
    message: stringAt(rule, 'message'),
    messageExpression: stringAt(rule, 'messageExpression'),
    reason: stringAt(rule, 'reason'),
    fieldPath: stringAt(rule, 'fieldPath'),
    optionalOldSelf: rule.get('optionalOldSelf') === true,
  };
}
