import { folded, foldedWords } from '../../../../protocol/folded-text.ts';
import { codeRowsOfLoinc } from '../../../../protocol/records/fhir/codes.ts';
import taxonomy from '../../../../protocol/records/taxonomy.json' with { type: 'json' };
import testNames from './test-names.json' with { type: 'json' };

/** Names and abbreviations that laboratories print, in Portuguese, Spanish and English, and LOINC codes that are close, by code. */
const PRINTED: Readonly<Record<string, readonly string[]>> = testNames;

interface Listed {
  readonly code: string;
  readonly name: string;
  readonly longName?: string;
}

interface Named {
  readonly code: string;
  readonly names: readonly { readonly plain: string; readonly words: readonly string[] }[];
}

const ALL: readonly Named[] = taxonomy.categories.flatMap(({ biomarkers }) =>
  biomarkers.map(({ code, name, longName }: Listed) => ({
    code,
    names: [name, ...(longName ? [longName] : []), ...(PRINTED[code] ?? [])].map((text) => ({
      plain: plain(text),
      words: foldedWords(text),
    })),
  })),
);

const MAX_SUGGESTIONS = 5;

export interface Suggestions {
  /** The codes of biomarkers, the most likely first. */
  readonly codes: readonly string[];
  /** The only biomarker with exactly this name; null where there is none, or several. */
  readonly certain: string | null;
}

/** The biomarkers that a text of a laboratory may mean: a name, an abbreviation, or a LOINC code. */
export function suggestCodes(text: string): Suggestions {
  const words = foldedWords(text);
  const wanted = plain(text);
  const ofLoinc = [...new Set(codeRowsOfLoinc(text.trim()).map(({ biomarker }) => biomarker))];
  const exact = ALL.filter(({ names }) => names.some((name) => name.plain === wanted)).map(({ code }) => code);
  const [best, ...others] = ofLoinc.length > 0 ? ofLoinc : exact;
  const close = words.length === 0 ? [] : ALL.filter(({ names }) => names.some((name) => isClose(words, name.words)));
  const codes = [...new Set([...ofLoinc, ...exact, ...close.map(({ code }) => code)])].slice(0, MAX_SUGGESTIONS);
  return { codes, certain: others.length === 0 ? (best ?? null) : null };
}

/** Whether every word of one name is in the other; short words must be the same, and longer ones may be cut off. */
const isClose = (words: readonly string[], name: readonly string[]): boolean =>
  contains(name, words) || (contains(words, name) && name.some((word) => word.length > 2));

const contains = (all: readonly string[], some: readonly string[]): boolean =>
  some.every((part) => all.some((word) => (part.length > 3 ? word.startsWith(part) : word === part)));

function plain(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '');
}
