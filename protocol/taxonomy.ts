import taxonomy from './taxonomy.json' with { type: 'json' };

export interface Biomarker {
  readonly name: string;
  /** Only what is specific to this protocol is given its name in full. */
  readonly longName: string | null;
}

interface Category {
  readonly code: string;
  readonly level: string;
  readonly biomarkers: readonly { readonly code: string; readonly name: string; readonly longName?: string }[];
}

const LISTED: readonly Category[] = taxonomy.categories;

const categories = new Map(LISTED.map(({ code, level }) => [code, level]));

const biomarkers = new Map(
  LISTED.flatMap(({ biomarkers }) =>
    biomarkers.map(({ code, name, longName }): [string, Biomarker] => [code, { name, longName: longName ?? null }]),
  ),
);

/** The codes `BSP-XX` of all categories, in the order of taxonomy.json. */
export const CATEGORIES: readonly string[] = [...categories.keys()];

/** In the order in which they first appear in taxonomy.json. */
export const LEVELS: readonly string[] = [...new Set(categories.values())];

export const isCategory = (code: string): boolean => categories.has(code);

/** Of a biomarker known or not: a well-formed `BSP-XX-NNN` belongs to the category it names, if there is one. Protocol §8. */
export function categoryOf(biomarker: string): string | null {
  const category = /^BSP-[A-Z]{2}-\d{3}$/.test(biomarker) ? biomarker.slice(0, -4) : null;
  return category !== null && isCategory(category) ? category : null;
}

/** Null where there is no such category. */
export const levelOf = (category: string): string | null => categories.get(category) ?? null;

/** Null where taxonomy.json does not list the code, well-formed or not. */
export const biomarkerOf = (code: string): Biomarker | null => biomarkers.get(code) ?? null;

/** The name of a biomarker for people, in English; its code where the taxonomy has none. */
export const biomarkerName = (code: string): string => biomarkerOf(code)?.longName ?? biomarkerOf(code)?.name ?? code;
