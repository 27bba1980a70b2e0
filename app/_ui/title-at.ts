/** The titles of pages by route, such as `/me/consents/[tokenId]`. */
export type Titles = Readonly<Record<string, string>>;

/** Next's route of the page for unknown addresses. */
export const NOT_FOUND = '/_not-found';

/** The title of the route that matches the segments of an address. */
export function titleAt(titles: Titles, segments: readonly string[]): string | undefined {
  const isPlace = (place: string) => {
    const parts = place.slice(1).split('/');
    return parts.length === segments.length && parts.every((part, at) => part.startsWith('[') || part === segments[at]);
  };
  const exact = titles[`/${segments.join('/')}`];
  return exact ?? titles[Object.keys(titles).find(isPlace) ?? NOT_FOUND];
}
