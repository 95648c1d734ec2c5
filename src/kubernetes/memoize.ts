/**
 * A function whose answers are kept for as long as what they are about: asked about the same thing again, it does not work again.
 * Things are told apart by identity, and must not change once they were asked about.
 */
export function remembered<K extends object, V>(make: (about: K) => V): (about: K) => V {
  const answers = new WeakMap<K, { readonly answer: V }>();
  return about => {
    const known = answers.get(about);
    if (known !== undefined) return known.answer;
    const answer = make(about);
    answers.set(about, { answer });
    return answer;
  };
}

/** The same for texts, of which there may be ever new ones: with `most` of them the memory starts anew. What is thrown is not remembered. */
export function rememberedTexts<V>(most: number, make: (text: string) => V): (text: string) => V {
  const answers = new Map<string, { readonly answer: V }>();
  return text => {
    const known = answers.get(text);
    if (known !== undefined) return known.answer;
    const answer = make(text);
    if (answers.size >= most) answers.clear();
    answers.set(text, { answer });
    return answer;
  };
}

/** What is made when somebody first asks for it, and only once: for what is seldom asked for. What is thrown is not remembered. */
export function whenAsked<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
