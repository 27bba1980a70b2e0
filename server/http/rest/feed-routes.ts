import { z } from 'zod';
import { preferredLanguage } from '../../../messages/preferred-language.ts';
import { jsonFeed } from '../../../protocol/read-responses.ts';
import { entityReference } from '../../../protocol/shapes.ts';
import { readFeed } from '../../features/read/feed.ts';
import { asAtom, asJsonFeed } from '../../features/read/feed-formats.ts';
import { LIST_BOUNDS } from '../../platform/db/bounds.ts';
import { prefers } from './accept-header.ts';
import { cursor, pageLimit } from './parameters.ts';
import { rawQuery } from './rest-endpoint.ts';

const ATOM = 'application/atom+xml; charset=utf-8';
const JSON_FEED = 'application/feed+json; charset=utf-8';

const prefersJsonFeed = (accept: string | undefined): boolean =>
  prefers(
    accept,
    ['application/feed+json', 'application/json'],
    ['application/atom+xml', 'application/xml', 'text/xml', 'text/html', 'application/*', '*/*'],
  );

const feedOf = (kind: 'BEO' | 'IEO', name: 'beoId' | 'ieoId', title: string, events: string) =>
  rawQuery({
    revalidates: true,
    mayLag: true,
    title,
    description: `${events}, newest first: as an Atom feed (RFC 4287), or as JSON Feed 1.1 where \`Accept\` prefers JSON. \`Accept-Language\` selects the language of the titles. The next page is linked as \`next\` (RFC 5005), in JSON as \`next_url\`.`,
    path: { [name]: entityReference },
    parameters: z.strictObject({ limit: pageLimit(LIST_BOUNDS), cursor }),
    answers: [
      { status: 200, description: 'The feed.', type: ATOM, schema: z.string() },
      { status: 200, description: 'The feed.', type: JSON_FEED, schema: jsonFeed },
    ],
    errors: [`${kind}_NOT_FOUND`],
    async answer(context, { params, parameters, header }) {
      const language = preferredLanguage(header('accept-language') ?? '');
      const feed = await readFeed(context, kind, params[name] ?? '', parameters, language);
      const isJson = prefersJsonFeed(header('accept'));
      return {
        status: 200,
        headers: {
          'content-type': isJson ? JSON_FEED : ATOM,
          'content-language': language,
          vary: 'Accept, Accept-Language',
        },
        body: isJson ? JSON.stringify(asJsonFeed(feed)) : asAtom(feed),
      };
    },
  });

export const identityFeed = feedOf(
  'BEO',
  'beoId',
  'Follow an identity',
  'The ledger entries about the identity and its consents, without those of health records',
);

export const institutionFeed = feedOf(
  'IEO',
  'ieoId',
  'Follow an institution',
  'The ledger entries about the institution, the decisions about it included; not the consents that it received',
);
