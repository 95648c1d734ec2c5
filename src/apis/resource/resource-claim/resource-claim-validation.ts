import { annotationErrors, labelErrors } from '../../../apiserver/registry/object-meta.js';
import { checkDeclaredImmutable, checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, mapOf, type Place } from '../../../apiserver/registry/validation/place.js';
import { checkTemplateMeta } from '../../core/pod/validation/template-meta.js';
import { checkClaimedDevices } from '../claimed-devices.js';

/** Source: resource/validation ValidateResourceClaim. */
export const resourceClaimRules: KindRules = {
  create: claim => checkClaimedDevices(at(claim, 'spec')),
  update: ['metadata', 'changes', (now, old) => checkDeclaredImmutable(now, old, { type: 'resource/v1.ResourceClaim', name: 'spec' })],
};

/** Source: resource/validation ValidateResourceClaimTemplate. */
export const resourceClaimTemplateRules: KindRules = {
  create: checkTemplate,
  update: [
    'metadata',
    checkTemplate,
    'changes',
    (now, old) => checkImmutable(now, old, { type: 'resource/v1.ResourceClaimTemplate', name: 'spec' }),
    template => {
      if (template.server.until('v1.34')) checkTemplate(template);
    },
  ],
};

function checkTemplate(template: Place, old?: Place): void {
  const metadata = at(template, 'spec', 'metadata');
  template.errors.push(
    ...annotationErrors(template.server, mapOf(at(metadata, 'annotations')), `${metadata.path}.annotations`),
    ...labelErrors(template.server, mapOf(at(metadata, 'labels')), `${metadata.path}.labels`),
  );
  checkTemplateMeta(metadata);
  checkClaimedDevices(at(template, 'spec', 'spec'), old && at(old, 'spec', 'spec'));
}
