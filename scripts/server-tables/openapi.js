/** Definitions of which src/local-apiserver/discovery/custom-openapi.ts makes the documents of all custom resources. */
const gadget = {
  description: 'A gadget.',
  type: 'object',
  properties: {
    spec: {
      description: 'What is wanted.',
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, default: 3 },
        any: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', nullable: true, 'x-kubernetes-preserve-unknown-fields': true },
        list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        m: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' };
const examples = [
  definition('example.com', 'v1', ['gadgets', 'gadget', 'Gadget', 'Namespaced'], gadget, { status: {}, scale }),
  definition('example.org', 'v1beta1', ['tools', 'tool', 'Tool', 'Cluster'], {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }),
];
const lineNames = { 'apis/example.com/v1': 'crd-namespaced', 'apis/example.org/v1beta1': 'crd-cluster' };

function definition(group, version, [plural, singular, kind, scope], openAPIV3Schema, subresources) {
  const own = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    ...(subresources === undefined ? {} : { subresources }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, singular, kind, listKind: `${kind}List` }, versions: [own] },
  };
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** One document a line: its path, its hash, and its JSON. The last lines are OpenAPI v2 and the examples of custom resources. */
export async function openApiLines(client) {
  const builtIn = await documents(client);
  const v2 = ['v2', '-', (await client.text('/openapi/v2')).trimEnd()];
  for (const body of examples) await client.json(definitions, { method: 'POST', body });
  try {
    const custom = await publishedExamples(client);
    return [...builtIn, v2, ...custom].map(line => `${line.join(' ')}\n`).join('');
  } finally {
    for (const { metadata } of examples) await client.json(`${definitions}/${metadata.name}`, { method: 'DELETE' });
  }
}

async function documents(client) {
  const { paths } = await client.json('/openapi/v3');
  const names = Object.keys(paths).sort();
  const texts = await Promise.all(names.map(name => client.text(`/openapi/v3/${name}`)));
  return names.map((name, i) => [
    name,
    new URL(paths[name].serverRelativeURL, 'https://server').searchParams.get('hash'),
    texts[i].trimEnd(),
  ]);
}

/** Documents of custom resources are published some seconds after their definition, and once more when the names are accepted. */
async function publishedExamples(client) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const found = (await documents(client)).filter(([name, , text]) => lineNames[name] !== undefined && text.includes('/{name}'));
    if (found.length === examples.length) return found.map(([name, , text]) => [lineNames[name], '-', text]);
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
  throw new Error('the API server does not publish OpenAPI for custom resources');
}
