import { isAssignable, newSubstitutions } from '../../cel/check/assignability.js';
import type { FunctionDeclaration, Overload } from '../../cel/check/declarations.js';
import { formatType, isDyn, type Type } from '../../cel/values/type.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { declaredFields, type ExpressionScope, expressionScopes } from '../expressions/expression-scope.js';
import type { ExpressionSite } from '../expressions/expression-site.js';
import { type OpenExpression, openExpression } from '../expressions/open-expression.js';
import { typeOfOperand, withMacroVariables } from '../expressions/typed-operand.js';
import { type FieldType, type StructType, textOfType, typeAt } from '../types/field-type.js';
import type { Suggestion, Suggestions } from './suggestion.js';

/** Returns what may be written at a place in a CEL expression; nothing in strings and comments. */
export function expressionSuggestions(site: ExpressionSite, state: ClusterState): Suggestions | undefined {
  const { document, node, index, offset } = site;
  const open = openExpression(node.value.slice(0, index));
  if (open === undefined) return undefined;
  const found = new Map<string, Suggestion>();
  for (const scope of expressionScopes(site, state)) {
    const environment = withMacroVariables(scope.environment, open.variables);
    for (const item of itemsIn({ ...scope, environment }, open)) if (!found.has(item.label)) found.set(item.label, item);
  }
  const end = document.start + offset;
  return { start: end - open.word.length, end, items: [...found.values()] };
}

function itemsIn(scope: ExpressionScope, { receiver, constructed, written, variables }: OpenExpression): Suggestion[] {
  if (constructed !== undefined) return constructorFields(scope, constructed).filter(({ label }) => !written.includes(label));
  if (receiver === undefined) return names(scope, new Set(variables.map(({ name }) => name)));
  const namespaced = [...namespaceFunctions(scope, receiver), ...qualifiedNames(scope, receiver)];
  const type = typeOfOperand(receiver, scope.environment);
  return type === undefined ? namespaced : [...namespaced, ...members(scope, type)];
}

/** Variables whose name starts with another one: `authorizer.requestResource`. */
function qualifiedNames({ environment }: ExpressionScope, receiver: string): Suggestion[] {
  return [...environment.variables.values()].flatMap(({ name, type }): Suggestion[] => {
    const label = name.startsWith(`${receiver}.`) && type.kind !== 'type' ? name.slice(receiver.length + 1) : '';
    return isName(label) ? [{ label, kind: 'variable', detail: shortType(type), text: label, rank: 0 }] : [];
  });
}

function constructorFields({ object }: ExpressionScope, constructed: string): Suggestion[] {
  if (constructed === 'JSONPatch') return ['op', 'path', 'from', 'value'].map(label => fieldItem(label, 'string', `${label}: `));
  const [root, ...path] = constructed.split('.');
  const type = root === 'Object' && object !== undefined ? constructedType(object, path) : undefined;
  if (type?.kind !== 'struct') return [];
  return [...type.fields()].map(([name, field]) => fieldItem(name, textOfType(field.type), `${name}: `));
}

/** Lists have the type of their items: `Object.spec.containers`. */
function constructedType(object: StructType, path: readonly string[]): FieldType | undefined {
  let type: FieldType | undefined = object;
  for (const name of path) {
    type = typeAt(type, [name]);
    if (type?.kind === 'list') type = type.items;
    if (type === undefined) return undefined;
  }
  return type;
}

function fieldItem(label: string, detail: string, text = label): Suggestion {
  return { label, kind: 'field', detail, text, rank: 0 };
}

/** Fields and member functions of a value. */
function members(scope: ExpressionScope, given: Type): Suggestion[] {
  // `x.?y` selects in the value of an optional.
  const type = given.name === 'optional_type' && given.parameters[0] !== undefined ? given.parameters[0] : given;
  const struct = scope.types.structOf(type);
  const fields = struct === undefined ? [] : [...struct.fields()].map(([name, field]) => fieldItem(name, textOfType(field.type)));
  const declared = (declaredFields.get(type.name) ?? variablesOf(scope, type)).map(name =>
    fieldItem(name, formatType(scope.environment.types.structs.get(type.name)?.fields.get(name) ?? type)),
  );
  return [...fields, ...declared, ...memberFunctions(scope, given), ...memberMacros(scope, given)];
}

