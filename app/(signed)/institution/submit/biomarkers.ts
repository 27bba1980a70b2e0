import { folded, foldedWords } from '../../../../protocol/folded-text.ts';
import taxonomy from '../../../../protocol/records/taxonomy.json' with { type: 'json' };

export interface ListedBiomarker {
  readonly code: string;
  readonly name: string;
  /** As in the taxonomy. */
  readonly unit: string | null;
  readonly category: string;
}

/** The names in the language of the page, by code. */
export interface Names {
  biomarker(code: string): string;
  category(code: string): string;
}

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly longName?: string;
  readonly unit?: string;
}

interface SearchEntry extends Entry {
  readonly category: string;
  /** In English; searched in every language of the page. */
  readonly englishWords: readonly string[];
}

const ALL: readonly SearchEntry[] = taxonomy.categories.flatMap((category) =>
  category.biomarkers.map((entry: Entry) => ({
    ...entry,
    category: category.code,
    englishWords: wordsIn(`${entry.code} ${entry.name} ${entry.longName ?? ''} ${category.name}`),
  })),
);

const byCode = new Map(ALL.map((entry) => [entry.code, entry]));

/** The unit in the taxonomy: null where it states none, undefined where it does not list the code. */
export const listedUnit = (code: string): string | null | undefined => {
  const entry = byCode.get(code);
  return entry && (entry.unit ?? null);
};

/** Null where the taxonomy does not list the code. */
export function listedBiomarker(code: string, names: Pick<Names, 'biomarker'>): ListedBiomarker | null {
  const entry = byCode.get(code);
  return entry ? listed(entry, names) : null;
}

function listed(
  { code, name, longName, unit, category }: SearchEntry,
  names: Pick<Names, 'biomarker'>,
): ListedBiomarker {
  const translated = names.biomarker(code);
  return { code, name: longName ? `${translated} (${name})` : translated, unit: unit ?? null, category };
}

/** The biomarkers that have, for each typed word, a word that begins with it. In the order of the taxonomy. */
export function findBiomarkers(
  typed: string,
  covers: (category: string) => boolean,
  max: number,
  names: Names,
): ListedBiomarker[] {
  const words = wordsIn(typed);
  if (words.length === 0) return [];
  const matches = ({ code, category, englishWords }: SearchEntry) => {
    const all = [...englishWords, ...wordsIn(`${names.biomarker(code)} ${names.category(category)}`)];
    return words.every((word) => all.some((candidate) => candidate.startsWith(word)));
  };
  return ALL.filter((entry) => covers(entry.category) && matches(entry))
    .slice(0, max)
    .map((entry) => listed(entry, names));
}

/** The words, also those with hyphens as a whole. */
function wordsIn(text: string): string[] {
  return [...(folded(text).match(/[\p{L}\p{N}-]+/gu) ?? []), ...foldedWords(text)];
}

/** The listed codes of each category, in the order of the taxonomy. */
export const CODES_BY_CATEGORY: readonly { readonly category: string; readonly codes: readonly string[] }[] =
  taxonomy.categories
    .map(({ code, biomarkers }) => ({ category: code, codes: biomarkers.map((biomarker) => biomarker.code) }))
    .filter(({ codes }) => codes.length > 0);
