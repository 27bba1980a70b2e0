import type { z } from 'zod';
import { escapedMarkup } from '../../../protocol/escaped-markup.ts';
import type { jsonFeed } from '../../../protocol/read-responses.ts';
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
