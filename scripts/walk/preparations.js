// What the blocks of the documents need from their reader: files, running servers, programs. A block without an entry needs nothing, and ends with 0.

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: "nginx:1.27"}]}\n';
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1.27"}]}
`;
const configurationFor = clientConfig => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: ${clientConfig}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`;
const policies = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]}
  validations: [{expression: object.spec.replicas <= 5}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;
const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
demo: true
cases:
- {name: web, filename: pod.yaml, snapshot: false, expect: {allowed: true}}
- {name: again, filename: pod.yaml, snapshot: false, expect: {allowed: true}}
`;
const namespaceOf = name => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;
const goModule = { 'go.mod': 'module example.com/operator\n\ngo 1.22\n' };
const goTest = variable => `package operator

import (
	"os"
	"testing"
)

func TestEnvironment(t *testing.T) {
	if _, err := os.Stat(os.Getenv("${variable}")); err != nil {
		t.Fatal(err)
	}
}
`;

/** Serves the demo webhook with the certificates in certs. */
const demoAt = port => `webhook-cli certs create > certs.log
webhook-cli serve --handler demo --cert-dir certs --port ${port} > server.log 2>&1 &
webhook-cli wait --url https://127.0.0.1:${port}/validate --ca-file certs/ca.crt 2> wait.log`;
/** An API server in the place of the reader's cluster, with the context staging. */
const stagingWith = flags => `webhook-cli apiserver --state webhooks.yaml --kubeconfig cluster.config${flags} > cluster.log 2>&1 &
n=0; until [ -s cluster.config ] || [ $n -gt 200 ]; do sleep 0.05; n=$((n + 1)); done
sed 's/webhook-cli/staging/g' cluster.config > config
export KUBECONFIG="$PWD/config"`;
const staging = stagingWith('');
/** A service with a pod of a webhook. */
const inTeam = `${namespaceOf('team')}---
{apiVersion: v1, kind: Node, metadata: {name: node-1}, status: {addresses: [{type: InternalIP, address: 127.0.0.1}]}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: team}
spec: {selector: {app: web}, ports: [{port: 443, targetPort: 8443}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: team, labels: {app: web}}
spec: {nodeName: node-1, containers: [{name: web, image: web}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
`;
const installed = { 'webhooks.yaml': configurationFor('{url: "https://127.0.0.1:8443/"}') };
const local = port => `${configurationFor(`{url: "https://localhost:${port}/validate"}`)}---\n${namespaceOf('default')}`;
/** Prints a pod for any chart. */
/** For webhook-cli, the chart has a configuration. */
const helm = `#!/bin/sh\ncase "$*" in *--include-crds*) exec cat config/default/webhooks.yaml;; esac\nprintf 'apiVersion: v1\\nkind: Pod\\nmetadata: {name: web}\\nspec: {containers: [{name: web, image: "nginx:1.27"}]}\\n'\n`;
const mvn = '#!/bin/sh\nexec "$KUBE_API_TEST_DIR"/k8s/*/kube-apiserver --version\n';

/**
 * By page, then by the start of a block.
 * before: commands in front of the block. files: in its folder. copies: from the package. programs: in the place of the reader's. needs: a program without
 * which the block is skipped. after: the start of an earlier block of the page that runs first. status: exit code. until: printed by a command that runs until it is
 * interrupted. prints: expected in the output. replaced: for time. skipped: why.
 */
export const preparations = {
  'README.md': {
    'npm ci': { skipped: 'they are for a clone: .ci/run runs them' },
    'webhook-cli certs create': { prints: /denied the request: label team is missing\nexit code 1\n/ },
    'cat > webhooks.yaml': {
      after: 'webhook-cli certs create',
      needs: 'kubectl version --client',
      prints:
        /^Error from server: error when creating "pod.yaml": admission webhook "guard.example.com" denied the request: label team is missing\n/m,
    },
    'mkdir manifests': { prints: /^pod\/web allowed\n$/m },
  },
  'docs/apiserver.md': {
    'webhook-cli apiserver --kubeconfig': { until: /^https:\/\/127\.0\.0\.1:\d+\n/m },
    'kubectl --kubeconfig': {
      needs: 'kubectl version --client',
      before: `webhook-cli apiserver --kubeconfig kubeconfig > server.log 2>&1 &
n=0; until [ -s kubeconfig ] || [ $n -gt 200 ]; do sleep 0.05; n=$((n + 1)); done`,
      prints: /^default +Active/m,
    },
    'webhook-cli apiserver --state cluster/': {
      needs: 'go version',
      files: { 'cluster/namespace.yaml': namespaceOf('shop'), ...goModule, 'a_test.go': goTest('KUBECONFIG') },
    },
    'webhook-cli apiserver --state webhooks.yaml': {
      files: { 'webhooks.yaml': configurationFor('{service: {namespace: shop, name: webhook}}') },
      until: /^https:\/\/127\.0\.0\.1:\d+\n/m,
    },
    'webhook-cli certs create --service shop/wares': { needs: 'kubectl version --client', prints: /"seen-by-kubernetes-admin"/ },
  },
  'docs/controlplane.md': {
    'webhook-cli apiserver --kubernetes-version': { until: /^https:\/\/127\.0\.0\.1:\d+\n/m },
  },
  'docs/calls.md': {
    'webhook-cli review --url': {
      files: { 'pod.yaml': pod },
      before: demoAt(8443),
      prints: /^pod\/web created\n[\s\S]*pod "web" deleted/m,
    },
  },
  'docs/certificates.md': {
    'webhook-cli certs create': { files: { 'pod.yaml': pod, 'webhooks.yaml': local(9443) }, prints: /^pod\/web created\n/m },
  },
  'docs/cluster.md': {
    'cat > pod.yaml': {
      files: { 'webhooks.yaml': `${configurationFor('{service: {namespace: team, name: web, path: /validate}}')}---\n${inTeam}` },
      before: `webhook-cli certs create --service team/web > certs.log
webhook-cli serve --handler demo --cert-dir certs --port 8443 > server.log 2>&1 &
webhook-cli certs inject -f webhooks.yaml --in-place > inject.log 2>&1
${stagingWith(' --forward team/web-0:8443=127.0.0.1:8443')}`,
      prints: /^ +validating +guard\.example\.com +allowed/m,
    },
    'webhook-cli state --context': { files: { 'pod.yaml': pod, ...installed }, before: staging, prints: /^CREATE Pod default\/web$/m },
    'webhook-cli review --against-cluster': {
      files: {
        'pod.yaml': pod,
        'webhooks.yaml': namespaceOf('default'),
        'limits.yaml':
          'apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: default}\nspec: {limits: [{type: Container, default: {cpu: 100m}}]}\n',
      },
      before: staging,
      status: 1,
      prints: /cluster: \/spec\/containers\/0\/resources\S* is .* in the cluster, and .* here/,
    },
  },
  'docs/envtest.md': {
    'KUBEBUILDER_ASSETS=': { needs: 'go version', files: { ...goModule, 'a_test.go': goTest('KUBEBUILDER_ASSETS') } },
    'mkdir -p .kube-api-test': { programs: { mvn }, prints: /^Kubernetes v1\.37/m },
  },
  'docs/fuzzing.md': {
    'webhook-cli fuzz --exec': { status: 1, prints: /^crash: webhook\.webhook-cli\.dev answers with status 500: TypeError/m },
    "webhook-cli fuzz --exec 'node fixtures/fuzz/policy.mjs": { status: 1, prints: /^bypass: /m },
  },
  'docs/go.md': {
    'webhook-cli certs create': { needs: 'go version', prints: /label team is missing\nexit code 1\n/ },
    'go test': { after: 'webhook-cli certs create', needs: 'go version', prints: /^ok\s+example\.com\/webhook/m },
  },
  'docs/policies.md': {
    'webhook-cli review --state': { files: { 'policies.yaml': policies, 'deployment.yaml': deployment } },
    'webhook-cli review --demo --compare fixtures/policies/demo-rule.yaml -f fixtures/policies/pods/privileged.yaml': { status: 1 },
    'webhook-cli review --demo --compare fixtures/policies/demo-rule.yaml -f fixtures/policies/pods/latest.yaml': {
      status: 1,
      prints: /compare: the webhooks refuse the call, and the policies allow it: /,
    },
  },
  'docs/python.md': {
    'webhook-cli certs create': { needs: 'python3 --version', prints: /label team is missing\nexit code 1\n/ },
    'python3 -m pytest': {
      after: 'webhook-cli certs create',
      needs: 'python3 -m pytest --version',
      prints: /^(?:2 passed|1 passed, 1 skipped)/m,
    },
  },
  'docs/recordings.md': {
    'webhook-cli proxy': { before: demoAt(9443), until: /^https:\/\/127\.0\.0\.1:8443$/m },
    // The log has a conflict and a missing object.
    'webhook-cli match --context': {
      copies: { 'fixtures/replay/audit.log': 'audit.log' },
      files: installed,
      before: staging,
      status: 1,
      prints: /^18 calls: 2 refused$/m,
    },
  },
  'docs/replay.md': {
    'webhook-cli replay -f recordings/': { copies: { 'fixtures/recordings': 'recordings' }, before: demoAt(9443) },
    'webhook-cli replay -f audit/': {
      copies: { 'fixtures/replay/audit.log': 'audit/audit.log' },
      files: { 'cluster/webhooks.yaml': configurationFor('{url: "https://127.0.0.1:8443/"}') },
      // The time of the log.
      replaced: [['2026-01-02T08:00:00Z..2026-01-02T09:00:00Z', '2026-11-23T19:00:00Z..2026-11-23T20:00:00Z']],
      status: 1,
      prints: /outage/,
    },
    'webhook-cli replay -f audit.log --url': {
      copies: { 'fixtures/replay/audit.log': 'audit.log' },
      before: demoAt(8443),
      replaced: [
        ['--for 30s', '--for 1s'],
        ['--max-p99 200ms', '--max-p99 20s'],
      ],
    },
  },
  'docs/testing.md': {
    'webhook-cli lint -k': {
      needs: 'kubectl version --client',
      programs: { helm },
      files: {
        'pod.yaml': pod,
        'config/default/kustomization.yaml': 'resources: [webhooks.yaml]\n',
        'config/default/webhooks.yaml': configurationFor('{url: "https://127.0.0.1:8443/"}'),
      },
      prints: /^pod\/web created\n/m,
    },
  },
  'docs/trace.md': {
    'webhook-cli review --demo --open': { status: 1, prints: /^report: \S+report\.html$/m },
    'webhook-cli test --shard': { files: { 'pod.yaml': pod, 'web.webhook-test.yaml': suite, 'reports/.keep': '' } },
    'webhook-cli review --demo -o json': { needs: 'jq --version', prints: /^mutating\t/m },
  },
};
