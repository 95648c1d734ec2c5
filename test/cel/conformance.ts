import type { Type as ExprType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { SimpleTest } from '@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { getConformanceSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { createRegistry, isMessage } from '@bufbuild/protobuf';
import { type Any, anyUnpack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { FunctionDeclaration, VariableDeclaration } from '../../src/cel/check/declarations.js';
import { type Environment, kubernetesEnvironment } from '../../src/cel/environment/environment.js';
import { type CelProgram, compileExpression } from '../../src/cel/program/compile.js';
import { type EvaluationOutcome, evaluate } from '../../src/cel/program/evaluate.js';
import { equal } from '../../src/cel/values/equality.js';
import { type IdentityMap, identityOf, mapOf } from '../../src/cel/values/maps.js';
import { printed } from '../../src/cel/values/printed.js';
import { timestamp } from '../../src/cel/values/times.js';
import * as types from '../../src/cel/values/type.js';
import { celTypeOf } from '../../src/cel/values/type-of.js';
import { bytes, type CelValue, celDuration, celListOf, celNull, typeValue, uint } from '../../src/cel/values/value.js';
import { server } from '../support/server.js';
import { enabledSections } from './conformance-sections.js';

/** A conformance case for the API server's environment. */
export interface ConformanceCase {
  readonly section: string;
  readonly name: string;
  readonly test: SimpleTest;
}

/** Cases of the enabled sections, except those that disable the checker or need the test's own messages. */
export function conformanceCases(): readonly ConformanceCase[] {
  return getConformanceSuite().suites.flatMap(file =>
    file.suites
      .filter(section => enabledSections[file.name]?.includes(section.name) === true)
      .flatMap(section => section.tests.map(({ original, name }) => ({ section: `${file.name}/${section.name}`, name, test: original })))
      .filter(({ test }) => !test.disableCheck && !needsTestMessages(test)),
  );
}

/** Describes how the project's result differs from the expected one; undefined when it does not. */
export function differenceFrom({ test }: ConformanceCase): string | undefined {
  const compilation = compileExpression(test.expr, environmentFor(test));
  const expectsError = test.resultMatcher.case === 'evalError';
  if (compilation.outcome === 'failed') return expectsError ? undefined : compilation.error.detail;
  const { matcher, program } = { matcher: test.resultMatcher, program: compilation.program };
  if (matcher.case === 'typedResult') {
    const expected = matcher.value.deducedType === undefined ? undefined : types.typeText(typeOfExpr(matcher.value.deducedType));
    const found = types.typeText(program.type);
    if (expected !== undefined && expected !== found) return `the type is ${found}, not ${expected}`;
    if (test.checkOnly || matcher.value.result === undefined) return undefined;
  }
  const outcome = run(program, test);
  if (expectsError) return outcome.outcome === 'error' ? undefined : 'no error';
  if (outcome.outcome === 'error') return outcome.message;
  const expected = matcher.case === 'value' ? matcher.value : matcher.case === 'typedResult' ? matcher.value.result : undefined;
  const wanted = expected === undefined ? true : celValueOf(expected);
  return same(outcome.value, wanted) ? undefined : `the value differs: ${celTypeOf(outcome.value).name}`;
}

/** The project's result: the first line of an error, or the type and value. */
export function answerTo({ test }: ConformanceCase): string {
  const compilation = compileExpression(test.expr, environmentFor(test));
  const answer = compilation.outcome === 'failed' ? compilation.error.detail : told(run(compilation.program, test));
  return answer.split('\n', 1)[0] ?? '';
}

function told(outcome: EvaluationOutcome): string {
  return outcome.outcome === 'error' ? outcome.message : `${celTypeOf(outcome.value).name} ${printed(outcome.value)}`;
}

function needsTestMessages({ container, expr, typeEnv }: SimpleTest): boolean {
  const isOfTest = (text: string) => /TestAllTypes|\bcel\.\s*(\/\/.*\n)?expr\b/.test(text);
  const messageTypes = typeEnv.flatMap(({ declKind }) => (declKind.case === 'ident' ? [declKind.value.type?.typeKind] : []));
  return container !== '' || isOfTest(expr) || messageTypes.some(kind => kind?.case === 'messageType' && isOfTest(kind.value));
}

function run(program: CelProgram, { bindings }: SimpleTest): EvaluationOutcome {
  return evaluate(program, {
    resolve: name => {
      const bound = bindings[name]?.kind;
      return bound?.case === 'value' ? celValueOf(bound.value) : undefined;
    },
  });
}

function same(found: CelValue, wanted: CelValue): boolean {
  if (celTypeOf(found).name !== celTypeOf(wanted).name) return false;
  return equal(found, wanted) === true || (Number.isNaN(found) && Number.isNaN(wanted));
}

function environmentFor({ typeEnv }: SimpleTest): Environment {
  const variables: VariableDeclaration[] = [];
  const functions: FunctionDeclaration[] = [];
  for (const { name, declKind } of typeEnv) {
    if (declKind.case === 'ident' && declKind.value.type !== undefined) variables.push({ name, type: typeOfExpr(declKind.value.type) });
    if (declKind.case !== 'function') continue;
    const overloads = declKind.value.overloads.map(({ overloadId: id, params, resultType, isInstanceFunction: member }) => {
      if (resultType === undefined) throw new Error('a function without a result');
      return { id, args: params.map(typeOfExpr), result: typeOfExpr(resultType), member };
    });
    functions.push({ name, overloads });
  }
  const environment = kubernetesEnvironment(server, { variables, structs: [] });
  return { ...environment, functions: new Map([...environment.functions, ...functions.map(f => [f.name, f] as const)]) };
}

const registry = createRegistry(DurationSchema, TimestampSchema);

function celValueOf({ kind }: Value): CelValue {
  switch (kind.case) {
    case 'nullValue':
      return celNull;
    case 'boolValue':
    case 'stringValue':
    case 'doubleValue':
      return kind.value;
    case 'int64Value':
      return kind.value;
    case 'uint64Value':
      return uint(kind.value);
    case 'bytesValue':
      return bytes(kind.value);
    case 'listValue':
      return celListOf(kind.value.values.map(celValueOf));
    case 'mapValue':
      return mapOf(
        kind.value.entries.reduce<IdentityMap>((entries, { key, value }) => {
          if (key === undefined || value === undefined) return entries;
          const celKey = celValueOf(key);
          return entries.set(identityOf(celKey), [celKey, celValueOf(value)]);
        }, new Map()),
      );
    case 'objectValue':
      return unpacked(kind.value);
    case 'typeValue':
      return typeValue(named(kind.value));
    default:
      throw new Error(`a value of kind ${kind.case}`);
  }
}

function unpacked(any: Any): CelValue {
  const message = anyUnpack(any, registry);
  if (isMessage(message, DurationSchema)) return celDuration(message.seconds * 1_000_000_000n + BigInt(message.nanos));
  if (isMessage(message, TimestampSchema)) return timestamp(message.seconds, message.nanos);
  throw new Error(`a message of type ${any.typeUrl}`);
}

function named(name: string): types.Type {
  const known = [
    ...[types.BOOL, types.BYTES, types.DOUBLE, types.DURATION, types.INT, types.LIST, types.MAP, types.NULL],
    ...[types.STRING, types.TIMESTAMP, types.TYPE, types.UINT, types.OPTIONAL],
  ].find(type => type.name === name);
  return known ?? types.structType(name);
}

const primitives = [types.DYN, types.BOOL, types.INT, types.UINT, types.DOUBLE, types.STRING, types.BYTES];
const wellKnown = [types.DYN, types.ANY, types.TIMESTAMP, types.DURATION];

function typeOfExpr({ typeKind }: ExprType): types.Type {
  switch (typeKind.case) {
    case 'primitive':
      return primitives[typeKind.value] ?? types.DYN;
    case 'wrapper':
      return types.nullableType(primitives[typeKind.value] ?? types.DYN);
    case 'wellKnown':
      return wellKnown[typeKind.value] ?? types.DYN;
    case 'null':
      return types.NULL;
    case 'dyn':
      return types.DYN;
    case 'listType':
      return types.listType(inner(typeKind.value.elemType));
    case 'mapType':
      return types.mapType(inner(typeKind.value.keyType), inner(typeKind.value.valueType));
    case 'typeParam':
      return types.typeParam(typeKind.value);
    case 'type':
      return types.typeOfType(typeKind.value.typeKind.case === undefined ? types.DYN : typeOfExpr(typeKind.value));
    case 'abstractType':
      return types.opaqueType(typeKind.value.name, ...typeKind.value.parameterTypes.map(typeOfExpr));
    case 'messageType':
      return named(typeKind.value);
    default:
      throw new Error(`a type of kind ${typeKind.case}`);
  }
}

function inner(type: ExprType | undefined): types.Type {
  return type === undefined ? types.DYN : typeOfExpr(type);
}
