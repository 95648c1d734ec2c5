import { stepsOf } from './access-path.js';
import { type SizedType, sizeBelow, stepInto } from './declared-sizes.js';
import type { DeclaredSizes } from './estimated-call.js';

/** Sizes of a device's fields. Source: dynamic-resource-allocation cel/compile.go newCompiler, sizeEstimator; api resource/v1/types.go. */
export const deviceSizes: DeclaredSizes = path => {
  const [variable, ...steps] = stepsOf(path);
  return variable === 'device' ? sizeBelow(device, steps, deviceStep) : undefined;
};

const [maxDomainLength, maxIdLength, maxDriverLength, maxAttributeLength, maxAttributes] = [63n, 32n, 63n, 64n, 32n];

/** Size limit of any string or list. */
const attribute = sized(maxAttributeLength);

const device: SizedType = {
  ...sized(0n),
  fields: new Map([
    ['driver', sized(maxDriverLength)],
    ['allowMultipleAllocations', sized(1n)],
    ['attributes', byDomainAndId(attribute)],
    ['capacity', byDomainAndId(sized(0n))],
  ]),
};

/** Attributes can also be selected like fields. */
function deviceStep(type: SizedType, step: string): SizedType | undefined {
  return stepInto(type, step) ?? (type.element === attribute && !step.startsWith('@') ? attribute : undefined);
}

function byDomainAndId(element: SizedType): SizedType {
  const byId = { ...sized(maxAttributes), key: sized(maxIdLength), element };
  return { ...sized(maxAttributes), key: sized(maxDomainLength), element: byId };
}

function sized(maxElements: bigint): SizedType {
  return { maxElements, element: undefined, key: undefined, fields: undefined };
}
