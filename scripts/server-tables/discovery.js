/** Flags of the server with every API. */
const allFlags = ['--runtime-config=api/all=true', '--feature-gates=AllAlpha=true,AllBeta=true'];

/** Groups and resources with default flags and with every API, one resource a line. */
export async function resourcesText(version, server, everything) {
  const [byDefault, all] = [await partText(server), await partText(everything)];
  return `{"version": "${version}",\n"default": ${byDefault},\n"allFlags": ${JSON.stringify(allFlags)},\n"all": ${all}}\n`;
}

async function partText(client) {
  const groups = await client.groups();
  const names = groups.map(({ group, versions }) => ({ group, versions: versions.map(({ version }) => version) }));
  const resources = groups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) => resources.map(resource => rowOf({ group, version }, resource))),
  );
  const lines = rows => rows.map(row => JSON.stringify(row)).join(',\n');
  return `{"groups": [\n${lines(names)}\n],\n"resources": [\n${lines(resources)}\n]}`;
}

function rowOf(own, { resource, responseKind, scope, singularResource, verbs, shortNames, categories, subresources }) {
  return {
    ...own,
    resource,
    kind: responseKind.kind,
    ...groupVersionOf(responseKind, own),
    namespaced: scope === 'Namespaced',
    singular: singularResource,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(subresources === undefined ? {} : { subresources: subresources.map(each => subresourceRow(each, own)) }),
  };
}

function subresourceRow({ subresource: name, responseKind, verbs }, own) {
  return { name, kind: responseKind.kind, verbs, ...groupVersionOf(responseKind, own) };
}

/** Group and version of a kind, if they differ from the resource's. Discovery omits the resource's. */
function groupVersionOf({ group, version }, own) {
  const isOwn = version === '' || (group === own.group && version === own.version);
  return isOwn ? {} : { kindGroup: group, kindVersion: version };
}
