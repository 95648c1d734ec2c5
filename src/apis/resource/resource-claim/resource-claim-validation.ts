import { annotationErrors, labelErrors } from '../../../apiserver/registry/object-meta.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkTemplateMeta } from '../../core/pod/validation/template-meta.js';
import { checkClaimedDevices } from '../claimed-devices.js';

/** Source: resource/validation ValidateResourceClaim. */
export const resourceClaimRules: KindRules = {
  create: claim => checkClaimedDevices(claim.child('spec')),
  update: ['metadata', 'changes', (now, old) => checkImmutable(now, old, { type: 'resource/v1.ResourceClaim', name: 'spec' })],
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

function checkTemplate(template: FieldPath, old?: FieldPath): void {
  const metadata = template.child('spec', 'metadata');
  template.errors.push(
    ...annotationErrors(template.server, metadata.child('annotations').members(), `${metadata.path}.annotations`),
    ...labelErrors(template.server, metadata.child('labels').members(), `${metadata.path}.labels`),
  );
  checkTemplateMeta(metadata);
  checkClaimedDevices(template.child('spec', 'spec'), old?.child('spec', 'spec'));
}
