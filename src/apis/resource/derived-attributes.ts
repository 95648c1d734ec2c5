import { declared } from '../../apiserver/registry/validation/declared.js';
import { declaredItems, declaredText } from '../../apiserver/registry/validation/declared-checks.js';
import { compilationErrors } from '../../apiserver/registry/validation/match-expression.js';
import { addInvalid, at, itemsAt, lengthOf, type Place, textAt, textOf, textsOf } from '../../apiserver/registry/validation/place.js';
import { compiledDerivedAttribute } from '../../cel/compiled-selector.js';
import { forbiddenField, tooLong } from '../../kubernetes/field-error.js';
import { checkFullyQualifiedName } from './device-names.js';

const costLimit = 1_000_000n;

/**
 * Validates the attributes that a claim's requests derive from those of devices: a constraint must name each of them. Source:
 * resource/validation validateDeviceDerivedAttributes.
 */
export function checkDerivedAttributes(devices: Place): void {
  const used = itemsAt(devices, 'constraints').map(constraint => ({
    attribute: textAt(constraint, 'matchAttribute') || textAt(constraint, 'distinctAttribute'),
    requests: textsOf(at(constraint, 'requests')),
  }));
  const isUsed = (attribute: string, names: readonly string[]): boolean =>
    used.some(of => of.attribute === attribute && (of.requests.length === 0 || of.requests.some(name => names.includes(name))));
  let total = 0n;
  for (const request of itemsAt(devices, 'requests')) {
    const name = textAt(request, 'name');
    total += checkOf(at(request, 'exactly', 'derivedAttributes'), attribute => isUsed(attribute, [name]));
    for (const inner of itemsAt(request, 'firstAvailable')) {
      const names = [name, `${name}/${textAt(inner, 'name')}`];
      total += checkOf(at(inner, 'derivedAttributes'), attribute => isUsed(attribute, names));
    }
  }
  if (total > costLimit)
    devices.errors.push(
      forbiddenField(devices.path, 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit'),
    );
}

/** Returns the cost of all expressions. */
function checkOf(attributes: Place, isUsed: (attribute: string) => boolean): bigint {
  if (lengthOf(attributes) === 0) return 0n;
  let total = 0n;
  for (const attribute of declaredItems(attributes, 32, { key: 'name', struct: 'resource/v1.DeviceDerivedAttribute' })) {
    const [name, expression] = [at(attribute, 'name'), at(attribute, 'expression')];
    if (textOf(name) !== '' && !isUsed(textOf(name)))
      addInvalid(name, 'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request');
    if (textOf(name) === '') declaredText(name, () => [], true);
    else declared(name, undefined, () => checkFullyQualifiedName(name));
    declaredText(expression, () => [], true);
    if (textOf(expression) !== '') total += checkExpression(expression);
  }
  return total;
}

function checkExpression(expression: Place): bigint {
  const text = textOf(expression);
  if (Buffer.byteLength(text) > 10_240) {
    expression.errors.push(tooLong(expression.path, 10_240));
    return 0n;
  }
  const { compilation, cost } = compiledDerivedAttribute(expression.server, text);
  if (cost > costLimit) expression.errors.push(forbiddenField(expression.path, 'too complex, exceeds cost limit'));
  else expression.errors.push(...compilationErrors(compilation, text, expression.path));
  return cost;
}
