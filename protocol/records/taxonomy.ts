import taxonomy from './taxonomy.json' with { type: 'json' };

export interface Biomarker {
  readonly name: string;
  /** Only for biomarkers specific to this protocol. */
  readonly longName: string | null;
}

interface Category {
  readonly code: string;
  readonly level: string;
  readonly biomarkers: readonly {
    readonly code: string;
    readonly name: string;
    readonly longName?: string;
    readonly unit?: string;
  }[];
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

/** The category in a well-formed code `BSP-XX-NNN`, listed or not; null if there is no such category. Protocol §8. */
export function categoryOf(biomarker: string): string | null {
  const category = /^BSP-[A-Z]{2}-\d{3}$/.test(biomarker) ? biomarker.slice(0, -4) : null;
  return category !== null && isCategory(category) ? category : null;
}

/** Null if there is no such category. */
export const levelOf = (category: string): string | null => categories.get(category) ?? null;

/** Null if taxonomy.json does not list the code. */
export const biomarkerOf = (code: string): Biomarker | null => biomarkers.get(code) ?? null;

/** The English display name of a biomarker; its code if it is not listed. */
export const biomarkerName = (code: string): string => biomarkerOf(code)?.longName ?? biomarkerOf(code)?.name ?? code;

/** A slash between spaces separates the units of one biomarker. */
const units = new Map(
  LISTED.flatMap(({ biomarkers }) => biomarkers.map(({ code, unit }) => [code, unit?.split(' / ') ?? []] as const)),
);

/** The usual units of a biomarker; empty where taxonomy.json states none, or does not list the code. */
export const listedUnits = (code: string): readonly string[] => units.get(code) ?? [];
