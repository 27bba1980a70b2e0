import { z } from 'zod';
import { etagOf, revalidated } from '../etag.ts';
import { JSON_TYPE, type RestResponse } from '../http.ts';
import { type QueryEndpoint, rawQuery } from '../rest/rest-endpoint.ts';

/** Reused for this long; then checked by its ETag. */
const MAX_AGE_SECONDS = 300;

/** Serves a document that is built once, when it is first read. */
export function documentEndpoint(build: () => unknown): QueryEndpoint {
  let built: { readonly text: string; readonly etag: string } | null = null;
  const document = () => {
    if (built) return built;
    const text = JSON.stringify(build());
    built = { text, etag: etagOf(text) };
    return built;
  };
  return rawQuery({
    title: 'Read this document',
    description: 'The API in OpenAPI 3.1.',
    answers: [
      {
        status: 200,
        description: 'The document.',
        type: JSON_TYPE,
        schema: z.looseObject({ openapi: z.string() }),
        headers: ['ETag', 'Cache-Control'],
      },
      {
        status: 304,
        description: 'It has the ETag in If-None-Match.',
        type: null,
        schema: null,
        headers: ['ETag', 'Cache-Control'],
      },
    ],
    answer(_, { header }): RestResponse {
      const { text, etag } = document();
      const headers = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` };
      const response = { status: 200, headers: { 'content-type': JSON_TYPE, ...headers }, body: text };
      return revalidated(response, header('if-none-match'));
    },
  });
}