/** Names of the policy's variables, whose declaration is a map. */
function variablesOf({ environment }: ExpressionScope, type: Type): string[] {
  const fields = type.name === 'kubernetes.variables' ? environment.types.structs.get(type.name)?.fields : undefined;
  return fields instanceof Map ? [...fields.keys()] : [];
}

function memberFunctions({ environment }: ExpressionScope, type: Type): Suggestion[] {
  return [...environment.functions.values()].flatMap(declaration => {
    const overload = declaration.overloads.find(one => one.member && acceptsReceiver(one, type));
    return overload === undefined || !isName(declaration.name) ? [] : [functionItem(declaration, overload, 2)];
  });
}

function acceptsReceiver({ args: [first] }: Overload, type: Type): boolean {
  return first !== undefined && (isDyn(type) || isAssignable(newSubstitutions(), first, type));
}

const optionalMacros = /^opt(?:Flat)?Map$/;

function memberMacros({ environment }: ExpressionScope, type: Type): Suggestion[] {
  const isOptional = type.name === 'optional_type';
  const isIterated = type.kind === 'list' || type.kind === 'map' || isDyn(type);
  return environment.macros
    .filter(({ name, receiver }) => receiver && (optionalMacros.test(name) ? isOptional || isDyn(type) : isIterated) && isName(name))
    .map(({ name, argCount }) => macroItem(name, argCount));
}

function macroItem(label: string, argCount: number): Suggestion {
  const args = argCount === 1 ? 'field' : ['x', ...(argCount > 2 ? ['condition'] : []), 'expression'].join(', ');
  return { label, kind: 'function', detail: `${label}(${args})`, documentation: 'macro', text: label, rank: 1 };
}

/** Variables, functions and macros that an operand may start with. */
function names({ environment }: ExpressionScope, own: ReadonlySet<string>): Suggestion[] {
  const variables = [...environment.variables.values()]
    // The names of types are values, too: of little use.
    .filter(({ name, type }) => own.has(name) || (type.kind !== 'type' && !name.includes('.')))
    .map(({ name, type }): Suggestion => ({ label: name, kind: 'variable', detail: shortType(type), text: name, rank: 0 }));
  const functions = [...environment.functions.values()].flatMap(declaration => {
    const overload = declaration.overloads.find(one => !one.member);
    return overload === undefined || !isName(declaration.name) ? [] : [functionItem(declaration, overload, 3)];
  });
  const macros = environment.macros
    .filter(({ receiver, name }) => !receiver && isName(name))
    .map(({ name, argCount }) => macroItem(name, argCount));
  const patches = environment.types.structs.has('JSONPatch') ? ['Object', 'JSONPatch'] : [];
  const keywords = ['true', 'false', 'null', ...patches].map(
    (label): Suggestion => ({ label, kind: 'keyword', detail: '', text: label, rank: 4 }),
  );
  return [...variables, ...macros, ...functions, ...keywords, ...namespaces(environment.functions)];
}

/** Names before the dot of functions such as `sets.contains`. */
function namespaces(functions: ReadonlyMap<string, FunctionDeclaration>): Suggestion[] {
  const found = new Set([...functions.keys()].flatMap(name => (isQualified(name) ? [name.slice(0, name.indexOf('.'))] : [])));
  return [...found].map(label => ({ label, kind: 'keyword', detail: 'functions', text: label, rank: 5 }));
}

function namespaceFunctions({ environment }: ExpressionScope, receiver: string): Suggestion[] {
  return [...environment.functions.values()].flatMap(declaration => {
    const overload = declaration.overloads[0];
    if (overload === undefined || !isQualified(declaration.name) || !declaration.name.startsWith(`${receiver}.`)) return [];
    const label = declaration.name.slice(receiver.length + 1);
    return [{ ...functionItem(declaration, overload, 1), label, text: label }];
  });
}

function functionItem({ name }: FunctionDeclaration, { args, result, member }: Overload, rank: number): Suggestion {
  const shown = (member ? args.slice(1) : args).map(shortType).join(', ');
  return { label: name, kind: 'function', detail: `${name}(${shown}): ${shortType(result)}`, text: name, rank };
}

/** Returns the text of a type without the numbers that make names of structs unique. */
function shortType(type: Type): string {
  return formatType(type).replace(/#\d+/g, '');
}

/** Operators and internal functions have other names. */
function isName(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name);
}

function isQualified(name: string): boolean {
  return /^[a-z]\w*(?:\.\w+)+$/i.test(name);
}
