import type { Attributes } from '../../admission/attributes.js';
import type { AdmissionContext } from '../../admission/chain.js';

export async function dispatchMutating(_attributes: Attributes, _context: AdmissionContext): Promise<void> {}
