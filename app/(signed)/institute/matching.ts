import { foldedWords } from '../../../protocol/folded-text.ts';

interface Named {
  readonly display_name: string | null;
  readonly domain: string;
}

/** The institutions that have, for each typed word, a word in the name or domain that begins with it. */
export function matching<Institution extends Named>(
  institutions: readonly Institution[],
  typed: string,
): Institution[] {
  const words = foldedWords(typed);
  return institutions.filter(({ display_name: name, domain }) => {
    const candidates = foldedWords(`${name ?? ''} ${domain}`);
    return words.every((word) => candidates.some((candidate) => candidate.startsWith(word)));
  });
}
