import type { Certification } from './ieo.ts';

/** The restrictions of a certification; an empty list restricts nothing. */
export type CertifiedFor = Pick<Certification, 'categories' | 'intents'>;

/** The intents and categories of a use that a certification does not cover; `*` is not covered by a list of categories. */
export const notCertifiedFor = <Intent extends string>(
  { categories, intents }: CertifiedFor,
  use: { readonly intents: readonly Intent[]; readonly categories: readonly string[] },
) => ({
  intents: intents.length === 0 ? [] : use.intents.filter((intent) => !intents.includes(intent)),
  categories: categories.length === 0 ? [] : use.categories.filter((category) => !categories.includes(category)),
});
