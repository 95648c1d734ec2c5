import { addInvalid, at, entriesAt, itemsAt, type Place, textAt, textOf } from '../../../../apiserver/registry/validation/place.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityText } from '../../../../kubernetes/quantity.js';

/** Validates that pod-level resources are sufficient for the containers. Source: validatePodResourceConsistency. */
export function checkPodLevelAmounts(spec: Place): void {
  const resources = at(spec, 'resources');
  for (const [name, sum] of together(spec, 'requests')) compare(resources, 'requests', { name, sum });
  for (const [name, sum] of together(spec, 'limits')) if (name.startsWith('hugepages-')) compare(resources, 'limits', { name, sum });
  for (const [index, container] of itemsAt(spec, 'containers').entries()) {
    for (const [name, limit] of entriesAt(at(container, 'resources'), 'limits')) {
      const ofPod = textAt(resources, 'limits', name);
      if (ofPod !== '' && compareQuantities(textOf(limit), ofPod) > 0)
        addInvalid(
          { ...limit, path: `${resources.path}.containers[${index}][${name}].limits` },
          `must be less than or equal to pod limits of ${ofPod}`,
        );
    }
  }
}

function compare(resources: Place, kind: string, { name, sum }: { readonly name: string; readonly sum: Quantity }): void {
  const own = at(resources, kind, name);
  if (textOf(own) !== '' && compareQuantities(sum, textOf(own)) > 0)
    addInvalid(
      { ...own, path: `${resources.path}.${kind}[${name}]` },
      `must be greater than or equal to aggregate container ${kind} of ${quantityText(sum)}`,
    );
}

/** Returns the sum of the containers and sidecars, or the max that an init container needs with the sidecars started before it. */
function together(spec: Place, kind: string): ReadonlyMap<string, Quantity> {
  const amounts = (container: Place): (readonly [string, Quantity])[] =>
    entriesAt(at(container, 'resources'), kind).map(([name, place]) => [name, parseQuantity(textOf(place))] as const);
  const sums = new Map<string, Quantity>();
  const sidecars = new Map<string, Quantity>();
  const most = new Map<string, Quantity>();
  for (const entry of itemsAt(spec, 'containers').flatMap(amounts)) add(sums, entry);
  for (const container of itemsAt(spec, 'initContainers')) {
    const isSidecar = textAt(container, 'restartPolicy') === 'Always';
    for (const [name, amount] of amounts(container)) {
      const before = sidecars.get(name);
      const needed = before === undefined ? amount : addQuantities(before, amount);
      if (isSidecar) {
        add(sidecars, [name, amount]);
        add(sums, [name, amount]);
      }
      raise(most, [name, needed]);
    }
  }
  for (const entry of most) raise(sums, entry);
  return sums;
}

function add(sums: Map<string, Quantity>, [name, amount]: readonly [string, Quantity]): void {
  const before = sums.get(name);
  sums.set(name, before === undefined ? amount : addQuantities(before, amount));
}

function raise(most: Map<string, Quantity>, [name, amount]: readonly [string, Quantity]): void {
  const before = most.get(name);
  if (before === undefined || compareQuantities(amount, before) > 0) most.set(name, amount);
}
