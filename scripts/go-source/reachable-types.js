/** Returns the rows of the types that declarative validation of the given ones reaches. `all` has the steps of types by name. */
export function reachableTypes(all, starts) {
  const found = {};
  const pending = [...starts].reverse();
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (found[type] !== undefined || all[type] === undefined) continue;
    found[type] = all[type];
    pending.push(...[...JSON.stringify(all[type]).matchAll(/\["type","([^"]*)"\]/g)].map(([, name]) => name).reverse());
  }
  return found;
}
