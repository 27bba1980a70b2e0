import { z } from 'zod';
import { escapedMarkup } from '../../../protocol/escaped-markup.ts';
import { list, time, url } from '../../../protocol/response-shapes.ts';
import type { Feed, FeedEntry } from './feed.ts';

/** An Atom feed (RFC 4287); its pages are linked as RFC 5005 §3 describes. */
export function asAtom({ id, title, language, updatedAt, pageUrl, url, nextUrl, entries }: Feed): string {
  const next = nextUrl === null ? [] : [link('next', ATOM_TYPE, nextUrl)];
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapedMarkup(language)}">
${[
  element('id', id),
  element('title', title),
  element('updated', updatedAt),
  `<author>${element('name', AUTHOR)}</author>`,
  link('self', ATOM_TYPE, url),
  link('alternate', 'text/html', pageUrl),
  ...next,
  ...entries.map(atomEntry),
].join('\n')}
</feed>
`;
}

const atomEntry = ({ id, title, pageUrl, at, function: name }: FeedEntry): string =>
  [
    '<entry>',
    element('id', id),
    element('title', title),
    element('published', at),
    element('updated', at),
    link('alternate', 'text/html', pageUrl),
    `<category term="${escapedMarkup(name)}"/>`,
    '</entry>',
  ].join('\n');

const AUTHOR = 'Perpetua';
const ATOM_TYPE = 'application/atom+xml';

const element = (name: string, text: string): string => `<${name}>${escapedMarkup(text)}</${name}>`;

const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${escapedMarkup(href)}"/>`;

export const jsonFeed = z
  .object({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: url.describe('The page about the identity or the institution.'),
    feed_url: url,
    next_url: url.exactOptional().describe('The page with older entries; absent on the last one.'),
    language: z.string(),
    authors: list(z.object({ name: z.string() })),
    items: list(
      z.object({
        id: z.string().describe('The same for ever.'),
        url: url.describe('The page about the ledger entry.'),
        title: z.string(),
        content_text: z.string(),
        date_published: time,
        tags: list(z.string()).describe('The function of the ledger entry.'),
      }),
    ),
  })
  .meta({ id: 'JsonFeed', description: 'A feed as https://www.jsonfeed.org/version/1.1/ describes it.' });

export const asJsonFeed = ({ title, language, pageUrl, url, nextUrl, entries }: Feed): z.output<typeof jsonFeed> => ({
  version: 'https://jsonfeed.org/version/1.1',
  title,
  home_page_url: pageUrl,
  feed_url: url,
  ...(nextUrl !== null && { next_url: nextUrl }),
  language,
  authors: [{ name: AUTHOR }],
  items: entries.map((entry) => ({
    id: entry.id,
    url: entry.pageUrl,
    title: entry.title,
    content_text: entry.title,
    date_published: entry.at,
    tags: [entry.function],
  })),
});
