import { invalidFlag } from '../../client/cli-error.js';

const units: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};

/** Parses a number of bytes as Kubernetes writes it: `256Mi`, `1G`, `500k`, `4096`. Throws CliError. */
export function byteSize(flag: string, text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(|k|M|G|Ki|Mi|Gi)$/.exec(text) ?? [];
  const factor = units[unit];
  if (digits === undefined || factor === undefined) throw invalidFlag(flag, text, 'a size such as 256Mi');
  return Math.round(Number(digits) * factor);
}
