import type { Environment } from '../../cel/environment/environment.js';
import { formatType } from '../../cel/values/type.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { expressionScopes } from '../expressions/expression-scope.js';
import type { ExpressionSite } from '../expressions/expression-site.js';
import { openExpression } from '../expressions/open-expression.js';
import { typeOfOperand, withMacroVariables } from '../expressions/typed-operand.js';
import { offsetInScalar } from '../text/scalar-units.js';
import type { HoverText } from './field-hover.js';

/** Returns the type of the word at a place in an expression: of the field, variable or function that ends with it. */
export function expressionHover(site: ExpressionSite, state: ClusterState): HoverText | undefined {
  const { document, node, index } = site;
  const rest = /^\w*/.exec(node.value.slice(index))?.[0] ?? '';
  const end = index + rest.length;
  const open = openExpression(node.value.slice(0, end));
  if (open === undefined || open.word === '') return undefined;
  const operand = open.receiver === undefined ? open.word : `${open.receiver}.${open.word}`;
  const lines: string[] = [];
  for (const { environment, kind } of expressionScopes(site, state)) {
    const whole = withMacroVariables(environment, open.variables);
    const type = typeOfOperand(operand, whole);
    const signatures =
      type === undefined ? signaturesOf(open.word, open.receiver, whole) : [`${open.word}: ${shortText(formatType(type))}`];
    const suffix = kind === undefined || signatures.length !== 1 || open.receiver === undefined ? '' : ` // ${kind.kind}`;
    lines.push(...signatures.map(line => line + suffix));
  }
  if (lines.length === 0) return undefined;
  const start = document.start + offsetInScalar(document.text, node, end - open.word.length);
  return { start, end: start + open.word.length, code: [...new Set(lines)].join('\n'), text: '' };
}

function signaturesOf(name: string, receiver: string | undefined, { functions, macros }: Environment): string[] {
  const declared = functions.get(name) ?? functions.get(`${receiver}.${name}`);
  const isMember = functions.has(name) && receiver !== undefined;
  const overloads = (declared?.overloads ?? []).filter(({ member }) => member === isMember);
  const macro = macros.some(one => one.name === name) ? [`${name}: macro`] : [];
  return [
    ...overloads.map(({ args, result }) => shortText(`${name}(${args.map(formatType).join(', ')}): ${formatType(result)}`)),
    ...macro,
  ];
}

function shortText(text: string): string {
  return text.replace(/#\d+/g, '');
}
