import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { compilationErrors } from '../../apiserver/registry/validation/match-expression.js';
import { compiledDerivedAttribute } from '../../cel/compiled-selector.js';
import { forbiddenField } from '../../kubernetes/field-error.js';

const costLimit = 1_000_000n;

/**
 * Validates the attributes that a claim's requests derive from those of devices: a constraint must name each of them. Source:
 * resource/validation validateDeviceDerivedAttributes.
 */
export function checkDerivedAttributes(devices: FieldPath): void {
  const used = devices.items('constraints').map(constraint => ({
    attribute: constraint.text('matchAttribute') || constraint.text('distinctAttribute'),
    requests: constraint.child('requests').texts(),
  }));
  const isUsed = (attribute: string, names: readonly string[]): boolean =>
    used.some(of => of.attribute === attribute && (of.requests.length === 0 || of.requests.some(name => names.includes(name))));
  let total = 0n;
  for (const request of devices.items('requests')) {
    const name = request.text('name');
    total += checkOf(request.child('exactly', 'derivedAttributes'), attribute => isUsed(attribute, [name]));
    for (const inner of request.items('firstAvailable')) {
      const names = [name, `${name}/${inner.text('name')}`];
      total += checkOf(inner.child('derivedAttributes'), attribute => isUsed(attribute, names));
    }
  }
  if (total > costLimit)
    devices.errors.push(
      forbiddenField(devices.path, 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit'),
    );
}

/** Returns the cost of all expressions. */
function checkOf(attributes: FieldPath, isUsed: (attribute: string) => boolean): bigint {
  if (attributes.length() === 0) return 0n;
  let total = 0n;
  for (const attribute of attributes.items()) {
    const [name, expression] = [attribute.child('name'), attribute.child('expression')];
    if (name.text() !== '' && !isUsed(name.text()))
      name.invalid('must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request');
    if (expression.text() !== '') total += checkExpression(expression);
  }
  return total;
}

function checkExpression(expression: FieldPath): bigint {
  const text = expression.text();
  if (Buffer.byteLength(text) > 10_240) {
    expression.tooLong(10_240);
    return 0n;
  }
  const { compilation, cost } = compiledDerivedAttribute(expression.server, text);
  if (cost > costLimit) expression.errors.push(forbiddenField(expression.path, 'too complex, exceeds cost limit'));
  else expression.add(compilationErrors(compilation, text, expression.path));
  return cost;
}
