/** The only list of JSON values whose element type is printed by reflection. */
const jsonLists = { 'apiextensions/v1beta1.JSONSchemaProps': { enum: '[]v1beta1.JSON' } };

/**
 * For each struct, the Go types of fields that do not follow from the schema but appear in decoding errors: named strings, lists and maps.
 */
export function goTypeNames(structs, packages) {
  const found = {};
  for (const name of structs) {
    // Tables are never decoded by the server.
    if (name === 'meta/v1.TableRowCondition') continue;
    const [packageName, struct] = name.split('.');
    const fields = { ...goTypesOf(packages.named(packageName), struct, packages), ...jsonLists[name] };
    if (Object.keys(fields).length > 0) found[name] = fields;
  }
  return found;
}

function goTypesOf(home, struct, packages) {
  const fields = {};
  for (const { name, type, tags } of home.structs.get(struct)?.fields ?? []) {
    const json = tags.get('json')?.split(',')[0] ?? '';
    if (name === '' || json === '') continue;
    const goType = namedType(type.replace(/^\*/, ''), home, packages);
    if (goType !== undefined) fields[json] = goType;
  }
  return fields;
}

/** Returns a type as reflection prints it; undefined for types that follow from the schema. */
function namedType(type, home, packages) {
  const list = /^\[\](.+)$/.exec(type);
  if (list !== null) {
    const element = namedType(list[1].replace(/^\*/, ''), home, packages);
    return element === undefined ? undefined : `[]${element}`;
  }
  const map = /^map\[([\w.]+)\](.+)$/.exec(type);
  if (map !== null) {
    const [key, value] = [namedType(map[1], home, packages), namedType(map[2].replace(/^\*/, ''), home, packages)];
    return key === undefined && value === undefined ? undefined : `map[${key ?? map[1]}]${value ?? printed(map[2], home, packages)}`;
  }
  const [declared, name] = packages.declaring(type, home);
  const target = declared?.named.get(name);
  if (target === undefined || isStruct(target, declared, packages)) return undefined;
  return target.startsWith('= ') ? namedType(target.slice(2), declared, packages) : `${declared.name}.${name}`;
}

/** A type may be named after a struct of another package. */
function isStruct(type, home, packages) {
  const [declared, name] = packages.declaring(type, home);
  return declared?.structs.has(name) === true;
}

function printed(type, home, packages) {
  const [declared, name] = packages.declaring(type.replace(/^\*/, ''), home);
  return declared === undefined || !/^[A-Z]/.test(name) ? type : `${declared.name}.${name}`;
}
