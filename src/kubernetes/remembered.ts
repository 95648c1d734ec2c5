/**
 * A function whose answers are kept for as long as what they are about: asked about the same thing again, it does not work again.
 * Things are told apart by identity, and must not change once they were asked about.
 */
export function remembered<K extends object, V>(make: (about: K) => V): (about: K) => V {
  const answers = new WeakMap<K, { readonly answer: V }>();
  return about => {
    const known = answers.get(about) ?? { answer: make(about) };
    answers.set(about, known);
    return known.answer;
  };
}
