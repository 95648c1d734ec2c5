/**
 * Returns a function that adds enumerable members to a new object, which has none of them, and returns it. The given functions make the values,
 * each time they are read.
 *
 * A getter in an object literal is another function in every object. V8 then makes each object a dictionary, and keeps the getter in a pair
 * that is allocated as an old object: what the getter refers to (the whole call) lives until the next full collection. These getters are the
 * same in all objects.
 */
export function sharedGetters<Members extends object>(
  ...names: readonly (keyof Members & string)[]
): <Given extends object>(given: Given, make: { readonly [Name in keyof Members]-?: () => Members[Name] }) => Given & Readonly<Members> {
  const functions = Symbol('functions');
  const getters = names.map(name => [name, { enumerable: true, get: getterOf(functions, name) }] as const);
  return (given, make) => {
    Object.defineProperty(given, functions, { value: make });
    // V8 takes twice as long for all of them at once.
    for (const [name, getter] of getters) Object.defineProperty(given, name, getter);
    return given as typeof given & Readonly<Members>;
  };
}

function getterOf(functions: symbol, name: string): () => unknown {
  return function (this: Readonly<Record<symbol, Readonly<Record<string, () => unknown>>>>) {
    return this[functions]?.[name]?.();
  };
}
