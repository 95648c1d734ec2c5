import { addressText, parsePrefix } from '../../go/netip/address.js';
import { NetipError } from '../../go/netip/error.js';

/** An address range of services. */
export interface ServiceCidr {
  readonly isIpv4: boolean;
  /** `10.0.0.0/24`, with the first address of the range. */
  readonly text: string;
}

/** Parses the ranges of `--service-cluster-ip-range`; invalid ones are undefined. */
export function parseCidrs(range: string): (ServiceCidr | undefined)[] {
  return range.split(',').map(text => {
    try {
      const { address, bits } = parsePrefix(text.trim());
      const bytes = address.bytes.map((byte, i) => byte & (0xff << Math.min(8, Math.max(0, 8 * (i + 1) - bits))) & 0xff);
      return { isIpv4: bytes.length === 4, text: `${addressText({ ...address, bytes })}/${bits}` };
    } catch (error) {
      if (error instanceof NetipError) return undefined;
      throw error;
    }
  });
}
