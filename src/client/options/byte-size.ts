import { ownMember } from '../../go/own-members.js';
import type { ValueType } from './value-type.js';

const units: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};

/** A number of bytes as Kubernetes writes it: `256Mi`, `1G`, `500k`, `4096`. */
export const byteSizeValue: ValueType<number> = {
  parse: text => {
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(|k|M|G|Ki|Mi|Gi)$/.exec(text) ?? [];
    const factor = ownMember(units, unit);
    return digits === undefined || factor === undefined ? undefined : Math.round(Number(digits) * factor);
  },
  expected: 'a size such as 256Mi',
  schema: { type: 'string' },
};
