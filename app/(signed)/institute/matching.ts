interface Named {
  readonly display_name: string | null;
  readonly domain: string;
}

/** The institutions of whose name or domain some word begins with each typed word; all where nothing is typed. */
export function matching<Institution extends Named>(
  institutions: readonly Institution[],
  typed: string,
): Institution[] {
  const words = wordsIn(typed);
  return institutions.filter(({ display_name: name, domain }) => {
    const own = wordsIn(`${name ?? ''} ${domain}`);
    return words.every((word) => own.some((candidate) => candidate.startsWith(word)));
  });
}

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
