import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { type Editor, startEditor } from './editor.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

/** An expression of a policy for Pods with a mark, what is offered there, and what is not. */
const rows: readonly (readonly [string, string, string])[] = [
  ['! ‸', 'object oldObject request namespaceObject authorizer', 'params self oldSelf'],
  ['ob‸', 'object', 'self'],
  ['!‸', 'object has', 'self'],
  ['(‸', 'object request', 'all'],
  ['[‸', 'object request', 'all'],
  ['1 + ‸', 'object size int', 'all'],
  ['true ? ‸', 'object', 'self'],
  ['true ? 1 : ‸', 'object', 'self'],
  ['true || ‸', 'object', 'self'],
  ['object == ‸', 'oldObject', 'self'],
  ['object.‸', 'metadata spec status kind apiVersion', 'containers image data'],
  ['oldObject.‸', 'metadata spec', 'containers data'],
  ['object.metadata.‸', 'name labels annotations generateName', 'containers spec'],
  ['object.metadata.labels.‸', 'size all exists map filter', 'name containers startsWith'],
  ['object.metadata.ownerReferences.‸', 'all exists size', 'name uid startsWith'],
  ['object.metadata.ownerReferences[0].‸', 'name uid controller kind', 'labels all'],
  ['object.metadata.name.‸', 'startsWith endsWith contains matches size split replace lowerAscii', 'name all exists'],
  ['object.metadata.name.split("-").‸', 'all exists size join', 'startsWith name'],
  ['object.metadata.name.split("-")[0].‸', 'startsWith size', 'all exists'],
  ['object.spec.‸', 'containers volumes hostNetwork nodeName', 'image name metadata'],
  ['object.spec.con‸', 'containers', 'image'],
  ['object.spec.?‸', 'containers volumes', 'metadata image'],
  ['object.?spec.?hostNetwork.‸', 'orValue hasValue value', 'containers startsWith'],
  ['object.spec.containers.‸', 'all exists exists_one filter map size', 'image name startsWith'],
  ['object.spec.containers[0].‸', 'image env ports resources', 'containers all'],
  ['object.spec.containers[0].image.‸', 'startsWith contains matches', 'all image'],
  ['object.spec.containers[0].env[0].‸', 'name value valueFrom', 'image key'],
  ['object.spec.containers[0].env[0].valueFrom.‸', 'secretKeyRef fieldRef', 'name'],
  ['object.spec.containers[0].ports[0].‸', 'containerPort hostPort', 'image targetPort'],
  ['object.spec.containers[0].resources.‸', 'limits requests', 'image'],
  ['object.spec.containers[0].securityContext.‸', 'privileged capabilities', 'fsGroup'],
  ['object.spec.securityContext.‸', 'fsGroup runAsNonRoot', 'privileged'],
  ['object.spec.containers.all(c, ‸', 'c object request', 'd self'],
  ['object.spec.containers.all(c, c.‸', 'image name env', 'containers all'],
  ['object.spec.containers.all(c, c.image.‸', 'startsWith contains', 'all env'],
  ['object.spec.containers.all(c, !c.‸', 'image env', 'containers'],
  ['object.spec.containers.all(c, has(c.‸', 'image securityContext', 'containers'],
  ['object.spec.containers.all(c, has(c.securityContext) && c.securityContext.‸', 'privileged', 'image fsGroup'],
  ['object.spec.containers.exists(c, c.env.exists(e, e.‸', 'name value', 'image'],
  ['object.spec.containers.exists(c, c.env.exists(e, c.‸', 'image env', 'value'],
  ['object.spec.containers.filter(c, true).‸', 'all exists size map', 'image'],
  ['object.spec.containers.filter(c, true)[0].‸', 'image env', 'all'],
  ['object.spec.containers.map(c, c.image).‸', 'all exists size', 'image startsWith'],
  ['object.spec.containers.map(c, c.image)[0].‸', 'startsWith', 'image all'],
  ['object.spec.containers.map(c, c.‸', 'image name', 'containers'],
  ['object.spec.containers.exists_one(c, c.‸', 'image name', 'containers'],
  ['object.spec.volumes.all(v, v.‸', 'hostPath secret configMap emptyDir', 'mountPath containers'],
  ['object.spec.tolerations.all(t, t.‸', 'key operator effect', 'image'],
  ['object.status.‸', 'phase conditions podIP', 'containers'],
  ['has(object.‸', 'spec metadata', 'containers'],
  ['size(object.spec.‸', 'containers volumes', 'metadata'],
  ['object.spec.hostNetwork && object.‸', 'spec metadata', 'containers'],
  ['object.spec.hostNetwork || object.metadata.‸', 'name labels', 'containers'],
  ['request.‸', 'operation userInfo namespace kind resource dryRun options', 'spec metadata'],
  ['request.kind.‸', 'group version kind', 'name'],
  ['request.resource.‸', 'group version resource', 'kind'],
  ['request.userInfo.‸', 'username groups uid extra', 'name'],
  ['request.userInfo.username.‸', 'startsWith contains', 'all groups'],
  ['request.userInfo.groups.‸', 'all exists size', 'startsWith'],
  ['request.operation.‸', 'startsWith size', 'all'],
  ['namespaceObject.‸', 'metadata spec', 'containers data'],
  ['namespaceObject.metadata.‸', 'labels name annotations', 'spec'],
  ['authorizer.‸', 'group path serviceAccount requestResource', 'spec'],
  ['authorizer.group("apps").‸', 'resource', 'path allowed'],
  ['authorizer.group("apps").resource("deployments").‸', 'check namespace name subresource', 'path'],
  ['authorizer.path("/healthz").‸', 'check', 'resource'],
  ['authorizer.path("/healthz").check("get").‸', 'allowed reason', 'path'],
  ['object.metadata.creationTimestamp.‸', 'getFullYear getHours', 'startsWith all'],
  ['quantity("1Gi").‸', 'isGreaterThan asInteger compareTo sub add', 'startsWith all'],
  ['url("https://a").‸', 'getHost getScheme', 'startsWith'],
  ['ip("10.0.0.1").‸', 'family isLoopback', 'startsWith prefixLength'],
  ['cidr("10.0.0.0/8").‸', 'containsIP prefixLength', 'startsWith'],
  ['semver("1.2.3").‸', 'major isLessThan', 'startsWith'],
  ['sets.‸', 'contains intersects equivalent', 'object'],
  ['authorizer.requestResource.‸', 'check', 'group'],
  ['{"a": 1}.‸', 'all exists size', 'startsWith'],
  ['[1, 2].‸', 'all exists sum min max size', 'startsWith'],
  ['"a".‸', 'startsWith size charAt', 'all'],
];

it.each(rows)('offers at %s', async (marked, present, absent) => {
  const expression = marked.replace('‸', '');
  const before = `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: a}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}\n  validations:\n  - expression: |-\n      `;
  const uri = `file:///${encodeURIComponent(marked)}.yaml`;
  await editor.show(uri, `${before}${expression}\n`);
  const position = { line: 9, character: 6 + marked.indexOf('‸') };
  const list: CompletionList | null = await editor.connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });
  const labels = (list?.items ?? []).map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(present.split(' ')));
  expect(labels.filter(label => absent.split(' ').includes(label))).toEqual([]);
});
