import taxonomy from '../../../protocol/taxonomy.json' with { type: 'json' };

export interface Listed {
  readonly code: string;
  readonly name: string;
  /** As the taxonomy has it. */
  readonly unit: string | null;
  readonly category: string;
}

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly longName?: string;
  readonly unit?: string;
}

const ALL: readonly (Listed & { readonly sought: readonly string[] })[] = taxonomy.categories.flatMap((category) =>
  category.biomarkers.map((entry: Entry) => ({
    code: entry.code,
    name: entry.longName ? `${entry.longName} (${entry.name})` : entry.name,
    unit: entry.unit ?? null,
    category: category.code,
    sought: wordsIn(`${entry.code} ${entry.name} ${entry.longName ?? ''} ${category.name}`),
  })),
);

const byCode = new Map<string, Listed>(ALL.map((one) => [one.code, one]));

export const listedBiomarker = (code: string): Listed | null => byCode.get(code) ?? null;

/** Those with words that begin like each of those typed, in the order of the taxonomy. */
export function findBiomarkers(typed: string, covers: (category: string) => boolean, most: number): Listed[] {
  const words = wordsIn(typed);
  if (words.length === 0) return [];
  return ALL.filter(
    ({ category, sought }) =>
      covers(category) && words.every((word) => sought.some((candidate) => candidate.startsWith(word))),
  ).slice(0, most);
}

function wordsIn(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return [...(plain.match(/[\p{L}\p{N}-]+/gu) ?? []), ...(plain.match(/[\p{L}\p{N}]+/gu) ?? [])];
}
