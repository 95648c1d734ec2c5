import { describe, expect, it } from 'vitest';
import { injectBundle } from '../../src/certificates/inject.js';
import { MalformedText } from '../../src/encoding/placed-documents.js';

const pem = '-----BEGIN CERTIFICATE-----\nnew\n-----END CERTIFICATE-----\n';
const bundle = Buffer.from(pem).toString('base64');

const head = 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata:\n  name: team\n';
const service = 'service: {name: webhook, namespace: team}';

/** Expected documents with CA in place of the caBundle; `old` is the previous value. */
const documents: readonly { readonly what: string; readonly before: string; readonly after: string }[] = [
  {
    what: 'no caBundle yet',
    before: `${head}webhooks:\n- name: a.b.c\n  clientConfig:\n    ${service}\n`,
    after: `${head}webhooks:\n- name: a.b.c\n  clientConfig:\n    caBundle: CA\n    ${service}\n`,
  },
  {
    what: 'comments everywhere',
    before: `# top\n${head}webhooks: # list\n# first\n- name: a.b.c # name\n  clientConfig: # where\n    # ours\n    ${service} # end\n# bottom\n`,
    after: `# top\n${head}webhooks: # list\n# first\n- name: a.b.c # name\n  clientConfig: # where\n    caBundle: CA\n    # ours\n    ${service} # end\n# bottom\n`,
  },
  {
    what: 'a plain old value with a comment',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: Zm9v # old\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: CA # old\n    ${service}\n`,
  },
  {
    what: 'double quotes',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: "Zm9v"\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: "CA"\n    ${service}\n`,
  },
  {
    what: 'single quotes',
    before: `${head}webhooks:\n- clientConfig: {caBundle: 'Zm9v', ${service}}\n`,
    after: `${head}webhooks:\n- clientConfig: {caBundle: 'CA', ${service}}\n`,
  },
  {
    what: 'a literal block',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: |\n      Zm9v\n      YmFy\n\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: CA\n\n    ${service}\n`,
  },
  {
    what: 'a folded block at the end of the text',
    before: `${head}webhooks:\n- clientConfig:\n    ${service}\n    caBundle: >-\n      Zm9v\n      YmFy`,
    after: `${head}webhooks:\n- clientConfig:\n    ${service}\n    caBundle: CA`,
  },
  {
    what: 'a plain value over two lines',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: Zm9v\n      YmFy\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: CA\n    ${service}\n`,
  },
  {
    what: 'an empty value with a comment',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: # to be filled\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: CA # to be filled\n    ${service}\n`,
  },
  {
    what: 'an empty value in braces',
    before: `${head}webhooks:\n- clientConfig: {caBundle: , ${service}}\n`,
    after: `${head}webhooks:\n- clientConfig: {caBundle: CA , ${service}}\n`,
  },
  {
    what: 'null and the placeholder of controller-gen',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: null\n    ${service}\n- clientConfig:\n    caBundle: Cg==\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: CA\n    ${service}\n- clientConfig:\n    caBundle: CA\n    ${service}\n`,
  },
  {
    what: 'braces on one line',
    before: `${head}webhooks: [{name: a.b.c, clientConfig: {url: "https://localhost/a"}}]\n`,
    after: `${head}webhooks: [{name: a.b.c, clientConfig: {caBundle: CA, url: "https://localhost/a"}}]\n`,
  },
  {
    what: 'braces over several lines',
    before: `${head}webhooks:\n- clientConfig: {\n    url: "https://localhost/a",\n  }\n`,
    after: `${head}webhooks:\n- clientConfig: {\n    caBundle: CA,\n    url: "https://localhost/a",\n  }\n`,
  },
  { what: 'empty braces', before: `${head}webhooks:\n- clientConfig: {}\n`, after: `${head}webhooks:\n- clientConfig: {caBundle: CA}\n` },
  {
    what: 'CRLF',
    before: `${head}webhooks:\n- clientConfig:\n    ${service}\n- clientConfig:\n    caBundle: |-\n      Zm9v\n    ${service}\n`.replaceAll(
      '\n',
      '\r\n',
    ),
    after:
      `${head}webhooks:\n- clientConfig:\n    caBundle: CA\n    ${service}\n- clientConfig:\n    caBundle: CA\n    ${service}\n`.replaceAll(
        '\n',
        '\r\n',
      ),
  },
  {
    what: 'no newline at the end',
    before: `${head}webhooks:\n- clientConfig:\n    url: https://localhost/a`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: CA\n    url: https://localhost/a`,
  },
  {
    what: 'a byte order mark',
    before: `\uFEFF${head}webhooks:\n- clientConfig:\n    url: https://localhost/a\n`,
    after: `\uFEFF${head}webhooks:\n- clientConfig:\n    caBundle: CA\n    url: https://localhost/a\n`,
  },
  {
    what: 'an anchored client configuration used twice',
    before: `${head}webhooks:\n- clientConfig: &cc\n    ${service}\n- clientConfig: *cc\n`,
    after: `${head}webhooks:\n- clientConfig: &cc\n    caBundle: CA\n    ${service}\n- clientConfig: *cc\n`,
  },
  {
    what: 'an anchored caBundle used twice',
    before: `${head}webhooks:\n- clientConfig:\n    caBundle: &ca Zm9v # x\n    ${service}\n- clientConfig:\n    caBundle: *ca\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    caBundle: &ca CA # x\n    ${service}\n- clientConfig:\n    caBundle: *ca\n    ${service}\n`,
  },
  {
    what: 'an alias to something that is no caBundle',
    before: `${head.replace('name: team', 'name: &n team')}webhooks:\n- clientConfig:\n    caBundle: *n\n    ${service}\n`,
    after: `${head.replace('name: team', 'name: &n team')}webhooks:\n- clientConfig:\n    caBundle: CA\n    ${service}\n`,
  },
  {
    what: 'merged members',
    before: `${head}webhooks:\n- &w\n  clientConfig:\n    ${service}\n- <<: *w\n  name: b.b.c\n`,
    after: `${head}webhooks:\n- &w\n  clientConfig:\n    caBundle: CA\n    ${service}\n- <<: *w\n  name: b.b.c\n`,
  },
  {
    what: 'a merged caBundle of something else is overridden',
    before: `${head}x-base: &b {caBundle: Zm9v}\nwebhooks:\n- clientConfig:\n    <<: *b\n    ${service}\n`,
    after: `${head}x-base: &b {caBundle: Zm9v}\nwebhooks:\n- clientConfig:\n    caBundle: CA\n    <<: *b\n    ${service}\n`,
  },
  {
    what: 'several documents, of which others stay',
    before: `---\n# a\nkind: ConfigMap\ndata: {caBundle: Zm9v}\n---\n${head}webhooks:\n- clientConfig:\n    url: https://x/\n...\n---\n\n---\nkind: Service\n`,
    after: `---\n# a\nkind: ConfigMap\ndata: {caBundle: Zm9v}\n---\n${head}webhooks:\n- clientConfig:\n    caBundle: CA\n    url: https://x/\n...\n---\n\n---\nkind: Service\n`,
  },
  {
    what: 'a List',
    before: `apiVersion: v1\nkind: List\nitems:\n- ${head.trimEnd().replaceAll('\n', '\n  ')}\n  webhooks:\n  - clientConfig:\n      url: https://x/\n`,
    after: `apiVersion: v1\nkind: List\nitems:\n- ${head.trimEnd().replaceAll('\n', '\n  ')}\n  webhooks:\n  - clientConfig:\n      caBundle: CA\n      url: https://x/\n`,
  },
  {
    what: 'a mutating configuration with quoted keys',
    before: `${head.replace('Validating', 'Mutating')}"webhooks":\n  - 'clientConfig':\n      "url": https://x/\n`,
    after: `${head.replace('Validating', 'Mutating')}"webhooks":\n  - 'clientConfig':\n      caBundle: CA\n      "url": https://x/\n`,
  },
  {
    what: 'a CRD with webhook conversion',
    before:
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n        url: https://x/\n',
    after:
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n        caBundle: CA\n        url: https://x/\n',
  },
  {
    what: 'an APIService',
    before: 'apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nspec:\n  group: x.dev\n  service: {name: a, namespace: b}\n',
    after:
      'apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nspec:\n  caBundle: CA\n  group: x.dev\n  service: {name: a, namespace: b}\n',
  },
  {
    what: 'JSON for people',
    before:
      '{\n  "apiVersion": "admissionregistration.k8s.io/v1",\n  "kind": "ValidatingWebhookConfiguration",\n  "webhooks": [\n    {\n\t"clientConfig": {\n\t  "url": "https://x/"\n\t}\n    }\n  ]\n}\n',
    after:
      '{\n  "apiVersion": "admissionregistration.k8s.io/v1",\n  "kind": "ValidatingWebhookConfiguration",\n  "webhooks": [\n    {\n\t"clientConfig": {\n\t  "caBundle": "CA",\n\t  "url": "https://x/"\n\t}\n    }\n  ]\n}\n',
  },
  {
    what: 'JSON on one line',
    before:
      '{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","webhooks":[{"clientConfig":{"url":"https://x/"}},{"clientConfig":{"caBundle":"Zm9v","url":"https://y/"}},{"clientConfig":{}}]}',
    after:
      '{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","webhooks":[{"clientConfig":{"caBundle":"CA","url":"https://x/"}},{"clientConfig":{"caBundle":"CA","url":"https://y/"}},{"clientConfig":{"caBundle": "CA"}}]}',
  },
  {
    what: 'a tag and an explicit key',
    before: `${head}webhooks:\n- clientConfig:\n    ? caBundle\n    : !!str Zm9v\n    ${service}\n`,
    after: `${head}webhooks:\n- clientConfig:\n    ? caBundle\n    : !!str CA\n    ${service}\n`,
  },
  {
    what: 'four columns, and a value deep to the right',
    before: `${head}webhooks:\n    -   name: a.b.c\n        clientConfig:\n                caBundle:     Zm9v     \n                url: https://x/\n`,
    after: `${head}webhooks:\n    -   name: a.b.c\n        clientConfig:\n                caBundle:     CA     \n                url: https://x/\n`,
  },
];

