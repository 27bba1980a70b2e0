import taxonomy from '../../../../protocol/records/taxonomy.json' with { type: 'json' };

export interface Listed {
  readonly code: string;
  readonly name: string;
  /** As the taxonomy has it. */
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

interface Known extends Entry {
  readonly category: string;
  /** In English, which is searched in every language. */
  readonly sought: readonly string[];
}

const ALL: readonly Known[] = taxonomy.categories.flatMap((category) =>
  category.biomarkers.map((entry: Entry) => ({
    ...entry,
    category: category.code,
    sought: wordsIn(`${entry.code} ${entry.name} ${entry.longName ?? ''} ${category.name}`),
  })),
);

const byCode = new Map(ALL.map((one) => [one.code, one]));

/** Null where the taxonomy does not list the code. */
export function listedBiomarker(code: string, names: Pick<Names, 'biomarker'>): Listed | null {
  const known = byCode.get(code);
  return known ? listed(known, names) : null;
}

function listed({ code, name, longName, unit, category }: Known, names: Pick<Names, 'biomarker'>): Listed {
  const own = names.biomarker(code);
  return { code, name: longName ? `${own} (${name})` : own, unit: unit ?? null, category };
}

/** The biomarkers of whose name some word begins with each typed word, in the order of the taxonomy. */
export function findBiomarkers(
  typed: string,
  covers: (category: string) => boolean,
  most: number,
  names: Names,
): Listed[] {
  const words = wordsIn(typed);
  if (words.length === 0) return [];
  const isMeant = ({ code, category, sought }: Known) => {
    const all = [...sought, ...wordsIn(`${names.biomarker(code)} ${names.category(category)}`)];
    return words.every((word) => all.some((candidate) => candidate.startsWith(word)));
  };
  return ALL.filter((one) => covers(one.category) && isMeant(one))
    .slice(0, most)
    .map((one) => listed(one, names));
}

function wordsIn(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return [...(plain.match(/[\p{L}\p{N}-]+/gu) ?? []), ...(plain.match(/[\p{L}\p{N}]+/gu) ?? [])];
}