describe('writing a caBundle', () => {
  it.each(documents)('changes nothing else: $what', async ({ before, after }) => {
    const { text } = await injectBundle(before, pem);
    expect(text.replaceAll(bundle, 'CA')).toBe(after);
    expect((await injectBundle(text, pem)).text).toBe(text);
  });

  it.each([
    {
      what: 'a conversion without a webhook',
      text: 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  conversion: {strategy: None}\n',
    },
    {
      what: 'a kind of another group',
      text: 'apiVersion: x.dev/v1\nkind: ValidatingWebhookConfiguration\nwebhooks:\n- clientConfig: {}\n',
    },
    { what: 'a local APIService', text: 'apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nspec:\n  group: x.dev\n' },
  ])('leaves $what alone', async ({ text }) => {
    expect(await injectBundle(text, pem)).toEqual({ text, targets: [] });
  });

  it('reports what cannot be written, and what tools will write', async () => {
    const annotated = head.replace('name: team', 'name: team\n  annotations:\n    cert-manager.io/inject-ca-from: team/cert');
    const { targets } = await injectBundle(
      `${annotated}webhooks:\n- name: a.b.c\n  clientConfig:\n- clientConfig: {url: "https://x/"}\n`,
      pem,
    );
    expect(targets).toEqual([
      {
        name: 'ValidatingWebhookConfiguration team, webhook a.b.c',
        outcome: 'skipped',
        notes: [
          'clientConfig is missing or empty: nothing is written',
          "cert-manager.io/inject-ca-from: in a cluster with cert-manager, cainjector replaces every caBundle here with ca.crt of the Certificate team/cert's Secret",
        ],
      },
      { name: 'ValidatingWebhookConfiguration team, webhook number 2', outcome: 'written', notes: [] },
    ]);
  });

  it('writes no caBundle with insecureSkipTLSVerify, which the API server rejects', async () => {
    const text = 'apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nspec:\n  insecureSkipTLSVerify: true\n  service: {name: a}\n';
    const injected = await injectBundle(text, pem);
    expect(injected.text).toBe(text);
    expect(injected.targets[0]?.outcome).toBe('skipped');
  });

  it.each([
    { what: 'a bracket that is not closed', text: `${head}webhooks: [{clientConfig: {}\n`, line: 6, column: 1 },
    { what: 'indentation that fits nothing', text: `${head}webhooks:\n- clientConfig:\n    a: 1\n   b: 2\n`, line: 8, column: 1 },
    { what: 'a key twice', text: `${head}webhooks:\n- clientConfig:\n    url: a\n    url: b\n`, line: 8, column: 5 },
    { what: 'an alias to nothing', text: `${head}webhooks:\n- clientConfig: *cc\n`, line: 6, column: 17 },
    { what: 'JSON with a bracket that is not closed', text: '{"a": 1,\n "b": [1,}\n}', line: 2, column: 10 },
    { what: 'the second document', text: `kind: A\n---\n${head}webhooks: "\n`, line: 8, column: 1 },
  ])('reports malformed text with line and column: $what', async ({ text, line, column }) => {
    const error: unknown = await injectBundle(text, pem).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MalformedText);
    expect(error).toMatchObject({ line, column });
  });

  it('rejects text that only kubectl’s parser rejects, with its line', async () => {
    const error: unknown = await injectBundle(`kind: A\n---\n${head}webhooks:\n- name: @x\n`, pem).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ line: 8 });
  });
});
